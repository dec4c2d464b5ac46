//! The library's values: against what GDB prints on the same recording, and as numbers, texts, fields and elements.

use crate::support::fixtures::{line, program};
use crate::support::gdb::Gdb;
use crate::support::recordings::{recording, recording_of, rr};
use retrograde::{ErrorKind, Kind, Replay, Unknown, Value};

/// A replay of a fixture at a marked line.
fn at(fixture: &str, source: &str, mark: &str) -> Replay {
    let mut replay = Replay::options().rr(rr().program()).open(recording(fixture).trace).unwrap();
    let stop = {
        replay.breakpoint(format!("{source}:{}", line(source, mark))).temporary().set().unwrap();
        replay.run().unwrap()
    };
    let there = stop.frame.location.unwrap().line;
    // Of a function, that is behind its prologue.
    assert!((0..3).contains(&(u64::from(there) - line(source, mark))), "{there}");
    replay
}

const EXPRESSIONS: [&str; 46] = [
    "truth",
    "letter",
    "negative",
    "octet",
    "small",
    "ushort_value",
    "integer",
    "unsigned_value",
    "long_value",
    "word_value",
    "huge",
    "single_value",
    "double_value",
    "extended",
    "complex_value",
    "text",
    "padded",
    "embedded",
    "string",
    "null_string",
    "matrix",
    "matrix[1]",
    "repeated",
    "many",
    "colour",
    "odd_colour",
    "flags",
    "unknown_flags",
    "where",
    "bits",
    "bits.middle",
    "number",
    "outer",
    "outer.self->where.y",
    "handler",
    "handlers",
    "opaque",
    "pointer",
    "*pointer",
    "qualified",
    "incomplete",
    "&where",
    "&where.y",
    "integer + letter",
    "many[17] * 2.5",
    "shadow",
];

#[test]
fn values_are_shown_as_gdb_prints_them() {
    let replay = at("types", "types.c", "return");
    let mut gdb = Gdb::start(replay.recording(), &program("types"));
    gdb.console(&format!("break types.c:{}", line("types.c", "return"))).unwrap();
    gdb.run("-exec-continue").unwrap();
    for expression in EXPRESSIONS {
        let value = replay.eval(expression).unwrap();
        let theirs = |gdb: &mut Gdb, command: &str| gdb.console(&format!("{command} {expression}")).unwrap();
        assert_eq!(value.to_string(), theirs(&mut gdb, "output").trim_end(), "{expression}");
        let whatis = theirs(&mut gdb, "whatis");
        assert_eq!(format!("type = {}", value.type_name()), whatis.trim_end(), "{expression}");
        if matches!(value.kind(), Kind::Integer | Kind::Enumeration | Kind::Array | Kind::Structure) {
            assert_eq!(format!("{value:x}"), theirs(&mut gdb, "output/x").trim_end(), "{expression}");
        }
        assert_eq!(
            value.size().map(|n| n.to_string()),
            gdb.console(&format!("output sizeof({expression})")).ok().map(|n| n.trim_end().to_owned()),
            "{expression}"
        );
        // Taken out, it is the same, and what is in it is there still.
        assert_eq!(value.detach().to_string(), value.to_string(), "{expression}");
    }
}

#[test]
fn numbers_truth_values_and_texts_come_out_of_values() {
    let replay = at("types", "types.c", "return");
    let value = |expression: &str| replay.eval(expression).unwrap();
    assert_eq!(value("truth").as_bool(), Some(true));
    assert!(bool::try_from(value("truth")).unwrap());
    assert_eq!(i32::try_from(value("integer")).unwrap(), -70_000);
    assert_eq!(i8::try_from(value("negative")).unwrap(), -2);
    assert_eq!(u32::try_from(value("unsigned_value")).unwrap(), 4_000_000_000);
    assert_eq!(value("word_value").as_u64(), Some(u64::MAX));
    assert_eq!(value("word_value").as_i128(), Some(i128::from(u64::MAX)));
    assert_eq!(i128::try_from(value("huge")).unwrap(), 1 << 100);
    assert_eq!(value("huge").as_u64(), None);
    assert_eq!(value("single_value").as_f64(), Some(1.5));
    assert_eq!(f64::try_from(value("extended")).unwrap(), 2.25);
    assert_eq!(value("letter").as_i128(), Some(97));
    assert_eq!(value("colour").as_i128(), Some(5));
    assert_eq!(value("bits.middle").as_i128(), Some(-3));
    assert_eq!(value("bits.high").as_u64(), Some(0x12_3456_789a));
    assert_eq!(value("text").as_str().as_deref(), Some("hello"));
    assert_eq!(value("padded").as_str().as_deref(), Some("hi"));
    assert_eq!(String::try_from(value("string")).unwrap(), "a \"quoted\" string\n");
    assert_eq!(value("null_string").as_str(), None);
    assert_eq!(value("null_string").as_pointer(), Some(0));
    assert_eq!(value("pointer").as_pointer(), value("integer").address());
    assert_eq!(value("where").bytes().unwrap(), [3, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff]);
    for (failed, kind, words) in [
        (i8::try_from(value("integer")).err(), ErrorKind::Type, "`-70000` does not fit into `i8`"),
        (u32::try_from(value("integer")).err(), ErrorKind::Type, "`-70000` does not fit into `u32`"),
        (i32::try_from(value("single_value")).err(), ErrorKind::Type, "`1.5` of type `float` is not an integer"),
    ] {
        let error = failed.unwrap();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, words));
    }
}

#[test]
fn structures_arrays_and_pointers_are_gone_through() {
    let replay = at("types", "types.c", "return");
    let value = |expression: &str| replay.eval(expression).unwrap();
    let names = |value: &Value<'_>| value.fields().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let outer = value("outer");
    assert_eq!(names(&outer), ["tag", "as_int", "first", "second", "where", "self", "action", "flexible"]);
    assert_eq!(outer.field("second").unwrap().as_i128(), Some(2));
    let behind = outer.field("self").unwrap().pointee().unwrap();
    assert_eq!(behind.address(), outer.address());
    assert_eq!(behind.field("where").unwrap().field("y").unwrap().as_i128(), Some(20));
    let error = outer.field("nothing").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Type);
    assert!(error.to_string().contains("has no field `nothing`: there are tag, as_int,"), "{error}");
    assert_eq!(
        (outer.kind(), value("number").kind(), value("handler").kind()),
        (Kind::Structure, Kind::Union, Kind::Pointer)
    );
    let matrix = value("matrix");
    assert_eq!(matrix.length(), Some(2));
    let sums: Vec<i128> =
        matrix.elements().unwrap().map(|row| row.elements().unwrap().filter_map(|n| n.as_i128()).sum()).collect();
    assert_eq!(sums, [6, 15]);
    let many = value("many");
    assert_eq!(many.elements().unwrap().count(), 300);
    assert_eq!(many.element(299).unwrap().as_i128(), Some(299));
    assert_eq!(many.element(300).unwrap_err().to_string(), "index 300 is out of range: there are 300");
    assert_eq!(value("&many[3]").element(4).unwrap().as_i128(), Some(7));
    assert_eq!(value("integer").elements().err().unwrap().kind(), ErrorKind::Type);
    assert_eq!(value("opaque").pointee().unwrap_err().kind(), ErrorKind::Type);
    // What is not there is a value, too.
    let wild = value("*null_string");
    assert_eq!(wild.unknown(), Some(Unknown::Memory(0)));
    assert_eq!(i32::try_from(wild).unwrap_err().kind(), ErrorKind::Unknown);
    assert_eq!(value("*null_string + 1").unknown(), Some(Unknown::Memory(0)));
    assert_eq!(replay.eval("nothing").unwrap_err().kind(), ErrorKind::NoSymbol);
    assert_eq!(replay.eval("1 +").unwrap_err().kind(), ErrorKind::Expression);
    assert_eq!(replay.eval("integer = 1").unwrap_err().kind(), ErrorKind::Expression);
}

#[test]
fn what_the_optimiser_has_removed_is_said_to_be_unknown() {
    let mut replay = Replay::options().rr(rr().program()).open(recording("optimised").trace).unwrap();
    replay.breakpoint("dereferenced").set().unwrap();
    replay.run().unwrap();
    let is_there = (0..10).any(|_| {
        replay.next_instruction().unwrap();
        replay.stop().frame.function.as_deref() == Some("dereferenced")
    });
    assert!(is_there);
    let pointer = replay.eval("p").unwrap();
    assert_eq!((pointer.unknown(), pointer.as_pointer()), (Some(Unknown::SyntheticPointer), None));
    assert_eq!(pointer.pointee().unwrap().to_string(), "{x = 5, y = 6}");
    assert_eq!(pointer.pointee().unwrap().field("y").unwrap().as_i128(), Some(6));
    let lost = replay.eval("p[1].x").unwrap();
    assert_eq!((lost.unknown(), lost.to_string().as_str()), (Some(Unknown::OptimizedOut), "<optimized out>"));
    assert_eq!(replay.eval("p[1].x + 1").unwrap().unknown(), Some(Unknown::OptimizedOut));
}

#[test]
fn containers_of_cxx_are_what_they_mean() {
    let replay = at("library_types", "library_types.cpp", "filled");
    let value = |expression: &str| replay.eval(expression).unwrap();
    let numbers = |value: &Value<'_>| -> Vec<i128> { value.elements().unwrap().filter_map(|n| n.as_i128()).collect() };
    assert_eq!(value("small").as_str().as_deref(), Some("small"));
    assert_eq!(value("embedded").as_str().as_deref(), Some("a\0b"));
    assert_eq!(value("umlaut").as_str().as_deref(), Some("grün"));
    assert_eq!(value("huge_text").as_str().map(|text| text.len()), Some(100_000));
    assert_eq!(value("wide").as_str().as_deref(), Some("wide"));
    assert_eq!(value("utf16").as_str().as_deref(), Some("sixteen"));
    assert_eq!(value("view").length(), Some(6));
    assert_eq!((value("reference").kind(), value("reference").as_str().as_deref()), (Kind::Text, Some("small")));
    assert_eq!(numbers(&value("numbers")), [1, 2, 3]);
    assert_eq!((value("numbers").kind(), value("numbers").length()), (Kind::Sequence, Some(3)));
    assert_eq!(value("thousand").element(999).unwrap().as_i128(), Some(999));
    assert_eq!(value("thousand").element(1000).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!(numbers(&value("fixed")), [4, 5, 6]);
    assert_eq!(numbers(&value("chain")), [7, 8, 9]);
    assert_eq!(numbers(&value("no_numbers")), [0i128; 0]);
    let nested: Vec<_> = value("nested").elements().unwrap().map(|inner| numbers(&inner)).collect();
    assert_eq!(nested, [vec![1], vec![2, 3]]);
    let items: Vec<_> = value("items").elements().unwrap().map(|item| item.field("name").unwrap().as_str()).collect();
    assert_eq!(items, [Some("pen".to_owned()), Some("ink".to_owned())]);
    let names = value("names");
    assert_eq!(names.kind(), Kind::Map);
    let entries: Vec<_> =
        names.entries().unwrap().map(|(key, text)| (key.as_i128().unwrap(), text.as_str().unwrap())).collect();
    assert_eq!(entries, [(1, "one".to_owned()), (2, "two".to_owned()), (3, "three".to_owned())]);
    assert_eq!(value("hashed").entries().unwrap().next().unwrap().0.as_str().as_deref(), Some("key"));
    assert_eq!((value("owner").kind(), value("owner").pointee().unwrap().as_i128()), (Kind::Pointer, Some(21)));
    assert_eq!(value("item").pointee().unwrap().field("code").unwrap().as_i128(), Some(4));
    assert_eq!(value("shared").pointee().unwrap().as_i128(), Some(22));
    assert_eq!(value("atomic").as_i128(), Some(33));
    let thing = value("thing");
    assert_eq!(thing.field("name").unwrap().as_str().as_deref(), Some("thing"));
    assert_eq!(thing.field("shop::Item").unwrap().field("code").unwrap().as_i128(), Some(9));
    assert_eq!(value("names").detach().to_string(), names.to_string());
}

#[test]
fn objects_of_rust_are_what_they_mean() {
    let mut replay = at("library_types-rust", "library_types.rs", "filled");
    let value = |expression: &str| replay.eval(expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
    assert_eq!(value("held.text").as_str().as_deref(), Some("text"));
    assert_eq!(value("held.slice").as_str().as_deref(), Some("slice"));
    let numbers: Vec<i32> = value("held.vec").elements().unwrap().map(|n| n.try_into().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(value("held.some").variant().as_deref(), Some("Some"));
    let some = value("held.some");
    assert_eq!((some.kind(), some.field("0").unwrap().as_i128().is_some()), (Kind::Variant, true));
    assert_eq!(value("held.none").variant().as_deref(), Some("None"));
    assert_eq!(value("held.none").fields().len(), 0);
    assert_eq!(value("held.bad").variant().as_deref(), Some("Err"));
    let events: Vec<_> = value("held.events").elements().unwrap().map(|event| event.variant()).collect();
    assert_eq!(events, ["Nothing", "Key", "Click"].map(|name| Some(name.to_owned())));
    let click = value("held.events").element(2).unwrap();
    let fields: Vec<_> = click.fields().into_iter().map(|(name, _)| name).collect();
    assert_eq!(fields, ["x", "y"]);
    assert_eq!(value("held.boxed").kind(), Kind::Pointer);
    assert!(value("held.boxed").pointee().unwrap().as_i128().is_some());
    assert_eq!(value("held.rc").pointee().unwrap().as_i128(), Some(5));
    assert_eq!(value("held.tree").kind(), Kind::Map);
    assert_eq!(value("held.tree").entries().unwrap().count() as u64, value("held.tree").length().unwrap());
    assert_eq!(value("held.pair").fields().len(), 2);
    assert!(value("held.atomic").as_u64().is_some());
    // A value that was taken out outlives a movement.
    let text = value("held.text").detach();
    replay.next().unwrap();
    assert_eq!(text.to_string(), "\"text\"");
}

#[test]
fn values_of_arguments_are_those_of_the_selected_frame() {
    let trace = recording_of("recursion", &[]).trace;
    let mut replay = Replay::options().rr(rr().program()).open(trace).unwrap();
    replay.breakpoint("down").condition("n == 0").set().unwrap();
    replay.run().unwrap();
    for level in [0u32, 1, 4] {
        replay.select_frame(level).unwrap();
        let arguments = replay.arguments().unwrap();
        assert_eq!((arguments.len(), arguments[0].name.as_str()), (1, "n"));
        assert_eq!(u32::try_from(&arguments[0].value).unwrap(), level);
    }
    let depth = replay.backtrace(100).unwrap();
    assert_eq!((depth.frames.len(), depth.truncated), (6, None));
    assert_eq!(replay.select_frame(9).unwrap_err().kind(), ErrorKind::NoFrame);
    let sp: u64 = replay.register("sp").unwrap().try_into().unwrap();
    let rsp = replay.registers().unwrap().into_iter().find(|register| register.name == "rsp").unwrap();
    assert_eq!(rsp.value.as_u64(), Some(sp));
    assert_eq!(replay.memory(sp, 8).unwrap(), replay.eval("*(long *)$sp").unwrap().bytes().unwrap());
    assert_eq!(replay.memory(0, 8).unwrap_err().kind(), ErrorKind::Memory);
    assert_eq!(replay.register("nothing").unwrap_err().kind(), ErrorKind::NoRegister);
    assert_eq!(replay.register("rax + 1").unwrap_err().kind(), ErrorKind::NoRegister);
}
