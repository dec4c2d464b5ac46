//! Texts from outside, so that what is seen is what they say.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns whether a character of a text from outside is shown escaped: controls but for the end of a line and the
/// tabulator, what changes the direction of writing, and what takes no room or cannot be seen.
pub fn is_escaped(c: char) -> bool {
    matches!(c,
        '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}'
        // Soft hyphen, grapheme joiner, direction of Arabic letters, Hangul fillers, Mongolian vowel separator and
        // selectors.
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{180b}'..='\u{180f}'
        // Zero width, marks of direction; separators of lines and paragraphs, embeddings and overrides; joiners,
        // invisible operators, isolates.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Variation selectors, byte order mark, annotations.
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        // Shorthand and musical controls, tags, and the other variation selectors, by which any text can be hidden.
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns a text as it is shown to a person or a model: what [`is_escaped`] is spelled, `\x1b` or `\u{202e}`.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |out, c| match u32::from(c) {
        code @ 0..=0x7f => write!(out, "\\x{code:02x}"),
        code => write!(out, "\\u{{{code:x}}}"),
    })
}

/// Returns a name or another text that is to be one line: as it is [`shown`], and without ends of lines and tabulators.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let is_line = |c: char| !is_escaped(c) && c != '\n' && c != '\t';
    match text.chars().all(is_line) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(shown(text).replace('\n', "\\n").replace('\t', "\\t")),
    }
}

/// Returns a text of JSON that means the same and has none of the characters that [`is_escaped`], which stand in its
/// strings only.
pub fn shown_in_json(text: &str) -> Cow<'_, str> {
    escaped(text, |out, c| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
    })
}

fn escaped(text: &str, escape: impl Fn(&mut String, char) -> std::fmt::Result) -> Cow<'_, str> {
    let Some(first) = text.find(is_escaped) else { return Cow::Borrowed(text) };
    let (clean, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(clean);
    for c in rest.chars() {
        match is_escaped(c) {
            // A string takes whatever is written.
            true => drop(escape(&mut out, c)),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_would_be_taken_for_something_else_is_spelled() {
        for (text, expected) in [
            ("plain\ttext\nÄ 漢 العربية 🙂", "plain\ttext\nÄ 漢 العربية 🙂"),
            ("\x1b[2Ja\rb\x07", "\\x1b[2Ja\\x0db\\x07"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\x7f"),
            ("a\u{202e}b\u{2066}c\u{200b}d\u{feff}", "a\\u{202e}b\\u{2066}c\\u{200b}d\\u{feff}"),
            ("\u{e0049}\u{e0067}", "\\u{e0049}\\u{e0067}"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn a_name_is_one_line() {
        assert_eq!(one_line("f<int>(a b)"), "f<int>(a b)");
        assert_eq!(one_line("a\nnote: b\t\x1b"), "a\\nnote: b\\t\\x1b");
    }

    #[test]
    fn json_has_its_own_escapes() {
        assert_eq!(shown_in_json("{\"a\u{202e}\": \"\u{e0049}\u{9b}\"}"), r#"{"a\u202e": "\udb40\udc49\u009b"}"#);
    }

    proptest! {
        #[test]
        fn nothing_that_is_escaped_is_left(text in any::<String>()) {
            prop_assert!(!shown(&text).contains(is_escaped));
        }
    }
}
