//! Ending a replay from outside the thread that owns it.

use base::cancel::Cancel;
use rr::{Killer, Replay};
use rsp::Hangup;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long rr may take to end by itself after its client has hung up. It does so within milliseconds where it looks
/// for requests, and then reaps its replayed processes, which nobody may do after it was killed.
const GRACE: Duration = Duration::from_millis(200);

/// A switch that ends the rr of an engine from any thread and at any time, whatever the engine's own thread does: while
/// the replay is being started, in the middle of a run that rr does not let itself be interrupted in, or in no request
/// at all.
///
/// It is the one part of an engine that other threads may hold. (A run is not interrupted here, but by what its call is
/// [cancelled](crate::Engine::set_cancel) with: which bytes rr may be sent depends on what it is doing, and
/// that is known to the engine's thread alone, which asks every few dozen milliseconds.)
#[derive(Clone, Debug, Default)]
pub struct KillSwitch {
    line: Arc<Mutex<Line>>,
    /// Cancelled when it is pulled.
    cancel: Cancel,
}

#[derive(Debug, Default)]
struct Line {
    rr: Option<Killer>,
    wire: Option<Arc<Hangup>>,
}

impl KillSwitch {
    /// Hangs up, gives rr a fifth of a second to end by itself, then kills its whole process group.
    ///
    /// Returns true: no rr of the engine is left, and none will be started. What the engine was asked, and whatever it
    /// is asked later, fails with [`Error::Ended`](crate::Error::Ended). False: rr was killed and is not gone
    /// after seconds.
    pub fn pull(&self) -> bool {
        let (rr, wire) = {
            let line = self.line();
            self.cancel.cancel();
            (line.rr.clone(), line.wire.clone())
        };
        if let Some(wire) = wire {
            wire.now();
        }
        rr.is_none_or(|rr| rr.wait(GRACE) || rr.kill())
    }

    /// Returns whether it has been pulled.
    pub fn is_pulled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns the `Cancel` that is cancelled when it is pulled.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Guards a replay: from now on pulling it ends this one. Returns false if it has been pulled already.
    pub(crate) fn guard(&self, replay: &Replay) -> bool {
        let mut line = self.line();
        line.rr = Some(replay.killer());
        line.wire = None;
        !self.is_pulled()
    }

    /// Sets the connection to the guarded replay.
    pub(crate) fn guard_wire(&self, wire: Option<Hangup>) {
        self.line().wire = wire.map(Arc::new);
    }

    /// Locks the line, also after a panic elsewhere, which cannot leave it in a state that matters.
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_replay_there_is_nothing_to_end_and_it_stays_pulled() {
        let switch = KillSwitch::default();
        assert!(!switch.is_pulled());
        let other = switch.clone();
        assert!(other.pull());
        assert!(switch.is_pulled() && other.is_pulled());
    }
}
