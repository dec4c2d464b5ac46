//! Moving the replay: single instructions and runs, seen through to something that is worth telling.
//!
//! rr stops for more than a user asked for: for breakpoints whose condition must be evaluated here, for changes of
//! the list of libraries, twice for one signal. This file resumes after those, and turns the rest into a [`Reason`].

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::temporary::{StackPointer, Temporary};
use crate::run::backward_over_hits::{Destination, Hit, SkippedHits, drop_conditions};
use crate::run::exec::Crossed;
use crate::run::mover::{Mover, Settled};
use crate::run::search_back::may_hang;
use crate::run::step::{Body, Connector, FunctionEntry, Inlined, Machine, Moved, Ran, Row, Spot};
use crate::run::time_limit::verdict;
use crate::run::watch_hit::Watched;
use crate::stack::physical::End;
use crate::target::signals::SIGTRAP;
use arch::{Direction, Flow, FrameAddress, Instruction, Registers, RunAddr, ThreadId, WaysOut, ways_out};
use program::module::Role;
use rsp::{Outcome, Resume, StopCause, StopReply};
use std::collections::BTreeSet;
use std::time::Instant;

/// Instructions of lazy binding that are looked through for its jump to the function.
const MAX_RESOLVER: usize = 256;

impl Mover<'_, '_> {
    /// Resumes. `stops_at_each_hit`: whether rr is to stop at each hit, whatever its condition.
    pub(crate) fn resume(
        &mut self,
        how: Resume,
        temporary: &[Temporary],
        stops_at_each_hit: bool,
    ) -> Result<Outcome, Error> {
        let direction = match how {
            Resume::Continue | Resume::Step(_) => Direction::Forward,
            Resume::ReverseContinue(_) | Resume::ReverseStep(_) => Direction::Reverse,
        };
        let is_first_back = direction == Direction::Reverse && !std::mem::replace(&mut self.goes_back, true);
        if let Some(signal) = self.session.state.signal.filter(|_| is_first_back) {
            let is_step = matches!(how, Resume::ReverseStep(_));
            if !(is_step && signal.signal == SIGTRAP && self.is_behind_trap(signal.position.pc)) {
                self.leave_delivery(&signal)?;
            }
        }
        if let (Some(thread), Resume::ReverseContinue(_)) = (self.in_front.take(), how)
            && self.run_to_front(thread, temporary)?
        {
            let cause = StopCause::SoftwareBreak;
            return Ok(Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause }));
        }
        let origin = match how {
            Resume::ReverseContinue(_) => self.origin_of_run()?,
            _ => None,
        };
        let mut refused = BTreeSet::new();
        let signal = self.session.state.signal;
        // Of what a step back takes back, rr evaluates conditions where they do not hold yet.
        let stops_at_each_hit = stops_at_each_hit || matches!(how, Resume::ReverseStep(_));
        self.stops_at_each_hit = stops_at_each_hit;
        if let Resume::ReverseStep(thread) = how {
            let mut wanted = self.session.debuggee.wanted(direction, temporary, &refused);
            drop_conditions(&mut wanted);
            let begun = Instant::now();
            if let Some(outcome) = self.step_back_by_counting(thread, &wanted)? {
                self.session.time_spent.step(begun.elapsed());
                self.session.state.at_end = false;
                return Ok(outcome);
            }
        }
        if let Some(begun) = origin.as_ref()
            && let wanted = self.session.debuggee.wanted(direction, temporary, &refused)
            && (self.session.has_given_up
                || self.session.search_hangs && may_hang(&wanted)
                || self.any_breakpoint_at_syscall()
                || self.session.is_in_long_tick(begun.position.thread)?)
        {
            let begun_at = Instant::now();
            let outcome = self.run_back_by_forward(&wanted, begun)?;
            self.session.time_spent.run(begun_at.elapsed());
            self.session.state.at_end = false;
            return Ok(outcome);
        }
        if let Some(begun) = origin.as_ref().filter(|_| !self.session.state.at_end && signal.is_none()) {
            let wanted = self.session.debuggee.wanted(direction, temporary, &refused);
            if let Some(outcome) = self.within_tick(begun, (&wanted, temporary))? {
                return Ok(outcome);
            }
        }
        // It may be at the delivery of a signal that nothing has reported.
        let may_be_at_signal = is_first_back && signal.is_none() && self.session.is_between_events();
        loop {
            let s = &mut *self.session;
            let mut wanted = s.debuggee.wanted(direction, temporary, &refused);
            if stops_at_each_hit {
                drop_conditions(&mut wanted);
            }
            let passed = if may_be_at_signal { Vec::new() } else { s.debuggee.passed_signals() };
            s.debuggee.inferior.process.pass_signals(&passed)?;
            if how == Resume::Continue
                && let Some(outcome) = self.leave_tick(&wanted)?
            {
                self.session.state.signal = signal;
                return Ok(outcome);
            }
            let s = &mut *self.session;
            s.debuggee.inferior.process.set_breaks(&wanted)?;
            let begun_at = match how {
                Resume::ReverseStep(thread) => Some(s.where_step_begins(thread)?),
                _ => None,
            };
            let begun = Instant::now();
            match self.resume_once(how, &wanted) {
                Err(Error::Rsp(rsp::Error::Rejected { refused: entry, .. })) if refused.insert(entry.address) => {
                    self.session.notes.push(format!("no breakpoint can be set at {} now", entry.address));
                }
                Err(error) => return Err(error),
                Ok(outcome) => {
                    let s = &mut *self.session;
                    if matches!(how, Resume::ReverseStep(_)) {
                        s.note_step_back();
                    }
                    match how {
                        Resume::Step(_) | Resume::ReverseStep(_) => s.time_spent.step(begun.elapsed()),
                        Resume::Continue | Resume::ReverseContinue(_) => s.time_spent.run(begun.elapsed()),
                    }
                    s.state.at_end = false;
                    s.state.signal = signal;
                    let outcome = match &begun_at {
                        Some(begun_at) => self.checked_step_back(begun_at, &wanted, outcome)?,
                        None => outcome,
                    };
                    let outcome = match &origin {
                        Some(origin) => self.last_of_tick(outcome, (&wanted, temporary), origin)?,
                        None => Some(outcome),
                    };
                    match outcome {
                        Some(outcome) => return Ok(outcome),
                        None => continue,
                    }
                }
            }
        }
    }

    /// Returns whether a breakpoint of the user is at an instruction that makes a system call. rr makes some calls again
    /// with that instruction, and dies of a breakpoint there where a run does not begin at it.
    fn any_breakpoint_at_syscall(&mut self) -> bool {
        self.session.debuggee.breakpoints.addresses().into_iter().any(|address| self.is_system_call(address))
    }

    /// Executes or takes back one instruction, whatever code it is of.
    pub(crate) fn single_step(&mut self, direction: Direction) -> Moved {
        loop {
            if let Some(reason) = verdict(self.cancel) {
                return Ok(Some(reason));
            }
            let thread = self.session.debuggee.thread;
            let how = match direction {
                Direction::Forward if self.session.state.at_end => return Ok(Some(self.session.ending.reason())),
                Direction::Forward => Resume::Step(thread),
                Direction::Reverse => Resume::ReverseStep(thread),
            };
            let before = self.session.debuggee.inferior.process.registers(thread)?;
            // From behind its signal, rr dies of a step back over the instruction that has raised it, or takes minutes; a run
            // stops there.
            let is_behind_delivery = self.session.state.at_end
                || self.session.state.signal.is_none()
                    && self.session.is_between_events()
                    && self.session.delivered_here(self.cancel).is_some();
            let is_behind_trap = before.pc().is_some_and(|pc| self.is_behind_trap(pc));
            let is_behind_fatal_signal = direction == Direction::Reverse
                && (is_behind_delivery && is_behind_trap
                    || self.session.state.at_end && self.session.is_in_long_tick(thread)?);
            if is_behind_fatal_signal {
                let outcome = self.resume(Resume::ReverseContinue(None), &[], false)?;
                match self.settle(outcome, direction, None)? {
                    Settled::Stop(reason) => return Ok(Some(reason)),
                    _ => continue,
                }
            }
            let (mut start, mut handler) = (None, None);
            if direction == Direction::Reverse {
                handler = self.handler_begun(thread, &before)?;
                if let Crossed::Stop(reason) = self.back_over_exec(thread)? {
                    return Ok(Some(reason));
                }
                start = self.start_just_left(thread)?;
            }
            let outcome = self.resume(how, &[], false)?;
            let settled = match start {
                Some(left) if self.correct_step_back(thread, &left, &outcome)? => Settled::At(thread),
                _ => self.settle(outcome, direction, Some(thread))?,
            };
            match settled {
                Settled::GoOn | Settled::Skipped(..) => {}
                Settled::Stop(reason) => return Ok(Some(reason)),
                Settled::At(stopped) => {
                    self.session.state.signal = None;
                    if stopped == thread && self.has_not_moved(thread, &before, direction)? {
                        continue;
                    }
                    if direction == Direction::Reverse
                        && let Some(Watched { reason: Some(reason), .. }) = self.unreported_before(stopped)?
                    {
                        self.session.debuggee.thread = stopped;
                        return Ok(Some(reason));
                    }
                    if direction == Direction::Reverse
                        && stopped == thread
                        && let Some(begun) = &handler
                        && let Some(reason) = self.left_handler(thread, begun)?
                    {
                        return Ok(Some(reason));
                    }
                    if direction == Direction::Forward && stopped == thread && self.has_trapped(thread, &before)? {
                        let outcome = self.resume(Resume::Continue, &[], false)?;
                        match self.settle(outcome, direction, None)? {
                            Settled::Stop(reason) => return Ok(Some(reason)),
                            _ => continue,
                        }
                    }
                    if let Some(reason) = self.user_breakpoint(stopped)? {
                        return Ok(Some(reason));
                    }
                    if stopped == thread {
                        return Ok(None);
                    }
                    // Another thread stopped for a breakpoint that is skipped: this one has not moved yet. If it
                    // no longer exists, its step can never end.
                    if !self.session.debuggee.inferior.process.threads()?.contains(&thread) {
                        self.session.debuggee.thread = stopped;
                        self.session.notes.push(format!("thread {thread} has exited"));
                        return Ok(Some(Reason::StepDone));
                    }
                }
            }
        }
    }

    /// Returns whether a step forward has executed the instruction that raises SIGTRAP: rr's report of that is the one of a
    /// step.
    fn has_trapped(&mut self, thread: ThreadId, before: &Registers) -> Result<bool, Error> {
        let pc = self.session.debuggee.inferior.process.registers(thread)?.pc();
        Ok(pc.is_some_and(|pc| before.pc().is_some_and(|was| was.0.wrapping_add(1) == pc.0) && self.is_behind_trap(pc)))
    }

    /// Returns whether a resume has not moved: a hardware breakpoint at the pc that a step has led to stops the next
    /// resume once more before anything happens.
    fn has_not_moved(&mut self, thread: ThreadId, before: &Registers, direction: Direction) -> Result<bool, Error> {
        let after = self.session.debuggee.inferior.process.registers(thread)?;
        let pc = after.pc().unwrap_or_default();
        Ok(direction == Direction::Forward && *after == *before && self.session.debuggee.is_hardware(pc))
    }
}

impl Machine for Mover<'_, '_> {
    fn spot(&mut self) -> Result<Spot, Error> {
        let here = self.actual_spot()?;
        Ok(self.behind_detour(here).unwrap_or(here))
    }

    fn step(&mut self, direction: Direction) -> Moved {
        match direction {
            Direction::Forward => self.step_forward(),
            Direction::Reverse => self.step_back(),
        }
    }

    fn run_to(&mut self, direction: Direction, places: &[Temporary]) -> Moved {
        let mut places = places.to_vec();
        let hooks = match direction {
            Direction::Forward if !places.is_empty() => self.exit_hooks(),
            _ => Vec::new(),
        };
        // What is known of the present image.
        let mut image = None;
        let mut skipped = SkippedHits::on_the_way(self.session, direction);
        loop {
            if let Some(reason) = verdict(self.cancel) {
                return Ok(Some(reason));
            }
            let how = match direction {
                Direction::Forward if self.session.state.at_end => return Ok(Some(self.session.ending.reason())),
                Direction::Forward => Resume::Continue,
                Direction::Reverse => Resume::ReverseContinue(None),
            };
            let wanted = self.session.debuggee.thread;
            if direction == Direction::Reverse {
                match self.back_over_exec(wanted)? {
                    Crossed::Stop(reason) => return Ok(Some(reason)),
                    Crossed::GoOn(_) => {
                        image = None;
                        continue;
                    }
                    Crossed::Nothing => {}
                }
            }
            let within = match (direction, image) {
                (Direction::Forward, _) => None,
                (Direction::Reverse, Some(known)) => known,
                (Direction::Reverse, None) => match self.image_behind_exec()? {
                    Ok(found) => *image.insert(found),
                    Err(reason) => return Ok(Some(reason)),
                },
            };
            // The selected thread may have ended, or, going back, not begun yet.
            let before = self.session.debuggee.inferior.process.registers(wanted).ok();
            let start = within.map(|image| Temporary { address: image.start, sp: StackPointer::Any });
            let all: Vec<Temporary> = places.iter().chain(&hooks).chain(&start).copied().collect();
            let outcome = self.resume(how, &all, skipped.stops_at_each_hit())?;
            let settled = match direction {
                Direction::Forward => self.settle(outcome, direction, None)?,
                Direction::Reverse => self.settle_within(within, outcome)?,
            };
            let stopped = match settled {
                Settled::GoOn => {
                    skipped.something_else();
                    continue;
                }
                Settled::Skipped(stopped, address) => {
                    self.session.state.signal = None;
                    let to = Destination { thread: wanted, places: &places };
                    if skipped.one_more()
                        && let Some(reason) =
                            self.pass_skipped_hits((stopped, Hit::Data(address)), &mut skipped, within, to)?
                    {
                        return Ok(Some(reason));
                    }
                    continue;
                }
                Settled::Stop(reason) => {
                    let is_break_off = matches!(reason, Reason::TimedOut { .. } | Reason::Cancelled);
                    if is_break_off && direction == Direction::Forward && self.is_elsewhere(wanted, before.as_ref())? {
                        self.session.note_arrival();
                    }
                    return Ok(Some(reason));
                }
                Settled::At(stopped) => stopped,
            };
            self.session.state.signal = None;
            if let Some(before) = before.filter(|_| stopped == wanted)
                && self.has_not_moved(wanted, &before, direction)?
            {
                continue;
            }
            if direction == Direction::Reverse
                && let Some(watched) = self.unreported_before(stopped)?
            {
                let Some(reason) = watched.reason else { continue };
                self.session.debuggee.thread = stopped;
                return Ok(Some(reason));
            }
            let hits = self.session.debuggee.breakpoints.hits();
            if let Some(reason) = self.user_breakpoint(stopped)? {
                return Ok(Some(reason));
            }
            let has_counted = self.session.debuggee.breakpoints.hits() != hits;
            // What is behind an image's start, the next turn of the loop goes over.
            let pc = self.session.debuggee.inferior.process.registers(stopped)?.pc();
            if within.is_some_and(|image| Some(image.start) == pc) {
                self.session.debuggee.thread = stopped;
                continue;
            }
            if stopped == wanted {
                let here = self.actual_spot()?;
                if places.iter().any(|p| p.address == here.pc && p.sp.allows(here.sp)) {
                    return Ok(None);
                }
                if hooks.iter().any(|h| h.address == here.pc)
                    && let Some(landing) = self.landing(&places)?
                {
                    places = vec![landing];
                }
            }
            // The dynamic linker's hook, or a condition that did not hold.
            self.session.debuggee.catch_up()?;
            let to = Destination { thread: wanted, places: &places };
            if has_counted {
                skipped.something_else();
            } else if self.session.debuggee.is_awaited(stopped)?
                && skipped.one_more()
                && let Some(reason) = self.pass_skipped_hits((stopped, Hit::Code), &mut skipped, within, to)?
            {
                return Ok(Some(reason));
            }
        }
    }

    fn run_back_in_frame(&mut self, places: &[Temporary], entry: FunctionEntry) -> Result<Ran, Error> {
        self.run_back_in(places, entry)
    }

    fn instruction(&mut self, at: RunAddr) -> Option<Instruction> {
        let inferior = &mut self.session.debuggee.inferior;
        inferior.modules.instruction(&mut inferior.process, at)
    }

    fn ways_out(&mut self, start: RunAddr, end: RunAddr) -> Option<WaysOut> {
        let inferior = &self.session.debuggee.inferior;
        let code = inferior.modules.constant_code(start, end)?;
        ways_out(inferior.process.arch(), start, code)
    }

    fn row(&mut self, at: RunAddr) -> Option<Row> {
        let module = self.module(at)?;
        if module.role == Role::Rr {
            return None;
        }
        let found = module.image.line_at(module.link(at)).filter(|r| r.line != 0)?;
        Some(Row {
            start: found.start.at(module.bias),
            end: found.end.at(module.bias),
            file: found.file,
            line: found.line,
            is_stmt: found.is_stmt,
        })
    }

    fn body(&mut self, at: RunAddr) -> Option<Body> {
        let module = self.module(at)?;
        let function = module.image.function_at(module.link(at))?;
        let lined = module.role != Role::Rr && module.image.line_at(function.entry).is_some_and(|r| r.line != 0);
        let run = |a: arch::LinkAddr| a.at(module.bias);
        Some(Body {
            entry: run(function.entry),
            ranges: function.ranges.iter().map(|(start, end)| (run(*start), run(*end))).collect(),
            after_prologue: lined.then(|| run(module.image.after_prologue(&function))),
        })
    }

    fn code_start(&mut self, at: RunAddr) -> Option<RunAddr> {
        let module = self.module(at)?;
        module.image.code_around(module.link(at)).map(|(start, _)| start.at(module.bias))
    }

    fn inlined(&mut self, at: RunAddr) -> Vec<Inlined> {
        let Some(module) = self.module(at) else {
            return Vec::new();
        };
        let here = module.link(at);
        let chain = module.image.inline_chain(here);
        let levels = chain.iter().zip(chain.iter().skip(1)).rev().filter(|(f, _)| f.inlined);
        let inlined = levels.filter_map(|(f, caller)| {
            let call = caller.file.clone().zip(caller.line);
            Some(Inlined { die: f.die?, begins: f.begins, call })
        });
        inlined.collect()
    }

    fn hidden(&mut self) -> usize {
        let thread = self.session.debuggee.thread;
        self.session.debuggee.inferior.hidden_inlined(thread)
    }

    fn hide(&mut self, most: usize) {
        let thread = self.session.debuggee.thread;
        // A thread whose frames cannot be found has none to hide.
        let _ = self.session.debuggee.inferior.hide_inlined(thread, most);
    }

    fn connector(&mut self, at: RunAddr) -> Option<Connector> {
        let Some(module) = self.module(at) else {
            return Some(Connector::Foreign);
        };
        if module.role == Role::Rr {
            return Some(Connector::Foreign);
        }
        let link = module.link(at);
        if module.image.is_linkage_stub(link) {
            return Some(Connector::Plt);
        }
        if module.role == Role::Library && module.image.symbol_at(link).is_some_and(|s| s.name.starts_with(UNWINDER)) {
            return Some(Connector::Unwinder);
        }
        // At either of its two instructions, or in the system call.
        let modules = &self.session.debuggee.inferior.modules;
        let is_at = [0, 7].iter().any(|offset| modules.is_sigreturn(RunAddr(at.0.wrapping_sub(*offset))));
        let mut is_in_call = || {
            let inferior = &mut self.session.debuggee.inferior;
            let registers = inferior.process.registers(self.session.debuggee.thread).ok()?;
            Some(registers.pc() == Some(at) && inferior.modules.is_returning_from_signal(&registers))
        };
        (is_at || is_in_call().unwrap_or_default()).then_some(Connector::Trampoline)
    }

    fn resolver_exit(&mut self, at: RunAddr) -> Option<RunAddr> {
        if self.module(at)?.role != Role::Interpreter {
            return None;
        }
        let mut here = at;
        for _ in 0..MAX_RESOLVER {
            let i = self.instruction(here)?;
            match i.flow {
                Flow::IndirectJump => return Some(here),
                Flow::Return => return None,
                _ => here = RunAddr(here.0.wrapping_add(i.length)),
            }
        }
        None
    }

    fn word(&mut self, address: u64) -> Option<u64> {
        self.session.debuggee.inferior.process.read_u64(address)
    }

    fn caller(&mut self, depth: usize) -> Option<Spot> {
        let thread = self.session.debuggee.thread;
        let caller: Result<_, End> = self.session.debuggee.inferior.after_returns(thread, depth + 1).ok()?;
        let caller = caller.ok()?;
        let (FrameAddress::Pc(pc) | FrameAddress::Return(pc)) = caller.address;
        Some(Spot { pc, sp: caller.registers.sp()? })
    }
}

/// What the functions of the exception unwinder are called (Itanium C++ ABI, section 1.6).
const UNWINDER: &str = "_Unwind_";

impl Mover<'_, '_> {
    fn module(&mut self, at: RunAddr) -> Option<std::sync::Arc<crate::modules::loaded::Module>> {
        if self.session.debuggee.inferior.modules.at(at).is_none() {
            // A library may have been loaded since the last stop.
            self.session.debuggee.catch_up().ok()?;
        }
        self.session.debuggee.inferior.modules.at(at).cloned()
    }
}
