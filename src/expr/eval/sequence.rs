//! Rust's arrays, slices and vectors in comparisons: element by element, the first that differs decides.

use super::slice::side_by_side;
use super::*;

/// Elements that are compared; of longer ones nothing is.
const MAX_ELEMENTS: u64 = 1 << 16;
/// Bytes that are read at once, of elements that are numbers.
const MAX_BYTES: u64 = 1 << 19;
const NEEDS: &str = "an array, a slice or a vector whose elements have the same type";

impl Evaluator<'_> {
    /// Compares arrays, slices and vectors; `None` if neither side is an array, or if both sides are none of these.
    pub(super) fn compare_sequences(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        if !self.is_rust() || rust::is_raw(left) || rust::is_raw(right) {
            return Ok(None);
        }
        // Characters of C, which a program in both languages has, are a text.
        let is_text = |ty: &TypeRef| meaning::character_width(ty).is_some();
        let is_array = |value: &Value| array_parts(&value.ty).is_some_and(|(element, _)| !is_text(&element));
        if [left, right].iter().any(|value| array_parts(&value.ty).is_some() && !is_array(value)) {
            return Ok(None);
        }
        let (x, y) = match (self.sequence(left, &a.span)?, self.sequence(right, &b.span)?) {
            (Some(x), Some(y)) => (x, y),
            (None, Some(_)) if is_array(right) => {
                return Err(self.wrong_operand(op.symbol(), &left.ty, NEEDS, &a.span));
            }
            (Some(_), None) if is_array(left) => {
                return Err(self.wrong_operand(op.symbol(), &right.ty, NEEDS, &b.span));
            }
            _ => return Ok(None),
        };
        let (Some((first, Some(m))), Some((second, Some(n)))) = (array_parts(&x.ty), array_parts(&y.ty)) else {
            return Ok(None);
        };
        let is_number = |ty: &TypeRef| matches!(&*strip(ty), Type::Base { .. });
        let is_other = (is_number(&first) || is_number(&second)) && self.name_of(&first) != self.name_of(&second);
        // Arrays of different lengths are of different types.
        if is_other || (is_array(left) && is_array(right) && m != n) {
            return Err(self.wrong_operand(op.symbol(), &right.ty, NEEDS, &b.span));
        }
        if self.unevaluated {
            return Ok(Some(self.truth_value(false)));
        }
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let of_lengths = Some(self.truth_value(operator::holds(op, Some(m.cmp(&n)))));
        if is_equality && m != n {
            return Ok(of_lengths);
        }
        if m.min(n) > MAX_ELEMENTS {
            let why = format!("of {} elements only the first {MAX_ELEMENTS} could be compared", m.min(n));
            return Err(meaning::no_element(span, &why));
        }
        let (x, y) = (self.read_at_once(x, &a.span)?, self.read_at_once(y, &b.span)?);
        let (a, b) = (unborrowed(a), unborrowed(b));
        for index in 0..m.min(n) {
            let x = self.element(&x, i128::from(index), span)?;
            let y = self.element(&y, i128::from(index), span)?;
            if !self.is_equal_at((x.clone(), a), (y.clone(), b), span)? {
                return match is_equality {
                    true => Ok(Some(self.truth_value(op == BinaryOp::NotEqual))),
                    false => self.binary_values(op, (x, a), (y, b), span).map(Some),
                };
            }
        }
        Ok(of_lengths)
    }

    /// Returns the elements of an array, a slice or a vector as an array; `None` of anything else.
    fn sequence(&mut self, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        match array_parts(&value.ty) {
            Some((_, Some(_))) => Ok(Some(value.clone())),
            Some((_, None)) => Ok(None),
            None => {
                let Some(found) = self.meaning(value, span)?.and_then(side_by_side) else { return Ok(None) };
                Ok((!found.is_text).then(|| found.array()))
            }
        }
    }

    /// Reads an array of numbers, instead of each of its elements by itself.
    fn read_at_once(&mut self, array: Value, span: &Span) -> Result<Value, Error> {
        let is_number = array_parts(&array.ty).is_some_and(|(ty, _)| matches!(&*strip(&ty), Type::Base { .. }));
        let size = size_of(&array.ty).filter(|size| (1..=MAX_BYTES).contains(size) && is_number);
        let (Some(size), Place::Memory(_)) = (size, &array.place) else { return Ok(array) };
        let bytes = array.read(self.env, 0, size as usize);
        let bytes = bytes.map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
        Ok(Value::computed(array.ty, &bytes))
    }
}

/// Returns what an expression borrows: what is said of its elements is said of that.
fn unborrowed(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::AddressOf, inner) => unborrowed(inner),
        _ => expr,
    }
}
