//! What the user waits for: the table of breakpoints, watchpoints and catchpoints; how they are resolved, set,
//! changed and inserted; and the stopped process that has them.

pub(super) mod by_regex;
pub(super) mod by_text;
pub(super) mod catch;
pub(super) mod condition;
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
