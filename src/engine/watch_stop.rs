//! What a stop at a watchpoint has to tell: the value before and after, and what wrote.
//!
//! Forward, rr stops behind the writing instruction; backward, at it, with the old value still in memory (x86). Old
//! and new are named in the order of time, whichever way the stop was reached.

use super::breakpoints::What;
use super::error::Error;
use super::model::{Access, Frame, Reason};
use super::modules::Role;
use super::motion::Mover;
use super::step::{Machine, instruction_before};
use super::watch::Watch;
use crate::arch::{Direction, Flow, RunAddr, ThreadId};
use crate::ctype::{Options, render};
use crate::rsp::Resume;

/// The contents of a watched object before and after what happened.
struct Change {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl Change {
    fn is_one(&self) -> bool {
        self.old != self.new
    }
}

impl Mover<'_, '_> {
    /// The reason to stop where rr has reported a watchpoint on `address`; `None` if there is none. All watchpoints
    /// are looked at, because rr names only one of several.
    pub(super) fn watch_reason(
        &mut self,
        thread: ThreadId,
        address: RunAddr,
        direction: Direction,
    ) -> Result<Option<Reason>, Error> {
        let watches: Vec<(u32, Watch, bool)> = self
            .session
            .breakpoints
            .enabled()
            .filter_map(|e| match &e.what {
                What::Data { watch, .. } => Some((e.number, watch.clone(), e.is_for(thread))),
                What::Code { .. } => None,
            })
            .collect();
        let mut found = None;
        for (number, watch, is_for_thread) in watches {
            let now = watch.read(&mut self.session.scene.process);
            let named = watch.address == address.0;
            let change = match direction {
                Direction::Forward => Change { old: watch.last.clone(), new: now.clone() },
                Direction::Reverse => Change { old: now.clone(), new: watch.last.clone() },
            };
            self.set_last(number, now);
            if !is_for_thread {
                continue;
            }
            let change = self.exact_change(thread, number, &watch, change, direction)?;
            let hit = match watch.access {
                Access::Write => change.is_one(),
                Access::Read => named && !change.is_one(),
                Access::Access => named || change.is_one(),
            };
            if !hit || !self.condition_of_watch(thread, number, direction)? {
                self.session.busy.pass(number);
                continue;
            }
            let Some(entry) = self.session.breakpoints.get(number) else {
                continue;
            };
            let expression = entry.text.clone();
            if !entry.count_hit() {
                continue;
            }
            match entry.log.clone() {
                Some(log) => {
                    let (old, new) = self.values(thread, &watch, change);
                    self.session.write_down(thread, number, &log, Some((old, new)))?;
                }
                None if found.is_none() => found = Some((number, watch, change, expression)),
                None => {}
            }
        }
        let Some((number, watch, change, expression)) = found else {
            return Ok(None);
        };
        let access = watch.access;
        let (old, new) = self.values(thread, &watch, change);
        self.session.note_owner_of_watched(number, thread)?;
        let reason =
            Reason::Watchpoint { number, access, expression, old, new, writer: self.writer(thread, direction)? };
        Ok(Some(reason))
    }

    /// A change in words; of what has not changed there is no old value.
    fn values(&mut self, thread: ThreadId, watch: &Watch, change: Change) -> (Option<String>, Option<String>) {
        let changed = change.is_one();
        let mut show = |bytes: Option<Vec<u8>>| bytes.map(|bytes| self.show(thread, watch, &bytes));
        (show(change.old.filter(|_| changed)), show(change.new))
    }

    fn set_last(&mut self, number: u32, now: Option<Vec<u8>>) {
        if let Some(What::Data { watch, .. }) = self.session.breakpoints.get(number).map(|e| &mut e.what) {
            watch.last = now;
        }
    }

    /// With a condition, rr passes by changes that do not meet it, so what was last seen here may be older than the
    /// last change: one instruction to the other side and back tells.
    fn exact_change(
        &mut self,
        thread: ThreadId,
        number: u32,
        watch: &Watch,
        change: Change,
        direction: Direction,
    ) -> Result<Change, Error> {
        let conditional = self.session.breakpoints.get(number).is_some_and(|e| e.condition.is_some());
        if !conditional {
            return Ok(change);
        }
        let beyond = self.beyond(thread, direction, |mover| watch.read(&mut mover.session.scene.process))?;
        Ok(match (beyond, direction) {
            (None, _) => change,
            (Some(old), Direction::Forward) => Change { old, ..change },
            (Some(new), Direction::Reverse) => Change { new, ..change },
        })
    }

    /// Looks at the other side of the instruction that touched the watched object, and comes back. `None` if that did
    /// not lead back here.
    pub(super) fn beyond<R>(
        &mut self,
        thread: ThreadId,
        direction: Direction,
        look: impl FnOnce(&mut Self) -> R,
    ) -> Result<Option<R>, Error> {
        let (there, back) = match direction {
            Direction::Forward => (Resume::ReverseStep(thread), Resume::Step(thread)),
            Direction::Reverse => (Resume::Step(thread), Resume::ReverseStep(thread)),
        };
        let before = self.session.scene.process.registers(thread)?;
        self.session.scene.process.set_breaks(&[])?;
        self.session.scene.process.resume(there, self.limit)?;
        let seen = look(self);
        self.session.scene.process.resume(back, self.limit)?;
        let after = self.session.scene.process.registers(thread)?;
        let same = before.pc() == after.pc() && before.sp() == after.sp();
        Ok(same.then_some(seen))
    }

    /// Whether the condition of a watchpoint holds, for the state after the change. rr has evaluated what it can; but
    /// it stops for any of several, and tells which only by an address.
    fn condition_of_watch(&mut self, thread: ThreadId, number: u32, direction: Direction) -> Result<bool, Error> {
        let watches = self.session.breakpoints.enabled().filter(|e| matches!(e.what, What::Data { .. }));
        let is_only = watches.count() == 1;
        let Some(entry) = self.session.breakpoints.get(number) else {
            return Ok(false);
        };
        let (condition, meant) = match (&entry.condition, &entry.what) {
            (None, _) => return Ok(true),
            (Some(_), What::Data { bytecode: Some(_), .. }) if is_only => return Ok(true),
            (Some(condition), What::Data { meant, .. }) => (condition.clone(), Some(meant.clone())),
            (Some(condition), What::Code { .. }) => (condition.clone(), None),
        };
        let holds = match direction {
            Direction::Forward => self.session.scene.condition_holds(thread, meant.as_ref(), &condition),
            Direction::Reverse => {
                let there = self.beyond(thread, direction, |mover| {
                    mover.session.scene.refresh()?;
                    Ok::<_, Error>(mover.session.scene.condition_holds(thread, meant.as_ref(), &condition))
                })?;
                match there {
                    Some(answer) => answer?,
                    None => Ok(true),
                }
            }
        };
        Ok(holds.unwrap_or_else(|why| {
            self.session.notes.push(format!("condition `{condition}` of watchpoint {number}: {why}"));
            true
        }))
    }

    fn show(&mut self, thread: ThreadId, watch: &Watch, bytes: &[u8]) -> String {
        let scene = &mut self.session.scene;
        let pc = scene.process.registers(thread).ok().and_then(|r| r.pc()).unwrap_or_default();
        let options = Options::new(scene.target_at(pc));
        render(&watch.value(bytes), scene, &options).text
    }

    /// The frame of the instruction that touched the watched object.
    fn writer(&mut self, thread: ThreadId, direction: Direction) -> Result<Option<Frame>, Error> {
        let pc = self.session.scene.process.registers(thread)?.pc().unwrap_or_default();
        let in_rr = self.session.scene.modules.at(pc).is_none_or(|m| m.role == Role::Rr);
        let at = match direction {
            Direction::Forward if !in_rr => self.instruction_that_led_to(thread, pc)?,
            _ => None,
        };
        if let Some(at) = at {
            return Ok(Some(self.session.scene.frame_of_code(at)));
        }
        // At the instruction itself; or in rr's code, on behalf of the system call that the visible frame has made.
        let level = self.session.scene.level(thread, 0)?;
        Ok(Some(self.session.scene.frame(thread, 0, level, false)?))
    }

    /// The instruction before `pc`; at the entry of a function, the call.
    fn instruction_that_led_to(&mut self, thread: ThreadId, pc: RunAddr) -> Result<Option<RunAddr>, Error> {
        let was = std::mem::replace(&mut self.session.thread, thread);
        let at_entry = self.body(pc).is_some_and(|b| b.entry == pc);
        let spot = self.spot();
        let behind = match at_entry {
            true => spot?.sp,
            false => 0,
        };
        let behind = if at_entry { self.word(behind).map(RunAddr) } else { Some(pc) };
        let found = behind.and_then(|behind| instruction_before(self, behind));
        self.session.thread = was;
        Ok(found.filter(|(_, i)| at_entry == (i.flow == Flow::Call)).map(|(at, _)| at))
    }
}
