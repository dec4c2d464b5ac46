//! Some sections of one file.

use super::slice::Slice;
use super::unit_header::{Outline, outline, whole};
use crate::cache::disk::Cache;
use crate::compressed::random_access::Seekable;
use crate::elf::contents::SectionBytes;
use crate::elf::file::ElfFile;
use crate::tasks::parallel::{at_once, threads};
use crate::tasks::work::{Measure, Workplace};
use gimli::{LittleEndian, SectionId, UnitHeader};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What decompressing sections is called.
const UNPACKING: &str = "unpacking debug info of";

/// Sections that describe lines, scopes and types. They belong together, so all are taken from one file.
const DEBUG_SECTIONS: [SectionId; 10] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
    SectionId::DebugTypes,
];

/// What names need, besides `.debug_info`.
const NAME_SECTIONS: [SectionId; 4] =
    [SectionId::DebugAbbrev, SectionId::DebugLineStr, SectionId::DebugStr, SectionId::DebugStrOffsets];

/// Some sections of one file, by name.
#[derive(Clone, Default)]
pub(crate) struct SectionSet(HashMap<&'static str, Arc<SectionBytes>>);

impl SectionSet {
    /// Reads those of the sections that the file has, large compressed ones at the same time; the error says which one
    /// is damaged.
    pub(super) fn read(
        &mut self,
        file: &Arc<ElfFile>,
        names: impl IntoIterator<Item = &'static str>,
        cache: &Cache,
        work: &Workplace,
    ) -> Result<(), String> {
        let size = |name: &&str| file.section(name).and_then(|s| file.decompressed_size(s)).unwrap_or(0);
        let mut names: Vec<&'static str> = names.into_iter().collect();
        // The one that takes longest first.
        names.sort_by_key(|name| std::cmp::Reverse(size(name)));
        let large = names.iter().filter(|name| size(name) >= cache.large).count();
        let task = work.begin(UNPACKING, Measure::Bytes, names.iter().map(size).sum());
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        at_once(threads(large), &|| {
            while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                let bytes = file.all_section_bytes(name, cache, &task);
                done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((*name, bytes));
            }
        });
        let mut damaged = Ok(());
        for (name, bytes) in done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            match bytes {
                Ok(Some(bytes)) => drop(self.0.insert(name, Arc::new(bytes))),
                Ok(None) => {}
                Err(error) => damaged = Err(error.to_string()),
            }
        }
        damaged
    }

    /// Reads the sections of debug info. If all of a large `.debug_info` has to be decompressed, that is only begun.
    pub(super) fn read_debug(&mut self, file: &Arc<ElfFile>, cache: &Cache, work: &Workplace) -> Result<(), String> {
        let info = SectionId::DebugInfo.name();
        let all = DEBUG_SECTIONS.iter().map(|id| id.name());
        let Some((compressed, key)) = file.packed_section(info, cache) else {
            return self.read(file, all, cache, work);
        };
        let known = Seekable::cached(compressed.clone(), cache, key.as_ref());
        let Some(section) = known.or_else(|| Seekable::begin(compressed, cache, key.as_ref())) else {
            return self.read(file, all, cache, work);
        };
        let read = self.read(file, all.filter(|name| *name != info), cache, work);
        self.insert(info, SectionBytes::seekable(file, section));
        read
    }

    /// Returns the sections that names need, besides `.debug_info`.
    pub(crate) fn for_names(&self) -> Self {
        let needed = self.0.iter().filter(|(name, _)| NAME_SECTIONS.iter().any(|id| id.name() == **name));
        Self(needed.map(|(name, bytes)| (*name, bytes.clone())).collect())
    }

    pub(super) fn insert(&mut self, name: &'static str, bytes: SectionBytes) {
        self.0.insert(name, Arc::new(bytes));
    }

    /// Returns `.debug_info`, if its bytes are to be had in parts only; then [`Self::get`] has none of it.
    pub(crate) fn info_in_parts(&self) -> Option<&Seekable> {
        self.0.get(SectionId::DebugInfo.name())?.in_parts()
    }

    /// Returns how many bytes are in `.debug_info`.
    pub(crate) fn info_size(&self) -> usize {
        self.0.get(SectionId::DebugInfo.name()).map_or(0, |bytes| bytes.size())
    }

    /// Iterates over what is known of the units of a `.debug_info` that is to be had in parts only; none if it is
    /// damaged. A malformed one ends them.
    pub(crate) fn outlines(&self) -> impl Iterator<Item = Outline<'_>> {
        let heads = self.info_in_parts().and_then(|section| section.heads().ok());
        heads.unwrap_or_default().iter().map_while(outline)
    }

    /// Reads the header of a unit of `.debug_info` with its entries; waits until they are there. `None` if they cannot
    /// be had.
    pub(crate) fn unit<'a>(&'a self, header: UnitHeader<Slice<'a>>) -> Option<UnitHeader<Slice<'a>>> {
        let Some(section) = self.info_in_parts() else { return Some(header) };
        let start = header.offset().0;
        whole(section.get(start..start.checked_add(header.length_including_self())?)?, start)
    }

    /// Takes a part of a section out of memory, if it is mapped; it is read again when it is needed.
    pub(crate) fn forget(&self, name: &str, range: Range<usize>) {
        if let Some(bytes) = self.0.get(name) {
            bytes.forget(range);
        }
    }

    /// Takes all of `.debug_info` and `.debug_str` out of memory, likewise.
    pub(crate) fn forget_all(&self) {
        for id in [SectionId::DebugInfo, SectionId::DebugStr] {
            self.forget(id.name(), 0..self.get(id.name()).len());
        }
    }

    /// Returns a file that a section of it is in, if that became shorter while it was mapped.
    pub(crate) fn shortened(&self) -> Option<&Path> {
        self.0.values().find_map(|bytes| bytes.shortened())
    }

    /// Returns the bytes of a section; none if the file has no such section.
    pub(crate) fn get(&self, name: &str) -> Slice<'_> {
        Slice::new(self.0.get(name).map(|s| &***s).unwrap_or_default(), LittleEndian)
    }

    /// Returns the sections as gimli asks a file for its own debug info.
    pub(crate) fn dwarf(&self) -> gimli::Dwarf<Slice<'_>> {
        let Ok(dwarf) = gimli::Dwarf::load(|id| Ok::<_, std::convert::Infallible>(self.get(id.name())));
        dwarf
    }

    /// Returns a section as gimli asks a file of split units for it.
    pub(crate) fn of_split(&self, id: SectionId) -> Slice<'_> {
        id.dwo_name().map_or(Slice::new(&[], LittleEndian), |name| self.get(name))
    }
}
