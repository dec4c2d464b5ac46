//! Addresses that code forms.

use super::{Arch, RunAddr};
use iced_x86::{Decoder, DecoderOptions, Mnemonic, OpKind};
use std::collections::BTreeSet;

/// Lists the addresses that instructions put into registers as they are written there: by `lea` from the instruction
/// pointer, or by `mov` as a number. A number need not be meant as an address.
pub fn addresses_formed(arch: Arch, start: RunAddr, code: &[u8]) -> BTreeSet<u64> {
    if arch != Arch::X86_64 {
        return BTreeSet::new();
    }
    let formed = Decoder::with_ip(64, code, start.0, DecoderOptions::NONE).into_iter().filter_map(|insn| {
        match (insn.mnemonic(), insn.op0_kind()) {
            (Mnemonic::Lea, _) if insn.is_ip_rel_memory_operand() => Some(insn.ip_rel_memory_address()),
            (Mnemonic::Mov, OpKind::Register) => match insn.op1_kind() {
                kind @ (OpKind::Immediate32 | OpKind::Immediate32to64 | OpKind::Immediate64) => {
                    let value = insn.immediate(1);
                    Some(if kind == OpKind::Immediate32 { value & 0xffff_ffff } else { value })
                }
                _ => None,
            },
            _ => None,
        }
    });
    formed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_formed_by_lea_and_by_mov() {
        let code = [
            0x48, 0x8d, 0x05, 0x10, 0x00, 0x00, 0x00, // 1000: lea rax, [rip+0x10]
            0xb8, 0x60, 0x11, 0x40, 0x00, // 1007: mov eax, 0x401160
            0x48, 0xc7, 0xc0, 0x00, 0x20, 0x40, 0x00, // 100c: mov rax, 0x402000
            0x48, 0x8d, 0x44, 0x24, 0x08, // 1013: lea rax, [rsp+8]
            0x8b, 0x05, 0x10, 0x00, 0x00, 0x00, // 1018: mov eax, [rip+0x10]
            0x89, 0xc8, // 101e: mov eax, ecx
        ];
        let formed = addresses_formed(Arch::X86_64, RunAddr(0x1000), &code);
        assert_eq!(formed, BTreeSet::from([0x1017, 0x40_1160, 0x40_2000]));
        assert!(addresses_formed(Arch::Aarch64, RunAddr(0x1000), &code).is_empty());
    }
}
