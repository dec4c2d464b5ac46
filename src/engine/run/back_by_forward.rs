//! Backward by running forward, for recordings in which rr dies on the way back.
//!
//! rr gives up where it steps through a tick, on its way back, in which two moments look alike to it: "Probable
//! duplicated states". Forward there is no such thing. So in a replay that has taken the place of one that rr has given
//! up, a run backward begins at an earlier event, runs forward to where it began, and remembers the last stop on the way;
//! if there is none, it begins farther back. Steps are [counted](super::confusion).

use crate::api::error::Error;
use crate::breakpoints::table::same_registers;
use crate::run::earlier_events::events_backward;
use crate::run::exact_position::ExactPosition;
use crate::run::mover::Mover;
use crate::run::stop_state::SignalStop;
use crate::target::signals::{SIGKILL, SIGTRAP};
use arch::RunAddr;
use rsp::{Break, BreakKind, Outcome, Restart, Resume, StopCause, StopReply};

/// How many times as far back the next run begins.
const FARTHER: u64 = 3;
/// In a long tick the first runs begin where these frames are entered. 0: the innermost one.
const FRAMES: [usize; 2] = [4, 64];

/// Where a run forward begins.
#[derive(Clone, Copy)]
enum Start {
    /// Where an event has been completed.
    Event(u64),
    /// Where a call is entered in, or soon before, the tick of where the run backward began: its return address lies there.
    Entry(u64),
}

/// What a run forward tells of the way to where a run backward began.
enum Last {
    /// What it would have stopped for last.
    Hit(Hit),
    /// There is nothing to stop for.
    Nothing,
    /// Without a stop at the end, what is hit cannot be told from what lies behind the end.
    Unclear,
}

/// The last stop on the way to where a run backward began.
struct Hit {
    /// Where the run forward begins, and how many stops there are from there up to this one.
    start: Start,
    stops: u64,
    reply: StopReply,
}

impl Mover<'_, '_> {
    /// Runs back from where a thread is to what it would have stopped for last.
    pub(crate) fn run_back_by_forward(&mut self, wanted: &[Break], begun: &ExactPosition) -> Result<Outcome, Error> {
        let end = begun.position.event().ok_or(Error::Strayed)?;
        let first = self.session.beginning;
        let marked = with_end(wanted, begun, self.session.debuggee.inferior.process.arch().trap_size());
        // The instruction at the end of a long tick has had too many visits for a stop at each.
        let is_long = self.session.is_in_long_tick(begun.position.thread)?;
        let mut entries = Vec::new();
        for frame in FRAMES.into_iter().filter(|_| is_long) {
            entries.extend(self.session.return_slot(begun.position.thread, frame)?.map(Start::Entry));
        }
        for start in entries {
            if let Last::Hit(hit) = self.last_hit_from(start, (wanted, &marked), (begun, true))? {
                return self.go_to_hit(&hit, &marked, begun);
            }
        }
        let mut is_marked = !is_long;
        let mut back = 0;
        loop {
            let event = end.saturating_sub(back).max(first);
            let breaks = if is_marked { &marked } else { wanted };
            match self.last_hit_from(Start::Event(event), (wanted, breaks), (begun, is_marked))? {
                Last::Hit(hit) => return self.go_to_hit(&hit, breaks, begun),
                Last::Unclear => {
                    is_marked = true;
                    continue;
                }
                Last::Nothing => {}
            }
            if event == first {
                break;
            }
            back = (back * FARTHER).max(1);
        }
        let thread = self.restart_at(Restart::Event(first))?.ok_or(Error::Strayed)?;
        Ok(Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause: StopCause::Beginning }))
    }

    fn last_hit_from(
        &mut self,
        start: Start,
        (wanted, breaks): (&[Break], &[Break]),
        (begun, is_marked): (&ExactPosition, bool),
    ) -> Result<Last, Error> {
        let Some(moment) = begun.position.moment else { return Ok(Last::Nothing) };
        let own = begun.position.thread;
        if !self.begin(start, begun)? {
            return Ok(Last::Nothing);
        }
        let mut last = Last::Nothing;
        if self.session.debuggee.thread == own && self.is_at(own, begun)? {
            return Ok(Last::Nothing);
        }
        for stops in 1.. {
            let (reply, is_whole) = self.run_forward(breaks)?;
            let StopReply::Stopped { signal, thread, cause } = reply else { break };
            if matches!(signal, 0 | SIGKILL) {
                break;
            }
            let now = self.session.debuggee.inferior.process.moment(thread)?;
            let is_there = thread == own && now == moment && self.is_at(own, begun)?;
            let is_behind =
                now.event > moment.event || thread == own && now.event == moment.event && now.ticks > moment.ticks;
            let pc = self.session.debuggee.inferior.process.registers(thread)?.pc();
            let is_hit = match cause {
                StopCause::SoftwareBreak | StopCause::HardwareBreak => {
                    !is_there && wanted.iter().any(|entry| is_code(entry) && Some(entry.address) == pc)
                }
                // What has led to where the run began is met, too.
                StopCause::Watch { .. } => true,
                _ => !is_there,
            };
            let is_before =
                now.event < moment.event || thread == own && now.event == moment.event && now.ticks < moment.ticks;
            let tells_its_end = is_marked && is_whole;
            if !(tells_its_end || is_there || is_behind || is_before) {
                return Ok(Last::Unclear);
            }
            if is_hit && !is_behind {
                last = Last::Hit(Hit { start, stops, reply });
            }
            if is_there || is_behind {
                break;
            }
        }
        Ok(last)
    }

    /// Goes to where a run forward begins. False: it cannot begin there, and this is elsewhere.
    fn begin(&mut self, start: Start, begun: &ExactPosition) -> Result<bool, Error> {
        let thread = begun.position.thread;
        match start {
            Start::Event(event) => Ok(self.restart_at(Restart::Event(event))?.is_some()),
            Start::Entry(slot) => {
                let Some(end) = begun.position.moment else { return Ok(false) };
                for event in events_backward(end.event, self.session.beginning) {
                    if self.restart_at(Restart::Event(event))? == Some(thread)
                        && self.session.debuggee.inferior.process.moment(thread)?.ticks < end.ticks
                    {
                        return self.session.run_to_entry(slot, thread, Some(end), self.cancel);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Runs forward to a stop. Returns it, and whether all of these were set: what is in a library that is not loaded yet
    /// cannot be, and is left out up to the next stop.
    fn run_forward(&mut self, breaks: &[Break]) -> Result<(StopReply, bool), Error> {
        if let Some(reply) = self.step_off_syscall(breaks)? {
            return Ok((reply, true));
        }
        let s = &mut *self.session;
        let passed = s.debuggee.passed_signals();
        s.debuggee.inferior.process.pass_signals(&passed)?;
        match self.leave_tick_here(breaks)? {
            Some(Outcome::Stopped(reply)) => return Ok((reply, true)),
            Some(Outcome::Interrupted(_)) => return Err(rsp::Error::Cancelled { request: "s".to_owned() }.into()),
            None => {}
        }
        let s = &mut *self.session;
        let mut all = breaks.to_vec();
        let outcome = loop {
            let process = &mut s.debuggee.inferior.process;
            let resumed = process.set_breaks(&all).and_then(|()| process.resume(Resume::Continue, self.cancel));
            match resumed {
                Err(Error::Rsp(rsp::Error::Rejected { refused, .. })) if is_code(&refused) => {
                    all.retain(|entry| *entry != refused);
                }
                other => break other?,
            }
        };
        match outcome {
            Outcome::Stopped(reply) => Ok((reply, all.len() == breaks.len())),
            Outcome::Interrupted(_) => Err(rsp::Error::Cancelled { request: "c".to_owned() }.into()),
        }
    }

    /// Steps a thread off a breakpoint at an instruction that makes a system call: rr dies of it in the midst of a run.
    /// Returns what that has hit, if it has.
    fn step_off_syscall(&mut self, breaks: &[Break]) -> Result<Option<StopReply>, Error> {
        let s = &mut *self.session;
        let StopReply::Stopped { thread, .. } = s.debuggee.inferior.process.last_stop()? else { return Ok(None) };
        let Some(pc) = s.debuggee.inferior.process.registers(thread)?.pc() else { return Ok(None) };
        // The call may have been entered, but not left.
        let behind = s.debuggee.inferior.modules.syscall_before(pc);
        let is_break = |at: RunAddr| breaks.iter().any(|entry| is_code(entry) && entry.address == at);
        if !(behind.is_some_and(is_break) || is_break(pc) && self.is_system_call(pc)) {
            return Ok(None);
        }
        let data: Vec<Break> = breaks.iter().filter(|entry| !is_code(entry)).cloned().collect();
        let process = &mut self.session.debuggee.inferior.process;
        process.set_breaks(&data)?;
        match process.resume(Resume::Step(thread), self.cancel)? {
            Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, cause: StopCause::Plain, .. }) => Ok(None),
            Outcome::Stopped(reply) => Ok(Some(reply)),
            Outcome::Interrupted(_) => Err(rsp::Error::Cancelled { request: "s".to_owned() }.into()),
        }
    }

    /// Goes to a stop, as a run backward would have come to it: before what is written.
    fn go_to_hit(&mut self, hit: &Hit, breaks: &[Break], begun: &ExactPosition) -> Result<Outcome, Error> {
        if !self.begin(hit.start, begun)? {
            return Err(Error::Strayed);
        }
        for _ in 0..hit.stops {
            self.run_forward(breaks)?;
        }
        let StopReply::Stopped { signal, thread, cause } = hit.reply else { return Err(Error::Strayed) };
        match cause {
            StopCause::Watch { .. } if self.back_by_counting(thread)?.is_none() => {
                let process = &mut self.session.debuggee.inferior.process;
                process.set_breaks(&[])?;
                process.resume(Resume::ReverseStep(thread), self.cancel)?;
            }
            StopCause::Plain if signal != SIGTRAP => {
                let position = self.session.debuggee.inferior.position(thread)?;
                self.leave_delivery(&SignalStop { signal, position })?;
            }
            _ => {}
        }
        Ok(Outcome::Stopped(StopReply::Stopped { signal, thread, cause }))
    }
}

fn is_code(entry: &Break) -> bool {
    matches!(entry.kind, BreakKind::Software | BreakKind::Hardware)
}

/// Has rr stop where a run began, too.
fn with_end(wanted: &[Break], begun: &ExactPosition, length: u64) -> Vec<Break> {
    let (mut breaks, pc) = (wanted.to_vec(), begun.position.pc);
    let conditions: Vec<Vec<u8>> = same_registers(&begun.registers).into_iter().collect();
    match breaks.iter_mut().find(|entry| is_code(entry) && entry.address == pc) {
        Some(known) if known.conditions.is_empty() || conditions.is_empty() => known.conditions.clear(),
        Some(known) => known.conditions.extend(conditions),
        None => breaks.push(Break { kind: BreakKind::Software, address: pc, length, conditions }),
    }
    breaks
}
