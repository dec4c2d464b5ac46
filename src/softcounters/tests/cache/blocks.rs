//! What blocks look like: where they end, and that they are well formed whatever the code.

use super::random::Random;
use crate::shim::cache::block::{Exit, Fixup, Lowering, Spill, Translation};
use crate::shim::cache::class::{Class, classify};
use crate::shim::cache::insn::decode;
use crate::shim::cache::layout::{REGION, slot};
use crate::shim::cache::site::Sites;
use crate::shim::cache::translate::{MAX_NEEDED, MAX_SOURCE, translate, translate_with};

const ADDRESS: u64 = 0x5555_5555_5000;

fn class(code: &[u8]) -> Option<Class> {
    decode(code).map(|insn| classify(&insn))
}

#[test]
fn native_instructions() {
    let native: &[&[u8]] = &[
        // syscall, sysenter, int 0x80, int3, int1, iretq, hlt, cli, in, out, insb, outsd, fwait
        &[0x0f, 0x05],
        &[0x0f, 0x34],
        &[0xcd, 0x80],
        &[0xcc],
        &[0xf1],
        &[0x48, 0xcf],
        &[0xf4],
        &[0xfa],
        &[0xe4, 1],
        &[0xee],
        &[0x6c],
        &[0xf3, 0x6f],
        &[0x9b],
        // far ret, call, jmp; mov ss, eax; pop fs; lss
        &[0xcb],
        &[0xff, 0x18],
        &[0xff, 0x28],
        &[0x8e, 0xd0],
        &[0x0f, 0xa1],
        &[0x0f, 0xb2, 0x00],
        // 16-bit branches, branches with lock, relative operands with 32-bit addresses
        &[0x66, 0x74, 0],
        &[0x66, 0x0f, 0x84, 0, 0, 0, 0],
        &[0x66, 0xe2, 0],
        &[0x66, 0xe9, 0, 0, 0, 0],
        &[0x66, 0xe8, 0, 0, 0, 0],
        &[0x66, 0xc3],
        &[0x66, 0xff, 0xe0],
        &[0xf0, 0x74, 0],
        &[0xf0, 0xff, 0x20],
        &[0x67, 0x8b, 0x05, 0, 0, 0, 0],
        &[0x67, 0x8d, 0x05, 0, 0, 0, 0],
        &[0x67, 0xff, 0x25, 0, 0, 0, 0],
        // fnstenv, fnsave, also relative to rip; fxsave, xsave, xsavec relative to rip; fnstenv, xsave, xsaveopt with
        // prefixes; xsaves
        &[0xd9, 0x35, 0, 0, 0, 0],
        &[0xdd, 0x35, 0, 0, 0, 0],
        &[0xd9, 0x30],
        &[0xdd, 0x30],
        &[0x0f, 0xae, 0x05, 0, 0, 0, 0],
        &[0x0f, 0xae, 0x25, 0, 0, 0, 0],
        &[0x0f, 0xc7, 0x25, 0, 0, 0, 0],
        &[0x66, 0xd9, 0x30],
        &[0x66, 0x0f, 0xae, 0x20],
        &[0xf3, 0x0f, 0xae, 0x30],
        &[0x48, 0x0f, 0xc7, 0x28],
        // rdpmc, rdmsr, mov cr0, ud2, sgdt, vmcall, swapgs, xbegin, xend, xabort, umwait, tpause, umonitor
        &[0x0f, 0x33],
        &[0x0f, 0x32],
        &[0x0f, 0x20, 0xc0],
        &[0x0f, 0x0b],
        &[0x0f, 0x01, 0x00],
        &[0x0f, 0x01, 0xc1],
        &[0x0f, 0x01, 0xf8],
        &[0xc7, 0xf8, 0, 0, 0, 0],
        &[0x0f, 0x01, 0xd5],
        &[0xc6, 0xf8, 0],
        &[0xf2, 0x0f, 0xae, 0xf0],
        &[0x66, 0x0f, 0xae, 0xf0],
        &[0xf3, 0x0f, 0xae, 0xf0],
        // rdrand, rdseed
        &[0x0f, 0xc7, 0xf0],
        &[0x48, 0x0f, 0xc7, 0xf9],
    ];
    for code in native {
        assert_eq!(class(code), Some(Class::Native), "{code:02x?}");
        assert_eq!(translate(code, ADDRESS, false).map(|translation| translation.code), None, "{code:02x?}");
    }
}

#[test]
fn instructions_that_are_native_at_times() {
    // fxsave, xsave, xsaveopt, xsavec, also with REX.W and with a segment
    let saves: [&[u8]; 6] = [
        &[0x0f, 0xae, 0x00],
        &[0x48, 0x0f, 0xae, 0x00],
        &[0x0f, 0xae, 0x20],
        &[0x0f, 0xae, 0x30],
        &[0x48, 0x0f, 0xc7, 0x64, 0x24, 0x40],
        &[0x65, 0x0f, 0xae, 0x20],
    ];
    for code in saves {
        assert_eq!(class(code), Some(Class::SaveX87), "{code:02x?}");
    }
}

#[test]
fn instructions_that_look_like_native_ones() {
    let ordinary: &[&[u8]] = &[
        // lfence, mfence, sfence, clflush, clflushopt, clwb, ldmxcsr, stmxcsr, fxrstor, xrstor, rdfsbase, wrgsbase
        &[0x0f, 0xae, 0xe8],
        &[0x0f, 0xae, 0xf0],
        &[0x0f, 0xae, 0xf8],
        &[0x0f, 0xae, 0x38],
        &[0x66, 0x0f, 0xae, 0x38],
        &[0x66, 0x0f, 0xae, 0x30],
        &[0x0f, 0xae, 0x10],
        &[0x0f, 0xae, 0x18],
        &[0x0f, 0xae, 0x08],
        &[0x0f, 0xae, 0x28],
        &[0xf3, 0x0f, 0xae, 0xc0],
        &[0xf3, 0x48, 0x0f, 0xae, 0xd8],
        // cmpxchg16b, rdpid, xgetbv, xtest, wrpkru, endbr64, fldenv, fnstcw, pushf, popf, mov eax, ss
        &[0x48, 0x0f, 0xc7, 0x08],
        &[0xf3, 0x0f, 0xc7, 0xf8],
        &[0x0f, 0x01, 0xd0],
        &[0x0f, 0x01, 0xd6],
        &[0x0f, 0x01, 0xef],
        &[0xf3, 0x0f, 0x1e, 0xfa],
        &[0xd9, 0x20],
        &[0xd9, 0x38],
        &[0x9c],
        &[0x9d],
        &[0x8c, 0xd0],
    ];
    for code in ordinary {
        assert_eq!(class(code), Some(Class::Ordinary), "{code:02x?}");
    }
}

#[test]
fn instructions_not_known() {
    // push es; aam; XOP; FMA4; 3DNow!; APX (REX2, EVEX map 4); REX before a prefix; VEX after one; cut off; too long
    let unknown: &[&[u8]] = &[
        &[0x06],
        &[0xd4, 0x0a],
        &[0x8f, 0xe8, 0x78, 0xc0, 0xc1, 1],
        &[0xc4, 0xe3, 0x71, 0x69, 0xc2, 0x30],
        &[0x0f, 0x0f, 0xc1, 0x9e],
        &[0xd5, 0x18, 0x89, 0xc0],
        &[0x62, 0xf4, 0x7c, 0x18, 0x01, 0xc0],
        &[0x48, 0x66, 0x89, 0xc0],
        &[0x66, 0xc5, 0xf8, 0x77],
        &[0x48, 0x8b, 0x05, 0, 0, 0],
        &[0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x90],
        &[],
    ];
    for code in unknown {
        assert_eq!(class(code), None, "{code:02x?}");
        assert!(translate(code, ADDRESS, false).is_none(), "{code:02x?}");
    }
}

#[test]
fn a_block_ends_after_so_many_instructions_or_bytes() {
    let direct = |translation: &Translation| match translation.exits[..] {
        [Exit::Direct { target, .. }] => target,
        ref exits => panic!("{exits:?}"),
    };
    let short = translate(&[0x90; 300], ADDRESS, false).unwrap();
    assert_eq!((short.source_length, direct(&short)), (48, ADDRESS + 48));
    // mov rax, imm64: 25 of them fit.
    let long = [0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0].repeat(30);
    let long = translate(&long, ADDRESS, false).unwrap();
    assert_eq!((long.source_length, direct(&long)), (250, ADDRESS + 250));
    // The end of what may be translated.
    let cut = translate(&[0x90; 5], ADDRESS, false).unwrap();
    assert_eq!((cut.source_length, direct(&cut)), (5, ADDRESS + 5));
}

#[test]
fn a_block_includes_the_native_instruction_at_its_end() {
    // nop; syscall – nop; int3 – nop and the beginning of an instruction
    for (code, length) in [(&[0x90, 0x0f, 0x05, 0x90][..], 3), (&[0x90, 0xcc, 0x90], 2), (&[0x90, 0x48, 0x8b], 3)] {
        let translation = translate(code, ADDRESS, false).unwrap();
        assert_eq!(translation.source_length, length);
        assert_eq!(translation.exits, [Exit::Native { address: ADDRESS + 1 }]);
    }
}

#[test]
fn a_branch_to_where_no_program_can_be_is_native() {
    let last = (1 << 47) - 0x1000;
    assert!(translate(&[0xe9, 0, 0x10, 0, 0], last, false).is_none());
    assert!(translate(&[0x0f, 0x84, 0, 0x10, 0, 0], last, false).is_none());
    assert!(translate(&[0xe9, 0, 0, 0, 0], last, false).is_some());
    assert!(translate(&[0xe8, 0, 0, 0, 0x80], 0x1000, false).is_none());
}

#[test]
fn calls_name_their_return_addresses() {
    let call = translate(&[0x90, 0xe8, 0x10, 0, 0, 0, 0x90], ADDRESS, false).unwrap();
    assert_eq!(call.returns, [ADDRESS + 6]);
    assert!(matches!(call.exits[..], [Exit::Direct { target, .. }] if target == ADDRESS + 0x16));
    assert_eq!(call.source_length, 6);
}

/// Where a thread may be killed.
struct Places(Translation);

impl Places {
    /// Where this code is, from an offset on.
    fn at(&self, code: &[u8], from: usize) -> usize {
        from + self.0.code[from..].windows(code.len()).position(|found| found == code).unwrap()
    }

    /// What a thread there owes, the address it stands at, and whether its rcx is in the slot.
    fn state(&self, offset: usize) -> (i32, u64, Option<Spill>) {
        let offset = offset as u32;
        let point = self.0.points.iter().rfind(|point| point.offset <= offset).unwrap();
        let turn = self.0.turns.iter().rfind(|turn| turn.offset <= offset && turn.offset > point.offset);
        let (owed, address) = turn.map_or((point.owed, point.address), |turn| (turn.owed, turn.address));
        (owed, address, point.spill.filter(|_| point.offset != offset))
    }
}

/// Encodes `mov [slot], rcx` or the opposite.
fn mov_rcx(opcode: u8, offset: u64) -> Vec<u8> {
    [&[0x48, opcode, 0x0c, 0x25][..], &((REGION + offset) as u32).to_le_bytes()].concat()
}

/// `mov dword [EXIT], imm32; jmp rel32`
const LEAVES: usize = 11 + 5;

/// A thread may be killed at any instruction, between the lowering of the count and the exit that says it is used up,
/// too.
#[test]
fn a_branch_that_is_counted_and_not_executed_is_owed_up_to_the_exit() {
    // nop; jz +2
    let code = [0x90, 0x74, 2, 0xc3];
    let translation = translate_with(&code, ADDRESS, false, &Sites::default(), false, Lowering::ByBranch).unwrap();
    let (store, load) = (mov_rcx(0x89, slot::COUNT), mov_rcx(0x8b, slot::RCX));
    let places = Places(translation);
    let lowered = places.at(&store, 0) + store.len();
    let goes_on = places.at(&load, lowered);
    let leaves = places.at(&load, goes_on + 1);
    let branch = ADDRESS + 1;
    assert_eq!(places.state(lowered - 1), (0, branch, Some(Spill::Rcx)));
    for offset in (lowered..=goes_on).chain(leaves..leaves + load.len()) {
        assert_eq!(places.state(offset), (1, branch, Some(Spill::Rcx)), "{offset}");
    }
    for offset in leaves + load.len()..leaves + load.len() + LEAVES {
        assert_eq!(places.state(offset), (1, branch, None), "{offset}");
    }
    let overflow = places.0.exits.iter().position(|exit| *exit == Exit::Overflow { address: branch }).unwrap();
    assert_eq!(places.0.owed[overflow], 1);
}

/// Branches that are executed are owed until the count is lowered.
#[test]
fn branches_are_owed_up_to_where_the_block_is_left() {
    // nop; jz +7; jc +5; nop; int3
    let code = [0x90, 0x74, 7, 0x72, 5, 0x90, 0xcc, 0x90];
    let places = Places(translate(&code, ADDRESS, false).unwrap());
    // jz rel32, jc rel32
    let (first, second) = (places.at(&[0x0f, 0x84], 0), places.at(&[0x0f, 0x82], 0));
    let state = |offset: usize| places.state(offset);
    assert_eq!([state(0).0, state(first).0, state(second).0, state(second + 6).0], [0, 0, -1, -2]);
    assert_eq!(state(second + 6).1, ADDRESS + 5);
    assert_eq!(places.0.exits[0], Exit::Native { address: ADDRESS + 6 });
    assert_eq!(places.0.owed[0], -2);
    let (store, load) = (mov_rcx(0x89, slot::COUNT), mov_rcx(0x8b, slot::RCX));
    let mut from = second;
    for owed in [-1, -2] {
        let target = ADDRESS + 10;
        let lowered = places.at(&store, from) + store.len();
        let goes_on = places.at(&load, lowered);
        assert_eq!(state(lowered - 1), (owed, target, Some(Spill::Rcx)));
        assert_eq!(state(lowered), (0, target, Some(Spill::Rcx)));
        assert_eq!(state(goes_on + load.len()), (0, target, None));
        from = goes_on;
    }
    for (exit, owed) in places.0.exits.iter().zip(&places.0.owed).skip(1) {
        assert!(matches!(exit, Exit::Direct { .. }) && *owed == 0, "{exit:?}");
    }
}

#[test]
fn every_block_is_well_formed() {
    let mut random = Random(7);
    let mut made = 0;
    for _ in 0..20_000 {
        // Bytes at will, with branches more often than chance would have them.
        let mut code: Vec<u8> = (0..MAX_NEEDED / 8 + 1).flat_map(|_| random.word().to_le_bytes()).collect();
        for _ in 0..random.below(30) {
            let at = random.below(code.len() as u64) as usize;
            code[at] = [0x74, 0xeb, 0xe8, 0xc3, 0xe2, 0xff, 0x0f, 0x48, 0x90][random.below(9) as usize];
        }
        code.truncate(random.below(code.len() as u64 + 1) as usize);
        let Some(translation) = translate(&code, ADDRESS, random.once_in(3)) else { continue };
        made += 1;
        let size = translation.code.len() as u32;
        assert!(size >= 8);
        assert!((1..=(MAX_SOURCE + 15) as u32).contains(&translation.source_length));
        assert!(translation.source_length as usize <= code.len());
        assert_eq!((translation.points[0].offset, translation.points[0].address), (0, ADDRESS));
        assert!(translation.points.is_sorted_by(|one, next| one.offset < next.offset));
        assert!(translation.points.iter().all(|point| point.offset < size));
        let fields = translation.fixups.iter().map(|fixup| match *fixup {
            Fixup::CommonExit(field) | Fixup::Dispatcher(field) | Fixup::Counter { offset: field, .. } => field,
            Fixup::ExitNumber { offset, exit } => {
                assert!((exit as usize) < translation.exits.len());
                offset
            }
        });
        assert!(fields.into_iter().all(|field| field + 4 <= size));
        assert!(translation.addresses.iter().all(|field| field + 8 <= size));
        for exit in &translation.exits {
            if let Exit::Direct { site, .. } = exit {
                assert!(site + 4 <= size);
            }
        }
    }
    assert!(made > 5_000, "{made} blocks");
}
