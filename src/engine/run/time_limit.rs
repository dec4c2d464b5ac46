//! How long a movement may take, and why it is ended.
//!
//! `perform.rs` sets the limit of its direction as a deadline of the call's cancellation. [`verdict`] asks that between
//! requests, `rsp/run.rs` while it waits for a stop. `rsp/link.rs` has the time-out of a single reply.

use crate::api::{Reason, Timeouts};
use arch::Direction;
use base::cancel::{Cancel, Cancelled};
use std::time::Duration;

/// The least time that a restart gets.
pub(crate) const RESTART: Duration = Duration::from_secs(60);

impl From<Cancelled> for Reason {
    fn from(cancelled: Cancelled) -> Self {
        match cancelled {
            Cancelled::Requested => Self::Cancelled,
            Cancelled::DeadlineExceeded { limit } => Self::TimedOut { after: limit },
        }
    }
}

/// Returns how long a movement in this direction may take.
pub(crate) fn of_movement(limits: &Timeouts, direction: Direction) -> Duration {
    match direction {
        Direction::Forward => limits.forward,
        Direction::Reverse => limits.reverse,
    }
}

/// Returns why a movement is to be ended, if it is.
pub(crate) fn verdict(cancel: &Cancel) -> Option<Reason> {
    cancel.check().err().map(Reason::from)
}

/// Returns how long a restart may take in a movement. rr cannot be interrupted in it, and to abandon one is to abandon
/// the replay, so it may overrun what is left of the movement's time. `least`: what each gets.
pub(crate) fn for_restart(cancel: &Cancel, least: Duration) -> Duration {
    cancel.left().map_or(Duration::MAX, |left| left.max(least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_movement_ends_for_its_limit_or_because_it_is_cancelled() {
        let call = Cancel::default();
        let movement = call.with_deadline(Duration::from_secs(1000));
        assert_eq!(verdict(&movement), None);
        let late = call.with_deadline(Duration::ZERO);
        call.cancel();
        assert_eq!(verdict(&movement), Some(Reason::Cancelled));
        assert_eq!(verdict(&late), Some(Reason::TimedOut { after: Duration::ZERO }));
        assert_eq!(for_restart(&late, RESTART), RESTART);
    }
}
