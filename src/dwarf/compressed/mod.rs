//! Decompresses compressed sections: as a whole, or only those parts of a large one that somebody needs.

pub(in crate::dwarf) mod access_points;
pub(in crate::dwarf) mod background_decompression;
pub(in crate::dwarf) mod decompress;
pub(in crate::dwarf) mod file_bytes;
pub(in crate::dwarf) mod inflate;
pub(in crate::dwarf) mod random_access;
pub(in crate::dwarf) mod unit_queue;
