//! Elements whose places can be computed: side by side, in blocks, bit by bit.

use super::object::{MAX_COUNT, at, base, bool_value, is_readable};
use ctype::layout::size_of;
use ctype::{Encoding, Item, Items, Key, Memory, Place, TypeRef, Unavailable, Value};
use std::borrow::Cow;

/// Returns an error for an element of a moment of which it was not collected: nor are those behind it.
fn is_collected(address: u64, size: u64, memory: &mut dyn Memory) -> Result<(), Unavailable> {
    match size.checked_sub(1).map(|last| memory.read(address.wrapping_add(last), &mut [0])) {
        Some(Err(Unavailable::NotCollected)) => Err(Unavailable::NotCollected),
        _ => Ok(()),
    }
}

/// Elements of one size, side by side in memory.
pub(super) struct Contiguous {
    pub(super) element: TypeRef,
    /// Address of the next one.
    pub(super) next: u64,
    pub(super) size: u64,
    /// How many follow.
    pub(super) left: u64,
}

impl Contiguous {
    /// Makes the items of so many elements from `start` on, if they are there.
    pub(super) fn at(element: &TypeRef, start: u64, count: u64, memory: &mut dyn Memory) -> Option<Self> {
        let size = size_of(element).filter(|size| *size != 0)?;
        let bytes = count.checked_mul(size).filter(|_| count <= MAX_COUNT)?;
        is_readable(start, bytes, memory).then(|| Self { element: element.clone(), next: start, size, left: count })
    }
}

impl Items for Contiguous {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        is_collected(self.next, self.size, memory)?;
        let value = at(self.element.clone(), self.next);
        (self.left, self.next) = (left, self.next.wrapping_add(self.size));
        Ok(Some(Item::plain(value)))
    }

    fn skip(&mut self, count: u64, _: &mut dyn Memory) -> Result<(), Unavailable> {
        let count = count.min(self.left);
        self.left -= count;
        self.next = self.next.wrapping_add(count.wrapping_mul(self.size));
        Ok(())
    }
}

/// The elements of an array wherever it is.
pub(super) struct Array {
    pub(super) array: Value,
    /// The next one.
    pub(super) index: u64,
    pub(super) count: u64,
}

impl Items for Array {
    fn next(&mut self, _: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        if self.index >= self.count {
            return Ok(None);
        }
        let element = self.array.element(i128::from(self.index));
        self.index += 1;
        element.map(|value| Some(Item::plain(value))).ok_or(Unavailable::OptimizedOut)
    }

    fn skip(&mut self, count: u64, _: &mut dyn Memory) -> Result<(), Unavailable> {
        self.index = self.index.saturating_add(count);
        Ok(())
    }
}

/// Elements in blocks of one size, whose addresses are in a table: a deque's.
pub(super) struct Blocks {
    pub(super) element: TypeRef,
    pub(super) size: u64,
    /// Elements of a block.
    pub(super) per_block: u64,
    /// Address of the table's first entry.
    pub(super) table: u64,
    /// The next one, counted from the beginning of the first block.
    pub(super) index: u64,
    pub(super) left: u64,
}

impl Items for Blocks {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let damaged = || Unavailable::Other("a damaged container".to_owned());
        let block = self.index.checked_div(self.per_block).ok_or_else(damaged)?;
        let mut entry = [0; 8];
        memory.read(self.table.wrapping_add(block.wrapping_mul(8)), &mut entry)?;
        let within = (self.index % self.per_block).wrapping_mul(self.size);
        let value = at(self.element.clone(), u64::from_le_bytes(entry).wrapping_add(within));
        (self.left, self.index) = (left, self.index.wrapping_add(1));
        Ok(Some(Item::plain(value)))
    }

    fn skip(&mut self, count: u64, _: &mut dyn Memory) -> Result<(), Unavailable> {
        let count = count.min(self.left);
        self.left -= count;
        self.index = self.index.wrapping_add(count);
        Ok(())
    }
}

/// Elements of a ring buffer.
pub(super) struct Ring {
    pub(super) element: TypeRef,
    pub(super) size: u64,
    pub(super) start: u64,
    /// Elements that there is room for; not 0.
    pub(super) capacity: u64,
    /// The next one, counted from `start`.
    pub(super) index: u64,
    pub(super) left: u64,
}

impl Items for Ring {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let place = self.index.checked_rem(self.capacity).unwrap_or(0);
        let address = self.start.wrapping_add(place.wrapping_mul(self.size));
        is_collected(address, self.size, memory)?;
        let value = at(self.element.clone(), address);
        (self.left, self.index) = (left, self.index.wrapping_add(1));
        Ok(Some(Item::plain(value)))
    }

    fn skip(&mut self, count: u64, _: &mut dyn Memory) -> Result<(), Unavailable> {
        let count = count.min(self.left);
        self.left -= count;
        self.index = self.index.wrapping_add(count);
        Ok(())
    }
}

/// Bits as truth values, the lowest bit of the lowest byte first.
pub(super) struct Bits {
    /// What holds the bits.
    pub(super) place: Value,
    /// The next one.
    pub(super) index: u64,
    pub(super) end: u64,
    /// Only those that are set, with their number as a name: a `std::bitset`.
    pub(super) only_set: bool,
}

impl Bits {
    fn bit(&self, memory: &mut dyn Memory) -> Result<bool, Unavailable> {
        let byte = self.place.read(memory, self.index / 8, 1)?;
        Ok(byte.first().is_some_and(|byte| byte >> (self.index % 8) & 1 != 0))
    }
}

impl Items for Bits {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        while self.index < self.end {
            let (index, set) = (self.index, self.bit(memory)?);
            self.index += 1;
            if !self.only_set {
                return Ok(Some(Item::plain(bool_value(set))));
            }
            if set {
                let one = Value::new(base("int", Encoding::Signed, 4), one());
                return Ok(Some(Item { key: Key::Name(format!("[{index}]").into()), value: one }));
            }
        }
        Ok(None)
    }

    fn skip(&mut self, count: u64, memory: &mut dyn Memory) -> Result<(), Unavailable> {
        if !self.only_set {
            self.index = self.index.saturating_add(count);
            return Ok(());
        }
        // There are no more bits than `end`.
        for _ in 0..count {
            if self.next(memory)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn nth(&mut self, index: u64, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        self.index = self.index.saturating_add(index);
        if self.index >= self.end {
            return Ok(None);
        }
        let set = self.bit(memory)?;
        self.index += 1;
        Ok(Some(Item::plain(bool_value(set))))
    }
}

fn one() -> Place {
    Place::Bytes(vec![Some(1), Some(0), Some(0), Some(0)])
}

/// A few elements with names, known in advance.
pub(super) struct Few(std::vec::IntoIter<Item>);

impl Few {
    /// Creates the items of values with names.
    pub(super) fn named<N: Into<Cow<'static, str>>>(list: impl IntoIterator<Item = (N, Value)>) -> Self {
        let items: Vec<Item> =
            list.into_iter().map(|(name, value)| Item { key: Key::Name(name.into()), value }).collect();
        Self(items.into_iter())
    }

    /// Creates the items of elements as they are.
    pub(super) fn of(items: Vec<Item>) -> Self {
        Self(items.into_iter())
    }
}

impl Items for Few {
    fn next(&mut self, _: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        Ok(self.0.next())
    }
}
