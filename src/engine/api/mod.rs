//! What the engine takes and gives: plain structs, which the layers above convert as they like.

mod breakpoint;
pub(super) mod error;
mod explanation;
mod frame;
mod mapping;
mod module;
mod options;
mod position;
mod stop;
mod value;
mod waits;
mod waypoint;

pub use self::breakpoint::{
    Access, BreakpointChange, BreakpointInfo, BreakpointLocation, BreakpointSpec, CatchEvent, CatchSpec, Caught,
};
pub(crate) use self::explanation::OVERFLOWED;
pub use self::explanation::{EXIT_AFTER_PANIC, Explanation, Fault, KernelWait, Kind, Surroundings, UserFrame};
pub use self::frame::{Backtrace, Fold, Frame, StackShape};
pub use self::mapping::Mapping;
pub use self::module::{DebugInfoState, ModuleInfo, ModuleRole};
pub use self::options::{AttachOptions, ReplayOptions, Timeouts};
pub use self::position::{CALL_NOT_REACHED, Checkpoint, Motion, Position, Thread};
pub use self::stop::{LogLine, Logged, Reason, Stop};
pub use self::value::{Evaluated, MemoryBlock, Missing, RegisterValue, Show, Variable};
pub use self::waits::{Owner, Wait, WaitKind, Waiting, Waits, circles};
pub(crate) use self::waypoint::Hash;
pub use self::waypoint::{Fingerprint, NoWaypoint, Waypoint, hash_of_registers, hash_of_stop};
pub use ctype::Contents;
pub use program::sources::{SourceLine, SourceText};
pub use rsp::Moment;
