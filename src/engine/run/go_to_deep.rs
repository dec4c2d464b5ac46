//! Going to a place in a long tick that the session has shown.
//!
//! Such a tick may come by an instruction a hundred thousand times, and each of these visits costs a stop. The name of a
//! moment tells the right one from others, but not where to look for it: so the session keeps the registers, and where a
//! call lies that was entered a little earlier.

use crate::api::Waypoint;
use crate::api::error::Error;
use crate::breakpoints::table::same_registers;
use crate::run::deep_places::DeepPlace;
use crate::run::exact_position::ExactPosition;
use crate::run::session::Session;
use base::cancel::Cancel;
use rsp::{Break, BreakKind, Outcome, Resume, StopReply};

/// Most stops with the same registers that are looked at.
const ALIKE: usize = 64;
/// The call, counted from the innermost one, that is run to first.
const OUTER: usize = 3;

impl Session {
    /// Keeps where a thread is, if that is in a long tick, under the name that it has. Returns where the return address of
    /// a call lies that was entered a little earlier.
    pub(crate) fn keep_deep_place(&mut self, moment: &Waypoint) -> Result<Option<u64>, Error> {
        let thread = moment.thread;
        if moment.is_end {
            return Ok(None);
        }
        if let Some(known) = self.deep_places.find(moment) {
            return Ok(known.entry);
        }
        if !self.is_in_long_tick(thread)? {
            return Ok(None);
        }
        let entry = self.return_slot(thread, OUTER)?;
        let inferior = &mut self.debuggee.inferior;
        let (position, registers) = (inferior.position(thread)?, inferior.process.registers(thread)?);
        let place = ExactPosition::new(position, registers, &mut inferior.process).with_visit(moment.visit);
        self.deep_places.add(DeepPlace { place, entry });
        Ok(entry)
    }

    /// Makes a checkpoint in rr where the replay is; `None` where rr refuses one, or would take minutes.
    pub(crate) fn quick_checkpoint(&mut self, name: &str) -> Option<u64> {
        let here = self.last_place.as_ref().and_then(ExactPosition::waypoint);
        if here.is_some_and(|here| self.deep_places.are_in_tick_of(&here)) {
            return None;
        }
        self.debuggee.inferior.process.checkpoint(name).ok()
    }

    /// Goes to a place of a long tick that the session has shown, or of which the name says where a call around it lies.
    /// Without success it is anywhere.
    pub(crate) fn go_to_deep_place(&mut self, moment: &Waypoint, cancel: &Cancel) -> Result<bool, Error> {
        let shown = self.deep_places.find(moment).cloned();
        let entry = shown.as_ref().map_or(moment.entry, |shown| shown.entry);
        if shown.is_none() && entry.is_none() {
            return Ok(false);
        }
        let (thread, position) = (moment.thread, moment.position());
        if !self.go_to_beginning(&position)? {
            return Ok(false);
        }
        if let Some(slot) = entry
            && !self.run_to_entry(slot, thread, position.moment, cancel)?
            && !self.go_to_beginning(&position)?
        {
            return Ok(false);
        }
        let process = &mut self.debuggee.inferior.process;
        let breakpoint = Break {
            kind: BreakKind::Software,
            address: moment.pc,
            length: process.arch().trap_size(),
            conditions: shown.as_ref().and_then(|shown| same_registers(&shown.place.registers)).into_iter().collect(),
        };
        for _ in 0..ALIKE {
            let process = &mut self.debuggee.inferior.process;
            let is_it = match &shown {
                _ if Some(process.moment(thread)?) != position.moment => false,
                Some(shown) => shown.place.fits(thread, process)?,
                None => self.fits(moment, thread)?,
            };
            if is_it {
                self.debuggee.thread = thread;
                return Ok(true);
            }
            let process = &mut self.debuggee.inferior.process;
            process.set_breaks(std::slice::from_ref(&breakpoint))?;
            let ran = match process.resume(Resume::Continue, cancel) {
                Err(Error::Rsp(rsp::Error::Rejected { .. })) => return Ok(false),
                ran => ran?,
            };
            if !matches!(ran, Outcome::Stopped(StopReply::Stopped { thread: stopped, .. }) if stopped == thread) {
                return Ok(false);
            }
        }
        Ok(false)
    }
}
