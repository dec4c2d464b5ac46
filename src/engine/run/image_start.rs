//! Where the present program image starts, and runs backward within it.
//!
//! rr searches backward from a moment that it has kept, which may be one of an image before. There the breakpoints of
//! the present image mean nothing, and rr runs through it without a stop. So a moment at the start of the image is
//! kept before the first run backward in it: behind that, rr misses nothing, and what has gone past it has come to it.

use crate::api::Reason;
use crate::api::error::Error;
use crate::run::images::{Executed, Identity, identity};
use crate::run::mover::{Mover, Settled};
use crate::run::time_limit::{for_restart, verdict};
use crate::target::signals::SIGKILL;
use arch::{Direction, ThreadId};
use base::cancel::Cancel;
use rsp::{Outcome, PASSED_SIGNALS, Restart, Resume, StopReply};
use std::time::Duration;

/// What rr calls the moment that is kept.
const MARK: &str = "the start of a program";
/// What it calls where it comes back to.
const REFUGE: &str = "before looking for the start of the program";
/// Signals that one program of it may get.
const MAX_STOPS: usize = 1_000_000;
/// Programs that one process may have executed before the present one.
const MAX_IMAGES: usize = 1000;

/// Where the present image starts, or why that was not found out.
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
enum ImageStart {
    At(u64),
    Nowhere,
    TooLate,
    Cancelled(Reason),
}

/// What a run to the next `exec` comes to.
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
pub(crate) enum NextExec {
    /// In front of one, at this event.
    At(u64),
    /// There is none.
    None,
    /// Its own time was up, at this event.
    TooLate(u64),
    /// The movement was cancelled.
    Cancelled(Reason),
}

impl Mover<'_, '_> {
    /// Makes ready for a run backward: finds out the present image, if an `exec` has made it. Err: why that was cut
    /// short.
    pub(crate) fn image_behind_exec(&mut self) -> Result<Result<Option<Executed>, Reason>, Error> {
        let s = &mut *self.session;
        if !s.debuggee.inferior.process.abilities().time {
            return Ok(Ok(None));
        }
        let present = identity(&mut s.debuggee.inferior.process)?;
        let (Some(start), false) = (s.debuggee.inferior.modules.start(), s.images.first.contains(&present)) else {
            return Ok(Ok(None));
        };
        if let Some(known) = s.images.later.iter().find(|known| known.is_kept && known.identity == present) {
            return Ok(Ok(Some(Executed { event: known.event, start })));
        }
        if self.is_image_unknown {
            return Ok(Ok(None));
        }
        let allowed = self.cancel.left().unwrap_or(Duration::MAX) / 2;
        let share = self.cancel.with_deadline(allowed);
        let found = self.and_back(|mover, now| {
            let found = mover.find_start(&present, now, &share)?;
            if let ImageStart::At(event) = found {
                let is_kept = mover.session.debuggee.inferior.process.checkpoint(MARK).is_ok();
                let later = mover.session.images.later.iter_mut();
                later.filter(|known| known.event == event).for_each(|known| known.is_kept = is_kept);
            }
            Ok(found)
        })?;
        Ok(match found {
            ImageStart::At(event) => Ok(Some(Executed { event, start })),
            ImageStart::Nowhere => {
                self.session.images.first.push(present);
                Ok(None)
            }
            ImageStart::TooLate => {
                self.is_image_unknown = true;
                self.session.notes.push(format!(
                    "the `exec` that made this program was not found within {:.0} s: going back may pass it without a \
                     stop, and breakpoints of this program that were hit soon after it",
                    allowed.as_secs_f64()
                ));
                Ok(None)
            }
            ImageStart::Cancelled(reason) => Err(reason),
        })
    }

    /// Does something elsewhere, which is told the present event, and comes back.
    fn and_back<R>(&mut self, f: impl FnOnce(&mut Self, u64) -> Result<R, Error>) -> Result<R, Error> {
        let s = &mut *self.session;
        let selected = s.debuggee.thread;
        let threads = s.debuggee.inferior.process.threads()?;
        // The selected thread may have ended.
        let thread = threads.iter().find(|thread| **thread == selected).or(threads.first()).copied();
        let thread = thread.ok_or(Error::Incomplete("living process"))?;
        let origin = self.place(thread)?;
        // At the end of the recording, rr makes none.
        let refuge = self.session.debuggee.inferior.process.checkpoint(REFUGE).ok();
        let done = f(self, origin.position.event().unwrap_or_default());
        let s = &mut *self.session;
        match refuge {
            Some(refuge) => {
                let is_back = s.go_to_mark(refuge, &origin, self.cancel)?;
                s.debuggee.inferior.process.delete_checkpoint(refuge)?;
                if !is_back {
                    return Err(Error::Strayed);
                }
            }
            None => self.arrive(thread, &origin)?,
        }
        self.session.debuggee.thread = selected;
        done
    }

    /// Goes to the start of an image that is known by its identity, and not later than an event.
    fn find_start(&mut self, image: &Identity, by: u64, share: &Cancel) -> Result<ImageStart, Error> {
        let s = &mut *self.session;
        let known = s.images.later.iter().map(|known| known.event).filter(|event| *event <= by).max();
        let mut last = known.unwrap_or(s.images.first_event);
        s.debuggee.inferior.process.restart(Restart::Event(last), for_restart(self.cancel, s.restart_limit))?;
        for _ in 0..MAX_IMAGES {
            let now = identity(&mut self.session.debuggee.inferior.process)?;
            if last != self.session.images.first_event {
                self.session.images.add(now.clone(), last);
                if now == *image {
                    return Ok(ImageStart::At(last));
                }
            }
            // What was looked through before is not again.
            let reached = self.session.images.searched.filter(|(from, reached)| *from == last && *reached < by);
            if let Some((_, reached)) = reached {
                let s = &mut *self.session;
                s.debuggee
                    .inferior
                    .process
                    .restart(Restart::Event(reached), for_restart(self.cancel, s.restart_limit))?;
            }
            last = match self.run_to_exec(Some(share))? {
                NextExec::At(event) if event < by => event + 1,
                NextExec::At(_) | NextExec::None => break,
                NextExec::TooLate(reached) => {
                    self.session.images.searched = Some((last, reached));
                    return Ok(ImageStart::TooLate);
                }
                NextExec::Cancelled(reason) => return Ok(ImageStart::Cancelled(reason)),
            };
            let s = &mut *self.session;
            s.debuggee.inferior.process.restart(Restart::Event(last), for_restart(self.cancel, s.restart_limit))?;
        }
        // It does not look as it did at its start.
        if last == self.session.images.first_event {
            return Ok(ImageStart::Nowhere);
        }
        let s = &mut *self.session;
        s.debuggee.inferior.process.restart(Restart::Event(last), for_restart(self.cancel, s.restart_limit))?;
        s.images.add(image.clone(), last);
        Ok(ImageStart::At(last))
    }

    /// Runs on to where rr stops in front of an `exec`; with a `share` of the movement's time, no longer than that.
    pub(crate) fn run_to_exec(&mut self, share: Option<&Cancel>) -> Result<NextExec, Error> {
        let process = &mut self.session.debuggee.inferior.process;
        process.pass_signals(&PASSED_SIGNALS)?;
        process.set_breaks(&[])?;
        for _ in 0..MAX_STOPS {
            if let Some(reason) = verdict(self.cancel) {
                return Ok(NextExec::Cancelled(reason));
            }
            match process.resume(Resume::Continue, share.unwrap_or(self.cancel))? {
                Outcome::Interrupted(reply) => {
                    return Ok(match (verdict(self.cancel), reply) {
                        (None, StopReply::Stopped { thread, .. }) if share.is_some() => {
                            NextExec::TooLate(process.moment(thread)?.event)
                        }
                        (verdict, _) => NextExec::Cancelled(verdict.unwrap_or(Reason::Cancelled)),
                    });
                }
                Outcome::Stopped(StopReply::Stopped { signal: 0, thread, .. }) => {
                    self.session.debuggee.thread = thread;
                    return Ok(NextExec::At(process.moment(thread)?.event));
                }
                // A program may send itself any, a trap as well.
                Outcome::Stopped(StopReply::Stopped { signal, .. }) if signal != SIGKILL => {}
                Outcome::Stopped(_) => return Ok(NextExec::None),
            }
        }
        Err(Error::Strayed)
    }

    /// Returns whether a run backward has led to before an image, through its start.
    fn has_left(&mut self, image: Executed, outcome: &Outcome) -> Result<bool, Error> {
        let (Outcome::Stopped(reply) | Outcome::Interrupted(reply)) = outcome;
        let StopReply::Stopped { thread, .. } = *reply else { return Ok(true) };
        Ok(self.session.debuggee.inferior.process.moment(thread)?.event < image.event)
    }

    /// Returns whether a thread is at the start of an image.
    pub(crate) fn is_at_start_of(&mut self, image: Executed, thread: ThreadId) -> Result<bool, Error> {
        let process = &mut self.session.debuggee.inferior.process;
        let pc = process.registers(thread).ok().and_then(|registers| registers.pc());
        Ok(pc == Some(image.start) && process.moment(thread)?.event == image.event)
    }

    /// Records that the present image starts here, at this event.
    pub(crate) fn add_image(&mut self, event: u64) -> Result<(), Error> {
        let identity = identity(&mut self.session.debuggee.inferior.process)?;
        self.session.images.add(identity, event);
        Ok(())
    }

    /// Decides what a run backward within an image comes to.
    pub(crate) fn settle_within(&mut self, image: Option<Executed>, outcome: Outcome) -> Result<Settled, Error> {
        let Some(image) = image else { return self.settle(outcome, Direction::Reverse, None) };
        if !self.has_left(image, &outcome)? {
            return self.settle(outcome, Direction::Reverse, None);
        }
        let thread = self.restart_at(Restart::Event(image.event))?.ok_or(Error::Strayed)?;
        if !self.is_at_start_of(image, thread)? {
            return Err(Error::Strayed);
        }
        Ok(verdict(self.cancel).map_or(Settled::At(thread), Settled::Stop))
    }
}
