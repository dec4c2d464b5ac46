//! From where macros are looked at.

use crate::modules::loaded::Module;
use dwarf::{MacroDefinition, MacroScope};
use program::macros::macro_definition;
use std::sync::Arc;

/// From where a module's macros are looked at.
#[derive(Clone)]
pub(crate) struct MacroPlace {
    pub(crate) module: Arc<Module>,
    pub(crate) scope: MacroScope,
}

impl std::fmt::Debug for MacroPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.scope.fmt(f)
    }
}

impl MacroPlace {
    /// Returns the definition that a name has here.
    pub(crate) fn definition(&self, name: &str) -> Option<MacroDefinition> {
        macro_definition(&self.module.image, &self.scope, name)
    }
}
