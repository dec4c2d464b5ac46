//! What instructions read against what a disassembler knows of them, and what translations tell of it.

use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, InstructionInfoOptions, OpAccess};
use iced_x86::{MemorySize, Mnemonic};
use libc::user_regs_struct;

use super::image::Image;
use super::pair::{Mode, Pair};
use super::random::Random;
use super::state::{self, DATA};
use super::writes::{compare_all, number};
use crate::shim::cache::insn::decode;
use crate::shim::cache::site::Sites;
use crate::shim::cache::writes::{NEXT, Target};

/// Instructions of which the disassembler says otherwise, each for a reason.
fn is_other(theirs: &Instruction) -> bool {
    use Mnemonic as M;
    let name = format!("{:?}", theirs.mnemonic()).to_lowercase();
    // Privileged, or of virtual machines, or not in programs.
    let is_of_system = matches!(
        theirs.mnemonic(),
        M::Vmptrld
            | M::Vmclear
            | M::Vmxon
            | M::Vmread
            | M::Vmwrite
            | M::Rstorssp
            | M::Clrssbsy
            | M::Invlpga
            | M::Enqcmd
            | M::Enqcmds
            | M::Xrstors
            | M::Xrstors64
            | M::Lldt
            | M::Ltr
            | M::Lgdt
            | M::Lidt
            | M::Lmsw
            | M::Enter
            | M::Iret
            | M::Iretd
            | M::Iretq
            | M::Retf
            | M::Wrssd
            | M::Wrssq
            | M::Bndmov
            | M::Bndcl
            | M::Bndcu
            | M::Bndcn
            | M::Bndldx
            | M::Bndstx
            | M::Lkgs
            // Hints.
            | M::Clflush
            | M::Clflushopt
            | M::Clwb
            | M::Umonitor
    );
    // Where they look before they write.
    let is_state = name.starts_with("xsave") || name.starts_with("xrstor") || name.starts_with("fxrstor");
    is_of_system || is_state || name.contains("gather") || name.contains("scatter") || name.contains("prefetch")
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
    let reading =
        |access| matches!(access, OpAccess::Read | OpAccess::ReadWrite | OpAccess::CondRead | OpAccess::ReadCondWrite);
    let read: Vec<_> = info.used_memory().iter().filter(|memory| reading(memory.access())).collect();
    let ours: Vec<_> = insn.reads(code).into_iter().flatten().collect();
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, what| {
        if !is_right {
            wrong.push(what);
        }
    };
    check(ours.len() == read.len(), "how many");
    for ours in &ours {
        let size = ours.length as usize;
        let is_known = |memory: MemorySize| memory.size() != 0 && ours.is_whole && ours.target != Target::Bit;
        let fits = read.iter().any(|memory| !is_known(memory.memory_size()) || memory.memory_size().size() == size);
        check(fits || read.is_empty(), "size");
        if matches!(ours.target, Target::Operand | Target::Bit) {
            let operand = insn.operand(code, ours.scale).unwrap();
            let base = if theirs.is_ip_rel_memory_operand() { Some(NEXT) } else { number(theirs.memory_base()) };
            check(operand.base == base, "base");
            let next = if base == Some(NEXT) { 0x1000 + theirs.len() as i64 } else { 0 };
            let mask = if insn.prefixes.address_size { u64::from(u32::MAX) } else { u64::MAX };
            let displacement = (operand.displacement + next) as u64 & mask;
            check(displacement == theirs.memory_displacement64() & mask, "displacement");
        }
    }
    Some((format!("{code:02x?}: {theirs}: {ours:?}, {read:?}"), wrong))
}

#[test]
fn what_is_read_agrees_with_a_disassembler_for_all_opcodes() {
    let (compared, wrong) = compare_all(compare);
    assert!(wrong.is_empty(), "{} of {compared}: {wrong:#?}", wrong.len());
    assert!(compared > 250_000, "{compared} instructions known to both");
}

/// What a translation of this code tells of its reads with these registers: addresses from [`DATA`] on, lengths, and
/// whether it has written there, too.
fn told(code: &[u8], registers: impl Fn(&mut user_regs_struct)) -> Vec<(u64, usize, bool)> {
    const AT: u64 = 0x3000_0000_0000;
    let mut pair = Pair::new(Image::of_code(code, AT));
    pair.watch(Sites::default().reading(true));
    let mut state = state::registers(&mut Random(7), &[], AT);
    state.eflags = 0x202;
    registers(&mut state);
    let extended = pair.extended_state();
    pair.record_reads = Some(Vec::new());
    pair.run(&state, &extended, 100, Mode::Alone, 1).unwrap();
    pair.record_reads.take().unwrap()
}

#[test]
fn each_way_to_read_is_told_with_its_place_and_length() {
    let at = |offset: u64| DATA.address + offset;
    // Each ends with int3, which is the program's to execute.
    let told_of = |code: &[u8]| {
        told(&[code, &[0xcc]].concat(), |registers| {
            (registers.rdi, registers.rcx, registers.rsp) = (at(0x800), 2, at(0x2000));
            (registers.rax, registers.rbx, registers.rsi) = (at(0x900), at(0x4000), at(0x600));
            (registers.rbp, registers.fs_base) = (at(0x3000), at(0x1000));
        })
    };
    // mov eax, [rdi + rcx * 4 - 8]; cmp word ptr [rdi], 1; add [rdi], eax; lock inc [rdi]; xchg [rdi], eax
    assert_eq!(told_of(&[0x8b, 0x44, 0x8f, 0xf8]), [(0x800, 4, false)]);
    assert_eq!(told_of(&[0x66, 0x83, 0x3f, 0x01]), [(0x800, 2, false)]);
    assert_eq!(told_of(&[0x01, 0x07]), [(0x800, 4, true)]);
    assert_eq!(told_of(&[0xf0, 0xff, 0x07]), [(0x800, 4, true)]);
    assert_eq!(told_of(&[0x87, 0x07]), [(0x800, 4, true)]);
    // pop rax; pop rsp; leave; movups xmm0, [rbx]; mov rcx, fs:[8]; mov rax, [rax]; lodsd; scasb
    assert_eq!(told_of(&[0x58]), [(0x2000, 8, false)]);
    assert_eq!(told_of(&[0x5c]), [(0x2000, 8, false)]);
    assert_eq!(told_of(&[0xc9]), [(0x3000, 8, false)]);
    assert_eq!(told_of(&[0x0f, 0x10, 0x03]), [(0x4000, 16, false)]);
    assert_eq!(told_of(&[0x64, 0x48, 0x8b, 0x0c, 0x25, 8, 0, 0, 0]), [(0x1008, 8, false)]);
    assert_eq!(told_of(&[0x48, 0x8b, 0x00]), [(0x900, 8, false)]);
    assert_eq!(told_of(&[0xad]), [(0x600, 4, false)]);
    assert_eq!(told_of(&[0xae]), [(0x800, 1, false)]);
    // fld qword ptr [rdi]; cvtsi2sd xmm0, [rdi]
    assert_eq!(told_of(&[0xdd, 0x07, 0xf2, 0x0f, 0x2a, 0x07]), [(0x800, 8, false), (0x800, 4, false)]);
    // mov [rdi], eax; lea rax, [rdi]; push rax; prefetcht0 [rdi]; nop [rdi]
    assert_eq!(told_of(&[0x89, 0x07, 0x48, 0x8d, 0x07, 0x50, 0x0f, 0x18, 0x0f, 0x0f, 0x1f, 0x07]), []);
}
