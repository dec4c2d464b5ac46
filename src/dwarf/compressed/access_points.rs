//! Places in a compressed section from which decompression can go on, each with the window before it, and the table
//! that the cache keeps of them.

use super::file_bytes::Bytes;
use super::inflate::Point;
use super::unit_queue::{HEAD, Head, length_of};
use crate::cache::disk::Stored;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// What a match may refer back to.
pub(super) const WINDOW: usize = 1 << 15;

/// Sizes of the parts of a table: numbers at its beginning, a place, a unit.
pub(super) const START: usize = 24;
pub(super) const PLACE: usize = 24;
pub(super) const UNIT: usize = 8 + HEAD;

/// Where compressed bytes are, and what they should expand to.
#[derive(Clone)]
pub(crate) struct CompressedSection {
    pub(crate) bytes: Arc<Bytes>,
    pub(crate) data: Range<usize>,
    pub(crate) size: usize,
}

impl CompressedSection {
    pub(crate) fn data(&self) -> &[u8] {
        self.bytes.get(self.data.clone()).unwrap_or_default()
    }

    /// Takes a part of the compressed bytes out of memory.
    pub(crate) fn forget(&self, range: Range<usize>) {
        let end = self.data.start.saturating_add(range.end).min(self.data.end);
        self.bytes.forget(self.data.start.saturating_add(range.start)..end);
    }
}

/// Where a part begins.
#[derive(Clone)]
pub(crate) struct AccessPoint {
    pub(crate) point: Point,
    /// What is before it, as far as it may be referred to.
    pub(crate) window: Arc<[u8]>,
    /// What of the part is there.
    pub(crate) part: Arc<Part>,
}

/// What of a part of a section is there, from a place to the next: all of it, once it is filled; `false`: damaged.
#[derive(Default)]
pub(crate) struct Part(OnceLock<bool>);

impl Part {
    pub(super) fn is_missing(&self) -> bool {
        self.0.get().is_none()
    }

    /// Has it written, once; `write` says whether it is sound.
    pub(super) fn fill(&self, write: impl FnOnce() -> bool) {
        self.0.get_or_init(write);
    }

    #[cfg(test)]
    pub(super) fn is_sound(&self) -> Option<bool> {
        self.0.get().copied()
    }
}

/// The places of a section as the cache keeps them: how large the section is, how many places there are, how many
/// units; the places; the heads of the units; the windows.
pub(super) struct Table {
    bytes: Stored,
    /// They rise from the beginning of the section.
    places: Box<[Point]>,
    units: usize,
}

impl Table {
    /// Reads a table; `None` if this is no table of a section of this size.
    pub(super) fn read(bytes: Stored, section: usize) -> Option<Self> {
        let (numbers, rest) = bytes.split_first_chunk::<START>()?;
        let [size, places, units] = *numbers.as_chunks::<8>().0 else { return None };
        let [size, places, units] = [size, places, units].map(|n| usize::try_from(u64::from_le_bytes(n)).unwrap_or(0));
        let windows = places.checked_sub(1)?.checked_mul(WINDOW)?;
        let expected = places.checked_mul(PLACE)?.checked_add(units.checked_mul(UNIT)?)?.checked_add(windows)?;
        if size != section || size == 0 || rest.len() != expected {
            return None;
        }
        let places: Box<[Point]> = rest.chunks_exact(PLACE).take(places).map(place).collect();
        let rises = places.is_sorted_by(|one, next| one.output < next.output);
        let fits = places.first()?.output == 0 && places.last()?.output < size as u64;
        (rises && fits).then_some(Self { bytes, places, units })
    }

    pub(super) fn places(&self) -> &[Point] {
        &self.places
    }

    /// Returns the window before a place.
    pub(super) fn window(&self, number: usize) -> &[u8] {
        let start = self.bytes.len().saturating_sub((self.places.len() - number) * WINDOW);
        // There is none before the first.
        let length = if number == 0 { 0 } else { WINDOW };
        self.bytes.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }

    /// Returns the heads of the units; `None` if they overlap.
    pub(super) fn heads(&self) -> Option<Vec<Head>> {
        let mut heads: Vec<Head> = Vec::with_capacity(self.units);
        let mut end = 0;
        for unit in self.bytes.get(START + self.places.len() * PLACE..)?.chunks_exact(UNIT).take(self.units) {
            let (offset, head) = unit.split_first_chunk::<8>()?;
            let (offset, head) = (usize::try_from(u64::from_le_bytes(*offset)).ok()?, *head.first_chunk::<HEAD>()?);
            if offset < end {
                return None;
            }
            end = offset.checked_add(length_of(&head)?)?;
            heads.push((offset, head));
        }
        Some(heads)
    }
}

/// Reads one of the places of a table.
fn place(bytes: &[u8]) -> Point {
    let number = |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |n| u64::from_le_bytes(*n));
    Point { output: number(0), input: number(8), sum: number(16) as u32 }
}

/// Writes the table of a section's places.
pub(crate) fn table_of(size: usize, places: &[AccessPoint], heads: &[Head]) -> Vec<u8> {
    let mut table = Vec::new();
    let numbers = [size, places.len(), heads.len()].map(|number| number as u64);
    table.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    for AccessPoint { point, .. } in places {
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
