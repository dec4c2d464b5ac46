//! The body of a macro with its arguments in place (C17 6.10.3.1 to 6.10.3.3, C++20 15.6.2).

use super::Macro;
use super::expand::{Expander, Failure};
use super::token::{Kind, Token, only};

/// The arguments of a call.
#[derive(Default)]
pub(super) struct Arguments {
    given: Vec<Vec<Token>>,
    /// Each with its macros expanded, once that was needed.
    expanded: Vec<Option<Vec<Token>>>,
}

impl Arguments {
    pub(super) fn new(given: Vec<Vec<Token>>) -> Self {
        Self { expanded: vec![None; given.len()], given }
    }

    fn given(&self, parameter: usize) -> &[Token] {
        self.given.get(parameter).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A call while its macro's body is copied.
struct Call<'m> {
    definition: &'m Macro,
    arguments: Arguments,
}

impl Expander<'_> {
    /// Puts the arguments in their places in the body.
    pub(super) fn substitute(
        &mut self,
        definition: &Macro,
        body: &[Token],
        arguments: Arguments,
    ) -> Result<Vec<Token>, Failure> {
        let made = self.copy(&mut Call { definition, arguments }, body)?;
        let (mut kept, mut space) = (Vec::with_capacity(made.len()), false);
        for mut token in made {
            token.space |= space;
            space = token.kind == Kind::Placemarker && token.space;
            if token.kind != Kind::Placemarker {
                kept.push(token);
            }
        }
        Ok(kept)
    }

    fn copy(&mut self, call: &mut Call<'_>, body: &[Token]) -> Result<Vec<Token>, Failure> {
        let mut made: Vec<Token> = Vec::new();
        let mut at = 0;
        while let Some(token) = body.get(at) {
            let rest = body.get(at + 1..).unwrap_or_default();
            if token.is("##") && !made.is_empty() && !rest.is_empty() {
                at += 1 + self.paste(call, &mut made, rest)?;
                continue;
            }
            let is_pasted = rest.len() > 1 && rest.first().is_some_and(|next| next.is("##"));
            let (operand, length) = self.operand(call, body.get(at..).unwrap_or_default(), is_pasted)?;
            made.extend(operand);
            at += length;
        }
        Ok(made)
    }

    /// Makes what the first tokens of (a rest of) a body stand for, never nothing; and how many tokens these are.
    /// `raw`: an argument is an operand of `##`, and therefore not expanded.
    fn operand(&mut self, call: &mut Call<'_>, body: &[Token], raw: bool) -> Result<(Vec<Token>, usize), Failure> {
        let Some(first) = body.first() else { return Ok((Vec::new(), 1)) };
        let (mut made, length) = if let Some(parameter) = stringized(call.definition, body) {
            let text = stringize(call.arguments.given(parameter));
            (vec![Token::new(Kind::Literal, &text)], 2)
        } else if let Some(inside) = optional(call.definition, body) {
            let last = call.arguments.given.len().saturating_sub(1);
            let has_some = !self.argument(call, last, false)?.is_empty();
            let made = if has_some { self.deeper(|expander| expander.copy(call, inside))? } else { Vec::new() };
            (made, inside.len() + 3)
        } else if let Some(parameter) = call.definition.parameter(first) {
            (self.argument(call, parameter, raw)?, 1)
        } else {
            (vec![first.clone()], 1)
        };
        if made.is_empty() {
            made.push(Token::new(Kind::Placemarker, ""));
        }
        if let Some(token) = made.first_mut() {
            token.space = first.space;
        }
        self.spend_on(&made)?;
        Ok((made, length))
    }

    fn argument(&mut self, call: &mut Call<'_>, parameter: usize, raw: bool) -> Result<Vec<Token>, Failure> {
        let given = call.arguments.given(parameter);
        self.spend_on(given)?;
        if raw {
            return Ok(given.to_vec());
        }
        if let Some(Some(expanded)) = call.arguments.expanded.get(parameter) {
            return Ok(expanded.clone());
        }
        let expanded = self.expand_argument(given.to_vec())?;
        if let Some(place) = call.arguments.expanded.get_mut(parameter) {
            *place = Some(expanded.clone());
        }
        Ok(expanded)
    }

    /// Joins what was made last and what comes behind `##`. How many tokens of the body that takes.
    fn paste(&mut self, call: &mut Call<'_>, made: &mut Vec<Token>, rest: &[Token]) -> Result<usize, Failure> {
        let Some(left) = made.pop() else { return Ok(0) };
        let variadic = rest.first().and_then(|next| call.definition.parameter(next));
        let variadic = variadic.filter(|p| call.definition.is_variadic && p + 1 == call.arguments.given.len());
        if let Some(parameter) = variadic.filter(|_| left.is(",")) {
            // GNU's: a comma before nothing goes, one before something is not joined with it.
            if call.arguments.given(parameter).is_empty() {
                made.push(Token { space: left.space, ..Token::new(Kind::Placemarker, "") });
            } else {
                made.push(left);
                let mut argument = self.argument(call, parameter, false)?;
                if let Some(first) = argument.first_mut() {
                    first.space = false;
                }
                made.extend(argument);
            }
            return Ok(1);
        }
        let (right, length) = self.operand(call, rest, true)?;
        let mut right = right.into_iter();
        made.extend(right.next().map_or(vec![left.clone()], |first| pasted(left, first)));
        made.extend(right);
        Ok(length)
    }
}

/// Pastes two tokens to one; they stay two if there is no such token.
fn pasted(left: Token, right: Token) -> Vec<Token> {
    if left.kind == Kind::Placemarker || right.kind == Kind::Placemarker {
        let space = left.space;
        let kept = if left.kind == Kind::Placemarker { right } else { left };
        return vec![Token { space, ..kept }];
    }
    let text = format!("{}{}", left.text, right.text);
    match only(&text) {
        Some(kind) => {
            let hidden = left.hidden.intersection(&right.hidden).cloned().collect();
            vec![Token { space: left.space, hidden: std::rc::Rc::new(hidden), ..Token::new(kind, &text) }]
        }
        None => vec![left, Token { space: false, ..right }],
    }
}

/// Returns the parameter that a body begins by making a string of.
fn stringized(definition: &Macro, body: &[Token]) -> Option<usize> {
    let [hash, parameter, ..] = body else { return None };
    definition.parameter(parameter).filter(|_| hash.is("#"))
}

/// Returns what stands in the parentheses of `__VA_OPT__(…)` that a body begins with.
fn optional<'b>(definition: &Macro, body: &'b [Token]) -> Option<&'b [Token]> {
    let [name, open, inside @ ..] = body else { return None };
    if !definition.is_variadic || name.kind != Kind::Name || &*name.text != "__VA_OPT__" || !open.is("(") {
        return None;
    }
    let mut depth = 0u32;
    let close = inside.iter().position(|token| {
        let closes = depth == 0 && token.is(")");
        depth = depth.saturating_add(u32::from(token.is("("))).saturating_sub(u32::from(token.is(")")));
        closes
    })?;
    inside.get(..close)
}

/// Makes the tokens a string literal.
fn stringize(tokens: &[Token]) -> String {
    let mut text = String::from("\"");
    for (i, token) in tokens.iter().enumerate() {
        if i > 0 && token.space {
            text.push(' ');
        }
        for c in token.text.chars() {
            if token.kind == Kind::Literal && matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
    }
    text.push('"');
    text
}
