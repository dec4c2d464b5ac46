//! Whether a moment may look like another one of its tick.
//!
//! Each stop has a position with a fingerprint of the registers and the top of the stack. To know that no other moment
//! of the same tick has the same, the tick would have to be looked at from its beginning, which takes rr milliseconds;
//! but as a rule the code says so. Let a thread be twice at an instruction, with no conditional branch and no event in
//! between, with the same stack pointer, the same registers and the same stack. Then it has gone from there and come
//! back, and what it has executed in its own frame and in those around it is the same code both times, since only
//! jumps through registers or memory go elsewhere the second time. So where the way from here on comes to a conditional
//! branch or a system call before it comes back, and before such a jump, there is no other moment like this one. Calls
//! are gone into as far as it is known where they lead, and passed over otherwise: what they call has another stack
//! pointer.
//!
//! Where that does not tell, as in a loop without a condition, the visits are [counted](super::visits).

use crate::api::error::Error;
use crate::run::exact_position::STACK;
use crate::run::moment_facts::{MomentFacts, STACK_WORDS};
use crate::run::session::Session;
use arch::{Arch, Flow, FrameAddress, Registers, RunAddr, ThreadId};
use std::collections::BTreeSet;

/// Most instructions that are looked at: no code is known that comes back after more without a conditional branch.
const MOST: usize = 2048;
/// What rr sees of a stack: two words at the stack pointer, and return addresses behind frame pointers.
const WORD: u64 = 8;
const RR_WORDS: u64 = STACK_WORDS as u64 / WORD;
const RR_FRAMES: usize = 6;
/// Most calls in each other that are gone into, and most returns.
const DEEPEST: usize = 16;
const MOST_RETURNS: usize = 64;

/// What the way through the code of a frame comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A conditional branch, a system call, or too far.
    Over,
    /// A return.
    Returns,
    /// Where it was before, or where nobody knows.
    Unclear,
}

impl Session {
    /// Returns whether there may be another moment in the tick and event of where a thread is that looks like this one.
    pub(crate) fn may_recur(&mut self, thread: ThreadId) -> Result<bool, Error> {
        unread_is_no(self.may_come_back(thread, &mut |_, slot, sp| slot.wrapping_sub(sp) < STACK as u64))
    }

    /// Returns whether there may be another one that rr takes for this one.
    pub(crate) fn rr_may_confuse(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let process = &mut self.debuggee.inferior.process;
        if !process.abilities().time {
            return Ok(false);
        }
        if self.has_given_up {
            return Ok(true);
        }
        let registers = process.registers(thread)?;
        // A step back is quick as long as nothing else is asked.
        if self.comes_to_branch(registers.pc().unwrap_or_default()) || self.facts(thread, &registers).is_unmistakable {
            return Ok(false);
        }
        let innermost = registers.value("rbp");
        let may_be = unread_is_no(self.may_come_back(thread, &mut |s, slot, sp| {
            let mut frame = innermost;
            let is_behind_frame = (0..RR_FRAMES).any(|_| {
                let Some(at) = frame else { return false };
                let is_it = at.wrapping_add(WORD) == slot;
                frame = if is_it { None } else { s.debuggee.inferior.process.read_u64(at) };
                is_it
            });
            slot.wrapping_sub(sp) < RR_WORDS * WORD || is_behind_frame
        }))?;
        let sp = registers.sp().unwrap_or_default();
        let stack = match may_be {
            true => None,
            false => self.debuggee.inferior.process.read_array(sp),
        };
        let facts = self.facts(thread, &registers);
        (facts.is_unmistakable, facts.stack) = (!may_be, stack);
        Ok(may_be)
    }

    /// Returns what is known of the moment where a thread is: what is known of the one behind it, if a step back has led
    /// from there within a frame.
    pub(super) fn facts(&mut self, thread: ThreadId, registers: &Registers) -> &mut MomentFacts {
        let (at, epoch) = (registers.pc().unwrap_or_default(), self.debuggee.inferior.process.epoch());
        let mut here = MomentFacts {
            epoch,
            thread,
            at,
            sp: registers.sp(),
            frame: registers.value("rbp"),
            before: None,
            is_unmistakable: false,
            stack: None,
            is_in_short_tick: false,
        };
        match self.facts.take() {
            Some(last) if here.is_same(&last) => here = last,
            Some(last) if here.is_just_before(&last) => {
                let mut way = BTreeSet::new();
                self.follow(at, DEEPEST, &mut { MOST }, &mut way);
                if way.contains(&last.at) {
                    here = MomentFacts {
                        is_unmistakable: last.is_unmistakable,
                        stack: last.stack,
                        is_in_short_tick: last.is_in_short_tick,
                        ..here
                    };
                }
            }
            _ => {}
        }
        self.facts.insert(here)
    }

    /// Takes note that rr has stepped back.
    pub(super) fn note_step_back(&mut self) {
        let now = self.debuggee.inferior.process.epoch();
        if let Some(last) = &mut self.facts {
            last.step_back(now);
        }
    }

    /// Returns whether the code from an address on comes to a conditional branch or a system call, before it returns.
    /// Only code is looked at.
    pub(crate) fn comes_to_branch(&mut self, at: RunAddr) -> bool {
        let mut line = BTreeSet::new();
        let does = self.follow(at, DEEPEST, &mut { MOST }, &mut line) == Way::Over;
        if does {
            self.known_ways.append(&mut line);
        }
        does
    }

    /// Returns whether a thread may come back to where it is, without a conditional branch or an event, with all that
    /// is seen of it as it is now. `is_seen`: whether a word of the stack is, which a stack pointer leads to.
    fn may_come_back(
        &mut self,
        thread: ThreadId,
        is_seen: &mut dyn FnMut(&mut Self, u64, u64) -> bool,
    ) -> Result<bool, Error> {
        // Other processors count other branches.
        if self.debuggee.inferior.process.arch() != Arch::X86_64 {
            return Ok(false);
        }
        let registers = self.debuggee.inferior.process.registers(thread)?;
        let (Some(mut at), Some(sp)) = (registers.pc(), registers.sp()) else { return Ok(false) };
        let inferior = &mut self.debuggee.inferior;
        if inferior.modules.instruction(&mut inferior.process, at).is_none() {
            // What is not executed is not come back to.
            return Ok(false);
        }
        // The callers of code that a program has made are not known for certain, and rr comes back to a moment by a
        // breakpoint in it, which the program may write over: nothing is counted there.
        if inferior.modules.at(at).is_none() {
            return Ok(false);
        }
        let mut left = MOST;
        for depth in 1..=MOST_RETURNS {
            match self.way(at, DEEPEST, &mut left) {
                Way::Over => return Ok(false),
                Way::Unclear => return Ok(true),
                Way::Returns => {}
            }
            let Ok(caller) = self.debuggee.inferior.after_returns(thread, depth)? else { return Ok(true) };
            // The return address is what tells calls of several places apart.
            let slot = caller.registers.sp().map(|outer| outer.wrapping_sub(WORD));
            if slot.is_none_or(|slot| !is_seen(self, slot, sp)) {
                return Ok(true);
            }
            let (FrameAddress::Pc(back) | FrameAddress::Return(back)) = caller.address;
            at = back;
        }
        Ok(true)
    }

    /// Follows the code from an address on, in one frame.
    fn way(&mut self, at: RunAddr, deepest: usize, left: &mut usize) -> Way {
        self.follow(at, deepest, left, &mut BTreeSet::new())
    }

    /// Follows it, and tells which instructions of the frame it has come to.
    fn follow(&mut self, mut at: RunAddr, deepest: usize, left: &mut usize, seen: &mut BTreeSet<RunAddr>) -> Way {
        loop {
            if self.known_ways.contains(&at) && deepest == DEEPEST {
                return Way::Over;
            }
            if *left == 0 {
                return Way::Over;
            }
            if !seen.insert(at) {
                return Way::Unclear;
            }
            *left -= 1;
            let inferior = &mut self.debuggee.inferior;
            let code = inferior.modules.code(&mut inferior.process, at);
            let Some(instruction) = inferior.modules.instruction(&mut inferior.process, at) else {
                return Way::Unclear;
            };
            let next = RunAddr(at.0.wrapping_add(instruction.length));
            at = match instruction.flow {
                Flow::Next => next,
                Flow::Syscall | Flow::Trap => return Way::Over,
                Flow::Return => return Way::Returns,
                Flow::Jump => match target(&code, next) {
                    Some(Target::Always(to)) => to,
                    Some(Target::Perhaps) => return Way::Over,
                    None => return Way::Unclear,
                },
                // As of a stub: it goes to another function, which returns.
                Flow::IndirectJump => match slot(&code, next) {
                    Some(slot) => return self.way_of_slot(slot, deepest, left),
                    None => return Way::Unclear,
                },
                Flow::Call => {
                    let called = match (target(&code, next), slot(&code, next), deepest.checked_sub(1)) {
                        (Some(Target::Always(to)), _, Some(deepest)) => self.way(to, deepest, left),
                        (_, Some(slot), Some(deepest)) => self.way_of_slot(slot, deepest, left),
                        _ => Way::Returns,
                    };
                    if called == Way::Over {
                        return Way::Over;
                    }
                    next
                }
            };
        }
    }

    /// Follows the code that a word of memory has the address of, as far as it is a function.
    fn way_of_slot(&mut self, slot: u64, deepest: usize, left: &mut usize) -> Way {
        let to = self.debuggee.inferior.process.read_u64(slot).map(RunAddr);
        match to.zip(deepest.checked_sub(1)) {
            Some((to, deepest)) if self.debuggee.inferior.modules.at(to).is_some() => match self.way(to, deepest, left)
            {
                Way::Over => Way::Over,
                Way::Returns | Way::Unclear => Way::Returns,
            },
            _ => Way::Returns,
        }
    }
}

/// Who cancels has no time for debug info to be read: what it would say of the callers is not asked for then.
fn unread_is_no(may_be: Result<bool, Error>) -> Result<bool, Error> {
    match may_be {
        Err(Error::ReadingCancelled { .. }) => Ok(false),
        may_be => may_be,
    }
}

/// Where a jump or a call leads that has its target in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Always(RunAddr),
    /// On a condition.
    Perhaps,
}

/// Returns where a jump or a call leads, of which these are the bytes; `next` is behind it.
pub(super) fn target(code: &[u8], next: RunAddr) -> Option<Target> {
    let code = behind_prefixes(code);
    let far = || {
        let bytes: [u8; 4] = code.get(1..5)?.try_into().ok()?;
        Some(i64::from(i32::from_le_bytes(bytes)))
    };
    let by = match code {
        [0x70..=0x7f | 0xe0..=0xe3, ..] | [0x0f, 0x80..=0x8f, ..] => return Some(Target::Perhaps),
        [0xe8 | 0xe9, ..] => far()?,
        [0xeb, by, ..] => i64::from(i8::from_le_bytes([*by])),
        _ => return None,
    };
    Some(Target::Always(RunAddr(next.0.wrapping_add_signed(by))))
}

/// Returns whether these bytes begin with a conditional branch.
pub(crate) fn is_conditional(code: &[u8]) -> bool {
    target(code, RunAddr(0)) == Some(Target::Perhaps)
}

/// Returns which word a jump or call goes through, if that is beside the code; `next` is behind it.
fn slot(code: &[u8], next: RunAddr) -> Option<u64> {
    match behind_prefixes(code) {
        [0xff, 0x15 | 0x25, a, b, c, d, ..] => {
            let by = i32::from_le_bytes([*a, *b, *c, *d]);
            Some(next.0.wrapping_add_signed(i64::from(by)))
        }
        _ => None,
    }
}

/// Passes over what may stand before the opcode of a jump.
fn behind_prefixes(code: &[u8]) -> &[u8] {
    let prefixes = code.iter().take_while(|byte| matches!(byte, 0x2e | 0x3e | 0x66 | 0x67 | 0xf2 | 0xf3 | 0x40..=0x4f));
    code.get(prefixes.count()..).unwrap_or_default()
}
