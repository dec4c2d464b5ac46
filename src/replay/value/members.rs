//! What a value is made of, and what it points to.

use super::{Error, ErrorKind, Result, Value};
use ctype::detached::resolved;
use ctype::layout::{pointer_target, size_of, strip};
use ctype::{Body, Dialect, Key, Memory, Place, Record, Style, Type, Unavailable};
use engine::spelled;

/// Most fields that are listed.
const MAX_FIELDS: usize = 10_000;
/// Anonymous structures in each other that are looked into.
const MAX_DEPTH: u32 = 32;
/// Fields that an error names.
const MAX_NAMED: usize = 20;

impl<'r> Value<'r> {
    /// Returns the fields of a structure, union, class, tuple or variant, in the order of declaration; empty for
    /// anything else.
    ///
    /// Those of an anonymous structure count as its own. A base class is a field with the name of the class, of which
    /// the fields are asked in turn. Rust's tuples have the fields `0`, `1`, …
    pub fn fields(&self) -> Vec<(String, Self)> {
        let target = self.typed.target;
        let found = self.ask(|value, memory| {
            let mut lister = Lister { found: Vec::new(), target };
            lister.list(value, memory, MAX_DEPTH);
            lister.found
        });
        found.into_iter().map(|(name, value)| (name, self.sibling(value))).collect()
    }

    /// Returns the field of this name, also one of a base class.
    ///
    /// # Errors
    /// [`ErrorKind::Type`] if there is none; it names those that there are.
    pub fn field(&self, name: &str) -> Result<Self> {
        let fields = self.fields();
        if let Some((_, value)) = fields.iter().find(|(own, _)| own == name) {
            return Ok(value.clone());
        }
        let inherited = self.ask(|value, memory| match value.lacks_member(name, memory) {
            Ok(false) => value.member(name),
            Ok(true) | Err(_) => None,
        });
        inherited.map(|value| self.sibling(value)).ok_or_else(|| {
            let known: Vec<_> = fields.iter().take(MAX_NAMED).map(|(name, _)| name.as_str()).collect();
            let known = match (known.is_empty(), fields.len() > known.len()) {
                (true, _) => "it has none".to_owned(),
                (false, more) => format!("there are {}{}", known.join(", "), if more { ", …" } else { "" }),
            };
            let words = format!("a value of type `{}` has no field `{name}`: {known}", self.type_name());
            Error::new(ErrorKind::Type, words)
        })
    }

    /// Returns what a pointer or smart pointer points to. It need not be there: of what is read through a wild pointer,
    /// the value is [not known](Value::unknown).
    ///
    /// # Errors
    /// [`ErrorKind::Type`] if it is no pointer to an object, [`ErrorKind::Unknown`] if the pointer is not known.
    pub fn pointee(&self) -> Result<Self> {
        let found = self.ask(|value, memory| {
            if let Some(target) = pointer_target(&value.ty) {
                return match (value.synthetic_target(&target), value.word(0, memory)) {
                    (Some(object), _) => Ok(Some(object)),
                    (None, Ok(_)) if matches!(&*strip(&target), Type::Void) => Ok(None),
                    (None, Ok(address)) => Ok(Some(ctype::Value::new(target, Place::Memory(address)))),
                    (None, Err(reason)) => Err(reason),
                };
            }
            Ok(memory.meaning(value).and_then(|meaning| meaning.target))
        });
        match found {
            Ok(Some(object)) => Ok(self.sibling(object)),
            Ok(None) => Err(self.no("object that it points to")),
            Err(reason) => Err(self.not_known(&reason.into())),
        }
    }

    /// Returns the complete object: in C++ the most derived one that this one is part of, as its virtual table says; in
    /// Rust the object behind a trait object. Any other value is returned unchanged.
    #[must_use]
    pub fn dynamic(&self) -> Self {
        let whole = self.ask(|value, memory| memory.whole_object(value));
        whole.map_or_else(|| self.clone(), |whole| self.sibling(whole))
    }

    /// Returns the element that a pointer into an array leads to, so many elements farther.
    pub(super) fn behind_pointer(&self, index: i128) -> Option<Result<Self>> {
        let element = self.ask(|value, memory| {
            let target = pointer_target(&value.ty)?;
            let distance = index.checked_mul(i128::from(size_of(&target)?))?;
            Some(value.word(0, memory).map(|address| {
                let there = i128::from(address).wrapping_add(distance) as u64;
                ctype::Value::new(target, Place::Memory(there))
            }))
        })?;
        Some(element.map(|value| self.sibling(value)).map_err(|reason| self.not_known(&reason.into())))
    }
}

/// Collects the fields of a value.
struct Lister {
    found: Vec<(String, ctype::Value)>,
    target: ctype::Target,
}

impl Lister {
    fn add(&mut self, name: &str, value: ctype::Value) {
        // Debug info calls `.0` of a tuple `__0`.
        let number = name.strip_prefix("__").filter(|rest| {
            self.target.dialect == Dialect::Rust && !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit())
        });
        self.found.push((number.unwrap_or(name).to_owned(), value));
    }

    fn list(&mut self, value: &ctype::Value, memory: &mut dyn Memory, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let value = &resolved(value, memory);
        let ty = strip(&value.ty);
        let Type::Record(record) = &*ty else { return };
        if let Some(meaning) = memory.meaning(value)
            && let Body::Items(Style::Fields | Style::Tuple, mut items) = meaning.body
        {
            while self.found.len() < MAX_FIELDS
                && let Ok(Some(item)) = items.next(memory)
            {
                let name = match &item.key {
                    Key::Name(name) => name.clone().into_owned(),
                    Key::Place | Key::Value(_) => self.found.len().to_string(),
                };
                self.add(&name, item.value);
            }
            return;
        }
        self.members(value, record, memory, depth);
        if let Ok(Some((_, variant))) = value.variant(memory) {
            self.list(&variant, memory, depth);
        }
    }

    fn members(&mut self, value: &ctype::Value, record: &Record, memory: &mut dyn Memory, depth: u32) {
        for base in &record.virtual_bases {
            let ty = base.ty.get();
            let part = value.virtual_base(base, memory);
            let part = part.unwrap_or_else(|reason| ctype::Value::new(ty.clone(), Place::Unavailable(reason)));
            self.add(&spelled(&strip(&ty), self.target), part);
        }
        for member in &record.members {
            if self.found.len() >= MAX_FIELDS {
                return;
            }
            let ty = member.ty.get();
            let part = value.part(ty.clone(), member.offset, member.bits);
            match &member.name {
                _ if member.is_base => self.add(&spelled(&strip(&ty), self.target), part),
                Some(name) => self.add(name, part),
                // A bit-field without a name is room only.
                None if member.bits.is_some() => {}
                None => self.list(&part, memory, depth),
            }
        }
    }
}

/// Creates the value of a part of a container that could not be read.
pub(super) fn unreadable(reason: Unavailable) -> ctype::Value {
    ctype::Value::new(std::sync::Arc::new(Type::Void), Place::Unavailable(reason))
}
