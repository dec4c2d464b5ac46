//! Members behind Rust's pointers with a length or a table that lead to a structure: `&Packet<[u8]>`, whose last member
//! has no size of its own.

use super::*;
use base::qualified::template_arguments;
use ctype::{Count, Link};

/// Why the last member is not read.
const UNSIZED: &str = "the last member of an unsized structure, whose offset the debug info does not have";

impl Evaluator<'_> {
    /// Finds a member of the structure that such a pointer leads to; `None` if it is none, or has no such member.
    pub(super) fn member_of_unsized(&mut self, value: &Value, name: &str) -> Option<Value> {
        if !self.is_rust() {
            return None;
        }
        let (pointer, length) = match value.member("data_ptr") {
            Some(pointer) => (pointer, Some(value.member("length")?)),
            None => (value.member("pointer").filter(|_| value.member("vtable").is_some())?, None),
        };
        let target = strip(&pointer_target(&pointer.ty)?);
        let Type::Record(record) = &*target else { return None };
        if !leads_to(&self.name_of(&strip(&value.ty)), record.name.as_deref()?) {
            return None;
        }
        let address = if self.unevaluated { 0 } else { pointer.word(0, self.env).ok()? };
        let member = Value::new(target.clone(), Place::Memory(address)).member(name)?;
        let is_last = record
            .members
            .last()
            .is_some_and(|last| address.wrapping_add(last.offset) == member.address().unwrap_or(0));
        if !is_last {
            return Some(member);
        }
        match length {
            // Its type is that of the elements.
            Some(length) if !matches!(&*strip(&member.ty), Type::Record(_)) => {
                let count = if self.unevaluated { None } else { Some(length.word(0, self.env).ok()?) };
                let count = count.map_or(Count::Unknown, Count::Known);
                let indexing = Indexing { bounded: true, ..Indexing::default() };
                let ty = Type::Array { element: Link::ready(member.ty), count, indexing };
                Some(Value::new(Arc::new(ty), member.place))
            }
            _ => Some(Value { place: Place::Unavailable(Unavailable::Other(UNSIZED.to_owned())), ..member }),
        }
    }
}

/// Returns whether a pointer of this name leads to a type of that one, and not to elements of it.
fn leads_to(pointer: &str, target: &str) -> bool {
    let signs = ["&mut ", "&", "*const ", "*mut "];
    match signs.iter().find_map(|sign| pointer.strip_prefix(sign)) {
        Some(behind) => behind == target,
        None => template_arguments(pointer).is_some_and(|(_, list)| list.first() == Some(&target)),
    }
}
