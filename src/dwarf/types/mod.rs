//! DIEs as `ctype` types (DWARF 5 chapter 5).
//!
//! A type is made when a link to it is followed, and kept: making one never makes the types that it refers to, so
//! cyclic and hostile type graphs cost no more than what is looked at.

pub(crate) mod array;
pub(crate) mod by_code;
pub(crate) mod by_die;
pub(crate) mod by_name;
mod definitions;
pub(crate) mod overloads;
mod own_operators;
pub(crate) mod parts;
pub(crate) mod reader;
pub(crate) mod record;
mod referred_units;
pub(crate) mod special;
mod storage_order;

#[cfg(test)]
mod tests;
