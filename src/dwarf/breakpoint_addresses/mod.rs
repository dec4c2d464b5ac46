//! Says where breakpoints go: on lines, on functions, on inlined copies of them.

pub(in crate::dwarf) mod by_line;
pub(in crate::dwarf) mod inlined_copies;
pub(in crate::dwarf) mod prologue;
