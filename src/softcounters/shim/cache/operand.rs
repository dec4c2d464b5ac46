//! Operands that are relative to rip, which is another one in the cache.

use super::asm::{RBX, RCX, RDI, RSI, Register};
use super::block::Spill;
use super::insn::{Encoding, Insn, MAX_LENGTH};
use super::layout::slot;
use super::translate::Block;

impl Block {
    /// Writes the same instruction with another form of its memory operand: an absolute address where there is room for
    /// one, else a register.
    pub fn rip_relative(&mut self, insn: &Insn, code: &[u8], address: u64) {
        let operand = operand_address(insn, code, address);
        if i32::try_from(operand as i64).is_ok() && code.len() < MAX_LENGTH {
            self.point(address, None);
            self.is_bound = true;
            self.with_operand(insn, code, 4, &[&[0x25], &(operand as u32).to_le_bytes()[..]].concat());
            return;
        }
        // None of these is an implied operand of an instruction that has a memory operand and both others as operands.
        let (spill, register) = [(Spill::Rsi, RSI), (Spill::Rdi, RDI), (Spill::Rbx, RBX)]
            .into_iter()
            .find(|(_, register)| insn.reg() != register.0 && insn.vvvv != register.0)
            .unwrap_or((Spill::Rbx, RBX));
        self.point(address, Some(spill));
        self.asm.store(slot::SPILL, register);
        self.load_program_address(register, operand);
        self.with_operand(insn, code, register.0, &[]);
        self.turn(address.wrapping_add(u64::from(insn.length)), 0);
        self.asm.load(register, slot::SPILL);
    }

    /// Copies an instruction that has a memory operand relative to rip, with this ModRM.rm and what follows ModRM
    /// instead.
    fn with_operand(&mut self, insn: &Insn, code: &[u8], rm: u8, operand: &[u8]) {
        let Some((modrm_at, modrm)) = insn.modrm else { return };
        let mut copy = [0; MAX_LENGTH];
        let head = &mut copy[..=usize::from(modrm_at)];
        head.copy_from_slice(&code[..=usize::from(modrm_at)]);
        head[usize::from(modrm_at)] = modrm & !7 | rm;
        let encoding_at = usize::from(insn.encoding_at);
        match insn.encoding {
            Encoding::Legacy if insn.prefixes.rex != 0 => head[encoding_at] &= !3,
            Encoding::Legacy | Encoding::Vex2 => {}
            Encoding::Vex3 | Encoding::Evex => head[encoding_at + 1] |= 0x60,
        }
        self.asm.bytes(head);
        self.asm.bytes(operand);
        self.asm.bytes(&code[usize::from(insn.immediate.0)..]);
    }

    pub fn load_address(&mut self, insn: &Insn, code: &[u8], address: u64) {
        let value = operand_address(insn, code, address);
        self.point(address, None);
        let extended = u8::from(insn.prefixes.rex & 4 != 0);
        let opcode = 0xb8 | insn.reg();
        if insn.prefixes.narrow() {
            self.is_bound = true;
            self.asm.bytes(&[0x66, 0x40 | extended, opcode]);
            self.asm.bytes(&(value as u16).to_le_bytes());
        } else if !insn.prefixes.wide() || u32::try_from(value).is_ok() {
            self.is_bound = true;
            self.asm.bytes(&[0x40 | extended, opcode]);
            self.asm.imm32(value as u32);
        } else {
            self.asm.bytes(&[0x48 | extended, opcode]);
            self.addresses.push(self.asm.here());
            self.asm.bytes(&value.to_le_bytes());
        }
    }

    /// Writes `mov register, value`, of an address of the program.
    pub fn load_program_address(&mut self, register: Register, value: u64) {
        if u32::try_from(value).is_ok() {
            self.is_bound = true;
            self.asm.load_immediate(register, value);
        } else {
            self.asm.load_immediate(register, value);
            self.addresses.push(self.asm.here() - 8);
        }
    }

    /// Loads the operand of an indirect branch into rcx, which is still the program's.
    pub fn load_target(&mut self, insn: &Insn, code: &[u8], next: u64) {
        let Some((modrm_at, modrm)) = insn.modrm else { return };
        let is_rip_relative = insn.is_rip_relative();
        if is_rip_relative {
            self.load_program_address(RCX, next.wrapping_add(insn.displacement_in(code) as u64));
        }
        if insn.prefixes.segment != 0 {
            self.asm.bytes(&[insn.prefixes.segment]);
        }
        if is_rip_relative {
            // mov rcx, [rcx]
            self.asm.bytes(&[0x48, 0x8b, 0x09]);
            return;
        }
        if insn.prefixes.address_size {
            self.asm.bytes(&[0x67]);
        }
        // mov rcx, the same operand
        self.asm.bytes(&[0x48 | insn.prefixes.rex & 3, 0x8b, modrm & 0xc7 | RCX.0 << 3]);
        self.asm.bytes(&code[usize::from(modrm_at) + 1..]);
    }
}

/// Returns where the memory operand of an instruction is that names it relative to rip.
fn operand_address(insn: &Insn, code: &[u8], address: u64) -> u64 {
    address.wrapping_add(u64::from(insn.length)).wrapping_add(insn.displacement_in(code) as u64)
}
