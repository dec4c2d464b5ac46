//! The last writes to memory before a moment.

use super::bit_field::is_change;
use super::boundary::{Before, Boundary, Row};
use super::collected::WritesPass;
use super::moved::{Moved, moved};
use super::rounds::Rounds;
use super::{Now, WriteRow, WritesQuery, arrival, memory_of, opened, watch};
use crate::answer::{ASKED, DEADLINE, Facts, LIMIT};
use crate::error::Error;
use crate::hits::{Moment, Visits};
use crate::program::Program;
use crate::shared::Shared;
use base::cancel::Cancel;
use ctype::Bits;
use engine::Object;
use rr::{ProbePass, ProbeRecord, Rr, UpTo};
use softcounters::probes::{Access, Asked};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastWritesQuery {
    /// Where the memory begins.
    pub address: u64,
    /// How many bytes.
    pub length: u64,
    /// The bits of a bit-field within these bytes: a write that leaves them does not change it.
    pub bits: Option<Bits>,
    /// In the memory of this process.
    pub pid: u32,
    /// When it has executed so many programs: an address means something in one of them only.
    pub programs: usize,
    /// Before which moment; if several questions are asked together, it is the same for all. `None`: it is not known.
    pub now: Option<Now>,
    /// Most rows: 1 to 65536.
    pub most: u32,
    /// Whoever shares the memory is asked about, if it is shared.
    pub of_all: bool,
}

impl LastWritesQuery {
    /// Returns what is asked about an object, in the memory of its process: who has written to it last, before the moment.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub fn of(trace: &Path, object: &Object) -> Result<Self, rr::Error> {
        let WritesQuery { address, length, bits, pid, programs, .. } = WritesQuery::of(trace, object)?;
        let now = object.position.moment.map(|moment| Now {
            event: moment.event,
            ticks: moment.ticks,
            tid: object.position.thread.tid,
            content: object.content.clone(),
            place: object.moment.map(|(moment, registers)| super::Place { moment, registers }),
        });
        Ok(Self { address, length, bits, pid, programs, now, most: 1, of_all: true })
    }
}

/// The answer.
pub struct LastWrites {
    /// What was searched.
    pub facts: Facts,
    /// How many writes were before the moment. `None`: no moment was asked about, or what was found does not come so
    /// far.
    pub before: Option<Before>,
    /// How many writes there are in the whole recording. `None`: it was searched up to the moment only.
    pub matching: Option<u64>,
    found: WritesPass,
    /// The last ones before the moment, in the order of the execution.
    last: Vec<Row>,
    /// The last one before the moment that changed something.
    last_change: Option<Row>,
    /// Writes that may be to this memory, of which it is not known for which thread they are.
    pub left_out: u64,
    /// The process, the memory, and up to which event it is asked about.
    place: (u32, Range<u64>, u64),
    address: u64,
    bits: Option<Bits>,
}

impl LastWrites {
    /// Asks a recording.
    ///
    /// # Errors
    /// If it cannot be replayed, and if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &LastWritesQuery, cancel: &Cancel) -> Result<Self, Error> {
        let found = Self::ask_all(rr, recording, std::slice::from_ref(query), cancel)?;
        found.into_iter().next().ok_or_else(|| Error::question("nothing is asked"))
    }

    /// Asks a recording several questions about one moment in one pass: the answers are in the order of the questions.
    pub(crate) fn ask_all(
        rr: &Rr,
        recording: &Path,
        queries: &[LastWritesQuery],
        cancel: &Cancel,
    ) -> Result<Vec<Self>, Error> {
        let found = Self::ask_once(rr, recording, queries, None, cancel)?;
        let is_open = |answer: &Self| matches!(answer.before, Some(Before::Between(..)));
        let place = queries.first().and_then(|query| query.now.as_ref()?.place.clone());
        match place.filter(|_| found.iter().any(is_open)) {
            Some(place) => Self::ask_once(rr, recording, queries, Some(&place), cancel),
            None => Ok(found),
        }
    }

    /// Asks as [`Self::ask_all`] does. `place`: where in its tick the moment is, to be looked for as well, which takes a
    /// little longer.
    fn ask_once(
        rr: &Rr,
        recording: &Path,
        queries: &[LastWritesQuery],
        place: Option<&super::Place>,
        cancel: &Cancel,
    ) -> Result<Vec<Self>, Error> {
        let begun = Instant::now();
        // The last change of bits may be farther back than that of the bytes.
        let most = |query: &LastWritesQuery| query.bits.is_none().then_some(query.most);
        let (trace, program) = opened(recording, cancel)?;
        let mut asked = Asked::default();
        let mut places = Vec::new();
        for query in queries {
            let event = query.now.as_ref().filter(|_| query.of_all).map(|now| now.event.saturating_add(1));
            let shared =
                event.and_then(|event| Shared::at(&program.mappings, query.pid, event, query.address, query.length));
            let watches =
                watch(&mut asked, (query.address, query.length), shared.as_ref(), Access::Write, most(query))?;
            places.push((shared, watches));
        }
        asked.probes.extend(place.map(arrival::probe));
        let moment = queries.first().and_then(|query| query.now.as_ref()).map(|now| UpTo {
            tid: now.tid,
            thread: None,
            ticks: now.ticks,
            event: Some(now.event),
            hits_from: place.map(|_| now.ticks),
        });
        let pass = match &moment {
            Some(moment) => rr.pass_up_to(&trace, &asked, moment, LIMIT, DEADLINE)?,
            None => rr.pass(&trace, &asked, LIMIT, DEADLINE)?,
        };
        let facts = facts(&program, &pass, begun, moment);
        let pass = Arc::new(pass);
        let answer = |((shared, watches), query): ((Option<Shared>, Range<u32>), &LastWritesQuery)| {
            let memory = memory_of(&program, &pass, &facts, query.pid, query.programs)?;
            let found = WritesPass {
                trace: trace.clone(),
                program: program.clone(),
                pass: pass.clone(),
                memory,
                shared,
                watches,
                access: Access::Write,
            };
            let mut answer = Self {
                facts: facts.clone(),
                before: None,
                matching: None,
                found,
                last: Vec::new(),
                last_change: None,
                left_out: 0,
                place: (
                    query.pid,
                    query.address..query.address.saturating_add(query.length),
                    query.now.as_ref().map_or(u64::MAX, |now| now.event),
                ),
                address: query.address,
                bits: query.bits,
            };
            answer.judge(query, place, cancel)?;
            answer.facts.took = begun.elapsed();
            Ok(answer)
        };
        places.into_iter().zip(queries).map(answer).collect()
    }

    /// Looks at all that was told once.
    fn judge(&mut self, query: &LastWritesQuery, place: Option<&super::Place>, cancel: &Cancel) -> Result<(), Error> {
        let (mut visits, mut rounds) = (Visits::default(), Rounds::default());
        let most = usize::try_from(query.most).unwrap_or(1);
        let mut boundary = query.now.clone().map(|now| Boundary::new(now, query.address, query.bits, most));
        let (mut matching, mut of_nobody) = (0u64, 0u64);
        let WritesPass { pass, watches, .. } = &self.found;
        for (number, record) in self.found.records()?.enumerate() {
            if number.is_multiple_of(ASKED as usize) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match record? {
                ProbeRecord::Written(None, written) if watches.contains(&written.watch) => of_nobody += 1,
                ProbeRecord::Hit(hit) => {
                    if let (Some(boundary), true) =
                        (&mut boundary, place.is_some_and(|place| arrival::is_it(place, &hit)))
                    {
                        boundary.arrive();
                    }
                }
                ProbeRecord::Written(Some(tid), mut written) if watches.contains(&written.watch) => {
                    rounds.count_visit(&self.found, &mut visits, Some(tid), &mut written);
                    let Some(address) = self.found.own(tid, &written) else { continue };
                    matching += 1;
                    written.address = address;
                    if let Some(boundary) = &mut boundary {
                        let at: Moment = self.found.moment(tid, &written);
                        let side = self.found.side(boundary.now(), &at, &written);
                        boundary.add(side, (Some(tid), written));
                    }
                }
                ProbeRecord::Skipped(skipped, writes) if watches.contains(&skipped) => {
                    matching += writes;
                    if let Some(boundary) = &mut boundary {
                        boundary.skip(writes);
                    }
                }
                _ => {}
            }
        }
        if of_nobody > 0 {
            self.facts
                .notes
                .push(format!("{of_nobody} more writes by rr are left out: it is not known for which thread"));
        }
        self.left_out = of_nobody;
        self.matching = (!pass.is_part).then_some(matching);
        if let Some(boundary) = boundary.filter(|boundary| boundary.is_behind || !self.facts.is_truncated) {
            let done = boundary.finish();
            (self.before, self.last, self.last_change) = (Some(done.before), done.last, done.last_change);
        }
        Ok(())
    }

    /// Returns how many of the last writes before the moment can be told.
    pub fn count(&self) -> usize {
        self.last.len()
    }

    /// Returns some of the last writes before the moment, in the order of the execution.
    ///
    /// # Errors
    /// If the recording cannot be read any more, and if it is cancelled.
    pub fn rows(&self, rows: Range<usize>, cancel: &Cancel) -> Result<Vec<WriteRow>, Error> {
        self.told(self.last.get(rows).unwrap_or_default(), cancel)
    }

    /// Returns the last write before the moment.
    ///
    /// # Errors
    /// As [`LastWrites::rows`].
    pub fn last(&self, cancel: &Cancel) -> Result<Option<WriteRow>, Error> {
        Ok(self.told(self.last.last().map_or(&[], std::slice::from_ref), cancel)?.pop())
    }

    /// Returns the last one that changed something, if that is another one.
    ///
    /// # Errors
    /// As [`LastWrites::rows`].
    pub fn other_change(&self, cancel: &Cancel) -> Result<Option<WriteRow>, Error> {
        let other = self.last_change.as_ref().filter(|_| {
            // What the last one has changed is the last change.
            self.last.last().is_none_or(|(_, last)| !is_change(last, self.address, self.bits))
        });
        Ok(self.told(other.map_or(&[], std::slice::from_ref), cancel)?.pop())
    }

    /// Returns the system call that has moved the memory to where it is, with what was in it, behind the last write to it
    /// there.
    ///
    /// # Errors
    /// As [`LastWrites::rows`].
    pub fn moved(&self, cancel: &Cancel) -> Result<Option<Moved>, Error> {
        let moved = moved(&self.found.trace, &self.found.program, self.place.clone(), cancel)?;
        let completed = self.last.last().and_then(|(_, last)| self.found.completed(last));
        Ok(moved.filter(|moved| self.last.is_empty() || completed.is_some_and(|(_, latest)| latest < moved.event)))
    }

    /// Returns whether a file is mapped there.
    pub fn is_of_file(&self) -> bool {
        let (pid, range, event) = &self.place;
        let mapped = self.found.program.mappings.at(*pid, event.saturating_add(1), range.start);
        mapped.is_some_and(|mapped| mapped.name.starts_with('/'))
    }

    fn told(&self, rows: &[Row], cancel: &Cancel) -> Result<Vec<WriteRow>, Error> {
        self.found.rows(rows.iter().map(|row| Ok(self.found.of_writer(row.clone()))), cancel)
    }

    /// Returns what is at an address of the process of a moment: `<table+8>`.
    pub fn symbol(&self, at: &Moment, address: u64) -> Option<String> {
        self.found.symbol(at, address)
    }
}

/// Returns what was searched.
fn facts(program: &Program, pass: &ProbePass, begun: Instant, moment: Option<UpTo>) -> Facts {
    let all = program.mappings.events;
    let last = moment.and_then(|moment| moment.event).filter(|_| pass.is_part);
    Facts::new(last.map_or(all, |last| last.min(all)), begun.elapsed(), pass)
}

impl std::fmt::Debug for LastWrites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LastWrites").field("facts", &self.facts).field("before", &self.before).finish_non_exhaustive()
    }
}
