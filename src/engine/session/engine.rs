//! The engine: a session, who serves it, and what ends it.

use crate::api::error::Error;
use crate::api::{AttachOptions, Reason, ReplayOptions, Timeouts};
use crate::run::cut_recording::CutRecording;
use crate::run::session::{Ending, Session};
use crate::session::kill_switch::KillSwitch;
use crate::session::server::{self, Server};
use crate::target::process::Process;
use base::cancel::Cancel;
use program::debuginfod::DebugSettings;
use rr::{Output, Replay, Rr, processes};
use std::sync::Arc;
use std::time::Duration;

/// One replay. What takes long is cancelled by what was [given](Engine::set_cancel). Dropping it ends rr.
pub struct Engine {
    pub(crate) rr: Rr,
    pub(crate) session: Session,
    pub(crate) server: Server,
    /// What the program prints, once it was asked for.
    pub(crate) output: Option<Arc<Output>>,
    /// rr's last words, once it is gone.
    pub(crate) ended: Option<String>,
    /// What is to be said of how the recording is replayed.
    pub(crate) said: Vec<String>,
    /// What is to be said of a replay that has taken the place of another.
    pub(crate) revived: Option<String>,
    /// What an rr ended with that is to be replaced when the next one is needed.
    pub(crate) absent: Option<String>,
    /// How many replays it has had.
    pub(crate) replays: u32,
    pub(crate) switch: KillSwitch,
    /// How many expressions have called functions.
    pub(crate) calls: u32,
}

/// How long a server that is attached to may take for each answer to the handshake.
const ANSWERING: Duration = Duration::from_secs(5);

/// The last words of a replay that was ended from outside.
pub(crate) const STOPPED: &str = "it was stopped";

impl Engine {
    /// Starts a replay and stops at its beginning.
    pub fn start(rr: &Rr, options: &ReplayOptions, timeouts: Timeouts) -> Result<Self, Error> {
        Self::start_with(KillSwitch::default(), rr, options, timeouts)
    }

    /// Starts a replay as [`Self::start`] does, with a switch by which another thread can end it at any time, from now
    /// on.
    pub fn start_with(switch: KillSwitch, rr: &Rr, options: &ReplayOptions, timeouts: Timeouts) -> Result<Self, Error> {
        let rr = rr.with_cancel(switch.cancel());
        let begun = Self::begin(&rr, options, timeouts, &switch);
        let (session, server) = begun.map_err(|error| match switch.is_pulled() {
            true => Error::Ended(STOPPED.to_owned()),
            false => error,
        })?;
        let said = server.notes().to_vec();
        let mut engine = Self::new(&rr, session, Server::Ours(server), switch);
        engine.said = said;
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
        let processes = processes(&trace).unwrap_or_default();
        let ending = Ending(processes.iter().find(|p| p.pid == replay.pid()).and_then(|p| p.exit_code));
        let is_first = processes.first().is_none_or(|p| p.pid == replay.pid());
        let begun = connect(&replay, timeouts, switch, switch.cancel()).and_then(|client| {
            let debug = DebugSettings::from_environment(|name| std::env::var_os(name));
            Session::new(Process::new(Box::new(client)), Some(&trace), debug, timeouts, ending)
        });
        match begun {
            Ok(mut session) => {
                session.restart_limit = session.restart_limit.max(2 * replay.took());
                session.cut = rr.last_event_of_cut(&trace).map(CutRecording::at_last);
                if !is_first {
                    session.beginning =
                        session.debuggee.inferior.position(session.debuggee.thread)?.event().unwrap_or_default();
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
        let connected = rsp::Client::connect_while_answered(address, timeouts.connect, ANSWERING, switch.cancel());
        let mut client = connected.map_err(|e| server::lacking(address, e))?;
        client.set_interrupt_timeout(timeouts.interrupt);
        switch.guard_wire(client.hangup());
        if switch.is_pulled() {
            return Err(Error::Ended(STOPPED.to_owned()));
        }
        let rr = rr.with_cancel(switch.cancel());
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
        let processes = trace.as_ref().and_then(|trace| processes(trace).ok()).unwrap_or_default();
        let ending = Ending(processes.iter().find(|p| p.pid == pid).and_then(|p| p.exit_code));
        let debug = DebugSettings::from_environment(|name| std::env::var_os(name));
        let process = Process::new(Box::new(client));
        let mut session = Session::new(process, trace.as_deref(), debug, timeouts, ending)?;
        session.reason = Reason::Attached;
        Ok(Self::new(&rr, session, Server::Theirs { address, trace, pid }, switch))
    }

    fn new(rr: &Rr, session: Session, server: Server, switch: KillSwitch) -> Self {
        let mut engine = Self {
            // Who opened it may be gone when it is replaced by another one.
            rr: rr.cancelled_by(switch.cancel()),
            session,
            server,
            output: None,
            ended: None,
            said: Vec::new(),
            revived: None,
            absent: None,
            replays: 1,
            calls: 0,
            switch,
        };
        engine.set_cancel(&Cancel::default());
        engine
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.switch.pull();
    }
}

/// Connects to a replay, which the switch ends from now on.
pub(crate) fn connect(
    replay: &Replay,
    limits: Timeouts,
    switch: &KillSwitch,
    cancel: &Cancel,
) -> Result<rsp::Client, Error> {
    if !switch.guard(replay) {
        return Err(Error::Ended(STOPPED.to_owned()));
    }
    let mut client = rsp::Client::connect(replay.address(), limits.connect, cancel)?;
    client.set_interrupt_timeout(limits.interrupt);
    let pulse = replay.pulse();
    client.set_at_work(move || pulse.is_at_work());
    switch.guard_wire(client.hangup());
    if !client.abilities().time {
        return Err(rsp::Error::Unsupported { request: "qRRCmd".to_owned() }.into());
    }
    Ok(client)
}
