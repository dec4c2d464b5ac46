//! Entering the cache and what its exits ask for.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::block::{Exit, Indirect, Lowering};
use super::branch::Branch;
use super::layout::{BUFFER_HALF, MARKS, REGION, RR_PAGE, slot};
use super::made::Made;
use super::maps::Mapped;
use super::pages::{self, PAGE};
use super::region::{self, Slots};
use super::space::{Region, Space};
use super::store::Store;
use super::stubs;
use super::{count, translate};
use crate::decode::{self, Class};
use crate::drive::{self, Outcome};
use crate::inject::Failure;
use crate::log::log;
use crate::memory;
use crate::resume::{How, Phase, Request, Stand};
use crate::state::State;
use crate::sys::{self, Errno, SigInfo, UserRegs};

impl State {
    /// Lets the tracee run translated code from where it stands; false if there is none to be had for it.
    pub fn enter(&mut self, tid: i32, request: Request, stand: &Stand) -> Result<bool, Errno> {
        let id = self.space_of(tid);
        match self.make_ready(tid, id, stand) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(Failure::Errno(errno)) => return Err(errno),
            Err(Failure::Stopped(stop)) => {
                log!(1, "{tid}: came to {:#x} while a region was mapped", stop.status());
                self.kept.push(stop);
                self.set_phase(tid, Phase::Native);
                return Ok(true);
            }
        }
        let rip = stand.registers.rip;
        if stand.cached.is_none() {
            if self.settle_writes(tid, rip, stand.registers.rcx) || self.is_begun(tid, rip) {
                return Ok(false);
            }
            // A repeated instruction that it was inside is over, or will begin again.
            self.tracee(tid).begun = None;
        }
        self.place_breaks(tid, id);
        self.place_probes(tid);
        if self.place_filters(tid, &stand.registers).is_err() {
            log!(1, "{tid}: the region is gone");
            self.leave_space(tid);
            return Ok(false);
        }
        let Some(remaining) = self.remaining(tid) else { return Ok(false) };
        let (remaining, lowering) = self.lend(remaining);
        let how = self.choose(tid, request, stand);
        let pass = u64::from(how.passes());
        let written = [pass.to_le_bytes(), count::slot_from_remaining(remaining).to_le_bytes()];
        if memory::write(tid, &[(REGION + slot::PASS, written.as_flattened())]).is_err() {
            // A new program image.
            log!(1, "{tid}: the region is gone");
            self.leave_space(tid);
            return Ok(false);
        }
        let entry = match stand.cached {
            Some(entry) => Some(entry),
            None => self.translated(tid, id, stand, lowering)?,
        };
        let Some(entry) = entry else { return Ok(false) };
        let signal = self.requeue_withheld(tid)?;
        self.tracee(tid).lent = Some(remaining);
        sys::set_registers(tid, &UserRegs { rip: entry, ..stand.registers })?;
        if let Some(space) = self.spaces.get(id) {
            space.running = Some(tid);
            if let Some(counting) = &mut space.counting {
                counting.begin();
            }
        }
        self.statistics.entries += 1;
        let resume = match how {
            How::Emulated => sys::PTRACE_SYSEMU,
            How::Entered => sys::PTRACE_SYSCALL,
            How::Filtered | How::Judged => sys::PTRACE_CONT,
        };
        self.issue(tid, resume, signal, Phase::Cached { remaining, how })?;
        Ok(true)
    }

    /// Leaves the tracee's execution breakpoints out of the translations: it executes what is there itself, and stops.
    fn place_breaks(&mut self, tid: i32, id: u32) {
        let breaks = std::mem::take(&mut self.tracee(tid).breaks);
        if let Some(space) = self.spaces.get(id)
            && space.left_out != breaks
        {
            space.leave_out(tid, &breaks, &mut self.statistics);
        }
        self.tracee(tid).breaks = breaks;
    }

    /// Chooses how to enter the cache: such that the program's system calls need no second stop, if that is safe.
    fn choose(&mut self, tid: i32, request: Request, stand: &Stand) -> How {
        match request {
            // The stop at its entry cannot be left without another at its exit; one is enough for a system call.
            Request::Syscall if !stand.in_exit && self.filters(tid) == 0 => How::Entered,
            // With rr's own filter alone, every system call outside rr's page makes the stop rr waits for.
            Request::Continue => match (self.own_filters(), self.filters(tid)) {
                (0, 1) => How::Filtered,
                (own, filters) if filters > own && filters != u32::MAX => How::Judged,
                _ => How::Emulated,
            },
            _ => How::Emulated,
        }
    }

    /// Returns how many seccomp filters this process has, and so every tracee; `u32::MAX` if they do not allow the call
    /// by which the cache is left.
    fn own_filters(&mut self) -> u32 {
        *self.own_filters.get_or_insert_with(|| match memory::this_process() {
            process if process > 0 => memory::filters(process),
            _ => u32::MAX,
        })
    }

    /// Sees to it that the tracee's address space has a region that this thread may use now.
    fn make_ready(&mut self, tid: i32, id: u32, stand: &Stand) -> Result<bool, Failure> {
        let Some(space) = self.spaces.get(id) else { return Ok(false) };
        match space.region {
            Region::Ready => return Ok(space.running.is_none_or(|running| running == tid)),
            Region::Refused => return Ok(false),
            Region::Unknown if stand.in_exit => return Ok(false),
            Region::Unknown => {}
        }
        let found = region::is_there(tid);
        if !found {
            self.statistics.injections += 1;
            if !region::map(tid, &stand.registers)? {
                log!(1, "{tid}: no region can be mapped; stepping");
                space.region = Region::Refused;
                return Ok(false);
            }
            space.given.clear();
        }
        region::initialise(tid)?;
        if found {
            space.clear_unknown(tid)?;
        }
        let shared = self.pass.as_ref().and_then(|pass| pass.shared.as_ref());
        space.shares_buffer = shared.map_or(Ok(false), |shared| shared.attach(tid, &stand.registers))?;
        space.renew_index(tid);
        space.region = Region::Ready;
        space.is_filtered = false;
        Ok(true)
    }

    /// Returns where the translation of the code at the tracee's rip is entered that lowers the count like this, made now
    /// if need be.
    fn translated(
        &mut self,
        tid: i32,
        id: u32,
        stand: &Stand,
        lowering: Lowering,
    ) -> Result<Option<u64>, Errno> {
        let address = stand.registers.rip;
        // The table is for the usual ones.
        let tabulate = stand.tabulate && lowering != Lowering::Last;
        let job = Job { address, tabulate, most: self.batch, lowering };
        self.open_store();
        let Some(space) = self.spaces.get(id) else { return Ok(None) };
        if let Some(entry) = space.index.entry(address, lowering) {
            if tabulate {
                if space.code_around(tid, address).is_some_and(|mapped| !mapped.is_writable) {
                    space.teach(&mut self.store, tid, address, true);
                }
                let mut changes = space.index.changes();
                space.index.tabulate(address, &mut changes);
                memory::write(tid, &changes.pieces())?;
            }
            return Ok(Some(entry));
        }
        if space.code_around(tid, address).is_none() {
            return Ok(None);
        }
        for _ in 0..2 {
            match space.translate(&mut self.store, tid, &job) {
                Err(errno) => {
                    // The index says what the region does not.
                    space.region = Region::Unknown;
                    return Err(errno);
                }
                Ok(Batch::Untranslatable) => return Ok(None),
                Ok(Batch::Made(blocks)) => {
                    self.statistics.blocks += blocks;
                    return Ok(space.index.entry(address, lowering));
                }
                Ok(Batch::Full) => {
                    self.statistics.flushes += 1;
                    space.learn(&mut self.store, tid);
                    space.begin_anew(tid)?;
                }
            }
        }
        Ok(None)
    }

    /// Handles an exit: the tracee left the cache through the common exit.
    pub fn on_exit(
        &mut self,
        tid: i32,
        request: Request,
        how: How,
        written: u64,
        info: SigInfo,
    ) -> Result<Outcome, Errno> {
        let mut registers = sys::registers(tid)?;
        if registers.rip != REGION + stubs::AFTER_EXIT {
            return self.on_cached_stop(tid, written, info);
        }
        let slots = Slots::read(tid)?;
        let id = self.space_of(tid);
        let number = slots.get(slot::EXIT) as u32;
        let Some(space) = self.spaces.get(id) else { return Ok(Outcome::Report(info)) };
        space.running = None;
        let Some(exit) = space.index.exit(number) else {
            sys::give_up(&format!("thread {tid} left the code cache through an unknown exit, {number}"))
        };
        let remaining = count::remaining_from_slot(slots.get(slot::COUNT));
        let is_spent = remaining as i64 <= 0;
        let remaining = remaining.wrapping_add_signed(i64::from(space.index.owed_at_exit(number)));
        // What probes are told: the instructions up to where the program is now. A branch that leads somewhere has been
        // executed; one that leads nowhere is undone, for the program to execute it itself and to have the fault.
        match exit {
            Exit::Indirect { .. } if translate::is_user_address(slots.get(slot::TARGET)) => {}
            Exit::Direct { .. } => {}
            Exit::Native { address }
            | Exit::Step { address }
            | Exit::Repeat { address }
            | Exit::Repeated { address }
            | Exit::Full { address, .. }
            | Exit::Overflow { address }
            | Exit::Spent { address }
            | Exit::Stale { address }
            | Exit::Indirect { address, .. } => {
                let left = space.index.left_at_exit(number);
                self.book_left(tid, left, address);
            }
        }
        let Some(space) = self.spaces.get(id) else { return Ok(Outcome::Report(info)) };
        let told = match exit {
            Exit::Indirect { address, .. } if !translate::is_user_address(slots.get(slot::TARGET)) => {
                Some(space.undone_at(address))
            }
            _ => space.told(exit),
        };
        self.collect(tid, written, &slots, told)?;
        self.book(tid, written, remaining);

        let entered = registers;
        registers.rax = slots.get(slot::RAX);
        registers.rcx = slots.get(slot::EXIT_RCX);
        registers.r11 = slots.get(slot::EXIT_R11);
        registers.orig_rax = u64::MAX;
        let mut stand = Stand { registers, in_exit: true, written: false, tabulate: false, cached: None };
        match exit {
            Exit::Direct { target: address, .. } | Exit::Spent { address } => {
                stand.registers.rip = address;
                if is_spent {
                    self.statistics.spent_exits += 1;
                    if self.is_interrupted(written) {
                        return self.trap_at_exit(tid, &stand.registers).map(Outcome::Report);
                    }
                } else {
                    self.statistics.direct_exits += 1;
                }
                self.advance(tid, stand)?;
            }
            Exit::Indirect { address, kind } => {
                self.statistics.indirect_exits += 1;
                let target = slots.get(slot::TARGET);
                if translate::is_user_address(target) {
                    stand.registers.rip = target;
                    stand.tabulate = true;
                    self.advance(tid, stand)?;
                } else {
                    stand.registers.rip = address;
                    undo(tid, kind, &mut stand.registers, &slots)?;
                    self.step(tid, stand)?;
                }
            }
            Exit::Overflow { address } => {
                self.statistics.overflow_exits += 1;
                stand.registers.rip = address;
                // The cache was lent fewer branches than remain where the counter has far to go.
                let is_due = self.remaining(tid).is_none_or(|remaining| remaining <= 1);
                if is_due {
                    let code = self.native_code(tid, id, address);
                    let UserRegs { rip, rcx, eflags: flags, .. } = stand.registers;
                    // Only a replay has overflows late. While it records, rr may deliver another signal from this stop,
                    // and its own calls to the kernel may be on the way: a step's stop is as good for that as any. A
                    // step is what probes are told of, too.
                    if self.counters.lateness.known() > 0
                        && self.pass.is_none()
                        && let Some(Branch { rip, rcx, .. }) = (Branch { rip, rcx, flags }).execute(&code)
                        && self.count(tid)
                    {
                        let registers = UserRegs { rip, rcx, ..stand.registers };
                        return self.overflow_at_exit(tid, &registers).map(Outcome::Report);
                    }
                    self.set_near(tid);
                    self.step_over(tid, stand, &code)?;
                } else if self.is_interrupted(written) {
                    return self.trap_at_exit(tid, &stand.registers).map(Outcome::Report);
                } else {
                    self.advance(tid, stand)?;
                }
            }
            Exit::Stale { address } => {
                self.statistics.stale_exits += 1;
                if let Some(space) = self.spaces.get(id) {
                    space.outdate(tid, number, &mut self.statistics);
                }
                stand.registers.rip = address;
                self.advance(tid, stand)?;
            }
            Exit::Step { address } | Exit::Full { address, .. } => {
                self.statistics.native_exits += 1;
                stand.registers.rip = address;
                // Where there was no room, there is now. Where the tracer must look, entries have been few.
                let is_room_made = matches!(exit, Exit::Full { .. }) && slots.get(slot::BUFFER_AT) >= BUFFER_HALF;
                if is_room_made { self.advance(tid, stand)? } else { self.step(tid, stand)? }
            }
            Exit::Repeat { address } => {
                stand.registers.rip = address;
                stand.cached = Some(slots.get(slot::CACHED));
                let code = self.native_code(tid, id, address);
                self.look(tid, &stand.registers, &code);
                self.tell(tid, address);
                self.look_at_writes(tid, &stand.registers, &code);
                self.tell_writes(tid, address, stand.registers.rcx);
                self.advance(tid, stand)?;
            }
            Exit::Repeated { address } => {
                self.tell(tid, address);
                self.tell_writes(tid, address, stand.registers.rcx);
                stand.registers.rip = address;
                self.advance(tid, stand)?;
            }
            Exit::Native { address } => {
                self.statistics.native_exits += 1;
                stand.registers.rip = address;
                let code = self.native_code(tid, id, address);
                if let Some(length) = system_call_length(&code)
                    && (matches!(how, How::Entered | How::Filtered) || request == Request::Sysemu)
                    && !RR_PAGE.contains(&address)
                {
                    // The exit's own entry into the kernel is as good as the program's.
                    self.statistics.calls += 1;
                    let rip = address + length;
                    self.count_stepped(tid, address..rip);
                    let (orig_rax, r11) = (registers.rax, entered.eflags);
                    let registers = UserRegs { rip, orig_rax, rcx: rip, r11, ..entered };
                    sys::set_registers(tid, &registers)?;
                    self.note_system_call(tid, &registers);
                    return Ok(Outcome::Report(info));
                }
                self.step_over(tid, stand, &code)?;
            }
        }
        Ok(Outcome::Internal)
    }

    /// Reads the code of the native instruction at `address`.
    fn native_code(&mut self, tid: i32, id: u32, address: u64) -> Vec<u8> {
        let known = self.spaces.get(id).and_then(|space| {
            let is_fixed = space.code_around(tid, address).is_some_and(|mapped| !mapped.is_writable);
            space.code.known(address, decode::MAX_LENGTH).filter(|_| is_fixed)
        });
        known.map_or_else(|| drive::code_at(tid, address), <[u8]>::to_vec)
    }

    /// Books the branches run since the cache was entered.
    pub fn book(&mut self, tid: i32, written: u64, remaining: u64) {
        self.tracee(tid).lent = None;
        let run = written.wrapping_sub(remaining);
        self.statistics.ticks += run;
        self.tracee(tid).ticks += run;
        if let Some((_, ticks)) = self.counters.running(tid) {
            ticks.counter.add(run);
        }
    }
}

/// Returns the length of the instruction at the start of `code` if it is `syscall`.
fn system_call_length(code: &[u8]) -> Option<u64> {
    if decode::classify(code) != Class::SystemCall {
        return None;
    }
    let at = code.windows(2).position(|bytes| bytes == [0x0f, 0x05])?;
    (decode::classify(&code[at..]) == Class::SystemCall && decode::classify(&code[..at]) == Class::Ordinary)
        .then_some(at as u64 + 2)
}

/// What is to be translated.
struct Job {
    address: u64,
    /// It is to be in the table of indirect branch targets.
    tabulate: bool,
    /// How many blocks at once, besides those that are known.
    most: usize,
    lowering: Lowering,
}

/// What became of a request to translate.
enum Batch {
    Untranslatable,
    /// This many blocks.
    Made(u64),
    Full,
}

/// An address to be translated.
struct TranslationRequest {
    address: u64,
    /// Indirect branches go there.
    indirect: bool,
    /// Earlier runs came there.
    known: bool,
}

impl Space {
    /// Translates the code at an address and, breadth first, what it leads to: so many blocks, and all that are known;
    /// but that one alone where few branches are left.
    fn translate(&mut self, store: &mut Store, tid: i32, job: &Job) -> Result<Batch, Errno> {
        let &Job { address, tabulate: indirect, most, lowering } = job;
        let is_alone = lowering == Lowering::Last;
        let mut queue = VecDeque::from([TranslationRequest { address, indirect, known: false }]);
        let counts = self.counting.is_some();
        let mut changes = self.index.changes();
        let mut source = Vec::new();
        let mut read = Vec::new();
        let (mut count, mut unknown) = (0, 0);
        while let Some(wanted) = queue.pop_front() {
            let next = wanted.address;
            if self.index.entry(next, lowering).is_none() {
                let Some(Mapped { range, is_writable }) = self.code_around(tid, next).cloned() else { continue };
                if is_writable {
                    self.forget_once(next..range.end.min(next + translate::MAX_NEEDED as u64), &mut read);
                }
                let is_familiar = !is_writable && self.is_familiar(store, tid, next / PAGE);
                let is_wanted = match wanted.known {
                    true => !self.index.is_crowded(),
                    // What was never come to in a familiar page is not likely to be now, nor is all of another page.
                    false => next == address || unknown < most && !is_familiar,
                };
                let end = self.left_out.iter().copied().filter(|&address| next <= address).fold(range.end, u64::min);
                if end == next && next == address {
                    return Ok(Batch::Untranslatable);
                }
                if !is_wanted || end == next {
                    continue;
                }
                if next == address && is_familiar && !is_alone {
                    self.recall(store, tid, next / PAGE, &mut queue);
                }
                self.code.read(tid, next, translate::MAX_NEEDED, end, &mut source);
                let made = if is_writable {
                    translate::translate_with(&source, next, true, &self.sites, counts, lowering)
                        .map(|made| (Arc::new(Made::new(made, &source)), 0))
                } else {
                    self.make(store, tid, next, &source, lowering)
                };
                let Some((made, shift)) = made else {
                    if next == address {
                        return Ok(Batch::Untranslatable);
                    }
                    continue;
                };
                let is_guess = !is_writable && !wanted.known && next != address && self.index.can_mark();
                let guess = is_guess.then_some(wanted.indirect);
                if !Arc::make_mut(&mut self.index).place(&made, shift, guess, &mut changes) {
                    return Ok(Batch::Full);
                }
                count += 1;
                unknown += usize::from(!wanted.known);
                if is_alone {
                    break;
                }
                for exit in made.exits(shift) {
                    if let Exit::Direct { target, .. } = exit {
                        queue.push_back(TranslationRequest { address: target, indirect: false, known: false });
                    }
                }
                queue.extend(made.returns(shift).map(|address| TranslationRequest { address, indirect: true, known: false }));
                if !wanted.known && !is_guess && !is_writable {
                    self.teach(store, tid, next, wanted.indirect);
                }
            }
            if wanted.indirect {
                self.index.tabulate(next, &mut changes);
            }
        }
        memory::write(tid, &changes.pieces())?;
        Ok(Batch::Made(count))
    }

    /// Forgets the pages of this code, but for those in `read`, where these are noted.
    fn forget_once(&mut self, code: Range<u64>, read: &mut Vec<u64>) {
        for page in pages::pages(&code).filter(|page| !read.contains(page)).collect::<Vec<_>>() {
            self.code.forget(&(page * PAGE..(page + 1) * PAGE));
            read.push(page);
        }
    }

    /// Returns a translation of `code` at `address`, perhaps one made before, and by how much it is to be shifted.
    fn make(
        &mut self,
        store: &mut Store,
        tid: i32,
        address: u64,
        code: &[u8],
        lowering: Lowering,
    ) -> Option<(Arc<Made>, u64)> {
        let counts = self.counting.is_some();
        if self.sites.touch(address..address.saturating_add(code.len() as u64)) {
            let made = translate::translate_with(code, address, false, &self.sites, counts, lowering)?;
            return Some((Arc::new(Made::new(made, code)), 0));
        }
        let page = self.code.hash(tid, address / PAGE)?;
        let offset = (address % PAGE) as u16;
        if let Some(found) = store.made(page, offset, code, address, lowering) {
            return Some(found);
        }
        let made = translate::translate_with(code, address, false, &self.sites.without_places(), counts, lowering)?;
        let made = Arc::new(Made::new(made, code));
        store.remember(page, offset, &made);
        Some((made, 0))
    }

    /// Returns whether the store knew the page of this number when it was first asked.
    fn is_familiar(&mut self, store: &Store, tid: i32, page: u64) -> bool {
        if let Some(&familiar) = self.asked.get(&page) {
            return familiar;
        }
        let familiar = self.code.hash(tid, page).is_some_and(|hash| store.starts(hash).is_some());
        self.asked.insert(page, familiar);
        familiar
    }

    /// Puts what the store knows of a page into the queue.
    fn recall(&mut self, store: &Store, tid: i32, page: u64, queue: &mut VecDeque<TranslationRequest>) {
        let Some(hash) = self.code.hash(tid, page) else { return };
        queue.extend(store.starts(hash).into_iter().flatten().map(|(&offset, &indirect)| TranslationRequest {
            address: page * PAGE + u64::from(offset),
            indirect,
            known: true,
        }));
    }

    /// Tells the store which of the blocks that were made on a guess were run.
    pub fn learn(&mut self, store: &mut Store, tid: i32) {
        let numbers = self.index.marks();
        if self.region != Region::Ready || numbers.is_empty() {
            return;
        }
        let mut marks = vec![0; (numbers.end - numbers.start) as usize];
        if memory::read_exactly(tid, REGION + MARKS + numbers.start, &mut marks).is_err()
            || marks.iter().all(|&m| m == 0)
        {
            return;
        }
        for (address, indirect) in Arc::make_mut(&mut self.index).take_run(&marks) {
            self.teach(store, tid, address, indirect);
        }
    }

    /// Tells the store that there is a block at `address`.
    fn teach(&mut self, store: &mut Store, tid: i32, address: u64, indirect: bool) {
        let number = address / PAGE;
        if self.written.contains_key(&number) {
            return;
        }
        if let Some(hash) = self.code.hash(tid, number) {
            store.learn(hash, (address % PAGE) as u16, indirect);
        }
    }
}

/// Takes back an indirect branch whose target is no address.
fn undo(tid: i32, kind: Indirect, registers: &mut UserRegs, slots: &Slots) -> Result<(), Errno> {
    match kind {
        Indirect::Jump => {}
        Indirect::Call => {
            memory::write(tid, &[(registers.rsp, &slots.get(slot::BELOW_STACK).to_le_bytes())])?;
            registers.rsp = registers.rsp.wrapping_add(8);
        }
        Indirect::Return { popped } => registers.rsp = registers.rsp.wrapping_sub(u64::from(popped)),
    }
    Ok(())
}
