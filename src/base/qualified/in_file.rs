//! Names with the file before them that has what they mean, as GDB writes them: `'a.c'::count`.

/// Splits a name into the file that is before it, if there is one, and the rest.
pub fn file_and_name(text: &str) -> (Option<&str>, &str) {
    let split = text.strip_prefix('\'').and_then(|quoted| quoted.split_once("'::"));
    // Other names are quoted as a whole, or in part: `'operator new'`.
    match split.filter(|(file, _)| is_file(file)) {
        Some((file, name)) => (Some(file), name),
        None => (None, text),
    }
}

/// Puts a file before a name.
pub fn name_in_file(file: &str, name: &str) -> String {
    format!("'{file}'::{name}")
}

/// Returns whether what is in quotes before a name is a file, rather than a scope.
pub fn is_file(quoted: &str) -> bool {
    quoted.contains(['.', '/'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_is_in_quotes_before_a_name() {
        assert_eq!(file_and_name(&name_in_file("a.c", "ns::T")), (Some("a.c"), "ns::T"));
        for other in ["T", "ns::T", "'ns'::T", "'a.c'", "'a.c::T", "", "'", "::T"] {
            assert_eq!(file_and_name(other), (None, other));
        }
    }
}
