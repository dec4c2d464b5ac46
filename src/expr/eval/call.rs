//! Calls that are computed from their arguments' memory: `std::get<1>(x)`, `std::any_cast<int>(a)`.

use super::*;
use crate::TemplateArgument;
use ctype::{Body, Meaning, Style};

/// Elements of a tuple that are gone through in search of a type.
const MAX_TUPLE: u64 = 256;

impl Evaluator<'_> {
    /// Evaluates a call by its function's name.
    pub(super) fn call(
        &mut self,
        name: &str,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Value, Error> {
        let ([template], [argument]) = (templates, arguments) else {
            return Err(Error::new(span, ErrorKind::Refused(Refusal::Call)));
        };
        let value = self.value(argument)?;
        let mut value = self.referent(value, &argument.span)?;
        // `get_if` and `any_cast` take pointers, too, and give pointers.
        let by_pointer = pointer_target(&value.ty).is_some();
        if by_pointer {
            value = self.dereference(value, &argument.span)?;
        }
        let wanted = match template {
            TemplateArgument::Number(number) => ArgumentSelector::Place(*number),
            TemplateArgument::Type(ty) => {
                let ty = resolve_type(ty, self.env, span)?;
                ArgumentSelector::Type(self.name_of(&strip(&ty)))
            }
        };
        let meaning = self.meaning(&value, &argument.span)?;
        let meaning = meaning.ok_or_else(|| self.no_parts(&value, &argument.span))?;
        let found = match (&meaning.body, meaning.facts.iter().find(|(name, _)| *name == "index")) {
            (_, Some((_, index))) => self.alternative(index.clone(), meaning.target.clone(), &wanted, span)?,
            (Body::Items(Style::Fields | Style::Sequence, _), None) if name == "std::get" => {
                return self.part(meaning, &wanted, &value, span);
            }
            (_, None) if name == "std::any_cast" => meaning.target.filter(|held| self.is_wanted(&wanted, held)),
            _ => return Err(self.no_parts(&value, &argument.span)),
        };
        match name {
            "std::holds_alternative" => Ok(self.truth_value(found.is_some())),
            "std::get_if" | "std::any_cast" if by_pointer => match found {
                Some(held) => self.address_of(held, span),
                None => Ok(Value::computed(pointer_to(Arc::new(Type::Void), 8), &[0; 8])),
            },
            "std::get" | "std::any_cast" => found.ok_or_else(|| self.holds_another(&value, span)),
            _ => Err(self.no_parts(&value, &argument.span)),
        }
    }

    fn no_parts(&self, value: &Value, span: &Span) -> Error {
        self.wrong_operand("std::get", &value.ty, "a tuple, a pair, an array, a variant or an any", span)
    }

    fn holds_another(&mut self, value: &Value, span: &Span) -> Error {
        let held = self.meaning(value, span).ok().flatten().and_then(|meaning| meaning.target);
        let what = held.map_or("nothing".to_owned(), |held| self.name_of(&strip(&held.ty)));
        Error::new(span, ErrorKind::NoElement(format!("it holds something else: {what}")))
    }

    fn is_wanted(&self, wanted: &ArgumentSelector, value: &Value) -> bool {
        matches!(wanted, ArgumentSelector::Type(name) if *name == self.name_of(&strip(&value.ty)))
    }

    /// Returns what a variant holds, if that is what is wanted.
    fn alternative(
        &mut self,
        index: Value,
        held: Option<Value>,
        wanted: &ArgumentSelector,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let is_wanted = match (wanted, &held) {
            (ArgumentSelector::Place(place), _) => match self.number(index, "std::get", "a variant", span)? {
                Number::Integer(index) => index.value() == i128::from(*place),
                _ => false,
            },
            (ArgumentSelector::Type(_), Some(held)) => self.is_wanted(wanted, held),
            (ArgumentSelector::Type(_), None) => false,
        };
        Ok(held.filter(|_| is_wanted))
    }

    /// Finds an element of a tuple, a pair or an array.
    fn part(
        &mut self,
        meaning: Meaning,
        wanted: &ArgumentSelector,
        value: &Value,
        span: &Span,
    ) -> Result<Value, Error> {
        let Body::Items(_, mut items) = meaning.body else { return Err(self.no_parts(value, span)) };
        let unreadable = |reason| Error::new(span, ErrorKind::Unavailable(reason));
        let found = match wanted {
            ArgumentSelector::Place(place) => items.nth(*place, self.env).map_err(unreadable)?,
            ArgumentSelector::Type(_) => {
                let mut found = None;
                for _ in 0..MAX_TUPLE {
                    let Some(item) = items.next(self.env).map_err(unreadable)? else { break };
                    if self.is_wanted(wanted, &item.value) {
                        found = Some(item);
                        break;
                    }
                }
                found
            }
        };
        let none = || Error::new(span, ErrorKind::NoElement("it has no such element".to_owned()));
        let found = found.ok_or_else(none)?.value;
        self.referent(found, span)
    }
}

/// Which part a template argument means.
enum ArgumentSelector {
    /// The one so many in.
    Place(u64),
    /// The one of a type of this name.
    Type(String),
}
