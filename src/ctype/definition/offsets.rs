//! Where members are and how large they are, as GDB's `ptype/o` says it in front of each line.

use crate::layout::size_of;
use crate::{Member, Record, RecordKind, Type, TypeRef};

/// Columns of what stands in front of a line.
pub(super) const COLUMNS: usize = 27;

/// What is known of a record while its members are written.
pub(super) struct Offsets {
    /// Where it begins in the outermost one, in bits.
    begins: u64,
    /// Where the last member ends, in bits.
    end: u64,
    is_union: bool,
}

impl Offsets {
    pub(super) fn new(record: &Record, begins: u64) -> Self {
        Self { begins, end: 0, is_union: record.kind == RecordKind::Union }
    }

    /// Returns what stands in front of a member, with the hole before it on a line of its own.
    pub(super) fn before(&mut self, member: &Member) -> String {
        let size = size_of(&member.ty.get()).unwrap_or(0);
        if self.is_union {
            return format!("/* {size:>21} */");
        }
        let bit = member.offset.saturating_mul(8).saturating_add(member.bits.map_or(0, |bits| u64::from(bits.offset)));
        let hole = self.hole(bit, "hole");
        let at = self.begins.saturating_add(bit);
        let is_part = member.bits.is_some() || !at.is_multiple_of(8);
        let place = match is_part {
            true => format!("{:>6}:{:>2}", at / 8, at % 8),
            false => format!("{:>6}   ", at / 8),
        };
        let width = member.bits.map_or_else(|| size.saturating_mul(8), |bits| u64::from(bits.size));
        self.end = bit.saturating_add(width);
        format!("{hole}/* {place}   |  {size:>6} */")
    }

    /// Says what is left at the end of a record of so many bytes, which has a line of its own, and how large it is.
    pub(super) fn finish(&self, size: u64, indent: usize) -> String {
        let padding = self.hole(size.saturating_mul(8), "padding");
        let spaces = " ".repeat(COLUMNS + indent + super::INDENT);
        format!("{padding}\n{spaces}/* total size (bytes): {size:>4} */\n")
    }

    fn hole(&self, until: u64, what: &str) -> String {
        let hole = until.saturating_sub(self.end);
        if self.end == 0 || hole == 0 {
            return String::new();
        }
        let (bytes, bits) = (hole / 8, hole % 8);
        let of_bits = format!("/* XXX {bits:>2}-bit {what:<7}    */\n");
        let of_bytes = format!("/* XXX {bytes:>2}-byte {what:<7}   */\n");
        [(bits, of_bits), (bytes, of_bytes)].into_iter().filter(|(many, _)| *many > 0).map(|(_, text)| text).collect()
    }
}

/// Returns whether a member is a record itself, not by another name: what is in it is listed, too.
pub fn is_record(ty: &TypeRef) -> bool {
    let mut behind = ty.clone();
    for _ in 0..4 {
        let next = match &*behind {
            Type::Qualified { target, .. } => target.get(),
            other => return matches!(other, Type::Record(_)),
        };
        behind = next;
    }
    false
}
