//! Names as text: as users write them, as linkers spell them, as people read them.

pub(in crate::dwarf) mod components;
pub(in crate::dwarf) mod demangle;
pub(in crate::dwarf) mod hash;
pub(in crate::dwarf) mod query;
mod template_constructor;
