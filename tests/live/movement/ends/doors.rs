//! The same ways back at the prompt and in an editor.

use super::{CALLS, ENDS, journey::marks};
use crate::support::dap::Editor;
use crate::support::fixtures::line;
use crate::support::recordings::{recording_of, rr};
use serde_json::json;
use std::process::{Command, Stdio};

/// The ends that are in the program's own code, each with a call that rr's buffer makes.
fn own() -> impl Iterator<Item = (&'static str, &'static str)> {
    let buffered = CALLS.iter().filter(|call| !matches!(**call, "none" | "open" | "nanosleep" | "futex"));
    ENDS.into_iter().filter(|end| !marks(end).is_empty()).zip(buffered.copied())
}

#[test]
fn the_prompt_goes_back_from_every_end() {
    for (end, call) in own() {
        let trace = recording_of("ends", &[call, end]).trace;
        let steps: Vec<&str> = vec!["reverse-next"; 4];
        let lines = ["continue", "p $pc", "reverse-stepi", "p $pc", "continue", "p $pc"];
        let lines = lines.iter().chain(&steps).chain(&["continue", "p $pc", "watch total", "reverse-continue"]);
        let output = Command::new(env!("CARGO_BIN_EXE_retrograde"))
            .arg("gdb")
            .arg(&trace)
            .args(["--quiet", "--batch"])
            .args(lines.flat_map(|line| ["--ex", line]))
            .env("RETROGRADE_RR", rr().program())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(err, "", "{call}-{end}: {out}");
        let places: Vec<&str> = out.lines().filter(|line| line.starts_with('$')).collect();
        let place = |index: usize| places[index].split_once(" = ").unwrap().1;
        assert_eq!(places.len(), 4, "{call}-{end}: {out}");
        assert!(place(0) != place(1) && place(0) == place(2) && place(0) == place(3), "{call}-{end}: {out}");
        let called = line("ends.c", marks(end).last().unwrap());
        assert!(out.contains(&format!("\n{called}\t")), "{call}-{end} {called}: {out}");
        assert!(out.contains("Old value = 21\nNew value = 15\n"), "{call}-{end}: {out}");
    }
}

#[test]
fn an_editor_steps_back_from_every_end() {
    for (end, call) in own() {
        let trace = recording_of("ends", &[call, end]).trace;
        let mut editor = Editor::attached(&trace, json!({}));
        let at_end = editor.begins();
        assert_eq!(at_end["reason"], "exception", "{call}-{end}: {at_end}");
        let thread = &at_end["threadId"];
        let stack = |editor: &mut Editor| editor.stack(&at_end)[0].clone();
        let first = stack(&mut editor);
        for granularity in ["instruction", "line", "statement"] {
            let back = editor.moves("stepBack", json!({"threadId": thread, "granularity": granularity}));
            assert_eq!(back["reason"], "step", "{call}-{end} {granularity}: {back}");
            let again = editor.moves("continue", json!({"threadId": thread}));
            assert_eq!(again["reason"], "exception", "{call}-{end} {granularity}: {again}");
            let here = stack(&mut editor);
            let same = |name: &str| here[name] == first[name];
            assert!(same("instructionPointerReference") && same("line"), "{call}-{end}: {here} {first}");
        }
        let called = line("ends.c", marks(end).last().unwrap());
        let mut lines = Vec::new();
        for _ in 0..6 {
            let back = editor.moves("stepBack", json!({"threadId": thread}));
            lines.push(editor.place(&back).1);
            if lines.last() == Some(&called) {
                break;
            }
        }
        assert_eq!(lines.last(), Some(&called), "{call}-{end}: {lines:?}");
        editor.leaves();
    }
}
