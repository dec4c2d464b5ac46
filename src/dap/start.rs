//! Beginning: what can be done here, recording, opening, and the way to the first stop.

use super::arguments::{Attach, Initialize, Launch, Opening};
use super::calls::Call;
use super::exceptions;
use super::message::Refusal;
use super::movement::Movement;
use super::program_output::Texts;
use super::session::{Done, Session, Then};
use super::source_paths::SourcePaths;
use crate::replay::{Position, Recorded, Recording, Replay, Stop};
use base::untrusted::PathText as _;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a movement may take if nothing is said. It can be paused at any time.
const MOVEMENT_LIMIT: Duration = Duration::from_secs(3600);

/// Where the first stop is to be.
#[derive(Clone, Debug, Default)]
pub(super) enum Beginning {
    /// Where a run from the start leads.
    #[default]
    Run,
    /// At the start.
    Start,
    End,
    At(Position),
}

impl Beginning {
    fn of(opening: &Opening) -> Result<Self, Refusal> {
        Ok(match opening.start_at.as_deref() {
            Some("end") => Self::End,
            Some("start") => Self::Start,
            Some(position) => Self::At(position.parse::<Position>().map_err(|error| {
                Refusal::new(format!("startAt is `start`, `end` or a position, not `{position}`: {error}"))
            })?),
            None if opening.stop_on_entry => Self::Start,
            None => Self::Run,
        })
    }
}

impl Session {
    pub(super) fn initialize(&mut self, arguments: &Initialize) -> Result<Value, Refusal> {
        if arguments.path_format.as_deref().is_some_and(|format| format != "path") {
            return Err(Refusal::new("files are named by paths here, not by URIs"));
        }
        self.editor.first_line = u32::from(arguments.lines_start_at1.unwrap_or(true));
        self.editor.first_column = u32::from(arguments.columns_start_at1.unwrap_or(true));
        self.editor.takes_progress = arguments.supports_progress_reporting;
        Ok(json!({
            "supportsConfigurationDoneRequest": true,
            "supportsFunctionBreakpoints": true,
            "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true,
            "supportsLogPoints": true,
            "supportsDataBreakpoints": true,
            "supportsDataBreakpointBytes": true,
            "supportsInstructionBreakpoints": true,
            "supportsBreakpointLocationsRequest": true,
            "supportsExceptionFilterOptions": true,
            "exceptionBreakpointFilters": exceptions::filters(),
            "supportsExceptionInfoRequest": true,
            "supportsEvaluateForHovers": true,
            "supportsClipboardContext": true,
            "supportsValueFormattingOptions": true,
            "supportsStepBack": true,
            "supportsSteppingGranularity": true,
            "supportsRestartFrame": true,
            "supportsRestartRequest": true,
            "supportsGotoTargetsRequest": true,
            "supportsStepInTargetsRequest": true,
            "supportsCompletionsRequest": true,
            "completionTriggerCharacters": [".", ">", ":", "$"],
            "supportsLoadedSourcesRequest": true,
            "supportsDelayedStackTraceLoading": true,
            "supportsModulesRequest": true,
            "supportsReadMemoryRequest": true,
            "supportsDisassembleRequest": true,
            "supportsCancelRequest": true,
            "supportsTerminateRequest": true,
        }))
    }

    pub(super) fn attach(&mut self, arguments: Attach, call: &Call) -> Result<Done, Refusal> {
        let Attach { trace, opening } = arguments;
        self.open(trace.map(PathBuf::from).as_deref(), opening, true, call)
    }

    pub(super) fn launch(&mut self, arguments: Launch, call: &Call) -> Result<Done, Refusal> {
        self.check_fresh()?;
        Beginning::of(&arguments.opening)?;
        let recorded = self.record(&arguments, call)?;
        if call.cancel().is_cancelled() && !call.goes_on() {
            return Err(Refusal::new("cancelled"));
        }
        recorded.notes.iter().for_each(|note| self.client.say("console", note));
        let how = match &recorded.signal {
            Some(signal) => format!("killed by {signal}"),
            None => recorded.exit_code.map_or("without an end".to_owned(), |code| format!("exit code {code}")),
        };
        let path = recorded.recording.path.in_text();
        self.client.say("console", &format!("recorded {path} ({how}); what follows is its replay"));
        if arguments.no_debug {
            self.client.event("exited", json!({"exitCode": recorded.exit_code.unwrap_or_default()}));
            self.client.event("terminated", json!({}));
            return Ok(Value::Null.into());
        }
        self.open(Some(&recorded.recording.path), arguments.opening, false, call)
    }

    fn record(&self, arguments: &Launch, call: &Call) -> Result<Recorded, Refusal> {
        let _progress = self.progress(call, &format!("Recording {}", arguments.program));
        let words = std::iter::once(&arguments.program).chain(&arguments.args).cloned();
        let mut recorder = Recording::of(words).cancel(&call.cancel().into());
        for (name, value) in &arguments.env {
            let value = value.as_ref().ok_or_else(|| {
                Refusal::new(format!("env: `{name}` is null: variables can be set, but not taken away"))
            })?;
            recorder = recorder.env(name, value);
        }
        if let Some(directory) = &arguments.cwd {
            recorder = recorder.run_in(directory);
        }
        if let Some(text) = &arguments.stdin {
            recorder = recorder.stdin(text.as_str());
        }
        if let Some(directory) = &arguments.trace {
            recorder = recorder.directory(directory);
        }
        if let Some(seconds) = arguments.record_limit {
            recorder = recorder.time_limit(Duration::from_secs(seconds));
        }
        if arguments.chaos {
            recorder = recorder.chaos();
        }
        let (client, texts) = (self.client.clone(), Mutex::new(Texts::default()));
        let tell = move |stream, bytes: &[u8]| {
            texts.lock().unwrap_or_else(PoisonError::into_inner).tell(&client, stream, bytes);
        };
        Ok(recorder.on_output(tell).record()?)
    }

    fn check_fresh(&self) -> Result<(), Refusal> {
        match &self.replay {
            Some(_) => Err(Refusal::new("a recording is debugged already: one session debugs one")),
            None => Ok(()),
        }
    }

    fn open(
        &mut self,
        trace: Option<&Path>,
        opening: Opening,
        tells_output: bool,
        call: &Call,
    ) -> Result<Done, Refusal> {
        self.check_fresh()?;
        self.beginning = Beginning::of(&opening)?;
        let _progress = self.progress(call, "Opening the recording");
        let limit = opening.time_limit.map_or(MOVEMENT_LIMIT, Duration::from_secs);
        let options =
            Replay::options().time_limit(limit).cancel(&call.cancel().into()).kill_switch(&self.calls.new_switch());
        let options = opening.pid.into_iter().fold(options, |options, pid| options.process(pid));
        let mut replay = match trace {
            Some(trace) => options.open(trace)?,
            None => options.latest()?,
        };
        replay.stop().notes.iter().for_each(|note| self.client.say("console", note));
        let program = replay.with_engine(|engine| engine.program_directories())?;
        self.sources = SourcePaths::new(opening.source_map, &program);
        if opening.replay_output.unwrap_or(tells_output) {
            self.output.read(&replay, self.client.clone());
        }
        self.replay = Some(replay);
        Ok(Then::Initialized.done())
    }

    /// Begins to debug, once the editor has said what is to be waited for.
    pub(super) fn begin(&mut self) -> Result<Done, Refusal> {
        let stop = self.replay()?.stop().clone();
        Ok(match self.beginning.clone() {
            Beginning::Run => Then::Move(Movement::Run { reverse: false }),
            Beginning::Start => Then::Tell(Box::new(Stop { notes: Vec::new(), ..stop })),
            Beginning::End => Then::Move(Movement::ToEnd),
            Beginning::At(position) => Then::Move(Movement::ToPosition(position)),
        }
        .done())
    }

    /// Begins once more.
    pub(super) fn restart(&mut self) -> Result<Done, Refusal> {
        self.replay()?;
        Ok(match self.beginning {
            Beginning::Run => Then::Move(Movement::Restart).done(),
            Beginning::Start => Then::Move(Movement::ToStart).done(),
            Beginning::End | Beginning::At(_) => return self.begin(),
        })
    }
}
