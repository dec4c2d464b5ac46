//! Paths of sources: where they were compiled, and where they are here.

use super::bodies::Source;
use crate::replay::Location;
use base::untrusted::SourceAccess;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the sources of a program are.
#[derive(Debug, Default)]
pub(super) struct SourcePaths {
    /// Directories where the program was compiled, each with where the same files are here, the longest first.
    pairs: Vec<(String, String)>,
    access: SourceAccess,
}

impl SourcePaths {
    /// Creates them of what the editor was told, and of the directories of the recorded program.
    pub(super) fn new(map: BTreeMap<String, String>, program: &[PathBuf]) -> Self {
        let plain = |path: &str| path.trim_end_matches('/').to_owned();
        let mut pairs: Vec<_> = map.iter().map(|(compiled, here)| (plain(compiled), plain(here))).collect();
        pairs.sort_by_key(|(compiled, _)| std::cmp::Reverse(compiled.len()));
        let access = SourceAccess::new(pairs.iter().map(|(_, here)| PathBuf::from(here)));
        Self { pairs, access: access.with_program(program.iter().cloned()) }
    }

    /// Returns where a file is here, by its path where it was compiled.
    pub(super) fn here(&self, compiled: &str) -> String {
        let moved = self.pairs.iter().find_map(|(there, here)| Some(format!("{here}{}", below(compiled, there)?)));
        moved.unwrap_or_else(|| compiled.to_owned())
    }

    /// Returns the path of a file where it was compiled, by the one that it has here.
    pub(super) fn compiled(&self, here: &str) -> String {
        let moved = self.pairs.iter().find_map(|(there, place)| Some(format!("{there}{}", below(here, place)?)));
        moved.unwrap_or_else(|| here.to_owned())
    }

    /// Returns which files are shown as sources.
    pub(super) fn access(&self) -> &SourceAccess {
        &self.access
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
        let refused = path.as_deref().map(|path| self.access.check(Path::new(path)));
        let (origin, presentation_hint) = match &refused {
            Some(Ok(())) => (None, None),
            // An editor that has the path opens the file itself.
            Some(Err(refused)) if refused.is_by_rule() => {
                let (origin, presentation_hint) = (Some(format!("not shown: {refused}")), Some("deemphasize"));
                return Source { name: name.or(Some(file.to_owned())), path: None, origin, presentation_hint };
            }
            Some(Err(_)) | None => (Some("not on this machine".to_owned()), Some("deemphasize")),
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
        let paths = SourcePaths::new(map.map(|(a, b)| (a.to_owned(), b.to_owned())).into(), &[]);
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
    fn an_editor_gets_no_path_that_it_must_not_open() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("shadow");
        std::fs::write(&path, "x").unwrap();
        let source = SourcePaths::default().source_of("shadow", Some(&path));
        assert_eq!((source.name.as_deref(), source.path), (Some("shadow"), None));
        assert!(source.origin.unwrap().starts_with("not shown: refused: "));
        let program = [place.path().to_owned()];
        assert!(SourcePaths::new(BTreeMap::new(), &program).source_of("shadow", Some(&path)).path.is_some());
        let missing = SourcePaths::default().source_of("a.c", Some(Path::new("/none/a.c")));
        assert_eq!(missing.origin.as_deref(), Some("not on this machine"));
    }

    #[test]
    fn the_ends_of_a_path_are_its_components() {
        assert_eq!(ends("/a/b.c").collect::<Vec<_>>(), ["/a/b.c", "a/b.c", "b.c"]);
        assert_eq!(ends("b.c").collect::<Vec<_>>(), ["b.c"]);
    }
}
