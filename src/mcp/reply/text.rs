//! Results that are one sentence or number, and lists as text.

use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Writes one after another on lines of their own; `none` if there is none.
pub(crate) fn lines<T: fmt::Display>(f: &mut fmt::Formatter<'_>, list: &[T], none: &str) -> fmt::Result {
    let Some((first, rest)) = list.split_first() else {
        return f.write_str(none);
    };
    first.fmt(f)?;
    rest.iter().try_for_each(|item| write!(f, "\n{item}"))
}

/// A result that is a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TextView {
    pub(crate) result: String,
}

impl fmt::Display for TextView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.result)
    }
}

/// A result that is the number of what was dealt with.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct NumberView {
    pub(crate) result: u32,
    /// What was done to it.
    #[serde(skip)]
    pub(crate) done: &'static str,
}

impl fmt::Display for NumberView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.done, self.result)
    }
}
