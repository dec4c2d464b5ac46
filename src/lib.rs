//! Reverse debugging of rr recordings: see the modules.
#![warn(missing_docs)]

pub mod arch;
pub mod ctype;
pub mod dwarf;
pub mod expr;
pub mod rr;
pub mod rsp;
pub mod softcounters;
