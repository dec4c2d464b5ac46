//! Pairs of accesses that nothing keeps apart.

use super::held::{Clock, LockSet, keep_apart};
use crate::hits::Moment;
use softcounters::probes::Access;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Most accesses that are told apart: by thread, place in the code, locks, what was before, and which bytes.
const MOST_KINDS: usize = 1 << 14;
/// Most comparisons.
const MOST_COMPARED: u64 = 100_000_000;
/// Most pairs that are told.
const MOST_PAIRS: usize = 1000;

/// An access.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) at: Moment,
    pub(super) access: Access,
    pub(super) is_locked: bool,
    pub(super) address: u64,
    pub(super) length: u64,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
}

/// Accesses that are compared as one.
#[derive(Debug)]
struct Kind {
    thread: u32,
    /// How far its thread had come by what others may know of it.
    time: u64,
    locks: LockSet,
    clock: Clock,
    /// The last one.
    last: Done,
    /// It was compared with so many others.
    compared: usize,
}

/// What tells kinds apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    thread: u32,
    pc: Option<u64>,
    access: Access,
    address: u64,
    length: u64,
    /// These stand for their contents.
    locks: usize,
    clock: usize,
}

/// Two accesses, and the pairs of threads of which others like them are.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) sides: [(Done, LockSet); 2],
    pub(super) threads: BTreeSet<(u32, u32)>,
}

/// What a thread has done.
#[derive(Debug)]
pub(super) struct OfThread {
    pub(super) at: Moment,
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) always: LockSet,
}

/// A place in the code, and the locks that are held there.
type Place = (Option<u64>, Access, Vec<u64>);

#[derive(Debug, Default)]
pub(super) struct Pairs {
    kinds: Vec<Kind>,
    known: HashMap<Key, usize>,
    by_place: HashMap<[Place; 2], Option<usize>>,
    compared: u64,
    pub(super) found: Vec<Pair>,
    pub(super) accesses: u64,
    pub(super) atomic: u64,
    pub(super) by_thread: BTreeMap<u32, OfThread>,
    /// Not all were compared.
    pub(super) is_full: bool,
}

impl Pairs {
    /// Adds an access of a thread with these locks, before which this was.
    pub(super) fn add(&mut self, thread: u32, done: Done, locks: LockSet, clock: Clock) {
        self.accesses += 1;
        let of = self.by_thread.entry(thread).or_insert_with(|| OfThread {
            at: done.at.clone(),
            reads: 0,
            writes: 0,
            always: locks.clone(),
        });
        if done.access.writes() {
            of.writes += 1;
        } else {
            of.reads += 1;
        }
        if !of.always.is_subset(&locks) {
            of.always = Rc::new(of.always.intersection(&locks).copied().collect());
        }
        let key = Key {
            thread,
            pc: done.at.pc,
            access: done.access,
            address: done.address,
            length: done.length,
            locks: Rc::as_ptr(&locks) as usize,
            clock: Rc::as_ptr(&clock) as usize,
        };
        let number = match self.known.get(&key) {
            Some(number) => {
                if let Some(kind) = self.kinds.get_mut(*number) {
                    kind.last = done;
                }
                *number
            }
            None if self.kinds.len() == MOST_KINDS => {
                self.is_full = true;
                return;
            }
            None => {
                let time = clock.get(&thread).copied().unwrap_or(0);
                self.kinds.push(Kind { thread, time, locks, clock, last: done, compared: 0 });
                self.known.insert(key, self.kinds.len() - 1);
                self.kinds.len() - 1
            }
        };
        self.compare(number);
    }

    /// Compares a kind, of which there was one just now, with those it was not compared with.
    fn compare(&mut self, number: usize) {
        let Some((later, from)) = self.kinds.get(number).map(|kind| (kind, kind.compared)) else { return };
        let mut found = Vec::new();
        for (other, earlier) in self.kinds.iter().enumerate().skip(from) {
            self.compared += 1;
            if are_apart(earlier, later) {
                continue;
            }
            found.push(other);
        }
        self.is_full |= self.compared > MOST_COMPARED;
        let end = if self.compared > MOST_COMPARED { usize::MAX } else { self.kinds.len() };
        for other in found {
            self.pair(other, number);
        }
        if let Some(kind) = self.kinds.get_mut(number) {
            kind.compared = end;
        }
    }

    fn pair(&mut self, earlier: usize, later: usize) {
        let (Some(one), Some(other)) = (self.kinds.get(earlier), self.kinds.get(later)) else { return };
        let place = |kind: &Kind| {
            let locks = kind.locks.iter().map(|lock| lock.address).collect();
            (kind.last.at.pc, kind.last.access, locks)
        };
        let mut places: [Place; 2] = [place(one), place(other)];
        places.sort();
        let threads = (one.thread.min(other.thread), one.thread.max(other.thread));
        match self.by_place.get(&places) {
            Some(Some(pair)) => {
                if let Some(pair) = self.found.get_mut(*pair) {
                    pair.threads.insert(threads);
                }
                return;
            }
            Some(None) => return,
            None => {}
        }
        if one.last.is_locked && other.last.is_locked {
            self.atomic += 1;
            self.by_place.insert(places, None);
            return;
        }
        if self.found.len() == MOST_PAIRS {
            self.is_full = true;
            return;
        }
        let sides = [one, other].map(|kind| (kind.last.clone(), kind.locks.clone()));
        self.by_place.insert(places, Some(self.found.len()));
        self.found.push(Pair { sides, threads: [threads].into() });
    }
}

/// Returns whether two kinds of accesses are no race.
fn are_apart(earlier: &Kind, later: &Kind) -> bool {
    let (one, other) = (&earlier.last, &later.last);
    let overlap = one.address < other.address.saturating_add(other.length)
        && other.address < one.address.saturating_add(one.length);
    let is_before = |one: &Kind, other: &Kind| other.clock.get(&one.thread).is_some_and(|known| one.time <= *known);
    earlier.thread == later.thread
        || !overlap
        || !one.access.writes() && !other.access.writes()
        || is_before(earlier, later)
        || is_before(later, earlier)
        || keep_apart(&earlier.locks, &later.locks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::races::held::Lock;

    fn done(tid: u32, pc: u64, access: Access, is_locked: bool) -> Done {
        let (event, latest, registers) = (Some(1), None, None);
        let at = Moment { event, latest, visit: Some(1), ticks: 1, pid: 1, tid, pc: Some(pc), registers };
        Done { at, access, is_locked, address: 0x10, length: 4, before: vec![0; 4], after: vec![1; 4] }
    }

    fn clock(known: &[(u32, u64)]) -> Clock {
        Rc::new(known.iter().copied().collect())
    }

    fn locks(addresses: &[u64]) -> LockSet {
        Rc::new(addresses.iter().map(|&address| Lock { address, is_shared: false }).collect())
    }

    #[test]
    fn a_race_needs_a_write_two_threads_and_nothing_between_them() {
        let (first, second) = (clock(&[(1, 2)]), clock(&[(2, 1), (1, 1)]));
        let found = |one: (Access, &[u64], u64), other: (Access, &[u64])| {
            let mut pairs = Pairs::default();
            let clock = if one.2 == 2 { first.clone() } else { clock(&[(1, one.2)]) };
            pairs.add(1, done(1, 0x100, one.0, false), locks(one.1), clock);
            pairs.add(2, done(2, 0x200, other.0, false), locks(other.1), second.clone());
            pairs.found.len()
        };
        assert_eq!(found((Access::Write, &[], 2), (Access::Read, &[])), 1);
        assert_eq!(found((Access::Read, &[7], 2), (Access::Both, &[8])), 1);
        assert_eq!(found((Access::Read, &[], 2), (Access::Read, &[])), 0);
        assert_eq!(found((Access::Write, &[7, 9], 2), (Access::Write, &[7])), 0);
        // The second thread knows of what the first did up to then.
        assert_eq!(found((Access::Write, &[], 1), (Access::Write, &[])), 0);
    }

    #[test]
    fn the_same_places_are_one_row_whatever_the_threads() {
        let mut pairs = Pairs::default();
        for thread in [1, 2, 3, 1] {
            pairs.add(thread, done(thread, 0x100, Access::Both, false), locks(&[]), clock(&[(thread, 1)]));
        }
        assert_eq!((pairs.found.len(), pairs.accesses), (1, 4));
        let threads = &pairs.found[0].threads;
        assert_eq!(threads.iter().copied().collect::<Vec<_>>(), [(1, 2), (1, 3), (2, 3)]);
        assert_eq!(pairs.by_thread[&1].writes, 2);
    }

    #[test]
    fn what_is_done_at_once_by_both_is_no_row() {
        let mut pairs = Pairs::default();
        for (thread, is_locked) in [(1, true), (2, true), (3, false)] {
            pairs.add(
                thread,
                done(thread, u64::from(thread), Access::Both, is_locked),
                locks(&[]),
                clock(&[(thread, 1)]),
            );
        }
        assert_eq!((pairs.atomic, pairs.found.len()), (1, 2));
    }
}
