//! What the recorded program has printed.

use super::is_zero;
use crate::mcp::reply::Render;
use crate::rr::{Output, Stream, Written};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt::Write as _;

/// Most bytes of text in one answer.
const MAX_BYTES: usize = 32 << 10;

/// Writes of one line are shown as one piece, up to so many bytes.
const MAX_LINE: usize = 4 << 10;

/// A write, or a part of one, or writes of one line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PieceView {
    pub(crate) index: u64,
    pub(crate) event: u64,
    /// The event of the last write, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_event: Option<u64>,
    /// `stdout` or `stderr`.
    pub(crate) stream: &'static str,
    pub(crate) text: String,
    /// The process, if it is another one than the session's.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) pid: u32,
}

/// A piece in the making.
struct Line<'a> {
    first: &'a Written,
    last_event: u64,
    bytes: Vec<u8>,
}

impl<'a> Line<'a> {
    fn new(first: &'a Written) -> Self {
        Self { first, last_event: first.event, bytes: first.bytes.to_vec() }
    }

    /// Adds a write that belongs to the same line.
    fn add(&mut self, written: &Written) -> bool {
        let belongs = (written.stream, written.pid) == (self.first.stream, self.first.pid)
            && self.bytes.last() != Some(&b'\n')
            && self.bytes.len() + written.bytes.len() <= MAX_LINE;
        if belongs {
            self.bytes.extend_from_slice(&written.bytes);
            self.last_event = written.event;
        }
        belongs
    }

    /// As a session with the process `pid` shows it.
    fn shown(&self, pid: u32) -> PieceView {
        let Written { index, event, stream, .. } = *self.first;
        PieceView {
            index,
            event,
            last_event: (self.last_event != event).then_some(self.last_event),
            stream: match stream {
                Stream::Out => "stdout",
                Stream::Err => "stderr",
            },
            text: String::from_utf8_lossy(&self.bytes).into_owned(),
            pid: if self.first.pid == pid { 0 } else { self.first.pid },
        }
    }
}

impl Render for PieceView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "[{} event {}", self.index, self.event);
        if let Some(last) = self.last_event {
            let _ = write!(out, "–{last}");
        }
        let _ = write!(out, " {}", self.stream);
        if self.pid != 0 {
            let _ = write!(out, " process {}", self.pid);
        }
        let _ = write!(out, "] {}", self.text);
    }
}

/// Result of `rr_output`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct OutputView {
    /// The job that reads it, if it is not waited for; all else is not known yet then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) job: Option<String>,
    pub(crate) result: Vec<PieceView>,
    /// Index of the last piece of the recording, of those asked for.
    pub(crate) last: u64,
    /// Index of the last of them that was printed by the session's present event.
    pub(crate) now: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
}

/// Which pieces are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The first index.
    pub(crate) from: u64,
    /// The most pieces.
    pub(crate) count: usize,
    pub(crate) stream: Option<Stream>,
    /// The session's process.
    pub(crate) pid: u32,
    pub(crate) all_processes: bool,
}

impl OutputView {
    /// Of output that a job reads.
    pub(crate) fn of_job(job: &str) -> Self {
        Self { job: Some(job.to_owned()), result: Vec::new(), last: 0, now: 0, truncated: None }
    }

    /// `event`: where the session is.
    pub(crate) fn new(output: &Output, wanted: Wanted, event: u64) -> Self {
        let Wanted { from, count, stream, pid, all_processes } = wanted;
        let asked: Vec<&Written> = output
            .pieces
            .iter()
            .filter(|piece| (all_processes || piece.pid == pid) && stream.is_none_or(|s| s == piece.stream))
            .collect();
        let mut lines: Vec<Line<'_>> = Vec::new();
        let (mut bytes, mut next) = (0, None);
        for piece in asked.iter().filter(|piece| piece.index >= from) {
            bytes += piece.bytes.len();
            if lines.last_mut().is_some_and(|line| line.add(piece)) {
                continue;
            }
            if lines.len() >= count || (bytes > MAX_BYTES && !lines.is_empty()) {
                next = Some(piece.index);
                break;
            }
            lines.push(Line::new(piece));
        }
        let result = lines.iter().map(|line| line.shown(pid)).collect();
        let forgotten = (from <= output.forgotten && output.forgotten > 0)
            .then(|| format!("the first {} pieces are not kept", output.forgotten));
        let more = next.map(|next| format!("for the next pieces: from={next}"));
        let said: Vec<String> = [forgotten, output.incomplete.clone(), more].into_iter().flatten().collect();
        Self {
            job: None,
            result,
            last: asked.last().map_or(0, |piece| piece.index),
            now: asked.iter().rev().find(|piece| piece.event <= event).map_or(0, |piece| piece.index),
            truncated: (!said.is_empty()).then(|| said.join("; ")),
        }
    }
}

impl Render for OutputView {
    fn render(&self, out: &mut String) {
        if let Some(job) = &self.job {
            let _ = write!(out, "running: job {job} reads the output; rr_job_result has it");
            return;
        }
        if self.result.is_empty() {
            out.push_str("no output");
        }
        for piece in &self.result {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            piece.render(out);
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        match (self.now, self.last) {
            (_, 0) => out.push_str("printed by now: nothing, and nothing later"),
            (0, last) => drop(write!(out, "printed by now: nothing; the last is {last}")),
            (now, last) => drop(write!(out, "printed by now: up to {now}; the last is {last}")),
        }
        if let Some(truncated) = &self.truncated {
            let _ = write!(out, "\n({truncated})");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(writes: &[(u64, Stream, &str)]) -> Output {
        let piece = |(index, &(event, stream, text)): (u64, &(u64, Stream, &str))| Written {
            index,
            event,
            pid: 7,
            stream,
            bytes: text.as_bytes().to_vec(),
        };
        Output { pieces: (1..).zip(writes).map(piece).collect(), ..Output::default() }
    }

    fn shown(output: &Output, from: u64, count: usize) -> String {
        let wanted = Wanted { from, count, stream: None, pid: 7, all_processes: false };
        let mut out = String::new();
        OutputView::new(output, wanted, 12).render(&mut out);
        out
    }

    #[test]
    fn the_writes_of_a_line_are_one_piece() {
        use Stream::{Err, Out};
        let long = "x".repeat(MAX_LINE);
        let output = output(&[
            (10, Err, "what(): "),
            (12, Err, "none\n"),
            (14, Err, "a"),
            (14, Err, "b"),
            (15, Out, "c\nd"),
            (16, Out, "\n"),
            (17, Out, &long),
            (18, Out, "y"),
        ]);
        let expected = "[1 event 10–12 stderr] what(): none\n[3 event 14 stderr] ab\n[5 event 15–16 stdout] c\nd\n";
        let (more, now) = ("(for the next pieces: from=7)", "printed by now: up to 2; the last is 8");
        assert_eq!(shown(&output, 1, 3), format!("{expected}{now}\n{more}"));
        assert_eq!(shown(&output, 7, 3), format!("[7 event 17 stdout] {long}\n[8 event 18 stdout] y\n{now}"));
        assert_eq!(shown(&output, 2, 1), format!("[2 event 12 stderr] none\n{now}\n(for the next pieces: from=3)"));
    }
}
