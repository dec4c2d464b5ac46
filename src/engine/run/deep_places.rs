//! Places in long ticks that a session has shown, to be found again.

use crate::api::Waypoint;
use crate::run::exact_position::ExactPosition;
use std::collections::VecDeque;

/// Most places that are kept; the oldest ones go first.
const MOST: usize = 1024;

/// A place in a long tick.
#[derive(Clone)]
pub(super) struct DeepPlace {
    pub(super) place: ExactPosition,
    /// Where the return address of a call around it lies.
    pub(super) entry: Option<u64>,
}

/// The places in long ticks that a session has shown.
#[derive(Default)]
pub(crate) struct DeepPlaces(VecDeque<DeepPlace>);

impl DeepPlaces {
    pub(super) fn find(&self, moment: &Waypoint) -> Option<&DeepPlace> {
        self.0.iter().rev().find(|deep| deep.place.waypoint().as_ref() == Some(moment))
    }

    /// Returns whether another of them is in the tick of a moment: rr (5.10) walks from the one to the other, by
    /// instructions, before it makes a checkpoint there.
    pub(crate) fn are_in_tick_of(&self, moment: &Waypoint) -> bool {
        let tick = |of: &Waypoint| (of.thread, of.moment.ticks);
        let mut others = self.0.iter().filter_map(|deep| deep.place.waypoint());
        others.any(|other| tick(&other) == tick(moment) && other != *moment)
    }

    pub(super) fn add(&mut self, deep: DeepPlace) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(deep);
    }
}
