//! What has to be collected for an expression, and what was: a moment that expressions are evaluated in.

use super::frame::{BASES, INSTRUCTION, State, THREAD, base_name};
use super::made_up::{LONGEST, MadeUp, Need, Origin};
use ctype::Unavailable;
use dwarf::DIVIDES_BY_ZERO;
use program::made_up::LOOKS;
use softcounters::probes::{BriefHit, CollectedValue, MOST_VALUES, Register, Value};
use std::sync::Arc;

/// Why that is not collected of which the place is another one for other values.
pub(super) const DEPENDS: &str = "what it reads depends on values, as the element of a variable index does, \
                                  or a text behind a pointer (but `$_memeq(p, \"text\", 5)` does not)";
/// Pieces of memory so near to each other are collected as one.
const NEAR: i64 = 16;

/// What is found out step by step to be needed at one place.
pub(super) struct PlanBuilder {
    states: [MadeUp; 2],
    /// Values of the probe that are not the plan's.
    reserved: usize,
}

impl PlanBuilder {
    /// Creates a plan of nothing yet, beside so many other values of the same probe. `code`: where the instruction is
    /// in the process, if that is known.
    pub(super) fn new(reserved: usize, code: Option<u64>) -> Self {
        Self { states: LOOKS.map(|look| MadeUp::at(look, code)), reserved }
    }

    /// Adds what `look` looks at, which is called for two moments that are made up.
    ///
    /// # Errors
    /// In words why that cannot be collected; then nothing is added.
    pub(super) fn add<R>(&mut self, mut look: impl FnMut(&mut MadeUp) -> Result<R, String>) -> Result<R, String> {
        let [mut first, mut second] = self.states.clone();
        let found = look(&mut first);
        if let Some(why) = &first.refused {
            return Err(why.clone());
        }
        let again = look(&mut second);
        if let Some(why) = &second.refused {
            return Err(why.clone());
        }
        let found = match (found, again) {
            (Ok(found), Ok(_)) => found,
            // What is made up may be zero where the program's values never are.
            (Err(why), Err(again)) if why == again && !why.contains(DIVIDES_BY_ZERO) => return Err(why),
            // Whether it fails, or how, is a matter of values: an index that is past the end.
            _ => return Err(DEPENDS.to_owned()),
        };
        if !first.agrees(&second) {
            return Err(DEPENDS.to_owned());
        }
        if self.reserved + Plan::of(&first).values.len() > MOST_VALUES {
            return Err(format!("together with the others it needs more than the {MOST_VALUES} values of a place"));
        }
        self.states = [first, second];
        Ok(found)
    }

    /// Returns what is to be collected.
    pub(super) fn plan(&self) -> Plan {
        Plan::of(&self.states[0])
    }
}

/// What is collected at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// For the probe, in the order of the fields below.
    pub(super) values: Vec<Value>,
    registers: Vec<u16>,
    vectors: Vec<u16>,
    pieces: Vec<Need>,
    origins: Arc<[Origin]>,
}

impl Plan {
    fn of(state: &MadeUp) -> Self {
        let mut plan = Self {
            registers: state.registers.iter().copied().collect(),
            vectors: state.vectors.iter().copied().collect(),
            origins: state.origins.clone().into(),
            ..Self::default()
        };
        for need in &state.needs {
            let end = need.offset + need.length as i64;
            match plan.pieces.last_mut() {
                Some(last)
                    if last.origin == need.origin
                        && need.offset <= last.offset + last.length as i64 + NEAR
                        && end - last.offset <= LONGEST as i64 =>
                {
                    last.length = last.length.max((end - last.offset) as usize);
                }
                _ => plan.pieces.push(*need),
            }
        }
        plan.values.extend(plan.registers.iter().filter_map(|n| Register::named(base_name(*n))).map(Value::Register));
        plan.values.extend(plan.vectors.iter().map(|n| Value::Vector((*n - super::frame::XMM0) as u8)));
        let pieces: Vec<Value> = plan.pieces.iter().filter_map(|piece| plan.memory(piece)).collect();
        plan.values.extend(pieces);
        plan
    }

    fn memory(&self, piece: &Need) -> Option<Value> {
        let mut steps = vec![i32::try_from(piece.offset).ok()?];
        let mut number = piece.origin;
        loop {
            match self.origins.get(number)? {
                Origin::Register(register) => {
                    steps.reverse();
                    let base = Register::named(base_name(*register))?;
                    return Some(Value::Memory { base, steps, length: u16::try_from(piece.length).ok()? });
                }
                Origin::Cell { of, offset, .. } => {
                    steps.push(i32::try_from(*offset).ok()?);
                    number = *of;
                }
            }
        }
    }

    /// Returns a register that was collected at a hit, of which the plan's values begin with that of this number.
    pub(super) fn register_in(&self, hit: &BriefHit<'_>, first: usize, register: u16) -> Option<u64> {
        let at = self.registers.iter().position(|known| *known == register)?;
        hit.word(first + at)
    }

    /// Returns 1 to 8 bytes of memory that were collected at a hit, extended by zeros.
    pub(super) fn memory_in(&self, hit: &BriefHit<'_>, first: usize, address: u64, bytes: usize) -> Option<u64> {
        let pieces = first + self.registers.len() + self.vectors.len();
        for (number, piece) in self.pieces.iter().enumerate() {
            let Some(base) = self.base_in(hit, first, piece.origin) else { continue };
            let into = address.wrapping_sub(base.wrapping_add_signed(piece.offset));
            let into = usize::try_from(into).ok().filter(|into| *into < piece.length);
            if let Some(into) = into {
                return hit.part(pieces + number, into, bytes);
            }
        }
        None
    }

    fn base_in(&self, hit: &BriefHit<'_>, first: usize, number: usize) -> Option<u64> {
        match *self.origins.get(number)? {
            Origin::Register(register) => self.register_in(hit, first, register),
            Origin::Cell { of, offset, .. } => {
                let at = self.base_in(hit, first, of)?.wrapping_add_signed(offset);
                // What a number is made of is behind what it is counted from itself.
                self.cell_in(hit, first, of, at)
            }
        }
    }

    /// Returns the eight bytes there, which are of a piece that is counted from this number.
    fn cell_in(&self, hit: &BriefHit<'_>, first: usize, of: usize, address: u64) -> Option<u64> {
        let base = self.base_in(hit, first, of)?;
        let pieces = first + self.registers.len() + self.vectors.len();
        let all = self.pieces.iter().enumerate().filter(|(_, piece)| piece.origin == of);
        let mut found = all.filter_map(|(number, piece)| {
            let into = address.wrapping_sub(base.wrapping_add_signed(piece.offset));
            let into = usize::try_from(into).ok().filter(|into| *into < piece.length)?;
            Some((number, into))
        });
        let (number, into) = found.next()?;
        hit.part(pieces + number, into, 8)
    }

    /// Returns the moment in which this was found.
    pub(super) fn moment(&self, found: &[CollectedValue]) -> Collected {
        let mut found = found.iter();
        let mut collected = Collected::default();
        for (number, value) in self.registers.iter().zip(&mut found) {
            if let (Some(slot), CollectedValue::Register(value)) =
                (collected.registers.get_mut(usize::from(*number)), value)
            {
                *slot = Some(*value);
            }
        }
        for (number, value) in self.vectors.iter().zip(&mut found) {
            if let CollectedValue::Vector(bytes) = value {
                collected.vectors.push((*number, *bytes));
            }
        }
        // Pieces are in the order of what they are counted from, which is behind what that is counted from itself.
        for (piece, value) in self.pieces.iter().zip(found) {
            let CollectedValue::Memory(bytes) = value else { continue };
            if let Some(base) = self.base(piece.origin, &mut collected) {
                let address = base.wrapping_add_signed(piece.offset);
                collected.memory.push(Stretch { address, wanted: piece.length, bytes: bytes.clone() });
            }
        }
        collected
    }

    /// Returns the value that a number stands for.
    fn base(&self, number: usize, collected: &mut Collected) -> Option<u64> {
        match *self.origins.get(number)? {
            Origin::Register(register) => collected.register(register),
            Origin::Cell { of, offset, .. } => {
                let at = self.base(of, collected)?.wrapping_add_signed(offset);
                let mut bytes = [0; 8];
                collected.read(at, &mut bytes).ok()?;
                Some(u64::from_le_bytes(bytes))
            }
        }
    }
}

/// Memory that was collected, from an address on.
#[derive(Clone, Debug)]
struct Stretch {
    address: u64,
    wanted: usize,
    /// Fewer than were wanted if there are no more.
    bytes: Vec<u8>,
}

/// Registers and memory as they were collected.
#[derive(Clone, Debug, Default)]
pub(super) struct Collected {
    pub(super) registers: [Option<u64>; BASES as usize],
    vectors: Vec<(u16, [u8; 16])>,
    memory: Vec<Stretch>,
}

impl Collected {
    /// Creates what was collected with memory at an address.
    pub(super) fn with_memory(address: u64, wanted: usize, bytes: Vec<u8>) -> Self {
        Self { memory: vec![Stretch { address, wanted, bytes }], ..Self::default() }
    }

    /// Adds the memory that was collected at another moment, where none is known.
    pub(super) fn add_memory(&mut self, other: &Self) {
        self.memory.extend(other.memory.iter().cloned());
    }

    /// Returns the bytes that are known from an address on, or why there are none.
    fn stretch(&self, address: u64) -> Result<&[u8], Unavailable> {
        for stretch in &self.memory {
            let Some(into) = address.checked_sub(stretch.address).and_then(|into| usize::try_from(into).ok()) else {
                continue;
            };
            match stretch.bytes.get(into..) {
                Some(bytes) if !bytes.is_empty() => return Ok(bytes),
                // What was collected later does not tell what was there then.
                _ if into < stretch.wanted => return Err(Unavailable::Memory(address)),
                _ => {}
            }
        }
        Err(Unavailable::NotCollected)
    }
}

impl State for Collected {
    fn instruction(&mut self) -> Option<u64> {
        self.register(INSTRUCTION)
    }

    fn thread(&mut self) -> Option<u64> {
        self.register(THREAD)
    }

    fn register(&mut self, number: u16) -> Option<u64> {
        self.registers.get(usize::from(number)).copied().flatten()
    }

    fn vector(&mut self, number: u16) -> Option<[u8; 16]> {
        self.vectors.iter().find(|(known, _)| *known == number).map(|(_, bytes)| *bytes)
    }

    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        let mut done = 0;
        while done < buffer.len() {
            let bytes = self.stretch(address.wrapping_add(done as u64))?;
            for (to, from) in buffer.iter_mut().skip(done).zip(bytes) {
                *to = *from;
            }
            done += bytes.len();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_collected_is_found_where_it_was() {
        let mut wanted = PlanBuilder::new(0, None);
        let look = |state: &mut MadeUp| {
            let frame = state.register(6).ok_or("")?;
            let mut pointer = [0; 8];
            state.read(frame.wrapping_sub(8), &mut pointer).map_err(|e| e.to_string())?;
            state.read(frame.wrapping_sub(12), &mut [0; 4]).map_err(|e| e.to_string())?;
            state.need(u64::from_le_bytes(pointer), 16).ok_or("")?;
            Ok(())
        };
        wanted.add(look).unwrap();
        let plan = wanted.plan();
        let shown: Vec<String> = plan.values.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["rbp", "12@rbp+-12", "16@rbp+-8+0"]);
        let stack = [7u32.to_le_bytes().to_vec(), 0x5000u64.to_le_bytes().to_vec()].concat();
        let found =
            [CollectedValue::Register(0x1000), CollectedValue::Memory(stack), CollectedValue::Memory(b"abc".to_vec())];
        let mut moment = plan.moment(&found);
        let mut read = |address, length| {
            let mut bytes = vec![0; length];
            moment.read(address, &mut bytes).map(|()| bytes)
        };
        assert_eq!(read(0xff4, 4).unwrap(), [7, 0, 0, 0]);
        assert_eq!(read(0x5000, 3).unwrap(), b"abc");
        assert_eq!(read(0x5000, 4), Err(Unavailable::Memory(0x5003)));
        assert_eq!(read(0x5010, 1), Err(Unavailable::NotCollected));
        assert_eq!(read(0x2000, 1), Err(Unavailable::NotCollected));
    }

    #[test]
    fn what_is_refused_leaves_nothing_behind() {
        let mut wanted = PlanBuilder::new(0, None);
        let refused = wanted.add(|state: &mut MadeUp| {
            state.register(3);
            state.need(64, 1).ok_or_else(|| "fixed".to_owned())
        });
        assert!(refused.unwrap_err().contains("register or pointer plus a constant"));
        assert!(wanted.plan().values.is_empty());
        let many = |state: &mut MadeUp| {
            let frame = state.register(6).ok_or("")?;
            (0..40u64).try_for_each(|n| state.need(frame + 64 * n, 8).map(drop).ok_or_else(String::new))
        };
        assert!(wanted.add(many).unwrap_err().contains("more than the 32 values"));
    }
}
