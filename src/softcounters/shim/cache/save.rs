//! Instructions that save the state of the x87 unit, in which the address of its last instruction may be one in the
//! cache.
//!
//! Dynamic linkers save what registers they use at each call that is not bound yet, and rr makes them save this, too.
//! In most programs there never was an x87 instruction, so that the address is 0.

use super::asm::RCX;
use super::block::Spill;
use super::layout::{SCRATCH, slot};
use super::translate::{Block, Stub};

/// Offset of the address in the area written by `fxsave64`.
const LAST_INSTRUCTION: u64 = 8;

impl Block {
    /// Copies an instruction that saves the address, behind a look at it. It does no harm if it is 0 or not below 4
    /// GiB, where the cache is; else the program executes the instruction itself.
    pub fn save_x87(&mut self, code: &[u8], address: u64) {
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.asm.save_x87(SCRATCH);
        self.asm.load(RCX, SCRATCH + LAST_INSTRUCTION);
        let none = self.asm.jump_if_rcx_is_zero();
        self.asm.load_half(RCX, SCRATCH + LAST_INSTRUCTION + 4);
        // jrcxz over a short jump over a jump
        self.asm.bytes(&[0xe3, 2, 0xeb, 5]);
        let field = self.asm.jump();
        self.stub(field, Stub::Step(address));
        self.asm.aim_short(none);
        self.asm.load(RCX, slot::RCX);
        self.point(address, None);
        self.asm.bytes(code);
    }
}
