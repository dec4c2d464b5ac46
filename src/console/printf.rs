//! `printf` and the escapes of `echo`.

mod number;

use super::error::Error;
use super::execution::Execution;
use super::parse::commas;
use super::state::Hint;
use base::untrusted::one_line;
use engine::model::{BreakpointSpec, LogLine};
use number::{exponential, fixed, integer_type, is_integer, shorter, with_digits};

/// Most conversions of one format.
const MAX_CONVERSIONS: usize = 100;
/// Longest string that `%s` reads.
const MAX_STRING: u64 = 1000;
/// Widest field.
const MAX_WIDTH: usize = 1000;

/// Returns the text with C's escapes taken for what they mean. A backslash at the end protects the space before it.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let push = |out: &mut Vec<u8>, c: char| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        if c != '\\' {
            push(&mut out, c);
            continue;
        }
        match letters.next() {
            Some('n') => out.push(b'\n'),
            Some('t') => out.push(b'\t'),
            Some('a') => out.push(7),
            Some('b') => out.push(8),
            Some('f') => out.push(12),
            Some('r') => out.push(b'\r'),
            Some('e') => out.push(27),
            Some(digit @ '0'..='7') => {
                let mut code = digit.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = letters.peek().and_then(|c| c.to_digit(8)) else { break };
                    letters.next();
                    code = code * 8 + digit;
                }
                // A byte, of several of which a character may be made.
                out.push((code & 0xff) as u8);
            }
            Some(other) => push(&mut out, other),
            None => {}
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// `%-5d`: flags, width, and what is converted, how.
    Value {
        left: bool,
        zero: bool,
        marks: Marks,
        width: usize,
        conversion: Conversion,
    },
}

/// How a value is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Conversion {
    precision: Option<usize>,
    letter: char,
    /// The type that integers are converted to first.
    integer: &'static str,
}

/// Flags that put something before digits: `#` their base, `+` and a space the sign of a number that is not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Marks {
    base: bool,
    sign: Option<char>,
}

impl Marks {
    fn before(self, digits: String, letter: char) -> String {
        let is_zero = digits.chars().all(|digit| digit == '0');
        match (letter, self.sign) {
            ('x' | 'X', _) if self.base && !is_zero => format!("0{letter}{digits}"),
            ('o', _) if self.base && !digits.starts_with('0') => format!("0{digits}"),
            ('d' | 'i' | 'f' | 'e' | 'E' | 'g' | 'G', Some(sign)) if !digits.starts_with('-') => {
                format!("{sign}{digits}")
            }
            _ => digits,
        }
    }
}

/// The letter of `%ls`: a string of wide characters.
const WIDE: char = 'S';

/// Takes a format apart.
fn pieces(format: &str) -> Result<Vec<Piece>, Error> {
    let mut found = Vec::new();
    let mut text = String::new();
    let mut letters = format.chars().peekable();
    while let Some(c) = letters.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        if letters.next_if_eq(&'%').is_some() {
            text.push('%');
            continue;
        }
        let (mut left, mut zero, mut marks) = (false, false, Marks::default());
        while let Some(flag) = letters.next_if(|c| "-0+ #".contains(*c)) {
            left |= flag == '-';
            zero |= flag == '0';
            marks.base |= flag == '#';
            match flag {
                '+' => marks.sign = Some('+'),
                ' ' => marks.sign = marks.sign.or(Some(' ')),
                _ => {}
            }
        }
        let number = |letters: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            let mut n = None;
            while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                n = Some((n.unwrap_or(0usize) * 10 + digit as usize - '0' as usize).min(MAX_WIDTH));
            }
            n
        };
        let width = number(&mut letters).unwrap_or(0);
        let precision = letters.next_if_eq(&'.').map(|_| number(&mut letters).unwrap_or(0));
        let mut modifiers = String::new();
        while let Some(modifier) = letters.next_if(|c| "hlLqjzt".contains(*c)) {
            modifiers.push(modifier);
        }
        match letters.next() {
            Some(letter) if "diuxXocspfeEgG".contains(letter) => {
                let is_wide = letter == 's' && modifiers.contains('l');
                let integer = integer_type(&modifiers, letter);
                let conversion = Conversion { precision, letter: if is_wide { WIDE } else { letter }, integer };
                let zero = zero && !left && !(precision.is_some() && is_integer(letter));
                found.push(Piece::Text(std::mem::take(&mut text)));
                found.push(Piece::Value { left, zero, marks, width, conversion });
            }
            other => {
                let letter = other.map(String::from).unwrap_or_default();
                return Err(Error::said(format!("Unrecognized format specifier '{letter}' in printf")));
            }
        }
        if found.len() > 2 * MAX_CONVERSIONS {
            return Err(Error::said(format!("At most {MAX_CONVERSIONS} conversions are made at once.")));
        }
    }
    found.push(Piece::Text(text));
    Ok(found)
}

/// Separates `"FORMAT", ARGUMENT, …`.
fn split(arguments: &str) -> Result<(String, Vec<String>), Error> {
    let rest = arguments.trim().strip_prefix('"').ok_or_else(|| Error::said("Bad format string"))?;
    let mut end = None;
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            '"' if !escaped => {
                end = Some(at);
                break;
            }
            _ => escaped = c == '\\' && !escaped,
        }
    }
    let end = end.ok_or_else(|| Error::said("Bad format string, non-terminated '\"'"))?;
    let (format, behind) = rest.split_at(end);
    let behind = behind.get(1..).unwrap_or_default().trim();
    let mut list = Vec::new();
    if !behind.is_empty() {
        let behind = behind.strip_prefix(',').ok_or_else(|| Error::said("Invalid argument syntax"))?;
        let mut begin = 0;
        for at in commas(behind) {
            list.push(behind.get(begin..at).unwrap_or_default().trim().to_owned());
            begin = at + 1;
        }
        list.push(behind.get(begin..).unwrap_or_default().trim().to_owned());
    }
    Ok((unescaped(format), list))
}

fn padded(text: &str, left: bool, zero: bool, width: usize) -> String {
    match (left, zero) {
        (true, _) => format!("{text:<width$}"),
        (false, true) => {
            let before = ["-", "+", " ", "0x", "0X"].into_iter().find(|before| text.starts_with(before));
            let (sign, digits) = text.split_at(before.map_or(0, str::len));
            let width = width.saturating_sub(sign.len());
            format!("{sign}{digits:0>width$}")
        }
        (false, false) => format!("{text:>width$}"),
    }
}

/// Returns the text of a log point that writes down what a `dprintf` prints, in one line, with the values as logs have
/// them. The letters of the conversions say how these are read.
fn log_of(pieces: &[Piece], list: &[String]) -> String {
    let field = |conversion: &Conversion, expression: &String| {
        let integer = conversion.integer;
        match conversion.letter {
            'd' | 'i' => format!("{{/d ({integer})({expression})}}"),
            'u' => format!("{{/u ({integer})({expression})}}"),
            'o' => format!("{{/o ({integer})({expression})}}"),
            'x' | 'X' => format!("{{/x ({integer})({expression})}}"),
            'p' => format!("{{/x (unsigned long)({expression})}}"),
            'c' => format!("{{/u (unsigned char)({expression})}}"),
            's' | WIDE => format!("{{{expression}}}"),
            _ => format!("{{(double)({expression})}}"),
        }
    };
    let mut log = String::new();
    let mut list = list.iter();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => {
                let is_last = at + 1 == pieces.len();
                let text = text.strip_suffix('\n').filter(|_| is_last).unwrap_or(text);
                log += &one_line(text).replace('{', "{{").replace('}', "}}");
            }
            Piece::Value { conversion, .. } => {
                log.extend(list.next().map(|expression| field(conversion, expression)));
            }
        }
    }
    // A log point without a text would be none.
    if log.trim().is_empty() { "\\n".to_owned() } else { log }
}

/// Returns a value in a log as the conversion of a format wants it. What is no such value stays as it is.
fn from_log(value: &str, conversion: Conversion) -> String {
    let Conversion { precision, letter, .. } = conversion;
    let number = || value.parse::<f64>().ok();
    let text = match letter {
        'o' => value.strip_prefix('0').filter(|rest| !rest.is_empty()).map(str::to_owned),
        'x' => value.strip_prefix("0x").map(str::to_owned),
        'X' => value.strip_prefix("0x").map(str::to_uppercase),
        'c' => value.parse().ok().map(|code: u8| char::from(code).to_string()),
        // A pointer is shown before its text.
        's' | WIDE => value.find('"').and_then(|at| {
            let quoted = value.get(at + 1..)?;
            let (text, rest) = quoted.rsplit_once('"')?;
            let text = unescaped(text) + rest;
            Some(text.chars().take(precision.unwrap_or(usize::MAX)).collect())
        }),
        'f' => number().map(|number| fixed(number, precision)),
        'e' => number().map(|number| exponential(number, precision)),
        'E' => number().map(|number| exponential(number, precision).to_uppercase()),
        'g' => number().map(|number| shorter(number, precision)),
        'G' => number().map(|number| shorter(number, precision).to_uppercase()),
        _ => None,
    };
    let text = text.unwrap_or_else(|| value.to_owned());
    if is_integer(letter) { with_digits(text, precision) } else { text }
}

impl Execution<'_> {
    /// Sets a breakpoint that prints instead of stopping.
    pub(super) fn set_dprintf(&mut self, location: &str, text: &str) -> Result<(), Error> {
        let (format, list) = split(text)?;
        let pieces = pieces(&format)?;
        if pieces.iter().filter(|p| matches!(p, Piece::Value { .. })).count() != list.len() {
            return Err(Error::said("Wrong number of arguments for specified format-string"));
        }
        let meant = self.meant(location)?;
        let log = Some(log_of(&pieces, &list));
        let log_written = Some(format!("printf {}", text.trim()));
        let spec = BreakpointSpec { location: meant, log, log_written, ..BreakpointSpec::default() };
        let info = self.engine.set_breakpoint(&spec).map_err(|error| self.nowhere(location, error))?;
        let hint = Hint { prints: Some(text.to_owned()), ..Hint::default() };
        self.state.hints.insert(info.number, hint);
        self.tell_breakpoint(&info)
    }

    /// Returns what a `dprintf` prints of the values in a line of a log.
    pub(super) fn dprinted(&self, line: &LogLine) -> Option<String> {
        let (format, _) = split(self.state.hints.get(&line.number)?.prints.as_deref()?).ok()?;
        let mut values = line.values.iter();
        let mut text = String::new();
        for piece in pieces(&format).ok()? {
            match piece {
                Piece::Text(plain) => text.push_str(&plain),
                Piece::Value { left, zero, marks, width, conversion } => {
                    let letter = conversion.letter;
                    let value = marks.before(from_log(values.next()?, conversion), letter);
                    let value = self.within_line(value, letter);
                    text.push_str(&padded(&value, left, zero, width));
                }
            }
        }
        Some(text)
    }

    pub(super) fn printf(&mut self, arguments: &str) -> Result<(), Error> {
        let (format, list) = split(arguments)?;
        let pieces = pieces(&format)?;
        let wanted = pieces.iter().filter(|p| matches!(p, Piece::Value { .. })).count();
        if wanted != list.len() {
            return Err(Error::said("Wrong number of arguments for specified format-string"));
        }
        let mut list = list.iter();
        let mut text = String::new();
        for piece in &pieces {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Value { left, zero, marks, width, conversion } => {
                    let Some(expression) = list.next() else { break };
                    let letter = conversion.letter;
                    let value = marks.before(self.converted(expression, *conversion)?, letter);
                    let value = self.within_line(value, letter);
                    text.push_str(&padded(&value, *left, *zero, *width));
                }
            }
        }
        self.terminal.say(&text);
        Ok(())
    }

    fn converted(&mut self, expression: &str, conversion: Conversion) -> Result<String, Error> {
        let Conversion { precision, letter, integer } = conversion;
        let mut plain = |ty: &str, format| -> Result<String, Error> {
            Ok(self.value(&format!("({ty})({expression})"), Some(format))?.value)
        };
        Ok(match letter {
            'd' | 'i' => with_digits(plain(integer, 'd')?, precision),
            'u' => with_digits(plain(integer, 'u')?, precision),
            'o' => {
                let digits = plain(integer, 'o')?;
                let digits = digits.strip_prefix('0').filter(|rest| !rest.is_empty()).unwrap_or(&digits).to_owned();
                with_digits(digits, precision)
            }
            'x' | 'X' => {
                let digits = with_digits(plain(integer, 'x')?.trim_start_matches("0x").to_owned(), precision);
                if letter == 'X' { digits.to_uppercase() } else { digits }
            }
            'p' => plain("unsigned long", 'x')?,
            'c' => {
                let code = plain("unsigned char", 'u')?;
                code.parse().map(|code: u8| char::from(code).to_string()).unwrap_or_default()
            }
            's' => self.string(expression, precision)?,
            WIDE => self.shown_string(expression, precision)?,
            _ => {
                let value = self.value(&format!("(double)({expression})"), None)?.value;
                let number: f64 = value.parse().map_err(|_| Error::said(format!("{expression} is not a number.")))?;
                let text = match letter {
                    'f' => fixed(number, precision),
                    'e' | 'E' => exponential(number, precision),
                    _ => shorter(number, precision),
                };
                if letter.is_uppercase() { text.to_uppercase() } else { text }
            }
        })
    }

    fn string(&mut self, expression: &str, precision: Option<usize>) -> Result<String, Error> {
        let limit = precision.map_or(MAX_STRING, |p| p as u64).clamp(1, MAX_STRING);
        let block = match self.engine.read_memory(expression, limit) {
            Ok(block) => block,
            // A literal, or a string that is kept in a convenience variable, is not in memory.
            Err(error) => return self.shown_string(expression, precision).map_err(|_| error.into()),
        };
        let end = block.bytes.iter().position(|b| *b == 0).unwrap_or(block.bytes.len());
        Ok(String::from_utf8_lossy(block.bytes.get(..end).unwrap_or_default()).into_owned())
    }

    /// Reads a string as it is shown, between quotes.
    fn shown_string(&mut self, expression: &str, precision: Option<usize>) -> Result<String, Error> {
        let value = self.value(expression, None)?.value;
        let no_string = || Error::said(format!("{expression} is not a string."));
        let (_, rest) = value.split_once('"').ok_or_else(no_string)?;
        let (text, _) = rest.rsplit_once('"').ok_or_else(no_string)?;
        Ok(unescaped(text).chars().take(precision.unwrap_or(usize::MAX)).collect())
    }

    /// Spells what would end the line, in what is of the program: see [`Terminal`](super::execution::Terminal).
    fn within_line(&self, value: String, letter: char) -> String {
        match matches!(letter, 's' | 'c' | WIDE) && !self.terminal.shows_lines() {
            true => one_line(&value).into_owned(),
            false => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_log_point_says_what_is_printed() {
        for (text, log) in [
            (r#""L %s!\n",buf"#, "L {buf}!"),
            (
                r#""%d of {%-5u}\tat %p\n\n", n, m + 1, p"#,
                r"{/d (int)(n)} of {{{/u (unsigned int)(m + 1)}}}\tat {/x (unsigned long)(p)}\n",
            ),
            (r#""here""#, "here"),
            (r#""\n""#, r"\n"),
            (r#""%s",a"#, "{a}"),
        ] {
            let (format, list) = split(text).unwrap();
            assert_eq!(log_of(&pieces(&format).unwrap(), &list), log, "{text}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(unescaped("a\\tb\\n"), "a\tb\n");
        assert_eq!(unescaped("\\101\\x\\\\"), "Ax\\");
        assert_eq!(unescaped("end \\"), "end ");
        assert_eq!(unescaped("\\342\\202\\254 \\377"), "€ \u{fffd}");
    }

    #[test]
    fn flags_put_marks_before_digits() {
        for (format, digits, shown) in [
            ("%#x", "ff", "0xff"),
            ("%#X", "FF", "0XFF"),
            ("%#x", "0", "0"),
            ("%#o", "377", "0377"),
            ("%#o", "0", "0"),
            ("%#08x", "ff", "0x0000ff"),
            ("%+d", "5", "+5"),
            ("% d", "5", " 5"),
            ("%+d", "-5", "-5"),
            ("%+05d", "5", "+0005"),
            ("%-6d", "5", "5     "),
            ("%+u", "5", "5"),
        ] {
            let shows = |piece: Piece| match piece {
                Piece::Value { left, zero, marks, width, conversion } => {
                    padded(&marks.before(digits.to_owned(), conversion.letter), left, zero, width)
                }
                Piece::Text(text) => text,
            };
            let text: String = pieces(format).unwrap().into_iter().map(shows).collect();
            assert_eq!(text, shown, "{format}");
        }
    }

    #[test]
    fn formats_are_taken_apart() {
        let (format, list) = split("\"%-5d|%s\\n\", f(a, b), \"x,y\"").unwrap();
        assert_eq!((format.as_str(), list), ("%-5d|%s\n", vec!["f(a, b)".to_owned(), "\"x,y\"".to_owned()]));
        let marks = Marks::default();
        let value = |left, zero, width, (precision, letter, integer)| {
            let conversion = Conversion { precision, letter, integer };
            Piece::Value { left, zero, marks, width, conversion }
        };
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(
            pieces("a%%%-5ld%08.3hhX").unwrap(),
            [
                text("a%"),
                value(true, false, 5, (None, 'd', "long")),
                text(""),
                value(false, false, 8, (Some(3), 'X', "unsigned char")),
                text("")
            ]
        );
        assert_eq!(pieces("%y").unwrap_err().to_string(), "Unrecognized format specifier 'y' in printf");
        assert_eq!(split("%d").unwrap_err().to_string(), "Bad format string");
        assert_eq!(split("\"%d").unwrap_err().to_string(), "Bad format string, non-terminated '\"'");
    }

    #[test]
    fn fields_are_padded() {
        assert_eq!(padded("-5", false, true, 5), "-0005");
        assert_eq!(padded("5", true, false, 3), "5  ");
        assert_eq!(padded("5", false, false, 3), "  5");
    }

    proptest! {
        #[test]
        fn random_formats_never_panic(text in "\\PC*") {
            let _ = unescaped(&text);
            if let Ok((format, _)) = split(&text) {
                let _ = pieces(&format);
            }
            let _ = pieces(&text);
        }
    }
}
