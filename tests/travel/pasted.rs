//! Journeys that have failed once, made smaller; and one that is given.

use crate::journey::{Seen, travel};
use crate::moves::read;
use crate::program::Program;
use crate::truth::Truth;

/// Programs, and the moves through their recordings.
const PASTED: &[(&str, &str)] = &[
    // Writes and calls of one tick, alike in all registers.
    ("gcc O2 static c plain:3 last:none end:return", "run:3 back:2 after:3 back run:3 goto:5 rstepi back:3"),
    // A write at the moment of a breakpoint, met by a step backward.
    ("gcc O2 static c pointers:2 last:none end:return", "after:1 rstepi back after:3 rnext"),
    // A fault behind a system call that rr has buffered.
    ("gcc O0 static c plain:1 last:fstat end:read", "end back:3 run:3 rstepi:2 back:2 last"),
    // A breakpoint at the instruction that writes: rr reports the breakpoint only to a step back.
    ("gcc O1 static c++ virtual:1 last:none end:return", "after:298 rstepi:9"),
    ("gcc O2 static c++ exceptions:1 last:none end:return", "run:2 rstep:2"),
    ("gcc O2 dynamic c++ exceptions:3 turns:3 longjmp:2 last:poll end:thread_exit unbuffered", "goto:379 there:8"),
    // From the second instruction of an image back to its first.
    ("gcc O0 dynamic c spawn:3 last:getpid end:return", "there"),
    ("gcc O0 static c arguments:1 last:none end:return", "there"),
    // Back over a system call that rr makes again with the program's own instruction.
    ("gcc O1 dynamic c inlined:5 variadic:3 last:none end:return unbuffered", "event:977 rstep:2"),
];

fn attempt(program: &str, moves: &str) -> Result<(), String> {
    let program: Program = program.parse()?;
    let truth = Truth::find(&program).map_err(|failure| failure.to_string())?;
    if std::env::var_os("RETROGRADE_JOURNEY").is_some() {
        println!("{}\n{:?} {:?}", program.source(), truth.built.executable, truth.built.recording.trace);
        (0..truth.elements.len()).for_each(|index| println!("{}", truth.element(index)));
    }
    let mut seen = Seen::of(&truth).map_err(|failure| failure.to_string())?;
    travel(&truth, &mut seen, &read(moves)).map_err(|(index, failure)| format!("move {index}: {failure}"))
}

#[test]
fn journeys_that_have_failed_once() {
    let failures: Vec<_> = PASTED
        .iter()
        .filter_map(|(program, moves)| Some(format!("{program}: {}", attempt(program, moves).err()?)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Makes the journey of `RETROGRADE_JOURNEY`: a program, `|`, moves.
#[test]
fn one_journey() {
    let Ok(text) = std::env::var("RETROGRADE_JOURNEY") else { return };
    let (program, moves) = text.split_once('|').unwrap_or((&text, ""));
    attempt(program, moves).unwrap_or_else(|failure| panic!("{failure}"));
}
