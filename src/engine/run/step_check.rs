//! Whether a step back has led to the instruction before.
//!
//! rr finds that by running forward from an earlier moment, and knows moments by what it compares (see `confusion`).
//! Where the instruction before looks like another one of the tick, as at the return of one of several calls in a row,
//! it stops there, or has been seen to stop in another function, behind an instruction that leads elsewhere (rr 5.10).
//! But forward rr is exact: it comes back to where the step began, and the instructions are counted.

use crate::api::error::Error;
use crate::run::moment_facts::STACK_WORDS;
use crate::run::mover::Mover;
use crate::run::recurrence::{Target, target};
use crate::run::session::Session;
use crate::run::step::Machine as _;
use crate::target::signals::SIGTRAP;
use arch::{Flow, Registers, RunAddr, ThreadId};
use base::cancel::Cancel;
use rsp::{Break, BreakKind, Outcome, Resume, StopReply};
use std::sync::Arc;
use std::time::Duration;

/// Most visits of an instruction on the way back to where the step began.
const MOST_VISITS: u32 = 4096;
/// How long that may take.
const RETURNING: Duration = Duration::from_secs(30);

/// Where a step back begins, as far as rr tells it from other moments.
pub(super) struct StepOrigin {
    thread: ThreadId,
    registers: Arc<Registers>,
    /// The words at the stack pointer, if the registers are not enough.
    stack: Option<[u8; STACK_WORDS]>,
}

impl Session {
    /// Returns where a step back of a thread begins.
    pub(super) fn where_step_begins(&mut self, thread: ThreadId) -> Result<StepOrigin, Error> {
        let registers = self.debuggee.inferior.process.registers(thread)?;
        let stack = self.facts(thread, &registers).stack;
        Ok(StepOrigin { thread, registers, stack })
    }
}

impl Mover<'_, '_> {
    /// Checks where a step back has led, and makes it again if that is not the instruction before, or not certain to be.
    /// Where the way back is not found, it stays there, with a note.
    pub(super) fn checked_step_back(
        &mut self,
        begun: &StepOrigin,
        wanted: &[Break],
        outcome: Outcome,
    ) -> Result<Outcome, Error> {
        let Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, .. }) = outcome else { return Ok(outcome) };
        let is_in_file = |at| self.session.debuggee.inferior.modules.at(at).is_some();
        if thread != begun.thread || self.session.has_given_up || !begun.registers.pc().is_some_and(is_in_file) {
            return Ok(outcome);
        }
        let may_have_led = self.may_have_led(thread, &begun.registers)?;
        if may_have_led && !self.session.rr_may_confuse(thread)? {
            return Ok(outcome);
        }
        let landed = self.place(thread)?;
        if !self.run_forward_to(begun)? {
            self.session.notes.push(match may_have_led {
                true => "rr's step back may have led to another moment of the tick that looks like this".to_owned(),
                false => "rr's step back has led here, though the code does not lead on to where it began".to_owned(),
            });
            self.arrive(thread, &landed)?;
            return Ok(outcome);
        }
        // What the system has done between the two, as when it delivers a signal, the code does not say.
        let now = self.session.debuggee.inferior.process.moment(thread)?;
        if landed.position.event() == Some(now.event)
            && let Some(outcome) = self.step_back_by_counting_always(thread, wanted)?
        {
            return Ok(outcome);
        }
        let process = &mut self.session.debuggee.inferior.process;
        process.set_breaks(wanted)?;
        process.resume(Resume::ReverseStep(thread), self.cancel)
    }

    /// Returns whether the instruction where a thread is may lead to where these registers were, as far as its code says.
    fn may_have_led(&mut self, thread: ThreadId, later: &Registers) -> Result<bool, Error> {
        let process = &mut self.session.debuggee.inferior.process;
        if !process.abilities().time {
            return Ok(true);
        }
        let now = process.registers(thread)?;
        let (Some(at), Some(to)) = (now.pc(), later.pc()) else { return Ok(true) };
        let inferior = &mut self.session.debuggee.inferior;
        // A repeated instruction leads to itself. What rr's code does and calls does not show.
        let is_known = |at| inferior.modules.at(at).is_some() && !inferior.is_rr_code(at);
        // rr stops behind a system call before it is made, too.
        if at == to || !is_known(at) || !is_known(to) || inferior.modules.syscall_before(to).is_some() {
            return Ok(true);
        }
        let code = inferior.modules.code(&mut inferior.process, at);
        let Some(instruction) = self.instruction(at) else { return Ok(true) };
        let next = RunAddr(at.0.wrapping_add(instruction.length));
        Ok(match instruction.flow {
            Flow::Next => next == to,
            Flow::Jump => match target(&code, next) {
                Some(Target::Always(there)) => there == to,
                Some(Target::Perhaps) | None => true,
            },
            Flow::Call => target(&code, next).is_none_or(|there| there == Target::Always(to)),
            Flow::Return | Flow::IndirectJump | Flow::Syscall | Flow::Trap => true,
        })
    }

    /// Runs forward to where a step back began. False: it does not come there.
    fn run_forward_to(&mut self, place: &StepOrigin) -> Result<bool, Error> {
        let (Some(pc), Some(sp)) = (place.registers.pc(), place.registers.sp()) else { return Ok(false) };
        let cancel = Cancel::new().with_deadline(RETURNING);
        let process = &mut self.session.debuggee.inferior.process;
        let length = process.arch().trap_size();
        process.set_breaks(&[Break { kind: BreakKind::Software, address: pc, length, conditions: Vec::new() }])?;
        for _ in 0..MOST_VISITS {
            let outcome = match process.resume(Resume::Continue, &cancel) {
                Err(Error::Rsp(rsp::Error::Rejected { .. })) => return Ok(false),
                outcome => outcome?,
            };
            let Outcome::Stopped(StopReply::Stopped { signal, thread, .. }) = outcome else { return Ok(false) };
            if thread == place.thread
                && process.registers(thread)? == place.registers
                && place.stack.is_none_or(|stack| process.read_array(sp) == Some(stack))
            {
                return Ok(true);
            }
            if signal == 0 {
                return Ok(false);
            }
        }
        Ok(false)
    }
}
