//! A large packed section of which only those parts are unpacked that somebody needs.
//!
//! The first time, all of it is unpacked, piece by piece, and handed to whoever reads its units; nothing is kept but
//! places in the stream from which unpacking can go on, each with the window before it, and the headers of the units. The
//! cache has these from then on. The section has its whole size in the address space; parts of it get memory when they are
//! unpacked, which is when somebody asks for them, but for the headers of units, which are there from the beginning.

use super::cache::{Cache, Kept, Key};
use super::growing::{Growing, Head, Place};
use super::inflate::{Broken, Inflater, Point};
use super::names::in_parallel;
use super::object::ElfFile;
use super::unit_queue::HEAD;
use memmap2::{MmapMut, MmapRaw};
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

/// What a match may refer back to.
const WINDOW: usize = 1 << 15;

/// Sizes of the parts of a table: numbers at its beginning, a place, a unit.
const START: usize = 24;
const PLACE: usize = 24;
const UNIT: usize = 8 + HEAD;

/// Where packed bytes are, and what they should expand to.
#[derive(Clone)]
pub(super) struct PackedSection {
    pub(super) file: Arc<ElfFile>,
    pub(super) data: Range<usize>,
    pub(super) size: usize,
}

impl PackedSection {
    pub(super) fn data(&self) -> &[u8] {
        self.file.bytes().get(self.data.clone()).unwrap_or_default()
    }

    /// Takes a part of the packed bytes out of memory.
    pub(super) fn forget(&self, range: Range<usize>) {
        let end = self.data.start.saturating_add(range.end).min(self.data.end);
        self.file.forget(self.data.start.saturating_add(range.start)..end);
    }
}

/// A section.
pub(super) struct Seekable {
    packed: PackedSection,
    places: Places,
    /// All of the section; what is not there yet is zero.
    region: MmapRaw,
}

/// From where parts of it can be unpacked.
enum Places {
    Known {
        /// How large the section is, how many places there are, how many units; the places; the units; the windows.
        table: Kept,
        /// Of each part, from a place to the next, whether it is there; `false`: it is damaged.
        filled: Box<[OnceLock<bool>]>,
    },
    /// They are being found.
    Growing(Arc<Growing>),
}

impl Drop for Seekable {
    fn drop(&mut self) {
        if let Places::Growing(growing) = &self.places {
            growing.stop();
        }
    }
}

impl Deref for Seekable {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping is as long as this, readable, and lives as long as `self`. Parts of it are written to, each
        // once, by `fill`, before `need` returns for the first time for that part; nobody looks into a part before.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.region.as_ptr(), self.region.len())
        }
    }
}

impl Seekable {
    /// A section that the cache knows, as far as there is one for the key.
    pub(super) fn cached(packed: PackedSection, cache: &Cache, key: Option<&Key>) -> Option<Self> {
        Self::of(packed, Kept::OnDisk(cache.get(key?, true)?))
    }

    /// Begins to unpack all of a section once. Parts of it can be had on the way.
    pub(super) fn begin(packed: PackedSection, cache: &Cache, key: Option<&Key>) -> Option<Self> {
        let region = MmapMut::map_anon(packed.size).ok()?.into();
        let places = Places::Growing(Growing::begin(packed.clone(), cache, key)?);
        Some(Self { packed, places, region })
    }

    /// Who finds its places, if they are not known from the beginning.
    pub(super) fn growing(&self) -> Option<&Arc<Growing>> {
        match &self.places {
            Places::Growing(growing) => Some(growing),
            Places::Known { .. } => None,
        }
    }

    /// Waits until it is known where all units are; then their headers are there. An error if it is damaged.
    pub(super) fn wait(&self) -> Result<(), Broken> {
        let Places::Growing(growing) = &self.places else { return Ok(()) };
        for (offset, head) in growing.heads()? {
            self.put(offset, &head);
        }
        Ok(())
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
        for unit in rest.get(places * PLACE..)?.chunks_exact(UNIT).take(units) {
            let (offset, head) = unit.split_first_chunk::<8>()?;
            let to = region.get_mut(usize::try_from(u64::from_le_bytes(*offset)).ok()?..)?;
            to.iter_mut().zip(head).for_each(|(to, from)| *to = *from);
        }
        let filled = (0..places).map(|_| OnceLock::new()).collect();
        Some(Self { packed, places: Places::Known { table, filled }, region: region.into() })
    }

    /// Makes sure that a part of the section is there, if it is not damaged; waits until it can be had.
    pub(super) fn need(&self, range: Range<usize>) {
        match &self.places {
            Places::Known { table, filled } => self.need_known(table, filled, range),
            Places::Growing(growing) => {
                let mut parts = growing.parts(range);
                parts.retain(|(place, _)| place.filled.get().is_none());
                in_parallel(
                    &parts,
                    || (),
                    |(), _, (place, next)| {
                        place.filled.get_or_init(|| self.fill(place.point, &place.window, *next).is_ok());
                    },
                );
            }
        }
    }

    fn need_known(&self, table: &[u8], filled: &[OnceLock<bool>], range: Range<usize>) {
        let (mut low, mut high) = (0, filled.len());
        while high - low > 1 {
            let middle = low.midpoint(high);
            match place_in(table, middle).is_some_and(|place| place.output <= range.start as u64) {
                true => low = middle,
                false => high = middle,
            }
        }
        let place = |number: usize| Some((number, place_in(table, number)?));
        let places = (low..filled.len()).map_while(place).take_while(|(_, place)| place.output < range.end as u64);
        let missing = |number: usize| filled.get(number).is_some_and(|part| part.get().is_none());
        let parts: Vec<_> = places.filter(|(number, _)| missing(*number)).collect();
        in_parallel(
            &parts,
            || (),
            |(), _, (number, place)| {
                let next = if number + 1 < filled.len() { place_in(table, number + 1) } else { None };
                let fill = || self.fill(*place, window_in(table, *number, filled.len()), next).is_ok();
                filled.get(*number).map(|part| part.get_or_init(fill));
            },
        );
    }

    /// Unpacks a part, to the next one if there is one; called once for each.
    fn fill(&self, point: Point, window: &[u8], next: Option<Point>) -> Result<(), Broken> {
        let end = next.map_or(self.region.len() as u64, |next| next.output);
        let size = end.checked_sub(point.output).ok_or(Broken)?;
        let mut inflater = Inflater::resume(self.packed.data(), point, window, size)?;
        let mut at = point.output as usize;
        let mut take = |piece: &[u8]| {
            self.put(at, piece);
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

    /// Writes what belongs to a place of the section, as far as that has room.
    fn put(&self, at: usize, piece: &[u8]) {
        let room = self.region.len().saturating_sub(at).min(piece.len());
        // SAFETY: so much of the mapping is behind `at`, it is writable, and the piece is not of it. Nobody reads a part
        // before `fill` has returned for it, and nobody else writes to it; what is read before, the header of a unit, is
        // written again as it is.
        #[allow(unsafe_code)]
        unsafe {
            std::ptr::copy_nonoverlapping(piece.as_ptr(), self.region.as_mut_ptr().add(at), room);
        }
    }
}

fn place_in(table: &[u8], number: usize) -> Option<Point> {
    let place = table.get(START + number * PLACE..)?.first_chunk::<PLACE>()?;
    let [output, input, sum] = *place.as_chunks::<8>().0 else { return None };
    let [output, input, sum] = [output, input, sum].map(u64::from_le_bytes);
    Some(Point { output, input, sum: sum as u32 })
}

/// The window before one of so many places.
fn window_in(table: &[u8], number: usize, places: usize) -> &[u8] {
    let start = table.len().saturating_sub((places - number) * WINDOW);
    // There is none before the first.
    let length = if number == 0 { 0 } else { WINDOW };
    table.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default()
}

/// The table of a section's places.
pub(super) fn table_of(size: usize, places: &[Place], heads: &[Head]) -> Vec<u8> {
    let mut table = Vec::new();
    let numbers = [size, places.len(), heads.len()].map(|number| number as u64);
    table.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    for Place { point, .. } in places {
        let numbers = [point.output, point.input, u64::from(point.sum)];
        table.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    for (offset, head) in heads {
        table.extend_from_slice(&(*offset as u64).to_le_bytes());
        table.extend_from_slice(head);
    }
    places.iter().for_each(|place| table.extend_from_slice(&place.window));
    table
}

#[cfg(test)]
mod tests;
