//! Finding the locations of breakpoints anew, where other modules are loaded than when they were set.

use crate::api::error::Error;
use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::resolve;
use crate::breakpoints::table::{Entry, Trigger};
use program::location::joined;

impl Debuggee {
    /// Finds the locations of breakpoints that were set before all were known.
    pub(crate) fn resolve_completely(&mut self) -> Result<(), Error> {
        if self.breakpoints.iter().any(|entry| entry.partly_resolved) { self.resolve_again() } else { Ok(()) }
    }

    /// Finds the breakpoints' locations anew, in the modules that are loaded now.
    pub(crate) fn resolve_again(&mut self) -> Result<(), Error> {
        let Self { inferior, breakpoints, sources, .. } = self;
        let mut resolved = Vec::new();
        for entry in breakpoints.select_mut(Entry::may_move) {
            let condition = entry.condition.clone();
            let Trigger::Code { location, file, locations } = &mut entry.what else {
                continue;
            };
            // What was clear when it was set may not be so any more.
            let found = resolve::find(location, &inferior.modules, sources, file.as_deref()).unwrap_or_default();
            inferior.check_answers()?;
            if !entry.partly_resolved
                && found.locations.iter().map(|p| &p.public).eq(locations.iter().map(|p| &p.public))
            {
                continue;
            }
            let all = found.locations.clone();
            let meaningful = inferior.where_meaningful(found.locations, condition.as_deref(), entry.log.as_deref());
            // Where its condition means nothing anywhere, it stops and says so.
            let (bound, left_out) = meaningful.unwrap_or((all, None));
            let compiled = inferior.compile_locations(bound, condition.as_deref());
            inferior.check_answers()?;
            *locations = compiled;
            entry.note = match locations.is_empty() {
                true => Some(resolve::pending(location, &inferior.modules, file.as_deref())),
                false => joined(found.note, left_out),
            };
            entry.partly_resolved = false;
            resolved.push(entry.number);
        }
        tracing::debug!(?resolved, "breakpoints resolved again");
        Ok(())
    }
}
