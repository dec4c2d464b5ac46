//! The debugger: one recording, replayed by rr, looked at and moved in both directions of time.
//!
//! Layer 2. [`Engine`] is all that the layers above see: plain structs ([`model`]) in and out, no protocol, no debug
//! info, no JSON. It is synchronous and owned by one thread. Every movement has a time limit, and is
//! [cancelled](Engine::set_cancel) from other threads; whatever ends it, the next call works.
//!
//! Each folder is a room, and names only those below it:
//!
//! ```text
//! facade        what the layers above call
//! query         questions that move nothing: symbols, lines, names, code, frames, types, modules
//! session       the engine: who serves it, going on in another replay, hints, the kill switch
//! run           movements: performed, settled; steps, finish, until, checkpoints; forward and backward
//! breakpoints   what is debugged: the table, resolving, setting, changing, inserting; catchpoints, watchpoints, logs
//! eval          a stopped process: locals, globals, expressions, macros, registers, the value history
//! stack         frames by unwinding
//! modules       which ELF files are loaded where, and their files here
//! target        what is asked of a replay, and the process: registers and memory cached until it moves
//! api           what goes in and out ([`model`])
//! ```
//!
//! Three structs carry the state, each with the one below as a field: `eval::inferior::Inferior` is a stopped process
//! with its modules and stacks; `breakpoints::debuggee::Debuggee` has the user's breakpoints in it, and what is
//! selected; `run::session::Session` moves that. An `Engine` has one session, and who serves it.
//!
//! ## The way of a movement
//!
//! `rr_next` with `reverse` is `Engine::go(Motion::Next(Reverse, n))`:
//!
//! 1. `facade`: the call, checked against what the server can do (`session::capabilities`).
//! 2. `session::restart`: the call is made; if rr ends meanwhile, it is made again in a new replay.
//! 3. `run::perform`: the time limit, what of the last stop is forgotten and what is not, and the steps.
//! 4. `run::step`, `run::step::backward`: the rules of stepping, in terms of a `Machine`.
//! 5. `run::replay_machine`: the replay as such a machine (`run::mover`): resumes it, again for what is not worth telling.
//! 6. `breakpoints::kinds`: which breakpoints are set in rr for that.
//! 7. `target::process`: the caches are dropped, and [`rsp`] resumes.
//! 8. `run::stop_outcome`: what the stop comes to; of a breakpoint `run::breakpoint_hit`, of a watchpoint
//!    `run::watch_hit`, which looks at both sides of an instruction by `run::reexecute`.
//! 9. `run::session`: the stop as the caller sees it, with its frame (`eval::backtrace`) and source
//!    (`program::sources`).

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

pub use api as model;
pub use api::error::Error;
pub use breakpoints::syscalls::syscall_number;
pub use ctype::type_name;
pub use dwarf::{Progress, Work};
pub use eval::inferior::Printing;
pub use query::call::Called;
pub use query::disassemble::CodeLine;
pub use query::frame::{FrameDetail, FrameKey, Local};
pub use query::held::{Held, HeldIn};
pub use query::lookup::{FunctionSpan, Library, LineSpan, SourceFacts, SourcePosition, SymbolPlace};
pub use query::macros::{DefinedMacro, MacroLine, Macros};
pub use query::names::{Named, Visible};
pub use query::object::Object;
pub use query::pointer::Pointer;
pub use query::typed::{Typed, TypedVariable, spelled};
pub use query::types::TypeText;
pub use query::virtual_tables::VirtualTable;
pub use readers::{shortened_function, shortened_types};
pub use rr::CommandLine;
pub use rsp::Traffic;
pub use session::bookmark::Bookmark;
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
