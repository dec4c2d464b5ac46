//! Loops of one block, which lower the count once for several rounds.
//!
//! A block that is straight-line code up to a conditional jump back to its beginning gets, in front of its usual code,
//! copies of the loop. While the count is more than the number of copies, it is lowered by that number and the copies
//! are executed without looking at it; where the loop is left early, the difference is given back. Otherwise the usual
//! code is executed. So the count becomes zero in the usual code only, before the same branch as ever.

use super::asm::RCX;
use super::block::Spill;
use super::class::{Class, classify};
use super::insn::decode;
use super::layout::slot;
use super::translate::Block;

/// Most instructions of a loop, its branch included.
const MAX_INSTRUCTIONS: usize = 8;
/// Copies of a loop.
const COPIES: u32 = 8;

/// A loop whose copies are in front of the block.
pub struct Unrolled {
    /// Address of the instruction after its branch.
    end: u64,
    /// rel32 fields that lead there.
    to_end: Vec<u32>,
}

/// Finds a loop at the start of `code`: the length of its straight part, its length, and the condition of its branch.
fn find(code: &[u8], address: u64) -> Option<(usize, usize, u8)> {
    let mut at = 0;
    for _ in 0..MAX_INSTRUCTIONS {
        let rest = code.get(at..)?;
        let insn = decode(rest)?;
        let end = at + usize::from(insn.length);
        match classify(&insn) {
            Class::Ordinary | Class::RipRelative | Class::LoadAddress => at = end,
            Class::ConditionalJump(condition) => {
                let target = address.wrapping_add(end as u64).wrapping_add(insn.immediate_in(rest) as u64);
                return (target == address).then_some((at, end, condition));
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
    /// Begins the block with copies of the loop at the start of `code`, if there is one.
    pub fn unroll(&mut self, code: &[u8], address: u64) {
        let Some((straight, length, condition)) = find(code, address) else { return };
        let end = address.wrapping_add(length as u64);
        let is_watched = self.sites.watch().is_some() && accesses(&code[..straight], self.sites.reads());
        if is_watched || self.sites.touch(address..end) {
            return;
        }
        let start = self.asm.here();
        self.round = Some((address, start));
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.asm.load(RCX, slot::COUNT);
        self.asm.add(RCX, -(COPIES as i8) - 1);
        // The upper 16 bits tell a negative number, since the count is never above MOST: bswap rcx; movzx ecx, cx;
        // jrcxz over what is done if it is one.
        self.asm.bytes(&[0x48, 0x0f, 0xc9, 0x0f, 0xb7, 0xc9, 0xe3, 13]);
        self.asm.load(RCX, slot::RCX);
        let usual = self.asm.jump();
        self.asm.load(RCX, slot::COUNT);
        self.asm.add(RCX, -(COPIES as i8));
        self.asm.store(slot::COUNT, RCX);
        self.counted(address, COPIES);
        let counter = self.counts.then(|| self.piece(end, Some(address.wrapping_add(straight as u64))));
        if let Some(counter) = counter {
            self.raise(counter, COPIES as i8);
            self.counted_over(address, counter, COPIES, COPIES);
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
            self.asm.load(RCX, slot::COUNT);
            self.asm.add(RCX, owed as i8);
            self.asm.store(slot::COUNT, RCX);
            self.counted(end, 0);
            if let Some(counter) = counter {
                self.raise(counter, -(owed as i8));
                self.counted_over(end, counter, 0, 0);
            }
            self.asm.load(RCX, slot::RCX);
            to_end.push(self.asm.jump());
        }
        self.owed = 0;
        self.open(address);
        self.asm.aim(usual, self.asm.here());
        self.unrolled = Some(Unrolled { end, to_end });
    }

    /// Notes that this piece has been counted so many times too often.
    fn count_over(&mut self, counter: Option<u32>, over: u32) {
        if let Some(counter) = counter {
            (self.run.counter, self.run.over) = (counter, over);
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

    /// Leads what comes from the copies to here, if this is where the loop ends.
    pub fn end_unrolled(&mut self, address: u64) {
        let Some(unrolled) = self.unrolled.as_mut().filter(|unrolled| unrolled.end == address) else { return };
        for field in std::mem::take(&mut unrolled.to_end) {
            self.asm.aim(field, self.asm.here());
        }
    }
}
