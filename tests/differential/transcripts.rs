//! The command language: GDB and `retrograde gdb` read the same lines, and must print the same text.

use crate::support::fixtures::program;
use crate::support::gdb::replay;
use crate::support::recordings::{recording, rr};
use std::fmt::Write as _;
use std::io::{Read, Write, pipe};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long a debugger may take for a script.
const PATIENCE: Duration = Duration::from_secs(120);

/// Stands between the answers to two lines.
const MARK: &str = "@@@";

/// Has a debugger read a script from its stdin, and gives what it printed, on stdout and stderr in one order.
fn said(mut command: Command, script: &str) -> String {
    let (mut reader, writer) = pipe().unwrap();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().unwrap())
        .stderr(writer)
        .spawn()
        .unwrap_or_else(|e| panic!("the differential tests need gdb (tests/run.sh installs it): {e}"));
    // It has the ends of the pipe that are for writing; the last to go ends the text.
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    let script = script.to_owned();
    std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = reader.read_to_end(&mut text);
        sender.send(String::from_utf8_lossy(&text).into_owned())
    });
    let text = receiver.recv_timeout(PATIENCE);
    let _ = child.kill();
    let _ = child.wait();
    text.unwrap_or_else(|_| panic!("no end of the script after {PATIENCE:?}"))
}

/// The answer to each line.
fn answers(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(MARK).collect();
    // Before the first: what is said at the beginning. After the last: what is said at the end.
    parts.get(1..parts.len() - 1).unwrap_or_default().iter().map(|part| part.trim_matches('\n').to_owned()).collect()
}

/// What GDB says of a server rather than of the program is left out: who evaluates a condition, and that it has heard
/// of a thread.
fn without_remote(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("[New Thread "));
    let lines = lines.map(|line| line.strip_suffix(" (host evals)").unwrap_or(line));
    let lines: Vec<&str> = lines.map(|line| line.strip_suffix(" (target evals)").unwrap_or(line)).collect();
    lines.join("\n")
}

/// Has both carry out the lines on a recording of the fixture, and compares answer by answer.
fn compare(fixture: &str, lines: &[&str]) {
    let trace = recording(fixture).trace;
    let mut script = String::new();
    for line in lines {
        writeln!(script, "echo {MARK}\n{line}").unwrap();
    }
    writeln!(script, "echo {MARK}").unwrap();

    let mut ours = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    ours.args(["gdb", "--quiet"]).arg(&trace).env("RETROGRADE_RR", rr().program());
    let ours = answers(&said(ours, &format!("set confirm off\n{script}")));

    let (mut server, target) = replay(&trace);
    let mut theirs = Command::new("gdb");
    theirs.args(["--nx", "--quiet", "-l", "10000"]).arg(program(fixture));
    let settings = ["set prompt", "set sysroot /", "set debuginfod enabled off", "set width 0", "set confirm off"];
    let before = settings.map(|line| format!("{line}\n")).concat();
    let theirs = said(theirs, &format!("{before}target extended-remote {target}\n{script}kill\n"));
    let _ = server.kill();
    let _ = server.wait();
    // GDB asks for each line that belongs to others, without a terminal, too.
    let asked = |(text, line): (String, &&str)| match line.contains('\n') {
        true => text.trim_start_matches([' ', '>']).to_owned(),
        false => text,
    };
    let theirs = answers(&theirs).iter().map(|text| without_remote(text)).collect::<Vec<_>>();
    let theirs: Vec<String> = theirs.into_iter().zip(lines).map(asked).collect();

    let mut different = String::new();
    for (i, line) in lines.iter().enumerate() {
        let (ours, theirs) = (ours.get(i), theirs.get(i));
        if ours.is_none() || ours != theirs {
            let shown = |text: Option<&String>| text.map_or("(nothing)", String::as_str).to_owned();
            write!(different, "\n{line}\n--- ours\n{}\n--- GDB\n{}\n", shown(ours), shown(theirs)).unwrap();
        }
    }
    assert!(different.is_empty(), "{fixture}:{different}");
}

#[test]
fn movements_and_breakpoints() {
    compare(
        "stepping",
        &[
            "break main",
            "tbreak twice",
            "tbreak twice",
            "break add if a == 2",
            "info breakpoints",
            "continue",
            "next",
            "step",
            "bt",
            "info breakpoints",
            "finish",
            "p $",
            "p $$",
            "info locals",
            "continue",
            "info args",
            "up",
            "down",
            "bt -1",
            "bt full",
            "info frame",
            "frame 1",
            "info frame",
            "reverse-next",
            "reverse-step",
            "reverse-finish",
            "reverse-continue",
            "delete 1",
            "delete 77",
            "condition 4 a == 99",
            "info breakpoints",
            "disable 4",
            "info breakpoints",
            "enable 4",
            "condition 4",
            "ignore 4 1",
            "tbreak half",
            "continue",
            "until",
            "advance 29",
            "stepi",
            "nexti 2",
            "reverse-stepi",
            "clear add",
            "break nosuch",
            "break stepping.c:9999",
            "nosuch",
            "x nosuch",
        ],
    );
}

#[test]
fn values_memory_and_code() {
    compare(
        "stepping",
        &[
            "break add",
            "continue",
            "p a",
            "p/x a + b",
            "p $1 + $2",
            "p $$2",
            "p $",
            "p",
            "p &total",
            "p *&total",
            "p sizeof(int)",
            "p/t 10",
            "p/c 65",
            "p/d 'A'",
            "p half",
            "p nosuch",
            "p 1 +",
            "output a",
            "printf \"%d %5d|%-5d|%05d %x %o %c %s %%\\n\", a, b, a, b, 255, 8, 65, \"text\"",
            "printf \"%f %.2f %e %g\\n\", 1.5, 2.0, 1.5, 0.00001",
            "echo text\\n",
            "set $mine = a * 7",
            "p $mine",
            "p $mine + 1",
            "whatis a",
            "whatis total",
            "ptype add",
            "ptype struct nosuch",
            "x/4xb $sp",
            "x/2dw &total",
            "x/2xg $sp",
            "x/3i $pc",
            "x/s 0",
            "info registers rip rsp eflags",
            "p $rip",
            "p $sp",
            "p/x $eax",
            "disassemble",
            "disassemble /r",
            "disassemble /s",
            "disassemble half",
            "info line",
            "info line 20",
            "info address total",
            "info address main",
            "info source",
            "list",
            "list",
            "list -",
            "list 5,8",
            "list add",
            "list 9999",
            "display a",
            "display/x b",
            "next",
            "undisplay 1",
            "next",
            "info display",
        ],
    );
}

#[test]
fn watchpoints() {
    compare(
        "watch",
        &[
            "break main",
            "continue",
            "watch counter if counter == 15",
            "info watchpoints",
            "continue",
            "condition 2",
            "stepi",
            "reverse-continue",
            "delete 2",
            "watch counter",
            "info watchpoints",
            "reverse-continue",
            "reverse-stepi",
            "continue",
            "reverse-stepi",
            "stepi",
            "reverse-continue",
            "continue",
            "delete",
            "info breakpoints",
            "watch 3",
        ],
    );
}

#[test]
fn inlined_functions() {
    compare(
        "inline_chain",
        &[
            "break innermost",
            "continue",
            "bt 3",
            "info frame",
            "up",
            "info frame",
            "finish",
            "reverse-step",
            "step",
            "bt 1",
            "info frame",
            "info locals",
        ],
    );
}

#[test]
fn signals_and_the_end() {
    compare("crash", &["continue", "bt", "p n", "p *n", "p n->value", "continue", "bt 1"]);
}

#[test]
fn threads() {
    compare(
        "threads",
        &[
            "break adder",
            "continue",
            "info threads",
            "thread",
            "thread 1",
            "bt 1",
            "thread 2",
            "thread apply all bt 1",
            "continue",
        ],
    );
}

#[test]
fn what_is_caught() {
    compare(
        "stepping",
        &[
            "break main",
            "catch syscall write",
            "catch syscall 1 openat",
            "tcatch syscall close",
            "catch signal SIGUSR1",
            "catch signal SIGUSR1 SIGUSR2",
            "catch signal all",
            "tcatch signal SIGINT",
            "catch fork",
            "info breakpoints",
        ],
    );
}

#[test]
fn functions_are_listed_with_what_they_take() {
    compare("stepping", &["info functions -n ^half$", "info functions -q -n ^twice$", "rbreak ^half$"]);
}

#[test]
fn intel_syntax() {
    compare(
        "stepping",
        &[
            "break add",
            "continue",
            "show disassembly-flavor",
            "set disassembly-flavor intel",
            "show disassembly-flavor",
            "disassemble",
            "disassemble /r half",
            "disassemble /s main",
            "x/3i $pc",
            "display/i $pc",
            "stepi",
            "undisplay 1",
            // Large functions of the C library, with what compilers do not use every day.
            "disassemble printf",
            "disassemble malloc",
            "disassemble vfprintf",
            "disassemble strtod",
            "set disassembly-flavor masm",
            "set disassembly-flavor att",
            "x/2i $pc",
        ],
    );
}

#[test]
fn places_of_other_kinds() {
    compare(
        "stepping",
        &[
            "break main",
            "continue",
            "tbreak +2",
            "break -1",
            "hbreak +1",
            "thbreak *add",
            "hbreak *main+4",
            "break -function add",
            "break -line 20",
            "tbreak -source stepping.c -line 21",
            "break +1000",
            "info breakpoints",
            "until +1",
            "advance +1",
            "list +3",
            "list add",
            "list +2",
            "list -4",
            "list 5,+2",
            "stepi",
            "list -",
            "list -",
            "list",
        ],
    );
}

#[test]
fn functions_of_libraries_that_are_not_loaded_yet() {
    compare(
        "lazy_binding",
        &["break atoi", "info breakpoints", "disassemble main", "x/i main+37", "delete", "tbreak nosuch"],
    );
}

#[test]
fn labels() {
    compare(
        "labels",
        &[
            "hbreak *again",
            "hbreak *done",
            "break again",
            "tbreak done",
            "break *again+1",
            "info breakpoints",
            "continue",
            "hbreak *nosuch",
            "until done",
            "whatis main",
            "print main",
        ],
    );
}

#[test]
fn commands_of_ones_own_and_settings_of_printing() {
    compare(
        "stepping",
        &[
            "break add",
            "continue",
            "define pair\nprint $arg0\nprint $argc\nend",
            "pair a b",
            "document pair\nTwo numbers.\nMore.\nend",
            "help pair",
            "set $i = 0",
            "while $i < 3\nif $i == 1\necho one\\n\nelse\nprint $i\nend\nset $i = $i + 1\nend",
            "while 1\nset $i = $i + 1\nif $i > 5\nloop_break\nend\nend",
            "print $i",
            "frame apply all -q print $pc",
            "frame apply level 1 -q info locals",
            "frame apply all -s print a",
            "frame apply -1 -q print 1",
            "show print pretty",
            "show print elements",
            "set print elements 2",
            "print \"abc\"",
            "set print elements 200",
            "skip twice",
            "skip -gfi *.h",
            "skip -rfu ^std",
            "info skip",
            "skip delete 2",
            "skip disable 1",
            "info skip",
            "skip enable 1",
            "find &total, +4, (char)1, (char)2",
        ],
    );
}

#[test]
fn where_members_are() {
    let types = [
        "Parts",
        "Shape",
        "Square",
        "Shared",
        "Members",
        "Empty",
        "Bits",
        "Either",
        "Aligned",
        "Functions",
        "Other",
        "members",
        "renamed",
        "inners",
        "inners[0]",
        "shape",
        "members.e",
        "members.bits",
        "members.fixed",
        "int",
        "loose",
    ];
    let lines: Vec<String> = types.iter().map(|ty| format!("ptype /o {ty}")).collect();
    let more =
        ["break use", "continue", "ptype /oM Parts", "ptype /mo Parts", "ptype Shape", "ptype table", "whatis table"];
    let enums = ["Small", "small_one", "Plain", "Old", "Loose"].map(|name| format!("ptype {name}"));
    let lines: Vec<&str> = more.into_iter().chain(lines.iter().chain(&enums).map(String::as_str)).collect();
    compare("layouts", &lines);
}

#[test]
fn what_objects_really_are() {
    compare(
        "layouts",
        &[
            "break use",
            "continue",
            "print &Square::sides",
            "print &Shape::sides",
            "whatis &Square::sides",
            "print/r square",
            "print/x &Square::sides",
            "print shape",
            "show print object",
            "set print object on",
            "show print object",
            "print *shape",
            "print shape",
            "print other",
            "print square",
            "print/x *shape",
            "print/x shape",
            "print members.c",
            "print &members",
            "whatis shape",
            "whatis other",
            "whatis *shape",
            "whatis n",
            "set print object off",
            "print *shape",
        ],
    );
}

#[test]
fn bit_fields_and_calls_that_are_inlined() {
    compare(
        "layouts",
        &[
            "break use",
            "continue",
            "watch packed.high",
            "continue",
            "continue",
            "print packed",
            "continue",
            "print packed",
            "reverse-continue",
            "print packed",
            "reverse-continue",
            "print packed",
            "delete",
            "break outer if n == 2",
            "break inner if n == 3 && k != 100",
            "continue",
            "print n",
            "bt",
            "continue",
            "print n",
            "bt",
        ],
    );
}

/// GDB calls them, too, going forward.
#[test]
fn conditions_that_call_functions() {
    compare(
        "called",
        &[
            "break add if is_even(a)",
            "continue",
            "print a",
            "continue",
            "print a",
            "delete",
            "break dump if pair_of(1, 2).a == 1 && side_of(box) == 3",
            "continue",
            "bt",
            "whatis count()",
            "ptype pair_of(1, 2)",
        ],
    );
}
