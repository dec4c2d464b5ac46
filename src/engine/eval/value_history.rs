//! Values that outlive the moment they were looked at: the value history (`$1`, `$`, `$$`, `$$3`) and convenience
//! variables (`$_exitcode`, `$name`), for expressions to use.
//!
//! A value is kept with its bytes as they were: moving on does not change what `$1` was.

use crate::api::error::Error;
use ctype::Value;
use std::collections::{BTreeMap, VecDeque};

/// Most values in the history; older ones are forgotten.
const MAX_HISTORY: usize = 1000;
/// Most convenience variables.
const MAX_NAMED: usize = 1000;
/// What names the object of an exception, without the `$`.
const EXCEPTION: &str = "_exception";

/// The history and the convenience variables.
#[derive(Default)]
pub(crate) struct Variables {
    history: VecDeque<Value>,
    /// How many values were forgotten at the front.
    forgotten: u32,
    named: BTreeMap<String, Value>,
    /// What the last `finish` returned, until the next movement.
    pub(crate) returned: Option<Value>,
    /// `$_exception`: the object that a catchpoint has stopped for, until the next movement.
    pub(crate) exception: Option<Value>,
}

impl Variables {
    /// Returns what `$name` means.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let back = |steps: usize| self.history.len().checked_sub(1 + steps).and_then(|i| self.history.get(i));
        match name.strip_prefix('$') {
            Some("") => return back(1),
            Some(digits) => return back(digits.parse().ok()?),
            None if name.is_empty() => return back(0),
            None => {}
        }
        if name.bytes().all(|b| b.is_ascii_digit()) {
            let number: u32 = name.parse().ok()?;
            let index = number.checked_sub(1)?.checked_sub(self.forgotten)?;
            return self.history.get(index as usize);
        }
        match (name, &self.exception) {
            (EXCEPTION, Some(exception)) => Some(exception),
            _ => self.named.get(name),
        }
    }

    /// Makes `$name` mean a value.
    pub(crate) fn set(&mut self, name: &str, value: Value) -> Result<(), Error> {
        if self.named.len() >= MAX_NAMED && !self.named.contains_key(name) {
            return Err(Error::Expression(format!("there are {MAX_NAMED} convenience variables already")));
        }
        self.named.insert(name.to_owned(), value);
        Ok(())
    }

    /// Appends to the history. Gives the number.
    pub(crate) fn push(&mut self, value: Value) -> u32 {
        if self.history.len() == MAX_HISTORY {
            self.history.pop_front();
            self.forgotten = self.forgotten.saturating_add(1);
        }
        self.history.push_back(value);
        self.forgotten.saturating_add(u32::try_from(self.history.len()).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ctype::{Encoding, Place, Type};
    use std::sync::Arc;

    fn value(n: u8) -> Value {
        let ty = Arc::new(Type::Base { name: "char".to_owned(), encoding: Encoding::SignedChar, size: 1 });
        Value::computed(ty, &[n])
    }

    fn number(variables: &Variables, name: &str) -> Option<u8> {
        match &variables.get(name)?.place {
            Place::Bytes(bytes) => bytes[0],
            _ => None,
        }
    }

    #[test]
    fn names_of_the_history() {
        let mut variables = Variables::default();
        assert_eq!(number(&variables, ""), None);
        assert_eq!([10, 20, 30].map(|n| variables.push(value(n))), [1, 2, 3]);
        for (name, expected) in [
            ("", Some(30)),
            ("$", Some(20)),
            ("$0", Some(30)),
            ("$1", Some(20)),
            ("$2", Some(10)),
            ("$3", None),
            ("$x", None),
            ("1", Some(10)),
            ("3", Some(30)),
            ("0", None),
            ("4", None),
            ("99999999999999999999", None),
            ("other", None),
        ] {
            assert_eq!(number(&variables, name), expected, "${name}");
        }
    }

    #[test]
    fn the_history_is_bounded_and_keeps_its_numbers() {
        let mut variables = Variables::default();
        for n in 0..MAX_HISTORY + 5 {
            variables.push(value((n % 256) as u8));
        }
        assert_eq!(number(&variables, "5"), None);
        assert_eq!(number(&variables, "6"), Some(5));
        assert_eq!(variables.push(value(7)), 1006);
        assert_eq!(number(&variables, "1006"), Some(7));
    }
}
