//! Files that are mapped into memory, which others may make shorter meanwhile.
//!
//! A page of a mapping that the file does not reach any more raises SIGBUS when somebody reads it, which would end the
//! process with all of its sessions. Pages of a [`FileMap`] are replaced by zeros instead
//! ([`bus_errors`]), and the map says that it is damaged: whoever has read it since has read zeros.

mod bus_errors;

use bus_errors::Registration;
use memmap2::{Mmap, UncheckedAdvice};
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

/// Why nothing is read of a file whose map is damaged.
pub const SHORTER: &str = "the file became shorter, or could not be read any more, while it was in use: \
                           what was read of it since counts for nothing; start a new session";

/// A file that is mapped. It is read-only, and private to the process.
pub struct FileMap {
    // Dropped before the mapping goes: its addresses may then be another's.
    registration: Registration,
    map: Mmap,
}

impl FileMap {
    /// Maps all of a file.
    ///
    /// # Errors
    /// Why the system does not map it.
    pub fn of(file: &File) -> io::Result<Self> {
        // SAFETY: the mapping is private and read-only. Somebody who makes the file shorter while it is mapped makes
        // its pages zeros, by the registration. Somebody who writes other bytes into the file changes what is read:
        // all of it is from outside, and is checked wherever it is used.
        #[expect(unsafe_code, reason = "as said")]
        let map = unsafe { Mmap::map(file) }?;
        let start = map.as_ptr() as usize;
        Ok(Self { registration: Registration::of(start..start.saturating_add(map.len())), map })
    }

    /// Returns whether a part of it could not be read, and reads as zeros.
    pub fn is_damaged(&self) -> bool {
        self.registration.is_damaged()
    }

    /// Takes whole pages within a range out of memory; they are read again when they are needed.
    pub fn forget(&self, range: Range<usize>) {
        const PAGE: usize = 4096;
        let (start, end) = (range.start.next_multiple_of(PAGE), range.end.min(self.map.len()) / PAGE * PAGE);
        if start < end {
            // SAFETY: the mapping is of a file and nobody writes through it, so its pages are as the file has them,
            // before and after, or zeros. Advice that is refused costs memory only.
            #[expect(unsafe_code, reason = "as said")]
            let _ = unsafe { self.map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start) };
        }
    }
}

impl Deref for FileMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

/// Returns whether any map of the process has ever been damaged: a quick look before one at each.
pub fn any_is_damaged() -> bool {
    bus_errors::any_is_damaged()
}

#[cfg(test)]
mod tests;
