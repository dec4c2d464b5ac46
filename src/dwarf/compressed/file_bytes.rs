//! The bytes of a file that compressed data are in.

use crate::dwarf::cache::disk::forget;
use std::ops::{Deref, Range};

/// The bytes of a file.
pub(in crate::dwarf) enum Bytes {
    /// Mapped from disk.
    Mapped(memmap2::Mmap),
    /// Read out of a process, or made by a test.
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl Bytes {
    /// Takes a part of the file out of memory, if it is mapped; it is read again when it is needed.
    pub(in crate::dwarf) fn forget(&self, range: Range<usize>) {
        if let Self::Mapped(map) = self {
            forget(map, range);
        }
    }
}
