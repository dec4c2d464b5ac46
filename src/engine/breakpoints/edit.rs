//! Changing breakpoints that are set: their conditions, how often they are skipped, whether they are enabled.

use crate::api::error::Error;
use crate::api::{BreakpointChange, BreakpointInfo, CatchEvent};
use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::log_text::LogText;
use crate::breakpoints::resolve::{ResolvedAddress, find_early};
use crate::breakpoints::set_watchpoint::WatchCondition;
use crate::breakpoints::table::{Entry, InsertionPoint, Trigger};
use arch::DEBUG_REGISTERS;
use program::location::{Location, joined};

impl Debuggee {
    /// Returns the entry that users name by its number.
    pub(crate) fn known(&mut self, number: u32) -> Result<&mut Entry, Error> {
        let known: Vec<u32> = self.breakpoints.iter().map(|e| e.number).collect();
        self.breakpoints.get_mut(number).ok_or(Error::NoBreakpoint { asked: number, known })
    }

    /// Refuses what a stop that no breakpoint makes cannot do: it has no place whose variables could be looked at.
    fn takes(&mut self, number: u32, what: &str) -> Result<(), Error> {
        match self.known(number)?.event() {
            Some(event @ (CatchEvent::Signal | CatchEvent::Exec)) => {
                let reason = format!("a catchpoint of this kind takes no {what}: it has no place in the program");
                Err(Error::BadLocation { text: event.word().to_owned(), reason })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn set_condition(&mut self, number: u32, condition: Option<&str>) -> Result<(), Error> {
        let condition = Some(condition.unwrap_or_default().to_owned());
        self.change(number, &BreakpointChange { condition, ..BreakpointChange::default() }).map(drop)
    }

    /// Finds what an entry waits for with another condition and log text, and what is to be said of its locations. They
    /// are found anew: some may have been left out for what the condition and the text were.
    fn fitted(
        &mut self,
        number: u32,
        condition: Option<&str>,
        log: Option<&LogText>,
    ) -> Result<(Trigger, Option<String>), Error> {
        self.catch_up()?;
        let entry = self.known(number)?;
        let (note, partly_resolved, catch) = (entry.note.clone(), entry.partly_resolved, entry.catch.clone());
        match entry.what.clone() {
            Trigger::Data { watch, .. } => {
                let WatchCondition { bytecode, meant } = self.watch_condition(condition)?;
                Ok((Trigger::Data { watch, bytecode, meant }, note))
            }
            Trigger::Code { location, file, locations } => {
                let early = partly_resolved.then(|| find_early(&location, &self.inferior.modules)).flatten();
                let (bound, note) = match early {
                    Some(found) => (found.locations, found.note),
                    // It has one place, or it waits for one.
                    None if matches!(location, Location::Address(_)) || locations.is_empty() => (
                        locations
                            .into_iter()
                            .map(|InsertionPoint { public, level, .. }| ResolvedAddress { public, level })
                            .collect(),
                        note,
                    ),
                    None => {
                        let found = self.find(&location, file.as_deref())?;
                        let of_catch = catch.and_then(|catch| catch.note()).map(str::to_owned);
                        (found.locations, joined(of_catch, found.note))
                    }
                };
                let (bound, left_out) = self.inferior.where_meaningful(bound, condition, log)?;
                self.inferior.note_choices_at(&bound, condition, log);
                let locations = self.inferior.compile_locations(bound, condition);
                Ok((Trigger::Code { location, file, locations }, joined(note, left_out)))
            }
        }
    }

    pub(crate) fn set_enabled(&mut self, number: u32, enabled: bool) -> Result<(), Error> {
        let used = self.breakpoints.watch_registers();
        let entry = self.known(number)?;
        if let Trigger::Data { watch, .. } = &entry.what
            && enabled
            && !entry.enabled
            && used + watch.registers() > DEBUG_REGISTERS
        {
            let reason = format!("all of the processor's {DEBUG_REGISTERS} debug registers are taken");
            return Err(Error::Unwatchable { expression: entry.text.clone(), reason });
        }
        entry.enabled = enabled;
        Ok(())
    }

    /// Makes all of a change, or none of it.
    pub(crate) fn change(&mut self, number: u32, change: &BreakpointChange) -> Result<BreakpointInfo, Error> {
        self.known(number)?;
        let thread = match change.thread.as_deref().map(str::trim) {
            None => None,
            Some("") => Some(None),
            Some(asked) => Some(Some(self.thread_named(asked)?)),
        };
        let known = self.known(number)?;
        let (mut condition, mut log) = (known.condition.clone(), known.log.clone());
        if let Some(text) = change.condition.as_deref().map(str::trim) {
            condition = Some(text.to_owned()).filter(|text| !text.is_empty());
            if condition.is_some() {
                self.takes(number, "condition")?;
            }
        }
        if let Some(text) = &change.log {
            log = self.log_text(Some(text))?;
            if log.is_some() {
                self.takes(number, "log text")?;
            }
        }
        let fitted = match change.condition.is_some() || change.log.is_some() {
            true => Some(self.fitted(number, condition.as_deref(), log.as_deref())?),
            false => None,
        };
        if let Some(enabled) = change.enabled {
            self.set_enabled(number, enabled)?;
        }
        let entry = self.known(number)?;
        if let Some((what, note)) = fitted {
            (entry.what, entry.note) = (what, note);
        }
        (entry.condition, entry.log) = (condition, log);
        if let Some(thread) = thread {
            entry.thread = thread;
        }
        entry.ignore_count = change.ignore_count.unwrap_or(entry.ignore_count);
        Ok(entry.info())
    }
}
