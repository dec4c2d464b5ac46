//! Driving a tracee: from one resume by rr to the next stop rr shall see.
//!
//! A tracee is *driven* if rr resumes it while its ticks counter is enabled. Then every instruction is single-stepped
//! and the stops in between stay here. Resumes with the counter disabled are system calls rr runs in the tracee for its
//! own purposes; they go to the kernel untouched.

use super::decode::{self, Class};
use super::log::log;
use super::state::State;
use super::stop::{self, Meaning, Trap};
use super::sys::{self, Errno, SigInfo, SyscallStop, UserRegs};

/// `cs` of 64-bit user code on Linux.
const CS_64: u64 = 0x33;

/// How rr asked the tracee to be resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    Continue,
    Step,
    Syscall,
    Sysemu,
    SysemuStep,
}

impl Request {
    /// The resume request of this number, if it is one that is driven.
    pub fn from_ptrace(request: i64) -> Option<Request> {
        Some(match request {
            sys::PTRACE_CONT => Request::Continue,
            sys::PTRACE_SINGLESTEP => Request::Step,
            sys::PTRACE_SYSCALL => Request::Syscall,
            sys::PTRACE_SYSEMU => Request::Sysemu,
            sys::PTRACE_SYSEMU_SINGLESTEP => Request::SysemuStep,
            _ => return None,
        })
    }

    fn to_ptrace(self) -> i64 {
        match self {
            Request::Continue => sys::PTRACE_CONT,
            Request::Step => sys::PTRACE_SINGLESTEP,
            Request::Syscall => sys::PTRACE_SYSCALL,
            Request::Sysemu => sys::PTRACE_SYSEMU,
            Request::SysemuStep => sys::PTRACE_SYSEMU_SINGLESTEP,
        }
    }

    /// The single step that treats system calls as this request does.
    fn stepping(self) -> i64 {
        match self {
            Request::Continue | Request::Step | Request::Syscall => sys::PTRACE_SINGLESTEP,
            Request::Sysemu | Request::SysemuStep => sys::PTRACE_SYSEMU_SINGLESTEP,
        }
    }

    /// Whether rr wants to see the stop after one instruction.
    fn is_step(self) -> bool {
        matches!(self, Request::Step | Request::SysemuStep)
    }
}

/// What the kernel is doing with a driven tracee.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Running one instruction.
    Stepping(Step),
    /// Carrying out rr's own request; whatever comes is for rr.
    Native,
    /// About to enter a system call under `PTRACE_CONT`, which must not run on after the call.
    Entering,
    /// Inside a system call; its exit stop is ours.
    Inside,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// Where the instruction is.
    rip: u64,
    class: Class,
    /// The stop may mean something else than "the instruction completed".
    doubtful: bool,
}

/// A resume by rr in progress.
#[derive(Clone, Copy, Debug)]
struct Drive {
    request: Request,
    phase: Phase,
    /// The tracee's own signal mask while `SIGTRAP` is unblocked in it.
    hidden_mask: Option<u64>,
}

/// What is known of a thread rr controls.
#[derive(Debug, Default)]
pub struct Tracee {
    /// Status of the last stop reported to rr, as `waitid` gives it; 0 if none.
    last_stop: i32,
    /// Debug registers are in use.
    watching: bool,
    /// A `SIGTRAP` sent to the program while it blocks that signal, to be made pending again.
    withheld: Option<SigInfo>,
    drive: Option<Drive>,
}

impl Tracee {
    /// Whether a resume of rr is in progress that is carried out here.
    pub fn is_driven(&self) -> bool {
        self.drive.is_some()
    }

    /// rr wrote DR7.
    pub fn set_debug_control(&mut self, dr7: u64) {
        const ENABLE_BITS: u64 = 0xff;
        self.watching = dr7 & ENABLE_BITS != 0;
    }

    /// rr resumed the tracee without a counter.
    pub fn pass(&mut self) {
        self.drive = None;
        self.last_stop = 0;
    }

    /// rr sees this stop.
    pub fn note_stop(&mut self, status: i32) {
        self.last_stop = status;
        self.drive = None;
    }
}

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
        self.begin(tid, request, signal)
    }

    fn begin(&mut self, tid: i32, request: Request, signal: i64) -> Result<(), Errno> {
        let registers = sys::registers(tid)?;
        if registers.cs != CS_64 {
            sys::give_up(&format!(
                "thread {tid} runs 32-bit code, which soft counters cannot count; use hardware counters"
            ));
        }
        let in_kernel = self.is_in_kernel(tid)?;
        log!(
            2,
            "{tid}: {request:?} at {:#x}, in kernel: {in_kernel}, signal {signal}",
            registers.rip
        );
        let drive = Drive {
            request,
            phase: Phase::Native,
            hidden_mask: None,
        };
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
            (false, _) => self.step(tid, registers.rip),
        };
        if begun.is_err() {
            self.tracee(tid).drive = None;
        }
        begun
    }

    /// Whether the last stop left the tracee inside a system call that is not finished.
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

    fn issue(&mut self, tid: i32, request: i64, signal: i64, phase: Phase) -> Result<(), Errno> {
        if !matches!(phase, Phase::Stepping(_)) {
            self.restore_mask(tid)?;
        }
        log!(3, "{tid}: ptrace request {request}, {phase:?}");
        // SAFETY: a resume request touches no memory of ours.
        unsafe { sys::ptrace(request, tid, 0, signal) }?;
        if let Some(drive) = &mut self.tracee(tid).drive {
            drive.phase = phase;
        }
        Ok(())
    }

    /// Runs the instruction at `rip`, where the tracee stands, ready to execute it.
    fn step(&mut self, tid: i32, rip: u64) -> Result<(), Errno> {
        let Some(drive) = self.tracee(tid).drive else {
            return Ok(());
        };
        let class = classify(tid, rip);
        if class == Class::SystemCall {
            let signal = self.requeue_withheld(tid)?;
            return match drive.request {
                // `PTRACE_CONT` shows rr only the calls its seccomp filter picks, and runs on after any other.
                Request::Continue => self.issue(tid, sys::PTRACE_SYSCALL, signal, Phase::Entering),
                request => self.issue(tid, request.to_ptrace(), signal, Phase::Native),
            };
        }
        self.issue_step(
            tid,
            sys::PTRACE_SINGLESTEP,
            0,
            Step {
                rip,
                class,
                doubtful: false,
            },
        )
    }

    /// Steps where the kernel may do something else first: finish or restart a system call, or enter a signal handler.
    fn step_doubtfully(&mut self, tid: i32, rip: u64, request: Request, signal: i64) -> Result<(), Errno> {
        let class = classify(tid, rip);
        self.issue_step(
            tid,
            request.stepping(),
            signal,
            Step {
                rip,
                class,
                doubtful: true,
            },
        )
    }

    fn issue_step(&mut self, tid: i32, request: i64, signal: i64, step: Step) -> Result<(), Errno> {
        self.hide_mask(tid)?;
        self.statistics.steps += 1;
        self.issue(tid, request, signal, Phase::Stepping(step))
    }

    /// Unblocks `SIGTRAP` for the time of stepping: the kernel takes a blocked trap for a fatal mistake and resets the
    /// program's handler for it.
    fn hide_mask(&mut self, tid: i32) -> Result<(), Errno> {
        const SIGTRAP_BIT: u64 = 1 << (sys::SIGTRAP - 1);
        let Some(drive) = &mut self.tracee(tid).drive else {
            return Ok(());
        };
        if matches!(drive.phase, Phase::Stepping(_)) {
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
        match self
            .tracee(tid)
            .drive
            .as_mut()
            .and_then(|drive| drive.hidden_mask.take())
        {
            Some(mask) => sys::set_signal_mask(tid, mask),
            None => Ok(()),
        }
    }

    /// Makes a withheld `SIGTRAP` pending again before a system call, the only way the program could notice it.
    ///
    /// Returns the signal to inject: injected while it is blocked, the kernel puts it back into its queue.
    fn requeue_withheld(&mut self, tid: i32) -> Result<i64, Errno> {
        self.restore_mask(tid)?;
        let Some(info) = self.tracee(tid).withheld.take() else {
            return Ok(0);
        };
        log!(1, "{tid}: a blocked SIGTRAP is pending again");
        match sys::signal_info(tid) {
            Ok(current) if current.signo == sys::SIGTRAP => {
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
            Phase::Entering if status == sys::SYSCALL_STOP => self
                .issue(tid, sys::PTRACE_SYSCALL, 0, Phase::Inside)
                .map(|()| Outcome::Internal),
            Phase::Inside if status == sys::SYSCALL_STOP => {
                self.begin(tid, drive.request, 0).map(|()| Outcome::Internal)
            }
            Phase::Native | Phase::Entering | Phase::Inside => Ok(Outcome::Report(info)),
        };
        match handled {
            Ok(Outcome::Report(report)) => {
                self.prepare_report(tid, drive.request, &report);
                Outcome::Report(report)
            }
            Ok(Outcome::Internal) => Outcome::Internal,
            // Killed under our hands: what the kernel has to say next is for rr.
            Err(_) => {
                self.tracee(tid).drive = Some(Drive {
                    phase: Phase::Native,
                    hidden_mask: None,
                    ..drive
                });
                Outcome::Internal
            }
        }
    }

    /// Makes the tracee look as it would without single-stepping. Errors mean that it is gone, which rr will notice.
    fn prepare_report(&mut self, tid: i32, request: Request, info: &SigInfo) {
        let _ = self.restore_mask(tid);
        if info.status() == sys::SIGTRAP && !request.is_step() {
            // rr takes this bit for the answer to a step it asked for.
            if let Ok(status) = sys::peek_user(tid, sys::USER_DR6)
                && status & stop::DR6_STEP != 0
            {
                let _ = sys::poke_user(tid, sys::USER_DR6, status & !stop::DR6_STEP);
            }
        }
        log!(2, "{tid}: reporting {:#x}", info.status());
    }

    /// A `SIGTRAP` stop after a step.
    fn on_trap(&mut self, tid: i32, request: Request, step: Step, info: SigInfo) -> Result<Outcome, Errno> {
        let rip = sys::peek_user(tid, sys::USER_RIP)?;
        let watching = self.tracee(tid).watching;
        let plain = matches!(step.class, Class::Ordinary | Class::ConditionalBranch);
        let meaning = if plain && !step.doubtful && !watching && rip != step.rip {
            Meaning::Retired
        } else {
            self.statistics.examined += 1;
            let debug_status = if watching {
                sys::peek_user(tid, sys::USER_DR6)?
            } else {
                0
            };
            let code = sys::signal_info(tid)?.code;
            stop::interpret(&Trap {
                code,
                debug_status,
                watching,
                moved: rip != step.rip,
                class: step.class,
            })
        };
        let due = match meaning {
            Meaning::Retired | Meaning::RetiredAndWatched | Meaning::Foreign { retired: true } => {
                self.account(tid, step, rip)?
            }
            Meaning::BreakpointRegister | Meaning::LeftKernel | Meaning::Foreign { retired: false } => false,
        };
        match meaning {
            Meaning::Foreign { retired } if self.withhold(tid)? => {
                if retired && request.is_step() {
                    return Ok(Outcome::Report(info));
                }
                self.step(tid, rip)?;
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
            Meaning::Retired | Meaning::LeftKernel if request.is_step() => Ok(Outcome::Report(info)),
            Meaning::Retired if due => self.overflow(tid, info),
            Meaning::Retired | Meaning::LeftKernel => {
                self.step(tid, rip)?;
                Ok(Outcome::Internal)
            }
        }
    }

    /// Takes a `SIGTRAP` back that was sent to the program and came through only because stepping unblocked it. False if
    /// this stop is no such signal.
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
    fn account(&mut self, tid: i32, step: Step, rip: u64) -> Result<bool, Errno> {
        match step.class {
            Class::ConditionalBranch => Ok(self.count(tid)),
            Class::PushFlags => {
                const RSP: i64 = 19 * 8;
                const TRAP_FLAG_BIT: u32 = 8;
                sys::clear_bit(tid, sys::peek_user(tid, RSP)?, TRAP_FLAG_BIT)?;
                Ok(false)
            }
            Class::CpuId { length } => {
                let next = step.rip.wrapping_add(u64::from(length));
                Ok(rip != next && classify(tid, next) == Class::ConditionalBranch && self.count(tid))
            }
            Class::Ordinary | Class::SystemCall | Class::Trap => Ok(false),
        }
    }

    fn count(&mut self, tid: i32) -> bool {
        self.statistics.ticks += 1;
        self.counters
            .running(tid)
            .is_some_and(|(_, ticks)| ticks.counter.count() && ticks.signal != 0)
    }

    /// Turns the trap after a step into the signal a hardware counter sends when its period is over.
    fn overflow(&mut self, tid: i32, mut info: SigInfo) -> Result<Outcome, Errno> {
        let Some((descriptor, ticks)) = self.counters.running(tid) else {
            return Ok(Outcome::Report(info));
        };
        ticks.counter.overflow_reported();
        let signal = ticks.signal;
        let mut overflow = SigInfo::zero();
        overflow.signo = signal;
        overflow.code = sys::POLL_IN;
        overflow.word0 = sys::BAND_IN as u64;
        overflow.word1 = descriptor;
        sys::set_signal_info(tid, &overflow)?;
        self.statistics.overflows += 1;
        info.word1 = signal;
        Ok(Outcome::Report(info))
    }

    /// A stop other than `SIGTRAP` in the middle of a step.
    ///
    /// A fault or a signal of the program comes instead of the step: the kernel delivers a step's own trap before any
    /// other signal. Only the stops that are no signals come before it, with the trap still pending.
    fn on_other_stop(&mut self, tid: i32, step: Step, info: SigInfo) -> Result<Outcome, Errno> {
        if info.status() >> 8 == 0 {
            return Ok(Outcome::Report(info));
        }
        let trap_pending = sys::pending_signals(tid)?.iter().any(|pending| {
            pending.signo == sys::SIGTRAP && [stop::TRAP_TRACE, stop::TRAP_HWBKPT].contains(&pending.code)
        });
        if !trap_pending {
            return Ok(Outcome::Report(info));
        }
        let rip = sys::peek_user(tid, sys::USER_RIP)?;
        self.account(tid, step, rip)?;
        if info.status() >> 8 != sys::EVENT_STOP {
            return Ok(Outcome::Report(info));
        }
        // Left pending, the trap would surprise rr at its next resume, whatever that is for. It is delivered before the
        // tracee runs any code; rr looks at the status of an interrupt stop only, and drops the signal as it resumes.
        // SAFETY: a resume request touches no memory of ours.
        unsafe { sys::ptrace(sys::PTRACE_SINGLESTEP, tid, 0, 0) }?;
        let mut trap = SigInfo::zero();
        while sys::waitid(sys::P_PID, tid, &mut trap, sys::WSTOPPED | sys::WEXITED | sys::WALL)
            == Err(Errno(sys::EINTR))
        {}
        log!(
            1,
            "{tid}: an interrupt came before the step trap, which was {:#x}",
            trap.status()
        );
        Ok(Outcome::Report(if trap.status() == sys::SIGTRAP { info } else { trap }))
    }
}

/// The kernel's answer to a request it does not know.
const EIO: i32 = 5;

/// Whether the tracee is on its way out of an interrupted system call that the kernel will run again.
fn restarts_system_call(registers: &UserRegs) -> bool {
    /// `ERESTARTSYS`, `ERESTARTNOINTR`, `ERESTARTNOHAND` and `ERESTART_RESTARTBLOCK`.
    const RESTARTS: [i64; 4] = [-512, -513, -514, -516];
    registers.orig_rax as i64 >= 0 && RESTARTS.contains(&(registers.rax as i64))
}

/// Classifies the instruction at `rip`. Where it cannot be read it cannot be run either.
fn classify(tid: i32, rip: u64) -> Class {
    let mut code = [0u8; decode::MAX_LENGTH + 1];
    match sys::read_memory(tid, rip, &mut code) {
        Ok(length) => decode::classify(code.get(..length).unwrap_or(&code)),
        Err(_) => {
            // Some kernels refuse the whole read at the end of a mapping.
            let rest = (0x1000 - rip % 0x1000).min(code.len() as u64) as usize;
            let code = &mut code[..rest];
            sys::read_memory(tid, rip, code).map_or(Class::Ordinary, |_| decode::classify(code))
        }
    }
}
