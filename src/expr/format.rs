//! The `/x` that may precede an expression.

use super::error::{Error, ErrorKind};
use ctype::Format;

/// Splits `/x expression` into the format and the expression; without a slash there is no format. GDB's `print`
/// refuses counts and size letters, and so do we.
pub fn split_format(text: &str) -> Result<(Option<Format>, &str), Error> {
    let start = text.len() - text.trim_start().len();
    let Some(after) = text[start..].strip_prefix('/') else {
        return Ok((None, text));
    };
    let length = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
    let (letters, rest) = after.split_at(length);
    let span = start..start + 1 + length;
    let refuse = |what: String| {
        Err(Error::new(
            &span,
            ErrorKind::Format(format!("{what}; formats are /{}", Format::LETTERS.replace(' ', " /"))),
        ))
    };
    let mut chars = letters.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => match Format::from_letter(c) {
            Some(format) => Ok((Some(format), rest)),
            None => refuse(format!("undefined output format \"{c}\"")),
        },
        (None, _) => refuse("a format letter must follow the slash".to_owned()),
        (Some(c), _) if c.is_ascii_digit() => {
            refuse("a count is meaningless here; write an array as *pointer@count".to_owned())
        }
        _ => refuse("one format letter must follow the slash, no size".to_owned()),
    }
}
