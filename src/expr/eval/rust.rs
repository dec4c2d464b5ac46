//! What Rust does with values that C does not: it looks through references, and compares enums.

use super::*;
use base::qualified::{QualifiedName, bare_path, ends_with, last};
use ctype::{Enumeration, Member, Record};

/// References that are looked through: `&&&str`.
const MAX_REFERENCES: usize = 8;
/// Parts of values that one expression compares, whatever they are nested in.
const MOST_COMPARED: u32 = 1 << 18;
/// Enums in fields of enums that are compared: a list of boxes is as deep as it is long.
const MAX_COMPARED: u32 = 64;

impl Evaluator<'_> {
    pub(super) fn is_rust(&self) -> bool {
        self.env.target().dialect == Dialect::Rust
    }

    /// Follows Rust's references, one after the other, to what they lead to; anything else stays as it is.
    pub(super) fn peeled(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let mut value = value;
        for _ in 0..MAX_REFERENCES {
            if !self.is_rust() || !is_reference(&value.ty) {
                break;
            }
            value = self.dereference(value, span)?;
        }
        Ok(value)
    }

    /// Follows Rust's `&x` to `x`, unless it is compared with a pointer that is no reference.
    pub(super) fn borrowed(&mut self, value: Value, expr: &Expr, is_with_pointer: bool) -> Result<Value, Error> {
        match self.is_rust() && is_borrow(expr) && is_raw(&value) && !is_with_pointer {
            true => self.dereference(value, &expr.span),
            false => Ok(value),
        }
    }

    /// Returns whether it is a Rust box.
    pub(super) fn is_boxed(&self, value: &Value) -> bool {
        self.is_rust() && is_box(&value.ty)
    }

    /// Evaluates `value == State::Ready`, `value == Some(3)`; `None` if neither side is the name of a variant.
    pub(super) fn compare_variants(&mut self, a: &Expr, b: &Expr) -> Result<Option<bool>, Error> {
        if !self.is_rust() {
            return Ok(None);
        }
        for (value, variant) in [(a, b), (b, a)] {
            if self.is_variant(variant) {
                let value = self.value(value)?;
                return self.is_like(value, variant);
            }
        }
        Ok(None)
    }

    /// Returns whether an expression may be the name of a variant: it begins with a capital, and no variable is called
    /// so.
    fn is_variant(&mut self, expr: &Expr) -> bool {
        let is_capital = |part: Option<&str>| part.is_some_and(|part| part.starts_with(char::is_uppercase));
        match &expr.kind {
            ExprKind::Call(path, templates, _) => templates.is_empty() && is_capital(Some(last(path))),
            ExprKind::Name(name) => {
                is_capital(name.path.last().map(String::as_str))
                    && matches!(self.env.variable(name), Err(LookupError::NotFound))
            }
            _ => false,
        }
    }

    /// Evaluates whether a value is the variant that an expression names, with the fields that it gives; `None` if the
    /// value is no enum.
    fn is_like(&mut self, value: Value, wanted: &Expr) -> Result<Option<bool>, Error> {
        let value = self.peeled(value, &wanted.span)?;
        self.no_own_binary(BinaryOp::Equal, (&value, &value), &wanted.span)?;
        let (path, fields) = match &wanted.kind {
            ExprKind::Call(path, _, fields) => (path.clone(), Some(fields)),
            ExprKind::Name(name) => (name.qualified(), None),
            _ => return Ok(None),
        };
        let split = QualifiedName::split(&path);
        let (owner, name) = (split.scope(), last(&path));
        let ty = strip(&value.ty);
        match &*ty {
            Type::Enumeration(e) if fields.is_none() => self.is_enumerator(&value, e, (owner, name), &wanted.span),
            Type::Record(Record { variants: Some(variants), name: own, .. }) => {
                let names = || variants.list.iter().filter_map(|variant| variant.member.name.clone());
                if !names().any(|known| known == name) || !is_owner(owner, own.as_deref()) {
                    let members = names().take(MAX_CANDIDATES).collect();
                    let kind = ErrorKind::NoMember { name: path, record: self.name_of(&value.ty), members };
                    return Err(Error::new(&wanted.span, kind));
                }
                let Some((variant, held)) = self.variant_of(&value, &wanted.span)? else { return Ok(Some(false)) };
                if variant != name {
                    return Ok(Some(false));
                }
                if let Some(fields) = fields {
                    let count = field_count(&held);
                    if count != fields.len() {
                        let kind = ErrorKind::FieldCount { variant, has: count, given: fields.len() };
                        return Err(Error::new(&wanted.span, kind));
                    }
                }
                self.has_fields(&held, fields.map_or(&[], Vec::as_slice)).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn is_enumerator(
        &mut self,
        value: &Value,
        e: &Enumeration,
        (owner, name): (Option<&str>, &str),
        span: &Span,
    ) -> Result<Option<bool>, Error> {
        let found = e.enumerators.iter().find(|(known, _)| last(known) == name);
        let Some((_, wanted)) = found.filter(|_| is_owner(owner, e.name.as_deref())) else { return Ok(None) };
        match self.number(value.clone(), "==", "an enum", span)? {
            Number::Integer(number) => Ok(Some(number.value() == *wanted)),
            _ => Ok(None),
        }
    }

    /// Evaluates whether the fields of a variant are equal to what stands for them.
    fn has_fields(&mut self, held: &Value, wanted: &[Expr]) -> Result<bool, Error> {
        for (i, wanted) in wanted.iter().enumerate() {
            let no_field = || {
                let kind = ErrorKind::NoMember { name: i.to_string(), record: "it".to_owned(), members: Vec::new() };
                Error::new(&wanted.span, kind)
            };
            let field = held.member(&format!("__{i}")).ok_or_else(no_field)?;
            let is_equal = match self.is_variant(wanted) {
                true => self.is_like(field.clone(), wanted)?,
                false => None,
            };
            let is_equal = match is_equal {
                Some(is_equal) => is_equal,
                None => {
                    let other = self.value_like(wanted, &field)?;
                    self.is_equal(field, other, wanted)?
                }
            };
            if !is_equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes what boxes that are compared hold: they are equal if that is, wherever it lies.
    pub(super) fn unboxed(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let mut value = value;
        for _ in 0..MAX_REFERENCES {
            if !self.is_rust() || !is_box(&value.ty) {
                break;
            }
            value = self.dereference(value, span)?;
            value = self.peeled(value, span)?;
        }
        Ok(value)
    }

    /// Evaluates whether fields are equal; what refers to itself has no end.
    fn is_equal(&mut self, left: Value, right: Value, expr: &Expr) -> Result<bool, Error> {
        self.is_equal_at((left, expr), (right, expr), &expr.span)
    }

    /// Evaluates whether parts of values are equal; the expressions say of what.
    pub(super) fn is_equal_at(
        &mut self,
        left: (Value, &Expr),
        right: (Value, &Expr),
        span: &Span,
    ) -> Result<bool, Error> {
        if self.depth >= MAX_COMPARED {
            let why = format!("values that are nested more than {MAX_COMPARED} levels are not compared");
            return Err(meaning::no_element(span, &why));
        }
        self.compared += 1;
        if self.compared > MOST_COMPARED {
            let why = format!("values of more than {MOST_COMPARED} parts are not compared");
            return Err(meaning::no_element(span, &why));
        }
        self.depth += 1;
        let result = self.is_equal_inside(left, right, span);
        self.depth -= 1;
        result
    }

    fn is_equal_inside(&mut self, left: (Value, &Expr), right: (Value, &Expr), span: &Span) -> Result<bool, Error> {
        let result = self.binary_values(BinaryOp::Equal, left, right, span)?;
        self.truth(result, "==", span)
    }

    /// Evaluates whether two values of an enum with fields are the same variant with the same fields; `None` if they
    /// are not of one such type.
    pub(super) fn compare_enums(&mut self, left: &Value, right: &Value, expr: &Expr) -> Result<Option<bool>, Error> {
        let is_enum = |value: &Value| matches!(&*strip(&value.ty), Type::Record(Record { variants: Some(_), .. }));
        if !self.is_rust() || !is_enum(left) || !is_enum(right) {
            return Ok(None);
        }
        let (a, b) = (self.variant_of(left, &expr.span)?, self.variant_of(right, &expr.span)?);
        let (Some((name, a)), Some((other, b))) = (a, b) else { return Ok(None) };
        if name != other {
            return Ok(Some(false));
        }
        let ty = strip(&a.ty);
        let Type::Record(record) = &*ty else { return Ok(Some(true)) };
        for member in &record.members {
            let field = |value: &Value, member: &Member| value.part(member.ty.get(), member.offset, member.bits);
            if !self.is_equal(field(&a, member), field(&b, member), expr)? {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// Evaluates Rust's `!`: of a number its complement, in the number's own type.
    pub(super) fn rust_not(&mut self, value: Value, span: &Span) -> Result<Value, Error> {
        let value = self.peeled(value, span)?;
        self.no_own_unary(UnaryOp::Not, &value, span)?;
        let is_bool = |ty: IntegerType| ty.rank == Rank::Bool;
        match Arithmetic::of(&value.ty, self.env.target()) {
            Some(Arithmetic::Integer(ty)) if !is_bool(ty) => {
                let own = value.ty.clone();
                let number = self.number(value, "!", "a number", span)?;
                let result = number.complemented().map_err(|e| Error::new(span, e))?;
                self.cast(Value::from_number(result), own, span)
            }
            _ => self.truth(value, "!", span).map(|truth| self.truth_value(!truth)),
        }
    }

    /// Converts a float as Rust's `as` does: NaN becomes 0, and what is out of range the next number in it.
    pub(super) fn saturated(number: Number, to: IntegerType) -> Option<Number> {
        let Number::Float(_) = number else { return None };
        let all = u128::MAX >> (128 - to.bits().min(128));
        let (least, most) = if to.signed { (all ^ all >> 1, all >> 1) } else { (0, all) };
        let [least, most] = [least, most].map(|bits| Number::Integer(Integer::new(to, bits)));
        match (arith::compare(number, least).ok()?, arith::compare(number, most).ok()?) {
            (None, _) | (_, None) => Some(Number::Integer(Integer::new(to, 0))),
            (Some(Ordering::Less | Ordering::Equal), _) => Some(least),
            (_, Some(Ordering::Greater | Ordering::Equal)) => Some(most),
            _ => None,
        }
    }
}

/// Returns how many fields a variant has.
fn field_count(held: &Value) -> usize {
    match &*strip(&held.ty) {
        Type::Record(record) => record.members.len(),
        _ => 0,
    }
}

/// Returns whether a type is a `Box` of one value: a pointer with a name.
fn is_box(ty: &TypeRef) -> bool {
    matches!(&**ty, Type::Typedef { name, .. } if name.starts_with("alloc::boxed::Box<"))
        && pointer_target(ty).is_some_and(|target| !matches!(&*strip(&target), Type::Void))
}

/// Returns whether an expression is Rust's `&x`.
pub(super) fn is_borrow(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Unary(UnaryOp::AddressOf, _))
}

/// Returns whether a value is a pointer, and neither a reference nor a box.
pub(super) fn is_raw(value: &Value) -> bool {
    pointer_target(&value.ty).is_some() && !is_reference(&value.ty) && !is_box(&value.ty)
}

/// Returns whether a type is one of Rust's references: a pointer with a name.
pub(super) fn is_reference(ty: &TypeRef) -> bool {
    matches!(&**ty, Type::Typedef { name, .. } if name.starts_with('&')) && pointer_target(ty).is_some()
}

/// Returns whether what stands before a variant's name means the enum of that name.
fn is_owner(owner: Option<&str>, name: Option<&str>) -> bool {
    owner.is_none_or(|owner| name.is_some_and(|name| ends_with(bare_path(name), bare_path(of_library(owner)))))
}

/// Returns a path without the crate that it begins with, if that is the library: `std` shows what is in others of it.
fn of_library(path: &str) -> &str {
    let inside = ["std::", "core::", "alloc::"].iter().find_map(|library| path.strip_prefix(library));
    inside.unwrap_or(path)
}
