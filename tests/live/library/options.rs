//! The library by itself: what no tool can set.

use crate::support::processes::{rr_of, signal};
use crate::support::recordings::{fresh_recording, recording, rr};
use arch::Direction;
use base::cancel::Cancel;
use engine::model::{BreakpointSpec, Motion, Reason, ReplayOptions, Show, Timeouts};
use engine::{Engine, KillSwitch};
use std::thread::JoinHandle;
use std::time::Duration;

/// Over before rr comes to the next event of the recording.
const LIMIT: Duration = Duration::from_millis(1);

#[test]
fn a_replay_that_does_not_stop_is_replaced() {
    let none = Timeouts { forward: LIMIT, interrupt: Duration::ZERO, ..Timeouts::default() };
    let options = ReplayOptions { trace: Some(recording("spin").trace), pid: None };
    let mut engine = Engine::start(rr(), &options, none).unwrap();
    let spec = BreakpointSpec { location: "turn".to_owned(), ..BreakpointSpec::default() };
    let start = engine.position().unwrap();
    // Hardly any time: rr is interrupted at once and given no time to answer.
    let stop = engine.go(Motion::Continue(Direction::Forward)).unwrap();
    // rr may have answered all the same, or have come to the end; if not, another rr has taken its place.
    if stop.reason == (Reason::TimedOut { after: LIMIT }) && stop.position.event() == start.event() {
        assert!(stop.notes.iter().any(|note| note.contains("could not be stopped")), "{:?}", stop.notes);
    }
    // The new replay is as good as the old one.
    assert_eq!(engine.evaluate("1 + 1", Show::default()).unwrap().value, "2");
    assert_eq!(engine.set_breakpoint(&spec).unwrap().locations.len(), 1);
    let back = engine.go(Motion::Continue(Direction::Reverse)).unwrap();
    let at_the_start = stop.position.event() == start.event();
    assert!(!at_the_start || back.reason == Reason::StartOfRecording, "{:?}", back.reason);
}

/// Processor time that only a run takes, in ticks of the system's clock.
const RUNNING: u64 = 3;

/// Stops this rr in the middle of a run, and cancels that.
fn freeze_and_cancel(rr: i32, cancel: Cancel) -> JoinHandle<()> {
    let before = processor_time(rr);
    std::thread::spawn(move || {
        while processor_time(rr) < before + RUNNING {
            std::thread::yield_now();
        }
        signal(rr, libc::SIGSTOP);
        cancel.cancel();
    })
}

/// What it has taken itself (proc(5), fields 14 and 15 of `stat`).
fn processor_time(pid: i32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

#[test]
fn an_rr_that_does_not_stop_is_replaced_where_the_movement_began() {
    let trace = fresh_recording("spin", &[]).trace;
    let options = ReplayOptions { trace: Some(trace.clone()), pid: None };
    let limits = Timeouts { interrupt: Duration::from_millis(500), ..Timeouts::default() };
    let mut replay = Engine::start(rr(), &options, limits).unwrap();
    let set = |replay: &mut Engine, condition: Option<&str>| {
        let (location, condition) = ("turn".to_owned(), condition.map(str::to_owned));
        replay.set_breakpoint(&BreakpointSpec { location, condition, ..BreakpointSpec::default() }).unwrap().number
    };
    let first = set(&mut replay, None);
    let hit = replay.go(Motion::Continue(Direction::Forward)).unwrap();
    let deleted = replay.save_checkpoint(None).unwrap().id;
    let early = replay.save_checkpoint(None).unwrap();
    let before = replay.go(Motion::StepInstruction(Direction::Forward, 3)).unwrap();
    let late = replay.save_checkpoint(None).unwrap();
    replay.delete_checkpoint(deleted).unwrap();
    replay.remove_breakpoint(first).unwrap();
    // rr evaluates this thousands of times without a word.
    let never = set(&mut replay, Some("n == -1"));
    let cancel = Cancel::default();
    replay.set_cancel(&cancel);
    let freezer = freeze_and_cancel(rr_of(&trace).unwrap(), cancel);
    let after = replay.go(Motion::Continue(Direction::Forward)).unwrap();
    freezer.join().unwrap();
    replay.set_cancel(&Cancel::default());
    assert_eq!((&after.reason, &after.position), (&Reason::Cancelled, &before.position), "{after:?}");
    let note = "rr could not be stopped between two events of the recording; this is where the movement began";
    assert!(after.notes.iter().any(|said| said == note), "{:?}", after.notes);
    assert_eq!(replay.breakpoints().first().map(|b| b.number), Some(never), "they are kept");
    let end = replay.go(Motion::Continue(Direction::Forward)).unwrap();
    assert!(matches!(end.reason, Reason::EndOfRecording { exit_code: Some(0), .. }), "{end:?}");
    // So are the checkpoints, by their numbers, whatever the other rr calls them.
    assert_eq!(replay.checkpoints(), [early.clone(), late.clone()]);
    for (checkpoint, stop) in [(&early, &hit), (&late, &before)] {
        let there = replay.go(Motion::Restore(checkpoint.id)).unwrap();
        assert_eq!((&there.reason, &there.position), (&Reason::Arrived, &stop.position), "{there:?}");
    }
    let next = replay.save_checkpoint(None).unwrap().id;
    assert!(![early.id, late.id].contains(&next), "{next}");
    replay.delete_checkpoint(early.id).unwrap();
    assert_eq!(replay.go(Motion::Restore(late.id)).unwrap().position, before.position);
}

#[test]
fn an_engine_can_be_ended_by_another_thread() {
    let trace = fresh_recording("spin", &[]).trace;
    let options = ReplayOptions { trace: Some(trace), pid: None };
    let switch = KillSwitch::default();
    let mut replay = Engine::start_with(switch.clone(), rr(), &options, Timeouts::default()).unwrap();
    let ended = std::thread::spawn(move || {
        loop {
            // As long as it lives it can be moved to and fro.
            for direction in [Direction::Forward, Direction::Reverse] {
                if let Err(error) = replay.go(Motion::Continue(direction)) {
                    return (error.to_string(), replay.position().unwrap_err().to_string());
                }
            }
        }
    });
    assert!(switch.pull());
    let (error, later) = ended.join().unwrap();
    assert_eq!((error.as_str(), later.as_str()), ("the replay has ended: it was stopped", error.as_str()));
    let error = Engine::start_with(switch, rr(), &options, Timeouts::default()).err().unwrap();
    assert_eq!(error.to_string(), "the replay has ended: it was stopped");
}
