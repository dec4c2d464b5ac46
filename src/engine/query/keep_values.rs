//! Putting values into the history and into convenience variables.

use crate::api::error::Error;
use crate::api::{Evaluated, Show};
use crate::eval::expression::Scope;
use crate::eval::inferior::Inferior;
use crate::session::engine::Engine;
use crate::stack::physical::Level;
use arch::ThreadId;
use ctype::layout::size_of;
use ctype::{Bits, Options, Place, Value};

/// Largest object that is kept, in bytes (GDB's `max-value-size`).
const MAX_SIZE: u64 = 65536;

impl Inferior {
    /// Returns the value with its bytes as they are now.
    pub(super) fn kept(&mut self, value: Value) -> Result<Value, Error> {
        if !matches!(value.place, Place::Memory(_)) {
            return Ok(Value { place: value.place.without_homes(), ..value });
        }
        let bits = value.bits.map_or(0, Bits::bytes);
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
        let rest = expr::split_format(text).map_or(text, |(_, rest)| rest);
        let value = self.value(Scope::Frame(thread, level), rest).map_err(|e| e.explained(rest))?;
        self.kept(value)
    }
}

impl Engine {
    /// Evaluates an expression, whose value becomes the next of the history: `$1`, `$2` …, and `$`. Returns its number
    /// with it.
    pub fn print(&mut self, expression: &str, format: Option<char>) -> Result<(u32, Evaluated), Error> {
        let shown = self.evaluate(expression, Show { format, ..Show::default() })?;
        self.with(|s| {
            let level = s.debuggee.selected()?;
            let value = s.debuggee.inferior.keepable(s.debuggee.thread, level, expression)?;
            Ok(s.debuggee.inferior.variables.push(value))
        })
        .map(|number| (number, shown))
    }

    /// Makes `$name` mean what an expression means now.
    pub fn set_variable(&mut self, name: &str, expression: &str) -> Result<(), Error> {
        self.with(|s| {
            let level = s.debuggee.selected()?;
            let value = s.debuggee.inferior.keepable(s.debuggee.thread, level, expression)?;
            s.debuggee.inferior.variables.set(name, value)
        })
    }

    /// Returns whether `$name` means anything besides a register.
    pub fn has_variable(&self, name: &str) -> bool {
        self.session.debuggee.inferior.variables.get(name).is_some()
    }

    /// Puts what the last `finish` has returned into the history. `None`: it returned nothing that can be shown.
    pub fn print_returned(&mut self) -> Result<Option<(u32, String)>, Error> {
        self.with(|s| {
            let Some(value) = s.debuggee.inferior.variables.returned.take() else { return Ok(None) };
            let pc = s.debuggee.inferior.process.registers(s.debuggee.thread)?.pc().unwrap_or_default();
            let options = Options::new(s.debuggee.inferior.target_at(pc));
            let shown = ctype::render(&value, &mut s.debuggee.inferior, &options).text;
            let value = s.debuggee.inferior.kept(value)?;
            s.debuggee.inferior.check_answers()?;
            Ok(Some((s.debuggee.inferior.variables.push(value), shown)))
        })
    }
}
