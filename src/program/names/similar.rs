//! Names that may have been meant by one that nothing has.

use crate::module::{self, Loaded, Role};
use base::qualified::{QualifiedName, bare_last, nearest};
use dwarf::Image;
use std::collections::BTreeSet;

/// Most names that are told.
const MOST: usize = 5;

/// Returns the functions of the program that may have been meant; if there are none, those of libraries, unless these are
/// to be left out.
pub fn functions_meant<M: Loaded>(name: &str, modules: &[M], with_libraries: bool) -> Vec<String> {
    let all = module::user(modules).map(|(_, module)| module).filter(|m| m.role() != Role::Interpreter);
    let (program, libraries): (Vec<&M>, Vec<&M>) = all.partition(|m| m.is_program());
    let near = |modules: Vec<&M>| functions_near(name, modules.into_iter().map(Loaded::image));
    let found = near(program);
    if found.is_empty() && with_libraries { near(libraries) } else { found }
}

/// Returns the functions of these images that may have been meant: in other scopes, or called nearly so.
fn functions_near<'i>(name: &str, images: impl Iterator<Item = &'i Image>) -> Vec<String> {
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
pub fn distinct<'n>(names: impl Iterator<Item = &'n String>) -> Vec<String> {
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
