//! Whose memory is watched: that of a frame, which is gone when its function has been left, or of the heap, which an
//! allocator hands out and takes back. A watchpoint goes on at its address; a stop says that the memory is another's.

use crate::arch::{RunAddr, ThreadId};
use crate::engine::api::error::Error;
use crate::engine::api::{Frame, Position, Reason};
use crate::engine::breakpoints::table::What;
use crate::engine::eval::inferior::{Inferior, LOOKED_AT};
use crate::engine::session::state::Session;
use crate::engine::stack::frames::End;
use std::cmp::Ordering;

/// Bytes below the stack pointer that a function may use (System V ABI for x86-64, section 3.2.2).
const RED_ZONE: u64 = 128;

/// The largest frame, or distance on a stack, of which it is looked at if all of it is mapped.
const MAX_STRETCH: u64 = 1 << 20;

/// Frames of an allocator, the innermost ones, among which the function that the program has called is.
const ALLOCATOR_DEPTH: u32 = 8;

/// What hands out memory, and what takes it back.
const HANDS_OUT: [&str; 9] = [
    "malloc",
    "calloc",
    "realloc",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "operator new",
    "operator new[]",
    "mmap",
];
const TAKES_BACK: [&str; 5] = ["free", "cfree", "operator delete", "operator delete[]", "munmap"];

/// The frame that a watched object is in.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Owner {
    thread: ThreadId,
    /// Its function, for people.
    function: String,
    entry: RunAddr,
    /// The canonical frame address: with the function, what one frame differs from others by.
    cfa: u64,
    /// A moment at which it is there.
    seen: Position,
}

impl Owner {
    /// Why it is not there at a place in the recording. Ticks count no straight way into a function and out of it.
    fn absence(&self, here: Position) -> &'static str {
        const UNKNOWN: &str = "has ended, or has not begun,";
        let (Some(seen), Some(now)) = (self.seen.moment, here.moment) else { return UNKNOWN };
        let is_same_thread = self.seen.thread == here.thread;
        match now.event.cmp(&seen.event).then(now.ticks.cmp(&seen.ticks)) {
            _ if now.event == seen.event && !is_same_thread => UNKNOWN,
            Ordering::Less => "has not begun",
            Ordering::Equal => UNKNOWN,
            Ordering::Greater => "has ended",
        }
    }
}

impl Inferior {
    /// The frame of a thread whose part of the stack has this address.
    pub(in crate::engine) fn owner_of(&mut self, thread: ThreadId, address: u64) -> Option<Owner> {
        let sp = self.process.registers(thread).ok()?.sp()?;
        if address < sp.saturating_sub(RED_ZONE) {
            return None;
        }
        let mut from = sp;
        for index in 0..LOOKED_AT {
            let (entry, cfa) = self.identity(thread, index)?;
            // What is called on another stack, as signal handlers may be, has nothing of what lies between them.
            if (from..cfa).contains(&address) && !self.is_one_stretch(from, cfa) {
                return None;
            }
            if address < cfa {
                let function = self.physical(thread, index).ok()?.chain.last()?.name.clone();
                let seen = self.position(thread).ok()?;
                return Some(Owner { thread, function, entry, cfa, seen });
            }
            from = cfa;
        }
        None
    }

    /// Function and canonical frame address of a physical frame.
    fn identity(&mut self, thread: ThreadId, index: usize) -> Option<(RunAddr, u64)> {
        let cfa = self.caller(thread, index).ok()?.ok()?.registers.sp()?;
        let frame = self.physical(thread, index).ok()?;
        let entry = frame.chain.last()?.entry?.at(frame.module.as_ref()?.bias);
        Some((entry, cfa))
    }

    /// Whether two addresses are in memory without a gap, as those on one stack are.
    fn is_one_stretch(&mut self, one: u64, other: u64) -> bool {
        let (from, length) = (one.min(other), one.abs_diff(other));
        let Some(bytes) = usize::try_from(length).ok().filter(|_| length <= MAX_STRETCH) else { return false };
        self.process.read_up_to(from, bytes).len() == bytes
    }

    /// Whether a frame is on its thread's stack. `None`: the stack cannot be followed as far, or it is another stack,
    /// which places on this one cannot be compared with.
    fn has(&mut self, owner: &Owner) -> Option<bool> {
        if !self.process.threads().ok()?.contains(&owner.thread) {
            return Some(false);
        }
        let sp = self.process.registers(owner.thread).ok()?.sp()?;
        for index in 0..LOOKED_AT {
            let caller = match self.caller(owner.thread, index).ok()? {
                Ok(caller) => caller,
                Err(End::Outermost) => return Some(false),
                Err(End::Lost(_)) => break,
            };
            // Of frames that have left by tail calls, the last one has the place.
            if caller.registers.sp()? == owner.cfa {
                return Some(self.identity(owner.thread, index)?.0 == owner.entry);
            }
        }
        (sp >= owner.cfa && self.is_one_stretch(owner.cfa, sp)).then_some(false)
    }
}

impl Session {
    /// What a stop at a watchpoint has to tell of whose memory it is.
    pub(in crate::engine) fn note_owner_of_watched(&mut self, number: u32, thread: ThreadId) -> Result<(), Error> {
        let Some((expression, address, owner)) = self.watched(number) else { return Ok(()) };
        match owner {
            Some(owner) if self.inferior.has(&owner) == Some(false) => {
                let absence = owner.absence(self.inferior.position(thread)?);
                self.notes.push(format!(
                    "watchpoint {number}: the call of `{}` that has `{expression}` {absence} here; the memory at \
                     {address:#x} is something else's",
                    owner.function
                ));
            }
            Some(_) => {}
            // What an image has is no allocator's.
            None if self.inferior.modules.at(RunAddr(address)).is_some() => {}
            None => {
                let Some((function, hands_out)) = self.allocator_above(thread)? else { return Ok(()) };
                let what = match hands_out {
                    true => "before, its memory was something else's, or nobody's",
                    false => "from here on, its memory is something else's, or nobody's",
                };
                self.notes.push(format!(
                    "watchpoint {number}: written in `{function}`: this may be no value of `{expression}`; {what}"
                ));
            }
        }
        Ok(())
    }

    /// At the end, or the start, of the recording: which watchpoints watch what there is no more, or not yet.
    pub(in crate::engine) fn note_owners_at_the_end(&mut self) {
        if !matches!(self.reason, Reason::EndOfRecording { .. } | Reason::StartOfRecording) {
            return;
        }
        let numbers: Vec<u32> = self.breakpoints.enabled().map(|entry| entry.number).collect();
        for number in numbers {
            let Some((expression, _, Some(owner))) = self.watched(number) else { continue };
            if self.inferior.has(&owner) == Some(false)
                && let Ok(here) = self.inferior.position(self.thread)
            {
                let absence = owner.absence(here);
                self.notes.push(format!(
                    "watchpoint {number}: the call of `{}` that has `{expression}` {absence} here",
                    owner.function
                ));
            }
        }
    }

    fn watched(&mut self, number: u32) -> Option<(String, u64, Option<Owner>)> {
        let entry = self.breakpoints.get(number)?;
        match &entry.what {
            What::Data { watch, .. } => Some((entry.text.clone(), watch.address, watch.owner.clone())),
            What::Code { .. } => None,
        }
    }

    /// The function of an allocator that a thread is in, and whether it hands out memory.
    fn allocator_above(&mut self, thread: ThreadId) -> Result<Option<(String, bool)>, Error> {
        for number in 0..ALLOCATOR_DEPTH {
            let Ok(level) = self.inferior.level(thread, number) else { break };
            let Frame { function: Some(name), .. } = self.inferior.frame(thread, number, level, false)? else {
                continue;
            };
            let plain = name.trim_start_matches("__libc_").trim_start_matches('_');
            let hands_out = HANDS_OUT.contains(&plain);
            if hands_out || TAKES_BACK.contains(&plain) {
                return Ok(Some((name, hands_out)));
            }
        }
        Ok(None)
    }
}
