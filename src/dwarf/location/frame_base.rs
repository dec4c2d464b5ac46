//! Where the variables of a frame are counted from (DW_AT_frame_base), at each instruction of its function.
//!
//! LLVM names a register, which is the frame base once the prologue has set it up, and until the epilogue gives it back.
//! Call frame information says at each instruction where the canonical frame address is, and behind the prologue, how
//! far the register is from that: so the frame base is the same at all instructions.

use super::die_references::{InUnit, expression_at};
use crate::expressions::evaluate::Failure;
use crate::expressions::run;
use crate::model::frame::FrameContext;
use crate::sections::slice::{Slice, UnitRef};
use crate::units::attributes::inherited;
use crate::units::collection::Units;
use arch::LinkAddr;
use gimli::{Expression, Operation};

impl<'a> InUnit<'_, 'a> {
    /// Returns the frame base of the function that the frame's pc is in.
    pub(super) fn base_of_frame(&self, frame: &mut dyn FrameContext) -> Result<u64, Failure> {
        let (entry, offset) = self.debug.function_die_at(self.pc).ok_or(Failure::FrameBase)?;
        let function = entry.id_of(offset).ok_or(Failure::FrameBase)?;
        let found = inherited(self.debug, function, gimli::DW_AT_frame_base).ok_or(Failure::FrameBase)?;
        let expression = expression_at(self.debug, found.unit, found.value, self.pc)?.ok_or(Failure::FrameBase)?;
        if let Some(below) = only_register(found.unit, expression).and_then(|register| self.settled(register))
            && let Some(cfa) = frame.cfa()
        {
            return Ok(cfa.wrapping_add_signed(below.wrapping_neg()));
        }
        let referents = InUnit { entry: found.entry, unit: found.unit, is_frame_base: true, ..*self };
        run::run_for_number(expression, found.unit.encoding(), &referents, frame, None)
    }

    /// Returns how far a register is below the canonical frame address once the prologue has set it up; `None` if debug
    /// info does not say where that is, or if the address is counted from something else there.
    fn settled(&self, register: u16) -> Option<i64> {
        let (of, below) = self.debug.prologue_at(self.pc)?.cfa?;
        (of == register).then_some(below)
    }
}

impl Units<'_> {
    /// Returns whether the prologue of the function at an address may not have stored its parameters yet, which are in its
    /// own frame.
    pub(super) fn is_in_prologue(&self, a: LinkAddr) -> bool {
        self.prologue_at(a).is_some_and(|prologue| (prologue.entry..prologue.end).contains(&a))
    }
}

/// Returns the register that a frame base is, if it is nothing else.
fn only_register(unit: UnitRef<'_, '_>, expression: Expression<Slice<'_>>) -> Option<u16> {
    let mut operations = expression.operations(unit.encoding());
    match (operations.next(), operations.next()) {
        (Ok(Some(Operation::Register { register })), Ok(None)) => Some(register.0),
        _ => None,
    }
}
