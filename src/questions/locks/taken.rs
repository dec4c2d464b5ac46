//! Who has a lock, by the writes to the word of it that says so.

use super::{HeldLock, Holder, LockKind, LockQuery, Locks, LocksQuery, MOST_LOCKS, Taking, Wakes, note_missing};
use crate::calls::Source;
use crate::error::Error;
use crate::hits::Moment;
use crate::lock_words::{Change, LockWord};
use crate::writes::{Author, LastWrites, LastWritesQuery, Now, WriteRow};
use base::cancel::Cancel;
use rr::Rr;
use std::path::Path;

/// How many writes are looked through for those that took a lock.
const MOST_WRITES: u32 = 65_536;
/// So many are looked at together.
const CHUNK: usize = 1024;
/// Most threads that are named as having one lock.
const MOST_HOLDERS: usize = 64;

impl Locks {
    /// Looks for the writes that took the locks, of those that are held, and for those that woke somebody.
    pub(super) fn takings(
        &mut self,
        rr: &Rr,
        recording: &Path,
        query: &LocksQuery,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let all = query.locks.iter().zip(&mut self.held).take(MOST_LOCKS);
        let (locks, helds): (Vec<_>, Vec<_>) = all.filter_map(|(lock, held)| worth_asking(lock, held)).unzip();
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
            of_all: false,
        };
        let asked: Vec<LastWritesQuery> = locks.iter().map(asked).collect();
        for ((lock, held), writes) in locks.iter().zip(helds).zip(LastWrites::ask_all(rr, recording, &asked, cancel)?) {
            note_missing(&writes.facts, &mut self.notes);
            match lock.kind {
                LockKind::Owner => held.holders = owner(&writes, lock, cancel)?.into_iter().collect(),
                LockKind::Word(word) => match holders(&writes, word, cancel)? {
                    Some(holders) => held.holders = holders,
                    None => self.notes.push(format!("who has the lock at {:#x} its writes do not tell", lock.lock)),
                },
                LockKind::RustCondvar => held.wakes = wakes(&writes, lock, cancel)?,
                LockKind::Condition => {}
            }
        }
        Ok(())
    }
}

/// Returns a lock if writes to its word are looked at. A count of zero needs none.
fn worth_asking<'a>(lock: &'a LockQuery, held: &'a mut HeldLock) -> Option<(&'a LockQuery, &'a mut HeldLock)> {
    let content = number(&lock.content)?;
    let is_worth = match lock.kind {
        LockKind::Condition => false,
        LockKind::Word(word) => !word.is_free(content),
        LockKind::RustCondvar if content == 0 => {
            held.wakes = Some(Wakes { count: 0, is_at_least: false, last: None });
            false
        }
        LockKind::Owner | LockKind::RustCondvar => content != 0,
    };
    is_worth.then_some((lock, held))
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Returns a write as what took a lock.
fn taking((at, author): (Moment, Author)) -> Taking {
    let (function, line) = match author {
        Author::Code { function, line } => (function, line),
        Author::Buffered | Author::SystemOfUnknown => (None, None),
        Author::System(call) => (call, None),
    };
    let (file, line) = line.unzip();
    let address = at.pc.unwrap_or_default();
    Taking { at, caller: Source { function, file, line, address }, is_call: false }
}

/// Goes through the rows of writes from the last one backwards until `look` returns something.
fn backwards<R>(
    writes: &LastWrites,
    cancel: &Cancel,
    mut look: impl FnMut(WriteRow) -> Option<R>,
) -> Result<Option<R>, Error> {
    let mut end = writes.count();
    while end > 0 {
        let begin = end.saturating_sub(CHUNK);
        for row in writes.rows(begin..end, cancel)?.into_iter().rev() {
            if let Some(result) = look(row) {
                return Ok(Some(result));
            }
        }
        end = begin;
    }
    Ok(None)
}

/// Looks for the write of a thread's id that took a lock.
fn owner(writes: &LastWrites, lock: &LockQuery, cancel: &Cancel) -> Result<Option<Holder>, Error> {
    let taken = backwards(writes, cancel, |row| {
        let (before, after) = (number(&row.before), number(&row.after));
        match (before, after) {
            (Some(0), Some(after)) if after != 0 => Some(row.at.map(|at| (at, row.author))),
            (Some(before), Some(after)) if before == 0 || after != 0 => None,
            // Whoever wrote less, or set it free, has not taken it.
            _ => Some(None),
        }
    })?;
    let owner = number(&lock.content);
    let holder = taken.flatten().filter(|(at, _)| Some(at.tid) == owner);
    Ok(holder.map(|taken| Holder { taking: taking(taken), is_shared: false }))
}

/// Finds who has a lock by all that has become of its word since it was free. `None` if one of the changes is not one of
/// such a lock, or if there are too many.
fn holders(writes: &LastWrites, word: LockWord, cancel: &Cancel) -> Result<Option<Vec<Holder>>, Error> {
    let mut changes: Vec<(Change, Option<(Moment, Author)>)> = Vec::new();
    let is_complete = backwards(writes, cancel, |row| {
        let (Some(before), Some(after)) = (number(&row.before), number(&row.after)) else { return Some(false) };
        // The C library takes some of its locks by writes that others cannot see in parts, too.
        changes.push((word.change(before, after, true), row.at.map(|at| (at, row.author))));
        word.is_free(before).then_some(true)
    })?;
    if is_complete != Some(true) {
        return Ok(None);
    }
    Ok(left(changes.into_iter().rev()))
}

/// Returns who has a lock after changes of its word, the first ones first. `None`: that cannot be said.
fn left(changes: impl Iterator<Item = (Change, Option<(Moment, Author)>)>) -> Option<Vec<Holder>> {
    let mut all: Vec<Holder> = Vec::new();
    for (change, at) in changes {
        match change {
            Change::None => {}
            Change::Taken { is_shared } => all.push(Holder { taking: taking(at?), is_shared }),
            Change::Left => {
                let (at, _) = at?;
                let last = all.iter().rposition(|holder| holder.taking.at.tid == at.tid)?;
                all.remove(last);
            }
            Change::Shared => all.iter_mut().for_each(|holder| holder.is_shared = true),
            Change::Other => return None,
        }
    }
    all.truncate(MOST_HOLDERS);
    Some(all)
}

/// Returns how often a counter of wakes was counted up, and when last.
fn wakes(writes: &LastWrites, lock: &LockQuery, cancel: &Cancel) -> Result<Option<Wakes>, Error> {
    let last = backwards(writes, cancel, |row| {
        let (before, after) = (number(&row.before)?, number(&row.after)?);
        (after == before.wrapping_add(1)).then_some(row.at.map(|at| (at, row.author)))
    })?;
    let count = number(&lock.content).map(u64::from);
    Ok(count.map(|count| Wakes { count, is_at_least: false, last: last.flatten().map(taking) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(tid: u32, change: Change) -> (Change, Option<(Moment, Author)>) {
        let at = Moment { event: Some(1), latest: None, visit: None, ticks: 1, pid: 1, tid, pc: None, registers: None };
        (change, Some((at, Author::Buffered)))
    }

    #[test]
    fn who_has_not_left_has_the_lock() {
        let shared = Change::Taken { is_shared: true };
        let tids = |changes: Vec<_>| {
            let left = left(changes.into_iter())?;
            Some(left.iter().map(|holder| holder.taking.at.tid).collect::<Vec<u32>>())
        };
        let all = [change(1, shared), change(2, shared), change(3, Change::None), change(1, Change::Left)];
        assert_eq!(tids(all.to_vec()), Some(vec![2]));
        assert_eq!(tids(vec![change(1, shared), change(1, shared), change(1, Change::Left)]), Some(vec![1]));
        // Who has it not cannot leave it; what is no change of a lock makes all of it doubtful.
        assert_eq!(tids(vec![change(1, shared), change(2, Change::Left)]), None);
        assert_eq!(tids(vec![change(1, shared), change(2, Change::Other)]), None);
    }
}
