//! Ticks that are long: recursion without a conditional branch, as where a stack overflows.
//!
//! On its way back rr steps through the tick of where it was, and compares each moment with all that it has met there:
//! for the thousand calls of an overflow that takes minutes. Forward, a tick has no cost. So here a step back goes to
//! where the tick begins, from there to the last visit of the same instruction before, by a breakpoint, and on from
//! there by instructions. A run back goes [by runs forward](super::back_by_forward).
//!
//! Small frames make hundreds of thousands of visits, each of which costs a stop within rr. What enters a call writes its
//! return address: a watchpoint there leads to the call without any stop before, and the visits are met from there.

use crate::api::Moment;
use crate::api::error::Error;
use crate::breakpoints::table::stack_window;
use crate::run::counted::{Anchor, Counted};
use crate::run::exact_position::ExactPosition;
use crate::run::recurrence::is_conditional;
use crate::run::session::Session;
use crate::target::signals::SIGTRAP;
use arch::{Arch, Flow, FrameAddress, RunAddr, ThreadId};
use base::cancel::Cancel;
use rsp::{Break, BreakKind, Outcome, Resume, StopCause, StopReply};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

/// So many calls within each other, without a conditional branch on the way from one to the next, make a tick long.
const DEEP: usize = 128;
/// Bytes of a return address (x86-64).
const ADDRESS: u64 = 8;
/// Stops for another change of a slot that are passed over on the way to the call: rr (5.10) also reports a watched word
/// when the kernel maps it, as where the stack grows.
const MAPPED: usize = 8;
/// Most instructions of a function that are looked at.
const MOST_OF_FUNCTION: usize = 512;
/// Most visits near a place that are stopped at.
const MOST_VISITS: u32 = 64;
/// Most instructions from one visit to the next.
const MOST_BETWEEN: u32 = 4096;
/// How long it may take to find where a step back leads.
const FINDING: Duration = Duration::from_secs(30);

impl Session {
    /// Returns whether a thread is deep in calls that are all of one tick, as far as the code says so.
    pub(crate) fn is_in_long_tick(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let process = &mut self.debuggee.inferior.process;
        if process.arch() != Arch::X86_64 || !process.abilities().time {
            return Ok(false);
        }
        let registers = process.registers(thread)?;
        let Some(at) = registers.pc() else { return Ok(false) };
        // As a rule this tells, and asks rr for nothing: what goes on calling comes to no branch.
        if self.comes_to_branch(at) || self.facts(thread, &registers).is_in_short_tick {
            return Ok(false);
        }
        let is_long = self.is_deep_without_branch(thread, at)?;
        self.facts(thread, &registers).is_in_short_tick = !is_long;
        Ok(is_long)
    }

    /// Returns whether there are many calls within each other, without a branch on the way to where a thread is.
    fn is_deep_without_branch(&mut self, thread: ThreadId, mut at: RunAddr) -> Result<bool, Error> {
        let mut looked_at = BTreeMap::new();
        for depth in 1..=DEEP {
            let is_branchless = match looked_at.get(&at) {
                Some(known) => *known,
                None => *looked_at.entry(at).or_insert(self.is_branchless_up_to(at)),
            };
            if !is_branchless {
                return Ok(false);
            }
            let Ok(caller) = self.debuggee.inferior.after_returns(thread, depth)? else { return Ok(false) };
            let (FrameAddress::Pc(back) | FrameAddress::Return(back)) = caller.address;
            at = back;
        }
        Ok(true)
    }

    /// Returns whether a function has no conditional branch and no system call from its entry up to an address.
    fn is_branchless_up_to(&mut self, end: RunAddr) -> bool {
        let inferior = &mut self.debuggee.inferior;
        let Some(module) = inferior.modules.at(end).cloned() else { return false };
        // A return address may be behind the end of its function.
        let inside = RunAddr(end.0.saturating_sub(1));
        let function = [end, inside].into_iter().find_map(|at| module.image.function_at(module.link(at)));
        let Some(mut at) = function.map(|function| function.entry.at(module.bias)) else { return false };
        for _ in 0..MOST_OF_FUNCTION {
            if at >= end {
                return true;
            }
            let code = inferior.modules.code(&mut inferior.process, at);
            let Some(instruction) = inferior.modules.instruction(&mut inferior.process, at) else { return false };
            if matches!(instruction.flow, Flow::Syscall | Flow::Trap) || is_conditional(&code) {
                return false;
            }
            at = RunAddr(at.0.wrapping_add(instruction.length));
        }
        false
    }

    /// Returns the stack pointers that the visits of an instruction have in the calls next to that of a thread.
    fn window(&mut self, thread: ThreadId) -> Result<Option<RangeInclusive<u64>>, Error> {
        let sp = self.debuggee.inferior.process.registers(thread)?.sp();
        let Ok(outer) = self.debuggee.inferior.after_returns(thread, 2)? else { return Ok(None) };
        Ok(sp.zip(outer.registers.sp()).and_then(|(sp, outer)| {
            let reach = outer.checked_sub(sp)?;
            Some(sp.saturating_sub(reach)..=outer)
        }))
    }

    /// Goes to a place in a long tick, and tells how: by the visit of its instruction that is the last one before it.
    /// `None`: there is none near, and it is elsewhere.
    pub(crate) fn count_from_visit(&mut self, place: &ExactPosition) -> Result<Option<Counted>, Error> {
        let (thread, pc, then) = (place.position.thread, place.position.pc, place.position.moment);
        let Some(window) = self.window(thread)? else { return Ok(None) };
        let process = &self.debuggee.inferior.process;
        let (length, layout) = (process.arch().trap_size(), process.layout().clone());
        let conditions = stack_window(window, &layout).into_iter().collect();
        let breakpoint = Break { kind: BreakKind::Software, address: pc, length, conditions };
        let cancel = Cancel::new().with_deadline(FINDING);
        let mut entry = self.return_slot(thread, 3)?;
        if !self.go_to_beginning(&place.position)? {
            return Ok(None);
        }
        if let Some(slot) = entry
            && !self.run_to_entry(slot, thread, then, &cancel)?
        {
            entry = None;
            if !self.go_to_beginning(&place.position)? {
                return Ok(None);
            }
        }
        let (mut visits, mut stops) = (0, 0);
        while visits < place.visit().unwrap_or(1) {
            if stops == MOST_VISITS || !self.run_to(&breakpoint, &cancel)? {
                return Ok(None);
            }
            stops += 1;
            let process = &mut self.debuggee.inferior.process;
            visits += u32::from(Some(process.moment(thread)?) == then && place.looks_alike(thread, process)?);
        }
        let Some(before) = stops.checked_sub(1).filter(|before| *before > 0) else { return Ok(None) };
        let anchor = Anchor { entry, breakpoint, stops: before };
        if !self.go_to_beginning(&place.position)? {
            return Ok(None);
        }
        self.run_to_anchor(&anchor, thread, &cancel)?;
        self.debuggee.inferior.process.set_breaks(&[])?;
        for steps in 1..MOST_BETWEEN {
            if !self.step_in(thread, &cancel)? {
                return Ok(None);
            }
            let process = &mut self.debuggee.inferior.process;
            let is_there = process.registers(thread)?.pc() == Some(pc)
                && Some(process.moment(thread)?) == then
                && place.looks_alike(thread, process)?;
            if is_there {
                return Ok(Some(Counted { place: place.clone(), anchor: Some(anchor), steps }));
            }
        }
        Ok(None)
    }

    /// Runs from where a tick begins to a visit.
    pub(crate) fn run_to_anchor(&mut self, anchor: &Anchor, thread: ThreadId, cancel: &Cancel) -> Result<(), Error> {
        if let Some(slot) = anchor.entry
            && !self.run_to_entry(slot, thread, None, cancel)?
        {
            return Err(Error::Strayed);
        }
        for _ in 0..anchor.stops {
            if !self.run_to(&anchor.breakpoint, cancel)? {
                return Err(Error::Strayed);
            }
        }
        Ok(())
    }

    /// Returns where the return address of a frame lies: it is written where the frame is entered. 0: the innermost frame.
    pub(crate) fn return_slot(&mut self, thread: ThreadId, frame: usize) -> Result<Option<u64>, Error> {
        let Ok(caller) = self.debuggee.inferior.after_returns(thread, frame + 1)? else { return Ok(None) };
        Ok(caller.registers.sp().and_then(|sp| sp.checked_sub(ADDRESS)))
    }

    /// Runs to where a thread enters the call whose return address lies there. False: rr cannot watch that, or this is
    /// behind a moment, and it is elsewhere.
    pub(crate) fn run_to_entry(
        &mut self,
        slot: u64,
        thread: ThreadId,
        end: Option<Moment>,
        cancel: &Cancel,
    ) -> Result<bool, Error> {
        let entry =
            Break { kind: BreakKind::WatchWrite, address: RunAddr(slot), length: ADDRESS, conditions: Vec::new() };
        let process = &mut self.debuggee.inferior.process;
        process.set_breaks(&[entry])?;
        for _ in 0..=MAPPED {
            let ran = match process.resume(Resume::Continue, cancel) {
                Err(Error::Rsp(rsp::Error::Rejected { .. })) => return Ok(false),
                ran => ran?,
            };
            let is_written = matches!(ran, Outcome::Stopped(StopReply::Stopped { thread: stopped, cause, .. })
                if stopped == thread && matches!(cause, StopCause::Watch { .. }));
            let is_before_end = |now: Moment| end.is_none_or(|end| now.event <= end.event && now.ticks <= end.ticks);
            if !is_written || !is_before_end(process.moment(thread)?) {
                return Ok(false);
            }
            if process.registers(thread)?.sp().is_some_and(|sp| sp <= slot) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn run_to(&mut self, breakpoint: &Break, cancel: &Cancel) -> Result<bool, Error> {
        let process = &mut self.debuggee.inferior.process;
        process.set_breaks(std::slice::from_ref(breakpoint))?;
        let ran = process.resume(Resume::Continue, cancel)?;
        Ok(matches!(ran, Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, cause: StopCause::SoftwareBreak, .. })))
    }
}
