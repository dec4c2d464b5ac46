//! The requests that are waiting or being carried out: what each is to the others, and what ends it.

use super::message::Request;
use base::cancel::Cancel;
use engine::KillSwitch;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most requests that may wait.
const MOST_WAITING: usize = 256;

/// What a request is to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Records, or opens a recording.
    Opening,
    /// Moves the replay: nothing can be looked at meanwhile.
    Movement,
    /// A line for the console, which may move the replay.
    Console,
    /// Says what is waited for. A run is interrupted for it, and goes on.
    Configuration,
    /// Asks for the threads, which are known also while the replay moves.
    Threads,
    /// Ends the session.
    Leaving,
    /// Looks at something.
    Question,
    /// Needs no replay.
    Setup,
}

impl Kind {
    pub(super) fn of(request: &Request) -> Self {
        match request.command.as_str() {
            "launch" | "attach" => Self::Opening,
            "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" | "goto" | "restart"
            | "restartFrame" | "configurationDone" => Self::Movement,
            "retrograde/position" => Self::Question,
            own if own.starts_with("retrograde/") => Self::Movement,
            "evaluate" if request.arguments["context"] == "repl" => Self::Console,
            "setBreakpoints"
            | "setFunctionBreakpoints"
            | "setDataBreakpoints"
            | "setExceptionBreakpoints"
            | "setInstructionBreakpoints" => Self::Configuration,
            "threads" => Self::Threads,
            "terminate" | "disconnect" => Self::Leaving,
            "initialize" | "pause" => Self::Setup,
            _ => Self::Question,
        }
    }
}

/// A request that is waiting or being carried out. Clones are the same.
#[derive(Clone)]
pub(super) struct Call(Arc<Underway>);

struct Underway {
    seq: i64,
    kind: Kind,
    /// What it is cancelled by; another one after it was interrupted.
    cancel: Mutex<State>,
}

#[derive(Default)]
struct State {
    cancel: Cancel,
    /// It can be interrupted, and goes on as if it had not been.
    is_interruptible: bool,
    /// Somebody wants it to end.
    is_ended: bool,
    /// It is to go on after what has come meanwhile.
    is_interrupted: bool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Call {
    pub(super) fn seq(&self) -> i64 {
        self.0.seq
    }

    /// Returns what cancels it.
    pub(super) fn cancel(&self) -> Cancel {
        locked(&self.0.cancel).cancel.clone()
    }

    fn end(&self) {
        let mut state = locked(&self.0.cancel);
        state.is_ended = true;
        state.cancel.cancel();
    }

    /// Notes that it can be interrupted, and goes on as if it had not been.
    pub(super) fn set_interruptible(&self) {
        locked(&self.0.cancel).is_interruptible = true;
    }

    fn is_interruptible(&self) -> bool {
        locked(&self.0.cancel).is_interruptible
    }

    fn interrupt(&self) {
        let mut state = locked(&self.0.cancel);
        state.is_interrupted = true;
        state.cancel.cancel();
    }

    /// Returns whether it was only interrupted, and has it go on.
    pub(super) fn goes_on(&self) -> bool {
        let mut state = locked(&self.0.cancel);
        let goes_on = std::mem::take(&mut state.is_interrupted) && !state.is_ended;
        if goes_on {
            state.cancel = Cancel::new();
        }
        goes_on
    }
}

/// What becomes of a request that has come.
pub(super) enum Taken {
    /// It waits for its turn.
    Queued(Call),
    /// The replay is moving, and it is not to wait for the end of that.
    Moving,
    /// Too many are waiting.
    TooMany,
}

/// All requests that are waiting or being carried out.
#[derive(Default)]
pub(super) struct Calls {
    underway: Mutex<Vec<Call>>,
    /// Something has been carried out, or the session is over.
    done: Condvar,
    /// The answer to `threads` at the last stop.
    threads: Mutex<Option<Value>>,
    is_over: AtomicBool,
    /// Ends the replay that was opened last, whatever it is doing.
    switch: Mutex<KillSwitch>,
}

impl Calls {
    /// Takes a request.
    pub(super) fn take(&self, request: &Request) -> Taken {
        let kind = Kind::of(request);
        let mut underway = locked(&self.underway);
        let is_moving = underway.iter().any(|call| call.0.kind == Kind::Movement);
        // To begin again ends what moves.
        let is_restart = request.command == "restart";
        if is_moving && !is_restart && matches!(kind, Kind::Movement | Kind::Console | Kind::Question | Kind::Threads) {
            return Taken::Moving;
        }
        if underway.len() >= MOST_WAITING && kind != Kind::Leaving {
            return Taken::TooMany;
        }
        let call = Call(Arc::new(Underway { seq: request.seq, kind, cancel: Mutex::default() }));
        underway.push(call.clone());
        Taken::Queued(call)
    }

    /// Forgets a request that has been carried out.
    pub(super) fn finish(&self, call: &Call) {
        locked(&self.underway).retain(|other| !Arc::ptr_eq(&other.0, &call.0));
        self.done.notify_all();
    }

    /// Ends those where they are: what was recorded up to here is replayed.
    fn end_those(&self, is_meant: impl Fn(&Underway) -> bool) -> bool {
        let underway = locked(&self.underway);
        let meant = underway.iter().filter(|call| is_meant(&call.0));
        let end = |call: &Call| if call.0.kind == Kind::Opening { call.interrupt() } else { call.end() };
        meant.map(end).count() > 0
    }

    /// Ends what moves the replay, or is recorded, where it is. Returns whether there was something.
    pub(super) fn pause(&self) -> bool {
        self.end_those(|call| matches!(call.kind, Kind::Movement | Kind::Console | Kind::Opening))
    }

    /// Ends one.
    pub(super) fn cancel(&self, seq: i64) {
        self.end_those(|call| call.seq == seq);
    }

    /// Ends all but those that end the session.
    pub(super) fn cancel_all(&self) {
        locked(&self.underway).iter().filter(|call| call.0.kind != Kind::Leaving).for_each(Call::end);
    }

    /// Interrupts a run for what has come meanwhile; it goes on after that. What else moves comes to its end first.
    pub(super) fn interrupt(&self) {
        locked(&self.underway).iter().filter(|call| call.is_interruptible()).for_each(Call::interrupt);
    }

    /// Keeps the answer to `threads`.
    pub(super) fn keep_threads(&self, threads: &Value) {
        *locked(&self.threads) = Some(threads.clone());
    }

    /// Returns the last answer to `threads`.
    pub(super) fn last_threads(&self) -> Value {
        locked(&self.threads).clone().unwrap_or_else(|| json!({"threads": []}))
    }

    /// Forgets the last answer to `threads`.
    pub(super) fn forget_threads(&self) {
        *locked(&self.threads) = None;
    }

    /// Creates what ends the replay that is opened now. That of another one may have been pulled: each is when its
    /// replay is gone.
    pub(super) fn new_switch(&self) -> KillSwitch {
        let switch = KillSwitch::default();
        *locked(&self.switch) = switch.clone();
        switch
    }

    /// Ends the replay that was opened last, whatever it is doing.
    pub(super) fn pull_switch(&self) {
        let switch = locked(&self.switch).clone();
        switch.pull();
    }

    /// Notes that the session is over.
    pub(super) fn set_over(&self) {
        let _underway = locked(&self.underway);
        self.is_over.store(true, Ordering::Relaxed);
        self.done.notify_all();
    }

    /// Waits until a request has been carried out, if it is one that is waited for, or the session is over. Returns
    /// whether that is so by then.
    pub(super) fn is_done_within(&self, call: Option<&Call>, limit: Duration) -> bool {
        let is_underway = |underway: &mut Vec<Call>| {
            let waits = call.is_none_or(|call| underway.iter().any(|other| Arc::ptr_eq(&other.0, &call.0)));
            waits && !self.is_over.load(Ordering::Relaxed)
        };
        let waited = self.done.wait_timeout_while(locked(&self.underway), limit, is_underway);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(seq: i64, command: &str) -> Request {
        Request { seq, command: command.to_owned(), arguments: json!({}) }
    }

    fn queued(calls: &Calls, seq: i64, command: &str) -> Call {
        match calls.take(&request(seq, command)) {
            Taken::Queued(call) => call,
            Taken::Moving | Taken::TooMany => panic!("{command} was not queued"),
        }
    }

    #[test]
    fn a_movement_lets_nothing_look_at_the_replay_until_it_ends() {
        let calls = Calls::default();
        let run = queued(&calls, 1, "continue");
        for refused in ["next", "stackTrace", "threads", "evaluate"] {
            assert!(matches!(calls.take(&request(2, refused)), Taken::Moving), "{refused}");
        }
        queued(&calls, 3, "setBreakpoints");
        queued(&calls, 4, "disconnect");
        calls.finish(&run);
        queued(&calls, 5, "stackTrace");
    }

    #[test]
    fn an_interrupted_movement_goes_on_unless_it_is_paused_as_well() {
        let calls = Calls::default();
        let run = queued(&calls, 1, "continue");
        calls.interrupt();
        assert!(!run.cancel().is_cancelled(), "a step, for all that is known");
        run.set_interruptible();
        calls.interrupt();
        assert!(run.cancel().is_cancelled());
        assert!(run.goes_on() && !run.cancel().is_cancelled() && !run.goes_on());
        calls.interrupt();
        assert!(calls.pause());
        assert!(!run.goes_on() && run.cancel().is_cancelled());
    }

    #[test]
    fn an_end_is_waited_for_until_it_is_done_or_all_is_over() {
        let (calls, soon) = (Calls::default(), Duration::from_millis(1));
        let end = queued(&calls, 1, "terminate");
        assert!(!calls.is_done_within(Some(&end), soon) && !calls.is_done_within(None, soon));
        calls.finish(&end);
        assert!(calls.is_done_within(Some(&end), soon) && !calls.is_done_within(None, soon));
        let leave = queued(&calls, 2, "disconnect");
        calls.set_over();
        assert!(calls.is_done_within(Some(&leave), soon) && calls.is_done_within(None, soon));
    }

    #[test]
    fn all_but_the_end_is_cancelled() {
        let calls = Calls::default();
        let (look, leave) = (queued(&calls, 1, "variables"), queued(&calls, 2, "disconnect"));
        assert!(!calls.pause());
        calls.cancel_all();
        assert_eq!((look.cancel().is_cancelled(), leave.cancel().is_cancelled()), (true, false));
    }

    #[test]
    fn not_more_wait_than_there_is_room_for() {
        let calls = Calls::default();
        for seq in 0..MOST_WAITING {
            queued(&calls, seq as i64, "variables");
        }
        assert!(matches!(calls.take(&request(-1, "variables")), Taken::TooMany));
        queued(&calls, -2, "disconnect");
    }
}
