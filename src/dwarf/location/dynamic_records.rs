//! Records of GNU C with a member of variable length, `struct { int count; char text[n]; long end; }`: where the members
//! behind it are, and how large an object is, only the frame tells.

use super::array_bounds::{MAX_SEARCH, Search};
use super::die_references::expression_at;
use crate::model::die::DieId;
use crate::model::frame::FrameContext;
use crate::sections::slice::Slice;
use crate::types::array::{Limit, limit};
use crate::types::by_die::Types;
use crate::types::reader::opaque;
use crate::units::attributes::for_each_child;
use ctype::layout::{align_of, size_of};
use ctype::{Link, Member, Record, Type};
use gimli::AttributeValue;

/// Members of a record that are read.
const MAX_MEMBERS: usize = 1_000;

impl<'a> Types<'a> {
    /// Makes a record what it is in a frame; `None` if it is the same everywhere. A member that the frame does not place
    /// says so, and so does a record whose size is not to be had.
    pub(super) fn concrete_record(&self, record: &Record, frame: &mut dyn FrameContext) -> Option<Type> {
        let id = DieId(record.dynamic?);
        let mut described = Vec::new();
        for_each_child(self, id, |_, id, die| {
            if die.tag() == gimli::DW_TAG_member && described.len() < MAX_MEMBERS {
                described.push(id);
            }
        });
        if described.len() != record.members.len() {
            return None;
        }
        let members = record.members.iter().zip(described);
        let members: Vec<Member> = members.map(|(member, id)| self.placed(member, id, frame)).collect();
        let stated = self.die(id).and_then(|(entry, _, die)| match limit(self, entry, &die, gimli::DW_AT_byte_size)? {
            Limit::Constant(size) => u64::try_from(size).ok(),
            Limit::Dynamic(bound) => u64::try_from(self.bound_value(id, bound, frame)?).ok(),
        });
        let placed = Record { members, dynamic: None, ..record.clone() };
        let size = stated.or_else(|| size_by_members(&placed));
        Some(Type::Record(Record { size, ..placed }))
    }

    /// Finds the place of a member that `id` describes, and makes its type what it is in the frame.
    fn placed(&self, member: &Member, id: DieId, frame: &mut dyn FrameContext) -> Member {
        let search = Search { depth: MAX_SEARCH, records: false };
        let location = self.die(id).and_then(|(_, unit, die)| {
            let location = die.attr_value(gimli::DW_AT_data_member_location).filter(is_computed)?;
            (!die.has_attr(gimli::DW_AT_bit_size)).then_some((unit, location))
        });
        let Some((unit, location)) = location else {
            let ty = self.concrete(&member.ty.get(), frame, search).map_or_else(|| member.ty.clone(), Link::ready);
            return Member { ty, ..member.clone() };
        };
        let expression = expression_at(self, unit, location, frame.pc()).ok().flatten();
        // It adds to the address of the record (DWARF 5 section 5.7.6).
        let offset = expression.and_then(|expression| self.computed(id, expression, frame, Some(0)));
        let ty = self.die(id).and_then(|(entry, _, die)| self.referenced(entry, &die, gimli::DW_AT_type));
        match (offset, ty.map(|ty| self.type_at(ty))) {
            (Some(offset), Some(ty)) => {
                let ty = self.concrete(&ty, frame, search).unwrap_or(ty);
                Member { ty: ty.into(), offset, ..member.clone() }
            }
            _ => {
                let ty = opaque("unavailable: its place cannot be computed in this frame");
                Member { ty: ty.into(), ..member.clone() }
            }
        }
    }
}

fn is_computed(location: &AttributeValue<Slice<'_>>) -> bool {
    matches!(
        location,
        AttributeValue::Exprloc(_)
            | AttributeValue::LocationListsRef(_)
            | AttributeValue::DebugLocListsIndex(_)
            | AttributeValue::SecOffset(_)
    )
}

/// Returns the size of a record by its members, for which GCC has no attribute. What follows the last one, up to a
/// multiple of the alignment, depends on whether the record is packed: `None` if the members do not tell.
fn size_by_members(record: &Record) -> Option<u64> {
    let (mut end, mut align, mut is_padded) = (0u64, 1u64, false);
    for member in &record.members {
        let size = match member.bits {
            Some(bits) => bits.bytes(),
            None => size_of(&member.ty.get())?,
        };
        let own = align_of(&member.ty.get())?.max(1);
        // A packed record has nothing between its members.
        is_padded |= member.bits.is_none() && member.offset > end && member.offset.is_multiple_of(own);
        align = align.max(own);
        end = end.max(member.offset.checked_add(size)?);
    }
    match record.alignment {
        Some(stated) => end.checked_next_multiple_of(stated.max(1)),
        None if end.is_multiple_of(align) => Some(end),
        None if is_padded => end.checked_next_multiple_of(align),
        None => None,
    }
}
