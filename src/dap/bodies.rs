//! Bodies of responses and events, as the protocol has them. What is `None` is left out.

use serde::Serialize;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Source {
    pub(super) name: Option<String>,
    pub(super) path: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) presentation_hint: Option<&'static str>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StackFrame {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) source: Option<Source>,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) can_restart: bool,
    pub(super) instruction_pointer_reference: Option<String>,
    pub(super) module_id: Option<String>,
    pub(super) presentation_hint: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scope {
    pub(super) name: &'static str,
    pub(super) presentation_hint: Option<&'static str>,
    pub(super) variables_reference: u64,
    pub(super) expensive: bool,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) value: String,
    #[serde(rename = "type")]
    pub(super) ty: Option<String>,
    pub(super) presentation_hint: Option<PresentationHint>,
    pub(super) evaluate_name: Option<String>,
    pub(super) variables_reference: u64,
    pub(super) named_variables: Option<u64>,
    pub(super) indexed_variables: Option<u64>,
    pub(super) memory_reference: Option<String>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct PresentationHint {
    pub(super) kind: Option<&'static str>,
    pub(super) attributes: Vec<&'static str>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Breakpoint {
    pub(super) id: u64,
    pub(super) verified: bool,
    pub(super) message: Option<String>,
    pub(super) line: Option<u32>,
    pub(super) instruction_reference: Option<String>,
    /// Why it is not verified: `pending` or `failed`.
    pub(super) reason: Option<&'static str>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stopped {
    pub(super) reason: &'static str,
    pub(super) description: Option<String>,
    pub(super) thread_id: u32,
    pub(super) text: Option<String>,
    pub(super) all_threads_stopped: bool,
    pub(super) hit_breakpoint_ids: Vec<u64>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Instruction {
    pub(super) address: String,
    pub(super) instruction_bytes: Option<String>,
    pub(super) instruction: String,
    pub(super) symbol: Option<String>,
    pub(super) location: Option<Source>,
    pub(super) line: Option<u32>,
    pub(super) presentation_hint: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Module {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) path: Option<String>,
    pub(super) symbol_status: String,
    pub(super) address_range: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct GotoTarget {
    pub(super) id: u64,
    pub(super) label: String,
    pub(super) line: u32,
}
