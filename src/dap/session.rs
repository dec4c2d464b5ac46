//! The session: it owns the replay, and carries out one request after the other.

use super::breakpoints::Breakpoints;
use super::calls::{Call, Calls, Kind};
use super::data_breakpoints::Watchable;
use super::handles::{FramePlace, Looks};
use super::message::{Client, Refusal, Request};
use super::movement::{Movement, Targets};
use super::program_output::ProgramOutput;
use super::progress::Progress;
use super::reader::Order;
use super::source_paths::SourcePaths;
use super::start::Beginning;
use crate::console::Console;
use crate::replay::{Replay, Stop};
use engine::Typed;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// What the editor has said of itself.
#[derive(Debug)]
pub(super) struct Editor {
    pub(super) first_line: u32,
    pub(super) first_column: u32,
    pub(super) takes_progress: bool,
}

impl Editor {
    /// Returns a line as the editor counts it.
    pub(super) fn line(&self, line: u32) -> u32 {
        (line + self.first_line).saturating_sub(1)
    }

    /// Returns a line of the editor's, counted from 1.
    pub(super) fn line_of(&self, line: u32) -> u32 {
        line.saturating_add(1).saturating_sub(self.first_line)
    }
}

/// One recording in one editor.
pub(super) struct Session {
    pub(super) client: Client,
    pub(super) calls: Arc<Calls>,
    orders: Receiver<Order>,
    /// What has come while a run was interrupted, and is not about breakpoints.
    waiting: VecDeque<Order>,
    pub(super) editor: Editor,
    pub(super) replay: Option<Replay>,
    pub(super) beginning: Beginning,
    pub(super) sources: SourcePaths,
    pub(super) breakpoints: Breakpoints,
    pub(super) watchable: Watchable,
    pub(super) targets: Targets,
    pub(super) looks: Looks,
    /// The frame that is selected in the replay, if it is known.
    pub(super) selected: Option<FramePlace>,
    /// What the function that was stepped out of last has returned, and the thread that it was in.
    pub(super) returned: Option<(u32, Typed)>,
    pub(super) console: Console,
    pub(super) output: ProgramOutput,
    /// The end of the process has been told.
    pub(super) is_exit_told: bool,
}

/// What comes of a request: the body of its response, and what is done after that was sent.
pub(super) struct Done {
    pub(super) body: Value,
    pub(super) then: Then,
}

pub(super) enum Then {
    Nothing,
    /// Breakpoints can be set now.
    Initialized,
    Move(Movement),
    /// The replay is somewhere: that is to be told.
    Tell(Box<Stop>),
    /// Nothing is debugged any more.
    Terminated,
    /// The session is over.
    Leave,
}

impl From<Value> for Done {
    fn from(body: Value) -> Self {
        Self { body, then: Then::Nothing }
    }
}

impl Then {
    /// Returns the outcome of a request whose response says nothing.
    pub(super) fn done(self) -> Done {
        Done { body: Value::Null, then: self }
    }
}

impl Session {
    /// Creates a session in which nothing is debugged yet.
    pub(super) fn new(client: Client, calls: Arc<Calls>, orders: Receiver<Order>) -> Self {
        Self {
            client,
            calls,
            orders,
            waiting: VecDeque::new(),
            editor: Editor { first_line: 1, first_column: 1, takes_progress: false },
            replay: None,
            beginning: Beginning::default(),
            sources: SourcePaths::default(),
            breakpoints: Breakpoints::default(),
            watchable: Watchable::default(),
            targets: Targets::default(),
            looks: Looks::default(),
            selected: None,
            returned: None,
            console: Console::new(),
            output: ProgramOutput::default(),
            is_exit_told: false,
        }
    }

    /// Carries out requests until the editor leaves.
    pub(super) fn run(mut self) {
        loop {
            let order = self.waiting.pop_front().or_else(|| self.orders.recv().ok());
            let Some(Order::Carry(request, call)) = order else { return };
            if self.carry(&request, &call) {
                return;
            }
        }
    }

    /// Carries out a request. Returns whether the session is over.
    fn carry(&mut self, request: &Request, call: &Call) -> bool {
        let cancel = call.cancel();
        if let Some(replay) = &mut self.replay {
            replay.set_cancel(&cancel.into());
        }
        let done = self.dispatch(request, call);
        // What ends is done when nothing is left, and what moves when it is there.
        if !matches!(&done, Ok(Done { then: Then::Move(_) | Then::Terminated | Then::Leave, .. })) {
            // Who has the answer may ask anything.
            self.calls.finish(call);
        }
        let Done { body, then } = match done {
            Ok(done) => done,
            Err(refusal) => {
                let is_fatal = refusal.is_fatal;
                self.client.respond(request, Err(refusal));
                if is_fatal {
                    self.terminate();
                }
                return false;
            }
        };
        if matches!(then, Then::Leave) {
            // When the answer comes, nothing is left.
            self.close();
        }
        self.client.respond(request, Ok(body));
        match then {
            Then::Nothing => {}
            Then::Initialized => self.client.event("initialized", json!({})),
            Then::Move(movement) => self.carry_out(&movement, call),
            Then::Tell(stop) => self.tell(&stop, None),
            Then::Terminated => {
                self.terminate();
                self.calls.finish(call);
            }
            Then::Leave => return true,
        }
        false
    }

    /// Sets breakpoints that are waiting to be set. What else is waiting goes on waiting.
    pub(super) fn configure(&mut self) {
        while let Ok(order) = self.orders.try_recv() {
            match order {
                Order::Carry(request, call) if Kind::of(&request) == Kind::Configuration => {
                    self.carry(&request, &call);
                }
                other => self.waiting.push_back(other),
            }
        }
    }

    /// Ends what is debugged, and tells that. Something else can be debugged after it.
    pub(super) fn terminate(&mut self) {
        if self.replay.is_some() {
            self.close();
            self.client.event("terminated", json!({}));
        }
    }

    /// Ends what is debugged, and forgets all that was said and known of it.
    fn close(&mut self) {
        self.looks.clear();
        self.selected = None;
        self.returned = None;
        self.breakpoints = Breakpoints::default();
        self.watchable = Watchable::default();
        self.targets = Targets::default();
        self.console = Console::new();
        self.is_exit_told = false;
        self.output = ProgramOutput::default();
        self.replay = None;
        self.calls.forget_threads();
    }

    /// Begins to tell that something takes long, if the editor wants to know.
    pub(super) fn progress(&self, call: &Call, title: &str) -> Progress {
        match self.editor.takes_progress {
            true => Progress::begin(self.client.clone(), call.seq(), title.to_owned()),
            false => Progress::untold(),
        }
    }

    /// Returns the replay.
    pub(super) fn replay(&mut self) -> Result<&mut Replay, Refusal> {
        self.replay.as_mut().ok_or_else(nothing)
    }

    /// Selects a frame of a thread, for what is asked next.
    pub(super) fn select(&mut self, place: FramePlace) -> Result<(), Refusal> {
        if self.selected == Some(place) {
            return Ok(());
        }
        let selected = self.selected.take();
        let replay = self.replay.as_mut().ok_or_else(nothing)?;
        if selected.is_none_or(|selected| selected.thread != place.thread) {
            replay.select_thread_of(place.thread)?;
        }
        replay.select_frame(place.level)?;
        self.selected = Some(place);
        Ok(())
    }

    fn dispatch(&mut self, request: &Request, call: &Call) -> Result<Done, Refusal> {
        Ok(match request.command.as_str() {
            "initialize" => self.initialize(&request.arguments()?)?.into(),
            "launch" => self.launch(request.arguments()?, call)?,
            "attach" => self.attach(request.arguments()?, call)?,
            "configurationDone" => self.begin()?,
            "setBreakpoints" => self.set_breakpoints(request.arguments()?)?.into(),
            "setFunctionBreakpoints" => self.set_function_breakpoints(request.arguments()?)?.into(),
            "setInstructionBreakpoints" => self.set_instruction_breakpoints(request.arguments()?)?.into(),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(request.arguments()?)?.into(),
            "setDataBreakpoints" => self.set_data_breakpoints(request.arguments()?)?.into(),
            "dataBreakpointInfo" => self.data_breakpoint_info(&request.arguments()?)?.into(),
            "breakpointLocations" => self.breakpoint_locations(&request.arguments()?)?.into(),
            "threads" => self.threads()?.into(),
            "stackTrace" => self.stack_trace(&request.arguments()?)?.into(),
            "scopes" => self.scopes(&request.arguments()?)?.into(),
            "variables" => self.variables(&request.arguments()?, &call.cancel())?.into(),
            "evaluate" => self.evaluate(&request.arguments()?)?,
            "exceptionInfo" => self.exception_info(&request.arguments()?)?.into(),
            "completions" => self.completions(&request.arguments()?)?.into(),
            "stepInTargets" => self.step_in_targets(&request.arguments()?)?.into(),
            "loadedSources" => self.loaded_sources()?.into(),
            "source" => self.source_text(&request.arguments()?)?.into(),
            "disassemble" => self.disassemble(&request.arguments()?)?.into(),
            "readMemory" => self.read_memory(&request.arguments()?)?.into(),
            "modules" => self.modules(&request.arguments()?)?.into(),
            "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" | "restart"
            | "restartFrame" | "goto" => self.movement(request)?,
            "retrograde/position" => self.position()?.into(),
            own if own.starts_with("retrograde/") => self.movement(request)?,
            "gotoTargets" => self.goto_targets(&request.arguments()?)?.into(),
            "pause" => {
                let stop = self.replay()?.stop().clone();
                Then::Tell(Box::new(stop)).done()
            }
            "setVariable" | "setExpression" | "writeMemory" => {
                return Err(Refusal::new("a recording cannot be changed"));
            }
            "terminate" => Then::Terminated.done(),
            "disconnect" => Then::Leave.done(),
            other => return Err(Refusal::new(format!("request `{other}` is not supported"))),
        })
    }
}

/// Returns the refusal of what needs a replay.
pub(super) fn nothing() -> Refusal {
    Refusal::new("nothing is debugged: `launch` or `attach` comes first")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_the_editor_counts_them() {
        for first_line in [0, 1] {
            let editor = Editor { first_line, first_column: 1, takes_progress: false };
            assert_eq!((editor.line(1), editor.line_of(editor.line(7))), (first_line, 7));
        }
    }
}
