//! What is remembered of the last stop, as long as the process is where that was.

use crate::api::Position;
use crate::run::exact_position::ExactPosition;
use arch::{Direction, ThreadId};
use rsp::Moment;

/// What is remembered of a stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct StopState {
    /// Set while the process is in its last state: forward there is nothing but its end.
    pub(crate) at_end: bool,
    /// Set if the stop was for a signal.
    pub(crate) signal: Option<SignalStop>,
    /// Set if it was for a watchpoint.
    pub(crate) touch: Option<Touch>,
    /// Set if it was for one of an allocator's stores to a watched object.
    pub(crate) stores: Option<StoreSequence>,
    /// Set if it was for an `exec`: the direction in which it was met.
    pub(crate) crossed: Option<Direction>,
    /// Set if the session was sent here by the name of the place: what happens here has been reported.
    pub(crate) is_gone_to: bool,
    /// Set if the process has arrived at breakpoints without running to them, and nothing has reported them.
    pub(crate) arrival: Option<Arrival>,
}

/// A stop for a signal, which going back must not report once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignalStop {
    pub(crate) signal: u8,
    pub(crate) position: Position,
}

/// Bytes of the instruction that a system call is made with (`syscall`, `svc`), at most: where that has been
/// interrupted, the first place of the signal is in front of it.
const SYSCALL_LENGTH: u64 = 4;

impl SignalStop {
    /// Returns whether they are places of one signal: the thread has done nothing between them. (A handler without any
    /// branch that returns into a system call would be mistaken for nothing.)
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let ticks = |stop: &Self| stop.position.moment.map(|moment| moment.ticks);
        self.signal == other.signal
            && self.position.thread == other.position.thread
            && self.position.pc.0.abs_diff(other.position.pc.0) <= SYSCALL_LENGTH
            && ticks(self).is_some()
            && ticks(self) == ticks(other)
    }
}

/// What touched watched objects, as far as a stop has reported it.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    /// Where its thread was afterwards.
    pub(crate) after: ExactPosition,
    /// In which direction it was met: a movement that goes on in that does not meet it again.
    pub(crate) direction: Direction,
    /// The watchpoints that it hit.
    pub(crate) numbers: Vec<u32>,
}

/// Stores of an allocator to a watched object of several words, with no branch in between: they are one happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoreSequence {
    /// The watchpoint.
    pub(crate) number: u32,
    pub(crate) thread: ThreadId,
    pub(crate) moment: Moment,
}

/// The breakpoints at which a thread has arrived. One that is set later is for the next time.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub(crate) thread: ThreadId,
    pub(crate) numbers: Vec<u32>,
}
