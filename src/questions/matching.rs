//! Which return belongs to which call.
//!
//! A call is known by where its return address is on the stack: what the stack pointer is at its first instruction, and
//! again at the return. No two calls that are under way in a thread have the same, but those of which one has left by a
//! tail call of the other. So a call whose place another one takes without a tail call has been left in another way.
//! What is on the stack between is not looked at: a thread may have several stacks.

use std::collections::BTreeMap;

/// How a call came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It, or what it has left to by a tail call, returned.
    Returned,
    /// It left by a tail call to what is not looked at.
    Left,
    /// It did not return.
    Lost,
}

/// Where a call has gone on by a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gone {
    Nowhere,
    /// To this function.
    To(u32),
    /// To what is not looked at.
    Elsewhere,
}

/// Calls at one place of a stack: the first, and those that it has left to.
#[derive(Debug)]
struct Chain {
    first: u32,
    /// Those that it has left to; mostly none.
    more: Vec<u32>,
    /// The function that has begun there last.
    function: u32,
    gone: Gone,
    /// Whether it is looked at where they return to: who else begins at their place has been left to by them.
    is_awaited: bool,
}

impl Chain {
    fn calls(&self) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }

    fn last(&self) -> u32 {
        self.more.last().copied().unwrap_or(self.first)
    }
}

/// The chains of a thread, by their places. That of the last call is kept apart: most calls end before another begins.
#[derive(Debug, Default)]
struct Stack {
    last: Option<(u64, Chain)>,
    others: BTreeMap<u64, Chain>,
}

impl Stack {
    fn get(&self, sp: u64) -> Option<&Chain> {
        match &self.last {
            Some((at, chain)) if *at == sp => Some(chain),
            _ => self.others.get(&sp),
        }
    }

    fn get_mut(&mut self, sp: u64) -> Option<&mut Chain> {
        match &mut self.last {
            Some((at, chain)) if *at == sp => Some(chain),
            _ => self.others.get_mut(&sp),
        }
    }

    fn remove(&mut self, sp: u64) -> Option<Chain> {
        match self.last.take_if(|(at, _)| *at == sp) {
            Some((_, chain)) => Some(chain),
            None => self.others.remove(&sp),
        }
    }

    /// Adds a chain at a place where none is.
    fn add(&mut self, sp: u64, chain: Chain) {
        if let Some((at, before)) = self.last.replace((sp, chain)) {
            self.others.insert(at, before);
        }
    }

    /// Returns the nearest above a place.
    fn above(&self, sp: u64) -> Option<&Chain> {
        let last = self.last.as_ref().filter(|(at, _)| *at > sp);
        let other = self.others.range(sp.saturating_add(1)..).next();
        match (last, other) {
            (Some((at, _)), Some((other, chain))) if other < at => Some(chain),
            (Some((_, chain)), _) | (None, Some((_, chain))) => Some(chain),
            (None, None) => None,
        }
    }

    fn all(&self) -> impl Iterator<Item = &Chain> {
        self.last.iter().map(|(_, chain)| chain).chain(self.others.values())
    }
}

/// The calls that are under way.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// By the threads' numbers, of which there are as many as there are threads.
    threads: Vec<Stack>,
}

/// The call around one that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// None that is known.
    Nothing,
    /// This one called.
    Call(u32),
    /// This one has left by a tail call.
    Tail(u32),
}

impl Matching {
    /// Takes note that a function begins: as this call, if it is asked about. `is_awaited`: it is looked at where the
    /// call returns to.
    pub(super) fn enter(
        &mut self,
        (thread, sp): (u32, u64),
        function: u32,
        call: Option<u32>,
        is_awaited: bool,
        mut ended: impl FnMut(u32, End),
    ) -> Around {
        let thread = thread as usize;
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Stack::default);
        }
        let Some(stack) = self.threads.get_mut(thread) else { return Around::Nothing };
        if let Some(chain) = stack.get_mut(sp) {
            if chain.gone == Gone::To(function) || chain.gone == Gone::Elsewhere && chain.is_awaited {
                (chain.gone, chain.function) = (Gone::Nowhere, function);
                let before = chain.last();
                chain.more.extend(call);
                return Around::Tail(before);
            }
            let end = if chain.gone == Gone::Elsewhere { End::Left } else { End::Lost };
            chain.calls().for_each(|call| ended(call, end));
            stack.remove(sp);
        }
        let Some(call) = call else { return Around::Nothing };
        let around = stack.above(sp).map_or(Around::Nothing, |chain| Around::Call(chain.last()));
        stack.add(sp, Chain { first: call, more: Vec::new(), function, gone: Gone::Nowhere, is_awaited });
        around
    }

    /// Returns the call that is under way at this place.
    pub(super) fn under_way(&self, thread: u32, sp: u64) -> Option<u32> {
        self.threads.get(thread as usize)?.get(sp).map(Chain::last)
    }

    /// Returns the function that is under way at this place, of which no jump to another one was seen. `None`: no call is
    /// under way there; `Some(None)`: it has gone on elsewhere.
    pub(super) fn leaves_seen(&self, thread: u32, sp: u64) -> Option<Option<u32>> {
        let chain = self.threads.get(thread as usize)?.get(sp)?;
        Some((chain.gone == Gone::Nowhere).then_some(chain.function))
    }

    /// Takes note that the calls at this place have been left without a return.
    pub(super) fn lose(&mut self, thread: u32, sp: u64, mut ended: impl FnMut(u32, End)) {
        let chain = self.threads.get_mut(thread as usize).and_then(|stack| stack.remove(sp));
        chain.iter().flat_map(Chain::calls).for_each(|call| ended(call, End::Lost));
    }

    /// Takes note that a function is about to jump to another.
    pub(super) fn leave(&mut self, thread: u32, sp: u64, to: Option<u32>) {
        if let Some(chain) = self.threads.get_mut(thread as usize).and_then(|stack| stack.get_mut(sp)) {
            chain.gone = to.map_or(Gone::Elsewhere, Gone::To);
        }
    }

    /// Takes note that a function returns. Returns whether it was known to be under way.
    pub(super) fn leave_for_good(&mut self, thread: u32, sp: u64, mut ended: impl FnMut(u32, End)) -> bool {
        let chain = self.threads.get_mut(thread as usize).and_then(|stack| stack.remove(sp));
        chain.iter().flat_map(Chain::calls).for_each(|call| ended(call, End::Returned));
        chain.is_some()
    }

    /// Ends the matching: that was all.
    pub(super) fn finish(self, mut ended: impl FnMut(u32, End)) {
        for chain in self.threads.iter().flat_map(Stack::all) {
            let end = if chain.gone == Gone::Elsewhere { End::Left } else { End::Lost };
            chain.calls().for_each(|call| ended(call, end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// A made-up program: calls, tail calls, returns, and jumps out of several calls at once.
        #[test]
        fn every_call_has_the_end_that_it_had(steps in prop::collection::vec((0u8..5, 0u64..4), 0..300)) {
            let mut matching = Matching::default();
            let mut ends: HashMap<u32, End> = HashMap::new();
            let mut expected: HashMap<u32, End> = HashMap::new();
            // Frames, each with its place and the calls that are in it.
            let mut stack: Vec<(u64, Vec<u32>)> = Vec::new();
            let mut next = 0;
            for (step, size) in steps {
                let top = stack.last().map_or(1 << 20, |(sp, _)| *sp);
                match step {
                    0 | 1 => {
                        let sp = top - 16 - 8 * size;
                        let around = matching.enter((1, sp), 7, Some(next), false, |call, end| { ends.insert(call, end); });
                        // What was jumped out of may still seem to be around; that it is lost is told in the end.
                        if let (Around::Call(call), Some((_, calls))) = (around, stack.last()) {
                            let is_under_way = stack.iter().any(|(_, calls)| calls.contains(&call));
                            prop_assert!(!is_under_way || calls.last() == Some(&call));
                        }
                        stack.push((sp, vec![next]));
                        next += 1;
                    }
                    2 => if let Some((sp, calls)) = stack.last_mut() {
                        matching.leave(1, *sp, Some(7));
                        let around = matching.enter((1, *sp), 7, Some(next), false, |call, end| { ends.insert(call, end); });
                        prop_assert_eq!(around, Around::Tail(*calls.last().unwrap()));
                        calls.push(next);
                        next += 1;
                    },
                    3 => if let Some((sp, calls)) = stack.pop() {
                        let found = matching.leave_for_good(1, sp, |call, end| { ends.insert(call, end); });
                        prop_assert!(found);
                        expected.extend(calls.into_iter().map(|call| (call, End::Returned)));
                    },
                    _ => for _ in 0..size {
                        let lost = stack.pop().into_iter().flat_map(|(_, calls)| calls);
                        expected.extend(lost.map(|call| (call, End::Lost)));
                    },
                }
            }
            expected.extend(stack.into_iter().flat_map(|(_, calls)| calls).map(|call| (call, End::Lost)));
            matching.finish(|call, end| { ends.insert(call, end); });
            prop_assert_eq!(ends, expected);
        }
    }

    #[test]
    fn a_call_that_has_left_to_elsewhere_is_told_so() {
        let mut matching = Matching::default();
        let mut ends = Vec::new();
        matching.enter((1, 100), 0, Some(0), false, |_, _| ());
        matching.leave(1, 100, None);
        matching.enter((1, 100), 0, Some(1), false, |call, end| ends.push((call, end)));
        matching.leave(1, 100, Some(3));
        // A function that is not asked about returns for the one that is.
        assert_eq!(matching.enter((1, 100), 3, None, false, |_, _| ()), Around::Tail(1));
        assert!(matching.leave_for_good(1, 100, |call, end| ends.push((call, end))));
        assert!(!matching.leave_for_good(1, 100, |_, _| ()));
        assert_eq!(ends, [(0, End::Left), (1, End::Returned)]);
    }

    #[test]
    fn a_call_is_left_without_a_return() {
        let mut matching = Matching::default();
        let mut ends = Vec::new();
        matching.enter((1, 100), 5, Some(0), true, |_, _| ());
        assert_eq!((matching.leaves_seen(1, 100), matching.leaves_seen(1, 90)), (Some(Some(5)), None));
        matching.leave(1, 100, Some(3));
        assert_eq!(matching.leaves_seen(1, 100), Some(None));
        matching.enter((1, 100), 3, None, true, |_, _| ());
        assert_eq!(matching.leaves_seen(1, 100), Some(Some(3)));
        matching.lose(1, 100, |call, end| ends.push((call, end)));
        assert_eq!((matching.under_way(1, 100), &ends[..]), (None, &[(0, End::Lost)][..]));
    }

    #[test]
    fn who_begins_where_a_call_is_awaited_was_left_to_by_it() {
        let mut matching = Matching::default();
        let mut ends = Vec::new();
        matching.enter((1, 100), 0, Some(0), true, |_, _| ());
        matching.leave(1, 100, None);
        let around = matching.enter((1, 100), 1, Some(1), true, |call, end| ends.push((call, end)));
        assert_eq!((around, ends.len()), (Around::Tail(0), 0));
        assert!(matching.leave_for_good(1, 100, |call, end| ends.push((call, end))));
        assert_eq!(ends, [(0, End::Returned), (1, End::Returned)]);
        // Of one that jumps where a register says, it is not seen that it has left.
        matching.enter((1, 100), 0, Some(2), true, |_, _| ());
        assert!(matching.leave_for_good(1, 100, |call, end| ends.push((call, end))));
        assert_eq!(ends.last(), Some(&(2, End::Returned)));
    }
}
