//! Bounds of arrays whose length only the program knows (DWARF 5 section 5.13: expressions and references to
//! variables).

use super::die_references::InUnit;
use crate::expressions::run;
use crate::model::die::DieId;
use crate::model::frame::FrameContext;
use crate::model::variable::Location;
use crate::sections::slice::Slice;
use crate::types::array::{Bound, Limit, elements, limit};
use crate::types::by_die::Types;
use crate::units::attributes::{for_each_child, inherited, origin};
use crate::units::language::first_index;
use arch::LinkAddr;
use ctype::layout::size_of;
use ctype::{Count, Indexing, Link, Type, TypeRef};
use gimli::{DebugInfoOffset, Expression};
use std::sync::Arc;

/// How many pointers, typedefs, qualifiers and dimensions a type is searched for variable-length arrays.
pub(super) const MAX_SEARCH: usize = 16;

/// How far a type is looked into.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// How many pointers, typedefs, qualifiers and dimensions.
    pub(super) depth: usize,
    /// Into records, too; not into those inside of them.
    pub(super) records: bool,
}

impl<'a> Types<'a> {
    /// Replaces `Count::Dynamic` bounds (VLAs) by what they are in this frame; by `Count::Unknown` where the frame
    /// cannot tell.
    pub(crate) fn concrete_type(&self, ty: &TypeRef, frame: &mut dyn FrameContext) -> TypeRef {
        self.concrete(ty, frame, Search { depth: MAX_SEARCH, records: true }).unwrap_or_else(|| ty.clone())
    }

    /// Replaces bounds by numbers; `None` if there are none to replace. Of records, only those with members of variable
    /// length are looked into, and parameters of functions are not.
    pub(super) fn concrete(&self, ty: &TypeRef, frame: &mut dyn FrameContext, search: Search) -> Option<TypeRef> {
        let depth = Search { depth: search.depth.checked_sub(1)?, ..search };
        let concrete = match &**ty {
            Type::Record(record) if search.records => self.concrete_record(record, frame)?,
            Type::Array { element, count, indexing } => {
                let inner = self.concrete(&element.get(), frame, depth);
                if inner.is_none() && !matches!(count, Count::Dynamic(_)) {
                    return None;
                }
                let (count, lower) = match count {
                    Count::Dynamic(bound) => {
                        let (count, lower) = self.dynamic_bounds(DieId(*bound), frame).unzip();
                        (count.map_or(Count::Unknown, Count::Known), lower.unwrap_or(indexing.lower))
                    }
                    fixed => (*fixed, indexing.lower),
                };
                let element = inner.map_or_else(|| element.clone(), Link::ready);
                Type::Array { element, count, indexing: Indexing { lower, ..*indexing } }
            }
            Type::Typedef { name, target, alignment } => {
                let target = Link::ready(self.concrete(&target.get(), frame, depth)?);
                Type::Typedef { name: name.clone(), target, alignment: *alignment }
            }
            Type::Qualified { qualifier, target } => {
                let target = Link::ready(self.concrete(&target.get(), frame, depth)?);
                Type::Qualified { qualifier: *qualifier, target }
            }
            Type::Pointer { kind, target, size } => {
                let target = Link::ready(self.concrete(&target.get(), frame, depth)?);
                Type::Pointer { kind: *kind, target, size: *size }
            }
            _ => return None,
        };
        Some(Arc::new(concrete))
    }

    /// Evaluates the number of elements of a dimension, of which `subrange` is the DW_TAG_subrange_type, and the index
    /// of the first one; of a DW_TAG_string_type the number of characters.
    fn dynamic_bounds(&self, subrange: DieId, frame: &mut dyn FrameContext) -> Option<(u64, i64)> {
        let (entry, _, die) = self.die(subrange)?;
        let mut value = |attribute| match limit(self, entry, &die, attribute)? {
            Limit::Constant(value) => Some(value),
            Limit::Dynamic(bound) => self.bound_value(subrange, bound, frame),
        };
        let first = i128::from(first_index(self, entry));
        if die.has_attr(gimli::DW_AT_string_length) {
            let length = u64::try_from(value(gimli::DW_AT_string_length)?.max(0)).ok()?;
            return Some((length, i64::try_from(first).ok()?));
        }
        let lower = if die.has_attr(gimli::DW_AT_lower_bound) { value(gimli::DW_AT_lower_bound)? } else { first };
        let count = match die.has_attr(gimli::DW_AT_count) {
            true => u64::try_from(value(gimli::DW_AT_count)?).ok()?,
            false => elements(lower, value(gimli::DW_AT_upper_bound)?)?,
        };
        Some((count, i64::try_from(lower).ok()?))
    }

    /// Evaluates the value of an array bound; `owner` is a DIE of the unit that an expression is in.
    pub(crate) fn bound_value(&self, owner: DieId, bound: Bound<'a>, frame: &mut dyn FrameContext) -> Option<i128> {
        let value = match bound {
            Bound::Variable(die) => self.value_of_variable(die, frame)?,
            Bound::Expression(expression) => self.computed(owner, expression, frame, None)?.cast_signed(),
        };
        Some(i128::from(value))
    }

    /// Evaluates an expression for a number; `owner` is a DIE of the unit that it is in.
    pub(super) fn computed(
        &self,
        owner: DieId,
        expression: Expression<Slice<'a>>,
        frame: &mut dyn FrameContext,
        initial: Option<u64>,
    ) -> Option<u64> {
        let (entry, unit, _) = self.die(owner)?;
        let mut value = |at: DebugInfoOffset, frame: &mut dyn FrameContext| {
            let variable = entry.file().die_at(at.0 as u64)?;
            let instance = instance(self, variable, frame.pc())?;
            self.value_of_variable(instance, frame).map(i64::cast_unsigned)
        };
        let referents = InUnit { debug: self, unit, entry, pc: frame.pc(), is_frame_base: false };
        let expression = run::with_values(expression, unit.encoding(), frame, &mut value).ok()?;
        expression.run_for_number(unit.encoding(), &referents, frame, initial).ok()
    }

    /// Reads the value of a variable that the compiler keeps a bound in.
    fn value_of_variable(&self, die: DieId, frame: &mut dyn FrameContext) -> Option<i64> {
        let ty = inherited(self, die, gimli::DW_AT_type)?;
        let ty = self.type_at(self.reference(ty.entry, ty.value)?);
        let size = usize::try_from(size_of(&ty)?).ok().filter(|size| *size <= 8)?;
        let mut word = [0u8; 8];
        let bytes = word.get_mut(..size)?;
        match self.locate(die, &ty, frame) {
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

/// Finds the instance of an abstract variable in the function at an address. `None` if there are several: which of them
/// is meant, the type that names the abstract one does not tell.
fn instance(debug: &Types<'_>, variable: DieId, pc: LinkAddr) -> Option<DieId> {
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
