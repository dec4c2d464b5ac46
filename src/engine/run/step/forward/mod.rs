//! A step forward: instruction by instruction through this line's code, at full speed through what it calls and through
//! the many turns of a loop.

mod loops;

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::temporary::{StackPointer, Temporary};
use crate::run::step::calls::interrupted_by_handler;
use crate::run::step::machine::{
    Body, Calls, Connector, Inlined, Inside, Machine, Moved, Row, Spot, UNLINED_REACH, after, beginning, call_row,
};
use arch::{Direction, Flow, RunAddr};
use loops::Turns;

/// A PLT entry, with a veneer or two, is at most this many instructions.
const MAX_STUB: usize = 16;

/// Where a forward step stands.
pub(super) struct Forward<'m, M> {
    m: &'m mut M,
    calls: Calls,
    /// The last stop was a signal: its handler, if there is one, comes next and is stepped into.
    after_signal: bool,
    /// The function being stepped through.
    home: Option<Body>,
    /// The code being stepped through, and the line that counts as "this line".
    row: Option<Row>,
    /// The inlined functions that the step is in, in `home`.
    inside: Inside,
    /// Of those that begin where the step ends, how many it goes into.
    entered: usize,
    /// Where it ends, too, in the activation that it begins in.
    goal: Option<RunAddr>,
    turns: Turns,
}

/// What to do after an instruction.
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
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
    pub(super) fn new(m: &'m mut M, calls: Calls, after_signal: bool) -> Result<Self, Error> {
        let here = m.spot()?;
        let home = m.body(here.pc);
        let (path, hidden) = (m.inlined(here.pc), m.hidden());
        let call = if hidden > 0 { call_row(&path, hidden, here.pc) } else { None };
        let row = call.or_else(|| m.row(here.pc));
        let inside = Inside::new(&path, hidden);
        Ok(Self { m, calls, after_signal, home, row, inside, entered: 0, goal: None, turns: Turns::default() })
    }

    /// Ends it at an address of its line, too, if it comes there.
    pub(super) fn up_to(self, goal: RunAddr) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// Returns whether it has come to that address.
    pub(super) fn is_there(&mut self) -> Result<bool, Error> {
        Ok(self.goal == Some(self.m.spot()?.pc))
    }

    pub(super) fn go(&mut self) -> Moved {
        let moved = self.walk()?;
        if moved.is_none() {
            let here = self.m.spot()?.pc;
            let beginning = beginning(&self.m.inlined(here));
            self.m.hide(beginning.saturating_sub(self.entered));
        }
        Ok(moved)
    }

    fn walk(&mut self) -> Moved {
        let here = self.m.spot()?.pc;
        if self.row.is_none() && self.m.connector(here).is_none() {
            if let Next::Stop(reason) = self.pass_unlined()? {
                return Ok(reason);
            }
            self.after_signal = false;
            if let Some(end) = self.look(true)? {
                return Ok(end);
            }
        }
        loop {
            let mut next = self.advance()?;
            self.after_signal = false;
            while let Next::Look | Next::Returned = next {
                if let Some(end) = self.look(matches!(next, Next::Returned))? {
                    return Ok(end);
                }
                next = self.turn()?;
            }
            if let Next::Stop(reason) = next {
                return Ok(reason);
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
            Some(Flow::Jump | Flow::IndirectJump) if self.is_tail_call(here) => self.enter_tail_call(was, here),
            _ => Ok(Next::Look),
        }
    }

    fn run_to(&mut self, places: &[Temporary]) -> Result<Next, Error> {
        if let Some(reason) = self.m.run_to(Direction::Forward, places)? {
            return Ok(Next::Stop(Some(reason)));
        }
        let here = self.m.spot()?.pc;
        Ok(if places.iter().any(|p| p.address == here) { Next::Look } else { Next::Returned })
    }

    /// Steps into a call and ends in the function, or, if it has no lines, runs to the return.
    fn enter_call(&mut self, was: Spot, ret: RunAddr) -> Result<Next, Error> {
        if let Some(reason) = self.m.step(Direction::Forward)? {
            return Ok(Next::Stop(Some(reason)));
        }
        let here = self.m.spot()?;
        let behind = Spot { pc: ret, sp: was.sp };
        if here != behind && self.m.word(here.sp) != Some(ret.0) && self.entered_handler(was) {
            return self.pass_handler(here);
        }
        // Where a function of rr's, or of the kernel's page, was called, the thread counts as behind that at once.
        if self.calls == Calls::Into && here != behind {
            match self.settle_in_function(here)? {
                Settled::Stopped(reason) => return Ok(Next::Stop(reason)),
                Settled::NoLines => {}
            }
        }
        match self.m.spot()? == behind {
            true => Ok(Next::Look),
            false => self.run_to(&[Temporary::is(ret, was.sp)]),
        }
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
            if moved.is_none()
                && self.m.connector(here.pc).is_none()
                && let Some(exit) = self.m.resolver_exit(here.pc)
            {
                moved = self.m.run_to(Direction::Forward, &[Temporary::is(exit, entered.sp)])?;
                if moved.is_none() {
                    moved = self.m.step(Direction::Forward)?;
                }
                here = self.m.spot()?;
            }
            if moved.is_some() {
                return Ok(Settled::Stopped(moved));
            }
        }
        // What rr executes in place of the function has returned already.
        if self.m.connector(here.pc).is_some() || here.sp > entered.sp {
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

    /// Returns whether the last instruction was not the one at `was` but a signal's delivery there.
    fn entered_handler(&mut self, was: Spot) -> bool {
        interrupted_by_handler(self.m, was).is_some()
    }

    /// Passes a signal handler that runs in the middle of a step: it is no part of that, unless the user has just been
    /// told of the signal and steps on from there.
    fn pass_handler(&mut self, here: Spot) -> Result<Next, Error> {
        let Some(back) = self.m.caller(1) else {
            return Ok(Next::Stop(None));
        };
        if self.after_signal
            && let Settled::Stopped(reason) = self.settle_in_function(here)?
        {
            return Ok(Next::Stop(reason));
        }
        match self.run_to(&[Temporary::is(back.pc, back.sp)])? {
            Next::Look => Ok(Next::GoOn),
            other => Ok(other),
        }
    }

    /// Follows a return that led here, into the caller, or out of a signal handler.
    fn arrive_in_caller(&mut self, here: Spot) -> Result<Next, Error> {
        if self.m.connector(here.pc) == Some(Connector::Trampoline) {
            let Some(back) = self.m.caller(0) else {
                return Ok(Next::Stop(None));
            };
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

    /// Follows a jump to another function: to this function's caller it is a call in the return statement.
    fn enter_tail_call(&mut self, was: Spot, here: Spot) -> Result<Next, Error> {
        // What a linkage table has pushed for the dynamic linker is above the return address.
        let back = match self.m.connector(was.pc) {
            Some(Connector::Plt) => self.m.caller(0),
            _ => self.m.word(here.sp).map(|pc| Spot { pc: RunAddr(pc), sp: here.sp.wrapping_add(8) }),
        };
        if (self.calls == Calls::Into || back.is_none())
            && let Settled::Stopped(reason) = self.settle_in_function(here)?
        {
            return Ok(Next::Stop(reason));
        }
        let Some(back) = back else { return Ok(Next::Stop(None)) };
        if self.m.spot()? == back {
            return Ok(Next::Returned);
        }
        match self.run_to(&[Temporary::is(back.pc, back.sp)])? {
            Next::Look => Ok(Next::Returned),
            stop => Ok(stop),
        }
    }

    /// Goes on in a function that has no line information until there is some.
    fn pass_unlined(&mut self) -> Result<Next, Error> {
        let looked_at = match self.calls {
            Calls::Into => UNLINED_REACH,
            Calls::Over => usize::from(self.after_signal),
        };
        for _ in 0..looked_at {
            let next = self.advance()?;
            self.after_signal = false;
            if matches!(next, Next::Stop(_) | Next::Returned) {
                return Ok(next);
            }
            let here = self.m.spot()?.pc;
            if self.m.row(here).is_some() {
                return Ok(Next::Returned);
            }
        }
        self.leave_unlined()
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
            // The same address in the caller is in another activation.
            self.goal = None;
        } else if self.goal == Some(here.pc) {
            return Ok(Some(None));
        } else if self.row.as_ref().is_some_and(|row| row.contains(here.pc)) {
            return Ok(None);
        }
        let path = self.m.inlined(here.pc);
        let beginning = beginning(&path);
        let inside = Inside::new(&path, beginning);
        if returned {
            self.inside = inside.clone();
        }
        if (!returned || beginning > 0)
            && let Some(ends) = self.look_at_inlined(&path, beginning, &inside, here)
        {
            return Ok(ends.then_some(None));
        }
        let Some(new) = self.m.row(here.pc) else {
            let at_home = self.home.as_ref().is_some_and(|home| home.contains(here.pc));
            let on_the_way = at_home && !returned || self.m.connector(here.pc).is_some();
            return Ok(if on_the_way { None } else { Some(None) });
        };
        let another = self.row.as_ref().is_none_or(|row| !row.same_line(&new));
        let at_start = here.pc == new.start;
        if at_start && another && new.is_stmt {
            return Ok(Some(None));
        }
        if another && !new.is_stmt {
            if !returned && inside == self.inside {
                // Code of another line that is no statement: this line goes on behind it.
                return Ok(None);
            }
            if at_start {
                // No line has begun, and the one before is left: the next statement ends the step, whatever its line.
                (self.row, self.inside) = (None, inside);
                return Ok(None);
            }
        }
        (self.row, self.inside) = (Some(new), inside);
        Ok(None)
    }

    /// Returns whether the step ends here because of a function inlined here; `None` if that has nothing to say.
    fn look_at_inlined(&mut self, path: &[Inlined], beginning: usize, inside: &Inside, here: Spot) -> Option<bool> {
        if beginning > 0 && *inside == self.inside {
            // A call. One in the line that is being stepped through is entered, or passed; else it begins a line.
            let call = call_row(path, beginning, here.pc);
            let same_line = call.is_some_and(|call| self.row.as_ref().is_some_and(|row| row.same_line(&call)));
            let ends = self.calls == Calls::Into || !same_line;
            self.entered = usize::from(ends && same_line);
            return Some(ends);
        }
        inside.is_deeper_than(&self.inside).then_some(self.calls == Calls::Into)
    }
}

/// How entering a function went.
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
enum Settled {
    /// In it, after its prologue; or stopped on the way for another reason.
    Stopped(Option<Reason>),
    /// It has no lines to stop at.
    NoLines,
}
