//! Arrays, and the bounds that only a frame knows (DWARF 5 sections 5.5 and 5.13).

use super::MAX_DEPTH;
use super::reader::{Located, TypeReader, is_flag_set};
use crate::ctype::{Count, Link, Qualifier, Type, TypeRef};
use crate::dwarf::image::Image;
use crate::dwarf::units::{Debug, Die, Slice, UnitEntry};
use crate::dwarf::{DieId, FrameContext};
use gimli::AttributeValue;
use std::sync::Arc;

/// How many pointers, typedefs, qualifiers and dimensions a type is searched for variable-length arrays.
const MAX_SEARCH: usize = 16;

/// Where the bound of a variable-length array comes from.
pub(in crate::dwarf) enum Bound<'a> {
    /// An expression that computes it.
    Expression(gimli::Expression<Slice<'a>>),
    /// A variable, usually artificial, that holds it.
    Variable(DieId),
}

/// What a bound attribute says.
enum Limit<'a> {
    Constant(i128),
    Dynamic(Bound<'a>),
}

impl Image {
    /// Replaces `Count::Dynamic` bounds (VLAs) by what they are in this frame; by `Count::Unknown` where the frame
    /// cannot tell.
    pub fn concrete_type(&self, ty: &TypeRef, frame: &mut dyn FrameContext) -> TypeRef {
        self.concrete(ty, frame, MAX_SEARCH).unwrap_or_else(|| ty.clone())
    }

    /// `None`: nothing to replace. Members of records and parameters of functions are not looked into.
    fn concrete(&self, ty: &TypeRef, frame: &mut dyn FrameContext, depth: usize) -> Option<TypeRef> {
        let depth = depth.checked_sub(1)?;
        let concrete = match &**ty {
            Type::Array { element, count } => {
                let inner = self.concrete(&element.get(), frame, depth);
                if inner.is_none() && !matches!(count, Count::Dynamic(_)) {
                    return None;
                }
                let count = match count {
                    Count::Dynamic(bound) => {
                        self.dynamic_count(DieId(*bound), frame).map_or(Count::Unknown, Count::Known)
                    }
                    fixed => *fixed,
                };
                Type::Array { element: inner.map_or_else(|| element.clone(), Link::ready), count }
            }
            Type::Typedef { name, target } => {
                let target = Link::ready(self.concrete(&target.get(), frame, depth)?);
                Type::Typedef { name: name.clone(), target }
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

    /// The number of elements of a dimension, of which `subrange` is the DW_TAG_subrange_type.
    fn dynamic_count(&self, subrange: DieId, frame: &mut dyn FrameContext) -> Option<u64> {
        self.with_debug(|debug| {
            let (entry, _, die) = debug.die(subrange)?;
            let mut value = |attribute| match limit(debug, entry, &die, attribute)? {
                Limit::Constant(value) => Some(value),
                Limit::Dynamic(bound) => self.bound_value(debug, subrange, bound, frame),
            };
            if die.has_attr(gimli::DW_AT_count) {
                return u64::try_from(value(gimli::DW_AT_count)?).ok();
            }
            let upper = value(gimli::DW_AT_upper_bound)?;
            let lower = if die.has_attr(gimli::DW_AT_lower_bound) { value(gimli::DW_AT_lower_bound)? } else { 0 };
            elements(lower, upper)
        })
    }
}

impl<'d, 'a> TypeReader<'d, 'a> {
    /// One array type for each dimension, the last one innermost.
    pub(super) fn array(&self, at: Located<'d, 'a, '_>) -> Type {
        let mut dimensions = Vec::new();
        self.for_each_child(at, |child| {
            if dimensions.len() < MAX_DEPTH {
                match child.die.tag() {
                    gimli::DW_TAG_subrange_type => dimensions.push(self.count(child)),
                    gimli::DW_TAG_enumeration_type => dimensions.push(Count::Unknown),
                    _ => {}
                }
            }
        });
        let outermost = if dimensions.is_empty() { Count::Unknown } else { dimensions.remove(0) };
        let element = dimensions
            .into_iter()
            .rev()
            .fold(self.link(at), |element, count| Link::ready(Arc::new(Type::Array { element, count })));
        let array = Type::Array { element, count: outermost };
        match is_flag_set(at.die, gimli::DW_AT_GNU_vector) {
            true => Type::Qualified { qualifier: Qualifier::Vector, target: Link::ready(Arc::new(array)) },
            false => array,
        }
    }

    fn count(&self, at: Located<'d, 'a, '_>) -> Count {
        let get = |attribute| limit(self.debug, at.entry, at.die, attribute);
        let known = match (get(gimli::DW_AT_count), get(gimli::DW_AT_upper_bound), get(gimli::DW_AT_lower_bound)) {
            (None, None, _) => return Count::Unknown,
            (Some(Limit::Dynamic(_)), _, _) | (None, Some(Limit::Dynamic(_)), _) => {
                return Count::Dynamic(at.id.0);
            }
            (Some(Limit::Constant(count)), _, _) => u64::try_from(count).ok(),
            (None, Some(Limit::Constant(_)), Some(Limit::Dynamic(_))) => return Count::Dynamic(at.id.0),
            (None, Some(Limit::Constant(upper)), Some(Limit::Constant(lower))) => elements(lower, upper),
            (None, Some(Limit::Constant(upper)), None) => elements(0, upper),
        };
        known.map_or(Count::Unknown, Count::Known)
    }
}

/// An upper bound below the lower one makes an array without elements: -1 is how GCC writes `[0]`.
fn elements(lower: i128, upper: i128) -> Option<u64> {
    u64::try_from((upper - lower + 1).max(0)).ok()
}

/// `None` if the attribute is absent or of no use.
fn limit<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>, die: &Die<'a>, attribute: gimli::DwAt) -> Option<Limit<'a>> {
    match die.attr_value(attribute)? {
        AttributeValue::Exprloc(expression) => Some(Limit::Dynamic(Bound::Expression(expression))),
        AttributeValue::Sdata(value) => Some(Limit::Constant(i128::from(value))),
        // -1 in the size of an address.
        AttributeValue::Data8(u64::MAX) | AttributeValue::Udata(u64::MAX) => Some(Limit::Constant(-1)),
        value => match value.udata_value() {
            Some(value) => Some(Limit::Constant(i128::from(value))),
            None => debug.reference(entry, value).map(|die| Limit::Dynamic(Bound::Variable(die))),
        },
    }
}
