//! What names mean that several units have, or that begin with a file or with another name of a namespace.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, scratch};
use serde_json::json;
use std::process::Command;

const FIRST: &str = "enum { own = 11, shared = 12 };
typedef struct { int a; } T; struct S { char c[3]; };
int second(int); void third(void);
static int helper(int x) { return x + own; }
int main(void) { T t = {1}; struct S s = {{1}}; third(); return helper(t.a) + second(s.c[0]) + shared == 0; }
";
const SECOND: &str = "enum { shared = 22 };
typedef struct { int a, b; } T; struct S { char c[30]; };
static int helper(int x) { return x + 2; }
int second(int x) { T t = {x, 2}; struct S s = {{1}}; return helper(t.b) + shared + s.c[0]; }
";

#[test]
fn types_and_enumerators_of_units_are_named_by_their_files() {
    for compiler in ["gcc", "clang"] {
        let what = format!("of_units.{compiler}");
        let other = |name: &str, text: &str| {
            let path = scratch().join(format!("{what}.{name}.c"));
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (second, third) = (other("second", SECOND), other("third", "void third(void) {}\n"));
        let server = replay_of(&built_by(compiler, "c", &what, FIRST, &["-g", "-O0", &second, &third]));
        let first = format!("{what}.c");
        let second = format!("{what}.second.c");
        check(&server, &what, "third", &[(&format!("'{second}'::shared + 0"), "22")]);
        for (name, is_tagged) in [("shared", false), ("T", false), ("S", true)] {
            let expression = match name {
                "shared" => "shared + 0".to_owned(),
                name => format!("sizeof({}{name})", if is_tagged { "struct " } else { "" }),
            };
            let answer = server.call("rr_evaluate", json!({"expression": expression}));
            let note = format!("`{name}` is '{first}'::{name}; there is also '{second}'::{name}");
            assert_eq!(answer["notes"], json!([note]), "{answer}");
            let traced = server.call("rr_trace", json!({"locations": ["third"], "values": [expression]}));
            assert_eq!(traced["notes"], json!([note]), "{traced}");
        }
        let answer = server.call("rr_evaluate", json!({"expression": "own + 0"}));
        assert!(answer["value"] == "11" && answer["notes"].as_array().is_none_or(Vec::is_empty), "{answer}");
        let expected = [
            ("shared + 0".to_owned(), "22"),
            (format!("'{first}'::shared + 0"), "12"),
            (format!("'{first}'::own + 0"), "11"),
            (format!("sizeof('{first}'::T)"), "4"),
            (format!("sizeof('{second}'::T)"), "8"),
            (format!("sizeof(struct '{first}'::S)"), "3"),
            (format!("(('{first}'::T *)0) == 0"), "1"),
            (format!("'{second}'::own"), &*format!("no symbol \"'{second}'::own\" in current context")),
        ];
        let expected: Vec<(&str, &str)> = expected.iter().map(|(text, value)| (text.as_str(), *value)).collect();
        check(&server, &what, &format!("'{second}:second'"), &expected);
    }
}

const MEANT: &str = "namespace A { namespace B { inline namespace v1 {
  int iv = 5; struct P { int q; }; enum { red = 3 };
  int f(int x) { return x + iv; } } } }
namespace AB = A::B;
int w = 6; namespace M { int w = 16; }
int before(int r) {
  { r += w;
    using namespace M;
    r += M::w; }
  return r; }
int main(int argc, char **) { int list[] = {1, 2}, sum = 0; int made[argc + 2]; made[0] = 0;
  for (int x : list) {
    sum += x; }
  AB::P p{1};
  return AB::f(sum) + p.q + before(1) + made[0] + AB::red == 0; }
";

#[test]
fn what_a_name_means_is_what_the_language_or_the_compiler_has_it_mean() {
    for (compiler, range, begin) in [("g++", "__for_range[1]", "*__for_begin"), ("clang++", "__range1[1]", "*__begin1")]
    {
        let what = format!("meant.{compiler}");
        let server = replay_of(&built_by(compiler, "cpp", &what, MEANT, &["-g", "-O0"]));
        // What the compiler makes up is there to be named.
        check(&server, &what, &format!("{what}.cpp:13"), &[(range, "2"), (begin, "1"), ("sum", "0")]);
        let locals = server.call("rr_locals", json!({}));
        assert!(!locals.to_string().contains("\"__"), "{locals}");
        if compiler == "clang++" {
            check(&server, &what, &format!("{what}.cpp:13"), &[("__vla_expr0", "3")]);
        }
        let expected = [("AB::iv", "5"), ("::A::B::iv", "5"), ("sizeof(AB::P)", "4"), ("AB::red + 0", "3"), ("x", "3")];
        check(&server, &what, "AB::f", &expected);
        // The line that GCC gives a using-directive is not the directive's.
        if compiler == "clang++" {
            check(&server, &what, &format!("{what}.cpp:7"), &[("w", "6")]);
        }
    }
}

const HEADER: &str = "inline int counted(int x) { static int count = 40;
  count += x; return count; }
";
const ONE: &str = "#include \"of_units_header.h\"
namespace L { static int left = 5; }
int other(int), third();
int main(int argc, char **) { int r = counted(argc); return r + other(2) + L::left + third() == 0; }
";
const OTHER: &str = "#include \"of_units_header.h\"
namespace L { static int left = 6; }
int other(int x) { int r = counted(x) + L::left; return r; }
";
const THIRD: &str = "namespace L { static int left = 7; }
int third() { return ++L::left; }
";

#[test]
fn optimised_code_has_one_static_of_a_header_and_each_unit_its_own() {
    std::fs::write(scratch().join("of_units_header.h"), HEADER).unwrap();
    for compiler in ["g++", "clang++"] {
        let what = format!("header.{compiler}");
        let other = |name: &str, text: &str| {
            let path = scratch().join(format!("{what}.{name}.cpp"));
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (second, third) = (other("second", OTHER), other("third", THIRD));
        let server = replay_of(&built_by(compiler, "cpp", &what, ONE, &["-g", "-O2", &second, &third]));
        check(&server, &what, "counted", &[("count", "40"), ("counted::count", "40")]);
        // There is nothing left of this one, and the linker's name of it is that of the third unit's.
        check(&server, &what, "other", &[("L::left", "<optimized out>"), ("counted::count", "41")]);
        check(&server, &what, "third", &[("L::left", "7")]);
    }
}

const PART: &str =
    "enum color { RED = N, GREEN = N * 2 }; enum { OTHER = N * 100 + 3 }; struct tag { char b[N * 10]; };
typedef struct { int a[N]; } T;
int NAME(void) { enum color c = GREEN; struct tag tag = {{1}}; T t = {{1}};
 return c + OTHER + tag.b[0] + t.a[0]; }
";
const BOTH: &str = "int first(void), second(void); int main(void) { return first() + second() == 0; }\n";

/// A unit refers to type units by signatures, and `dwz` moves what several programs have into a file of its own.
#[test]
fn what_a_unit_refers_to_is_its_own() {
    for (compiler, option, is_moved) in
        [("gcc", "-fdebug-types-section", false), ("clang", "-fdebug-types-section", false), ("gcc", "-gdwarf-4", true)]
    {
        let what = format!("referred{option}{is_moved}.{compiler}");
        let part = |name: &str, number: &str| {
            let defined = [format!("-DN={number}"), format!("-DNAME={name}")];
            let options = ["-g", "-c", option, &defined[0], &defined[1]];
            built_by(compiler, "c", &format!("{what}.{name}.o"), PART, &options).to_str().unwrap().to_owned()
        };
        let (first, second) = (part("first", "1"), part("second", "2"));
        let program = built_by(compiler, "c", &what, BOTH, &["-g", &first, &second]);
        if is_moved {
            let (twin, common) = (scratch().join(format!("{what}.twin")), scratch().join(format!("{what}.common")));
            std::fs::copy(&program, &twin).unwrap();
            let done = Command::new("dwz").arg("-m").arg(&common).arg(&program).arg(&twin).output().unwrap();
            assert!(done.status.success() && common.exists(), "{what}: {done:?}");
        }
        let server = replay_of(&program);
        for (name, [green, other, tag, size]) in
            [("first", ["2", "103", "10", "4"]), ("second", ["4", "203", "20", "8"])]
        {
            let mut values = vec![
                ("(int)GREEN", green),
                ("sizeof(struct tag)", tag),
                ("sizeof(T)", size),
                ("(int)(enum color)GREEN", green),
            ];
            // No unit refers to the type unit of an enumeration without a name.
            values.extend(is_moved.then_some(("(int)OTHER", other)));
            check(&server, &what, &format!("{what}.{name}.o.c:4"), &values);
        }
    }
}

const BOX: &str = "template <class T, int N> struct Box { T v;
 int go(T a) {
  return a + N + sizeof(T); } };
volatile short s = 1;
int main() { Box<int, 3> b{}; Box<short, 5> c{}; return b.go(0) + c.go(s) == 0; }
";

#[test]
fn parameters_of_a_template_may_be_in_a_unit_of_their_own() {
    for compiler in ["g++", "clang++"] {
        let what = format!("boxed_units.{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &what, BOX, &["-g", "-fdebug-types-section"]));
        check(&server, &what, &format!("{what}.cc:3"), &[("N", "3"), ("sizeof(T)", "4"), ("(T)70000", "70000")]);
        server.run_to(&format!("{what}.cc:3"));
        assert_eq!([server.evaluate("N"), server.evaluate("sizeof(T)")], ["5", "2"], "{what}");
    }
}
