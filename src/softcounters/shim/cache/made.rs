//! A finished translation, which serves wherever the same code is.

use std::ops::Range;

use super::block::{Exit, Fixup, Lowering, Point, Translation, Turn};
use super::piece::{Left, Piece, Run};

/// A translation and the code it was made from.
///
/// Fields for program addresses are as wide as an address wherever code usually is, so that a translation can be
/// carried from one address to another by adding the difference.
#[derive(Debug)]
pub struct Made {
    source: u64,
    bytes: Box<[u8]>,
    /// The code, for `source`.
    pub code: Box<[u8]>,
    /// Fields that depend on where the code is placed.
    pub fixups: Box<[Fixup]>,
    /// Fields that depend on where the program's code is.
    pub addresses: Box<[u32]>,
    points: Box<[Point]>,
    turns: Box<[Turn]>,
    exits: Box<[Exit]>,
    runs: Box<[Run]>,
    owed: Box<[i32]>,
    lowering: Lowering,
    pieces: Box<[Piece]>,
    returns: Box<[u64]>,
    is_bound: bool,
}

impl Made {
    /// Makes one from a translation of the beginning of `code`.
    pub fn new(translation: Translation, code: &[u8]) -> Made {
        Made {
            source: translation.source,
            bytes: code[..(translation.source_length as usize).min(code.len())].into(),
            code: translation.code.as_slice().into(),
            fixups: translation.fixups.as_slice().into(),
            addresses: translation.addresses.as_slice().into(),
            points: translation.points.as_slice().into(),
            turns: translation.turns.as_slice().into(),
            exits: translation.exits.as_slice().into(),
            runs: translation.runs.as_slice().into(),
            owed: translation.owed.as_slice().into(),
            lowering: translation.lowering,
            pieces: translation.pieces.as_slice().into(),
            returns: translation.returns.as_slice().into(),
            is_bound: translation.is_bound,
        }
    }

    /// Makes code that does nothing but leave the cache for the program's `address`, in the place of a translation that
    /// lowers the count like this.
    pub fn stub(address: u64, code: &[u8], lowering: Lowering) -> Made {
        Made {
            source: address,
            bytes: Box::default(),
            code: code.into(),
            fixups: Box::default(),
            addresses: Box::default(),
            turns: Box::default(),
            points: Box::new([Point { offset: 0, address, spill: None, owed: 0, told: 0, run: Run::default() }]),
            runs: Box::default(),
            owed: Box::default(),
            lowering,
            pieces: Box::default(),
            exits: Box::new([Exit::Direct { target: address, site: 0 }]),
            returns: Box::default(),
            is_bound: true,
        }
    }

    /// Returns how it lowers the count.
    pub fn lowering(&self) -> Lowering {
        self.lowering
    }

    /// Returns what is to be added to all addresses if this is to stand for `code` at `address`; `None` if it cannot.
    pub fn shift_for(&self, code: &[u8], address: u64) -> Option<u64> {
        // Far enough from where addresses become shorter or are none any more.
        const FREE: Range<u64> = 1 << 33..(1 << 47) - (1 << 33);
        let is_movable = || !self.is_bound && FREE.contains(&address) && FREE.contains(&self.source);
        (code.starts_with(&self.bytes) && (address == self.source || is_movable()))
            .then(|| address.wrapping_sub(self.source))
    }

    /// Returns the program code this stands for, shifted.
    pub fn source(&self, shift: u64) -> Range<u64> {
        let start = self.source.wrapping_add(shift);
        start..start + self.bytes.len() as u64
    }

    /// Returns the exits, shifted.
    pub fn exits(&self, shift: u64) -> impl Iterator<Item = Exit> + '_ {
        self.exits.iter().map(move |&exit| shifted(exit, shift))
    }

    /// Returns the number of exits.
    pub fn exit_count(&self) -> u32 {
        self.exits.len() as u32
    }

    /// Returns one exit, shifted.
    pub fn exit(&self, number: u32, shift: u64) -> Option<Exit> {
        self.exits.get(number as usize).map(|&exit| shifted(exit, shift))
    }

    /// Returns what is counted, shifted.
    pub fn pieces(&self, shift: u64) -> impl Iterator<Item = Piece> + '_ {
        self.pieces.iter().map(move |piece| piece.shifted(shift))
    }

    /// Returns how many counters it has.
    pub fn counters(&self) -> u32 {
        self.pieces.len() as u32
    }

    /// Returns what is executed of a piece at one of its places.
    pub fn left(&self, run: Run, shift: u64) -> Left {
        run.left(&self.pieces, shift)
    }

    /// Returns what is executed of a piece at one exit.
    pub fn left_at_exit(&self, number: u32, shift: u64) -> Left {
        self.runs.get(number as usize).map_or(Left::default(), |run| self.left(*run, shift))
    }

    /// Returns what is owed at one exit.
    pub fn owed_at_exit(&self, number: u32) -> i32 {
        self.owed.get(number as usize).copied().unwrap_or(0)
    }

    /// Returns the last point at or before this offset of the code, shifted.
    pub fn point(&self, offset: u32, shift: u64) -> Point {
        let after = self.points.partition_point(|point| point.offset <= offset);
        let point = self.points[after.max(1) - 1];
        Point { address: point.address.wrapping_add(shift), ..point }
    }

    /// Returns the last turn at or before this offset of the code and after the last point, shifted.
    pub fn turn(&self, offset: u32, shift: u64) -> Option<Turn> {
        let after = self.turns.partition_point(|turn| turn.offset <= offset);
        let turn = *self.turns.get(after.checked_sub(1)?)?;
        let is_passed = turn.offset > self.point(offset, shift).offset;
        is_passed.then(|| Turn { address: turn.address.wrapping_add(shift), ..turn })
    }

    /// Returns the return addresses of calls, shifted.
    pub fn returns(&self, shift: u64) -> impl Iterator<Item = u64> + '_ {
        self.returns.iter().map(move |address| address.wrapping_add(shift))
    }
}

fn shifted(exit: Exit, shift: u64) -> Exit {
    let moved = |address: u64| address.wrapping_add(shift);
    match exit {
        Exit::Direct { target, site } => Exit::Direct { target: moved(target), site },
        Exit::Native { address } => Exit::Native { address: moved(address) },
        Exit::Step { address } => Exit::Step { address: moved(address) },
        Exit::Repeat { address } => Exit::Repeat { address: moved(address) },
        Exit::Repeated { address } => Exit::Repeated { address: moved(address) },
        Exit::Full { address, told } => Exit::Full { address: moved(address), told },
        Exit::Stale { address } => Exit::Stale { address: moved(address) },
        Exit::Overflow { address } => Exit::Overflow { address: moved(address) },
        Exit::Spent { address } => Exit::Spent { address: moved(address) },
        Exit::Indirect { address, kind } => Exit::Indirect { address: moved(address), kind },
    }
}
