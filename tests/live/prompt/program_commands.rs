//! Commands of the prompt that ask about the program, the process and the whole recording.

use crate::support::fixtures::built_by;
use crate::support::mcp::Server;
use crate::support::mcp::debug_directories;
use crate::support::recordings::{record, recording, recording_of, rr};
use serde_json::json;
use std::path::Path;
use std::process::{Command, Stdio};

/// What is printed on stdout and stderr by these commands, in a directory.
fn printed_in(directory: &Path, trace: &Path, lines: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.arg("gdb").arg(trace).args(["-nx", "--quiet", "--batch"]).env("RETROGRADE_RR", rr().program());
    command.args(lines.iter().flat_map(|line| ["--ex", line])).current_dir(directory).envs(debug_directories());
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn printed(trace: &Path, lines: &[&str]) -> (String, String) {
    printed_in(Path::new("/"), trace, lines)
}

/// Returns what stands behind a text.
#[track_caller]
fn behind<'t>(text: &'t str, mark: &str) -> &'t str {
    text.split_once(mark).unwrap_or_else(|| panic!("{mark:?} is not in {text}")).1
}

/// A line without its positions, in full and short.
fn without_positions(line: &str) -> String {
    let is_short = |word: &str| word.strip_prefix('p').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let is_position = |word: &&str| is_short(word) || word.contains("/0x") && word.contains('.');
    let words = line.split(' ').filter(|word| !is_position(word));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn questions_about_the_whole_recording_have_the_answers_of_the_tools() {
    let trace = recording("origin").trace;
    let main = "frame function main";
    let (out, err) =
        printed(&trace, &["continue", main, "origin global_amount", "heap heap", "why reads_file", "print 6 * 7"]);
    assert_eq!(err, "");
    let server = Server::start();
    server.replay(&trace);
    server.call("rr_command", json!({"command": format!("continue\n{main}")}));
    for (tool, parameter, expression) in [
        ("rr_origin", "expression", "global_amount"),
        ("rr_heap", "expression", "heap"),
        ("rr_why", "location", "reads_file"),
    ] {
        let answer = server.text(tool, json!({parameter: expression}));
        // How long it took stands in the first line. The prompt has positions in full.
        let printed: Vec<String> = out.lines().map(without_positions).collect();
        for row in answer.lines().skip(1).map(without_positions) {
            assert!(printed.contains(&row), "{tool}: {row:?} is not in {out}");
        }
        assert!(answer.lines().count() > 1, "{answer}");
        let command = format!("{} {expression}", tool.trim_start_matches("rr_"));
        assert_eq!(server.text("rr_command", json!({"command": command})), answer);
    }
    // Where the session is, nothing has changed.
    assert!(out.ends_with("$1 = 42\n"), "{out}");
    // Several commands at once are for the session's thread: these questions have their own.
    let refused = server.fail("rr_command", json!({"command": "origin global_amount\nprint 1"}));
    assert!(refused.starts_with("\"origin\" does not exist here: rr_origin answers it"), "{refused}");
}

#[test]
fn races_of_a_variable_are_listed() {
    let trace = recording("threads").trace;
    let (out, err) = printed(&trace, &["break main", "continue", "races nosuch", "races"]);
    assert!(err.contains("No symbol \"nosuch\" in current context.") || err.contains("nosuch"), "{err}");
    assert!(err.ends_with("Argument required (expression to compute).\n"), "{err}");
    assert!(!out.contains("race"), "{out}");
}

#[test]
fn the_process_is_described_by_what_the_recording_has() {
    let trace = recording_of("stepping", &["a", "b c"]).trace;
    let (out, err) = printed(&trace, &["starti", "info proc", "show args", "info proc status"]);
    assert!(out.contains("\nProgram stopped.\n0x"), "{out}");
    let facts = behind(&out, "process ");
    assert!(facts.contains("stepping a b c'\n") && facts.contains("\ncwd is unknown") && facts.contains("\nexe = '"));
    assert!(out.ends_with("when it is started is \"a 'b c'\".\n"), "{out}");
    assert!(err.starts_with("\"info proc status\" does not exist here: a recording does not have it"), "{err}");
}

#[test]
fn aliases_stand_for_commands_and_directories_for_files() {
    let trace = recording("stepping").trace;
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("script"), "print 6 * 7\n").unwrap();
    std::fs::write(place.path().join("script.py"), "print(1)\n").unwrap();
    let inside = std::fs::canonicalize(place.path()).unwrap();
    let change = format!("cd {}", inside.display());
    let lines = [
        "pwd",
        &change,
        "source script",
        "alias pp = print -elements 2 --",
        "pp/x 255",
        "alias pp = next",
        "alias n = print",
        "alias q2 = nosuch",
        "complete pp",
        "source script.py",
        "cd nosuch",
    ];
    let (out, err) = printed(&trace, &lines);
    let expected = format!("Working directory /.\nWorking directory {}.\n$1 = 42\n$2 = 0xff\npp\n", inside.display());
    assert!(out.ends_with(&expected), "{out}");
    let errors: Vec<&str> = err.lines().collect();
    assert_eq!(errors[..2], ["Alias already exists: pp", "Alias already exists: n"], "{err}");
    assert!(errors[2].starts_with("Invalid command to alias to: nosuch"), "{err}");
    assert!(errors[3].starts_with("script.py: Python scripts are not supported"), "{err}");
    assert!(errors[4].starts_with("nosuch: "), "{err}");
    assert_eq!(errors.len(), 5, "{err}");
}

#[test]
fn registers_have_groups() {
    let trace = recording("stepping").trace;
    let (out, err) =
        printed(&trace, &["info float", "echo --\\n", "info vector", "echo --\\n", "info registers float"]);
    assert_eq!(err, "");
    let parts: Vec<&str> = out.split("--\n").collect();
    assert!(parts[0].contains("\nst0 ") && parts[0].contains("\nfctrl ") && !parts[0].contains("rax"), "{out}");
    assert!(parts[1].contains("xmm15 ") && parts[1].contains("mxcsr ") && !parts[1].contains("st0"), "{out}");
    assert!(parts[2].starts_with("st0 "), "{out}");
}

#[test]
fn one_value_may_be_shown_in_its_own_way() {
    let trace = recording("exceptions").trace;
    let lines = [
        "catch throw",
        "continue",
        "print $_exception",
        "continue",
        "continue",
        "continue",
        "print $_exception",
        "print -pretty on -- $_exception",
        "print $_exception",
        "print $_siginfo.si_signo",
        "next",
        "print $_exception",
        "print -vtbl on -- 1",
    ];
    let (out, err) = printed(&trace, &lines);
    assert!(out.contains("$1 = 42\n"), "{out}");
    assert!(out.contains("$2 = {force = 9}\n$3 = {\n  force = 9\n}\n$4 = {force = 9}\n$5 = 5\n"), "{out}");
    assert!(out.contains("\n$_exception is void: it is known at a stop of `catch throw`"), "{out}");
    assert!(err.starts_with("\"-vtbl\" does not exist here: print takes -pretty"), "{err}");
}

/// A class of two bases with virtual functions, and a template that has another one for a member.
const OBJECTS: &str = r"
#include <string>
#include <vector>
struct Left { virtual ~Left() {} virtual int left() { return 1; } int l = 1; };
struct Right { virtual int right() { return 2; } int r = 2; };
struct Both : Left, Right { int right() override { return 3; } int b = 3; };
struct Plain { int x = 1; };
struct Shared { virtual int shared() { return 4; } int s = 4; };
struct Further : virtual Shared { int shared() override { return 5; } virtual int further() { return 6; } };
struct Names { std::vector<std::string> names; int count(const std::vector<std::string> &other) { return other.size(); } };
int main() {
    Both both; Right *right = &both; Plain plain; Names names; Further further, *reached = &further;
    names.names.push_back(std::string(right->right(), 'x'));
    return names.count(names.names) + plain.x - 2 + reached->further() - 6; // @here
}
";

#[test]
fn objects_show_their_virtual_functions_and_templates_short_names() {
    let program = built_by("g++", "cpp", "virtual_objects", OBJECTS, &["-g", "-O0"]);
    let trace = record(&program, &[], program.parent().unwrap()).trace;
    let here = OBJECTS.lines().position(|line| line.contains("@here")).unwrap() + 1;
    let stop = format!("break {here}");
    let lines = [
        stop.as_str(),
        "continue",
        "info vtbl both",
        "echo --\\n",
        "info vtbl right",
        "echo --\\n",
        "info vtbl reached",
        "echo --\\n",
        "info vtbl plain",
        "ptype names",
        "ptype/r names",
        "complete print sizeof(struct Pla",
        "complete print sizeof(Pla",
    ];
    let (out, err) = printed(&trace, &lines);
    assert_eq!(err, "");
    let parts: Vec<&str> = behind(&out, "vtable for 'Both' @ ").split("--\n").collect();
    assert!(parts[0].contains("[2]: 0x") && parts[0].contains(" <Left::left()>\n"), "{out}");
    assert!(parts[0].contains("\nvtable for 'Right' @ 0x"), "{out}");
    assert!(parts[1].starts_with("vtable for 'Right' @ 0x") && parts[1].contains("Both::right()"), "{out}");
    assert_eq!(parts[1].matches("]: 0x").count(), 1, "{out}");
    // That of a virtual base is where the table of the object says.
    assert!(parts[2].starts_with("vtable for 'Further' @ 0x"), "{out}");
    assert!(
        parts[2].contains("\nvtable for 'Shared' @ 0x") && parts[2].contains(" <virtual thunk to Further::shared()>"),
        "{out}"
    );
    let rest = parts[3];
    assert!(rest.starts_with("This object does not have a virtual function table\ntype = struct Names {\n"), "{out}");
    assert!(rest.contains("\n    std::vector<std::string> names;\n"), "{out}");
    assert!(rest.contains("count(const std::vector<std::string> &);"), "{out}");
    assert!(rest.contains("std::allocator<char> > >"), "{out}");
    assert!(rest.ends_with("\nprint sizeof(struct Plain\nprint sizeof(Plain\n"), "{out}");
}

#[test]
fn help_has_an_example() {
    let trace = recording("stepping").trace;
    let (out, _) = printed(&trace, &["help x", "help info locals"]);
    assert!(out.contains("\nExample: x/8xb &value\n"), "{out}");
    // What is said of the line stays short.
    assert!(out.lines().all(|text| text.len() < 240), "{out}");
}
