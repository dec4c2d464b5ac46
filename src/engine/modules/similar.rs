//! Names that may have been meant by one that nothing has.

use crate::dwarf::{Image, NameSort};
use crate::engine::modules::loaded::{Modules, Role};
use crate::qualified::{QualifiedName, bare, bare_last, nearest};
use std::collections::BTreeSet;

/// Most names that are told.
const MOST: usize = 5;

impl Modules {
    /// Returns the functions that may have been meant: in other scopes, or called nearly so. Those of the program come
    /// before those of libraries, which are left out if so wanted.
    pub(in crate::engine) fn functions_near(&self, name: &str, with_libraries: bool) -> Vec<String> {
        let modules = self.user().filter(|m| m.role != Role::Interpreter);
        let (program, libraries): (Vec<_>, Vec<_>) = modules.partition(|m| m.role == Role::Program);
        let libraries = if with_libraries { libraries } else { Vec::new() };
        [program, libraries]
            .iter()
            .map(|modules| functions_near(name, modules.iter().map(|module| &*module.image)))
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// Returns the variables of the program that may have been meant.
    pub(in crate::engine) fn variables_near(&self, name: &str) -> Vec<String> {
        self.named_near(name, NameSort::Variable)
    }

    /// Returns the types of the program that may have been meant. `struct` may stand before the name.
    pub(in crate::engine) fn types_near(&self, name: &str) -> Vec<String> {
        let tag = ["struct ", "union ", "enum ", "class "].into_iter().find(|tag| name.starts_with(tag));
        self.named_near(tag.and_then(|tag| name.strip_prefix(tag)).unwrap_or(name), NameSort::Type)
    }

    fn named_near(&self, name: &str, sort: NameSort) -> Vec<String> {
        let last = bare_last(name);
        let names: BTreeSet<(String, String)> =
            self.program().into_iter().flat_map(|module| module.image.names_of(sort)).collect();
        let wanted = std::iter::once(last).chain(nearest(last, names.iter().map(|(one, _)| bare(one))));
        let found =
            wanted.flat_map(|last| names.iter().filter(move |(one, _)| bare(one) == last)).map(|(_, whole)| whole);
        distinct(found.filter(|found| found.as_str() != name))
    }
}

/// Returns the functions of these images that may have been meant: in other scopes, or called nearly so.
pub(crate) fn functions_near<'i>(name: &str, images: impl Iterator<Item = &'i Image>) -> Vec<String> {
    let query = QualifiedName::split(name);
    let wanted: Vec<&str> = query.components().iter().map(|component| component.bare()).collect();
    let Some((last, scopes)) = wanted.split_last() else { return Vec::new() };
    let mut names = BTreeSet::new();
    for image in images {
        image.functions_called(&mut |name| {
            names.insert(name.to_owned());
            false
        });
    }
    let mut elsewhere: Vec<&String> = called(&names, last).filter(|found| found.as_str() != name).collect();
    elsewhere.sort_by_key(|found| scopes.iter().filter(|scope| !found.contains(*scope)).count());
    let misspelt = if elsewhere.is_empty() { nearest(last, names.iter().map(|n| bare_last(n))) } else { Vec::new() };
    let found = elsewhere.into_iter().chain(misspelt.into_iter().flat_map(|last| called(&names, last)));
    distinct(found.filter(|found| found.as_str() != name))
}

/// Returns the functions of this name, in whatever scopes.
fn called<'n>(names: &'n BTreeSet<String>, last: &'n str) -> impl Iterator<Item = &'n String> {
    names.iter().filter(move |name| bare_last(name) == last)
}

/// Returns the first few of some names, each once.
fn distinct<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if found.len() == MOST {
            break;
        }
        if !found.contains(name) {
            found.push(name.clone());
        }
    }
    found
}

/// Asks whether one of these names was meant; empty if there are none.
pub(crate) fn question(names: &[String]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = quoted.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        others => format!("did you mean {} or {last}?", others.join(", ")),
    })
}

/// Asks in parentheses, behind a space, whether the known names nearest to a misspelt one were meant; empty if none is near.
pub(crate) fn question_about<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near: Vec<String> = nearest(name, known).into_iter().map(str::to_owned).collect();
    question(&near).map(|question| format!(" ({question})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_all() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(question(&[]), None);
        assert_eq!(question(&names[..1]).unwrap(), "did you mean `a`?");
        assert_eq!(question(&names).unwrap(), "did you mean `a`, `b` or `c`?");
    }
}
