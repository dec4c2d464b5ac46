//! Passes that look for the last time that something happened before a moment.

use super::snapshot::Snapshot;
use crate::answer::{ASKED, LIMIT};
use crate::error::Error;
use crate::hits::{self, Visits};
use crate::program::Program;
use crate::shared::Shared;
use arch::RunAddr;
use base::cancel::Cancel;
use rr::{ProbePass, ProbeRecord, Rr, UpTo};
use softcounters::probes::{Access, Asked, Damage, Place, Probe, Value, Watch, Writer, Written};
use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::time::Instant;

/// Most places of one pass.
const MOST_PLACES: usize = 2000;

/// So many of the last writes to each address of shared memory are looked at.
const LAST_OF_SHARED: u32 = 16;

/// What is looked for.
pub(super) struct Ask<'a> {
    /// Before this.
    pub(super) before: &'a Snapshot,
    /// Instructions, by their addresses in the process.
    pub(super) at: &'a [u64],
    /// Writes to this memory.
    pub(super) memory: Option<Area<'a>>,
    /// What is collected at the instructions besides.
    pub(super) texts: Vec<Value>,
}

/// Memory whose writes are looked for.
#[derive(Clone, Copy)]
pub(super) struct Area<'a> {
    pub(super) address: u64,
    pub(super) length: u64,
    /// How many of the last writes are enough. `None`: none but all.
    pub(super) last: Option<u32>,
    /// Where else the memory is, if it is shared: whoever has written to it is looked for.
    pub(super) shared: Option<&'a Shared>,
}

/// What a file has of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Initial {
    /// What cannot be written.
    Constant,
    /// What a variable begins with.
    Variable,
    /// Nothing: it is zero at first.
    Zero,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The state before it; of what rr has written, nothing but the thread and the time is known.
    pub(super) state: Snapshot,
    /// What was written, if it was a write.
    pub(super) written: Option<Written>,
    /// Whether it was written by an instruction.
    pub(super) is_code: bool,
    /// From which event to which rr may have written it.
    pub(super) events: (u64, u64),
    /// Where the process that is asked about has what was written, if that is shared memory.
    pub(super) own: Option<u64>,
}

impl Seen {
    /// Returns the first and the last event of which it may be, if rr has written it for the kernel and it is known for
    /// which thread.
    pub(super) fn by_kernel(&self) -> Option<(u64, u64)> {
        self.written.as_ref()?.events
    }
}

/// What a pass has found.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// The last time that something wanted happened before.
    pub(super) last: Option<Seen>,
    /// The state at the moment itself, if the pass came by there.
    pub(super) reached: Option<Snapshot>,
    /// There was too much to be written down.
    pub(super) is_cut: bool,
}

/// Asks a recording, one pass after the other.
pub(super) struct Looker<'a> {
    pub(super) rr: &'a Rr,
    pub(super) trace: PathBuf,
    pub(super) program: &'a Program,
    pub(super) pid: u32,
    pub(super) programs: usize,
    pub(super) cancel: &'a Cancel,
    /// When the time is up.
    pub(super) until: Instant,
    /// How many passes were made.
    pub(super) passes: Cell<u32>,
    /// There was too much to be written down in the last one.
    pub(super) was_cut: Cell<bool>,
    /// What was found last, which knows the events of threads.
    known: RefCell<Option<ProbePass>>,
}

impl<'a> Looker<'a> {
    pub(super) fn new(
        rr: &'a Rr,
        trace: PathBuf,
        program: &'a Program,
        (pid, programs): (u32, usize),
        cancel: &'a Cancel,
        until: Instant,
    ) -> Self {
        Self {
            rr,
            trace,
            program,
            pid,
            programs,
            cancel,
            until,
            passes: Cell::new(0),
            was_cut: Cell::new(false),
            known: RefCell::new(None),
        }
    }

    /// Returns how many events are completed where a thread has executed so many branches.
    pub(super) fn event_at(&self, thread: u32, ticks: u64) -> Option<u64> {
        self.known.borrow().as_ref().map(|pass| pass.completed_between(thread, ticks).0)
    }

    fn place(&self, event: u64, at: u64) -> Place {
        match self.program.at(self.pid, event, at) {
            Some((module, bias)) => {
                Place::Module { module: module.identity.clone(), address: RunAddr(at).linked(bias).0 }
            }
            None => Place::Address { address: at, space: None },
        }
    }

    /// Returns the last time before a moment that something happened that is wanted.
    pub(super) fn last(&self, ask: &Ask<'_>, is_wanted: &dyn Fn(&Seen) -> bool) -> Result<Looked, Error> {
        let Ask { before, at, memory, texts } = ask;
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let event = before.mapped();
        // What is asked first at one place is told first.
        let anchor = before.anchor.as_deref().map(|anchor| &anchor.pc);
        let places = std::iter::once(&before.pc).chain(at.iter()).chain(anchor).take(MOST_PLACES);
        let values = || Snapshot::values().into_iter().chain(texts.iter().cloned()).collect();
        let probes = places.map(|at| Probe::new(self.place(event, *at), values())).collect();
        let watch = |address: u64, length: u64, last: Option<u32>| Watch {
            place: Place::Address { address, space: None },
            length,
            access: Access::Write,
            // Whatever is told besides, the last one before it is told.
            last,
            values: Snapshot::values(),
        };
        let watches = memory.map_or_else(Vec::new, |Area { address, length, last, shared }| match shared {
            // What a process has there before or afterwards is not shared, perhaps.
            Some(shared) => {
                shared.addresses.iter().map(|at| watch(*at, length, last.map(|_| LAST_OF_SHARED))).collect()
            }
            None => vec![watch(address, length, last)],
        });
        let asked = Asked { probes, watches, ..Asked::default() };
        let moment = UpTo {
            tid: before.tid,
            thread: before.thread,
            ticks: before.ticks,
            event: before.event,
            // Only the moment is looked for then.
            hits_from: (at.is_empty() && before.is_exact).then_some(before.ticks),
        };
        self.passes.set(self.passes.get() + 1);
        let patience = self.until.saturating_duration_since(Instant::now());
        let pass = self.rr.pass_up_to(&self.trace, &asked, &moment, LIMIT, patience)?;
        self.was_cut.set(pass.is_truncated);
        let looked = self.read(&pass, ask, is_wanted);
        *self.known.borrow_mut() = Some(pass);
        looked
    }

    fn read(&self, pass: &ProbePass, ask: &Ask<'_>, is_wanted: &dyn Fn(&Seen) -> bool) -> Result<Looked, Error> {
        let before = ask.before;
        let mappings = &self.program.mappings;
        let is_its = |tid| mappings.process_of(tid) == self.pid;
        let is_cut = pass.is_truncated;
        let shared = ask.memory.and_then(|area| area.shared);
        let Some(memory) = pass.memory_of(&is_its, self.programs) else {
            return Ok(Looked { is_cut, ..Looked::default() });
        };
        let records: Box<dyn Iterator<Item = Result<ProbeRecord, Damage>> + '_> = match shared {
            Some(_) => Box::new(pass.hits_and_all_writes()?),
            None => Box::new(pass.hits_and_writes(&memory)?),
        };
        let mut visits = Visits::default();
        // Up to the moment; and what is before it by ticks and events alone.
        let (mut last, mut decided, mut by_time) = (None, None, None);
        let mut reached: Option<Snapshot> = None;
        for (number, record) in records.enumerate() {
            if number.is_multiple_of(ASKED as usize) && self.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let record = record?;
            let is_moment = matches!(&record, ProbeRecord::Hit(hit) if hit.probe == 0);
            let is_anchor = matches!(&record, ProbeRecord::Hit(hit) if hit.probe == ask.at.len() + 1);
            let Some(mut seen) = self.seen(pass, record, &mut visits, ask.at) else { continue };
            if let (Some(shared), Some(written)) = (shared, &seen.written) {
                let (by_rr, at) = ((!seen.is_code).then_some(seen.events), (seen.state.pid, seen.state.mapped()));
                seen.own = shared.own_of(mappings, at, written.address, by_rr);
                if seen.own.is_none() {
                    continue;
                }
            }
            let state = &seen.state;
            let is_own = state.tid == before.tid;
            if is_own && state.ticks > before.ticks {
                break;
            }
            if is_anchor {
                let is_it = |anchor: &Snapshot| anchor.ticks == state.ticks && anchor.registers == state.registers;
                if is_own && decided.is_some() && before.anchor.as_deref().is_some_and(is_it) {
                    break;
                }
                continue;
            }
            if is_moment {
                let is_in_time = state.ticks == before.ticks || !before.is_exact && state.ticks < before.ticks;
                let is_there = before.sp().is_none() || before.sp() == state.sp();
                if is_own && is_in_time && is_there {
                    reached = Some(seen.state.clone());
                    decided = Some(last.clone());
                    let known = before.registers.iter().zip(&state.registers);
                    if before.is_exact && known.into_iter().all(|(one, other)| one.is_some() && one == other) {
                        break;
                    }
                }
                continue;
            }
            if !is_wanted(&seen) {
                continue;
            }
            let is_before = match state.thread {
                _ if is_own => state.ticks <= before.ticks,
                _ if seen.by_kernel().is_some() => before.event.is_some_and(|event| seen.events.1 <= event),
                Some(thread) => {
                    pass.around_ticks(thread, state.ticks).1.is_some_and(|after| Some(after) <= before.event)
                }
                None => false,
            };
            if is_before {
                by_time = Some(seen.clone());
            }
            last = Some(seen);
        }
        // Where the moment was not come to, what is missing may have been later.
        let last = decided.unwrap_or(if is_cut { None } else { by_time });
        Ok(Looked { last, reached, is_cut })
    }

    fn seen(&self, pass: &ProbePass, record: ProbeRecord, visits: &mut Visits, at: &[u64]) -> Option<Seen> {
        let new = |thread: Option<u32>, tid: u32, ticks, pc| Snapshot {
            thread,
            tid,
            pid: self.program.mappings.process_of(tid),
            ticks,
            pc,
            registers: [None; 16],
            stack: Vec::new(),
            texts: Vec::new(),
            vectors: Vec::new(),
            frame: None,
            event: thread.map(|thread| pass.completed_between(thread, ticks).0),
            visit: None,
            is_exact: true,
            anchor: None,
        };
        match record {
            ProbeRecord::Hit(hit) => {
                let pc = hit.probe.checked_sub(1).and_then(|number| at.get(number)).copied();
                let mut state = new(Some(hit.thread), hit.tid, hit.ticks, pc.unwrap_or_default());
                state.fill(&hit.values);
                state.visit = visits.count(
                    hit.thread,
                    hit.ticks,
                    hits::Place { registers: state.hash(), ..hits::Place::at(hit.probe as u64) },
                );
                Some(Seen { state, written: None, is_code: true, events: (0, 0), own: None })
            }
            ProbeRecord::Written(tid, written) => {
                let around = pass.around_write(&written);
                let events = (
                    around.0.map_or(0, |event| event.saturating_add(1)),
                    around.1.map_or(u64::MAX, |event| event.saturating_sub(1)),
                );
                let (pc, is_code) = match written.writer {
                    Writer::Instruction(pc) => (pc, true),
                    Writer::System => (0, false),
                };
                let mut state = new(written.thread, tid.unwrap_or_default(), written.ticks, pc);
                state.event = pass.completed_at(&written).map(|(least, _)| least);
                state.fill(&written.values);
                if let (true, Some(thread)) = (is_code, written.thread) {
                    // Writes and places are not the same.
                    let place = hits::Place { registers: state.hash(), ..hits::Place::at(pc.wrapping_add(1 << 63)) };
                    let visit = visits.count(thread, written.ticks, place);
                    state.visit = written.visit.or_else(|| visit.filter(|_| !written.is_again));
                }
                Some(Seen { state, is_code, events, written: Some(written), own: None })
            }
            ProbeRecord::Skipped(..) => None,
        }
    }

    /// Returns what was in memory before a moment, of at most eight bytes, and nothing if that is not known.
    pub(super) fn memory_before(
        &self,
        address: u64,
        length: usize,
        before: &Snapshot,
    ) -> Result<Option<Vec<u8>>, Error> {
        let memory = Some(Area { address, length: length as u64, last: Some(1), shared: None });
        let ask = Ask { before, at: &[], memory, texts: Vec::new() };
        let looked = self.last(&ask, &|seen| seen.written.is_some())?;
        Ok(match looked.last.and_then(|seen| seen.written) {
            Some(written) => Some(written.after).filter(|after| written.address == address && after.len() == length),
            None if looked.is_cut => None,
            None => self.initial(address, length, before.mapped()).map(|(bytes, _)| bytes),
        })
    }

    /// Returns what the file of a module has at an address, and how.
    pub(super) fn initial(&self, address: u64, length: usize, event: u64) -> Option<(Vec<u8>, Initial)> {
        let (module, bias) = self.program.at(self.pid, event, address)?;
        let link = RunAddr(address).linked(bias);
        let segments = module.image.segments();
        if let Some(bytes) = module.image.file_bytes(link, length) {
            let holds = |s: &&dwarf::Segment| link.0.checked_sub(s.address.0).is_some_and(|into| into < s.size);
            let is_variable = segments.iter().find(holds).is_some_and(|segment| segment.writable);
            return Some((bytes.to_vec(), if is_variable { Initial::Variable } else { Initial::Constant }));
        }
        let in_memory = |s: &&dwarf::Segment| {
            link.0
                .checked_sub(s.address.0)
                .is_some_and(|into| into >= s.file_size && into.saturating_add(length as u64) <= s.size)
        };
        segments.iter().find(in_memory).map(|_| (vec![0; length], Initial::Zero))
    }
}
