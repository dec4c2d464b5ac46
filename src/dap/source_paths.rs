//! Paths of sources: where they were compiled, and where they are here.

use super::bodies::Source;
use crate::replay::Location;
use std::collections::BTreeMap;
use std::path::Path;

/// Directories where the program was compiled, each with where the same files are here, the longest first.
#[derive(Debug, Default)]
pub(super) struct SourcePaths(Vec<(String, String)>);

impl SourcePaths {
    /// Creates them of what the editor was told.
    pub(super) fn new(map: BTreeMap<String, String>) -> Self {
        let plain = |path: &str| path.trim_end_matches('/').to_owned();
        let mut pairs: Vec<_> = map.iter().map(|(compiled, here)| (plain(compiled), plain(here))).collect();
        pairs.sort_by_key(|(compiled, _)| std::cmp::Reverse(compiled.len()));
        Self(pairs)
    }

    /// Returns where a file is here, by its path where it was compiled.
    pub(super) fn here(&self, compiled: &str) -> String {
        let moved = self.0.iter().find_map(|(there, here)| Some(format!("{here}{}", below(compiled, there)?)));
        moved.unwrap_or_else(|| compiled.to_owned())
    }

    /// Returns the path of a file where it was compiled, by the one that it has here.
    pub(super) fn compiled(&self, here: &str) -> String {
        let moved = self.0.iter().find_map(|(there, place)| Some(format!("{there}{}", below(here, place)?)));
        moved.unwrap_or_else(|| here.to_owned())
    }

    /// Returns the source that a location is in, as editors take it.
    pub(super) fn source(&self, location: &Location) -> Source {
        self.source_of(&location.file, location.path.as_deref())
    }

    /// Returns a source as editors take it. `file`: as the compiler was given it.
    pub(super) fn source_of(&self, file: &str, path: Option<&Path>) -> Source {
        let compiled = path.map(|path| path.to_string_lossy().into_owned());
        let path = compiled.map(|compiled| self.here(&compiled));
        let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
        let is_here = path.as_deref().is_some_and(|path| Path::new(path).is_file());
        let (origin, presentation_hint) = match is_here {
            true => (None, None),
            false => (Some("not on this machine".to_owned()), Some("deemphasize")),
        };
        Source { name: name.or(Some(file.to_owned())), path, origin, presentation_hint }
    }
}

/// Returns the rest of a path behind a directory that it is below; it begins with a slash, or is empty.
fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    path.strip_prefix(directory).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Lists a path and its ends, the longest first: `/a/b.c`, `a/b.c`, `b.c`.
pub(super) fn ends(path: &str) -> impl Iterator<Item = &str> {
    let after = |(at, _): (usize, &str)| path.get(at + 1..).filter(|rest| !rest.is_empty());
    std::iter::once(path).chain(path.match_indices('/').filter_map(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_was_moved_is_found_both_ways() {
        let map = [("/build", "/home/me"), ("/build/deep/", "/srv/deep")];
        let paths = SourcePaths::new(map.map(|(a, b)| (a.to_owned(), b.to_owned())).into());
        for (compiled, here) in [
            ("/build/a.c", "/home/me/a.c"),
            ("/build/deep/a.c", "/srv/deep/a.c"),
            ("/builder/a.c", "/builder/a.c"),
            ("/usr/a.c", "/usr/a.c"),
        ] {
            assert_eq!((paths.here(compiled), paths.compiled(here)), (here.to_owned(), compiled.to_owned()));
        }
    }

    #[test]
    fn the_ends_of_a_path_are_its_components() {
        assert_eq!(ends("/a/b.c").collect::<Vec<_>>(), ["/a/b.c", "a/b.c", "b.c"]);
        assert_eq!(ends("b.c").collect::<Vec<_>>(), ["b.c"]);
    }
}
