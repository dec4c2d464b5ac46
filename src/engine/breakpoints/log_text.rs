//! The text of a log point.

use crate::api::error::Error;
use crate::breakpoints::log_fields::Shown;

/// Most expressions in one text.
const MAX_EXPRESSIONS: usize = 32;

/// A piece of what a log point writes down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// In braces; may begin with a format, as in `/x flags`.
    Expression(String),
    /// In braces: something about the place, as in `$thread`.
    Place(Shown),
}

/// What a log point writes down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogText {
    /// As the user gave it.
    pub(crate) text: String,
    pub(crate) pieces: Vec<Piece>,
}

impl LogText {
    /// Reads `x is {x}`; `{{` and `}}` are braces themselves.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadLog { text: text.to_owned(), reason };
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '{' if rest.next_if_eq(&'{').is_some() => plain.push('{'),
                '}' if rest.next_if_eq(&'}').is_some() => plain.push('}'),
                '}' => return Err(bad("a `}` without a `{`; write `}}` for the character itself".to_owned())),
                '{' => {
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    let expression = braced(&mut rest).ok_or_else(|| bad("a `{` without its `}`".to_owned()))?;
                    if expression.trim().is_empty() {
                        return Err(bad("an expression must stand between `{` and `}`".to_owned()));
                    }
                    pieces.push(match Shown::named(expression.trim()) {
                        Some(shown) => Piece::Place(shown),
                        None => Piece::Expression(expression.trim().to_owned()),
                    });
                }
                other => plain.push(other),
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        let log = Self { text: text.to_owned(), pieces };
        match log.expressions().count() {
            0..=MAX_EXPRESSIONS => Ok(log),
            n => Err(bad(format!("{n} expressions are too many, {MAX_EXPRESSIONS} are possible"))),
        }
    }

    pub(crate) fn expressions(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Expression(expression) => Some(expression.as_str()),
            Piece::Text(_) | Piece::Place(_) => None,
        })
    }

    /// Returns whether it says who has called.
    pub(crate) fn names_caller(&self) -> bool {
        self.pieces.contains(&Piece::Place(Shown::Caller))
    }
}

/// Takes what stands before the closing brace, which is not one of a character or string.
fn braced(rest: &mut impl Iterator<Item = char>) -> Option<String> {
    let (mut expression, mut quote, mut escaped) = (String::new(), None, false);
    for c in rest {
        match (quote, c) {
            (None, '}') => return Some(expression),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        expression.push(c);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pieces(text: &str) -> Vec<Piece> {
        LogText::parse(text).unwrap().pieces
    }

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    fn expression(text: &str) -> Piece {
        Piece::Expression(text.to_owned())
    }

    #[test]
    fn expressions_stand_in_braces() {
        assert_eq!(pieces("here"), [text("here")]);
        assert_eq!(
            pieces("x={x}, y={ /x y }!"),
            [text("x="), expression("x"), text(", y="), expression("/x y"), text("!")]
        );
        assert_eq!(pieces("{{{x}}}"), [text("{"), expression("x"), text("}")]);
        assert_eq!(pieces("{s == \"}\"}{c == '}'}"), [expression("s == \"}\""), expression("c == '}'")]);
        assert_eq!(pieces("{m[\"\\\"}\"]}"), [expression("m[\"\\\"}\"]")]);
        assert_eq!(pieces("{$thread}{ $caller }"), [Piece::Place(Shown::Thread), Piece::Place(Shown::Caller)]);
        assert_eq!(pieces("{$rsp}{$line + 1}"), [expression("$rsp"), expression("$line + 1")]);
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (text, reason) in [
            ("{x", "a `{` without its `}`"),
            ("x}", "a `}` without a `{`"),
            ("{ }", "an expression must stand between"),
            ("{'}", "a `{` without its `}`"),
        ] {
            let message = LogText::parse(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
        assert!(LogText::parse(&"{x}".repeat(33)).unwrap_err().to_string().contains("33 expressions are too many"));
    }

    proptest! {
        #[test]
        fn any_text(text in "\\PC{0,80}") {
            let _ = LogText::parse(&text);
        }
    }
}
