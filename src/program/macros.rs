//! The definitions of macros.

use crate::dwarf::{Image, MacroDefinition, MacroScope};

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
