//! System calls that rr's library makes for the program, as instructions.
//!
//! rr writes a jump over a `syscall` that it has met, and over some of the code behind it. The jump leads to rr's
//! library, which makes the call, does what was written over, and comes back behind that. Users do not see rr's code:
//! to them a thread in there waits behind its `syscall`, as without that library. So it is for the rules of stepping:
//! the whole detour is one instruction. It is passed by a breakpoint at its other end, as rr itself may lose its way,
//! or die, where it is to step through the code that it treats in its own ways.
//!
//! Over the beginning of the dynamic linker's resolver, which a function's first call through the PLT comes to, rr
//! writes a call of its own code instead. That does what was written over, so that it comes back with another stack
//! pointer, and to a `nop` in the midst of what was there.

use crate::api::error::Error;
use crate::breakpoints::temporary::{StackPointer, Temporary};
use crate::modules::code::{JUMP_LENGTH, SYSCALL};
use crate::modules::loaded::Module;
use crate::run::mover::Mover;
use crate::run::session::Session;
use crate::run::step::{Connector, Machine, Moved, Spot, after, call_before};
use crate::target::signals::SIGTRAP;
use arch::{Direction, Flow, FrameAddress, RunAddr, ThreadId};
use base::cancel::Cancel;
use rsp::{Outcome, Resume, StopReply};
use std::time::Duration;

/// `jmp rel32`, which is what rr writes.
const JUMP: u8 = 0xe9;
/// `call rel32`, which has the same length.
const CALL_RELATIVE: u8 = 0xe8;
/// Most instructions of a PLT entry.
const PLT_ENTRY: usize = 4;
/// `call *address`, the other that it writes, and its length with the address.
const CALL: [u8; 3] = [0xff, 0x14, 0x25];
const CALL_LENGTH: u64 = 7;
/// Bytes of a return address.
const ADDRESS: u64 = 8;
/// How much is written over, at most.
const REACH: u64 = 16;
/// The instructions that rr writes jumps over begin with one of these: `syscall`, `rdtsc`, `rdtscp`, `cpuid`, and
/// `call *%rax`, of which it makes a `syscall` where it calls the vsyscall page.
const REPLACED: [[u8; 2]; 5] = [SYSCALL, [0x0f, 0x31], [0x0f, 0x01], [0x0f, 0xa2], [0xff, 0xd0]];
/// System calls that rr makes again in the replay (x86-64): `mmap`, `mprotect`, `munmap`, `brk`, `mremap`, `madvise`,
/// `arch_prctl`, `set_thread_area`, `pkey_mprotect`.
const MADE_AGAIN: [u64; 9] = [9, 10, 11, 12, 25, 28, 158, 205, 329];
/// What rr has in `r11` behind a `syscall`.
const FLAGS: u64 = 0x246;
/// How the resolver begins that rr writes over: `push %rbx; mov %rsp,%rbx; and $-64,%rsp`, or `$-16`.
const RESOLVER: [u8; 7] = [0x53, 0x48, 0x89, 0xe3, 0x48, 0x83, 0xe4];

/// Bytes of the instruction in front of the `syscall` that ends handlers.
const SIGRETURN_NUMBER_LENGTH: u64 = 7;
/// Where the kernel saves general registers for a handler, behind the handler's return address: `ucontext_t`,
/// `uc_mcontext.gregs`; and which of them are the stack pointer and the program counter (x86-64).
const SAVED: u64 = 40;
const SAVED_SP: u64 = 15;
const SAVED_PC: u64 = 16;

/// How long one step back may take.
const STEP: Duration = Duration::from_secs(60);

/// What rr has written at an address.
#[derive(Clone, Copy)]
struct Detour {
    /// Where it leads to.
    to: RunAddr,
    /// It comes back with another stack pointer.
    is_call: bool,
}

impl Mover<'_, '_> {
    /// Returns where the thread is, be it in rr's code.
    pub(crate) fn actual_spot(&mut self) -> Result<Spot, Error> {
        let registers = self.session.debuggee.inferior.process.registers(self.session.debuggee.thread)?;
        Ok(Spot { pc: registers.pc().unwrap_or_default(), sp: registers.sp().unwrap_or_default() })
    }

    /// Returns where the thread comes back to from the detour that it is on, if it is on one.
    pub(crate) fn behind_detour(&mut self, here: Spot) -> Option<Spot> {
        let inferior = &mut self.session.debuggee.inferior;
        if !inferior.is_rr_code(here.pc) {
            return None;
        }
        let outside = inferior.outside_of_rr(self.session.debuggee.thread).ok()??;
        let FrameAddress::Return(pc) = outside.address else { return None };
        Some(Spot { pc, sp: outside.registers.sp()? })
    }

    /// Executes one instruction; a detour is one. What a signal leads to comes before the rest of it.
    pub(crate) fn step_forward(&mut self) -> Moved {
        let thread = self.session.debuggee.thread;
        let is_delivered = self.session.state.signal.is_some_and(|signal| signal.position.thread == thread);
        if !is_delivered
            && let here = self.actual_spot()?
            && let Some(behind) = self.behind_detour(here)
        {
            if let Some(begin) = self.begin_of_detour(behind.pc)
                && self.detour_at(begin).is_some_and(|detour| detour.is_call)
            {
                let ends = self.ends_of_detour(begin, behind.sp);
                return self.run_to(Direction::Forward, &ends);
            }
            let moved = self.run_to(Direction::Forward, &[Temporary::is(behind.pc, behind.sp)])?;
            if moved.is_some() || self.actual_spot()? != behind {
                return Ok(moved);
            }
        }
        let was = self.actual_spot()?;
        if !is_delivered
            && let Some(behind) = self.interrupted_by_handler(was).or_else(|| self.behind_call_made_again(was))
        {
            return self.run_to(Direction::Forward, &[behind]);
        }
        let Some(detour) = self.detour_at(was.pc) else {
            // rr writes its jump when the call is made for the first time. Behind that, the stack is not to be read.
            let may_be_written = self.session.debuggee.inferior.modules.has_buffer() && self.is_system_call(was.pc);
            let ends = if may_be_written { self.ends_of_detour(was.pc, was.sp) } else { Vec::new() };
            let moved = self.single_step(Direction::Forward)?;
            if moved.is_some() || is_delivered || self.is_rr_code(was) {
                return Ok(moved);
            }
            if may_be_written && self.detour_at(was.pc).is_some() {
                return self.run_to(Direction::Forward, &ends);
            }
            if let Some(reason) = self.pass_interposed(Direction::Forward)? {
                return Ok(Some(reason));
            }
            // A function of the kernel's page, which rr has replaced by a system call of its own.
            let here = self.actual_spot()?;
            return match self.behind_detour(here) {
                Some(behind) => self.run_to(Direction::Forward, &[Temporary::is(behind.pc, behind.sp)]),
                None => Ok(None),
            };
        };
        if is_delivered {
            let moved = self.single_step(Direction::Forward)?;
            if moved.is_some() || self.actual_spot()?.pc != detour.to {
                return Ok(moved);
            }
        }
        let ends = self.ends_of_detour(was.pc, was.sp);
        match ends.is_empty() {
            // Nobody knows where it comes back.
            true => self.single_step(Direction::Forward),
            false => self.run_to(Direction::Forward, &ends),
        }
    }

    /// Finds where the program goes on if a thread is about to end a signal handler (`rt_sigreturn`) or in the midst of
    /// that, as what the kernel has saved says. rr's step over that executes the next instruction, too.
    fn interrupted_by_handler(&mut self, here: Spot) -> Option<Temporary> {
        let thread = self.session.debuggee.thread;
        let inferior = &mut self.session.debuggee.inferior;
        let is_about_to = inferior.modules.is_sigreturn(RunAddr(here.pc.0.checked_sub(SIGRETURN_NUMBER_LENGTH)?));
        let mut is_in_call = || {
            let registers = inferior.process.registers(thread).ok()?;
            (registers.pc() == Some(here.pc) && inferior.modules.is_returning_from_signal(&registers)).then_some(())
        };
        if !is_about_to {
            is_in_call()?;
        }
        let mut saved = |register: u64| inferior.process.read_u64(here.sp.checked_add(SAVED + register * 8)?);
        let (sp, pc) = (saved(SAVED_SP)?, RunAddr(saved(SAVED_PC)?));
        (!inferior.process.read_up_to(pc.0, 1).is_empty()).then_some(Temporary::is(pc, sp))
    }

    /// Finds where a thread comes back to from a system call that rr makes again: rr's step over that executes the next
    /// instruction, too. Not of one that rr may be about to write over: it would take a breakpoint there for its own code.
    fn behind_call_made_again(&mut self, here: Spot) -> Option<Temporary> {
        let inferior = &mut self.session.debuggee.inferior;
        if inferior.modules.writes_over_code(&mut inferior.process) {
            return None;
        }
        let registers = self.session.debuggee.inferior.process.registers(self.session.debuggee.thread).ok()?;
        let is_made_again = registers.value("rax").is_some_and(|number| MADE_AGAIN.contains(&number));
        let behind = RunAddr(here.pc.0.wrapping_add(SYSCALL.len() as u64));
        (is_made_again && self.is_system_call(here.pc)).then_some(Temporary::is(behind, here.sp))
    }

    /// Takes back one instruction from where the thread is; a detour is one.
    pub(crate) fn step_back_from(&mut self, was: Spot) -> Moved {
        let behind = self.behind_detour(was);
        let begins = behind.map(|behind| self.begins_of_detour(behind)).unwrap_or_default();
        if !begins.is_empty() {
            return self.run_to(Direction::Reverse, &begins);
        }
        if let Some(call) = self.syscall_just_made(was)? {
            return self.run_to(Direction::Reverse, &[call]);
        }
        if let Some(begin) = self.begin_of_call(was.pc) {
            return self.run_to(Direction::Reverse, &[Temporary { address: begin, sp: StackPointer::Any }]);
        }
        if let Some(reason) = self.single_step(Direction::Reverse)? {
            return Ok(Some(reason));
        }
        let here = self.actual_spot()?;
        // As rr goes over some system calls and over the next instruction at once, it may come to the call from behind both,
        // or to in front of the call from in between.
        let behind = self.interrupted_by_handler(here).or_else(|| self.behind_call_made_again(here));
        if let Some(behind) = behind.filter(|behind| behind.address != was.pc) {
            return self.run_to(Direction::Forward, &[behind]);
        }
        let ends_handler = self.session.debuggee.inferior.modules.is_sigreturn(here.pc)
            && was.pc.0 != here.pc.0.wrapping_add(SIGRETURN_NUMBER_LENGTH);
        let call = RunAddr(was.pc.0.wrapping_sub(SYSCALL.len() as u64));
        let is_in_front = |i| after(here.pc, i) == call;
        if ends_handler
            || here.pc != call && self.is_system_call(call) && self.instruction(here.pc).is_some_and(is_in_front)
        {
            self.alone(self.session.debuggee.thread, Direction::Forward)?;
            return Ok(None);
        }
        if self.session.debuggee.inferior.is_rr_code(here.pc)
            && (here.sp == was.sp || self.behind_detour(here) == Some(was))
        {
            let begins = self.begins_of_detour(was);
            if !begins.is_empty() {
                return self.run_to(Direction::Reverse, &begins);
            }
        }
        if self.is_rr_code(here) && !self.is_rr_code(was) {
            return self.pass_interposed(Direction::Reverse);
        }
        Ok(None)
    }

    /// Finds what rr has written at an address in place of the program's code, if it has.
    fn detour_at(&mut self, at: RunAddr) -> Option<Detour> {
        let inferior = &mut self.session.debuggee.inferior;
        let module = inferior.modules.at(at)?;
        if !may_be_written_over(module, at) {
            return None;
        }
        let code = inferior.process.read_up_to(at.0, CALL_LENGTH as usize);
        let detour = if let Some(address) = code.strip_prefix(&CALL) {
            let address = u32::from_le_bytes(address.try_into().ok()?);
            let to = inferior.process.read_up_to(address.into(), 8);
            Detour { to: RunAddr(u64::from_le_bytes(to.try_into().ok()?)), is_call: true }
        } else {
            let distance = code.get(..JUMP_LENGTH as usize)?.strip_prefix(&[JUMP])?;
            let distance = i32::from_le_bytes(distance.try_into().ok()?);
            Detour { to: RunAddr(at.0.wrapping_add(JUMP_LENGTH).wrapping_add_signed(distance.into())), is_call: false }
        };
        let length = if detour.is_call { CALL_LENGTH } else { JUMP_LENGTH } as usize;
        if module.image.file_bytes(module.link(at), length) == code.get(..length) {
            return None;
        }
        let is_rr = match detour.is_call {
            true => inferior.is_rr_code(detour.to),
            false => inferior.modules.at(detour.to).is_none(),
        };
        is_rr.then_some(detour)
    }

    /// Finds where a detour may come back that begins at an address, with this stack pointer: behind an instruction
    /// that has been written over, or where that returns to.
    fn ends_of_detour(&mut self, begin: RunAddr, sp: u64) -> Vec<Temporary> {
        let (least, sp) = match self.detour_at(begin) {
            Some(Detour { is_call: true, .. }) => (CALL_LENGTH, StackPointer::JustBelow(sp)),
            _ => (JUMP_LENGTH, StackPointer::Is(sp)),
        };
        let mut ends = Vec::new();
        let mut at = RunAddr(begin.0.wrapping_add(SYSCALL.len() as u64));
        if self.is_system_call(begin)
            && let StackPointer::Is(sp) = sp
            && self.instruction(at).is_some_and(|i| i.flow == Flow::Return)
        {
            let back = self.word(sp).map(|back| Temporary::is(RunAddr(back), sp.wrapping_add(ADDRESS)));
            return back.into_iter().collect();
        }
        at = begin;
        while let Some(i) = self.instruction(at).filter(|_| at.0 - begin.0 < REACH) {
            at = RunAddr(at.0.wrapping_add(i.length));
            if at.0 - begin.0 >= least {
                ends.push(Temporary { address: at, sp });
            }
        }
        ends
    }

    /// Finds the `syscall` that a thread is just behind, if it has made that call itself. rr's own step back over one
    /// that has waited while another thread got a signal takes that for something to stop for, finds nothing, and ends
    /// at the beginning of the recording. Of calls that cannot wait, rr makes some in the replay, too, with the program's
    /// own instruction: it dies of a breakpoint there.
    fn syscall_just_made(&mut self, here: Spot) -> Result<Option<Temporary>, Error> {
        let inferior = &mut self.session.debuggee.inferior;
        let registers = inferior.process.registers(self.session.debuggee.thread)?;
        // The number of the call is forgotten with the next instruction. The rest is what rr leaves behind each call: the
        // processor would have left the address and the flags.
        let made = registers.value("orig_rax").filter(|number| *number != u64::MAX);
        let is_behind_call = made.is_some_and(|number| !MADE_AGAIN.contains(&number));
        if !is_behind_call || registers.value("rcx") != Some(u64::MAX) || registers.value("r11") != Some(FLAGS) {
            return Ok(None);
        }
        Ok(inferior.modules.syscall_before(here.pc).map(|call| Temporary::is(call, here.sp)))
    }

    /// Finds where the call of rr's begins that comes back to an address, by a `nop` or not.
    fn begin_of_call(&mut self, end: RunAddr) -> Option<RunAddr> {
        let mut written = [CALL_LENGTH, CALL_LENGTH + 1].map(|length| RunAddr(end.0.wrapping_sub(length))).into_iter();
        written.find(|at| self.detour_at(*at).is_some_and(|detour| detour.is_call))
    }

    /// Finds where the detour begins that comes back to an address, in the function there.
    fn begin_of_detour(&mut self, end: RunAddr) -> Option<RunAddr> {
        let written = (JUMP_LENGTH..=REACH).map(|length| RunAddr(end.0.wrapping_sub(length)));
        written.into_iter().find(|at| self.detour_at(*at).is_some())
    }

    /// Finds where the detour may begin that comes back to a place: the last of them that the thread has been at. One
    /// whose `syscall` a return is right behind comes back to the caller.
    fn begins_of_detour(&mut self, end: Spot) -> Vec<Temporary> {
        if let Some(begin) = self.begin_of_detour(end.pc) {
            return vec![Temporary::is(begin, end.sp)];
        }
        let Some(call) = call_before(self, end.pc) else { return Vec::new() };
        let mut begins = self.session.debuggee.inferior.modules.returning_syscalls();
        begins.retain(|at| self.detour_at(*at).is_some());
        let within = end.sp.wrapping_sub(ADDRESS);
        let jump = self.jump_of_plt(call);
        let within = begins.into_iter().chain(jump).map(|at| Temporary::is(at, within));
        within.chain([Temporary::is(call, end.sp)]).collect()
    }

    /// Finds the jump of the PLT entry that an instruction calls: to rr's code, where that takes the place of a function.
    fn jump_of_plt(&mut self, call: RunAddr) -> Option<RunAddr> {
        let inferior = &mut self.session.debuggee.inferior;
        let code = inferior.modules.code(&mut inferior.process, call);
        let distance = code.get(..JUMP_LENGTH as usize)?.strip_prefix(&[CALL_RELATIVE])?;
        let distance = i32::from_le_bytes(distance.try_into().ok()?);
        let mut at = RunAddr(call.0.wrapping_add(JUMP_LENGTH).wrapping_add_signed(distance.into()));
        for _ in 0..PLT_ENTRY {
            let here = self.instruction(at).filter(|_| self.connector(at) == Some(Connector::Plt))?;
            if here.flow == Flow::IndirectJump {
                return Some(at);
            }
            at = after(at, here);
        }
        None
    }
}

/// Returns whether there may be a detour at an address, by what a module's file has there. Where there cannot be one,
/// memory is not looked at: rr takes back instruction after instruction without moving anything as long as it is asked
/// for nothing but registers in between.
fn may_be_written_over(module: &Module, at: RunAddr) -> bool {
    // It may begin before the instruction, and the file may end in the midst of it.
    let link = module.link(at);
    let file = (1..=REACH as usize + 1).rev().find_map(|length| module.image.file_bytes(link, length));
    file.is_none_or(|file| {
        file.starts_with(&RESOLVER) || file.windows(2).any(|pair| REPLACED.iter().any(|replaced| pair == replaced))
    })
}

impl Session {
    /// Goes to the end of the recording, or of the process if that is first.
    pub(crate) fn go_to_end(&mut self) -> Result<(), Error> {
        self.go_to_event(i64::MAX as u64)?;
        self.leave_lost_stack()
    }

    /// Leaves a stack that is lost: at the end of a process that has gone on a detour for its last system call, the
    /// stack is not there any more from which rr's library made it: nothing would be known of the program's. One
    /// instruction before, it is there.
    pub(crate) fn leave_lost_stack(&mut self) -> Result<(), Error> {
        let thread = self.debuggee.thread;
        if !self.state.at_end || !self.is_stack_lost(thread)? {
            return Ok(());
        }
        let process = &mut self.debuggee.inferior.process;
        process.set_breaks(&[])?;
        let stepped = process.resume(Resume::ReverseStep(thread), &Cancel::default().with_deadline(STEP))?;
        let is_there = matches!(stepped, Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread: stopped, .. })
            if stopped == thread);
        if !is_there || self.is_stack_lost(thread)? {
            self.go_to_event(i64::MAX as u64)?;
        }
        self.state.at_end = true;
        Ok(())
    }

    /// Returns whether a thread is in rr's code, and it cannot be told where that leads back to.
    fn is_stack_lost(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let inferior = &mut self.debuggee.inferior;
        let pc = inferior.process.registers(thread)?.pc().unwrap_or_default();
        Ok(inferior.is_rr_code(pc) && inferior.outside_of_rr(thread)?.is_none())
    }
}
