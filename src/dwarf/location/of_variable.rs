//! Where variables are: location lists and expressions (DWARF 5 section 2.6), constants (section 4.1).

use crate::arch::LinkAddr;
use crate::ctype::{Type, TypeRef};
use crate::dwarf::expressions::composite;
use crate::dwarf::expressions::evaluate::{self, Failure, Referents};
use crate::dwarf::image::facade::Image;
use crate::dwarf::model::die::DieId;
use crate::dwarf::model::frame::FrameContext;
use crate::dwarf::model::variable::{Location, Variable};
use crate::dwarf::types::size_of;
use crate::dwarf::units::collection::{Debug, Die, Slice, UnitEntry, UnitRef};
use gimli::{AttributeValue, DebugInfoOffset, DieReference, Expression, UnitOffset, ValueType};
use std::sync::Arc;

/// How many DW_AT_abstract_origin and DW_AT_specification references are followed.
const MAX_REFERENCES: usize = 8;

/// The widest constant that is not written as a block of bytes.
const MAX_INTEGER_CONSTANT: usize = 16;

/// An attribute's value, and the unit that references and indexes in it are to be read by.
pub(in crate::dwarf) struct Inherited<'d, 'a> {
    pub(in crate::dwarf) entry: &'d UnitEntry<'a>,
    pub(in crate::dwarf) unit: UnitRef<'d, 'a>,
    pub(in crate::dwarf) value: AttributeValue<Slice<'a>>,
}

/// An attribute of a DIE, or of the DIE that it is an instance or the completion of.
pub(in crate::dwarf) fn inherited<'d, 'a>(
    debug: &'d Debug<'a>,
    die: DieId,
    attribute: gimli::DwAt,
) -> Option<Inherited<'d, 'a>> {
    inherited_any(debug, die, &[attribute]).map(|(_, found)| found)
}

/// The nearest of several attributes; the first one given if a DIE has more than one.
pub(in crate::dwarf) fn inherited_any<'d, 'a>(
    debug: &'d Debug<'a>,
    die: DieId,
    attributes: &[gimli::DwAt],
) -> Option<(gimli::DwAt, Inherited<'d, 'a>)> {
    let mut id = die;
    for _ in 0..MAX_REFERENCES {
        let (entry, unit, die) = debug.die(id)?;
        let found = attributes.iter().find_map(|attribute| Some((*attribute, die.attr_value(*attribute)?)));
        if let Some((attribute, value)) = found {
            return Some((attribute, Inherited { entry, unit, value }));
        }
        id = origin(debug, entry, &die)?;
    }
    None
}

/// The DIE that this one is a concrete instance (DW_AT_abstract_origin) or the completion (DW_AT_specification) of.
pub(in crate::dwarf) fn origin<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>, die: &Die<'a>) -> Option<DieId> {
    debug
        .referenced(entry, die, gimli::DW_AT_abstract_origin)
        .or_else(|| debug.referenced(entry, die, gimli::DW_AT_specification))
}

impl Image {
    /// Where a variable is in a frame of a function that it is visible in; any frame for a global.
    pub fn variable_location(&self, v: &Variable, frame: &mut dyn FrameContext) -> Location {
        self.with_debug(|debug| self.locate(debug, v.die, &v.ty, frame))
    }

    /// Where the object is that an implicit pointer of the frame points to.
    pub fn object_location(&self, object: DieId, frame: &mut dyn FrameContext) -> Location {
        self.with_debug(|debug| {
            let ty = inherited(debug, object, gimli::DW_AT_type).and_then(|ty| debug.reference(ty.entry, ty.value));
            let ty = ty.map_or_else(|| Arc::new(Type::Void), |ty| self.type_at(ty));
            self.locate(debug, object, &ty, frame)
        })
    }

    pub(in crate::dwarf) fn locate(
        &self,
        debug: &Debug<'_>,
        die: DieId,
        ty: &TypeRef,
        frame: &mut dyn FrameContext,
    ) -> Location {
        let Some((kind, found)) = inherited_any(debug, die, &[gimli::DW_AT_location, gimli::DW_AT_const_value]) else {
            return self.locate_by_symbol(debug, die, frame);
        };
        if kind == gimli::DW_AT_const_value {
            return constant_bytes(&found, size_of(ty));
        }
        let expression = match expression_at(debug, found.unit, found.value, frame.pc()) {
            Ok(Some(expression)) if !expression.0.is_empty() => expression,
            Ok(_) => return Location::OptimizedOut,
            Err(failure) => return self.failed(&failure),
        };
        if self.leads_nowhere(debug, die, found.unit, expression) {
            return Location::Unavailable("removed by the linker".to_owned());
        }
        let referents = InUnit { debug, unit: found.unit, entry: found.entry, pc: frame.pc() };
        match evaluate::run(expression, found.unit.encoding(), &referents, frame, None) {
            Ok(pieces) => {
                let target = |at: DebugInfoOffset| found.entry.file().die_at(at.0 as u64);
                composite::location(&pieces, size_of(ty), &target, frame)
            }
            Err(failure) => self.failed(&failure),
        }
    }

    /// A variable that is declared here and defined where there is no debug info has a symbol only.
    fn locate_by_symbol(&self, debug: &Debug<'_>, die: DieId, frame: &dyn FrameContext) -> Location {
        if inherited(debug, die, gimli::DW_AT_declaration).is_none() {
            return Location::OptimizedOut;
        }
        let name = inherited(debug, die, gimli::DW_AT_linkage_name)
            .or_else(|| inherited(debug, die, gimli::DW_AT_name))
            .and_then(|name| debug.string(name.unit, name.value));
        let symbol = name.and_then(|name| self.symbols_named(name).into_iter().find(|s| !s.is_code));
        match symbol {
            Some(symbol) => Location::Memory(symbol.address.at(frame.bias()).0),
            None => Location::Unavailable("it is declared here and defined in another module".to_owned()),
        }
    }

    fn failed(&self, failure: &Failure) -> Location {
        match failure {
            // The compiler kept the parameter nowhere, and the caller does not tell what it passed.
            Failure::EntryValue => Location::OptimizedOut,
            Failure::Register(number) => {
                let name = self.arch().dwarf_register(*number).map_or_else(|| number.to_string(), str::to_owned);
                Location::Unavailable(format!("register {name} is not preserved in this frame"))
            }
            other => Location::Unavailable(other.to_string()),
        }
    }

    /// Evaluates an expression of a DIE for the bits that it leaves in a register, which may be of a floating-point
    /// number.
    pub(in crate::dwarf) fn bits<'a>(
        &self,
        debug: &Debug<'a>,
        owner: DieId,
        expression: Expression<Slice<'a>>,
        frame: &mut dyn FrameContext,
    ) -> Result<u64, Failure> {
        let (entry, unit, _) = debug.die(owner).ok_or(Failure::Referent("the DIE of the expression is unreadable"))?;
        let referents = InUnit { debug, unit, entry, pc: frame.pc() };
        evaluate::run_for_bits(expression, unit.encoding(), &referents, frame)
    }

    /// Evaluates an expression of a DIE for the number it computes.
    pub(in crate::dwarf) fn number<'a>(
        &self,
        debug: &Debug<'a>,
        owner: DieId,
        expression: Expression<Slice<'a>>,
        frame: &mut dyn FrameContext,
    ) -> Result<u64, Failure> {
        let (entry, unit, _) = debug.die(owner).ok_or(Failure::Referent("the DIE of the expression is unreadable"))?;
        let referents = InUnit { debug, unit, entry, pc: frame.pc() };
        evaluate::run_for_number(expression, unit.encoding(), &referents, frame, None)
    }
}

/// The expression of an attribute of class exprloc or loclist that is valid at an address. An object without one is
/// optimized out there.
fn expression_at<'a>(
    debug: &Debug<'a>,
    unit: UnitRef<'_, 'a>,
    value: AttributeValue<Slice<'a>>,
    pc: LinkAddr,
) -> Result<Option<Expression<Slice<'a>>>, Failure> {
    if let Some(expression) = value.exprloc_value() {
        return Ok(Some(expression));
    }
    let Some(mut list) = debug.with_locations(unit).attr_locations(value)? else {
        return Err(Failure::Referent("the location is of an unknown class"));
    };
    // Each turn consumes an entry of the section.
    while let Some(entry) = list.next()? {
        if entry.range.begin <= pc.0 && pc.0 < entry.range.end {
            return Ok(Some(entry.data));
        }
    }
    Ok(None)
}

/// DW_AT_const_value: an object that has this value and no location.
fn constant_bytes(constant: &Inherited<'_, '_>, size: Option<u64>) -> Location {
    let integer = |value: i128| {
        let bytes = value.to_le_bytes();
        let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(8);
        match bytes.get(..size) {
            Some(bytes) if size <= MAX_INTEGER_CONSTANT => Location::Bytes(bytes.to_vec()),
            _ => Location::Unavailable(format!("a constant for an object of {size} bytes")),
        }
    };
    match constant.value {
        AttributeValue::Data1(v) => integer(i128::from(v)),
        AttributeValue::Data2(v) => integer(i128::from(v)),
        AttributeValue::Data4(v) => integer(i128::from(v)),
        AttributeValue::Data8(v) | AttributeValue::Udata(v) => integer(i128::from(v)),
        AttributeValue::Sdata(v) => integer(i128::from(v)),
        AttributeValue::Data16(v) => integer(v as i128),
        AttributeValue::Block(bytes) => Location::Bytes(bytes.to_vec()),
        other => match constant.unit.attr_string(other) {
            Ok(text) => Location::Bytes(text.iter().copied().chain([0]).collect()),
            Err(_) => Location::Unavailable("a constant of an unknown form".to_owned()),
        },
    }
}

/// What expressions of a unit refer to.
pub(in crate::dwarf) struct InUnit<'d, 'a> {
    pub(in crate::dwarf) debug: &'d Debug<'a>,
    pub(in crate::dwarf) entry: &'d UnitEntry<'a>,
    pub(in crate::dwarf) unit: UnitRef<'d, 'a>,
    /// The pc of the frame.
    pub(in crate::dwarf) pc: LinkAddr,
}

/// The same for a frame base, which cannot be counted from itself.
struct InFrameBase<'r, 'd, 'a>(&'r InUnit<'d, 'a>);

impl<'a> InUnit<'_, 'a> {
    fn located(&self, die: DieId) -> Result<Slice<'a>, Failure> {
        let unreadable = Failure::Referent("the expression calls an unreadable DIE");
        let (_, unit, die) = self.debug.die(die).ok_or(unreadable)?;
        // A DIE without a location contributes nothing (DWARF 5 section 2.5.1.5).
        let nothing = Slice::new(&[], gimli::LittleEndian);
        let Some(value) = die.attr_value(gimli::DW_AT_location) else {
            return Ok(nothing);
        };
        Ok(expression_at(self.debug, unit, value, self.pc)?.map_or(nothing, |expression| expression.0))
    }
}

impl<'a> Referents<'a> for InUnit<'_, 'a> {
    fn frame_base(&self, frame: &mut dyn FrameContext) -> Result<u64, Failure> {
        let (entry, offset) = self.debug.function_die_at(self.pc).ok_or(Failure::FrameBase)?;
        let function = entry.id_of(offset).ok_or(Failure::FrameBase)?;
        let found = inherited(self.debug, function, gimli::DW_AT_frame_base).ok_or(Failure::FrameBase)?;
        let expression = expression_at(self.debug, found.unit, found.value, self.pc)?.ok_or(Failure::FrameBase)?;
        let inside = InUnit { entry: found.entry, unit: found.unit, ..*self };
        let referents = InFrameBase(&inside);
        evaluate::run_for_number(expression, found.unit.encoding(), &referents, frame, None)
    }

    fn base_type(&self, at: UnitOffset) -> Result<ValueType, Failure> {
        let unsupported = Failure::Referent("the expression computes with a type that is not supported");
        let die = self.unit.entry(at)?;
        evaluate::machine_type(&die).ok_or(unsupported)
    }

    fn die_id(&self, at: UnitOffset) -> Option<DieId> {
        self.entry.id_of(at)
    }

    fn indexed_address(&self, index: gimli::DebugAddrIndex) -> Result<u64, Failure> {
        Ok(self.unit.address(index)?)
    }

    fn location_of(&self, die: DieReference) -> Result<Slice<'a>, Failure> {
        let id = match die {
            DieReference::UnitRef(offset) => self.entry.id_of(offset),
            DieReference::DebugInfoRef(offset) => self.entry.file().die_at(offset.0 as u64),
        };
        self.located(id.ok_or(Failure::Referent("the expression calls a DIE outside its unit"))?)
    }
}

impl<'a> Referents<'a> for InFrameBase<'_, '_, 'a> {
    fn frame_base(&self, _frame: &mut dyn FrameContext) -> Result<u64, Failure> {
        Err(Failure::Referent("the frame base is counted from itself"))
    }

    fn base_type(&self, at: UnitOffset) -> Result<ValueType, Failure> {
        self.0.base_type(at)
    }

    fn die_id(&self, at: UnitOffset) -> Option<DieId> {
        self.0.die_id(at)
    }

    fn indexed_address(&self, index: gimli::DebugAddrIndex) -> Result<u64, Failure> {
        self.0.indexed_address(index)
    }

    fn location_of(&self, die: DieReference) -> Result<Slice<'a>, Failure> {
        self.0.location_of(die)
    }
}

#[cfg(test)]
mod tests;
