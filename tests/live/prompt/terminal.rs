//! `retrograde gdb` as somebody uses it: at a terminal, with questions and Ctrl-C; and in a process that is not the
//! first.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, debug_directories};
use crate::support::recordings::{recording, rr};
use engine::Engine;
use engine::model::{ReplayOptions, Timeouts};
use serde_json::json;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Somebody at a terminal.
pub(crate) struct Typist {
    terminal: File,
    shown: Receiver<Vec<u8>>,
    /// What was shown and not expected yet.
    text: String,
    child: Child,
}

impl Typist {
    pub(crate) fn start(trace: &Path, words: &[&str]) -> Self {
        Self::start_at("dumb", trace, words)
    }

    /// Starts it at a terminal of this kind.
    pub(crate) fn start_at(kind: &str, trace: &Path, words: &[&str]) -> Self {
        let (mut terminal, mut theirs) = (0, 0);
        let none = std::ptr::null_mut();
        // SAFETY: two numbers, which the call fills in; no name, settings or size are asked for.
        let opened = unsafe { libc::openpty(&raw mut terminal, &raw mut theirs, none, none.cast(), none.cast()) };
        assert_eq!(opened, 0);
        // SAFETY: both have just been made and belong to nobody else.
        let (terminal, theirs) = unsafe { (File::from_raw_fd(terminal), OwnedFd::from_raw_fd(theirs)) };
        let mut command = Command::new("setsid");
        command.args(["--ctty", env!("CARGO_BIN_EXE_retrograde"), "gdb", "-nx"]).arg(trace).args(words);
        command.env("RETROGRADE_RR", rr().program()).env("TERM", kind).env("RETROGRADE_GDB_HISTORY", "");
        command.envs(debug_directories());
        let stream = || Stdio::from(theirs.try_clone().unwrap());
        let child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
        let (sender, shown) = channel();
        let mut reader = terminal.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { terminal, shown, text: String::new(), child }
    }

    /// Waits until a text is shown, and gives what was shown before it.
    #[track_caller]
    pub(crate) fn sees(&mut self, wanted: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.text.find(wanted) {
                let before = self.text[..at].replace('\r', "");
                self.text.drain(..at + wanted.len());
                return before;
            }
            match self.shown.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("{wanted:?} was not shown, but {:?}", self.text),
            }
        }
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).unwrap();
    }
}

impl Drop for Typist {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const MAKE_PENDING: &str = "Make breakpoint pending on future shared library load? (y or [n]) ";

#[test]
fn questions_are_answered_cancelled_or_left_open() {
    let mut typist = Typist::start(&recording("lazy_binding").trace, &["--quiet"]);
    typist.sees("(rr) ");
    typist.types("break nosuch\r");
    typist.sees("Function \"nosuch\" not defined.");
    typist.sees(MAKE_PENDING);
    typist.types("perhaps\r");
    typist.sees("Please answer y or n.");
    typist.sees(MAKE_PENDING);
    typist.types("y\r");
    typist.sees("Breakpoint 1 (nosuch) pending.");
    // An empty line means no, and Ctrl-C that there was no question.
    for (answer, then) in [("\r", "(rr) "), (CTRL_C, "Quit"), (CTRL_D, "EOF [assumed N]")] {
        typist.types("tbreak other\r");
        typist.sees(MAKE_PENDING);
        typist.types(answer);
        typist.sees(then);
    }
    typist.types("delete\r");
    typist.sees("Delete all breakpoints? (y or n) ");
    typist.types(CTRL_C);
    typist.sees("Quit");
    typist.types("info breakpoints\r");
    typist.sees("<PENDING>");
    let rest = typist.sees("(rr) ");
    assert!(!rest.contains("other"), "{rest}");
    typist.types("delete\r");
    typist.sees("(y or n) ");
    typist.types(CTRL_D);
    typist.sees("EOF [assumed Y]");
    typist.types("info breakpoints\r");
    typist.sees("No breakpoints or watchpoints.");
    typist.types("quit\r");
    assert!(typist.child.wait().unwrap().success());
}

/// What the program prints on stdout and stderr without a terminal.
fn said(trace: &Path, words: &[&str], lines: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.arg("gdb").arg(trace).args(["-nx", "--quiet", "--batch"]).args(words).env("RETROGRADE_RR", rr().program());
    command.args(lines.iter().flat_map(|line| ["--ex", line])).envs(debug_directories());
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_function_of_a_library_that_is_not_loaded_yet_is_found_through_its_callers() {
    let trace = recording("lazy_binding").trace;
    let lines = ["break atoi", "info breakpoints", "continue", "up", "info breakpoints", "x/i $pc-5"];
    let (out, err) = said(&trace, &[], &lines);
    assert_eq!(err, "");
    let answers: Vec<&str> = out.lines().skip_while(|line| !line.starts_with("Breakpoint 1 at 0x")).collect();
    assert!(answers[2].ends_with(" <atoi@plt>"), "{out}");
    let call = line("lazy_binding.c", "call");
    assert!(out.contains("\nBreakpoint 1, ") && out.contains(&format!("\n{call}\t")), "{out}");
    // libc may have more than one copy.
    let (table, code) = out.trim_end().rsplit_once("\nNum ").unwrap().1.rsplit_once('\n').unwrap();
    assert!(!table.contains("@plt") && table.contains(" <atoi>"), "{table}");
    assert!(code.ends_with("<atoi@plt>"), "{code}");
}

#[test]
fn stubs_have_names() {
    let trace = recording("lazy_binding").trace;
    let lines = [
        "break main",
        "continue",
        "x/i 'atoi@plt'",
        "print &'atoi@plt'",
        "info symbol 'atoi@plt'",
        "disassemble 'atoi@plt'",
        "break *'atoi@plt'",
        "continue",
        "print 'none@plt'",
    ];
    let (out, err) = said(&trace, &[], &lines);
    assert_eq!(err.trim_end(), "No symbol \"none@plt\" in current context.");
    let (_, out) = out.split_once(" <atoi@plt>:\t").unwrap_or_else(|| panic!("{out}"));
    let begins = ["\n$1 = ", "\natoi@plt in section .plt", "\nDump of assembler code for function atoi@plt:\n   0x"];
    assert!(begins.iter().all(|begin| out.contains(begin)), "{out}");
    assert!(out.contains("\nBreakpoint 2, 0x") && out.trim_end().ends_with(" in atoi@plt ()"), "{out}");
}

#[test]
fn a_process_that_executes_a_program_can_be_debugged_from_its_fork() {
    let trace = recording("fork_exec").trace;
    let server = Server::start();
    let processes = server.call("rr_ps", json!({"trace_dir": trace}));
    let pid = processes["result"][2]["pid"].to_string();
    let (execl, child) = (line("fork_exec.c", "execl"), line("fork_exec.c", "exec-child"));
    let (before, within) = (format!("break fork_exec.c:{execl}"), format!("tbreak fork_exec.c:{child}"));
    let lines = [&*before, "continue", "print first", "print argc", "delete", &*within, "continue", "print argc"];
    let (out, _) = said(&trace, &["-f", &pid], &lines);
    assert!(out.contains(&format!("\n{execl}\t")) && out.contains("\n$1 = 5\n$2 = 1\n"), "{out}");
    // By number alone, it begins with what it has executed.
    let (out, _) = said(&trace, &["-p", &pid], &lines);
    assert!(!out.contains("$1 = 5"), "{out}");
}

#[test]
fn whether_a_breakpoint_waits_is_a_setting() {
    let trace = recording("lazy_binding").trace;
    let show = "show breakpoint pending";
    let lines =
        [show, "break nosuch", "set breakpoint pending on", show, "hbreak nosuch", "set breakpoint pending maybe"];
    let (out, err) = said(&trace, &[], &lines);
    let told = |is: &str| format!("Debugger's behavior regarding pending breakpoints is {is}.\n");
    let expected = format!(
        "{}{}Function \"nosuch\" not defined.\nHardware assisted breakpoint 1 (nosuch) pending.\n",
        told("auto"),
        told("on")
    );
    assert!(out.ends_with(&expected), "{out}");
    let asked = format!("Function \"nosuch\" not defined.\n{MAKE_PENDING}[answered N; input not from terminal]\n");
    assert_eq!(err, asked + "\"on\", \"off\" or \"auto\" expected.\n");
    let (_, err) = said(&trace, &[], &["set breakpoint pending off", "break nosuch"]);
    assert_eq!(err, "Function \"nosuch\" not defined.\n");
    // The tool says how it is done there.
    let server = Server::start();
    server.replay(&trace);
    let refused = server.fail("rr_breakpoint_set", json!({"location": "nosuch"}));
    assert!(refused.ends_with("waited for with a pending breakpoint (`pending`: true)"), "{refused}");
}

#[test]
fn what_is_not_here_is_named_as_it_is_done_here() {
    let trace = recording("watch").trace;
    let absent = ["detach", "kill", "dump", "find", "search", "record", "info proc 1", "define", "python", "source"];
    let (_, err) = said(&trace, &[], &absent);
    assert_eq!(err.lines().count(), absent.len(), "{err}");
    assert!(!err.contains("rr_"), "{err}");
    assert!(err.starts_with("\"detach\" does not exist here: `quit` ends the session.\n"), "{err}");
    let server = Server::start();
    server.replay(&trace);
    let detach = server.fail("rr_command", json!({"command": "detach"}));
    assert_eq!(detach, "\"detach\" does not exist here: rr_replay_stop ends the session.");
}

/// The processes of a recording but the first, which is not interesting here.
fn later_processes(trace: &Path) -> Vec<String> {
    let server = Server::start();
    let processes = server.call("rr_ps", json!({"trace_dir": trace}));
    processes["result"].as_array().unwrap()[1..].iter().map(|process| process["pid"].to_string()).collect()
}

#[test]
fn a_run_goes_to_where_the_process_began() {
    let trace = recording("fork_exec").trace;
    for pid in later_processes(&trace) {
        let lines = ["when", "when-ticks", "p $pc", "tbreak exit", "continue", "run", "when", "when-ticks", "p $pc"];
        let (out, err) = said(&trace, &["-p", &pid], &lines);
        assert_eq!(err, "");
        let of = |word: &str| out.lines().filter(|line| line.contains(word)).map(str::to_owned).collect::<Vec<_>>();
        for word in ["Completed event", "Current tick", "(void (*)()) "] {
            let found: Vec<String> =
                of(word).iter().map(|line| line.split_once(['=', ':']).unwrap().1.to_owned()).collect();
            assert!(found.len() == 2 && found[0] == found[1], "{pid}: {out}");
        }
    }
    // The one that has executed begins with `main`.
    let executed = later_processes(&trace).pop().unwrap();
    let (out, _) = said(&trace, &["-p", &executed], &["start", "p argc"]);
    assert!(out.ends_with("= 2\n") && out.contains("Temporary breakpoint 1, main (argc=2"), "{out}");
}

#[test]
fn what_has_happened_meanwhile_is_told_with_the_stop() {
    let (out, _) = said(&recording("exec_self").trace, &[], &["continue"]);
    let (before, after) = out.split_once(" is executing new program: ").unwrap_or_else(|| panic!("{out}"));
    assert!(before.contains("process ") && after.contains("\n\nProgram stopped.\n"), "{out}");
}

#[test]
fn a_tick_of_several_events_is_one_place_from_wherever_it_is_searched() {
    let trace = recording("stepping").trace;
    let (out, _) = said(&trace, &[], &["when"]);
    let first: u64 = out.rsplit_once("event: ").and_then(|(_, event)| event.trim().parse().ok()).unwrap();
    let reached = |event: u64| {
        let (out, _) = said(&trace, &[], &[&format!("run {event}"), "seek-ticks 0", "when", "when-ticks"]);
        out.lines().rev().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let from = [first, first + 1, first + 2].map(reached);
    assert!(from.iter().all(|place| *place == from[0]) && from[0][0] == "Current tick: 0", "{from:?}");
}

#[test]
fn rr_may_take_its_time_on_the_way_to_a_process() {
    let trace = recording("late_child").trace;
    let pid: u32 = later_processes(&trace)[0].parse().unwrap();
    let options = ReplayOptions { trace: Some(trace.clone()), pid: Some(pid) };
    // As long as rr may get no processor time on a machine with other work.
    let limits = Timeouts { startup: Duration::from_secs(10), ..Timeouts::default() };
    let mut engine = Engine::start(rr(), &options, limits).unwrap();
    assert_eq!(engine.pid(), pid);
    assert!(engine.here().unwrap().position.event() > Some(0));
    engine.stop();
    // But not for ever.
    let limits = Timeouts { reach: Duration::from_secs(1), ..Timeouts::default() };
    let error = Engine::start(rr(), &options, limits).err().unwrap().to_string();
    assert!(error.starts_with(&format!("rr replay has not reached process {pid} within 1s")), "{error}");
    let (_, err) = said(&trace, &["-p", &pid.to_string(), "--patience", "1"], &["when"]);
    assert!(err.contains(&format!("rr replay has not reached process {pid} within 1s")), "{err}");

    // At a terminal it is told, and can be cancelled.
    let mut typist = Typist::start(&trace, &["--quiet", "-p", &pid.to_string()]);
    typist.sees(&format!("Replaying up to process {pid}: "));
    typist.types(CTRL_C);
    typist.sees("`rr replay` was cancelled");
    assert!(!typist.child.wait().unwrap().success());
}

#[test]
fn lines_that_belong_together_and_files_of_them() {
    let trace = recording("stepping").trace;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let script = "define tell\nif $argc == 2\nprint $arg0 + $arg1\nelse\nprint $arg0\nend\nend\n\
                  set $i = 0\nwhile 1\nset $i = $i + 1\nif $i == 2\nloop_continue\nend\nif $i > 3\nloop_break\nend\n\
                  tell $i\nend\ntell 40 2\n";
    std::fs::write(path("script"), script).unwrap();
    let source = format!("source {}", path("script"));
    let (out, err) = said(&trace, &[], &[&source]);
    assert_eq!(err, "");
    assert!(out.ends_with("$1 = 1\n$2 = 3\n$3 = 42\n"), "{out}");
    std::fs::write(path("wrong"), "print 1\nif 1\nprint nosuch\nend\nprint 2\n").unwrap();
    let (out, err) = said(&trace, &[], &[&format!("source {}", path("wrong"))]);
    assert!(out.ends_with("$1 = 1\n"), "{out}");
    let place = format!("{}:4: Error in sourced command file:\n", path("wrong"));
    assert_eq!(err, format!("{place}No symbol \"nosuch\" in current context.\n"));

    // What is saved sets the same again.
    let save = format!("save breakpoints {}", path("saved"));
    let lines = ["break add if a == 2", "tbreak twice", "dprintf half,\"half of %g\\n\", x", &save];
    let (_, err) = said(&trace, &[], &lines);
    assert_eq!(err, "");
    let (out, err) = said(&trace, &[], &[&format!("source {}", path("saved")), "continue", "continue", "continue"]);
    assert_eq!(err, "");
    assert!(
        out.contains("Temporary breakpoint 2, twice (n=21)") && out.contains("Breakpoint 1, add (a=2, b=4)"),
        "{out}"
    );
    assert!(out.contains("\nhalf of 5\n"), "{out}");

    // A log has what is said.
    let log = path("log");
    let lines =
        [&format!("set logging file {log}"), "set logging enabled on", "print 6 * 7", "set logging enabled off"];
    let (out, err) = said(&trace, &[], &lines);
    assert_eq!(err, "");
    assert!(out.contains("$1 = 42\n"), "{out}");
    assert!(std::fs::read_to_string(&log).unwrap().starts_with("$1 = 42\n"));
    // An agent's commands write and run nothing.
    let server = Server::start();
    server.replay(&trace);
    server.call("rr_command", json!({"command": "break add"}));
    for command in ["shell true", "!true", "source /etc/hosts", "save breakpoints /tmp/never", "set logging enabled on"]
    {
        let refused = server.fail("rr_command", json!({"command": command}));
        assert!(refused.contains("does not exist here"), "{command}: {refused}");
    }
    assert!(!Path::new("/tmp/never").exists());
}

#[test]
fn a_session_may_begin_at_an_event_or_at_the_end() {
    let trace = recording("stepping").trace;
    let (out, err) = said(&trace, &[], &["when-end", "break main", "continue", "when"]);
    assert_eq!(err, "");
    let after = |out: &str, word: &str| {
        let line = out.lines().rev().find(|line| line.starts_with(word)).unwrap().to_owned();
        line[word.len()..].trim().parse::<u64>().unwrap()
    };
    let (end, main) = (after(&out, "Event at end of recording:"), after(&out, "Completed event:"));
    assert!(main > 0 && main < end, "{out}");
    let event = main.to_string();
    let (out, err) = said(&trace, &["-g", &event], &["when", "break add", "continue", "run", "when", "elapsed-time"]);
    assert_eq!(err, "");
    let times: Vec<&str> = out.lines().filter(|line| line.starts_with("Completed event: ")).collect();
    assert_eq!(times, [format!("Completed event: {event}"), format!("Completed event: {event}")], "{out}");
    assert!(out.contains("Elapsed Time (s): 0.") || out.contains("Elapsed Time (s): "), "{out}");
    let (out, err) = said(&trace, &["--goto-exit"], &["reverse-continue", "when"]);
    assert_eq!(err, "");
    assert!(out.contains("No more reverse-execution history."), "{out}");
}

#[test]
fn stops_are_visited_again_and_signals_are_passed_by_steps() {
    let trace = recording("stepping").trace;
    let lines = ["break add", "continue", "finish", "back", "back", "back", "forward", "forward"];
    let (out, err) = said(&trace, &[], &lines);
    assert_eq!(
        err,
        "Can't go back. No more history entries.\n".repeat(2) + "Can't go forward. No more history entries.\n"
    );
    assert_eq!(out.matches("add (a=2, b=4)").count(), 3, "{out}");
}

#[test]
fn functions_are_stepped_over_if_so_wanted() {
    let trace = recording("stepping").trace;
    let nested = format!("break {}", line("stepping.c", "nested"));
    let (out, err) = said(&trace, &[], &[&nested, "continue", "skip twice", "step", "reverse-step"]);
    assert_eq!(err, "");
    assert!(out.contains("Function twice will be skipped when stepping.\n"), "{out}");
    // Into `add`, whose arguments `twice` computes; and back to the line.
    let (_, steps) = out.split_once("when stepping.\n").unwrap();
    assert!(steps.starts_with("add (a=2, b=4)"), "{out}");
    assert!(steps.lines().last().unwrap().starts_with(&line("stepping.c", "nested").to_string()), "{out}");
}

#[test]
fn what_is_typed_is_completed() {
    let trace = recording("stepping").trace;
    let lines = [
        "break add",
        "continue",
        "complete info sco",
        "complete break tw",
        "complete print su",
        "complete set print p",
    ];
    let (out, err) = said(&trace, &[], &lines);
    assert_eq!(err, "");
    assert!(
        out.contains("\ninfo scope\n") && out.contains("\nbreak twice\n") && out.contains("\nprint sum\n"),
        "{out}"
    );
    assert!(out.ends_with("set print pretty\n"), "{out}");
    let mut typist = Typist::start_at("xterm", &trace, &["--quiet"]);
    typist.sees("(rr) ");
    typist.types("info sco\t");
    typist.sees("info scope");
    typist.types(" twice\r");
    typist.sees("Symbol n is a variable of type int, length 4.");
    typist.types("print nosuhc\r");
    typist.sees("No symbol \"nosuhc\" in current context.");
    typist.types("print totla\r");
    typist.sees("(did you mean `total`?)");
    typist.types("quit\r");
    assert!(typist.child.wait().unwrap().success());
}
