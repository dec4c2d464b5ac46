//! What the recorded program has printed.

use crate::mcp::reply::{Quoted, is_default, mark};
use rmcp::schemars::{self, JsonSchema};
use rr::{Output, Stream, Unheard, Written};
use serde::Serialize;
use std::fmt;

/// Most bytes of text in one answer.
const MAX_BYTES: usize = 32 << 10;

/// Most processes that a note names.
const MAX_PIDS: usize = 5;

/// Writes of one line are shown as one piece, up to so many bytes.
const MAX_LINE: usize = 4 << 10;

/// A write, or a part of one, or writes of one line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PieceView {
    pub(crate) index: u64,
    pub(crate) event: u64,
    /// The event of the last write, if it is another one.
    pub(crate) last_event: Option<u64>,
    /// `stdout` or `stderr`.
    pub(crate) stream: &'static str,
    pub(crate) text: String,
    /// The process, if it is another one than the session's.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) pid: u32,
}

fn stream_word(stream: Stream) -> &'static str {
    match stream {
        Stream::Out => "stdout",
        Stream::Err => "stderr",
    }
}

/// What a process has written where rr does not print it again: it was redirected there, to a pipe or a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct UnseenView {
    pub(crate) pid: u32,
    /// `stdout` or `stderr`.
    pub(crate) stream: &'static str,
    pub(crate) writes: u64,
    pub(crate) bytes: u64,
    /// There may be more, of which rr does not tell.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) at_least: bool,
    /// Events of the first and the last write.
    pub(crate) event: u64,
    pub(crate) last_event: u64,
    /// The register that has the address of what is written, if each is of one buffer.
    #[serde(skip)]
    buffer: Option<&'static str>,
}

impl From<&Unheard> for UnseenView {
    fn from(unheard: &Unheard) -> Self {
        let Unheard { pid, stream, writes, bytes, first, last, buffer, at_least } = *unheard;
        Self { pid, stream: stream_word(stream), writes, bytes, at_least, event: first, last_event: last, buffer }
    }
}

impl fmt::Display for UnseenView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pid, stream, writes, bytes, event, last_event, .. } = self;
        f.write_str(if self.at_least { "not shown: at least " } else { "not shown: " })?;
        match writes {
            1 => write!(f, "{bytes} bytes of process {pid}'s {stream}, at event {event}")?,
            n => write!(f, "{bytes} bytes of process {pid}'s {stream} in {n} writes, events {event}–{last_event}")?,
        }
        f.write_str(" (redirected to a pipe or file, which rr does not print again; rr_run_to_event goes to a write")?;
        match self.buffer {
            Some(register) => write!(f, ", and `x/s ${register}` shows it)"),
            None => f.write_str(")"),
        }
    }
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

    /// Returns the view of the piece as a session with the process `pid` shows it.
    fn shown(&self, pid: u32) -> PieceView {
        let Written { index, event, stream, .. } = *self.first;
        PieceView {
            index,
            event,
            last_event: (self.last_event != event).then_some(self.last_event),
            stream: stream_word(stream),
            text: String::from_utf8_lossy(&self.bytes).into_owned(),
            pid: if self.first.pid == pid { 0 } else { self.first.pid },
        }
    }
}

impl fmt::Display for PieceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} event {}", self.index, self.event)?;
        if let Some(last) = self.last_event {
            write!(f, "–{last}")?;
        }
        write!(f, " {}", self.stream)?;
        if self.pid != 0 {
            write!(f, " process {}", self.pid)?;
        }
        let mark = mark(if self.stream == stream_word(Stream::Err) { Stream::Err } else { Stream::Out });
        write!(f, "] {}", Quoted { mark, text: &self.text, is_first_marked: false })
    }
}

/// Result of `rr_output`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct OutputView {
    /// The job that reads it, if it is not waited for; all else is not known yet then.
    pub(crate) job: Option<String>,
    pub(crate) result: Vec<PieceView>,
    /// Index of the last piece of the recording, of those asked for.
    pub(crate) last: u64,
    /// Index of the last of them that was printed by the session's present event.
    pub(crate) now: u64,
    pub(crate) truncated: Option<String>,
    /// What was written but cannot be shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unseen: Vec<UnseenView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

/// Which pieces are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection {
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
    /// Creates the `OutputView` of output that a job reads.
    pub(crate) fn of_job(job: &str) -> Self {
        let job = Some(job.to_owned());
        Self { job, result: Vec::new(), last: 0, now: 0, truncated: None, unseen: Vec::new(), notes: Vec::new() }
    }

    /// Creates the view. `event`: where the session is.
    pub(crate) fn new(output: &Output, selection: Selection, event: u64) -> Self {
        let Selection { from, count, pid, .. } = selection;
        let asked: Vec<&Written> =
            output.pieces.iter().filter(|piece| selection.is_for(piece.pid, piece.stream)).collect();
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
            unseen: output.unheard.iter().filter(|u| selection.is_for(u.pid, u.stream)).map(Into::into).collect(),
            notes: selection.notes(output, asked.is_empty()),
        }
    }
}

impl Selection {
    fn is_for(&self, pid: u32, stream: Stream) -> bool {
        (self.all_processes || pid == self.pid) && self.stream.is_none_or(|asked| asked == stream)
    }

    /// Returns why there may be more than is shown.
    fn notes(&self, output: &Output, is_empty: bool) -> Vec<String> {
        let mut others: Vec<u32> = output.pieces.iter().map(|p| p.pid).filter(|pid| *pid != self.pid).collect();
        others.sort_unstable();
        others.dedup();
        let mut notes = Vec::new();
        if is_empty && !self.all_processes && !others.is_empty() {
            let pids: Vec<String> = others.iter().take(MAX_PIDS).map(u32::to_string).collect();
            let more = if others.len() > MAX_PIDS { " …" } else { "" };
            notes.push(format!("other processes print ({}{more}): all_processes=true", pids.join(", ")));
        }
        if output.buffering.iter().any(|pid| self.may_lack(output, *pid)) {
            let note = "there may be output that is not seen: if stdout or stderr was redirected to a pipe or file, rr \
                        does not tell of each write";
            notes.push(note.to_owned());
        }
        notes
    }

    /// Returns whether a process, of which rr does not tell each system call, has a stream of which nothing at all is
    /// known.
    fn may_lack(&self, output: &Output, pid: u32) -> bool {
        let is_known = |stream: Stream| {
            let is_printed = output.pieces.iter().any(|piece| (piece.pid, piece.stream) == (pid, stream));
            is_printed || output.unheard.iter().any(|unheard| (unheard.pid, unheard.stream) == (pid, stream))
        };
        [Stream::Out, Stream::Err].into_iter().any(|stream| self.is_for(pid, stream) && !is_known(stream))
    }
}

impl OutputView {
    /// Returns the pieces, or why there is none, each behind the end of a line.
    fn text(&self, is_all: bool) -> String {
        let none = match (self.last, is_all) {
            _ if !self.result.is_empty() => "",
            (1.., _) => "no more output",
            (0, true) => "no output",
            (0, false) => "no output that can be shown",
        };
        let mut text = none.to_owned();
        for piece in &self.result {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&piece.to_string());
        }
        text
    }
}

impl fmt::Display for OutputView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            return write!(f, "running: job {job} reads the output; rr_job_result has it");
        }
        let is_all = self.unseen.is_empty() && self.notes.is_empty();
        let text = self.text(is_all);
        let printed = match (self.now, self.last) {
            (_, 0) if is_all => "printed by now: nothing, and nothing later".to_owned(),
            (_, 0) => String::new(),
            (0, last) => format!("printed by now: nothing; the last is {last}"),
            (now, last) => format!("printed by now: up to {now}; the last is {last}"),
        };
        let separator = if printed.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        write!(f, "{text}{separator}{printed}")?;
        if let Some(truncated) = &self.truncated {
            write!(f, "\n({truncated})")?;
        }
        self.unseen.iter().try_for_each(|unseen| write!(f, "\n{unseen}"))?;
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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
        let selection = Selection { from, count, stream: None, pid: 7, all_processes: false };
        OutputView::new(output, selection, 12).to_string()
    }

    #[test]
    fn what_rr_does_not_tell_of_is_said_to_be_possible() {
        let note = "\nnote: there may be output that is not seen: if stdout or stderr was redirected to a pipe or file, \
                    rr does not tell of each write";
        let buffering = BTreeSet::from([7]);
        let silent = Output { buffering: buffering.clone(), ..Output::default() };
        assert_eq!(shown(&silent, 1, 3), format!("no output that can be shown{note}"));
        let one = Output { buffering: buffering.clone(), ..output(&[(10, Stream::Err, "x\n")]) };
        let printed = "[1 event 10 stderr] x\nprinted by now: up to 1; the last is 1";
        assert_eq!(shown(&one, 1, 3), format!("{printed}{note}"));
        let unheard = Unheard {
            pid: 7,
            stream: Stream::Out,
            writes: 2,
            bytes: 9,
            first: 4,
            last: 6,
            buffer: Some("x1"),
            at_least: true,
        };
        let counted = Output { unheard: vec![unheard], ..one };
        let unseen = "\nnot shown: at least 9 bytes of process 7's stdout in 2 writes, events 4–6 (redirected to a pipe \
                      or file, which rr does not print again; rr_run_to_event goes to a write, and `x/s $x1` shows it)";
        assert_eq!(shown(&counted, 1, 3), format!("{printed}{unseen}"));
        let both = Output { buffering, ..output(&[(10, Stream::Err, "x\n"), (11, Stream::Out, "y\n")]) };
        assert!(!shown(&both, 1, 3).contains("note:"));
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
        let expected =
            "[1 event 10–12 stderr] what(): none\n[3 event 14 stderr] ab\n[5 event 15–16 stdout] c\nout| d\n";
        let (more, now) = ("(for the next pieces: from=7)", "printed by now: up to 2; the last is 8");
        assert_eq!(shown(&output, 1, 3), format!("{expected}{now}\n{more}"));
        assert_eq!(shown(&output, 7, 3), format!("[7 event 17 stdout] {long}\n[8 event 18 stdout] y\n{now}"));
        assert_eq!(shown(&output, 2, 1), format!("[2 event 12 stderr] none\n{now}\n(for the next pieces: from=3)"));
    }
}
