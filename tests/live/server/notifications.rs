//! What a client is told without having asked each time: messages from a level on, and changes of resources.

use crate::server::wire::Wire;
use crate::support::processes::signal;
use crate::support::recordings::{fresh_recording, recording, rr};
use serde_json::{Value, json};

fn is_message(told: &Value) -> bool {
    told["method"] == "notifications/message"
}

/// Level, subject and text of a message.
fn message(told: &Value) -> (&str, &str, &str) {
    let [level, about, text] = ["level", "logger", "data"].map(|field| told["params"][field].as_str().unwrap());
    (level, about, text)
}

#[test]
fn messages_come_from_the_level_on_that_was_set() {
    let trace = fresh_recording("stepping", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&trace, &[]);
    assert_eq!(wire.told, [] as [Value; 0], "nobody has asked for any");
    assert_eq!(wire.ask("logging/setLevel", json!({"level": "warning"})), json!({}));
    signal(pid, libc::SIGKILL);
    wire.call("rr_when", json!({}));
    let told = wire.until_told(is_message);
    let again = "rr had to be started again: the session continues in a new replay";
    assert_eq!(told.iter().map(message).collect::<Vec<_>>(), [("warning", "session s1", again)]);
    wire.call("rr_when", json!({}));
    wire.ask("logging/setLevel", json!({"level": "debug"}));
    wire.call("rr_when", json!({}));
    let told = wire.until_told(is_message);
    let (level, about, text) = message(&told[0]);
    assert_eq!((told.len(), level, about), (1, "debug", "session s1"), "{told:?}");
    let took = text.strip_prefix("rr_when took ").and_then(|rest| rest.split_once(' '));
    assert!(took.is_some_and(|(seconds, _)| seconds.parse::<f64>().is_ok()), "{text}");
    wire.ask("logging/setLevel", json!({"level": "info"}));
    wire.call("rr_replay_stop", json!({}));
    let told = wire.until_told(is_message);
    assert_eq!(message(&told[0]), ("info", "session s1", "session s1 has ended: it was stopped"));
    let refused = wire.ask("logging/setLevel", json!({"level": "loud"}));
    assert!(refused["error"]["code"].is_i64(), "{refused}");
}

#[test]
fn a_session_that_is_lost_is_an_error_message() {
    let doomed = fresh_recording("exit_code", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&doomed, &[]);
    wire.ask("logging/setLevel", json!({"level": "error"}));
    std::fs::remove_dir_all(&doomed).unwrap();
    signal(pid, libc::SIGKILL);
    wire.call("rr_continue", json!({}));
    let told = wire.until_told(is_message);
    let (level, about, text) = message(&told[0]);
    assert_eq!((told.len(), level, about), (1, "error", "session s1"), "{told:?}");
    let why = format!("session s1 has ended: its recording `{}` was removed while it was replayed", doomed.display());
    assert!(text.starts_with(&why), "{text}");
}

#[test]
fn what_makes_an_answer_poorer_is_a_notice() {
    let mut wire = Wire::open(rr().program(), &[]);
    wire.ask("logging/setLevel", json!({"level": "notice"}));
    wire.call("rr_replay_start", json!({"trace_dir": recording("crash-stripped").trace}));
    wire.call("rr_locals", json!({}));
    let told = wire.until_told(is_message);
    assert_eq!(told.iter().map(message).collect::<Vec<_>>(), [("notice", "rr_locals", "frame 0 has no debug info")]);
}

/// The address in an update.
fn updated(told: &Value) -> Option<&str> {
    (told["method"] == "notifications/resources/updated").then(|| told["params"]["uri"].as_str().unwrap())
}

#[test]
fn a_resource_that_is_subscribed_to_is_told_to_have_changed() {
    let (mut wire, _) = Wire::replaying(&recording("stepping").trace, &[]);
    let [stack, breakpoints] = ["rr://sessions/s1/backtrace", "rr://sessions/s1/breakpoints"];
    for uri in [stack, breakpoints] {
        assert_eq!(wire.ask("resources/subscribe", json!({"uri": uri})), json!({}));
    }
    let nobody = wire.ask("resources/subscribe", json!({"uri": "rr://sessions/s9"}));
    assert_eq!(nobody["error"]["message"], r#"no session "s9" is open; open: s1"#);
    wire.call("rr_breakpoint_set", json!({"location": "half"}));
    let told = wire.until_told(|told| updated(told).is_some());
    assert_eq!(told.iter().map(updated).collect::<Vec<_>>(), [Some(breakpoints)]);
    // It has counted a hit as well.
    wire.call("rr_continue", json!({}));
    let told = wire.until_told(|told| updated(told) == Some(breakpoints));
    assert_eq!(told.iter().map(updated).collect::<Vec<_>>(), [Some(stack), Some(breakpoints)]);
    assert_eq!(wire.ask("resources/unsubscribe", json!({"uri": stack})), json!({}));
    wire.call("rr_breakpoint_remove", json!({"breakpoint_number": 1}));
    wire.call("rr_step", json!({}));
    let told = wire.until_told(|told| updated(told).is_some());
    assert_eq!(told.iter().map(updated).collect::<Vec<_>>(), [Some(breakpoints)]);
    wire.ask("resources/subscribe", json!({"uri": "rr://sessions"}));
    wire.call("rr_replay_stop", json!({}));
    let told = wire.until_told(|told| updated(told).is_some());
    assert_eq!(told.iter().map(updated).collect::<Vec<_>>(), [Some("rr://sessions")]);
}
