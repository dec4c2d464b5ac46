//! Tables that jumps choose from: what compilers make of `switch` and `match`.

use crate::program::{ARCH, Module};
use arch::{LinkAddr, Listed, Onward, RunAddr, accesses, addresses_formed};
use dwarf::Slot;
use std::collections::{BTreeMap, BTreeSet};

/// Most entries of a table.
const MOST: u64 = 4096;
/// So many instructions before a jump, its table is named.
const NEAR: usize = 12;

/// Finds where the jumps of a function's code may lead that take their target from a table: by the address of the jump.
/// Those whose table is not found are not among them. `list` is in the order of addresses.
pub(super) fn targets(module: &Module, list: &[Listed]) -> BTreeMap<u64, BTreeSet<u64>> {
    let is_code = |at: u64| list.binary_search_by_key(&at, |listed| listed.at).is_ok();
    let jumps = list.iter().enumerate().filter(|(_, listed)| listed.onward == Onward::Jump(None));
    let named: Vec<(u64, Vec<Table>)> =
        jumps.map(|(number, jump)| (jump.at, tables_before(module, list, number))).collect();
    // Where one begins, the one before it ends.
    let begins: BTreeSet<u64> = named.iter().flat_map(|(_, tables)| tables).map(|table| table.at).collect();
    let mut found = BTreeMap::new();
    for (jump, tables) in &named {
        let all = tables.iter().map(|table| {
            let end = begins.range(table.at + 1..).next().copied().unwrap_or(u64::MAX);
            let entries = (0..MOST).map(|number| table.at.saturating_add(number * table.size()));
            let inside = entries.take_while(|at| *at < end);
            inside.map_while(|at| table.entry(module, at).filter(|to| is_code(*to))).collect::<BTreeSet<u64>>()
        });
        if let Some(targets) = all.max_by_key(BTreeSet::len).filter(|targets| !targets.is_empty()) {
            found.insert(*jump, targets);
        }
    }
    found
}

/// A table: where it is, and what its entries are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Table {
    at: u64,
    /// Four bytes, which count from the table's beginning; else addresses.
    is_relative: bool,
}

impl Table {
    const fn size(self) -> u64 {
        if self.is_relative { 4 } else { 8 }
    }

    /// Reads an entry.
    fn entry(self, module: &Module, at: u64) -> Option<u64> {
        let image = &module.image;
        if self.is_relative {
            let bytes = image.file_bytes(LinkAddr(at), 4)?;
            let offset = i32::from_le_bytes(bytes.try_into().ok()?);
            return Some(self.at.wrapping_add_signed(i64::from(offset)));
        }
        match image.slot_at(LinkAddr(at)) {
            Some(Slot::Own(to)) => Some(to.0),
            Some(Slot::Symbol(_)) => None,
            None => Some(u64::from_le_bytes(image.file_bytes(LinkAddr(at), 8)?.try_into().ok()?)),
        }
    }
}

/// Returns what may be the table of a jump: named by the jump itself, or right before it.
fn tables_before(module: &Module, list: &[Listed], jump: usize) -> Vec<Table> {
    let mut found = Vec::new();
    let code = |listed: &Listed| module.code((LinkAddr(listed.at), LinkAddr(listed.next)));
    let Some(here) = list.get(jump) else { return found };
    let read = |listed: &Listed| {
        let all = accesses(ARCH, code(listed)?, RunAddr(listed.at), &|_| Some(0));
        all.into_iter().find(|access| access.reads && access.size == 8).map(|access| access.address)
    };
    found.extend(read(here).map(|at| Table { at, is_relative: false }));
    let mut next = here.at;
    for listed in list.iter().take(jump).rev().take(NEAR) {
        // Behind a jump or a return, what lies before was not executed before.
        if listed.next != next || matches!(listed.onward, Onward::Jump(_) | Onward::Return | Onward::Ends) {
            break;
        }
        next = listed.at;
        let Some(bytes) = code(listed) else { break };
        let formed = addresses_formed(ARCH, RunAddr(listed.at), bytes);
        found.extend(formed.into_iter().flat_map(|at| [true, false].map(|is_relative| Table { at, is_relative })));
        found.extend(read(listed).map(|at| Table { at, is_relative: false }));
    }
    found
}
