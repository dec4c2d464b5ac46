//! Preprocessing tokens (C17 6.4): text that is not looked into yet.

use crate::lexer::PUNCTUATORS;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a token is to the preprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// A string or character literal.
    Literal,
    /// An operator, or any other character. GDB's `$name` counts as one.
    Other,
    /// An argument that has no tokens, while it is an operand of `##`.
    Placemarker,
}

/// The macros that a token is not to be expanded to any more.
pub(super) type Hidden = Rc<BTreeSet<Rc<str>>>;

/// A preprocessing token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Rc<str>,
    /// Whether there is white space before it.
    pub(super) space: bool,
    pub(super) hidden: Hidden,
    /// Where in the source text it, or what it was expanded from, begins.
    pub(super) origin: usize,
}

impl Token {
    pub(super) fn new(kind: Kind, text: &str) -> Self {
        Self { kind, text: Rc::from(text), space: false, hidden: Hidden::default(), origin: 0 }
    }

    pub(super) fn is(&self, punctuator: &str) -> bool {
        self.kind == Kind::Other && *self.text == *punctuator
    }

    /// Returns where a token of the source text ends there.
    pub(super) fn end(&self) -> usize {
        self.origin + self.text.len()
    }
}

/// Splits a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        let space = trimmed.len() < rest.len();
        at += rest.len() - trimmed.len();
        let Some((kind, length)) = first(trimmed) else { return found };
        let token = Token::new(kind, trimmed.get(..length).unwrap_or(trimmed));
        found.push(Token { space, origin: at, ..token });
        at += length;
    }
}

/// Returns the kind and length of the token that a text begins with.
fn first(text: &str) -> Option<(Kind, usize)> {
    let mut letters = text.chars();
    let (c, second) = (letters.next()?, letters.next());
    let is_digit = |c: char| c.is_ascii_digit();
    Some(match c {
        '0'..='9' => (Kind::Number, number(text)),
        '.' if second.is_some_and(is_digit) => (Kind::Number, number(text)),
        '"' | '\'' => (Kind::Literal, literal(text)),
        '$' => (Kind::Other, 1 + name(&text[1..])),
        c if c.is_alphabetic() || c == '_' => {
            let length = name(text);
            let is_prefix = matches!(&text[..length], "L" | "u" | "U" | "u8");
            match text[length..].starts_with(['"', '\'']) && is_prefix {
                true => (Kind::Literal, length + literal(&text[length..])),
                false => (Kind::Name, length),
            }
        }
        c => {
            let known = PUNCTUATORS.iter().chain(&["##"]).filter(|p| text.starts_with(**p));
            (Kind::Other, known.map(|p| p.len()).max().unwrap_or(c.len_utf8()))
        }
    })
}

fn name(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len())
}

/// Measures the length of a preprocessing number. Of its signs, those that a number may have.
fn number(text: &str) -> usize {
    let exponents = if text.starts_with("0x") || text.starts_with("0X") { ['p', 'P'] } else { ['e', 'E'] };
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let goes_on = c.is_alphanumeric() || matches!(c, '_' | '.');
        let is_sign = matches!(c, '+' | '-') && exponents.contains(&before);
        if !goes_on && !is_sign {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Measures the length of a literal, which is all of the text if it is not closed.
fn literal(text: &str) -> usize {
    let mut letters = text.char_indices();
    let quote = letters.next().map(|(_, c)| c);
    let mut escaped = false;
    for (at, c) in letters {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if Some(c) == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Returns the kind of the only token that a text is.
pub(super) fn only(text: &str) -> Option<Kind> {
    first(text).filter(|(_, length)| *length == text.len()).map(|(kind, _)| kind)
}

/// Joins the text of tokens, which is such that they are found again in it.
pub(super) fn joined(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut before: Option<&Token> = None;
    for token in tokens {
        if before.is_some_and(|before| token.space || run_together(&before.text, &token.text)) {
            text.push(' ');
        }
        text.push_str(&token.text);
        before = Some(token);
    }
    text
}

/// Returns whether two tokens would be others without a space between them.
fn run_together(a: &str, b: &str) -> bool {
    // No token is changed by more than the beginning of the next one.
    let beginning: String = b.chars().take(3).collect();
    first(&format!("{a}{beginning}")).is_none_or(|(_, length)| length != a.len())
}
