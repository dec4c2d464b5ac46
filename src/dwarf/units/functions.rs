//! The functions of a unit that have code.

use super::ranges::{Ranges, ranges};
use crate::sections::slice::{Die, UnitRef};
use arch::LinkAddr;
use gimli::UnitOffset;

/// The functions of one unit that have code: first address, one past the last, DIE; sorted. A function whose code is
/// in several places (`.text.unlikely`) is there several times.
#[derive(Default)]
pub(crate) struct UnitFunctions {
    ranges: Vec<(LinkAddr, LinkAddr, UnitOffset)>,
    /// What is directly around a function within another, and around the blocks that are: a block or a function. Sorted.
    nested: Vec<(UnitOffset, UnitOffset)>,
    /// Declarations that give what they import a name, and what they are directly in.
    aliases: Vec<(UnitOffset, UnitOffset)>,
    /// Using-directives, and using-declarations, which keep the name of what they import; and what they are directly in.
    imports: Vec<(UnitOffset, UnitOffset)>,
    /// Namespaces, and what they are directly in. Sorted.
    namespaces: Vec<(UnitOffset, UnitOffset)>,
    /// Variables outside of functions that say no name, and what they are directly in. Sorted.
    nameless: Vec<(UnitOffset, UnitOffset)>,
}

/// A DIE around the one that is read.
struct Open {
    die: UnitOffset,
    /// It is a function or a block of one.
    is_code: bool,
    /// What is around it has been noted.
    is_noted: bool,
}

impl UnitFunctions {
    /// Reads those of a unit. A malformed one yields what comes before the damage.
    pub(super) fn read(unit: UnitRef<'_, '_>) -> Self {
        let mut functions = Self::default();
        let _ = functions.read_all(unit);
        functions.ranges.sort_unstable();
        functions.nested.sort_unstable();
        functions.namespaces.sort_unstable();
        functions
    }

    /// Returns the code of all functions.
    pub(crate) fn all_ranges(&self) -> Ranges {
        self.ranges.iter().map(|(start, end, _)| (*start, *end)).collect()
    }

    pub(super) fn at(&self, a: LinkAddr) -> Option<UnitOffset> {
        let after = self.ranges.partition_point(|(start, _, _)| *start <= a);
        // Functions do not overlap, but for ones that were folded into one and for nested ones.
        let mut candidates = self.ranges.get(..after)?.iter().rev().take(8);
        candidates.find(|(_, end, _)| a < *end).map(|(_, _, die)| *die)
    }

    /// Returns the block or function directly around a nested function, or around a block that such a function is in.
    pub(crate) fn scope_of(&self, die: UnitOffset) -> Option<UnitOffset> {
        let at = self.nested.binary_search_by_key(&die, |(inner, _)| *inner).ok()?;
        self.nested.get(at).map(|(_, outer)| *outer)
    }

    /// Returns the declarations that give something another name, each with the DIE that it is directly in.
    pub(crate) fn aliases(&self) -> &[(UnitOffset, UnitOffset)] {
        &self.aliases
    }

    /// Returns the using-directives and using-declarations, each with the DIE that it is directly in.
    pub(crate) fn imports(&self) -> &[(UnitOffset, UnitOffset)] {
        &self.imports
    }

    /// Returns the namespaces, each with what it is directly in.
    pub(crate) fn namespaces(&self) -> &[(UnitOffset, UnitOffset)] {
        &self.namespaces
    }

    /// Returns what a namespace is directly in.
    pub(crate) fn around_namespace(&self, namespace: UnitOffset) -> Option<UnitOffset> {
        let at = self.namespaces.binary_search_by_key(&namespace, |(inner, _)| *inner).ok()?;
        self.namespaces.get(at).map(|(_, outer)| *outer)
    }

    /// Returns the variables outside of functions that say no name themselves, each with what it is directly in.
    pub(crate) fn nameless(&self) -> &[(UnitOffset, UnitOffset)] {
        &self.nameless
    }

    /// Notes what is around a function, if that is another.
    fn note(&mut self, function: UnitOffset, open: &mut [Open]) {
        let mut inner = function;
        for outer in open.iter_mut().rev().take_while(|outer| outer.is_code) {
            self.nested.push((inner, outer.die));
            inner = outer.die;
            if std::mem::replace(&mut outer.is_noted, true) {
                break;
            }
        }
    }

    fn read_all<'a>(&mut self, unit: UnitRef<'_, 'a>) -> gimli::Result<()> {
        let mut input = unit.entries_raw(None)?;
        let mut die = Die::null();
        let mut open: Vec<Open> = Vec::new();
        while !input.is_empty() {
            let (at_die, offset) = (input.clone(), input.next_offset());
            let Some(abbreviation) = input.read_abbreviation()? else {
                open.pop();
                continue;
            };
            let tag = abbreviation.tag();
            if tag == gimli::DW_TAG_subprogram {
                self.note(offset, &mut open);
            }
            let has_name = || abbreviation.attributes().iter().any(|attribute| attribute.name() == gimli::DW_AT_name);
            let around = open.last().map(|around| (offset, around.die));
            match tag {
                gimli::DW_TAG_imported_declaration if has_name() => self.aliases.extend(around),
                gimli::DW_TAG_imported_declaration | gimli::DW_TAG_imported_module => self.imports.extend(around),
                _ => {}
            }
            if tag == gimli::DW_TAG_namespace {
                self.namespaces.extend(around);
            }
            if tag == gimli::DW_TAG_variable && !has_name() && open.iter().all(|around| !around.is_code) {
                self.nameless.extend(around);
            }
            if abbreviation.has_children() {
                let is_code = matches!(tag, gimli::DW_TAG_subprogram | gimli::DW_TAG_lexical_block);
                open.push(Open { die: offset, is_code, is_noted: false });
            }
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
