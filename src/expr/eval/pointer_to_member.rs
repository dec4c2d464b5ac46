//! C++'s pointers to members: `object.*member`, `pointer->*member`.

use super::class::is_same_class;
use super::meaning::no_element;
use super::*;
use ctype::layout::base_offset;

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

    /// Compares pointers to members, with each other or with a null pointer; `None` if neither is one.
    pub(super) fn compare_members(
        &mut self,
        op: BinaryOp,
        (left, a): (&Value, &Expr),
        (right, b): (&Value, &Expr),
    ) -> Result<Option<Value>, Error> {
        let of_function = |value: &Value| match &*strip(&value.ty) {
            Type::MemberPointer { target, .. } => Some(matches!(&*strip(&target.get()), Type::Function { .. })),
            _ => None,
        };
        let class_of = |value: &Value| match &*strip(&value.ty) {
            Type::MemberPointer { class, .. } => Some(class.get()),
            _ => None,
        };
        let kind = of_function(left).or_else(|| of_function(right));
        let (Some(is_function), BinaryOp::Equal | BinaryOp::NotEqual) = (kind, op) else { return Ok(None) };
        // One of a base class would have to be converted.
        if is_function
            && let (Some(class), Some(other)) = (class_of(left), class_of(right))
            && !is_same_class(&class, &other)
        {
            let needs = "pointers to members of the same class";
            return Err(self.wrong_operand(op.symbol(), &right.ty, needs, &b.span));
        }
        let moved = match (class_of(left), class_of(right)) {
            (Some(class), Some(other)) if !is_function => {
                self.moved_by(&class, &other).map_err(|why| no_element(&b.span, &why))?
            }
            _ => [0, 0],
        };
        let mut pair = |value: &Value, expr: &Expr, moved: u64| match of_function(value) {
            Some(true) if is_function => self.method_words(value, &expr.span).map(Some),
            Some(false) if !is_function => match self.pointer_bits(value, &expr.span)? {
                u64::MAX => Ok(Some((u64::MAX, 0))),
                offset => Ok(Some((offset.wrapping_add(moved), 0))),
            },
            None => match (self.null_operand(value, &expr.span)?, is_function) {
                (0, true) => Ok(Some((0, 0))),
                // A null pointer to a data member is -1.
                (0, false) => Ok(Some((u64::MAX, 0))),
                _ => Ok(None),
            },
            Some(_) => Ok(None),
        };
        let (Some(x), Some(y)) = (pair(left, a, moved[0])?, pair(right, b, moved[1])?) else {
            let (odd, expr) = if of_function(left) == kind { (right, b) } else { (left, a) };
            let needs = "a pointer to a member, or a null pointer";
            return Err(self.wrong_operand(op.symbol(), &odd.ty, needs, &expr.span));
        };
        Ok(Some(self.truth_value((x == y) == (op == BinaryOp::Equal))))
    }

    /// Returns how far members are moved where pointers to data members of two classes become those of one: C++ converts
    /// one of a base class to the derived one.
    fn moved_by(&mut self, class: &TypeRef, other: &TypeRef) -> Result<[u64; 2], String> {
        let class = &completed(class, self.env).unwrap_or_else(|| class.clone());
        let other = &completed(other, self.env).unwrap_or_else(|| other.clone());
        if is_same_class(class, other) {
            return Ok([0, 0]);
        }
        let (name, its) = (self.name_of(class), self.name_of(other));
        let (derived, base) = match (self.is_derived(class, other), self.is_derived(other, class)) {
            (true, _) => (class, other),
            (_, true) => (other, class),
            _ => return Err(format!("{name} and {its} are not a class and its base: their members are not compared")),
        };
        let offset = base_offset(derived, base).filter(|_| !self.has_several(derived, base));
        let offset = offset.ok_or_else(|| {
            let (derived, base) = (self.name_of(derived), self.name_of(base));
            format!("{derived} has no part of {base} at one fixed place: their members are not compared")
        })?;
        Ok(if self.is_derived(class, other) { [0, offset] } else { [offset, 0] })
    }

    /// Returns whether a pointer to a member is one to any; `None` for other values.
    pub(super) fn truth_of_member(&mut self, value: &Value, span: &Span) -> Result<Option<bool>, Error> {
        match &*strip(&value.ty) {
            Type::MemberPointer { target, .. } if matches!(&*strip(&target.get()), Type::Function { .. }) => {
                Ok(Some(self.method_words(value, span)? != (0, 0)))
            }
            Type::MemberPointer { .. } => Ok(Some(self.pointer_bits(value, span)? != u64::MAX)),
            _ => Ok(None),
        }
    }

    /// Evaluates the address that is compared with a pointer to a member: whether it is null decides whether that can be
    /// done, also where only the type of the result is asked for.
    fn null_operand(&mut self, value: &Value, span: &Span) -> Result<u64, Error> {
        Evaluator { env: self.env, unevaluated: false, sized: false, depth: 0, compared: 0 }
            .address_operand(value.clone(), span)
    }

    /// Reads the two words of a pointer to a member function: which function, and how far what it is called on is from
    /// the object, which means nothing if there is no function (Itanium C++ ABI 2.3).
    fn method_words(&mut self, value: &Value, span: &Span) -> Result<(u64, u64), Error> {
        if self.unevaluated {
            return Ok((0, 0));
        }
        let size = self.env.target().pointer_size();
        let mut word =
            |offset| value.word(offset, self.env).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)));
        Ok(match word(0)? {
            0 => (0, 0),
            function => (function, word(size)?),
        })
    }
}
