//! Movements: what each request asks of the replay, and carrying it out.

use super::arguments::{Goto, GotoPosition, GotoTargets, Granularity, Move, OfFrame};
use super::bodies::GotoTarget;
use super::calls::Call;
use super::handles::FramePlace;
use super::message::{Refusal, Request, body_of};
use super::session::{Done, Session, Then};
use crate::replay::{self, Breakpoint, Position, Replay, Stop, StopReason};
use serde_json::{Value, json};

/// Most places that can be gone to are remembered.
const MOST_TARGETS: usize = 1000;

/// A movement in time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Movement {
    Run {
        reverse: bool,
    },
    Next {
        reverse: bool,
    },
    NextInstruction {
        reverse: bool,
    },
    Step {
        reverse: bool,
    },
    StepInstruction,
    /// Into what the instruction at this address calls, which is ahead in the line.
    IntoCall(u64),
    /// Out of the function; in reverse, back to where it was called.
    Finish {
        reverse: bool,
    },
    /// Back to where the selected frame's function was called.
    RestartFrame,
    /// To the start, and from there on.
    Restart,
    ToStart,
    ToEnd,
    ToEvent(u64),
    ToPosition(Position),
    /// To the next or the previous time that a line is executed.
    ToLine {
        location: String,
        reverse: bool,
    },
}

/// Lines that can be gone to, by numbers.
#[derive(Debug, Default)]
pub(super) struct Targets(Vec<Movement>);

impl Targets {
    pub(super) fn add(&mut self, target: Movement) -> u64 {
        let known = self.0.iter().position(|known| *known == target);
        let at = known.unwrap_or_else(|| {
            if self.0.len() >= MOST_TARGETS {
                self.0.clear();
            }
            self.0.push(target);
            self.0.len() - 1
        });
        at as u64
    }

    fn get(&self, number: u64) -> Option<&Movement> {
        self.0.get(usize::try_from(number).ok()?)
    }
}

impl Movement {
    /// Returns what is said while it takes long.
    fn title(&self) -> &'static str {
        match self {
            Self::Run { reverse: true } | Self::Next { reverse: true } | Self::NextInstruction { reverse: true } => {
                "Going back"
            }
            Self::Step { reverse: true } | Self::Finish { reverse: true } | Self::RestartFrame => "Going back",
            Self::ToLine { reverse: true, .. } => "Going back",
            Self::Restart | Self::ToStart | Self::ToEnd | Self::ToEvent(_) | Self::ToPosition(_) => "Going there",
            _ => "Going forward",
        }
    }

    /// Returns whether it goes on from where it was interrupted as if it had not been.
    fn is_run(&self) -> bool {
        matches!(self, Self::Run { .. })
    }

    /// Returns whether it leads to a place that was asked for.
    fn is_there(&self) -> bool {
        !matches!(self, Self::IntoCall(_))
    }

    /// Returns what is done when it has led where it leads.
    fn rest(&self) -> Option<Self> {
        matches!(self, Self::Restart).then_some(Self::Run { reverse: false })
    }

    /// Makes it, without its rest.
    fn make(&self, replay: &mut Replay) -> Result<Stop, Refusal> {
        Ok(match self {
            Self::Run { reverse: false } => replay.run(),
            Self::Run { reverse: true } => replay.reverse_run(),
            Self::Next { reverse: false } => replay.next(),
            Self::Next { reverse: true } => replay.reverse_next(),
            Self::NextInstruction { reverse: false } => replay.next_instruction(),
            Self::NextInstruction { reverse: true } => replay.reverse_next_instruction(),
            Self::Step { reverse: false } => replay.step(),
            Self::Step { reverse: true } => replay.reverse_step(),
            Self::StepInstruction => replay.step_instruction(),
            Self::IntoCall(call) => replay.step_into_call(*call),
            Self::Finish { reverse: false } => replay.finish(),
            Self::Finish { reverse: true } => replay.reverse_finish(),
            Self::RestartFrame => return undisturbed(replay, |replay| Ok(replay.reverse_finish()?)),
            Self::Restart | Self::ToStart => replay.goto_start(),
            Self::ToEnd => replay.goto_end(),
            Self::ToEvent(event) => replay.goto_event(*event),
            Self::ToPosition(position) => replay.goto(position),
            Self::ToLine { location, reverse } => return to_line(replay, location, *reverse),
        }?)
    }
}

/// Goes to the next or the previous time that a location is executed, past all that is waited for otherwise. If there
/// is none, the replay stays where it is.
fn to_line(replay: &mut Replay, location: &str, reverse: bool) -> Result<Stop, Refusal> {
    let from = replay.position().clone();
    let found = undisturbed(replay, |replay| {
        let there = replay.breakpoint(location).set()?;
        let found = run_to(replay, &there, reverse);
        let removed = replay.remove(&there);
        let found = found?;
        removed?;
        Ok(found)
    })?;
    if let Some(stop) = found {
        return Ok(stop);
    }
    let stop = replay.goto(&from)?;
    if is_cut_short(&stop) {
        // It has not come back.
        return Ok(stop);
    }
    let when = if reverse { "before" } else { "after this" };
    Err(Refusal::new(format!("{location} is not executed {when}: the replay is where it was")))
}

/// Returns whether a movement was ended before it was where it leads.
fn is_cut_short(stop: &Stop) -> bool {
    matches!(stop.reason, StopReason::Cancelled | StopReason::TimedOut)
}

/// Runs to the next or the previous hit of a breakpoint; `None` if there is none.
fn run_to(replay: &mut Replay, there: &Breakpoint, reverse: bool) -> Result<Option<Stop>, Refusal> {
    loop {
        let stop = if reverse { replay.reverse_run() } else { replay.run() }?;
        match &stop.reason {
            StopReason::End { .. } | StopReason::Start => return Ok(None),
            _ if is_cut_short(&stop) => return Ok(Some(stop)),
            _ if there.is_hit(&stop) => return Ok(Some(Stop { reason: StopReason::Arrived, ..stop })),
            // A signal or the like, on the way.
            _ => {}
        }
    }
}

/// Moves past all that is waited for. All of it is waited for again after that, whatever fails.
fn undisturbed<R>(replay: &mut Replay, travel: impl FnOnce(&mut Replay) -> Result<R, Refusal>) -> Result<R, Refusal> {
    let waited_for: Vec<_> = replay.breakpoints().into_iter().filter(|breakpoint| breakpoint.is_enabled).collect();
    let disabled = waited_for.iter().try_for_each(|breakpoint| replay.set_enabled(breakpoint, false));
    let done = disabled.map_err(Refusal::from).and_then(|()| travel(replay));
    let enabled = waited_for.iter().map(|breakpoint| replay.set_enabled(breakpoint, true));
    // Each is tried, and the first failure told.
    let enabled = enabled.fold(Ok(()), Result::and);
    let done = done?;
    enabled?;
    Ok(done)
}

impl Session {
    /// Returns where in the recording the replay is.
    pub(super) fn position(&mut self) -> Result<Value, Refusal> {
        let position = self.replay()?.position();
        Ok(json!({"position": position.to_string(), "event": position.event(), "ticks": position.ticks()}))
    }

    /// Makes a movement of a request.
    pub(super) fn movement(&mut self, request: &Request) -> Result<Done, Refusal> {
        self.replay()?;
        let movement = match request.command.as_str() {
            "continue" => {
                let body = json!({"allThreadsContinued": true});
                return Ok(Done { body, then: Then::Move(Movement::Run { reverse: false }) });
            }
            "reverseContinue" => Movement::Run { reverse: true },
            "restart" => return self.restart(),
            "restartFrame" => {
                let OfFrame { frame_id } = request.arguments()?;
                let place = self.looks.frame(frame_id)?;
                self.select(place)?;
                Movement::RestartFrame
            }
            "goto" => {
                let Goto { target_id } = request.arguments()?;
                let gone = || Refusal::new(format!("{target_id} is not a goto target"));
                self.targets.get(target_id).filter(|found| found.is_there()).cloned().ok_or_else(gone)?
            }
            "retrograde/goto" => match request.arguments()? {
                GotoPosition { position: Some(position), event: None } => {
                    Movement::ToPosition(position.parse::<Position>().map_err(replay::Error::from)?)
                }
                GotoPosition { position: None, event: Some(event) } => Movement::ToEvent(event),
                _ => return Err(Refusal::new("retrograde/goto takes either a `position` or an `event`")),
            },
            step => {
                let Move { thread_id, granularity, target_id } = request.arguments()?;
                let is_instruction = granularity == Granularity::Instruction;
                let movement = match step {
                    "next" if is_instruction => Movement::NextInstruction { reverse: false },
                    "next" => Movement::Next { reverse: false },
                    "stepIn" if is_instruction => Movement::StepInstruction,
                    "stepIn" => match target_id {
                        Some(target) => self.call_to_step_into(target)?,
                        None => Movement::Step { reverse: false },
                    },
                    "stepOut" => Movement::Finish { reverse: false },
                    "stepBack" if is_instruction => Movement::NextInstruction { reverse: true },
                    "stepBack" => Movement::Next { reverse: true },
                    "retrograde/stepBackIn" => Movement::Step { reverse: true },
                    "retrograde/stepBackOut" => Movement::Finish { reverse: true },
                    other => return Err(Refusal::new(format!("request `{other}` is not supported"))),
                };
                self.select(FramePlace { thread: thread_id, level: 0 })?;
                movement
            }
        };
        Ok(Then::Move(movement).done())
    }

    /// Returns the step into a call that was listed.
    fn call_to_step_into(&self, target: u64) -> Result<Movement, Refusal> {
        let found = self.targets.get(target).filter(|found| matches!(found, Movement::IntoCall(_)));
        found.cloned().ok_or_else(|| Refusal::new(format!("{target} is not a step-in target")))
    }

    /// Moves, and tells where that has led.
    pub(super) fn carry_out(&mut self, movement: &Movement, call: &Call) {
        self.looks.clear();
        self.selected = None;
        let progress = self.progress(call, movement.title());
        let mut leg = movement.clone();
        let moved = loop {
            if leg.is_run() {
                // What comes from now on interrupts it; what has come before is done now.
                call.set_interruptible();
                self.configure();
            }
            let Some(replay) = &mut self.replay else { break Err(super::session::nothing()) };
            replay.set_cancel(&call.cancel().into());
            match leg.make(replay) {
                Ok(stop) if matches!(stop.reason, StopReason::Cancelled) && leg.is_run() && call.goes_on() => {
                    self.tell_log(&stop);
                }
                Ok(stop) if !is_cut_short(&stop) => match leg.rest() {
                    Some(rest) => leg = rest,
                    None => break Ok(stop),
                },
                moved => break moved,
            }
        };
        drop(progress);
        // Who is told of the stop may ask anything.
        self.calls.finish(call);
        match moved {
            Ok(stop) => self.tell(&stop, Some(movement)),
            Err(refusal) => self.tell_failure(&refusal),
        }
    }

    pub(super) fn goto_targets(&mut self, arguments: &GotoTargets) -> Result<Value, Refusal> {
        let line = self.editor.line_of(arguments.line);
        let file = self.file_of(&arguments.source)?.compiled;
        let location = format!("{file}:{line}");
        let found = self.replay()?.with_engine(|engine| engine.locations(&location))?;
        let found = found.map_err(replay::Error::from)?;
        let bound = found.iter().find_map(|place| place.line).unwrap_or(line);
        let mut target = |reverse: bool| {
            let when = if reverse { "Previous" } else { "Next" };
            let id = self.targets.add(Movement::ToLine { location: location.clone(), reverse });
            GotoTarget {
                id,
                label: format!("{when} time that line {bound} is executed"),
                line: self.editor.line(bound),
            }
        };
        let targets = [target(true), target(false)];
        Ok(body_of(json!({"targets": targets})))
    }
}
