//! Files of commands that `retrograde gdb` carries out before the first line.

use crate::support::recordings::{recording, rr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is printed on stdout and stderr, for a user with this home, in a directory.
fn printed(home: &Path, directory: &Path, words: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.arg("gdb").arg(recording("stepping").trace).args(["--quiet", "--batch"]).args(words);
    command.env("RETROGRADE_RR", rr().program()).env("HOME", home).env_remove("XDG_CONFIG_HOME");
    let output = command.current_dir(directory).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn the_users_files_are_carried_out_and_those_of_the_current_directory_are_not() {
    let place = tempfile::tempdir().unwrap();
    let (home, program) = (place.path().join("home"), place.path().join("program"));
    write(&program.join(".gdbinit"), "echo of a stranger\\n\nset listsize 1\n");
    write(&program.join("retrograde/init"), "echo of a stranger\\n\n");
    let gdb = "# GDB's\nset history save on\nset listsize 7\npython\nprint('no')\nend\ntui enable\n\
               define answer\nprint 6 * 7\nend\nset print pretty on\n";
    write(&home.join(".gdbinit"), gdb);
    write(&home.join(".config/retrograde/init"), "set listsize 5\nalias aa = answer\n");
    let asked = ["--ex", "show listsize", "--ex", "aa", "--ex", "show print pretty"];
    let (out, err) = printed(&home, &program, &asked);
    assert!(!out.contains("stranger"), "{out}");
    assert!(out.contains("by default is 5.\n$1 = 42\n") && out.contains("structures is on."), "{out}");
    assert!(err.contains(".gdbinit: 2 lines of GDB's skipped: `python` (4), `tui enable` (7); -nx"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    let (out, err) = printed(&home, &program, &["-nx", "--ex", "show listsize"]);
    assert!(out.contains("by default is 10."), "{out}");
    assert_eq!(err, "");
}

#[test]
fn they_move_nothing_start_nothing_and_come_to_an_end() {
    let place = tempfile::tempdir().unwrap();
    let (home, program) = (place.path().join("home"), place.path().join("program"));
    write(&program.join("commands"), "echo of a stranger\\n\n");
    let trace = home.join("made");
    let init = home.join(".config/retrograde/init");
    let shell = format!("shell touch {}", trace.display());
    for (line, why) in [
        ("continue", "moves nothing"),
        ("thread apply all stepi", "moves nothing"),
        ("source commands", "reads others by whole paths only"),
        ("set logging enabled on", "writes no files"),
        ("cd /", "changes no directory"),
        (shell.as_str(), "starts no programs"),
        ("source ~/.config/retrograde/init", "nested too deeply"),
        ("define endless\nendless\nend\nendless", "Max user call depth exceeded"),
        ("if 1", "no `end`"),
    ] {
        write(&init, &format!("{line}\n"));
        let (out, err) = printed(&home, &program, &["--ex", "when"]);
        assert!(err.contains("init:") && err.contains(why), "{line}: {err}");
        assert!(out.contains("Completed event: ") && !out.contains("stranger"), "{line}: {out}");
    }
    assert!(!trace.exists() && !program.join("gdb.txt").exists());
    // What has no end is broken off.
    write(&init, "while 1\nend\n");
    let begun = Instant::now();
    let (out, _) = printed(&home, &program, &["--ex", "when"]);
    assert!(out.contains("Completed event: "), "{out}");
    assert!(begun.elapsed() < Duration::from_secs(60));
    // A pipe is not waited for.
    std::fs::remove_file(&init).unwrap();
    assert!(Command::new("mkfifo").arg(&init).status().unwrap().success());
    let (_, err) = printed(&home, &program, &["--ex", "when"]);
    assert!(err.contains("it is not a regular file"), "{err}");
}
