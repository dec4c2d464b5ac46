//! Whose variable or type a name means, where several units or files have one, or the code around has a name of its own
//! for it: each answer is what the program itself computes with.

use crate::support::fixtures::{built_by, built_from, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::json;
use std::path::Path;

/// Returns a replay of a program.
pub fn replay_of(program: &Path) -> Server {
    let server = Server::start();
    server.replay(&record(program, &[], scratch()).trace);
    server
}

/// Checks the values of expressions where a place is met next, and that a trace has the same or says why it has none.
#[track_caller]
pub fn check(server: &Server, what: &str, place: &str, expected: &[(&str, &str)]) {
    server.run_to(place);
    let value = |expression: &str| match server.attempt("rr_evaluate", json!({"expression": expression})) {
        Ok(answer) => answer["value"].as_str().unwrap().to_owned(),
        Err(why) => why.lines().next().unwrap().to_owned(),
    };
    let values: Vec<(&str, String)> = expected.iter().map(|(name, _)| (*name, value(name))).collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(values, expected, "{what} at {place}");
    for (name, value) in expected {
        let traced = server.attempt("rr_trace", json!({"locations": [place], "values": [name], "limit": 1}));
        let shown = traced.map(|answer| answer["rows"][0]["values"][0]["value"].as_str().unwrap_or(value).to_owned());
        assert!(shown.as_ref().is_err() || shown.as_deref() == Ok(*value), "{what} at {place}: {name}: {shown:?}");
    }
}

const OWNER: &str = "int level = 1;
__attribute__((visibility(\"hidden\"))) int hidden = 7;
__attribute__((visibility(\"protected\"))) int guarded = 8;
void stop(void) {}
int raise_level(int by) { level += by; stop(); return level + hidden + guarded; }
";
const USER: &str = "extern int level; int raise_level(int); int hidden = 70, guarded = 80;
int main(void) { level = 40; return raise_level(2) - 57 + hidden + guarded; }
";

#[test]
fn a_variable_is_where_the_dynamic_linker_has_it() {
    for (name, compiler, library, program, level) in [
        ("copied", "gcc", "-O0", "-no-pie", "40"),
        ("copied_pie", "gcc", "-gdwarf-4", "-pie", "40"),
        ("not_copied", "clang", "-O0", "-fPIE", "40"),
        ("interposed", "clang", "-O0", "-Dextern=", "40"),
        ("symbolic", "gcc", "-Wl,-Bsymbolic", "-Dextern=", "1"),
    ] {
        let part = format!("{name}_part.so");
        let options = ["-g", "-shared", "-fPIC", library];
        let part = built_by(compiler, "c", &part, OWNER, &options);
        let options = ["-g", program, part.to_str().unwrap(), "-rdynamic"];
        let server = replay_of(&built_by(compiler, "c", name, USER, &options));
        check(&server, name, "raise_level", &[("level", level), ("hidden", "7"), ("guarded", "8"), ("::level", level)]);
        let watched = server.call("rr_watchpoint_set", json!({"expression": "level"}));
        let stop = server.call("rr_continue", json!({}));
        assert_eq!(stop["breakpoint_number"], watched["number"], "{name}: {stop}");
        let raised = (level.parse::<i32>().unwrap() + 2).to_string();
        assert_eq!(server.evaluate("level"), raised, "{name}");
    }
}

const UNDESCRIBED: &str = "int counter = 500; double ratio = 7.5; int values[3] = {1, 2, 3};";
const NAMESAKES: &str = "static int counter = -1; static long ratio = -2; static char values[2] = \"z\";
int others(void) { counter--; ratio--; return counter + (int)ratio + values[0]; }
";
const DECLARER: &str = "extern int counter; extern double ratio; extern int values[]; int others(void);
extern int nowhere __attribute__((weak));
void stop(void) {}
int main(void) { int sum = others(); stop(); { extern int counter; counter++; stop(); }
 return sum + counter + (int)ratio + values[1] + (&nowhere != 0); }
";

#[test]
fn a_declaration_is_no_static_of_another_unit() {
    for (name, compiler, options) in [
        ("declared", "gcc", ["-O0", "-g"]),
        ("declared_static", "gcc", ["-static", "-g"]),
        ("declared_clang", "clang", ["-gdwarf-4", "-g"]),
    ] {
        let plain = built_from(&format!("{name}_plain.o"), UNDESCRIBED, &["-c"]);
        let [a, b] = options;
        let namesakes = built_by(compiler, "c", &format!("{name}_namesakes.o"), NAMESAKES, &["-c", a, b]);
        let parts = [plain.to_str().unwrap(), namesakes.to_str().unwrap(), a, b];
        let server = replay_of(&built_by(compiler, "c", name, DECLARER, &parts));
        let namesake = format!("'{name}_namesakes.o.c'::counter");
        check(&server, name, "others", &[("counter", "-1"), ("ratio", "-2"), ("values[0]", "122 'z'")]);
        if compiler == "clang" {
            // This compiler does not say what is only declared.
            server.run_to("stop");
            let refused = server.fail("rr_evaluate", json!({"expression": "counter"}));
            assert!(refused.starts_with("there is no debug info for `counter`; it is at 0x"), "{refused}");
            assert_eq!(server.evaluate(&namesake), "-2");
        } else {
            let declared = [("counter", "500"), ("ratio", "7.5"), ("values[1]", "2"), (namesake.as_str(), "-2")];
            check(&server, name, "stop", &declared);
            server.run_to("stop");
            let nowhere = "<unavailable: it is only declared here, and no symbol says where it is>";
            assert_eq!((server.evaluate("counter").as_str(), server.evaluate("nowhere").as_str()), ("501", nowhere));
        }
    }
}

const FIRST: &str = "namespace { struct Node { int a; long b[4]; }; enum Kind { K0, K1 }; typedef char Id; }
namespace { struct Base { virtual ~Base() {} int k = 1; }; struct Made : Base { int first = 11; }; }
struct Clash { int only; };
void use(void *p) { asm volatile(\"\" : : \"r\"(p) : \"memory\"); }
void first(void *p) { Node n{}; Kind k = K1; Id id = 0; Clash c{}; Base *b = new Made; use(&n); use(&k); use(&id); use(&c); use(b); }
";
const SECOND: &str = "namespace { struct Node { short c; char d; }; enum Kind { Z0 = 5, Z1 = 1 }; typedef long double Id; }
namespace { struct Base { virtual ~Base() {} double q = 2.5; }; struct Made : Base { double second = 22.5; }; }
struct Clash { char only; };
void use(void *); void first(void *);
void second(void *p) { Node n{}; Kind k = Z1; Id id = 0; Clash c{}; Base *b = new Made; use(&n); use(&k); use(&id); use(&c); use(b); }
int main() { long v[5] = {0x0102030405060708, 9, 10, 11, 12}; first(v); second(v); }
";

#[test]
fn a_type_is_that_of_the_unit_of_the_code() {
    for (name, compiler, options) in
        [("own_types", "g++", ["-O0", "-g"]), ("own_types_clang", "clang++", ["-gdwarf-4", "-g"])]
    {
        let [a, b] = options;
        let part = built_by(compiler, "cc", &format!("{name}_first.o"), FIRST, &["-c", a, b]);
        let server = replay_of(&built_by(compiler, "cc", name, SECOND, &[part.to_str().unwrap(), a, b]));
        let of_first = [
            ("sizeof(Node)", "40"),
            ("((Node *)p)->a", "84281096"),
            ("(Kind)1", "(anonymous namespace)::K1"),
            ("sizeof(Id)", "1"),
            ("sizeof(Clash)", "4"),
        ];
        check(&server, name, "first", &of_first);
        let of_second = [
            ("sizeof(Node)", "4"),
            ("*(Node *)p", "{c = 1800, d = 6 '\\006'}"),
            ("(Kind)1", "(anonymous namespace)::Z1"),
            ("Z1 + 0", "1"),
            ("sizeof(Id)", "16"),
            ("sizeof(Clash)", "1"),
        ];
        check(&server, name, "second", &of_second);
        for _ in 0..5 {
            server.run_to("use");
        }
        server.call("rr_finish", json!({}));
        assert_eq!(server.evaluate("((Made *)b)->second"), "22.5", "{name}");
        assert_eq!(server.evaluate("b->second"), "22.5", "{name}");
    }
}

const TEMPLATES: &str = "int N = 99; struct T { char c[50]; } whole; double U = 1.5; long glob = 8;
template <class T, int N> int count(T t) { int r = N + (int)t; asm volatile(\"\" : \"+r\"(r)); return r; }
template <class T, T *P> struct Holder { T a; int get() { asm volatile(\"\" : : : \"memory\"); return (int)a + (int)*P; } };
template <bool B, char C, unsigned long L> int consts() { asm volatile(\"\" : : : \"memory\"); return B + C + (int)L; }
struct D { int v = 31; static int w; template <int v> int m(int x) { auto l = [&] { asm volatile(\"\" ::: \"memory\");
   return v + this->v; };
   return l() + v; }
  template <int w, class v> static int s() { asm volatile(\"\" ::: \"memory\"); return w + (int)sizeof(v); }
  template <int w> int n(int x) { asm volatile(\"\" ::: \"memory\"); return w + x; } };
int D::w = 8;
template <int v> struct E { int m; template <int m> int h() { asm volatile(\"\" ::: \"memory\"); return m + v; } };
int main() { Holder<long, &glob> h{4}; D d; E<4> e{12};
 return count<short, 5>(2) + h.get() + consts<true, 'x', 12345678901ul>() + d.m<5>(1) + D::s<9, char>() + d.n<7>(2) + e.h<10>(); }
";

#[test]
fn parameters_of_templates_have_their_names_in_the_code() {
    for (name, compiler, option) in [("parameters", "g++", "-O0"), ("parameters_clang", "clang++", "-gdwarf-4")] {
        let server = replay_of(&built_by(compiler, "cc", name, TEMPLATES, &["-g", option]));
        let of_function =
            [("N", "5"), ("N + 1", "6"), ("sizeof(T)", "2"), ("(T)65537", "1"), ("::N", "99"), ("t", "2")];
        check(&server, name, "count<short, 5>", &of_function);
        check(&server, name, &format!("{name}.cc:3"), &[("*P", "8"), ("sizeof(T)", "8"), ("a", "4"), ("U", "1.5")]);
        check(
            &server,
            name,
            &format!("{name}.cc:4"),
            &[("B", "true"), ("C", "120 'x'"), ("L", "12345678901"), ("N", "99")],
        );
        let at = |line: u32| format!("{name}.cc:{line}");
        check(&server, name, &at(7), &[("v", "5"), ("this->v", "31"), ("D::v", "31"), ("w", "8")]);
        check(&server, name, &at(6), &[("v", "5"), ("this->v", "31"), ("w", "8")]);
        check(&server, name, &at(8), &[("w", "9"), ("sizeof(v)", "1"), ("D::w", "8")]);
        check(&server, name, &at(9), &[("w", "7"), ("x", "2"), ("v", "31")]);
        check(&server, name, &at(11), &[("m", "10"), ("v", "4"), ("this->m", "12")]);
    }
}

const BASES: &str = "struct A { int m = 1; int only = 5; }; struct B { int m = 2; }; struct C : A, B { int own = 3; };
struct V { int v = 4; }; struct V1 : virtual V {}; struct V2 : virtual V {}; struct D : V1, V2 {};
struct N1 : V {}; struct N2 : V {}; struct ND : N1, N2 {}; struct Hides : A, B { int m = 6; };
int main() { C c; D d; ND nd; Hides h;
 return c.own + d.v + nd.N1::v + c.A::m + h.m; }
";

#[test]
fn a_member_of_two_bases_is_none() {
    let server = replay_of(&built_by("g++", "cc", "bases", BASES, &["-g"]));
    let expected = [
        ("c.m", "C has \"m\" of A and of B: name the base, as in A::m"),
        ("c.A::m", "1"),
        ("c.B::m", "2"),
        ("c.only", "5"),
        ("d.v", "4"),
        ("nd.v", "ND has several parts of V: name a class that has one of them"),
        ("nd.N2::v", "4"),
        ("h.m", "6"),
        ("h.Hides::m", "6"),
        ("h.Hides::B::m", "2"),
        ("c.C::A::only", "5"),
    ];
    check(&server, "bases", "bases.cc:5", &expected);
}

const BORROWED: &str = "fn main() {
    let x = 5i32; let y = 5i32; let z = 6i32; let rx = &x; let boxed = Box::new(41i32);
    println!(\"{} {} {} {} {}\", rx == &x, rx == &y, rx < &z, &x == &y, *boxed + 1);
    std::hint::black_box((x, y, z, rx));
}
";

#[test]
fn what_is_borrowed_is_compared_by_value() {
    let server = replay_of(&built_by("rustc", "rs", "borrowed", BORROWED, &["-g"]));
    let expected = [
        ("rx == &x", "true"),
        ("rx == &y", "true"),
        ("rx == &z", "false"),
        ("rx < &z", "true"),
        ("&x == &y", "true"),
        ("*boxed + 1", "42"),
        (
            "boxed + 1",
            "operator + does not apply to alloc::boxed::Box<i32, alloc::alloc::Global>; it needs numbers; `*` leads into a box",
        ),
    ];
    check(&server, "borrowed", "borrowed.rs:3", &expected);
}

const WEAK: &str = "use std::rc::{Rc, Weak}; use std::sync::Arc;
fn main() {
    let a = Rc::new(5i32); let w: Weak<i32> = Rc::downgrade(&a); let aa = Arc::new(String::from(\"arc\")); let aw = Arc::downgrade(&aa);
    let dead: Weak<i32> = Weak::new(); let t = \"text\";
    std::hint::black_box((&a, &w, &aa, &aw, &dead, &t));
}
";

#[test]
fn what_a_weak_pointer_becomes_is_a_pointer() {
    let server = replay_of(&built_by("rustc", "rs", "weak", WEAK, &["-g"]));
    let expected = [
        ("*w.upgrade().unwrap()", "5"),
        ("*w.upgrade().unwrap() + 1", "6"),
        ("*aw.upgrade().unwrap()", "\"arc\""),
        ("aw.upgrade().unwrap().len()", "3"),
        ("w.upgrade().is_some()", "true"),
        ("dead.upgrade().is_none()", "true"),
        ("\"lit\".as_bytes()", "&[108, 105, 116]"),
        ("\"lit\".as_bytes()[1]", "105"),
        ("\"lit\".as_bytes().len()", "3"),
    ];
    check(&server, "weak", "weak.rs:5", &expected);
    for (expression, ty) in [
        ("w.upgrade().unwrap()", "type = alloc::rc::Rc<i32, alloc::alloc::Global>"),
        ("dead.upgrade()", "type = core::option::Option<alloc::rc::Rc<i32, alloc::alloc::Global>>"),
        ("\"lit\".as_bytes()", "type = &[u8]"),
    ] {
        let shown = server.text("rr_command", json!({"command": format!("whatis {expression}")}));
        assert_eq!(shown.trim_end(), ty, "{expression}");
    }
}

const EMPTY: &str = "use std::convert::Infallible;
enum E { A(u32), #[allow(dead_code)] B(Infallible) }
enum F { A(u32), #[allow(dead_code)] B(u8, Infallible), C }
fn main() { let n = std::env::args().count() as u32;
    let (e, r, f, g, h) = (E::A(6 + n), Ok::<u32, Infallible>(7 + n), F::A(8 + n), F::C, None::<Infallible>);
    let s: Result<i32, String> = Err(String::from(\"bad\")); let o = Some(String::from(\"text\")); let i: Result<Infallible, u8> = Err(5);
    let none: Option<String> = None;
    std::hint::black_box((&e, &r, &f, &g, &h, &s, &o, &i, &none));
}
";

#[test]
fn an_enum_is_never_a_variant_without_values() {
    let server = replay_of(&built_by("rustc", "rs", "empty_variants", EMPTY, &["-g"]));
    let expected = [
        ("e", "A(7)"),
        ("e.0", "7"),
        ("r", "Ok(8)"),
        ("f", "A(9)"),
        ("g", "C"),
        ("h", "None"),
        ("i", "Err(5)"),
        ("s", "Err(\"bad\")"),
        ("o", "Some(\"text\")"),
        ("none", "None"),
    ];
    check(&server, "empty_variants", "empty_variants.rs:8", &expected);
}

const NESTED: &str = "int level = 99, shadow = 98, unused = 97, only = 96;
__attribute__((noinline)) int apply(int (*f)(int), int v) { return f(v); }
__attribute__((noinline)) void stop(void) { __asm__ volatile(\"\" : : : \"memory\"); }
__attribute__((noinline)) int outer(int n) {
 int level = n * 2; int unused = 7; char text[n]; __builtin_memset(text, 'b', n);
 { int shadow = 5;
  int mid(int k) {
   int own = k + level;
   int deep(int z) { level += z; stop(); return own + level + text[0] + shadow; }
   return apply(deep, k) + own;
  }
  level += apply(mid, 3); }
 return level + unused;
}
int main(void) { int shadow = 1; return outer(5) == shadow; }
";

#[test]
fn a_nested_function_has_the_variables_of_those_around() {
    let options = ["-g", "-w", "-z", "execstack"];
    let server = replay_of(&built_by("gcc", "c", "nested", NESTED, &options));
    let expected = [
        ("level", "10"),
        ("own", "13"),
        ("text", "\"bbbbb\""),
        ("sizeof(text)", "5"),
        ("unused", "7"),
        ("n", "5"),
        ("z", "3"),
        ("k", "3"),
        ("shadow", "5"),
        ("only", "96"),
        ("::level", "99"),
    ];
    check(&server, "nested", "nested.c:9", &expected);
    let watched = server.call("rr_watchpoint_set", json!({"expression": "level"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["breakpoint_number"], watched["number"], "{stop}");
    assert_eq!(server.evaluate("level"), "13");
    let server = replay_of(&built_by("gcc", "c", "nested_fast", NESTED, &[&options[..], &["-O2"]].concat()));
    let depends = "<unavailable: it is of the function around, and where it is depends on how far that has run: \
                   select its frame>";
    let expected =
        [("level", "10"), ("own", "13"), ("unused", "7"), ("n", depends), ("shadow", "5"), ("::level", "99")];
    check(&server, "nested_fast", "nested_fast.c:10", &expected);
}

const ALIASES: &str = "#include <string>
namespace very { namespace deep { struct Node { int a = 4; long b[2] = {1, 2}; }; int value = 7; enum Kind { K0, K1 };
 int work(int x) { Kind k = K1; return x + value + k - 1; } namespace inner { int last = 3; } } }
namespace vd = very::deep; namespace vdi = vd::inner; namespace outer { namespace alias = very::deep; }
namespace other { int last = 50; } int last = 60;
int parse(const std::string &s) { return s.size(); }
int parse(int x) { return x; }
struct Observer { virtual ~Observer() {} int k = 5; };
int main() { namespace local = very::deep::inner; vd::Node n; Observer o; Observer *w = &o; int x = vd::work(1) + local::last;
 { namespace local = other; int y = 1;
  x += local::last + y; }
 x += parse(\"abc\") + parse(3) + vdi::last + outer::alias::value + n.a + w->k + last;
 return x == 0; }
";

#[test]
fn a_namespace_has_other_names() {
    for (name, compiler) in [("aliases", "g++"), ("aliases_clang", "clang++")] {
        let server = replay_of(&built_by(compiler, "cc", name, ALIASES, &["-g"]));
        check(&server, name, &format!("{name}.cc:11"), &[("local::last", "50"), ("::last", "60")]);
        let expected = [
            ("vd::value", "7"),
            ("sizeof(vd::Node)", "24"),
            ("((vd::Node *)&n)->a", "4"),
            ("vdi::last", "3"),
            ("vd::inner::last", "3"),
            ("local::last", "3"),
            ("outer::alias::value", "7"),
            ("(vd::Kind)1", "very::deep::K1"),
            ("vd::K1 + 0", "1"),
        ];
        check(&server, name, &format!("{name}.cc:12"), &expected);
        let table = if compiler == "g++" { "w->_vptr.Observer" } else { "w->_vptr$Observer" };
        let table = server.evaluate(table);
        assert!(table.contains("<vtable for Observer+16>"), "{name}: {table}");
        server.run_to("parse(const std::string &)");
        assert!(server.evaluate("&s").contains("string"), "{name}");
        server.run_to("parse(int)");
        assert_eq!(server.evaluate("x"), "3", "{name}");
    }
}

const IMPORTS: &str = "int value = 7;
namespace other { int value = 50; int only = 51; int shadowed = 52; enum Kind { K_OTHER = 9 };
 struct Pair { int a, b; }; int twice(int n) { return 2 * n; } }
namespace deep { int far = 60; struct Pair { char c; }; }
namespace via { using namespace deep; int near = 61; using other::only; using other::Pair; }
namespace ns { int shadowed = 70; int own = 71; using namespace other;
 namespace inner { int stop_inner(int n) { return n + only + shadowed + own; } } }
namespace late { using ::other::shadowed; using ::value; }
void use(int) {}
int declared(int n) { using other::value; use(n); { int value = 3; use(value); n += value; } return n + value; }
int directed(int n) { using namespace via; use(n); return n + near + far; }
int qualified(int n) { use(n); return n + via::far + via::only + late::shadowed + late::value + sizeof(via::Pair); }
int plain(int n) { use(n); return n + value; }
int ambiguous(int n) { using namespace other; use(n); return n + only + twice(n) + K_OTHER + sizeof(Pair); }
int main() { int n = declared(1); n += directed(2); n += qualified(3); n += plain(4); n += ambiguous(5);
 return n + ns::inner::stop_inner(6); }
";

#[test]
fn using_directives_and_declarations_decide_what_a_name_means() {
    for (name, compiler, options) in [
        ("imports", "g++", ["-O0", "-g"]),
        ("imports_clang", "clang++", ["-gdwarf-4", "-g"]),
        ("imports_dwarf4", "g++", ["-gdwarf-4", "-g"]),
    ] {
        let server = replay_of(&built_by(compiler, "cc", name, IMPORTS, &options));
        let global = IMPORTS.lines().position(|line| line.starts_with("int declared")).unwrap() + 1;
        let at = |after: usize| format!("{name}.cc:{}", global + after);
        check(&server, name, &at(0), &[("value", "50"), ("::value", "7"), ("only", "51")]);
        check(&server, name, &at(1), &[("near", "61"), ("far", "60"), ("only", "51"), ("value", "7")]);
        let through = [
            ("via::far", "60"),
            ("via::only", "51"),
            ("late::shadowed", "52"),
            ("late::value", "7"),
            ("sizeof(via::Pair)", "8"),
            ("value", "7"),
        ];
        check(&server, name, &at(2), &through);
        check(&server, name, &at(3), &[("value", "7"), ("sizeof(other::Pair)", "8")]);
        let directed = [("only", "51"), ("K_OTHER + 0", "9"), ("sizeof(Pair)", "8"), ("other::value", "50")];
        check(&server, name, &at(4), &directed);
        let choice = server.call("rr_evaluate", json!({"expression": "value"}));
        let note = format!("`value` is other::value; there is also '{name}.cc'::value");
        assert!(choice.to_string().contains(&note), "{choice}");
        check(
            &server,
            name,
            "ns::inner::stop_inner",
            &[("only", "51"), ("shadowed", "70"), ("own", "71"), ("value", "50")],
        );
    }
}

const HIDDEN: &str = "namespace { struct Cell { static int made; int own = 1; }; int Cell::made = 8; }
void other();
void *kept;
int main() { Cell cell; kept = &cell; other(); return cell.own + Cell::made; }
";
const OTHER_HIDDEN: &str = "namespace { struct Cell { static int made; int own = 2; }; int Cell::made = 208; }
extern void *kept;
void stop() {}
void other() { Cell cell; stop(); cell.own += Cell::made; }
";

#[test]
fn a_static_member_is_that_of_the_class_of_the_object() {
    for compiler in ["g++", "clang++"] {
        let part = built_by(compiler, "cc", &format!("hidden_part.{compiler}.o"), OTHER_HIDDEN, &["-g", "-c"]);
        let what = format!("hidden.{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &what, HIDDEN, &["-g", part.to_str().unwrap()]));
        server.run_to("stop");
        let cell = |level: u32| {
            let answer = server.call("rr_evaluate", json!({"expression": "cell", "frame_level": level}));
            answer["value"].as_str().unwrap().to_owned()
        };
        let cells = (cell(1), cell(2));
        let expected = ["{static made = 208, own = 2}", "{static made = 8, own = 1}"].map(str::to_owned);
        assert_eq!(cells, expected.into(), "{what}");
    }
}

const OVERLOADS: &str = "int f(int x) { static int s = 60; s++; return x + s; }
int f(double d) { static int s = 70; s++; return s + (int)d; }
struct C { int g(char c) const { static int s = 80; return s + c; } int g(long l) const { static int s = 90; return s + (int)l; } };
extern \"C\" int plain(int a) { static int s = 95; return s + a; }
int main() { C c; int sum = f(1) + f(2.5) + c.g('x') + c.g(3L) + plain(4);
 return sum == 0; }
";

#[test]
fn parameters_choose_the_overload_whose_static_is_meant() {
    for (name, compiler) in [("overloads", "g++"), ("overloads_clang", "clang++")] {
        let server = replay_of(&built_by(compiler, "cc", name, OVERLOADS, &["-g"]));
        let expected = [
            ("'f(int)'::s", "61"),
            ("'f(double)'::s", "71"),
            ("'C::g(char) const'::s", "80"),
            ("'C::g(long) const'::s", "90"),
            ("'plain(int)'::s", "95"),
            ("plain::s", "95"),
        ];
        check(&server, name, &format!("{name}.cc:6"), &expected);
    }
}

const BEGUN: &str = "struct Counted { static inline int shared = 101; static constexpr int fixed = 8; int own = 3;
 int add(int by) { shared += by; return shared; } };
int main() { Counted counted; int sum = counted.add(1) + Counted::fixed;
 return sum == 0; }
";

#[test]
fn what_a_static_member_begins_with_is_not_what_it_is() {
    for (name, compiler, option) in [
        ("begun", "g++", "-gdwarf-5"),
        ("begun_clang", "clang++", "-gdwarf-5"),
        ("begun_clang4", "clang++", "-gdwarf-4"),
    ] {
        let server = replay_of(&built_by(compiler, "cc", name, BEGUN, &["-g", "-std=c++17", option]));
        let expected =
            [("counted.shared", "102"), ("Counted::shared", "102"), ("counted.fixed", "8"), ("Counted::fixed", "8")];
        check(&server, name, &format!("{name}.cc:4"), &expected);
    }
}

const ALIASED: &str = "int real = 415;
extern int other __attribute__((alias(\"real\")));
int entry(void) { return other; }
";
const ALIAS_USER: &str = "int other = 915; int entry(void); int main(void) { return entry() + other == 0; }";

#[test]
fn an_alias_that_a_library_binds_to_itself_is_its_own() {
    let part = built_by("clang", "c", "aliased_part.so", ALIASED, &["-g", "-shared", "-fPIC", "-Wl,-Bsymbolic"]);
    let options = ["-g", part.to_str().unwrap(), "-rdynamic"];
    let server = replay_of(&built_by("gcc", "c", "aliased", ALIAS_USER, &options));
    check(&server, "aliased", "entry", &[("other", "415"), ("real", "415"), ("&other == &real", "1")]);
}
