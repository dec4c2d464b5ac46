//! The units of a `.debug_info` that is being decompressed, on their way to those who read them. What waits is limited,
//! and the memory of what has been read is used again.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};

/// No more than this waits, but for one unit: enough for what has to be read before units are.
const WAITING: usize = 48 << 20;

/// What a unit that waits costs besides its bytes, about.
const OVERHEAD: usize = 64;
/// No program has more units than this; what follows them is not read, as if the section ended there.
const MAX_UNITS: usize = 1 << 22;

/// The longest header of a unit (DWARF 5 section 7.5.1) has so many bytes.
pub(crate) const HEAD: usize = 40;

/// Where a unit is in the section, and how it begins.
pub(crate) type Head = (usize, [u8; HEAD]);

/// A unit as it is in the section.
pub(crate) struct RawUnit {
    pub(crate) number: usize,
    /// Where it is in the section.
    pub(crate) offset: usize,
    pub(crate) bytes: Vec<u8>,
}

/// Between the one who decompresses and several who read.
#[derive(Default)]
pub(crate) struct UnitQueue {
    state: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    units: VecDeque<RawUnit>,
    bytes: usize,
    spare: Vec<Vec<u8>>,
    /// No more will come.
    ended: bool,
    /// The queue is closed: its readers need no more units.
    closed: bool,
}

/// A guard that closes a queue when it goes, so that nobody waits for room.
pub(crate) struct Closing<'q>(&'q UnitQueue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl UnitQueue {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        // Nobody panics with the lock.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn wait_while(&self, wait: impl Fn(&Queue) -> bool) -> MutexGuard<'_, Queue> {
        let state = self.changed.wait_while(self.lock(), |state| wait(state));
        state.unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns a guard that closes the queue, for a reader, or several.
    pub(crate) fn closing(&self) -> Closing<'_> {
        Closing(self)
    }

    /// Closes the queue: its readers need no more units.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.units.clear();
        self.changed.notify_all();
    }

    /// Takes the next unit, when it is there; `None` if there is none. `read`: memory that is not needed any more.
    pub(crate) fn next(&self, read: Option<Vec<u8>>) -> Option<RawUnit> {
        if let Some(read) = read {
            self.lock().spare.push(read);
        }
        let mut state = self.wait_while(|state| state.units.is_empty() && !state.ended && !state.closed);
        let unit = state.units.pop_front()?;
        state.bytes -= unit.bytes.len() + OVERHEAD;
        self.changed.notify_all();
        Some(unit)
    }

    /// Adds a unit when there is room; gives memory for another one.
    fn add(&self, unit: RawUnit) -> Vec<u8> {
        let mut state = self.wait_while(|state| state.bytes > WAITING && !state.closed);
        if state.closed {
            return unit.bytes;
        }
        state.bytes += unit.bytes.len() + OVERHEAD;
        state.units.push_back(unit);
        self.changed.notify_all();
        state.spare.pop().unwrap_or_default()
    }

    fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }
}

/// Cuts a section that comes in pieces into its units. When it goes, no more units come.
pub(crate) struct Cutter<'q> {
    queue: &'q UnitQueue,
    /// Of the section.
    size: usize,
    offset: usize,
    unit: Vec<u8>,
    /// Of the unit, once its head is there.
    length: Option<usize>,
    /// The next unit cannot be found.
    stopped: bool,
    /// Of each unit: where it is, and how it begins.
    heads: Vec<Head>,
}

impl Drop for Cutter<'_> {
    fn drop(&mut self) {
        self.queue.end();
    }
}

impl<'q> Cutter<'q> {
    /// Creates the `Cutter` of a section of this size.
    pub(crate) fn new(queue: &'q UnitQueue, size: usize) -> Self {
        Self { queue, size, offset: 0, unit: Vec::new(), length: None, stopped: false, heads: Vec::new() }
    }

    /// Returns the heads of the units so far: where each is in the section, and how it begins.
    pub(crate) fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// Appends the next piece of the section.
    pub(crate) fn push(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() && !self.stopped {
            let wanted = match self.length {
                Some(length) => length,
                None => length_of_length(&self.unit),
            };
            let (now, later) = piece.split_at(piece.len().min(wanted.saturating_sub(self.unit.len())));
            self.unit.extend_from_slice(now);
            piece = later;
            if self.unit.len() < wanted {
                return;
            }
            match self.length {
                None if length_of_length(&self.unit) > wanted => {}
                None => match length_of(&self.unit).filter(|length| *length <= self.size - self.offset) {
                    Some(length) => self.length = Some(length),
                    // As if the section ended here.
                    None => self.stopped = true,
                },
                Some(length) => self.cut(length),
            }
        }
    }

    fn cut(&mut self, length: usize) {
        let mut head = [0; HEAD];
        head.iter_mut().zip(&self.unit).for_each(|(to, from)| *to = *from);
        let number = self.heads.len();
        self.heads.push((self.offset, head));
        let unit = RawUnit { number, offset: self.offset, bytes: std::mem::take(&mut self.unit) };
        self.unit = self.queue.add(unit);
        self.unit.clear();
        self.offset += length;
        self.length = None;
        self.stopped = self.heads.len() >= MAX_UNITS;
    }
}

/// Returns how many bytes say how long a unit is (DWARF 5 section 7.4), of which some are there.
fn length_of_length(unit: &[u8]) -> usize {
    if unit.starts_with(&[0xff; 4]) { 12 } else { 4 }
}

/// Returns the whole length of a unit; `None` if it can have none.
pub(crate) fn length_of(unit: &[u8]) -> Option<usize> {
    let short = u32::from_le_bytes(*unit.first_chunk::<4>()?);
    let length = match short {
        0xffff_ffff => u64::from_le_bytes(*unit.get(4..)?.first_chunk::<8>()?).checked_add(12)?,
        0xffff_fff0.. => return None,
        length => u64::from(length) + 4,
    };
    // An empty one would be followed by itself.
    usize::try_from(length).ok().filter(|length| *length > length_of_length(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units as number, offset and bytes; and where units begin.
    type Cut = (Vec<(usize, usize, Vec<u8>)>, Vec<usize>);

    fn cut(section: &[u8], piece: usize) -> Cut {
        let queue = UnitQueue::default();
        let mut cutter = Cutter::new(&queue, section.len());
        section.chunks(piece).for_each(|piece| cutter.push(piece));
        let heads = cutter.heads().iter().map(|(offset, _)| *offset).collect();
        drop(cutter);
        let mut units = Vec::new();
        let mut spare = None;
        while let Some(unit) = queue.next(spare.take()) {
            units.push((unit.number, unit.offset, unit.bytes.clone()));
            spare = Some(unit.bytes);
        }
        (units, heads)
    }

    #[test]
    fn units_are_cut_wherever_the_pieces_end() {
        let short = [&3u32.to_le_bytes()[..], b"abc"].concat();
        let long = [&[0xff; 4], &5u64.to_le_bytes()[..], b"defgh"].concat();
        let section = [&short[..], &long, &short].concat();
        for piece in 1..section.len() {
            let (units, heads) = cut(&section, piece);
            assert_eq!(units, [(0, 0, short.clone()), (1, 7, long.clone()), (2, 24, short.clone())], "{piece}");
            assert_eq!(heads, [0, 7, 24]);
        }
    }

    #[test]
    fn nothing_is_cut_behind_a_unit_without_a_possible_length() {
        let first = [&1u32.to_le_bytes()[..], b"a"].concat();
        for bad in [&[0; 12][..], &[0xf0, 0xff, 0xff, 0xff, 0, 0], &[9, 0, 0, 0, 0], &[0xff; 12], &[1, 0]] {
            let (units, _) = cut(&[&first[..], bad].concat(), 3);
            assert_eq!(units, [(0, 0, first.clone())], "{bad:?}");
        }
    }

    #[test]
    fn nobody_waits_for_those_who_have_gone() {
        let queue = UnitQueue::default();
        drop(queue.closing());
        let unit = [&(WAITING as u32).to_le_bytes()[..], &vec![0; WAITING]].concat();
        let mut cutter = Cutter::new(&queue, 3 * unit.len());
        (0..3).for_each(|_| cutter.push(&unit));
        assert_eq!(cutter.heads().len(), 3);
        drop(cutter);
        assert!(queue.next(None).is_none());
    }
}
