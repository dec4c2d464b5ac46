//! Where a replay is, and where it is to go.

use super::frame::Frame;
use super::waypoint::Waypoint;
use arch::Direction;
use arch::RunAddr;
use arch::ThreadId;
use rsp::Moment;

/// A place in the recording. (event, ticks, pc) is finer than anything rr names by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Completed events, and conditional branches that the thread has retired. `None` only if the server that was
    /// attached to does not count them.
    pub moment: Option<Moment>,
    /// The current thread.
    pub thread: ThreadId,
    /// Its program counter.
    pub pc: RunAddr,
}

impl Position {
    /// Returns how many events are completed, if they are counted.
    pub fn event(&self) -> Option<u64> {
        self.moment.map(|moment| moment.event)
    }

    /// Returns how many conditional branches the thread has retired, if they are counted.
    pub fn ticks(&self) -> Option<u64> {
        self.moment.map(|moment| moment.ticks)
    }
}

/// What is noted where a step into a call of the line has not come to it.
pub const CALL_NOT_REACHED: &str = "the line was left before it came to the call";

/// A movement in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// To the next stop.
    Continue(Direction),
    /// So many source lines, into calls.
    Step(Direction, u32),
    /// So many source lines, over calls.
    Next(Direction, u32),
    /// So many instructions.
    StepInstruction(Direction, u32),
    /// So many instructions, over calls.
    NextInstruction(Direction, u32),
    /// Forward: until the selected frame returns. Reverse: to the call of the selected frame's function.
    Finish(Direction),
    /// Lines, over calls, until one that comes later in the function: out of a loop.
    Until,
    /// Over what comes before the call at this address in the line, and into that. If the line is left before, so far:
    /// [`CALL_NOT_REACHED`] is noted then.
    IntoCall(RunAddr),
    /// To where [`Engine::advance`](crate::Engine::advance) was told to go, which is how to ask for it.
    Advance,
    /// Just after this event.
    RunToEvent(u64),
    /// To a checkpoint.
    Restore(u32),
    /// To the first instruction of the current thread that has these ticks behind it, earlier or later.
    RunToTicks(u64),
    /// To a moment, to the instruction, earlier or later.
    GoTo(Waypoint),
}

impl Motion {
    /// Returns whether a movement stops at breakpoints that it hits.
    pub(crate) fn runs(self) -> bool {
        match self {
            Self::Continue(_) | Self::Step(..) | Self::Next(..) | Self::Finish(_) | Self::Until | Self::Advance => true,
            Self::IntoCall(_) => true,
            Self::StepInstruction(..) | Self::NextInstruction(..) => false,
            Self::RunToEvent(_) | Self::RunToTicks(_) | Self::Restore(_) | Self::GoTo(_) => false,
        }
    }

    /// Returns whether a movement leads to a moment by its name, whatever is on the way.
    pub(crate) fn is_by_name(self) -> bool {
        matches!(self, Self::RunToEvent(_) | Self::RunToTicks(_) | Self::Restore(_) | Self::GoTo(_))
    }

    /// Returns which time limit a movement has.
    pub(crate) fn direction(self) -> Direction {
        match self {
            Self::Continue(d)
            | Self::Step(d, _)
            | Self::Next(d, _)
            | Self::StepInstruction(d, _)
            | Self::NextInstruction(d, _)
            | Self::Finish(d) => d,
            Self::IntoCall(_) | Self::Until | Self::Advance => Direction::Forward,
            Self::RunToEvent(_) | Self::RunToTicks(_) | Self::Restore(_) | Self::GoTo(_) => Direction::Forward,
        }
    }
}

/// A thread of the process.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// From 1 in the order in which the session met them; what users select by.
    pub number: u32,
    /// rr's numbers.
    pub id: ThreadId,
    /// Its comm name.
    pub name: Option<String>,
    /// Its innermost frame, with arguments.
    pub frame: Option<Frame>,
    /// Selected.
    pub current: bool,
}

/// A checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// rr's number for it.
    pub id: u32,
    /// Where it was made.
    pub position: Position,
    /// The same as a name for it that is good in each session, if the server counts events.
    pub waypoint: Option<Waypoint>,
    /// `main at crash.c:12`
    pub place: String,
    /// What it was saved for, in the words of who did.
    pub note: Option<String>,
}
