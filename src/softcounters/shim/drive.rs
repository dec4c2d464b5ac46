//! Driving a tracee: from one resume by rr to the next stop rr shall see.
//!
//! A tracee is *driven* if rr resumes it while its ticks counter is enabled. Then it runs translated code where it can,
//! is single-stepped where it cannot, and the stops in between stay here. Resumes with the counter disabled are system
//! calls rr runs in the tracee for its own purposes; they go to the kernel untouched.

use super::cache::PAGE;
use super::decode::{self, Class};
use super::flags;
use super::log::log;
use super::resume::{Phase, Request, Stand, Step};
use super::state::State;
use super::stop;
use super::sys::{self, Errno, SigInfo, SyscallStop, UserRegs};
use super::tracee::Drive;

/// `cs` of 64-bit user code on Linux.
const CS_64: u64 = 0x33;

/// What becomes of a stop of a driven tracee.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// It was ours; the tracee runs again.
    Internal,
    /// rr shall see this.
    Report(SigInfo),
}

impl State {
    /// Starts driving `tid` as rr's `request` wants, injecting `signal` unless it is 0.
    pub fn drive(&mut self, tid: i32, request: Request, signal: i64) -> Result<(), Errno> {
        self.statistics.driven += 1;
        if let Some(pass) = &mut self.pass {
            pass.current = tid;
            pass.tell_foreign();
        }
        self.tell_progress(tid);
        self.begin(tid, request, signal)
    }

    fn begin(&mut self, tid: i32, request: Request, signal: i64) -> Result<(), Errno> {
        let seen = self.tracee(tid).seen.take();
        let registers = seen.map_or_else(|| sys::registers(tid), |seen| Ok(seen.registers))?;
        check_mode(tid, &registers);
        let in_kernel = self.is_in_kernel(tid)?;
        log!(2, "{tid}: {request:?} at {:#x}, in kernel: {in_kernel}, signal {signal}", registers.rip);
        self.note_system_call(tid, &registers);
        if signal != 0 {
            // A handler's frame shows it.
            self.correct_x87(tid)?;
        }
        let unblocked = request.is_step() && signal == 0 && seen.is_some_and(|seen| seen.unblocked);
        let drive = Drive { request, phase: Phase::Native, near: false, hidden_mask: None, unblocked };
        self.tracee(tid).drive = Some(drive);
        let begun = match (in_kernel, request) {
            // The exit stop comes before any user code.
            (true, Request::Syscall) => self.issue(tid, request.to_ptrace(), signal, Phase::Native),
            (true, Request::Continue | Request::Sysemu) => self.issue(tid, sys::PTRACE_SYSCALL, signal, Phase::Inside),
            (true, Request::Step | Request::SysemuStep) => self.step_doubtfully(tid, registers.rip, request, signal),
            // The kernel backs up to the system-call instruction by itself, unless it delivers a signal first.
            (false, Request::Syscall) if signal == 0 && restarts_system_call(&registers) => {
                self.issue(tid, request.to_ptrace(), signal, Phase::Native)
            }
            (false, _) if signal != 0 || restarts_system_call(&registers) => {
                self.step_doubtfully(tid, registers.rip, request, signal)
            }
            (false, _) => self.advance(tid, Stand::there(registers)),
        };
        if begun.is_err() {
            self.tracee(tid).drive = None;
        }
        begun
    }

    /// Returns whether the last stop left the tracee inside a system call that is not finished.
    fn is_in_kernel(&mut self, tid: i32) -> Result<bool, Errno> {
        let last_stop = self.tracee(tid).last_stop;
        if last_stop == sys::SYSCALL_STOP {
            return match sys::syscall_stop(tid) {
                Ok(stop) => Ok(stop == SyscallStop::Entry),
                Err(Errno(EIO)) => sys::give_up("soft counters need Linux 5.3 or later (PTRACE_GET_SYSCALL_INFO)"),
                Err(errno) => Err(errno),
            };
        }
        Ok(last_stop >> 8 != 0 && last_stop >> 8 != sys::EVENT_STOP)
    }

    /// Resumes the tracee; what comes next is expected to be what `phase` says.
    pub fn issue(&mut self, tid: i32, request: i64, signal: i64, phase: Phase) -> Result<(), Errno> {
        if matches!(phase, Phase::Stepping(_)) {
            self.tracee(tid).unstepped = false;
        } else {
            self.tracee(tid).unsettled = false;
            self.restore_mask(tid)?;
        }
        log!(3, "{tid}: ptrace request {request}, {phase:?}");
        sys::resume(tid, request, signal)?;
        self.set_phase(tid, phase);
        Ok(())
    }

    /// Runs a tracee on: in the cache if it can, else by one instruction.
    pub fn advance(&mut self, tid: i32, stand: Stand) -> Result<(), Errno> {
        let Some(drive) = self.tracee(tid).drive else {
            return Ok(());
        };
        check_mode(tid, &stand.registers);
        let may_enter = !drive.request.is_step() && !drive.near && !self.step_only && self.may_enter(tid)?;
        if may_enter && self.enter(tid, drive.request, &stand)? {
            return Ok(());
        }
        self.step(tid, stand)
    }

    /// Returns whether debug registers allow translated code.
    fn may_enter(&mut self, tid: i32) -> Result<bool, Errno> {
        if self.counters.breakpoint(tid).is_some() {
            return Ok(false);
        }
        let tracee = self.tracee(tid);
        if !tracee.watching {
            return Ok(true);
        }
        // A trap that is blocked would reset the program's handler.
        Ok(sys::signal_mask(tid)? & SIGTRAP_BIT == 0)
    }

    /// Runs the instruction where the tracee stands, ready to execute it.
    pub fn step(&mut self, tid: i32, stand: Stand) -> Result<(), Errno> {
        let code = code_at(tid, stand.registers.rip);
        self.step_over(tid, stand, &code)
    }

    /// Does the same, if the code there is known.
    pub fn step_over(&mut self, tid: i32, stand: Stand, code: &[u8]) -> Result<(), Errno> {
        let Some(drive) = self.tracee(tid).drive else {
            return Ok(());
        };
        let rip = stand.registers.rip;
        if !stand.written {
            sys::set_registers(tid, &stand.registers)?;
        }
        self.look(tid, &stand.registers, code);
        self.look_at_writes(tid, &stand.registers, code);
        let class = decode::classify(code);
        if decode::stores_x87_pointer(code) {
            self.correct_x87(tid)?;
        }
        if class == Class::SystemCall {
            self.tell(tid, rip + 2);
            self.note_system_call(tid, &stand.registers);
            let signal = self.requeue_withheld(tid)?;
            return match drive.request {
                request @ (Request::Sysemu | Request::SysemuStep) => {
                    self.issue(tid, request.to_ptrace(), signal, Phase::Native)
                }
                _ if stand.in_exit => self.issue(tid, sys::PTRACE_SYSCALL, signal, Phase::Draining),
                // `PTRACE_CONT` shows rr only the calls its seccomp filter picks, and runs on after any other.
                Request::Continue => self.issue(tid, sys::PTRACE_SYSCALL, signal, Phase::Entering),
                request => self.issue(tid, request.to_ptrace(), signal, Phase::Native),
            };
        }
        // From the cache's exit these two alone make no stop of their own on the way. A breakpoint traps by itself, and
        // the trap is rr's, or the program's as it would be without us; with a step it costs as much as five. But a
        // SIGTRAP that is pending because it is blocked would come in its place.
        if stand.in_exit && code.first() == Some(&decode::BREAKPOINT) && sys::signal_mask(tid)? & SIGTRAP_BIT == 0 {
            return self.issue(tid, sys::PTRACE_SYSEMU, 0, Phase::Native);
        }
        let request = if stand.in_exit { sys::PTRACE_SYSEMU_SINGLESTEP } else { sys::PTRACE_SINGLESTEP };
        self.draw(tid, class, &stand.registers);
        self.issue_step(tid, request, 0, Step { rip, class, doubtful: false })
    }

    /// Steps where the kernel may do something else first: finish or restart a system call, or enter a signal handler.
    fn step_doubtfully(&mut self, tid: i32, rip: u64, request: Request, signal: i64) -> Result<(), Errno> {
        let class = classify(tid, rip);
        if let Class::Random { .. } = class {
            let registers = sys::registers(tid)?;
            self.draw(tid, class, &registers);
        }
        if self.pass.is_some() {
            let registers = sys::registers(tid)?;
            let code = code_at(tid, rip);
            self.look(tid, &registers, &code);
            self.look_at_writes(tid, &registers, &code);
        }
        self.tracee(tid).flags_in_frame = signal != 0 && class == Class::PopFlags;
        self.issue_step(tid, request.stepping(), signal, Step { rip, class, doubtful: true })
    }

    fn issue_step(&mut self, tid: i32, request: i64, signal: i64, step: Step) -> Result<(), Errno> {
        self.hide_mask(tid)?;
        if self.tracee(tid).unsettled
            && signal == 0
            && let Some(stop) = self.settle(tid)?
        {
            self.kept.push(stop);
            self.set_phase(tid, Phase::Native);
            return Ok(());
        }
        self.statistics.steps += 1;
        self.tracee(tid).unsettled = step.class == Class::PopFlags;
        self.issue(tid, request, signal, Phase::Stepping(step))
    }

    /// Unblocks `SIGTRAP` for the time of stepping: the kernel takes a blocked trap for a fatal mistake and resets the
    /// program's handler for it.
    fn hide_mask(&mut self, tid: i32) -> Result<(), Errno> {
        let Some(drive) = &mut self.tracee(tid).drive else {
            return Ok(());
        };
        if drive.unblocked || matches!(drive.phase, Phase::Stepping(_)) {
            return Ok(());
        }
        let mask = sys::signal_mask(tid)?;
        if mask & SIGTRAP_BIT != 0 {
            sys::set_signal_mask(tid, mask & !SIGTRAP_BIT)?;
            drive.hidden_mask = Some(mask);
        }
        Ok(())
    }

    fn restore_mask(&mut self, tid: i32) -> Result<(), Errno> {
        match self.tracee(tid).drive.as_mut().and_then(|drive| drive.hidden_mask.take()) {
            Some(mask) => sys::set_signal_mask(tid, mask),
            None => Ok(()),
        }
    }

    /// Makes a withheld `SIGTRAP` pending again when the stepping is over: before a system call, by which the program
    /// could notice it, or before the cache.
    ///
    /// Returns the signal to inject: injected while it is blocked, the kernel puts it back into its queue.
    pub fn requeue_withheld(&mut self, tid: i32) -> Result<i64, Errno> {
        self.restore_mask(tid)?;
        let Some(info) = self.tracee(tid).withheld.take() else {
            return Ok(0);
        };
        log!(1, "{tid}: a blocked SIGTRAP is pending again");
        match sys::signal_info(tid) {
            Ok(current) if current.signo == sys::SIGTRAP && current.code != sys::SYSCALL_STOP => {
                sys::set_signal_info(tid, &info)?;
                Ok(i64::from(sys::SIGTRAP))
            }
            // Not at a signal, where none can be injected.
            _ => sys::send_signal(tid, sys::SIGTRAP).map(|()| 0),
        }
    }

    /// Decides about a stop of a driven tracee that was just consumed from the kernel.
    pub fn on_stop(&mut self, tid: i32, info: SigInfo) -> Outcome {
        let Some(drive) = self.tracee(tid).drive else {
            return Outcome::Report(info);
        };
        let status = info.status();
        log!(3, "{tid}: stop {status:#x} in {:?}", drive.phase);
        let handled = match drive.phase {
            Phase::Stepping(step) if status == sys::SIGTRAP => self.on_trap(tid, drive.request, step, info),
            Phase::Stepping(step) => self.on_other_stop(tid, step, info),
            Phase::Cached { remaining, how } if [sys::SYSCALL_STOP, sys::SECCOMP_STOP].contains(&status) => {
                self.on_exit(tid, drive.request, how, remaining, info)
            }
            Phase::Cached { remaining, .. } => self.on_cached_stop(tid, remaining, info),
            Phase::Draining if status == sys::SYSCALL_STOP => sys::registers(tid)
                .and_then(|registers| self.step(tid, Stand::there(registers)))
                .map(|()| Outcome::Internal),
            Phase::Entering if status == sys::SYSCALL_STOP => {
                self.issue(tid, sys::PTRACE_SYSCALL, 0, Phase::Inside).map(|()| Outcome::Internal)
            }
            Phase::Inside if status == sys::SYSCALL_STOP => {
                // What rr saw last was before the call perhaps.
                self.tracee(tid).last_stop = status;
                self.begin(tid, drive.request, 0).map(|()| Outcome::Internal)
            }
            Phase::Native | Phase::Entering | Phase::Inside | Phase::Draining => Ok(Outcome::Report(info)),
        };
        match handled {
            Ok(Outcome::Report(report)) => {
                self.prepare_report(tid, drive.request, &report);
                Outcome::Report(report)
            }
            Ok(Outcome::Internal) => Outcome::Internal,
            // Killed under our hands: what the kernel has to say next is for rr.
            Err(_) => {
                self.tracee(tid).drive = Some(Drive { phase: Phase::Native, hidden_mask: None, ..drive });
                Outcome::Internal
            }
        }
    }

    /// Makes the tracee look as it would without single-stepping. Errors mean that it is gone, which rr will notice.
    fn prepare_report(&mut self, tid: i32, request: Request, info: &SigInfo) {
        let _ = self.restore_mask(tid);
        if let Some(Drive { phase: Phase::Stepping(step), .. }) = self.tracee(tid).drive
            && step.class == Class::PopFlags
        {
            let _ = flags::hide_trap_flag(tid, step.rip);
        }
        if info.status() == sys::SIGTRAP
            && !request.is_step()
            && !std::mem::replace(&mut self.tracee(tid).unstepped, true)
        {
            // rr takes this bit for the answer to a step it asked for.
            if let Ok(status) = sys::peek_user(tid, sys::USER_DR6)
                && status & stop::DR6_STEP != 0
            {
                let _ = sys::poke_user(tid, sys::USER_DR6, status & !stop::DR6_STEP);
            }
        }
        let ticks = self.counters.running(tid).map_or(0, |(_, ticks)| ticks.counter.value());
        log!(2, "{tid}: reporting {:#x}, {ticks} branches", info.status());
    }
}

const SIGTRAP_BIT: u64 = 1 << (sys::SIGTRAP - 1);

/// Ends the tracer if the thread runs what cannot be counted.
pub fn check_mode(tid: i32, registers: &UserRegs) {
    if registers.eflags & flags::TRAP_FLAG != 0 {
        flags::give_up(tid);
    }
    if registers.cs != CS_64 {
        sys::give_up(&format!(
            "thread {tid} runs 32-bit code, which soft counters cannot count; use hardware counters"
        ));
    }
}

/// The kernel's answer to a request it does not know.
const EIO: i32 = 5;

/// Returns whether the tracee is on its way out of an interrupted system call that the kernel will run again.
fn restarts_system_call(registers: &UserRegs) -> bool {
    /// `ERESTARTSYS`, `ERESTARTNOINTR`, `ERESTARTNOHAND` and `ERESTART_RESTARTBLOCK`.
    const RESTARTS: [i64; 4] = [-512, -513, -514, -516];
    registers.orig_rax as i64 >= 0 && RESTARTS.contains(&(registers.rax as i64))
}

/// Classifies the instruction at `rip`.
pub fn classify(tid: i32, rip: u64) -> Class {
    decode::classify(&code_at(tid, rip))
}

/// Returns the bytes of the instruction at `rip`, and some more. Where it cannot be read it cannot be run either.
pub fn code_at(tid: i32, rip: u64) -> Vec<u8> {
    let mut code = vec![0u8; decode::MAX_LENGTH + 1];
    let read = sys::read_memory(tid, rip, &mut code).or_else(|_| {
        // Some kernels refuse the whole read at the end of a mapping.
        let rest = (PAGE - rip % PAGE).min(code.len() as u64) as usize;
        sys::read_memory(tid, rip, &mut code[..rest])
    });
    code.truncate(read.unwrap_or(0));
    code
}
