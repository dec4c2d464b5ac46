//! Parameters that have one location for all of their function, which is not true of all of its code.
//!
//! Compilers write what they keep of a parameter, and leave out what happens before: GCC does not say that it has still to
//! store a structure that came in registers, or that it has overwritten the second of two; LLVM gives the slot of an
//! address as that of the object, where a caller passes the address on the stack.

use super::facade::Image;
use super::file_code::FileCode;
use crate::location::entry_places::{EntryPlace, LastingPlace};
use crate::model::die::DieId;
use crate::model::frame::FrameContext;
use crate::model::variable::{Location, NOT_STORED_YET, Variable};
use arch::{LinkAddr, Reached, RunAddr, certainly_untouched, is_stored_later};
use ctype::layout::{size_of, strip};
use ctype::{Passing, Type};

/// Registers that integers and addresses are passed in.
const ARGUMENT_REGISTERS: usize = 6;
/// The largest value that Rust's own calling convention passes in registers, in bytes.
const MOST_IN_REGISTERS: u64 = 16;

impl Image {
    /// Returns where a parameter is, given what debug info says for all of its function.
    pub(super) fn lasting_parameter(&self, v: &Variable, location: Location, frame: &mut dyn FrameContext) -> Location {
        let pc = frame.pc();
        let is_of_interest = v.is_argument && !matches!(location, Location::OptimizedOut | Location::Unavailable(_));
        let place = is_of_interest.then(|| self.ask(|debug| debug.lasting_place(v.die, pc))).flatten();
        let Some(LastingPlace { function, code, place }) = place else { return location };
        match (location, place) {
            (Location::Memory(address), EntryPlace::Frame | EntryPlace::Stack(_)) => {
                let Some(cfa) = frame.cfa() else { return Location::Memory(address) };
                let offset = address.wrapping_sub(cfa) as i64;
                if offset >= 0 {
                    return match self.is_passed_by_address(v, function, &code, pc) {
                        true => pointed_to(address, frame),
                        false => Location::Memory(address),
                    };
                }
                let is_missing = !frame.asks_for_places()
                    && code.first().zip(size_of(&v.ty)).is_some_and(|((entry, _), size)| {
                        let is_own = |at: RunAddr| code.iter().any(|(from, to)| (from.0..to.0).contains(&at.0));
                        let way = (RunAddr(entry.0), RunAddr(pc.0));
                        is_stored_later(self.arch(), way, (offset, size), &is_own, &mut FileCode(self))
                    });
                match is_missing {
                    true => Location::Unavailable(NOT_STORED_YET.to_owned()),
                    false => Location::Memory(address),
                }
            }
            (location, EntryPlace::Registers(registers)) if registers.len() > 1 => {
                let reached = Reached::At(RunAddr(pc.0));
                let is_entry = code.first().is_some_and(|(entry, _)| *entry == pc);
                let kept = code.first().and_then(|(entry, _)| {
                    certainly_untouched(self.arch(), RunAddr(entry.0), reached, &mut FileCode(self))
                });
                // LLVM gives one location for all of a function only where that is so.
                let is_sure = kept.is_some()
                    || is_entry
                    || !self.ask(|debug| debug.unit_at(pc).is_some_and(|unit| unit.is_gcc(debug)));
                match is_sure && kept.is_none_or(|kept| registers.iter().all(|number| kept.contains(*number))) {
                    true => location,
                    false => Location::Unavailable(
                        "the function may have overwritten the registers that it came in".to_owned(),
                    ),
                }
            }
            (location, _) => location,
        }
    }

    /// Returns whether callers pass the address of an object of this parameter's type, on the stack.
    fn is_passed_by_address(&self, v: &Variable, function: DieId, code: &[(LinkAddr, LinkAddr)], pc: LinkAddr) -> bool {
        if matches!(&*strip(&v.ty), Type::Record(record) if record.passing == Some(Passing::Address)) {
            return true;
        }
        if size_of(&v.ty).is_none_or(|size| size <= MOST_IN_REGISTERS) || !self.is_of_rust(pc) {
            return false;
        }
        // C's convention has the object itself there, whatever comes before; Rust's has its address, if that has not found
        // a register. The result of a call may take one, too.
        let Some((entry, _)) = code.first() else { return false };
        let all = self.ask(|debug| debug.entry_parameters(function, *entry));
        let before = all.iter().take_while(|one| one.name.as_deref() != Some(&*v.name));
        let registers = before.map(|one| match &one.place {
            EntryPlace::Registers(registers) => registers.len(),
            _ => 1,
        });
        registers.sum::<usize>() + 1 >= ARGUMENT_REGISTERS
    }

    /// Returns whether code is of a function with a name of Rust's: one that is exported to other languages has a plain one.
    fn is_of_rust(&self, pc: LinkAddr) -> bool {
        let name = || self.symbol_at(pc).map(|symbol| symbol.name);
        self.language_at(pc) == Some("rust")
            && name().is_some_and(|name| ["_ZN", "_R"].iter().any(|p| name.starts_with(p)))
    }
}

/// Returns the place that an address in memory leads to.
fn pointed_to(address: u64, frame: &mut dyn FrameContext) -> Location {
    let mut bytes = [0; 8];
    match frame.read(address, &mut bytes) {
        true => Location::Memory(u64::from_le_bytes(bytes)),
        false => Location::Unavailable("the memory with its address cannot be read".to_owned()),
    }
}
