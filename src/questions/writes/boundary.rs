//! Which writes were before a moment, as they go by in their order.

use super::Now;
use super::bit_field::is_change;
use ctype::Bits;
use softcounters::probes::Written;
use std::collections::VecDeque;

/// Most writes of which the ticks do not say whether they were before a moment.
const MOST_OPEN: usize = 4096;

/// How many writes were before a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// So many.
    Known(u64),
    /// At least the first number, at most the second: those between were in the same tick, and what is in memory does
    /// not tell either.
    Between(u64, u64),
}

/// Whether something was before a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    Behind,
    /// In the same tick, or between the same events.
    Open,
}

/// A write, with the id of its thread in the recording, if it is known.
pub(super) type Row = (Option<u32>, Written);

/// Finds which writes were before a moment, while they go by in their order.
#[derive(Debug)]
pub(super) struct Boundary {
    now: Now,
    address: u64,
    bits: Option<Bits>,
    /// So many rows were before.
    before: u64,
    /// Rows behind these, as far as it is not known of them.
    open: Vec<Row>,
    /// How many of these came by before a moment that looks like the one that is asked about.
    arrivals: Vec<usize>,
    pub(super) is_behind: bool,
    is_full: bool,
    /// So many of the last rows are wanted.
    most: usize,
    last: VecDeque<Row>,
    last_change: Option<Row>,
}

/// What was before a moment.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) before: Before,
    /// The last ones, in their order.
    pub(super) last: Vec<Row>,
    /// The last one that changed something.
    pub(super) last_change: Option<Row>,
}

impl Boundary {
    pub(super) fn new(now: Now, address: u64, bits: Option<Bits>, most: usize) -> Self {
        Self {
            now,
            address,
            bits,
            before: 0,
            open: Vec::new(),
            arrivals: Vec::new(),
            is_behind: false,
            is_full: false,
            most,
            last: VecDeque::new(),
            last_change: None,
        }
    }

    /// Returns the moment.
    pub(super) fn now(&self) -> &Now {
        &self.now
    }

    /// Adds a write.
    pub(super) fn add(&mut self, side: Side, row: Row) {
        match side {
            _ if self.is_behind => {}
            Side::Before => {
                self.settle();
                self.count(row);
            }
            Side::Behind => self.is_behind = true,
            Side::Open if self.open.len() < MOST_OPEN => self.open.push(row),
            Side::Open => self.is_full = true,
        }
    }

    /// Takes note that the thread comes to a moment that looks like the one that is asked about.
    pub(super) fn arrive(&mut self) {
        if !self.is_behind {
            self.arrivals.push(self.open.len());
        }
    }

    /// Adds so many writes that were before, of which others that were follow.
    pub(super) fn skip(&mut self, writes: u64) {
        if !self.is_behind {
            self.settle();
            self.before += writes;
            self.last.clear();
        }
    }

    /// Counts what came by before something that was before, as before it.
    fn settle(&mut self) {
        self.arrivals.clear();
        std::mem::take(&mut self.open).into_iter().for_each(|row| self.count(row));
    }

    /// Counts one that was before.
    fn count(&mut self, row: Row) {
        self.before += 1;
        if is_change(&row.1, self.address, self.bits) {
            self.last_change = Some(row.clone());
        }
        if self.last.len() == self.most {
            self.last.pop_front();
        }
        self.last.push_back(row);
    }

    /// Returns what was before.
    pub(super) fn finish(mut self) -> Done {
        let count = self.open.len();
        // After so many of the open ones, memory is as it is now: the last one has left it so, and the next one finds
        // it.
        let fits = |done: &usize| {
            let is = |written: &Written, bytes: &[u8]| {
                let offset = written.address.checked_sub(self.address).and_then(|offset| usize::try_from(offset).ok());
                let there = offset.and_then(|offset| self.now.content.get(offset..offset.checked_add(bytes.len())?));
                there.is_some_and(|there| there == bytes)
            };
            let last = done.checked_sub(1).and_then(|last| self.open.get(last));
            let next = self.open.get(*done);
            last.is_none_or(|(_, written)| is(written, &written.after))
                && next.is_none_or(|(_, written)| is(written, &written.before))
        };
        let mut fitting: Vec<usize> = (0..=count).filter(fits).collect();
        let visit = self.now.place.as_ref().and_then(|place| place.moment.visit);
        let visit = visit.and_then(|visit| self.arrivals.get(usize::try_from(visit).ok()?.checked_sub(1)?));
        match visit {
            Some(only) => fitting = vec![*only],
            None if self.arrivals.iter().any(|done| fitting.contains(done)) => {
                fitting.retain(|done| self.arrivals.contains(done));
            }
            None => {}
        }
        let (least, most) = match fitting.as_slice() {
            [only] if !self.is_full => (*only, *only),
            [least, .., most] if !self.is_full => (*least, *most),
            _ => (0, count),
        };
        std::mem::take(&mut self.open).into_iter().take(least).for_each(|row| self.count(row));
        let before = match (most - least) as u64 {
            0 => Before::Known(self.before),
            spread => Before::Between(self.before, self.before + spread),
        };
        Done { before, last: self.last.into(), last_change: self.last_change }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writes::Place;
    use Side::{Before as Was, Behind, Open};
    use engine::model::Waypoint;
    use softcounters::probes::{Access, Values, Writer};

    /// One byte goes from one value to another.
    fn write(from: u8, to: u8) -> Written {
        Written {
            watch: 0,
            thread: Some(1),
            ticks: 7,
            space: None,
            events: None,
            writer: Writer::System,
            is_again: false,
            visit: None,
            access: Access::Write,
            is_locked: false,
            address: 0x1001,
            length: 1,
            before: vec![from],
            after: vec![to],
            values: Values::default(),
        }
    }

    /// Returns how many were before, what the last one left, and what the last one that changed something.
    fn told(now: u8, writes: &[(Side, u8, u8)]) -> (Before, Option<u8>, Option<u8>) {
        told_at(now, None, &[], writes)
    }

    /// Returns the same where the thread has come to moments like this one before so many of the writes, and this is the
    /// visit of that number.
    fn told_at(
        now: u8,
        visit: Option<u32>,
        arrivals: &[usize],
        writes: &[(Side, u8, u8)],
    ) -> (Before, Option<u8>, Option<u8>) {
        let moment: Waypoint = "3/7/9.9/0x10".parse().unwrap();
        let place = visit.map(|_| Place { moment: Waypoint { visit, ..moment }, registers: [0; 16] });
        let now = Now { event: 3, ticks: 7, tid: 9, content: vec![0xee, now], place };
        let mut boundary = Boundary::new(now, 0x1000, None, 1);
        for (number, (side, from, to)) in writes.iter().enumerate() {
            arrivals.iter().filter(|arrival| **arrival == number).for_each(|_| boundary.arrive());
            boundary.add(*side, (Some(9), write(*from, *to)));
        }
        arrivals.iter().filter(|arrival| **arrival == writes.len()).for_each(|_| boundary.arrive());
        let done = boundary.finish();
        let left = |row: Option<&Row>| row.map(|(_, written)| written.after[0]);
        (done.before, left(done.last.last()), left(done.last_change.as_ref()))
    }

    #[test]
    fn in_one_tick_memory_tells_what_was_before() {
        let tick = [(Was, 0, 1), (Open, 1, 2), (Open, 2, 3), (Behind, 3, 4)];
        assert_eq!(told(1, &tick), (Before::Known(1), Some(1), Some(1)));
        assert_eq!(told(2, &tick), (Before::Known(2), Some(2), Some(2)));
        assert_eq!(told(3, &tick), (Before::Known(3), Some(3), Some(3)));
        assert_eq!(told(4, &[]), (Before::Known(0), None, None));
    }

    #[test]
    fn where_memory_does_not_tell_the_thread_has_come_by() {
        let there_and_back = [(Open, 1, 2), (Open, 2, 1), (Open, 1, 2), (Open, 2, 1)];
        assert_eq!(told(1, &there_and_back).0, Before::Between(0, 4));
        for (arrivals, before) in [
            (&[2][..], Before::Known(2)),
            (&[0], Before::Known(0)),
            (&[1, 2], Before::Known(2)),
            (&[2, 4], Before::Between(2, 4)),
            // It has not come by where memory is like that.
            (&[3], Before::Between(0, 4)),
        ] {
            assert_eq!(told_at(1, None, arrivals, &there_and_back).0, before, "{arrivals:?}");
        }
        assert_eq!(told_at(1, Some(2), &[0, 2, 4], &there_and_back).0, Before::Known(2));
        let late = [(Was, 1, 2), (Open, 2, 1), (Open, 1, 1)];
        assert_eq!(told_at(1, None, &[0, 2], &late), (Before::Known(2), Some(1), Some(1)));
    }

    #[test]
    fn what_memory_does_not_tell_is_said_to_be_so() {
        // There and back: it is before both or behind both.
        assert_eq!(told(1, &[(Open, 1, 2), (Open, 2, 1)]), (Before::Between(0, 2), None, None));
        assert_eq!(told(1, &[(Was, 0, 1), (Open, 1, 1)]), (Before::Between(1, 2), Some(1), Some(1)));
        // Nothing fits: something is not known of, or the content is not.
        assert_eq!(told(9, &[(Open, 1, 2)]), (Before::Between(0, 1), None, None));
    }

    #[test]
    fn what_comes_by_before_what_was_before_was_before() {
        let writes = [(Open, 0, 1), (Open, 1, 1), (Was, 1, 1), (Behind, 1, 2), (Open, 2, 3)];
        assert_eq!(told(1, &writes), (Before::Known(3), Some(1), Some(1)));
    }

    #[test]
    fn what_is_skipped_counts_and_the_last_ones_are_those_behind_it() {
        let now = Now { event: 3, ticks: 7, tid: 9, content: vec![0xee, 4], place: None };
        let mut boundary = Boundary::new(now, 0x1000, None, 3);
        boundary.add(Open, (None, write(0, 1)));
        boundary.add(Was, (None, write(1, 2)));
        boundary.skip(40);
        for (side, from, to) in [(Was, 2, 2), (Open, 2, 4), (Behind, 4, 5)] {
            boundary.add(side, (None, write(from, to)));
        }
        boundary.skip(7);
        let done = boundary.finish();
        let left: Vec<u8> = done.last.iter().map(|(_, written)| written.after[0]).collect();
        assert_eq!((done.before, left, done.last_change.unwrap().1.after[0]), (Before::Known(44), vec![2, 4], 4));
    }
}
