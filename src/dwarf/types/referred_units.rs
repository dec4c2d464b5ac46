//! What a unit has in other units: types in type units that it refers to by their signatures, and partial units that it
//! imports (DWARF 5 sections 3.1.3, 3.1.4 and E.1.3).

use super::by_die::Types;
use crate::model::die::DieId;
use crate::tasks::work::{Measure, READING};
use crate::units::entry::UnitEntry;
use std::collections::BTreeSet;
use std::sync::Arc;

/// No unit has more of them.
const MOST: usize = 1 << 16;

impl<'a> Types<'a> {
    /// Returns the roots of the units that a unit refers to so, directly or through others of them, by rising DIE.
    pub(super) fn referred_units(&self, unit: DieId) -> Arc<[DieId]> {
        self.referred_by(unit, || {
            let (mut found, mut open) = (BTreeSet::new(), vec![unit]);
            while let Some(entry) = open.pop().and_then(|root| self.unit_of(root)) {
                let units = self.referred(entry).unwrap_or_default().into_iter().filter_map(|die| self.unit_of(die));
                let roots = units.filter_map(UnitEntry::root).filter(|root| *root != unit);
                for root in roots.collect::<Vec<_>>() {
                    if found.len() < MOST && found.insert(root) {
                        open.push(root);
                    }
                }
            }
            found.into_iter().collect()
        })
    }

    /// Finds the DIEs in other units that a unit refers to so.
    fn referred(&self, entry: &UnitEntry<'a>) -> Option<BTreeSet<DieId>> {
        let size = entry.header().length_including_self();
        let task = self.sections.work.begin(READING, Measure::Bytes, size as u64);
        let unit = entry.unit(self)?;
        let mut input = unit.entries_raw(None).ok()?;
        let mut found = BTreeSet::new();
        while !input.is_empty() {
            let Some(abbreviation) = input.read_abbreviation().ok()? else { continue };
            let is_import = abbreviation.tag() == gimli::DW_TAG_imported_unit;
            let has_signature = abbreviation.attributes().iter().any(|one| one.form() == gimli::DW_FORM_ref_sig8);
            if !is_import && !has_signature {
                input.skip_attributes(abbreviation.attributes()).ok()?;
                continue;
            }
            for one in abbreviation.attributes() {
                let attribute = input.read_attribute(*one).ok()?;
                if is_import && attribute.name() == gimli::DW_AT_import || one.form() == gimli::DW_FORM_ref_sig8 {
                    found.extend(self.reference(entry, attribute.value()));
                }
            }
        }
        task.did(size);
        Some(found)
    }
}
