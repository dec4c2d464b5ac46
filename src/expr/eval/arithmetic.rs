//! Rust's arithmetic: in the type of the operands, and what does not fit it is an error.

use super::operator::number_op;
use super::*;
use crate::types::rust_primitive;
use ctype::Encoding;
use ctype::arith::NumberOp;
use ctype::float::{Float, FloatFormat};

/// Rust's `f32`.
const SINGLE: Arithmetic = Arithmetic::Float(FloatFormat::Single);

impl Evaluator<'_> {
    /// Evaluates the operands of an operator. What is computed of literals without a type, as `!7` is, is so in the
    /// type of the other operand.
    pub(super) fn operands(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<(Value, Value), Error> {
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        let is_typed =
            |expr: &Expr, other: &Expr| !is_shift && (is_computed(expr) || is_fraction(expr)) && !is_untyped(other);
        if self.is_rust() && is_typed(a, b) {
            let right = self.value(b)?;
            return Ok((self.value_like(a, &right)?, right));
        }
        let left = self.value(a)?;
        let right = match self.is_rust() && is_typed(b, a) {
            true => self.value_like(b, &left)?,
            false => self.value(b)?,
        };
        Ok((left, right))
    }

    /// Evaluates an expression; if it is computed of literals without a type, in that of another value: an integer, or
    /// an `f32`, if the literals are none.
    pub(super) fn value_like(&mut self, expr: &Expr, other: &Value) -> Result<Value, Error> {
        let like = self.referent(other.clone(), &expr.span)?;
        let like = self.peeled(like, &expr.span)?;
        let is_number = matches!(&*strip(&like.ty), Type::Base { encoding: Encoding::Signed | Encoding::Unsigned, .. });
        match Arithmetic::of(&like.ty, self.env.target()).filter(|_| is_number && is_computed(expr)) {
            Some(Arithmetic::Integer(ty)) => self.computed_in(expr, ty, like.ty),
            _ if is_fraction(expr) => self.fraction_like(expr, like.ty),
            _ => self.value(expr),
        }
    }

    /// Evaluates what is computed of literals that are not integers, in the type at hand if that is an `f32`.
    fn fraction_like(&mut self, expr: &Expr, ty: TypeRef) -> Result<Value, Error> {
        if Arithmetic::of(&ty, self.env.target()) != Some(SINGLE) {
            return self.value(expr);
        }
        let number = self.single(expr)?;
        Ok(self.in_type(number, ty))
    }

    /// Computes of literals that are not integers, each an `f32`.
    fn single(&mut self, expr: &Expr) -> Result<Number, Error> {
        let failed = |e: arith::ArithmeticError| Error::new(&expr.span, e);
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Minus, operand) => Ok(self.single(operand)?.negated()),
            ExprKind::Binary(op, a, b) if let Some(op) = number_op(*op) => {
                arith::binary(op, self.single(a)?, self.single(b)?).map_err(failed)
            }
            _ => {
                let value = self.value(expr)?;
                self.number(value, "=", "numbers", &expr.span)?.convert(SINGLE).map_err(failed)
            }
        }
    }

    /// Evaluates what a cast converts: Rust makes characters of bytes only, so that such literals are bytes there.
    pub(super) fn cast_operand(&mut self, expr: &Expr, to: &TypeRef) -> Result<Value, Error> {
        let is_character = matches!(&*strip(to), Type::Base { encoding: Encoding::Utf, .. });
        let byte = IntegerType { rank: Rank::Char, signed: false };
        match self.is_rust() && is_character && is_computed(expr) {
            true => self.computed_in(expr, byte, rust_primitive("u8")),
            false => self.value(expr),
        }
    }

    /// Evaluates what is computed of literals without a type, in the type at hand.
    fn computed_in(&mut self, expr: &Expr, ty: IntegerType, named: TypeRef) -> Result<Value, Error> {
        match self.untyped(expr, ty)? {
            Some(number) => Ok(self.in_type(Number::Integer(number), named)),
            // No type without a sign has it, but numbers are compared by their values.
            None if matches!(&expr.kind, ExprKind::Unary(UnaryOp::Minus, _)) => self.value(expr),
            None => Err(Error::new(&expr.span, ErrorKind::Overflow(self.name_of(&named)))),
        }
    }

    /// Computes of literals without a type, in the type at hand; `None` if something does not fit it.
    fn untyped(&mut self, expr: &Expr, ty: IntegerType) -> Result<Option<Integer>, Error> {
        match &expr.kind {
            ExprKind::Integer(own, value) => Ok(fitted(Integer::new(*own, u128::from(*value)), ty)),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                Ok(self.untyped(operand, ty)?.map(|number| Integer::new(ty, !number.bits())))
            }
            ExprKind::Unary(UnaryOp::Minus, operand) => match &operand.kind {
                // The least number, whose digits alone do not fit.
                ExprKind::Integer(_, value) => {
                    let least = Integer::new(IntegerType { rank: Rank::Int128, signed: true }, u128::from(*value));
                    Ok(fitted(Integer::new(least.ty(), least.bits().wrapping_neg()), ty))
                }
                _ => {
                    let number = self.untyped(operand, ty)?;
                    Ok(number.and_then(|number| computed(NumberOp::Sub, Integer::new(ty, 0), number, ty)))
                }
            },
            ExprKind::Binary(op @ (BinaryOp::ShiftLeft | BinaryOp::ShiftRight), a, b) => {
                let count = self.value(b)?;
                let count = self.number(count, op.symbol(), "numbers", &b.span)?;
                let (Some(number), Number::Integer(count)) = (self.untyped(a, ty)?, count) else { return Ok(None) };
                Ok(number_op(*op).and_then(|op| shifted(op, number, count)))
            }
            ExprKind::Binary(op, a, b) => {
                let (Some(x), Some(y)) = (self.untyped(a, ty)?, self.untyped(b, ty)?) else { return Ok(None) };
                if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && y.bits() == 0 {
                    return Err(Error::new(&expr.span, arith::ArithmeticError::DivisionByZero));
                }
                Ok(number_op(*op).and_then(|op| computed(op, x, y, ty)))
            }
            _ => Ok(None),
        }
    }

    /// Evaluates `left op right` on numbers. A literal without a type takes that of the other operand; of two types the
    /// result has the larger one.
    pub(super) fn rust_arithmetic(
        &mut self,
        op: NumberOp,
        (left, a): (Value, &Expr),
        (right, b): (Value, &Expr),
        span: &Span,
    ) -> Result<Value, Error> {
        let symbol = op.symbol();
        let (left_type, right_type) = (left.ty.clone(), right.ty.clone());
        let x = self.number(left, symbol, "numbers", &a.span)?;
        let y = self.number(right, symbol, "numbers", &b.span)?;
        let is_shift = matches!(op, NumberOp::Shl | NumberOp::Shr);
        let (number, ty) = match (is_untyped(a), is_untyped(b)) {
            _ if is_shift => (x, left_type),
            (true, false) => (y, right_type),
            (false, true) => (x, left_type),
            _ if rank(x) >= rank(y) => (x, left_type),
            _ => (y, right_type),
        };
        let result = match (x, y, number) {
            (Number::Integer(x), Number::Integer(y), Number::Integer(number)) => {
                let overflow = || {
                    let ty = self.in_type(Number::Integer(number), ty.clone()).ty;
                    Error::new(span, ErrorKind::Overflow(self.name_of(&ty)))
                };
                if matches!(op, NumberOp::Div | NumberOp::Rem) && y.bits() == 0 {
                    return Err(Error::new(span, arith::ArithmeticError::DivisionByZero));
                }
                let exact = if is_shift { shifted(op, x, y) } else { computed(op, x, y, number.ty()) };
                Number::Integer(exact.ok_or_else(overflow)?)
            }
            (Number::Float(x), Number::Float(y), _) if op == NumberOp::Rem && is_in_f64(x) && is_in_f64(y) => {
                // It is exact, and of the type of the operands.
                let result = Number::Float(Float::from_f64(x.to_f64() % y.to_f64()));
                result.convert(number.ty()).map_err(|e| Error::new(span, e))?
            }
            _ => {
                let result = arith::binary(op, x, y).map_err(|e| Error::new(span, e))?;
                result.convert(number.ty()).map_err(|e| Error::new(span, e))?
            }
        };
        Ok(self.in_type(result, ty))
    }

    /// Evaluates Rust's `-x`.
    pub(super) fn rust_minus(&mut self, value: Value, operand: &Expr, span: &Span) -> Result<Value, Error> {
        let value = self.borrowed(value, operand, false)?;
        let value = self.peeled(value, &operand.span)?;
        let ty = value.ty.clone();
        match self.number(value, "-", "a number", span)? {
            Number::Integer(number) => {
                let zero = Integer::new(number.ty(), 0);
                let result = computed(NumberOp::Sub, zero, number, number.ty());
                let result = result.ok_or_else(|| Error::new(span, ErrorKind::Overflow(self.name_of(&ty))))?;
                Ok(self.in_type(Number::Integer(result), ty))
            }
            number => Ok(self.in_type(number.negated(), ty)),
        }
    }

    /// Converts a result to a type, if that is one for numbers; else in the number's own.
    fn in_type(&self, result: Number, ty: TypeRef) -> Value {
        let is_base = matches!(&*strip(&ty), Type::Base { .. });
        match is_base && Arithmetic::of(&ty, self.env.target()) == Some(result.ty()) {
            true => Value::computed(strip(&ty), &result.to_bytes()),
            false => self.number_value(result),
        }
    }

    /// Makes a number a value, of a type as the language at hand names it.
    pub(super) fn number_value(&self, number: Number) -> Value {
        let name = match number {
            Number::Integer(number) => rust_name(number.ty()),
            Number::Float(number) => match number.format {
                FloatFormat::Single => Some("f32"),
                FloatFormat::Double => Some("f64"),
                _ => None,
            },
            Number::Complex(..) => None,
        };
        match name.filter(|_| self.is_rust()) {
            Some(name) => Value::computed(rust_primitive(name), &number.to_bytes()),
            None => Value::from_number(number),
        }
    }
}

/// Returns how two integers are ordered, whatever their types.
pub(super) fn exact_order(a: Integer, b: Integer) -> Ordering {
    match (a.is_negative(), b.is_negative()) {
        (false, false) => a.bits().cmp(&b.bits()),
        (x, y) if x != y => y.cmp(&x),
        _ => a.value().cmp(&b.value()),
    }
}

/// Returns whether a number is written without a type.
fn is_untyped(expr: &Expr) -> bool {
    is_made_of(expr, &|leaf| is_integer(leaf) || is_double(leaf))
}

/// Returns whether something is computed of literals that are not integers, and have no type.
fn is_fraction(expr: &Expr) -> bool {
    is_made_of(expr, &is_double)
}

/// (`2.5f64` cannot be told from `2.5`; one of `f32` can.)
fn is_double(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Float(float) if float.format == FloatFormat::Double)
}

/// Returns whether something is computed of integers that are written without a type.
fn is_computed(expr: &Expr) -> bool {
    !is_integer(expr) && is_made_of(expr, &is_integer)
}

fn is_integer(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Integer(..))
}

/// Returns whether the type of an expression is that of such literals.
fn is_made_of(expr: &Expr, is_literal: &dyn Fn(&Expr) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Minus | UnaryOp::Not, operand) => is_made_of(operand, is_literal),
        ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, a, _) => is_made_of(a, is_literal),
        ExprKind::Binary(op, a, b) => {
            number_op(*op).is_some() && is_made_of(a, is_literal) && is_made_of(b, is_literal)
        }
        _ => is_literal(expr),
    }
}

/// Ranks a number: floats after integers, then by size.
fn rank(number: Number) -> (bool, usize) {
    (!matches!(number, Number::Integer(_)), number.to_bytes().len())
}

/// Computes the result in a type; `None` if it does not fit, or an operand does not.
fn computed(op: NumberOp, x: Integer, y: Integer, ty: IntegerType) -> Option<Integer> {
    let (x, y) = (fitted(x, ty)?, fitted(y, ty)?);
    let bits = match op {
        NumberOp::And => x.bits() & y.bits(),
        NumberOp::Or => x.bits() | y.bits(),
        NumberOp::Xor => x.bits() ^ y.bits(),
        _ if ty.signed => {
            let (x, y) = (x.value(), y.value());
            let exact = match op {
                NumberOp::Add => x.checked_add(y),
                NumberOp::Sub => x.checked_sub(y),
                NumberOp::Mul => x.checked_mul(y),
                NumberOp::Div => x.checked_div(y),
                _ => x.checked_rem(y),
            }?;
            return Some(Integer::new(ty, exact as u128)).filter(|result| result.value() == exact);
        }
        NumberOp::Add => x.bits().checked_add(y.bits())?,
        NumberOp::Sub => x.bits().checked_sub(y.bits())?,
        NumberOp::Mul => x.bits().checked_mul(y.bits())?,
        NumberOp::Div => x.bits().checked_div(y.bits())?,
        _ => x.bits().checked_rem(y.bits())?,
    };
    Some(Integer::new(ty, bits)).filter(|result| result.bits() == bits)
}

/// Converts a number to another type, if it fits.
fn fitted(number: Integer, ty: IntegerType) -> Option<Integer> {
    let converted = number.convert(ty);
    (exact_order(number, converted) == Ordering::Equal).then_some(converted)
}

/// Computes a shift; by as many bits as there are, or more, it overflows.
fn shifted(op: NumberOp, x: Integer, count: Integer) -> Option<Integer> {
    if count.is_negative() || count.bits() >= u128::from(x.ty().bits()) {
        return None;
    }
    let bits = match (op, x.ty().signed) {
        (NumberOp::Shl, _) => x.bits() << count.bits(),
        (_, true) => (x.value() >> count.bits()) as u128,
        (_, false) => x.bits() >> count.bits(),
    };
    Some(Integer::new(x.ty(), bits))
}

/// Returns what Rust calls a type of integers.
fn rust_name(ty: IntegerType) -> Option<&'static str> {
    if ty.rank == Rank::Bool {
        return Some("bool");
    }
    let names = if ty.signed { ["i8", "i16", "i32", "i64", "i128"] } else { ["u8", "u16", "u32", "u64", "u128"] };
    let at = [8, 16, 32, 64, 128].iter().position(|bits| *bits == ty.bits())?;
    names.get(at).copied()
}

/// Returns whether a float is exactly an `f64`.
fn is_in_f64(float: Float) -> bool {
    matches!(float.format, FloatFormat::Half | FloatFormat::Single | FloatFormat::Double)
}
