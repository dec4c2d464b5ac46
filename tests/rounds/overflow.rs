//! The overflow of a counter looks like a signal in all that a tracer can do with it.

use crate::DEADLINE;
use crate::catalogue::compile;
use crate::run::run;
use std::process::Command;

/// rr seldom does so: a signal must be there that had to wait.
#[test]
fn a_thread_goes_on_from_an_overflow_with_a_signal() {
    let program = compile("overflowing.c", &["-rdynamic"], "overflowing");
    let object = softcounters::install().expect("the object can be installed");
    let mut command = Command::new(program);
    command
        .envs(softcounters::environment(&object, None))
        .env("RETROGRADE_SOFT_LATE", "most")
        .env("RETROGRADE_SOFT_LOG", "1");
    let outcome = run(&mut command, DEADLINE).expect("it ends");
    assert_eq!((outcome.output.as_str(), outcome.code), ("", 0), "{}", outcome.errors);
    assert_eq!(outcome.errors.matches("follows an overflow").count(), 6, "{}", outcome.errors);
}
