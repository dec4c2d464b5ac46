//! Arguments of requests, as the protocol has them. What an editor may leave out has a default; what is not
//! understood here is passed by.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Initialize {
    pub(super) lines_start_at1: Option<bool>,
    pub(super) columns_start_at1: Option<bool>,
    pub(super) path_format: Option<String>,
    pub(super) supports_progress_reporting: bool,
}

/// What `launch` and `attach` have in common.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Opening {
    /// The process to debug, by the number that it had when it was recorded.
    pub(super) pid: Option<u32>,
    pub(super) stop_on_entry: bool,
    /// `end`, or a position: where to begin, instead of at the start.
    pub(super) start_at: Option<String>,
    /// Directories where the program was compiled, and where the same files are here.
    pub(super) source_map: BTreeMap<String, String>,
    /// Seconds that one movement may take.
    pub(super) time_limit: Option<u64>,
    /// Whether what the program prints is shown as the replay comes past it.
    pub(super) replay_output: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Launch {
    pub(super) program: String,
    #[serde(default)]
    pub(super) args: Vec<String>,
    pub(super) cwd: Option<String>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, Option<String>>,
    pub(super) stdin: Option<String>,
    /// Where to make the recording.
    pub(super) trace: Option<String>,
    /// Seconds after which the program is ended.
    pub(super) record_limit: Option<u64>,
    #[serde(default)]
    pub(super) chaos: bool,
    #[serde(default)]
    pub(super) no_debug: bool,
    #[serde(flatten)]
    pub(super) opening: Opening,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attach {
    /// A directory, or the name of one among rr's recordings; the latest if it is left out.
    pub(super) trace: Option<String>,
    #[serde(flatten)]
    pub(super) opening: Opening,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Source {
    pub(super) name: Option<String>,
    pub(super) path: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetBreakpoints {
    pub(super) source: Source,
    #[serde(default)]
    pub(super) breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceBreakpoint {
    pub(super) line: u32,
    #[serde(flatten)]
    pub(super) wishes: Wishes,
}

/// What is asked of a breakpoint besides its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Wishes {
    pub(super) condition: Option<String>,
    pub(super) hit_condition: Option<String>,
    pub(super) log_message: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SetFunctionBreakpoints {
    pub(super) breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionBreakpoint {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) wishes: Wishes,
}

#[derive(Debug, Deserialize)]
pub(super) struct SetInstructionBreakpoints {
    pub(super) breakpoints: Vec<InstructionBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InstructionBreakpoint {
    pub(super) instruction_reference: String,
    #[serde(default)]
    pub(super) offset: i64,
    #[serde(flatten)]
    pub(super) wishes: Wishes,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DataBreakpointInfo {
    pub(super) variables_reference: Option<u64>,
    pub(super) name: String,
    pub(super) frame_id: Option<u64>,
    /// So many from where the value begins, instead of the value.
    pub(super) bytes: Option<u64>,
    /// `name` is an address.
    #[serde(default)]
    pub(super) as_address: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct SetDataBreakpoints {
    pub(super) breakpoints: Vec<DataBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DataBreakpoint {
    pub(super) data_id: String,
    pub(super) access_type: Option<AccessType>,
    #[serde(flatten)]
    pub(super) wishes: Wishes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum AccessType {
    Read,
    #[default]
    Write,
    ReadWrite,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SetExceptionBreakpoints {
    pub(super) filters: Vec<String>,
    pub(super) filter_options: Vec<FilterOption>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FilterOption {
    pub(super) filter_id: String,
    pub(super) condition: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BreakpointLocations {
    pub(super) source: Source,
    pub(super) line: u32,
    pub(super) end_line: Option<u32>,
}

/// Of `continue`, `next`, `stepIn`, `stepOut`, `stepBack` and `reverseContinue`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Move {
    pub(super) thread_id: u32,
    #[serde(default)]
    pub(super) granularity: Granularity,
    /// Of `stepIn`: which call.
    pub(super) target_id: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Granularity {
    #[default]
    Statement,
    Line,
    Instruction,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfFrame {
    pub(super) frame_id: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct GotoTargets {
    pub(super) source: Source,
    pub(super) line: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Goto {
    pub(super) target_id: u64,
}

/// Of our own request `retrograde/goto`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GotoPosition {
    pub(super) position: Option<String>,
    pub(super) event: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StackTrace {
    pub(super) thread_id: u32,
    #[serde(default)]
    pub(super) start_frame: u32,
    /// 0 and nothing mean all.
    #[serde(default)]
    pub(super) levels: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Variables {
    pub(super) variables_reference: u64,
    pub(super) filter: Option<Filter>,
    #[serde(default)]
    pub(super) start: u64,
    /// 0 and nothing mean all.
    #[serde(default)]
    pub(super) count: u64,
    #[serde(default)]
    pub(super) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Filter {
    Indexed,
    Named,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Format {
    pub(super) hex: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluate {
    pub(super) expression: String,
    pub(super) frame_id: Option<u64>,
    pub(super) context: Option<String>,
    #[serde(default)]
    pub(super) format: Format,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Completions {
    pub(super) text: String,
    /// Up to where it was typed, in units of UTF-16.
    pub(super) column: u32,
    pub(super) line: Option<u32>,
    pub(super) frame_id: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfThread {
    pub(super) thread_id: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct SourceText {
    #[serde(default)]
    pub(super) source: Source,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Disassemble {
    pub(super) memory_reference: String,
    #[serde(default)]
    pub(super) offset: i64,
    #[serde(default)]
    pub(super) instruction_offset: i64,
    pub(super) instruction_count: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadMemory {
    pub(super) memory_reference: String,
    #[serde(default)]
    pub(super) offset: i64,
    pub(super) count: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Modules {
    pub(super) start_module: usize,
    /// 0 means all.
    pub(super) module_count: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct CancelRequest {
    pub(super) request_id: Option<i64>,
    pub(super) progress_id: Option<String>,
}
