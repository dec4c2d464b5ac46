//! Whose memory is watched: that of a frame, which is gone when its function has been left.

use crate::api::Position;
use crate::eval::inferior::{Inferior, LOOKED_AT};
use crate::stack::physical::End;
use arch::{RunAddr, ThreadId};
use std::cmp::Ordering;

/// Bytes below the stack pointer that a function may use (System V ABI for x86-64, section 3.2.2).
const RED_ZONE: u64 = 128;

/// The largest frame, or distance on a stack, of which it is looked at if all of it is mapped.
const MAX_STRETCH: u64 = 1 << 20;

/// The frame that a watched object is in.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    thread: ThreadId,
    /// Its function, for people.
    pub(crate) function: String,
    entry: RunAddr,
    /// The canonical frame address: with the function, what one frame differs from others by.
    cfa: u64,
    /// A moment at which it is there.
    seen: Position,
}

impl Owner {
    /// Returns why it is not there at a place in the recording. Ticks count no straight way into a function and out of
    /// it.
    pub(crate) fn absence(&self, here: Position) -> &'static str {
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
    /// Finds the frame of a thread whose part of the stack has this address.
    pub(crate) fn owner_of(&mut self, thread: ThreadId, address: u64) -> Option<Owner> {
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

    /// Returns the function and canonical frame address of a physical frame.
    fn identity(&mut self, thread: ThreadId, index: usize) -> Option<(RunAddr, u64)> {
        let cfa = self.caller(thread, index).ok()?.ok()?.registers.sp()?;
        let frame = self.physical(thread, index).ok()?;
        let entry = frame.chain.last()?.entry?.at(frame.module.as_ref()?.bias);
        Some((entry, cfa))
    }

    /// Returns whether two addresses are in memory without a gap, as those on one stack are.
    fn is_one_stretch(&mut self, one: u64, other: u64) -> bool {
        let (from, length) = (one.min(other), one.abs_diff(other));
        let Some(bytes) = usize::try_from(length).ok().filter(|_| length <= MAX_STRETCH) else { return false };
        self.process.read_up_to(from, bytes).len() == bytes
    }

    /// Returns whether a frame is on its thread's stack. `None`: the stack cannot be followed as far, or it is another
    /// stack, which places on this one cannot be compared with.
    pub(crate) fn has(&mut self, owner: &Owner) -> Option<bool> {
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
