//! A moment in which every value says where it comes from.
//!
//! Evaluating an expression in it tells what the expression reads, without the compiler of expressions that this would
//! otherwise take: each register has the made-up value of a number (`program::made_up`), eight bytes of memory at so many
//! bytes behind such a value are the next number's, and so on. Done in two such moments of different looks, what depends
//! on values instead of places shows, as the index of an element.

use super::frame::{BASES, GENERAL, INSTRUCTION, State, THREAD, XMM0};
use ctype::Unavailable;
use program::made_up::Look;
use std::collections::BTreeSet;

/// Most numbers: these fit between the bits of an address.
const MOST: usize = 120;
/// Longest stretch of memory of one value.
pub(super) const LONGEST: usize = 512;
/// Most steps on the way to a value.
const MOST_STEPS: usize = 8;
/// Farthest step.
const FARTHEST: i64 = 1 << 29;

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A general register, the instruction or the thread.
    Register(u16),
    /// Eight bytes of memory, so many behind what another number means.
    Cell { of: usize, offset: i64, depth: usize },
}

/// Memory that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Need {
    /// Behind the value of this number.
    pub(super) origin: usize,
    pub(super) offset: i64,
    pub(super) length: usize,
}

/// Such a moment.
#[derive(Clone, Debug)]
pub(super) struct MadeUp {
    look: Look,
    pub(super) origins: Vec<Origin>,
    pub(super) needs: BTreeSet<Need>,
    pub(super) registers: BTreeSet<u16>,
    pub(super) vectors: BTreeSet<u16>,
    /// Why not all that is read can be collected.
    pub(super) refused: Option<String>,
    /// Where the instruction is in the process: numbers that are near to it are addresses as they are.
    code: Option<u64>,
}

impl MadeUp {
    pub(super) fn new(look: Look) -> Self {
        Self::at(look, None)
    }

    /// Creates such a moment at an instruction, by its address in the process.
    pub(super) fn at(look: Look, code: Option<u64>) -> Self {
        Self {
            code,
            look,
            origins: (0..BASES).map(Origin::Register).collect(),
            needs: BTreeSet::new(),
            registers: BTreeSet::new(),
            vectors: BTreeSet::new(),
            refused: None,
        }
    }

    /// Returns whether both have read the same.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        (&self.origins, &self.needs, &self.registers, &self.vectors)
            == (&other.origins, &other.needs, &other.registers, &other.vectors)
    }

    fn value(&self, number: usize) -> u64 {
        self.look.value(number)
    }

    /// Returns the number and offset that an address is made of.
    pub(super) fn recognise(&self, address: u64) -> Option<(usize, i64)> {
        let near = |&(number, offset): &(usize, i64)| number < self.origins.len() && offset.abs() <= FARTHEST;
        match self.look.recognise(address).filter(near) {
            Some(recognised) => Some(recognised),
            None => {
                let offset = address.wrapping_sub(self.code?).cast_signed();
                (offset.unsigned_abs() <= FARTHEST.unsigned_abs()).then_some((usize::from(INSTRUCTION), offset))
            }
        }
    }

    /// Takes note that so many bytes at an address are needed.
    pub(super) fn need(&mut self, address: u64, length: usize) -> Option<(usize, i64)> {
        let Some((origin, offset)) = self.recognise(address) else {
            self.refuse(match self.code {
                Some(_) => {
                    "it reads memory at an address that is not a register or pointer plus a constant, nor one within 2^29 \
                     bytes of the code there"
                }
                None => "it reads memory at an address that is not a register or pointer plus a constant",
            });
            return None;
        };
        if length > LONGEST {
            self.refuse(&format!("it reads {length} bytes at once, and at most {LONGEST} are collected"));
            return None;
        }
        self.needs.insert(Need { origin, offset, length });
        self.touch(origin);
        Some((origin, offset))
    }

    /// Returns the value of the eight bytes there.
    fn cell(&mut self, of: usize, offset: i64) -> Option<u64> {
        let is_it =
            |origin: &Origin| matches!(origin, Origin::Cell { of: o, offset: at, .. } if (*o, *at) == (of, offset));
        if let Some(known) = self.origins.iter().position(is_it) {
            return Some(self.value(known));
        }
        let depth = match self.origins.get(of)? {
            Origin::Register(_) => 1,
            Origin::Cell { depth, .. } => depth + 1,
        };
        if depth >= MOST_STEPS || self.origins.len() >= MOST {
            self.refuse("it follows too many pointers");
            return None;
        }
        self.origins.push(Origin::Cell { of, offset, depth });
        Some(self.value(self.origins.len() - 1))
    }

    /// Marks that what a number is made of is collected.
    fn touch(&mut self, mut number: usize) {
        while let Some(origin) = self.origins.get(number).copied() {
            match origin {
                Origin::Register(register) => {
                    self.registers.insert(register);
                    return;
                }
                Origin::Cell { of, offset, .. } => {
                    self.needs.insert(Need { origin: of, offset, length: 8 });
                    number = of;
                }
            }
        }
    }

    pub(super) fn refuse(&mut self, why: &str) {
        self.refused.get_or_insert_with(|| why.to_owned());
    }
}

impl State for MadeUp {
    fn instruction(&mut self) -> Option<u64> {
        Some(self.value(usize::from(INSTRUCTION)))
    }

    fn thread(&mut self) -> Option<u64> {
        self.registers.insert(THREAD);
        Some(self.value(usize::from(THREAD)))
    }

    fn register(&mut self, number: u16) -> Option<u64> {
        if number >= GENERAL {
            self.refuse("it uses a register that is not collected");
            return None;
        }
        self.registers.insert(number);
        Some(self.value(usize::from(number)))
    }

    fn vector(&mut self, number: u16) -> Option<[u8; 16]> {
        if !(XMM0..XMM0 + 16).contains(&number) {
            self.refuse("it uses a register that is not collected");
            return None;
        }
        self.vectors.insert(number);
        let mut bytes = [0; 16];
        bytes[0] = self.look.low_byte();
        Some(bytes)
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        let (origin, offset) = self.need(address, buffer.len()).ok_or(Unavailable::NotCollected)?;
        let filler = self.value(0).to_le_bytes();
        if buffer.len() == 8 {
            let value = self.cell(origin, offset).ok_or(Unavailable::NotCollected)?;
            buffer.copy_from_slice(&value.to_le_bytes());
            return Ok(());
        }
        for (to, from) in buffer.iter_mut().zip(filler.iter().cycle()) {
            *to = *from;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::made_up::LOOKS;

    fn word(state: &mut MadeUp, address: u64) -> u64 {
        let mut bytes = [0; 8];
        state.read(address, &mut bytes).unwrap();
        u64::from_le_bytes(bytes)
    }

    #[test]
    fn what_is_read_through_pointers_is_known_by_its_way() {
        let mut both = LOOKS.map(MadeUp::new);
        for state in &mut both {
            let frame = state.register(6).unwrap();
            let pointer = word(state, frame - 24);
            let next = word(state, pointer + 8);
            state.read(next + 16, &mut [0; 4]).unwrap();
        }
        assert!(both[0].agrees(&both[1]) && both[0].refused.is_none());
        let need = |origin, offset, length| Need { origin, offset, length };
        assert_eq!(both[0].needs, [need(6, -24, 8), need(18, 8, 8), need(19, 16, 4)].into());
        assert_eq!(both[0].registers, [6].into());
    }

    #[test]
    fn an_index_that_is_a_variable_shows() {
        let mut both = LOOKS.map(MadeUp::new);
        for state in &mut both {
            let array = state.register(5).unwrap();
            let mut index = [0; 4];
            let at = state.register(7).unwrap() + 4;
            state.read(at, &mut index).unwrap();
            let _ = state.read(array + 4 * u64::from(u32::from_le_bytes(index)), &mut [0; 4]);
        }
        assert!(!both[0].agrees(&both[1]));
        let mut one = MadeUp::new(LOOKS[0]);
        let sum = one.register(5).unwrap() + one.register(4).unwrap() * 8;
        assert!(one.read(sum, &mut [0; 4]).is_err() && one.refused.is_some());
        assert!(one.read(0x4010, &mut [0; 4]).is_err());
    }

    #[test]
    fn a_number_near_the_code_is_an_address() {
        let mut one = MadeUp::at(LOOKS[1], Some(0x40_1136));
        one.read(0x40_40a0, &mut [0; 4]).unwrap();
        let offset = 0x40_40a0 - 0x40_1136;
        assert_eq!(one.needs, [Need { origin: usize::from(INSTRUCTION), offset, length: 4 }].into());
        assert!(one.read(0x7fff_0000_0000, &mut [0; 4]).is_err());
        assert!(one.refused.unwrap().contains("within 2^29"));
    }
}
