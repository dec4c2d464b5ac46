//! Programs that soft counters do not support are refused, and by name: better no recording than a wrong one.

use crate::catalogue::compile;
use crate::run::{Outcome, run};
use crate::support::fixtures::scratch;
use crate::{DEADLINE, retrograde_rr};
use std::path::Path;
use std::process::Command;

/// The exit code of a wrapper that fails itself, as of `env` and `timeout`.
const FAILED: i32 = 125;

fn native(program: &Path, arguments: &[&str]) -> Outcome {
    run(Command::new(program).args(arguments), DEADLINE).expect("it ends")
}

/// What is said of a program that cannot be recorded, without the number of its thread.
fn refusal(name: &str, program: &Path, arguments: &[&str]) -> String {
    let trace = scratch().join(format!("{name}.trace"));
    let mut command = retrograde_rr();
    command.arg("record").arg("-o").arg(trace).arg(program).args(arguments);
    let outcome = run(&mut command, DEADLINE).expect("it ends");
    assert_eq!(outcome.code, FAILED, "{}{}", outcome.output, outcome.errors);
    assert_eq!(outcome.output, "");
    let line = outcome.errors.lines().find_map(|line| line.strip_prefix("retrograde soft counters: thread "));
    let line = line.unwrap_or_else(|| panic!("{}", outcome.errors));
    line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().to_owned()
}

#[test]
fn a_program_of_32_bit_code() {
    let flags = ["-m32", "-O1", "-nostdlib", "-static", "-fno-pic", "-no-pie", "-fno-stack-protector"];
    let program = compile("thirty_two.c", &flags, "thirty-two");
    let outcome = native(&program, &[]);
    assert_eq!((outcome.output.as_str(), outcome.code), ("hello\n", 3));
    let expected = "runs 32-bit code, which soft counters cannot count; use hardware counters";
    assert_eq!(refusal("thirty-two", &program, &[]), expected);
    assert_eq!(refusal("shell of thirty-two", Path::new("/bin/sh"), &["-c", program.to_str().unwrap()]), expected);
}

#[test]
fn a_program_that_sets_the_trap_flag() {
    let program = compile("trap_flag.c", &["-static"], "trap-flag");
    for way in ["popf", "frame"] {
        assert_eq!(native(&program, &[way]).output, "5 traps\n", "{way}");
        let expected = "sets the trap flag, which soft counters do not support; use hardware counters";
        assert_eq!(refusal(&format!("trap-flag by {way}"), &program, &[way]), expected, "{way}");
    }
}
