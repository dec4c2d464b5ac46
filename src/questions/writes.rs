//! Writes to memory: who, when, what was there before and afterwards; and reads of it.

use super::answer::{ASKED, DEADLINE, Facts, LIMIT, Named};
use super::error::Error;
use super::hits::{self, Filter, Moment, Visits};
use super::program::Program;
use crate::arch::RunAddr;
use crate::cancel::Cancel;
use crate::engine::debug_paths;
use crate::rr::{self, Memory, ProbePass, Rr};
use crate::softcounters::probes::{Access, Asked, Place, Watch, Writer, Written};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Most writes that match.
const MOST: usize = 16 << 20;
/// Most writes of which the ticks do not say whether they were before a moment.
const MOST_OPEN: usize = 4096;
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
    /// Whether writes are asked about, or reads.
    pub access: Access,
    /// In the memory of this process.
    pub pid: u32,
    /// When it has executed so many programs: an address means something in one of them only.
    pub programs: usize,
    /// Which writes.
    pub filter: Filter,
    /// Which of them were before this.
    pub now: Option<Now>,
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
}

/// What rr's library in the program does is done for it: mostly, to buffer a system call; but it also takes the place
/// of functions, as of `pthread_mutex_lock`.
pub(super) const BY_RR: &str = "rr's library, for a system call that it buffers or a function that it replaces";

/// Who has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Author {
    /// Code of the program or of its libraries.
    Code {
        /// The function, or where in a symbol it is.
        function: Option<String>,
        /// The file and the line.
        line: Option<(String, u32)>,
    },
    /// rr's library in the program, for a system call that it buffers or a function that it replaces.
    Buffered,
    /// No code: a system call's results, a signal's frame, or what rr restores. With the name of the system call, if
    /// there is only one that it can be.
    System(Option<String>),
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

/// How many writes were before a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// So many.
    Known(u64),
    /// At least the first number, at most the second: those between were in the same tick, and what is in memory does
    /// not tell either.
    Between(u64, u64),
}

/// The answer.
pub struct Writes {
    /// What was searched.
    pub facts: Facts,
    /// How many writes there are that match.
    pub matching: u64,
    /// How many of them changed something.
    pub changes: u64,
    /// How many were before the moment of the question. `None`: no moment was asked about, or what was found does not
    /// come so far.
    pub before: Option<Before>,
    /// The places in the code that wrote most, with how often; and how many others there are.
    pub writers: (Vec<Named>, u64),
    trace: std::path::PathBuf,
    program: Arc<Program>,
    pass: Arc<ProbePass>,
    memory: Memory,
    /// The number of the question among those of the pass.
    watch: u32,
    /// What is asked about.
    access: Access,
    /// The numbers of the writes that match; `None`: all.
    chosen: Option<Vec<u64>>,
    /// The last one before the moment that changed something, as a number of a row.
    last_change: Option<u64>,
}

/// Of each process and instruction, or none, how often it wrote, and when first.
type Counted = HashMap<(u32, Option<u64>), (u64, Moment)>;

/// Whether something was before a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
    /// In the same tick, or between the same events.
    Open,
}

/// Finds how many writes were before a moment, while they go by in their order.
#[derive(Debug)]
struct Boundary {
    now: Now,
    address: u64,
    /// So many rows were before.
    before: u64,
    /// Rows behind these, as far as it is not known of them.
    open: Vec<(Written, bool)>,
    is_behind: bool,
    is_full: bool,
    /// The last row before that changed something.
    last_change: Option<u64>,
}

impl Writes {
    /// Asks a recording.
    ///
    /// # Errors
    /// If it cannot be replayed, and if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &WritesQuery, cancel: &Cancel) -> Result<Self, Error> {
        let found = Self::ask_all(rr, recording, std::slice::from_ref(query), cancel)?;
        found.into_iter().next().ok_or_else(|| Error::question("nothing is asked"))
    }

    /// Asks a recording several questions in one pass: the answers are in the order of the questions.
    pub(super) fn ask_all(
        rr: &Rr,
        recording: &Path,
        queries: &[WritesQuery],
        cancel: &Cancel,
    ) -> Result<Vec<Self>, Error> {
        let begun = Instant::now();
        let trace = rr::resolve_trace(Some(recording))?;
        let mappings = rr::mappings(&trace, cancel)?;
        for query in queries {
            if query.length == 0 {
                return Err(Error::question("no memory is asked about: the length is 0"));
            }
            query.filter.check(mappings.events)?;
        }
        let watch = |query: &WritesQuery| {
            let place = Place::Address { address: query.address, space: None };
            let (length, access) = (query.length, query.access);
            Watch { place, length, access, last: None, values: hits::registers() }
        };
        let program = Arc::new(Program::open(&trace, mappings, &debug_paths(), cancel));
        let asked = Asked { watches: queries.iter().map(watch).collect(), ..Asked::default() };
        let pass = Arc::new(rr.pass(&trace, &asked, LIMIT, DEADLINE)?);
        let facts = Facts::new(program.mappings.events, begun.elapsed(), &pass);
        let answer = |(watch, query): (u32, &WritesQuery)| {
            let is_its = |tid| program.mappings.process_of(tid) == query.pid;
            let memory = pass.memory_of(&is_its, query.programs).ok_or_else(|| {
                let (pid, programs) = (query.pid, query.programs);
                let why =
                    format!("what was found has no memory of process {pid} as it has executed {programs} programs");
                Error::question(if pass.is_truncated { facts.notes.join("; ") } else { why })
            })?;
            let mut answer = Self {
                facts: facts.clone(),
                matching: 0,
                changes: 0,
                before: None,
                writers: (Vec::new(), 0),
                trace: trace.clone(),
                program: program.clone(),
                pass: pass.clone(),
                memory,
                watch,
                access: query.access,
                chosen: None,
                last_change: None,
            };
            answer.judge(query, cancel)?;
            answer.facts.took = begun.elapsed();
            Ok(answer)
        };
        (0..).zip(queries).map(answer).collect()
    }

    /// Looks at all writes once.
    fn judge(&mut self, query: &WritesQuery, cancel: &Cancel) -> Result<(), Error> {
        let mut boundary = query.now.clone().map(|now| Boundary::new(now, query.address));
        let mut writers = Counted::new();
        let (mut chosen, mut is_all) = (Vec::new(), true);
        let (mut others, mut of_nobody) = (0, 0);
        let mut is_cut = self.facts.is_truncated;
        for (number, found) in writes_of(&self.pass, &self.memory, self.watch)?.enumerate() {
            if number.is_multiple_of(ASKED as usize) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let (tid, written) = found?;
            let at = tid.map(|tid| self.moment(tid, &written));
            let Some(at) = at.filter(|at| query.filter.holds(at, self.completed(&written).unwrap_or_default())) else {
                of_nobody += u64::from(tid.is_none());
                is_all = false;
                continue;
            };
            if chosen.len() >= MOST {
                self.facts.notes.push(format!("only the first {MOST} writes are told"));
                is_cut = true;
                break;
            }
            chosen.push(number as u64);
            let is_change = written.access.writes() && written.before != written.after;
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
            if let Some(boundary) = &mut boundary {
                let side = self.side(&boundary.now, &at, &written);
                boundary.add(side, written, is_change);
            }
        }
        self.chosen = (!is_all).then_some(chosen);
        if of_nobody > 0 {
            self.facts
                .notes
                .push(format!("{of_nobody} more writes by rr are left out: it is not known in which process"));
        }
        if let Some(boundary) = boundary.filter(|boundary| boundary.is_behind || !is_cut) {
            let (before, last_change) = boundary.finish();
            (self.before, self.last_change) = (Some(before), last_change);
        }
        self.writers = self.named(writers, others)?;
        Ok(())
    }

    /// Returns how many events were completed then: the least and the most that can be.
    fn completed(&self, written: &Written) -> Option<(u64, u64)> {
        written.thread.map(|thread| self.pass.completed_between(thread, written.ticks))
    }

    /// Returns when a write was, without its registers.
    fn moment(&self, tid: u32, written: &Written) -> Moment {
        let pc = match written.writer {
            Writer::Instruction(pc) => Some(pc),
            Writer::System => None,
        };
        let (event, latest) = self.completed(written).map_or((None, None), hits::between);
        Moment {
            event,
            latest,
            is_again: false,
            ticks: written.ticks,
            pid: self.program.mappings.process_of(tid),
            tid,
            pc,
            registers: None,
        }
    }

    /// Returns on which side of a moment a write was, as far as ticks and events tell.
    fn side(&self, now: &Now, at: &Moment, written: &Written) -> Side {
        let (before, after) =
            written.thread.map_or((None, None), |thread| self.pass.around_ticks(thread, written.ticks));
        match (at.ticks.cmp(&now.ticks), before, after) {
            // A thread's ticks do not go back.
            (std::cmp::Ordering::Less, ..) if at.tid == now.tid => Side::Before,
            (std::cmp::Ordering::Greater, ..) if at.tid == now.tid => Side::Behind,
            (_, _, Some(after)) if after <= now.event => Side::Before,
            (_, Some(before), _) if before > now.event => Side::Behind,
            _ => Side::Open,
        }
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
                Some(pc) if named.len() < MOST_NAMED * 4 => self.author(Some(pc), &at)?.to_string(),
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

    /// Returns who has written at `pc`.
    fn author(&self, pc: Option<u64>, at: &Moment) -> Result<Author, Error> {
        author(&self.program, pc, at)
    }

    /// Returns what is asked about.
    pub const fn access(&self) -> Access {
        self.access
    }

    /// Returns what is at an address of the process of a moment: `<table+8>`.
    pub fn symbol(&self, at: &Moment, address: u64) -> Option<String> {
        self.program.symbol(at.pid, at.event.map_or(u64::MAX, |event| event.saturating_add(1)), address)
    }

    /// Returns the number of the last write before the moment of the question, as a row.
    pub fn last(&self) -> Option<u64> {
        match self.before? {
            Before::Known(count) | Before::Between(count, _) => count.checked_sub(1),
        }
    }

    /// Returns the number of the last of those that changed something.
    pub fn last_change(&self) -> Option<u64> {
        self.last_change
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
        let (mut rows, mut calls, mut visits) = (Vec::new(), Calls::default(), Visits::default());
        for (number, found) in writes_of(&self.pass, &self.memory, self.watch)?.enumerate() {
            let Some(next) = wanted.peek() else { break };
            if number.is_multiple_of(ASKED as usize) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let (tid, written) = found?;
            let is_again = match (written.thread, &written.writer) {
                (Some(thread), Writer::Instruction(pc)) => visits.again(thread, written.ticks, *pc),
                _ => false,
            };
            if *next != number as u64 {
                continue;
            }
            wanted.next();
            let at = tid.map(|tid| Moment {
                is_again,
                registers: hits::hash_of(&written.values),
                ..self.moment(tid, &written)
            });
            let author = match (&written.writer, &at) {
                (Writer::Instruction(pc), Some(at)) => self.author(Some(*pc), at)?,
                (Writer::Instruction(_), None) => Author::Code { function: None, line: None },
                (Writer::System, Some(at)) => {
                    calls.ask(rows.len(), at.tid, self.events_at(&written));
                    Author::System(None)
                }
                (Writer::System, None) => Author::System(None),
            };
            let Written { access, is_locked, address, length, before, after, .. } = written;
            let after = if access.writes() { after } else { before.clone() };
            // Of what is written, it is not asked whether it was read, too.
            let access = if self.access.reads() { access } else { Access::Write };
            rows.push(WriteRow { at, author, access, is_locked, address, length, before, after });
        }
        for (row, name) in calls.names(&self.trace, cancel)? {
            if let Some(row) = rows.get_mut(row) {
                row.author = Author::System(Some(name));
            }
        }
        Ok(rows)
    }

    /// Returns from which event to which a write was, as far as its thread's ticks tell.
    fn events_at(&self, written: &Written) -> (u64, u64) {
        let around = written.thread.map_or((None, None), |thread| self.pass.around_ticks(thread, written.ticks));
        (
            around.0.map_or(0, |event| event.saturating_add(1)),
            around.1.map_or(u64::MAX, |event| event.saturating_sub(1)),
        )
    }
}

/// Returns who has written at `pc`, or read.
pub(super) fn author(program: &Program, pc: Option<u64>, at: &Moment) -> Result<Author, Error> {
    let Some(pc) = pc else { return Ok(Author::System(None)) };
    let event = at.event.map_or(u64::MAX, |event| event.saturating_add(1));
    let Some((module, bias)) = program.at(at.pid, event, pc) else {
        return Ok(Author::Code { function: None, line: None });
    };
    if module.is_rr {
        return Ok(Author::Buffered);
    }
    let link = RunAddr(pc).linked(bias);
    program.ask(|| {
        let function = module.image.function_at(link).map(|function| function.name);
        let function = function.or_else(|| program.symbol(at.pid, event, pc));
        let line = module.line(link).map(|(_, file, line)| (file, line));
        Author::Code { function, line }
    })
}

/// The system calls that have written, which are looked for in one reading of the trace.
#[derive(Debug, Default)]
struct Calls(BTreeMap<(u32, u64, u64), Sought>);

/// What happened to a thread between two events.
#[derive(Debug, Default)]
struct Sought {
    /// The rows of which it is asked.
    rows: Vec<usize>,
    /// How much: system calls, and signals.
    count: u64,
    name: Option<String>,
}

impl Calls {
    /// Takes note that a row asks what happened to a thread between these events.
    fn ask(&mut self, row: usize, tid: u32, (from, to): (u64, u64)) {
        self.0.entry((tid, from, to)).or_default().rows.push(row);
    }

    /// Takes note that something happened.
    fn take(&mut self, tid: u32, event: u64, name: Option<&str>) {
        for (_, sought) in self.0.range_mut((tid, 0, 0)..=(tid, event, u64::MAX)).filter(|((.., to), _)| event <= *to) {
            sought.count += 1;
            sought.name = name.map(str::to_owned);
        }
    }

    /// Rows with the system call that has written, if there is only one that it can be.
    fn names(mut self, trace: &Path, cancel: &Cancel) -> Result<Vec<(usize, String)>, Error> {
        let from = self.0.keys().map(|(_, from, _)| *from).min();
        let to = self.0.keys().map(|(.., to)| *to).max();
        let (Some(from), Some(to)) = (from, to) else { return Ok(Vec::new()) };
        let query = rr::TimelineQuery {
            from,
            to,
            topics: [rr::Topic::Call, rr::Topic::Signal].into(),
            pid: None,
            tid: None,
            calls: Vec::new(),
            failed: false,
            skip: 0,
            limit: 0,
        };
        rr::happenings(trace, &query, cancel, &mut |row| {
            let name = match &row.what {
                rr::Happening::Call(call) => Some(call.name.as_str()),
                _ => None,
            };
            self.take(row.tid, row.event, name);
        })?;
        let only = self.0.into_values().filter(|sought| sought.count == 1);
        let named = only.filter_map(|sought| Some((sought.rows, sought.name?)));
        Ok(named.flat_map(|(rows, name)| rows.into_iter().map(move |row| (row, name.clone()))).collect())
    }
}

/// Iterates over the writes of one of a pass's watches to a memory, with the threads that wrote.
fn writes_of<'a>(
    pass: &'a ProbePass,
    memory: &'a Memory,
    watch: u32,
) -> Result<impl Iterator<Item = Result<(Option<u32>, Written), Error>> + 'a, Error> {
    let found = pass.writes_to(memory)?.map(|found| found.map_err(Error::from));
    Ok(found.filter(move |found| found.as_ref().map_or(true, |(_, written)| written.watch == watch)))
}

impl std::fmt::Debug for Writes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writes").field("facts", &self.facts).field("matching", &self.matching).finish_non_exhaustive()
    }
}

impl Boundary {
    fn new(now: Now, address: u64) -> Self {
        Self { now, address, before: 0, open: Vec::new(), is_behind: false, is_full: false, last_change: None }
    }

    /// Adds a write.
    fn add(&mut self, side: Side, written: Written, is_change: bool) {
        match side {
            _ if self.is_behind => {}
            Side::Before => {
                // What came by before this was before it.
                for is_change in
                    std::mem::take(&mut self.open).iter().map(|(_, is_change)| *is_change).chain([is_change])
                {
                    self.count(is_change);
                }
            }
            Side::Behind => self.is_behind = true,
            Side::Open if self.open.len() < MOST_OPEN => self.open.push((written, is_change)),
            Side::Open => self.is_full = true,
        }
    }

    /// Counts one that was before.
    fn count(&mut self, is_change: bool) {
        if is_change {
            self.last_change = Some(self.before);
        }
        self.before += 1;
    }

    /// Returns how many writes were before, and the last of them that changed something.
    fn finish(mut self) -> (Before, Option<u64>) {
        let count = self.open.len();
        // After so many of the open ones, memory is as it is now: the last one has left it so, and the next one finds
        // it.
        let fits = |done: &usize| {
            let is = |written: &Written, bytes: &[u8]| {
                let offset = written.address.checked_sub(self.address).and_then(|offset| usize::try_from(offset).ok());
                let there = offset.and_then(|offset| self.now.content.get(offset..offset.checked_add(bytes.len())?));
                there.is_some_and(|there| there == bytes)
            };
            let last = done.checked_sub(1).and_then(|last| self.open.get(last));
            let next = self.open.get(*done);
            last.is_none_or(|(written, _)| is(written, &written.after))
                && next.is_none_or(|(written, _)| is(written, &written.before))
        };
        let fitting: Vec<usize> = (0..=count).filter(fits).collect();
        let (least, most) = match fitting.as_slice() {
            [only] if !self.is_full => (*only, *only),
            [least, .., most] if !self.is_full => (*least, *most),
            _ => (0, count),
        };
        let spread = (most - least) as u64;
        for (_, is_change) in std::mem::take(&mut self.open).into_iter().take(least) {
            self.count(is_change);
        }
        let before = match spread {
            0 => Before::Known(self.before),
            _ => Before::Between(self.before, self.before + spread),
        };
        (before, self.last_change)
    }
}

/// As in `store at table.c:33`.
impl std::fmt::Display for Author {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code { function: Some(function), line: Some((file, line)) } => {
                write!(f, "{function} at {file}:{line}")
            }
            Self::Code { function: Some(function), line: None } => f.write_str(function),
            Self::Code { function: None, line: Some((file, line)) } => write!(f, "{file}:{line}"),
            Self::Code { function: None, line: None } => f.write_str("code of no known file"),
            Self::Buffered => f.write_str(BY_RR),
            Self::System(Some(name)) => write!(f, "the system call {name}"),
            Self::System(None) => f.write_str("a system call, or a signal that comes or returns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::softcounters::probes::Values;
    use Side::{Before as Was, Behind, Open};

    /// One byte goes from one value to another.
    fn write(from: u8, to: u8) -> Written {
        Written {
            watch: 0,
            thread: Some(1),
            ticks: 7,
            writer: Writer::System,
            access: Access::Write,
            is_locked: false,
            address: 0x1001,
            length: 1,
            before: vec![from],
            after: vec![to],
            values: Values::default(),
        }
    }

    fn told(now: u8, writes: &[(Side, u8, u8)]) -> (Before, Option<u64>) {
        let now = Now { event: 3, ticks: 7, tid: 9, content: vec![0xee, now] };
        let mut boundary = Boundary::new(now, 0x1000);
        for (side, from, to) in writes {
            boundary.add(*side, write(*from, *to), from != to);
        }
        boundary.finish()
    }

    #[test]
    fn in_one_tick_memory_tells_what_was_before() {
        let tick = [(Was, 0, 1), (Open, 1, 2), (Open, 2, 3), (Behind, 3, 4)];
        assert_eq!(told(1, &tick), (Before::Known(1), Some(0)));
        assert_eq!(told(2, &tick), (Before::Known(2), Some(1)));
        assert_eq!(told(3, &tick), (Before::Known(3), Some(2)));
        assert_eq!(told(4, &[]), (Before::Known(0), None));
    }

    #[test]
    fn what_memory_does_not_tell_is_said_to_be_so() {
        // There and back: it is before both or behind both.
        assert_eq!(told(1, &[(Open, 1, 2), (Open, 2, 1)]), (Before::Between(0, 2), None));
        assert_eq!(told(1, &[(Was, 0, 1), (Open, 1, 1)]), (Before::Between(1, 2), Some(0)));
        // Nothing fits: something is not known of, or the content is not.
        assert_eq!(told(9, &[(Open, 1, 2)]), (Before::Between(0, 1), None));
    }

    #[test]
    fn what_comes_by_before_what_was_before_was_before() {
        let writes = [(Open, 0, 1), (Open, 1, 1), (Was, 1, 1), (Behind, 1, 2), (Open, 2, 3)];
        assert_eq!(told(1, &writes), (Before::Known(3), Some(0)));
    }

    #[test]
    fn a_system_call_is_named_where_nothing_else_happened_in_its_tick() {
        let mut calls = Calls::default();
        for (row, span) in [(0, (1, 5)), (1, (6, 9)), (2, (1, 5)), (3, (20, u64::MAX))].into_iter() {
            calls.ask(row, 7, span);
        }
        for (tid, event, name) in
            [(7, 5, Some("read")), (8, 5, Some("write")), (7, 6, Some("pipe")), (7, 9, None), (7, 15, Some("brk"))]
        {
            calls.take(tid, event, name);
        }
        let told: Vec<_> = calls.0.values().map(|sought| (sought.rows.clone(), sought.count)).collect();
        assert_eq!(told, [(vec![0, 2], 1), (vec![1], 2), (vec![3], 0)]);
        let nothing = Calls::default().names(Path::new("/nonexistent"), &Cancel::new());
        assert!(nothing.unwrap().is_empty(), "no trace is read for nothing");
    }
}
