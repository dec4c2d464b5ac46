//! Which language a unit is written in (DWARF 5 section 7.12). Partial units (section 3.2.2), which have what several
//! units have in common, taken out of them by dwz or at link time, may leave that to those that import them.

use super::collection::Units;
use super::entry::UnitEntry;
use crate::model::die::DieId;
use crate::sections::slice::Die;
use crate::tasks::work::Measure;
use arch::LinkAddr;
use gimli::AttributeValue;
use std::collections::HashMap;

impl<'a> Units<'a> {
    /// Returns the language of the unit at an address, if it has a name here.
    pub(crate) fn language_at(&self, a: LinkAddr) -> Option<&'static str> {
        unit_language(self, self.unit_at(a)?)
    }

    /// Returns DW_AT_language of a unit; of a partial unit that has none, that of a unit that imports it.
    pub(crate) fn language(&self, entry: &UnitEntry<'a>) -> Option<gimli::DwLang> {
        self.own_language(entry).or_else(|| self.own_language(self.importer(entry)?))
    }

    /// Returns a unit that imports a partial unit.
    pub(crate) fn importer(&self, entry: &UnitEntry<'a>) -> Option<&UnitEntry<'a>> {
        let importers = self.importers.get_or_init(|| self.find_importers());
        self.full(*importers.get(&entry.root()?)?)
    }

    fn own_language(&self, entry: &UnitEntry<'a>) -> Option<gimli::DwLang> {
        match self.root(entry)?.attr_value(gimli::DW_AT_language)? {
            AttributeValue::Language(language) => Some(language),
            _ => None,
        }
    }

    fn root(&self, entry: &UnitEntry<'a>) -> Option<Die<'a>> {
        let unit = entry.unit(self)?;
        unit.entry(unit.header.root_offset()).ok()
    }

    fn find_importers(&self) -> HashMap<DieId, usize> {
        let mut importers = HashMap::new();
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

    /// Reads the units that the first DIEs of a unit import; that is where the imports are.
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

/// Returns the language of a unit, by the name it has in [`Image::language_at`](crate::Image::language_at).
pub(crate) fn unit_language<'a>(units: &Units<'a>, entry: &UnitEntry<'a>) -> Option<&'static str> {
    match units.language(entry)? {
        gimli::DW_LANG_C | gimli::DW_LANG_C89 | gimli::DW_LANG_C99 | gimli::DW_LANG_C11 | gimli::DW_LANG_C17 => {
            Some("c")
        }
        language if is_c_plus_plus(language) => Some("c++"),
        gimli::DW_LANG_Rust => Some("rust"),
        gimli::DW_LANG_Fortran77
        | gimli::DW_LANG_Fortran90
        | gimli::DW_LANG_Fortran95
        | gimli::DW_LANG_Fortran03
        | gimli::DW_LANG_Fortran08
        | gimli::DW_LANG_Fortran18 => Some("fortran"),
        gimli::DW_LANG_Ada83 | gimli::DW_LANG_Ada95 | gimli::DW_LANG_Ada2005 | gimli::DW_LANG_Ada2012 => Some("ada"),
        gimli::DW_LANG_Pascal83 => Some("pascal"),
        gimli::DW_LANG_Modula2 => Some("modula-2"),
        gimli::DW_LANG_Cobol74 | gimli::DW_LANG_Cobol85 => Some("cobol"),
        gimli::DW_LANG_D => Some("d"),
        gimli::DW_LANG_Go => Some("go"),
        gimli::DW_LANG_ObjC => Some("objective-c"),
        // Of assemblers for any processor.
        gimli::DW_LANG_Mips_Assembler => Some("asm"),
        _ => None,
    }
}

/// Returns whether a language is some version of C++.
pub(crate) fn is_c_plus_plus(language: gimli::DwLang) -> bool {
    matches!(
        language,
        gimli::DW_LANG_C_plus_plus
            | gimli::DW_LANG_C_plus_plus_03
            | gimli::DW_LANG_C_plus_plus_11
            | gimli::DW_LANG_C_plus_plus_14
            | gimli::DW_LANG_C_plus_plus_17
            | gimli::DW_LANG_C_plus_plus_20
    )
}

/// Returns whether elements beyond an array's bounds are refused, as GDB does for Fortran: C has none, and of Pascal the
/// bounds of what a pointer leads to may be too narrow on purpose.
pub(crate) fn is_bounded<'a>(units: &Units<'a>, entry: &UnitEntry<'a>) -> bool {
    unit_language(units, entry) == Some("fortran")
}

/// Returns the index that an array counts from if it does not say so (DWARF 5 table 7.17).
pub(crate) fn first_index<'a>(units: &Units<'a>, entry: &UnitEntry<'a>) -> i64 {
    match unit_language(units, entry) {
        Some("fortran" | "ada" | "pascal" | "modula-2" | "cobol") => 1,
        _ => units.language(entry).and_then(|language| language.default_lower_bound()).map_or(0, |bound| bound as i64),
    }
}
