//! What the recorded program has printed, with the event of each write.
//!
//! A replay prints again what was written to the terminal or to pipes on descriptors 1 and 2. A second rr replays the whole
//! recording without a debugger and marks each write with the process and the event (`[rr PID EVENT]`, its option `-M`), so
//! that reading the output neither moves a session nor depends on where it is.
//!
//! Marks stand among the text. What is taken for one names a process of the recording and an event that is not before
//! that of the mark before it on the same stream.

use super::error::Error;
use super::process::{Group, Stream, ending, last_words};
use super::program::Rr;
use super::trace;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
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
/// How often it is asked whether the output is still wanted.
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
}

impl Rr {
    /// Replays a recording for what it prints. At the deadline what there is by then is given, and said to be incomplete;
    /// it is given up when `go_on`, which is asked several times a second, says so.
    pub fn output(
        &self,
        directory: &Path,
        deadline: Duration,
        go_on: &mut dyn FnMut(Duration) -> bool,
    ) -> Result<Output, Error> {
        let begun = Instant::now();
        let until = begun + deadline;
        let directory = trace::resolve(Some(directory))?;
        trace::check(&directory)?;
        let counters = self.counters_of(&directory)?;
        let processes = self.ps_of_checked(&directory)?.into_iter().map(|process| process.pid).collect();
        let mut command = self.counting_command(counters, "replay", &BTreeMap::new())?;
        command.env_remove("RUNNING_UNDER_TEST_MONITOR");
        command.args(["-M", "-a"]).arg(&directory).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = || Error::io(format!("run `{} replay`", self.program().display()));
        let group = Group::start(command).map_err(failed())?;
        let (stdout, stderr) = group.take_pipes();
        let (sender, chunks) = sync_channel(WAITING);
        listen(Stream::Out, stdout, sender.clone()).map_err(failed())?;
        listen(Stream::Err, stderr, sender).map_err(failed())?;
        let mut heard = Heard::new(processes);
        let mut wanted = || self.wanted.holds() && go_on(begun.elapsed());
        let ended = hear(&chunks, until, &mut wanted, &mut heard);
        if ended == Some(Given::Up) {
            return Err(Error::Cancelled { command: "replay" });
        }
        let incomplete = match ended {
            Some(_) => Some(format!("the replay had not come to its end after {} s", deadline.as_secs())),
            None => match group.wait(until.max(Instant::now() + ASKING)).map_err(failed())? {
                Some(status) if status.success() => None,
                Some(status) => {
                    let words = last_words(&String::from_utf8_lossy(&heard.before_marks()));
                    return Err(Error::Replay { ended: ending(status), words });
                }
                None => Some("the replay does not end".to_owned()),
            },
        };
        Ok(heard.finish(incomplete))
    }
}

/// Takes what comes until both streams are closed. Otherwise, why not.
fn hear(
    chunks: &Receiver<(Stream, Vec<u8>)>,
    until: Instant,
    wanted: &mut dyn FnMut() -> bool,
    heard: &mut Heard,
) -> Option<Given> {
    loop {
        match chunks.recv_timeout(ASKING) {
            Ok((stream, bytes)) => heard.push(stream, &bytes),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if !wanted() {
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
    /// Nobody wants it any more.
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
    pieces: VecDeque<Written>,
    bytes: usize,
    forgotten: u64,
    /// The end of what came before the first mark: words of rr itself.
    before: Vec<u8>,
}

/// Both streams.
struct Heard {
    processes: BTreeSet<u32>,
    streams: [(Stream, Marked); 2],
}

impl Heard {
    fn new(processes: BTreeSet<u32>) -> Self {
        Self { processes, streams: [Stream::Out, Stream::Err].map(|stream| (stream, Marked::default())) }
    }

    fn push(&mut self, stream: Stream, bytes: &[u8]) {
        let processes = &self.processes;
        for (own, marked) in self.streams.iter_mut().filter(|(own, _)| *own == stream) {
            marked.rest.extend_from_slice(bytes);
            marked.take_apart(*own, processes, false);
        }
    }

    fn before_marks(&self) -> Vec<u8> {
        self.streams.iter().flat_map(|(_, marked)| marked.before.iter().chain(&marked.rest).copied()).collect()
    }

    /// All of both streams in the order of time; within an event stdout first.
    fn finish(mut self, incomplete: Option<String>) -> Output {
        let mut pieces = Vec::new();
        let mut forgotten = 0;
        for (stream, marked) in &mut self.streams {
            marked.take_apart(*stream, &self.processes, true);
            forgotten += marked.forgotten;
            pieces.extend(std::mem::take(&mut marked.pieces));
        }
        pieces.sort_by_key(|piece| piece.event);
        for (index, piece) in (forgotten + 1..).zip(&mut pieces) {
            piece.index = index;
        }
        Output { pieces, forgotten, incomplete }
    }
}

impl Marked {
    /// Takes what is there apart. `ended`: nothing more comes.
    fn take_apart(&mut self, stream: Stream, processes: &BTreeSet<u32>, ended: bool) {
        let rest = std::mem::take(&mut self.rest);
        let mut at = 0;
        let mut text = 0;
        while let Some(found) = memchr::memmem::find(rest.get(at..).unwrap_or_default(), MARK) {
            let start = at + found;
            let candidate = rest.get(start..).unwrap_or_default();
            match mark(candidate) {
                Some((pid, event, length)) if self.is_possible(pid, event, processes) => {
                    self.add(stream, rest.get(text..start).unwrap_or_default());
                    self.mark = Some((pid, event));
                    at = start + length;
                    text = at;
                }
                None if !ended && candidate.len() < LONGEST_MARK && !candidate.contains(&b']') => {
                    self.add(stream, rest.get(text..start).unwrap_or_default());
                    self.rest = candidate.to_vec();
                    return;
                }
                _ => at = start + MARK.len(),
            }
        }
        let remaining = rest.get(text..).unwrap_or_default();
        // The last bytes may be the first of `[rr `.
        let kept = (1..MARK.len()).rev().find(|n| !ended && remaining.ends_with(&MARK[..*n])).unwrap_or(0);
        let (now, later) = remaining.split_at(remaining.len() - kept);
        self.add(stream, now);
        self.rest = later.to_vec();
    }

    fn is_possible(&self, pid: u32, event: u64, processes: &BTreeSet<u32>) -> bool {
        processes.contains(&pid) && self.mark.is_none_or(|(_, last)| event >= last)
    }

    fn add(&mut self, stream: Stream, bytes: &[u8]) {
        let Some((pid, event)) = self.mark else {
            let keep = bytes.get(bytes.len().saturating_sub(CHUNK)..).unwrap_or_default();
            self.before.extend_from_slice(keep);
            let over = self.before.len().saturating_sub(CHUNK);
            self.before.drain(..over);
            return;
        };
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

/// A whole mark at the beginning of some bytes: process, event, and its length.
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

    fn heard(chunks: &[(Stream, &[u8])]) -> Output {
        let mut heard = Heard::new([7, 8].into());
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
        let output = heard(&[(Stream::Out, b"[rr 7 10]one\n[rr 7 30]three"), (Stream::Err, b"[rr 8 20]two")]);
        let expected = [(1, 10, 7, "one\n"), (2, 20, 8, "two"), (3, 30, 7, "three")];
        assert_eq!(shown(&output), expected.map(|(i, e, p, text)| (i, e, p, text.to_owned())));
        assert_eq!((output.forgotten, output.pieces[1].stream), (0, Stream::Err));
    }

    #[test]
    fn what_only_looks_like_a_mark_is_text() {
        for text in ["[rr 9 20]x", "[rr 7 5]x", "[rr 7 20", "[rr 7]", "[rr 7 x]", "[rr ", "[rr  7 20]"] {
            let output = heard(&[(Stream::Out, format!("[rr 7 10]{text}").as_bytes())]);
            assert_eq!(shown(&output), [(1, 10, 7, text.to_owned())]);
        }
    }

    #[test]
    fn long_writes_are_cut_and_old_ones_are_forgotten() {
        let long = [b"[rr 7 10]".as_slice(), &vec![b'x'; PIECE + 1]].concat();
        let lengths: Vec<usize> = heard(&[(Stream::Out, &long)]).pieces.iter().map(|p| p.bytes.len()).collect();
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
        let mut all = Heard::new([7].into());
        all.push(Stream::Err, b"[FATAL] no such trace\n");
        assert_eq!(all.before_marks(), b"[FATAL] no such trace\n");
        assert_eq!(all.finish(None).pieces, []);
    }

    proptest! {
        #[test]
        fn it_does_not_matter_how_the_bytes_arrive(
            writes in prop::collection::vec("[a\\[\\]r 0-9]{1,12}", 1..6),
            cuts in prop::collection::vec(1usize..9, 0..40),
        ) {
            let whole: String = (1..).zip(&writes).map(|(i, text)| format!("[rr 7 {i}]{text}")).collect();
            let mut chunks: Vec<(Stream, &[u8])> = Vec::new();
            let mut rest = whole.as_bytes();
            for cut in cuts {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                chunks.push((Stream::Out, now));
                rest = later;
            }
            chunks.push((Stream::Out, rest));
            prop_assert_eq!(heard(&chunks), heard(&[(Stream::Out, whole.as_bytes())]));
        }

        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = heard(&[(Stream::Out, b"[rr 7 1]"), (Stream::Out, &bytes)]);
        }
    }
}
