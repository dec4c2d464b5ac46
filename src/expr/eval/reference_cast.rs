//! Casts of C++ that name the object itself: to a reference, and to a base class.

use super::*;

impl Evaluator<'_> {
    /// Casts a value to a reference: C++ has `(T &)x` mean `*(T *)&x`, and so for the casts with a name.
    ///
    /// `cast` casts the pointer. Of an object that is not in memory the part that is of the class is the value itself.
    pub(super) fn reference_cast(
        &mut self,
        value: Value,
        (to, class): (TypeRef, TypeRef),
        span: &Span,
        cast: impl FnOnce(&mut Self, Value, TypeRef) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        let size = self.env.target().pointer_size();
        let bytes_of = |address: u64| address.to_le_bytes()[..size as usize].to_vec();
        let pointer = match (value.address(), value.bits) {
            (Some(address), None) => Value::computed(pointer_to(value.ty, size), &bytes_of(address)),
            // Only the type is asked for, and an object that is nowhere has one, too.
            _ if self.unevaluated => Value::computed(pointer_to(value.ty, size), &bytes_of(0)),
            _ => {
                return match self.part_of_class(&value, &class) {
                    Some(part) if value.bits.is_none() => Ok(part),
                    _ => self.address_of(value, span),
                };
            }
        };
        let is_somewhere = !self.unevaluated && self.pointer_bits(&pointer, span)? != 0;
        let cast = cast(self, pointer, pointer_to(class.clone(), size))?;
        let address = self.pointer_bits(&cast, span)?;
        if address == 0 && is_somewhere {
            let why = format!("the object is not of class {}, nor part of one", self.name_of(&class));
            return Err(Error::new(span, ErrorKind::NoElement(why)));
        }
        Ok(Value::computed(to, &bytes_of(address)))
    }

    /// Evaluates `(Base)x` of a class that has the base: C++ copies that part of the object.
    pub(super) fn base_part(&mut self, value: &Value, base: &TypeRef, span: &Span) -> Result<Value, Error> {
        match self.part_of_class(value, base) {
            Some(part) => Ok(Value { ty: base.clone(), ..part }),
            None => {
                // It is a virtual base, and where that is, the object says.
                value.read(self.env, 0, 8).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
                let why = "where the virtual base class is, cannot be read from the object".to_owned();
                Err(Error::new(span, ErrorKind::NoElement(why)))
            }
        }
    }
}
