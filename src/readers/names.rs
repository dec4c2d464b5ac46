//! The names of C++'s library types: which library they are of, and how people write them.

use base::qualified::{bare_path, bounded_in_line, template_arguments};

/// Inline namespaces of `std`, which nobody writes: LLVM's, Android's, that of GNU's new strings, the versioned ones of
/// GNU, and those around the containers of its debug mode.
const INLINE: [&str; 9] =
    ["__1::", "__ndk1::", "__n4861::", "__cxx11::", "__cxx1998::", "__debug::", "__8::", "_V2::", "__fs::"];

/// Returns what is left of a name in `std` without namespaces that nobody writes, and without arguments: `vector` of
/// `std::__1::vector<int, …>`, `filesystem::path` of `std::filesystem::__cxx11::path`.
pub(super) fn in_std(name: &str) -> Option<String> {
    let before = bare_path(name);
    match before.strip_prefix("std::") {
        Some(inside) => Some(without_inline(inside)),
        None => match before {
            // Where GNU's library keeps some of what `std` shows.
            "__gnu_cxx::__normal_iterator" => Some("__normal_iterator".to_owned()),
            "__gnu_debug::_Safe_iterator" | "__gnu_debug::_Safe_local_iterator" => Some("_Safe_iterator".to_owned()),
            _ => None,
        },
    }
}

fn without_inline(name: &str) -> String {
    let mut name = name.to_owned();
    for inline in INLINE {
        if name.starts_with(inline) {
            name.replace_range(..inline.len(), "");
        }
        name = name.replace(&format!("::{inline}"), "::");
    }
    name
}

/// Returns the name of a template as GDB shows it: without arguments, and without a namespace that only tells versions
/// apart.
pub(super) fn title(name: &str) -> String {
    let bare = bare_path(name);
    ["__1::", "__ndk1::", "__8::", "__n4861::"].iter().fold(bare.to_owned(), |name, inline| name.replace(inline, ""))
}

/// How deep arguments may be nested in each other.
const MAX_DEPTH: usize = 32;

/// Returns the name of a type as people write it: without the arguments that a template has by default, `std::map<int,
/// std::string>`, and without Rust's allocators and hashers, `alloc::vec::Vec<i32>`. Long ones lose their middle.
pub fn shortened(name: &str) -> String {
    bounded_in_line(&shorten(name, MAX_DEPTH)).into_owned()
}

/// Returns the same of a name of any length.
pub(super) fn shortened_whole(name: &str) -> String {
    shorten(name, MAX_DEPTH)
}

fn shorten(name: &str, depth: usize) -> String {
    // What stands around the name of a class: `const … &`, `&…`.
    let whole = |name: &str| name.to_owned();
    let Some(depth) = depth.checked_sub(1) else { return whole(name) };
    let (Some(open), Some(close)) = (name.find('<'), name.rfind('>')) else { return whole(&plain(name)) };
    if open == 0 || close < open {
        return whole(name);
    }
    let (head, after) = (&name[..=close], &name[close + 1..]);
    let start = head[..open].rfind([' ', '&', '*', '(']).map_or(0, |at| at + 1);
    let (before, template) = head.split_at(start);
    let Some((base, list)) = template_arguments(template) else { return whole(name) };
    if list.iter().any(|argument| argument.is_empty()) {
        return whole(name);
    }
    let short: Vec<String> = list.iter().map(|argument| shorten(argument, depth)).collect();
    let base = plain(base);
    let text = known(&base, &short).unwrap_or_else(|| format!("{base}<{}>", without_defaults(&base, short).join(", ")));
    format!("{before}{text}{after}")
}

/// Returns a name without inline namespaces of `std`.
fn plain(name: &str) -> String {
    match name.strip_prefix("std::") {
        Some(inside) => format!("std::{}", without_inline(inside)),
        None => name.to_owned(),
    }
}

fn is_rust(base: &str) -> bool {
    ["alloc::", "std::collections::", "core::"].iter().any(|root| base.starts_with(root))
}

/// Returns the name of a template that has one of its own for these arguments.
fn known(base: &str, arguments: &[String]) -> Option<String> {
    let is_view = match base {
        "std::basic_string" => false,
        "std::basic_string_view" => true,
        _ => return None,
    };
    let prefix = match arguments.first()?.as_str() {
        "char" => "",
        "wchar_t" => "w",
        "char8_t" => "u8",
        "char16_t" => "u16",
        "char32_t" => "u32",
        _ => return None,
    };
    let usual = arguments[1..].iter().all(|a| a.starts_with("std::char_traits<") || a.starts_with("std::allocator<"));
    usual.then(|| format!("std::{prefix}string{}", if is_view { "_view" } else { "" }))
}

/// Cuts off the last arguments as long as they are what they would be if nobody gave them.
fn without_defaults(base: &str, mut arguments: Vec<String>) -> Vec<String> {
    while let Some(last) = arguments.last() {
        let of_first = |template: &str| arguments.first().is_some_and(|first| *last == format!("{template}<{first}>"));
        let is_default = match base.strip_prefix("std::") {
            Some("vector" | "deque" | "list" | "forward_list") => of_first("std::allocator"),
            Some("set" | "multiset") => of_first("std::less") || of_first("std::allocator"),
            Some("unordered_set" | "unordered_multiset") => {
                ["std::hash", "std::equal_to", "std::allocator"].iter().any(|t| of_first(t))
            }
            Some("map" | "multimap") => of_first("std::less") || is_pair_allocator(last),
            Some("unordered_map" | "unordered_multimap") => {
                of_first("std::hash") || of_first("std::equal_to") || is_pair_allocator(last)
            }
            Some("unique_ptr") => of_first("std::default_delete"),
            Some("stack" | "queue") => of_first("std::deque"),
            Some("priority_queue") => of_first("std::less") || of_first("std::vector"),
            Some(inside) if inside.starts_with("collections::") => {
                last == "alloc::alloc::Global" || last.ends_with("::RandomState")
            }
            _ if is_rust(base) => last == "alloc::alloc::Global",
            _ => false,
        };
        if !is_default || arguments.len() == 1 {
            break;
        }
        arguments.pop();
    }
    arguments
}

fn is_pair_allocator(name: &str) -> bool {
    name.starts_with("std::allocator<std::pair<")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_names_are_recognised_whatever_their_version() {
        for (name, bare) in [
            ("std::vector<int, std::allocator<int> >", Some("vector")),
            ("std::__1::vector<int>", Some("vector")),
            ("std::__cxx11::basic_string<char>", Some("basic_string")),
            ("std::filesystem::__cxx11::path", Some("filesystem::path")),
            ("std::__1::__fs::filesystem::path", Some("filesystem::path")),
            ("std::__debug::map<int, int>", Some("map")),
            ("__gnu_cxx::__normal_iterator<int*>", Some("__normal_iterator")),
            ("shop::vector<int>", None),
            ("stdx::vector", None),
        ] {
            assert_eq!(in_std(name).as_deref(), bare, "{name}");
        }
        assert_eq!(title("std::__1::vector<int>"), "std::vector");
        assert_eq!(title("std::__cxx11::list<int>"), "std::__cxx11::list");
    }

    #[test]
    fn names_are_shortened_as_people_write_them() {
        let string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
        for (name, short) in [
            (string.to_owned(), "std::string"),
            (format!("const {string} &"), "const std::string &"),
            (format!("std::vector<{string}, std::allocator<{string} > >"), "std::vector<std::string>"),
            (
                format!("std::map<int, {string}, std::less<int>, std::allocator<std::pair<int const, {string} > > >"),
                "std::map<int, std::string>",
            ),
            ("std::vector<int, mine<int> >".to_owned(), "std::vector<int, mine<int>>"),
            ("std::__1::vector<int, std::__1::allocator<int> > *".to_owned(), "std::vector<int> *"),
            ("std::unique_ptr<T, std::default_delete<T> >".to_owned(), "std::unique_ptr<T>"),
            ("alloc::vec::Vec<i32, alloc::alloc::Global>".to_owned(), "alloc::vec::Vec<i32>"),
            (
                "std::collections::hash::map::HashMap<&str, i32, std::hash::random::RandomState>".to_owned(),
                "std::collections::hash::map::HashMap<&str, i32>",
            ),
            ("&alloc::vec::Vec<i32, alloc::alloc::Global>".to_owned(), "&alloc::vec::Vec<i32>"),
            ("int (*)(std::vector<int, std::allocator<int> >)".to_owned(), "int (*)(std::vector<int>)"),
            ("struct node *".to_owned(), "struct node *"),
            ("operator<".to_owned(), "operator<"),
            ("a<b>c<".to_owned(), "a<b>c<"),
        ] {
            assert_eq!(shortened(&name), short, "{name}");
        }
    }

    #[test]
    fn odd_names_are_left_alone() {
        for name in ["", "<", ">", "a<", "a>b<c", "a<,>", "<<>>", "a<b>>"] {
            let _ = shortened(name);
            let _ = in_std(name);
        }
        let deep = format!("{}int{}", "a<".repeat(500), ">".repeat(500));
        assert!(shortened(&deep).len() <= deep.len());
    }
}
