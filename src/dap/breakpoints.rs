//! Breakpoints: what the editor wants to be waited for, and what has become of it.
//!
//! An editor says all breakpoints of a file, or of a sort, at once. Those that have not changed are left as they are,
//! with their hits; the others are removed and set.

use super::arguments::{
    AccessType, BreakpointLocations, SetBreakpoints, SetFunctionBreakpoints, SetInstructionBreakpoints, Wishes,
};
use super::bodies;
use super::code::address_of;
use super::data_breakpoints::Watchable;
use super::exceptions;
use super::message::{Refusal, body_of};
use super::session::Session;
use super::source_paths::ends;
use crate::replay::{self, Breakpoint, BreakpointKind, ErrorKind, Replay, Stop};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Most lines of a file that are looked at for code at once.
const MOST_LINES: u32 = 2000;

/// Most breakpoints of one request: each is looked for in all modules.
const MOST: usize = 1000;

/// Who has asked for a breakpoint: the list that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum List {
    Source(String),
    Function,
    Instruction,
    Data,
    Exception,
}

/// Where a breakpoint is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Line(String, u32),
    Function(String),
    Address(u64),
    Data(String, AccessType),
    Exception(String),
}

/// A breakpoint that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requested {
    pub(super) place: Place,
    pub(super) wishes: Wishes,
}

/// One that is wanted, and what came of it.
#[derive(Debug)]
struct Entry {
    id: u64,
    list: List,
    wanted: Requested,
    /// Its number in the replay; `None` if it could not be set, or is there no more.
    number: Option<u32>,
    told: bodies::Breakpoint,
}

/// All breakpoints of the editor.
#[derive(Debug, Default)]
pub(super) struct Breakpoints {
    last: u64,
    entries: Vec<Entry>,
}

impl List {
    /// Returns the reason of a stop at one.
    fn reason(&self) -> &'static str {
        match self {
            Self::Source(_) => "breakpoint",
            Self::Function => "function breakpoint",
            Self::Instruction => "instruction breakpoint",
            Self::Data => "data breakpoint",
            Self::Exception => "exception",
        }
    }
}

impl Breakpoints {
    /// Sets those of a list, instead of those that were in it. Returns what came of each.
    fn replace(
        &mut self,
        replay: &mut Replay,
        watchable: &Watchable,
        list: &List,
        wanted: Vec<Requested>,
    ) -> Result<Vec<bodies::Breakpoint>, Refusal> {
        if wanted.len() > MOST {
            return Err(Refusal::new(format!("{} breakpoints at once: {MOST} at most", wanted.len())));
        }
        let (mut old, others): (Vec<_>, Vec<_>) = self.entries.drain(..).partition(|entry| entry.list == *list);
        self.entries = others;
        let mut kept = Vec::new();
        for wanted in wanted {
            let known = old.iter().position(|entry| entry.wanted == wanted && entry.number.is_some());
            kept.push((wanted, known.map(|at| old.swap_remove(at))));
        }
        // First, as watchpoints need what they have. Several entries may be of one breakpoint.
        let is_kept = |number| kept.iter().any(|(_, known)| known.as_ref().is_some_and(|k| k.number == number));
        let gone: Vec<_> = old.into_iter().map(|entry| entry.number).filter(|number| !is_kept(*number)).collect();
        for number in gone {
            remove(replay, number)?;
        }
        let (mut told, mut files) = (Vec::new(), CompiledFiles::default());
        for (wanted, known) in kept {
            let entry = match known.or_else(|| self.another(list, &wanted)) {
                Some(entry) => entry,
                None => self.set(replay, watchable, &mut files, list.clone(), wanted)?,
            };
            told.push(entry.told.clone());
            self.entries.push(entry);
        }
        Ok(told)
    }

    /// Returns one more entry of a breakpoint that is set, if there is one in the list that is wanted the same.
    fn another(&mut self, list: &List, wanted: &Requested) -> Option<Entry> {
        let is_same = |entry: &&Entry| entry.number.is_some() && entry.list == *list && entry.wanted == *wanted;
        let (number, told) = self.entries.iter().find(is_same).map(|entry| (entry.number, entry.told.clone()))?;
        self.last += 1;
        let id = self.last;
        let told = bodies::Breakpoint { id, ..told };
        Some(Entry { id, list: list.clone(), wanted: wanted.clone(), number, told })
    }

    fn set(
        &mut self,
        replay: &mut Replay,
        watchable: &Watchable,
        files: &mut CompiledFiles,
        list: List,
        wanted: Requested,
    ) -> Result<Entry, Refusal> {
        self.last += 1;
        let id = self.last;
        let (number, told) = match set(replay, watchable, files, &wanted) {
            Ok((set, note)) => (Some(set.number), body(id, &set, note)),
            Err(refusal) if refusal.is_fatal => return Err(refusal),
            Err(refusal) => {
                let message = Some(refusal.words().to_owned());
                (None, bodies::Breakpoint { id, message, reason: Some("failed"), ..bodies::Breakpoint::default() })
            }
        };
        Ok(Entry { id, list, wanted, number, told })
    }

    /// Returns the breakpoint that a stop is for, and the reason that this is.
    pub(super) fn hit(&self, stop: &Stop) -> Option<(u64, &'static str)> {
        let entry =
            self.entries.iter().find(|entry| entry.number.is_some_and(|number| stop.reason.is_hit_of(number)))?;
        Some((entry.id, entry.list.reason()))
    }

    /// Returns what has become of breakpoints since that was told: found in a library that was loaded, or removed.
    fn changed(&mut self, known: &[Breakpoint]) -> Vec<(&'static str, bodies::Breakpoint)> {
        let mut changed = Vec::new();
        for entry in &mut self.entries {
            let Some(number) = entry.number else { continue };
            let Some(now) = known.iter().find(|breakpoint| breakpoint.number == number) else {
                entry.number = None;
                changed.push(("removed", entry.told.clone()));
                continue;
            };
            let now = body(entry.id, now, None);
            let is_same = (now.verified, now.line) == (entry.told.verified, entry.told.line);
            if !is_same {
                entry.told = now;
                changed.push(("changed", entry.told.clone()));
            }
        }
        changed
    }
}

fn remove(replay: &mut Replay, number: Option<u32>) -> Result<(), Refusal> {
    let set = replay.breakpoints().into_iter().find(|breakpoint| Some(breakpoint.number) == number);
    match set {
        Some(set) => Ok(replay.remove(&set)?),
        // It was removed in the console.
        None => Ok(()),
    }
}

/// Returns what is told of a breakpoint that is set.
fn body(id: u64, set: &Breakpoint, note: Option<String>) -> bodies::Breakpoint {
    let first = set.locations.first();
    let waits_in_code = matches!(set.kind, BreakpointKind::Code);
    let verified = first.is_some() || !waits_in_code;
    bodies::Breakpoint {
        id,
        verified,
        message: note.into_iter().chain(set.note.clone()).reduce(|all, more| format!("{all}; {more}")),
        line: first.and_then(|place| place.location.as_ref()).map(|location| location.line).filter(|_| waits_in_code),
        instruction_reference: first.map(|place| format!("{:#x}", place.address)).filter(|_| waits_in_code),
        reason: (!verified).then_some("pending"),
    }
}

/// Sets a breakpoint, and returns with it what is to be said of it.
fn set(
    replay: &mut Replay,
    watchable: &Watchable,
    files: &mut CompiledFiles,
    wanted: &Requested,
) -> Result<(Breakpoint, Option<String>), Refusal> {
    let Wishes { condition, hit_condition, log_message } = &wanted.wishes;
    let condition = condition.as_deref().filter(|text| !text.trim().is_empty());
    let log = log_message.as_deref().filter(|text| !text.is_empty());
    let ignored = hit_condition.as_deref().map_or(Ok(0), hits_to_ignore)?;
    let (location, note) = match &wanted.place {
        Place::Exception(filter) => return Ok((exceptions::set(replay, filter, condition)?, None)),
        Place::Data(id, access) => {
            let (kept, text) = watchable.get(id)?;
            let set = replay.watch_kept(kept, text, (*access).into(), condition, log)?;
            if ignored > 0 {
                replay.set_ignore(&set, ignored)?;
            }
            return Ok((set, None));
        }
        Place::Line(file, line) => {
            let file = files.of(replay, file)?;
            (format!("{}:{line}", file.compiled), file.note)
        }
        Place::Function(name) => (name.clone(), None),
        Place::Address(address) => (format!("*{address:#x}"), None),
    };
    let mut builder = replay.breakpoint(location).pending().ignore(ignored);
    if let Some(condition) = condition {
        builder = builder.condition(condition);
    }
    if let Some(log) = log {
        builder = builder.log(log);
    }
    Ok((builder.set()?, note))
}

/// Returns how many hits are passed by before the first stop: `3` and `>= 3` stop from the third hit on, `> 3` from the
/// fourth.
fn hits_to_ignore(text: &str) -> Result<u32, Refusal> {
    let text = text.trim();
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let found = match (text.strip_prefix(">="), text.strip_prefix('>')) {
        _ if text.is_empty() => Some(0),
        (Some(rest), _) => number(rest).map(|hits| hits.saturating_sub(1)),
        (None, Some(rest)) => number(rest),
        (None, None) => number(text).map(|hits| hits.saturating_sub(1)),
    };
    found.ok_or_else(|| Refusal::new(format!("hit condition `{text}`: N, >= N and > N are understood")))
}

/// A file as the program knows it.
#[derive(Clone)]
pub(super) struct CompiledFile {
    pub(super) compiled: String,
    /// What is to be said if it is not the path that was asked for.
    note: Option<String>,
}

/// The files of one request, each looked for once.
#[derive(Default)]
struct CompiledFiles(HashMap<String, CompiledFile>);

impl CompiledFiles {
    fn of(&mut self, replay: &mut Replay, path: &str) -> Result<CompiledFile, Refusal> {
        if let Some(found) = self.0.get(path) {
            return Ok(found.clone());
        }
        let found = file_of(replay, path)?;
        self.0.insert(path.to_owned(), found.clone());
        Ok(found)
    }
}

/// Finds the file of a path: the path itself, or else the longest end of it that the program has.
fn file_of(replay: &mut Replay, path: &str) -> Result<CompiledFile, Refusal> {
    for end in ends(path) {
        // Whether the file is known does not depend on the line.
        let found = replay.with_engine(|engine| engine.source_position(&format!("{end}:1")))?;
        let error = match found.map_err(replay::Error::from) {
            Ok(_) if end == path => return Ok(CompiledFile { compiled: path.to_owned(), note: None }),
            Ok(found) => {
                let note = format!("taken for {}, where the program was compiled", found.fullname);
                return Ok(CompiledFile { compiled: found.fullname, note: Some(note) });
            }
            Err(error) => error,
        };
        if error.kind() != ErrorKind::NoLocation {
            return Err(error.into());
        }
    }
    // A library that is loaded later may have it.
    Ok(CompiledFile { compiled: path.to_owned(), note: None })
}

impl Session {
    fn replace(&mut self, list: &List, wanted: Vec<Requested>) -> Result<Value, Refusal> {
        let replay = self.replay.as_mut().ok_or_else(super::session::nothing)?;
        let mut told = self.breakpoints.replace(replay, &self.watchable, list, wanted)?;
        told.iter_mut().for_each(|told| told.line = told.line.map(|line| self.editor.line(line)));
        Ok(body_of(json!({"breakpoints": told})))
    }

    pub(super) fn set_breakpoints(&mut self, arguments: SetBreakpoints) -> Result<Value, Refusal> {
        let path = arguments.source.path.or(arguments.source.name);
        let path = path.ok_or_else(|| Refusal::new("setBreakpoints: the source has no path"))?;
        let path = self.sources.compiled(&path);
        let wanted = arguments.breakpoints.into_iter().map(|asked| {
            let line = self.editor.line_of(asked.line);
            Requested { place: Place::Line(path.clone(), line), wishes: asked.wishes }
        });
        let wanted = wanted.collect();
        self.replace(&List::Source(path), wanted)
    }

    pub(super) fn set_function_breakpoints(&mut self, arguments: SetFunctionBreakpoints) -> Result<Value, Refusal> {
        let wanted = arguments.breakpoints.into_iter();
        let wanted = wanted.map(|asked| Requested { place: Place::Function(asked.name), wishes: asked.wishes });
        self.replace(&List::Function, wanted.collect())
    }

    pub(super) fn set_instruction_breakpoints(
        &mut self,
        arguments: SetInstructionBreakpoints,
    ) -> Result<Value, Refusal> {
        let wanted = arguments.breakpoints.into_iter().map(|asked| {
            let address = address_of(&asked.instruction_reference)?.wrapping_add_signed(asked.offset);
            Ok(Requested { place: Place::Address(address), wishes: asked.wishes })
        });
        let wanted = wanted.collect::<Result<_, Refusal>>()?;
        self.replace(&List::Instruction, wanted)
    }

    pub(super) fn replace_exceptions(&mut self, wanted: Vec<Requested>) -> Result<Value, Refusal> {
        self.replace(&List::Exception, wanted)
    }

    pub(super) fn replace_data(&mut self, wanted: Vec<Requested>) -> Result<Value, Refusal> {
        self.replace(&List::Data, wanted)
    }

    /// Finds the file of a source, as the program knows it.
    pub(super) fn file_of(&mut self, source: &super::arguments::Source) -> Result<CompiledFile, Refusal> {
        let path = source.path.as_ref().or(source.name.as_ref());
        let path = self.sources.compiled(path.ok_or_else(|| Refusal::new("the source has no path"))?);
        file_of(self.replay()?, &path)
    }

    pub(super) fn breakpoint_locations(&mut self, arguments: &BreakpointLocations) -> Result<Value, Refusal> {
        let first = self.editor.line_of(arguments.line);
        let last = arguments.end_line.map_or(first, |line| self.editor.line_of(line));
        let many = last.saturating_sub(first).saturating_add(1);
        if many > MOST_LINES {
            return Err(Refusal::new(format!("breakpointLocations of {many} lines at once: {MOST_LINES} at most")));
        }
        let file = self.file_of(&arguments.source)?.compiled;
        let mut lines = Vec::new();
        let is_known = self.replay()?.with_engine(|engine| engine.has_source(&file))?.map_err(replay::Error::from)?;
        // To look for each line of a file that nothing has takes long.
        for line in (first..=last).filter(|_| is_known) {
            let spans = self.replay()?.with_engine(|engine| engine.code_of_line(Some(&file), line))?;
            let spans = spans.map_err(replay::Error::from)?;
            if spans.iter().any(|span| span.line == line) {
                lines.push(json!({"line": self.editor.line(line)}));
            }
        }
        Ok(json!({"breakpoints": lines}))
    }

    /// Tells what has become of breakpoints since that was told.
    pub(super) fn tell_changed_breakpoints(&mut self) {
        let Some(replay) = &self.replay else { return };
        for (reason, mut told) in self.breakpoints.changed(&replay.breakpoints()) {
            told.line = told.line.map(|line| self.editor.line(line));
            self.client.event("breakpoint", json!({"reason": reason, "breakpoint": told}));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_passed_by_up_to_the_one_that_is_meant() {
        let ignored = |text: &str| hits_to_ignore(text).ok();
        assert_eq!(["", "3", ">= 3", ">3", " 1 ", "0"].map(ignored), [0, 2, 2, 3, 0, 0].map(Some));
        assert_eq!(["% 2", "== 3", "x", "-1"].map(ignored), [None; 4]);
    }
}
