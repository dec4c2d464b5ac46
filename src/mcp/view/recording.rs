//! Recordings, their processes, and what this machine can do.

use super::is_false;
use crate::mcp::reply::Render;
use crate::rr::{Check, Counters, Process, Recorded, Recording, Recordings, Verdict};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Result of `rr_record`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecordView {
    pub(crate) trace_dir: Option<String>,
    /// What rr left when it had to be killed; it cannot be replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) incomplete_trace_dir: Option<String>,
    pub(crate) exit_code: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<String>,
    /// The time limit passed, and the program was ended by the server.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) timed_out: bool,
    pub(crate) stdout: String,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) stdout_truncated: bool,
    pub(crate) stderr: String,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) stderr_truncated: bool,
    /// `hardware`, `rr-software` or `soft`.
    pub(crate) counters: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl From<Recorded> for RecordView {
    fn from(recorded: Recorded) -> Self {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        Self {
            trace_dir: recorded.trace_dir.map(text),
            incomplete_trace_dir: recorded.incomplete.map(text),
            exit_code: recorded.exit_code,
            signal: recorded.signal,
            timed_out: recorded.timed_out,
            stdout: recorded.stdout,
            stdout_truncated: recorded.stdout_truncated,
            stderr: recorded.stderr,
            stderr_truncated: recorded.stderr_truncated,
            counters: recorded.counters.name().to_owned(),
            notes: recorded.notes,
        }
    }
}

impl Render for RecordView {
    fn render(&self, out: &mut String) {
        match (&self.trace_dir, &self.incomplete_trace_dir) {
            (Some(dir), _) => drop(write!(out, "recorded {dir}")),
            (None, Some(dir)) => {
                let _ =
                    write!(out, "rr had to be killed; {dir} is incomplete and cannot be replayed (rr_rm removes it)");
            }
            (None, None) => out.push_str("no trace was made"),
        }
        let _ = write!(out, "\nexit code {}", self.exit_code);
        if let Some(signal) = &self.signal {
            let _ = write!(out, " ({signal})");
        }
        if self.timed_out {
            out.push_str("\nended by the server, because its time was up");
        }
        let _ = write!(out, "\ncounters: {}", self.counters);
        if self.counters != Counters::Hardware.name() {
            out.push_str(" (rr_doctor measures what they cost)");
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
        about.extend(self.exit_code.map(|code| format!("exit {code}")));
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

/// `2026-11-21T03:24:35Z`
fn utc(time: SystemTime) -> Option<String> {
    let seconds = i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_secs()).ok()?;
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years that begin in March make the leap day the last one; 719 468 days lie between 0000-03-01 and 1970-01-01.
    let day = days + 719_468;
    let (era, day_of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    Some(format!("{year:04}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}Z"))
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cmd: Option<String>,
}

impl From<Process> for ProcessView {
    fn from(process: Process) -> Self {
        let forked = process.forked_without_exec.then(|| "(forked without exec)".to_owned());
        Self { pid: process.pid, ppid: process.ppid, exit_code: process.exit_code, cmd: forked.or(process.command) }
    }
}

/// Result of `rr_ps`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ProcessesView {
    pub(crate) result: Vec<ProcessView>,
}

impl From<Vec<Process>> for ProcessesView {
    fn from(list: Vec<Process>) -> Self {
        Self { result: list.into_iter().map(ProcessView::from).collect() }
    }
}

impl Render for ProcessesView {
    fn render(&self, out: &mut String) {
        out.push_str("PID\tPPID\tEXIT\tCMD");
        for process in &self.result {
            let or_dash = |value: Option<String>| value.unwrap_or_else(|| "--".to_owned());
            let _ = write!(
                out,
                "\n{}\t{}\t{}\t{}",
                process.pid,
                or_dash(process.ppid.map(|pid| pid.to_string())),
                or_dash(process.exit_code.map(|code| code.to_string())),
                or_dash(process.cmd.clone()),
            );
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_utc_in_rfc_3339() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_795_231_475), "2026-11-21T03:24:35Z");
        assert_eq!(at(4_102_444_800), "2100-01-01T00:00:00Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
