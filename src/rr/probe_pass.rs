//! Probe passes: a replay of a whole recording that writes down what was asked for.
//!
//! What probes are, and the files by which rr's preloaded object is told of them and tells, is a matter of
//! [`softcounters::probes`](crate::softcounters::probes). Here such a replay is run, and its threads are given the ids of the recording: those of the
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
use std::collections::{BTreeMap, BTreeSet};
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
    /// The number of the thread, from 1 in the order of their beginnings.
    pub thread: u32,
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
    /// It ends without an answer when its time is up, and when it is [cancelled](Rr::with_cancel).
    ///
    /// # Errors
    /// If soft counters cannot be had, if the probes are refused ([`Error::BadOption`]), or if the replay fails.
    pub fn probe_pass(
        &self,
        directory: &Path,
        probes: &[Probe],
        limit: u64,
        deadline: Duration,
    ) -> Result<ProbePass, Error> {
        let until = Instant::now() + deadline;
        let list = probes::list(probes, Some(limit)).map_err(|refused| Error::BadOption(refused.to_string()))?;
        let directory = trace::resolve(Some(directory))?;
        trace::check(&directory)?;
        let mut means = self.means_of(&directory)?;
        if means.counters != Counters::Soft {
            self.soft_counters()?;
            means.counters = Counters::Soft;
        }
        let place = Place::new()?;
        let late = |command| Error::CommandTimeout { command, after: deadline };

        let mut command = self.plain_command("dump");
        command.arg("-e").arg(&directory);
        let mut threads = Threads::default();
        let mut words = Tail::new(WORDS);
        let dumped = watched(command, "dump", until, &self.cancel, &mut |stream, bytes| match stream {
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
        let replayed = watched(command, "replay", until, &self.cancel, &mut |stream, bytes| {
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
                Record::Thread { thread, .. } if self.threads.get(thread).is_none() => {
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
        let mut ids = Ids { threads: &self.threads, spaces: BTreeMap::new(), moved: BTreeSet::new() };
        let hit = move |record| match record {
            Ok(Record::Space { thread, space }) => {
                ids.note(thread, space);
                None
            }
            Ok(Record::Hit(hit)) => {
                let tid = ids.of(hit.thread).ok_or(Damage::Record("a hit is of no thread"));
                Some(tid.map(|tid| ProbeHit {
                    probe: hit.probe as usize,
                    thread: hit.thread,
                    tid,
                    ticks: hit.ticks,
                    values: hit.values,
                }))
            }
            Ok(_) => None,
            Err(damage) => Some(Err(damage)),
        };
        Ok(self.records()?.filter_map(hit))
    }

    fn records(&self) -> Result<Hits<BufReader<File>>, Damage> {
        Hits::new(BufReader::with_capacity(1 << 20, File::open(self.place.hits())?), &self.probes)
    }

    /// Between which events of its thread a hit is: the last at which the thread had executed fewer branches, and the
    /// first at which it had executed more. `None` where there is none, or where events are too many to be known.
    pub fn around(&self, hit: &ProbeHit) -> (Option<u64>, Option<u64>) {
        let events = self.threads.get(hit.thread).map_or(&[][..], |thread| &thread.events);
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
    list: Vec<Thread>,
    /// Where in the list the thread of each id is.
    by_id: BTreeMap<u32, usize>,
    /// Threads of these ids have ended.
    ended: BTreeSet<u32>,
    /// The first program is executed.
    has_begun: bool,
    event_count: usize,
    line: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Thread {
    tid: u32,
    /// The id that it has after it has taken over its process by `execve`: its leader's.
    later: Option<u32>,
    /// Ticks and number of each event, in their order.
    events: Vec<(u64, u64)>,
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
        let id = |name| number(line, name).and_then(|tid| u32::try_from(tid).ok());
        if line.starts_with("real_time:") {
            let (event, ticks) = (number(line, " global_time:"), number(line, " ticks:"));
            if let (Some(event), Some(tid), Some(ticks)) = (event, id(" tid:"), ticks) {
                self.add_event(tid, ticks, event);
            }
        } else if let Some(event) = line.strip_prefix("TraceTaskEvent::") {
            match (event.split(' ').next(), id(" tid="), id(" parent=")) {
                (Some("CLONE"), Some(tid), Some(parent)) => self.add(tid, parent),
                (Some("EXIT"), Some(tid), _) => {
                    self.ended.insert(tid);
                }
                (Some("EXEC"), ..) => self.has_begun = true,
                _ => {}
            }
        }
    }

    /// A thread is there. That one has made it that has ended is how rr tells that this one has another id now.
    fn add(&mut self, tid: u32, parent: u32) {
        let renamed = self.by_id.get(&parent).copied().filter(|_| self.ended.contains(&parent));
        self.ended.remove(&tid);
        if let Some(index) = renamed {
            if let Some(thread) = self.list.get_mut(index) {
                thread.later = Some(tid);
            }
            self.by_id.insert(tid, index);
        } else if self.list.len() < MOST_THREADS {
            self.by_id.insert(tid, self.list.len());
            self.list.push(Thread { tid, ..Thread::default() });
        }
    }

    fn add_event(&mut self, tid: u32, ticks: u64, event: u64) {
        if self.list.is_empty() {
            self.add(tid, 0);
        }
        self.event_count += 1;
        if self.event_count > MOST_EVENTS {
            self.list.iter_mut().for_each(|thread| thread.events = Vec::new());
            return;
        }
        let Some(thread) = self.by_id.get(&tid).and_then(|index| self.list.get_mut(*index)) else { return };
        let is_back = thread.events.last().is_some_and(|(last, _)| *last > ticks);
        if is_back && self.has_begun {
            // Of a thread that takes over this id.
            return;
        }
        if is_back {
            // What came before was rr itself, which begins to count with the program.
            thread.events.clear();
        }
        thread.events.push((ticks, event));
    }

    fn get(&self, thread: u32) -> Option<&Thread> {
        self.list.get((thread as usize).checked_sub(1)?)
    }
}

/// The ids of threads, as records are read.
struct Ids<'a> {
    threads: &'a Threads,
    /// The address space that each thread has.
    spaces: BTreeMap<u32, u32>,
    /// Those that have executed a program of their own.
    moved: BTreeSet<u32>,
}

impl Ids<'_> {
    fn note(&mut self, thread: u32, space: u32) {
        if self.spaces.insert(thread, space).is_some_and(|before| before != space) {
            self.moved.insert(thread);
        }
    }

    fn of(&self, thread: u32) -> Option<u32> {
        let known = self.threads.get(thread)?;
        Some(known.later.filter(|_| self.moved.contains(&thread)).unwrap_or(known.tid))
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
                        TraceTaskEvent::EXEC tid=9402 file=TraceTaskEvent::CLONE tid=7\n  \
                        TraceTaskEvent::EXIT tid=9400 status=0\n  TraceTaskEvent::EXIT tid=9402 status=0\n  \
                        TraceTaskEvent::CLONE tid=9400 parent=9402 clone_flags=0x50f00\n  real_time:1.7 global_time:3, \
                        event:`X' tid:9400, ticks:111\n}\n";

    #[test]
    fn threads_are_told_in_the_order_of_their_beginnings() {
        for length in 1..DUMP.len() {
            let mut threads = Threads::default();
            DUMP.as_bytes().chunks(length).for_each(|piece| threads.push(piece));
            let ids: Vec<_> = threads.list.iter().map(|thread| (thread.tid, thread.later)).collect();
            assert_eq!(ids, [(9400, None), (9402, Some(9400))], "{length}");
            assert_eq!((threads.list[0].events.len(), &threads.list[1].events[..]), (1, &[(111, 3)][..]));
        }
    }

    #[test]
    fn a_thread_that_takes_over_its_process_has_another_id_from_then_on() {
        let mut threads = Threads::default();
        threads.push(DUMP.as_bytes());
        let mut ids = Ids { threads: &threads, spaces: BTreeMap::new(), moved: BTreeSet::new() };
        let mut after = |thread, space| {
            ids.note(thread, space);
            ids.of(thread)
        };
        assert_eq!([after(1, 2), after(2, 2), after(2, 2), after(2, 3)], [9400, 9402, 9402, 9400].map(Some));
        assert_eq!(ids.of(3), None);
    }

    #[test]
    fn no_line_is_kept_that_is_too_long() {
        let mut threads = Threads::default();
        for _ in 0..10 {
            threads.push(&[b'x'; LONGEST_LINE]);
            assert!(threads.line.len() <= LONGEST_LINE);
        }
        threads.push(b"\n  real_time:1 global_time:2, tid:5, ticks:1\n");
        assert_eq!(threads.list.iter().map(|thread| thread.tid).collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn a_hit_is_between_events_of_its_thread() {
        let mut threads = Threads::default();
        for (ticks, event) in [(190, 1), (0, 2), (10, 3), (10, 4), (30, 6), (5, 7)] {
            threads.add_event(7, ticks, event);
            threads.has_begun = event == 6;
        }
        let pass = ProbePass { place: Place::new().unwrap(), probes: vec![], threads, hits: 0, is_truncated: false };
        let around = |thread, ticks| pass.around(&ProbeHit { probe: 0, thread, tid: 7, ticks, values: vec![] });
        assert_eq!(around(1, 0), (None, Some(3)));
        assert_eq!(around(1, 10), (Some(2), Some(6)));
        assert_eq!(around(1, 20), (Some(4), Some(6)));
        assert_eq!(around(1, 31), (Some(6), None));
        assert_eq!(around(2, 5), (None, None));
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
