//! What the symbol tables of an image say.

use super::facade::Image;
use crate::model::elf::{Exported, Symbol};
use crate::model::variable::Elsewhere;
use crate::symbols::slots::Slot;
use crate::symbols::stubs::Stub;
use arch::LinkAddr;

impl Image {
    /// Finds the symbol whose code or data covers an address. One without a size reaches to the next symbol or the end
    /// of its section.
    pub fn symbol_at(&self, a: LinkAddr) -> Option<Symbol> {
        self.ask_symbols(|symbols| symbols.symbol_at(a))
    }

    /// Finds the symbols with this name, as the linker spells it or as people do.
    pub fn symbols_named(&self, name: &str) -> Vec<Symbol> {
        self.ask_symbols(|symbols| symbols.symbols_named(name))
    }

    /// Finds the symbols that the linker spells so.
    pub fn symbols_spelled(&self, name: &str) -> Vec<Symbol> {
        self.ask_symbols(|symbols| symbols.symbols_spelled(name))
    }

    /// Finds the data that other files can name so, as the linker spells it.
    pub fn exported_data(&self, name: &str) -> Option<Exported> {
        self.ask_symbols(|symbols| symbols.exported_data(name))
    }

    /// Finds the function that other files can name so, as the linker spells it.
    pub fn exported_function(&self, name: &str) -> Option<Exported> {
        self.ask_symbols(|symbols| symbols.exported_function(name))
    }

    /// Returns whether the code of this image finds a thread-local variable of this name, as the linker spells it, through
    /// a descriptor that the dynamic linker fills.
    pub fn has_descriptor(&self, name: &str) -> bool {
        self.ask_symbols(|symbols| symbols.has_descriptor(name))
    }

    /// Finds the stub that an address lies in.
    pub fn stub_at(&self, a: LinkAddr) -> Option<Stub> {
        self.ask_symbols(|symbols| symbols.stub_at(a))
    }

    /// Returns what the dynamic linker puts into the word of memory at an address, if it fills it (ELF relocations of
    /// the kinds `GLOB_DAT`, `JUMP_SLOT` and `RELATIVE`).
    pub fn slot_at(&self, a: LinkAddr) -> Option<Slot> {
        self.ask_symbols(|symbols| symbols.slot_at(a))
    }

    /// Returns where the dynamic linker puts the place of a variable, by its name as the linker spells it, if the code
    /// of this image finds it through that.
    pub fn bound_variable(&self, name: &str) -> Option<Elsewhere> {
        self.ask_symbols(|symbols| symbols.bound_variable(name))
    }

    /// Returns whether a function of this name is called that is another image's, as the linker spells it.
    pub fn imports(&self, name: &str) -> bool {
        self.ask_symbols(|symbols| symbols.imports(name))
    }

    /// Finds the stubs that lead to a function of this name, which may also be written as theirs: `write@plt`.
    pub fn stubs_named(&self, name: &str) -> Vec<Stub> {
        self.ask_symbols(|symbols| symbols.stubs_named(name))
    }
}
