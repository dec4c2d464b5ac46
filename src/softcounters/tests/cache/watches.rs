//! Watched memory in translations: the writes they tell, one after the other, make of it what it is afterwards.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use libc::user_regs_struct;

use super::counts::Counted;
use super::image::{self, Image};
use super::pair::{Difference, LOWERINGS, Mode, Pair};
use super::random::Random;
use super::samples::{BASES, addresses};
use super::state::{self, DATA};
use crate::shim::cache::layout::{FILTERS, REGION, slot};
use crate::shim::cache::site::{Item, Probe, Sites};
use crate::shim::cache::watch::{LENGTH, ONLY_READ, Parts, READ, WRITTEN};
use crate::shim::probe::watches::Watched;

/// A write as it is told, or a read.
pub struct Write {
    /// With what the instruction has done.
    number: u32,
    instruction: u64,
    address: u64,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// The entry of a write at the beginning of a buffer, if it is one, and what follows.
pub fn written<'a>(buffer: &'a [u8], sites: &Sites) -> Option<(Write, &'a [u8])> {
    let number = u32::from_le_bytes(*buffer.first_chunk()?);
    let told = sites.watch().filter(|_| number & WRITTEN != 0)?;
    let length = number & LENGTH;
    let parts = Parts::of(told, length);
    let (entry, rest) = buffer.split_at(parts.room as usize);
    let word = |at: u32| u64::from_le_bytes(*entry[at as usize..].first_chunk().unwrap());
    let bytes = |at: u32| entry[at as usize..][..length as usize].to_vec();
    let (instruction, address) = (word(parts.instruction), word(parts.address));
    Some((Write { number, instruction, address, before: bytes(parts.before), after: bytes(parts.after) }, rest))
}

impl Pair {
    /// Watches all data.
    pub(super) fn watch(&mut self, sites: Sites) {
        let items = vec![Item::Register(0), Item::Register(1), Item::Register(4)];
        self.probe(sites.watching(Some(Arc::new(Probe { number: u32::MAX, items, requires: vec![] }))));
        self.watch_range(0..DATA.length);
    }

    /// Watches this range of the data, where translations look at writes.
    fn watch_range(&mut self, range: Range<usize>) {
        let at = |offset: usize| DATA.address + offset as u64;
        let watched = Watched::new(vec![(at(range.start)..at(range.end), 0)]);
        self.expected.watched = range;
        let (filters, [start, end]) = (watched.filters(), watched.bounds());
        self.cached.memory_mut(REGION + FILTERS)[..filters.len()].copy_from_slice(&filters);
        self.cached.set_word(REGION + slot::WATCHED, start);
        self.cached.set_word(REGION + slot::WATCHED + 8, end);
    }

    pub(super) fn set_segments(&mut self, registers: &user_regs_struct) {
        self.cached.set_word(REGION + slot::SEGMENTS, registers.fs_base);
        self.cached.set_word(REGION + slot::SEGMENTS + 8, registers.gs_base);
    }

    /// Takes what an `enter` that faults has written for what was to be expected: it pushes rbp before it finds that the
    /// end of the new frame cannot be written to (Intel SDM, volume 2, ENTER), and what faults is not told.
    pub(super) fn excuse_enter(&mut self, registers: &user_regs_struct) {
        const ENTER: u8 = 0xc8;
        let is_prefix =
            |byte: &&u8| matches!(**byte, 0x40..=0x4f | 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
        let code = self.cached.memory(registers.rip);
        if code.iter().find(|byte| !is_prefix(byte)) != Some(&ENTER) {
            return;
        }
        let end = registers.rsp.wrapping_sub(DATA.address) as usize;
        let watched = self.expected.watched.clone();
        let pushed = watched.start.max(end.saturating_sub(8))..watched.end.min(end);
        if let Some(written) = self.cached.memory(DATA.address).get(pushed.clone()).map(<[u8]>::to_vec) {
            self.expected.data[pushed].copy_from_slice(&written);
        }
    }

    /// Whether these writes are all there were.
    pub(super) fn compare_writes(&mut self, mut writes: Vec<Write>, undone: Option<u64>) -> Result<(), Difference> {
        if self.expected.sites.watch().is_none() {
            return Ok(());
        }
        if undone.is_some() && writes.last().is_some_and(|write| Some(write.instruction) == undone) {
            writes.pop();
        }
        for write in &writes {
            let at = write.address.wrapping_sub(DATA.address) as usize;
            let range = self.expected.watched.clone();
            let parts = range.start.max(at)..range.end.min(at.saturating_add(write.before.len()));
            if parts.is_empty() {
                return Err(format!("{:#x} was told, where nothing is watched", write.address));
            }
            let inside = parts.start - at..parts.end - at;
            let (before, after) = (&write.before[inside.clone()], &write.after[inside]);
            if self.expected.data[parts.clone()] != *before {
                let (address, instruction) = (write.address, write.instruction);
                return Err(format!("{address:#x} was not {before:02x?} before {instruction:#x}"));
            }
            let is_written = write.number & ONLY_READ == 0;
            if write.number & (READ | ONLY_READ) != 0
                && let Some(reads) = &mut self.record_reads
            {
                reads.push((at as u64, write.before.len(), is_written));
            }
            if !is_written {
                self.expected.reads += 1;
                continue;
            }
            self.expected.data[parts].copy_from_slice(after);
            self.expected.writes += 1;
            if let Some(writes) = &mut self.record_writes {
                writes.push((at as u64, write.before.len()));
            }
        }
        let range = self.expected.watched.clone();
        let data = &self.cached.memory(DATA.address)[range.clone()];
        match data.iter().zip(&self.expected.data[range.clone()]).position(|(one, other)| one != other) {
            Some(at) => Err(format!("a write to {:#x} was not told", DATA.address + (range.start + at) as u64)),
            None => Ok(()),
        }
    }
}

#[test]
fn writes_that_are_told_make_memory_what_it_is_and_change_nothing() {
    const MODES: [Mode; 4] = [Mode::Alone, Mode::Rolled, Mode::Linked, Mode::Guarded];
    const INSTRUCTIONS: u64 = 12_000;
    let mut random = Random(21);
    let (mut writes, mut reads) = (0, 0);
    for (file, path) in image::files()[..2].iter().enumerate() {
        for (place, base) in BASES.into_iter().enumerate() {
            let mut pair = Pair::new(Image::load(path, base));
            // What is executed may be counted as well.
            pair.counts = ((file + place) % 2 == 0).then(Counted::default);
            let mut extended = pair.extended_state();
            let mut code = Vec::new();
            for round in 0.. {
                if round % 256 == 0 {
                    code = addresses(pair.image(), &mut random);
                    pair.set_data(&state::data(&mut random, &code));
                    pair.lower(LOWERINGS[round / 256 % LOWERINGS.len()]);
                    let probe = Arc::new(Probe { number: 0, items: vec![Item::Register(6)], requires: vec![] });
                    let some: BTreeMap<_, _> =
                        code.iter().step_by(40).map(|at| (*at, vec![Arc::clone(&probe)])).collect();
                    pair.watch(Sites::new(some).reading((round / 256 + place) % 2 == 0));
                    if round / 256 % 3 == 2 {
                        let start = random.below(DATA.length as u64 / 2) as usize;
                        pair.watch_range(start..start + 1 + random.below(DATA.length as u64 / 2 - 1) as usize);
                    }
                }
                state::randomise(&mut extended, &mut random);
                let rip = code[random.below(code.len() as u64) as usize];
                let registers = state::registers(&mut random, &code, rip);
                let limit = if random.once_in(4) { 4 } else { 100 };
                let remaining = random.below(limit) + 1;
                pair.run(&registers, &extended, remaining, MODES[round / 64 % MODES.len()], 8)
                    .unwrap_or_else(|difference| panic!("{} at {base:#x}: {difference}", path.display()));
                if pair.instructions >= INSTRUCTIONS / 4 {
                    break;
                }
            }
            (writes, reads) = (writes + pair.expected.writes, reads + pair.expected.reads);
        }
    }
    assert!(writes > 500 && reads > 500, "{writes} writes, {reads} reads");
}

/// What a translation of this code tells of its writes with these registers: addresses from [`DATA`] on and lengths.
fn told(code: &[u8], registers: impl Fn(&mut user_regs_struct)) -> Vec<(u64, usize)> {
    told_in(0..DATA.length, code, registers)
}

/// The same of its writes to a range of the data.
fn told_in(range: Range<usize>, code: &[u8], registers: impl Fn(&mut user_regs_struct)) -> Vec<(u64, usize)> {
    const AT: u64 = 0x3000_0000_0000;
    let mut pair = Pair::new(Image::of_code(code, AT));
    pair.watch(Sites::default());
    pair.watch_range(range);
    let mut state = state::registers(&mut Random(7), &[], AT);
    state.eflags = 0x202;
    registers(&mut state);
    let extended = pair.extended_state();
    pair.record_writes = Some(Vec::new());
    pair.run(&state, &extended, 100, Mode::Alone, 1).unwrap();
    pair.record_writes.take().unwrap()
}

#[test]
fn a_call_of_an_address_of_the_kernel_is_the_programs_own_whatever_is_watched() {
    const AT: u64 = 0x2000_0000;
    // nop; call -0x38dcfb7c
    let code = [0x90, 0xe8, 0x84, 0x04, 0x23, 0xc7, 0xcc];
    for mode in [Mode::Alone, Mode::Rolled, Mode::Linked] {
        let mut pair = Pair::new(Image::of_code(&code, AT));
        pair.watch(Sites::default());
        pair.watch_range(0..DATA.length);
        let registers = state::registers(&mut Random(7), &[], AT);
        let extended = pair.extended_state();
        pair.run(&registers, &extended, 100, mode, 1).unwrap();
        assert!(pair.ends.contains("native"), "{mode:?}: {:?}", pair.ends);
    }
}

#[test]
fn each_way_to_write_is_told_with_its_place_and_length() {
    let at = |offset: u64| DATA.address + offset;
    // Each ends with int3, which is the program's to execute.
    // mov [rdi + rcx * 4 - 8], eax; add word ptr [rdi], 1; push rdi; push 1 (16 bits)
    let told_of = |code: &[u8]| {
        told(&[code, &[0xcc]].concat(), |registers| {
            (registers.rdi, registers.rcx, registers.rsp) = (at(0x800), 2, at(0x2000));
            (registers.rax, registers.rbx) = (at(0x900), at(0x4000));
            registers.fs_base = at(0x1000);
        })
    };
    assert_eq!(told_of(&[0x89, 0x44, 0x8f, 0xf8]), [(0x800, 4)]);
    assert_eq!(told_of(&[0x66, 0x83, 0x07, 0x01]), [(0x800, 2)]);
    assert_eq!(told_of(&[0x57, 0x66, 0x6a, 0x01]), [(0x1ff8, 8), (0x1ff6, 2)]);
    // mov [rax], rax; mov [rcx + 0x20000000…] is far away; movups [rbx], xmm0; mov fs:[8], rcx
    assert_eq!(told_of(&[0x48, 0x89, 0x00]), [(0x900, 8)]);
    assert_eq!(told_of(&[0x0f, 0x11, 0x03]), [(0x4000, 16)]);
    assert_eq!(told_of(&[0x64, 0x48, 0x89, 0x0c, 0x25, 8, 0, 0, 0]), [(0x1008, 8)]);
    // stosd; pushf; lock xadd [rdi], ecx; fnstcw [rdi]; sete [rdi]; enter 8, 0
    assert_eq!(told_of(&[0xab]), [(0x800, 4)]);
    assert_eq!(told_of(&[0x9c]), [(0x1ff8, 8)]);
    assert_eq!(told_of(&[0xf0, 0x0f, 0xc1, 0x0f]), [(0x800, 4)]);
    assert_eq!(told_of(&[0xd9, 0x3f, 0x0f, 0x94, 0x07]), [(0x800, 2), (0x800, 1)]);
    assert_eq!(told_of(&[0xc8, 8, 0, 0]), [(0x1ff8, 8)]);
    // call the next instruction; call rdi: each is a block's end.
    assert_eq!(told_of(&[0xe8, 0, 0, 0, 0]), [(0x1ff8, 8)]);
    assert_eq!(told_of(&[0xff, 0xd7]), [(0x1ff8, 8)]);
    // mov eax, [rdi]; cmp [rdi], eax; pop rax; nop
    assert_eq!(told_of(&[0x8b, 0x07, 0x39, 0x07, 0x58, 0x90]), []);
}

#[test]
fn what_is_written_beside_a_range_is_not_told() {
    // mov [rdi - 4], eax; mov [rdi], eax; mov [rdi + 4], eax; movups [rdi - 8], xmm0; movups [rdi + 3], xmm0; int3
    let code = [0x89, 0x47, 0xfc, 0x89, 0x07, 0x89, 0x47, 4, 0x0f, 0x11, 0x47, 0xf8, 0x0f, 0x11, 0x47, 3, 0xcc];
    let told = |range| told_in(range, &code, |registers| registers.rdi = DATA.address + 0x800);
    assert_eq!(told(0x800..0x804), [(0x800, 4), (0x7f8, 16), (0x803, 16)]);
    assert_eq!(told(0x7ff..0x800), [(0x7fc, 4), (0x7f8, 16)]);
    assert_eq!(told(0x804..0x805), [(0x804, 4), (0x7f8, 16), (0x803, 16)]);
    assert_eq!(told(0x808..0x809), [(0x803, 16)]);
    assert_eq!(told(0x7f0..0x7f8), []);
    assert_eq!(told(0x813..0x820), []);
}
