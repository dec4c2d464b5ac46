//! What a library defines and another module has in its place, and thread-local storage that is not where it seems to
//! be: each answer is what the code itself uses.

use crate::support::fixtures::{built_by, scratch};
use crate::support::mcp::Server;
use crate::whose::{check, replay_of};
use serde_json::json;
use std::process::Command;

const LIBRARY: &str = "int f(void) { return 1; }
__attribute__((visibility(\"hidden\"))) int inner(void) { return 3; }
__attribute__((visibility(\"protected\"))) int guarded(void) { return 5; }
__thread int t = 1;
int lib(void) { int (*p)(void) = f, (*q)(void) = inner, (*r)(void) = guarded;
 return p() + q() + r() + t; }
";
const PROGRAM: &str = "int f(void) { return 2; } int inner(void) { return 4; } int guarded(void) { return 6; }
__thread int t = 20; int lib(void);
int main(void) { return lib() + inner() + guarded() + t == 0; }
";

#[test]
fn a_function_and_a_thread_local_are_those_that_the_library_uses() {
    for (name, compiler, option, own) in [
        ("interposed_f", "gcc", "-O0", "20"),
        ("interposed_f_desc", "gcc", "-mtls-dialect=gnu2", "20"),
        ("interposed_f_clang", "clang", "-O0", "20"),
        ("symbolic_f", "gcc", "-Wl,-Bsymbolic", "1"),
        ("symbolic_functions", "gcc", "-Wl,-Bsymbolic-functions", "20"),
    ] {
        let options = ["-g", "-shared", "-fPIC", option];
        let part = built_by(compiler, "c", &format!("{name}_part.so"), LIBRARY, &options);
        let options = ["-g", "-rdynamic", part.to_str().unwrap()];
        let server = replay_of(&built_by(compiler, "c", name, PROGRAM, &options));
        // The library is loaded then.
        server.run_to("main");
        let place = format!("{name}_part.so.c:6");
        let same = [("p == f", "1"), ("p == &f", "1"), ("q == inner", "1"), ("r == guarded", "1")];
        check(&server, name, &place, &same);
        assert_eq!(server.evaluate("t"), own, "{name}");
    }
}

const VERSIONED: &str = "int old = 101, young = 102;
__asm__(\".symver old,vd@V1\"); __asm__(\".symver young,vd@@V2\");
";
const VERSIONS: &str = "V1 { global: vd; local: old; young; };\nV2 { global: vd; };\n";

#[test]
fn a_name_is_that_of_the_default_version() {
    for (name, stripping) in [("versioned", "-g"), ("versioned_stripped", "-s")] {
        let map = scratch().join(format!("{name}.map"));
        std::fs::write(&map, VERSIONS).unwrap();
        let script = format!("-Wl,--version-script={}", map.display());
        let options = ["-shared", "-fPIC", stripping, &script];
        let part = built_by("gcc", "c", &format!("{name}_part.so"), VERSIONED, &options);
        let text = "extern int vd;\nint main(void) { int read = vd;\n return read == 0; }\n";
        let options = ["-g", "-fPIC", part.to_str().unwrap()];
        let server = replay_of(&built_by("clang", "c", name, text, &options));
        check(&server, name, &format!("{name}.c:3"), &[("read", "102")]);
        let refused = server.fail("rr_evaluate", json!({"expression": "vd"}));
        let place = refused.split("cast, as in ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
        let place = place.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
        assert_eq!(server.evaluate(place), "102", "{name}: {refused}");
    }
}

const PLUGIN: &str =
    "static __thread int own = K; void stop(void) {} int touch(int by) { stop(); own += by; return own; }";
const RELOADER: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
static void use(const char *path) { void *part = dlopen(path, RTLD_NOW); int (*touch)(int) = (int (*)(int))dlsym(part, \"touch\");
 touch(1); touch(1); dlclose(part); }
int main(void) { use(A); use(B); return 0; }
";

#[test]
fn storage_of_a_library_that_was_unloaded_is_nobody_elses() {
    let part = |letter: &str, value: u32| {
        let value = format!("-DK={value}");
        let built = built_by("gcc", "c", &format!("reused_{letter}.so"), PLUGIN, &["-g", "-shared", "-fPIC", &value]);
        format!("-D{letter}=\"{}\"", built.display())
    };
    let [a, b] = [part("A", 100), part("B", 200)];
    let server = replay_of(&built_by("gcc", "c", "reuser", RELOADER, &["-g", &a, &b]));
    server.call("rr_breakpoint_set", json!({"location": "stop", "pending": true}));
    for expected in ["", "101", "", "201"] {
        server.call("rr_continue", json!({}));
        let own = server.either("rr_evaluate", json!({"expression": "own", "frame_level": 1}));
        let why = "this thread has not used the module's thread-local storage yet";
        assert!(own.contains(if expected.is_empty() { why } else { expected }), "{expected}: {own}");
    }
}

const SPLIT: &str = "__thread char large[SIZE]; __thread int first = 91; static __thread int second = 5;
int main(void) { static __thread int third = 7; large[1] = 3;
 return first + second + third + large[1] == 0; }
";

#[test]
fn split_debug_info_may_state_addresses_of_thread_locals() {
    for (compiler, size) in [("gcc", "4"), ("gcc", "100000"), ("clang", "100000")] {
        let name = format!("split_thread_{compiler}{size}");
        // The file beside the object has the debug info.
        let object = scratch().join(format!("{name}.o"));
        let define = format!("-DSIZE={size}");
        built_by(compiler, "c", &format!("{name}.o"), SPLIT, &["-g", "-gsplit-dwarf", "-c", &define]);
        let program = scratch().join(&name);
        let done = Command::new(compiler).arg(&object).arg("-o").arg(&program).output().unwrap();
        assert!(done.status.success(), "{name}");
        let server: Server = replay_of(&program);
        let values = [("first", "91"), ("second", "5"), ("third", "7"), ("large[1]", "3 '\\003'")];
        check(&server, &name, &format!("{name}.o.c:3"), &values);
    }
}
