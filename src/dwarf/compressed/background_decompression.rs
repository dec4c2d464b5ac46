//! A large compressed section while it is decompressed for the first time, by a thread of its own: its parts can be had
//! as soon as that thread is past them, and its units go to whoever reads the names of all.

use super::access_points::{AccessPoint, CompressedSection, table_of};
use super::inflate::{Broken, Inflater, Point};
use super::unit_queue::{Cutter, Head, UnitQueue, length_of};
use crate::cache::disk::{Cache, Key};
use base::cancel::Cancel;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many bytes are decompressed at least for each that is needed.
const PART: u64 = if cfg!(test) { 1 << 15 } else { 2 << 20 };

/// What is known so far.
pub(crate) struct BackgroundDecompression {
    state: Mutex<Decompressed>,
    changed: Condvar,
    queue: UnitQueue,
    /// The state says so, too.
    ended: AtomicBool,
    cancel: Cancel,
}

#[derive(Default)]
struct Decompressed {
    places: Vec<AccessPoint>,
    /// Of the units that end before the last place.
    heads: Vec<Head>,
    ended: Option<Result<(), Broken>>,
}

impl Decompressed {
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

impl BackgroundDecompression {
    /// Begins to decompress a section. What is needed to decompress parts of it again goes to the cache in the end.
    /// `None`: no thread is to be had for it.
    pub(crate) fn begin(compressed: CompressedSection, cache: &Cache, key: Option<&Key>) -> Option<Arc<Self>> {
        let decompression = Arc::new(Self {
            state: Mutex::default(),
            changed: Condvar::new(),
            queue: UnitQueue::default(),
            ended: AtomicBool::new(false),
            cancel: Cancel::default(),
        });
        let (made, cache, key) = (decompression.clone(), cache.clone(), key.cloned());
        let decompress = move || {
            // Whatever happens, nobody waits for longer.
            let mut ending = Ending { decompression: &made, result: Err(Broken) };
            let result = made.decompress(&compressed);
            #[cfg(test)]
            cache.gate.iter().for_each(|gate| gate.wait());
            ending.result = result;
            let sound = ending.result.is_ok();
            drop(ending);
            if let (true, Some(key), true) = (sound, key, cache.is_on()) {
                let state = made.lock();
                let table = table_of(compressed.size, &state.places, &state.heads);
                drop(state);
                cache.put(&key, &table);
            }
        };
        std::thread::Builder::new().spawn(decompress).ok().map(|_| decompression)
    }

    /// Returns the units, on their way to those who read them.
    pub(crate) fn queue(&self) -> &UnitQueue {
        &self.queue
    }

    fn decompress(&self, compressed: &CompressedSection) -> Result<(), Broken> {
        let mut cutter = Cutter::new(&self.queue, compressed.size);
        let mut inflater = Inflater::new(compressed.data(), compressed.size as u64)?;
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
            compressed.forget(forgotten..inflater.read());
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
        compressed.forget(0..usize::MAX);
        self.add_heads(&mut self.lock(), &cutter);
        Ok(())
    }

    /// Adds a place. Returns whether decompression is to go on.
    fn add(&self, point: Point, window: &[u8], cutter: &Cutter<'_>) -> bool {
        let mut state = self.lock();
        state.places.push(AccessPoint { point, window: window.into(), part: Arc::default() });
        self.add_heads(&mut state, cutter);
        self.changed.notify_all();
        !self.cancel.is_cancelled()
    }

    fn add_heads(&self, state: &mut Decompressed, cutter: &Cutter<'_>) {
        let known = state.heads.len();
        state.heads.extend_from_slice(cutter.heads().get(known..).unwrap_or_default());
    }

    fn lock(&self) -> MutexGuard<'_, Decompressed> {
        // A panic with the lock leaves at worst something out at the end.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is enough, or all.
    fn wait(&self, enough: impl Fn(&Decompressed) -> bool) -> MutexGuard<'_, Decompressed> {
        let wait = |state: &mut Decompressed| state.ended.is_none() && !enough(state);
        self.changed.wait_while(self.lock(), wait).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, at most for so long, until parts up to an offset can be had, or no more come; returns whether that is so.
    pub(crate) fn reaches(&self, offset: usize, patience: Duration) -> bool {
        self.wait_for(patience, |state| state.reaches(offset))
    }

    /// Waits, at most for so long, until the unit around an offset is known, or none is; returns whether that is so.
    pub(crate) fn knows_unit(&self, offset: usize, patience: Duration) -> bool {
        self.wait_for(patience, |state| state.unit_around(offset).is_some())
    }

    /// Waits, at most for so long, until all units are known; returns whether they are.
    pub(crate) fn knows_units(&self, patience: Duration) -> bool {
        self.wait_for(patience, |_| false)
    }

    fn wait_for(&self, patience: Duration, enough: impl Fn(&Decompressed) -> bool) -> bool {
        let is_there = |state: &Decompressed| state.ended.is_some() || enough(state);
        let waited = self.changed.wait_timeout_while(self.lock(), patience, |state| !is_there(state));
        is_there(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Returns how many bytes there are.
    pub(crate) fn made(&self) -> u64 {
        self.lock().places.last().map_or(0, |place| place.point.output)
    }

    /// Returns the parts that a range is in, each with the point where it ends, which the last one of a section does
    /// not have. Waits for them; parts of a damaged section may be missing.
    pub(crate) fn parts(&self, range: Range<usize>) -> Vec<(AccessPoint, Option<Point>)> {
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

    /// Waits for the unit around an offset, and returns where it is.
    pub(crate) fn unit_around(&self, offset: usize) -> Option<Range<usize>> {
        self.wait(|state| state.unit_around(offset).is_some()).unit_around(offset)
    }

    /// Returns whether nobody would have to wait.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Waits for the last unit, and returns the heads of all; an error if the section is damaged.
    pub(crate) fn heads(&self) -> Result<Vec<Head>, Broken> {
        let state = self.wait(|_| false);
        state.ended.unwrap_or(Err(Broken)).map(|()| state.heads.clone())
    }

    /// Cancels the rest.
    pub(crate) fn stop(&self) {
        self.cancel.cancel();
        self.queue.close();
    }
}

/// A guard that says that decompression has ended.
struct Ending<'g> {
    decompression: &'g BackgroundDecompression,
    result: Result<(), Broken>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.decompression.lock().ended = Some(self.result);
        self.decompression.ended.store(true, Ordering::Release);
        self.decompression.changed.notify_all();
    }
}
