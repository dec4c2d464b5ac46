//! Whose memory something is: the block of the heap that an address lies in, at a moment; who allocated it, who freed it.
//!
//! All calls of the functions that allocate and free are collected by one pass over a recording. From their arguments
//! and results follow the blocks that there were at an address; the callers of the few calls that matter are found by
//! another pass, which ends when it has met them.
//!
//! ```text
//! lives      the lives of blocks, from the calls that allocated and freed them
//! ```

mod lives;

use self::lives::{Event, Lives, Span, What};
use super::allocators::{Role, allocators, usual_name};
use super::answer::Facts;
use super::callers::{Begun, Frames, callers};
use super::calls::{CallRow, Calls, CallsQuery, Numbers};
use super::error::Error;
use super::hits::Moment;
use super::program::Program;
use super::writes::{LastWrites, LastWritesQuery, Now};
use base::cancel::Cancel;
use engine::model::Position;
use rr::{HitAt, Rr};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;

/// So many bytes behind a block its neighbourhood ends: an address there is said to be behind it.
const NEAR: u64 = 4096;
/// Linux maps what has no address of its own above this, and a program and its heap below (`ELF_ET_DYN_BASE`).
const MAPPINGS: u64 = 0x7000_0000_0000;
/// Bytes of an address.
const WORD: u64 = 8;
/// Most blocks at one place that are kept.
const MOST_LIVES: usize = 1 << 20;

/// All calls of a recording that allocate and free.
#[derive(Debug)]
pub struct HeapCalls {
    calls: Calls,
    roles: Vec<Role>,
}

/// What is asked about, at a moment of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapQuery {
    /// Which memory; several questions share their passes.
    pub of: Vec<HeapOf>,
    /// In which process.
    pub pid: u32,
    /// The moment. What it says of the memory is not looked at.
    pub now: Now,
}

/// Which memory is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapOf {
    /// That at an address, which is held in a variable in memory at another one, if that is given. When that was set
    /// tells which of the blocks is meant that were there.
    Address {
        /// The address.
        address: u64,
        /// Where the variable is.
        held_at: Option<u64>,
    },
    /// The block that the thread is about to free: the argument of the call that it is in.
    Freeing,
    /// The block at the highest address of the heap that grows by `brk`, of those that the process has allocated so far.
    Highest,
}

/// A call that allocated or freed.
#[derive(Clone, Debug, PartialEq)]
pub struct HeapCall {
    /// When it began.
    pub at: Moment,
    /// The function.
    pub function: String,
    /// Who called.
    pub callers: Frames,
    /// It had returned at the moment.
    pub is_over: bool,
}

/// A block.
#[derive(Clone, Debug, PartialEq)]
pub struct HeapBlock {
    /// Its first byte.
    pub base: u64,
    /// How many bytes were asked for.
    pub size: u64,
    /// Who allocated it; `None` if that is unavailable.
    pub made: Option<HeapCall>,
    /// Who freed it before the moment; `None` if nobody did.
    pub freed: Option<HeapCall>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Heap {
    /// The address.
    pub address: u64,
    /// The block that was there when the pointer was set; if that is not known, the one that holds the address at the
    /// moment; else the last one that did; else the nearest one that ends before it.
    pub block: Option<HeapBlock>,
    /// Another one, which holds the address at the moment.
    pub holder: Option<HeapBlock>,
    /// The last one that held it before, where it is not known when the pointer was set.
    pub before: Option<HeapBlock>,
    /// How many blocks held it before the moment.
    pub lives: usize,
    /// The call that freed it when it was free already.
    pub again: Option<HeapCall>,
    /// How often memory was allocated in the recording.
    pub allocations: u64,
    /// What was searched.
    pub facts: Facts,
}

impl Heap {
    /// Returns how far the address is behind the block's end; `None` if the block holds it.
    pub fn behind(&self) -> Option<u64> {
        let block = self.block.as_ref()?;
        let into = self.address.checked_sub(block.base)?;
        into.checked_sub(block.size.max(1)).map(|behind| behind + u64::from(block.size == 0))
    }
}

impl HeapQuery {
    /// Asks about memory of the process that a session is in, at its moment.
    pub fn at(position: &Position, of: Vec<HeapOf>) -> Self {
        let (event, ticks) = (position.event().unwrap_or_default(), position.ticks().unwrap_or_default());
        Self { of, pid: position.thread.pid, now: Now { event, ticks, tid: position.thread.tid, ..Now::default() } }
    }
}

impl HeapCalls {
    /// Collects the calls of a recording, by one pass.
    ///
    /// # Errors
    /// If the recording has no allocator; if it cannot be replayed; if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, cancel: &Cancel) -> Result<Self, Error> {
        let roles = RefCell::new(Vec::new());
        let choose = |program: &Program| {
            let (functions, all) = allocators(program)?;
            *roles.borrow_mut() = all;
            Ok(functions)
        };
        let calls = Calls::of(rr, recording, &CallsQuery::default(), &choose, cancel)?;
        Ok(Self { calls, roles: roles.into_inner() })
    }

    /// Finds the block that is asked about: the first, if there are several.
    ///
    /// # Errors
    /// As [`HeapCalls::blocks`], and if none is asked about.
    pub fn block(&self, rr: &Rr, recording: &Path, query: &HeapQuery, cancel: &Cancel) -> Result<Heap, Error> {
        let blocks = self.blocks(rr, recording, query, cancel)?;
        blocks.into_iter().next().ok_or_else(|| Error::question("nothing is asked"))
    }

    /// Finds the blocks that are asked about, in the order of asking.
    ///
    /// # Errors
    /// If the thread frees nothing, where that is asked; if the recording cannot be replayed; if it is cancelled.
    pub fn blocks(&self, rr: &Rr, recording: &Path, query: &HeapQuery, cancel: &Cancel) -> Result<Vec<Heap>, Error> {
        let trace = rr::resolve_trace(Some(recording))?;
        let set = self.set(rr, &trace, query, cancel)?;
        let mut asked = Vec::new();
        for (of, set) in query.of.iter().zip(set) {
            let address = match of {
                HeapOf::Address { address, .. } => *address,
                HeapOf::Freeing => self.freeing(&query.now, cancel)?,
                HeapOf::Highest => self.highest(query, cancel)?,
            };
            asked.push(Asked { address, set });
        }
        let (events, allocations) = self.events(&asked, query, cancel)?;
        let places: Vec<Place> = asked.iter().zip(events).map(|(asked, events)| Place::of(asked, events)).collect();
        let of_calls: BTreeSet<usize> = places.iter().flat_map(Place::calls).collect();
        let of_calls: Vec<usize> = of_calls.into_iter().collect();
        let described = self.describe(rr, &trace, &of_calls, &query.now, cancel)?;
        let call = |number: usize| described.get(of_calls.binary_search(&number).ok()?)?.clone();
        let block = |span: Span| HeapBlock {
            base: span.base,
            size: span.size,
            made: call(span.made),
            freed: span.freed.and_then(call),
        };
        let heap = |place: &Place| Heap {
            address: place.address,
            block: place.block.map(block),
            holder: place.holder.map(block),
            before: place.before.map(block),
            lives: place.lives,
            again: place.again.and_then(call),
            allocations,
            facts: self.calls.facts.clone(),
        };
        Ok(places.iter().map(heap).collect())
    }

    /// Returns when the variables were set that hold the addresses, as far as that is known.
    fn set(&self, rr: &Rr, trace: &Path, query: &HeapQuery, cancel: &Cancel) -> Result<Vec<Option<Now>>, Error> {
        let mut set = vec![None; query.of.len()];
        let programs = rr::programs_until(trace, query.pid, query.now.event)?;
        let asked = |(number, of): (usize, &HeapOf)| match of {
            HeapOf::Address { address, held_at: Some(held_at) } => {
                let now = Now { content: address.to_le_bytes().to_vec(), ..query.now.clone() };
                let (length, pid) = (WORD, query.pid);
                let (address, now, most) = (*held_at, Some(now), 1);
                let asked = LastWritesQuery { address, length, pid, programs, now, most, ..LastWritesQuery::default() };
                Some((number, asked))
            }
            HeapOf::Address { held_at: None, .. } | HeapOf::Freeing | HeapOf::Highest => None,
        };
        let (numbers, asked): (Vec<usize>, Vec<LastWritesQuery>) =
            query.of.iter().enumerate().filter_map(asked).unzip();
        if asked.is_empty() {
            return Ok(set);
        }
        for (number, writes) in numbers.into_iter().zip(LastWrites::ask_all(rr, trace, &asked, cancel)?) {
            let at = writes.last(cancel)?.and_then(|row| row.at);
            let moment =
                at.and_then(|at| Some(Now { event: at.event?, ticks: at.ticks, tid: at.tid, ..Now::default() }));
            if let Some(set) = set.get_mut(number) {
                *set = moment;
            }
        }
        Ok(set)
    }

    /// Returns the block that the thread is about to free.
    fn freeing(&self, now: &Now, cancel: &Cancel) -> Result<u64, Error> {
        let mut last: Option<(u64, u64)> = None;
        self.calls.numbers(cancel, |call| {
            let (order, began) = call.began;
            let is_over = call.ended.is_some_and(|(_, ended)| self.is_past(&ended, now));
            let is_it = began.tid == now.tid && self.is_past(&began, now) && !is_over;
            let freed = self.role(call).and_then(|role| role.freed(&call.arguments));
            if let Some(block) = freed.filter(|_| is_it && last.is_none_or(|(latest, _)| latest < order)) {
                last = Some((order, block));
            }
        })?;
        let none = || Error::question("the thread is in no call that frees memory");
        last.map(|(_, block)| block).ok_or_else(none)
    }

    /// Returns the start of the block at the highest address that a process has allocated so far, but for mappings.
    fn highest(&self, query: &HeapQuery, cancel: &Cancel) -> Result<u64, Error> {
        let mut highest = None;
        self.calls.numbers(cancel, |call| {
            let size = self.role(call).and_then(|role| role.size(&call.arguments));
            let Some(((_, ended), base, _)) = made(call, size) else { return };
            let is_own = self.calls.when(&ended).0 == query.pid && self.is_past(&ended, &query.now);
            highest = highest.max(Some(base).filter(|base| is_own && *base < MAPPINGS));
        })?;
        highest.ok_or_else(|| Error::question("the process has allocated no memory"))
    }

    fn role(&self, call: &Numbers) -> Option<Role> {
        self.roles.get(call.function).copied()
    }

    fn is_past(&self, hit: &HitAt, now: &Now) -> bool {
        let (_, (event, _)) = self.calls.when(hit);
        now.is_behind(hit.tid, hit.ticks, event)
    }

    fn is_in_tick_of(&self, hit: &HitAt, moment: &Now) -> bool {
        let (_, (event, _)) = self.calls.when(hit);
        (hit.tid, hit.ticks, event) == (moment.tid, moment.ticks, moment.event)
    }

    /// Returns, for each address, the calls that allocated blocks at and before it, and that freed these, in the memory of
    /// the process; and how often memory was allocated.
    fn events(&self, asked: &[Asked], query: &HeapQuery, cancel: &Cancel) -> Result<(Vec<Vec<Event>>, u64), Error> {
        let makers = self.calls.makers(query.pid, query.now.event);
        let is_of = |hit: &HitAt| {
            let (pid, (event, _)) = self.calls.when(hit);
            makers.iter().any(|(maker, events)| *maker == pid && is_within(events, event, *maker == query.pid))
        };
        let event = |asked: &Asked, order: u64, hit: &HitAt, call: usize, what: What| {
            // Within one tick, memory is allocated before a pointer to it is stored, and freed after that.
            let is_free = matches!(what, What::Freed { .. });
            let is_before = |set: &Now| self.is_past(hit, set) && !(is_free && self.is_in_tick_of(hit, set));
            let is_before_pointer = asked.set.as_ref().is_some_and(is_before);
            Event { order, call, what, is_past: self.is_past(hit, &query.now), is_before_pointer }
        };
        let mut all: Vec<(Vec<Event>, BTreeSet<u64>)> = vec![Default::default(); asked.len()];
        let mut allocations = 0;
        self.calls.numbers(cancel, |call| {
            let size = self.role(call).and_then(|role| role.size(&call.arguments));
            let Some(((order, ended), base, size)) = made(call, size) else { return };
            allocations += 1;
            for (asked, (events, bases)) in asked.iter().zip(&mut all) {
                let is_near = asked.address.checked_sub(base).is_some_and(|into| into < size.saturating_add(NEAR));
                if is_near && events.len() < MOST_LIVES && is_of(&ended) {
                    bases.insert(base);
                    events.push(event(asked, order, &ended, call.call, What::Made { base, size }));
                }
            }
        })?;
        self.calls.numbers(cancel, |call| {
            let freed = self.role(call).and_then(|role| role.freed(&call.arguments));
            let Some(base) = freed.filter(|_| !call.is_inner) else { return };
            let (order, began) = call.began;
            for (asked, (events, bases)) in asked.iter().zip(&mut all) {
                if bases.contains(&base) && events.len() < 2 * MOST_LIVES && is_of(&began) {
                    events.push(event(asked, order, &began, call.call, What::Freed { base }));
                }
            }
        })?;
        Ok((all.into_iter().map(|(events, _)| events).collect(), allocations))
    }

    /// Describes calls: when they were, and who called.
    fn describe(
        &self,
        rr: &Rr,
        trace: &Path,
        numbers: &[usize],
        now: &Now,
        cancel: &Cancel,
    ) -> Result<Vec<Option<HeapCall>>, Error> {
        let rows = self.calls.rows_numbered(numbers, cancel)?;
        let begun = |row: &CallRow| {
            let rdi = row.arguments.first()?.value.as_deref().ok()?;
            Some(Begun {
                pid: row.at.pid,
                tid: row.at.tid,
                ticks: row.at.ticks,
                event: row.at.latest.or(row.at.event)?,
                pc: row.at.pc?,
                argument: Some(u64::from_str_radix(rdi.trim_start_matches("0x"), 16).ok()?),
            })
        };
        let asked: Vec<(usize, Begun)> =
            rows.iter().enumerate().filter_map(|(at, row)| Some((at, begun(row.as_ref()?)?))).collect();
        let calls: Vec<Begun> = asked.iter().map(|(_, call)| call.clone()).collect();
        let frames = callers(rr, trace, self.calls.program(), &calls, cancel)?;
        let mut of_rows: Vec<Option<Frames>> = vec![None; rows.len()];
        for ((at, _), frames) in asked.into_iter().zip(frames) {
            if let Some(row) = of_rows.get_mut(at) {
                *row = frames;
            }
        }
        let describe = |(row, frames): (Option<CallRow>, Option<Frames>)| {
            let row = row?;
            let is_over = row
                .ending
                .moment()
                .is_some_and(|at| at.event.is_some_and(|event| now.is_behind(at.tid, at.ticks, event)));
            // The return address alone tells one of them.
            let callers = frames.unwrap_or_else(|| Frames::of(row.caller));
            let function = usual_name(&row.function).to_owned();
            Some(HeapCall { at: row.at, function, callers, is_over })
        };
        Ok(rows.into_iter().zip(of_rows).map(describe).collect())
    }
}

/// An address that is asked about, and when the variable was set that holds it.
struct Asked {
    address: u64,
    set: Option<Now>,
}

/// The blocks that were at an address.
struct Place {
    address: u64,
    block: Option<Span>,
    holder: Option<Span>,
    before: Option<Span>,
    lives: usize,
    again: Option<usize>,
}

impl Place {
    fn of(asked: &Asked, events: Vec<Event>) -> Self {
        let (address, lives) = (asked.address, Lives::of(events));
        let holds = |span: &&Span| address.wrapping_sub(span.base) < span.size.max(1);
        let holding: Vec<Span> = lives.all.iter().filter(holds).copied().collect();
        let living = holding.iter().rposition(|span| span.freed.is_none()).or(holding.len().checked_sub(1));
        let now = living.and_then(|at| holding.get(at)).copied();
        let meant = holding.iter().rfind(|span| span.is_meant).copied();
        let holder = now.filter(|now| now.freed.is_none() && meant.is_some_and(|meant| meant != *now));
        let before = living.and_then(|at| holding.get(at.checked_sub(1)?)).copied().filter(|_| meant.is_none());
        let nearest = || {
            let living = lives.all.iter().filter(|span| span.freed.is_none());
            living.max_by_key(|span| span.base.saturating_add(span.size)).copied()
        };
        let block = meant.or(now).or_else(nearest);
        let is_free = |base: u64| block.is_some_and(|block| block.base == base && block.freed.is_some());
        let again = lives.again.filter(|(base, _)| is_free(*base)).map(|(_, call)| call);
        Self { address, block, holder, before, lives: holding.len(), again }
    }

    /// Returns the calls that the answer shows.
    fn calls(&self) -> Vec<usize> {
        let blocks = [self.block, self.holder, self.before].into_iter().flatten();
        blocks.flat_map(|span| [Some(span.made), span.freed]).chain([self.again]).flatten().collect()
    }
}

/// Returns when a call had allocated a block, where this begins, and its size.
fn made(call: &Numbers, size: Option<u64>) -> Option<((u64, HitAt), u64, u64)> {
    // Of calls within each other the outermost is what the program asked for.
    let base = call.result.filter(|base| *base != 0 && !call.is_inner)?;
    Some((call.ended?, base, size?))
}

/// Returns whether something at an event was within those of a process. What comes after the moment is looked at, too,
/// in the process itself.
fn is_within(events: &RangeInclusive<u64>, event: u64, is_itself: bool) -> bool {
    if is_itself { *events.start() <= event } else { events.contains(&event) }
}
