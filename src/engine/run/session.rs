//! One replay being debugged: the stopped process, the user's breakpoints, and what is selected.

use crate::api::error::Error;
use crate::api::{Frame, Logged, Reason, SourceLine, Stop, Timeouts};
use crate::breakpoints::debuggee::Debuggee;
use crate::eval::inferior::Inferior;
use crate::run::checkpoints::Checkpoints;
use crate::run::counted::CountedTo;
use crate::run::cut_recording::CutRecording;
use crate::run::deep_places::DeepPlaces;
use crate::run::exact_position::ExactPosition;
use crate::run::images::Images;
use crate::run::moment_facts::MomentFacts;
use crate::run::shown_calls::ShownCalls;
use crate::run::stop_state::StopState;
use crate::run::time_limit::RESTART;
use crate::run::timeout_report::TimeSpent;
use crate::target::process::Process;
use arch::{RunAddr, ThreadId};
use base::cancel::Cancel;
use program::debuginfod::DebugSettings;
use rr::signal_name;
use rsp::StopReply;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// Source lines shown before and after the line of a stop.
const CONTEXT: u32 = 3;

/// How the recorded process ended, as the trace tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ending(pub(crate) Option<i32>);

impl Ending {
    pub(crate) fn reason(self) -> Reason {
        match self.0 {
            Some(code) if code < 0 => {
                let number = code.saturating_neg();
                let name = signal_name(number).unwrap_or_else(|| format!("SIG{number}"));
                Reason::EndOfRecording { exit_code: None, signal: Some(name) }
            }
            exit_code => Reason::EndOfRecording { exit_code, signal: None },
        }
    }
}

/// One replay being debugged.
pub(crate) struct Session {
    pub(crate) debuggee: Debuggee,
    /// What cancels the call that is being carried out.
    pub(crate) cancel: Cancel,
    pub(crate) checkpoints: Checkpoints,
    /// rr's numbers of checkpoints that are only made for the movement.
    pub(crate) marks: Vec<u64>,
    pub(crate) limits: Timeouts,
    /// The least time that a restart gets: longer where it takes long to come to where the session began.
    pub(crate) restart_limit: Duration,
    /// The event that it began at; 0 in the first process.
    pub(crate) beginning: u64,
    pub(crate) ending: Ending,
    /// What is remembered of the last stop.
    pub(crate) state: StopState,
    /// Why it is where it is.
    pub(crate) reason: Reason,
    /// The event of the last stop.
    pub(crate) last_event: u64,
    /// rr has given up in this recording, as it does on the way back through a tick in which moments look alike to it.
    pub(crate) has_given_up: bool,
    /// A search backward for breakpoints and watchpoints has not answered: see `search_back`.
    pub(crate) search_hangs: bool,
    /// What of the recording cannot be replayed, if its program has no end.
    pub(crate) cut: Option<CutRecording>,
    /// Code from which on a movement is known to come to a conditional branch: see `recurrence`.
    pub(crate) known_ways: BTreeSet<RunAddr>,
    /// What the callers of a moment have shown of it.
    pub(crate) facts: Option<MomentFacts>,
    /// Which visit of its tick a stop was, with the epoch of the process: not counted again before it moves.
    pub(crate) counted: Option<(u64, ThreadId, Option<u32>)>,
    /// How the place where the process is in this epoch was come to by counting instructions.
    pub(crate) counted_to: Option<CountedTo>,
    /// Where the last stop was.
    pub(crate) last_place: Option<ExactPosition>,
    /// The last stop, if nothing was left out of it.
    pub(crate) last_stop: Option<Stop>,
    /// Where it has shown stops in long ticks.
    pub(crate) deep_places: DeepPlaces,
    /// Where stops have shown their threads outside of inlined functions.
    pub(crate) shown_calls: ShownCalls,
    /// What the process has executed.
    pub(crate) images: Images,
    /// Why the last movement was cut short, if it was.
    pub(crate) cancelled: Option<Reason>,
    /// The thread that is at a breakpoint of which it is not known whether it stops: the decision was cut short.
    pub(crate) undecided: Option<ThreadId>,
    /// What the movement has been busy with.
    pub(crate) time_spent: TimeSpent,
    /// Where an `advance` goes.
    pub(crate) destinations: Vec<RunAddr>,
    /// What is to be said at the next stop.
    pub(crate) notes: Vec<String>,
    /// Which frame may know what the last call asked for and the selected one does not.
    pub(crate) hint: Option<String>,
    /// Whether it has been noted that breakpoints do not stop in children that share the memory.
    pub(crate) has_noted_children: bool,
    /// Source files that are not there; each is reported once.
    unreadable: BTreeSet<String>,
}

impl Session {
    /// Creates a session on a process that has just been connected to.
    pub(crate) fn new(
        mut process: Process,
        trace: Option<&Path>,
        debug: DebugSettings,
        limits: Timeouts,
        ending: Ending,
    ) -> Result<Self, Error> {
        if let Some(trace) = trace {
            process.set_recording(trace);
        }
        process.set_request_timeout(limits.eval.max(Duration::from_secs(1)));
        let thread = match process.last_stop()? {
            StopReply::Stopped { thread, .. } => thread,
            StopReply::Exited(_) | StopReply::Killed(_) => return Err(Error::Incomplete("living process")),
        };
        let images = Images::new(&mut process, thread)?;
        let mut session = Self {
            debuggee: Debuggee::new(Inferior::new(process, trace, debug), thread),
            cancel: Cancel::default(),
            checkpoints: Checkpoints::default(),
            marks: Vec::new(),
            limits,
            restart_limit: RESTART,
            beginning: 0,
            ending,
            state: StopState::default(),
            reason: Reason::StartOfRecording,
            last_event: 0,
            has_given_up: false,
            search_hangs: false,
            cut: None,
            known_ways: BTreeSet::new(),
            facts: None,
            counted: None,
            counted_to: None,
            last_place: None,
            last_stop: None,
            deep_places: DeepPlaces::default(),
            shown_calls: ShownCalls::default(),
            images,
            cancelled: None,
            undecided: None,
            time_spent: TimeSpent::default(),
            destinations: Vec::new(),
            notes: Vec::new(),
            hint: None,
            has_noted_children: false,
            unreadable: BTreeSet::new(),
        };
        session.debuggee.inferior.refresh()?;
        session.debuggee.meet_threads()?;
        Ok(session)
    }

    /// Describes everything about where the process is now, as a stop.
    pub(crate) fn stop(&mut self) -> Result<Stop, Error> {
        self.attempt(self.limits.eval, Self::whole_stop).or_else(|error| self.bare_stop(error))
    }

    pub(crate) fn whole_stop(&mut self) -> Result<Stop, Error> {
        self.debuggee.catch_up()?;
        self.debuggee.meet_threads()?;
        let level = self.debuggee.inferior.level(self.debuggee.thread, 0)?;
        let frame = self.debuggee.inferior.frame(self.debuggee.thread, 0, level, true)?;
        let position = self.debuggee.inferior.position(self.debuggee.thread)?;
        let shown = self.debuggee.inferior.shown(position)?;
        self.last_event = position.event().unwrap_or(self.last_event);
        self.last_place = Some(self.exact_position(self.debuggee.thread)?);
        let waypoint = self.named_moment()?;
        let source = self.source_around(&frame);
        self.debuggee.inferior.check_answers()?;
        let mut notes = std::mem::take(&mut self.notes);
        if let (Some(_), Some(path), true) = (frame.line, &frame.fullname, source.is_empty())
            && self.unreadable.insert(path.clone())
        {
            notes.push(match self.debuggee.sources.refused(Path::new(path)) {
                Some(refused) => format!("the source {path} is not read: {refused}"),
                None => format!("the source cannot be read: there is no {path}"),
            });
        }
        self.debuggee.remember_watched_values();
        let (reason, logged) = (self.reason.clone(), Logged::default());
        let bare = Stop { reason, position: shown, waypoint, frame, source, notes: Vec::new(), logged };
        let hidden = self.debuggee.inferior.hidden_inlined(self.debuggee.thread);
        self.shown_calls.remember(&bare, hidden);
        self.last_stop = Some(bare.clone());
        Ok(Stop { notes, ..bare })
    }

    fn source_around(&mut self, frame: &Frame) -> Vec<SourceLine> {
        let (Some(path), Some(line)) = (frame.fullname.as_deref(), frame.line) else {
            return Vec::new();
        };
        let text = self.debuggee.sources.around(Path::new(path), line, 2 * CONTEXT + 1);
        text.map(|t| t.lines).unwrap_or_default()
    }

    /// Returns whether it may be between two events of the recording, without having stopped for anything there.
    pub(crate) fn is_between_events(&self) -> bool {
        matches!(self.reason, Reason::Arrived | Reason::TimedOut { .. } | Reason::Cancelled)
    }
}
