//! Types of compiled programs. Layouts are those that the System V ABI prescribes, whoever compiled.

use crate::testing::{Frame, Program, build, every_build};
use crate::{Image, TypeTag};
use ctype::{
    Argument, Contents, Count, Dialect, Encoding, Link, Member, PointerKind, Qualifier, Record, RecordKind, Type,
    TypeRef, definition,
};
use std::collections::BTreeMap;

/// A type in an unambiguous notation, followed down to records and typedefs.
fn spell(ty: &TypeRef) -> String {
    let inner = |link: &Link| spell(&link.get());
    match &**ty {
        Type::Void => "void".to_owned(),
        Type::Base { encoding, size, .. } => format!("{encoding:?}{}", size * 8),
        Type::Pointer { kind, target, size } => {
            assert_eq!(*size, 8);
            let sign = match kind {
                PointerKind::Pointer => "*",
                PointerKind::Reference => "&",
                PointerKind::RvalueReference => "&&",
            };
            format!("{sign}{}", inner(target))
        }
        Type::MemberPointer { class, target, size } => match &*class.get() {
            Type::Record(Record { name: Some(name), .. }) => format!("{name}::*{} {}", inner(target), size * 8),
            other => panic!("{other:?}"),
        },
        Type::Array { element, count, .. } => match count {
            Count::Known(n) => format!("[{n}]{}", inner(element)),
            Count::Unknown => format!("[]{}", inner(element)),
            Count::Dynamic(_) => format!("[?]{}", inner(element)),
        },
        Type::Record(Record { kind, name, size, .. }) => {
            let size = size.map_or("incomplete".to_owned(), |size| size.to_string());
            format!("{kind:?} {} {size}", name.as_deref().unwrap_or("-"))
        }
        Type::Enumeration(e) => {
            format!("Enum {} {}{}", e.name.as_deref().unwrap_or("-"), if e.signed { "i" } else { "u" }, e.size * 8)
        }
        Type::Typedef { name, .. } => name.clone(),
        Type::Qualified { qualifier, target } => format!("{qualifier:?} {}", inner(target)),
        Type::Function { result, parameters, variadic, prototyped } => {
            let mut list: Vec<String> = parameters.iter().map(inner).collect();
            list.extend(variadic.then(|| "...".to_owned()));
            list.extend((!prototyped).then(|| "unprototyped".to_owned()));
            format!("fn({}) {}", list.join(", "), inner(result))
        }
        Type::Described { element, rank, .. } => format!("[{rank} described]{}", inner(element)),
        Type::Opaque(text) => format!("Opaque({text})"),
        Type::Indirect => "Indirect".to_owned(),
    }
}

fn global(program: &Program, name: &str) -> String {
    spell(&program.global(name).ty)
}

fn record(image: &Image, tag: TypeTag, name: &str) -> Record {
    let ty = image.type_named(Some(tag), name).unwrap_or_else(|| panic!("no {tag:?} {name}"));
    match &*ty {
        Type::Record(record) => record.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

/// `name: type @ byte[.bit:width]`.
fn member(member: &Member) -> String {
    let name = member.name.as_deref().unwrap_or("-");
    let base = if member.is_base { "base " } else { "" };
    let bits = member.bits.map_or(String::new(), |bits| format!(".{}:{}", bits.offset, bits.size));
    format!("{base}{name}: {} @ {}{bits}", spell(&member.ty.get()), member.offset)
}

fn layout(record: &Record) -> Vec<String> {
    record.members.iter().map(member).collect()
}

#[test]
fn base_types_have_their_encodings() {
    for (build, program) in every_build(&["base_types.c"]) {
        for (name, expected) in [
            ("flag", "Bool8"),
            ("c", "SignedChar8"),
            ("sc", "SignedChar8"),
            ("uc", "UnsignedChar8"),
            ("s", "Signed16"),
            ("us", "Unsigned16"),
            ("i", "Signed32"),
            ("u", "Unsigned32"),
            ("l", "Signed64"),
            ("ul", "Unsigned64"),
            ("ll", "Signed64"),
            ("ull", "Unsigned64"),
            ("huge", "Signed128"),
            ("uhuge", "Unsigned128"),
            ("f", "Float32"),
            ("d", "Float64"),
            ("ld", "Float128"),
            ("z", "ComplexFloat128"),
        ] {
            assert_eq!(global(&program, name), expected, "{build}: {name}");
        }
    }
}

#[test]
fn derived_types_are_kept_as_declared() {
    for (build, program) in every_build(&["base_types.c"]) {
        for (name, expected) in [
            ("title", "text"),
            ("alias", "Restrict *SignedChar8"),
            ("anything", "*void"),
            ("callback", "*fn(Signed32, *Const SignedChar8, ...) void"),
            ("unprototyped", "*fn(unprototyped) Signed32"),
            ("table", "[2]*fn() Signed32"),
            ("handle", "*Struct opaque incomplete"),
        ] {
            assert_eq!(global(&program, name), expected, "{build}: {name}");
        }
        // DWARF 4 has no word for it.
        let atomic = if build.contains("-gdwarf-4") { "Signed32" } else { "Atomic Signed32" };
        assert_eq!(global(&program, "atomic"), atomic, "{build}");
        let Type::Typedef { target, .. } = &*program.global("title").ty else { panic!("text is no typedef") };
        assert_eq!(spell(&target.get()), "*Const SignedChar8");
        let both = program.global("cvi").ty;
        let Type::Qualified { qualifier, target } = &*both else { panic!("{both:?}") };
        let Type::Qualified { qualifier: second, .. } = &*target.get() else { panic!("{both:?}") };
        let mut qualifiers = [*qualifier, *second];
        qualifiers.sort_by_key(|q| *q != Qualifier::Const);
        assert_eq!(qualifiers, [Qualifier::Const, Qualifier::Volatile], "{build}");
    }
}

#[test]
fn a_struct_can_point_to_itself() {
    let program = build("gcc", "-g", &["base_types.c"]);
    let list = record(&program.image, TypeTag::Struct, "list");
    assert_eq!(layout(&list), ["next: *Struct list 16 @ 0", "value: Signed32 @ 8"]);
}

#[test]
fn enumerators_have_values_and_signs() {
    for (build, program) in every_build(&["base_types.c"]) {
        for (name, spelled, enumerators) in [
            ("colour", "Enum colour u32", vec![("RED", 0), ("GREEN", 5), ("BLUE", 6)]),
            ("sign", "Enum sign i32", vec![("MINUS", -1), ("PLUS", 200)]),
            ("large", "Enum large u64", vec![("LARGE", 0x12_3456_7890), ("LARGER", u64::MAX.into())]),
        ] {
            let ty = program.image.type_named(Some(TypeTag::Enum), name).unwrap();
            assert_eq!(spell(&ty), spelled, "{build}");
            let Type::Enumeration(e) = &*ty else { panic!("{name} is {ty:?}") };
            let found: Vec<_> = e.enumerators.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            assert_eq!(found, enumerators, "{build}");
        }
        let (ty, value) = program.image.enumerator_in(&[], "PLUS").unwrap();
        assert_eq!((spell(&ty).as_str(), value), ("Enum sign i32", 200), "{build}");
        assert!(program.image.enumerator_in(&[], "colour").is_none());
    }
}

#[test]
fn types_are_named_in_their_name_space() {
    let program = build("gcc", "-g", &["base_types.c"]);
    let named = |tag, name| program.image.type_named(tag, name).map(|ty| spell(&ty));
    assert_eq!(named(None, "text").as_deref(), Some("text"));
    assert_eq!(named(None, "unsigned long").as_deref(), Some("Unsigned64"));
    assert_eq!(named(None, "long long").as_deref(), Some("Signed64"));
    assert_eq!(named(None, "double").as_deref(), Some("Float64"));
    assert_eq!(named(Some(TypeTag::Struct), "list").as_deref(), Some("Struct list 16"));
    assert_eq!(named(Some(TypeTag::Struct), "opaque").as_deref(), Some("Struct opaque incomplete"));
    for (tag, name) in [
        (None, "list"),
        (None, "colour"),
        (Some(TypeTag::Union), "list"),
        (Some(TypeTag::Enum), "list"),
        (Some(TypeTag::Struct), "text"),
        (None, ""),
        (None, "::"),
    ] {
        assert_eq!(named(tag, name), None, "{tag:?} {name}");
    }
}

#[test]
fn functions_have_types() {
    for (build, program) in every_build(&["base_types.c"]) {
        let add = program.image.functions_named("add")[0].die.unwrap();
        let ty = program.image.function_type(add).unwrap();
        assert_eq!(spell(&ty), "fn(Signed32, Signed16) Signed64", "{build}");
        assert!(program.image.function_type(program.global("list").die).is_none());
    }
}

#[test]
fn bit_fields_are_where_the_abi_puts_them() {
    let mut programs = every_build(&["bitfields.c"]);
    // DWARF 2 and 3 count from the other end.
    programs.push(("dwarf-3".to_owned(), build("gcc", "-gdwarf-3 -gstrict-dwarf", &["bitfields.c"])));
    programs.push(("dwarf-2".to_owned(), build("gcc", "-gdwarf-2 -gstrict-dwarf", &["bitfields.c"])));
    for (build, program) in programs {
        let flags = record(&program.image, TypeTag::Struct, "flags");
        assert_eq!(
            layout(&flags),
            [
                "ready: Unsigned32 @ 0.0:1",
                "mode: Unsigned32 @ 0.1:3",
                "delta: Signed32 @ 0.4:5",
                "after: Unsigned32 @ 4.0:7",
                "wide: Signed64 @ 8.0:40",
                "yes: Bool8 @ 13.0:1",
                "plain: SignedChar8 @ 14",
            ],
            "{build}"
        );
        assert_eq!(flags.size, Some(16));
        let straddling = record(&program.image, TypeTag::Struct, "straddling");
        assert_eq!(
            layout(&straddling),
            [
                "head: UnsignedChar8 @ 0",
                "a: Unsigned32 @ 1.0:3",
                "b: Unsigned32 @ 1.3:13",
                "c: Unsigned32 @ 3.0:17",
                "tail: UnsignedChar8 @ 6",
            ],
            "{build}"
        );
        let overlay = record(&program.image, TypeTag::Union, "overlay");
        assert_eq!(layout(&overlay), ["low: Unsigned32 @ 0.0:4", "whole: UnsignedChar8 @ 0"], "{build}");
    }
}

#[test]
fn members_without_a_name_stay_without() {
    for (build, program) in every_build(&["anonymous_members.c"]) {
        let event = record(&program.image, TypeTag::Struct, "event");
        assert_eq!(layout(&event), ["kind: Signed32 @ 0", "-: Union - 8 @ 8", "colour: Struct - 3 @ 16"], "{build}");
        let ty = event.members[1].ty.get();
        let Type::Record(union) = &*ty else { panic!("{ty:?}") };
        assert_eq!(layout(union), ["-: Struct - 4 @ 0", "value: Float64 @ 0", "named: Struct - 1 @ 0"], "{build}");
        let ty = program.global("thing").ty;
        assert_eq!(spell(&ty), "untagged");
        let Type::Typedef { target, .. } = &*ty else { panic!("{ty:?}") };
        assert_eq!(spell(&target.get()), "Struct - 4");
    }
}

#[test]
fn arrays_nest_from_their_first_dimension() {
    for (build, program) in every_build(&["arrays.c"]) {
        for (name, expected) in [
            ("matrix", "[2][3][4]Signed32"),
            ("names", "[5]*SignedChar8"),
            ("rows", "*[7]Signed32"),
            ("lanes", "vector"),
        ] {
            assert_eq!(global(&program, name), expected, "{build}");
        }
        let packet = record(&program.image, TypeTag::Struct, "packet");
        assert_eq!(layout(&packet), ["length: Signed32 @ 0", "payload: []SignedChar8 @ 4"], "{build}");
        let old = record(&program.image, TypeTag::Struct, "old_packet");
        assert_eq!(layout(&old), ["length: Signed32 @ 0", "payload: [0]SignedChar8 @ 4"], "{build}");
    }
}

#[test]
fn declarations_resolve_to_definitions_of_other_units() {
    for (build, program) in every_build(&["incomplete_user.c", "incomplete_definer.c"]) {
        assert_eq!(global(&program, "kept"), "*Struct hidden 16", "{build}");
        assert_eq!(global(&program, "chosen"), "*Union either 4", "{build}");
        assert_eq!(global(&program, "lost"), "*Struct nowhere incomplete", "{build}");
    }
}

#[test]
fn cpp_types_carry_their_scopes() {
    for compiler in ["g++", "clang++"] {
        for flags in ["-gdwarf-4", "-gdwarf-5", "-gdwarf-4 -fdebug-types-section", "-gdwarf-5 -fdebug-types-section"] {
            let program = build(compiler, &format!("{flags} -std=c++17"), &["classes.cpp"]);
            let build = format!("{compiler} {flags}");
            for (name, expected) in [
                ("point", "Struct geometry::Point 8"),
                ("reference", "&Struct geometry::Point 8"),
                ("rvalue", "&&Struct geometry::Point 8"),
                ("member", "geometry::Point::*Signed32 64"),
                ("method", "geometry::Point::*fn(Const *Const Struct geometry::Point 8) Signed32 128"),
                ("nothing", "Unsigned64"),
                ("shape", "Class Shape 32"),
                ("wide", "Utf32"),
            ] {
                assert_eq!(global(&program, name), expected, "{build}: {name}");
            }
            let point = record(&program.image, TypeTag::Struct, "Point");
            assert_eq!(layout(&point), ["x: Signed32 @ 0", "y: Signed32 @ 4"], "{build}");
            let shape = record(&program.image, TypeTag::Struct, "Shape");
            assert_eq!(
                layout(&shape),
                [
                    "base Named: Class Named 16 @ 0",
                    "base geometry::Point: Struct geometry::Point 8 @ 16",
                    "style: Struct Shape::Style 1 @ 24",
                    "axis: Enum geometry::Axis u8 @ 25",
                ],
                "{build}"
            );
            let left = record(&program.image, TypeTag::Struct, "Left");
            let [base] = left.virtual_bases.as_slice() else { panic!("{left:?}") };
            // The table begins with the offset of the base, that to the top of the object, and the type information.
            assert_eq!((spell(&base.ty.get()).as_str(), base.entry, base.before), ("Class Named 16", 24, 0), "{build}");
            let point = record(&program.image, TypeTag::Struct, "geometry::Point");
            let statics: Vec<_> =
                point.statics.iter().map(|s| (s.name.as_str(), spell(&s.ty.get()), s.before)).collect();
            assert_eq!(statics, [("count", "Signed32".to_owned(), 2)], "{build}");
            let outer = record(&program.image, TypeTag::Struct, "Box<Box<int> >");
            let [Argument::Type(inner)] = outer.arguments.as_slice() else { panic!("{outer:?}") };
            assert_eq!(spell(&inner.get()), "Struct Box<int> 4", "{build}");
            let ty = program.image.type_named(None, "geometry::Axis").unwrap();
            let Type::Enumeration(axis) = &*ty else { panic!("{ty:?}") };
            assert_eq!(axis.enumerators, [("X".to_owned(), 0), ("Y".to_owned(), 200)]);
            let (ty, value) = program.image.enumerator_in(&[], "Axis::Y").unwrap();
            assert_eq!((spell(&ty).as_str(), value), ("Enum geometry::Axis u8", 200), "{build}");
        }
    }
}

#[test]
fn types_know_their_names() {
    let program = build("gcc", "-g", &["base_types.c"]);
    let name_of = |variable: &str| match &*program.global(variable).ty {
        Type::Base { name, encoding, .. } => (name.clone(), *encoding),
        other => panic!("{other:?}"),
    };
    assert_eq!(name_of("ull"), ("long long unsigned int".to_owned(), Encoding::Unsigned));
    assert_eq!(name_of("flag"), ("_Bool".to_owned(), Encoding::Bool));
    let kind = record(&program.image, TypeTag::Struct, "list").kind;
    assert_eq!(kind, RecordKind::Struct);
}

/// Types of the variables of `sum` in `vla.c`, with and without a frame to measure them: one whose stack has this
/// byte everywhere, so that this is what each bound is.
fn vla_types(program: &Program, byte: u8) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let pc = program.line("vla.c", 14);
    let mut frame = Frame::at(pc);
    frame.registers.insert(6, 0x7fff_1000);
    frame.cfa = Some(0x7fff_1010);
    for word in (0x7fff_0e00u64..0x7fff_1000).step_by(8) {
        frame.write(word, &u64::from(byte).to_le_bytes());
    }
    let variables = program.image.variables_at(pc, 0);
    let declared = variables.iter().map(|v| (v.name.clone(), spell(&v.ty))).collect();
    let concrete = |ty| spell(&program.image.concrete_type(ty, &mut frame));
    let measured: Vec<_> =
        variables.iter().map(|v| v.name.clone()).zip(variables.iter().map(|v| &v.ty).map(concrete)).collect();
    (declared, measured.into_iter().collect())
}

#[test]
fn variable_length_arrays_are_dynamic_until_a_frame_measures_them() {
    for (compiler, flags, count) in [
        // GCC keeps the upper bound, Clang the number of elements.
        ("gcc", "-gdwarf-4 -O0", 6),
        ("gcc", "-gdwarf-5 -O0", 6),
        ("clang", "-gdwarf-4 -O0", 5),
        ("clang", "-gdwarf-5 -O0", 5),
    ] {
        let program = build(compiler, flags, &["vla.c"]);
        let (declared, measured) = vla_types(&program, 5);
        let build = format!("{compiler} {flags}");
        assert_eq!(declared["line"], "[?]Signed32", "{build}");
        assert_eq!(declared["grid"], "[?][?]Signed16", "{build}");
        assert_eq!(declared["text"], "buffer", "{build}");
        assert_eq!(declared["fixed"], "[4]Signed32", "{build}");
        assert_eq!(measured["line"], format!("[{count}]Signed32"), "{build}");
        assert_eq!(measured["grid"], format!("[{count}][{count}]Signed16"), "{build}");
        assert_eq!(measured["text"], "buffer", "{build}");
        assert_eq!(measured["fixed"], "[4]Signed32", "{build}");
        if compiler == "gcc" {
            assert_eq!(declared["pointer"], "*[?]Signed32", "{build}");
            assert_eq!(measured["pointer"], format!("*[{count}]Signed32"), "{build}");
        }
    }
}

#[test]
fn a_bound_is_in_the_variable_that_link_time_optimisation_has_left_of_another() {
    let program = build("gcc", "-g -O2 -flto", &["lto_array.c"]);
    let pc = program.line("lto_array.c", 9);
    let grid = program.image.variables_at(pc, 0).into_iter().find(|v| v.name == "grid").unwrap().ty;
    assert_eq!(spell(&grid), "*[?]Signed16");
    let mut frame = Frame::at(pc);
    // The first parameter: the bound is computed from it, in a register that calls preserve.
    frame.registers.extend([3, 5, 6].map(|register| (register, 4)));
    assert_eq!(spell(&program.image.concrete_type(&grid, &mut frame)), "*[4]Signed16");
    // No function that has the variable.
    let main = program.image.functions_named("main")[0].entry;
    assert_eq!(spell(&program.image.concrete_type(&grid, &mut Frame::at(main))), "*[]Signed16");
}

#[test]
fn a_variable_length_array_can_be_empty() {
    let program = build("gcc", "-g -O0", &["vla.c"]);
    let pc = program.line("vla.c", 14);
    let mut frame = Frame::at(pc);
    frame.cfa = Some(0x7fff_1010);
    for address in 0x7fff_0e00..0x7fff_1000 {
        frame.write(address, &[0xff]);
    }
    let variables = program.image.variables_at(pc, 0);
    let line = variables.iter().find(|v| v.name == "line").unwrap();
    assert_eq!(spell(&program.image.concrete_type(&line.ty, &mut frame)), "[0]Signed32");
}

#[test]
fn a_bound_that_the_frame_does_not_know_is_unknown() {
    let program = build("gcc", "-g -O0", &["vla.c"]);
    let pc = program.line("vla.c", 14);
    let variables = program.image.variables_at(pc, 0);
    let line = variables.iter().find(|v| v.name == "line").unwrap();
    let concrete = program.image.concrete_type(&line.ty, &mut Frame::at(pc));
    assert_eq!(spell(&concrete), "[]Signed32");
}

#[test]
fn a_name_means_what_has_just_that_name_first() {
    for compiler in ["g++", "clang++"] {
        let program = build(compiler, "-g -std=c++17", &["classes.cpp"]);
        let named = |tag, name| program.image.type_named(tag, name).map(|ty| spell(&ty));
        for (tag, name, expected) in [
            (Some(TypeTag::Struct), "message", "Struct message 8"),
            (Some(TypeTag::Struct), "::message", "Struct message 8"),
            (None, "message", "Struct message 8"),
            (None, "kernel::message", "Struct kernel::message 2"),
            (None, "word", "Struct word 1"),
            (None, "kernel::word", "kernel::word"),
        ] {
            assert_eq!(named(tag, name).as_deref(), Some(expected), "{compiler} {name}");
        }
        let found = program.image.globals_named(None, "sequence");
        let names: Vec<_> = found.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["sequence", "kernel::sequence"], "{compiler}");
    }
}

#[test]
fn rust_enums_have_variants() {
    let program = build("rustc", "-g", &["rust_types.rs"]);
    let holder = record(&program.image, TypeTag::Struct, "rust_types::Holder");
    let mut members: Vec<_> = holder
        .members
        .iter()
        .map(|member| format!("{}: {}", member.name.as_deref().unwrap_or("-"), spell(&member.ty.get())))
        .collect();
    members.sort_unstable();
    assert_eq!(
        members,
        [
            "letter: Utf32",
            "maybe: Struct core::option::Option<&u32> 8",
            "pair: Struct (i8, i64) 16",
            "plain: Enum rust_types::Plain u8",
            "shape: Struct rust_types::Shape 8",
            "text: Struct &str 16",
            "unit: Unsigned0",
        ]
    );
    let shape = record(&program.image, TypeTag::Struct, "Shape");
    let variants = shape.variants.unwrap();
    assert_eq!(variants.discriminant.as_deref().map(member), Some("-: Unsigned16 @ 0".to_owned()));
    let list: Vec<_> =
        variants.list.iter().map(|v| (v.member.name.as_deref().unwrap(), v.values.to_vec(), v.member.offset)).collect();
    assert_eq!(list, [("Empty", vec![0..=0], 0), ("Circle", vec![1..=1], 0), ("Rectangle", vec![2..=2], 0)]);
    let maybe = record(&program.image, TypeTag::Struct, "core::option::Option<&u32>").variants.unwrap();
    // The reference's niche: only null means `None`.
    let values: Vec<_> = maybe.list.iter().map(|v| v.values.to_vec()).collect();
    assert_eq!(values, [vec![0..=0], vec![]]);
    let ty = program.image.type_named(None, "Plain").unwrap();
    let Type::Enumeration(plain) = &*ty else { panic!("{ty:?}") };
    assert_eq!(plain.enumerators, [("One".to_owned(), 1), ("Many".to_owned(), 200)]);
}

#[test]
fn classes_are_declared_with_all_that_they_declare() {
    let all = Contents { methods: true, typedefs: true, offsets: false };
    let expected = [
        (
            "shop::Plain",
            "struct shop::Plain {
    int x;
  public:
    Plain(int);
    int get(void) const volatile;
    void log(const char *, ...);
    static void reset(void);

    typedef int number;
}",
        ),
        (
            "shop::Base",
            "class shop::Base {
  public:
    int shared;
  protected:
    int kept;
  private:
    int hidden;
  public:
    static int count;

    virtual ~Base(void);
    Base(int);
  private:
    virtual int area(void) const;
  public:
    static int make(int, const char *);
    void over(int);
    void over(double) const;
    shop::Base & operator=(const shop::Base &);
    operator bool(void) const;
    void take(void) &&;
}",
        ),
        (
            "shop::Derived",
            "class shop::Derived : public shop::Base, protected virtual shop::Plain {
  private:
    int own;

  public:
    Derived(void);
}",
        ),
    ];
    for compiler in ["g++", "clang++"] {
        for version in [4, 5] {
            let program = build(compiler, &format!("-O0 -gdwarf-{version}"), &["access.cpp"]);
            for (name, text) in expected {
                let ty = program.image.type_named(None, name).unwrap();
                let shown = definition(&ty, Dialect::Cxx, all);
                assert_eq!(shown, text, "{compiler} {version}");
                let data = definition(&ty, Dialect::Cxx, Contents { methods: false, typedefs: false, offsets: false });
                assert!(!data.contains('(') && !data.contains("typedef"), "{data}");
            }
        }
    }
}
