//! Stops by a signal that rr is shown while a thread is in another stop: breakpoints and overflows at the cache's exit.
//!
//! The exit is a stop inside a system call that is not made. What rr asks about a stop by a signal, and changes in it, is
//! the same in both: registers, and what is known of the signal. So a thread that has come there before a breakpoint need
//! not run into it. As long as rr resumes it with its counter running it may stay there, since the cache and single steps
//! are entered from there. For all else it leaves the system call first, by an interrupt: the kernel answers that before
//! any signal and before the thread runs. That is no stop by a signal, either. If rr wants one delivered, which the kernel
//! does only from such a stop, a signal comes first.

use super::inject;
use super::log::log;
use super::resume::How;
use super::state::State;
use super::sys::{self, Errno, SigInfo, UserRegs};
use super::tracee::Seen;

/// Where a thread is that rr takes for stopped by a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Where rr takes it to be.
    #[default]
    There,
    /// In the answer to an interrupt.
    Interrupt,
    /// In the cache's exit, entered such that its call is not made whatever rr writes to the registers.
    Exit,
}

/// A signal that programs under rr have no use for: the one of overflows.
const SIGSTKFLT: i32 = 16;
/// `si_code` of the signal of a breakpoint.
const SI_KERNEL: i32 = 0x80;

impl State {
    /// Has rr see a thread that is in the cache's exit stopped by a signal, with these registers. Returns the stop, which
    /// is another one if the thread came to it meanwhile.
    pub fn show_signal(
        &mut self,
        tid: i32,
        how: How,
        registers: UserRegs,
        signal: &SigInfo,
    ) -> Result<SigInfo, Errno> {
        sys::set_registers(tid, &registers)?;
        let mut place = Place::Exit;
        if how != How::Emulated {
            if let Some(instead) = self.leave_exit(tid)? {
                return Ok(instead);
            }
            place = Place::Interrupt;
        }
        sys::set_signal_info(tid, signal)?;
        let tracee = self.tracee(tid);
        tracee.place = place;
        tracee.seen = Some(Seen { registers, unblocked: false });
        Ok(SigInfo::of_stop(tid, signal.signo))
    }

    /// Has rr see the thread stopped by the breakpoint at `registers.rip`.
    pub fn show_breakpoint(&mut self, tid: i32, registers: &UserRegs) -> Result<SigInfo, Errno> {
        let mut trap = SigInfo::zero();
        trap.signo = sys::SIGTRAP;
        trap.code = SI_KERNEL;
        self.show_signal(tid, How::Emulated, UserRegs { rip: registers.rip.wrapping_add(1), ..*registers }, &trap)
    }

    /// Brings a thread from the cache's exit to a stop outside of a system call. Returns the stop it came to instead.
    pub fn leave_exit(&mut self, tid: i32) -> Result<Option<SigInfo>, Errno> {
        sys::interrupt(tid)?;
        sys::resume(tid, sys::PTRACE_SYSEMU, 0)?;
        let stop = inject::wait(tid)?;
        // The signal in it need not be SIGTRAP: a tracee of rr may count as stopped from its beginning.
        if stop.code != sys::CLD_TRAPPED || stop.status() >> 8 != sys::EVENT_STOP {
            return Ok(Some(stop));
        }
        self.interrupt_again(tid)?;
        Ok(None)
    }

    /// An answer to an interrupt was taken that was perhaps rr's, which needs another one.
    fn interrupt_again(&mut self, tid: i32) -> Result<(), Errno> {
        if self.tracee(tid).interrupted { sys::interrupt(tid) } else { Ok(()) }
    }

    /// rr resumes a thread, with `signal` unless it is 0: brings it to where the kernel does what that means. False if it
    /// has come to another stop instead.
    pub fn prepare_resume(&mut self, tid: i32, is_driven: bool, signal: i64) -> Result<bool, Errno> {
        let place = self.tracee(tid).place;
        if place == Place::There || place == Place::Exit && is_driven && signal == 0 {
            return Ok(true);
        }
        self.tracee(tid).place = Place::There;
        // What rr has said of the signal.
        let info = if signal == 0 { None } else { Some(sys::signal_info(tid)?) };
        if place == Place::Exit
            && let Some(stop) = self.leave_exit(tid)?
        {
            self.kept.push(stop);
            return Ok(false);
        }
        info.map_or(Ok(true), |info| self.stop_by_signal(tid, &info))
    }

    /// Brings a thread from the answer to an interrupt to a stop by a signal, of which this is known. False if it has come
    /// to another stop instead.
    fn stop_by_signal(&mut self, tid: i32, info: &SigInfo) -> Result<bool, Errno> {
        log!(1, "{tid}: a signal follows one that was only shown");
        let mask = sys::signal_mask(tid)?;
        sys::set_signal_mask(tid, !(1 << (SIGSTKFLT - 1)))?;
        sys::send_signal(tid, SIGSTKFLT)?;
        loop {
            sys::resume(tid, sys::PTRACE_CONT, 0)?;
            let stop = inject::wait(tid)?;
            let status = stop.status();
            match (status, status >> 8) {
                (SIGSTKFLT, _) if stop.code == sys::CLD_TRAPPED => break,
                (_, sys::EVENT_STOP) if stop.code == sys::CLD_TRAPPED => {}
                _ => {
                    self.kept.push(stop);
                    return Ok(false);
                }
            }
        }
        self.interrupt_again(tid)?;
        sys::set_signal_mask(tid, mask)?;
        sys::set_signal_info(tid, info)?;
        Ok(true)
    }
}
