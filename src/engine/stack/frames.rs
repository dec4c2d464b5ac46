//! The stack of a thread: physical frames by unwinding, found one at a time and only as far as somebody asks.

use crate::modules::loaded::Modules;
use crate::stack::context::Context;
use crate::stack::guess::guess_caller;
use crate::stack::physical::{End, FrameRegisters, Level, Physical, thread_registers};
use crate::target::process::Process;
use arch::{FrameAddress, Registers, RunAddr, ThreadId};
use dwarf::Unwound;
use rr::is_own_page;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// Runaway recursion fills 8 MiB of stack with at most half a million frames of 16 bytes; a stack with more than
/// this is a loop that no other guard has seen.
const MAX_FRAMES: usize = 600_000;

/// rr's hooks are a handful of frames.
const HOOK_DEPTH: usize = 16;

/// How many functions a recursion is made of whose code is looked up only once.
const RECURSION: usize = 8;

/// Bytes from an image's entry point on that are code in assembler which nothing has called: that of a program, and that
/// of the dynamic linker, from where the initializers of libraries run.
const ENTRY_CODE: u64 = 128;

/// The frames of one thread that have been found so far.
pub(crate) struct Stack {
    pub(crate) physical: Vec<Physical>,
    /// Inlined functions of the innermost frame that the thread is not in yet, for the user.
    hidden: usize,
    end: Option<End>,
    epoch: u64,
    /// Something of it may have been made without the answers that it takes.
    is_doubtful: bool,
}

impl Stack {
    /// Creates a stack of just the innermost frame.
    pub(crate) fn new(registers: Arc<Registers>, modules: &Modules, epoch: u64) -> Self {
        let pc = registers.pc().unwrap_or_default();
        // What is said of the code behind a call that does not come back is nothing, or of something else.
        let is_behind = modules.is_returning_from_signal(&registers);
        let address = if is_behind { FrameAddress::Return(pc) } else { FrameAddress::Pc(pc) };
        let innermost = Physical::new(address, FrameRegisters::live(registers), modules, false);
        Self { physical: vec![innermost], hidden: 0, end: None, epoch, is_doubtful: false }
    }

    /// Shows the thread outside of so many functions, at most, that are inlined where it is and begin there.
    pub(crate) fn hide(&mut self, most: usize) {
        self.hidden = self.physical.first().map_or(0, Physical::beginning).min(most);
    }

    pub(crate) fn hidden(&self) -> usize {
        self.hidden
    }

    /// Returns whether it describes the process as it is now.
    pub(crate) fn is_current(&self, process: &Process) -> bool {
        self.epoch == process.epoch() && !self.is_doubtful
    }

    /// Marks its frames as doubtful, as debug info has ceased to answer: they are to be found anew. So many functions
    /// were hidden before.
    pub(crate) fn doubt(&mut self, hidden: usize) {
        (self.is_doubtful, self.hidden) = (true, hidden);
    }

    /// Unwinds until there are `count` physical frames or no more can be found.
    pub(crate) fn extend(&mut self, count: usize, process: &mut Process, modules: &Modules) {
        while self.physical.len() < count && self.end.is_none() && process.check_answers().is_ok() {
            if self.physical.len() >= MAX_FRAMES {
                self.end = Some(End::Lost(format!("more than {MAX_FRAMES} frames")));
                break;
            }
            match self.caller(process, modules) {
                Ok(caller) => {
                    let callee = self.physical.len() - 1;
                    self.physical.push(caller);
                    let between = self.left_by_tail_calls(callee, process, modules);
                    self.physical.splice(callee + 1..callee + 1, between);
                }
                Err(end) => self.end = Some(end),
            }
        }
    }

    /// Finds the physical frame that number `index` returns to, if it can be found.
    pub(crate) fn caller_of(&mut self, index: usize, process: &mut Process, modules: &Modules) -> Result<usize, End> {
        let mut next = index + 1;
        loop {
            self.extend(next + 1, process, modules);
            match self.physical.get(next) {
                Some(frame) if frame.tail_call => next += 1,
                Some(_) => return Ok(next),
                None => return Err(self.end.clone().unwrap_or(End::Outermost)),
            }
        }
    }

    /// Finds the physical frame to which so many returns lead from where a user sees the thread; rr's own code is none.
    pub(crate) fn after_returns(
        &mut self,
        count: usize,
        process: &mut Process,
        modules: &Modules,
    ) -> Result<usize, End> {
        let mut index = self.first_visible(process, modules);
        for _ in 0..count {
            index = self.caller_of(index, process, modules)?;
            while self.physical.get(index).is_some_and(is_rr_code)
                && let Ok(outer) = self.caller_of(index, process, modules)
            {
                index = outer;
            }
        }
        Ok(index)
    }

    /// Returns the physical frame that number `index` has called, and that returns to it.
    pub(crate) fn callee_of(&self, index: usize) -> Option<usize> {
        self.physical.get(..index)?.iter().rposition(|frame| !frame.tail_call)
    }

    /// Finds the levels `from..from + max` as a user sees them, and why there are no more if there are none.
    pub(crate) fn levels(
        &mut self,
        from: usize,
        max: usize,
        process: &mut Process,
        modules: &Modules,
    ) -> (Vec<Level>, Option<End>) {
        let wanted = from.saturating_add(max);
        let mut found = Vec::new();
        let mut seen = 0usize;
        let first = self.first_visible(process, modules);
        let mut index = first;
        loop {
            self.extend(index + 1, process, modules);
            let Some(frame) = self.physical.get(index) else {
                return (found, self.end.clone());
            };
            if index == first || !frame.is_rr() {
                let hidden = if index == 0 { self.hidden } else { 0 };
                for inline in hidden..frame.levels() {
                    if seen >= wanted {
                        return (found, None);
                    }
                    if seen >= from {
                        found.push(Level { physical: index, inline });
                    }
                    seen += 1;
                }
            }
            if frame.is_main() {
                return (found, Some(End::Outermost));
            }
            if seen >= wanted {
                return (found, None);
            }
            index += 1;
        }
    }

    /// Finds the first physical frame that is not rr's own code; 0 if there is none.
    pub(crate) fn first_visible(&mut self, process: &mut Process, modules: &Modules) -> usize {
        if !self.physical.first().is_some_and(is_rr_code) {
            return 0;
        }
        for index in 1..HOOK_DEPTH {
            self.extend(index + 1, process, modules);
            match self.physical.get(index) {
                Some(frame) if is_rr_code(frame) => {}
                Some(frame) if frame.module.is_some() => return index,
                _ => return 0,
            }
        }
        0
    }

    /// Finds the frame that comes after the last one found.
    fn caller(&mut self, process: &mut Process, modules: &Modules) -> Result<Physical, End> {
        let index = self.physical.len() - 1;
        let unwound = self.unwind_by_table(index, process, modules)?;
        let frame = &mut self.physical[index];
        let (unwound, guessed) = match unwound {
            Some(unwound) => (unwound, false),
            // The entry points of programs and of the dynamic linker may have no unwind information.
            None if is_entry_code(frame) => return Err(End::Outermost),
            None => (guess_caller(frame, process, modules)?, true),
        };
        frame.cfa = Some(unwound.cfa);
        frame.signal = unwound.signal_frame;
        let ret = match unwound.return_address {
            // A signal may have interrupted a call of null, which has a caller.
            Some(ret) if ret != 0 || unwound.signal_frame => RunAddr(ret),
            _ => return Err(End::Outermost),
        };
        let here = frame.address.address();
        if frame.is_rr() && modules.code_at(ret).is_none() {
            // What rr runs before a function is bound for the first time is not described by its table.
            return Err(End::Lost(format!("the code of rr at {here} does not tell where it returns to")));
        }
        let sp = frame.registers.sp().unwrap_or(0);
        if !unwound.signal_frame && unwound.cfa <= sp && ret == here {
            return Err(End::Lost(format!("the frame at {here} is its own caller")));
        }
        let is_switch = is_rr_code(&self.physical[index]) && self.is_rr_shallow();
        let frame = &self.physical[index];
        if !unwound.signal_frame && index > 0 && !is_switch && !leads_outward(frame.address, sp, unwound.cfa) {
            return Err(End::Lost(format!("the stack goes backwards at {here} (corrupt stack?)")));
        }
        let registers = caller_registers(frame, &unwound);
        let address = if unwound.signal_frame { FrameAddress::Pc(ret) } else { FrameAddress::Return(ret) };
        // A recursion comes by the same places over and over.
        let again = self.physical.iter().rev().take(RECURSION).find(|known| known.address == address);
        Ok(match again {
            Some(known) => known.again(registers, guessed),
            None => Physical::new(address, registers, modules, guessed),
        })
    }

    /// Returns whether so few frames are rr's that they can lead from its own stack for system calls to the thread's,
    /// which may lie on either side of it, and cannot be a loop.
    fn is_rr_shallow(&self) -> bool {
        self.physical.iter().filter(|frame| is_rr_code(frame)).take(HOOK_DEPTH + 1).count() <= HOOK_DEPTH
    }

    fn unwind_by_table(&self, index: usize, process: &mut Process, modules: &Modules) -> Result<Option<Unwound>, End> {
        let frame = &self.physical[index];
        let Some(module) = frame.module.clone() else {
            return Ok(None);
        };
        let lookup = frame.address.for_lookup();
        let mut context = Context::for_frame(process, modules, &self.physical, index);
        match module.image.unwind(module.link(lookup), &mut context) {
            Ok(found) => Ok(found),
            Err(error) => Err(End::Lost(format!("unwinding from {lookup} failed: {error}"))),
        }
    }
}

/// Returns whether a frame is in the code with which a program or the dynamic linker begins.
fn is_entry_code(frame: &Physical) -> bool {
    let Some(module) = &frame.module else { return false };
    let at = module.link(frame.address.for_lookup()).0;
    at.checked_sub(module.image.entry().0).is_some_and(|offset| offset < ENTRY_CODE)
        || frame.chain.last().is_some_and(|function| function.name == "_start")
}

/// Returns whether a frame that is not the innermost one ends farther out than it begins. One that has called something
/// has at least its own return address on the stack; an interrupted one may have nothing there, but on x86-64.
fn leads_outward(address: FrameAddress, sp: u64, cfa: u64) -> bool {
    match address {
        FrameAddress::Return(_) => cfa > sp,
        FrameAddress::Pc(_) => cfa >= sp,
    }
}

fn caller_registers(frame: &Physical, unwound: &Unwound) -> FrameRegisters {
    let arch = frame.registers.arch;
    let mut saved: BTreeMap<u16, u64> = unwound.registers.iter().copied().collect();
    saved.entry(arch.dwarf_sp()).or_insert(unwound.cfa);
    // Segment bases belong to the thread, not to a frame.
    for number in thread_registers(arch) {
        if let Some(value) = frame.registers.value(*number) {
            saved.insert(*number, value);
        }
    }
    FrameRegisters { arch, live: None, saved }
}

/// Returns whether a frame is of rr's own code, which a user does not see.
fn is_rr_code(frame: &Physical) -> bool {
    frame.is_rr() || frame.module.is_none() && is_rr_page(frame.address.address())
}

/// Returns whether an address is where rr maps its own pages here in every process.
pub(crate) fn is_rr_page(address: RunAddr) -> bool {
    (0x6800_0000..0x6820_0000).contains(&address.0) || is_own_page(address.0)
}

/// Stacks of the threads that somebody has looked at since the last movement.
#[derive(Default)]
pub(crate) struct Stacks(BTreeMap<ThreadId, Stack>);

impl Stacks {
    /// Returns the stack of a thread, at least its innermost frame.
    pub(crate) fn of(
        &mut self,
        thread: ThreadId,
        process: &mut Process,
        modules: &Modules,
    ) -> Result<&mut Stack, crate::api::error::Error> {
        let current = self.0.get(&thread).is_some_and(|s| s.is_current(process));
        let innermost = match current {
            true => None,
            false => Some(Stack::new(process.registers(thread)?, modules, process.epoch())),
        };
        Ok(match (self.0.entry(thread), innermost) {
            (Entry::Occupied(found), None) => found.into_mut(),
            (Entry::Occupied(mut stale), Some(mut fresh)) => {
                if stale.get().epoch == fresh.epoch {
                    fresh.hidden = stale.get().hidden;
                }
                stale.insert(fresh);
                stale.into_mut()
            }
            (Entry::Vacant(empty), Some(fresh)) => empty.insert(fresh),
            (Entry::Vacant(empty), None) => {
                empty.insert(Stack::new(process.registers(thread)?, modules, process.epoch()))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_that_does_not_lead_outward_ends() {
        let (called, interrupted) = (FrameAddress::Return(RunAddr(0x1000)), FrameAddress::Pc(RunAddr(0x1000)));
        for (address, cfa, outward) in [
            (called, 0x8010, true),
            (called, 0x8000, false),
            (called, 0x7ff0, false),
            (interrupted, 0x8000, true),
            (interrupted, 0x7ff0, false),
        ] {
            assert_eq!(leads_outward(address, 0x8000, cfa), outward, "{address:?} {cfa:#x}");
        }
    }
}
