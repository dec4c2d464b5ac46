//! Follows a value back from hop to hop.

use super::code::{Code, InBlock};
use super::look::{Area, Ask, Looker, Seen};
use super::names::{Name, number as shown_number, of_memory};
use super::snapshot::Snapshot;
use super::{Hop, HopKind, OriginQuery, Shown};
use crate::channels::Channels;
use crate::error::Error;
use crate::frame::{GENERAL, register_name, register_number};
use crate::part::part_of;
use crate::program::{ARCH, Program};
use crate::shared::Shared;
use crate::writes::is_change;
use arch::{Onward, RunAddr, Written, stores};
use ctype::layout::size_of;
use dwarf::{InlineFrame, is_own_source};
use engine::HeldIn;
use rr::is_own_page;
use softcounters::probes;
use std::cell::Cell;
use std::time::Instant;

/// Most places that a value is followed to, registers included.
const MOST_PLACES: usize = 2000;
/// Most instructions that may have written a register.
pub(super) const MOST_WRITERS: usize = 1500;
/// Farthest from the stack pointer that a function keeps its parameters.
pub(super) const MOST_FRAME: u64 = 1 << 16;

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Memory(u64),
    Register { number: u16, offset: usize },
}

/// The value that is followed.
#[derive(Clone, Debug)]
pub(super) struct Tracked {
    pub(super) spot: Spot,
    pub(super) bytes: Vec<u8>,
    /// It is there before this.
    pub(super) before: Snapshot,
    /// What has written it last, if that is known.
    pub(super) wrote: Option<Box<Seen>>,
}

impl Tracked {
    /// Begins at a place of which nothing else is known.
    pub(super) fn at(spot: Spot, bytes: Vec<u8>, before: Snapshot) -> Self {
        Self { spot, bytes, before, wrote: None }
    }
}

/// How it goes on.
pub(super) enum Next {
    On(Box<Tracked>),
    /// In the memory of another process.
    Elsewhere(Box<Tracked>),
    End,
}

impl Next {
    pub(super) fn on(tracked: Tracked) -> Self {
        Self::On(Box::new(tracked))
    }
}

/// A hop of which it is not yet known where the value came from.
pub(super) struct Open {
    pub(super) hop: Hop,
    /// It is known where and when it was.
    pub(super) is_placed: bool,
    /// It puts a parameter of the function with this entry on its stack; which one, if that is known.
    pub(super) parameter_of: Option<(u64, Option<String>)>,
}

/// An instruction that has written the value.
pub(super) struct Wrote<'c, 'p> {
    pub(super) code: &'c Code<'p>,
    /// Before it.
    pub(super) state: Snapshot,
    /// A later moment of the same function, if not all of the state is known.
    pub(super) later: Option<Snapshot>,
    pub(super) to: Written,
    /// Where in what it writes the value begins.
    pub(super) offset: usize,
    /// What was in memory before, if it writes to memory: from which address on.
    pub(super) old: Option<(u64, Vec<u8>)>,
}

/// Follows a value.
pub(super) struct Tracer<'a> {
    pub(super) looker: &'a Looker<'a>,
    pub(super) query: &'a OriginQuery,
    pub(super) hops: Vec<Hop>,
    pub(super) open: Option<Open>,
    /// How the value is shown.
    pub(super) shown: Option<Shown>,
    /// The time was up.
    pub(super) is_late: bool,
    /// What processes send each other, once that was asked.
    pub(super) channels: Option<Channels>,
}

impl<'a> Tracer<'a> {
    pub(super) fn new(looker: &'a Looker<'a>, query: &'a OriginQuery) -> Self {
        let value = &query.held.value;
        let length = query.held.content.len();
        let shown = Shown { ty: value.ty.clone(), bits: value.bits, target: query.held.target, length };
        Self { looker, query, hops: Vec::new(), open: None, shown: Some(shown), is_late: false, channels: None }
    }

    pub(super) fn program(&self) -> &'a Program {
        self.looker.program
    }

    /// Follows the value to its origin, or as far as it can be, from where it is asked for or from where it comes to in
    /// this process. Returns where it is in another process, if it comes from one.
    pub(super) fn run(&mut self, from: Option<Tracked>) -> Result<Option<Tracked>, Error> {
        let mut tracked = match from {
            Some(tracked) => tracked,
            None => self.start()?,
        };
        for _ in 0..MOST_PLACES {
            if self.hops.len() >= self.query.max_hops {
                self.stop(format!("{} hops were made, the requested maximum", self.hops.len()), &tracked);
                return Ok(None);
            }
            let here = tracked.clone();
            let next = match tracked.spot {
                // No error, but the time is up.
                _ if Instant::now() >= self.looker.until => Err(None),
                Spot::Memory(address) => self.follow_memory(address, tracked).map_err(Some),
                Spot::Register { number, offset } => self.follow_register(number, offset, tracked).map_err(Some),
            };
            match next {
                Ok(Next::On(next)) => tracked = *next,
                Ok(Next::Elsewhere(next)) => return Ok(Some(*next)),
                Ok(Next::End) => return Ok(None),
                // What was found until then is worth telling.
                Err(None | Some(Error::Rr(rr::Error::CommandTimeout { .. }))) => {
                    self.is_late = true;
                    self.stop(format!("the time is up: {} s", self.query.patience.as_secs()), &here);
                    return Ok(None);
                }
                Err(Some(error)) => return Err(error),
            }
        }
        self.stop("it is too long".to_owned(), &tracked);
        Ok(None)
    }

    fn start(&mut self) -> Result<Tracked, Error> {
        let held = &self.query.held;
        let moment = held.position.moment.ok_or_else(|| Error::question("the session's position is not known"))?;
        let mut registers = [None; GENERAL as usize];
        for (register, known) in registers.iter_mut().zip(&held.registers) {
            *register = *known;
        }
        let before = Snapshot {
            thread: None,
            tid: held.position.thread.tid,
            pid: held.position.thread.pid,
            ticks: moment.ticks,
            pc: held.position.pc.0,
            registers,
            stack: Vec::new(),
            texts: Vec::new(),
            vectors: Vec::new(),
            frame: None,
            event: Some(moment.event),
            visit: Some(1),
            is_exact: true,
            anchor: None,
        };
        let spot = match &held.place {
            HeldIn::Memory(address) => Spot::Memory(*address),
            HeldIn::Register(name) => {
                let number = register_number(name)
                    .ok_or_else(|| Error::question(format!("it is in register {name}, which is not followed")))?;
                self.begin(self.query.expression.clone(), &held.content, &before, None);
                Spot::Register { number, offset: 0 }
            }
            HeldIn::Nowhere(why) => return Err(Error::question(why.clone())),
        };
        Ok(Tracked::at(spot, held.content.clone(), before))
    }

    /// Begins a hop whose place is not known yet.
    pub(super) fn begin(&mut self, to: String, bytes: &[u8], state: &Snapshot, name: Option<&Name>) {
        let value = self.value(bytes, state, name);
        let hop = Hop {
            at: None,
            function: None,
            line: None,
            kind: HopKind::Copy,
            to,
            from: String::new(),
            value,
            notes: Vec::new(),
        };
        self.open = Some(Open { hop, is_placed: false, parameter_of: None });
    }

    /// Sets the place of the open hop, which was made here.
    pub(super) fn place(&mut self, state: &Snapshot) {
        let located = self.located(state);
        if let Some(open) = &mut self.open {
            open.is_placed = true;
            (open.hop.function, open.hop.line) = located;
            open.hop.at = Some(state.moment());
        }
    }

    /// Returns the function and the line of a moment.
    fn located(&self, state: &Snapshot) -> (Option<String>, Option<(std::path::PathBuf, String, u32)>) {
        let program = self.program();
        let Some((module, bias)) = program.at(state.pid, state.mapped(), state.pc) else { return (None, None) };
        let link = RunAddr(state.pc).linked(bias);
        let chain = module.image.inline_chain(link);
        // Users know where their code has come into a library's, not the inside of what the compiler has put there.
        let is_own =
            |frame: &InlineFrame| frame.file.as_ref().is_some_and(|file| is_own_source(&file.path.to_string_lossy()));
        if let Some(own) = chain.iter().position(is_own).filter(|level| *level > 0).and_then(|level| chain.get(level))
            && let (Some(file), Some(line)) = (&own.file, own.line)
        {
            return (Some(own.name.clone()), Some((file.path.clone(), file.name.clone(), line)));
        }
        let function = chain.first().map(|frame| frame.name.clone());
        let function = function.or_else(|| program.symbol(state.pid, state.mapped(), state.pc));
        (function, module.line(link))
    }

    /// Says where the open hop's value was computed, if that is another line than it was then copied in: at the hop's
    /// place, the operands may be gone.
    pub(super) fn note_other_line(&mut self, state: &Snapshot) {
        let (_, line) = self.located(state);
        let hop = self.open.as_ref().filter(|open| open.is_placed).map(|open| &open.hop.line);
        if let Some((_, file, number)) = line.as_ref().filter(|_| hop.is_some_and(|hop| *hop != line)) {
            self.note(format!("computed before that, at {:#x} ({file}:{number}), where its operands are", state.pc));
        }
    }

    /// Ends the open hop.
    pub(super) fn close(&mut self, kind: HopKind, from: String) {
        if let Some(Open { mut hop, .. }) = self.open.take() {
            // What was passed was copied, too.
            if (hop.kind, kind) != (HopKind::Argument, HopKind::Copy) {
                hop.kind = kind;
            }
            hop.from = from;
            self.hops.push(hop);
        }
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        if let Some(open) = &mut self.open {
            open.hop.notes.push(text.into());
        }
    }

    /// Stops, as the value cannot be followed from here.
    pub(super) fn stop(&mut self, why: String, tracked: &Tracked) {
        if self.open.is_none() {
            let to = match tracked.spot {
                Spot::Memory(address) => self.memory_name(address, tracked).text,
                Spot::Register { number, .. } => register_name(number).to_owned(),
            };
            self.begin(to, &tracked.bytes, &tracked.before, None);
        }
        if self.open.as_ref().is_some_and(|open| !open.is_placed) {
            self.place(&tracked.before);
        }
        self.close(HopKind::Stopped, why);
    }

    pub(super) fn stopped(&mut self, why: impl Into<String>, tracked: &Tracked) -> Result<Next, Error> {
        self.stop(why.into(), tracked);
        Ok(Next::End)
    }

    /// Returns what the memory of a value is called: at first as it was asked for.
    pub(super) fn memory_name(&self, address: u64, tracked: &Tracked) -> Name {
        match self.hops.is_empty() && self.open.is_none() {
            true => Name { text: self.query.expression.clone(), part: None, is_argument: false },
            false => of_memory(self.program(), &tracked.before, address, tracked.bytes.len() as u64),
        }
    }

    /// Returns a value as text: as what it is called, or as what was asked for while it is as long as that, else as a
    /// number.
    pub(super) fn value(&self, bytes: &[u8], state: &Snapshot, name: Option<&Name>) -> String {
        let program = self.program();
        let mut symbol = |address: u64| program.symbol(state.pid, state.mapped(), address);
        if let Some((part, target)) = name.and_then(|name| name.part.as_ref()).filter(|(part, _)| part.is_typed()) {
            return part.shown(bytes, *target, &mut symbol);
        }
        if let Some(shown) = self.shown.as_ref().filter(|shown| shown.length == bytes.len()) {
            let length = size_of(&shown.ty).unwrap_or(shown.length as u64);
            return part_of(&shown.ty, shown.bits, 0, length).shown(bytes, shown.target, &mut symbol);
        }
        shown_number(bytes)
    }

    /// Follows the memory that the value is in to the last write to it.
    fn follow_memory(&mut self, address: u64, mut tracked: Tracked) -> Result<Next, Error> {
        if let Some(seen) = tracked.wrote.take() {
            return self.follow_write(&seen, address, tracked);
        }
        let length = tracked.bytes.len() as u64;
        // The last write to the bytes of a bit-field may have been to another one there.
        let is_asked = self.hops.is_empty() && self.open.is_none();
        let bits = self.shown.as_ref().and_then(|shown| shown.bits).filter(|_| is_asked);
        let last = bits.is_none().then_some(1);
        let before = &tracked.before;
        let shared = Shared::at(&self.program().mappings, before.pid, before.mapped(), address, length);
        let memory = Some(Area { address, length, last, shared: shared.as_ref() });
        let ask = Ask { before, at: &[], memory, texts: Vec::new() };
        let left_bits = Cell::new(false);
        let is_wanted = |seen: &Seen| {
            let is_it = seen.written.as_ref().map(|written| {
                let at = seen.own.unwrap_or(written.address);
                bits.is_none() || is_change(&probes::Written { address: at, ..written.clone() }, address, bits)
            });
            left_bits.set(left_bits.get() || is_it == Some(false));
            is_it == Some(true)
        };
        let looked = self.looker.last(&ask, &is_wanted)?;
        if let Some(shared) = &shared
            && let Some(next) = self.by_sharer(shared, looked.last.as_ref(), &tracked)?
        {
            return Ok(next);
        }
        let Some(seen) = looked.last else {
            if left_bits.get() {
                return self.stopped("each write to its bytes left its bits as they were", &tracked);
            }
            if looked.is_cut {
                return self.stopped("there are more writes to it than are looked at", &tracked);
            }
            return self.initial(address, &tracked);
        };
        self.follow_write(&seen, address, tracked)
    }

    /// Follows a value to what the write had of which it is left.
    fn follow_write(&mut self, seen: &Seen, address: u64, tracked: Tracked) -> Result<Next, Error> {
        let length = tracked.bytes.len() as u64;
        let is_asked = self.hops.is_empty() && self.open.is_none();
        let bits = self.shown.as_ref().and_then(|shown| shown.bits).filter(|_| is_asked);
        let Seen { state, written: Some(written), is_code, .. } = seen else {
            return self.stopped("no write is known", &tracked);
        };
        let name = match self.hops.is_empty() && self.open.is_none() {
            true => self.memory_name(address, &tracked),
            // The function that writes has a name of its own for it.
            false => of_memory(self.program(), &tracked.before, address, length),
        };
        let by_writer = of_memory(self.program(), state, address, length);
        let is_asked = self.hops.is_empty();
        let known = if name.part.is_none() && !is_asked { &by_writer } else { &name };
        self.begin(known.clone().told(tracked.bytes.len()), &tracked.bytes, &tracked.before, Some(known));
        if *is_code {
            self.place(state);
        } else if let Some(open) = &mut self.open {
            open.is_placed = true;
            let moment = || crate::hits::Moment { pc: None, ..state.moment() };
            open.hop.at = written.is_of_thread().then(moment);
        }
        let offset = usize::try_from(written.address.saturating_sub(address)).unwrap_or(0);
        let (mut address, mut tracked) = (address, tracked);
        let end = offset.saturating_add(written.after.len());
        let left = tracked.bytes.get_mut(offset..end).filter(|_| bits.is_some());
        let is_as_left =
            |left: &[u8]| !is_change(&probes::Written { before: left.to_vec(), ..written.clone() }, address, bits);
        if let Some(left) = left.filter(|left| **left != *written.after && is_as_left(left)) {
            self.note("the last write that changed it: later ones to its bytes left its bits".to_owned());
            left.copy_from_slice(&written.after);
        }
        let left = tracked.bytes.get(offset..end);
        if left != Some(&written.after) {
            let why = "the last write that is seen has left another value there: something has changed it since that is not \
                       seen, as munmap, mremap, madvise, or a call that writes to a file that is mapped";
            return self.stopped(why, &tracked);
        }
        if written.length != length {
            // What is older is not what has made the value what it is.
            let last = end.saturating_sub(1);
            self.note(format!("it wrote only bytes {offset} to {last} of the {length}: these are followed"));
            tracked.bytes.clone_from(&written.after);
            address = written.address;
            tracked.spot = Spot::Memory(address);
        }
        if !is_code {
            return self.by_kernel(seen, address, &tracked);
        }
        let code = Code::around(self.program(), state.pid, state.mapped(), state.pc);
        if code.as_ref().map_or_else(|| is_own_page(state.pc), |code| code.module.is_rr) {
            return self.by_buffer(state, address, &tracked);
        }
        let Some(code) = code else {
            return self.stopped("it was written by code that no file and no frame information describes", &tracked);
        };
        if let Some(open) = &mut self.open {
            // Before the body begins, a function puts what it was given on its stack.
            let is_kept = code.body.is_some_and(|body| (code.entry..body).contains(&state.pc))
                && state.sp().is_some_and(|sp| address.abs_diff(sp) < MOST_FRAME);
            if by_writer.is_argument || is_kept {
                open.parameter_of = Some((code.entry, by_writer.is_argument.then_some(by_writer.text)));
            }
        }
        if let Some(next) = self.by_library(&code, state, address, &tracked)? {
            return Ok(next);
        }
        let start = code.bytes(state.pc).and_then(|bytes| self.store_start(bytes, state, address));
        let Some(start) = start else {
            return self.stopped("where the instruction writes is not known", &tracked);
        };
        let offset = usize::try_from(address.wrapping_sub(start)).unwrap_or(usize::MAX);
        let old = Some((address, written.before.clone()));
        let wrote = Wrote { code: &code, state: state.clone(), later: None, to: Written::Memory, offset, old };
        self.follow(wrote, tracked)
    }

    /// Returns where an instruction begins to write that writes to an address.
    fn store_start(&self, bytes: &[u8], state: &Snapshot, address: u64) -> Option<u64> {
        let base = self.thread_base(state);
        let written = stores(ARCH, bytes, RunAddr(state.pc), &|name| state.named(name, base))?;
        written
            .iter()
            .map(|store| (store.address, store.length))
            .find(|(start, length)| address.wrapping_sub(*start) < *length)
            .map(|(start, _)| start)
    }

    /// Returns where the thread keeps its thread-local storage, if it is that of the session.
    pub(super) fn thread_base(&self, state: &Snapshot) -> Option<u64> {
        self.query.held.thread_base.filter(|_| state.tid == self.query.held.position.thread.tid)
    }

    /// Follows the register that the value is in to the instruction that has set it.
    fn follow_register(&mut self, number: u16, offset: usize, tracked: Tracked) -> Result<Next, Error> {
        let before = &tracked.before;
        let name = register_name(number);
        let Some(code) = Code::around(self.program(), before.pid, before.mapped(), before.pc) else {
            return self.stopped(
                format!("it was in {name}, in code that no file and no frame information describes"),
                &tracked,
            );
        };
        if !code.is_whole {
            return self.stopped(format!("it was in {name}, in code without a symbol"), &tracked);
        }
        let is_at_entry = before.pc == code.entry;
        if is_at_entry && !code.is_branched_to(code.entry) {
            let state = self.whole(before)?;
            return self.entered(&code, state, number, offset, tracked);
        }
        let in_block = code.in_block(before.pc, number);
        let mut found = match in_block {
            InBlock::Written(index, branches) => code.earlier(before, index, branches).map(|mut state| {
                state.event = state.thread.and_then(|thread| self.looker.event_at(thread, state.ticks)).or(state.event);
                state.frame = before.cfa(self.program());
                (state, index)
            }),
            InBlock::Called(_) | InBlock::Unknown => None,
        };
        let mut later = found.as_ref().map(|_| before.clone());
        if let Some((state, index)) = &mut found
            && let Some(listed) = code.list.get(*index)
            && (0..GENERAL).any(|register| listed.addressed_by.contains(register) && state.register(register).is_none())
            && let Some(known) = self.again(before, state.pc)?
        {
            (*state, later) = (known, None);
        }
        if found.is_none() {
            // Which call it was need not be found out among all that write to the register.
            let writers = match in_block {
                InBlock::Called(at) => vec![at],
                _ => code.writers(number),
            };
            if writers.len() > MOST_WRITERS {
                return self
                    .stopped(format!("it was in {name}, which too many instructions of the function write"), &tracked);
            }
            let state = self.last_in_frame(&writers, before)?;
            if state.is_none() && is_at_entry {
                let state = self.whole(before)?;
                return self.entered(&code, state, number, offset, tracked);
            }
            let Some(state) = state else {
                let why = match self.looker.was_cut.get() {
                    true => "what may have set it was executed more often than is written down",
                    false => "the function's frame is not, or it was not entered by a call",
                };
                return self.stopped(format!("it was in {name}, and what set that is not known: {why}"), &tracked);
            };
            found = code.index(state.pc).map(|index| (state, index));
        }
        let Some((state, index)) = found else {
            return self.stopped(format!("it was in {name}, and what set that is not known"), &tracked);
        };
        let Some(listed) = code.list.get(index).copied() else {
            return self.stopped(format!("it was in {name}, and what set that is not known"), &tracked);
        };
        if !listed.writes.contains(number) {
            return self.entered(&code, state, number, offset, tracked);
        }
        if let Onward::Call(target) = listed.onward {
            return self.returned(&code, state, (listed.next, target), number, offset, tracked);
        }
        if self.open.as_ref().is_some_and(|open| !open.is_placed) {
            self.place(&state);
        }
        let wrote = Wrote { code: &code, state, later, to: Written::Register(number), offset, old: None };
        self.follow(wrote, tracked)
    }

    /// Returns the last time before a moment that one of these instructions was executed in the same activation of its
    /// function.
    pub(super) fn last_in_frame(&self, at: &[u64], before: &Snapshot) -> Result<Option<Snapshot>, Error> {
        let program = self.program();
        let Some(cfa) = before.cfa(program) else { return self.last_in_activation(at, before) };
        let is_its = |seen: &Seen| {
            seen.written.is_none()
                && seen.state.tid == before.tid
                && seen.state.ticks <= before.ticks
                && seen.state.cfa(program) == Some(cfa)
        };
        let looked = self.looker.last(&Ask { before, at, memory: None, texts: Vec::new() }, &is_its)?;
        match looked.last {
            Some(seen) => Ok(Some(seen.state)),
            // What is said of frames need not be true of assembler code, as of the first code of a program.
            None => self.last_in_activation(at, before),
        }
    }

    /// Returns the whole state at an earlier instruction of the same function.
    pub(super) fn again(&self, later: &Snapshot, pc: u64) -> Result<Option<Snapshot>, Error> {
        self.last_in_frame(&[pc], later)
    }
}

/// What is said where a value is not what it must be.
pub(super) const MISMATCH: &str = "a different value is there, so it is not followed further";

/// Returns the bytes of a general register.
pub(super) fn register_part(state: &Snapshot, number: u16, offset: usize, length: usize) -> Option<Vec<u8>> {
    let value = state.register(number).filter(|_| number < GENERAL)?.to_le_bytes();
    value.get(offset..offset.checked_add(length)?).map(<[u8]>::to_vec)
}
