//! Variables of one name in several units and functions, where debug info does not say plainly whose each is.

use crate::names::whose::{check, replay_of};
use crate::support::fixtures::{built_by, built_from};
use serde_json::json;

const INLINED: &str = "extern int g; void keep(void *);
static int fs(int n) { static int g = 30, lone = 32; g += n; keep(&g); keep(&lone);
 return g; }
int main(void) { int k = fs(1) + g;
 keep(&k);
 return k == 0; }
";
const AROUND_INLINED: &str = "int g = 77, lone = 78;
void keep(void *p) { __asm__ volatile(\"\" : : \"r\"(p) : \"memory\"); }
";

#[test]
fn a_static_of_an_inlined_function_is_no_global() {
    for (name, option) in [("inlined_statics", "-gdwarf-5"), ("inlined_statics4", "-gdwarf-4")] {
        let part = built_by("clang", "c", &format!("{name}_part.o"), AROUND_INLINED, &["-g", "-c"]);
        let options = ["-O2", "-g", option, part.to_str().unwrap()];
        let server = replay_of(&built_by("clang", "c", name, INLINED, &options));
        server.run_to("keep");
        let value = |expression: &str, level: u32| {
            let answer = server.call("rr_evaluate", json!({"expression": expression, "frame_level": level}));
            answer["value"].as_str().unwrap().to_owned()
        };
        let values = ["g", "lone", "fs::g", "::g", "::lone"].map(|text| value(text, 1));
        assert_eq!(values, ["31", "32", "31", "77", "78"], "{name}");
        let in_main = ["g", "lone", "fs::g", "::g"].map(|text| value(text, 2));
        assert_eq!(in_main, ["77", "78", "31", "77"], "{name}");
        check(&server, name, &format!("{name}.c:5"), &[("g", "77"), ("::lone", "78"), ("fs::lone", "32")]);
    }
}

const LIBRARY: &str = "int u = 202;";
const NAMESAKE: &str = "static int u = 103; int *own(void) { return &u; }";
const IMPORTER: &str = "int *own(void); static int s = 2;
int main(void) { int sum = *own();
 { extern int u; extern int s;
  sum += u + s; }
 return sum == 0; }
";

#[test]
fn what_is_imported_is_no_static_of_another_unit() {
    for (name, compiler) in [("importer", "gcc"), ("importer_clang", "clang")] {
        let library = built_from(&format!("{name}_library.so"), LIBRARY, &["-shared", "-fPIC"]);
        let part = built_by(compiler, "c", &format!("{name}_part.o"), NAMESAKE, &["-g", "-c", "-fPIC"]);
        let options = ["-g", "-fPIC", part.to_str().unwrap(), library.to_str().unwrap()];
        let server = replay_of(&built_by(compiler, "c", name, IMPORTER, &options));
        let own = format!("'{name}_part.o.c'::u");
        check(&server, name, &format!("{name}.c:4"), &[("s", "2"), ("::s", "2"), (&own, "103")]);
        let refused = server.fail("rr_evaluate", json!({"expression": "::u"}));
        assert!(refused.starts_with("there is no debug info for `u`; it is at 0x"), "{name}: {refused}");
        if compiler == "gcc" {
            assert_eq!(server.evaluate("u"), "202");
        }
    }
}

const NUMBERED: &str = "template <int N> int tf(int a) { static int ts = N * 100; ts += a; return ts; }
template <class T> T pi = T(3.25);
static int cfun(int a) { return a + 1; }
int main() { int sum = tf<1>(3) + tf<2>(4) + (int)pi<double> + (int)pi<int> + cfun(1);
 return sum == 0; }
";

#[test]
fn a_template_of_numbers_has_statics() {
    for (name, compiler) in [("numbered", "g++"), ("numbered_clang", "clang++")] {
        let server = replay_of(&built_by(compiler, "cc", name, NUMBERED, &["-g"]));
        let expected = [("tf<1>::ts", "103"), ("tf<2>::ts", "204"), ("pi<double>", "3.25"), ("pi<int>", "3")];
        check(&server, name, &format!("{name}.cc:5"), &expected);
    }
}

const LEFT: &str = "static int s = 1; void use(int *p) { (void)p; }
int f(int n) { static int own = 7;
 use(&s);
 { static int s = 5;
  use(&s); }
 use(&s);
 return s + n + own; }
int main(void) { return f(-1); }
";

#[test]
fn a_static_of_a_block_that_may_have_been_left_is_not_taken_for_a_global() {
    let server = replay_of(&built_by("clang", "c", "left_block", LEFT, &["-g"]));
    check(&server, "left", "left_block.c:3", &[("s", "1"), ("own", "7"), ("f::s", "5")]);
    let unclear = "debug info does not say whether the block with the static variable of that name has been left, and a \
                   global has the name, too: write ::NAME for that, or FUNCTION::NAME";
    check(&server, "left", "left_block.c:6", &[("s", unclear), ("own", "7"), ("::s", "1"), ("f::s", "5")]);
    let server = replay_of(&built_by("gcc", "c", "left_block_gcc", LEFT, &["-g"]));
    for (place, value) in [("left_block_gcc.c:3", "1"), ("left_block_gcc.c:5", "5"), ("left_block_gcc.c:6", "1")] {
        check(&server, "left", place, &[("s", value), ("own", "7")]);
    }
}
