//! Why a location has no place.

use super::Location;
use crate::module::{self, Loaded};

/// A location that cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocationError {
    /// It makes no sense as text.
    #[error("location `{text}`: {reason}")]
    Malformed {
        /// As given.
        text: String,
        /// The fault, and the valid spellings.
        reason: String,
    },
    /// Nothing has it.
    #[error("location `{text}`: {reason}")]
    Nowhere {
        /// As given.
        text: String,
        /// The modules that were searched, and their gaps.
        reason: String,
        /// A module that is loaded later may have it.
        later: bool,
    },
}

/// Returns why nothing has a location. `missing`: modules whose file could not be used, and why.
pub fn why_nothing<M: Loaded>(
    location: &Location,
    modules: &[M],
    missing: &[(String, String)],
    current_file: Option<&str>,
) -> String {
    let user = || module::user(modules).map(|(_, module)| module);
    let loaded: Vec<&str> = user().map(Loaded::name).collect();
    let loaded = if loaded.is_empty() { "any usable module".to_owned() } else { loaded.join(", ") };
    let mut reason = match location {
        Location::Function(name) => format!("no function `{name}` in {loaded}"),
        Location::FileFunction(file, name) => match known_files(modules, file) {
            0 => format!("no source file `{file}` in {loaded}"),
            _ => format!("no function `{name}` in a file `{file}`, and no line with this text"),
        },
        Location::Entries(functions) => {
            let names: Vec<&str> = functions.iter().flatten().map(String::as_str).collect();
            format!("no function {} in {loaded}", names.join(" or "))
        }
        Location::Matching(pattern) => format!("no function's name matches `{}` in {loaded}", pattern.text()),
        Location::FileLine(file, line) => match known_files(modules, file) {
            0 => format!("no source file `{file}` in {loaded}"),
            _ => no_code(file, *line),
        },
        Location::Line(line) => match current_file {
            Some(file) => no_code(file, *line),
            None => "the selected frame has no source file; say FILE:LINE".to_owned(),
        },
        Location::Address(_) => "no such address".to_owned(),
    };
    if !matches!(location, Location::Address(_)) {
        reason += &gaps(modules, missing);
    }
    reason
}

/// Returns what a search of modules may have missed, as the end of a sentence: debug info, and files that could not be
/// used. Empty if nothing.
pub fn gaps<M: Loaded>(modules: &[M], missing: &[(String, String)]) -> String {
    let without = module::user(modules).map(|(_, m)| m).filter(|m| !m.image().has_debug_info());
    let without: Vec<&str> = without.map(Loaded::name).collect();
    let mut gaps = String::new();
    if !without.is_empty() {
        gaps += &format!(" (no debug info in {})", without.join(", "));
    }
    for (name, why) in missing {
        gaps += &format!("; {name} is not used: {why}");
    }
    gaps
}

fn no_code(file: &str, line: u32) -> String {
    format!("no code for line {line} of `{file}`, nor for a line between it and the next function")
}

fn known_files<M: Loaded>(modules: &[M], file: &str) -> usize {
    module::user(modules).map(|(_, m)| m.image().files_matching(file).len()).sum()
}
