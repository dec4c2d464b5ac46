//! `info vtbl`: the functions that the virtual calls of an object lead to.

use super::error::Error;
use super::execution::Execution;

impl Execution<'_> {
    pub(super) fn info_virtual_tables(&mut self, expression: &str) -> Result<(), Error> {
        let tables = self.engine.virtual_tables(expression)?;
        if tables.is_empty() {
            self.say("This object does not have a virtual function table");
        }
        for (number, table) in tables.iter().enumerate() {
            if number > 0 {
                self.say("");
            }
            self.say(format!("vtable for '{}' @ {:#x} (subobject @ {:#x}):", table.class, table.address, table.object));
            for (number, (function, name)) in table.functions.iter().enumerate() {
                self.say(format!("[{number}]: {function:#x} <{name}>"));
            }
            if self.terminal.is_full() {
                break;
            }
        }
        Ok(())
    }
}
