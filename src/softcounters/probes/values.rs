//! The values of a hit or a write, which are taken apart when they are looked at.
//!
//! A question asks for all that may matter in a row, and looks at that of the rows that it tells: a few of millions.

use super::hits::{Damage, Fields};
use super::list::Value;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A value that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectedValue {
    /// Of a general register.
    Register(u64),
    /// The low half of a vector register.
    Vector([u8; 16]),
    /// The bytes that can be read, from the beginning: fewer than were asked for where memory ends, none if there is no
    /// memory at the address or on the way to it.
    Memory(Vec<u8>),
}

/// The values, in the order in which they were asked for.
#[derive(Clone, Default)]
pub struct Values {
    /// As they are in the file.
    encoded: Box<[u8]>,
    shapes: Option<Arc<[Shape]>>,
    decoded: OnceLock<Vec<CollectedValue>>,
}

/// What a value takes in the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Register,
    Vector,
    Memory(usize),
}

impl Shape {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Register(_) => Self::Register,
            Value::Vector(_) => Self::Vector,
            Value::Memory { length, .. } => Self::Memory(usize::from(*length)),
        }
    }

    /// Bytes of it.
    pub(super) fn room(self) -> usize {
        match self {
            Self::Register => 8,
            Self::Vector => 16,
            Self::Memory(length) => 4 + length,
        }
    }

    /// Words of it where hits are packed.
    pub(super) fn words(self) -> usize {
        match self {
            Self::Register => 1,
            Self::Vector => 2,
            Self::Memory(length) => length.div_ceil(8),
        }
    }

    /// Puts a value of which these are the words where it is not packed.
    fn unpack(self, words: &[u64], into: &mut Vec<u8>) {
        let length = match self {
            Self::Register => 8,
            Self::Vector => 16,
            Self::Memory(length) => {
                into.extend((length as u32).to_le_bytes());
                length
            }
        };
        let end = into.len() + length;
        into.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        into.truncate(end);
    }

    /// Passes over a value, if it is one.
    fn skip(self, fields: &mut Fields<'_>) -> Result<(), Damage> {
        match self {
            Self::Register => fields.long().map(drop),
            Self::Vector => fields.take::<16>().map(drop),
            Self::Memory(length) => {
                let read = fields.word()? as usize;
                fields.slice(length)?;
                if read <= length { Ok(()) } else { Err(Damage::Record("more was read than asked for")) }
            }
        }
    }

    fn value(self, fields: &mut Fields<'_>) -> Result<CollectedValue, Damage> {
        Ok(match self {
            Self::Register => CollectedValue::Register(fields.long()?),
            Self::Vector => CollectedValue::Vector(fields.take()?),
            Self::Memory(length) => {
                let read = fields.word()? as usize;
                CollectedValue::Memory(fields.slice(length)?.get(..read).unwrap_or_default().to_vec())
            }
        })
    }
}

impl Values {
    /// Takes the values of these shapes from a record.
    pub(super) fn take(fields: &mut Fields<'_>, shapes: &Arc<[Shape]>) -> Result<Self, Damage> {
        let all = fields.rest();
        shapes.iter().try_for_each(|shape| shape.skip(fields))?;
        let taken = all.len().saturating_sub(fields.rest().len());
        let encoded = all.get(..taken).unwrap_or_default().into();
        Ok(Self { encoded, shapes: Some(shapes.clone()), decoded: OnceLock::new() })
    }

    /// Takes the values of these shapes, each of which begins there among the words of a packed hit.
    pub(super) fn of_words(words: &[u64], starts: &[usize], shapes: &Arc<[Shape]>) -> Self {
        let mut encoded = Vec::with_capacity(shapes.iter().map(|shape| shape.room()).sum());
        for (shape, start) in shapes.iter().zip(starts) {
            shape.unpack(words.get(*start..*start + shape.words()).unwrap_or_default(), &mut encoded);
        }
        Self { encoded: encoded.into(), shapes: Some(shapes.clone()), decoded: OnceLock::new() }
    }
}

impl From<Vec<CollectedValue>> for Values {
    fn from(values: Vec<CollectedValue>) -> Self {
        Self { encoded: Box::default(), shapes: None, decoded: OnceLock::from(values) }
    }
}

impl Deref for Values {
    type Target = [CollectedValue];

    fn deref(&self) -> &[CollectedValue] {
        self.decoded.get_or_init(|| {
            let mut fields = Fields(&self.encoded);
            let shapes = self.shapes.iter().flat_map(|shapes| shapes.iter());
            // That each is there was seen when they were taken.
            shapes.map_while(|shape| shape.value(&mut fields).ok()).collect()
        })
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Values {}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
