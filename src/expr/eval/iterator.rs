//! What `begin()`, `end()` and `find()` of C++ containers give: pointers to elements.
//!
//! Those into elements that lie side by side are plain pointers. The others have a type of their own that keeps them
//! from being moved: what lies behind a list's element in memory is not the next one.

use super::meaning::no_element;
use super::*;
use ctype::{Body, Item, Key, Link, Meaning, Member, Record, Style};
use ctype::{END_OF, ITERATOR_OF};

/// A pair's second part is no further from its first.
const MAX_PAIR: u64 = 1 << 20;

/// Marks a pointer as an iterator of this kind.
fn marked(kind: &str, container: &str, pointer: Value) -> Value {
    let ty = Type::Typedef { name: format!("{kind}{container}"), target: Link::ready(pointer.ty), alignment: None };
    Value { ty: Arc::new(ty), ..pointer }
}

/// Returns the type behind the marks of an iterator of elements that do not lie side by side; `None` for any other
/// type.
fn apart(ty: &TypeRef) -> Option<TypeRef> {
    mark_of(ty, ITERATOR_OF).or_else(|| mark_of(&mark_of(ty, END_OF)?, ITERATOR_OF))
}

fn mark_of(ty: &TypeRef, kind: &str) -> Option<TypeRef> {
    match &**ty {
        Type::Typedef { name, target, .. } if name.starts_with(kind) => Some(target.get()),
        _ => None,
    }
}

/// Returns whether a type is that of a pointer past the last element.
pub(super) fn is_end(ty: &TypeRef) -> bool {
    mark_of(ty, END_OF).is_some()
}

/// Returns the plain pointer that a pointer past the last element is when it is moved.
pub(super) fn unmarked(pointer: Value) -> Value {
    match mark_of(&pointer.ty, END_OF) {
        Some(ty) => Value { ty, ..pointer },
        None => pointer,
    }
}

/// Fails for what has no distance from its neighbours.
pub(super) fn no_distance(ty: &TypeRef, span: &Span) -> Result<(), Error> {
    match apart(ty) {
        Some(_) => Err(apart_error(span)),
        None => Ok(()),
    }
}

/// Returns the error about an iterator that is to be moved where elements do not lie side by side.
pub(super) fn apart_error(span: &Span) -> Error {
    no_element(span, "this is an iterator, and its elements do not lie side by side; index the container itself")
}

impl Evaluator<'_> {
    /// Makes what an iterator to an element of a container leads to: the element, or the pair that it is a part of.
    pub(super) fn iterator(&mut self, item: Item, container: &Value, span: &Span) -> Result<Value, Error> {
        let pointer = self.pointer_to_item(item, span)?;
        Ok(marked(ITERATOR_OF, &self.name_of(&strip(&container.ty)), pointer))
    }

    fn pointer_to_item(&mut self, item: Item, span: &Span) -> Result<Value, Error> {
        let Key::Value(key) = &item.key else { return self.address_of(item.value, span) };
        let (Some(start), Some(value)) = (key.address(), item.value.address()) else {
            return self.address_of(item.value, span);
        };
        let offset = value.checked_sub(start).filter(|offset| *offset < MAX_PAIR);
        let offset = offset.ok_or_else(|| no_element(span, "its key and its value are apart"))?;
        let member = |name: &str, ty: &TypeRef, offset| Member {
            name: Some(name.to_owned()),
            ty: ty.clone().into(),
            offset,
            bits: None,
            is_base: false,
            alignment: None,
        };
        let members = vec![member("first", &key.ty, 0), member("second", &item.value.ty, offset)];
        let size = size_of(&item.value.ty).and_then(|size| offset.checked_add(size));
        let name = format!("std::pair<{}, {}>", self.name_of(&key.ty), self.name_of(&item.value.ty));
        let pair = Record { name: Some(name), size, members, ..Record::default() };
        Ok(Value::computed(pointer_to(Arc::new(Type::Record(pair)), 8), &start.to_le_bytes()))
    }

    /// Evaluates `begin()`, as a pointer; of what is empty there is none.
    pub(super) fn beginning(
        &mut self,
        meaning: Meaning,
        container: &Value,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        if let Some((_, start)) = meaning.facts.iter().find(|(name, _)| *name == "data") {
            return Ok(Some(start.clone()));
        }
        let Body::Items(style, mut items) = meaning.body else { return Ok(None) };
        if matches!(style, Style::Fields | Style::Tuple) {
            return Ok(None);
        }
        let first = items.next(self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
        match (first, meaning.end) {
            (Some(first), _) => self.iterator(first, container, span).map(Some),
            (None, Some(end)) => Ok(Some(self.end_apart(end, container))),
            (None, None) => Err(no_element(span, "it is empty")),
        }
    }

    /// Makes the iterator past the last element of a container whose elements do not lie side by side.
    pub(super) fn end_apart(&self, at: u64, container: &Value) -> Value {
        let name = self.name_of(&strip(&container.ty));
        let pointer = Value::computed(pointer_to(Arc::new(Type::Void), 8), &at.to_le_bytes());
        marked(END_OF, &name, marked(ITERATOR_OF, &name, pointer))
    }

    /// Takes the pointer that an iterator of elements side by side is; anything else stays as it is.
    pub(super) fn plain_pointer(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        if self.is_rust() || !matches!(&*strip(&value.ty), Type::Record(_)) {
            return Ok(value);
        }
        let position = self.meaning(&value, span)?.and_then(|meaning| meaning.position);
        Ok(position.and_then(|position| position.pointer).unwrap_or(value))
    }

    /// Compares where two iterators are; `None` if one of them is none.
    pub(super) fn compare_iterators(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
    ) -> Result<Option<Value>, Error> {
        if self.is_rust() || !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return Ok(None);
        }
        let Some(x) = self.position_of(left, &a.span)? else { return Ok(None) };
        let Some(y) = self.position_of(right, &b.span)? else { return Ok(None) };
        Ok(Some(self.truth_value((x == y) == (op == BinaryOp::Equal))))
    }

    fn position_of(&mut self, value: &Value, span: &Span) -> Result<Option<u64>, Error> {
        if apart(&value.ty).is_some() {
            return self.pointer_bits(value, span).map(Some);
        }
        if !matches!(&*strip(&value.ty), Type::Record(_)) {
            return Ok(None);
        }
        let position = self.meaning(value, span)?.and_then(|meaning| meaning.position);
        Ok(position.filter(|position| position.pointer.is_none()).map(|position| position.at))
    }

    /// Evaluates `end()`, as a pointer; of elements that lie side by side one that can be moved.
    pub(super) fn past_the_end(
        &mut self,
        meaning: Meaning,
        container: &Value,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let start = meaning.facts.iter().find(|(name, _)| *name == "data");
        let Some(((_, start), count)) = start.zip(meaning.length) else {
            return Ok(meaning.end.map(|end| self.end_apart(end, container)));
        };
        let end = self.offset_pointer(start.clone(), i128::from(count), span)?;
        Ok(Some(marked(END_OF, &self.name_of(&strip(&container.ty)), end)))
    }
}
