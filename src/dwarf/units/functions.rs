//! The functions of a unit that have code.

use super::ranges::{Ranges, ranges};
use crate::arch::LinkAddr;
use crate::dwarf::sections::slice::{Die, UnitRef};
use gimli::UnitOffset;

/// The functions of one unit that have code: first address, one past the last, DIE; sorted. A function whose code is
/// in several places (`.text.unlikely`) is there several times.
#[derive(Default)]
pub(in crate::dwarf) struct UnitFunctions {
    ranges: Vec<(LinkAddr, LinkAddr, UnitOffset)>,
}

impl UnitFunctions {
    /// Reads those of a unit. A malformed one yields what comes before the damage.
    pub(super) fn read(unit: UnitRef<'_, '_>) -> Self {
        let mut functions = Self::default();
        let _ = functions.read_all(unit);
        functions.ranges.sort_unstable();
        functions
    }

    /// Returns the code of all functions.
    pub(in crate::dwarf) fn all_ranges(&self) -> Ranges {
        self.ranges.iter().map(|(start, end, _)| (*start, *end)).collect()
    }

    pub(super) fn at(&self, a: LinkAddr) -> Option<UnitOffset> {
        let after = self.ranges.partition_point(|(start, _, _)| *start <= a);
        // Functions do not overlap, but for ones that were folded into one and for nested ones.
        let mut candidates = self.ranges.get(..after)?.iter().rev().take(8);
        candidates.find(|(_, end, _)| a < *end).map(|(_, _, die)| *die)
    }

    fn read_all<'a>(&mut self, unit: UnitRef<'_, 'a>) -> gimli::Result<()> {
        let mut input = unit.entries_raw(None)?;
        let mut die = Die::null();
        while !input.is_empty() {
            let (at_die, offset) = (input.clone(), input.next_offset());
            let Some(abbreviation) = input.read_abbreviation()? else {
                continue;
            };
            if abbreviation.tag() != gimli::DW_TAG_subprogram {
                input.skip_attributes(abbreviation.attributes())?;
                continue;
            }
            input = at_die;
            input.read_entry(&mut die)?;
            let found = ranges(unit, &die);
            self.ranges.extend(found.into_iter().map(|(start, end)| (start, end, offset)));
        }
        Ok(())
    }
}
