//! What the layers above call: each method is one question to a session, or one movement.

use crate::api::error::Error;
use crate::api::{
    Access, Backtrace, BreakpointChange, BreakpointInfo, BreakpointSpec, CatchSpec, Checkpoint, Evaluated, Frame,
    Logged, MemoryBlock, ModuleInfo, Motion, Position, RegisterValue, Show, SourceText, StackShape, Stop, Thread,
    Variable, Waypoint,
};
use crate::eval::expression::Scope;
use crate::eval::inferior::Printing;
use crate::run::session::Session;
use crate::session::engine::Engine;
use crate::target::signals::number_of;
use ctype::Answer;
use rr::Output;
use rsp::Traffic;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

impl Engine {
    /// Returns the trace directory; `None` if what was attached to is no replay.
    pub fn trace(&self) -> Option<&Path> {
        self.server.trace()
    }

    /// Returns the port that rr listened on.
    pub fn port(&self) -> u16 {
        self.server.address().port()
    }

    /// Returns the recorded process that is debugged.
    pub fn pid(&self) -> u32 {
        self.server.pid()
    }

    /// Returns what the packets to rr have cost so far.
    pub fn traffic(&self) -> Traffic {
        self.session.debuggee.inferior.process.traffic()
    }

    /// Lists all that is loaded now: where, from which file, and where its debug info comes from.
    pub fn modules(&mut self) -> Result<Vec<ModuleInfo>, Error> {
        self.with(Session::modules)
    }

    /// Takes what is to be said besides the answer of the last call: how the recording is replayed; that rr had ended
    /// and the session continues in a new replay; what degraded the answer, such as debug info that is missing, with
    /// where it was looked for, each thing once; or which frame has what the selected one does not know.
    pub fn take_notes(&mut self) -> Vec<String> {
        let mut notes = self.take_said();
        notes.extend(self.take_revived());
        notes.extend(self.session.missing_debug_info());
        notes.extend(self.session.hint.take());
        notes.extend(self.take_choices());
        notes
    }

    /// Takes whose variables the names in the last expressions were taken for, where that does not go without saying:
    /// each thing once.
    pub fn take_choices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.session.debuggee.inferior.choices)
    }

    /// Takes what is to be said of how the recording is replayed, if that does not go without saying, as with other
    /// counters than it was made with: once.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Takes what is to be said of it that rr had ended meanwhile, and that the session continues in a new replay: once.
    pub fn take_revived(&mut self) -> Option<String> {
        self.revived.take()
    }

    /// Returns the event that the session began at: 0, or where the process begins that is not the recording's first.
    pub fn beginning(&self) -> u64 {
        self.session.beginning
    }

    /// Returns how many replays it has had: a new one takes the place of one that has ended.
    pub fn replays(&self) -> u32 {
        self.replays
    }

    /// Returns where it is now, as a stop: the last one, or the initial one.
    pub fn here(&mut self) -> Result<Stop, Error> {
        self.with(Session::stop)
    }

    /// Moves, and tells where that led. Afterwards the thread that stopped is selected, and its innermost frame.
    pub fn go(&mut self, motion: Motion) -> Result<Stop, Error> {
        self.require(motion)?;
        let mut moved = None;
        self.come_back()?;
        let before = self.session.before();
        // A movement has its own limits.
        let done = self.within(Duration::MAX, |s| match s.go(motion) {
            // Nobody wants it to be done again: it was to be cancelled anyway. What else could not be read is the same
            // failure.
            Err(error) if error.ends_replay() && s.cancelled.is_some() => {
                s.debuggee.inferior.process.take_failure();
                Ok(Some(error))
            }
            other => {
                moved = Some(other?);
                Ok(None)
            }
        });
        match (done?, moved) {
            (None, Some(stop)) => Ok(stop),
            (error, _) => self.begin_again(error, before),
        }
    }

    /// Returns the place in the recording, for the selected thread.
    pub fn position(&mut self) -> Result<Position, Error> {
        self.require_time()?;
        self.with(|s| {
            let position = s.debuggee.inferior.position(s.debuggee.thread)?;
            s.debuggee.inferior.shown(position)
        })
    }

    /// Returns the place in the recording, for the selected thread, to the instruction: [`Motion::GoTo`] goes back to
    /// it.
    pub fn waypoint(&mut self) -> Result<Waypoint, Error> {
        self.require_time()?;
        self.with(Session::waypoint)
    }

    /// Sets a breakpoint. The error says what is wrong with its location or condition.
    pub fn set_breakpoint(&mut self, spec: &BreakpointSpec) -> Result<BreakpointInfo, Error> {
        self.within(self.session.limits.breakpoint, |s| s.debuggee.set_breakpoint(spec))
    }

    /// Waits for something that happens.
    pub fn set_catchpoint(&mut self, spec: &CatchSpec) -> Result<BreakpointInfo, Error> {
        self.within(self.session.limits.breakpoint, |s| s.debuggee.set_catchpoint(spec))
    }

    /// Watches what an expression names in memory now. Its address is pinned: leaving the scope does not lose it.
    /// `log`: as in [`BreakpointSpec::log`].
    pub fn set_watchpoint(
        &mut self,
        expression: &str,
        access: Access,
        condition: Option<&str>,
        log: Option<&str>,
    ) -> Result<BreakpointInfo, Error> {
        let limit = self.session.limits.breakpoint;
        self.ask_within(limit, |s| s.debuggee.set_watchpoint(expression, access, condition, log))
    }

    /// Removes a breakpoint or watchpoint, and tells what it was.
    pub fn remove_breakpoint(&mut self, number: u32) -> Result<BreakpointInfo, Error> {
        self.with(|s| s.debuggee.breakpoints.remove(number).map(|entry| entry.info()))
    }

    /// Lists all breakpoints and watchpoints.
    pub fn breakpoints(&self) -> Vec<BreakpointInfo> {
        self.session.debuggee.breakpoints.infos()
    }

    /// Returns the lines that log points have written down, from this one on (counted from 1), of one of them or of
    /// all.
    pub fn logged(&self, from: u64, most: usize, of: Option<u32>) -> Logged {
        self.session.debuggee.log.from(from, most, of)
    }

    /// Reads what the recorded program prints from its start to its end, with the event of each write. The first time
    /// it takes a replay of its own, which may take as long as a forward run.
    pub fn output(&mut self) -> Result<Arc<Output>, Error> {
        self.output_within(self.session.limits.forward)
    }

    /// Reads as [`Self::output`] does, for so long: what is missing then the answer says.
    pub(crate) fn output_within(&mut self, limit: Duration) -> Result<Arc<Output>, Error> {
        if let Some(known) = &self.output {
            return Ok(known.clone());
        }
        let found = self.rr.with_cancel(&self.session.cancel).output(self.recording()?, limit)?;
        let found = Arc::new(found);
        if found.incomplete.is_none() {
            self.output = Some(found.clone());
        }
        Ok(found)
    }

    /// Lists the threads that exist now.
    pub fn threads(&mut self) -> Result<Vec<Thread>, Error> {
        self.with(|s| s.debuggee.threads())
    }

    /// Selects a thread by our number (`2`) or rr's ids (`1234.1235`, `1235`), and its innermost frame.
    pub fn select_thread(&mut self, thread: &str) -> Result<Thread, Error> {
        self.with(|s| s.debuggee.select_thread(thread))
    }

    /// Returns the frames `from..from + max` of the selected thread. A `from` that the stack does not have is an error.
    pub fn backtrace(&mut self, from: u32, max: u32, with_args: bool) -> Result<Backtrace, Error> {
        self.with(|s| {
            s.debuggee.inferior.level(s.debuggee.thread, from)?;
            s.debuggee.inferior.backtrace(s.debuggee.thread, from, max, with_args)
        })
    }

    /// Finds out what the stack of the selected thread looks like as a whole: all of it is followed.
    pub fn stack_shape(&mut self) -> Result<StackShape, Error> {
        self.with(|s| s.debuggee.inferior.stack_shape(s.debuggee.thread))
    }

    /// Selects a frame for locals and expressions, until the next movement.
    pub fn select_frame(&mut self, level: u32) -> Result<Frame, Error> {
        self.with(|s| s.debuggee.select_frame(level))
    }

    /// Returns the arguments and locals of the selected frame.
    pub fn locals(&mut self) -> Result<Vec<Variable>, Error> {
        self.with(|s| {
            let level = s.debuggee.selected()?;
            let variables =
                s.debuggee.inferior.rendered_variables(s.debuggee.thread, level, false, &mut Answer::default())?;
            if variables.is_empty() {
                s.note_bare_frame()?;
            }
            Ok(variables)
        })
    }

    /// Evaluates an expression in the selected frame. A format is also accepted at the beginning of the expression, as
    /// in `/x`.
    pub fn evaluate(&mut self, expression: &str, show: Show) -> Result<Evaluated, Error> {
        self.ask(|s| {
            let level = s.debuggee.selected()?;
            let answer = s.debuggee.inferior.evaluate(s.debuggee.thread, level, expression, show);
            s.debuggee.inferior.note_choices(Scope::Frame(s.debuggee.thread, level), expression);
            answer
        })
    }

    /// Reads memory from an address, which may be any expression.
    pub fn read_memory(&mut self, address: &str, count: u64) -> Result<MemoryBlock, Error> {
        self.ask(|s| s.read_memory(address, count))
    }

    /// Reads the registers of the selected frame, all of them or those named.
    pub fn registers(&mut self, names: Option<&[String]>) -> Result<Vec<RegisterValue>, Error> {
        self.with(|s| s.registers(names))
    }

    /// Reads the source around the selected frame, or around `line` of `file`.
    pub fn source(&mut self, file: Option<&str>, line: Option<u32>, count: u32) -> Result<SourceText, Error> {
        self.with(|s| s.debuggee.source(file, line, count))
    }

    /// Makes a checkpoint here, with what it is for.
    pub fn save_checkpoint(&mut self, note: Option<&str>) -> Result<Checkpoint, Error> {
        self.require_time()?;
        self.with(|s| s.save_checkpoint(note))
    }

    /// Lists all checkpoints.
    pub fn checkpoints(&self) -> Vec<Checkpoint> {
        self.session.checkpoints.shown()
    }

    /// Deletes a checkpoint.
    pub fn delete_checkpoint(&mut self, id: u32) -> Result<(), Error> {
        self.with(|s| s.delete_checkpoint(id))
    }

    /// Ends rr. Also done by dropping.
    pub fn stop(self) {
        drop(self);
    }

    /// Runs forward to a location, in any frame, or until the selected frame returns.
    pub fn advance(&mut self, location: &str) -> Result<Stop, Error> {
        let locations = self.locations(location)?;
        self.session.destinations = locations.iter().map(|p| p.address).collect();
        let stop = self.go(Motion::Advance);
        self.session.destinations.clear();
        stop
    }

    /// Gives a breakpoint or watchpoint another condition, or none.
    pub fn set_condition(&mut self, number: u32, condition: Option<&str>) -> Result<(), Error> {
        self.within(self.session.limits.breakpoint, |s| s.debuggee.set_condition(number, condition))
    }

    /// Returns by what the beginnings of sources' paths are replaced, and the directories in which sources are looked
    /// for that are not where they were.
    pub fn source_paths(&self) -> (&[(String, String)], &[PathBuf]) {
        let sources = &self.session.debuggee.sources;
        (&sources.substitutes, &sources.directories)
    }

    /// Sets these.
    pub fn set_source_paths(&mut self, substitutes: Vec<(String, String)>, directories: Vec<PathBuf>) {
        let sources = &mut self.session.debuggee.sources;
        (sources.substitutes, sources.directories) = (substitutes, directories);
        sources.forget();
    }

    /// Returns the directories that have the program's file, as it was recorded.
    pub fn program_directories(&self) -> Vec<PathBuf> {
        self.session.debuggee.inferior.modules.program_directories()
    }

    /// Returns why a source that is there is not read, if a rule forbids it.
    pub fn refused_source(&mut self, path: &Path) -> Option<String> {
        self.session.debuggee.sources.refused(path)
    }

    /// Returns how values are shown.
    pub fn printing(&self) -> Printing {
        self.session.debuggee.inferior.print
    }

    /// Sets how values are shown.
    pub fn set_printing(&mut self, print: Printing) {
        self.session.debuggee.inferior.print = print;
    }

    /// Has the next movement tell once more of a write or read that the last stop has told of, should it turn back over
    /// it: otherwise turning back leads to the stop before.
    pub fn tell_again(&mut self) {
        self.session.state.touch = None;
    }

    /// Returns whether a signal that nobody catches passes silently.
    pub fn is_signal_passed(&self, name: &str) -> bool {
        number_of(name).is_some_and(|number| self.session.debuggee.passes(number))
    }

    /// Says whether a signal that nobody catches passes silently, or stops. A name that is none changes nothing.
    pub fn set_signal_passed(&mut self, name: &str, passes: bool) {
        if let Some(number) = number_of(name) {
            self.session.debuggee.signals.insert(number, passes);
        }
    }

    /// Has a breakpoint or watchpoint be skipped `count` times from now on.
    pub fn set_ignore_count(&mut self, number: u32, count: u32) -> Result<(), Error> {
        self.with(|s| {
            s.debuggee.known(number)?.ignore_count = count;
            Ok(())
        })
    }

    /// Has a breakpoint or watchpoint count, or not.
    pub fn set_enabled(&mut self, number: u32, enabled: bool) -> Result<(), Error> {
        self.with(|s| s.debuggee.set_enabled(number, enabled))
    }

    /// Changes a breakpoint or watchpoint, and tells what it is now. After an error nothing is different.
    pub fn change_breakpoint(&mut self, number: u32, change: &BreakpointChange) -> Result<BreakpointInfo, Error> {
        self.with(|s| s.debuggee.change(number, change))
    }

    /// Returns the breakpoint or watchpoint of this number.
    pub fn breakpoint(&self, number: u32) -> Option<BreakpointInfo> {
        self.session.debuggee.breakpoints.iter().find(|e| e.number == number).map(|e| e.info())
    }
}
