//! From program code to a block of the cache.
//!
//! A block is straight-line code with exits. Its length is bounded, it ends at an unconditional transfer, and goes on
//! past conditional ones. What it is depends on nothing but the bytes translated and their address; where it is placed
//! matters to the fields named by [`Fixup`] only.
//!
//! Branches are counted where a block is left, see [`exits`](super::exits), or one by one before each of them; which,
//! is said by a [`Lowering`].
//!
//! A block that is a loop goes round within itself, see [`unroll`](super::unroll). A block of code that the program can
//! write to looks at that code before it acts for it, see [`guard`](super::guard).
//!
//! Two rules hold for the code of every instruction. What the instruction does happens in the last of its own
//! instructions that can fault, so that a fault finds the program as it was before, but for a register in its slot. And
//! whatever happens inside, execution goes on to a [`Point`] or to an exit without going round in circles.

use super::asm::{Assembler, RAX, RCX};
use super::block::{Exit, Fixup, Indirect, Lowering, Point, Spill, Translation, Turn};
use super::class::{Class, classify};
use super::guard::Guard;
use super::insn::{Insn, MAX_LENGTH, decode};
use super::layout::slot;
use super::piece::{Piece, Run};
use super::site::Sites;
use super::watch::Watched;

/// Most program bytes in a block.
pub const MAX_SOURCE: usize = 256;
/// How many bytes of the program are worth passing to [`translate`].
pub const MAX_NEEDED: usize = MAX_SOURCE + MAX_LENGTH;
/// Most program instructions in a block.
pub const MAX_INSTRUCTIONS: usize = 48;

/// Translates the code at `address`, of which `code` is what can be read without meeting a mapping that is not to be
/// translated; no more than [`MAX_NEEDED`] bytes are looked at. `is_writable` says that the code may change while the
/// translation is there.
///
/// `None` if the program must execute the first instruction itself.
#[cfg(test)]
pub fn translate(code: &[u8], address: u64, is_writable: bool) -> Option<Translation> {
    translate_with(code, address, is_writable, &Sites::default(), false, Lowering::AtExits)
}

/// Translates the same, where there are probes, or where what is executed `counts`; the count is lowered like this.
pub fn translate_with(
    code: &[u8],
    address: u64,
    is_writable: bool,
    sites: &Sites,
    counts: bool,
    lowering: Lowering,
) -> Option<Translation> {
    let mut block = Block { sites: sites.clone(), counts, lowering, ..Block::with_room() };
    if !is_writable
        && !counts
        && sites.at(address).is_empty()
        && let Some(length) = block.rr_page(code, address)
    {
        return Some(block.finish(address, length));
    }
    block.open(address);
    let mut guard = is_writable.then(Guard::default);
    let (unrolled, mut at) = match &mut guard {
        Some(guard) => {
            let seen = guard.before(&mut block, code, 0, address, 0);
            block.unroll(&code[..seen], address)
        }
        None => {
            // Links lead out of the cache where few branches are left.
            block.round = (lowering == Lowering::Last).then(|| (address, block.asm.here()));
            block.unroll(code, address)
        }
    };
    for count in unrolled.. {
        let here = address.wrapping_add(at as u64);
        let rest = code.get(at..).unwrap_or(&[]);
        let insn = decode(rest);
        let is_full = count == MAX_INSTRUCTIONS
            || count > 0 && !sites.at(here).is_empty()
            || rest.is_empty()
            || insn.is_some_and(|insn| at + usize::from(insn.length) > MAX_SOURCE);
        if is_full && count == 0 {
            return None;
        }
        if is_full {
            block.point(here, None);
            block.count_end(here, here);
            block.close();
            block.point(here, None);
            block.go_to(here);
            break;
        }
        if let Some(guard) = &mut guard {
            guard.before(&mut block, code, at, address, count);
        }
        block.probe(here);
        let length = insn.map_or(rest.len().min(MAX_LENGTH), |insn| usize::from(insn.length));
        at += length;
        let goes_on = insn.and_then(|insn| block.instruction(&insn, &rest[..length], here));
        block.told = None;
        match goes_on {
            Some(true) => {}
            Some(false) => break,
            None if count == 0 => return None,
            None => {
                block.point(here, None);
                block.leave(Exit::Native { address: here });
                break;
            }
        }
    }
    Some(block.finish(address, at as u32))
}

/// Returns whether a program can be at this address. The fault of a branch to another is the branch's own.
pub fn is_user_address(address: u64) -> bool {
    address >> 47 == 0
}

/// A block in the making.
#[derive(Default)]
pub struct Block {
    pub asm: Assembler,
    /// See [`Translation::addresses`].
    pub addresses: Vec<u32>,
    /// See [`Translation::is_bound`].
    pub is_bound: bool,
    /// How the count is lowered.
    pub lowering: Lowering,
    /// Branches the count was lowered for in advance; negative for those that it is still to be lowered for.
    pub owed: i32,
    /// Where probes are.
    pub sites: Sites,
    /// How many entries were written for the instruction at this address, which is not executed yet.
    pub told: Option<(u64, u8)>,
    /// Where the block itself goes round if the program branches to this address: at this offset.
    pub round: Option<(u64, u32)>,
    /// Instructions that may write to what is watched.
    pub watched: Vec<Watched>,
    /// What is executed counts.
    pub counts: bool,
    /// What of a piece is executed here.
    pub run: Run,
    /// What is counted.
    pub pieces: Vec<Piece>,
    pub fixups: Vec<Fixup>,
    points: Vec<Point>,
    pub turns: Vec<Turn>,
    runs: Vec<Run>,
    exits: Vec<Exit>,
    /// See [`Translation::owed`].
    debts: Vec<i32>,
    returns: Vec<u64>,
    /// Code to be placed after that of the instructions.
    stubs: Vec<Waiting>,
    /// Where the code is found to have changed: the rel32 fields that lead there, the address, what of a piece is
    /// executed, and what is owed.
    pub stale: Vec<(Vec<u32>, u64, Run, i32)>,
    /// Return addresses to be placed behind all code, with the rel32 fields that name them.
    pub constants: Vec<(u32, u64)>,
}

/// Code behind that of the instructions that is still to be made, and the rel32 field that leads there.
#[derive(Clone, Copy)]
struct Waiting {
    field: u32,
    stub: Stub,
    run: Run,
    owed: i32,
}

/// Code behind that of the instructions.
#[derive(Clone, Copy)]
pub enum Stub {
    /// Goes on at this address. Another rel32 field leads there with rcx in its slot, where the count is used up.
    Direct(u64, Option<u32>),
    /// Goes on at this address in the block itself, at an offset.
    Within(u64, u32),
    /// The count is used up before the branch at this address.
    Overflow(u64),
    /// The count is used up, and the program stands at this address.
    Spent(u64),
    /// The program executes the instruction at this address itself.
    Step(u64),
    /// A probe at this address cannot write its entry, where this many have been written.
    Full(u64, u8),
}

impl Block {
    /// Begins with room for the usual block, since growing would take longer than translating it.
    fn with_room() -> Block {
        Block {
            asm: Assembler { code: Vec::with_capacity(1024) },
            fixups: Vec::with_capacity(32),
            points: Vec::with_capacity(64),
            exits: Vec::with_capacity(16),
            stubs: Vec::with_capacity(16),
            ..Block::default()
        }
    }

    /// Notes that the state is the program's here, before the instruction at `address`.
    pub fn point(&mut self, address: u64, spill: Option<Spill>) {
        let told = self.told.filter(|told| told.0 == address).map_or(0, |told| told.1);
        // What is before the same code is all the same.
        self.points.pop_if(|point| point.offset == self.asm.here());
        self.points.push(Point { offset: self.asm.here(), address, spill, owed: self.owed, told, run: self.run });
    }

    /// Notes that from here to the next point the program's next instruction is at `address`, and rsp is too high by
    /// `popped`.
    pub fn turn(&mut self, address: u64, popped: i32) {
        self.turns.push(Turn { offset: self.asm.here(), address, owed: self.owed, popped, run: self.run });
    }

    /// Notes the same where the count has just been changed, after which `owed` branches are not executed.
    pub fn counted(&mut self, address: u64, owed: i32) {
        self.turns.push(Turn { offset: self.asm.here(), address, owed, popped: 0, run: self.run });
    }

    /// Notes that rel32 at `field` leads to this code, which is still to be made.
    pub fn stub(&mut self, field: u32, stub: Stub) {
        let run = if matches!(stub, Stub::Direct(..)) { Run::default() } else { self.run };
        self.stubs.push(Waiting { field, stub, run, owed: self.owed });
    }

    /// Adds an exit and stores its number.
    pub fn number(&mut self, exit: Exit) {
        let offset = self.asm.store_imm32(slot::EXIT, 0);
        self.fixups.push(Fixup::ExitNumber { offset, exit: self.exits.len() as u32 });
        self.exits.push(exit);
        self.runs.push(self.run);
        self.debts.push(self.owed);
    }

    pub fn leave(&mut self, exit: Exit) {
        self.number(exit);
        let field = self.asm.jump();
        self.fixups.push(Fixup::CommonExit(field));
    }

    /// Translates one instruction, whose bytes are `code`. False if the block ends with it, `None` if it is native.
    pub fn instruction(&mut self, insn: &Insn, code: &[u8], address: u64) -> Option<bool> {
        let next = address.wrapping_add(u64::from(insn.length));
        let class = classify(insn);
        let target = next.wrapping_add(insn.immediate_in(code) as u64);
        // Before anything is noted of the instruction: what ends here has nothing behind it to go back to.
        if class.is_direct() && !is_user_address(target) {
            return None;
        }
        if self.sites.watch().is_some() && class.is_indirect() {
            self.pay(address);
        }
        let is_watched = self.watch(insn, code, address, class)?;
        match class {
            Class::Ordinary => {
                self.point(address, None);
                self.asm.bytes(code);
                self.end_watched(is_watched);
            }
            Class::RipRelative => {
                self.rip_relative(insn, code, address);
                self.end_watched(is_watched);
            }
            Class::SaveX87 => self.save_x87(code, address),
            Class::LoadAddress => self.load_address(insn, code, address),
            Class::ConditionalJump(condition) => {
                self.count(address, next);
                let field = self.asm.jump_if(condition);
                self.passed();
                match self.round.filter(|round| round.0 == target) {
                    Some((_, offset)) => self.stub(field, Stub::Within(target, offset)),
                    None => self.stub(field, Stub::Direct(target, None)),
                }
                self.open(next);
            }
            Class::Loop => {
                self.count(address, next);
                // The same instruction with a displacement of its own, over a short jump over the link.
                self.asm.bytes(&code[..code.len() - 1]);
                self.asm.bytes(&[2, 0xeb, 5]);
                self.passed();
                self.told = None;
                self.close();
                self.point(target, None);
                let field = self.asm.jump();
                self.stub(field, Stub::Direct(target, None));
                self.open(next);
            }
            Class::Jump => {
                self.point(address, None);
                if self.counts {
                    self.count_end(address, next);
                    self.told = None;
                    self.close();
                    self.point(target, None);
                }
                self.go_to(target);
            }
            Class::Call => {
                self.point(address, None);
                self.count_end(address, next);
                self.push_return(next);
                self.end_watched(is_watched);
                self.told = None;
                self.close();
                self.point(target, None);
                self.go_to(target);
            }
            Class::IndirectJump => {
                self.jump_indirectly(insn, code, address);
                self.dispatch(Exit::Indirect { address, kind: Indirect::Jump });
            }
            Class::IndirectCall => {
                self.call_indirectly(insn, code, address);
                self.dispatch(Exit::Indirect { address, kind: Indirect::Call });
            }
            Class::Return => {
                let kind = self.return_from(insn, code, address);
                self.dispatch(Exit::Indirect { address, kind });
            }
            Class::Native => return None,
        }
        Some(matches!(
            class,
            Class::Ordinary
                | Class::RipRelative
                | Class::SaveX87
                | Class::LoadAddress
                | Class::ConditionalJump(_)
                | Class::Loop
        ))
    }

    /// Loads rcx, which is in its slot then, with where an indirect jump goes.
    pub fn jump_indirectly(&mut self, insn: &Insn, code: &[u8], address: u64) {
        let next = address.wrapping_add(u64::from(insn.length));
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        let is_paid = self.pay_before(address);
        self.count_piece(address, next, false);
        if self.counts || is_paid {
            self.asm.load(RCX, slot::RCX);
        }
        self.load_target(insn, code, next);
    }

    /// Loads rcx, which is in its slot then, with where a return goes, and takes that off the stack.
    pub fn return_from(&mut self, insn: &Insn, code: &[u8], address: u64) -> Indirect {
        let next = address.wrapping_add(u64::from(insn.length));
        let more = insn.immediate_in(code) as u32 & 0xffff;
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.pay_before(address);
        self.count_piece(address, next, false);
        if more == 0 {
            self.asm.bytes(&[0x59]);
        } else {
            // mov rcx, [rsp]; lea rsp, [rsp + 8 + more]
            self.asm.bytes(&[0x48, 0x8b, 0x0c, 0x24, 0x48, 0x8d, 0xa4, 0x24]);
            self.asm.imm32(8 + more);
        }
        self.turn(address, 8 + more as i32);
        Indirect::Return { popped: 8 + more }
    }

    /// Loads rcx, which is in its slot then, with where an indirect call goes, and pushes the return address.
    pub fn call_indirectly(&mut self, insn: &Insn, code: &[u8], address: u64) {
        let next = address.wrapping_add(u64::from(insn.length));
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        let is_paid = self.pay_before(address);
        self.count_piece(address, next, false);
        if self.counts || is_paid {
            self.asm.load(RCX, slot::RCX);
        }
        // The target is read first: of two faults that one counts.
        self.load_target(insn, code, next);
        self.asm.store(slot::TARGET, RCX);
        // mov rcx, [rsp - 8]
        self.asm.bytes(&[0x48, 0x8b, 0x4c, 0x24, 0xf8]);
        self.asm.store(slot::BELOW_STACK, RCX);
        self.asm.load(RCX, slot::TARGET);
        self.push_return(next);
        self.turn(address, -8);
    }

    /// Pushes the return address of a call, as one instruction: push qword ptr [rip + constant].
    pub fn push_return(&mut self, address: u64) {
        self.asm.bytes(&[0xff, 0x35]);
        self.constants.push((self.asm.here(), address));
        self.asm.imm32(0);
        self.returns.push(address);
    }

    /// Goes where rcx says; the program's rcx is in its slot.
    pub fn dispatch(&mut self, exit: Exit) {
        self.number(exit);
        if self.lowering == Lowering::Last {
            // The dispatcher would go on with the usual translation.
            self.asm.store(slot::TARGET, RCX);
            self.asm.load(RCX, slot::RCX);
            let field = self.asm.jump();
            self.fixups.push(Fixup::CommonExit(field));
            return;
        }
        let field = self.asm.jump();
        self.fixups.push(Fixup::Dispatcher(field));
    }

    /// Begins a stub, where rel32 at `field` leads, with rcx in its slot.
    pub fn take_back_rcx(&mut self, field: u32, address: u64) {
        // Nobody comes by this point, which says of what follows that rcx is in its slot.
        self.point(address, Some(Spill::Rcx));
        self.asm.bytes(&[0x90]);
        self.asm.aim(field, self.asm.here());
        self.asm.load(RCX, slot::RCX);
        self.point(address, None);
    }

    /// Returns what was written for the instruction at this address before it is come to.
    pub fn all_told(&self, address: u64) -> Option<(u64, u8)> {
        Some((address, self.sites.at(address).len() as u8))
    }

    fn finish(mut self, source: u64, source_length: u32) -> Translation {
        self.end_watches();
        self.end_exits();
        for Waiting { field, stub, run, owed } in std::mem::take(&mut self.stubs) {
            (self.run, self.owed) = (run, owed);
            self.end_stub(field, stub);
            self.told = None;
        }
        for (fields, address, run, owed) in std::mem::take(&mut self.stale) {
            (self.run, self.owed) = (run, owed);
            self.end_guard(&fields, address);
            self.leave(Exit::Stale { address });
        }
        if !self.constants.is_empty() {
            self.asm.code.resize(self.asm.code.len().next_multiple_of(8), 0);
        }
        for (field, constant) in std::mem::take(&mut self.constants) {
            self.asm.aim(field, self.asm.here());
            self.addresses.push(self.asm.here());
            self.asm.bytes(&constant.to_le_bytes());
        }
        Translation {
            source,
            source_length,
            code: self.asm.code,
            fixups: self.fixups,
            points: self.points,
            turns: self.turns,
            exits: self.exits,
            runs: self.runs,
            owed: self.debts,
            lowering: self.lowering,
            pieces: self.pieces,
            returns: self.returns,
            addresses: self.addresses,
            is_bound: self.is_bound,
        }
    }

    /// Makes the code where a block goes on from its branches, which is executed more often than all that follows.
    fn end_exits(&mut self) {
        let stubs = std::mem::take(&mut self.stubs);
        for waiting in stubs {
            let Waiting { field, stub, run, owed } = waiting;
            (self.run, self.owed) = (run, owed);
            match stub {
                Stub::Within(_, offset) if owed == 0 => self.asm.aim(field, offset),
                Stub::Within(target, offset) => {
                    self.asm.aim(field, self.asm.here());
                    self.go_within(target, offset);
                }
                Stub::Direct(target, None) if owed != 0 => {
                    self.asm.aim(field, self.asm.here());
                    self.go_to(target);
                }
                _ => self.stubs.push(waiting),
            }
        }
    }

    /// Makes code by which the cache is left.
    fn end_stub(&mut self, field: u32, stub: Stub) {
        match stub {
            Stub::Direct(target, spent) => {
                if let Some(spent) = spent {
                    self.take_back_rcx(spent, target);
                }
                self.asm.aim(field, self.asm.here());
                self.point(target, None);
                self.leave(Exit::Direct { target, site: field });
            }
            Stub::Within(..) => {}
            Stub::Overflow(address) => {
                self.told = self.all_told(address);
                self.take_back_rcx(field, address);
                self.leave(Exit::Overflow { address });
            }
            Stub::Spent(address) => {
                self.take_back_rcx(field, address);
                self.leave(Exit::Spent { address });
            }
            Stub::Step(address) => {
                self.told = self.all_told(address);
                self.take_back_rcx(field, address);
                self.leave(Exit::Step { address });
            }
            Stub::Full(address, told) => {
                self.told = Some((address, told));
                // Nobody comes by this point, see `take_back_rcx`.
                self.point(address, Some(Spill::Probe));
                self.asm.bytes(&[0x90]);
                self.asm.aim(field, self.asm.here());
                self.asm.load(RAX, slot::RAX);
                self.asm.load(RCX, slot::RCX);
                self.point(address, None);
                self.leave(Exit::Full { address, told });
            }
        }
    }
}
