//! How large what an expression names is, and which of its bits count, as the compiler at hand lays it out.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const PADDED: &str = "
#include <stdio.h>
#include <string.h>
#ifdef __clang__
typedef float f3 __attribute__((ext_vector_type(3)));
#else
typedef float f3 __attribute__((vector_size(16)));
_Decimal32 tenth = 1.10df; _Decimal64 hundred = 100.dd, other = -2.25dd; _Decimal128 third = 1.dl / 3;
#endif
struct s3 { char a[3]; }; struct s5 { char a[5]; }; struct s12 { int a[3]; }; struct s17 { char a[17]; };
typedef const struct s12 named;
struct holds { char before; f3 v; char after; _Atomic struct s5 five; char end; } one = {.before = 1, .v = {1, 2, 3}, .after = 2, .end = 3};
f3 arr[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, *pv = &arr[1], sum;
_Atomic struct s3 atoms[3], *pa = &atoms[1];
_Atomic struct s12 twelve[2]; _Atomic named constant; _Atomic struct s17 large[2]; _Atomic int plain[2];
struct Fl { int n; struct { short s; char d[4]; } in[2]; };
int twice(int x) { return 2 * x; }
struct s12 triple(int x) { struct s12 made = {{x, x, x}}; return made; }
void stop(void) {}
int main(void) {
  unsigned long sizes[] = {sizeof arr, sizeof sum, sizeof one, sizeof atoms, sizeof atoms[0], sizeof twelve,
    sizeof constant, sizeof large, sizeof plain, (char *)(pv + 1) - (char *)pv, (char *)(pa + 1) - (char *)pa,
    (char *)&one.after - (char *)&one, (char *)&one.end - (char *)&one, sizeof triple(2),
    (char *)&((struct Fl *)0)->in[1].d[2] - (char *)0, _Alignof(struct holds)};
  memcpy((void *)&one.five, \"five\", 5); memset((void *)&atoms[1], 'x', 3); memset((void *)&twelve[1], 1, 12); sum = arr[0] + arr[1];
  stop();
  return twice(sizes[0]) + (int)sum[0] == 0 || triple(1).a[0] == 5;
}
";

#[test]
fn vectors_and_atomic_records_are_as_large_as_in_the_program() {
    for compiler in ["gcc", "clang"] {
        let name = format!("own_sizes_{compiler}");
        let server = replay_of(&built_by(compiler, "c", &name, PADDED, &["-g", "-w"]));
        let values = [
            ("arr[2][0]", "7"),
            ("pv[1][1]", "8"),
            ("one.v[2]", "3"),
            ("one.after", "2 '\\002'"),
            ("one.five.a", "\"five\""),
            ("pa[0].a", "\"xxx\""),
            ("twelve[1].a[2]", "16843009"),
            ("(arr[0] + arr[1])[2]", "9"),
            ("sizeof(arr[0] + arr[1]) == sizeof(sum)", "1"),
            ("sizeof(twice(1))", "4"),
            ("sizeof twice(1) + 1", "5"),
            ("offsetof(struct Fl, in)", "4"),
        ];
        check(&server, &name, "stop", &values);
        server.call("rr_select_frame", json!({"frame_level": 1}));
        for (number, expression) in [
            "sizeof(arr)",
            "sizeof(arr[0] + arr[1])",
            "sizeof one",
            "sizeof(atoms)",
            "sizeof(atoms[0])",
            "sizeof twelve",
            "sizeof constant",
            "sizeof large",
            "sizeof plain",
            "(char *)(pv + 1) - (char *)pv",
            "(char *)(pa + 1) - (char *)pa",
            "offsetof(struct holds, after)",
            "offsetof(struct holds, end)",
            "sizeof(triple(2))",
            "offsetof(struct Fl, in[1].d[2])",
            "_Alignof(struct holds)",
        ]
        .iter()
        .enumerate()
        {
            let equal = format!("({expression}) == sizes[{number}]");
            assert_eq!(server.evaluate(&equal), "1", "{name}: {expression}");
        }
        let decimals = [
            ("tenth + 1", "2.10"),
            ("tenth * 2", "2.20"),
            ("tenth + other", "-1.15"),
            ("-other", "2.25"),
            ("hundred == 100", "1"),
            ("tenth < other", "0"),
            ("!tenth", "0"),
            ("(int)other", "-2"),
            ("(double)tenth", "1.1000000000000001"),
            ("sizeof(tenth + third)", "16"),
            (
                "hundred + 1e3",
                "operator + does not apply to double; it needs finite decimal floats, or one of them and an integer",
            ),
            ("third * third", "_Decimal128 cannot represent the result exactly, and it is not rounded here"),
        ];
        for (expression, value) in decimals.iter().filter(|_| compiler == "gcc") {
            let shown = server.attempt("rr_evaluate", json!({"expression": expression}));
            let shown = shown.map(|answer| answer["value"].as_str().unwrap().to_owned());
            let shown = shown.unwrap_or_else(|why| why.lines().next().unwrap().to_owned());
            assert_eq!(shown, *value, "{expression}");
        }
        let called = server.fail("rr_evaluate", json!({"expression": "twice(1)"}));
        assert!(called.starts_with("cannot call a function in a replay"), "{name}: {called}");
    }
}

const BIT_PRECISE: &str = "
_BitInt(7) a = -64; struct S { unsigned _BitInt(17) b; int n; } s;
void stop(void) {}
int main(void) { __builtin_memset(&s, 0xff, sizeof s); s.b = 5; stop(); return a + s.n; }
";

#[test]
fn an_integer_of_an_unknown_number_of_bits_is_no_number() {
    let server = replay_of(&built_by("clang", "c", "bit_precise", BIT_PRECISE, &["-g", "-w"]));
    let unknown = "debug info does not tell how many bits this _BitInt has";
    let expected = [
        ("a", &*format!("<unavailable: {unknown}>")),
        ("s.b", "<unavailable: debug info does not tell how many bits this unsigned _BitInt has>"),
        ("s.n", "-1"),
        ("a + 1", unknown),
        ("a < 0", unknown),
        ("sizeof(a)", "1"),
    ];
    check(&server, "bit_precise", "stop", &expected);
}

const SECTIONS: &str = "
program sections
  integer, target :: tg(4,5) = 1
  real(8), target :: wide(6) = 2
  integer, pointer :: sl(:,:), neg(:)
  real(8), pointer :: every(:)
  sl => tg(2:4:2, 1:5:2)
  neg => tg(4:1:-1, 3)
  every => wide(1:6:3)
  call stop(sl, every)
  print *, sizeof(sl), sizeof(neg), sizeof(every)
contains
  subroutine stop(given, each)
    integer :: given(:,:)
    real(8) :: each(:)
    given(1, 1) = 2
    print *, sizeof(given), sizeof(each)
  end subroutine
end program
";

#[test]
fn a_section_of_an_array_is_as_large_as_its_elements() {
    let server = replay_of(&built_by("gfortran", "f90", "sections", SECTIONS, &["-g"]));
    let own = [("sizeof(sl)", "24"), ("sizeof(neg)", "16"), ("sizeof(every)", "16"), ("sizeof(tg)", "80")];
    check(&server, "sections", "sections.f90:10", &own);
    let given = [("sizeof(given)", "24"), ("sizeof(each)", "16"), ("sizeof(given) / sizeof(given[1][1])", "6")];
    check(&server, "sections", "sections.f90:17", &given);
}

const ORDERED: &str = "
#include <compare>
#include <list>
#include <map>
#include <vector>
struct P { int a; virtual void v() {} void w() {} };
void stop() {}
int main() {
  std::strong_ordering less = 1 <=> 2, equal = std::strong_ordering::equal;
  std::weak_ordering weak = std::weak_ordering::greater, same = std::weak_ordering::equivalent;
  std::partial_ordering part = 1.0 <=> 2.0, none = std::partial_ordering::unordered;
  std::vector<int> v{5, 6, 7}; auto second = v.begin() + 1, third = second + 1;
  std::map<int, short> m{{1, 9}}; auto found = m.find(1), end = m.end();
  std::list<short> l{3, 4}; std::list<short>::const_iterator first = l.begin();
  std::vector<int>::iterator nowhere;
  int P::*no_data = nullptr, P::*data = &P::a; void (P::*no_code)() = nullptr, (P::*code)() = &P::v;
  stop();
  return less < 0 && part < 0 && none != 0 && weak > 0 && same == 0 && equal == 0 && *second && found != end && *first
    && second != third && !no_data && data && !no_code && code;
}
";

#[test]
fn orderings_and_iterators_of_the_debug_mode_mean_something() {
    for options in [["-g", "-std=c++20", "-O0"], ["-g", "-std=c++20", "-D_GLIBCXX_DEBUG"]] {
        let name = if options[2] == "-O0" { "ordered" } else { "ordered_checked" };
        let server = replay_of(&built_by("g++", "cc", name, ORDERED, &options));
        server.run_to("stop");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        for (expression, value) in [
            ("less", "std::strong_ordering::less"),
            ("equal", "std::strong_ordering::equal"),
            ("weak", "std::weak_ordering::greater"),
            ("same", "std::weak_ordering::equivalent"),
            ("part", "std::partial_ordering::less"),
            ("none", "std::partial_ordering::unordered"),
            ("less < 0", "true"),
            ("equal == 0", "true"),
            ("weak <= 0", "false"),
            ("second", "6"),
            ("*second + 1", "7"),
            ("second == third", "false"),
            ("second + 1 == third", "true"),
            ("found", "{first = 1, second = 9}"),
            ("found->second", "9"),
            ("found == end", "false"),
            ("end", "past-the-end iterator for associative container"),
            ("*first", "3"),
            ("!no_data", "true"),
            ("!data", "false"),
            ("no_code || !code", "false"),
            ("data && code", "true"),
        ] {
            assert_eq!(server.evaluate(expression), value, "{name}: {expression}");
        }
        let nowhere = server.evaluate("nowhere");
        assert!(nowhere.starts_with("non-dereferenceable iterator for std::"), "{name}: {nowhere}");
    }
}

const ALIGNED: &str = "
struct A { int a; unsigned long b : 7; };
struct C { char c; short s : 1; };
struct D { char c; int i : 3; };
struct __attribute__((packed)) P { char c; int i : 3; };
struct A a; struct C c; struct D d; struct P p; char big[3];
void stop(void) {}
#ifdef __cplusplus
short &ref = *new short(1);
struct W { int x : 40; } wide;
int aligned[] = {alignof(A), alignof(C), alignof(D), alignof(P), alignof(char &), alignof(C &), alignof(W)};
#else
int aligned[] = {_Alignof(struct A), _Alignof(struct C), _Alignof(struct D), _Alignof(struct P)};
#endif
int main(void) { stop(); return aligned[0] == 0; }
";

#[test]
fn bit_fields_and_references_are_aligned_as_in_the_program() {
    let records = ["struct A", "struct C", "struct D", "struct P"];
    for (compiler, suffix, references) in [
        ("gcc", "c", &[][..]),
        ("clang", "c", &[]),
        ("g++", "cc", &["char &", "C &", "W"]),
        ("clang++", "cc", &["char &", "C &", "W"]),
    ] {
        let name = format!("aligned_{compiler}");
        let server = replay_of(&built_by(compiler, suffix, &name, ALIGNED, &["-g", "-w"]));
        server.run_to("stop");
        for (number, ty) in records.iter().chain(references).enumerate() {
            assert_eq!(
                server.evaluate(&format!("_Alignof({ty}) == aligned[{number}]")),
                match suffix {
                    "c" => "1",
                    _ => "true",
                },
                "{name}: {ty}"
            );
        }
    }
}
