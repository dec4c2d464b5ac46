//! Stops, frames and threads.

use super::{LoggedView, address, at_line, is_false};
use crate::engine::model::{Access, Backtrace, Caught, Frame, Motion, Reason, SourceLine, Stop, Thread, Variable};
use crate::engine::shortened_function;
use crate::engine::signal_meaning;
use crate::mcp::reply::Render;
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::fmt::Write as _;

/// An argument of a frame.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ArgView {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A stack frame.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FrameView {
    pub(crate) level: u32,
    pub(crate) address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fullname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) args: Option<Vec<ArgView>>,
    /// Only where there is no source line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) inlined: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) signal_frame: bool,
    // The two rare marks are allowed by the schema without being listed: it is repeated in every tool that stops.
    #[serde(skip_serializing_if = "is_false")]
    #[schemars(skip)]
    pub(crate) tail_call: bool,
    #[serde(skip_serializing_if = "is_false")]
    #[schemars(skip)]
    pub(crate) guessed: bool,
}

impl From<Frame> for FrameView {
    fn from(frame: Frame) -> Self {
        let args: Vec<ArgView> =
            frame.args.into_iter().map(|Variable { name, value, .. }| ArgView { name, value }).collect();
        Self {
            level: frame.level,
            address: address(frame.address),
            function: frame.function,
            module: if frame.line.is_none() { frame.module } else { None },
            file: frame.file,
            fullname: frame.fullname,
            line: frame.line,
            args: (!args.is_empty()).then_some(args),
            inlined: frame.inlined,
            signal_frame: frame.signal_frame,
            tail_call: frame.tail_call,
            guessed: frame.guessed,
        }
    }
}

impl FrameView {
    /// `add (a=1, b=2) at /src/t.c:5`, the address where there is no line.
    pub(crate) fn place(&self, out: &mut String) {
        let known = self.function.is_some() || self.line.is_some();
        if !known {
            out.push_str(&self.address);
            out.push_str(" in ");
        }
        out.push_str(&self.function.as_deref().map_or_else(|| "??".to_owned(), shortened_function));
        if let Some(args) = &self.args {
            let args: Vec<String> = args.iter().map(|arg| format!("{}={}", arg.name, arg.value)).collect();
            let _ = write!(out, " ({})", args.join(", "));
        }
        let in_source = at_line(out, [&self.fullname, &self.file], self.line);
        if let Some(module) = self.module.as_ref().filter(|_| !in_source) {
            let _ = write!(out, " from {module}");
        }
        for (flag, word) in [
            (self.inlined, "inlined"),
            (self.signal_frame, "signal frame"),
            (self.tail_call, "left by a tail call"),
            (self.guessed, "guessed, may be wrong"),
        ] {
            if flag {
                let _ = write!(out, " [{word}]");
            }
        }
    }
}

impl Render for FrameView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "#{} ", self.level);
        self.place(out);
    }
}

/// A stop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct StopView {
    pub(crate) reason: String,
    /// What waits for the stop, if the call does not; all else is not known yet then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) job: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frame: Option<FrameView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) breakpoint_number: Option<u32>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) temporary: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signal_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signal_meaning: Option<String>,
    /// The system call, the function that forks, the type of the exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) caught: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) old_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written_by: Option<FrameView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) return_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) return_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) executable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ticks: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) thread: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) pc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    /// Absolute if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
    /// What log points have written down on the way. `rr_log` says what is in it: said with each tool that moves, that
    /// would cost kilobytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "object")]
    pub(crate) log: Option<LoggedView>,
}

fn object(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object" })
}

/// GDB/MI's word for a reason where it has one, else ours.
///
/// `motion` tells apart what the engine does not: arriving at an event and arriving at a checkpoint.
pub(crate) fn reason_word(reason: &Reason, motion: Option<Motion>) -> &'static str {
    match reason {
        Reason::Breakpoint { .. } => "breakpoint-hit",
        Reason::Catch { caught: Caught::Syscall { .. }, .. } => "syscall-entry",
        Reason::Catch { caught: Caught::Fork { .. }, .. } => "fork",
        Reason::Catch { caught: Caught::Exception { thrown: true, .. }, .. } => "exception-thrown",
        Reason::Catch { caught: Caught::Exception { thrown: false, .. }, .. } => "exception-caught",
        Reason::Catch { caught: Caught::Panic, .. } => "panic",
        Reason::Watchpoint { access: Access::Write, .. } => "watchpoint-trigger",
        Reason::Watchpoint { access: Access::Read, .. } => "read-watchpoint-trigger",
        Reason::Watchpoint { access: Access::Access, .. } => "access-watchpoint-trigger",
        Reason::StepDone => "end-stepping-range",
        Reason::FunctionFinished { .. } => "function-finished",
        Reason::Signal { .. } => "signal-received",
        Reason::Arrived if matches!(motion, Some(Motion::Restore(_))) => "checkpoint-restored",
        Reason::Arrived => "event-reached",
        Reason::StartOfRecording => "start-of-recording",
        Reason::Attached => "attached",
        Reason::EndOfRecording { .. } => "end-of-recording",
        Reason::Exec { .. } => "exec",
        Reason::TimedOut { .. } => "timed-out",
        Reason::Cancelled => "cancelled",
    }
}

impl StopView {
    /// A stop that ended `motion`, if it was a movement of this session that ended.
    pub(crate) fn new(stop: Stop, motion: Option<Motion>) -> Self {
        let Stop { reason, position, frame, source, notes, logged } = stop;
        let mut view = Self {
            reason: reason_word(&reason, motion).to_owned(),
            event: position.event(),
            ticks: position.ticks(),
            thread: position.thread.to_string(),
            pc: address(position.pc),
            function: frame.function.clone(),
            file: frame.fullname.clone().or_else(|| frame.file.clone()),
            line: frame.line,
            source: source_text(&source),
            notes,
            log: (!logged.lines.is_empty()).then(|| logged.into()),
            frame: Some(frame.into()),
            ..Self::default()
        };
        view.set_reason(reason);
        view
    }

    fn set_reason(&mut self, reason: Reason) {
        match reason {
            Reason::Breakpoint { number, temporary } => {
                self.breakpoint_number = Some(number);
                self.temporary = temporary;
            }
            Reason::Watchpoint { number, access: _, expression, old, new, writer } => {
                self.breakpoint_number = Some(number);
                self.expression = Some(expression);
                self.old_value = old;
                self.new_value = new;
                self.written_by = writer.map(FrameView::from);
            }
            Reason::FunctionFinished { return_value: Some(value) } => {
                self.return_value = Some(value.value);
                self.return_type = value.ty;
            }
            Reason::Catch { number, temporary, caught } => {
                self.breakpoint_number = Some(number);
                self.temporary = temporary;
                self.caught = match caught {
                    Caught::Syscall { name } => Some(name),
                    Caught::Fork { function } => Some(function),
                    Caught::Exception { ty, .. } => ty,
                    Caught::Panic => None,
                };
            }
            Reason::Signal { name, meaning, number } => {
                self.breakpoint_number = number;
                self.signal_name = Some(name);
                self.signal_meaning = Some(meaning);
            }
            Reason::EndOfRecording { exit_code, signal } => {
                self.exit_code = exit_code;
                self.signal_name = signal;
                self.notes.push("this is the end of the recording: go back with reverse".to_owned());
            }
            Reason::StartOfRecording => {
                self.notes.push("this is the start of the replay: go forward".to_owned());
            }
            Reason::Exec { path, number } => {
                self.executable = Some(path);
                self.breakpoint_number = number;
            }
            Reason::TimedOut { after } => self.notes.push(format!(
                "interrupted after {} s, when the time was up; the session is here now and can go on",
                after.as_secs()
            )),
            Reason::Cancelled => {
                self.notes.push("interrupted by the client; the session is here now and can go on".to_owned());
            }
            Reason::FunctionFinished { return_value: None } | Reason::StepDone | Reason::Arrived | Reason::Attached => {
            }
        }
    }

    /// What happened, in words that follow the reason.
    fn detail(&self, out: &mut String) {
        let watch = self.expression.is_some();
        match self.breakpoint_number {
            Some(number) if watch => drop(write!(out, " watchpoint {number}")),
            Some(number) if self.reason == "breakpoint-hit" => drop(write!(out, " breakpoint {number}")),
            Some(number) => drop(write!(out, " catchpoint {number}")),
            None => {}
        }
        if self.temporary {
            out.push_str(" (temporary, now deleted)");
        }
        if let Some(caught) = &self.caught {
            let _ = write!(out, " {caught}");
        }
        match (&self.signal_name, &self.signal_meaning) {
            (Some(name), Some(meaning)) => drop(write!(out, " {name} ({meaning})")),
            (Some(name), None) => drop(write!(out, " {name}")),
            _ => {}
        }
        if let Some(code) = self.exit_code {
            let _ = write!(out, " exit code {code}");
        }
        if let Some(path) = &self.executable {
            let _ = write!(out, " {path}");
        }
    }
}

impl StopView {
    /// At the end of a program that is not recorded.
    pub(crate) fn exited(exit_code: Option<u8>, signal: Option<String>) -> Self {
        let reason = match (exit_code, &signal) {
            (_, Some(_)) => "exited-signalled",
            (Some(0), None) => "exited-normally",
            _ => "exited",
        };
        let note = "the program has ended, and this session with it: a server that replays nothing cannot go back";
        Self {
            reason: reason.to_owned(),
            exit_code: exit_code.map(i32::from),
            signal_meaning: signal.as_deref().and_then(signal_meaning),
            signal_name: signal,
            notes: vec![note.to_owned()],
            ..Self::default()
        }
    }

    /// Of a movement that a job waits for.
    pub(crate) fn of_job(job: &str) -> Self {
        Self { reason: "running".to_owned(), job: Some(job.to_owned()), ..Self::default() }
    }
}

impl Render for StopView {
    fn render(&self, out: &mut String) {
        if let Some(job) = &self.job {
            let _ =
                write!(out, "running: job {job} waits for the stop; rr_job_result has it, rr_job_cancel ends the run");
            return;
        }
        if let Some(log) = &self.log {
            log.render(out);
            out.push('\n');
        }
        let _ = write!(out, "{}:", self.reason);
        self.detail(out);
        if let Some(frame) = &self.frame {
            out.push_str(if out.ends_with(':') { " " } else { ", " });
            frame.place(out);
        }
        if let Some(expression) = &self.expression {
            let _ = write!(out, "\n{expression}:");
            match (&self.old_value, &self.new_value) {
                (Some(old), Some(new)) => drop(write!(out, " {old} -> {new}")),
                (Some(value), None) | (None, Some(value)) => drop(write!(out, " {value}")),
                (None, None) => out.push_str(" (value not available)"),
            }
        }
        if let Some(writer) = &self.written_by {
            out.push_str("\nby ");
            writer.place(out);
        }
        if let Some(value) = &self.return_value {
            let _ = write!(out, "\nreturned {value}");
            if let Some(ty) = &self.return_type {
                let _ = write!(out, " ({ty})");
            }
        }
        let Self { event, ticks, thread, pc, .. } = self;
        if !thread.is_empty() {
            out.push('\n');
            if let (Some(event), Some(ticks)) = (event, ticks) {
                let _ = write!(out, "event {event}, ticks {ticks}, ");
            }
            let _ = write!(out, "thread {thread}, pc {pc}");
        }
        if let Some(source) = &self.source {
            let _ = write!(out, "\n{source}");
        }
        for note in &self.notes {
            let _ = write!(out, "\nnote: {note}");
        }
    }
}

/// Lines with their numbers, an arrow at the current one.
pub(crate) fn source_text(lines: &[SourceLine]) -> Option<String> {
    let width = lines.iter().map(|line| line.number.to_string().len()).max()?;
    let text: Vec<String> = lines
        .iter()
        .map(|line| {
            let mark = if line.current { "=>" } else { "  " };
            format!("{mark} {:>width$}  {}", line.number, line.text).trim_end().to_owned()
        })
        .collect();
    Some(text.join("\n"))
}

/// Result of `rr_backtrace`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BacktraceView {
    pub(crate) result: Vec<FrameView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
}

impl BacktraceView {
    /// `from` and `max` are what was asked for; 0 for `max` means all.
    pub(crate) fn new(backtrace: Backtrace, from: u32, max: u32) -> Self {
        let Backtrace { frames, truncated } = backtrace;
        let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
        let truncated = truncated.map(|why| {
            if max != 0 && count >= max {
                format!("{why}; for the next frames: from={}", from.saturating_add(count))
            } else {
                why
            }
        });
        Self { result: frames.into_iter().map(FrameView::from).collect(), truncated }
    }
}

impl Render for BacktraceView {
    fn render(&self, out: &mut String) {
        if self.result.is_empty() {
            out.push_str("no frames");
        }
        for (i, frame) in self.result.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            frame.render(out);
        }
        if let Some(why) = &self.truncated {
            let _ = write!(out, "\ntruncated: {why}");
        }
    }
}

/// Result of `rr_select_frame`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FrameSelectedView {
    pub(crate) result: u32,
    pub(crate) frame: FrameView,
}

impl Render for FrameSelectedView {
    fn render(&self, out: &mut String) {
        self.frame.render(out);
    }
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadView {
    pub(crate) id: String,
    pub(crate) target_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) frame: Option<FrameView>,
    pub(crate) current: bool,
}

impl From<Thread> for ThreadView {
    fn from(thread: Thread) -> Self {
        Self {
            id: thread.number.to_string(),
            target_id: format!("Thread {}", thread.id),
            name: thread.name,
            state: "stopped".to_owned(),
            frame: thread.frame.map(FrameView::from),
            current: thread.current,
        }
    }
}

impl Render for ThreadView {
    fn render(&self, out: &mut String) {
        let mark = if self.current { '*' } else { ' ' };
        let _ = write!(out, "{mark} {} {}", self.id, self.target_id);
        if let Some(name) = &self.name {
            let _ = write!(out, " \"{name}\"");
        }
        if let Some(frame) = &self.frame {
            out.push(' ');
            frame.place(out);
        }
    }
}

/// Result of `rr_thread_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadsView {
    pub(crate) result: Vec<ThreadView>,
    /// Which threads these are, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
}

impl ThreadsView {
    /// So many threads from this place on, which is counted from 1.
    pub(crate) fn page(threads: Vec<Thread>, from: usize, count: usize) -> Self {
        let (all, before) = (threads.len(), from.saturating_sub(1));
        let result: Vec<ThreadView> = threads.into_iter().skip(before).take(count).map(ThreadView::from).collect();
        let truncated = (result.len() < all).then(|| match (before + 1, before + result.len()) {
            (_, last) if result.is_empty() || last == all => format!("of {all} threads, from place {}", before + 1),
            (first, last) => format!("threads {first} to {last} of {all}; `from`: {} shows what follows", last + 1),
        });
        Self { result, truncated }
    }
}

impl Render for ThreadsView {
    fn render(&self, out: &mut String) {
        if self.result.is_empty() {
            out.push_str("no threads");
        }
        for (i, thread) in self.result.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            thread.render(out);
        }
        if let Some(truncated) = &self.truncated {
            let _ = write!(out, "\ntruncated: {truncated}");
        }
    }
}

/// Result of `rr_thread_select`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadSelectedView {
    pub(crate) result: u32,
    pub(crate) thread: ThreadView,
}

impl From<Thread> for ThreadSelectedView {
    fn from(thread: Thread) -> Self {
        Self { result: thread.number, thread: thread.into() }
    }
}

impl Render for ThreadSelectedView {
    fn render(&self, out: &mut String) {
        self.thread.render(out);
    }
}
