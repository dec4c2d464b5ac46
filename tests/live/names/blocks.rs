//! What the blocks of a function, its overloads, anonymous namespaces and templates around a lambda make of a name.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, scratch};
use serde_json::json;

const BLOCKS: &str = "int an = 1; struct tag { int a, b; } whole = {1, 2}; int u = 5;
void here(void) {}
void there(void) {}
int enumerators(int r) {
  enum { an = 112, other };
  r += an; here();
  { long other = 7; r += other;
    { enum { an = 115 };
      r += an; there(); } }
  return r; }
int types(int r) { int w = 3;
  { struct tag { long q; char c; } tv = {113, 'x'}; typedef char u; typedef short w; u small = 1; w tiny = 2;
    r += tv.q + small + tiny;
    return r; } }
int main(void) { return enumerators(0) + types(whole.a + u) == 0; }
";

#[test]
fn a_block_hides_what_is_declared_further_out() {
    let program = built_by("gcc", "c", "blocks", BLOCKS, &["-g", "-O0"]);
    let expected = [("an", "an"), ("an + 1", "113"), ("other + 0", "113"), ("::an", "1")];
    check(&replay_of(&program), "blocks", "blocks.c:6", &expected);
    check(&replay_of(&program), "blocks", "blocks.c:9", &[("an + 0", "115"), ("other", "7")]);
    let expected =
        [("sizeof(struct tag)", "16"), ("((struct tag *)&tv)->q", "113"), ("sizeof(u)", "1"), ("sizeof(w)", "2")];
    check(&replay_of(&program), "blocks", "blocks.c:13", &expected);
    check(&replay_of(&program), "blocks", "main", &[("an", "1"), ("sizeof(struct tag)", "8"), ("u", "5")]);
}

const STATICS: &str = "int f(int x) { static int s = 60;
  x += s++;
  { static int s = 62;
    x += s++; }
  return x; }
int later(int x) {
  x++;
  static int only = 64;
  return x + only; }
int main(void) { return f(1) == later(1); }
";

#[test]
fn which_static_of_a_function_is_in_scope_is_not_guessed() {
    let unclear = "several blocks of the function have something of that name";
    for (compiler, inner) in [("gcc", Some("62")), ("clang", None)] {
        let what = format!("statics.{compiler}");
        let program = built_by(compiler, "c", &what, STATICS, &["-g", "-O0"]);
        check(&replay_of(&program), &what, &format!("{what}.c:7"), &[("only", "64"), ("sizeof(only)", "4")]);
        let server = replay_of(&program);
        check(&server, &what, &format!("{what}.c:2"), &[("s", "60")]);
        server.run_to(&format!("{what}.c:4"));
        let answer = server.attempt("rr_evaluate", json!({"expression": "s"}));
        match inner {
            Some(value) => assert_eq!(answer.unwrap()["value"], value),
            None => assert!(answer.as_ref().is_err_and(|why| why.contains(unclear)), "{answer:?}"),
        }
    }
}

const FIRST: &str = "
namespace { struct S { static int st; int m; }; int S::st = 8; int u = 5; namespace In { int deep = 7; } }
int f(int x) { static int s = 60; s++; return x + s; }
int f(double d) { static int s = 70; s++; return s + (int)d; }
int second();
int main() { S s{1}; return (f(1) + f(2.5) + S::st + s.m + u + In::deep + second()) == 0; }
";
const SECOND: &str = "
namespace { struct S { static int st; int m; long x; }; int S::st = 208; int u = 205; namespace In { int deep = 207; } }
int second() { S a{1, 2}; return a.m + S::st + u + In::deep; }
";

#[test]
fn each_unit_has_its_own_anonymous_namespace() {
    let expected =
        [("S::st", "208"), ("a.st", "208"), ("u", "205"), ("'(anonymous namespace)::u'", "205"), ("In::deep", "207")];
    let (plain, in_type_units) = ("-fno-debug-types-section", "-fdebug-types-section");
    for (compiler, version, section) in [
        ("g++", "-gdwarf-4", plain),
        ("g++", "-gdwarf-4", in_type_units),
        ("g++", "-gdwarf-5", plain),
        ("g++", "-gdwarf-5", in_type_units),
        ("clang++", "-gdwarf-5", plain),
    ] {
        let what = format!("anonymous.{compiler}{version}{section}");
        let other = format!("{what}.second");
        let path = scratch().join(format!("{other}.cpp"));
        std::fs::write(&path, SECOND).unwrap();
        let options = [version, section, "-O0", path.to_str().unwrap()];
        let program = built_by(compiler, "cpp", &what, FIRST, &options);
        let server = replay_of(&program);
        check(&server, &what, "second", &expected);
        let whole = server.evaluate("a");
        assert!(whole.contains("static st = 208"), "{what}: {whole}");
        check(&replay_of(&program), &what, "f(int)", &[("f::s", "60")]);
        check(&replay_of(&program), &what, "f(double)", &[("f::s", "70")]);
    }
}

const LAMBDAS: &str = "void stop() { asm volatile(\"\"); }
template <class T, int N> struct W { T v{};
  int f(T t) { auto lam = [&](int z) {
    return z + (int)t + (int)sizeof(T) + N; };
    return lam(1); } };
template <class T> int g(T t) { return [t] {
    return (int)sizeof(T) + (int)t; }(); }
int main() { W<char, 9> w; stop(); return (w.f('a') + g((short)3)) == 0; }
";

#[test]
fn a_lambda_knows_the_parameters_of_the_template_around_it() {
    let what = "lambdas.g++";
    let program = built_by("g++", "cpp", what, LAMBDAS, &["-g", "-O0"]);
    let server = replay_of(&program);
    check(&server, what, "lambdas.g++.cpp:4", &[("sizeof(T)", "1"), ("N", "9"), ("z", "1")]);
    check(&server, what, "lambdas.g++.cpp:7", &[("sizeof(T)", "2")]);
}

const INHERITED: &str =
    "int oe = 1, ie = 2, kind = 3, made = 4, ce = 5, made_of = 6, two = 7; typedef char T; struct W { char c[2]; };
struct Far { enum { two = 17 }; int hidden = 20; };
struct Base : Far { static int made; enum { kind = 13, hidden = 21 }; typedef long T; struct W { int z[7]; }; };
int Base::made = 14;
template <class X> struct Of { static int made_of; enum { ce = X(15) }; };
template <class X> int Of<X>::made_of = 16;
namespace N { int made = 18; enum { ie = 12 };
  int plain(int p) { return p + ie; }
  struct Own { enum { oe = 11 }; typedef int T;
    static int still(int p) { T t = p; return t + oe; }
    struct In { int inside(int p) { return p + oe + sizeof(T); } }; };
  struct Made : Base { W w;
    int method(int p) { T t = p; return t + made + kind + two + hidden; }
    static int still(int p) { T t = p; return t + made + kind; }
    struct In { int inside(int p) { return p + made + kind + (int)sizeof(W); } }; };
  struct Instance : Of<int> { static int still(int p) { return p + made_of + ce; } }; }
int main() { N::Own::In in; N::Made m = {}; N::Made::In im; W w = {};
  return N::plain(0) + N::Own::still(0) + in.inside(0) + m.method(0) + N::Made::still(0) + im.inside(0)
    + N::Instance::still(0) + w.c[0] + T(0) + ce + made_of + two == 0; }
";

#[test]
fn a_class_and_its_bases_come_before_what_is_around_them() {
    let own = [("oe + 0", "11"), ("sizeof(T)", "4"), ("::oe", "1")];
    let inherited = [("made", "14"), ("kind + 0", "13"), ("two + 0", "17"), ("sizeof(T)", "8"), ("sizeof(W)", "28")];
    let named = [("N::Made::kind + 0", "13"), ("sizeof(N::Made::W)", "28"), ("sizeof(W)", "2"), ("kind", "3")];
    for compiler in ["g++", "clang++"] {
        let what = format!("inherited.{compiler}");
        let server = replay_of(&built_by(compiler, "cpp", &what, INHERITED, &["-g", "-O0"]));
        check(&server, &what, "main", &named);
        check(&server, &what, "N::plain", &[("ie + 0", "12"), ("made", "18"), ("sizeof(Made::W)", "28")]);
        check(&server, &what, "N::Own::still", &own);
        check(&server, &what, "N::Own::In::inside", &own);
        // An enumerator of a class hides what is a member of its base.
        let hidden = [("hidden + 0", "21"), ("this->Far::hidden", "20")];
        check(&server, &what, "N::Made::method", &[&inherited[..], &hidden].concat());
        check(&server, &what, "N::Made::still", &inherited);
        check(&server, &what, "N::Made::In::inside", &inherited);
        check(&server, &what, "N::Instance::still", &[("made_of", "16"), ("ce + 0", "15")]);
    }
}

const UNIONS: &str = "namespace A { static union { int u1; char u2; }; union Named { int u3; };
  int f(int x) { x += u1;
    return x + u2; } }
static union { int g1; short g2; };
namespace { static union { int n1; short n2; }; }
struct S { static union { int u3; } inside; }; decltype(S::inside) S::inside = {3};
int main() { A::u1 = 19; g1 = 20; n1 = 21;
  static union { int s1; char s2; }; s1 = 22;
  return A::f(3) + g2 + n2 + s2 + S::inside.u3; }
";
/// Has for itself what the other unit has in its unions.
const OTHERS: &str = "static int u1 = 1, u2 = 2, g1 = 3, n1 = 5; int others() { return u1++ + u2++ + g1++ + n1++; }\n";

#[test]
fn what_is_in_a_union_without_a_name_is_in_the_namespace() {
    for compiler in ["g++", "clang++"] {
        let what = format!("unions.{compiler}");
        let other = built_by(compiler, "cpp", &format!("{what}.o"), OTHERS, &["-g", "-c"]);
        let program = built_by(compiler, "cpp", &what, UNIONS, &["-g", other.to_str().unwrap()]);
        let server = replay_of(&program);
        let own = [("u1", "19"), ("u2", "19 '\\023'"), ("A::u1", "19"), ("::A::u2 + 0", "19"), ("::g1", "20")];
        check(&server, &what, &format!("{what}.cpp:3"), &own);
        let server = replay_of(&program);
        let outside = [("A::u1", "19"), ("g1", "20"), ("g2", "20"), ("n1", "21"), ("s1", "22"), ("s2 + 0", "22")];
        check(&server, &what, &format!("{what}.cpp:9"), &outside);
        assert!(server.attempt("rr_evaluate", json!({"expression": "u3"})).is_err(), "{compiler}");
    }
}
