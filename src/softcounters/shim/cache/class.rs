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

impl Class {
    /// Whether the instruction itself says where it goes.
    pub fn is_direct(self) -> bool {
        matches!(self, Class::ConditionalJump(_) | Class::Loop | Class::Jump | Class::Call)
    }

    /// Returns whether it goes where registers or memory say.
    pub fn is_indirect(self) -> bool {
        matches!(self, Class::IndirectJump | Class::IndirectCall | Class::Return)
    }
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
        // Numbers of the processor are not copied; rdpid is.
        0xc7 => (reg, prefixes.repeat) != (7, 0xf3),
        _ => false,
    };
    if is_native { Class::Native } else { Class::Ordinary }
}

/// Returns whether an instruction may write to memory, but for what it pushes or has in the stack relative to its
/// pointer. `code` begins with it. What is not known to write nothing may write.
pub fn stores(insn: &Insn, code: &[u8]) -> bool {
    let is_implied = match (insn.encoding, insn.map, insn.opcode) {
        // movs, stos, ins, mov to an absolute address.
        (Encoding::Legacy, 0, 0xa4 | 0xa5 | 0xaa | 0xab | 0x6c | 0x6d | 0xa2 | 0xa3) => true,
        // maskmovq, maskmovdqu, and the form of vector instructions.
        (_, 1, 0xf7) => true,
        // movdir64b, enqcmd.
        (_, 2, 0xf8) => true,
        _ => false,
    };
    if is_implied || !insn.has_memory() {
        return is_implied;
    }
    let only_reads = match (insn.encoding, insn.map) {
        (Encoding::Legacy, 0) => one_byte_reads(insn),
        (_, 1) => two_byte_reads(insn),
        _ => false,
    };
    !only_reads && !is_in_stack(insn, code)
}

/// Returns whether the memory operand is at a constant distance from the stack pointer.
fn is_in_stack(insn: &Insn, code: &[u8]) -> bool {
    const NO_INDEX_BUT_RSP: u8 = 0x24;
    const EXTENDED_BASE_OR_INDEX: u8 = 3;
    let has_sib = insn.modrm.is_some_and(|(_, modrm)| modrm & 7 == 4);
    let sib = usize::from(insn.displacement.0).checked_sub(1).and_then(|at| code.get(at));
    insn.encoding == Encoding::Legacy
        && insn.prefixes.rex & EXTENDED_BASE_OR_INDEX == 0
        && insn.prefixes.segment == 0
        && !insn.prefixes.address_size
        && has_sib
        && sib.is_some_and(|sib| sib & 0x3f == NO_INDEX_BUT_RSP)
}

/// Returns whether an instruction of the one-byte map does no more to its memory operand than read it.
fn one_byte_reads(insn: &Insn) -> bool {
    match insn.opcode {
        0x38 | 0x39 | 0x63 | 0x69 | 0x6b | 0x84 | 0x85 | 0x8a | 0x8b | 0x8d | 0xd8 | 0xda | 0xdc | 0xde => true,
        opcode @ 0x00..=0x3f => opcode & 2 != 0,
        0x80 | 0x81 | 0x83 => insn.reg() == 7,
        // Loads of the x87 unit.
        0xd9 | 0xdb | 0xdd | 0xdf => insn.reg() == 0,
        0xf6 | 0xf7 => !matches!(insn.reg(), 2 | 3),
        0xff => matches!(insn.reg(), 2 | 4 | 6),
        _ => false,
    }
}

/// Returns whether an instruction of the two-byte map, in any encoding, does no more to its memory operand than read
/// it.
fn two_byte_reads(insn: &Insn) -> bool {
    match insn.opcode {
        0x0d | 0x10 | 0x12 | 0x14..=0x16 | 0x18 | 0x19 | 0x1c..=0x1f | 0x28 | 0x2a | 0x2c..=0x2f => true,
        // Conditional moves; as vector instructions, masks that are moved and others.
        0x40..=0x4f => insn.encoding == Encoding::Legacy,
        0x51..=0x6f | 0x70 | 0x74..=0x76 | 0x7c | 0x7d | 0xa3 | 0xaf | 0xb6..=0xb8 | 0xbc..=0xbf | 0xc2 | 0xc6 => true,
        0xd0..=0xd5 | 0xd8..=0xe6 | 0xe8..=0xf6 | 0xf8..=0xfe => true,
        0xba => insn.reg() == 4,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::insn::decode;
    use super::*;

    fn may_store(code: &[u8]) -> bool {
        stores(&decode(code).unwrap(), code)
    }

    #[test]
    fn what_writes_to_memory() {
        // mov [rdi], eax; mov [rsp + rax], eax; mov [r12], eax; add [rdi], eax; inc [rdi]; sete [rdi]; stos; fstp [rdi]
        assert!(may_store(&[0x89, 0x07]) && may_store(&[0x89, 0x04, 0x04]) && may_store(&[0x41, 0x89, 0x04, 0x24]));
        assert!(may_store(&[0x01, 0x07]) && may_store(&[0xff, 0x07]) && may_store(&[0x0f, 0x94, 0x07]));
        assert!(may_store(&[0xf3, 0xab]) && may_store(&[0xd9, 0x1f]) && may_store(&[0xf0, 0x0f, 0xb1, 0x0f]));
        // movaps [rdi], xmm0; vmovaps [rdi], ymm0; movd [rdi], xmm0; not [rdi]; mov fs:[rsp], eax
        assert!(may_store(&[0x0f, 0x29, 0x07]) && may_store(&[0xc5, 0xfc, 0x29, 0x07]));
        assert!(may_store(&[0x66, 0x0f, 0x7e, 0x07]) && may_store(&[0xf7, 0x17]));
        assert!(may_store(&[0x64, 0x89, 0x04, 0x24]) && may_store(&[0x0f, 0xf7, 0xc1]));
    }

    #[test]
    fn what_does_not() {
        // mov eax, [rdi]; mov eax, edi; push rax; mov [rsp + 8], eax; cmp [rdi], eax; add eax, [rdi]; test [rdi], 1
        assert!(!may_store(&[0x8b, 0x07]) && !may_store(&[0x89, 0xf8]) && !may_store(&[0x50]));
        assert!(!may_store(&[0x89, 0x44, 0x24, 0x08]) && !may_store(&[0x39, 0x07]) && !may_store(&[0x03, 0x07]));
        assert!(!may_store(&[0xf6, 0x07, 0x01]) && !may_store(&[0x0f, 0xb6, 0x07]) && !may_store(&[0x0f, 0x44, 0x07]));
        // movaps xmm0, [rdi]; vmovaps ymm0, [rdi]; jmp [rdi]
        assert!(!may_store(&[0x0f, 0x28, 0x07]) && !may_store(&[0xc5, 0xfc, 0x28, 0x07]) && !may_store(&[0xff, 0x27]));
    }
}
