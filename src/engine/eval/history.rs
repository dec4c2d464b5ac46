//! Values that outlive the moment they were looked at: the value history (`$1`, `$`, `$$`, `$$3`) and convenience
//! variables (`$_exitcode`, `$name`), for expressions to use.
//!
//! A value is kept with its bytes as they were: moving on does not change what `$1` was.

use crate::arch::ThreadId;
use crate::ctype::layout::size_of;
use crate::ctype::{Options, Place, Value};
use crate::engine::Engine;
use crate::engine::api::error::Error;
use crate::engine::api::{Evaluated, Show};
use crate::engine::eval::expression::Scope;
use crate::engine::stack::frames::Level;
use crate::engine::stack::inferior::Inferior;
use std::collections::{BTreeMap, VecDeque};

/// Most values in the history; older ones are forgotten.
const MAX_HISTORY: usize = 1000;
/// Most convenience variables.
const MAX_NAMED: usize = 1000;
/// Largest object that is kept, in bytes (GDB's `max-value-size`).
const MAX_SIZE: u64 = 65536;

/// The history and the convenience variables.
#[derive(Default)]
pub(in crate::engine) struct Variables {
    history: VecDeque<Value>,
    /// How many values were forgotten at the front.
    forgotten: u32,
    named: BTreeMap<String, Value>,
    /// What the last `finish` returned, until the next movement.
    pub(in crate::engine) returned: Option<Value>,
}

impl Variables {
    /// What `$name` means.
    pub(in crate::engine) fn get(&self, name: &str) -> Option<&Value> {
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
        self.named.get(name)
    }

    /// Appends to the history. Gives the number.
    fn push(&mut self, value: Value) -> u32 {
        if self.history.len() == MAX_HISTORY {
            self.history.pop_front();
            self.forgotten = self.forgotten.saturating_add(1);
        }
        self.history.push_back(value);
        self.forgotten.saturating_add(u32::try_from(self.history.len()).unwrap_or(u32::MAX))
    }
}

impl Inferior {
    /// A value with its bytes as they are now.
    fn kept(&mut self, value: Value) -> Result<Value, Error> {
        if !matches!(value.place, Place::Memory(_)) {
            return Ok(value);
        }
        let bits = value.bits.map_or(0, |b| (u64::from(b.offset) + u64::from(b.size)).div_ceil(8));
        let Some(size) = size_of(&value.ty).map(|size| size.max(bits)) else {
            // A function, or something whose size nobody knows, is its address.
            return Ok(value);
        };
        if size > MAX_SIZE {
            let why = format!("value requires {size} bytes, which is more than max-value-size");
            return Err(Error::Expression(why));
        }
        let bytes = value.read(self, 0, usize::try_from(size).unwrap_or(0));
        let bytes = bytes.map_err(|why| Error::Expression(why.to_string()))?;
        let place = Place::Bytes(bytes.into_iter().map(Some).collect());
        Ok(Value { place, ..value })
    }

    fn keepable(&mut self, thread: ThreadId, level: Level, text: &str) -> Result<Value, Error> {
        let rest = crate::expr::split_format(text).map_or(text, |(_, rest)| rest);
        let value = self.value(Scope::Frame(thread, level), rest).map_err(|e| e.explained(rest))?;
        self.kept(value)
    }
}

impl Engine {
    /// The value of an expression, which becomes the next of the history: `$1`, `$2` …, and `$`. Gives its number.
    pub fn print(&mut self, expression: &str, format: Option<char>) -> Result<(u32, Evaluated), Error> {
        let shown = self.evaluate(expression, Show { format, ..Show::default() })?;
        self.with(|s| {
            let level = s.selected()?;
            let value = s.inferior.keepable(s.thread, level, expression)?;
            Ok(s.inferior.variables.push(value))
        })
        .map(|number| (number, shown))
    }

    /// Makes `$name` mean what an expression means now.
    pub fn set_variable(&mut self, name: &str, expression: &str) -> Result<(), Error> {
        self.with(|s| {
            let level = s.selected()?;
            let value = s.inferior.keepable(s.thread, level, expression)?;
            let named = &mut s.inferior.variables.named;
            if named.len() >= MAX_NAMED && !named.contains_key(name) {
                return Err(Error::Expression(format!("there are {MAX_NAMED} convenience variables already")));
            }
            named.insert(name.to_owned(), value);
            Ok(())
        })
    }

    /// Whether `$name` means anything besides a register.
    pub fn has_variable(&self, name: &str) -> bool {
        self.session.inferior.variables.get(name).is_some()
    }

    /// Puts what the last `finish` has returned into the history. `None`: it returned nothing that can be shown.
    pub fn print_returned(&mut self) -> Result<Option<(u32, String)>, Error> {
        self.with(|s| {
            let Some(value) = s.inferior.variables.returned.take() else { return Ok(None) };
            let pc = s.inferior.process.registers(s.thread)?.pc().unwrap_or_default();
            let options = Options::new(s.inferior.target_at(pc));
            let shown = crate::ctype::render(&value, &mut s.inferior, &options).text;
            let value = s.inferior.kept(value)?;
            Ok(Some((s.inferior.variables.push(value), shown)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctype::{Encoding, Type};
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
