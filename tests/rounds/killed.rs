//! Processes that are killed from outside, at any instruction: what they did last must replay, too.

use crate::catalogue::compile;
use crate::run::run;
use crate::support::fixtures::scratch;
use crate::{DEADLINE, retrograde_rr, sound};
use std::process::Command;

#[test]
fn processes_killed_wherever_they_are() {
    let (program, trace) = (compile("killed.c", &["-static"], "killed"), scratch().join("killed.trace"));
    let fifo = scratch().join("killed.fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut killer = Command::new(&program).arg("killer").arg(&fifo).spawn().unwrap();
    let mut command = retrograde_rr();
    command.arg("record").arg("-o").arg(&trace).arg(&program).arg(&fifo);
    let recorded = run(&mut command, DEADLINE);
    // It has ended by itself, unless the recording failed before the program opened the other end.
    let _ = killer.kill();
    killer.wait().unwrap();
    let recorded = recorded.expect("it ends");
    sound("recording", &recorded).unwrap();
    assert_eq!((recorded.output.as_str(), recorded.code), ("300 killed\n", 0), "{}", recorded.errors);
    let replayed = run(retrograde_rr().args(["replay", "-a"]).arg(&trace), DEADLINE).expect("it ends");
    sound("replay", &replayed).unwrap();
    assert_eq!((replayed.output.as_str(), replayed.code), ("300 killed\n", 0), "{}", replayed.errors);
}
