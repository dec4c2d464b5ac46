//! Probe passes: a replay of a whole recording that writes down what was asked for.
//!
//! What probes are, and the files by which rr's preloaded object is told of them and tells, is a matter of
//! [`softcounters::probes`](crate::softcounters::probes). Here such a replay is run, and its threads are given the ids
//! of the recording: those of the replay are others, but threads begin in the same order, and the recording's
//! [events](super::events) have them.

mod spaces;
mod story;

pub use self::spaces::Memory;
pub use self::story::Told;

use self::spaces::Spaces;
use super::count_pass::CountPass;
use super::counters::Counters;
use super::error::Error;
use super::events::Threads;
use super::output::watched;
use super::process::{Stream, ending, last_words};
use super::program::Rr;
use super::progress::PassProgress;
use super::trace;
use crate::rr::child_output::Tail;
use crate::softcounters::probes::{self, Asked, Damage, Hits, Probe, Record, Values, Written};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How much of rr's words is kept.
const WORDS: usize = 64 << 10;
/// How often another name is tried where one is taken.
const NAMES: u32 = 1000;

/// What a pass has found.
#[derive(Debug)]
pub struct ProbePass {
    /// It has no name any more, so that nothing is left of it, however this process ends.
    file: File,
    asked: Asked,
    threads: Arc<Threads>,
    spaces: Spaces,
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
    pub values: Values,
}

/// What a pass tells of: an instruction that was executed, or a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeRecord {
    /// An instruction was executed.
    Hit(ProbeHit),
    /// Something was written, by the thread of this id in the recording, if it is known.
    Written(Option<u32>, Written),
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
        self.pass(directory, &Asked { probes: probes.to_vec(), ..Asked::default() }, limit, deadline)
    }

    /// Makes a pass as [`Rr::probe_pass`] does, for whatever can be asked of a pass.
    ///
    /// # Errors
    /// As [`Rr::probe_pass`].
    pub fn pass(&self, directory: &Path, asked: &Asked, limit: u64, deadline: Duration) -> Result<ProbePass, Error> {
        let until = Instant::now() + deadline;
        let list = asked.list(Some(limit)).map_err(|refused| Error::BadOption(refused.to_string()))?;
        let directory = trace::resolve(Some(directory))?;
        trace::check(&directory)?;
        let mut means = self.means_of(&directory)?;
        if means.counters != Counters::Soft {
            self.soft_counters()?;
            means.counters = Counters::Soft;
        }
        let place = Place::new()?;
        let threads = Arc::new(Threads::read(&directory, &self.cancel)?);
        let progress = PassProgress::of(&place.progress(), &threads, &self.cancel);

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
        drop(progress);
        let status = replayed.ok_or(Error::CommandTimeout { command: "replay", after: deadline })?;
        if !status.success() {
            let words = means.explained(last_words(&words.text()));
            return Err(Error::Replay { ended: ending(status), words });
        }
        let file = File::open(place.hits()).map_err(Error::io(format!("read `{}`", place.hits().display())))?;
        let (asked, spaces) = (asked.clone(), Spaces::default());
        let mut pass = ProbePass { file, asked, threads, spaces, hits: 0, is_truncated: false };
        pass.check()?;
        Ok(pass)
    }
}

impl ProbePass {
    /// Looks at all of the file once: how it ends, whether its threads are those of the recording, and what address
    /// spaces there are.
    fn check(&mut self) -> Result<(), Error> {
        let unexpected = |what: String| Error::Unexpected { command: "replay", what };
        let (mut ended, mut spaces) = (None, Spaces::default());
        let mut records = self.records().map_err(|damage| unexpected(damage.to_string()))?;
        while let Some(mark) = records.next_mark() {
            let (before, record) = mark.map_err(|damage| unexpected(damage.to_string()))?;
            spaces.note(&record, before);
            match record {
                Record::Thread { thread, .. } if self.threads.get(thread).is_none() => {
                    return Err(unexpected("there are more threads than in the recording".to_owned()));
                }
                Record::Truncated { hits } => ended = Some((hits, true)),
                Record::End { hits } => ended = Some((hits, false)),
                _ => {}
            }
        }
        drop(records);
        (self.hits, self.is_truncated) = ended.ok_or_else(|| unexpected("the hits have no end".to_owned()))?;
        self.spaces = spaces;
        Ok(())
    }

    /// Iterates over the hits, in the order of the execution.
    ///
    /// # Errors
    /// If the file cannot be opened any more; as an item, if it cannot be read.
    pub fn hits(&self) -> Result<impl Iterator<Item = Result<ProbeHit, Damage>> + '_, Damage> {
        let mut ids = Ids::of_all(&self.threads);
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

    /// Iterates over the writes, in the order of the execution, but for those of watches of which the last are wanted:
    /// these are last. With each, the id of the thread in the recording, if it is known.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn writes(&self) -> Result<impl Iterator<Item = Result<(Option<u32>, Written), Damage>> + '_, Damage> {
        self.writes_if(|_, _| true)
    }

    /// Iterates over those of these writes that are to one memory, and those of which it is not known to whose they
    /// are.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn writes_to<'a>(
        &'a self,
        memory: &'a Memory,
    ) -> Result<impl Iterator<Item = Result<(Option<u32>, Written), Damage>> + 'a, Damage> {
        self.writes_if(|space, number| space.is_none_or(|space| memory.has(space, number)))
    }

    /// Iterates over the hits, and the writes to one memory and those of which it is not known to whose they are, in
    /// the order of the execution, but for the writes of watches of which the last are wanted: these are last.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn hits_and_writes<'a>(
        &'a self,
        memory: &'a Memory,
    ) -> Result<impl Iterator<Item = Result<ProbeRecord, Damage>> + 'a, Damage> {
        let done = |told| match told {
            Ok(Told::Done(record)) => Some(Ok(record)),
            Ok(Told::Began(..)) => None,
            Err(damage) => Some(Err(damage)),
        };
        Ok(self.story(memory)?.filter_map(done))
    }

    /// Returns the memory of a process when it has executed so many programs: of the one that made it, the process has
    /// what was written before. `is_its`: whether a thread of this id is of the process. `None`: the pass has not come
    /// so far.
    pub fn memory_of(&self, is_its: &dyn Fn(u32) -> bool, programs: usize) -> Option<Memory> {
        let is_its = |thread| self.threads.get(thread).is_some_and(|thread| is_its(thread.tid));
        self.spaces.memory(is_its, programs)
    }

    /// Iterates over the writes of which this holds: by their address spaces, and how many hits are before them.
    fn writes_if<'a>(
        &'a self,
        is_wanted: impl Fn(Option<u32>, u64) -> bool + 'a,
    ) -> Result<impl Iterator<Item = Result<(Option<u32>, Written), Damage>> + 'a, Damage> {
        let mut number = 0;
        let mut ids = Ids::of_all(&self.threads);
        let write = move |record| match record {
            Ok(Record::Space { thread, space }) => {
                ids.note(thread, space);
                None
            }
            Ok(Record::Written(written)) => {
                let space = written.thread.and_then(|thread| ids.spaces.get(&thread)).copied();
                let is_wanted = is_wanted(space, number);
                number += 1;
                let tid = written.thread.and_then(|thread| ids.of(thread));
                is_wanted.then_some(Ok((tid, written)))
            }
            Ok(Record::Hit(_)) => {
                number += 1;
                None
            }
            Ok(_) => None,
            Err(damage) => Some(Err(damage)),
        };
        Ok(self.records()?.filter_map(write))
    }

    /// Returns the first and the last event of the thread of a write at which it had executed as many branches: of what
    /// rr has written, one of these is the cause.
    pub fn events_of(&self, write: &Written) -> Option<(u64, u64)> {
        let events = &self.threads.get(write.thread?)?.events;
        let start = events.partition_point(|(ticks, _)| *ticks < write.ticks);
        let end = events.partition_point(|(ticks, _)| *ticks <= write.ticks);
        let same = events.get(start..end)?;
        Some((same.first()?.1, same.last()?.1))
    }

    /// Reads what was executed how often, if that was asked for.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn counts(&self) -> Result<CountPass, Damage> {
        CountPass::of(self.records()?, Ids::of_all(&self.threads))
    }

    fn records(&self) -> Result<Hits<BufReader<Reading<'_>>>, Damage> {
        Hits::of(BufReader::with_capacity(1 << 20, Reading { file: &self.file, at: 0 }), &self.asked)
    }

    /// Returns between which events of its thread a hit is: the last at which the thread had executed fewer branches,
    /// and the first at which it had executed more. `None` where there is none, or where events are too many to be
    /// known.
    pub fn around(&self, hit: &ProbeHit) -> (Option<u64>, Option<u64>) {
        self.around_ticks(hit.thread, hit.ticks)
    }

    /// Returns how many events, of whatever threads, are completed where a thread, given by its number, has executed so
    /// many branches: it runs up to its next event, and nobody else meanwhile. The least and the most that can be,
    /// since some of its events may be at as many branches, and one that empties the buffer of system calls counts
    /// before it is over.
    pub fn completed_between(&self, thread: u32, ticks: u64) -> (u64, u64) {
        let events = self.threads.get(thread).map_or(&[][..], |thread| &thread.events);
        let last = || events.last().map_or(0, |(_, event)| *event);
        let before = |index: usize| events.get(index).map_or_else(last, |(_, event)| event.saturating_sub(1));
        let least = before(events.partition_point(|(executed, _)| *executed < ticks));
        let after = events.partition_point(|(executed, _)| *executed <= ticks);
        let flushes = self.threads.get(thread).map_or(&[][..], |thread| &thread.flushes);
        let flush = events.get(after).map(|(_, event)| *event).filter(|event| flushes.binary_search(event).is_ok());
        (least, flush.unwrap_or_else(|| before(after)).max(least))
    }

    /// Returns between which events that is which a thread has done after so many ticks; it is given by its number.
    pub fn around_ticks(&self, thread: u32, ticks: u64) -> (Option<u64>, Option<u64>) {
        let events = self.threads.get(thread).map_or(&[][..], |thread| &thread.events);
        let before = events.partition_point(|(executed, _)| *executed < ticks);
        let after = events.partition_point(|(executed, _)| *executed <= ticks);
        let event = |index: Option<usize>| index.and_then(|index| events.get(index)).map(|(_, event)| *event);
        (event(before.checked_sub(1)), event(Some(after)))
    }

    /// Returns whether it is known between which events hits are: there may be too many events.
    pub fn has_events(&self) -> bool {
        self.threads.has_events()
    }
}

/// Reads a file from its beginning, whoever else reads it.
struct Reading<'a> {
    file: &'a File,
    at: u64,
}

impl Read for Reading<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(into, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// The ids of threads, as records are read.
pub(super) struct Ids<'a> {
    threads: &'a Threads,
    /// The address space that each thread has.
    spaces: BTreeMap<u32, u32>,
    /// Those that have executed a program of their own.
    moved: BTreeSet<u32>,
}

impl<'a> Ids<'a> {
    const fn of_all(threads: &'a Threads) -> Self {
        Ids { threads, spaces: BTreeMap::new(), moved: BTreeSet::new() }
    }

    pub(super) fn note(&mut self, thread: u32, space: u32) {
        if self.spaces.insert(thread, space).is_some_and(|before| before != space) {
            self.moved.insert(thread);
        }
    }

    pub(super) fn of(&self, thread: u32) -> Option<u32> {
        let known = self.threads.get(thread)?;
        Some(known.later.filter(|_| self.moved.contains(&thread)).unwrap_or(known.tid))
    }
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

    fn progress(&self) -> PathBuf {
        let mut name = self.hits().into_os_string();
        name.push(probes::PROGRESS);
        name.into()
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
    use crate::rr::events::threads_in_tests::{taken_over, thread};

    #[test]
    fn a_thread_that_takes_over_its_process_has_another_id_from_then_on() {
        let threads = taken_over();
        let mut ids = Ids { threads: &threads, spaces: BTreeMap::new(), moved: BTreeSet::new() };
        let mut after = |thread, space| {
            ids.note(thread, space);
            ids.of(thread)
        };
        assert_eq!([after(1, 2), after(2, 2), after(2, 2), after(2, 3)], [9400, 9402, 9402, 9400].map(Some));
        assert_eq!(ids.of(3), None);
    }

    #[test]
    fn a_hit_is_between_events_of_its_thread() {
        let threads = Arc::new(thread(7, &[(190, 1), (0, 2), (10, 3), (10, 4), (30, 6), (5, 7)], 6));
        let (asked, spaces) = (Asked::default(), Spaces::default());
        let file = File::open("/dev/null").unwrap();
        let pass = ProbePass { file, asked, threads, spaces, hits: 0, is_truncated: false };
        let around =
            |thread, ticks| pass.around(&ProbeHit { probe: 0, thread, tid: 7, ticks, values: Values::default() });
        assert_eq!(around(1, 0), (None, Some(3)));
        assert_eq!(around(1, 10), (Some(2), Some(6)));
        assert_eq!(around(1, 20), (Some(4), Some(6)));
        assert_eq!(around(1, 31), (Some(6), None));
        assert_eq!(around(2, 5), (None, None));
        // The thread runs up to its next event, after the last event of another one.
        let completed = [0, 10, 20, 30, 31].map(|ticks| pass.completed_between(1, ticks));
        assert_eq!(completed, [(1, 2), (2, 5), (5, 5), (5, 6), (6, 6)]);
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
