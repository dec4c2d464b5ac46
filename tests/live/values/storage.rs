//! How values are stored: bytes in the other order, places that only the frame tells, numbers in rare notations. Each
//! answer is what the program itself computes with, or says why there is none.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_from;
use crate::support::mcp::Server;
use serde_json::json;

/// Checks the values of expressions where a place is met next, and that a trace has the same.
#[track_caller]
fn same_both_ways(server: &Server, what: &str, place: &str, expected: &[(&str, &str)]) {
    server.run_to(place);
    let values: Vec<String> = expected.iter().map(|(expression, _)| server.evaluate(expression)).collect();
    let values: Vec<(&str, &str)> = expected.iter().zip(&values).map(|((name, _), value)| (*name, &**value)).collect();
    assert_eq!(values, expected, "{what} at {place}");
    let names: Vec<&str> = expected.iter().map(|(expression, _)| *expression).collect();
    for (some, same) in names.chunks(MOST_TRACED).zip(expected.chunks(MOST_TRACED)) {
        let traced = server.call("rr_trace", json!({"locations": [place], "values": some, "limit": 1}));
        let values =
            traced["rows"][0]["values"].as_array().unwrap().iter().map(|value| value["value"].as_str().unwrap());
        let values: Vec<(&str, &str)> = some.iter().copied().zip(values).collect();
        assert_eq!(values, same, "{what} at {place}, traced");
    }
}

/// Values that one trace collects here.
const MOST_TRACED: usize = 8;

const REVERSED: &str = "#define REVERSED __attribute__((scalar_storage_order(\"big-endian\")))
enum Kind { K0, K1, K2 };
struct REVERSED Packet { unsigned short half; int word; long wide; int small : 5; unsigned mid : 11; unsigned rest : 16;
 float f; double d; short list[3]; struct { int deep; } own; _Bool flag; char c; enum Kind kind; enum Kind kinds[2]; int *at; };
struct REVERSED Odd { unsigned a : 3; unsigned b : 7; unsigned long c : 40; int d : 9; };
struct Packet packet; struct Odd odd; int target = 4, sum;
__attribute__((noinline)) void stop(struct Packet *p) { asm volatile(\"\" : : \"r\"(p) : \"memory\"); }
__attribute__((noinline)) void fill(struct Packet *p) { p->word = -5; p->mid = 1000; asm volatile(\"\" : : : \"memory\"); p->mid = 1001; }
int main(void) { struct Packet *p = &packet; fill(p); p->half = 0x1234; p->wide = 0x0102030405060708;
 p->small = -3; p->rest = 0xbeef; p->f = 1.5f; p->d = -2.25; p->list[0] = 7; p->list[1] = -8; p->list[2] = 9;
 p->own.deep = 77; p->flag = 1; p->c = 'q'; p->kind = K2; p->kinds[1] = K1; p->at = &target;
 odd.a = 5; odd.b = 100; odd.c = 0x123456789aUL; odd.d = -200;
 stop(p);
 for (int i = 0; i < 4; i++) { p->word = i; stop(p); sum += p->word; }
 return sum + p->half == 0; }
";

#[test]
fn numbers_in_the_other_order_are_read_so() {
    for (name, option) in [("reversed", "-O0"), ("reversed_dwarf4", "-gdwarf-4"), ("reversed_fast", "-O2")] {
        let server = replay_of(&built_from(name, REVERSED, &["-g", option]));
        let of_odd = "{a = 5, b = 100, c = 78187493530, d = -200}";
        let expected = [
            ("p->half", "4660"),
            ("p->word", "-5"),
            ("p->word + 1", "-4"),
            ("p->word == -5", "1"),
            ("-p->word", "5"),
            ("*&p->word", "-5"),
            ("p->wide", "72623859790382856"),
            ("p->small", "-3"),
            ("p->mid", "1001"),
            ("/x p->mid", "0x3e9"),
            ("p->rest", "48879"),
            ("p->f", "1.5"),
            ("p->d", "-2.25"),
            ("p->list", "{7, -8, 9}"),
            ("p->list[1]", "-8"),
            ("p->own", "{deep = 77}"),
            ("p->flag", "true"),
            ("p->c", "113 'q'"),
            ("p->kind", "K2"),
            ("p->kinds", "{K0, K1}"),
            ("*p->at", "4"),
            ("odd", of_odd),
            ("odd.c", "78187493530"),
        ];
        same_both_ways(&server, name, "stop", &expected);
        let twos = json!({"locations": ["stop"], "values": ["p->word"], "where": "p->word == 2"});
        let twos = server.call("rr_trace", twos);
        let values: Vec<_> = twos["rows"].as_array().unwrap().iter().map(|row| &row["values"][0]["value"]).collect();
        assert_eq!(values, ["2"], "{name}");
        let last = server.call("rr_last_write", json!({"expression": "packet.mid"}));
        // The last write to its bytes may be one to its neighbour.
        let change = if last["last_change"].is_object() { &last["last_change"] } else { &last["write"] };
        assert_eq!([&change["old"], &change["new"]], ["1000", "1001"], "{name}: {last}");
        server.call("rr_watchpoint_set", json!({"expression": "packet.word"}));
        let stop = server.call("rr_continue", json!({}));
        assert_eq!([&stop["old_value"], &stop["new_value"]], ["-5", "0"], "{name}: {stop}");
    }
}

const VARIABLE: &str = "void *memset(void *, int, unsigned long);
__attribute__((noinline)) void stop(void *p) { asm volatile(\"\" : : \"r\"(p) : \"memory\"); }
__attribute__((noinline)) int work(int n) {
 struct Line { int head; char text[n]; long tail; short last[n + 1]; int end; } s;
 memset(&s, 0, sizeof s); s.head = 1; s.text[1] = 'x'; s.tail = 77; s.last[n] = 9; s.end = -3;
 struct Line *p = &s;
 stop(p);
 struct { int head; char rest[n]; } open; open.head = n; open.rest[0] = 'y';
 stop(&open);
 return (int)sizeof(s) + s.end + open.head; }
int main(void) { return work(7) == 52 ? 0 : 1; }
";

#[test]
fn members_behind_one_of_variable_length_are_found() {
    let server = replay_of(&built_from("variable", VARIABLE, &["-g", "-O0"]));
    let whole = r#"{head = 1, text = "\000x\000\000\000\000", tail = 77, last = {0, 0, 0, 0, 0, 0, 0, 9}, end = -3}"#;
    let expected = [
        ("sizeof(s)", "48"),
        ("s.text[1]", "120 'x'"),
        ("sizeof(s.text)", "7"),
        ("s.tail", "77"),
        ("s.last[7]", "9"),
        ("s.end", "-3"),
        ("p->tail", "77"),
        ("p->end", "-3"),
        ("(char *)&s.end - (char *)&s", "40"),
    ];
    check(&server, "variable", "variable.c:7", &expected);
    assert_eq!(["s", "*p"].map(|all| server.evaluate(all)), [whole, whole]);
    // Where it ends depends on whether it is packed, which nothing tells.
    let no_size = "the size of struct {...} is unavailable: it has members of variable length, and the debug info does \
                   not tell it here";
    let of_open = [("open.head", "7"), ("open.rest[0]", "121 'y'"), ("sizeof(open)", no_size)];
    check(&server, "variable", "variable.c:9", &of_open);
}

const NOTATIONS: &str =
    "_Decimal32 d32 = 1.25DF; _Decimal64 d64 = -123456789.000123DD, zeros = 0.000DD, large = 1e300DD;
_Decimal128 d128 = 1.234567890123456789012345678901234DL; _Decimal64 none;
_Complex int pair = 3 - 4i; _Complex float cf = 1.5f - 2.0fi; _Complex double cd = -1 + 0.5i; _Complex short other;
struct { _Decimal64 d; _Complex int c; int x; } both;
__attribute__((noinline)) void stop(_Decimal64 d, _Complex int c) { asm volatile(\"\" : : : \"memory\"); }
int main(void) { none = d64 / (zeros - zeros); both.d = 2.5DD; both.c = pair; both.x = 1; __imag__ other = 2;
 stop(both.d, both.c); return d64 > 0; }
";

#[test]
fn rare_notations_are_read() {
    for (name, option) in [("notations", "-O0"), ("notations_fast", "-O2")] {
        let server = replay_of(&built_from(name, NOTATIONS, &["-g", option]));
        let refused = "<unavailable: the debug info does not say what kind of number 0x00020000 is>";
        let expected = [
            ("d32", "1.25"),
            ("d64", "-123456789.000123"),
            ("zeros", "0.000"),
            ("large", "1E+300"),
            ("d128", "1.234567890123456789012345678901234"),
            ("none", "-Infinity"),
            ("/x d64", "0xb1007048860dafbb"),
            ("pair", "3 + -4i"),
            ("cf", "1.5 + -2i"),
            ("cd", "-1 + 0.5i"),
            ("other", refused),
            ("both", "{d = 2.5, c = 3 + -4i, x = 1}"),
            ("d", "2.5"),
            ("c", "3 + -4i"),
        ];
        same_both_ways(&server, name, "stop", &expected);
    }
}
