//! System calls that rr's library makes for the program, as instructions.
//!
//! rr writes a jump over a `syscall` that it has met, and over some of the code behind it. The jump leads to rr's
//! library, which makes the call, does what was written over, and comes back behind that. Users do not see rr's code:
//! to them a thread in there waits behind its `syscall`, as without that library. So it is for the rules of stepping:
//! the whole detour is one instruction. It is passed by a breakpoint at its other end, as rr itself may lose its way,
//! or die, where it is to step through the code that it treats in its own ways.

use crate::arch::{Direction, FrameAddress, RunAddr, ThreadId};
use crate::cancel::Cancel;
use crate::engine::api::error::Error;
use crate::engine::breakpoints::temporary::Temporary;
use crate::engine::run::mover::Mover;
use crate::engine::run::session::Session;
use crate::engine::run::step::{Machine, Moved, Spot, call_before};
use crate::engine::target::signals::SIGTRAP;
use crate::rsp::{Outcome, Resume, StopReply};
use std::time::Duration;

/// `jmp rel32`, which is what rr writes, and its length.
const JUMP: u8 = 0xe9;
const JUMP_LENGTH: u64 = 5;
/// How much is written over, at most.
const REACH: u64 = 16;

/// How long one step back may take.
const STEP: Duration = Duration::from_secs(60);

impl Mover<'_, '_> {
    /// Returns where the thread is, be it in rr's code.
    pub(in crate::engine) fn actual_spot(&mut self) -> Result<Spot, Error> {
        let registers = self.session.debuggee.inferior.process.registers(self.session.debuggee.thread)?;
        Ok(Spot { pc: registers.pc().unwrap_or_default(), sp: registers.sp().unwrap_or_default() })
    }

    /// Returns where the thread comes back to from the detour that it is on, if it is on one.
    pub(in crate::engine) fn behind_detour(&mut self, here: Spot) -> Option<Spot> {
        let inferior = &mut self.session.debuggee.inferior;
        if !inferior.is_rr_code(here.pc) {
            return None;
        }
        let outside = inferior.outside_of_rr(self.session.debuggee.thread).ok()??;
        let FrameAddress::Return(pc) = outside.address else { return None };
        Some(Spot { pc, sp: outside.registers.sp()? })
    }

    /// Executes one instruction; a detour is one. What a signal leads to comes before the rest of it.
    pub(in crate::engine) fn step_forward(&mut self) -> Moved {
        let thread = self.session.debuggee.thread;
        let is_delivered = self.session.state.signal.is_some_and(|signal| signal.position.thread == thread);
        if !is_delivered
            && let here = self.actual_spot()?
            && let Some(behind) = self.behind_detour(here)
        {
            let moved = self.run_to(Direction::Forward, &[Temporary::is(behind.pc, behind.sp)])?;
            if moved.is_some() || self.actual_spot()? != behind {
                return Ok(moved);
            }
        }
        let was = self.actual_spot()?;
        let Some(stub) = self.jump_to_rr(was.pc) else { return self.single_step(Direction::Forward) };
        if is_delivered {
            let moved = self.single_step(Direction::Forward)?;
            if moved.is_some() || self.actual_spot()?.pc != stub {
                return Ok(moved);
            }
        }
        let ends: Vec<_> = self.ends_of_detour(was.pc).into_iter().map(|end| Temporary::is(end, was.sp)).collect();
        match ends.is_empty() {
            // Nobody knows where it comes back.
            true => self.single_step(Direction::Forward),
            false => self.run_to(Direction::Forward, &ends),
        }
    }

    /// Takes back one instruction; a detour is one.
    pub(in crate::engine) fn step_back(&mut self) -> Moved {
        let was = self.actual_spot()?;
        let behind = self.behind_detour(was);
        let begin = behind.and_then(|behind| Some(Temporary::is(self.begin_of_detour(behind.pc)?, behind.sp)));
        if let Some(begin) = begin {
            return self.run_to(Direction::Reverse, &[begin]);
        }
        if let Some(reason) = self.single_step(Direction::Reverse)? {
            return Ok(Some(reason));
        }
        let here = self.actual_spot()?;
        if self.session.debuggee.inferior.is_rr_code(here.pc)
            && (here.sp == was.sp || self.behind_detour(here) == Some(was))
            && let Some(begin) = self.begin_of_detour(was.pc)
        {
            return self.run_to(Direction::Reverse, &[Temporary::is(begin, was.sp)]);
        }
        Ok(None)
    }

    /// Finds where the jump leads to that rr has written there, if it has.
    fn jump_to_rr(&mut self, at: RunAddr) -> Option<RunAddr> {
        let inferior = &mut self.session.debuggee.inferior;
        let module = inferior.modules.at(at)?;
        let code = inferior.process.read_up_to(at.0, JUMP_LENGTH as usize);
        let (&JUMP, distance) = code.split_first()? else { return None };
        if module.image.file_bytes(module.link(at), code.len()) == Some(&*code) {
            return None;
        }
        let distance = i32::from_le_bytes(distance.try_into().ok()?);
        let target = RunAddr(at.0.wrapping_add(JUMP_LENGTH).wrapping_add_signed(distance.into()));
        inferior.modules.at(target).is_none().then_some(target)
    }

    /// Finds where a detour that begins at an address may come back: behind an instruction that has been written over.
    fn ends_of_detour(&mut self, begin: RunAddr) -> Vec<RunAddr> {
        let mut ends = Vec::new();
        let mut at = begin;
        while let Some(i) = self.instruction(at).filter(|_| at.0 - begin.0 < REACH) {
            at = RunAddr(at.0.wrapping_add(i.length));
            if at.0 - begin.0 >= JUMP_LENGTH {
                ends.push(at);
            }
        }
        ends
    }

    /// Finds where the detour begins that comes back to an address.
    fn begin_of_detour(&mut self, end: RunAddr) -> Option<RunAddr> {
        let written = (JUMP_LENGTH..=REACH).map(|length| RunAddr(end.0.wrapping_sub(length)));
        written.into_iter().find(|at| self.jump_to_rr(*at).is_some()).or_else(|| call_before(self, end))
    }
}

impl Session {
    /// Goes to the end of the recording, or of the process if that is first.
    pub(in crate::engine) fn go_to_end(&mut self) -> Result<(), Error> {
        self.go_to_event(i64::MAX as u64)?;
        self.leave_lost_stack()
    }

    /// Leaves a stack that is lost: at the end of a process that has gone on a detour for its last system call, the
    /// stack is not there any more from which rr's library made it: nothing would be known of the program's. One
    /// instruction before, it is there.
    pub(in crate::engine) fn leave_lost_stack(&mut self) -> Result<(), Error> {
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
