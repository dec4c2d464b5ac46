//! What the plugin's hooks answer to an agent's host: that there is no rr, when a session starts; and that a crash
//! could be debugged backward, after a shell command that crashed.
//!
//! A hook gets one JSON object on standard input and answers with one, or with nothing, which costs nobody anything. It
//! runs after each shell command of somebody else's session, so what it does not understand it passes over.

use serde_json::{Value, json};

/// How much of a command's output is looked at, in bytes, from its end: crashes are told last.
const LOOKED_AT: usize = 256 * 1024;
/// Depth to which an unknown tool response is searched for text.
const DEPTH: u32 = 8;

/// Signals that end programs because of what they did, by number (x86-64 and AArch64 Linux).
const CRASHES: [(i64, &str); 7] =
    [(4, "SIGILL"), (5, "SIGTRAP"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV"), (31, "SIGSYS")];

/// What a crash leaves in the output, and what it is.
const TRACES: [(&str, &str); 14] = [
    ("Segmentation fault", "a segmentation fault"),
    ("SIGSEGV", "a segmentation fault"),
    ("SIGABRT", "an abort"),
    ("(core dumped)", "a crash"),
    ("ERROR: AddressSanitizer", "an AddressSanitizer report"),
    ("WARNING: ThreadSanitizer", "a ThreadSanitizer report"),
    ("WARNING: MemorySanitizer", "a MemorySanitizer report"),
    ("SUMMARY: UndefinedBehaviorSanitizer", "an UndefinedBehaviorSanitizer report"),
    ("stack smashing detected", "a smashed stack"),
    ("double free or corruption", "a damaged heap"),
    ("malloc(): ", "a damaged heap"),
    ("free(): invalid", "a damaged heap"),
    ("terminate called after throwing", "an uncaught exception"),
    ("Assertion `", "a failed assertion"),
];

/// Commands that show texts: what they print has not happened.
const READERS: [&str; 15] =
    ["awk", "bat", "cat", "diff", "echo", "egrep", "fgrep", "find", "git", "grep", "head", "less", "rg", "sed", "tail"];

/// Writes the answer to a hook's input, if there is anything to say. `find_rr` is asked when a session starts.
pub fn answer(input: &str, find_rr: impl FnOnce() -> Result<(), String>) -> Option<String> {
    let input: Value = serde_json::from_str(input).ok()?;
    let event = input.get("hook_event_name")?.as_str()?;
    match event {
        "SessionStart" => {
            let problem = find_rr().err()?;
            let told = format!("retrograde cannot record or replay here: {problem}");
            Some(json!({ "systemMessage": told, "hookSpecificOutput": context(event, &told) }).to_string())
        }
        "PostToolUse" | "PostToolUseFailure" => {
            let command = input.pointer("/tool_input/command").and_then(Value::as_str).unwrap_or_default();
            let crash = if shows_only(command) { None } else { crash(&input) }?;
            let told = format!(
                "This command ended with {crash}. If the cause is not plain from the output, retrograde can record the \
                 program with rr and go back from the crash to its cause: rr_record it, rr_explain, \
                 then rr_watchpoint_set on the bad value and rr_continue with reverse=true. The skill debug-crash and the \
                 agent investigator do this."
            );
            Some(json!({ "hookSpecificOutput": context(event, &told) }).to_string())
        }
        _ => None,
    }
}

fn context(event: &str, told: &str) -> Value {
    json!({ "hookEventName": event, "additionalContext": told })
}

/// Returns whether nothing that this command prints can be a crash that it had, or one that is under rr already.
fn shows_only(command: &str) -> bool {
    let words = command.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')'));
    let names = words.filter(|word| !word.is_empty()).map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut names = names.peekable();
    names.peek().is_some_and(|first| READERS.contains(first))
        || names.any(|name| matches!(name, "rr" | "retrograde" | "gdb"))
}

/// Returns what kind of crash a tool's input tells of.
fn crash(input: &Value) -> Option<String> {
    let mut text = String::new();
    for place in ["error", "tool_response", "tool_output"] {
        if let Some(value) = input.get(place) {
            collect(value, DEPTH, &mut text);
        }
    }
    let code = ["exit_code", "exitCode", "code"].iter().find_map(|name| {
        let response = input.get("tool_response")?;
        response.get(name)?.as_i64()
    });
    let code = code.or_else(|| {
        let (_, rest) = text.split_once("xit code ")?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    });
    let signal = code.and_then(|code| CRASHES.iter().find(|(signal, _)| code == 128 + signal));
    if let Some((signal, name)) = signal {
        return Some(format!("{name} (exit code {})", 128 + signal));
    }
    let start = text.len().saturating_sub(LOOKED_AT);
    let start = (start..text.len()).find(|start| text.is_char_boundary(*start)).unwrap_or(0);
    let seen = text.get(start..)?;
    if rust_panic(seen) {
        return Some("a panic".to_owned());
    }
    TRACES.iter().find(|(trace, _)| seen.contains(trace)).map(|(_, what)| (*what).to_owned())
}

/// Returns whether a text says `thread 'main' panicked at src/main.rs:2:5:`, with or without the thread's number behind
/// its name.
fn rust_panic(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("thread '") && line.contains(" panicked at "))
}

/// Appends all strings of `value`.
fn collect(value: &Value, depth: u32, text: &mut String) {
    match value {
        Value::String(string) => {
            text.push_str(string);
            text.push('\n');
        }
        Value::Array(list) if depth > 0 => list.iter().for_each(|value| collect(value, depth - 1, text)),
        Value::Object(object) if depth > 0 => object.values().for_each(|value| collect(value, depth - 1, text)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns what the model is told.
    fn told(input: &Value) -> Option<String> {
        let answer: Value = serde_json::from_str(&answer(&input.to_string(), || Ok(()))?).expect("an answer is JSON");
        let output = answer.get("hookSpecificOutput").expect("an answer is for the hook");
        assert_eq!(output["hookEventName"], input["hook_event_name"]);
        Some(output["additionalContext"].as_str().expect("an answer says something").to_owned())
    }

    fn failed(command: &str, error: &str) -> Value {
        json!({
            "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": { "command": command }, "error": error, "is_interrupt": false,
        })
    }

    fn passed(command: &str, stdout: &str, stderr: &str) -> Value {
        json!({
            "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": { "command": command },
            "tool_response": { "stdout": stdout, "stderr": stderr, "interrupted": false, "isImage": false },
        })
    }

    fn kind(input: &Value) -> Option<String> {
        let told = told(input)?;
        let told = told.strip_prefix("This command ended with ").expect("it begins so");
        Some(told.split_once(". ").expect("it goes on").0.to_owned())
    }

    #[test]
    fn a_signal_is_told_by_the_exit_code() {
        assert_eq!(kind(&failed("./shop", "Exit code 139")).as_deref(), Some("SIGSEGV (exit code 139)"));
        assert_eq!(
            kind(&failed("make check", "Exit code 134\nshop: abort")).as_deref(),
            Some("SIGABRT (exit code 134)")
        );
        for other in [1, 2, 101, 124, 130, 137, 141, 143, 255] {
            assert_eq!(kind(&failed("./shop", &format!("Exit code {other}"))), None, "{other}");
        }
    }

    #[test]
    fn a_crash_is_told_by_what_it_prints() {
        let told = [
            ("bash: line 1: 7 Segmentation fault (core dumped) ./shop", "a segmentation fault"),
            ("==7==ERROR: AddressSanitizer: heap-use-after-free", "an AddressSanitizer report"),
            ("shop: shop.c:9: main: Assertion `n > 0' failed.", "a failed assertion"),
            ("thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds", "a panic"),
            ("thread 'main' (71) panicked at src/main.rs:2:5:\nindex out of bounds", "a panic"),
            ("free(): invalid pointer", "a damaged heap"),
        ];
        for (line, what) in told {
            assert_eq!(kind(&passed("./shop | tail -3; true", "", line)).as_deref(), Some(what), "{line}");
            assert_eq!(kind(&failed("cargo test", &format!("Exit code 101\n{line}"))).as_deref(), Some(what), "{line}");
        }
        assert_eq!(kind(&passed("./shop", "all is well", "")), None);
    }

    #[test]
    fn what_is_only_shown_or_debugged_already_is_passed_over() {
        let line = "Segmentation fault (core dumped)";
        for command in [
            "cat log",
            "  grep -r x .",
            "/usr/bin/tail -f log",
            "rr record ./shop",
            "make; rr replay",
            "gdb -batch ./shop",
        ] {
            assert_eq!(kind(&passed(command, line, "")), None, "{command}");
        }
    }

    #[test]
    fn a_session_starts_in_silence_if_there_is_an_rr() {
        let input = json!({ "hook_event_name": "SessionStart", "source": "startup" }).to_string();
        assert_eq!(answer(&input, || Ok(())), None);
        let told = answer(&input, || Err("no rr; install one".to_owned())).expect("it is said");
        let told: Value = serde_json::from_str(&told).expect("an answer is JSON");
        assert_eq!(told["systemMessage"], "retrograde cannot record or replay here: no rr; install one");
    }

    #[test]
    fn what_is_no_input_has_no_answer() {
        for input in ["", "[]", "{}", "{\"hook_event_name\": 3}", "{\"hook_event_name\": \"Stop\"}", "\u{0}"] {
            assert_eq!(answer(input, || Err("not asked".to_owned())), None, "{input}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(command in ".{0,40}", output in ".{0,200}", event in "PostToolUse(Failure)?") {
            let input = json!({
                "hook_event_name": event, "tool_input": { "command": command },
                "error": output, "tool_response": [[output]],
            });
            let _ = answer(&input.to_string(), || Ok(()));
        }
    }
}
