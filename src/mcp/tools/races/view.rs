//! Accesses that nothing keeps apart, as JSON and as text.

use crate::mcp::reply::address;
use crate::mcp::tools::questions::probed::{SearchedView, ends, next};
use crate::mcp::tools::writes::view::{UNSEEN, WriteView};
use arch::RunAddr;
use engine::Object;
use questions::{LockHeld, RaceAccess, RaceRow, Races, ThreadAccesses, WriteRow};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Most threads that are told of.
const MOST_THREADS: usize = 32;

/// What is not known of the order of accesses.
const NOT_REGARDED: &str = "not regarded: condition variables without the lock, atomics, signals, locks of other libraries; what they order is \
     told as if it were not in order";

/// An access.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SideView {
    #[serde(flatten)]
    pub(crate) access: WriteView,
    /// The locks that the thread held.
    pub(crate) locks: Vec<String>,
}

/// Two accesses that nothing keeps apart.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RaceView {
    pub(crate) first: SideView,
    pub(crate) second: SideView,
    /// In how many pairs of threads that is so.
    pub(crate) thread_pairs: u64,
}

/// What a thread has done with the memory.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ThreadView {
    pub(crate) tid: u32,
    pub(crate) reads: u64,
    pub(crate) writes: u64,
    /// The locks that it held each time.
    pub(crate) always_locked: Vec<String>,
}

/// Result of `rr_races`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RacesView {
    pub(crate) expression: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) accesses: Option<u64>,
    pub(crate) threads: Vec<ThreadView>,
    /// Pairs of places in the code.
    pub(crate) matching: u64,
    pub(crate) rows: Vec<RaceView>,
    /// Pairs of atomic instructions, which are no rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) atomic_pairs: Option<u64>,
    /// The offset of what follows, if not all is shown.
    pub(crate) next_offset: Option<u64>,
    pub(crate) searched: SearchedView,
    pub(crate) notes: Vec<String>,
}

fn lock(held: &LockHeld) -> String {
    let mut text = address(RunAddr(held.address));
    if let Some(name) = &held.name {
        text.push(' ');
        text.push_str(name);
    }
    if held.is_shared {
        text.push_str(" (shared)");
    }
    text
}

fn locks(all: &[LockHeld]) -> Vec<String> {
    all.iter().map(lock).collect()
}

fn side(expression: &str, object: &Object, one: &RaceAccess) -> SideView {
    let RaceAccess { at, author, access, is_locked, address, length, before, after, .. } = one.clone();
    let row = WriteRow { at: Some(at), author, access, is_locked, address, length, before, after };
    SideView { access: WriteView::of(expression, object, &row, &mut |_| None), locks: locks(&one.locks) }
}

impl RacesView {
    pub(crate) fn new(expression: &str, object: &Object, races: &Races, offset: u64, limit: u32) -> Self {
        let first = usize::try_from(offset).unwrap_or(usize::MAX);
        let rows: Vec<&RaceRow> = races.rows.iter().skip(first).take(limit as usize).collect();
        let matching = races.rows.len() as u64;
        let view = |row: &&RaceRow| {
            let [one, other] = &row.accesses;
            RaceView {
                first: side(expression, object, one),
                second: side(expression, object, other),
                thread_pairs: row.pairs,
            }
        };
        let thread = |one: &ThreadAccesses| ThreadView {
            tid: one.tid,
            reads: one.reads,
            writes: one.writes,
            always_locked: locks(&one.always),
        };
        let mut shown: Vec<&ThreadAccesses> = races.threads.iter().collect();
        let mut notes = races.facts.notes.clone();
        if shown.len() > MOST_THREADS {
            shown.sort_by_key(|one| std::cmp::Reverse(one.reads + one.writes));
            shown.truncate(MOST_THREADS);
            notes.push(format!(
                "threads: the {MOST_THREADS} with the most accesses, of {} that had any",
                races.threads.len()
            ));
        }
        notes.extend([NOT_REGARDED.to_owned(), UNSEEN.to_owned()]);
        Self {
            expression: Some(expression.to_owned()),
            address: Some(address(RunAddr(object.address))),
            size: Some(object.size),
            accesses: Some(races.accesses),
            threads: shown.into_iter().map(thread).collect(),
            matching,
            rows: rows.iter().map(view).collect(),
            atomic_pairs: Some(races.atomic).filter(|count| *count > 0),
            next_offset: next(offset, rows.len(), matching),
            searched: (&races.facts).into(),
            notes,
        }
    }
}

impl fmt::Display for SideView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tid) = self.access.tid {
            write!(f, "thread {tid}  ")?;
        }
        write!(f, "{}", self.access)?;
        match self.locks.as_slice() {
            [] => f.write_str(", no lock"),
            locks => write!(f, ", locks: {}", locks.join(", ")),
        }
    }
}

impl fmt::Display for RacesView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expression = self.expression.as_deref().unwrap_or_default();
        match self.matching {
            0 => write!(f, "no race is known on {expression}")?,
            count => write!(f, "{count} pairs of accesses to {expression} that nothing keeps apart")?,
        }
        let (at, size) = (self.address.as_deref().unwrap_or_default(), self.size.unwrap_or_default());
        write!(f, " ({size} bytes at {at}), of {} accesses; {}", self.accesses.unwrap_or_default(), self.searched)?;
        for thread in &self.threads {
            write!(f, "\nthread {}: {} reads, {} writes", thread.tid, thread.reads, thread.writes)?;
            if !thread.always_locked.is_empty() {
                write!(f, ", always with {}", thread.always_locked.join(", "))?;
            }
        }
        for row in &self.rows {
            write!(f, "\nfirst   {}\nsecond  {}", row.first, row.second)?;
            if row.thread_pairs > 1 {
                write!(f, "\n        in {} pairs of threads", row.thread_pairs)?;
            }
        }
        if let Some(count) = self.atomic_pairs {
            write!(f, "\n{count} pairs of atomic instructions are left out")?;
        }
        ends(f, self.next_offset, &self.notes)
    }
}
