//! Two processes in the same state: one runs a program instruction by instruction, the other its translation.

use std::collections::{BTreeSet, HashMap};

use libc::user_regs_struct;

use super::child::{Area, Child, Stop};
use super::compare::NOT_COMPARED;
use super::counts::{Counted, is_repeated};
use super::image::Image;
use super::leaving::{End, Left};
use super::probes::{Expected, GENERAL, general};
use super::state::DATA;
use super::testable::is_testable;
use super::trap_flag::{clear_trap_flag, is_pushf};
use crate::shim::cache::block::{Exit, Fixup, Lowering, Point, Translation};
use crate::shim::cache::class::{Class, classify};
use crate::shim::cache::count::slot_from_remaining;
use crate::shim::cache::exits::MOST_BEYOND;
use crate::shim::cache::insn::{Insn, MAX_LENGTH, decode};
use crate::shim::cache::layout::{BUFFER, CODE, COMMON_EXIT, COUNTERS, DISPATCHER, FILTERS, REGION, SIZE, TABLE, slot};
use crate::shim::cache::piece::Piece;
use crate::shim::cache::stubs;
use crate::shim::cache::translate::{MAX_NEEDED, is_user_address, translate_with};

/// The part of the region that exists in the tests.
const CACHE: Area = Area { address: REGION, length: CODE as usize + (1 << 20), writable: true, executable: true };
/// The part that says what is watched, and that probes write to.
const ENTRIES: Area =
    Area { address: REGION + FILTERS, length: (SIZE - FILTERS) as usize, writable: true, executable: false };
/// The part that counts.
const COUNTED: Area = Area { address: REGION + COUNTERS, length: 1 << 17, writable: true, executable: false };
/// Most steps the program takes for one stay of its translation in the cache; repeated instructions can take long.
const MAX_STEPS: u64 = 1_000;
/// Most times a program may come by a place between two conditional branches: a call of itself comes by with each word
/// of the stack, which lies within the data.
const MAX_ROUNDS: u32 = DATA.length as u32 / 8;
/// Most steps from anywhere in a block to the next point or exit: a look at all of its code and an entry of a
/// probe take most.
const MAX_ROLL: u32 = 400;
/// Makes reads that are not aligned fault; a look at code or at what is watched is one.
const ALIGNMENT_CHECK: u64 = 1 << 18;

/// How translations are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One at a time.
    Alone,
    /// One at a time, step by step: the state is looked at wherever it can be told.
    Rolled,
    /// Linked to each other.
    Linked,
    /// Step by step, of code that can be written to.
    Guarded,
}

impl Mode {
    fn is_stepped(self) -> bool {
        matches!(self, Mode::Rolled | Mode::Guarded)
    }
}

/// All ways of lowering the count.
pub const LOWERINGS: [Lowering; 3] = [Lowering::AtExits, Lowering::ByBranch, Lowering::Last];

/// A difference, described.
pub type Difference = String;

pub struct Placed {
    pub(super) at: u64,
    pub(super) translation: Translation,
}

pub struct Pair {
    pub(super) image: Image,
    pub(super) native: Child,
    pub(super) cached: Child,
    pub(super) blocks: Vec<Placed>,
    /// Blocks by program address; `None` for those that cannot be tested.
    known: HashMap<u64, Option<usize>>,
    /// Numbers of exits: the block and the index in it.
    pub(super) exits: Vec<(usize, usize)>,
    /// Sites to be linked once their target is translated.
    unlinked: Vec<(u64, u64)>,
    next: u64,
    linking: bool,
    guarding: bool,
    /// How translations lower the count.
    lowering: Lowering,
    /// What counters count, and what is counted, if it is.
    pub(super) pieces: Vec<Piece>,
    pub(super) counts: Option<Counted>,
    /// What probes are to tell.
    pub(super) expected: Expected,
    /// Where from the beginning of the data on writes were told, and how long they were, if that is wanted.
    pub(super) record_writes: Option<Vec<(u64, usize)>>,
    /// What has been read, if that is to be kept, and whether it was written, too.
    pub(super) record_reads: Option<Vec<(u64, usize, bool)>>,
    /// Program instructions executed both ways.
    pub instructions: u64,
    /// Stays in the cache.
    pub stays: u64,
    /// How the stays ended.
    pub ends: BTreeSet<&'static str>,
}

impl Pair {
    pub fn new(image: Image) -> Pair {
        let mut areas = vec![DATA];
        areas.extend(image.segments.iter().map(|(area, _)| *area));
        let mut native = Child::spawn(&areas);
        areas.push(CACHE);
        areas.push(ENTRIES);
        areas.push(COUNTED);
        let mut cached = Child::spawn(&areas);
        for (area, content) in &image.segments {
            native.memory_mut(area.address)[..area.length].copy_from_slice(content);
            cached.memory_mut(area.address)[..area.length].copy_from_slice(content);
        }
        for (offset, stub) in [(DISPATCHER, stubs::dispatcher()), (COMMON_EXIT, stubs::common_exit())] {
            cached.memory_mut(REGION + offset)[..stub.len()].copy_from_slice(&stub);
        }
        Pair {
            image,
            native,
            cached,
            blocks: Vec::new(),
            known: HashMap::new(),
            exits: Vec::new(),
            unlinked: Vec::new(),
            next: REGION + CODE,
            pieces: Vec::new(),
            counts: None,
            linking: false,
            guarding: false,
            lowering: Lowering::AtExits,
            expected: Expected::default(),
            record_writes: None,
            record_reads: None,
            instructions: 0,
            stays: 0,
            ends: BTreeSet::new(),
        }
    }

    pub fn image(&self) -> &Image {
        &self.image
    }

    /// An extended state to start from.
    pub fn extended_state(&self) -> Vec<u8> {
        self.native.extended_state()
    }

    /// Gives both the same data.
    pub fn set_data(&mut self, data: &[u8]) {
        for child in [&mut self.native, &mut self.cached] {
            child.memory_mut(DATA.address)[..data.len()].copy_from_slice(data);
        }
    }

    /// Has translations lower the count like this.
    pub fn lower(&mut self, lowering: Lowering) {
        if self.lowering != lowering {
            self.flush();
            self.lowering = lowering;
        }
    }

    /// Forgets all translations.
    pub(super) fn flush(&mut self) {
        // A run that was given up has left counts, and the next translations get the same counters.
        self.reset_counters();
        self.blocks.clear();
        self.known.clear();
        self.exits.clear();
        self.unlinked.clear();
        self.next = REGION + CODE;
        self.pieces.clear();
        self.cached.memory_mut(REGION + TABLE)[..(CODE - TABLE) as usize].fill(0);
    }

    /// The block for a program address, which is translated if need be.
    fn block(&mut self, address: u64) -> Option<usize> {
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        if self.next + 0x1_0000 > REGION + CACHE.length as u64 || self.pieces.len() * 8 + 0x1000 > COUNTED.length {
            self.flush();
        }
        let code = self.image.code(address);
        let code = &code[..code.len().min(MAX_NEEDED)];
        let counts = self.counts.is_some();
        let translation = translate_with(code, address, self.guarding, &self.expected.sites, counts, self.lowering)
            .filter(|translation| is_testable(&code[..translation.source_length as usize]));
        let placed = translation.map(|translation| self.place(translation));
        self.known.insert(address, placed);
        placed
    }

    fn place(&mut self, translation: Translation) -> usize {
        let (index, at) = (self.blocks.len(), self.next);
        let mut code = translation.code.clone();
        let mut set = |offset: u32, value: u32| {
            code[offset as usize..offset as usize + 4].copy_from_slice(&value.to_le_bytes());
        };
        let to = |offset: u64, field: u32| (REGION + offset).wrapping_sub(at + u64::from(field) + 4) as u32;
        for fixup in &translation.fixups {
            match *fixup {
                Fixup::CommonExit(field) => set(field, to(COMMON_EXIT, field)),
                Fixup::Dispatcher(field) => set(field, to(DISPATCHER, field)),
                Fixup::ExitNumber { offset, exit } => set(offset, self.exits.len() as u32 + exit),
                Fixup::Counter { offset, counter } => {
                    let number = self.pieces.len() as u64 + u64::from(counter);
                    set(offset, (REGION + COUNTERS + 8 * number) as u32);
                }
            }
        }
        self.cached.memory_mut(at)[..code.len()].copy_from_slice(&code);
        self.exits.extend((0..translation.exits.len()).map(|exit| (index, exit)));
        self.pieces.extend(&translation.pieces);
        self.next = (at + code.len() as u64).next_multiple_of(16);
        if self.linking {
            self.link(&translation, at);
        }
        self.blocks.push(Placed { at, translation });
        index
    }

    /// Links a new block to the others and them to it.
    fn link(&mut self, translation: &Translation, at: u64) {
        for exit in &translation.exits {
            // An unconditional loop would never come back.
            if let Exit::Direct { target, site } = *exit
                && target > translation.source
            {
                self.unlinked.push((at + u64::from(site), target));
            }
        }
        let source = translation.source;
        let (sites, rest) =
            self.unlinked.iter().partition(|(_, target)| *target == source || self.known_at(*target).is_some());
        self.unlinked = rest;
        let sites: Vec<(u64, u64)> = sites;
        for (site, target) in sites {
            let to = if target == source { at } else { self.known_at(target).unwrap_or(at) };
            let field = to.wrapping_sub(site + 4) as u32;
            self.cached.memory_mut(site)[..4].copy_from_slice(&field.to_le_bytes());
        }
        for (offset, [key, value]) in stubs::table_entries(source, at) {
            self.cached.set_word(REGION + offset, key);
            self.cached.set_word(REGION + offset + 8, value);
        }
    }

    fn known_at(&self, address: u64) -> Option<u64> {
        let index = (*self.known.get(&address)?)?;
        Some(self.blocks[index].at)
    }

    /// The block and the last point at or before an address in the cache.
    pub(super) fn point(&self, address: u64) -> Option<(&Placed, &Point)> {
        let index = self.blocks.partition_point(|block| block.at <= address).checked_sub(1)?;
        let block = &self.blocks[index];
        let offset = u32::try_from(address - block.at).ok()?;
        if offset as usize >= block.translation.code.len() {
            return None;
        }
        let points = &block.translation.points;
        let point = points.partition_point(|point| point.offset <= offset).checked_sub(1)?;
        Some((block, &points[point]))
    }

    /// Runs the program at `registers.rip` both ways, through some blocks, with so many branches to the overflow.
    pub fn run(
        &mut self,
        registers: &user_regs_struct,
        extended: &[u8],
        remaining: u64,
        mode: Mode,
        blocks: usize,
    ) -> Result<(), Difference> {
        self.prepare(mode);
        let start = registers.rip;
        let mut registers = *registers;
        if mode == Mode::Guarded || self.expected.sites.watch().is_some() {
            registers.eflags &= !ALIGNMENT_CHECK;
        }
        self.try_run(&registers, extended, remaining, mode, blocks).map_err(|difference| {
            format!("from {start:#x}, {remaining} branches, {mode:?}, {:?}: {difference}", self.lowering)
        })
    }

    fn prepare(&mut self, mode: Mode) {
        let (linking, guarding) = (mode == Mode::Linked, mode == Mode::Guarded);
        if (self.linking, self.guarding) != (linking, guarding) {
            self.flush();
            (self.linking, self.guarding) = (linking, guarding);
        }
    }

    /// Whether the translation for `registers.rip` is left without having done anything if the program's byte at
    /// `address` is another than it was made from; `None` if there is no translation.
    pub fn notices(&mut self, registers: &user_regs_struct, address: u64) -> Option<bool> {
        self.prepare(Mode::Guarded);
        let index = self.block(registers.rip)?;
        let registers = &user_regs_struct { eflags: registers.eflags & !ALIGNMENT_CHECK, ..*registers };
        self.cached.set_word(REGION + slot::COUNT, slot_from_remaining(100));
        self.cached.set_registers(&user_regs_struct { rip: self.blocks[index].at, ..*registers });
        self.cached.memory_mut(address)[0] ^= 0x10;
        let left = self.stay();
        self.cached.memory_mut(address)[0] ^= 0x10;
        let left = left.ok()?;
        let same = |a: &user_regs_struct, b: &user_regs_struct| {
            let of = |r: &user_regs_struct| [r.rip, r.rax, r.rcx, r.rdx, r.rsp, r.r11, r.eflags & !NOT_COMPARED];
            of(a) == of(b)
        };
        Some(left.end == End::Stale && left.remaining == 100 && same(&left.registers, registers))
    }

    fn try_run(
        &mut self,
        registers: &user_regs_struct,
        extended: &[u8],
        mut remaining: u64,
        mode: Mode,
        blocks: usize,
    ) -> Result<(), Difference> {
        if self.block(registers.rip).is_none() {
            return Ok(());
        }
        let mut state = *registers;
        self.begin_probes(remaining);
        self.set_segments(&state);
        self.begin_counts();
        self.native.set_registers(&state);
        self.native.set_extended_state(extended);
        self.cached.set_extended_state(extended);
        for _ in 0..blocks {
            let Some(index) = self.block(state.rip) else { break };
            self.cached.set_word(REGION + slot::COUNT, slot_from_remaining(remaining));
            state.rip = self.blocks[index].at;
            self.cached.set_registers(&state);
            self.stays += 1;
            let left = if mode.is_stepped() { self.roll(remaining)? } else { Some(self.stay()?) };
            let Some(left) = left else {
                self.give_up();
                return Ok(());
            };
            let executed = remaining.wrapping_sub(left.remaining.wrapping_add(left.followed));
            if (executed as i64) < 0 {
                return Err(format!("the count went up: {}", left.remaining as i64));
            }
            if left.remaining as i64 + MOST_BEYOND as i64 <= 0 {
                return Err(format!("{} branches are left", left.remaining as i64));
            }
            let is_new = left.end == End::Gone && !mode.is_stepped();
            if !self.follow(left.registers.rip, executed, is_new)? {
                self.give_up();
                return Ok(());
            }
            // With links the program may have been at this place before without a branch in between.
            // So it has if a call calls itself, and a jump to itself does not even change the state: its counter does.
            let mut rounds = match mode {
                Mode::Linked => MAX_ROUNDS,
                _ => u32::from(left.end == End::Gone),
            };
            while let Err(difference) = self.check(&left).and_then(|()| {
                self.compare_counts(&left.executed, left.registers.rip)
                    .map_err(|difference| format!("{:?}: {difference}", left.end))
            }) {
                if rounds == 0 || !matches!(self.follow(left.registers.rip, 0, true), Ok(true)) {
                    return Err(difference);
                }
                rounds -= 1;
            }
            self.forget_counts();
            if matches!(left.end, End::Fault(_)) {
                self.excuse_enter(&left.registers);
            }
            let undone = (left.end == End::BadTarget).then_some(left.registers.rip);
            let told = undone.map_or(left.told, |address| self.told_before(address));
            self.compare_probes(told, undone).map_err(|difference| format!("{:?}: {difference}", left.end))?;
            (state, remaining) = (left.registers, left.remaining);
            match left.end {
                End::Gone => {
                    self.ends.insert("gone");
                    if remaining as i64 <= 0 {
                        self.ends.insert("spent");
                        break;
                    }
                }
                End::Spent => {
                    self.ends.insert("spent");
                    break;
                }
                End::Native => {
                    self.ends.insert("native");
                    break;
                }
                End::Step => {
                    self.ends.insert("step");
                    self.step_both(&state)?;
                    break;
                }
                End::Overflow => {
                    self.ends.insert("overflow");
                    if remaining != 1 {
                        return Err(format!("overflow with {remaining} branches to go"));
                    }
                    let is_branch = |insn: Insn| matches!(classify(&insn), Class::ConditionalJump(_) | Class::Loop);
                    if !decode(self.image.code(state.rip)).is_some_and(is_branch) {
                        return Err(format!("overflow at {:#x}, where no branch is", state.rip));
                    }
                    break;
                }
                End::BadTarget => {
                    self.ends.insert("bad target");
                    let stop = self.native.step();
                    // An address of the kernel is one a branch can go to; the fault is that of the next instruction.
                    let is_there = stop == Stop::Stepped && !is_user_address(self.native.rip());
                    if !is_there && !matches!(stop, Stop::Signal { signal: libc::SIGSEGV | libc::SIGBUS, .. }) {
                        return Err(format!("{stop:?} at a branch to nowhere"));
                    }
                    self.give_up();
                    break;
                }
                End::Stale => return Err(format!("the code at {:#x} is found changed", state.rip)),
                End::Fault(_) => {
                    self.ends.insert("fault");
                    break;
                }
            }
        }
        self.compare_memory(true)
    }

    /// Returns whether so many instructions were compared, and runs have ended in each of these ways. The code is the test's
    /// own program, which differs from one build to the next: how soon an end is met is chance.
    pub(super) fn has_run(&self, instructions: u64, ends: &[&str]) -> bool {
        /// So many times as many without one of the ends are no chance.
        const PATIENCE: u64 = 100;
        let missing: Vec<&&str> = ends.iter().filter(|end| !self.ends.contains(**end)).collect();
        assert!(missing.is_empty() || self.instructions < instructions * PATIENCE, "no {missing:?}: {:?}", self.ends);
        missing.is_empty() && self.instructions >= instructions
    }

    /// Lets the translation run until it is left for the tracer; says how many entries were told.
    pub fn run_until_left(&mut self, registers: &user_regs_struct) -> u64 {
        self.prepare(Mode::Alone);
        self.begin_probes(100);
        let index = self.block(registers.rip).expect("a translation");
        let start = self.cached.word(REGION + slot::BUFFER_AT);
        loop {
            self.cached.set_word(REGION + slot::COUNT, slot_from_remaining(100));
            self.cached.set_registers(&user_regs_struct { rip: self.blocks[index].at, ..*registers });
            let left = self.stay().expect("an exit");
            if left.end == End::Step {
                let of = |r: &user_regs_struct| [r.rip, r.rax, r.rcx, r.rsi, r.eflags & !NOT_COMPARED];
                assert_eq!((of(&left.registers), left.told), (of(registers), 0));
                return (self.cached.word(REGION + slot::BUFFER_AT) - start)
                    / u64::from(self.expected.sites.at(registers.rip)[0].room());
            }
        }
    }

    /// Lets the translation run to its first exit; returns the first word that was told, and how many bytes were.
    pub fn first_entry(&mut self, registers: &user_regs_struct) -> (u32, u64) {
        self.prepare(Mode::Alone);
        self.begin_probes(100);
        let index = self.block(registers.rip).expect("a translation");
        self.cached.set_word(REGION + slot::COUNT, slot_from_remaining(100));
        self.cached.set_registers(&user_regs_struct { rip: self.blocks[index].at, ..*registers });
        let left = self.stay().expect("an exit");
        let of = |r: &user_regs_struct| [r.rax, r.rcx, r.rdi, r.eflags & !NOT_COMPARED];
        assert_eq!(of(&left.registers), of(registers));
        let told = self.cached.word(REGION + slot::BUFFER_AT) - (REGION + BUFFER);
        (self.cached.word(REGION + BUFFER) as u32, told)
    }

    /// Lets the program execute one instruction itself, as the tracer does.
    fn step_both(&mut self, state: &user_regs_struct) -> Result<(), Difference> {
        let extended = self.without_cache(self.cached.extended_state());
        self.cached.set_extended_state(&extended);
        self.cached.set_registers(state);
        let (cached, native) = (self.cached.step(), self.native.step());
        if cached != native {
            return Err(format!("{cached:?} at {:#x}, natively {native:?}", state.rip));
        }
        self.compare(&self.cached.registers())
    }

    /// How many instructions of the cache a translation executes up to its exit.
    pub fn cost(&mut self, registers: &user_regs_struct, remaining: u64) -> u64 {
        let index = self.block(registers.rip).expect("a translation");
        self.cached.set_word(REGION + slot::COUNT, slot_from_remaining(remaining));
        self.cached.set_registers(&user_regs_struct { rip: self.blocks[index].at, ..*registers });
        let mut steps = 0;
        while self.cached.rip() != REGION + COMMON_EXIT {
            assert_eq!(self.cached.step(), Stop::Stepped);
            steps += 1;
        }
        steps
    }

    /// Whether the program is natively where and what it is according to the cache.
    fn check(&mut self, left: &Left) -> Result<(), Difference> {
        if let End::Fault(stop) = left.end {
            // An earlier turn of a loop does not fault, and what it executes must not be passed over uncounted.
            let at_fault = self.native.registers();
            if !decode(self.image.code(at_fault.rip)).is_some_and(|insn| is_repeated(&insn)) {
                let differs = |number: &u8| general(&at_fault, *number) != general(&left.registers, *number);
                if let Some(number) = (0..GENERAL).find(differs) {
                    let (native, cached) = (general(&at_fault, number), general(&left.registers, number));
                    return Err(format!("register {number} is {cached:#x} at {stop:?}, natively {native:#x}"));
                }
            }
            // The fault itself has effects: exception flags, iterations done.
            let mut native = self.native.step();
            if native == Stop::Stepped && self.native.rip() == left.registers.rip {
                // A repeated instruction, or a gathering one, with the fault still to come.
                native = self.native.run();
            }
            if without_code_address(native) != without_code_address(stop) {
                return Err(format!("{stop:?} in the cache, natively {native:?}, at {:#x}", self.native.rip()));
            }
        }
        self.compare(&left.registers)
    }

    /// Lets the translation run step by step; at each point the state must be the program's. `None` if it takes too
    /// long.
    fn roll(&mut self, remaining: u64) -> Result<Option<Left>, Difference> {
        let mut since_point = 0;
        let mut last_point = 0;
        let mut steps = 0;
        let mut executed = 0;
        loop {
            steps += 1;
            if steps == MAX_STEPS {
                return Ok(None);
            }
            let mut registers = self.cached.registers();
            let rip = registers.rip;
            if rip == REGION + COMMON_EXIT {
                registers.orig_rax = u64::MAX;
                return Ok(Some(Left { followed: executed, ..self.left(registers) }));
            }
            let mut pushes_flags = false;
            if let Some((block, point)) = self.point(rip)
                && block.at + u64::from(point.offset) == rip
            {
                let point = *point;
                since_point = 0;
                registers.rip = point.address;
                let now = remaining.wrapping_sub(self.remaining(point.owed));
                let more = now.checked_sub(executed).ok_or("the count went back")?;
                if now > remaining + MOST_BEYOND {
                    return Err(format!("{now} branches of {remaining} at {rip:#x}"));
                }
                executed = now;
                // A repeated instruction stays where it is.
                if !self.follow(point.address, more, rip == last_point)? {
                    return Ok(None);
                }
                last_point = rip;
                self.compare(&registers).map_err(|difference| format!("at {rip:#x}, {point:x?}: {difference}"))?;
                // The point may be before what a translation does by itself.
                let code = self.cached.memory(rip).get(..MAX_LENGTH).and_then(decode);
                pushes_flags = code.is_some_and(|insn| is_pushf(&insn));
            }
            since_point += 1;
            if since_point > MAX_ROLL {
                return Err(format!("at {rip:#x}, no point within {MAX_ROLL} steps"));
            }
            let stop = self.cached.step();
            if stop != Stop::Stepped {
                let left = self.fault(self.cached.registers(), stop)?;
                return Ok(Some(Left { followed: executed, ..left }));
            }
            if pushes_flags {
                clear_trap_flag(&mut self.cached);
            }
        }
    }

    /// Steps the program natively to where it has executed `branches` conditional branches and stands at `rip`; at
    /// least one instruction if `some`. False if it takes too long.
    fn follow(&mut self, rip: u64, branches: u64, some: bool) -> Result<bool, Difference> {
        let mut here = self.native.rip();
        let mut before = here;
        let mut executed = 0;
        let mut steps = 0;
        while executed != branches || here != rip || (some && steps == 0) {
            if executed > branches {
                return Err(format!("natively at {here:#x} after {executed} branches, not {rip:#x} after {branches}"));
            }
            if steps == MAX_STEPS {
                return Ok(false);
            }
            let insn = decode(self.image.code(here)).ok_or_else(|| {
                format!(
                    "an unknown instruction at {here:#x}, after {before:#x}, on the way to {rip:#x} after {branches}"
                )
            })?;
            self.expected.look(&self.native, here, &insn);
            match self.native.step() {
                Stop::Stepped => {}
                // A program that touches the cache is not what this is about.
                Stop::Signal { address, .. } if address.wrapping_sub(REGION) < SIZE => return Ok(false),
                stop => return Err(format!("natively {stop:?} at {here:#x}")),
            }
            if is_pushf(&insn) {
                clear_trap_flag(&mut self.native);
            }
            let is_branch = matches!(classify(&insn), Class::ConditionalJump(_) | Class::Loop);
            executed += u64::from(is_branch);
            steps += 1;
            self.instructions += 1;
            self.count_native(here, &insn);
            before = here;
            here = self.native.rip();
            self.expected.executed(is_branch, here);
        }
        Ok(true)
    }
}

/// Faults of an instruction itself, not of its operands, come with its address, which differs in the cache.
fn without_code_address(stop: Stop) -> Stop {
    match stop {
        Stop::Signal { signal: signal @ (libc::SIGFPE | libc::SIGILL), code, .. } => {
            Stop::Signal { signal, code, address: 0 }
        }
        _ => stop,
    }
}
