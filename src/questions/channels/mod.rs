//! What processes of a recording send each other: which call wrote the bytes that another one read.
//!
//! One pass collects all calls of the functions by which programs use descriptors, in all processes. From them follows,
//! in the order of the execution, what each descriptor leads to; and, of two ends of a pipe or a connection, and of files,
//! which bytes that were written are those that were read.
//!
//! ```text
//! functions     the functions
//! calls         what a call of one did
//! descriptors   what the descriptors of all processes lead to
//! channel       what two descriptors are ends of
//! connections   which connections that were accepted are those that were made
//! streams       which bytes were written to one end of those that were read at the other
//! files         which call wrote the bytes of a file
//! paths         which files paths lead to
//! ```

mod calls;
mod channel;
mod connections;
mod descriptors;
mod files;
mod functions;
mod paths;
mod streams;

use self::calls::{Begun, Function, Returned, acts, prepare};
use self::channel::Kind;
use self::descriptors::{Act, Descriptors, Done, End, On};
pub(super) use self::files::Over;
use self::functions::Role;
use super::answer::LIMIT;
use super::error::Error;
use super::hits::{self, Visits};
use super::program::{Module, Program};
use base::cancel::Cancel;
use base::untrusted::one_line;
use program::needed::needed_by;
use rr::{Happening, Rr, Topic};
use softcounters::probes::Asked;
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
    on: Option<On>,
}

/// A call that wrote what was read.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// The call.
    pub(super) call: Call,
    /// The name of the function, the number of its module, its entry there.
    pub(super) function: &'static str,
    pub(super) module: usize,
    pub(super) entry: arch::LinkAddr,
    /// Where the bytes were in the memory of its process.
    pub(super) address: u64,
    /// How many bytes of the call come before them, of how many.
    pub(super) offset: u64,
    pub(super) length: u64,
    /// The descriptor.
    pub(super) descriptor: i32,
    /// What it wrote to, and where there: `a pipe`, `a socket`, `the file log at byte 16`.
    pub(super) by: String,
    /// When the call was over: how many events were completed, at least.
    pub(super) over: Over,
}

impl Sent {
    /// Returns the registers that are known where the call begins, by DWARF number, and what is on the stack.
    pub(super) fn state(&self) -> (Vec<(u16, u64)>, Vec<u8>) {
        let [rdi, rsi, rdx, rcx, r8, r9] = self.call.begun.arguments;
        let arguments = [(5, rdi), (4, rsi), (1, rdx), (2, rcx), (8, r8), (9, r9)];
        let known = [(7, self.call.begun.sp), (6, self.call.begun.bp)].into_iter().chain(arguments).collect();
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
        for (number, module) in program.user().filter(|(_, module)| is_of_c_library(module)) {
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
                channels.descriptors.apply(pid, act, &Done::default());
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
                    on: None,
                };
                open.insert(place, Open { call, order });
                continue;
            }
            let returned = Returned::of(&hit.values);
            if let Some(begun) = open.remove(&(hit.tid, returned.sp)).filter(|of| of.call.function == spot.function) {
                let at = Over { event, tid: hit.tid, ticks: hit.ticks };
                let done = Done { begun: begun.order, over: order, at };
                channels.over(program, begun.call, &returned, &done);
            }
        }
        channels.descriptors.join();
        Ok(channels)
    }

    /// Notes a call that has returned.
    fn over(&mut self, program: &Program, mut call: Call, returned: &Returned, done: &Done) {
        let Some(role) = self.functions.get(call.function).map(|function| function.role) else { return };
        let pid = call.pid;
        if role == Role::Map
            && let Some(act) = mapped(program, &call, returned, done.at.event)
        {
            self.descriptors.apply(pid, act, done);
        }
        for mut act in acts(role, &call.begun, returned) {
            if let Act::Moves { descriptor, moved, .. } = &mut act {
                (moved.call, moved.begun, moved.over) = (self.calls.len(), done.begun, done.over);
                call.on = self.descriptors.on(pid, *descriptor);
                call.length = Some(moved.length);
            }
            self.descriptors.apply(pid, act, done);
        }
        if call.on.is_some() {
            self.calls.push(call);
        }
    }

    /// Returns the call that wrote what is at an address since a call has read it; `None` if no call of the recording did,
    /// as far as is seen.
    ///
    /// # Errors
    /// As a value: in words, why that is not certain.
    pub(super) fn sender(&self, reader: Reader, address: u64, length: u64) -> Option<Result<Sent, String>> {
        let (number, call, offset) = self.reading(reader, address, length)?;
        match call.on? {
            On::End(end) => self.by_channel(number, end, offset, length),
            On::File(_) => self.by_file(number, offset, length),
        }
    }

    /// Returns the device and inode of the file that a call has read to an address, if that was mapped, and where in it that
    /// is.
    pub(super) fn mapped_place(&self, reader: Reader, address: u64, length: u64) -> Option<((u64, u64), u64)> {
        let (number, _, offset) = self.reading(reader, address, length)?;
        self.descriptors.files.mapped_place(number, offset)
    }

    /// Returns the call that has read to an address, with its number, and how many bytes of it come before.
    fn reading(&self, reader: Reader, address: u64, length: u64) -> Option<(usize, &Call, u64)> {
        let is_it = |call: &Call| {
            let is_moment = match reader.sp {
                Some(sp) => (call.ticks, call.begun.sp) == (reader.ticks, sp),
                None => call.ticks <= reader.ticks,
            };
            call.tid == reader.tid && is_moment
        };
        let mut all = self.calls.iter().enumerate().rev().filter(|(_, call)| is_it(call));
        all.find_map(|(number, call)| {
            let role = self.functions.get(call.function)?.role;
            let offset = within(&call.begun.parts(role), address, length).filter(|_| role.reads())?;
            (offset.checked_add(length)? <= call.length?).then_some((number, call, offset))
        })
    }

    /// Returns the call that wrote to the other end what was read at this one.
    fn by_channel(
        &self,
        number: usize,
        End { channel, side }: End,
        offset: u64,
        length: u64,
    ) -> Option<Result<Sent, String>> {
        let channel = self.descriptors.channels.get(channel)?;
        let side = if channel.kind == Kind::Pipe { 0 } else { side };
        let (written, read) = (channel.written.get(1 - side)?, channel.read.get(side)?);
        let (by, what) = match (channel.kind, &channel.path) {
            (Kind::Pipe, Some(path)) => (format!("the pipe {}", shown(path)), "pipe"),
            (Kind::Pipe, None) => ("a pipe".to_owned(), "pipe"),
            (Kind::Socket, _) => ("a socket".to_owned(), "socket"),
        };
        let doubt = |why: &str| Some(Err(format!("who wrote it to the {what} is not certain: {why}")));
        if let Some(why) = &channel.obscured {
            return doubt(why);
        }
        if self.is_cut {
            return doubt(TOO_MANY);
        }
        match streams::source(written, read, number, offset, length) {
            Ok(source) => self.sent(source.call, source.offset, source.length, by).map(Ok),
            Err(why) => doubt(why),
        }
    }

    /// Returns the call that wrote to a file what was read of it.
    fn by_file(&self, number: usize, offset: u64, length: u64) -> Option<Result<Sent, String>> {
        let files = &self.descriptors.files;
        let path = files.path_read(number)?;
        self.of_file(files.source(number, offset, length)?, path)
    }

    /// Returns the call that wrote last to a file some bytes that were mapped, of those calls that were over when this
    /// holds; `None` if no call of the recording did, as far as is seen.
    ///
    /// # Errors
    /// As a value: in words, why that is not certain.
    pub(super) fn writer_of(
        &self,
        (inode, path): ((u64, u64), &str),
        at: u64,
        bytes: &[u8],
        is_before: &dyn Fn(&Over) -> bool,
    ) -> Option<Result<Sent, String>> {
        self.of_file(self.descriptors.files.source_of(inode, at, bytes, is_before)?, path.as_bytes())
    }

    fn of_file(&self, found: Result<files::Source, String>, path: &[u8]) -> Option<Result<Sent, String>> {
        let doubt = |why: &str| Some(Err(format!("who wrote it to the file {} is not certain: {why}", shown(path))));
        match found {
            Ok(_) if self.is_cut => doubt(TOO_MANY),
            Ok(source) => {
                let by = format!("the file {} at byte {}", shown(path), source.at);
                let sent = self.sent(source.call, source.offset, source.length, by)?;
                Some(Ok(Sent { over: source.over, ..sent }))
            }
            Err(why) => doubt(&why),
        }
    }

    /// Returns what a call has sent from its byte `offset` on.
    fn sent(&self, call: usize, offset: u64, length: u64, by: String) -> Option<Sent> {
        let call = self.calls.get(call)?;
        let function = self.functions.get(call.function)?;
        let address = address_of(&call.begun.parts(function.role), offset)?;
        Some(Sent {
            call: call.clone(),
            function: function.name,
            module: function.module,
            entry: function.entry,
            address,
            offset,
            length,
            descriptor: call.begun.descriptor(),
            by,
            over: Over::default(),
        })
    }
}

/// Returns whether a module has the C library's functions: what others call so is something else.
fn is_of_c_library(module: &Module) -> bool {
    const NAMES: [&str; 5] = ["libc.", "libc-", "libpthread", "ld-musl", "libuClibc"];
    // A program that is linked with nothing has them itself.
    NAMES.iter().any(|name| module.name.starts_with(name)) || needed_by(&module.image).is_empty()
}

const TOO_MANY: &str = "there are too many calls";

fn shown(path: &[u8]) -> String {
    one_line(&String::from_utf8_lossy(path)).into_owned()
}

/// Returns which file a call has mapped, by what the recording says is where it has mapped it.
fn mapped(program: &Program, call: &Call, returned: &Returned, event: u64) -> Option<Act> {
    let [.., descriptor, _] = call.begun.arguments;
    let descriptor = i32::try_from(descriptor as u32).ok()?;
    let address = u64::try_from(returned.result).ok()?;
    let found =
        program.mappings.at(call.pid, event.saturating_add(1), address).filter(|mapped| mapped.start == address)?;
    (found.inode.1 != 0).then_some(Act::Maps { descriptor, inode: found.inode })
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
