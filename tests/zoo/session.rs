//! What a replay of a recording says: what was printed, where steps lead there and back, what the end is about.

use crate::end;
use crate::support::mcp::Server;
use crate::support::processes::processes_of;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The longest that one of the questions may take.
const LIMIT: Duration = Duration::from_secs(300);
/// The server's own limits: of one movement, in seconds, and of all else, which is to be the later one.
const MOVEMENT_LIMIT: &str = "120";
const SERVER_LIMIT: &str = "600";
/// Steps back from the end, and forward again.
const STEPS: usize = 3;
/// Most stops of one direction alone, within one instruction.
const MOST_IN_CALL: usize = 4;
/// Most stops on the way to the end: signals, images that are executed, and the limit of a movement.
const MOST_STOPS: usize = 20_000;

/// What the replay says; an error is why there is no answer, or a wrong one.
pub struct Answers {
    /// What all processes wrote to stdout.
    pub output: Result<String, String>,
    /// Whether the steps led there and back.
    pub steps: Result<(), String>,
    /// What the end is about.
    pub explanation: Result<String, String>,
    /// Seconds until the output was told, which is after one whole replay.
    pub seconds: f64,
    /// What the answers say of themselves.
    pub notes: Vec<String>,
}

/// An answer, as soon as it is there.
enum Answer {
    Server(u32),
    Output(Result<String, String>, Vec<String>),
    Steps(Result<(), String>),
    Explanation(Result<String, String>),
}

/// Asks a server of its own about the recording, and ends that server if it does not answer in time.
pub fn look(trace: &Path, debug: Option<&'static str>) -> Answers {
    let begun = Instant::now();
    let (sender, receiver) = channel();
    let place = trace.to_owned();
    let asking = std::thread::spawn(move || ask(&place, debug, &sender));
    let (mut output, mut steps, mut explanation) = (None, None, None);
    let (mut server, mut seconds, mut notes) = (None, 0.0, Vec::new());
    let late = loop {
        match receiver.recv_timeout(LIMIT) {
            Ok(Answer::Server(pid)) => server = Some(pid),
            Ok(Answer::Output(answer, said)) => {
                seconds = begun.elapsed().as_secs_f64();
                (output, notes) = (Some(answer), said);
            }
            Ok(Answer::Steps(answer)) => steps = Some(answer),
            Ok(Answer::Explanation(answer)) => explanation = Some(answer),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {
                server.into_iter().for_each(end);
                break Some(format!("no answer in {} s", LIMIT.as_secs()));
            }
        }
    };
    let ended = asking.join();
    processes_of(trace).into_iter().for_each(|(pid, _)| end(pid.unsigned_abs()));
    let why = late.or_else(|| Some(panic_text(ended.err()?.as_ref()))).unwrap_or_else(|| "not asked".to_owned());
    Answers {
        output: output.unwrap_or_else(|| Err(why.clone())),
        steps: steps.unwrap_or_else(|| Err(why.clone())),
        explanation: explanation.unwrap_or(Err(why)),
        seconds,
        notes,
    }
}

/// Returns what the thread that asks has failed with.
fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// Asks all questions, and sends each answer as soon as it is there.
fn ask(trace: &Path, debug: Option<&str>, answers: &Sender<Answer>) {
    let server = Server::start_with(&[
        ("RR_MCP_TIMEOUT_STARTUP", SERVER_LIMIT),
        ("RR_MCP_TIMEOUT_REACH", SERVER_LIMIT),
        ("RR_MCP_TIMEOUT_CONNECT", SERVER_LIMIT),
        ("RR_MCP_TIMEOUT_EVAL", SERVER_LIMIT),
        ("RR_MCP_TIMEOUT_FORWARD", MOVEMENT_LIMIT),
        ("RR_MCP_TIMEOUT_REVERSE", MOVEMENT_LIMIT),
    ]);
    // Nobody listens any more if an answer came too late.
    let send = |answer| drop(answers.send(answer));
    send(Answer::Server(server.pid));
    let mut notes = Vec::new();
    let opened = open(&server, trace, debug);
    send(Answer::Output(opened.clone().and_then(|()| printed(&server, &mut notes)), notes));
    if opened.is_ok() {
        send(Answer::Steps(there_and_back(&server)));
        let explained = server.attempt("rr_explain", json!({}));
        send(Answer::Explanation(explained.map(|answer| text(&answer, "result"))));
    }
    server.close();
}

/// Returns a member of an answer that is a string.
fn text(answer: &Value, member: &str) -> String {
    answer[member].as_str().unwrap_or_default().to_owned()
}

/// Opens the recording, on the process in whose command line the word is.
fn open(server: &Server, trace: &Path, debug: Option<&str>) -> Result<(), String> {
    let mut arguments = json!({ "trace_dir": trace });
    if let Some(word) = debug {
        let processes = server.attempt("rr_ps", json!({ "trace_dir": trace }))?;
        let is_it = |process: &&Value| {
            let line = text(process, "cmd");
            line.contains(word) && !line.starts_with("/bin/bash -c ")
        };
        let found = processes["result"].as_array().and_then(|list| list.iter().find(is_it));
        arguments["pid"] = found.ok_or_else(|| format!("no process is a {word}"))?["pid"].clone();
    }
    server.attempt("rr_replay_start", arguments).map(|_| ())
}

/// Returns what all processes wrote to stdout, page by page.
fn printed(server: &Server, notes: &mut Vec<String>) -> Result<String, String> {
    let (mut from, mut all) = (1, String::new());
    loop {
        let asked = json!({ "from": from, "count": 1000, "stream": "stdout", "all_processes": true });
        let page = server.attempt("rr_output", asked)?;
        let pieces = page["result"].as_array().into_iter().flatten();
        pieces.for_each(|piece| all += &text(piece, "text"));
        let truncated = text(&page, "truncated");
        let next = truncated.rsplit_once("for the next pieces: from=").and_then(|(_, from)| from.parse().ok());
        let Some(next) = next else {
            notes.extend(Some(truncated).filter(|note| !note.is_empty()));
            return Ok(all);
        };
        from = next;
    }
}

/// Goes to the end, some instructions back and as many forward: through the same moments, with a stack in the earliest.
fn there_and_back(server: &Server) -> Result<(), String> {
    let mut positions = vec![to_the_end(server)?];
    let step = |reverse: bool| {
        let stop = server.attempt("rr_step", json!({ "instruction": true, "reverse": reverse }))?;
        match stop["reason"] == "timed-out" {
            true => Err(format!("a step takes more than {MOVEMENT_LIMIT} s; reverse: {reverse}, from {stop}")),
            false => Ok(text(&stop, "position")),
        }
    };
    for _ in 0..STEPS {
        positions.push(step(true)?);
    }
    let stack = server.attempt("rr_backtrace", json!({}))?;
    if stack["result"].as_array().is_none_or(Vec::is_empty) {
        return Err(format!("an empty stack: {stack}"));
    }
    let back = positions.join(" < ");
    // The way back from the end of one thread may be interrupted in another one, by a signal or an exec there.
    if thread(&positions[0]) != thread(&positions[1]) {
        positions.remove(0);
    }
    let mut here = positions.pop().unwrap_or_default();
    while let Some(expected) = positions.pop() {
        if is_in_call(&expected) {
            continue;
        }
        // What comes within a system call, and the delivery of a signal, may be stops of one direction alone.
        let is_there = |found: &str| place(found) == place(&here) || place(found) == place(&expected);
        let mut found = step(false)?;
        for _ in 0..MOST_IN_CALL {
            if is_same(&found, &expected) || !is_there(&found) {
                break;
            }
            found = step(false)?;
        }
        if !is_same(&found, &expected) {
            return Err(format!("forward at {found}, not {expected}; backward {back}"));
        }
        here = expected;
    }
    Ok(())
}

/// Continues until nothing comes any more, and returns the position of the end.
fn to_the_end(server: &Server) -> Result<String, String> {
    for _ in 0..MOST_STOPS {
        let stop = server.attempt("rr_continue", json!({}))?;
        let position = text(&stop, "position");
        if position.ends_with("/end") {
            return Ok(position);
        }
    }
    Err(format!("more than {MOST_STOPS} stops on the way to the end"))
}

/// Returns ticks, thread and program counter of a position.
fn place(position: &str) -> Option<Vec<&str>> {
    position.split('/').collect::<Vec<_>>().get(1..4).map(<[&str]>::to_vec)
}

/// Returns the thread of a position.
fn thread(position: &str) -> Option<&str> {
    position.split('/').nth(2)
}

/// Returns whether a position is in the page that rr's own system calls are made from.
fn is_in_call(position: &str) -> bool {
    place(position).is_some_and(|place| place[2].starts_with("0x7000") && place[2].len() == "0x70000002".len())
}

/// Returns whether two positions are one moment. A system call's entry is within its instruction, so that it may have
/// another event and other registers there if it was come to from behind.
fn is_same(one: &str, other: &str) -> bool {
    let event = |position: &str| position.split('/').next().map(str::to_owned);
    let are_alike = one.ends_with("/end") == other.ends_with("/end") && event(one) != event(other);
    one == other || are_alike && place(one).is_some() && place(one) == place(other)
}
