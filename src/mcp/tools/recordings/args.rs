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
    /// Program and arguments, for example ["./test", "--case", "3"].
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Program and arguments"))]
    pub(crate) command: Vec<String>,
    /// Directory to run the program in.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) working_directory: Option<String>,
    /// Environment variables to add.
    #[schemars(extend("short" = false))]
    pub(crate) env: Option<BTreeMap<String, String>>,
    /// Directory to create for the recording. Default: a new one where rr keeps recordings.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Directory to create"))]
    pub(crate) trace_dir: Option<String>,
    /// Seconds after which the program is ended by SIGINT, SIGTERM, then SIGKILL; the recording is kept. Default: no
    /// limit.
    #[schemars(range(min = 1, max = MAX_RECORD_SECONDS))]
    #[schemars(extend("short" = "Seconds; the recording is kept"))]
    pub(crate) timeout: Option<u64>,
    /// Size of the recording at which the program is ended in the same way.
    #[schemars(range(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) max_trace_bytes: Option<u64>,
    /// Randomise thread scheduling, for rare failures.
    #[serde(default)]
    pub(crate) chaos: bool,
    /// false records without rr's system-call buffer, slower: for programs that look at their stack in signal
    /// handlers, and where rr gives up.
    #[schemars(extend("short" = false))]
    pub(crate) syscall_buffer: Option<bool>,
    /// Record until all processes have ended, including daemons. Default: until the first process ends.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) wait: bool,
    /// Maximum number of runs until `until` matches; only that recording is kept. Default: 1, or 100 with `until`.
    /// Best with chaos.
    #[schemars(range(min = 1, max = MAX_COUNT))]
    #[schemars(extend("short" = "Maximum runs until `until` matches; only that one is kept"))]
    pub(crate) runs: Option<u32>,
    /// failure (default; a nonzero exit code, a signal, or the timeout), signal, exit N, or output REGEX (matched
    /// against each line).
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "failure (default), signal, exit N, output REGEX"))]
    pub(crate) until: Option<String>,
    /// Text for standard input. Default: empty.
    #[schemars(extend("short" = false))]
    pub(crate) stdin: Option<String>,
    /// If the program fails, open a session at the failure and answer as rr_explain does.
    #[serde(default)]
    #[schemars(extend("short" = "If it fails, explain why"))]
    pub(crate) explain: bool,
    /// Return a job at once instead of the result; see rr_job_status.
    #[serde(default)]
    #[schemars(extend("short" = "Return a job"))]
    pub(crate) background: bool,
}

/// `rr_list_recordings`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRecordingsArgs {
    /// Directory of recordings. Default: where rr keeps them.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_base_dir: Option<String>,
    /// Maximum number of recordings.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_COUNT))]
    #[schemars(extend("short" = false))]
    pub(crate) limit: u32,
}

/// `rr_ps`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceArgs {
    /// Trace directory.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: String,
}

/// `rr_rm`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveArgs {
    /// Trace directory: the real path, without symbolic links.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: String,
    /// Also delete outside the directory where rr keeps recordings. The path must be absolute.
    #[serde(default)]
    #[schemars(extend("short" = "Also delete elsewhere"))]
    pub(crate) force: bool,
}

/// `rr_traceinfo`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceinfoArgs {
    /// Trace directory.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: String,
    /// Include the CPUID table and the environment.
    #[serde(default)]
    pub(crate) full: bool,
}
