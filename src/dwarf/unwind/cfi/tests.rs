//! Unwinds synthetic stacks by call frame information that is put together here, byte by byte.

use super::*;
use crate::testing::Frame;
use proptest::prelude::*;

const EH_FRAME: u64 = 0x5000;
const EH_FRAME_HDR: u64 = 0x6000;
const FUNCTION: u64 = 0x1000;
const LENGTH: u64 = 0x40;

const RBX: u16 = 3;
const RBP: u16 = 6;
const RSP: u16 = 7;
const R12: u16 = 12;

fn uleb(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = (value & 0x7f) as u8;
        value >>= 7;
        bytes.push(if value == 0 { byte } else { byte | 0x80 });
        if value == 0 {
            return bytes;
        }
    }
}

// Call frame instructions (DWARF 5 section 7.24).
fn def_cfa(register: u16, offset: u64) -> Vec<u8> {
    [vec![0x0c], uleb(register.into()), uleb(offset)].concat()
}

fn def_cfa_register(register: u16) -> Vec<u8> {
    [vec![0x0d], uleb(register.into())].concat()
}

fn def_cfa_offset(offset: u64) -> Vec<u8> {
    [vec![0x0e], uleb(offset)].concat()
}

fn def_cfa_expression(expression: &[u8]) -> Vec<u8> {
    [vec![0x0f], uleb(expression.len() as u64), expression.to_vec()].concat()
}

fn advance(by: u8) -> Vec<u8> {
    vec![0x40 | by]
}

/// At CFA - 8 * slots.
fn saved(register: u8, slots: u64) -> Vec<u8> {
    [vec![0x80 | register], uleb(slots)].concat()
}

fn restore(register: u8) -> Vec<u8> {
    vec![0xc0 | register]
}

fn undefined(register: u16) -> Vec<u8> {
    [vec![0x07], uleb(register.into())].concat()
}

fn same_value(register: u16) -> Vec<u8> {
    [vec![0x08], uleb(register.into())].concat()
}

fn in_register(register: u16, other: u16) -> Vec<u8> {
    [vec![0x09], uleb(register.into()), uleb(other.into())].concat()
}

const REMEMBER: u8 = 0x0a;
const RESTORE_STATE: u8 = 0x0b;
const NEGATE_RA_STATE: u8 = 0x2d;

fn expression(register: u16, expression: &[u8]) -> Vec<u8> {
    [vec![0x10], uleb(register.into()), uleb(expression.len() as u64), expression.to_vec()].concat()
}

/// Is CFA - 8 * slots itself.
fn val_offset(register: u16, slots: u64) -> Vec<u8> {
    [vec![0x14], uleb(register.into()), uleb(slots)].concat()
}

fn val_expression(register: u16, expression: &[u8]) -> Vec<u8> {
    [vec![0x16], uleb(register.into()), uleb(expression.len() as u64), expression.to_vec()].concat()
}

fn gnu_args_size(size: u64) -> Vec<u8> {
    [vec![0x2e], uleb(size)].concat()
}

/// Length-prefixed and padded with DW_CFA_nop.
fn entry(mut body: Vec<u8>) -> Vec<u8> {
    while !(body.len() + 4).is_multiple_of(8) {
        body.push(0);
    }
    [(body.len() as u32).to_le_bytes().to_vec(), body].concat()
}

/// A CIE of `.eh_frame` with absolute 8-byte addresses.
fn cie(augmentation: &str, return_address: u16, instructions: &[Vec<u8>]) -> Vec<u8> {
    let mut body = vec![0, 0, 0, 0, 1];
    body.extend(augmentation.bytes().chain([0]));
    // Code alignment 1, data alignment -8.
    body.extend([1, 0x78, return_address as u8, 1, 0x00]);
    body.extend(instructions.concat());
    entry(body)
}

/// An FDE at `offset` of `.eh_frame`, whose CIE is at offset 0.
fn fde(offset: usize, start: u64, length: u64, instructions: &[Vec<u8>]) -> Vec<u8> {
    let mut body = ((offset + 4) as u32).to_le_bytes().to_vec();
    body.extend(start.to_le_bytes());
    body.extend(length.to_le_bytes());
    body.push(0);
    body.extend(instructions.concat());
    entry(body)
}

fn eh_frame(cie: Vec<u8>, fdes: &[(u64, u64, Vec<Vec<u8>>)]) -> Vec<u8> {
    let mut section = cie;
    for (start, length, instructions) in fdes {
        let fde = fde(section.len(), *start, *length, instructions);
        section.extend(fde);
    }
    section.extend([0; 4]);
    section
}

fn x86_cie() -> Vec<u8> {
    cie("zR", 16, &[def_cfa(RSP, 8), saved(16, 1)])
}

fn sections<'a>(eh_frame: &'a [u8], header: &'a [u8], debug_frame: &'a [u8]) -> FrameSections<'a> {
    let slice = |bytes| Slice::new(bytes, gimli::LittleEndian);
    FrameSections {
        eh_frame: EhFrame::from(slice(eh_frame)),
        eh_frame_hdr: slice(header),
        debug_frame: DebugFrame::from(slice(debug_frame)),
        bases: BaseAddresses::default().set_eh_frame(EH_FRAME).set_eh_frame_hdr(EH_FRAME_HDR),
        index: FdeIndex::default(),
    }
}

fn unwind_with(arch: Arch, section: &[u8], pc: u64, frame: &mut Frame) -> Result<Option<Unwound>, UnwindError> {
    let sections = sections(section, &[], &[]);
    CallFrames::new(arch, &sections).unwind(LinkAddr(pc), frame)
}

/// Unwinds at the first address of a function with these instructions.
fn unwind(instructions: Vec<Vec<u8>>, frame: &mut Frame) -> Unwound {
    let section = eh_frame(x86_cie(), &[(FUNCTION, LENGTH, instructions)]);
    unwind_with(Arch::X86_64, &section, FUNCTION, frame).unwrap().unwrap()
}

/// A stack of 8-byte words from an address on, with `rsp` at its start.
fn stack(rsp: u64, words: &[u64]) -> Frame {
    let mut frame = Frame::default();
    frame.registers.insert(RSP, rsp);
    for (address, word) in (rsp..).step_by(8).zip(words) {
        frame.write(address, &word.to_le_bytes());
    }
    frame
}

fn value(unwound: &Unwound, register: u16) -> Option<u64> {
    unwound.registers.iter().find(|(number, _)| *number == register).map(|(_, value)| *value)
}

/// `push rbp; mov rbp, rsp; … ; leave; ret`, as GCC describes it.
fn with_frame_pointer() -> Vec<u8> {
    let instructions = vec![
        advance(1),
        def_cfa_offset(16),
        saved(6, 2),
        advance(3),
        def_cfa_register(RBP),
        advance(16),
        def_cfa(RSP, 8),
        restore(6),
    ];
    eh_frame(x86_cie(), &[(FUNCTION, LENGTH, instructions)])
}

#[test]
fn every_row_of_a_function_finds_the_same_caller() {
    let section = with_frame_pointer();
    // The return address at 0x7018, the caller's rbp below it.
    let mut frame = stack(0x7010, &[0xb0, 0x4444]);
    let expected = Unwound {
        cfa: 0x7020,
        registers: vec![(RBX, 0xbb), (RBP, 0xb0), (RSP, 0x7020)],
        return_address: Some(0x4444),
        signal_frame: false,
    };
    frame.registers.insert(RBX, 0xbb);
    for (offset, rsp, rbp) in
        [(0, 0x7018, 0xb0), (1, 0x7010, 0xb0), (4, 0x6f00, 0x7010), (19, 0x6f00, 0x7010), (20, 0x7018, 0xb0)]
    {
        frame.registers.insert(RSP, rsp);
        frame.registers.insert(RBP, rbp);
        let unwound = unwind_with(Arch::X86_64, &section, FUNCTION + offset, &mut frame).unwrap();
        assert_eq!(unwound, Some(expected.clone()), "at function+{offset}");
    }
}

#[test]
fn registers_that_are_saved_are_found_where_they_are() {
    let section = with_frame_pointer();
    let mut frame = stack(0x7010, &[0xb0, 0x4444]);
    let saved = |frame: &mut Frame, offset: u64, rsp: u64, rbp: u64| {
        frame.registers.insert(RSP, rsp);
        frame.registers.insert(RBP, rbp);
        let sections = sections(&section, &[], &[]);
        let at = LinkAddr(FUNCTION + offset);
        let mut found = CallFrames::new(Arch::X86_64, &sections).saved_registers(at, frame);
        found.iter_mut().for_each(|list| list.sort_unstable());
        found.unwrap()
    };
    assert_eq!(saved(&mut frame, 0, 0x7018, 0xb0), [(16, 0x7018)]);
    assert_eq!(saved(&mut frame, 4, 0x6f00, 0x7010), [(RBP, 0x7010), (16, 0x7018)]);
    assert_eq!(saved(&mut frame, LENGTH, 0x7018, 0xb0), []);
}

#[test]
fn an_address_without_an_entry_is_not_an_error() {
    let section = with_frame_pointer();
    for pc in [0, FUNCTION - 1, FUNCTION + LENGTH, u64::MAX] {
        assert_eq!(unwind_with(Arch::X86_64, &section, pc, &mut Frame::default()), Ok(None), "at {pc:#x}");
    }
}

#[test]
fn the_cfa_alone_reads_no_memory() {
    let section = with_frame_pointer();
    let sections = sections(&section, &[], &[]);
    let mut frame = Frame::default();
    frame.registers.insert(RSP, 0x7010);
    let cfa = CallFrames::new(Arch::X86_64, &sections).cfa(LinkAddr(FUNCTION + 2), &mut frame);
    assert_eq!(cfa, Ok(Some(0x7020)));
}

#[test]
fn callee_saved_registers_keep_their_value_and_others_are_lost() {
    let mut frame = stack(0x7000, &[0x4444]);
    for register in 0..16 {
        if register != RSP {
            frame.registers.insert(register, 100 + u64::from(register));
        }
    }
    frame.registers.remove(&R12);
    let unwound = unwind(vec![], &mut frame);
    let expected = [(3, 103), (6, 106), (RSP, 0x7008), (13, 113), (14, 114), (15, 115)];
    assert_eq!(unwound.registers, expected);
}

#[test]
fn each_rule_restores_its_register() {
    let mut frame = stack(0x7000, &[0x4444, 0x1111, 0x2222]);
    frame.registers.insert(0, 0xaa);
    frame.registers.insert(RBX, 0xbb);
    frame.registers.insert(2, 0xcc);
    let unwound = unwind(
        vec![
            undefined(RBX),
            same_value(2),
            in_register(RBP, 0),
            val_offset(R12, 2),
            // DW_OP_plus_uconst 8: the expression starts with the CFA.
            expression(13, &[0x23, 8]),
            val_expression(14, &[0x23, 8]),
        ],
        &mut frame,
    );
    assert_eq!(unwound.cfa, 0x7008);
    assert_eq!(value(&unwound, RBX), None);
    assert_eq!(value(&unwound, 2), Some(0xcc));
    assert_eq!(value(&unwound, RBP), Some(0xaa));
    assert_eq!(value(&unwound, R12), Some(0x7008 - 16));
    assert_eq!(value(&unwound, 13), Some(0x2222));
    assert_eq!(value(&unwound, 14), Some(0x7010));
}

#[test]
fn the_cfa_can_be_an_expression() {
    // DW_OP_breg7 8, DW_OP_deref: what the procedure linkage table's first entry could say.
    let mut frame = stack(0x7000, &[0, 0x8008]);
    frame.write(0x8000, &0x4444u64.to_le_bytes());
    let unwound = unwind(vec![def_cfa_expression(&[0x77, 8, 0x06])], &mut frame);
    assert_eq!((unwound.cfa, unwound.return_address), (0x8008, Some(0x4444)));
}

#[test]
fn a_stack_pointer_with_a_rule_is_not_the_cfa() {
    let mut frame = stack(0x7000, &[0x4444, 0x9999]);
    let unwound = unwind(vec![expression(RSP, &[0x23, 0])], &mut frame);
    assert_eq!(value(&unwound, RSP), Some(0x9999));
}

#[test]
fn remembered_states_come_back() {
    let instructions = vec![
        def_cfa_offset(16),
        vec![REMEMBER],
        vec![REMEMBER],
        vec![REMEMBER],
        vec![REMEMBER],
        vec![REMEMBER],
        def_cfa_offset(64),
        advance(1),
        vec![RESTORE_STATE],
    ];
    let section = eh_frame(x86_cie(), &[(FUNCTION, LENGTH, instructions)]);
    let sections = sections(&section, &[], &[]);
    let frames = CallFrames::new(Arch::X86_64, &sections);
    let mut frame = stack(0x7000, &[]);
    assert_eq!(frames.cfa(LinkAddr(FUNCTION), &mut frame), Ok(Some(0x7040)));
    assert_eq!(frames.cfa(LinkAddr(FUNCTION + 1), &mut frame), Ok(Some(0x7010)));
}

#[test]
fn the_size_of_pushed_arguments_changes_nothing() {
    let mut frame = stack(0x7000, &[0x4444]);
    assert_eq!(unwind(vec![gnu_args_size(24)], &mut frame).cfa, 0x7008);
}

#[test]
fn an_undefined_return_address_ends_the_stack() {
    let mut frame = stack(0x7000, &[0x4444]);
    let unwound = unwind(vec![undefined(16)], &mut frame);
    assert_eq!((unwound.cfa, unwound.return_address), (0x7008, None));
}

#[test]
fn a_signal_frame_says_so() {
    let cie = cie("zRS", 16, &[def_cfa(RSP, 8), saved(16, 1)]);
    let section = eh_frame(cie, &[(FUNCTION, LENGTH, vec![])]);
    let mut frame = stack(0x7000, &[0x4444]);
    let unwound = unwind_with(Arch::X86_64, &section, FUNCTION, &mut frame).unwrap().unwrap();
    assert!(unwound.signal_frame);
}

#[test]
fn a_saved_register_that_cannot_be_read_is_lost() {
    let mut frame = stack(0x7000, &[0x4444]);
    frame.registers.insert(RBX, 0xbb);
    assert_eq!(value(&unwind(vec![saved(3, 9)], &mut frame), RBX), None);
}

#[test]
fn what_is_missing_is_named() {
    let section = with_frame_pointer();
    let error = unwind_with(Arch::X86_64, &section, FUNCTION + 8, &mut stack(0x7000, &[])).unwrap_err();
    let text = "the canonical frame address at 0x1008 cannot be computed: register rbp is not preserved in this frame";
    assert_eq!(error.to_string(), text);
    let error = unwind_with(Arch::X86_64, &section, FUNCTION, &mut stack(0x7000, &[])).unwrap_err();
    let text = "the return address at 0x1000 cannot be restored: cannot read 8 bytes of memory at 0x7000";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_malformed_program_is_an_error_of_its_function_only() {
    let fdes = [(FUNCTION, LENGTH, vec![vec![0x3f]]), (FUNCTION + LENGTH, LENGTH, vec![])];
    let section = eh_frame(x86_cie(), &fdes);
    let broken = unwind_with(Arch::X86_64, &section, FUNCTION, &mut stack(0x7000, &[1]));
    assert!(matches!(broken, Err(UnwindError::Malformed { pc: LinkAddr(FUNCTION), .. })), "{broken:?}");
    let sound = unwind_with(Arch::X86_64, &section, FUNCTION + LENGTH, &mut stack(0x7000, &[1])).unwrap();
    assert_eq!(sound.unwrap().return_address, Some(1));
}

/// `.eh_frame_hdr` with absolute 8-byte addresses that claims to have `count` entries.
fn header(count: u32, table: &[(u64, u64)]) -> Vec<u8> {
    let mut bytes = vec![1, 0x04, 0x03, 0x04];
    bytes.extend(EH_FRAME.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    for (start, fde) in table {
        bytes.extend(start.to_le_bytes());
        bytes.extend(fde.to_le_bytes());
    }
    bytes
}

fn two_functions() -> (Vec<u8>, Vec<(u64, u64)>) {
    let cie = x86_cie();
    let first = cie.len();
    let fdes = [(0x2000, 16, vec![def_cfa_offset(32)]), (0x1000, 16, vec![def_cfa_offset(64)])];
    let second = first + fde(first, 0x2000, 16, &fdes[0].2).len();
    let table = vec![(0x1000, EH_FRAME + second as u64), (0x2000, EH_FRAME + first as u64)];
    (eh_frame(cie, &fdes), table)
}

#[test]
fn the_search_table_and_a_scan_find_the_same() {
    let (section, table) = two_functions();
    for header in [header(2, &table), Vec::new()] {
        let sections = sections(&section, &header, &[]);
        let frames = CallFrames::new(Arch::X86_64, &sections);
        assert_eq!(frames.header.is_some(), !header.is_empty());
        let cfa = |pc| frames.cfa(LinkAddr(pc), &mut stack(0x7000, &[])).unwrap();
        assert_eq!(cfa(0x0fff), None);
        assert_eq!(cfa(0x1000), Some(0x7040));
        assert_eq!(cfa(0x100f), Some(0x7040));
        assert_eq!(cfa(0x1010), None);
        assert_eq!(cfa(0x200f), Some(0x7020));
        assert_eq!(cfa(0x2010), None);
    }
}

#[test]
fn a_search_table_that_lies_is_not_used() {
    let (section, table) = two_functions();
    let mut elsewhere = header(2, &table);
    elsewhere[4] ^= 0xff;
    for lie in [header(u32::MAX, &table), header(0, &[]), elsewhere] {
        let sections = sections(&section, &lie, &[]);
        let frames = CallFrames::new(Arch::X86_64, &sections);
        assert!(frames.header.is_none());
        assert_eq!(frames.cfa(LinkAddr(0x1000), &mut stack(0x7000, &[])), Ok(Some(0x7040)));
    }
}

/// `.debug_frame` of version 4 with one function.
fn debug_frame(start: u64, instructions: &[Vec<u8>]) -> Vec<u8> {
    let mut body = vec![0xff, 0xff, 0xff, 0xff, 4, 0, 8, 0, 1, 0x78, 16];
    body.extend([def_cfa(RSP, 8), saved(16, 1)].concat());
    let mut section = entry(body);
    let mut body = vec![0; 4];
    body.extend(start.to_le_bytes());
    body.extend(16u64.to_le_bytes());
    body.extend(instructions.concat());
    section.extend(entry(body));
    section
}

#[test]
fn debug_frame_covers_what_eh_frame_does_not() {
    let (eh, table) = two_functions();
    let debug = debug_frame(0x3000, &[def_cfa_offset(128), val_expression(R12, &[0x23, 1])]);
    for header in [header(2, &table), Vec::new()] {
        let sections = sections(&eh, &header, &debug);
        let frames = CallFrames::new(Arch::X86_64, &sections);
        let unwound = frames.unwind(LinkAddr(0x3001), &mut stack(0x7000, &[0; 16])).unwrap().unwrap();
        assert_eq!((unwound.cfa, value(&unwound, R12)), (0x7080, Some(0x7081)));
        assert_eq!(frames.cfa(LinkAddr(0x2000), &mut stack(0x7000, &[])), Ok(Some(0x7020)));
    }
}

#[test]
fn functions_that_the_linker_discarded_are_not_at_address_zero() {
    let debug = debug_frame(0, &[]);
    let sections = sections(&[], &[], &debug);
    let frames = CallFrames::new(Arch::X86_64, &sections);
    assert_eq!(frames.cfa(LinkAddr(8), &mut stack(0x7000, &[])), Ok(None));
}

fn aarch64(instructions: Vec<Vec<u8>>, frame: &mut Frame) -> Unwound {
    let section = eh_frame(cie("zR", 30, &[def_cfa(31, 0)]), &[(FUNCTION, LENGTH, instructions)]);
    unwind_with(Arch::Aarch64, &section, FUNCTION, frame).unwrap().unwrap()
}

#[test]
fn an_aarch64_leaf_returns_to_its_link_register() {
    let mut frame = Frame::default();
    frame.registers.extend([(31, 0x7000), (30, 0x4444), (19, 19), (0, 1)]);
    let unwound = aarch64(vec![], &mut frame);
    assert_eq!(unwound.return_address, Some(0x4444));
    assert_eq!(unwound.registers, [(19, 19), (30, 0x4444), (31, 0x7000)]);
}

#[test]
fn a_signed_return_address_loses_its_signature() {
    let mut frame = Frame::default();
    frame.registers.extend([(31, 0x7000), (30, 0)]);
    frame.write(0x7008, &0x00ab_aaaa_bbbb_cccc_u64.to_le_bytes());
    let unwound = aarch64(vec![vec![NEGATE_RA_STATE], def_cfa_offset(16), saved(29, 2), saved(30, 1)], &mut frame);
    assert_eq!(unwound.return_address, Some(0xaaaa_bbbb_cccc));
    assert!(unwound.registers.iter().all(|(number, _)| *number != 34));
}

proptest! {
    #[test]
    fn garbage_never_panics(
        eh in prop::collection::vec(any::<u8>(), 0..200),
        header in prop::collection::vec(any::<u8>(), 0..64),
        debug in prop::collection::vec(any::<u8>(), 0..200),
        pc in any::<u64>(),
    ) {
        let sections = sections(&eh, &header, &debug);
        for arch in [Arch::X86_64, Arch::Aarch64] {
            let frames = CallFrames::new(arch, &sections);
            let _ = frames.unwind(LinkAddr(pc), &mut stack(0x7000, &[1, 2, 3, 4]));
        }
    }

    #[test]
    fn damaged_sections_never_panic(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        damage_header in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        pc in 0x0ff0u64..0x2020,
    ) {
        let (mut eh, table) = two_functions();
        let mut header = header(2, &table);
        for (at, byte) in damage {
            let at = at.index(eh.len());
            eh[at] = byte;
        }
        for (at, byte) in damage_header {
            let at = at.index(header.len());
            header[at] = byte;
        }
        let sections = sections(&eh, &header, &[]);
        let frames = CallFrames::new(Arch::X86_64, &sections);
        let _ = frames.unwind(LinkAddr(pc), &mut stack(0x7000, &[1, 2, 3, 4]));
    }

    #[test]
    fn random_instructions_never_panic(
        instructions in prop::collection::vec(any::<u8>(), 0..80),
        pc in FUNCTION..FUNCTION + LENGTH,
    ) {
        let section = eh_frame(x86_cie(), &[(FUNCTION, LENGTH, vec![instructions])]);
        let _ = unwind_with(Arch::X86_64, &section, pc, &mut stack(0x7000, &[1, 2, 3, 4]));
    }
}
