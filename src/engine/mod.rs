//! The debugger: one recording, replayed by rr, looked at and moved in both directions of time.
//!
//! Floor 2. [`Engine`] is all that the layers above see: plain structs ([`model`]) in and out, no protocol, no debug
//! info, no JSON. It is synchronous and owned by one thread. Every movement has a time limit and an [`Observer`], and
//! whatever ends it, the next call works.
//!
//! Inside, from the target up:
//!
//! * `target` is what is asked of a replay, `process` the same with registers and memory cached: nothing changes while
//!   a replay is stopped, and moving is what drops the caches.
//! * `modules` and `image_files` know which ELF files are loaded where, and find files that are what was recorded;
//!   `debuginfod` fetches debug info that is not here, behind everybody's back; `module_list` tells about all that.
//! * `frames` and `frame_context` unwind; `inferior` is a stopped process with all that, `scope`, `eval` and `describe`
//!   look around in it.
//! * `whereabouts`, `code`, `frame_detail` and `type_text` tell more of the program than tools ask for; `variables` are
//!   the values that expressions may name besides the program's own.
//! * `breakpoints`, `adjust`, `watch`, `locations`, `setting` and `conditions` are what the user waits for; `patterns`
//!   and `statements` find places by more than a name or line, `log_points` write down instead of stopping, and
//!   `catching` waits for what happens rather than for where.
//! * `step` has the rules of stepping, in terms of a `Machine`; `motion` makes the replay one, and `hits` judges the
//!   breakpoints that it meets; `finish`, `until`,
//!   `watch_stop` and `timeline` are the movements that are not steps; `sides`, `delivery` and `late_write` see to it
//!   that going back skips nothing that others have done, and `misses` that it is not held up by hits that do not
//!   count; `watch_check` doubts what a watchpoint tells.
//! * `server` is who answers: an rr of our own, or a server that was there before.
//! * `symbol_work` bounds what reading debug info may take; `session` joins them; `recovery` goes on in another replay
//!   when rr cannot be stopped, and `kill_switch` is what other threads may hold of an engine.

pub mod api;
mod breakpoints;
mod eval;
mod modules;
mod query;
mod run;
mod session;
mod stack;
mod target;

pub use crate::dwarf::{Progress, Work};
pub use crate::readers::shortened_function;
pub use crate::rsp::Traffic;
pub use api as model;
pub use api::error::Error;
pub use query::disassemble::CodeLine;
pub use query::frame::{FrameDetail, FrameKey, Local};
pub use query::lookup::{FunctionSpan, Library, LineSpan, SourceFacts, SourcePosition, SymbolPlace};
pub use query::macros::{DefinedMacro, MacroLine, Macros};
pub use query::types::TypeText;
pub use session::kill_switch::KillSwitch;
pub use target::signals::{is_passed_silently, named_signals, signal_meaning};

use crate::ctype::Answer;
use crate::rr::{Output, Replay, Rr};
use crate::rsp;
use api::{
    Access, AttachOptions, Backtrace, BreakpointInfo, BreakpointSpec, CatchSpec, Checkpoint, Evaluated, Frame, Logged,
    MemoryBlock, ModuleInfo, Motion, Observer, Position, Reason, RegisterValue, ReplayOptions, Show, SourceText, Stop,
    Thread, Timeouts, Variable,
};
use modules::debuginfod::DebugSettings;
use session::server::{self, Server};
use session::state::{Ending, Session};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use target::process::Process;

/// One replay. Each method that may run the target takes an observer. Dropping it ends rr.
pub struct Engine {
    rr: Rr,
    session: Session,
    server: Server,
    /// What the program prints, once it was asked for.
    output: Option<Arc<Output>>,
    /// rr's last words, once it is gone.
    ended: Option<String>,
    /// What is to be said of how the recording is replayed.
    said: Vec<String>,
    /// What is to be said of a replay that has taken the place of another.
    revived: Option<String>,
    /// What an rr ended with that is to be replaced when the next one is needed.
    absent: Option<String>,
    /// How many replays it has had.
    replays: u32,
    switch: KillSwitch,
}

/// How long a server that is attached to may take for each answer to the handshake.
const ANSWERING: Duration = Duration::from_secs(5);

/// The last words of a replay that was ended from outside.
const STOPPED: &str = "it was stopped";

impl Engine {
    /// Starts a replay and stops at its beginning.
    pub fn start(rr: &Rr, options: &ReplayOptions, timeouts: Timeouts) -> Result<Self, Error> {
        Self::start_with(KillSwitch::default(), rr, options, timeouts)
    }

    /// The same, with a switch by which another thread can end it at any time, from now on.
    pub fn start_with(switch: KillSwitch, rr: &Rr, options: &ReplayOptions, timeouts: Timeouts) -> Result<Self, Error> {
        let watched = switch.clone();
        let rr = rr.while_wanted(move || !watched.is_pulled());
        let begun = Self::begin(&rr, options, timeouts, &switch);
        let (session, server) = begun.map_err(|error| match switch.is_pulled() {
            true => Error::Ended(STOPPED.to_owned()),
            false => error,
        })?;
        let mut engine = Self {
            rr,
            session,
            said: server.notes().to_vec(),
            server: Server::Ours(server),
            output: None,
            ended: None,
            revived: None,
            absent: None,
            replays: 1,
            switch,
        };
        engine.while_wanted(|| true);
        Ok(engine)
    }

    fn begin(
        rr: &Rr,
        options: &ReplayOptions,
        timeouts: Timeouts,
        switch: &KillSwitch,
    ) -> Result<(Session, Replay), Error> {
        let replay = rr.replay(options.trace.as_deref(), options.pid, timeouts.until_listening())?;
        let trace = replay.trace().to_owned();
        let processes = rr.ps(&trace).unwrap_or_default();
        let ending = Ending(processes.iter().find(|p| p.pid == replay.pid()).and_then(|p| p.exit_code));
        let is_first = processes.first().is_none_or(|p| p.pid == replay.pid());
        let begun = connect(&replay, timeouts, switch).and_then(|client| {
            let debug = DebugSettings::from_environment(|name| std::env::var_os(name));
            Session::new(Process::new(Box::new(client)), Some(&trace), debug, timeouts, ending)
        });
        match begun {
            Ok(mut session) => {
                session.restart_limit = session.restart_limit.max(2 * replay.took());
                if !is_first {
                    session.beginning = session.inferior.position(session.thread)?.event().unwrap_or_default();
                }
                Ok((session, replay))
            }
            Err(error) => Err(replay.ended().map_or(error, Error::Ended)),
        }
    }

    /// Uses an `rr replay` that listens already, or another server, where it is.
    ///
    /// What another server lacks (gdbserver and QEMU have neither reverse execution nor rr's commands) is an
    /// [`Error::Lacks`] of the call that needs it.
    pub fn attach(switch: KillSwitch, rr: &Rr, to: &AttachOptions, timeouts: Timeouts) -> Result<Self, Error> {
        let address = server::address(&to.address, to.remote)?;
        let connected = rsp::Client::connect_while_answered(address, timeouts.connect, ANSWERING);
        let mut client = connected.map_err(|e| server::lacking(address, e))?;
        client.set_interrupt_timeout(timeouts.interrupt);
        switch.guard_wire(client.hangup());
        if switch.is_pulled() {
            return Err(Error::Ended(STOPPED.to_owned()));
        }
        let watched = switch.clone();
        let rr = rr.while_wanted(move || !watched.is_pulled());
        let pid = client.pid();
        if let Some(program) = &to.program {
            client.set_exec_file(program.to_string_lossy().into_owned());
        }
        let program = client.exec_file().map_err(|e| server::lacking(address, e))?;
        let is_replay = client.abilities().time;
        let trace = to.trace.clone().or_else(|| server::trace_of(&program).filter(|_| is_replay));
        if is_replay && trace.is_none() {
            return Err(Error::Incomplete("recording that it replays: say which one it is"));
        }
        let processes = trace.as_ref().and_then(|trace| rr.ps(trace).ok()).unwrap_or_default();
        let ending = Ending(processes.iter().find(|p| p.pid == pid).and_then(|p| p.exit_code));
        let debug = DebugSettings::from_environment(|name| std::env::var_os(name));
        let process = Process::new(Box::new(client));
        let mut session = Session::new(process, trace.as_deref(), debug, timeouts, ending)?;
        session.reason = Reason::Attached;
        let mut engine = Self {
            rr,
            session,
            server: Server::Theirs { address, trace, pid },
            output: None,
            ended: None,
            said: Vec::new(),
            revived: None,
            absent: None,
            replays: 1,
            switch,
        };
        engine.while_wanted(|| true);
        Ok(engine)
    }

    /// The trace directory; `None` if what was attached to is no replay.
    pub fn trace(&self) -> Option<&Path> {
        self.server.trace()
    }

    /// The port that rr listened on.
    pub fn port(&self) -> u16 {
        self.server.address().port()
    }

    /// The recorded process that is debugged.
    pub fn pid(&self) -> u32 {
        self.server.pid()
    }

    /// What the packets to rr have cost so far.
    pub fn traffic(&self) -> Traffic {
        self.session.inferior.process.traffic()
    }

    /// Modules that are loaded but whose file could not be used, and why.
    pub fn unused_modules(&mut self) -> Result<Vec<(String, String)>, Error> {
        self.with(|s| {
            s.catch_up()?;
            Ok(s.inferior.modules.missing().to_vec())
        })
    }

    /// All that is loaded now: where, from which file, and where its debug info comes from.
    pub fn modules(&mut self) -> Result<Vec<ModuleInfo>, Error> {
        self.with(Session::modules)
    }

    /// What is to be said besides the answer of the last call: how the recording is replayed; that rr had ended and the
    /// session goes on in a new replay; what made the answer poorer than it could be, such as debug info that is
    /// missing, with where it was looked for, each thing once; or which frame has what the selected one does not know.
    pub fn take_notes(&mut self) -> Vec<String> {
        let mut notes = self.take_said();
        notes.extend(self.take_revived());
        notes.extend(self.session.missing_debug_info());
        notes.extend(self.session.hint.take());
        notes.extend(self.take_choices());
        notes
    }

    /// Whose variables the names in the last expressions were taken for, where that does not go without saying: each
    /// thing once.
    pub fn take_choices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.session.inferior.choices)
    }

    /// How the recording is replayed, if that does not go without saying, as with other counters than it was made with:
    /// once.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// That rr had ended meanwhile, and that the session goes on in a new replay: once.
    pub fn take_revived(&mut self) -> Option<String> {
        self.revived.take()
    }

    /// The event that the session began at: 0, or where the process begins that is not the recording's first.
    pub fn beginning(&self) -> u64 {
        self.session.beginning
    }

    /// How many replays it has had: a new one takes the place of one that has ended.
    pub fn replays(&self) -> u32 {
        self.replays
    }

    /// Where it is now, as a stop: the last one, or the initial one.
    pub fn here(&mut self) -> Result<Stop, Error> {
        self.with(Session::stop)
    }

    /// Moves, and tells where that led. Afterwards the thread that stopped is selected, and its innermost frame.
    pub fn go(&mut self, motion: Motion, observer: &mut dyn Observer) -> Result<Stop, Error> {
        self.needs(motion)?;
        let mut moved = None;
        self.come_back()?;
        let before = self.session.before();
        // A movement has its own limits.
        let done = self.within(Duration::MAX, |s| match s.go(motion, observer) {
            // Nobody wants it to be done again: it was to be given up anyway. What else could not be read is the same
            // failure.
            Err(error) if error.ends_replay() && s.given_up.is_some() => {
                s.inferior.process.take_failure();
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

    /// The place in the recording, for the selected thread.
    pub fn position(&mut self) -> Result<Position, Error> {
        self.needs_time()?;
        self.with(|s| s.inferior.position(s.thread))
    }

    /// Sets a breakpoint. The error says what is wrong with its location or condition.
    pub fn set_breakpoint(&mut self, spec: &BreakpointSpec) -> Result<BreakpointInfo, Error> {
        self.within(self.session.limits.breakpoint, |s| s.set_breakpoint(spec))
    }

    /// Waits for something that happens.
    pub fn set_catchpoint(&mut self, spec: &CatchSpec) -> Result<BreakpointInfo, Error> {
        self.within(self.session.limits.breakpoint, |s| s.set_catchpoint(spec))
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
        self.ask_within(limit, |s| s.set_watchpoint(expression, access, condition, log))
    }

    /// Removes a breakpoint or watchpoint, and tells what it was.
    pub fn remove_breakpoint(&mut self, number: u32) -> Result<BreakpointInfo, Error> {
        self.with(|s| s.breakpoints.remove(number).map(|entry| entry.info()))
    }

    /// All breakpoints and watchpoints.
    pub fn breakpoints(&self) -> Vec<BreakpointInfo> {
        self.session.breakpoints.infos()
    }

    /// Lines that log points have written down, from this one on (counted from 1), of one of them or of all.
    pub fn logged(&self, from: u64, most: usize, of: Option<u32>) -> Logged {
        self.session.log.from(from, most, of)
    }

    /// What the recorded program prints from its start to its end, with the event of each write. The first time it
    /// takes a replay of its own, which may take as long as a forward run.
    pub fn output(&mut self, observer: &mut dyn Observer) -> Result<Arc<Output>, Error> {
        if let Some(known) = &self.output {
            return Ok(known.clone());
        }
        let limit = self.session.limits.forward;
        let found = self.rr.output(self.recording()?, limit, &mut |elapsed| observer.running(elapsed))?;
        let found = Arc::new(found);
        if found.incomplete.is_none() {
            self.output = Some(found.clone());
        }
        Ok(found)
    }

    /// The threads that exist now.
    pub fn threads(&mut self) -> Result<Vec<Thread>, Error> {
        self.with(Session::threads)
    }

    /// Selects a thread by our number (`2`) or rr's ids (`1234.1235`, `1235`), and its innermost frame.
    pub fn select_thread(&mut self, thread: &str) -> Result<Thread, Error> {
        self.with(|s| s.select_thread(thread))
    }

    /// Frames `from..from + max` of the selected thread. A `from` that the stack does not have is an error.
    pub fn backtrace(&mut self, from: u32, max: u32, with_args: bool) -> Result<Backtrace, Error> {
        self.with(|s| {
            s.inferior.level(s.thread, from)?;
            s.inferior.backtrace(s.thread, from, max, with_args)
        })
    }

    /// Selects a frame for locals and expressions, until the next movement.
    pub fn select_frame(&mut self, level: u32) -> Result<Frame, Error> {
        self.with(|s| s.select_frame(level))
    }

    /// Arguments and locals of the selected frame.
    pub fn locals(&mut self) -> Result<Vec<Variable>, Error> {
        self.with(|s| {
            let level = s.selected()?;
            let variables = s.inferior.rendered_variables(s.thread, level, false, &mut Answer::default())?;
            if variables.is_empty() {
                s.note_bare_frame()?;
            }
            Ok(variables)
        })
    }

    /// The value of an expression in the selected frame. A format is also accepted at the beginning of the expression,
    /// as in `/x`.
    pub fn evaluate(&mut self, expression: &str, show: Show) -> Result<Evaluated, Error> {
        self.ask(|s| {
            let level = s.selected()?;
            let answer = s.inferior.evaluate(s.thread, level, expression, show);
            s.inferior.note_choices(eval::expression::Scope::Frame(s.thread, level), expression);
            answer
        })
    }

    /// Memory from an address, which may be any expression.
    pub fn read_memory(&mut self, address: &str, count: u64) -> Result<MemoryBlock, Error> {
        self.ask(|s| s.read_memory(address, count))
    }

    /// Registers of the selected frame, all of them or those named.
    pub fn registers(&mut self, names: Option<&[String]>) -> Result<Vec<RegisterValue>, Error> {
        self.with(|s| s.registers(names))
    }

    /// Source around the selected frame, or around `line` of `file`.
    pub fn source(&mut self, file: Option<&str>, line: Option<u32>, count: u32) -> Result<SourceText, Error> {
        self.with(|s| s.source(file, line, count))
    }

    /// Makes a checkpoint here.
    pub fn save_checkpoint(&mut self) -> Result<Checkpoint, Error> {
        self.needs_time()?;
        self.with(Session::save_checkpoint)
    }

    /// All checkpoints.
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
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.switch.pull();
    }
}

/// Connects to a replay, which the switch ends from now on.
fn connect(replay: &Replay, limits: Timeouts, switch: &KillSwitch) -> Result<rsp::Client, Error> {
    if !switch.guard(replay) {
        return Err(Error::Ended(STOPPED.to_owned()));
    }
    let mut client = rsp::Client::connect(replay.address(), limits.connect)?;
    client.set_interrupt_timeout(limits.interrupt);
    switch.guard_wire(client.hangup());
    if !client.abilities().time {
        return Err(rsp::Error::Unsupported { request: "qRRCmd".to_owned() }.into());
    }
    Ok(client)
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_engine_can_be_handed_to_the_thread_that_will_own_it() {
        fn is_send<T: Send>() {}
        is_send::<super::Engine>();
    }
}
