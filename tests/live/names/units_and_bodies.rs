//! Whose a name is where several units have one of a header, several blocks declare one, or several functions and modules
//! of Rust have one.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, scratch};
use serde_json::json;
use std::collections::BTreeSet;

const HEADER: &str = "static int st = BASE;
static const int sc = BASE + 1;
static __thread int tl = BASE + 2;
typedef TYPE kind;
static int other(void) { return BASE + 3; }
#ifdef __cplusplus
namespace { int an = BASE + 4; struct S { static int sm; kind k[2]; }; int S::sm = BASE + 5; }
namespace N1 { namespace { int an1 = BASE + 6; } static int ns = BASE + 7; }
#endif
static volatile int sink;
static int f(void) {
  kind tv = 0; sink = sc + tl + other();
#ifdef __cplusplus
  S s{}; sink += an + S::sm + N1::an1 + N1::ns + sizeof(s);
#endif
  sink += st;
  return st + (int)tv;
}
int NAME(void) { tl++; return f(); }
";

#[test]
fn each_unit_has_what_a_header_has_for_itself() {
    for (compiler, ending, options) in [
        ("gcc", "c", ["-g", "-gdwarf-4"]),
        ("clang", "c", ["-g", "-O0"]),
        ("g++", "cc", ["-g", "-O0"]),
        ("clang++", "cc", ["-g", "-O0"]),
        ("gcc", "c", ["-g", "-DAGAIN"]),
    ] {
        let [one, two] = options;
        let what = format!("units.{compiler}{two}");
        let source = scratch().join(format!("{what}.part.{ending}"));
        std::fs::write(&source, HEADER).unwrap();
        let part = |name: &str, base: &str, kind: &str| {
            let (base, name_of, kind) = (format!("-DBASE={base}"), format!("-DNAME={name}"), format!("-DTYPE={kind}"));
            let options = [&*base, &*name_of, &*kind, "-c", one, two];
            match two {
                "-DAGAIN" => {
                    let object = scratch().join(format!("{what}.{name}.o"));
                    let mut command = std::process::Command::new(compiler);
                    assert!(command.arg(&source).arg("-o").arg(&object).args(options).status().unwrap().success());
                    object
                }
                _ => {
                    let text = format!("#include \"{}\"\n", source.display());
                    built_by(compiler, ending, &format!("{what}.{name}.o"), &text, &options)
                }
            }
        };
        let (a, b) = (part("a", "100", "char"), part("b", "200", "long"));
        let text = "int a(void), b(void); int main() { return a() + b() == 0; }\n";
        let options = ["-g", a.to_str().unwrap(), b.to_str().unwrap()];
        let server = replay_of(&built_by(compiler, ending, &what, text, &options));
        let place = format!("{}:17", source.file_name().unwrap().to_str().unwrap());
        let expected = |base: u32, size: u32| {
            let mut expected = vec![
                ("st", base),
                ("sc", base + 1),
                ("tl", base + 3),
                ("sizeof(kind)", size),
                ("sizeof(tv)", size),
                ("*&st", base),
            ];
            if ending == "cc" {
                let own = [("an", 4), ("::an", 4), ("S::sm", 5), ("s.sm", 5), ("N1::an1", 6), ("N1::ns", 7)];
                expected.extend(own.map(|(name, more)| (name, base + more)));
                expected.push(("sizeof(S)", 2 * size));
            }
            expected
        };
        let mut others = BTreeSet::new();
        for (base, size) in [(100, 1), (200, 8)] {
            server.run_to(&place);
            for (name, value) in expected(base, size) {
                assert_eq!(server.evaluate(name), value.to_string(), "{what}: {name}");
            }
            others.insert(server.evaluate("&other"));
        }
        assert_eq!(others.len(), 2, "{what}: {others:?}");
        let names: Vec<&str> = expected(0, 0).into_iter().map(|(name, _)| name).collect();
        let traced = server.call("rr_trace", json!({"locations": [place], "values": names}));
        for (row, (base, size)) in [(100, 1), (200, 8)].into_iter().enumerate() {
            for (number, (name, value)) in expected(base, size).into_iter().enumerate() {
                let shown = &traced["rows"][row]["values"][number]["value"];
                assert_eq!(shown, &json!(value.to_string()), "{what}: {name}");
            }
        }
    }
}

const USING: &str = "namespace U { int d = 16, u = 17; }
namespace V { using namespace U; int d = 18; }
namespace W { int d = 19; }
namespace X { namespace V { using namespace U; int d = 20; } int f() {
  return V::d + V::u; } }
namespace T { using namespace V; }
struct C { int d = 30; int m() { int r = d;
   { using W::d;
     r += d; }
   return r; } };
int main() { C c; int r = T::d + c.m() + X::f();
  { int d = 40;
    { using V::d;
      r += d;
      { using W::d;
        r += d; }
      r += d; }
    r += d; }
  return r == 0; }
";

#[test]
fn what_a_namespace_or_an_inner_block_declares_hides_what_is_brought_from_elsewhere() {
    for compiler in ["g++", "clang++"] {
        let what = format!("using.{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &what, USING, &["-g"]));
        let of_namespaces = [("V::d", "18"), ("V::u", "17"), ("T::d", "18"), ("X::V::d", "20"), ("X::V::u", "17")];
        check(&server, &what, "main", &of_namespaces);
        check(&server, &what, &format!("{what}.cc:9"), &[("d", "19"), ("this->d", "30")]);
        check(&server, &what, &format!("{what}.cc:10"), &[("d", "30")]);
        check(&server, &what, "X::f", &[("V::d", "20"), ("V::u", "17"), ("::V::d", "18")]);
        // GCC does not say from which line on a using-declaration counts.
        let unclear = "several blocks of the function have something of that name, and debug info does not say which is in \
                       scope here: their lines are among the locals";
        for (line, value) in [(14, "18"), (16, "19"), (17, "18"), (18, "40")] {
            let value = if compiler == "g++" && line < 18 { unclear } else { value };
            check(&server, &what, &format!("{what}.cc:{line}"), &[("d", value)]);
        }
    }
}

const BODIES: &str = "static Y: i32 = 22; static Z: i32 = 23; static W: i32 = 24;
use std::hint::black_box as keep;
struct S; struct G<T>(T);
trait Tr { fn get(&self) -> i32; fn def(&self) -> i32 { static Y: i32 = 36;
        keep(Y) } }
impl S { fn new(v: i32) -> i32 { static Y: i32 = 31;
        fn inner(v: i32) -> i32 { static Y: i32 = 32;
            keep(Y + v) }
        let c = |q: i32| {
            keep(Y + q) };
        keep(Y + v + inner(v) + c(1)) } }
impl Tr for S { fn get(&self) -> i32 { static Y: i32 = 33;
        keep(Y) } }
impl<T> G<T> { fn new(t: T) -> i32 { static Y: i32 = 34; keep(t);
        keep(Y) } }
fn twice(a: i32) -> i32 { static Q: i32 = 14;
    keep(Q + a);
    { static Q: i32 = 15;
        keep(Q + a) } }
mod a { pub static W: i32 = 12; }
mod b { pub fn f(v: i32) -> i32 { use crate::a::W; use crate::Z;
        crate::keep(v + W + Z) } }
fn main() {
    keep(Y + Z + W + S::new(0) + S.get() + S.def() + G::<i32>::new(1) + G(1u8).0 as i32 + twice(1) + b::f(1));
}
";

#[test]
fn a_static_of_rust_is_that_of_the_function_or_of_its_module() {
    for mangling in ["legacy", "v0"] {
        let what = format!("bodies_{mangling}");
        let option = format!("-Csymbol-mangling-version={mangling}");
        let options: &[&str] = if mangling == "v0" { &["-g", &option] } else { &["-g"] };
        let server = replay_of(&built_by("rustc", "rs", &what, BODIES, options));
        check(&server, &what, &format!("{what}.rs:11"), &[("Y", "31"), ("crate::Y", "22"), ("Z", "23")]);
        check(&server, &what, &format!("{what}.rs:8"), &[("Y", "32")]);
        check(&server, &what, &format!("{what}.rs:10"), &[("Y", "31")]);
        check(&server, &what, &format!("{what}.rs:13"), &[("Y", "33"), ("crate::Y", "22")]);
        check(&server, &what, &format!("{what}.rs:5"), &[("Y", "36")]);
        check(&server, &what, &format!("{what}.rs:15"), &[("Y", "34")]);
        check(&server, &what, &format!("{what}.rs:17"), &[("Q", "14")]);
        let blocks = "blocks of the function have static variables of that name, and debug info does not say \
                      whether one of them is in scope here, nor which";
        check(&server, &what, &format!("{what}.rs:19"), &[("Q", blocks)]);
        let modules = "debug info does not tell which item a `use` brings here, and several have the name; write \
                       crate::W or crate::a::W";
        let in_b = [("Z", "23"), ("W", modules), ("crate::a::W", "12"), ("crate::W", "24")];
        check(&server, &what, &format!("{what}.rs:22"), &in_b);
    }
}

const ENUMERATED: &str = "int x = 1, y = 2;
int main(void) {
  enum { x = 77, y = 78 }; int r = 0;
  { int y = 5;
    int inner(int q) {
      return q + x + y; }
    r = inner(x); }
  return r + y == 0;
}
";

#[test]
fn a_nested_function_has_the_enumerators_of_the_one_around() {
    let server = replay_of(&built_by("gcc", "c", "enumerated", ENUMERATED, &["-g", "-w"]));
    let expected = [("x + 0", "77"), ("::x", "1"), ("y", "5"), ("q", "77")];
    check(&server, "enumerated", "enumerated.c:6", &expected);
    check(&server, "enumerated", "enumerated.c:8", &[("y + 0", "78"), ("::y", "2")]);
}

const LATER: &str = "int x = 1, only = 2;
int looped(int r) {
  for (int o = 10; o < 12; o++) {
    r += o + x;
    int o = 20, x = r + 30, fresh = 3;
    r += o + x + fresh; }
  return r; }
int main(void) {
  int r = x + looped(0);
  int x = 5; enum { only = 6 };
  return r + x + only == 0; }
";

#[test]
fn a_local_is_not_meant_before_its_line() {
    for compiler in ["gcc", "clang"] {
        let what = format!("later.{compiler}");
        let server = replay_of(&built_by(compiler, "c", &what, LATER, &["-g", "-O0"]));
        check(&server, &what, &format!("{what}.c:9"), &[("x", "1"), ("only", "2")]);
        check(&server, &what, &format!("{what}.c:4"), &[("o", "10"), ("x", "1")]);
        let inner = [("o", "20"), ("x", "41"), ("::x", "1"), ("fresh", "3")];
        check(&server, &what, &format!("{what}.c:6"), &inner);
        let server = replay_of(&built_by(compiler, "c", &what, LATER, &["-g", "-O0"]));
        let place = format!("{what}.c:4");
        server.run_to(&place);
        server.run_to(&place);
        let answer = server.call("rr_evaluate", json!({"expression": "o"}));
        let note = "`o` is not the local of line 5, which is declared behind the code";
        assert_eq!((&answer["value"], &answer["notes"]), (&json!("11"), &json!([note])), "{what}");
        assert_eq!(server.evaluate("x"), "1", "{what}");
        assert_eq!(server.evaluate("fresh"), "3", "{what}");
    }
}
