//! Macros: which definition a name has at a place of the source (DWARF 5 section 6.3, its GNU predecessor, and
//! `.debug_macinfo` from before).
//!
//! A unit's macros are one list in the order of its text: what was defined and undefined, and which file was included
//! where. It is read when a macro of the unit is asked for, and once.

pub(crate) mod lookup;
mod reader;
pub(crate) mod table;
