//! Completions of what is typed into the editor's console.

use super::arguments::Completions;
use super::evaluate::COMMAND;
use super::message::{Refusal, body_of};
use super::session::{Session, nothing};
use serde_json::{Value, json};

/// The command whose words are an expression.
const EXPRESSION: &str = "print ";

/// Something that may be meant: what it is, where it begins in what was typed, and the words.
struct Candidates {
    kind: &'static str,
    at: usize,
    words: Vec<String>,
}

/// Returns the beginning of a text, up to a place in units of UTF-16, of which the first is 0.
fn up_to(text: &str, units: usize) -> &str {
    let mut left = units;
    let end = text.char_indices().find(|(_, c)| match left.checked_sub(c.len_utf16()) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    text.get(..end.map_or(text.len(), |(at, _)| at)).unwrap_or_default()
}

/// Returns how many units of UTF-16 a text has.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

impl Session {
    pub(super) fn completions(&mut self, arguments: &Completions) -> Result<Value, Refusal> {
        match arguments.frame_id {
            Some(frame) => {
                let place = self.looks.frame(frame)?;
                self.select(place)?;
            }
            None => {
                self.replay()?;
            }
        }
        let first = self.editor.first_column;
        let line = arguments.line.map_or(0, |line| self.editor.line_of(line).saturating_sub(1));
        let line = arguments.text.split('\n').nth(line as usize).unwrap_or_default();
        let typed = up_to(line, arguments.column.saturating_sub(first) as usize);
        let mut targets = Vec::new();
        for Candidates { kind, at, words } in self.found(typed)? {
            let (before, replaced) = typed.split_at_checked(at).unwrap_or((typed, ""));
            let (start, length) = (units(before) as u64 + u64::from(first), units(replaced));
            let target =
                |word: String| json!({"label": word, "text": word, "type": kind, "start": start, "length": length});
            targets.extend(words.into_iter().map(target));
        }
        Ok(body_of(json!({"targets": targets})))
    }

    /// Finds what may follow what was typed: an expression, or a command.
    fn found(&mut self, typed: &str) -> Result<Vec<Candidates>, Refusal> {
        let Self { replay: Some(replay), console, .. } = self else { return Err(nothing()) };
        let mut complete = |line: &str| -> Result<(usize, Vec<String>), Refusal> {
            let found = replay.with_engine(|engine| console.complete(engine, line))?;
            Ok(found.unwrap_or_default())
        };
        if let Some(command) = COMMAND.iter().find_map(|prefix| typed.strip_prefix(prefix)) {
            let (at, words) = complete(command)?;
            return Ok(vec![Candidates { kind: "keyword", at: typed.len() - command.len() + at, words }]);
        }
        let (at, words) = complete(&format!("{EXPRESSION}{typed}"))?;
        let expression = Candidates { kind: "variable", at: at.saturating_sub(EXPRESSION.len()), words };
        let (at, words) = complete(typed)?;
        Ok(vec![expression, Candidates { kind: "keyword", at, words }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_units_of_utf16() {
        assert_eq!([up_to("aβ𝛾d", 0), up_to("aβ𝛾d", 2), up_to("aβ𝛾d", 4)], ["", "aβ", "aβ𝛾"]);
        assert_eq!((up_to("aβ𝛾d", 3), up_to("ab", 9)), ("aβ", "ab"), "in the midst of one; behind the end");
        assert_eq!(units("aβ𝛾d"), 5);
    }
}
