//! Where a function's parameters are when its first instruction is about to run: what a caller has to know, whom an
//! optimiser may have taken into account.

use super::die_references::expression_at;
use crate::model::die::DieId;
use crate::sections::slice::{Slice, UnitRef};
use crate::units::attributes::{for_each_child, inherited_name};
use crate::units::blocks::BlockKind;
use crate::units::collection::Units;
use crate::units::ranges::Ranges;
use arch::LinkAddr;
use gimli::{AttributeValue, Operation};

/// A parameter, by its name if it has one, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryParameter {
    /// DW_AT_name.
    pub name: Option<String>,
    /// Where it is.
    pub place: EntryPlace,
}

/// Where a parameter is at the entry of its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryPlace {
    /// In these registers, by DWARF number, eight bytes in each if there are several.
    Registers(Vec<u16>),
    /// So many bytes above where the stack pointer was before the call.
    Stack(i64),
    /// In the function's own frame, from its first instruction to its last: its code puts it there itself.
    Frame,
    /// Anywhere else.
    Elsewhere,
    /// It has no location there.
    Nowhere,
}

/// Where a parameter is according to one location for all of its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastingPlace {
    /// The function.
    pub(crate) function: DieId,
    /// The code of its function, the part with the entry first.
    pub(crate) code: Ranges,
    /// That place.
    pub(crate) place: EntryPlace,
}

/// What DW_OP_fbreg counts from.
#[derive(Clone, Copy)]
enum FrameBase {
    /// Where the stack pointer was before the call, and so many bytes below it.
    Caller(i64),
    /// A register that the function sets.
    Own,
}

impl Units<'_> {
    /// Returns where the parameters of a function are at its first instruction, in their order.
    pub(crate) fn entry_parameters(&self, function: DieId, entry: LinkAddr) -> Vec<EntryParameter> {
        let mut found = Vec::new();
        let Some((_, unit, die)) = self.die(function) else { return found };
        let base = frame_base(unit, die.attr_value(gimli::DW_AT_frame_base));
        for_each_child(self, function, |_, id, die| {
            if die.tag() == gimli::DW_TAG_formal_parameter {
                let name = inherited_name(self, id);
                let place = entry_place(self, unit, die.attr_value(gimli::DW_AT_location), base, entry);
                found.push(EntryParameter { name: name.map(str::to_owned), place });
            }
        });
        found
    }

    /// Returns where a parameter is that has one location for all of the function that an address is in, not inlined
    /// ones; `None` of others.
    pub(crate) fn lasting_place(&self, parameter: DieId, a: LinkAddr) -> Option<LastingPlace> {
        let (_, unit, die) = self.die(parameter).filter(|(.., die)| die.tag() == gimli::DW_TAG_formal_parameter)?;
        let location = die.attr_value(gimli::DW_AT_location).filter(|value| value.exprloc_value().is_some())?;
        let tree = self.block_tree_at(a)?;
        let function = tree.around(a).into_iter().find(|block| block.kind == BlockKind::Function)?;
        // A function's own parameters stand before what is within it.
        let is_own = function.die < parameter && tree.first_within().is_none_or(|within| parameter < within);
        let (_, of_function, read) = self.die(function.die).filter(|_| is_own)?;
        let base = frame_base(of_function, read.attr_value(gimli::DW_AT_frame_base));
        let place = entry_place(self, unit, Some(location), base, function.ranges.first()?.0);
        Some(LastingPlace { function: function.die, code: function.ranges.clone(), place })
    }
}

fn entry_place<'a>(
    debug: &Units<'a>,
    unit: UnitRef<'_, 'a>,
    location: Option<AttributeValue<Slice<'a>>>,
    base: Option<FrameBase>,
    entry: LinkAddr,
) -> EntryPlace {
    let Some(location) = location else { return EntryPlace::Nowhere };
    let is_everywhere = location.exprloc_value().is_some();
    let expression = match expression_at(debug, unit, location, entry) {
        Ok(Some(expression)) if !expression.0.is_empty() => expression,
        Ok(_) => return EntryPlace::Nowhere,
        Err(_) => return EntryPlace::Elsewhere,
    };
    let mut operations = expression.operations(unit.encoding());
    let mut listed = Vec::new();
    loop {
        match operations.next() {
            Ok(Some(operation)) if listed.len() < MAX_OPERATIONS => listed.push(operation),
            Ok(None) => break,
            _ => return EntryPlace::Elsewhere,
        }
    }
    place_of(&listed, base, is_everywhere)
}

/// Longer expressions are none for a parameter in registers.
const MAX_OPERATIONS: usize = 8;
/// DWARF numbers: rbp, rsp.
const FRAME_POINTER: u16 = 6;
const STACK_POINTER: u16 = 7;

fn place_of(operations: &[Operation<Slice<'_>>], base: Option<FrameBase>, is_everywhere: bool) -> EntryPlace {
    match (operations, base) {
        ([Operation::Register { register }], _) => EntryPlace::Registers(vec![register.0]),
        // The return address is on top.
        ([Operation::RegisterOffset { register, offset, .. }], _) if register.0 == STACK_POINTER && *offset >= 8 => {
            EntryPlace::Stack(offset - 8)
        }
        ([Operation::FrameOffset { offset }], Some(FrameBase::Caller(below))) if *offset >= below => {
            EntryPlace::Stack(offset - below)
        }
        ([Operation::FrameOffset { .. }], Some(_)) if is_everywhere => EntryPlace::Frame,
        (pieces, _) => {
            let register = |piece: &[Operation<Slice<'_>>]| match piece {
                [Operation::Register { register }, Operation::Piece { size_in_bits: 64, bit_offset: None }] => {
                    Some(register.0)
                }
                _ => None,
            };
            let registers: Option<Vec<u16>> = pieces.chunks(2).map(register).collect();
            registers.map_or(EntryPlace::Elsewhere, EntryPlace::Registers)
        }
    }
}

fn frame_base<'a>(unit: UnitRef<'_, 'a>, base: Option<AttributeValue<Slice<'a>>>) -> Option<FrameBase> {
    let mut operations = base?.exprloc_value()?.operations(unit.encoding());
    let only = operations.next().ok()??;
    match (only, operations.next()) {
        (Operation::CallFrameCFA, Ok(None)) => Some(FrameBase::Caller(0)),
        // Below what it is counted from are the return address and the saved register.
        (Operation::Register { register }, Ok(None)) if register.0 == FRAME_POINTER => Some(FrameBase::Caller(16)),
        (Operation::Register { .. }, Ok(None)) => Some(FrameBase::Own),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gimli::Register;

    fn register<'a>(number: u16) -> Operation<Slice<'a>> {
        Operation::Register { register: Register(number) }
    }

    #[test]
    fn a_parameter_is_in_registers_on_the_stack_or_in_the_frame() {
        let at = |offset| [Operation::FrameOffset { offset }];
        let (caller, pushed) = (Some(FrameBase::Caller(0)), Some(FrameBase::Caller(16)));
        assert_eq!(place_of(&[register(5)], None, false), EntryPlace::Registers(vec![5]));
        assert_eq!(place_of(&at(8), caller, true), EntryPlace::Stack(8));
        assert_eq!(place_of(&at(24), pushed, true), EntryPlace::Stack(8));
        assert_eq!(place_of(&at(-20), caller, true), EntryPlace::Frame);
        assert_eq!(place_of(&at(-4), pushed, true), EntryPlace::Frame);
        assert_eq!(place_of(&at(4), Some(FrameBase::Own), true), EntryPlace::Frame);
        // It comes there later.
        assert_eq!(place_of(&at(-20), caller, false), EntryPlace::Elsewhere);
        assert_eq!(place_of(&at(-20), None, true), EntryPlace::Elsewhere);
        // Its address is there.
        assert_eq!(
            place_of(
                &[at(-20)[0], Operation::Deref { base_type: gimli::UnitOffset(0), size: 8, space: false }],
                caller,
                true
            ),
            EntryPlace::Elsewhere
        );
    }

    #[test]
    fn a_parameter_may_be_in_two_registers() {
        let piece = |size_in_bits| Operation::Piece { size_in_bits, bit_offset: None };
        let both = [register(5), piece(64), register(4), piece(64)];
        assert_eq!(place_of(&both, None, false), EntryPlace::Registers(vec![5, 4]));
        // Half of it is nowhere.
        assert_eq!(place_of(&[piece(64), register(4), piece(64)], None, false), EntryPlace::Elsewhere);
        assert_eq!(place_of(&[register(5), piece(32), register(4), piece(32)], None, false), EntryPlace::Elsewhere);
    }
}
