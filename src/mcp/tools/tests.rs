//! Engine values as JSON and as text, to the letter.

mod breakpoints;
mod inspection;
mod recordings;
mod sessions;
mod stops;

use super::breakpoints::view::BreakpointsView;
use super::checkpoints::view::CheckpointsView;
use super::inspect::stack::{BacktraceView, FoldView};
use super::inspect::view::{EvaluateView, LocalsView, RegistersView, SourceView};
use super::memory::view::MemoryView;
use super::recordings::view::{DoctorView, ProcessesView, RecordView, RecordingsView, TraceinfoView};
use super::session::view::{InterruptView, SessionView, SessionsView, WhenView};
use super::threads::view::{ThreadSelectedView, ThreadsView};
use crate::mcp::reply::*;
use crate::mcp::session::{Activity, Ended, Running, Status};
use arch::{Direction, RunAddr, ThreadId};
use engine::Traffic;
use engine::model::{Moment, *};
use rr::{Check, Counters, CutShort, Process, Recorded, Recording, Recordings, Verdict};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use std::time::Duration;

fn json_of(view: &impl Serialize) -> Value {
    structured(view).unwrap()
}

fn text_of(view: &impl Display) -> String {
    view.to_string()
}

fn variable(name: &str, value: &str, ty: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        value: value.to_owned(),
        ty: Some(ty.to_owned()),
        is_argument: false,
        dynamic_type: None,
        missing: None,
        line: None,
        shadowed: false,
        truncated: false,
    }
}

fn frame() -> Frame {
    Frame {
        level: 0,
        address: RunAddr(0x40_1136),
        function: Some("add".to_owned()),
        file: Some("t.c".to_owned()),
        fullname: Some("/src/t.c".to_owned()),
        line: Some(5),
        column: None,
        args: vec![variable("a", "1", "int"), variable("b", "2", "int")],
        module: Some("/src/t".to_owned()),
        inlined: false,
        signal_frame: false,
        tail_call: false,
        guessed: false,
    }
}

fn unknown_frame() -> Frame {
    Frame {
        level: 1,
        address: RunAddr(0x7fff_f7dd_0000),
        function: None,
        file: None,
        fullname: None,
        line: None,
        args: Vec::new(),
        module: Some("/lib/libc.so.6".to_owned()),
        tail_call: false,
        guessed: true,
        ..frame()
    }
}

fn position() -> Position {
    Position {
        moment: Some(Moment { event: 123, ticks: 4567 }),
        thread: ThreadId { pid: 100, tid: 101 },
        pc: RunAddr(0x40_1136),
    }
}

fn stop(reason: Reason) -> Stop {
    Stop {
        reason,
        position: position(),
        waypoint: None,
        frame: frame(),
        source: Vec::new(),
        notes: Vec::new(),
        logged: Logged::default(),
    }
}

fn breakpoint() -> BreakpointInfo {
    BreakpointInfo {
        number: 1,
        watch: None,
        catch: None,
        location: "t.c:4".to_owned(),
        condition: None,
        thread: None,
        enabled: true,
        log: None,
        temporary: false,
        ignore_count: 0,
        hits: 0,
        locations: vec![place(0x40_1136)],
        note: None,
    }
}

fn place(address: u64) -> BreakpointLocation {
    BreakpointLocation {
        address: RunAddr(address),
        function: Some("add".to_owned()),
        file: Some("t.c".to_owned()),
        fullname: Some("/src/t.c".to_owned()),
        line: Some(5),
    }
}
