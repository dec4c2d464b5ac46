//! Moments of a tick that are known by the number of instructions before them.

use crate::run::exact_position::ExactPosition;
use rsp::Break;

/// A visit of an instruction: the stop of this number, from 1 on, at a breakpoint from where a tick begins, or from where
/// the call is entered whose return address lies there.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(super) entry: Option<u64>,
    pub(super) breakpoint: Break,
    pub(super) stops: u32,
}

/// A moment, by the instructions between it and the beginning of its tick.
#[derive(Clone)]
pub(crate) struct Counted {
    pub(crate) place: ExactPosition,
    /// The visit from which the instructions are counted, if not from the beginning.
    pub(crate) anchor: Option<Anchor>,
    pub(crate) steps: u32,
}

impl Counted {
    /// Returns whether the instructions before both are counted from the same visit.
    pub(super) fn has_origin_of(&self, other: &Self) -> bool {
        self.anchor.is_some() && self.anchor == other.anchor && self.place.position == other.place.position
    }
}

/// Where counting has led.
pub(crate) struct CountedTo {
    /// The process is there in this epoch.
    pub(super) epoch: u64,
    pub(super) counted: Counted,
    /// rr's checkpoint of where the instructions are counted from.
    pub(super) mark: Option<u64>,
}
