//! Says which functions, real and inlined, are around an address, and which variables can be seen there.

mod around_class;
mod block_names;
mod enclosing;
pub(in crate::dwarf) mod functions;
pub(in crate::dwarf) mod functions_by_symbol;
pub(in crate::dwarf) mod globals;
mod imports;
pub(in crate::dwarf) mod inline_chain;
mod later;
mod nameless_functions;
mod namespace_aliases;
mod of_file;
pub(in crate::dwarf) mod paths;
mod template_parameters;
pub(in crate::dwarf) mod variables;
