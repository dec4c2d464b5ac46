//! Arguments of the tools for breakpoints, watchpoints, catchpoints and log points.

use crate::mcp::tools::args::{MAX_LOG_LINES, MAX_NUMBER, Text, hundred};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

/// `rr_breakpoint_set`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointSetArgs {
    /// `function`, `file.c:42`, `42` (a line of the current file), `file.c:function`, `file.c: text of the line`, or
    /// `*0x401136`.
    #[schemars(extend("short" = "`function`, `file.c:42`, `42`, `file.c: text of the line`, `*0x401136`"))]
    pub(crate) location: Text,
    /// Expression; the breakpoint stops only where it is true.
    #[schemars(extend("short" = false))]
    pub(crate) condition: Option<String>,
    /// Delete the breakpoint at its first stop.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) temporary: bool,
    /// Number of hits to skip first.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) ignore_count: u32,
    /// Accept a location that is not found yet; the breakpoint is set when a library that has it is loaded.
    #[serde(default)]
    #[schemars(extend("short" = "Accept a library not yet loaded"))]
    pub(crate) pending: bool,
    /// Stop only in this thread, written as for rr_thread_select.
    #[schemars(extend("short" = false))]
    pub(crate) thread: Option<Text>,
    /// Text with `{expressions}` to log instead of stopping; rr_log reads it.
    pub(crate) log: Option<String>,
    /// Treat `location` as a regular expression over function names, and break on all that match.
    #[serde(default)]
    #[schemars(extend("short" = "`location` is a regex of function names"))]
    pub(crate) regex: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// What a catchpoint waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum CatchWord {
    Signal,
    Syscall,
    Exec,
    Fork,
    Throw,
    Catch,
    Panic,
}

/// `rr_catch_set`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CatchSetArgs {
    /// Event to catch. throw and catch are those of C++ exceptions; panic is Rust's.
    #[schemars(extend("short" = false))]
    pub(crate) event: CatchWord,
    /// For signal, names of signals; for syscall, names of system calls (required); for throw and catch, regular
    /// expressions over exception types. Not allowed for other events. Default: all.
    #[schemars(extend("short" = "Signals; system calls (must be named); regexes of exception types"))]
    pub(crate) names: Option<Vec<String>>,
    /// Delete the catchpoint at its first stop.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) temporary: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_breakpoint_update`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointUpdateArgs {
    /// Number of the breakpoint or watchpoint.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) breakpoint_number: u32,
    /// false disables it.
    #[schemars(extend("short" = false))]
    pub(crate) enabled: Option<bool>,
    /// Expression; it stops only where this is true. An empty string removes the condition.
    #[schemars(extend("short" = "\"\" removes it"))]
    pub(crate) condition: Option<String>,
    /// Number of hits to skip from now on.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) ignore_count: Option<u32>,
    /// Stop only in this thread. An empty string stops in all threads.
    #[schemars(extend("short" = "\"\": all threads"))]
    pub(crate) thread: Option<Text>,
    /// Text to log instead of stopping. An empty string makes it stop again.
    #[schemars(extend("short" = "\"\" makes it stop again"))]
    pub(crate) log: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_breakpoint_remove`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointRemoveArgs {
    /// Number of the breakpoint or watchpoint.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) breakpoint_number: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// What a watchpoint waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum AccessType {
    #[default]
    Write,
    Read,
    Access,
}

/// `rr_watchpoint_set`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchpointSetArgs {
    /// An lvalue. Its address is evaluated when the watchpoint is set, and stays fixed.
    #[schemars(extend("short" = "Lvalue; address fixed when set"))]
    pub(crate) expression: String,
    /// Stop where the value changes (write), is read (read), or either (access).
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) access_type: AccessType,
    /// Expression; the watchpoint stops only where it is true.
    #[schemars(extend("short" = false))]
    pub(crate) condition: Option<String>,
    /// Text with `{expressions}` to log at each hit instead of stopping; rr_log reads it.
    #[schemars(extend("short" = "As for rr_breakpoint_set"))]
    pub(crate) log: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_log`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogArgs {
    /// First line to return. The first is 1; 0 means the same.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) from: u64,
    /// Maximum number of lines.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) count: u32,
    /// Return only lines of this breakpoint or watchpoint.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) breakpoint_number: Option<u32>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
