//! What translation does with an instruction.

use super::insn::{Encoding, Insn};

/// The classes of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Copied.
    Ordinary,
    /// Ordinary but for a memory operand relative to rip.
    RipRelative,
    /// `fxsave`, `xsave` and the like: to be executed by the program itself if it saves an address of the cache.
    SaveX87,
    /// `lea` of an address relative to rip.
    LoadAddress,
    /// `jcc`, with the low four bits of its opcode.
    ConditionalJump(u8),
    /// `loopne`, `loope`, `loop`, `jrcxz`.
    Loop,
    Jump,
    Call,
    IndirectJump,
    IndirectCall,
    /// `ret`; its immediate is the number of bytes it takes off the stack besides the return address.
    Return,
    /// To be executed by the program itself.
    Native,
}

/// Classifies a decoded instruction.
pub fn classify(insn: &Insn) -> Class {
    if insn.is_rip_relative() && insn.prefixes.address_size {
        return Class::Native;
    }
    let class = match (insn.encoding, insn.map) {
        (Encoding::Legacy, 0) => one_byte(insn),
        (Encoding::Legacy, 1) => two_byte(insn),
        _ => Class::Ordinary,
    };
    match class {
        Class::Ordinary if insn.is_rip_relative() => Class::RipRelative,
        Class::SaveX87 if insn.is_rip_relative() => Class::Native,
        Class::Ordinary | Class::Native => class,
        // A 16-bit branch, or one that faults for its prefix.
        Class::LoadAddress if insn.prefixes.lock => Class::Native,
        Class::LoadAddress => class,
        _ if insn.prefixes.lock || insn.prefixes.narrow() => Class::Native,
        _ => class,
    }
}

fn one_byte(insn: &Insn) -> Class {
    let is_register = insn.modrm.is_some() && !insn.has_memory();
    match insn.opcode {
        opcode @ 0x70..=0x7f => Class::ConditionalJump(opcode & 0xf),
        0x8d if insn.is_rip_relative() => Class::LoadAddress,
        0xc2 | 0xc3 => Class::Return,
        0xe0..=0xe3 => Class::Loop,
        0xe8 => Class::Call,
        0xe9 | 0xeb => Class::Jump,
        0xff => match insn.reg() {
            2 => Class::IndirectCall,
            4 => Class::IndirectJump,
            3 | 5 => Class::Native,
            _ => Class::Ordinary,
        },
        // xabort, xbegin.
        0xc6 | 0xc7 if insn.reg() != 0 => Class::Native,
        // fnstenv, fnsave: they store an address that fxsave, by which one looks first, need not (AMD's stores it only
        // if an exception is pending).
        0xd9 | 0xdd if insn.reg() == 6 && !is_register => Class::Native,
        // Port input and output, segment registers, far returns, interrupts, flags and halts of the system.
        0x6c..=0x6f | 0x8e | 0x9b | 0xca..=0xcd | 0xcf | 0xe4..=0xe7 | 0xec..=0xef | 0xf1 | 0xf4 | 0xfa | 0xfb => {
            Class::Native
        }
        _ => Class::Ordinary,
    }
}

fn two_byte(insn: &Insn) -> Class {
    let (prefixes, reg) = (&insn.prefixes, insn.reg());
    let is_plain = !prefixes.operand_size && prefixes.repeat == 0;
    if insn.has_memory() && is_plain && matches!((insn.opcode, reg), (0xae, 0 | 4 | 6) | (0xc7, 4)) {
        return Class::SaveX87;
    }
    let is_native = match insn.opcode {
        opcode @ 0x80..=0x8f => return Class::ConditionalJump(opcode & 0xf),
        // All but xgetbv, xtest, rdpkru, wrpkru, rdtscp. Like rdtsc and cpuid, the last may fault as the tracer wants
        // it to, which needs no address.
        0x01 => {
            !matches!(insn.modrm, Some((_, 0xd0 | 0xd6 | 0xee | 0xef | 0xf9)))
                || prefixes.operand_size
                || prefixes.repeat != 0
        }
        0x00
        | 0x05..=0x09
        | 0x0b
        | 0x20..=0x23
        | 0x30
        | 0x32..=0x37
        | 0xa1
        | 0xa9
        | 0xaa
        | 0xb2
        | 0xb4
        | 0xb5
        | 0xb9 => true,
        0xff => true,
        0xae if insn.has_memory() => prefixes.repeat != 0 || matches!(reg, 0 | 4),
        // Waits end when time says so.
        0xae => match reg {
            0..=3 => prefixes.repeat != 0xf3,
            5..=7 => prefixes.repeat != 0 || prefixes.operand_size,
            _ => true,
        },
        0xc7 if insn.has_memory() => reg != 1,
        0xc7 => !matches!((reg, prefixes.repeat), (6, 0) | (7, 0 | 0xf3)),
        _ => false,
    };
    if is_native { Class::Native } else { Class::Ordinary }
}
