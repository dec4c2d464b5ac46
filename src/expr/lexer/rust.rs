//! Rust's literals: `1_000u64`, `0b1010`, `2.5f32`, `b'a'`.

use super::*;

/// What a number may end with, and what it is then.
const SUFFIXES: [&str; 12] = ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

impl Lexer<'_> {
    pub(super) fn rust_number(&mut self) -> Result<Token, Error> {
        let start = self.at;
        let radix = ["0x", "0o", "0b"].iter().position(|prefix| self.rest().starts_with(prefix));
        let radix = radix.map_or(10, |at| [16, 8, 2].get(at).copied().unwrap_or(10));
        if radix != 10 {
            self.at += 2;
        }
        let mut digits = self.take_while(|c| c.is_digit(radix) || c == '_').to_owned();
        let is_float = radix == 10 && self.fraction(&mut digits);
        let suffix = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        let span = start..self.at;
        let text = self.text.get(span.clone()).unwrap_or_default();
        let invalid = || Error::new(&span, ErrorKind::InvalidNumber(text.to_owned()));
        digits.retain(|c| c != '_');
        let format = match suffix {
            "f32" if radix == 10 => Some(FloatFormat::Single),
            "f64" if radix == 10 => Some(FloatFormat::Double),
            "" if is_float => Some(FloatFormat::Double),
            _ if is_float => return Err(invalid()),
            _ => None,
        };
        if let Some(format) = format {
            return parse_float(format, &digits).map(Token::Float).ok_or_else(invalid);
        }
        if digits.is_empty() {
            return Err(invalid());
        }
        let value = u64::from_str_radix(&digits, radix)
            .map_err(|_| Error::new(&span, ErrorKind::NumberTooLarge(text.to_owned())))?;
        match (suffix, SUFFIXES.iter().find(|known| **known == suffix)) {
            ("", _) => Ok(Token::Integer(literal_type(value, radix == 10, false, 0), value)),
            (_, Some(name)) => Ok(Token::Typed(name, value)),
            (_, None) => Err(invalid()),
        }
    }

    /// Takes `.5e3` after a number: not the dots of a range, nor the dot of a method.
    fn fraction(&mut self, digits: &mut String) -> bool {
        let before = digits.len();
        let after_point = self.rest().strip_prefix('.').map(|rest| rest.chars().next());
        if after_point.is_some_and(|next| next.is_none_or(|c| !(c == '.' || c == '_' || c.is_alphabetic()))) {
            self.at += 1;
            digits.push('.');
            digits.push_str(self.take_while(|c| c.is_ascii_digit() || c == '_'));
        }
        if self.peek().is_some_and(|c| matches!(c, 'e' | 'E')) {
            self.at += 1;
            digits.push('e');
            digits.push_str(self.take_while(|c| matches!(c, '+' | '-')));
            digits.push_str(self.take_while(|c| c.is_ascii_digit() || c == '_'));
        }
        digits.len() > before
    }

    /// Parses `r"text"`, `r#"text"#` or `br"text"`, in which a backslash is one; `None` of anything else.
    pub(super) fn rust_raw(&mut self) -> Option<Result<Token, Error>> {
        let (start, rest) = (self.at, self.rest());
        let behind = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r')?;
        let hashes = behind.len() - behind.trim_start_matches('#').len();
        let body = behind.get(hashes..)?.strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let Some(length) = body.find(&end) else {
            return Some(Err(Error::new(&(start..self.text.len()), ErrorKind::Unterminated("string"))));
        };
        let text = body.get(..length)?;
        self.at = self.text.len() - body.len() + length + end.len();
        let encoding = if rest.starts_with('b') { Encoding::Narrow } else { Encoding::Utf8 };
        Some(Ok(Token::String(encoding, text.bytes().map(u32::from).collect())))
    }

    /// Parses `b'a'`, a byte, or `b"text"`.
    pub(super) fn rust_bytes(&mut self) -> Result<Token, Error> {
        self.at += 1;
        if self.peek() == Some('"') {
            return self.string(Encoding::Narrow);
        }
        let start = self.at;
        match self.quoted(Encoding::Narrow)? {
            Token::Char(_, code) => Ok(Token::Typed("u8", u64::from(code))),
            _ => Err(Error::new(&(start..self.at), ErrorKind::InvalidEscape)),
        }
    }
}
