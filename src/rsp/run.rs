//! Resuming, waiting, interrupting.

use super::client::{Client, no_thread};
use super::command::{Command, RrCommand, Threads};
use super::dialect;
use super::error::Error;
use super::link::{Awaited, SOON, error_of};
use super::reply;
use super::signals::{SIGINT, SIGTRAP};
use super::state::is_step_done;
use super::{Outcome, Restart, Resume, StopCause, StopReply};
use arch::{Direction, RunAddr};
use base::cancel::Cancel;
use std::time::{Duration, Instant};

/// Most stops that may come between an interrupted run's first stop and the end of the resynchronisation.
const MOST_LATE_STOPS: u32 = 4;

/// How long the way to the start of an event may take after an interrupted backward run.
const SETTLING: Duration = Duration::from_secs(60);

impl Client {
    /// Resumes and waits. `cancel` is asked about every 10 ms; when it is cancelled, the client interrupts and finds
    /// out where the target has stopped. A backward step finishes first, because rr does not let itself be interrupted
    /// in it.
    ///
    /// Forward, a wanted software breakpoint at the present pc does not stop the run again: it is stepped off, as GDB
    /// does. If anything but the end of that step happens meanwhile, that is the outcome.
    ///
    /// Err without a packet that moves the target: [`Error::Gone`] after the debuggee's exit, [`Error::Rejected`] if
    /// the server refuses a breakpoint, [`Error::NoThread`]. After other errors the connection is unusable.
    pub fn resume(&mut self, how: Resume, cancel: &Cancel) -> Result<Outcome, Error> {
        self.link.usable()?;
        self.on_record("resume")?;
        self.state.alive()?;
        match how {
            Resume::Continue | Resume::ReverseContinue(None) => {}
            Resume::Step(t) | Resume::ReverseStep(t) | Resume::ReverseContinue(Some(t)) => self.state.own(t)?,
        }
        let owed = std::mem::take(&mut self.state.interrupt_owed);
        let outcome = self.resume_once(how, cancel)?;
        let Outcome::Stopped(stop @ StopReply::Stopped { signal, cause, .. }) = outcome else { return Ok(outcome) };
        let is_bare = match cause {
            StopCause::Plain => true,
            StopCause::Beginning => !self.dialect.names_the_beginning(),
            _ => false,
        };
        if !owed || !is_bare || signal != self.interrupt_signal() {
            return Ok(outcome);
        }
        // The answer to the interrupt of the run before. Nothing has moved; were it about this run, it would come
        // again.
        self.state.interrupted(&stop);
        self.resume_once(how, cancel)
    }

    fn resume_once(&mut self, how: Resume, cancel: &Cancel) -> Result<Outcome, Error> {
        match how {
            Resume::Continue | Resume::Step(_) => self.run_forward(how, cancel),
            Resume::ReverseContinue(thread) => {
                let end = self.end_if_there()?;
                self.apply_breaks(None, true)?;
                let filter = thread.map_or(Threads::Any, Threads::One);
                self.select_resume(&self.state.before_reverse_continue(filter))?;
                let outcome = self.run(&Command::ReverseContinue, Direction::Reverse, cancel)?;
                self.settled(outcome, end)
            }
            Resume::ReverseStep(thread) => {
                // No renewal, which would end rr's fast path: at most other threads' breaks could be missed, and the
                // next run renews.
                self.apply_breaks(None, false)?;
                self.select_resume(&self.state.before_reverse_step(thread))?;
                self.run(&Command::ReverseStep, Direction::Reverse, cancel)
            }
        }
    }

    /// Makes a place to go on from out of one where a backward run was interrupted. `end`: the event of the end of the
    /// recording, if it began there.
    ///
    /// rr leaves the run at the bound of its search, which has not met anything behind that: whoever goes on from there
    /// misses nothing. At the end of the recording no thread is current, and rr ends itself at the next resume; at a
    /// moment of another process, it is none of ours. There the start of the event is a proper place.
    fn settled(&mut self, outcome: Outcome, end: Option<u64>) -> Result<Outcome, Error> {
        let Outcome::Interrupted(reply) = outcome else { return Ok(outcome) };
        let is_ours = matches!(reply, StopReply::Stopped { thread, .. } if thread.pid == self.state.pid);
        if is_ours && end.is_none() {
            return Ok(outcome);
        }
        let event = self.rr(RrCommand::When, dialect::event)?;
        if is_ours && end != Some(event) {
            return Ok(outcome);
        }
        self.restart(Restart::Event(event), SETTLING).map(Outcome::Interrupted)
    }

    fn run_forward(&mut self, how: Resume, cancel: &Cancel) -> Result<Outcome, Error> {
        if let Resume::Step(thread) = how
            && thread != self.state.current
        {
            // A step of a thread that does not exist would be a run without end.
            self.select(thread)?;
        }
        let here = self.software_breakpoint_here()?;
        self.apply_breaks(here, true)?;
        if here.is_some() {
            // rr runs the thread that stopped last, whichever is asked to step. Forward it does not leave a breakpoint
            // by itself: it would stop at once, without end.
            let current = self.state.current;
            let outcome = self.run(&Command::Step(current), Direction::Forward, cancel)?;
            let done = matches!(&outcome, Outcome::Stopped(reply) if is_step_done(reply, current));
            if !done || how == Resume::Step(current) {
                return Ok(outcome);
            }
            // An interrupt that has crossed the end of that step is answered by the next resume, which is then another
            // call's.
            if let Outcome::Stopped(reply) = outcome
                && self.state.interrupt_owed
            {
                return Ok(Outcome::Interrupted(reply));
            }
            self.apply_breaks(None, true)?;
        }
        let command = match how {
            Resume::Step(thread) => Command::Step(thread),
            _ => Command::Continue,
        };
        self.run(&command, Direction::Forward, cancel)
    }

    /// Returns the pc of the current thread, if a software breakpoint is wanted there.
    fn software_breakpoint_here(&mut self) -> Result<Option<RunAddr>, Error> {
        if !self.breaks.wants_software() {
            return Ok(None);
        }
        let pc = match self.state.pc {
            Some(pc) => pc,
            None => self.read_pc()?,
        };
        Ok(self.breaks.wants_software_at(pc).then_some(pc))
    }

    /// Reads the pc of the current thread, by the packet for a single register.
    fn read_pc(&mut self) -> Result<RunAddr, Error> {
        self.select(self.state.current)?;
        if !self.abilities.time {
            // gdbserver knows no `p`.
            let pc = self.registers(self.state.current)?.pc();
            return pc.ok_or_else(|| Error::Registers { what: "the pc is unavailable".into() });
        }
        let name = self.layout.arch.pc_name();
        let number = self.layout.find(name).map(|r| r.number);
        let command = Command::Register(number.ok_or_else(|| Error::Registers { what: format!("no `{name}`") })?);
        let bytes = self.ask(&command, reply::registers)?;
        let pc = bytes.iter().rev().try_fold(0u64, |n, b| b.map(|b| (n << 8) | u64::from(b)));
        let pc = pc.map(RunAddr).ok_or_else(|| Error::Registers { what: format!("`{name}` is unavailable") })?;
        self.state.pc = Some(pc);
        Ok(pc)
    }

    /// Sends `Hc` packets.
    fn select_resume(&mut self, selections: &[Threads]) -> Result<(), Error> {
        for threads in selections {
            let command = Command::SelectResume(*threads, self.state.pid);
            self.ask(&command, reply::ok).map_err(|e| match threads {
                Threads::One(thread) => no_thread(e, *thread),
                Threads::Any => e,
            })?;
            self.state.resume_selected(*threads);
        }
        Ok(())
    }

    /// Sends a resume and waits for what comes of it.
    pub(super) fn run(
        &mut self,
        command: &Command<'_>,
        direction: Direction,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let delivering = self.delivering(command);
        let request = delivering.as_ref().unwrap_or(command).encode(self.spelling);
        self.link.send(&request)?;
        self.state.running();
        let asked = Instant::now();
        let outcome = self.wait(&request, direction, cancel);
        self.link.waited(asked.elapsed());
        if direction == Direction::Reverse {
            self.moved_back();
        }
        outcome
    }

    /// Returns the command that goes on with the signal that the process has stopped for. A replay needs none of that:
    /// it delivers by itself what was delivered.
    fn delivering(&self, command: &Command<'_>) -> Option<Command<'static>> {
        let signal = self.state.pending.filter(|_| !self.abilities.time)?;
        let step = match command {
            Command::Continue => None,
            Command::Step(thread) => Some(*thread),
            _ => return None,
        };
        Some(Command::Deliver { signal, thread: self.state.current, step })
    }

    fn wait(&mut self, request: &[u8], direction: Direction, cancel: &Cancel) -> Result<Outcome, Error> {
        let mut interrupted: Option<Instant> = None;
        let is_search = request == Command::ReverseContinue.encode(self.spelling);
        // While the target runs, the interrupt is the only byte that may be sent.
        let packet = loop {
            if let Some(packet) = self.link.poll(request)? {
                break packet;
            }
            match interrupted {
                None if cancel.is_cancelled() => {
                    self.link.interrupt(request)?;
                    interrupted = Some(Instant::now());
                }
                // Where a search has come to is no place that anybody has asked for.
                Some(since) if is_search && since.elapsed() >= SOON && self.link.cancel.is_cancelled() => {
                    return Err(self.link.fail(Error::Cancelled { request: reply::excerpt(request) }));
                }
                Some(since) if since.elapsed() >= self.interrupt_timeout => {
                    let late = Error::Timeout { request: reply::excerpt(request), after: self.interrupt_timeout };
                    return Err(self.link.fail(late));
                }
                _ => {}
            }
        };
        let first = self.stop_reply(request, &packet)?;
        if interrupted.is_some() {
            return self.resynchronise(first, direction);
        }
        let first = match first {
            StopReply::Stopped { signal: 0, thread, cause: StopCause::Plain }
                if direction == Direction::Reverse && !self.dialect.names_the_beginning() =>
            {
                StopReply::Stopped { signal: 0, thread, cause: StopCause::Beginning }
            }
            other => other,
        };
        self.state.stopped(&first, direction);
        self.with_cause(first).map(Outcome::Stopped)
    }

    /// Completes a stop's cause. QEMU does not say `swbreak`: a bare SIGTRAP where a breakpoint is set is that
    /// breakpoint's.
    fn with_cause(&mut self, stop: StopReply) -> Result<StopReply, Error> {
        match stop {
            StopReply::Stopped { signal: SIGTRAP, thread, cause: StopCause::Plain } if !self.abilities.time => {
                let pc = self.read_pc()?;
                let cause = match self.breaks.wants_software_at(pc) {
                    true => StopCause::SoftwareBreak,
                    false => StopCause::Plain,
                };
                Ok(StopReply::Stopped { signal: SIGTRAP, thread, cause })
            }
            other => Ok(other),
        }
    }

    /// Finds out, after an interrupt was sent and a stop has come, whether the stop was the interrupt's.
    ///
    /// An interrupt is answered by exactly one `T00`, also if the target had stopped by itself in the meantime; then
    /// the `T00` comes after the real stop. `qC` is answered after both, so the stops that come before its answer are
    /// all there are. (After `W00` there is no `T00`.) But after a backward run it has been seen to come as late as at
    /// the next resume, which then moved nothing (rr 5.10).
    fn resynchronise(&mut self, first: StopReply, direction: Direction) -> Result<Outcome, Error> {
        let request = Command::CurrentThread.encode(self.spelling);
        self.link.send(&request)?;
        let mut late = None;
        for stops in 0.. {
            let packet = self.link.receive(&request, self.interrupt_timeout, Awaited::Answer)?;
            match reply::current_thread(&packet) {
                Ok(_) => break,
                Err(fault) if stops == MOST_LATE_STOPS => return Err(self.link.fail(error_of(&request, fault))),
                Err(_) => late = Some(self.stop_reply(&request, &packet)?),
            }
        }
        let said = self.interrupt_signal();
        let at_first = matches!(first, StopReply::Stopped { signal, cause: StopCause::Plain, .. } if signal == said);
        match late {
            None if at_first => {
                self.state.interrupted(&first);
                Ok(Outcome::Interrupted(first))
            }
            None => {
                self.state.stopped(&first, direction);
                self.state.interrupt_owed = matches!(first, StopReply::Stopped { .. });
                self.with_cause(first).map(Outcome::Stopped)
            }
            // The interrupt was answered first, and then something else happened before the run had ended: the
            // debuggee's exit, or the stop before an exec.
            Some(late) if at_first => {
                match late {
                    StopReply::Stopped { .. } => self.state.interrupted(&late),
                    StopReply::Exited(_) | StopReply::Killed(_) => self.state.stopped(&late, direction),
                }
                Ok(Outcome::Interrupted(late))
            }
            Some(late) => {
                self.state.interrupted(&late);
                self.with_cause(first).map(Outcome::Stopped)
            }
        }
    }

    /// Returns the signal in the answer to an interrupt. Other servers than rr say SIGINT; gdbserver sends it to a
    /// program that has stopped by itself meanwhile, too, so that it comes at the next resume.
    fn interrupt_signal(&self) -> u8 {
        if self.abilities.time { 0 } else { SIGINT }
    }

    /// Decodes a stop reply. If it cannot be, nothing is known about the target any more.
    pub(super) fn stop_reply(&mut self, request: &[u8], packet: &[u8]) -> Result<StopReply, Error> {
        let decoded = reply::stop(packet, Some(self.state.pid));
        decoded.map_err(|fault| error_of(request, fault)).map_err(|e| self.link.fail(e))
    }
}
