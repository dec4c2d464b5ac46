//! A step backward: instruction by instruction to the beginning of the line that ran before, calls as a whole, and so
//! the many turns of a loop.

mod loops;

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::temporary::{PROLOGUE_REACH, StackPointer, Temporary};
use crate::run::step::calls::{
    Handler, back_into_handler, back_out_of_handler, back_to_call, call_before, is_return_to,
};
use crate::run::step::machine::{
    Body, Calls, Connector, Inside, Machine, Moved, Ran, Row, Spot, UNLINED_REACH, after, beginning, call_row,
};
use arch::{Direction, Flow, Instruction, RunAddr};
use loops::Turns;

/// Where a backward step stands.
pub(super) struct Backward<'m, M> {
    m: &'m mut M,
    calls: Calls,
    /// The function being stepped through.
    home: Option<Body>,
    /// The stretch of code whose start ends the step.
    block: Option<Row>,
    /// An instruction of it has been taken back.
    is_in_block: bool,
    /// The inlined functions that the step is in, in `home`.
    inside: Inside,
    turns: Turns,
}

impl<'m, M: Machine> Backward<'m, M> {
    pub(super) fn new(m: &'m mut M, calls: Calls) -> Result<Self, Error> {
        let here = m.spot()?;
        let home = m.body(here.pc);
        let (path, hidden) = (m.inlined(here.pc), m.hidden());
        let mut this = Self {
            m,
            calls,
            home,
            block: None,
            is_in_block: false,
            inside: Inside::new(&path, hidden),
            turns: Turns::default(),
        };
        this.block = this.block_at(here.pc);
        Ok(this)
    }

    pub(super) fn go(mut self) -> Moved {
        let moved = self.walk()?;
        if moved.is_none() {
            self.m.hide(usize::MAX);
        }
        Ok(moved)
    }

    fn walk(&mut self) -> Moved {
        let here = self.m.spot()?.pc;
        if self.block.is_none() && self.m.connector(here).is_none() {
            match self.pass_unlined()? {
                Back::Stop(reason) => return Ok(Some(reason)),
                _ if self.moved_home()? => return Ok(None),
                _ => {}
            }
        }
        loop {
            let mut back = self.retreat()?;
            while let Back::Look = back {
                match self.reach_entry_by_jump()? {
                    Ran::There => return Ok(None),
                    Ran::Stopped(reason) => return Ok(Some(*reason)),
                    Ran::Stayed => {}
                }
                if self.look()? {
                    return Ok(None);
                }
                let here = self.m.spot()?.pc;
                self.is_in_block = self.block.as_ref().is_some_and(|block| block.contains(here));
                back = self.turn()?;
            }
            match back {
                Back::Stop(reason) => return Ok(Some(reason)),
                Back::NewHome => {
                    if self.moved_home()? {
                        return Ok(None);
                    }
                    self.is_in_block = self.block.is_some();
                }
                Back::Look | Back::GoOn => {}
            }
        }
    }

    /// Goes to the statement of its stretch of code that a jump has led to, if that is not the first one there: the head of
    /// a loop has statements for who comes from before the loop and for who comes from its end, one behind the other.
    fn reach_entry_by_jump(&mut self) -> Result<Ran, Error> {
        let here = self.m.spot()?.pc;
        let Some(block) = self.block.clone().filter(|block| self.is_in_block && !block.contains(here)) else {
            return Ok(Ran::Stayed);
        };
        let is_jump = |i: Instruction| matches!(i.flow, Flow::Jump | Flow::IndirectJump);
        let is_from_callee = Inside::new(&self.m.inlined(here), 0).is_deeper_than(&self.inside);
        if is_from_callee || !self.m.instruction(here).is_some_and(is_jump) || !self.has_later_statement(&block) {
            return Ok(Ran::Stayed);
        }
        if let Some(reason) = self.m.step(Direction::Forward)? {
            return Ok(Ran::Stopped(Box::new(reason)));
        }
        let entered = self.m.spot()?.pc;
        let is_statement = self.m.row(entered).is_some_and(|row| row.start == entered && row.is_stmt);
        if block.contains(entered) && is_statement {
            return Ok(Ran::There);
        }
        Ok(self.m.step(Direction::Reverse)?.map_or(Ran::Stayed, |reason| Ran::Stopped(Box::new(reason))))
    }

    /// Returns whether a statement begins in a stretch of code behind where it begins.
    fn has_later_statement(&mut self, block: &Row) -> bool {
        let mut at = block.start;
        while let Some(row) = self.m.row(at).filter(|row| row.end > at && row.end < block.end) {
            at = row.end;
            if self.m.row(at).is_some_and(|row| row.start == at && row.is_stmt) {
                return true;
            }
        }
        false
    }

    /// Finds all the code of one line around an address without a gap, but not across the end of the prologue: the
    /// first line of a function that fits on one line begins there. Where a statement begins in it, it begins with the
    /// first one: what lies before is the rest of one that has begun elsewhere.
    fn block_at(&mut self, at: RunAddr) -> Option<Row> {
        let row = self.m.row(at)?;
        Some(self.block_around(row, at))
    }

    fn block_around(&mut self, row: Row, at: RunAddr) -> Row {
        let floor = self.home.as_ref().and_then(|h| h.after_prologue).filter(|p| *p <= at);
        let entry = self.home.as_ref().map(|h| h.entry);
        let (all, statement) = self.m.rows_before(row, |start| Some(start) == floor || Some(start) == entry);
        match statement {
            Some(start) => Row { start, is_stmt: true, ..all },
            None => all,
        }
    }

    /// Takes back one instruction, or one whole call.
    fn retreat(&mut self) -> Result<Back, Error> {
        let was = self.m.spot()?;
        let at_entry = self.home.as_ref().is_some_and(|h| h.entry == was.pc);
        let pushed = at_entry.then(|| self.m.word(was.sp)).flatten();
        if let Some(reason) = self.m.step(Direction::Reverse)? {
            return Ok(Back::Stop(reason));
        }
        let here = self.m.spot()?;
        if let Some(pushed) = pushed.filter(|_| here.sp != was.sp || !self.is_home(here.pc)) {
            return self.arrive_at_call(here, was, RunAddr(pushed));
        }
        let connector = self.m.connector(here.pc);
        if connector != Some(Connector::Unwinder) && is_return_to(self.m, here, was) {
            return self.enter_callee(here, was);
        }
        if self.is_home(here.pc) {
            return Ok(Back::Look);
        }
        match connector {
            Some(Connector::Trampoline) => self.pass_handler(was),
            Some(Connector::Plt | Connector::Foreign) => Ok(Back::GoOn),
            None | Some(Connector::Unwinder) => self.pass_jump(here, was),
        }
    }

    fn is_home(&self, pc: RunAddr) -> bool {
        self.home.as_ref().is_some_and(|h| h.contains(pc))
    }

    /// Follows a step out of the function by its entry, to the call, perhaps through stubs and lazy binding; or to the
    /// jump with which another function has left, that is shown as its caller.
    fn arrive_at_call(&mut self, here: Spot, was: Spot, pushed: RunAddr) -> Result<Back, Error> {
        let instruction = self.m.instruction(here.pc);
        let is_call = instruction.is_some_and(|i| i.flow == Flow::Call && after(here.pc, i) == pushed);
        let is_tail_call = instruction.is_some_and(|i| matches!(i.flow, Flow::Jump | Flow::IndirectJump))
            && self.m.connector(here.pc).is_none()
            && self.m.row(here.pc).is_some();
        if !is_call
            && !is_tail_call
            && self.m.connector(pushed) != Some(Connector::Trampoline)
            && let Some(call) = call_before(self.m, pushed)
        {
            let place = Temporary::is(call, was.sp.wrapping_add(8));
            if let Some(reason) = self.m.run_to(Direction::Reverse, &[place])? {
                return Ok(Back::Stop(reason));
            }
        }
        Ok(Back::NewHome)
    }

    /// Follows a step into a callee by its return.
    fn enter_callee(&mut self, here: Spot, was: Spot) -> Result<Back, Error> {
        let lined = self.m.row(here.pc).is_some() && self.m.connector(here.pc).is_none();
        if self.calls == Calls::Into && lined {
            return Ok(Back::NewHome);
        }
        Ok(match back_to_call(self.m, here, was)? {
            Some(reason) => Back::Stop(reason),
            None => Back::Look,
        })
    }

    /// Passes a signal handler that returned to `was`, back to where the signal came, which is the same place.
    fn pass_handler(&mut self, was: Spot) -> Result<Back, Error> {
        let moved = match back_into_handler(self.m)? {
            Handler::Stopped(reason) => Some(*reason),
            Handler::Returning(entry, sp) => back_out_of_handler(self.m, entry, sp)?,
            Handler::Unknown => self.m.run_to(Direction::Reverse, &[Temporary::is(was.pc, was.sp)])?,
        };
        Ok(match moved {
            Some(reason) => Back::Stop(reason),
            None => Back::GoOn,
        })
    }

    /// Passes a jump from another function into the middle of this one, which is a `longjmp` or an exception, out of
    /// something that this function has called.
    fn pass_jump(&mut self, here: Spot, was: Spot) -> Result<Back, Error> {
        let Some(home) = self.home.clone() else {
            return Ok(Back::NewHome);
        };
        if self.calls == Calls::Into && self.m.row(here.pc).is_some() {
            return Ok(Back::NewHome);
        }
        let places: Vec<_> = calls_in(self.m, &home).into_iter().map(|c| Temporary::is(c, was.sp)).collect();
        if places.is_empty() {
            return Ok(Back::NewHome);
        }
        Ok(match self.m.run_to(Direction::Reverse, &places)? {
            Some(reason) => Back::Stop(reason),
            None => Back::Look,
        })
    }

    /// Goes back in a function that has no line information until there is some.
    fn pass_unlined(&mut self) -> Result<Back, Error> {
        let looked_at = match self.calls {
            Calls::Into => UNLINED_REACH,
            Calls::Over => 0,
        };
        for _ in 0..looked_at {
            let back = self.retreat()?;
            if matches!(back, Back::Stop(_) | Back::NewHome) {
                return Ok(back);
            }
            let here = self.m.spot()?.pc;
            if self.m.row(here).is_some() {
                return Ok(Back::NewHome);
            }
        }
        Ok(match self.leave_unlined()? {
            Some(reason) => Back::Stop(reason),
            None => Back::NewHome,
        })
    }

    /// Goes from a function without lines back to the call of it.
    fn leave_unlined(&mut self) -> Moved {
        let here = self.m.spot()?;
        let back = self.m.caller(0);
        let place = back.and_then(|b| Some(Temporary::is(call_before(self.m, b.pc)?, b.sp)));
        match place {
            Some(place) => self.m.run_to(Direction::Reverse, &[place]),
            // Nobody has called it, but something may have come before it: the dynamic linker before the program.
            None => match self.home.as_ref().map(|h| h.entry) {
                Some(address) => {
                    if address != here.pc {
                        let top = StackPointer::JustBelow(here.sp.saturating_add(PROLOGUE_REACH / 2));
                        let moved = self.m.run_to(Direction::Reverse, &[Temporary { address, sp: top }])?;
                        if moved.is_some() {
                            return Ok(moved);
                        }
                    }
                    self.m.step(Direction::Reverse)
                }
                None => self.m.run_to(Direction::Reverse, &[]),
            },
        }
    }

    /// Notes that the thread is in another function than before. Returns whether the step ends right there.
    fn moved_home(&mut self) -> Result<bool, Error> {
        let here = self.m.spot()?;
        self.home = self.m.body(here.pc);
        let path = self.m.inlined(here.pc);
        self.inside = Inside::new(&path, beginning(&path));
        self.block = self.block_at(here.pc);
        if self.block.is_none() {
            return Ok(self.m.connector(here.pc).is_none());
        }
        Ok(self.ends_at(here.pc))
    }

    /// Looks where it has come to in the function being stepped through. Returns whether the step ends there: at the
    /// beginning of a line's code.
    fn look(&mut self) -> Result<bool, Error> {
        let here = self.m.spot()?;
        let path = self.m.inlined(here.pc);
        let beginning = beginning(&path);
        let inside = Inside::new(&path, beginning);
        if beginning > 0
            && inside == self.inside
            && let Some(call) = call_row(&path, beginning, here.pc)
        {
            // A call, in front of which there may be more code of its line.
            let block = self.block_around(call, here.pc);
            let ends = block.start == here.pc;
            self.block = Some(block);
            return Ok(ends);
        }
        if self.calls == Calls::Over && inside.is_deeper_than(&self.inside) {
            return Ok(false);
        }
        if !self.block.as_ref().is_some_and(|b| b.contains(here.pc)) {
            match self.block_at(here.pc) {
                Some(block) => (self.block, self.inside) = (Some(block), inside),
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
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
enum Back {
    /// Something else has stopped it, and the step is over.
    Stop(Reason),
    /// Look at where it led.
    Look,
    /// The same, but it is another function, or one of which it is not known whether it is the same.
    NewHome,
    /// Just go on.
    GoOn,
}

/// Finds all the call instructions of a function.
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
