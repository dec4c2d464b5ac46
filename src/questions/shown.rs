//! Values of rows: as they are shown, and with their own bytes.

use super::scope::Scope;
use ctype::Value;
use ctype::detached::{detached, resolved};
use ctype::layout::Target;
use std::fmt;
use std::ops::Deref;

/// A value of a row. It outlives the moment that it is of: what it points to does not come along.
#[derive(Clone, Debug)]
pub struct Shown {
    /// As an answer shows it.
    pub text: String,
    /// The value itself; of a reference, the object that it refers to.
    pub value: Value,
    /// The target, and the language of the code in whose scope it was named.
    pub target: Target,
}

impl Shown {
    /// Takes a value, which was shown like this, out of its moment.
    pub(super) fn new(text: String, value: &Value, scope: &mut Scope<'_>) -> Self {
        let object = resolved(value, scope);
        Self { text, value: detached(&object, scope), target: scope.spot.target }
    }
}

/// Two values of rows are the same if they are shown alike.
impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Shown {}

impl Deref for Shown {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
