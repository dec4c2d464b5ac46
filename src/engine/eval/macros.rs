//! From where macros are looked at.

use crate::dwarf::{Image, MacroDefinition, MacroScope};
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
    /// Returns the definition that a name has here.
    pub(in crate::engine) fn definition(&self, name: &str) -> Option<MacroDefinition> {
        macro_definition(&self.module.image, &self.scope, name)
    }
}

/// Returns the definition that a name has in a scope. Those that are the place itself are in no list.
pub(crate) fn macro_definition(image: &Image, scope: &MacroScope, name: &str) -> Option<MacroDefinition> {
    let text = match name {
        "__LINE__" => format!("__LINE__ {}", scope.line),
        "__FILE__" => {
            let path = scope.file.path.to_string_lossy().into_owned();
            format!("__FILE__ \"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
        }
        _ => return image.macro_named(scope, name),
    };
    let (file, line) = (Some(scope.file.clone()), u64::from(scope.line));
    Some(MacroDefinition { text, file, line, included: scope.included.clone() })
}
