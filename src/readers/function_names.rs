//! Names of functions as people write them.

use super::names::{shortened, shortened_whole};
use base::qualified::{QualifiedName, bounded_in_line, list};

/// Shortens the name of a C++ function by the types in it, which are [`shortened`]: `std::map<int, std::string>::at`,
/// `pay(const std::string &, int)`. Other names as they are, and those in which brackets mean something else
/// (operators, lambdas, Rust's `<T as U>::f`). Long ones lose their middle.
pub fn shortened_function(name: &str) -> String {
    let is_plain = name.contains('<') && !name.starts_with('<') && !name.contains("operator") && !name.contains('{');
    let shown = is_plain.then(|| shorten(name)).flatten();
    bounded_in_line(shown.as_deref().unwrap_or(name)).into_owned()
}

fn shorten(name: &str) -> Option<String> {
    let split = QualifiedName::split(name);
    let last = split.last()?;
    let list_length = last.parameters().map_or(0, |inside| inside.len() + 2);
    if split.path().len() + list_length + last.behind().len() != name.len() {
        // Its list has no end.
        return None;
    }
    let mut out = String::new();
    // A class's template ends with its component; the names in front of it are part of it.
    let mut shown = 0;
    for prefix in split.prefixes().filter(|prefix| prefix.ends_with('>')).chain([split.path()]) {
        out.push_str(&types_shortened(prefix.get(shown..)?));
        shown = prefix.len();
    }
    if let Some(parameters) = last.parameters() {
        let parameters = list(parameters)?.into_iter().map(types_shortened);
        out.push_str(&format!("({})", parameters.collect::<Vec<_>>().join(", ")));
    }
    out.push_str(last.behind());
    Some(out)
}

/// The longest name in a text that is shortened, in bytes.
const MAX_NAME: usize = 4096;

/// Shortens the names of templates in a text of several lines, as a definition of a class, by the arguments that they
/// have by default: `std::vector<int>`.
pub fn shortened_types(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')).map(|open| at + open) {
        let before = text.get(at..open).unwrap_or_default();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
        let begin = at + before.trim_end_matches(is_part).len();
        let name = text.get(begin..open).unwrap_or_default();
        // The operators `<`, `<<` and `<=>` are no brackets.
        let end = match name.is_empty() || name.ends_with("operator") {
            true => None,
            false => closing(text.get(open..).unwrap_or_default()).map(|length| open + length),
        };
        let (piece, next) = match end {
            Some(end) => (shortened_whole(text.get(begin..end).unwrap_or_default()), end),
            None => (text.get(begin..=open).unwrap_or_default().to_owned(), open + 1),
        };
        out.push_str(text.get(at..begin).unwrap_or_default());
        out.push_str(&piece);
        at = next;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Returns how long the list is that begins with a `<`, up to and with its `>`. `None`: it has no end in this line, or
/// has something else in it than types and numbers.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    for (at, byte) in text.bytes().enumerate().take(MAX_NAME) {
        match byte {
            b'<' => depth += 1,
            b'>' if depth == 1 => return Some(at + 1),
            b'>' => depth -= 1,
            b'\n' | b';' | b'{' | b'"' => return None,
            _ => {}
        }
    }
    None
}

fn types_shortened(text: &str) -> String {
    if text.contains('<') { shortened(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_types_in_a_definition_are_shortened() {
        let string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
        for (text, expected) in [
            (format!("struct s {{\n    {string} name;\n}}"), "struct s {\n    std::string name;\n}"),
            (
                format!("    {string}::iterator at(const std::vector<int, std::allocator<int> > &, {string} *);"),
                "    std::string::iterator at(const std::vector<int> &, std::string *);",
            ),
            ("bool operator<(const s &) const;".to_owned(), "bool operator<(const s &) const;"),
            ("s & operator<<(Box<int>);".to_owned(), "s & operator<<(Box<int>);"),
            ("a<b".to_owned(), "a<b"),
            ("int x; // no <\nBox<char> y;".to_owned(), "int x; // no <\nBox<char> y;"),
        ] {
            assert_eq!(shortened_types(&text), expected);
        }
    }

    #[test]
    fn the_types_in_a_name_are_shortened() {
        let string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
        let map =
            format!("std::map<{string}, int, std::less<{string} >, std::allocator<std::pair<{string} const, int> > >");
        for (name, short) in [
            ("main".to_owned(), "main"),
            (format!("Bank::pay({string} const&, int)"), "Bank::pay(std::string const&, int)"),
            (format!("{map}::at"), "std::map<std::string, int>::at"),
            (format!("{map}::at({string} const&) const"), "std::map<std::string, int>::at(std::string const&) const"),
            (format!("f<{string} >({map}*, void (*)(int, {string}))"), {
                "f<std::string>(std::map<std::string, int>*, void (*)(int, std::string))"
            }),
            ("(anonymous namespace)::f<int>(int)".to_owned(), "(anonymous namespace)::f<int>(int)"),
            (format!("{string}::basic_string()"), "std::string::basic_string()"),
            ("<alloc::vec::Vec<T> as core::ops::Drop>::drop".to_owned(), {
                "<alloc::vec::Vec<T> as core::ops::Drop>::drop"
            }),
            ("a::operator< <int>(a)".to_owned(), "a::operator< <int>(a)"),
            ("f(std::vector<int, std::allocator<int> >".to_owned(), "f(std::vector<int, std::allocator<int> >"),
        ] {
            assert_eq!(shortened_function(&name), short);
        }
    }

    proptest! {
        #[test]
        fn any_name_is_one(name in "[a<>(),: *&{]{0,40}|.{0,40}") {
            shortened_function(&name);
        }
    }
}
