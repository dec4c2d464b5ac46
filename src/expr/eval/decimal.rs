//! Decimal floats: what is exact of their arithmetic. Nothing is rounded here.

use super::operator::holds;
use super::*;
use ctype::{Decimal, Encoding, parse_float};

const NEEDS: &str = "finite decimal floats, or one of them and an integer";

/// Returns the size of a decimal float's type.
fn decimal_size(ty: &TypeRef) -> Option<u64> {
    match &*strip(ty) {
        Type::Base { encoding: Encoding::Decimal, size, .. } => Some(*size),
        _ => None,
    }
}

impl Evaluator<'_> {
    /// Evaluates an operation of which an operand is a decimal float; `None` if none is.
    pub(super) fn decimal_operation(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let (x, y) = (decimal_size(&left.ty), decimal_size(&right.ty));
        if x.is_none() && y.is_none() {
            return Ok(None);
        }
        let ty = strip(if x >= y { &left.ty } else { &right.ty });
        let x = self.decimal_operand(left, op.symbol(), &a.span)?;
        let y = self.decimal_operand(right, op.symbol(), &b.span)?;
        let result = match op {
            BinaryOp::Add => x.plus(y),
            BinaryOp::Subtract => x.plus(y.negated()),
            BinaryOp::Multiply => x.times(y),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => return Ok(Some(self.truth_value(holds(op, Some(x.order(y)))))),
            _ => {
                return Err(self.wrong_operand(
                    op.symbol(),
                    &ty,
                    "other numbers: decimal floats are not divided",
                    span,
                ));
            }
        };
        self.decimal_value(result, ty, span).map(Some)
    }

    /// Evaluates `+x` or `-x` of a decimal float; `None` for another operation or value.
    pub(super) fn decimal_sign(&mut self, op: UnaryOp, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        if decimal_size(&value.ty).is_none() || !matches!(op, UnaryOp::Plus | UnaryOp::Minus) {
            return Ok(None);
        }
        let number = self.decimal_operand(value, op.symbol(), span)?;
        let number = if op == UnaryOp::Minus { number.negated() } else { number };
        self.decimal_value(Some(number), strip(&value.ty), span).map(Some)
    }

    /// Returns whether a decimal float is not zero; `None` for another value.
    pub(super) fn truth_of_decimal(&mut self, value: &Value, span: &Span) -> Result<Option<bool>, Error> {
        match decimal_size(&value.ty) {
            Some(_) => self.decimal_operand(value, "!", span).map(|number| Some(number.is_nonzero())),
            None => Ok(None),
        }
    }

    /// Converts between decimal floats, and between these and other numbers; `None` if neither is one.
    pub(super) fn decimal_cast(&mut self, value: &Value, to: &TypeRef, span: &Span) -> Result<Option<Value>, Error> {
        if decimal_size(to).is_some() {
            let number = self.decimal_operand(value, "cast", span)?;
            return self.decimal_value(Some(number), to.clone(), span).map(Some);
        }
        let Some(arithmetic) = Arithmetic::of(to, self.env.target()).filter(|_| decimal_size(&value.ty).is_some())
        else {
            return Ok(None);
        };
        let number = self.decimal_operand(value, "cast", span)?;
        let number = match arithmetic {
            Arithmetic::Integer(IntegerType { rank: Rank::Bool, .. }) => Some(Number::int(number.is_nonzero().into())),
            Arithmetic::Integer(ty) => number.truncated().and_then(|(negative, whole)| {
                let bits = if negative { whole.wrapping_neg() } else { whole };
                let integer = Integer::new(ty, bits);
                (integer.bits() == bits && integer.is_negative() == negative).then_some(Number::Integer(integer))
            }),
            Arithmetic::Float(format) => {
                let text = number.to_string();
                let float = parse_float(format, text.trim_start_matches('-'));
                float.map(|float| Number::Float(if text.starts_with('-') { float.negate() } else { float }))
            }
            Arithmetic::Complex(_) => None,
        };
        let number =
            number.ok_or_else(|| self.wrong_operand("cast", &value.ty, "a number that the type holds", span))?;
        let mut bytes = number.convert(arithmetic).map_err(|e| Error::new(span, e))?.to_bytes();
        bytes.truncate(size_of(to).unwrap_or(0).min(32) as usize);
        Ok(Some(Value::computed(to.clone(), &bytes)))
    }

    /// Evaluates the number that an operand is: a finite decimal float, or an integer.
    fn decimal_operand(&mut self, value: &Value, operator: &'static str, span: &Span) -> Result<Decimal, Error> {
        if decimal_size(&value.ty).is_none() {
            return match self.number(value.clone(), operator, NEEDS, span)? {
                Number::Integer(number) if number.is_negative() => {
                    Ok(Decimal::from_integer(true, number.value().unsigned_abs()))
                }
                Number::Integer(number) => Ok(Decimal::from_integer(false, number.bits())),
                _ => Err(self.wrong_operand(operator, &value.ty, NEEDS, span)),
            };
        }
        if self.unevaluated {
            return Ok(Decimal::from_integer(false, 1));
        }
        let bytes = value.scalar_bytes(self.env).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)))?;
        let number = bytes.and_then(|bytes| Decimal::from_bytes(&bytes));
        number.ok_or_else(|| self.wrong_operand(operator, &value.ty, NEEDS, span))
    }

    fn decimal_value(&self, number: Option<Decimal>, ty: TypeRef, span: &Span) -> Result<Value, Error> {
        let size = decimal_size(&ty).unwrap_or(0) as usize;
        match number.and_then(|number| number.to_bytes(size)) {
            Some(bytes) => Ok(Value::computed(ty, &bytes)),
            None => {
                let why =
                    format!("{} cannot represent the result exactly, and it is not rounded here", self.name_of(&ty));
                Err(Error::new(span, ErrorKind::NoElement(why)))
            }
        }
    }
}
