//! The trap flag: whose it is, the program's or a single step's.
//!
//! Linux keeps apart the flag a debugger's step sets and one the program set itself. It errs after a step over an
//! instruction that loads the flags (`enable_single_step` in `arch/x86/kernel/step.c`): for that step it takes the flag
//! for the program's, and then, if another step follows at once, for ever. A resume that is no step clears the memory
//! of it.

use super::decode::Class;
use super::drive::classify;
use super::inject;
use super::log::log;
use super::memory;
use super::resume::Request;
use super::state::State;
use super::stop;
use super::sys::{self, Errno, SigInfo};

/// The bit in the flags register.
pub const TRAP_FLAG: u64 = 1 << 8;

/// Leaves the flag to the program, which uses it itself, by which it would see what we do.
pub fn give_up(tid: i32) -> ! {
    sys::give_up(&format!("thread {tid} sets the trap flag, which soft counters do not support; use hardware counters"))
}

/// `uc_mcontext.gregs[REG_EFL]` in `ucontext_t`.
const FRAME_FLAGS: u64 = 176;

/// Sees to it that a thread that is about to return from a signal handler, whose frame is here, does not set the flag.
pub fn check_frame(tid: i32, frame: u64) {
    let mut flags = [0; 8];
    if memory::read_exactly(tid, frame.wrapping_add(FRAME_FLAGS), &mut flags).is_ok()
        && u64::from_le_bytes(flags) & TRAP_FLAG != 0
    {
        give_up(tid);
    }
}

/// Hides the flag in a frame: a step over an instruction that loads the flags ended at the entry of a signal handler,
/// if this stop is one: the flag in the handler's frame, which begins behind the return address, is not the program's.
fn hide_in_frame(tid: i32) -> Result<(), Errno> {
    if sys::signal_info(tid)?.code == stop::HANDLER_ENTRY {
        let frame = sys::registers(tid)?.rsp.wrapping_add(8);
        sys::clear_bit(tid, frame.wrapping_add(FRAME_FLAGS), TRAP_FLAG.trailing_zeros())?;
    }
    Ok(())
}

/// Hides the flag, which is not the program's: a step over an instruction that loads the flags ended before that.
pub fn hide_trap_flag(tid: i32, rip: u64) -> Result<(), Errno> {
    let mut registers = sys::registers(tid)?;
    if registers.rip == rip && registers.eflags & TRAP_FLAG != 0 {
        registers.eflags &= !TRAP_FLAG;
        sys::set_registers(tid, &registers)?;
    }
    Ok(())
}

impl State {
    /// Notes that rr lets the thread make a step for its own purposes, and delivers a signal by it.
    pub fn note_delivery(&mut self, tid: i32, request: Request, signal: i64) {
        let is_delivery = request.is_step() && signal != 0;
        let loads_flags = || sys::registers(tid).is_ok_and(|registers| classify(tid, registers.rip) == Class::PopFlags);
        self.tracee(tid).flags_in_frame = is_delivery && loads_flags();
    }

    /// Notes the stop after such a step.
    pub fn note_delivered(&mut self, tid: i32, status: i32) {
        if std::mem::take(&mut self.tracee(tid).flags_in_frame) && status == sys::SIGTRAP {
            // An error means that it is gone, which rr will notice.
            let _ = hide_in_frame(tid);
        }
    }

    /// Resumes the thread without a step, to where it stands: the interrupt is answered before any of its code runs.
    /// Returns the stop it came to instead, if that is not ours.
    pub fn settle(&mut self, tid: i32) -> Result<Option<SigInfo>, Errno> {
        log!(2, "{tid}: a step follows one that loaded the flags");
        sys::interrupt(tid)?;
        sys::resume(tid, sys::PTRACE_CONT, 0)?;
        let stop = inject::wait(tid)?;
        let tracee = self.tracee(tid);
        tracee.unsettled = false;
        // The signal in it need not be SIGTRAP: a tracee of rr may count as stopped from its beginning.
        if stop.code != sys::CLD_TRAPPED || stop.status() >> 8 != sys::EVENT_STOP {
            return Ok(Some(stop));
        }
        if tracee.interrupted {
            // That was the answer to rr, which needs another one.
            sys::interrupt(tid)?;
        }
        Ok(None)
    }
}
