//! The length decoder against a disassembler.

use capstone::prelude::*;

use super::image;
use crate::shim::cache::class::{Class, classify};
use crate::shim::cache::insn::{MAX_LENGTH, decode};

/// Bytes of the text of each file that are looked at, from its middle, unless the variable is set: then all, which
/// takes a minute.
const SAMPLE: usize = 200_000;
const VARIABLE: &str = "RETROGRADE_TEST_DECODER";

fn disassembler() -> Capstone {
    Capstone::new().x86().mode(arch::x86::ArchMode::Mode64).build().unwrap()
}

/// The length and text of the first instruction.
fn disassemble(disassembler: &Capstone, code: &[u8]) -> Option<(usize, String)> {
    let found = disassembler.disasm_count(code, 0, 1).unwrap();
    found.first().map(|insn| (insn.len(), insn.to_string()))
}

/// The length of an instruction that would be put into the cache.
fn translated_length(code: &[u8]) -> Option<usize> {
    let insn = decode(code)?;
    (classify(&insn) != Class::Native).then_some(usize::from(insn.length))
}

/// Whether these are bytes the decoder leaves alone on purpose.
fn is_left_alone(code: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    let prefixes = code.iter().take_while(|byte| is_prefix(byte)).count();
    match code[prefixes..] {
        // REX that is not the last prefix has no effect.
        [0x40..=0x4f, ref rest @ ..] if rest[0] & 0xf0 == 0x40 || is_prefix(&rest[0]) => true,
        // FMA4; XOP; 3DNow!; MPX; SSE4a and virtual machines.
        [0xc4, map, _, 0x5c..=0x5f | 0x68..=0x6f | 0x78..=0x7f, ..] if map & 0x1f == 3 => true,
        [0x8f, modrm, ..] if modrm & 0x38 != 0 => true,
        [0x0f, 0x0e | 0x0f | 0x1a | 0x1b | 0x78 | 0x79, ..] => true,
        [0x40..=0x4f, 0x0f, 0x0e | 0x0f | 0x1a | 0x1b | 0x78 | 0x79, ..] => true,
        _ => false,
    }
}

#[test]
fn lengths_agree_with_a_disassembler_on_the_text_of_libraries() {
    let disassembler = disassembler();
    let all = std::env::var_os(VARIABLE).is_some();
    for path in image::files() {
        let mut text = image::text(&path);
        if !all && text.len() > SAMPLE {
            text.drain(..(text.len() - SAMPLE) / 2);
            text.truncate(SAMPLE);
        }
        let mut instructions = 0;
        let mut at = 0;
        while at + MAX_LENGTH <= text.len() {
            let code = &text[at..at + MAX_LENGTH];
            let theirs = disassemble(&disassembler, code);
            match (translated_length(code), &theirs) {
                (Some(ours), Some((theirs, name))) => {
                    assert_eq!(ours, *theirs, "{}: {code:02x?}: {name}", path.display());
                    instructions += 1;
                }
                (None, Some((_, name))) => {
                    let is_known = decode(code).is_some();
                    assert!(is_known || is_left_alone(code), "{}: {code:02x?}: {name}", path.display());
                }
                // Tables lie among the code of hand-written assembly.
                (_, None) => {}
            }
            at += theirs.map_or(1, |(length, _)| length);
        }
        assert!(instructions > text.len() / 8, "{}: {instructions} instructions", path.display());
    }
}

/// Operands as ModRM and what follows may name them: a register, [rax], [rip + disp], [rsp + disp8], [rbp + rcx * 2 +
/// disp].
const OPERANDS: [[u8; 6]; 6] = [
    [0xc1, 0, 0, 0, 0, 0],
    [0x00, 0, 0, 0, 0, 0],
    [0x05, 1, 2, 3, 4, 0],
    [0x44, 0x24, 8, 0, 0, 0],
    [0x84, 0x4d, 1, 2, 3, 4],
    [0x04, 0x25, 1, 2, 3, 4],
];

/// Compares the length of an instruction that begins like this, for all operands.
fn compare(disassembler: &Capstone, start: &[u8], compared: &mut u32) {
    for operand in OPERANDS {
        for reg in 0..8u8 {
            let mut code = start.to_vec();
            code.extend(operand);
            code[start.len()] |= reg << 3;
            code.extend([0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]);
            if let (Some(ours), Some((theirs, name))) = (translated_length(&code), disassemble(disassembler, &code)) {
                // The disassembler gives the immediate of ret four bytes if there are both 66 and REX.W; it has two.
                if !code.starts_with(&[0x66, 0x48, 0xc2]) {
                    assert_eq!(ours, theirs, "{code:02x?}: {name}");
                }
                *compared += 1;
            }
        }
    }
}

#[test]
fn lengths_agree_with_a_disassembler_for_all_opcodes() {
    let disassembler = disassembler();
    let mut compared = 0;
    for opcode in 0..=0xff {
        for prefix in [&[][..], &[0x66], &[0xf2], &[0xf3], &[0x48], &[0x66, 0x48], &[0x67], &[0x41]] {
            for map in [&[][..], &[0x0f], &[0x0f, 0x38], &[0x0f, 0x3a]] {
                compare(&disassembler, &[prefix, map, &[opcode]].concat(), &mut compared);
            }
        }
        for pp in 0..8 {
            compare(&disassembler, &[0xc5, 0xf8 | pp, opcode], &mut compared);
            for wide in [0, 0x80] {
                for map in 1..=3 {
                    compare(&disassembler, &[0xc4, 0xe0 | map, 0x78 | wide | pp, opcode], &mut compared);
                }
            }
        }
        for pp in 0..4 {
            for wide in [0, 0x80] {
                for map in [1, 2, 3, 5, 6] {
                    for length in [0x08, 0x48, 0x29] {
                        compare(&disassembler, &[0x62, 0xf0 | map, 0x7c | wide | pp, length, opcode], &mut compared);
                    }
                }
            }
        }
    }
    assert!(compared > 250_000, "{compared} instructions known to both");
}
