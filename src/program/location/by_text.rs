//! Lines by what stands in them: `file.c: count += step`.

use crate::location::LocationError;
use crate::sources::Sources;
use dwarf::Image;
use std::collections::BTreeSet;

/// Lines that are listed when there are several.
const SHOWN: usize = 10;
/// Most lines of a file among which one is chosen.
const MOST_LINES: usize = 1000;
/// Most files of one name that are read.
const MAX_FILES: usize = 16;

/// A line of source that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// Absolute path.
    pub file: String,
    pub line: u32,
    text: String,
}

impl Statement {
    /// Returns what the user should know of the line.
    pub(crate) fn note(&self) -> String {
        format!("line {}: `{}`", self.line, self.text)
    }
}

/// Finds the one line of the files of this name that has the text, spaces apart. If several have, but one is nothing
/// else, it is that one. `None`: none has it.
pub(crate) fn find<'a>(
    images: impl Iterator<Item = &'a Image>,
    sources: &mut Sources,
    file: &str,
    text: &str,
) -> Result<Option<Statement>, LocationError> {
    let wanted = words(text);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut unreadable = None;
    let files = images.flat_map(|image| image.files_matching(file));
    for known in files.filter(|f| seen.insert(f.path.clone())).take(MAX_FILES) {
        match sources.lines(&known.path) {
            Ok(lines) => found.extend(in_lines(&known.path.to_string_lossy(), lines.from(0), &wanted).take(MOST_LINES)),
            Err(error) => drop(unreadable.get_or_insert(error)),
        }
    }
    match (found.is_empty(), unreadable) {
        (true, Some(why)) => {
            let reason = format!("no function `{text}` in a file `{file}`, and no text of it to look in: {why}");
            Err(LocationError::Nowhere { text: format!("{file}: {text}"), reason, later: false })
        }
        _ => {
            only(found, &wanted).map_err(|reason| LocationError::Malformed { text: format!("{file}: {text}"), reason })
        }
    }
}

fn in_lines(file: &str, lines: impl Iterator<Item = String>, wanted: &str) -> impl Iterator<Item = Statement> {
    let numbered = (1..).zip(lines).map(|(line, text)| (line, words(&text)));
    let matching = numbered.filter(move |(_, text)| !wanted.is_empty() && text.contains(wanted));
    matching.map(move |(line, text)| Statement { file: file.to_owned(), line, text })
}

/// Returns the one that is meant, or why it is not clear.
fn only(found: Vec<Statement>, wanted: &str) -> Result<Option<Statement>, String> {
    let mut exact = found.iter().filter(|s| s.text == wanted);
    if let (Some(one), None) = (exact.next(), exact.next()) {
        return Ok(Some(one.clone()));
    }
    if found.len() <= 1 {
        return Ok(found.into_iter().next());
    }
    let several_files = found.iter().any(|s| Some(&s.file) != found.first().map(|first| &first.file));
    let shown = found.iter().take(SHOWN).map(|s| match several_files {
        true => format!("\n  {}:{}: {}", s.file, s.line, s.text),
        false => format!("\n  {}: {}", s.line, s.text),
    });
    let list: String = shown.collect();
    let more = if found.len() > SHOWN { "\n  …" } else { "" };
    Err(format!("{} lines have this text, say more of it or FILE:LINE:{list}{more}", found.len()))
}

/// Returns the text with single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(lines: &[&str], text: &str) -> Result<Option<u32>, String> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let wanted = words(text);
        Ok(only(in_lines("/s/a.c", lines.into_iter(), &wanted).collect(), &wanted)?.map(|s| s.line))
    }

    #[test]
    fn spaces_do_not_matter() {
        assert_eq!(look(&["int x;", "\tx  =\t1;  ", "x = 2;"], "x = 1"), Ok(Some(2)));
        assert_eq!(look(&["int x;"], "y"), Ok(None));
        assert_eq!(look(&["int x;"], " "), Ok(None));
    }

    #[test]
    fn a_line_that_is_nothing_else_is_meant() {
        assert_eq!(look(&["x = 10;", "  x = 1;", "y = x = 1;"], "x = 1;"), Ok(Some(2)));
    }

    #[test]
    fn several_are_listed() {
        let expected = "2 lines have this text, say more of it or FILE:LINE:\n  1: x = 1;\n  3: y += x = 1;";
        assert_eq!(look(&["x = 1;", "", "y  += x = 1;"], "x = 1"), Err(expected.to_owned()));
        let many = vec!["again();"; 12];
        let said = look(&many, "again").unwrap_err();
        assert!(said.starts_with("12 lines") && said.ends_with("\n  10: again();\n  …"), "{said}");
    }
}
