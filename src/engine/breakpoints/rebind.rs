//! Finding the places of breakpoints anew, where other modules are loaded than when they were set.

use crate::engine::api::error::Error;
use crate::engine::breakpoints::debuggee::Debuggee;
use crate::engine::breakpoints::resolve::{self, joined};
use crate::engine::breakpoints::table::{Entry, What};

impl Debuggee {
    /// Finds the places of breakpoints that were set before all were known.
    pub(in crate::engine) fn bind_completely(&mut self) -> Result<(), Error> {
        if self.breakpoints.iter().any(|entry| entry.partly_bound) { self.rebind() } else { Ok(()) }
    }

    /// Finds the breakpoints' places anew, in the modules that are loaded now.
    pub(in crate::engine) fn rebind(&mut self) -> Result<(), Error> {
        let Self { inferior, breakpoints, sources, .. } = self;
        let mut rebound = Vec::new();
        for entry in breakpoints.select_mut(Entry::may_move) {
            let condition = entry.condition.clone();
            let What::Code { location, file, places } = &mut entry.what else {
                continue;
            };
            // What was clear when it was set may not be so any more.
            let found = resolve::find(location, &inferior.modules, sources, file.as_deref()).unwrap_or_default();
            inferior.check_answers()?;
            if !entry.partly_bound && found.places.iter().map(|p| &p.public).eq(places.iter().map(|p| &p.public)) {
                continue;
            }
            let all = found.places.clone();
            let meaningful = inferior.where_meaningful(found.places, condition.as_deref(), entry.log.as_deref());
            // Where its condition means nothing anywhere, it stops and says so.
            let (bound, left_out) = meaningful.unwrap_or((all, None));
            let compiled = inferior.compile_places(bound, condition.as_deref());
            inferior.check_answers()?;
            *places = compiled;
            entry.note = match places.is_empty() {
                true => Some(resolve::pending(location, &inferior.modules, file.as_deref())),
                false => joined(found.note, left_out),
            };
            entry.partly_bound = false;
            rebound.push(entry.number);
        }
        tracing::debug!(?rebound, "breakpoints rebound");
        Ok(())
    }
}
