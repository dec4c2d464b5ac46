//! Says where variables are, and what callers passed.

pub(in crate::dwarf) mod array_bounds;
pub(in crate::dwarf) mod availability;
pub(in crate::dwarf) mod call_sites;
pub(in crate::dwarf) mod descriptor;
pub(in crate::dwarf) mod die_references;
mod dynamic_records;
pub(in crate::dwarf) mod entry_places;
mod frame_base;
pub(in crate::dwarf) mod linkage;
pub(in crate::dwarf) mod parameter_slots;
mod static_link;
pub(in crate::dwarf) mod variable;
