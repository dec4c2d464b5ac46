//! Answers from symbol tables: symbols and stubs by name and by address.

pub(in crate::dwarf) mod lookup;
pub(in crate::dwarf) mod slots;
pub(in crate::dwarf) mod stubs;
pub(in crate::dwarf) mod table;
