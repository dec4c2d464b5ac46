//! Places in time: `when`, `run`, `start`, checkpoints.

use super::command::Moment;
use super::error::Error;
use super::execution::{Answer, Execution};
use super::flow::Flow;
use arch::Direction;
use engine::model::{BreakpointSpec, Motion, NoWaypoint, Reason};

/// Where a conversation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Just after this event.
    Event(u64),
    /// At the end of the process.
    End,
}

/// What `run` goes to when it is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Event(u64),
    Checkpoint(u32),
}

impl Origin {
    fn motion(self) -> Motion {
        match self {
            Self::Event(event) => Motion::RunToEvent(event),
            Self::Checkpoint(number) => Motion::Restore(number),
        }
    }
}

/// What is asked before the program begins again.
const RESTART: &str = "The program being debugged has been started already.\nStart it from the beginning? (y or n) ";

impl Execution<'_> {
    /// Goes to where the conversation is to begin. What is before the beginning of the process is its beginning.
    pub(super) fn open_at(&mut self, opening: Opening) -> Result<(), Error> {
        match opening {
            Opening::Event(event) if event <= self.engine.beginning() => Ok(()),
            Opening::Event(event) => {
                self.state.origin = Some(Origin::Event(event));
                self.engine.go(Motion::RunToEvent(event)).map(drop).map_err(Into::into)
            }
            Opening::End => loop {
                let stop = self.engine.go(Motion::Continue(Direction::Forward))?;
                match stop.reason {
                    Reason::EndOfRecording { .. } => return Ok(()),
                    Reason::Cancelled => return Err(Error::said("Quit")),
                    _ => {}
                }
            },
        }
    }

    pub(super) fn when(&mut self, moment: Moment) -> Result<(), Error> {
        match moment {
            Moment::End => {
                let event = self.engine.last_event()?;
                self.say(format!("Event at end of recording: {event}"));
                return Ok(());
            }
            Moment::Elapsed => {
                let time = self.engine.event_time()?;
                self.say(format!("Elapsed Time (s): {:.6}", time.elapsed));
                return Ok(());
            }
            Moment::Absolute => {
                let time = self.engine.event_time()?;
                self.say(format!("Absolute Time (s): {:.6}", time.clock));
                return Ok(());
            }
            Moment::Event | Moment::Ticks | Moment::Position | Moment::Thread => {}
        }
        let position = self.engine.position()?;
        let counted = |number: Option<u64>| number.map_or("unknown".to_owned(), |number| number.to_string());
        let words = match moment {
            Moment::Event => format!("Completed event: {}", counted(position.event())),
            Moment::Ticks => format!("Current tick: {}", counted(position.ticks())),
            Moment::Position => format!("Current position: {}", self.engine.waypoint()?),
            _ => format!("Current tid: {}", position.thread.tid),
        };
        self.say(words);
        Ok(())
    }

    /// Goes to an event; without one, to where the last `run` or `restart` has led, or else to where the session began.
    pub(super) fn run(&mut self, event: Option<&str>) -> Result<Flow, Error> {
        let alive = self.running().is_ok();
        if alive && !self.confirm(RESTART)? {
            return Err(Error::said("Program not restarted."));
        }
        let origin = match event {
            Some(text) => {
                let event = text.trim().parse().map_err(|_| {
                    Error::said(format!("\"{text}\" is not an event: in a replay `run` takes the number of one."))
                })?;
                Origin::Event(event)
            }
            None => self.state.origin.unwrap_or(Origin::Event(self.engine.beginning())),
        };
        self.state.origin = Some(origin);
        self.jump(origin.motion())
    }

    /// Goes to a position, to an event, or to one of the ends.
    pub(super) fn go_to(&mut self, text: &str) -> Result<Flow, Error> {
        let text = text.trim();
        let motion = match (text, text.parse()) {
            ("start", _) => Motion::RunToEvent(self.engine.beginning()),
            ("end", _) => Motion::RunToEvent(self.engine.last_event()?),
            (_, Ok(event)) => Motion::RunToEvent(event),
            (_, Err(_)) => Motion::GoTo(text.parse().map_err(|error: NoWaypoint| Error::said(format!("{error}.")))?),
        };
        self.jump(motion)
    }

    /// Goes to where the current thread comes by a tick first.
    pub(super) fn seek_ticks(&mut self, text: &str) -> Result<Flow, Error> {
        let ticks = text.trim().parse().map_err(|_| Error::said(format!("\"{text}\" is not a number of ticks.")))?;
        self.jump(Motion::RunToTicks(ticks))
    }

    /// Goes to the beginning of `main`.
    pub(super) fn start(&mut self) -> Result<Flow, Error> {
        let spec = BreakpointSpec { location: "main".to_owned(), temporary: true, ..BreakpointSpec::default() };
        let info = self.engine.set_breakpoint(&spec)?;
        self.tell_breakpoint(&info)?;
        self.engine.go(Motion::RunToEvent(self.engine.beginning()))?;
        self.state.exited = false;
        self.resume(Direction::Forward, None)
    }

    /// Goes to the first instruction of the process.
    pub(super) fn start_instruction(&mut self) -> Result<Flow, Error> {
        if self.running().is_ok() && !self.confirm(RESTART)? {
            return Err(Error::said("Program not restarted."));
        }
        self.jump(Motion::RunToEvent(self.engine.beginning()))
    }

    pub(super) fn checkpoint(&mut self) -> Result<(), Error> {
        self.running()?;
        let innermost = self.engine.backtrace(0, 1, true)?;
        let place = match innermost.frames.first() {
            Some(frame) => self.described(frame, true)?,
            None => "???".to_owned(),
        };
        let made = self.engine.save_checkpoint(None)?;
        // rr takes the frame line apart at its first word, and leaves two spaces.
        let place = format!("  {place}");
        self.say(format!("Checkpoint {} at {place}", made.id));
        self.state.checkpoints.insert(made.id, place);
        Ok(())
    }

    pub(super) fn restart(&mut self, text: &str) -> Result<Flow, Error> {
        let number: u32 = text.trim().parse().map_err(|_| Error::said(format!("Invalid checkpoint number {text}.")))?;
        match self.jump(Motion::Restore(number)) {
            Err(Error::Said(_)) if !self.engine.checkpoints().iter().any(|c| c.id == number) => {
                Err(Error::said(format!("Checkpoint {number} not found.\nThe restart has failed: nothing has moved.")))
            }
            other => {
                self.state.origin = Some(Origin::Checkpoint(number));
                other
            }
        }
    }

    pub(super) fn delete_checkpoint(&mut self, text: Option<&str>) -> Result<(), Error> {
        let text = text.ok_or_else(|| Error::said("'delete checkpoint' requires an argument"))?;
        let is_number = text.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
        if !is_number {
            return Err(Error::said(format!("Invalid checkpoint number {text}.")));
        }
        let unknown = || Error::said(format!("No checkpoint number {text}."));
        let number = text.parse().map_err(|_| unknown())?;
        match self.engine.delete_checkpoint(number) {
            Ok(()) => {
                self.state.checkpoints.remove(&number);
                if self.state.origin == Some(Origin::Checkpoint(number)) {
                    self.state.origin = None;
                }
                self.say(format!("Deleted checkpoint {number}."));
                Ok(())
            }
            Err(engine::Error::NoCheckpoint { .. }) => Err(unknown()),
            Err(other) => Err(other.into()),
        }
    }

    pub(super) fn info_checkpoints(&mut self) -> Result<(), Error> {
        let all = self.engine.checkpoints();
        if all.is_empty() {
            self.say("No checkpoints.");
            return Ok(());
        }
        self.say("ID\tWhen\tWhere");
        for checkpoint in all {
            let place = self.state.checkpoints.get(&checkpoint.id).cloned();
            let place = place.unwrap_or_else(|| format!("  {}", checkpoint.place));
            let event = checkpoint.position.event().map_or("?".to_owned(), |event| event.to_string());
            self.say(format!("{}\t{event}\t{place}", checkpoint.id));
        }
        Ok(())
    }

    /// Asks before something that cannot be undone, unless nobody is there or `set confirm off` says that nobody wants
    /// to be asked.
    pub(super) fn confirm(&mut self, question: &str) -> Result<bool, Error> {
        if !self.state.settings.confirm || !self.terminal.asks() {
            return Ok(true);
        }
        self.asked(question, None)
    }

    /// Asks a question and returns the answer; fails if it was interrupted.
    pub(super) fn asked(&mut self, question: &str, default: Option<Answer>) -> Result<bool, Error> {
        match self.terminal.ask(question, default) {
            Answer::Yes => Ok(true),
            Answer::No => Ok(false),
            Answer::Cancelled => Err(Error::said("Quit")),
        }
    }
}
