//! A large compressed section of which only those parts are decompressed that somebody needs.
//!
//! The first time, all of it is decompressed, piece by piece, and handed to whoever reads its units; nothing is kept
//! but places in the stream from which decompression can go on, each with the window before it, and the heads of the
//! units. The cache has these from then on. The section has its whole size in the address space; parts of it get memory
//! when they are decompressed, which is when somebody asks for them. Nobody sees bytes of a part before.

use super::access_points::{CompressedSection, Part, Table};
use super::background_decompression::BackgroundDecompression;
use super::inflate::{Broken, Inflater, Point};
use super::unit_queue::Head;
use crate::cache::disk::{Cache, Key, Stored};
use crate::tasks::parallel::in_parallel;
use memmap2::{MmapMut, MmapRaw};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A section.
pub(crate) struct Seekable {
    compressed: CompressedSection,
    index: Index,
    /// Room for all of the section.
    region: MmapRaw,
    /// Of all units, once they are known.
    heads: OnceLock<Vec<Head>>,
}

/// From where parts of it can be decompressed.
enum Index {
    Known(Table, Box<[Part]>),
    /// They are being found.
    BackgroundDecompression(Arc<BackgroundDecompression>),
}

/// A part that is to be there, with the window before it.
struct PartRequest<'s> {
    point: Point,
    /// Where the next one begins; the last one of a section ends with it.
    next: Option<Point>,
    window: &'s [u8],
    part: &'s Part,
}

impl Drop for Seekable {
    fn drop(&mut self) {
        if let Index::BackgroundDecompression(decompression) = &self.index {
            decompression.stop();
        }
    }
}

impl Seekable {
    /// Creates a section that the cache knows, as far as there is one for the key.
    pub(crate) fn cached(compressed: CompressedSection, cache: &Cache, key: Option<&Key>) -> Option<Self> {
        Self::of(compressed, Stored::OnDisk(cache.get(key?, true)?))
    }

    /// Begins to decompress all of a section once. Parts of it can be had on the way.
    pub(crate) fn begin(compressed: CompressedSection, cache: &Cache, key: Option<&Key>) -> Option<Self> {
        let region = MmapMut::map_anon(compressed.size).ok()?.into();
        let index = Index::BackgroundDecompression(BackgroundDecompression::begin(compressed.clone(), cache, key)?);
        Some(Self { compressed, index, region, heads: OnceLock::new() })
    }

    /// Creates a section with a table; `None` if this is no table of such a section.
    fn of(compressed: CompressedSection, table: Stored) -> Option<Self> {
        let table = Table::read(table, compressed.size)?;
        let heads = table.heads()?;
        let parts = table.places().iter().map(|_| Part::default()).collect();
        let region = MmapMut::map_anon(compressed.size).ok()?.into();
        Some(Self { compressed, index: Index::Known(table, parts), region, heads: heads.into() })
    }

    /// Returns how many bytes it has.
    pub(crate) fn size(&self) -> usize {
        self.region.len()
    }

    /// Returns the decompression that finds its places, if they are not known from the beginning.
    pub(crate) fn decompression(&self) -> Option<&Arc<BackgroundDecompression>> {
        match &self.index {
            Index::BackgroundDecompression(decompression) => Some(decompression),
            Index::Known(..) => None,
        }
    }

    /// Waits for the last unit, and returns the heads of all; an error if the section is damaged.
    pub(crate) fn heads(&self) -> Result<&[Head], Broken> {
        if let (Index::BackgroundDecompression(decompression), None) = (&self.index, self.heads.get()) {
            let heads = decompression.heads()?;
            self.heads.get_or_init(|| heads);
        }
        Ok(self.heads.get().map(Vec::as_slice).unwrap_or_default())
    }

    /// Returns bytes of the section; waits until they can be had. `None` if it does not have them all.
    pub(crate) fn get(&self, range: Range<usize>) -> Option<&[u8]> {
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
                    PartRequest { point: *point, next, window, part }
                });
                self.fill_all(&wanted.collect::<Vec<_>>(), &range)
            }
            Index::BackgroundDecompression(decompression) => {
                let places = decompression.parts(range.clone());
                let wanted = places.iter().map(|(place, next)| PartRequest {
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
    fn fill_all(&self, parts: &[PartRequest<'_>], range: &Range<usize>) -> bool {
        let missing: Vec<_> = parts.iter().filter(|wanted| wanted.part.is_missing()).collect();
        in_parallel(&missing, || (), |(), _, wanted| wanted.part.fill(|| self.fill(wanted).is_ok()));
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return range.is_empty() };
        let end = last.next.map_or(self.size() as u64, |next| next.output);
        first.point.output <= range.start as u64 && range.end as u64 <= end
    }

    /// Decompresses a part; called once for each.
    fn fill(&self, wanted: &PartRequest<'_>) -> Result<(), Broken> {
        let PartRequest { point, next, window, .. } = wanted;
        let end = next.map_or(self.size() as u64, |next| next.output);
        let size = end.checked_sub(point.output).ok_or(Broken)?;
        let mut inflater = Inflater::resume(self.compressed.data(), *point, window, size)?;
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
        // which calls this, is the only one that writes to its part, and nobody sees a byte of that before it is
        // filled.
        #[expect(unsafe_code, reason = "as said")]
        unsafe {
            std::ptr::copy_nonoverlapping(piece.as_ptr(), self.region.as_mut_ptr().wrapping_add(room.start), length);
        }
    }
}

#[cfg(test)]
mod tests;
