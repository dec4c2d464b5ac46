//! What a library defines and another module has in its place, and thread-local storage that is not where it seems to
//! be: each answer is what the code itself uses.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, scratch};
use crate::support::mcp::Server;
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

const WEAK: &str = "__attribute__((weak)) int wk(int a) { return a + 3; }
int (*fp)(int) = wk;
int one(int) __asm__(\"two\"); int two(int) __asm__(\"one\");
int one(int a) { return a + 1; } int two(int a) { return a + 2; }
int (*p1)(int) = one, (*p2)(int) = two;
int main(void) {
 return fp(1) + p1(1) + p2(1) - 206; }
";

#[test]
fn a_function_is_the_one_that_the_linker_has_taken() {
    let strong = built_by("gcc", "c", "strong.o", "int wk(int a) { return a + 200; }\n", &["-g", "-c"]);
    for compiler in ["gcc", "clang"] {
        let name = format!("weak_{compiler}");
        let object = scratch().join("strong.o");
        assert_eq!(strong, object);
        let server = replay_of(&built_by(compiler, "c", &name, WEAK, &["-g", object.to_str().unwrap()]));
        let same = [("fp == wk", "1"), ("p1 == one", "1"), ("p2 == two", "1"), ("one == two", "0")];
        check(&server, compiler, &format!("{name}.c:7"), &same);
    }
}

const FUNCTIONS: &str = "int ver_old(int a) { return a + 1; } int ver_new(int a) { return a + 2; }
__asm__(\".symver ver_old,ver@V1\"); __asm__(\".symver ver_new,ver@@V2\");
";

#[test]
fn a_function_with_versions_is_that_of_the_default_one() {
    let map = scratch().join("functions.map");
    std::fs::write(&map, "V1 { global: *; }; V2 { } V1;\n").unwrap();
    let script = format!("-Wl,--version-script={}", map.display());
    let part = built_by("gcc", "c", "functions_part.so", FUNCTIONS, &["-g", "-shared", "-fPIC", &script]);
    let text = "extern int ver(int); int (*fp)(int) = ver;\nint main(void) { int got = ver(0);\n return got - 2; }\n";
    let server = replay_of(&built_by("gcc", "c", "functions", text, &["-g", part.to_str().unwrap()]));
    check(&server, "functions", "functions.c:3", &[("got", "2"), ("(long)fp == (long)ver", "1")]);
}

const COUNTER: &str = "template <class T> struct Counter { static int bump() { static int count = K; count++;
   asm volatile(\"\" ::: \"memory\");
   return count; } };
";

#[test]
fn a_static_of_an_inline_function_is_that_of_the_first_module() {
    for option in ["-O1", "-O2"] {
        let text = format!("{COUNTER}extern \"C\" int use() {{ return Counter<int>::bump(); }}\n");
        let (name, used) = (format!("counts{option}"), format!("counted{option}.so"));
        let used = built_by("clang++", "cc", &used, &text, &["-g", option, "-shared", "-fPIC", "-DK=130"]);
        let text = format!("{COUNTER}extern \"C\" int use();\nint main() {{ return Counter<int>::bump() - use(); }}\n");
        let options = ["-g", option, "-DK=31", used.to_str().unwrap()];
        let server = replay_of(&built_by("clang++", "cc", &name, &text, &options));
        server.run_to("main");
        server.call("rr_breakpoint_set", json!({"location": format!("counted{option}.so.cc:3")}));
        server.call("rr_continue", json!({}));
        assert_eq!(server.evaluate("count"), "33", "{option}");
    }
}

const POLYMORPHIC: &str = "struct Cl { inline static int sd = K; virtual int vf() { return sd; } };\n";

#[test]
fn a_static_member_of_a_class_that_debug_info_leaves_out_is_the_programs() {
    for compiler in ["g++", "clang++"] {
        let text = format!("{POLYMORPHIC}Cl c;\nextern \"C\" int use() {{ return Cl::sd; }}\n");
        let (name, used) = (format!("leaves_out_{compiler}"), format!("left_out_{compiler}.so"));
        let options = [
            "-g",
            "-std=c++17",
            "-shared",
            "-fPIC",
            "-fvisibility=hidden",
            "-Duse=__attribute__((visibility(\"default\")))use",
            "-DK=112",
        ];
        let used = built_by(compiler, "cc", &used, &text, &options);
        let text =
            format!("{POLYMORPHIC}extern \"C\" int use();\nint main() {{ int a = use();\n return a - Cl::sd; }}\n");
        let options = ["-g", "-std=c++17", "-DK=13", used.to_str().unwrap()];
        let server = replay_of(&built_by(compiler, "cc", &name, &text, &options));
        check(&server, compiler, &format!("{name}.cc:4"), &[("Cl::sd", "13"), ("::Cl::sd", "13"), ("a", "112")]);
        let choices = server.call("rr_evaluate", json!({"expression": "Cl::sd"})).to_string();
        assert!(!choices.contains("left_out"), "{compiler}: {choices}");
    }
}

const CLASS: &str = "struct B { virtual ~B(); virtual int id(); int blen = 1; static inline int sb = 5; };\n";

#[test]
fn what_another_library_defines_completes_what_is_declared_and_not_what_is_hidden() {
    let text = format!(
        "{CLASS}B::~B() {{}} int B::id() {{ return ++sb; }}\nstruct op {{ int id; char nm[4]; }};
extern \"C\" op *made() {{ static op o = {{42, {{9}}}}; return &o; }}\n"
    );
    let options = ["-g", "-std=c++17", "-shared", "-fPIC"];
    let defines = built_by("g++", "cc", "key_part.so", &text, &options);
    let text = format!("{CLASS}struct D : B {{ int d = 2; int id() override {{ sb += 100;\n   return d; }} }};
extern \"C\" __attribute__((visibility(\"default\"))) int run() {{ D d; B *p = &d; int r = p->id();\n return r + p->blen; }}\n");
    let options = ["-g", "-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden", defines.to_str().unwrap()];
    let uses = built_by("g++", "cc", "user_part.so", &text, &options);
    let text = "extern \"C\" int run(); struct op; extern \"C\" op *made(); op *h;\nint main() { h = made();\n int r = run();\n return r - 3; }\n";
    let options = ["-g", uses.to_str().unwrap(), defines.to_str().unwrap()];
    let server = replay_of(&built_by("g++", "cc", "key_user", text, &options));
    check(
        &server,
        "opaque",
        "key_user.cc:3",
        &[("h->id", "42"), ("sizeof(*h)", "8"), ("*h", "{id = 42, nm = \"\\t\\000\\000\"}")],
    );
    let own = [("blen", "1"), ("this->blen", "1"), ("sb", "105"), ("B::sb", "105"), ("d", "2")];
    check(&server, "base", "user_part.so.cc:3", &own);
    check(&server, "object", "user_part.so.cc:5", &[("p->blen", "1")]);
}
