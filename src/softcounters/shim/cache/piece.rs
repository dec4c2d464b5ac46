//! Pieces: straight-line code that is counted where it ends.
//!
//! A piece begins where a block does or behind a conditional branch, and ends behind the next branch, of any kind, or
//! where its block goes on elsewhere. Each has a counter of its own in the region, which is raised just before the last
//! instruction, without changing a flag: at a branch, where rcx is in its slot anyhow, that takes three instructions.
//! What a thread executes of a piece in the middle of which it leaves the cache is no matter of the translation: the
//! tracer books it, and the points of a translation say where the piece has begun ([`Run`]).
//!
//! So the count of an instruction is that of the pieces around it, plus what was booked.

use super::asm::RCX;
use super::block::{Fixup, Spill, Turn};
use super::layout::{COUNTERS, slot};
use super::translate::Block;

/// Code that is executed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub start: u64,
    pub end: u64,
    /// The conditional branch at its end.
    pub branch: Option<u64>,
}

/// What is executed of a piece, and what is counted, at a place of a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Where the piece has begun that is executed up to here; `None` if none has.
    pub start: Option<u64>,
    /// This piece of the block has been counted...
    pub counter: u32,
    /// ... so many times without being executed to its end.
    pub over: u32,
}

/// The same for a block that has its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    pub start: Option<u64>,
    /// What was counted too often, and how many times.
    pub over: Option<(Piece, u32)>,
}

impl Piece {
    /// Returns the same code elsewhere.
    pub fn shifted(self, shift: u64) -> Piece {
        Piece {
            start: self.start.wrapping_add(shift),
            end: self.end.wrapping_add(shift),
            branch: self.branch.map(|branch| branch.wrapping_add(shift)),
        }
    }
}

impl Run {
    /// Returns what is executed of a piece, in a block with these pieces.
    pub fn left(self, pieces: &[Piece], shift: u64) -> Left {
        let piece = pieces.get(self.counter as usize).filter(|_| self.over > 0);
        Left {
            start: self.start.map(|start| start.wrapping_add(shift)),
            over: piece.map(|piece| (piece.shifted(shift), self.over)),
        }
    }
}

impl Block {
    /// Begins a piece at this address.
    pub fn open(&mut self, address: u64) {
        self.run = Run { start: self.counts.then_some(address), ..Run::default() };
    }

    /// Ends the piece: none is being executed.
    pub fn close(&mut self) {
        self.run = Run::default();
    }

    /// Makes a new piece, from where the last one has begun.
    pub fn piece(&mut self, end: u64, branch: Option<u64>) -> u32 {
        self.pieces.push(Piece { start: self.run.start.unwrap_or(end), end, branch });
        self.pieces.len() as u32 - 1
    }

    /// Adds to a counter; rcx is in its slot.
    pub fn raise(&mut self, counter: u32, by: i8) {
        self.asm.load(RCX, COUNTERS);
        self.fixups.push(Fixup::Counter { offset: self.asm.here() - 4, counter });
        self.asm.add(RCX, by);
        self.asm.store(COUNTERS, RCX);
        self.fixups.push(Fixup::Counter { offset: self.asm.here() - 4, counter });
    }

    /// Notes that from here to the next point a piece has been counted so many times too often.
    pub fn counted_over(&mut self, address: u64, counter: u32, over: u32, owed: i32) {
        (self.run.counter, self.run.over) = (counter, over);
        self.turns.push(Turn { offset: self.asm.here(), address, owed, popped: 0, run: self.run });
    }

    /// Counts the piece that ends with the instruction at `address`, which is not executed yet; rcx is in its slot.
    pub fn count_piece(&mut self, address: u64, end: u64, is_branch: bool) {
        if self.counts {
            let counter = self.piece(end, is_branch.then_some(address));
            self.raise(counter, 1);
            self.counted_over(address, counter, 1, self.owed);
        }
    }

    /// Writes the same where rcx is the program's.
    pub fn count_end(&mut self, address: u64, end: u64) {
        if self.counts && self.run.start != Some(end) {
            self.point(address, Some(Spill::Rcx));
            self.asm.store(slot::RCX, RCX);
            self.count_piece(address, end, false);
            self.asm.load(RCX, slot::RCX);
            self.point(address, None);
        }
    }
}
