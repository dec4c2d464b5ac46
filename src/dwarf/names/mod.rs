//! Finds DIEs by name: in the index of all names of a file, or for a large one, in the units that its directory tells.

pub(in crate::dwarf) mod abbreviation_plan;
pub(in crate::dwarf) mod background_scan;
pub(in crate::dwarf) mod debug_names;
pub(in crate::dwarf) mod directory;
pub(in crate::dwarf) mod display;
pub(in crate::dwarf) mod entry;
pub(in crate::dwarf) mod functions;
pub(in crate::dwarf) mod gdb_index;
pub(in crate::dwarf) mod index;
pub(in crate::dwarf) mod listing;
pub(in crate::dwarf) mod lookup;
pub(in crate::dwarf) mod raw_attributes;
pub(in crate::dwarf) mod reader;
pub(in crate::dwarf) mod row;
pub(in crate::dwarf) mod template_names;
pub(in crate::dwarf) mod type_tables;
pub(in crate::dwarf) mod types;
pub(in crate::dwarf) mod unit_scan;
