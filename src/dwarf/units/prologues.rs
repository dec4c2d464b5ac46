//! Prologues of functions: where line tables say that they end (DW_LNS_set_prologue_end, DWARF 5 section 6.2.5.2), and how
//! the frame is then.

use super::blocks::{BlockKind, contains};
use super::collection::Units;
use super::entry::UnitEntry;
use super::prologue::Prologue;
use crate::unwind::cfi::CallFrames;
use arch::LinkAddr;
use std::sync::PoisonError;

impl<'a> Units<'a> {
    /// Returns the prologue of the function at an address; `None` if its line table does not say where that ends.
    pub(crate) fn prologue_at(&self, a: LinkAddr) -> Option<Prologue> {
        let (unit, offset) = self.function_die_at(a)?;
        let function = unit.id_of(offset)?;
        // A panic of another thread leaves at worst a missing entry behind.
        let cached = || self.prologues.lock().unwrap_or_else(PoisonError::into_inner);
        let read = cached().get(&function).copied();
        read.unwrap_or_else(|| {
            let prologue = self.read_prologue(unit, a);
            cached().insert(function, prologue);
            prologue
        })
    }

    fn read_prologue(&self, unit: &UnitEntry<'a>, a: LinkAddr) -> Option<Prologue> {
        let tree = self.block_tree_at(a)?;
        let function = tree.around(a).into_iter().find(|block| block.kind == BlockKind::Function)?;
        let entry = function.ranges.first()?.0;
        match self.marked_prologue_end(unit, entry) {
            Some(end) => {
                let frames = CallFrames::new(self.sections.debug().arch, &self.frames);
                // Where the frame there is that of the entry, the code sets it up farther on, or not at all.
                let (at_entry, behind) = (frames.cfa_rule(entry), frames.cfa_rule(end));
                Some(Prologue { entry, end, cfa: behind.filter(|rule| at_entry != Some(*rule)) })
            }
            None => self.row_behind(unit, entry).map(|end| Prologue { entry, end, cfa: None }),
        }
    }

    /// Returns the first address behind the prologue of the function that begins at `entry`, if the line table of its
    /// unit marks it, as LLVM's do.
    pub(crate) fn marked_prologue_end(&self, unit: &UnitEntry<'a>, entry: LinkAddr) -> Option<LinkAddr> {
        let lines = unit.lines(self);
        let file = lines.covering(entry.0)?.0.file;
        let function = entry.0..self.end_of_part_at(entry)?;
        let first = lines.rows().partition_point(|row| row.address < entry.0);
        let mut rows = lines.rows().get(first..)?.iter().take_while(|row| function.contains(&row.address));
        rows.find(|row| row.file == file && row.prologue_end).map(|row| LinkAddr(row.address))
    }

    /// Returns where the line table has its first row behind `entry`, where a function begins: code of GCC that is not
    /// optimised has it behind the prologue. Two rows at the entry say that there is no prologue.
    fn row_behind(&self, unit: &UnitEntry<'a>, entry: LinkAddr) -> Option<LinkAddr> {
        let end = self.end_of_part_at(entry)?;
        let rows = unit.lines(self).rows();
        let next = rows.partition_point(|row| row.address <= entry.0);
        let at_entry = rows.get(..next)?.iter().rev().take_while(|row| row.address == entry.0).count();
        let next = rows.get(next)?;
        (at_entry == 1 && next.address < end).then_some(LinkAddr(next.address))
    }

    /// Returns the address one past the contiguous part of the function that an address is in.
    pub(crate) fn end_of_part_at(&self, a: LinkAddr) -> Option<u64> {
        let tree = self.block_tree_at(a)?;
        let function = tree.around(a).into_iter().find(|block| block.kind == BlockKind::Function)?;
        function.ranges.iter().find(|range| contains(&[**range], a)).map(|(_, end)| end.0)
    }
}
