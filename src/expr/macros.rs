//! Macros: an expression's text before it is parsed (C17 6.10.3, and what C++20 and GNU C add).
//!
//! What a name stands for is asked of the [`Env`](super::Env). Unlike GDB's, the expansion is C's in full: what a macro
//! leaves is scanned together with what follows it, and a name that was not expanded once stays so.

mod expand;
mod substitute;
mod token;

use super::error::{Error, ErrorKind};
use expand::{Definition, Expander, Failure};
use token::{Kind, Token, joined, tokens};

/// The longest result of an expansion, in bytes: no longer expression is parsed.
const MAX_RESULT: usize = super::lexer::MAX_LENGTH;

/// The longest definition that counts as one, in bytes.
const MAX_DEFINITION: usize = 64 * 1024;

/// A macro as it was defined.
#[derive(Clone, Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Of a function-like macro, the names of its parameters; the last one may stand for any number of arguments.
    parameters: Option<Vec<String>>,
    is_variadic: bool,
    body: Vec<Token>,
    /// The body as it is written.
    pub replacement: String,
}

impl Macro {
    /// Parses a definition as debug info has it: `NAME body`, `NAME(a,b) body`. `None` if it is malformed.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_DEFINITION {
            return None;
        }
        let mut all = tokens(text).into_iter().peekable();
        let name = all.next().filter(|token| token.kind == Kind::Name)?;
        let (mut parameters, mut is_variadic) = (None, false);
        let mut end = name.end();
        if all.peek().is_some_and(|token| token.is("(") && !token.space) {
            all.next();
            let mut names = Vec::new();
            loop {
                let token = all.next()?;
                if token.is(")") && names.is_empty() {
                    end = token.end();
                    break;
                }
                let is_named = token.kind == Kind::Name;
                if !is_named && !token.is("...") {
                    return None;
                }
                names.push(if is_named { token.text.to_string() } else { "__VA_ARGS__".to_owned() });
                is_variadic = !is_named || all.next_if(|token| token.is("...")).is_some();
                let next = all.next()?;
                end = next.end();
                match &*next.text {
                    ")" => break,
                    "," if !is_variadic => {}
                    _ => return None,
                }
            }
            parameters = Some(names);
        }
        let mut body: Vec<Token> = all.collect();
        if let Some(first) = body.first_mut() {
            first.space = false;
        }
        let replacement = text.get(end..)?.trim().to_owned();
        Some(Self { name: name.text.to_string(), parameters, is_variadic, body, replacement })
    }

    /// Returns whether it takes no arguments.
    pub fn is_object_like(&self) -> bool {
        self.parameters.is_none()
    }

    /// Returns the name with its parameters as GDB lists them: `max(a, b)`, `log(format, ...)`, `all(args...)`.
    pub fn signature(&self) -> String {
        let Some(parameters) = &self.parameters else { return self.name.clone() };
        let mut names = parameters.clone();
        if let Some(last) = names.last_mut().filter(|_| self.is_variadic) {
            *last = if last == "__VA_ARGS__" { "...".to_owned() } else { format!("{last}...") };
        }
        format!("{}({})", self.name, names.join(", "))
    }

    /// Returns which of the parameters a token of the body is.
    fn parameter(&self, token: &Token) -> Option<usize> {
        let names = self.parameters.as_ref().filter(|_| token.kind == Kind::Name)?;
        names.iter().position(|name| **name == *token.text)
    }
}

/// Expands the macros in a text; `None` if there are none in it. `definition` gives what a name is defined as.
pub(super) fn expand<'d>(text: &str, definition: &'d mut Definition<'d>) -> Result<Option<String>, Error> {
    if text.len() > MAX_RESULT {
        return Ok(None);
    }
    let mut expander = Expander::new(definition);
    let result = expander.expand(tokens(text)).and_then(|tokens| {
        let result = joined(&tokens);
        if result.len() > MAX_RESULT { Err(Failure::TooLarge) } else { Ok(result) }
    });
    match result {
        Ok(result) => Ok(expander.has_expanded.then_some(result)),
        Err(failure) => {
            let name = expander.culprit.clone();
            let start = expander.origin.min(text.len());
            let length = tokens(text.get(start..).unwrap_or_default()).first().map_or(0, Token::end);
            let kind = match failure {
                Failure::Arguments { expected, given } => ErrorKind::MacroArguments { name, expected, given },
                Failure::Unclosed => ErrorKind::MacroUnclosed(name),
                Failure::TooLarge => ErrorKind::MacroTooLarge(name),
                Failure::Ambiguous(why) => ErrorKind::MacroAmbiguous { name, why },
            };
            Err(Error::new(&(start..start + length), kind))
        }
    }
}
