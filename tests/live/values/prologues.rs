//! Values at every instruction of a function, those of its prologue and epilogue, too: right, or unavailable.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_by;
use crate::support::mcp::Server;
use serde_json::{Value, json};

const WALKED: &str = "#include <stdio.h>
typedef struct { long m, n, o; } Three;
__attribute__((noinline)) long walked(int a, Three p, double d, const char *s) {
  long k = a;
  k += snprintf(0, 0, \"%d %ld %ld %ld %g %s\", a, p.m, p.n, p.o, d, s);
  return p.m * k + p.o + a; }
int main(int c, char **v) { long t = 0; (void)v;
  for (int i = 0; i < 2; i++) { Three s = {c + i, c * 20 + i, c * 300 + i}; t += walked(i, s, i * 1.5, \"hey\"); }
  return t == 0; }
";

/// The parameters of the second call.
const SECOND: [(&str, &str); 6] =
    [("a", "1"), ("p.m", "2"), ("p.n", "21"), ("p.o", "301"), ("d", "1.5"), ("s[1]", "101 'e'")];

/// Returns the value of a parameter; `None` if it is unavailable, with a reason.
fn known(value: &Value) -> Option<&str> {
    value["value"].as_str().filter(|value| !value.starts_with('<'))
}

/// Steps through the second call, and returns where its instructions are.
fn walk(server: &Server, what: &str) -> Vec<String> {
    server.run_to("*walked");
    server.call("rr_breakpoint_set", json!({"location": "*walked"}));
    server.call("rr_continue", json!({}));
    let (mut places, mut seen) = (Vec::new(), [0; SECOND.len()]);
    loop {
        let top = server.call("rr_backtrace", json!({"max_depth": 1}))["result"][0].clone();
        if top["function"] != "walked" {
            break;
        }
        let pc = top["address"].as_str().unwrap().to_owned();
        for ((name, expected), seen) in SECOND.iter().zip(&mut seen) {
            let answer = server.attempt("rr_evaluate", json!({"expression": name})).unwrap_or_default();
            let value = known(&answer);
            assert!(value.is_none_or(|value| value == *expected), "{what}: {name} is {value:?} at {pc}");
            *seen += usize::from(value.is_some());
        }
        places.push(pc);
        server.call("rr_next", json!({"instruction": true}));
    }
    // An optimiser may have left nothing of one of them.
    let often = seen.iter().filter(|seen| **seen > 2).count();
    assert!(often >= SECOND.len() - 1 && places.len() > 10, "{what}: {seen:?} of {}", places.len());
    places
}

#[test]
fn parameters_are_right_or_unavailable_at_each_instruction() {
    for (compiler, option) in [("gcc", "-O0"), ("clang", "-O0"), ("gcc", "-O1"), ("clang", "-O2"), ("clang", "-Os")] {
        let what = format!("walked.{compiler}{option}");
        let server = replay_of(&built_by(compiler, "c", &what, WALKED, &["-g", option]));
        let places: Vec<String> = walk(&server, &what).into_iter().map(|pc| format!("*{pc}")).collect();
        let names = SECOND.map(|(name, _)| name);
        let trace = server.call("rr_trace", json!({"locations": places, "values": names, "limit": 1000}));
        let rows = trace["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 2 * places.len(), "{what}");
        for row in &rows[places.len()..] {
            for ((name, expected), value) in SECOND.iter().zip(row["values"].as_array().unwrap()) {
                assert!(known(value).is_none_or(|value| value == *expected), "{what}: {name} in {row}");
            }
        }
    }
}

const WRAPPED: &str =
    "__attribute__((noinline)) void fill(char *b) { b[0] = 42; __asm__ volatile(\"\" : : \"r\"(b) : \"memory\"); }
__attribute__((noinline)) int wrapped(int x) {
  if (x < 0) return 7;
  char buffer[64];
  fill(buffer);
  return buffer[x]; }
int main(int c, char **v) { (void)v; return wrapped(-c) + wrapped(c - 1) == 0; }
";

#[test]
fn a_frame_that_only_a_part_of_the_function_sets_up_has_its_variables() {
    for (compiler, option) in [("clang", "-O1"), ("clang", "-O2"), ("gcc", "-O2")] {
        let what = format!("wrapped.{compiler}{option}");
        let server = replay_of(&built_by(compiler, "c", &what, WRAPPED, &["-g", option]));
        server.run_to("fill");
        server.call("rr_finish", json!({}));
        assert_eq!(server.evaluate("buffer[0]"), "42 '*'", "{what}");
    }
}

const CONVENTIONS: &str = "#include <stdio.h>
typedef struct { long a, b, c; } Large; typedef struct { long a, b; } Pair;
volatile long one = 1; Large other = {111, 222, 333};
#ifdef __clang__
__attribute__((noinline, preserve_most)) Large large(long x) { Large r = {x * one, x + 1, x + 2}; return r; }
#endif
__attribute__((noinline, ms_abi)) Pair pair(long x, long y) { Pair r = {x + one, y + one}; return r; }
__attribute__((noinline)) Large *keep(Large *p) { __asm__ volatile(\"\" : \"+r\"(p)); return p; }
int main(void) { keep(&other);
#ifdef __clang__
  Large r = large(10); other.c += r.b;
#endif
  Pair p = pair(14, 24); return p.a + p.b == other.a; }
";

#[test]
fn results_are_where_the_convention_of_the_function_has_them() {
    for compiler in ["clang", "gcc"] {
        let what = format!("conventions.{compiler}");
        let server = replay_of(&built_by(compiler, "c", &what, CONVENTIONS, &["-g", "-O1"]));
        let result = |function: &str| {
            let row = server.call("rr_calls", json!({"function": function}))["rows"][0].clone();
            server.run_to(function);
            let stop = server.call("rr_finish", json!({}));
            assert_eq!(stop["return_value"].is_string(), row["result"].is_string(), "{what}: {stop} {row}");
            row
        };
        if compiler == "clang" {
            let unknown = result("large")["result_unknown"].as_str().unwrap().to_owned();
            assert!(unknown.contains("preserve_most") && unknown.contains("rax"), "{unknown}");
        }
        assert_eq!(result("pair")["result"], "{a = 15, b = 25}", "{what}");
    }
}
