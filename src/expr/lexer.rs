//! From text to tokens.

mod rust;

use super::ast::Encoding;
use super::error::{Error, ErrorKind, Span};
use arch::Arch;
use ctype::arith::{IntegerType, Rank};
use ctype::float::{Float, FloatFormat};
use ctype::{Dialect, Target, parse_float, parse_hexadecimal_float};
use std::iter::Peekable;
use std::str::Chars;

/// The longest expression, in bytes.
pub(super) const MAX_LENGTH: usize = 16 * 1024;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Integer(IntegerType, u64),
    /// Rust's `5u8`: a number and the name of its type.
    Typed(&'static str, u64),
    Float(Float),
    /// C++'s `1500ms`: a number of units of `std::chrono`.
    Duration(&'static str, u64),
    Char(Encoding, u32),
    String(Encoding, Vec<u32>),
    /// Text in single quotes that is no character literal: a file, or a name with odd characters.
    Quoted(String),
    Identifier(String),
    Register(String),
    Punctuator(&'static str),
    End,
}

impl Token {
    /// Returns what an error message calls it, given its text.
    pub(super) fn describe(&self, text: &str) -> String {
        match self {
            Self::End => "the end".to_owned(),
            _ => format!("\"{text}\""),
        }
    }
}

/// What C++'s literals of durations end with.
const DURATIONS: [&str; 6] = ["h", "min", "s", "ms", "us", "ns"];

/// Longest first.
pub(super) const PUNCTUATORS: [&str; 52] = [
    "<<=", ">>=", "...", "..=", "..", "->*", "->", ".*", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "+", "-",
    "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "@", ";",
];

/// Returns whether tokens end with a cast to one of C's own types: `(unsigned long)`.
fn ends_with_cast(tokens: &[(Token, Span)]) -> bool {
    let own = ["char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "bool", "const"];
    let is = |token: &Token, text: &str| matches!(token, Token::Punctuator(own) if *own == text);
    let Some(((Token::Punctuator(")"), _), before)) = tokens.split_last() else { return false };
    let open = before.iter().rposition(|(token, _)| is(token, "(") || is(token, ")"));
    let inside = open
        .filter(|open| before.get(*open).is_some_and(|(token, _)| is(token, "(")))
        .and_then(|open| before.get(open + 1..));
    inside
        .and_then(<[_]>::first)
        .is_some_and(|(token, _)| matches!(token, Token::Identifier(word) if own.contains(&word.as_str())))
}

/// Splits a text into tokens, the last of which is [`Token::End`].
pub(super) fn tokenize(text: &str, target: Target) -> Result<Vec<(Token, Span)>, Error> {
    if text.len() > MAX_LENGTH {
        let kind = ErrorKind::TooLong { length: text.len(), limit: MAX_LENGTH };
        return Err(Error::new(&(0..text.len()), kind));
    }
    let mut lexer = Lexer { text, at: 0, arch: target.arch, rust: target.dialect == Dialect::Rust };
    let mut tokens: Vec<(Token, Span)> = Vec::new();
    loop {
        let (token, span) = match lexer.field(tokens.last(), ends_with_cast(&tokens)) {
            Some(field) => field,
            None => lexer.next()?,
        };
        let is_end = token == Token::End;
        tokens.push((token, span));
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    arch: Arch,
    /// Whether literals are Rust's.
    rust: bool,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Reads the dot or the number of `t.0`, which by itself would be a number with a point.
    ///
    /// In C, a cast may be before a number: `(double).5`.
    fn field(&mut self, before: Option<&(Token, Span)>, is_cast: bool) -> Option<(Token, Span)> {
        let start = self.at;
        match &before?.0 {
            Token::Punctuator(".") => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                (!digits.is_empty()).then(|| (Token::Identifier(digits.to_owned()), start..self.at))
            }
            Token::Punctuator(")") if !self.rust && is_cast => None,
            Token::Identifier(_) | Token::Register(_) | Token::Punctuator(")" | "]") => {
                let digit = self.rest().strip_prefix('.')?.starts_with(|c: char| c.is_ascii_digit());
                self.at += usize::from(digit);
                digit.then_some((Token::Punctuator("."), start..self.at))
            }
            _ => None,
        }
    }

    fn next(&mut self) -> Result<(Token, Span), Error> {
        self.take_while(char::is_whitespace);
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok((Token::End, start..start));
        };
        let second = self.rest()[first.len_utf8()..].chars().next();
        if self.rust
            && matches!(first, 'r' | 'b')
            && let Some(token) = self.rust_raw()
        {
            return Ok((token?, start..self.at));
        }
        let token = match first {
            '0'..='9' if self.rust => self.rust_number()?,
            '\'' if self.rust => self.quoted(Encoding::Utf32)?,
            'b' if self.rust && matches!(second, Some('\'' | '"')) => self.rust_bytes()?,
            '0'..='9' => self.number()?,
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number()?,
            '\'' => self.quoted(Encoding::Narrow)?,
            // Rust has its own in UTF-8, and those of bytes with a `b` before them.
            '"' => self.string(if self.rust { Encoding::Utf8 } else { Encoding::Narrow })?,
            '$' => {
                self.at += 1;
                Token::Register(self.take_while(is_name_part).to_owned())
            }
            c if c.is_alphabetic() || c == '_' => match self.literal_prefix() {
                Some((encoding, length)) => {
                    self.at += length;
                    if self.peek() == Some('"') { self.string(encoding)? } else { self.quoted(encoding)? }
                }
                None => {
                    // `r#type` is the name `type`.
                    let behind = self.rest().strip_prefix("r#").filter(|_| self.rust);
                    self.at += if behind.is_some_and(|name| name.starts_with(is_name_part)) { 2 } else { 0 };
                    Token::Identifier(self.take_while(is_name_part).to_owned())
                }
            },
            c => match PUNCTUATORS.iter().find(|p| self.rest().starts_with(**p)) {
                Some(punctuator) => {
                    self.at += punctuator.len();
                    Token::Punctuator(punctuator)
                }
                None => {
                    return Err(Error::new(&(start..start + c.len_utf8()), ErrorKind::InvalidCharacter(c)));
                }
            },
        };
        Ok((token, start..self.at))
    }

    /// Finds an encoding prefix with a quote right after it.
    fn literal_prefix(&self) -> Option<(Encoding, usize)> {
        if self.rust {
            return None;
        }
        let prefixes = [("u8", Encoding::Utf8), ("L", Encoding::Wide), ("u", Encoding::Utf16), ("U", Encoding::Utf32)];
        prefixes
            .into_iter()
            .find(|(prefix, _)| self.rest().strip_prefix(prefix).is_some_and(|r| r.starts_with(['\'', '"'])))
            .map(|(prefix, encoding)| (encoding, prefix.len()))
    }

    fn number(&mut self) -> Result<Token, Error> {
        let start = self.at;
        let hexadecimal = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        loop {
            let part = self.take_while(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
            // The sign of an exponent belongs to the number, and so does what C++14 and C23 part digits with.
            let is_exponent = part.ends_with(if hexadecimal { ['p', 'P'] } else { ['e', 'E'] });
            let is_signed = is_exponent && matches!(self.peek(), Some('+' | '-'));
            let parts = part.ends_with(|c: char| c.is_ascii_hexdigit())
                && self.rest().strip_prefix('\'').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_hexdigit()));
            if !is_signed && !parts {
                break;
            }
            self.at += 1;
        }
        let span = start..self.at;
        let text: &str = &self.text[start..self.at].replace('\'', "");
        let invalid = || Error::new(&span, ErrorKind::InvalidNumber(text.to_owned()));
        let is_decimal = !hexadecimal && !text.starts_with("0b") && !text.starts_with("0B");
        if (is_decimal && text.contains(['.', 'e', 'E'])) || (hexadecimal && text.contains(['p', 'P'])) {
            let (digits, format) = match text.as_bytes().last() {
                Some(b'f' | b'F') => (&text[..text.len() - 1], FloatFormat::Single),
                Some(b'l' | b'L') => (&text[..text.len() - 1], long_double(self.arch)),
                _ => (text, FloatFormat::Double),
            };
            let float = match hexadecimal {
                true => parse_hexadecimal_float(format, &digits[2..]),
                false => parse_float(format, digits),
            };
            return float.map(Token::Float).ok_or_else(invalid);
        }
        let unit =
            DURATIONS.iter().find(|unit| is_decimal && text.trim_start_matches(|c: char| c.is_ascii_digit()) == **unit);
        let (digits, suffix, radix) =
            split_integer(text.strip_suffix(unit.copied().unwrap_or_default()).unwrap_or(text));
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            return Err(invalid());
        }
        let (unsigned, long) = integer_suffix(suffix).ok_or_else(invalid)?;
        let value = u64::from_str_radix(digits, radix)
            .map_err(|_| Error::new(&span, ErrorKind::NumberTooLarge(text.to_owned())))?;
        match unit {
            Some(unit) => Ok(Token::Duration(unit, value)),
            None => Ok(Token::Integer(literal_type(value, radix == 10, unsigned, long), value)),
        }
    }

    /// Reads a character literal, or a name in quotes.
    fn quoted(&mut self, encoding: Encoding) -> Result<Token, Error> {
        let start = self.at;
        let body = self.body('\'', "single quote")?;
        let span = start..self.at;
        if body.is_empty() {
            return Err(Error::new(&span, ErrorKind::EmptyCharacter));
        }
        match decode(body, encoding).as_deref() {
            Some([code]) => Ok(Token::Char(encoding, *code)),
            _ if (encoding == Encoding::Narrow || self.rust) && !body.contains('\\') => {
                Ok(Token::Quoted(body.to_owned()))
            }
            _ => Err(Error::new(&span, ErrorKind::InvalidEscape)),
        }
    }

    fn string(&mut self, encoding: Encoding) -> Result<Token, Error> {
        let start = self.at;
        let body = self.body('"', "string")?;
        match decode(body, encoding) {
            Some(units) => Ok(Token::String(encoding, units)),
            None => Err(Error::new(&(start..self.at), ErrorKind::InvalidEscape)),
        }
    }

    /// Reads what stands between quotes, still escaped.
    fn body(&mut self, quote: char, what: &'static str) -> Result<&'a str, Error> {
        let start = self.at + 1;
        let mut escaped = false;
        for (i, c) in self.text[start..].char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => {
                    self.at = start + i + 1;
                    return Ok(&self.text[start..start + i]);
                }
                _ => {}
            }
        }
        Err(Error::new(&(self.at..self.text.len()), ErrorKind::Unterminated(what)))
    }
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Returns the format of `long double`.
pub(super) const fn long_double(arch: Arch) -> FloatFormat {
    match arch {
        Arch::X86_64 => FloatFormat::X87,
        Arch::Aarch64 => FloatFormat::Quad,
    }
}

/// Splits an integer into digits, suffix and radix.
fn split_integer(text: &str) -> (&str, &str, u32) {
    let (body, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    let length = body.trim_end_matches(['u', 'U', 'l', 'L']).len();
    // `0u` is an octal literal without digits after the zero.
    let (digits, suffix) = body.split_at(length);
    if radix == 8 && digits.is_empty() { ("0", suffix, 8) } else { (digits, suffix, radix) }
}

/// Parses an integer's suffix: whether `u` is there, and the number of `l`s.
fn integer_suffix(suffix: &str) -> Option<(bool, usize)> {
    match suffix.to_ascii_lowercase().as_str() {
        "" => Some((false, 0)),
        "u" => Some((true, 0)),
        "l" => Some((false, 1)),
        "ul" | "lu" => Some((true, 1)),
        "ll" => Some((false, 2)),
        "ull" | "llu" => Some((true, 2)),
        _ => None,
    }
}

/// Returns the first type of C17 6.4.4.1's list that holds the value. A decimal literal that only `unsigned long` holds
/// is given that type, as GDB does.
fn literal_type(value: u64, decimal: bool, unsigned: bool, longs: usize) -> IntegerType {
    let ranks: &[Rank] = match longs {
        0 => &[Rank::Int, Rank::Long],
        1 => &[Rank::Long],
        _ => &[Rank::LongLong],
    };
    for rank in ranks {
        let (signed, any) = (IntegerType { rank: *rank, signed: true }, IntegerType { rank: *rank, signed: false });
        if !unsigned && u128::from(value) < 1 << (signed.bits() - 1) {
            return signed;
        }
        if (unsigned || !decimal) && u128::from(value) < 1 << any.bits() {
            return any;
        }
    }
    IntegerType { rank: if longs == 2 { Rank::LongLong } else { Rank::Long }, signed: false }
}

/// Decodes the code units of a literal's text; `None` if an escape sequence is wrong.
fn decode(body: &str, encoding: Encoding) -> Option<Vec<u32>> {
    let mut units = Vec::new();
    let mut chars = body.chars().peekable();
    let limit = match encoding {
        Encoding::Narrow | Encoding::Utf8 => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Wide | Encoding::Utf32 => u32::MAX,
    };
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut units, c, encoding);
            continue;
        }
        let escape = chars.next()?;
        let code = match escape {
            'a' => 7,
            'b' => 8,
            'e' => 27,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            '\\' | '\'' | '"' | '?' => u32::from(escape),
            '0'..='7' => {
                let text = format!("{escape}{}", digits_of(&mut chars, 8, 2));
                u32::from_str_radix(&text, 8).ok()?
            }
            'x' => u32::from_str_radix(&digits_of(&mut chars, 16, 8), 16).ok()?,
            'u' if chars.next_if_eq(&'{').is_some() => {
                let text = digits_of(&mut chars, 16, 6);
                let code = u32::from_str_radix(&text, 16).ok().and_then(char::from_u32)?;
                push_char(&mut units, code, encoding);
                chars.next_if_eq(&'}')?;
                continue;
            }
            'u' | 'U' => {
                let wanted = if escape == 'u' { 4 } else { 8 };
                let text = digits_of(&mut chars, 16, wanted);
                let code = u32::from_str_radix(&text, 16).ok().filter(|_| text.len() == wanted)?;
                match char::from_u32(code) {
                    Some(c) => {
                        push_char(&mut units, c, encoding);
                        continue;
                    }
                    None => code,
                }
            }
            _ => return None,
        };
        units.push(Some(code).filter(|code| *code <= limit)?);
    }
    Some(units)
}

/// Takes at most so many digits.
fn digits_of(chars: &mut Peekable<Chars<'_>>, radix: u32, most: usize) -> String {
    let mut text = String::new();
    while let Some(c) = chars.next_if(|c| text.len() < most && c.is_digit(radix)) {
        text.push(c);
    }
    text
}

fn push_char(units: &mut Vec<u32>, c: char, encoding: Encoding) {
    match encoding {
        Encoding::Narrow | Encoding::Utf8 => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        Encoding::Utf16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit))),
        Encoding::Wide | Encoding::Utf32 => units.push(u32::from(c)),
    }
}
