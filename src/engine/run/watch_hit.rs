//! What a stop at a watchpoint has to tell: the value before and after, and what wrote.
//!
//! Forward, rr stops behind the writing instruction; backward, at it, with the old value still in memory (x86). Old
//! and new are named in the order of time, whichever way the stop was reached. Both are read.

use crate::api::error::Error;
use crate::api::{Access, Frame, Reason};
use crate::breakpoints::log::Touched;
use crate::breakpoints::table::{Entry, Trigger};
use crate::breakpoints::watch::Watch;
use crate::run::exact_position::ExactPosition;
use crate::run::mover::Mover;
use crate::run::reexecute::Beyond;
use crate::run::step::{Machine, instruction_before};
use crate::run::stop_state::Touch;
use crate::run::thread_exit_write::Landing;
use arch::{Direction, Flow, RunAddr, ThreadId, updates_memory};
use program::module::Role;

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

/// What is in all watched objects where it is, and on the other side of what has touched them.
struct Sides {
    now: Vec<Option<Vec<u8>>>,
    there: Option<Vec<Option<Vec<u8>>>>,
    /// Where the thread is in front of what it does, and after it.
    before: Option<ExactPosition>,
    after: Option<ExactPosition>,
    /// Whether it was not at the last moment before, but is now.
    has_waited: bool,
    /// Whether what is seen here is of before a late write.
    is_late: bool,
}

/// What a report of a watchpoint comes to.
pub(crate) struct Watched {
    /// The reason to stop, if it is one.
    pub(crate) reason: Option<Reason>,
    /// Whether the thread was on the way through what it has done there, and still is.
    pub(crate) has_waited: bool,
    /// Whether the movement began behind it, at the stop that has reported it.
    pub(crate) is_behind: bool,
}

impl Watched {
    fn nothing(has_waited: bool) -> Self {
        Self { reason: None, has_waited, is_behind: false }
    }
}

/// Most notes of one movement.
const MAX_NOTES: usize = 20;

/// Returns whether a watched object is another than when it was last seen, if both can be read.
fn differs(watch: &Watch, seen: &Option<Vec<u8>>) -> bool {
    seen.is_some() && watch.last.is_some() && *seen != watch.last
}

/// Who changed a watched object before a stop.
enum LastWriter {
    /// The code of this frame.
    Code(Frame),
    /// No instruction of the process: the object was the same before those that came last.
    Elsewhere,
    /// Not available.
    Unknown,
}

impl Mover<'_, '_> {
    /// Decides what it comes to that rr has reported a watchpoint on `address`. All watchpoints are looked at, because
    /// rr names only one of several. Their values are read on both sides of what has touched them: what was remembered
    /// may be older than the last change.
    pub(crate) fn watch_reason(
        &mut self,
        thread: ThreadId,
        address: RunAddr,
        direction: Direction,
    ) -> Result<Watched, Error> {
        let watches = self.watches(thread);
        let read = |mover: &mut Self| -> Vec<Option<Vec<u8>>> {
            watches.iter().map(|(_, watch, _)| watch.read(&mut mover.session.debuggee.inferior.process)).collect()
        };
        if direction == Direction::Forward && !self.any_watchpoint_counts(thread, |_, _, _| true)? {
            // Whatever was written, nobody is told: there is no need to look at the other side, which is slow.
            let now = read(self);
            for ((number, ..), now) in watches.iter().zip(now) {
                self.set_last(*number, now);
            }
            return Ok(Watched::nothing(false));
        }
        if direction == Direction::Forward
            && let Some(there) = self.remembered(&watches, read)
        {
            let (now, after) = (read(self), self.place(thread)?);
            let (there, after) = (Some(there), Some(after));
            let sides = Sides { now, there, before: None, after, has_waited: false, is_late: false };
            return self.told_of(thread, address, direction, &watches, sides);
        }
        let beyond = self.beyond(thread, direction, read)?;
        let now = read(self);
        let late = match &beyond {
            Some(Beyond { seen, has_waited: true, .. }) if *seen == now => {
                self.before_late_write(thread, seen, read)?
            }
            _ => None,
        };
        let now = late.as_ref().map_or(now, |late| late.seen.clone());
        if let Some(Beyond { seen, .. }) = beyond.as_ref().filter(|_| direction == Direction::Reverse && late.is_none())
            && let Some(watched) = self.unreported(thread, &watches, seen)?
        {
            return Ok(watched);
        }
        let (there, before, after, has_waited) = match beyond {
            Some(Beyond { seen, before, after, has_waited }) => (Some(seen), Some(before), Some(after), has_waited),
            None => (None, None, None, false),
        };
        let sides = Sides { now, there, before, after, has_waited, is_late: late.is_some() };
        let watched = self.told_of(thread, address, direction, &watches, sides)?;
        if let Some(late) = &late {
            self.go_to_before(thread, late)?;
        }
        Ok(watched)
    }

    /// Returns the watchpoints, and whether they are for a thread.
    fn watches(&self, thread: ThreadId) -> Vec<(u32, Watch, bool)> {
        let watch = |e: &Entry| match &e.what {
            Trigger::Data { watch, .. } => Some((e.number, watch.clone(), e.is_for(thread))),
            Trigger::Code { .. } => None,
        };
        self.session.debuggee.breakpoints.enabled().filter_map(watch).collect()
    }

    /// Finds a change between where it has stopped, going back, and the last stop, which rr has not reported: of a
    /// breakpoint and a watchpoint at one moment it reports the breakpoint only.
    pub(crate) fn unreported_before(&mut self, thread: ThreadId) -> Result<Option<Watched>, Error> {
        let watches = self.watches(thread);
        let read = |mover: &mut Self| -> Vec<Option<Vec<u8>>> {
            watches.iter().map(|(_, watch, _)| watch.read(&mut mover.session.debuggee.inferior.process)).collect()
        };
        let now = read(self);
        let changed = self.changed_unreported(&watches, &now);
        // Of one with a condition nobody knows when it was written last: where rr may have reported a breakpoint instead,
        // the instruction is looked at.
        if changed.is_none() && !(self.any_write_not_reported() && self.is_at_breakpoint(thread)?) {
            return Ok(None);
        }
        let beyond = self.beyond(thread, Direction::Reverse, read)?;
        let is_about_to = |beyond: &Beyond<Vec<Option<Vec<u8>>>>| match changed {
            Some(changed) => beyond.seen.get(changed) == watches.get(changed).map(|(_, watch, _)| &watch.last),
            None => beyond.seen != now,
        };
        let address = watches.get(changed.unwrap_or(0)).map_or(RunAddr(0), |(_, watch, _)| RunAddr(watch.address));
        match beyond.filter(is_about_to) {
            // The thread is about to write it.
            Some(Beyond { seen, before, after, has_waited }) => {
                let (there, before, after) = (Some(seen), Some(before), Some(after));
                let sides = Sides { now, there, before, after, has_waited, is_late: false };
                // rr has reported a breakpoint, and evaluated no condition of a watchpoint for that.
                let stops_at_each_hit = std::mem::replace(&mut self.stops_at_each_hit, true);
                let watched = self.told_of(thread, address, Direction::Reverse, &watches, sides);
                self.stops_at_each_hit = stops_at_each_hit;
                let watched = watched?;
                if watched.reason.is_some() && !watched.has_waited {
                    self.count_breakpoints_at(thread)?;
                }
                // Otherwise there is the breakpoint to look at.
                Ok(Some(watched).filter(|watched| watched.reason.is_some()))
            }
            None if changed.is_some() => self.unreported(thread, &watches, &now),
            None => Ok(None),
        }
    }

    /// Returns whether there is a watchpoint of writes of which only some are reported.
    fn any_write_not_reported(&self) -> bool {
        self.session.debuggee.breakpoints.enabled().any(|entry| {
            let reports_all = entry.condition.is_none() && entry.log.is_none();
            !reports_all && matches!(&entry.what, Trigger::Data { watch, .. } if watch.access == Access::Write)
        })
    }

    fn is_at_breakpoint(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let pc = self.session.debuggee.inferior.process.registers(thread)?.pc().unwrap_or_default();
        Ok(!self.session.debuggee.breakpoints.at(pc).is_empty())
    }

    /// Returns the index of the first watchpoint that has all writes reported and whose object is not as it was when it
    /// was last seen.
    fn changed_unreported(&self, watches: &[(u32, Watch, bool)], seen: &[Option<Vec<u8>>]) -> Option<usize> {
        watches.iter().zip(seen).position(|((number, watch, _), seen)| {
            let entry = self.session.debuggee.breakpoints.get(*number);
            let tells_all = entry.is_some_and(|entry| entry.condition.is_none() && entry.log.is_none());
            tells_all && watch.access == Access::Write && differs(watch, seen)
        })
    }

    /// Returns what was in the watched objects before a change that is reported forward, if there is no need to look
    /// back for it, which is slow: nobody watches for this thread, or the report just before this one has shown it, or
    /// the stop at which the movement began, from where rr has run straight to here. rr reports all that is changed on
    /// its way forward, by the program and by the kernel.
    fn remembered(
        &mut self,
        watches: &[(u32, Watch, bool)],
        read: impl Fn(&mut Self) -> Vec<Option<Vec<u8>>>,
    ) -> Option<Vec<Option<Vec<u8>>>> {
        let last = || watches.iter().map(|(_, watch, _)| watch.last.clone()).collect();
        if !watches.iter().any(|(.., is_for_thread)| *is_for_thread) {
            return Some(last());
        }
        let is_filtered = |e: &Entry| e.condition.is_some() && matches!(e.what, Trigger::Data { .. });
        let reports_all = !self.session.debuggee.breakpoints.enabled().any(is_filtered);
        let ran_straight =
            self.moves_before.is_some_and(|before| self.session.debuggee.inferior.process.moves() == before + 1);
        if !(self.reported || ran_straight) || !reports_all || watches.iter().any(|(_, watch, _)| watch.last.is_none())
        {
            return None;
        }
        let now = read(self);
        let has_changed = watches.iter().zip(&now).any(|((_, watch, is_for), now)| *is_for && *now != watch.last);
        has_changed.then(last)
    }

    /// Finds a change between what a thread is about to do and the last stop, of which rr has not told: backward, it is
    /// the stop before this one.
    fn unreported(
        &mut self,
        thread: ThreadId,
        watches: &[(u32, Watch, bool)],
        seen: &[Option<Vec<u8>>],
    ) -> Result<Option<Watched>, Error> {
        let Some(first) = self.changed_unreported(watches, seen) else { return Ok(None) };
        let ((number, watch, _), old) = (&watches[first], &seen[first]);
        let found = self.next_stop(thread, |mover, landing| {
            if watch.read(&mut mover.session.debuggee.inferior.process) != watch.last {
                return Ok(None);
            }
            Ok(Some((mover.place(landing.thread)?, mover.writer_before(landing, watch)?)))
        })?;
        let Some((after, writer)) = found else { return Ok(None) };
        // One is told; of the others, at least that they have changed.
        let others =
            watches.iter().zip(seen).filter(|((other, watch, _), seen)| other != number && differs(watch, seen));
        for ((other, watch, _), seen) in others {
            self.note_change(thread, *other, watch, seen, Direction::Reverse);
        }
        for ((number, ..), seen) in watches.iter().zip(seen) {
            self.set_last(*number, seen.clone());
        }
        // It may be what the movement began at, forward.
        if self.told.take_if(|told| told.after == after).is_some_and(|told| told.numbers.contains(number)) {
            return Ok(Some(Watched::nothing(true)));
        }
        let Some(entry) =
            self.session.debuggee.breakpoints.get_mut(*number).filter(|e| e.is_for(after.position.thread))
        else {
            return Ok(Some(Watched::nothing(true)));
        };
        let (access, expression) = (watch.access, entry.text.clone());
        if !entry.count_hit() {
            return Ok(Some(Watched::nothing(true)));
        }
        let writer = match writer {
            LastWriter::Code(frame) => Some(frame),
            LastWriter::Elsewhere => {
                self.note_once(format!(
                    "no instruction of this process wrote `{expression}` just before the next stop: another process that \
                     shares the memory did, or the kernel"
                ));
                None
            }
            LastWriter::Unknown => {
                self.note_once(format!("who wrote `{expression}` before the next stop is not known"));
                None
            }
        };
        let change = Change { old: old.clone(), new: watch.last.clone() };
        let (old, new) = self.values(thread, watch, change);
        self.session.state.touch = Some(Touch { after, direction: Direction::Reverse, numbers: vec![*number] });
        let reason = Reason::Watchpoint { number: *number, access, expression, old, new, writer };
        Ok(Some(Watched { reason: Some(reason), has_waited: true, is_behind: false }))
    }

    /// Notes that a watched object has changed without a report, if its watchpoint has all changes reported.
    fn note_change(
        &mut self,
        thread: ThreadId,
        number: u32,
        watch: &Watch,
        now: &Option<Vec<u8>>,
        direction: Direction,
    ) {
        let entry = self.session.debuggee.breakpoints.get(number).filter(|entry| entry.condition.is_none());
        if let Some(expression) = entry.map(|entry| entry.text.clone()) {
            let note = self.session.words_for_unreported(thread, &expression, watch, now, direction);
            self.note_once(note);
        }
    }

    /// Decides what is told of what there is to see on both sides.
    fn told_of(
        &mut self,
        thread: ThreadId,
        address: RunAddr,
        direction: Direction,
        watches: &[(u32, Watch, bool)],
        sides: Sides,
    ) -> Result<Watched, Error> {
        let Sides { now, there, before, after, has_waited, is_late: is_late_back } = sides;
        let mut told = self.told.take().filter(|told| after.as_ref() == Some(&told.after));
        // What looks like it farther on in the same direction is something else, if there may be such a thing.
        if told.as_ref().is_some_and(|told| told.direction == direction) && self.session.may_recur(thread)? {
            told = None;
        }
        let mut counted = self.counted.take().filter(|counted| after.as_ref() == Some(&counted.after));
        let mut touch = after.clone().map(|after| Touch { after, direction, numbers: Vec::new() });
        let (mut found, mut is_behind) = (None, false);
        for (index, (number, watch, is_for_thread)) in watches.iter().enumerate() {
            let number = *number;
            let here = now.get(index).cloned().flatten();
            let read = there.as_ref().and_then(|there| there.get(index));
            let is_late = direction == Direction::Forward && read == Some(&here) && watch.address == address.0;
            let read = read.filter(|_| !is_late);
            let other = read.cloned().unwrap_or_else(|| watch.last.clone());
            self.set_last(number, here.clone());
            if !is_for_thread {
                continue;
            }
            let named = watch.address == address.0;
            let change = match direction {
                Direction::Forward => Change { old: other.clone(), new: here },
                Direction::Reverse => Change { old: here, new: other.clone() },
            };
            let hit = match watch.access {
                Access::Write => change.is_one(),
                // x86 has no watchpoint for reads alone.
                Access::Read => named && (!change.is_one() || self.reads_what_it_writes(thread, direction)?),
                Access::Access => named || change.is_one(),
            };
            if hit && let Some(touch) = &mut touch {
                touch.numbers.push(number);
            }
            if !hit && read.is_some() && other.is_some() && watch.last.is_some() && other != watch.last {
                self.note_change(thread, number, watch, &other, direction);
            }
            let is_told = told.as_ref().is_some_and(|told| told.numbers.contains(&number));
            let is_counted = counted.as_ref().is_some_and(|counted| counted.numbers.contains(&number));
            is_behind |= hit && is_told;
            if !hit || is_told || is_counted || !self.condition_of_watch(thread, number, direction)? {
                self.session.time_spent.skip(number);
                continue;
            }
            self.check(thread, number, watch, read.is_some() || is_late, &other, direction);
            if let (Some(before), Some(after)) = (&before, &after)
                && read.is_some()
                && !is_late_back
            {
                let doubt = self.doubt(before, after, watch, (&change.old, &change.new))?;
                if let Some(doubt) = doubt {
                    self.note_once(doubt);
                }
            }
            if self.goes_on_storing(thread, number)? {
                self.session.time_spent.skip(number);
                continue;
            }
            let Some(entry) = self.session.debuggee.breakpoints.get_mut(number) else {
                continue;
            };
            let expression = entry.text.clone();
            let (is_due, log) = (entry.count_hit(), entry.log.clone());
            if let Some(after) = after.as_ref().filter(|_| !is_due || log.is_some()) {
                let begun = || Touch { after: after.clone(), direction, numbers: Vec::new() };
                counted.get_or_insert_with(begun).numbers.push(number);
            }
            if !is_due {
                continue;
            }
            match log {
                Some(log) => {
                    let (old, new) = self.values(thread, watch, change);
                    let by = self.writer(thread, direction)?;
                    self.session.debuggee.write_down(thread, number, &log, Some(Touched { old, new, by }))?;
                }
                None if found.is_none() => found = Some((number, watch, change, expression)),
                None => {}
            }
        }
        self.counted = counted;
        let Some((number, watch, change, expression)) = found else {
            if is_behind {
                // A breakpoint at the same moment leads here once more.
                self.told = told;
            }
            return Ok(Watched { reason: None, has_waited, is_behind });
        };
        let access = watch.access;
        match (&change.old, &change.new) {
            (Some(_), None) => {
                self.note_once(format!("`{expression}` cannot be read behind this: its memory is unmapped here"));
            }
            (None, Some(_)) => {
                self.note_once(format!("`{expression}` can be read behind this only: its memory is mapped here"));
            }
            _ => {}
        }
        let (old, new) = self.values(thread, watch, change);
        self.session.note_owner_of_watched(number, thread)?;
        let stores = self.session.stores_of_allocator(number, thread)?;
        if let Some(note) = self.note_of_piece(thread, &expression, watch, direction)? {
            self.note_once(note);
        }
        let writer = self.writer(thread, direction)?;
        self.session.debuggee.inferior.check_answers()?;
        self.session.state.touch = touch;
        self.session.state.stores = stores;
        let reason = Reason::Watchpoint { number, access, expression, old, new, writer };
        Ok(Watched { reason: Some(reason), has_waited, is_behind: false })
    }

    /// Returns whether what touches a watched object is another store of those of which one was told last.
    fn goes_on_storing(&mut self, thread: ThreadId, number: u32) -> Result<bool, Error> {
        match self.stores.filter(|stores| stores.number == number) {
            Some(stores) => Ok(self.session.stores_of_allocator(number, thread)? == Some(stores)),
            None => Ok(false),
        }
    }

    /// Checks the value that was read on the other side of a stop against the one that was last seen. Nothing can have
    /// changed it in between that rr would not have reported, unless it was told to report only some changes.
    fn check(
        &mut self,
        thread: ThreadId,
        number: u32,
        watch: &Watch,
        was_read: bool,
        other: &Option<Vec<u8>>,
        direction: Direction,
    ) {
        let Some(entry) = self.session.debuggee.breakpoints.get(number) else { return };
        let expression = entry.text.clone();
        let reports_all = entry.condition.is_none();
        let note = if !was_read {
            let which = match direction {
                Direction::Forward => "old",
                Direction::Reverse => "new",
            };
            format!("`{expression}`: the {which} value is that of the last stop; the memory could not be read")
        } else if reports_all && watch.last.is_some() && *other != watch.last {
            self.session.words_for_unreported(thread, &expression, watch, other, direction)
        } else {
            return;
        };
        self.note_once(note);
    }

    /// Adds to the notes of the stop, which stay few however often the same happens on the way.
    fn note_once(&mut self, note: String) {
        let notes = &mut self.session.notes;
        if notes.len() < MAX_NOTES && !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Renders a change in words; of what has not changed there is no old value.
    fn values(&mut self, thread: ThreadId, watch: &Watch, change: Change) -> (Option<String>, Option<String>) {
        let changed = change.is_one();
        let mut show = |bytes: Option<Vec<u8>>| bytes.map(|bytes| self.session.show_watched(thread, watch, &bytes));
        (show(change.old.filter(|_| changed)), show(change.new))
    }

    fn set_last(&mut self, number: u32, now: Option<Vec<u8>>) {
        if let Some(Trigger::Data { watch, .. }) =
            self.session.debuggee.breakpoints.get_mut(number).map(|e| &mut e.what)
        {
            watch.last = now;
        }
    }

    /// Evaluates whether the condition of a watchpoint holds, for the state after the change. rr has evaluated what it
    /// can; but it stops for any of several, and tells which only by an address.
    fn condition_of_watch(&mut self, thread: ThreadId, number: u32, direction: Direction) -> Result<bool, Error> {
        let watches = self.session.debuggee.breakpoints.enabled().filter(|e| matches!(e.what, Trigger::Data { .. }));
        let is_only = watches.count() == 1;
        let Some(entry) = self.session.debuggee.breakpoints.get(number) else {
            return Ok(false);
        };
        let (condition, meant) = match (&entry.condition, &entry.what) {
            (None, _) => return Ok(true),
            (Some(_), Trigger::Data { bytecode: Some(_), .. }) if is_only && !self.stops_at_each_hit => {
                return Ok(true);
            }
            (Some(condition), Trigger::Data { meant, .. }) => (condition.clone(), Some(meant.clone())),
            (Some(condition), Trigger::Code { .. }) => (condition.clone(), None),
        };
        let holds = match direction {
            Direction::Forward => self.session.debuggee.inferior.condition_holds(thread, meant.as_ref(), &condition),
            Direction::Reverse => {
                let there = self.beyond(thread, direction, |mover| {
                    mover.session.debuggee.inferior.refresh()?;
                    Ok::<_, Error>(mover.session.debuggee.inferior.condition_holds(thread, meant.as_ref(), &condition))
                })?;
                match there {
                    Some(there) => there.seen?,
                    None => Ok(true),
                }
            }
        };
        self.session.debuggee.inferior.check_answers()?;
        Ok(holds.unwrap_or_else(|why| {
            self.note_once(format!("condition `{condition}` of watchpoint {number}: {why}"));
            true
        }))
    }

    /// Finds the frame of the instruction that touched the watched object.
    fn writer(&mut self, thread: ThreadId, direction: Direction) -> Result<Option<Frame>, Error> {
        let pc = self.session.debuggee.inferior.process.registers(thread)?.pc().unwrap_or_default();
        let in_rr = self.session.debuggee.inferior.modules.at(pc).is_none_or(|m| m.role == Role::Rr);
        let at = match direction {
            Direction::Forward if !in_rr => self.instruction_that_led_to(thread, pc)?,
            _ => None,
        };
        if let Some(at) = at {
            return Ok(Some(self.session.debuggee.inferior.frame_of_code(at)));
        }
        // At the instruction itself; or in rr's code, on behalf of the system call that the visible frame has made.
        let level = self.session.debuggee.inferior.level(thread, 0)?;
        Ok(Some(self.session.debuggee.inferior.frame(thread, 0, level, false)?))
    }

    /// Finds who changed a watched object to what it is at a stop: the code of one of the last instructions before it, if
    /// the object is another one before that.
    fn writer_before(&mut self, landing: Landing, watch: &Watch) -> Result<LastWriter, Error> {
        let stopped = landing.thread;
        for _ in 0..landing.instructions_back() {
            if !self.alone(stopped, Direction::Reverse)? {
                return Ok(LastWriter::Unknown);
            }
            if watch.read(&mut self.session.debuggee.inferior.process) != watch.last {
                return Ok(self.writer(stopped, Direction::Reverse)?.map_or(LastWriter::Unknown, LastWriter::Code));
            }
        }
        Ok(LastWriter::Elsewhere)
    }

    /// Returns whether the instruction that touched the watched object reads memory that it writes: `count++`.
    fn reads_what_it_writes(&mut self, thread: ThreadId, direction: Direction) -> Result<bool, Error> {
        let pc = self.session.debuggee.inferior.process.registers(thread)?.pc().unwrap_or_default();
        let at = match direction {
            Direction::Forward => self.instruction_that_led_to(thread, pc)?,
            Direction::Reverse => Some(pc),
        };
        let inferior = &mut self.session.debuggee.inferior;
        let arch = inferior.process.arch();
        Ok(at.is_some_and(|at| updates_memory(arch, &inferior.modules.code(&mut inferior.process, at), at)))
    }

    /// Finds the instruction before `pc`; at the entry of a function, the call.
    fn instruction_that_led_to(&mut self, thread: ThreadId, pc: RunAddr) -> Result<Option<RunAddr>, Error> {
        let was = std::mem::replace(&mut self.session.debuggee.thread, thread);
        let found = self.guarded(|mover| mover.instruction_before_stop(pc)).and_then(|found| found);
        self.session.debuggee.thread = was;
        found
    }

    /// Finds the instruction before `pc` for the selected thread.
    fn instruction_before_stop(&mut self, pc: RunAddr) -> Result<Option<RunAddr>, Error> {
        let at_entry = self.body(pc).is_some_and(|b| b.entry == pc);
        let behind = match at_entry {
            true => {
                let sp = self.spot()?.sp;
                self.word(sp).map(RunAddr)
            }
            false => Some(pc),
        };
        let found = behind.and_then(|behind| instruction_before(self, behind));
        Ok(found.filter(|(_, i)| at_entry == (i.flow == Flow::Call)).map(|(at, _)| at))
    }
}
