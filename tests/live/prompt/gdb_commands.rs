//! GDB's command language: the tool, and the program that reads it from its stdin. That the answers are GDB's is a
//! matter of the differential tests.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{record, recording, rr};
use serde_json::json;
use std::process::{Command, Output};

fn say(server: &Server, lines: &[&str]) -> String {
    server.text("rr_command", json!({"command": lines.join("\n")}))
}

#[test]
fn commands_and_tools_share_a_session() {
    let server = replaying("watch");
    server.call("rr_breakpoint_set", json!({"location": "bump"}));
    let body = line("watch.c", "bump");
    let said = say(&server, &["continue", "print by", "print $ * 2"]);
    let frames = server.call("rr_backtrace", json!({}));
    let expected = [
        "Continuing.".to_owned(),
        String::new(),
        format!("Breakpoint 1, bump (by=4) at {}:{body}", frames["result"][0]["file"].as_str().unwrap()),
        format!("{body}\t    counter += by; /* @bump */"),
        "$1 = 4".to_owned(),
        "$2 = 8".to_owned(),
    ];
    assert_eq!(said, expected.join("\n"));
    assert_eq!(server.evaluate("by"), "4");
    // Where a tool has gone is where the next command is, and the other way round.
    assert_eq!(server.call("rr_continue", json!({}))["line"], body);
    assert_eq!(say(&server, &["p by", "p $1"]), "$3 = 10\n$4 = 4");
    let listed = server.call("rr_breakpoint_list", json!({}));
    assert_eq!(listed["result"][0]["hits"], 2);
    say(&server, &["delete 1", "tbreak local_changes"]);
    let listed = server.call("rr_breakpoint_list", json!({}));
    assert_eq!((&listed["result"][0]["number"], listed["result"].as_array().unwrap().len()), (&json!(2), 1));
}

#[test]
fn a_line_that_fails_ends_them_behind_what_was_said() {
    let server = replaying("watch");
    let run = |lines: &[&str]| server.fail("rr_command", json!({"command": lines.join("\n")}));
    let left = "not carried out: `p 2`, `bt`";
    assert_eq!(
        run(&["p 1", "p nosuch", "p 2", "# why", "", "bt"]),
        format!("$1 = 1\nNo symbol \"nosuch\" in current context.\nframe 0 has no debug info\n{left}")
    );
    assert_eq!(say(&server, &["p 3"]), "$2 = 3");
    assert!(run(&["set var counter = 3"]).contains("a replay cannot assign"));
    assert!(run(&["jump main"]).starts_with("\"jump\" does not exist here"));
    assert_eq!(run(&["commands 1"]), "No breakpoint number 1.");
    assert_eq!(run(&["brake"]), "Undefined command: \"brake\".  Try \"help\".  Nearest: \"break\".");
    assert_eq!(say(&server, &["quit"]), "note: quit does not close a session: rr_replay_stop does");
    assert_eq!(say(&server, &["# nothing"]), "(no output)");
    let long = server.call("rr_command", json!({"command": "x/20000xb main"}));
    assert_eq!(long["output"].as_str().unwrap().len(), 40_000);
    assert!(long["truncated"].as_str().unwrap().starts_with("only the first 40000 bytes are shown"));
}

#[test]
fn commands_of_a_breakpoint_are_carried_out_when_it_stops() {
    let server = replaying("watch");
    let told =
        say(&server, &["break bump", "commands", "silent", "printf \"by %d\\n\", by", "continue", "end", "continue"]);
    let lines: Vec<&str> = told.lines().skip(1).filter(|line| !line.is_empty()).collect();
    let expected =
        ["Continuing.", "by 4", "Continuing.", "by 10", "Continuing.", "Program received signal SIGKILL, Killed."];
    assert_eq!(lines.get(..6), Some(&expected[..]), "{told}");
}

#[test]
fn steps_do_not_depend_on_what_is_to_happen_at_signals() {
    let server = replaying("watch");
    say(&server, &["break bump", "continue"]);
    let stepped = say(&server, &["stepi", "p $pc == (char *)bump"]);
    say(&server, &["reverse-stepi"]);
    let table = say(&server, &["handle all nostop noprint"]);
    assert!(table.contains("SIGUSR1") && !table.contains("SIGINT") && !table.contains("SIGTRAP"), "{table}");
    assert!(say(&server, &["info signals SIGTRAP"]).contains("SIGTRAP       Yes\tYes"));
    assert_eq!(say(&server, &["stepi", "p $pc == (char *)bump"]).replace("$2", "$1"), stepped);
    say(&server, &["reverse-stepi"]);
    let table = say(&server, &["handle SIGTRAP SIGINT SIGKILL nostop noprint"]);
    assert!(table.contains("SIGTRAP       No\tNo"), "{table}");
    assert_eq!(say(&server, &["stepi", "p $pc == (char *)bump"]).replace("$3", "$1"), stepped);
    let next = say(&server, &["continue"]);
    assert!(next.contains("Breakpoint 1, bump (by=10)"), "{next}");
}

#[test]
fn the_end_is_told_as_it_was() {
    let server = replaying("crash");
    let said = say(&server, &["continue", "continue", "continue"]);
    assert!(said.contains("Program received signal SIGSEGV, Segmentation fault."), "{said}");
    let end = "Program terminated with signal SIGSEGV, Segmentation fault.\nThe program no longer exists.";
    assert!(said.ends_with(end), "{said}");
    assert_eq!(server.fail("rr_command", json!({"command": "bt"})), "No stack.");
    // From the end one can go back.
    let said = say(&server, &["watch middle.next", "reverse-continue", "up"]);
    assert!(said.contains("Hardware watchpoint 1: middle.next"), "{said}");

    let server = replaying("exit_code");
    let said = say(&server, &["continue", "continue", "p $_exitcode"]);
    let code = recording("exit_code").exit_code;
    assert!(
        said.contains(&format!("exited with code {code:02o}]\n")) && said.ends_with(&format!(" = {code}")),
        "{said}"
    );
}

fn gdb(fixture: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.arg("gdb").arg(recording(fixture).trace).args(words).env("RETROGRADE_RR", rr().program());
    command.stdin(std::process::Stdio::null()).output().unwrap()
}

#[test]
fn the_program_prints_what_the_recorded_one_printed() {
    let output = gdb("threads", &["-batch", "-ex", "print 1", "-ex", "print nosuch", "-ex", "print 2"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("$1 = 1\n$2 = 2\n"), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "No symbol \"nosuch\" in current context.\n");

    let loud = gdb("chatty", &["--batch", "--ex", "continue"]);
    assert_eq!(loud.status.code(), Some(0), "{loud:?}");
    let quiet = gdb("chatty", &["--quiet", "--batch", "--ex", "continue"]);
    let count = |output: &Output| output.stdout.iter().filter(|byte| **byte == b'x').count();
    assert_eq!(count(&loud) - count(&quiet), 30 * 9999);
    assert_eq!(gdb("threads", &["--paint"]).status.code(), Some(1));
}

/// Strings of the program stay in their line, and wide and other characters are what they are.
#[test]
fn no_string_that_is_printed_looks_like_a_line_of_the_answer() {
    const SOURCE: &str = "#include <wchar.h>\n\
                          char text[] = \"one\\nBreakpoint 9, main ()\\n\\342\\202\\254\";\n\
                          wchar_t *wide = L\"wide\\n\\u20ac\";\n\
                          void stop(char *what) { (void)what; }\n\
                          int main(void) { stop(text); return wide == 0; }\n";
    let at = scratch().join("printed");
    std::fs::write(at.with_extension("c"), SOURCE).unwrap();
    let built = Command::new("gcc").args(["-g", "-O0"]).arg(at.with_extension("c")).arg("-o").arg(&at).status();
    assert!(built.unwrap().success());
    let server = Server::start();
    server.replay(&record(&at, &[], scratch()).trace);
    server.run_to("main");
    let text = "one\\nBreakpoint 9, main ()\\n€";
    assert_eq!(say(&server, &["printf \"%s|\\n\", text", "printf \"%ls\\n\", wide"]), format!("{text}|\nwide\\n€"));
    let answer = say(&server, &["dprintf stop,\"in %s|\\n\",what", "continue"]);
    assert!(answer.lines().any(|line| line == format!("in {text}|")), "{answer}");
    assert!(!answer.lines().any(|line| line.starts_with("Breakpoint 9")), "{answer}");
    // Logs and lists say what the user wrote, and the values as logs have them.
    let log = server.call("rr_log", json!({}));
    let logged = log["result"][0]["text"].as_str().unwrap();
    assert!(logged.starts_with("in ") && logged.ends_with("\"|") && !logged.contains('\u{1f}'), "{logged:?}");
    let written = "printf \"in %s|\\n\",what";
    let list = server.call("rr_breakpoint_list", json!({}));
    let logs: Vec<_> = list["result"].as_array().unwrap().iter().filter_map(|one| one["log"].as_str()).collect();
    assert_eq!(logs, [written]);
    for tool in ["rr_breakpoint_list", "rr_session_info"] {
        let shown = server.text(tool, json!({}));
        assert!(!shown.contains("\\u{1f}") && !shown.contains('\u{1f}'), "{tool}: {shown}");
    }
    assert!(server.text("rr_breakpoint_list", json!({})).contains(&format!("logs {written:?}")));
}

#[test]
fn commands_that_carry_out_each_other_twice_come_to_an_end() {
    let server = Server::start_with(&[("RR_MCP_TIMEOUT_EVAL", "2")]);
    server.replay(&recording("stepping").trace);
    let twice = (1..60).map(|n| format!("define y{n}\ny{0}\ny{0}\nend\n", n - 1)).collect::<String>();
    let script = format!("define y0\nset $q=1\nend\n{twice}y59");
    let failure = server.fail("rr_command", json!({"command": script}));
    assert!(failure.ends_with("The commands have not ended after 2 s."), "{failure}");
    // The session is as it was.
    assert_eq!(server.text("rr_command", json!({"command": "print $q"})), "$1 = 1");
}
