//! Source files, read from where the debug info says that they were when the program was compiled.

use crate::engine::api::error::Error;
use crate::engine::api::{SourceLine, SourceText};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No source file that a human or a generator has written is bigger.
const MAX_FILE: u64 = 64 << 20;
/// Longer lines are cut: generated code, not something to read.
const MAX_LINE: usize = 4096;
/// Most lines in one answer.
const MAX_LINES: u32 = 2000;

/// The source file read last: stops come in the same file again and again.
#[derive(Default)]
pub(in crate::engine) struct Sources {
    last: Option<(PathBuf, Vec<String>)>,
    /// Beginnings of paths, and what they are here.
    pub(in crate::engine) substitutes: Vec<(String, String)>,
    /// Directories in which files are looked for that are not where they were.
    pub(in crate::engine) directories: Vec<PathBuf>,
}

impl Sources {
    /// Reads `count` lines around `line`, which is marked. Fewer at the ends of the file.
    pub(in crate::engine) fn around(&mut self, path: &Path, line: u32, count: u32) -> Result<SourceText, Error> {
        let count = count.clamp(1, MAX_LINES);
        let lines = self.lines(path)?;
        let last_line = u32::try_from(lines.len()).unwrap_or(u32::MAX);
        if line == 0 || line > last_line {
            let valid = format!("{} has lines 1–{last_line}", path.display());
            return Err(Error::OutOfRange { what: "line", given: line.into(), valid });
        }
        let first = line.saturating_sub(count / 2).clamp(1, (last_line + 1).saturating_sub(count).max(1));
        let shown = (first..).zip(lines.iter().skip(first as usize - 1)).take(count as usize);
        let lines = shown.map(|(number, text)| SourceLine { number, text: text.clone(), current: number == line });
        let lines = lines.collect();
        Ok(SourceText { file: path.display().to_string(), lines, last_line })
    }

    /// Finds where a file is here: what stands for the beginning of its path, and the directories, decide.
    fn here(&self, path: &Path) -> PathBuf {
        let substituted = self.substitutes.iter().find_map(|(from, to)| {
            let rest = path.strip_prefix(from).ok()?;
            Some(if rest.as_os_str().is_empty() { PathBuf::from(to) } else { Path::new(to).join(rest) })
        });
        let path = substituted.unwrap_or_else(|| path.to_owned());
        if path.is_file() {
            return path;
        }
        // As much of the path as is in one of the directories.
        let parts: Vec<_> = path.components().collect();
        let ends = (1..parts.len()).map(|from| parts.iter().skip(from).collect::<PathBuf>());
        let tails: Vec<PathBuf> = ends.collect();
        let found = self.directories.iter().flat_map(|directory| tails.iter().map(|tail| directory.join(tail)));
        found.into_iter().find(|found| found.is_file()).unwrap_or(path)
    }

    /// Forgets what was read: it may be elsewhere now.
    pub(in crate::engine) fn forget(&mut self) {
        self.last = None;
    }

    /// Reads the lines of a file.
    pub(in crate::engine) fn lines(&mut self, path: &Path) -> Result<&[String], Error> {
        let path = &*self.here(path);
        if self.last.as_ref().is_none_or(|(known, _)| known != path) {
            self.last = Some((path.to_owned(), read(path)?));
        }
        Ok(self.last.as_ref().map(|(_, lines)| lines.as_slice()).unwrap_or_default())
    }
}

fn read(path: &Path) -> Result<Vec<String>, Error> {
    let unreadable = |reason: String| Error::NoSource { file: path.display().to_string(), reason };
    // Before it is opened: opening a pipe waits for somebody to write to it.
    if !std::fs::metadata(path).map_err(|e| unreadable(e.to_string()))?.is_file() {
        return Err(unreadable("it is not a file".to_owned()));
    }
    let file = File::open(path).map_err(|e| unreadable(e.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut bytes).map_err(|e| unreadable(e.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(shortened).collect())
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn numbers(text: &SourceText) -> Vec<u32> {
        text.lines.iter().map(|l| l.number).collect()
    }

    #[test]
    fn lines_around_a_line_and_at_the_ends() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for i in 1..=20 {
            writeln!(file, "line {i}").unwrap();
        }
        let mut sources = Sources::default();
        let middle = sources.around(file.path(), 10, 7).unwrap();
        assert_eq!(numbers(&middle), [7, 8, 9, 10, 11, 12, 13]);
        assert_eq!(middle.lines[3], SourceLine { number: 10, text: "line 10".into(), current: true });
        assert_eq!(middle.last_line, 20);
        assert_eq!(numbers(&sources.around(file.path(), 1, 3).unwrap()), [1, 2, 3]);
        assert_eq!(numbers(&sources.around(file.path(), 20, 3).unwrap()), [18, 19, 20]);
        assert_eq!(numbers(&sources.around(file.path(), 5, 100).unwrap()).len(), 20);
        let message = sources.around(file.path(), 21, 3).unwrap_err().to_string();
        assert!(message.ends_with("has lines 1–20"), "{message}");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let mut sources = Sources::default();
        assert!(matches!(sources.around(Path::new("/"), 1, 3), Err(Error::NoSource { .. })));
        assert!(matches!(sources.around(Path::new("/nonexistent/a.c"), 1, 3), Err(Error::NoSource { .. })));
    }
}
