//! The calls of the C library's functions that take locks, wait for them, or wake those that wait.

use super::{HeldLock, LockKind, LockQuery, Locks, LocksQuery, MOST_LOCKS, Taking, Wakes, note_missing};
use crate::calls::{CallRow, Calls, CallsQuery, Ending};
use crate::copies::Copies;
use crate::error::Error;
use crate::hits::{Filter, Moment};
use crate::place::{Functions, functions};
use crate::program::Program;
use crate::writes::Now;
use base::cancel::Cancel;
use rr::Rr;
use std::cell::Cell;
use std::path::Path;

/// How many calls are looked through.
const MOST_CALLS: u64 = 20_000;
/// The C library's functions that take a lock or wait for a condition, which is their first argument.
const TAKING: [&str; 15] = [
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_clockrdlock",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
];
/// Those that wake who waits for a condition.
const WAKING: [&str; 2] = ["pthread_cond_signal", "pthread_cond_broadcast"];

impl Locks {
    /// Looks for the calls that took the locks, for those that wait, and for those that woke somebody.
    pub(super) fn calls(
        &mut self,
        rr: &Rr,
        recording: &Path,
        query: &LocksQuery,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let of_c = query.locks.iter().take(MOST_LOCKS).filter(|lock| lock.kind.is_of_c());
        let is_it: Vec<String> = of_c.map(|lock| format!("$rdi == {:#x}", lock.lock)).collect();
        let asked = CallsQuery {
            condition: Some(is_it.join(" || ")),
            values: vec!["/x $rdi".to_owned()],
            filter: Filter { pid: Some(query.pid), to: Some(query.now.event), ..Filter::default() },
            ..CallsQuery::default()
        };
        let has_waking = Cell::new(false);
        let functions = |program: &Program| asked_functions(program, &has_waking);
        let calls = match Calls::of(rr, recording, &asked, &functions, cancel) {
            Ok(calls) => calls,
            Err(Error::Question(why) | Error::NoPlace(why)) => {
                self.notes.push(format!("from where locks were taken is not known: {why}"));
                return Ok(());
            }
            Err(other) => return Err(other),
        };
        note_missing(&calls.facts, &mut self.notes);
        let first = calls.rows().saturating_sub(MOST_CALLS);
        let is_all = first == 0 && !calls.facts.is_truncated;
        let rows = calls.page(first, usize::try_from(MOST_CALLS).unwrap_or(usize::MAX), cancel)?;
        let all = query.locks.iter().zip(&mut self.held).take(MOST_LOCKS);
        for (lock, held) in all.filter(|(lock, _)| lock.kind.is_of_c()) {
            let (waking, taking): (Vec<&CallRow>, Vec<&CallRow>) =
                rows.iter().filter(|row| argument(row) == Some(lock.lock)).partition(|row| is_waking(row));
            fill(held, &taking, lock, &query.now);
            // That a thread is seen to wait for it proves that this is the condition's address.
            if lock.kind == LockKind::Condition && has_waking.get() && held.waiting.iter().any(Option::is_some) {
                held.wakes = (!calls.facts.is_truncated).then(|| wakes(&waking, is_all, &query.now)).flatten();
            }
        }
        Ok(())
    }
}

/// Returns how often a condition was signalled, by its calls up to now; `None` if some of these are not looked at, and
/// none of the others is one.
fn wakes(rows: &[&CallRow], is_all: bool, now: &Now) -> Option<Wakes> {
    let before: Vec<&CallRow> = rows.iter().copied().filter(|row| is_before(&row.at, now)).collect();
    let last = before.last().map(|row| taking_of(row));
    (is_all || last.is_some()).then_some(Wakes { count: before.len() as u64, is_at_least: !is_all, last })
}

/// Fills in the calls that took a lock, and those that wait for it.
fn fill(held: &mut HeldLock, rows: &[&CallRow], lock: &LockQuery, now: &Now) {
    let of = |tid: u32| rows.iter().rev().copied().filter(move |row| row.at.tid == tid);
    for holder in &mut held.holders {
        let taken = &holder.taking.at;
        let row = of(taken.tid).find(|row| row.at.ticks <= taken.ticks);
        // Who waits for a condition gets the lock back without such a call.
        let has_taken = |row: &&CallRow| matches!(&row.ending, Ending::Returned(at) if at.ticks >= taken.ticks);
        if let Some(row) = row.filter(has_taken) {
            holder.taking = taking_of(row);
        }
    }
    for (tid, waiting) in lock.waiting.iter().zip(&mut held.waiting) {
        let row = of(*tid).find(|row| is_before(&row.at, now));
        let is_over = |row: &CallRow| matches!(&row.ending, Ending::Returned(at) if is_before(at, now));
        *waiting = row.filter(|row| !is_over(row)).map(taking_of);
        // Who waits to read is counted among the readers already.
        if let Some(waiting) = waiting {
            let is_same = |at: &Moment| at.tid == waiting.at.tid && at.ticks >= waiting.at.ticks;
            held.holders.retain(|holder| !is_same(&holder.taking.at));
        }
    }
}

fn taking_of(row: &CallRow) -> Taking {
    Taking { at: row.at.clone(), caller: row.caller.clone(), is_call: true }
}

/// Returns the functions that are asked about, as far as the program has them.
/// `has_waking`: whether those that wake are among them.
fn asked_functions(program: &Program, has_waking: &Cell<bool>) -> Result<Functions, Error> {
    let mut all = Vec::new();
    for name in TAKING.into_iter().chain(WAKING) {
        match functions(program, name, false) {
            Ok(found) => {
                has_waking.set(has_waking.get() || WAKING.contains(&name));
                all.extend(found.all);
            }
            Err(Error::Question(_) | Error::NoPlace(_)) => {}
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

/// Returns whether a call is one of a function that wakes, whatever underscores and versions its symbol has.
fn is_waking(row: &CallRow) -> bool {
    WAKING.iter().any(|name| row.function.contains(name))
}

/// Returns the lock of a call: the last of its values.
fn argument(row: &CallRow) -> Option<u64> {
    let value = row.arguments.last()?.value.as_deref().ok()?;
    u64::from_str_radix(value.trim_start_matches("0x"), 16).ok()
}

/// Returns whether something was before a moment that a session is at.
fn is_before(at: &Moment, now: &Now) -> bool {
    at.event.is_some_and(|event| now.is_behind(at.tid, at.ticks, event))
}
