//! From where macros are looked at.

use crate::dwarf::{MacroDefinition, MacroScope};
use crate::engine::modules::loaded::Module;
use crate::program::macros::macro_definition;
use std::sync::Arc;

/// From where a module's macros are looked at.
#[derive(Clone)]
pub(in crate::engine) struct MacroPlace {
    pub(in crate::engine) module: Arc<Module>,
    pub(in crate::engine) scope: MacroScope,
}

impl std::fmt::Debug for MacroPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.scope.fmt(f)
    }
}

impl MacroPlace {
    /// Returns the definition that a name has here.
    pub(in crate::engine) fn definition(&self, name: &str) -> Option<MacroDefinition> {
        macro_definition(&self.module.image, &self.scope, name)
    }
}
