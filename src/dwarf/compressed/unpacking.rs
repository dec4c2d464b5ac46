//! A large packed section while it is unpacked for the first time, by a thread of its own: its parts can be had as soon
//! as that thread is past them, and its units go to whoever reads the names of all.

use super::access_points::{AccessPoint, PackedSection, table_of};
use super::inflate::{Broken, Inflater, Point};
use super::unit_queue::{Cutter, Head, UnitQueue, length_of};
use crate::dwarf::cache::disk::{Cache, Key};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many bytes are unpacked at least for each that is needed.
const PART: u64 = if cfg!(test) { 1 << 15 } else { 2 << 20 };

/// What is known so far.
pub(in crate::dwarf) struct Unpacking {
    state: Mutex<State>,
    changed: Condvar,
    queue: UnitQueue,
    /// The state says so, too.
    ended: AtomicBool,
}

#[derive(Default)]
struct State {
    places: Vec<AccessPoint>,
    /// Of the units that end before the last place.
    heads: Vec<Head>,
    ended: Option<Result<(), Broken>>,
    unwanted: bool,
}

impl State {
    fn reaches(&self, offset: usize) -> bool {
        self.places.last().is_some_and(|place| place.point.output >= offset as u64)
    }

    fn unit_around(&self, offset: usize) -> Option<Range<usize>> {
        let after = self.heads.partition_point(|(start, _)| *start <= offset);
        let (start, head) = self.heads.get(after.checked_sub(1)?)?;
        let end = start.checked_add(length_of(head)?)?;
        (offset < end).then_some(*start..end)
    }
}

impl Unpacking {
    /// Begins to unpack a section. What is needed to unpack parts of it again goes to the cache in the end. `None`: no
    /// thread is to be had for it.
    pub(in crate::dwarf) fn begin(packed: PackedSection, cache: &Cache, key: Option<&Key>) -> Option<Arc<Self>> {
        let unpacking = Arc::new(Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            queue: UnitQueue::default(),
            ended: AtomicBool::new(false),
        });
        let (made, cache, key) = (unpacking.clone(), cache.clone(), key.cloned());
        let unpack = move || {
            // Whatever happens, nobody waits for longer.
            let mut ending = Ending { unpacking: &made, result: Err(Broken) };
            let result = made.unpack(&packed);
            #[cfg(test)]
            cache.gate.iter().for_each(|gate| gate.wait());
            ending.result = result;
            let sound = ending.result.is_ok();
            drop(ending);
            if let (true, Some(key), true) = (sound, key, cache.is_on()) {
                let state = made.lock();
                let table = table_of(packed.size, &state.places, &state.heads);
                drop(state);
                cache.put(&key, &table);
            }
        };
        std::thread::Builder::new().spawn(unpack).ok().map(|_| unpacking)
    }

    /// The units, on their way to those who read them.
    pub(in crate::dwarf) fn queue(&self) -> &UnitQueue {
        &self.queue
    }

    fn unpack(&self, packed: &PackedSection) -> Result<(), Broken> {
        let mut cutter = Cutter::new(&self.queue, packed.size);
        let mut inflater = Inflater::new(packed.data(), packed.size as u64)?;
        let (start, window) = inflater.point();
        if !self.add(start, window, &cutter) {
            return Err(Broken);
        }
        let (mut last, mut forgotten) = (start.output, 0);
        loop {
            let more = inflater.block(&mut |piece| cutter.push(piece))?;
            if more && inflater.made() - last < PART {
                continue;
            }
            inflater.flush(&mut |piece| cutter.push(piece))?;
            packed.forget(forgotten..inflater.read());
            forgotten = inflater.read();
            if !more {
                break;
            }
            let (point, window) = inflater.point();
            last = point.output;
            if !self.add(point, window, &cutter) {
                return Err(Broken);
            }
        }
        inflater.finish()?;
        packed.forget(0..usize::MAX);
        self.add_heads(&mut self.lock(), &cutter);
        Ok(())
    }

    /// Whether more is wanted.
    fn add(&self, point: Point, window: &[u8], cutter: &Cutter<'_>) -> bool {
        let mut state = self.lock();
        state.places.push(AccessPoint { point, window: window.into(), part: Arc::default() });
        self.add_heads(&mut state, cutter);
        self.changed.notify_all();
        !state.unwanted
    }

    fn add_heads(&self, state: &mut State, cutter: &Cutter<'_>) {
        let known = state.heads.len();
        state.heads.extend_from_slice(cutter.heads().get(known..).unwrap_or_default());
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic with the lock leaves at worst something out at the end.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is enough, or all.
    fn wait(&self, enough: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let wait = |state: &mut State| state.ended.is_none() && !enough(state);
        self.changed.wait_while(self.lock(), wait).unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether parts up to an offset can be had, or no more come; waits for so long.
    pub(in crate::dwarf) fn reaches(&self, offset: usize, patience: Duration) -> bool {
        self.wait_for(patience, |state| state.reaches(offset))
    }

    /// Whether the unit around an offset is known, or none is; waits for so long.
    pub(in crate::dwarf) fn knows_unit(&self, offset: usize, patience: Duration) -> bool {
        self.wait_for(patience, |state| state.unit_around(offset).is_some())
    }

    /// Whether all are known; waits for so long.
    pub(in crate::dwarf) fn knows_units(&self, patience: Duration) -> bool {
        self.wait_for(patience, |_| false)
    }

    fn wait_for(&self, patience: Duration, enough: impl Fn(&State) -> bool) -> bool {
        let is_there = |state: &State| state.ended.is_some() || enough(state);
        let waited = self.changed.wait_timeout_while(self.lock(), patience, |state| !is_there(state));
        is_there(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// How many bytes there are.
    pub(in crate::dwarf) fn made(&self) -> u64 {
        self.lock().places.last().map_or(0, |place| place.point.output)
    }

    /// The parts that a range is in, each with the point where it ends, which the last one of a section does not have.
    /// Waits for them; parts of a damaged section may be missing.
    pub(in crate::dwarf) fn parts(&self, range: Range<usize>) -> Vec<(AccessPoint, Option<Point>)> {
        let state = self.wait(|state| state.reaches(range.end));
        let first = state.places.partition_point(|place| place.point.output <= range.start as u64).saturating_sub(1);
        let mut parts = Vec::new();
        for (number, place) in state.places.iter().enumerate().skip(first) {
            if place.point.output >= range.end as u64 {
                break;
            }
            match (state.places.get(number + 1), state.ended) {
                (Some(next), _) => parts.push((place.clone(), Some(next.point))),
                (None, Some(Ok(()))) => parts.push((place.clone(), None)),
                (None, _) => {}
            }
        }
        parts
    }

    /// Where the unit around an offset is, waiting for it.
    pub(in crate::dwarf) fn unit_around(&self, offset: usize) -> Option<Range<usize>> {
        self.wait(|state| state.unit_around(offset).is_some()).unit_around(offset)
    }

    /// Whether nobody would have to wait.
    pub(in crate::dwarf) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// How all units begin, waiting for the last one; an error if the section is damaged.
    pub(in crate::dwarf) fn heads(&self) -> Result<Vec<Head>, Broken> {
        let state = self.wait(|_| false);
        state.ended.unwrap_or(Err(Broken)).map(|()| state.heads.clone())
    }

    /// Nobody wants the rest.
    pub(in crate::dwarf) fn stop(&self) {
        self.lock().unwanted = true;
        self.queue.close();
    }
}

/// Says that unpacking has ended.
struct Ending<'g> {
    unpacking: &'g Unpacking,
    result: Result<(), Broken>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.unpacking.lock().ended = Some(self.result);
        self.unpacking.ended.store(true, Ordering::Release);
        self.unpacking.changed.notify_all();
    }
}
