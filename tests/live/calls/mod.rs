//! Calls of the program's functions, and what functions return.

pub mod in_a_copy;
pub mod indirect_functions;
pub mod returns;
pub mod rust_returns;
pub mod without_debug_info;
