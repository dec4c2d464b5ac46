//! Probe passes: a replay of a whole recording that writes down what was asked for.
//!
//! What probes are, and the files by which rr's preloaded object is told of them and tells, is a matter of
//! [`softcounters::probes`]. Here such a replay is run, and its threads are given the ids
//! of the recording: those of the replay are others, but threads begin in the same order, and the recording's
//! [events](super::events) have them.

mod running;
mod spaces;
mod story;

pub use self::spaces::Memory;
pub use self::story::PassEvent;

use self::running::{Over, Reading, Running};
use self::spaces::Spaces;
use super::count_pass::CountPass;
use super::counters::Counters;
use super::error::Error;
use super::events::{Cause, Threads, UpTo};
use super::fatal::divergence;
use super::output::watched;
use super::process::{Stream, ending, last_words};
use super::program::Rr;
use super::progress::PassProgress;
use super::trace;
use crate::child_output::Tail;
use base::untrusted::PathText as _;
use softcounters::probes::{self, Asked, BriefHit, Damage, Glimpse, Hits, Probe, Record, Values, Written};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::ops::{ControlFlow, Range};
use std::os::unix::fs::DirBuilderExt;
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
    /// It is still under way.
    running: Option<Arc<Running>>,
    asked: Asked,
    threads: Arc<Threads>,
    spaces: Spaces,
    /// How many hits there are; of a pass that is part of one because that was enough, none are counted.
    pub hits: u64,
    /// How many others were passed over, since what their probes require did not hold.
    pub passed_over: u64,
    /// There would be more, but the limit was reached, or the replay has failed.
    pub is_truncated: bool,
    /// It ended before the recording does, with all that was wanted.
    pub is_part: bool,
    /// Why the replay has failed on the way: what comes after is missing.
    pub cut: Option<String>,
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

/// When an instruction was executed that was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitAt {
    /// The number of the probe, from 0 in the order they were asked for.
    pub probe: usize,
    /// The number of the thread, from 1 in the order of their beginnings.
    pub thread: u32,
    /// The id of the thread in the recording.
    pub tid: u32,
    /// Conditional branches the thread had executed: rr's ticks.
    pub ticks: u64,
}

impl HitAt {
    /// Returns the hit with these values.
    pub const fn with(self, values: Values) -> ProbeHit {
        let Self { probe, thread, tid, ticks } = self;
        ProbeHit { probe, thread, tid, ticks, values }
    }
}

impl ProbeHit {
    /// Returns when it was.
    pub const fn at(&self) -> HitAt {
        let Self { probe, thread, tid, ticks, .. } = self;
        HitAt { probe: *probe, thread: *thread, tid: *tid, ticks: *ticks }
    }
}

/// Goes by the hits of a pass, in the order of the execution, and looks at their values only where that is asked for.
pub struct Glimpses<'a> {
    records: Hits<Reading<'a>>,
    ids: Ids<'a>,
}

impl std::fmt::Debug for Glimpses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Glimpses").finish_non_exhaustive()
    }
}

impl Glimpses<'_> {
    /// Returns how many hits were passed over so far, since what their probes require did not hold.
    pub const fn passed_over(&self) -> u64 {
        self.records.passed_over()
    }

    /// Returns the next hit, and when it was.
    #[inline]
    pub fn next_hit(&mut self) -> Option<Result<(HitAt, BriefHit<'_>), Damage>> {
        let Self { records, ids } = self;
        loop {
            match records.next_glimpse()? {
                Ok(Glimpse::Hit) => break,
                Ok(Glimpse::Other(Record::Space { thread, space })) => ids.note(thread, space),
                Ok(Glimpse::Other(_)) => {}
                Err(damage) => return Some(Err(damage)),
            }
        }
        let mut of = |hit: BriefHit<'_>| ids.of(hit.thread).ok_or(Damage::Record("a hit is of no thread"));
        let told = records.last_hit().and_then(|hit| {
            let at = HitAt { probe: hit.probe as usize, thread: hit.thread, tid: of(hit)?, ticks: hit.ticks };
            Ok((at, hit))
        });
        Some(told)
    }
}

/// What a pass tells of: an instruction that was executed, or a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeRecord {
    /// An instruction was executed.
    Hit(ProbeHit),
    /// Something was written, by the thread of this id in the recording, if it is known.
    Written(Option<u32>, Written),
    /// So many writes to the range of this number are not told, since others follow that are.
    Skipped(u32, u64),
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
        self.probe_pass_with(directory, probes, limit, deadline, whole).map(|(pass, ())| pass)
    }

    /// Makes a pass as [`Rr::probe_pass`] does, and has its hits looked at while they are found: who goes by them waits
    /// for more until the pass is over. How many there are is known only then. It ends at once when they say that they
    /// have all that is wanted, by [`ControlFlow::Break`].
    ///
    /// # Errors
    /// As [`Rr::probe_pass`].
    pub fn probe_pass_with<T>(
        &self,
        directory: &Path,
        probes: &[Probe],
        limit: u64,
        deadline: Duration,
        look: impl FnOnce(&ProbePass) -> ControlFlow<T, T>,
    ) -> Result<(ProbePass, T), Error> {
        let asked = Asked { probes: probes.to_vec(), ..Asked::default() };
        self.pass_with(directory, &asked, None, limit, deadline, look)
    }

    /// Makes a pass as [`Rr::probe_pass`] does, for whatever can be asked of a pass.
    ///
    /// # Errors
    /// As [`Rr::probe_pass`].
    pub fn pass(&self, directory: &Path, asked: &Asked, limit: u64, deadline: Duration) -> Result<ProbePass, Error> {
        self.pass_with(directory, asked, None, limit, deadline, whole).map(|(pass, ())| pass)
    }

    /// Makes a pass as [`Rr::pass`] does, that ends when nothing can follow that is before a moment. Where it is not
    /// known when that is, it goes on to the end, skips no writes and tells all hits.
    ///
    /// # Errors
    /// As [`Rr::probe_pass`].
    pub fn pass_up_to(
        &self,
        directory: &Path,
        asked: &Asked,
        moment: &UpTo,
        limit: u64,
        deadline: Duration,
    ) -> Result<ProbePass, Error> {
        self.pass_with(directory, asked, Some(moment), limit, deadline, whole).map(|(pass, ())| pass)
    }

    fn pass_with<T>(
        &self,
        directory: &Path,
        asked: &Asked,
        moment: Option<&UpTo>,
        limit: u64,
        deadline: Duration,
        look: impl FnOnce(&ProbePass) -> ControlFlow<T, T>,
    ) -> Result<(ProbePass, T), Error> {
        let until = Instant::now() + deadline;
        let refused = |refused: probes::Refused| Error::BadOption(refused.to_string());
        asked.list(Some(limit)).map_err(refused)?;
        let directory = trace::resolve(Some(directory))?;
        trace::check(&directory)?;
        let mut means = self.means_of(&directory)?;
        if means.counters != Counters::Soft {
            self.soft_counters()?;
            means.counters = Counters::Soft;
        }
        let place = Place::new()?;
        let ranges = asked.watches.iter().filter_map(|watch| match watch.place {
            probes::Place::Address { address, .. } => Some(address..address.saturating_add(watch.length)),
            probes::Place::Module { .. } => None,
        });
        let threads = Arc::new(Threads::read(&directory, ranges, &self.cancel)?);
        let mut asked = asked.clone();
        if let Some(moment) = moment {
            match threads.bounds(moment) {
                Some((thread, bounds)) => {
                    asked.until = bounds;
                    asked.since = moment.hits_from.map(|ticks| (thread, ticks));
                }
                None => asked.watches.iter_mut().for_each(|watch| watch.last = None),
            }
        }
        let list = asked.list(Some(limit)).map_err(refused)?;
        let progress = PassProgress::of(&place.progress(), &threads, &self.cancel);

        fs::write(place.list(), list).map_err(Error::io(format!("write `{}`", place.list().in_text())))?;
        let mut command = self.replaying_command(&means)?;
        command.env(probes::LIST, place.list()).env(probes::HITS, place.hits());
        command.arg("-a").arg(&directory);
        // rr's object writes to the same file.
        let hits = place.hits();
        File::create(&hits).map_err(Error::io(format!("write `{}`", hits.in_text())))?;
        let file = File::open(&hits).map_err(Error::io(format!("read `{}`", hits.in_text())))?;
        let running = Arc::new(Running::default());
        let mut pass = ProbePass {
            file,
            running: Some(running.clone()),
            asked,
            threads,
            spaces: Spaces::default(),
            hits: 0,
            passed_over: 0,
            is_truncated: false,
            is_part: false,
            cut: None,
        };
        let mut words = Tail::new(WORDS);
        let enough = self.cancel.child();
        let (replayed, found) = std::thread::scope(|scope| {
            let replay = || {
                let _over = Over(&running);
                watched(command, "replay", until, &enough, &mut |stream, bytes| {
                    if stream == Stream::Err {
                        words.push(bytes);
                    }
                })
            };
            let replay = std::thread::Builder::new().name("rr-pass".into()).spawn_scoped(scope, replay);
            let replay = replay.map_err(Error::io("run `rr replay`"))?;
            let found = look(&pass);
            if found.is_break() {
                enough.cancel();
            }
            let ended = || Error::Unexpected { command: "replay", what: "its thread has failed".to_owned() };
            Ok::<_, Error>((replay.join().map_err(|_| ended())?, found))
        })?;
        drop(progress);
        let status = match replayed {
            Err(Error::Cancelled { .. }) if found.is_break() && !self.cancel.is_cancelled() => None,
            replayed => Some(replayed?.ok_or(Error::CommandTimeout { command: "replay", after: deadline })?),
        };
        let words = last_words(&words.text());
        let diverges = divergence(&words).is_some();
        let failed = status.filter(|status| !status.success()).map(|status| (ending(status), means.explained(words)));
        let failure = |(ended, words)| Error::Replay { ended, words };
        if let Some(failed) = failed.clone().filter(|_| !diverges) {
            return Err(failure(failed));
        }
        pass.running = None;
        let found = match found {
            ControlFlow::Break(found) => {
                // What else is in the file is chance.
                pass.is_part = true;
                found
            }
            ControlFlow::Continue(found) => {
                // A replay that diverges has told what came before.
                pass.check().map_err(|error| failed.clone().map_or(error, failure))?;
                pass.cut = failed.map(|(_, words)| words);
                pass.is_truncated |= pass.cut.is_some();
                found
            }
        };
        Ok((pass, found))
    }
}

/// Leaves out the threads that begin.
fn done(told: Result<PassEvent, Damage>) -> Option<Result<ProbeRecord, Damage>> {
    match told {
        Ok(PassEvent::Done(record)) => Some(Ok(record)),
        Ok(PassEvent::Began(..)) => None,
        Err(damage) => Some(Err(damage)),
    }
}

/// Looks at nothing while a pass is under way, and wants all of it.
const fn whole(_: &ProbePass) -> ControlFlow<(), ()> {
    ControlFlow::Continue(())
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
                Record::Truncated { hits } => ended = Some((hits, true, false)),
                Record::End { hits, is_part } => ended = Some((hits, false, is_part)),
                _ => {}
            }
        }
        let passed_over = records.passed_over();
        drop(records);
        (self.hits, self.is_truncated, self.is_part) =
            ended.ok_or_else(|| unexpected("the hits have no end".to_owned()))?;
        (self.spaces, self.passed_over) = (spaces, passed_over);
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

    /// Goes by the hits, in the order of the execution.
    ///
    /// # Errors
    /// If the file cannot be opened any more.
    pub fn glimpses(&self) -> Result<Glimpses<'_>, Damage> {
        Ok(Glimpses { records: self.records()?, ids: Ids::of_all(&self.threads) })
    }

    /// Iterates over the hits, and the writes to one memory and those of which it is not known to whose they are, in
    /// the order of the execution.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn hits_and_writes<'a>(
        &'a self,
        memory: &'a Memory,
    ) -> Result<impl Iterator<Item = Result<ProbeRecord, Damage>> + 'a, Damage> {
        Ok(self.story(memory)?.filter_map(done))
    }

    /// Iterates over the hits and the writes to all memories, in the order of the execution.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn hits_and_all_writes(&self) -> Result<impl Iterator<Item = Result<ProbeRecord, Damage>> + '_, Damage> {
        Ok(self.story_if(|_, _| true)?.filter_map(done))
    }

    /// Returns the memory of a process when it has executed so many programs: of the one that made it, the process has
    /// what was written before. `is_its`: whether a thread of this id is of the process. `None`: the pass has not come
    /// so far.
    pub fn memory_of(&self, is_its: &dyn Fn(u32) -> bool, programs: usize) -> Option<Memory> {
        let is_its = |thread| self.threads.get(thread).is_some_and(|thread| is_its(thread.tid));
        self.spaces.memory(is_its, programs)
    }

    /// Reads what was executed how often, if that was asked for.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn counts(&self) -> Result<CountPass, Damage> {
        CountPass::of(self.records()?, Ids::of_all(&self.threads))
    }

    fn records(&self) -> Result<Hits<Reading<'_>>, Damage> {
        Hits::of(Reading { file: &self.file, at: 0, running: self.running.as_deref() }, &self.asked)
    }

    /// Returns between which events of its thread a hit is: the last at which the thread had executed fewer branches,
    /// and the first at which it had executed more. `None` where there is none, or where events are too many to be
    /// known.
    pub fn around(&self, hit: &HitAt) -> (Option<u64>, Option<u64>) {
        self.around_ticks(hit.thread, hit.ticks)
    }

    /// Returns how many events, of whatever threads, are completed where a thread, given by its number, has executed so
    /// many branches: it runs up to its next event, and nobody else meanwhile. The least and the most that can be,
    /// since some of its events may be at as many branches, and one that empties the buffer of system calls counts
    /// before it is over.
    pub fn completed_between(&self, thread: u32, ticks: u64) -> (u64, u64) {
        self.threads.completed_between(thread, ticks)
    }

    /// Returns how many events are completed where something is written or read: the least and the most that can be.
    /// `None`: nothing is known of when it was.
    pub fn completed_at(&self, written: &Written) -> Option<(u64, u64)> {
        let before = |(first, last): (u64, u64)| (first.saturating_sub(1), last.saturating_sub(1));
        let by_thread = || written.thread.map(|thread| self.completed_between(thread, written.ticks));
        written.events.map(before).or_else(by_thread)
    }

    /// Returns between which events something is written or read: the last one before it, and the first one behind it.
    pub fn around_write(&self, written: &Written) -> (Option<u64>, Option<u64>) {
        let by_thread = || written.thread.map_or((None, None), |thread| self.around_ticks(thread, written.ticks));
        let around = |(first, last): (u64, u64)| (first.checked_sub(1), last.checked_add(1));
        written.events.map_or_else(by_thread, around)
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

/// The ids of threads, as records are read.
pub(super) struct Ids<'a> {
    threads: &'a Threads,
    /// The address space that each thread has.
    spaces: BTreeMap<u32, u32>,
    /// Those that have executed a program of their own.
    moved: BTreeSet<u32>,
    /// The thread that was asked about last, and its id.
    last: Option<(u32, u32)>,
    /// Of each watch, the event of what rr has written last for the kernel, and where.
    causes: BTreeMap<u32, (u64, Range<u64>)>,
}

impl<'a> Ids<'a> {
    const fn of_all(threads: &'a Threads) -> Self {
        Ids { threads, spaces: BTreeMap::new(), moved: BTreeSet::new(), last: None, causes: BTreeMap::new() }
    }

    pub(super) fn note(&mut self, thread: u32, space: u32) {
        if self.spaces.insert(thread, space).is_some_and(|before| before != space) {
            self.moved.insert(thread);
        }
        self.last = None;
    }

    /// Finds out for which thread something was written, where rr wrote it for the kernel, and returns in which address
    /// space it is, if that is known.
    fn judge(&mut self, written: &mut Written) -> Option<u32> {
        let Some(space) = written.space else { return self.spaces.get(&written.thread?).copied() };
        let range = written.address..written.address.saturating_add(written.length);
        // Of an address space that no thread is known to have, a thread has told nothing since it came there.
        let is_new = !self.spaces.values().any(|other| *other == space);
        let is_its = |owner: u32| self.spaces.get(&owner).is_none_or(|its| *its == space || is_new);
        let busy = written.thread.map(|thread| (thread, written.ticks));
        // They come in the order of events, of which each writes once to the same place.
        let last = self.causes.get(&written.watch);
        let least = last.map_or(0, |(event, last)| {
            let is_same = last.start < range.end && range.start < last.end;
            event.saturating_add(u64::from(is_same))
        });
        match busy.and_then(|busy| self.threads.cause_of(busy, (&range, least), is_its)) {
            Some(Cause { thread, ticks, events }) => {
                self.causes.insert(written.watch, (events.0, range));
                (written.thread, written.ticks, written.events) = (Some(thread), ticks, Some(events));
            }
            None => {
                written.thread = written.thread.filter(|thread| self.spaces.get(thread) == Some(&space));
            }
        }
        Some(space)
    }

    #[inline]
    pub(super) fn of(&mut self, thread: u32) -> Option<u32> {
        if let Some((_, tid)) = self.last.filter(|(last, _)| *last == thread) {
            return Some(tid);
        }
        let known = self.threads.get(thread)?;
        let tid = known.later.filter(|_| self.moved.contains(&thread)).unwrap_or(known.tid);
        self.last = Some((thread, tid));
        Some(tid)
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
                Err(error) => return Err(Error::io(format!("create `{}`", path.in_text()))(error)),
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
    use crate::events::threads_in_tests::{taken_over, thread};

    #[test]
    fn a_thread_that_takes_over_its_process_has_another_id_from_then_on() {
        let threads = taken_over();
        let mut ids = Ids::of_all(&threads);
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
        let (hits, passed_over, running, is_truncated, is_part, cut) = (0, 0, None, false, false, None);
        let pass = ProbePass { file, running, asked, threads, spaces, hits, passed_over, is_truncated, is_part, cut };
        let around = |thread, ticks| pass.around(&HitAt { probe: 0, thread, tid: 7, ticks });
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
