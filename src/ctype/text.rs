//! Characters and strings in GDB's notation: `97 'a'`, `"ab\000cd"`, `'\000' <repeats 15 times>`.
//!
//! Narrow text is taken for UTF-8; bytes that are not are shown in octal.

use super::format::Limits;
use super::layout::is_big_endian;
use super::{Encoding, Type, TypeRef};

/// Typedefs that are followed in search of a character type's name.
const MAX_CHAIN: usize = 64;

/// A type whose values are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CharKind {
    /// What C puts before a literal of that type.
    pub prefix: &'static str,
    /// Bytes of one code unit: 1, 2 or 4.
    pub width: usize,
}

/// Returns the kind of characters that values of a type are shown as, if they are. Wide characters are known by the
/// names of their typedefs: in C, `wchar_t` is just another `int`.
pub(super) fn char_kind(ty: &TypeRef) -> Option<CharKind> {
    let kind = kind_of(ty)?;
    // Text is read as it is stored: code units whose bytes are reversed are numbers.
    (kind.width == 1 || !is_big_endian(ty)).then_some(kind)
}

fn kind_of(ty: &TypeRef) -> Option<CharKind> {
    let mut ty = ty.clone();
    let mut prefix = None;
    for _ in 0..MAX_CHAIN {
        let next = match &*ty {
            Type::Typedef { name, target, .. } => {
                prefix = prefix.or(prefix_of(name));
                target.get()
            }
            Type::Qualified { target, .. } => target.get(),
            Type::Base { name, encoding, size } => {
                let prefix = prefix.or(prefix_of(name));
                let is_char = matches!(encoding, Encoding::SignedChar | Encoding::UnsignedChar | Encoding::Utf);
                let is_wide = prefix.is_some() && matches!(encoding, Encoding::Signed | Encoding::Unsigned);
                let width = usize::try_from(*size).ok().filter(|w| matches!(w, 1 | 2 | 4))?;
                return (is_char || is_wide).then_some(CharKind { prefix: prefix.unwrap_or(""), width });
            }
            _ => return None,
        };
        ty = next;
    }
    None
}

fn prefix_of(name: &str) -> Option<&'static str> {
    match name {
        "wchar_t" => Some("L"),
        "char16_t" => Some("u"),
        "char32_t" => Some("U"),
        // GDB writes it as it writes `char`.
        "char8_t" => Some(""),
        _ => None,
    }
}

/// A stretch of text that is shown as one character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glyph<'a> {
    /// A character and its bytes.
    Char(char, &'a [u8]),
    /// Bytes that are no character.
    Raw(&'a [u8]),
    /// The beginning of a character, cut off by the end of the text.
    Incomplete(&'a [u8]),
}

fn unit(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

/// Takes the first glyph off non-empty text.
fn next_glyph(width: usize, bytes: &[u8]) -> (Glyph<'_>, &[u8]) {
    match width {
        1 => next_utf8(bytes),
        _ => {
            let (first, rest) = bytes.split_at(width.min(bytes.len()));
            let code = unit(first);
            let is_high_surrogate = width == 2 && (0xd800..0xdc00).contains(&code);
            if is_high_surrogate && rest.is_empty() {
                return (Glyph::Incomplete(first), rest);
            }
            if is_high_surrogate && let Some(low) = rest.get(..2).map(unit).filter(|u| (0xdc00..0xe000).contains(u)) {
                let code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
                let (pair, rest) = bytes.split_at(4);
                return (char::from_u32(code).map_or(Glyph::Raw(pair), |c| Glyph::Char(c, pair)), rest);
            }
            (char::from_u32(code).map_or(Glyph::Raw(first), |c| Glyph::Char(c, first)), rest)
        }
    }
}

fn next_utf8(bytes: &[u8]) -> (Glyph<'_>, &[u8]) {
    let length = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let candidate = &bytes[..length.min(bytes.len())];
    match std::str::from_utf8(candidate) {
        Ok(text) => match text.chars().next() {
            Some(c) => (Glyph::Char(c, candidate), &bytes[candidate.len()..]),
            None => (Glyph::Raw(&bytes[..1]), &bytes[1..]),
        },
        // `error_len` is absent where only the end is missing.
        Err(e) if e.error_len().is_none() && candidate.len() == bytes.len() => (Glyph::Incomplete(candidate), &[]),
        Err(_) => (Glyph::Raw(&bytes[..1]), &bytes[1..]),
    }
}

/// Appends one glyph. `after_hex` says that a hexadecimal escape came just before, which a digit would prolong.
fn push_glyph(out: &mut String, glyph: Glyph<'_>, quote: char, width: usize, after_hex: &mut bool) {
    let was_hex = std::mem::take(after_hex);
    let bytes = match glyph {
        Glyph::Char(c, bytes) => {
            let escape = match c {
                '\x07' => "\\a",
                '\x08' => "\\b",
                '\x0c' => "\\f",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                '\x0b' => "\\v",
                _ => "",
            };
            if !escape.is_empty() {
                out.push_str(escape);
                return;
            }
            if is_printable(c) && !(was_hex && c.is_ascii_hexdigit()) {
                if c == quote || c == '\\' {
                    out.push('\\');
                }
                out.push(c);
                return;
            }
            bytes
        }
        Glyph::Raw(bytes) | Glyph::Incomplete(bytes) => bytes,
    };
    for code in bytes.chunks(width).map(unit) {
        if code <= 0o777 {
            out.push_str(&format!("\\{code:03o}"));
        } else {
            out.push_str(&format!("\\x{code:x}"));
            *after_hex = true;
        }
    }
}

/// Returns whether a character can stand in the output as itself: not the ones that control, or that no font has.
fn is_printable(c: char) -> bool {
    let code = u32::from(c);
    let is_private = matches!(code, 0xe000..=0xf8ff | 0xf0000..);
    let is_format = matches!(code, 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff0..=0xfffb);
    !(c.is_control() || is_private || is_format || code & 0xfffe == 0xfffe)
        && (c.is_ascii() || c.is_whitespace() || is_assigned(c))
}

/// Returns whether a code is one of a visible character: of garbage in memory, most that can be read as characters are
/// not.
fn is_assigned(c: char) -> bool {
    // The standard library tells by what it escapes. A mark that combines with what is in front of it is no escape
    // there.
    let mut buffer = [b'a'; 5];
    c.encode_utf8(&mut buffer[1..]);
    let text = str::from_utf8(&buffer[..1 + c.len_utf8()]).unwrap_or_default();
    text.escape_debug().nth(1) == Some(c)
}

/// Writes a character literal: `'a'`, `L'\000'`.
pub(super) fn quote_char(kind: CharKind, code: u32) -> String {
    let bytes = code.to_le_bytes();
    let (glyph, _) = next_glyph(kind.width, &bytes[..kind.width]);
    let mut out = format!("{}'", kind.prefix);
    push_glyph(&mut out, glyph, '\'', kind.width, &mut false);
    out.push('\'');
    out
}

/// A string in quotes.
pub(super) struct Quoted {
    /// The text, with `...` after it if it is not the whole string.
    pub text: String,
    /// Whether it is not the whole string.
    pub truncated: bool,
    /// How many bytes of it that is.
    pub shown: usize,
    /// Whether the end of the bytes was reached, so that more bytes could have changed the text.
    pub reached_end: bool,
}

/// Quotes a string as GDB does: one NUL at the end is dropped (unless `keep_nul`), more than `repeats` equal characters
/// are counted, and after `string` characters it stops (but not within a run of equal ones).
pub(super) fn quote_string(
    kind: CharKind,
    bytes: &[u8],
    limits: &Limits,
    more_follows: bool,
    keep_nul: bool,
) -> Quoted {
    let mut bytes = &bytes[..bytes.len() / kind.width * kind.width];
    if !more_follows && !keep_nul && bytes.len() >= kind.width {
        let (head, last) = bytes.split_at(bytes.len() - kind.width);
        if unit(last) == 0 {
            bytes = head;
        }
    }
    let whole = bytes.len();
    if bytes.is_empty() {
        let text = if more_follows { "\"\"..." } else { "\"\"" };
        return Quoted { text: format!("{}{text}", kind.prefix), truncated: more_follows, shown: 0, reached_end: true };
    }
    let mut writer = Writer { kind, text: String::new(), in_quotes: false, after_hex: false };
    let mut shown = 0;
    while !bytes.is_empty() && shown < limits.string {
        let (glyph, mut rest) = next_glyph(kind.width, bytes);
        let mut count = 1;
        while !rest.is_empty() {
            let (next, after) = next_glyph(kind.width, rest);
            if !same(glyph, next) {
                break;
            }
            count += 1;
            rest = after;
        }
        writer.run(glyph, count, limits.repeats);
        shown += count;
        bytes = rest;
    }
    let truncated = more_follows || !bytes.is_empty();
    Quoted { text: writer.finish(truncated), truncated, shown: whole - bytes.len(), reached_end: bytes.is_empty() }
}

fn same(a: Glyph<'_>, b: Glyph<'_>) -> bool {
    match (a, b) {
        (Glyph::Char(x, _), Glyph::Char(y, _)) => x == y,
        (Glyph::Raw(x), Glyph::Raw(y)) => x == y,
        _ => false,
    }
}

struct Writer {
    kind: CharKind,
    text: String,
    in_quotes: bool,
    after_hex: bool,
}

impl Writer {
    fn run(&mut self, glyph: Glyph<'_>, count: usize, threshold: usize) {
        let width = self.kind.width;
        if let Glyph::Incomplete(_) = glyph {
            self.separate();
            self.text.push_str("<incomplete sequence ");
            push_glyph(&mut self.text, glyph, '"', width, &mut false);
            self.text.push('>');
        } else if count > threshold {
            self.separate();
            self.text.push_str(self.kind.prefix);
            self.text.push('\'');
            push_glyph(&mut self.text, glyph, '\'', width, &mut false);
            self.text.push_str(&format!("' <repeats {count} times>"));
        } else {
            if !self.in_quotes {
                self.separate();
                self.text.push_str(self.kind.prefix);
                self.text.push('"');
                self.in_quotes = true;
                self.after_hex = false;
            }
            for _ in 0..count {
                push_glyph(&mut self.text, glyph, '"', width, &mut self.after_hex);
            }
        }
    }

    /// Closes the quotes that are open and puts a comma after what is there.
    fn separate(&mut self) {
        if std::mem::take(&mut self.in_quotes) {
            self.text.push('"');
        }
        if !self.text.is_empty() {
            self.text.push_str(", ");
        }
    }

    fn finish(mut self, truncated: bool) -> String {
        if self.in_quotes {
            self.text.push('"');
        }
        if truncated {
            self.text.push_str("...");
        }
        self.text
    }
}
