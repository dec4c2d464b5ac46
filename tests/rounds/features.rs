//! What rr itself offers for a recording, on recordings made with soft counters.

use crate::catalogue::compile;
use crate::run::{Outcome, run, run_reading};
use crate::support::fixtures::scratch;
use crate::{DEADLINE, retrograde_rr};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::LazyLock;

const OUTPUT: &str = "fork 2\nfork 1\nfork 0\n";

/// A recording of three processes, each started by the one before.
struct Chain {
    trace: PathBuf,
    /// In the order in which they were started.
    processes: [String; 3],
}

static CHAIN: LazyLock<Chain> = LazyLock::new(|| {
    let (program, trace) =
        (compile("chain.c", &["-static", "-O0"], "features-chain"), scratch().join("features.trace"));
    record(&program, &trace);
    let listed = succeed(&["ps", trace.to_str().unwrap()]).output;
    let lines: Vec<Vec<&str>> = listed.lines().map(|line| line.split('\t').collect()).collect();
    let processes = [1, 2, 3].map(|line| lines[line][0].to_owned());
    let expected = [("--", "7", 2), (&processes[0], "6", 1), (&processes[1], "5", 0)];
    for (line, (parent, exit, left)) in lines[1..].iter().zip(expected) {
        assert_eq!(line[1..], [parent, exit, &format!("{} fork {left}", program.display())], "{listed}");
    }
    assert_eq!(lines.len(), 4, "{listed}");
    Chain { trace, processes }
});

fn record(program: &std::path::Path, trace: &std::path::Path) {
    let mut command = retrograde_rr();
    command.arg("record").arg("-o").arg(trace).arg(program).args(["fork", "2"]);
    let recorded = run(&mut command, DEADLINE).expect("it ends");
    assert_eq!((recorded.output.as_str(), recorded.code), (OUTPUT, 7), "{}", recorded.errors);
}

fn succeed(words: &[&str]) -> Outcome {
    let outcome = run(retrograde_rr().args(words), DEADLINE).expect("it ends");
    assert_eq!(outcome.code, 0, "{words:?}: {}", outcome.errors);
    outcome
}

impl Chain {
    fn trace(&self) -> &str {
        self.trace.to_str().unwrap()
    }

    /// Replays with these options and gives GDB these commands; what it answered, line by line, without its prompts.
    fn debug(&self, name: &str, options: &[&str], commands: &str) -> Vec<String> {
        let script = scratch().join(format!("{name}.gdb"));
        fs::write(&script, format!("set pagination off\nset confirm off\n{commands}\n")).unwrap();
        let mut command = retrograde_rr();
        command.args(["replay", "-q"]).args(options).arg(&self.trace);
        let outcome = run_reading(&mut command, Stdio::from(File::open(script).unwrap()), DEADLINE).expect("it ends");
        let lines = outcome.output.lines().map(|line| line.replace("(rr) ", ""));
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        let complaint = ["[FATAL", "Assertion", "diverge"].iter().any(|word| outcome.errors.contains(word));
        assert!(!complaint && !lines.is_empty(), "{}{}", outcome.output, outcome.errors);
        lines
    }
}

/// What follows this word in the lines that begin with it.
fn after<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    lines.iter().filter_map(|line| line.strip_prefix(word)).map(str::trim).collect()
}

#[test]
fn dump_and_traceinfo() {
    let dump = succeed(&["dump", CHAIN.trace()]).output;
    for process in &CHAIN.processes {
        let exits =
            dump.lines().filter(|line| line.contains("event:`EXIT'") && line.contains(&format!("tid:{process},")));
        assert_eq!(exits.count(), 1, "{process}");
    }
    let info = succeed(&["traceinfo", CHAIN.trace()]).output;
    assert!(info.contains("\"ticksSemantics\":\"rcb\""), "{info}");
}

#[test]
fn a_packed_recording_needs_the_program_no_more() {
    let (program, trace) = (scratch().join("features-packed"), scratch().join("packed.trace"));
    fs::copy(compile("chain.c", &["-static", "-O0"], "features-unpacked"), &program).unwrap();
    record(&program, &trace);
    succeed(&["pack", trace.to_str().unwrap()]);
    fs::remove_file(program).unwrap();
    assert_eq!(succeed(&["replay", "-a", trace.to_str().unwrap()]).output, OUTPUT);
}

#[test]
fn a_replay_begins_at_an_event() {
    let process = &CHAIN.processes[0];
    let dump = succeed(&["dump", CHAIN.trace()]).output;
    // When its child has ended.
    let ended = |line: &&str| line.contains("`SYSCALL: wait4' (state:EXITING_SYSCALL)") && line.contains(process);
    let line = dump.lines().rfind(ended);
    let (_, rest) = line.unwrap().split_once("global_time:").unwrap();
    let event = rest.split(',').next().unwrap();
    let commands = "when\npython print('process', gdb.selected_inferior().pid)";
    let lines = CHAIN.debug("event", &["-g", event], commands);
    assert_eq!(after(&lines, "process"), [process], "{lines:?}");
    assert_eq!(after(&lines, "Completed event:"), [event], "{lines:?}");
}

#[test]
fn a_replay_begins_in_a_process_after_its_exec_or_its_fork() {
    let second = CHAIN.processes[1].as_str();
    // Of the same process, its own program and the copy of its parent's.
    let lines = CHAIN.debug("process", &["-p", second], "break main\ncontinue\nprint argv[2]");
    assert!(after(&lines, "$1 =").concat().ends_with(" \"1\""), "{lines:?}");
    let lines = CHAIN.debug("fork", &["-f", second], "frame function main\nprint left");
    assert_eq!(after(&lines, "$1 ="), ["2"], "{lines:?}");
}

#[test]
fn backward_and_to_a_checkpoint_is_where_forward_was() {
    let first = CHAIN.processes[0].as_str();
    let commands = "break chain.c:11\ncontinue\nwhen\nwhen-ticks\nprint $pc\ncheckpoint\nnext\nnext\nreverse-continue\n\
                    when\nwhen-ticks\nprint $pc\nnext\nrestart 1\nwhen\nwhen-ticks\nprint $pc\nreverse-stepi\nstepi\n\
                    when\nwhen-ticks\nprint $pc";
    let lines = CHAIN.debug("backward", &["-p", first], commands);
    for word in ["Completed event:", "Current tick:"] {
        let answers = after(&lines, word);
        assert_eq!(answers, [answers[0]; 4], "{word} {lines:?}");
    }
    let places: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix('$')?.split_once(" = ")).map(|v| v.1).collect();
    assert_eq!(places, [places[0]; 4], "{lines:?}");
}
