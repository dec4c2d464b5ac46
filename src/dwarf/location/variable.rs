//! Where variables are: location lists and expressions (DWARF 5 section 2.6), constants (section 4.1).

use super::die_references::{InUnit, expression_at};
use crate::expressions::evaluate::Failure;
use crate::expressions::{composite, run};
use crate::model::die::DieId;
use crate::model::frame::{FrameContext, NoTls};
use crate::model::variable::{Elsewhere, Location, NOT_STORED_YET, Variable};
use crate::sections::slice::Slice;
use crate::types::by_die::Types;
use crate::units::attributes::{Inherited, inherited, inherited_any, is_external, is_lasting_value};
use arch::{LinkAddr, RunAddr};
use ctype::layout::size_of;
use ctype::{Type, TypeRef};
use gimli::{AttributeValue, DebugInfoOffset, Operation};
use std::sync::Arc;

/// The widest constant that is not written as a block of bytes.
const MAX_INTEGER_CONSTANT: usize = 16;
/// Why what nobody defines is nowhere.
const NOWHERE: &str = "it is only declared here, and no symbol says where it is";

impl<'a> Types<'a> {
    /// Finds where a variable is in a frame of a function that it is visible in; any frame for a global.
    pub(crate) fn variable_location(&self, v: &Variable, frame: &mut dyn FrameContext) -> Location {
        match v.elsewhere {
            Some(elsewhere) => self.bound(v.die, elsewhere, frame),
            None if !v.through.is_empty() => self.located_around(v, frame),
            None => self.locate(v.die, &v.ty, frame),
        }
    }

    /// Finds where a variable is that the dynamic linker has put elsewhere.
    fn bound(&self, die: DieId, elsewhere: Elsewhere, frame: &mut dyn FrameContext) -> Location {
        let (word, next) = match elsewhere {
            Elsewhere::At(address) => return Location::Memory(address.at(frame.bias()).0),
            Elsewhere::Thread(offset) => {
                let address = frame.tls(offset.0);
                return address.map_or_else(|why| Location::Unavailable(why.to_string()), Location::Memory);
            }
            Elsewhere::Word(at) | Elsewhere::ThreadWord(at) => (read_word(at, frame), None),
            Elsewhere::ThreadWords(at) => (read_word(at, frame), read_word(LinkAddr(at.0.wrapping_add(8)), frame)),
        };
        let Some(word) = word else {
            return Location::Unavailable("where the dynamic linker has put it cannot be read".to_owned());
        };
        if word == 0 {
            let is_declared = inherited(self, die, gimli::DW_AT_declaration).is_some();
            let why = if is_declared { NOWHERE } else { "the dynamic linker has not put it anywhere yet" };
            return Location::Unavailable(why.to_owned());
        }
        let address = match (elsewhere, next) {
            (Elsewhere::ThreadWord(_), _) => {
                frame.thread_pointer().map(|thread| thread.wrapping_add(word)).ok_or(NoTls::Unknown)
            }
            (Elsewhere::ThreadWords(_), Some(offset)) => frame.tls_of(word, offset),
            (Elsewhere::ThreadWords(_), None) => Err(NoTls::Unknown),
            _ => Ok(word),
        };
        address.map_or_else(|why| Location::Unavailable(why.to_string()), Location::Memory)
    }

    /// Finds where the object is that an implicit pointer of the frame points to.
    pub(crate) fn object_location(&self, object: DieId, frame: &mut dyn FrameContext) -> Location {
        let ty = inherited(self, object, gimli::DW_AT_type).and_then(|ty| self.reference(ty.entry, ty.value));
        let ty = ty.map_or_else(|| Arc::new(Type::Void), |ty| self.type_at(ty));
        self.locate(object, &ty, frame)
    }

    pub(crate) fn locate(&self, die: DieId, ty: &TypeRef, frame: &mut dyn FrameContext) -> Location {
        let Some((kind, found)) = inherited_any(self, die, &[gimli::DW_AT_location, gimli::DW_AT_const_value]) else {
            return self.locate_by_symbol(die, frame);
        };
        if kind == gimli::DW_AT_const_value && !is_lasting_value(self, die) {
            return self.locate_by_symbol(die, frame);
        }
        if kind == gimli::DW_AT_const_value {
            return constant_bytes(&found, size_of(ty));
        }
        let expression = match expression_at(self, found.unit, found.value, frame.pc()) {
            Ok(Some(expression)) if !expression.0.is_empty() => expression,
            Ok(_) => return Location::OptimizedOut,
            Err(failure) => return self.failed(&failure),
        };
        if self.leads_nowhere(die, found.unit, expression) {
            return Location::Unavailable("removed by the linker".to_owned());
        }
        if let Some(offset) = self.offset_of_address(die, (found.entry, found.unit), expression) {
            let address = offset.map(|offset| frame.tls(offset).map_err(|why| why.to_string()));
            return address.and_then(|address| address).map_or_else(Location::Unavailable, Location::Memory);
        }
        let referents =
            InUnit { debug: self, unit: found.unit, entry: found.entry, pc: frame.pc(), is_frame_base: false };
        let target = |at: DebugInfoOffset| found.entry.file().die_at(at.0 as u64);
        let located = run::run(expression, found.unit.encoding(), &referents, frame, None, |pieces, frame| {
            composite::location(pieces, size_of(ty), &target, frame)
        });
        match located.unwrap_or_else(|failure| self.failed(&failure)) {
            Location::Memory(address) if is_external(self, die) => self.definition_used(die, address, frame),
            Location::Memory(_) if self.may_not_be_stored(die, &referents, &found.value, frame) => {
                Location::Unavailable(NOT_STORED_YET.to_owned())
            }
            other => other,
        }
    }

    /// Returns whether a parameter in its function's own frame, which its prologue stores there, may not be there yet.
    fn may_not_be_stored(
        &self,
        die: DieId,
        referents: &InUnit<'_, '_>,
        location: &AttributeValue<Slice<'_>>,
        frame: &mut dyn FrameContext,
    ) -> bool {
        let Some(expression) = location.exprloc_value() else { return false };
        // Of one that is passed by its address, that is in the slot.
        let Ok(Some(Operation::FrameOffset { offset })) = expression.operations(referents.unit.encoding()).next()
        else {
            return false;
        };
        let is_parameter = || self.die(die).is_some_and(|(.., die)| die.tag() == gimli::DW_TAG_formal_parameter);
        !frame.asks_for_places() && self.is_in_prologue(frame.pc()) && is_parameter() && {
            let slot = referents.base_of_frame(frame).ok().map(|base| base.wrapping_add_signed(offset));
            slot.zip(frame.cfa()).is_some_and(|(slot, cfa)| slot < cfa)
        }
    }

    /// Returns where a variable is that the file defines at an address and other files can name: the dynamic linker gives
    /// all of them one, and code reads through a word of the file's where that is.
    fn definition_used(&self, die: DieId, address: u64, frame: &mut dyn FrameContext) -> Location {
        let slot =
            self.symbols.slot_of_definition(RunAddr(address).linked(frame.bias()), self.linkage_name(die).as_deref());
        let used = slot.and_then(|slot| read_word(slot, frame)).filter(|used| *used != 0);
        Location::Memory(used.unwrap_or(address))
    }

    /// Finds a variable by its symbol: one that is declared here and defined where there is no debug info has nothing
    /// else, nor has another name of a variable (GCC's attribute `alias`).
    fn locate_by_symbol(&self, die: DieId, frame: &mut dyn FrameContext) -> Location {
        let is_declared = inherited(self, die, gimli::DW_AT_declaration).is_some();
        let is_static = !is_external(self, die);
        let has_symbol = is_declared || !is_static && !self.is_in_function(die);
        match has_symbol.then(|| self.symbol_of(die)).flatten() {
            Some(symbol) => Location::Memory(symbol.address.at(frame.bias()).0),
            // GCC declares what it has left nothing of.
            None if is_declared && !is_static => {
                let bound = self.linkage_name(die).and_then(|name| self.symbols.bound_variable(&name));
                bound.map_or_else(
                    || Location::Unavailable(NOWHERE.to_owned()),
                    |elsewhere| self.bound(die, elsewhere, frame),
                )
            }
            None => Location::OptimizedOut,
        }
    }

    fn failed(&self, failure: &Failure) -> Location {
        match failure {
            // The compiler kept the parameter nowhere, and the caller does not tell what it passed.
            Failure::EntryValue => Location::OptimizedOut,
            Failure::Register(number) => {
                let name =
                    self.symbols.arch().dwarf_register(*number).map_or_else(|| number.to_string(), str::to_owned);
                Location::Unavailable(format!("register {name} is not preserved in this frame"))
            }
            other => Location::Unavailable(other.to_string()),
        }
    }
}

/// Reads a word of a file that is loaded.
fn read_word(at: LinkAddr, frame: &mut dyn FrameContext) -> Option<u64> {
    let mut bytes = [0; 8];
    frame.read(at.at(frame.bias()).0, &mut bytes).then(|| u64::from_le_bytes(bytes))
}

/// Reads DW_AT_const_value: an object that has this value and no location.
fn constant_bytes(constant: &Inherited<'_, '_>, size: Option<u64>) -> Location {
    let integer = |value: i128| {
        let bytes = value.to_le_bytes();
        let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(8);
        match bytes.get(..size) {
            Some(bytes) if size <= MAX_INTEGER_CONSTANT => Location::Bytes(bytes.to_vec()),
            _ => Location::Unavailable(format!("a constant for an object of {size} bytes")),
        }
    };
    match constant.value {
        AttributeValue::Data1(v) => integer(i128::from(v)),
        AttributeValue::Data2(v) => integer(i128::from(v)),
        AttributeValue::Data4(v) => integer(i128::from(v)),
        AttributeValue::Data8(v) | AttributeValue::Udata(v) => integer(i128::from(v)),
        AttributeValue::Sdata(v) => integer(i128::from(v)),
        AttributeValue::Data16(v) => integer(v as i128),
        AttributeValue::Block(bytes) => Location::Bytes(bytes.to_vec()),
        other => match constant.unit.attr_string(other) {
            Ok(text) => Location::Bytes(text.iter().copied().chain([0]).collect()),
            Err(_) => Location::Unavailable("a constant of an unknown form".to_owned()),
        },
    }
}

#[cfg(test)]
mod tests;
