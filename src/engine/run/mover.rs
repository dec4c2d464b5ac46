//! One movement of the selected thread of a session: what it knows on its way.

use crate::api::{Position, Reason};
use crate::run::session::Session;
use crate::run::stop_state::{SignalStop, StoreSequence, Touch};
use arch::{RunAddr, ThreadId};
use base::cancel::Cancel;

/// What a stop of the target comes to.
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
pub(crate) enum Settled {
    /// The thread stopped at a place that somebody may wait for.
    At(ThreadId),
    /// Nothing to tell: go on.
    GoOn,
    /// A watchpoint was touched by the thread, at this address, and that does not count.
    Skipped(ThreadId, RunAddr),
    /// A stop for the user.
    Stop(Reason),
}

/// Moves the selected thread of a session.
pub(crate) struct Mover<'s, 'l> {
    pub(crate) session: &'s mut Session,
    /// What cancels it, with its time limit.
    pub(crate) cancel: &'l Cancel,
    /// Whether it has begun to go back.
    pub(crate) goes_back: bool,
    /// Whether rr stops at each hit, and evaluates no condition.
    pub(crate) stops_at_each_hit: bool,
    /// It takes too long to find out where the present image starts.
    pub(crate) is_image_unknown: bool,
    /// A signal in front of which no place was found.
    pub(crate) stuck_at: Option<SignalStop>,
    /// Where the movement began, if what happens there is behind it.
    pub(crate) began_at: Option<Position>,
    /// The signal that was left last, going back.
    pub(crate) left: Option<SignalStop>,
    /// Whether what it met last was a report of a watchpoint.
    pub(crate) reported: bool,
    /// How often the process had been moved when the movement began, if what was seen of watched objects is of then.
    pub(crate) moves_before: Option<u64>,
    /// What touched a watched object, and has stopped where the movement began.
    pub(crate) told: Option<Touch>,
    /// What touched watched objects last, and was counted without a stop. A breakpoint at the same moment leads there again.
    pub(crate) counted: Option<Touch>,
    /// The stores of an allocator of which one has stopped where the movement began, or since.
    pub(crate) stores: Option<StoreSequence>,
    /// Whether the movement begins beside an `exec` that it has stopped for, and goes over it.
    pub(crate) told_exec: bool,
    /// The thread that has gone back from a signal to the place in front of it.
    pub(crate) in_front: Option<ThreadId>,
}

impl<'s, 'l> Mover<'s, 'l> {
    pub(crate) fn new(session: &'s mut Session, cancel: &'l Cancel) -> Self {
        let told = session.state.touch.take();
        // Who was sent here by the number of an event has not heard what happens here.
        let is_gone_to = std::mem::take(&mut session.state.is_gone_to);
        let is_behind = !session.is_between_events() || is_gone_to;
        let began_at = session.last_place.as_ref().map(|place| place.position);
        let began_at = began_at.filter(|_| is_behind && !session.state.at_end);
        let stores = session.state.stores.take();
        let is_seen = session.last_place.is_some() && !session.state.at_end;
        let moves_before = is_seen.then(|| session.debuggee.inferior.process.moves());
        session.known_ways.clear();
        Self {
            session,
            cancel,
            goes_back: false,
            stops_at_each_hit: false,
            is_image_unknown: false,
            stuck_at: None,
            began_at,
            left: None,
            reported: false,
            moves_before,
            told,
            counted: None,
            stores,
            told_exec: false,
            in_front: None,
        }
    }
}
