//! Reading the bytes of values, and the values inside values.

use super::layout::{array_parts, find_member, is_big_endian, reference_target, size_of, strip};
use super::{
    Bits, Encoding, Member, Memory, Place, Record, Stride, SyntheticPointer, Type, TypeRef, Unavailable, Value,
    Variants, VirtualBase, indexing,
};

/// The largest scalar: `long double _Complex`.
const MAX_SCALAR: u64 = 32;
/// Bytes of a `long double` of x86 that are not padding.
const X87_BYTES: usize = 10;

impl Value {
    /// Creates a value of `ty` at `place`.
    pub fn new(ty: TypeRef, place: Place) -> Self {
        Self { ty, place, bits: None }
    }

    /// Creates a value that was computed; `bytes` in target (little-endian) order.
    pub fn computed(ty: TypeRef, bytes: &[u8]) -> Self {
        let bytes = in_other_order(&ty, bytes.to_vec());
        Self::new(ty, Place::Bytes(bytes.into_iter().map(Some).collect()))
    }

    /// Returns where it is in memory, if it has an address that C's `&` would give.
    pub fn address(&self) -> Option<u64> {
        match (&self.place, self.bits) {
            (Place::Memory(address), None) => Some(*address),
            _ => None,
        }
    }

    /// Reads `len` of its bytes from `offset`. The caller bounds `len`.
    pub fn read(&self, memory: &mut dyn Memory, offset: u64, len: usize) -> Result<Vec<u8>, Unavailable> {
        let range = |available: usize| {
            let start = usize::try_from(offset).ok()?;
            let end = start.checked_add(len)?;
            (end <= available).then_some(start..end)
        };
        match &self.place {
            Place::Memory(address) => {
                let mut buffer = vec![0; len];
                memory.read(address.wrapping_add(offset), &mut buffer)?;
                Ok(buffer)
            }
            Place::Register { bytes, .. } => {
                range(bytes.len()).map(|r| bytes[r].to_vec()).ok_or(Unavailable::OptimizedOut)
            }
            Place::Bytes(bytes) => {
                let part = range(bytes.len()).map(|r| &bytes[r]).ok_or(Unavailable::OptimizedOut)?;
                part.iter().copied().collect::<Option<Vec<u8>>>().ok_or(Unavailable::OptimizedOut)
            }
            Place::Synthetic { bytes, pointers, .. } => {
                let part = range(bytes.len()).map(|r| &bytes[r]).ok_or(Unavailable::OptimizedOut)?;
                let is_pointer = pointers.iter().any(|p| p.at as u64 == offset);
                let why = if is_pointer { Unavailable::SyntheticPointer } else { Unavailable::OptimizedOut };
                part.iter().copied().collect::<Option<Vec<u8>>>().ok_or(why)
            }
            Place::Unavailable(reason) => Err(reason.clone()),
        }
    }

    /// Follows a pointer or reference to what it leads to, if that has no address, as a value of type `target`.
    pub fn synthetic_target(&self, target: &TypeRef) -> Option<Self> {
        let Place::Synthetic { pointers, .. } = &self.place else { return None };
        let pointer = pointers.iter().find(|p| p.at == 0)?;
        Some(Self::new(target.clone(), pointer.object.moved(pointer.offset)))
    }

    /// Moves a pointer so many bytes farther; `None` if it is one that has an address.
    pub fn synthetic_moved(&self, distance: i64) -> Option<Self> {
        let Place::Synthetic { bytes, pointers, partial, .. } = &self.place else { return None };
        let pointer = pointers.iter().find(|p| p.at == 0)?;
        let moved = SyntheticPointer { offset: pointer.offset.wrapping_add(distance), ..pointer.clone() };
        let place = Place::of_parts(bytes.clone(), vec![moved], partial.clone());
        Some(Self { place, ..self.clone() })
    }

    /// Reads the bytes of a scalar that is not a bit-field, the least significant first; `None` in `Ok` if its type has
    /// no such size.
    pub fn scalar_bytes(&self, memory: &mut dyn Memory) -> Result<Option<Vec<u8>>, Unavailable> {
        match size_of(&self.ty).filter(|size| *size <= MAX_SCALAR) {
            Some(size) => {
                match self.read(memory, 0, size as usize).map_err(|why| (why, self.extended(size as usize))) {
                    Ok(bytes) => Ok(Some(in_other_order(&self.ty, bytes))),
                    Err((_, Some(bytes))) => Ok(Some(bytes)),
                    Err((why, None)) => Err(why),
                }
            }
            None => Ok(None),
        }
    }

    /// Returns the bytes of a `long double` of x86 of which only those are given that count, as clang has constants.
    fn extended(&self, size: usize) -> Option<Vec<u8>> {
        let ty = strip(&self.ty);
        let (Type::Base { name, encoding: Encoding::Float, .. }, Place::Bytes(bytes) | Place::Synthetic { bytes, .. }) =
            (&*ty, &self.place)
        else {
            return None;
        };
        let (number, padding) = bytes.split_at_checked(X87_BYTES)?;
        if name != "long double" || padding.iter().take(size.saturating_sub(X87_BYTES)).any(Option::is_some) {
            return None;
        }
        let mut known = number.iter().copied().collect::<Option<Vec<u8>>>()?;
        known.resize(size, 0);
        Some(known)
    }

    /// Reads the bits of a bit-field, not sign-extended.
    pub fn field_bits(&self, memory: &mut dyn Memory, bits: Bits) -> Result<u128, Unavailable> {
        let size = u32::from(bits.size.clamp(1, 128));
        let shift = u32::from(bits.offset & 7);
        let length = (shift + size).div_ceil(8) as usize;
        let mut bytes = match self.partial_bytes(bits, length) {
            Some(bytes) => bytes,
            None => self.read(memory, 0, length)?,
        };
        let shift = match bits.from_top {
            true => {
                bytes.reverse();
                8 * bytes.len() as u32 - shift - size
            }
            false => shift,
        };
        let mut wide = [0u8; 16];
        for (to, from) in wide.iter_mut().zip(&bytes) {
            *to = *from;
        }
        let mut value = u128::from_le_bytes(wide) >> shift;
        if let Some(last) = bytes.get(16) {
            // A field of more than 120 bits that does not start at a byte reaches into a 17th byte; then shift > 0.
            value |= u128::from(*last) << (128 - shift);
        }
        Ok(if size == 128 { value } else { value & ((1 << size) - 1) })
    }

    /// Returns the bytes of a bit-field, of which some have only its own bits; `None` if not all of these are there.
    fn partial_bytes(&self, bits: Bits, length: usize) -> Option<Vec<u8>> {
        let Place::Synthetic { bytes, partial, .. } = &self.place else { return None };
        let byte = |at: usize| {
            let mask = bits.mask(at as u64);
            let own = || partial.iter().find(|own| own.at == at && own.mask & mask == mask).map(|own| own.bits);
            (*bytes.get(at)?).or_else(own)
        };
        (0..length).map(byte).collect()
    }

    /// Returns the value of type `ty` that starts `offset` bytes into this one. If this one is in pieces and the part
    /// within one of them, the part is where that piece is.
    pub fn part(&self, ty: TypeRef, offset: u64, bits: Option<Bits>) -> Self {
        let place = match (&self.place, i64::try_from(offset)) {
            (Place::Memory(address), _) => Place::Memory(address.wrapping_add(offset)),
            (place, Ok(offset)) => {
                let moved = place.moved(offset);
                let length = bits.map_or_else(|| size_of(&ty), |bits| Some(bits.bytes()));
                length.and_then(|length| moved.home(length)).cloned().unwrap_or(moved)
            }
            (Place::Unavailable(reason), Err(_)) => Place::Unavailable(reason.clone()),
            (_, Err(_)) => Place::Bytes(Vec::new()),
        };
        Self { ty, place, bits }
    }

    /// Returns the member `name` of a struct, union or class (see [`find_member`]).
    pub fn member(&self, name: &str) -> Option<Self> {
        let found = find_member(&self.ty, name)?;
        Some(self.part(found.ty, found.offset, found.bits))
    }

    /// Reads the variant that a Rust enum is, as a member; `None` for what is no enum, or is none of its variants.
    pub fn variant(&self, memory: &mut dyn Memory) -> Result<Option<(String, Self)>, Unavailable> {
        let ty = strip(&self.ty);
        let Type::Record(Record { variants: Some(variants), .. }) = &*ty else {
            return Ok(None);
        };
        let found = match &variants.discriminant {
            None => {
                let mut inhabited = variants.inhabited();
                let found = inhabited.next();
                if inhabited.next().is_some() {
                    return Err(Unavailable::Other("debug info does not tell which variant it is".to_owned()));
                }
                found
            }
            Some(_) => match self.discriminant(variants, memory)? {
                Some(discriminant) => variants.of(discriminant),
                None => return Ok(None),
            },
        };
        Ok(found.map(|variant| {
            let member = &variant.member;
            let name = member.name.clone().unwrap_or_default();
            (name, self.part(member.ty.get(), member.offset, member.bits))
        }))
    }

    /// Follows a C++ reference to what it refers to; `None` for anything else, and for one that cannot be read.
    pub fn referent(&self, memory: &mut dyn Memory) -> Option<Self> {
        let target = reference_target(&self.ty)?;
        match self.synthetic_target(&target) {
            Some(object) => Some(object),
            None => Some(Self::new(target, Place::Memory(self.word(0, memory).ok()?))),
        }
    }

    /// Returns whether a member is of a variant that is not there.
    pub fn lacks_member(&self, name: &str, memory: &mut dyn Memory) -> Result<bool, Unavailable> {
        let ty = strip(&self.ty);
        let Type::Record(Record { variants: Some(variants), members, .. }) = &*ty else { return Ok(false) };
        let is_it = |member: &Member| member.name.as_deref() == Some(name);
        if members.iter().any(is_it) || !variants.list.iter().any(|variant| is_it(&variant.member)) {
            return Ok(false);
        }
        let discriminant = self.discriminant(variants, memory)?;
        Ok(discriminant.is_some_and(|discriminant| !variants.members_of(discriminant).any(is_it)))
    }

    /// Reads the bits of the discriminant of a record with variants; `None` in `Ok` if it is nothing that has such.
    pub(super) fn discriminant(
        &self,
        variants: &Variants,
        memory: &mut dyn Memory,
    ) -> Result<Option<u128>, Unavailable> {
        let Some(member) = &variants.discriminant else { return Ok(None) };
        let discriminant = self.part(member.ty.get(), member.offset, member.bits);
        if let Some(bits) = member.bits {
            return discriminant.field_bits(memory, bits).map(Some);
        }
        let bytes = discriminant.scalar_bytes(memory)?.filter(|bytes| bytes.len() <= 16);
        Ok(bytes.map(|bytes| bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte))))
    }

    /// Finds a virtual base class of this object. Without a vtable that tells where, fails with the error of reading
    /// it.
    pub fn virtual_base(&self, base: &VirtualBase, memory: &mut dyn Memory) -> Result<Self, Unavailable> {
        let table = self.word(0, memory)?;
        let entry = Self::new(self.ty.clone(), Place::Memory(table.wrapping_sub(base.entry)));
        let offset = entry.word(0, memory)?;
        Ok(self.part(base.ty.get(), offset, None))
    }

    /// Reads the eight bytes that start `offset` bytes into it, as a number.
    pub fn word(&self, offset: u64, memory: &mut dyn Memory) -> Result<u64, Unavailable> {
        let bytes = self.read(memory, offset, 8)?;
        Ok(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    /// Returns the element `index`, counted from 0, of an array, whether or not the array is that long; `None` for what
    /// is not an array, or whose elements have no size.
    pub fn element(&self, index: i128) -> Option<Self> {
        let (element, _) = array_parts(&self.ty)?;
        let stride = indexing(&self.ty).stride;
        // Elements whose distance is given need no size: one that runs backwards has none.
        let size = if stride == Stride::Element { size_of(&element)? } else { 0 };
        let (offset, bits) = stride.offset(index, size);
        let inside = index >= 0 || matches!(self.place, Place::Memory(_));
        inside.then(|| self.part(element, offset, bits))
    }

    /// Returns whether it is a function: a value that has no bytes to look at, but an address.
    pub fn is_function(&self) -> bool {
        matches!(&*strip(&self.ty), Type::Function { .. })
    }
}

/// Changes the bytes of a scalar between the order in which its type has them and that of the target; of a complex
/// number, those of either part. Does nothing where the orders are the same.
fn in_other_order(ty: &TypeRef, mut bytes: Vec<u8>) -> Vec<u8> {
    if is_big_endian(ty) {
        let parts = match &*strip(ty) {
            Type::Base { encoding: Encoding::ComplexFloat | Encoding::ComplexSigned, .. } => 2,
            _ => 1,
        };
        let length = (bytes.len() / parts).max(1);
        bytes.chunks_mut(length).for_each(<[u8]>::reverse);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::Number;
    use crate::layout::qualified;
    use crate::{Qualifier, Target};
    use std::sync::Arc;

    struct Empty;

    impl Memory for Empty {
        fn read(&mut self, address: u64, _: &mut [u8]) -> Result<(), Unavailable> {
            Err(Unavailable::Memory(address))
        }

        fn symbol(&mut self, _: u64) -> Option<String> {
            None
        }
    }

    fn field(bytes: &[u8], offset: u8, size: u8) -> u128 {
        let place = Place::Bytes(bytes.iter().copied().map(Some).collect());
        let bits = Bits { from_top: true, ..Bits::new(offset, size) };
        Value::new(Arc::new(Type::Void), place).field_bits(&mut Empty, bits).unwrap()
    }

    #[test]
    fn big_endian_bit_fields_begin_at_the_high_bit_of_a_byte() {
        let bytes = [0b1010_0011, 0b1100_1101, 0b0101_0000];
        assert_eq!(field(&bytes, 0, 3), 0b101);
        assert_eq!(field(&bytes, 3, 5), 0b00011);
        assert_eq!(field(&bytes, 3, 7), 0b000_1111);
        assert_eq!(field(&bytes, 6, 14), 0b11_1100_1101_0101);
        let wide: Vec<u8> = (0..17).collect();
        assert_eq!(field(&wide, 1, 128), u128::from_be_bytes(wide[..16].try_into().unwrap()) << 1);
        assert_eq!(Bits { from_top: true, ..Bits::new(3, 7) }.mask(0), 0b0001_1111);
        assert_eq!(Bits { from_top: true, ..Bits::new(3, 7) }.mask(1), 0b1100_0000);
        assert_eq!(Bits::new(4, 6).mask(1), 0b11);
    }

    #[test]
    fn what_is_stored_beside_a_bit_precise_integer_is_no_part_of_it() {
        let number = |name: &str, encoding, bytes: &[u8]| {
            let ty = Arc::new(Type::Base { name: name.to_owned(), encoding, size: bytes.len() as u64 });
            match Value::computed(ty, bytes).number(&mut Empty, Target::X86_64) {
                Ok(Number::Integer(number)) => Some(number.value()),
                _ => None,
            }
        };
        let stored = 0xff01_fffbu32.to_le_bytes();
        assert_eq!(number("_BitInt(17)", Encoding::Signed, &stored), Some(-5));
        assert_eq!(number("unsigned _BitInt(17)", Encoding::Unsigned, &stored), Some(0x1_fffb));
        assert_eq!(number("_BitInt(7)", Encoding::Signed, &[0x40]), Some(-64));
        assert_eq!(number("_BitInt", Encoding::Signed, &stored), None);
        // It has no room for these.
        assert_eq!(number("_BitInt(33)", Encoding::Signed, &stored), None);
    }

    #[test]
    fn big_endian_numbers_are_the_same_read_and_made() {
        let double = Arc::new(Type::Base { name: "double".to_owned(), encoding: Encoding::Float, size: 8 });
        let big = qualified(Qualifier::BigEndian, double);
        let made = Value::computed(big, &(-2.25f64).to_le_bytes());
        assert_eq!(made.read(&mut Empty, 0, 8).unwrap(), (-2.25f64).to_be_bytes());
        let Ok(Number::Float(number)) = made.number(&mut Empty, Target::X86_64) else { panic!("{made:?}") };
        assert_eq!(number.to_f64(), -2.25);
    }

    #[test]
    fn a_long_double_of_which_only_the_padding_is_missing_is_known() {
        let named = |name: &str| Arc::new(Type::Base { name: name.to_owned(), encoding: Encoding::Float, size: 16 });
        let bytes: Vec<Option<u8>> = [0, 0, 0, 0, 0, 0, 0, 0xa0, 0, 0x40].map(Some).to_vec();
        let padded: Vec<Option<u8>> = bytes.iter().copied().chain([None; 6]).collect();
        for place in [Place::Bytes(bytes.clone()), Place::Bytes(padded)] {
            let value = Value::new(named("long double"), place.clone());
            let Ok(Number::Float(number)) = value.number(&mut Empty, Target::X86_64) else { panic!("{value:?}") };
            assert_eq!(number.to_f64(), 2.5);
            assert!(Value::new(named("_Float128"), place).number(&mut Empty, Target::X86_64).is_err());
        }
        let cut = Value::new(named("long double"), Place::Bytes(bytes[..9].to_vec()));
        assert!(cut.number(&mut Empty, Target::X86_64).is_err());
    }
}
