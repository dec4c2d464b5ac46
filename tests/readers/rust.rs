//! Rust: the library's types, enums and pointers.

use crate::program::Program;
use ctype::{Dialect, Options, Place, render};

/// Members of `Held` in `library_types.rs` and what they mean.
pub const VALUES: &[(&str, &str)] = &[
    ("text", r#""text""#),
    ("empty", r#""""#),
    ("slice", r#""slice""#),
    ("vec", "vec![1, 2, 3]"),
    ("words", r#"vec!["a", "b\n"]"#),
    ("nothing", "vec![]"),
    ("units", "vec![(), ()]"),
    ("deque", "VecDeque[2, 3, 4, 5]"),
    ("boxed", "Box(7)"),
    ("list", "Box[1, 2]"),
    ("boxed_text", r#""boxed""#),
    ("part", "&[4, 5]"),
    ("rc", "Rc { value: 5, strong: 1, weak: 1 }"),
    ("weak", "(Weak)"),
    ("gone", "(Weak)"),
    ("dangling", "(Weak)"),
    ("arc", r#"Arc { value: "arc", strong: 1, weak: 0 }"#),
    ("rc_text", r#"Rc { value: "shared", strong: 1, weak: 0 }"#),
    ("cell", "Cell { value: 8 }"),
    ("refcell", r#"RefCell { value: "ref", borrow: 0 }"#),
    ("mutex", "Mutex { data: 9, poisoned: false, locked: false }"),
    ("rwlock", "RwLock { data: 3, poisoned: false }"),
    ("some", "Some(3)"),
    ("none", "None"),
    ("full", "Some(Box(2))"),
    ("niche", "Some(6)"),
    ("ok", "Ok(1)"),
    ("bad", r#"Err("bad")"#),
    ("nested", "Some(None)"),
    ("events", "[Nothing, Key('k'), Click { x: -1, y: 2 }]"),
    ("level", "Low"),
    ("hash", r#"HashMap{"key": 42}"#),
    ("no_hash", "HashMap{}"),
    ("hash_set", "HashSet{11}"),
    ("tree", r#"BTreeMap{1: "one", 2: "two"}"#),
    ("no_tree", "BTreeMap{}"),
    ("tree_set", "BTreeSet{'x', 'y'}"),
    ("os", r#""os""#),
    ("path", r#""/tmp""#),
    ("path_ref", r#""etc""#),
    ("c", r#""c""#),
    ("shape", "Box(Square { side: 3 })"),
    ("shape_ref", "&Square { side: 4 }"),
    ("shape_rc", "Rc { value: Circle, strong: 1, weak: 0 }"),
    ("pair", "(-1, 'z')"),
    ("single", "(1,)"),
    ("array", "[1, 2, 3]"),
    ("letters", r"['a', '\n']"),
    ("atomic", "1"),
    ("flag", "true"),
    ("unit", "()"),
    ("ordering", "Less"),
    ("duration", "1.5s"),
    ("range", "Range { start: 1, end: 4 }"),
    ("metres", "Metres(2.5)"),
    ("marker", "Unit"),
    ("reference", "&High"),
    ("huge", "-170141183460469231731687303715884105728"),
    ("linked", "LinkedList[1, 2, 3]"),
    ("no_linked", "LinkedList[]"),
    ("heap", "BinaryHeap[4, 1, 3]"),
    ("once", "OnceCell(4)"),
    ("no_once", "OnceCell(<uninit>)"),
    ("once_lock", r#"OnceLock("locked")"#),
    ("no_once_lock", "OnceLock(<uninit>)"),
    ("lazy", r#"LazyLock("lazy")"#),
    ("no_lazy", "LazyLock(<uninit>)"),
    ("lazy_cell", "LazyCell(18)"),
    ("no_lazy_cell", "LazyCell(<uninit>)"),
    ("shared", "Rc { value: RefCell { value: vec![10, 20, 30], borrow: 0 }, strong: 1, weak: 0 }"),
    ("threefold", r#"&&"deep""#),
    ("pinned", "Pin(Box(5))"),
    ("c_ref", r#""borrowed""#),
    ("manual", "ManuallyDrop { value: vec![1] }"),
];

#[test]
fn library_and_enums() {
    let mut program = Program::start("library_types-rust", Dialect::Rust);
    for (member, value) in VALUES {
        assert_eq!(program.show(&format!("(*HELD.p.value).{member}")), *value, "{member}");
    }
    let function = program.show("(*HELD.p.value).function");
    assert!(function.starts_with("(fn(i32) -> i32) 0x") && function.ends_with(" <library_types::twice>"), "{function}");
    let pointer = program.show("(*HELD.p.value).pointer");
    assert!(pointer.starts_with("(*const u32) 0x") && pointer.ends_with(" <library_types::SQUARE>"), "{pointer}");
    // A tree of several levels, and a hash table of several groups.
    let big = program.show("(*HELD.p.value).big");
    let first: Vec<_> = (0..100).map(|i| format!("{i}: {}", i * 10)).collect();
    assert_eq!(big, format!("BTreeMap{{{}...}}", first.join(", ")));
    let many = program.show("(*HELD.p.value).many");
    let mut pairs: Vec<_> = many.trim_start_matches("HashMap{").trim_end_matches('}').split(", ").collect();
    pairs.sort_by_key(|pair| pair.split(':').next().unwrap().parse::<u32>().unwrap());
    let expected: Vec<_> = (0..20).map(|i| format!("{i}: {}", i * i)).collect();
    assert_eq!(pairs, expected);
}

/// Expressions that reach through members of `Held`, `@` for short.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("@.vec[1]", "2"),
    ("@.vec.len()", "3"),
    ("@.vec.is_empty()", "false"),
    ("@.vec.first()", "Some(&1)"),
    ("@.vec.capacity() >= 3", "true"),
    ("@.words[1].len()", "2"),
    (r#"@.words[0] == "a""#, "true"),
    ("@.text.len() + @.slice.len()", "9"),
    ("@.deque[3]", "5"),
    ("@.part[1]", "5"),
    ("@.list[1]", "2"),
    ("*@.boxed + 1", "8"),
    ("*@.rc", "5"),
    ("@.rc.strong_count()", "1"),
    ("@.arc.len()", "3"),
    ("*@.arc", r#""arc""#),
    ("@.refcell.borrow()", r#""ref""#),
    ("@.refcell.borrow().len()", "3"),
    ("@.cell.get()", "8"),
    ("@.mutex.lock().unwrap()", "9"),
    ("@.mutex.is_poisoned()", "false"),
    ("@.shared[2]", "30"),
    ("@.shared.borrow()[1]", "20"),
    ("@.locked[1]", "2"),
    ("@.locked.lock().unwrap()[0]", "1"),
    ("*@.pinned as u8 + 1", "6"),
    ("@.threefold.len()", "4"),
    (r#"@.threefold == "deep""#, "true"),
    ("@.threefold[0]", "100 'd'"),
    ("@.array.len()", "3"),
    ("@.heap.peek()", "Some(&4)"),
    ("@.linked.back()", "Some(&3)"),
    ("@.once.get()", "Some(&4)"),
    ("@.duration.as_millis()", "1500"),
    (r#"*@.hash.get("key").unwrap()"#, "42"),
    ("@.tree.get(&2)", r#"Some(&"two")"#),
    ("@.none.unwrap_or(4) + @.some.unwrap_or(4)", "7"),
    (r#"@.text.starts_with("te") && !@.text.contains("z")"#, "true"),
    ("@.pairs.contains(1)", "operator [] does not apply to (i32, i32)"),
    ("@.level as u8", "1"),
    ("@.wide as i8", "-56"),
    ("@.wide as i8 as u32 >> 28", "15"),
    ("@.float as u8", "255"),
    ("-@.float as i32", "-2147483648"),
    ("(0.0 / 0.0) as i64", "0"),
    ("65u8 as char", "'A'"),
    ("@.letters[0] as u32 + 1", "98"),
    ("@.letters[0] == 'a' && @.pair.1 == 'z'", "true"),
    ("'ß' as u32 == 0xdf_u32", "true"),
    ("b'a' + 1", "98"),
    ("1_000u16 + 0b11 + 0o17", "1018"),
    ("2.5f32 * 2.0", "5"),
    ("-1i32 as u64", "18446744073709551615"),
    ("!0u8", "255"),
    ("!@.flag", "false"),
    ("&@.vec[1] as *const i32 as usize == &@.vec[1] as usize", "true"),
    ("sizeof(usize) + sizeof(u128)", "24"),
    ("@.level == Level::Low", "true"),
    ("@.level != library_types::Level::High", "true"),
    ("@.reference == Level::High", "true"),
    ("@.events[1] == Event::Key", "true"),
    ("@.events[1] == Event::Key('k')", "true"),
    ("@.events[1] == Event::Key('l')", "false"),
    ("@.events[0] != Event::Click", "true"),
    ("@.events[0] == @.events[0]", "true"),
    ("@.events[0] == @.events[2]", "false"),
    ("@.events[2] == Event::Nosuch", "there is no member named"),
    ("@.some == Some(3) && @.nested == Some(None)", "true"),
    ("@.nested == Some(Some(true))", "false"),
    ("@.none == None", "true"),
    (r#"@.bad == Err("bad")"#, "true"),
    (r#"Some(3) == @.some"#, "true"),
    ("Event::Key", "is a type, not an expression"),
    ("*@.mutex", "9"),
    ("@.some.is_some()", "true"),
    ("@.some.unwrap()", "3"),
    ("@.some.0 + 1", "4"),
    ("@.none.is_none()", "true"),
    ("*@.full.0", "2"),
    ("@.ok.is_ok() && @.bad.is_err()", "true"),
    ("@.events[2].x", "-1"),
    ("@.events[2].y", "2"),
    ("@.events[1].0", "'k'"),
    (r#"@.hash["key"]"#, "42"),
    (r#"@.hash.contains_key("nosuch")"#, "false"),
    ("@.many[7]", "49"),
    ("@.many.len()", "20"),
    ("@.tree[2]", r#""two""#),
    ("@.big[199]", "1990"),
    ("@.big.len()", "200"),
    ("@.tree_set.len()", "2"),
    ("@.shape.side", "3"),
    ("@.shape_ref.side", "4"),
    ("@.pair.0", "-1"),
    ("@.pair.1", "'z'"),
    ("@.array[2]", "3"),
    ("@.atomic + 1", "2"),
    ("@.range.end - @.range.start", "3"),
    ("@.metres.0", "2.5"),
    ("library_types::SQUARE.side", "4"),
    ("*@.pointer", "4"),
    ("&@.vec[1] == &@.vec[0] + 1", "true"),
    ("@.none.unwrap()", "it is None"),
    ("@.vec[9]", "index 9 is past the end: there are 3 elements"),
    // Arithmetic stays in the type of its operands.
    ("-128i8", "-128"),
    ("-9223372036854775808i64", "-9223372036854775808"),
    ("300u8", "number \"300u8\" does not fit its type"),
    ("-129i8", "number \"-129i8\" does not fit its type"),
    ("-1u8", "number \"-1u8\" does not fit its type"),
    ("-@.wide", "the result overflows u8"),
    ("1u8 + 255u8", "the result overflows u8"),
    ("@.wide + 56", "the result overflows u8"),
    ("@.wide + 55", "255"),
    ("@.wide * 300", "the result overflows u8"),
    ("5usize - 6", "the result overflows usize"),
    ("@.vec.len() - 4", "the result overflows usize"),
    ("-128i8 / -1", "the result overflows i8"),
    ("127i8 - -1i8", "the result overflows i8"),
    ("170141183460469231731687303715884105727i128 + 0", "does not fit 64 bits"),
    ("@.huge - 1", "the result overflows i128"),
    ("@.wide / 0", "division by zero"),
    ("1u8 << 8", "the result overflows u8"),
    ("200u8 << 1", "144"),
    ("-128i8 >> 7", "-1"),
    ("0xf0u8 & 0x1f | 1", "17"),
    ("@.wide + 1u32", "201"),
    ("sizeof(@.wide + 1)", "1"),
    ("-1i32 < 5u32", "true"),
    ("@.array[3]", "index 3 is past the end: there are 3 elements"),
    ("@.array[-1]", "index -1 is past the end"),
    ("(1, 2)", "tuples cannot be written in expressions"),
    ("(1u8, 'x').0", "tuples cannot be written in expressions"),
    // All fields are compared, and what boxes hold.
    ("@.events[1] == Event::Key('k', 1)", "Key has 1 fields, not 2"),
    ("@.some == Some()", "Some has 1 fields, not 0"),
    ("@.full == @.twin", "true"),
    ("@.full == Some(2)", "true"),
    ("@.full == Some(3)", "false"),
    ("@.boxed == 7", "true"),
    // A set is asked for an element, not for a place.
    ("@.hash_set.get(&0)", "None"),
    ("@.hash_set.get(&11)", "Some(&11)"),
    ("@.tree_set.get(&'y').unwrap()", "&'y'"),
    ("@.many.get(&@.many[2]).unwrap() + 1", "17"),
    ("@.hash_set.contains(&@.hash_set.get(&11).unwrap())", "true"),
    // What may be missing is an `Option`, also of what is one itself.
    ("@.vec.get(9)", "None"),
    ("@.vec.get(9).is_none() && @.vec.get(1).is_some()", "true"),
    ("@.vec.get(1) == Some(&2)", "true"),
    ("@.vec.last().unwrap() + *@.vec.first().unwrap()", "4"),
    (r#"@.words.get(1).expect("it has two")"#, r#"&"b\n""#),
    ("@.array.get(3)", "None"),
    ("@.array.first()", "Some(&1)"),
    ("@.nothing.first()", "None"),
    ("@.nothing.last().unwrap()", "it is None"),
    ("@.no_tree.get(&1).is_none()", "true"),
    ("@.no_once.get()", "None"),
    ("@.once_lock.get()", r#"Some(&"locked")"#),
    ("@.no_once_lock.get()", "None"),
    ("@.lazy.len()", "4"),
    ("*@.lazy_cell + 1", "19"),
    ("*@.no_lazy_cell", "is not initialized"),
    ("1u32 as bool", "cannot cast u32 to bool; compare it with 0"),
    ("true as bool", "true"),
    ("@.flag.load() as u8 + (1 > 0) as bool as u8", "2"),
    ("@.maybes.get(1).is_none()", "false"),
    ("@.maybes.get(1).unwrap().is_none()", "true"),
    ("@.maybes.first().unwrap()", "&Some(3)"),
    ("@.maybes.first().unwrap().as_ref().unwrap()", "&3"),
    ("*@.maybes.first().unwrap().as_ref().unwrap()", "3"),
    ("@.some.as_ref().is_some()", "true"),
    ("@.guarded.lock().unwrap().is_some()", "true"),
    ("@.guarded.lock().unwrap()", "Some(1)"),
];

#[test]
fn expressions_reach_through() {
    let mut program = Program::start("library_types-rust", Dialect::Rust);
    let mut wrong = Vec::new();
    for (expression, value) in EXPRESSIONS {
        let ours = program.try_show(&expression.replace('@', "(*HELD.p.value)"));
        if !(if ours.contains('^') { ours.contains(value) } else { ours == *value }) {
            wrong.push(format!("{expression}: {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_object_of_a_graph_is_shown_once() {
    let mut program = Program::start("library_types-rust", Dialect::Rust);
    let graph = program.show("(*HELD.p.value).graph");
    assert!(graph.len() < 6_000, "{} {graph}", graph.len());
    for n in 0..5 {
        assert_eq!(graph.matches(&format!("node number {n} ")).count(), 1, "{graph}");
    }
    // The vector leads to the first, which leads to the second, and so on: of the five links in each, one leads on, and
    // four lead back. The last one is so deep that its links are not shown.
    assert_eq!(graph.matches("value: <shown above: 0x").count(), 5 * 4, "{graph}");
    assert_eq!(graph.matches("back: RefCell { value: (Weak), borrow: 0 }").count(), 4, "{graph}");
    let whole = program.show("(*HELD.p.value)");
    assert!(whole.len() < 40_000, "{}", whole.len());
}

#[test]
fn of_a_pointer_whose_length_is_lost_the_address_is_shown() {
    let mut program = Program::start("library_types-rust", Dialect::Rust);
    for (member, start, end) in [
        ("slice", "&str { data_ptr: 0x", ", length: <optimized out> }"),
        ("boxed_text", "Box { data_ptr: 0x", ", length: <optimized out> }"),
        ("list", "Box { data_ptr: 0x", ", length: <optimized out> }"),
        ("part", "&[i32] { data_ptr: 0x", ", length: <optimized out> }"),
        ("shape", "Box { pointer: 0x", ", vtable: <optimized out> }"),
        ("rc_text", "Rc { value: <optimized out>, strong: 1, weak: 0 }", ""),
        ("shape_rc", "Rc { value: <optimized out>, strong: 1, weak: 0 }", ""),
    ] {
        let mut value = program.value(&format!("(*HELD.p.value).{member}"));
        let bytes = value.read(&mut program, 0, 8).unwrap();
        value.place = Place::Bytes(bytes.into_iter().map(Some).chain([None; 8]).collect());
        let options = Options::new(program.target());
        let shown = render(&value, &mut program, &options).text;
        assert!(shown.starts_with(start) && shown.ends_with(end), "{member}: {shown}");
    }
}
