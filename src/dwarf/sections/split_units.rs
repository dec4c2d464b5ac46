//! The sections of a file of split units (DWARF 5 section 7.3.2).

use super::set::SectionSet;
use super::slice::Slice;
use gimli::{AttributeValue, DwoId, UnitType};

/// Returns the id that a split unit and its skeleton have in common.
pub(crate) fn split_id<'a>(dwarf: &gimli::Dwarf<Slice<'a>>, header: &gimli::UnitHeader<Slice<'a>>) -> Option<DwoId> {
    match header.type_() {
        UnitType::SplitCompilation(id) => Some(id),
        UnitType::Compilation if header.version() < 5 => {
            let abbreviations = dwarf.abbreviations(header).ok()?;
            let root = header.entry(&abbreviations, header.root_offset()).ok()?;
            match root.attr_value(gimli::DW_AT_GNU_dwo_id)? {
                AttributeValue::DwoId(id) => Some(id),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether these are the sections of a file with the split unit that has this id.
pub(crate) fn has_split_unit(sections: &SectionSet, id: u64) -> bool {
    let dwarf = split_sections(sections);
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        if split_id(&dwarf, &header) == Some(DwoId(id)) {
            return true;
        }
    }
    false
}

pub(crate) fn split_sections(sections: &SectionSet) -> gimli::Dwarf<Slice<'_>> {
    let Ok(dwarf) = gimli::Dwarf::load(|id| Ok::<_, std::convert::Infallible>(sections.of_split(id)));
    dwarf
}
