//! A large packed section of which only those parts are unpacked that somebody needs.
//!
//! The first time, all of it is unpacked, piece by piece, and handed to whoever reads its units; nothing is kept but
//! places in the stream from which unpacking can go on, each with the window before it, and the headers of the units. The
//! cache has these from then on. The section has its whole size in the address space; parts of it get memory when they are
//! unpacked, which is when somebody asks for them, but for the headers of units, which are there from the beginning.

use super::cache::{Cache, Kept, Key};
use super::inflate::{Broken, Inflater, Point};
use super::object::ElfFile;
use super::unit_queue::{Cutter, HEAD, UnitQueue};
use super::work::Task;
use memmap2::{MmapMut, MmapRaw};
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

/// So many bytes are unpacked at least for each that is needed.
const PART: u64 = 2 << 20;

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
    fn data(&self) -> &[u8] {
        self.file.bytes().get(self.data.clone()).unwrap_or_default()
    }
}

/// A section.
pub(super) struct Seekable {
    packed: PackedSection,
    /// How large the section is, how many places there are, how many units; the places; the units; the windows.
    table: Kept,
    /// All of the section; what is not there yet is zero.
    region: MmapRaw,
    /// Of each part, from a place to the next, whether it is there; `false`: it is damaged.
    filled: Box<[OnceLock<bool>]>,
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

    /// Unpacks all of a section once. Its units go to the queue.
    pub(super) fn make(
        packed: PackedSection,
        cache: &Cache,
        key: Option<&Key>,
        queue: &UnitQueue,
        task: &Task<'_>,
    ) -> Result<Self, Broken> {
        let mut cutter = Cutter::new(queue, packed.size);
        let mut inflater = Inflater::new(packed.data(), packed.size as u64)?;
        let (start, _) = inflater.point();
        let (mut places, mut windows, mut forgotten) = (vec![start], Vec::new(), 0);
        loop {
            task.check();
            let more = inflater.block(&mut |piece| cutter.push(piece))?;
            if more && inflater.made() - places.last().map_or(0, |place| place.output) < PART {
                continue;
            }
            inflater.flush(&mut |piece| cutter.push(piece))?;
            packed.file.forget(packed.data.start + forgotten..packed.data.start + inflater.read());
            forgotten = inflater.read();
            if !more {
                break;
            }
            let (place, window) = inflater.point();
            places.push(place);
            windows.extend_from_slice(window);
        }
        inflater.finish()?;
        packed.file.forget(packed.data.clone());
        let mut table = Vec::new();
        let numbers = [packed.size, places.len(), cutter.heads().len()].map(|number| number as u64);
        table.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        for place in places {
            let numbers = [place.output, place.input, u64::from(place.sum)];
            table.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        for (offset, head) in cutter.heads() {
            table.extend_from_slice(&(*offset as u64).to_le_bytes());
            table.extend_from_slice(head);
        }
        table.append(&mut windows);
        Self::of(packed, cache.keep(key, table)).ok_or(Broken)
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
        Some(Self { packed, table, region: region.into(), filled })
    }

    /// Makes sure that a part of the section is there, if it is not damaged.
    pub(super) fn need(&self, range: Range<usize>) {
        let (mut low, mut high) = (0, self.filled.len());
        while high - low > 1 {
            let middle = low.midpoint(high);
            match self.place(middle).is_some_and(|place| place.output <= range.start as u64) {
                true => low = middle,
                false => high = middle,
            }
        }
        for (number, part) in self.filled.iter().enumerate().skip(low) {
            if self.place(number).is_none_or(|place| place.output >= range.end as u64) {
                break;
            }
            part.get_or_init(|| self.fill(number).is_ok());
        }
    }

    fn place(&self, number: usize) -> Option<Point> {
        let place = self.table.get(START + number * PLACE..)?.first_chunk::<PLACE>()?;
        let [output, input, sum] = *place.as_chunks::<8>().0 else { return None };
        let [output, input, sum] = [output, input, sum].map(u64::from_le_bytes);
        Some(Point { output, input, sum: sum as u32 })
    }

    /// The window before a place.
    fn window(&self, number: usize) -> &[u8] {
        let behind = (self.filled.len() - number) * WINDOW;
        let start = self.table.len().saturating_sub(behind);
        // There is none before the first.
        let length = if number == 0 { 0 } else { WINDOW };
        self.table.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }

    /// Unpacks a part; called once for each.
    fn fill(&self, number: usize) -> Result<(), Broken> {
        let point = self.place(number).ok_or(Broken)?;
        let next = if number + 1 < self.filled.len() { self.place(number + 1) } else { None };
        let end = next.map_or(self.region.len() as u64, |next| next.output);
        let size = end.checked_sub(point.output).ok_or(Broken)?;
        let mut inflater = Inflater::resume(self.packed.data(), point, self.window(number), size)?;
        let mut at = point.output as usize;
        let mut take = |piece: &[u8]| {
            let room = self.region.len().saturating_sub(at).min(piece.len());
            // SAFETY: so much of the mapping is behind `at`, it is writable, and the piece is not of it. Nobody reads this
            // part before this function has returned, and nobody else writes to it; what is read before, the header of a
            // unit, is written again as it is.
            #[allow(unsafe_code)]
            unsafe {
                std::ptr::copy_nonoverlapping(piece.as_ptr(), self.region.as_mut_ptr().add(at), room);
            }
            at += room;
        };
        while inflater.block(&mut take)? && inflater.made() < end {}
        inflater.flush(&mut take)?;
        match next {
            Some(next) if inflater.point().0 == next => Ok(()),
            Some(_) => Err(Broken),
            None => inflater.finish(),
        }
    }
}

#[cfg(test)]
mod tests;
