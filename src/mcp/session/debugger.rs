//! The debugger of a session: a replay, and the conversation in GDB's language about it; and what belongs to each call
//! of it.

use super::status::Status;
use super::thread::After;
use crate::console::Console;
use crate::mcp::lock::locked;
use crate::mcp::notify::{Level, Reporter};
use crate::mcp::reply::{Notes, StopView, ToolError, reason_word};
use base::cancel::Cancel;
use engine::Engine;
use engine::model::{Motion, Stop};
use std::sync::Mutex;

/// What the thread of a session owns.
pub(crate) struct Debugger {
    pub(crate) engine: Engine,
    pub(crate) console: Console,
}

impl From<Engine> for Debugger {
    fn from(engine: Engine) -> Self {
        Self { engine, console: Console::new() }
    }
}

/// What to do about a location that is not there yet.
const MAY_WAIT: &str = "a library that is loaded later can be waited for with a pending breakpoint (`pending`: true)";

/// Why a job of a session has no result.
pub(crate) struct Failure(String);

impl Failure {
    /// Creates a failure in these words.
    pub(crate) fn said(words: String) -> Self {
        Self(words)
    }

    /// Puts the failure behind what was said before it.
    pub(crate) fn behind(self, before: &str) -> Self {
        let before = before.trim_matches('\n');
        if before.is_empty() { self } else { Self(format!("{before}\n{}", self.0)) }
    }
}

impl From<engine::Error> for Failure {
    fn from(error: engine::Error) -> Self {
        Self(match &error {
            engine::Error::NoLocation { later: true, .. } => format!("{error}; {MAY_WAIT}"),
            _ => error.to_string(),
        })
    }
}

/// How a user has the server call functions.
const HOW_TO_CALL: &str = "Functions are called, in a copy of the program that is thrown away, if the server is started with \
    RR_MCP_ALLOW_CALLS=on.";

impl Debugger {
    /// Sets whether expressions and conditions call functions of the program.
    pub(crate) fn set_calls(&mut self, may_call: bool) {
        match may_call {
            true => {
                self.console.allow_calls();
                self.engine.allow_calls();
            }
            false => {
                self.console.explain_calls(HOW_TO_CALL);
                self.engine.explain_calls(HOW_TO_CALL);
            }
        }
    }

    /// Moves. What is to be said besides the stop goes to `notes`.
    pub(crate) fn go(
        &mut self,
        motion: Motion,
        notes: &Notes,
        cancel: &Cancel,
        status: &Mutex<Status>,
        reporter: &Reporter,
    ) -> (Result<StopView, ToolError>, After) {
        self.attempt(cancel, status, reporter, |debugger| {
            let moved = debugger.engine.go(motion);
            notes.add(debugger.engine.take_notes());
            let stop = match moved {
                // A stop like others, and the last one.
                Err(engine::Error::Exited { exit_code, signal }) => return Ok(StopView::exited(exit_code, signal)),
                moved => moved?,
            };
            write_stop(status, stop.clone(), Some(motion));
            let about = debugger.engine.surroundings(&stop);
            Ok(StopView::new(stop, Some(motion)).about(about))
        })
    }

    /// Carries out `job` until that is cancelled, and writes down afterwards what the session list shows.
    pub(crate) fn attempt<T>(
        &mut self,
        cancel: &Cancel,
        status: &Mutex<Status>,
        reporter: &Reporter,
        job: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> (Result<T, ToolError>, After) {
        let replays = self.engine.replays();
        locked(status).work = Some(self.engine.work());
        self.engine.set_cancel(cancel);
        let answer = job(self).map_err(|failure| ToolError(failure.0));
        let after = self.after(replays, answer.is_err(), status, reporter);
        (answer, after)
    }

    /// Writes down what a job has left behind that was begun in replay number `replays`.
    fn after(&mut self, replays: u32, has_failed: bool, status: &Mutex<Status>, reporter: &Reporter) -> After {
        if self.engine.replays() != replays {
            locked(status).port = Some(self.engine.port());
            reporter.say(Level::Warning, "rr had to be started again: the session continues in a new replay");
            // In a new replay it may be elsewhere, although it has not been told to move.
            if has_failed {
                self.write_place(status);
            }
        }
        let (checkpoints, breakpoints) = (self.engine.checkpoints(), self.engine.breakpoints());
        let traffic = self.engine.traffic();
        {
            let mut status = locked(status);
            status.checkpoints = checkpoints;
            status.breakpoints = breakpoints;
            status.traffic = Some(traffic);
        }
        self.engine.end().map_or(After::Stay, After::End)
    }

    /// Writes down where it is, if that can be told.
    pub(crate) fn write_place(&mut self, status: &Mutex<Status>) {
        if let Ok(stop) = self.engine.here() {
            write_stop(status, stop, None);
        }
    }
}

/// Writes down where the session is, and the word for why.
pub(crate) fn write_stop(status: &Mutex<Status>, stop: Stop, motion: Option<Motion>) {
    let word = reason_word(&stop.reason, motion);
    locked(status).stop = Some((stop, word));
}
