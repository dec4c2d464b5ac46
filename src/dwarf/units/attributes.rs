//! Attributes of DIEs, also those that a DIE has from the one that it is an instance or the completion of.

use super::collection::Units;
use super::entry::UnitEntry;
use crate::model::die::DieId;
use crate::model::returning::Convention;
use crate::sections::slice::{Die, Slice, UnitRef};
use crate::tasks::work::{Measure, READING};
use gimli::AttributeValue;

/// After so many DIEs, it is looked whether the question is still asked.
const LONG: usize = 4096;

/// How many DW_AT_abstract_origin and DW_AT_specification references are followed.
const MAX_REFERENCES: usize = 8;

/// An attribute's value, and the unit that references and indexes in it are to be read by.
pub(crate) struct Inherited<'d, 'a> {
    pub(crate) entry: &'d UnitEntry<'a>,
    pub(crate) unit: UnitRef<'d, 'a>,
    pub(crate) value: AttributeValue<Slice<'a>>,
}

/// Finds an attribute of a DIE, or of the DIE that it is an instance or the completion of.
pub(crate) fn inherited<'d, 'a>(units: &'d Units<'a>, die: DieId, attribute: gimli::DwAt) -> Option<Inherited<'d, 'a>> {
    inherited_any(units, die, &[attribute]).map(|(_, found)| found)
}

/// Returns the name of a DIE, or of the DIE that it is an instance or the completion of.
pub(crate) fn inherited_name<'a>(units: &Units<'a>, die: DieId) -> Option<&'a str> {
    let name = inherited(units, die, gimli::DW_AT_name)?;
    units.string(name.unit, name.value)
}

/// Finds the nearest of several attributes; the first one given if a DIE has more than one.
pub(crate) fn inherited_any<'d, 'a>(
    units: &'d Units<'a>,
    die: DieId,
    attributes: &[gimli::DwAt],
) -> Option<(gimli::DwAt, Inherited<'d, 'a>)> {
    let mut id = die;
    for _ in 0..MAX_REFERENCES {
        let (entry, unit, die) = units.die(id)?;
        let found = attributes.iter().find_map(|attribute| Some((*attribute, die.attr_value(*attribute)?)));
        if let Some((attribute, value)) = found {
            return Some((attribute, Inherited { entry, unit, value }));
        }
        id = origin(units, entry, &die)?;
    }
    None
}

/// Returns the DIE that this one is a concrete instance (DW_AT_abstract_origin) or the completion (DW_AT_specification)
/// of.
pub(crate) fn origin<'a>(units: &Units<'a>, entry: &UnitEntry<'a>, die: &Die<'a>) -> Option<DieId> {
    units
        .referenced(entry, die, gimli::DW_AT_abstract_origin)
        .or_else(|| units.referenced(entry, die, gimli::DW_AT_specification))
}

/// Returns whether a flag attribute is there and true.
pub(crate) fn is_flag_set(die: &Die<'_>, attribute: gimli::DwAt) -> bool {
    matches!(die.attr_value(attribute), Some(AttributeValue::Flag(true)))
}

/// Returns whether the value that DW_AT_const_value states for a variable is what it always has. Of a static member that
/// is only declared, Clang states what it begins with, too: then it does if its type is constant.
pub(crate) fn is_lasting_value(units: &Units<'_>, id: DieId) -> bool {
    let is_own = units.die(id).is_some_and(|(_, _, die)| {
        die.has_attr(gimli::DW_AT_const_value) && !is_flag_set(&die, gimli::DW_AT_declaration)
    });
    if is_own || inherited(units, id, gimli::DW_AT_declaration).is_none() {
        return true;
    }
    let ty = inherited(units, id, gimli::DW_AT_type);
    let mut next = ty.and_then(|ty| units.reference(ty.entry, ty.value));
    for _ in 0..MAX_REFERENCES {
        let Some((entry, _, die)) = next.and_then(|id| units.die(id)) else { return false };
        next = match die.tag() {
            gimli::DW_TAG_const_type => return true,
            gimli::DW_TAG_typedef | gimli::DW_TAG_volatile_type | gimli::DW_TAG_array_type => {
                units.referenced(entry, &die, gimli::DW_AT_type)
            }
            _ => return false,
        };
    }
    false
}

/// Returns whether a variable is visible in other units.
pub(crate) fn is_external(units: &Units<'_>, id: DieId) -> bool {
    inherited(units, id, gimli::DW_AT_external)
        .is_some_and(|external| matches!(external.value, AttributeValue::Flag(true)))
}

/// Returns whether a function has DW_CC_nocall, in its definition or its declaration.
pub(crate) fn is_called_otherwise(units: &Units<'_>, id: DieId) -> bool {
    calling_convention(units, id) == Some(gimli::DW_CC_nocall)
}

/// Returns the convention by which a function returns its value. DW_CC_nocall is of functions that an optimiser has
/// changed: what is left of their results is where it was.
pub(crate) fn convention(units: &Units<'_>, id: DieId) -> Convention {
    let other = |name: &str| Convention::Other(name.to_owned());
    // The numbers from 0xc0 on are LLVM's.
    match calling_convention(units, id).map(|convention| convention.0) {
        // The last one differs from the platform's in the registers of arguments.
        None | Some(..=0x3f | 0xc2 | 0xcd) => Convention::Platform,
        Some(0xc9) => Convention::Preserving("preserve_most"),
        Some(0xca) => Convention::Preserving("preserve_all"),
        Some(0xc1) => Convention::Win64,
        Some(0xc0) => other("vectorcall"),
        Some(0xc3) => other("aapcs"),
        Some(0xc4) => other("aapcs-vfp"),
        Some(0xc5) => other("intel_ocl_bicc"),
        Some(0xc6) => other("spir_function"),
        Some(0xc7) => other("OpenCL kernel"),
        Some(0xc8) => other("swiftcall"),
        Some(0xcb) => other("regcall"),
        Some(0xcf) => other("swifttailcall"),
        Some(number) => Convention::Other(format!("{number:#x}")),
    }
}

fn calling_convention(units: &Units<'_>, id: DieId) -> Option<gimli::DwCc> {
    match inherited(units, id, gimli::DW_AT_calling_convention)?.value {
        AttributeValue::CallingConvention(convention) => Some(convention),
        other => other.udata_value().and_then(|number| u8::try_from(number).ok()).map(gimli::DwCc),
    }
}

/// Returns DW_AT_name of the unit that a DIE is in: its primary source file.
pub(crate) fn unit_file<'a>(units: &Units<'a>, id: DieId) -> Option<&'a str> {
    let unit = units.unit_of(id)?.unit(units)?;
    let root = unit.entry(unit.header.root_offset()).ok()?;
    units.name(unit, &root)
}

/// Calls `f` with each child of a DIE.
pub(crate) fn for_each_child<'a>(units: &Units<'a>, parent: DieId, mut f: impl FnMut(&UnitEntry<'a>, DieId, &Die<'a>)) {
    let Some((entry, unit, die)) = units.die(parent) else {
        return;
    };
    let Ok(mut cursor) = unit.entries_at_offset(die.offset()) else { return };
    let Ok(Some(_)) = cursor.next_dfs() else { return };
    let top = cursor.current().map_or(0, Die::depth);
    let (mut looked, mut task) = (0_usize, None);
    // Where DW_AT_sibling does not say where the next child is, all that is in one is gone through.
    let mut has_sibling = false;
    loop {
        let more = match has_sibling {
            true => cursor.next_sibling().is_ok_and(|die| die.is_some()),
            false => cursor.next_dfs().is_ok_and(|die| die.is_some()),
        };
        let Some(die) = cursor.current().filter(|_| more) else { return };
        if die.depth() <= top {
            return;
        }
        looked += 1;
        if looked.is_multiple_of(LONG) {
            let all = unit.header.length_including_self() as u64;
            task.get_or_insert_with(|| units.sections.work.begin(READING, Measure::Bytes, all)).did(LONG);
        }
        if die.depth() > top + 1 {
            continue;
        }
        has_sibling = die.has_attr(gimli::DW_AT_sibling);
        if let Some(id) = entry.id_of(die.offset()) {
            f(entry, id, die);
        }
    }
}
