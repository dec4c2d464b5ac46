//! Setting breakpoints: everything that can be wrong with one is found here, not at the next run.

use crate::api::error::Error;
use crate::api::{BreakpointInfo, BreakpointLocation, BreakpointSpec};
use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::log_text::LogText;
use crate::breakpoints::resolve::{self, ResolvedAddress, ResolvedLocation, find, location_of, nothing_found, pending};
use crate::breakpoints::table::{Entry, InsertionPoint, Trigger};
use crate::eval::expression::Scope;
use crate::eval::inferior::Inferior;
use arch::{Direction, RunAddr};
use program::location::Pattern;
use program::location::{Location, joined};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Debuggee {
    pub(crate) fn set_breakpoint(&mut self, spec: &BreakpointSpec) -> Result<BreakpointInfo, Error> {
        self.catch_up()?;
        let location = match spec.regex {
            true => Location::Matching(Pattern::new(&spec.location)?),
            false => Location::parse(&spec.location)?,
        };
        let log = self.log_text(spec.log.as_deref())?;
        let log = match (&spec.log_written, log) {
            (Some(written), Some(log)) => Some(Arc::new(LogText { text: written.clone(), pieces: log.pieces.clone() })),
            (_, log) => log,
        };
        let thread = spec.thread.as_deref().map(|asked| self.thread_named(asked)).transpose()?;
        // To name it may take reading the names of all units: the file that `main` is in.
        let file = matches!(location, Location::Line(_)).then(|| self.current_file()).flatten();
        let early = resolve::find_early(&location, &self.inferior.modules);
        let partly_resolved = early.is_some();
        let (locations, mut note) = match (&location, early) {
            (Location::Address(text), _) => (vec![ResolvedAddress { public: self.location_at(text)?, level: 0 }], None),
            (_, Some(ResolvedLocation { locations, note })) => (locations, note),
            (named, None) => {
                let ResolvedLocation { locations, note } = self.find(named, file.as_deref())?;
                (locations, note)
            }
        };
        if locations.is_empty() {
            if !spec.pending {
                return Err(nothing_found(&location, &spec.location, &self.inferior.modules, file.as_deref()));
            }
            note = Some(pending(&location, &self.inferior.modules, file.as_deref()));
        }
        let condition = spec.condition.as_deref().map(str::trim).filter(|c| !c.is_empty());
        let (locations, left_out) = self.inferior.where_meaningful(locations, condition, log.as_deref())?;
        self.inferior.note_choices_at(&locations, condition, log.as_deref());
        note = joined(note, left_out);
        let locations = self.inferior.compile_locations(locations, condition);
        let number = self.breakpoints.add(|number| Entry {
            number,
            what: Trigger::Code { location, file, locations },
            text: spec.location.clone(),
            condition: condition.map(str::to_owned),
            thread,
            enabled: true,
            log,
            catch: None,
            temporary: spec.temporary,
            ignore_count: spec.ignore_count,
            hits: 0,
            note,
            partly_resolved,
            hardware: spec.hardware,
        });
        let info = self.accepted(number)?;
        Ok(self.note_what_is_missed(number).unwrap_or(info))
    }

    /// Resolves a location that is not given as an address, to not too many addresses.
    pub(crate) fn find(&mut self, location: &Location, current_file: Option<&str>) -> Result<ResolvedLocation, Error> {
        let Self { inferior, sources, .. } = self;
        if let Location::Matching(pattern) = location {
            pattern.find(inferior.modules.all()).limited(pattern)?;
        }
        find(location, &inferior.modules, sources, current_file)
    }

    /// Parses the text of a log point; none if it is empty.
    pub(crate) fn log_text(&mut self, text: Option<&str>) -> Result<Option<Arc<LogText>>, Error> {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        let log = LogText::parse(text)?;
        self.check_names(&log)?;
        Ok(Some(Arc::new(log)))
    }

    pub(crate) fn location_at(&mut self, text: &str) -> Result<BreakpointLocation, Error> {
        let level = self.selected()?;
        let address = self.inferior.address(self.thread, level, text)?;
        if self.inferior.process.read_up_to(address, 1).is_empty() {
            return Err(Error::Unmapped { address });
        }
        Ok(location_of(&self.inferior.modules, RunAddr(address)))
    }

    /// Notes that a breakpoint is in code that may be written over, and not in hardware, as no debug register is free.
    fn note_what_is_missed(&mut self, number: u32) -> Option<BreakpointInfo> {
        let addresses: Vec<RunAddr> =
            self.breakpoints.get(number)?.info().locations.iter().map(|l| l.address).collect();
        if let Some(at) = addresses.iter().find(|address| self.inferior.modules.may_be_within_jump(**address)) {
            let words = format!(
                "rr writes a jump over the `syscall` in front of {at} and over the code there: from its first call on, \
                 nothing is executed there, and the breakpoint is not hit"
            );
            let entry = self.breakpoints.get_mut(number)?;
            entry.note = joined(entry.note.take(), Some(words));
            return Some(entry.info());
        }
        let wanted = self.wanted(Direction::Forward, &[], &BTreeSet::new());
        let is_at_risk = |address: &RunAddr| {
            !self.inferior.is_lasting_code(*address)
                && wanted.iter().any(|entry| entry.address == *address && entry.kind == rsp::BreakKind::Software)
        };
        let at = addresses.into_iter().find(is_at_risk)?;
        let words = format!(
            "the program may write to the code at {at}, which takes the breakpoint away; a hardware breakpoint would \
             stay, but no debug register is free"
        );
        let entry = self.breakpoints.get_mut(number)?;
        entry.note = joined(entry.note.take(), Some(words));
        Some(entry.info())
    }

    /// Has rr accept a new entry, or takes it back.
    pub(crate) fn accepted(&mut self, number: u32) -> Result<BreakpointInfo, Error> {
        let wanted = self.wanted(Direction::Forward, &[], &BTreeSet::new());
        self.inferior.process.set_breaks(&wanted)?;
        match self.inferior.process.insert_breaks() {
            Ok(()) => {}
            Err(error) => {
                let expression = self.breakpoints.get(number).map(|e| e.text.clone()).unwrap_or_default();
                self.breakpoints.remove(number)?;
                let Error::Rsp(rsp::Error::Rejected { refused, why }) = error else {
                    return Err(error);
                };
                return Err(match refused.kind {
                    rsp::BreakKind::Software => Error::Unmapped { address: refused.address.0 },
                    rsp::BreakKind::Hardware => Error::NoDebugRegister { location: expression },
                    _ => Error::Unwatchable { expression, reason: why.to_owned() },
                });
            }
        }
        let entry = self.breakpoints.get(number).map(|e| e.info());
        entry.ok_or_else(|| Error::NoBreakpoint { asked: number, known: Vec::new() })
    }
}

impl Inferior {
    /// Notes whose variables a breakpoint's condition and log text name.
    pub(crate) fn note_choices_at(
        &mut self,
        locations: &[ResolvedAddress],
        condition: Option<&str>,
        log: Option<&LogText>,
    ) {
        for place in locations {
            let scope = Scope::Code(place.public.address, place.level);
            condition.into_iter().for_each(|condition| self.note_choices(scope, condition));
            for expression in log.into_iter().flat_map(LogText::expressions) {
                self.note_choices(scope, expression);
            }
        }
    }

    /// Selects those of a breakpoint's locations at which its condition and log text mean something, and what is to be
    /// said of the others. (A line of Rust is often in a function and in its closures.)
    ///
    /// # Errors
    /// Why they mean nothing at the first place, if there is none where they do.
    pub(crate) fn where_meaningful(
        &mut self,
        locations: Vec<ResolvedAddress>,
        condition: Option<&str>,
        log: Option<&LogText>,
    ) -> Result<(Vec<ResolvedAddress>, Option<String>), Error> {
        let all = locations.len();
        let (mut meaningful, mut first_error) = (Vec::new(), None);
        for place in locations {
            let scope = Scope::Code(place.public.address, place.level);
            let checked = condition.map_or(Ok(()), |condition| self.check_condition(scope, condition).map(drop));
            match checked.and_then(|()| log.map_or(Ok(()), |log| self.check_log(scope, log))) {
                Ok(()) => meaningful.push(place),
                Err(error) => drop(first_error.get_or_insert((place.public.address, error))),
            }
        }
        let Some((address, error)) = first_error else { return Ok((meaningful, None)) };
        if meaningful.is_empty() {
            return Err(error);
        }
        let words = error.to_string();
        let note = format!(
            "{} of {all} locations are left out, such as {address}: {}",
            all - meaningful.len(),
            words.lines().next().unwrap_or_default()
        );
        Ok((meaningful, Some(note)))
    }

    /// Compiles the condition for each location, where rr can evaluate it.
    pub(crate) fn compile_locations(
        &mut self,
        locations: Vec<ResolvedAddress>,
        condition: Option<&str>,
    ) -> Vec<InsertionPoint> {
        locations
            .into_iter()
            .map(|ResolvedAddress { public, level }| {
                let scope = Scope::Code(public.address, level);
                let bytecode = condition.and_then(|condition| self.compile_at(scope, condition));
                InsertionPoint { public, level, bytecode }
            })
            .collect()
    }
}
