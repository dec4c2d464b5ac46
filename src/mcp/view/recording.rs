//! Recordings, their processes, and what this machine can do.

use super::is_false;
use super::time::utc;
use crate::mcp::reply::Render;
use crate::rr::{self, Check, Counters, CutShort, Process, Recorded, Recording, Recordings, Verdict, spelled};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Result of `rr_record`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordView {
    /// The job that records, if it is not waited for; all else is not known yet then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) job: Option<String>,
    pub(crate) trace_dir: Option<String>,
    /// What rr left when it had to be killed; it cannot be replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) incomplete_trace_dir: Option<String>,
    pub(crate) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<String>,
    /// Why the server ended the program: `timeout`, `max_trace_bytes` or `cancelled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ended_by: Option<String>,
    /// From start to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace_size: Option<u64>,
    /// Number of the last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) events: Option<u64>,
    pub(crate) stdout: String,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) stdout_truncated: bool,
    pub(crate) stderr: String,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) stderr_truncated: bool,
    /// `hardware`, `rr-software` or `soft`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) counters: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl RecordView {
    /// Of a recording that a job makes.
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
            notes: Vec::new(),
        }
    }
}

/// The word for why a recording ended before its program did.
fn cut_word(cut: CutShort) -> &'static str {
    match cut {
        CutShort::Time => "timeout",
        CutShort::Size => "max_trace_bytes",
        CutShort::Unwanted => "cancelled",
    }
}

impl From<Recorded> for RecordView {
    fn from(recorded: Recorded) -> Self {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        Self {
            job: None,
            trace_dir: recorded.trace_dir.map(text),
            incomplete_trace_dir: recorded.incomplete.map(text),
            exit_code: Some(recorded.exit_code),
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
            notes: recorded.notes,
        }
    }
}

impl Render for RecordView {
    fn render(&self, out: &mut String) {
        if let Some(job) = &self.job {
            let _ = write!(out, "job {job} records; rr_job_status shows its output, rr_job_result how it ended");
            return;
        }
        match (&self.trace_dir, &self.incomplete_trace_dir) {
            (Some(dir), _) => drop(write!(out, "recorded {dir}")),
            (None, Some(dir)) => {
                let _ =
                    write!(out, "rr had to be killed; {dir} is incomplete and cannot be replayed (rr_rm removes it)");
            }
            (None, None) => out.push_str("no trace was made"),
        }
        if let Some(code) = self.exit_code {
            let _ = write!(out, "\nexit code {code}");
        }
        if let Some(signal) = &self.signal {
            let _ = write!(out, " ({signal})");
        }
        if let Some(why) = &self.ended_by {
            let _ = write!(out, "\nended by the server: {why}");
        }
        if let Some(seconds) = self.seconds {
            let _ = write!(out, "\n{seconds:.1} s");
        }
        if let Some(size) = self.trace_size {
            let _ = write!(out, ", trace of {} KiB", size.div_ceil(1024));
        }
        if let Some(events) = self.events {
            let _ = write!(out, ", {events} events");
        }
        if let Some(counters) = &self.counters {
            let _ = write!(out, "\ncounters: {counters}");
            if counters != Counters::Hardware.name() {
                out.push_str(" (rr_doctor measures what they cost)");
            }
        }
        for note in &self.notes {
            let _ = write!(out, "\nnote: {note}");
        }
        for (name, text, cut) in
            [("stdout", &self.stdout, self.stdout_truncated), ("stderr", &self.stderr, self.stderr_truncated)]
        {
            if !text.is_empty() {
                let cut = if cut { " (only the end)" } else { "" };
                let _ = write!(out, "\n{name}{cut}:\n{}", text.trim_end_matches('\n'));
            }
        }
    }
}

/// A recording on disk.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordingView {
    pub(crate) path: String,
    /// RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<String>,
    /// Bytes.
    pub(crate) size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) latest: bool,
    #[serde(skip_serializing_if = "is_false")]
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

impl Render for RecordingView {
    fn render(&self, out: &mut String) {
        out.push_str(&self.path);
        let mut about = Vec::new();
        about.extend(self.created.clone());
        about.push(format!("{} KiB", self.size.div_ceil(1024)));
        about.extend(self.command.as_ref().map(|command| format!("`{command}`")));
        about.extend(self.exit_code.map(spelled));
        about.extend(self.latest.then(|| "latest".to_owned()));
        about.extend(self.incomplete.then(|| "incomplete".to_owned()));
        let _ = write!(out, "  ({})", about.join(", "));
    }
}

/// Result of `rr_list_recordings`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordingsView {
    /// Their paths, newest first.
    pub(crate) result: Vec<String>,
    pub(crate) recordings: Vec<RecordingView>,
    #[serde(skip_serializing_if = "Option::is_none")]
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

impl Render for RecordingsView {
    fn render(&self, out: &mut String) {
        if self.recordings.is_empty() {
            out.push_str("no recordings");
        }
        for (i, recording) in self.recordings.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            recording.render(out);
        }
        if let Some(why) = &self.truncated {
            let _ = write!(out, "\ntruncated: {why}");
        }
    }
}

/// A recorded process.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ProcessView {
    pub(crate) pid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ppid: Option<u32>,
    /// Negative: the signal that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exit_code: Option<i32>,
    /// `exit 3`, `SIGSEGV`; none: its end was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) debug_first: Option<u32>,
}

impl From<Vec<Process>> for ProcessesView {
    fn from(list: Vec<Process>) -> Self {
        let result = rr::tree(&list).into_iter().map(|(depth, process)| ProcessView::new(process, depth)).collect();
        Self { result, debug_first: rr::worth_debugging(&list).map(|process| process.pid) }
    }
}

impl Render for ProcessesView {
    fn render(&self, out: &mut String) {
        out.push_str("PID\tPPID\tEXIT\tCMD");
        for process in &self.result {
            let or_dash = |value: Option<String>| value.unwrap_or_else(|| "--".to_owned());
            let _ = write!(
                out,
                "\n{}\t{}\t{}\t{:indent$}{}",
                process.pid,
                or_dash(process.ppid.map(|pid| pid.to_string())),
                or_dash(process.status.clone()),
                "",
                or_dash(process.cmd.clone()),
                indent = 2 * process.depth.min(20),
            );
        }
        if let Some(pid) = self.debug_first {
            let _ = write!(out, "\ndebug first: {pid}");
        }
    }
}

/// Result of `rr_traceinfo`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TraceinfoView {
    /// rr's JSON.
    pub(crate) result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
}

/// Parts of the header that are long and seldom wanted.
const BULKY: [&str; 2] = ["cpuidRecords", "environ"];

impl TraceinfoView {
    /// All of rr's text, or what is left without the bulky parts.
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

impl Render for TraceinfoView {
    fn render(&self, out: &mut String) {
        out.push_str(self.result.trim_end());
        if let Some(why) = &self.truncated {
            let _ = write!(out, "\ntruncated: {why}");
        }
    }
}

/// One finding about this machine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CheckView {
    pub(crate) name: String,
    /// `ok`, `warning` or `blocker`.
    pub(crate) verdict: String,
    pub(crate) found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
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

impl Render for DoctorView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{}", self.verdict);
        for check in &self.checks {
            let _ = write!(out, "\n{:7} {}: {}", check.verdict, check.name, check.found);
            if let Some(remedy) = &check.remedy {
                let _ = write!(out, "\n        remedy: {remedy}");
            }
        }
    }
}
