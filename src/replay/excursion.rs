//! What a question does elsewhere in the recording, before the replay is back where it was.

use super::error::{Error, ErrorKind, Result};
use super::session::{Replay, stop_of};
use super::stop::Stop;
use arch::Direction;
use engine::model::{Motion, Reason};

impl Replay {
    /// Runs forward to the next hit of a breakpoint, past other stops; `None` if the process ends before.
    pub(super) fn run_to_hit(&mut self, number: u32) -> Result<Option<Stop>> {
        loop {
            self.check_cancel()?;
            let before = self.stop.position.event();
            let stop = self.told(|engine| engine.go(Motion::Continue(Direction::Forward)))?;
            in_time(&stop.reason)?;
            let is_end = matches!(stop.reason, Reason::EndOfRecording { .. });
            self.stop = stop_of(self.core.engine(), stop, u64::MAX)?;
            self.tell_output(before);
            if self.stop.reason.is_hit_of(number) {
                return Ok(Some(self.stop.clone()));
            }
            if is_end {
                return Ok(None);
            }
        }
    }

    pub(super) fn arrive(&mut self, motion: Motion) -> Result<()> {
        in_time(&self.told(|engine| engine.go(motion))?.reason)
    }

    pub(super) fn disable_all(&mut self) -> Result<()> {
        let engine = self.core.engine();
        for breakpoint in engine.breakpoints() {
            engine.set_enabled(breakpoint.number, false)?;
        }
        Ok(())
    }
}

/// Fails if a stop says that the time was up, or that the question was cancelled: it has not been answered then.
fn in_time(reason: &Reason) -> Result<()> {
    match reason {
        Reason::TimedOut { after } => {
            Err(Error::new(ErrorKind::TimedOut, format!("the time was up after {} s", after.as_secs_f64())))
        }
        Reason::Cancelled => Err(Error::new(ErrorKind::Cancelled, "it was cancelled")),
        _ => Ok(()),
    }
}
