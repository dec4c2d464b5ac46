//! Reads line tables.

pub(crate) mod allowance;
pub(crate) mod table;
