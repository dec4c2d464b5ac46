//! Probe passes: a replay of a whole recording that writes down what was asked for.
//!
//! What probes are, and the files by which rr's preloaded object is told of them and tells, is a matter of
//! [`softcounters::probes`]. Here such a replay is run, and its threads are given the ids of the recording: those of the
//! replay are others, but threads begin in the same order, and the recording's list of events (`rr dump -e`) has them:
//!
//! ```text
//!   real_time:12289.986851 global_time:14, event:`SYSCALL: execve' (state:EXITING_SYSCALL) tid:9400, ticks:0
//!   TraceTaskEvent::CLONE tid=27357 parent=27355 clone_flags=0x3d0f00
//! ```

use super::counters::Counters;
use super::error::Error;
use super::output::watched;
use super::process::{Stream, ending, last_words};
use super::program::Rr;
use super::trace;
use crate::rr::drain::Tail;
use crate::softcounters::probes::{self, Damage, Found, Hits, Probe, Record};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufReader};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How much of rr's words is kept.
const WORDS: usize = 64 << 10;
/// A line of a dump is shorter.
const LONGEST_LINE: usize = 16 << 10;
/// Most threads that are told apart.
const MOST_THREADS: usize = 1 << 20;
/// Most events whose places are known.
const MOST_EVENTS: usize = 4 << 20;
/// How often another name is tried where one is taken.
const NAMES: u32 = 1000;

/// How far a pass has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passing {
    /// Since it has begun.
    pub elapsed: Duration,
    /// Bytes of hits that are written.
    pub bytes: u64,
}

/// What a pass has found. Its file is removed with it.
#[derive(Debug)]
pub struct ProbePass {
    place: Place,
    probes: Vec<Probe>,
    threads: Threads,
    /// How many hits there are.
    pub hits: u64,
    /// There would be more, but the limit was reached.
    pub is_truncated: bool,
}

/// An instruction was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeHit {
    /// The number of the probe, from 0 in the order they were asked for.
    pub probe: usize,
    /// The id of the thread in the recording.
    pub tid: u32,
    /// Conditional branches the thread had executed: rr's ticks.
    pub ticks: u64,
    /// As they were asked for.
    pub values: Vec<Found>,
}

impl Rr {
    /// Replays a recording once and writes down whenever what is asked for happens, up to `limit` bytes.
    ///
    /// It is given up at the deadline, and when `go_on`, which is asked several times a second, says so.
    ///
    /// # Errors
    /// If soft counters cannot be had, if the probes are refused ([`Error::BadOption`]), or if the replay fails.
    pub fn probe_pass(
        &self,
        directory: &Path,
        probes: &[Probe],
        limit: u64,
        deadline: Duration,
        go_on: &mut dyn FnMut(Passing) -> bool,
    ) -> Result<ProbePass, Error> {
        let begun = Instant::now();
        let until = begun + deadline;
        let list = probes::list(probes, Some(limit)).map_err(|refused| Error::BadOption(refused.to_string()))?;
        let directory = trace::resolve(Some(directory))?;
        trace::check(&directory)?;
        let mut means = self.means_of(&directory)?;
        if means.counters != Counters::Soft {
            self.soft_counters()?;
            means.counters = Counters::Soft;
        }
        let place = Place::new()?;
        let mut wanted = || {
            let bytes = fs::metadata(place.hits()).map_or(0, |file| file.len());
            self.wanted.holds() && go_on(Passing { elapsed: begun.elapsed(), bytes })
        };
        let late = |command| Error::CommandTimeout { command, after: deadline };

        let mut command = self.plain_command("dump");
        command.arg("-e").arg(&directory);
        let mut threads = Threads::default();
        let mut words = Tail::new(WORDS);
        let dumped = watched(command, "dump", until, &mut wanted, &mut |stream, bytes| match stream {
            Stream::Out => threads.push(bytes),
            Stream::Err => words.push(bytes),
        })?;
        let status = dumped.ok_or(late("dump"))?;
        if !status.success() {
            let (ended, words) = (ending(status), last_words(&words.text()));
            return Err(Error::Command { command: "dump", ended, words });
        }

        fs::write(place.list(), list).map_err(Error::io(format!("write `{}`", place.list().display())))?;
        let mut command = self.replaying_command(&means)?;
        command.env(probes::LIST, place.list()).env(probes::HITS, place.hits());
        command.arg("-a").arg(&directory);
        let mut words = Tail::new(WORDS);
        let replayed = watched(command, "replay", until, &mut wanted, &mut |stream, bytes| {
            if stream == Stream::Err {
                words.push(bytes);
            }
        })?;
        let status = replayed.ok_or(late("replay"))?;
        if !status.success() {
            let words = means.explained(last_words(&words.text()));
            return Err(Error::Replay { ended: ending(status), words });
        }
        let mut pass = ProbePass { place, probes: probes.to_vec(), threads, hits: 0, is_truncated: false };
        pass.check()?;
        Ok(pass)
    }
}

impl ProbePass {
    /// Looks at all of the file once: how it ends, and whether its threads are those of the recording.
    fn check(&mut self) -> Result<(), Error> {
        let unexpected = |what: String| Error::Unexpected { command: "replay", what };
        let mut ended = None;
        for record in self.records().map_err(|damage| unexpected(damage.to_string()))? {
            match record.map_err(|damage| unexpected(damage.to_string()))? {
                Record::Thread { thread, .. } if self.tid(thread).is_none() => {
                    return Err(unexpected("there are more threads than in the recording".to_owned()));
                }
                Record::Truncated { hits } => ended = Some((hits, true)),
                Record::End { hits } => ended = Some((hits, false)),
                _ => {}
            }
        }
        (self.hits, self.is_truncated) = ended.ok_or_else(|| unexpected("the hits have no end".to_owned()))?;
        Ok(())
    }

    /// The hits, in the order of the execution.
    ///
    /// # Errors
    /// If the file cannot be opened any more; as an item, if it cannot be read.
    pub fn hits(&self) -> Result<impl Iterator<Item = Result<ProbeHit, Damage>> + '_, Damage> {
        let hit = |record| match record {
            Ok(Record::Hit(hit)) => {
                let tid = self.tid(hit.thread).ok_or(Damage::Record("a hit is of no thread"));
                Some(tid.map(|tid| ProbeHit { probe: hit.probe as usize, tid, ticks: hit.ticks, values: hit.values }))
            }
            Ok(_) => None,
            Err(damage) => Some(Err(damage)),
        };
        Ok(self.records()?.filter_map(hit))
    }

    fn records(&self) -> Result<Hits<BufReader<File>>, Damage> {
        Hits::new(BufReader::with_capacity(1 << 20, File::open(self.place.hits())?), &self.probes)
    }

    fn tid(&self, thread: u32) -> Option<u32> {
        self.threads.list.get((thread as usize).checked_sub(1)?).copied()
    }

    /// Between which events of its thread a hit is: the last at which the thread had executed fewer branches, and the
    /// first at which it had executed more. `None` where there is none, or where events are too many to be known.
    pub fn around(&self, hit: &ProbeHit) -> (Option<u64>, Option<u64>) {
        let events = self.threads.events.get(&hit.tid).map_or(&[][..], Vec::as_slice);
        let before = events.partition_point(|(ticks, _)| *ticks < hit.ticks);
        let after = events.partition_point(|(ticks, _)| *ticks <= hit.ticks);
        let event = |index: Option<usize>| index.and_then(|index| events.get(index)).map(|(_, event)| *event);
        (event(before.checked_sub(1)), event(Some(after)))
    }
}

/// The threads of a recording, as its list of events is read.
#[derive(Debug, Default)]
struct Threads {
    /// In the order of their beginnings.
    list: Vec<u32>,
    /// By thread, the ticks and the number of each event, in their order.
    events: BTreeMap<u32, Vec<(u64, u64)>>,
    event_count: usize,
    line: Vec<u8>,
}

impl Threads {
    fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece.get(..piece.len().min(LONGEST_LINE)).unwrap_or(piece));
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.take(&String::from_utf8_lossy(&line));
            }
            self.line.truncate(LONGEST_LINE);
        }
    }

    /// Nothing but the beginning of a line is of rr's own making.
    fn take(&mut self, line: &str) {
        let line = line.trim_start();
        if line.starts_with("real_time:") {
            if let (Some(event), Some(tid), Some(ticks)) =
                (number(line, " global_time:"), number(line, " tid:"), number(line, " ticks:"))
                && let Ok(tid) = u32::try_from(tid)
            {
                self.add_event(tid, ticks, event);
            }
        } else if line.starts_with("TraceTaskEvent::CLONE ")
            && let Some(tid) = number(line, " tid=").and_then(|tid| u32::try_from(tid).ok())
        {
            self.add(tid);
        }
    }

    fn add(&mut self, tid: u32) {
        if self.list.len() < MOST_THREADS {
            self.list.push(tid);
        }
    }

    fn add_event(&mut self, tid: u32, ticks: u64, event: u64) {
        if self.list.is_empty() {
            self.add(tid);
        }
        self.event_count += 1;
        if self.event_count > MOST_EVENTS {
            self.events.clear();
            return;
        }
        let events = self.events.entry(tid).or_default();
        // What came before was rr itself, which begins to count with the program.
        if events.last().is_some_and(|(last, _)| *last > ticks) {
            events.clear();
        }
        events.push((ticks, event));
    }
}

/// The number behind the first of these names.
fn number(line: &str, name: &str) -> Option<u64> {
    let (_, rest) = line.split_once(name)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A private directory, removed with all that is in it.
#[derive(Debug)]
struct Place(PathBuf);

impl Place {
    fn new() -> Result<Self, Error> {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        for _ in 0..NAMES {
            let number = SERIAL.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("retrograde-probes-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                // Left by a process of the same id, as is usual in containers.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::io(format!("create `{}`", path.display()))(error)),
            }
        }
        Err(Error::io("create a directory for probes")(io::ErrorKind::AlreadyExists.into()))
    }

    fn list(&self) -> PathBuf {
        self.0.join("list")
    }

    fn hits(&self) -> PathBuf {
        self.0.join("hits")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // It lies where temporary files are removed some day.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "global_time:1\n{\n  real_time:1.5 global_time:1, event:`SYSCALL: prctl' \
                        (state:ENTERING_SYSCALL) tid:9400, ticks:1\nrax:0x0\n  real_time:1.6 global_time:2, event:`X' \
                        tid:9999, ticks:1\n  TraceTaskEvent::CLONE tid=9402 parent=9400 clone_flags=0x3d0f00\n  \
                        TraceTaskEvent::EXEC tid=9402 file=TraceTaskEvent::CLONE tid=7\n}\n";

    #[test]
    fn threads_are_told_in_the_order_of_their_beginnings() {
        for length in 1..DUMP.len() {
            let mut threads = Threads::default();
            DUMP.as_bytes().chunks(length).for_each(|piece| threads.push(piece));
            assert_eq!(threads.list, [9400, 9402], "{length}");
            assert_eq!(threads.events, BTreeMap::from([(9400, vec![(1, 1)]), (9999, vec![(1, 2)])]));
        }
    }

    #[test]
    fn no_line_is_kept_that_is_too_long() {
        let mut threads = Threads::default();
        for _ in 0..10 {
            threads.push(&[b'x'; LONGEST_LINE]);
            assert!(threads.line.len() <= LONGEST_LINE);
        }
        threads.push(b"\n  real_time:1 global_time:2, tid:5, ticks:1\n");
        assert_eq!(threads.list, [5]);
    }

    #[test]
    fn a_hit_is_between_events_of_its_thread() {
        let mut threads = Threads::default();
        for (ticks, event) in [(190, 1), (0, 2), (10, 3), (10, 4), (30, 6)] {
            threads.add_event(7, ticks, event);
        }
        let pass = ProbePass { place: Place::new().unwrap(), probes: vec![], threads, hits: 0, is_truncated: false };
        let around = |tid, ticks| pass.around(&ProbeHit { probe: 0, tid, ticks, values: vec![] });
        assert_eq!(around(7, 0), (None, Some(3)));
        assert_eq!(around(7, 10), (Some(2), Some(6)));
        assert_eq!(around(7, 20), (Some(4), Some(6)));
        assert_eq!(around(7, 31), (Some(6), None));
        assert_eq!(around(8, 5), (None, None));
    }

    #[test]
    fn what_is_written_is_gone_afterwards() {
        let place = Place::new().unwrap();
        fs::write(place.hits(), b"").unwrap();
        let path = place.0.clone();
        drop(place);
        assert!(!path.exists());
    }
}
