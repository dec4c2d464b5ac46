//! Values and frames that optimising compilers have left only traces of.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, built_from, line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::record;
use serde_json::{Value, json};

const SOURCE: &str = "optimised.c";

fn at(mark: &str) -> u64 {
    line(SOURCE, mark)
}

/// Name and line of each frame, and whether it has left by a tail call.
fn frames(server: &Server) -> Vec<(String, u64, bool)> {
    let frames = server.call("rr_backtrace", json!({}));
    let frame = |f: &Value| {
        (f["function"].as_str().unwrap_or("??").to_owned(), f["line"].as_u64().unwrap_or(0), f["tail_call"] == true)
    };
    frames["result"].as_array().unwrap().iter().map(frame).collect()
}

fn local(server: &Server, name: &str) -> Value {
    let locals = server.call("rr_locals", json!({}));
    let found = locals["result"].as_array().unwrap().iter().find(|v| v["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {locals}")).clone()
}

#[test]
fn a_pointer_to_an_object_in_registers_leads_there() {
    for fixture in ["optimised", "optimised-dwarf4"] {
        let server = replaying(fixture);
        let stop = server.run_to("dereferenced");
        assert_eq!(stop["function"], "dereferenced", "{fixture}");
        // An optimiser has moved its first instruction away from the others.
        let is_there = (0..10).any(|_| {
            server.call("rr_next", json!({"instruction": true}));
            frames(&server)[0].0 == "dereferenced"
        });
        assert!(is_there, "{fixture}");
        assert_eq!(local(&server, "p")["value"], "<synthetic pointer>", "{fixture}");
        for (expression, value) in [
            ("p", "(const struct point *) <synthetic pointer>"),
            ("*p", "{x = 5, y = 6}"),
            ("p->x", "5"),
            ("p[0].y", "6"),
            ("(*p).x + p->y", "11"),
            ("*(int *)p", "5"),
            ("*((int *)p + 1)", "6"),
            ("p[1]", "{x = <optimized out>, y = <optimized out>}"),
        ] {
            let found = server.call("rr_evaluate", json!({"expression": expression}));
            assert_eq!(found["value"], value, "{fixture}: {expression}");
        }
        let said = server.fail("rr_evaluate", json!({"expression": "(long)p"}));
        assert!(said.contains("the pointer has no value because the object is not in memory"), "{said}");
        let said = server.fail("rr_evaluate", json!({"expression": "&p->x"}));
        assert!(said.contains("not in memory"), "{said}");
    }
}

#[test]
fn a_floating_point_argument_is_what_the_caller_passed() {
    for fixture in ["optimised", "optimised-dwarf4"] {
        let server = replaying(fixture);
        server.run_to(&format!("{SOURCE}:{}", at("doubles")));
        // It is in no register any more.
        assert_eq!(["y", "z"].map(|name| server.evaluate(name)), ["2.5", "3"], "{fixture}");
    }
}

#[test]
fn frames_that_left_by_tail_calls_are_shown() {
    let expected = [
        ("tail_leaf", at("leaf"), false),
        ("tail_middle", at("to-leaf"), true),
        ("tail_start", at("to-middle"), true),
        ("main", at("tail"), false),
    ];
    for fixture in ["optimised", "optimised-dwarf4", "optimised-clang", "optimised-clang4"] {
        let server = replaying(fixture);
        server.run_to("tail_leaf");
        let found = frames(&server);
        let found: Vec<_> = found.iter().map(|(name, line, tail)| (name.as_str(), *line, *tail)).collect();
        assert_eq!(found, expected, "{fixture}");
        // From a frame that is gone, a function returns where its caller goes on.
        server.call("rr_select_frame", json!({"frame_level": 2}));
        let stop = server.call("rr_finish", json!({}));
        assert_eq!((&stop["function"], &stop["return_value"]), (&json!("main"), &json!("31")), "{fixture}");
    }
    let server = replaying("optimised");
    server.run_to("tail_leaf");
    for (level, values) in [(1, [Some("10"), Some("20")]), (2, [Some("10"), None])] {
        server.call("rr_select_frame", json!({"frame_level": level}));
        for (name, value) in ["n", "m"].into_iter().zip(values) {
            let Some(value) = value else { continue };
            assert_eq!(local(&server, name)["value"], value, "{name} of frame {level}");
        }
    }
    let text = server.text("rr_backtrace", json!({}));
    assert!(text.contains("#1 tail_middle (n=10, m=20)") && text.contains("[left by a tail call]"), "{text}");
}

const LEFT_BY: &str = r#"volatile int g;
struct S { int a[8]; };
__attribute__((noipa)) void last(int x) { g += x; }
static inline __attribute__((always_inline)) void inlined(struct S copy, int k) { last(copy.a[2] + k); }
__attribute__((noipa)) void left(int n, struct S s) { inlined(s, n); }
int main(int c, char **v) { struct S s = {{c, 2, 3, 4, 5, 6, 7, 8}}; left(c, s); return g == 0; }
"#;

#[test]
fn what_was_in_a_frame_that_left_by_a_tail_call_is_gone_with_it() {
    let server = replay_of(&built_by("gcc", "c", "left_by", LEFT_BY, &["-g", "-O2"]));
    server.run_to("last");
    for (level, name) in [(1, "copy"), (2, "s")] {
        server.call("rr_select_frame", json!({"frame_level": level}));
        assert_eq!(server.evaluate(name), "<unavailable: the function has left by a tail call>", "{name}");
    }
}

#[test]
fn a_missing_value_says_why_and_where_it_was() {
    let server = replaying("optimised-clang");
    server.run_to(&format!("{SOURCE}:{}", at("before")));
    server.run_to("consume");
    server.call("rr_select_frame", json!({"frame_level": 1}));
    let here = frames(&server)[1].clone();
    assert_eq!(here, ("implicit_pointer".to_owned(), at("before"), false));
    // The callee has done nothing yet.
    assert_eq!(local(&server, "before")["value"], "10");
    server.call("rr_step", json!({"instruction": true}));
    server.call("rr_select_frame", json!({"frame_level": 1}));
    let before = local(&server, "before");
    assert_eq!(before["value"], "<not saved: rax>");
    let known_at = before["missing"]["known_at"].as_str().unwrap().to_owned();
    let short = known_at.trim_start_matches("0x").trim_start_matches('0');
    assert_eq!(
        before["missing"]["why"],
        format!("register rax is not saved; known until the call at 0x{short}, 5 bytes back")
    );
    assert_eq!(before["missing"]["line"].as_u64(), Some(at("before")));
    let result = server.call("rr_evaluate", json!({"expression": "result"}));
    assert_eq!(result["missing"], json!({"why": "kept nowhere by the compiler"}));
    let said = server.fail("rr_evaluate", json!({"expression": "before + result"}));
    let why = format!("\nbefore: register rax is not saved; known until the call at 0x{short}, 5 bytes back");
    assert!(said.ends_with(&why), "{said}");
    // And there it is.
    server.call("rr_breakpoint_set", json!({"location": format!("*{known_at}"), "temporary": true}));
    server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(server.evaluate("before"), "10");
    assert!(local(&server, "before").get("missing").is_none());
}

#[test]
fn a_value_that_is_gone_was_last_known_before() {
    let server = replaying("optimised");
    server.run_to("floats");
    let is_gone = |v: &&Value| v["name"] == "b" && v["missing"]["why"].to_string().contains("last known");
    let missing = (0..30).find_map(|_| {
        server.call("rr_next", json!({"instruction": true}));
        let locals = server.call("rr_locals", json!({}));
        locals["result"].as_array().unwrap().iter().find(is_gone).map(|v| v["missing"].clone())
    });
    let missing = missing.expect("a variable that is gone");
    let why = missing["why"].as_str().unwrap();
    assert!(why.starts_with("no location at this pc; last known at 0x") && why.ends_with(" back"), "{why}");
    let place = format!("*{}", missing["known_at"].as_str().unwrap());
    server.call("rr_breakpoint_set", json!({"location": place, "temporary": true}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["line"], missing["line"]);
    assert_eq!(local(&server, "b")["value"], "5.5");
}

#[test]
fn what_is_known_in_the_cold_part_is_not_near() {
    let server = replaying("optimised");
    server.run_to("branches");
    let kept = local(&server, "kept");
    let why = kept["missing"]["why"].as_str().unwrap();
    assert!(why.starts_with("no location at this pc; first known at") && why.ends_with(" bytes ahead"), "{why}");
}

#[test]
fn members_by_their_bare_names() {
    for fixture in ["optimised-cpp", "optimised-cpp-clang"] {
        let server = replaying(fixture);
        server.run_to("Shape::grow");
        for (expression, value) in [
            ("width", "3"),
            ("width + height", "8"),
            ("base_member", "8"),
            ("count", "3"),
            ("made", "1"),
            ("Shape::width", "3"),
            ("Base::base_member", "8"),
            ("this->width == width", "true"),
        ] {
            assert_eq!(server.evaluate(expression), value, "{fixture}: {expression}");
        }
        let said = server.fail("rr_evaluate", json!({"expression": "radius"}));
        assert!(said.contains("no symbol \"radius\""), "{said}");
    }
    // A condition that names a member, and a watchpoint on one.
    let server = replaying("optimised-cpp");
    server.call("rr_breakpoint_set", json!({"location": "Shape::grow", "condition": "width == 3 && count == 3"}));
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "breakpoint-hit");
    server.call("rr_watchpoint_set", json!({"expression": "width"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["old_value"], &stop["new_value"]), (&json!("3"), &json!("8")));
    // The object itself is in no memory.
    let server = replaying("optimised-cpp");
    let stop = server.run_to("Box<int>::twice");
    assert_eq!(stop["function"], "Box<int>::twice");
    assert_eq!((server.evaluate("value"), server.evaluate("this->value")), ("10".to_owned(), "10".to_owned()));
}

#[test]
fn an_inlined_function_is_entered_where_its_arguments_are_in_place() {
    let server = replaying("optimised-cpp");
    let stop = server.run_to("Shape::Shape");
    assert_eq!(stop["function"], "Shape::Shape");
    assert_eq!(["w", "h"].map(|name| server.evaluate(name)), ["3", "5"]);
}

/// How often each function of `calls.c` says that it was called.
fn counted_calls(server: &Server) -> Vec<(String, u64)> {
    let output = server.call("rr_output", json!({}));
    let words: Vec<&str> = output["result"][0]["text"].as_str().unwrap().split_whitespace().collect();
    words.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].parse().unwrap())).collect()
}

#[test]
fn a_call_of_an_inlined_function_is_met_once() {
    for fixture in ["calls-O1", "calls-O2", "calls-O3", "calls-clang-O1", "calls-clang-O3"] {
        let server = replaying(fixture);
        let counted = counted_calls(&server);
        let names: Vec<&str> = counted.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["partial", "clamp", "mix", "walk"], "{fixture}");
        for (name, _) in &counted {
            server.call("rr_breakpoint_set", json!({"location": name, "log": "{$function}"}));
        }
        for (turn, reverse) in [(1, false), (2, true)] {
            server.call("rr_continue", json!({"reverse": reverse}));
            let met = server.call("rr_breakpoint_list", json!({}));
            let hits = met["result"].as_array().unwrap().iter().map(|b| b["hits"].as_u64().unwrap());
            let expected: Vec<u64> = counted.iter().map(|(_, calls)| turn * calls).collect();
            assert_eq!(hits.collect::<Vec<_>>(), expected, "{fixture}, reverse: {reverse}");
        }
        let lines = server.call("rr_log", json!({"count": 1000}));
        let of = |name: &str| lines["result"].as_array().unwrap().iter().filter(|l| l["text"] == name).count() as u64;
        counted.iter().for_each(|(name, calls)| assert_eq!(of(name), 2 * calls, "{fixture}: {name}"));
    }
    // Of the calls, all but the last are skipped.
    let server = replaying("calls-O2");
    let calls = counted_calls(&server)[0].1;
    for reverse in [false, true] {
        let number =
            &server.call("rr_breakpoint_set", json!({"location": "partial", "ignore_count": calls - 1}))["number"];
        let reasons = [(); 2].map(|()| server.call("rr_continue", json!({"reverse": reverse}))["reason"].take());
        let end = if reverse { "start-of-recording" } else { "end-of-recording" };
        assert_eq!(reasons, ["breakpoint-hit", end], "reverse: {reverse}");
        server.call("rr_breakpoint_remove", json!({"breakpoint_number": number}));
    }
    // What is asked for by its own name is found, and by a pattern that has nothing else.
    let set = server.call("rr_breakpoint_set", json!({"location": "partial.part.0"}));
    assert_eq!(set["places"].as_array().map_or(1, Vec::len), 1, "{set}");
    let set = server.call("rr_breakpoint_set", json!({"location": "^partial", "regex": true}));
    assert_eq!(set["note"], "1 function matches");
}

#[test]
fn a_breakpoint_on_an_inlined_function_meets_each_call_in_an_unrolled_loop() {
    for fixture in ["unrolled", "unrolled-clang"] {
        let server = replaying(fixture);
        server.call("rr_breakpoint_set", json!({"location": "clamp"}));
        let mut met = Vec::new();
        for reverse in [false, true] {
            for _ in 0..5 {
                let stop = server.call("rr_continue", json!({"reverse": reverse}));
                assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("clamp")), "{stop}");
                assert_eq!(stop["line"].as_u64(), Some(line("unrolled.c", "clamp")), "{fixture}: {stop}");
                met.push(stop["ticks"].as_u64().unwrap());
            }
            let end = server.call("rr_continue", json!({"reverse": reverse}))["reason"].take();
            assert_eq!(end, if reverse { "start-of-recording" } else { "end-of-recording" }, "{fixture}");
        }
        let (there, back) = met.split_at(5);
        assert!(there.iter().eq(back.iter().rev()), "{fixture}: {met:?}");
    }
}

#[test]
fn a_negative_integer_that_became_a_float_is_negative() {
    let text = "#include <stdio.h>
__attribute__((noinline, noclone)) void probe(long n) { __asm__ volatile(\"\" :: \"r\"(n) : \"memory\"); }
__attribute__((noinline)) int scale(long x) {
  double wide = (double)(3 - x);
  double quarter = (double)(int)(3 - x) * .25;
  float narrow = (float)(short)(3 - x);
  double above = (double)(unsigned)(x - 3);
  probe(1);
  probe(x);
  return 0;
}
int main(int argc, char **argv) { return scale(argc + 99) + (argv == 0); }
";
    for options in [["-g", "-O2"], ["-gdwarf-4", "-O2"], ["-g", "-O1"]] {
        let program = built_from(&format!("negative.floats{}", options.concat()), text, &options);
        let server = Server::start();
        server.replay(&record(&program, &[], scratch()).trace);
        server.run_to("probe");
        server.run_to("probe");
        for (name, expected) in [("wide", "-97"), ("quarter", "-24.25"), ("narrow", "-97"), ("above", "97")] {
            let value = server.call("rr_evaluate", json!({"expression": name, "frame": 1}))["value"].clone();
            assert!(value == expected || value == "<optimized out>", "{options:?}: {name} is {value}");
            assert!(value == expected || options != ["-g", "-O2"], "{name} is {value}");
        }
    }
}

const CHANGED_AT_ONCE: &str = "volatile long sink;
__attribute__((noinline)) int swapped(int a, int b) { int t = a; a = b; b = t; sink = a; return a * 2 + b; }
__attribute__((noinline)) long skipped(const char *s) { s += 2; sink = *s; return *s; }
__attribute__((noinline)) int looped(int a) { for (int i = 0; i < 3; i++) { a = a * 3 + i; sink = a; } return a; }
int main(int argc, char **argv) { return swapped(argc, 9) + skipped(\"hello\") + looped(argc) == 0; }
";

/// GCC describes what a statement at the first instruction has made of a parameter, and in an empty range what it was.
#[test]
fn a_parameter_is_what_was_passed_until_the_first_instruction_has_run() {
    for option in ["-O1", "-O2", "-O3"] {
        let what = format!("changed_at_once{option}");
        let server = replay_of(&built_from(&what, CHANGED_AT_ONCE, &["-g", option]));
        for (function, expected) in
            [("swapped", ["a=1", "b=9"].as_slice()), ("skipped", &["s=\"hello\""]), ("looped", &["a=1"])]
        {
            let calls = server.call("rr_calls", json!({"functions": [function]}));
            let arguments = calls["rows"][0]["arguments"].as_array().unwrap();
            let named = |argument: &Value| {
                let value = argument["value"].as_str().unwrap_or_else(|| panic!("{what}: {calls}"));
                format!(
                    "{}={}",
                    argument["name"].as_str().unwrap(),
                    value.rsplit_once(' ').map_or(value, |(_, text)| text)
                )
            };
            assert_eq!(arguments.iter().map(named).collect::<Vec<_>>(), expected, "{what}: {function}");
            server.call("rr_goto", json!({"position": calls["rows"][0]["position"]}));
            for argument in expected {
                let (name, value) = argument.split_once('=').unwrap();
                assert!(server.evaluate(name).ends_with(value), "{what}: {function}: {argument}");
            }
        }
    }
}

const COMPUTED: &str = "
volatile int src = 2; volatile double vd = 76.0; volatile long sink;
__attribute__((noinline)) void mark(long id) { __asm__ volatile(\"\" :: \"r\"(id) : \"memory\"); sink = id; }
static __attribute__((noinline)) int passed(long p0, double p2, float p3) {
  unsigned short l0 = (unsigned short)p0 & (unsigned short)p2;
  double l1 = p2 * 2; float l2 = p3 * 2; int l3 = (int)p3 + (int)p0; double l4 = p2;
  mark(1); // passed
  mark(2);
  return 3;
}
__attribute__((noinline)) int cast(int x) {
  unsigned char c = (unsigned char)(x * 280.0);
  unsigned u = (unsigned)(x * -5.0);
  int big = (int)(x * 3e9);
  unsigned short us = (unsigned short)(x * 40000.0);
  mark(3); // cast
  return x;
}
__attribute__((noinline)) long double on_x87(long double a, long double b) {
  long double c = a * b; long double d = a + c;
  __asm__ volatile(\"\" : \"+t\"(c), \"+u\"(d));
  sink = 1; // x87
  __asm__ volatile(\"\" : \"+t\"(c), \"+u\"(d));
  return c - d;
}
int main(void) {
  long a = src * 2; double d = vd;
  on_x87(src + 0.5L, 1.5L);
  int r = passed(a, d, (float)d + 1);
  mark(a); vd = d;
  return cast(src) - 2 + r - 3;
}
";

#[test]
fn what_is_computed_with_floats_is_what_the_program_computes() {
    let server = replay_of(&built_by("gcc", "c", "computed_floats", COMPUTED, &["-g", "-O2"]));
    let line = |mark: &str| COMPUTED.lines().position(|line| line.ends_with(mark)).unwrap() + 1;
    server.run_to(&format!("computed_floats.c:{}", line("// x87")));
    assert_eq!(["c", "d"].map(|name| server.evaluate(name)), ["3.75", "6.25"]);
    let passed = [("l0", "4"), ("l1", "152"), ("l2", "154"), ("l3", "81"), ("l4", "76"), ("p2", "76"), ("p3", "77")];
    server.run_to(&format!("computed_floats.c:{}", line("// passed")));
    for (name, value) in passed {
        assert_eq!(server.evaluate(name), value, "{name}");
    }
    // What does not fit is what the processor's instructions make of it.
    let cast = [("c", "48 '0'"), ("u", "4294967286"), ("big", "-2147483648"), ("us", "14464")];
    check(&server, "cast", &format!("computed_floats.c:{}", line("// cast")), &cast);
}

/// A structure in registers, which the function puts into its frame, and a number that is in two registers at first.
const STORED_LATER: &str = "#include <stdio.h>
struct three { int a, b, c; };
__attribute__((noinline)) void show(struct three *p) { printf(\"%d %d %d\\n\", p->a, p->b, p->c); }
__attribute__((noinline)) int sum(struct three x, int n) {
  puts(\"sum\");
  show(&x);
  return x.a + x.b + x.c + n;
}
typedef __int128 wide;
__attribute__((noinline)) void print(wide x) { printf(\"%lld %llu\\n\", (long long)(x >> 64), (unsigned long long)x); }
__attribute__((noinline)) long work(wide x, int y) {
  print(x);
  long r = 0;
  for (int i = 0; i < y; i++) {
    print(x + i);
    r += (long)(x >> 60) ^ i;
    __asm__ volatile(\"\" ::: \"rbx\", \"rbp\", \"r12\", \"r13\", \"r14\", \"r15\", \"memory\");
  }
  print(x);
  return r;
}
int main(int n, char **v) {
  struct three x = {n + 5, n * 9, n * 11};
  wide w = ((wide)(n + 4) << 64) + 7;
  return (sum(x, n) + work(w, n + 1)) == 0;
}
";

#[test]
fn a_parameter_is_in_its_slot_once_the_code_has_put_it_there() {
    const MISSING: &str = "<unavailable: the function's prologue may not have stored it yet>";
    for level in ["-O1", "-O2"] {
        let program = format!("stored_later{level}");
        let server = replay_of(&built_by("gcc", "c", &program, STORED_LATER, &["-g", level]));
        check(&server, level, "*sum", &[("x", MISSING)]);
        server.run_to("show");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        assert_eq!(["x", "x.b"].map(|name| server.evaluate(name)), ["{a = 6, b = 9, c = 11}", "9"], "{level}");
        let rows = server.call("rr_trace", json!({"locations": [format!("{program}.c:6")], "values": ["x"]}));
        assert_eq!(rows["rows"][0]["values"][0]["value"], "{a = 6, b = 9, c = 11}", "{level}");
        // Its one location for the whole function are the registers that it came in.
        check(&server, level, "*work", &[("x", "92233720368547758087")]);
        let later = format!("{program}.c:{}", line_of(STORED_LATER, "i < y"));
        server.run_to(&later);
        let values =
            ["92233720368547758087", "<unavailable: the function may have overwritten the registers that it came in>"];
        assert!(values.contains(&server.evaluate("x").as_str()), "{level}: {}", server.evaluate("x"));
    }
}

const SEVENTH: &str = "#include <cstdio>
#include <memory>
__attribute__((noinline)) long seventh(long a, long b, long c, long d, long e, long f, std::unique_ptr<int> p) {
  printf(\"%d\\n\", *p);
  return a + b + c + d + e + f + *p;
}
int main(int n, char **) { return seventh(n, n + 2, n * 3, n ^ 4, n | 8, n - 1, std::make_unique<int>(n + 10)) == 0; }
";

const RUST_SEVENTH: &str = "#[inline(never)]
fn seventh(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, v: Vec<u64>) -> u64 {
    println!(\"{v:?}\");
    a + b + c + d + e + f
}
fn main() {
    let n = std::env::args().count() as u64;
    println!(\"{}\", seventh(n, n + 2, n * 3, n ^ 4, n | 8, n - 1, vec![n + 10, 22, 33]));
}
";

#[test]
fn an_object_is_where_the_address_on_the_stack_leads() {
    for level in ["-O0", "-O2"] {
        let program = format!("seventh{level}");
        let server = replay_of(&built_by("clang++", "cc", &program, SEVENTH, &["-g", level]));
        check(&server, level, &format!("{program}.cc:4"), &[("*p", "11"), ("f", "0")]);
        let calls = server.call("rr_calls", json!({"function": "seventh", "values": ["*p"]}));
        let values = calls["rows"][0]["arguments"].as_array().unwrap();
        assert_eq!(values.last().unwrap(), &json!({"name": "*p", "value": "11"}), "{level}");
        let program = format!("rust_seventh{}", level.replace('-', "_"));
        let options = ["-g", "-C", if level == "-O0" { "opt-level=0" } else { "opt-level=2" }];
        let server = replay_of(&built_by("rustc", "rs", &program, RUST_SEVENTH, &options));
        check(&server, level, &format!("{program}.rs:3"), &[("v", "vec![11, 22, 33]"), ("v[0]", "11")]);
    }
}

fn line_of(source: &str, mark: &str) -> usize {
    source.lines().position(|line| line.contains(mark)).unwrap() + 1
}
