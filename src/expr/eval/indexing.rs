//! Elements of arrays, of what pointers point to, and of containers: `x[i]`.

use super::*;

impl Evaluator<'_> {
    pub(super) fn index(&mut self, array: &Expr, index: &Expr, span: &Span) -> Result<Value, Error> {
        let mut base = self.value(array)?;
        base = self.referent(base, &array.span)?;
        base = self.borrowed(base, array, false)?;
        for _ in 0..meaning::MAX_WRAPPERS {
            if let Some(element) = self.element_of(&base, index, span)? {
                return Ok(element);
            }
            // Rust looks for something to index in whatever it is wrapped in.
            let inside = match self.is_rust() {
                true if rust::is_reference(&base.ty) || self.is_boxed(&base) => {
                    Some(self.dereference(base.clone(), &array.span)?)
                }
                true => self.target_of(&base, &array.span)?,
                false => None,
            };
            match inside {
                Some(inside) => base = inside,
                None => break,
            }
        }
        let mut at = self.value(index)?;
        at = self.referent(at, &index.span)?;
        let is_base = |value: &Value| array_parts(&value.ty).is_some() || pointer_target(&value.ty).is_some();
        // `1[array]` is C too.
        if !is_base(&base) && is_base(&at) {
            std::mem::swap(&mut base, &mut at);
        }
        if matches!(&*strip(&base.ty), Type::Described { .. }) || !is_base(&base) {
            self.require_available(&base, span)?;
        }
        if !is_base(&base) {
            return Err(self.wrong_operand("[]", &base.ty, "an array, a pointer or a container", &array.span));
        }
        let Number::Integer(at) = self.number(at, "[]", "an integer index", &index.span)? else {
            return Err(self.wrong_operand("[]", &base.ty, "an integer index", &index.span));
        };
        if let Some((_, count)) = array_parts(&base.ty) {
            let is_past = |count: u64| at.is_negative() || at.bits() >= u128::from(count);
            if let Some(count) = count.filter(|count| self.is_rust() && !self.unevaluated && is_past(*count)) {
                let why = format!("index {} is past the end: there are {count} elements", at.value());
                return Err(meaning::no_element(span, &why));
            }
            let Indexing { lower, bounded, .. } = indexing(&base.ty);
            let lower = i128::from(lower);
            let place = at.value().wrapping_sub(lower);
            let is_outside = |count: u64| !(0..i128::from(count)).contains(&place);
            if let Some(count) = count.filter(|count| bounded && !self.unevaluated && is_outside(*count)) {
                let bounds = format!("{lower}..{}", lower + i128::from(count) - 1);
                let why = format!("index {} is outside of the bounds {bounds}", at.value());
                return Err(meaning::no_element(span, &why));
            }
            return self.element(&base, place, span);
        }
        let moved = self.offset_pointer(base, at.value(), span)?;
        self.dereference(moved, span)
    }

    /// Fails with the reason if an object that is to be looked into is unavailable.
    pub(super) fn require_available(&self, object: &Value, span: &Span) -> Result<(), Error> {
        match &object.place {
            Place::Unavailable(reason) if !self.unevaluated => {
                Err(Error::new(span, ErrorKind::Unavailable(reason.clone())))
            }
            _ => Ok(()),
        }
    }

    /// Returns the element at an index, counted from 0.
    pub(super) fn element(&mut self, array: &Value, index: i128, span: &Span) -> Result<Value, Error> {
        self.require_available(array, span)?;
        let (element, count) =
            array_parts(&array.ty).ok_or_else(|| self.wrong_operand("[]", &array.ty, "an array", span))?;
        let index = if self.unevaluated { 0 } else { index };
        let in_memory = matches!(array.place, Place::Memory(_));
        let inside = index >= 0 && count.is_some_and(|count| index < i128::from(count));
        if !in_memory && !inside && !self.unevaluated {
            return Err(Error::new(span, ErrorKind::Index(index.wrapping_add(i128::from(indexing(&array.ty).lower)))));
        }
        array.element(index).ok_or_else(|| Error::new(span, ErrorKind::Incomplete(self.name_of(&element))))
    }
}
