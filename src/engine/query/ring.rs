//! Rings: objects whose pointers lead back to where they came from, as in a list that has lost its end.

use crate::api::error::Error;
use crate::session::engine::Engine;
use ctype::layout::{pointer_target, reference_target, size_of, strip};
use ctype::{Record, Type, TypeRef};
use std::collections::HashMap;
use std::fmt;

/// Most objects that are visited from one pointer.
const MOST_OBJECTS: usize = 4096;
/// Most rings that are listed.
const MOST_RINGS: usize = 4;

/// A ring into which a pointer of a frame leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The variable.
    pub pointer: String,
    /// The member that leads from one object to the next.
    pub member: String,
    /// How many objects are in the ring.
    pub length: usize,
    /// How many there are before it.
    pub before: usize,
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, member, length, before } = self;
        match before {
            0 => write!(f, "{pointer}->{member} leads in a ring: after {length} of them it is {pointer} again"),
            _ => write!(f, "{pointer}->{member} leads into a ring of {length} after {before} of them, and never ends"),
        }
    }
}

/// A member that points to objects of its own record.
struct Next {
    name: String,
    offset: u64,
}

fn record_of(ty: &TypeRef) -> Option<TypeRef> {
    let stripped = strip(ty);
    matches!(&*stripped, Type::Record(_)).then_some(stripped)
}

fn is_same(one: &Record, other: &TypeRef) -> bool {
    matches!(&**other, Type::Record(other) if one.name.is_some() && (&one.name, one.size) == (&other.name, other.size))
}

/// Lists the members of a record that point to its own kind.
fn links_of(ty: &TypeRef) -> Vec<Next> {
    let Type::Record(record) = &**ty else { return Vec::new() };
    let members = record.members.iter().filter(|member| !member.is_base);
    members
        .filter_map(|member| {
            let target = pointer_target(&member.ty.get()).and_then(|target| record_of(&target))?;
            let name = member.name.clone().filter(|_| is_same(record, &target))?;
            Some(Next { name, offset: member.offset })
        })
        .collect()
}

/// Follows pointers from an object on, and returns how many objects are in a ring, and how many before it. `None` if they
/// end, in a null pointer or where nothing is mapped, or if there are more than are visited.
fn ring(first: u64, mut next: impl FnMut(u64) -> Option<u64>) -> Option<(usize, usize)> {
    let mut visited = HashMap::new();
    let mut at = first;
    for number in 0..MOST_OBJECTS {
        if let Some(before) = visited.insert(at, number) {
            return Some((number - before, before));
        }
        at = next(at).filter(|next| *next != 0)?;
    }
    None
}

impl Engine {
    /// Lists the rings into which the pointers of the selected frame lead.
    pub fn rings(&mut self) -> Result<Vec<Ring>, Error> {
        let mut rings = Vec::new();
        for variable in self.typed_variables()?.into_iter().filter(|variable| !variable.is_shadowed) {
            let value = variable.value.value;
            let target = pointer_target(&value.ty).filter(|_| reference_target(&value.ty).is_none());
            let Some(object) = target.as_ref().and_then(record_of) else { continue };
            if size_of(&object).is_none() {
                continue;
            }
            for Next { name: member, offset } in links_of(&object) {
                let found = self.with_memory(|memory| {
                    let first = value.word(0, memory).ok().filter(|first| *first != 0)?;
                    ring(first, |at| {
                        let mut bytes = [0; 8];
                        memory.read(at.wrapping_add(offset), &mut bytes).ok()?;
                        Some(u64::from_le_bytes(bytes))
                    })
                })?;
                if let Some((length, before)) = found {
                    rings.push(Ring { pointer: variable.name.clone(), member, length, before });
                }
                if rings.len() == MOST_RINGS {
                    return Ok(rings);
                }
            }
        }
        Ok(rings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_has_a_length_and_a_way_into_it() {
        let followed = |next: &[u64]| ring(1, |at| next.get(usize::try_from(at).unwrap() - 1).copied());
        assert_eq!(followed(&[2, 3, 4, 1]), Some((4, 0)));
        assert_eq!(followed(&[2, 3, 4, 3]), Some((2, 2)));
        assert_eq!(followed(&[1]), Some((1, 0)));
        assert_eq!(followed(&[2, 3, 0]), None, "a null pointer");
        assert_eq!(followed(&[2, 7]), None, "nothing is there");
        assert_eq!(ring(1, |at| Some(at + 1)), None, "more than are visited");
    }
}
