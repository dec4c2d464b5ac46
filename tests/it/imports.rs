//! What a file names of the crate: enough of Rust's paths to see which module uses which.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

/// A file of the crate by its path as a module, without `crate`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Module(Vec<String>);

impl Module {
    /// Of a file, whose path counts from its crate's directory.
    pub fn of(file: &Path) -> Self {
        let mut parts: Vec<String> =
            file.with_extension("").components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        parts.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
        Self(parts)
    }

    /// The last part of its path.
    pub fn last(&self) -> &str {
        self.0.last().map(String::as_str).unwrap_or_default()
    }

    /// The room that the file is in, if it is in one: the module of its crate, or of a module of that.
    pub fn room(&self, outer: Option<&str>) -> Option<&str> {
        let (first, second) = (self.0.first().map(String::as_str), self.0.get(1).map(String::as_str));
        if outer.is_none() { first } else { second.filter(|_| first == outer) }
    }

    /// Whether this is the file that has what a path leads to, among all files.
    pub fn is_file_of(&self, path: &str, all: &BTreeSet<&Module>) -> bool {
        let parts: Vec<String> = path.split("::").skip(1).map(str::to_owned).collect();
        let longest = (0..=parts.len()).rev().map(|n| Module(parts[..n].to_vec())).find(|module| all.contains(module));
        longest.as_ref() == Some(self)
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("::"))
    }
}

/// The paths that a file names, each from `crate` on.
pub struct Imports(BTreeSet<String>);

impl Imports {
    /// Those of a module, but for its tests. Restrictions of visibility name nothing.
    pub fn of(module: &Module, text: &str) -> Self {
        let text = code(without_tests(text));
        let mut found = BTreeSet::new();
        let mut before = ' ';
        let mut at = 0;
        while let Some(rest) = text.get(at..)
            && let Some(c) = rest.chars().next()
        {
            let word: &str = rest.split(|c: char| !is_identifier(c)).next().unwrap_or_default();
            let is_start = matches!(word, "crate" | "super" | "self") && before != ':' && before != '.';
            let is_path = rest.get(word.len()..).is_some_and(|rest| rest.starts_with("::"));
            let is_visibility = ["pub(in ", "pub("].iter().any(|open| text[..at].ends_with(open));
            if is_start && is_path && !is_visibility {
                let tree = &rest[..end_of_tree(rest)];
                expand("", tree, &mut found);
            }
            let length = if word.is_empty() { c.len_utf8() } else { word.len() };
            before = text[..at + length].chars().next_back().unwrap_or(' ');
            at += length;
        }
        Self(found.iter().filter_map(|path| absolute(module, path)).collect())
    }

    /// Each of them, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The part of a file before the test module at its end.
pub fn without_tests(text: &str) -> &str {
    let is_last = |at: &usize| text[*at..].trim_end().ends_with('}') && text[*at..].matches("\n}\n").count() <= 1;
    let begins = |at: &usize| text[*at..].lines().nth(1).is_some_and(|line| line.ends_with("mod tests {"));
    let inline = text.match_indices("#[cfg(test)]\n").map(|(at, _)| at).find(begins).filter(is_last);
    let elsewhere = text.trim_end().strip_suffix("#[cfg(test)]\nmod tests;").map(str::len);
    text.get(..inline.or(elsewhere).unwrap_or(text.len())).unwrap_or(text)
}

fn is_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A text without comments, and without items for tests on one line.
fn code(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut is_for_tests = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let is_item = line.trim_end().ends_with([';', ',']);
        if !(is_for_tests && is_item) {
            lines.push(line);
        }
        is_for_tests = line.trim() == "#[cfg(test)]";
    }
    lines.join("\n")
}

/// Where a path, or a tree of them, ends.
fn end_of_tree(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        let opens = c == '{' && (depth > 0 || text[..at].ends_with("::"));
        match c {
            '{' if opens => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' if depth > 0 => depth -= 1,
            _ if depth > 0 || is_identifier(c) || c == ':' => {}
            _ => return at,
        }
    }
    text.len()
}

/// Adds each path of a tree.
fn expand(before: &str, tree: &str, found: &mut BTreeSet<String>) {
    let tree = tree.trim();
    let Some((path, group)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default().trim();
        let path = if name == "self" && !before.is_empty() {
            before.trim_end_matches("::").to_owned()
        } else {
            format!("{before}{name}")
        };
        if !name.is_empty() {
            found.insert(path.trim_end_matches(':').to_owned());
        }
        return;
    };
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                expand(&format!("{before}{path}"), &group[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// A path from `crate` on. `None` if it leads out of the crate.
fn absolute(module: &Module, path: &str) -> Option<String> {
    let mut base: Vec<&str> = module.0.iter().map(String::as_str).collect();
    let mut parts = path.split("::").peekable();
    match parts.next()? {
        "crate" => base.clear(),
        "super" => {
            base.pop()?;
            while parts.next_if_eq(&"super").is_some() {
                base.pop()?;
            }
        }
        _ => {}
    }
    base.extend(parts);
    Some([vec!["crate"], base].concat().join("::"))
}

/// The largest groups of nodes each of which leads to all others, those of one node left out (Kosaraju's algorithm).
pub fn circles<N: Ord + Copy>(edges: &BTreeMap<N, BTreeSet<N>>) -> Vec<BTreeSet<N>> {
    let forwards = |node: N| edges.get(&node).into_iter().flatten().copied().collect();
    let backwards = |node: N| edges.iter().filter(|(_, to)| to.contains(&node)).map(|(from, _)| *from).collect();
    let (mut order, mut known) = (Vec::new(), BTreeSet::new());
    edges.keys().for_each(|start| follow(*start, &forwards, &mut known, &mut order));
    known.clear();
    let mut circles = Vec::new();
    for start in order.into_iter().rev() {
        let mut circle = Vec::new();
        follow(start, &backwards, &mut known, &mut circle);
        if circle.len() > 1 {
            circles.push(circle.into_iter().collect());
        }
    }
    circles
}

/// Adds what can be reached from a node, each behind what it leads to.
fn follow<N: Ord + Copy>(node: N, next: &dyn Fn(N) -> Vec<N>, known: &mut BTreeSet<N>, order: &mut Vec<N>) {
    if known.insert(node) {
        next(node).into_iter().for_each(|other| follow(other, next, known, order));
        order.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let module = Module::of(Path::new("dwarf/names/index.rs"));
        Imports::of(&module, text).paths().map(str::to_owned).collect()
    }

    #[test]
    fn files_are_modules() {
        assert_eq!(Module::of(Path::new("dwarf/names/mod.rs")).to_string(), "dwarf::names");
        let index = Module::of(Path::new("dwarf/names/index.rs"));
        assert_eq!((index.to_string().as_str(), index.last()), ("dwarf::names::index", "index"));
        let rooms = (index.room(None), index.room(Some("dwarf")), index.room(Some("engine")));
        assert_eq!(rooms, (Some("dwarf"), Some("names"), None));
        assert_eq!(Module::of(Path::new("lib.rs")).room(None), None);
    }

    #[test]
    fn paths_are_counted_from_the_crate() {
        assert_eq!(paths("use crate::arch::Arch;"), ["crate::arch::Arch"]);
        assert_eq!(paths("use super::entry::Name;"), ["crate::dwarf::names::entry::Name"]);
        assert_eq!(paths("use self::inner::Name;"), ["crate::dwarf::names::index::inner::Name"]);
        assert_eq!(paths("use super::super::units::Units;"), ["crate::dwarf::units::Units"]);
        assert_eq!(paths("use std::fmt; use gimli::Section;"), [""; 0]);
    }

    #[test]
    fn groups_are_taken_apart() {
        let nested = "use crate::{\n    arch::{Arch, LinkAddr as Address},\n    ctype::{self, Type},\n};";
        let found = ["crate::arch::Arch", "crate::arch::LinkAddr", "crate::ctype", "crate::ctype::Type"];
        assert_eq!(paths(nested), found);
    }

    #[test]
    fn paths_within_code_count_and_what_is_no_path_does_not() {
        assert_eq!(paths("fn f() { crate::rr::find(1) }"), ["crate::rr::find"]);
        assert_eq!(paths("let a = [super::one::A, super::two::B];").len(), 2);
        assert_eq!(paths("pub(in crate::dwarf) fn f() {}\npub(super) fn g(&self) { self.x() }"), [""; 0]);
        assert_eq!(paths("// use crate::rr;\n/// [`a`](crate::rr::a)\nfn f() {}"), [""; 0]);
        assert_eq!(paths("let x = my_crate::a; let y = other::crate_::b;"), [""; 0]);
    }

    #[test]
    fn tests_do_not_count_but_what_stands_behind_an_item_for_tests_does() {
        assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests {\n    use crate::b;\n}\n"), "a\n");
        assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests;\n"), "a\n");
        let early = "a\n#[cfg(test)]\nuse crate::b;\nc\n";
        assert_eq!(without_tests(early), early);
        let in_between = "a\n#[cfg(test)]\nmod tests {\n}\nfn b() {\n}\n";
        assert_eq!(without_tests(in_between), in_between);
        assert_eq!(paths("#[cfg(test)]\nuse crate::b;\nuse crate::c;"), ["crate::c"]);
    }

    #[test]
    fn the_longest_module_is_the_file_of_a_path() {
        let (outer, inner) = (Module::of(Path::new("a/mod.rs")), Module::of(Path::new("a/b.rs")));
        let all = BTreeSet::from([&outer, &inner]);
        assert!(inner.is_file_of("crate::a::b::Name", &all) && !outer.is_file_of("crate::a::b::Name", &all));
        assert!(outer.is_file_of("crate::a::Name", &all));
    }

    #[test]
    fn circles_are_found_and_nothing_else() {
        let edges = BTreeMap::from([
            (1, BTreeSet::from([2])),
            (2, BTreeSet::from([3])),
            (3, BTreeSet::from([1, 4])),
            (4, BTreeSet::from([5])),
            (5, BTreeSet::from([4, 6])),
            (6, BTreeSet::new()),
        ]);
        let mut found = circles(&edges);
        found.sort();
        assert_eq!(found, [BTreeSet::from([1, 2, 3]), BTreeSet::from([4, 5])]);
    }
}
