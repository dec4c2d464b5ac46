//! GDB and we, on the same recording: the same stops, the same frames, the same values.

#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod values;
mod walks;
