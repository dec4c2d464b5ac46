//! Breakpoints and watchpoints.

use super::{address, at_line, is_false, is_zero};
use crate::engine::model::{Access, BreakpointInfo, BreakpointPlace, CatchEvent};
use crate::engine::shortened_function;
use crate::mcp::reply::Render;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt::Write as _;

/// One address of a breakpoint that has several.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PlaceView {
    pub(crate) address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fullname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
}

impl From<BreakpointPlace> for PlaceView {
    fn from(place: BreakpointPlace) -> Self {
        Self {
            address: address(place.address),
            function: place.function,
            file: place.file,
            fullname: place.fullname,
            line: place.line,
        }
    }
}

impl Render for PlaceView {
    fn render(&self, out: &mut String) {
        out.push_str(&self.address);
        if let Some(function) = &self.function {
            let _ = write!(out, " in {}", shortened_function(function));
        }
        at_line(out, [&self.fullname, &self.file], self.line);
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) condition: Option<String>,
    pub(crate) hits: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fullname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) temporary: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) log: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) ignore_count: u32,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) pending: bool,
    /// All addresses, where there are several. The first is the one above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) places: Vec<PlaceView>,
    #[serde(skip_serializing_if = "Option::is_none")]
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
        let mut places: Vec<PlaceView> = info.places.into_iter().map(PlaceView::from).collect();
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

impl Render for BreakpointView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{} {} {}", self.number, self.kind, self.location);
        if !self.enabled {
            out.push_str(", disabled");
        }
        if self.pending {
            out.push_str(", pending");
        }
        if self.temporary {
            out.push_str(", temporary");
        }
        if let Some(condition) = &self.condition {
            let _ = write!(out, ", if {condition}");
        }
        if let Some(thread) = &self.thread {
            let _ = write!(out, ", thread {thread} only");
        }
        if let Some(log) = &self.log {
            let _ = write!(out, ", logs {log:?}");
        }
        if self.ignore_count > 0 {
            let _ = write!(out, ", passes {} more", self.ignore_count);
        }
        let _ = write!(out, ", {} {}", self.hits, if self.hits == 1 { "hit" } else { "hits" });
        match (self.places.as_slice(), &self.address) {
            ([], Some(at)) => {
                out.push_str(", ");
                let place = PlaceView {
                    address: at.clone(),
                    function: self.function.clone(),
                    file: self.file.clone(),
                    fullname: self.fullname.clone(),
                    line: self.line,
                };
                place.render(out);
            }
            (places, _) => {
                for place in places {
                    out.push_str("\n    ");
                    place.render(out);
                }
            }
        }
        if let Some(note) = &self.note {
            let _ = write!(out, "\n    note: {note}");
        }
    }
}

/// Result of `rr_breakpoint_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BreakpointsView {
    pub(crate) result: Vec<BreakpointView>,
}

impl From<Vec<BreakpointInfo>> for BreakpointsView {
    fn from(list: Vec<BreakpointInfo>) -> Self {
        Self { result: list.into_iter().map(BreakpointView::from).collect() }
    }
}

impl Render for BreakpointsView {
    fn render(&self, out: &mut String) {
        if self.result.is_empty() {
            out.push_str("no breakpoints or watchpoints");
        }
        for (i, breakpoint) in self.result.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            breakpoint.render(out);
        }
    }
}
