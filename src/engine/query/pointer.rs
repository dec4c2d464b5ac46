//! Pointers: the address that an expression names, and where the variable lies that holds it.

use crate::api::Position;
use crate::api::error::Error;
use crate::query::held::HeldIn;
use crate::session::engine::Engine;

/// Bytes of an address.
const WORD: usize = 8;

/// An address that an expression names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// It.
    pub address: u64,
    /// Where the variable or member is that holds it; `None` if it is computed, or in a register.
    pub held_at: Option<u64>,
    /// Where the session is.
    pub position: Position,
}

impl Engine {
    /// Finds the address that an expression names in the selected frame: the value of a pointer, or what an expression
    /// comes to.
    ///
    /// # Errors
    /// If the expression makes no sense, or its value is not an address.
    pub fn pointer(&mut self, expression: &str) -> Result<Pointer, Error> {
        let held = self.held(expression, WORD as u64)?;
        let word = Some(held.content).filter(|_| held.size == WORD as u64);
        if let Some(address) = word.and_then(|word| word.try_into().ok()).map(u64::from_le_bytes) {
            let held_at = match held.place {
                HeldIn::Memory(at) => Some(at),
                HeldIn::Register(_) | HeldIn::Nowhere(_) => None,
            };
            return Ok(Pointer { address, held_at, position: held.position });
        }
        let address = self.ask(|s| {
            let (thread, level) = (s.debuggee.thread, s.debuggee.selected()?);
            s.debuggee.inferior.address(thread, level, expression)
        })?;
        Ok(Pointer { address, held_at: None, position: held.position })
    }
}
