//! The library: one recording, replayed, as a Rust tool sees it. Re-exported at the root of the crate.
//!
//! Layer 3, beside `console`. A [`Replay`] has an [`Engine`](crate::engine::Engine), and adds what a library needs:
//! values that are read when they are looked at, positions that are kept and compared, errors with a kind, movements
//! that leave the session where it was if they fail, closures as observers.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `session` | [`Replay`] itself, and how it is opened ([`Options`]) |
//! | `movement` | running, stepping, going to positions; `stop` and `position` are what comes of it |
//! | `breakpoint` | what is waited for: [`Breakpoint`], and the builders that set one |
//! | `last_write`, `calls` | questions about the whole execution: the last write of a value, the calls of a function; `excursion` is what they do elsewhere |
//! | `origin` | where a value comes from |
//! | `history` | all accesses to something, and those that nothing keeps apart |
//! | `whole` | other questions about the whole recording: what ran, what happened, what differs |
//! | `inspect` | what is there at a stop: values, variables, registers, code, frames, threads |
//! | `value/` | [`Value`] |
//! | `recording` | [`Recording`]: making and finding them |

mod breakpoint;
mod calls;
mod checkpoint;
mod core;
mod error;
mod excursion;
mod frame;
mod history;
mod inspect;
mod last_write;
mod location;
mod movement;
mod options;
mod origin;
mod output;
mod position;
mod recording;
mod session;
mod stop;
mod value;
mod whole;

pub use crate::cancel::Cancel;
pub use breakpoint::{Access, Breakpoint, BreakpointBuilder, BreakpointKind, BreakpointLocation, Catch};
pub use breakpoint::{CatchpointBuilder, WatchpointBuilder};
pub use calls::Call;
pub use checkpoint::Checkpoint;
pub use error::{Error, ErrorKind, Result};
pub use frame::{Backtrace, Frame, Thread};
pub use history::{History, MemoryAccess, Race, Races};
pub use inspect::{Instruction, Module, Register, Variable};
pub use last_write::Write;
pub use location::{Location, SourceLine};
pub use options::Options;
pub use origin::{Hop, Origin};
pub use output::{Output, Stream};
pub use position::{ParsePositionError, Position};
pub use recording::{Recorded, Recorder, Recording};
pub use session::Replay;
pub use stop::{LogLine, Stop, StopReason};
pub use value::{Elements, Entries, Kind, Unknown, Value};
pub use whole::{
    Difference, DifferenceKind, Explanation, FunctionCount, Happening, LineCount, ThreadWait, ThreadsReport, Traced,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_gives_can_be_handed_to_other_threads() {
        fn is_send<T: Send>() {}
        fn is_shared<T: Send + Sync>() {}
        is_send::<Replay>();
        is_shared::<Options>();
        is_shared::<Cancel>();
        is_shared::<Error>();
        is_shared::<Position>();
        is_shared::<Stop>();
        is_shared::<Frame>();
        is_shared::<Breakpoint>();
        is_shared::<Write>();
        is_shared::<Call>();
        is_shared::<Origin>();
        is_shared::<Recording>();
        is_shared::<Value<'_>>();
        is_shared::<Variable<'_>>();
    }
}
