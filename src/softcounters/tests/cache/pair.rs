//! Two processes in the same state: one runs a program instruction by instruction, the other its translation.

use std::collections::{BTreeSet, HashMap};

use libc::user_regs_struct;

use super::child::{Area, Child, Stop};
use super::compare::NOT_COMPARED;
use super::image::Image;
use super::probes::Expected;
use super::state::DATA;
use crate::softcounters::shim::cache::block::{Exit, Fixup, Indirect, Point, Spill, Translation};
use crate::softcounters::shim::cache::class::{Class, classify};
use crate::softcounters::shim::cache::count::{remaining_from_slot, slot_from_remaining};
use crate::softcounters::shim::cache::insn::{Insn, MAX_LENGTH, decode};
use crate::softcounters::shim::cache::layout::{BUFFER, CODE, COMMON_EXIT, DISPATCHER, REGION, SIZE, TABLE, slot};
use crate::softcounters::shim::cache::stubs::{self, AFTER_EXIT};
use crate::softcounters::shim::cache::translate::{MAX_NEEDED, is_user_address, translate_with};

/// The part of the region that exists in the tests.
const CACHE: Area = Area { address: REGION, length: CODE as usize + (1 << 20), writable: true, executable: true };
/// The part that probes write to.
const ENTRIES: Area =
    Area { address: REGION + BUFFER, length: (SIZE - BUFFER) as usize, writable: true, executable: false };
/// Most steps the program takes for one stay of its translation in the cache; repeated instructions can take long.
const MAX_STEPS: u64 = 1_000;
/// Most times a program may come by a place between two conditional branches.
const MAX_ROUNDS: u32 = 100;
/// Most steps from anywhere in a block to the next point or exit: a look at all of its code and an entry of a
/// probe take most.
const MAX_ROLL: u32 = 400;
/// Makes reads that are not aligned fault; a look at code is one.
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

/// A difference, described.
pub type Difference = String;

pub struct Placed {
    at: u64,
    translation: Translation,
}

pub struct Pair {
    pub(super) image: Image,
    pub(super) native: Child,
    pub(super) cached: Child,
    blocks: Vec<Placed>,
    /// Blocks by program address; `None` for those that cannot be tested.
    known: HashMap<u64, Option<usize>>,
    /// Numbers of exits: the block and the index in it.
    exits: Vec<(usize, usize)>,
    /// Sites to be linked once their target is translated.
    unlinked: Vec<(u64, u64)>,
    next: u64,
    linking: bool,
    guarding: bool,
    /// What probes are to tell.
    pub(super) expected: Expected,
    /// Program instructions executed both ways.
    pub instructions: u64,
    /// Stays in the cache.
    pub stays: u64,
    /// How the stays ended.
    pub ends: BTreeSet<&'static str>,
}

/// How a stay in the cache ended.
struct Left {
    /// The state of the program.
    registers: user_regs_struct,
    remaining: u64,
    /// Branches the program has been taken along natively already.
    followed: u64,
    /// How many probes have told of the next instruction.
    told: usize,
    end: End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Somewhere else in the program.
    Gone,
    /// Before a native instruction.
    Native,
    /// Before an instruction that is native this time.
    Step,
    /// Before the branch that is due.
    Overflow,
    /// Before an instruction that raises this signal.
    Fault(Stop),
    /// Before an indirect branch that faults.
    BadTarget,
    /// Before code that is not what was translated.
    Stale,
}

impl Pair {
    pub fn new(image: Image) -> Pair {
        let mut areas = vec![DATA];
        areas.extend(image.segments.iter().map(|(area, _)| *area));
        let mut native = Child::spawn(&areas);
        areas.push(CACHE);
        areas.push(ENTRIES);
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
            linking: false,
            guarding: false,
            expected: Expected::default(),
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

    /// Forgets all translations.
    pub(super) fn flush(&mut self) {
        self.blocks.clear();
        self.known.clear();
        self.exits.clear();
        self.unlinked.clear();
        self.next = REGION + CODE;
        self.cached.memory_mut(REGION + TABLE)[..(CODE - TABLE) as usize].fill(0);
    }

    /// The block for a program address, which is translated if need be.
    fn block(&mut self, address: u64) -> Option<usize> {
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        if self.next + 0x4000 > REGION + CACHE.length as u64 {
            self.flush();
        }
        let code = self.image.code(address);
        let code = &code[..code.len().min(MAX_NEEDED)];
        let translation = translate_with(code, address, self.guarding, &self.expected.sites)
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
            }
        }
        self.cached.memory_mut(at)[..code.len()].copy_from_slice(&code);
        self.exits.extend((0..translation.exits.len()).map(|exit| (index, exit)));
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
        if mode == Mode::Guarded {
            registers.eflags &= !ALIGNMENT_CHECK;
        }
        self.try_run(&registers, extended, remaining, mode, blocks)
            .map_err(|difference| format!("from {start:#x}, {remaining} branches, {mode:?}: {difference}"))
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
            let executed = remaining.checked_sub(left.remaining + left.followed).ok_or("the count went up")?;
            let is_new = left.end == End::Gone && !mode.is_stepped();
            if !self.follow(left.registers.rip, executed, is_new)? {
                self.give_up();
                return Ok(());
            }
            // With links the program may have been at this place before without a branch in between.
            // So it has if a call calls itself.
            let mut rounds = match mode {
                Mode::Linked => MAX_ROUNDS,
                _ => u32::from(left.end == End::Gone),
            };
            while let Err(difference) = self.check(&left) {
                if rounds == 0 || !matches!(self.follow(left.registers.rip, 0, true), Ok(true)) {
                    return Err(difference);
                }
                rounds -= 1;
            }
            let told = if left.end == End::BadTarget { self.told_before(left.registers.rip) } else { left.told };
            self.compare_probes(told).map_err(|difference| format!("{:?}: {difference}", left.end))?;
            (state, remaining) = (left.registers, left.remaining);
            match left.end {
                End::Gone => {
                    self.ends.insert("gone");
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

    /// Lets the translation run.
    fn stay(&mut self) -> Result<Left, Difference> {
        let stop = self.cached.run();
        let mut registers = self.cached.registers();
        match stop {
            Stop::SystemCall => {
                if registers.rip != REGION + AFTER_EXIT {
                    return Err(format!("a system call at {:#x}", registers.rip));
                }
                registers.rax = self.cached.word(REGION + slot::RAX);
                registers.orig_rax = u64::MAX;
                registers.rcx = self.cached.word(REGION + slot::EXIT_RCX);
                registers.r11 = self.cached.word(REGION + slot::EXIT_R11);
                Ok(self.left(registers))
            }
            Stop::Signal { .. } => self.fault(registers, stop),
            Stop::Stepped => Err(String::from("a step nobody asked for")),
        }
    }

    /// The state of the program after an exit, the numbered one.
    fn left(&self, mut registers: user_regs_struct) -> Left {
        let (block, exit) = self.exits[self.cached.word(REGION + slot::EXIT) as usize];
        let mut remaining = remaining_from_slot(self.cached.word(REGION + slot::COUNT));
        let exit = self.blocks[block].translation.exits[exit];
        let end = match exit {
            Exit::Direct { target, .. } => {
                registers.rip = target;
                End::Gone
            }
            Exit::Native { address } => {
                registers.rip = address;
                End::Native
            }
            Exit::Step { address } | Exit::Full { address, .. } => {
                registers.rip = address;
                End::Step
            }
            Exit::Stale { address } => {
                registers.rip = address;
                End::Stale
            }
            Exit::Overflow { address, owed } => {
                registers.rip = address;
                remaining += u64::from(owed);
                End::Overflow
            }
            Exit::Indirect { address, kind } => {
                registers.rip = self.cached.word(REGION + slot::TARGET);
                if is_user_address(registers.rip) {
                    End::Gone
                } else {
                    registers.rip = address;
                    self.undo(&mut registers, kind);
                    End::BadTarget
                }
            }
        };
        Left { registers, remaining, followed: 0, told: self.told_at(exit), end }
    }

    fn undo(&self, registers: &mut user_regs_struct, kind: Indirect) {
        match kind {
            Indirect::Jump => {}
            Indirect::Return { popped } => registers.rsp -= u64::from(popped),
            Indirect::Call => {
                let word = self.cached.word(REGION + slot::BELOW_STACK);
                let bytes = self.cached.memory(registers.rsp).as_ptr().cast_mut();
                // SAFETY: the word is in memory both processes share, and the child is stopped.
                unsafe { bytes.cast::<u64>().write_unaligned(word) };
                registers.rsp += 8;
            }
        }
    }

    /// The state of the program before the instruction that raised a signal.
    fn fault(&self, mut registers: user_regs_struct, stop: Stop) -> Result<Left, Difference> {
        let (_, point) = self.point(registers.rip).ok_or_else(|| format!("{stop:?} at {:#x}", registers.rip))?;
        registers.rip = point.address;
        match point.spill {
            Some(Spill::Rcx) => registers.rcx = self.cached.word(REGION + slot::RCX),
            Some(Spill::Rbx) => registers.rbx = self.cached.word(REGION + slot::SPILL),
            Some(Spill::Rsi) => registers.rsi = self.cached.word(REGION + slot::SPILL),
            Some(Spill::Rdi) => registers.rdi = self.cached.word(REGION + slot::SPILL),
            Some(Spill::RaxAndRcx | Spill::Probe) => {
                registers.rax = self.cached.word(REGION + slot::RAX);
                registers.rcx = self.cached.word(REGION + slot::RCX);
            }
            None => {}
        }
        registers.orig_rax = u64::MAX;
        let remaining = remaining_from_slot(self.cached.word(REGION + slot::COUNT)) + u64::from(point.owed);
        // Where a probe finds no memory, the instruction is stepped.
        let end = if point.spill == Some(Spill::Probe) { End::Step } else { End::Fault(stop) };
        Ok(Left { registers, remaining, followed: 0, told: usize::from(point.told), end })
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
                let left = remaining_from_slot(self.cached.word(REGION + slot::COUNT)) + u64::from(point.owed);
                let now = remaining.checked_sub(left).ok_or("the count went up")?;
                let more = now.checked_sub(executed).ok_or("the count went back")?;
                executed = now;
                // A repeated instruction stays where it is.
                if !self.follow(point.address, more, rip == last_point)? {
                    return Ok(None);
                }
                last_point = rip;
                self.compare(&registers).map_err(|difference| format!("at {rip:#x}, {point:x?}: {difference}"))?;
                let code = self.image.code(point.address);
                pushes_flags = decode(code).is_some_and(|insn| is_pushf(&insn));
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
        let mut executed = 0;
        let mut steps = 0;
        while executed != branches || here != rip || (some && steps == 0) {
            if executed > branches {
                return Err(format!("natively at {here:#x} after {executed} branches, not {rip:#x} after {branches}"));
            }
            if steps == MAX_STEPS {
                return Ok(false);
            }
            let insn = decode(self.image.code(here)).ok_or_else(|| format!("an unknown instruction at {here:#x}"))?;
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

fn is_pushf(insn: &Insn) -> bool {
    insn.map == 0 && insn.opcode == 0x9c
}

/// Takes back what a single step of `pushf` shows.
fn clear_trap_flag(child: &mut Child) {
    let top = child.registers().rsp;
    child.memory_mut(top)[1] &= !1;
}

/// Whether all instructions do the same each time, and none lets the processor single-step.
fn is_testable(code: &[u8]) -> bool {
    let mut at = 0;
    while let Some(insn) = code.get(at..).and_then(decode) {
        let is_popf = insn.map == 0 && insn.opcode == 0x9d;
        let is_rdtscp = insn.opcode == 0x01 && insn.modrm.is_some_and(|(_, modrm)| modrm == 0xf9);
        let is_rdrand = insn.opcode == 0xc7 && !insn.has_memory();
        let is_random = insn.map == 1 && (is_rdtscp || is_rdrand || matches!(insn.opcode, 0x31 | 0xa2));
        if is_popf || is_random {
            return false;
        }
        at += usize::from(insn.length);
    }
    at + MAX_LENGTH >= code.len()
}
