//! Changing breakpoints that are set: their conditions, how often they are passed by, whether they count at all.

use super::Engine;
use super::breakpoints::{Entry, Place, What};
use super::error::Error;
use super::eval::Scope;
use super::locations::Bound;
use super::model::{BreakpointChange, BreakpointInfo, CatchEvent};
use super::session::Session;
use super::setting::WatchCondition;
use crate::arch::DEBUG_REGISTERS;

impl Session {
    fn known(&mut self, number: u32) -> Result<&mut Entry, Error> {
        let known: Vec<u32> = self.breakpoints.iter().map(|e| e.number).collect();
        self.breakpoints.get(number).ok_or(Error::NoBreakpoint { asked: number, known })
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

    fn set_condition(&mut self, number: u32, condition: Option<&str>) -> Result<(), Error> {
        self.known(number)?;
        self.catch_up()?;
        let condition = condition.map(str::trim).filter(|c| !c.is_empty());
        if condition.is_some() {
            self.takes(number, "condition")?;
        }
        let of_watch = match self.breakpoints.get(number).map(|e| &e.what) {
            Some(What::Data { .. }) => self.watch_condition(condition)?,
            _ => WatchCondition::default(),
        };
        let Self { scene, breakpoints, .. } = self;
        let Some(entry) = breakpoints.get(number) else { return Ok(()) };
        match &mut entry.what {
            What::Code { places, .. } => {
                if let (Some(condition), Some(first)) = (condition, places.first()) {
                    scene.check(Scope::Code(first.public.address, first.level), condition)?;
                }
                let bound = |p: &Place| Bound { public: p.public.clone(), level: p.level };
                *places = scene.compile_places(places.iter().map(bound).collect(), condition);
            }
            What::Data { bytecode, meant, .. } => (*bytecode, *meant) = (of_watch.bytecode, of_watch.meant),
        }
        entry.condition = condition.map(str::to_owned);
        Ok(())
    }

    fn set_enabled(&mut self, number: u32, enabled: bool) -> Result<(), Error> {
        let used = self.breakpoints.watch_registers();
        let entry = self.known(number)?;
        if let What::Data { watch, .. } = &entry.what
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
    fn change(&mut self, number: u32, change: &BreakpointChange) -> Result<BreakpointInfo, Error> {
        self.known(number)?;
        let thread = match change.thread.as_deref().map(str::trim) {
            None => None,
            Some("") => Some(None),
            Some(asked) => Some(Some(self.thread_named(asked)?)),
        };
        let log = change.log.as_deref().map(|text| self.log_text(Some(text))).transpose()?;
        if let Some(Some(_)) = &log {
            self.takes(number, "log text")?;
        }
        if let Some(Some(log)) = &log
            && let What::Code { places, .. } = &self.known(number)?.what
            && let Some(first) = places.first()
        {
            let scope = Scope::Code(first.public.address, first.level);
            self.scene.check_log(scope, log)?;
        }
        let was = self.breakpoints.get(number).is_some_and(|e| e.enabled);
        if let Some(enabled) = change.enabled {
            self.set_enabled(number, enabled)?;
        }
        if let Some(condition) = &change.condition
            && let Err(error) = self.set_condition(number, Some(condition))
        {
            self.set_enabled(number, was)?;
            return Err(error);
        }
        let entry = self.known(number)?;
        if let Some(thread) = thread {
            entry.thread = thread;
        }
        if let Some(log) = log {
            entry.log = log;
        }
        entry.ignore_count = change.ignore_count.unwrap_or(entry.ignore_count);
        Ok(entry.info())
    }
}

impl Engine {
    /// Gives a breakpoint or watchpoint another condition, or none.
    pub fn set_condition(&mut self, number: u32, condition: Option<&str>) -> Result<(), Error> {
        self.within(self.session.limits.breakpoint, |s| s.set_condition(number, condition))
    }

    /// Has a breakpoint or watchpoint be passed by `count` times from now on.
    pub fn set_ignore_count(&mut self, number: u32, count: u32) -> Result<(), Error> {
        self.with(|s| {
            s.known(number)?.ignore_count = count;
            Ok(())
        })
    }

    /// Has a breakpoint or watchpoint count, or not.
    pub fn set_enabled(&mut self, number: u32, enabled: bool) -> Result<(), Error> {
        self.with(|s| s.set_enabled(number, enabled))
    }

    /// Changes a breakpoint or watchpoint, and tells what it is now. After an error nothing is different.
    pub fn change_breakpoint(&mut self, number: u32, change: &BreakpointChange) -> Result<BreakpointInfo, Error> {
        self.with(|s| s.change(number, change))
    }

    /// One breakpoint or watchpoint.
    pub fn breakpoint(&self, number: u32) -> Option<BreakpointInfo> {
        self.session.breakpoints.iter().find(|e| e.number == number).map(|e| e.info())
    }
}
