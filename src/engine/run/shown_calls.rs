//! In which of the functions that are inlined where a thread is a stop has shown it, for coming back by name.

use crate::api::{Stop, Waypoint};
use std::collections::HashMap;

/// Most moments that are remembered. The next one replaces them all.
const REMEMBERED: usize = 4096;

/// The moments at which a stop showed its thread outside of functions that are inlined there.
#[derive(Debug, Default)]
pub(crate) struct ShownCalls {
    outside_of: HashMap<Waypoint, usize>,
}

impl ShownCalls {
    /// Remembers a stop. `hidden`: how many functions it has shown its thread outside of.
    pub(crate) fn remember(&mut self, stop: &Stop, hidden: usize) {
        let Some(moment) = stop.waypoint else { return };
        if hidden == 0 {
            self.outside_of.remove(&moment);
            return;
        }
        if self.outside_of.len() >= REMEMBERED {
            self.outside_of.clear();
        }
        self.outside_of.insert(moment, hidden);
    }

    /// Returns how many functions a moment is to be shown outside of: as the last stop there was. One that no stop has
    /// shown is the instruction's own, which belongs to the innermost function.
    pub(crate) fn hidden_at(&self, moment: &Waypoint) -> usize {
        self.outside_of.get(moment).copied().unwrap_or(0)
    }
}
