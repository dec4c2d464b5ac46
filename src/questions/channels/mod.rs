//! What processes of a recording send each other: which call wrote the bytes that another one read.
//!
//! One pass collects all calls of the functions by which programs use descriptors, in all processes. From them follows,
//! in the order of the execution, what each descriptor is an end of; and, of two ends, which bytes that were written are
//! those that were read.
//!
//! ```text
//! calls         the functions, and what a call of one did
//! descriptors   what the descriptors of all processes are ends of
//! streams       which bytes were written of those that were read
//! ```

mod calls;
mod descriptors;
mod streams;

use self::calls::{Begun, Function, Returned, Role, acts, prepare};
use self::descriptors::{Act, Descriptors, End, Kind};
use super::answer::LIMIT;
use super::error::Error;
use super::hits::{self, Visits};
use super::program::Program;
use crate::cancel::Cancel;
use crate::rr::{self, Happening, Rr, Topic};
use crate::softcounters::probes::Asked;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// A call that reads or writes, where it begins.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The number of its thread in passes, its id, and that of its process.
    pub(super) thread: u32,
    pub(super) tid: u32,
    pub(super) pid: u32,
    pub(super) ticks: u64,
    /// How many events are completed.
    pub(super) event: u64,
    /// Which time in its tick it is that the thread comes by; `None`: that is not known.
    pub(super) visit: Option<u32>,
    function: usize,
    begun: Begun,
    /// How many bytes were moved, once it has returned.
    length: Option<u64>,
    end: Option<End>,
}

/// A call that wrote what was read.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// The call.
    pub(super) call: Call,
    /// The name of the function, the number of its module, its entry there.
    pub(super) function: &'static str,
    pub(super) module: usize,
    pub(super) entry: crate::arch::LinkAddr,
    /// Where the bytes were in the memory of its process.
    pub(super) address: u64,
    /// How many bytes of the call come before them, of how many.
    pub(super) offset: u64,
    pub(super) length: u64,
    /// The descriptor.
    pub(super) descriptor: i32,
    /// `pipe` or `socket`.
    pub(super) by: &'static str,
}

impl Sent {
    /// Returns the registers that are known where the call begins, by DWARF number, and what is on the stack.
    pub(super) fn state(&self) -> (Vec<(u16, u64)>, Vec<u8>) {
        let [rdi, rsi, rdx, rcx] = self.call.begun.arguments;
        let known = vec![(5, rdi), (4, rsi), (1, rdx), (2, rcx), (7, self.call.begun.sp), (6, self.call.begun.bp)];
        (known, self.call.begun.stack.clone())
    }
}

/// A call that has read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    pub(super) tid: u32,
    /// Ticks of the thread: where the call begins, if `sp` is given, else where it is over.
    pub(super) ticks: u64,
    /// The stack pointer where it begins.
    pub(super) sp: Option<u64>,
}

/// What processes of a recording send each other.
#[derive(Debug)]
pub(super) struct Channels {
    functions: Vec<Function>,
    calls: Vec<Call>,
    descriptors: Descriptors,
    /// There were more calls than are looked at.
    is_cut: bool,
}

impl Channels {
    /// Asks a recording.
    pub(super) fn ask(
        rr: &Rr,
        trace: &Path,
        program: &Program,
        cancel: &Cancel,
        patience: Duration,
    ) -> Result<Self, Error> {
        let (mut functions, mut spots, mut probes) = (Vec::new(), Vec::new(), Vec::new());
        for (number, module) in program.user() {
            prepare(number, module, &mut functions, &mut spots, &mut probes);
        }
        let mut changes = changes(trace, cancel)?.into_iter().peekable();
        let pass = rr.pass(trace, &Asked { probes, ..Asked::default() }, LIMIT, patience)?;
        let mut channels =
            Self { functions, calls: Vec::new(), descriptors: Descriptors::default(), is_cut: pass.is_truncated };
        let mut visits = Visits::default();
        let mut open: HashMap<(u32, u64), Open> = HashMap::new();
        for (order, hit) in pass.hits()?.enumerate() {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let hit = hit?;
            let event = pass.completed_between(hit.thread, hit.ticks).0;
            while let Some((_, pid, act)) = changes.next_if(|(at, ..)| *at <= event) {
                channels.descriptors.apply(pid, act);
            }
            let Some(spot) = spots.get(hit.probe) else { continue };
            let pid = program.mappings.process_of(hit.tid);
            if spot.is_entry {
                let visit = visits.count(hit.thread, hit.ticks, hits::Place::at(hit.probe as u64));
                let begun = Begun::of(&hit.values);
                let place = (hit.tid, begun.sp);
                let call = Call {
                    thread: hit.thread,
                    tid: hit.tid,
                    pid,
                    ticks: hit.ticks,
                    event,
                    visit,
                    function: spot.function,
                    begun,
                    length: None,
                    end: None,
                };
                open.insert(place, Open { call, order });
                continue;
            }
            let returned = Returned::of(&hit.values);
            if let Some(begun) = open.remove(&(hit.tid, returned.sp)).filter(|of| of.call.function == spot.function) {
                channels.over(begun, &returned, order);
            }
        }
        channels.descriptors.join();
        Ok(channels)
    }

    /// Notes a call that has returned.
    fn over(&mut self, begun: Open, returned: &Returned, order: usize) {
        let Open { mut call, order: from } = begun;
        let Some(role) = self.functions.get(call.function).map(|function| function.role) else { return };
        let pid = call.pid;
        for mut act in acts(role, &call.begun, returned) {
            if let Act::Moves { descriptor, moved, .. } = &mut act {
                (moved.call, moved.begun, moved.over) = (self.calls.len(), from, order);
                call.end = self.descriptors.end(pid, *descriptor);
                call.length = Some(moved.length);
            }
            self.descriptors.apply(pid, act);
        }
        if call.end.is_some() {
            self.calls.push(call);
        }
    }

    /// Returns the call that wrote what is at an address since a call has read it; `None` if that has not read from a
    /// pipe or a socket of which the other end was recorded.
    ///
    /// # Errors
    /// As a value: in words, why that is not certain.
    pub(super) fn sender(&self, reader: Reader, address: u64, length: u64) -> Option<Result<Sent, String>> {
        let is_it = |call: &Call| {
            let is_moment = match reader.sp {
                Some(sp) => (call.ticks, call.begun.sp) == (reader.ticks, sp),
                None => call.ticks <= reader.ticks,
            };
            call.tid == reader.tid && is_moment
        };
        let mut all = self.calls.iter().enumerate().rev().filter(|(_, call)| is_it(call));
        let (number, call, offset) = all.find_map(|(number, call)| {
            let role = self.functions.get(call.function)?.role;
            let is_read = matches!(role, Role::Read | Role::Receive | Role::ReadList);
            let offset = within(&call.begun.parts(role), address, length).filter(|_| is_read)?;
            (offset.checked_add(length)? <= call.length?).then_some((number, call, offset))
        })?;
        let End { channel, side } = call.end?;
        let channel = self.descriptors.channels.get(channel)?;
        let (written, read) = (channel.written.get(1 - side)?, channel.read.get(side)?);
        let by = match channel.kind {
            Kind::Pipe => "pipe",
            Kind::Socket => "socket",
        };
        if let Some(why) = &channel.obscured {
            return Some(Err(format!("who wrote it to the {by} is not certain: {why}")));
        }
        if self.is_cut {
            return Some(Err(format!("who wrote it to the {by} is not certain: there are too many calls")));
        }
        let source = match streams::source(written, read, number, offset, length) {
            Ok(source) => source,
            Err(why) => return Some(Err(format!("who wrote it to the {by} is not certain: {why}"))),
        };
        let call = self.calls.get(source.call)?;
        let function = self.functions.get(call.function)?;
        let address = address_of(&call.begun.parts(function.role), source.offset)?;
        Some(Ok(Sent {
            call: call.clone(),
            function: function.name,
            module: function.module,
            entry: function.entry,
            address,
            offset: source.offset,
            length: source.length,
            descriptor: call.begun.descriptor(),
            by,
        }))
    }
}

/// A call that has not returned yet.
struct Open {
    call: Call,
    /// The place of its beginning in the order of all hits.
    order: usize,
}

/// Returns which processes were made and which programs executed, with the events.
fn changes(trace: &Path, cancel: &Cancel) -> Result<Vec<(u64, u32, Act)>, Error> {
    let query = rr::TimelineQuery::between(0, u64::MAX, [Topic::Process]);
    let mut changes = Vec::new();
    rr::happenings(trace, &query, cancel, &mut |row| match row.what {
        Happening::Made { child, is_thread: false } => changes.push((row.event, row.pid, Act::Forks { child })),
        Happening::Exec { .. } => changes.push((row.event, row.pid, Act::Executes)),
        _ => {}
    })?;
    Ok(changes)
}

/// Returns how many bytes of the parts come before an address, if one of them holds it with so many bytes.
fn within(parts: &[(u64, u64)], address: u64, length: u64) -> Option<u64> {
    let mut before = 0u64;
    for (start, size) in parts {
        let into = address.wrapping_sub(*start);
        if into.checked_add(length).is_some_and(|end| end <= *size) {
            return before.checked_add(into);
        }
        before = before.checked_add(*size)?;
    }
    None
}

/// Returns the address of a byte of the parts.
fn address_of(parts: &[(u64, u64)], mut offset: u64) -> Option<u64> {
    for (start, size) in parts {
        if offset < *size {
            return start.checked_add(offset);
        }
        offset -= size;
    }
    None
}
