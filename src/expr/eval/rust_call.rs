//! What is passed to a function of Rust.
//!
//! Rust promises nothing about it, but what its compiler does with the simplest types is the same in all versions: a
//! number, a pointer or a reference takes the next register of its kind, and a reference to a slice, a text or a `dyn`
//! is two such words. All else (structures, enums with fields, tuples) it takes apart as it sees fit, and is refused.

use super::*;
use crate::env::Passed;
use ctype::{Encoding as BaseEncoding, Record};

/// Bytes of a pointer with what belongs to it.
const WIDE: u64 = 16;

impl Evaluator<'_> {
    /// Evaluates what is passed to a function of Rust for a parameter of this type.
    pub(super) fn passed_to_rust(&mut self, parameter: &TypeRef, argument: &Expr) -> Result<Passed, Error> {
        let span = &argument.span;
        if let (ExprKind::String(Encoding::Utf8, units), "&str") = (&argument.kind, self.name_of(parameter).as_str()) {
            let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
            let length = bytes.len() as u64;
            return Ok(Passed::Copy(bytes, Some(length)));
        }
        let value = self.value(argument)?;
        self.rust_argument(parameter, value, argument, span)
    }

    /// Passes a value for a parameter of this type.
    pub(super) fn rust_argument(
        &mut self,
        parameter: &TypeRef,
        value: Value,
        argument: &Expr,
        span: &Span,
    ) -> Result<Passed, Error> {
        if let Some(target) = pointer_target(parameter) {
            return self.rust_pointer(parameter, &target, value, span);
        }
        if is_wide_reference(parameter) {
            return self.rust_wide_reference(parameter, value, argument, span);
        }
        let is_scalar = matches!(
            &*strip(parameter),
            Type::Base { encoding: BaseEncoding::Float, size: 4 | 8, .. } | Type::Enumeration(_)
        ) || matches!(&*strip(parameter), Type::Base { encoding, size: 1..=8, .. }
            if !matches!(encoding, BaseEncoding::Float | BaseEncoding::ComplexFloat | BaseEncoding::Other));
        if !is_scalar {
            let why = format!(
                "it takes {} by value, and how Rust does that is not laid down: only numbers, references and pointers are \
                 passed",
                self.name_of(parameter)
            );
            return Err(Error::new(span, ErrorKind::Call(why)));
        }
        let value = self.peeled(value, span)?;
        let value = self.cast(value, parameter.clone(), span)?;
        let bytes = value.scalar_bytes(self.env).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)))?;
        Ok(Passed::Scalar(value.ty, bytes.unwrap_or_default()))
    }

    /// Passes a thin pointer: one to what the parameter points to, or the address of a copy of a number.
    fn rust_pointer(
        &mut self,
        parameter: &TypeRef,
        target: &TypeRef,
        value: Value,
        span: &Span,
    ) -> Result<Passed, Error> {
        let is_same = |this: &Self, ty: &TypeRef| this.name_of(&strip(ty)) == this.name_of(&strip(target));
        let mut value = value;
        // A reference to a reference gives way where one is wanted that leads to the same.
        for _ in 0..meaning::MAX_WRAPPERS {
            match pointer_target(&value.ty) {
                Some(pointed) if is_same(self, &pointed) || matches!(&*strip(target), Type::Void) => {
                    let word = self.pointer_bits(&value, span)?;
                    return Ok(Passed::Scalar(parameter.clone(), word.to_le_bytes().to_vec()));
                }
                Some(_) => value = self.dereference(value, span)?,
                None => break,
            }
        }
        // `&3`
        if Arithmetic::of(target, self.env.target()).is_some() && matches!(value.place, Place::Bytes(_)) {
            let value = self.cast(value, target.clone(), span)?;
            let bytes = value.scalar_bytes(self.env).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)))?;
            return Ok(Passed::Copy(bytes.unwrap_or_default(), None));
        }
        let (wanted, given) = (self.name_of(parameter), self.name_of(&value.ty));
        let hint = if is_same(self, &value.ty) { "; take its address with &" } else { "" };
        let why = format!("it takes {wanted}, which this is not: {given}{hint}");
        Err(Error::new(span, ErrorKind::Call(why)))
    }

    /// Passes a reference to a slice, a text or a `dyn`: one of the same type, or to what lies side by side in a value.
    fn rust_wide_reference(
        &mut self,
        parameter: &TypeRef,
        value: Value,
        argument: &Expr,
        span: &Span,
    ) -> Result<Passed, Error> {
        let wanted = self.name_of(parameter);
        let is_it = |name: &str| without_mut(name) == without_mut(&wanted);
        let mut value = value;
        if !is_it(&self.name_of(&value.ty)) && !wanted.contains("dyn ") {
            if pointer_target(&value.ty).is_some() {
                value = self.dereference(value, &argument.span)?;
            }
            value = self.whole_slice(value, argument, span)?;
        }
        let given = self.name_of(&value.ty);
        if !is_it(&given) {
            let why = format!("it takes {wanted}, which this is not: {given}");
            return Err(Error::new(span, ErrorKind::Call(why)));
        }
        let mut word = |at| value.word(at, self.env).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)));
        Ok(Passed::Words(vec![word(0)?, word(8)?]))
    }
}

/// Returns a reference's name as if it were shared.
fn without_mut(name: &str) -> String {
    name.replacen("&mut ", "&", 1)
}

/// Returns whether a type is a reference of two words.
fn is_wide_reference(ty: &TypeRef) -> bool {
    let is_named = |record: &Record| record.name.as_deref().is_some_and(|name| name.starts_with('&'));
    matches!(&*strip(ty), Type::Record(record) if is_named(record)) && size_of(ty) == Some(WIDE)
}
