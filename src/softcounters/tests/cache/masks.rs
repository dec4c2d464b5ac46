//! Masked stores: what the registers say of them against what the processor writes.

use std::collections::BTreeSet;

use super::child::{Area, Child, Stop};
use super::random::Random;
use super::state::{self, DATA};
use crate::shim::cache::insn::decode;
use crate::shim::cache::masks::{Layout, Mask, MaskedStore};
use crate::shim::extended::{Extended, Offsets, offsets};

const CODE: Area = Area { address: 0x1000_0000, length: 4096, writable: false, executable: true };
/// Where the operands lead.
const AT: u64 = DATA.address + DATA.length as u64 / 2;
/// Where the control register and the registers of SSE are in an extended state, and what follows its header.
const MXCSR: usize = 24;
const SSE_REGISTERS: std::ops::Range<usize> = 160..416;
const EXTENDED: std::ops::Range<usize> = 576..2688;
const IN_USE: usize = 512;

fn masked(code: &[u8]) -> MaskedStore {
    decode(code).and_then(|insn| insn.masked_store(code)).unwrap_or_else(|| panic!("{code:02x?} is not a masked store"))
}

/// Which bytes from where the operand leads are written.
fn written(store: &MaskedStore, registers: &Extended) -> Option<BTreeSet<i64>> {
    let offsets = store.offsets(registers)?;
    Some(offsets.into_iter().flat_map(|offset| offset..offset + i64::from(store.element)).collect())
}

/// A store in the encoding EVEX of a register of so many times 16 bytes to [rdi], or scattered by xmm5, with this mask.
fn evex(map: u8, kind: u8, is_wide: bool, opcode: u8, length: u8, mask: u8) -> Vec<u8> {
    let size = (length.trailing_zeros() as u8) << 5;
    let head = [0x62, 0xf0 | map, u8::from(is_wide) << 7 | 0x7c | kind, size | 8 | mask];
    let is_scattered = map == 2 && matches!(opcode, 0xa0..=0xa3);
    let operand: &[u8] = if is_scattered { &[0x1c, 0x6f] } else { &[0x1f] };
    let immediate: &[u8] = if map == 3 { &[0] } else { &[] };
    [&head, &[opcode][..], operand, immediate].concat()
}

/// Masked stores that this processor has.
fn stores() -> Vec<Vec<u8>> {
    // maskmovq mm3, mm5; maskmovdqu xmm3, xmm13; vmaskmovdqu xmm3, xmm5
    let mut all = vec![vec![0x0f, 0xf7, 0xdd], vec![0x66, 0x41, 0x0f, 0xf7, 0xdd]];
    if is_x86_feature_detected!("avx") {
        all.push(vec![0xc5, 0xf9, 0xf7, 0xdd]);
        // vmaskmovps and vmaskmovpd [rdi], xmm4, xmm3; the same of ymm
        all.extend([0x59, 0x5d].iter().flat_map(|last| [0x2e, 0x2f].map(|op| vec![0xc4, 0xe2, *last, op, 0x1f])));
    }
    if is_x86_feature_detected!("avx2") {
        // vpmaskmovd and vpmaskmovq
        all.extend([0x59, 0x5d, 0xd9, 0xdd].map(|last| vec![0xc4, 0xe2, last, 0x8e, 0x1f]));
    }
    let mut lengths = Vec::new();
    if is_x86_feature_detected!("avx512f") {
        lengths.push(4);
        all.extend([(2, false), (3, true)].map(|(kind, is_wide)| evex(1, kind, is_wide, 0x11, 1, 3)));
        all.extend([evex(3, 1, false, 0x39, 4, 2), evex(3, 1, true, 0x3b, 4, 2), evex(3, 1, false, 0x1d, 4, 2)]);
    }
    if is_x86_feature_detected!("avx512vl") {
        lengths.extend([1, 2]);
    }
    for length in lengths {
        let mut add = |map, kind, is_wide, opcode, mask| all.push(evex(map, kind, is_wide, opcode, length, mask));
        for (is_wide, kind) in [(false, 0), (true, 1)] {
            add(1, kind, is_wide, 0x11, 1);
            add(1, 1, is_wide, 0x7f, 4);
            add(1, 2, is_wide, 0x7f, 7);
            for opcode in [0x8a, 0x8b] {
                add(2, 1, is_wide, opcode, 5);
                add(2, 1, is_wide, opcode, 0);
            }
            [0xa0, 0xa1, 0xa2, 0xa3].into_iter().for_each(|opcode| add(2, 1, is_wide, opcode, 6));
        }
        [0x11, 0x12, 0x13, 0x14, 0x15, 0x21, 0x22, 0x33, 0x34, 0x35].into_iter().for_each(|op| add(2, 2, false, op, 2));
        if is_x86_feature_detected!("avx512bw") {
            [false, true].into_iter().for_each(|is_wide| add(1, 3, is_wide, 0x7f, 1));
            [0x10, 0x20, 0x30].into_iter().for_each(|opcode| add(2, 2, false, opcode, 3));
        }
        if is_x86_feature_detected!("avx512vbmi2") {
            [false, true].into_iter().for_each(|is_wide| add(2, 1, is_wide, 0x63, 1));
        }
    }
    all
}

/// Makes indices of all vectors, of so many bytes each, that lead to the data.
fn make_indices(state: &mut [u8], size: usize, random: &mut Random) {
    let masks = offsets()[5];
    for range in [SSE_REGISTERS, EXTENDED] {
        for at in range.step_by(size) {
            let is_mask = (masks..masks + 64).contains(&at);
            if let Some(place) = state.get_mut(at..at + size).filter(|_| !is_mask) {
                let index = random.below(0x2000) as i64 - 0x1000;
                place.copy_from_slice(&index.to_le_bytes()[..size]);
            }
        }
    }
}

/// What the instruction writes when it is executed: bytes from where its operand leads.
fn executed(child: &mut Child, code: &[u8], state: &[u8]) -> BTreeSet<i64> {
    let mut all = BTreeSet::new();
    child.memory_mut(CODE.address)[..code.len()].copy_from_slice(code);
    let mut registers = state::registers(&mut Random(3), &[], CODE.address);
    (registers.rdi, registers.eflags) = (AT, 0x202);
    // What is written differs from one of both.
    for fill in [0, 0xff] {
        child.memory_mut(DATA.address)[..DATA.length].fill(fill);
        child.set_registers(&registers);
        child.set_extended_state(state);
        // A step of one that scatters ends where a page is missing.
        while child.rip() == CODE.address {
            assert_eq!(child.step(), Stop::Stepped, "{code:02x?}");
        }
        let data = &child.memory(DATA.address)[..DATA.length];
        let changed = data.iter().enumerate().filter(|(_, byte)| **byte != fill);
        all.extend(changed.map(|(at, _)| at as i64 - DATA.length as i64 / 2));
    }
    all
}

#[test]
fn a_masked_store_writes_what_its_mask_says_whatever_was_there() {
    let mut child = Child::spawn(&[CODE, DATA]);
    let mut random = Random(34);
    let mut state = child.extended_state();
    let (mut bytes, mut empty) = (0, 0);
    for code in stores() {
        let store = masked(&code);
        for _ in 0..12 {
            state::randomise(&mut state, &mut random);
            // No conversion is to raise an exception.
            state[MXCSR..MXCSR + 4].copy_from_slice(&0x1f80u32.to_le_bytes());
            if let Layout::Scattered { size, .. } = store.layout {
                make_indices(&mut state, size as usize, &mut random);
            }
            child.set_extended_state(&state);
            let registers = Extended::new(child.extended_state(), offsets());
            let expected = executed(&mut child, &code, &state);
            assert_eq!(written(&store, &registers), Some(expected.clone()), "{code:02x?}: {store:?}");
            bytes += expected.len();
            empty += u32::from(expected.is_empty());
        }
    }
    assert!(bytes > 100 && empty > 0, "{bytes} bytes, {empty} of none");
}

/// Where processors of Intel have the components.
const OFFSETS: Offsets = [0, 0, 576, 0, 0, 1088, 1152, 1664];

/// Registers of a machine that need not be this one.
fn registers(set: impl Fn(&mut [u8])) -> Extended {
    let mut area = vec![0; EXTENDED.end];
    area[IN_USE] = 0xff;
    set(&mut area);
    Extended::new(area, OFFSETS)
}

#[test]
fn registers_that_no_processor_need_have_say_what_is_written() {
    let offsets = |code: &[u8], set: &dyn Fn(&mut [u8])| masked(code).offsets(&registers(set));
    let mask = |value: u16| move |area: &mut [u8]| area[1088 + 8..1088 + 10].copy_from_slice(&value.to_le_bytes());
    // vmovdqu8 [rdi]{k1}, ymm16, as memset has it
    let few = [0x62, 0xe1, 0x7f, 0x29, 0x7f, 0x07];
    assert_eq!(offsets(&few, &mask(0b1011)), Some(vec![0, 1, 3]));
    assert_eq!(offsets(&few, &mask(0)), Some(vec![]));
    // What is as it begins is zero, whatever is there.
    let unused = |area: &mut [u8]| (area[1088 + 8], area[IN_USE]) = (0xff, 0x07);
    assert_eq!(offsets(&few, &unused), Some(vec![]));
    // vpcompressb [rdi]{k1}, zmm3; vpcompressw; without a mask
    assert_eq!(offsets(&evex(2, 1, false, 0x63, 4, 1), &mask(0x8421)), Some(vec![0, 1, 2, 3]));
    assert_eq!(offsets(&evex(2, 1, true, 0x63, 4, 1), &mask(0x8400)), Some(vec![0, 2]));
    assert_eq!(offsets(&evex(2, 1, true, 0x63, 1, 0), &mask(0)), Some((0..16).step_by(2).collect()));
    // vmovsh [rdi]{k1}, xmm3
    assert_eq!(offsets(&evex(5, 2, false, 0x11, 1, 1), &mask(0xfffe)), Some(vec![]));
    // vpscatterdd [rdi + 4 * zmm21]{k1}, zmm3
    let scattered = [0x62, 0xf2, 0x7d, 0x41, 0xa0, 0x1c, 0xaf];
    let by = |area: &mut [u8]| {
        mask(0x6)(area);
        let at = 1664 + 5 * 64;
        area[at + 4..at + 8].copy_from_slice(&(-2i32).to_le_bytes());
        area[at + 8] = 100;
    };
    assert_eq!(offsets(&scattered, &by), Some(vec![-8, 400]));
    // maskmovq mm3, mm5, when the top of the stack is 6: mm5 is the last register of it.
    let mmx = |area: &mut [u8]| (area[3], area[32 + 7 * 16 + 2]) = (6 << 3, 0x80);
    assert_eq!(offsets(&[0x0f, 0xf7, 0xdd], &mmx), Some(vec![2]));
}

#[test]
fn registers_that_are_not_known_say_nothing() {
    let few = masked(&[0x62, 0xe1, 0x7f, 0x29, 0x7f, 0x07]);
    assert_eq!(few.mask, Mask::Opmask(1));
    assert_eq!(few.offsets(&Extended::new(vec![0xff; EXTENDED.end], Offsets::default())), None);
    assert_eq!(few.offsets(&Extended::new(vec![0xff; 1088], OFFSETS)), None);
    // vmovdqu8 [rdi], ymm16; mov [rdi], eax; fxsave [rdi]
    for code in [&[0x62, 0xe1, 0x7f, 0x28, 0x7f, 0x07][..], &[0x89, 7], &[0x0f, 0xae, 0x07]] {
        assert_eq!(decode(code).unwrap().masked_store(code), None);
    }
}
