//! Names in blocks that debug info does not end where the source does, on lines that are not of the function's own text,
//! and in lambdas.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;
use std::path::Path;

const UNCLEAR: &str = "several blocks of the function have something of that name, and debug info does not say which is in scope here: their lines are among the locals";

/// Builds a program under a name of its own and replays it.
fn replayed(compiler: &str, kind: &str, name: &str, text: &str, options: &[&str]) -> crate::support::mcp::Server {
    let options: Vec<&str> = std::iter::once("-g").chain(options.iter().copied()).collect();
    replay_of(&built_by(compiler, kind, name, text, &options))
}

const CATCH: &str = "#include <cstdio>
int main() { int x = 61, seen = 0;
 try { throw 55; } catch (int x) { seen = x; }
 std::printf(\"%d %d\\n\", x, seen);
 return 0; }
";

#[test]
fn a_variable_of_a_catch_clause_is_told_from_the_one_around_it_or_none_is() {
    let server = replayed("g++", "cc", "caught_gcc", CATCH, &[]);
    check(&server, "g++", "caught_gcc.cc:4", &[("x", "61"), ("seen", "55")]);
    let server = replayed("clang++", "cc", "caught_clang", CATCH, &[]);
    check(&server, "clang++", "caught_clang.cc:4", &[("x", UNCLEAR), ("seen", "55")]);
}

const LINES: &str = "int x = 1, y = 2;
void stop(void) {}
int main() {





 int x = 10; { int y = 20;
#line 2
  x += y;
  stop();
 }
 return x - 30; }
";

#[test]
fn lines_that_go_back_do_not_undo_a_declaration() {
    for compiler in ["gcc", "clang"] {
        let name = format!("relined_{compiler}");
        let server = replayed(compiler, "c", &name, LINES, &[]);
        server.run_to("stop");
        for (name, value) in [("x", "30"), ("y", "20")] {
            let answer = server.call("rr_evaluate", json!({"expression": name, "frame_level": 1}));
            assert_eq!(answer["value"], value, "{compiler}: {name}");
        }
    }
}

const INLINED: &str = "#include <stdio.h>
static inline __attribute__((always_inline)) int f(int a) { static int cnt = 30;
 { static int cnt = 50; cnt += a; printf(\"%d\\n\", cnt); }
 printf(\"%d\\n\", cnt);
 return a; }
int main(int c, char **v) { return f(c) - 1; }
";

#[test]
fn a_static_of_an_inner_block_of_an_inlined_function_ends_with_it() {
    let server = replayed("gcc", "c", "inlined_statics", INLINED, &["-O0"]);
    check(&server, "gcc", "inlined_statics.c:4", &[("cnt", "30")]);
}

#[test]
fn which_static_an_inlined_copy_without_its_blocks_means_is_not_guessed() {
    let server = replayed("gcc", "c", "blockless_copy", INLINED, &["-O0", "-flto"]);
    check(&server, "gcc", "blockless_copy.c:4", &[("cnt", UNCLEAR), ("a", "1")]);
}

const NAMELESS: &str = "int fs = 6; namespace M { int fs = 7; }
namespace N { inline __attribute__((always_inline)) int f(int z) {
  static int fs = 80;
  fs += z;
  return fs; } }
int main(int c, char **v) { return N::f(c) == fs + M::fs; }
";

#[test]
fn a_static_of_a_function_that_is_only_inlined_is_that_of_its_namespace() {
    for compiler in ["clang++", "g++"] {
        let name = format!("nameless_{compiler}");
        let server = replayed(compiler, "cc", &name, NAMELESS, &["-O0"]);
        let expected = [("fs", "81"), ("N::f::fs", "81"), ("::fs", "6"), ("M::fs", "7")];
        check(&server, compiler, &format!("{name}.cc:5"), &expected);
        assert!(server.fail("rr_evaluate", json!({"expression": "N::fs"})).contains("N::fs"), "{compiler}");
    }
}

const BESIDE: &str = "#include <stdio.h>
int w = 3;
__attribute__((noinline)) void stop(int l) { __asm__ volatile(\"\" :: \"r\"(l)); }
__attribute__((noinline)) int f(int a) {
 do { int x = a + 40; printf(\"%d\\n\", x); stop(5); __asm__ volatile(\"\" ::: \"memory\");
   { int w = a + 42; printf(\"%d\\n\", w); stop(w); __asm__ volatile(\"\" ::: \"memory\"); stop(w); }
   printf(\"%d\\n\", w); stop(8);
 } while (0);
 return 0; }
int main(int c, char **v) { w += c - 1; return f(c + 1999); }
";

#[test]
fn blocks_that_link_time_optimisation_puts_beside_each_other_are_within_each_other() {
    let server = replayed("gcc", "c", "beside", BESIDE, &["-O2", "-flto"]);
    server.call("rr_breakpoint_set", json!({"location": "stop", "condition": "l == 2042"}));
    server.call("rr_continue", json!({}));
    let answer = server.either("rr_evaluate", json!({"expression": "w", "frame_level": 1}));
    assert!(answer.contains("2042"), "{answer}");
}

const TYPES: &str = "#include <stdio.h>
struct S { int a; };
int main() { struct S s = {5};
 { struct S { long z[4]; }; struct S t = {{1}}; printf(\"%zu %ld\\n\", sizeof(struct S), t.z[0]); }
 printf(\"%zu %d\\n\", sizeof(struct S), ((struct S *)&s)->a);
 return 0; }
";

#[test]
fn a_type_of_a_block_that_has_perhaps_been_left_is_not_taken() {
    let server = replayed("gcc", "c", "left_types_gcc", TYPES, &[]);
    check(&server, "gcc", "left_types_gcc.c:5", &[("s.a", "5")]);
    let server = replayed("clang", "c", "left_types_clang", TYPES, &[]);
    let why = "several blocks of the function have a type S, and debug info does not say which is in scope here";
    check(&server, "clang", "left_types_clang.c:5", &[("sizeof(struct S)", why), ("s.a", "5")]);
}

const LAMBDA: &str = "#include <cstdio>
int x = 1;
struct W { int x = 10; int run(int y) { auto l = [*this, y]() { std::printf(\"%d\\n\", x + y);
   return x + y; };
 auto k = [=]() { std::printf(\"%d %d\\n\", this->x, y);
   return this->x + y; };
 return l() + k(); } };
int main() { W w; return w.run(5) - 30; }
";

#[test]
fn this_in_a_lambda_is_the_captured_one() {
    for compiler in ["g++", "clang++"] {
        let name = format!("captured_{compiler}");
        let server = replayed(compiler, "cc", &name, LAMBDA, &["-std=c++17"]);
        let expected = [("x", "10"), ("this->x", "10"), ("y", "5"), ("x + y", "15")];
        check(&server, compiler, &format!("{name}.cc:4"), &expected);
        check(&server, compiler, &format!("{name}.cc:6"), &expected);
    }
}

const RUST: &str = "macro_rules! show { ($($e:expr),*) => { { let t = [$($e as i64),*]; println!(\"{:?}\", t); } } }
static mut M: i32 = 1;
fn f(p: i32) -> i32 { static mut M: i32 = 34; unsafe { M += p; }
  let q = p + 1;
  { let p = 3u8; let q = 7;
    show!(p, q, unsafe { M }); }
  q
}
fn g(o: Option<i32>) -> i32 {
  match o {
    Some(v) if v > 5 => {
      let r#type = v + 1;
      println!(\"{} {}\", v, r#type);
      r#type
    }
    _ => 0,
  }
}
fn main() { f(5); unsafe { M += 1; } g(Some(6)); }
";

#[test]
fn names_of_rust_in_macros_and_behind_guards_are_the_nearest() {
    let program = built_by("rustc", "rs", "macros_and_guards", RUST, &["-g", "-A", "warnings"]);
    let server = replay_of(Path::new(&program));
    check(&server, "macro", "macros_and_guards.rs:1", &[("p", "3"), ("q", "7"), ("M", "39")]);
    check(
        &server,
        "guard",
        "macros_and_guards.rs:13",
        &[("v", "6"), ("v + 1", "7"), ("r#type", "7"), ("r#type + v", "13")],
    );
}
