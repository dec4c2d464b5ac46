//! Rust: the library's types, enums and pointers.

use crate::program::Program;
use retrograde::ctype::Dialect;

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
    ("weak", "Weak { value: 5, strong: 1, weak: 1 }"),
    ("gone", "Weak { strong: 0, weak: 1 }"),
    ("dangling", "Weak(dangling)"),
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
    ("@.vec.first()", "1"),
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
    ("@.heap.peek()", "4"),
    ("@.linked.back()", "3"),
    ("@.once.get()", "4"),
    ("@.duration.as_millis()", "1500"),
    (r#"@.hash.get("key").unwrap()"#, "42"),
    ("@.tree.get(&2)", r#""two""#),
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
