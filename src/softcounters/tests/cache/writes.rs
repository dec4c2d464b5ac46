//! What instructions write against what a disassembler knows of them.

use std::collections::BTreeMap;

use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, InstructionInfoOptions, OpAccess};
use iced_x86::{Mnemonic, Register};

use crate::shim::cache::insn::decode;
use crate::shim::cache::masks::{Layout, Mask, MaskedStore};
use crate::shim::cache::writes::{NEXT, Target};

/// Operands as ModRM and what follows may name them: [rax], [rip + disp], [rsp + disp8], [rbp + rcx * 2 + disp],
/// [disp], [rdi + disp8], a register.
const OPERANDS: [[u8; 6]; 7] = [
    [0x00, 0, 0, 0, 0, 0],
    [0x05, 1, 2, 3, 4, 0],
    [0x44, 0x24, 8, 0, 0, 0],
    [0x84, 0x4d, 1, 2, 3, 4],
    [0x04, 0x25, 1, 2, 3, 4],
    [0x47, 0xf0, 0, 0, 0, 0],
    [0xc1, 0, 0, 0, 0, 0],
];

pub fn number(register: Register) -> Option<u8> {
    (register != Register::None).then(|| if register == Register::RIP { NEXT } else { register.number() as u8 })
}

/// Instructions of which the disassembler says otherwise, each for a reason.
fn is_other(theirs: &Instruction) -> bool {
    use Mnemonic as M;
    // Privileged, of virtual machines, or in modes that no program has.
    matches!(
        theirs.mnemonic(),
        M::Vmptrst | M::Vmread | M::Wrussd | M::Wrussq | M::Clrssbsy | M::Rstorssp | M::Xrstors | M::Xrstors64 | M::Enqcmd | M::Enqcmds
        // An address of memory that is not written; a hint.
        | M::Bndstx | M::Invlpga | M::Cldemote | M::Clwb | M::Clflush | M::Clflushopt | M::Prefetchw | M::Prefetch
    )
}

/// Stores of which the disassembler says that they write all.
fn is_masked_by_vector(theirs: &Instruction) -> bool {
    use Mnemonic as M;
    let is_moved = matches!(theirs.mnemonic(), M::Vmaskmovps | M::Vmaskmovpd | M::Vpmaskmovd | M::Vpmaskmovq);
    is_moved || matches!(theirs.mnemonic(), M::Maskmovq | M::Maskmovdqu | M::Vmaskmovdqu)
}

/// What is wrong with what is said of an instruction; `None` if one of both does not know it.
fn compare(code: &[u8]) -> Option<(String, Vec<&'static str>)> {
    let insn = decode(code)?;
    let theirs = Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE).decode();
    if theirs.is_invalid() || theirs.len() != usize::from(insn.length) || is_other(&theirs) {
        return None;
    }
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info_options(&theirs, InstructionInfoOptions::NONE);
    let writing = |access| {
        matches!(access, OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite)
    };
    let written: Vec<_> = info.used_memory().iter().filter(|memory| writing(memory.access())).collect();
    let ours = insn.write(code);
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, what| {
        if !is_right {
            wrong.push(what);
        }
    };
    check(ours.is_some() != written.is_empty(), "whether");
    if let (Some(ours), [first, ..]) = (ours, &written[..]) {
        let size = first.memory_size().size() as u32;
        let is_known = ours.is_whole && size != 0 && ours.target != Target::Bit;
        check(!is_known || ours.length == size, "size");
        check(!ours.is_whole || first.access() != OpAccess::CondWrite || insn.is_repeated(), "condition");
        let is_masked = first.access() == OpAccess::CondWrite && !insn.is_repeated() || is_masked_by_vector(&theirs);
        let masked = insn.masked_store(code);
        check(is_masked == masked.is_some_and(|masked| masked.mask != Mask::All), "masked");
        if let Some(MaskedStore { mask: Mask::Opmask(register), element, .. }) = masked {
            check(number(theirs.op_mask()) == Some(register), "mask");
            check(theirs.memory_size().element_size() as u32 == element, "element");
        }
        if let Some(MaskedStore { count, element, layout: Layout::Spread, .. }) = masked {
            check(count * element == ours.length, "elements");
        }
        if matches!(ours.target, Target::Operand | Target::Popped | Target::Bit) {
            let operand = insn.operand(code, ours.scale).unwrap();
            let base = if theirs.is_ip_rel_memory_operand() { Some(NEXT) } else { number(theirs.memory_base()) };
            check(operand.base == base, "base");
            let index = number(theirs.memory_index()).map(|index| (index, theirs.memory_index_scale() as u8));
            check(operand.index == index, "index");
            let next = if base == Some(NEXT) { 0x1000 + theirs.len() as i64 } else { 0 };
            let mask = if insn.prefixes.address_size { u64::from(u32::MAX) } else { u64::MAX };
            let displacement = (operand.displacement + next) as u64 & mask;
            check(displacement == theirs.memory_displacement64() & mask, "displacement");
        }
    }
    Some((format!("{code:02x?}: {theirs}: {ours:?}, {written:?}"), wrong))
}

/// What is found wrong of all opcodes with all operands, by the name of the instruction; and how many were compared.
pub fn compare_all(compare: impl Fn(&[u8]) -> Option<(String, Vec<&'static str>)>) -> (u32, BTreeMap<String, String>) {
    let (mut compared, mut wrong) = (0, BTreeMap::new());
    let mut all = |start: &[u8]| {
        for operand in OPERANDS {
            for reg in 0..8u8 {
                let mut code = start.to_vec();
                code.extend(operand);
                code[start.len()] |= reg << 3;
                code.extend([0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x08]);
                code.truncate(15);
                let Some((what, found)) = compare(&code) else { continue };
                compared += 1;
                if !found.is_empty() {
                    let name = what.split(['>', ']']).nth(1).unwrap_or_default().split(' ').nth(1).unwrap_or_default();
                    wrong.entry(format!("{name} {found:?}")).or_insert(what);
                }
            }
        }
    };
    for opcode in 0..=0xff {
        for prefix in
            [&[][..], &[0x66], &[0xf2], &[0xf3], &[0x48], &[0x66, 0x48], &[0x67], &[0x41], &[0x4b], &[0xf3, 0x48]]
        {
            for map in [&[][..], &[0x0f], &[0x0f, 0x38], &[0x0f, 0x3a]] {
                all(&[prefix, map, &[opcode]].concat());
            }
        }
        for pp in 0..8 {
            all(&[0xc5, 0xf8 | pp, opcode]);
            for (wide, extended) in [(0, 0xe0), (0x80, 0x80)] {
                for map in 1..=3 {
                    all(&[0xc4, extended | map, 0x78 | wide | pp, opcode]);
                }
            }
        }
        for pp in 0..4 {
            for (wide, extended) in [(0, 0xf0), (0x80, 0x90)] {
                for map in [1, 2, 3, 5, 6] {
                    for length in [0x08, 0x28, 0x48, 0x29, 0x18, 0x58] {
                        all(&[0x62, extended | map, 0x7c | wide | pp, length, opcode]);
                    }
                }
            }
        }
    }
    (compared, wrong)
}

#[test]
fn what_is_written_agrees_with_a_disassembler_for_all_opcodes() {
    let (compared, wrong) = compare_all(compare);
    assert!(wrong.is_empty(), "{} of {compared}: {wrong:#?}", wrong.len());
    assert!(compared > 250_000, "{compared} instructions known to both");
}
