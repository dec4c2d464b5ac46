//! Source-level stepping, forward and back, in terms of single instructions and temporary breakpoints.
//!
//! The rules are GDB's. Forward, a step ends at the start of a statement of another line, or in a called function
//! after its prologue; code without line information is run through. Backward, it ends at the *first* instruction of
//! the line that ran before (of the whole stretch of that line's code, as in GDB 15 and later), in a callee at its
//! last line; the prologue is no place to stop at, the call before it is.
//!
//! Calls are not detected by comparing frames but by looking at the instruction: a call pushes a known return
//! address at a known stack pointer, so "step over" is a breakpoint there that is conditional on the stack pointer.
//! That condition is evaluated by rr, and makes recursion and other threads harmless.
//!
//! The code here knows no debug info and no process: see [`Machine`].

mod backward;
mod forward;

use crate::arch::{Direction, Flow, Instruction, RunAddr};
use crate::dwarf::{DieId, SourcePath};
use crate::engine::api::Reason;
use crate::engine::api::error::Error;
use crate::engine::breakpoints::temporary::Temporary;
use backward::Backward;
use forward::Forward;
use std::sync::Arc;

/// Whether a step goes into functions that are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Calls {
    /// `step`
    Into,
    /// `next`
    Over,
}

/// Where the stepping thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Spot {
    pub(in crate::engine) pc: RunAddr,
    pub(in crate::engine) sp: u64,
}

/// A stretch of code of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Row {
    pub(in crate::engine) start: RunAddr,
    pub(in crate::engine) end: RunAddr,
    pub(in crate::engine) file: Arc<SourcePath>,
    /// Never 0.
    pub(in crate::engine) line: u32,
    pub(in crate::engine) is_stmt: bool,
}

impl Row {
    fn contains(&self, pc: RunAddr) -> bool {
        self.start <= pc && pc < self.end
    }

    fn same_line(&self, other: &Self) -> bool {
        self.line == other.line && self.file == other.file
    }
}

/// A function's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Body {
    pub(in crate::engine) entry: RunAddr,
    pub(in crate::engine) ranges: Vec<(RunAddr, RunAddr)>,
    /// Where a step into it ends; `None` if it has no line information.
    pub(in crate::engine) after_prologue: Option<RunAddr>,
}

impl Body {
    fn contains(&self, pc: RunAddr) -> bool {
        self.ranges.iter().any(|(start, end)| *start <= pc && pc < *end)
    }
}

/// Instructions of a function without line information that `step` looks at one by one, in case they lead into one with
/// lines: a callback, or going back what has just returned. The rest is run through.
const UNLINED_REACH: usize = 200;

/// A function inlined at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Inlined {
    pub(in crate::engine) die: DieId,
    /// Its first instruction is at the address. A thread that stops there is shown at the call of it, as if the call
    /// was an instruction that comes next: `step` goes into the function without moving.
    pub(in crate::engine) begins: bool,
    /// Where it is called, if that is known.
    pub(in crate::engine) call: Option<(Arc<SourcePath>, u32)>,
}

/// Code that only leads to other code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Connector {
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
pub(in crate::engine) type Moved = Result<Option<Reason>, Error>;

/// How a run in one frame has ended.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::engine) enum Ran {
    /// At one of the places.
    There,
    /// Stopped on the way.
    Stopped(Box<Reason>),
    /// The frame has not been at any: the thread is where it was.
    Stayed,
}

/// A thread that can be moved, and what is known of the code it runs.
pub(in crate::engine) trait Machine {
    /// Where the thread is.
    fn spot(&mut self) -> Result<Spot, Error>;
    /// Executes or takes back one instruction.
    fn step(&mut self, direction: Direction) -> Moved;
    /// Runs until one of these is reached, or, forward, where the thread arrives if it leaves their frames without
    /// returning, by `longjmp` or an exception. The place where the thread is now does not count.
    fn run_to(&mut self, direction: Direction, places: &[Temporary]) -> Moved;
    /// Runs back until one of these is reached in the frame that the thread is in, of a function with this entry.
    fn run_back_in_frame(&mut self, places: &[Temporary], entry: RunAddr) -> Result<Ran, Error>;
    /// The instruction at an address, as it is in the file.
    fn instruction(&mut self, at: RunAddr) -> Option<Instruction>;
    /// The row of the line table for an address.
    fn row(&mut self, at: RunAddr) -> Option<Row>;
    /// The function that has this address.
    fn body(&mut self, at: RunAddr) -> Option<Body>;
    /// The functions inlined at this address, outermost first.
    fn inlined(&mut self, at: RunAddr) -> Vec<Inlined>;
    /// How many of the functions inlined where the thread is, the innermost ones, it is shown outside of.
    fn hidden(&mut self) -> usize;
    /// Shows it outside of at most so many, if they begin where it is.
    fn hide(&mut self, most: usize);
    /// Whether an address is in code that only leads to other code.
    fn connector(&mut self, at: RunAddr) -> Option<Connector>;
    /// If lazy binding begins at this address, to which a procedure linkage table entry led: the instruction that
    /// jumps to the function when it is found.
    fn resolver_exit(&mut self, at: RunAddr) -> Option<RunAddr>;
    /// A word of the stack.
    fn word(&mut self, address: u64) -> Option<u64>;
    /// Where the innermost frame's caller, `depth` frames up, goes on, by unwinding.
    fn caller(&mut self, depth: usize) -> Option<Spot>;
}

/// One instruction.
pub(in crate::engine) fn instruction<M: Machine>(m: &mut M, direction: Direction, calls: Calls) -> Moved {
    let was = m.spot()?;
    if direction == Direction::Forward
        && calls == Calls::Over
        && let Some(i) = m.instruction(was.pc).filter(|i| i.flow == Flow::Call)
    {
        return m.run_to(Direction::Forward, &[Temporary::is(after(was.pc, i), was.sp)]);
    }
    if let Some(reason) = m.step(direction)? {
        return Ok(Some(reason));
    }
    if direction == Direction::Reverse && calls == Calls::Over {
        let here = m.spot()?;
        if is_return_to(m, here, was) {
            return back_to_call(m, here, was);
        }
    }
    Ok(None)
}

/// One line.
pub(in crate::engine) fn line<M: Machine>(m: &mut M, direction: Direction, calls: Calls, after_signal: bool) -> Moved {
    let hidden = m.hidden();
    if direction == Direction::Forward && calls == Calls::Into && hidden > 0 {
        m.hide(hidden - 1);
        return Ok(None);
    }
    match direction {
        Direction::Forward => Forward::new(m, calls, after_signal)?.go(),
        Direction::Reverse => Backward::new(m, calls)?.go(),
    }
}

/// The functions inlined where a thread is, as far as it is shown inside of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Inside(Vec<DieId>);

impl Inside {
    fn new(path: &[Inlined], hidden: usize) -> Self {
        let shown = path.len().saturating_sub(hidden);
        Self(path.iter().take(shown).map(|f| f.die).collect())
    }

    /// Whether this is inside of a function that is inlined, directly or not, in `other`.
    fn is_deeper_than(&self, other: &Self) -> bool {
        self.0.len() > other.0.len() && self.0.starts_with(&other.0)
    }
}

/// How many functions begin at the address that they are inlined at.
fn beginning(path: &[Inlined]) -> usize {
    path.iter().rev().take_while(|f| f.begins).count()
}

/// The code before the call of an inlined function that begins at `at`, which is code of the line of the call and none.
fn call_row(path: &[Inlined], hidden: usize, at: RunAddr) -> Option<Row> {
    let (file, line) = path.get(path.len().checked_sub(hidden)?)?.call.clone()?;
    Some(Row { start: at, end: at, file, line, is_stmt: true })
}

fn after(pc: RunAddr, instruction: Instruction) -> RunAddr {
    RunAddr(pc.0.wrapping_add(instruction.length))
}

/// Whether `here` is at the return instruction of a callee that returned to `was`.
fn is_return_to<M: Machine>(m: &mut M, here: Spot, was: Spot) -> bool {
    let is_return = m.instruction(here.pc).is_some_and(|i| i.flow == Flow::Return);
    is_return && m.word(here.sp) == Some(was.pc.0) && here.sp < was.sp
}

/// From inside a callee back to the call that returned to `was`.
fn back_to_call<M: Machine>(m: &mut M, here: Spot, was: Spot) -> Moved {
    if let Some(call) = call_before(m, was.pc) {
        return m.run_to(Direction::Reverse, &[Temporary::is(call, was.sp)]);
    }
    let Some(body) = m.body(here.pc) else { return Ok(None) };
    if body.entry != here.pc
        && let Some(reason) = m.run_to(Direction::Reverse, &[Temporary::is(body.entry, here.sp)])?
    {
        return Ok(Some(reason));
    }
    m.step(Direction::Reverse)
}

/// If the thread is at the beginning of a signal handler, and not where an instruction at `was` has led: where the
/// handler's return goes on.
pub(in crate::engine) fn interrupted_by_handler<M: Machine>(m: &mut M, was: Spot) -> Option<Temporary> {
    let ret = m.caller(0)?;
    if m.connector(ret.pc) != Some(Connector::Trampoline) {
        return None;
    }
    m.caller(1).filter(|back| back.sp == was.sp).map(|back| Temporary::is(back.pc, back.sp))
}

/// Going back from the trampoline of a signal handler.
pub(in crate::engine) enum Handler {
    /// At the return from the handler: its function's entry, and the stack pointer there.
    Returning(RunAddr, u64),
    /// Nothing is known of the function that returned.
    Unknown,
    /// Stopped on the way.
    Stopped(Box<Reason>),
}

/// From the trampoline of a signal handler back into the handler.
pub(in crate::engine) fn back_into_handler<M: Machine>(m: &mut M) -> Result<Handler, Error> {
    /// Instructions of a trampoline.
    const LENGTH: usize = 4;
    for _ in 0..LENGTH {
        let here = m.spot()?;
        if m.connector(here.pc) != Some(Connector::Trampoline) {
            let body = m.body(here.pc);
            return Ok(body.map_or(Handler::Unknown, |body| Handler::Returning(body.entry, here.sp)));
        }
        if let Some(reason) = m.step(Direction::Reverse)? {
            return Ok(Handler::Stopped(Box::new(reason)));
        }
    }
    Ok(Handler::Unknown)
}

/// From a signal handler back to where the signal came. No breakpoint there would do: if it came at the end of a system
/// call, the instruction there has not been executed before the handler. So by way of the handler's entry.
pub(in crate::engine) fn back_out_of_handler<M: Machine>(m: &mut M, entry: RunAddr, sp: u64) -> Moved {
    /// Functions that leave by a jump to the next one.
    const TAIL_CALLS: usize = 16;
    let mut entry = entry;
    for _ in 0..TAIL_CALLS {
        if m.spot()? != (Spot { pc: entry, sp })
            && let Some(reason) = m.run_to(Direction::Reverse, &[Temporary::is(entry, sp)])?
        {
            return Ok(Some(reason));
        }
        if let Some(reason) = m.step(Direction::Reverse)? {
            return Ok(Some(reason));
        }
        let here = m.spot()?;
        match m.body(here.pc) {
            Some(body) if here.sp == sp => entry = body.entry,
            _ => break,
        }
    }
    Ok(None)
}

/// The call instruction that returns to `ret`.
pub(in crate::engine) fn call_before<M: Machine>(m: &mut M, ret: RunAddr) -> Option<RunAddr> {
    instruction_before(m, ret).filter(|(_, i)| i.flow == Flow::Call).map(|(at, _)| at)
}

/// The instruction that ends where this one begins. Instructions cannot be decoded backwards, so this starts at the
/// beginning of the line, or else of the function.
pub(in crate::engine) fn instruction_before<M: Machine>(m: &mut M, next: RunAddr) -> Option<(RunAddr, Instruction)> {
    /// The longest line or function looked through, in instructions.
    const REACH: usize = 100_000;
    let last = RunAddr(next.0.checked_sub(1)?);
    let mut at = match m.row(last) {
        Some(row) => row.start,
        None => m.body(last)?.entry,
    };
    for _ in 0..REACH {
        let i = m.instruction(at)?;
        let end = after(at, i);
        if end >= next {
            return (end == next).then_some((at, i));
        }
        at = end;
    }
    None
}

#[cfg(test)]
mod tests;
