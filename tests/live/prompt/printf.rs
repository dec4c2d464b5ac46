//! What `printf`, `dprintf` and `x/s` make of values: C's conversions, whatever the types of the arguments.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_by;
use serde_json::json;

const TEXT: &str = "unsigned char byte = 200; signed char letter = -56; short two = -2; unsigned large = 4000000000u;
long most = 0x7fffffffffffffffL; int one = -1; double half = 2.5;
unsigned short wide[4] = {'w', 'i', 'd'}; unsigned wider[3] = {'a', 0x20ac};
void stop(void) { __asm__ volatile(\"\"); }
int main(void) { stop(); return one + (int)half + byte + letter + two + (int)large + (int)most + wide[0] + wider[0] == 0; }
";

const FORMAT: &str = r#""%d %x %u %hd %hhd %zu %llx %08lx %d %d|%5.3d|", byte, letter, two, large, large, one, one, two, most, half, one"#;
const PRINTED: &str =
    "200 ffffffc8 4294967294 10240 0 18446744073709551615 ffffffffffffffff fffffffffffffffe -1 2| -001|";

#[test]
fn integers_are_converted_as_arguments_of_c_are() {
    for compiler in ["gcc", "clang"] {
        let server = replay_of(&built_by(compiler, "c", &format!("converted_{compiler}"), TEXT, &["-g"]));
        let command = |command: String| server.text("rr_command", json!({"command": command}));
        command(format!("dprintf stop,{FORMAT}"));
        server.run_to("main");
        assert_eq!(command(format!("printf {FORMAT}")).trim_end(), PRINTED, "{compiler}");
        let moved = command("break stop".to_owned()) + &command("continue".to_owned());
        assert!(moved.contains(PRINTED), "{compiler}: {moved}");
        for (examined, shown) in [("x/sh &wide", "u\"wid\""), ("x/sw &wider", "U\"a€\"")] {
            let printed = command(examined.to_owned());
            assert!(printed.trim_end().ends_with(&format!(">:\t{shown}")), "{compiler}: {examined}: {printed}");
        }
    }
}
