//! Rust's slices: `v[1..3]`, of what lies side by side in memory.

use super::meaning::{MAX_WRAPPERS, no_element};
use super::rust_text::{literal_bytes, wide_reference};
use super::*;
use ctype::{Body, Meaning};

/// Elements or bytes side by side.
pub(super) struct Stretch {
    element: TypeRef,
    address: u64,
    count: u64,
    pub(super) is_text: bool,
}

impl Stretch {
    /// Makes the array that the elements are.
    pub(super) fn array(self) -> Value {
        Value::new(array_of(self.element, self.count), Place::Memory(self.address))
    }
}

impl Evaluator<'_> {
    /// Evaluates `value[start..end]` to a reference to that part.
    pub(super) fn slice(
        &mut self,
        value: &Expr,
        (start, end): (Option<&Expr>, Option<&Expr>),
        inclusive: bool,
        span: &Span,
    ) -> Result<Value, Error> {
        let base = self.value(value)?;
        let base = self.referent(base, &value.span)?;
        let base = self.borrowed(base, value, false)?;
        let stretch = self.stretch(base, value, span)?;
        let mut bound = |bound: Option<&Expr>, otherwise: u64| match bound {
            Some(expr) => {
                let at = self.value(expr)?;
                self.place(at, expr, span)
            }
            None => Ok(otherwise),
        };
        let first = bound(start, 0)?;
        let past = bound(end, stretch.count)?;
        let past = if inclusive { past.saturating_add(1) } else { past };
        if !self.unevaluated && (first > past || past > stretch.count) {
            let what = if stretch.is_text { "bytes" } else { "elements" };
            let why = format!("the range {first}..{past} does not fit: there are {} {what}", stretch.count);
            return Err(no_element(span, &why));
        }
        let size = size_of(&stretch.element).unwrap_or(1);
        let address = stretch.address.wrapping_add(first.wrapping_mul(size));
        if stretch.is_text && !self.unevaluated {
            self.check_boundaries(stretch.address, &[first, past], stretch.count, span)?;
        }
        Ok(self.reference_to(stretch, address, past.saturating_sub(first)))
    }

    /// Makes a reference to all that lies side by side in a value: what Rust makes of `&vec` where it wants a `&[T]`.
    pub(super) fn whole_slice(&mut self, value: Value, expr: &Expr, span: &Span) -> Result<Value, Error> {
        let stretch = self.stretch(value, expr, span)?;
        let (address, count) = (stretch.address, stretch.count);
        Ok(self.reference_to(stretch, address, count))
    }

    /// Finds what lies side by side in a value, or in what it is wrapped in.
    fn stretch(&mut self, base: Value, expr: &Expr, span: &Span) -> Result<Stretch, Error> {
        let ty = base.ty.clone();
        let mut base = base;
        for _ in 0..MAX_WRAPPERS {
            if let (Some((element, Some(count))), Some(address)) = (array_parts(&base.ty), base.address()) {
                return Ok(Stretch { element, address, count, is_text: false });
            }
            if let Some(found) = self.meaning(&base, span)?.and_then(side_by_side) {
                return Ok(found);
            }
            let inside = match rust::is_reference(&base.ty) || self.is_boxed(&base) {
                true => Some(self.dereference(base.clone(), &expr.span)?),
                false => self.target_of(&base, &expr.span)?,
            };
            match inside {
                Some(inside) => base = inside,
                None => break,
            }
        }
        Err(self.wrong_operand("[..]", &ty, "elements that lie side by side in memory", &expr.span))
    }

    /// Makes a reference to all elements of a container that lie side by side, or to the bytes of a text; `None` of
    /// anything else.
    pub(super) fn whole_reference(
        &mut self,
        value: &Value,
        as_bytes: bool,
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        if let Some(bytes) = literal_bytes(value).filter(|_| as_bytes) {
            return Ok(Some(bytes));
        }
        let Some(found) = self.meaning(value, span)?.and_then(side_by_side) else { return Ok(None) };
        let (address, count) = (found.address, found.count);
        let found = match as_bytes && found.is_text {
            true => Stretch { element: rust_primitive("u8"), is_text: false, ..found },
            false => found,
        };
        Ok(Some(self.reference_to(found, address, count)))
    }

    /// Evaluates `*` of what leads to a `str`, or of a `Cow`; `None` of anything else.
    pub(super) fn text_behind(&mut self, value: &Value, span: &Span) -> Result<Option<Value>, Error> {
        let name = self.name_of(&value.ty);
        if !self.is_rust() || name == "str" {
            return Ok(None);
        }
        if name.starts_with("alloc::borrow::Cow<") {
            let active = self.variant_of(value, span)?;
            let Some((variant, held)) = active.and_then(|(variant, held)| Some((variant, held.member("__0")?))) else {
                return Ok(None);
            };
            return match variant.as_str() {
                "Borrowed" => self.dereference(held, span).map(Some),
                _ => Ok(Some(self.text_behind(&held, span)?.unwrap_or(held))),
            };
        }
        // Those of paths and of C lead to types of their own.
        let is_str = name == "alloc::string::String" || name.ends_with("str") || name.contains("<str");
        let Some(found) = self.meaning(value, span)?.and_then(side_by_side).filter(|found| found.is_text && is_str)
        else {
            return Ok(None);
        };
        let bytes: Vec<u8> = [found.address, found.count].iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(Some(Value::computed(wide_reference("str".to_owned(), found.element), &bytes)))
    }

    /// Fails where a text would be cut within a character.
    fn check_boundaries(&mut self, address: u64, cuts: &[u64], count: u64, span: &Span) -> Result<(), Error> {
        for cut in cuts.iter().filter(|cut| **cut < count) {
            let mut byte = [0];
            let at = address.wrapping_add(*cut);
            self.env.read(at, &mut byte).map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))?;
            if byte[0] & 0xc0 == 0x80 {
                return Err(no_element(span, &format!("byte {cut} is within a character of the text")));
            }
        }
        Ok(())
    }

    /// Makes `&[T]`, or `&str`.
    fn reference_to(&self, of: Stretch, address: u64, count: u64) -> Value {
        let name = if of.is_text { "&str".to_owned() } else { format!("&[{}]", self.name_of(&of.element)) };
        let bytes: Vec<u8> = [address, count].iter().flat_map(|word| word.to_le_bytes()).collect();
        Value::computed(wide_reference(name, of.element), &bytes)
    }
}

/// Returns the elements of a container of Rust's library that lie side by side.
pub(super) fn side_by_side(meaning: Meaning) -> Option<Stretch> {
    if let (Body::Text(characters), true) = (&meaning.body, meaning.rust) {
        let (element, _) = array_parts(&characters.ty)?;
        return Some(Stretch { element, address: characters.address()?, count: meaning.length?, is_text: true });
    }
    let (_, pointer) = meaning.facts.into_iter().find(|(name, _)| *name == "as_ptr").filter(|_| meaning.rust)?;
    let Place::Bytes(bytes) = &pointer.place else { return None };
    let address = bytes.iter().take(8).rev().try_fold(0, |all: u64, byte| Some(all << 8 | u64::from((*byte)?)))?;
    Some(Stretch { element: pointer_target(&pointer.ty)?, address, count: meaning.length?, is_text: false })
}
