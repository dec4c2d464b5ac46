//! A large packed section of which only those parts are unpacked that somebody needs.
//!
//! The first time, all of it is unpacked, piece by piece, and handed to whoever reads its units; nothing is kept but
//! places in the stream from which unpacking can go on, each with the window before it, and the headers of the units.
//! The cache has these from then on. The section has its whole size in the address space; parts of it get memory when
//! they are unpacked, which is when somebody asks for them, but for the headers of units, which are there from the
//! beginning.

use super::access_points::{PLACE, PackedSection, Part, START, UNIT, WINDOW, place_in, window_in};
use super::inflate::{Broken, Inflater, Point};
use super::unit_queue::{HEAD, length_of};
use super::unpacking::Unpacking;
use crate::dwarf::cache::disk::{Cache, Kept, Key};
use crate::dwarf::tasks::parallel::in_parallel;
use memmap2::{MmapMut, MmapRaw};
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

/// A section.
pub(in crate::dwarf) struct Seekable {
    packed: PackedSection,
    index: Index,
    /// All of the section; what is not there yet is zero.
    region: MmapRaw,
    /// Where units have their heads, in order; known before the first one of them is written by itself.
    heads: OnceLock<Vec<Range<usize>>>,
}

/// From where parts of it can be unpacked.
enum Index {
    Known {
        /// How large the section is, how many places there are, how many units; the places; the units; the windows.
        table: Kept,
        parts: Box<[Part]>,
    },
    /// They are being found.
    Unpacking(Arc<Unpacking>),
}

impl Drop for Seekable {
    fn drop(&mut self) {
        if let Index::Unpacking(unpacking) = &self.index {
            unpacking.stop();
        }
    }
}

impl Deref for Seekable {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping is as long as this, readable, and lives as long as `self`. Each byte of it is written
        // once: before `need` returns for the first time for its part, or, if it is of the head of a unit, before
        // `wait` does. Nobody looks at it before.
        #[expect(unsafe_code, reason = "as said")]
        unsafe {
            std::slice::from_raw_parts(self.region.as_ptr(), self.region.len())
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

    /// Who finds its places, if they are not known from the beginning.
    pub(in crate::dwarf) fn unpacking(&self) -> Option<&Arc<Unpacking>> {
        match &self.index {
            Index::Unpacking(unpacking) => Some(unpacking),
            Index::Known { .. } => None,
        }
    }

    /// Waits until it is known where all units are; then their headers are there. An error if it is damaged.
    pub(in crate::dwarf) fn wait(&self) -> Result<(), Broken> {
        let Index::Unpacking(unpacking) = &self.index else { return Ok(()) };
        let heads = unpacking.heads()?;
        self.heads.get_or_init(|| heads.iter().filter_map(|(offset, head)| place_of(*offset, head)).collect());
        for (place, next) in unpacking.parts(0..self.region.len()) {
            let part = place.point.output as usize..next.map_or(self.region.len(), |next| next.output as usize);
            let first = heads.partition_point(|(offset, _)| offset.saturating_add(HEAD) <= part.start);
            let inside = heads.iter().skip(first).take_while(|(offset, _)| *offset < part.end);
            place.part.put_heads(|| inside.for_each(|(offset, head)| self.put_head(*offset, head, &part)));
        }
        Ok(())
    }

    /// Writes what of the head of a unit is in a part.
    fn put_head(&self, offset: usize, head: &[u8; HEAD], part: &Range<usize>) {
        let Some(place) = place_of(offset, head) else { return };
        let (start, end) = (place.start.max(part.start), place.end.min(part.end));
        if let Some(inside) = head.get(start - offset..end.saturating_sub(offset)) {
            self.put(start, inside);
        }
    }

    /// `None` if this is no table of such a section.
    fn of(packed: PackedSection, table: Kept) -> Option<Self> {
        let (numbers, rest) = table.split_first_chunk::<START>()?;
        let [size, places, units] = *numbers.as_chunks::<8>().0 else { return None };
        let [size, places, units] = [size, places, units].map(|n| usize::try_from(u64::from_le_bytes(n)).unwrap_or(0));
        let windows = places.checked_sub(1)?.checked_mul(WINDOW)?;
        let expected = places.checked_mul(PLACE)?.checked_add(units.checked_mul(UNIT)?)?.checked_add(windows)?;
        if size != packed.size || size == 0 || rest.len() != expected {
            return None;
        }
        let mut region = MmapMut::map_anon(size).ok()?;
        let mut heads: Vec<Range<usize>> = Vec::with_capacity(units);
        for unit in rest.get(places * PLACE..)?.chunks_exact(UNIT).take(units) {
            let (offset, head) = unit.split_first_chunk::<8>()?;
            let place = place_of(usize::try_from(u64::from_le_bytes(*offset)).ok()?, head.first_chunk()?)?;
            if heads.last().is_some_and(|last| last.end > place.start) {
                return None;
            }
            region.get_mut(place.clone())?.iter_mut().zip(head).for_each(|(to, from)| *to = *from);
            heads.push(place);
        }
        let parts = (0..places).map(|_| Part::with_heads()).collect();
        Some(Self { packed, index: Index::Known { table, parts }, region: region.into(), heads: heads.into() })
    }

    /// Makes sure that a part of the section is there, if it is not damaged; waits until it can be had.
    pub(in crate::dwarf) fn need(&self, range: Range<usize>) {
        match &self.index {
            Index::Known { table, parts } => self.need_known(table, parts, range),
            Index::Unpacking(unpacking) => {
                let mut parts = unpacking.parts(range);
                parts.retain(|(place, _)| place.part.is_missing());
                in_parallel(
                    &parts,
                    || (),
                    |(), _, (place, next)| {
                        place.part.fill(|heads| self.fill(place.point, &place.window, *next, heads).is_ok());
                    },
                );
            }
        }
    }

    fn need_known(&self, table: &[u8], all: &[Part], range: Range<usize>) {
        let (mut low, mut high) = (0, all.len());
        while high - low > 1 {
            let middle = low.midpoint(high);
            match place_in(table, middle).is_some_and(|place| place.output <= range.start as u64) {
                true => low = middle,
                false => high = middle,
            }
        }
        let place = |number: usize| Some((number, place_in(table, number)?));
        let places = (low..all.len()).map_while(place).take_while(|(_, place)| place.output < range.end as u64);
        let missing = |number: usize| all.get(number).is_some_and(Part::is_missing);
        let parts: Vec<_> = places.filter(|(number, _)| missing(*number)).collect();
        in_parallel(
            &parts,
            || (),
            |(), _, (number, place)| {
                let next = if number + 1 < all.len() { place_in(table, number + 1) } else { None };
                let fill = |heads| self.fill(*place, window_in(table, *number, all.len()), next, heads).is_ok();
                if let Some(part) = all.get(*number) {
                    part.fill(fill);
                }
            },
        );
    }

    /// Unpacks a part, to the next one if there is one; called once for each. `heads`: those are there.
    fn fill(&self, point: Point, window: &[u8], next: Option<Point>, heads: bool) -> Result<(), Broken> {
        let heads = self.heads.get().filter(|_| heads).map(Vec::as_slice).unwrap_or_default();
        let end = next.map_or(self.region.len() as u64, |next| next.output);
        let size = end.checked_sub(point.output).ok_or(Broken)?;
        let mut inflater = Inflater::resume(self.packed.data(), point, window, size)?;
        let mut at = point.output as usize;
        let mut take = |piece: &[u8]| {
            self.put_between(heads, at, piece);
            at += piece.len();
        };
        while inflater.block(&mut take)? && inflater.made() < end {}
        inflater.flush(&mut take)?;
        match next {
            Some(next) if inflater.point().0 == next => Ok(()),
            Some(_) => Err(Broken),
            None => inflater.finish(),
        }
    }

    /// Writes what belongs to a place of the section, but for the heads that are there.
    fn put_between(&self, heads: &[Range<usize>], mut at: usize, mut piece: &[u8]) {
        let first = heads.partition_point(|head| head.end <= at);
        for head in heads.iter().skip(first) {
            let (before, rest) = piece.split_at(head.start.saturating_sub(at).min(piece.len()));
            self.put(at, before);
            let inside = head.end.saturating_sub(at + before.len()).min(rest.len());
            at += before.len() + inside;
            piece = rest.split_at(inside).1;
            if piece.is_empty() {
                return;
            }
        }
        self.put(at, piece);
    }

    /// Writes what belongs to a place of the section, as far as that has room.
    fn put(&self, at: usize, piece: &[u8]) {
        let room = self.region.len().saturating_sub(at).min(piece.len());
        // SAFETY: so much of the mapping is behind `at`, it is writable, and the piece is not of it. Who calls this has
        // the lock of the part, so that nobody else writes to it, and nobody reads these bytes yet: those of a part are
        // read when it is filled, heads of units when `wait` has returned, and what was written then is left as it is.
        #[expect(unsafe_code, reason = "as said")]
        unsafe {
            std::ptr::copy_nonoverlapping(piece.as_ptr(), self.region.as_mut_ptr().add(at), room);
        }
    }
}

/// Where the head of a unit is: a short unit is nothing else.
fn place_of(offset: usize, head: &[u8; HEAD]) -> Option<Range<usize>> {
    Some(offset..offset.checked_add(length_of(head)?.min(HEAD))?)
}

#[cfg(test)]
mod tests;
