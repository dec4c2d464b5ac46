//! Says which functions, real and inlined, are around an address, and which variables can be seen there.

mod around_class;
mod block_names;
mod enclosing;
pub(crate) mod functions;
pub(crate) mod functions_by_symbol;
pub(crate) mod globals;
mod imports;
pub(crate) mod inline_chain;
mod later;
mod nameless_functions;
mod namespace_aliases;
mod of_file;
pub(crate) mod paths;
mod template_parameters;
mod union_members;
pub(crate) mod variables;
