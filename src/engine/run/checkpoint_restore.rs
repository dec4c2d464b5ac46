//! Making checkpoints, going back to them, and making them anew in another replay.

use crate::api::error::Error;
use crate::api::{Checkpoint, Reason};
use crate::run::checkpoints::SavedCheckpoint;
use crate::run::session::Session;
use crate::run::stop_state::StopState;
use base::cancel::Cancel;
use rsp::Restart;
use std::time::{Duration, Instant};

/// How long it may take to make all checkpoints anew.
const REMAKING: Duration = Duration::from_secs(30);

impl Session {
    pub(crate) fn save_checkpoint(&mut self, note: Option<&str>) -> Result<Checkpoint, Error> {
        if self.state.at_end {
            let why = "the process is about to exit; go back a little first";
            return Err(Error::CheckpointRefused(why.to_owned()));
        }
        let level = self.debuggee.inferior.level(self.debuggee.thread, 0)?;
        let frame = self.debuggee.inferior.frame(self.debuggee.thread, 0, level, false)?;
        let function = frame.function.unwrap_or_else(|| frame.address.to_string());
        let place = match (frame.file, frame.line) {
            (Some(file), Some(line)) => format!("{function} at {file}:{line}"),
            _ => function,
        };
        let position = self.debuggee.inferior.position(self.debuggee.thread)?;
        let made = self.exact_position(self.debuggee.thread)?;
        let (state, waypoint, note) = (self.state.clone(), self.named_moment()?, note.map(str::to_owned));
        let number = match waypoint.is_some_and(|here| self.deep_places.are_in_tick_of(&here)) {
            true => None,
            false => Some(self.debuggee.inferior.process.checkpoint(&place).map_err(|error| match error {
                Error::Rsp(rsp::Error::Command { answer, .. }) => Error::CheckpointRefused(answer.trim().to_owned()),
                other => other,
            })?),
        };
        Ok(self.checkpoints.add(|id| {
            let shown = Checkpoint { id, position, waypoint, place, note };
            SavedCheckpoint { shown, number, place: made, state }
        }))
    }

    pub(crate) fn delete_checkpoint(&mut self, id: u32) -> Result<(), Error> {
        if let Some(number) = self.checkpoints.find(id)?.number {
            self.debuggee.inferior.process.delete_checkpoint(number)?;
        }
        self.checkpoints.remove(id);
        Ok(())
    }

    pub(crate) fn restore(&mut self, id: u32, cancel: &Cancel) -> Result<Reason, Error> {
        let known = self.checkpoints.find(id)?;
        let (thread, number, state) = (known.shown.position.thread, known.number, known.state.clone());
        let (place, moment) = (known.place.clone(), known.shown.waypoint);
        let mut reason = match number {
            Some(number) => self.restart(Restart::Checkpoint(number), cancel)?,
            None => Reason::Arrived,
        };
        let is_other = moment.is_some_and(|moment| moment.visit.is_some()) || !self.is_at(&place);
        if let Some(moment) = moment.filter(|moment| is_other && !moment.is_end) {
            // rr takes moments that look alike for one.
            reason = self.go_to(&moment, cancel)?;
        }
        self.state = StopState { at_end: self.state.at_end, ..state };
        if self.debuggee.inferior.process.threads()?.contains(&thread) {
            self.debuggee.thread = thread;
        }
        Ok(reason)
    }

    /// Makes the checkpoints anew, in a replay that has none, and forgets those of which the place is not found in
    /// time.
    pub(crate) fn remake_checkpoints(&mut self, cancel: &Cancel) -> Result<Vec<u32>, Error> {
        let (until, mut made, mut lost) = (Instant::now() + REMAKING, Vec::new(), Vec::new());
        for mut kept in self.checkpoints.all() {
            if kept.number.is_none() {
                made.push(kept);
                continue;
            }
            match Instant::now() < until && self.go_to_place(&kept.place, cancel)? {
                true => match self.debuggee.inferior.process.checkpoint(&kept.shown.place) {
                    Ok(number) => {
                        kept.number = Some(number);
                        made.push(kept);
                    }
                    Err(Error::Rsp(rsp::Error::Command { .. })) => lost.push(kept.shown.id),
                    Err(other) => return Err(other),
                },
                false => lost.push(kept.shown.id),
            }
        }
        self.checkpoints.replace(made);
        Ok(lost)
    }
}
