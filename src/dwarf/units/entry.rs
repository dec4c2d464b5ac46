//! A unit, and which DIEs are in it. What is read of it is kept with it.

use super::file_number::FileNumber;
use super::functions::UnitFunctions;
use crate::lines::table::{FileTable, LineTable};
use crate::model::die::DieId;
use crate::sections::slice::{Slice, Unit};
use crate::sections::unit_header::Outline;
use gimli::UnitOffset;
use std::collections::HashMap;
use std::sync::OnceLock;

/// [`DieId`]s with this bit are offsets into `.debug_types` (DWARF 4 type units) instead of `.debug_info`.
const TYPES_SECTION: u64 = 1 << 63;

/// A unit: its header, and what was parsed of it so far.
pub(crate) struct UnitEntry<'a> {
    /// Id that a DIE at offset 0 of the unit would have.
    pub(crate) base: u64,
    pub(super) end: u64,
    pub(super) header: gimli::UnitHeader<Slice<'a>>,
    /// Of its root DIE.
    root: UnitOffset,
    pub(super) parsed: OnceLock<Option<Unit<'a>>>,
    pub(super) files: OnceLock<FileTable>,
    pub(super) lines: OnceLock<LineTable>,
    pub(super) functions: OnceLock<UnitFunctions>,
    pub(super) starts_at_entry: OnceLock<bool>,
}

impl<'a> UnitEntry<'a> {
    /// Creates the entry of a unit. `None` if DIEs of the unit would have no ids: its section is larger than any can
    /// be.
    pub(crate) fn new(file: FileNumber, header: gimli::UnitHeader<Slice<'a>>) -> Option<Self> {
        Self::outlined(file, header, header.header_size())
    }

    /// Creates the `UnitEntry` of a unit whose entries may not be there yet, with the size of its header.
    fn outlined(file: FileNumber, header: gimli::UnitHeader<Slice<'a>>, size: usize) -> Option<Self> {
        let types = header.section() == gimli::SectionId::DebugTypes;
        let base = file.die_at(header.offset().0 as u64)?.0 | if types { TYPES_SECTION } else { 0 };
        let length = header.length_including_self() as u64;
        file.die_at((header.offset().0 as u64).checked_add(length)?)?;
        Some(Self {
            base,
            end: base + length,
            header,
            root: UnitOffset(size),
            parsed: OnceLock::new(),
            files: OnceLock::new(),
            lines: OnceLock::new(),
            functions: OnceLock::new(),
            starts_at_entry: OnceLock::new(),
        })
    }

    /// Returns whether a DIE is in the unit.
    pub(crate) fn has(&self, die: DieId) -> bool {
        (self.base..self.end).contains(&die.0)
    }

    /// Returns which file the unit is in.
    pub(crate) fn file(&self) -> FileNumber {
        FileNumber::of(DieId(self.base))
    }

    /// Returns what is known of the unit before it is parsed; it may be without entries.
    pub(crate) fn header(&self) -> &gimli::UnitHeader<Slice<'a>> {
        &self.header
    }

    /// Returns the id of its root DIE.
    pub(crate) fn root(&self) -> Option<DieId> {
        self.id_of(self.root)
    }

    /// Returns the image-wide id of a DIE of this unit; `None` if the offset is not in the unit.
    pub(crate) fn id_of(&self, offset: UnitOffset) -> Option<DieId> {
        let id = self.base.checked_add(offset.0 as u64)?;
        (id < self.end).then_some(DieId(id))
    }

    /// Returns the offset within this unit of one of its DIEs.
    pub(crate) fn offset_of(&self, id: DieId) -> Option<UnitOffset> {
        let offset = id.0.checked_sub(self.base)?;
        if id.0 >= self.end {
            return None;
        }
        usize::try_from(offset).ok().map(UnitOffset)
    }
}

/// Most units of a file; others are left out. Browsers have some ten thousand.
pub(crate) const MOST_UNITS: usize = 1 << 17;
/// Most type units of a `.debug_types`.
const MOST_TYPE_UNITS: usize = 1 << 20;

/// Lists the units of a file, by rising [`DieId`]. `outlines`: those of a `.debug_info` that is to be had in parts
/// only.
pub(crate) fn list_units<'a>(
    dwarf: &gimli::Dwarf<Slice<'a>>,
    outlines: impl IntoIterator<Item = Outline<'a>>,
    file: FileNumber,
) -> Vec<UnitEntry<'a>> {
    let outlines = outlines.into_iter();
    let outlined = outlines.filter_map(|(header, size)| UnitEntry::outlined(file, header, size));
    let mut units: Vec<_> = outlined.take(MOST_UNITS).collect();
    let mut headers = dwarf.units();
    // A malformed header ends the list: nothing says where the next one would be.
    while let (Ok(Some(header)), true) = (headers.next(), units.len() < MOST_UNITS) {
        units.extend(UnitEntry::new(file, header));
    }
    let mut headers = dwarf.type_units();
    let most = units.len() + MOST_TYPE_UNITS;
    while let (Ok(Some(header)), true) = (headers.next(), units.len() < most) {
        units.extend(UnitEntry::new(file, header));
    }
    units
}

/// Returns the types that type units define, by their signatures.
pub(crate) fn signatures(units: &[UnitEntry<'_>]) -> HashMap<u64, DieId> {
    let signature = |u: &UnitEntry<'_>| match u.header.type_() {
        gimli::UnitType::Type { type_signature, type_offset }
        | gimli::UnitType::SplitType { type_signature, type_offset } => Some((type_signature.0, u.id_of(type_offset)?)),
        _ => None,
    };
    units.iter().filter_map(signature).collect()
}
