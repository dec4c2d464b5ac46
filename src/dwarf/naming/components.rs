//! The components of names: with and without template arguments, and as they are mangled.

use crate::qualified::bare;

/// Returns whether a component of a query means this name. Template arguments count only if the query has some.
pub(in crate::dwarf) fn component_matches(component: &str, name: Option<&str>) -> bool {
    let Some(name) = name else { return false };
    if component == name || component == bare(name) {
        return true;
    }
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    component.contains('<') && letters(component) == letters(name)
}

/// Returns whether mangled names have this component letter by letter behind its length, so that only those have to be
/// demangled that do: a plain identifier, but none of those that C++ abbreviates (Itanium C++ ABI 5.1.10).
pub(in crate::dwarf) fn is_spelled_out(component: &str) -> bool {
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
