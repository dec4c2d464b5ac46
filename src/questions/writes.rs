//! Writes to memory: who, when, what was there before and afterwards; and reads of it.
//!
//! ```text
//! last       the last ones before a moment
//! boundary   which were before a moment
//! arrival    where in its tick a moment is
//! author     who has written, or read
//! found      what a pass has found
//! rounds     which round of a repeated instruction
//! moved      whether memory was moved to where it is
//! bit_field  which writes change a part of some bytes
//! ```

mod arrival;
mod author;
mod bit_field;
mod boundary;
mod collected;
mod last;
mod moved;
mod rounds;

pub use author::Author;
pub(super) use author::{BY_RR, author};
pub(super) use bit_field::is_change;
pub use boundary::Before;
pub use last::{LastWrites, LastWritesQuery};
pub use moved::Moved;
pub(super) use moved::moved;

use self::boundary::Row;
use self::collected::WritesPass;
use self::rounds::Rounds;
use super::answer::{ASKED, DEADLINE, Facts, LIMIT, Named};
use super::error::Error;
use super::hits::{self, Filter, Moment, Visits};
use super::program::Program;
use crate::shared::Shared;
use base::cancel::Cancel;
use ctype::Bits;
use engine::Object;
use engine::model::Waypoint;
use rr::{Memory, ProbePass, ProbeRecord, Rr};
use softcounters::probes::{self, Access, Asked, Watch, Writer, Written};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Most writes that match.
const MOST: usize = 16 << 20;
/// Most places in the code that are told apart in the counts.
const MOST_WRITERS: usize = 1 << 16;
/// Most counts that are told.
const MOST_NAMED: usize = 10;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WritesQuery {
    /// Where the memory begins.
    pub address: u64,
    /// How many bytes.
    pub length: u64,
    /// The bits of a bit-field within these bytes: a write that leaves them does not change it.
    pub bits: Option<Bits>,
    /// Whether writes are asked about, or reads.
    pub access: Access,
    /// In the memory of this process.
    pub pid: u32,
    /// When it has executed so many programs: an address means something in one of them only.
    pub programs: usize,
    /// Only writes that changed something.
    pub only_changes: bool,
    /// Which writes.
    pub filter: Filter,
    /// The event up to which mappings tell whether the memory is shared: whoever shares it is asked about then.
    pub mapped: Option<u64>,
}

impl WritesQuery {
    /// Returns what is asked about an object in the memory of its process, that of the program that it executes there: who
    /// has written to it.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub fn of(trace: &Path, object: &Object) -> Result<Self, rr::Error> {
        let (address, length, pid) = (object.address, object.size, object.position.thread.pid);
        // A session without events is at none of the recording's.
        let programs = rr::programs_until(trace, pid, object.position.event().unwrap_or(u64::MAX))?;
        let mapped = object.position.event().map(|event| event.saturating_add(1));
        Ok(Self { address, length, bits: object.value.bits, pid, programs, mapped, ..Self::default() })
    }
}

/// A moment that a debugger is at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Now {
    /// Completed events.
    pub event: u64,
    /// Branches that the thread has executed.
    pub ticks: u64,
    /// The thread whose turn it is.
    pub tid: u32,
    /// What is in the memory that is asked about. Empty: that cannot be read.
    pub content: Vec<u8>,
    /// Where in its tick the thread is, if that is known.
    pub place: Option<Place>,
}

impl Now {
    /// Returns whether a thread had executed so many branches, with so many events completed, before this moment: one
    /// thread runs up to its next event, and nobody else meanwhile.
    pub(super) fn is_behind(&self, tid: u32, ticks: u64, event: u64) -> bool {
        event < self.event || (event == self.event && tid == self.tid && ticks <= self.ticks)
    }
}

/// Where in its tick a thread is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The moment.
    pub moment: Waypoint,
    /// The general registers, by DWARF number.
    pub registers: [u64; 16],
}

/// A write, or a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRow {
    /// When. `None`: it is of no thread.
    pub at: Option<Moment>,
    /// Who.
    pub author: Author,
    /// What was done: both, if an instruction has read what it wrote and both are asked about.
    pub access: Access,
    /// Other processors see it done at once.
    pub is_locked: bool,
    /// Where, as far as it was asked about.
    pub address: u64,
    /// How many bytes, as far as they were asked about.
    pub length: u64,
    /// What was there, at most 4096 bytes.
    pub before: Vec<u8>,
    /// What is there afterwards; the same if it was read.
    pub after: Vec<u8>,
}

/// The answer.
pub struct Writes {
    /// What was searched.
    pub facts: Facts,
    /// How many writes there are that match.
    pub matching: u64,
    /// How many of them changed something.
    pub changes: u64,
    /// The places in the code that wrote most, with how often; and how many others there are.
    pub writers: (Vec<Named>, u64),
    found: WritesPass,
    /// The numbers of the writes that match; `None`: all.
    chosen: Option<Vec<u64>>,
}

/// Of each process and instruction, or none, how often it wrote, and when first.
type Counted = HashMap<(u32, Option<u64>), (u64, Moment)>;

impl Writes {
    /// Asks a recording.
    ///
    /// # Errors
    /// If it cannot be replayed, and if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &WritesQuery, cancel: &Cancel) -> Result<Self, Error> {
        let begun = Instant::now();
        let (trace, program) = opened(recording, cancel)?;
        let shared =
            query.mapped.and_then(|event| Shared::at(&program.mappings, query.pid, event, query.address, query.length));
        let mut asked = Asked::default();
        let watches = watch(&mut asked, (query.address, query.length), shared.as_ref(), query.access, None)?;
        query.filter.check(program.mappings.events)?;
        let pass = Arc::new(rr.pass(&trace, &asked, LIMIT, DEADLINE)?);
        let facts = Facts::new(program.mappings.events, begun.elapsed(), &pass);
        let memory = memory_of(&program, &pass, &facts, query.pid, query.programs)?;
        let found = WritesPass { trace, program, pass, memory, shared, watches, access: query.access };
        let mut answer = Self { facts, matching: 0, changes: 0, writers: (Vec::new(), 0), found, chosen: None };
        answer.judge(query, cancel)?;
        answer.facts.took = begun.elapsed();
        Ok(answer)
    }

    /// Looks at all writes once.
    fn judge(&mut self, query: &WritesQuery, cancel: &Cancel) -> Result<(), Error> {
        let mut writers = Counted::new();
        let (mut chosen, mut is_all) = (Vec::new(), true);
        let (mut others, mut of_nobody) = (0, 0);
        for (number, found) in writes_of(&self.found)?.enumerate() {
            if number.is_multiple_of(ASKED as usize) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let (tid, written) = found?;
            let at = tid.map(|tid| self.found.moment(tid, &written));
            let Some(at) = at.filter(|at| query.filter.holds(at, self.found.completed(&written).unwrap_or_default()))
            else {
                of_nobody += u64::from(tid.is_none());
                is_all = false;
                continue;
            };
            let Some(address) = self.found.own(at.tid, &written) else {
                is_all = false;
                continue;
            };
            let is_change = match address == written.address {
                true => is_change(&written, query.address, query.bits),
                false => is_change(&Written { address, ..written.clone() }, query.address, query.bits),
            };
            if query.only_changes && !is_change {
                is_all = false;
                continue;
            }
            if chosen.len() >= MOST {
                self.facts.notes.push(format!("only the first {MOST} writes are listed"));
                break;
            }
            chosen.push(number as u64);
            self.matching += 1;
            self.changes += u64::from(is_change);
            let writer = match written.writer {
                Writer::Instruction(pc) => Some(pc),
                Writer::System => None,
            };
            if writers.len() < MOST_WRITERS || writers.contains_key(&(at.pid, writer)) {
                writers.entry((at.pid, writer)).or_insert((0, at.clone())).0 += 1;
            } else {
                others += 1;
            }
        }
        self.chosen = (!is_all).then_some(chosen);
        if of_nobody > 0 {
            self.facts
                .notes
                .push(format!("{of_nobody} more writes by rr are left out: it is not known for which thread"));
        }
        self.writers = self.named(writers, others)?;
        Ok(())
    }

    /// Returns the places in the code by how often they wrote, and how many writes are of none of these.
    fn named(&self, writers: Counted, mut others: u64) -> Result<(Vec<Named>, u64), Error> {
        let mut counted: Vec<_> = writers.into_iter().collect();
        counted.sort_unstable_by_key(|(key, (count, _))| (std::cmp::Reverse(*count), *key));
        // Several instructions may be of one line.
        let mut named: Vec<Named> = Vec::new();
        for ((_, pc), (count, at)) in counted {
            let name = match pc {
                None => "system calls, signals".to_owned(),
                Some(pc) if named.len() < MOST_NAMED * 4 => self.found.author(Some(pc), &at)?.to_string(),
                Some(_) => {
                    others += count;
                    continue;
                }
            };
            match named.iter_mut().find(|known| known.name == name) {
                Some(known) => known.count += count,
                None => named.push(Named { name, count }),
            }
        }
        named.sort_by_key(|named| std::cmp::Reverse(named.count));
        others += named.iter().skip(MOST_NAMED).map(|named| named.count).sum::<u64>();
        named.truncate(MOST_NAMED);
        Ok((named, others))
    }

    /// Returns what is asked about.
    pub const fn access(&self) -> Access {
        self.found.access
    }

    /// Returns what is at an address of the process of a moment: `<table+8>`.
    pub fn symbol(&self, at: &Moment, address: u64) -> Option<String> {
        self.found.symbol(at, address)
    }

    /// Returns so many rows from one on, in the order of the execution.
    ///
    /// # Errors
    /// If what was found cannot be read any more, and if it is cancelled.
    pub fn page(&self, offset: u64, limit: usize, cancel: &Cancel) -> Result<Vec<WriteRow>, Error> {
        let end = offset.saturating_add(limit as u64).min(self.matching);
        let number = |row: u64| match &self.chosen {
            Some(chosen) => usize::try_from(row).ok().and_then(|row| chosen.get(row).copied()),
            None => Some(row),
        };
        let mut wanted = (offset..end).filter_map(number).peekable();
        let (mut visits, mut rounds) = (Visits::default(), Rounds::default());
        let mut is_cancelled = false;
        let found = writes_of(&self.found)?.enumerate().map_while(|(number, found)| {
            let next = *wanted.peek()?;
            is_cancelled |= number.is_multiple_of(ASKED as usize) && cancel.is_cancelled();
            let told = found.map(|(tid, mut written)| {
                rounds.count_visit(&self.found, &mut visits, tid, &mut written);
                let is_it = next == number as u64;
                if is_it {
                    wanted.next();
                }
                is_it.then_some((tid, written))
            });
            (!is_cancelled).then(|| told.transpose())
        });
        let rows = self.found.rows(found.flatten(), cancel);
        if is_cancelled { Err(Error::Cancelled) } else { rows }
    }
}

/// Opens a recording.
fn opened(recording: &Path, cancel: &Cancel) -> Result<(PathBuf, Arc<Program>), Error> {
    let trace = rr::resolve_trace(Some(recording))?;
    let program = Arc::new(Program::open(&trace, cancel)?);
    Ok((trace, program))
}

/// Asks about a range of memory: where it begins, how many bytes, where else it is, if it is shared; what is done to it, and
/// how many of the last writes are wanted, if not all. Returns the numbers of the watches.
fn watch(
    asked: &mut Asked,
    (address, length): (u64, u64),
    shared: Option<&Shared>,
    access: Access,
    last: Option<u32>,
) -> Result<Range<u32>, Error> {
    if length == 0 {
        return Err(Error::question("no memory is asked about: the length is 0"));
    }
    if shared.is_some_and(|shared| shared.is_cut) {
        return Err(Error::question("the memory is shared at more addresses than can be watched"));
    }
    let first = asked.watches.len() as u32;
    // Which of the last writes to an address are to shared memory is not known before.
    let last = last.filter(|_| shared.is_none());
    let addresses = shared.map_or_else(|| BTreeSet::from([address]), |shared| shared.addresses.clone());
    asked.watches.extend(addresses.into_iter().map(|address| {
        let place = probes::Place::Address { address, space: None };
        Watch { place, length, access, last, values: hits::registers() }
    }));
    Ok(first..asked.watches.len() as u32)
}

/// Returns the memory of a process when it has executed so many programs.
fn memory_of(program: &Program, pass: &ProbePass, facts: &Facts, pid: u32, programs: usize) -> Result<Memory, Error> {
    let is_its = |tid| program.mappings.process_of(tid) == pid;
    pass.memory_of(&is_its, programs).ok_or_else(|| {
        let why =
            format!("the rows have no memory of process {pid} as it was after it had executed {programs} programs");
        Error::question(if pass.is_truncated { facts.notes.join("; ") } else { why })
    })
}

/// Iterates over the writes to a memory that were asked about, with the threads that wrote.
fn writes_of(found: &WritesPass) -> Result<impl Iterator<Item = Result<Row, Error>> + '_, Error> {
    let written = found.records()?.filter_map(|record| match record {
        Ok(ProbeRecord::Written(tid, written)) => Some(Ok((tid, written))),
        Ok(_) => None,
        Err(damage) => Some(Err(Error::from(damage))),
    });
    Ok(written.filter(|row| row.as_ref().map_or(true, |(_, written)| found.watches.contains(&written.watch))))
}

impl std::fmt::Debug for Writes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writes").field("facts", &self.facts).field("matching", &self.matching).finish_non_exhaustive()
    }
}
