//! What arguments of several families have in common.
//!
//! The schema derived from the arguments of a tool is what [`call`](crate::mcp::call) enforces, so a range or a set of
//! words stated there is stated to the client and checked by the server in one place.
//!
//! An optional parameter may be left out or be `null`; both mean its default.

use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use std::borrow::Cow;

/// Most elements that one `count` may ask for.
pub(crate) const MAX_COUNT: u32 = 10_000;
/// Most lines of log points, or pieces of output, in one answer.
pub(crate) const MAX_LOG_LINES: u32 = 1000;
/// Largest line number or register-like small number taken from outside.
pub(crate) const MAX_NUMBER: u32 = i32::MAX as u32;

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

pub(crate) fn one() -> u32 {
    1
}
pub(crate) fn ten() -> u32 {
    10
}
pub(crate) fn twenty() -> u32 {
    20
}
pub(crate) fn fifty() -> u32 {
    50
}
pub(crate) fn hundred() -> u32 {
    100
}
pub(crate) fn yes() -> bool {
    true
}

/// Tools that need only a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionArgs {
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// Tools that need nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoArgs {}
