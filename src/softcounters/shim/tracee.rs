//! Driving a tracee: from one resume by rr to the next stop rr shall see.
//!
//! A tracee is *driven* if rr resumes it while its ticks counter is enabled. Then it runs translated code where it can,
//! is single-stepped where it cannot, and the stops in between stay here. Resumes with the counter disabled are system
//! calls rr runs in the tracee for its own purposes; they go to the kernel untouched.

use std::ops::Range;

use super::cache::fpu;
use super::decode::{self, Class};
use super::inject;
use super::log::log;
use super::memory;
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
pub enum Phase {
    /// Running one instruction.
    Stepping(Step),
    /// Running translated code, which may execute `remaining` branches. Entered by the resume request `how`.
    Cached { remaining: u64, how: How },
    /// Leaving the stop of the cache's exit, which takes another stop.
    Draining,
    /// Carrying out rr's own request; whatever comes is for rr.
    Native,
    /// About to enter a system call under `PTRACE_CONT`, which must not run on after the call.
    Entering,
    /// Inside a system call; its exit stop is ours.
    Inside,
}

/// How the cache was entered, which decides what its exits look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// `PTRACE_SYSEMU`: a stop at the entry of a system call that is not made.
    Emulated,
    /// `PTRACE_SYSCALL`: a stop at the entry of a system call that can be made.
    Entered,
    /// `PTRACE_CONT`: a stop of rr's seccomp filter, before a system call that can be made.
    Filtered,
}

/// A single step in progress.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where the instruction is.
    rip: u64,
    class: Class,
    /// The stop may mean something else than "the instruction completed".
    doubtful: bool,
}

/// Where a driven tracee stands, stopped, between two resumes that rr does not see.
#[derive(Clone, Copy)]
pub struct Stand {
    /// The program's registers.
    pub registers: UserRegs,
    /// The kernel has these registers, too.
    pub written: bool,
    /// The stop is the cache's exit: the tracee is inside a system call that must not be made.
    pub in_exit: bool,
    /// An indirect branch came here that the cache's table does not know.
    pub tabulate: bool,
}

impl Stand {
    /// In a stop of the tracee's own, with new registers.
    pub fn at(registers: UserRegs) -> Stand {
        Stand { registers, written: false, in_exit: false, tabulate: false }
    }

    /// In a stop of the tracee's own, as the kernel has it.
    fn there(registers: UserRegs) -> Stand {
        Stand { written: true, ..Stand::at(registers) }
    }
}

/// A resume by rr in progress.
#[derive(Clone, Copy, Debug)]
struct Drive {
    request: Request,
    phase: Phase,
    /// The counter overflows before the cache can be entered again.
    near: bool,
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
    /// One of them is an execution breakpoint, which translated code would not meet.
    breaking: bool,
    /// The number of its address space, once it was needed.
    space: Option<u32>,
    /// How many seccomp filters the thread has, once it was asked.
    filters: Option<u32>,
    /// What the system call it is in may do to mappings of its address space.
    changing: Vec<Range<u64>>,
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
        let executes = |register: u32| dr7 >> (register * 2) & 3 != 0 && dr7 >> (16 + register * 4) & 3 == 0;
        self.breaking = (0..4).any(executes);
    }

    /// rr resumed the tracee without a counter.
    pub fn pass(&mut self) {
        self.drive = None;
        self.last_stop = 0;
    }
}

impl State {
    /// rr sees this stop.
    pub fn note_stop(&mut self, tid: i32, status: i32) {
        let tracee = self.tracee(tid);
        tracee.last_stop = status;
        tracee.drive = None;
        let changed = std::mem::take(&mut tracee.changing);
        if !changed.is_empty() {
            self.change_space(tid, &changed);
        }
        match status >> 8 {
            sys::EVENT_FORK | sys::EVENT_VFORK | sys::EVENT_CLONE => self.note_clone(tid),
            sys::EVENT_EXEC => {
                self.leave_space(tid);
                // The thread that made the call may have had another id before.
                if let Ok(former) = sys::event_message(tid) {
                    self.leave_space(former as i32);
                }
            }
            _ => {}
        }
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
        check_mode(tid, &registers);
        let in_kernel = self.is_in_kernel(tid)?;
        log!(2, "{tid}: {request:?} at {:#x}, in kernel: {in_kernel}, signal {signal}", registers.rip);
        self.note_system_call(tid, &registers);
        if signal != 0 {
            // A handler's frame shows it.
            self.correct_x87(tid)?;
        }
        let drive = Drive { request, phase: Phase::Native, near: false, hidden_mask: None };
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

    /// The number of the tracee's address space.
    pub fn space_of(&mut self, tid: i32) -> u32 {
        if let Some(id) = self.tracee(tid).space {
            return id;
        }
        let id = self.spaces.join(tid);
        log!(1, "{tid}: joins address space {id}");
        self.tracee(tid).space = Some(id);
        id
    }

    /// The number of the tracee's address space, if it was ever needed.
    pub fn known_space_of(&self, tid: i32) -> Option<u32> {
        self.known(tid).and_then(|tracee| tracee.space)
    }

    /// The tracee has this address space.
    pub fn set_space(&mut self, tid: i32, id: u32) {
        self.tracee(tid).space = Some(id);
    }

    /// The tracee is gone, or has a new address space.
    pub fn leave_space(&mut self, tid: i32) {
        log!(1, "{tid}: leaves address space {:?}", self.known_space_of(tid));
        if let Some(id) = self.known_space_of(tid) {
            self.tracee(tid).space = None;
            self.spaces.leave(id, tid);
        }
    }

    /// Takes an address of the cache out of the x87 unit.
    fn correct_x87(&mut self, tid: i32) -> Result<(), Errno> {
        let space = self.known_space_of(tid).and_then(|id| self.spaces.get(id));
        space.map_or(Ok(()), |space| fpu::correct_instruction_pointer(tid, &space.index))
    }

    /// How many seccomp filters judge the tracee's system calls.
    pub fn filters(&mut self, tid: i32) -> u32 {
        *self.tracee(tid).filters.get_or_insert_with(|| memory::filters(tid))
    }

    /// The tracee may put another filter in place.
    pub fn note_filter(&mut self, tid: i32) {
        self.tracee(tid).filters = Some(u32::MAX);
    }

    /// The tracee is about to make a system call with an effect on these addresses.
    pub fn note_pending_change(&mut self, tid: i32, ranges: Vec<Range<u64>>) {
        self.tracee(tid).changing.extend(ranges);
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

    /// Resumes the tracee; what comes next is expected to be what `phase` says.
    pub fn issue(&mut self, tid: i32, request: i64, signal: i64, phase: Phase) -> Result<(), Errno> {
        if !matches!(phase, Phase::Stepping(_)) {
            self.restore_mask(tid)?;
        }
        log!(3, "{tid}: ptrace request {request}, {phase:?}");
        sys::resume(tid, request, signal)?;
        self.set_phase(tid, phase);
        Ok(())
    }

    /// What is expected of a driven tracee.
    pub fn set_phase(&mut self, tid: i32, phase: Phase) {
        if let Some(drive) = &mut self.tracee(tid).drive {
            drive.phase = phase;
        }
    }

    /// The next branches are few and must be stepped.
    pub fn set_near(&mut self, tid: i32) {
        if let Some(drive) = &mut self.tracee(tid).drive {
            drive.near = true;
        }
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

    /// Whether debug registers allow translated code.
    fn may_enter(&mut self, tid: i32) -> Result<bool, Errno> {
        let tracee = self.tracee(tid);
        if !tracee.watching {
            return Ok(true);
        }
        // A trap that is blocked would reset the program's handler.
        Ok(!tracee.breaking && sys::signal_mask(tid)? & SIGTRAP_BIT == 0)
    }

    /// Runs the instruction where the tracee stands, ready to execute it.
    pub fn step(&mut self, tid: i32, stand: Stand) -> Result<(), Errno> {
        let Some(drive) = self.tracee(tid).drive else {
            return Ok(());
        };
        let rip = stand.registers.rip;
        if !stand.written {
            sys::set_registers(tid, &stand.registers)?;
        }
        let code = code_at(tid, rip);
        let class = decode::classify(&code);
        if fpu::is_stored_by(&code) {
            self.correct_x87(tid)?;
        }
        if class == Class::SystemCall {
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
        // From the cache's exit this request alone makes no stop of its own on the way.
        let request = if stand.in_exit { sys::PTRACE_SYSEMU_SINGLESTEP } else { sys::PTRACE_SINGLESTEP };
        self.issue_step(tid, request, 0, Step { rip, class, doubtful: false })
    }

    /// Steps where the kernel may do something else first: finish or restart a system call, or enter a signal handler.
    fn step_doubtfully(&mut self, tid: i32, rip: u64, request: Request, signal: i64) -> Result<(), Errno> {
        let class = classify(tid, rip);
        self.issue_step(tid, request.stepping(), signal, Step { rip, class, doubtful: true })
    }

    fn issue_step(&mut self, tid: i32, request: i64, signal: i64, step: Step) -> Result<(), Errno> {
        self.hide_mask(tid)?;
        self.statistics.steps += 1;
        self.issue(tid, request, signal, Phase::Stepping(step))
    }

    /// Unblocks `SIGTRAP` for the time of stepping: the kernel takes a blocked trap for a fatal mistake and resets the
    /// program's handler for it.
    fn hide_mask(&mut self, tid: i32) -> Result<(), Errno> {
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
        let registers = sys::registers(tid)?;
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
                self.account(tid, step, &registers)?
            }
            Meaning::BreakpointRegister | Meaning::LeftKernel | Meaning::Foreign { retired: false } => false,
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
            Meaning::Retired | Meaning::LeftKernel if request.is_step() => Ok(Outcome::Report(info)),
            Meaning::Retired if due => self.overflow(tid, info),
            Meaning::Retired | Meaning::LeftKernel => {
                self.advance(tid, Stand::there(registers))?;
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
    fn account(&mut self, tid: i32, step: Step, registers: &UserRegs) -> Result<bool, Errno> {
        let rip = registers.rip;
        match step.class {
            Class::ConditionalBranch => Ok(self.count(tid)),
            Class::PushFlags => {
                const TRAP_FLAG_BIT: u32 = 8;
                sys::clear_bit(tid, registers.rsp, TRAP_FLAG_BIT)?;
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
        self.counters.running(tid).is_some_and(|(_, ticks)| ticks.counter.count() && ticks.signal != 0)
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
        let registers = sys::registers(tid)?;
        self.account(tid, step, &registers)?;
        if info.status() >> 8 != sys::EVENT_STOP {
            return Ok(Outcome::Report(info));
        }
        // Left pending, the trap would surprise rr at its next resume, whatever that is for. It is delivered before the
        // tracee runs any code; rr looks at the status of an interrupt stop only, and drops the signal as it resumes.
        sys::resume(tid, sys::PTRACE_SINGLESTEP, 0)?;
        let trap = inject::wait(tid)?;
        log!(1, "{tid}: an interrupt came before the step trap, which was {:#x}", trap.status());
        Ok(Outcome::Report(if trap.status() == sys::SIGTRAP { info } else { trap }))
    }
}

const SIGTRAP_BIT: u64 = 1 << (sys::SIGTRAP - 1);

fn check_mode(tid: i32, registers: &UserRegs) {
    if registers.cs != CS_64 {
        sys::give_up(&format!(
            "thread {tid} runs 32-bit code, which soft counters cannot count; use hardware counters"
        ));
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

/// Classifies the instruction at `rip`.
fn classify(tid: i32, rip: u64) -> Class {
    decode::classify(&code_at(tid, rip))
}

/// The bytes of the instruction at `rip`, and some more. Where it cannot be read it cannot be run either.
fn code_at(tid: i32, rip: u64) -> Vec<u8> {
    let mut code = vec![0u8; decode::MAX_LENGTH + 1];
    let read = sys::read_memory(tid, rip, &mut code).or_else(|_| {
        // Some kernels refuse the whole read at the end of a mapping.
        let rest = (memory::PAGE - rip % memory::PAGE).min(code.len() as u64) as usize;
        sys::read_memory(tid, rip, &mut code[..rest])
    });
    code.truncate(read.unwrap_or(0));
    code
}
