//! Finds DIEs by name: in the index of all names of a file, or for a large one, in the units that its directory tells.

pub(crate) mod abbreviation_plan;
pub(crate) mod background_scan;
pub(crate) mod debug_names;
pub(crate) mod directory;
pub(crate) mod display;
pub(crate) mod entry;
pub(crate) mod functions;
pub(crate) mod gdb_index;
pub(crate) mod index;
pub(crate) mod listing;
pub(crate) mod lookup;
pub(crate) mod raw_attributes;
pub(crate) mod reader;
pub(crate) mod row;
pub(crate) mod template_names;
pub(crate) mod type_tables;
pub(crate) mod types;
pub(crate) mod unit_scan;
