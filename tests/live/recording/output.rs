//! What the recorded program prints, with the event of each write.

use crate::support::fixtures::{line, program, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{record, record_with, recording_of};
use serde_json::{Value, json};
use std::path::Path;

fn pieces(output: &Value) -> Vec<(&str, &str)> {
    let pieces = output["result"].as_array().unwrap().iter();
    pieces.map(|piece| (piece["stream"].as_str().unwrap(), piece["text"].as_str().unwrap())).collect()
}

#[test]
fn both_streams_in_the_order_of_time() {
    let server = Server::start();
    server.replay(&recording_of("exit_code", &["word"]).trace);
    let output = server.call("rr_output", json!({}));
    assert_eq!(pieces(&output), [("stdout", "word -\n"), ("stderr", "to stderr\n")]);
    assert_eq!((&output["last"], &output["now"], output.get("truncated")), (&json!(2), &json!(0), None));
    // Each piece leads to the write that made it, and is printed by then.
    let writers = [line("exit_code.c", "print") + 1, line("exit_code.c", "return") - 1];
    for (index, writer) in writers.into_iter().enumerate() {
        let piece = &output["result"][index];
        let event = piece["event"].as_u64().unwrap();
        server.call("rr_run_to_event", json!({"event_number": event}));
        assert_eq!(server.call("rr_when", json!({}))["event"], event);
        assert_eq!(server.call("rr_output", json!({}))["now"], index + 1);
        let frames = server.call("rr_backtrace", json!({}))["result"].clone();
        let main =
            frames.as_array().unwrap().iter().find(|f| f["function"] == "main").unwrap_or_else(|| panic!("{frames}"));
        assert_eq!(main["line"].as_u64(), Some(writer), "{frames}");
    }
    let only = server.call("rr_output", json!({"stream": "stderr"}));
    assert_eq!(pieces(&only), [("stderr", "to stderr\n")]);
    assert_eq!(only["result"][0]["index"], 2);
    let text = server.text("rr_output", json!({"from": 2}));
    let event = &output["result"][1]["event"];
    assert_eq!(text, format!("[2 event {event} stderr] to stderr\nprinted by now: up to 2; the last is 2"));
    server.call("rr_continue", json!({}));
    assert_eq!(server.call("rr_output", json!({}))["now"], 2);
}

#[test]
fn much_output_is_paged() {
    let server = replaying("chatty");
    let (mut from, mut bytes, mut pages) = (1, 0, 0);
    loop {
        let page = server.call("rr_output", json!({"from": from, "count": 1000}));
        let length: usize = pieces(&page).iter().map(|(_, text)| text.len()).sum();
        assert!(length <= 32 * 1024, "{length}");
        (bytes, pages) = (bytes + length, pages + 1);
        let Some(truncated) = page["truncated"].as_str() else { break };
        from = truncated.strip_prefix("for the next pieces: from=").unwrap().parse().unwrap();
    }
    assert_eq!(bytes, 300_000);
    assert!(pages >= 10, "{pages}");
    let few = server.call("rr_output", json!({"count": 2}));
    assert_eq!(few["truncated"], "for the next pieces: from=3");
    // The session has not moved for that.
    assert_eq!(
        server.call("rr_session_list", json!({}))["result"][0]["event"],
        server.call("rr_when", json!({}))["event"]
    );
}

#[test]
fn a_program_that_prints_what_looks_like_a_mark_of_rr_is_quoted() {
    let script = "printf '[rr %d 900000]one\\n' $$; echo two; printf '[rr %d 1]' $$ >&2; printf '[rr '; echo three >&2";
    let trace = record(Path::new("/bin/sh"), &["-c", script], scratch()).trace;
    let server = Server::start();
    let pid = server.replay(&trace)["pid"].clone();
    let output = server.call("rr_output", json!({}));
    let [one, cut] = [format!("[rr {pid} 900000]one\n"), format!("[rr {pid} 1]")];
    let expected =
        [("stdout", one.as_str()), ("stdout", "two\n"), ("stderr", &cut), ("stdout", "[rr "), ("stderr", "three\n")];
    assert_eq!(pieces(&output), expected, "{output}");
    assert_eq!(output.get("truncated"), None, "{output}");
    // What is said of the whole is said of those that were asked for.
    let only = server.call("rr_output", json!({"stream": "stdout"}));
    let indices: Vec<_> = only["result"].as_array().unwrap().iter().map(|piece| piece["index"].clone()).collect();
    assert_eq!((indices, &only["last"], &only["now"]), (vec![json!(1), json!(2), json!(4)], &json!(4), &json!(0)));
    server.call("rr_run_to_event", json!({"event_number": output["result"][2]["event"]}));
    let last_and_now = |arguments: Value| {
        let output = server.call("rr_output", arguments);
        (output["last"].as_u64().unwrap(), output["now"].as_u64().unwrap())
    };
    assert_eq!(last_and_now(json!({"stream": "stdout"})), (4, 2));
    assert_eq!(last_and_now(json!({"stream": "stderr", "from": 5})), (5, 3));
    assert_eq!(last_and_now(json!({})), (5, 3));
}

#[test]
fn output_is_read_in_the_background() {
    let server = replaying("chatty");
    let begun = server.call("rr_output", json!({"count": 1, "background": true}));
    assert_eq!((&begun["job"], &begun["result"]), (&json!("j1"), &json!([])), "{begun}");
    let done = server.call("rr_job_result", json!({"job": "j1", "wait": 60}));
    let first = server.call("rr_output", json!({"count": 1}));
    assert_eq!((&done["state"], &done["result"]), (&json!("done"), &first), "{done}");
}

#[test]
fn what_goes_to_a_pipe_or_file_is_not_called_no_output() {
    let program = program("exit_code");
    let program = program.to_str().unwrap();
    let script = format!("{program} word | cat; {program} two >/dev/null 2>&1; exit 0");
    // With rr's system-call buffer, rr does not tell of each write.
    let trace = record_with(&["-n"], &[], Path::new("/bin/sh"), &["-c", &script], scratch()).trace;
    let server = Server::start();
    let shell = server.replay(&trace)["pid"].clone();
    let open = |command: String| {
        server.call("rr_replay_start", json!({"trace_dir": trace, "command": command}))["pid"].clone()
    };
    // The shell itself prints nothing, the others do.
    let output = server.call("rr_output", json!({}));
    assert_eq!((pieces(&output), output.get("unseen")), (vec![], None));
    let note = output["notes"][0].as_str().unwrap().to_owned();
    assert!(note.starts_with("other processes print (") && note.ends_with("): all_processes=true"), "{note}");
    assert!(!note.contains(&shell.to_string()), "{note}");
    assert_eq!(server.text("rr_output", json!({})), format!("no output that can be shown\nnote: {note}"));
    // To the pipe, and to where the shell's own errors go.
    let piped = open(format!("{program} word"));
    let output = server.call("rr_output", json!({}));
    assert_eq!(pieces(&output), [("stderr", "to stderr\n")]);
    let unseen = output["unseen"].clone();
    let event = unseen[0]["event"].clone();
    let expected =
        json!([{"pid": piped, "stream": "stdout", "writes": 1, "bytes": 7, "event": event, "last_event": event}]);
    assert_eq!(unseen, expected);
    let text = server.text("rr_output", json!({"stream": "stdout"}));
    let said = format!(
        "no output that can be shown\nnot shown: 7 bytes of process {piped}'s stdout, at event {event} (redirected to a \
         pipe or file, which rr does not print again; rr_run_to_event goes to a write, and `x/s $rsi` shows it)"
    );
    assert!(text.starts_with(&said), "{text}");
    server.call("rr_run_to_event", json!({"event_number": event}));
    let shown = server.text("rr_command", json!({"command": "x/s $rsi"}));
    assert!(shown.contains("\"word -\\n"), "{shown}");
    // All of it redirected.
    open(format!("{program} two"));
    let output = server.call("rr_output", json!({}));
    let streams: Vec<_> = output["unseen"].as_array().unwrap().iter().map(|u| (&u["stream"], &u["bytes"])).collect();
    assert_eq!(
        (pieces(&output), streams),
        (vec![], vec![(&json!("stdout"), &json!(6)), (&json!("stderr"), &json!(10))])
    );
    // What cat has written for the first is where the recording's own output goes.
    let all = server.call("rr_output", json!({"all_processes": true}));
    assert_eq!(pieces(&all), [("stderr", "to stderr\n"), ("stdout", "word -\n")]);
    assert_eq!(all["unseen"].as_array().unwrap().len(), 3, "{all}");
    assert!(server.text("rr_output", json!({"all_processes": true, "from": 3})).starts_with("no more output\n"));
}

#[test]
fn what_rr_has_kept_in_its_buffer_is_not_called_no_output_either() {
    let program = program("exit_code");
    let program = program.to_str().unwrap();
    let script = format!("{program} two >/dev/null 2>&1; exit 0");
    let buffer = [("RETROGRADE_SOFT_BUFFER", "1")];
    let trace = record_with(&[], &buffer, Path::new("/bin/sh"), &["-c", &script], scratch()).trace;
    let server = Server::start();
    server.call("rr_replay_start", json!({"trace_dir": trace, "command": format!("{program} two")}));
    let output = server.call("rr_output", json!({}));
    assert_eq!(pieces(&output), []);
    let notes = output["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let is_doubted = notes.into_iter().any(|note| note.starts_with("there may be output that is not seen"));
    let counted = output["unseen"].as_array().map_or(0, Vec::len);
    // Both streams are counted, or there is a word about what is not.
    assert!(is_doubted || counted == 2, "{output}");
}
