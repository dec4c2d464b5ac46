//! Code that the program can write to: a translation looks at it before it acts for it.
//!
//! Just-in-time compilers write code where it is executed, and nobody is told. A translation of such code compares the
//! bytes it was made from with those that are there, and leaves the cache if they are others. It does so where it is
//! entered, and again behind each instruction that may have written to what follows. Nothing else can change the code
//! in between: threads run one at a time, and one that was stopped on the way is entered anew.
//!
//! Not looked for are stores relative to the stack pointer, pushes and calls that overwrite what is executed next. A
//! look is a read: a watchpoint for reads of code is hit by it.

use super::asm::{RAX, RCX};
use super::block::Spill;
use super::class::{Class, classify, stores};
use super::insn::{MAX_LENGTH, decode};
use super::layout::slot;
use super::translate::{Block, MAX_INSTRUCTIONS, MAX_SOURCE};

/// How much of a block's code has been looked at.
#[derive(Default)]
pub struct Guard {
    /// Up to this offset of the code.
    seen: usize,
}

impl Guard {
    /// Looks, if it is time, at the code from offset `at` on, where instruction `count` of the block begins. The code
    /// is that of `address`. Returns the offset up to which it has been looked at.
    pub fn before(&mut self, block: &mut Block, code: &[u8], at: usize, address: u64, count: usize) -> usize {
        if at >= self.seen && at < code.len() {
            self.seen = stretch(code, at, MAX_INSTRUCTIONS - count);
            block.guard(&code[at..self.seen], address.wrapping_add(at as u64));
            // A loop that is in the first stretch stores nothing, so that one look serves for all rounds.
            block.round = (at == 0).then(|| (address, block.asm.here()));
        }
        self.seen
    }
}

/// Finds where the stretch of code from offset `at` on ends that nothing in it can change before it is executed.
fn stretch(code: &[u8], at: usize, most: usize) -> usize {
    let mut end = at;
    for _ in 0..most {
        let rest = code.get(end..).unwrap_or(&[]);
        let Some(insn) = decode(rest) else {
            // The program executes it, whatever it is.
            return end + rest.len().min(MAX_LENGTH);
        };
        let next = end + usize::from(insn.length);
        if next > MAX_SOURCE && end > at {
            break;
        }
        end = next;
        let goes_on = matches!(
            classify(&insn),
            Class::Ordinary | Class::RipRelative | Class::LoadAddress | Class::ConditionalJump(_) | Class::Loop
        );
        if !goes_on || stores(&insn, rest) {
            break;
        }
    }
    end
}

/// Returns the pieces that `length` bytes are compared in: offset and size. Some may overlap.
fn pieces(length: usize) -> Vec<(usize, usize)> {
    let size = match length {
        0..4 => 1,
        4..8 => 4,
        _ => 8,
    };
    let whole = (0..length / size).map(|piece| (piece * size, size));
    whole.chain((!length.is_multiple_of(size)).then(|| (length - size, size))).collect()
}

impl Block {
    /// Goes on if the program's code at `address` is this; else the block is left.
    fn guard(&mut self, code: &[u8], address: u64) {
        self.point(address, None);
        self.asm.store(slot::RCX, RCX);
        self.point(address, Some(Spill::RaxAndRcx));
        self.asm.store(slot::RAX, RAX);
        let mut fields = Vec::new();
        for (offset, size) in pieces(code.len()) {
            let mut expected = [0; 8];
            expected[..size].copy_from_slice(&code[offset..offset + size]);
            // What is there plus this is 0, in as many bits.
            let negated = u64::from_le_bytes(expected).wrapping_neg();
            let place = address.wrapping_add(offset as u64).to_le_bytes();
            match size {
                8 => {
                    // mov rax, [place]; mov rcx, negated; lea rcx, [rax + rcx]
                    self.asm.bytes(&[0x48, 0xa1]);
                    self.asm.bytes(&place);
                    self.asm.bytes(&[0x48, 0xb9]);
                    self.asm.bytes(&negated.to_le_bytes());
                    self.asm.bytes(&[0x48, 0x8d, 0x0c, 0x08]);
                }
                4 => {
                    // mov eax, [place]; mov ecx, negated; lea ecx, [rax + rcx]
                    self.asm.bytes(&[0xa1]);
                    self.asm.bytes(&place);
                    self.asm.bytes(&[0xb9]);
                    self.asm.imm32(negated as u32);
                    self.asm.bytes(&[0x8d, 0x0c, 0x08]);
                }
                _ => {
                    // mov al, [place]; movzx ecx, al; lea ecx, [rcx + negated]
                    self.asm.bytes(&[0xa0]);
                    self.asm.bytes(&place);
                    self.asm.bytes(&[0x0f, 0xb6, 0xc8, 0x8d, 0x89]);
                    self.asm.imm32(negated as u32);
                }
            }
            // jrcxz over the jump
            self.asm.bytes(&[0xe3, 5]);
            fields.push(self.asm.jump());
        }
        self.asm.load(RAX, slot::RAX);
        self.asm.load(RCX, slot::RCX);
        self.stale.push((fields, address, self.run, self.owed));
    }

    /// Writes where the looks at the code at `address` lead that find it changed.
    pub fn end_guard(&mut self, fields: &[u32], address: u64) {
        // Nobody comes by this point, which says of what follows that the registers are in their slots.
        self.point(address, Some(Spill::RaxAndRcx));
        self.asm.bytes(&[0x90]);
        for &field in fields {
            self.asm.aim(field, self.asm.here());
        }
        self.asm.load(RAX, slot::RAX);
        self.asm.load(RCX, slot::RCX);
        self.point(address, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_in_a_piece_and_no_piece_goes_beyond() {
        for length in 1..300 {
            let mut seen = vec![false; length];
            for (offset, size) in pieces(length) {
                seen[offset..offset + size].fill(true);
            }
            assert!(seen.iter().all(|&seen| seen), "{length}");
        }
        assert_eq!(pieces(3), [(0, 1), (1, 1), (2, 1)]);
        assert_eq!(pieces(6), [(0, 4), (2, 4)]);
        assert_eq!(pieces(17), [(0, 8), (8, 8), (9, 8)]);
    }

    #[test]
    fn a_stretch_ends_behind_what_may_change_what_follows() {
        // mov eax, [rdi]; mov [rsp + 8], eax; mov [rdi], eax; nop; jmp
        let code = [0x8b, 0x07, 0x89, 0x44, 0x24, 0x08, 0x89, 0x07, 0x90, 0xeb, 0x00, 0x90];
        assert_eq!(stretch(&code, 0, 48), 8);
        assert_eq!(stretch(&code, 8, 48), 11);
        assert_eq!(stretch(&code, 0, 2), 6);
        // What cannot be decoded is looked at as far as it may reach.
        assert_eq!(stretch(&[0x90, 0x06, 1, 2, 3], 0, 48), 5);
    }
}
