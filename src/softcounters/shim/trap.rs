//! The stops of single steps.

use super::decode::{self, Class};
use super::drive::{self, Outcome};
use super::flags::TRAP_FLAG;
use super::inject;
use super::log::log;
use super::probe::counts::length_of;
use super::resume::{Request, Stand, Step};
use super::state::State;
use super::stop::{self, Meaning, Trap};
use super::sys::{self, Errno, SigInfo, UserRegs};
use super::tracee::Seen;

impl State {
    /// Handles a `SIGTRAP` stop after a step.
    pub fn on_trap(&mut self, tid: i32, request: Request, step: Step, info: SigInfo) -> Result<Outcome, Errno> {
        let mut registers = sys::registers(tid)?;
        let rip = registers.rip;
        let watching = self.tracee(tid).watching;
        let plain = matches!(step.class, Class::Ordinary | Class::ConditionalBranch);
        let meaning = if plain && !step.doubtful && !watching && rip != step.rip {
            Meaning::Retired
        } else {
            self.statistics.examined += 1;
            let debug_status = if watching { sys::peek_user(tid, sys::USER_DR6)? } else { 0 };
            let code = sys::signal_info(tid)?.code;
            stop::interpret(&Trap { code, debug_status, watching, moved: rip != step.rip, class: step.class })
        };
        let due = match meaning {
            Meaning::Retired | Meaning::RetiredAndWatched | Meaning::Foreign { retired: true } => {
                self.account(tid, step, &mut registers)?
            }
            Meaning::LeftKernel => {
                self.note_delivered(tid, sys::SIGTRAP);
                false
            }
            Meaning::BreakpointRegister | Meaning::Foreign { retired: false } => false,
        };
        match meaning {
            Meaning::Foreign { retired } if self.withhold(tid)? => {
                if retired && request.is_step() {
                    return Ok(Outcome::Report(info));
                }
                self.advance(tid, Stand::there(registers))?;
                Ok(Outcome::Internal)
            }
            Meaning::RetiredAndWatched if !request.is_step() => {
                let mut trap = sys::signal_info(tid)?;
                trap.code = stop::TRAP_HWBKPT;
                sys::set_signal_info(tid, &trap)?;
                Ok(Outcome::Report(info))
            }
            Meaning::RetiredAndWatched | Meaning::BreakpointRegister | Meaning::Foreign { .. } => {
                Ok(Outcome::Report(info))
            }
            Meaning::Retired if request.is_step() => {
                self.note_step(tid, registers);
                Ok(Outcome::Report(info))
            }
            Meaning::LeftKernel if request.is_step() => Ok(Outcome::Report(info)),
            Meaning::Retired if due => self.overflow(tid, info).map(Outcome::Report),
            Meaning::Retired | Meaning::LeftKernel if self.is_at_breakpoint(tid, &registers)? => {
                Ok(Outcome::Report(info))
            }
            Meaning::Retired | Meaning::LeftKernel => {
                self.advance(tid, Stand::there(registers))?;
                Ok(Outcome::Internal)
            }
        }
    }

    /// Notes the registers that rr will ask for, and likely for another step: neither needs the kernel to tell again
    /// what it told just now.
    fn note_step(&mut self, tid: i32, registers: UserRegs) {
        let tracee = self.tracee(tid);
        // The mask was looked at before the step.
        let unblocked = tracee.drive.is_some_and(|drive| drive.hidden_mask.is_none());
        tracee.seen = Some(Seen { registers, unblocked });
    }

    /// Returns whether rr has an event for a breakpoint here. Then the trap after a step becomes the signal of that
    /// event.
    fn is_at_breakpoint(&mut self, tid: i32, registers: &UserRegs) -> Result<bool, Errno> {
        let Some((descriptor, _)) = self.counters.breakpoint(tid).filter(|&(_, address)| address == registers.rip)
        else {
            return Ok(false);
        };
        let mut hit = SigInfo::zero();
        hit.signo = sys::SIGTRAP;
        // What the kernel says of a descriptor's signal whose own codes mean something else.
        hit.code = sys::SI_SIGIO;
        hit.word0 = sys::BAND_IN as u64;
        hit.word1 = descriptor;
        sys::set_signal_info(tid, &hit)?;
        Ok(true)
    }

    /// Takes a `SIGTRAP` back that was sent to the program and came through only because stepping unblocked it. False
    /// if this stop is no such signal.
    fn withhold(&mut self, tid: i32) -> Result<bool, Errno> {
        if self.tracee(tid).drive.is_none_or(|drive| drive.hidden_mask.is_none()) {
            return Ok(false);
        }
        let info = sys::signal_info(tid)?;
        // The kernel's own signals have positive codes.
        if info.code > 0 {
            return Ok(false);
        }
        log!(1, "{tid}: withholding a blocked SIGTRAP");
        self.tracee(tid).withheld = Some(info);
        let mut trap = SigInfo::zero();
        trap.signo = sys::SIGTRAP;
        trap.code = stop::TRAP_TRACE;
        sys::set_signal_info(tid, &trap)?;
        Ok(true)
    }

    /// Books a completed instruction; true if the counter overflowed.
    fn account(&mut self, tid: i32, step: Step, registers: &mut UserRegs) -> Result<bool, Errno> {
        let rip = registers.rip;
        self.tell(tid, rip);
        let is_due = match step.class {
            Class::ConditionalBranch => {
                self.count_branch(tid, step.rip);
                self.count(tid)
            }
            Class::PushFlags => {
                sys::clear_bit(tid, registers.rsp, TRAP_FLAG.trailing_zeros())?;
                false
            }
            Class::CpuId { length } => {
                let next = step.rip.wrapping_add(u64::from(length));
                rip != next && self.account_next(tid, next)
            }
            Class::Random { register, bytes } => {
                self.replace_random(tid, register, bytes, registers)?;
                false
            }
            Class::Ordinary | Class::PopFlags | Class::SystemCall | Class::Trap => false,
        };
        self.tell_writes(tid, rip, registers.rcx);
        Ok(is_due)
    }

    /// Books the instruction behind `cpuid`, over which both were stepped; true if the counter overflowed.
    fn account_next(&mut self, tid: i32, next: u64) -> bool {
        let code = drive::code_at(tid, next);
        self.count_stepped(tid, next..next.wrapping_add(length_of(&code)));
        if decode::classify(&code) != Class::ConditionalBranch {
            return false;
        }
        self.count_branch(tid, next);
        self.count(tid)
    }

    /// Counts a branch; true if the counter overflowed.
    pub fn count(&mut self, tid: i32) -> bool {
        self.statistics.ticks += 1;
        self.tracee(tid).ticks += 1;
        let is_held = self.known(tid).is_some_and(|tracee| tracee.has_kept_signal);
        self.counters.running(tid).is_some_and(|(_, ticks)| ticks.counter.count() && ticks.signal != 0 && !is_held)
    }

    /// Handles a stop other than `SIGTRAP` in the middle of a step.
    ///
    /// A fault or a signal of the program comes instead of the step: the kernel delivers a step's own trap before any
    /// other signal. Only the stops that are no signals come before it, with the trap still pending.
    pub fn on_other_stop(&mut self, tid: i32, step: Step, info: SigInfo) -> Result<Outcome, Errno> {
        if info.status() >> 8 == 0 {
            self.tell_if_faulted(tid, info.status(), step.rip)?;
            self.forget_writes(tid);
            return Ok(Outcome::Report(info));
        }
        let trap_pending = sys::pending_signals(tid)?.iter().any(|pending| {
            pending.signo == sys::SIGTRAP && [stop::TRAP_TRACE, stop::TRAP_HWBKPT].contains(&pending.code)
        });
        if !trap_pending {
            return Ok(Outcome::Report(info));
        }
        let mut registers = sys::registers(tid)?;
        self.account(tid, step, &mut registers)?;
        if info.status() >> 8 != sys::EVENT_STOP {
            return Ok(Outcome::Report(info));
        }
        // Left pending, the trap would surprise rr at its next resume, whatever that is for. It is delivered before the
        // tracee runs any code; rr looks at the status of an interrupt stop only, and drops the signal as it resumes.
        self.tracee(tid).unstepped = false;
        sys::resume(tid, sys::PTRACE_SINGLESTEP, 0)?;
        let trap = inject::wait(tid)?;
        log!(1, "{tid}: an interrupt came before the step trap, which was {:#x}", trap.status());
        Ok(Outcome::Report(if trap.status() == sys::SIGTRAP { info } else { trap }))
    }
}
