//! Recordings, their processes, and what this machine can do.

use crate::mcp::reply::{Quoted, is_default, lines, mark, utc};
use crate::mcp::tools::story::StoryView;
use base::untrusted::one_line;
use rmcp::schemars::{self, JsonSchema};
use rr::{Check, Counters, CutShort, Process, Recorded, Recording, Recordings, Stream, Verdict, spelled};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::path::PathBuf;

/// Result of `rr_record`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordView {
    /// The job that records, if it is not waited for; all else is not known yet then.
    pub(crate) job: Option<String>,
    pub(crate) trace_dir: Option<String>,
    /// What rr left when it had to be killed; it cannot be replayed.
    pub(crate) incomplete_trace_dir: Option<String>,
    pub(crate) exit_code: Option<i32>,
    pub(crate) signal: Option<String>,
    /// Why recording ended before the program: `timeout`, `max_trace_bytes`, `cancelled`, `deadlock` (each thread waited
    /// for another), `rr` (which gave up).
    pub(crate) ended_by: Option<String>,
    /// From start to end.
    pub(crate) seconds: Option<f64>,
    /// Bytes.
    pub(crate) trace_size: Option<u64>,
    /// Number of the last event.
    pub(crate) events: Option<u64>,
    pub(crate) stdout: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) stdout_truncated: bool,
    pub(crate) stderr: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) stderr_truncated: bool,
    /// `hardware`, `rr-software` or `soft`.
    pub(crate) counters: Option<String>,
    /// Why it failed, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) story: Option<StoryView>,
    /// What to ask next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) next: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl RecordView {
    /// Creates the `RecordView` of a recording that a job makes.
    pub(crate) fn of_job(job: &str) -> Self {
        Self {
            job: Some(job.to_owned()),
            trace_dir: None,
            incomplete_trace_dir: None,
            exit_code: None,
            signal: None,
            ended_by: None,
            seconds: None,
            trace_size: None,
            events: None,
            stdout: String::new(),
            stdout_truncated: false,
            stderr: String::new(),
            stderr_truncated: false,
            counters: None,
            story: None,
            next: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns whether the program has not ended well.
    pub(crate) fn has_failed(&self) -> bool {
        self.exit_code.is_some_and(|code| code != 0)
            || self.signal.is_some()
            || matches!(self.ended_by.as_deref(), Some("timeout" | "deadlock"))
    }
}

/// Returns the word for why a recording ended before its program did.
fn cut_word(cut: CutShort) -> &'static str {
    match cut {
        CutShort::Time => "timeout",
        CutShort::Size => "max_trace_bytes",
        CutShort::Cancelled => "cancelled",
        CutShort::Deadlock => "deadlock",
        CutShort::GivenUp => "rr",
    }
}

impl RecordView {
    /// Creates the view of a recording. `note`: how often the program was recorded.
    pub(crate) fn new(recorded: Recorded, note: Option<String>) -> Self {
        let mut view = Self::from(recorded);
        view.notes.extend(note);
        view
    }
}

impl From<Recorded> for RecordView {
    fn from(recorded: Recorded) -> Self {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        Self {
            job: None,
            trace_dir: recorded.trace_dir.map(text),
            incomplete_trace_dir: recorded.incomplete.map(text),
            exit_code: recorded.exit_code,
            signal: recorded.signal,
            ended_by: recorded.cut.map(|cut| cut_word(cut).to_owned()),
            seconds: Some(recorded.duration.as_secs_f64()),
            trace_size: recorded.trace_size,
            events: recorded.events,
            stdout: recorded.stdout,
            stdout_truncated: recorded.stdout_truncated,
            stderr: recorded.stderr,
            stderr_truncated: recorded.stderr_truncated,
            counters: Some(recorded.counters.name().to_owned()),
            story: None,
            next: Vec::new(),
            notes: recorded.notes,
        }
    }
}

impl fmt::Display for RecordView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            write!(f, "job {job} records; rr_job_status shows its output, rr_job_result how it ended")?;
            return Ok(());
        }
        match (&self.trace_dir, &self.incomplete_trace_dir) {
            (Some(dir), _) => write!(f, "recorded {}", one_line(dir))?,
            (None, Some(dir)) => {
                let dir = one_line(dir);
                write!(f, "rr had to be killed; {dir} is incomplete and cannot be replayed (rr_rm removes it)")?;
            }
            (None, None) => f.write_str("no trace was made")?,
        }
        if let Some(code) = self.exit_code {
            write!(f, "\nexit code {code}")?;
        }
        if let Some(signal) = &self.signal {
            write!(f, " ({signal})")?;
        }
        match self.ended_by.as_deref() {
            Some("rr") => f.write_str("\nrr gave up before the program ended")?,
            Some(why) => write!(f, "\nended by the server: {why}")?,
            None => {}
        }
        if let Some(seconds) = self.seconds {
            write!(f, "\n{seconds:.1} s")?;
        }
        if let Some(size) = self.trace_size {
            write!(f, ", trace of {} KiB", size.div_ceil(1024))?;
        }
        if let Some(events) = self.events {
            write!(f, ", {events} events")?;
        }
        if let Some(counters) = &self.counters {
            write!(f, "\ncounters: {counters}")?;
            if counters != Counters::Hardware.name() {
                f.write_str(" (rr_doctor measures what they cost)")?;
            }
        }
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        for (name, stream, text, cut) in [
            ("stdout", Stream::Out, &self.stdout, self.stdout_truncated),
            ("stderr", Stream::Err, &self.stderr, self.stderr_truncated),
        ] {
            if !text.is_empty() {
                let cut = if cut { " (only the end)" } else { "" };
                let text = text.trim_end_matches('\n');
                write!(f, "\n{name}{cut}:\n{}", Quoted { mark: mark(stream), text, is_first_marked: true })?;
            }
        }
        if let Some(story) = &self.story {
            write!(f, "\n{story}")?;
        }
        self.next.iter().try_for_each(|call| write!(f, "\nnext: {call}"))
    }
}

/// A recording on disk.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordingView {
    pub(crate) path: String,
    /// RFC 3339, UTC.
    pub(crate) created: Option<String>,
    /// Bytes.
    pub(crate) size: u64,
    pub(crate) command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) latest: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) incomplete: bool,
}

impl From<Recording> for RecordingView {
    fn from(recording: Recording) -> Self {
        Self {
            path: recording.path.to_string_lossy().into_owned(),
            created: recording.created.and_then(utc),
            size: recording.size,
            command: recording.command,
            exit_code: recording.exit_code,
            latest: recording.latest,
            incomplete: !recording.complete,
        }
    }
}

impl fmt::Display for RecordingView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&one_line(&self.path))?;
        let mut about = Vec::new();
        about.extend(self.created.clone());
        about.push(format!("{} KiB", self.size.div_ceil(1024)));
        about.extend(self.command.as_ref().map(|command| format!("`{}`", one_line(command))));
        about.extend(self.exit_code.map(spelled));
        about.extend(self.latest.then(|| "latest".to_owned()));
        about.extend(self.incomplete.then(|| "incomplete".to_owned()));
        write!(f, "  ({})", about.join(", "))
    }
}

/// Result of `rr_list_recordings`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordingsView {
    /// Their paths, newest first.
    pub(crate) result: Vec<String>,
    pub(crate) recordings: Vec<RecordingView>,
    pub(crate) truncated: Option<String>,
}

impl From<Recordings> for RecordingsView {
    fn from(found: Recordings) -> Self {
        let Recordings { newest, total } = found;
        let recordings: Vec<RecordingView> = newest.into_iter().map(RecordingView::from).collect();
        let truncated = (recordings.len() < total)
            .then(|| format!("the newest {} of {total}; for more, a larger limit", recordings.len()));
        Self { result: recordings.iter().map(|recording| recording.path.clone()).collect(), recordings, truncated }
    }
}

/// Lists recordings as `rr_list_recordings` does.
pub(crate) fn recordings_in_words(recordings: Vec<Recording>) -> String {
    let total = recordings.len();
    RecordingsView::from(Recordings { newest: recordings, total }).to_string()
}

impl fmt::Display for RecordingsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.recordings, "no recordings")?;
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        Ok(())
    }
}

/// A recorded process.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ProcessView {
    pub(crate) pid: u32,
    pub(crate) ppid: Option<u32>,
    /// Negative: the signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i32>,
    /// `exit 3`, `SIGSEGV`; none: its end was not recorded.
    pub(crate) status: Option<String>,
    pub(crate) cmd: Option<String>,
    /// How many of its ancestors were recorded.
    #[serde(skip)]
    depth: usize,
}

impl ProcessView {
    fn new(process: &Process, depth: usize) -> Self {
        let forked = process.forked_without_exec.then(|| "(forked without exec)".to_owned());
        let &Process { pid, ppid, exit_code, .. } = process;
        Self { pid, ppid, exit_code, status: process.status(), cmd: forked.or(process.command.clone()), depth }
    }
}

/// Result of `rr_ps`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ProcessesView {
    /// Children stand below their parents.
    pub(crate) result: Vec<ProcessView>,
    /// The pid of the process that is most worth debugging, if one failed.
    pub(crate) debug_first: Option<u32>,
}

impl From<Vec<Process>> for ProcessesView {
    fn from(list: Vec<Process>) -> Self {
        let result = rr::tree(&list).into_iter().map(|(depth, process)| ProcessView::new(process, depth)).collect();
        Self { result, debug_first: rr::worth_debugging(&list).map(|process| process.pid) }
    }
}

impl fmt::Display for ProcessesView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PID\tPPID\tEXIT\tCMD")?;
        for process in &self.result {
            let or_dash = |value: Option<String>| value.unwrap_or_else(|| "--".to_owned());
            write!(
                f,
                "\n{}\t{}\t{}\t{:indent$}{}",
                process.pid,
                or_dash(process.ppid.map(|pid| pid.to_string())),
                or_dash(process.status.clone()),
                "",
                or_dash(process.cmd.as_deref().map(|command| one_line(command).into_owned())),
                indent = 2 * process.depth.min(20),
            )?;
        }
        if let Some(pid) = self.debug_first {
            write!(f, "\ndebug first: {pid}")?;
        }
        Ok(())
    }
}

/// Result of `rr_traceinfo`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TraceinfoView {
    /// rr's JSON.
    pub(crate) result: String,
    pub(crate) truncated: Option<String>,
}

/// Parts of the header that are long and seldom wanted.
const BULKY: [&str; 2] = ["cpuidRecords", "environ"];

impl TraceinfoView {
    /// Returns all of rr's text, or what is left without the bulky parts.
    pub(crate) fn new(json: String, full: bool) -> Self {
        let Ok(Value::Object(mut header)) = serde_json::from_str(&json) else {
            return Self { result: json, truncated: None };
        };
        if full {
            return Self { result: json, truncated: None };
        }
        let cut: Vec<&str> = BULKY.into_iter().filter(|part| header.shift_remove(*part).is_some()).collect();
        let truncated = (!cut.is_empty()).then(|| format!("without {}; for all, full=true", cut.join(" and ")));
        Self { result: Value::Object(header).to_string(), truncated }
    }
}

impl fmt::Display for TraceinfoView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.result.trim_end())?;
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        Ok(())
    }
}

/// One finding about this machine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CheckView {
    pub(crate) name: String,
    /// `ok`, `warning` or `blocker`.
    pub(crate) verdict: String,
    pub(crate) found: String,
    pub(crate) remedy: Option<String>,
}

/// Result of `rr_doctor`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct DoctorView {
    /// The worst of the checks.
    pub(crate) verdict: String,
    pub(crate) checks: Vec<CheckView>,
}

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Warning => "warning",
        Verdict::Blocker => "blocker",
    }
}

impl From<Vec<Check>> for DoctorView {
    fn from(checks: Vec<Check>) -> Self {
        let has = |wanted: Verdict| checks.iter().any(|check| check.verdict == wanted);
        let worst = [Verdict::Blocker, Verdict::Warning].into_iter().find(|v| has(*v)).unwrap_or(Verdict::Ok);
        let checks = checks.into_iter().map(|check| CheckView {
            name: check.name.to_owned(),
            verdict: verdict_word(check.verdict).to_owned(),
            found: check.found,
            remedy: check.remedy,
        });
        Self { verdict: verdict_word(worst).to_owned(), checks: checks.collect() }
    }
}

impl fmt::Display for DoctorView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        for check in &self.checks {
            write!(f, "\n{:7} {}: {}", check.verdict, check.name, check.found)?;
            if let Some(remedy) = &check.remedy {
                write!(f, "\n        remedy: {remedy}")?;
            }
        }
        Ok(())
    }
}
