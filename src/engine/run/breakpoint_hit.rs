//! What a stop at a breakpoint or watchpoint of the user comes to: whether it counts, what it logs, and the reason that
//! is told.

use crate::api::Reason;
use crate::api::error::Error;
use crate::run::mover::{Mover, Settled};
use arch::{Direction, RunAddr, ThreadId};

impl Mover<'_, '_> {
    /// Decides whether it stops a thread where it is. If that is cut short, the session remembers that it was not
    /// decided.
    fn deciding<R>(
        &mut self,
        thread: ThreadId,
        decide: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.session.undecided = Some(thread);
        let decided = decide(self);
        self.session.debuggee.inferior.check_answers()?;
        if !matches!(decided, Err(Error::ReadingCancelled { .. })) {
            self.session.undecided = None;
        }
        decided
    }

    /// Counts the hits of the user's breakpoints where the thread is, and returns the reason if one stops it.
    pub(crate) fn user_breakpoint(&mut self, thread: ThreadId) -> Result<Option<Reason>, Error> {
        self.deciding(thread, |mover| mover.count_hits(thread))
    }

    /// Counts all that are hit, and writes down what they log.
    fn count_hits(&mut self, thread: ThreadId) -> Result<Option<Reason>, Error> {
        let s = &mut *self.session;
        let Some(pc) = s.debuggee.inferior.process.registers(thread)?.pc() else {
            return Ok(None);
        };
        let numbers = s.debuggee.breakpoints.at(pc);
        if numbers.is_empty() {
            return Ok(None);
        }
        s.debuggee.catch_up()?;
        let mut stopped = None;
        // The innermost level that one of those which are hit is for.
        let mut shown: Option<usize> = None;
        // Whoever is told of, all temporary ones that are hit have done their duty.
        let mut done = Vec::new();
        for number in numbers {
            let entry = s.debuggee.breakpoints.get(number).filter(|e| e.is_for(thread));
            let (condition, level) = entry.map(|e| (e.condition.clone(), e.level_at(pc))).unwrap_or_default();
            if let Some(condition) = condition {
                s.debuggee.inferior.hide_inlined(thread, level.unwrap_or(0))?;
                let holds = s.debuggee.inferior.condition_holds(thread, None, &condition);
                s.debuggee.inferior.check_answers()?;
                match holds {
                    Ok(true) => {}
                    Ok(false) => {
                        s.time_spent.skip(number);
                        continue;
                    }
                    Err(why) => s.notes.push(format!("condition `{condition}` of breakpoint {number}: {why}")),
                }
            }
            let catch = s.debuggee.breakpoints.get(number).filter(|e| e.is_for(thread)).and_then(|e| e.catch.clone());
            let caught = match catch.map(|catch| s.debuggee.caught(thread, pc, &catch)).transpose()? {
                Some(None) => {
                    s.time_spent.skip(number);
                    continue;
                }
                caught => caught.flatten(),
            };
            s.debuggee.inferior.check_answers()?;
            let Some(entry) = s.debuggee.breakpoints.get_mut(number).filter(|e| e.is_for(thread)) else {
                continue;
            };
            if entry.count_hit() {
                if let Some(log) = entry.log.clone() {
                    done.extend(entry.temporary.then_some(number));
                    s.debuggee.inferior.hide_inlined(thread, level.unwrap_or(0))?;
                    s.debuggee.write_down(thread, number, &log, None)?;
                    s.time_spent.skip(number);
                    continue;
                }
                shown = level.map(|level| shown.map_or(level, |least| least.min(level))).or(shown);
                done.extend(entry.temporary.then_some(number));
                let temporary = entry.temporary;
                stopped = stopped.or(Some(match caught {
                    Some(caught) => Reason::Catch { number, temporary, caught },
                    None => Reason::Breakpoint { number, temporary },
                }));
            } else {
                s.time_spent.skip(number);
            }
        }
        if stopped.is_some() {
            s.debuggee.thread = thread;
        }
        if let Some(Reason::Catch { caught, .. }) = &stopped {
            let thrown = s.debuggee.thrown_object(thread, caught);
            s.debuggee.inferior.variables.exception = s.debuggee.exception_object(thread, caught);
            s.debuggee.inferior.check_answers()?;
            s.notes.extend(thrown);
        }
        s.debuggee.inferior.hide_inlined(thread, shown.unwrap_or(0))?;
        for number in done {
            s.debuggee.breakpoints.remove(number)?;
        }
        Ok(stopped)
    }

    /// Decides what a watchpoint that rr tells of comes to.
    pub(crate) fn watch_hit(
        &mut self,
        thread: ThreadId,
        address: RunAddr,
        direction: Direction,
        stepping: Option<ThreadId>,
    ) -> Result<Settled, Error> {
        let hits = self.session.debuggee.breakpoints.hits();
        let watched = self.deciding(thread, |mover| {
            mover.session.debuggee.catch_up()?;
            mover.watch_reason(thread, address, direction)
        })?;
        if let Some(reason) = watched.reason {
            if !watched.has_waited {
                self.count_breakpoints_at(thread)?;
            }
            return Ok(self.stop(thread, reason));
        }
        if watched.has_waited {
            return Ok(Settled::GoOn);
        }
        // A breakpoint may have been hit by the same instruction, and a step is done in any case.
        Ok(if stepping.is_some() || self.session.debuggee.is_awaited(thread)? {
            Settled::At(thread)
        } else if watched.is_behind || self.session.debuggee.breakpoints.hits() != hits {
            Settled::GoOn
        } else {
            Settled::Skipped(thread, address)
        })
    }
}
