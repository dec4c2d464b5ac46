//! Values of Rust's types, and what they are asked through whatever they are wrapped in.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const RUST: &str = r#"
use std::cell::RefCell;
use std::collections::{LinkedList, VecDeque};
use std::hint::black_box;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
#[repr(i8)] pub enum Byte { A(u8) = -2, B(u64) = 9, C }
#[repr(i16)] pub enum Short { A(u8) = -2, B(u64) = 9, C }
#[repr(u16)] pub enum Word { A(u8) = 254, B(u64) = 200, E(u8) = 65534 }
#[repr(i64)] pub enum Long { A(u8) = -2, B(u64) = 254, D(u8) = 0xffff_fffe, E(u8) = i64::MIN }
#[inline(never)]
fn variants(a: &[Byte; 3], b: &[Short; 3], c: &[Word; 3], d: &[Long; 4]) { black_box((a, b, c, d)); }
#[inline(never)]
fn arrays(b: Box<[u8; 4]>, bb: &Box<[u8; 4]>, o: Option<Box<[u8; 4]>>, nest: Box<[[u8; 2]; 2]>, r: &[u8; 4], rows: [[i32; 2]; 2], v: &Vec<[i32; 2]>) -> u8 {
    black_box((&b, bb, &o, &nest, r, &rows, v));
    b[1] + nest[1][0]
}
#[inline(never)]
fn texts(r: &Rc<str>, a: Arc<str>, rs: Rc<String>, bs: Box<String>, v: &Rc<Vec<i32>>, rsl: Rc<[i32]>, m: Arc<Mutex<String>>) -> bool {
    black_box((r, &a, &rs, &bs, v, &rsl, &m));
    r.contains("cs") && bs.contains("cs")
}
#[inline(never)]
fn ends(d: Box<VecDeque<i32>>, r: Rc<VecDeque<i32>>, l: Box<LinkedList<i32>>, br: Box<RefCell<i32>>, bo: Box<Option<i32>>, rr: Rc<RefCell<VecDeque<i32>>>) -> i32 {
    black_box((&d, &r, &l, &br, &bo, &rr));
    *br.borrow() + bo.unwrap()
}
#[inline(never)]
fn references(o: Option<usize>, small: Option<u8>, e: Result<u8, i32>, nest: Option<Option<i32>>, rc: Rc<RefCell<usize>>, j: &Rc<RefCell<usize>>, list: &Vec<Rc<RefCell<usize>>>, k: Option<Rc<RefCell<usize>>>, arr: [i32; 4], v: &Vec<u8>, rows: [[u8; 2]; 2], n: i32) {
    let (sl, b) = (&arr[1..], Box::new([7u16, 8]));
    black_box((&o, &small, &e, &nest, &rc, j, list, &k, &arr, v));
    black_box((&rows, sl, &b, &n));
}
fn main() {
    variants(&[Byte::A(9), Byte::B(77), Byte::C], &[Short::A(9), Short::B(77), Short::C], &[Word::A(1), Word::B(2), Word::E(3)],
        &[Long::A(1), Long::B(2), Long::D(3), Long::E(4)]);
    let r = [5, 6, 7, 8];
    black_box(arrays(Box::new(r), &Box::new(r), Some(Box::new(r)), Box::new([[1, 2], [3, 4]]), &r, [[1, 2], [3, 4]], &vec![[5, 6]]));
    black_box(texts(&"rcs".into(), "rcs".into(), Rc::new("rcs".into()), Box::new("rcs".into()), &Rc::new(vec![5]), Rc::from([5]), Arc::new(Mutex::new("rcs".into()))));
    let a = Rc::new(RefCell::new(5));
    references(Some(41), Some(4), Err(9), Some(Some(3)), a.clone(), &a, &vec![a.clone()], Some(a.clone()), [10, 20, 30, 40], &vec![5, 6, 7], [[1, 2], [3, 4]], 5);
    let d: VecDeque<i32> = [1, 2].into();
    black_box(ends(Box::new(d.clone()), Rc::new(d.clone()), Box::new([1, 2].into()), Box::new(RefCell::new(6)), Box::new(Some(3)), Rc::new(RefCell::new(d))));
}
"#;

#[test]
fn values_in_boxes_are_asked_as_themselves() {
    let server = replay_of(&built_by("rustc", "rs", "rust_values", RUST, &["-g"]));
    let variants = [
        ("*a", "[A(9), B(77), C]"),
        ("*b", "[A(9), B(77), C]"),
        ("*c", "[A(1), B(2), E(3)]"),
        ("*d", "[A(1), B(2), D(3), E(4)]"),
    ];
    check(&server, "variants", "rust_values::variants", &variants);
    let arrays = [
        ("b[1]", "6"),
        ("bb[1]", "6"),
        ("o.unwrap()[1]", "6"),
        ("nest[1][0]", "3"),
        ("(*b)[1]", "6"),
        ("b.contains(&6)", "true"),
        ("r.contains(&9)", "false"),
        ("v.first()", "Some(&[5, 6])"),
    ];
    check(&server, "arrays", "rust_values::arrays", &arrays);
    assert_eq!(server.evaluate("rows.get(1)"), "Some(&[3, 4])");
    let texts = [
        ("r.contains(\"cs\")", "true"),
        ("a.contains(\"x\")", "false"),
        ("rs.contains(\"cs\")", "true"),
        ("bs.contains(\"cs\")", "true"),
        ("v.contains(&5)", "true"),
        ("rsl.contains(&5)", "true"),
        ("*bs.as_str() == \"rcs\"", "true"),
        ("m.lock().unwrap().contains(\"cs\")", "true"),
    ];
    check(&server, "texts", "rust_values::texts", &texts);
    let ends = [
        ("d.front()", "Some(&1)"),
        ("r.back()", "Some(&2)"),
        ("l.back()", "Some(&2)"),
        ("*br.borrow()", "6"),
        ("bo.unwrap()", "3"),
        ("rr.borrow().front()", "Some(&1)"),
    ];
    server.run_to("rust_values::ends");
    for (expression, value) in ends {
        assert_eq!(server.evaluate(expression), value, "{expression}");
    }
}

#[test]
fn references_that_are_made_lead_to_what_they_refer_to() {
    let server = replay_of(&built_by("rustc", "rs", "rust_values", RUST, &["-g"]));
    let made = [
        ("*o.as_ref().unwrap()", "41"),
        ("*o.as_ref().unwrap() + 1", "42"),
        ("o.as_ref()", "Some(&41)"),
        ("small.as_ref() == Some(&4)", "true"),
        ("e.as_ref()", "Err(&9)"),
        ("*e.as_ref().unwrap_err()", "9"),
        ("*e.as_ref().unwrap_or(&1)", "1"),
        ("*nest.as_ref().unwrap().as_ref().unwrap()", "3"),
        ("*rc.as_ref().borrow()", "5"),
        ("*rc.borrow()", "5"),
        ("*rc.borrow_mut()", "5"),
        ("*j.borrow() + 1", "6"),
        ("*list[0].borrow()", "5"),
        ("*k.as_ref().unwrap().borrow()", "5"),
        ("rc", "Rc { value: RefCell { value: 5, borrow: 0 }, strong: 4, weak: 0 }"),
    ];
    let place = "rust_values.rs:31";
    check(&server, "made", place, &made);
    assert_eq!(
        server.call("rr_evaluate", json!({"expression": "small.as_ref()"}))["type"],
        "core::option::Option<&u8>"
    );
    let indexed = [
        ("(&arr)[1]", "20"),
        ("(&rows)[1][0]", "3"),
        ("(&v)[1]", "6"),
        ("(&sl)[1]", "30"),
        ("(&b)[1]", "8"),
        ("(&arr)[1..3]", "&[20, 30]"),
        ("-&n", "-5"),
        ("(&&v)[1]", "6"),
        ("(&mut arr)[1]", "20"),
        ("**(&&n)", "5"),
        ("j.clone()", "Rc { value: RefCell { value: 5, borrow: 0 }, strong: 4, weak: 0 }"),
        ("small > None", "None alone has no type; == and != compare a value with it"),
    ];
    check(&server, "indexed", "rust_values.rs:32", &indexed);
}

#[test]
fn a_place_without_a_variable_leaves_those_of_others() {
    let server = replay_of(&built_by("rustc", "rs", "rust_values", RUST, &["-g"]));
    let places = ["rust_values::texts", "rust_values::arrays"];
    let answer = server.call("rr_trace", json!({"locations": places, "values": ["nest[1][0]"]}));
    let rows = answer["rows"].as_array().unwrap();
    let value = |row: &serde_json::Value| row["values"][0]["value"].as_str().map(str::to_owned);
    assert_eq!(rows.iter().map(value).collect::<Vec<_>>(), [Some("3".to_owned()), None], "{answer}");
    server.fail("rr_trace", json!({"locations": places, "values": ["nothing_of_that_name"]}));
}

const GUARDED: &str = r#"
#[inline(never)]
fn stop<T>(value: &T) { std::hint::black_box(value); }
#[inline(always)]
fn guarded(of: Option<f32>) -> f32 {
    match of {
        Some(x) if x > 1.0 => {
            stop(&x);
            println!("{x}");
            x * 2.0
        }
        _ => 0.0,
    }
}
#[inline(never)]
fn check(value: &u64) -> bool { std::hint::black_box(*value) > 1 }
#[inline(always)]
fn unused(of: &Option<u64>) -> u64 {
    match *of {
        Some(x) if check(&x) && check(&x) => {
            rest();
            2
        }
        _ => 0,
    }
}
#[inline(never)]
fn rest() { std::hint::black_box(0); }
fn main() { println!("{} {}", guarded(Some(1.5)), unused(&std::hint::black_box(Some(7)))); }
"#;

#[test]
fn the_name_in_a_guarded_pattern_means_the_value() {
    for level in ["0", "1", "2"] {
        let options = ["-g", &format!("-Copt-level={level}")];
        let server = replay_of(&built_by("rustc", "rs", &format!("guarded_{level}"), GUARDED, &options));
        server.run_to("stop");
        server.call("rr_finish", json!({}));
        let x = server.call("rr_evaluate", json!({"expression": "x"}));
        assert_eq!((&x["value"], &x["type"]), (&json!("1.5"), &json!("f32")), "opt-level {level}");
        // The arm may have lost its own variable, and kept the reference of the guard.
        server.run_to(&format!("guarded_{level}::rest"));
        server.call("rr_select_frame", json!({"frame_level": 1}));
        let x = server.call("rr_evaluate", json!({"expression": "x"}));
        assert_eq!(x["type"], "u64", "opt-level {level}: {x}");
        assert!(["7", "<optimized out>"].contains(&x["value"].as_str().unwrap()), "opt-level {level}: {x}");
    }
}
