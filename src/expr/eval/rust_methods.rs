//! Methods of Rust's library that give views: iterators, `Option`s of what was there, and what a `dyn Any` is.

use super::*;
use ctype::{Body, Item, Items, Memory, Style, Unavailable};

/// Methods that give an iterator over a container, which is as good as the container itself.
const ITERATORS: [&str; 9] = ["iter", "iter_mut", "into_iter", "chars", "bytes", "keys", "values", "collect", "by_ref"];
/// Bytes of a text whose characters are counted.
const MAX_COUNTED: u64 = 1 << 16;

impl Evaluator<'_> {
    /// Evaluates such a method; `None` for other methods, and of other objects.
    pub(super) fn rust_method(
        &mut self,
        value: &Value,
        name: &str,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        match (name, arguments) {
            ("downcast_ref" | "downcast_mut" | "is", [wanted]) => self.downcast(value, name, wanted, span),
            ("ptr_eq", [other]) => self.is_same_pointer(value, other, span),
            ("contains", [element]) => self.array_contains(value, element, span),
            ("ok" | "err", []) => self.half(value, name, span),
            ("upgrade" | "raw_os_error", []) => self.perhaps(value, name, span),
            ("as_bytes" | "as_slice" | "as_str", []) => self.whole_reference(value, name == "as_bytes", span),
            ("count", []) => self.characters(value, span),
            (name, []) if ITERATORS.contains(&name) => {
                let is_list = array_parts(&value.ty).is_some()
                    || self.meaning(value, span)?.is_some_and(|meaning| {
                        meaning.rust
                            && !matches!(meaning.body, Body::Nothing | Body::Items(Style::Fields | Style::Tuple, _))
                    });
                Ok(is_list.then(|| value.clone()))
            }
            _ => Ok(None),
        }
    }

    /// Evaluates whether an array has an element; `None` of anything else.
    fn array_contains(&mut self, value: &Value, wanted: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        let Some((_, Some(count))) = array_parts(&value.ty) else { return Ok(None) };
        let key = self.argument(wanted)?;
        let key = self.comparable(&key, &wanted.span)?;
        let mut elements = Elements { array: value.clone(), next: 0, count };
        let found = self.find(&mut elements, &key, span)?;
        Ok(Some(self.truth_value(found.is_some())))
    }

    /// Evaluates what a `dyn Any` is, if it is of the type that is wanted.
    fn downcast(&mut self, value: &Value, name: &str, wanted: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        let ExprKind::Type(wanted_name) = &wanted.kind else { return Ok(None) };
        if !is_any(&self.name_of(&value.ty)) {
            return Ok(None);
        }
        let ty = resolve_type(wanted_name, self.env, &wanted.span)?;
        let held = self.target_of(value, span)?;
        let Some(held) = held else {
            let unknown = "the debug info does not tell which type it is of".to_owned();
            return Err(Error::new(span, ErrorKind::Unavailable(Unavailable::Other(unknown))));
        };
        let is_it = self.name_of(&strip(&held.ty)) == self.name_of(&strip(&ty));
        if name == "is" {
            return Ok(Some(self.truth_value(is_it)));
        }
        Ok(Some(option::option_of(self.name_of(&ty), Some(held).filter(|_| is_it))))
    }

    /// Evaluates whether two counted pointers lead to the same value.
    fn is_same_pointer(&mut self, value: &Value, other: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        let is_counted = |name: &str| ["alloc::rc::", "alloc::sync::"].iter().any(|owner| name.starts_with(owner));
        if !is_counted(&self.name_of(&value.ty)) {
            return Ok(None);
        }
        let other = self.argument(other)?;
        let mut word =
            |value: &Value| value.word(0, self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)));
        let (x, y) = (word(value)?, word(&other)?);
        Ok(Some(self.truth_value(x == y)))
    }

    /// Evaluates `ok()` or `err()` of a `Result`.
    fn half(&mut self, value: &Value, name: &str, span: &Span) -> Result<Option<Value>, Error> {
        let Some((variant, held)) = self.variant_of(value, span)? else { return Ok(None) };
        let wanted = if name == "ok" { "Ok" } else { "Err" };
        match variant.as_str() {
            "Ok" | "Err" => {
                let held = held.member("__0").filter(|_| variant == wanted);
                let name = held.as_ref().map_or_else(|| "_".to_owned(), |held| self.name_of(&held.ty));
                Ok(Some(option::option_holding(&name, held)))
            }
            _ => Ok(None),
        }
    }

    /// Evaluates what an object has to say only in some states: what a `Weak` watches, the number of a system error.
    fn perhaps(&mut self, value: &Value, name: &str, span: &Span) -> Result<Option<Value>, Error> {
        let ty = self.name_of(&strip(&value.ty));
        let Some(meaning) = self.meaning(value, span)? else { return Ok(None) };
        let held = match name {
            "upgrade" if ty.contains("::Weak<") => {
                let owner = self.owner_of(value, &ty);
                let name = owner.as_ref().map(|owner| self.name_of(&owner.ty));
                // Of a type that the program never has, the value alone is there to be shown.
                let held = meaning.target.map(|target| owner.unwrap_or(target));
                let name = name.or_else(|| held.as_ref().map(|held| self.name_of(&held.ty)));
                return Ok(Some(option::option_holding(&name.unwrap_or_else(|| "_".to_owned()), held)));
            }
            "raw_os_error" if ty.ends_with("io::error::Error") => {
                meaning.facts.into_iter().find(|(known, _)| *known == name).map(|(_, code)| code)
            }
            _ => return Ok(None),
        };
        let name = held.as_ref().map_or_else(|| "_".to_owned(), |held| self.name_of(&held.ty));
        Ok(Some(option::option_holding(&name, held)))
    }

    /// Makes the `Rc` or `Arc` that a `Weak` becomes: both are one pointer to the same thing.
    fn owner_of(&mut self, weak: &Value, name: &str) -> Option<Value> {
        let owners = [("alloc::rc::Weak<", "alloc::rc::Rc<"), ("alloc::sync::Weak<", "alloc::sync::Arc<")];
        let owner =
            owners.into_iter().find_map(|(weak, owner)| Some(format!("{owner}{}", name.strip_prefix(weak)?)))?;
        let ty = self.env.type_named(None, &owner)?;
        (size_of(&ty) == size_of(&weak.ty)).then(|| Value { ty, ..weak.clone() })
    }

    /// Counts the characters of a text, or the elements of a container.
    fn characters(&mut self, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        if let Some((_, Some(count))) = array_parts(&value.ty) {
            return Ok(Some(self.size_value(count)));
        }
        let Some(meaning) = self.meaning(value, span)?.filter(|meaning| meaning.rust) else { return Ok(None) };
        match (&meaning.body, meaning.length) {
            (Body::Text(_), Some(length)) if length <= MAX_COUNTED => {
                let text = self.text_of(value, span)?.unwrap_or_default();
                let starts = text.iter().filter(|unit| **unit & 0xc0 != 0x80).count();
                Ok(Some(self.size_value(starts as u64)))
            }
            (Body::Items(style, _), _) if !matches!(style, Style::Fields | Style::Tuple) => {
                self.count(meaning, span).map(|count| Some(self.size_value(count)))
            }
            _ => Ok(None),
        }
    }
}

/// The elements of an array.
struct Elements {
    array: Value,
    next: u64,
    count: u64,
}

impl Items for Elements {
    fn next(&mut self, _memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        let element = if self.next < self.count { self.array.element(i128::from(self.next)) } else { None };
        self.next += 1;
        Ok(element.map(Item::plain))
    }
}

/// Returns whether a type is a reference to a `dyn Any`, or owns one.
fn is_any(name: &str) -> bool {
    let signs = ["&mut ", "&", "alloc::boxed::Box<", "alloc::rc::Rc<", "alloc::sync::Arc<"];
    let target = signs.iter().find_map(|sign| name.strip_prefix(sign)).unwrap_or_default();
    target.trim_start_matches('(').starts_with("dyn core::any::Any")
}
