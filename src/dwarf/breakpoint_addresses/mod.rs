//! Says where breakpoints go: on lines, on functions, on inlined copies of them.

pub(crate) mod by_line;
pub(crate) mod inlined_copies;
pub(crate) mod prologue;
