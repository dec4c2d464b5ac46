//! Objects of library types in expressions: their elements, what they point to, what their member functions would say.
//!
//! Everything is computed from the object's memory, through [`Memory::meaning`](ctype::Memory::meaning).

use super::class::declares;
use super::*;
use base::qualified::{bare_path, last};
use ctype::{Body, Item, Items, Key, MAX_STEPS, Meaning, PointerKind, Position, Style};

/// Bytes of a text that is compared; one that is longer is not compared at all.
const MAX_TEXT: u64 = 1 << 16;
/// Bytes that are read at a time in search of a text's end; they do not cross a page.
const CHUNK: u64 = 64;
/// Wrappers that are looked through in search of a member, as Rust does.
pub(super) const MAX_WRAPPERS: usize = 8;

impl Evaluator<'_> {
    /// Finds out what an object means. While only types matter and the object cannot be read, nobody knows: an error
    /// that says so.
    pub(super) fn meaning(&mut self, value: &Value, span: &Span) -> Result<Option<Meaning>, Error> {
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

    /// Finds what `*` of an object reaches: what a smart pointer points to, what an optional holds.
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

    /// Reads the variant that an enum is.
    pub(super) fn variant_of(&mut self, value: &Value, span: &Span) -> Result<Option<(String, Value)>, Error> {
        value.variant(self.env).map_err(|reason| {
            Error::new(span, if self.unevaluated { ErrorKind::Deferred } else { ErrorKind::Unavailable(reason) })
        })
    }

    /// Finds a member of what is in a wrapper, or of the variant that an enum is.
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

    /// Evaluates `object[index]`; `None` if the object is no container.
    pub(super) fn element_of(&mut self, object: &Value, index: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        let Some(meaning) = self.meaning(object, span)? else { return self.element_of_base(object, index, span) };
        let key = self.value(index)?;
        let key = self.referent(key, &index.span)?;
        // Where C++'s own strings end, there is a NUL.
        if let (Body::Text(characters), Some(length)) = (&meaning.body, meaning.length)
            && meaning.facts.iter().any(|(name, _)| *name == "capacity")
            && self.place(key.clone(), index, span)? == length
        {
            return self.element(characters, i128::from(length), span).map(Some);
        }
        if is_indexed(&meaning) {
            return match self.bit_type(object) {
                Some(ty) if self.unevaluated => Ok(Some(Value::computed(ty, &[0]))),
                Some(ty) => self.lookup(meaning, key, object, index, span).map(|bit| Some(Value { ty, ..bit })),
                None => self.lookup(meaning, key, object, index, span).map(Some),
            };
        }
        if let Some(position) = meaning.position {
            return self.element_from(position, object, key, index, span).map(Some);
        }
        // `unique_ptr<T[]>`
        let is_array =
            matches!(&*strip(&object.ty), Type::Record(r) if r.name.as_deref().is_some_and(|n| n.contains("[]")));
        let pointer = meaning.facts.into_iter().find(|(name, _)| *name == "get").filter(|_| is_array);
        let Some((_, pointer)) = pointer else { return Ok(None) };
        let at = self.place(key, index, span)?;
        let moved = self.offset_pointer(pointer, i128::from(at), span)?;
        self.dereference(moved, span).map(Some)
    }

    /// Evaluates `object[index]` of a class of the program that is derived from a container, and has no `[]` of its own.
    fn element_of_base(&mut self, object: &Value, index: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        let bases = if self.is_rust() { Vec::new() } else { self.bases_of(object) };
        let mut derived = object.clone();
        let mut candidates = Vec::new();
        for base in bases {
            if declares(&derived, "operator[]") {
                break;
            }
            if self.meaning(&base, span)?.is_some() {
                candidates.push(base.clone());
            }
            derived = base;
        }
        match candidates.as_slice() {
            [base] => self.element_of(base, index, span),
            // Which of several means the operator depends on how they are derived from each other.
            _ => Ok(None),
        }
    }

    /// Finds the element so many on from where an iterator is.
    fn element_from(
        &mut self,
        position: Position,
        iterator: &Value,
        distance: Value,
        index: &Expr,
        span: &Span,
    ) -> Result<Value, Error> {
        let ty = distance.ty.clone();
        let Number::Integer(distance) = self.number(distance, "[]", "an integer index", &index.span)? else {
            return Err(self.wrong_operand("[]", &ty, "an integer index", &index.span));
        };
        match position.pointer {
            Some(pointer) => {
                let moved = self.offset_pointer(pointer, distance.value(), span)?;
                self.dereference(moved, span)
            }
            None if distance.value() == 0 => self.dereference(iterator.clone(), span),
            None => Err(iterator::apart_error(span)),
        }
    }

    /// Finds the element that a key or a number means.
    pub(super) fn lookup(
        &mut self,
        meaning: Meaning,
        key: Value,
        object: &Value,
        index: &Expr,
        span: &Span,
    ) -> Result<Value, Error> {
        let Meaning { body, length, keys_by, .. } = meaning;
        if self.unevaluated {
            return self.any_element((body, length), object, index, span);
        }
        match body {
            Body::Items(Style::Map, mut items) => {
                self.only_plain_keys(keys_by.as_deref(), span)?;
                let wanted = self.comparable(&key, &index.span)?;
                let found = self.find(&mut *items, &wanted, span)?;
                found.map(|item| item.value).ok_or_else(|| no_element(span, "there is no element with this key"))
            }
            Body::Items(style, mut items) if is_place(style, length) => {
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

    /// Finds some element of a container, where only its type matters.
    fn any_element(
        &mut self,
        (body, length): (Body, Option<u64>),
        object: &Value,
        index: &Expr,
        span: &Span,
    ) -> Result<Value, Error> {
        match body {
            Body::Items(style, mut items) if is_place(style, length) => {
                let first = items.next(self.env).ok().flatten();
                first.map(|item| item.value).ok_or_else(|| Error::new(span, ErrorKind::Deferred))
            }
            Body::Text(characters) => self.element(&characters, 0, span),
            _ => Err(self.wrong_operand("[]", &object.ty, "an array, a pointer or a container", &index.span)),
        }
    }

    pub(super) fn place(&mut self, key: Value, index: &Expr, span: &Span) -> Result<u64, Error> {
        let ty = key.ty.clone();
        match self.number(key, "[]", "an integer index", &index.span)? {
            Number::Integer(at) => u64::try_from(at.value())
                .map_err(|_| no_element(span, &format!("index {} is before the beginning", at.value()))),
            _ => Err(self.wrong_operand("[]", &ty, "an integer index", &index.span)),
        }
    }

    /// Fails if it is a function of the program that says which keys of a container are the same.
    pub(super) fn only_plain_keys(&self, keys_by: Option<&str>, span: &Span) -> Result<(), Error> {
        let Some(function) = keys_by else { return Ok(()) };
        let why = format!("which keys are the same is for {function} to say, a function of the program");
        Err(Error::new(span, ErrorKind::Call(why)))
    }

    /// Finds the first element with a key, or that is equal if it has none.
    pub(super) fn find(
        &mut self,
        items: &mut dyn Items,
        wanted: &Comparable,
        span: &Span,
    ) -> Result<Option<Item>, Error> {
        let mut unread = None;
        // What cannot be read may be it.
        self.find_beside(items, wanted, &mut unread, span)?
            .map_or_else(|| unread.map_or(Ok(None), Err), |item| Ok(Some(item)))
    }

    /// Counts the elements with a key, or that are equal if they have none.
    pub(super) fn count_of(&mut self, items: &mut dyn Items, wanted: &Comparable, span: &Span) -> Result<u64, Error> {
        let (mut count, mut unread) = (0, None);
        while self.find_beside(items, wanted, &mut unread, span)?.is_some() {
            count += 1;
        }
        unread.map_or(Ok(count), Err)
    }

    /// Does as [`Evaluator::find`], beside what cannot be read: why the first of that cannot is put into `unread`.
    fn find_beside(
        &mut self,
        items: &mut dyn Items,
        wanted: &Comparable,
        unread: &mut Option<Error>,
        span: &Span,
    ) -> Result<Option<Item>, Error> {
        for _ in 0..MAX_STEPS {
            let next = items.next(self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
            let Some(item) = next else { return Ok(None) };
            let key = if let Key::Value(key) = &item.key { key.clone() } else { item.value.clone() };
            match self.comparable(&key, span) {
                Ok(key) if self.is_same(&key, wanted) => return Ok(Some(item)),
                // The address of a text that cannot be read.
                Ok(Comparable::Number(Number::Integer(at))) if matches!(wanted, Comparable::Text(_)) => {
                    let read = self.env.read(at.bits() as u64, &mut [0]).err().filter(|_| at.bits() != 0);
                    let failed = read.map(|reason| Error::new(span, ErrorKind::Unavailable(reason)));
                    *unread = unread.take().or(failed);
                }
                // A text that is too long to be compared is not the one that was.
                Ok(_) | Err(Error { kind: ErrorKind::NoElement(_), .. }) => {}
                Err(error @ Error { kind: ErrorKind::Unavailable(_), .. }) => drop(unread.get_or_insert(error)),
                Err(error) => return Err(error),
            }
        }
        Err(no_element(span, &format!("it is not among the first {MAX_STEPS} elements")))
    }

    /// Converts a value to what it is compared by.
    pub(super) fn comparable(&mut self, value: &Value, span: &Span) -> Result<Comparable, Error> {
        let value = self.referent(value.clone(), span)?;
        let value = self.peeled(value, span)?;
        if self.is_rust() {
            self.no_own_binary(BinaryOp::Equal, (&value, &value), span)?;
        }
        if let Some(text) = self.text_of(&value, span)? {
            return Ok(Comparable::Text(text));
        }
        if Self::is_address(&value) {
            let address = self.address_operand(value, span)?;
            let number = Integer::new(IntegerType::UNSIGNED_LONG, u128::from(address));
            return Ok(Comparable::Number(Number::Integer(number)));
        }
        self.number(value, "[]", "a number, a text or a pointer", span).map(Comparable::Number)
    }

    /// Returns whether a key is the one that is wanted. C++ makes a key of what it is asked for; in Rust it is one.
    fn is_same(&self, key: &Comparable, wanted: &Comparable) -> bool {
        match (key, wanted) {
            (Comparable::Text(key), Comparable::Text(wanted)) => key == wanted,
            (Comparable::Number(Number::Integer(key)), Comparable::Number(Number::Integer(wanted)))
                if self.is_rust() =>
            {
                arithmetic::exact_order(*key, *wanted) == Ordering::Equal
            }
            (Comparable::Number(key), Comparable::Number(wanted)) => {
                // Between Rust's floats only a literal can be of another type than the key.
                let are_floats = matches!((key, wanted), (Number::Float(_), Number::Float(_)));
                let wanted = if self.is_rust() && !are_floats { Ok(*wanted) } else { wanted.convert(key.ty()) };
                wanted.and_then(|wanted| arith::compare(*key, wanted)) == Ok(Some(Ordering::Equal))
            }
            _ => false,
        }
    }

    /// Reads the code units of a text: a string object, a literal, or what a pointer to characters points to.
    pub(super) fn text_of(&mut self, value: &Value, span: &Span) -> Result<Option<Vec<u32>>, Error> {
        self.text_by(value, character_width, span)
    }

    /// Does as [`Evaluator::text_of`], for what `width_of` says is a character, and how many bytes wide.
    pub(super) fn text_by(
        &mut self,
        value: &Value,
        width_of: impl Fn(&TypeRef) -> Option<u64>,
        span: &Span,
    ) -> Result<Option<Vec<u32>>, Error> {
        let failed = |reason| Error::new(span, ErrorKind::Unavailable(reason));
        if let Some(Meaning { body: Body::Text(characters), length: Some(length), .. }) = self.meaning(value, span)? {
            let (element, _) = array_parts(&characters.ty).unzip();
            let width = element.and_then(|e| size_of(&e)).unwrap_or(1);
            let bytes = length.checked_mul(width).filter(|bytes| *bytes <= MAX_TEXT).ok_or_else(|| too_long(span))?;
            let read = characters.read(self.env, 0, bytes as usize).map_err(failed)?;
            return Ok(Some(code_units(&read, width)));
        }
        if let Some((element, Some(count))) = array_parts(&value.ty)
            && let Some(width) = width_of(&element)
            && indexing(&value.ty).stride == Stride::Element
        {
            let bytes = count.saturating_mul(width);
            let read = value.read(self.env, 0, bytes.min(MAX_TEXT) as usize).map_err(failed)?;
            let mut text = code_units(&read, width);
            match text.iter().position(|unit| *unit == 0) {
                Some(end) => text.truncate(end),
                None if bytes > MAX_TEXT => return Err(too_long(span)),
                None => {}
            }
            return Ok(Some(text));
        }
        if let Some(width) = pointer_target(&value.ty).and_then(|target| width_of(&target)) {
            let address = self.pointer_bits(value, span)?;
            return self.c_string(address, width, span);
        }
        Ok(None)
    }

    /// Reads the code units up to a NUL; `None` if that cannot be reached.
    fn c_string(&mut self, address: u64, width: u64, span: &Span) -> Result<Option<Vec<u32>>, Error> {
        let mut text = Vec::new();
        let mut at = address;
        while at.wrapping_sub(address) < MAX_TEXT {
            // What is left of an aligned chunk; of a unit that lies across its end, the whole.
            let size = (CHUNK - at % CHUNK) / width * width;
            let mut bytes = vec![0; size.max(width) as usize];
            if self.env.read(at, &mut bytes).is_err() {
                return Ok(None);
            }
            for unit in code_units(&bytes, width) {
                if unit == 0 {
                    return Ok(Some(text));
                }
                text.push(unit);
            }
            at = at.wrapping_add(bytes.len() as u64);
        }
        Err(too_long(span))
    }

    /// Evaluates whether an object counts as true: a pointer that points somewhere, an optional that is not empty.
    pub(super) fn truth_of_object(&mut self, value: &Value, span: &Span) -> Result<Option<bool>, Error> {
        let Some(meaning) = self.meaning(value, span)? else { return Ok(None) };
        let fact = meaning.facts.into_iter();
        let fact = fact.into_iter().find(|(name, _)| ["has_value", "get", "load", "operator bool"].contains(name));
        fact.map(|(_, fact)| self.truth(fact, "!", span)).transpose()
    }

    /// Reads the number that an object is converted to: an atomic's, an ordering's.
    pub(super) fn number_of_object(&mut self, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        if !matches!(&*strip(&value.ty), Type::Record(_)) {
            return Ok(None);
        }
        // What has a length has other things to count.
        let meaning = self.meaning(value, span)?.filter(|meaning| meaning.length.is_none());
        let facts = meaning.map(|meaning| meaning.facts).unwrap_or_default();
        let found = facts
            .into_iter()
            .find(|(name, _)| matches!(*name, "load" | "count" | "operator int"))
            .map(|(_, fact)| fact);
        if found.is_none() && is_reference_wrapper(value) {
            return self.target_of(value, span);
        }
        Ok(found)
    }
}

/// Returns whether an object stands for what it refers to.
fn is_reference_wrapper(value: &Value) -> bool {
    let is_wrapper = |name: &str| name.starts_with("std::") && last(bare_path(name)) == "reference_wrapper";
    matches!(&*strip(&value.ty), Type::Record(record) if record.name.as_deref().is_some_and(is_wrapper))
}

fn too_long(span: &Span) -> Error {
    no_element(span, &format!("texts of more than {MAX_TEXT} bytes are not compared"))
}

/// Returns the width in bytes of a character of a text; `None` for what is no character.
pub(super) fn character_width(ty: &TypeRef) -> Option<u64> {
    match &*strip(ty) {
        Type::Base { name, size: 1, .. } if matches!(name.as_str(), "char" | "char8_t") => Some(1),
        Type::Base { name, size: size @ (2 | 4), .. } => {
            matches!(name.as_str(), "wchar_t" | "char16_t" | "char32_t").then_some(*size)
        }
        _ => None,
    }
}

/// Returns the type of what a value is an array of, or points to: of a text, its characters.
pub(super) fn element_of(value: &Value) -> Option<TypeRef> {
    array_parts(&value.ty).map(|(element, _)| element).or_else(|| pointer_target(&value.ty))
}

fn code_units(bytes: &[u8], width: u64) -> Vec<u32> {
    let unit = |bytes: &[u8]| bytes.iter().rev().fold(0, |unit, byte| unit << 8 | u32::from(*byte));
    bytes.chunks_exact(width.clamp(1, 4) as usize).map(unit).collect()
}

/// Returns whether elements are found by their places.
fn is_place(style: Style, length: Option<u64>) -> bool {
    !matches!(style, Style::Fields | Style::Tuple) || length.is_some()
}

/// Returns whether an object is a container of elements that can be asked for.
fn is_indexed(meaning: &Meaning) -> bool {
    match &meaning.body {
        Body::Nothing => false,
        Body::Text(_) => true,
        Body::Items(style, _) => is_place(*style, meaning.length),
    }
}

/// What a key is compared by.
#[derive(Clone, Debug)]
pub(super) enum Comparable {
    Text(Vec<u32>),
    Number(Number),
}

pub(super) fn no_element(span: &Span, why: &str) -> Error {
    Error::new(span, ErrorKind::NoElement(why.to_owned()))
}
