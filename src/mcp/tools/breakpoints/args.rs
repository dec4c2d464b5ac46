//! Arguments of the tools for breakpoints, watchpoints, catchpoints and log points.

use crate::mcp::tools::args::{MAX_LOG_LINES, MAX_NUMBER, Text, hundred};
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

/// `rr_breakpoint_set`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointSetArgs {
    /// `function`, `file.c:42`, `42`, `file.c: text of the line`, `*0x401136`.
    ///
    /// `42` is a line of the current file; `file.c:function` is one of its functions.
    pub(crate) location: Text,
    /// (C expression; stop only where it is true.)
    pub(crate) condition: Option<String>,
    /// (Delete it at its first stop.)
    #[serde(default)]
    pub(crate) temporary: bool,
    /// (Skip this many hits first.)
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) ignore_count: u32,
    /// Wait for a library that has it.
    ///
    /// A location that only a library loaded later may have is accepted.
    #[serde(default)]
    pub(crate) pending: bool,
    /// (Stop only this thread, as for rr_thread_select.)
    pub(crate) thread: Option<Text>,
    /// Instead of a stop, a line with `{expressions}`; rr_log reads it.
    pub(crate) log: Option<String>,
    /// Break on all functions that match `location`.
    ///
    /// It is a regular expression over their names.
    #[serde(default)]
    pub(crate) regex: bool,
    /// (Default: the last used session.)
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
    /// (throw, catch: C++ exceptions; panic: Rust.)
    pub(crate) event: CatchWord,
    /// Signals, system calls (needed), regular expressions over exception types.
    ///
    /// Default: all.
    pub(crate) names: Option<Vec<String>>,
    /// (Delete it at its first stop.)
    #[serde(default)]
    pub(crate) temporary: bool,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_breakpoint_update`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointUpdateArgs {
    /// (Its number.)
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) breakpoint_number: u32,
    /// (false: skip it.)
    pub(crate) enabled: Option<bool>,
    /// "": none.
    ///
    /// C expression; stop only where it is true.
    pub(crate) condition: Option<String>,
    /// (Skip this many hits from now on.)
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) ignore_count: Option<u32>,
    /// "": any.
    ///
    /// Stop only this thread.
    pub(crate) thread: Option<Text>,
    /// "": stop.
    ///
    /// Write this down instead of stopping.
    pub(crate) log: Option<String>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_breakpoint_remove`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointRemoveArgs {
    /// (Its number.)
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) breakpoint_number: u32,
    /// (Default: the last used session.)
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
    /// C lvalue; its address is fixed now.
    pub(crate) expression: String,
    /// (write: the value changes; read: it is read; access: either.)
    #[serde(default)]
    pub(crate) access_type: AccessType,
    /// (C expression; stop only where it is true.)
    pub(crate) condition: Option<String>,
    /// As of rr_breakpoint_set.
    ///
    /// Write each change down, with values of `{expressions}`, and do not stop; see rr_log.
    pub(crate) log: Option<String>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_log`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogArgs {
    /// (First line, counted from 1.)
    #[serde(default)]
    pub(crate) from: u64,
    /// (Most lines.)
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    pub(crate) count: u32,
    /// (Only of this log point.)
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) breakpoint_number: Option<u32>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
