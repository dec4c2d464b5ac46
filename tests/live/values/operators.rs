//! Operators as the language has them: what binds more, and what they do with objects of its library.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const RUST: &str = r#"
use std::hint::black_box;
struct Held { row: [i32; 2], nested: [[u8; 2]; 2], held: Option<[i32; 2]> }
#[inline(never)]
fn flags(flags: u32, byte: u8, long: u32, int: i32, sizeof: i32) -> bool {
    black_box((long, int, sizeof));
    flags & 4 == 0 && byte as u32 * flags > 0
}
#[inline(never)]
fn rows(a: &Held, b: &Held, some: [i32; 2], other: [i32; 2], more: &[i32], text: [u8; 3]) -> bool {
    let boxed = Box::new(some);
    black_box((&boxed, text, a.nested, &a.held));
    a.row == b.row && some == other && more == some
}
fn main() {
    black_box(flags(3, 200, 2, 6, 5));
    let a = Held { row: [1, 2], nested: [[1, 2], [3, 4]], held: Some([1, 2]) };
    let b = Held { row: [1, 3], nested: [[1, 2], [3, 4]], held: Some([1, 2]) };
    black_box(rows(&a, &b, [1, 2], [1, 3], &[1, 2, 0], *b"abc"));
}
"#;

#[test]
fn rusts_operators_bind_and_compare_as_rust_has_them() {
    let server = replay_of(&built_by("rustc", "rs", "own_operators_rust", RUST, &["-g"]));
    let bound = [
        ("flags & 4 == 0", "true"),
        ("flags | 4 == 7", "true"),
        ("flags ^ 3 == 0", "true"),
        ("byte as u32 * flags", "600"),
        ("byte as u32 & flags", "0"),
        ("long", "2"),
        ("long + 1", "3"),
        ("-int", "-6"),
        ("sizeof+1", "6"),
        ("byte == u8::MAX", "false"),
        ("i128::MIN == -i128::MAX - 1", "true"),
    ];
    check(&server, "rust", "own_operators_rust::flags", &bound);
    let compared = [
        ("some == other", "false"),
        ("some != other", "true"),
        ("some < other", "true"),
        ("some >= other", "false"),
        ("a.row == b.row", "false"),
        ("a.row == some", "true"),
        ("a.nested == b.nested", "true"),
        ("a.held == b.held", "true"),
        ("more == some", "false"),
        ("more > some", "true"),
        ("&some == &a.row", "true"),
        ("text == b\"abc\"", "true"),
        ("text == br\"abd\"", "false"),
    ];
    check(&server, "rust", "own_operators_rust::rows", &compared);
}

const CXX: &str = "
#include <chrono>
#include <bitset>
#include <deque>
#include <functional>
#include <list>
#include <variant>
#include <vector>
using namespace std::chrono;
struct Left { int l = 1; }; struct Right { int r = 2; }; struct Both : Left, Right { enum { Q = -4 }; int b = 3; };
struct Node { int v; };
struct Pointer { int v; Node *n; Node *operator->() { return n; } };
struct Derived : Pointer { int own = 7; };
struct List : std::vector<int> { using std::vector<int>::vector; int own = 0; };
List list{7, 8}; std::bitset<9> bits(5); std::variant<int, char> either(7);
// Clang describes a class only where a constructor of it is defined.
struct Far { int a[3]; Far(); };
std::vector<Far> fars; std::deque<Far> line; std::list<Far> chain;
int twice(int x) { return 2 * x; }
int f(hours h, minutes m, seconds s, milliseconds ms, time_point<steady_clock, seconds> at,
      time_point<steady_clock, milliseconds> fine, int Right::*pr, int Both::*pb, int Left::*pl, Both both, Derived d,
      std::function<int(int)> call, std::function<int(int)> empty) {
  return (h > s) + (s < m) + (m < ms) + (at < fine) + (pb == pr) + (pb == pl) + d->v + both.Q + d.own + call(1) + !empty + list[1] + !bits[0] + (int)either.index();
}
int main() {
  Node node{88}; Derived d; d.v = 13; d.n = &node; Both both;
  auto at = time_point<steady_clock, seconds>(seconds(100));
  return f(hours(3), minutes(90), seconds(90), milliseconds(5), at, at + milliseconds(500), &Right::r, &Right::r,
           &Left::l, both, d, twice, nullptr) > 200;
}
";

#[test]
fn operators_on_objects_of_cxx_do_as_the_program_does() {
    for (compiler, library) in [("g++", "-O0"), ("clang++", "-stdlib=libc++")] {
        let name = format!("own_operators_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, CXX, &["-g", "-std=c++17", library]));
        let computed = [
            ("h > s", "true"),
            ("3h > 90s", "true"),
            ("h + 5min", "185min"),
            ("ms == 5ms", "true"),
            ("ms < 1us", "false"),
            ("list[1]", "8"),
            ("~bits[0]", "false"),
            ("~bits[1]", "true"),
            ("either.valueless_by_exception()", "false"),
            ("fars", "std::vector of length 0, capacity 0"),
            ("fars.empty()", "true"),
            ("line", "std::deque with 0 elements"),
            ("line.empty()", "true"),
            ("chain.empty()", "true"),
            ("chain.size()", "0"),
            ("h - s", "10710s"),
            ("s + ms", "90005ms"),
            ("s < m", "true"),
            ("m == s * 60", "true"),
            ("-h < s", "true"),
            ("m / s", "60"),
            ("m % h", "90min"),
            ("at < fine", "true"),
            ("fine - at", "500ms"),
            ("pb == pr", "true"),
            ("pb != pr", "false"),
            ("pb == pl", "false"),
            ("d.v", "13"),
            ("d.n->v", "88"),
            ("call != nullptr", "true"),
            ("empty == nullptr", "true"),
        ];
        check(&server, &name, "f", &computed);
        // (Clang leaves the enumeration out.)
        if compiler == "g++" {
            assert_eq!(server.evaluate("both.Q"), "Both::Q");
        }
        for (expression, why) in [
            ("d->v", "-> of Pointer calls its operator->"),
            ("pr == pl", "Right and Left are not a class and its base"),
            ("h + 1", "operator + does not apply to int"),
        ] {
            let error = server.fail("rr_evaluate", json!({"expression": expression}));
            assert!(error.starts_with(why), "{name}: {expression}: {error}");
        }
    }
}

const C: &str = "
int f(int class, int bool, int alignof, int static_cast) { return class + bool + alignof + static_cast; }
int main(void) { return f(2, 3, 4, 5); }
";

#[test]
fn a_keyword_of_another_language_is_a_variable_of_c() {
    let server = replay_of(&built_by("gcc", "c", "own_operators_c", C, &["-g", "-std=gnu11"]));
    let values = [
        ("class+1", "3"),
        ("bool+1", "4"),
        ("(bool)", "3"),
        ("sizeof(bool)", "4"),
        ("alignof", "4"),
        ("static_cast", "5"),
    ];
    check(&server, "c", "f", &values);
}
