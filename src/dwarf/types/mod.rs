//! DIEs as `ctype` types (DWARF 5 chapter 5).
//!
//! A type is made when a link to it is followed, and kept: making one never makes the types that it refers to, so
//! cyclic and hostile type graphs cost no more than what is looked at.

pub(in crate::dwarf) mod array;
pub(in crate::dwarf) mod by_code;
pub(in crate::dwarf) mod by_die;
pub(in crate::dwarf) mod by_name;
mod definitions;
pub(in crate::dwarf) mod overloads;
mod own_operators;
pub(in crate::dwarf) mod parts;
pub(in crate::dwarf) mod reader;
pub(in crate::dwarf) mod record;
mod referred_units;
pub(in crate::dwarf) mod special;
mod storage_order;

#[cfg(test)]
mod tests;
