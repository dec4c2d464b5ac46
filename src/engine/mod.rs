//! The debugger: one recording, replayed by rr, looked at and moved in both directions of time.
//!
//! Floor 2. [`Engine`] is all that the layers above see: plain structs ([`model`]) in and out, no protocol, no debug
//! info, no JSON. It is synchronous and owned by one thread. Every movement has a time limit and an [`Observer`], and
//! whatever ends it, the next call works.
//!
//! Inside, from the target up:
//!
//! * `target` is what is asked of a replay, `process` the same with registers and memory cached: nothing changes while
//!   a replay is stopped, and moving is what drops the caches.
//! * `modules` and `image_files` know which ELF files are loaded where, and find files that are what was recorded;
//!   `debuginfod` fetches debug info that is not here, behind everybody's back; `module_list` tells about all that.
//! * `frames` and `frame_context` unwind; `inferior` is a stopped process with all that, `scope`, `eval` and `describe`
//!   look around in it.
//! * `whereabouts`, `code`, `frame_detail` and `type_text` tell more of the program than tools ask for; `variables` are
//!   the values that expressions may name besides the program's own.
//! * `breakpoints`, `adjust`, `watch`, `locations`, `setting` and `conditions` are what the user waits for; `patterns`
//!   and `statements` find places by more than a name or line, `log_points` write down instead of stopping, and
//!   `catching` waits for what happens rather than for where.
//! * `step` has the rules of stepping, in terms of a `Machine`; `motion` makes the replay one, and `hits` judges the
//!   breakpoints that it meets; `finish`, `until`,
//!   `watch_stop` and `timeline` are the movements that are not steps; `sides`, `delivery` and `late_write` see to it
//!   that going back skips nothing that others have done, and `misses` that it is not held up by hits that do not
//!   count; `watch_check` doubts what a watchpoint tells.
//! * `server` is who answers: an rr of our own, or a server that was there before.
//! * `symbol_work` bounds what reading debug info may take; `session` joins them; `recovery` goes on in another replay
//!   when rr cannot be stopped, and `kill_switch` is what other threads may hold of an engine.

pub mod api;
mod breakpoints;
mod eval;
mod facade;
mod modules;
mod query;
mod run;
mod session;
mod stack;
mod target;

pub use crate::dwarf::{Progress, Work};
pub use crate::readers::shortened_function;
pub use crate::rsp::Traffic;
pub use api as model;
pub use api::error::Error;
pub use query::disassemble::CodeLine;
pub use query::frame::{FrameDetail, FrameKey, Local};
pub use query::lookup::{FunctionSpan, Library, LineSpan, SourceFacts, SourcePosition, SymbolPlace};
pub use query::macros::{DefinedMacro, MacroLine, Macros};
pub use query::types::TypeText;
pub use session::engine::Engine;
pub use session::kill_switch::KillSwitch;
pub use target::signals::{is_passed_silently, named_signals, signal_meaning};

#[cfg(test)]
mod tests {
    #[test]
    fn an_engine_can_be_handed_to_the_thread_that_will_own_it() {
        fn is_send<T: Send>() {}
        is_send::<super::Engine>();
    }
}
