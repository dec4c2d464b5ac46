//! Operations on typed values (DWARF 5 section 2.5.1) that gimli's stack machine does otherwise than compilers mean
//! them, or not at all.
//!
//! - It takes each integer that it converts to a float as unsigned.
//! - It makes the nearest integer of a float that the integer cannot hold; the machine's instructions do not.
//! - It does not negate unsigned integers, nor shift signed ones as if they were unsigned and the reverse.
//! - A parameter that was optimized away is a number without a type, even if it is a float.
//!
//! What such an operation makes is computed first, from the values before it, and written into the expression instead.

use super::evaluate::{self, Failure, Pieces, Referents, value_type};
use crate::model::frame::FrameContext;
use crate::sections::slice::Slice;
use arch::Arch;
use gimli::{Expression, Operation, UnitOffset, Value, ValueType};

/// How many such operations one expression may have; each makes what is before it run once more.
const MOST: usize = 32;

/// Returns an expression without the operations that the stack machine does otherwise; `None` if it has none.
pub(super) fn with_own_results<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
    initial: Option<u64>,
) -> Result<Option<Vec<u8>>, Failure> {
    // Nearly all expressions are without types.
    if !expression.0.slice().iter().any(|byte| may_be_typed(gimli::DwOp(*byte))) {
        return Ok(None);
    }
    let mut writer = Writer { encoding, referents, initial, bytes: Vec::new(), piece: 0, computed: 0 };
    // Whether there were types and floats so far: without them nothing is to be done.
    let (mut has_types, mut has_floats) = (false, false);
    let (mut is_rewritten, mut branches) = (false, false);
    let mut operations = expression.operations(encoding);
    loop {
        let start = operations.offset_from(&expression);
        let Some(operation) = operations.next()? else { break };
        let end = operations.offset_from(&expression);
        let own = expression.0.slice().get(start..end).unwrap_or_default();
        let own_type = type_of(&operation, encoding, referents);
        let is_float = own_type.is_some_and(|at| is_float(at, referents));
        let is_computed = match operation {
            Operation::Convert { .. } => is_float || has_floats,
            Operation::Neg | Operation::Shr | Operation::Shra => has_types && !branches,
            Operation::ParameterRef { .. } => is_float,
            _ => false,
        };
        if is_computed && (branches || writer.computed == MOST) {
            return Err(Failure::Referent("the expression has too many ways to a floating-point number"));
        }
        if is_computed && writer.write_result(&operation, frame)? {
            is_rewritten = true;
        } else {
            writer.bytes.extend(own);
        }
        has_types |= own_type.is_some();
        has_floats |= is_float;
        branches |= matches!(operation, Operation::Skip { .. } | Operation::Bra { .. });
        if matches!(operation, Operation::Piece { .. }) {
            writer.piece = writer.bytes.len();
        }
    }
    match is_rewritten {
        // A branch counts bytes.
        true if branches => Err(Failure::Referent("the expression branches around a floating-point number")),
        true => Ok(Some(writer.bytes)),
        false => Ok(None),
    }
}

/// Returns whether an operation may push a value that has a type.
pub(super) fn may_be_typed(operation: gimli::DwOp) -> bool {
    matches!(
        operation,
        gimli::DW_OP_const_type
            | gimli::DW_OP_regval_type
            | gimli::DW_OP_deref_type
            | gimli::DW_OP_convert
            | gimli::DW_OP_reinterpret
            | gimli::DW_OP_GNU_const_type
            | gimli::DW_OP_GNU_regval_type
            | gimli::DW_OP_GNU_deref_type
            | gimli::DW_OP_GNU_convert
            | gimli::DW_OP_GNU_reinterpret
            | gimli::DW_OP_GNU_parameter_ref
    )
}

/// Returns the type that an operation gives to its result; `None` for the generic type.
pub(super) fn type_of<'a>(
    operation: &Operation<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
) -> Option<UnitOffset> {
    match operation {
        Operation::TypedLiteral { base_type, .. }
        | Operation::RegisterOffset { base_type, .. }
        | Operation::Deref { base_type, .. }
        | Operation::Convert { base_type }
        | Operation::Reinterpret { base_type } => (base_type.0 != 0).then_some(*base_type),
        Operation::EntryValue { expression } => match Expression(*expression).operations(encoding).next() {
            Ok(Some(Operation::RegisterOffset { base_type, .. })) if base_type.0 != 0 => Some(base_type),
            _ => None,
        },
        Operation::ParameterRef { offset } => referents.float_of(*offset),
        _ => None,
    }
}

/// Returns whether a type is a float; what is no type of the stack machine makes the expression fail later.
fn is_float<'a>(base_type: UnitOffset, referents: &dyn Referents<'a>) -> bool {
    matches!(value_type(base_type, referents), Ok(ValueType::F32 | ValueType::F64))
}

/// What is written of an expression so far.
struct Writer<'w, 'a> {
    encoding: gimli::Encoding,
    referents: &'w dyn Referents<'a>,
    initial: Option<u64>,
    bytes: Vec<u8>,
    /// Where the piece begins that is being computed: each has a stack of its own.
    piece: usize,
    /// Operations that were computed.
    computed: usize,
}

impl Writer<'_, '_> {
    /// Writes what an operation makes, if the stack machine would make something else; returns whether it would.
    fn write_result(
        &mut self,
        operation: &Operation<Slice<'_>>,
        frame: &mut dyn FrameContext,
    ) -> Result<bool, Failure> {
        self.computed += 1;
        match operation {
            Operation::ParameterRef { offset } => {
                let base_type = self.referents.float_of(*offset).ok_or(Failure::EntryValue)?;
                let parameter = self.referents.die_id(*offset).ok_or(Failure::EntryValue)?;
                let bits = frame.entry_parameter(parameter).ok_or(Failure::EntryValue)?;
                let size = if value_type(base_type, self.referents)? == ValueType::F32 { 4 } else { 8 };
                self.write_constant(base_type, bits.to_le_bytes().get(..size).unwrap_or_default());
            }
            Operation::Convert { base_type } => {
                let to = value_type(*base_type, self.referents)?;
                let Some(bytes) = self.top(&[], frame)?.and_then(|from| converted(from, to, self.referents.arch()))
                else {
                    return Ok(false);
                };
                self.bytes.push(gimli::DW_OP_drop.0);
                match base_type.0 {
                    0 => self.bytes.extend([gimli::DW_OP_const8u.0].iter().chain(&bytes)),
                    _ => self.write_constant(*base_type, &bytes),
                }
            }
            Operation::Neg => match self.top(&[], frame)? {
                Some(Value::U8(_) | Value::U16(_) | Value::U32(_) | Value::U64(_)) => {
                    self.bytes.extend([gimli::DW_OP_not.0, gimli::DW_OP_plus_uconst.0, 1]);
                }
                _ => return Ok(false),
            },
            Operation::Shr | Operation::Shra => {
                let count = self.top(&[], frame)?.and_then(|count| count.to_u64(u64::MAX).ok());
                let shifted = self.top(&[gimli::DW_OP_drop.0], frame)?.zip(count);
                let Some(result) = shifted.and_then(|(value, count)| shifted_otherwise(operation, value, count)) else {
                    return Ok(false);
                };
                // Nothing of the type of what is shifted, and the result on top.
                let replaced = [gimli::DW_OP_drop, gimli::DW_OP_dup, gimli::DW_OP_xor, gimli::DW_OP_plus_uconst];
                self.bytes.extend(replaced.map(|operation| operation.0));
                write_unsigned(&mut self.bytes, result);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Computes what is on top of the stack after some more operations.
    fn top(&self, more: &[u8], frame: &mut dyn FrameContext) -> Result<Option<Value>, Failure> {
        let before = self.bytes.get(self.piece..).unwrap_or_default();
        let bytes: Vec<u8> = before.iter().chain(more).copied().chain([gimli::DW_OP_stack_value.0]).collect();
        let prefix = Expression(Slice::new(&bytes, gimli::LittleEndian));
        let initial = self.initial.filter(|_| self.piece == 0);
        let pieces: Pieces<'_> =
            evaluate::pieces(prefix, self.encoding, &evaluate::Shortened(self.referents), frame, initial)?;
        match pieces.last().map(|piece| &piece.location) {
            Some(gimli::Location::Value { value }) => Ok(Some(*value)),
            _ => Ok(None),
        }
    }

    /// Writes that a constant of a type is pushed.
    fn write_constant(&mut self, base_type: UnitOffset, constant: &[u8]) {
        self.bytes.push(gimli::DW_OP_const_type.0);
        write_unsigned(&mut self.bytes, base_type.0 as u64);
        self.bytes.push(u8::try_from(constant.len()).unwrap_or_default());
        self.bytes.extend(constant);
    }
}

/// Writes an unsigned LEB128 number.
fn write_unsigned(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Returns what a conversion makes of a negative integer or a float; `None` where the stack machine makes the same.
#[expect(clippy::cast_precision_loss, reason = "it is what the conversion does")]
fn converted(from: Value, to: ValueType, arch: Arch) -> Option<Vec<u8>> {
    let is_float = matches!(to, ValueType::F32 | ValueType::F64);
    let integer = match from {
        Value::F32(value) if !is_float => return Some(truncated(f64::from(value), to, arch)),
        Value::F64(value) if !is_float => return Some(truncated(value, to, arch)),
        Value::I8(value) => i64::from(value),
        Value::I16(value) => i64::from(value),
        Value::I32(value) => i64::from(value),
        Value::I64(value) => value,
        _ => return None,
    };
    match to {
        ValueType::F32 if integer < 0 => Some((integer as f32).to_le_bytes().to_vec()),
        ValueType::F64 if integer < 0 => Some((integer as f64).to_le_bytes().to_vec()),
        _ => None,
    }
}

/// Converts a float to an integer type as compiled code does, also where it does not fit, which languages leave open.
fn truncated(value: f64, to: ValueType, arch: Arch) -> Vec<u8> {
    let (signed, unsigned) = match arch {
        // There is no instruction for unsigned integers; the low bits of a wider signed one are taken.
        Arch::X86_64 => (cvttsd2si_32(value), cvttsd2si_64(value) as u32),
        Arch::Aarch64 => (value as i32, value as u32),
    };
    // What is narrower is a part of 32 bits.
    let narrow = match arch {
        Arch::X86_64 => cvttsd2si_32(value) as u32,
        Arch::Aarch64 if matches!(to, ValueType::U8 | ValueType::U16) => value as u32,
        Arch::Aarch64 => value as i32 as u32,
    };
    match to {
        ValueType::I8 | ValueType::U8 => vec![narrow as u8],
        ValueType::I16 | ValueType::U16 => (narrow as u16).to_le_bytes().to_vec(),
        ValueType::I32 => signed.to_le_bytes().to_vec(),
        ValueType::U32 => unsigned.to_le_bytes().to_vec(),
        ValueType::I64 if arch == Arch::X86_64 => cvttsd2si_64(value).to_le_bytes().to_vec(),
        ValueType::I64 => (value as i64).to_le_bytes().to_vec(),
        _ if arch == Arch::X86_64 => unsigned_64(value).to_le_bytes().to_vec(),
        _ => (value as u64).to_le_bytes().to_vec(),
    }
}

/// Converts as the instruction of x86-64 does: what does not fit becomes the smallest integer.
fn cvttsd2si_32(value: f64) -> i32 {
    let fits = value > f64::from(i32::MIN) - 1.0 && value < f64::from(i32::MAX) + 1.0;
    if fits { value as i32 } else { i32::MIN }
}

/// Converts as the instruction of x86-64 with a 64-bit register does.
fn cvttsd2si_64(value: f64) -> i64 {
    let fits = (-TWO_63..TWO_63).contains(&value);
    if fits { value as i64 } else { i64::MIN }
}

/// Converts as compilers for x86-64 do: in two halves.
fn unsigned_64(value: f64) -> u64 {
    let is_upper = value >= TWO_63;
    if is_upper { cvttsd2si_64(value - TWO_63) as u64 ^ 1 << 63 } else { cvttsd2si_64(value) as u64 }
}

/// The first number that a signed integer of 64 bits cannot hold.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// Shifts a signed integer as if it were unsigned (DW_OP_shr), and an unsigned one as if it were signed (DW_OP_shra);
/// `None` for what the stack machine shifts itself.
fn shifted_otherwise(operation: &Operation<Slice<'_>>, value: Value, count: u64) -> Option<u64> {
    let is_logical = matches!(operation, Operation::Shr);
    let (bits, size) = match value {
        Value::I8(value) if is_logical => (u64::from(value as u8), 8),
        Value::I16(value) if is_logical => (u64::from(value as u16), 16),
        Value::I32(value) if is_logical => (u64::from(value as u32), 32),
        Value::I64(value) if is_logical => (value as u64, 64),
        Value::U8(value) if !is_logical => (u64::from(value), 8),
        Value::U16(value) if !is_logical => (u64::from(value), 16),
        Value::U32(value) if !is_logical => (u64::from(value), 32),
        Value::U64(value) if !is_logical => (value, 64),
        _ => return None,
    };
    if is_logical {
        return Some(if count >= size { 0 } else { bits >> count });
    }
    let unused = 64 - size;
    let extended = (bits << unused) as i64 >> unused;
    let mask = u64::MAX >> unused;
    Some((extended >> count.min(63)) as u64 & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_that_does_not_fit_is_converted_as_the_machine_does() {
        let on = |arch, value, to| {
            let mut word = [0; 8];
            let bytes = truncated(value, to, arch);
            word[..bytes.len()].copy_from_slice(&bytes);
            u64::from_le_bytes(word)
        };
        let x86 = |value, to| on(Arch::X86_64, value, to);
        assert_eq!(x86(560.0, ValueType::U8), 48);
        assert_eq!(x86(-10.0, ValueType::U32), 4_294_967_286);
        assert_eq!(x86(6e9, ValueType::I32), 0x8000_0000);
        assert_eq!(x86(80000.0, ValueType::U16), 14464);
        assert_eq!(x86(1e30, ValueType::I64), 1 << 63);
        assert_eq!(x86(1e19, ValueType::U64), 10_000_000_000_000_000_000);
        assert_eq!(x86(-1.0, ValueType::U64), u64::MAX);
        assert_eq!(x86(f64::NAN, ValueType::U64), 1 << 63);
        assert_eq!(x86(-2_147_483_648.5, ValueType::I32), 0x8000_0000);
        assert_eq!(x86(-7.9, ValueType::I8), 0xf9);
        let arm = |value, to| on(Arch::Aarch64, value, to);
        assert_eq!(arm(560.0, ValueType::U8), 48);
        assert_eq!(arm(-10.0, ValueType::U32), 0);
        assert_eq!(arm(6e9, ValueType::I32), 0x7fff_ffff);
    }

    #[test]
    fn shifts_take_integers_as_the_operation_needs_them() {
        assert_eq!(shifted_otherwise(&Operation::Shr, Value::I32(-16), 4), Some(0x0fff_ffff));
        assert_eq!(shifted_otherwise(&Operation::Shr, Value::I8(-1), 8), Some(0));
        assert_eq!(shifted_otherwise(&Operation::Shra, Value::U16(0xff00), 4), Some(0xfff0));
        assert_eq!(shifted_otherwise(&Operation::Shra, Value::U64(1 << 63), 99), Some(u64::MAX));
        assert_eq!(shifted_otherwise(&Operation::Shr, Value::U32(5), 1), None);
    }
}
