//! The code of a function, and where a register was written in it.

use super::snapshot::Snapshot;
use crate::frame::GENERAL;
use crate::program::{ARCH, Module, Program};
use arch::{Listed, Onward, RunAddr, listing};
use program::transfers::is_entered_by_calls;
use std::collections::HashSet;

/// How the names of the system's libraries begin.
const SYSTEM: [&str; 9] =
    ["libc.so", "libc-", "libm.so", "libm-", "libpthread", "ld-linux", "ld-", "libstdc++", "libgcc_s"];

/// A function in a process.
pub(super) struct Code<'a> {
    pub(super) module: &'a Module,
    /// What is added to the addresses of its file.
    pub(super) bias: arch::Bias,
    pub(super) name: Option<String>,
    pub(super) entry: u64,
    /// Where its body begins, behind the prologue, if it is in one part and that is known.
    pub(super) body: Option<u64>,
    /// Its instructions, by their addresses in the process.
    pub(super) list: Vec<Listed>,
    /// Where its branches go.
    targets: HashSet<u64>,
    /// A jump goes where a register or a table says.
    is_open: bool,
    /// Whether it is entered at its beginning, rather than being a part of another function, for all that is known.
    pub(super) is_whole: bool,
    /// Whether it is of a library of the system, or has no lines of a source and is not in the program itself: nobody
    /// looks for a mistake there.
    pub(super) is_library: bool,
}

/// What was found by going back from an instruction to the beginning of its block.
pub(super) enum InBlock {
    /// The register is written by the instruction of this number; so many branches that were not taken are between.
    Written(usize, u64),
    /// It is what a call has left there, which is at this address and has returned to the block.
    Called(u64),
    /// The block does not tell.
    Unknown,
}

impl<'a> Code<'a> {
    /// Returns the function around an address.
    pub(super) fn around(program: &'a Program, pid: u32, event: u64, pc: u64) -> Option<Self> {
        let (module, bias) = program.at(pid, event, pc)?;
        let link = RunAddr(pc).linked(bias);
        let image = &module.image;
        let function = image.function_at(link);
        let holds = |ranges: &[(arch::LinkAddr, arch::LinkAddr)]| {
            ranges.iter().any(|(start, end)| (start.0..end.0).contains(&link.0))
        };
        let described = function.as_ref().filter(|f| f.die.is_some() && holds(&f.ranges));
        let framed = image.code_around(link);
        let (ranges, entry) = match (described, framed, &function) {
            (Some(function), ..) => (function.ranges.clone(), function.entry),
            (None, Some(range), _) => (vec![range], range.0),
            (None, None, Some(function)) if holds(&function.ranges) => (function.ranges.clone(), function.entry),
            _ => return None,
        };
        let body = described.map(|function| image.after_prologue(function).at(bias).0);
        let name = match described {
            Some(function) => Some(function.name.clone()),
            None => {
                let symbol = image.symbol_at(entry).filter(|symbol| symbol.address == entry);
                symbol.map(|symbol| symbol.display).or_else(|| image.chosen_at(entry).map(str::to_owned))
            }
        };
        let mut list = Vec::new();
        for range in &ranges {
            let Some(bytes) = module.code(*range) else { continue };
            list.extend(listing(ARCH, bytes, range.0.at(bias)));
        }
        list.sort_unstable_by_key(|listed| listed.at);
        let targets = list.iter().filter_map(|listed| match listed.onward {
            Onward::Branch(target) | Onward::Jump(target) => target,
            _ => None,
        });
        let targets = targets.collect();
        // Where other parts of a function come back to is known of those that debug info describes.
        let is_open = described.is_none() || list.iter().any(|listed| matches!(listed.onward, Onward::Jump(None)));
        let is_whole = match &name {
            Some(name) => described.is_some() || !name.ends_with(".cold"),
            None => described.is_some() || is_entered_by_calls(image, entry),
        };
        let of_system = SYSTEM.iter().any(|start| module.name.starts_with(start));
        // What is linked into a program that has libraries beside it, is the user's.
        let is_own = module.is_program() && image.interpreter().is_some();
        let is_library = of_system || !is_own && module.line(link).is_none();
        Some(Self { module, bias, name, entry: entry.at(bias).0, body, list, targets, is_open, is_whole, is_library })
    }

    /// Returns the number of the instruction at an address.
    pub(super) fn index(&self, at: u64) -> Option<usize> {
        self.list.binary_search_by_key(&at, |listed| listed.at).ok()
    }

    pub(super) fn holds(&self, at: u64) -> bool {
        self.index(at).is_some()
    }

    /// Returns the bytes of an instruction, as the file has them.
    pub(super) fn bytes(&self, at: u64) -> Option<&'a [u8]> {
        let listed = self.list.get(self.index(at)?)?;
        let link = |at| RunAddr(at).linked(self.bias);
        self.module.code((link(listed.at), link(listed.next)))
    }

    /// Returns whether a branch of it goes to an address.
    pub(super) fn is_branched_to(&self, at: u64) -> bool {
        self.targets.contains(&at)
    }

    /// Returns the call that returns to an address.
    pub(super) fn call_before(&self, ret: u64) -> Option<Listed> {
        let after = self.list.partition_point(|listed| listed.at < ret);
        let call = self.list.get(after.checked_sub(1)?)?;
        (call.next == ret && matches!(call.onward, Onward::Call(_))).then_some(*call)
    }

    /// Goes back from an instruction, which was executed, over those that must have been executed right before it.
    pub(super) fn in_block(&self, pc: u64, register: u16) -> InBlock {
        let Some(mut at) = self.index(pc).filter(|_| !self.is_open) else { return InBlock::Unknown };
        let mut branches = 0;
        loop {
            let Some(here) = self.list.get(at) else { return InBlock::Unknown };
            // It may have been come to from elsewhere.
            if self.targets.contains(&here.at) || here.at == self.entry {
                return InBlock::Unknown;
            }
            let Some(before) = at.checked_sub(1) else { return InBlock::Unknown };
            let Some(earlier) = self.list.get(before).filter(|earlier| earlier.next == here.at) else {
                return InBlock::Unknown;
            };
            match earlier.onward {
                Onward::Next => {}
                Onward::Branch(_) => branches += 1,
                Onward::Call(_) if earlier.writes.contains(register) => return InBlock::Called(earlier.at),
                _ => return InBlock::Unknown,
            }
            if earlier.writes.contains(register) {
                return InBlock::Written(before, branches);
            }
            at = before;
        }
    }

    /// Returns the number of the instruction that must have been executed right before the one at an address.
    pub(super) fn right_before(&self, pc: u64) -> Option<usize> {
        let at = self.index(pc).filter(|_| !self.is_open && !self.targets.contains(&pc) && pc != self.entry)?;
        let before = at.checked_sub(1)?;
        let listed = self.list.get(before)?;
        (listed.next == pc && listed.onward == Onward::Next).then_some(before)
    }

    /// Returns the state before an earlier instruction of the same block: of the registers, those that nothing has
    /// written since.
    pub(super) fn earlier(&self, from: &Snapshot, number: usize, branches: u64) -> Option<Snapshot> {
        let end = self.index(from.pc)?;
        let mut state = from.clone();
        state.pc = self.list.get(number)?.at;
        state.ticks = from.ticks.checked_sub(branches)?;
        state.stack.clear();
        state.anchor = match from.anchor.clone() {
            Some(anchor) if branches == 0 => Some(anchor),
            None if branches == 0 && from.is_whole() => Some(Box::new(from.clone())),
            _ => None,
        };
        // Which time in its tick it is is known of the later moment alone.
        state.visit = (branches > 0).then_some(1);
        for listed in self.list.get(number..end)? {
            for register in (0..GENERAL).filter(|register| listed.writes.contains(*register)) {
                if let Some(value) = state.registers.get_mut(usize::from(register)) {
                    *value = None;
                }
            }
        }
        Some(state)
    }

    /// Returns the instructions that write a register, and the first one.
    pub(super) fn writers(&self, register: u16) -> Vec<u64> {
        let writes = |listed: &&Listed| listed.writes.contains(register) || listed.at == self.entry;
        self.list.iter().filter(writes).map(|listed| listed.at).collect()
    }

    /// Returns the instructions by which it returns.
    pub(super) fn returns(&self) -> Vec<u64> {
        self.list.iter().filter(|listed| listed.onward == Onward::Return).map(|listed| listed.at).collect()
    }

    /// Returns whether it leaves a register as it is, and calls nobody who might not: compilers count on that in
    /// functions that they have seen.
    pub(super) fn keeps(&self, register: u16) -> bool {
        let is_own = |listed: &Listed| match listed.onward {
            Onward::Next | Onward::Return => true,
            Onward::Branch(Some(target)) | Onward::Jump(Some(target)) => self.holds(target),
            _ => false,
        };
        !self.list.is_empty() && self.list.iter().all(|listed| is_own(listed) && !listed.writes.contains(register))
    }

    /// Returns the instructions by which it may go on in another function.
    pub(super) fn jumps_to(&self, entry: u64) -> Vec<u64> {
        let may = |listed: &&Listed| match listed.onward {
            Onward::Jump(target) => target.is_none_or(|target| target == entry),
            Onward::Branch(target) => target == Some(entry),
            _ => false,
        };
        self.list.iter().filter(may).map(|listed| listed.at).collect()
    }

    /// Returns the functions that it jumps to.
    pub(super) fn leaves_to(&self) -> Vec<u64> {
        let mut found: Vec<u64> = self
            .list
            .iter()
            .filter_map(|listed| match listed.onward {
                Onward::Jump(Some(target)) | Onward::Branch(Some(target)) if !self.holds(target) => Some(target),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
