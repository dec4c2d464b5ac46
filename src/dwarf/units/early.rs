//! Answers of a large file before the names of all its units are known.
//!
//! Of a `.debug_info` that is still being unpacked, units can be had as soon as they are there: `.debug_aranges` tells
//! which one has the code at an address, so that what is asked about a place in the program need not wait for the rest.
//!
//! Nor need what is asked about a name that the symbol table has: the functions of that name are at their symbols, and
//! a class that a function is a member of is complete in the unit of that function. What else has the name (inlined
//! copies of a function, functions without a symbol) is known when the names of all units are.

use crate::arch::LinkAddr;
use crate::dwarf::image::facade::Image;
use crate::dwarf::model::code::Function;
use crate::dwarf::model::die::DieId;
use crate::dwarf::names::index::NameKind;
use crate::dwarf::naming::components::is_spelled_out;
use crate::dwarf::naming::query::NameQuery;
use crate::dwarf::units::collection::{Debug, UnitEntry};
use crate::dwarf::units::split::FileNumber;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A name that more symbols have is not looked for at each of them.
const MAX_SYMBOLS: usize = 16;

/// No more units are looked into for a class: what its name is that of, is a namespace.
const MAX_UNITS: usize = 4;

/// So many lists of units there are.
const LISTS: usize = 256;

/// The units that were asked for so far.
pub(in crate::dwarf) struct EarlyUnits<'a> {
    /// By the offset of the unit. Whoever has found one keeps it, so they stay where they are.
    lists: Box<[List<UnitEntry<'a>>]>,
}

impl Default for EarlyUnits<'_> {
    fn default() -> Self {
        Self { lists: (0..LISTS).map(|_| List::default()).collect() }
    }
}

impl<'a> EarlyUnits<'a> {
    /// Those among which the unit at an offset is.
    fn around(&self, offset: usize) -> Option<&List<UnitEntry<'a>>> {
        // Units do not begin at the same distance from each other: any bits are good.
        self.lists.get((offset ^ offset >> 8 ^ offset >> 16) % LISTS)
    }
}

/// What is only ever added to.
struct List<T>(OnceLock<Box<Link<T>>>);

struct Link<T> {
    item: T,
    next: List<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Drop for List<T> {
    /// One after the other: each in the one before it would need a stack for all.
    fn drop(&mut self) {
        let mut first = self.0.take();
        while let Some(mut link) = first {
            first = link.next.0.take();
        }
    }
}

impl<T> List<T> {
    fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::successors(self.0.get(), |link| link.next.0.get()).map(|link| &link.item)
    }

    /// At the end.
    fn add(&self, item: T) {
        let mut end = self;
        let mut link = Box::new(Link { item, next: Self::default() });
        while let Err(back) = end.0.set(link) {
            let Some(taken) = end.0.get() else { return };
            (end, link) = (&taken.next, back);
        }
    }
}

impl<'a> Debug<'a> {
    /// The unit that a DIE is in, if not all units are known yet; waits until it is there.
    pub(in crate::dwarf) fn early_unit_of(&self, die: DieId) -> Option<&UnitEntry<'a>> {
        if !self.is_incomplete() || FileNumber::of(die) != FileNumber::MAIN {
            return None;
        }
        // Those of DIEs of `.debug_types` are greater than any.
        let range = self.sections.unit_around(usize::try_from(die.0).ok()?)?;
        let start = range.start;
        let units = self.early.around(start)?;
        // Several threads may add the same one: the first is the one to find.
        let find = || units.iter().find(|unit| unit.has(die));
        if let Some(unit) = find() {
            return Some(unit);
        }
        self.sections.need_info(range);
        let header = self.dwarf.debug_info.header_from_offset(gimli::DebugInfoOffset(start)).ok()?;
        units.add(UnitEntry::new(FileNumber::MAIN, header)?);
        find()
    }

    /// The unit whose code is at an address, if not all units are known yet and `.debug_aranges` has it.
    pub(in crate::dwarf) fn early_unit_at(&self, address: LinkAddr) -> Option<&UnitEntry<'a>> {
        if !self.is_incomplete() || !self.is_large() {
            return None;
        }
        let offset = self.listed_unit_at(address)?;
        let die = FileNumber::MAIN.die_at(offset)?;
        // The full list has none for an offset where no unit begins.
        let begins = |unit: &&UnitEntry<'a>| unit.header().offset().0 as u64 == offset;
        self.early_unit_of(die).filter(begins).filter(|unit| !self.is_skeleton(unit))
    }
}

impl Image {
    /// While the names of a large file are still being read, those functions of a name that the symbol table has: each
    /// with its place, file and line, like [`Image::functions_named`] has them. That one waits for the rest: functions
    /// without a symbol, and with [`Image::inlined_copies`], places where the function is inlined.
    ///
    /// `None` if there is nothing to wait for, or if no answer can be had without; none at all if no symbol has the
    /// name.
    pub fn functions_by_symbol(&self, name: &str) -> Option<Vec<Function>> {
        if !self.is_reading() {
            return None;
        }
        let symbols: BTreeSet<LinkAddr> =
            self.symbols_named(name).into_iter().filter(|s| s.is_code).map(|s| s.address).collect();
        if symbols.is_empty() {
            return Some(Vec::new());
        }
        if symbols.len() > MAX_SYMBOLS {
            return None;
        }
        let described = |at: LinkAddr| {
            self.with_debug(|debug| {
                if debug.is_incomplete() && debug.early_unit_at(at).is_none() {
                    return None;
                }
                let (unit, function) = debug.function_die_at(at)?;
                self.described_function(debug, unit.id_of(function)?).filter(|function| function.entry == at)
            })
        };
        let found: BTreeMap<LinkAddr, Function> =
            symbols.into_iter().filter_map(|at| Some((at, described(at)?))).collect();
        Some(found.into_values().collect::<Vec<_>>()).filter(|found| !found.is_empty())
    }

    /// Whether names of a large file are being read. Begins it.
    fn is_reading(&self) -> bool {
        self.with_debug(|debug| debug.is_reading())
    }

    /// The same for the definition of a class: `name` with all scopes around it. It is that of a unit with a function
    /// of the class, of several the first in the file; not always the one that is found when all names are known, but
    /// one of the same class. What else has the name, as a type definition in another unit, is not known.
    pub(in crate::dwarf) fn class_by_symbol(&self, kinds: &[NameKind], name: &str) -> Option<DieId> {
        let query = NameQuery::parse(name);
        let components: Vec<&str> = query.scopes().iter().copied().chain([query.last()]).collect();
        if query.parameters.is_some() || !components.iter().all(|part| is_spelled_out(part)) || !self.is_reading() {
            return None;
        }
        let functions = self.symbols().functions_inside(&components);
        let whole = components.join("::");
        self.with_debug(|debug| {
            let units: BTreeSet<u64> = functions.into_iter().filter_map(|at| debug.listed_unit_at(at)).collect();
            let roots = units.into_iter().take(MAX_UNITS).filter_map(|offset| FileNumber::MAIN.die_at(offset));
            let definition = |root| {
                let begins = debug.unit_of(root).is_some_and(|unit| unit.header().offset().0 as u64 == root.0);
                let names = debug.early_names_around(root).filter(|_| begins)?;
                let is_it = |die: DieId| names.qualified(die).as_deref() == Some(&*whole);
                let has = |kind: &NameKind| {
                    names.find(*kind, &query).find(|e| !e.declaration && !e.local && is_it(e.die)).map(|e| e.die)
                };
                // A type definition of this very name comes first.
                let other = [NameKind::Typedef, NameKind::BaseType].iter().any(|kind| has(kind).is_some());
                kinds.iter().find_map(has).filter(|_| !other)
            };
            roots.into_iter().find_map(definition)
        })
    }
}

#[cfg(test)]
mod tests;
