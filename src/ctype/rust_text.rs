//! Characters and strings in Rust's notation: `'\u{7f}'`, `"caf\u{e9}\n"`, and bytes that are no text as `\xff`.

use super::text::Quoted;
use std::fmt::Write as _;

/// Quotes a `char`, as `{:?}` writes it; a code that is none as it could be written: `'\u{d800}'`.
pub(super) fn character(code: u32) -> String {
    match char::from_u32(code) {
        Some(c) => format!("{c:?}"),
        None => format!("'\\u{{{code:x}}}'"),
    }
}

/// Quotes a byte of a text.
pub(super) fn byte(byte: u8) -> String {
    format!("'{}'", std::ascii::escape_default(byte))
}

/// Quotes a text of at most so many characters, as `{:?}` writes a `str`, or an `OsStr` with its bytes that are no
/// text.
pub(super) fn quoted(bytes: &[u8], most: usize, more_follows: bool) -> Quoted {
    let mut text = String::from("\"");
    let (mut shown, mut count) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars().take(most - count) {
            push(&mut text, c);
            (shown, count) = (shown + c.len_utf8(), count + 1);
        }
        let is_end = shown + chunk.invalid().len() == bytes.len();
        // The rest of the character follows.
        if more_follows && is_end && std::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none()) {
            break;
        }
        for raw in chunk.invalid().iter().take(most - count) {
            let _ = write!(text, "\\x{raw:02x}");
            (shown, count) = (shown + 1, count + 1);
        }
        if count == most {
            break;
        }
    }
    let truncated = more_follows || shown < bytes.len();
    text.push_str(if truncated { "\"..." } else { "\"" });
    Quoted { text, truncated, shown, reached_end: count < most }
}

/// Writes a character. A single quote is escaped in a character, not in a string.
fn push(text: &mut String, c: char) {
    match c {
        '\'' => text.push(c),
        _ => text.extend(c.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_as_rust_writes_them() {
        for text in [
            "",
            "plain",
            "it's \"quoted\" \\",
            "\0\u{1}\u{7f}\t\r\n\u{b}",
            "caf\u{e9} \u{4e2d} \u{1f980} \u{10ffff} \u{200b} \u{a0} \u{ad} \u{e000}",
            "e\u{301}",
        ] {
            assert_eq!(quoted(text.as_bytes(), 200, false).text, format!("{text:?}"));
        }
        for c in ['a', '\'', '"', '\0', '\n', '\u{7f}', '\u{301}', '\u{e9}', '\u{d7ff}', '\u{10ffff}'] {
            assert_eq!(character(u32::from(c)), format!("{c:?}"));
        }
        assert_eq!(character(0xd800), r"'\u{d800}'");
        assert_eq!((byte(b'a'), byte(0), byte(0xff)), ("'a'".into(), r"'\x00'".into(), r"'\xff'".into()));
        assert_eq!(quoted(b"a\xff\xc3", 200, false).text, r#""a\xff\xc3""#);
    }

    #[test]
    fn what_is_left_out_begins_at_a_character() {
        let cut = quoted("\u{e9}\u{e9}\u{e9}".as_bytes(), 2, false);
        assert_eq!((cut.text.as_str(), cut.shown, cut.truncated), ("\"\u{e9}\u{e9}\"...", 4, true));
        assert!(quoted(b"ab", 2, true).truncated);
        assert_eq!(quoted(b"a\xc3", 200, true).text, "\"a\"...");
    }
}
