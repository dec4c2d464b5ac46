//! Debug info outside the program's file, and large debug info.

pub mod progress;
pub mod separate_files;
