//! What others do while a thread waits: going back over its system call, or over the signal that ended the wait, skips
//! nothing of it.

use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

/// What `state` was and became, in which function, as the program has it.
const WRITES: [(u32, u32, &str); 10] = [
    (0, 1, "set"),
    (1, 10, "set"),
    (10, 20, "set"),
    (20, 99, "read"),
    (99, 30, "set"),
    (30, 40, "set"),
    (40, 50, "set"),
    (50, 60, "set"),
    (60, 70, "set"),
    (70, 80, "set"),
];

fn go(server: &Server, reverse: bool) -> Value {
    server.call("rr_continue", json!({"reverse": reverse}))
}

#[track_caller]
fn writes(server: &Server, reverse: bool, wanted: &[(u32, u32, &str)]) {
    for (old, new, function) in wanted {
        let stop = go(server, reverse);
        let values = (stop["old_value"].as_str(), stop["new_value"].as_str());
        assert_eq!(values, (Some(&*old.to_string()), Some(&*new.to_string())), "{stop}");
        assert_eq!(stop["written_by"]["function"], *function, "{stop}");
        assert!(stop["notes"].is_null(), "{stop}");
        if *function == "set" {
            assert_eq!(server.evaluate("s"), new.to_string(), "{stop}");
        }
        assert_eq!(server.evaluate("state"), if reverse { old } else { new }.to_string(), "{stop}");
    }
}

fn backward(of: &[(u32, u32, &'static str)]) -> Vec<(u32, u32, &'static str)> {
    of.iter().rev().copied().collect()
}

#[test]
fn every_write_is_told_in_both_directions() {
    let truth = &WRITES;
    let server = replaying("waiting");
    server.call("rr_watchpoint_set", json!({"expression": "state"}));
    writes(&server, false, truth);
    let stop = go(&server, false);
    assert_eq!(stop["signal_name"], "SIGINT", "{stop}");
    // From the signal that ended the wait, and from behind it.
    writes(&server, true, &backward(truth));
    assert_eq!(go(&server, true)["reason"], "start-of-recording");
    assert_eq!(go(&server, true)["reason"], "start-of-recording");
    let there = server.call("rr_run_to_event", json!({"event_number": stop["event"]}));
    assert_eq!((&there["reason"], &there["signal_name"]), (&json!("event-reached"), &json!("SIGINT")), "{there}");
    writes(&server, true, &backward(&truth[8..]));
    writes(&server, false, &truth[9..]);
    assert_eq!(go(&server, false)["signal_name"], "SIGINT");
    assert_eq!(go(&server, false)["reason"], "end-of-recording");
    let back = go(&server, true);
    assert_eq!((&back["signal_name"], &back["event"]), (&stop["signal_name"], &stop["event"]), "{back}");
    writes(&server, true, &backward(truth));
}

#[test]
fn turning_round_does_not_tell_the_same_write_again() {
    let server = replaying("waiting");
    server.call("rr_watchpoint_set", json!({"expression": "state"}));
    writes(&server, false, &WRITES[..4]);
    writes(&server, true, &backward(&WRITES[1..3]));
    writes(&server, false, &WRITES[2..5]);
    writes(&server, true, &backward(&WRITES[2..4]));
    writes(&server, false, &WRITES[3..5]);
    // One instruction back is in front of the write, not at the one before it.
    let stop = server.call("rr_step", json!({"instruction": true, "reverse": true}));
    assert_eq!(stop["reason"], "end-stepping-range", "{stop}");
    assert_eq!(server.evaluate("state"), "99");
}

#[test]
fn calls_of_others_are_met_backward_from_a_caught_signal() {
    let server = replaying("waiting");
    server.call("rr_catch_set", json!({"event": "signal", "names": ["SIGALRM"]}));
    let caught = go(&server, false);
    assert_eq!(caught["signal_name"], "SIGALRM", "{caught}");
    server.call("rr_breakpoint_set", json!({"location": "set"}));
    for s in ["50", "40", "30", "20", "10", "1"] {
        let stop = go(&server, true);
        assert_eq!((&stop["reason"], server.evaluate("s")), (&json!("breakpoint-hit"), s.to_owned()), "{stop}");
    }
    // The same from behind, where the signal is one stop more.
    for s in ["10", "20", "30", "40", "50"] {
        let stop = go(&server, false);
        assert_eq!((&stop["reason"], server.evaluate("s")), (&json!("breakpoint-hit"), s.to_owned()), "{stop}");
    }
    assert_eq!(go(&server, false)["signal_name"], "SIGALRM");
    go(&server, false);
    assert_eq!(server.evaluate("s"), "60");
    let back = go(&server, true);
    assert_eq!((&back["signal_name"], &back["event"]), (&caught["signal_name"], &caught["event"]), "{back}");
    go(&server, true);
    assert_eq!(server.evaluate("s"), "50");
}

#[test]
fn what_the_kernel_writes_at_the_end_of_a_thread_is_told_in_both_directions() {
    const WRITES: [(&str, &str); 4] = [("0", "1"), ("1", "7"), ("7", "0"), ("0", "2")];
    let server = replaying("cleared");
    server.call("rr_watchpoint_set", json!({"expression": "running"}));
    let change = |reverse| {
        let stop = go(&server, reverse);
        // Going back, rr does not report what the kernel writes: that is seen by what is there before.
        let by_kernel = reverse && (&stop["old_value"], &stop["new_value"]) == (&json!("7"), &json!("0"));
        let says_so = stop["notes"].to_string().contains("or the kernel");
        assert!(stop["notes"].is_null() || (by_kernel && says_so), "{stop}");
        let value = |name: &str| stop[name].as_str().unwrap_or_default().to_owned();
        assert_eq!(server.evaluate("running"), value(if reverse { "old_value" } else { "new_value" }), "{stop}");
        (value("old_value"), value("new_value"))
    };
    let all = |reverse| (0..WRITES.len()).map(|_| change(reverse)).collect::<Vec<_>>();
    let forward = WRITES.map(|(old, new)| (old.to_owned(), new.to_owned()));
    let backward: Vec<_> = forward.iter().rev().cloned().collect();
    for _ in 0..2 {
        assert_eq!(all(false), forward);
        assert_eq!(go(&server, false)["reason"], "end-of-recording");
        assert_eq!(all(true), backward);
        assert_eq!(go(&server, true)["reason"], "start-of-recording");
    }
    // Turned round at each of them, and with a stop between what the thread wrote last and its end.
    let end = json!({"location": "cleared.c:15"});
    for (index, wanted) in forward.iter().enumerate() {
        assert_eq!(change(false), *wanted);
        let before = index.checked_sub(1).and_then(|index| forward.get(index));
        match before {
            Some(before) => assert_eq!(change(true), *before),
            None => assert_eq!(go(&server, true)["reason"], "start-of-recording"),
        }
        assert_eq!(change(false), *wanted);
    }
    let between = server.call("rr_breakpoint_set", end)["number"].clone();
    assert_eq!(go(&server, false)["breakpoint_number"], between);
    assert_eq!(go(&server, false)["reason"], "end-of-recording");
    assert_eq!(go(&server, true)["breakpoint_number"], between);
    assert_eq!([change(true), change(true)], [backward[0].clone(), backward[1].clone()]);
    assert_eq!(go(&server, true)["breakpoint_number"], between);
    assert_eq!(change(true), backward[2]);
    // The same without having met it on the way there, and turned round at it.
    let server = replaying("cleared");
    server.call("rr_breakpoint_set", json!({"location": "cleared.c:27", "temporary": true}));
    assert_eq!(go(&server, false)["reason"], "breakpoint-hit");
    server.call("rr_watchpoint_set", json!({"expression": "running"}));
    for (reverse, (old, new)) in [(true, WRITES[3]), (true, WRITES[2]), (false, WRITES[3]), (true, WRITES[2])] {
        let stop = go(&server, reverse);
        assert_eq!((&stop["old_value"], &stop["new_value"]), (&json!(old), &json!(new)), "{stop}");
    }
}
