//! Backward over hits to skip.
//!
//! Each stop of a backward run is a search of its own for rr, and each hit of which it finds itself that the condition
//! is false is a part of one: over thousands of them, the same way forward takes a fraction of the time. So after such
//! a hit this goes to an earlier event, runs forward to the last of them, and remembers the last moment at
//! which something may stop the run. From behind that the run goes on, and meets it as it would have; if there was
//! nothing, it goes on from the first hit that it came to, and that was looked at from farther back. A near stop is
//! found after little, a far one after about one run forward.
//!
//! A hit of a breakpoint is where its instruction is about to be executed, in both directions. A hit of a watchpoint is,
//! forward, behind the instruction that has written: so that is where such a hit is looked for, and what the run goes on
//! from is already behind it.
//!
//! What stops a run is not decided here, nor counted or told, so there is no second set of rules. Whatever goes wrong,
//! the run is where it was and goes on as if nobody had looked.

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::table::{Entry, same_registers};
use crate::breakpoints::temporary::Temporary;
use crate::run::exact_position::ExactPosition;
use crate::run::images::Executed;
use crate::run::mover::Mover;
use crate::run::session::Session;
use crate::run::step::Moved;
use crate::run::time_limit::verdict;
use crate::target::signals::{SIGKILL, SIGTRAP};
use arch::{Direction, RunAddr, ThreadId};
use rsp::{Break, BreakKind, Moment, Outcome, Restart, Resume, StopCause, StopReply};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What rr calls a checkpoint of ours.
const MARK: &str = "on the way back";
/// Hits in a row that did not count, after which it is looked from farther back: each costs as much as a look.
const ENOUGH: u32 = 1;
/// The same where what may count has been near, and how long it takes to find that at most.
const ENOUGH_IF_NEAR: u32 = 4;
const NEAR: Duration = Duration::from_millis(300);
/// How many times as far back the next look begins.
const FARTHER: u64 = 3;
/// A moment is remembered as so many stops from a checkpoint, or as little time, at most.
const FEW: u64 = 32;
const SHORTLY: Duration = Duration::from_millis(250);

/// What a backward run has to do about hits that it skips.
#[derive(Default)]
pub(crate) struct SkippedHits {
    /// There may be such hits, and it is known how to look for others.
    is_on: bool,
    /// rr evaluates no condition: rr stops at each hit.
    stops_at_each_hit: bool,
    /// So many since the last one that did.
    in_row: u32,
    enough: u32,
    /// The next stop is one that may count.
    is_behind_one: bool,
}

impl SkippedHits {
    /// Creates the `SkippedHits` of a run.
    pub(crate) fn on_the_way(session: &Session, direction: Direction) -> Self {
        let may_be = session.debuggee.breakpoints.enabled().any(Entry::may_skip);
        let is_on = direction == Direction::Reverse && session.debuggee.inferior.process.abilities().time && may_be;
        Self { is_on, stops_at_each_hit: is_on, enough: ENOUGH, ..Self::default() }
    }

    /// Returns whether rr is to stop at each hit, whatever its condition.
    pub(crate) fn stops_at_each_hit(&self) -> bool {
        self.stops_at_each_hit
    }

    /// Records that something else has happened than a hit to skip.
    pub(crate) fn something_else(&mut self) {
        (self.in_row, self.is_behind_one) = (0, false);
    }

    /// Counts one more. Returns whether they are enough.
    pub(crate) fn one_more(&mut self) -> bool {
        if self.is_behind_one {
            self.give_up();
        }
        self.in_row += 1;
        self.is_on && self.in_row >= self.enough
    }

    fn give_up(&mut self) {
        (self.is_on, self.stops_at_each_hit, self.is_behind_one) = (false, false, false);
    }

    fn found_after(&mut self, took: Duration) {
        let is_near = took < NEAR;
        self.enough = if is_near { ENOUGH_IF_NEAR } else { ENOUGH };
        (self.in_row, self.is_behind_one, self.stops_at_each_hit) = (0, true, !is_near);
    }
}

/// Where a run goes, unless something else stops it.
#[derive(Clone, Copy)]
pub(crate) struct Destination<'p> {
    pub(crate) thread: ThreadId,
    pub(crate) places: &'p [Temporary],
}

/// What has been hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hit {
    /// A breakpoint, at its instruction.
    Code,
    /// A watchpoint, by the instruction before (forward) or at (backward) where the thread is.
    Data(RunAddr),
}

/// A hit to skip, from which on nothing does until where the run began.
struct Bound {
    /// Where it stops forward.
    place: ExactPosition,
    moment: Moment,
    /// rr's checkpoint there.
    mark: u64,
    is_of_data: bool,
}

/// The last moment at which something may stop the run.
struct Last {
    place: ExactPosition,
    /// The way there: an rr checkpoint, since when that is, and how many stops behind it.
    mark: u64,
    made: Instant,
    stops: u64,
    /// How many stops there have been behind the checkpoint.
    since: u64,
    /// Whether that is behind what may stop the run, not in front of it.
    is_behind: bool,
    /// Whether it is before the first hit.
    is_early: bool,
}

/// What a run forward ends with.
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
enum RunEnd {
    /// A breakpoint or a watchpoint; without a `hit`, something else that stops.
    Stop {
        thread: ThreadId,
        hit: Option<Hit>,
    },
    Cancelled(Reason),
    /// The end of the process or of its image.
    Lost,
}

/// What there was to see from an event up to the bound.
enum Seen {
    /// Something that may stop the run; it is behind the last of it.
    Something,
    /// Nothing. The first hit; if it is not the bound, which is all there is then.
    Nothing(Option<Bound>),
    Cancelled(Reason),
    /// The way did not lead to the bound, or not to what there was.
    Lost,
}

/// Has rr stop at each hit.
pub(crate) fn drop_conditions(wanted: &mut [Break]) {
    for entry in wanted {
        entry.conditions.clear();
    }
}

fn is_code(kind: BreakKind) -> bool {
    matches!(kind, BreakKind::Software | BreakKind::Hardware)
}

impl Bound {
    fn pc(&self) -> RunAddr {
        self.place.position.pc
    }

    /// Has rr stop there, too, if it evaluates the conditions of what is hit there.
    fn add_to(&self, wanted: &mut [Break]) {
        let here = |entry: &&mut Break| match is_code(entry.kind) {
            true => entry.address == self.pc(),
            false => self.is_of_data,
        };
        for entry in wanted.iter_mut().filter(here).filter(|entry| !entry.conditions.is_empty()) {
            match same_registers(&self.place.registers) {
                Some(code) => entry.conditions.push(code),
                None => entry.conditions.clear(),
            }
        }
    }
}

impl Mover<'_, '_> {
    /// Goes from a hit that did not count to before all others like it, within this image if an `exec` has made it. The
    /// reason is why that was cut short; then it is at a hit like that.
    pub(crate) fn pass_skipped_hits(
        &mut self,
        (thread, hit): (ThreadId, Hit),
        skipped: &mut SkippedHits,
        image: Option<Executed>,
        to: Destination<'_>,
    ) -> Moved {
        let selected = self.session.debuggee.thread;
        let first = image.map_or(0, |image| image.event).max(self.session.beginning);
        let done = self.look_ever_farther((thread, hit), skipped, first, to);
        if done.as_ref().is_err_and(Error::ends_replay) {
            return done;
        }
        self.keep_marks(&[])?;
        // Their changes on the way are skipped. What tells of all its changes is still as it was last told.
        self.session.debuggee.remember_skipped_values();
        self.select_again(selected);
        done
    }

    fn look_ever_farther(
        &mut self,
        (thread, hit): (ThreadId, Hit),
        skipped: &mut SkippedHits,
        first: u64,
        to: Destination<'_>,
    ) -> Moved {
        let begun = Instant::now();
        let is_there = hit == Hit::Code || self.alone(thread, Direction::Forward)?;
        let Some(mut bound) = is_there.then(|| self.bound(thread, hit)).transpose()?.flatten() else {
            skipped.give_up();
            return Ok(None);
        };
        let from = bound.moment.event;
        let mut back = 0;
        loop {
            let event = from.saturating_sub(back).max(first);
            let cancelled = match self.guarded(|mover| mover.look(event, &bound, to)).and_then(|looked| looked) {
                Ok(Seen::Something) => {
                    skipped.found_after(begun.elapsed());
                    return Ok(None);
                }
                Ok(Seen::Nothing(nearer)) => {
                    bound = nearer.unwrap_or(bound);
                    self.keep_marks(&[bound.mark])?;
                    if event > first {
                        back = (back * FARTHER).max(1);
                        continue;
                    }
                    Ok(None)
                }
                Ok(Seen::Cancelled(reason)) => Ok(Some(reason)),
                Ok(Seen::Lost) => Ok(None),
                Err(error) if error.ends_replay() => return Err(error),
                Err(error @ Error::ReadingCancelled { .. }) => Err(error),
                Err(_) => Ok(None),
            };
            if !self.session.go_to_mark(bound.mark, &bound.place, self.cancel)? {
                return Err(Error::Strayed);
            }
            self.session.debuggee.catch_up()?;
            skipped.give_up();
            return cancelled;
        }
    }

    /// Makes the place of a thread a bound; `None` if rr makes no checkpoint there.
    fn bound(&mut self, thread: ThreadId, hit: Hit) -> Result<Option<Bound>, Error> {
        let place = self.place(thread)?;
        let Some(moment) = place.position.moment else { return Ok(None) };
        let is_of_data = hit != Hit::Code;
        Ok(self.mark()?.map(|mark| Bound { place, moment, mark, is_of_data }))
    }

    fn mark(&mut self) -> Result<Option<u64>, Error> {
        match self.session.debuggee.inferior.process.checkpoint(MARK) {
            Ok(mark) => {
                self.session.marks.push(mark);
                Ok(Some(mark))
            }
            Err(Error::Rsp(rsp::Error::Command { .. })) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn keep_marks(&mut self, kept: &[u64]) -> Result<(), Error> {
        let (kept, gone) = std::mem::take(&mut self.session.marks).into_iter().partition(|mark| kept.contains(mark));
        self.session.marks = kept;
        let gone: Vec<u64> = gone;
        gone.into_iter().try_for_each(|mark| self.session.debuggee.inferior.process.delete_checkpoint(mark))
    }

    /// Runs from an event to the bound.
    fn look(&mut self, event: u64, bound: &Bound, to: Destination<'_>) -> Result<Seen, Error> {
        if self.restart_at(Restart::Event(event))?.is_none() || !self.is_before(bound)? {
            return Ok(Seen::Nothing(None));
        }
        let (mut first, mut last): (Option<Bound>, Option<Last>) = (None, None);
        let mut watched = self.watched_now();
        for stops in 1.. {
            let (thread, hit) = match self.run_on_to(first.is_some().then_some(bound), to)? {
                RunEnd::Stop { thread, hit } => (thread, hit),
                RunEnd::Cancelled(reason) => return Ok(Seen::Cancelled(reason)),
                RunEnd::Lost => return Ok(Seen::Lost),
            };
            if self.is_at_bound(thread, bound)? {
                break;
            }
            if stops % FEW == 0 && self.session.debuggee.inferior.process.moment(thread)?.event > bound.moment.event {
                return Ok(Seen::Lost);
            }
            if let Some(last) = &mut last {
                last.since += 1;
            }
            let is_awaited = self.session.debuggee.is_awaited(thread)?;
            let is_arrival = self.is_arrival(thread, to)?;
            let may_count = match hit {
                None => true,
                Some(Hit::Code) => is_arrival || self.evaluate_hit(thread)?,
                Some(Hit::Data(address)) => {
                    let may_count = self.evaluate_watched(thread, address, &mut watched)?;
                    may_count || is_arrival || self.evaluate_hit(thread)?
                }
            };
            if first.is_none()
                && let Some(hit) = hit.filter(|hit| is_awaited || *hit != Hit::Code)
            {
                first = self.bound(thread, hit)?;
            }
            if may_count {
                // From behind the instruction at a breakpoint, a change before that is met, too.
                let is_behind = matches!(hit, Some(Hit::Data(_))) && !is_awaited && !is_arrival;
                let bounds = [Some(bound), first.as_ref()];
                let Some(known) = self.remember((thread, is_behind), last.take(), bounds)? else {
                    return Ok(Seen::Lost);
                };
                last = Some(known);
            }
        }
        match last {
            Some(last) => self.go_behind(&last, bound, to),
            None => Ok(Seen::Nothing(first)),
        }
    }

    /// Returns whether a thread is where the run goes.
    fn is_arrival(&mut self, thread: ThreadId, to: Destination<'_>) -> Result<bool, Error> {
        let registers = self.session.debuggee.inferior.process.registers(thread)?;
        let is_at = |place: &Temporary| {
            Some(place.address) == registers.pc() && registers.sp().is_some_and(|sp| place.sp.allows(sp))
        };
        Ok(thread == to.thread && to.places.iter().any(is_at))
    }

    /// Returns whether the thread is earlier than the bound.
    fn is_before(&mut self, bound: &Bound) -> Result<bool, Error> {
        let thread = self.session.debuggee.thread;
        let now = self.session.debuggee.inferior.process.moment(thread)?;
        Ok(now.event < bound.moment.event || now.event == bound.moment.event && !self.is_at_bound(thread, bound)?)
    }

    fn is_at_bound(&mut self, thread: ThreadId, bound: &Bound) -> Result<bool, Error> {
        let process = &mut self.session.debuggee.inferior.process;
        Ok(thread == bound.place.position.thread
            && process.registers(thread)? == bound.place.registers
            && process.moment(thread)? == bound.moment
            && self.place(thread)?.is_same_visit(&bound.place))
    }

    /// Runs on to the next stop; without a bound, to the next hit of any condition.
    fn run_on_to(&mut self, bound: Option<&Bound>, to: Destination<'_>) -> Result<RunEnd, Error> {
        if let Some(reason) = verdict(self.cancel) {
            return Ok(RunEnd::Cancelled(reason));
        }
        let s = &mut *self.session;
        let mut wanted = s.debuggee.wanted(Direction::Forward, to.places, &BTreeSet::new());
        match bound {
            Some(bound) => bound.add_to(&mut wanted),
            None => drop_conditions(&mut wanted),
        }
        let passed = s.debuggee.passed_signals();
        s.debuggee.inferior.process.pass_signals(&passed)?;
        s.debuggee.inferior.process.set_breaks(&wanted)?;
        let begun = Instant::now();
        let outcome = s.debuggee.inferior.process.resume(Resume::Continue, self.cancel);
        s.time_spent.run(begun.elapsed());
        let (signal, thread, cause) = match outcome {
            Ok(Outcome::Stopped(StopReply::Stopped { signal, thread, cause })) => (signal, thread, cause),
            Ok(Outcome::Interrupted(_)) => {
                return Ok(RunEnd::Cancelled(verdict(self.cancel).unwrap_or(Reason::Cancelled)));
            }
            Ok(Outcome::Stopped(_)) | Err(Error::Rsp(rsp::Error::Rejected { .. })) => return Ok(RunEnd::Lost),
            Err(other) => return Err(other),
        };
        s.debuggee.thread = thread;
        if matches!(signal, 0 | SIGKILL) {
            return Ok(RunEnd::Lost);
        }
        let hit = match cause {
            StopCause::SoftwareBreak | StopCause::HardwareBreak => Some(Hit::Code),
            StopCause::Watch { address, .. } => Some(Hit::Data(address)),
            _ => None,
        };
        // It may be the dynamic linker's hook.
        s.debuggee.catch_up()?;
        Ok(RunEnd::Stop { thread, hit: hit.filter(|_| signal == SIGTRAP) })
    }

    /// Takes this for the last moment. `None` if there is no way to come back to it. `bounds`: whose checkpoints are
    /// kept.
    fn remember(
        &mut self,
        (thread, is_behind): (ThreadId, bool),
        last: Option<Last>,
        bounds: [Option<&Bound>; 2],
    ) -> Result<Option<Last>, Error> {
        let place = self.place(thread)?;
        // Up to the first hit, other things stop than behind it: what is counted from before it is not met again.
        let is_early = bounds[1].is_none();
        let near = last.filter(|last| !last.is_early).map(|last| Last {
            place: place.clone(),
            stops: last.since,
            is_behind,
            ..last
        });
        if near.as_ref().is_some_and(|last| last.stops < FEW && last.made.elapsed() < SHORTLY) {
            return Ok(near);
        }
        let Some(mark) = self.mark()? else { return Ok(near) };
        let kept: Vec<u64> = bounds.into_iter().flatten().map(|bound| bound.mark).chain([mark]).collect();
        self.keep_marks(&kept)?;
        Ok(Some(Last { place, mark, made: Instant::now(), stops: 0, since: 0, is_behind, is_early }))
    }

    /// Goes to behind what happens at a moment: as far as one instruction, if it is not there.
    fn go_behind(&mut self, last: &Last, bound: &Bound, to: Destination<'_>) -> Result<Seen, Error> {
        let is_there = self.restart_at(Restart::Checkpoint(last.mark))?.is_some();
        for _ in 0..last.stops {
            match self.run_on_to(Some(bound), to)? {
                RunEnd::Stop { .. } => {}
                RunEnd::Cancelled(reason) => return Ok(Seen::Cancelled(reason)),
                RunEnd::Lost => return Ok(Seen::Lost),
            }
        }
        let thread = last.place.position.thread;
        if !is_there
            || !self.session.debuggee.inferior.process.threads()?.contains(&thread)
            || !self.is_at(thread, &last.place)?
        {
            return Ok(Seen::Lost);
        }
        self.session.debuggee.thread = thread;
        if last.is_behind {
            return Ok(Seen::Something);
        }
        let process = &mut self.session.debuggee.inferior.process;
        process.set_breaks(&[])?;
        match process.resume(Resume::Step(thread), self.cancel)? {
            Outcome::Stopped(StopReply::Stopped { .. }) => {}
            Outcome::Stopped(_) => return Ok(Seen::Lost),
            Outcome::Interrupted(_) => {
                return Ok(Seen::Cancelled(verdict(self.cancel).unwrap_or(Reason::Cancelled)));
            }
        }
        if !process.threads()?.contains(&thread) {
            return Ok(Seen::Lost);
        }
        // What is behind the bound has been met and told.
        let (now, end) = (process.moment(thread)?, bound.moment);
        let is_same_thread = thread == bound.place.position.thread;
        let is_before = Some(now.event) == last.place.position.event()
            || now.event < end.event
            || now.event == end.event && is_same_thread && now.ticks < end.ticks;
        self.session.debuggee.catch_up()?;
        Ok(if is_before { Seen::Something } else { Seen::Lost })
    }
}
