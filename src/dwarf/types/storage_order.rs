//! Records whose numbers are stored with the most significant byte first (GNU C's `scalar_storage_order`).
//!
//! DWARF says so of base types only, but the attribute is the record's: its bit-fields are counted from the other end,
//! and its enumerations are reversed, too. Pointers are not, and records inside have their own order.

use super::reader::{Located, TypeReader, is_big_endian};
use crate::sections::slice::Die;
use ctype::layout::{qualified, strip};
use ctype::{Bits, Link, Member, Qualifier, Type, TypeRef};
use std::sync::Arc;

/// Typedefs, qualifiers and dimensions that are looked through.
const MAX_CHAIN: usize = 16;
/// Members that are looked at until one of them tells the order.
const MAX_MEMBERS: usize = 64;

impl<'d, 'a> TypeReader<'d, 'a> {
    /// Returns whether a record has a number that is stored in big-endian order: then it has only such.
    pub(super) fn is_big_endian_record(&self, at: Located<'d, 'a, '_>) -> bool {
        let (mut order, mut looked_at) = (None, 0);
        self.for_each_child(at, |child| {
            if order.is_none() && looked_at < MAX_MEMBERS && child.die.tag() == gimli::DW_TAG_member {
                looked_at += 1;
                order = self.order_of(child);
            }
        });
        order == Some(true)
    }

    /// Returns a link to what a pointer points to. Of a pointer in a big-endian record GCC says that it points to a number
    /// in that order; but the language has no pointers to such.
    pub(super) fn pointed(&self, at: Located<'d, 'a, '_>) -> Link {
        let mut qualifiers = Vec::new();
        let mut next = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type);
        for _ in 0..MAX_CHAIN {
            let Some((id, (entry, unit, die))) = next.and_then(|id| Some((id, self.debug.die(id)?))) else { break };
            match die.tag() {
                gimli::DW_TAG_const_type => qualifiers.push(Qualifier::Const),
                gimli::DW_TAG_volatile_type => qualifiers.push(Qualifier::Volatile),
                gimli::DW_TAG_base_type if is_big_endian(&die) => {
                    let plain = strip(&Arc::new(self.base(Located { id, entry, unit, die: &die })));
                    return Link::ready(qualifiers.into_iter().rev().fold(plain, |ty, of| qualified(of, ty)));
                }
                _ => break,
            }
            next = self.debug.referenced(entry, &die, gimli::DW_AT_type);
        }
        self.link(at)
    }

    /// Returns whether the number that a member is, or its elements are, is big-endian; `None` for what is no number.
    fn order_of(&self, member: Located<'d, 'a, '_>) -> Option<bool> {
        self.element(member).filter(|die| die.tag() == gimli::DW_TAG_base_type).map(|die| is_big_endian(&die))
    }

    /// Returns a data member of a big-endian record as it is stored there.
    pub(super) fn in_big_endian_record(&self, at: Located<'d, 'a, '_>, member: Member) -> Member {
        let bits = member.bits.map(|bits| Bits { from_top: true, ..bits });
        // Other types are not made here: one of them may be the record itself.
        let is_enumeration = self.element(at).is_some_and(|die| die.tag() == gimli::DW_TAG_enumeration_type);
        let ty = is_enumeration.then(|| reversed(&member.ty.get())).flatten();
        Member { bits, ty: ty.map_or(member.ty, Link::ready), ..member }
    }

    /// Finds what stands behind the typedefs, qualifiers and dimensions of a member's type.
    fn element(&self, member: Located<'d, 'a, '_>) -> Option<Die<'a>> {
        let mut next = self.debug.referenced(member.entry, member.die, gimli::DW_AT_type);
        for _ in 0..MAX_CHAIN {
            let (entry, _, die) = self.debug.die(next?)?;
            match die.tag() {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_atomic_type
                | gimli::DW_TAG_array_type => next = self.debug.referenced(entry, &die, gimli::DW_AT_type),
                _ => return Some(die),
            }
        }
        None
    }
}

/// Returns the type of an enumeration, or an array of them, that is stored in big-endian order; `None` for all else.
fn reversed(ty: &TypeRef) -> Option<TypeRef> {
    let mut dimensions = Vec::new();
    let mut element = ty.clone();
    for _ in 0..MAX_CHAIN {
        match &*strip(&element) {
            Type::Array { element: inner, count, indexing } => {
                dimensions.push((*count, *indexing));
                let inner = inner.get();
                element = inner;
            }
            Type::Enumeration(_) => {
                let target = Link::ready(element.clone());
                let big = Arc::new(Type::Qualified { qualifier: Qualifier::BigEndian, target });
                let around = |element: TypeRef, (count, indexing)| {
                    Arc::new(Type::Array { element: Link::ready(element), count, indexing })
                };
                return Some(dimensions.into_iter().rev().fold(big, around));
            }
            _ => return None,
        }
    }
    None
}
