//! What the server's table of breakpoints and watchpoints holds, and how to make it hold what is wanted.
//!
//! Removing an entry that the server does not have kills rr, so this table must never believe in too much: every entry
//! is added when the server has said `OK`, and all are forgotten after a `vRun`.

use super::{Break, BreakKind};
use arch::{Arch, DEBUG_REGISTERS, RunAddr};

/// The table.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    wanted: Vec<Break>,
    inserted: Vec<Break>,
    /// The replay has moved backward since the entries were inserted. If rr went to a point before the process existed,
    /// it has silently left them out since, although it still has them listed.
    doubtful: bool,
}

/// Packets to send, removals first so that they free debug registers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// `z`
    pub(super) remove: Vec<Break>,
    /// `Z`
    pub(super) insert: Vec<Break>,
}

impl Plan {
    /// Returns whether there is nothing to send.
    pub(super) fn is_empty(&self) -> bool {
        self.remove.is_empty() && self.insert.is_empty()
    }
}

/// Returns whether the server takes both for the same entry: it has one kind for `Z3` and `Z4`, and one breakpoint at
/// each address.
fn same(a: &Break, b: &Break) -> bool {
    let class = |kind| match kind {
        BreakKind::Software => 0,
        BreakKind::Hardware => 1,
        BreakKind::WatchWrite => 2,
        BreakKind::WatchRead | BreakKind::WatchAccess => 3,
    };
    let watch = class(a.kind) >= 2;
    class(a.kind) == class(b.kind) && a.address == b.address && (!watch || a.length == b.length)
}

impl Breaks {
    /// Replaces the wanted list. Entries that are one to the server become one, which stops when either would.
    pub(super) fn want(&mut self, list: &[Break]) {
        self.wanted.clear();
        for entry in list {
            match self.wanted.iter_mut().find(|known| same(known, entry)) {
                None => self.wanted.push(entry.clone()),
                Some(known) if known.conditions.is_empty() || entry.conditions.is_empty() => known.conditions.clear(),
                Some(known) => {
                    for code in &entry.conditions {
                        if !known.conditions.contains(code) {
                            known.conditions.push(code.clone());
                        }
                    }
                }
            }
        }
    }

    /// Returns whether a software breakpoint is wanted anywhere.
    pub(super) fn wants_software(&self) -> bool {
        self.wanted.iter().any(|b| b.kind == BreakKind::Software)
    }

    /// Returns whether a software breakpoint is wanted at `pc`.
    pub(super) fn wants_software_at(&self, pc: RunAddr) -> bool {
        self.wanted.iter().any(|b| b.kind == BreakKind::Software && b.address == pc)
    }

    /// Plans how to get from what is inserted to what is wanted, but for a software breakpoint at `except`. With
    /// `renew`, entries that rr may have lost are removed and inserted again.
    pub(super) fn plan(&self, except: Option<RunAddr>, renew: bool) -> Plan {
        let excepted = |b: &Break| b.kind == BreakKind::Software && Some(b.address) == except;
        let renew = renew && self.doubtful;
        let mut plan = Plan::default();
        for entry in &self.inserted {
            if renew || excepted(entry) || !self.wanted.iter().any(|w| same(w, entry)) {
                plan.remove.push(entry.clone());
            }
        }
        for entry in self.wanted.iter().filter(|b| !excepted(b)) {
            // The same entry with other conditions replaces the old one.
            let there = self.inserted.iter().any(|i| same(i, entry) && i.conditions == entry.conditions);
            if renew || !there {
                plan.insert.push(entry.clone());
            }
        }
        plan
    }

    /// Records that the server has removed this entry, or lost it in refusing its replacement.
    pub(super) fn removed(&mut self, entry: &Break) {
        self.inserted.retain(|i| !same(i, entry));
        self.doubtful &= !self.inserted.is_empty();
    }

    /// Records that the server has accepted this entry.
    pub(super) fn inserted(&mut self, entry: &Break) {
        self.inserted.retain(|i| !same(i, entry));
        self.inserted.push(entry.clone());
    }

    /// Records that the replay has moved backward.
    pub(super) fn moved_back(&mut self) {
        self.doubtful = !self.inserted.is_empty();
    }

    /// Returns the wanted entries.
    pub(super) fn wanted(&self) -> &[Break] {
        &self.wanted
    }

    /// Records that everything doubtful has been inserted anew.
    pub(super) fn renewed(&mut self) {
        self.doubtful = false;
    }

    /// Records that the server's table is empty, or what it holds is in an address space that is out of reach.
    pub(super) fn forget_inserted(&mut self) {
        self.inserted.clear();
        self.doubtful = false;
    }

    /// Returns the first wanted entry for which the CPU has no debug register left. For servers that do not recover
    /// from being asked too much.
    pub(super) fn beyond_debug_registers(&self, arch: Arch) -> Option<&Break> {
        if arch != Arch::X86_64 {
            return None;
        }
        let mut used = 0u64;
        self.wanted.iter().find(|entry| {
            used = used.saturating_add(debug_registers(entry));
            used > DEBUG_REGISTERS
        })
    }
}

/// Returns how many debug registers an entry takes.
fn debug_registers(entry: &Break) -> u64 {
    match entry.kind {
        BreakKind::Software => 0,
        BreakKind::Hardware => 1,
        BreakKind::WatchWrite => arch::debug_registers_for_writes(entry.address.0, entry.length),
        BreakKind::WatchRead | BreakKind::WatchAccess => arch::debug_registers(entry.address.0, entry.length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: BreakKind, address: u64, length: u64) -> Break {
        Break { kind, address: RunAddr(address), length, conditions: vec![] }
    }

    fn software(address: u64) -> Break {
        entry(BreakKind::Software, address, 1)
    }

    fn conditional(address: u64, code: u8) -> Break {
        Break { conditions: vec![vec![code]], ..software(address) }
    }

    fn applied(list: &[Break]) -> Breaks {
        let mut breaks = Breaks::default();
        breaks.want(list);
        for b in breaks.plan(None, false).insert {
            breaks.inserted(&b);
        }
        breaks
    }

    #[test]
    fn an_unchanged_list_costs_nothing() {
        let mut breaks = applied(&[software(1), software(2)]);
        breaks.want(&[software(2), software(1)]);
        assert_eq!(breaks.plan(None, true), Plan::default());
    }

    #[test]
    fn only_the_difference_is_sent() {
        let mut breaks = applied(&[software(1), software(2)]);
        breaks.want(&[software(2), software(3)]);
        assert_eq!(breaks.plan(None, true), Plan { remove: vec![software(1)], insert: vec![software(3)] });
    }

    #[test]
    fn a_changed_condition_replaces_without_a_removal() {
        let mut breaks = applied(&[conditional(1, 7)]);
        breaks.want(&[conditional(1, 8)]);
        assert_eq!(breaks.plan(None, true), Plan { remove: vec![], insert: vec![conditional(1, 8)] });
        breaks.inserted(&conditional(1, 8));
        assert_eq!(breaks.plan(None, true), Plan::default());
    }

    #[test]
    fn after_backward_motion_everything_is_renewed_once() {
        let mut breaks = applied(&[software(1)]);
        breaks.moved_back();
        assert_eq!(breaks.plan(None, false), Plan::default());
        assert_eq!(breaks.plan(None, true), Plan { remove: vec![software(1)], insert: vec![software(1)] });
        breaks.renewed();
        assert_eq!(breaks.plan(None, true), Plan::default());
    }

    #[test]
    fn the_breakpoint_under_the_pc_is_left_out() {
        let mut breaks = applied(&[software(1), software(2)]);
        assert_eq!(breaks.plan(Some(RunAddr(1)), true), Plan { remove: vec![software(1)], insert: vec![] });
        breaks.removed(&software(1));
        assert_eq!(breaks.plan(Some(RunAddr(1)), true), Plan::default());
        assert_eq!(breaks.plan(None, true), Plan { remove: vec![], insert: vec![software(1)] });
    }

    #[test]
    fn nothing_is_removed_after_the_server_has_dropped_all() {
        let mut breaks = applied(&[software(1), entry(BreakKind::WatchWrite, 8, 8)]);
        breaks.forget_inserted();
        breaks.want(&[software(1)]);
        assert_eq!(breaks.plan(None, true), Plan { remove: vec![], insert: vec![software(1)] });
    }

    #[test]
    fn entries_that_are_one_to_the_server_are_merged() {
        let mut breaks = Breaks::default();
        breaks.want(&[conditional(1, 7), conditional(1, 8), conditional(1, 7)]);
        let both = Break { conditions: vec![vec![7], vec![8]], ..software(1) };
        assert_eq!(breaks.plan(None, true).insert, [both]);
        breaks.want(&[conditional(1, 7), software(1)]);
        assert_eq!(breaks.plan(None, true).insert, [software(1)]);
        breaks.want(&[entry(BreakKind::WatchRead, 8, 4), entry(BreakKind::WatchAccess, 8, 4)]);
        assert_eq!(breaks.plan(None, true).insert, [entry(BreakKind::WatchRead, 8, 4)]);
        breaks.want(&[entry(BreakKind::WatchWrite, 8, 4), entry(BreakKind::WatchWrite, 8, 8)]);
        assert_eq!(breaks.plan(None, true).insert.len(), 2);
    }

    #[test]
    fn debug_registers_are_counted_by_aligned_pieces() {
        let count = |address, length| debug_registers(&entry(BreakKind::WatchWrite, address, length));
        assert_eq!([count(8, 8), count(8, 32), count(1, 8), count(8, 33), count(3, 0)], [1, 4, 2, 5, 0]);
        assert_eq!(debug_registers(&entry(BreakKind::WatchAccess, 1, 8)), 4);
        let five: Vec<Break> = (0..5).map(|i| entry(BreakKind::Hardware, i, 1)).collect();
        let mut breaks = Breaks::default();
        breaks.want(&five);
        assert_eq!(breaks.beyond_debug_registers(Arch::X86_64), Some(&five[4]));
        breaks.want(&five[..4]);
        assert_eq!(breaks.beyond_debug_registers(Arch::X86_64), None);
    }
}
