//! All accesses to what an expression names in memory, and those that nothing keeps apart.

use super::breakpoint::Access;
use super::error::Result;
use super::location::Location;
use super::position::Position;
use super::session::Replay;
use crate::engine::Object;
use crate::questions::{self, Author, LockHeld, Moment, RaceAccess, RacesQuery, WritesQuery, part_of};
use std::fmt;

/// An access to memory, somewhere in the execution.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MemoryAccess {
    /// Where in the recording: just before the instruction; `None` where that is not known to the instruction, as of
    /// system calls.
    pub at: Option<Position>,
    /// The thread, by the number that it had when it was recorded.
    pub thread: Option<u32>,
    /// The function, if it was code of the program or of its libraries.
    pub function: Option<String>,
    /// Where that is in the sources.
    pub location: Option<Location>,
    /// Who it was, in words: a function and a line, a system call.
    pub by: String,
    /// What was done: [`ReadWrite`](Access::ReadWrite) by an instruction that reads what it writes, if both are asked
    /// about.
    pub access: Access,
    /// Whether other processors see it done at once: the instruction is locked, or exchanges.
    pub is_atomic: bool,
    /// What was accessed: the expression's path to it, as `.corners[2].x`; nothing if it is all.
    pub part: String,
    /// What was there, shown by its type.
    pub old: String,
    /// What is there afterwards.
    pub new: String,
}

/// `.x: 7 -> 17 by move at written_by.c:28`
impl fmt::Display for MemoryAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.part.is_empty() {
            write!(f, "{}: ", self.part)?;
        }
        match self.access {
            Access::Read => write!(f, "{} read by {}", self.new, self.by),
            _ => write!(f, "{} -> {} by {}", self.old, self.new, self.by),
        }
    }
}

/// All accesses to something.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct History {
    /// In the order of the execution, as many as were wanted.
    pub accesses: Vec<MemoryAccess>,
    /// How many there are.
    pub total: u64,
    /// What may be missing, in words.
    pub notes: Vec<String>,
}

/// Two accesses by different threads, of which one writes, that no common lock keeps apart, and of which neither is
/// known to be before the other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Race {
    /// The earlier one in this execution, and the later one.
    pub accesses: [MemoryAccess; 2],
    /// The locks that each thread held, by their addresses and names.
    pub locks: [Vec<String>; 2],
}

/// What is known of the races on something.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Races {
    /// One for each pair of places in the code.
    pub races: Vec<Race>,
    /// How many accesses there were.
    pub accesses: u64,
    /// What may be missing, in words.
    pub notes: Vec<String>,
}

impl Replay {
    /// Lists the accesses to what an expression names in memory, in the whole recording, at most so many: writes, with
    /// those of system calls, or reads, or both. What system calls read is not seen.
    ///
    /// The replay does not move. It takes another one of the recording, with soft counters.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// use retrograde::Access;
    ///
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let history = replay.history("station->calibration", Access::Read, 100)?;
    /// let last = history.accesses.last().expect("it was read");
    /// assert_eq!((last.function.as_deref(), last.new.as_str()), (Some("corrected"), "0x3e8"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Unwatchable`](crate::ErrorKind::Unwatchable) for what is not in memory. That it is
    /// [cancelled](crate::Cancel) is an error, too.
    pub fn history(&mut self, expression: &str, access: Access, limit: usize) -> Result<History> {
        let (object, query) = self.meant(expression)?;
        let access = match access {
            Access::Write => questions::Access::Write,
            Access::Read => questions::Access::Read,
            Access::ReadWrite => questions::Access::Both,
        };
        let query = WritesQuery { access, ..query };
        let cancel = self.canceller();
        let rr = self.rr.clone().with_cancel(&cancel);
        let writes = questions::Writes::ask(&rr, self.recording(), &query, &cancel)?;
        let rows = writes.page(0, limit, &cancel)?;
        let accesses = rows.into_iter().map(|row| {
            let symbol = |at: Option<&Moment>, address| at.and_then(|at| writes.symbol(at, address));
            let at = row.at.clone();
            of_row(&object, row, &mut |address| symbol(at.as_ref(), address))
        });
        Ok(History { accesses: accesses.collect(), total: writes.matching, notes: writes.facts.notes.clone() })
    }

    /// Finds accesses to what an expression names in memory by different threads that no common lock keeps apart: of
    /// pthreads, C++ or Rust. What a thread did before it made another one, and what was awaited by a join, a semaphore
    /// or a barrier, is known to be in order; what is ordered in other ways, as by atomics, is told as if it were not.
    ///
    /// The replay does not move. It takes another one of the recording, with soft counters.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let found = replay.races("*station")?;
    /// assert!(found.accesses > 0 && found.races.is_empty(), "there is one thread");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`history`](Replay::history).
    pub fn races(&mut self, expression: &str) -> Result<Races> {
        let (object, WritesQuery { address, length, pid, programs, .. }) = self.meant(expression)?;
        let query = RacesQuery { address, length, pid, programs, ..RacesQuery::default() };
        let cancel = self.canceller();
        let rr = self.rr.clone().with_cancel(&cancel);
        let found = questions::Races::ask(&rr, self.recording(), &query, &cancel)?;
        let side = |one: &RaceAccess| {
            let RaceAccess { at, author, access, is_locked, address, length, before, after, .. } = one.clone();
            let row = questions::WriteRow { at: Some(at), author, access, is_locked, address, length, before, after };
            of_row(&object, row, &mut |_| None)
        };
        let races = found.rows.iter().map(|row| Race {
            accesses: row.accesses.each_ref().map(side),
            locks: row.accesses.each_ref().map(|one| one.locks.iter().map(named).collect()),
        });
        Ok(Races { races: races.collect(), accesses: found.accesses, notes: found.facts.notes.clone() })
    }

    /// Finds what an expression names in memory, and what is asked about it.
    fn meant(&mut self, expression: &str) -> Result<(Object, WritesQuery)> {
        self.check_cancel()?;
        let object = self.core.engine().object(expression)?;
        let query = WritesQuery::of(self.recording(), &object)?;
        Ok((object, query))
    }
}

fn named(lock: &LockHeld) -> String {
    let shared = if lock.is_shared { " (shared)" } else { "" };
    match &lock.name {
        Some(name) => format!("{:#x} {name}{shared}", lock.address),
        None => format!("{:#x}{shared}", lock.address),
    }
}

fn of_row(object: &Object, row: questions::WriteRow, symbol: &mut dyn FnMut(u64) -> Option<String>) -> MemoryAccess {
    let offset = row.address.saturating_sub(object.address);
    let part = part_of(&object.value.ty, object.value.bits, offset, row.length);
    let mut symbol = symbol;
    let mut shown = |bytes: &[u8]| part.shown(bytes, object.target, &mut symbol);
    let (old, new) = (shown(&row.before), shown(&row.after));
    let by = row.author.to_string();
    let (function, line) = match row.author {
        Author::Code { function, line } => (function, line),
        Author::Buffered | Author::System(_) => (None, None),
    };
    MemoryAccess {
        at: row.at.as_ref().and_then(Moment::position).map(Position::of),
        thread: row.at.as_ref().map(|at| at.tid),
        function,
        location: line.and_then(|(file, line)| Location::new(Some(&file), None, Some(line), None)),
        by,
        access: match row.access {
            questions::Access::Write => Access::Write,
            questions::Access::Read => Access::Read,
            questions::Access::Both => Access::ReadWrite,
        },
        is_atomic: row.is_locked,
        part: part.path,
        old,
        new,
    }
}
