//! Whether a stop on the way forward may be one that a backward run has to tell of: conditions, without counting.

use crate::api::Access;
use crate::api::error::Error;
use crate::breakpoints::table::Trigger;
use crate::breakpoints::watch::Watch;
use crate::run::mover::Mover;
use arch::{RunAddr, ThreadId};

/// What is in each watched object, in the order of the breakpoints that are enabled.
pub(crate) type WatchedValues = Vec<Option<Vec<u8>>>;

impl Mover<'_, '_> {
    /// Returns whether a breakpoint may stop a thread where it is, or count or tell anything.
    pub(crate) fn evaluate_hit(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let s = &mut *self.session;
        let Some(pc) = s.debuggee.inferior.process.registers(thread)?.pc() else { return Ok(true) };
        for number in s.debuggee.breakpoints.at(pc) {
            let Some(entry) = s.debuggee.breakpoints.get(number).filter(|e| e.is_for(thread)) else { continue };
            let Some(condition) = entry.condition.clone() else { return Ok(true) };
            let level = entry.level_at(pc).unwrap_or(0);
            s.debuggee.inferior.hide_inlined(thread, level)?;
            let holds = s.debuggee.inferior.condition_holds(thread, None, &condition);
            s.debuggee.inferior.hide_inlined(thread, 0)?;
            // What has no value is reported.
            if holds != Ok(false) {
                return Ok(true);
            }
            s.time_spent.skip(number);
        }
        Ok(false)
    }

    /// Reads what is watched.
    pub(crate) fn watched_now(&mut self) -> WatchedValues {
        let debuggee = &mut self.session.debuggee;
        let watches = debuggee.breakpoints.enabled().filter_map(|entry| entry.watch());
        watches.map(|watch| watch.read(&mut debuggee.inferior.process)).collect()
    }

    /// Returns whether a watchpoint may stop a thread behind what rr has reported for `address`, or count or tell
    /// anything. `last`: what was watched at the last stop, which becomes what it is now.
    pub(crate) fn evaluate_watched(
        &mut self,
        thread: ThreadId,
        address: RunAddr,
        last: &mut WatchedValues,
    ) -> Result<bool, Error> {
        let now = self.watched_now();
        let before = std::mem::replace(last, now.clone());
        self.any_watchpoint_counts(thread, |index, watch, rr_evaluates| {
            // Of what rr evaluates itself it does not report all changes.
            let is_seen = !rr_evaluates && watch.access == Access::Write && watch.address != address.0;
            !is_seen || now.get(index) != before.get(index)
        })
    }

    /// Returns whether any watchpoint that is touched has no condition, or one that holds where the thread is.
    /// `is_touched` is told its place among the watchpoints that are enabled, and whether rr evaluates its condition.
    pub(crate) fn any_watchpoint_counts(
        &mut self,
        thread: ThreadId,
        is_touched: impl Fn(usize, &Watch, bool) -> bool,
    ) -> Result<bool, Error> {
        let entries: Vec<_> = self.session.debuggee.breakpoints.enabled().cloned().collect();
        let watching = entries.iter().filter_map(|entry| match &entry.what {
            Trigger::Data { watch, bytecode, meant } => Some((entry, watch, bytecode, meant)),
            Trigger::Code { .. } => None,
        });
        let mut counts = false;
        for (index, (entry, watch, bytecode, meant)) in watching.enumerate() {
            if !entry.is_for(thread) || !is_touched(index, watch, bytecode.is_some()) {
                continue;
            }
            let inferior = &mut self.session.debuggee.inferior;
            let holds = match &entry.condition {
                None => Ok(true),
                Some(condition) => inferior.condition_holds(thread, Some(meant), condition),
            };
            inferior.check_answers()?;
            // What has no value is reported.
            match holds {
                Ok(false) => self.session.time_spent.skip(entry.number),
                Ok(true) | Err(_) => counts = true,
            }
        }
        Ok(counts)
    }
}
