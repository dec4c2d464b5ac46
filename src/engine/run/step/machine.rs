//! What stepping needs of a machine, and of the code that it runs.

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::temporary::Temporary;
use arch::{Direction, Instruction, RunAddr, WaysOut};
use dwarf::{DieId, SourcePath};
use std::sync::Arc;

/// Whether a step goes into functions that are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// `step`
    Into,
    /// `next`
    Over,
}

/// Where the stepping thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) pc: RunAddr,
    pub(crate) sp: u64,
}

/// A stretch of code of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) start: RunAddr,
    pub(crate) end: RunAddr,
    pub(crate) file: Arc<SourcePath>,
    /// Never 0.
    pub(crate) line: u32,
    pub(crate) is_stmt: bool,
}

impl Row {
    pub(super) fn contains(&self, pc: RunAddr) -> bool {
        self.start <= pc && pc < self.end
    }

    pub(super) fn same_line(&self, other: &Self) -> bool {
        self.line == other.line && self.file == other.file
    }
}

/// A function's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) entry: RunAddr,
    pub(crate) ranges: Vec<(RunAddr, RunAddr)>,
    /// Where a step into it ends; `None` if it has no line information.
    pub(crate) after_prologue: Option<RunAddr>,
}

impl Body {
    pub(crate) fn contains(&self, pc: RunAddr) -> bool {
        self.ranges.iter().any(|(start, end)| *start <= pc && pc < *end)
    }
}

/// Instructions of a function without line information that `step` looks at one by one, in case they lead into one with
/// lines: a callback, or going back what has just returned. The rest is run through.
pub(super) const UNLINED_REACH: usize = 200;

/// A function inlined at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inlined {
    pub(crate) die: DieId,
    /// Its first instruction is at the address. A thread that stops there is shown at the call of it, as if the call
    /// was an instruction that comes next: `step` goes into the function without moving.
    pub(crate) begins: bool,
    /// Where it is called, if that is known.
    pub(crate) call: Option<(Arc<SourcePath>, u32)>,
}

/// Code that only leads to other code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connector {
    /// A procedure linkage table entry.
    Plt,
    /// What a signal handler returns to.
    Trampoline,
    /// The exception unwinder, which "returns" into handlers that have not called it.
    Unwinder,
    /// Code of no file, or rr's own: generated at run time, or patched in.
    Foreign,
}

/// What a movement of the machine ended in: `None` where it was to end, or a stop for the user.
pub(crate) type Moved = Result<Option<Reason>, Error>;

/// How a run in one frame has ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ran {
    /// At one of the places.
    There,
    /// Stopped on the way.
    Stopped(Box<Reason>),
    /// The frame has not been at any: the thread is where it was.
    Stayed,
}

/// A thread that can be moved, and what is known of the code it runs.
pub(crate) trait Machine {
    /// Returns where the thread is; within a system call that rr's library makes, where that leads back to.
    fn spot(&mut self) -> Result<Spot, Error>;
    /// Executes or takes back one instruction, as which a system call counts that rr's library makes.
    fn step(&mut self, direction: Direction) -> Moved;
    /// Runs until one of these is reached, or, forward, where the thread arrives if it leaves their frames without
    /// returning, by `longjmp` or an exception. The place where the thread is now does not count.
    fn run_to(&mut self, direction: Direction, places: &[Temporary]) -> Moved;
    /// Runs back until one of these is reached in the frame that the thread is in, of a function with this entry.
    fn run_back_in_frame(&mut self, places: &[Temporary], entry: FunctionEntry) -> Result<Ran, Error>;
    /// Returns the instruction at an address, as it is in the file.
    fn instruction(&mut self, at: RunAddr) -> Option<Instruction>;
    /// Finds where control goes from a stretch of code, if that is constant and it can be told.
    fn ways_out(&mut self, start: RunAddr, end: RunAddr) -> Option<WaysOut>;
    /// Returns the row of the line table for an address.
    fn row(&mut self, at: RunAddr) -> Option<Row>;
    /// Extends a row by the code of its line that lies before it without a gap, as far back as where it `is_floor`, and
    /// finds the first statement that begins in all of that code.
    fn rows_before(&mut self, mut row: Row, is_floor: impl Fn(RunAddr) -> bool) -> (Row, Option<RunAddr>) {
        let mut statement = row.is_stmt.then_some(row.start);
        while row.start.0 > 0
            && !is_floor(row.start)
            && let Some(before) = self.row(RunAddr(row.start.0 - 1))
            && before.same_line(&row)
            && before.end == row.start
        {
            row = Row { end: row.end, is_stmt: before.is_stmt, ..before };
            statement = row.is_stmt.then_some(row.start).or(statement);
        }
        (row, statement)
    }
    /// Returns the function that has this address.
    fn body(&mut self, at: RunAddr) -> Option<Body>;
    /// Returns where the code begins that unwind information describes around an address: a function, or a part of one,
    /// which need not have a name.
    fn code_start(&mut self, at: RunAddr) -> Option<RunAddr>;
    /// Returns the functions inlined at this address, outermost first.
    fn inlined(&mut self, at: RunAddr) -> Vec<Inlined>;
    /// Returns how many of the functions inlined where the thread is, the innermost ones, it is shown outside of.
    fn hidden(&mut self) -> usize;
    /// Shows it outside of at most so many, if they begin where it is.
    fn hide(&mut self, most: usize);
    /// Returns what kind of connector an address is in, which is code that only leads to other code.
    fn connector(&mut self, at: RunAddr) -> Option<Connector>;
    /// Finds the instruction that jumps to the function when it is found, if lazy binding begins at this address, to
    /// which a procedure linkage table entry led.
    fn resolver_exit(&mut self, at: RunAddr) -> Option<RunAddr>;
    /// Reads a word of the stack.
    fn word(&mut self, address: u64) -> Option<u64>;
    /// Finds where the innermost frame's caller, `depth` frames up, goes on, by unwinding.
    fn caller(&mut self, depth: usize) -> Option<Spot>;
}

/// The entry of a function, for a run back out of some of its code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionEntry {
    /// Its address.
    pub(crate) at: RunAddr,
    /// The code begins there: compilers count the function's prologue to what is inlined at its beginning. Else the entry
    /// is farther back than all that leads into the code.
    pub(crate) leads_in: bool,
}

/// The functions inlined where a thread is, as far as it is shown inside of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inside(Vec<DieId>);

impl Inside {
    /// Creates the `Inside` of a path of which so many are not shown.
    pub(super) fn new(path: &[Inlined], hidden: usize) -> Self {
        let shown = path.len().saturating_sub(hidden);
        Self(path.iter().take(shown).map(|f| f.die).collect())
    }

    /// Returns whether this is inside of a function that is inlined, directly or not, in `other`.
    pub(super) fn is_deeper_than(&self, other: &Self) -> bool {
        self.0.len() > other.0.len() && self.0.starts_with(&other.0)
    }
}

/// Returns how many functions begin at the address that they are inlined at.
pub(super) fn beginning(path: &[Inlined]) -> usize {
    path.iter().rev().take_while(|f| f.begins).count()
}

/// Returns the code before the call of an inlined function that begins at `at`, which is code of the line of the call
/// and none.
pub(super) fn call_row(path: &[Inlined], hidden: usize, at: RunAddr) -> Option<Row> {
    let (file, line) = path.get(path.len().checked_sub(hidden)?)?.call.clone()?;
    Some(Row { start: at, end: at, file, line, is_stmt: true })
}

pub(crate) fn after(pc: RunAddr, instruction: Instruction) -> RunAddr {
    RunAddr(pc.0.wrapping_add(instruction.length))
}
