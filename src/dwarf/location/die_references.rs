//! What expressions refer to in the debug info around them.

use crate::expressions::evaluate::{Failure, Referents};
use crate::expressions::{evaluate, run};
use crate::model::die::DieId;
use crate::model::frame::FrameContext;
use crate::sections::slice::{Slice, UnitRef};
use crate::units::attributes::inherited;
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use arch::{Arch, LinkAddr};
use ctype::arith::Arithmetic;
use gimli::{AttributeValue, DieReference, Expression, LocListIter, RawLocListEntry, UnitOffset, ValueType};

/// Names and qualifiers of a type that are followed to what it is.
const MAX_ALIASES: usize = 16;

impl<'a> Units<'a> {
    /// Evaluates an expression of a DIE for the bits that it leaves in a register, which may be of a floating-point
    /// number.
    pub(crate) fn bits(
        &self,
        owner: DieId,
        expression: Expression<Slice<'a>>,
        frame: &mut dyn FrameContext,
    ) -> Result<u64, Failure> {
        let (entry, unit, _) = self.die(owner).ok_or(Failure::Referent("the DIE of the expression is unreadable"))?;
        let referents = InUnit { debug: self, unit, entry, pc: frame.pc(), is_frame_base: false };
        run::run_for_bits(expression, unit.encoding(), &referents, frame)
    }

    /// Evaluates an expression of a DIE for the number it computes.
    pub(crate) fn number(
        &self,
        owner: DieId,
        expression: Expression<Slice<'a>>,
        frame: &mut dyn FrameContext,
    ) -> Result<u64, Failure> {
        let (entry, unit, _) = self.die(owner).ok_or(Failure::Referent("the DIE of the expression is unreadable"))?;
        let referents = InUnit { debug: self, unit, entry, pc: frame.pc(), is_frame_base: false };
        run::run_for_number(expression, unit.encoding(), &referents, frame, None)
    }
}

/// What expressions of a unit refer to.
pub(crate) struct InUnit<'d, 'a> {
    pub(crate) debug: &'d Units<'a>,
    pub(crate) entry: &'d UnitEntry<'a>,
    pub(crate) unit: UnitRef<'d, 'a>,
    /// The pc of the frame.
    pub(crate) pc: LinkAddr,
    /// They are of a frame base, which cannot be counted from itself.
    pub(crate) is_frame_base: bool,
}

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
        if self.is_frame_base {
            return Err(Failure::Referent("the frame base is counted from itself"));
        }
        self.base_of_frame(frame)
    }

    fn base_type(&self, at: UnitOffset) -> Result<ValueType, Failure> {
        let unsupported = Failure::Referent(evaluate::UNSUPPORTED_TYPE);
        let die = self.unit.entry(at)?;
        evaluate::machine_type(&die).ok_or(unsupported)
    }

    fn number_type(&self, at: UnitOffset) -> Option<Arithmetic> {
        let die = self.unit.entry(at).ok()?;
        evaluate::number_type(&die, self.debug.name(self.unit, &die).unwrap_or_default(), self.arch())
    }

    fn float_of(&self, parameter: UnitOffset) -> Option<UnitOffset> {
        let found = inherited(self.debug, self.entry.id_of(parameter)?, gimli::DW_AT_type)?;
        let is_here = found.entry.header().offset() == self.entry.header().offset();
        let mut value = Some(found.value).filter(|_| is_here);
        for _ in 0..MAX_ALIASES {
            let Some(AttributeValue::UnitRef(at)) = value else { return None };
            let die = self.unit.entry(at).ok()?;
            match die.tag() {
                gimli::DW_TAG_typedef | gimli::DW_TAG_const_type | gimli::DW_TAG_volatile_type => {
                    value = die.attr_value(gimli::DW_AT_type);
                }
                _ => {
                    let machine_type = evaluate::machine_type(&die);
                    return matches!(machine_type, Some(ValueType::F32 | ValueType::F64)).then_some(at);
                }
            }
        }
        None
    }

    fn arch(&self) -> Arch {
        self.debug.sections.debug().arch
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

/// Returns the expression of an attribute of class exprloc or loclist that is valid at an address. An object without
/// one is optimized out there.
pub(super) fn expression_at<'a>(
    debug: &Units<'a>,
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
    let mut is_entry = None;
    // Each turn consumes an entry of the section.
    while let Some(raw) = list.next_raw()? {
        if let Some((start, expression)) = entry_record(&mut list, &raw)? {
            if start == pc.0 && *is_entry.get_or_insert_with(|| is_entry_of_function(debug, pc)) {
                return Ok(Some(expression));
            }
        } else if let Some(entry) = list.convert_raw(raw)?
            && entry.range.begin <= pc.0
            && pc.0 < entry.range.end
        {
            return Ok(Some(entry.data));
        }
    }
    Ok(None)
}

/// Returns the address and the expression of an entry whose range is empty. GCC writes one for where a parameter is when
/// the function is called, if the first instruction already belongs to a statement that changes the parameter: the entry
/// pc has several views then. GDB reads these entries in the same way.
fn entry_record<'a>(
    list: &mut LocListIter<Slice<'a>>,
    raw: &RawLocListEntry<Slice<'a>>,
) -> Result<Option<(u64, Expression<Slice<'a>>)>, Failure> {
    use RawLocListEntry::{AddressOrOffsetPair, OffsetPair, StartEnd, StartLength, StartxEndx, StartxLength};
    // A range of one byte is not passed over.
    let longer = match *raw {
        AddressOrOffsetPair { begin, end, data } if begin == end => {
            AddressOrOffsetPair { begin, end: end.saturating_add(1), data }
        }
        OffsetPair { begin, end, data } if begin == end => OffsetPair { begin, end: end.saturating_add(1), data },
        StartEnd { begin, end, data } if begin == end => StartEnd { begin, end: end.saturating_add(1), data },
        StartLength { begin, length: 0, data } => StartLength { begin, length: 1, data },
        StartxLength { begin, length: 0, data } => StartxLength { begin, length: 1, data },
        StartxEndx { begin, end, data } if begin == end => StartxLength { begin, length: 1, data },
        _ => return Ok(None),
    };
    Ok(list.convert_raw(longer)?.map(|entry| (entry.range.begin, entry.data)))
}

/// Returns whether a function begins at an address.
fn is_entry_of_function(debug: &Units<'_>, pc: LinkAddr) -> bool {
    let function = debug.function_die_at(pc).and_then(|(entry, offset)| entry.id_of(offset));
    function.is_some_and(|function| debug.code_of(function).first().is_some_and(|(start, _)| *start == pc))
}
