//! The values that functions return, in each place where the ABIs put them.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_by;
use crate::support::mcp::replaying;
use serde_json::{Value, json};

/// Functions of `returns.cpp` in the order in which they are called, and what they return. Addresses are written `0x*`.
const VALUES: &[(&str, &str)] = &[
    ("a_bool", "true"),
    ("a_char", "99 'c'"),
    ("a_signed_char", r#"-3 '\375'"#),
    ("a_short", "-300"),
    ("an_unsigned_short", "65000"),
    ("an_int", "-5"),
    ("an_unsigned", "4000000000"),
    ("a_long", "-5000000000"),
    ("an_int128", "1267650600228229401496703205376"),
    ("a_wchar", "252 L'ü'"),
    ("a_char16", "8364 u'€'"),
    ("a_char32", "128512 U'😀'"),
    ("a_float", "1.5"),
    ("a_double", "2.25"),
    ("a_long_double", "3.125"),
    ("a_float128", "4.5"),
    ("a_complex_float", "1.5 + 2.5i"),
    ("a_complex_double", "1.5 + 2.5i"),
    ("a_complex_long_double", "1.5 + 2.5i"),
    ("a_plain_enum", "ONE"),
    ("a_byte_enum", "Byte::A"),
    ("a_wide_enum", "Wide::B"),
    ("a_pointer", "(int *) 0x* <target>"),
    ("a_reference", "(int &) @0x*: 11"),
    ("an_rvalue_reference", "(int &&) @0x*: 11"),
    ("a_data_member", "&Two::y"),
    ("a_function_member", "(int (Two::*)(const Two * const)) 0x* <Two::sum() const>"),
    ("a_nullptr", "0"),
    ("an_empty", "{<No data fields>}"),
    ("one_char", "{c = 111 'o'}"),
    ("three_chars", "{a = 97 'a', b = 98 'b', c = 99 'c'}"),
    ("two_ints", "{x = 1, y = -2}"),
    ("two_doubles", "{a = 1.5, b = 2.5}"),
    ("three_floats", "{a = 1.5, b = 2.5, c = 3.5}"),
    ("float_int", "{f = 1.5, i = 2}"),
    ("double_int", "{d = 1.5, i = 2}"),
    ("int_double", "{i = 1, d = 2.5}"),
    ("array_of_floats", "{f = {1, 2, 3, 4}}"),
    ("nested", "{in = {s = -1, c = 110 'n'}, d = 2.5}"),
    ("bit_fields", "{a = 5, b = -77, c = 549755813888}"),
    ("bit_fields_and_double", "{d = 1.5, a = 5, b = 99}"),
    ("with_empty_parts", "{<Empty> = {<No data fields>}, inner = {<No data fields>}, f = 1.5}"),
    ("derived", "{<Two> = {x = 1, y = 2}, d = 3.5}"),
    ("no_unique_address", "{e = {<No data fields>}, d = 1.5, f = 2.5}"),
    ("int128_inside", "{i = 1267650600228229401496703205376}"),
    ("long_double_inside", "{d = 3.125}"),
    ("float128_inside", "{q = 4.5}"),
    ("complex_float_inside", "{c = 1.5 + 2.5i}"),
    ("complex_double_inside", "{c = 1.5 + 2.5i}"),
    ("float_and_complex", "{f = 0.5, c = 1.5 + 2.5i}"),
    ("member_inside", "{m = (int (Two::*)(const Two * const)) 0x* <Two::sum() const>}"),
    ("union_of_both", "{i = 42, f = 5.88545355e-44}"),
    ("union_of_doubles_and_char", r#"{d = {1.5, 2.5}, c = 0 '\000'}"#),
    ("union_of_floats", "{f = 0, d = 1.5}"),
    ("packed", "{c = 112 'p', i = 7}"),
    ("large", "{a = {1, 2, 3}}"),
    ("complex_long_double_inside", "{c = 1.5 + 2.5i}"),
    ("long_double_or_int", "{d = 3.125, i = 0}"),
    ("long_double_and_int", "{d = 3.125, i = 4}"),
    ("has_destructor", "{n = 1}"),
    ("has_copy", "{n = 2}"),
    ("has_move", "{n = 3}"),
    ("defaulted", "{n = 4}"),
    ("defaulted_later", "{n = 5}"),
    ("only_moved", "{n = 6}"),
    ("never_moved", "{n = 7}"),
    ("only_assigned", "{n = 8}"),
    ("assigned", "{n = 9}"),
    ("from_anything", "{n = 10}"),
    ("converted", "{n = 11}"),
    ("has_virtual", "{_vptr.Virtual = 0x* <vtable for Virtual+16>, n = 5}"),
    ("has_virtual_base", "{<Two> = {x = 1, y = 2}"),
    ("holds_destructor", "{part = {n = 12}}"),
    ("inherits_copy", "{<HasCopy> = {n = 13}, <No data fields>}"),
    ("array_of_moves", "{part = {{n = 14}, {n = 15}}}"),
    ("holds_only_moved", "{part = {n = 16}}"),
    ("defaulted_around", "{part = {n = 17}}"),
    ("holds_reference", "{part = @0x*}"),
    ("generic", "{n = 18}"),
    ("generic_plain", "{n = 19}"),
    ("std_complex_float", "{_M_value = 1.5 + 2.5i}"),
    ("std_complex_double", "{_M_value = 1.5 + 2.5i}"),
    ("std_complex_long_double", "{_M_value = 1.5 + 2.5i}"),
    ("std_unique_ptr", "std::unique_ptr<int> = {get() = 0x*}"),
    ("std_shared_ptr", "std::shared_ptr<int> (use count 1, weak count 0) = {get() = 0x*}"),
    ("std_weak_ptr", "std::weak_ptr<int> (empty) = {get() = 0x*}"),
    ("std_pair", "{first = 22, second = 23}"),
    ("std_pair_of_both", "{first = 24, second = 25.5}"),
    ("std_tuple", "std::tuple containing = {[1] = 26, [2] = 27.5}"),
    ("std_pair_with_owner", "{first = 28, second = std::unique_ptr<int> = {get() = 0x*}}"),
    ("std_optional", "std::optional<int> = {[contained value] = 29}"),
    ("std_optional_of_class", "std::optional<HasDestructor> = {[contained value] = {n = 30}}"),
    ("std_variant", "std::variant<int, float> [index 1] = {31.5}"),
    ("std_variant_of_owner", "std::variant<int, std::unique_ptr<int>> [index 0] = {32}"),
    ("std_array", "{33, 34, 35}"),
    ("std_string", r#""text""#),
    ("std_string_view", r#""view""#),
    ("std_vector", "std::vector of length 2, capacity 2 = {36, 37}"),
    ("std_duration", "38ms"),
    ("std_reference_wrapper", "std::reference_wrapper<int> = {get() = 11}"),
    ("std_iterator", "non-dereferenceable iterator for std::vector"),
    ("std_atomic", "std::atomic<int> = { 39 }"),
    ("two_float_vector", "{1, 2}"),
    ("two_int_vector", "{1, 2}"),
    ("float_vector", "{1, 2, 3, 4}"),
    ("double_vector", "{1.5, 2.5}"),
    ("int_vector", "{1, 2, 3, 4}"),
    ("short_vector", "{1, 2, 3, 4, 5, 6, 7, 8}"),
    ("vector_inside", "{v = {1, 2, 3, 4}}"),
    ("Deducing::deduced", "40.5"),
];

/// What LLVM's library has otherwise.
const LLVM: &[(&str, &str)] = &[
    ("std_complex_float", "{__re_ = 1.5, __im_ = 2.5}"),
    ("std_complex_double", "{__re_ = 1.5, __im_ = 2.5}"),
    ("std_complex_long_double", "{__re_ = 1.5, __im_ = 2.5}"),
];

/// Replaces what differs from build to build and from run to run: addresses, how compilers name the pointer to the
/// virtual table, and which symbol its address of a virtual base is in.
fn settled(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("0x*");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    let out = out.replace("_vptr$", "_vptr.");
    out.split(", _vptr.VirtualBase").next().unwrap_or_default().to_owned()
}

/// Leaves each function by its return; those whose value differs, and what it is instead.
fn differences(fixture: &str, expected: &dyn Fn(&str, &'static str) -> &'static str) -> Vec<String> {
    let server = replaying(fixture);
    for (function, _) in VALUES {
        server.call("rr_breakpoint_set", json!({"location": function}));
    }
    let mut differences = Vec::new();
    for (function, value) in VALUES {
        let stop = server.call("rr_continue", json!({}));
        assert_eq!(stop["function"].as_str().unwrap().split(['(', '[']).next(), Some(*function), "{stop}");
        let stop = server.call("rr_finish", json!({}));
        assert_eq!(stop["reason"], "function-finished", "{stop}");
        let returned = match &stop["return_value"] {
            Value::Null => stop["notes"][0].as_str().unwrap_or_default().to_owned(),
            returned => settled(returned.as_str().unwrap()),
        };
        if returned != expected(function, value) {
            differences.push(format!("{function}: {returned}"));
        }
    }
    differences
}

/// That every function of a fixture returns what it should.
fn compare(fixture: &str) {
    let none: Vec<String> = Vec::new();
    assert_eq!(differences(fixture, &|_, value| value), none);
}

#[test]
fn of_gcc() {
    compare("returns");
}

#[test]
fn of_gcc_optimised() {
    compare("returns-o2");
}

#[test]
fn of_clang() {
    compare("returns-clang");
}

#[test]
fn of_clang_optimised() {
    compare("returns-clang-o2");
}

#[test]
fn of_clang_with_its_own_library() {
    let expected = |function: &str, value| LLVM.iter().find(|(name, _)| *name == function).map_or(value, |(_, v)| *v);
    let none: Vec<String> = Vec::new();
    assert_eq!(differences("returns-libcxx", &expected), none);
}

/// Without DW_AT_defaulted, nobody knows whether a copy constructor that is declared does anything.
#[test]
fn a_class_that_may_be_trivial_or_not_has_no_value() {
    let unknown = differences("returns-strict", &|_, value| value);
    let note = |function: &str, class: &str| {
        format!(
            "{function}: the returned value cannot be shown: \
            whether {class} is trivial to copy and to destroy is not known"
        )
    };
    for (function, class) in [("has_destructor", "HasDestructor"), ("defaulted", "Defaulted"), ("std_pair", "Ints")] {
        assert!(unknown.contains(&note(function, class)), "{unknown:#?}");
    }
    // None of them is shown wrongly.
    assert!(unknown.iter().all(|line| line.contains("cannot be shown")), "{unknown:#?}");
}

const UNUSED: &str = "volatile long sink;
__attribute__((noinline)) static long g(long a, long b, long c) { sink = a + b; return a * b + c; }
__attribute__((noinline)) static double gf(double a) { sink = a; return a * 2; }
__attribute__((noinline)) static long used(long a) { sink = a; return a + 40; }
__attribute__((noinline)) static long loads(long a) { sink = a; return sink + a; }
__attribute__((noinline)) static char last(char a) { sink = a; sink; return sink + a + 1; }
__attribute__((noinline)) static long inner(long a) { sink = a; return a * 3; }
__attribute__((noinline)) long outer(long a) { sink = a + 1; return inner(a + 4); }
__attribute__((noinline)) static long pointed(long a) { sink = a; return a * 2; }
long (*volatile pointer)(long) = pointed;
int main(int c, char **v) {
    g(c, 7, c + 2);
    gf(c + .5);
    loads(c);
    last(c);
    outer(c);
    pointer(c);
    return used(c + 1) == sink;
}
";

/// Compilers remove results that no caller uses.
#[test]
fn a_result_that_may_be_removed_has_no_value() {
    for compiler in ["gcc", "clang"] {
        let program = built_by(compiler, "c", &format!("unused_{compiler}"), UNUSED, &["-g", "-O2"]);
        let server = replay_of(&program);
        let (removed, returned) = (["g", "gf", "loads", "last"], [("inner", "15"), ("pointed", "2"), ("used", "42")]);
        let all = removed.map(|name| (name, None)).into_iter().chain(returned.map(|(name, value)| (name, Some(value))));
        for (function, value) in all {
            server.run_to(function);
            let stop = server.call("rr_finish", json!({}));
            assert_eq!(stop["return_value"].as_str(), value, "{compiler}: {stop}");
            let note = stop["notes"].to_string();
            assert!(value.is_some() || note.contains("may have removed a result"), "{compiler}: {stop}");
            let calls = server.call("rr_calls", json!({"function": function})).to_string();
            assert!(calls.contains("may have removed a result") == value.is_none(), "{compiler}: {calls}");
        }
    }
}

const CONVENTIONS: &str = "
struct Floats { float a, b; }; struct Longs { long a, b; };
volatile int one = 1;
__attribute__((noinline, ms_abi)) struct Floats floats(void) { struct Floats r = {one * 1.5f, 2.5f}; return r; }
__attribute__((noinline, ms_abi)) struct Longs longs(void) { struct Longs r = {one * 15, 25}; return r; }
__attribute__((noinline, ms_abi)) double number(void) { return one * 3.5; }
__attribute__((noinline, regcall)) struct Floats by_regcall(void) { struct Floats r = {one * 1.5f, 2.5f}; return r; }
int main(void) {
  struct Floats a = floats(); struct Longs b = longs(); double c = number(); struct Floats d = by_regcall();
  return a.a + b.a + c + d.a == 21.5 ? 0 : 1;
}
";
const OPTIONS: &str = "
struct Longs { long a, b; }; struct Gap { float f; int : 32; int z; };
volatile int one = 1;
__attribute__((noinline)) struct Longs longs(void) { struct Longs r = {one * 15, 25}; return r; }
__attribute__((noinline)) struct Gap gap(void) { struct Gap r = {one * 4.5f, 6}; return r; }
int main(void) { struct Longs a = longs(); struct Gap b = gap(); return a.a + b.f + b.z == 25.5 ? 0 : 1; }
";

#[test]
fn by_other_rules_than_the_platforms() {
    let regcall =
        "the returned value cannot be shown: where the calling convention regcall returns values is not known";
    let gap = "the returned value cannot be shown: GCC returns it in another register if a gap of its type is an unnamed \
               bit-field, which debug info does not tell";
    let conventions: &[(&str, &str)] =
        &[("floats", "{a = 1.5, b = 2.5}"), ("longs", "{a = 15, b = 25}"), ("number", "3.5"), ("by_regcall", regcall)];
    let in_memory: &[(&str, &str)] = &[("longs", "{a = 15, b = 25}"), ("gap", "{f = 4.5, z = 6}")];
    for (name, compiler, source, options, expected) in [
        ("conventions", "clang", CONVENTIONS, ["-g", "-O2"], conventions),
        ("pcc_struct_return", "gcc", OPTIONS, ["-g", "-fpcc-struct-return"], in_memory),
        ("unnamed_gap_gcc", "gcc", OPTIONS, ["-g", "-O1"], &[("longs", "{a = 15, b = 25}"), ("gap", gap)]),
        ("unnamed_gap_clang", "clang", OPTIONS, ["-g", "-O0"], in_memory),
    ] {
        let server = replay_of(&built_by(compiler, "c", name, source, &options));
        for (function, value) in expected {
            server.run_to(function);
            let stop = server.call("rr_finish", json!({}));
            let returned = stop["return_value"].as_str().or(stop["notes"][0].as_str());
            assert_eq!(returned, Some(*value), "{name}: {stop}");
            let calls = server.call("rr_calls", json!({"function": function}));
            let returned = calls["rows"][0]["result"].as_str();
            assert!(returned.is_none_or(|returned| returned == *value), "{name}: {function}: {calls}");
        }
    }
}
