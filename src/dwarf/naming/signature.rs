//! Types of parameters as they are written in sources and as demanglers write them: `const std::string &` is
//! `std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&`.

use std::iter::once;

/// What the standard library's names of strings stand for: the name, and the character.
const STRINGS: [(&str, &str); 5] = [
    ("string", "char"),
    ("wstring", "wchar_t"),
    ("u8string", "char8_t"),
    ("u16string", "char16_t"),
    ("u32string", "char32_t"),
];
/// Namespaces that libraries put their things into without their being named.
const INLINE_NAMESPACES: [&str; 2] = ["std::__cxx11::", "std::__1::"];
/// Letters of a list of parameters that is looked at.
const MAX_LETTERS: usize = 4_000;

/// Returns whether two lists of parameters are of the same types.
pub(super) fn same_types(a: &str, b: &str) -> bool {
    a.len().max(b.len()) <= MAX_LETTERS && canonical(a) == canonical(b)
}

/// Writes the types of a list in one way: without white space, `const` behind what it is of, strings by their names.
fn canonical(list: &str) -> Vec<String> {
    separated(list).into_iter().map(parameter).collect()
}

/// Splits a list at the commas that are not within brackets.
fn separated(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.extend(list.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(list.get(start..));
    parts
}

fn parameter(text: &str) -> String {
    let text = text.trim();
    let (before, rest) = text.strip_prefix("const ").map_or((false, text), |rest| (true, rest));
    let (base, behind) = rest.split_at(declarator(rest));
    let base = base.trim();
    let (after, base) = base.strip_suffix(" const").map_or((false, base), |base| (true, base));
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let mut base = letters(base);
    for namespace in INLINE_NAMESPACES {
        base = base.replace(namespace, "std::");
    }
    for (name, character) in STRINGS {
        let whole = format!("std::basic_string<{character},std::char_traits<{character}>,std::allocator<{character}>>");
        base = base.replace(&whole, &format!("std::{name}"));
    }
    let qualifier = if before || after { " const" } else { "" };
    once(base.as_str()).chain([qualifier, &letters(behind)]).collect()
}

/// Returns where a type goes on behind its base: at the first `*`, `&`, `[` or `(` that is not within brackets.
fn declarator(text: &str) -> usize {
    let mut depth = 0_i32;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            '*' | '&' | '[' | '(' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}
