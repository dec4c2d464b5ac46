//! What each thread holds, and what of the others was before.

use super::functions::{Act, Role};
use crate::lock_words::Change;
use rr::ProbeHit;
use softcounters::probes::CollectedValue;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// `EOWNERDEAD`: the lock is taken, and who had it is no more.
const OWNER_DEAD: u64 = 130;
/// Most calls of a thread that are under way: of deeper ones, the first are forgotten.
const MOST_CALLS: usize = 64;

/// A lock that a thread held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockHeld {
    /// Where it is.
    pub address: u64,
    /// Others may hold it, too.
    pub is_shared: bool,
    /// What is there: `<lock>`, `<table+8>`.
    pub name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lock {
    pub(super) address: u64,
    pub(super) is_shared: bool,
}

/// The locks of a thread.
pub(super) type LockSet = Rc<BTreeSet<Lock>>;

/// Of each thread, by its number, how far what it did was before.
pub(super) type Clock = Rc<BTreeMap<u32, u64>>;

/// A call that is under way: where its return address is, and what it does with what.
#[derive(Clone, Copy, Debug)]
struct Call {
    sp: u64,
    act: Act,
    object: u64,
}

#[derive(Debug, Default)]
struct Thread {
    clock: Clock,
    /// How often each lock was taken.
    held: BTreeMap<Lock, u32>,
    locks: LockSet,
    calls: Vec<Call>,
}

/// All threads, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Threads {
    all: HashMap<u32, Thread>,
    /// The thread that has its own data there, as far as it has come by.
    by_data: HashMap<u64, u32>,
    /// What was before those that await something.
    posted: HashMap<u64, Clock>,
    /// What was before those that others have met, and that do not go on yet: by thread, and by where they meet.
    met: HashMap<(u32, u64), Clock>,
    /// Each set of locks there was, once.
    sets: HashMap<Vec<Lock>, LockSet>,
}

impl Threads {
    /// Returns the locks of a thread.
    pub(super) fn locks(&mut self, thread: u32) -> LockSet {
        self.all.entry(thread).or_default().locks.clone()
    }

    /// Returns what was before.
    pub(super) fn clock(&mut self, thread: u32) -> Clock {
        let own = &mut self.all.entry(thread).or_default().clock;
        if !own.contains_key(&thread) {
            Rc::make_mut(own).insert(thread, 1);
        }
        own.clone()
    }

    /// Sets what a thread does from now on apart from what is before those that know of it by then.
    fn advance(&mut self, thread: u32) -> Clock {
        let before = self.clock(thread);
        if let Some(own) = self.all.get_mut(&thread) {
            *Rc::make_mut(&mut own.clock).entry(thread).or_insert(1) += 1;
        }
        before
    }

    /// Puts all of this before what a thread does from now on.
    fn await_all(&mut self, thread: u32, clock: &Clock) {
        self.clock(thread);
        if let Some(own) = self.all.get_mut(&thread) {
            join(Rc::make_mut(&mut own.clock), clock);
        }
    }

    /// Begins a thread, made by another one.
    pub(super) fn begin(&mut self, thread: u32, parent: Option<u32>) {
        self.clock(thread);
        if let Some(parent) = parent {
            let before = self.advance(parent);
            self.await_all(thread, &before);
        }
    }

    /// Takes note of a hit. Returns whether all is known that it tells.
    pub(super) fn note(&mut self, role: &Role, hit: &ProbeHit) -> bool {
        let value = |number: usize| match hit.values.get(number) {
            Some(CollectedValue::Register(value)) => *value,
            _ => 0,
        };
        let thread = hit.thread;
        match *role {
            Role::Enter(act) => {
                let (sp, object) = (value(0), value(1));
                self.by_data.insert(value(2), thread);
                self.enter(thread, Call { sp, act, object });
                true
            }
            Role::Return => self.leave(thread, value(0), value(1)),
        }
    }

    /// Takes note of what has become of a lock that is a word, by what a thread has written.
    pub(super) fn change(&mut self, thread: u32, address: u64, change: Change) {
        match change {
            Change::None => {}
            Change::Taken { is_shared } => self.take(thread, Lock { address, is_shared }),
            Change::Left => self.release(thread, address),
            Change::Shared => {
                self.release(thread, address);
                self.take(thread, Lock { address, is_shared: true });
            }
            Change::Other => {
                let all: Vec<u32> = self.all.keys().copied().collect();
                for thread in all {
                    while self.locks(thread).iter().any(|lock| lock.address == address) {
                        self.release(thread, address);
                    }
                }
            }
        }
    }

    fn enter(&mut self, thread: u32, call: Call) {
        match call.act {
            Act::Leave => return self.release(thread, call.object),
            Act::End => return,
            Act::Post | Act::Meet => {
                self.met.remove(&(thread, call.object));
                let before = self.advance(thread);
                join(Rc::make_mut(self.posted.entry(call.object).or_default()), &before);
            }
            Act::Take { .. } | Act::Join | Act::Wait => {}
        }
        let calls = &mut self.all.entry(thread).or_default().calls;
        // What is below on the stack has been left in another way.
        calls.retain(|other| other.sp > call.sp);
        if calls.len() == MOST_CALLS {
            calls.remove(0);
        }
        calls.push(call);
    }

    /// Leaves a function whose return address is there. Returns whether all is known.
    fn leave(&mut self, thread: u32, sp: u64, result: u64) -> bool {
        let calls = &mut self.all.entry(thread).or_default().calls;
        let Some(at) = calls.iter().position(|call| call.sp == sp) else { return true };
        let Call { act, object, .. } = calls.remove(at);
        let is_zero = result as u32 == 0;
        match act {
            Act::Take { is_shared } if is_zero || result & 0xffff_ffff == OWNER_DEAD => {
                self.take(thread, Lock { address: object, is_shared });
            }
            Act::Wait if is_zero => self.await_posted(thread, object),
            Act::Meet => self.meet(thread, object),
            Act::Join if is_zero => match self.by_data.get(&object).copied() {
                Some(ended) => {
                    let before = self.advance(ended);
                    self.await_all(thread, &before);
                }
                None => return false,
            },
            _ => {}
        }
        true
    }

    /// Takes note that a thread goes on from where it has met others. When the first of them does so, all have come:
    /// each knows of what was before that, and not of what those do that go on earlier.
    fn meet(&mut self, thread: u32, object: u64) {
        let own = self.met.remove(&(thread, object));
        let Some(before) = own.or_else(|| self.first_to_go_on(thread, object)) else { return };
        self.await_all(thread, &before);
    }

    fn first_to_go_on(&mut self, thread: u32, object: u64) -> Option<Clock> {
        let before = self.posted.remove(&object)?;
        let waits = |call: &Call| call.act == Act::Meet && call.object == object;
        for (other, _) in self.all.iter().filter(|(other, own)| **other != thread && own.calls.iter().any(waits)) {
            self.met.insert((*other, object), before.clone());
        }
        Some(before)
    }

    fn await_posted(&mut self, thread: u32, object: u64) {
        if let Some(posted) = self.posted.get(&object).cloned() {
            self.await_all(thread, &posted);
        }
    }

    fn take(&mut self, thread: u32, lock: Lock) {
        let own = self.all.entry(thread).or_default();
        *own.held.entry(lock).or_default() += 1;
        own.locks = same(&mut self.sets, &own.held);
    }

    fn release(&mut self, thread: u32, address: u64) {
        let own = self.all.entry(thread).or_default();
        let alone = [false, true].map(|is_shared| Lock { address, is_shared });
        let Some(lock) = alone.into_iter().find(|lock| own.held.contains_key(lock)) else { return };
        if let Some(times) = own.held.get_mut(&lock).filter(|times| **times > 1) {
            *times -= 1;
            return;
        }
        own.held.remove(&lock);
        own.locks = same(&mut self.sets, &own.held);
    }
}

/// Returns the set of these locks, the same each time.
fn same(sets: &mut HashMap<Vec<Lock>, LockSet>, held: &BTreeMap<Lock, u32>) -> LockSet {
    let locks: Vec<Lock> = held.keys().copied().collect();
    let set = || Rc::new(locks.iter().copied().collect());
    sets.entry(locks.clone()).or_insert_with(set).clone()
}

/// Makes the later of both of each thread's.
fn join(own: &mut BTreeMap<u32, u64>, other: &Clock) {
    for (thread, far) in other.iter() {
        let known = own.entry(*thread).or_default();
        *known = (*known).max(*far);
    }
}

/// Returns whether a lock of both keeps two threads apart.
pub(super) fn keep_apart(one: &LockSet, other: &LockSet) -> bool {
    one.iter().any(|lock| other.iter().any(|same| same.address == lock.address && !(same.is_shared && lock.is_shared)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: Act = Act::Take { is_shared: false };
    const READ: Act = Act::Take { is_shared: true };

    fn call(threads: &mut Threads, thread: u32, act: Act, object: u64, result: u64) -> bool {
        threads.enter(thread, Call { sp: 0x1000, act, object });
        threads.leave(thread, 0x1000, result)
    }

    #[test]
    fn a_lock_is_held_from_its_taking_until_it_is_left_as_often() {
        let mut threads = Threads::default();
        let held = |threads: &mut Threads| threads.locks(1).iter().map(|lock| lock.address).collect::<Vec<_>>();
        call(&mut threads, 1, LOCK, 8, 0);
        call(&mut threads, 1, LOCK, 8, 0);
        // EBUSY
        call(&mut threads, 1, LOCK, 16, 16);
        threads.enter(1, Call { sp: 0x1000, act: LOCK, object: 24 });
        assert_eq!(held(&mut threads), [8]);
        threads.enter(1, Call { sp: 0x2000, act: Act::Leave, object: 8 });
        assert_eq!(held(&mut threads), [8]);
        threads.enter(1, Call { sp: 0x2000, act: Act::Leave, object: 8 });
        assert_eq!(held(&mut threads), Vec::<u64>::new());
    }

    #[test]
    fn a_word_that_is_no_lock_any_more_is_held_by_nobody() {
        let mut threads = Threads::default();
        threads.change(1, 8, Change::Taken { is_shared: true });
        threads.change(2, 8, Change::Taken { is_shared: true });
        threads.change(2, 8, Change::Left);
        assert_eq!([1, 2].map(|thread| threads.locks(thread).len()), [1, 0]);
        threads.change(2, 8, Change::Other);
        assert!(threads.locks(1).is_empty());
    }

    #[test]
    fn who_only_reads_shares_a_lock_with_others_who_do() {
        let mut threads = Threads::default();
        for (thread, act) in [(1, READ), (2, READ), (3, LOCK)] {
            call(&mut threads, thread, act, 8, 0);
        }
        let [one, other, alone] = [1, 2, 3].map(|thread| threads.locks(thread));
        assert!(!keep_apart(&one, &other) && keep_apart(&one, &alone) && keep_apart(&alone, &alone));
        assert!(!keep_apart(&one, &threads.locks(4)));
    }

    #[test]
    fn what_was_before_is_known_by_who_was_made_and_by_who_awaited() {
        let mut threads = Threads::default();
        let before = |threads: &mut Threads, thread, of| threads.clock(thread).get(&of).copied().unwrap_or(0);
        threads.begin(1, None);
        let first = before(&mut threads, 1, 1);
        threads.begin(2, Some(1));
        assert_eq!(before(&mut threads, 2, 1), first);
        assert!(before(&mut threads, 1, 1) > first && before(&mut threads, 1, 2) == 0);
        threads.by_data.insert(0x70, 2);
        let end = before(&mut threads, 2, 2);
        assert!(call(&mut threads, 1, Act::Join, 0x70, 0) && before(&mut threads, 1, 2) == end);
        assert!(!call(&mut threads, 1, Act::Join, 0x71, 0));
        // Who waits knows of who has posted.
        threads.begin(3, Some(1));
        let posted = before(&mut threads, 1, 1);
        call(&mut threads, 1, Act::Post, 5, 0);
        assert!(before(&mut threads, 3, 1) < posted);
        call(&mut threads, 3, Act::Wait, 5, 0);
        assert_eq!(before(&mut threads, 3, 1), posted);
    }

    #[test]
    fn who_goes_on_late_knows_nothing_of_what_others_did_since_they_met() {
        let mut threads = Threads::default();
        let before = |threads: &mut Threads, thread, of| threads.clock(thread).get(&of).copied().unwrap_or(0);
        let enter = |threads: &mut Threads, thread| {
            threads.enter(thread, Call { sp: 0x1000, act: Act::Meet, object: 5 });
        };
        let met = [1, 2].map(|thread| before(&mut threads, thread, thread));
        enter(&mut threads, 1);
        enter(&mut threads, 2);
        threads.leave(2, 0x1000, 0);
        assert_eq!(before(&mut threads, 2, 1), met[0]);
        // The second waits again before the first goes on.
        let since = before(&mut threads, 2, 2);
        enter(&mut threads, 2);
        threads.leave(1, 0x1000, 0);
        assert_eq!(before(&mut threads, 1, 2), met[1]);
        assert!(met[1] < since);
        enter(&mut threads, 1);
        threads.leave(1, 0x1000, 0);
        assert_eq!(before(&mut threads, 1, 2), since);
    }
}
