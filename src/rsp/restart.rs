//! Going elsewhere without running: `vRun` and checkpoints.

use super::client::Client;
use super::command::{Command, RrCommand, RunTarget};
use super::dialect;
use super::error::Error;
use super::link::{Awaited, error_of};
use super::reply::{self, Fault, excerpt};
use super::{Restart, StopReply};
use arch::Direction;
use std::time::{Duration, Instant};

/// How the server took a `vRun`.
enum Taken {
    /// It went there.
    Yes,
    /// `E01`: it is where it was, but has dropped all breakpoints and lists no threads until the next success.
    No,
}

/// The longest that a restart is waited for: the clock cannot tell what is farther away.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

impl Client {
    /// Restarts the replay at another position. Not interruptible; if rr has not answered by `deadline`, or when the
    /// call is [cancelled](Client::set_cancel), the connection is abandoned. All breakpoints are inserted anew by the
    /// next resume.
    ///
    /// Works after the debuggee's exit too. If rr cannot go there, the position is the old one; only after the
    /// debuggee's exit, where rr has no position to return to, it is the end of the recording.
    pub fn restart(&mut self, to: Restart, deadline: Duration) -> Result<StopReply, Error> {
        let by = Instant::now() + deadline.min(LONGEST);
        match to {
            Restart::Event(event) => {
                if self.state.events_cut_off {
                    self.find_end_again(event, by)?;
                }
                let event = event.min(i64::MAX as u64);
                let end = self.end_if_there()?;
                self.run_to(RunTarget::Event(end.map_or(event, |end| event.min(end))), by)
            }
            Restart::Checkpoint(id) if !self.checkpoints.contains(&id) => {
                Err(Error::NoCheckpoint { id, known: self.checkpoints.iter().copied().collect() })
            }
            Restart::Checkpoint(id) => self.run_to(RunTarget::Checkpoint(id), by),
            Restart::Ticks(ticks) => self.run_to_ticks(ticks, by),
            Restart::PresentTick(ticks) => self.run_to(RunTarget::Ticks(ticks), by),
        }
    }

    /// Makes a checkpoint here; `place` is for humans. Its number, good for the life of the connection. At the exit of
    /// the debuggee rr makes none.
    pub fn checkpoint(&mut self, place: &str) -> Result<u64, Error> {
        let id = self.rr(RrCommand::Checkpoint(place.to_owned()), dialect::checkpoint_made)?;
        self.checkpoints.insert(id);
        Ok(id)
    }

    /// Forgets a checkpoint.
    pub fn delete_checkpoint(&mut self, id: u64) -> Result<(), Error> {
        if !self.checkpoints.contains(&id) {
            return Err(Error::NoCheckpoint { id, known: self.checkpoints.iter().copied().collect() });
        }
        self.rr(RrCommand::DeleteCheckpoint(id), |text| dialect::checkpoint_deleted(text).then_some(()))?;
        self.checkpoints.remove(&id);
        Ok(())
    }

    fn run_to(&mut self, target: RunTarget, by: Instant) -> Result<StopReply, Error> {
        match self.send_run(target, by)? {
            Taken::Yes => self.swallow_dummy_stop(by),
            Taken::No => {
                self.return_to_end(by)?;
                let request = Command::Run(target).encode(self.spelling);
                Err(error_of(&request, Fault::Refused(1)))
            }
        }
    }

    /// Restarts at a tick. It may not exist, and a failed `vRun` leaves rr without threads. So a checkpoint is made
    /// first, to return to.
    fn run_to_ticks(&mut self, ticks: u64, by: Instant) -> Result<StopReply, Error> {
        let refuge = if self.state.alive().is_ok() && !self.state.at_end {
            Some(self.checkpoint("before going to a tick")?)
        } else {
            None
        };
        let taken = self.send_run(RunTarget::Ticks(ticks), by)?;
        let result = match (taken, refuge) {
            (Taken::Yes, _) => self.swallow_dummy_stop(by),
            (Taken::No, None) => {
                self.return_to_end(by)?;
                Err(Error::NoSuchTick { ticks })
            }
            (Taken::No, Some(id)) => {
                self.send_run(RunTarget::Checkpoint(id), by)?;
                self.swallow_dummy_stop(by)?;
                Err(Error::NoSuchTick { ticks })
            }
        };
        if let Some(id) = refuge {
            self.link.usable()?;
            self.delete_checkpoint(id)?;
        }
        result
    }

    /// Goes back to the end after a failed `vRun` where no checkpoint can be made.
    fn return_to_end(&mut self, by: Instant) -> Result<(), Error> {
        let end = self.rr(RrCommand::When, dialect::event)?;
        self.send_run(RunTarget::Event(end), by)?;
        self.swallow_dummy_stop(by).map(drop)
    }

    /// Returns the last event, if the debuggee is at its exit. There, rr would look for a later one for ever.
    pub(super) fn end_if_there(&mut self) -> Result<Option<u64>, Error> {
        if self.state.at_end { self.rr(RrCommand::When, dialect::event).map(Some) } else { Ok(None) }
    }

    /// Undoes what a backward `W00` has done to rr's idea of the last event. A `W00` at the true end corrects it, so
    /// this goes there: by a restart, which wherever it leads brings the debuggee back to life, and then by running on.
    fn find_end_again(&mut self, event: u64, by: Instant) -> Result<(), Error> {
        let begun = Instant::now();
        self.run_to(RunTarget::Event(event), by)?;
        let request = Command::Continue.encode(self.spelling);
        loop {
            self.link.send(&request)?;
            self.state.running();
            let left = by.saturating_duration_since(Instant::now());
            let packet = self.link.receive(&request, left, Awaited::Arrival)?;
            let stop = self.stop_reply(&request, &packet)?;
            self.state.stopped(&stop, Direction::Forward);
            match stop {
                StopReply::Exited(_) => return Ok(()),
                // No forward run gets past an exec: it would stop here again and again.
                StopReply::Stopped { signal: 0, .. } => return Err(Error::CutOff { event }),
                // The stop before the exit, or a signal. All breakpoints are gone.
                _ if Instant::now() < by => {}
                _ => {
                    let (request, after) = (excerpt(&request), begun.elapsed());
                    return Err(self.link.fail(Error::Timeout { request, after }));
                }
            }
        }
    }

    /// Sends `vRun`, whose reply carries a stale signal and says nothing but success.
    fn send_run(&mut self, target: RunTarget, by: Instant) -> Result<Taken, Error> {
        let request = Command::Run(target).encode(self.spelling);
        self.link.send(&request)?;
        // Whether it succeeds or not.
        self.breaks.forget_inserted();
        let asked = Instant::now();
        let packet = self.link.receive(&request, by.saturating_duration_since(asked), Awaited::Arrival)?;
        self.link.waited(asked.elapsed());
        match reply::stop(&packet, Some(self.state.pid)) {
            Ok(StopReply::Stopped { thread, .. }) => {
                self.state.restarted();
                self.state.current = thread;
                Ok(Taken::Yes)
            }
            Err(Fault::Refused(_)) => Ok(Taken::No),
            Ok(_) => Err(self.link.fail(error_of(&request, Fault::Malformed("an exit".into())))),
            Err(fault) => Err(self.link.fail(error_of(&request, fault))),
        }
    }

    /// Spends the first resume after a `vRun`, which is answered at once and moves nothing. Its answer is the true
    /// stop: `T00`, or `T09` at the exit of the debuggee.
    fn swallow_dummy_stop(&mut self, by: Instant) -> Result<StopReply, Error> {
        let request = Command::Continue.encode(self.spelling);
        self.link.send(&request)?;
        let limit = by.saturating_duration_since(Instant::now()).max(self.link.request_timeout);
        let packet = self.link.receive(&request, limit, Awaited::Arrival)?;
        let stop = self.stop_reply(&request, &packet)?;
        self.state.interrupted(&stop);
        self.image = self.read_image()?;
        self.image_in_doubt = false;
        Ok(stop)
    }
}
