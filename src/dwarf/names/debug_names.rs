//! `.debug_names` (DWARF 5 section 6.1.1): which units have which types. Nothing in it is believed that the units
//! themselves do not confirm.

use crate::sections::slice::Slice;

/// No name has more entries that are worth looking at.
const MAX_ENTRIES: usize = 1 << 16;

/// The tables of a file: one, or one for each unit.
pub(crate) struct DebugNames<'a> {
    tables: Vec<gimli::NameIndex<Slice<'a>>>,
    strings: gimli::DebugStr<Slice<'a>>,
    /// Names are there with the scopes around them: not what the standard says, but what GDB has written.
    is_qualified: bool,
    unlisted: Vec<u64>,
}

impl<'a> DebugNames<'a> {
    /// Parses the table. `units`: the offsets of those that there are, rising. `None` if it is malformed, has no hash
    /// tables, or is about other units.
    pub(crate) fn parse(section: Slice<'a>, strings: gimli::DebugStr<Slice<'a>>, units: &[u64]) -> Option<Self> {
        let mut headers = gimli::DebugNames::new(section.slice(), gimli::LittleEndian).headers();
        let (mut tables, mut is_qualified, mut listed) = (Vec::new(), false, vec![false; units.len()]);
        while let Some(header) = headers.next().ok()? {
            is_qualified |= header.augmentation_string().is_some_and(|text| text.slice().starts_with(b"GDB"));
            let table = header.index().ok()?;
            if !table.has_hash_table() && table.name_count() != 0 || table.type_unit_count() != 0 {
                return None;
            }
            for number in 0..table.compile_unit_count() {
                let offset = table.compile_unit(number).ok()?.0 as u64;
                *listed.get_mut(units.binary_search(&offset).ok()?)? = true;
            }
            tables.push(table);
        }
        let unlisted = units.iter().zip(listed).filter(|(_, listed)| !listed).map(|(unit, _)| *unit).collect();
        (!tables.is_empty()).then_some(Self { tables, strings, is_qualified, unlisted })
    }

    /// Looks up the units that have a type of this name, given with and without the scopes around it, and maybe others.
    /// `None` if that is not to be known.
    pub(crate) fn units(&self, whole: &str, last: &str) -> Option<Vec<u64>> {
        // The standard has letters folded as Unicode has it.
        if !whole.is_ascii() {
            return None;
        }
        let mut found = Vec::new();
        self.add(last, &mut found).ok()?;
        if self.is_qualified && whole != last {
            self.add(whole, &mut found).ok()?;
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// Returns the units about which nothing is said.
    pub(crate) fn unlisted(&self) -> &[u64] {
        &self.unlisted
    }

    fn add(&self, name: &str, found: &mut Vec<u64>) -> gimli::Result<()> {
        let hash = hash(name);
        let mut looked_at = 0;
        for table in self.tables.iter().filter(|table| table.has_hash_table()) {
            let mut same = table.find_by_hash(hash)?;
            while let Some(number) = same.next()? {
                if table.name_string(number, &self.strings)?.slice() != name.as_bytes() {
                    continue;
                }
                let mut entries = table.name_entries(number)?;
                while let Some(entry) = entries.next()? {
                    looked_at += 1;
                    if looked_at > MAX_ENTRIES {
                        return Err(gimli::Error::UnexpectedEof(gimli::ReaderOffsetId(0)));
                    }
                    let unit = match entry.compile_unit(table)? {
                        Some(unit) => Some(unit),
                        None => table.default_compile_unit()?,
                    };
                    if is_type(entry.tag) {
                        found.extend(unit.map(|unit| unit.0 as u64));
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_type(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_base_type
            | gimli::DW_TAG_unspecified_type
            | gimli::DW_TAG_typedef
            | gimli::DW_TAG_template_alias
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_enumeration_type
    )
}

/// Computes the hash function of DWARF 5 section 7.33.
fn hash(name: &str) -> u32 {
    name.bytes().fold(5381, |hash: u32, byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte.to_ascii_lowercase())))
}
