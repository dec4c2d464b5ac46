//! The control flow of a function, instruction by instruction: what may come after what.

use super::noreturn::never_returns;
use super::tables::targets;
use crate::program::{ARCH, Module};
use arch::{LinkAddr, Listed, Onward, RunAddr, listing};
use dwarf::Function;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Most instructions of a function that is looked at.
const MOST: usize = 50_000;

/// The instructions of a function, at the addresses that its file has.
pub(super) struct Flow {
    /// By rising address.
    list: Vec<Listed>,
    entry: u64,
    /// What may come after each, by number.
    after: Vec<Vec<usize>>,
    /// What may come before each.
    before: Vec<Vec<usize>>,
    /// Where no instruction is known to lead.
    orphans: Vec<usize>,
}

/// Why an execution has not gone on toward some code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A conditional branch led elsewhere.
    Branch,
    /// A jump through a table or a register led elsewhere.
    Table,
    /// A call has not returned.
    Call,
    /// The execution ended there, or went on in a signal handler that did not return.
    Stopped,
}

/// An instruction that was executed, and what comes after it on the way to some code, which was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) turn: Turn,
}

/// What lies before code that was never executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Frontier {
    /// Where executions turned away from the way there, by address.
    pub(super) edges: Vec<Edge>,
    /// The function itself was never entered.
    pub(super) never_entered: bool,
    /// Some of the ways begin where no instruction leads: a handler of exceptions.
    pub(super) begins_nowhere: bool,
}

impl Flow {
    /// Reads the code of a function; `None` if the file does not have it.
    pub(super) fn of(module: &Module, function: &Function) -> Option<Self> {
        let mut list = Vec::new();
        let mut padding = Vec::new();
        for range in &function.ranges {
            let Some(bytes) = module.code(*range) else { continue };
            let from = list.len();
            list.extend(listing(ARCH, bytes, RunAddr(range.0.0)));
            let fills = |listed: &Listed| {
                let begin = listed.at.checked_sub(range.0.0).and_then(|at| usize::try_from(at).ok());
                begin.and_then(|begin| bytes.get(begin..)).is_some_and(is_padding)
            };
            padding.extend(list.iter().skip(from).filter(|listed| fills(listed)).map(|listed| listed.at));
            if list.len() > MOST {
                return None;
            }
        }
        list.sort_unstable_by_key(|listed| listed.at);
        list.dedup_by_key(|listed| listed.at);
        let tables = targets(module, &list);
        let is_last = |call: &Listed| never_returns(module, call);
        Some(Self::new(list, function.entry.0, &padding, &tables, &is_last)).filter(|flow| !flow.list.is_empty())
    }

    /// Connects instructions, which are in the order of addresses. `padding`: the addresses of those that fill up the
    /// space between others. `tables`: where jumps through tables lead. `is_last` says whether a call does not return.
    fn new(
        list: Vec<Listed>,
        entry: u64,
        padding: &[u64],
        tables: &BTreeMap<u64, BTreeSet<u64>>,
        is_last: &dyn Fn(&Listed) -> bool,
    ) -> Self {
        let number = |at: u64| list.binary_search_by_key(&at, |listed| listed.at).ok();
        let mut after: Vec<Vec<usize>> = Vec::with_capacity(list.len());
        for listed in &list {
            let next = number(listed.next);
            let mut all: Vec<usize> = match listed.onward {
                Onward::Call(_) if is_last(listed) => Vec::new(),
                Onward::Next | Onward::Kernel | Onward::Call(_) => next.into_iter().collect(),
                Onward::Branch(target) => next.into_iter().chain(target.and_then(number)).collect(),
                Onward::Jump(Some(target)) => number(target).into_iter().collect(),
                Onward::Jump(None) => {
                    let known = tables.get(&listed.at).into_iter().flatten();
                    known.filter_map(|target| number(*target)).collect()
                }
                Onward::Return | Onward::Ends => Vec::new(),
            };
            all.dedup();
            after.push(all);
        }
        let mut before = vec![Vec::new(); list.len()];
        for (from, all) in after.iter().enumerate() {
            for to in all {
                if let Some(before) = before.get_mut(*to) {
                    before.push(from);
                }
            }
        }
        let is_orphan = |(number, listed): (usize, &Listed)| {
            let is_it = listed.at != entry && before.get(number).is_some_and(Vec::is_empty);
            (is_it && padding.binary_search(&listed.at).is_err()).then_some(number)
        };
        let orphans: Vec<usize> = list.iter().enumerate().filter_map(is_orphan).collect();
        // Where the table is not found, a jump may lead wherever nothing else does.
        let is_open = |l: &Listed| l.onward == Onward::Jump(None) && !tables.contains_key(&l.at);
        let open: Vec<usize> = (0..list.len()).filter(|n| list.get(*n).is_some_and(is_open)).collect();
        for table in &open {
            if let Some(after) = after.get_mut(*table) {
                after.extend(&orphans);
            }
            for orphan in &orphans {
                if let Some(before) = before.get_mut(*orphan) {
                    before.push(*table);
                }
            }
        }
        Self { list, entry, after, before, orphans }
    }

    fn number(&self, at: u64) -> Option<usize> {
        self.list.binary_search_by_key(&at, |listed| listed.at).ok()
    }

    /// Returns the instruction at an address.
    pub(super) fn at(&self, at: u64) -> Option<&Listed> {
        self.list.get(self.number(at)?)
    }

    /// Returns the instruction that lies right before an address and goes on there.
    pub(super) fn right_before(&self, at: u64) -> Option<&Listed> {
        let before = self.list.get(self.number(at)?.checked_sub(1)?)?;
        (before.next == at && matches!(before.onward, Onward::Next | Onward::Branch(_))).then_some(before)
    }

    /// Returns where executions turned away from the ways that lead to code. `count` says how often the instruction at
    /// an address was executed.
    pub(super) fn frontier(&self, to: u64, count: &dyn Fn(u64) -> u64) -> Frontier {
        let mut frontier = Frontier::default();
        let Some(start) = self.number(to) else { return frontier };
        let mut seen = vec![false; self.list.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(here) = queue.pop_front() {
            if seen.get_mut(here).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            let Some(listed) = self.list.get(here) else { continue };
            frontier.never_entered |= listed.at == self.entry;
            let is_orphan = self.orphans.binary_search(&here).is_ok();
            let before = self.before.get(here).map(Vec::as_slice).unwrap_or_default();
            frontier.begins_nowhere |= is_orphan && before.is_empty();
            for number in before {
                let Some(from) = self.list.get(*number) else { continue };
                if count(from.at) == 0 {
                    queue.push_back(*number);
                    continue;
                }
                let turn = match from.onward {
                    Onward::Branch(_) => Turn::Branch,
                    Onward::Jump(_) => Turn::Table,
                    Onward::Call(_) => Turn::Call,
                    _ => Turn::Stopped,
                };
                let edge = Edge { from: from.at, to: listed.at, turn };
                if !frontier.edges.contains(&edge) {
                    frontier.edges.push(edge);
                }
            }
        }
        frontier.edges.sort_unstable_by_key(|edge| edge.from);
        frontier
    }

    /// Returns the branches and jumps that decide whether code is executed: of what may come after each, something leads
    /// there for certain, and something else need not (control dependence).
    pub(super) fn deciders(&self, code: u64) -> Vec<Edge> {
        let Some(target) = self.number(code) else { return Vec::new() };
        // What may end without coming by there.
        let mut avoids = vec![false; self.list.len()];
        let is_end = |n: &usize| *n != target && self.after.get(*n).is_some_and(Vec::is_empty);
        let mut queue: Vec<usize> = (0..self.list.len()).filter(is_end).collect();
        while let Some(here) = queue.pop() {
            if avoids.get_mut(here).is_none_or(|avoids| std::mem::replace(avoids, true)) {
                continue;
            }
            queue.extend(self.before.get(here).into_iter().flatten().filter(|before| **before != target));
        }
        // What may come there at all.
        let mut leads = vec![false; self.list.len()];
        let mut queue = vec![target];
        while let Some(here) = queue.pop() {
            if leads.get_mut(here).is_none_or(|leads| std::mem::replace(leads, true)) {
                continue;
            }
            queue.extend(self.before.get(here).into_iter().flatten());
        }
        let is = |all: &[bool], number: usize| all.get(number).copied().unwrap_or(false);
        let mut edges = Vec::new();
        for (number, listed) in self.list.iter().enumerate() {
            let after = self.after.get(number).map(Vec::as_slice).unwrap_or_default();
            let turn = match listed.onward {
                Onward::Branch(_) => Turn::Branch,
                Onward::Jump(None) => Turn::Table,
                _ => continue,
            };
            // A branch may leave the function.
            let leaves = matches!(listed.onward, Onward::Branch(Some(to)) if self.number(to).is_none());
            let may_avoid = leaves || after.iter().any(|to| is(&avoids, *to));
            let certain = after.iter().find(|to| **to == target || is(&leads, **to) && !is(&avoids, **to));
            if let (true, Some(to)) = (may_avoid, certain.and_then(|to| self.list.get(*to))) {
                edges.push(Edge { from: listed.at, to: to.at, turn });
            }
        }
        edges
    }

    /// Returns whether code cannot be come to from the entry but by one of these instructions.
    pub(super) fn dominate(&self, instructions: &[u64], code: u64) -> bool {
        let mut seen = vec![false; self.list.len()];
        let mut queue: Vec<usize> = self.number(self.entry).into_iter().collect();
        while let Some(here) = queue.pop() {
            if seen.get_mut(here).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            match self.list.get(here).map(|listed| listed.at) {
                Some(at) if instructions.contains(&at) => {}
                Some(at) if at == code => return false,
                _ => queue.extend(self.after.get(here).into_iter().flatten()),
            }
        }
        true
    }

    /// Returns how often an edge was taken, if the counts of instructions tell.
    pub(super) fn taken(&self, edge: Edge, count: &dyn Fn(u64) -> u64) -> Option<u64> {
        let (from, to) = (self.number(edge.from)?, self.number(edge.to)?);
        let only = |number: usize| self.before.get(number).is_some_and(|before| before.as_slice() == [from]);
        if edge.to != self.entry && only(to) {
            return Some(count(edge.to));
        }
        let [other] = self.after.get(from)?.iter().filter(|after| **after != to).collect::<Vec<_>>()[..] else {
            return None;
        };
        let at = self.list.get(*other)?.at;
        (at != self.entry && only(*other)).then(|| count(edge.from).saturating_sub(count(at)))
    }

    /// Returns each instruction that may go on at several places, and these.
    pub(super) fn turns(&self) -> Vec<(u64, Turn, Vec<u64>)> {
        let turns = self.list.iter().enumerate().filter_map(|(number, listed)| match listed.onward {
            Onward::Branch(target) => {
                Some((listed.at, Turn::Branch, [listed.next].into_iter().chain(target).collect()))
            }
            Onward::Jump(None) => {
                let after = self.after.get(number).into_iter().flatten();
                let to = after.filter_map(|number| Some(self.list.get(*number)?.at)).collect();
                Some((listed.at, Turn::Table, to))
            }
            _ => None,
        });
        turns.filter(|(_, _, to): &(u64, Turn, Vec<u64>)| to.len() > 1).collect()
    }

    /// Returns the entry's address.
    pub(super) const fn entry(&self) -> LinkAddr {
        LinkAddr(self.entry)
    }
}

/// Returns the calls of a function's code, and what jumps out of it.
pub(super) fn leaving(module: &Module, function: &Function) -> Vec<Listed> {
    let holds = |at: u64| function.ranges.iter().any(|(start, end)| (start.0..end.0).contains(&at));
    let lists = function.ranges.iter().filter_map(|range| Some((range.0, module.code(*range)?)));
    let all = lists.flat_map(|(start, code)| listing(ARCH, code, RunAddr(start.0)));
    let leaves = |listed: &Listed| match listed.onward {
        Onward::Call(_) => true,
        Onward::Jump(Some(to)) | Onward::Branch(Some(to)) => !holds(to),
        _ => false,
    };
    all.filter(leaves).collect()
}

/// Returns whether code begins with an instruction that does nothing: what fills up the space before a loop.
fn is_padding(code: &[u8]) -> bool {
    let mut rest = code;
    while let [0x66 | 0x2e, more @ ..] = rest {
        rest = more;
    }
    matches!(rest, [0x90 | 0xcc, ..] | [0x0f, 0x1f, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Connects the instructions of some code at address 0.
    fn flow(code: &[u8]) -> Flow {
        Flow::new(listing(ARCH, code, RunAddr(0)), 0, &[], &BTreeMap::new(), &|_| false)
    }

    // 0 test %edi,%edi; 2 je 7; 4 inc %eax; 6 ret; 7 test %esi,%esi; 9 je 6; b jmp 4
    const CODE: [u8; 13] = [0x85, 0xff, 0x74, 3, 0xff, 0xc0, 0xc3, 0x85, 0xf6, 0x74, 0xfb, 0xeb, 0xf7];

    #[test]
    fn executions_turn_away_at_the_branches_that_were_executed() {
        let flow = flow(&CODE);
        let executed = |all: &'static [u64]| move |at: u64| u64::from(all.contains(&at));
        let edge = |from, to| Edge { from, to, turn: Turn::Branch };
        let found = flow.frontier(4, &executed(&[0, 2, 7, 9, 6]));
        assert_eq!(found.edges, [edge(2, 4), edge(9, 11)]);
        assert!(!found.never_entered && !found.begins_nowhere);
        assert_eq!(flow.frontier(4, &executed(&[0])).edges, [Edge { from: 0, to: 2, turn: Turn::Stopped }]);
        let never = flow.frontier(4, &executed(&[]));
        assert!(never.never_entered && never.edges.is_empty());
    }

    #[test]
    fn deciders_are_those_that_can_lead_elsewhere() {
        let flow = flow(&CODE);
        let edge = |from, to| Edge { from, to, turn: Turn::Branch };
        assert_eq!(flow.deciders(4), [edge(2, 4), edge(9, 11)]);
        assert_eq!(flow.deciders(7), [edge(2, 7)]);
        assert_eq!(flow.deciders(6), []);
        assert!(flow.dominate(&[2], 4) && flow.dominate(&[9], 11) && flow.dominate(&[9, 2], 11));
        assert!(!flow.dominate(&[9], 4) && !flow.dominate(&[], 6));
        let count =
            |at: u64| [(0, 5), (2, 5), (4, 3), (6, 5), (7, 4), (9, 4), (11, 2)].iter().find(|c| c.0 == at).unwrap().1;
        assert_eq!(flow.taken(edge(9, 11), &count), Some(2));
        assert_eq!(flow.taken(edge(2, 4), &count), Some(1));
        assert_eq!(flow.taken(edge(9, 6), &count), Some(2));
        assert_eq!(flow.turns(), [(2, Turn::Branch, vec![4, 7]), (9, Turn::Branch, vec![11, 6])]);
    }
}
