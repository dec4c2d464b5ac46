//! Where in its tick a moment is: what is probed to see its thread come to it.

use super::Place;
use crate::frame::register_name;
use crate::hits::registers;
use engine::model::{Fingerprint, hash_of_stop};
use rr::ProbeHit;
use softcounters::probes::{self, CollectedValue, Probe, Register, Value};

/// Bytes of the stack that are in the fingerprint of a stop, and how many are collected together.
const STACK: i32 = 4096;
const PIECE: u16 = 512;
/// The DWARF number of the stack pointer.
const RSP: u16 = 7;

/// Returns what is looked at to see a thread come to a place: the registers and the top of the stack.
pub(super) fn probe(place: &Place) -> Probe {
    let at = probes::Place::Address { address: place.moment.pc.0, space: None };
    let stack = |base: Register| {
        let pieces = (0..STACK).step_by(usize::from(PIECE));
        pieces.map(move |from| Value::Memory { base, steps: vec![from], length: PIECE })
    };
    let stack = Register::named(register_name(RSP)).into_iter().flat_map(stack);
    Probe::new(at, registers().into_iter().chain(stack).collect())
}

/// Returns whether a thread comes to a place, as far as can be seen.
pub(super) fn is_it(place: &Place, hit: &ProbeHit) -> bool {
    let moment = &place.moment;
    if hit.tid != moment.thread.tid || hit.ticks != moment.moment.ticks {
        return false;
    }
    let (mut registers, mut stack) = (Vec::new(), Vec::new());
    for value in hit.values.iter() {
        match value {
            CollectedValue::Register(value) => registers.push(*value),
            CollectedValue::Memory(bytes) if stack.len().is_multiple_of(usize::from(PIECE)) => {
                stack.extend_from_slice(bytes);
            }
            _ => {}
        }
    }
    let Some(registers) = registers.first_chunk() else { return false };
    match moment.fingerprint {
        Some(Fingerprint::Stop(hash)) => hash_of_stop(registers, moment.pc, &stack) == hash,
        _ => *registers == place.registers,
    }
}
