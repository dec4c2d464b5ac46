//! Stops.

use super::frame::FrameView;
use super::log::LoggedView;
use super::omit::is_default;
use super::position::PositionView;
use super::source::source_text;
use super::surroundings::SurroundingsView;
use engine::model::{Access, Caught, Motion, Reason, Stop, Surroundings};
use engine::signal_meaning;
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::fmt;

/// A stop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct StopView {
    pub(crate) reason: String,
    /// What waits for the stop, if the call does not; all else is not known yet then.
    pub(crate) job: Option<String>,
    pub(crate) frame: Option<FrameView>,
    pub(crate) breakpoint_number: Option<u32>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) temporary: bool,
    pub(crate) signal_name: Option<String>,
    pub(crate) signal_meaning: Option<String>,
    /// The system call, the function that forks, the type of the exception.
    pub(crate) caught: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i32>,
    pub(crate) expression: Option<String>,
    pub(crate) old_value: Option<String>,
    pub(crate) new_value: Option<String>,
    pub(crate) written_by: Option<FrameView>,
    pub(crate) return_value: Option<String>,
    pub(crate) return_type: Option<String>,
    pub(crate) executable: Option<String>,
    #[serde(flatten)]
    pub(crate) position: Option<PositionView>,
    pub(crate) function: Option<String>,
    /// Absolute if that is known.
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) source: Option<String>,
    #[serde(flatten)]
    pub(crate) about: SurroundingsView,
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

/// Returns GDB/MI's word for a reason where it has one, else ours.
///
/// `motion` tells apart what the engine does not: arriving at an event, at a checkpoint and at a position.
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
        // Where a signal is delivered, that is how the place is known; the movement has ended as it should.
        Reason::Arrived | Reason::Signal { .. } if matches!(motion, Some(Motion::Restore(_))) => "checkpoint-restored",
        Reason::Arrived | Reason::Signal { .. } if matches!(motion, Some(Motion::GoTo(_))) => "position-reached",
        Reason::Arrived => "event-reached",
        Reason::Signal { .. } if matches!(motion, Some(Motion::RunToEvent(_) | Motion::RunToTicks(_))) => {
            "event-reached"
        }
        Reason::Signal { .. } => "signal-received",
        Reason::StartOfRecording => "start-of-recording",
        Reason::Attached => "attached",
        Reason::EndOfRecording { .. } => "end-of-recording",
        Reason::Exec { .. } => "exec",
        Reason::TimedOut { .. } => "timed-out",
        Reason::Cancelled => "cancelled",
    }
}

impl StopView {
    /// Creates the view of a stop that ended `motion`, if it was a movement of this session that ended.
    pub(crate) fn new(stop: Stop, motion: Option<Motion>) -> Self {
        let Stop { reason, position, waypoint, frame, source, notes, logged } = stop;
        let mut view = Self {
            reason: reason_word(&reason, motion).to_owned(),
            position: Some(PositionView::new(position, waypoint)),
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

    /// Adds what the stop is about besides its frame.
    pub(crate) fn about(self, surroundings: Surroundings) -> Self {
        Self { about: surroundings.into(), ..self }
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
                "interrupted after {} s, at its time limit; the session is here now and can continue",
                after.as_secs()
            )),
            Reason::Cancelled => {
                self.notes.push("interrupted by the client; the session is here now and can continue".to_owned());
            }
            Reason::FunctionFinished { return_value: None } | Reason::StepDone | Reason::Arrived | Reason::Attached => {
            }
        }
    }
}

impl StopView {
    /// Creates the view of the end of a program that is not recorded.
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

    /// Creates the `StopView` of a movement that a job waits for.
    pub(crate) fn of_job(job: &str) -> Self {
        Self { reason: "running".to_owned(), job: Some(job.to_owned()), ..Self::default() }
    }
}

/// What happened, in words that follow the reason.
struct Detail<'a>(&'a StopView);

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(stop) = self;
        let watch = stop.expression.is_some();
        match stop.breakpoint_number {
            Some(number) if watch => write!(f, " watchpoint {number}")?,
            Some(number) if stop.reason == "breakpoint-hit" => write!(f, " breakpoint {number}")?,
            Some(number) => write!(f, " catchpoint {number}")?,
            None => {}
        }
        if stop.temporary {
            f.write_str(" (temporary, now deleted)")?;
        }
        if let Some(caught) = &stop.caught {
            write!(f, " {caught}")?;
        }
        match (&stop.signal_name, &stop.signal_meaning) {
            (Some(name), Some(meaning)) => write!(f, " {name} ({meaning})")?,
            (Some(name), None) => write!(f, " {name}")?,
            _ => {}
        }
        if let Some(code) = stop.exit_code {
            write!(f, " exit code {code}")?;
        }
        if let Some(path) = &stop.executable {
            write!(f, " {path}")?;
        }
        Ok(())
    }
}

impl fmt::Display for StopView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            return write!(
                f,
                "running: job {job} waits for the stop; rr_job_result has it, rr_job_cancel ends the run"
            );
        }
        if let Some(log) = &self.log {
            writeln!(f, "{log}")?;
        }
        let head = format!("{}:{}", self.reason, Detail(self));
        f.write_str(&head)?;
        if let Some(frame) = &self.frame {
            let separator = if head.ends_with(':') { " " } else { ", " };
            write!(f, "{separator}{}", frame.place())?;
        }
        if let Some(fault) = &self.about.fault {
            write!(f, "\n{fault}")?;
        }
        if let Some(wait) = &self.about.waits_in {
            write!(f, "\nwaits in {wait}")?;
        }
        if let Some(expression) = &self.expression {
            write!(f, "\n{expression}:")?;
            match (&self.old_value, &self.new_value) {
                (Some(old), Some(new)) => write!(f, " {old} -> {new}")?,
                (Some(value), None) | (None, Some(value)) => write!(f, " {value}")?,
                (None, None) => f.write_str(" (value not available)")?,
            }
        }
        if let Some(writer) = &self.written_by {
            write!(f, "\nby {}", writer.place())?;
        }
        if let Some(value) = &self.return_value {
            write!(f, "\nreturned {value}")?;
            if let Some(ty) = &self.return_type {
                write!(f, " ({ty})")?;
            }
        }
        if let Some(PositionView { event, ticks, thread, pc, position }) = &self.position {
            f.write_str("\n")?;
            if let (Some(event), Some(ticks)) = (event, ticks) {
                write!(f, "event {event}, ticks {ticks}, ")?;
            }
            write!(f, "thread {thread}, pc {pc}")?;
            if let Some(position) = position {
                write!(f, "\nposition {position}")?;
            }
        }
        if let Some(source) = &self.source {
            write!(f, "\n{source}")?;
        }
        if let Some(frame) = &self.about.user_frame {
            write!(f, "\nin your code: {frame}")?;
        }
        if let Some(source) = &self.about.user_source {
            write!(f, "\n{source}")?;
        }
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        Ok(())
    }
}
