//! Instructions as text, in the notation of the platform's own tools: what `objdump` and GDB print.

use super::intel::intel;
use super::{Arch, MAX_INSTRUCTION, RunAddr, decode};
use capstone::Capstone;
use capstone::arch::{BuildsCapstone, arm64};
use iced_x86::{
    Decoder, DecoderOptions, Formatter, FormatterOptions, GasFormatter, Instruction, Mnemonic, OpKind, Register,
};

/// How x86 instructions are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// `mov -0x4(%rbp),%eax`
    #[default]
    Att,
    /// `mov eax,DWORD PTR [rbp-0x4]`
    Intel,
}

/// An instruction as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    /// Mnemonic and operands, padded as binutils pads them; addresses in hexadecimal.
    pub text: String,
    /// Length in bytes.
    pub length: u64,
    /// Where a direct jump or call goes: the text ends in this address.
    pub target: Option<RunAddr>,
    /// The address of a pc-relative operand, which the text shows as an offset.
    pub operand: Option<RunAddr>,
}

/// Disassembles the instruction that `bytes`, found at `at`, begin with. What is no instruction is `(bad)`, one byte
/// long; `None` if there are no bytes. Other architectures than x86 have one syntax.
pub fn assembly(arch: Arch, bytes: &[u8], at: RunAddr, syntax: Syntax) -> Option<Assembly> {
    let bytes = bytes.get(..MAX_INSTRUCTION.min(bytes.len())).filter(|b| !b.is_empty())?;
    let found = match arch {
        Arch::X86_64 => x86_64(bytes, at, syntax),
        Arch::Aarch64 => aarch64(bytes, at),
    };
    Some(found.unwrap_or_else(|| Assembly {
        text: "(bad)".to_owned(),
        length: match arch {
            Arch::X86_64 => 1,
            Arch::Aarch64 => bytes.len().min(4) as u64,
        },
        target: None,
        operand: None,
    }))
}

fn x86_64(bytes: &[u8], at: RunAddr, syntax: Syntax) -> Option<Assembly> {
    let instruction = Decoder::with_ip(64, bytes, at.0, DecoderOptions::NONE).decode();
    if instruction.is_invalid() {
        return None;
    }
    let near = matches!(instruction.op0_kind(), OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64);
    let its_bytes = bytes.get(..instruction.len())?;
    Some(Assembly {
        text: match syntax {
            Syntax::Att => att(&instruction, its_bytes),
            Syntax::Intel => intel(&instruction, its_bytes),
        },
        length: instruction.len() as u64,
        target: near.then(|| RunAddr(instruction.near_branch_target())),
        operand: instruction.is_ip_rel_memory_operand().then(|| RunAddr(instruction.ip_rel_memory_address())),
    })
}

/// Mnemonics that binutils writes without the suffix that others give them.
const UNSUFFIXED: [(&str, &str); 9] = [
    ("callq", "call"),
    ("jmpq", "jmp"),
    ("pushq", "push"),
    ("popq", "pop"),
    ("leaveq", "leave"),
    ("retq", "ret"),
    ("enterq", "enter"),
    ("iretl", "iret"),
    ("lretl", "lret"),
];

/// An instruction's prefixes and opcode, as far as its text depends on them.
pub(super) struct Parts<'b> {
    pub(super) prefixes: &'b [u8],
    pub(super) opcode: u8,
}

impl<'b> Parts<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        let prefix = |b: &&u8| matches!(b, 0x66 | 0x67 | 0xf2 | 0xf3 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65 | 0xf0);
        let (prefixes, rest) = bytes.split_at(bytes.iter().take_while(prefix).count());
        let opcode = match rest {
            [0x40..=0x4f, opcode, ..] | [opcode, ..] => *opcode,
            [] => 0,
        };
        Self { prefixes, opcode }
    }

    /// Returns whether an instruction is a shift by one whose bytes do not say so.
    pub(super) fn shifts_by_one(&self) -> bool {
        matches!(self.opcode, 0xd0 | 0xd1)
    }

    /// Spells the text with prefixes that change nothing, and with those that have another name.
    pub(super) fn spell_out(&self, mut text: String, instruction: &Instruction) -> String {
        if let Some(rest) = text.strip_prefix("rep ret") {
            text = format!("repz ret{rest}");
        }
        match instruction.mnemonic() {
            Mnemonic::Nop => {
                let wide = self.prefixes.iter().filter(|b| **b == 0x66).count().saturating_sub(1);
                let words = "data16 ".repeat(wide) + if self.prefixes.contains(&0x2e) { "cs " } else { "" };
                if !words.is_empty() {
                    text = words + &single_spaced(&text);
                }
            }
            Mnemonic::Call if self.prefixes.contains(&0x67) => text = format!("addr32 {}", single_spaced(&text)),
            _ => {}
        }
        text.trim_end().to_owned()
    }
}

/// Sets what binutils does in both syntaxes.
pub(super) fn set_common(options: &mut FormatterOptions, instruction: &Instruction) {
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(false);
    options.set_first_operand_char_index(7);
    options.set_rip_relative_addresses(true);
    options.set_branch_leading_zeros(false);
    options.set_displacement_leading_zeros(false);
    options.set_show_branch_size(false);
    options.set_show_zero_displacements(true);
    options.set_always_show_scale(instruction.memory_index() != Register::None);
}

/// Spells an instruction in AT&T syntax as binutils 2.40 writes it.
fn att(instruction: &Instruction, bytes: &[u8]) -> String {
    let parts = Parts::of(bytes);
    let opcode = parts.opcode;
    let mut formatter = GasFormatter::new();
    set_common(formatter.options_mut(), instruction);
    // String instructions: movs, cmps, stos, lods, scas, ins, outs, xlat.
    let is_string = matches!(opcode, 0xa4..=0xa7 | 0xaa..=0xaf | 0x6c..=0x6f | 0xd7);
    formatter.options_mut().set_always_show_segment_register(is_string);
    let mut text = String::new();
    formatter.format(instruction, &mut text);

    if parts.shifts_by_one() {
        text = text.replacen("$0x1,", "", 1);
    }
    for (theirs, plain) in UNSUFFIXED {
        if let Some(operands) = text.strip_prefix(theirs).filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
            text = format!("{plain:<6} {}", operands.trim_start());
        }
    }
    match instruction.mnemonic() {
        Mnemonic::Fxch if text.trim_end() == "fxch" => text = "fxch   %st(1)".to_owned(),
        // The form with three operands, of which two are the same.
        Mnemonic::Imul if matches!(opcode, 0x69 | 0x6b) && text.matches(',').count() == 1 => {
            if let Some((_, register)) = text.rsplit_once(',') {
                text = format!("{text},{register}");
            }
        }
        _ => {}
    }
    parts.spell_out(text, instruction)
}

/// Replaces the padding behind the mnemonic, which is counted from the first prefix, by single spaces.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn aarch64(bytes: &[u8], at: RunAddr) -> Option<Assembly> {
    let known = decode(Arch::Aarch64, bytes, at)?;
    let decoder = Capstone::new().arm64().mode(arm64::ArchMode::Arm).build().ok()?;
    let found = decoder.disasm_count(bytes, at.0, 1).ok()?;
    let instruction = found.iter().next()?;
    let text = format!("{}\t{}", instruction.mnemonic()?, instruction.op_str()?);
    let target = text.rsplit_once("#0x").and_then(|(_, digits)| u64::from_str_radix(digits, 16).ok());
    let branches = matches!(known.flow, super::Flow::Call | super::Flow::Jump);
    Some(Assembly {
        text: text.trim_end().to_owned(),
        length: known.length,
        target: target.filter(|_| branches).map(RunAddr),
        operand: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn x86(bytes: &[u8]) -> String {
        assembly(Arch::X86_64, bytes, RunAddr(0x40_1000), Syntax::Att).unwrap().text
    }

    /// Each as GDB 13 (binutils 2.40) prints it.
    #[test]
    fn x86_as_binutils_writes_it() {
        for (bytes, text) in [
            (&[0x55][..], "push   %rbp"),
            (&[0x48, 0x89, 0xe5], "mov    %rsp,%rbp"),
            (&[0x48, 0x83, 0xec, 0x10], "sub    $0x10,%rsp"),
            (&[0xc7, 0x45, 0xfc, 0, 0, 0, 0], "movl   $0x0,-0x4(%rbp)"),
            (&[0x48, 0x98], "cltq"),
            (&[0x48, 0x8d, 0x0c, 0x85, 0, 0, 0, 0], "lea    0x0(,%rax,4),%rcx"),
            (&[0x89, 0x04, 0x11], "mov    %eax,(%rcx,%rdx,1)"),
            (&[0x48, 0x8d, 0x15, 0xa6, 0x4d, 0x0a, 0], "lea    0xa4da6(%rip),%rdx"),
            (&[0xe8, 0xce, 0xfe, 0xff, 0xff], "call   0x400ed3"),
            (&[0xff, 0xd2], "call   *%rdx"),
            (&[0xff, 0x14, 0x24], "call   *(%rsp)"),
            (&[0xff, 0x74, 0x24, 0x40], "push   0x40(%rsp)"),
            (&[0x7e, 0xd9], "jle    0x400fdb"),
            (&[0xc9], "leave"),
            (&[0xc3], "ret"),
            (&[0xf3, 0xc3], "repz ret"),
            (&[0xd1, 0xea], "shr    %edx"),
            (&[0xc1, 0xea, 0x01], "shr    $0x1,%edx"),
            (&[0xf3, 0xab], "rep stos %eax,%es:(%rdi)"),
            (&[0xa4], "movsb  %ds:(%rsi),%es:(%rdi)"),
            (&[0x66, 0x90], "xchg   %ax,%ax"),
            (&[0x0f, 0x1f, 0x40, 0], "nopl   0x0(%rax)"),
            (&[0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0], "cs nopw 0x0(%rax,%rax,1)"),
            (&[0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0], "data16 cs nopw 0x0(%rax,%rax,1)"),
            (&[0xd9, 0xc9], "fxch   %st(1)"),
            (&[0x45, 0x69, 0xf6, 0x41, 0x04, 0, 0], "imul   $0x441,%r14d,%r14d"),
            (&[0x67, 0xe8, 0x8f, 0x13, 0, 0], "addr32 call 0x402395"),
            (&[0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8], "movabs $0x807060504030201,%rax"),
            (&[0x0f, 0x05], "syscall"),
            (&[0x06], "(bad)"),
            (&[0xe8], "(bad)"),
        ] {
            assert_eq!(x86(bytes), text, "{bytes:02x?}");
        }
        assert_eq!(assembly(Arch::X86_64, &[], RunAddr(0), Syntax::Att), None);
    }

    #[test]
    fn places_that_instructions_name() {
        let jump = assembly(Arch::X86_64, &[0xeb, 0x10], RunAddr(0x1000), Syntax::Att).unwrap();
        assert_eq!((jump.length, jump.target, jump.operand), (2, Some(RunAddr(0x1012)), None));
        let load = assembly(Arch::X86_64, &[0x8b, 0x05, 0x10, 0, 0, 0], RunAddr(0x1000), Syntax::Att).unwrap();
        assert_eq!((load.length, load.target, load.operand), (6, None, Some(RunAddr(0x1016))));
        let call = assembly(Arch::Aarch64, &0x9400_0001u32.to_le_bytes(), RunAddr(0x1000), Syntax::Att).unwrap();
        assert_eq!((call.text.as_str(), call.target), ("bl\t#0x1004", Some(RunAddr(0x1004))));
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 1..20), at: u64) {
            let each = [(Arch::X86_64, Syntax::Att), (Arch::X86_64, Syntax::Intel), (Arch::Aarch64, Syntax::Att)];
            for (arch, syntax) in each {
                let found = assembly(arch, &bytes, RunAddr(at), syntax).unwrap();
                prop_assert!(found.length > 0 && found.length as usize <= bytes.len());
                prop_assert!(!found.text.is_empty());
            }
        }
    }
}
