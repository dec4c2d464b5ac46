//! The variable, function or type that a name means.

pub mod blocks;
pub mod dynamic_linking;
pub mod enclosing_scopes;
pub mod files_loaded_twice;
pub mod interposed;
pub mod lookup;
pub mod namesakes;
pub mod partial_debug_info;
pub mod qualified_by_unit;
pub mod scope_ends;
pub mod template_spellings;
pub mod units_and_bodies;
pub mod whose;
