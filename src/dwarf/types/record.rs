//! Structs, unions and classes (DWARF 5 sections 5.7 and 5.8).

use super::opaque;
use super::reader::{Located, TypeReader, is_flag_set};
use crate::ctype::{Bits, Link, Member, Record, RecordKind, Type};
use gimli::AttributeValue;
use std::sync::Arc;

impl<'d, 'a> TypeReader<'d, 'a> {
    pub(super) fn record(&self, at: Located<'d, 'a, '_>) -> Type {
        let kind = match at.die.tag() {
            gimli::DW_TAG_union_type => RecordKind::Union,
            gimli::DW_TAG_class_type => RecordKind::Class,
            _ => RecordKind::Struct,
        };
        let declaration = is_flag_set(at.die, gimli::DW_AT_declaration);
        let size = if declaration { None } else { Some(self.byte_size(at).unwrap_or(0)) };
        let mut bases = Vec::new();
        let mut members = Vec::new();
        self.for_each_child(at, |child| match child.die.tag() {
            gimli::DW_TAG_inheritance => bases.push(self.base_class(child)),
            gimli::DW_TAG_member => members.extend(self.member(child)),
            gimli::DW_TAG_variant_part => members.push(self.variants(child, size)),
            _ => {}
        });
        bases.append(&mut members);
        let convention = at.die.attr_value(gimli::DW_AT_calling_convention);
        let by_reference =
            matches!(convention, Some(AttributeValue::CallingConvention(gimli::DW_CC_pass_by_reference)));
        Type::Record(Record { kind, name: self.name(at), size, members: bases, by_reference })
    }

    /// A data member; `None` for a static one, which is a variable of its own.
    fn member(&self, at: Located<'d, 'a, '_>) -> Option<Member> {
        if is_flag_set(at.die, gimli::DW_AT_external) || is_flag_set(at.die, gimli::DW_AT_declaration) {
            return None;
        }
        let name = self.debug.name(at.unit, at.die).filter(|name| !name.is_empty()).map(str::to_owned);
        let unusable = |reason: &str| Member {
            name: name.clone(),
            ty: Link::ready(opaque(reason)),
            offset: 0,
            bits: None,
            is_base: false,
        };
        let Some(start) = self.first_bit(at) else {
            return Some(unusable("a member whose place the debug info does not tell"));
        };
        let bits = match at.die.attr_value(gimli::DW_AT_bit_size) {
            None => None,
            Some(value) => match value.udata_value().and_then(|n| u8::try_from(n).ok()) {
                Some(size @ 1..=128) => Some(Bits { offset: (start % 8) as u8, size }),
                _ => return Some(unusable("a bit-field of an impossible width")),
            },
        };
        Some(Member { name, ty: self.link(at), offset: start / 8, bits, is_base: false })
    }

    /// Where a member starts, in bits from the start of the record; `None` if that depends on the object.
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

    /// DW_AT_data_member_location: a constant, or (DWARF 2) an expression that adds one to the record's address.
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

    /// A base class. Where a virtual one is, only the object's virtual table tells.
    fn base_class(&self, at: Located<'d, 'a, '_>) -> Member {
        let name =
            self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|id| self.name_of_definition(id));
        let is_virtual = at
            .die
            .attr_value(gimli::DW_AT_virtuality)
            .is_some_and(|value| matches!(value, AttributeValue::Virtuality(v) if v != gimli::DW_VIRTUALITY_none));
        let offset = if is_virtual { None } else { self.byte_offset(at) };
        match offset {
            Some(offset) => Member { name, ty: self.link(at), offset, bits: None, is_base: true },
            None => {
                let of = name.as_deref().unwrap_or("?");
                let ty = Link::ready(opaque(format!("virtual base class {of}")));
                Member { name, ty, offset: 0, bits: None, is_base: true }
            }
        }
    }

    /// The variants of a Rust enum: an unnamed union of the discriminant and what each variant holds. Which of them
    /// is there is for the reader of the discriminant to say.
    fn variants(&self, at: Located<'d, 'a, '_>, size: Option<u64>) -> Member {
        let mut members = Vec::new();
        self.for_each_child(at, |child| match child.die.tag() {
            gimli::DW_TAG_member => {
                members
                    .extend(self.member(child).map(|m| Member { name: m.name.or(Some("discriminant".into())), ..m }));
            }
            gimli::DW_TAG_variant => self.for_each_child(child, |inner| {
                if inner.die.tag() == gimli::DW_TAG_member {
                    members.extend(self.member(inner));
                }
            }),
            _ => {}
        });
        let union = Record { kind: RecordKind::Union, name: None, size, members, by_reference: false };
        Member { name: None, ty: Link::ready(Arc::new(Type::Record(union))), offset: 0, bits: None, is_base: false }
    }
}
