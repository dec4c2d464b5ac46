//! What classes have: types, enumerators and static members, where several units, functions and instances of a template have
//! a class of one name.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, scratch};
use serde_json::json;
use std::fs::write;

const COMPILERS: [&str; 2] = ["g++", "clang++"];

const INSTANCES: &str =
    "template <auto V> struct Of { static int id; decltype(V) v; int own() { return id + (int)v; } };
template <auto V> int Of<V>::id = sizeof(V) * 10;
Of<1> one; Of<1ull> two; Of<(short)1> three;
int main() { int sum = one.own() + two.own() + three.own();
 return sum - 140; }
";

#[test]
fn instances_of_a_template_have_static_members_of_their_own() {
    for compiler in COMPILERS {
        let name = format!("instances_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, INSTANCES, &["-g", "-std=c++17"]));
        let expected = [("one.id", "40"), ("two.id", "80"), ("three.id", "20"), ("sizeof(two)", "8")];
        check(&server, compiler, &format!("{name}.cc:5"), &expected);
    }
}

const LOCAL: &str = "struct Base { int b = 1; virtual ~Base() {} };
Base *p;
void stop() {}
int f(int) { struct D : Base { int v = 11; }; D d; p = &d; stop(); return d.v; }
int f(double) { struct D : Base { double w = 2.5; int v = 22; }; D d; p = &d; stop(); return d.v; }
int main() {
 int sum = f(1) + f(1.0);
 { struct D : Base { char c = 3; } d; p = &d; stop(); sum += d.c; }
 { struct D : Base { long c = 77; } d; p = &d; stop(); sum += (int)d.c; }
 return sum - 113; }
";

#[test]
fn an_object_of_a_local_class_is_of_that_of_its_own_function() {
    for compiler in COMPILERS {
        let name = format!("local_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, LOCAL, &["-g"]));
        for expected in [[("p->v", "11")], [("p->v", "22")], [("(int)p->c", "3")], [("p->c", "77")]] {
            check(&server, compiler, "stop", &expected);
        }
    }
}

const ONE: &str =
    "namespace { struct S { enum E { X = 1, Y = 2 } e = Y; struct In { int q[2]; } in; typedef char T; T t; }; S s; }
int other();
int main() {
 int sum = s.e + (int)sizeof(S::In) + (int)sizeof(S::T);
 return sum + other() - 60; }
";
const OTHER: &str = "namespace { struct S { enum E { X = 8, Y = 9 } e = Y; struct In { double q[4]; } in; typedef long T; T t; }; S s; }
int other() {
 int sum = s.e + (int)sizeof(S::In) + (int)sizeof(S::T);
 return sum; }
";

#[test]
fn a_class_without_a_shared_name_has_its_own_types() {
    for compiler in COMPILERS {
        let name = format!("unshared_{compiler}");
        let other = scratch().join(format!("{name}_other.cc"));
        write(&other, OTHER).unwrap();
        let program = built_by(compiler, "cc", &name, ONE, &["-g", other.to_str().unwrap()]);
        let server = replay_of(&program);
        let own = "(anonymous namespace)::S::Y";
        let of_one = [("(S::E)2", own), ("(int)S::Y", "2"), ("sizeof(S::In)", "8"), ("sizeof(S::T)", "1")];
        check(&server, compiler, "main", &of_one);
        let of_other = [("(S::E)9", own), ("(int)S::Y", "9"), ("sizeof(S::In)", "32"), ("sizeof(S::T)", "8")];
        check(&server, compiler, "other", &of_other);
        assert_eq!(server.evaluate("s.e == (S::E)9"), "true", "{compiler}");
    }
}

const QUALIFIED: &str = "struct W { static int s; enum E { P = 9 }; enum class S { A = 9 }; struct In { char c; }; };
int W::s = 1;
namespace n {
struct W { static int s; enum E { P = 3 }; enum class S { A = 3 }; struct In { long l[2]; }; };
int W::s = 2;
enum class S { A = 8 };
int inside() { W::E e = W::P; S s = S::A;
 return ::W::P + (int)::W::S::A + e + (int)s; }
}
void stop() {}
int t1() { typedef n::W W; W w; W::S s = W::S::A;
 stop();
 return W::s + (int)sizeof w + (int)s; }
struct Q { typedef n::W W; W w; int f() {
  stop();
  return W::s + W::P; } };
int t3() { struct W { int q[9]; enum E { P = 77 }; struct In { int i[7]; }; } w; W::E e = W::P;
 stop();
 return (int)sizeof w + (int)sizeof(W::In) + e; }
W::E e = W::P; n::W::E ne = n::W::P; W::S se; n::W::S nse; W::In in; n::W::In nin; Q q;
int main() { return n::inside() + t1() + q.f() + t3() == 0; }
";

#[test]
fn the_scope_of_a_name_is_what_it_means_there() {
    for compiler in COMPILERS {
        let name = format!("scoped_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, QUALIFIED, &["-g"]));
        let at = |line: u32| format!("{name}.cc:{line}");
        let globals = [("(int)::W::P", "9"), ("(int)::W::S::A", "9"), ("(int)W::P", "3"), ("(int)S::A", "8")];
        check(&server, compiler, &at(8), &globals);
        let of_n = [("W::s", "2"), ("(int)W::P", "3"), ("(int)W::S::A", "3"), ("sizeof(W::In)", "16")];
        check(&server, compiler, &at(12), &of_n);
        check(&server, compiler, &at(15), &[("W::s", "2"), ("(int)W::P", "3")]);
        check(&server, compiler, &at(18), &[("(int)W::P", "77"), ("sizeof(W)", "36"), ("::W::s", "1")]);
    }
}

const ELSEWHERE: &str = "int other(void) { typedef char T; struct S { int a[6]; }; T t = 1; struct S s = {{1}};
 return t + s.a[0]; }
int here(int n) {
 return n - 2; }
int main(void) { return here(other()); }
";

#[test]
fn a_type_of_another_function_is_not_in_scope() {
    for compiler in ["gcc", "clang"] {
        let name = format!("elsewhere_{compiler}");
        let server = replay_of(&built_by(compiler, "c", &name, ELSEWHERE, &["-g"]));
        server.run_to(&format!("{name}.c:2"));
        assert_eq!(server.evaluate("sizeof(T) + sizeof(struct S)"), "25");
        server.run_to(&format!("{name}.c:4"));
        for expression in ["sizeof(T)", "sizeof(struct S)"] {
            let refused = server.attempt("rr_evaluate", json!({"expression": expression}));
            assert!(refused.is_err(), "{compiler}: {expression}: {refused:?}");
        }
    }
}

const LAMBDA: &str = "int c = 64;
struct D { int c = 9;
 int m() { auto l = [this] {
   return c; };
  return l(); } };
int main() { D d; return d.m() - 9; }
";

#[test]
fn a_lambda_has_the_members_of_what_it_has_captured() {
    for compiler in COMPILERS {
        let name = format!("captured_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, LAMBDA, &["-g"]));
        check(&server, compiler, &format!("{name}.cc:4"), &[("c", "9"), ("::c", "64")]);
    }
}

const USED: &str = "struct B { int a = 1; };
struct M : B { int a = 3; };
struct D : M { using B::a; int own() { return a; } };
int main() { D d;
 int sum = d.a + d.own() + d.M::a;
 return sum - 5; }
";

#[test]
fn a_using_declaration_of_a_class_decides_which_member_a_name_means() {
    // Clang does not describe it.
    let server = replay_of(&built_by("g++", "cc", "used_member", USED, &["-g"]));
    check(&server, "used", "used_member.cc:5", &[("d.a", "1"), ("d.M::a", "3"), ("d.B::a", "1")]);
    check(&server, "used", "D::own", &[("a", "1"), ("this->a", "1")]);
}

const AMBIGUOUS: &str = "namespace A { struct S { long l; }; enum { e = 6, only = 4 }; }
namespace Z { struct S { char q; }; enum { e = 7 }; }
template <int N> struct I { int a[N]; }; template <class T> struct D { T t; int n; };
struct Other { typedef char In; In in; } other;

template <class T> struct Tp { static int cnt; int f() { int own = Tp::cnt;
  return own; } };
template <class T> int Tp<T>::cnt = 10 + sizeof(T);
struct B1 { int b = 1; static int st; }; struct B2 { int b = 2; static int st; }; struct C : B1, B2 {};
int B1::st = 50, B2::st = 60;
template <int N> int three = N * 3;
A::S s{1}; Z::S zs{'z'}; I<5> x; I<1> y; D<char> dc{'c', 1}; D<double> dd{2.5, 7}; C c;
int main() { Tp<int> a; Tp<char> b; int sum = a.f() + b.f() + A::e + Z::e + A::only + three<1> + three<2>;
 return sum - 51; }
";

#[test]
fn a_name_that_leaves_something_out_means_the_only_one_that_has_it_or_none() {
    for compiler in COMPILERS {
        let name = format!("shortened_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, AMBIGUOUS, &["-g", "-std=c++17"]));
        check(&server, compiler, &format!("{name}.cc:7"), &[("own", "14"), ("Tp::cnt", "14"), ("cnt", "14")]);
        let expected = [
            ("sizeof(S)", "`S` may mean several: write A::S or Z::S"),
            ("e + 0", "`e` may mean several: write A::e or Z::e"),
            ("only + 0", "4"),
            ("sizeof(I)", "`I` may mean several: write I<5> or I<1>"),
            ("sizeof(I<5>)", "20"),
            ("sizeof(In)", "`In` is a member of a class: write Other::In"),
            ("sizeof(Other::In)", "1"),
            ("((D<double> *)&dd)->n", "7"),
            ("c.b", "C has \"b\" of B1 and of B2: name the base, as in B1::b"),
            ("c.st", "C has \"st\" of B1 and of B2: name the base, as in B1::st"),
            ("c.B2::st", "60"),
            ("three<1>", "3"),
            ("three<2>", "6"),
            ("zs.q", "122 'z'"),
        ];
        check(&server, compiler, &format!("{name}.cc:14"), &expected);
    }
}

const ALIGNED: &str = "struct A { long a; int b; } __attribute__((packed, aligned(4)));
struct D { char c; int m __attribute__((aligned(16))); };
typedef int ai __attribute__((aligned(64)));
struct A a; struct D d; ai k;
int main(void) {
 return a.b + d.m + k; }
";

#[test]
fn an_alignment_that_was_asked_for_is_the_one_of_the_type() {
    for compiler in ["gcc", "clang"] {
        let name = format!("aligned_{compiler}");
        let server = replay_of(&built_by(compiler, "c", &name, ALIGNED, &["-g"]));
        let expected = [("_Alignof(struct A)", "4"), ("_Alignof(struct D)", "16"), ("_Alignof(ai)", "64")];
        check(&server, compiler, &format!("{name}.c:6"), &expected);
    }
}
