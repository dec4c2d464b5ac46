//! Address spaces, as a pass tells of them: which a process has while it executes a program, and of which it is a copy.

use softcounters::probes::Record;
use std::collections::BTreeMap;

/// The address spaces of a pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Spaces {
    /// That of each thread, up to what was noted last.
    current: BTreeMap<u32, u32>,
    /// For each thread that another one made: the address space that one had, and how many hits were before.
    made: BTreeMap<u32, (u32, u64)>,
    /// Which threads came to which address spaces, in the order in which they did so.
    entered: Vec<Entered>,
}

#[derive(Clone, Debug)]
struct Entered {
    thread: u32,
    space: u32,
    /// The address space that it is a copy of, and how many hits were before that was made.
    copied: Option<(u32, u64)>,
}

/// What a process has in memory: what was written in its address space, and before it was made, in those it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory(BTreeMap<u32, u64>);

impl Memory {
    /// Returns whether something is written to it in an address space, behind so many hits.
    pub(super) fn has(&self, space: u32, hits: u64) -> bool {
        self.0.get(&space).is_some_and(|end| hits < *end)
    }
}

impl Spaces {
    /// Takes note of a record, behind so many hits.
    pub(super) fn note(&mut self, record: &Record, hits: u64) {
        match *record {
            Record::Thread { thread, parent: Some(parent), .. } => {
                if let Some(space) = self.current.get(&parent) {
                    self.made.insert(thread, (*space, hits));
                }
            }
            Record::Space { thread, space } => {
                let is_first = self.current.insert(thread, space).is_none();
                // A thread that comes from one address space to another executes a program, of which nothing is older.
                let copied = self.made.get(&thread).copied().filter(|(from, _)| is_first && *from != space);
                self.entered.push(Entered { thread, space, copied });
            }
            _ => {}
        }
    }

    /// Returns the memory of a process when it has executed so many programs. `None`: the pass does not know it.
    pub(super) fn memory(&self, is_its: impl Fn(u32) -> bool, programs: usize) -> Option<Memory> {
        let mut own: Vec<u32> = Vec::new();
        for entered in self.entered.iter().filter(|entered| is_its(entered.thread)) {
            if !own.contains(&entered.space) {
                own.push(entered.space);
            }
        }
        let mut all = BTreeMap::new();
        let mut next = own.get(programs).map(|space| (*space, u64::MAX));
        while let Some((space, end)) = next.filter(|(space, _)| !all.contains_key(space)) {
            all.insert(space, end);
            let first = self.entered.iter().find(|entered| entered.space == space);
            next = first.and_then(|first| first.copied).map(|(from, made)| (from, made.min(end)));
        }
        (!all.is_empty()).then_some(Memory(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Process 1 executes a program, makes thread 2, then process 3, which executes another one; and 4, which does not,
    /// and makes 5. 6 has the memory of process 1 until it executes a program.
    fn spaces() -> Spaces {
        let made = |thread, parent| Record::Thread { thread, parent, tid: 0 };
        let enters = |thread, space| Record::Space { thread, space };
        let mut spaces = Spaces::default();
        for (hits, record) in [
            (0, made(1, None)),
            (0, enters(1, 1)),
            (5, enters(1, 2)),
            (10, made(2, Some(1))),
            (11, enters(2, 2)),
            (20, made(3, Some(2))),
            (25, enters(3, 3)),
            (30, enters(3, 4)),
            (40, made(4, Some(1))),
            (41, enters(4, 5)),
            (50, made(5, Some(4))),
            (50, enters(5, 6)),
            (60, made(6, Some(1))),
            (60, enters(6, 2)),
            (70, enters(6, 7)),
        ] {
            spaces.note(&record, hits);
        }
        spaces
    }

    #[test]
    fn a_process_has_what_it_was_made_with_until_it_executes_a_program() {
        let spaces = spaces();
        let memory = |thread: u32, programs| spaces.memory(|other| other == thread, programs).map(|memory| memory.0);
        let expected = |all: &[(u32, u64)]| Some(all.iter().copied().collect::<BTreeMap<_, _>>());
        assert_eq!(memory(1, 1), expected(&[(2, u64::MAX)]));
        assert_eq!(memory(3, 0), expected(&[(3, u64::MAX), (2, 20)]));
        assert_eq!(memory(3, 1), expected(&[(4, u64::MAX)]));
        assert_eq!(memory(5, 0), expected(&[(6, u64::MAX), (5, 50), (2, 40)]));
        assert_eq!((memory(6, 0), memory(6, 1)), (expected(&[(2, u64::MAX)]), expected(&[(7, u64::MAX)])));
        assert_eq!((memory(3, 2), memory(9, 0)), (None, None));
    }

    #[test]
    fn threads_of_a_process_have_one_memory() {
        let memory = spaces().memory(|thread| thread <= 2, 1).unwrap();
        assert_eq!((memory.has(2, 99), memory.has(1, 0), memory.has(3, 0)), (true, false, false));
        let copy = spaces().memory(|thread| thread == 3, 0).unwrap();
        assert_eq!((copy.has(2, 19), copy.has(2, 20), copy.has(3, 20)), (true, false, true));
    }
}
