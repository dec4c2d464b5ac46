//! From where macros are looked at.

use crate::dwarf::{MacroDefinition, MacroScope};
use crate::engine::modules::loaded::Module;
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
    /// Returns the definition that a name has here. Those that are the place itself are in no list.
    pub(in crate::engine) fn definition(&self, name: &str) -> Option<MacroDefinition> {
        let text = match name {
            "__LINE__" => format!("__LINE__ {}", self.scope.line),
            "__FILE__" => {
                let path = self.scope.file.path.to_string_lossy().into_owned();
                format!("__FILE__ \"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
            }
            _ => return self.module.image.macro_named(&self.scope, name),
        };
        let (file, line) = (Some(self.scope.file.clone()), u64::from(self.scope.line));
        Some(MacroDefinition { text, file, line, included: self.scope.included.clone() })
    }
}
