//! Computes the expressions that use numbers which gimli's stack machine does not have: the floats of the x87, and
//! integers of 16 bytes.
//!
//! Such an expression is computed here as a whole, in the arithmetic that expressions of users are computed in. What
//! compilers do not write with such numbers (branches, pieces) is not done here, and neither is what depends on how
//! compiled code does it: a float that its integer type cannot hold.

use super::evaluate::{self, Failure, Referents};
use crate::model::frame::FrameContext;
use crate::sections::slice::Slice;
use ctype::arith::{self, Arithmetic, ArithmeticError, Integer, IntegerType, Number, NumberOp};
use gimli::{Expression, Operation, UnitOffset};
use std::cmp::Ordering;

/// How many values the stack may have.
const MOST: usize = 256;
/// The generic type of the stack, an integer of the size of an address.
const GENERIC: IntegerType = IntegerType::UNSIGNED_LONG;
/// In bits.
const GENERIC_BITS: u32 = GENERIC.bits();

/// What an expression has computed.
pub(super) enum Computed {
    /// A value: its bytes.
    Value(Vec<u8>),
    /// Where something is.
    Address(u64),
}

/// A value of the stack.
#[derive(Clone, Copy)]
struct Entry {
    number: Number,
    /// It has no type of its own.
    is_generic: bool,
}

impl Entry {
    fn generic(value: u64) -> Self {
        Self { number: Number::Integer(Integer::new(GENERIC, u128::from(value))), is_generic: true }
    }

    fn typed(number: Number) -> Self {
        Self { number, is_generic: false }
    }

    /// Returns the number without its type, if it is one of the generic type.
    fn generic_value(self) -> Option<u64> {
        match self.number {
            Number::Integer(integer) if self.is_generic => Some(integer.bits() as u64),
            _ => None,
        }
    }

    /// Returns the number as one with a sign, if it has no type that tells.
    fn signed(self) -> Result<Number, Failure> {
        if self.is_generic { converted(self.number, Arithmetic::Integer(IntegerType::LONG)) } else { Ok(self.number) }
    }

    fn with(self, number: Number) -> Self {
        Self { number, ..self }
    }
}

/// Computes an expression that uses such numbers; `None` if it uses none, or does something that is not done here.
pub(super) fn result<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
    frame: &mut dyn FrameContext,
    initial: Option<u64>,
) -> Result<Option<Computed>, Failure> {
    if !uses_wide(expression, encoding, referents)? {
        return Ok(None);
    }
    let mut machine = Machine { encoding, referents, stack: initial.map(Entry::generic).into_iter().collect() };
    let mut operations = expression.operations(encoding);
    while let Some(operation) = operations.next()? {
        match operation {
            Operation::StackValue => {
                let is_end = operations.next()?.is_none();
                let top = machine.stack.last().filter(|_| is_end);
                return Ok(top.map(|entry| Computed::Value(entry.number.to_bytes())));
            }
            operation => match machine.execute(operation, frame)? {
                Some(()) if machine.stack.len() <= MOST => {}
                _ => return Ok(None),
            },
        }
    }
    Ok(machine.stack.last().and_then(|entry| entry.generic_value()).map(Computed::Address))
}

/// Returns whether an operation has a type that gimli's stack machine has not.
fn uses_wide<'a>(
    expression: Expression<Slice<'a>>,
    encoding: gimli::Encoding,
    referents: &dyn Referents<'a>,
) -> Result<bool, Failure> {
    // Nearly all expressions are without types.
    if !expression.0.slice().iter().any(|byte| super::typed::may_be_typed(gimli::DwOp(*byte))) {
        return Ok(false);
    }
    let is_wide = |at: UnitOffset| at.0 != 0 && referents.base_type(at).is_err() && referents.number_type(at).is_some();
    let mut operations = expression.operations(encoding);
    while let Some(operation) = operations.next()? {
        if super::typed::type_of(&operation, encoding, referents).is_some_and(is_wide) {
            return Ok(true);
        }
    }
    Ok(false)
}

struct Machine<'m, 'a> {
    encoding: gimli::Encoding,
    referents: &'m dyn Referents<'a>,
    stack: Vec<Entry>,
}

impl<'a> Machine<'_, 'a> {
    /// Executes an operation; `None` for what is not done here.
    fn execute(
        &mut self,
        operation: Operation<Slice<'a>>,
        frame: &mut dyn FrameContext,
    ) -> Result<Option<()>, Failure> {
        let pushed = match operation {
            Operation::Nop => return Ok(Some(())),
            Operation::Drop => {
                self.pop()?;
                return Ok(Some(()));
            }
            Operation::Swap | Operation::Rot => {
                let depth = if matches!(operation, Operation::Swap) { 2 } else { 3 };
                let start = self.stack.len().checked_sub(depth).ok_or_else(too_few)?;
                if let Some(top) = self.stack.get_mut(start..) {
                    top.rotate_right(1);
                }
                return Ok(Some(()));
            }
            Operation::Pick { index } => {
                let at = self.stack.len().checked_sub(usize::from(index) + 1).ok_or_else(too_few)?;
                self.stack.get(at).copied()
            }
            Operation::UnsignedConstant { value } => Some(Entry::generic(value)),
            Operation::SignedConstant { value } => Some(Entry::generic(value as u64)),
            Operation::Address { address } => Some(Entry::generic(evaluate::linked(address)?.at(frame.bias()).0)),
            Operation::FrameOffset { offset } => {
                Some(Entry::generic(self.referents.frame_base(frame)?.wrapping_add_signed(offset)))
            }
            Operation::CallFrameCFA => Some(Entry::generic(evaluate::cfa(frame)?)),
            Operation::TypedLiteral { base_type, value } => self.parsed(base_type, value.slice())?,
            Operation::RegisterOffset { register, offset, base_type } if base_type.0 == 0 => {
                let value = frame.register(register.0).ok_or(Failure::Register(register.0))?;
                Some(Entry::generic(value.wrapping_add_signed(offset)))
            }
            Operation::RegisterOffset { register, offset: 0, base_type } => {
                let bytes = frame.register_bytes(register.0).ok_or(Failure::Register(register.0))?;
                self.parsed(base_type, &bytes)?
            }
            Operation::Deref { base_type, size, space: false } => {
                let Some(address) = self.pop()?.generic_value() else { return Ok(None) };
                let mut bytes = [0; 16];
                let failure = Failure::Memory { address, size };
                let buffer = bytes.get_mut(..usize::from(size)).ok_or_else(|| failure.clone())?;
                if !frame.read(address, buffer) {
                    return Err(failure);
                }
                match base_type.0 {
                    0 => Some(Entry::generic(buffer.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))),
                    _ => self.parsed(base_type, buffer)?,
                }
            }
            Operation::EntryValue { expression } => self.entry_value(expression, frame)?,
            Operation::Convert { base_type } => {
                let from = self.pop()?;
                match base_type.0 {
                    0 => {
                        Some(Entry { number: converted(from.number, Arithmetic::Integer(GENERIC))?, is_generic: true })
                    }
                    _ => match self.referents.number_type(base_type) {
                        Some(ty) => Some(Entry::typed(converted(from.number, ty)?)),
                        None => None,
                    },
                }
            }
            operation => self.computed(&operation)?,
        };
        Ok(pushed.map(|entry| self.stack.push(entry)))
    }

    /// Computes what an operation makes of the numbers on the stack.
    fn computed(&mut self, operation: &Operation<Slice<'_>>) -> Result<Option<Entry>, Failure> {
        let top = self.pop()?;
        match operation {
            Operation::Neg => return Ok(Some(top.with(in_type(top, top.number.negated())?))),
            Operation::Abs => {
                let is_negative = match top.signed()? {
                    Number::Integer(integer) => integer.is_negative(),
                    // The sign of a zero or of a NaN is a bit, which no comparison shows.
                    _ => return Ok(None),
                };
                let number = if is_negative { in_type(top, top.number.negated())? } else { top.number };
                return Ok(Some(top.with(number)));
            }
            Operation::Not => {
                let Number::Integer(integer) = top.number else { return Ok(None) };
                return Ok(Some(top.with(Number::Integer(Integer::new(integer.ty(), !integer.bits())))));
            }
            Operation::PlusConstant { value } => {
                let Number::Integer(integer) = top.number else { return Ok(None) };
                let sum = integer.bits().wrapping_add(u128::from(*value));
                return Ok(Some(top.with(Number::Integer(Integer::new(integer.ty(), sum)))));
            }
            _ => {}
        }
        let (right, left) = (top, self.pop()?);
        if matches!(operation, Operation::Shl | Operation::Shr | Operation::Shra) {
            return Ok(shifted(operation, left, right));
        }
        // DWARF has no operations on numbers of two types.
        if left.number.ty() != right.number.ty() || left.is_generic != right.is_generic {
            return Ok(None);
        }
        let is_integer = matches!(left.number, Number::Integer(_));
        let op = match operation {
            Operation::Plus => NumberOp::Add,
            Operation::Minus => NumberOp::Sub,
            Operation::Mul => NumberOp::Mul,
            // Numbers without a type have a sign in a division, and none in the rest of it.
            Operation::Div => {
                let quotient = arith::binary(NumberOp::Div, left.signed()?, right.signed()?).map_err(failure)?;
                return Ok(Some(left.with(in_type(left, quotient)?)));
            }
            Operation::Mod if is_integer => NumberOp::Rem,
            Operation::And if is_integer => NumberOp::And,
            Operation::Or if is_integer => NumberOp::Or,
            Operation::Xor if is_integer => NumberOp::Xor,
            _ => {
                let order = arith::compare(left.signed()?, right.signed()?).map_err(failure)?;
                return Ok(holds(operation, order).map(|is_true| Entry::generic(u64::from(is_true))));
            }
        };
        let number = arith::binary(op, left.number, right.number).map_err(failure)?;
        Ok(Some(left.with(in_type(left, number)?)))
    }

    /// Reads a value that a register had when the function was called.
    fn entry_value(&self, of: Slice<'a>, frame: &mut dyn FrameContext) -> Result<Option<Entry>, Failure> {
        let mut operations = Expression(of).operations(self.encoding);
        let (Some(first), None) = (operations.next()?, operations.next()?) else { return Err(Failure::EntryValue) };
        let (register, base_type) = match first {
            Operation::Register { register } => (register, UnitOffset(0)),
            Operation::RegisterOffset { register, offset: 0, base_type } if base_type.0 != 0 => (register, base_type),
            _ => return Err(Failure::EntryValue),
        };
        let bits = frame.entry_value(register.0).ok_or(Failure::EntryValue)?;
        if base_type.0 == 0 { Ok(Some(Entry::generic(bits))) } else { self.parsed(base_type, &bits.to_le_bytes()) }
    }

    /// Makes a number of a type of its bytes; `None` if they are too few.
    fn parsed(&self, base_type: UnitOffset, bytes: &[u8]) -> Result<Option<Entry>, Failure> {
        let Some(ty) = self.referents.number_type(base_type) else { return Ok(None) };
        let needed = match ty {
            Arithmetic::Integer(integer) => integer.size() as usize,
            Arithmetic::Float(format) => format.significant_bytes(),
            Arithmetic::Complex(_) => return Ok(None),
        };
        // Of an integer in two registers, debug info names the first.
        Ok((bytes.len() >= needed).then(|| Entry::typed(Number::from_bytes(ty, bytes))))
    }

    fn pop(&mut self) -> Result<Entry, Failure> {
        self.stack.pop().ok_or_else(too_few)
    }
}

fn too_few() -> Failure {
    Failure::Malformed(gimli::Error::NotEnoughStackItems)
}

fn failure(error: ArithmeticError) -> Failure {
    match error {
        ArithmeticError::DivisionByZero => Failure::Division,
        _ => Failure::Referent(evaluate::UNSUPPORTED_TYPE),
    }
}

/// Returns the result of an operation in the type of its operand, from which C's arithmetic promotes it.
fn in_type(operand: Entry, result: Number) -> Result<Number, Failure> {
    converted(result, operand.number.ty())
}

/// Converts a number. What becomes of a float that the integer type cannot hold depends on the instructions.
fn converted(number: Number, to: Arithmetic) -> Result<Number, Failure> {
    let result = number.convert(to).map_err(failure)?;
    if let (Number::Float(float), Number::Integer(integer)) = (number, result) {
        let (is_negative, magnitude) = float.to_integer().unwrap_or_default();
        let is_same = integer.is_negative() == (is_negative && magnitude != 0)
            && (if integer.is_negative() { integer.value().unsigned_abs() } else { integer.bits() }) == magnitude;
        if !is_same {
            return Err(Failure::Referent("the expression makes an integer of a number that does not fit its type"));
        }
    }
    Ok(result)
}

/// Shifts an integer: with DW_OP_shr without its sign, and with DW_OP_shra with it, whatever its type.
fn shifted(operation: &Operation<Slice<'_>>, value: Entry, count: Entry) -> Option<Entry> {
    let (Number::Integer(integer), Number::Integer(count)) = (value.number, count.number) else { return None };
    let bits = if value.is_generic { GENERIC_BITS } else { integer.ty().bits() };
    let count = u32::try_from(count.bits()).unwrap_or(u32::MAX);
    let unused = 128 - bits;
    // By as much as it has bits, or more: nothing is left, or copies of the sign.
    let result = match operation {
        Operation::Shl => integer.bits().checked_shl(count).unwrap_or(0),
        Operation::Shr => (integer.bits() << unused >> unused).checked_shr(count).unwrap_or(0),
        _ => ((integer.bits() << unused) as i128 >> unused >> count.min(127)) as u128,
    };
    Some(value.with(Number::Integer(Integer::new(integer.ty(), result))))
}

/// Returns whether a comparison holds; `None` if it is no comparison. None but `!=` holds of what has no order.
fn holds(operation: &Operation<Slice<'_>>, order: Option<Ordering>) -> Option<bool> {
    Some(match operation {
        Operation::Eq => order == Some(Ordering::Equal),
        Operation::Ne => order != Some(Ordering::Equal),
        Operation::Lt => order == Some(Ordering::Less),
        Operation::Gt => order == Some(Ordering::Greater),
        Operation::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Operation::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => return None,
    })
}
