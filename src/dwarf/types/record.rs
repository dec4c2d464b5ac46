//! Structs, unions and classes (DWARF 5 sections 5.7 and 5.8).

use super::by_code::dies_around;
use super::reader::{Located, TypeReader, alignment, enumerator_value, opaque};
use crate::sections::slice::Slice;
use crate::units::attributes::{is_flag_set, is_lasting_value};
use crate::units::language::unit_language;
use ctype::{
    Argument, Bits, FieldWidth, Link, Member, PartsLink, Passing, Record, RecordKind, StaticMember, Type, Variant,
    Variants, VirtualBase,
};
use gimli::{AttributeValue, Operation, Reader};
use std::ops::RangeInclusive;
use std::sync::Arc;

impl<'d, 'a> TypeReader<'d, 'a> {
    pub(crate) fn record(&self, at: Located<'d, 'a, '_>) -> Type {
        let kind = match at.die.tag() {
            gimli::DW_TAG_union_type => RecordKind::Union,
            gimli::DW_TAG_class_type => RecordKind::Class,
            _ => RecordKind::Struct,
        };
        let declaration = is_flag_set(at.die, gimli::DW_AT_declaration);
        let size = match at.die.attr_value(gimli::DW_AT_byte_size) {
            _ if declaration => None,
            // What an object of Ada holds may decide how large it is: an expression, or a variable.
            Some(size) => size.udata_value(),
            None => Some(0),
        };
        let mut record = Record { kind, size, name: self.name(at), ..Record::default() };
        // Base classes come first, wherever they are described.
        self.for_each_child(at, |child| {
            if child.die.tag() == gimli::DW_TAG_inheritance {
                self.base_class(child, &mut record);
            }
        });
        let is_big_endian = self.is_big_endian_record(at);
        self.for_each_child(at, |child| match child.die.tag() {
            gimli::DW_TAG_member | gimli::DW_TAG_variable => match self.static_member(child, record.members.len()) {
                Some(member) => record.statics.push(member),
                None => {
                    let member = self.member(child);
                    record.members.extend(if is_big_endian {
                        member.map(|member| self.in_big_endian_record(child, member))
                    } else {
                        member
                    });
                }
            },
            gimli::DW_TAG_imported_declaration => record.usings.extend(self.using(child)),
            gimli::DW_TAG_variant_part => record.variants = Some(self.variants(child)),
            _ => record.arguments.extend(self.arguments(child)),
        });
        let convention = at.die.attr_value(gimli::DW_AT_calling_convention);
        let is_c = unit_language(self.debug, at.entry) == Some("c");
        if is_c && !declaration && !record.members.is_empty() && self.byte_size(at).is_none() {
            (record.size, record.dynamic) = (None, Some(at.id.0));
        }
        record.passing = match convention {
            Some(AttributeValue::CallingConvention(gimli::DW_CC_pass_by_reference)) => Some(Passing::Address),
            Some(AttributeValue::CallingConvention(gimli::DW_CC_pass_by_value)) => Some(Passing::Value),
            _ => None,
        };
        if unit_language(self.debug, at.entry) == Some("c++") {
            record.parts = Some(PartsLink::new(self.loader.clone(), at.id.0));
        }
        record.alignment = alignment(at.die);
        Type::Record(record)
    }

    /// Reads a using-declaration: the name of a member, and the base class that has it.
    fn using(&self, at: Located<'d, 'a, '_>) -> Option<(String, Link)> {
        let member = self.debug.referenced(at.entry, at.die, gimli::DW_AT_import)?;
        let (_, unit, die) = self.debug.die(member).filter(|(_, _, die)| die.tag() == gimli::DW_TAG_member)?;
        let class = *dies_around(self.debug, member)?.first()?;
        Some((self.debug.name(unit, &die)?.to_owned(), Link::lazy(self.loader.clone(), class.0)))
    }

    /// Reads a static data member: DW_TAG_variable, or DW_TAG_member before DWARF 5.
    fn static_member(&self, at: Located<'d, 'a, '_>, before: usize) -> Option<StaticMember> {
        if !self.is_static_member(at) {
            return None;
        }
        let name = self.debug.name(at.unit, at.die)?.to_owned();
        let constant = match at.die.attr_value(gimli::DW_AT_const_value) {
            Some(AttributeValue::Block(bytes)) => Some(bytes.slice().to_vec()),
            Some(_) => enumerator_value(at.die, None).map(|value| value.to_le_bytes().to_vec()),
            None => None,
        };
        let constant = constant.filter(|_| is_lasting_value(self.debug, at.id));
        Some(StaticMember { name, ty: self.link(at), constant, before, declared: at.id.0 })
    }

    /// Returns whether a DW_TAG_member or DW_TAG_variable is a static member, which has a name.
    pub(crate) fn is_static_member(&self, at: Located<'d, 'a, '_>) -> bool {
        let is_static = at.die.tag() == gimli::DW_TAG_variable
            || is_flag_set(at.die, gimli::DW_AT_external)
            || is_flag_set(at.die, gimli::DW_AT_declaration);
        is_static && self.debug.name(at.unit, at.die).is_some()
    }

    /// Returns whether a DW_TAG_inheritance is of a virtual base whose place the virtual table tells.
    pub(crate) fn is_virtual_base(&self, at: Located<'d, 'a, '_>) -> bool {
        is_virtual(at) && vtable_entry(at).is_some()
    }

    /// Reads what a child says of the arguments of a template; a pack has several.
    fn arguments(&self, at: Located<'d, 'a, '_>) -> Vec<Argument> {
        match at.die.tag() {
            gimli::DW_TAG_template_type_parameter => vec![Argument::Type(self.link(at))],
            gimli::DW_TAG_template_value_parameter => {
                vec![Argument::Value { ty: self.link(at), value: enumerator_value(at.die, None) }]
            }
            gimli::DW_TAG_GNU_template_template_param => vec![Argument::Type(Link::ready(opaque("a template")))],
            gimli::DW_TAG_GNU_template_parameter_pack => {
                let mut pack = Vec::new();
                // A pack holds plain parameters only.
                self.for_each_child(at, |child| match child.die.tag() {
                    gimli::DW_TAG_GNU_template_parameter_pack => {}
                    _ => pack.extend(self.arguments(child)),
                });
                pack
            }
            _ => Vec::new(),
        }
    }

    /// Reads a data member; `None` for what is none.
    fn member(&self, at: Located<'d, 'a, '_>) -> Option<Member> {
        if at.die.tag() != gimli::DW_TAG_member {
            return None;
        }
        let name = self.debug.name(at.unit, at.die).filter(|name| !name.is_empty()).map(str::to_owned);
        let unusable = |reason: &str| Member {
            name: name.clone(),
            ty: Link::ready(opaque(reason)),
            offset: 0,
            bits: None,
            is_base: false,
            alignment: None,
        };
        let Some(start) = self.first_bit(at) else {
            return Some(unusable("a member whose place the debug info does not tell"));
        };
        let bits = match at.die.attr_value(gimli::DW_AT_bit_size) {
            None => None,
            Some(value) => match value.udata_value().and_then(|n| u8::try_from(n).ok()) {
                Some(size @ 1..=128) => {
                    Some(Bits { computes: self.field_width(at, size), ..Bits::new((start % 8) as u8, size) })
                }
                _ => return Some(unusable("a bit-field of an impossible width")),
            },
        };
        let ty = if bits.is_some() { self.part_link(at) } else { self.link(at) };
        Some(Member { name, ty, offset: start / 8, bits, is_base: false, alignment: alignment(at.die) })
    }

    /// Returns in which width a bit-field computes: in C the standard leaves that to the compiler if it is wider than an
    /// `int` (C17 6.7.2.1), and GCC makes a type of each width.
    fn field_width(&self, at: Located<'d, 'a, '_>, size: u8) -> FieldWidth {
        let language = if size > 32 { unit_language(self.debug, at.entry) } else { None };
        match language {
            Some("c") if at.entry.is_gcc(self.debug) => FieldWidth::Own,
            Some("c++") if at.entry.is_gcc(self.debug) => FieldWidth::OwnAfterSigns,
            _ => FieldWidth::Declared,
        }
    }

    /// Reads where a member starts, in bits from the start of the record; `None` if that depends on the object.
    fn first_bit(&self, at: Located<'d, 'a, '_>) -> Option<u64> {
        if let Some(bit) = at.die.attr_value(gimli::DW_AT_data_bit_offset) {
            return bit.udata_value();
        }
        let byte = self.byte_offset(at)?;
        let start = byte.checked_mul(8)?;
        let Some(from_top) = at.die.attr_value(gimli::DW_AT_bit_offset) else {
            return Some(start);
        };
        // DWARF 3 and older (section 5.6.6 of version 3): counted from the most significant bit of a storage unit
        // of the declared type, which may lie partly before the record.
        let from_top = match from_top {
            AttributeValue::Sdata(v) => i128::from(v),
            // Clang writes a negative one, of a packed struct, as a large unsigned one.
            other => i128::from(other.udata_value()? as i64),
        };
        let width = i128::from(at.die.attr_value(gimli::DW_AT_bit_size)?.udata_value()?);
        let storage = self
            .byte_size(at)
            .or_else(|| self.size_of_die(self.debug.referenced(at.entry, at.die, gimli::DW_AT_type)?))?;
        u64::try_from(i128::from(start) + i128::from(storage) * 8 - from_top - width).ok()
    }

    /// Reads DW_AT_data_member_location: a constant, or (DWARF 2) an expression that adds one to the record's address.
    fn byte_offset(&self, at: Located<'d, 'a, '_>) -> Option<u64> {
        match at.die.attr_value(gimli::DW_AT_data_member_location) {
            None => Some(0),
            Some(AttributeValue::Exprloc(expression)) => {
                let mut evaluation = expression.evaluation(at.unit.encoding());
                evaluation.set_max_iterations(16);
                evaluation.set_initial_value(0);
                match evaluation.evaluate() {
                    Ok(gimli::EvaluationResult::Complete) => evaluation.value_result()?.to_u64(u64::MAX).ok(),
                    _ => None,
                }
            }
            Some(value) => value.udata_value(),
        }
    }

    /// Adds a base class. Where a virtual one is, only the object's virtual table tells.
    fn base_class(&self, at: Located<'d, 'a, '_>, record: &mut Record) {
        let name =
            self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.name_of_definition(id));
        let is_virtual = is_virtual(at);
        if is_virtual && let Some(entry) = vtable_entry(at) {
            let base = VirtualBase { ty: self.link(at), entry, before: record.members.len() };
            return record.virtual_bases.push(base);
        }
        let offset = if is_virtual { None } else { self.byte_offset(at) };
        record.members.push(match offset {
            Some(offset) => Member { name, ty: self.link(at), offset, bits: None, is_base: true, alignment: None },
            None => {
                let of = name.as_deref().unwrap_or("?");
                let ty = Link::ready(opaque(format!("virtual base class {of}")));
                Member { name, ty, offset: 0, bits: None, is_base: true, alignment: None }
            }
        });
    }

    /// Reads the variants of a Rust enum or an Ada record (DWARF 5 section 5.7.10).
    fn variants(&self, at: Located<'d, 'a, '_>) -> Variants {
        let described = self
            .debug
            .referenced(at.entry, at.die, gimli::DW_AT_discr)
            .and_then(|id| self.debug.die(id).map(|found| (id, found)));
        let (mut discriminant, mut size, mut is_signed) = (None, None, false);
        if let Some((id, (entry, unit, die))) = described {
            discriminant = self.member(Located { id, entry, unit, die: &die });
            let ty = self.debug.referenced(entry, &die, gimli::DW_AT_type);
            size = ty.and_then(|ty| self.size_of_die(ty));
            is_signed = ty.is_some_and(|ty| self.is_signed_die(ty));
        }
        let mut list = Vec::new();
        self.for_each_child(at, |child| {
            if child.die.tag() == gimli::DW_TAG_variant {
                let values: Arc<[_]> = Arc::from(discriminants(child, size.unwrap_or(16), is_signed));
                self.for_each_child(child, |inner| {
                    let member = match inner.die.tag() {
                        gimli::DW_TAG_variant_part => Some(Member {
                            name: None,
                            ty: Link::ready(opaque("variants inside of a variant")),
                            offset: 0,
                            bits: None,
                            is_base: false,
                            alignment: None,
                        }),
                        _ => self.member(inner),
                    };
                    list.extend(member.map(|member| Variant { values: values.clone(), member }));
                });
            }
        });
        Variants { discriminant: discriminant.map(Box::new), list }
    }
}

/// Reads the values of the discriminant that DW_AT_discr_value or DW_AT_discr_list of a variant states, as the bits of
/// a discriminant of `size` bytes.
fn discriminants(at: Located<'_, '_, '_>, size: u64, is_signed: bool) -> Vec<RangeInclusive<u128>> {
    let mask = if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 };
    let bits = |value: i128| value as u128 & mask;
    if let Some(AttributeValue::Block(list)) = at.die.attr_value(gimli::DW_AT_discr_list) {
        return discriminant_list(list.slice(), mask, is_signed);
    }
    let value = at.die.attr_value(gimli::DW_AT_discr_value).and_then(|value| discriminant(&value, is_signed));
    value.map_or_else(Vec::new, |value| vec![bits(value)..=bits(value)])
}

/// Reads DW_AT_discr_value. LLVM keeps it in as few bytes as it takes: if the discriminant has a sign, the highest bit
/// of these is the sign.
fn discriminant(value: &AttributeValue<Slice<'_>>, is_signed: bool) -> Option<i128> {
    let extended = |value: u64, bits: u32| match is_signed {
        true => i128::from((value << (64 - bits)).cast_signed() >> (64 - bits)),
        false => i128::from(value),
    };
    match *value {
        AttributeValue::Data1(v) => Some(extended(v.into(), 8)),
        AttributeValue::Data2(v) => Some(extended(v.into(), 16)),
        AttributeValue::Data4(v) => Some(extended(v.into(), 32)),
        AttributeValue::Data8(v) => Some(extended(v, 64)),
        AttributeValue::Udata(v) => Some(i128::from(v)),
        AttributeValue::Sdata(v) => Some(i128::from(v)),
        AttributeValue::Data16(v) => Some(v as i128),
        AttributeValue::Block(bytes) => {
            let mut wide = [0; 16];
            wide.get_mut(..bytes.len())?.copy_from_slice(&bytes);
            Some(i128::from_le_bytes(wide))
        }
        _ => None,
    }
}

/// Reads DW_AT_discr_list: DW_DSC_label and a value, or DW_DSC_range and two (DWARF 5 section 7.11), which have a sign
/// if the discriminant has one (section 5.7.10).
fn discriminant_list(list: &[u8], mask: u128, is_signed: bool) -> Vec<RangeInclusive<u128>> {
    let mut input = gimli::EndianSlice::new(list, gimli::LittleEndian);
    let mut ranges = Vec::new();
    while let Ok(kind) = input.read_u8() {
        let mut value = || match is_signed {
            true => input.read_sleb128().ok().map(i128::from),
            false => input.read_uleb128().ok().map(i128::from),
        };
        let Some(low) = value() else { break };
        let high = if gimli::DwDsc(kind) == gimli::DW_DSC_range { value() } else { Some(low) };
        let Some(high) = high else { break };
        let bits = |value: i128| value as u128 & mask;
        match low < 0 && high >= 0 {
            // As bits, those below zero come last.
            true => ranges.extend([bits(low)..=mask, 0..=bits(high)]),
            false => ranges.push(bits(low)..=bits(high)),
        }
    }
    ranges
}

fn is_virtual(at: Located<'_, '_, '_>) -> bool {
    let virtuality = at.die.attr_value(gimli::DW_AT_virtuality);
    virtuality.is_some_and(|v| matches!(v, AttributeValue::Virtuality(v) if v != gimli::DW_VIRTUALITY_none))
}

/// Reads how many bytes before the address point of the virtual table the offset of a virtual base class is. Compilers
/// say so in an expression of a fixed form: the object's address, twice; what is there; less so much; what is there;
/// added.
fn vtable_entry(at: Located<'_, '_, '_>) -> Option<u64> {
    let Some(AttributeValue::Exprloc(expression)) = at.die.attr_value(gimli::DW_AT_data_member_location) else {
        return None;
    };
    let mut operations = expression.operations(at.unit.encoding());
    let mut next = || operations.next().ok().flatten();
    let is_deref = |op: &Operation<_>| matches!(op, Operation::Deref { .. });
    let is_dup = matches!(next()?, Operation::Pick { index: 0 });
    let loads_table = is_deref(&next()?);
    let distance = match next()? {
        Operation::UnsignedConstant { value } => value,
        Operation::SignedConstant { value } => u64::try_from(value).ok()?,
        _ => return None,
    };
    let goes_back = matches!(next()?, Operation::Minus);
    let loads_entry = is_deref(&next()?);
    let adds = matches!(next()?, Operation::Plus);
    (is_dup && loads_table && goes_back && loads_entry && adds).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bytes_of_a_discriminant_are_extended_as_it_has_a_sign() {
        for (value, signed, unsigned) in [
            (AttributeValue::Data1(0xfe), -2, 0xfe),
            (AttributeValue::Data2(0xff38), -200, 0xff38),
            (AttributeValue::Data2(0xfe), 0xfe, 0xfe),
            (AttributeValue::Data4(0xffff_63c0), -40_000, 0xffff_63c0),
            (AttributeValue::Data8(u64::MAX), -1, i128::from(u64::MAX)),
            (AttributeValue::Udata(0xfe), 0xfe, 0xfe),
            (AttributeValue::Sdata(-2), -2, -2),
        ] {
            assert_eq!(discriminant(&value, true), Some(signed), "{value:?}");
            assert_eq!(discriminant(&value, false), Some(unsigned), "{value:?}");
        }
    }

    #[test]
    fn values_of_discriminants_have_a_sign_if_the_discriminant_has_one() {
        let mask = u128::from(u32::MAX);
        // -10 .. -1, 5, -1 .. 3.
        let list = [1, 0x76, 0x7f, 0, 5, 1, 0x7f, 3];
        let signed = vec![mask - 9..=mask, 5..=5, mask..=mask, 0..=3];
        assert_eq!(discriminant_list(&list, mask, true), signed);
        assert_eq!(discriminant_list(&[1, 0x76, 0x7f, 0, 5], mask, false), vec![0x76..=0x7f, 5..=5]);
        assert_eq!(discriminant_list(&[1, 0x76], mask, true), Vec::new());
    }
}
