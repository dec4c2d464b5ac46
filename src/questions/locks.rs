//! Since when locks are held, and by whom: asked of the whole execution, at a moment of it.
//!
//! The word of a lock that tells that it is held is watched: the last write before the moment that changed it from zero
//! is how it was taken, and the thread that wrote has it. The calls of the C library's functions that take locks say
//! from where.

use super::answer::Facts;
use super::calls::{CallRow, Calls, CallsQuery, Ending, Source};
use super::copies::Copies;
use super::error::Error;
use super::hits::{Filter, Moment};
use super::place::{Functions, functions};
use super::program::Program;
use super::writes::{Author, LastWrites, LastWritesQuery, Now};
use crate::cancel::Cancel;
use crate::rr::Rr;
use std::path::Path;

/// Most locks that are asked about.
const MOST_LOCKS: usize = 8;
/// How many writes are looked through for the one that took a lock.
const MOST_WRITES: u32 = 65_536;
/// So many are looked at together.
const CHUNK: usize = 1024;
/// How many calls are looked through.
const MOST_CALLS: u64 = 20_000;
/// The C library's functions that take a lock, which is their first argument.
const TAKING: [&str; 10] = [
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_timedrdlock",
];

/// A lock that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockQuery {
    /// Where it begins; what the C library's functions are given.
    pub lock: u64,
    /// The word that is zero when it is free.
    pub word: u64,
    /// What is in that now.
    pub content: Vec<u8>,
    /// The C library's.
    pub is_of_c: bool,
    /// Threads that wait for it.
    pub waiting: Vec<u32>,
}

/// Locks that are asked about, at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocksQuery {
    /// Which.
    pub locks: Vec<LockQuery>,
    /// In the memory of this process.
    pub pid: u32,
    /// When it has executed so many programs.
    pub programs: usize,
    /// The moment. What it says of the memory is not looked at.
    pub now: Now,
}

/// A call that took a lock, or tries to.
#[derive(Clone, Debug, PartialEq)]
pub struct Taking {
    /// When it began.
    pub at: Moment,
    /// Who called.
    pub caller: Source,
}

/// How a lock is held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldLock {
    /// The write that took it: when, by which thread, who.
    pub taken: Option<(Moment, Author)>,
    /// The call that took it.
    pub call: Option<Taking>,
    /// The calls that wait for it, in the order in which they were asked about.
    pub waiting: Vec<Option<Taking>>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Locks {
    /// In the order in which they were asked about.
    pub held: Vec<HeldLock>,
    /// What is to be known.
    pub notes: Vec<String>,
}

impl Locks {
    /// Asks a recording.
    ///
    /// # Errors
    /// If it cannot be replayed, and if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &LocksQuery, cancel: &Cancel) -> Result<Self, Error> {
        let mut answer = Self { held: vec![HeldLock::default(); query.locks.len()], notes: Vec::new() };
        if query.locks.len() > MOST_LOCKS {
            let more = query.locks.len() - MOST_LOCKS;
            answer.notes.push(format!("since when locks are held is told of {MOST_LOCKS}, not of {more} more"));
        }
        for (lock, held) in query.locks.iter().zip(&mut answer.held).take(MOST_LOCKS) {
            held.waiting = vec![None; lock.waiting.len()];
        }
        answer.takings(rr, recording, query, cancel)?;
        let is_asked = |lock: &LockQuery| lock.is_of_c;
        if query.locks.iter().take(MOST_LOCKS).any(is_asked) {
            answer.calls(rr, recording, query, cancel)?;
        }
        answer.notes.sort();
        answer.notes.dedup();
        Ok(answer)
    }

    /// Looks for the writes that took the locks, of those that are held.
    fn takings(&mut self, rr: &Rr, recording: &Path, query: &LocksQuery, cancel: &Cancel) -> Result<(), Error> {
        let all = query.locks.iter().zip(&mut self.held).take(MOST_LOCKS);
        let (locks, helds): (Vec<_>, Vec<_>) = all.filter(|(lock, _)| !is_zero(&lock.content)).unzip();
        if locks.is_empty() {
            return Ok(());
        }
        let asked = |lock: &&LockQuery| LastWritesQuery {
            address: lock.word,
            length: lock.content.len() as u64,
            bits: None,
            pid: query.pid,
            programs: query.programs,
            now: Some(Now { content: lock.content.clone(), ..query.now.clone() }),
            most: MOST_WRITES,
        };
        let asked: Vec<LastWritesQuery> = locks.iter().map(asked).collect();
        for ((lock, held), writes) in locks.iter().zip(helds).zip(LastWrites::ask_all(rr, recording, &asked, cancel)?) {
            note_what_is_missing(&writes.facts, &mut self.notes);
            held.taken = taken(&writes, lock, cancel)?;
        }
        Ok(())
    }

    /// Looks for the calls that took the locks, and for those that wait.
    fn calls(&mut self, rr: &Rr, recording: &Path, query: &LocksQuery, cancel: &Cancel) -> Result<(), Error> {
        let of_c = query.locks.iter().take(MOST_LOCKS).filter(|lock| lock.is_of_c);
        let is_it: Vec<String> = of_c.map(|lock| format!("$rdi == {:#x}", lock.lock)).collect();
        let asked = CallsQuery {
            condition: Some(is_it.join(" || ")),
            values: vec!["/x $rdi".to_owned()],
            filter: Filter { pid: Some(query.pid), to: Some(query.now.event), ..Filter::default() },
            ..CallsQuery::default()
        };
        let calls = match Calls::of(rr, recording, &asked, &taking, cancel) {
            Ok(calls) => calls,
            Err(Error::Question(why)) => {
                self.notes.push(format!("from where locks were taken is not known: {why}"));
                return Ok(());
            }
            Err(other) => return Err(other),
        };
        note_what_is_missing(&calls.facts, &mut self.notes);
        let first = calls.rows().saturating_sub(MOST_CALLS);
        let rows = calls.page(first, usize::try_from(MOST_CALLS).unwrap_or(usize::MAX), cancel)?;
        for (lock, held) in query.locks.iter().zip(&mut self.held).take(MOST_LOCKS).filter(|(lock, _)| lock.is_of_c) {
            let of_lock = |row: &&CallRow| argument(row) == Some(lock.lock);
            let of = |tid: u32| rows.iter().rev().filter(of_lock).filter(move |row| row.at.tid == tid);
            let told = |row: &CallRow| Taking { at: row.at.clone(), caller: row.caller.clone() };
            held.call = held.taken.as_ref().and_then(|(taken, _)| {
                let row = of(taken.tid).find(|row| row.at.ticks <= taken.ticks)?;
                // Who waits for a condition gets the lock back without such a call.
                let has_taken = match &row.ending {
                    Ending::Returned(at) => at.ticks >= taken.ticks,
                    _ => false,
                };
                has_taken.then(|| told(row))
            });
            held.waiting = lock
                .waiting
                .iter()
                .map(|tid| {
                    let row = of(*tid).find(|row| is_before(&row.at, &query.now))?;
                    let is_over = matches!(&row.ending, Ending::Returned(at) if is_before(at, &query.now));
                    (!is_over).then(|| told(row))
                })
                .collect();
        }
        Ok(())
    }
}

/// Returns the functions that take locks, as far as the program has them.
fn taking(program: &Program) -> Result<Functions, Error> {
    let mut all = Vec::new();
    for name in TAKING {
        match functions(program, name, false) {
            Ok(found) => all.extend(found.all),
            Err(Error::Question(_)) => {}
            Err(other) => return Err(other),
        }
    }
    if all.is_empty() {
        return Err(Error::question("the program has no function that is known to take a lock"));
    }
    all.sort_by_key(|asked| (asked.module, asked.function.entry));
    all.dedup_by_key(|asked| (asked.module, asked.function.entry));
    Ok(Functions { all, copies: Copies::default(), note: None })
}

/// Returns the lock of a call: the last of what is told of it.
fn argument(row: &CallRow) -> Option<u64> {
    let value = row.arguments.last()?.value.as_deref().ok()?;
    u64::from_str_radix(value.trim_start_matches("0x"), 16).ok()
}

/// Returns whether something was before a moment that a session is at.
fn is_before(at: &Moment, now: &Now) -> bool {
    at.event.is_some_and(|event| now.is_behind(at.tid, at.ticks, event))
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Looks among the writes to a lock's word for the one that took it.
fn taken(writes: &LastWrites, lock: &LockQuery, cancel: &Cancel) -> Result<Option<(Moment, Author)>, Error> {
    let mut end = writes.count();
    while end > 0 {
        let begin = end.saturating_sub(CHUNK);
        for row in writes.rows(begin..end, cancel)?.into_iter().rev() {
            let is_whole = row.length == lock.content.len() as u64;
            // Whoever wrote less, or set it free, has not taken it.
            if !is_whole || (is_zero(&row.after) && !is_zero(&row.before)) {
                return Ok(None);
            }
            if is_zero(&row.before) && !is_zero(&row.after) {
                return Ok(row.at.map(|at| (at, row.author)));
            }
        }
        end = begin;
    }
    Ok(None)
}

fn note_what_is_missing(facts: &Facts, notes: &mut Vec<String>) {
    notes.extend(facts.notes.iter().filter(|note| facts.is_truncated || note.contains("too many events")).cloned());
}
