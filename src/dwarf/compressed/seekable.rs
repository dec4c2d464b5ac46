//! A large packed section of which only those parts are unpacked that somebody needs.
//!
//! The first time, all of it is unpacked, piece by piece, and handed to whoever reads its units; nothing is kept but
//! places in the stream from which unpacking can go on, each with the window before it, and the heads of the units.
//! The cache has these from then on. The section has its whole size in the address space; parts of it get memory when
//! they are unpacked, which is when somebody asks for them. Nobody sees bytes of a part before.

use super::access_points::{PackedSection, Part, Table};
use super::inflate::{Broken, Inflater, Point};
use super::unit_queue::Head;
use super::unpacking::Unpacking;
use crate::dwarf::cache::disk::{Cache, Kept, Key};
use crate::dwarf::tasks::parallel::in_parallel;
use memmap2::{MmapMut, MmapRaw};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A section.
pub(in crate::dwarf) struct Seekable {
    packed: PackedSection,
    index: Index,
    /// Room for all of the section.
    region: MmapRaw,
    /// Of all units, once they are known.
    heads: OnceLock<Vec<Head>>,
}

/// From where parts of it can be unpacked.
enum Index {
    Known(Table, Box<[Part]>),
    /// They are being found.
    Unpacking(Arc<Unpacking>),
}

/// A part that is to be there, with the window before it.
struct Wanted<'s> {
    point: Point,
    /// Where the next one begins; the last one of a section ends with it.
    next: Option<Point>,
    window: &'s [u8],
    part: &'s Part,
}

impl Drop for Seekable {
    fn drop(&mut self) {
        if let Index::Unpacking(unpacking) = &self.index {
            unpacking.stop();
        }
    }
}

impl Seekable {
    /// A section that the cache knows, as far as there is one for the key.
    pub(in crate::dwarf) fn cached(packed: PackedSection, cache: &Cache, key: Option<&Key>) -> Option<Self> {
        Self::of(packed, Kept::OnDisk(cache.get(key?, true)?))
    }

    /// Begins to unpack all of a section once. Parts of it can be had on the way.
    pub(in crate::dwarf) fn begin(packed: PackedSection, cache: &Cache, key: Option<&Key>) -> Option<Self> {
        let region = MmapMut::map_anon(packed.size).ok()?.into();
        let index = Index::Unpacking(Unpacking::begin(packed.clone(), cache, key)?);
        Some(Self { packed, index, region, heads: OnceLock::new() })
    }

    /// `None` if this is no table of such a section.
    fn of(packed: PackedSection, table: Kept) -> Option<Self> {
        let table = Table::read(table, packed.size)?;
        let heads = table.heads()?;
        let parts = table.places().iter().map(|_| Part::default()).collect();
        let region = MmapMut::map_anon(packed.size).ok()?.into();
        Some(Self { packed, index: Index::Known(table, parts), region, heads: heads.into() })
    }

    /// How many bytes it has.
    pub(in crate::dwarf) fn size(&self) -> usize {
        self.region.len()
    }

    /// Who finds its places, if they are not known from the beginning.
    pub(in crate::dwarf) fn unpacking(&self) -> Option<&Arc<Unpacking>> {
        match &self.index {
            Index::Unpacking(unpacking) => Some(unpacking),
            Index::Known(..) => None,
        }
    }

    /// How all units begin, waiting for the last one; an error if the section is damaged.
    pub(in crate::dwarf) fn heads(&self) -> Result<&[Head], Broken> {
        if let (Index::Unpacking(unpacking), None) = (&self.index, self.heads.get()) {
            let heads = unpacking.heads()?;
            self.heads.get_or_init(|| heads);
        }
        Ok(self.heads.get().map(Vec::as_slice).unwrap_or_default())
    }

    /// Some bytes of the section; waits until they can be had. `None` if it does not have them all.
    pub(in crate::dwarf) fn get(&self, range: Range<usize>) -> Option<&[u8]> {
        if range.start > range.end || range.end > self.size() {
            return None;
        }
        let is_there = match &self.index {
            Index::Known(table, parts) => {
                let places = table.places();
                let first = places.partition_point(|place| place.output <= range.start as u64).saturating_sub(1);
                let wanted = places.iter().zip(parts).enumerate().skip(first);
                let wanted = wanted.take_while(|(_, (place, _))| place.output < range.end as u64);
                let wanted = wanted.map(|(number, (point, part))| {
                    let (window, next) = (table.window(number), places.get(number + 1).copied());
                    Wanted { point: *point, next, window, part }
                });
                self.fill_all(&wanted.collect::<Vec<_>>(), &range)
            }
            Index::Unpacking(unpacking) => {
                let places = unpacking.parts(range.clone());
                let wanted = places.iter().map(|(place, next)| Wanted {
                    point: place.point,
                    next: *next,
                    window: &place.window,
                    part: &place.part,
                });
                self.fill_all(&wanted.collect::<Vec<_>>(), &range)
            }
        };
        // SAFETY: the range is inside of the mapping, which is readable and lives as long as `self`. It lies in parts
        // that are filled, and nobody writes to a part after that: `Part::fill` has each written once, between where it
        // begins and where the next one does.
        #[expect(unsafe_code, reason = "as said")]
        is_there.then(|| unsafe { std::slice::from_raw_parts(self.region.as_ptr().add(range.start), range.len()) })
    }

    /// Fills parts that follow each other, as far as they are not. Whether all of a range is in them.
    fn fill_all(&self, parts: &[Wanted<'_>], range: &Range<usize>) -> bool {
        let missing: Vec<_> = parts.iter().filter(|wanted| wanted.part.is_missing()).collect();
        in_parallel(&missing, || (), |(), _, wanted| wanted.part.fill(|| self.fill(wanted).is_ok()));
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return range.is_empty() };
        let end = last.next.map_or(self.size() as u64, |next| next.output);
        first.point.output <= range.start as u64 && range.end as u64 <= end
    }

    /// Unpacks a part; called once for each.
    fn fill(&self, wanted: &Wanted<'_>) -> Result<(), Broken> {
        let Wanted { point, next, window, .. } = wanted;
        let end = next.map_or(self.size() as u64, |next| next.output);
        let size = end.checked_sub(point.output).ok_or(Broken)?;
        let mut inflater = Inflater::resume(self.packed.data(), *point, window, size)?;
        let mut room = point.output as usize..end as usize;
        let mut take = |piece: &[u8]| {
            self.put(room.clone(), piece);
            room.start = room.start.saturating_add(piece.len()).min(room.end);
        };
        while inflater.block(&mut take)? && inflater.made() < end {}
        inflater.flush(&mut take)?;
        match next {
            Some(next) if inflater.point().0 == *next => Ok(()),
            Some(_) => Err(Broken),
            None => inflater.finish(),
        }
    }

    /// Writes to a place of the section, as far as there is room.
    fn put(&self, room: Range<usize>, piece: &[u8]) {
        let length = room.end.min(self.size()).saturating_sub(room.start).min(piece.len());
        // SAFETY: so much of the mapping is behind `room.start`, it is writable, and the piece is not of it. `fill`,
        // which calls this, is the only one that writes to its part, and nobody sees a byte of that before it is filled.
        #[expect(unsafe_code, reason = "as said")]
        unsafe {
            std::ptr::copy_nonoverlapping(piece.as_ptr(), self.region.as_mut_ptr().wrapping_add(room.start), length);
        }
    }
}

#[cfg(test)]
mod tests;
