//! Arithmetic of GNU C's vectors: element by element, with a number in place of either vector.

use super::arithmetic::exact_order;
use super::operator::{holds, number_op};
use super::*;
use ctype::Qualifier;
use ctype::layout::{is_vector, qualified};

/// Bytes of a vector that is computed with.
const MAX_SIZE: u64 = 4096;
const NEEDS: &str = "vectors of one type, or a vector and a number that its elements can hold";

/// The elements of a vector.
#[derive(Clone)]
struct Shape {
    element: TypeRef,
    count: u64,
    /// Bytes of the vector.
    size: u64,
    computes: Arithmetic,
}

impl Evaluator<'_> {
    /// Evaluates an operation of which an operand is a vector; `None` if none is.
    pub(super) fn vector_operation(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let shapes = [self.shape(left), self.shape(right)];
        let Some(shape) = shapes.iter().flatten().next().cloned() else { return Ok(None) };
        for (own, value, expr) in [(&shapes[0], left, a), (&shapes[1], right, b)] {
            let fits = match (own, Arithmetic::of(&value.ty, self.env.target())) {
                (Some(own), _) => own.count == shape.count && own.computes == shape.computes,
                (None, Some(Arithmetic::Integer(_))) => true,
                (None, Some(Arithmetic::Float(_))) => matches!(shape.computes, Arithmetic::Float(_)),
                (None, _) => false,
            };
            if !fits {
                return Err(self.wrong_operand(op.symbol(), &value.ty, NEEDS, &expr.span));
            }
        }
        let mut numbers = Vec::new();
        for index in 0..shape.count {
            let x = self.element_number(left, &shape, index, op.symbol(), &a.span)?;
            let y = self.element_number(right, &shape, index, op.symbol(), &b.span)?;
            let result = match number_op(op) {
                Some(operation) => arith::binary(operation, x, y),
                None => arith::compare(x, y).map(|order| Number::int(-i32::from(holds(op, order)))),
            };
            numbers.push(result.map_err(|error| Error::new(span, error))?);
        }
        // A comparison makes a vector of integers as wide as the elements, of which all bits or none are set.
        let of_truth = IntegerType::of_size(size_of(&shape.element).unwrap_or(1), true).map(Arithmetic::Integer);
        match of_truth.filter(|_| number_op(op).is_none()) {
            Some(computes) => self.vector(&Shape { element: computes.base_type(), computes, ..shape }, numbers, span),
            None => self.vector(&shape, numbers, span),
        }
        .map(Some)
    }

    /// Evaluates an operator of each element of a vector; `None` if the operand is none.
    pub(super) fn vector_sign(
        &mut self,
        op: UnaryOp,
        value: &Value,
        span: &Span,
        sign: impl Fn(Number) -> Result<Number, Error>,
    ) -> Result<Option<Value>, Error> {
        let Some(shape) = self.shape(value) else { return Ok(None) };
        let mut numbers = Vec::new();
        for index in 0..shape.count {
            let number = self.element_number(value, &shape, index, op.symbol(), span)?;
            numbers.push(sign(number)?);
        }
        self.vector(&shape, numbers, span).map(Some)
    }

    /// Returns what the elements of a vector are that can be computed with.
    fn shape(&self, value: &Value) -> Option<Shape> {
        let (element, count) = array_parts(&value.ty).filter(|_| is_vector(&value.ty))?;
        let (element, count) = (strip(&element), count?);
        let is_bounded = size_of(&element)?.checked_mul(count)? <= MAX_SIZE;
        match Arithmetic::of(&element, self.env.target())? {
            Arithmetic::Integer(IntegerType { rank: Rank::Bool, .. }) | Arithmetic::Complex(_) => None,
            computes => is_bounded.then_some(Shape { element, count, size: size_of(&value.ty)?, computes }),
        }
    }

    /// Evaluates the number that an operand has for an element: a number that is no vector is the same for all.
    fn element_number(
        &mut self,
        value: &Value,
        shape: &Shape,
        index: u64,
        operator: &'static str,
        span: &Span,
    ) -> Result<Number, Error> {
        if is_vector(&value.ty) {
            let element = self.element(value, i128::from(index), span)?;
            return self.number(element, operator, NEEDS, span);
        }
        let number = self.number(value.clone(), operator, NEEDS, span)?;
        let held = number.convert(shape.computes).map_err(|error| Error::new(span, error))?;
        let order = match (number, held) {
            (Number::Integer(x), Number::Integer(y)) => Some(exact_order(x, y)),
            (x, y) => arith::compare(x, y).map_err(|error| Error::new(span, error))?,
        };
        match order == Some(Ordering::Equal) || self.unevaluated {
            true => Ok(held),
            false => Err(self.wrong_operand(operator, &value.ty, NEEDS, span)),
        }
    }

    /// Makes a vector of numbers, each cut to what an element holds.
    fn vector(&self, shape: &Shape, numbers: Vec<Number>, span: &Span) -> Result<Value, Error> {
        let size = size_of(&shape.element).unwrap_or(0) as usize;
        let mut bytes = Vec::new();
        for number in numbers {
            let element = number.convert(shape.computes).map_err(|error| Error::new(span, error))?.to_bytes();
            bytes.extend(element.iter().copied().chain(std::iter::repeat(0)).take(size));
        }
        let vector = qualified(Qualifier::Vector, array_of(shape.element.clone(), shape.count));
        let ty = match usize::try_from(shape.size).ok().filter(|size| *size > bytes.len() && shape.size <= 2 * MAX_SIZE)
        {
            Some(size) => {
                bytes.resize(size, 0);
                qualified(Qualifier::Padded(shape.size), vector)
            }
            None => vector,
        };
        Ok(Value::computed(ty, &bytes))
    }
}
