//! Partial units (DWARF 5 section 3.2.2): what several units have in common, taken out of them and imported instead,
//! by dwz or at link time. They may leave out what their importers say about themselves.

use crate::dwarf::model::die::DieId;
use crate::dwarf::tasks::work::Measure;
use crate::dwarf::units::collection::{Debug, Die, UnitEntry};
use gimli::AttributeValue;
use std::collections::HashMap;

/// Units by the root DIEs of the partial units that they import, directly or not; of several, the first.
pub(in crate::dwarf) type Importers = HashMap<DieId, usize>;

impl<'a> Debug<'a> {
    /// DW_AT_language of a unit; of a partial unit that has none, that of a unit that imports it.
    pub(in crate::dwarf) fn language(&self, entry: &UnitEntry<'a>) -> Option<gimli::DwLang> {
        self.own_language(entry).or_else(|| {
            let importers = self.importers.get_or_init(|| self.find_importers());
            self.own_language(self.full(*importers.get(&entry.root()?)?)?)
        })
    }

    fn own_language(&self, entry: &UnitEntry<'a>) -> Option<gimli::DwLang> {
        match self.root(entry)?.attr_value(gimli::DW_AT_language)? {
            AttributeValue::Language(language) => Some(language),
            _ => None,
        }
    }

    fn root(&self, entry: &UnitEntry<'a>) -> Option<Die<'a>> {
        entry.unit(self)?.entry(entry.header().root_offset()).ok()
    }

    fn find_importers(&self) -> Importers {
        let mut importers = Importers::new();
        let task = self.sections.work.begin("finding imports of", Measure::Units, self.units().len() as u64);
        for (number, entry) in self.units().iter().enumerate() {
            task.did(1);
            if self.root(entry).is_none_or(|root| root.tag() == gimli::DW_TAG_partial_unit) {
                continue;
            }
            let mut open = self.leading_imports(entry);
            while let Some(root) = open.pop() {
                let vacant = !importers.contains_key(&root);
                if vacant && let Some(imported) = self.unit_of(root) {
                    importers.insert(root, number);
                    open.extend(self.leading_imports(imported));
                }
            }
        }
        importers
    }

    /// The units that the first DIEs of a unit import; that is where the imports are.
    fn leading_imports(&self, entry: &UnitEntry<'a>) -> Vec<DieId> {
        let mut imports = Vec::new();
        let Some(unit) = entry.unit(self) else { return imports };
        let mut cursor = unit.entries();
        // Past the root.
        let _ = cursor.next_dfs();
        while let Ok(Some(die)) = cursor.next_dfs()
            && die.tag() == gimli::DW_TAG_imported_unit
        {
            imports.extend(self.referenced(entry, die, gimli::DW_AT_import));
        }
        imports
    }
}
