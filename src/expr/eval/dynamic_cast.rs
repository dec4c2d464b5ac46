//! C++'s `dynamic_cast`: which part of an object a pointer to another part of it is converted to.

use super::class::{MAX_BASES, is_same_class};
use super::*;
use ctype::Access as Accessibility;

/// A part of an object: itself, or a base class.
struct Part {
    value: Value,
    /// All classes between are public bases.
    is_public: bool,
}

impl Evaluator<'_> {
    /// Evaluates `dynamic_cast<T *>(p)`: the `T` of the object that `p` points into, or null if it has none that `p`
    /// leads to; of a reference, that is an error.
    pub(super) fn dynamic_cast(&mut self, value: Value, to: TypeRef, span: &Span) -> Result<Value, Error> {
        let value = self.referent(value, span)?;
        if let Some(class) = reference_target(&to) {
            let as_pointer = |this: &mut Self, pointer, to| this.dynamic_cast(pointer, to, span);
            return self.reference_cast(value, (to, class), span, as_pointer);
        }
        let (Some(from), Some(class)) = (pointer_target(&value.ty), pointer_target(&to)) else {
            return Err(self.wrong_operand("dynamic_cast", &value.ty, "pointers to classes", span));
        };
        if self.unevaluated {
            return self.cast(value, to, span);
        }
        let address = self.pointer_bits(&value, span)?;
        let object = Value::new(from.clone(), Place::Memory(address));
        let found = match address {
            0 => None,
            // To a base it is known without the object.
            _ if is_same_class(&from, &class) || self.is_derived(&from, &class) => self.part_of_class(&object, &class),
            _ => match self.env.whole_object(&object) {
                // `dynamic_cast<void *>(p)` leads to the whole object.
                Some(whole) if matches!(&*strip(&class), Type::Void) => Some(whole),
                Some(whole) => self.converted(&object, &whole, &class),
                None => {
                    let why = "which class the object is of cannot be found out here".to_owned();
                    return Err(Error::new(span, ErrorKind::NoElement(why)));
                }
            },
        };
        let address = found.and_then(|part| part.address()).unwrap_or(0);
        Ok(Value::computed(to, &address.to_le_bytes()))
    }

    /// Finds the only part of this class that has the object as a public base, or else the only one that is a public
    /// base of the whole, as the object is (C++17 8.2.7).
    fn converted(&mut self, object: &Value, whole: &Value, class: &TypeRef) -> Option<Value> {
        let parts = self.parts(whole);
        let wanted: Vec<&Part> = parts.iter().filter(|part| is_same_class(&part.value.ty, class)).collect();
        let mut around = Vec::new();
        for part in &wanted {
            if self.parts(&part.value).iter().any(|base| base.is_public && is_same_part(&base.value, object)) {
                around.push(&part.value);
            }
        }
        if let [only] = around.as_slice() {
            return Some((*only).clone());
        }
        let is_public = parts.iter().any(|part| part.is_public && is_same_part(&part.value, object));
        match wanted.as_slice() {
            [only] if only.is_public && is_public => Some(only.value.clone()),
            _ => None,
        }
    }

    /// Finds all parts of an object, each once.
    fn parts(&mut self, whole: &Value) -> Vec<Part> {
        let mut found: Vec<Part> = Vec::new();
        let mut open = vec![Part { value: whole.clone(), is_public: true }];
        let mut visited = 0;
        while let Some(part) = open.pop().filter(|_| visited < MAX_BASES) {
            visited += 1;
            match found.iter_mut().find(|known| is_same_part(&known.value, &part.value)) {
                // A virtual base, which another way to it may make public.
                Some(known) if known.is_public || !part.is_public => continue,
                Some(known) => known.is_public = true,
                None => found.push(Part { value: part.value.clone(), ..part }),
            }
            open.extend(self.direct_bases(&part));
        }
        found
    }

    /// Finds the base classes of a part, virtual ones too.
    fn direct_bases(&mut self, part: &Part) -> Vec<Part> {
        let ty = strip(&part.value.ty);
        let Type::Record(record) = &*ty else { return Vec::new() };
        let access = record.parts();
        let is_public = |access: Option<&Accessibility>| {
            part.is_public && access.is_none_or(|access| *access == Accessibility::Public)
        };
        let mut bases = Vec::new();
        for (number, base) in record.members.iter().enumerate().filter(|(_, member)| member.is_base) {
            let value = part.value.part(base.ty.get(), base.offset, None);
            bases.push(Part { value, is_public: is_public(access.members.get(number)) });
        }
        for (number, base) in record.virtual_bases.iter().enumerate() {
            let Ok(value) = part.value.virtual_base(base, self.env) else { continue };
            bases.push(Part { value, is_public: is_public(access.virtual_bases.get(number)) });
        }
        bases
    }
}

/// Returns whether two values are the same part of an object.
fn is_same_part(a: &Value, b: &Value) -> bool {
    a.place == b.place && is_same_class(&a.ty, &b.ty)
}
