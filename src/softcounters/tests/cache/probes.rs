//! Probes in translations: what they store is what a look before each instruction tells.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use libc::user_regs_struct;

use super::child::Child;
use super::image::{self, Image};
use super::pair::{Difference, LOWERINGS, Mode, Pair};
use super::random::Random;
use super::samples::{BASES, addresses};
use super::state::{self, DATA};
use super::watches;
use crate::shim::cache::block::Exit;
use crate::shim::cache::count::remaining_from_slot;
use crate::shim::cache::insn::Insn;
use crate::shim::cache::layout::{BUFFER, REGION, SIZE, slot};
use crate::shim::cache::requirement::{Operand, Requirement};
use crate::shim::cache::site::{HEAD, Item, PASSED, Probe, Sites};

/// Offset of the vector registers in the extended state.
const VECTORS: usize = 160;

/// What a probe tells: its number, the branches left, the bytes of its values, if what it requires holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    probe: u32,
    left: u64,
    values: Option<Vec<Vec<u8>>>,
}

/// What probes must have told.
#[derive(Default)]
pub struct Expected {
    pub sites: Sites,
    entries: Vec<Entry>,
    /// Branches left.
    left: u64,
    /// A repeated instruction that is not done.
    inside: Option<u64>,
    /// How many were told, by all, and how many of these were passed over.
    pub told: u64,
    passed: u64,
    /// What [`DATA`] is, as far as writes were told.
    pub data: Vec<u8>,
    /// What of it is watched.
    pub watched: Range<usize>,
    /// Writes that were told.
    pub writes: u64,
    /// Reads that were, and that wrote nothing.
    pub reads: u64,
}

impl Expected {
    /// The program is about to execute this instruction.
    pub fn look(&mut self, program: &Child, address: u64, insn: &Insn) {
        let is_inside = self.inside.take() == Some(address);
        let is_string = insn.map == 0 && matches!(insn.opcode, 0xa4..=0xa7 | 0xaa..=0xaf);
        self.inside = (is_string && insn.prefixes.repeat != 0).then_some(address);
        if self.sites.at(address).is_empty() || is_inside {
            return;
        }
        let (registers, extended) = (program.registers(), program.extended_state());
        for probe in self.sites.at(address) {
            let is_required = probe.requires.iter().all(|requirement| holds(program, &registers, requirement));
            let values = || probe.items.iter().map(|item| value(program, &registers, &extended, item)).collect();
            self.entries.push(Entry { probe: probe.number, left: self.left, values: is_required.then(values) });
        }
    }

    /// It has executed it.
    pub fn executed(&mut self, is_branch: bool, rip: u64) {
        self.left = self.left.wrapping_sub(u64::from(is_branch));
        self.inside = self.inside.filter(|inside| *inside == rip);
    }
}

/// How many registers are general.
pub(super) const GENERAL: u8 = 16;

pub(super) fn general(r: &user_regs_struct, number: u8) -> u64 {
    [
        r.rax, r.rcx, r.rdx, r.rbx, r.rsp, r.rbp, r.rsi, r.rdi, r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15,
        r.rip, r.fs_base,
    ][usize::from(number)]
}

fn value(program: &Child, registers: &user_regs_struct, extended: &[u8], item: &Item) -> Vec<u8> {
    match item {
        Item::Register(number) => general(registers, *number).to_le_bytes().to_vec(),
        Item::Vector(number) => extended[VECTORS + usize::from(*number) * 16..][..16].to_vec(),
        Item::Memory { base, steps, length } => {
            let (last, before) = steps.split_last().unwrap();
            let mut address = general(registers, *base);
            for step in before {
                address = program.word(address.wrapping_add_signed(i64::from(*step)));
            }
            program.memory(address.wrapping_add_signed(i64::from(*last)))[..usize::from(*length)].to_vec()
        }
    }
}

fn holds(program: &Child, registers: &user_regs_struct, requirement: &Requirement) -> bool {
    let Requirement { size, is_signed, least, greatest, is_other, .. } = *requirement;
    let bytes = match &requirement.operand {
        Operand::Register(number) => general(registers, *number).to_le_bytes()[..usize::from(size)].to_vec(),
        Operand::Memory { base, steps } => {
            let item = Item::Memory { base: *base, steps: steps.clone(), length: u16::from(size) };
            value(program, registers, &[], &item)
        }
    };
    let fill = if is_signed && bytes.last().unwrap() & 0x80 != 0 { 0xff } else { 0 };
    let mut wide = [fill; 16];
    wide[..bytes.len()].copy_from_slice(&bytes);
    (least..=greatest).contains(&i128::from_le_bytes(wide)) != is_other
}

impl Pair {
    /// Puts probes into the code.
    pub fn probe(&mut self, sites: Sites) {
        self.flush();
        let Expected { told, passed, writes, reads, .. } = self.expected;
        self.expected = Expected { sites, told, passed, writes, reads, ..Expected::default() };
    }

    /// A run begins, with so many branches to the overflow.
    pub(super) fn begin_probes(&mut self, remaining: u64) {
        (self.expected.left, self.expected.inside) = (remaining, None);
        self.empty_buffer();
    }

    fn empty_buffer(&mut self) {
        self.cached.set_word(REGION + slot::BUFFER_AT, REGION + BUFFER);
        self.expected.data = self.cached.memory(DATA.address)[..DATA.length].to_vec();
        self.expected.entries.clear();
    }

    /// How many of the last entries are about an instruction that is not executed yet.
    pub(super) fn told_at(&self, exit: Exit) -> usize {
        match exit {
            Exit::Full { told, .. } => usize::from(told),
            Exit::Overflow { address } | Exit::Step { address } | Exit::Repeat { address } => self.told_before(address),
            _ => 0,
        }
    }

    /// How many entries there are for an instruction that is taken back.
    pub(super) fn told_before(&self, address: u64) -> usize {
        self.expected.sites.at(address).len()
    }

    /// Whether the buffer has what it should, but for the last `told` entries, and what is told of the write of an
    /// instruction that is taken back; empties it.
    pub(super) fn compare_probes(&mut self, told: usize, undone: Option<u64>) -> Result<(), Difference> {
        let end = self.cached.word(REGION + slot::BUFFER_AT);
        let length =
            end.checked_sub(REGION + BUFFER).filter(|_| end <= REGION + SIZE).ok_or("the buffer has no end")?;
        let mut rest = &self.cached.memory(REGION + BUFFER)[..length as usize];
        let mut entries = Vec::new();
        let probes: BTreeMap<u32, Arc<Probe>> =
            self.expected.sites.iter().map(|(_, probe)| (probe.number, Arc::clone(probe))).collect();
        let mut writes = Vec::new();
        while let Some((number, _)) = rest.split_first_chunk::<4>() {
            if let Some((write, after)) = watches::written(rest, &self.expected.sites) {
                writes.push(write);
                rest = after;
                continue;
            }
            let number = u32::from_le_bytes(*number);
            let is_passed = number & PASSED != 0;
            let probe = probes.get(&(number & !PASSED)).ok_or("an entry of no probe")?;
            let (entry, after) = rest.split_at(if is_passed { HEAD } else { probe.room() as usize });
            let places = probe.places().map(|(item, at)| {
                let length = match item {
                    Item::Register(_) => 8,
                    Item::Vector(_) => 16,
                    Item::Memory { length, .. } => usize::from(*length),
                };
                entry[at..at + length].to_vec()
            });
            let left = remaining_from_slot(u64::from_le_bytes(*entry[8..].first_chunk().unwrap()));
            entries.push(Entry { probe: probe.number, left, values: (!is_passed).then(|| places.collect()) });
            rest = after;
        }
        self.compare_writes(writes, undone)?;
        entries.truncate(entries.len().checked_sub(told).ok_or("fewer entries than were told")?);
        self.expected.told += entries.len() as u64;
        self.expected.passed += entries.iter().filter(|entry| entry.values.is_none()).count() as u64;
        if entries != self.expected.entries {
            return Err(format!("told {entries:x?}, expected {:x?}", self.expected.entries));
        }
        self.empty_buffer();
        Ok(())
    }
}

/// Probes at some of these addresses, which ask for anything.
fn sites(code: &[u64], random: &mut Random) -> Sites {
    let mut sites: BTreeMap<u64, Vec<Arc<Probe>>> = BTreeMap::new();
    for number in 0..code.len() as u32 / 4 {
        let items = (0..random.below(6)).map(|_| match random.below(4) {
            0 => Item::Vector(random.below(16) as u8),
            1 => {
                let length = [1, 2, 3, 4, 7, 8, 15, 16, 40][random.below(9) as usize];
                let steps = (0..=random.below(3)).map(|_| random.below(64) as i32 - 32).collect();
                Item::Memory { base: random.below(18) as u8, steps, length }
            }
            _ => Item::Register(random.below(18) as u8),
        });
        let items = items.collect();
        let requires = (0..random.below(4)).map(|_| requirement(random)).collect();
        let probe = Arc::new(Probe { number, items, requires });
        let place = code[random.below(code.len() as u64) as usize];
        sites.entry(place).or_default().push(probe);
    }
    Sites::new(sites)
}

/// Any requirement, mostly such that it holds half the time.
fn requirement(random: &mut Random) -> Requirement {
    let size = 1 << random.below(4);
    let is_signed = random.once_in(2);
    let operand = match random.once_in(2) {
        true => Operand::Register(random.below(18) as u8),
        false => {
            let steps = (0..=random.below(3)).map(|_| random.below(64) as i32 - 32).collect();
            Operand::Memory { base: random.below(18) as u8, steps }
        }
    };
    let (from, to) = Requirement::extent(size, is_signed);
    let mut number = || match random.below(6) {
        0 => from,
        1 => to,
        2 => (from + to) / 2 + i128::from(random.below(5)) - 2,
        3 => i128::from(random.below(5)),
        4 => to / 3,
        _ => from / 3,
    };
    let (one, other) = (number().clamp(from, to), number().clamp(from, to));
    let is_other = one == other && random.once_in(2);
    Requirement { operand, size, is_signed, least: one.min(other), greatest: one.max(other), is_other }
}

#[test]
fn probes_tell_what_is_there_and_change_nothing() {
    const MODES: [Mode; 4] = [Mode::Alone, Mode::Rolled, Mode::Linked, Mode::Guarded];
    const INSTRUCTIONS: u64 = 12_000;
    let mut random = Random(12);
    let (mut told, mut passed) = (0, 0);
    for path in &image::files()[..2] {
        for base in BASES {
            let mut pair = Pair::new(Image::load(path, base));
            let mut extended = pair.extended_state();
            let mut code = Vec::new();
            for round in 0.. {
                if round % 256 == 0 {
                    code = addresses(pair.image(), &mut random);
                    pair.set_data(&state::data(&mut random, &code));
                    pair.probe(sites(&code, &mut random));
                    pair.lower(LOWERINGS[round / 256 % LOWERINGS.len()]);
                }
                state::randomise(&mut extended, &mut random);
                let rip = code[random.below(code.len() as u64) as usize];
                let registers = state::registers(&mut random, &code, rip);
                let limit = if random.once_in(4) { 4 } else { 100 };
                let remaining = random.below(limit) + 1;
                pair.run(&registers, &extended, remaining, MODES[round / 64 % MODES.len()], 8)
                    .unwrap_or_else(|difference| panic!("{} at {base:#x}: {difference}", path.display()));
                if pair.has_run(INSTRUCTIONS / 4, &["step"]) {
                    break;
                }
            }
            told += pair.expected.told;
            passed += pair.expected.passed;
        }
    }
    assert!(passed > 100 && told > passed + 100, "{told} entries, {passed} passed over");
}

/// Numbers that are near to where something may go wrong.
fn edges(from: i128, to: i128) -> Vec<i128> {
    let near = [from, to, 0, 1 << 31, 1 << 32, 1 << 62, 1 << 63, -(1 << 31), -(1 << 62), (from + to) / 2];
    let mut all: Vec<i128> = near.iter().flat_map(|at| [at - 1, *at, at + 1]).collect();
    all.retain(|number| (from..=to).contains(number));
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn a_requirement_is_looked_at_as_numbers_are_compared() {
    // jmp to itself
    let code = [0xeb, 0xfe];
    const AT: u64 = 0x3000_0000_0000;
    let mut pair = Pair::new(Image::of_code(&code, AT));
    let registers = state::registers(&mut Random(3), &[], AT);
    let all = [1, 2, 4, 8].into_iter().flat_map(|size| [(size, true), (size, false)]);
    for (size, is_signed) in all {
        let (from, to) = Requirement::extent(size, is_signed);
        let edges = edges(from, to);
        let ranges = edges.iter().flat_map(|least| edges.iter().map(move |greatest| (*least, *greatest)));
        let ranges = ranges.filter(|(least, greatest)| least <= greatest);
        let points = edges.iter().map(|number| (*number, *number, true));
        for (least, greatest, is_other) in ranges.map(|(least, greatest)| (least, greatest, false)).chain(points) {
            let requirement = Requirement { operand: Operand::Register(7), size, is_signed, least, greatest, is_other };
            let probe = Arc::new(Probe { number: 0, items: vec![Item::Register(7)], requires: vec![requirement] });
            let room = u64::from(probe.room());
            pair.probe(Sites::new(BTreeMap::from([(AT, vec![probe])])));
            for number in &edges {
                // What is above the number in the register does not matter.
                let above = if size == 8 { 0 } else { !0 << (8 * u32::from(size)) };
                let entry = pair.first_entry(&user_regs_struct { rdi: *number as u64 ^ above, ..registers });
                let holds = (least..=greatest).contains(number) != is_other;
                let told = if holds { (0, room) } else { (PASSED, HEAD as u64) };
                assert_eq!(entry, told, "{number} of {size} bytes, {is_signed}, in {least}..={greatest}, {is_other}");
            }
        }
    }
}

/// A probe at a loop without end that looks at this many bytes at rsi, until it is left for the tracer: how many
/// entries there are then, and how long each is.
fn entries_until_left(rsi: u64, length: u16) -> (u64, u64) {
    // again: inc rax; jmp again
    let code = [0x48, 0xff, 0xc0, 0xeb, 0xfb];
    const AT: u64 = 0x3000_0000_0000;
    let mut pair = Pair::new(Image::of_code(&code, AT));
    let items = vec![Item::Register(0), Item::Memory { base: 6, steps: vec![0], length }];
    let probe = Arc::new(Probe { number: 0, items, requires: vec![] });
    let room = u64::from(probe.room());
    pair.probe(Sites::new(BTreeMap::from([(AT, vec![probe])])));
    (pair.run_until_left(&user_regs_struct { rsi, ..state::registers(&mut Random(3), &[], AT) }), room)
}

#[test]
fn a_full_buffer_is_left_before_the_entry() {
    let (told, room) = entries_until_left(DATA.address, 500);
    assert_eq!(told, (SIZE - BUFFER - room).div_ceil(room));
}

#[test]
fn what_may_be_the_region_is_left_to_the_tracer() {
    for address in [REGION, REGION + SIZE - 1, REGION - 500] {
        assert_eq!(entries_until_left(address, 512).0, 0, "{address:#x}");
    }
}
