//! Accesses to the same memory by different threads that nothing keeps apart.
//!
//! One pass tells each access, and each call by which a thread takes or leaves a lock, awaits another one or ends. So what
//! a thread holds at an access is known, and what of others was before: what a thread has done before it makes another
//! one, and what one has done whose end was awaited. Two accesses of which one writes are a *race* if neither was before
//! the other in that sense, and no lock is held at both (by one of them alone). Whether they were near each other in this
//! execution does not matter.
//!
//! ```text
//! functions   by which threads exclude and await each other
//! words       locks that are words in memory
//! held        what each thread holds, and what was before
//! pairs       accesses that nothing keeps apart
//! ```

mod functions;
mod held;
mod pairs;
mod words;

pub use held::LockHeld;

use self::functions::{Role, probes};
use self::held::Threads;
use self::pairs::{Done, Pairs};
use self::words::{MOST_WORDS, words};
use super::answer::{ASKED, DEADLINE, Facts, LIMIT};
use super::error::Error;
use super::hits::{self, Filter, Moment, Visits};
use super::lock_words::{Change, LockWord};
use super::program::Program;
use super::writes::{Author, author};
use base::cancel::Cancel;
use rr::{PassEvent, ProbePass, ProbeRecord, Rr};
use softcounters::probes::{Access, Asked, Place, Watch, Writer, Written};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RacesQuery {
    /// Where the memory begins.
    pub address: u64,
    /// How many bytes.
    pub length: u64,
    /// In the memory of this process.
    pub pid: u32,
    /// When it has executed so many programs.
    pub programs: usize,
    /// Which accesses.
    pub filter: Filter,
}

/// An access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceAccess {
    /// When.
    pub at: Moment,
    /// Who.
    pub author: Author,
    /// What was done.
    pub access: Access,
    /// Other processors see it done at once.
    pub is_locked: bool,
    /// Where, as far as it was asked about.
    pub address: u64,
    /// How many bytes.
    pub length: u64,
    /// What was there.
    pub before: Vec<u8>,
    /// What is there afterwards.
    pub after: Vec<u8>,
    /// The locks that its thread held.
    pub locks: Vec<LockHeld>,
}

/// Two accesses that nothing keeps apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceRow {
    /// The earlier one, and the later one.
    pub accesses: [RaceAccess; 2],
    /// In how many pairs of threads that is so.
    pub pairs: u64,
}

/// What a thread has done with the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadAccesses {
    /// Which thread.
    pub tid: u32,
    /// How often it has only read it.
    pub reads: u64,
    /// How often it has written it.
    pub writes: u64,
    /// The locks that it held each time.
    pub always: Vec<LockHeld>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Races {
    /// What was searched.
    pub facts: Facts,
    /// Accesses in all.
    pub accesses: u64,
    /// Pairs of places in the code, in the order in which the later access of the first pair was.
    pub rows: Vec<RaceRow>,
    /// Who has accessed it.
    pub threads: Vec<ThreadAccesses>,
    /// How many pairs of places only have instructions that other processors see done at once: these are no rows.
    pub atomic: u64,
}

impl Races {
    /// Asks a recording.
    ///
    /// # Errors
    /// If it cannot be replayed, and if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &RacesQuery, cancel: &Cancel) -> Result<Self, Error> {
        let begun = Instant::now();
        if query.length == 0 {
            return Err(Error::question("no memory is asked about: the length is 0"));
        }
        let trace = rr::resolve_trace(Some(recording))?;
        let program = Program::open(&trace, cancel)?;
        query.filter.check(program.mappings.events)?;
        let (probes, roles, has_locks) = program.ask(|| probes(&program))??;
        let (locks, are_more) = words(rr, &trace, &program, query.pid, cancel)?;
        let watch = |address: u64, length: u64, access: Access| {
            let place = Place::Address { address, space: None };
            Watch { place, length, access, last: None, values: hits::registers() }
        };
        let object = watch(query.address, query.length, Access::Both);
        let of_locks = locks.keys().map(|address| watch(*address, WORD as u64, Access::Write));
        let watches = std::iter::once(object).chain(of_locks).collect();
        let asked = Asked { probes, watches, ..Asked::default() };
        let pass = rr.pass(&trace, &asked, LIMIT, DEADLINE)?;
        let mut answer = Self { facts: Facts::new(program.mappings.events, begun.elapsed(), &pass), ..Self::default() };
        if are_more {
            answer.facts.notes.push(format!("of more than {MOST_WORDS} locks of Rust's library, not all are regarded"));
        }
        if !has_locks && locks.is_empty() {
            answer.facts.notes.push("the program has no function that is known to take a lock".to_owned());
        }
        let locks: Vec<(u64, LockWord)> = locks.into_iter().collect();
        let threads = Threads::default();
        let mut judge = Judge { program: &program, pass: &pass, query, locks: &locks, threads, joins: 0 };
        judge.all(&roles, &mut answer, cancel)?;
        answer.facts.took = begun.elapsed();
        Ok(answer)
    }
}

/// Bytes of a word that is a lock.
const WORD: usize = 4;

/// Returns what a write to a lock's word means.
fn changed(kind: LockWord, written: &Written) -> Change {
    let word = |bytes: &[u8]| Some(u32::from_le_bytes(*bytes.first_chunk::<WORD>()?));
    match (word(&written.before), word(&written.after)) {
        (Some(before), Some(after)) => kind.change(before, after, written.is_locked),
        _ => Change::Other,
    }
}

/// Looks at all that a pass tells, in its order.
struct Judge<'a> {
    program: &'a Program,
    pass: &'a ProbePass,
    query: &'a RacesQuery,
    /// Those of the watches behind the first.
    locks: &'a [(u64, LockWord)],
    threads: Threads,
    /// Threads whose end was awaited, and that are not known.
    joins: u64,
}

impl Judge<'_> {
    fn all(&mut self, roles: &[Role], answer: &mut Races, cancel: &Cancel) -> Result<(), Error> {
        let (pid, programs) = (self.query.pid, self.query.programs);
        let is_its = |tid| self.program.mappings.process_of(tid) == pid;
        let Some(memory) = self.pass.memory_of(&is_its, programs) else {
            let why =
                format!("the rows have no memory of process {pid} as it was after it had executed {programs} programs");
            let why = if self.pass.is_truncated { answer.facts.notes.join("; ") } else { why };
            return Err(Error::question(why));
        };
        let (mut pairs, mut visits) = (Pairs::default(), Visits::default());
        let mut of_nobody = 0u64;
        for (number, told) in self.pass.story(&memory)?.enumerate() {
            if (number as u64).is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match told? {
                PassEvent::Began(thread, parent) => self.threads.begin(thread, parent),
                PassEvent::Done(ProbeRecord::Hit(hit)) => {
                    let Some(role) = roles.get(hit.probe) else { continue };
                    if self.program.mappings.process_of(hit.tid) == pid {
                        self.joins += u64::from(!self.threads.note(role, &hit));
                    }
                }
                PassEvent::Done(ProbeRecord::Written(Some(tid), written)) if written.is_of_thread() => {
                    self.take(tid, written, &mut visits, &mut pairs);
                }
                PassEvent::Done(ProbeRecord::Written(..)) => of_nobody += 1,
                // All writes are wanted.
                PassEvent::Done(ProbeRecord::Skipped(..)) => {}
            }
        }
        self.tell(pairs, of_nobody, answer)
    }

    /// Takes an access.
    fn take(&mut self, tid: u32, written: Written, visits: &mut Visits, pairs: &mut Pairs) {
        let Some(thread) = written.thread else { return };
        if let Some(number) = (written.watch as usize).checked_sub(1) {
            if let Some((address, kind)) = self.locks.get(number) {
                self.threads.change(thread, *address, changed(*kind, &written));
            }
            return;
        }
        let pc = match written.writer {
            Writer::Instruction(pc) => Some(pc),
            Writer::System => None,
        };
        let registers = hits::hash_of(&written.values);
        let visit = pc.and_then(|pc| {
            let what = hits::Operand { address: written.address, access: written.access };
            visits.count(thread, written.ticks, hits::Place { what: Some(what), registers, ..hits::Place::at(pc) })
        });
        let completed = self.pass.completed_at(&written).unwrap_or_default();
        let (event, latest) = hits::between(completed);
        let at = Moment {
            event,
            latest,
            visit,
            ticks: written.ticks,
            pid: self.program.mappings.process_of(tid),
            tid,
            pc,
            registers,
        };
        if !self.query.filter.holds(&at, completed) {
            return;
        }
        let Written { access, is_locked, address, length, before, after, .. } = written;
        let after = if access.writes() { after } else { before.clone() };
        let (locks, clock) = (self.threads.locks(thread), self.threads.clock(thread));
        pairs.add(thread, Done { at, access, is_locked, address, length, before, after }, locks, clock);
    }

    /// Tells what was found.
    fn tell(&self, pairs: Pairs, of_nobody: u64, answer: &mut Races) -> Result<(), Error> {
        let notes = &mut answer.facts.notes;
        if of_nobody > 0 {
            notes.push(format!("{of_nobody} writes by rr are left out: it is not known for which thread"));
        }
        if pairs.is_full {
            notes.push("there are more different accesses than are compared: ask about a smaller part".to_owned());
        }
        if self.joins > 0 {
            notes.push(format!(
                "of {} threads whose end was awaited it is not known which: what they did may have been before",
                self.joins
            ));
        }
        (answer.accesses, answer.atomic) = (pairs.accesses, pairs.atomic);
        let mut names: BTreeMap<u64, Option<String>> = BTreeMap::new();
        let mut locks = |at: &Moment, set: &held::LockSet| -> Vec<LockHeld> {
            let named = |lock: &held::Lock| {
                let event = at.event.map_or(u64::MAX, |event| event.saturating_add(1));
                let name =
                    names.entry(lock.address).or_insert_with(|| self.program.symbol(at.pid, event, lock.address));
                LockHeld { address: lock.address, is_shared: lock.is_shared, name: name.clone() }
            };
            set.iter().map(named).collect()
        };
        for pair in pairs.found {
            let mut sides = Vec::new();
            for (done, set) in pair.sides {
                let author = author(self.program, done.at.pc, &done.at)?;
                let locks = self.program.ask(|| locks(&done.at, &set))?;
                let Done { at, access, is_locked, address, length, before, after } = done;
                sides.push(RaceAccess { at, author, access, is_locked, address, length, before, after, locks });
            }
            if let Ok(accesses) = <[RaceAccess; 2]>::try_from(sides) {
                answer.rows.push(RaceRow { accesses, pairs: pair.threads.len() as u64 });
            }
        }
        for (_, one) in pairs.by_thread {
            let always = self.program.ask(|| locks(&one.at, &one.always))?;
            let (tid, reads, writes) = (one.at.tid, one.reads, one.writes);
            answer.threads.push(ThreadAccesses { tid, reads, writes, always });
        }
        Ok(())
    }
}
