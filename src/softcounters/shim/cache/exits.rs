//! Where branches are counted.
//!
//! A block does not count its branches one by one: it knows how many have been passed at each of its places, and lowers
//! the remaining count by that number where it is left, in code behind that of its instructions for a branch that is
//! taken. Until then the block *owes* them, which each of its points says; so the number is exact wherever a thread is
//! stopped. No flag is changed on the way.
//!
//! Thus a count may be used up by more than there was, by fewer than a block has instructions. Where rr wants to see an
//! overflow, so many branches less are lent, and the last ones are counted before each of them ([`Lowering::Last`]): the
//! count is used up before the very branch that makes the overflow.
//!
//! A count is looked at where it is lowered, and nowhere else: whatever goes round passes a branch, or does not matter.

use super::asm::RCX;
use super::block::{Lowering, Spill};
use super::layout::slot;
use super::translate::{Block, MAX_INSTRUCTIONS, Stub};
use super::unroll::COPIES;

/// By how many branches a count may be used up, at most, beyond what there was.
pub const MOST_BEYOND: u64 = MAX_INSTRUCTIONS as u64;
/// For how many branches a count may be lowered at most before any of them is executed.
pub const MOST_AHEAD: u64 = COPIES as u64;

impl Block {
    /// Returns whether branches are counted where the block is left. Where pieces are counted, rcx is in its slot at each
    /// branch anyhow.
    fn pays_at_exits(&self) -> bool {
        self.lowering == Lowering::AtExits && !self.counts
    }

    /// Begins the conditional branch at `address`: lowers the count for it, unless that is done later. If it is used up,
    /// the block is left before the branch.
    pub fn count(&mut self, address: u64, next: u64) {
        if self.pays_at_exits() {
            self.point(address, None);
            return;
        }
        self.point(address, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.count_piece(address, next, true);
        self.owed += 1;
        self.lower(address, -1);
        let field = self.jump_if_used_up();
        self.stub(field, Stub::Overflow(address));
        self.owed -= 1;
        self.asm.load(RCX, slot::RCX);
    }

    /// Notes that a branch has been executed.
    pub fn passed(&mut self) {
        self.owed -= i32::from(self.pays_at_exits());
    }

    /// Goes on at `target`.
    pub fn go_to(&mut self, target: u64) {
        if self.owed == 0 {
            let field = self.asm.jump();
            self.stub(field, Stub::Direct(target, None));
            return;
        }
        let (field, spent) = self.pay_and_jump(target);
        self.stub(field, Stub::Direct(target, Some(spent)));
    }

    /// Goes on at `target`, which is at this offset of the block itself.
    pub fn go_within(&mut self, target: u64, offset: u32) {
        let (field, spent) = self.pay_and_jump(target);
        self.asm.aim(field, offset);
        self.stub(spent, Stub::Spent(target));
    }

    /// Pays what is owed, and jumps. Returns the rel32 field of that jump and, for a count that is used up, of another,
    /// with rcx in its slot.
    fn pay_and_jump(&mut self, target: u64) -> (u32, u32) {
        self.point(target, Some(Spill::Rcx));
        self.asm.store(slot::RCX, RCX);
        self.settle(target);
        self.asm.load_half(RCX, slot::COUNT + 4);
        let used_up = self.asm.jump_if_rcx_is_zero();
        self.asm.load(RCX, slot::RCX);
        self.point(target, None);
        let field = self.asm.jump();
        // Nobody comes by this point, see `take_back_rcx`.
        self.point(target, Some(Spill::Rcx));
        self.asm.bytes(&[0x90]);
        self.asm.aim_short(used_up);
        (field, self.asm.jump())
    }

    /// Pays what is owed before the instruction at `address`.
    pub fn pay(&mut self, address: u64) {
        if self.owed != 0 {
            self.point(address, Some(Spill::Rcx));
            self.asm.store(slot::RCX, RCX);
            self.pay_before(address);
            self.asm.load(RCX, slot::RCX);
        }
    }

    /// Does the same where rcx is in its slot; returns whether rcx is another now.
    pub fn pay_before(&mut self, address: u64) -> bool {
        let is_owed = self.owed != 0;
        if is_owed {
            self.settle(address);
            let field = self.jump_if_used_up();
            self.stub(field, Stub::Spent(address));
        }
        is_owed
    }

    /// Makes the count what it is to be here, before `address`; rcx is in its slot, and becomes the count.
    pub fn settle(&mut self, address: u64) {
        let owed = std::mem::take(&mut self.owed);
        self.lower(address, owed as i8);
    }

    /// Changes the count; rcx is in its slot, and becomes the count.
    pub fn lower(&mut self, address: u64, by: i8) {
        self.asm.load(RCX, slot::COUNT);
        self.asm.add(RCX, by);
        self.asm.store(slot::COUNT, RCX);
        self.counted(address, self.owed);
    }

    /// Jumps if the count is used up, otherwise no jump is taken: `jrcxz` leads into the immediate of an instruction that
    /// does nothing. Returns the rel32 field. Overwrites rcx.
    pub fn jump_if_used_up(&mut self) -> u32 {
        self.asm.load_half(RCX, slot::COUNT + 4);
        // jrcxz + 2; mov rcx, imm64, which begins with jmp rel32
        self.asm.bytes(&[0xe3, 2, 0x48, 0xb9]);
        let field = self.asm.jump();
        self.asm.bytes(&[0, 0, 0]);
        field
    }
}
