//! Decompresses compressed sections: as a whole, or only those parts of a large one that somebody needs.

pub(crate) mod access_points;
pub(crate) mod background_decompression;
pub(crate) mod decompress;
pub(crate) mod file_bytes;
pub(crate) mod inflate;
pub(crate) mod random_access;
pub(crate) mod unit_queue;
