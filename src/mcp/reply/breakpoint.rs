//! Breakpoints and watchpoints.

use super::omit::is_default;
use super::position::address;
use super::source::source_line;
use base::untrusted::one_line;
use engine::model::{Access, BreakpointInfo, BreakpointLocation, CatchEvent};
use engine::shortened_function;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// One address of a breakpoint that has several.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PlaceView {
    pub(crate) address: String,
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) fullname: Option<String>,
    pub(crate) line: Option<u32>,
}

impl From<BreakpointLocation> for PlaceView {
    fn from(place: BreakpointLocation) -> Self {
        Self {
            address: address(place.address),
            function: place.function,
            file: place.file,
            fullname: place.fullname,
            line: place.line,
        }
    }
}

impl fmt::Display for PlaceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address)?;
        if let Some(function) = &self.function {
            write!(f, " in {}", shortened_function(function))?;
        }
        if let Some((path, line)) = source_line([&self.fullname, &self.file], self.line) {
            write!(f, " at {path}:{line}")?;
        }
        Ok(())
    }
}

/// A breakpoint or watchpoint.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BreakpointView {
    pub(crate) number: u32,
    /// GDB's word: `breakpoint`, `hw watchpoint`, `read watchpoint`, `acc watchpoint`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) location: String,
    pub(crate) enabled: bool,
    /// It has a place; if not, `note` says what is missing.
    pub(crate) verified: bool,
    pub(crate) condition: Option<String>,
    pub(crate) hits: u32,
    pub(crate) file: Option<String>,
    pub(crate) fullname: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) address: Option<String>,
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) temporary: bool,
    pub(crate) thread: Option<String>,
    pub(crate) log: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) ignore_count: u32,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) pending: bool,
    /// All addresses, where there are several. The first is the one above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) places: Vec<PlaceView>,
    pub(crate) note: Option<String>,
}

impl From<BreakpointInfo> for BreakpointView {
    fn from(info: BreakpointInfo) -> Self {
        let is_elsewhere = matches!(info.catch, Some(CatchEvent::Signal | CatchEvent::Exec));
        let kind = match info.watch {
            None if info.catch.is_some() => "catchpoint",
            None => "breakpoint",
            Some(Access::Write) => "hw watchpoint",
            Some(Access::Read) => "read watchpoint",
            Some(Access::Access) => "acc watchpoint",
        };
        let mut places: Vec<PlaceView> = info.locations.into_iter().map(PlaceView::from).collect();
        let first = places.first().cloned();
        if places.len() == 1 {
            places.clear();
        }
        let pending = info.watch.is_none() && first.is_none() && !is_elsewhere;
        let (file, fullname) = first.as_ref().map(|p| (p.file.clone(), p.fullname.clone())).unwrap_or_default();
        Self {
            number: info.number,
            kind: kind.to_owned(),
            location: info.location,
            enabled: info.enabled,
            verified: !pending,
            condition: info.condition,
            hits: info.hits,
            file,
            fullname,
            line: first.as_ref().and_then(|p| p.line),
            address: first.as_ref().map(|p| p.address.clone()),
            function: first.as_ref().and_then(|p| p.function.clone()),
            temporary: info.temporary,
            thread: info.thread.map(|thread| thread.to_string()),
            log: info.log,
            ignore_count: info.ignore_count,
            pending,
            places,
            note: info.note,
        }
    }
}

impl fmt::Display for BreakpointView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.number, self.kind, one_line(&self.location))?;
        if !self.enabled {
            f.write_str(", disabled")?;
        }
        if self.pending {
            f.write_str(", pending")?;
        }
        if self.temporary {
            f.write_str(", temporary")?;
        }
        if let Some(condition) = &self.condition {
            write!(f, ", if {}", one_line(condition))?;
        }
        if let Some(thread) = &self.thread {
            write!(f, ", thread {thread} only")?;
        }
        if let Some(log) = &self.log {
            write!(f, ", logs {log:?}")?;
        }
        if self.ignore_count > 0 {
            write!(f, ", passes {} more", self.ignore_count)?;
        }
        write!(f, ", {} {}", self.hits, if self.hits == 1 { "hit" } else { "hits" })?;
        match (self.places.as_slice(), &self.address) {
            ([], Some(at)) => {
                f.write_str(", ")?;
                let place = PlaceView {
                    address: at.clone(),
                    function: self.function.clone(),
                    file: self.file.clone(),
                    fullname: self.fullname.clone(),
                    line: self.line,
                };
                write!(f, "{}", place)?;
            }
            (places, _) => {
                for place in places {
                    f.write_str("\n    ")?;
                    write!(f, "{}", place)?;
                }
            }
        }
        if let Some(note) = &self.note {
            write!(f, "\n    note: {}", one_line(note))?;
        }
        Ok(())
    }
}
