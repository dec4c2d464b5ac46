//! A translation in its place in the region.

use std::ops::Range;
use std::sync::Arc;

use super::block::{Exit, Point, Turn};
use super::layout;
use super::made::Made;
use super::piece::{Left, Run};

/// A placed translation, or a stub that stands for an invalidated one.
#[derive(Clone, Debug)]
pub struct Block {
    pub(super) made: Arc<Made>,
    pub(super) shift: u64,
    /// Address in the region.
    pub(super) at: u64,
    /// Length of what comes before the translation, see [`stubs::mark`](super::stubs::mark).
    pub(super) lead: u64,
    pub(super) first_exit: u32,
}

impl Block {
    /// Returns the last point at or before this address in the block, and whether the address is that of the point.
    pub fn point(&self, at: u64) -> (Point, bool) {
        let offset = self.offset(at);
        let point = self.made.point(offset, self.shift);
        (point, point.offset == offset)
    }

    /// Returns what has been done after that point, if it cannot be undone just like that.
    pub fn turn(&self, at: u64) -> Option<Turn> {
        self.made.turn(self.offset(at), self.shift)
    }

    /// Returns what is executed of a piece at one of its places.
    pub fn left(&self, run: Run) -> Left {
        self.made.left(run, self.shift)
    }

    /// Returns whether it is of a function of rr's page, on the way to which nothing is done that cannot be undone.
    pub fn is_of_rr_page(&self) -> bool {
        layout::RR_PAGE.contains(&self.made.source(self.shift).start)
    }

    /// Returns the offset in the translation. Nothing of the program's is changed by what comes before that.
    fn offset(&self, at: u64) -> u32 {
        at.saturating_sub(self.at + self.lead) as u32
    }

    /// Returns where the code ends.
    pub(super) fn end(&self) -> u64 {
        self.at + self.lead + self.made.code.len() as u64
    }

    /// Returns the program code of the native instruction at the block's end.
    pub(super) fn native(&self) -> Option<Range<u64>> {
        let native = self.made.exits(self.shift).find_map(|exit| match exit {
            Exit::Native { address } => Some(address),
            _ => None,
        })?;
        Some(native..self.made.source(self.shift).end)
    }
}
