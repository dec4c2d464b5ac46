//! Headers of units of a section whose bytes are to be had in parts only.

use super::slice::Slice;
use crate::compressed::unit_queue::{HEAD, Head, length_of};
use gimli::{DebugInfo, DebugInfoOffset, LittleEndian, UnitHeader, UnitSectionOffset};

/// A header without entries, and its size.
pub(crate) type Outline<'a> = (UnitHeader<Slice<'a>>, usize);

/// Reads what the first bytes of a unit say of it. `None` if it is malformed.
pub(crate) fn outline<'a>((offset, head): &Head) -> Option<Outline<'a>> {
    let length = length_of(head)?;
    // As if the unit had no more than these bytes.
    let mut alone = *head;
    let behind = if head.starts_with(&[0xff; 4]) {
        alone.get_mut(4..12)?.copy_from_slice(&(HEAD as u64 - 12).to_le_bytes());
        12
    } else {
        alone.get_mut(..4)?.copy_from_slice(&(HEAD as u32 - 4).to_le_bytes());
        4
    };
    let header = DebugInfo::new(&alone, LittleEndian).header_from_offset(DebugInfoOffset(0)).ok()?;
    let size = header.header_size();
    let placed = with(&header, length - behind, *offset, Slice::new(&[], LittleEndian));
    (size <= length).then_some((placed, size))
}

/// Reads the header of a unit with its entries; `bytes` are all of the unit, which is at this offset of the section.
pub(crate) fn whole(bytes: &[u8], offset: usize) -> Option<UnitHeader<Slice<'_>>> {
    let header = DebugInfo::new(bytes, LittleEndian).header_from_offset(DebugInfoOffset(0)).ok()?;
    let entries = bytes.get(header.header_size()..header.length_including_self())?;
    Some(with(&header, header.unit_length(), offset, Slice::new(entries, LittleEndian)))
}

fn with<'a>(header: &UnitHeader<Slice<'_>>, length: usize, offset: usize, entries: Slice<'a>) -> UnitHeader<Slice<'a>> {
    UnitHeader::new(
        header.encoding(),
        length,
        header.type_(),
        header.debug_abbrev_offset(),
        header.section(),
        UnitSectionOffset(offset),
        entries,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use gimli::UnitType;

    /// A unit of DWARF 5 with the header of a compile unit, and so many bytes of entries.
    fn unit(is_64_bit: bool, entries: usize) -> Vec<u8> {
        let rest =
            [&5u16.to_le_bytes()[..], &[1, 8], &vec![0; if is_64_bit { 8 } else { 4 }], &vec![7; entries]].concat();
        match is_64_bit {
            true => [&[0xff; 4], &(rest.len() as u64).to_le_bytes()[..], &rest].concat(),
            false => [&(rest.len() as u32).to_le_bytes()[..], &rest].concat(),
        }
    }

    fn head(unit: &[u8]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head.iter_mut().zip(unit).for_each(|(to, from)| *to = *from);
        head
    }

    #[test]
    fn a_unit_is_outlined_by_its_first_bytes() {
        for is_64_bit in [false, true] {
            for entries in [0, 3, 1000] {
                let unit = unit(is_64_bit, entries);
                let whole = whole(&unit, 77).unwrap();
                assert_eq!(whole.length_including_self() - whole.header_size(), entries);
                let (outline, size) = outline(&(77, head(&unit))).unwrap();
                assert_eq!(size, whole.header_size());
                assert_eq!(outline.offset(), whole.offset());
                assert_eq!(outline.encoding(), whole.encoding());
                assert_eq!(outline.type_(), UnitType::Compilation);
                assert_eq!(outline.length_including_self(), unit.len());
            }
        }
    }

    #[test]
    fn what_is_too_short_for_its_header_is_no_unit() {
        let mut short = unit(false, 20);
        short[0] = 7;
        assert!(outline(&(0, head(&short))).is_none());
        assert!(whole(&short, 0).is_none());
        assert!(outline(&(0, [0; HEAD])).is_none());
    }
}
