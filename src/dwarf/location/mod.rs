//! Says where variables are, and what callers passed.

pub(crate) mod array_bounds;
pub(crate) mod availability;
pub(crate) mod call_sites;
pub(crate) mod descriptor;
pub(crate) mod die_references;
mod dynamic_records;
pub(crate) mod entry_places;
mod frame_base;
pub(crate) mod linkage;
pub(crate) mod parameter_slots;
mod static_link;
pub(crate) mod variable;
