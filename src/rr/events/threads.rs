//! The threads of a recording, in the order of their beginnings, and between which events each was.

use super::frame::Kind;
use super::kernel_writes::{Busy, Cause, KernelWrites};
use super::steps::Steps;
use super::task::{Change, Task};
use crate::error::Error;
use base::cancel::Cancel;
use softcounters::probes::Until;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// Most threads that are told apart.
const MOST_THREADS: usize = 1 << 20;
/// Most threads of which it is told up to where they are wanted.
const MOST_BOUNDS: usize = 1 << 16;
/// Most events whose places are known.
const MOST_EVENTS: usize = 4 << 20;
/// So often is cancellation looked at: at each event whose number this divides.
const ASKED: u64 = 4096;

/// The threads of a recording.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// In the order of their beginnings.
    list: Vec<Thread>,
    /// Where in the list the thread of each id is.
    by_id: BTreeMap<u32, usize>,
    /// Threads of these ids have ended.
    ended: BTreeSet<u32>,
    /// The first program is executed.
    has_begun: bool,
    event_count: usize,
    writes: KernelWrites,
}

/// A thread of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) tid: u32,
    /// The event that made it.
    made: u64,
    /// The id that it has after it has taken over its process by `execve`: its leader's.
    pub(crate) later: Option<u32>,
    /// Ticks and number of each event, in their order.
    pub(crate) events: Vec<(u64, u64)>,
    /// Which of them empty rr's buffer of system calls, in their order: in a replay such an event has begun from the
    /// last of these calls on.
    pub(crate) flushes: Vec<u64>,
}

/// A moment up to which something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpTo {
    /// The thread that it is of, in the recording.
    pub tid: u32,
    /// Its number, where it is known, from 1 in the order of the threads' beginnings.
    pub thread: Option<u32>,
    /// Branches that it has executed; or fewer, if nothing else tells where in them it is.
    pub ticks: u64,
    /// Completed events, if they are known.
    pub event: Option<u64>,
    /// Hits of probes are wanted when it has executed so many branches, and of no other thread.
    pub hits_from: Option<u64>,
}

impl Threads {
    /// Reads those of a trace directory, and what the kernel has written to these ranges of memory.
    ///
    /// # Errors
    /// What is wrong with the trace, and that the call was cancelled.
    pub(crate) fn read(
        directory: &Path,
        ranges: impl Iterator<Item = Range<u64>>,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let (mut threads, mut steps) = (Self::default(), Steps::open(directory)?);
        threads.writes = KernelWrites::to(ranges);
        while let Some((event, frame)) = steps.next()? {
            if event.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled { command: "replay" });
            }
            threads.add_event(frame.tid, frame.ticks, event);
            if matches!(frame.kind, Kind::Flush) {
                threads.add_flush(frame.tid, event);
            }
            let Self { by_id, writes, .. } = &mut threads;
            let number = |tid: u32| by_id.get(&tid).and_then(|index| u32::try_from(*index).ok()?.checked_add(1));
            if let Some(thread) = number(frame.tid) {
                writes.note(event, &frame, thread, number);
            }
            steps.changes().for_each(|task| threads.change(&task));
        }
        Ok(threads)
    }

    fn change(&mut self, task: &Task) {
        match task.what {
            Change::Made { by, .. } => self.add(task.tid, by, task.event),
            Change::Exit { .. } => drop(self.ended.insert(task.tid)),
            Change::Exec { .. } => self.has_begun = true,
            Change::Detached => {}
        }
    }

    /// Adds a thread. That one has made it that has ended is how rr tells that this one has another id now.
    fn add(&mut self, tid: u32, parent: u32, made: u64) {
        let renamed = self.by_id.get(&parent).copied().filter(|_| self.ended.contains(&parent));
        self.ended.remove(&tid);
        if let Some(index) = renamed {
            if let Some(thread) = self.list.get_mut(index) {
                thread.later = Some(tid);
            }
            self.by_id.insert(tid, index);
        } else if self.list.len() < MOST_THREADS {
            self.by_id.insert(tid, self.list.len());
            self.list.push(Thread { tid, made, ..Thread::default() });
        }
    }

    fn add_event(&mut self, tid: u32, ticks: u64, event: u64) {
        if self.list.is_empty() {
            self.add(tid, 0, 0);
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

    /// Takes note that the last event of a thread empties its buffer.
    fn add_flush(&mut self, tid: u32, event: u64) {
        let thread = self.by_id.get(&tid).and_then(|index| self.list.get_mut(*index));
        if let Some(thread) = thread.filter(|thread| thread.events.last().is_some_and(|(_, last)| *last == event)) {
            thread.flushes.push(event);
        }
    }

    /// Returns how many events, of whatever threads, are completed where a thread has executed so many branches: the
    /// least and the most that can be, see [`ProbePass::completed_between`](crate::ProbePass::completed_between).
    pub(crate) fn completed_between(&self, thread: u32, ticks: u64) -> (u64, u64) {
        let events = self.get(thread).map_or(&[][..], |thread| &thread.events);
        let last = || events.last().map_or(0, |(_, event)| *event);
        let before = |index: usize| events.get(index).map_or_else(last, |(_, event)| event.saturating_sub(1));
        let least = before(events.partition_point(|(executed, _)| *executed < ticks));
        let after = events.partition_point(|(executed, _)| *executed <= ticks);
        let flushes = self.get(thread).map_or(&[][..], |thread| &thread.flushes);
        let flush = events.get(after).map(|(_, event)| *event).filter(|event| flushes.binary_search(event).is_ok());
        (least, flush.unwrap_or_else(|| before(after)).max(least))
    }

    /// Finds out for whom the kernel has written to a range while a thread, given by its number, had run last and executed
    /// so many branches, at no event before `least`. `is_its`: whether a thread of this number has the memory.
    pub(crate) fn cause_of(
        &self,
        (thread, ticks): (u32, u64),
        (range, least): (&Range<u64>, u64),
        is_its: impl Fn(u32) -> bool,
    ) -> Option<Cause> {
        let Thread { made, events, .. } = self.get(thread).filter(|_| self.has_events())?;
        self.writes.cause(&Busy { thread, ticks, made: *made, events, least }, range, is_its)
    }

    /// Returns up to where each thread is looked at, if nothing behind a moment is wanted, and the number of
    /// its thread. `None`: that is not known.
    pub(crate) fn bounds(&self, moment: &UpTo) -> Option<(u32, Vec<Until>)> {
        let own = moment.thread.or_else(|| self.only(moment.tid))?;
        if self.list.len() > MOST_BOUNDS || self.get(own).is_none() {
            return None;
        }
        // One thread runs up to its next event, and nobody else meanwhile: who goes on behind an event that cannot be
        // completed by then does so later.
        let latest = self.completed_between(own, moment.ticks).1.max(moment.event.unwrap_or(0));
        let ticks_at = |events: &[(u64, u64)], event: u64| {
            let done = events.partition_point(|(_, completed)| *completed <= event);
            done.checked_sub(1).and_then(|last| events.get(last)).map_or(0, |(ticks, _)| *ticks)
        };
        let bound = |(number, thread): (u32, &Thread)| {
            let is_over = thread.events.last().is_none_or(|(_, last)| *last <= latest);
            let (sure, most) = match number == own {
                true => (moment.ticks, moment.ticks),
                false if !self.has_events() => (0, u64::MAX),
                false => (
                    moment.event.map_or(0, |event| ticks_at(&thread.events, event)),
                    if is_over { u64::MAX } else { ticks_at(&thread.events, latest) },
                ),
            };
            Until { thread: number, sure, most }
        };
        Some((own, (1..).zip(&self.list).map(bound).collect()))
    }

    /// Returns the number of the thread of this id, if there is only one that has it or ever gets it.
    fn only(&self, tid: u32) -> Option<u32> {
        let mut all = (1..).zip(&self.list).filter(|(_, thread)| thread.tid == tid || thread.later == Some(tid));
        let first = all.next().map(|(number, _)| number);
        first.filter(|_| all.next().is_none())
    }

    /// Returns the thread of a number, from 1.
    pub(crate) fn get(&self, thread: u32) -> Option<&Thread> {
        self.list.get((thread as usize).checked_sub(1)?)
    }

    /// Returns the number of the last event whose place is known.
    pub(crate) fn last_event(&self) -> u64 {
        self.list.iter().filter_map(|thread| thread.events.last()).map(|(_, event)| *event).max().unwrap_or(0)
    }

    /// Returns whether it is known which events each has: there may be too many.
    pub(crate) fn has_events(&self) -> bool {
        self.event_count <= MOST_EVENTS
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Creates a thread with these events, its ticks and their numbers, whose program begins with the event `begun`.
    pub(crate) fn thread(tid: u32, events: &[(u64, u64)], begun: u64) -> Threads {
        let mut threads = Threads::default();
        for (ticks, event) in events {
            threads.add_event(tid, *ticks, *event);
            threads.has_begun = *event >= begun;
        }
        threads
    }

    /// Creates a thread 9402 that takes over the process 9400.
    pub(crate) fn taken_over() -> Threads {
        let mut threads = Threads::default();
        threads.add_event(9400, 1, 1);
        threads.add_event(9999, 1, 2);
        let made = |tid, by| (tid, Change::Made { by, is_thread: true, is_waited_for: false });
        let exit = |tid| (tid, Change::Exit { status: 0 });
        let exec = Change::Exec { program: String::new(), command: Vec::new() };
        for (tid, what) in [made(9402, 9400), (9402, exec), exit(9400), exit(9402), made(9400, 9402)] {
            threads.change(&Task { event: 2, tid, what });
        }
        threads.add_event(9400, 111, 3);
        threads
    }

    #[test]
    fn nothing_behind_a_moment_is_wanted_of_any_thread() {
        let mut threads = thread(1, &[(0, 1), (10, 2), (20, 5), (20, 6), (30, 9)], 0);
        for (tid, events) in [(2, &[(5, 3), (8, 4), (9, 10)][..]), (3, &[(7, 7), (7, 8)]), (4, &[(1, 11)])] {
            threads.add(tid, 1, 0);
            events.iter().for_each(|(ticks, event)| threads.add_event(tid, *ticks, *event));
        }
        let bounds = |tid, ticks, event| {
            let (own, bounds) = threads.bounds(&UpTo { tid, thread: None, ticks, event, hits_from: None })?;
            assert_eq!(own, tid);
            Some(bounds.iter().map(|bound| (bound.sure, bound.most)).collect::<Vec<_>>())
        };
        // Between the events 4 and 5; 2 has run, 3 and 4 will.
        assert_eq!(bounds(1, 15, Some(4)), Some(vec![(15, 15), (8, 8), (0, 0), (0, 0)]));
        // Two events are in the tick; where that is not known, it may be behind the later one.
        assert_eq!(bounds(1, 20, Some(5)), Some(vec![(20, 20), (8, 8), (0, u64::MAX), (0, 0)]));
        assert_eq!(bounds(1, 20, None), Some(vec![(20, 20), (0, 8), (0, u64::MAX), (0, 0)]));
        assert_eq!(bounds(3, 7, Some(8)), Some(vec![(20, 20), (8, 8), (7, 7), (0, 0)]));
        assert_eq!(bounds(4, 1, Some(11)), Some(vec![(30, u64::MAX), (9, u64::MAX), (7, u64::MAX), (1, 1)]));
        assert_eq!(bounds(5, 1, Some(11)), None);
        // Of an id that two have had, it is not known which is meant.
        let of = |thread| UpTo { tid: 9400, thread, ticks: 1, event: None, hits_from: None };
        assert_eq!(taken_over().bounds(&of(None)), None);
        assert!(taken_over().bounds(&of(Some(2))).is_some());
    }

    #[test]
    fn threads_are_told_in_the_order_of_their_beginnings() {
        let threads = taken_over();
        let ids: Vec<_> = threads.list.iter().map(|thread| (thread.tid, thread.later)).collect();
        assert_eq!(ids, [(9400, None), (9402, Some(9400))]);
        assert_eq!((threads.list[0].events.len(), &threads.list[1].events[..]), (1, &[(111, 3)][..]));
    }
}
