//! The stack, and values: variables, expressions, registers, source lines.

use crate::mcp::reply::{address, is_default, lines, source_text};
use engine::model::{Evaluated, Missing, RegisterValue, SourceText, Variable};
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A variable.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct VariableView {
    pub(crate) name: String,
    pub(crate) value: String,
    #[serde(rename = "type")]
    pub(crate) ty: Option<String>,
    pub(crate) dynamic_type: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) argument: bool,
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) shadowed: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) truncated: bool,
    pub(crate) missing: Option<MissingView>,
}

/// Why a variable has no value here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct MissingView {
    pub(crate) why: String,
    /// Where it is known: an instruction to go to with a temporary breakpoint on `*ADDRESS`, mostly backward.
    pub(crate) known_at: Option<String>,
    /// The file of `line`, if it is not the frame's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The line of `known_at`.
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

impl fmt::Display for MissingView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  ({}", self.why)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, ", {file}:{line}")?,
            (None, Some(line)) => write!(f, ", line {line}")?,
            (_, None) => {}
        }
        f.write_str(")")
    }
}

impl From<Missing> for MissingView {
    fn from(missing: Missing) -> Self {
        let Missing { why, known_at, file, line, .. } = missing;
        Self { why, known_at: known_at.map(address), file, line }
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

impl fmt::Display for VariableView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)?;
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
            write!(f, "  [{}]", about.join(", "))?;
        }
        if let Some(missing) = &self.missing {
            write!(f, "{missing}")?;
        }
        Ok(())
    }
}

/// Result of `rr_locals`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LocalsView {
    pub(crate) result: Vec<VariableView>,
    pub(crate) truncated: Option<String>,
    /// How to see what has no value here.
    pub(crate) hint: Option<String>,
}

impl From<Vec<Variable>> for LocalsView {
    fn from(list: Vec<Variable>) -> Self {
        let cut = list.iter().filter(|variable| variable.truncated).map(|variable| variable.name.as_str());
        let cut: Vec<&str> = cut.collect();
        let truncated = (!cut.is_empty())
            .then(|| format!("values of {} are cut short; rr_evaluate shows members and elements", cut.join(", ")));
        let known = list.iter().filter_map(|v| v.missing.as_ref()).filter(|missing| missing.known_at.is_some());
        let ways: Vec<Option<bool>> = known.map(|missing| missing.is_ahead).collect();
        let has = |way: Option<bool>| ways.contains(&way);
        let go = match (has(Some(false)), has(Some(true)), has(None)) {
            (false, false, false) => None,
            (true, false, false) => Some("rr_continue reverse=true"),
            (false, true, false) => Some("rr_continue"),
            (true, true, false) => Some("rr_continue, with reverse=true to go back"),
            (.., true) => Some("rr_continue, or with reverse=true"),
        };
        let hint = go.map(|go| {
            format!("to see a missing value: rr_breakpoint_set location=\"*KNOWN_AT\" temporary=true, then {go}")
        });
        Self { result: list.into_iter().map(VariableView::from).collect(), truncated, hint }
    }
}

impl fmt::Display for LocalsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "no arguments or local variables")?;
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
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
    pub(crate) dynamic_type: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) truncated: Option<String>,
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

impl fmt::Display for EvaluateView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}  [{}", self.expression, self.value, self.ty)?;
        if let Some(class) = &self.dynamic_type {
            write!(f, ", really {class}")?;
        }
        if let Some(address) = &self.address {
            write!(f, " at {address}")?;
        }
        f.write_str("]")?;
        if let Some(missing) = &self.missing {
            write!(f, "{missing}")?;
        }
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        Ok(())
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

impl fmt::Display for RegistersView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.registers.0.iter().map(|register| register.name.len()).max().unwrap_or(0);
        for (i, register) in self.registers.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{:width$} {}", register.name, register.value)?;
        }
        Ok(())
    }
}

/// Result of `rr_source_lines`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SourceView {
    /// The lines with their numbers.
    pub(crate) result: String,
    pub(crate) file: String,
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

impl fmt::Display for SourceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} lines)\n{}", self.file, self.last_line_of_file, self.result)
    }
}
