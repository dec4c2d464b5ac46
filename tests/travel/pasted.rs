//! Journeys that have failed once, made smaller; and one that is given.

use crate::journey::{Seen, travel};
use crate::moves::read;
use crate::program::Program;
use crate::truth::Truth;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::{Layer, layer::SubscriberExt, util::SubscriberInitExt};

/// Programs, and the moves through their recordings.
const PASTED: &[(&str, &str)] = &[
    // Writes and calls of one tick, alike in all registers.
    ("gcc O2 static c plain:3 last:none end:return", "run:3 back:2 after:3 back run:3 goto:5 rstepi back:3"),
    // A write at the moment of a breakpoint, met by a step backward.
    ("gcc O2 static c pointers:2 last:none end:return", "after:1 rstepi back after:3 rnext"),
    // A fault behind a system call that rr has buffered.
    ("gcc O0 static c plain:1 last:fstat end:read", "end back:3 run:3 rstepi:2 back:2 last"),
    // The step back from behind a write in rr's own code, which was met forward.
    ("gcc O1 dynamic c library:2 pipe:4 branchless:2 altstack:3 last:none end:return", "goto:86 there"),
    // Out of an inlined function that begins where the function does that it is inlined in, past many turns.
    ("clang O2 static c timer:4 last:none end:return", "end back:4 rstepi:7 rfinish rnext:2"),
    // To a signal in a tick of half a million calls, by a position of another session.
    ("clang O2 dynamic c floating:4 last:getpid end:overflow", "after:174"),
    // A breakpoint at the instruction that writes: rr reports the breakpoint only to a step back.
    ("gcc O1 static c++ virtual:1 last:none end:return", "after:298 rstepi:9"),
    ("gcc O2 static c++ exceptions:1 last:none end:return", "run:2 rstep:2"),
    ("gcc O2 dynamic c++ exceptions:3 turns:3 longjmp:2 last:poll end:thread_exit unbuffered", "goto:379 there:8"),
    // From the second instruction of an image back to its first.
    ("gcc O0 dynamic c spawn:3 last:getpid end:return", "there"),
    ("gcc O0 static c arguments:1 last:none end:return", "there"),
    // Back over a system call that rr makes again with the program's own instruction.
    ("gcc O1 dynamic c inlined:5 variadic:3 last:none end:return unbuffered", "event:977 rstep:2"),
    // There and back over a call that rr steps over together with the next instruction: `munmap`, the end of a handler.
    ("clang O1 dynamic c mapped:5 last:none end:return unbuffered", "until run:2 rstepi:5 there:8"),
    ("gcc O1 static c signal:1 last:none end:return", "run:2 there:8"),
    ("gcc O1 static c signal:1 last:none end:return", "run:2 back:1 there:8"),
    // Over calls whose code rr is about to write over.
    ("gcc O0 dynamic c plain:1 last:poll end:bus", "event:980 stepi:3 step:5"),
    // Rounds of a repeated instruction, by list.
    ("gcc O0 static c filled:1 last:none end:return", ""),
    ("gcc O0 static c moved:1 last:none end:return", ""),
    // A step back out of a handler leads to the delivery of its signal.
    ("gcc O0 static c signal:1 last:none end:return", "next:3 rstep:1 rstepi:4"),
    ("gcc O1 static c faults:3 tail:2 last:lseek end:thread", "run:2 rstepi:7"),
    (
        "clang O0 dynamic c++ faults:3 last:fstat end:_exit chaos",
        "run:3 rfinish rstepi:5 back goto:873 next:2 rstep keep once:389 next:1 back rnext:1",
    ),
    // From the event of a signal, sent there by its number.
    ("gcc O1 dynamic c faults:1 last:poll end:term unbuffered", "event:937 back:3"),
    // A condition of a watchpoint, where a step back takes the write back.
    ("gcc O0 static c mapped:4 last:none end:return", "even:971 next:1 rnext:1"),
    ("clang O0 dynamic c signal:3 member:3 last:fstat end:return", "only:427 event:973 back:1 even:955 rstep:3"),
    // A condition that does not hold, at a conditional breakpoint that is hit.
    ("clang O2 dynamic c sort:4 last:recv end:write", "even:18 even:393 after:560 back:6"),
    // The same at a breakpoint.
    (
        "gcc O2 static c++ arguments:5 exceptions:3 line:1 last:none end:read",
        "goto:175 keep even:601 switch switch stepi:9 run:1 there:2",
    ),
    // A conditional hit that was reported where the movement begins.
    ("gcc O1 static c signal:2 last:none end:return", "only:96 even:624 run:1 stepi:1 back:2"),
    // A breakpoint whose hits are ignored, at the moment of a watchpoint that stops.
    ("gcc O2 static c exchanged:1 pointers:5 last:none end:return", "ignore:1 after:865 ignore:3 back:3"),
    // An ignored hit of a watchpoint, looked at again for the sake of another one that has a condition.
    ("gcc O2 static c sort:4 timer:2 sort:5 recursion:1 last:none end:return", "after:869 even:666 ignore:3 back:3"),
    // The last of forty instructions of a tick.
    ("gcc O2 dynamic c tail:4 last:none end:return", "goto:138"),
    // rr takes moments of one tick for each other, and leads a run back forward; or dies of those of the tick before.
    ("clang O1 static c++ tail:1 sort:5 last:fstat end:uncaught", "run:1 rstepi:1 return:2 rstep:1 back:1"),
    (
        "gcc O1 dynamic c++ tail:4 cleanup:5 arguments:4 altstack:5 last:getpid end:trap unbuffered",
        "first:340 next:2 there:11",
    ),
    // A function of rr's library in place of the program's.
    ("clang O2 dynamic c++ turns:3 last:none end:return", "run:1 run there:9"),
    // Half a million calls in one tick.
    ("clang O2 static c plain:1 last:none end:overflow", "end rstepi:2 there:4 rstep rnext rfinish back:2 run:3"),
    // A trap that a step executes.
    ("gcc O0 static c set:5 last:none end:trap", "goto:87 next:3 next:3"),
    // Behind hits that did not count, the selected thread waits for the one whose turn it is.
    ("clang O0 dynamic c fork:4 threads:2 last:yield end:kill", "even:2 end ignore back:2"),
    // In the midst of the return of a handler.
    ("clang O1 static c recursion:2 signal:3 inlined:1 filled:1 last:fstat end:_exit unbuffered", "event:925 there:5"),
    // An event behind a signal's.
    ("clang O0 dynamic c set:5 inlined:2 last:fstat end:ill", "event:998"),
    // The stack has grown long before the call that needs it.
    ("clang O1 static c buffered:4 moved:1 set:2 last:getpid end:overflow", "end back rfinish"),
    // rr takes the third turn of a tick for the second one where it restores a checkpoint.
    ("gcc O1 static c++ tail:4 virtual:1 turns:1 last:none end:return", "only:571 event:884 back:2 last:830"),
    // On the way there, a watchpoint is hit in another thread.
    (
        "gcc O2 dynamic c variadic:5 threads:1 threads:3 last:none end:return",
        "goto:663 rnexti:3 back:2 all run:2 next:2 rnexti:2 until there:11",
    ),
    // All code of a function is inlined, and a busy wait of thousands of turns is part of it.
    (
        "clang O2 static c tail:5 sort:2 timer:2 plain:3 last:clock end:read",
        "even:544 even:362 even:693 only:620 run:3 after:302 rnext:1",
    ),
    // Back out of an inlined function of thousands of turns.
    (
        "gcc O1 dynamic c timer:3 traced:3 contexts:1 recursion:4 last:yield end:read chaos",
        "event:47 run:1 run only:202 step:1 rfinish",
    ),
    // A function of rr's library that calls others, and then jumps to the program's one.
    ("gcc O0 dynamic c library:3 contexts:1 last:none end:return", "only:341 run:1 toggle:752 back:3 there:8"),
    // Back from an `int3` that finds the number of a system call in a register.
    ("gcc O0 dynamic c tail:1 last:read end:trap unbuffered", "end back rstepi"),
    // Over an `mmap` of the dynamic linker, with rr's library loaded and not at work yet.
    ("gcc O0 dynamic c moved:1 last:none end:return", "event:813 rstepi:1 there:4"),
    // To a place that was shown in the midst of half a million calls of one tick.
    ("clang O1 static c contexts:2 last:fstat end:overflow", "end back rnext:2 return:1 return:2 return:3"),
    // Back by running forward, from where the libraries are not loaded yet.
    (
        "gcc O1 dynamic c system:1 tail:5 last:lseek end:_exit",
        "goto:228 run rstepi:11 rfinish stepi:6 rnext:2 step:1 run:3 step rnext:2 back:3 ignore event:682 back:2",
    ),
    // Back to in front of events at which the stack grows, between which nothing is executed.
    (
        "gcc O1 static c buffered:5 floating:1 straight:1 last:getpid end:overflow",
        "after:127 run:1 run:2 until nexti:1 rstepi:8",
    ),
    // Calls in a row, from two depths: what an outer call has shown of the code is not so in an inner one.
    ("gcc O1 dynamic c mutual:1 arguments:3 tail:4 last:none end:return", ""),
    // The returns of calls in a row: a step back from behind one leads to its own.
    (
        "gcc O1 static c++ containers:4 tail:4 arguments:4 last:none end:fpe chaos",
        "after:441 only:163 rnext:3 first:254 there:6",
    ),
    // Back from a system call before it is made; from where no code is.
    ("gcc O0 dynamic c arguments:1 last:clock end:fpe unbuffered", "event:947 rstep:2"),
    ("clang O1 dynamic c arguments:4 last:poll end:jump unbuffered", "end back:1 rstepi:11"),
    // Back from behind the delivery of a trap's signal, by the number of the event.
    ("gcc O0 dynamic c straight:1 last:none end:trap", "event:999 rnext"),
    // From the midst of a linkage table's stub, which has pushed something for the dynamic linker.
    ("clang O1 dynamic c inlined:5 tail:1 branchless:5 last:none end:return", "goto:753 nexti:2 stepi:11 next:3"),
    // The first buffered call of a program is one that rr makes again.
    ("gcc O2 dynamic c mapped:1 last:none end:return", "run rstepi:7 there:4"),
    // A checkpoint that was made while a breakpoint was in hardware: what was set in memory there was passed by.
    ("clang O1 dynamic c copied:4 last:recv end:overflow chaos", "run:1"),
    // From behind a call of rr's own, which only going to an event leads into.
    ("gcc O0 dynamic c mutual:1 last:clock end:return", "event:929 there:8"),
    // A step from the instruction of a breakpoint that was jumped to, which writes: the breakpoint is left.
    ("gcc O1 static c mapped:4 signal:3 last:lseek end:jump", "event:764 there:8"),
    // A step over a system call of rr's ends in the handler of a signal that came within it.
    ("gcc O0 dynamic c member:1 timer:1 last:none end:return", "even:127 after:683 rstep:1 there:7"),
    // From where a tick begins that ends in an overflow, in which rr has stepped back.
    ("clang O2 static c threads:4 last:write end:overflow", "end back rstepi:4 event:831 finish after:37"),
    // To a position that another session has shown, among half a million calls of a tick.
    ("clang O2 static c threads:4 last:write end:overflow", "end back rstepi:3 switch return:4"),
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

/// Makes the journey of `RETROGRADE_JOURNEY`: a program, `|`, moves; with the log that `RETROGRADE_LOG` asks for.
#[test]
fn one_journey() {
    let Ok(text) = std::env::var("RETROGRADE_JOURNEY") else { return };
    if let Some(filter) = std::env::var("RETROGRADE_LOG").ok().and_then(|filter| filter.parse::<Targets>().ok()) {
        let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
        tracing_subscriber::registry().with(log.with_filter(filter)).init();
    }
    let (program, moves) = text.split_once('|').unwrap_or((&text, ""));
    attempt(program, moves).unwrap_or_else(|failure| panic!("{failure}"));
}
