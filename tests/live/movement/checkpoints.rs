//! Checkpoints and positions.

use crate::support::fixtures::line;
use crate::support::mcp::replaying;
use serde_json::json;

#[test]
fn save_list_restore_delete() {
    let server = replaying("stepping");
    let early = server.run_to("twice");
    let first = server.call("rr_checkpoint_save", json!({}));
    let first = first["id"].as_u64().unwrap_or_else(|| panic!("{first}"));
    let late = server.run_to("half");
    let second = server.call("rr_checkpoint_save", json!({}))["id"].as_u64().unwrap();
    assert_ne!(first, second);
    let list = server.call("rr_checkpoint_list", json!({}));
    assert_eq!(list["result"].as_array().unwrap().len(), 2, "{list}");
    for (id, there) in [(first, &early), (second, &late), (first, &early)] {
        let stop = server.call("rr_checkpoint_restore", json!({"checkpoint_id": id}));
        assert_eq!(stop["reason"], "checkpoint-restored");
        for field in ["event", "ticks", "pc", "function", "line"] {
            assert_eq!(stop[field], there[field], "{field}: {stop}");
        }
        assert_eq!(server.evaluate("1 + 1"), "2");
    }
    // Execution goes on from the restored place.
    let stop = server.call("rr_next", json!({}));
    assert_eq!(stop["line"].as_u64(), Some(line("stepping.c", "twice-return")));
    server.call("rr_checkpoint_delete", json!({"checkpoint_id": first}));
    let said = server.fail("rr_checkpoint_restore", json!({"checkpoint_id": first}));
    assert!(said.contains(&first.to_string()) && said.contains(&second.to_string()), "{said}");
}

#[test]
fn a_checkpoint_at_a_signal_is_left_backward_at_once() {
    let server = replaying("crash");
    server.call("rr_breakpoint_set", json!({"location": "cut"}));
    assert_eq!(server.call("rr_continue", json!({}))["function"], "cut");
    let crash = server.call("rr_continue", json!({}));
    assert_eq!((&crash["reason"], &crash["signal_name"]), (&json!("signal-received"), &json!("SIGSEGV")));
    server.call("rr_checkpoint_save", json!({}));
    let before = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&before["reason"], &before["function"]), (&json!("breakpoint-hit"), &json!("cut")));
    let restored = server.call("rr_checkpoint_restore", json!({"checkpoint_id": 1}));
    assert_eq!(restored["pc"], crash["pc"]);
    assert_eq!(server.call("rr_continue", json!({"reverse": true})), before);
    server.call("rr_checkpoint_restore", json!({"checkpoint_id": 1}));
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
}

#[test]
fn when_tells_event_ticks_and_thread() {
    let server = replaying("stepping");
    let stop = server.run_to("twice");
    let when = server.call("rr_when", json!({}));
    for field in ["event", "ticks", "thread", "pc"] {
        assert_eq!(when[field], stop[field], "{field}: {when}");
    }
    assert!(when["result"].as_str().unwrap().contains(&stop["event"].to_string()), "{when}");
}
