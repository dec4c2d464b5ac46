//! Names of functions as people write them.

use super::names::shortened;

/// The name of a C++ function with the types in it [`shortened`]: `std::map<int, std::string>::at`, `pay(const
/// std::string &, int)`. Other names as they are, and those in which brackets mean something else (operators, lambdas,
/// Rust's `<T as U>::f`).
pub fn shortened_function(name: &str) -> String {
    let is_plain = name.contains('<') && !name.starts_with('<') && !name.contains("operator") && !name.contains('{');
    is_plain.then(|| shorten(name)).flatten().unwrap_or_else(|| name.to_owned())
}

fn shorten(name: &str) -> Option<String> {
    let mut out = String::new();
    // Where the text begins that is not in `out` yet.
    let mut start = 0;
    let mut depth = 0usize;
    let bytes = name.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            // `(anonymous namespace)::f`
            b'(' if depth == 0 && at > start && !name[..at].ends_with("::") => {
                out.push_str(&types_shortened(&name[start..at]));
                let (parameters, behind) = inside_of_parentheses(&name[at..])?;
                out.push_str(&format!("({})", parameters.map(types_shortened).collect::<Vec<_>>().join(", ")));
                out.push_str(behind);
                return Some(out);
            }
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth = depth.checked_sub(1)?,
            // A class's template ends here; the names in front of it are part of it.
            b':' if depth == 0 && bytes[at - usize::from(at > 0)] == b'>' => {
                out.push_str(&types_shortened(&name[start..at]));
                start = at;
            }
            _ => {}
        }
    }
    out.push_str(&types_shortened(&name[start..]));
    (depth == 0).then_some(out)
}

/// The parameters of a list at the beginning of a text, and what comes behind it.
fn inside_of_parentheses(text: &str) -> Option<(impl Iterator<Item = &str>, &str)> {
    let mut depth = 0usize;
    let mut commas = vec![0];
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth = depth.checked_sub(1)?,
            b',' if depth == 1 => commas.push(at),
            _ => {}
        }
        if depth == 0 {
            commas.push(at);
            let list = commas.windows(2).map(|two| text[two[0] + 1..two[1]].trim()).collect::<Vec<_>>();
            return Some((list.into_iter(), &text[at + 1..]));
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
