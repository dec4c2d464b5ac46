//! The definitions of macros.

use dwarf::{Image, MacroDefinition, MacroScope};

/// Most definitions that a reason lists.
const MOST_SHOWN: usize = 5;

/// Returns the definition that a name has in a scope. Those that are the place itself are in no list.
pub fn macro_definition(image: &Image, scope: &MacroScope, name: &str) -> Option<MacroDefinition> {
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

/// Returns the text of the definition that is in effect.
///
/// # Errors
/// Why it is not clear which of several is.
pub fn macro_text(image: &Image, scope: &MacroScope, name: &str) -> Result<Option<String>, String> {
    if let Some(texts) = image.ambiguous_macro(scope, name) {
        let body = |text: &String| text.strip_prefix(name).map_or(text.as_str(), str::trim).to_owned();
        let file = scope.file.name.rsplit('/').next().unwrap_or_default();
        let bodies: Vec<String> = texts.iter().take(MOST_SHOWN).map(body).collect();
        return Err(format!(
            "`{file}` is included {} times with different ones: {}",
            scope.inclusions(),
            bodies.join("; ")
        ));
    }
    Ok(macro_definition(image, scope, name).map(|found| found.text))
}
