//! Names of functions for people.

use super::lookup::Names;
use crate::model::code::SourcePath;
use crate::model::die::{DEEPEST, DieId};
use crate::naming::demangle::demangle;
use crate::sections::slice::{Die, UnitRef};
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use base::qualified::ANONYMOUS_NAMESPACE;
use std::sync::Arc;

/// DW_AT_abstract_origin and DW_AT_specification are followed no further than this.
const MAX_HOPS: usize = 8;

/// What a DIE and the ones that it completes say about its declaration.
#[derive(Default)]
pub(crate) struct Declared<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) linkage_name: Option<&'a str>,
    pub(crate) file: Option<Arc<SourcePath>>,
    pub(crate) line: Option<u32>,
    /// The last DIE of the chain: the one that is in its proper scope.
    innermost: Option<DieId>,
}

impl<'a> Declared<'a> {
    /// Reads what a DIE declares.
    pub(crate) fn of(units: &Units<'a>, entry: &UnitEntry<'a>, unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Self {
        let mut declared = Self::default();
        let mut next = declared.take(units, entry, unit, die);
        for _ in 0..MAX_HOPS {
            let Some((entry, unit, die)) = next.and_then(|id| units.die(id)) else {
                break;
            };
            next = declared.take(units, entry, unit, &die);
        }
        declared
    }

    /// Adds what one DIE of the chain says; the next one, if there is one.
    fn take(
        &mut self,
        units: &Units<'a>,
        entry: &UnitEntry<'a>,
        unit: UnitRef<'_, 'a>,
        die: &Die<'a>,
    ) -> Option<DieId> {
        let text = |name| die.attr_value(name).and_then(|v| units.string(unit, v));
        let number = |name| die.attr_value(name).and_then(|v| v.udata_value());
        self.innermost = entry.id_of(die.offset());
        self.name = self.name.or_else(|| text(gimli::DW_AT_name));
        let linkage_name = || text(gimli::DW_AT_linkage_name).or_else(|| text(gimli::DW_AT_MIPS_linkage_name));
        self.linkage_name = self.linkage_name.or_else(linkage_name);
        if self.line.is_none() {
            self.line = number(gimli::DW_AT_decl_line).and_then(|n| u32::try_from(n).ok()).filter(|n| *n != 0);
            // A definition in the file of its declaration has a line only.
            self.file = None;
        }
        if self.file.is_none() {
            self.file = entry.file_of(units, die, gimli::DW_AT_decl_file);
        }
        let origin = units.referenced(entry, die, gimli::DW_AT_abstract_origin);
        origin.or_else(|| units.referenced(entry, die, gimli::DW_AT_specification))
    }
}

/// Returns the name for people of a DW_TAG_subprogram or DW_TAG_inlined_subroutine: the demangled linkage name, or else
/// the name with the scopes around it.
pub(crate) fn display_name(names: &Names<'_>, id: DieId) -> Option<Arc<str>> {
    // A panic of another thread leaves at worst a missing entry behind.
    let lock = || names.display_names.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = lock().get(&id) {
        return Some(known.clone());
    }
    let (entry, unit, die) = names.die(id)?;
    let declared = Declared::of(names, entry, unit, &die);
    let demangled = declared.linkage_name.and_then(demangle);
    let shown = match (demangled, declared.name) {
        (Some(shown), _) => shown,
        (None, Some(name)) => {
            let mut parts = declared.innermost.map(|d| scopes_around(names, d)).unwrap_or_default();
            parts.push(name.to_owned());
            parts.join("::")
        }
        (None, None) => declared.linkage_name?.to_owned(),
    };
    let shown: Arc<str> = shown.into();
    lock().insert(id, shown.clone());
    Some(shown)
}

/// Finds the named scopes around a DIE, outermost first. Found by descending from the root of the unit: DIEs do not say
/// what they are in, and building the index of all names would cost too much for the name of one function.
fn scopes_around(units: &Units<'_>, id: DieId) -> Vec<String> {
    let mut parts = Vec::new();
    let Some(entry) = units.unit_of(id) else { return parts };
    let (Some(unit), Some(target)) = (entry.unit(units), entry.offset_of(id)) else {
        return parts;
    };
    if !has_scopes(units, entry) {
        return parts;
    }
    let mut open: Vec<(isize, Option<String>)> = Vec::new();
    let mut cursor = unit.entries();
    while let Ok(Some(die)) = cursor.next_dfs() {
        while open.pop_if(|(depth, _)| *depth >= die.depth()).is_some() {}
        if die.offset() >= target {
            break;
        }
        if open.len() >= DEEPEST {
            continue;
        }
        let name = match die.tag() {
            gimli::DW_TAG_namespace => units.name(unit, die).or(Some(ANONYMOUS_NAMESPACE)),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => units.name(unit, die),
            gimli::DW_TAG_enumeration_type => units.name(unit, die),
            gimli::DW_TAG_subprogram => units.name(unit, die),
            _ => continue,
        };
        open.push((die.depth(), name.map(str::to_owned)));
    }
    parts.extend(open.into_iter().filter_map(|(_, name)| name));
    parts
}

/// Returns whether the language of a unit has qualified names: any but C and assembler.
fn has_scopes<'a>(units: &Units<'a>, entry: &UnitEntry<'a>) -> bool {
    let Some(language) = units.language(entry) else {
        return true;
    };
    let plain = [
        gimli::DW_LANG_C,
        gimli::DW_LANG_C89,
        gimli::DW_LANG_C99,
        gimli::DW_LANG_C11,
        gimli::DW_LANG_C17,
        gimli::DW_LANG_Mips_Assembler,
    ];
    !plain.contains(&language)
}
