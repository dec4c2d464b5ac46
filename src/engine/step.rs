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

use super::error::Error;
use super::model::Reason;
use crate::arch::{Direction, Flow, Instruction, RunAddr};
use crate::dwarf::{DieId, SourcePath};
use std::sync::Arc;

/// A PLT entry, with a veneer or two, is at most this many instructions.
const MAX_STUB: usize = 16;

/// Whether a step goes into functions that are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// `step`
    Into,
    /// `next`
    Over,
}

/// Where the stepping thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) pc: RunAddr,
    pub(super) sp: u64,
}

/// A stretch of code of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) start: RunAddr,
    pub(super) end: RunAddr,
    pub(super) file: Arc<SourcePath>,
    /// Never 0.
    pub(super) line: u32,
    pub(super) is_stmt: bool,
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
pub(super) struct Body {
    pub(super) entry: RunAddr,
    pub(super) ranges: Vec<(RunAddr, RunAddr)>,
    /// Where a step into it ends; `None` if it has no line information.
    pub(super) after_prologue: Option<RunAddr>,
}

impl Body {
    fn contains(&self, pc: RunAddr) -> bool {
        self.ranges.iter().any(|(start, end)| *start <= pc && pc < *end)
    }
}

/// What the stack pointer must be for a temporary breakpoint to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StackPointer {
    /// Exactly this: one activation of a function in one thread.
    Is(u64),
    /// At most this, and not a whole stack away: inside the prologue of an activation.
    JustBelow(u64),
}

/// How far [`StackPointer::JustBelow`] reaches: more than any prologue reserves, less than stacks are apart.
pub(super) const PROLOGUE_REACH: u64 = 1 << 20;

impl StackPointer {
    pub(super) fn allows(self, sp: u64) -> bool {
        match self {
            Self::Is(wanted) => sp == wanted,
            Self::JustBelow(top) => sp <= top && top - sp < PROLOGUE_REACH,
        }
    }
}

/// A temporary breakpoint of the stepping thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Temporary {
    pub(super) address: RunAddr,
    pub(super) sp: StackPointer,
}

impl Temporary {
    pub(super) fn is(address: RunAddr, sp: u64) -> Self {
        Self { address, sp: StackPointer::Is(sp) }
    }
}

/// Code that only leads to other code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connector {
    /// A procedure linkage table entry.
    Plt,
    /// What a signal handler returns to.
    Trampoline,
    /// rr's own code.
    Rr,
}

/// What a movement of the machine ended in: `None` where it was to end, or a stop for the user.
pub(super) type Moved = Result<Option<Reason>, Error>;

/// A thread that can be moved, and what is known of the code it runs.
pub(super) trait Machine {
    /// Where the thread is.
    fn spot(&mut self) -> Result<Spot, Error>;
    /// Executes or takes back one instruction.
    fn step(&mut self, direction: Direction) -> Moved;
    /// Runs until one of these is reached. The place where the thread is now does not count.
    fn run_to(&mut self, direction: Direction, places: &[Temporary]) -> Moved;
    /// The instruction at an address, as it is in the file.
    fn instruction(&mut self, at: RunAddr) -> Option<Instruction>;
    /// The row of the line table for an address.
    fn row(&mut self, at: RunAddr) -> Option<Row>;
    /// The function that has this address.
    fn body(&mut self, at: RunAddr) -> Option<Body>;
    /// The functions inlined at this address, outermost first.
    fn inlined(&mut self, at: RunAddr) -> Vec<DieId>;
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
pub(super) fn instruction<M: Machine>(m: &mut M, direction: Direction, calls: Calls) -> Moved {
    let was = m.spot()?;
    if direction == Direction::Forward && calls == Calls::Over {
        if let Some(i) = m.instruction(was.pc).filter(|i| i.flow == Flow::Call) {
            return m.run_to(Direction::Forward, &[Temporary::is(after(was.pc, i), was.sp)]);
        }
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
pub(super) fn line<M: Machine>(m: &mut M, direction: Direction, calls: Calls, after_signal: bool) -> Moved {
    match direction {
        Direction::Forward => Forward::new(m, calls, after_signal)?.go(),
        Direction::Reverse => Backward::new(m, calls)?.go(),
    }
}

fn after(pc: RunAddr, instruction: Instruction) -> RunAddr {
    RunAddr(pc.0.wrapping_add(instruction.length))
}

/// Where a forward step stands.
struct Forward<'m, M> {
    m: &'m mut M,
    calls: Calls,
    /// The last stop was a signal: its handler, if there is one, comes next and is stepped into.
    after_signal: bool,
    /// The function being stepped through.
    home: Option<Body>,
    /// The code being stepped through, and the line that counts as "this line".
    row: Option<Row>,
    /// Functions inlined where the step began in `home`.
    inlined: Vec<DieId>,
}

/// What to do after an instruction.
enum Next {
    /// The step is over.
    Stop(Option<Reason>),
    /// Look at where it led: nothing special has happened.
    Look,
    /// Look, but the thread is in another activation than before: its caller.
    Returned,
    /// Just go on.
    GoOn,
}

impl<'m, M: Machine> Forward<'m, M> {
    fn new(m: &'m mut M, calls: Calls, after_signal: bool) -> Result<Self, Error> {
        let here = m.spot()?;
        let home = m.body(here.pc);
        let row = m.row(here.pc);
        let inlined = m.inlined(here.pc);
        Ok(Self { m, calls, after_signal, home, row, inlined })
    }

    fn go(mut self) -> Moved {
        if self.row.is_none() {
            match self.leave_unlined()? {
                Next::Stop(reason) => return Ok(reason),
                _ => {
                    if let Some(end) = self.look(true)? {
                        return Ok(end);
                    }
                }
            }
        }
        loop {
            let next = self.advance()?;
            self.after_signal = false;
            let returned = matches!(next, Next::Returned);
            match next {
                Next::Stop(reason) => return Ok(reason),
                Next::GoOn => {}
                Next::Look | Next::Returned => {
                    if let Some(end) = self.look(returned)? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Executes one instruction, or one call.
    fn advance(&mut self) -> Result<Next, Error> {
        let was = self.m.spot()?;
        let instruction = self.m.instruction(was.pc);
        if let Some(i) = instruction.filter(|i| i.flow == Flow::Call) {
            let ret = after(was.pc, i);
            return match self.calls {
                Calls::Over if !self.after_signal => self.run_to(&[Temporary::is(ret, was.sp)]),
                _ => self.enter_call(was, ret),
            };
        }
        if let Some(reason) = self.m.step(Direction::Forward)? {
            return Ok(Next::Stop(Some(reason)));
        }
        let here = self.m.spot()?;
        let fell_through = instruction.is_some_and(|i| after(was.pc, i) == here.pc);
        if !fell_through && here.sp.wrapping_add(8) < was.sp && self.entered_handler(was) {
            return self.pass_handler(here);
        }
        match instruction.map(|i| i.flow) {
            Some(Flow::Return) => self.arrive_in_caller(here),
            Some(Flow::Jump | Flow::IndirectJump) if self.is_tail_call(here) => self.enter_tail_call(here),
            _ => Ok(Next::Look),
        }
    }

    fn run_to(&mut self, places: &[Temporary]) -> Result<Next, Error> {
        Ok(match self.m.run_to(Direction::Forward, places)? {
            Some(reason) => Next::Stop(Some(reason)),
            None => Next::Look,
        })
    }

    /// Steps into a call and ends in the function, or, if it has no lines, runs to the return.
    fn enter_call(&mut self, was: Spot, ret: RunAddr) -> Result<Next, Error> {
        if let Some(reason) = self.m.step(Direction::Forward)? {
            return Ok(Next::Stop(Some(reason)));
        }
        let here = self.m.spot()?;
        if self.m.word(here.sp) != Some(ret.0) && self.entered_handler(was) {
            return self.pass_handler(here);
        }
        if self.calls == Calls::Into {
            match self.settle_in_function(here)? {
                Settled::Stopped(reason) => return Ok(Next::Stop(reason)),
                Settled::NoLines => {}
            }
        }
        self.run_to(&[Temporary::is(ret, was.sp)])
    }

    /// Follows stubs from a function's entry point and runs through the prologue.
    fn settle_in_function(&mut self, entered: Spot) -> Result<Settled, Error> {
        let mut here = entered;
        for _ in 0..MAX_STUB {
            if self.m.connector(here.pc) != Some(Connector::Plt) {
                break;
            }
            let mut moved = self.m.step(Direction::Forward)?;
            here = self.m.spot()?;
            if moved.is_none() && self.m.connector(here.pc).is_none() {
                if let Some(exit) = self.m.resolver_exit(here.pc) {
                    moved = self.m.run_to(Direction::Forward, &[Temporary::is(exit, entered.sp)])?;
                    if moved.is_none() {
                        moved = self.m.step(Direction::Forward)?;
                    }
                    here = self.m.spot()?;
                }
            }
            if moved.is_some() {
                return Ok(Settled::Stopped(moved));
            }
        }
        if self.m.connector(here.pc).is_some() {
            return Ok(Settled::NoLines);
        }
        match self.m.body(here.pc).and_then(|b| b.after_prologue) {
            None => Ok(Settled::NoLines),
            Some(at) if at == here.pc => Ok(Settled::Stopped(None)),
            Some(address) => {
                let place = Temporary { address, sp: StackPointer::JustBelow(here.sp) };
                Ok(Settled::Stopped(self.m.run_to(Direction::Forward, &[place])?))
            }
        }
    }

    /// Whether the last instruction was not the one at `was` but a signal's delivery there.
    fn entered_handler(&mut self, was: Spot) -> bool {
        self.m.caller(0).is_some_and(|ret| self.m.connector(ret.pc) == Some(Connector::Trampoline))
            && self.m.caller(1).is_some_and(|back| back.sp == was.sp)
    }

    /// A signal handler that runs in the middle of a step is no part of it, unless the user has just been told of
    /// the signal and steps on from there.
    fn pass_handler(&mut self, here: Spot) -> Result<Next, Error> {
        let Some(back) = self.m.caller(1) else { return Ok(Next::Stop(None)) };
        if self.after_signal {
            if let Settled::Stopped(reason) = self.settle_in_function(here)? {
                return Ok(Next::Stop(reason));
            }
        }
        match self.run_to(&[Temporary::is(back.pc, back.sp)])? {
            Next::Look => Ok(Next::GoOn),
            stop => Ok(stop),
        }
    }

    /// A return led here: into the caller, or out of a signal handler.
    fn arrive_in_caller(&mut self, here: Spot) -> Result<Next, Error> {
        if self.m.connector(here.pc) == Some(Connector::Trampoline) {
            let Some(back) = self.m.caller(0) else { return Ok(Next::Stop(None)) };
            if let Next::Stop(reason) = self.run_to(&[Temporary::is(back.pc, back.sp)])? {
                return Ok(Next::Stop(reason));
            }
        }
        Ok(Next::Returned)
    }

    fn is_tail_call(&mut self, here: Spot) -> bool {
        if self.home.as_ref().is_some_and(|home| home.contains(here.pc)) {
            return false;
        }
        let entry = self.m.body(here.pc).map(|b| b.entry);
        entry == Some(here.pc) || self.m.connector(here.pc) == Some(Connector::Plt)
    }

    /// A jump to another function: to this function's caller it is a call in the return statement.
    fn enter_tail_call(&mut self, here: Spot) -> Result<Next, Error> {
        let back = self.m.word(here.sp);
        if self.calls == Calls::Into || back.is_none() {
            if let Settled::Stopped(reason) = self.settle_in_function(here)? {
                return Ok(Next::Stop(reason));
            }
        }
        let Some(back) = back else { return Ok(Next::Stop(None)) };
        match self.run_to(&[Temporary::is(RunAddr(back), here.sp.wrapping_add(8))])? {
            Next::Look => Ok(Next::Returned),
            stop => Ok(stop),
        }
    }

    /// Runs out of a function that has no line information.
    fn leave_unlined(&mut self) -> Result<Next, Error> {
        let places: Vec<_> = self.m.caller(0).map(|back| Temporary::is(back.pc, back.sp)).into_iter().collect();
        match self.run_to(&places)? {
            Next::Look => Ok(Next::Returned),
            stop => Ok(stop),
        }
    }

    /// Decides whether the step ends here; `Some` if it does.
    fn look(&mut self, returned: bool) -> Result<Option<Option<Reason>>, Error> {
        let here = self.m.spot()?;
        if returned {
            self.home = self.m.body(here.pc);
            self.inlined = self.m.inlined(here.pc);
        } else if self.row.as_ref().is_some_and(|row| row.contains(here.pc)) {
            return Ok(None);
        }
        let Some(new) = self.m.row(here.pc) else {
            let at_home = self.home.as_ref().is_some_and(|home| home.contains(here.pc));
            let on_the_way = at_home && !returned || self.m.connector(here.pc).is_some();
            return Ok(if on_the_way { None } else { Some(None) });
        };
        if self.calls == Calls::Over && !returned {
            let now = self.m.inlined(here.pc);
            if now.len() > self.inlined.len() && now.starts_with(&self.inlined) {
                return Ok(None);
            }
        }
        let another = self.row.as_ref().is_none_or(|row| !row.same_line(&new));
        if here.pc == new.start && another {
            if new.is_stmt {
                return Ok(Some(None));
            }
            if !returned {
                // Code of another line that is no statement: this line goes on behind it.
                return Ok(None);
            }
        }
        self.row = Some(new);
        Ok(None)
    }
}

/// How entering a function went.
enum Settled {
    /// In it, after its prologue; or stopped on the way for another reason.
    Stopped(Option<Reason>),
    /// It has no lines to stop at.
    NoLines,
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
    if body.entry != here.pc {
        if let Some(reason) = m.run_to(Direction::Reverse, &[Temporary::is(body.entry, here.sp)])? {
            return Ok(Some(reason));
        }
    }
    m.step(Direction::Reverse)
}

/// The call instruction that returns to `ret`.
fn call_before<M: Machine>(m: &mut M, ret: RunAddr) -> Option<RunAddr> {
    instruction_before(m, ret).filter(|(_, i)| i.flow == Flow::Call).map(|(at, _)| at)
}

/// The instruction that ends where this one begins. Instructions cannot be decoded backwards, so this starts at the
/// beginning of the line, or else of the function.
pub(super) fn instruction_before<M: Machine>(m: &mut M, next: RunAddr) -> Option<(RunAddr, Instruction)> {
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

/// All the call instructions of a function.
fn calls_in<M: Machine>(m: &mut M, body: &Body) -> Vec<RunAddr> {
    /// No function calls more than it is worth setting breakpoints for.
    const MOST: usize = 512;
    let mut found = Vec::new();
    for (start, end) in &body.ranges {
        let mut at = *start;
        while at < *end && found.len() < MOST {
            let Some(i) = m.instruction(at) else { break };
            if i.flow == Flow::Call {
                found.push(at);
            }
            at = after(at, i);
        }
    }
    found
}

/// Where a backward step stands.
struct Backward<'m, M> {
    m: &'m mut M,
    calls: Calls,
    /// The function being stepped through.
    home: Option<Body>,
    /// The stretch of code whose start ends the step.
    block: Option<Row>,
}

impl<'m, M: Machine> Backward<'m, M> {
    fn new(m: &'m mut M, calls: Calls) -> Result<Self, Error> {
        let here = m.spot()?;
        let home = m.body(here.pc);
        let mut this = Self { m, calls, home, block: None };
        this.block = this.block_at(here.pc);
        Ok(this)
    }

    fn go(mut self) -> Moved {
        if self.block.is_none() {
            if let Some(reason) = self.leave_unlined()? {
                return Ok(Some(reason));
            }
            if self.moved_home()? {
                return Ok(None);
            }
        }
        loop {
            match self.retreat()? {
                Back::Stop(reason) => return Ok(reason),
                Back::Look => {
                    if self.look()? {
                        return Ok(None);
                    }
                }
                Back::NewHome => {
                    if self.moved_home()? {
                        return Ok(None);
                    }
                }
                Back::GoOn => {}
            }
        }
    }

    /// All the code of one line around an address without a gap, but not across the end of the prologue: the first
    /// line of a function that fits on one line begins there.
    fn block_at(&mut self, at: RunAddr) -> Option<Row> {
        let mut row = self.m.row(at)?;
        let floor = self.home.as_ref().and_then(|h| h.after_prologue).filter(|p| *p <= at);
        let entry = self.home.as_ref().map(|h| h.entry);
        while row.start.0 > 0 && Some(row.start) != floor && Some(row.start) != entry {
            match self.m.row(RunAddr(row.start.0 - 1)) {
                Some(before) if before.same_line(&row) && before.end == row.start => {
                    row = Row { end: row.end, is_stmt: before.is_stmt, ..before };
                }
                _ => break,
            }
        }
        Some(row)
    }

    /// Takes back one instruction, or one whole call.
    fn retreat(&mut self) -> Result<Back, Error> {
        let was = self.m.spot()?;
        let at_entry = self.home.as_ref().is_some_and(|h| h.entry == was.pc);
        let pushed = at_entry.then(|| self.m.word(was.sp)).flatten();
        if let Some(reason) = self.m.step(Direction::Reverse)? {
            return Ok(Back::Stop(Some(reason)));
        }
        let here = self.m.spot()?;
        if let Some(pushed) = pushed.filter(|_| here.sp != was.sp || !self.is_home(here.pc)) {
            return self.arrive_at_call(here, was, RunAddr(pushed));
        }
        if is_return_to(self.m, here, was) {
            return self.enter_callee(here, was);
        }
        if self.is_home(here.pc) {
            return Ok(Back::Look);
        }
        match self.m.connector(here.pc) {
            Some(Connector::Trampoline) => self.pass_handler(was),
            Some(_) => Ok(Back::GoOn),
            None => self.pass_jump(here, was),
        }
    }

    fn is_home(&self, pc: RunAddr) -> bool {
        self.home.as_ref().is_some_and(|h| h.contains(pc))
    }

    /// The step went out of the function by its entry: to the call, perhaps through stubs and lazy binding.
    fn arrive_at_call(&mut self, here: Spot, was: Spot, pushed: RunAddr) -> Result<Back, Error> {
        let is_call = self.m.instruction(here.pc).is_some_and(|i| i.flow == Flow::Call && after(here.pc, i) == pushed);
        if !is_call && self.m.connector(pushed) != Some(Connector::Trampoline) {
            if let Some(call) = call_before(self.m, pushed) {
                let place = Temporary::is(call, was.sp.wrapping_add(8));
                if let Some(reason) = self.m.run_to(Direction::Reverse, &[place])? {
                    return Ok(Back::Stop(Some(reason)));
                }
            }
        }
        Ok(Back::NewHome)
    }

    /// The step went into a callee by its return.
    fn enter_callee(&mut self, here: Spot, was: Spot) -> Result<Back, Error> {
        let lined = self.m.row(here.pc).is_some() && self.m.connector(here.pc).is_none();
        if self.calls == Calls::Into && lined {
            return Ok(Back::NewHome);
        }
        Ok(match back_to_call(self.m, here, was)? {
            Some(reason) => Back::Stop(Some(reason)),
            None => Back::Look,
        })
    }

    /// A signal handler returned to `was`: back to where the signal came, which is the same place.
    fn pass_handler(&mut self, was: Spot) -> Result<Back, Error> {
        Ok(match self.m.run_to(Direction::Reverse, &[Temporary::is(was.pc, was.sp)])? {
            Some(reason) => Back::Stop(Some(reason)),
            None => Back::GoOn,
        })
    }

    /// A jump from another function into the middle of this one is a `longjmp`, out of something this function
    /// called.
    fn pass_jump(&mut self, here: Spot, was: Spot) -> Result<Back, Error> {
        if here.sp >= was.sp {
            return Ok(Back::NewHome);
        }
        let Some(home) = self.home.clone() else { return Ok(Back::NewHome) };
        if self.calls == Calls::Into && self.m.row(here.pc).is_some() {
            return Ok(Back::NewHome);
        }
        let places: Vec<_> = calls_in(self.m, &home).into_iter().map(|c| Temporary::is(c, was.sp)).collect();
        if places.is_empty() {
            return Ok(Back::NewHome);
        }
        Ok(match self.m.run_to(Direction::Reverse, &places)? {
            Some(reason) => Back::Stop(Some(reason)),
            None => Back::Look,
        })
    }

    /// From a function without lines back to the call of it.
    fn leave_unlined(&mut self) -> Moved {
        let here = self.m.spot()?;
        let back = self.m.caller(0);
        let place = back.and_then(|b| Some(Temporary::is(call_before(self.m, b.pc)?, b.sp)));
        match place {
            Some(place) => self.m.run_to(Direction::Reverse, &[place]),
            None => match self.home.as_ref().map(|h| h.entry).filter(|e| *e != here.pc) {
                Some(address) => {
                    let top = StackPointer::JustBelow(here.sp.saturating_add(PROLOGUE_REACH / 2));
                    self.m.run_to(Direction::Reverse, &[Temporary { address, sp: top }])
                }
                None => self.m.run_to(Direction::Reverse, &[]),
            },
        }
    }

    /// The thread is in another function than before. Whether the step ends right there.
    fn moved_home(&mut self) -> Result<bool, Error> {
        let here = self.m.spot()?;
        self.home = self.m.body(here.pc);
        self.block = self.block_at(here.pc);
        if self.block.is_none() {
            return Ok(self.m.connector(here.pc).is_none());
        }
        Ok(self.ends_at(here.pc))
    }

    fn look(&mut self) -> Result<bool, Error> {
        let here = self.m.spot()?;
        if !self.block.as_ref().is_some_and(|b| b.contains(here.pc)) {
            match self.block_at(here.pc) {
                Some(block) => self.block = Some(block),
                None => return Ok(false),
            }
        }
        Ok(self.ends_at(here.pc))
    }

    fn ends_at(&self, pc: RunAddr) -> bool {
        let at_entry = self.home.as_ref().is_some_and(|h| h.entry == pc && h.after_prologue != Some(pc));
        !at_entry && self.block.as_ref().is_some_and(|b| b.start == pc && b.is_stmt)
    }
}

/// What to do after taking back an instruction.
enum Back {
    /// The step is over.
    Stop(Option<Reason>),
    /// Look at where it led.
    Look,
    /// The same, but it is another function.
    NewHome,
    /// Just go on.
    GoOn,
}

#[cfg(test)]
mod tests;
