//! All accesses to what an expression names in memory, and those that nothing keeps apart.

use super::breakpoint::Access;
use super::error::Result;
use super::location::Location;
use super::position::Position;
use super::questions::Questions;
use super::rows::Rows;
use super::session::Replay;
use base::cancel::Cancel;
use engine::Object;
use questions::{Author, LockHeld, Moment, RaceAccess, RacesQuery, WritesQuery, part_of};
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
    /// Whether it is atomic for other processors: the instruction has a `lock` prefix, or is an `xchg`.
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

/// A question about the accesses to a value, which [`ask`](HistoryBuilder::ask) answers.
#[must_use = "nothing is asked until `ask` is called"]
pub struct HistoryBuilder<'r> {
    replay: &'r Replay,
    expression: String,
    access: questions::Access,
}

/// All accesses to a value in a recording.
pub struct History {
    answer: questions::Writes,
    object: Object,
    cancel: Cancel,
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
    /// Asks for the accesses to what an expression names in memory, in the whole recording: writes, with those of system
    /// calls, unless [others](HistoryBuilder::access) are asked for.
    ///
    /// The replay does not move: the answer comes from another replay of the recording, with soft counters.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// use retrograde::Access;
    ///
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let history = replay.history("station->calibration").access(Access::Read).ask()?;
    /// let last = history.iter().last().expect("it was read")?;
    /// assert_eq!((last.function.as_deref(), last.new.as_str()), (Some("corrected"), "0x3e8"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn history(&self, expression: impl Into<String>) -> HistoryBuilder<'_> {
        HistoryBuilder { replay: self, expression: expression.into(), access: questions::Access::Write }
    }

    /// Finds accesses to what an expression names in memory by different threads that no common lock keeps apart: of
    /// pthreads, C++ or Rust. What a thread did before it made another one, and what was awaited by a join, a semaphore
    /// or a barrier, is known to be in order; what is ordered in other ways, as by atomics, may be reported as a race.
    ///
    /// The replay does not move: the answer comes from another replay of the recording, with soft counters.
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
    /// As [`HistoryBuilder::ask`].
    pub fn races(&self, expression: &str) -> Result<Races> {
        let (object, WritesQuery { address, length, pid, programs, .. }) = self.in_memory(expression)?;
        let query = RacesQuery { address, length, pid, programs, ..RacesQuery::default() };
        let Questions { rr, recording, cancel } = self.questions();
        let found = questions::Races::ask(&rr, &recording, &query, &cancel)?;
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

    /// Returns the object in memory that an expression names, and the question for its writes.
    fn in_memory(&self, expression: &str) -> Result<(Object, WritesQuery)> {
        self.check_cancel()?;
        let object = self.core.ask().object(expression)?;
        let query = WritesQuery::of(self.recording(), &object)?;
        Ok((object, query))
    }
}

impl HistoryBuilder<'_> {
    /// Asks for writes, for reads, or for both. What system calls read is not seen.
    pub fn access(self, access: Access) -> Self {
        let access = match access {
            Access::Write => questions::Access::Write,
            Access::Read => questions::Access::Read,
            Access::ReadWrite => questions::Access::Both,
        };
        Self { access, ..self }
    }

    /// Finds the accesses.
    ///
    /// # Errors
    /// [`ErrorKind::Unwatchable`](crate::ErrorKind::Unwatchable) for what is not in memory. That it is
    /// [cancelled](crate::Cancel) is an error, too.
    pub fn ask(self) -> Result<History> {
        let Self { replay, expression, access } = self;
        let (object, query) = replay.in_memory(&expression)?;
        let query = WritesQuery { access, ..query };
        let Questions { rr, recording, cancel } = replay.questions();
        let answer = questions::Writes::ask(&rr, &recording, &query, &cancel)?;
        Ok(History { answer, object, cancel })
    }
}

impl History {
    /// Returns how many accesses there are.
    pub fn total(&self) -> u64 {
        self.answer.matching
    }

    /// Returns what the answer may lack, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.answer.facts.notes
    }

    /// Returns the accesses, in the order of the execution.
    pub fn iter(&self) -> Rows<'_, MemoryAccess> {
        Rows::new(self.total(), |first, most| {
            let rows = self.answer.page(first, most, &self.cancel)?.into_iter();
            let accesses = rows.map(|row| {
                let at = row.at.clone();
                let mut symbol = |address| at.as_ref().and_then(|at| self.answer.symbol(at, address));
                of_row(&self.object, row, &mut symbol)
            });
            Ok(accesses.collect())
        })
    }
}

impl<'a> IntoIterator for &'a History {
    type Item = Result<MemoryAccess>;
    type IntoIter = Rows<'a, MemoryAccess>;

    fn into_iter(self) -> Rows<'a, MemoryAccess> {
        self.iter()
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History").field("total", &self.total()).field("notes", &self.notes()).finish_non_exhaustive()
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
        Author::Buffered | Author::System(_) | Author::SystemOfUnknown => (None, None),
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
