//! Values of which some bytes are in one place and others elsewhere, or written by themselves; and values that are
//! computed from wide numbers.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const PARTED: &str = "volatile int one = 1;
static struct { int a; double d; int unused; struct { short s; char c[2]; } in; } sr = {3, 2.5, 0, {7, \"x\"}};
struct { char c[5]; } five __attribute__((aligned(8)));
__attribute__((noinline)) void hit(int n) { __asm__ volatile(\"\" : : \"r\"(n) : \"memory\"); }
__attribute__((noinline)) void change(int n) { sr.a += n; sr.d *= 1.5; sr.in.s -= n; five.c[n] = 'y'; }
int main(void) {
  for (int i = 1; i < 4; i++) { change(i * one); hit(i); }
  return sr.a + (int)sr.d + sr.in.s == 0;
}
";

#[test]
fn a_member_in_one_piece_is_where_the_piece_is() {
    let server = replay_of(&built_by("clang", "c", "parted", PARTED, &["-g", "-O2"]));
    check(&server, "parted", "hit", &[("sr.a", "4"), ("sr.d", "3.75"), ("sr.unused", "<optimized out>")]);
    assert!(server.evaluate("&sr.a").starts_with("(int *) 0x"), "{}", server.evaluate("&sr.a"));
    let watched = server.call("rr_watchpoint_set", json!({"expression": "sr.a"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["breakpoint_number"], &stop["new_value"]), (&watched["number"], &json!("6")), "{stop}");
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": watched["number"]}));
    server.run_to("hit");
    let last = server.call("rr_last_write", json!({"expression": "sr.in.s"}));
    assert_eq!(last["write"]["function"], "change", "{last}");
    let history = server.call("rr_history", json!({"expression": "sr.a"}));
    assert_eq!(history["rows"].as_array().map(Vec::len), Some(3), "{history}");
    let refused = server.fail("rr_watchpoint_set", json!({"expression": "sr.a + 1"}));
    assert!(refused.contains("a computed value without a place in memory"), "{refused}");
    // Five aligned bytes are watched in one word, where only writes are.
    for _ in 0..4 {
        server.call("rr_watchpoint_set", json!({"expression": "five.c"}));
    }
    let refused = server.fail("rr_watchpoint_set", json!({"expression": "five.c"}));
    assert!(refused.contains("its 5 bytes take 1 of the processor's 4 debug registers"), "{refused}");
}

const WIDE: &str = "volatile long sink; volatile long double wide_sink;
long double nan_q; float nan_f;
struct { int a; unsigned f : 5; int g : 7; unsigned h : 20; } gs;
__attribute__((noipa)) void set_h(int v) { gs.h = v; }
__attribute__((noipa)) void set_f(int v) { gs.f = v; }
__attribute__((noipa)) void touch(void) { ((volatile unsigned char *)&gs)[6] = 1; }
__attribute__((noipa)) void hit(int n) { __asm__ volatile(\"\" : : \"r\"(n) : \"memory\"); }
__attribute__((noipa)) long computed(long x, double y) {
  __int128 p = (__int128)x * x; long high = (long)(p >> 64); int is_less = p < 5;
  unsigned long m = (unsigned __int128)x * 7 >> 64;
  long double z = y; double third = (double)(z * 3); long whole = (long)(z * -9); int is_more = z * 8 > 1.5L;
  hit(3); sink = x; wide_sink = y; return 2; }
int main(void) {
  unsigned char q[10] = {0x23, 1, 0, 0, 0, 0, 0, 0xe0, 0xff, 0x7f}; unsigned f = 0xffe00123;
  __builtin_memcpy(&nan_q, q, 10); __builtin_memcpy(&nan_f, &f, 4);
  set_h(808); set_f(9); set_h(0xfffff); touch();
  return computed(1L << 62, 0.25) == 0; }
";

#[test]
fn wide_numbers_are_computed_as_in_the_program() {
    let server = replay_of(&built_by("gcc", "c", "wide", WIDE, &["-g", "-O1"]));
    server.run_to("hit");
    for (expression, value) in [
        ("(double)nan_q", "nan(0xc000000000000)"),
        ("(float)nan_q", "nan(0x600000)"),
        ("(double)nan_f", "-nan(0xc002460000000)"),
    ] {
        assert_eq!(server.evaluate(expression), value, "{expression}");
    }
    let expected = [
        ("p", "21267647932558653966460912964485513216"),
        ("is_less", "0"),
        ("z", "0.25"),
        ("third", "0.75"),
        ("whole", "-2"),
        ("is_more", "1"),
    ];
    server.call("rr_select_frame", json!({"frame_level": 1}));
    let values = expected.map(|(name, _)| (name, server.evaluate(name)));
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(values, expected);
    let history = server.call("rr_history", json!({"expression": "gs.h"}));
    assert!(!history.to_string().contains("optimized out"), "{history}");
    let parts: Vec<&str> = history["rows"].as_array().unwrap().iter().filter_map(|row| row["part"].as_str()).collect();
    assert!(parts.iter().any(|part| part.starts_with("gs.h+")), "{history}");
}
