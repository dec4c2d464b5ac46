//! Runs whole DWARF expressions: those that compute only with what the stack machine of gimli knows, and those that have
//! types of their own.

use super::composite;
use super::evaluate::{Failure, Referents, Shortened, pieces};
use super::typed::with_own_results;
use super::wide::{self, Computed};
use crate::model::frame::FrameContext;
use crate::sections::slice::Slice;
use gimli::{Expression, Operation};

/// Runs an expression, and makes something of the pieces of its location.
pub(crate) fn run<'a, T>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
    initial: Option<u64>,
    make: impl FnOnce(&[gimli::Piece<Slice<'_>>], &mut dyn FrameContext) -> T,
) -> Result<T, Failure> {
    if let Some(computed) = wide::result(expression, encoding, referents, frame, initial)? {
        let location = match &computed {
            Computed::Value(bytes) => gimli::Location::Bytes { value: Slice::new(bytes, gimli::LittleEndian) },
            Computed::Address(address) => gimli::Location::Address { address: *address },
        };
        return Ok(make(&[gimli::Piece { size_in_bits: None, bit_offset: None, location }], frame));
    }
    match with_own_results(expression, encoding, referents, frame, initial)? {
        None => Ok(make(&pieces(expression, encoding, referents, frame, initial)?, frame)),
        Some(bytes) => {
            let expression = Expression(Slice::new(&bytes, gimli::LittleEndian));
            Ok(make(&pieces(expression, encoding, &Shortened(referents), frame, initial)?, frame))
        }
    }
}

/// An expression with the values of the variables that it names.
pub(crate) enum WithValues<'a> {
    /// It names none.
    Same(Expression<Slice<'a>>),
    /// Its bytes with numbers in the place of names.
    Written(Vec<u8>),
}

/// Writes the values of variables into an expression that names them: DW_OP_GNU_variable_value, by which GCC's
/// link-time optimisation says what was in a variable of the function before the function's code was made.
pub(crate) fn with_values<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    frame: &mut dyn FrameContext,
    value: &mut dyn FnMut(gimli::DebugInfoOffset, &mut dyn FrameContext) -> Option<u64>,
) -> Result<WithValues<'a>, Failure> {
    let mut bytes = Vec::new();
    let (mut names, mut branches) = (false, false);
    let mut operations = expression.operations(encoding);
    loop {
        let start = operations.offset_from(&expression);
        let Some(operation) = operations.next()? else { break };
        match operation {
            Operation::VariableValue { offset } => {
                let unknown = Failure::Referent("the expression uses a variable whose value is not known");
                names = true;
                bytes.push(gimli::DW_OP_const8u.0);
                bytes.extend(value(offset, frame).ok_or(unknown)?.to_le_bytes());
            }
            other => {
                branches |= matches!(other, Operation::Skip { .. } | Operation::Bra { .. });
                let end = operations.offset_from(&expression);
                bytes.extend(expression.0.slice().get(start..end).unwrap_or_default());
            }
        }
    }
    match names {
        // A branch counts bytes.
        true if branches => Err(Failure::Referent("the expression branches around the value of a variable")),
        true => Ok(WithValues::Written(bytes)),
        false => Ok(WithValues::Same(expression)),
    }
}

impl<'a> WithValues<'a> {
    /// Evaluates an expression to a number, as [`run_for_number`] does.
    pub(crate) fn run_for_number(
        self,
        encoding: gimli::Encoding,
        referents: &dyn Referents<'a>,
        frame: &mut dyn FrameContext,
        initial: Option<u64>,
    ) -> Result<u64, Failure> {
        match self {
            Self::Same(expression) => run_for_number(expression, encoding, referents, frame, initial),
            Self::Written(bytes) => {
                let expression = Expression(Slice::new(&bytes, gimli::LittleEndian));
                run_for_number(expression, encoding, &Shortened(referents), frame, initial)
            }
        }
    }
}

/// Runs an expression that computes an address or a number.
pub(crate) fn run_for_number<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
    initial: Option<u64>,
) -> Result<u64, Failure> {
    run(expression, encoding, referents, frame, initial, number_of)?
}

/// Runs an expression for the bits of the value that it computes, which may be a floating-point number.
pub(crate) fn run_for_bits<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
) -> Result<u64, Failure> {
    // An expression whose result is not said to be a value would have to end with an address, which a float is not.
    let value: Vec<u8> = expression.0.iter().copied().chain([gimli::DW_OP_stack_value.0]).collect();
    let value = Expression(Slice::new(&value, gimli::LittleEndian));
    match run(value, encoding, &Shortened(referents), frame, None, bits_of) {
        Err(Failure::Malformed(_)) => run(expression, encoding, referents, frame, None, bits_of)?,
        bits => bits?,
    }
}

fn bits_of(pieces: &[gimli::Piece<Slice<'_>>], frame: &mut dyn FrameContext) -> Result<u64, Failure> {
    let constant = match pieces {
        [piece] if piece.size_in_bits.is_none() => composite::small_constant(&piece.location),
        _ => None,
    };
    constant.map_or_else(|| number_of(pieces, frame), Ok)
}

/// Reads the address or number that an expression has computed.
fn number_of(pieces: &[gimli::Piece<Slice<'_>>], frame: &mut dyn FrameContext) -> Result<u64, Failure> {
    if let [piece] = pieces
        && piece.size_in_bits.is_none()
    {
        match &piece.location {
            gimli::Location::Address { address } => return Ok(*address),
            gimli::Location::Value { value } => return Ok(value.to_u64(u64::MAX)?),
            gimli::Location::Register { register } => {
                return frame.register(register.0).ok_or(Failure::Register(register.0));
            }
            _ => {}
        }
    }
    Err(Failure::Referent("the expression does not compute a number"))
}
