//! The components of names: with and without template arguments, and as they are mangled.

/// What stands for a namespace without a name.
pub(in crate::dwarf) const ANONYMOUS_NAMESPACE: &str = "(anonymous namespace)";

/// A name without its template arguments.
pub(in crate::dwarf) fn bare(name: &str) -> &str {
    let cut = |from: usize, pattern: &str| {
        let at = name.get(from..).and_then(|rest| rest.find(pattern)).map_or(name.len(), |at| from + at);
        name.get(..at).unwrap_or(name)
    };
    match name.strip_prefix("operator") {
        Some(rest) if rest.starts_with("()") || rest.starts_with("[]") => cut("operator()".len(), "<"),
        // Compilers separate an operator from its template arguments: `operator< <int>`.
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_punctuation() && c != '_') => cut("operator".len(), " <"),
        Some(rest) if rest.starts_with(char::is_whitespace) => name,
        // From the second letter on: Rust's `<impl T for U>` is no argument list.
        _ => cut(name.chars().next().map_or(0, char::len_utf8), "<"),
    }
}

/// Whether a component of a query means this name. Template arguments count only if the query has some.
pub(in crate::dwarf) fn component_matches(component: &str, name: Option<&str>) -> bool {
    let Some(name) = name else { return false };
    if component == name || component == bare(name) {
        return true;
    }
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    component.contains('<') && letters(component) == letters(name)
}

/// Whether mangled names have this component letter by letter behind its length, so that only those have to be
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
