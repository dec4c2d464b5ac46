//! Units that are in other files than the one with the debug info: split units, each in a `.dwo` file or all in a
//! `.dwp` package (DWARF 5 section 7.3.2, and the GNU extension of DWARF 4 that it was made from), and the units of the
//! supplementary file that dwz makes (DWARF 5 section 7.3.6).

use super::entry::{UnitEntry, list_units};
use super::file_number::FileNumber;
use crate::model::die::DieId;
use crate::sections::slice::Slice;
use std::collections::HashMap;
use std::sync::OnceLock;

/// One file of units.
pub(super) struct Part<'a> {
    pub(super) dwarf: gimli::Dwarf<Slice<'a>>,
    /// By rising [`DieId`].
    pub(super) units: Vec<UnitEntry<'a>>,
    /// Index of the unit that the file is there for.
    pub(super) own: usize,
    pub(super) signatures: OnceLock<HashMap<u64, DieId>>,
}

impl<'a> Part<'a> {
    /// Lists the units of a file. `None` if it has no unit that is wanted.
    pub(super) fn new(
        dwarf: gimli::Dwarf<Slice<'a>>,
        file: FileNumber,
        is_own: impl Fn(&gimli::Dwarf<Slice<'a>>, &UnitEntry<'a>) -> bool,
    ) -> Option<Box<Self>> {
        let units = list_units(&dwarf, [], file);
        let own = units.iter().position(|unit| is_own(&dwarf, unit))?;
        Some(Box::new(Self { dwarf, units, own, signatures: OnceLock::new() }))
    }
}

/// The package of an image.
pub(super) struct Package<'a> {
    pub(super) parsed: gimli::DwarfPackage<Slice<'a>>,
    /// By the row in the index, which counts from 1.
    pub(super) types: Box<[OnceLock<Option<Box<Part<'a>>>>]>,
}

/// The files that the debug info of an image refers to, opened when somebody looks into them.
#[derive(Default)]
pub(crate) struct OtherFiles<'a> {
    pub(super) supplement: OnceLock<Vec<UnitEntry<'a>>>,
    pub(super) package: OnceLock<Option<Box<Package<'a>>>>,
    /// By the number of the skeleton.
    pub(super) split: OnceLock<SplitParts<'a>>,
}

pub(super) type SplitParts<'a> = Box<[OnceLock<Option<Box<Part<'a>>>>]>;
