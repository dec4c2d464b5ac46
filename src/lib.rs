//! Reverse debugging of rr recordings: see the modules.
#![warn(missing_docs)]

pub mod arch;
pub mod rr;
pub mod rsp;
pub mod softcounters;
