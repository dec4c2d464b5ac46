//! Operands as numbers, addresses and truth values; casts.

use super::*;
use crate::ast::{NamedCast, TypeName};
use ctype::arith::NotANumber;
use ctype::layout::{base_offset, is_vector};
use ctype::{Encoding, PointerKind, Record};

impl Evaluator<'_> {
    /// Evaluates the number that an operand is.
    pub(super) fn number(
        &mut self,
        value: Value,
        operator: &'static str,
        needs: &'static str,
        span: &Span,
    ) -> Result<Number, Error> {
        let value = self.referent(value, span)?;
        let mut value = self.peeled(value, span)?;
        if let Some(number) = self.number_of_object(&value, span)? {
            value = number;
        }
        let target = self.env.target();
        if self.unevaluated {
            // Any number of the right type will do that no operation stumbles over.
            let ty = Arithmetic::of(&value.ty, target)
                .ok_or_else(|| self.wrong_operand(operator, &value.ty, needs, span))?;
            let one = Number::int(1).convert(ty).map_err(|e| Error::new(span, e))?;
            return Ok(promoted(&value, one, target));
        }
        match value.number(self.env, target) {
            Ok(number) => Ok(promoted(&value, number, target)),
            Err(NotANumber::Unavailable(reason)) => Err(Error::new(span, ErrorKind::Unavailable(reason))),
            Err(NotANumber::Type) => Err(self.wrong_operand(operator, &value.ty, needs, span)),
        }
    }

    /// Reads the bits of a pointer or reference.
    pub(super) fn pointer_bits(&mut self, value: &Value, span: &Span) -> Result<u64, Error> {
        if self.unevaluated {
            return Ok(0);
        }
        let bytes = value.scalar_bytes(self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
        let bytes = bytes.unwrap_or_default();
        Ok(bytes.iter().take(8).rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
    }

    /// Returns whether a value takes part in pointer arithmetic: a pointer, an array or a function.
    pub(super) fn is_address(value: &Value) -> bool {
        let is_array = array_parts(&value.ty).is_some() && !is_vector(&value.ty);
        pointer_target(&value.ty).is_some() || is_array || value.is_function()
    }

    /// Converts an array or a function to what C makes of it in an operation: a pointer.
    pub(super) fn decayed(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let target = match array_parts(&value.ty) {
            Some(_) if indexing(&value.ty).stride != Stride::Element => {
                let apart = "an array whose elements do not follow each other in memory".to_owned();
                return Err(Error::new(span, ErrorKind::NoAddress(apart)));
            }
            Some((element, _)) => element,
            None if value.is_function() => value.ty.clone(),
            None => return Ok(value),
        };
        let address = match (value.address(), &value.place) {
            (Some(address), _) => address,
            (None, _) if self.unevaluated => 0,
            (None, Place::Unavailable(reason)) => {
                return Err(Error::new(span, ErrorKind::Unavailable(reason.clone())));
            }
            (None, _) => {
                return Err(Error::new(span, ErrorKind::NoAddress("an array that is not in memory".to_owned())));
            }
        };
        let size = self.env.target().pointer_size();
        Ok(Value::computed(pointer_to(target, size), &address.to_le_bytes()[..size as usize]))
    }

    /// Evaluates an operand as an address: a pointer's value, where an array or function is, or a number.
    pub(super) fn address_operand(&mut self, value: Value, span: &Span) -> Result<u64, Error> {
        let value = self.referent(value, span)?;
        if Self::is_address(&value) {
            let pointer = self.decayed(value, span)?;
            return self.pointer_bits(&pointer, span);
        }
        if let Some(address) = self.address_of_method(&value, span)? {
            return Ok(address);
        }
        let ty = value.ty.clone();
        match self.number(value, "address", "a pointer or an integer", span)? {
            Number::Integer(i) => Ok(i.bits() as u64),
            _ => Err(self.wrong_operand("address", &ty, "a pointer or an integer", span)),
        }
    }

    /// Evaluates whether a value counts as true.
    pub(super) fn truth(&mut self, value: Value, operator: &'static str, span: &Span) -> Result<bool, Error> {
        let value = self.referent(value, span)?;
        let value = self.peeled(value, span)?;
        if Self::is_address(&value) {
            return self.address_operand(value, span).map(|address| address != 0);
        }
        if let Some(truth) = self.truth_of_decimal(&value, span)? {
            return Ok(truth);
        }
        if let Some(truth) = self.truth_of_member(&value, span)? {
            return Ok(truth);
        }
        if let Some(truth) = self.truth_of_object(&value, span)? {
            return Ok(truth);
        }
        self.number(value, operator, "a number or a pointer", span).map(Number::is_nonzero)
    }

    fn no_cast(&self, from: &TypeRef, to: &TypeRef, hint: &'static str, span: &Span) -> Error {
        Error::new(span, ErrorKind::Cast { from: self.name_of(from), to: self.name_of(to), hint })
    }

    // What is written in an expression is part of the recursion: each kind has a function, so that the locals of the
    // others take no stack on every level.

    /// Evaluates `(type)operand`.
    pub(super) fn cast_written(&mut self, ty: &TypeName, operand: &Expr, span: &Span) -> Result<Value, Error> {
        let to = resolve_type(ty, self.env, span)?;
        let value = match &operand.kind {
            // It may say what the debug info does not.
            ExprKind::Apply(function, arguments) => self.apply(function, arguments, Some(&to), &operand.span)?,
            _ => self.cast_operand(operand, &to)?,
        };
        self.cast(value, to, span)
    }

    /// Evaluates `dynamic_cast<type>(operand)` and its relatives.
    pub(super) fn named_cast(
        &mut self,
        cast: NamedCast,
        ty: &TypeName,
        operand: &Expr,
        span: &Span,
    ) -> Result<Value, Error> {
        let to = resolve_type(ty, self.env, span)?;
        let value = self.value(operand)?;
        match cast {
            NamedCast::Dynamic => self.dynamic_cast(value, to, span),
            NamedCast::Reinterpret => self.reinterpret_cast(value, to, span),
            NamedCast::Const => self.const_cast(value, to, span),
        }
    }

    /// Evaluates `{type} address`.
    pub(super) fn typed(&mut self, ty: &TypeName, address: &Expr, span: &Span) -> Result<Value, Error> {
        let ty = resolve_type(ty, self.env, span)?;
        let address = self.value(address)?;
        let address = self.address_operand(address, span)?;
        Ok(Value::new(ty, Place::Memory(address)))
    }

    /// Evaluates `(to)value`.
    pub(super) fn cast(&mut self, value: Value, to: TypeRef, span: &Span) -> Result<Value, Error> {
        let value = self.referent(value, span)?;
        let value = self.chosen_for(value, &to, span)?;
        let value = self.plain_method(value, span)?;
        if let Some(class) = reference_target(&to) {
            return self.reference_cast(value, (to, class), span, |this, pointer, to| this.cast(pointer, to, span));
        }
        if let Some(decimal) = self.decimal_cast(&value, &to, span)? {
            return Ok(decimal);
        }
        let target = self.env.target();
        if let Some(arithmetic) = Arithmetic::of(&to, target) {
            let is_bool = |ty: &TypeRef| matches!(&*strip(ty), Type::Base { encoding: Encoding::Bool, .. });
            if self.is_rust() && is_bool(&to) && !is_bool(&value.ty) {
                return Err(self.no_cast(&value.ty, &to, "; compare it with 0", span));
            }
            if is_bool(&to) && matches!(&*strip(&value.ty), Type::Record(_)) && !self.is_rust() {
                let truth = self.truth_of_object(&value, span)?;
                let truth = truth.ok_or_else(|| self.no_cast(&value.ty, &to, "", span))?;
                return Ok(Value::computed(to, &[u8::from(truth)]));
            }
            let number = if Self::is_address(&value) {
                if !matches!(arithmetic, Arithmetic::Integer(_)) {
                    return Err(self.no_cast(&value.ty, &to, "", span));
                }
                let bits = self.address_operand(value, span)?;
                Number::Integer(Integer::new(IntegerType::UNSIGNED_LONG, u128::from(bits)))
            } else if Arithmetic::of(&value.ty, target).is_some() {
                self.number(value, "cast", "a number", span)?
            } else {
                return Err(self.no_cast(&value.ty, &to, "", span));
            };
            let number = match arithmetic {
                Arithmetic::Integer(ty) if self.is_rust() => Self::saturated(number, ty).unwrap_or(number),
                _ => number,
            };
            let mut bytes = number.convert(arithmetic).map_err(|e| Error::new(span, e))?.to_bytes();
            bytes.truncate(size_of(&to).unwrap_or(0).min(32) as usize);
            return Ok(Value::computed(to, &bytes));
        }
        match &*strip(&to) {
            Type::Void => Ok(Value::computed(to, &[])),
            Type::Pointer { kind: PointerKind::Pointer, target, .. } if self.is_text(&value, &target.get()) => {
                if self.unevaluated {
                    return Ok(Value::computed(to.clone(), &[0; 8]));
                }
                // A literal has no address in the recording, so it stays the array that the pointer would point to.
                let length = array_parts(&value.ty).and_then(|(_, count)| count).unwrap_or(0);
                Ok(Value { ty: array_of(target.get(), length), ..value })
            }
            Type::Pointer { kind: PointerKind::Pointer, target, size } => {
                let (from, class) = (pointer_target(&value.ty), target.get());
                if let Some(from) = &from {
                    self.only_one(from, &class, span)?;
                }
                let adjustment = self.base_adjustment(&value, &class);
                if from.is_some()
                    && let Some(moved) = value.synthetic_moved(adjustment.unwrap_or(0) as i64)
                {
                    return Ok(Value { ty: to, ..moved });
                }
                let address = match Arithmetic::of(&value.ty, self.env.target()) {
                    None if !Self::is_address(&value) => return Err(self.no_cast(&value.ty, &to, "", span)),
                    Some(Arithmetic::Float(_) | Arithmetic::Complex(_)) => {
                        return Err(self.no_cast(&value.ty, &to, "", span));
                    }
                    _ => self.address_operand(value, span)?,
                };
                let address = match (adjustment, from) {
                    _ if address == 0 => 0,
                    (Some(adjustment), _) => address.wrapping_add(adjustment),
                    // Classes that are related through the object only.
                    (None, Some(from)) if !self.unevaluated && self.is_polymorphic(&from) && is_class(&class) => {
                        match self.class_address(address, &from, &class) {
                            Some(address) => address,
                            None if self.is_derived(&from, &class) || self.is_derived(&class, &from) => {
                                let why = "where that part of the object is, cannot be found out here";
                                return Err(Error::new(span, ErrorKind::NoElement(why.to_owned())));
                            }
                            None => address,
                        }
                    }
                    _ => address,
                };
                Ok(Value::computed(to, &address.to_le_bytes()[..(*size).min(8) as usize]))
            }
            Type::Array { .. } => match value.address() {
                Some(address) => Ok(Value::new(to, Place::Memory(address))),
                None => Err(self.no_cast(&value.ty, &to, ", which is not in memory", span)),
            },
            Type::Record(record) => match &*strip(&value.ty) {
                Type::Record(from) if is_same_record(from, record) => Ok(Value { ty: to, ..value }),
                Type::Record(_) if self.is_derived(&value.ty, &to) => {
                    self.only_one(&value.ty, &to, span)?;
                    self.base_part(&value, &to, span)
                }
                _ => Err(self.no_cast(&value.ty, &to, "; reinterpret memory with *(type *)&x or {type} address", span)),
            },
            _ => Err(self.no_cast(&value.ty, &to, "", span)),
        }
    }

    /// Evaluates `reinterpret_cast<to>(value)`: of a pointer the same bits, whatever the classes have to do with each
    /// other.
    pub(super) fn reinterpret_cast(&mut self, value: Value, to: TypeRef, span: &Span) -> Result<Value, Error> {
        let value = self.referent(value, span)?;
        if let Some(class) = reference_target(&to) {
            let as_pointer = |this: &mut Self, pointer, to| this.reinterpret_cast(pointer, to, span);
            return self.reference_cast(value, (to, class), span, as_pointer);
        }
        if pointer_target(&value.ty).is_none() || pointer_target(&to).is_none() {
            return self.cast(value, to, span);
        }
        let plain = pointer_to(Arc::new(Type::Void), self.env.target().pointer_size());
        let value = self.cast(value, plain, span)?;
        self.cast(value, to, span)
    }

    /// Evaluates `const_cast<to>(value)`: never to another class.
    pub(super) fn const_cast(&mut self, value: Value, to: TypeRef, span: &Span) -> Result<Value, Error> {
        let value = self.referent(value, span)?;
        if let Some(class) = reference_target(&to) {
            let as_pointer = |this: &mut Self, pointer, to| this.const_cast(pointer, to, span);
            return self.reference_cast(value, (to, class), span, as_pointer);
        }
        if let Some((from, class)) = pointer_target(&value.ty).zip(pointer_target(&to))
            && self.name_of(&strip(&from)) != self.name_of(&strip(&class))
            && (is_class(&from) || is_class(&class))
        {
            return Err(self.no_cast(&value.ty, &to, "; const_cast changes qualifiers only", span));
        }
        self.cast(value, to, span)
    }

    /// Fails if an object of one of two classes has several parts of the other: a cast would have to choose.
    fn only_one(&self, from: &TypeRef, to: &TypeRef, span: &Span) -> Result<(), Error> {
        match !self.is_rust() && (self.has_several(from, to) || self.has_several(to, from)) {
            true => {
                Err(self.no_cast(from, to, "; one contains the other several times: cast to a class in between", span))
            }
            false => Ok(()),
        }
    }

    /// Returns whether a value is an array outside of memory, as a string literal is, of what a pointer of this kind
    /// points to.
    fn is_text(&self, value: &Value, target: &TypeRef) -> bool {
        let is_integer = |ty: &TypeRef| matches!(Arithmetic::of(ty, self.env.target()), Some(Arithmetic::Integer(_)));
        let Some((element, Some(_))) = array_parts(&value.ty) else { return false };
        let same_size = size_of(&element) == size_of(target);
        matches!(value.place, Place::Bytes(_)) && same_size && is_integer(&element) && is_integer(target)
    }

    /// Returns what to add in C++ to a pointer to a class to get one to its base, or the other way round; `None` if
    /// neither is a base of the other at a fixed place.
    fn base_adjustment(&self, value: &Value, to: &TypeRef) -> Option<u64> {
        let from = pointer_target(&value.ty)?;
        if let (Type::Record(from), Type::Record(to)) = (&*strip(&from), &*strip(to))
            && from.name == to.name
        {
            return Some(0);
        }
        base_offset(&from, to).or_else(|| base_offset(to, &from).map(u64::wrapping_neg))
    }
}

fn is_class(ty: &TypeRef) -> bool {
    matches!(&*strip(ty), Type::Record(_))
}

fn is_same_record(a: &Record, b: &Record) -> bool {
    a.name.is_some() && a.name == b.name && a.size == b.size
}
