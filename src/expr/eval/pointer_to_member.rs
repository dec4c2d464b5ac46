//! C++'s pointers to members: `object.*member`, `pointer->*member`.

use super::meaning::no_element;
use super::*;

impl Evaluator<'_> {
    /// Evaluates the member of an object that a pointer to member means.
    pub(super) fn pointed_member(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: &Span) -> Result<Value, Error> {
        let object = self.value(a)?;
        let mut object = self.referent(object, &a.span)?;
        if op == BinaryOp::MemberThrough {
            object = self.dereference(object, &a.span)?;
        }
        let pointer = self.value(b)?;
        let pointer = self.referent(pointer, &b.span)?;
        let (class, target) = match &*strip(&pointer.ty) {
            Type::MemberPointer { class, target, .. } => (class.get(), target.get()),
            _ => return Err(self.wrong_operand(op.symbol(), &pointer.ty, "a pointer to a member", &b.span)),
        };
        if matches!(&*strip(&target), Type::Function { .. }) {
            return Err(Error::new(span, ErrorKind::Refused(Refusal::Call)));
        }
        let needs = "an object of the class that the pointer is about";
        let part = self.part_of_class(&object, &class);
        let part = part.ok_or_else(|| self.wrong_operand(op.symbol(), &object.ty, needs, &a.span))?;
        let offset = self.pointer_bits(&pointer, &b.span)?;
        if offset == u64::MAX {
            return Err(no_element(&b.span, "the pointer to member is null"));
        }
        Ok(part.part(target, offset, None))
    }

    /// Returns the address of the member function that a pointer means; `None` for other values, and for a pointer to a
    /// virtual function, which each class may have its own of.
    pub(super) fn address_of_method(&mut self, value: &Value, span: &Span) -> Result<Option<u64>, Error> {
        match &*strip(&value.ty) {
            Type::MemberPointer { target, .. } if matches!(&*strip(&target.get()), Type::Function { .. }) => {
                Ok(Some(self.pointer_bits(value, span)?).filter(|word| word & 1 == 0))
            }
            _ => Ok(None),
        }
    }

    /// Makes a plain pointer to a function of a pointer to a member function that is not virtual, as GNU C++ converts it.
    pub(super) fn plain_method(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let Some(address) = self.address_of_method(&value, span)? else { return Ok(value) };
        let Type::MemberPointer { target, .. } = &*strip(&value.ty) else { return Ok(value) };
        let size = self.env.target().pointer_size();
        Ok(Value::computed(pointer_to(target.get(), size), &address.to_le_bytes()[..size as usize]))
    }

    /// Compares pointers to data members, with each other or with a null pointer; `None` if neither is one.
    pub(super) fn compare_members(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
    ) -> Result<Option<Value>, Error> {
        let is_one = |value: &Value| match &*strip(&value.ty) {
            Type::MemberPointer { target, .. } => !matches!(&*strip(&target.get()), Type::Function { .. }),
            _ => false,
        };
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) || !(is_one(left) || is_one(right)) {
            return Ok(None);
        }
        let mut bits = |value: &Value, expr: &Expr| match is_one(value) {
            true => self.pointer_bits(value, &expr.span),
            // A null pointer to member is -1.
            false => match self.address_operand(value.clone(), &expr.span)? {
                0 => Ok(u64::MAX),
                _ => Err(self.wrong_operand(
                    op.symbol(),
                    &value.ty,
                    "a pointer to a member, or a null pointer",
                    &expr.span,
                )),
            },
        };
        let (x, y) = (bits(left, a)?, bits(right, b)?);
        Ok(Some(self.truth_value((x == y) == (op == BinaryOp::Equal))))
    }
}
