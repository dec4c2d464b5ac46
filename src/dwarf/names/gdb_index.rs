//! `.gdb_index`, versions 7 to 9: which units have which names, as GDB, gold and lld write it (GDB's manual, "Index
//! Section Format"). Nothing in it is believed that the units themselves do not confirm.

use std::ops::Range;

/// So many entries are looked at to find out which units have none.
const MAX_LOOKED_AT: usize = 1 << 24;

/// A table of names.
pub(crate) struct GdbIndex<'a> {
    /// Offsets of the units.
    units: Vec<u64>,
    /// Hash table: offset of the name, offset of its units.
    slots: &'a [[u8; 8]],
    pool: &'a [u8],
}

impl<'a> GdbIndex<'a> {
    /// Parses an index. `None` if it is none of a known version, or if its units are not those of a `.debug_info` of
    /// this size. What type units define is not to be known from it.
    pub(crate) fn parse(section: &'a [u8], info_size: u64) -> Option<Self> {
        let version = number(section, 0)?;
        let (pool_at, between) = match version {
            7 | 8 => (20, 16..20),
            // A table of shortcuts comes before the names.
            9 => (24, 16..20),
            _ => return None,
        };
        let part = |range: Range<usize>| {
            let (start, end) = (number(section, range.start)? as usize, number(section, range.end)? as usize);
            section.get(start..end)
        };
        let (list, of_types, slots) = (part(4..8)?, part(8..12)?, part(between)?);
        let pool = section.get(number(section, pool_at)? as usize..)?;
        let (slots, rest) = slots.as_chunks::<8>();
        if !of_types.is_empty() || !rest.is_empty() || !(slots.is_empty() || slots.len().is_power_of_two()) {
            return None;
        }
        let mut units = Vec::new();
        let mut end = 0u64;
        for entry in list.as_chunks::<16>().0 {
            let [offset, length] = *entry.as_chunks::<8>().0 else { return None };
            let [offset, length] = [offset, length].map(u64::from_le_bytes);
            if offset != end || length == 0 {
                return None;
            }
            units.push(offset);
            end = end.checked_add(length)?;
        }
        (end == info_size).then_some(Self { units, slots, pool })
    }

    /// Looks up the units that have something of this whole name, by rising offset. `None` if that is not to be known.
    pub(crate) fn units(&self, name: &str) -> Option<Vec<u64>> {
        let mask = self.slots.len().checked_sub(1)? as u32;
        let hash = hash(name);
        let (mut at, step) = (hash & mask, (hash.wrapping_mul(17) & mask) | 1);
        for _ in 0..self.slots.len() {
            let Some((known, units)) = self.slots.get(at as usize).and_then(entry) else { return Some(Vec::new()) };
            let text = self.pool.get(known..)?;
            if text.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&0)) {
                let mut found = self.vector(units)?.collect::<Option<Vec<_>>>()?;
                found.sort_unstable();
                found.dedup();
                return Some(found);
            }
            at = at.wrapping_add(step) & mask;
        }
        Some(Vec::new())
    }

    /// Returns the units of which it has no names at all: whoever wrote it may not have known any.
    pub(crate) fn unlisted(&self) -> Vec<u64> {
        let mut missing: std::collections::BTreeSet<u64> = self.units.iter().copied().collect();
        let vectors = self.slots.iter().filter_map(entry).filter_map(|(_, units)| self.vector(units));
        for unit in vectors.flatten().flatten().take(MAX_LOOKED_AT) {
            missing.remove(&unit);
            if missing.is_empty() {
                break;
            }
        }
        missing.into_iter().collect()
    }

    /// Iterates over the units of a name; `None` in place of what is no unit.
    fn vector(&self, offset: usize) -> Option<impl Iterator<Item = Option<u64>> + '_> {
        let count = number(self.pool, offset)? as usize;
        let (entries, _) = self.pool.get(offset.checked_add(4)?..)?.as_chunks::<4>();
        // The upper bits say what has the name.
        let unit = |entry: &[u8; 4]| self.units.get((u32::from_le_bytes(*entry) & 0x00ff_ffff) as usize).copied();
        Some(entries.get(..count)?.iter().map(unit))
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Reads where a slot's name and units are in the pool; `None`: it is empty.
fn entry(slot: &[u8; 8]) -> Option<(usize, usize)> {
    let [name, units] = *slot.as_chunks::<4>().0 else { return None };
    let [name, units] = [name, units].map(|bytes| u32::from_le_bytes(bytes) as usize);
    ((name, units) != (0, 0)).then_some((name, units))
}

/// Computes GDB's `mapped_index_string_hash`, of version 5 and later.
fn hash(name: &str) -> u32 {
    let step = |hash: u32, byte: u8| {
        hash.wrapping_mul(67).wrapping_add(u32::from(byte.to_ascii_lowercase())).wrapping_sub(113)
    };
    name.bytes().fold(0, step)
}
