//! DIEs as `ctype` types (DWARF 5 chapter 5).
//!
//! A type is made when a link to it is followed, and kept: making one never makes the types that it refers to, so
//! cyclic and hostile type graphs cost no more than what is looked at.

mod array;
mod descriptor;
mod language;
mod named;
pub(in crate::dwarf) mod of_code;
mod parts;
mod reader;
mod record;
mod special;

use crate::arch::LinkAddr;
use crate::ctype::{Count, Memory, Parts, Stride, Type, TypeLoader, TypeRef, Unavailable, Value};
use crate::dwarf::image::facade::Image;
use crate::dwarf::model::die::DieId;
use crate::dwarf::units::collection::Debug;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, RwLock};

pub(in crate::dwarf) use array::Bound;
pub(in crate::dwarf) use language::unit_language;
use reader::TypeReader;
pub(in crate::dwarf) use reader::is_flag_set;

/// How many typedefs, qualifiers and array dimensions are looked through.
const MAX_DEPTH: usize = 64;

/// Types by addresses of what belongs to them; `None` where nobody knows which, or several share one.
pub(in crate::dwarf) type Owners = HashMap<LinkAddr, Option<DieId>>;

/// Types made so far.
#[derive(Default)]
pub(in crate::dwarf) struct TypeCache {
    by_die: RwLock<HashMap<DieId, TypeRef>>,
    vtables: OnceLock<Owners>,
    /// Classes by the addresses of their functions.
    classes: RwLock<Owners>,
}

impl TypeCache {
    fn get(&self, die: DieId) -> Option<TypeRef> {
        self.by_die.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&die).cloned()
    }

    /// Whose vtables are where, found out when it is first asked for.
    pub(in crate::dwarf) fn vtables(&self, find: impl FnOnce() -> Owners) -> &Owners {
        self.vtables.get_or_init(find)
    }

    /// The class that the function at an address is a member of, found out when it is first asked for.
    pub(in crate::dwarf) fn class_of(&self, at: LinkAddr, find: impl FnOnce() -> Option<DieId>) -> Option<DieId> {
        let known = self.classes.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(&at).copied();
        known.unwrap_or_else(|| {
            let found = find();
            self.classes.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(at, found);
            found
        })
    }

    /// Keeps a type, or returns the one that another thread was faster to make.
    fn insert(&self, die: DieId, ty: TypeRef) -> TypeRef {
        let mut by_die = self.by_die.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        by_die.entry(die).or_insert(ty).clone()
    }
}

impl TypeLoader for Image {
    fn load(&self, key: u64) -> TypeRef {
        self.type_at(DieId(key))
    }

    fn parts(&self, key: u64) -> Option<Arc<Parts>> {
        self.with_debug(|debug| TypeReader::new(debug, self.type_loader()).parts(DieId(key))).map(Arc::new)
    }

    fn described(&self, key: u64, address: u64, memory: &mut dyn Memory) -> Result<Value, Unavailable> {
        self.described_array(DieId(key), address, memory)
    }
}

impl Image {
    /// The type that a DIE describes.
    pub(in crate::dwarf) fn type_at(&self, die: DieId) -> TypeRef {
        if let Some(known) = self.types.get(die) {
            return known;
        }
        let made = self.with_debug(|debug| self.read_type(debug, die));
        self.types.insert(die, made)
    }

    fn read_type(&self, debug: &Debug<'_>, die: DieId) -> TypeRef {
        TypeReader::new(debug, self.type_loader()).read(die)
    }

    /// DW_AT_type of a function and its parameters as a `Type::Function`; `None` if the DIE is no function.
    pub fn function_type(&self, die: DieId) -> Option<TypeRef> {
        let ty = self.type_at(die);
        matches!(*ty, Type::Function { .. }).then_some(ty)
    }
}

/// Size of a type's objects in bytes; `None` if it is incomplete, or a function.
pub(in crate::dwarf) fn size_of(ty: &TypeRef) -> Option<u64> {
    let mut ty = ty.clone();
    let mut elements = 1u64;
    for _ in 0..MAX_DEPTH {
        let next = match &*ty {
            Type::Base { size, .. } | Type::Pointer { size, .. } | Type::MemberPointer { size, .. } => {
                return elements.checked_mul(*size);
            }
            Type::Record(record) => return elements.checked_mul(record.size?),
            Type::Enumeration(enumeration) => return elements.checked_mul(enumeration.size),
            Type::Array { element, count: Count::Known(count), indexing } if indexing.stride == Stride::Element => {
                elements = elements.checked_mul(*count)?;
                element.get()
            }
            Type::Typedef { target, .. } | Type::Qualified { target, .. } => target.get(),
            Type::Array { .. } | Type::Described { .. } | Type::Function { .. } | Type::Void | Type::Opaque(_) => {
                return None;
            }
        };
        ty = next;
    }
    None
}

fn opaque(text: impl Into<String>) -> TypeRef {
    Arc::new(Type::Opaque(text.into()))
}

#[cfg(test)]
mod tests;
