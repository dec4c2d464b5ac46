//! Stops in GDB's words.

use super::error::Error;
use super::execution::Execution;
use super::flow::Flow;
use arch::{Direction, RunAddr, ThreadId};
use engine::FrameKey;
use engine::model::{Access, Caught, Reason, Stop};

/// Where a movement began.
pub(super) struct Before {
    thread: ThreadId,
    /// The activation; only for steps, which tell whether it is still the same.
    key: Option<FrameKey>,
    /// The breakpoints' places: temporary ones are gone when they have stopped.
    places: Vec<(u32, Vec<RunAddr>)>,
}

/// What kind of movement it is, which decides how its end is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// A step: if it ends in the same activation, only the line is shown.
    pub(super) steps: bool,
    /// Old and new values are told in the order in which they were met.
    pub(super) direction: Direction,
}

impl Manner {
    /// Creates the manner of a run or jump to somewhere.
    pub(super) fn run(direction: Direction) -> Self {
        Self { steps: false, direction }
    }

    /// Creates the manner of a step.
    pub(super) fn step(direction: Direction) -> Self {
        Self { steps: true, direction }
    }
}

impl Execution<'_> {
    /// Takes down what is to be remembered before a movement.
    pub(super) fn before(&mut self, manner: Manner) -> Result<Before, Error> {
        let key = if manner.steps { self.engine.frame_key().ok() } else { None };
        let breakpoints = self.engine.breakpoints().into_iter().filter(|b| b.watch.is_none());
        let places = breakpoints.map(|b| (b.number, b.locations.iter().map(|p| p.address).collect())).collect();
        Ok(Before { thread: self.engine.selected_thread(), key, places })
    }

    /// Tells how a movement ended.
    pub(super) fn moved(&mut self, before: &Before, stop: &Stop, manner: Manner) -> Result<Flow, Error> {
        for line in &stop.logged.lines {
            match self.dprinted(line) {
                Some(text) => self.terminal.say(&text),
                None => self.say(format!("[{}] {}", line.place(), line.text)),
            }
        }
        let (number, highest) = self.engine.thread_numbers()?;
        let hit = if highest > 1 { format!("Thread {number} hit ") } else { String::new() };
        let switched = before.thread != stop.position.thread;
        let switching = format!("[Switching to Thread {}]", stop.position.thread);
        let is_signal = matches!(stop.reason, Reason::Signal { number: None, .. } | Reason::EndOfRecording { .. });
        let silent = self.is_silent(stop);
        if switched && !is_signal && !silent {
            self.say(&switching);
        }
        let mut full = true;
        match &stop.reason {
            _ if silent => {}
            Reason::Breakpoint { number, temporary } => {
                let kind = if *temporary { "Temporary breakpoint" } else { "Breakpoint" };
                let place = place(before, *number, stop).map(|p| format!(".{p}")).unwrap_or_default();
                self.terminal.say(&format!("\n{hit}{kind} {number}{place}, "));
            }
            Reason::Watchpoint { number, access, expression, old, new, .. } => {
                let pinned = self.state.hints.get(number).is_some_and(|h| h.pinned);
                let location = if pinned { "-location " } else { "" };
                self.say(format!("\n{hit}{} {number}: {location}{expression}\n", watch_words(*access)));
                let (first, second) = match manner.direction {
                    Direction::Forward => (old, new),
                    Direction::Reverse => (new, old),
                };
                let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "<unreadable>".to_owned());
                if old.is_some() || *access == Access::Write {
                    self.say(format!("Old value = {}\nNew value = {}", shown(first), shown(second)));
                } else {
                    self.say(format!("Value = {}", shown(new)));
                }
            }
            Reason::StepDone => full = !manner.steps || !self.is_same(before)?,
            Reason::FunctionFinished { .. } => {}
            Reason::Catch { number, temporary, caught } => {
                let kind = if *temporary { "Temporary catchpoint" } else { "Catchpoint" };
                let what = match caught {
                    Caught::Syscall { name } => format!("call to syscall {name}"),
                    Caught::Fork { function } => function.clone(),
                    Caught::Exception { thrown: true, .. } => "exception thrown".to_owned(),
                    Caught::Exception { thrown: false, .. } => "exception caught".to_owned(),
                    Caught::Panic => "panic".to_owned(),
                };
                self.terminal.say(&format!("\n{hit}{kind} {number} ({what}), "));
            }
            Reason::Signal { name, number: Some(number), .. } => {
                self.terminal.say(&format!("\n{hit}Catchpoint {number} (signal {name}), "));
            }
            Reason::Signal { name, meaning, number: None } => {
                self.signalled("received", number, highest, name, meaning);
                if switched {
                    self.say(&switching);
                }
            }
            Reason::StartOfRecording => self.say("\nNo more reverse-execution history."),
            Reason::EndOfRecording { .. } => {
                self.signalled("received", number, highest, "SIGKILL", "Killed");
                if switched {
                    self.say(&switching);
                }
            }
            Reason::Exec { path, .. } => {
                self.say(format!("process {} is executing new program: {path}\n\nProgram stopped.", self.engine.pid()));
            }
            Reason::Arrived | Reason::Attached | Reason::Cancelled => self.say("\nProgram stopped."),
            Reason::TimedOut { after } => {
                self.say(format!(
                    "\nProgram stopped.\n[It was interrupted after {} s, when the time was up.]",
                    after.as_secs()
                ));
            }
        }
        if !silent {
            self.location(stop, full)?;
            for note in stop.notes.iter().filter(|note| is_news(note)) {
                self.say(format!("warning: {note}"));
            }
            self.show_displays()?;
        }
        self.visit();
        self.queue_commands(stop);
        Ok(if stop.reason == Reason::Cancelled { Flow::Interrupted } else { Flow::GoOn })
    }

    /// Prints `Program received signal SIGSEGV, Segmentation fault.`
    pub(super) fn signalled(&mut self, verb: &str, number: u32, highest: u32, name: &str, meaning: &str) {
        let who = if highest > 1 && verb == "received" { format!("Thread {number}") } else { "Program".to_owned() };
        self.say(format!("\n{who} {verb} signal {name}, {meaning}."));
    }

    fn is_same(&mut self, before: &Before) -> Result<bool, Error> {
        Ok(before.key.is_some() && before.key == self.engine.frame_key().ok())
    }

    /// Returns whether the commands of the breakpoint that has stopped begin with `silent`.
    fn is_silent(&self, stop: &Stop) -> bool {
        let (Reason::Breakpoint { number, .. } | Reason::Watchpoint { number, .. } | Reason::Catch { number, .. }) =
            stop.reason
        else {
            return false;
        };
        let first = self.state.hints.get(&number).and_then(|h| h.commands.first());
        first.is_some_and(|line| line.trim() == "silent")
    }

    fn queue_commands(&mut self, stop: &Stop) {
        // What a command before this one was to be followed by is over, as in GDB.
        self.state.queue.clear();
        if let Reason::Breakpoint { number, .. } | Reason::Watchpoint { number, .. } | Reason::Catch { number, .. } =
            stop.reason
            && let Some(hint) = self.state.hints.get(&number)
        {
            let lines = hint.commands.iter().enumerate().filter(|(i, line)| *i > 0 || line.trim() != "silent");
            self.state.queue = lines.map(|(_, line)| line.clone()).collect();
        }
    }
}

/// Returns which of several places of a breakpoint a stop is at, counted from 1.
fn place(before: &Before, number: u32, stop: &Stop) -> Option<usize> {
    let (_, places) = before.places.iter().find(|(n, _)| *n == number)?;
    (places.len() > 1).then(|| places.iter().position(|a| *a == stop.position.pc))?.map(|i| i + 1)
}

/// Returns what GDB calls a watchpoint: `Hardware watchpoint`, `Hardware read watchpoint` …
pub(super) fn watch_words(access: Access) -> &'static str {
    match access {
        Access::Write => "Hardware watchpoint",
        Access::Read => "Hardware read watchpoint",
        Access::Access => "Hardware access (read/write) watchpoint",
    }
}

/// Returns whether a note of the engine says what GDB's words do not say anyway.
fn is_news(note: &str) -> bool {
    !(note.starts_with("the source of ") || note.contains("was asked for; the process is first there at event"))
}
