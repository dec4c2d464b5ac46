//! Bounds of arrays whose length only the program knows (DWARF 5 section 5.13: expressions and references to
//! variables).

use crate::arch::LinkAddr;
use crate::dwarf::expressions::evaluate;
use crate::dwarf::image::facade::Image;
use crate::dwarf::location::of_variable::{InUnit, inherited, origin};
use crate::dwarf::model::die::DieId;
use crate::dwarf::model::frame::FrameContext;
use crate::dwarf::model::variable::Location;
use crate::dwarf::scopes::variables::for_each_child;
use crate::dwarf::types::{Bound, size_of};
use crate::dwarf::units::collection::Debug;
use gimli::DebugInfoOffset;

impl Image {
    /// The value of an array bound; `owner` is a DIE of the unit that an expression is in.
    pub(in crate::dwarf) fn bound_value<'a>(
        &self,
        debug: &Debug<'a>,
        owner: DieId,
        bound: Bound<'a>,
        frame: &mut dyn FrameContext,
    ) -> Option<i128> {
        let value = match bound {
            Bound::Variable(die) => self.value_of_variable(debug, die, frame)?,
            Bound::Expression(expression) => {
                let (entry, unit, _) = debug.die(owner)?;
                let mut value = |at: DebugInfoOffset, frame: &mut dyn FrameContext| {
                    let variable = entry.file().die_at(at.0 as u64)?;
                    let instance = instance(debug, variable, frame.pc())?;
                    self.value_of_variable(debug, instance, frame).map(i64::cast_unsigned)
                };
                let referents = InUnit { debug, unit, entry, pc: frame.pc() };
                let expression = evaluate::with_values(expression, unit.encoding(), frame, &mut value).ok()?;
                expression.run_for_number(unit.encoding(), &referents, frame).ok()?.cast_signed()
            }
        };
        Some(i128::from(value))
    }

    /// The value of a variable that the compiler keeps a bound in.
    fn value_of_variable(&self, debug: &Debug<'_>, die: DieId, frame: &mut dyn FrameContext) -> Option<i64> {
        let ty = inherited(debug, die, gimli::DW_AT_type)?;
        let ty = self.type_at(debug.reference(ty.entry, ty.value)?);
        let size = usize::try_from(size_of(&ty)?).ok().filter(|size| *size <= 8)?;
        let mut word = [0u8; 8];
        let bytes = word.get_mut(..size)?;
        match self.locate(debug, die, &ty, frame) {
            Location::Memory(address) => frame.read(address, bytes).then_some(())?,
            Location::Register(number) => bytes.copy_from_slice(frame.register_bytes(number)?.get(..size)?),
            Location::Bytes(value) => bytes.copy_from_slice(value.get(..size)?),
            Location::Pieces(_) | Location::Synthetic { .. } | Location::OptimizedOut | Location::Unavailable(_) => {
                return None;
            }
        }
        // GCC says that the artificial variable is unsigned, and keeps -1 in it for an array without elements.
        let unused_bits = 64 - 8 * size as u32;
        i64::from_le_bytes(word).checked_shl(unused_bits)?.checked_shr(unused_bits)
    }
}

/// The instance of an abstract variable in the function at an address. `None` if there are several: which of them is
/// meant, the type that names the abstract one does not tell.
fn instance(debug: &Debug<'_>, variable: DieId, pc: LinkAddr) -> Option<DieId> {
    let tree = debug.block_tree_at(pc)?;
    let mut found = Vec::new();
    for block in tree.around(pc) {
        for_each_child(debug, block.die, |entry, id, die| {
            let is_variable = matches!(die.tag(), gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter);
            if is_variable && (id == variable || origin(debug, entry, die) == Some(variable)) {
                found.push(id);
            }
        });
    }
    match found[..] {
        [one] => Some(one),
        _ => None,
    }
}
