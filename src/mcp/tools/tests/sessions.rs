//! Sessions, checkpoints, positions.

use super::*;

fn checkpoint() -> Checkpoint {
    Checkpoint { id: 1, position: position(), waypoint: None, place: "main at t.c:12".to_owned(), note: None }
}

#[test]
fn checkpoints_and_positions() {
    let view = CheckpointView::from(&checkpoint());
    let expected = json!({
        "result": "Checkpoint 1 at main at t.c:12, event 123", "id": 1, "event": 123, "ticks": 4567,
        "thread": "100.101", "pc": "0x0000000000401136", "place": "main at t.c:12"
    });
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "Checkpoint 1 at main at t.c:12, event 123");
    assert_eq!(text_of(&CheckpointsView::from([].as_slice())), "no checkpoints");

    let waypoint: Waypoint = "123/4567/100.101/0x401136/0000000000000001".parse().unwrap();
    let when = WhenView::new(position(), Some(waypoint));
    let expected = json!({
        "result": "Current event: 123, ticks: 4567, thread: 100.101", "event": 123, "ticks": 4567,
        "thread": "100.101", "pc": "0x0000000000401136",
        "position": "123/4567/100.101/0x401136/0000000000000001"
    });
    assert_eq!(json_of(&when), expected);
    let words = "Current event: 123, ticks: 4567, thread: 100.101, pc: 0x0000000000401136, \
                 position: 123/4567/100.101/0x401136/0000000000000001";
    assert_eq!(text_of(&when), words);

    let deleted = NumberView { result: 3, done: "deleted breakpoint" };
    assert_eq!((json_of(&deleted), text_of(&deleted)), (json!({"result": 3}), "deleted breakpoint 3".to_owned()));
}

#[test]
fn a_started_replay_tells_its_session() {
    let view =
        ReplayView::new("s2", Some(std::path::Path::new("/r/t-0")), 100, 4711, stop(Reason::StartOfRecording), None);
    let expected = json!({
        "port": 4711, "message": "Program is paused at start.", "session": "s2", "trace_dir": "/r/t-0", "pid": 100,
        "event": 123, "ticks": 4567, "thread": "100.101", "pc": "0x0000000000401136"
    });
    assert_eq!(json_of(&view), expected);
    let text = "session s2: Program is paused at start.\nprocess 100 of /r/t-0, event 123";
    assert_eq!(text_of(&view), text);
}

fn running(tool: &'static str) -> Activity {
    let (since, cancel) = (std::time::Instant::now(), base::cancel::Cancel::default());
    Activity::Running(Running { tool, since, number: 1, cancel })
}

#[test]
fn an_interrupt_tells_what_became_of_it() {
    let limit = Duration::from_secs(10);
    let idle = InterruptView::new("s1", &Activity::Idle, true, limit);
    assert_eq!(json_of(&idle), json!({"result": "Nothing was running.", "session": "s1", "stopped": true}));
    assert_eq!(text_of(&idle), "session s1: Nothing was running.");
    let stopped = InterruptView::new("s1", &running("rr_continue"), true, limit);
    assert_eq!(stopped.result, "rr_continue was interrupted after 0.0 s.");
    assert_eq!((stopped.tool.as_deref(), stopped.stopped), (Some("rr_continue"), true));
    let deaf = InterruptView::new("s1", &running("rr_continue"), false, limit);
    assert!(deaf.result.starts_with("rr_continue was asked to stop after 0.0 s and has not yet: "), "{}", deaf.result);
    assert!(deaf.result.contains("more than 10 s") && deaf.result.contains("rr_replay_stop"), "{}", deaf.result);
    let starting = InterruptView::new("s1", &Activity::Starting(std::time::Instant::now()), false, limit);
    assert!(starting.result.contains("rr_replay_stop gives it up"), "{}", starting.result);
}

#[test]
fn the_session_list_shows_state_place_and_ends() {
    let busy = Status {
        activity: running("rr_continue"),
        waiting: 2,
        trace: Some("/r/t-0".into()),
        pid: Some(100),
        port: Some(4711),
        stop: Some((stop(Reason::StepDone), "end-stepping-range")),
        checkpoints: vec![checkpoint()],
        breakpoints: vec![breakpoint(), breakpoint()],
        traffic: Some(Traffic { packets: 7, bytes: 900, waited: Duration::from_millis(1500) }),
        ..Status::default()
    };
    let views = vec![SessionView::new("s10", busy, true), SessionView::new("s9", Status::default(), false)];
    assert!(views[0].seconds.is_some_and(|seconds| seconds < 60.0), "{views:?}");
    let views = views.into_iter().map(|view| SessionView { seconds: view.seconds.map(|_| 1.25), ..view }).collect();
    let ended = vec![Ended { id: "s1".to_owned(), reason: "rr was killed".to_owned(), started: true }];
    let view = SessionsView::new(views, ended);
    let expected = json!({
        "result": [
            {"session": "s9", "state": "stopped", "current": false, "breakpoints": 0},
            {
                "session": "s10", "state": "running", "tool": "rr_continue", "seconds": 1.25, "waiting": 2, "current": true, "trace_dir": "/r/t-0", "pid": 100,
                "port": 4711, "reason": "end-stepping-range", "event": 123, "function": "add", "file": "/src/t.c",
                "line": 5, "breakpoints": 2, "checkpoints": [json_of(&CheckpointView::from(&checkpoint()))],
                "traffic": {"packets": 7, "bytes": 900, "rr_seconds": 1.5}
            }
        ],
        "ended": [{"session": "s1", "state": "ended", "reason": "rr was killed"}]
    });
    assert_eq!(json_of(&view), expected);
    let text = "  s9: stopped
* s10: running rr_continue for 1.2 s, 2 calls wait, process 100 of /r/t-0, end-stepping-range at event 123 in add at /src/t.c:5, \
breakpoints and watchpoints: 2
    Checkpoint 1 at main at t.c:12, event 123
  s1 has ended: rr was killed";
    assert_eq!(text_of(&view), text);
}
