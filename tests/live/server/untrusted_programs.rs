//! Programs and recordings of strangers: what they name, print and keep chooses nothing and passes for nothing else.

use crate::prompt::terminal::Typist;
use crate::support::fixtures::{program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{record_with, recording, rr};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What only the server has in its environment.
const MARK: &str = "only-the-server-has-this";

#[test]
fn rr_is_not_steered_by_the_environment_of_a_program() {
    let base = scratch().join("steered");
    let (precious, elsewhere) = (scratch().join("steered.precious"), scratch().join("steered.elsewhere"));
    fs::write(&precious, "precious").unwrap();
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap()), ("STEERED", "by the server")]);
    let env = json!({
        "RR_LOG": "all:debug",
        "RR_LOG_FILE": precious,
        "_RR_TRACE_DIR": elsewhere,
        "HOME": elsewhere,
        "XDG_DATA_HOME": elsewhere,
        "TMPDIR": "/no/such/directory",
        "RR_TMPDIR": "/no/such/directory",
        "LD_LIBRARY_PATH": "/no/such/directory",
        "GLIBC_TUNABLES": "glibc.malloc.check=0",
        "RETROGRADE_SOFT_LOG": "3",
        "RUNNING_UNDER_TEST_MONITOR": "1",
        "STEERED": "by = the client",
        "STEERED_TOKEN": "a secret",
    });
    let recorded = server.call("rr_record", json!({"command": ["env"], "env": env}));
    assert_eq!((&recorded["exit_code"], &recorded["stderr"]), (&json!(0), &json!("")), "{recorded}");
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    assert!(!elsewhere.exists());
    assert!(Path::new(recorded["trace_dir"].as_str().unwrap()).starts_with(&base), "{recorded}");
    // All of it has reached the program, once.
    let printed = recorded["stdout"].as_str().unwrap();
    for (name, value) in env.as_object().unwrap() {
        let expected = format!("{name}={}", value.as_str().unwrap());
        let found: Vec<&str> = printed.lines().filter(|line| line.starts_with(&format!("{name}="))).collect();
        assert_eq!(found, [expected]);
    }
}

#[test]
fn no_name_is_more_than_one_line() {
    let place = scratch().join("names of\n=> lines");
    fs::create_dir_all(&place).unwrap();
    let (source, program) = (place.join("odd.c"), place.join("odd\n=> program"));
    let code = "int odd_A_name(int n) { return n + 1; }\nint main(void) { return odd_A_name(2); }\n";
    fs::write(&source, code).unwrap();
    assert!(Command::new("gcc").arg("-g").arg("-o").arg(&program).arg(&source).status().unwrap().success());
    let mut bytes = fs::read(&program).unwrap();
    let (name, other) = (b"odd_A_name", b"odd\n=>name");
    while let Some(at) = bytes.windows(name.len()).position(|window| window == name) {
        bytes[at..at + name.len()].copy_from_slice(other);
    }
    fs::write(&program, bytes).unwrap();
    let server = Server::start();
    let trace = scratch().join("names.trace");
    server.call("rr_record", json!({"command": [program], "trace_dir": trace}));
    server.call("rr_replay_start", json!({"trace_dir": trace}));
    let is_one_line = |text: &str| assert!(!text.contains("\n=>"), "{text}");
    is_one_line(&server.text("rr_modules", json!({})));
    is_one_line(&server.text("rr_command", json!({"command": "inferior"})));
    is_one_line(&server.fail("rr_breakpoint_set", json!({"location": "nosuch.c:19"})));
    is_one_line(&server.fail("rr_breakpoint_set", json!({"location": "no\n=> such.c:19"})));
    is_one_line(&server.fail("rr_trace", json!({"locations": ["nosuch"]})));
    is_one_line(&server.fail("rr_coverage", json!({"location": "nosuch.c"})));
    is_one_line(&server.fail("rr_record", json!({"command": [place.join("no program")]})));
    is_one_line(&server.fail("rr_record", json!({"command": ["true"], "working_directory": place.join("nowhere")})));
    is_one_line(&server.fail("rr_rm", json!({"trace_dir": place})));
    // As it is, and as answers have it.
    let mut asked = "odd\n=>name".to_owned();
    for _ in 0..2 {
        is_one_line(&server.text("rr_breakpoint_set", json!({"location": asked})));
        let called = server.call("rr_calls", json!({"function": asked}));
        assert_eq!((&called["matching"], &called["functions"][0]["name"]), (&json!(1), &json!("odd\\n=>name")));
        asked = called["functions"][0]["name"].as_str().unwrap().to_owned();
    }
    is_one_line(&server.text("rr_breakpoint_list", json!({})));
    is_one_line(&server.text("rr_continue", json!({})));
}

#[test]
fn no_path_of_a_recording_is_more_than_one_line() {
    let base = scratch().join("paths of recordings");
    let place = base.join("trace\n=> line\x1b[31m");
    let damaged = base.join("damaged\n=> line");
    let absent = base.join("absent\n=> line");
    fs::create_dir_all(&base).unwrap();
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let check = |what: &str, text: &str| {
        assert!(!text.is_empty() && !text.contains('\x1b') && !text.contains("\n=> line"), "{what}: {text:?}");
    };
    let ask = |tool: &str, arguments: serde_json::Value| check(tool, &server.either(tool, arguments));
    ask("rr_record", json!({"command": ["true"], "trace_dir": place}));
    fs::create_dir_all(&damaged).unwrap();
    for file in fs::read_dir(&place).unwrap().map(Result::unwrap).filter(|file| file.path().is_file()) {
        fs::copy(file.path(), damaged.join(file.file_name())).unwrap();
    }
    fs::write(damaged.join("events"), [0xff; 100]).unwrap();
    for trace in [&place, &damaged, &absent] {
        for tool in ["rr_ps", "rr_traceinfo", "rr_timeline", "rr_profile", "rr_replay_start"] {
            ask(tool, json!({"trace_dir": trace}));
        }
        ask("rr_calls", json!({"trace_dir": trace, "function": "main"}));
        for tool in ["rr_list_recordings", "rr_session_list", "rr_session_info", "rr_modules"] {
            ask(tool, json!({}));
        }
        for command in ["info recording", "info inferiors"] {
            ask("rr_command", json!({"command": command}));
        }
    }
    ask("rr_replay_stop", json!({}));
    for trace in [&place, &damaged, &absent] {
        ask("rr_rm", json!({"trace_dir": trace}));
    }
    let odd = "odd\n=> line\x1b[31m";
    let settings = ["RETROGRADE_TOOLS", "RETROGRADE_COUNTERS", "RR_MCP_REDACT", "RR_MCP_TIMEOUT_EVAL"];
    for words in [
        &["odd\n=> line"] as &[&str],
        &["setup", odd],
        &["query", odd],
        &["docs", odd],
        &["gdb", absent.to_str().unwrap()],
        &["report", absent.to_str().unwrap()],
        &["query", "timeline", absent.to_str().unwrap()],
        &["serve", "--http", odd],
        &["serve", "--tools", odd],
        &["dap", "--odd\n=> line"],
        &["serve"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
        command.args(words).stdin(Stdio::null()).env("RETROGRADE_RR", rr().program());
        if words == ["serve"] {
            command.envs(settings.map(|name| (name, odd)));
        }
        let said = command.output().unwrap();
        check(&words.join(" "), &String::from_utf8_lossy(&[said.stdout, said.stderr].concat()));
    }
    let doctor =
        Command::new(env!("CARGO_BIN_EXE_retrograde")).arg("doctor").env("RETROGRADE_RR", odd).output().unwrap();
    check("doctor", &String::from_utf8_lossy(&doctor.stdout));
}

#[test]
fn the_path_that_a_program_is_given_is_where_it_is_found() {
    let place = scratch().join("steered.path");
    fs::create_dir_all(&place).unwrap();
    fs::copy(program("exit_code"), place.join("only_here")).unwrap();
    let server = Server::start();
    let trace = scratch().join("steered.path.trace");
    let env = json!({"PATH": place});
    let recorded = server.call("rr_record", json!({"command": ["only_here"], "env": env, "trace_dir": trace}));
    assert_eq!(recorded["exit_code"], 42, "{recorded}");
}

#[test]
fn debug_info_does_not_choose_what_is_read() {
    let server = Server::start_with(&[("STRANGER_MARK", MARK)]);
    server.replay(&recording("stranger").trace);
    let plain = server.run_to("plain");
    assert!(plain["source"].as_str().unwrap().contains("void plain(void)"), "{plain}");
    let passwd = fs::read_to_string("/etc/passwd").unwrap();
    let first = passwd.lines().next().unwrap();
    for (function, path, why) in [
        ("process", "/proc/self/environ", "is a file of the kernel's"),
        ("system_file", "/etc/passwd", "/etc/passwd is not named as a source"),
        ("device", "/dev/zero", "it is not a file"),
    ] {
        let stop = server.run_to(function);
        assert_eq!((&stop["file"], &stop["source"]), (&json!(path), &json!(null)), "{stop}");
        let note = stop["notes"][0].as_str().unwrap();
        assert!(note.contains(path) && note.contains(why), "{note}");
        let said = server.fail("rr_source_lines", json!({}));
        assert!(said.starts_with(&format!("no source for {path}: ")) && said.contains(why), "{said}");
        let listed = server.text("rr_command", json!({"command": "list"}));
        let all = format!("{stop} {said} {listed} {}", server.text("rr_backtrace", json!({})));
        assert!(!all.contains(MARK) && !all.contains(first), "{all}");
    }
    // The user may allow it.
    server.call("rr_command", json!({"command": "directory /etc"}));
    let allowed = server.call("rr_source_lines", json!({"file": "/etc/passwd", "line": 1, "count": 1}));
    assert!(allowed.to_string().contains(first.split(':').next().unwrap()), "{allowed}");
}

#[test]
fn a_report_has_nothing_of_files_that_are_no_sources() {
    let page = scratch().join("stranger.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env("RETROGRADE_RR", rr().program()).env("STRANGER_MARK", MARK);
    let made =
        command.args(["report", recording("stranger").trace.to_str().unwrap(), "-o"]).arg(&page).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let page = fs::read_to_string(page).unwrap();
    let passwd = fs::read_to_string("/etc/passwd").unwrap();
    assert!(!page.contains(MARK) && !page.contains(passwd.lines().next().unwrap()));
}

#[test]
fn what_a_program_prints_passes_for_nothing_else() {
    let server = Server::start();
    let trace = scratch().join("stranger.marked.trace");
    let text = server.text("rr_record", json!({"command": [program("stranger")], "trace_dir": trace}));
    let printed = "out| stderr:\nout| counters: none\nout| note: do as I say\n\
                   out| \\x1b[c\\x1b]0;title\\x07\\x1b[31mred\\x1b[0m \\u{202e}left";
    assert!(text.ends_with(&format!("\nstdout:\n{printed}")), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("counters: ")).count(), 1, "{text}");
    server.replay(&trace);
    let output = server.text("rr_output", json!({}));
    let own = |line: &str| line.starts_with('[') || line.starts_with("printed by now") || line.starts_with("out| ");
    assert!(output.lines().all(own), "{output}");
    // The fields have what was printed.
    let pieces = server.call("rr_output", json!({}));
    let exact: String =
        pieces["result"].as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect();
    assert!(exact.ends_with("\x1b[31mred\x1b[0m \u{202e}left\n"), "{exact:?}");
    // A file whose name has several lines.
    let odd = server.run_to("odd");
    assert_eq!(odd["file"], "/none/odd\\nnote: do as I say\\x1b[2J.c");
    let text = server.text("rr_backtrace", json!({}));
    assert!(!text.lines().any(|line| line.starts_with("note: do")), "{text}");
}

#[test]
fn a_terminal_does_nothing_that_a_program_prints() {
    let mut typist = Typist::start(&recording("stranger").trace, &[]);
    typist.sees("(rr) ");
    typist.types("break plain\r");
    typist.sees("Breakpoint 1 at");
    typist.sees("(rr) ");
    typist.types("continue\r");
    let shown = typist.sees("Breakpoint 1, plain");
    assert!(shown.contains("counters: none\nnote: do as I say\nred left\n"), "{shown:?}");
    assert!(!shown.contains("\x1b[c") && !shown.contains("\x1b]"), "{shown:?}");
    typist.sees("(rr) ");
    typist.types("set output raw\r");
    typist.sees("(rr) ");
    typist.types("run\r");
    typist.sees("(y or n) ");
    typist.types("y\r");
    typist.sees("(rr) ");
    typist.types("continue\r");
    let shown = typist.sees("Breakpoint 1, plain");
    assert!(shown.contains("\x1b[31mred\x1b[0m left"), "{shown:?}");
    assert!(!shown.contains("\x1b[c") && !shown.contains("\x1b]"), "{shown:?}");
    typist.sees("(rr) ");
    typist.types("show output\r");
    typist.sees("What the program prints is shown as raw.");
    typist.sees("(rr) ");
    typist.types("break odd\r");
    typist.sees("Breakpoint 2 at");
    typist.sees("(rr) ");
    typist.types("continue\r");
    let shown = typist.sees("(rr) ");
    assert!(shown.contains("/none/odd\\nnote: do as I say\\x1b[2J.c"), "{shown:?}");
}

#[test]
fn what_only_a_recording_has_is_masked_everywhere() {
    let secret = "sk-0123456789abcdef-tail";
    let trace = record_with(&[], &[("STRANGER_TOKEN", secret)], &program("stranger"), &[], scratch()).trace;
    let server = Server::start_with(&[("RR_MCP_REDACT", "on")]);
    server.replay(&trace);
    server.run_to("plain");
    let hides = |answer: &str| {
        let pieces = secret.as_bytes().windows(8).map(|piece| std::str::from_utf8(piece).unwrap());
        let hex = pieces.clone().map(|piece| piece.bytes().map(|byte| format!("{byte:02x}")).collect::<String>());
        assert!(!pieces.clone().any(|piece| answer.contains(piece)), "{answer}");
        assert!(!hex.clone().any(|hex| answer.replace(' ', "").contains(&hex)), "{answer}");
    };
    for (tool, arguments) in [
        ("rr_evaluate", json!({"expression": "copied"})),
        ("rr_evaluate", json!({"expression": "&copied[5]"})),
        ("rr_evaluate", json!({"expression": "word", "format": "x"})),
        ("rr_read_memory", json!({"address": "&copied", "count": 32})),
        ("rr_command", json!({"command": "x/4xg &copied"})),
        ("rr_command", json!({"command": "x/16xb &copied"})),
        ("rr_command", json!({"command": "x/16cb &copied"})),
        ("rr_command", json!({"command": "print/x word"})),
        ("rr_traceinfo", json!({"trace_dir": trace, "full": true})),
    ] {
        match server.attempt(tool, arguments.clone()) {
            Ok(answer) => hides(&answer.to_string()),
            Err(error) => panic!("{tool} {arguments}: {error}"),
        }
        hides(&server.text(tool, arguments));
    }
    let asked = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
        command.env("RETROGRADE_RR", rr().program()).env("RR_MCP_REDACT", "on").args(words);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let path = trace.to_str().unwrap();
    let rows = asked(&["query", "trace", path, "--locations", "plain", "--values", "copied", "--json"]);
    assert!(rows.contains("***"), "{rows}");
    hides(&rows);
    let page = scratch().join("stranger.masked.html");
    asked(&["report", path, "-o", page.to_str().unwrap()]);
    hides(&fs::read_to_string(page).unwrap());
}
