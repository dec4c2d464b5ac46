//! `HashMap` and `HashSet`: hashbrown's tables. A byte for each slot says whether it is taken; the slots lie before the
//! bytes, the last one first.

use super::{Object, usize_value};
use crate::chain::damaged;
use crate::object::{MAX_COUNT, at, bool_value, first_member, is_readable, number_at, type_argument, with_record};
use ctype::layout::size_of;
use ctype::{Item, Items, Key, Meaning, Memory, Style, TypeRef, Unavailable, Value};

/// Control bytes that are read at a time.
const GROUP: usize = 64;
/// Groups without an element between two that are taken: of a table that large and that empty nobody waits for the end.
const MAX_EMPTY: usize = 1 << 16;

pub(super) fn map(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let table = first_member(object.value, &["base.table", "table"])?;
    of_table("HashMap", &table, Style::Map, memory)
}

pub(super) fn set(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let table = first_member(object.value, &["base.map.table", "map.base.table", "map.table"])?;
    of_table("HashSet", &table, Style::Indexed, memory)
}

fn of_table(title: &'static str, table: &Value, style: Style, memory: &mut dyn Memory) -> Option<Meaning> {
    // `RawTable<(K, V)>`
    let slot = with_record(&table.ty, |record| type_argument(record, 0, memory))?;
    let size = size_of(&slot)?;
    let inner = table.member("table")?;
    let (mask, count) = (number_at(&inner, "bucket_mask", memory)?, number_at(&inner, "items", memory)?);
    let slots = mask.checked_add(1).filter(|slots| slots.is_power_of_two() && *slots <= MAX_COUNT)?;
    let control = super::address_in(&first_member(&inner, &["ctrl"])?, memory)?;
    let below = control.checked_sub(slots.checked_mul(size)?)?;
    let whole = count <= mask.max(1) && (count == 0 || is_readable(below, slots * size + slots, memory));
    let items = Table { slot, size, control, index: 0, slots, left: count, pairs: style == Style::Map };
    let meaning = Meaning { length: Some(count), ..Meaning::empty(true) }.says(title).holds(style, items);
    let capacity = if mask < 8 { mask } else { slots / 8 * 7 };
    whole.then(|| meaning.fact("is_empty", bool_value(count == 0)).fact("capacity", usize_value(capacity)))
}

struct Table {
    slot: TypeRef,
    size: u64,
    /// Address of the control bytes.
    control: u64,
    /// The next slot.
    index: u64,
    slots: u64,
    /// How many taken ones follow.
    left: u64,
    /// Whether a slot holds a key and a value, or a key only.
    pairs: bool,
}

impl Table {
    /// Finds the next slot that is taken: the highest bit of its byte is clear.
    fn taken(&mut self, memory: &mut dyn Memory) -> Result<u64, Unavailable> {
        for _ in 0..MAX_EMPTY {
            if self.index >= self.slots {
                break;
            }
            let mut group = [0; GROUP];
            let len = (self.slots - self.index).min(GROUP as u64) as usize;
            let Some(bytes) = group.get_mut(..len) else { break };
            memory.read(self.control.wrapping_add(self.index), bytes)?;
            match bytes.iter().position(|byte| byte & 0x80 == 0) {
                Some(at) => {
                    let found = self.index + at as u64;
                    self.index = found + 1;
                    return Ok(found);
                }
                None => self.index += len as u64,
            }
        }
        Err(damaged())
    }
}

impl Items for Table {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let index = self.taken(memory)?;
        self.left = left;
        let slot = at(self.slot.clone(), self.control.wrapping_sub((index + 1).wrapping_mul(self.size)));
        let key = slot.member("__0").ok_or_else(damaged)?;
        Ok(Some(match self.pairs {
            true => Item { key: Key::Value(key), value: slot.member("__1").ok_or_else(damaged)? },
            false => Item::plain(key),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bytes(Vec<u8>);

    impl Memory for Bytes {
        fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
            let start = address as usize;
            let from = self.0.get(start..start + buffer.len()).ok_or(Unavailable::Memory(address))?;
            buffer.copy_from_slice(from);
            Ok(())
        }
        fn symbol(&mut self, _: u64) -> Option<String> {
            None
        }
    }

    #[test]
    fn a_table_that_says_more_than_it_has_ends_in_an_error() {
        let unit = crate::object::base("u8", ctype::Encoding::Unsigned, 1);
        let mut memory = Bytes(vec![0xff; 256]);
        memory.0[100] = 0x11;
        let mut table = Table { slot: unit, size: 1, control: 64, index: 0, slots: 128, left: 2, pairs: false };
        // The slot is no pair: that is damage too, but it is counted.
        assert!(table.next(&mut memory).is_err());
        assert_eq!(table.index, 37);
        assert!(table.next(&mut memory).is_err());
        assert_eq!((table.index, table.left), (128, 1));
    }
}
