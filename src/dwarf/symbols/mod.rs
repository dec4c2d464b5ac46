//! Answers from symbol tables: symbols and stubs by name and by address.

pub(crate) mod lookup;
pub(crate) mod slots;
pub(crate) mod stubs;
pub(crate) mod table;
