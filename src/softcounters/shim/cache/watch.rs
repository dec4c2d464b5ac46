//! Writes to memory that is watched: what is told of an instruction that may be one.
//!
//! Before each instruction that writes, its address is looked up in tables of the region, without changing a flag and
//! without a branch that counts. Which blocks of memory are watched is in the tables alone, so that translations know
//! nothing of it. Where a table says "perhaps", code behind that of the block looks at another one, and stores an entry
//! with the bytes before, executes a copy of the instruction, and stores the bytes after. Only then the entry counts:
//! what faults has told nothing. What lies before all that is watched, or behind, is not told; whether a watched byte was
//! written, where more than one range is watched, is found out when the buffer is emptied.
//!
//! Of what writes an amount that is not known before, and of what is repeated, the tracer tells.
//!
//! Where reads are looked at, too, the same is done for them. Of an instruction that reads one place and writes another,
//! or reads two, the tracer tells if a read may be watched.

use std::sync::Arc;

use super::asm::{Assembler, RAX, RCX};
use super::block::{Exit, Indirect, Spill};
use super::class::Class;
use super::insn::{Encoding, Insn, MAX_LENGTH};
use super::layout::{FILTER_SIZE, FILTERS, REGION, slot};
use super::piece::Run;
use super::site::Probe;
use super::translate::{Block, Stub};
use super::writes::{Access, LONGEST, Target};

/// Marks the number of an entry that tells of watched memory; the rest is how many bytes, and these:
pub const WRITTEN: u32 = 1 << 31;
/// What was written has been read by the same instruction.
pub const READ: u32 = 1 << 30;
/// It was only read.
pub const ONLY_READ: u32 = 1 << 29;
/// Other processors see it done at once.
pub const LOCKED: u32 = 1 << 28;
/// How many bytes.
pub const LENGTH: u32 = LOCKED - 1;

/// The parts of an entry that tells of an access to so many bytes, behind what was asked for: where each begins. What
/// was only read has nothing where the bytes after are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The address of the instruction.
    pub instruction: u32,
    /// The address of what was written or read.
    pub address: u32,
    pub before: u32,
    pub after: u32,
    /// The end.
    pub room: u32,
}

impl Parts {
    pub fn of(told: &Probe, length: u32) -> Parts {
        Parts::behind(told.room(), length)
    }

    /// Returns the same behind so many bytes.
    pub fn behind(instruction: u32, length: u32) -> Parts {
        let bytes = length.next_multiple_of(8);
        let before = instruction + 16;
        Parts { instruction, address: instruction + 8, before, after: before + bytes, room: before + 2 * bytes }
    }
}

/// What becomes of an instruction whose memory may be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reporter {
    /// It tells itself, with these marks.
    Here(u32),
    /// The tracer tells.
    Elsewhere,
}

/// An instruction behind a look whether what it writes or reads is watched.
pub struct Watched {
    insn: Insn,
    code: [u8; MAX_LENGTH],
    address: u64,
    class: Class,
    access: Access,
    how: Reporter,
    told: Option<(u64, u8)>,
    /// What of a piece is executed before it.
    run: Run,
    /// What is owed there.
    owed: i32,
    /// rel32 fields that lead to where it is looked again.
    fields: Vec<u32>,
    /// Where the instruction is executed without being told.
    usual: u32,
    /// Where it has been executed.
    back: u32,
}

impl Block {
    /// Looks whether the instruction, which is translated next, writes to what is watched, or reads it. Says whether it
    /// did; `None` if the program must execute the instruction itself.
    pub fn watch(&mut self, insn: &Insn, code: &[u8], address: u64, class: Class) -> Option<bool> {
        if self.sites.watch().is_none() {
            return Some(false);
        }
        if insn.sets_segment() {
            // The tracer keeps the bases of segments.
            return None;
        }
        let write = insn.write(code);
        let reads = if self.sites.reads() { insn.reads(code) } else { [None, None] };
        let is_known = matches!(
            class,
            Class::Ordinary
                | Class::RipRelative
                | Class::Call
                | Class::IndirectCall
                | Class::IndirectJump
                | Class::Return
        );
        let mut all = reads.into_iter().flatten().chain(write).peekable();
        if all.peek().is_none() {
            return Some(false);
        }
        if !is_known || !all.all(|access| access.length <= LONGEST && is_named(access.target)) {
            return None;
        }
        if insn.is_repeated() {
            self.watch_repeated(insn, code, address, class, reads.into_iter().flatten().chain(write));
            return Some(true);
        }
        let is_written = |read: &Access| write.is_some_and(|write| write.target == read.target);
        let locked = if insn.is_locked() { LOCKED } else { 0 };
        let apart = reads.into_iter().flatten().filter(|read| !is_written(read));
        let is_only_one = write.is_none() && reads.iter().flatten().count() == 1;
        for read in apart {
            let how = if is_only_one { Reporter::Here(ONLY_READ | locked) } else { Reporter::Elsewhere };
            self.watch_access(insn, code, address, class, read, how);
        }
        if let Some(write) = write {
            let read = if reads.iter().flatten().any(is_written) { READ } else { 0 };
            self.watch_access(insn, code, address, class, write, Reporter::Here(read | locked));
        }
        Some(true)
    }

    /// Looks whether a place is watched that the instruction writes to or reads.
    fn watch_access(&mut self, insn: &Insn, code: &[u8], address: u64, class: Class, access: Access, how: Reporter) {
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.load_watched(insn, code, address, access);
        self.asm.look_up(0);
        let field = self.asm.jump_unless_zero();
        self.end_look(insn, code, address, class, (access, how), vec![field]);
    }

    /// Looks at all places of a repeated instruction.
    fn watch_repeated(
        &mut self,
        insn: &Insn,
        code: &[u8],
        address: u64,
        class: Class,
        all: impl Iterator<Item = Access>,
    ) {
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.asm.store(slot::REPEATS, RCX);
        // 65536 rounds or more
        self.asm.load(RCX, slot::REPEATS + 2);
        let mut fields = vec![self.asm.jump_unless_zero()];
        let mut last = None;
        for access in all {
            self.load_watched(insn, code, address, access);
            self.asm.look_up(2);
            fields.push(self.asm.jump_unless_zero());
            last = Some(access);
        }
        if let Some(access) = last {
            self.end_look(insn, code, address, class, (access, Reporter::Elsewhere), fields);
        }
    }

    /// Ends a look, from which these fields lead on if something is watched.
    fn end_look(
        &mut self,
        insn: &Insn,
        code: &[u8],
        address: u64,
        class: Class,
        (access, how): (Access, Reporter),
        fields: Vec<u32>,
    ) {
        let usual = self.asm.here();
        self.asm.load(RCX, slot::RCX);
        let mut copy = [0; MAX_LENGTH];
        copy[..code.len()].copy_from_slice(code);
        let (told, run, owed) = (self.told, self.run, self.owed);
        self.watched.push(Watched {
            insn: *insn,
            code: copy,
            address,
            class,
            access,
            how,
            told,
            run,
            owed,
            fields,
            usual,
            back: 0,
        });
    }

    /// Notes that the instruction that was looked at has been executed here.
    pub fn end_watched(&mut self, is_watched: bool) {
        if let Some(watched) = self.watched.last_mut().filter(|_| is_watched) {
            watched.back = self.asm.here();
        }
    }

    /// Loads rcx, which is in its slot, with the address of what is written or read, and keeps it.
    fn load_watched(&mut self, insn: &Insn, code: &[u8], address: u64, access: Access) {
        // Of the string instructions, no segment changes where rdi leads.
        let mut segment = 0;
        match access.target {
            Target::Stack => {
                // lea rcx, [rsp - length]
                self.asm.bytes(&[0x48, 0x8d, 0x4c, 0x24, (access.length as u8).wrapping_neg()]);
            }
            // lea rcx, [rsp]; lea rcx, [rbp]
            Target::Top => self.asm.bytes(&[0x48, 0x8d, 0x0c, 0x24]),
            Target::FramePointer => self.asm.bytes(&[0x48, 0x8d, 0x4d, 0]),
            Target::Source => {
                segment = insn.prefixes.segment;
                if insn.prefixes.address_size {
                    self.asm.bytes(&[0x67]);
                }
                self.asm.bytes(&[0x48, 0x8d, 0x0e]);
            }
            Target::Destination if insn.prefixes.address_size => self.asm.bytes(&[0x67, 0x48, 0x8d, 0x0f]),
            Target::Destination => self.asm.bytes(&[0x48, 0x8d, 0x0f]),
            Target::Absolute(absolute) => {
                segment = insn.prefixes.segment;
                self.asm.bytes(&[0x48, 0xb9]);
                self.asm.bytes(&absolute.to_le_bytes());
            }
            _ if insn.is_rip_relative() => {
                let next = address.wrapping_add(u64::from(insn.length));
                self.load_program_address(RCX, next.wrapping_add(insn.displacement_in(code) as u64));
                segment = insn.prefixes.segment;
            }
            _ => {
                segment = insn.prefixes.segment;
                self.asm.load_operand_address(insn, code, access.scale);
            }
        }
        if let Target::Destination = access.target
            && !matches!(insn.opcode, 0xa4..=0xaf)
        {
            // maskmovq and its like.
            segment = insn.prefixes.segment;
        }
        if let 0x64 | 0x65 = segment {
            self.asm.store(slot::RAX, RAX);
            self.asm.load(RAX, slot::SEGMENTS + u64::from(segment & 1) * 8);
            // lea rcx, [rcx + rax]
            self.asm.bytes(&[0x48, 0x8d, 0x0c, 0x01]);
            self.asm.load(RAX, slot::RAX);
        }
        self.asm.store(slot::PROBED, RCX);
    }

    /// Adds the code for what writes to watched blocks perhaps, or reads them.
    pub fn end_watches(&mut self) {
        let Some(told) = self.sites.watch().cloned() else { return };
        for watched in std::mem::take(&mut self.watched) {
            (self.told, self.run, self.owed) = (watched.told, watched.run, watched.owed);
            // Nobody comes by this point, see `take_back_rcx`.
            self.point(watched.address, Some(Spill::Rcx));
            self.asm.bytes(&[0x90]);
            for &field in &watched.fields {
                self.asm.aim(field, self.asm.here());
            }
            if watched.insn.is_repeated() {
                self.leave_repeated(&watched);
                continue;
            }
            self.asm.store(slot::RAX, RAX);
            self.asm.look_up(1);
            // jrcxz over a short jump over the jump back and one byte
            self.asm.bytes(&[0xe3, 2, 0xeb, 6]);
            let field = self.asm.jump();
            self.asm.aim(field, watched.usual);
            // Nobody comes by this point, either.
            self.point(watched.address, Some(Spill::Probe));
            self.asm.bytes(&[0x90]);
            self.asm.look_exactly(watched.access.length, watched.usual);
            match watched.how {
                Reporter::Here(marks) if watched.access.is_whole => self.tell_access(&watched, marks, &told),
                _ => self.leave_watched(&watched),
            }
        }
        self.told = None;
    }

    /// Has the tracer tell.
    fn leave_watched(&mut self, watched: &Watched) {
        self.asm.load(RAX, slot::RAX);
        self.asm.load(RCX, slot::RCX);
        self.point(watched.address, None);
        self.leave(Exit::Step { address: watched.address });
    }

    /// Has the tracer tell of a repeated instruction, for which it is here alone: a step is of one round.
    fn leave_repeated(&mut self, watched: &Watched) {
        let Watched { insn, address, .. } = watched;
        // lea rcx, [rip + …]
        self.asm.bytes(&[0x48, 0x8d, 0x0d]);
        let field = self.asm.here();
        self.asm.imm32(0);
        self.asm.store(slot::CACHED, RCX);
        self.asm.load(RCX, slot::RCX);
        self.point(*address, None);
        self.leave(Exit::Repeat { address: *address });
        self.asm.aim(field, self.asm.here());
        self.told = None;
        // The tracer has counted it, and what was owed.
        self.close();
        self.owed = 0;
        self.point(*address, None);
        self.asm.bytes(&watched.code[..usize::from(insn.length)]);
        let next = address.wrapping_add(u64::from(insn.length));
        self.point(next, None);
        self.leave(Exit::Repeated { address: next });
    }

    /// Tells of the instruction and executes it; rax and rcx are in their slots.
    fn tell_access(&mut self, watched: &Watched, marks: u32, told: &Arc<Probe>) {
        let Watched { insn, address, access, .. } = watched;
        let code = &watched.code[..usize::from(insn.length)];
        let parts = Parts::of(told, access.length);
        let full = Stub::Full(*address, watched.told.map_or(0, |told| told.1));
        // What an item of memory looks at takes the place of the address.
        self.asm.load(RAX, slot::PROBED);
        self.asm.store(slot::WRITTEN, RAX);
        let field = self.asm.check_room(parts.room);
        self.stub(field, full);
        if parts != Parts::of(told, 1) {
            self.asm.store_imm32(slot::LONG, 1);
        }
        for field in self.asm.entry(WRITTEN | marks | access.length, told, self.owed) {
            self.stub(field, full);
        }
        self.asm.load(RCX, slot::BUFFER_AT);
        self.load_program_address(RAX, *address);
        self.asm.keep(RAX, parts.instruction);
        self.asm.load(RAX, slot::WRITTEN);
        self.asm.keep(RAX, parts.address);
        self.asm.copy_written(parts.before, access.length);
        self.asm.load(RAX, slot::RAX);
        self.asm.load(RCX, slot::RCX);
        let is_read = marks & ONLY_READ != 0;
        let next = address.wrapping_add(u64::from(insn.length));
        match watched.class {
            Class::IndirectCall => {
                self.call_indirectly(insn, code, *address);
                self.asm.store(slot::TARGET, RCX);
                self.asm.load(RCX, slot::BUFFER_AT);
                self.end_written(parts, access.length);
                self.asm.load(RAX, slot::RAX);
                self.asm.load(RCX, slot::TARGET);
                self.dispatch(Exit::Indirect { address: *address, kind: Indirect::Call });
                return;
            }
            Class::Return | Class::IndirectJump => {
                let kind = match watched.class {
                    Class::Return => self.return_from(insn, code, *address),
                    _ => {
                        self.jump_indirectly(insn, code, *address);
                        Indirect::Jump
                    }
                };
                self.asm.store(slot::TARGET, RCX);
                self.asm.load(RCX, slot::BUFFER_AT);
                self.asm.end_entry(parts.room);
                self.asm.load(RCX, slot::TARGET);
                self.dispatch(Exit::Indirect { address: *address, kind });
                return;
            }
            Class::Call => {
                self.point(*address, None);
                self.count_end(*address, next);
                self.push_return(next);
            }
            Class::RipRelative => self.rip_relative(insn, code, *address),
            _ => {
                self.point(*address, None);
                self.asm.bytes(code);
            }
        }
        self.asm.store(slot::RCX, RCX);
        if is_read {
            self.asm.load(RCX, slot::BUFFER_AT);
            self.asm.end_entry(parts.room);
        } else {
            self.asm.store(slot::RAX, RAX);
            self.asm.load(RCX, slot::BUFFER_AT);
            self.end_written(parts, access.length);
            self.asm.load(RAX, slot::RAX);
        }
        self.asm.load(RCX, slot::RCX);
        let field = self.asm.jump();
        self.asm.aim(field, watched.back);
    }

    /// Completes the entry where rcx leads.
    fn end_written(&mut self, parts: Parts, length: u32) {
        self.asm.copy_written(parts.after, length);
        self.asm.end_entry(parts.room);
    }
}

/// Returns whether a translation can tell where that is before the instruction is executed.
fn is_named(target: Target) -> bool {
    matches!(
        target,
        Target::Operand
            | Target::Stack
            | Target::Destination
            | Target::Absolute(_)
            | Target::Top
            | Target::Source
            | Target::FramePointer
    )
}

impl Assembler {
    /// Jumps if rcx is not zero; returns the rel32 field.
    fn jump_unless_zero(&mut self) -> u32 {
        // jrcxz over the jump
        self.bytes(&[0xe3, 5]);
        self.jump()
    }

    /// Looks up the address that was kept in the filter of this number: rcx is 0 if nothing there is watched.
    fn look_up(&mut self, filter: u64) {
        let from = if filter == 0 { 1 } else { 3 };
        // movzx ecx, word [PROBED + from]; movzx ecx, byte [FILTER + rcx]
        self.bytes(&[0x0f, 0xb7, 0x0c, 0x25]);
        self.imm32((REGION + slot::PROBED + from) as u32);
        self.bytes(&[0x0f, 0xb6, 0x89]);
        self.imm32((REGION + FILTERS + filter * FILTER_SIZE) as u32);
    }

    /// Jumps to where the instruction is executed without being told if none of so many bytes from the address that was
    /// kept on is between the first and the last that are watched. Overwrites rcx and rax; restores rax where it jumps.
    fn look_exactly(&mut self, length: u32, usual: u32) {
        self.load(RAX, slot::PROBED);
        self.load(RCX, slot::WATCHED);
        // lea rcx, [rcx + rax + length - 1]: not negative if the last byte is behind the beginning.
        self.bytes(&[0x48, 0x8d, 0x8c, 0x01]);
        self.imm32(length.wrapping_sub(1));
        self.keep_sign();
        let field = self.jump_unless_zero();
        self.load(RCX, slot::WATCHED + 8);
        // not rax; lea rcx, [rcx + rax]: not negative if the first byte is before the end.
        self.bytes(&[0x48, 0xf7, 0xd0, 0x48, 0x8d, 0x0c, 0x01]);
        self.keep_sign();
        // jrcxz over what follows, up to the jump
        const AWAY: u8 = 13;
        self.bytes(&[0xe3, AWAY]);
        let away = self.here();
        self.aim(field, away);
        self.load(RAX, slot::RAX);
        let field = self.jump();
        self.aim(field, usual);
        debug_assert_eq!(self.here(), away + u32::from(AWAY));
    }

    /// Makes rcx 0 if its upper 16 bits are.
    fn keep_sign(&mut self) {
        // bswap rcx; movzx ecx, cx
        self.bytes(&[0x48, 0x0f, 0xc9, 0x0f, 0xb7, 0xc9]);
    }

    /// Emits `lea rcx` of the memory operand, which is not relative to rip.
    fn load_operand_address(&mut self, insn: &Insn, code: &[u8], scale: u32) {
        let Some((at, modrm)) = insn.modrm else { return };
        let [base, index] = insn.extensions(code);
        if insn.prefixes.address_size {
            self.bytes(&[0x67]);
        }
        let (from, size) = insn.displacement;
        let tail = code.get(usize::from(at) + 1..usize::from(from) + usize::from(size)).unwrap_or(&[]);
        self.bytes(&[0x48 | base >> 3 | index >> 2, 0x8d]);
        if insn.encoding == Encoding::Evex && size == 1 {
            // With a displacement of four bytes instead, which is not scaled.
            self.bytes(&[modrm & 7 | 0x80 | RCX.0 << 3]);
            self.bytes(&tail[..tail.len() - 1]);
            self.imm32((insn.displacement_in(code) * i64::from(scale)) as u32);
        } else {
            self.bytes(&[modrm & 0xc7 | RCX.0 << 3]);
            self.bytes(tail);
        }
    }

    /// Copies what is where the instruction writes to this place of the entry, where rcx leads.
    fn copy_written(&mut self, at: u32, length: u32) {
        let mut done = 0;
        while done < length {
            let piece = 1 << (length - done).min(8).ilog2();
            self.load(RAX, slot::WRITTEN);
            self.load_from_rax(piece, done as i32);
            self.keep(RAX, at + done);
            done += piece;
        }
    }
}
