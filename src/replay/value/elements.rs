//! What arrays and containers hold.

use super::{Error, ErrorKind, Result, Value, members};
use ctype::layout::array_parts;
use ctype::{Body, Item, Items, Key, Memory, Style, Unavailable, indexing};
use std::iter::FusedIterator;

/// The elements of an array or container, in order, each read when it comes. Of a container that is damaged, the last
/// one is a value that is [not known](Value::unknown), and says why.
///
/// Made by [`Value::elements`].
pub struct Elements<'r>(Walk<'r>);

/// The keys and values of a map, in its own order, each read when it comes.
///
/// Made by [`Value::entries`].
pub struct Entries<'r>(Walk<'r>);

/// Goes through what a value holds.
struct Walk<'r> {
    of: Value<'r>,
    held: Held,
    /// How many elements are left, where that is known.
    left: Option<u64>,
}

/// What there is to go through.
enum Held {
    /// An array, and the number of its next element.
    Array(ctype::Value, u64),
    /// What a container has made of itself.
    Items(Box<dyn Items>),
    /// Nothing any more.
    Nothing,
}

impl Iterator for Walk<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.left == Some(0) {
            return None;
        }
        self.left = self.left.map(|left| left - 1);
        let found = match &mut self.held {
            Held::Array(array, next) => {
                let element = array.element(i128::from(*next));
                *next += 1;
                element.map(Item::plain)
            }
            Held::Items(items) => {
                // If rr has to be started again meanwhile, the same question would be about the element after it.
                let mut is_first = true;
                let next = super::Core::with_memory(self.of.core, |memory| match std::mem::take(&mut is_first) {
                    true => items.next(memory),
                    false => Err(Unavailable::Other("rr ended while it was read".to_owned())),
                });
                next.unwrap_or_else(|reason| {
                    self.left = Some(0);
                    Some(Item::plain(members::unreadable(reason)))
                })
            }
            Held::Nothing => None,
        };
        if found.is_none() {
            self.held = Held::Nothing;
        }
        found
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.left.and_then(|left| usize::try_from(left).ok()))
    }
}

impl<'r> Iterator for Elements<'r> {
    type Item = Value<'r>;

    fn next(&mut self) -> Option<Value<'r>> {
        let item = self.0.next()?;
        Some(self.0.of.sibling(item.value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl FusedIterator for Elements<'_> {}

impl<'r> Iterator for Entries<'r> {
    type Item = (Value<'r>, Value<'r>);

    fn next(&mut self) -> Option<(Value<'r>, Value<'r>)> {
        let item = self.0.next()?;
        let key = match item.key {
            Key::Value(key) => key,
            // It could not be read, and the value says why.
            Key::Place | Key::Name(_) => item.value.clone(),
        };
        Some((self.0.of.sibling(key), self.0.of.sibling(item.value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl FusedIterator for Entries<'_> {}

impl<'r> Value<'r> {
    /// Returns how many elements, entries or code units it has; `None` for what has none, or does not say how many.
    pub fn length(&self) -> Option<u64> {
        self.ask(|value, memory| match array_parts(&value.ty) {
            Some((_, count)) => count,
            None => memory.meaning(value)?.length,
        })
    }

    /// Returns the index of the first element of an array: 0, or what its language or its declaration says; 1 in most
    /// of Fortran's.
    pub fn first_index(&self) -> i64 {
        self.ask(|value, _| indexing(&value.ty).lower)
    }

    /// Returns the elements of an array or container, the code units of a string, or the values of a map.
    ///
    /// # Errors
    /// [`ErrorKind::Type`] for anything else, and for an array that does not say how many it has.
    pub fn elements(&self) -> Result<Elements<'r>> {
        self.walk(|style| !matches!(style, Style::Fields | Style::Tuple)).map(Elements)
    }

    /// Returns the keys and values of a map.
    ///
    /// # Errors
    /// [`ErrorKind::Type`] for anything else.
    pub fn entries(&self) -> Result<Entries<'r>> {
        match self.kind() {
            super::Kind::Map => self.walk(|style| style == Style::Map).map(Entries),
            _ => Err(self.no("entries with keys")),
        }
    }

    /// Returns the element at a place, counted from 0. A pointer is indexed as in C, as far as memory goes.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfRange`] if there are not so many, [`ErrorKind::Type`] for what has no elements.
    pub fn element(&self, index: u64) -> Result<Self> {
        let out_of_range = |length: Option<u64>| {
            let words = match length {
                Some(length) => format!("index {index} is out of range: there are {length}"),
                None => format!("index {index} is out of range"),
            };
            Error::new(ErrorKind::OutOfRange, words)
        };
        if let Some(behind) = self.behind_pointer(i128::from(index)) {
            return behind;
        }
        let length = self.length();
        if length.is_some_and(|length| index >= length) {
            return Err(out_of_range(length));
        }
        let found = self.ask(|value, memory| match held_by(value, memory) {
            Some((Held::Array(array, _), _)) => Ok(Some(array.element(i128::from(index)))),
            Some((Held::Items(mut items), _)) => items.nth(index, memory).map(|item| Some(item.map(|item| item.value))),
            Some((Held::Nothing, _)) | None => Ok(None),
        });
        match found {
            Ok(Some(Some(element))) => Ok(self.sibling(element)),
            Ok(Some(None)) => Err(out_of_range(length)),
            Ok(None) => Err(self.no("elements")),
            Err(reason) => Err(self.not_known(&reason.into())),
        }
    }

    fn walk(&self, is_wanted: impl Fn(Style) -> bool) -> Result<Walk<'r>> {
        let found = self.ask(|value, memory| {
            let (held, style) = held_by(value, memory)?;
            let length = match &held {
                Held::Array(array, _) => Some(array_parts(&array.ty)?.1?),
                Held::Items(_) | Held::Nothing => None,
            };
            style.is_none_or(&is_wanted).then_some((held, length))
        });
        let (held, left) = found.ok_or_else(|| self.no("elements"))?;
        Ok(Walk { of: self.clone(), held, left })
    }
}

/// Returns what an array or container holds, and how a container is written; `None` for anything else.
fn held_by(value: &ctype::Value, memory: &mut dyn Memory) -> Option<(Held, Option<Style>)> {
    if array_parts(&value.ty).is_some() {
        return Some((Held::Array(value.clone(), 0), None));
    }
    match memory.meaning(value)?.body {
        Body::Text(characters) => Some((Held::Array(characters, 0), None)),
        Body::Items(style, items) => Some((Held::Items(items), Some(style))),
        Body::Nothing => None,
    }
}

/// Returns the bytes of a text, and how many make a code unit.
pub(super) fn text_bytes(
    value: &ctype::Value,
    memory: &mut dyn Memory,
    most: u64,
) -> Option<Result<(Vec<u8>, u64), Unavailable>> {
    let Body::Text(characters) = memory.meaning(value)?.body else { return None };
    let (element, count) = array_parts(&characters.ty)?;
    let width = ctype::layout::size_of(&element)?;
    let length = count?.checked_mul(width).filter(|length| *length <= most)?;
    Some(characters.read(memory, 0, usize::try_from(length).ok()?).map(|bytes| (bytes, width)))
}
