//! Types and template names in one spelling, whatever compiler, demangler or person wrote them: GCC's
//! `Two<long unsigned int, Box<char> >` is Clang's `Two<unsigned long, Box<char>>`, with any white space.

use super::integer_types::integer_spellings;
use super::{Component, QualifiedName, list};

/// Namespaces that libraries put their things into without their being named.
const INLINE_NAMESPACES: [&str; 3] = ["__cxx11", "__1", "__debug"];
/// What the standard library's names of strings stand for: the name, and the character.
const STRINGS: [(&str, &str); 5] = [
    ("string", "char"),
    ("wstring", "wchar_t"),
    ("u8string", "char8_t"),
    ("u16string", "char16_t"),
    ("u32string", "char32_t"),
];
/// The arguments that the standard library's templates take when they are left out (ISO C++20, the synopses of chapters
/// 20 to 24): the template, how many arguments it needs, and the others. `0` and `1` stand for its first two.
const DEFAULTS: [(&[&str], usize, &[&str]); 9] = [
    (&["vector", "deque", "list", "forward_list"], 1, &["allocator<0>"]),
    (&["set", "multiset"], 1, &["less<0>", "allocator<0>"]),
    (&["map", "multimap"], 2, &["less<0>", "allocator<pair<0 const,1>>"]),
    (&["unordered_set", "unordered_multiset"], 1, &["hash<0>", "equal_to<0>", "allocator<0>"]),
    (&["unordered_map", "unordered_multimap"], 2, &["hash<0>", "equal_to<0>", "allocator<pair<0 const,1>>"]),
    (&["basic_string"], 1, &["char_traits<0>", "allocator<0>"]),
    (&["basic_string_view"], 1, &["char_traits<0>"]),
    (&["unique_ptr"], 1, &["default_delete<0>"]),
    (&["stack", "queue"], 1, &["deque<0>"]),
];
/// Letters of a name that is compared in one spelling.
const MAX_LETTERS: usize = 4_000;
/// Brackets within brackets that are looked into.
const DEEPEST: usize = 24;

/// Returns whether two names of things, with the scopes around them, mean the same in different spellings.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || either_is_template(a, b) && canonical_name(a) == canonical_name(b)
}

/// Returns whether two types are the same in different spellings.
fn same_type(a: &str, b: &str) -> bool {
    a == b || a.len().max(b.len()) <= MAX_LETTERS && of_type(a, 0) == of_type(b, 0)
}

/// Returns whether two lists of parameters are of the same types.
pub fn same_types(a: &str, b: &str) -> bool {
    match (list(a), list(b)) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_type(a, b)),
        _ => false,
    }
}

/// Only of templates are there several spellings, and of those a name has both brackets.
fn either_is_template(a: &str, b: &str) -> bool {
    a.contains('<') && b.contains('<') && a.len().max(b.len()) <= MAX_LETTERS
}

/// Writes a name with the scopes around it in one way. What is behind the last component stays as it is.
pub fn canonical_name(name: &str) -> String {
    of_name(name, 0)
}

fn of_name(name: &str, depth: usize) -> String {
    let split = QualifiedName::split(name.trim());
    let all = split.components();
    let is_standard = all.first().is_some_and(|first| first.text == "std");
    let named = all.iter().filter(|component| !(is_standard && INLINE_NAMESPACES.contains(&component.text)));
    let parts: Vec<String> =
        named.map(|component| of_component(component, is_standard || all.len() == 1, depth)).collect();
    match parts.as_slice() {
        [std, string] if std == "std" => match STRINGS.iter().find(|(name, _)| name == string) {
            Some((_, character)) => format!("std::basic_string<{character}>"),
            None => parts.join("::"),
        },
        _ => parts.join("::"),
    }
}

/// Writes one component. One that stands alone may be of the standard library, as its scopes are compared elsewhere.
fn of_component(component: &Component<'_>, may_be_standard: bool, depth: usize) -> String {
    let name = component.name();
    let Some(inside) = component.arguments.and_then(|at| name.get(at + 1..)?.trim_end().strip_suffix('>')) else {
        return component.text.to_owned();
    };
    // Behind ABI tags, arguments are not at the first bracket.
    let Some(arguments) = list(inside).filter(|_| depth < DEEPEST) else { return letters(component.text) };
    let mut arguments: Vec<String> = arguments.into_iter().map(|argument| of_argument(argument, depth + 1)).collect();
    let bare = component.bare();
    if may_be_standard {
        remove_defaults(bare, &mut arguments);
    }
    let behind = component.text.get(name.len()..).unwrap_or_default();
    format!("{bare}<{}>{behind}", arguments.join(","))
}

/// Removes the last arguments that a template of the standard library would have without them.
fn remove_defaults(template: &str, arguments: &mut Vec<String>) {
    let Some((_, needed, defaults)) = DEFAULTS.iter().find(|(names, ..)| names.contains(&template)) else { return };
    let (first, second) = (arguments.first().cloned(), arguments.get(1).cloned());
    let filled = |pattern: &str| {
        let with = |of: &Option<String>| format!("\u{1}{}", of.as_deref().unwrap_or_default());
        let text = pattern.replace('0', &with(&first)).replace('1', &with(&second));
        text.replace('\u{1}', "")
    };
    while arguments.len() > *needed
        && let (Some(last), Some(default)) = (arguments.last(), defaults.get(arguments.len() - 1 - needed))
        && without_std(last) == without_std(&filled(default))
    {
        arguments.pop();
    }
}

fn without_std(text: &str) -> String {
    text.replace("std::", "")
}

fn of_argument(argument: &str, depth: usize) -> String {
    match value(argument) {
        Some(value) => value,
        None => of_type(argument, depth),
    }
}

/// Writes an argument that is a constant: GCC has `3ul`, `(char)65` and `(Colour)1` where Clang has `3UL`, `'A'` and
/// `(Colour)1`, or nothing behind or before the number.
fn value(argument: &str) -> Option<String> {
    let argument = argument.trim();
    let number = match argument.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((_, number)) => number.trim(),
        None => argument,
    };
    if let Some(character) = number.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut characters = character.chars();
        return match (characters.next(), characters.next()) {
            (Some(only), None) if only != '\\' => Some(u32::from(only).to_string()),
            _ => None,
        };
    }
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| format!("{sign}{digits}"))
}

fn of_type(text: &str, depth: usize) -> String {
    if depth >= DEEPEST {
        return letters(text);
    }
    let text = text.trim();
    let (base, behind) = text.split_at(declarator(text));
    let (mut is_const, mut is_volatile) = (false, false);
    let mut words = Vec::new();
    for word in words_of(base) {
        match word {
            "const" => is_const = true,
            "volatile" => is_volatile = true,
            "struct" | "class" | "union" | "enum" | "typename" => {}
            _ => words.push(word),
        }
    }
    let whole = words.join(" ");
    // The last spelling is the one with the fewest words.
    let integer = integer_spellings(&whole).and_then(|mut spellings| spellings.pop());
    let mut out = integer.unwrap_or_else(|| match words.as_slice() {
        [only] => of_name(only, depth),
        _ => whole,
    });
    out += if is_const { " const" } else { "" };
    out += if is_volatile { " volatile" } else { "" };
    out + &declared(behind, depth)
}

/// Splits the base of a type into its words; brackets keep together what is in them.
fn words_of(base: &str) -> Vec<&str> {
    let (mut words, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in base.char_indices() {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && depth == 0 => {
                // `Box <int>` is one word.
                let next = base.get(at..).unwrap_or_default().trim_start();
                if !next.starts_with('<') && !next.starts_with("::") {
                    words.extend(base.get(start..at));
                    start = at;
                }
            }
            _ => {}
        }
    }
    words.extend(base.get(start..));
    words.into_iter().map(str::trim).filter(|word| !word.is_empty()).collect()
}

/// Writes what is behind the base of a type: `*`, `const&`, `[3]`, `(*)(int, char)`.
fn declared(behind: &str, depth: usize) -> String {
    let mut out = String::new();
    let mut rest = behind;
    while let Some(open) = rest.find('(') {
        let (before, group) = rest.split_at(open);
        out += &letters(before);
        let Some(close) = closing(group) else { break };
        let inside = group.get(1..close).unwrap_or_default();
        let is_declarator = inside.trim_start().starts_with(['*', '&']) || inside.trim_end().ends_with("::*");
        out += &match list(inside).filter(|_| !is_declarator) {
            Some(types) if types == ["void"] => "()".to_owned(),
            Some(types) => {
                let types: Vec<String> = types.into_iter().map(|one| of_type(one, depth + 1)).collect();
                format!("({})", types.join(","))
            }
            None => letters(&format!("({inside})")),
        };
        rest = group.get(close + 1..).unwrap_or_default();
    }
    out + &letters(rest)
}

/// Returns where the bracket that the text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns where a type goes on behind its base: at the first `*`, `&`, `[` or `(` that is not within brackets, and
/// begins no name such as `(anonymous namespace)::Box`.
fn declarator(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        let is_name = || {
            closing(text.get(at..).unwrap_or_default())
                .is_some_and(|end| text.get(at + end + 1..).is_some_and(|rest| rest.starts_with("::")))
        };
        match c {
            '<' | '{' => depth += 1,
            '>' | '}' => depth = depth.saturating_sub(1),
            '(' if is_name() => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '*' | '&' | '[' | '(' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_the_same_in_the_spellings_of_all_compilers() {
        for (a, b) in [
            ("Wrap<long>", "Wrap<long int>"),
            ("Wrap<Wrap<long>>", "Wrap<Wrap<long int> >"),
            ("Two<unsigned, Wrap<unsigned char>>", "Two<unsigned int, Wrap<unsigned char> >"),
            ("a::Two<int,long long>::Inner", "a::Two<int, long long int>::Inner"),
            ("Array<int, 3>", "Array<int, 3ul>"),
            ("Array<int, 3UL>", "Array<int, 3ul>"),
            ("Letter<'A'>", "Letter<(char)65>"),
            ("Shade<(Colour)1>", "Shade<1>"),
            ("Of<const char *>", "Of<char const*>"),
            ("Of<struct S>", "Of<S>"),
            ("Of<unsigned __int128>", "Of<__int128 unsigned>"),
            ("Call<int (long)>", "Call<int (long int)>"),
            ("Call<void (*)(unsigned, char)>", "Call<void(*)(unsigned int, char)>"),
            ("Call<int (void)>", "Call<int ()>"),
            ("Of<(anonymous namespace)::S<long>>", "Of<(anonymous namespace)::S<long int> >"),
            ("std::vector<int>", "std::vector<int, std::allocator<int> >"),
            ("vector<long>", "vector<long int, std::allocator<long int> >"),
            (
                "std::map<int, long>",
                "std::map<int, long int, std::less<int>, std::allocator<std::pair<int const, long int> > >",
            ),
            (
                "std::vector<std::string>",
                "std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, \
                 std::allocator<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > >",
            ),
            ("std::unique_ptr<Node<int>>", "std::unique_ptr<Node<int>, std::default_delete<Node<int> > >"),
        ] {
            assert!(same_name(a, b), "{a} and {b}: {} and {}", canonical_name(a), canonical_name(b));
        }
    }

    #[test]
    fn other_templates_are_others() {
        for (a, b) in [
            ("Wrap<long>", "Wrap<int>"),
            ("Wrap<long>", "Wrap<long long>"),
            ("Wrap<unsigned>", "Wrap<int>"),
            ("Wrap<char>", "Wrap<signed char>"),
            ("Of<const int *>", "Of<int *const>"),
            ("Of<int *>", "Of<int &>"),
            ("Array<int, 3>", "Array<int, 4>"),
            ("Array<int, -3>", "Array<int, 3>"),
            ("Of<a::S>", "Of<b::S>"),
            ("Of<int [3]>", "Of<int [4]>"),
            ("Call<int (*)(int)>", "Call<int (*)(long)>"),
            ("mine::vector<int>", "mine::vector<int, mine::allocator<int> >"),
            ("std::vector<int>", "std::vector<int, Pool<int> >"),
            ("Wrap", "Wrap<int>"),
        ] {
            assert!(!same_name(a, b), "{a} and {b}: {} and {}", canonical_name(a), canonical_name(b));
        }
    }

    #[test]
    fn any_text_has_an_end() {
        let deep = "A<".repeat(1_900);
        assert!(!same_name(&deep, &format!("{deep}>")));
        for text in ["", "<", ">", "A<(>", "A<)>", "A<'>", "A<-u>", "A<(int>", "operator<", "operator< <long>"] {
            assert_eq!(canonical_name(text), canonical_name(text));
        }
        assert!(same_name("operator< <long>", "operator< <long int>"));
    }
}
