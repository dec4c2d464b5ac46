//! Raw memory and registers.

use crate::api::error::Error;
use crate::api::{MemoryBlock, RegisterValue};
use crate::run::session::Session;
use arch::RunAddr;

/// Most bytes in one answer.
const MAX_MEMORY: u64 = 1 << 20;

impl Session {
    pub(crate) fn read_memory(&mut self, address: &str, count: u64) -> Result<MemoryBlock, Error> {
        if count == 0 {
            let valid = format!("1–{MAX_MEMORY} bytes can be read at once");
            return Err(Error::OutOfRange { what: "count", given: count, valid });
        }
        let level = self.debuggee.selected()?;
        let start = self.debuggee.inferior.address(self.debuggee.thread, level, address)?;
        let asked = count.min(MAX_MEMORY);
        let bytes = self.debuggee.inferior.process.read_up_to(start, usize::try_from(asked).unwrap_or(usize::MAX));
        let end = start.wrapping_add(bytes.len() as u64);
        if bytes.is_empty() {
            return Err(Error::Expression(format!("cannot access memory at address {start:#x}")));
        }
        let truncated = if (bytes.len() as u64) < asked {
            Some(format!("memory at {end:#x} cannot be read"))
        } else if asked < count {
            Some(format!("at most {MAX_MEMORY} bytes are read at once; continue at {end:#x}"))
        } else {
            None
        };
        Ok(MemoryBlock { address: RunAddr(start), bytes, truncated })
    }

    /// Reads the registers of the selected frame: those that it had when it made its call, as far as they were
    /// preserved.
    pub(crate) fn registers(&mut self, names: Option<&[String]>) -> Result<Vec<RegisterValue>, Error> {
        let level = self.debuggee.selected()?;
        let is_live = self.debuggee.inferior.physical(self.debuggee.thread, level.physical)?.registers.is_live();
        let layout = self.debuggee.inferior.process.layout().clone();
        let known = || layout.registers.iter().map(|r| r.name.as_str());
        let Some(names) = names.filter(|n| !n.is_empty()) else {
            return Ok(known().map(|name| self.shown(name, level.physical, is_live)).collect());
        };
        let mut found = Vec::with_capacity(names.len());
        for asked in names {
            let name = layout.arch.register_alias(asked.trim().trim_start_matches('$'));
            if layout.find(name).is_none() {
                let known: Vec<_> = known().collect();
                return Err(Error::NoRegister { asked: asked.clone(), known: known.join(", ") });
            }
            found.push(self.shown(name, level.physical, is_live));
        }
        Ok(found)
    }

    /// Shows a register as a hexadecimal number, most significant digit first.
    fn shown(&mut self, name: &str, physical: usize, is_live: bool) -> RegisterValue {
        let value = match self.debuggee.inferior.register_bytes(self.debuggee.thread, physical, name) {
            Some(bytes) => {
                let digits: String = bytes.iter().rev().map(|b| format!("{b:02x}")).collect();
                let digits = digits.trim_start_matches('0');
                format!("0x{}", if digits.is_empty() { "0" } else { digits })
            }
            None if is_live => "<unavailable>".to_owned(),
            None => "<not saved>".to_owned(),
        };
        RegisterValue { name: name.to_owned(), value }
    }
}
