//! Binary operators.

use super::*;
use ctype::arith::NumberOp;
use ctype::{Count, Unavailable};

/// Returns the operation on numbers that an operator stands for.
pub(super) fn number_op(op: BinaryOp) -> Option<NumberOp> {
    Some(match op {
        BinaryOp::Add => NumberOp::Add,
        BinaryOp::Subtract => NumberOp::Sub,
        BinaryOp::Multiply => NumberOp::Mul,
        BinaryOp::Divide => NumberOp::Div,
        BinaryOp::Remainder => NumberOp::Rem,
        BinaryOp::ShiftLeft => NumberOp::Shl,
        BinaryOp::ShiftRight => NumberOp::Shr,
        BinaryOp::BitAnd => NumberOp::And,
        BinaryOp::BitOr => NumberOp::Or,
        BinaryOp::BitXor => NumberOp::Xor,
        _ => return None,
    })
}

/// Returns whether a comparison holds, given how its operands are ordered; unordered ones (NaNs) only differ.
pub(super) fn holds(op: BinaryOp, ordering: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Equal => ordering == Some(Ordering::Equal),
        BinaryOp::NotEqual => ordering != Some(Ordering::Equal),
        BinaryOp::Less => ordering == Some(Ordering::Less),
        BinaryOp::LessEqual => ordering.is_some_and(Ordering::is_le),
        BinaryOp::Greater => ordering == Some(Ordering::Greater),
        _ => ordering.is_some_and(Ordering::is_ge),
    }
}

impl Evaluator<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: &Span) -> Result<Value, Error> {
        match op {
            BinaryOp::Comma => {
                self.only_type(a)?;
                self.value(b)
            }
            BinaryOp::And | BinaryOp::Or => self.logical(op, a, b),
            BinaryOp::Repeat => self.repeat(a, b, span),
            BinaryOp::MemberAt | BinaryOp::MemberThrough => self.pointed_member(op, a, b, span),
            _ => {
                if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
                    && let Some(equal) = self.compare_variants(a, b)?
                {
                    return Ok(self.truth_value(equal == (op == BinaryOp::Equal)));
                }
                if let Some(truth) = self.compare_nullopt(op, a, b)? {
                    return Ok(truth);
                }
                let (left, right) = self.operands(op, a, b)?;
                self.binary_values(op, (left, a), (right, b), span)
            }
        }
    }

    /// Evaluates an operation on values; the expressions say where they come from.
    pub(super) fn binary_values(
        &mut self,
        op: BinaryOp,
        (left, a): (Value, &Expr),
        (right, b): (Value, &Expr),
        span: &Span,
    ) -> Result<Value, Error> {
        let left = self.referent(left, &a.span)?;
        let right = self.referent(right, &b.span)?;
        let is_pointer = |value: &Value, expr| !rust::is_borrow(expr) && rust::is_raw(value);
        let (left_is_one, right_is_one) = (is_pointer(&left, a), is_pointer(&right, b));
        let left = self.borrowed(left, a, right_is_one)?;
        let right = self.borrowed(right, b, left_is_one)?;
        let mut left = self.peeled(left, &a.span)?;
        let mut right = self.peeled(right, &b.span)?;
        if number_op(op).is_none() {
            if let Some(truth) = self.compare_optionals(op, (&left, a), (&right, b), span)? {
                return Ok(truth);
            }
            if let Some(truth) = self.compare_null(op, (&left, a), (&right, b))? {
                return Ok(truth);
            }
            if let Some(truth) = self.compare_iterators(op, (&left, a), (&right, b))? {
                return Ok(truth);
            }
            if let Some(truth) = self.compare_members(op, (&left, a), (&right, b))? {
                return Ok(truth);
            }
        }
        if let Some(result) = self.chrono_operation(op, (&left, a), (&right, b), span)? {
            return Ok(result);
        }
        left = self.plain_pointer(left, &a.span)?;
        right = self.plain_pointer(right, &b.span)?;
        if let Some(vector) = self.vector_operation(op, (&left, a), (&right, b), span)? {
            return Ok(vector);
        }
        if let Some(decimal) = self.decimal_operation(op, (&left, a), (&right, b), span)? {
            return Ok(decimal);
        }
        if number_op(op).is_none() {
            left = self.unboxed(left, &a.span)?;
            right = self.unboxed(right, &b.span)?;
            left = self.pointer_in(left, &right, &a.span)?;
            right = self.pointer_in(right, &left, &b.span)?;
        }
        self.no_own_binary(op, (&left, &right), span)?;
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
            && let Some(equal) = self.compare_enums(&left, &right, b)?
        {
            return Ok(self.truth_value(equal == (op == BinaryOp::Equal)));
        }
        if number_op(op).is_none()
            && let Some(truth) = self.compare_sequences(op, (&left, a), (&right, b), span)?
        {
            return Ok(truth);
        }
        let pointers = Self::is_address(&left) || Self::is_address(&right);
        if number_op(op).is_none()
            && let Some(truth) = self.compare_texts(op, (&left, a), (&right, b), span)?
        {
            return Ok(truth);
        }
        if number_op(op).is_some()
            && let Some((boxed, at)) = [(&left, &a.span), (&right, &b.span)].into_iter().find(|(v, _)| self.is_boxed(v))
        {
            return Err(self.wrong_operand(op.symbol(), &boxed.ty, "numbers; `*` leads into a box", at));
        }
        match number_op(op) {
            None if pointers => self.compare_addresses(op, (left, a), (right, b)),
            None => self.compare_numbers(op, (left, a), (right, b), span),
            Some(_) if pointers => self.pointer_arithmetic(op, (left, a), (right, b), span),
            Some(operation) if self.is_rust() => self.rust_arithmetic(operation, (left, a), (right, b), span),
            Some(operation) => {
                let types = [left.ty.clone(), right.ty.clone()];
                let x = self.number(left, op.symbol(), "numbers", &a.span)?;
                let y = self.number(right, op.symbol(), "numbers", &b.span)?;
                let result = arith::binary(operation, x, y).map_err(|e| Error::new(span, e))?;
                Ok(self.result_like(result, &types))
            }
        }
    }

    /// Evaluates `+x`, `-x` or `~x` of a number or a vector.
    pub(super) fn sign(&mut self, op: UnaryOp, value: Value, span: &Span) -> Result<Value, Error> {
        let value = self.referent(value, span)?;
        self.no_own_unary(op, &value, span)?;
        if let Some(flipped) = self.bit_flipped(op, &value, span)? {
            return Ok(flipped);
        }
        let signed = |number: Number, field: Option<Bits>| match op {
            UnaryOp::Plus => Ok(number.promoted()),
            UnaryOp::Minus => Ok(number.negated().after_sign(field)),
            _ => Ok(number.complemented().map_err(|e| Error::new(span, e))?.after_sign(field)),
        };
        if let Some(vector) = self.vector_sign(op, &value, span, |number| signed(number, None))? {
            return Ok(vector);
        }
        if let Some(decimal) = self.decimal_sign(op, &value, span)? {
            return Ok(decimal);
        }
        if let Some(duration) = self.chrono_sign(op, &value, span)? {
            return Ok(duration);
        }
        let (ty, field) = (value.ty.clone(), value.bits);
        let number = self.number(value, op.symbol(), "a number", span)?;
        Ok(self.result_like(signed(number, field)?, &[ty]))
    }

    /// Makes a number that was computed a value: of the type of an operand that computes as it does, where formats of
    /// floating-point numbers have several types.
    pub(super) fn result_like(&self, result: Number, operands: &[TypeRef]) -> Value {
        let is_own_type = |ty: &TypeRef| match &**ty {
            Type::Base { name, .. } => {
                let has_own_name = ["_Float", "__float", "long double"].iter().any(|start| name.starts_with(start));
                Arithmetic::of(ty, self.env.target()) == Some(result.ty()) && has_own_name
            }
            _ => false,
        };
        match operands.iter().map(strip).find(is_own_type) {
            Some(ty) => Value::computed(ty, &result.to_bytes()),
            None => Value::from_number(result),
        }
    }

    /// Takes the pointer in a smart pointer that is compared with an address, or with another smart pointer.
    fn pointer_in(&mut self, value: Value, other: &Value, span: &Span) -> Result<Value, Error> {
        let is_object = |value: &Value| matches!(&*strip(&value.ty), Type::Record(_));
        if !is_object(&value) || !(Self::is_address(other) || is_object(other)) {
            return Ok(value);
        }
        let facts = self.meaning(&value, span)?.map(|meaning| meaning.facts).unwrap_or_default();
        let pointer = facts.into_iter().find(|(name, _)| *name == "get").map(|(_, pointer)| pointer);
        Ok(pointer.filter(|pointer| pointer_target(&pointer.ty).is_some()).unwrap_or(value))
    }

    fn logical(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Value, Error> {
        let left = self.value(a)?;
        let left = self.truth(left, op.symbol(), &a.span)?;
        if left == (op == BinaryOp::Or) {
            // Not evaluated, but a misspelt name in it is an error all the same.
            match self.only_type(b) {
                Err(Error { kind: ErrorKind::Deferred, .. }) => {}
                ty => drop(ty?),
            }
            return Ok(self.truth_value(left));
        }
        let right = self.value(b)?;
        self.truth(right, op.symbol(), &b.span).map(|truth| self.truth_value(truth))
    }

    /// Evaluates `first@count`: an array of what lies at `first` and after it.
    fn repeat(&mut self, a: &Expr, b: &Expr, span: &Span) -> Result<Value, Error> {
        let first = self.value(a)?;
        let first = self.referent(first, &a.span)?;
        if self.unevaluated {
            return Ok(self.repeated_type(first, b));
        }
        let count = self.value(b)?;
        let count = match self.number(count, "@", "an integer count", &b.span)? {
            Number::Integer(count) => count.value(),
            _ => return Err(Error::new(&b.span, ErrorKind::Repetitions(0))),
        };
        let Some(address) = first.address() else {
            return Err(Error::new(&a.span, ErrorKind::NotRepeatable));
        };
        if !(1..=i128::from(i32::MAX)).contains(&count) {
            return Err(Error::new(&b.span, ErrorKind::Repetitions(count)));
        }
        if size_of(&first.ty).is_none() {
            return Err(Error::new(span, ErrorKind::Incomplete(self.name_of(&first.ty))));
        }
        Ok(Value::new(array_of(first.ty, count as u64), Place::Memory(address)))
    }

    /// Makes an array as `first@count` is, of which only the type matters. How long it is depends on the value of the
    /// count; where that cannot be had, nothing is known of the length.
    fn repeated_type(&mut self, first: Value, count: &Expr) -> Value {
        let mut evaluating = Evaluator { env: self.env, unevaluated: false, sized: false, depth: 0, compared: 0 };
        let number = evaluating.value(count).and_then(|value| evaluating.number(value, "@", "a count", &count.span));
        let count = match number {
            Ok(Number::Integer(count)) => u64::try_from(count.value()).ok().filter(|count| *count > 0),
            _ => None,
        };
        let indexing = Indexing::default();
        let count = count.map_or(Count::Unknown, Count::Known);
        let place = Place::Memory(first.address().unwrap_or_default());
        Value::new(Arc::new(Type::Array { element: first.ty.into(), count, indexing }), place)
    }

    /// Compares a text object with another or with characters, or characters with a literal.
    fn compare_texts(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let is_object = |value: &Value| matches!(&*strip(&value.ty), Type::Record(_));
        let is_literal = |expr: &Expr| matches!(expr.kind, ExprKind::String(..));
        if !is_object(left) && !is_object(right) && !is_literal(a) && !is_literal(b) {
            return Ok(None);
        }
        // Where only types matter, there is nothing to be read.
        if self.unevaluated && is_characters(left) && is_characters(right) {
            return Ok(Some(self.truth_value(false)));
        }
        // A null pointer is no text at all.
        for (value, other) in [(left, b), (right, a)] {
            if is_literal(other)
                && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
                && pointer_target(&value.ty).is_some()
                && !self.unevaluated
                && self.pointer_bits(value, span)? == 0
            {
                return Ok(Some(self.truth_value(op == BinaryOp::NotEqual)));
            }
        }
        let (x, y) = (self.text_of(left, &a.span)?, self.text_of(right, &b.span)?);
        if let (Some(x), Some(y)) = (&x, &y) {
            return Ok(Some(self.truth_value(holds(op, Some(x.cmp(y))))));
        }
        for (text, value, expr, other) in [(x, left, a, b), (y, right, b, a)] {
            let target = pointer_target(&value.ty).and_then(|target| meaning::character_width(&target));
            if text.is_none() && is_literal(other) && target.is_some() {
                let address = self.pointer_bits(value, &expr.span)?;
                return Err(Error::new(&expr.span, ErrorKind::Unavailable(Unavailable::Memory(address))));
            }
        }
        Ok(None)
    }

    fn compare_numbers(
        &mut self,
        op: BinaryOp,
        (left, a): (Value, &Expr),
        (right, b): (Value, &Expr),
        span: &Span,
    ) -> Result<Value, Error> {
        let x = self.number(left, op.symbol(), "numbers or pointers", &a.span)?;
        let y = self.number(right, op.symbol(), "numbers or pointers", &b.span)?;
        let is_complex = |n: &Number| matches!(n, Number::Complex(..));
        if (is_complex(&x) || is_complex(&y)) && !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return Err(Error::new(span, arith::ArithmeticError::Unordered));
        }
        // Rust compares numbers of one type only; of different ones, their values are what is meant.
        let ordering = match (x, y) {
            (Number::Integer(x), Number::Integer(y)) if self.is_rust() => Some(arithmetic::exact_order(x, y)),
            _ => arith::compare(x, y).map_err(|e| Error::new(span, e))?,
        };
        Ok(self.truth_value(holds(op, ordering)))
    }

    fn compare_addresses(
        &mut self,
        op: BinaryOp,
        (left, a): (Value, &Expr),
        (right, b): (Value, &Expr),
    ) -> Result<Value, Error> {
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            iterator::no_distance(&left.ty, &a.span)?;
            iterator::no_distance(&right.ty, &b.span)?;
        }
        let (left, right) = self.as_one_class(left, right, (&a.span, &b.span))?;
        let x = self.address_operand(left, &a.span)?;
        let y = self.address_operand(right, &b.span)?;
        Ok(self.truth_value(holds(op, Some(x.cmp(&y)))))
    }

    /// Converts both pointers to one class: in C++, pointers to a class and to its base are compared as pointers to the
    /// base.
    fn as_one_class(&mut self, left: Value, right: Value, spans: (&Span, &Span)) -> Result<(Value, Value), Error> {
        let targets = pointer_target(&left.ty).zip(pointer_target(&right.ty));
        let Some((to_left, to_right)) = targets.filter(|_| !self.is_rust()) else { return Ok((left, right)) };
        if self.is_derived(&to_left, &to_right) {
            return Ok((self.cast(left, right.ty.clone(), spans.0)?, right));
        }
        if self.is_derived(&to_right, &to_left) {
            let right = self.cast(right, left.ty.clone(), spans.1)?;
            return Ok((left, right));
        }
        Ok((left, right))
    }

    fn pointer_arithmetic(
        &mut self,
        op: BinaryOp,
        (left, a): (Value, &Expr),
        (right, b): (Value, &Expr),
        span: &Span,
    ) -> Result<Value, Error> {
        let left = self.decayed(left, &a.span)?;
        let right = self.decayed(right, &b.span)?;
        match (op, Self::is_address(&left), Self::is_address(&right)) {
            (BinaryOp::Add, true, false) => {
                let distance = self.distance(right, op, &b.span)?;
                self.offset_pointer(left, distance, span)
            }
            (BinaryOp::Add, false, true) => {
                let distance = self.distance(left, op, &a.span)?;
                self.offset_pointer(right, distance, span)
            }
            (BinaryOp::Subtract, true, false) => {
                let distance = self.distance(right, op, &b.span)?;
                self.offset_pointer(left, distance.wrapping_neg(), span)
            }
            (BinaryOp::Subtract, true, true) => self.pointer_difference(left, right, span),
            _ => {
                let (ty, at) = if Self::is_address(&left) { (&left.ty, &a.span) } else { (&right.ty, &b.span) };
                Err(self.wrong_operand(op.symbol(), ty, "numbers", at))
            }
        }
    }

    fn distance(&mut self, value: Value, op: BinaryOp, span: &Span) -> Result<i128, Error> {
        let ty = value.ty.clone();
        match self.number(value, op.symbol(), "a pointer and an integer", span)? {
            Number::Integer(distance) => Ok(distance.value()),
            _ => Err(self.wrong_operand(op.symbol(), &ty, "a pointer and an integer", span)),
        }
    }

    /// Returns what a pointer moves by in one step. GNU C lets `void *` and pointers to functions move by bytes.
    fn step(&mut self, pointer: &Value, span: &Span) -> Result<u64, Error> {
        let target = pointer_target(&pointer.ty).unwrap_or_else(|| pointer.ty.clone());
        self.size(&target, span)
    }

    /// Moves a pointer that many elements further.
    pub(super) fn offset_pointer(&mut self, pointer: Value, distance: i128, span: &Span) -> Result<Value, Error> {
        if distance == 0 {
            return Ok(pointer);
        }
        iterator::no_distance(&pointer.ty, span)?;
        let pointer = iterator::unmarked(pointer);
        let step = self.step(&pointer, span)?;
        if let Some(moved) = pointer.synthetic_moved((distance as i64).wrapping_mul(step as i64)) {
            return Ok(moved);
        }
        let bits = self.pointer_bits(&pointer, span)?;
        let moved = bits.wrapping_add((distance as u64).wrapping_mul(step));
        let size = size_of(&pointer.ty).unwrap_or(8).min(8) as usize;
        Ok(Value::computed(pointer.ty, &moved.to_le_bytes()[..size]))
    }

    fn pointer_difference(&mut self, left: Value, right: Value, span: &Span) -> Result<Value, Error> {
        iterator::no_distance(&left.ty, span)?;
        iterator::no_distance(&right.ty, span)?;
        let (x, y) = (self.step(&left, span)?, self.step(&right, span)?);
        if x != y || x == 0 {
            let kind = ErrorKind::PointerDifference(self.name_of(&left.ty), self.name_of(&right.ty));
            return Err(Error::new(span, kind));
        }
        let bytes = self.pointer_bits(&left, span)?.wrapping_sub(self.pointer_bits(&right, span)?) as i64;
        let elements = i128::from(bytes) / i128::from(x);
        Ok(Value::from_number(Number::Integer(Integer::new(IntegerType::LONG, elements as u128))))
    }
}

/// Returns whether a value is an array of characters, or points to some.
fn is_characters(value: &Value) -> bool {
    meaning::element_of(value).is_some_and(|element| meaning::character_width(&element).is_some())
}

/// Promotes a value where its type alone does not say to what.
pub(super) fn promoted(value: &Value, number: Number, target: Target) -> Number {
    match (number, Arithmetic::promotion(&value.ty, value.bits, target)) {
        (Number::Integer(i), Some(ty)) => Number::Integer(i.convert(ty)),
        // A type to store numbers in only: all operators take it as a `float` (Arm C Language Extensions).
        (Number::Float(_), _) if is_storage_only(&value.ty) => {
            number.convert(Arithmetic::Float(ctype::float::FloatFormat::Single)).unwrap_or(number)
        }
        _ => number,
    }
}

fn is_storage_only(ty: &TypeRef) -> bool {
    matches!(&*strip(ty), Type::Base { name, .. } if name == "__fp16")
}
