//! Places in source files, and their text.

use base::untrusted::SourceAccess;
use engine::model;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No source file that a human or a generator has written is bigger.
const MAX_FILE: u64 = 64 << 20;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Location {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The same as an absolute path, where the program was compiled; `None` if that is not known.
    pub path: Option<PathBuf>,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1; `None` if the compiler has not told.
    pub column: Option<u32>,
}

impl Location {
    /// Creates a location; `None` without file and line.
    pub(super) fn new(file: Option<&str>, path: Option<&str>, line: Option<u32>, column: Option<u32>) -> Option<Self> {
        Some(Self { file: file?.to_owned(), path: path.map(PathBuf::from), line: line?, column })
    }
}

/// `crash.c:12`
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceLine {
    /// Counted from 1.
    pub number: u32,
    /// Without the newline.
    pub text: String,
    /// Whether it is the line that was asked for.
    pub is_current: bool,
}

impl From<model::SourceLine> for SourceLine {
    fn from(line: model::SourceLine) -> Self {
        Self { number: line.number, text: line.text, is_current: line.current }
    }
}

/// Reads so many lines before and behind one of a file that was moved below one of these directories; `None` if none
/// has it.
pub(super) fn found_elsewhere(directories: &[PathBuf], location: &Location, context: u32) -> Option<Vec<SourceLine>> {
    let path = location.path.as_deref().unwrap_or(Path::new(&location.file));
    let access = SourceAccess::new(directories.iter().cloned());
    let text = directories.iter().find_map(|directory| read_below(&access, directory, path))?;
    let (first, last) = (location.line.saturating_sub(context), location.line.saturating_add(context));
    let numbered = (1..).zip(text.lines()).filter(|(number, _)| (first..=last).contains(number));
    let line =
        |(number, text): (u32, &str)| SourceLine { number, text: text.to_owned(), is_current: number == location.line };
    Some(numbered.map(line).collect())
}

/// Reads the file whose path ends as this one does, with as much of it as there is.
fn read_below(access: &SourceAccess, directory: &Path, path: &Path) -> Option<String> {
    let parts: Vec<_> = path.components().filter(|part| matches!(part, std::path::Component::Normal(_))).collect();
    (0..parts.len()).find_map(|skipped| {
        let candidate = directory.join(parts.get(skipped..)?.iter().collect::<PathBuf>());
        let file = access.open(&candidate).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_tree_that_was_moved_is_searched_by_the_end_of_the_path() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("src")).unwrap();
        std::fs::write(directory.path().join("src/a.c"), "one\ntwo\nthree\n").unwrap();
        std::fs::write(directory.path().join("a.c"), "other\n").unwrap();
        let at = |path: &str, line| Location::new(Some("a.c"), Some(path), Some(line), None).unwrap();
        let found = |location: &Location| found_elsewhere(&[directory.path().to_owned()], location, 1);
        let lines = found(&at("/build/tree/src/a.c", 3)).unwrap();
        let shown: Vec<_> = lines.iter().map(|line| (line.number, line.text.as_str(), line.is_current)).collect();
        assert_eq!(shown, [(2, "two", false), (3, "three", true)]);
        assert_eq!(found(&at("/build/elsewhere/a.c", 1)).unwrap()[0].text, "other");
        assert_eq!(found(&at("/build/b.c", 1)), None);
        assert_eq!(found(&at("/build/../../etc/a.c", 1)).unwrap()[0].text, "other", "`..` leads nowhere");
    }
}
