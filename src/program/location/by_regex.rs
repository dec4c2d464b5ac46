//! Functions by a regular expression over their names.
//!
//! The symbol tables are looked through, not the debug info: they have every function with code, also of a program
//! whose debug info takes gigabytes. If functions of the user's own, which have lines, are among those that match, only
//! they are meant: a static program has a thousand others.

use super::levels::level_at;
use super::{CodePlaces, Collected, LocationError};
use crate::module::{self, Loaded, Role};
use arch::LinkAddr;
use base::untrusted;
use dwarf::Function;
use regex_lite::Regex;
use std::collections::BTreeMap;

/// Most functions that one breakpoint stops in.
pub(crate) const MAX_MATCHES: usize = 200;
/// Functions that are named when there are too many.
const SHOWN: usize = 10;

/// A regular expression over the readable names of functions.
#[derive(Clone, Debug)]
pub struct Pattern {
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
pub struct Matches {
    /// With the numbers of their modules; those with lines, if any have some.
    pub functions: Vec<(usize, Function)>,
    /// How many others match, which are left out because they have no lines.
    bare: usize,
}

impl Pattern {
    /// Parses a regular expression.
    ///
    /// # Errors
    ///
    /// [`LocationError::Malformed`] with the reason.
    pub fn new(text: &str) -> Result<Self, LocationError> {
        let bad = |reason: String| LocationError::Malformed { text: text.to_owned(), reason };
        if text.trim().is_empty() {
            return Err(bad("an empty expression would match every function".to_owned()));
        }
        let regex = untrusted::regex(text.trim()).map_err(|refused| bad(format!("it {refused}")))?;
        Ok(Self { text: text.trim().to_owned(), regex })
    }

    /// Returns the expression as it was given, without surrounding space.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Finds the functions in these modules, by module and address.
    pub fn find<M: Loaded>(&self, modules: &[M]) -> Matches {
        // The clone's memory goes when it is done: breakpoints may be many.
        let regex = self.regex.clone();
        let mut lined = BTreeMap::new();
        let mut bare = BTreeMap::new();
        for (number, module) in module::user(modules).filter(|(_, m)| m.role() != Role::Interpreter) {
            let image = module.image();
            for function in image.functions_called(&mut |name| regex.is_match(name)) {
                let has_lines = image.line_at(function.entry).is_some_and(|row| row.line != 0);
                let found = if has_lines { &mut lined } else { &mut bare };
                found.insert((number, function.entry), function);
            }
        }
        let (functions, bare) = match lined.is_empty() {
            true => (bare, 0),
            false => (lined, bare.len()),
        };
        let functions = without_rests(functions, modules);
        Matches { functions: functions.into_iter().map(|((number, _), function)| (number, function)).collect(), bare }
    }
}

/// Leaves out what was split off a function that is among them: a call of that function comes to both.
fn without_rests<M: Loaded>(
    functions: BTreeMap<(usize, LinkAddr), Function>,
    modules: &[M],
) -> BTreeMap<(usize, LinkAddr), Function> {
    let is_rest =
        |number: usize, function: &Function| modules.get(number).is_some_and(|m| m.image().is_outlined(function));
    let (rests, mut whole): (BTreeMap<_, _>, BTreeMap<_, _>) =
        functions.into_iter().partition(|((number, _), function)| is_rest(*number, function));
    for (at, rest) in rests {
        let is_its_whole = |((other, _), function): (&(usize, LinkAddr), &Function)| {
            *other == at.0 && function.name == rest.name && !is_rest(*other, function)
        };
        if !whole.iter().any(is_its_whole) {
            whole.insert(at, rest);
        }
    }
    whole
}

impl Matches {
    /// Returns the places behind their prologues, at most [`MAX_MATCHES`].
    pub(super) fn places<M: Loaded>(&self, modules: &[M]) -> CodePlaces {
        let mut found = Collected::default();
        for (number, function) in self.functions.iter().take(MAX_MATCHES) {
            let Some(image) = modules.get(*number).map(Loaded::image) else { continue };
            let address = image.after_prologue(function);
            found.0.insert((*number, address), level_at(image, address, |f| !f.inlined));
        }
        CodePlaces { all: found.places(), note: Some(self.note()) }
    }

    /// Returns what the user should know of the matches.
    pub fn note(&self) -> String {
        let mut note = match self.functions.len() {
            1 => "1 function matches".to_owned(),
            n => format!("{n} functions match"),
        };
        if self.functions.len() > MAX_MATCHES {
            note += &format!("; only the first {MAX_MATCHES} stop");
        }
        if self.bare > 0 {
            note += &format!("; {} more without line information are left out", self.bare);
        }
        note
    }

    /// Fails if there are too many.
    pub fn limited(self, pattern: &Pattern) -> Result<Self, LocationError> {
        if self.functions.len() <= MAX_MATCHES {
            return Ok(self);
        }
        let first: Vec<&str> = self.functions.iter().take(SHOWN).map(|(_, f)| f.name.as_str()).collect();
        let reason = format!(
            "{} functions match, at most {MAX_MATCHES} can stop: make it narrower. The first are {}",
            self.functions.len(),
            first.join(", ")
        );
        Err(LocationError::Malformed { text: pattern.text.clone(), reason })
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
            ("a(", "not a regular expression"),
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
        let (die, linkage_name, file, line) = (None, None, None, None);
        let function =
            Function { die, name: "f".to_owned(), linkage_name, entry: LinkAddr(0), ranges: vec![], file, line };
        let matches = |count, bare| Matches { functions: vec![(0, function.clone()); count], bare };
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
