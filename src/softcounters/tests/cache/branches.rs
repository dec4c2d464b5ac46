//! Conditional branches that are evaluated instead of executed, against the processor.

use super::child::{Child, Stop};
use super::image::Image;
use super::random::Random;
use super::state::{self, DATA};
use crate::shim::cache::branch::Branch;

const BASE: u64 = 0x5555_5555_0000;
/// Bytes between the beginnings of two branches.
const SPACING: usize = 32;
const FLAGS: [u64; 5] = [0x1, 0x4, 0x40, 0x80, 0x800];

/// Every condition in both sizes, loops with both counters, and prefixes that mean nothing; forward, back, to itself.
fn branches() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for condition in 0..16u8 {
        all.extend([vec![0x70 | condition, 7], vec![0x70 | condition, 0xf9], vec![0x70 | condition, 0xfe]]);
        all.push(vec![0x0f, 0x80 | condition, 0x34, 0x12, 0, 0]);
        all.push(vec![0x0f, 0x80 | condition, 0, 0xff, 0xff, 0xff]);
        for prefix in [0x2e, 0x3e, 0x48, 0x67, 0xf2, 0xf3] {
            all.push(vec![prefix, 0x70 | condition, 5]);
        }
    }
    for opcode in 0xe0..=0xe3 {
        all.extend([vec![opcode, 9], vec![opcode, 0xfe], vec![0x67, opcode, 9]]);
    }
    all
}

#[test]
fn a_branch_that_is_evaluated_goes_where_the_processor_goes() {
    let branches = branches();
    let mut code = vec![0x90; branches.len() * SPACING];
    for (place, branch) in code.chunks_exact_mut(SPACING).zip(&branches) {
        place[..branch.len()].copy_from_slice(branch);
    }
    let image = Image::of_code(&code, BASE);
    let mut areas = vec![DATA];
    areas.extend(image.segments.iter().map(|(area, _)| *area));
    let mut child = Child::spawn(&areas);
    for (area, content) in &image.segments {
        child.memory_mut(area.address)[..area.length].copy_from_slice(content);
    }
    let mut random = Random(9);
    for (index, branch) in branches.iter().enumerate() {
        let rip = BASE + (index * SPACING) as u64;
        for combination in 0..32u64 {
            let mut registers = state::registers(&mut random, &[], rip);
            let chosen = FLAGS.iter().enumerate().filter(|(bit, _)| combination >> bit & 1 != 0);
            registers.eflags = 0x202 | chosen.map(|(_, flag)| flag).sum::<u64>();
            registers.rcx = match combination % 8 {
                0 => 0,
                1 => 1,
                2 => 1 << 32,
                3 => 1 << 32 | 1,
                _ => random.word(),
            };
            let before = Branch { rip, rcx: registers.rcx, flags: registers.eflags };
            let evaluated = before.execute(image.code(rip)).expect("a branch");
            child.set_registers(&registers);
            assert_eq!(child.step(), Stop::Stepped);
            let after = child.registers();
            assert_eq!(
                evaluated,
                Branch { rip: after.rip, rcx: after.rcx, flags: after.eflags },
                "{:x?} from {before:x?}",
                branch
            );
            // Nothing else changes.
            let expected = libc::user_regs_struct { rip: after.rip, rcx: after.rcx, ..registers };
            let general =
                |r: &libc::user_regs_struct| [r.rax, r.rbx, r.rdx, r.rsi, r.rdi, r.rbp, r.rsp, r.r11, r.eflags];
            assert_eq!(general(&after), general(&expected));
        }
    }
}

#[test]
fn what_is_no_branch_and_what_processors_do_not_agree_on_is_not_evaluated() {
    let at = |rip: u64| Branch { rip, rcx: 1, flags: 0x202 };
    // nop; jmp; call; jcc with 66, also with REX.W; loop with 66, loope with f2 and loopne with f3; lock jcc; xbegin;
    // ret; int3; cut off.
    let others: [&[u8]; 13] = [
        &[0x90],
        &[0xeb, 0],
        &[0xe8, 0, 0, 0, 0],
        &[0x66, 0x74, 0, 0, 0],
        &[0x66, 0x48, 0x74, 0],
        &[0x66, 0xe2, 0],
        &[0xf2, 0xe1, 0],
        &[0xf3, 0xe0, 0],
        &[0xf0, 0x74, 0],
        &[0xc7, 0xf8, 0, 0, 0, 0],
        &[0xc3],
        &[0xcc, 0x74, 0],
        &[0x0f, 0x84, 0, 0, 0],
    ];
    assert!(others.iter().all(|code| at(BASE).execute(code).is_none()));
    // jnz out of the addresses a program can have: the processor's fault.
    assert_eq!(at((1 << 47) - 4).execute(&[0x75, 0x7f]), None);
    assert!(at((1 << 47) - 4).execute(&[0x74, 0x7f]).is_some());
}
