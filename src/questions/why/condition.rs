//! The condition of a source line, and the variables in it.

/// Most variables of a condition whose values are asked for.
const MOST: usize = 6;
/// Longest text of a source line that is shown, in characters.
const LONGEST: usize = 160;
/// Words in front of a condition.
const BEFORE: [&str; 5] = ["if", "while", "for", "switch", "match"];
/// Words of C, C++ and Rust that are no variables.
const WORDS: [&str; 28] = [
    "if", "else", "while", "for", "switch", "match", "case", "return", "do", "let", "mut", "in", "sizeof", "const",
    "int", "char", "unsigned", "long", "true", "false", "nullptr", "NULL", "Some", "None", "Ok", "Err", "as", "ref",
];

/// Returns a line of a source as it is shown: without the space around it, cut where it is long.
pub(super) fn shown(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Returns the variables in the condition of a line, members and elements as they are spelled: `p->next`, `v.len`. What a
/// call returns is none.
pub(super) fn variables(line: &str) -> Vec<String> {
    let text = condition(line);
    let bytes = text.as_bytes();
    let mut all: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            b'"' | b'\'' => at = behind_quoted(bytes, at),
            b'0'..=b'9' => at = run(bytes, at, |byte| is_word(byte) || byte == b'.'),
            byte if is_word(*byte) => {
                let (end, inside) = chain(bytes, at);
                let spelled = text.get(at..end).unwrap_or_default().trim();
                let is_call = bytes.get(run(bytes, end, |byte| byte == b' ')) == Some(&b'(');
                // A macro of Rust.
                let is_call = is_call || bytes.get(end) == Some(&b'!') && bytes.get(end + 1) != Some(&b'=');
                let object = match is_call {
                    true => spelled.rsplit_once("->").or_else(|| spelled.rsplit_once('.')).map(|(object, _)| object),
                    false => Some(spelled),
                };
                for name in object.into_iter().chain(inside.iter().map(String::as_str)) {
                    if !WORDS.contains(&name) && all.len() < MOST && !all.iter().any(|known| known == name) {
                        all.push(name.to_owned());
                    }
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    all
}

/// Returns the part of a line that is its condition; all of it where no word says which part that is.
fn condition(line: &str) -> &str {
    let is_at = |at: usize, word: &str| {
        let before = line.get(..at).and_then(|before| before.bytes().last());
        let after = line.as_bytes().get(at + word.len());
        !before.is_some_and(is_word) && !after.is_some_and(|byte| is_word(*byte))
    };
    let begins = BEFORE.iter().filter_map(|word| {
        let at = line.match_indices(word).map(|(at, _)| at).find(|at| is_at(*at, word))?;
        Some((at, *word))
    });
    let Some((at, word)) = begins.min() else { return line };
    let rest = line.get(at + word.len()..).unwrap_or_default();
    let open = rest.len() - rest.trim_start().len();
    if rest.as_bytes().get(open) != Some(&b'(') {
        // Rust: up to the block.
        return rest.rfind('{').and_then(|end| rest.get(..end)).unwrap_or(rest);
    }
    let close = behind_bracket(rest.as_bytes(), open);
    let inner = rest.get(open + 1..close).map(|inner| inner.strip_suffix(')').unwrap_or(inner)).unwrap_or(rest);
    match inner.split(';').collect::<Vec<_>>()[..] {
        [_, middle, _] if word == "for" => middle,
        _ => inner,
    }
}

/// Returns where a name with its members and elements ends, and the names that are in the indices.
fn chain(bytes: &[u8], from: usize) -> (usize, Vec<String>) {
    let mut at = run(bytes, from, is_word);
    let mut inside = Vec::new();
    loop {
        let member = match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'-'), Some(b'>')) | (Some(b':'), Some(b':')) => at + 2,
            (Some(b'.'), Some(byte)) if is_word(*byte) => at + 1,
            (Some(b'['), _) => {
                let end = behind_bracket(bytes, at);
                let index = bytes.get(at + 1..end).map(String::from_utf8_lossy).unwrap_or_default();
                inside.extend(variables(index.trim_end_matches(']')));
                at = end;
                continue;
            }
            _ => return (at, inside),
        };
        if !bytes.get(member).is_some_and(|byte| is_word(*byte)) {
            return (at, inside);
        }
        at = run(bytes, member, is_word);
    }
}

/// Returns where the bytes end that are such.
fn run(bytes: &[u8], from: usize, is_such: impl Fn(u8) -> bool) -> usize {
    from + bytes.iter().skip(from).take_while(|byte| is_such(**byte)).count()
}

/// Returns the place behind the bracket that belongs to the one at `open`, or the end.
fn behind_bracket(bytes: &[u8], open: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = open;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            b'"' => {
                at = behind_quoted(bytes, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Returns the place behind a quoted text. A lifetime of Rust is none.
fn behind_quoted(bytes: &[u8], open: usize) -> usize {
    let quote = bytes.get(open).copied().unwrap_or_default();
    let mut at = open + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            byte if *byte == quote => return at + 1,
            _ if quote == b'\'' && at > open + 4 => return open + 1,
            _ => {}
        }
        at += 1;
    }
    if quote == b'\'' { open + 1 } else { bytes.len() }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_a_condition() {
        let named = |line: &str| variables(line).join(" ");
        assert_eq!(named("    if (n > limit && !p->done) x = 2;"), "n limit p->done");
        assert_eq!(named("} else if (strcmp(name, \"if (x)\") == 0) {"), "name");
        assert_eq!(named("for (int i = 0; i < count; i++) {"), "i count");
        assert_eq!(named("while (a[k + 1].next != NULL)  // until z"), "a[k + 1].next k");
        assert_eq!(named("switch (event->kind) {"), "event->kind");
        assert_eq!(named("if self.items.len() > max {"), "self.items max");
        assert_eq!(named("match Some(x) {"), "x");
        assert_eq!(named("return a.b && (c == 'd' || 0x1f > e);"), "a.b c e");
        assert_eq!(named("if (very &&"), "very");
        assert_eq!(named("assert!(ready);"), "ready");
        assert_eq!(named("while (*s && ns::limit)"), "s ns::limit");
        assert_eq!(named(""), "");
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(shown("  a  "), "a");
        assert_eq!(shown(&"é".repeat(LONGEST + 1)).chars().count(), LONGEST + 1);
    }
}
