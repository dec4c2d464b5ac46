//! Loops of one block, which lower the count once for several rounds.
//!
//! A block that is straight-line code up to a conditional jump back to its beginning begins with copies of the loop. The
//! count is lowered by their number in advance, and they are executed without looking at it; where the loop is left
//! early, the difference is given back. If the count is used up by that, none of them is executed.

use super::asm::RCX;
use super::block::{Lowering, Spill};
use super::class::{Class, classify};
use super::insn::decode;
use super::layout::slot;
use super::translate::{Block, Stub};

/// Most instructions of a loop, its branch included.
const MAX_INSTRUCTIONS: usize = 8;
/// Copies of a loop.
pub const COPIES: i32 = 8;

/// A loop at the start of a block.
struct Loop {
    /// How many instructions it has.
    instructions: usize,
    /// The length of its straight part.
    straight: usize,
    length: usize,
    /// That of its branch.
    condition: u8,
}

/// Finds a loop at the start of `code`.
fn find(code: &[u8], address: u64) -> Option<Loop> {
    let mut at = 0;
    for instructions in 1..=MAX_INSTRUCTIONS {
        let rest = code.get(at..)?;
        let insn = decode(rest)?;
        let end = at + usize::from(insn.length);
        match classify(&insn) {
            Class::Ordinary | Class::RipRelative | Class::LoadAddress => at = end,
            Class::ConditionalJump(condition) => {
                let target = address.wrapping_add(end as u64).wrapping_add(insn.immediate_in(rest) as u64);
                return (target == address).then_some(Loop { instructions, straight: at, length: end, condition });
            }
            _ => return None,
        }
    }
    None
}

/// Returns whether anything in straight-line code writes to memory, or reads from it if that is asked about, too.
fn accesses(code: &[u8], reads: bool) -> bool {
    let mut rest = code;
    while let Some(insn) = decode(rest) {
        if insn.write(rest).is_some() || reads && insn.reads(rest).iter().any(Option::is_some) {
            return true;
        }
        rest = rest.get(usize::from(insn.length)..).unwrap_or(&[]);
    }
    false
}

impl Block {
    /// Begins the block with copies of the loop at the start of `code`, if there is one. Returns how many instructions
    /// and how many bytes of the program that is.
    pub fn unroll(&mut self, code: &[u8], address: u64) -> (usize, usize) {
        let first = find(code, address).filter(|_| self.lowering == Lowering::AtExits);
        let Some(Loop { instructions, straight, length, condition }) = first else { return (0, 0) };
        let end = address.wrapping_add(length as u64);
        let is_watched = self.sites.watch().is_some() && accesses(&code[..straight], self.sites.reads());
        if is_watched || self.sites.touch(address..end) {
            return (0, 0);
        }
        let start = self.asm.here();
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.owed = COPIES;
        self.lower(address, -(COPIES as i8));
        let field = self.jump_if_used_up();
        self.stub(field, Stub::Spent(address));
        let counter = self.counts.then(|| self.piece(end, Some(address.wrapping_add(straight as u64))));
        if let Some(counter) = counter {
            self.raise(counter, COPIES as i8);
            self.counted_over(address, counter, COPIES as u32, COPIES);
        }
        self.asm.load(RCX, slot::RCX);

        let mut early = Vec::new();
        for owed in (1..=COPIES).rev() {
            self.owed = owed;
            self.open(address);
            self.count_over(counter, owed);
            self.copy(&code[..straight], address);
            self.point(address.wrapping_add(straight as u64), None);
            if owed > 1 {
                early.push((self.asm.jump_if(condition ^ 1), owed - 1));
            }
        }
        let again = self.asm.jump_if(condition);
        self.asm.aim(again, start);
        self.owed = 0;
        self.open(end);
        self.point(end, None);
        let mut to_end = vec![self.asm.jump()];
        for (field, owed) in early {
            self.asm.aim(field, self.asm.here());
            self.owed = owed;
            self.count_over(counter, owed);
            self.point(end, Some(Spill::Rcx));
            self.asm.store(slot::RCX, RCX);
            self.settle(end);
            if let Some(counter) = counter {
                self.raise(counter, -(owed as i8));
                self.counted_over(end, counter, 0, 0);
            }
            self.asm.load(RCX, slot::RCX);
            to_end.push(self.asm.jump());
        }
        self.open(end);
        to_end.into_iter().for_each(|field| self.asm.aim(field, self.asm.here()));
        (instructions, length)
    }

    /// Notes that this piece has been counted so many times too often.
    fn count_over(&mut self, counter: Option<u32>, over: i32) {
        if let Some(counter) = counter {
            (self.run.counter, self.run.over) = (counter, over as u32);
        }
    }

    /// Translates straight-line code.
    fn copy(&mut self, code: &[u8], address: u64) {
        let mut at = 0;
        while let Some(insn) = code.get(at..).and_then(decode) {
            let next = at + usize::from(insn.length);
            self.instruction(&insn, &code[at..next], address.wrapping_add(at as u64));
            at = next;
        }
    }
}
