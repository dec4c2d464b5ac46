//! Which unit has the code at an address: for a large file, the one that `.debug_aranges` lists it for (DWARF 5 section
//! 6.1.2); the roots of those units that are not listed there say it themselves.

use super::code_map::{Stretch, covering};
use super::collection::Units;
use super::entry::UnitEntry;
use super::file_number::FileNumber;
use super::ranges::ranges;
use crate::sections::missing_debug_info::Subject;
use crate::sections::slice::{UnitRef, is_tombstone};
use crate::tasks::work::Measure;
use arch::LinkAddr;
use std::collections::HashSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// So many addresses are searched for before all ranges are put in order, which takes about as long.
const SEARCHED: usize = 16;

/// So many stretches are kept of what is known otherwise.
const KEPT: usize = 64;

impl<'a> Units<'a> {
    /// Finds the unit whose code is at an address. For a skeleton that is the split unit, if it can be had.
    pub(crate) fn unit_at(&self, address: LinkAddr) -> Option<&UnitEntry<'a>> {
        if let Some(unit) = self.early_unit_at(address) {
            return Some(unit);
        }
        let Some(number) = self.unit_number_at(address) else {
            self.sections.problems.suffer(|subject| subject == Subject::DebugFile);
            return None;
        };
        let unit = self.full(number);
        if unit.is_none() {
            self.sections.problems.suffer(|subject| subject == Subject::Split(number));
        }
        unit.or_else(|| self.units().get(number))
    }

    /// Finds the unit whose code is at an address, if not all units are known yet and `.debug_aranges` has it.
    pub(crate) fn early_unit_at(&self, address: LinkAddr) -> Option<&UnitEntry<'a>> {
        if !self.is_incomplete() || !self.is_large() {
            return None;
        }
        let offset = self.listed_unit_at(address)?;
        let die = FileNumber::MAIN.die_at(offset)?;
        // The full list has none for an offset where no unit begins.
        let begins = |unit: &&UnitEntry<'a>| unit.header().offset().0 as u64 == offset;
        self.early_unit_of(die).filter(begins).filter(|unit| !self.is_skeleton(unit))
    }

    fn unit_number_at(&self, address: LinkAddr) -> Option<usize> {
        let listed = self.is_large().then(|| self.listed_unit_at(address)).flatten();
        let others = || covering(self.code.others.get_or_init(|| self.ranges_of_unlisted()), address);
        listed.and_then(|offset| self.number_of(offset)).or_else(others)
    }

    /// Returns the number of the unit that begins at an offset.
    pub(crate) fn number_of(&self, offset: u64) -> Option<usize> {
        let unit = FileNumber::MAIN.die_at(offset)?;
        self.units().binary_search_by_key(&unit.0, |entry| entry.base).ok()
    }

    /// Notes code that a unit of the file with the debug info is known to have.
    pub(crate) fn note_code(&self, unit: &UnitEntry<'a>, ranges: &[(LinkAddr, LinkAddr)]) {
        let is_listed = unit.file() == FileNumber::MAIN && unit.header().section() == gimli::SectionId::DebugInfo;
        if is_listed && self.code.listed.get().is_none() {
            let offset = unit.header().offset().0 as u64;
            let mut found = self.code.found.lock().unwrap_or_else(PoisonError::into_inner);
            let room = KEPT.saturating_sub(found.len());
            found.extend(ranges.iter().take(room).map(|(start, end)| (*start, *end, offset)));
        }
    }

    /// Looks up the offset of the unit that `.debug_aranges` has for an address.
    pub(crate) fn listed_unit_at(&self, address: LinkAddr) -> Option<u64> {
        let known = &self.code;
        if known.listed.get().is_none() {
            let has = |(start, end, _): &Stretch<u64>| *start <= address && address < *end;
            // Ranges of units do not overlap but for identical functions that a linker folded: each is as good.
            //
            // A panic of another thread leaves at worst a missing entry behind.
            let found = || known.found.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, _, offset)) = found().iter().find(|stretch| has(stretch)) {
                return Some(*offset);
            }
            if known.searched.fetch_add(1, Ordering::Relaxed) < SEARCHED {
                let stretch = self.listed_ranges().filter(has).max()?;
                found().push(stretch);
                return Some(stretch.2);
            }
        }
        let ranges = known.listed.get_or_init(|| {
            let mut ranges: Vec<_> = self.listed_ranges().collect();
            ranges.sort_unstable();
            ranges
        });
        covering(ranges, address)
    }

    fn listed_ranges(&self) -> impl Iterator<Item = Stretch<u64>> {
        let mut headers = self.sections.aranges().headers();
        let headers = std::iter::from_fn(move || headers.next().ok().flatten());
        headers.flat_map(|header| {
            let (unit, mut entries) = (header.debug_info_offset().0 as u64, header.entries());
            let ranges = std::iter::from_fn(move || entries.next().ok().flatten());
            let stretch = move |range: gimli::ArangeEntry| {
                let (start, end) = (range.address(), range.address().saturating_add(range.length()));
                (start < end && !is_tombstone(start)).then_some((LinkAddr(start), LinkAddr(end), unit))
            };
            ranges.filter_map(stretch)
        })
    }

    fn ranges_of_unlisted(&self) -> Vec<Stretch<usize>> {
        let mut listed = HashSet::new();
        if self.is_large() {
            let mut offsets: Vec<u64> = self.listed_ranges().map(|(_, _, offset)| offset).collect();
            offsets.dedup();
            listed.extend(offsets.into_iter().filter_map(|offset| self.number_of(offset)));
        }
        let units = (self.units().len() - listed.len()) as u64;
        let task = self.sections.work.begin("finding the units of", Measure::Units, units);
        let mut table = Vec::new();
        for (number, entry) in self.units().iter().enumerate().filter(|(number, _)| !listed.contains(number)) {
            task.did(1);
            let Some(unit) = entry.unit(self) else { continue };
            let Ok(root) = unit.entry(unit.header.root_offset()) else {
                continue;
            };
            let mut found = ranges(unit, &root);
            if found.is_empty()
                && let Some(full) = self.full(number)
                && full.unit(self).is_some_and(may_have_functions)
            {
                // A root with neither DW_AT_ranges nor DW_AT_high_pc: its functions know.
                found = full.functions(self).all_ranges();
            }
            table.extend(found.into_iter().map(|(start, end)| (start, end, number)));
        }
        table.sort_unstable();
        table
    }
}

/// Returns whether some function of a unit has code, as its abbreviations tell: link-time optimisation leaves units
/// behind that describe a whole program but have no code, and walking them all would take long.
fn may_have_functions(unit: UnitRef<'_, '_>) -> bool {
    let addresses = |name| matches!(name, gimli::DW_AT_low_pc | gimli::DW_AT_ranges);
    let mut abbreviations = (1..).map_while(|code| unit.abbreviations.get(code)).peekable();
    abbreviations.peek().is_none()
        || abbreviations.any(|abbreviation| {
            abbreviation.tag() == gimli::DW_TAG_subprogram
                && abbreviation.attributes().iter().any(|a| addresses(a.name()))
        })
}

#[cfg(test)]
mod tests {
    use super::SEARCHED;
    use crate::cache::disk::Cache;
    use crate::testing::build;
    use crate::{Image, Work};
    use arch::LinkAddr;
    use std::collections::BTreeSet;

    #[test]
    fn addresses_are_found_alike_by_searching_in_order_and_by_the_units_themselves() {
        let program = build("gcc", "-g -O2 -Wl,--allow-multiple-definition", &["symbols.c", "inline_chain.c"]);
        let bytes = program.bytes.to_vec();
        let open = |cache| Image::from_bytes_cached("program", bytes.clone(), cache, &Work::default()).unwrap();
        let (ordered, small) = (open(Cache::off(1)), open(Cache::default()));
        let number = |image: &Image, at| image.with_debug(|debug| debug.unit_number_at(at));
        let ranges: Vec<_> = ordered.with_debug(|debug| debug.listed_ranges().collect());
        (0..=SEARCHED).for_each(|_| assert_eq!(number(&ordered, LinkAddr(1)), None));
        assert!(ordered.with_debug(|debug| debug.code.listed.get().is_some()));
        let mut units = BTreeSet::new();
        for (start, end, offset) in ranges {
            for at in [start, LinkAddr(end.0 - 1), end] {
                let searching = open(Cache::off(1));
                let found = number(&small, at);
                assert_eq!(number(&searching, at), found, "{at:?}");
                assert_eq!(number(&ordered, at), found, "{at:?}");
                assert!(searching.with_debug(|debug| debug.code.listed.get().is_none()));
            }
            units.insert(offset);
        }
        assert_eq!(units.len(), 2);
    }
}
