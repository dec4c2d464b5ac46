//! Arrays, and the bounds that only a frame knows (DWARF 5 sections 5.5 and 5.13).

use super::reader::{Located, MAX_DEPTH, TypeReader};
use crate::model::die::DieId;
use crate::sections::slice::{Die, Slice};
use crate::units::attributes::is_flag_set;
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::language::{first_index, is_bounded, unit_language};
use ctype::{Count, Descriptor, Encoding, Indexing, Link, Qualifier, Stride, Type};
use gimli::AttributeValue;
use std::sync::Arc;

/// Where the bound of a variable-length array comes from.
pub(crate) enum Bound<'a> {
    /// An expression that computes it.
    Expression(gimli::Expression<Slice<'a>>),
    /// A variable, usually artificial, that holds it.
    Variable(DieId),
}

/// What only the descriptor of an array tells.
const DESCRIBED: [gimli::DwAt; 4] =
    [gimli::DW_AT_data_location, gimli::DW_AT_allocated, gimli::DW_AT_associated, gimli::DW_AT_rank];

/// What a dimension says whose elements do not follow each other.
pub(crate) const STRIDES: [gimli::DwAt; 2] = [gimli::DW_AT_byte_stride, gimli::DW_AT_bit_stride];

/// What a bound attribute says.
pub(crate) enum Limit<'a> {
    Constant(i128),
    Dynamic(Bound<'a>),
}

impl<'d, 'a> TypeReader<'d, 'a> {
    /// Makes one array type for each dimension, the one innermost whose elements follow each other in memory: the last
    /// one, or in Fortran the first one.
    pub(crate) fn array(&self, at: Located<'d, 'a, '_>) -> Type {
        let mut dimensions = Vec::new();
        let mut is_spread = false;
        self.for_each_child(at, |child| {
            if dimensions.len() < MAX_DEPTH {
                match child.die.tag() {
                    gimli::DW_TAG_subrange_type => {
                        dimensions.push((self.count(child), self.lower(child)));
                        is_spread |= STRIDES.iter().any(|stride| child.die.has_attr(*stride));
                    }
                    gimli::DW_TAG_enumeration_type => dimensions.push((self.enumerators(child), 0)),
                    gimli::DW_TAG_generic_subrange => dimensions.push((Count::Unknown, 0)),
                    _ => {}
                }
            }
        });
        let rank = dimensions.len();
        if is_spread || DESCRIBED.iter().any(|attribute| at.die.has_attr(*attribute)) {
            let descriptor = Descriptor::new(self.loader.clone(), at.id.0);
            return Type::Described { element: self.link(at), rank, descriptor };
        }
        if rank == 0 {
            dimensions.push((Count::Unknown, 0));
        }
        if self.is_column_major(at) {
            dimensions.reverse();
        }
        let Some(stride) = self.stride(at, rank) else {
            return Type::Opaque(format!("an array of {rank} dimensions of packed elements"));
        };
        let bounded = is_bounded(self.debug, at.entry);
        let Some(((count, lower), outer)) = dimensions.split_last() else { return Type::Void };
        let element = if matches!(stride, Stride::Bits(_)) { self.part_link(at) } else { self.link(at) };
        let innermost = Type::Array { element, count: *count, indexing: Indexing { lower: *lower, stride, bounded } };
        let array = outer.iter().rev().fold(innermost, |array, (count, lower)| {
            let indexing = Indexing { lower: *lower, bounded, ..Indexing::default() };
            Type::Array { element: Link::ready(Arc::new(array)), count: *count, indexing }
        });
        let array = match is_flag_set(at.die, gimli::DW_AT_GNU_vector) {
            true => Type::Qualified { qualifier: Qualifier::Vector, target: Link::ready(Arc::new(array)) },
            false => array,
        };
        match self.padded_size(at, stride, &dimensions) {
            Some(size) => padded(array, size),
            None => array,
        }
    }

    /// Returns how large an array is, if that is more than its elements take.
    fn padded_size(&self, at: Located<'d, 'a, '_>, stride: Stride, dimensions: &[(Count, i64)]) -> Option<u64> {
        let stated = self.byte_size(at).filter(|_| stride == Stride::Element)?;
        let element = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|ty| self.size_of_die(ty))?;
        let elements = dimensions.iter().try_fold(element, |elements, (count, _)| match count {
            Count::Known(count) => elements.checked_mul(*count),
            Count::Unknown | Count::Dynamic(_) => None,
        })?;
        (stated > elements).then_some(stated)
    }

    /// Reads a DW_TAG_string_type: as many characters as it says, or as the variable says that it names.
    pub(crate) fn string(&self, at: Located<'d, 'a, '_>) -> Type {
        let length = match at.die.attr_value(gimli::DW_AT_string_length) {
            // An expression tells where the length is, and not what it is.
            Some(AttributeValue::Exprloc(_)) => Count::Unknown,
            Some(_) => Count::Dynamic(at.id.0),
            None => self.byte_size(at).map_or(Count::Unknown, Count::Known),
        };
        let character = Type::Base { name: "character".to_owned(), encoding: Encoding::UnsignedChar, size: 1 };
        let (lower, bounded) = (first_index(self.debug, at.entry), is_bounded(self.debug, at.entry));
        let indexing = Indexing { lower, bounded, ..Indexing::default() };
        Type::Array { element: Link::ready(Arc::new(character)), count: length, indexing }
    }

    /// Returns whether the first of several indices is the one that runs fastest.
    pub(crate) fn is_column_major(&self, at: Located<'d, 'a, '_>) -> bool {
        match at.die.attr_value(gimli::DW_AT_ordering) {
            Some(AttributeValue::Ordering(ordering)) => ordering == gimli::DW_ORD_col_major,
            _ => unit_language(self.debug, at.entry) == Some("fortran"),
        }
    }

    /// Reads DW_AT_byte_stride and DW_AT_bit_stride of an array; `None` for elements that are parts of bytes in an
    /// array of several dimensions, and for what only a process knows.
    pub(crate) fn stride(&self, at: Located<'d, 'a, '_>, rank: usize) -> Option<Stride> {
        let attribute = |name| at.die.attr_value(name);
        let bits = match (attribute(gimli::DW_AT_byte_stride), attribute(gimli::DW_AT_bit_stride)) {
            (Some(bytes), _) => bytes.udata_value()?.checked_mul(8)?,
            (None, Some(bits)) => bits.udata_value()?,
            (None, None) => return Some(Stride::Element),
        };
        let size = self.debug.referenced(at.entry, at.die, gimli::DW_AT_type).and_then(|ty| self.size_of_die(ty));
        match (bits % 8, rank) {
            (0, _) if size == Some(bits / 8) => Some(Stride::Element),
            (0, 0..=1) => i64::try_from(bits / 8).ok().map(Stride::Bytes),
            (_, 0..=1) => u8::try_from(bits).ok().filter(|bits| *bits <= 128).map(Stride::Bits),
            _ => None,
        }
    }

    /// Reads the index that a dimension starts with; of one that only a frame knows, the language's.
    fn lower(&self, at: Located<'d, 'a, '_>) -> i64 {
        let first = first_index(self.debug, at.entry);
        match limit(self.debug, at.entry, at.die, gimli::DW_AT_lower_bound) {
            Some(Limit::Constant(lower)) => i64::try_from(lower).unwrap_or(first),
            _ => first,
        }
    }

    fn enumerators(&self, at: Located<'d, 'a, '_>) -> Count {
        let mut count = 0;
        self.for_each_child(at, |child| count += u64::from(child.die.tag() == gimli::DW_TAG_enumerator));
        if count == 0 { Count::Unknown } else { Count::Known(count) }
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
            (None, Some(Limit::Constant(upper)), None) => {
                elements(i128::from(first_index(self.debug, at.entry)), upper)
            }
        };
        known.map_or(Count::Unknown, Count::Known)
    }
}

/// Makes a type of objects that take more bytes than what they consist of.
pub(super) fn padded(ty: Type, size: u64) -> Type {
    Type::Qualified { qualifier: Qualifier::Padded(size), target: Link::ready(Arc::new(ty)) }
}

/// Returns the number of elements between two bounds. An upper bound below the lower one makes an array without
/// elements: -1 is how GCC writes `[0]`.
pub(crate) fn elements(lower: i128, upper: i128) -> Option<u64> {
    u64::try_from((upper - lower + 1).max(0)).ok()
}

/// Reads a bound; `None` if the attribute is absent or of no use.
pub(crate) fn limit<'a>(
    debug: &Units<'a>,
    entry: &UnitEntry<'a>,
    die: &Die<'a>,
    attribute: gimli::DwAt,
) -> Option<Limit<'a>> {
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
