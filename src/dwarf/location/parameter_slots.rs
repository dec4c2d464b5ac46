//! Parameters that are on the stack as long as their functions run, as unoptimised code has them.

use crate::sections::slice::{Die, Slice, UnitRef};
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::ranges::ranges;
use arch::{LinkAddr, Slot};
use gimli::{AttributeValue, Operation};

/// DIEs of a unit that are looked at.
const MAX_DIES: usize = 200_000;

/// A parameter in memory, of a scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptParameter {
    /// Where the code of its function begins and ends.
    pub code: (LinkAddr, LinkAddr),
    /// Where it is.
    pub slot: Slot,
}

impl Units<'_> {
    /// Returns up to `most` of the parameters that the functions of the unit at an address keep on the stack: numbers
    /// and pointers, of functions that are in one part.
    pub(crate) fn kept_parameters(&self, a: LinkAddr, most: usize) -> Vec<KeptParameter> {
        let found = self.unit_at(a).and_then(|entry| Some((entry, entry.unit(self)?)));
        found.map_or_else(Vec::new, |(entry, unit)| kept_parameters(self, entry, unit, most))
    }
}

fn kept_parameters<'a>(
    debug: &Units<'a>,
    entry: &UnitEntry<'a>,
    unit: UnitRef<'_, 'a>,
    most: usize,
) -> Vec<KeptParameter> {
    let mut kept = Vec::new();
    let mut cursor = unit.entries();
    let mut function = None;
    for _ in 0..MAX_DIES {
        let Ok(Some(die)) = cursor.next_dfs() else { break };
        if die.tag() == gimli::DW_TAG_subprogram {
            function = function_of(unit, die).map(|found| (die.depth(), found));
            continue;
        }
        let Some((depth, (code, register))) = function else { continue };
        // Those of functions that are inlined are farther in.
        if die.tag() != gimli::DW_TAG_formal_parameter || die.depth() != depth + 1 || !is_scalar(debug, entry, die) {
            continue;
        }
        if let Some(offset) = frame_offset(unit, die) {
            kept.push(KeptParameter { code, slot: Slot { register, offset } });
            if kept.len() >= most {
                break;
            }
        }
    }
    kept
}

/// Reads the code of a function, and the register that its frame base is.
fn function_of<'a>(unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Option<((LinkAddr, LinkAddr), u16)> {
    match (only_operation(unit, die.attr_value(gimli::DW_AT_frame_base)?)?, ranges(unit, die).as_slice()) {
        (Operation::Register { register }, [code]) => Some((*code, register.0)),
        _ => None,
    }
}

/// Reads where a variable is from the frame base, if it always is there.
fn frame_offset<'a>(unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Option<i64> {
    match only_operation(unit, die.attr_value(gimli::DW_AT_location)?)? {
        Operation::FrameOffset { offset } => Some(offset),
        _ => None,
    }
}

fn only_operation<'a>(unit: UnitRef<'_, 'a>, value: AttributeValue<Slice<'a>>) -> Option<Operation<Slice<'a>>> {
    let mut operations = value.exprloc_value()?.operations(unit.encoding());
    let only = operations.next().ok()??;
    matches!(operations.next(), Ok(None)).then_some(only)
}

fn is_scalar<'a>(debug: &Units<'a>, entry: &UnitEntry<'a>, die: &Die<'a>) -> bool {
    let ty = die.attr_value(gimli::DW_AT_type).and_then(|value| debug.reference(entry, value));
    let tag = ty.and_then(|ty| debug.die(ty)).map(|(_, _, ty)| ty.tag());
    matches!(tag, Some(gimli::DW_TAG_base_type | gimli::DW_TAG_pointer_type))
}
