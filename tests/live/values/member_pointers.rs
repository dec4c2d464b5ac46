//! What the members of a class are where no object is looked into: pointers to them, and why an object has none of it.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const TEXT: &str = "void stop() { __asm__ volatile(\"\"); }
struct S { int a = 1; int field : 3; int m(int x) { return x + a; } static int sm(int x) { return x; } static int missing;
 int go() { int S::*p = &S::a;
  stop(); return this->*p; } };
int main() { S s; int arr[3] = {1, 2, 3}; int n = 2; int (S::*mf)(int) = &S::m; int S::*md = &S::a;
 s.go();
 return (s.*mf)(1) + s.*md + arr[1] + n + S::sm(3) == 0; }
";

#[test]
fn members_of_a_class_are_no_plain_pointers() {
    for compiler in ["g++", "clang++"] {
        let name = format!("pointed_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, TEXT, &["-g"]));
        let same = [("&S::a == p", "true"), ("sizeof(&S::a)", "8"), ("this->*&S::a", "1")];
        check(&server, compiler, &format!("{name}.cc:4"), &same);
        let expected = [
            ("sizeof(&S::m)", "16"),
            ("sizeof(mf)", "16"),
            ("(long)&S::m == (long)mf", "true"),
            ("&S::m == mf", "true"),
            ("mf != &S::m", "false"),
            ("mf == 0", "false"),
            ("(long)&S::sm == (long)S::sm", "true"),
            ("sizeof(&S::sm)", "8"),
            ("sizeof(arr[0]@n)", "8"),
            ("sizeof(arr[0]@3)", "12"),
            ("&S::field", "cannot take the address of a bit-field"),
            ("s.m", "\"m\" is a member function of S: no object stores it"),
        ];
        check(&server, compiler, &format!("{name}.cc:7"), &expected);
        // GCC's debug info does not have it.
        if compiler == "clang++" {
            let why = server.attempt("rr_evaluate", json!({"expression": "s.missing"})).unwrap_err();
            let declared = "\"missing\" is a static member of S, which is only declared";
            assert_eq!(why.lines().next(), Some(declared));
        }
        let types = [("arr[0]@n", "type = int [2]"), ("arr[1]@2", "type = int [2]"), ("&S::sm", "type = int (*)(int)")];
        for (expression, ty) in types {
            let shown = server.text("rr_command", json!({"command": format!("whatis {expression}")}));
            assert_eq!(shown.trim_end(), ty, "{compiler}: {expression}");
        }
        let ty = |expression: &str| server.text("rr_command", json!({"command": format!("whatis {expression}")}));
        assert_eq!(ty("&S::m"), ty("mf"), "{compiler}");
    }
}

const PARTS: &str = "struct A { int a = 1; virtual ~A() {} };
struct B { int b = 2, second = 3; int far() { return b; } };
struct C : A, B { int c = 4; };
struct V { int v = 5; virtual ~V() {} };
struct W : virtual V { int w = 6; };
struct X : A, W { int x = 7; };
struct Left : B { int l = 8; };
struct Right : B { int r = 9; };
struct Both : Left, Right {};
void stop() {}
int main() { C c; X x; Both d; B &b = c, *bp = &c; V &v = x, *vp = &x; W &w = x; A *ap = &c; int (C::*m)() = &B::far; char &first = (char &)c;
 stop(); return (b.b + bp->b + v.v + vp->v + w.w + ap->a + first + d.l + (c.*m)()) == 0; }
";

#[test]
fn a_cast_to_a_reference_leads_to_that_part_of_the_object() {
    for compiler in ["g++", "clang++"] {
        let name = format!("parts_{compiler}");
        let server = replay_of(&built_by(compiler, "cc", &name, PARTS, &["-g"]));
        let several = |from: &str| {
            format!("cannot cast {from} to B; one contains the other several times: cast to a class in between")
        };
        let several = [several("Both"), several("Both")];
        let expected = [
            ("((B&)c).b", "2"),
            ("&(B&)c == bp", "true"),
            ("static_cast<const B&>(c).second", "3"),
            ("(B)c", "{b = 2, second = 3}"),
            ("((A)c).a + sizeof((B&)c)", "9"),
            ("((C&)b).c", "4"),
            ("&static_cast<C&>(b) == &c", "true"),
            ("static_cast<C*>(bp) == &c", "true"),
            ("((V&)x).v", "5"),
            ("&(V&)x == vp", "true"),
            ("((V)x).v", "5"),
            ("((W&)x).w", "6"),
            ("&(X&)w == &x", "true"),
            ("&(X&)v == &x", "true"),
            ("(X*)vp == &x", "true"),
            ("((X)x).x", "7"),
            ("&dynamic_cast<X&>(v) == &x", "true"),
            ("dynamic_cast<X&>(*ap).x", "the object is not of class X, nor part of one"),
            ("(long)&reinterpret_cast<B&>(c) == (long)&c", "true"),
            ("(char&)c == first", "true"),
            ("((B)(Right)d).b + ((Left&)d).l", "10"),
            ("(B)d", &several[0]),
            ("(B&)d", &several[1]),
            ("(C)b", "cannot cast B to C; reinterpret memory with *(type *)&x or {type} address"),
        ];
        check(&server, compiler, &format!("{name}.cc:12"), &expected);
        // How far the part is from the object is half of it.
        let shown = server.text("rr_command", json!({"command": "print/x m"}));
        let digits = shown.trim_end().rsplit_once("= 0xc").map_or(0, |(_, digits)| digits.len());
        assert_eq!(digits, 16, "{compiler}: {shown}");
    }
}
