//! What the recorded program has printed, with the event of each write.
//!
//! A replay prints again what was written to where the descriptors 1 and 2 led when the recording began, whatever that
//! was; what was redirected since then, as by a shell's pipes, is counted only. A second rr replays the
//! whole recording without a debugger and marks each write with the process and the event (`[rr PID EVENT]`, its option
//! `-M`), so that reading the output neither moves a session nor depends on where it is.
//!
//! Marks stand among the text, and a program may print what looks like one. How much each write has written is known
//! from the events of the recording, so that no text is searched for marks: behind a mark come as many bytes as its
//! write has written, and what then comes up to the next mark is rr's own.

use super::child_output::Tail;
use super::error::Error;
use super::fatal::divergence;
use super::process::{Group, Stream, ending, last_words};
use super::program::Rr;
use super::ps::processes_of;
use super::trace;
use super::write_lengths::{Dump, Unheard, Writes};
use base::cancel::Cancel;
use std::collections::{BTreeSet, VecDeque};
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Most bytes of output that are kept; the oldest go first.
const KEPT: usize = 16 << 20;
/// Most pieces that are kept.
const PIECES: usize = 200_000;
/// Longest piece: longer writes are several.
const PIECE: usize = 4096;
/// What is read at once.
const CHUNK: usize = 64 << 10;
/// Chunks that may wait to be looked at.
const WAITING: usize = 16;
/// How often it is asked whether that is cancelled.
const ASKING: Duration = Duration::from_millis(50);
/// How a mark begins, and how long one can be.
const MARK: &[u8] = b"[rr ";
const LONGEST_MARK: usize = 40;

/// A write, or a part of a long one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// From 1, in the order of time; gaps are what was forgotten.
    pub index: u64,
    /// The event of the write.
    pub event: u64,
    /// The process that wrote.
    pub pid: u32,
    /// Where to.
    pub stream: Stream,
    /// At most 4096 bytes.
    pub bytes: Vec<u8>,
}

/// What was printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The last of it, in the order of time.
    pub pieces: Vec<Written>,
    /// Pieces that came before and are not kept.
    pub forgotten: u64,
    /// Why it is not all up to the end of the recording, if it is not.
    pub incomplete: Option<String>,
    /// What else was written to the descriptors 1 and 2, and cannot be shown.
    pub unheard: Vec<Unheard>,
    /// Processes of which there may be more of that.
    pub buffering: BTreeSet<u32>,
}

impl Rr {
    /// Replays a recording for what it prints. At the deadline what there is by then is given, and said to be
    /// incomplete; the replay is ended when the call is cancelled.
    pub fn output(&self, directory: &Path, deadline: Duration) -> Result<Output, Error> {
        let until = Instant::now() + deadline;
        let directory = trace::resolve(Some(directory))?;
        trace::check(&directory)?;
        let means = self.means_of(&directory)?;
        let processes = processes_of(&directory)?.into_iter().map(|process| process.pid).collect();
        let mut command = self.plain_command("dump");
        command.arg(&directory);
        let mut dump = Dump::default();
        let mut words = Tail::new(CHUNK);
        let dumped = watched(command, "dump", until, &self.cancel, &mut |stream, bytes| match stream {
            Stream::Out => dump.push(bytes),
            Stream::Err => words.push(bytes),
        })?;
        let late = |what: &str| format!("{what} had not ended after {} s", deadline.as_secs());
        let dump_fails = match dumped {
            Some(status) if status.success() => None,
            Some(status) => {
                Some(format!("rr cannot list all writes ({}): {}", ending(status), last_words(&words.text())))
            }
            None => Some(late("the list of the recording's events")),
        };
        let writes = dump.finish();
        let many = writes.is_cut().then(|| {
            "not all writes of the recording can be distinguished: there are too many, or their lengths are unknown"
                .to_owned()
        });
        let mut command = self.replaying_command(&means)?;
        command.args(["-M", "-a"]).arg(&directory);
        let mut heard = Heard::new(processes, writes);
        // An rr that waits for a debugger does not end by itself.
        let (stuck, mut has_failed) = (self.cancel.child(), false);
        let replayed = watched(command, "replay", until, &stuck, &mut |stream, bytes| {
            heard.push(stream, bytes);
            if !has_failed && means.force && means.is_emergency(&String::from_utf8_lossy(&heard.words())) {
                has_failed = true;
                stuck.cancel();
            }
        });
        let said = || last_words(&String::from_utf8_lossy(&heard.words()));
        let words = || means.explained(said());
        let incomplete = match replayed {
            Err(Error::Cancelled { .. }) if has_failed => {
                return Err(Error::Replay { ended: "it waited for a debugger".to_owned(), words: words() });
            }
            Err(error) => return Err(error),
            Ok(Some(status)) if status.success() => dump_fails.or(many),
            Ok(Some(_)) if divergence(&said()).is_some() => Some(words()),
            Ok(Some(status)) => return Err(Error::Replay { ended: ending(status), words: words() }),
            Ok(None) => Some(late("the replay")),
        };
        Ok(heard.finish(incomplete))
    }
}

/// Runs an rr whose output somebody takes. How it ended; `None` if it had not done so by the deadline, and was killed.
pub(super) fn watched(
    mut command: Command,
    name: &'static str,
    until: Instant,
    cancel: &Cancel,
    take: &mut dyn FnMut(Stream, &[u8]),
) -> Result<Option<ExitStatus>, Error> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed = || Error::io(format!("run `rr {name}`"));
    let group = Group::start(command).map_err(failed())?;
    let (stdout, stderr) = group.take_pipes();
    let (sender, chunks) = sync_channel(WAITING);
    listen(Stream::Out, stdout, sender.clone()).map_err(failed())?;
    listen(Stream::Err, stderr, sender).map_err(failed())?;
    match hear(&chunks, until, cancel, take) {
        Some(Given::Up) => Err(Error::Cancelled { command: name }),
        Some(Given::Late) => Ok(None),
        None => group.wait(until.max(Instant::now() + ASKING)).map_err(failed()),
    }
}

/// Takes what comes until both streams are closed. Otherwise, why not.
fn hear(
    chunks: &Receiver<(Stream, Vec<u8>)>,
    until: Instant,
    cancel: &Cancel,
    take: &mut dyn FnMut(Stream, &[u8]),
) -> Option<Given> {
    loop {
        match chunks.recv_timeout(ASKING) {
            Ok((stream, bytes)) => take(stream, &bytes),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if cancel.is_cancelled() {
            return Some(Given::Up);
        }
        if Instant::now() >= until {
            return Some(Given::Late);
        }
    }
}

/// Why no more was listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// It is cancelled.
    Up,
    /// The time is up.
    Late,
}

/// Reads a stream to its end, or until nobody listens.
fn listen(
    stream: Stream,
    from: Option<impl Read + Send + 'static>,
    to: SyncSender<(Stream, Vec<u8>)>,
) -> std::io::Result<()> {
    let Some(mut from) = from else { return Ok(()) };
    let read = move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            match from.read(&mut buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
                Ok(count) => {
                    let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                    if to.send((stream, bytes)).is_err() {
                        return;
                    }
                }
            }
        }
    };
    std::thread::Builder::new().name("rr-written".into()).spawn(read).map(drop)
}

/// One stream, as far as it has been taken apart.
#[derive(Default)]
struct Marked {
    /// What may be the beginning of a mark.
    rest: Vec<u8>,
    /// The last mark: process and event.
    mark: Option<(u32, u64)>,
    /// How many bytes of its write are still to come.
    left: u64,
    pieces: VecDeque<Written>,
    bytes: usize,
    forgotten: u64,
}

/// Both streams.
struct Heard {
    processes: BTreeSet<u32>,
    writes: Writes,
    streams: [(Stream, Marked); 2],
    /// The end of what is no write: rr's own words.
    words: Tail,
}

impl Heard {
    fn new(processes: BTreeSet<u32>, writes: Writes) -> Self {
        let streams = [Stream::Out, Stream::Err].map(|stream| (stream, Marked::default()));
        Self { processes, writes, streams, words: Tail::new(CHUNK) }
    }

    fn push(&mut self, stream: Stream, bytes: &[u8]) {
        let Self { processes, writes, streams, words } = self;
        for (own, marked) in streams.iter_mut().filter(|(own, _)| *own == stream) {
            marked.take_apart(*own, bytes, processes, writes, words);
        }
    }

    /// Returns what rr itself has said.
    fn words(&self) -> Vec<u8> {
        let rest = self.streams.iter().flat_map(|(_, marked)| &marked.rest);
        self.words.text().into_bytes().iter().chain(rest).copied().collect()
    }

    /// Puts all of both streams in the order of time; within an event stdout first.
    fn finish(self, incomplete: Option<String>) -> Output {
        let mut pieces = Vec::new();
        let mut forgotten = 0;
        for (_, marked) in self.streams {
            forgotten += marked.forgotten;
            pieces.extend(marked.pieces);
        }
        pieces.sort_by_key(|piece| piece.event);
        for (index, piece) in (forgotten + 1..).zip(&mut pieces) {
            piece.index = index;
        }
        // Of what was not replayed nothing can be heard.
        let unheard = if incomplete.is_none() { self.writes.unheard(&self.processes) } else { Vec::new() };
        let buffering = self.writes.buffering(&self.processes);
        Output { pieces, forgotten, incomplete, unheard, buffering }
    }
}

impl Marked {
    /// Takes apart what has come.
    fn take_apart(
        &mut self,
        stream: Stream,
        bytes: &[u8],
        processes: &BTreeSet<u32>,
        writes: &mut Writes,
        words: &mut Tail,
    ) {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let mut rest = all.as_slice();
        loop {
            let written = usize::try_from(self.left).unwrap_or(usize::MAX).min(rest.len());
            let (text, behind) = rest.split_at(written);
            self.left -= written as u64;
            self.add(stream, text);
            match self.next_mark(behind, processes, writes) {
                Next::Mark { at, pid, event, written, end } => {
                    words.push(behind.get(..at).unwrap_or_default());
                    (self.mark, self.left) = (Some((pid, event)), written);
                    writes.hear(event);
                    rest = behind.get(end..).unwrap_or_default();
                }
                Next::Unknown { from } => {
                    words.push(behind.get(..from).unwrap_or_default());
                    self.rest = behind.get(from..).unwrap_or_default().to_vec();
                    return;
                }
            }
        }
    }

    fn next_mark(&self, bytes: &[u8], processes: &BTreeSet<u32>, writes: &Writes) -> Next {
        let mut at = 0;
        while let Some(found) = memchr::memmem::find(bytes.get(at..).unwrap_or_default(), MARK) {
            at += found;
            let candidate = bytes.get(at..).unwrap_or_default();
            match mark(candidate) {
                Some((pid, event, length))
                    if processes.contains(&pid) && self.mark.is_none_or(|(_, last)| event >= last) =>
                {
                    if let Some(written) = writes.length(event) {
                        return Next::Mark { at, pid, event, written, end: at + length };
                    }
                }
                None if candidate.len() < LONGEST_MARK && !candidate.contains(&b']') => {
                    return Next::Unknown { from: at };
                }
                _ => {}
            }
            at += MARK.len();
        }
        // The last bytes may be the first of `[rr `.
        let kept = (1..MARK.len()).rev().find(|n| bytes.ends_with(&MARK[..*n])).unwrap_or(0);
        Next::Unknown { from: bytes.len() - kept }
    }

    fn add(&mut self, stream: Stream, bytes: &[u8]) {
        let Some((pid, event)) = self.mark else { return };
        for piece in bytes.chunks(PIECE) {
            // Of one write that came in parts.
            if let Some(last) = self.pieces.back_mut()
                && (last.pid, last.event) == (pid, event)
                && last.bytes.len() + piece.len() <= PIECE
            {
                last.bytes.extend_from_slice(piece);
            } else {
                self.pieces.push_back(Written { index: 0, event, pid, stream, bytes: piece.to_vec() });
            }
            self.bytes += piece.len();
        }
        while self.bytes > KEPT || self.pieces.len() > PIECES {
            let Some(gone) = self.pieces.pop_front() else { break };
            self.bytes -= gone.bytes.len();
            self.forgotten += 1;
        }
    }
}

/// What comes behind a write.
enum Next {
    /// A mark from `at` to `end`, of a write of so many bytes.
    Mark { at: usize, pid: u32, event: u64, written: u64, end: usize },
    /// Nothing that can be told yet; from there on it may be the beginning of a mark.
    Unknown { from: usize },
}

/// Parses a whole mark at the beginning of some bytes: process, event, and its length.
fn mark(bytes: &[u8]) -> Option<(u32, u64, usize)> {
    let end = bytes.iter().take(LONGEST_MARK).position(|b| *b == b']')?;
    let text = std::str::from_utf8(bytes.get(MARK.len()..end)?).ok()?;
    let (pid, event) = text.split_once(' ')?;
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    (is_number(pid) && is_number(event)).then_some(())?;
    Some((pid.parse().ok()?, event.parse().ok()?, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Writes by the events 1, 2, … of these lengths.
    fn writes(lengths: impl IntoIterator<Item = (u64, usize)>) -> Writes {
        let mut dump = Dump::default();
        for (event, length) in lengths {
            for (time, state) in [(event, "ENTERING_SYSCALL"), (event, "EXITING_SYSCALL")] {
                let line = format!("global_time:{time}, event:`SYSCALL: write' (state:{state}) tid:7, ticks:1\n");
                dump.push(format!("{line}rax:{length:#x}\n").as_bytes());
            }
        }
        dump.finish()
    }

    fn heard(lengths: &[(u64, usize)], chunks: &[(Stream, &[u8])]) -> Output {
        let mut heard = Heard::new([7, 8].into(), writes(lengths.iter().copied()));
        for (stream, bytes) in chunks {
            heard.push(*stream, bytes);
        }
        heard.finish(None)
    }

    fn shown(output: &Output) -> Vec<(u64, u64, u32, String)> {
        let text = |piece: &Written| String::from_utf8_lossy(&piece.bytes).into_owned();
        output.pieces.iter().map(|piece| (piece.index, piece.event, piece.pid, text(piece))).collect()
    }

    #[test]
    fn writes_are_told_apart_and_put_in_the_order_of_time() {
        let chunks = [(Stream::Out, b"[rr 7 10]one\n[rr 7 30]three".as_slice()), (Stream::Err, b"[rr 8 20]two")];
        let output = heard(&[(10, 4), (20, 3), (30, 5)], &chunks);
        let expected = [(1, 10, 7, "one\n"), (2, 20, 8, "two"), (3, 30, 7, "three")];
        assert_eq!(shown(&output), expected.map(|(i, e, p, text)| (i, e, p, text.to_owned())));
        assert_eq!((output.forgotten, output.pieces[1].stream), (0, Stream::Err));
    }

    #[test]
    fn a_program_may_print_what_looks_like_a_mark() {
        for text in ["[rr 7 20]x", "[rr 7 5]x", "[rr 7 20", "[rr 7]", "[rr 7 x]", "[rr ", "[rr  7 20]", "[rr 7 10]"] {
            let all = format!("[rr 7 10]{text}[rr 7 20]y");
            let output = heard(&[(10, text.len()), (20, 1)], &[(Stream::Out, all.as_bytes())]);
            let expected = [(1, 10, 7, text.to_owned()), (2, 20, 7, "y".to_owned())];
            assert_eq!(shown(&output), expected);
        }
    }

    #[test]
    fn a_write_that_has_failed_is_no_piece_and_what_rr_says_is_none() {
        let said = b"[rr 7 10][WARN] [rr x] a signal\n[rr 9 20][rr 7 15][rr 7 20]x".as_slice();
        let mut all = Heard::new([7].into(), writes([(10, 0), (20, 1)]));
        all.push(Stream::Err, said);
        assert_eq!(all.words(), b"[WARN] [rr x] a signal\n[rr 9 20][rr 7 15]");
        assert_eq!(shown(&all.finish(None)), [(1, 20, 7, "x".to_owned())]);
    }

    #[test]
    fn long_writes_are_cut_and_old_ones_are_forgotten() {
        let long = [b"[rr 7 10]".as_slice(), &vec![b'x'; PIECE + 1]].concat();
        let output = heard(&[(10, PIECE + 1)], &[(Stream::Out, &long)]);
        let lengths: Vec<usize> = output.pieces.iter().map(|p| p.bytes.len()).collect();
        assert_eq!(lengths, [PIECE, 1]);
        let mut marked = Marked { mark: Some((7, 1)), ..Marked::default() };
        for event in 0..PIECES as u64 + 3 {
            marked.mark = Some((7, event));
            marked.add(Stream::Out, b"x");
        }
        assert_eq!((marked.pieces.len(), marked.forgotten), (PIECES, 3));
    }

    #[test]
    fn words_of_rr_before_the_first_mark_are_no_output() {
        let mut all = Heard::new([7].into(), Writes::default());
        all.push(Stream::Err, b"[FATAL] no such trace\n[r");
        assert_eq!(all.words(), b"[FATAL] no such trace\n[r");
        assert_eq!(all.finish(None).pieces, []);
    }

    proptest! {
        #[test]
        fn it_does_not_matter_how_the_bytes_arrive(
            texts in prop::collection::vec("[a\\[\\]r 0-9]{1,12}", 1..6),
            cuts in prop::collection::vec(1usize..9, 0..40),
        ) {
            let lengths: Vec<(u64, usize)> = (1..).zip(texts.iter().map(String::len)).collect();
            let whole: String = (1..).zip(&texts).map(|(i, text)| format!("[rr 7 {i}]{text}")).collect();
            let mut chunks: Vec<(Stream, &[u8])> = Vec::new();
            let mut rest = whole.as_bytes();
            for cut in cuts {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                chunks.push((Stream::Out, now));
                rest = later;
            }
            chunks.push((Stream::Out, rest));
            let output = heard(&lengths, &chunks);
            let expected: Vec<_> = (1..).zip(&texts).map(|(i, text)| (i, i, 7, text.clone())).collect();
            prop_assert_eq!(shown(&output), expected);
        }

        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), length in any::<usize>()) {
            let _ = heard(&[(1, length)], &[(Stream::Out, b"[rr 7 1]"), (Stream::Out, &bytes)]);
        }
    }
}
