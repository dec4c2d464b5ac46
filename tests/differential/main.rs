//! GDB and we, on the same recording: the same stops, the same frames, the same values.

#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod excuses;
mod faults;
mod instructions;
mod macros;
mod matrix;
mod openings;
mod pair;
mod picture;
mod script;
mod stacks;
mod table;
mod transcripts;
mod values;
mod walks;
mod whose_names;
