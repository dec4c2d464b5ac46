//! Variables that the dynamic linker has bound: each answer is what the code itself reads.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::built_by;
use serde_json::json;

const LOADED: &str = "int level = 300; __thread int own = 301; void stop(void) {}
int raise_level(int by) { level += by; own += by; stop(); return level + own; }
";
const LOADER: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
int level = 1; __thread int own = 2;
int main(void) { void *part = dlopen(PART, FLAGS); int (*raise_level)(int) = (int (*)(int))dlsym(part, \"raise_level\");
 return raise_level(2) + level + own == 0; }
";

#[test]
fn a_loaded_library_may_have_a_scope_of_its_own() {
    for (name, compiler, flags, level, own) in [
        ("deep", "gcc", "RTLD_NOW|RTLD_DEEPBIND", "300", "303"),
        ("deep_clang", "clang", "RTLD_NOW|RTLD_DEEPBIND", "300", "303"),
        ("shallow", "gcc", "RTLD_NOW", "1", "4"),
    ] {
        let part = built_by(compiler, "c", &format!("{name}_part.so"), LOADED, &["-g", "-shared", "-fPIC"]);
        let defined = [format!("-DPART=\"{}\"", part.display()), format!("-DFLAGS={flags}")];
        let program = built_by(compiler, "c", name, LOADER, &["-g", "-rdynamic", &defined[0], &defined[1]]);
        let server = replay_of(&program);
        let condition = format!("level == {level}");
        server.call("rr_breakpoint_set", json!({"location": "raise_level", "pending": true, "condition": condition}));
        server.call("rr_continue", json!({}));
        assert_eq!(server.evaluate("level"), level, "{name}");
        let traced = server.call("rr_trace", json!({"locations": ["raise_level"], "values": ["level"]}));
        assert_eq!(traced["rows"][0]["values"][0]["value"], level, "{name}: {traced}");
        let watched = server.call("rr_watchpoint_set", json!({"expression": "level"}));
        let stop = server.call("rr_continue", json!({}));
        assert_eq!(stop["breakpoint_number"], watched["number"], "{name}: {stop}");
        server.run_to("stop");
        let found = server.call("rr_evaluate", json!({"expression": "own", "frame_level": 1}));
        assert_eq!(found["value"], own, "{name}");
    }
}

const OWNER: &str = "int level = 203, other = 204; __thread int own = 205;
int raise_level(int by) { level += by; own += by; return level + other; }
";
const USER: &str = "extern int level; extern __thread int own; int raise_level(int);
int main(void) { level = 7; int sum = raise_level(1);
 return sum + level + own == 0; }
";

#[test]
fn a_program_has_a_copy_of_what_a_library_describes() {
    for (name, compiler, option) in
        [("copy_clang", "clang", "-no-pie"), ("copy_gcc", "gcc", "-no-pie"), ("no_copy_clang", "clang", "-fPIE")]
    {
        let part = built_by(compiler, "c", &format!("{name}_part.so"), OWNER, &["-g", "-shared", "-fPIC"]);
        let server = replay_of(&built_by(compiler, "c", name, USER, &["-g", option, part.to_str().unwrap()]));
        check(&server, name, &format!("{name}.c:3"), &[("level", "8"), ("own", "206"), ("&level == 0", "0")]);
        let traced = server.call("rr_trace", json!({"locations": [format!("{name}.c:3")], "values": ["level"]}));
        assert_eq!(traced["rows"][0]["values"][0]["value"], "8", "{name}: {traced}");
    }
}

const PLUGIN: &str =
    "static __thread int own = K; void stop(void) {} int touch(int by) { own += by; stop(); return own; }";
const RELOADER: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
typedef int (*Touch)(int);
static Touch touch(void *part) { return (Touch)dlsym(part, \"touch\"); }
int main(void) { void *a = dlopen(A, RTLD_NOW); touch(a)(1); void *b = dlopen(B, RTLD_NOW); touch(b)(1);
 dlclose(a); void *c = dlopen(C, RTLD_NOW); touch(c)(1); return touch(b)(1); }
";

#[test]
fn storage_of_a_thread_is_that_of_the_library_itself() {
    let part = |letter: &str, value: u32| {
        let value = format!("-DK={value}");
        let built = built_by("gcc", "c", &format!("plugin_{letter}.so"), PLUGIN, &["-g", "-shared", "-fPIC", &value]);
        format!("-D{letter}=\"{}\"", built.display())
    };
    let [a, b, c] = [part("A", 100), part("B", 200), part("C", 300)];
    let server = replay_of(&built_by("gcc", "c", "reloader", RELOADER, &["-g", &a, &b, &c]));
    server.call("rr_breakpoint_set", json!({"location": "stop", "pending": true}));
    for expected in ["101", "201", "301", "202"] {
        server.call("rr_continue", json!({}));
        let own = server.call("rr_evaluate", json!({"expression": "own", "frame_level": 1}));
        assert_eq!(own["value"], expected, "{own}");
    }
}

const SPACED: &str =
    "int count = 10; int touch(int by) { static int calls; calls += by; count++; return calls + count; }";
const SPACES: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
typedef int (*Touch)(int);
static Touch entry(void *part) { return (Touch)dlsym(part, \"touch\"); }
int main(void) { void *a = dlopen(PART, RTLD_NOW); entry(a)(1); entry(a)(2);
 void *b = dlmopen(LM_ID_NEWLM, PART, RTLD_NOW); return entry(b)(5) + entry(a)(3); }
";

#[test]
fn a_library_may_be_in_two_name_spaces() {
    let part = built_by("gcc", "c", "spaced.so", SPACED, &["-g", "-shared", "-fPIC"]);
    let part = format!("-DPART=\"{}\"", part.display());
    let server = replay_of(&built_by("gcc", "c", "spaces", SPACES, &["-g", &part]));
    server.call("rr_breakpoint_set", json!({"location": "touch", "pending": true}));
    for expected in [["1", "10", "0"], ["2", "11", "1"], ["5", "10", "0"], ["3", "12", "3"]] {
        server.call("rr_continue", json!({}));
        assert_eq!([server.evaluate("by"), server.evaluate("count"), server.evaluate("touch::calls")], expected);
    }
    let listed = server.call("rr_breakpoint_list", json!({}));
    assert_eq!(listed["result"][0]["places"].as_array().map(Vec::len), Some(2), "{listed}");
    let traced = server.call("rr_trace", json!({"locations": ["touch"], "values": ["by", "count", "touch::calls"]}));
    let values = |row: usize| [0, 1, 2].map(|n| traced["rows"][row]["values"][n]["value"].as_str().unwrap().to_owned());
    assert_eq!(
        [values(0), values(1), values(2), values(3)],
        [["1", "10", "0"], ["2", "11", "1"], ["5", "10", "0"], ["3", "12", "3"]]
    );
}

const INLINED: &str = "extern \"C\" { __attribute__((noinline)) void stop(void) { asm volatile(\"\"); } }
struct Counted { static inline int shared = K + 1; int own = 3;
 int add(int by) { shared += by; stop(); return shared; } };
inline int raise(int by) { static int calls = K; calls += by; stop(); return calls; }
extern \"C\" int touch(int by) { Counted counted; return raise(by) + counted.add(by); }
";
const TWICE: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
typedef int (*Touch)(int);
static Touch touch(void *part) { return (Touch)dlsym(part, \"touch\"); }
int main(void) { void *a = dlopen(A, RTLD_NOW); touch(a)(1); return touch(dlopen(B, RTLD_NOW))(2); }
";

#[test]
fn what_is_unique_in_the_process_is_that_of_the_first_library() {
    for (name, compiler) in [("unique", "g++"), ("unique_clang", "clang++")] {
        let part = |letter: &str, value: u32| {
            let file = format!("{name}_{letter}.so");
            let value = format!("-DK={value}");
            let built = built_by(compiler, "cc", &file, INLINED, &["-g", "-shared", "-fPIC", "-std=c++17", &value]);
            format!("-D{letter}=\"{}\"", built.display())
        };
        let [a, b] = [part("A", 100), part("B", 200)];
        let server = replay_of(&built_by("gcc", "c", name, TWICE, &["-g", &a, &b]));
        server.call("rr_breakpoint_set", json!({"location": "stop", "pending": true}));
        // Clang gives each library its own.
        let [calls, shared] = if compiler == "g++" { ["103", "104"] } else { ["202", "203"] };
        let all = [("calls", "101"), ("shared", "102"), ("calls", calls), ("shared", shared)];
        for (expression, expected) in all {
            server.call("rr_continue", json!({}));
            let found = server.call("rr_evaluate", json!({"expression": expression, "frame_level": 1}));
            assert_eq!(found["value"], expected, "{name}: {found}");
            if expression == "shared" {
                let whole = server.call("rr_evaluate", json!({"expression": "this->shared", "frame_level": 1}));
                assert_eq!(whole["value"], expected, "{name}: {whole}");
            }
        }
    }
}

const SCOPED: &str = "int scaled(int); void stop(void) {}
int touch(int by) { int (*own)(int) = scaled; stop(); return own(by); }
";

#[test]
fn a_plugin_calls_the_functions_of_the_libraries_that_it_needs() {
    let part = |letter: &str, value: u32| {
        let value = format!("-DK={value}");
        let text = "int scaled(int by) { return K * by; }\n";
        let needed = built_by("gcc", "c", &format!("scoped_by_{letter}.so"), text, &["-g", "-shared", "-fPIC", &value]);
        let needed = needed.display().to_string();
        let flags = ["-g", "-shared", "-fPIC", "-Wl,--no-as-needed", &needed];
        format!("-D{letter}=\"{}\"", built_by("gcc", "c", &format!("scoped_{letter}.so"), SCOPED, &flags).display())
    };
    let [a, b] = [part("A", 10), part("B", 20)];
    let server = replay_of(&built_by("gcc", "c", "scoped", TWICE, &["-g", &a, &b]));
    server.call("rr_breakpoint_set", json!({"location": "stop", "pending": true}));
    for _ in 0..2 {
        server.call("rr_continue", json!({}));
        let found = server.call("rr_evaluate", json!({"expression": "own == scaled", "frame_level": 1}));
        assert_eq!(found["value"], "1", "{found}");
    }
}

/// A static of another file has the name, and none of the program is exported.
#[test]
fn a_declaration_in_a_block_is_no_static_of_another_file() {
    // Clang does not describe such declarations, and a library without debug info does not describe what it defines.
    for (compiler, option) in [("gcc", "-g"), ("gcc", "-g0"), ("clang", "-g")] {
        let what = format!("declared_in_block_{compiler}{option}");
        let library = "int unit = 202;\n";
        let library = built_by(compiler, "c", &format!("{what}.so"), library, &[option, "-shared", "-fPIC"]);
        let text = "static int unit = 103; void keep(const void *p) { __asm__ volatile(\"\" : : \"r\"(p)); } void other(void) { keep(&unit); }\n";
        let other = built_by(compiler, "c", &format!("{what}.o"), text, &["-g", "-c", "-fPIC"]);
        let text = "void keep(const void *); void other(void); void stop(int value) { keep(&value); }
int main(void) { other(); { extern int unit; stop(unit); } return 0; }
";
        let options = ["-g", "-fPIE", other.to_str().unwrap(), library.to_str().unwrap()];
        let server = replay_of(&built_by(compiler, "c", &what, text, &options));
        server.run_to("stop");
        let found = server.call("rr_evaluate", json!({"expression": "value"}));
        assert_eq!(found["value"], "202", "{what}");
        let found = server.either("rr_evaluate", json!({"expression": "unit", "frame_level": 1}));
        assert!(found.contains("202") && !found.contains("103"), "{what}: {found}");
    }
}
