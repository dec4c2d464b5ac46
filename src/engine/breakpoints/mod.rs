//! What the user waits for: the table of breakpoints, watchpoints and catchpoints; how they are resolved, set,
//! changed and inserted; and the stopped process that has them.
//!
//! ```text
//! table                        all of them, and which are to be set in rr; kinds: of what kind each is there
//! set_breakpoint, set_watchpoint, set_catchpoint
//!                              new ones, checked; edit: changes
//! resolve, by_text, by_regex   locations as they are spelled, and their addresses; re_resolve: in other modules
//! watch, watch_scope           which bytes are watched, and of which frame
//! catch, exception, syscalls   catchpoints: what happens rather than where
//! condition_bytecode           conditions that rr evaluates by itself; `eval::condition` has the others
//! log, log_text, log_fields, log_lines
//!                              log points
//! temporary                    by which a movement comes to a place in one activation of a function
//! debuggee, selection          the stopped process with all these; the selected thread and frame
//! user_frame                   the user's own code on a stack
//! ```

pub(super) mod catch;
pub(super) mod condition_bytecode;
pub(super) mod debuggee;
pub(super) mod edit;
pub(super) mod exception;
pub(super) mod kinds;
pub(super) mod log;
pub(super) mod log_fields;
pub(super) mod log_lines;
pub(super) mod log_text;
pub(super) mod re_resolve;
pub(super) mod resolve;
pub(super) mod selection;
pub(super) mod set_breakpoint;
pub(super) mod set_catchpoint;
pub(super) mod set_watchpoint;
pub(super) mod syscalls;
pub(super) mod table;
pub(super) mod temporary;
pub(super) mod user_frame;
pub(super) mod watch;
pub(super) mod watch_scope;
