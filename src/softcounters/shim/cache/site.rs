//! Probes in translated code: what is stored before an instruction is executed.
//!
//! An entry is written to the buffer of the region without changing a flag and without a branch that counts. rcx and
//! rax lie in their slots meanwhile. The entry counts only when its end is stored, which is the last that is done; so
//! what faults on the way, a look at memory that is not there, has told nothing, and the tracer looks instead. Where
//! the buffer has no room for the entry, or where memory may be that of the region, which no program has, the cache is
//! left and the tracer looks, too.
//!
//! An instruction with probes begins its block: so nothing else of a block has to know of them, and what cannot be
//! translated is not begun.

use std::collections::BTreeMap;
use std::ffi::c_ulong;
use std::ops::Range;
use std::sync::Arc;

use super::asm::{Assembler, RAX, RCX, Register};
use super::block::Spill;
use super::layout::{BUFFER, REGION, SIZE, slot};
use super::requirement::Requirement;
use super::translate::{Block, Stub};

/// Something that an entry tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A general register, by its number in the encoding; or [`RIP`] or [`FS`].
    Register(u8),
    /// The low half of a vector register, 16 bytes.
    Vector(u8),
    /// So many bytes from an address: that of a register and the first step, and for each further step what is in
    /// memory there and the step.
    Memory { base: u8, steps: Vec<i32>, length: u16 },
}

/// Stands for the address of the instruction where a register's number is.
pub const RIP: u8 = 16;
/// Stands for the base of the segment fs there.
pub const FS: u8 = 17;

/// What is told at an address, and by which number.
#[derive(Debug, PartialEq, Eq)]
pub struct Probe {
    pub number: u32,
    pub items: Vec<Item>,
    /// What must hold for it to tell. Who cannot look at that tells nevertheless.
    pub requires: Vec<Requirement>,
}

/// No item is longer.
const MOST_BYTES: u32 = 512;
/// Bytes of an entry before its items: the probe's number, the remaining count.
pub const HEAD: usize = 16;
/// Beside the number of a probe: what it requires does not hold, and nothing follows the head.
pub const PASSED: u32 = 1 << 30;

/// Returns whether so many bytes can be loaded at once.
fn is_one_piece(length: u16) -> bool {
    matches!(length, 1 | 2 | 4 | 8)
}

impl Item {
    /// Returns how many bytes it takes in the buffer.
    fn room(&self) -> u32 {
        match self {
            Item::Register(_) => 8,
            Item::Vector(_) => 16,
            Item::Memory { length, .. } if is_one_piece(*length) => 8,
            // Each piece is stored as eight bytes, of which some may go beyond the end.
            Item::Memory { length, .. } => u32::from(*length).next_multiple_of(8) + 8,
        }
    }
}

impl Probe {
    /// Returns how many bytes an entry takes in the buffer.
    pub fn room(&self) -> u32 {
        HEAD as u32 + self.items.iter().map(Item::room).sum::<u32>()
    }

    /// Returns whether something of it is counted from this register.
    pub fn names(&self, register: u8) -> bool {
        let is_told = self.items.iter().any(|item| match item {
            Item::Register(number) => *number == register,
            Item::Memory { base, .. } => *base == register,
            Item::Vector(_) => false,
        });
        is_told || self.requires.iter().any(|requirement| requirement.names(register))
    }

    /// Returns where the items of an entry are in it.
    pub fn places(&self) -> impl Iterator<Item = (&Item, usize)> {
        let mut at = HEAD;
        self.items.iter().map(move |item| {
            let place = at;
            at += item.room() as usize;
            (item, place)
        })
    }
}

/// Bytes of an entry that are told as they are, or memory, of which the length is told before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub at: usize,
    pub length: usize,
    pub is_memory: bool,
}

/// Returns what is told of these items of an entry, where each is given: what lies together is one piece.
pub fn pieces<'a>(items: impl Iterator<Item = (&'a Item, usize)>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (item, at) in items {
        let (length, is_memory) = match item {
            Item::Register(_) => (8, false),
            Item::Vector(_) => (16, false),
            Item::Memory { length, .. } => (usize::from(*length), true),
        };
        match pieces.last_mut() {
            Some(last) if !is_memory && !last.is_memory && last.at + last.length == at => last.length += length,
            _ => pieces.push(Piece { at, length, is_memory }),
        }
    }
    pieces
}

/// Returns a word of an entry.
pub fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}

/// Adds to what is told of an entry.
pub fn tell(pieces: &[Piece], entry: &[u8], told: &mut Vec<u8>) {
    for piece in pieces {
        if piece.is_memory {
            told.extend((piece.length as u32).to_le_bytes());
        }
        told.extend_from_slice(entry.get(piece.at..piece.at + piece.length).unwrap_or(&[]));
    }
}

/// Where probes are in an address space; what is told of memory, if that is watched, and whether its reads are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sites(Option<Arc<BTreeMap<u64, Vec<Arc<Probe>>>>>, Option<Arc<Probe>>, bool);

impl Sites {
    pub fn new(sites: BTreeMap<u64, Vec<Arc<Probe>>>) -> Sites {
        Sites((!sites.is_empty()).then(|| Arc::new(sites)), None, false)
    }

    /// Returns the same where writes are looked at, too, of which this is told.
    pub fn watching(self, told: Option<Arc<Probe>>) -> Sites {
        Sites(self.0, told, self.2)
    }

    /// Makes them look at reads, too.
    pub fn reading(self, reads: bool) -> Sites {
        Sites(self.0, self.1, reads)
    }

    /// Returns what is told of writes, if they are looked at.
    pub fn watch(&self) -> Option<&Arc<Probe>> {
        self.1.as_ref()
    }

    /// Returns whether reads are looked at.
    pub fn reads(&self) -> bool {
        self.2
    }

    /// Returns what is the same everywhere.
    pub fn without_places(&self) -> Sites {
        Sites(None, self.1.clone(), self.2)
    }

    /// The probes at an address.
    pub fn at(&self, address: u64) -> &[Arc<Probe>] {
        self.0.as_ref().and_then(|sites| sites.get(&address)).map_or(&[], Vec::as_slice)
    }

    /// Whether there are probes at these addresses.
    pub fn touch(&self, range: Range<u64>) -> bool {
        range.start < range.end && self.0.as_ref().is_some_and(|sites| sites.range(range).next().is_some())
    }

    /// Iterates over all there are.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Arc<Probe>)> {
        self.0
            .iter()
            .flat_map(|sites| sites.iter())
            .flat_map(|(&at, probes)| probes.iter().map(move |probe| (at, probe)))
    }
}

impl Block {
    /// Writes the entries of the probes at `address`, the instruction of which is translated next.
    pub fn probe(&mut self, address: u64) {
        let sites = self.sites.clone();
        for (told, probe) in sites.at(address).iter().enumerate() {
            self.told = Some((address, told as u8));
            self.point(address, None);
            self.asm.store(slot::RCX, RCX);
            self.point(address, Some(Spill::Probe));
            self.asm.store(slot::RAX, RAX);
            if probe.names(RIP) {
                self.load_program_address(RAX, address);
                self.asm.store(slot::INSTRUCTION, RAX);
            }
            let field = self.asm.check_room(probe.room());
            self.stub(field, Stub::Full(address, told as u8));
            if probe.names(FS) && !reads_segment_bases() {
                let field = self.asm.jump();
                self.stub(field, Stub::Full(address, told as u8));
            }
            let mut doubtful = Vec::new();
            let passed = probe.requires.iter().map(|requirement| self.asm.require(requirement, &mut doubtful));
            let passed: Vec<u32> = passed.flatten().collect();
            doubtful.extend(self.asm.entry(probe.number, probe, self.owed));
            for field in doubtful {
                self.stub(field, Stub::Full(address, told as u8));
            }
            self.asm.end_entry(probe.room());
            if !passed.is_empty() {
                let told = self.asm.jump();
                let here = self.asm.here();
                passed.into_iter().for_each(|field| self.asm.aim(field, here));
                self.asm.head(probe.number | PASSED, self.owed);
                self.asm.end_entry(HEAD as u32);
                let here = self.asm.here();
                self.asm.aim(told, here);
            }
            self.asm.load(RAX, slot::RAX);
            self.asm.load(RCX, slot::RCX);
            self.told = Some((address, told as u8 + 1));
        }
    }
}

impl Assembler {
    /// Jumps if there is no room for an entry of so many bytes; returns the rel32 field. Overwrites rcx.
    pub fn check_room(&mut self, room: u32) -> u32 {
        // The upper 16 bits tell a negative number, by which there is room: bswap rcx; movzx ecx, cx.
        self.load(RCX, slot::BUFFER_AT);
        let last = REGION + SIZE - u64::from(room);
        self.bytes(&[0x48, 0x8d, 0x89]);
        self.imm32((last as u32).wrapping_neg());
        self.bytes(&[0x48, 0x0f, 0xc9, 0x0f, 0xb7, 0xc9]);
        // jrcxz over a short jump over a jump
        self.bytes(&[0xe3, 2, 0xeb, 5]);
        self.jump()
    }

    /// Makes what was written to an entry of so many bytes, where rcx leads, count.
    pub fn end_entry(&mut self, room: u32) {
        // lea rcx, [rcx + room]
        self.bytes(&[0x48, 0x8d, 0x89]);
        self.imm32(room);
        self.store(slot::BUFFER_AT, RCX);
    }

    /// Writes an entry where so much is owed; the program's rax and rcx are in their slots. Returns the rel32 fields that
    /// lead to where the tracer looks instead. rcx is where the entry is then.
    pub fn entry(&mut self, number: u32, probe: &Probe, owed: i32) -> Vec<u32> {
        let mut doubtful = Vec::new();
        self.head(number, owed);
        for (item, at) in probe.places() {
            let at = at as u32;
            match item {
                Item::Register(number) => {
                    let register = self.value(*number);
                    self.keep(register, at);
                }
                Item::Vector(number) => {
                    // movups [rcx + at], xmm
                    if *number >= 8 {
                        self.bytes(&[0x44]);
                    }
                    self.bytes(&[0x0f, 0x11, 0x81 | (number & 7) << 3]);
                    self.imm32(at);
                }
                Item::Memory { base, steps, length } => self.memory(*base, steps, *length, at, &mut doubtful),
            }
        }
        doubtful
    }

    /// Writes the head of an entry. rcx is where the entry is then.
    fn head(&mut self, number: u32, owed: i32) {
        self.load(RCX, slot::BUFFER_AT);
        // mov dword [rcx], number
        self.bytes(&[0xc7, 0x01]);
        self.imm32(number);
        self.load(RAX, slot::COUNT);
        if owed != 0 {
            self.add(RAX, owed as i8);
        }
        self.keep(RAX, 8);
    }

    /// Returns the register that has the value the program has in the register of this number.
    fn value(&mut self, number: u8) -> Register {
        match Register(number) {
            Register(RIP) => self.load(RAX, slot::INSTRUCTION),
            // rdfsbase rax
            Register(FS) => self.bytes(&[0xf3, 0x48, 0x0f, 0xae, 0xc0]),
            RAX => self.load(RAX, slot::RAX),
            RCX => self.load(RAX, slot::RCX),
            register => return register,
        }
        RAX
    }

    /// Emits `mov [rcx + at], register`.
    pub fn keep(&mut self, register: Register, at: u32) {
        self.bytes(&[0x48 | (register.0 >> 3 & 1) << 2, 0x89, 0x81 | (register.0 & 7) << 3]);
        self.imm32(at);
    }

    /// Copies bytes of memory to the entry.
    fn memory(&mut self, base: u8, steps: &[i32], length: u16, at: u32, doubtful: &mut Vec<u32>) {
        let last = self.lead_to(base, steps, doubtful);
        self.load(RCX, slot::BUFFER_AT);
        if !is_one_piece(length) {
            self.store(slot::PROBED, RAX);
        }
        let (mut done, length) = (0, u32::from(length));
        while done < length {
            let piece = 1 << (length - done).min(8).ilog2();
            if done > 0 {
                self.load(RAX, slot::PROBED);
            }
            self.load_from_rax(piece, last.wrapping_add_unsigned(done));
            self.keep(RAX, at + done);
            done += piece;
        }
    }

    /// Makes rax the value the program has in the register of this number.
    pub fn value_to_rax(&mut self, number: u8) {
        let register = self.value(number);
        if register != RAX {
            // mov rax, register
            self.bytes(&[0x48 | (register.0 >> 3 & 1) << 2, 0x89, 0xc0 | (register.0 & 7) << 3]);
        }
    }

    /// Makes rax what the last of these steps is counted from, and returns that step. Overwrites rcx.
    pub fn lead_to(&mut self, base: u8, steps: &[i32], doubtful: &mut Vec<u32>) -> i32 {
        self.value_to_rax(base);
        let (last, before) = steps.split_last().map_or((0, steps), |(last, before)| (*last, before));
        for &step in before {
            doubtful.push(self.doubt(step));
            self.load_from_rax(8, step);
        }
        doubtful.push(self.doubt(last));
        last
    }

    /// Jumps if the memory at rax plus `step` may be that of the region, which is not the program's: in the 4 GiB from
    /// a little before it on. Overwrites rcx. Returns the rel32 field of the jump.
    fn doubt(&mut self, step: i32) -> u32 {
        // lea rcx, [rax + step]; lea rcx, [rcx - start]
        self.bytes(&[0x48, 0x8d, 0x88]);
        self.imm32(step as u32);
        self.bytes(&[0x48, 0x8d, 0x89]);
        self.imm32((REGION as u32 - MOST_BYTES).wrapping_neg());
        self.store(slot::DOUBT, RCX);
        self.load_half(RCX, slot::DOUBT + 4);
        // jrcxz over a short jump over a jump
        self.bytes(&[0xe3, 2, 0xeb, 5]);
        self.jump()
    }

    /// Emits `mov rax, [rax + step]`, of so many bytes.
    pub fn load_from_rax(&mut self, size: u32, step: i32) {
        match size {
            8 => self.bytes(&[0x48, 0x8b, 0x80]),
            4 => self.bytes(&[0x8b, 0x80]),
            2 => self.bytes(&[0x0f, 0xb7, 0x80]),
            _ => self.bytes(&[0x0f, 0xb6, 0x80]),
        }
        self.imm32(step as u32);
    }
}

/// Returns whether programs can execute `rdfsbase`: Linux says so by HWCAP2_FSGSBASE.
fn reads_segment_bases() -> bool {
    const AT_HWCAP2: c_ulong = 26;
    const FSGSBASE: c_ulong = 2;
    unsafe extern "C" {
        fn getauxval(kind: c_ulong) -> c_ulong;
    }
    // SAFETY: the C library's function only reads what the process was started with.
    unsafe { getauxval(AT_HWCAP2) & FSGSBASE != 0 }
}

const _: () = assert!(BUFFER < SIZE);
