//! Which of the files of an image a DIE is in.

use crate::model::die::DieId;

/// Where the number of the file is in a [`DieId`]; below is the offset into the file's section. The highest bit is
/// taken by `.debug_types`.
const FILE_SHIFT: u32 = 40;
const FILE_BITS: u64 = (1 << 23) - 1;

/// First number of the files of split units; the number of the skeleton is added.
const FIRST_SPLIT: u64 = 1;
/// First number of the type units of a package; the row in its index is added.
const FIRST_PACKAGED_TYPE: u64 = 1 << 21;
const SUPPLEMENT: u64 = 1 << 22;

/// Which of the files of an image a unit is in. Each unit of a package is a file of its own: offsets count from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileNumber(u64);

/// The same, taken apart.
pub(super) enum Which {
    Main,
    /// The file with the split unit of the skeleton with this number.
    Split(usize),
    /// The type unit of the package in this row of its index.
    PackagedType(u32),
    Supplement,
}

impl FileNumber {
    /// The file with the debug info.
    pub(crate) const MAIN: Self = Self(0);
    /// The supplementary file.
    pub(crate) const SUPPLEMENT: Self = Self(SUPPLEMENT);

    /// Returns the file that a DIE is in.
    pub(crate) fn of(die: DieId) -> Self {
        Self(die.0 >> FILE_SHIFT & FILE_BITS)
    }

    pub(super) fn split(skeleton: usize) -> Option<Self> {
        let number = (skeleton as u64).checked_add(FIRST_SPLIT)?;
        (number < FIRST_PACKAGED_TYPE).then_some(Self(number))
    }

    pub(super) fn packaged_type(row: u32) -> Option<Self> {
        let number = FIRST_PACKAGED_TYPE + u64::from(row);
        (number < SUPPLEMENT).then_some(Self(number))
    }

    pub(super) fn which(self) -> Which {
        match self.0 {
            0 => Which::Main,
            number if number < FIRST_PACKAGED_TYPE => Which::Split((number - FIRST_SPLIT) as usize),
            number if number < SUPPLEMENT => Which::PackagedType((number - FIRST_PACKAGED_TYPE) as u32),
            _ => Which::Supplement,
        }
    }

    /// Returns the DIE at an offset of the file's `.debug_info`; `None` if no section is that large.
    pub(crate) fn die_at(self, offset: u64) -> Option<DieId> {
        (offset >> FILE_SHIFT == 0).then_some(DieId(self.0 << FILE_SHIFT | offset))
    }
}
