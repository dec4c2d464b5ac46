//! Numbers that are arguments: literally, or as expressions.

use super::error::Error;
use super::execution::Execution;

impl Execution<'_> {
    /// Evaluates a number that may be any integer expression.
    pub(super) fn number(&mut self, text: &str) -> Result<i64, Error> {
        if let Ok(number) = text.trim().parse() {
            return Ok(number);
        }
        let value = self.value(&format!("(long)({text})"), Some('d')).or_else(|_| {
            // By itself, so that the message is about what was written.
            self.value(text, None)
        })?;
        value.value.parse().map_err(|_| Error::said(format!("\"{text}\" is not a number.")))
    }

    /// Evaluates how often something is to be done; at most what the engine can count.
    pub(super) fn count(&mut self, text: Option<&str>) -> Result<Option<i64>, Error> {
        text.map(|text| self.number(text)).transpose()
    }
}
