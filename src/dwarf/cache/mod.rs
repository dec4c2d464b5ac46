//! Keeps on disk what takes long to make of large debug files.

pub(in crate::dwarf) mod disk;
