//! `sizeof` and `_Alignof`.

use super::*;
use crate::TypeName;

impl Evaluator<'_> {
    /// Evaluates `sizeof x`, of which nothing is read or called.
    pub(super) fn size_of_operand(&mut self, operand: &Expr) -> Result<Value, Error> {
        let ty = match is_c_character(operand, self.env.target()) {
            true => Arithmetic::Integer(IntegerType::INT).base_type(),
            false => {
                let mut sizing = Evaluator { env: self.env, unevaluated: true, sized: true, depth: 0, compared: 0 };
                sizing.value(operand)?.ty
            }
        };
        self.size(&ty, &operand.span).map(|size| self.size_value(size))
    }

    /// Evaluates `_Alignof(type)`.
    pub(super) fn alignment(&mut self, ty: &TypeName, span: &Span) -> Result<Value, Error> {
        let ty = resolve_type(ty, self.env, span)?;
        let ty = reference_target(&ty).unwrap_or(ty);
        let ty = completed(&ty, self.env).unwrap_or(ty);
        let align = alignof(&ty).ok_or_else(|| Error::new(span, ErrorKind::Incomplete(self.name_of(&ty))))?;
        Ok(self.size_value(align))
    }

    /// Returns what `sizeof` says: GNU C gives functions and `void` a size of 1.
    pub(super) fn size(&mut self, ty: &TypeRef, span: &Span) -> Result<u64, Error> {
        let ty = reference_target(ty).unwrap_or_else(|| ty.clone());
        let ty = completed(&ty, self.env).unwrap_or(ty);
        match &*strip(&ty) {
            Type::Void | Type::Function { .. } => Ok(1),
            Type::Record(Record { size: None, members, .. }) if !members.is_empty() => {
                Err(Error::new(span, ErrorKind::NoSize(self.name_of(&ty))))
            }
            _ => size_without_gaps(&ty).ok_or_else(|| Error::new(span, ErrorKind::Incomplete(self.name_of(&ty)))),
        }
    }

    pub(super) fn size_value(&self, size: u64) -> Value {
        let number = Number::Integer(Integer::new(IntegerType::UNSIGNED_LONG, u128::from(size)));
        match self.is_rust() {
            true => Value::computed(rust_primitive("usize"), &number.to_bytes()),
            false => Value::from_number(number),
        }
    }
}
