//! What a name means that a block declares further down, and what lambdas and local classes see of the functions and
//! namespaces around them.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const LATER: &str = "#include <cstdio>
enum { en = 3 }; int fu() { return 7; }
namespace N { int nv = 9; enum { ne = 10 }; }
using N::nv; using namespace N;
struct S { int d = 1; static inline int s = 2; enum { ce = 8 };
  int m(int p) {
    int r = std::printf(\"%d %d %d\", d, s, (int)ce);
    int d = 3, s = 4, ce = 5;
    { r += p;
      static int p = 116;
      r += p; }
    return r + d + s + ce; } };
int plain(int p) {
  int r = en + fu() + nv + ne;
  int en = 4, fu = 5, nv = 6, ne = 7;
  auto l = [&] {
    int r = p;
    int p = 122;
    return r + p; };
  return r + en + fu + nv + ne + l(); }
int main() { S x; return (x.m(1) + plain(2)) == 0; }
";

#[test]
fn a_local_of_a_later_line_hides_nothing_yet() {
    for compiler in ["g++", "clang++"] {
        let what = format!("later_names.{compiler}");
        let program = built_by(compiler, "cc", &what, LATER, &["-g", "-O0", "-std=c++17"]);
        let at = |line: u32| format!("{what}.cc:{line}");
        check(&replay_of(&program), &what, &at(7), &[("d", "1"), ("s", "2"), ("(int)ce", "8")]);
        check(&replay_of(&program), &what, &at(9), &[("d", "3"), ("s", "4"), ("ce", "5"), ("p", "1")]);
        let expected = [("(int)en", "3"), ("fu == &::fu", "true"), ("nv", "9"), ("(int)ne", "10")];
        check(&replay_of(&program), &what, &at(14), &expected);
        check(&replay_of(&program), &what, &at(17), &[("p + 0", "2")]);
        check(&replay_of(&program), &what, &at(20), &[("en", "4"), ("fu", "5"), ("nv", "6"), ("ne", "7")]);
    }
}

const NESTED: &str = "int f(int p) {
  int own = 1;
  int inner(int q) {
    int r = p + own;
    int p = 50, own = 60;
    return r + p + own + q; }
  return inner(2); }
int main(void) { return f(3) == 0; }
";

#[test]
fn a_nested_function_means_what_is_around_it_until_it_declares_its_own() {
    let program = built_by("gcc", "c", "nested_later", NESTED, &["-g", "-O0"]);
    check(&replay_of(&program), "nested_later", "nested_later.c:4", &[("p", "3"), ("own", "1")]);
    check(&replay_of(&program), "nested_later", "nested_later.c:6", &[("p", "50"), ("own", "60")]);
}

const LOCAL: &str = "int sz = 1, c = 1, u = 1, k = 1, after = 1, twice = 1;
enum { en = 1 };
typedef char alone[7];
namespace M { int u = 4; }
namespace N { int k = 6; typedef char alone[9];
int run(int p) {
  struct sz { char x[33]; } v; v.x[0] = 0;
  enum { en = 2 } e = en;
  static int c = 3;
  using M::u;
  int own = 8;
  { static int twice = 5; auto in = [&](int q) {
      return twice + q; }; v.x[0] += in(0) - 5; }
  struct L { int m(int q) {
    return (int)sizeof(sz) + c + (int)en + u + k + after + q; } } l;
  auto f = [&](int q) {
    int r = (int)sizeof(sz) + c + (int)en + u + k + q + p;
    auto g = []() {
      return (int)sizeof(sz) + c + u + k; };
    return r + g(); };
  static int after = 9;
  return f(own) + l.m(1) + v.x[0] + e + after; } }
int main() {
  alone a; a[0] = 0; N::alone b; b[0] = 0;
  return N::run(2) == a[0] + b[0] + en + sz + twice; }
";

#[test]
fn methods_of_local_classes_see_what_is_static_around_them() {
    for compiler in ["g++", "clang++"] {
        let what = format!("local_class.{compiler}");
        let program = built_by(compiler, "cc", &what, LOCAL, &["-g", "-O0", "-std=c++17"]);
        let at = |line: u32| format!("{what}.cc:{line}");
        let shared = [("sizeof(sz)", "33"), ("u", "4"), ("k", "6"), ("sizeof(alone)", "9")];
        let more = [("(int)en", "2"), ("after", "1")];
        check(&replay_of(&program), &what, &at(15), &[&shared[..], &more[..]].concat());
        check(&replay_of(&program), &what, &at(17), &[&shared[..], &more[..], &[("p + 0", "2")]].concat());
        check(&replay_of(&program), &what, &at(19), &shared);
        if compiler == "g++" {
            // A lambda is in the block that has the variable of its type.
            check(&replay_of(&program), &what, &at(13), &[("twice + 0", "5")]);
            check(&replay_of(&program), &what, &at(17), &[("twice + 0", "1")]);
        }
        let server = replay_of(&program);
        server.run_to(&at(15));
        // Clang does not say which block a static variable is of.
        let (of_block, is_gcc) = match compiler {
            "g++" => ("blocks of the function", true),
            _ => ("has been left", false),
        };
        if is_gcc {
            assert_eq!(server.evaluate("c"), "3");
        }
        let refused = [("own", "of a function around the class"), ("twice", of_block), ("c", of_block)];
        for (name, why) in refused.into_iter().filter(|(name, _)| !is_gcc || *name != "c") {
            let answer = server.attempt("rr_evaluate", serde_json::json!({"expression": name}));
            assert!(answer.as_ref().is_err_and(|text| text.to_lowercase().contains(why)), "{what}: {name}: {answer:?}");
        }
    }
}

const SPACES: &str = "int d = 1, g = 1, b = 1, k = 2;
struct T { char x[11]; } t0; enum { E = 1 }; int fu() { return 1; }
namespace { namespace { int nested = 1; } int nested = 2; int e = 3; }
enum { e = 4 };
namespace O { int b = 2; }
namespace N {
  inline namespace I { int g = 4; struct T { char x[22]; } t; enum { E = 2 }; int fu() { return 2; }
    inline namespace J { int deep = 3; } }
  namespace { int k = 6; }
  extern int before;
  struct S { int m(); };
  int f() {
    return d + g + k + (int)sizeof(T) + (int)E + fu() + deep; }
  int d = 2; int before = 8;
}
int before = 7, deep = 9;
int N::S::m() {
    return g + k; }
int h() {
    return b + ::nested + (int)::e; }
using namespace O;
struct B { int b = 1; int e = 1; };
struct D : B { static inline int b = 2; enum { e = 3 };
  int m() {
    return b + this->b + D::b + B::b + (int)e; } };
int main() { D y; return (N::f() + N::S().m() + h() + y.m() + ::fu()) == 0; }
";

#[test]
fn what_is_in_an_inline_namespace_is_in_the_one_around_it() {
    for compiler in ["g++", "clang++"] {
        let what = format!("inline_space.{compiler}");
        let program = built_by(compiler, "cc", &what, SPACES, &["-g", "-O0", "-std=c++17"]);
        let at = |line: u32| format!("{what}.cc:{line}");
        let expected = [
            ("g", "4"),
            ("k", "6"),
            ("sizeof(T)", "22"),
            ("(int)E", "2"),
            ("fu == &N::I::fu", "true"),
            ("deep", "3"),
            ("N::g", "4"),
        ];
        check(&replay_of(&program), &what, &at(13), &expected);
        check(&replay_of(&program), &what, &at(18), &[("g", "4"), ("k", "6")]);
        check(&replay_of(&program), &what, &at(20), &[("b", "1"), ("::nested", "2"), ("(int)::e", "4")]);
        let expected = [("b", "2"), ("this->b", "2"), ("D::b", "2"), ("B::b", "1"), ("(int)e", "3")];
        check(&replay_of(&program), &what, &at(25), &expected);
        let server = replay_of(&program);
        server.run_to(&at(13));
        match compiler {
            "g++" => assert_eq!((server.evaluate("d"), server.evaluate("before")), ("1".into(), "8".into())),
            _ => {
                let answer = server.attempt("rr_evaluate", serde_json::json!({"expression": "d"}));
                assert!(answer.as_ref().is_err_and(|why| why.contains("defined behind the code")), "{answer:?}");
            }
        }
    }
}

const LEFT: &str = "typedef char b[3]; b v;
struct C { typedef char c[4]; c w;
  static int sm(int q) {
    if (q) {
      struct c { char x[16]; } w; w.x[0] = 1;
      q += w.x[0]; }
    return q + (int)sizeof(c); } };
int f(int q) {
  if (q) {
    struct b { char x[17]; } w; w.x[0] = 1;
    q += w.x[0]; }
  return q + (int)sizeof(b); }
int main() { C k; k.w[0] = v[0]; return k.sm(1) + f(1) == k.w[0]; }
";

#[test]
fn a_class_of_a_block_that_may_have_been_left_is_not_guessed() {
    for compiler in ["g++", "clang++"] {
        let what = format!("left_class.{compiler}");
        let program = built_by(compiler, "cc", &what, LEFT, &["-g", "-O0"]);
        for (line, name) in [(7, "c"), (12, "b")] {
            let server = replay_of(&program);
            server.run_to(&format!("{what}.cc:{line}"));
            let answer = server.attempt("rr_evaluate", serde_json::json!({"expression": format!("sizeof({name})")}));
            assert!(answer.as_ref().is_err_and(|why| why.contains("several blocks")), "{what}: {name}: {answer:?}");
        }
    }
}

const INLINED: &str = "#include <cstdio>
int q = 3, z = 4; struct Le { enum { z = 5 }; }; enum Un { une = 1 }; namespace X { enum Un { une = 7 }; int used(int x) { return x + une; } }
struct D { int of(int a) { struct Le { enum { q = 98, zq }; int m = 99; int f(int x) { std::printf(\"%d %d %d\", q, z, m);
   std::puts(\"\");
   return 0; } } le;
  return le.f(a + 1); } };
int main() { D d; return d.of(5) + X::used(2) + une != 10; }
";

#[test]
fn an_inlined_method_of_a_local_class_has_its_enumerators() {
    for compiler in ["g++", "clang++"] {
        let what = format!("inlined_local.{compiler}");
        let program = built_by(compiler, "cc", &what, INLINED, &["-g", "-O2"]);
        let expected = [("(int)q", "98"), ("(int)zq", "99"), ("z", "4"), ("::q", "3"), ("x", "6")];
        check(&replay_of(&program), &what, &format!("{what}.cc:4"), &expected);
        let what = format!("plain_{what}");
        let program = built_by(compiler, "cc", &what, INLINED, &["-g", "-O0"]);
        let expected = [("(int)Un::une", "7"), ("(int)::Un::une", "1"), ("(int)X::Un::une", "7")];
        check(&replay_of(&program), &what, "X::used", &expected);
    }
}

const CAPTURING: &str = "
#include <cstdio>
void use(const void *) {}
struct C {
  int b = 103, own = 5;
  void method() {
    static int b = 108;
    use(&b);
    { auto l = [&]() { std::printf(\"%d %d\\n\", b, own); use(this); }; l(); }
    { static int b = 119; use(&b); }
  }
};
int main() { C c; c.method(); return c.b == 0; }
";

/// What the function around a lambda declares is nearer than the object that the lambda has captured.
#[test]
fn statics_of_the_function_around_a_lambda_hide_members_of_the_captured_object() {
    for compiler in ["g++", "clang++"] {
        let name = format!("capturing_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, CAPTURING, &["-g"]));
        server.run_to("use");
        server.run_to("use");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        assert_eq!((server.evaluate("b"), server.evaluate("own")), ("108".to_owned(), "5".to_owned()), "{name}");
    }
}
