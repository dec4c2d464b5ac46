//! The bytes of a file that compressed data are in.

use base::untrusted::FileMap;
use std::ops::{Deref, Range};

/// The bytes of a file.
pub(crate) enum Bytes {
    /// Mapped from disk.
    Mapped(FileMap),
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
    pub(crate) fn forget(&self, range: Range<usize>) {
        if let Self::Mapped(map) = self {
            map.forget(range);
        }
    }

    /// Returns whether a part of the file could not be read any more, and reads as zeros.
    pub(crate) fn is_damaged(&self) -> bool {
        match self {
            Self::Mapped(map) => map.is_damaged(),
            Self::Owned(_) => false,
        }
    }
}
