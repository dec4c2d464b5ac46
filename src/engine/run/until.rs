//! Runs that end at a place in the code, or when the selected frame returns: `until` and `advance`.

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::temporary::{StackPointer, Temporary};
use crate::run::mover::Mover;
use crate::run::step::{Calls, Machine, Moved, line};
use arch::{Direction, RunAddr};

impl Mover<'_, '_> {
    /// Goes to one of the session's destinations, or to the caller of the selected frame.
    pub(crate) fn advance(&mut self) -> Result<Reason, Error> {
        let thread = self.session.debuggee.thread;
        let level = self.session.debuggee.selected()?;
        let anywhere = |address: &RunAddr| Temporary { address: *address, sp: StackPointer::Any };
        let mut locations: Vec<Temporary> = self.session.destinations.iter().map(anywhere).collect();
        if let Ok(caller) = self.session.debuggee.inferior.caller(thread, level.physical)?
            && let Some(sp) = caller.registers.sp()
        {
            locations.push(Temporary::is(caller.address.address(), sp));
        }
        Ok(self.run_to(Direction::Forward, &locations)?.unwrap_or(Reason::StepDone))
    }

    /// Steps lines, over calls, until one that comes after this one in the code: out of a loop.
    pub(crate) fn until_later(&mut self, after_signal: bool) -> Moved {
        let here = self.spot()?;
        let (Some(body), Some(row)) = (self.body(here.pc), self.row(here.pc)) else {
            return line(self, Direction::Forward, Calls::Over, after_signal);
        };
        let frame = self.caller(0).map(|caller| caller.sp);
        let mut after_signal = after_signal;
        loop {
            if let Some(reason) = line(self, Direction::Forward, Calls::Over, after_signal)? {
                return Ok(Some(reason));
            }
            after_signal = false;
            let now = self.spot()?.pc;
            let same = self.caller(0).map(|caller| caller.sp) == frame;
            if !same || !(body.entry..row.end).contains(&now) {
                return Ok(None);
            }
        }
    }
}
