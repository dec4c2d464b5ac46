//! What the callers of a moment have shown of it.
//!
//! That holds for the instruction before it in the same frame as well, so that a step back through a line asks rr for
//! nothing. It holds for no other frame: the code may be come back to there.

use arch::{RunAddr, ThreadId};

/// Bytes at the stack pointer that rr compares (rr 5.10, `ReturnAddressList`).
pub(super) const STACK_WORDS: usize = 16;

/// A moment, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MomentFacts {
    /// What the process is in then.
    pub(super) epoch: u64,
    pub(super) thread: ThreadId,
    pub(super) at: RunAddr,
    pub(super) sp: Option<u64>,
    /// The frame pointer.
    pub(super) frame: Option<u64>,
    /// The epoch that a step back from there has led to.
    pub(super) before: Option<u64>,
    /// rr cannot take another moment of the tick for it.
    pub(super) is_unmistakable: bool,
    /// The words at the stack pointer by which it is so, little-endian. `None`: its registers are enough.
    pub(super) stack: Option<[u8; STACK_WORDS]>,
    /// Its tick is not a long one.
    pub(super) is_in_short_tick: bool,
}

impl MomentFacts {
    /// Takes note of a step back, which has led to an epoch.
    pub(super) fn step_back(&mut self, to: u64) {
        self.before = (self.epoch.checked_add(1) == Some(to)).then_some(to);
    }

    /// Returns whether it is of the same thread in the same epoch.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.epoch, self.thread) == (other.epoch, other.thread)
    }

    /// Returns whether it is in the same frame as another one, which a step back has led here from. A call or a return
    /// would have moved the stack pointer.
    pub(super) fn is_just_before(&self, later: &Self) -> bool {
        later.before == Some(self.epoch) && (self.thread, self.sp, self.frame) == (later.thread, later.sp, later.frame)
    }
}
