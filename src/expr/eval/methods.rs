//! Member functions that are computed: what containers, texts and pointers say of themselves.

use super::class::declares;
use super::meaning::{MAX_WRAPPERS, no_element};
use super::*;
use ctype::{Body, MAX_STEPS, Meaning, Style};

/// Methods of Rust that give what they are asked of, as far as a debugger sees it.
const SAME: [&str; 14] = [
    "unwrap",
    "expect",
    "as_ref",
    "as_mut",
    "clone",
    "cloned",
    "copied",
    "borrow",
    "borrow_mut",
    "as_slice",
    "as_str",
    "as_bytes",
    "deref",
    "to_owned",
];
/// Base classes whose methods are tried.
const MAX_BASES: usize = 32;

impl Evaluator<'_> {
    /// Evaluates a member function to what it would return.
    pub(super) fn method(
        &mut self,
        object: &Expr,
        access: Access,
        name: &str,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Value, Error> {
        let value = self.value(object)?;
        let mut value = self.referent(value, &object.span)?;
        if access == Access::Arrow {
            value = self.dereference(value, &object.span)?;
        }
        if self.is_rust() && matches!(name, "unwrap" | "expect") && option::is_guard(object) {
            return Ok(value);
        }
        // A class's own function may do anything; that of a library's class is computed, if it can be.
        if declares(&value, name) && self.meaning(&value, span)?.is_none() {
            self.require_available(&value, &object.span)?;
            if let Some(result) = self.call_method(&value, name, arguments, span)? {
                return Ok(result);
            }
        }
        let outermost = value.clone();
        // Methods of what is in a wrapper are the wrapper's in Rust; a pointer has none of its own.
        for _ in 0..MAX_WRAPPERS {
            if let Some(result) = self.own_method(&value, name, arguments, span)? {
                return Ok(result);
            }
            // A class's own function hides those of its bases, and may do anything.
            let mut is_hidden = declares(&value, name);
            for base in self.bases_of(&value) {
                if let Some(result) = self.own_method(&base, name, arguments, span)? {
                    let hidden = || Error::new(span, ErrorKind::Refused(Refusal::Call));
                    return if is_hidden { Err(hidden()) } else { Ok(result) };
                }
                is_hidden |= declares(&base, name);
            }
            let next = match pointer_target(&value.ty) {
                Some(_) => Some(self.dereference(value.clone(), &object.span)?),
                None => self.target_of(&value, &object.span).ok().flatten(),
            };
            match next {
                Some(next) => value = next,
                None => break,
            }
        }
        if self.is_rust() && arguments.is_empty() && SAME.contains(&name) {
            self.no_lost_shell(&value, name, span)?;
            if matches!(name, "clone" | "to_owned") {
                let cloned = self.borrowed(outermost, object, false)?;
                return self.peeled(cloned, &object.span);
            }
            return Ok(outermost);
        }
        self.require_available(&outermost, &object.span)?;
        if let Some(result) = self.call_method(&outermost, name, arguments, span)? {
            return Ok(result);
        }
        // What is in a wrapper of C++'s is not what was asked.
        let is_asked = !self.is_rust() && pointer_target(&outermost.ty).is_none();
        let value = if is_asked { outermost } else { value };
        let known = match self.meaning(&value, span)? {
            Some(meaning) => known_methods(&meaning),
            None if self.takes_calls() => {
                let why =
                    format!("{} has no code for a function {name}() that could be called", self.name_of(&value.ty));
                return Err(Error::new(span, ErrorKind::Call(why)));
            }
            None => Vec::new(),
        };
        Err(Error::new(span, ErrorKind::NoMethod { name: name.to_owned(), object: self.name_of(&value.ty), known }))
    }

    fn own_method(
        &mut self,
        value: &Value,
        name: &str,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        if let Some(result) = self.reference_made(value, name, arguments, span)? {
            return Ok(Some(result));
        }
        if (arguments.is_empty() || name == "expect")
            && let Some(result) = self.variant_method(value, name, span)?
        {
            return Ok(Some(result));
        }
        if let Some(result) = self.optional(value, name, arguments, span)? {
            return Ok(Some(result));
        }
        if let ([], "len" | "size", Some((_, Some(count)))) = (arguments, name, array_parts(&value.ty)) {
            return Ok(Some(self.size_value(count)));
        }
        if let ([other], "value_or" | "unwrap_or") = (arguments, name) {
            return self.or_else(value, other, span);
        }
        if let ([start, count @ ..], "substr") = (arguments, name) {
            return self.substring(value, start, count.first(), span);
        }
        if self.is_rust()
            && let Some(result) = self.rust_method(value, name, arguments, span)?
        {
            return Ok(Some(result));
        }
        // A type is no key.
        let is_typed = matches!(arguments, [Expr { kind: ExprKind::Type(_), .. }, ..]);
        let Some(meaning) = self.meaning(value, span)?.filter(|_| !is_typed) else { return Ok(None) };
        let fact = meaning.facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact.clone());
        // In which order others see it does not change what an atomic holds.
        if let ("load", [_], Some(held)) = (name, arguments, &fact) {
            return Ok(Some(held.clone()));
        }
        if let [key] = arguments {
            if let Some(result) = self.text_method(value, name, key, span)? {
                return Ok(Some(result));
            }
            return self.lookup_method(meaning, value, name, key, span);
        }
        if !arguments.is_empty() {
            return Ok(None);
        }
        if fact.is_some() {
            return Ok(fact);
        }
        let is_container = is_container(&meaning);
        match name {
            "size" | "length" | "len" if is_container || meaning.length.is_some() => {
                self.count(meaning, span).map(|count| Some(self.size_value(count)))
            }
            "empty" | "is_empty" if is_container => {
                self.count(meaning, span).map(|count| Some(self.truth_value(count == 0)))
            }
            "front" if is_container => self.some_end(meaning, false, span).map(Some),
            "back" if is_container => self.some_end(meaning, true, span).map(Some),
            "top" if is_container => {
                // A heap has its largest element in front, a stack its newest one at the end.
                let is_heap = matches!(&*strip(&value.ty), Type::Record(r) if r.name.as_deref().is_some_and(|n| n.contains("priority_queue<")));
                self.some_end(meaning, !is_heap, span).map(Some)
            }
            "begin" | "cbegin" if !meaning.rust => self.beginning(meaning, value, span),
            "end" | "cend" if !meaning.rust => self.past_the_end(meaning, value, span),
            // A box has none of its own: it is that of the `Option` in it.
            "unwrap" if self.holds_variant(value, span)? => Ok(None),
            "unwrap" | "as_ref" | "deref" | "value" | "operator*" | "operator->" => match meaning.target {
                Some(Value { place: Place::Unavailable(reason), .. }) => {
                    Err(Error::new(span, ErrorKind::Unavailable(reason)))
                }
                target => Ok(target),
            },
            "as_str" | "as_slice" | "native" | "string" => Ok(is_container.then(|| value.clone())),
            _ => Ok(None),
        }
    }

    /// Returns whether there is an enum with fields somewhere in boxes and counted pointers.
    fn holds_variant(&mut self, value: &Value, span: &Span) -> Result<bool, Error> {
        let mut value = value.clone();
        for _ in 0..MAX_WRAPPERS {
            let next = match pointer_target(&value.ty) {
                Some(_) => Some(self.dereference(value, span)?),
                None => self.target_of(&value, span)?,
            };
            let Some(next) = next else { return Ok(false) };
            if self.variant_of(&next, span)?.is_some() {
                return Ok(true);
            }
            value = next;
        }
        Ok(false)
    }

    /// Evaluates what Rust's `Option` and `Result` say.
    fn variant_method(&mut self, value: &Value, name: &str, span: &Span) -> Result<Option<Value>, Error> {
        let active = self.variant_of(value, span)?;
        let Some((variant, payload)) = active else { return Ok(None) };
        let is = |wanted: &str| variant == wanted;
        Ok(match name {
            "is_some" => Some(self.truth_value(is("Some"))),
            "is_none" => Some(self.truth_value(is("None"))),
            "is_ok" => Some(self.truth_value(is("Ok"))),
            "is_err" => Some(self.truth_value(is("Err"))),
            "unwrap" | "expect" | "unwrap_err" => {
                let wanted: &[&str] = if name == "unwrap_err" { &["Err"] } else { &["Some", "Ok"] };
                if !wanted.contains(&variant.as_str()) {
                    return Err(no_element(span, &format!("it is {variant}")));
                }
                payload.member("__0")
            }
            _ => None,
        })
    }

    /// Evaluates member functions that take a key or a number.
    fn lookup_method(
        &mut self,
        meaning: Meaning,
        value: &Value,
        name: &str,
        argument: &Expr,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        // A `std::bitset` is shown as one number.
        if !is_container(&meaning) && name != "test" {
            return Ok(None);
        }
        let key = self.argument(argument)?;
        if matches!(name, "find" | "contains" | "contains_key" | "count" | "at") {
            if meaning.keys_by.is_some() && self.takes_calls() {
                return Ok(None);
            }
            self.only_plain_keys(meaning.keys_by.as_deref(), span)?;
        }
        match name {
            "at" | "operator[]" => self.lookup(meaning, key, value, argument, span).map(Some),
            "find" if !meaning.rust => {
                let Body::Items(_, mut items) = meaning.body else { return Ok(None) };
                let wanted = self.comparable(&key, &argument.span)?;
                match (self.find(&mut *items, &wanted, span)?, meaning.end) {
                    (Some(found), _) => self.iterator(found, value, span).map(Some),
                    (None, Some(end)) => Ok(Some(self.end_apart(end, value))),
                    (None, None) => Err(no_element(span, "the element does not exist: find() returns end()")),
                }
            }
            "contains" | "contains_key" | "count" => {
                let Body::Items(_, mut items) = meaning.body else { return Ok(None) };
                let wanted = self.comparable(&key, &argument.span)?;
                if name != "count" {
                    let found = self.find(&mut *items, &wanted, span)?;
                    return Ok(Some(self.truth_value(found.is_some())));
                }
                self.count_of(&mut *items, &wanted, span).map(|count| Some(self.size_value(count)))
            }
            "test" => self.lookup(meaning, key, value, argument, span).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the base classes of an object at fixed places, nearest first: what they can be asked it can be asked,
    /// too.
    pub(super) fn bases_of(&self, value: &Value) -> Vec<Value> {
        let mut bases: Vec<Value> = Vec::new();
        let mut at = 0;
        let mut next = Some(value.clone());
        while let Some(object) = next.take() {
            if let Type::Record(record) = &*strip(&object.ty) {
                let room = MAX_BASES.saturating_sub(bases.len());
                let own = record.members.iter().filter(|member| member.is_base).take(room);
                bases.extend(own.map(|base| object.part(base.ty.get(), base.offset, None)));
            }
            next = bases.get(at).cloned();
            at += 1;
        }
        bases
    }

    /// Evaluates what an optional holds, or something else if it is empty.
    fn or_else(&mut self, value: &Value, other: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        // Of this type would be what it does not hold.
        let mut missing = None;
        let held = match self.variant_of(value, span)? {
            Some((variant, held)) => {
                missing = option::type_in_some(&value.ty);
                Some(held.member("__0").filter(|_| ["Some", "Ok"].contains(&variant.as_str())))
            }
            None => self.meaning(value, span)?.and_then(|meaning| {
                let is_optional = meaning.facts.iter().any(|(name, _)| *name == "has_value");
                missing = meaning.target.as_ref().map(|held| held.ty.clone());
                is_optional.then(|| meaning.target.filter(|held| !matches!(held.place, Place::Unavailable(_))))
            }),
        };
        match held {
            Some(Some(held)) => Ok(Some(held)),
            Some(None) => {
                let other = self.fallback(other)?;
                let is_number = |ty: &TypeRef| Arithmetic::of(ty, self.env.target()).is_some();
                match missing.filter(|ty| is_number(ty) && is_number(&other.ty)) {
                    Some(ty) => self.cast(other, ty, span).map(Some),
                    None => Ok(Some(other)),
                }
            }
            None => Ok(None),
        }
    }

    /// Evaluates what a text says about a part of it.
    fn text_method(&mut self, value: &Value, name: &str, argument: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        if !["starts_with", "ends_with", "contains", "find", "compare"].contains(&name) {
            return Ok(None);
        }
        let part = self.argument(argument)?;
        let part = self.peeled(part, &argument.span)?;
        let Some(text) = self.text_of(value, span)? else { return Ok(None) };
        let part = match self.text_of(&part, &argument.span)? {
            Some(part) => part,
            None if name != "compare" => {
                let Some(width) = meaning::character_width(&part.ty) else { return Ok(None) };
                let mask = u32::MAX >> (32 - 8 * width.clamp(1, 4));
                match self.number(part, "find", "a character", &argument.span)? {
                    Number::Integer(unit) => vec![unit.bits() as u32 & mask],
                    _ => return Ok(None),
                }
            }
            None => return Ok(None),
        };
        let place = text.windows(part.len().max(1)).position(|window| window.starts_with(&part));
        let place = if part.is_empty() { Some(0) } else { place };
        Ok(Some(match name {
            "starts_with" => self.truth_value(text.starts_with(&part)),
            "ends_with" => self.truth_value(text.ends_with(&part)),
            "contains" => self.truth_value(place.is_some()),
            "find" => self.size_value(place.map_or(u64::MAX, |place| place as u64)),
            _ => Value::from_number(Number::int(text.cmp(&part) as i32)),
        }))
    }

    /// Returns how many elements there are; those of lists that do not say so are counted.
    pub(super) fn count(&mut self, meaning: Meaning, span: &Span) -> Result<u64, Error> {
        if let Some(length) = meaning.length {
            return Ok(length);
        }
        let Body::Items(_, mut items) = meaning.body else { return Ok(0) };
        for count in 0..MAX_STEPS {
            let next = items.next(self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
            if next.is_none() {
                return Ok(count);
            }
        }
        Err(no_element(span, &format!("it has more than {MAX_STEPS} elements, or no end")))
    }

    /// Finds the first or the last element of what has one.
    fn some_end(&mut self, meaning: Meaning, last: bool, span: &Span) -> Result<Value, Error> {
        self.end(meaning, last, span)?.ok_or_else(|| no_element(span, "it is empty"))
    }

    /// Finds the first or the last element; `None` of what is empty.
    pub(super) fn end(&mut self, meaning: Meaning, last: bool, span: &Span) -> Result<Option<Value>, Error> {
        match meaning.body {
            Body::Text(characters) => {
                let Some(count) = meaning.length.filter(|count| *count > 0) else { return Ok(None) };
                self.element(&characters, if last { i128::from(count) - 1 } else { 0 }, span).map(Some)
            }
            Body::Items(style, mut items) if style != Style::Fields => {
                let skipped = if last { meaning.length.unwrap_or(1).saturating_sub(1).min(MAX_STEPS) } else { 0 };
                let failed = |reason| Error::new(span, ErrorKind::Unavailable(reason));
                let Some(mut found) = items.nth(skipped, self.env).map_err(failed)? else { return Ok(None) };
                // Of a list that does not say how long it is, the last one is the one before the end.
                if last && meaning.length.is_none() {
                    for _ in 0..MAX_STEPS {
                        match items.next(self.env).map_err(failed)? {
                            Some(item) => found = item,
                            None => break,
                        }
                    }
                }
                Ok(Some(found.value))
            }
            _ => Err(no_element(span, "it has no elements")),
        }
    }
}

/// Returns whether an object is a container, and not one value with what belongs to it.
fn is_container(meaning: &Meaning) -> bool {
    !matches!(meaning.body, Body::Nothing | Body::Items(Style::Fields | Style::Tuple, _))
}

/// Lists what can be asked of an object.
fn known_methods(meaning: &Meaning) -> Vec<String> {
    let mut known: Vec<String> = meaning.facts.iter().map(|(name, _)| format!("{name}()")).collect();
    let general: &[&str] = match (&meaning.body, meaning.rust) {
        (Body::Items(Style::Map, _), false) => &["size()", "empty()", "at(key)", "count(key)", "find(key)", "begin()"],
        (Body::Items(Style::Map, _), true) => &["len()", "get(key)", "contains_key(key)"],
        (Body::Items(Style::Sequence | Style::Indexed, _), false) => {
            &["size()", "empty()", "front()", "back()", "at(index)", "begin()"]
        }
        (Body::Items(Style::Sequence | Style::Indexed, _), true) => &["len()", "first()", "last()", "get(index)"],
        (Body::Text(_), false) => {
            &["size()", "empty()", "front()", "back()", "find(text)", "compare(text)", "starts_with(text)"]
        }
        (Body::Text(_), true) => &["len()", "contains(text)", "starts_with(text)"],
        _ => &[],
    };
    known.extend(general.iter().map(|name| (*name).to_owned()));
    known
}
