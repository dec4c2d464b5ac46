//! Arguments of the tools for recordings.

use crate::mcp::tools::args::{MAX_COUNT, hundred};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A day: longest recording that one call waits for.
const MAX_RECORD_SECONDS: u64 = 24 * 3600;

/// `rr_record`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordArgs {
    /// Program and arguments.
    ///
    /// As ["./test", "--case", "3"].
    #[schemars(length(min = 1))]
    pub(crate) command: Vec<String>,
    /// (Where to run it.)
    #[schemars(length(min = 1))]
    pub(crate) working_directory: Option<String>,
    /// (Environment variables to add.)
    pub(crate) env: Option<BTreeMap<String, String>>,
    /// To be made.
    ///
    /// Default: a new one where rr keeps traces.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Seconds; the trace is kept.
    ///
    /// Then it is ended: SIGINT, SIGTERM, SIGKILL. Default: no limit.
    #[schemars(range(min = 1, max = MAX_RECORD_SECONDS))]
    pub(crate) timeout: Option<u64>,
    /// (Size of the trace at which it is ended likewise.)
    #[schemars(range(min = 1))]
    pub(crate) max_trace_bytes: Option<u64>,
    /// Schedule at random, for rare failures.
    #[serde(default)]
    pub(crate) chaos: bool,
    /// (False: each system call stops the program; slower. For programs that look at their stack in signal handlers, and where rr gives up.)
    pub(crate) syscall_buffer: Option<bool>,
    /// (Record until all processes have ended, daemons too; default: the first.)
    #[serde(default)]
    pub(crate) wait: bool,
    /// Runs, at most, until `until` happens; that one is kept.
    ///
    /// Default: once; 100 times if `until` is given. Best with chaos.
    #[schemars(range(min = 1, max = MAX_COUNT))]
    pub(crate) runs: Option<u32>,
    /// failure (default), signal, exit N, output REGEX.
    ///
    /// Failure: an exit code but 0, a signal, or the timeout. The expression is looked for in each line.
    #[schemars(length(min = 1))]
    pub(crate) until: Option<String>,
    /// (Text the program reads on stdin. Default: nothing.)
    pub(crate) stdin: Option<String>,
    /// If it fails, say why: rr_explain.
    ///
    /// In a session at the failure.
    #[serde(default)]
    pub(crate) explain: bool,
    /// Answer with a job.
    ///
    /// At once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
}

/// `rr_list_recordings`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRecordingsArgs {
    /// (Directory of traces. Default: where rr keeps them.)
    #[schemars(length(min = 1))]
    pub(crate) trace_base_dir: Option<String>,
    /// (Most recordings to list.)
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_COUNT))]
    pub(crate) limit: u32,
}

/// `rr_ps`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceArgs {
    /// (Trace directory.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: String,
}

/// `rr_rm`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveArgs {
    /// (Trace directory; its real path, without symbolic links.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: String,
    /// Also where rr does not keep recordings.
    ///
    /// The path must be absolute.
    #[serde(default)]
    pub(crate) force: bool,
}

/// `rr_traceinfo`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceinfoArgs {
    /// (Trace directory.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: String,
    /// With CPUID table and environment.
    #[serde(default)]
    pub(crate) full: bool,
}
