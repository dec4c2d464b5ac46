//! Leaving an inlined function, which has neither a call nor a return: its code is left, forward or backward.

use crate::api::error::Error;
use crate::breakpoints::temporary::Temporary;
use crate::run::mover::Mover;
use crate::run::step::{
    Body, Calls, Connector, FunctionEntry, Handler, Lies, Machine, Moved, Ran, WALKED, after, back_into_handler,
    back_out_of_handler, call_before, instruction, instructions, interrupted_by_handler, ways_in, ways_out,
};
use crate::stack::physical::{Level, Physical};
use arch::{Direction, Flow, FrameAddress, Instruction, RunAddr};
use dwarf::{DieId, SourcePath};
use std::sync::Arc;

impl Mover<'_, '_> {
    /// Steps until the code of an inlined function is left.
    pub(super) fn leave_inlined(&mut self, frame: &Physical, level: Level) -> Moved {
        let inlined = Inlined::of(self, frame, level);
        if level.physical > 0 {
            // The frames inside of it return first.
            let place = Temporary::is(frame.address.address(), stack_pointer(frame)?);
            if let Some(reason) = self.run_to(Direction::Forward, &[place])? {
                return Ok(Some(reason));
            }
            let here = self.spot()?.pc;
            if !inlined.has(self, here) {
                return Ok(None);
            }
        }
        for walked in 1_u32.. {
            let was = self.spot()?;
            let many = walked.is_multiple_of(WALKED);
            let ways_out = many.then(|| ways_out(self, was, |mover, at| inlined.has_or_mixes_in(mover, at))).flatten();
            let moved = match ways_out {
                Some(places) => self.run_to(Direction::Forward, &places)?,
                None => instruction(self, Direction::Forward, Calls::Over)?,
            };
            if let Some(reason) = moved {
                return Ok(Some(reason));
            }
            let here = self.spot()?;
            if !inlined.is_home(here.pc)
                && let Some(interrupted) = interrupted_by_handler(self, was)
            {
                if let Some(reason) = self.run_to(Direction::Forward, &[interrupted])? {
                    return Ok(Some(reason));
                }
            } else if !inlined.has_or_mixes_in(self, here.pc) {
                break;
            }
        }
        Ok(None)
    }

    /// Goes back to the first instruction of an inlined function: its call, as nothing of it has been executed there.
    pub(super) fn back_to_inlined_call(&mut self, frame: &Physical, level: Level) -> Moved {
        let inlined = Inlined::of(self, frame, level);
        if level.physical > 0 {
            // Out of the frames inside of it first.
            let call = match frame.address {
                FrameAddress::Pc(interrupted) => interrupted,
                FrameAddress::Return(ret) => {
                    let lost = || Error::NoCaller("the call instruction cannot be found".to_owned());
                    call_before(self, ret).ok_or_else(lost)?
                }
            };
            if let Some(reason) = self.run_to(Direction::Reverse, &[Temporary::is(call, stack_pointer(frame)?)])? {
                return Ok(Some(reason));
            }
        }
        // Its first instruction may be the beginning of a loop, too, at which no run back through the turns is to end.
        let mut is_head_of_loop = false;
        for walked in 1_u32.. {
            let here = self.spot()?;
            if inlined.begins(self, here.pc) {
                let thread = self.session.debuggee.thread;
                let before = self.beyond(thread, Direction::Forward, |mover| {
                    let pc = mover.spot()?.pc;
                    Ok::<_, Error>(inlined.has(mover, pc))
                })?;
                if !before.map(|before| before.seen).transpose()?.unwrap_or(false) {
                    break;
                }
                is_head_of_loop = call_before(self, here.pc).is_none();
            }
            let ran = match walked.is_multiple_of(WALKED) {
                true => self.run_back_through(&inlined, is_head_of_loop)?,
                false => Ran::Stayed,
            };
            let moved = match ran {
                Ran::Stopped(reason) => Some(*reason),
                Ran::There if is_head_of_loop => return self.enter_at_beginning(&inlined),
                Ran::There => None,
                Ran::Stayed => instruction(self, Direction::Reverse, Calls::Over)?,
            };
            if let Some(reason) = moved {
                return Ok(Some(reason));
            }
            let here = self.spot()?;
            if self.connector(here.pc) == Some(Connector::Trampoline) {
                let out = match back_into_handler(self)? {
                    Handler::Stopped(reason) => Some(*reason),
                    Handler::Returning(entry, sp) => back_out_of_handler(self, entry, sp)?,
                    Handler::Unknown => break,
                };
                if out.is_some() {
                    return Ok(out);
                }
            } else if !inlined.has_or_mixes_in(self, here.pc) {
                break;
            }
        }
        Ok(None)
    }

    /// Runs back from an inlined function's code to its first instruction, or, if that `is_passed`, to what has led into
    /// the code.
    fn run_back_through(&mut self, inlined: &Inlined, is_passed: bool) -> Result<Ran, Error> {
        let here = self.spot()?;
        let Some(home) = &inlined.home else { return Ok(Ran::Stayed) };
        let Some(all) = instructions(self, home) else { return Ok(Ran::Stayed) };
        let is_in =
            |mover: &mut Self, at| inlined.has_or_mixes_in(mover, at) && (is_passed || !inlined.begins(mover, at));
        let lies = |at, i: Instruction| match is_in(self, at) {
            true => Lies::Inside,
            false if is_in(self, after(at, i)) => Lies::Before,
            false => Lies::Outside,
        };
        match ways_in(all, here, lies) {
            Some(places) => {
                let leads_in = !is_passed && inlined.begins(self, home.entry);
                self.run_back_in(&places, FunctionEntry { at: home.entry, leads_in })
            }
            None => Ok(Ran::Stayed),
        }
    }

    /// Goes from what has led into an inlined function to its first instruction, if it has led there.
    fn enter_at_beginning(&mut self, inlined: &Inlined) -> Moved {
        if let Some(reason) = instruction(self, Direction::Forward, Calls::Over)? {
            return Ok(Some(reason));
        }
        let here = self.spot()?.pc;
        match inlined.begins(self, here) {
            true => Ok(None),
            false => instruction(self, Direction::Reverse, Calls::Over),
        }
    }
}

/// The code of an inlined function.
struct Inlined {
    die: Option<DieId>,
    /// The function that it is inlined in.
    home: Option<Body>,
    /// Where it is called.
    call_line: Option<(Arc<SourcePath>, u32)>,
}

impl Inlined {
    fn of(mover: &mut Mover<'_, '_>, frame: &Physical, level: Level) -> Self {
        let caller = frame.chain.get(level.inline + 1);
        Self {
            die: frame.chain.get(level.inline).and_then(|f| f.die),
            home: mover.body(frame.address.for_lookup()),
            call_line: caller.and_then(|caller| caller.file.clone().zip(caller.line)),
        }
    }

    fn is_home(&self, at: RunAddr) -> bool {
        self.home.as_ref().is_some_and(|home| home.contains(at))
    }

    fn has(&self, mover: &mut Mover<'_, '_>, at: RunAddr) -> bool {
        self.is_home(at) && mover.inlined(at).iter().any(|f| Some(f.die) == self.die)
    }

    fn begins(&self, mover: &mut Mover<'_, '_>, at: RunAddr) -> bool {
        self.is_home(at) && mover.inlined(at).iter().any(|f| Some(f.die) == self.die && f.begins)
    }

    fn has_or_mixes_in(&self, mover: &mut Mover<'_, '_>, at: RunAddr) -> bool {
        self.has(mover, at) || self.is_home(at) && self.mixes_in(mover, at)
    }

    /// Returns whether code is of another line than the one that the function is called in, and no statement: an
    /// optimiser has mixed it in, and more of the function may follow. What may lead away from here is not passed.
    fn mixes_in(&self, mover: &mut Mover<'_, '_>, at: RunAddr) -> bool {
        let leads_away = |i: Instruction| matches!(i.flow, Flow::Call | Flow::Return);
        let Some(row) = mover.row(at).filter(|row| !row.is_stmt) else { return false };
        let is_of_call = self.call_line.as_ref().is_none_or(|(file, line)| row.line == *line && row.file == *file);
        !is_of_call && mover.instruction(at).is_some_and(|i| !leads_away(i))
    }
}

/// Returns a frame's stack pointer.
pub(super) fn stack_pointer(frame: &Physical) -> Result<u64, Error> {
    frame.registers.sp().ok_or_else(|| Error::NoCaller("its stack pointer is not known".to_owned()))
}
