//! Evaluates locations: one of each kind (`locations.s`), and those that compilers really make.

use crate::testing::{Frame, Program, build};
use crate::{Home, Image, Location, Variable};
use Location::{Bytes, Memory, OptimizedOut, Pieces, Register, Unavailable};
use arch::{Bias, LinkAddr};

const CFA: u64 = 0x7fff_0000;
const BIAS: u64 = 0x5555_0000_0000;

fn named(variables: Vec<Variable>, name: &str) -> Variable {
    variables.into_iter().find(|v| v.name == name).unwrap_or_else(|| panic!("no variable {name}"))
}

fn local(image: &Image, pc: LinkAddr, name: &str) -> Variable {
    named(image.variables_at(pc, 0), name)
}

fn kinds() -> Program {
    build("gcc", "-nostdlib -shared", &["locations.s"])
}

/// A value in pieces, of which some lie whole in one place: where in the value, how long, and that place.
fn pieces_in(bytes: Vec<Option<u8>>, homes: &[(usize, usize, Location)]) -> Location {
    let home = |(at, length, location): &(usize, usize, Location)| Home {
        at: *at,
        length: *length,
        location: location.clone(),
    };
    Location::Synthetic { bytes, pointers: Vec::new(), partial: Vec::new(), homes: homes.iter().map(home).collect() }
}

/// A frame at the start of the function of `locations.s`.
fn frame(program: &Program) -> Frame {
    let mut frame = Frame::at(program.entry("function"));
    frame.cfa = Some(CFA);
    frame.bias = Bias(BIAS);
    frame.tls = Some(0x9000);
    frame.registers.extend([(3, 0x1111_2222_3333_4444), (7, 0x8000), (5, 0x5555)]);
    frame.wide_registers.insert(17, [3.75f64.to_le_bytes(), [0; 8]].concat());
    frame.entry_values.insert(5, 0xe5);
    frame.write(CFA - 32, &[1, 2, 3, 4, 5, 6, 7, 8]);
    frame.write(CFA - 16, &0x6000u64.to_le_bytes());
    frame
}

#[test]
fn each_kind_of_location_is_found() {
    let program = kinds();
    let pc = program.entry("function");
    let object = BIAS + program.image.symbols_named("object")[0].address.0;
    let bytes = |value: u64| Bytes(value.to_le_bytes().to_vec());
    let cases = [
        ("on_the_stack", Memory(CFA - 20)),
        ("below_a_register", Memory(0x8008)),
        ("not_assigned_to", Memory(0x8010)),
        ("far_on_the_stack", Memory(0xf000_0000)),
        ("in_a_register", Register(3)),
        ("in_a_far_register", Register(17)),
        ("at_an_address", Memory(object)),
        ("at_an_indexed_address", Memory(object)),
        ("indexed_constant", bytes(77)),
        ("computed", Bytes(0x6666_888au32.to_le_bytes().to_vec())),
        ("wider_than_the_stack", Pieces([5, 0, 0, 0, 0, 0, 0, 0].map(Some).into_iter().chain([None; 8]).collect())),
        ("implicit", Bytes(vec![1, 2, 3, 4])),
        (
            "half_there",
            pieces_in(
                vec![Some(0x44), Some(0x44), Some(0x33), Some(0x33), None, None, None, None],
                &[(0, 4, Register(3))],
            ),
        ),
        (
            "in_two_registers",
            pieces_in([0x44, 0x44, 0x33, 0x33, 1, 0, 0, 0].map(Some).to_vec(), &[(0, 4, Register(3))]),
        ),
        ("in_bits", Pieces([0x44, 0x04, 0, 0].map(Some).to_vec())),
        ("in_adjacent_pieces", Memory(CFA - 32)),
        (
            "in_scattered_memory",
            pieces_in(
                [1, 2, 3, 4, 0, 0x60, 0, 0].map(Some).to_vec(),
                &[(0, 4, Memory(CFA - 32)), (4, 4, Memory(CFA - 16))],
            ),
        ),
        ("all_pieces_missing", OptimizedOut),
        ("on_entry", bytes(0xe5)),
        ("on_entry_gnu", bytes(0xe6)),
        ("on_entry_unknown", OptimizedOut),
        ("memory_on_entry", OptimizedOut),
        ("thread_local", Memory(0x9010)),
        ("thread_local_gnu", Memory(0x9010)),
        ("called", Memory(CFA - 36)),
        ("dereferenced", Memory(0x6004)),
        ("narrowly_dereferenced", Bytes(vec![0, 0, 0, 0])),
        ("typed", Bytes(vec![3, 0, 0, 0])),
        ("typed_sum", Bytes(4.25f64.to_le_bytes().to_vec())),
        ("truth", Bytes(vec![0x44])),
        ("empty", OptimizedOut),
        ("moving", Register(3)),
        ("nowhere", OptimizedOut),
        ("constant", Bytes(vec![0xfe, 0xff, 0xff, 0xff])),
    ];
    let mut frame = frame(&program);
    for (name, expected) in cases {
        let variable = local(&program.image, pc, name);
        assert_eq!(frame.locate(&program.image, &variable), expected, "{name}");
    }
}

#[test]
fn an_implicit_pointer_leads_to_its_object() {
    let program = kinds();
    let pc = program.entry("function");
    let mut frame = frame(&program);
    let pointer = local(&program.image, pc, "pointer_to_nothing");
    let Location::Synthetic { bytes, pointers, .. } = frame.locate(&program.image, &pointer) else {
        panic!("{:?}", frame.locate(&program.image, &pointer));
    };
    assert_eq!((bytes, pointers.len()), (vec![None; 8], 1));
    assert_eq!((pointers[0].at, pointers[0].offset), (0, 0));
    // It points to the DIE of a type, which is nowhere.
    assert_eq!(program.image.object_location(pointers[0].object, &mut frame), OptimizedOut);
    let pointer = local(&program.image, pc, "pointer_to_constant");
    let Location::Synthetic { pointers, .. } = frame.locate(&program.image, &pointer) else {
        panic!("{:?}", frame.locate(&program.image, &pointer));
    };
    assert_eq!((pointers[0].at, pointers[0].offset), (0, 2));
    let object = program.image.object_location(pointers[0].object, &mut frame);
    assert_eq!(object, Bytes(vec![0xfe, 0xff, 0xff, 0xff]));
}

#[test]
fn what_cannot_be_computed_says_why() {
    let program = kinds();
    let pc = program.entry("function");
    let cases = [
        ("recursive", "malformed DWARF expression: exceeded maximum expression iterations"),
        ("calls_the_recursive_one", "malformed DWARF expression: exceeded maximum expression iterations"),
        ("for_ever", "malformed DWARF expression: exceeded maximum expression iterations"),
        ("unreadable", "cannot read 8 bytes of memory at 0x0"),
        ("lost_register", "register rax is not preserved in this frame"),
        ("malformed", "malformed DWARF expression: "),
    ];
    let mut frame = frame(&program);
    for (name, reason) in cases {
        let variable = local(&program.image, pc, name);
        match frame.locate(&program.image, &variable) {
            Unavailable(found) => assert!(found.starts_with(reason), "{name}: {found}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    let mut frame = Frame { pc, ..Frame::default() };
    for (name, reason) in [
        ("on_the_stack", "the frame has no canonical frame address"),
        ("thread_local", "the thread-local storage of the module cannot be located"),
    ] {
        let variable = local(&program.image, pc, name);
        assert_eq!(frame.locate(&program.image, &variable), Unavailable(reason.to_owned()), "{name}");
    }
}

#[test]
fn a_location_list_moves_a_variable_with_the_pc() {
    let program = kinds();
    let start = program.entry("function").0;
    let moving = local(&program.image, LinkAddr(start), "moving");
    let mut frame = frame(&program);
    let mut at = |offset| {
        frame.pc = LinkAddr(start + offset);
        frame.locate(&program.image, &moving)
    };
    assert_eq!(at(0), Register(3));
    assert_eq!(at(15), Register(3));
    assert_eq!(at(16), Memory(CFA - 32));
    assert_eq!(at(31), Memory(CFA - 32));
    assert_eq!(at(32), OptimizedOut);
}

#[test]
fn a_local_of_unoptimized_code_is_counted_from_the_cfa() {
    let program = build("gcc", "-g -O0", &["scopes.c"]);
    // GCC keeps the first int below the saved rbp and the return address.
    let pc = program.line("scopes.c", 30);
    let mut frame = Frame::at(pc);
    frame.registers.insert(6, 0x7fff_1000);
    let pc = program.line("scopes.c", 23);
    frame.pc = pc;
    frame.cfa = program.image.cfa(pc, &mut frame).unwrap();
    assert_eq!(frame.cfa, Some(0x7fff_1010));
    assert_eq!(frame.locate(&program.image, &local(&program.image, pc, "result")), Memory(0x7fff_1010 - 20));
    assert_eq!(frame.locate(&program.image, &local(&program.image, pc, "depth")), Memory(0x7fff_1010 - 36));
}

#[test]
fn a_frame_base_may_be_a_register() {
    // Clang counts from rbp itself.
    let program = build("clang", "-g -O0 -fno-omit-frame-pointer", &["scopes.c"]);
    let pc = program.line("scopes.c", 23);
    let mut frame = Frame::at(pc);
    frame.registers.insert(6, 0x7fff_1000);
    let Memory(address) = frame.locate(&program.image, &local(&program.image, pc, "depth")) else {
        panic!("not in memory");
    };
    assert!((0x7fff_0f80..0x7fff_1000).contains(&address), "{address:#x}");
}

#[test]
fn thread_locals_are_asked_of_the_frame() {
    for flags in ["-gdwarf-4", "-gdwarf-5"] {
        for compiler in ["gcc", "clang"] {
            let program = build(compiler, flags, &["thread_local.c"]);
            let mut frame = Frame { tls: Some(0x4000), ..Frame::default() };
            let mut offsets = ["first", "second"].map(|name| {
                let variable = program.global(name);
                match frame.locate(&program.image, &variable) {
                    Memory(address) => address - 0x4000,
                    other => panic!("{name}: {other:?}"),
                }
            });
            offsets.sort_unstable();
            assert_eq!(offsets, [0, 8], "{compiler} {flags}");
        }
    }
}

#[test]
fn a_struct_in_registers_comes_in_pieces() {
    let program = build("gcc", "-g -O2", &["pieces.c"]);
    let pc = program.entry("consume");
    let mut frame = Frame::at(pc);
    frame.registers.extend([(5, 0x1111), (4, 0x2222)]);
    let expected: Vec<Option<u8>> = [0x1111u64, 0x2222].iter().flat_map(|word| word.to_le_bytes()).map(Some).collect();
    let expected = pieces_in(expected, &[(0, 8, Register(5)), (8, 8, Register(4))]);
    assert_eq!(frame.locate(&program.image, &local(&program.image, pc, "pair")), expected);
}

#[test]
fn a_member_that_is_not_kept_leaves_its_bytes_unknown() {
    let program = kinds();
    let half = local(&program.image, program.entry("function"), "half_there");
    let mut frame = frame(&program);
    frame.registers.remove(&3);
    assert_eq!(frame.locate(&program.image, &half), OptimizedOut);
}
