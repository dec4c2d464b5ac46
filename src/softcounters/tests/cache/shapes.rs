//! Each kind of translation, executed from random states.

use super::image::Image;
use super::pair::{LOWERINGS, Mode, Pair};
use super::random::Random;
use super::state::{self, DATA};
use crate::shim::cache::block::Lowering;
use crate::shim::cache::count::MOST;

/// Where the code is: so near the data that a displacement reaches it.
const BASE: u64 = DATA.address + 0x10_0000;
/// What the relative operands name.
const OPERAND: u64 = DATA.address + 0x4040;
/// Bytes between the beginnings of two shapes.
const SPACING: usize = 32;
const STATES: u64 = 4;

/// Program code: some bytes, or some with a displacement to [`OPERAND`] in between.
enum Shape {
    Code(&'static [u8]),
    Operand(&'static [u8], &'static [u8]),
}

use Shape::{Code, Operand};

/// Transfers of control; a displacement of 1 skips a `nop`.
const TRANSFERS: &[&[u8]] = &[
    // jcc with prefixes that mean nothing: branch hints, bnd, rep, REX, address size, and 66 with REX.W
    &[0x2e, 0x74, 1],
    &[0x3e, 0x75, 1],
    &[0xf2, 0x72, 1],
    &[0xf3, 0x0f, 0x88, 1, 0, 0, 0],
    &[0x48, 0x7c, 1],
    &[0x67, 0x7f, 1],
    &[0x66, 0x48, 0x76, 1],
    // loopne, loope, loop, jrcxz, then with the 32-bit counter
    &[0xe0, 1],
    &[0xe1, 1],
    &[0xe2, 1],
    &[0xe3, 1],
    &[0x67, 0xe0, 1],
    &[0x67, 0xe1, 1],
    &[0x67, 0xe2, 1],
    &[0x67, 0xe3, 1],
    &[0xf2, 0xe2, 1],
    // loop to itself, jmp, call, call of what follows
    &[0xe2, 0xfe],
    &[0xeb, 1],
    &[0xe9, 1, 0, 0, 0],
    &[0x67, 0xe9, 1, 0, 0, 0],
    &[0xe8, 1, 0, 0, 0],
    &[0xe8, 0, 0, 0, 0, 0x58],
    &[0x66, 0x48, 0xe8, 1, 0, 0, 0],
    &[0x67, 0xe8, 1, 0, 0, 0],
    // loops of one block: dec ecx; jnz – with a byte loaded, with a comparison in memory, with a register that is
    // spilled
    &[0xff, 0xc9, 0x75, 0xfc],
    &[0xac, 0xff, 0xc9, 0x0f, 0x85, 0xf7, 0xff, 0xff, 0xff],
    &[0x48, 0xff, 0xc6, 0x80, 0x3e, 0, 0x75, 0xf8],
    &[0x48, 0xff, 0xc1, 0x3a, 0x01, 0x7f, 0xf9],
    &[0x50, 0xff, 0xc8, 0x7a, 0xfb],
    // jcc to itself, loop over eight instructions and over nine
    &[0x74, 0xfe],
    &[0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xfe, 0xc9, 0x79, 0xf6],
    &[0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xfe, 0xc9, 0x79, 0xf5],
    // and rbx, -64; mov eax, 2 or 3; xor edx, edx; xsave, xsave64, xsavec [rbx], after fld1, too; xsave [rdx]
    &[0x48, 0x83, 0xe3, 0xc0, 0xb8, 2, 0, 0, 0, 0x31, 0xd2, 0x0f, 0xae, 0x23],
    &[0x48, 0x83, 0xe3, 0xc0, 0xb8, 3, 0, 0, 0, 0x31, 0xd2, 0x48, 0x0f, 0xae, 0x23],
    &[0x48, 0x83, 0xe3, 0xc0, 0xb8, 2, 0, 0, 0, 0x31, 0xd2, 0x0f, 0xc7, 0x23],
    &[0xd9, 0xe8, 0x48, 0x83, 0xe3, 0xc0, 0xb8, 3, 0, 0, 0, 0x31, 0xd2, 0x0f, 0xae, 0x23],
    &[0x0f, 0xae, 0x22],
    // fxsave64 at [rcx], [rsp - 0x200], [r12 + rcx], [r13 + 16] after and with -16; with fld1 and finit before;
    // unaligned
    &[0x48, 0x83, 0xe1, 0xf0, 0x48, 0x0f, 0xae, 0x01],
    &[0x48, 0x83, 0xe4, 0xf0, 0x48, 0x0f, 0xae, 0x84, 0x24, 0, 0xfe, 0xff, 0xff],
    &[0x31, 0xc9, 0x49, 0x83, 0xe4, 0xf0, 0x49, 0x0f, 0xae, 0x04, 0x0c],
    &[0x49, 0x83, 0xe5, 0xf0, 0x49, 0x0f, 0xae, 0x45, 0x10],
    &[0xd9, 0xe8, 0x48, 0x83, 0xe3, 0xf0, 0x48, 0x0f, 0xae, 0x03],
    &[0xdb, 0xe3, 0x48, 0x83, 0xe3, 0xf0, 0x48, 0x0f, 0xae, 0x03],
    &[0x48, 0x0f, 0xae, 0x02],
    // fxsave [rbx], after fld1 and without
    &[0xd9, 0xe8, 0x48, 0x83, 0xe3, 0xf0, 0x0f, 0xae, 0x03],
    &[0x48, 0x83, 0xe3, 0xf0, 0x0f, 0xae, 0x03],
    // fxsave64 [rbx] while an exception is pending: finit; fldcw of all unmasked; fldz; fdiv st, st before. Only then
    // does every processor tell where the last instruction was
    &[0xdb, 0xe3, 0x6a, 0x40, 0xd9, 0x2c, 0x24, 0xd9, 0xee, 0xd8, 0xf0, 0x48, 0x83, 0xe3, 0xf0, 0x48, 0x0f, 0xae, 0x03],
    // ret, with immediates, with prefixes
    &[0xc3],
    &[0xc2, 0x10, 0],
    &[0xc2, 0xf8, 0xff],
    &[0xf3, 0xc3],
    &[0xf2, 0xc3],
    &[0x48, 0xc3],
    // call and jmp through registers, among them rcx, rsp, r12
    &[0xff, 0xd0],
    &[0xff, 0xd1],
    &[0xff, 0xd4],
    &[0x41, 0xff, 0xd4],
    &[0x41, 0xff, 0xd1],
    &[0x48, 0xff, 0xd3],
    &[0xff, 0xe0],
    &[0xff, 0xe1],
    &[0xff, 0xe4],
    &[0x3e, 0xff, 0xe2],
    &[0xf2, 0xff, 0xd3],
    &[0x41, 0xff, 0xe5],
    // through memory: [rsp], [rsp + 8], [rsp - 8], [rcx], [rcx + rcx * 8], [rax + rcx * 8 + 16], [r12 + r9], [r13]
    &[0xff, 0x14, 0x24],
    &[0xff, 0x54, 0x24, 8],
    &[0xff, 0x54, 0x24, 0xf8],
    &[0xff, 0x11],
    &[0xff, 0x14, 0xc9],
    &[0xff, 0x54, 0xc8, 0x10],
    &[0x43, 0xff, 0x14, 0x0c],
    &[0x41, 0xff, 0x55, 0],
    &[0xff, 0x24, 0x24],
    &[0xff, 0x64, 0x24, 8],
    &[0xff, 0x21],
    &[0xff, 0x64, 0xc8, 0x10],
    // fs:[16], fs:[rcx], [eax]
    &[0x64, 0xff, 0x14, 0x25, 0x10, 0, 0, 0],
    &[0x64, 0xff, 0x24, 0x25, 0x18, 0, 0, 0],
    &[0x64, 0xff, 0x11],
    &[0x67, 0xff, 0x10],
];

/// Instructions with an operand relative to rip, before and after its displacement.
const OPERANDS: &[(&[u8], &[u8])] = &[
    // call, jmp, also with segments
    (&[0xff, 0x15], &[]),
    (&[0xff, 0x25], &[]),
    (&[0x66, 0x48, 0xff, 0x15], &[]),
    (&[0xf2, 0xff, 0x25], &[]),
    (&[0x3e, 0xff, 0x15], &[]),
    (&[0x65, 0xff, 0x15], &[]),
    // mov of all sizes, of registers that are spilled and high bytes
    (&[0x48, 0x8b, 0x05], &[]),
    (&[0x48, 0x8b, 0x0d], &[]),
    (&[0x48, 0x8b, 0x35], &[]),
    (&[0x48, 0x8b, 0x3d], &[]),
    (&[0x48, 0x8b, 0x25], &[]),
    (&[0x4c, 0x8b, 0x35], &[]),
    (&[0x4f, 0x8b, 0x3d], &[]),
    (&[0x8b, 0x1d], &[]),
    (&[0x66, 0x8b, 0x35], &[]),
    (&[0x8a, 0x35], &[]),
    (&[0x8a, 0x3d], &[]),
    (&[0x40, 0x8a, 0x35], &[]),
    (&[0x48, 0x89, 0x35], &[]),
    (&[0x48, 0x89, 0x3d], &[]),
    (&[0x4c, 0x89, 0x3d], &[]),
    (&[0x89, 0x25], &[]),
    (&[0x88, 0x3d], &[]),
    (&[0xc6, 0x05], &[0x5a]),
    (&[0x66, 0xc7, 0x05], &[0x5a, 0xa5]),
    (&[0x48, 0xc7, 0x05], &[1, 2, 3, 0x84]),
    (&[0x81, 0x3d], &[1, 2, 3, 4]),
    (&[0x48, 0x83, 0x05], &[0x81]),
    (&[0x80, 0x25], &[0x0f]),
    (&[0x64, 0x48, 0x8b, 0x05], &[]),
    // movsxd, movzx, imul, xchg, lock xadd, lock cmpxchg, cmpxchg16b, bt with imm, btc, shld, crc32, movbe
    (&[0x48, 0x63, 0x35], &[]),
    (&[0x0f, 0xb6, 0x3d], &[]),
    (&[0x48, 0x69, 0x3d], &[1, 2, 3, 4]),
    (&[0x48, 0x6b, 0x35], &[0x77]),
    (&[0x48, 0x87, 0x35], &[]),
    (&[0xf0, 0x48, 0x0f, 0xc1, 0x3d], &[]),
    (&[0xf0, 0x48, 0x0f, 0xb1, 0x35], &[]),
    (&[0xf0, 0x48, 0x0f, 0xc7, 0x0d], &[]),
    (&[0x0f, 0xc7, 0x0d], &[]),
    (&[0x48, 0x0f, 0xba, 0x25], &[0x25]),
    (&[0x48, 0x0f, 0xbb, 0x3d], &[]),
    (&[0x48, 0x0f, 0xa4, 0x35], &[3]),
    (&[0xf2, 0x48, 0x0f, 0x38, 0xf1, 0x35], &[]),
    (&[0x48, 0x0f, 0x38, 0xf0, 0x3d], &[]),
    // mul, div, neg, inc, shifts by 1, imm, cl, push, pop, setc, cmovc, test imm
    (&[0x48, 0xf7, 0x25], &[]),
    (&[0x48, 0xf7, 0x35], &[]),
    (&[0xf7, 0x1d], &[]),
    (&[0xff, 0x05], &[]),
    (&[0xd1, 0x25], &[]),
    (&[0xc1, 0x3d], &[5]),
    (&[0xd3, 0x2d], &[]),
    (&[0xff, 0x35], &[]),
    (&[0x8f, 0x05], &[]),
    (&[0x0f, 0x92, 0x05], &[]),
    (&[0x48, 0x0f, 0x42, 0x35], &[]),
    (&[0xf7, 0x05], &[1, 2, 3, 4]),
    // x87: fld, fild, fistp, fadd; ldmxcsr, stmxcsr
    (&[0xdb, 0x2d], &[]),
    (&[0xdf, 0x2d], &[]),
    (&[0xdf, 0x3d], &[]),
    (&[0xd8, 0x05], &[]),
    (&[0x0f, 0xae, 0x1d], &[]),
    // SSE: movups, movdqa, addsd, ucomisd, pshufd, pinsrq, cvtsi2sd, movq to memory, pcmpestri
    (&[0x0f, 0x10, 0x3d], &[]),
    (&[0x66, 0x44, 0x0f, 0x6f, 0x35], &[]),
    (&[0xf2, 0x0f, 0x58, 0x35], &[]),
    (&[0x66, 0x0f, 0x2e, 0x3d], &[]),
    (&[0x66, 0x0f, 0x70, 0x0d], &[0x1b]),
    (&[0x66, 0x48, 0x0f, 0x3a, 0x22, 0x35], &[1]),
    (&[0xf2, 0x48, 0x0f, 0x2a, 0x05], &[]),
    (&[0x66, 0x0f, 0xd6, 0x35], &[]),
    (&[0x66, 0x0f, 0x3a, 0x61, 0x05], &[0x0c]),
    // AVX, two and three byte VEX: vmovdqu, vaddpd, vpshufb, vblendvpd, vextracti128, vbroadcastsd
    (&[0xc5, 0xfe, 0x6f, 0x35], &[]),
    (&[0xc5, 0xcd, 0x58, 0x3d], &[]),
    (&[0xc4, 0xe2, 0x45, 0x00, 0x35], &[]),
    (&[0xc4, 0xe3, 0x4d, 0x4b, 0x3d], &[0x50]),
    (&[0xc4, 0xe3, 0x7d, 0x39, 0x35], &[1]),
    (&[0xc4, 0x62, 0x7d, 0x19, 0x3d], &[]),
    // BMI: andn rsi, rdi, m; andn rdi, rsi, m; andn rbx, rsi, m; mulx rsi, rdi, m; rorx; bextr rdi, m, rsi; pdep; blsr
    (&[0xc4, 0xe2, 0xc0, 0xf2, 0x35], &[]),
    (&[0xc4, 0xe2, 0xc8, 0xf2, 0x3d], &[]),
    (&[0xc4, 0xe2, 0xc8, 0xf2, 0x1d], &[]),
    (&[0xc4, 0xe2, 0xc3, 0xf6, 0x35], &[]),
    (&[0xc4, 0xe3, 0xfb, 0xf0, 0x3d], &[7]),
    (&[0xc4, 0xe2, 0xc8, 0xf7, 0x3d], &[]),
    (&[0xc4, 0xe2, 0xcb, 0xf5, 0x3d], &[]),
    (&[0xc4, 0xe2, 0xc0, 0xf3, 0x0d], &[]),
    // a loop with an operand relative to rip: add edx, m; dec cl; jnz
    (&[0x03, 0x15], &[0xfe, 0xc9, 0x75, 0xf6]),
    // AVX-512: vmovdqu64 zmm, zmm31 with mask, vaddpd with broadcast, vpternlogq, vmovupd to memory, vpcmpeqb to mask
    (&[0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x35], &[]),
    (&[0x62, 0x61, 0xfe, 0xcb, 0x6f, 0x3d], &[]),
    (&[0x62, 0xf1, 0xcd, 0x58, 0x58, 0x3d], &[]),
    (&[0x62, 0xf3, 0xcd, 0x48, 0x25, 0x3d], &[0x96]),
    (&[0x62, 0xf1, 0xfd, 0x48, 0x11, 0x35], &[]),
    (&[0x62, 0xf1, 0x4d, 0x48, 0x74, 0x0d], &[]),
    // lea: 16, 32 and 64 bits, upper registers
    (&[0x48, 0x8d, 0x35], &[]),
    (&[0x4c, 0x8d, 0x25], &[]),
    (&[0x8d, 0x3d], &[]),
    (&[0x44, 0x8d, 0x0d], &[]),
    (&[0x66, 0x8d, 0x05], &[]),
    (&[0x66, 0x44, 0x8d, 0x05], &[]),
];

/// Copied instructions that do something particular to the stack, to flags or to registers implied.
const COPIES: &[&[u8]] = &[
    // push rsp, pop rsp, push [rsp], pop [rsp], pop [rsp + 8], pushf, enter, leave
    &[0x54],
    &[0x5c],
    &[0xff, 0x34, 0x24],
    &[0x8f, 0x04, 0x24],
    &[0x8f, 0x44, 0x24, 8],
    &[0x9c],
    &[0x66, 0x9c],
    &[0xc8, 0x20, 0, 0],
    &[0xc8, 0x10, 0, 1],
    &[0xc9],
    // lahf, sahf, xlat, mov al, moffs, rep movsb, repne scasb, std, cld, cmc
    &[0x9f],
    &[0x9e],
    &[0xd7],
    &[0xa0, 0, 0x20, 0, 0, 0, 0x20, 0, 0],
    &[0xf3, 0xa4],
    &[0xf2, 0xae],
    &[0xfd],
    &[0xfc],
    &[0xf5],
    // xgetbv, rdfsbase, wrgsbase, mov from fs, vzeroupper, gathers, fstp, faults: ud by lock, div, misaligned movaps
    &[0x0f, 0x01, 0xd0],
    &[0xf3, 0x48, 0x0f, 0xae, 0xc0],
    &[0xf3, 0x48, 0x0f, 0xae, 0xcb],
    &[0x8c, 0xe0],
    &[0xc5, 0xf8, 0x77],
    &[0xc4, 0xe2, 0xf5, 0x93, 0x04, 0x10],
    &[0x62, 0xf2, 0xfd, 0x49, 0x93, 0x04, 0x10],
    &[0xdb, 0x38],
    &[0xf0, 0x01, 0xc0],
    &[0x48, 0xf7, 0xf1],
    &[0x0f, 0x28, 0x03],
];

fn shapes() -> Vec<Shape> {
    let transfers = TRANSFERS.iter().chain(COPIES).map(|code| Code(code));
    let operands = OPERANDS.iter().map(|(before, after)| Operand(before, after));
    transfers.chain(operands).collect()
}

/// The shapes one after the other, each followed by a `nop` to skip and what ends a block.
fn assemble(shapes: &[Shape]) -> Vec<u8> {
    let mut code = Vec::new();
    for (index, shape) in shapes.iter().enumerate() {
        match shape {
            Code(bytes) => code.extend_from_slice(bytes),
            Operand(before, after) => {
                code.extend_from_slice(before);
                let next = BASE + (code.len() + 4 + after.len()) as u64;
                code.extend_from_slice(&(OPERAND.wrapping_sub(next) as u32).to_le_bytes());
                code.extend_from_slice(after);
            }
        }
        code.extend_from_slice(&[0x90, 0x90]);
        code.resize((index + 1) * SPACING, 0xcc);
    }
    code
}

#[test]
fn every_shape_does_what_it_does_natively() {
    let shapes = shapes();
    let mut pair = Pair::new(Image::of_code(&assemble(&shapes), BASE));
    let mut random = Random(2);
    let starts: Vec<u64> = (0..shapes.len()).map(|index| BASE + (index * SPACING) as u64).collect();
    let mut extended = pair.extended_state();
    let modes = [Mode::Alone, Mode::Rolled, Mode::Linked];
    for (mode, lowering) in modes.into_iter().flat_map(|mode| LOWERINGS.map(|lowering| (mode, lowering))) {
        pair.lower(lowering);
        for round in 0..STATES {
            pair.set_data(&state::data(&mut random, &starts));
            for (start, shape) in starts.iter().zip(&shapes) {
                state::randomise(&mut extended, &mut random);
                let registers = state::registers(&mut random, &starts, *start);
                let remaining = if round % 4 == 0 { 1 } else { random.below(64) + 1 };
                let before = pair.stays;
                if let Err(difference) = pair.run(&registers, &extended, remaining, mode, 3) {
                    let (Code(bytes) | Operand(bytes, _)) = shape;
                    panic!("{bytes:02x?}: {difference}");
                }
                assert!(pair.stays > before, "no translation for a shape");
            }
        }
    }
    let ends: Vec<&str> = pair.ends.iter().copied().collect();
    assert_eq!(ends, ["bad target", "fault", "gone", "native", "overflow", "spent", "step"]);
}

#[test]
fn every_condition_with_all_flags() {
    const FLAGS: [u64; 5] = [1 << 0, 1 << 2, 1 << 6, 1 << 7, 1 << 11];
    let code: Vec<u8> = (0..16).flat_map(|condition| [0x70 | condition, 1, 0x90, 0xcc]).collect();
    let mut pair = Pair::new(Image::of_code(&code, BASE));
    let extended = pair.extended_state();
    let mut random = Random(3);
    for (condition, lowering) in (0..16).flat_map(|condition| LOWERINGS.map(|lowering| (condition, lowering))) {
        pair.lower(lowering);
        let mut registers = state::registers(&mut random, &[], BASE + condition * 4);
        for combination in 0..32u64 {
            let chosen = FLAGS.iter().enumerate().filter(|(index, _)| combination >> index & 1 != 0);
            registers.eflags = 0x202 | chosen.map(|(_, flag)| flag).sum::<u64>();
            pair.run(&registers, &extended, 2, Mode::Alone, 1).unwrap();
        }
    }
    // The branch each time, and the `nop` when it is not taken, which it is in half of the cases.
    assert_eq!(pair.instructions, LOWERINGS.len() as u64 * (16 * 32 + 16 * 32 / 2));
}

#[test]
fn a_loop_stops_before_whichever_branch_is_due() {
    // add edx, [rsi]; dec rcx; jnz; nop
    let code = [0x03, 0x16, 0x48, 0xff, 0xc9, 0x75, 0xf9, 0x90, 0xcc];
    let mut pair = Pair::new(Image::of_code(&code, BASE));
    let extended = pair.extended_state();
    let mut random = Random(5);
    let mut registers = state::registers(&mut random, &[], BASE);
    registers.rsi = DATA.address;
    for (mode, lowering) in [Mode::Alone, Mode::Rolled].into_iter().flat_map(|mode| LOWERINGS.map(|way| (mode, way))) {
        pair.lower(lowering);
        for rounds in [1, 2, 7, 8, 9, 10, 16, 17, 18] {
            for remaining in 1..=20 {
                registers.rcx = rounds;
                let before = (pair.instructions, pair.stays);
                pair.run(&registers, &extended, remaining, mode, 1).unwrap();
                let executed = match lowering {
                    // The copies are begun while there are more branches left than copies.
                    Lowering::AtExits if rounds > (remaining - 1) / 8 * 8 => (remaining - 1) / 8 * 8 * 3,
                    Lowering::AtExits => rounds * 3 + 1,
                    // Each round is left, and the block is entered anew.
                    Lowering::ByBranch if remaining > 1 && rounds > 1 => 3,
                    _ if remaining > rounds => rounds * 3 + 1,
                    _ => remaining * 3 - 1,
                };
                assert_eq!(
                    pair.instructions - before.0,
                    executed,
                    "{rounds} rounds, {remaining} branches to go, {lowering:?}"
                );
                assert_eq!(pair.stays - before.1, 1);
            }
        }
    }
}

#[test]
fn a_loop_lowers_the_count_once_for_several_rounds_however_much_is_lent() {
    // dec rcx; jnz; int3
    let mut pair = Pair::new(Image::of_code(&[0x48, 0xff, 0xc9, 0x75, 0xfb, 0xcc], BASE));
    let mut registers = state::registers(&mut Random(6), &[], BASE);
    registers.rcx = 64;
    let few = pair.cost(&registers, 1000);
    assert!(few < 64 * 4, "{few} instructions for 64 rounds");
    assert_eq!(pair.cost(&registers, MOST), few);
}

#[test]
fn the_dispatcher_finds_what_is_in_the_table() {
    // call [rsi]; nop; int3 … and the function: ret 8
    let code = [0xff, 0x16, 0x90, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xc2, 8, 0];
    let mut pair = Pair::new(Image::of_code(&code, BASE));
    let extended = pair.extended_state();
    let mut random = Random(4);
    let mut data = state::data(&mut random, &[]);
    data[0x40..0x48].copy_from_slice(&(BASE + 8).to_le_bytes());
    pair.set_data(&data);
    let mut registers = state::registers(&mut random, &[], BASE);
    registers.rsi = DATA.address + 0x40;
    let mut stays = Vec::new();
    for _ in 0..3 {
        let before = pair.stays;
        pair.run(&registers, &extended, 1, Mode::Linked, 8).unwrap();
        stays.push(pair.stays - before);
    }
    // The call, the return and what follows, one after the other; then all at once.
    assert_eq!(stays, [3, 1, 1]);
}
