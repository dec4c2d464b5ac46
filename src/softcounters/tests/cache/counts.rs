//! Counts of translations: what they count is what is executed natively.

use super::image::{self, Image};
use super::pair::{Difference, LOWERINGS, Mode, Pair};
use super::random::Random;
use super::samples::{BASES, addresses};
use super::state;
use crate::shim::cache::class::{Class, classify};
use crate::shim::cache::insn::Insn;
use crate::shim::cache::layout::{COUNTERS, REGION};
use crate::shim::cache::piece::{Left, Piece};
use crate::shim::probe::tally::Tally;

/// What is counted.
#[derive(Default)]
pub struct Counted {
    /// By looking at each instruction.
    native: Tally,
    /// A repeated instruction that is not done, and where it ends.
    inside: Option<(u64, u64)>,
    /// How many instructions were compared.
    pub instructions: u64,
}

impl Pair {
    /// What the counters have, by their numbers.
    fn counters(&self) -> Vec<(Piece, u64)> {
        let all = self.pieces.iter().zip(0..);
        all.map(|(piece, number)| (*piece, self.cached.word(REGION + COUNTERS + 8 * number))).collect()
    }

    /// Sets them to zero.
    pub(super) fn reset_counters(&mut self) {
        self.cached.memory_mut(REGION + COUNTERS)[..self.pieces.len() * 8].fill(0);
    }

    /// A run begins.
    pub(super) fn begin_counts(&mut self) {
        if self.counts.is_some() {
            self.reset_counters();
        }
        if let Some(counts) = &mut self.counts {
            *counts = Counted { instructions: counts.instructions, ..Counted::default() };
        }
    }

    /// The program has executed this instruction.
    pub(super) fn count_native(&mut self, address: u64, insn: &Insn) {
        let rip = self.native.rip();
        let Some(counts) = &mut self.counts else { return };
        let end = address + u64::from(insn.length);
        let was_inside = counts.inside.take() == Some((address, end));
        counts.inside = (rip == address && is_repeated(insn)).then_some((address, end));
        if was_inside {
            return;
        }
        counts.instructions += 1;
        let branch = matches!(classify(insn), Class::ConditionalJump(_) | Class::Loop).then_some(address);
        counts.native.add_piece(&Piece { start: address, end, branch }, 1);
    }

    /// Compares the counters, and what is executed of a piece up to `end`, with what was executed natively.
    pub(super) fn compare_counts(&self, left: &Left, end: u64) -> Result<(), Difference> {
        let Some(counts) = &self.counts else { return Ok(()) };
        let mut cached = Tally::default();
        for (piece, count) in self.counters() {
            cached.add_piece(&piece, count as i64);
        }
        if let Some((piece, over)) = left.over {
            cached.add_piece(&piece, -i64::from(over));
        }
        if let Some(start) = left.start {
            let inside = counts.inside.filter(|inside| inside.0 == end);
            cached.add(start..inside.map_or(end, |inside| inside.1), 1);
        }
        let (cached, native) = (cached.take(&(0..u64::MAX)), counts.native.clone().take(&(0..u64::MAX)));
        if cached == native { Ok(()) } else { Err(format!("counted {cached:x?}, natively {native:x?}, {left:x?}")) }
    }

    /// Forgets what both have counted, which is the same.
    pub(super) fn forget_counts(&mut self) {
        if let Some(counts) = &mut self.counts {
            counts.native = Tally::default();
            self.reset_counters();
        }
    }
}

pub(super) fn is_repeated(insn: &Insn) -> bool {
    insn.map == 0 && matches!(insn.opcode, 0x6c..=0x6f | 0xa4..=0xa7 | 0xaa..=0xaf) && insn.prefixes.repeat != 0
}

#[test]
fn translations_count_what_is_executed_and_change_nothing() {
    const MODES: [Mode; 4] = [Mode::Alone, Mode::Rolled, Mode::Linked, Mode::Guarded];
    const INSTRUCTIONS: u64 = 40_000;
    let mut random = Random(21);
    let mut instructions = 0;
    for path in &image::files()[..2] {
        for base in BASES {
            let mut pair = Pair::new(Image::load(path, base));
            pair.counts = Some(Counted::default());
            let mut extended = pair.extended_state();
            let mut code = Vec::new();
            for round in 0.. {
                if round % 256 == 0 {
                    code = addresses(pair.image(), &mut random);
                    pair.set_data(&state::data(&mut random, &code));
                    pair.lower(LOWERINGS[round / 256 % LOWERINGS.len()]);
                }
                state::randomise(&mut extended, &mut random);
                let rip = code[random.below(code.len() as u64) as usize];
                let registers = state::registers(&mut random, &code, rip);
                let limit = if random.once_in(4) { 4 } else { 100 };
                let remaining = random.below(limit) + 1;
                pair.run(&registers, &extended, remaining, MODES[round / 64 % MODES.len()], 8)
                    .unwrap_or_else(|difference| panic!("{} at {base:#x}: {difference}", path.display()));
                if pair.has_run(INSTRUCTIONS / 4, &["gone", "native", "overflow", "fault"]) {
                    break;
                }
            }
            instructions += pair.counts.map_or(0, |counts| counts.instructions);
        }
    }
    assert!(instructions > INSTRUCTIONS / 2, "{instructions} instructions");
}

/// A loop that is unrolled counts each of its rounds, however many are left to the overflow.
#[test]
fn an_unrolled_loop_counts_its_rounds() {
    // again: inc rax; dec rcx; jne again; hlt
    let code = [0x48, 0xff, 0xc0, 0x48, 0xff, 0xc9, 0x75, 0xf8, 0xf4];
    const AT: u64 = 0x3000_0000_0000;
    let mut random = Random(4);
    let mut pair = Pair::new(Image::of_code(&code, AT));
    pair.counts = Some(Counted::default());
    let mut extended = pair.extended_state();
    state::randomise(&mut extended, &mut random);
    for rounds in [1, 2, 7, 8, 9, 10, 16, 17, 18, 25, 40] {
        for remaining in (1..12).chain([16, 17, 18, 30, 79]) {
            let registers = libc::user_regs_struct { rcx: rounds, ..state::registers(&mut random, &[], AT) };
            for mode in [Mode::Alone, Mode::Rolled, Mode::Linked] {
                for lowering in LOWERINGS {
                    pair.lower(lowering);
                    pair.run(&registers, &extended, remaining, mode, 8)
                        .unwrap_or_else(|difference| panic!("{difference}"));
                }
            }
        }
    }
}

/// A jump to itself changes nothing but the counters.
#[test]
fn a_jump_to_itself_counts_each_turn() {
    const AT: u64 = 0x3000_0000_0000;
    // jmp rax
    let code = [0xff, 0xe0];
    let mut random = Random(6);
    let mut pair = Pair::new(Image::of_code(&code, AT));
    pair.counts = Some(Counted::default());
    let mut extended = pair.extended_state();
    state::randomise(&mut extended, &mut random);
    let registers = libc::user_regs_struct { rax: AT, ..state::registers(&mut random, &[], AT) };
    for mode in [Mode::Alone, Mode::Rolled, Mode::Guarded] {
        pair.run(&registers, &extended, 3, mode, 8).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// A call that calls itself comes by the same place until the stack has no more room, without a branch in between.
#[test]
fn a_call_of_itself_ends_where_its_stack_does() {
    const AT: u64 = 0x3000_0000_0000;
    // again: lea rdi, [rsp + 8]; call rax
    let code = [0x48, 0x8d, 0x7c, 0x24, 0x08, 0xff, 0xd0];
    let mut random = Random(5);
    let mut pair = Pair::new(Image::of_code(&code, AT));
    let mut extended = pair.extended_state();
    state::randomise(&mut extended, &mut random);
    for words in [1, 50, 200, 4096] {
        let rsp = state::DATA.address + 8 * words;
        let registers = libc::user_regs_struct { rax: AT, rsp, ..state::registers(&mut random, &[], AT) };
        pair.run(&registers, &extended, 1, Mode::Linked, 8).unwrap_or_else(|difference| panic!("{difference}"));
    }
    assert!(pair.ends.contains("fault"), "{:?}", pair.ends);
}
