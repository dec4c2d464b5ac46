//! How arrays are counted and laid out, and arrays that only their object describes.

use super::layout::{size_of, storage, strip};
use super::{Bits, Count, Memory, Place, Type, TypeLoader, TypeRef, Unavailable, Value};
use std::fmt;
use std::sync::{Arc, Weak};

/// Dimensions of an array that are looked at.
const MAX_DIMENSIONS: usize = 64;

/// How the elements of an array are numbered, and where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Indexing {
    /// The index of the first element.
    pub lower: i64,
    /// How far an element is from the next one.
    pub stride: Stride,
    /// Whether there is nothing beyond the bounds by the rules of the language: C does not care.
    pub bounded: bool,
}

impl Indexing {
    /// Returns the index of the element so many elements behind the first one.
    pub fn index_of(self, place: u64) -> i128 {
        i128::from(self.lower) + i128::from(place)
    }
}

/// How far an element of an array is from the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stride {
    /// As far as it is large.
    #[default]
    Element,
    /// So many bytes: less than nothing in an array that runs backwards.
    Bytes(i64),
    /// So many bits, which are also all that an element has (DW_AT_bit_stride).
    Bits(u8),
}

impl Stride {
    /// Returns the size in bytes of an array of `count` elements of `size` bytes; `None` if it does not lie behind its
    /// first element.
    pub(super) fn extent(self, count: u64, size: Option<u64>) -> Option<u64> {
        let Some(last) = count.checked_sub(1) else { return Some(0) };
        match self {
            Self::Element => count.checked_mul(size?),
            Self::Bytes(bytes) => {
                let step = u64::try_from(bytes).ok().filter(|step| *step > 0)?;
                last.checked_mul(step)?.checked_add(size?)
            }
            Self::Bits(bits) => Some(count.checked_mul(u64::from(bits))?.div_ceil(8)),
        }
    }

    /// Returns where element `index`, counted from 0, starts in bytes, and which bits it is.
    pub(super) fn offset(self, index: i128, size: u64) -> (u64, Option<Bits>) {
        match self {
            Self::Element => ((size as i128).wrapping_mul(index) as u64, None),
            Self::Bytes(bytes) => (i128::from(bytes).wrapping_mul(index) as u64, None),
            Self::Bits(bits) => {
                let first = i128::from(bits).wrapping_mul(index);
                let bits = Bits::new(first.rem_euclid(8) as u8, bits);
                (first.div_euclid(8) as u64, Some(bits))
            }
        }
    }
}

/// Returns how an array is counted and laid out; as one of C for what is no array.
pub fn indexing(ty: &TypeRef) -> Indexing {
    match &*strip(ty) {
        Type::Array { indexing, .. } => *indexing,
        _ => Indexing::default(),
    }
}

/// Returns the size of a type in bytes, of an array without what is between its elements: a section of an array of
/// Fortran is as large as its elements are, wherever these lie.
pub fn size_without_gaps(ty: &TypeRef) -> Option<u64> {
    let (mut count, mut ty) = (1u64, ty.clone());
    for _ in 0..MAX_DIMENSIONS {
        let element = match &*storage(&ty) {
            Type::Array { element, count: Count::Known(own), indexing }
                if !matches!(indexing.stride, Stride::Bits(_)) =>
            {
                count = count.checked_mul(*own)?;
                element.get()
            }
            _ => return count.checked_mul(size_of(&ty)?),
        };
        ty = element;
    }
    None
}

/// Where the descriptor of an array is read when its address is known.
#[derive(Clone)]
pub struct Descriptor {
    loader: Weak<dyn TypeLoader>,
    key: u64,
}

impl Descriptor {
    /// Creates a descriptor that stands for what `loader` makes of a key.
    pub fn new(loader: Weak<dyn TypeLoader>, key: u64) -> Self {
        Self { loader, key }
    }
}

impl fmt::Debug for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Descriptor({:#x})", self.key)
    }
}

impl Value {
    /// Reads the array that a descriptor describes; `None` if the value is no descriptor.
    pub fn described(&self, memory: &mut dyn Memory) -> Option<Self> {
        let ty = strip(&self.ty);
        let Type::Described { descriptor, .. } = &*ty else { return None };
        let lost = |reason| Some(Self::new(self.ty.clone(), Place::Unavailable(reason)));
        match (&self.place, descriptor.loader.upgrade()) {
            (Place::Unavailable(_), _) => None,
            (Place::Memory(address), Some(loader)) => {
                let found = loader.described(descriptor.key, *address, memory);
                // Without an array, the descriptor's type stays, and says why there is none.
                Some(found.unwrap_or_else(|reason| Self::new(self.ty.clone(), Place::Unavailable(reason))))
            }
            (Place::Memory(_), None) => lost(Unavailable::Other("its module is unloaded".to_owned())),
            _ => lost(Unavailable::Other("the array's descriptor is not in memory".to_owned())),
        }
    }
}

/// Makes the type of an array of an element of each of the dimensions, the first one outermost.
pub fn nested(element: TypeRef, dimensions: &[(Count, Indexing)]) -> TypeRef {
    dimensions.iter().rev().fold(element, |element, (count, indexing)| {
        Arc::new(Type::Array { element: super::Link::ready(element), count: *count, indexing: *indexing })
    })
}
