//! What the engine takes and gives: plain structs, which the layers above convert as they like.

mod breakpoint;
pub(super) mod error;
mod frame;
mod module;
mod options;
mod position;
mod stop;
mod value;

pub use self::breakpoint::{
    Access, BreakpointChange, BreakpointInfo, BreakpointPlace, BreakpointSpec, CatchEvent, CatchSpec, Caught,
};
pub use self::frame::{Backtrace, Frame};
pub use self::module::{DebugInfoState, ModuleInfo, ModuleRole};
pub use self::options::{AttachOptions, ReplayOptions, Timeouts};
pub use self::position::{Checkpoint, Motion, Position, Thread, Waypoint};
pub use self::stop::{LogLine, Logged, Reason, SourceLine, SourceText, Stop};
pub use self::value::{Evaluated, MemoryBlock, Missing, RegisterValue, Show, Variable};
pub use crate::ctype::Contents;
pub use crate::rsp::Moment;
