//! Unwinds frames by call frame information.

pub(crate) mod cfi;
