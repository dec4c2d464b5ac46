//! The library by itself: what no tool can set.

use crate::support::recordings::{recording, rr};
use retrograde::arch::Direction;
use retrograde::engine::Engine;
use retrograde::engine::model::{BreakpointSpec, Motion, Observer, Reason, ReplayOptions, Timeouts};
use std::time::Duration;

/// Over before rr comes to the next event of the recording.
const LIMIT: Duration = Duration::from_millis(1);

struct Patient;

impl Observer for Patient {
    fn running(&mut self, _elapsed: Duration) -> bool {
        true
    }
}

#[test]
fn a_replay_that_does_not_stop_is_replaced() {
    let none = Timeouts { forward: LIMIT, interrupt: Duration::ZERO, ..Timeouts::default() };
    let options = ReplayOptions { trace: Some(recording("spin").trace), pid: None };
    let mut engine = Engine::start(rr(), &options, none).unwrap();
    let spec = BreakpointSpec { location: "turn".to_owned(), ..BreakpointSpec::default() };
    let start = engine.position().unwrap();
    // Hardly any time: rr is interrupted at once and given no time to answer.
    let stop = engine.go(Motion::Continue(Direction::Forward), &mut Patient).unwrap();
    // rr may have answered all the same, or have come to the end; if not, another rr has taken its place.
    if stop.reason == (Reason::TimedOut { after: LIMIT }) && stop.position.event == start.event {
        assert!(stop.notes.iter().any(|note| note.contains("could not be stopped")), "{:?}", stop.notes);
    }
    // The new replay is as good as the old one.
    assert_eq!(engine.evaluate("1 + 1", None).unwrap().value, "2");
    assert_eq!(engine.set_breakpoint(&spec).unwrap().places.len(), 1);
    let back = engine.go(Motion::Continue(Direction::Reverse), &mut Patient).unwrap();
    let at_the_start = stop.position.event == start.event;
    assert!(!at_the_start || back.reason == Reason::StartOfRecording, "{:?}", back.reason);
}
