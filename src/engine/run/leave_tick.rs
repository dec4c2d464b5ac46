//! The way out of a tick, before a run forward past watchpoints.
//!
//! Where a watchpoint is hit near an instruction that is repeated (`rep movs`), the processor may report several rounds
//! at once. rr then goes back to where its run began, and looks again by single steps (rr 5.10,
//! `fix_watchpoint_coalescing_quirk`). That moment it knows by its event and ticks, the registers without the stack
//! pointer, and what a few words of the stack say; of several moments of the tick that are so it takes the first. From
//! there it meets what it has been past before: a write for the second time, or a breakpoint that it never gets over.
//! So a run with watchpoints begins where no moment of the same tick is in front of it that may be like this.

use super::confusion::is_data;
use super::mover::Mover;
use super::step::Machine;
use crate::api::error::Error;
use crate::target::signals::SIGTRAP;
use arch::{Flow, RunAddr};
use rsp::{Break, BreakKind, Outcome, Resume, StopCause, StopReply};

/// Most instructions that are executed one by one.
const MOST: u32 = 256;

impl Mover<'_, '_> {
    /// Executes instructions to the end of the tick, as the beginning of a run that stops at what is `wanted`. `None`:
    /// nothing of that was met; the run goes on from there.
    pub(crate) fn leave_tick(&mut self, wanted: &[Break]) -> Result<Option<Outcome>, Error> {
        let state = &self.session.state;
        if state.at_end || state.signal.is_some() {
            return Ok(None);
        }
        self.leave_tick_here(wanted)
    }

    /// Does so wherever the process is, which may not be where the session is to be.
    pub(super) fn leave_tick_here(&mut self, wanted: &[Break]) -> Result<Option<Outcome>, Error> {
        let data: Vec<Break> = wanted.iter().filter(|entry| is_data(entry)).cloned().collect();
        if data.is_empty() {
            return Ok(None);
        }
        let s = &mut *self.session;
        let process = &mut s.debuggee.inferior.process;
        let StopReply::Stopped { thread, .. } = process.last_stop()? else { return Ok(None) };
        if !process.abilities().time || !process.threads()?.contains(&thread) {
            return Ok(None);
        }
        let mut pc = process.registers(thread)?.pc().unwrap_or_default();
        // Behind a trap, its signal is still to be delivered.
        if s.comes_to_branch(pc) || self.is_behind_trap(pc) {
            return Ok(None);
        }
        let begun = self.session.debuggee.inferior.process.moment(thread)?;
        for _ in 0..MOST {
            // What rr does there is not to be stepped through, and is the end of the tick's moments. The signal of a trap
            // would be taken for the end of a step.
            let is_plain = self.instruction(pc).is_some_and(|next| !matches!(next.flow, Flow::Syscall | Flow::Trap));
            if !is_plain || self.session.debuggee.inferior.is_rr_code(pc) {
                break;
            }
            let process = &mut self.session.debuggee.inferior.process;
            process.set_breaks(&data)?;
            let outcome = match process.resume(Resume::Step(thread), self.cancel) {
                // The run says what cannot be set.
                Err(Error::Rsp(rsp::Error::Rejected { .. })) => return Ok(None),
                outcome => outcome?,
            };
            let Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread: stopped, cause: StopCause::Plain }) =
                outcome
            else {
                return Ok(Some(outcome));
            };
            if stopped != thread {
                break;
            }
            pc = process.registers(thread)?.pc().unwrap_or_default();
            if let Some(cause) = cause_at(wanted, pc) {
                return Ok(Some(Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause })));
            }
            if process.moment(thread)? != begun {
                break;
            }
        }
        Ok(None)
    }
}

/// Returns what rr says of the breakpoint at an address, if there is one.
fn cause_at(wanted: &[Break], pc: RunAddr) -> Option<StopCause> {
    wanted.iter().filter(|entry| entry.address == pc).find_map(|entry| match entry.kind {
        BreakKind::Software => Some(StopCause::SoftwareBreak),
        BreakKind::Hardware => Some(StopCause::HardwareBreak),
        _ => None,
    })
}
