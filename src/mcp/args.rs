//! What the tools take. The schema derived from these types is what [`check`](super::check) enforces, so a range or a
//! set of words stated here is stated to the client and checked by the server in one place.
//!
//! An optional parameter may be left out or be `null`; both mean its default.

use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Most elements that one `count` may ask for.
const MAX_COUNT: u32 = 10_000;
/// Most source lines in one answer.
const MAX_SOURCE_LINES: u32 = 500;
/// Most bytes in one answer.
const MAX_MEMORY: u64 = 64 * 1024;
/// Most lines of log points, or pieces of output, in one answer.
const MAX_LOG_LINES: u32 = 1000;
/// Largest line number or register-like small number taken from outside.
const MAX_NUMBER: u32 = i32::MAX as u32;
/// A day: longest recording that one call waits for.
const MAX_RECORD_SECONDS: u64 = 24 * 3600;

/// Longest that one call waits for a job, in seconds.
const MAX_WAIT: u64 = 3600;

/// Text that may also be given as a whole number: a thread id, a line, an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Ok(Self(text)),
            serde_json::Value::Number(number) => Ok(Self(number.to_string())),
            other => Err(D::Error::custom(format!("expected a string or an integer, not {other}"))),
        }
    }
}

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": ["string", "integer"] })
    }
}

fn one() -> u32 {
    1
}
fn ten() -> u32 {
    10
}
fn fifty() -> u32 {
    50
}
fn hundred() -> u32 {
    100
}
fn sixty_four() -> u64 {
    64
}
fn yes() -> bool {
    true
}

/// Tools that need only a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionArgs {
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// Tools that need nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoArgs {}

/// `rr_record`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordArgs {
    /// Program and arguments, e.g. ["./test", "--case", "3"].
    #[schemars(length(min = 1))]
    pub(crate) command: Vec<String>,
    /// Where to run it.
    #[schemars(length(min = 1))]
    pub(crate) working_directory: Option<String>,
    /// Environment variables to add.
    pub(crate) env: Option<BTreeMap<String, String>>,
    /// Directory to make for the trace. Default: a new one where rr keeps traces.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Seconds after which the program is ended by SIGINT, SIGTERM, SIGKILL; the trace is kept. Default: no limit.
    #[schemars(range(min = 1, max = MAX_RECORD_SECONDS))]
    pub(crate) timeout: Option<u64>,
    /// Size of the trace at which it is ended likewise.
    #[schemars(range(min = 1))]
    pub(crate) max_trace_bytes: Option<u64>,
    /// Schedule threads at random, to make a rare failure happen.
    #[serde(default)]
    pub(crate) chaos: bool,
    /// Text the program reads on stdin. Default: nothing.
    pub(crate) stdin: Option<String>,
    /// Answer with a job id at once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
}

/// `rr_job_status`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobStatusArgs {
    /// Job id, e.g. j1.
    pub(crate) job: String,
    /// Where to go on reading output: `cursor` of the last answer.
    #[serde(default)]
    pub(crate) cursor: u64,
    /// Most lines of output to show.
    #[serde(default = "hundred")]
    #[schemars(range(min = 0, max = MAX_COUNT))]
    pub(crate) lines: u32,
}

/// `rr_job_result`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobResultArgs {
    /// Job id.
    pub(crate) job: String,
    /// Seconds to wait for its end.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_WAIT))]
    pub(crate) wait: u64,
}

/// `rr_job_cancel`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobArgs {
    /// Job id.
    pub(crate) job: String,
}

/// `rr_replay_start`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayStartArgs {
    /// Trace directory. Default: rr's latest trace.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Recorded process to debug (see rr_ps). Default: the first.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) pid: Option<u32>,
    /// Instead of pid: the program it executed, e.g. cc1, or its whole command line.
    #[schemars(length(min = 1))]
    pub(crate) command: Option<String>,
    /// Session in whose recording, and at whose current event, to start: the same moment in another process.
    #[schemars(length(min = 1))]
    pub(crate) at_session: Option<String>,
}

/// `rr_attach`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttachArgs {
    /// `127.0.0.1:9999`, or a port of this machine.
    pub(crate) address: Text,
    /// What it replays. Default: found out by where it has its program from.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Path of the file of its program, if it does not tell (QEMU).
    #[schemars(length(min = 1))]
    pub(crate) program: Option<String>,
    /// It may be on another machine.
    #[serde(default)]
    pub(crate) remote: bool,
}

/// `rr_list_recordings`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRecordingsArgs {
    /// Directory of traces. Default: where rr keeps them.
    #[schemars(length(min = 1))]
    pub(crate) trace_base_dir: Option<String>,
    /// Most recordings to list.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_COUNT))]
    pub(crate) limit: u32,
}

/// `rr_ps`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceArgs {
    /// Trace directory.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: String,
}

/// `rr_rm`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveArgs {
    /// Trace directory; its real path, without symbolic links.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: String,
    /// Also where rr does not keep recordings; the path must be absolute.
    #[serde(default)]
    pub(crate) force: bool,
}

/// `rr_traceinfo`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceinfoArgs {
    /// Trace directory.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: String,
    /// Include the CPUID table and the environment.
    #[serde(default)]
    pub(crate) full: bool,
}

/// `rr_breakpoint_set`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointSetArgs {
    /// `function`, `file.c:42`, `42` (current file), `file.c:function`, `file.c: text of the line` or `*0x401136`.
    pub(crate) location: Text,
    /// C expression; stop only where it is true.
    pub(crate) condition: Option<String>,
    /// Delete it at its first stop.
    #[serde(default)]
    pub(crate) temporary: bool,
    /// Pass it by this many times first.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) ignore_count: u32,
    /// Accept a location that only a library loaded later may have.
    #[serde(default)]
    pub(crate) pending: bool,
    /// Stop only this thread (as for rr_thread_select).
    pub(crate) thread: Option<Text>,
    /// Do not stop: write this down each time, with values of `{expressions}`; see rr_log.
    pub(crate) log: Option<String>,
    /// `location` is a regular expression: all functions whose names match.
    #[serde(default)]
    pub(crate) regex: bool,
    /// Default: the last used session.
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
    /// throw, catch: C++ exceptions; panic: Rust.
    pub(crate) event: CatchWord,
    /// Signals, system calls (needed), or regular expressions over types of exceptions. Default: all.
    pub(crate) names: Option<Vec<String>>,
    /// Delete it at its first stop.
    #[serde(default)]
    pub(crate) temporary: bool,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_breakpoint_update`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointUpdateArgs {
    /// Its number.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) breakpoint_number: u32,
    /// false: pass it by.
    pub(crate) enabled: Option<bool>,
    /// C expression; "": no condition.
    pub(crate) condition: Option<String>,
    /// Pass it by this many times from now on.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) ignore_count: Option<u32>,
    /// Stop only this thread; "": any.
    pub(crate) thread: Option<Text>,
    /// Write this down instead of stopping; "": stop.
    pub(crate) log: Option<String>,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_breakpoint_remove`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BreakpointRemoveArgs {
    /// Its number.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) breakpoint_number: u32,
    /// Default: the last used session.
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
    /// C lvalue such as `total`, `p->next`, `a[3]` or `*(int *)0x7ffe0010`; its address is fixed now.
    pub(crate) expression: String,
    /// write: the value changes; read: it is read; access: either.
    #[serde(default)]
    pub(crate) access_type: AccessType,
    /// C expression; stop only where it is true.
    pub(crate) condition: Option<String>,
    /// Do not stop: write each change down, with values of `{expressions}`; see rr_log.
    pub(crate) log: Option<String>,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// Where a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum StreamWord {
    Stdout,
    Stderr,
}

/// `rr_output`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutputArgs {
    /// First piece, counted from 1.
    #[serde(default)]
    pub(crate) from: u64,
    /// Most pieces.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    pub(crate) count: u32,
    /// Default: both.
    pub(crate) stream: Option<StreamWord>,
    /// Also of other recorded processes.
    #[serde(default)]
    pub(crate) all_processes: bool,
    /// Answer at once with a job id.
    #[serde(default)]
    pub(crate) background: bool,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_log`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogArgs {
    /// First line, counted from 1.
    #[serde(default)]
    pub(crate) from: u64,
    /// Most lines.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    pub(crate) count: u32,
    /// Only of this log point.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) breakpoint_number: Option<u32>,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_continue`, `rr_finish`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReverseArgs {
    /// Go backward in time.
    #[serde(default)]
    pub(crate) reverse: bool,
    /// Answer with a job id at once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_step`, `rr_next`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepArgs {
    /// How many.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = MAX_COUNT))]
    pub(crate) count: u32,
    /// Go backward in time.
    #[serde(default)]
    pub(crate) reverse: bool,
    /// Instructions instead of lines.
    #[serde(default)]
    pub(crate) instruction: bool,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_run_to_event`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunToEventArgs {
    /// rr event number.
    #[schemars(range(min = 0))]
    pub(crate) event_number: u64,
    /// Answer with a job id at once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_thread_list`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThreadListArgs {
    /// First place in the list, counted from 1.
    #[serde(default)]
    pub(crate) from: u32,
    /// Most threads.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    pub(crate) count: u32,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_thread_select`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThreadSelectArgs {
    /// Number from rr_thread_list, or rr's tid or pid.tid.
    pub(crate) thread_id: Text,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_select_frame`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectFrameArgs {
    /// 0 is the innermost.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) frame_level: u32,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_backtrace`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BacktraceArgs {
    /// Most frames to list; 0: all.
    #[serde(default = "fifty")]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) max_depth: u32,
    /// First level to list.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) from: u32,
    /// Show arguments.
    #[serde(default = "yes")]
    pub(crate) args: bool,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// Letters of GDB's output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Format {
    X,
    D,
    U,
    O,
    T,
    A,
    C,
    F,
    S,
    Z,
    R,
}

impl Format {
    /// The letter itself.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::D => 'd',
            Self::U => 'u',
            Self::O => 'o',
            Self::T => 't',
            Self::A => 'a',
            Self::C => 'c',
            Self::F => 'f',
            Self::S => 's',
            Self::Z => 'z',
            Self::R => 'r',
        }
    }
}

/// `rr_command`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandArgs {
    /// One command a line; they end at the first error.
    pub(crate) command: String,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_evaluate`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluateArgs {
    /// C, C++ or Rust expression; also `$reg`, `*0xaddr@n`, `function::static`, `'file.c'::var`,
    /// `v[3]`, `m["key"]`, `p->x`, `s.size()` of library types.
    pub(crate) expression: String,
    /// GDB's output format: x hex, d/u decimal, o octal, t binary, a address, c char, f float, s string, z padded hex,
    /// r raw structure.
    pub(crate) format: Option<Format>,
    /// First element (or character) to show.
    #[serde(default)]
    pub(crate) from: u64,
    /// Elements to show; default: 200.
    #[schemars(range(min = 1, max = MAX_COUNT))]
    pub(crate) count: Option<u32>,
    /// Default: the selected frame.
    pub(crate) frame_level: Option<u32>,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_locals`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LocalsArgs {
    /// Default: the selected frame.
    pub(crate) frame_level: Option<u32>,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_read_memory`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadMemoryArgs {
    /// Address, or a C expression for one: `0x7ffe0010`, `$sp`, `&buf`, `p + 4`.
    pub(crate) address: Text,
    /// Bytes.
    #[serde(default = "sixty_four")]
    #[schemars(range(min = 1, max = MAX_MEMORY))]
    pub(crate) count: u64,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_registers`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistersArgs {
    /// Registers wanted, e.g. ["rip", "rsp"]. Default: all.
    #[schemars(length(min = 1))]
    pub(crate) register_names: Option<Vec<String>>,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_source_lines`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceLinesArgs {
    /// Source file or a trailing part of its path. Default: the selected frame's.
    pub(crate) file: Option<String>,
    /// Line in the middle. Default: the selected frame's.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) line: Option<u32>,
    /// Lines.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = MAX_SOURCE_LINES))]
    pub(crate) count: u32,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}

/// `rr_checkpoint_restore`, `rr_checkpoint_delete`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckpointArgs {
    /// Id from rr_checkpoint_save.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) checkpoint_id: u32,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}
