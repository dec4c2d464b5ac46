//! An answer that was made now, or is told again.

use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// An answer: what is told again is what was told when it was new.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CachedAnswer<T> {
    /// Made now.
    New(T),
    /// Kept, as JSON and as text.
    Again(Value, String),
}

impl<T: Serialize> Serialize for CachedAnswer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::New(answer) => answer.serialize(serializer),
            Self::Again(value, _) => value.serialize(serializer),
        }
    }
}

impl<T: fmt::Display> fmt::Display for CachedAnswer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New(answer) => answer.fmt(f),
            Self::Again(_, text) => f.write_str(text),
        }
    }
}

impl<T: JsonSchema> JsonSchema for CachedAnswer<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
