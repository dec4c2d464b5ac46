//! Which part of an object some of its bytes are.

use ctype::layout::{array_of, array_parts, is_big_endian, size_of, strip};
use ctype::{
    Bits, Encoding, Memory, Options, Place, Target, Type, TypeRef, Unavailable, Value, indexing, render_member,
};

/// Objects in each other that are looked through.
const DEPTH: usize = 64;
/// Members of one of them.
const MOST_MEMBERS: usize = 10_000;
/// Bytes of a part of no type that are shown.
const MOST_BYTES: usize = 32;

/// A part of an object: all of it, a member, an element, or some bytes.
#[derive(Clone, Debug)]
pub struct Part {
    /// What comes behind the object's name: `.list[3]`; `.list[3]@2` for two elements, `+5` for bytes that are no part
    /// of their own.
    pub path: String,
    /// `None`: bytes.
    ty: Option<TypeRef>,
    bits: Option<Bits>,
    /// The smallest object that they are the first bytes of, if they are no object of their own.
    around: Option<TypeRef>,
}

/// Returns the part of an object that so many of its bytes are, from one of them on. `bits` says that the object is a
/// bit-field.
pub fn part_of(object: &TypeRef, bits: Option<Bits>, offset: u64, length: u64) -> Part {
    let (mut ty, mut at, mut path) = (object.clone(), offset, String::new());
    if let Some(field) = bits {
        // Some of its bytes do not say what the field is.
        return match offset == 0 && length >= field.bytes() {
            true => Part { path, ty: Some(ty), bits, around: None },
            false => Part { path: format!("+{offset}"), ty: None, bits: None, around: None },
        };
    }
    for _ in 0..DEPTH {
        if at == 0 && size_of(&ty) == Some(length) {
            return Part { path, ty: Some(ty), bits: None, around: None };
        }
        let inner = if let Some((element, _)) = array_parts(&ty) {
            let size = size_of(&element).filter(|size| *size != 0);
            if let Some(size) =
                size.filter(|size| at.is_multiple_of(*size) && length.is_multiple_of(*size) && length > *size)
            {
                path += &format!("[{}]@{}", indexing(&ty).index_of(at / size), length / size);
                return Part { path, ty: Some(array_of(element, length / size)), bits: None, around: None };
            }
            size.map(|size| (format!("[{}]", indexing(&ty).index_of(at / size)), element, at / size * size))
        } else if let Type::Record(record) = &*strip(&ty) {
            member_at(record, at, length)
        } else {
            None
        };
        let Some((step, part, start)) = inner else { break };
        // What goes over the part's end is of the object around it.
        let Some(size) = size_of(&part).filter(|size| (at - start).saturating_add(length) <= *size) else { break };
        debug_assert!(size != 0, "a part of no size holds nothing");
        (path, ty, at) = (path + &step, part, at - start);
    }
    if at != 0 || size_of(&ty) != Some(length) {
        path += &format!("+{at}");
    }
    Part { path, ty: None, bits: None, around: (at == 0).then_some(ty) }
}

/// Returns the only member of a record, bit-fields apart, that holds these bytes: how it is named, its type, where it
/// begins.
fn member_at(record: &ctype::Record, at: u64, length: u64) -> Option<(String, TypeRef, u64)> {
    let end = at.checked_add(length)?;
    let mut holding = record.members.iter().take(MOST_MEMBERS).filter_map(|member| {
        let ty = member.ty.get();
        let size = size_of(&ty)?;
        let holds = member.bits.is_none() && member.offset <= at && end <= member.offset.checked_add(size)?;
        holds.then(|| {
            let name = member.name.as_deref().filter(|_| !member.is_base);
            (name.map(|name| format!(".{name}")).unwrap_or_default(), ty, member.offset)
        })
    });
    // Of a union's members nobody knows which was meant.
    match (holding.next(), holding.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

impl Part {
    /// Returns whether it is an object of its own, rather than some bytes.
    pub fn is_typed(&self) -> bool {
        self.ty.is_some()
    }

    /// Returns the type of the whole number that these are only the low bytes of, if they are.
    pub fn number_around(&self) -> Option<TypeRef> {
        let around = self.around.as_ref()?;
        let is_number = match &*strip(around) {
            Type::Base { encoding, .. } => *encoding != Encoding::Float,
            Type::Pointer { .. } | Type::Enumeration(_) => true,
            _ => false,
        };
        (is_number && !is_big_endian(around)).then(|| around.clone())
    }

    /// Returns the value that these bytes are, as text. Of pointers, what they point to is not looked at: `symbol`
    /// names it.
    pub fn shown(&self, bytes: &[u8], target: Target, symbol: &mut dyn FnMut(u64) -> Option<String>) -> String {
        let Some(ty) = &self.ty else { return hexadecimal(bytes) };
        let is_complete = match self.bits {
            Some(field) => field.bytes() <= bytes.len() as u64,
            None => size_of(ty) == Some(bytes.len() as u64),
        };
        if !is_complete {
            return hexadecimal(bytes);
        }
        if let (Type::Pointer { .. }, Ok(word)) = (&*strip(ty), bytes.try_into().map(u64::from_le_bytes)) {
            return match symbol(word) {
                Some(symbol) => format!("{word:#x} {symbol}"),
                None => format!("{word:#x}"),
            };
        }
        let place = Place::Bytes(bytes.iter().copied().map(Some).collect());
        let value = Value { ty: ty.clone(), place, bits: self.bits };
        render_member(&value, &mut Nothing(symbol), &Options::new(target)).text
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let text: Vec<String> = bytes.iter().take(MOST_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > MOST_BYTES { " …" } else { "" };
    if bytes.is_empty() { "<not known>".to_owned() } else { format!("{}{more}", text.join(" ")) }
}

/// Memory that cannot be read: only what was collected is known.
struct Nothing<'a>(&'a mut dyn FnMut(u64) -> Option<String>);

impl Memory for Nothing<'_> {
    fn read(&mut self, _: u64, _: &mut [u8]) -> Result<(), Unavailable> {
        Err(Unavailable::NotCollected)
    }

    fn symbol(&mut self, address: u64) -> Option<String> {
        (self.0)(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ctype::{Member, Record};
    use std::sync::Arc;

    fn base(name: &str, size: u64) -> TypeRef {
        Arc::new(Type::Base { name: name.to_owned(), size, encoding: Encoding::Signed })
    }

    fn record(size: u64, members: &[(&str, TypeRef, u64)]) -> TypeRef {
        let member = |(name, ty, offset): &(&str, TypeRef, u64)| {
            Member::new(Some(*name).filter(|name| !name.is_empty()), ty.clone(), *offset)
        };
        let members = members.iter().map(member).collect();
        Arc::new(Type::Record(Record { size: Some(size), members, ..Record::default() }))
    }

    fn path(ty: &TypeRef, offset: u64, length: u64) -> String {
        part_of(ty, None, offset, length).path
    }

    #[test]
    fn parts_are_named_as_they_are_written() {
        let int = base("int", 4);
        let point = record(8, &[("x", int.clone(), 0), ("y", int.clone(), 4)]);
        let shape = record(28, &[("points", array_of(point, 3), 0), ("", record(4, &[("count", int.clone(), 0)]), 24)]);
        assert_eq!(path(&int, 0, 4), "");
        assert_eq!(path(&int, 2, 1), "+2");
        assert_eq!(path(&shape, 0, 28), "");
        assert_eq!(path(&shape, 12, 4), ".points[1].y");
        assert_eq!(path(&shape, 8, 8), ".points[1]");
        assert_eq!(path(&shape, 8, 16), ".points[1]@2");
        assert_eq!(path(&shape, 13, 1), ".points[1].y+1");
        assert_eq!(path(&shape, 24, 4), "");
        assert_eq!(path(&shape, 4, 8), ".points+4");
        assert_eq!(path(&shape, 20, 8), "+20");
        let either = record(4, &[("a", int, 0), ("b", base("long", 4), 0)]);
        assert_eq!(path(&either, 0, 2), "+0");
        let low = |ty: &TypeRef, offset, length| part_of(ty, None, offset, length).number_around().is_some();
        let long = base("long", 8);
        assert_eq!(
            [low(&long, 0, 4), low(&long, 4, 4), low(&long, 0, 8), low(&either, 0, 2)],
            [true, false, false, false]
        );
        assert!(low(&array_of(long, 3), 8, 2));
    }

    #[test]
    fn values_are_shown_by_their_type_and_other_bytes_as_such() {
        let target = Target::X86_64;
        let int = base("int", 4);
        let mut none = |_| None;
        assert_eq!(part_of(&int, None, 0, 4).shown(&(-7i32).to_le_bytes(), target, &mut none), "-7");
        assert_eq!(part_of(&int, None, 1, 2).shown(&[0xab, 1], target, &mut none), "ab 01");
        assert_eq!(part_of(&int, None, 0, 4).shown(&[], target, &mut none), "<not known>");
        let field = Some(Bits::new(4, 20));
        let whole = part_of(&int, field, 0, 3);
        assert_eq!((whole.path.as_str(), whole.shown(&[0x5f, 0, 0], target, &mut none)), ("", "5".to_owned()));
        let some = part_of(&int, field, 0, 1);
        assert_eq!((some.path.as_str(), some.shown(&[0x5f], target, &mut none)), ("+0", "5f".to_owned()));
        let some = part_of(&int, field, 1, 2);
        assert_eq!((some.path.as_str(), some.shown(&[1, 2], target, &mut none)), ("+1", "01 02".to_owned()));
        let pointer = ctype::layout::pointer_to(int, 8);
        let mut named = |address| (address == 0x1000).then(|| "<table>".to_owned());
        let shown = part_of(&pointer, None, 0, 8).shown(&0x1000u64.to_le_bytes(), target, &mut named);
        assert_eq!(shown, "0x1000 <table>");
    }
}
