//! The directory of names: which units of a large file to look into for a name.
//!
//! The index of all names of a file takes several times the memory that the answers need: most of what it lists are
//! copies, for each unit describes every class that it uses. The directory has one small row for each name that may be
//! an answer, with the number of its unit; a question then reads the names of these units only. A type is listed for
//! the first unit that defines it and the first that declares it; a function for each unit that has code of it, its own
//! or inlined; a variable likewise for each that defines it.
//!
//! It is made in one pass by several threads and kept in the cache. The names of units that refer to each other are not
//! to be known from one unit: where these are few (those of the Rust standard library, in every Rust program), they are
//! linked, and their names are read together. Files where most units do (link-time optimisation), or that refer to
//! other sections and files (dwz, type units, split units), have no directory.

use super::row::{ANYWHERE, ROW, Row, VTABLES, letters};
use crate::cache::disk::{Cache, Key, Stored};
use crate::compressed::unit_queue::UnitQueue;
use crate::elf::file::ElfFile;
use crate::names::entry::{NameKind, hash};
use crate::names::unit_scan::{Seen, UnitRows, forget_read, scan};
use crate::naming::query::NameQuery;
use crate::sections::set::SectionSet;
use crate::sections::slice::Slice;
use crate::tasks::parallel::{in_parallel, threads};
use crate::tasks::work::READING;
use crate::tasks::work::{Measure, Task, Workplace};
use crate::units::collection::Units;
use crate::units::entry::list_units;
use crate::units::file_number::FileNumber;
use base::qualified::bare;
use gimli::{LittleEndian, SectionId};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Linked units of together so many bytes are always few.
const FEW: usize = 4 << 20;

/// Otherwise they are if they are at most one part in so many.
const SHARE: usize = 4;

/// Of what is kept; older ones count as absent.
const VERSION: u8 = 4;

/// Which units have which names.
pub(crate) struct Directory {
    /// One block that says for how many units it is, one for each unit that is linked, then rows by rising order.
    contents: Stored,
}

impl Directory {
    /// Opens the directory of a file: as it was `made`, from the cache, or made now and then kept there. `None` if it
    /// can have none.
    pub(crate) fn open(units: &Units<'_>, made: Option<Self>) -> Option<Self> {
        let sections = units.sections;
        let count = u32::try_from(units.units().len()).ok().filter(|count| *count != 0)?;
        let cached = || Self::cached(sections.debug(), &sections.cache).filter(|found| found.is_for(count));
        // Without a thread for it, nobody else has.
        let make = || Self::keep(read(sections.main(), &sections.work), sections.debug(), &sections.cache);
        Some(made.filter(|made| made.is_for(count)).or_else(cached).unwrap_or_else(make)).filter(Self::is_usable)
    }

    /// Reads the directory that the cache has.
    pub(crate) fn cached(file: &ElfFile, cache: &Cache) -> Option<Self> {
        Some(Self { contents: Stored::OnDisk(cache.get(&Self::key(file)?, true)?) })
    }

    fn key(file: &ElfFile) -> Option<Key> {
        let mut key = file.section(".debug_info").and_then(|section| file.cache_key(section, "names"))?;
        key.source.push(VERSION);
        Some(key)
    }

    /// Keeps what was made in the cache, and returns the directory of it.
    pub(crate) fn keep(made: Made, file: &ElfFile, cache: &Cache) -> Self {
        let usable = u32::from(made.names.is_some());
        let (linked, rows) = made.names.unwrap_or_default();
        // There are fewer units than that: it could not have been made.
        let head = Row { bare: made.units as u32, full: usable, parent: linked.len() as u32, unit: 0 };
        let linked = linked.into_iter().map(|unit| Row { bare: 0, full: 0, parent: 0, unit });
        let contents: Vec<u8> =
            std::iter::once(head).chain(linked).chain(rows.iter().copied()).flat_map(|row| row.bytes()).collect();
        drop(rows);
        // What was read of a file that became shorter is not that of the whole one.
        let key = Self::key(file).filter(|_| !file.is_damaged());
        Self { contents: cache.keep(key.as_ref(), contents) }
    }

    fn head(&self) -> Option<Row> {
        self.contents.first_chunk::<ROW>().map(Row::of)
    }

    fn is_for(&self, units: u32) -> bool {
        self.contents.len().is_multiple_of(ROW) && self.head().is_some_and(|head| head.bare == units)
    }

    fn is_usable(&self) -> bool {
        self.head().is_some_and(|head| head.full == 1)
    }

    /// Returns the blocks that come behind the first block: of the linked units, and of the others' names.
    fn blocks(&self) -> (&[[u8; ROW]], &[[u8; ROW]]) {
        let blocks = self.contents.as_chunks::<ROW>().0.get(1..).unwrap_or_default();
        let linked = self.head().map_or(0, |head| head.parent as usize);
        blocks.split_at(linked.min(blocks.len()))
    }

    /// Iterates over the units whose names are to be read together, by rising number. They may have an answer to any
    /// query.
    pub(crate) fn linked(&self) -> impl Iterator<Item = usize> {
        self.blocks().0.iter().map(|block| Row::of(block).unit as usize)
    }

    /// Finds the other units that may have an answer to a query, by rising number.
    pub(crate) fn units(&self, kinds: &[NameKind], query: &NameQuery<'_>) -> Vec<usize> {
        let (_, rows) = self.blocks();
        let last = query.last();
        // The names of templates may be without arguments.
        let full = (bare(last) != last).then(|| [letters(last), letters(bare(last))]);
        let parent = query.scopes().last().map(|scope| letters(bare(scope)));
        let mut units = Vec::new();
        for kind in kinds {
            let key = hash(*kind, bare(last)) as u32;
            let start = rows.partition_point(|row| Row::of(row).bare < key);
            let same = rows.get(start..).unwrap_or_default().iter().map(Row::of).take_while(|row| row.bare == key);
            let fits = |row: &Row| {
                full.is_none_or(|full| full.contains(&row.full))
                    && parent.is_none_or(|parent| row.parent == parent || row.parent == ANYWHERE)
            };
            units.extend(same.filter(fits).map(|row| row.unit as usize));
        }
        units.sort_unstable();
        units.dedup();
        units
    }

    /// Finds the units that have variables whose names end in `::{vtable}`.
    pub(crate) fn units_with_vtables(&self) -> Vec<usize> {
        self.units(&[NameKind::Variable], &NameQuery::parse(VTABLES))
    }
}

/// Puts the rows of all units in order.
fn rows_of(found: Vec<UnitRows>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut first = Vec::new();
    for mut unit in found {
        rows.append(&mut unit.each);
        first.append(&mut unit.first);
    }
    first.sort_unstable_by_key(|(identity, row)| (*identity, row.unit));
    let mut last = None;
    for (identity, row) in first {
        let (known, unit) = *last.get_or_insert((identity, row.unit));
        if identity != known {
            last = Some((identity, row.unit));
        } else if row.unit != unit {
            continue;
        }
        rows.push(row);
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// What was made of a section.
pub(crate) struct Made {
    /// Of so many.
    pub(crate) units: usize,
    /// The numbers of linked units, and the rows of the others. `None`: it can have no directory.
    names: Option<(BTreeSet<u32>, Vec<Row>)>,
}

impl Made {
    /// Creates the `Made` of what was found in all units.
    fn of(mut found: Vec<UnitRows>) -> Self {
        found.sort_unstable_by_key(|unit| unit.place.start);
        let with = |offset: usize| {
            let after = found.partition_point(|unit| unit.place.start <= offset);
            found.get(after.checked_sub(1)?).filter(|unit| unit.place.contains(&offset))
        };
        let referring = || found.iter().filter(|unit| !unit.elsewhere.is_empty());
        let referred = referring().flat_map(|unit| &unit.elsewhere).filter_map(|offset| with(*offset));
        let linked: BTreeSet<u32> = referring().chain(referred).map(|unit| unit.number).collect();
        let size = |unit: &UnitRows| unit.place.len();
        let linked_size: usize = found.iter().filter(|unit| linked.contains(&unit.number)).map(size).sum();
        let all = found.iter().map(size).sum();
        let units = found.len();
        if !are_few(linked_size, all) {
            return Self { units, names: None };
        }
        let mut rows = rows_of(found);
        rows.retain(|row| !linked.contains(&row.unit));
        Self { units, names: Some((linked, rows)) }
    }
}

/// Returns whether the names of units of so many bytes can be read whenever a file of so many bytes is.
fn are_few(linked: usize, all: usize) -> bool {
    linked <= FEW.max(all / SHARE)
}

/// Makes the rows of a directory of sections with their `.debug_info`.
pub(crate) fn read(sections: &SectionSet, work: &Workplace) -> Made {
    let info = SectionId::DebugInfo.name();
    let mut dwarf = sections.dwarf();
    dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
    let units = list_units(&dwarf, sections.outlines(), FileNumber::MAIN);
    let all = sections.info_size();
    let task = work.begin(READING, Measure::Bytes, all as u64);
    let (gave_up, referring) = (AtomicBool::new(false), AtomicUsize::new(0));
    // Each thread takes units in rising order, so what it has seen is of earlier ones.
    let found = in_parallel(&units, Seen::default, |seen, number, unit| {
        let header = unit.header();
        let (start, size) = (header.offset().0, header.length_including_self());
        let names = (!gave_up.load(Ordering::Relaxed)).then(|| match sections.unit(*header) {
            Some(whole) => scan(&dwarf, &whole, start, number as u32, seen, &task),
            None => Some(UnitRows { place: start..start + size, number: number as u32, ..UnitRows::default() }),
        });
        forget_read(header, |range| sections.forget(info, range));
        task.did(size);
        let names = names.flatten();
        let refers = names.as_ref().is_some_and(|names| !names.elsewhere.is_empty());
        let linked = referring.fetch_add(if refers { size } else { 0 }, Ordering::Relaxed);
        if names.is_none() || !are_few(linked, all) {
            gave_up.store(true, Ordering::Relaxed);
        }
        names.unwrap_or_default()
    });
    sections.forget_all();
    if gave_up.into_inner() { Made { units: units.len(), names: None } } else { Made::of(found) }
}

/// Makes the rows of a directory of a `.debug_info` that is being decompressed; what its names need besides is there.
/// `None` if it is malformed.
pub(crate) fn follow(dwarf: &gimli::Dwarf<Slice<'_>>, queue: &UnitQueue, task: &Task<'_>) -> Option<Made> {
    let _closing = queue.closing();
    let (gave_up, broken) = (AtomicBool::new(false), AtomicBool::new(false));
    let work = |seen: &mut Seen| {
        let (mut found, mut units, mut read) = (Vec::new(), 0, None);
        while let Some(unit) = queue.next(read.take()) {
            let info = gimli::DebugInfo::new(&unit.bytes, LittleEndian);
            match info.header_from_offset(gimli::DebugInfoOffset(0)) {
                Ok(header) => match scan(dwarf, &header, unit.offset, unit.number as u32, seen, task) {
                    Some(names) => found.push(names),
                    None => gave_up.store(true, Ordering::Relaxed),
                },
                Err(_) => broken.store(true, Ordering::Relaxed),
            }
            if gave_up.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed) {
                queue.close();
            }
            task.did(unit.bytes.len());
            units += 1;
            read = Some(unit.bytes);
        }
        (found, units)
    };
    let threads: Vec<()> = vec![(); threads(usize::MAX)];
    let found = in_parallel(&threads, Seen::default, |seen, _, ()| work(seen));
    if broken.into_inner() {
        return None;
    }
    let units = found.iter().map(|(_, units)| units).sum();
    if gave_up.into_inner() {
        return Some(Made { units, names: None });
    }
    Some(Made::of(found.into_iter().flat_map(|(found, _)| found).collect()))
}

#[cfg(test)]
mod tests;
