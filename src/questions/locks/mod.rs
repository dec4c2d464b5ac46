//! Since when locks are held, by whom, and who could wake those that wait: asked of the whole execution, at a moment of it.
//!
//! ```text
//! taken     who has a lock, by the writes to the word of it that says so
//! called    the calls that take locks, wait for them, or wake those that wait
//! ```
//!
//! The callers of all these are told by one more pass, which unwinds their stacks.

mod called;
mod taken;

use super::answer::Facts;
use super::callers::{Begun, callers};
use super::calls::Source;
use super::error::Error;
use super::hits::Moment;
use super::lock_words::LockWord;
use super::program::Program;
use super::writes::Now;
use base::cancel::Cancel;
use rr::Rr;
use std::path::Path;

/// Most locks that are asked about.
const MOST_LOCKS: usize = 8;

/// What tells who has a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockKind {
    /// A `pthread_mutex_t`, or a `pthread_rwlock_t` for writing: the word is the id of the thread that has it.
    Owner,
    /// The word is changed as these locks are.
    Word(LockWord),
    /// A `pthread_cond_t`: nobody has it.
    Condition,
    /// A `Condvar` of Rust's library: nobody has it, and the word counts how often somebody was woken.
    RustCondvar,
}

impl LockKind {
    /// Returns whether calls of functions of the C library say from where it was taken.
    fn is_of_c(self) -> bool {
        matches!(self, Self::Owner | Self::Condition | Self::Word(LockWord::PthreadRwLock))
    }
}

/// A lock that is asked about, or a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockQuery {
    /// Where it begins; what the C library's functions are given.
    pub lock: u64,
    /// The address of the word that tells who has it.
    pub word: u64,
    /// What is in that now; empty if it cannot be read.
    pub content: Vec<u8>,
    /// What the word means.
    pub kind: LockKind,
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

/// A call that takes a lock, or wakes who waits; or, in code that is inlined, the write that does.
#[derive(Clone, Debug, PartialEq)]
pub struct Taking {
    /// When it began.
    pub at: Moment,
    /// Where the user's own code is in it: the innermost frame of that, else the caller.
    pub caller: Source,
    /// It is a call, and `at` its first instruction.
    is_call: bool,
}

/// A thread that has a lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Holder {
    /// How it took it.
    pub taking: Taking,
    /// Others may have it, too.
    pub is_shared: bool,
}

/// How often a condition was signalled, whether or not somebody waited then: by calls in this process, for any condition
/// that was at its address.
#[derive(Clone, Debug, PartialEq)]
pub struct Wakes {
    /// How often.
    pub count: u64,
    /// It may have been more often.
    pub is_at_least: bool,
    /// The last time.
    pub last: Option<Taking>,
}

/// How a lock is held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldLock {
    /// The threads that have it, in the order in which they took it. None, too, if that is not known.
    pub holders: Vec<Holder>,
    /// The calls that wait for it, in the order in which they were asked about.
    pub waiting: Vec<Option<Taking>>,
    /// Of a condition. `None`: that is not known.
    pub wakes: Option<Wakes>,
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
            answer
                .notes
                .push(format!("the time since when locks are held is given for {MOST_LOCKS}, not for {more} more"));
        }
        for (lock, held) in query.locks.iter().zip(&mut answer.held).take(MOST_LOCKS) {
            held.waiting = vec![None; lock.waiting.len()];
        }
        answer.takings(rr, recording, query, cancel)?;
        if query.locks.iter().take(MOST_LOCKS).any(|lock| lock.kind.is_of_c()) {
            answer.calls(rr, recording, query, cancel)?;
        }
        answer.frames(rr, recording, query, cancel)?;
        answer.notes.sort();
        answer.notes.dedup();
        Ok(answer)
    }

    /// Finds where the user's own code is in all that was found.
    fn frames(&mut self, rr: &Rr, recording: &Path, query: &LocksQuery, cancel: &Cancel) -> Result<(), Error> {
        let mut all: Vec<(&mut Taking, Begun)> = Vec::new();
        for (lock, held) in query.locks.iter().zip(&mut self.held) {
            let holders = held.holders.iter_mut().map(|holder| &mut holder.taking);
            let waiting = held.waiting.iter_mut().flatten();
            let wakes = held.wakes.iter_mut().filter_map(|wakes| wakes.last.as_mut());
            all.extend(holders.chain(waiting).chain(wakes).filter_map(|taking| {
                let begun = begun(taking, lock)?;
                Some((taking, begun))
            }));
        }
        if all.is_empty() {
            return Ok(());
        }
        let trace = rr::resolve_trace(Some(recording))?;
        let program = Program::open(&trace, cancel)?;
        let (takings, calls): (Vec<&mut Taking>, Vec<Begun>) = all.into_iter().unzip();
        for (taking, frames) in takings.into_iter().zip(callers(rr, &trace, &program, &calls, cancel)?) {
            if frames.is_none() {
                self.notes.push("of some places only the innermost function is known".to_owned());
            }
            if let Some(own) = frames.as_ref().and_then(|frames| frames.shown(1).first().copied().cloned()) {
                taking.caller = own;
            }
        }
        Ok(())
    }
}

/// Returns the moment at which a stack is unwound.
fn begun(taking: &Taking, lock: &LockQuery) -> Option<Begun> {
    let at = &taking.at;
    Some(Begun {
        pid: at.pid,
        tid: at.tid,
        ticks: at.ticks,
        event: at.latest.or(at.event)?,
        pc: at.pc?,
        argument: taking.is_call.then_some(lock.lock),
    })
}

fn note_missing(facts: &Facts, notes: &mut Vec<String>) {
    notes.extend(facts.notes.iter().filter(|note| facts.is_truncated || note.contains("too many events")).cloned());
}
