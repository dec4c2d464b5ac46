//! Functions by a regular expression over their names.
//!
//! The symbol tables are looked through, not the debug info: they have every function with code, also of a program
//! whose debug info takes gigabytes. If functions of the user's own, which have lines, are among those that match, only
//! they are meant: a static program has a thousand others.

use crate::arch::RunAddr;
use crate::dwarf::Function;
use crate::engine::api::error::Error;
use crate::engine::breakpoints::resolve::{ResolvedAddress, resolved};
use crate::engine::modules::loaded::{Module, Modules, Role};
use crate::untrusted;
use regex_lite::Regex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most functions that one breakpoint stops in.
pub(in crate::engine) const MAX_MATCHES: usize = 200;
/// Functions that are named when there are too many.
const SHOWN: usize = 10;

/// A regular expression over the readable names of functions.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Pattern {
    text: String,
    regex: Regex,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

/// The functions that match.
#[derive(Default)]
pub(in crate::engine) struct Matches {
    /// Behind their prologues, at most [`MAX_MATCHES`].
    pub(in crate::engine) locations: Vec<ResolvedAddress>,
    /// How many match, with lines if any have some.
    pub(in crate::engine) count: usize,
    /// How many others match, which are left out because they have no lines.
    bare: usize,
    /// The first names.
    names: Vec<String>,
}

impl Pattern {
    pub(in crate::engine) fn new(text: &str) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadLocation { text: text.to_owned(), reason };
        if text.trim().is_empty() {
            return Err(bad("an empty expression would match every function".to_owned()));
        }
        let regex = untrusted::regex(text.trim()).map_err(|refused| bad(format!("it {refused}")))?;
        Ok(Self { text: text.trim().to_owned(), regex })
    }

    pub(in crate::engine) fn text(&self) -> &str {
        &self.text
    }

    /// Finds the functions in what is loaded now.
    pub(in crate::engine) fn find(&self, modules: &Modules) -> Matches {
        // The clone's memory goes when it is done: breakpoints may be many.
        let regex = self.regex.clone();
        let mut lined = BTreeMap::new();
        let mut bare = BTreeMap::new();
        for module in modules.user().filter(|m| m.role != Role::Interpreter) {
            let image = &module.image;
            for function in image.functions_called(&mut |name| regex.is_match(name)) {
                let has_lines = image.line_at(function.entry).is_some_and(|row| row.line != 0);
                let found = if has_lines { &mut lined } else { &mut bare };
                found.insert(function.entry.at(module.bias), (module, function));
            }
        }
        let (functions, bare) = match lined.is_empty() {
            true => (bare, 0),
            false => (lined, bare.len()),
        };
        let functions = without_rests(functions);
        let count = functions.len();
        let names = functions.values().take(SHOWN).map(|(_, f)| f.name.clone()).collect();
        let locations: BTreeMap<RunAddr, ResolvedAddress> = functions
            .into_values()
            .take(MAX_MATCHES)
            .map(|(module, function)| {
                let address = module.image.after_prologue(&function);
                (address.at(module.bias), resolved(module, address, |f| !f.inlined))
            })
            .collect();
        Matches { locations: locations.into_values().collect(), count, bare, names }
    }
}

/// Leaves out what was split off a function that is among them: a call of that function comes to both.
fn without_rests(
    functions: BTreeMap<RunAddr, (&Arc<Module>, Function)>,
) -> BTreeMap<RunAddr, (&Arc<Module>, Function)> {
    let (rests, mut whole): (BTreeMap<_, _>, BTreeMap<_, _>) =
        functions.into_iter().partition(|(_, (module, function))| module.image.is_outlined(function));
    for (at, (module, rest)) in rests {
        let is_its_whole = |(other, function): &(&Arc<Module>, Function)| {
            Arc::ptr_eq(other, module) && function.name == rest.name && !module.image.is_outlined(function)
        };
        if !whole.values().any(is_its_whole) {
            whole.insert(at, (module, rest));
        }
    }
    whole
}

impl Matches {
    /// Returns what the user should know of the matches.
    pub(in crate::engine) fn note(&self) -> String {
        let mut note = match self.count {
            1 => "1 function matches".to_owned(),
            n => format!("{n} functions match"),
        };
        if self.count > MAX_MATCHES {
            note += &format!("; only the first {MAX_MATCHES} stop");
        }
        if self.bare > 0 {
            note += &format!("; {} more without line information are left out", self.bare);
        }
        note
    }

    /// Fails if there are too many.
    pub(in crate::engine) fn limited(self, pattern: &Pattern) -> Result<Self, Error> {
        if self.count <= MAX_MATCHES {
            return Ok(self);
        }
        let reason = format!(
            "{} functions match, at most {MAX_MATCHES} can stop: make it narrower. The first are {}",
            self.count,
            self.names.join(", ")
        );
        Err(Error::BadLocation { text: pattern.text.clone(), reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_expression_is_refused() {
        for (text, reason) in [
            ("", "would match every function"),
            ("  ", "would match"),
            ("a(", "no regular expression"),
            (&"(i)".repeat(40), "it is a regular expression with 40 groups"),
        ] {
            let message = Pattern::new(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
        let message = Pattern::new("(((a{1000}){1000}){1000})").unwrap_err().to_string();
        assert!(message.contains("too large for a regular expression"), "{message}");
    }

    #[test]
    fn the_note_counts() {
        let matches = |count, bare| Matches { count, bare, ..Matches::default() };
        assert_eq!(matches(1, 0).note(), "1 function matches");
        assert_eq!(matches(3, 2).note(), "3 functions match; 2 more without line information are left out");
        assert_eq!(matches(201, 0).note(), "201 functions match; only the first 200 stop");
    }

    proptest! {
        #[test]
        fn any_text(text in "\\PC{0,40}", name in "\\PC{0,40}") {
            if let Ok(pattern) = Pattern::new(&text) {
                let _ = pattern.regex.is_match(&name);
            }
        }
    }
}
