//! Functions that a program has for what else the language does by itself: which keys are the same, what operators of
//! enumerations give. Nothing is computed that only they can say.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use crate::support::mcp::Server;
use serde_json::json;

/// Checks that expressions are refused where a server stands, and that a trace and a condition there refuse them, too.
#[track_caller]
fn refuse(server: &Server, what: &str, place: &str, refused: &[(&str, &str)]) {
    for (expression, why) in refused {
        let error = server.fail("rr_evaluate", json!({"expression": expression}));
        assert!(error.starts_with(why), "{what}: {expression}: {error}");
        let traced = server.attempt("rr_trace", json!({"locations": [place], "values": [expression], "limit": 1}));
        let shown = traced.map(|answer| answer["rows"][0]["values"][0]["value"].clone());
        assert!(
            shown.as_ref().is_err() || shown.as_ref().is_ok_and(|value| value.is_null()),
            "{what}: {expression}: {shown:?}"
        );
    }
}

const KEYS: &str = "
#include <functional>
#include <map>
#include <set>
#include <string>
#include <strings.h>
#include <unordered_map>
struct ci { bool operator()(const std::string &a, const std::string &b) const { return strcasecmp(a.c_str(), b.c_str()) < 0; } };
struct same { bool operator()(const std::string &a, const std::string &b) const { return !strcasecmp(a.c_str(), b.c_str()); } };
struct length { size_t operator()(const std::string &a) const { return a.size(); } };
enum class Col : unsigned char { R = 1, G = 200 };
void stop() {}
int main() {
  std::map<std::string, int, ci> own{{\"Host\", 6}};
  std::set<int, bool (*)(int, int)> by([](int a, int b) { return a % 10 < b % 10; });
  by.insert(12);
  std::unordered_map<std::string, int, length, same> table{{\"Key\", 5}};
  std::unordered_map<std::string, int, length> hashed{{\"Key\", 5}};
  std::map<std::string, int, std::greater<>> down{{\"Host\", 7}};
  std::map<Col, int> colors{{Col::G, 9}};
  std::set<double> numbers{0.5};
  stop();
  return own.count(\"HOST\") + by.count(2) + table.count(\"KEY\") + hashed.count(\"Key\") + down.count(\"Host\") == 5
    && colors[Col::G] && numbers.count(0.5) ? 0 : 1;
}
";

#[test]
fn a_function_of_the_program_says_which_keys_are_the_same() {
    for (compiler, whole) in [("g++", "-g"), ("clang++", "-fstandalone-debug")] {
        let name = format!("own_keys_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, KEYS, &["-g", whole, "-std=c++17"]));
        server.run_to("stop");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        for (expression, value) in [
            ("own.size()", "1"),
            ("by.size()", "1"),
            ("hashed.count(\"Key\")", "1"),
            ("hashed[\"Key\"]", "5"),
            ("down.at(\"Host\")", "7"),
            ("colors[Col::G]", "9"),
            ("numbers.count(0.5)", "1"),
        ] {
            assert_eq!(server.evaluate(expression), value, "{name}: {expression}");
        }
        for (expression, by) in [
            ("own.count(\"HOST\")", "ci"),
            ("own.at(\"HOST\")", "ci"),
            ("own[\"HOST\"]", "ci"),
            ("own.find(\"HOST\") == own.end()", "ci"),
            ("by.count(2)", "bool (*)(int, int)"),
            ("table.contains(\"KEY\")", "same"),
            ("table[\"KEY\"]", "same"),
        ] {
            let error = server.fail("rr_evaluate", json!({"expression": expression}));
            let why = format!("which keys are the same is for {by} to say, a function of the program");
            assert!(error.starts_with(&why), "{name}: {expression}: {error}");
        }
    }
}

const CXX: &str = "
enum class Day : unsigned char { Mon, Sun = 6 };
inline Day operator+(Day d, int n) { return Day((int(d) + n) % 7); }
enum Flags { FA = 1, FB = 2, FC = 4 };
inline Flags operator|(Flags a, Flags b) { return Flags(int(a) | int(b)); }
inline bool operator!(Flags f) { return f == FA; }
inline Flags operator-(Flags) { return FC; }
namespace n {
enum class Level { High = 0, Low = 9 };
inline bool operator<(Level a, Level b) { return int(a) > int(b); }
inline int operator*(Level) { return 42; }
template <class T> int operator+(T, Level) { return 5; }
}
enum Plain { PA = 1, PB = 2 };
struct Step {
  long p;
  Step operator-(long n) const { return Step{p - n}; }
  Step operator|(int n) const { return Step{p | n}; }
  Step operator~() const { return Step{~p}; }
  bool operator!() const { return !p; }
};
volatile long start = 7;
__attribute__((noinline)) long steps() { Step s{start}; return (~(s - 1) | 2).p + !s; }
__attribute__((noinline)) int f(Day d, Flags x, Flags y, n::Level a, n::Level b, Plain p, Plain q) {
  asm volatile(\"\" ::: \"memory\");
  return (int)(d + 1) + (int)(x | y) + !y + (int)-x + (a < b) + *a + (a + b) + (p | q) + (p < q);
}
int main() { return f(Day::Sun, FB, FC, n::Level::High, n::Level::Low, PA, PB) == steps(); }
";

#[test]
fn operators_of_enumerations_are_those_of_the_program() {
    for (compiler, level) in [("g++", "-O0"), ("clang++", "-O0"), ("g++", "-O2")] {
        let name = format!("own_enumerations_{compiler}{level}");
        let server = replay_of(&built_by(compiler, "cc", &name, CXX, &["-g", level]));
        let computed = [
            ("p | q", "3"),
            ("p < q", "true"),
            ("p == PA", "true"),
            ("-q", "-2"),
            ("!q", "false"),
            ("~q", "-3"),
            ("q - 1", "1"),
            ("x & y", "0"),
            ("x == FB", "true"),
            ("(int)x | (int)y", "6"),
            ("x << 1", "4"),
        ];
        check(&server, &name, "f", &computed);
        let refused = [
            ("d + 1", "operator + calls operator+ here, a function of the program"),
            ("x | y", "operator | calls operator| here"),
            ("x | FC", "operator | calls operator| here"),
            ("!y", "operator ! calls operator! here"),
            ("-x", "operator - calls operator- here"),
            ("a < b", "operator < calls operator< here"),
            ("a + b", "operator + calls operator+ here"),
            ("*a", "operator * calls operator* here"),
        ];
        refuse(&server, &name, "f", &refused);
    }
}

const RUST: &str = r#"
use std::collections::HashMap;
use std::hint::black_box;
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Derived { Low, Mid(u32), High { by: u8 } }
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Plain { Low, High }
#[derive(Clone, Copy, PartialEq)]
pub enum Only { One(f32) }
#[derive(Clone, Copy)]
pub enum State { Retry(u32), Done }
impl PartialEq for State {
    fn eq(&self, o: &Self) -> bool { matches!((self, o), (State::Retry(_), State::Retry(_)) | (State::Done, State::Done)) }
}
#[derive(Clone, Copy, PartialEq)]
pub enum Level { Low, Mid, High }
impl PartialOrd for Level {
    fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> { (*o as u8).partial_cmp(&(*self as u8)) }
}
impl std::ops::BitOr for Level { type Output = u8; fn bitor(self, o: Self) -> u8 { self as u8 + o as u8 } }
#[inline(never)]
fn f(a: State, b: State, l: Level, m: Level, d: Derived, e: Derived, p: Plain, q: Plain, o: Only, held: Option<State>, n: Option<Plain>) -> bool {
    let map: HashMap<Derived, u8> = [(Derived::Mid(1), 2)].into();
    black_box((&map, &d, &e, &p, &q, &o, &held, &n));
    let all = (a == b, held == Some(b), l < m, l == m, d == e, d < e, p == q, p < q, o == Only::One(1.5), n == Some(p), l | m, map.contains_key(&d));
    black_box(all).0
}
fn main() {
    let n = std::env::args().count() as u32;
    let d = if n > 5 { Derived::Low } else { Derived::Mid(n) };
    black_box(f(State::Retry(n), State::Done, Level::Low, Level::Mid, d, Derived::High { by: n as u8 }, Plain::Low, Plain::High, Only::One(n as f32), Some(State::Done), Some(Plain::High)));
}
"#;

#[test]
fn comparisons_of_rust_are_those_of_the_program() {
    for level in ["0", "2"] {
        let name = format!("own_comparisons_{level}");
        let option = format!("opt-level={level}");
        let server = replay_of(&built_by("rustc", "rs", &name, RUST, &["-g", "-C", &option]));
        let place = format!("{name}::f");
        server.run_to(&place);
        // (Optimized, not everything is there.)
        let computed: &[(&str, &str)] = match level {
            "0" => &[
                ("d == e", "false"),
                ("d == Derived::Mid(1)", "true"),
                ("p == q", "false"),
                ("p < q", "true"),
                ("q == Plain::High", "true"),
                ("o == Only::One(1.0)", "true"),
                ("n == Some(Plain::High)", "true"),
                ("l == Level::Low", "true"),
                ("l as u8", "0"),
            ],
            _ => &[],
        };
        for (expression, value) in computed {
            assert_eq!(server.evaluate(expression), *value, "{name}: {expression}");
        }
        let eq = "operator == calls PartialEq::eq here, a function of the program";
        let refused: &[(&str, &str)] = &[
            ("a == b", eq),
            ("a == State::Retry(7)", eq),
            ("held == Some(State::Done)", eq),
            ("l < m", "operator < calls PartialOrd::partial_cmp here"),
            ("l | m", "operator | calls BitOr::bitor here"),
        ];
        if level == "0" {
            refuse(&server, &name, &place, refused);
        }
    }
}
