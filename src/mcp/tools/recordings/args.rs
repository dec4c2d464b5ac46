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
    /// Size of the recording, in bytes, at which the program is ended as for `timeout`.
    #[schemars(range(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) max_trace_bytes: Option<u64>,
    /// Randomise thread scheduling, for rare failures.
    #[serde(default)]
    pub(crate) chaos: bool,
    /// false: record without rr's system-call buffer, which is slower. Use it for programs that inspect their stack
    /// in signal handlers, or if rr gives up while recording.
    #[schemars(extend("short" = false))]
    pub(crate) syscall_buffer: Option<bool>,
    /// Record until all processes have ended, including daemons. Default: until the first process ends.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) wait: bool,
    /// Repeat the recording at most this many times, stopping at the first run that `until` matches. Only that run is
    /// kept; if none matches, nothing is kept. Default: 1, or 100 if `until` is given. Best with `chaos`.
    #[schemars(range(min = 1, max = MAX_COUNT))]
    #[schemars(extend("short" = "Repeat at most N times; keep only the run that `until` matches"))]
    pub(crate) runs: Option<u32>,
    /// Outcome that ends the repetition: `failure` (default: nonzero exit code, signal or timeout), `signal`, `exit
    /// N`, or `output REGEX` (matched against each line of output).
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
    /// Also delete elsewhere: any absolute path.
    #[serde(default)]
    #[schemars(extend("short" = "Allow any absolute path"))]
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
