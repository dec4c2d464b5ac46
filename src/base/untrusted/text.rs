//! Texts from outside, so that what is seen is what they say.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

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

/// Text of a path.
pub trait PathText {
    /// Returns the path as it is written in a text: in [`one_line`].
    fn in_text(&self) -> String;
}

impl PathText for Path {
    fn in_text(&self) -> String {
        one_line(&self.to_string_lossy()).into_owned()
    }
}

/// Returns the name that has been written in [`one_line`], if something in it was spelled: a name of a program's may have
/// any characters.
pub fn unspelled(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('\\') else { return Cow::Borrowed(text) };
    let (mut name, mut rest) = (text[..first].to_owned(), &text[first..]);
    while let Some(letter) = rest.chars().next() {
        let spelled = spelled_letter(rest);
        name.push(spelled.map_or(letter, |(letter, _)| letter));
        rest = &rest[spelled.map_or(letter.len_utf8(), |(_, length)| length)..];
    }
    Cow::Owned(name)
}

/// Returns the letter that a text begins with spelled, and the length of that.
fn spelled_letter(text: &str) -> Option<(char, usize)> {
    let spelled = text.strip_prefix('\\')?;
    let of_code =
        |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).filter(|c| is_escaped(*c));
    match spelled.chars().next()? {
        'n' => Some(('\n', 2)),
        't' => Some(('\t', 2)),
        'x' => Some((of_code(spelled.get(1..3)?)?, 4)),
        'u' => {
            let (digits, _) = spelled.strip_prefix("u{")?.split_once('}')?;
            Some((of_code(digits)?, digits.len() + 4))
        }
        _ => None,
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
    fn a_path_is_one_line() {
        assert_eq!(Path::new("/a b/c\n=> d\u{9b}").in_text(), "/a b/c\\n=> d\\u{9b}");
    }

    #[test]
    fn a_spelled_name_is_read() {
        for name in ["f", "a::b(char)", "a\nnote: b\t\x1b[31m\u{202e}|\r", "\\q\\", "C:\\w"] {
            assert_eq!(unspelled(&one_line(name)), name);
        }
        assert_eq!(unspelled("a\\x4"), "a\\x4");
        assert_eq!(unspelled("\\x41\\u{}\\u{zz}\\u{41"), "\\x41\\u{}\\u{zz}\\u{41");
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

        #[test]
        fn any_text_may_be_spelled(text in any::<String>()) {
            let _ = unspelled(&text);
        }

        #[test]
        fn what_is_spelled_is_read(text in "[^\\\\]*") {
            let spelled = one_line(&text);
            prop_assert_eq!(unspelled(&spelled), text.as_str());
        }
    }
}
