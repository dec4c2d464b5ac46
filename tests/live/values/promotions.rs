//! What C and C++ promote operands to: the program itself computes the same.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_by;
use serde_json::json;

/// Of both languages.
const COMPUTED: [&str; 20] = [
    "s.deep - 8",
    "-s.deep",
    "~s.deep < 0",
    "s.full - s.one - 3",
    "~s.full / 2",
    "-s.half",
    "s.wide - 1",
    "s.few - 5 < 0",
    "s.kind - 5 < 0",
    "(one ? s.deep : s.few) - 8",
    "(one ? s.kind : kind) - 3",
    "sizeof(one ? small : wider)",
    "sizeof(one ? small : small)",
    "sizeof(one ? s.few : 1ul)",
    "minus < B",
    "minus - B < 0",
    "kind - 5 < 0",
    "sizeof(B)",
    "sizeof('a') + sizeof 'b'",
    "(one ? minus : 1u) > 0",
];
/// Of C++ alone.
const OF_CXX: [&str; 5] =
    ["int(half)", "(int(half) + 1)", "unsigned(minus) > 0", "one and not (minus bitand 1)", "sizeof(short(1))"];

fn program(computed: &[&str]) -> String {
    let values: Vec<String> = computed.iter().map(|expression| format!("(long)({expression})")).collect();
    format!(
        "enum kind {{ A = 3, B = 4 }};
struct fields {{ unsigned long deep : 3, full : 32; unsigned long long half : 31; long wide : 32; unsigned few : 3;
  _Bool one : 1; enum kind kind : 3; }} s = {{ 5, 4000000000u, 7, -2, 4, 1, A }};
enum kind kind = A; int one = 1, minus = -3; char small = 'x'; signed char wider = 'y'; double half = 2.5; long values[{}];
void stop(void) {{}}
int main(void) {{ long computed[] = {{ {} }}; for (unsigned i = 0; i < sizeof values / sizeof *values; i++) values[i] = computed[i];
  stop(); return one + minus + small + wider + (int)half + kind == 0; }}
",
        values.len(),
        values.join(", "),
    )
}

#[test]
fn operands_are_promoted_as_the_program_promotes_them() {
    let both: Vec<&str> = COMPUTED.iter().chain(&OF_CXX).copied().collect();
    for (compiler, extension, computed) in
        [("gcc", "c", &COMPUTED[..]), ("clang", "c", &COMPUTED[..]), ("g++", "cc", &both), ("clang++", "cc", &both)]
    {
        let text = program(computed);
        let text = if extension == "cc" { text.replace("_Bool", "bool") } else { text };
        let what = format!("promotions.{compiler}");
        let program = built_by(compiler, extension, &what, &text, &["-g", "-O0", "-w"]);
        let server = replay_of(&program);
        server.run_to("stop");
        for (i, expression) in computed.iter().enumerate() {
            let value = server.evaluate(&format!("values[{i}]"));
            assert_eq!(server.evaluate(&format!("(long)({expression})")), value, "{what}: {expression}");
            // As rr computes it.
            let hits =
                server.call("rr_trace", json!({"locations": ["stop"], "values": [format!("(long)({expression})")]}));
            assert_eq!(hits["rows"][0]["values"][0]["value"], value.as_str(), "{what}: {expression}: {hits}");
            let condition = format!("(long)({expression}) == {value}");
            let hits = server.call("rr_trace", json!({"locations": ["stop"], "condition": condition}));
            assert_eq!(hits["rows"].as_array().map(Vec::len), Some(1), "{what}: {condition}: {hits}");
        }
        let symbol = server.text("rr_command", json!({"command": "info symbol main"}));
        assert!(symbol.trim_end().ends_with(&format!("of {}", program.display())), "{what}: {symbol}");
    }
}
