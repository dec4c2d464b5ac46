//! `std::filesystem::path`: a string, and in GNU's library the components that it was cut into.

use super::Object;
use crate::chain::damaged;
use crate::object::{at, first_member, is_readable, member, number_at};
use ctype::layout::{find_member, size_of};
use ctype::{Item, Items, Key, Meaning, Memory, Style, TypeRef, Unavailable, Value};

/// No path has more components.
const MAX_COMPONENTS: u64 = 4096;
/// The components' own header: how many there are, and how many there is room for.
const HEADER: u64 = 8;

/// Tells what a path is as a whole, in the two lowest bits of the pointer to its components.
fn kind(pointer: u64) -> Option<&'static str> {
    match pointer & 3 {
        1 => Some("root-name"),
        2 => Some("root-directory"),
        _ => None,
    }
}

pub(super) fn path(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let text = first_member(object.value, &["_M_pathname", "__pn_"])?;
    let length = crate::meaning(&text, memory)?.length?;
    let mut meaning = Meaning::empty(false).says("filesystem::path ").shows(text.clone());
    meaning.length = Some(length);
    meaning.facts = vec![("native", text.clone()), ("string", text)];
    // LLVM's paths are cut when they are asked.
    let Some(components) = member(object.value, "_M_cmpts._M_impl._M_t._M_t") else {
        return Some(meaning);
    };
    let pointer = number_at(&components, "_M_head_impl", memory)?;
    if pointer & 3 != 0 {
        return Some(match kind(pointer) {
            Some(kind) => meaning.says(format!(" [{kind}]")),
            None => meaning,
        });
    }
    let mut count = [0; 4];
    if pointer != 0 {
        memory.read(pointer, &mut count).ok()?;
    }
    let count = u64::from(u32::from_le_bytes(count));
    // A component is a path and its place in the text.
    let step = size_of(&object.value.ty)?.checked_add(8)?;
    let start = pointer.checked_add(HEADER)?;
    if count > MAX_COMPONENTS || !is_readable(start, count.checked_mul(step)?, memory) {
        return None;
    }
    let components = Components { path: object.value.ty.clone(), next: start, step, index: 0, count };
    Some(meaning.holds(Style::Fields, components))
}

struct Components {
    path: TypeRef,
    next: u64,
    step: u64,
    index: u64,
    count: u64,
}

impl Items for Components {
    fn next(&mut self, memory: &mut dyn Memory) -> Result<Option<Item>, Unavailable> {
        if self.index >= self.count {
            return Ok(None);
        }
        let component: Value = at(self.path.clone(), self.next);
        let value = component.member("_M_pathname").ok_or_else(damaged)?;
        let pointer = find_member(&self.path, "_M_cmpts").ok_or_else(damaged)?;
        let name = kind(component.word(pointer.offset, memory)?);
        let key = Key::Name(match name {
            Some(name) => format!("[{name}]").into(),
            None => format!("[{}]", self.index).into(),
        });
        self.index += 1;
        self.next = self.next.wrapping_add(self.step);
        Ok(Some(Item { key, value }))
    }
}
