//! The trap flag: whose it is, the program's or a single step's.
//!
//! Linux keeps apart the flag a debugger's step sets and one the program set itself. It errs after a step over an
//! instruction that loads the flags (`enable_single_step` in `arch/x86/kernel/step.c`): for that step it takes the flag for
//! the program's, and then, if another step follows at once, for ever. A resume that is no step clears the memory of it.

use super::inject;
use super::log::log;
use super::memory;
use super::state::State;
use super::sys::{self, Errno, SigInfo};

/// The bit in the flags register.
pub const TRAP_FLAG: u64 = 1 << 8;

/// The program uses the flag itself, by which it would see what we do.
pub fn give_up(tid: i32) -> ! {
    sys::give_up(&format!("thread {tid} sets the trap flag, which soft counters do not support; use hardware counters"))
}

/// The thread is about to return from a signal handler, whose frame is here: it must not set the flag.
pub fn check_frame(tid: i32, frame: u64) {
    /// `uc_mcontext.gregs[REG_EFL]` in `ucontext_t`.
    const FLAGS: u64 = 176;
    let mut flags = [0; 8];
    if memory::read_exactly(tid, frame.wrapping_add(FLAGS), &mut flags).is_ok()
        && u64::from_le_bytes(flags) & TRAP_FLAG != 0
    {
        give_up(tid);
    }
}

/// A step over an instruction that loads the flags ended before that instruction: the flag is not the program's.
pub fn hide_trap_flag(tid: i32, rip: u64) -> Result<(), Errno> {
    let mut registers = sys::registers(tid)?;
    if registers.rip == rip && registers.eflags & TRAP_FLAG != 0 {
        registers.eflags &= !TRAP_FLAG;
        sys::set_registers(tid, &registers)?;
    }
    Ok(())
}

impl State {
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
