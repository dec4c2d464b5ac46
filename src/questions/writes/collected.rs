//! What a pass has found of the writes to one range of memory, and the reads of it.

use super::author::{Author, Calls, author};
use super::boundary::{Row, Side};
use super::rounds::Rounds;
use super::{Now, WriteRow};
use crate::error::Error;
use crate::hits::{self, Moment};
use crate::program::Program;
use crate::shared::Shared;
use base::cancel::Cancel;
use rr::{Memory, ProbePass, ProbeRecord};
use softcounters::probes::{Access, Damage, Writer, Written};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// What a pass has found.
pub(super) struct WritesPass {
    pub(super) trace: PathBuf,
    pub(super) program: Arc<Program>,
    pub(super) pass: Arc<ProbePass>,
    pub(super) memory: Memory,
    /// The memory, if whoever shares it is asked about.
    pub(super) shared: Option<Shared>,
    /// The watches of the question among those of the pass.
    pub(super) watches: Range<u32>,
    /// What is asked about.
    pub(super) access: Access,
}

impl WritesPass {
    /// Returns how many events were completed then: the least and the most that can be.
    pub(super) fn completed(&self, written: &Written) -> Option<(u64, u64)> {
        self.pass.completed_at(written)
    }

    /// Returns when a write was, without its registers.
    pub(super) fn moment(&self, tid: u32, written: &Written) -> Moment {
        let pc = match written.writer {
            Writer::Instruction(pc) => Some(pc),
            Writer::System => None,
        };
        let (event, latest) = self.completed(written).map_or((None, None), hits::between);
        Moment {
            event,
            latest,
            visit: None,
            ticks: written.ticks,
            pid: self.program.mappings.process_of(tid),
            tid,
            pc,
            registers: None,
        }
    }

    /// Iterates over the hits, and the writes to the memory that is asked about, in the order of the execution.
    pub(super) fn records(&self) -> Result<Box<dyn Iterator<Item = Result<ProbeRecord, Damage>> + '_>, Error> {
        Ok(match self.shared {
            Some(_) => Box::new(self.pass.hits_and_all_writes()?),
            None => Box::new(self.pass.hits_and_writes(&self.memory)?),
        })
    }

    /// Returns where the process that is asked about has what was written; `None` if it has not.
    pub(super) fn own(&self, tid: u32, written: &Written) -> Option<u64> {
        let Some(shared) = &self.shared else { return Some(written.address) };
        let by_rr = (written.writer == Writer::System).then(|| {
            let (before, after) = self.pass.around_write(written);
            (before.map_or(0, |event| event.saturating_add(1)), after.map_or(u64::MAX, |event| event.saturating_sub(1)))
        });
        shared.own_of(&self.program.mappings, self.mapped(&self.moment(tid, written)), written.address, by_rr)
    }

    /// Returns a write as its process has it, of one as the process has it that is asked about.
    pub(super) fn of_writer(&self, (tid, written): Row) -> Row {
        let address = self.shared.as_ref().zip(tid).and_then(|(shared, tid)| {
            shared.other_of(&self.program.mappings, self.mapped(&self.moment(tid, &written)), written.address)
        });
        (tid, Written { address: address.unwrap_or(written.address), ..written })
    }

    /// Returns the process of a moment, and up to which event mappings count there.
    fn mapped(&self, at: &Moment) -> (u32, u64) {
        (at.pid, at.event.map_or(u64::MAX, |event| event.saturating_add(1)))
    }

    /// Returns on which side of a moment a write was, as far as ticks and events tell.
    pub(super) fn side(&self, now: &Now, at: &Moment, written: &Written) -> Side {
        let (before, after) = self.pass.around_write(written);
        match (at.ticks.cmp(&now.ticks), before, after) {
            // A thread's ticks do not go back. Within one, events do not tell: rr counts one that empties its buffer of
            // system calls as completed from the last of these calls on.
            (std::cmp::Ordering::Less, ..) if at.tid == now.tid => Side::Before,
            (std::cmp::Ordering::Greater, ..) if at.tid == now.tid => Side::Behind,
            _ if at.tid == now.tid => Side::Open,
            // Which event it is a part of decides.
            _ if written.events.is_some_and(|(_, last)| last <= now.event) => Side::Before,
            _ if written.events.is_some_and(|(first, _)| first > now.event) => Side::Behind,
            (_, _, Some(after)) if after <= now.event => Side::Before,
            (_, Some(before), _) if before > now.event => Side::Behind,
            _ => Side::Open,
        }
    }

    /// Returns who has written at `pc`, or read.
    pub(super) fn author(&self, pc: Option<u64>, at: &Moment) -> Result<Author, Error> {
        author(&self.program, pc, at)
    }

    /// Returns what is at an address of the process of a moment: `<table+8>`.
    pub(super) fn symbol(&self, at: &Moment, address: u64) -> Option<String> {
        self.program.symbol(at.pid, at.event.map_or(u64::MAX, |event| event.saturating_add(1)), address)
    }

    /// Returns writes as they are told.
    pub(super) fn rows(
        &self,
        found: impl Iterator<Item = Result<Row, Error>>,
        cancel: &Cancel,
    ) -> Result<Vec<WriteRow>, Error> {
        let (mut rows, mut calls, mut rounds) = (Vec::new(), Calls::default(), Rounds::default());
        for found in found {
            let (tid, written) = found?;
            // Nothing is said of a thread that need not be the one.
            let at = tid.filter(|_| written.is_of_thread()).map(|tid| Moment {
                visit: written.visit,
                registers: rounds.registers(self, tid, &written),
                ..self.moment(tid, &written)
            });
            let author = match (&written.writer, &at) {
                (Writer::Instruction(pc), Some(at)) => self.author(Some(*pc), at)?,
                (Writer::Instruction(_), None) => Author::Code { function: None, line: None },
                (Writer::System, Some(at)) => {
                    if let Some(events) = written.events {
                        calls.ask(rows.len(), at.tid, events);
                    }
                    Author::System(None)
                }
                (Writer::System, None) => Author::SystemOfUnknown,
            };
            let address = tid.map_or(Some(written.address), |tid| self.own(tid, &written)).unwrap_or(written.address);
            let Written { access, is_locked, length, before, after, .. } = written;
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
}
