//! Conversions of negative integers to floats (DW_OP_convert, DWARF 5 section 2.5.1.6).
//!
//! gimli's stack machine takes each integer that it converts to a float as unsigned. So the value before such a
//! conversion is computed first, and where it is negative, its float is written into the expression instead.

use super::evaluate::{self, Failure, Pieces, Referents, value_type};
use crate::dwarf::model::frame::FrameContext;
use crate::dwarf::sections::slice::Slice;
use gimli::{Expression, Operation, UnitOffset, Value, ValueType};

/// How many conversions one expression may have; each makes what is before it run once more.
const MOST: usize = 32;

/// Returns an expression with the floats of its negative integers in the place of their conversions; `None` if it has
/// none.
pub(super) fn with_negative_floats<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
    initial: Option<u64>,
) -> Result<Option<Vec<u8>>, Failure> {
    let (convert, gnu) = (gimli::DW_OP_convert.0, gimli::DW_OP_GNU_convert.0);
    // Nearly all expressions are without a conversion.
    if memchr::memchr2(convert, gnu, expression.0.slice()).is_none() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    // Where the piece begins that is being computed: each has a stack of its own.
    let mut piece = 0;
    let (mut conversions, mut negative, mut branches) = (0, false, false);
    let mut operations = expression.operations(encoding);
    loop {
        let start = operations.offset_from(&expression);
        let Some(operation) = operations.next()? else { break };
        let end = operations.offset_from(&expression);
        let own = expression.0.slice().get(start..end).unwrap_or_default();
        match operation {
            Operation::Convert { base_type } if is_float(base_type, referents)? => {
                conversions += 1;
                if branches || conversions > MOST {
                    return Err(Failure::Referent("the expression has too many ways to a floating-point number"));
                }
                let before = bytes.get(piece..).unwrap_or_default();
                match negative_before(before, encoding, referents, frame, initial.filter(|_| piece == 0))? {
                    Some(integer) => {
                        negative = true;
                        write_float(&mut bytes, base_type, integer, referents)?;
                    }
                    None => bytes.extend(own),
                }
            }
            other => {
                branches |= matches!(other, Operation::Skip { .. } | Operation::Bra { .. });
                bytes.extend(own);
                if matches!(other, Operation::Piece { .. }) {
                    piece = bytes.len();
                }
            }
        }
    }
    match negative {
        // A branch counts bytes.
        true if branches => Err(Failure::Referent("the expression branches around a floating-point number")),
        true => Ok(Some(bytes)),
        false => Ok(None),
    }
}

fn is_float<'a>(base_type: UnitOffset, referents: &dyn Referents<'a>) -> Result<bool, Failure> {
    Ok(matches!(value_type(base_type, referents)?, ValueType::F32 | ValueType::F64))
}

/// Computes the integer on top of the stack, and returns it if it is negative.
fn negative_before<'a>(
    before: &[u8],
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
    initial: Option<u64>,
) -> Result<Option<i64>, Failure> {
    let bytes: Vec<u8> = before.iter().copied().chain([gimli::DW_OP_stack_value.0]).collect();
    let prefix = Expression(Slice::new(&bytes, gimli::LittleEndian));
    let pieces: Pieces<'_> = evaluate::pieces(prefix, encoding, &evaluate::Shortened(referents), frame, initial)?;
    let Some(gimli::Location::Value { value }) = pieces.last().map(|piece| &piece.location) else { return Ok(None) };
    let integer = match *value {
        Value::I8(value) => i64::from(value),
        Value::I16(value) => i64::from(value),
        Value::I32(value) => i64::from(value),
        Value::I64(value) => value,
        _ => return Ok(None),
    };
    Ok((integer < 0).then_some(integer))
}

/// Writes that the top of the stack is replaced with the float of an integer.
fn write_float<'a>(
    bytes: &mut Vec<u8>,
    base_type: UnitOffset,
    integer: i64,
    referents: &dyn Referents<'a>,
) -> Result<(), Failure> {
    #[expect(clippy::cast_precision_loss, reason = "it is what the conversion does")]
    let float = match value_type(base_type, referents)? {
        ValueType::F32 => (integer as f32).to_le_bytes().to_vec(),
        _ => (integer as f64).to_le_bytes().to_vec(),
    };
    bytes.extend([gimli::DW_OP_drop.0, gimli::DW_OP_const_type.0]);
    write_unsigned(bytes, base_type.0);
    bytes.push(u8::try_from(float.len()).unwrap_or_default());
    bytes.extend(float);
    Ok(())
}

/// Writes an unsigned LEB128 number.
fn write_unsigned(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
