//! What an expression is worth, and of which type it is, by the rules of the language and of the compiler at hand.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use crate::support::mcp::Server;
use serde_json::json;

const FIELDS: &str = "
struct Fields { unsigned long c : 33; long d : 31; long e : 40; unsigned long f : 40; };
struct Wide { unsigned __int128 x : 70, y : 64; __int128 z : 70; };
unsigned long out[6];
unsigned __int128 wide[7];
void stop(void) {}
int main(void) {
  volatile struct Fields b = {0x1ffffffffUL, -5, -1, 0xffffffffffUL};
  out[0] = b.c + 1; out[1] = b.f << 20; out[2] = ~b.c; out[3] = -b.f; out[4] = (b.f + 1) * 2 + b.e; out[5] = b.f + 1L;
  volatile struct Wide w = {9, 6, -7};
  wide[0] = -w.x; wide[1] = ~w.x; wide[2] = w.x - 10; wide[3] = w.x << 69; wide[4] = w.y - 7; wide[5] = -w.y; wide[6] = w.z - w.x;
  stop();
  return 0;
}
";

#[test]
fn wide_bit_fields_compute_as_in_the_program() {
    for (compiler, suffix) in [("gcc", "c"), ("clang", "c"), ("g++", "cc")] {
        let what = format!("own_rules.{compiler}");
        let server = replay_of(&built_by(compiler, suffix, &what, FIELDS, &["-g"]));
        server.run_to("stop");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        let computed = ["b.c + 1", "b.f << 20", "~b.c", "-b.f", "(b.f + 1) * 2 + b.e", "b.f + 1L"];
        for (number, expression) in computed.iter().enumerate() {
            let equal = format!("(unsigned long)({expression}) == out[{number}]");
            assert!(["1", "true"].contains(&server.evaluate(&equal).as_str()), "{what}: {expression}");
        }
        let computed = ["-w.x", "~w.x", "w.x - 10", "w.x << 69", "w.y - 7", "-w.y", "w.z - w.x"];
        for (number, expression) in computed.iter().enumerate() {
            let equal = format!("(unsigned __int128)({expression}) == wide[{number}]");
            assert!(["1", "true"].contains(&server.evaluate(&equal).as_str()), "{what}: {expression}");
        }
    }
}

const CASTS: &str = "
#include <vector>
struct Base { virtual ~Base() {} int b = 1; };
struct Private : private Base { Base *up() { return this; } };
struct Left : virtual Base { int l = 2; };
struct Right : virtual Base { int r = 3; };
struct Both : Left, Right { int both = 4; };
struct Mixed : private Left, public Right { int mixed = 5; };
struct One : Base { int one = 6; };
struct Two : Base { int two = 7; };
struct Each : One, Two { int each = 8; };
struct Hidden : One, private Two { Two *two_of() { return this; } };
struct Behind : Left { int behind = 9; };
enum Wide { LAST = 0x7fffffffffffffffL, FIRST = 0 };
typedef unsigned long counted;
enum Typed : counted { TYPED = 1UL << 40 };
void stop() {}
int main() {
  Behind behind;
  volatile Wide wide = LAST;
  Typed typed = TYPED;
  int below = -1, is_below = below < wide, is_unsigned = !(below < typed);
  Private hides; Both both; Mixed mixed; Each each; Hidden hidden;
  Base *p = hides.up(), *m = &mixed, *e = (One *)&each;
  Left *l = &both;
  Two *t = hidden.two_of();
  std::vector<std::vector<short>> nested{{1}};
  void *casts[] = {dynamic_cast<Private *>(p), dynamic_cast<Right *>(l), dynamic_cast<Mixed *>(m),
    dynamic_cast<Left *>(m), dynamic_cast<Two *>(e), dynamic_cast<Each *>(e), dynamic_cast<Hidden *>(t),
    dynamic_cast<One *>(t), dynamic_cast<Base *>(l)};
  stop();
  return casts[0] != 0 || nested.empty() || !is_below || !is_unsigned || behind.Base::b != 1;
}
";

#[test]
fn casts_and_sizes_of_cxx_are_those_of_the_program() {
    let server = replay_of(&built_by("g++", "cc", "own_rules.casts", CASTS, &["-g"]));
    server.run_to("stop");
    server.call("rr_select_frame", json!({"frame_level": 1}));
    let casts =
        ["Private *>(p)", "Right *>(l)", "Mixed *>(m)", "Left *>(m)", "Two *>(e)", "Each *>(e)", "Hidden *>(t)"];
    for (number, cast) in casts.into_iter().chain(["One *>(t)", "Base *>(l)"]).enumerate() {
        let equal = format!("(void *)dynamic_cast<{cast} == casts[{number}]");
        assert_eq!(server.evaluate(&equal), "true", "{cast}");
    }
    // A base of a virtual base; and what an enumeration is promoted to, as the program compares it.
    assert_eq!(server.evaluate("behind.Base::b"), "1");
    assert_eq!(server.evaluate("(below < wide) == is_below && is_below"), "true");
    assert_eq!(server.evaluate("!(below < typed) == is_unsigned && is_unsigned"), "true");
    // A cast before a number that begins with its point.
    assert_eq!(server.evaluate("(double).5 + 1"), "1.5");
    assert_eq!(server.evaluate("dynamic_cast<Private *>(p) == 0"), "true");
    assert_eq!(server.evaluate("dynamic_cast<Hidden *>(t) == 0"), "true");
    // There is one element, and none with the number that stands for any where only types matter.
    assert_eq!(server.evaluate("sizeof(nested[0][0])"), "2");
    assert_eq!(server.evaluate("sizeof(nested.at(0).at(0))"), "2");
}

const RUST: &str = r#"
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::AtomicU64;
static TOP: i32 = 9;
mod within {
    pub static DEEP: i32 = 7;
    #[inline(never)]
    pub fn inner() -> i32 { std::hint::black_box(DEEP + super::TOP) }
    pub struct Holder<P> { pub held: P }
    impl<P> Holder<P> {
        #[inline(never)]
        pub fn level(&self) -> i32 { std::hint::black_box(DEEP + super::TOP) }
    }
}
struct Packet<T: ?Sized> { head: u32, body: T }
#[inline(never)]
fn stop() { std::hint::black_box(0); }
fn main() {
    let packet: &Packet<[u16]> = &Packet { head: 7, body: [1, 2, 3] };
    let owned: Box<Packet<[u8]>> = Box::new(Packet { head: 8, body: [4, 5] });
    let object: &Packet<dyn std::fmt::Debug> = &Packet { head: 9, body: 5u64 };
    let packets: &[Packet<i8>] = &[Packet { head: 1, body: 2 }];
    std::hint::black_box((packet, &owned, object, packets, packet.head, object.head, owned.head, packets[0].head));
    std::hint::black_box((packet.body[0], owned.body[0], packets[0].body));
    std::hint::black_box(within::inner());
    std::hint::black_box(within::Holder { held: 5u8 }.level());
    let rc = Rc::new(5);
    let weak = Rc::downgrade(&rc);
    let (once, unset) = (OnceCell::from(9), OnceCell::<u16>::new());
    let time = std::time::Duration::from_millis(1500);
    let singles = vec![0.1f32];
    let (text, none, at) = (String::from("abc"), None::<u8>, AtomicU64::new(7));
    let map: HashMap<u8, i64> = HashMap::new();
    stop();
    std::hint::black_box((&weak, &once, &unset, &time, &singles, &text, &none, &at, &map));
}
"#;

fn typed(server: &Server, expression: &str) -> (String, String) {
    let answer = server.call("rr_evaluate", json!({"expression": expression}));
    let field = |name: &str| answer[name].as_str().unwrap().to_owned();
    (field("value"), field("type"))
}

#[test]
fn what_rust_is_asked_is_of_rusts_types() {
    let server = replay_of(&built_by("rustc", "rs", "own_rules_rust", RUST, &["-g"]));
    let paths = [("crate::TOP", "9"), ("super::TOP", "9"), ("self::DEEP", "7"), ("crate::within::DEEP", "7")];
    check(&server, "rust", "own_rules_rust::within::inner", &paths);
    check(&server, "rust", "level", &paths);
    let beyond = server.fail("rr_evaluate", json!({"expression": "super::super::TOP"}));
    assert!(beyond.starts_with("no symbol \"super::super::TOP\""), "{beyond}");
    server.run_to("own_rules_rust::stop");
    server.call("rr_select_frame", json!({"frame_level": 1}));
    for (expression, value, ty) in [
        ("text.len() == \"abc\".len()", "true", "bool"),
        ("5.5 % 2.0", "1.5", "f64"),
        ("-5.5f32 % 2.0", "-1.5", "f32"),
        ("text == \"abc\"", "true", "bool"),
        ("singles.contains(&0.1)", "true", "bool"),
        ("Rc::strong_count(&rc)", "1", "usize"),
        ("text.capacity() >= 3", "true", "bool"),
        ("text.capacity() * 0", "0", "usize"),
        ("text.as_bytes()", "&[97, 98, 99]", "&[u8]"),
        ("text.as_str()", "\"abc\"", "&str"),
        ("singles.get(3)", "None", "core::option::Option<&f32>"),
        ("map.get(&3)", "None", "core::option::Option<&i64>"),
        ("once.get()", "Some(&9)", "core::option::Option<&i32>"),
        ("unset.get()", "None", "core::option::Option<&u16>"),
        ("time.as_secs()", "1", "u64"),
        ("time.as_millis()", "1500", "u128"),
        ("time.subsec_nanos()", "500000000", "u32"),
        ("none.unwrap_or(3)", "3", "u8"),
        ("at.load(Ordering::Relaxed)", "7", "u64"),
        ("packet.head", "7", "u32"),
        ("packet.body", "[1, 2, 3]", "[u16; 3]"),
        ("packet.body[1] + owned.body[1]", "7", "u16"),
        ("owned.head", "8", "u32"),
        ("object.head", "9", "u32"),
        ("sizeof(&str)", "16", "usize"),
        ("sizeof(&mut str)", "16", "usize"),
        ("sizeof(&[u16])", "16", "usize"),
        ("sizeof(&[u16; 3])", "8", "usize"),
        ("sizeof([u16; 3])", "6", "usize"),
        ("sizeof(*const u8)", "8", "usize"),
        ("sizeof(&u8)", "8", "usize"),
        ("sizeof(&&str)", "8", "usize"),
        ("sizeof(&dyn Strange<u8>)", "16", "usize"),
        ("sizeof(&packets)", "8", "usize"),
        ("sizeof(packets)", "16", "usize"),
    ] {
        assert_eq!(typed(&server, expression), (value.to_owned(), ty.to_owned()), "{expression}");
    }
    let unsized_end = server.evaluate("object.body");
    assert!(unsized_end.starts_with("<unavailable: the last member of an unsized structure"), "{unsized_end}");
    server.fail("rr_evaluate", json!({"expression": "packets.head"}));
}

const VECTORS: &str = "
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(8))); typedef const int table[3];
v4 a = {1, 2, 3, 4}, b = {4, 3, 3, 1}, sum, equal, less, rest; f4 x = {1.5, 2, -3, 4}, twice; bytes u = {250, 2, 9}, more;
table three = {1, 2, 3};
void stop(void) {}
int main(void) {
  sum = a + b; equal = a == b; less = a < 3; rest = ~a - b % 2; twice = x * 2.5f; more = 10 + u;
  stop(); return sum[0] + three[0] == 0; }
";

#[test]
fn vectors_compute_element_by_element() {
    let needs = "needs vectors of one type, or a vector and a number that its elements can hold";
    let refused = |op: &str, ty: &str| format!("operator {op} does not apply to {ty}; it {needs}");
    let refused = [refused("+", "f4"), refused("+", "int"), refused("*", "double")];
    for compiler in ["gcc", "clang"] {
        let name = format!("vectors_{compiler}");
        let server = replay_of(&built_by(compiler, "c", &name, VECTORS, &["-g", "-w"]));
        let expected = [
            ("sum", "{5, 5, 6, 5}"),
            ("a + b", "{5, 5, 6, 5}"),
            ("equal", "{0, 0, -1, 0}"),
            ("a == b", "{0, 0, -1, 0}"),
            ("less", "{-1, -1, 0, 0}"),
            ("a < 3", "{-1, -1, 0, 0}"),
            ("rest", "{-2, -4, -5, -6}"),
            ("~a - b % 2", "{-2, -4, -5, -6}"),
            ("twice", "{3.75, 5, -7.5, 10}"),
            ("x * 2.5f", "{3.75, 5, -7.5, 10}"),
            ("more[0] + more[2]", "23"),
            ("u", "{250, 2, 9, 0, 0, 0, 0, 0}"),
            ("(10 + u)[0] + (10 + u)[2]", "23"),
            ("-x", "{-1.5, -2, 3, -4}"),
            ("(a + b)[2] + sizeof(a + b)", "22"),
            ("a + x", &refused[0]),
            ("u + 1000", &refused[1]),
            ("x * 0.1", &refused[2]),
        ];
        check(&server, compiler, "stop", &expected);
        let shown = server.text("rr_command", json!({"command": "whatis three[1]"}));
        assert_eq!(shown.trim_end(), "type = const int", "{compiler}");
        let shown = server.text("rr_command", json!({"command": "whatis &three[1]"}));
        assert_eq!(shown.trim_end(), "type = const int *", "{compiler}");
    }
}

const PIECES: &str = "
struct fields { unsigned a : 3, b : 5, c : 8, d : 16; int e; };
__attribute__((noinline)) void stop(void) { __asm__ volatile(\"\" : : : \"memory\"); }
__attribute__((noinline)) int f(int x, int y) {
  struct fields s; s.a = x; s.c = y; s.e = x + y; int r = s.a + s.c;
  stop();
  __asm__ volatile(\"\" : : \"r\"(x), \"r\"(y)); return r + s.e; }
int main(int count, char **arguments) { return f(count + 1, count + 5) == 0; }
";

#[test]
fn bits_beside_those_that_are_optimized_out_are_shown() {
    let server = replay_of(&built_by("gcc", "c", "pieces", PIECES, &["-g", "-O2", "-w"]));
    let expected = [
        ("s", "{a = 2, b = <optimized out>, c = 6, d = <optimized out>, e = 8}"),
        ("s.a", "2"),
        ("s.a + s.c", "8"),
        ("s.b", "<optimized out>"),
        ("s.d + 1", "value has been optimized out"),
    ];
    check(&server, "pieces", "pieces.c:6", &expected);
}

const SEVERAL: &str = "
struct A { int v = 1; };
struct M { int v = 5; };
struct N : virtual A, M { };
struct L : A { };
struct R : A { };
struct D : L, R { };
struct B : A { };
struct C2 : A, B { };
struct Base { int v = 8; };
struct Near : virtual Base { int v = 9; };
struct Far : virtual Base { };
struct Both : Near, Far { };
void stop() { }
int main() { N n; D d; C2 c; Both both; d.R::v = 2; c.B::v = 77; stop(); return n.M::v + d.L::v + c.B::v + both.v - 92; }
";

#[test]
fn a_member_that_may_be_of_several_parts_is_not_guessed() {
    for compiler in ["g++", "clang++"] {
        let what = format!("several_{}", compiler.trim_end_matches('+'));
        let server = replay_of(&built_by(compiler, "cc", &what, SEVERAL, &["-g"]));
        server.run_to("stop");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        for (expression, value) in
            [("n.M::v", "5"), ("n.A::v", "1"), ("d.R::v", "2"), ("c.B::v", "77"), ("both.v", "9"), ("both.Far::v", "8")]
        {
            assert_eq!(server.evaluate(expression), value, "{what}: {expression}");
        }
        for (expression, why) in [
            ("n.v", "N has \"v\" of "),
            ("d.A::v", "D has several parts of A: name a class that has one of them"),
            ("(long)&d.A::v", "D has several parts of A: name a class that has one of them"),
            ("d.v", "D has several parts of A: name a class that has one of them"),
            ("(long)&d.v", "D has several parts of A: name a class that has one of them"),
        ] {
            let refused = server.fail("rr_evaluate", json!({"expression": expression}));
            assert!(refused.starts_with(why), "{what}: {expression}: {refused}");
        }
    }
}
