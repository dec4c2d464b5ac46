//! Expansion: which names are replaced, and by what (the algorithm of Dave Prosser, which C17 6.10.3.4 describes).

use super::Macro;
use super::substitute::Arguments;
use super::token::{Hidden, Kind, Token};
use std::collections::HashMap;
use std::rc::Rc;

/// What one expansion may take: tokens, their bytes, and names that they are hidden from.
const MAX_WORK: usize = 1 << 20;
/// How deep arguments may be nested that are expanded by themselves, and `__VA_OPT__`.
const MAX_DEPTH: u32 = 50;

/// Why macros are not expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Arguments {
        expected: usize,
        given: usize,
    },
    Unclosed,
    TooLarge,
    /// Debug info does not say which definition is in effect.
    Ambiguous(String),
}

/// Gives what a name is defined as; why that is not clear.
pub(super) type Definition<'d> = dyn FnMut(&str) -> Result<Option<String>, String> + 'd;

/// One expansion.
pub(super) struct Expander<'d> {
    definition: &'d mut Definition<'d>,
    known: HashMap<Rc<str>, Option<Rc<Macro>>>,
    work: usize,
    depth: u32,
    /// Whether any macro was found.
    pub(super) has_expanded: bool,
    /// The macro that was looked at last.
    pub(super) culprit: String,
    /// Where in the source text that began.
    pub(super) origin: usize,
}

impl<'d> Expander<'d> {
    pub(super) fn new(definition: &'d mut Definition<'d>) -> Self {
        Self {
            definition,
            known: HashMap::new(),
            work: 0,
            depth: 0,
            has_expanded: false,
            culprit: String::new(),
            origin: 0,
        }
    }

    /// Counts work.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), Failure> {
        self.work = self.work.saturating_add(work);
        if self.work > MAX_WORK { Err(Failure::TooLarge) } else { Ok(()) }
    }

    /// Counts the work that tokens make.
    pub(super) fn spend_on(&mut self, tokens: &[Token]) -> Result<(), Failure> {
        self.spend(tokens.iter().map(|token| 1 + token.text.len()).sum())
    }

    /// Expands the macros in tokens.
    pub(super) fn expand(&mut self, mut tokens: Vec<Token>) -> Result<Vec<Token>, Failure> {
        // The next one is the last.
        tokens.reverse();
        let (mut rest, mut done) = (tokens, Vec::new());
        while let Some(token) = rest.pop() {
            self.spend(1 + token.text.len())?;
            let Some(found) = self.macro_of(&token)? else {
                done.push(token);
                continue;
            };
            let is_call = rest.last().is_some_and(|next| next.is("("));
            if found.parameters.is_some() && !is_call {
                done.push(token);
                continue;
            }
            self.has_expanded = true;
            self.culprit.clone_from(&found.name);
            self.origin = token.origin;
            let (arguments, mut hidden) = match &found.parameters {
                None => (Arguments::default(), (*token.hidden).clone()),
                Some(parameters) => {
                    let (given, close) = self.gather(&mut rest, parameters.len(), found.is_variadic)?;
                    (given, token.hidden.intersection(&close.hidden).cloned().collect())
                }
            };
            let mut replaced = self.substitute(&found, &found.body, arguments)?;
            hidden.insert(token.text.clone());
            self.finish(&mut replaced, &token, &Hidden::new(hidden))?;
            if replaced.is_empty()
                && let Some(next) = rest.last_mut()
            {
                next.space |= token.space;
            }
            rest.extend(replaced.into_iter().rev());
        }
        Ok(done)
    }

    /// Expands an argument, as if nothing followed it.
    pub(super) fn expand_argument(&mut self, tokens: Vec<Token>) -> Result<Vec<Token>, Failure> {
        self.deeper(|expander| expander.expand(tokens))
    }

    /// Does something one level down.
    pub(super) fn deeper<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R, Failure>) -> Result<R, Failure> {
        if self.depth >= MAX_DEPTH {
            return Err(Failure::TooLarge);
        }
        self.depth += 1;
        let done = work(self);
        self.depth -= 1;
        done
    }

    /// Looks up the macro that a token means.
    fn macro_of(&mut self, token: &Token) -> Result<Option<Rc<Macro>>, Failure> {
        if token.kind != Kind::Name || token.hidden.contains(&token.text) {
            return Ok(None);
        }
        if let Some(known) = self.known.get(&token.text) {
            return Ok(known.clone());
        }
        let definition = (self.definition)(&token.text).map_err(|why| {
            self.culprit = token.text.to_string();
            self.origin = token.origin;
            Failure::Ambiguous(why)
        })?;
        let found = definition.and_then(|text| Macro::parse(&text)).map(Rc::new);
        self.known.insert(token.text.clone(), found.clone());
        Ok(found)
    }

    /// Takes the arguments of a call, the parenthesis of which is next, and the one that closes it.
    fn gather(
        &mut self,
        rest: &mut Vec<Token>,
        parameters: usize,
        is_variadic: bool,
    ) -> Result<(Arguments, Token), Failure> {
        let mut given: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0u32;
        while let Some(token) = rest.pop() {
            self.spend(1)?;
            // The commas of what a variadic parameter takes are part of it.
            let separates = depth == 1 && token.is(",") && !(is_variadic && given.len() >= parameters);
            let nests = token.is("(");
            if token.is(")") {
                depth -= 1;
                if depth == 0 {
                    return Ok((counted(given, parameters, is_variadic)?, token));
                }
            }
            match given.last_mut() {
                _ if separates => given.push(Vec::new()),
                // Not the one that opens the list.
                Some(last) if depth > 0 => last.push(token),
                _ => {}
            }
            depth += u32::from(nests);
        }
        Err(Failure::Unclosed)
    }

    /// Makes what replaces a macro's name look like a part of the text around it.
    fn finish(&mut self, replaced: &mut [Token], name: &Token, hidden: &Hidden) -> Result<(), Failure> {
        self.spend_on(replaced)?;
        for token in replaced.iter_mut() {
            token.origin = name.origin;
            if token.hidden.is_empty() {
                token.hidden = hidden.clone();
            } else if !hidden.is_subset(&token.hidden) {
                self.spend(token.hidden.len() + hidden.len())?;
                token.hidden = Hidden::new(token.hidden.union(hidden).cloned().collect());
            }
        }
        self.spend(hidden.len())?;
        if let Some(first) = replaced.first_mut() {
            first.space = name.space;
        }
        Ok(())
    }
}

/// Returns the arguments, if there are as many as the macro takes.
fn counted(mut given: Vec<Vec<Token>>, parameters: usize, is_variadic: bool) -> Result<Arguments, Failure> {
    if parameters == 0 && given.iter().all(Vec::is_empty) && given.len() == 1 {
        given.clear();
    }
    // What a variadic parameter stands for may be missing.
    if is_variadic && given.len() + 1 == parameters {
        given.push(Vec::new());
    }
    match given.len() == parameters {
        true => Ok(Arguments::new(given)),
        false => Err(Failure::Arguments { expected: parameters, given: given.len() }),
    }
}
