//! What the recorded program has printed.

use super::is_zero;
use crate::mcp::reply::Render;
use crate::rr::{Output, Stream, Written};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt::Write as _;

/// Most bytes of text in one answer.
const MAX_BYTES: usize = 32 << 10;

/// A write, or a part of one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PieceView {
    pub(crate) index: u64,
    pub(crate) event: u64,
    /// `stdout` or `stderr`.
    pub(crate) stream: &'static str,
    pub(crate) text: String,
    /// The process, if it is another one than the session's.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) pid: u32,
}

impl Render for PieceView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "[{} event {} {}", self.index, self.event, self.stream);
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
        let mut result: Vec<PieceView> = Vec::new();
        let (mut bytes, mut next) = (0, None);
        for piece in asked.iter().filter(|piece| piece.index >= from) {
            bytes += piece.bytes.len();
            if result.len() >= count || (bytes > MAX_BYTES && !result.is_empty()) {
                next = Some(piece.index);
                break;
            }
            result.push(PieceView {
                index: piece.index,
                event: piece.event,
                stream: match piece.stream {
                    Stream::Out => "stdout",
                    Stream::Err => "stderr",
                },
                text: String::from_utf8_lossy(&piece.bytes).into_owned(),
                pid: if piece.pid == pid { 0 } else { piece.pid },
            });
        }
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
