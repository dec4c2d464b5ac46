//! Writes to memory of which the last ones are wanted: those that others follow are skipped.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A write that is kept.
#[derive(Debug, Default)]
pub struct LastWrite {
    /// Tells the order among all.
    number: u64,
    /// How many writes directly before it are skipped.
    pub skipped: u64,
    is_change: bool,
    /// As it is told.
    pub content: Vec<u8>,
}

/// The last writes of a watch in an address space.
#[derive(Debug, Default)]
struct Last {
    space: u32,
    /// How many are skipped behind those that are kept: another one follows.
    skipped: u64,
    kept: VecDeque<LastWrite>,
    /// The last one before these that has changed something.
    change: Option<LastWrite>,
}

/// The last writes of all watches of which the last are wanted.
#[derive(Debug, Default)]
pub struct LastWrites {
    /// How many of each watch, if not all.
    most: Vec<Option<usize>>,
    watches: Vec<Vec<Last>>,
    /// Writes so far.
    writes: u64,
    is_empty: bool,
    /// What each thread has written in its tick, by the threads' numbers.
    ticks: Vec<Tick>,
}

/// What a thread has written in a tick.
#[derive(Debug, Default)]
struct Tick {
    /// The branches that it has executed.
    ticks: u64,
    /// How often an instruction has written to what is watched.
    places: HashMap<(u32, u64), u32>,
    /// The same with equal values of the registers.
    visits: HashMap<(u32, u64, u64), u32>,
}

/// Which time in its tick it is that an instruction writes to what is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// It is not the first.
    pub is_again: bool,
    /// From 1 on, of those at which the registers that are told are the same; 0: nobody knows.
    pub number: u16,
}

/// Most instructions and states of a tick that are told apart.
const MOST_PLACES: usize = 4096;
/// Bytes of the general registers, which are told first where all are.
const REGISTERS: usize = 16 * 8;

impl LastWrites {
    pub fn new(most: &[Option<usize>]) -> LastWrites {
        let watches = most.iter().map(|_| Vec::new()).collect();
        LastWrites { most: most.to_vec(), watches, writes: 0, is_empty: true, ticks: Vec::new() }
    }

    /// Whether only the last writes of this watch are wanted.
    pub fn keeps(&self, watch: u32) -> bool {
        self.most.get(watch as usize).is_some_and(Option::is_some)
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.is_empty || self.most.is_empty()
    }

    /// Counts that an instruction writes to what is watched, by what is told of the registers before.
    pub fn visit(&mut self, watch: u32, (thread, ticks): (u32, u64), instruction: u64, values: &[u8]) -> Visit {
        let thread = thread as usize;
        if self.ticks.len() <= thread {
            self.ticks.resize_with(thread + 1, Default::default);
        }
        let tick = &mut self.ticks[thread];
        if tick.ticks != ticks {
            tick.ticks = ticks;
            tick.places.clear();
            tick.visits.clear();
        }
        if tick.visits.len() >= MOST_PLACES {
            return Visit { is_again: true, number: 0 };
        }
        let place = tick.places.entry((watch, instruction)).or_default();
        let is_again = *place > 0;
        *place = place.saturating_add(1);
        let mut state = DefaultHasher::new();
        values.get(..REGISTERS.min(values.len())).hash(&mut state);
        let visit = tick.visits.entry((watch, instruction, state.finish())).or_default();
        *visit = visit.saturating_add(1);
        Visit { is_again, number: u16::try_from(*visit).unwrap_or(0) }
    }

    /// Adds a write of such a watch. Says for how many bytes there is room again.
    pub fn add(&mut self, watch: u32, space: u32, is_change: bool, pieces: &[&[u8]]) -> u64 {
        let (Some(&Some(most)), Some(spaces)) = (self.most.get(watch as usize), self.watches.get_mut(watch as usize))
        else {
            return 0;
        };
        self.is_empty = false;
        self.writes += 1;
        let last = Last::of(spaces, space);
        let mut kept = match last.kept.len() == most {
            true => last.kept.pop_front().and_then(|old| last.drop_out(old)),
            false => None,
        };
        let dropped = kept.as_ref().map_or(0, |dropped| dropped.content.len() as u64 + 32);
        let mut new = kept.take().unwrap_or_default();
        let skipped = std::mem::take(&mut new.skipped);
        match last.kept.front_mut() {
            Some(front) => front.skipped += skipped,
            None => new.skipped = skipped,
        }
        new.skipped += std::mem::take(&mut last.skipped);
        (new.number, new.is_change) = (self.writes, is_change);
        new.content.clear();
        pieces.iter().for_each(|piece| new.content.extend_from_slice(piece));
        last.kept.push_back(new);
        dropped
    }

    /// So many writes are not added: as many as are wanted are added next, and before them the last of these that has
    /// changed something, if one has.
    pub fn skip(&mut self, watch: u32, space: u32, writes: u64) {
        if let Some(spaces) = self.watches.get_mut(watch as usize) {
            Last::of(spaces, space).skipped += writes;
        }
    }

    /// Takes what is kept, in its order.
    pub fn take(&mut self) -> Vec<LastWrite> {
        self.is_empty = true;
        let all = self.watches.iter_mut().flat_map(std::mem::take);
        let mut all: Vec<LastWrite> = all.flat_map(|last| last.change.into_iter().chain(last.kept)).collect();
        all.sort_by_key(|kept| kept.number);
        all
    }
}

impl Last {
    /// Those of an address space.
    fn of(spaces: &mut Vec<Last>, space: u32) -> &mut Last {
        let at = spaces.iter().position(|last| last.space == space).unwrap_or_else(|| {
            spaces.push(Last { space, ..Last::default() });
            spaces.len() - 1
        });
        &mut spaces[at]
    }

    /// One is not among the last any more. Returns one that is skipped now, and how many are skipped before the first of
    /// those that are kept, with it.
    fn drop_out(&mut self, old: LastWrite) -> Option<LastWrite> {
        if !old.is_change {
            return Some(LastWrite { skipped: old.skipped + 1, ..old });
        }
        let before = self.change.replace(old);
        let skipped = before.as_ref().map_or(0, |before| before.skipped + 1);
        if let Some(change) = &mut self.change {
            change.skipped += skipped;
        }
        before.map(|before| LastWrite { skipped: 0, ..before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds writes, each of which changes something or not, and tells what is kept: how many are skipped before, and
    /// which it is.
    fn told(most: usize, changes: &[bool]) -> Vec<(u64, u8)> {
        let mut last = LastWrites::new(&[None, Some(most)]);
        assert!(last.is_empty() && !last.keeps(0) && last.keeps(1) && !last.keeps(2));
        let mut room = 0;
        for (number, is_change) in changes.iter().enumerate() {
            room += 33;
            room -= last.add(1, 7, *is_change, &[&[number as u8]]);
        }
        let kept = last.take();
        assert_eq!(room, kept.len() as u64 * 33);
        assert!(last.is_empty() && last.take().is_empty());
        kept.iter().map(|kept| (kept.skipped, kept.content[0])).collect()
    }

    #[test]
    fn the_last_ones_are_kept_and_the_last_that_changed_something() {
        assert_eq!(told(1, &[true, true, true]), [(1, 1), (0, 2)]);
        assert_eq!(told(1, &[true, true, false, false]), [(1, 1), (1, 3)]);
        assert_eq!(told(1, &[false, false, false]), [(2, 2)]);
        assert_eq!(told(2, &[true, false, true, false, false, false]), [(2, 2), (1, 4), (0, 5)]);
        assert_eq!(told(3, &[true, false]), [(0, 0), (0, 1)]);
    }

    #[test]
    fn whatever_is_written_all_are_told_or_counted() {
        for pattern in 0..1u32 << 10 {
            let changes: Vec<bool> = (0..10).map(|bit| pattern >> bit & 1 == 1).collect();
            for most in 1..4 {
                let told = told(most, &changes);
                let mut next = 0;
                for (skipped, number) in &told {
                    assert_eq!(next + skipped, u64::from(*number), "{changes:?} {told:?}");
                    next = u64::from(*number) + 1;
                }
                assert_eq!(next, 10);
                let tail: Vec<u8> = told.iter().map(|(_, number)| *number).collect();
                assert!(tail.ends_with(&(10 - most as u8..10).collect::<Vec<_>>()));
                let change = changes.iter().rposition(|change| *change);
                assert!(change.is_none_or(|change| tail.contains(&(change as u8))), "{changes:?} {told:?}");
            }
        }
    }

    #[test]
    fn what_is_skipped_together_is_as_if_each_was_added() {
        for pattern in 0..1u32 << 9 {
            let changes: Vec<bool> = (0..9).map(|bit| pattern >> bit & 1 == 1).collect();
            for (most, first) in [(1, 0), (1, 1), (2, 3), (3, 2)] {
                let mut last = LastWrites::new(&[None, Some(most)]);
                let add = |last: &mut LastWrites, number: usize| {
                    last.add(1, 7, changes[number], &[&[number as u8]]);
                };
                (0..first).for_each(|number| add(&mut last, number));
                let tail = 9 - most;
                let change = (first..tail).rev().find(|number| changes[*number]);
                let mut next = first;
                for number in change.into_iter().chain(tail..9) {
                    last.skip(1, 7, (number - next) as u64);
                    add(&mut last, number);
                    next = number + 1;
                }
                let kept: Vec<_> = last.take().iter().map(|kept| (kept.skipped, kept.content[0])).collect();
                assert_eq!(kept, told(most, &changes), "{changes:?} {most} {first}");
            }
        }
    }

    #[test]
    fn an_instruction_writes_again_in_the_same_tick_of_its_thread() {
        let mut last = LastWrites::new(&[Some(1)]);
        let writes = [(1, 5, 7), (2, 5, 7), (1, 5, 8), (1, 5, 7), (2, 6, 7), (2, 6, 7), (1, 6, 7)];
        let mut again =
            |watch, thread, ticks, instruction| last.visit(watch, (thread, ticks), instruction, &[]).is_again;
        let all = writes.map(|(thread, ticks, instruction)| again(0, thread, ticks, instruction));
        assert_eq!(all, [false, false, false, true, false, true, false]);
        // One that writes to what two watches look at has written to each once.
        assert_eq!([again(1, 1, 6, 7), again(1, 1, 6, 7), again(0, 1, 6, 7)], [false, true, true]);
    }

    #[test]
    fn writes_of_a_tick_are_counted_by_the_registers() {
        let mut last = LastWrites::new(&[Some(1)]);
        let mut registers = [0; REGISTERS + 8];
        let mut number = |registers: &[u8], ticks| last.visit(0, (1, ticks), 7, registers).number;
        assert_eq!([number(&registers, 5), number(&registers, 5)], [1, 2]);
        registers[REGISTERS] = 1;
        assert_eq!(number(&registers, 5), 3, "what is told behind the registers");
        registers[REGISTERS - 1] = 1;
        assert_eq!([number(&registers, 5), number(&registers, 5), number(&registers, 6)], [1, 2, 1]);
    }

    #[test]
    fn each_address_space_has_its_last() {
        let mut last = LastWrites::new(&[Some(1)]);
        for (space, byte) in [(1, 1), (2, 2), (1, 3), (1, 4)] {
            last.add(0, space, false, &[&[byte]]);
        }
        let kept: Vec<_> = last.take().iter().map(|kept| (kept.skipped, kept.content[0])).collect();
        assert_eq!(kept, [(0, 2), (2, 4)]);
    }
}
