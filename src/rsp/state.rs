//! What the server is in the middle of: whether it may be resumed, and which threads its requests refer to.
//!
//! The server keeps three thread selections, and each stop changes them:
//!
//! | selection | used by | after a forward stop or interrupt | after a backward stop | after `vRun` |
//! |---|---|---|---|---|
//! | query thread (`Hg`) | `g m x Z z qRRCmd` | the stop's | the stop's | any |
//! | resume thread (`Hc`) | filter of `bc`, `bs` | the stop's | any | any |
//! | last continued thread | what `bs` steps | the stop's | the stop's | the restored one |
//!
//! An interrupt leaves the last one as it was, which may be a thread that no longer exists; `bs` would then crash rr.

use super::command::Threads;
use super::signals::{SIGINT, SIGKILL, SIGTRAP};
use super::{Error, StopCause, StopReply};
use arch::{Direction, RunAddr, ThreadId};

/// The client's model of the server.
#[derive(Clone, Debug)]
pub(super) struct ServerState {
    /// The debuggee. A connection has one, for good.
    pub(super) pid: u32,
    /// The thread of the last stop: the one that rr is about to run.
    pub(super) current: ThreadId,
    /// The debuggee is gone (`W00`): rr aborts if it is resumed.
    gone: bool,
    /// A backward resume was answered by `W00`, and rr now takes the event where that happened for the last one of the
    /// recording: a restart at a later event goes there instead.
    pub(super) events_cut_off: bool,
    /// The last run was interrupted and had stopped by itself, and the interrupt has not been answered: the next resume
    /// may be answered in its place.
    pub(super) interrupt_owed: bool,
    /// Stopped before the debuggee's exit: rr turns the next forward resume into `W00` wherever the replay then is.
    pub(super) at_end: bool,
    /// What a request without a thread refers to, if known.
    query: Option<ThreadId>,
    /// Whose breaks end a backward run.
    resume: Threads,
    /// What `bs` steps, if known.
    stepped: Option<ThreadId>,
    /// The signal that the process has stopped for, and that it has not got yet.
    pub(super) pending: Option<u8>,
    /// The program counter of `current`, if it was read since the last stop.
    pub(super) pc: Option<RunAddr>,
}

impl ServerState {
    /// Creates the state just after connecting, stopped in `current`.
    pub(super) fn new(current: ThreadId) -> Self {
        Self {
            pid: current.pid,
            current,
            gone: false,
            events_cut_off: false,
            interrupt_owed: false,
            at_end: false,
            query: Some(current),
            resume: Threads::Any,
            stepped: Some(current),
            pending: None,
            pc: None,
        }
    }

    /// Fails if the debuggee has ended, after `W00`.
    pub(super) fn alive(&self) -> Result<(), Error> {
        if self.gone { Err(Error::Gone) } else { Ok(()) }
    }

    /// Fails for a thread of another process. rr would serve it, and the next breakpoint would go into that process,
    /// from where its removal kills rr.
    pub(super) fn own(&self, thread: ThreadId) -> Result<(), Error> {
        if thread.pid == self.pid { Ok(()) } else { Err(Error::ForeignThread { thread, pid: self.pid }) }
    }

    /// Returns whether requests refer to `thread` without further ado.
    pub(super) fn queries(&self, thread: ThreadId) -> bool {
        self.query == Some(thread)
    }

    /// Returns whether requests refer to some thread of the debuggee: enough for memory and breakpoints.
    pub(super) fn queries_debuggee(&self) -> bool {
        self.query.is_some()
    }

    /// Records that `Hg` has been accepted.
    pub(super) fn query_selected(&mut self, thread: ThreadId) {
        self.query = Some(thread);
    }

    /// Returns the `Hc` packets that must come before `bc` with this filter. The filter is always sent; a known thread
    /// comes first if rr may remember a dead one, for which it would refuse "any".
    pub(super) fn before_reverse_continue(&self, filter: Threads) -> Vec<Threads> {
        match (filter, self.stepped) {
            (Threads::Any, None) => vec![Threads::One(self.current), filter],
            _ => vec![filter],
        }
    }

    /// Returns the `Hc` packets that must come before `bs` of `thread`: none in a loop. rr serves successive `bs` from
    /// memory as long as nothing but `bs` and `g` comes in between, and a backward stop leaves both selections as the
    /// next `bs` needs them. The filter is "any", because after the first step it is that anyway.
    pub(super) fn before_reverse_step(&self, thread: ThreadId) -> Vec<Threads> {
        match (self.stepped == Some(thread), self.resume) {
            (true, Threads::Any) => vec![],
            (true, Threads::One(_)) => vec![Threads::Any],
            (false, _) => vec![Threads::One(thread), Threads::Any],
        }
    }

    /// Records that `Hc` has been accepted.
    pub(super) fn resume_selected(&mut self, threads: Threads) {
        self.resume = threads;
        if let Threads::One(thread) = threads {
            self.stepped = Some(thread);
        }
    }

    /// Records that the target runs: nothing is known about it until it stops.
    pub(super) fn running(&mut self) {
        self.query = None;
        self.pc = None;
        self.at_end = false;
    }

    /// Records that the target has stopped after moving in `direction`.
    pub(super) fn stopped(&mut self, reply: &StopReply, direction: Direction) {
        let StopReply::Stopped { thread, signal, .. } = *reply else {
            self.gone = true;
            self.events_cut_off = direction == Direction::Reverse;
            return;
        };
        // 0 is none; an interrupt and a trap are for the debugger.
        self.pending = (![0, SIGINT, SIGTRAP].contains(&signal)).then_some(signal);
        self.current = thread;
        self.query = Some(thread);
        self.stepped = Some(thread);
        self.resume = match direction {
            Direction::Forward => Threads::One(thread),
            Direction::Reverse => Threads::Any,
        };
        self.at_end = direction == Direction::Forward && signal == SIGKILL;
    }

    /// Records that the target has stopped because of an interrupt, or for the dummy resume after a `vRun`.
    pub(super) fn interrupted(&mut self, reply: &StopReply) {
        self.stopped(reply, Direction::Forward);
        self.stepped = None;
    }

    /// Records that a `vRun` has succeeded: the debuggee lives, elsewhere.
    pub(super) fn restarted(&mut self) {
        self.gone = false;
        self.interrupt_owed = false;
        self.running();
        self.resume = Threads::Any;
        self.stepped = None;
    }
}

/// Returns whether this stop is the end of a step of `thread` and nothing else.
pub(super) fn is_step_done(reply: &StopReply, thread: ThreadId) -> bool {
    *reply == StopReply::Stopped { signal: SIGTRAP, thread, cause: StopCause::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ThreadId = ThreadId { pid: 7, tid: 7 };
    const B: ThreadId = ThreadId { pid: 7, tid: 8 };

    fn stop(thread: ThreadId) -> StopReply {
        StopReply::Stopped { signal: 5, thread, cause: StopCause::Plain }
    }

    #[test]
    fn a_loop_of_backward_steps_selects_once() {
        let mut state = ServerState::new(A);
        state.stopped(&stop(B), Direction::Forward);
        assert_eq!(state.before_reverse_step(B), [Threads::Any]);
        state.resume_selected(Threads::Any);
        state.stopped(&stop(B), Direction::Reverse);
        assert_eq!(state.before_reverse_step(B), []);
        assert_eq!(state.before_reverse_step(A), [Threads::One(A), Threads::Any]);
    }

    #[test]
    fn a_backward_run_always_selects() {
        let mut state = ServerState::new(A);
        state.stopped(&stop(A), Direction::Reverse);
        assert_eq!(state.before_reverse_continue(Threads::Any), [Threads::Any]);
        assert_eq!(state.before_reverse_continue(Threads::One(B)), [Threads::One(B)]);
    }

    #[test]
    fn after_an_interrupt_a_thread_that_exists_is_selected_first() {
        let mut state = ServerState::new(A);
        state.interrupted(&stop(B));
        assert_eq!(state.before_reverse_continue(Threads::Any), [Threads::One(B), Threads::Any]);
        assert_eq!(state.before_reverse_step(B), [Threads::One(B), Threads::Any]);
    }

    #[test]
    fn only_a_restart_brings_the_dead_back() {
        let mut state = ServerState::new(A);
        state.stopped(&StopReply::Exited(0), Direction::Forward);
        assert!(matches!(state.alive(), Err(Error::Gone)));
        state.restarted();
        assert!(state.alive().is_ok());
    }

    #[test]
    fn the_end_is_a_forward_sigkill() {
        let mut state = ServerState::new(A);
        let killed = StopReply::Stopped { signal: 9, thread: A, cause: StopCause::Plain };
        state.stopped(&killed, Direction::Forward);
        assert!(state.at_end);
        state.stopped(&stop(A), Direction::Reverse);
        assert!(!state.at_end);
    }

    #[test]
    fn threads_of_other_processes_are_refused() {
        let other = ThreadId { pid: 9, tid: 9 };
        assert!(matches!(ServerState::new(A).own(other), Err(Error::ForeignThread { pid: 7, .. })));
    }
}
