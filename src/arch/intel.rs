//! x86 instructions in Intel syntax, as binutils writes it.

use super::assembly::{Parts, set_common};
use iced_x86::{Formatter, Instruction, IntelFormatter, MemorySizeOptions, Mnemonic, OpKind, Register};

/// What binutils calls by another name.
const RENAMED: [(&str, &str); 4] = [("popfq", "popf"), ("pushfq", "pushf"), ("iretd", "iret"), ("ret    far", "retf")];

/// Spells an instruction in Intel syntax as binutils 2.40 writes it.
pub(super) fn intel(instruction: &Instruction, bytes: &[u8]) -> String {
    let parts = Parts::of(bytes);
    if let Some(text) = string(instruction) {
        return text;
    }
    let mut formatter = IntelFormatter::new();
    set_common(formatter.options_mut(), instruction);
    let is_absolute = has_memory(instruction)
        && instruction.memory_base() == Register::None
        && instruction.memory_index() == Register::None;
    let options = formatter.options_mut();
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_add_leading_zero_to_hex_numbers(false);
    options.set_uppercase_keywords(true);
    options.set_memory_size_options(MemorySizeOptions::Always);
    options.set_always_show_segment_register(is_absolute);
    let mut text = String::new();
    formatter.format(instruction, &mut text);

    if parts.shifts_by_one()
        && let Some(rest) = text.strip_suffix(",0x1")
    {
        text = format!("{rest},1");
    }
    if is_absolute && !instruction.is_ip_rel_memory_operand() {
        text = text.replacen('[', "", 1).replacen(']', "", 1);
    }
    if instruction.is_ip_rel_memory_operand()
        && let Some((before, rest)) = text.split_once("[rip-")
        && let Some((_, after)) = rest.split_once(']')
    {
        let offset = instruction.memory_displacement64().wrapping_sub(instruction.next_ip());
        text = format!("{before}[rip+{offset:#x}]{after}");
    }
    if matches!(parts.opcode, 0xd8..=0xdf) {
        text = of_x87(text, instruction);
    }
    for (theirs, plain) in RENAMED {
        if text.trim_end() == theirs {
            text = plain.to_owned();
        }
    }
    match instruction.mnemonic() {
        Mnemonic::Mov if instruction.op1_kind() == OpKind::Immediate64 || matches!(parts.opcode, 0xa0..=0xa3) => {
            text = text.replacen("mov    ", "movabs ", 1);
        }
        Mnemonic::Xlatb => text = text.replacen("PTR [", "PTR ds:[", 1),
        Mnemonic::Imul if matches!(parts.opcode, 0x69 | 0x6b) && text.matches(',').count() == 1 => {
            if let Some((operands, number)) = text.rsplit_once(',')
                && let Some((_, register)) = operands.rsplit_once(' ')
            {
                text = format!("{operands},{register},{number}");
            }
        }
        _ => {}
    }
    parts.spell_out(text, instruction)
}

/// Spells instructions of the x87, which name the top of its stack only where it is not clear.
fn of_x87(text: String, instruction: &Instruction) -> String {
    use Mnemonic as M;
    let moves = matches!(instruction.mnemonic(), M::Fld | M::Fst | M::Fstp | M::Fxch);
    match text.trim_end() {
        "fxch" => "fxch   st(1)".to_owned(),
        pops @ ("faddp" | "fmulp" | "fsubp" | "fsubrp" | "fdivp" | "fdivrp") => format!("{pops:<6} st(1),st"),
        _ if moves || has_memory(instruction) => {
            let text = text.replacen(" st,", " ", 1);
            text.strip_suffix(",st").map(str::to_owned).unwrap_or(text)
        }
        _ => text,
    }
}

fn has_memory(instruction: &Instruction) -> bool {
    (0..instruction.op_count()).any(|operand| instruction.op_kind(operand) == OpKind::Memory)
}

/// Spells string instructions, whose implied operands are shown.
fn string(instruction: &Instruction) -> Option<String> {
    use Mnemonic as M;
    let (name, size) = match instruction.mnemonic() {
        M::Movsb => ("movs", 1),
        M::Movsw => ("movs", 2),
        M::Movsd if instruction.is_string_instruction() => ("movs", 4),
        M::Movsq => ("movs", 8),
        M::Cmpsb => ("cmps", 1),
        M::Cmpsw => ("cmps", 2),
        M::Cmpsd if instruction.is_string_instruction() => ("cmps", 4),
        M::Cmpsq => ("cmps", 8),
        M::Stosb => ("stos", 1),
        M::Stosw => ("stos", 2),
        M::Stosd => ("stos", 4),
        M::Stosq => ("stos", 8),
        M::Lodsb => ("lods", 1),
        M::Lodsw => ("lods", 2),
        M::Lodsd => ("lods", 4),
        M::Lodsq => ("lods", 8),
        M::Scasb => ("scas", 1),
        M::Scasw => ("scas", 2),
        M::Scasd => ("scas", 4),
        M::Scasq => ("scas", 8),
        M::Insb => ("ins", 1),
        M::Insw => ("ins", 2),
        M::Insd => ("ins", 4),
        M::Outsb => ("outs", 1),
        M::Outsw => ("outs", 2),
        M::Outsd => ("outs", 4),
        _ => return None,
    };
    let (word, register) = match size {
        1 => ("BYTE", "al"),
        2 => ("WORD", "ax"),
        4 => ("DWORD", "eax"),
        _ => ("QWORD", "rax"),
    };
    let uses = |kind| (0..instruction.op_count()).any(|operand| instruction.op_kind(operand) == kind);
    let short = uses(OpKind::MemoryESEDI) || uses(OpKind::MemorySegESI);
    let (from, to) = if short { ("esi", "edi") } else { ("rsi", "rdi") };
    let segment = match instruction.segment_prefix() {
        Register::FS => "fs",
        Register::GS => "gs",
        _ => "ds",
    };
    let (from, to) = (format!("{word} PTR {segment}:[{from}]"), format!("{word} PTR es:[{to}]"));
    let operands = match name {
        "movs" => format!("{to},{from}"),
        "cmps" => format!("{from},{to}"),
        "stos" => format!("{to},{register}"),
        "lods" => format!("{register},{from}"),
        "scas" => format!("{register},{to}"),
        "ins" => format!("{to},dx"),
        _ => format!("dx,{from}"),
    };
    let compares = matches!(name, "cmps" | "scas");
    let repeat = match (instruction.has_rep_prefix(), instruction.has_repne_prefix()) {
        (true, _) if compares => "repz ",
        (true, _) => "rep ",
        (_, true) => "repnz ",
        _ => "",
    };
    Some(format!("{:<6} {operands}", format!("{repeat}{name}")))
}

#[cfg(test)]
mod tests {
    use crate::{Arch, RunAddr, Syntax, assembly};

    /// Each as GDB 13 (binutils 2.40) prints it after `set disassembly-flavor intel`.
    #[test]
    fn intel_as_binutils_writes_it() {
        for (bytes, text) in [
            (&[0x55][..], "push   rbp"),
            (&[0x48, 0x89, 0xe5], "mov    rbp,rsp"),
            (&[0x48, 0x83, 0xec, 0x10], "sub    rsp,0x10"),
            (&[0x8b, 0x45, 0xfc], "mov    eax,DWORD PTR [rbp-0x4]"),
            (&[0xc7, 0x45, 0xfc, 0, 0, 0, 0], "mov    DWORD PTR [rbp-0x4],0x0"),
            (&[0x48, 0x98], "cdqe"),
            (&[0x48, 0x8d, 0x0c, 0x85, 0, 0, 0, 0], "lea    rcx,[rax*4+0x0]"),
            (&[0x89, 0x04, 0x11], "mov    DWORD PTR [rcx+rdx*1],eax"),
            (&[0x48, 0x8d, 0x15, 0xa6, 0x4d, 0x0a, 0], "lea    rdx,[rip+0xa4da6]"),
            (&[0x48, 0x8d, 0x3d, 0x8e, 0xe6, 0xff, 0xff], "lea    rdi,[rip+0xffffffffffffe68e]"),
            (&[0xe8, 0xce, 0xfe, 0xff, 0xff], "call   0x400ed3"),
            (&[0xff, 0xd2], "call   rdx"),
            (&[0xff, 0x14, 0x24], "call   QWORD PTR [rsp]"),
            (&[0x7e, 0xd9], "jle    0x400fdb"),
            (&[0xc3], "ret"),
            (&[0xf3, 0xc3], "repz ret"),
            (&[0xd1, 0xea], "shr    edx,1"),
            (&[0xc1, 0xea, 0x01], "shr    edx,0x1"),
            (&[0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0], "mov    rax,QWORD PTR fs:0x28"),
            (&[0xf3, 0xab], "rep stos DWORD PTR es:[rdi],eax"),
            (&[0xf3, 0xa6], "repz cmps BYTE PTR ds:[rsi],BYTE PTR es:[rdi]"),
            (&[0xa4], "movs   BYTE PTR es:[rdi],BYTE PTR ds:[rsi]"),
            (&[0x66, 0x90], "xchg   ax,ax"),
            (&[0x0f, 0x1f, 0x40, 0], "nop    DWORD PTR [rax+0x0]"),
            (&[0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0], "data16 cs nop WORD PTR [rax+rax*1+0x0]"),
            (&[0xd9, 0xc9], "fxch   st(1)"),
            (&[0xdb, 0x29], "fld    TBYTE PTR [rcx]"),
            (&[0xdd, 0xd8], "fstp   st(0)"),
            (&[0xde, 0xc9], "fmulp  st(1),st"),
            (&[0x45, 0x69, 0xf6, 0x41, 0x04, 0, 0], "imul   r14d,r14d,0x441"),
            (&[0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8], "movabs rax,0x807060504030201"),
            (&[0x9c], "pushf"),
            (&[0x06], "(bad)"),
        ] {
            let found = assembly(Arch::X86_64, bytes, RunAddr(0x40_1000), Syntax::Intel).unwrap();
            assert_eq!(found.text, text, "{bytes:02x?}");
        }
    }
}
