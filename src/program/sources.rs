//! Source files, read from where the debug info says that they were when the program was compiled.

use base::untrusted::{PathText as _, Refused, SourceAccess};
use std::io::Read;
use std::path::{Path, PathBuf};

/// No source file that a human or a generator has written is bigger.
const MAX_FILE: u64 = 64 << 20;
/// Longer lines are cut: generated code, not something to read.
const MAX_LINE: usize = 4096;
/// Most lines in one answer.
const MAX_LINES: u32 = 2000;

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// 1-based.
    pub number: u32,
    /// Without the newline.
    pub text: String,
    /// The line that the frame is at.
    pub current: bool,
}

/// A stretch of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file that was read.
    pub file: String,
    /// The lines.
    pub lines: Vec<SourceLine>,
    /// Last line of the file.
    pub last_line: u32,
}

/// Why lines of a source are not given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A line that the file does not have.
    #[error("line: {given} is out of range, {valid}")]
    OutOfRange {
        /// The line.
        given: u32,
        /// What would be valid.
        valid: String,
    },
    /// A source file that cannot be found or read.
    #[error("no source for {file}: {reason}")]
    Unreadable {
        /// As recorded or as given.
        file: String,
        /// Where it was looked for, or what reading it said.
        reason: String,
    },
}

/// The source file read last: stops come in the same file again and again.
#[derive(Default)]
pub struct Sources {
    last: Option<(PathBuf, Lines)>,
    /// Beginnings of paths, and what they are here.
    pub substitutes: Vec<(String, String)>,
    /// Directories in which files are looked for that are not where they were.
    pub directories: Vec<PathBuf>,
    /// Directories of the recorded program.
    program: Vec<PathBuf>,
    /// What may be read; made when it is needed.
    access: Option<SourceAccess>,
}

impl Sources {
    /// Sets the directories of the recorded program.
    pub fn set_program(&mut self, directories: Vec<PathBuf>) {
        if self.program != directories {
            self.program = directories;
            self.forget();
        }
    }

    /// Returns which files may be read as sources: those of the directories that the user gave, and of the program.
    pub fn access(&mut self) -> &SourceAccess {
        let given = self.substitutes.iter().map(|(_, to)| PathBuf::from(to)).chain(self.directories.iter().cloned());
        self.access.get_or_insert_with(|| SourceAccess::new(given).with_program(self.program.iter().cloned()))
    }

    /// Returns why a file that is there is not read, by the rules of [`SourceAccess`].
    pub fn refused(&mut self, path: &Path) -> Option<String> {
        let path = self.here(path);
        self.access().check(&path).err().filter(Refused::is_by_rule).map(|refused| refused.to_string())
    }

    /// Reads `count` lines around `line`, which is marked. Fewer at the ends of the file.
    pub fn around(&mut self, path: &Path, line: u32, count: u32) -> Result<SourceText, SourceError> {
        let count = count.clamp(1, MAX_LINES);
        let lines = self.lines(path)?;
        let last_line = u32::try_from(lines.count()).unwrap_or(u32::MAX);
        if line == 0 || line > last_line {
            let valid = format!("{} has lines 1–{last_line}", path.in_text());
            return Err(SourceError::OutOfRange { given: line, valid });
        }
        let first = line.saturating_sub(count / 2).clamp(1, (last_line + 1).saturating_sub(count).max(1));
        let shown = (first..).zip(lines.from(first as usize - 1)).take(count as usize);
        let lines = shown.map(|(number, text)| SourceLine { number, text, current: number == line });
        let lines = lines.collect();
        Ok(SourceText { file: path.to_string_lossy().into_owned(), lines, last_line })
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
    pub fn forget(&mut self) {
        self.last = None;
        self.access = None;
    }

    /// Reads the lines of a file.
    pub fn lines(&mut self, path: &Path) -> Result<&Lines, SourceError> {
        let path = self.here(path);
        let last = match self.last.take().filter(|(at, _)| *at == path) {
            Some(last) => last,
            None => {
                let lines = read(&path, self.access())?;
                (path, lines)
            }
        };
        Ok(&self.last.insert(last).1)
    }
}

/// The lines of a file. Debug info may name any file: so they take little more room than the file itself, however many
/// there are.
#[derive(Default)]
pub struct Lines {
    bytes: Vec<u8>,
    /// Where each line begins whose number, from 0 on, [`STRIDE`] divides.
    begins: Vec<u32>,
    count: usize,
}

/// Of so many lines, it is kept where one begins.
const STRIDE: usize = 64;

impl Lines {
    fn new(bytes: Vec<u8>) -> Self {
        let mut lines = Self { bytes, ..Self::default() };
        let mut begin = 0;
        while begin < lines.bytes.len() {
            if lines.count.is_multiple_of(STRIDE) {
                lines.begins.push(u32::try_from(begin).unwrap_or(u32::MAX));
            }
            lines.count += 1;
            begin = lines.end(begin) + 1;
        }
        lines
    }

    fn end(&self, begin: usize) -> usize {
        let rest = self.bytes.get(begin..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |length| begin + length)
    }

    /// Returns how many there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Iterates over them from this one on, which counts from 0. Long ones are cut.
    pub fn from(&self, first: usize) -> impl Iterator<Item = String> + '_ {
        let mut begin = self.begins.get(first / STRIDE).map_or(self.bytes.len(), |begin| *begin as usize);
        let next = move || {
            if begin >= self.bytes.len() {
                return None;
            }
            let end = self.end(begin);
            let line = self.bytes.get(begin..end).unwrap_or_default();
            begin = end + 1;
            Some(line)
        };
        std::iter::from_fn(next).skip(first % STRIDE).map(shortened)
    }
}

/// Returns a line of a source, if it can be read, where there is no session that says where sources are.
pub fn source_line(file: &Path, line: u32) -> Option<String> {
    let text = Sources::default().around(file, line, 1).ok()?;
    text.lines.into_iter().find(|found| found.number == line).map(|found| found.text)
}

fn read(path: &Path, access: &SourceAccess) -> Result<Lines, SourceError> {
    let unreadable = |reason: String| SourceError::Unreadable { file: path.in_text(), reason };
    let file = access.open(path).map_err(|refused| unreadable(refused.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut bytes).map_err(|e| unreadable(e.to_string()))?;
    Ok(Lines::new(bytes))
}

fn shortened(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // Of UTF-8, a character takes four bytes at most.
    let text = String::from_utf8_lossy(line.get(..4 * MAX_LINE + 4).unwrap_or(line));
    match text.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
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
        let mut file = tempfile::Builder::new().suffix(".c").tempfile().unwrap();
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
    fn lines_are_those_of_the_text() {
        let all: Vec<String> = (0..1000).map(|number| "x".repeat(number % 7)).collect();
        for end in ["", "\n", "\r\n"] {
            let text = all.join("\r\n") + end;
            let lines = Lines::new(text.clone().into_bytes());
            let expected: Vec<&str> = text.lines().collect();
            assert_eq!(
                (lines.count(), lines.from(0).collect::<Vec<_>>()),
                (expected.len(), all[..expected.len()].to_vec())
            );
            for first in [1, 63, 64, 65, 127, 999, 1000, 5000] {
                assert_eq!(lines.from(first).collect::<Vec<_>>(), all.get(first..).unwrap_or_default(), "{first}");
            }
        }
        assert_eq!(Lines::new(Vec::new()).count(), 0);
        let long = Lines::new("ä".repeat(MAX_LINE + 1).into_bytes());
        assert_eq!(long.from(0).collect::<Vec<_>>(), ["ä".repeat(MAX_LINE) + "…"]);
    }

    #[test]
    fn a_file_of_empty_lines_takes_little_more_room_than_it_has_bytes() {
        let lines = Lines::new(vec![b'\n'; 1 << 20]);
        assert_eq!(lines.count(), 1 << 20);
        assert!(lines.bytes.capacity() + lines.begins.capacity() * size_of::<u32>() < (1 << 20) * 9 / 8);
        assert_eq!(lines.from((1 << 20) - 1).count(), 1);
    }

    #[test]
    fn debug_info_does_not_choose_what_is_read() {
        let place = tempfile::tempdir().unwrap();
        let secret = place.path().join("shadow");
        std::fs::write(&secret, "one\ntwo\n").unwrap();
        let mut sources = Sources::default();
        let reason = |result: Result<SourceText, SourceError>| match result {
            Err(SourceError::Unreadable { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        assert!(reason(sources.around(&secret, 1, 3)).starts_with("refused: "));
        assert!(reason(sources.around(Path::new("/proc/self/environ"), 1, 3)).contains("a file of the kernel's"));
        assert!(sources.refused(&secret).is_some());
        assert_eq!(sources.refused(Path::new("/nonexistent/a.c")), None);
        sources.directories = vec![place.path().to_owned()];
        sources.forget();
        assert_eq!(sources.around(&secret, 1, 3).unwrap().lines.len(), 2);
        sources.directories = Vec::new();
        sources.set_program(vec![place.path().to_owned()]);
        sources.forget();
        assert_eq!(sources.around(&secret, 1, 3).unwrap().lines.len(), 2);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let mut sources = Sources::default();
        assert!(matches!(sources.around(Path::new("/"), 1, 3), Err(SourceError::Unreadable { .. })));
        assert!(matches!(sources.around(Path::new("/nonexistent/a.c"), 1, 3), Err(SourceError::Unreadable { .. })));
    }
}
