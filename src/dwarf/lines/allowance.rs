//! How many rows are read of the line tables of a file.
//!
//! A row takes one byte of a line program at least, and a program that repeats itself is compressed to a thousandth; a
//! row that has been read takes more than twenty bytes. Several units may moreover name the same program. So there are
//! as many rows as the bytes of the section in the file make credible, for all units together.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Most rows of one unit; the largest that compilers make have a million.
const MOST_OF_UNIT: usize = 1 << 23;

/// Rows of a file, however few bytes it has.
const SMALL_FILE: usize = 1 << 20;

/// Beyond that, so many for each byte that the file has. Of the tables of compilers, a row takes two bytes or three, and
/// compressed about one.
const ROWS_OF_BYTE: usize = 8;

/// The rows that may still be read of a file.
pub(crate) struct RowAllowance {
    left: AtomicUsize,
}

impl RowAllowance {
    /// Creates the `RowAllowance` of a file with so many bytes of line programs, as they are in it.
    pub(crate) fn of(bytes: usize) -> Self {
        Self { left: AtomicUsize::new(SMALL_FILE.saturating_add(bytes.saturating_mul(ROWS_OF_BYTE))) }
    }

    /// Returns how many rows the next table may have.
    pub(super) fn of_unit(&self) -> usize {
        self.left.load(Ordering::Relaxed).min(MOST_OF_UNIT)
    }

    /// Takes the rows of a table that is kept.
    pub(super) fn take(&self, rows: usize) {
        let less = |left: usize| Some(left.saturating_sub(rows));
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}
