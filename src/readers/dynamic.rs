//! C++: which object a part of one belongs to, as its virtual table tells (Itanium C++ ABI 2.5).

use super::chain::word;
use super::object::at;
use base::qualified::{Component, QualifiedName, same_name};
use ctype::layout::{size_of, strip};
use ctype::{Dialect, Memory, Place, Record, Type, TypeRef, Value, type_name};

/// Base classes that are looked into for the pointer to the virtual table.
const MAX_BASES: usize = 64;
/// Functions of a table that are looked at for the class that they are of.
const MAX_FUNCTIONS: u64 = 8;
/// From the address that an object holds back to where the table says how far the whole object's start is.
const TO_TOP: u64 = 16;
/// No object is further from its part.
const MAX_DISTANCE: u64 = 1 << 32;

/// Finds the whole object that an object of a class is part of: itself, if it is of no derived class. `None` if its
/// class has no virtual functions, or if its table is none.
pub fn whole_object(value: &Value, memory: &mut dyn Memory) -> Option<Value> {
    let Place::Memory(address) = value.place else { return None };
    let offset = table_offset(value)?;
    let table = word(address.checked_add(offset)?, memory).ok()?;
    let symbol = memory.symbol(table)?;
    // `<vtable for ns::Class+16>`; while it is constructed, `<construction vtable for …>`.
    let name = symbol.strip_prefix("<vtable for ")?;
    let (name, _) = name.strip_suffix('>')?.rsplit_once('+')?;
    let back = word(table.checked_sub(TO_TOP)?, memory).ok()?.wrapping_neg();
    let start = address.checked_add(offset)?.checked_sub(back).filter(|_| back < MAX_DISTANCE)?;
    // Units, functions and blocks may each have a class of such a name: the functions in the table are the right one's.
    let ty = class_in(table, name, memory).or_else(|| memory.named_type(name))?;
    let size = size_of(&ty)?;
    let is_inside = address >= start && address - start <= size;
    (is_inside && matches!(&*strip(&ty), Type::Record(_))).then(|| at(ty, start))
}

/// Returns a name without the parameters of the functions around it, which types of debug info are named without.
fn without_parameters(name: &str) -> String {
    QualifiedName::split(name).components().iter().map(Component::name).collect::<Vec<_>>().join("::")
}

/// Finds the class of this name that one of the first functions of a virtual table is a member of.
fn class_in(table: u64, name: &str, memory: &mut dyn Memory) -> Option<TypeRef> {
    let name = without_parameters(name);
    (0..MAX_FUNCTIONS).find_map(|nth| {
        let function = word(table.checked_add(nth * 8)?, memory).ok()?;
        let class = memory.class_of_function(function)?;
        same_name(&type_name(&strip(&class), Dialect::Cxx), &name).then_some(class)
    })
}

/// Finds where in an object the pointer to its virtual table is: in the class itself, or in its first polymorphic base.
fn table_offset(value: &Value) -> Option<u64> {
    let mut open = vec![(strip(&value.ty), 0u64)];
    let mut seen = 0;
    while let Some((ty, offset)) = open.pop() {
        seen += 1;
        let Type::Record(Record { members, .. }) = &*ty else { continue };
        let own = members.iter().find(|m| m.name.as_deref().is_some_and(|name| name.starts_with("_vptr")));
        if let Some(own) = own {
            return offset.checked_add(own.offset);
        }
        if seen > MAX_BASES {
            return None;
        }
        let bases = members.iter().filter(|member| member.is_base).rev();
        open.extend(bases.filter_map(|base| Some((strip(&base.ty.get()), offset.checked_add(base.offset)?))));
    }
    None
}
