//! The components of names: with and without template arguments, and as they are mangled.

use super::query::same_letters;
use base::qualified::{bare, same_name};

/// Returns whether a component of a query means this name. Template arguments count only if the query has some.
pub(crate) fn component_matches(component: &str, name: Option<&str>) -> bool {
    let Some(name) = name else { return false };
    if component == name || component == bare(name) {
        return true;
    }
    component.contains('<') && same_letters(component, name)
}

/// Returns whether a component stands for this name, which a compiler may have spelled in another way: `Wrap<long>` for
/// `Wrap<long int>`.
pub(crate) fn component_means(component: &str, name: Option<&str>) -> bool {
    component_matches(component, name) || name.is_some_and(|name| same_name(component, name))
}

/// Returns whether mangled names have this component letter by letter behind its length, so that only those have to be
/// demangled that do: a plain identifier, but none of those that C++ abbreviates (Itanium C++ ABI 5.1.10).
pub(crate) fn is_spelled_out(component: &str) -> bool {
    const ABBREVIATED: [&str; 11] = [
        "std",
        "allocator",
        "basic_string",
        "string",
        "basic_istream",
        "istream",
        "basic_ostream",
        "ostream",
        "basic_iostream",
        "iostream",
        "char_traits",
    ];
    !component.is_empty()
        && component.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !component.starts_with("operator")
        && !ABBREVIATED.contains(&component)
}
