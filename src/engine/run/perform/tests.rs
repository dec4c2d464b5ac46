//! Movements of a scripted target: what rr says, and what the user is told.

use super::*;
use crate::api::{BreakpointSpec, Fingerprint, Timeouts, Waypoint};
use crate::run::session::Ending;
use crate::target::interface::RemoteTarget;
use crate::target::process::Process;
use arch::{Arch, Register, RegisterKind, RegisterLayout, Registers, RunAddr, ThreadId};
use program::debuginfod::DebugSettings;
use rsp::{Break, Moment, Outcome, Resume, StopCause, Traffic};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MAIN: ThreadId = ThreadId { pid: 10, tid: 10 };
const OTHER: ThreadId = ThreadId { pid: 10, tid: 11 };
/// rr's number of the first one.
const FIRST_CHECKPOINT: u64 = 3;

/// What the target does next: the resume it expects, where that leads, and what it says.
struct Act {
    expect: Resume,
    pc: u64,
    event: u64,
    /// `None`: rr refuses.
    outcome: Option<Outcome>,
}

#[derive(Default)]
struct Log {
    breaks: Vec<Break>,
    restarts: Vec<Restart>,
    deleted: Vec<u64>,
    /// What the target says next.
    exec_file: Option<String>,
    exec_file_refused: bool,
}

struct Script {
    layout: Arc<RegisterLayout>,
    acts: VecDeque<Act>,
    pc: u64,
    event: u64,
    /// Where the checkpoints are.
    saved: Vec<(u64, u64)>,
    log: Arc<Mutex<Log>>,
}

fn layout() -> Arc<RegisterLayout> {
    let register = |name: &str, number, offset, kind| Register { name: name.to_owned(), number, size: 8, offset, kind };
    let registers =
        vec![register("rsp", 7, 0, RegisterKind::DataPointer), register("rip", 16, 8, RegisterKind::CodePointer)];
    Arc::new(RegisterLayout { arch: Arch::X86_64, registers })
}

type Result<T> = std::result::Result<T, rsp::Error>;

impl RemoteTarget for Script {
    fn layout(&self) -> Arc<RegisterLayout> {
        self.layout.clone()
    }
    fn set_request_timeout(&mut self, _after: Duration) {}
    fn pass_signals(&mut self, numbers: &[u8]) -> Result<()> {
        assert!(numbers.is_empty() || numbers == rsp::PASSED_SIGNALS);
        Ok(())
    }
    fn last_stop(&mut self) -> Result<StopReply> {
        Ok(plain(0, MAIN))
    }
    fn threads(&mut self) -> Result<Vec<ThreadId>> {
        Ok(vec![MAIN, OTHER])
    }
    fn thread_name(&mut self, _thread: ThreadId) -> Result<Option<String>> {
        Ok(None)
    }
    fn registers(&mut self, _thread: ThreadId) -> Result<Registers> {
        let bytes = [0x8000u64.to_le_bytes(), self.pc.to_le_bytes()].concat();
        let reply: Vec<_> = bytes.into_iter().map(Some).collect();
        Ok(Registers::new(self.layout.clone(), &reply))
    }
    fn read_memory(&mut self, at: RunAddr, len: usize) -> Result<Vec<u8>> {
        Ok(if at.0 < 0x1000 { Vec::new() } else { vec![0x90; len] })
    }
    fn set_breaks(&mut self, wanted: &[Break]) -> Result<()> {
        self.log.lock().unwrap().breaks = wanted.to_vec();
        Ok(())
    }
    fn insert_breaks(&mut self) -> Result<()> {
        Ok(())
    }
    fn resume(&mut self, how: Resume, _cancel: &Cancel) -> Result<Outcome> {
        let act = self.acts.pop_front().expect("a resume that the script has not");
        assert_eq!(how, act.expect);
        (self.pc, self.event) = (act.pc, act.event);
        act.outcome.ok_or_else(refused)
    }
    fn restart(&mut self, to: Restart, _deadline: Duration) -> Result<StopReply> {
        self.log.lock().unwrap().restarts.push(to);
        if let Restart::Checkpoint(id) = to {
            (self.pc, self.event) = self.saved[(id - FIRST_CHECKPOINT) as usize];
        }
        if let Restart::Event(event) = to {
            self.event = event.min(100);
        }
        Ok(plain(if self.event == 100 { SIGKILL } else { 0 }, MAIN))
    }
    fn moment(&mut self, _thread: ThreadId) -> Result<Moment> {
        Ok(Moment { event: self.event, ticks: 7 })
    }
    fn checkpoint(&mut self, _place: &str) -> Result<u64> {
        self.saved.push((self.pc, self.event));
        Ok(FIRST_CHECKPOINT + self.saved.len() as u64 - 1)
    }
    fn delete_checkpoint(&mut self, id: u64) -> Result<()> {
        self.log.lock().unwrap().deleted.push(id);
        Ok(())
    }
    fn auxv(&mut self) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
    fn exec_file(&mut self) -> Result<String> {
        let mut log = self.log.lock().unwrap();
        match std::mem::take(&mut log.exec_file_refused) {
            true => Err(refused()),
            false => Ok(log.exec_file.clone().unwrap_or_else(|| "/nowhere/program".to_owned())),
        }
    }
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}

fn refused() -> rsp::Error {
    rsp::Error::Remote { request: "scripted".to_owned(), code: 1 }
}

fn plain(signal: u8, thread: ThreadId) -> StopReply {
    StopReply::Stopped { signal, thread, cause: StopCause::Plain }
}

fn act(expect: Resume, pc: u64, event: u64, signal: u8) -> Act {
    Act { expect, pc, event, outcome: Some(Outcome::Stopped(plain(signal, MAIN))) }
}

fn caused(expect: Resume, pc: u64, event: u64, thread: ThreadId, cause: StopCause) -> Act {
    let reply = StopReply::Stopped { signal: 5, thread, cause };
    Act { expect, pc, event, outcome: Some(Outcome::Stopped(reply)) }
}

const FORWARD: Motion = Motion::Continue(Direction::Forward);
const REVERSE: Motion = Motion::Continue(Direction::Reverse);
const BACK: Resume = Resume::ReverseContinue(None);

fn session(acts: Vec<Act>) -> (Session, Arc<Mutex<Log>>) {
    let log = Arc::new(Mutex::new(Log::default()));
    let script =
        Script { layout: layout(), acts: acts.into(), pc: 0x1000, event: 5, saved: Vec::new(), log: log.clone() };
    let process = Process::new(Box::new(script));
    let ending = Ending(Some(0));
    let session = Session::new(process, None, DebugSettings::default(), Timeouts::default(), ending);
    (session.unwrap(), log)
}

fn go(session: &mut Session, motion: Motion) -> Stop {
    session.go(motion).unwrap()
}

fn end() -> Reason {
    Reason::EndOfRecording { exit_code: Some(0), signal: None }
}

fn signal(name: &str, meaning: &str) -> Reason {
    Reason::Signal { name: name.to_owned(), meaning: meaning.to_owned(), number: None }
}

#[test]
fn the_end_is_not_resumed_into_but_left_backward() {
    let begin = caused(BACK, 0x1000, 1, MAIN, StopCause::Beginning);
    let (mut s, _) = session(vec![act(Resume::Continue, 0x2000, 9, SIGKILL), begin]);
    assert_eq!(go(&mut s, FORWARD).reason, end());
    assert_eq!(go(&mut s, FORWARD).reason, end());
    assert_eq!(go(&mut s, Motion::Step(Direction::Forward, 3)).reason, end());
    assert!(matches!(s.save_checkpoint(None), Err(Error::CheckpointRefused(_))));
    assert_eq!(go(&mut s, REVERSE).reason, Reason::StartOfRecording);
}

#[test]
fn a_signal_is_one_stop_in_both_directions() {
    let segv = || signal("SIGSEGV", "Segmentation fault");
    let (mut s, _) = session(vec![
        act(Resume::Continue, 0x2000, 9, 11),
        // One step back, the same signal once more, one event earlier.
        act(Resume::ReverseStep(MAIN), 0x2000, 8, 11),
        caused(BACK, 0x1000, 1, MAIN, StopCause::Beginning),
        act(Resume::Continue, 0x2000, 9, 11),
    ]);
    assert_eq!(go(&mut s, FORWARD).reason, segv());
    assert_eq!(go(&mut s, REVERSE).reason, Reason::StartOfRecording);
    assert_eq!(go(&mut s, FORWARD).reason, segv());
}

#[test]
fn a_checkpoint_at_a_signal_is_left_as_the_stop_there_is() {
    let again = || act(Resume::ReverseStep(MAIN), 0x2000, 8, 11);
    let begin = || caused(BACK, 0x1000, 1, MAIN, StopCause::Beginning);
    let (mut s, _) = session(vec![
        act(Resume::Continue, 0x2000, 9, 11),
        again(),
        begin(),
        again(),
        begin(),
        act(Resume::Continue, 0x2000, 9, 11),
    ]);
    go(&mut s, FORWARD);
    s.save_checkpoint(None).unwrap();
    assert_eq!(go(&mut s, REVERSE).reason, Reason::StartOfRecording);
    assert_eq!(go(&mut s, Motion::Restore(1)).reason, Reason::Arrived);
    assert_eq!(go(&mut s, REVERSE).reason, Reason::StartOfRecording);
    // Elsewhere, it is a stop again.
    assert_eq!(go(&mut s, FORWARD).reason, signal("SIGSEGV", "Segmentation fault"));
}

#[test]
fn another_signal_at_the_same_place_is_another_stop() {
    let (mut s, _) = session(vec![act(Resume::Continue, 0x2000, 9, 11), act(Resume::Continue, 0x2000, 10, 6)]);
    assert_eq!(go(&mut s, FORWARD).reason, signal("SIGSEGV", "Segmentation fault"));
    assert_eq!(go(&mut s, FORWARD).reason, signal("SIGABRT", "Aborted"));
}

#[test]
fn an_exec_is_crossed_by_a_restart_behind_it() {
    let (mut s, log) = session(vec![act(Resume::Continue, 0x1000, 20, 0)]);
    let path = "/nowhere/program".to_owned();
    assert_eq!(go(&mut s, FORWARD).reason, Reason::Exec { path, number: None });
    assert_eq!(log.lock().unwrap().restarts, [Restart::Event(21)]);
}

#[test]
fn an_interrupted_run_says_why() {
    let interrupted =
        Act { expect: Resume::Continue, pc: 0x3000, event: 6, outcome: Some(Outcome::Interrupted(plain(0, OTHER))) };
    let (mut s, _) = session(vec![interrupted, act(Resume::Continue, 0x2000, 9, SIGKILL)]);
    let stop = go(&mut s, FORWARD);
    assert_eq!((stop.reason, stop.position.thread), (Reason::Cancelled, OTHER));
    assert_eq!(go(&mut s, FORWARD).reason, end());
}

#[test]
fn no_time_at_all_is_a_time_out_without_a_movement() {
    let (mut s, _) = session(vec![]);
    s.limits.forward = Duration::ZERO;
    let after = Duration::ZERO;
    assert_eq!(go(&mut s, FORWARD).reason, Reason::TimedOut { after });
}

fn at(address: &str, ignore_count: u32, temporary: bool) -> BreakpointSpec {
    BreakpointSpec { location: format!("*{address}"), ignore_count, temporary, ..BreakpointSpec::default() }
}

#[test]
fn breakpoints_count_ignore_and_go() {
    let hit = |pc| caused(Resume::Continue, pc, 6, OTHER, StopCause::SoftwareBreak);
    let (mut s, log) = session(vec![hit(0x4000), hit(0x4000), hit(0x5000), hit(0x5000), hit(0x4000)]);
    s.debuggee.set_breakpoint(&at("0x4000", 1, false)).unwrap();
    s.debuggee.set_breakpoint(&at("0x5000", 0, true)).unwrap();
    let breakpoint = |number, temporary| Reason::Breakpoint { number, temporary };
    // The first hit is ignored, the second one is told.
    let stop = go(&mut s, FORWARD);
    assert_eq!((stop.reason, stop.position.thread), (breakpoint(1, false), OTHER));
    assert_eq!(go(&mut s, FORWARD).reason, breakpoint(2, true));
    assert_eq!(s.debuggee.breakpoints.infos().len(), 1);
    assert_eq!(s.debuggee.breakpoints.infos()[0].hits, 2);
    // A stop at a place where nothing is waited for any more is none.
    assert_eq!(go(&mut s, FORWARD).reason, breakpoint(1, false));
    assert_eq!(log.lock().unwrap().breaks.len(), 1);
}

#[test]
fn a_step_that_lands_on_a_breakpoint_is_a_hit() {
    let step = Resume::Step(MAIN);
    let (mut s, _) = session(vec![caused(step, 0x1001, 5, MAIN, StopCause::Plain)]);
    s.debuggee.set_breakpoint(&at("0x1001", 0, false)).unwrap();
    let reason = go(&mut s, Motion::StepInstruction(Direction::Forward, 5)).reason;
    let number = 1;
    assert_eq!(reason, Reason::Breakpoint { number, temporary: false });
}

#[test]
fn an_unmapped_address_is_refused() {
    let (mut s, _) = session(vec![]);
    let message = s.debuggee.set_breakpoint(&at("0x10", 0, false)).unwrap_err().to_string();
    assert_eq!(message, "address 0x10 is not mapped here, a breakpoint there could never be hit");
    assert_eq!(s.debuggee.breakpoints.infos().len(), 0);
}

#[test]
fn events_and_checkpoints_are_arrived_at() {
    let (mut s, log) = session(vec![]);
    assert_eq!(go(&mut s, Motion::RunToEvent(50)).reason, Reason::Arrived);
    assert_eq!(go(&mut s, Motion::RunToEvent(1000)).reason, end());
    assert_eq!(go(&mut s, Motion::RunToEvent(6)).reason, Reason::Arrived);
    assert_eq!(s.save_checkpoint(None).unwrap().id, 1);
    assert_eq!(go(&mut s, Motion::Restore(1)).reason, Reason::Arrived);
    let message = s.go(Motion::Restore(4)).unwrap_err().to_string();
    assert_eq!(message, "no checkpoint 4: there is only 1");
    assert_eq!(log.lock().unwrap().restarts.last(), Some(&Restart::Checkpoint(3)));
}

#[test]
fn an_instruction_is_found_again_among_those_of_its_tick_or_the_session_stays() {
    let step = |pc, event| act(Resume::Step(MAIN), pc, event, 5);
    let (mut s, log) = session(vec![
        act(Resume::Continue, 0x2000, 9, 11),
        act(Resume::Continue, 0x3000, 12, 11),
        // The event ends in the same tick.
        step(0x1ffe, 9),
        step(0x2000, 9),
        // From the first instruction of the event: it is none, up to another thread's turn; so back.
        step(0x2001, 9),
        caused(Resume::Step(MAIN), 0x2002, 10, OTHER, StopCause::Plain),
    ]);
    go(&mut s, FORWARD);
    let there = s.waypoint().unwrap();
    go(&mut s, FORWARD);
    assert_eq!(go(&mut s, Motion::GoTo(there)).reason, Reason::Arrived);
    assert_eq!(s.waypoint().unwrap(), there);
    assert_eq!(log.lock().unwrap().restarts, [Restart::Event(9)]);
    let nowhere = Waypoint { fingerprint: Some(Fingerprint::Stop(1)), ..there };
    let message = s.go(Motion::GoTo(nowhere)).unwrap_err().to_string();
    let words = "the replay does not reach this position: event 9, tick 7, pc 0x2000; the session is where it was";
    assert_eq!(message, words);
    let nowhere = Waypoint { pc: RunAddr(0x10), fingerprint: None, ..there };
    let message = s.go(Motion::GoTo(nowhere)).unwrap_err().to_string();
    let words = "the replay does not reach this position: event 9, tick 7, pc 0x10, where no code is; a position is \
                 what a stop or an answer calls so, all of it; the session is where it was";
    assert_eq!(message, words);
    assert_eq!(log.lock().unwrap().restarts.last(), Some(&Restart::Checkpoint(FIRST_CHECKPOINT + 2)));
    assert_eq!((s.waypoint().unwrap(), s.stop().unwrap().reason), (there, Reason::Arrived));
}

#[test]
fn a_journey_that_is_given_up_ends_where_it_began() {
    for is_late in [true, false] {
        let (mut s, log) = session(vec![act(Resume::Continue, 0x2000, 9, 11), act(Resume::Continue, 0x3000, 12, 11)]);
        go(&mut s, FORWARD);
        let there = s.waypoint().unwrap();
        go(&mut s, FORWARD);
        let here = s.waypoint().unwrap();
        let expected = if is_late {
            s.limits.forward = Duration::ZERO;
            Reason::TimedOut { after: Duration::ZERO }
        } else {
            s.cancel.cancel();
            Reason::Cancelled
        };
        assert_eq!(go(&mut s, Motion::GoTo(there)).reason, expected);
        assert_eq!(s.waypoint().unwrap(), here);
        assert!(s.state.signal.is_some(), "what was known of it is");
        let log = log.lock().unwrap();
        assert_eq!(log.restarts, [Restart::Event(9), Restart::Checkpoint(FIRST_CHECKPOINT)]);
        assert_eq!(log.deleted, [FIRST_CHECKPOINT]);
    }
}

#[test]
fn threads_are_selected_by_each_of_their_names() {
    let (mut s, _) = session(vec![]);
    assert_eq!(s.debuggee.select_thread("2").unwrap().id, OTHER);
    assert_eq!(s.debuggee.select_thread("10.10").unwrap().number, 1);
    assert_eq!(s.debuggee.select_thread("11").unwrap().id, OTHER);
    let message = s.debuggee.select_thread("9").unwrap_err().to_string();
    assert_eq!(message, "no thread 9: there are 1 (10.10), 2 (10.11)");
}

#[test]
fn a_frame_that_is_not_there() {
    let (mut s, _) = session(vec![]);
    let message = s.debuggee.select_frame(99).unwrap_err().to_string();
    assert_eq!(message, "frame 99: the stack has only frame 0");
}

#[test]
fn a_movement_that_fails_half_way_leaves_nothing_of_the_last_stop() {
    let step = Resume::Step(MAIN);
    let fails = Act { expect: step, pc: 0x1001, event: 8, outcome: None };
    let (mut s, _) = session(vec![act(Resume::Continue, 0x1000, 7, 11), act(step, 0x1001, 8, 5), fails]);
    go(&mut s, FORWARD);
    assert!(s.state.signal.is_some());
    let two = Motion::StepInstruction(Direction::Forward, 2);
    let message = s.go(two).unwrap_err().to_string();
    assert_eq!(message, "rr refused `scripted` with error 01");
    assert_eq!((s.last_event, s.state.signal.is_none(), s.debuggee.level), (8, true, 0));
    assert_eq!(s.stop().unwrap().reason, Reason::Arrived);
}

#[test]
fn a_movement_that_cannot_begin_changes_nothing() {
    let (mut s, _) = session(vec![act(Resume::Continue, 0x2000, 9, 11)]);
    let stop = go(&mut s, FORWARD);
    s.go(Motion::Restore(4)).unwrap_err();
    assert_eq!(s.stop().unwrap(), stop);
    assert!(s.state.signal.is_some());
}

#[test]
fn a_new_image_is_noticed_even_if_it_cannot_be_asked_for_at_first() {
    let (mut s, log) = session(vec![]);
    log.lock().unwrap().exec_file_refused = true;
    s.go(Motion::RunToEvent(50)).unwrap_err();
    log.lock().unwrap().exec_file = Some("/nowhere/another".to_owned());
    s.debuggee.catch_up().unwrap();
    assert_eq!(s.debuggee.inferior.modules.missing()[0].0, "another");
}

#[test]
fn a_movement_that_is_given_up_where_it_began_does_not_ask_the_breakpoint_there_again() {
    let hit = |pc| caused(Resume::Continue, pc, 9, MAIN, StopCause::SoftwareBreak);
    let (mut s, _) = session(vec![hit(0x2000), hit(0x3000)]);
    let cancelled = || Error::ReadingCancelled { progress: dwarf::Work::stuck().progress().unwrap(), after: None };
    for at in ["*0x2000", "*0x3000"] {
        s.debuggee.set_breakpoint(&BreakpointSpec { location: at.to_owned(), ..BreakpointSpec::default() }).unwrap();
    }
    let stop = |number| Reason::Breakpoint { number, temporary: false };
    assert_eq!(go(&mut s, FORWARD).reason, stop(1));
    assert_eq!(s.broken_off(cancelled()).unwrap(), Reason::Cancelled);
    assert_eq!(go(&mut s, FORWARD).reason, stop(2));
    let hits: Vec<_> = s.debuggee.breakpoints.infos().iter().map(|info| info.hits).collect();
    assert_eq!(hits, [1, 1]);
    // Of one that was not decided it is asked.
    s.undecided = Some(MAIN);
    assert_eq!(s.broken_off(cancelled()).unwrap(), Reason::Cancelled);
    assert_eq!(go(&mut s, FORWARD).reason, stop(2));
}

/// A session with a breakpoint that only counts for the other thread, and a hit of it.
fn for_one_thread(acts: Vec<Act>) -> (Session, Arc<Mutex<Log>>) {
    let (mut s, log) = session(acts);
    s.debuggee.set_breakpoint(&BreakpointSpec { thread: Some("2".to_owned()), ..at("0x4000", 0, false) }).unwrap();
    (s, log)
}

fn hit(how: Resume, event: u64, thread: ThreadId) -> Act {
    caused(how, 0x4000, event, thread, StopCause::SoftwareBreak)
}

#[test]
fn behind_a_hit_that_does_not_count_it_looks_forward_from_ever_farther_back() {
    let (mut s, log) = for_one_thread(vec![
        hit(BACK, 4, MAIN),
        // From event 3.
        hit(Resume::Continue, 3, MAIN),
        hit(Resume::Continue, 4, MAIN),
        // From event 1: one that counts, and the first one of before.
        hit(Resume::Continue, 2, OTHER),
        hit(Resume::Continue, 3, MAIN),
        caused(Resume::Step(OTHER), 0x4001, 2, OTHER, StopCause::Plain),
        hit(BACK, 2, OTHER),
    ]);
    let stop = go(&mut s, REVERSE);
    assert_eq!((stop.reason, stop.position.thread), (Reason::Breakpoint { number: 1, temporary: false }, OTHER));
    assert_eq!(s.debuggee.breakpoints.infos()[0].hits, 1);
    let ways = [Restart::Event(4), Restart::Event(3), Restart::Event(1), Restart::Checkpoint(6)];
    assert_eq!(log.lock().unwrap().restarts, ways);
}

#[test]
fn where_nothing_counts_it_goes_on_backward_from_the_first_hit() {
    let (mut s, log) = for_one_thread(vec![
        hit(BACK, 2, MAIN),
        hit(Resume::Continue, 2, MAIN),
        hit(Resume::Continue, 1, MAIN),
        hit(Resume::Continue, 2, MAIN),
        caused(BACK, 0x1000, 1, MAIN, StopCause::Beginning),
    ]);
    assert_eq!(go(&mut s, REVERSE).reason, Reason::StartOfRecording);
    let ways = [Restart::Event(2), Restart::Event(1), Restart::Event(0), Restart::Checkpoint(4)];
    assert_eq!(log.lock().unwrap().restarts, ways);
}

#[test]
fn a_look_that_is_given_up_or_leads_elsewhere_leaves_it_where_it_was() {
    let begin = || caused(BACK, 0x1000, 1, MAIN, StopCause::Beginning);
    let interrupted =
        Act { expect: Resume::Continue, pc: 0x3000, event: 2, outcome: Some(Outcome::Interrupted(plain(0, OTHER))) };
    let (mut s, log) = for_one_thread(vec![hit(BACK, 3, MAIN), interrupted, begin()]);
    let stop = go(&mut s, REVERSE);
    assert_eq!(stop.reason, Reason::Cancelled);
    assert_eq!((stop.position.pc, stop.position.event(), stop.position.thread), (RunAddr(0x4000), Some(3), MAIN));
    assert_eq!(go(&mut s, REVERSE).reason, Reason::StartOfRecording);
    let ways = [Restart::Event(3), Restart::Event(2), Restart::Checkpoint(3)];
    assert_eq!(log.lock().unwrap().restarts, ways);
    let refused = Act { expect: Resume::Continue, pc: 0x3000, event: 2, outcome: None };
    for elsewhere in [act(Resume::Continue, 0x2000, 9, SIGKILL), act(Resume::Continue, 0x2000, 9, 0), refused] {
        let (mut s, log) = for_one_thread(vec![hit(BACK, 3, MAIN), elsewhere, hit(BACK, 2, MAIN), begin()]);
        assert_eq!(go(&mut s, REVERSE).reason, Reason::StartOfRecording);
        assert_eq!(log.lock().unwrap().restarts, ways);
    }
}

#[test]
fn what_is_known_of_a_stop_outlives_a_movement_that_comes_to_nothing() {
    let interrupted =
        |how| Act { expect: how, pc: 0x2000, event: 9, outcome: Some(Outcome::Interrupted(plain(0, MAIN))) };
    let elsewhere =
        Act { expect: Resume::Continue, pc: 0x2004, event: 9, outcome: Some(Outcome::Interrupted(plain(0, MAIN))) };
    let segv = act(Resume::Continue, 0x2000, 9, 11);
    let (mut s, _) = session(vec![segv, interrupted(Resume::Continue), elsewhere]);
    go(&mut s, FORWARD);
    assert_eq!(go(&mut s, FORWARD).reason, Reason::Cancelled);
    assert!(s.state.signal.is_some(), "it is where it was");
    assert_eq!(go(&mut s, FORWARD).reason, Reason::Cancelled);
    assert!(s.state.signal.is_none(), "it is elsewhere");
    // A breakpoint that nothing has reported is reported by the next run, whatever was tried in between.
    let (mut s, _) = session(vec![]);
    s.debuggee.set_breakpoint(&at("0x1000", 0, false)).unwrap();
    go(&mut s, Motion::RunToEvent(50));
    s.limits.reverse = Duration::ZERO;
    assert_eq!(go(&mut s, REVERSE).reason, Reason::TimedOut { after: Duration::ZERO });
    assert_eq!(go(&mut s, FORWARD).reason, Reason::Breakpoint { number: 1, temporary: false });
}

#[test]
fn a_look_at_the_other_side_comes_back_before_it_is_given_up() {
    let forward = caused(Resume::Step(MAIN), 0x2001, 5, MAIN, StopCause::Plain);
    let back = caused(Resume::ReverseStep(MAIN), 0x1000, 5, MAIN, StopCause::Plain);
    let (mut s, _) = session(vec![forward, back]);
    let cancel = Cancel::default();
    let mut mover = Mover::new(&mut s, &cancel);
    let seen = mover.beyond(MAIN, Direction::Reverse, |mover| {
        // In the middle of a question.
        mover.session.debuggee.inferior.work().stop();
        assert!(mover.alone(MAIN, Direction::Forward).is_err(), "nowhere else");
    });
    assert!(matches!(seen, Err(Error::ReadingCancelled { .. })));
    assert_eq!(s.debuggee.inferior.position(MAIN).unwrap().pc, RunAddr(0x1000));
}

#[test]
fn checkpoints_of_a_movement_end_with_it() {
    let fails = Act { expect: Resume::Continue, pc: 0x1001, event: 8, outcome: None };
    let (mut s, log) = session(vec![fails]);
    s.marks = vec![3, 4];
    s.go(FORWARD).unwrap_err();
    assert_eq!((s.marks, &log.lock().unwrap().deleted[..]), (vec![], &[3, 4][..]));
}
