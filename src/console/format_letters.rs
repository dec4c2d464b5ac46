//! The letters behind a slash: `print/x`, `x/8xb`.

use super::error::Error;

/// Formats that values are shown in; see [`Format`](ctype::Format).
const FORMATS: &str = "xduotzacfs";

/// What is behind the slash of `print`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) format: Option<char>,
}

/// What is behind the slash of `x`, as far as it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct UnitLetters {
    /// How many; negative: backward.
    pub(super) count: Option<i64>,
    /// Also `i`: instructions.
    pub(super) format: Option<char>,
    /// `b`, `h`, `w`, `g`
    pub(super) size: Option<char>,
}

/// Separates `/LETTERS` from what follows it. Without a slash there are no letters.
pub(super) fn split(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.strip_prefix('/') {
        Some(rest) => {
            let end = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
            // `p/x$1`: the letters end where no letter or digit stands.
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).map_or(end, |e| e.min(end));
            rest.split_at(end)
        }
        None => ("", text),
    }
}

impl UnitLetters {
    pub(super) fn parse(letters: &str) -> Result<Self, Error> {
        let digits = letters.len() - letters.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').len();
        let (count, rest) = letters.split_at(digits);
        let mut found = Self::default();
        if !count.is_empty() {
            found.count = Some(count.parse().map_err(|_| Error::said(format!("Invalid number \"{count}\".")))?);
        }
        for letter in rest.chars() {
            match letter {
                'b' | 'h' | 'w' | 'g' => found.size = Some(letter),
                // Raw: what values mean is not looked at here.
                'r' => {}
                'i' => found.format = Some('i'),
                _ if FORMATS.contains(letter) => found.format = Some(letter),
                _ => return Err(Error::said(format!("Undefined output format \"{letter}\"."))),
            }
        }
        Ok(found)
    }
}

impl Letters {
    /// Parses the letters. `command` is named in the message.
    pub(super) fn parse(letters: &str, command: &str) -> Result<Self, Error> {
        let found = UnitLetters::parse(letters)?;
        if found.count.is_some_and(|count| count != 1) {
            return Err(Error::said(format!("Item count other than 1 is meaningless in \"{command}\" command.")));
        }
        if found.size.is_some() {
            return Err(Error::said(format!("Size letters are meaningless in \"{command}\" command.")));
        }
        if found.format == Some('i') {
            return Err(Error::said(format!("Format letter \"i\" is meaningless in \"{command}\" command.")));
        }
        // As the structure that it is. Of a number that is shown otherwise, too, the other letter says more.
        Ok(Self { format: found.format.or(letters.contains('r').then_some('r')) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_end_where_the_expression_begins() {
        for (text, expected) in [
            ("/x y", ("x", " y")),
            (" /8xb &v", ("8xb", " &v")),
            ("/x$1", ("x", "$1")),
            ("/-3x p", ("-3x", " p")),
            ("x", ("", "x")),
            ("", ("", "")),
            ("/", ("", "")),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }

    #[test]
    fn letters_mean_what_they_mean_in_gdb() {
        let unit = |letters: &str| UnitLetters::parse(letters).map_err(|e| e.to_string());
        assert_eq!(unit("8xb"), Ok(UnitLetters { count: Some(8), format: Some('x'), size: Some('b') }));
        assert_eq!(unit("-2i"), Ok(UnitLetters { count: Some(-2), format: Some('i'), size: None }));
        assert_eq!(unit("q").unwrap_err(), "Undefined output format \"q\".");
        assert_eq!(unit("--1").unwrap_err(), "Invalid number \"--1\".");
        let print = |letters: &str| Letters::parse(letters, "print").map_err(|e| e.to_string());
        assert_eq!(print("rx"), Ok(Letters { format: Some('x') }));
        assert_eq!(print("xr"), Ok(Letters { format: Some('x') }));
        assert_eq!(print("r"), Ok(Letters { format: Some('r') }));
        assert_eq!(print("i").unwrap_err(), "Format letter \"i\" is meaningless in \"print\" command.");
        assert_eq!(print("xw").unwrap_err(), "Size letters are meaningless in \"print\" command.");
        assert_eq!(print("3x").unwrap_err(), "Item count other than 1 is meaningless in \"print\" command.");
    }
}
