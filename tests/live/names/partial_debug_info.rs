//! Names where debug info has only part of what decides: parts of coroutines, blocks that may have been left, files that
//! are included several times, and templates of constructors.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, scratch};
use serde_json::json;
use std::fs;

const COROUTINE: &str = "#include <coroutine>
struct Gen { struct promise_type {
    Gen get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {} };
  std::coroutine_handle<promise_type> h; };
int hits = 77, out;
Gen serve(int n) {
  static int hits = 9;
  hits += n;
  out = hits;
  co_return; }
int main() { Gen g = serve(1); g.h.resume(); return out != 10; }
";

#[test]
fn a_static_variable_of_a_coroutine_is_seen_in_all_its_parts() {
    let what = "coroutine_statics";
    let program = built_by("g++", "cpp", what, COROUTINE, &["-g", "-O0", "-std=c++20"]);
    let here = format!("{what}.cpp:13");
    check(&replay_of(&program), what, &here, &[("hits", "10"), ("::hits", "77")]);
    // Clang has static variables of all blocks in the function: one is not taken for the other.
    let what = "coroutine_statics_clang";
    let program = built_by("clang++", "cpp", what, COROUTINE, &["-g", "-O0", "-std=c++20"]);
    let server = replay_of(&program);
    server.run_to(&format!("{what}.cpp:13"));
    let why = server.fail("rr_evaluate", json!({"expression": "hits"}));
    assert!(why.contains("has been left"), "{why}");
    assert_eq!(server.evaluate("::hits"), "77");
}

const NAMESPACE: &str = "int level = 907, out;
namespace svc {
  int level_get() { extern int level;
    out = level;
    return level; }
  int level = 76; }
int main() { return svc::level_get() != 76; }
";

#[test]
fn what_a_block_declares_extern_is_of_the_namespace() {
    let what = "extern_in_namespace";
    let program = built_by("g++", "cpp", what, NAMESPACE, &["-g", "-O0"]);
    check(&replay_of(&program), what, &format!("{what}.cpp:4"), &[("level", "76"), ("::level", "907")]);
}

const LEFT: &str = "int RED = 11, w = 12, out;
int f(int n) {
  { enum { RED = 5 } e = RED; typedef long w; w z = n + e; n += z; }
  out = RED + w + sizeof(w);
  return n; }
int main(void) { return f(1) != 7; }
";

#[test]
fn what_a_block_that_may_be_left_declares_is_not_taken_for_a_global() {
    for (compiler, is_told) in [("gcc", true), ("clang", false)] {
        let what = format!("left_blocks.{compiler}");
        let program = built_by(compiler, "c", &what, LEFT, &["-g", "-O0"]);
        let server = replay_of(&program);
        let here = format!("{what}.c:4");
        if is_told {
            check(&server, &what, &here, &[("RED", "11"), ("w", "12"), ("sizeof(w)", "4")]);
            continue;
        }
        server.run_to(&here);
        for expression in ["RED", "(int)RED", "w", "sizeof(w)"] {
            let why = server.fail("rr_evaluate", json!({"expression": expression}));
            assert!(why.contains("has been left"), "{expression}: {why}");
            let values = json!({"locations": [here], "values": [expression]});
            let traced = server.attempt("rr_trace", values).map(|answer| answer["rows"][0]["values"][0].to_string());
            assert!(traced.as_ref().unwrap_or_else(|why| why).contains("has been left"), "{traced:?}");
        }
        assert_eq!((server.evaluate("::RED"), server.evaluate("::w")), ("11".to_owned(), "12".to_owned()));
    }
}

#[test]
fn a_macro_that_each_inclusion_defines_otherwise_has_no_value_of_one() {
    let template = "int NAME(int n) {\n  return n * WIDTH + SAME; }\n";
    for (compiler, option) in [("gcc", "-g3"), ("clang", "-fdebug-macro")] {
        let what = format!("included_twice.{compiler}");
        let include = format!("stack_{compiler}.inc");
        fs::write(scratch().join(&include), template).unwrap();
        let once = |number: u32, width: u32| {
            let undefined = "#undef NAME\n#undef WIDTH\n";
            format!("#define NAME push{number}\n#define WIDTH {width}\n#include \"{include}\"\n{undefined}")
        };
        let main = "int main(void) { return push1(1) + push2(2) != 26; }\n";
        let source = format!("#define SAME 3\n{}{}{main}", once(1, 4), once(2, 8));
        let server = replay_of(&built_by(compiler, "c", &what, &source, &["-g", "-O0", option]));
        server.run_to("push2");
        let why = server.fail("rr_evaluate", json!({"expression": "n * WIDTH"}));
        assert!(why.contains("macro `WIDTH'") && why.contains("included 2 times") && why.contains(": 4; 8"), "{why}");
        assert_eq!((server.evaluate("n"), server.evaluate("SAME")), ("2".to_owned(), "3".to_owned()));
        let traced = server.fail("rr_trace", json!({"locations": ["push2"], "values": ["WIDTH"]}));
        assert!(traced.contains("included 2 times"), "{traced}");
    }
}

const CONSTRUCTORS: &str = "struct R { int id; };
struct O { int n;
  O(int k) : n(k) {}
  template<class T> O(T *t, int k) : n(k) { n += t->id; }
  O(R *r, int k, int j) : n(k + j + r->id) {} };
int main() { R r{1}; O a(1), b(&r, 1), c(&r, 1, 2); return a.n + b.n + c.n != 7; }
";

#[test]
fn a_constructor_that_is_a_template_has_all_its_parameters() {
    for compiler in ["g++", "clang++"] {
        let what = format!("template_constructors.{compiler}");
        let server = replay_of(&built_by(compiler, "cpp", &what, CONSTRUCTORS, &["-g", "-O0"]));
        let set = server.call("rr_breakpoint_set", json!({"location": "O::O(int)"}));
        assert_eq!(set["locations"].as_array().map_or(1, Vec::len), 1, "{set}");
        let calls = server.call("rr_calls", json!({"function": "O::O"}));
        let names: Vec<&str> =
            calls["rows"].as_array().unwrap().iter().map(|row| row["function"].as_str().unwrap()).collect();
        assert_eq!(names, ["O::O(int)", "O::O<R>(R*, int)", "O::O(R*, int, int)"], "{calls}");
    }
}

const TRAIT: &str = "static LEVEL: i32 = 4;
mod net { pub static LEVEL: i32 = 40; }
trait Shape { fn area(&self) -> i32 { let k = 1;
    println!(\"{} {}\", LEVEL, k);
    k } }
struct Sq;
impl Shape for Sq {}
fn main() { Sq.area(); println!(\"{}\", net::LEVEL); }
";

#[test]
fn a_method_that_a_trait_has_itself_sees_the_module_around_the_trait() {
    let what = "trait_module";
    let program = built_by("rustc", "rs", what, TRAIT, &["-g"]);
    check(&replay_of(&program), what, &format!("{what}.rs:4"), &[("LEVEL", "4"), ("k", "1")]);
}

const BASES: &str = "#include <vector>
template<class T> struct Base { int total = 51; };
struct Svc : Base<Svc> { int total = 61;
  int run() {
    return total + Base::total + Base<Svc>::total; } };
int main() { Svc s; return s.run() + s.Base<Svc>::total + s.Base::total == 0; }
";

#[test]
fn a_base_goes_by_the_name_of_its_template() {
    for compiler in ["g++", "clang++"] {
        let what = format!("template_base.{compiler}");
        let server = replay_of(&built_by(compiler, "cpp", &what, BASES, &["-g", "-O0"]));
        let expected = [
            ("total", "61"),
            ("Base::total", "51"),
            ("this->Base::total", "51"),
            ("Base<Svc>::total", "51"),
            ("this->Base<Svc>::total", "51"),
            ("total<Svc::total", "false"),
        ];
        check(&server, &what, &format!("{what}.cpp:5"), &expected);
        server.call("rr_select_frame", json!({"frame_level": 1}));
        let values = ["s.Base<Svc>::total", "s.Base::total", "s.total < s.total"].map(|text| server.evaluate(text));
        assert_eq!(values, ["51", "51", "false"]);
    }
}

const CAPTURED: &str = "#include <vector>
struct W { std::vector<int> v{4, 5}; int width = 1;
  int f(int k) {
    auto g = [*this, k]() mutable {
      v[1] += k;
      auto h = [&] { return k + width; };
      return h(); };
    return g(); } };
int main() { W w; return w.f(3) == 0; }
";

#[test]
fn what_is_optimized_out_has_no_elements_and_no_methods_for_that_reason() {
    let server = replay_of(&built_by("g++", "cpp", "captured_object", CAPTURED, &["-g", "-O0"]));
    server.run_to("captured_object.cpp:5");
    if server.evaluate("v").contains("optimized out") {
        for expression in ["v[1]", "v.size()", "v.at(1)", "v.empty()"] {
            let why = server.fail("rr_evaluate", json!({"expression": expression}));
            assert!(why.contains("optimized out"), "{expression}: {why}");
        }
    } else {
        assert_eq!(server.evaluate("v[1]"), "5");
    }
}
