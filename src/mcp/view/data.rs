//! Values: variables, expressions, memory, registers, source lines.

use super::stop::source_text;
use super::{address, is_false};
use crate::engine::model::{Evaluated, MemoryBlock, Missing, RegisterValue, SourceText, Variable};
use crate::mcp::reply::Render;
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Write as _;

/// A variable.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct VariableView {
    pub(crate) name: String,
    pub(crate) value: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) ty: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dynamic_type: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) argument: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) shadowed: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<MissingView>,
}

/// Why a variable has no value here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct MissingView {
    pub(crate) why: String,
    /// Where it is known: an instruction to go to with a temporary breakpoint on `*ADDRESS`, mostly backward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) known_at: Option<String>,
    /// The line of `known_at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
}

impl JsonSchema for MissingView {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Missing".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

impl Render for MissingView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "  ({}", self.why);
        if let Some(line) = self.line {
            let _ = write!(out, ", line {line}");
        }
        out.push(')');
    }
}

impl From<Missing> for MissingView {
    fn from(missing: Missing) -> Self {
        Self { why: missing.why, known_at: missing.known_at.map(address), line: missing.line }
    }
}

impl From<Variable> for VariableView {
    fn from(variable: Variable) -> Self {
        Self {
            name: variable.name,
            value: variable.value,
            ty: variable.ty,
            dynamic_type: variable.dynamic_type,
            argument: variable.is_argument,
            line: variable.line,
            shadowed: variable.shadowed,
            truncated: variable.truncated,
            missing: variable.missing.map(MissingView::from),
        }
    }
}

impl Render for VariableView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{} = {}", self.name, self.value);
        let mut about: Vec<&str> = self.ty.as_deref().into_iter().collect();
        let really = self.dynamic_type.as_ref().map(|class| format!("really {class}"));
        about.extend(really.as_deref());
        for (flag, word) in
            [(self.argument, "argument"), (self.shadowed, "shadowed"), (self.truncated, "value truncated")]
        {
            if flag {
                about.push(word);
            }
        }
        if !about.is_empty() {
            let _ = write!(out, "  [{}]", about.join(", "));
        }
        if let Some(missing) = &self.missing {
            missing.render(out);
        }
    }
}

/// Result of `rr_locals`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LocalsView {
    pub(crate) result: Vec<VariableView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
    /// How to see what has no value here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl From<Vec<Variable>> for LocalsView {
    fn from(list: Vec<Variable>) -> Self {
        let cut = list.iter().filter(|variable| variable.truncated).map(|variable| variable.name.as_str());
        let cut: Vec<&str> = cut.collect();
        let truncated = (!cut.is_empty())
            .then(|| format!("values of {} are cut short; rr_evaluate shows members and elements", cut.join(", ")));
        let known = list.iter().filter_map(|v| v.missing.as_ref()).filter(|missing| missing.known_at.is_some());
        let (ahead, back): (Vec<_>, Vec<_>) = known.partition(|missing| missing.is_ahead);
        let go = match (back.is_empty(), ahead.is_empty()) {
            (true, true) => None,
            (false, true) => Some("rr_continue reverse=true"),
            (true, false) => Some("rr_continue"),
            (false, false) => Some("rr_continue, with reverse=true for what is back"),
        };
        let hint = go.map(|go| {
            format!("to see a missing value: rr_breakpoint_set location=\"*KNOWN_AT\" temporary=true, then {go}")
        });
        Self { result: list.into_iter().map(VariableView::from).collect(), truncated, hint }
    }
}

impl Render for LocalsView {
    fn render(&self, out: &mut String) {
        if self.result.is_empty() {
            out.push_str("no arguments or local variables");
        }
        for (i, variable) in self.result.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            variable.render(out);
        }
        if let Some(why) = &self.truncated {
            let _ = write!(out, "\ntruncated: {why}");
        }
        if let Some(hint) = &self.hint {
            let _ = write!(out, "\nhint: {hint}");
        }
    }
}

/// Result of `rr_evaluate`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct EvaluateView {
    pub(crate) expression: String,
    pub(crate) value: String,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// C++: the derived class that the object really is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dynamic_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<MissingView>,
}

impl From<Evaluated> for EvaluateView {
    fn from(evaluated: Evaluated) -> Self {
        let rest = match evaluated.next {
            Some(next) => format!("the value is cut short; \"from\": {next} shows what follows"),
            None => "the value is cut short; ask for a member, an element or a slice such as *p@10".to_owned(),
        };
        Self {
            expression: evaluated.expression,
            value: evaluated.value,
            ty: evaluated.ty,
            dynamic_type: evaluated.dynamic_type,
            address: evaluated.address.map(address),
            truncated: evaluated.truncated.then_some(rest),
            missing: evaluated.missing.map(MissingView::from),
        }
    }
}

impl Render for EvaluateView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{} = {}  [{}", self.expression, self.value, self.ty);
        if let Some(class) = &self.dynamic_type {
            let _ = write!(out, ", really {class}");
        }
        if let Some(address) = &self.address {
            let _ = write!(out, " at {address}");
        }
        out.push(']');
        if let Some(missing) = &self.missing {
            missing.render(out);
        }
        if let Some(why) = &self.truncated {
            let _ = write!(out, "\ntruncated: {why}");
        }
    }
}

/// Result of `rr_read_memory`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct MemoryView {
    /// As it was asked for.
    pub(crate) address: String,
    /// As it was asked for.
    pub(crate) count: u64,
    /// Lower-case hex, no prefix.
    pub(crate) contents: String,
    /// Address of the first byte.
    pub(crate) start: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
    #[serde(skip)]
    block: MemoryBlock,
}

impl MemoryView {
    /// What was read when `address` and `count` were asked for.
    pub(crate) fn new(asked: String, count: u64, block: MemoryBlock) -> Self {
        let mut contents = String::with_capacity(block.bytes.len().saturating_mul(2));
        hex(&block.bytes, &mut contents);
        let truncated = block.truncated.clone();
        Self { address: asked, count, contents, start: address(block.address), truncated, block }
    }
}

fn hex(bytes: &[u8], out: &mut String) {
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
}

/// Up to so many bytes are shown with spaces and as characters.
const DUMPED: usize = 1024;

impl Render for MemoryView {
    fn render(&self, out: &mut String) {
        let MemoryBlock { address: start, bytes, .. } = &self.block;
        let (width, dump) = if bytes.len() <= DUMPED { (16_usize, true) } else { (64, false) };
        if bytes.is_empty() {
            let _ = write!(out, "nothing could be read at {}", self.start);
        }
        for (row, chunk) in bytes.chunks(width).enumerate() {
            if row > 0 {
                out.push('\n');
            }
            let _ = write!(out, "{:#018x}:", start.0.wrapping_add((row * width) as u64));
            if dump {
                for byte in chunk {
                    let _ = write!(out, " {byte:02x}");
                }
                let _ = write!(out, "{:pad$}  ", "", pad = (width - chunk.len()) * 3);
                let printable = |byte: &u8| {
                    if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '.' }
                };
                out.extend(chunk.iter().map(printable));
            } else {
                out.push(' ');
                hex(chunk, out);
            }
        }
        if let Some(why) = &self.truncated {
            let _ = write!(out, "\ntruncated: {why}");
        }
    }
}

/// Register values by name, in the target's order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Registers(Vec<RegisterValue>);

impl Serialize for Registers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|register| (&register.name, &register.value)))
    }
}

impl JsonSchema for Registers {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Registers".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "object", "additionalProperties": { "type": "string" } })
    }
}

/// Result of `rr_registers`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RegistersView {
    pub(crate) registers: Registers,
}

impl From<Vec<RegisterValue>> for RegistersView {
    fn from(list: Vec<RegisterValue>) -> Self {
        Self { registers: Registers(list) }
    }
}

impl Render for RegistersView {
    fn render(&self, out: &mut String) {
        let width = self.registers.0.iter().map(|register| register.name.len()).max().unwrap_or(0);
        for (i, register) in self.registers.0.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            let _ = write!(out, "{:width$} {}", register.name, register.value);
        }
    }
}

/// Result of `rr_source_lines`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SourceView {
    /// The lines with their numbers.
    pub(crate) result: String,
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_line: Option<u32>,
    pub(crate) last_line_of_file: u32,
}

impl From<SourceText> for SourceView {
    fn from(text: SourceText) -> Self {
        Self {
            result: source_text(&text.lines).unwrap_or_default(),
            file: text.file,
            first_line: text.lines.first().map(|line| line.number),
            last_line_of_file: text.last_line,
        }
    }
}

impl Render for SourceView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{} ({} lines)\n{}", self.file, self.last_line_of_file, self.result);
    }
}
