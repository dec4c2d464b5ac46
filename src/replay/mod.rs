//! The library: one recording, replayed, as a Rust tool sees it. Re-exported at the root of the crate.
//!
//! Layer 3, beside `console`. A [`Replay`] has an [`Engine`](engine::Engine), and adds what a library needs:
//! values that are read when they are looked at, positions that are kept and compared, errors with a kind, movements
//! that leave the session where it was if they fail, closures as observers.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `session` | [`Replay`] itself, and how it is opened ([`Options`]) |
//! | `movement` | running, stepping, going to positions; `stop` and `position` are what comes of it |
//! | `breakpoint` | what is waited for: [`Breakpoint`], and the builders that set one |
//! | `questions` | [`Questions`]: asks about a whole recording, beside a replay or without one; `rows` reads the rows of the answers, `filter` restricts what is asked |
//! | `calls`, `trace` | questions about code: the calls of a function, the hits of a place |
//! | `whole` | questions about a recording: what ran, what happened, how two recordings differ |
//! | `history`, `origin` | questions about a value: all accesses, which of them race, where it comes from |
//! | `last_write` | the last write of a value, and the frame that wrote it; `excursion` goes there and back |
//! | `inspect` | what is there at a stop: values, variables, registers, code, frames, threads; `framed` asks the same of one frame |
//! | `value/` | [`Value`] |
//! | `cancel` | [`Cancel`]: ends what is being done |
//! | `recording` | [`Recording`]: making and finding them |

mod breakpoint;
mod calls;
mod cancel;
mod checkpoint;
mod core;
mod error;
mod excursion;
mod filter;
mod frame;
mod framed;
mod history;
mod inspect;
mod last_write;
mod location;
mod movement;
mod options;
mod origin;
mod output;
mod position;
mod questions;
mod recording;
mod rows;
mod session;
mod stop;
mod trace;
mod value;
mod whole;

pub use breakpoint::{Access, Breakpoint, BreakpointBuilder, BreakpointKind, BreakpointLocation, Catch};
pub use breakpoint::{CatchpointBuilder, WatchpointBuilder};
pub use calls::{Call, CallEnd, Caller, Calls, CallsBuilder};
pub use cancel::Cancel;
pub use checkpoint::Checkpoint;
pub use error::{Error, ErrorKind, Result};
pub use frame::{Backtrace, Frame, Thread};
pub use framed::FrameView;
pub use history::{History, HistoryBuilder, MemoryAccess, Race, Races};
pub use inspect::{Instruction, Module, Register, Variable};
pub use last_write::Write;
pub use location::{Location, SourceLine};
pub use options::Options;
pub use origin::{Hop, HopKind, Origin, OriginBuilder};
pub use output::{Output, Stream};
pub use position::{ParsePositionError, Position};
pub use questions::Questions;
pub use recording::{Recorded, Recorder, Recording};
pub use rows::Rows;
pub use session::Replay;
pub use stop::{LogLine, Stop, StopReason};
pub use trace::{Trace, TraceBuilder, Traced};
pub use value::{Elements, Entries, Kind, Unknown, Value};
pub use whole::{
    DiffBuilder, Difference, DifferenceKind, Explanation, FunctionCount, Happening, LineCount, ThreadWait,
    ThreadsReport,
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
        is_shared::<Questions>();
        is_send::<Rows<'_, Call>>();
        is_send::<Calls>();
        is_send::<Trace>();
        is_send::<History>();
        is_shared::<Origin>();
        is_shared::<Recording>();
        is_shared::<Value<'_>>();
        is_shared::<Variable<'_>>();
        is_shared::<FrameView<'_>>();
    }
}
