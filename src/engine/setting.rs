//! Setting breakpoints and watchpoints: everything that can be wrong with one is found here, not at the next run.

use super::breakpoints::{Entry, Place, What};
use super::error::Error;
use super::eval::{MeantLocals, Scope};
use super::locations::{self, Bound, Location, Resolved, find, nothing_found, pending, place};
use super::log_points::LogText;
use super::model::{Access, BreakpointInfo, BreakpointPlace, BreakpointSpec};
use super::patterns::Pattern;
use super::scene::Scene;
use super::session::Session;
use super::watch::Watch;
use crate::arch::{DEBUG_REGISTERS, Direction, RunAddr, debug_registers};
use crate::ctype::{self, layout::size_of};
use crate::rsp;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A watchpoint's condition: see the fields of [`What::Data`].
#[derive(Default)]
pub(super) struct WatchCondition {
    pub(super) bytecode: Option<Vec<u8>>,
    pub(super) meant: Arc<MeantLocals>,
}

impl Session {
    pub(super) fn set_breakpoint(&mut self, spec: &BreakpointSpec) -> Result<BreakpointInfo, Error> {
        self.catch_up()?;
        let location = match spec.regex {
            true => Location::Matching(Pattern::new(&spec.location)?),
            false => Location::parse(&spec.location)?,
        };
        let log = self.log_text(spec.log.as_deref())?;
        let thread = spec.thread.as_deref().map(|asked| self.thread_named(asked)).transpose()?;
        // To name it may take reading the names of all units: the file that `main` is in.
        let file = matches!(location, Location::Line(_)).then(|| self.current_file()).flatten();
        let early = locations::find_early(&location, &self.scene.modules);
        let partly_bound = early.is_some();
        let (places, mut note) = match (&location, early) {
            (Location::Address(text), _) => (vec![Bound { public: self.place_at(text)?, level: 0 }], None),
            (_, Some(Resolved { places, note })) => (places, note),
            (named, None) => {
                let Resolved { places, note } = self.find(named, file.as_deref())?;
                (places, note)
            }
        };
        if places.is_empty() {
            if !spec.pending {
                return Err(nothing_found(&location, &spec.location, &self.scene.modules, file.as_deref()));
            }
            note = Some(pending(&location, &self.scene.modules, file.as_deref()));
        }
        let condition = spec.condition.as_deref().map(str::trim).filter(|c| !c.is_empty());
        let (places, left_out) = self.scene.where_meaningful(places, condition, log.as_deref())?;
        self.scene.note_choices_at(&places, condition, log.as_deref());
        note = joined(note, left_out);
        let places = self.scene.compile_places(places, condition);
        let number = self.breakpoints.add(|number| Entry {
            number,
            what: What::Code { location, file, places },
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
            partly_bound,
        });
        self.accepted(number)
    }

    /// The places of a location that is no address, of which there are not too many.
    pub(super) fn find(&mut self, location: &Location, current_file: Option<&str>) -> Result<Resolved, Error> {
        let Self { scene, sources, .. } = self;
        if let Location::Matching(pattern) = location {
            pattern.find(&scene.modules).limited(pattern)?;
        }
        find(location, &scene.modules, sources, current_file)
    }

    /// The text of a log point; none if it is empty.
    pub(super) fn log_text(&mut self, text: Option<&str>) -> Result<Option<Arc<LogText>>, Error> {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        let log = LogText::parse(text)?;
        self.check_names(&log)?;
        Ok(Some(Arc::new(log)))
    }

    pub(super) fn place_at(&mut self, text: &str) -> Result<BreakpointPlace, Error> {
        let level = self.selected()?;
        let address = self.scene.address(self.thread, level, text)?;
        if self.scene.process.read_up_to(address, 1).is_empty() {
            return Err(Error::Unmapped { address });
        }
        Ok(place(&self.scene.modules, RunAddr(address)))
    }

    pub(super) fn set_watchpoint(
        &mut self,
        expression: &str,
        access: Access,
        condition: Option<&str>,
        log: Option<&str>,
    ) -> Result<BreakpointInfo, Error> {
        self.catch_up()?;
        let log = self.log_text(log)?;
        let watch = self.watch(expression, access)?;
        let condition = condition.map(str::trim).filter(|c| !c.is_empty());
        let WatchCondition { bytecode, meant } = self.watch_condition(condition)?;
        let number = self.breakpoints.add(|number| Entry {
            number,
            what: What::Data { watch, bytecode, meant },
            text: expression.to_owned(),
            condition: condition.map(str::to_owned),
            thread: None,
            enabled: true,
            log,
            catch: None,
            temporary: false,
            ignore_count: 0,
            hits: 0,
            note: None,
            partly_bound: false,
        });
        self.accepted(number)
    }

    /// Checks a watchpoint's condition in the selected frame.
    pub(super) fn watch_condition(&mut self, condition: Option<&str>) -> Result<WatchCondition, Error> {
        let Some(condition) = condition else { return Ok(WatchCondition::default()) };
        let level = self.selected()?;
        let frame = self.scene.physical(self.thread, level.physical)?;
        let scope = Scope::Code(frame.address.for_lookup(), level.inline);
        let parsed = self.scene.check(scope, condition)?;
        self.scene.note_choices(scope, condition);
        let bytecode = self.scene.compile_anywhere(scope, condition);
        let meant = self.scene.meant_locals(scope, frame.function(level.inline), &parsed)?;
        Ok(WatchCondition { bytecode, meant: Arc::new(meant) })
    }

    /// Finds out what an expression names in memory, now.
    fn watch(&mut self, expression: &str, access: Access) -> Result<Watch, Error> {
        let unwatchable = |reason: String| Error::Unwatchable { expression: expression.to_owned(), reason };
        let level = self.selected()?;
        let scope = Scope::Frame(self.thread, level);
        let value = self.scene.value(scope, expression).map_err(|e| e.explained(expression))?;
        self.scene.note_choices(scope, expression);
        let value = self.scene.object_of(&value);
        let address = match value.place {
            ctype::Place::Memory(address) => address,
            ctype::Place::Register { name, .. } => {
                return Err(unwatchable(format!("it is in register {name} here; only memory can be watched")));
            }
            ctype::Place::Bytes(_) | ctype::Place::Synthetic { .. } => {
                return Err(unwatchable("it is a computed value without a place in memory".into()));
            }
            ctype::Place::Unavailable(why) => return Err(unwatchable(why.to_string())),
        };
        let size = match value.bits {
            Some(bits) => (u64::from(bits.offset) + u64::from(bits.size)).div_ceil(8),
            None => size_of(&value.ty).ok_or_else(|| unwatchable("the size of its type is not known".into()))?,
        };
        if size == 0 {
            return Err(unwatchable("it has no size".into()));
        }
        let used = self.breakpoints.watch_registers();
        let (needed, free) = (debug_registers(address, size), DEBUG_REGISTERS.saturating_sub(used));
        if needed > free {
            return Err(unwatchable(format!(
                "its {} take {needed} of the processor's {DEBUG_REGISTERS} debug registers (8 aligned bytes each), \
                 {free} are free; watch a smaller part, or remove a watchpoint",
                bytes(size)
            )));
        }
        let owner = self.scene.owner_of(self.thread, address);
        let mut watch = Watch { address, size, access, ty: value.ty, bits: value.bits, owner, last: None };
        watch.last = watch.read(&mut self.scene.process);
        if watch.last.is_none() {
            return Err(unwatchable(format!("memory at {address:#x} cannot be read")));
        }
        Ok(watch)
    }

    /// Has rr accept a new entry, or takes it back.
    pub(super) fn accepted(&mut self, number: u32) -> Result<BreakpointInfo, Error> {
        let wanted = self.wanted(Direction::Forward, &[], &BTreeSet::new());
        self.scene.process.set_breaks(&wanted)?;
        match self.scene.process.insert_breaks() {
            Ok(()) => {}
            Err(error) => {
                let expression = self.breakpoints.get(number).map(|e| e.text.clone()).unwrap_or_default();
                self.breakpoints.remove(number)?;
                let Error::Rsp(rsp::Error::Rejected { refused, why }) = error else {
                    return Err(error);
                };
                return Err(match refused.kind {
                    rsp::BreakKind::Software | rsp::BreakKind::Hardware => {
                        Error::Unmapped { address: refused.address.0 }
                    }
                    _ => Error::Unwatchable { expression, reason: why.to_owned() },
                });
            }
        }
        let entry = self.breakpoints.get(number).map(|e| e.info());
        entry.ok_or_else(|| Error::NoBreakpoint { asked: number, known: Vec::new() })
    }
}

/// What there is to say, one behind the other.
pub(super) fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    [first, second].into_iter().flatten().reduce(|first, second| format!("{first}; {second}"))
}

fn bytes(size: u64) -> String {
    match size {
        1 => "byte".to_owned(),
        n => format!("{n} bytes"),
    }
}

impl Scene {
    /// Notes whose variables a breakpoint's condition and log text name.
    pub(super) fn note_choices_at(&mut self, places: &[Bound], condition: Option<&str>, log: Option<&LogText>) {
        for place in places {
            let scope = Scope::Code(place.public.address, place.level);
            condition.into_iter().for_each(|condition| self.note_choices(scope, condition));
            for expression in log.into_iter().flat_map(LogText::expressions) {
                self.note_choices(scope, expression);
            }
        }
    }

    /// Those of a breakpoint's places at which its condition and log text mean something, and what is to be said of the
    /// others. (A line of Rust is often in a function and in its closures.)
    ///
    /// # Errors
    /// Why they mean nothing at the first place, if there is none where they do.
    pub(super) fn where_meaningful(
        &mut self,
        places: Vec<Bound>,
        condition: Option<&str>,
        log: Option<&LogText>,
    ) -> Result<(Vec<Bound>, Option<String>), Error> {
        let all = places.len();
        let (mut meaningful, mut first_error) = (Vec::new(), None);
        for place in places {
            let scope = Scope::Code(place.public.address, place.level);
            let checked = condition.map_or(Ok(()), |condition| self.check(scope, condition).map(drop));
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
            "{} of {all} places are left out, such as {address}: {}",
            all - meaningful.len(),
            words.lines().next().unwrap_or_default()
        );
        Ok((meaningful, Some(note)))
    }

    /// The same places with their condition compiled for each, where rr can evaluate it.
    pub(super) fn compile_places(&mut self, places: Vec<Bound>, condition: Option<&str>) -> Vec<Place> {
        places
            .into_iter()
            .map(|Bound { public, level }| {
                let scope = Scope::Code(public.address, level);
                let bytecode = condition.and_then(|condition| self.compile_at(scope, condition));
                Place { public, level, bytecode }
            })
            .collect()
    }
}
