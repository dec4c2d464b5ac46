//! Places in a compressed section from which unpacking can go on, each with the window before it, and the table that the
//! cache keeps of them.

use super::file_bytes::Bytes;
use super::inflate::Point;
use super::unit_queue::HEAD;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a match may refer back to.
pub(super) const WINDOW: usize = 1 << 15;

/// Sizes of the parts of a table: numbers at its beginning, a place, a unit.
pub(super) const START: usize = 24;
pub(super) const PLACE: usize = 24;
pub(super) const UNIT: usize = 8 + HEAD;

/// Where packed bytes are, and what they should expand to.
#[derive(Clone)]
pub(in crate::dwarf) struct PackedSection {
    pub(in crate::dwarf) bytes: Arc<Bytes>,
    pub(in crate::dwarf) data: Range<usize>,
    pub(in crate::dwarf) size: usize,
}

impl PackedSection {
    pub(in crate::dwarf) fn data(&self) -> &[u8] {
        self.bytes.get(self.data.clone()).unwrap_or_default()
    }

    /// Takes a part of the packed bytes out of memory.
    pub(in crate::dwarf) fn forget(&self, range: Range<usize>) {
        let end = self.data.start.saturating_add(range.end).min(self.data.end);
        self.bytes.forget(self.data.start.saturating_add(range.start)..end);
    }
}

/// Where a part begins.
#[derive(Clone)]
pub(in crate::dwarf) struct AccessPoint {
    pub(in crate::dwarf) point: Point,
    /// What is before it, as far as it may be referred to.
    pub(in crate::dwarf) window: Arc<[u8]>,
    /// What of the part is there.
    pub(in crate::dwarf) part: Arc<Part>,
}

/// How a unit begins, and where it is in the section.
pub(in crate::dwarf) type Head = (usize, [u8; HEAD]);

/// What of a part of a section is there, from a place to the next.
#[derive(Default)]
pub(in crate::dwarf) struct Part {
    /// Whether all of it is; `false`: it is damaged.
    pub(super) filled: OnceLock<bool>,
    /// Whoever writes to it has this.
    written: Mutex<Written>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Written {
    #[default]
    Nothing,
    Heads,
    All,
}

impl Part {
    /// The heads of its units are there already.
    pub(super) fn with_heads() -> Self {
        Self { filled: OnceLock::new(), written: Mutex::new(Written::Heads) }
    }

    pub(super) fn is_missing(&self) -> bool {
        self.filled.get().is_none()
    }

    /// Has it written, once; `write` is told whether heads are there, which somebody may be reading, and says whether
    /// it is sound.
    pub(super) fn fill(&self, write: impl FnOnce(bool) -> bool) {
        self.filled.get_or_init(|| {
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            let heads = std::mem::replace(&mut *written, Written::All) == Written::Heads;
            write(heads)
        });
    }

    /// Has its heads written, if nothing of it was.
    pub(super) fn put_heads(&self, write: impl FnOnce()) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if *written == Written::Nothing {
            write();
            *written = Written::Heads;
        }
    }
}

/// One of the places of a table.
pub(super) fn place_in(table: &[u8], number: usize) -> Option<Point> {
    let place = table.get(START + number * PLACE..)?.first_chunk::<PLACE>()?;
    let [output, input, sum] = *place.as_chunks::<8>().0 else { return None };
    let [output, input, sum] = [output, input, sum].map(u64::from_le_bytes);
    Some(Point { output, input, sum: sum as u32 })
}

/// The window before one of so many places.
pub(super) fn window_in(table: &[u8], number: usize, places: usize) -> &[u8] {
    let start = table.len().saturating_sub((places - number) * WINDOW);
    // There is none before the first.
    let length = if number == 0 { 0 } else { WINDOW };
    table.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default()
}

/// The table of a section's places.
pub(in crate::dwarf) fn table_of(size: usize, places: &[AccessPoint], heads: &[Head]) -> Vec<u8> {
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
