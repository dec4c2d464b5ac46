//! Temporary breakpoints, by which a movement comes to a place in one activation of a function.

use arch::RunAddr;

/// What the stack pointer must be for a temporary breakpoint to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StackPointer {
    /// Exactly this: one activation of a function in one thread.
    Is(u64),
    /// At most this, and not a whole stack away: inside the prologue of an activation.
    JustBelow(u64),
    /// Anything.
    Any,
}

/// How far [`StackPointer::JustBelow`] reaches: more than any prologue reserves, less than stacks are apart.
pub(crate) const PROLOGUE_REACH: u64 = 1 << 20;

impl StackPointer {
    pub(crate) fn allows(self, sp: u64) -> bool {
        match self {
            Self::Is(wanted) => sp == wanted,
            Self::JustBelow(top) => sp <= top && top - sp < PROLOGUE_REACH,
            Self::Any => true,
        }
    }
}

/// A temporary breakpoint of the stepping thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Temporary {
    pub(crate) address: RunAddr,
    pub(crate) sp: StackPointer,
}

impl Temporary {
    pub(crate) fn is(address: RunAddr, sp: u64) -> Self {
        Self { address, sp: StackPointer::Is(sp) }
    }
}
