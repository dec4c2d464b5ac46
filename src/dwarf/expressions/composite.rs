//! Makes one location of the result of a location expression (DWARF 5 section 2.6.1.2: composite locations).

use crate::model::die::DieId;
use crate::model::frame::FrameContext;
use crate::model::variable::{Home, ImplicitPointer, Location};
use crate::sections::slice::Slice;
use ctype::PartialByte;
use gimli::{DebugInfoOffset, Piece, Value};

/// The largest object that is put together from pieces, in bytes. Compilers split what fits in a few registers.
const MAX_SIZE: u64 = 1 << 20;

/// In bytes; both supported machines.
const POINTER_SIZE: usize = 8;

/// Which DIE an offset in an expression means.
type DieResolver<'t> = &'t dyn Fn(DebugInfoOffset) -> Option<DieId>;

/// Makes the location of an object of `size` bytes; `None` if its type has no size.
pub(crate) fn location(
    pieces: &[Piece<Slice<'_>>],
    size: Option<u64>,
    target: DieResolver<'_>,
    frame: &mut dyn FrameContext,
) -> Location {
    match pieces {
        [] => Location::OptimizedOut,
        [Piece { size_in_bits: None, location, .. }] => whole(location, size, target),
        pieces => contiguous(pieces, size).unwrap_or_else(|| composite(pieces, size, target, frame)),
    }
}

/// Makes the location of an object that is in one place.
fn whole(location: &gimli::Location<Slice<'_>>, size: Option<u64>, target: DieResolver<'_>) -> Location {
    match location {
        gimli::Location::Empty => Location::OptimizedOut,
        gimli::Location::Register { register } => Location::Register(register.0),
        gimli::Location::Address { address } => Location::Memory(*address),
        gimli::Location::Value { value } => known_bytes(&value_bytes(*value), size),
        gimli::Location::Bytes { value } => known_bytes(value, size),
        gimli::Location::ImplicitPointer { value, byte_offset } => match target(*value) {
            Some(object) => Location::Synthetic {
                bytes: vec![None; POINTER_SIZE],
                pointers: vec![ImplicitPointer { at: 0, object, offset: *byte_offset }],
                partial: Vec::new(),
                homes: Vec::new(),
            },
            None => Location::Unavailable("a pointer to an object that is described nowhere".to_owned()),
        },
    }
}

/// Makes the location of the first `size` bytes of a computed value. What the value is too short for is not known.
fn known_bytes(bytes: &[u8], size: Option<u64>) -> Location {
    let wanted = size.unwrap_or(bytes.len() as u64);
    if wanted > MAX_SIZE {
        return too_large(wanted);
    }
    let wanted = wanted as usize;
    match bytes.get(..wanted) {
        Some(bytes) => Location::Bytes(bytes.to_vec()),
        None => Location::Pieces((0..wanted).map(|i| bytes.get(i).copied()).collect()),
    }
}

/// Joins pieces that lie in memory one after the other: they are an object in memory.
fn contiguous(pieces: &[Piece<Slice<'_>>], size: Option<u64>) -> Option<Location> {
    let mut start = None;
    let mut length = 0u64;
    for piece in pieces {
        let gimli::Location::Address { address } = piece.location else {
            return None;
        };
        let bits = piece.size_in_bits?;
        let start = *start.get_or_insert(address);
        if piece.bit_offset.unwrap_or(0) != 0 || !bits.is_multiple_of(8) || start.wrapping_add(length) != address {
            return None;
        }
        length = length.checked_add(bits / 8)?;
    }
    (length >= size?).then_some(Location::Memory(start?))
}

fn composite(
    pieces: &[Piece<Slice<'_>>],
    size: Option<u64>,
    target: DieResolver<'_>,
    frame: &mut dyn FrameContext,
) -> Location {
    let total: u64 = pieces.iter().fold(0, |sum, p| sum.saturating_add(p.size_in_bits.unwrap_or(0)));
    let size = size.unwrap_or(total.div_ceil(8));
    if size > MAX_SIZE {
        return too_large(size);
    }
    let mut object = Bits::unknown(size as usize);
    let mut filled = 0u64;
    let (mut pointers, mut homes) = (Vec::new(), Vec::new());
    for piece in pieces {
        let wanted = piece.size_in_bits.unwrap_or(0).min(object.len() - filled);
        if wanted == 0 {
            continue;
        }
        // Of a register or a value the low-order bits are meant, of memory the ones from its address on: with
        // little-endian bytes both are the first ones.
        let skip = piece.bit_offset.unwrap_or(0);
        if let gimli::Location::ImplicitPointer { value, byte_offset } = piece.location
            && filled.is_multiple_of(8)
            && wanted == 8 * POINTER_SIZE as u64
            && let Some(object) = target(value)
        {
            pointers.push(ImplicitPointer { at: (filled / 8) as usize, object, offset: byte_offset });
        }
        let source = source_bytes(&piece.location, skip.saturating_add(wanted).div_ceil(8), frame);
        if skip == 0 && filled.is_multiple_of(8) {
            let length = (wanted / 8) as usize;
            let location = match piece.location {
                gimli::Location::Address { address } => Some(Location::Memory(address)),
                gimli::Location::Register { register } => {
                    let is_whole = source.as_ref().is_some_and(|bytes| bytes.len() >= length);
                    is_whole.then_some(Location::Register(register.0))
                }
                _ => None,
            };
            homes.extend(location.filter(|_| length > 0).map(|location| Home {
                at: (filled / 8) as usize,
                length,
                location,
            }));
        }
        if let Some(source) = source {
            object.copy(filled, &source, skip, wanted);
        }
        filled += wanted;
    }
    let partial = object.partial();
    let bytes = object.into_bytes();
    if let [Home { at: 0, length, location }] = homes.as_slice()
        && *length as u64 == size
    {
        return location.clone();
    }
    if !pointers.is_empty() || !partial.is_empty() || !homes.is_empty() {
        return Location::Synthetic { bytes, pointers, partial, homes };
    }
    if bytes.iter().all(Option::is_none) { Location::OptimizedOut } else { Location::Pieces(bytes) }
}

/// Reads the bytes that a piece is taken from; `None` if they are not to be had.
fn source_bytes(location: &gimli::Location<Slice<'_>>, size: u64, frame: &mut dyn FrameContext) -> Option<Vec<u8>> {
    match location {
        gimli::Location::Register { register } => frame.register_bytes(register.0),
        gimli::Location::Value { value } => Some(value_bytes(*value)),
        gimli::Location::Bytes { value } => Some(value.to_vec()),
        gimli::Location::Address { address } => {
            if size > MAX_SIZE {
                return None;
            }
            let mut bytes = vec![0; size as usize];
            frame.read(*address, &mut bytes).then_some(bytes)
        }
        gimli::Location::Empty | gimli::Location::ImplicitPointer { .. } => None,
    }
}

/// Returns the bits of a floating-point number, or of a constant of at most eight bytes; `None` for all else.
pub(crate) fn small_constant(location: &gimli::Location<Slice<'_>>) -> Option<u64> {
    let bytes = match location {
        gimli::Location::Value { value: value @ (Value::F32(_) | Value::F64(_)) } => value_bytes(*value),
        gimli::Location::Bytes { value } => value.to_vec(),
        _ => return None,
    };
    let mut word = [0u8; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(&bytes);
    Some(u64::from_le_bytes(word))
}

/// Returns the little-endian bytes of a value of the stack machine.
pub(crate) fn value_bytes(value: Value) -> Vec<u8> {
    match value {
        Value::Generic(v) | Value::U64(v) => v.to_le_bytes().to_vec(),
        Value::I8(v) => v.to_le_bytes().to_vec(),
        Value::U8(v) => vec![v],
        Value::I16(v) => v.to_le_bytes().to_vec(),
        Value::U16(v) => v.to_le_bytes().to_vec(),
        Value::I32(v) => v.to_le_bytes().to_vec(),
        Value::U32(v) => v.to_le_bytes().to_vec(),
        Value::I64(v) => v.to_le_bytes().to_vec(),
        Value::F32(v) => v.to_le_bytes().to_vec(),
        Value::F64(v) => v.to_le_bytes().to_vec(),
    }
}

fn too_large(size: u64) -> Location {
    Location::Unavailable(format!("an object of {size} bytes that is not in memory"))
}

/// Bytes of which single bits may be unknown.
struct Bits {
    bytes: Vec<u8>,
    known: Vec<u8>,
}

impl Bits {
    fn unknown(size: usize) -> Self {
        Self { bytes: vec![0; size], known: vec![0; size] }
    }

    /// Returns the length in bits.
    fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }

    /// Copies `count` bits from bit `skip` of `source` to bit `at`; those that the source is too short for stay
    /// unknown.
    fn copy(&mut self, at: u64, source: &[u8], skip: u64, count: u64) {
        for i in 0..count {
            let Some(from) = skip.checked_add(i) else { return };
            let Some(byte) = source.get((from / 8) as usize) else {
                return;
            };
            let to = at + i;
            let (Some(target), Some(known)) =
                (self.bytes.get_mut((to / 8) as usize), self.known.get_mut((to / 8) as usize))
            else {
                return;
            };
            *target |= (byte >> (from % 8) & 1) << (to % 8);
            *known |= 1 << (to % 8);
        }
    }

    /// Returns the bytes of which some bits are known, and not all.
    fn partial(&self) -> Vec<PartialByte> {
        let bytes = self.bytes.iter().zip(&self.known).enumerate();
        let is_partial = |(_, (_, known)): &(usize, (&u8, &u8))| !matches!(**known, 0 | 0xff);
        bytes.filter(is_partial).map(|(at, (bits, mask))| PartialByte { at, bits: *bits, mask: *mask }).collect()
    }

    /// Returns the bytes: one is known if all its bits are.
    fn into_bytes(self) -> Vec<Option<u8>> {
        self.bytes.into_iter().zip(self.known).map(|(byte, known)| (known == 0xff).then_some(byte)).collect()
    }
}
