//! Objects of library types in expressions: their elements, what they point to, what their member functions would say.
//!
//! Everything is computed from the object's memory, through [`Memory::meaning`](crate::ctype::Memory::meaning).

use super::*;
use crate::ctype::{Body, Item, Items, Key, MAX_STEPS, Meaning, PointerKind, Style};

/// Bytes of a text that is compared.
const MAX_TEXT: u64 = 1 << 16;
/// Wrappers that are looked through in search of a member, as Rust does.
const MAX_WRAPPERS: usize = 8;

impl Evaluator<'_> {
    /// What an object means. While only types matter and the object cannot be read, nobody knows: an error that says
    /// so.
    fn meaning(&mut self, value: &Value, span: &Span) -> Result<Option<Meaning>, Error> {
        let may_mean = matches!(&*strip(&value.ty), Type::Record(_) | Type::Pointer { kind: PointerKind::Pointer, .. });
        if !may_mean {
            return Ok(None);
        }
        let found = self.env.meaning(value);
        if found.is_none() && self.unevaluated && matches!(&*strip(&value.ty), Type::Record(_)) {
            value.read(self.env, 0, 1).map_err(|_| Error::new(span, ErrorKind::Deferred))?;
        }
        Ok(found)
    }

    /// What `*` of an object reaches: what a smart pointer points to, what an optional holds.
    pub(super) fn target_of(&mut self, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        if !matches!(&*strip(&value.ty), Type::Record(_)) {
            return Ok(None);
        }
        match self.meaning(value, span)?.and_then(|meaning| meaning.target) {
            Some(Value { place: Place::Unavailable(reason), .. }) if !self.unevaluated => {
                Err(Error::new(span, ErrorKind::Unavailable(reason)))
            }
            target => Ok(target),
        }
    }

    /// The variant that an enum is.
    fn variant_of(&mut self, value: &Value, span: &Span) -> Result<Option<(String, Value)>, Error> {
        value.variant(self.env).map_err(|reason| {
            Error::new(span, if self.unevaluated { ErrorKind::Deferred } else { ErrorKind::Unavailable(reason) })
        })
    }

    /// A member of what is in a wrapper, or of the variant that an enum is.
    pub(super) fn member_inside(&mut self, value: &Value, name: &str, span: &Span) -> Result<Option<Value>, Error> {
        let mut value = value.clone();
        for _ in 0..MAX_WRAPPERS {
            let active = self.variant_of(&value, span)?;
            let next = match active {
                Some((_, payload)) => Some(payload),
                None => self.target_of(&value, span)?,
            };
            let Some(next) = next else { return Ok(None) };
            if let Some(member) = next.member(name) {
                return Ok(Some(member));
            }
            value = next;
        }
        Ok(None)
    }

    /// `object[index]`; `None` if the object is no container.
    pub(super) fn element_of(&mut self, object: &Value, index: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        let Some(meaning) = self.meaning(object, span)? else { return Ok(None) };
        let key = self.value(index)?;
        let key = self.referent(key, &index.span)?;
        self.lookup(meaning, key, object, index, span).map(Some)
    }

    /// The element that a key or a number means.
    fn lookup(
        &mut self,
        meaning: Meaning,
        key: Value,
        object: &Value,
        index: &Expr,
        span: &Span,
    ) -> Result<Value, Error> {
        let Meaning { body, length, .. } = meaning;
        match body {
            Body::Items(Style::Map, mut items) => {
                let wanted = self.comparable(&key, &index.span)?;
                let found = self.find(&mut *items, &wanted, span)?;
                found.map(|item| item.value).ok_or_else(|| no_element(span, "there is no element with this key"))
            }
            Body::Items(style, mut items) if style != Style::Fields || length.is_some() => {
                let at = self.place(key, index, span)?;
                let item =
                    items.nth(at, self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
                item.map(|item| item.value).ok_or_else(|| {
                    let count = length.map_or_else(String::new, |count| format!(": there are {count} elements"));
                    no_element(span, &format!("index {at} is past the end{count}"))
                })
            }
            Body::Text(characters) => {
                let at = self.place(key, index, span)?;
                if length.is_some_and(|length| at >= length) {
                    return Err(no_element(span, &format!("index {at} is past the end of the text")));
                }
                self.element(&characters, i128::from(at), span)
            }
            _ => Err(self.wrong_operand("[]", &object.ty, "an array, a pointer or a container", span)),
        }
    }

    fn place(&mut self, key: Value, index: &Expr, span: &Span) -> Result<u64, Error> {
        let ty = key.ty.clone();
        match self.number(key, "[]", "an integer index", &index.span)? {
            Number::Integer(at) => u64::try_from(at.value())
                .map_err(|_| no_element(span, &format!("index {} is before the beginning", at.value()))),
            _ => Err(self.wrong_operand("[]", &ty, "an integer index", &index.span)),
        }
    }

    /// The first element with a key, or that is equal if it has none.
    fn find(&mut self, items: &mut dyn Items, wanted: &Comparable, span: &Span) -> Result<Option<Item>, Error> {
        for _ in 0..MAX_STEPS {
            let next = items.next(self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
            let Some(item) = next else { return Ok(None) };
            let key = if let Key::Value(key) = &item.key { key.clone() } else { item.value.clone() };
            if self.comparable(&key, span).is_ok_and(|key| key == *wanted) {
                return Ok(Some(item));
            }
        }
        Err(no_element(span, &format!("it is not among the first {MAX_STEPS} elements")))
    }

    /// A value as what it is compared by.
    fn comparable(&mut self, value: &Value, span: &Span) -> Result<Comparable, Error> {
        let value = self.referent(value.clone(), span)?;
        if let Some(text) = self.text_of(&value, span)? {
            return Ok(Comparable::Text(text));
        }
        if Self::is_address(&value) {
            return self.address_operand(value, span).map(|address| Comparable::Number(i128::from(address)));
        }
        match self.number(value, "[]", "a number, a text or a pointer", span)? {
            Number::Integer(number) => Ok(Comparable::Number(number.value())),
            Number::Float(number) | Number::Complex(number, _) => Ok(Comparable::Float(number.bits)),
        }
    }

    /// The code units of a text: a string object, a literal, or what a pointer to characters points to.
    pub(super) fn text_of(&mut self, value: &Value, span: &Span) -> Result<Option<Vec<u8>>, Error> {
        if let Some(Meaning { body: Body::Text(characters), length: Some(length), .. }) = self.meaning(value, span)? {
            let (element, _) = array_parts(&characters.ty).unzip();
            let bytes = length.saturating_mul(element.and_then(|e| size_of(&e)).unwrap_or(1)).min(MAX_TEXT);
            let read = characters.read(self.env, 0, bytes as usize);
            return read.map(Some).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)));
        }
        let is_char = |ty: &TypeRef| matches!(&*strip(ty), Type::Base { name, size: 1, .. } if name == "char");
        if let Some((element, Some(count))) = array_parts(&value.ty)
            && is_char(&element)
        {
            let read = value.read(self.env, 0, count.min(MAX_TEXT) as usize);
            let bytes = read.map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
            return Ok(Some(bytes.split(|byte| *byte == 0).next().unwrap_or_default().to_vec()));
        }
        if pointer_target(&value.ty).is_some_and(|target| is_char(&target)) {
            let address = self.pointer_bits(value, span)?;
            return Ok(self.c_string(address));
        }
        Ok(None)
    }

    /// The bytes up to a NUL; `None` if that cannot be reached.
    fn c_string(&mut self, address: u64) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for at in 0..MAX_TEXT {
            let mut byte = [0];
            self.env.read(address.wrapping_add(at), &mut byte).ok()?;
            match byte {
                [0] => return Some(text),
                [byte] => text.push(byte),
            }
        }
        None
    }

    /// What a member function would return.
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
        // Methods of what is in a wrapper are the wrapper's in Rust; a pointer has none of its own.
        for _ in 0..MAX_WRAPPERS {
            if let Some(result) = self.own_method(&value, name, arguments, span)? {
                return Ok(result);
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
        let known = match self.meaning(&value, span)? {
            Some(meaning) => known_methods(&meaning),
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
        if arguments.is_empty()
            && let Some(result) = self.variant_method(value, name, span)?
        {
            return Ok(Some(result));
        }
        let Some(meaning) = self.meaning(value, span)? else { return Ok(None) };
        if let [key] = arguments {
            return self.lookup_method(meaning, value, name, key, span);
        }
        if !arguments.is_empty() {
            return Ok(None);
        }
        if let Some((_, fact)) = meaning.facts.iter().find(|(known, _)| *known == name) {
            return Ok(Some(fact.clone()));
        }
        let is_container = !matches!(meaning.body, Body::Nothing | Body::Items(Style::Fields | Style::Tuple, _));
        match name {
            "size" | "length" | "len" if is_container || meaning.length.is_some() => {
                self.count(meaning, span).map(|count| Some(self.size_value(count)))
            }
            "empty" | "is_empty" if is_container => {
                self.count(meaning, span).map(|count| Some(self.truth_value(count == 0)))
            }
            "front" | "first" => self.end(meaning, false, span).map(Some),
            "back" | "last" => self.end(meaning, true, span).map(Some),
            "top" => {
                // A heap has its largest element in front, a stack its newest one at the end.
                let is_heap = matches!(&*strip(&value.ty), Type::Record(r) if r.name.as_deref().is_some_and(|n| n.contains("priority_queue<")));
                self.end(meaning, !is_heap, span).map(Some)
            }
            "unwrap" | "as_ref" | "borrow" | "lock" | "read" | "deref" | "value" | "operator*" | "operator->" => {
                match meaning.target {
                    Some(Value { place: Place::Unavailable(reason), .. }) => {
                        Err(Error::new(span, ErrorKind::Unavailable(reason)))
                    }
                    target => Ok(target),
                }
            }
            "as_str" | "as_slice" | "native" | "string" => Ok(is_container.then(|| value.clone())),
            _ => Ok(None),
        }
    }

    /// What Rust's `Option` and `Result` say.
    fn variant_method(&mut self, value: &Value, name: &str, span: &Span) -> Result<Option<Value>, Error> {
        let active = self.variant_of(value, span)?;
        let Some((variant, payload)) = active else { return Ok(None) };
        let is = |wanted: &str| variant == wanted;
        Ok(match name {
            "is_some" => Some(self.truth_value(is("Some"))),
            "is_none" => Some(self.truth_value(is("None"))),
            "is_ok" => Some(self.truth_value(is("Ok"))),
            "is_err" => Some(self.truth_value(is("Err"))),
            "unwrap" | "unwrap_err" | "as_ref" => {
                let wanted: &[&str] = if name == "unwrap_err" { &["Err"] } else { &["Some", "Ok"] };
                if !wanted.contains(&variant.as_str()) {
                    return Err(no_element(span, &format!("it is {variant}")));
                }
                payload.member("__0")
            }
            _ => None,
        })
    }

    /// Member functions that take a key or a number.
    fn lookup_method(
        &mut self,
        meaning: Meaning,
        value: &Value,
        name: &str,
        argument: &Expr,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let key = self.value(argument)?;
        let key = self.referent(key, &argument.span)?;
        match name {
            "at" | "get" | "operator[]" => self.lookup(meaning, key, value, argument, span).map(Some),
            "contains" | "contains_key" | "count" => {
                let Body::Items(_, mut items) = meaning.body else { return Ok(None) };
                let wanted = self.comparable(&key, &argument.span)?;
                if name != "count" {
                    let found = self.find(&mut *items, &wanted, span)?;
                    return Ok(Some(self.truth_value(found.is_some())));
                }
                let mut count = 0;
                while self.find(&mut *items, &wanted, span)?.is_some() {
                    count += 1;
                }
                Ok(Some(self.size_value(count)))
            }
            "test" => self.lookup(meaning, key, value, argument, span).map(Some),
            _ => Ok(None),
        }
    }

    /// How many elements there are; those of lists that do not say are counted.
    fn count(&mut self, meaning: Meaning, span: &Span) -> Result<u64, Error> {
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

    /// The first or the last element.
    fn end(&mut self, meaning: Meaning, last: bool, span: &Span) -> Result<Value, Error> {
        let empty = || no_element(span, "it is empty");
        match meaning.body {
            Body::Text(characters) => {
                let count = meaning.length.filter(|count| *count > 0).ok_or_else(empty)?;
                self.element(&characters, if last { i128::from(count) - 1 } else { 0 }, span)
            }
            Body::Items(style, mut items) if style != Style::Fields => {
                let skipped = if last { meaning.length.unwrap_or(1).saturating_sub(1).min(MAX_STEPS) } else { 0 };
                let failed = |reason| Error::new(span, ErrorKind::Unavailable(reason));
                let mut found = items.nth(skipped, self.env).map_err(failed)?.ok_or_else(empty)?;
                // Of a list that does not say how long it is, the last one is the one before the end.
                if last && meaning.length.is_none() {
                    for _ in 0..MAX_STEPS {
                        match items.next(self.env).map_err(failed)? {
                            Some(item) => found = item,
                            None => break,
                        }
                    }
                }
                Ok(found.value)
            }
            _ => Err(no_element(span, "it has no elements")),
        }
    }

    /// Whether an object counts as true: a pointer that points somewhere, an optional that is not empty.
    pub(super) fn truth_of_object(&mut self, value: &Value, span: &Span) -> Result<Option<bool>, Error> {
        let Some(meaning) = self.meaning(value, span)? else { return Ok(None) };
        let fact = meaning.facts.into_iter().find(|(name, _)| matches!(*name, "has_value" | "get" | "load"));
        fact.map(|(_, fact)| self.truth(fact, "!", span)).transpose()
    }

    /// The number that an object is converted to: an atomic's.
    pub(super) fn number_of_object(&mut self, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        if !matches!(&*strip(&value.ty), Type::Record(_)) {
            return Ok(None);
        }
        let facts = self.meaning(value, span)?.map(|meaning| meaning.facts).unwrap_or_default();
        Ok(facts.into_iter().find(|(name, _)| matches!(*name, "load" | "count")).map(|(_, fact)| fact))
    }
}

/// What a key is compared by.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Comparable {
    Text(Vec<u8>),
    Number(i128),
    Float(u128),
}

fn no_element(span: &Span, why: &str) -> Error {
    Error::new(span, ErrorKind::NoElement(why.to_owned()))
}

/// What can be asked of an object.
fn known_methods(meaning: &Meaning) -> Vec<String> {
    let mut known: Vec<String> = meaning.facts.iter().map(|(name, _)| format!("{name}()")).collect();
    let general: &[&str] = match (&meaning.body, meaning.rust) {
        (Body::Items(Style::Map, _), false) => &["size()", "empty()", "at(key)", "count(key)"],
        (Body::Items(Style::Map, _), true) => &["len()", "get(key)", "contains_key(key)"],
        (Body::Items(Style::Sequence | Style::Indexed, _), false) => {
            &["size()", "empty()", "front()", "back()", "at(index)"]
        }
        (Body::Items(Style::Sequence | Style::Indexed, _), true) => &["len()", "first()", "last()", "get(index)"],
        (Body::Text(_), false) => &["size()", "empty()", "front()", "back()"],
        (Body::Text(_), true) => &["len()"],
        _ => &[],
    };
    known.extend(general.iter().map(|name| (*name).to_owned()));
    known
}
