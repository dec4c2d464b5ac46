//! Rust's `Option<&T>`: what a container gives for a place or a key that it may not have.

use super::*;
use base::qualified::template_arguments;
use ctype::layout::find_member;
use ctype::{Body, Encoding, Meaning, Member, Record, Style, Variant, Variants};

/// Methods whose result an `unwrap()` or `expect()` behind them is about: that they could fail shows in the object only
/// while the program runs.
const GUARDS: [&str; 6] = ["lock", "read", "write", "try_lock", "try_borrow", "try_borrow_mut"];

impl Evaluator<'_> {
    /// Evaluates what a method of Rust's gives whose result is an `Option<&T>`; `None` for other methods, and of other
    /// objects.
    pub(super) fn optional(
        &mut self,
        value: &Value,
        name: &str,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let last = matches!(name, "last" | "back");
        let key = match (name, arguments) {
            _ if !self.is_rust() => return Ok(None),
            ("first" | "front" | "peek" | "next" | "last" | "back", []) => None,
            ("get" | "nth", [key]) => Some(key),
            ("get", []) if is_once(value) => {
                let held = self.meaning(value, span)?.and_then(|meaning| meaning.target);
                let name = match &held {
                    Some(held) => self.name_of(&held.ty),
                    None => self.held_by(value, 0),
                };
                return Ok(Some(option_of(name, held)));
            }
            _ => return Ok(None),
        };
        if let Some((element, Some(count))) = array_parts(&value.ty) {
            let at = match key {
                Some(key) => self.place_of(key, span)?,
                None if last => count.saturating_sub(1),
                None => 0,
            };
            let found = if at < count { Some(self.element(value, i128::from(at), span)?) } else { None };
            return Ok(Some(option_of(self.name_of(&element), found)));
        }
        let Some(meaning) = self.meaning(value, span)? else { return Ok(None) };
        let is_list = match &meaning.body {
            Body::Nothing => false,
            Body::Text(_) => meaning.rust && !matches!(name, "nth" | "next"),
            Body::Items(Style::Map | Style::Indexed, _) if name == "nth" => false,
            Body::Items(style, _) => meaning.rust && !matches!(style, Style::Fields | Style::Tuple),
        };
        if !is_list {
            return Ok(None);
        }
        let is_map = matches!(&meaning.body, Body::Items(Style::Map, _));
        let found = match key {
            Some(key) => self.with_key(meaning, key, span)?,
            None => self.end(meaning, last, span)?,
        };
        let name = match &found {
            Some(found) => self.name_of(&found.ty),
            // Of the pairs of a map it is the second that is got.
            None if name == "get" => self.held_by(value, usize::from(is_map)),
            None if is_map => "_".to_owned(),
            None => self.held_by(value, 0),
        };
        Ok(Some(option_of(name, found)))
    }

    /// Returns the name of the type that an object of a generic type holds, by the arguments of that.
    fn held_by(&self, value: &Value, argument: usize) -> String {
        let whole = self.name_of(&strip(&value.ty));
        let held = template_arguments(&whole).and_then(|(_, list)| list.get(argument).map(|name| (*name).to_owned()));
        held.unwrap_or_else(|| "_".to_owned())
    }

    /// Finds the element that a key, or a place among the others, means.
    fn with_key(&mut self, meaning: Meaning, key: &Expr, span: &Span) -> Result<Option<Value>, Error> {
        match meaning.body {
            Body::Items(Style::Map | Style::Indexed, mut items) => {
                let wanted = self.argument(key)?;
                let wanted = self.comparable(&wanted, &key.span)?;
                Ok(self.find(&mut *items, &wanted, span)?.map(|item| item.value))
            }
            Body::Items(_, mut items) => {
                let at = self.place_of(key, span)?;
                if meaning.length.is_some_and(|length| at >= length) {
                    return Ok(None);
                }
                let found = items.nth(at, self.env);
                found
                    .map(|item| item.map(|item| item.value))
                    .map_err(|reason| Error::new(span, ErrorKind::Unavailable(reason)))
            }
            Body::Text(characters) => {
                let at = self.place_of(key, span)?;
                match meaning.length.is_some_and(|length| at >= length) {
                    true => Ok(None),
                    false => self.element(&characters, i128::from(at), span).map(Some),
                }
            }
            Body::Nothing => Ok(None),
        }
    }

    fn place_of(&mut self, key: &Expr, span: &Span) -> Result<u64, Error> {
        let at = self.argument(key)?;
        self.place(at, key, span)
    }

    /// Evaluates an argument of a method: in Rust `&x` is as good as `x`, which it is compared with.
    pub(super) fn argument(&mut self, expr: &Expr) -> Result<Value, Error> {
        let value = match &expr.kind {
            ExprKind::Unary(UnaryOp::AddressOf, inner) if self.is_rust() => self.value(inner)?,
            _ => self.value(expr)?,
        };
        self.referent(value, &expr.span)
    }
}

/// Returns whether an expression takes a lock, or borrows: what it gives is shown without the `Result` around it.
pub(super) fn is_guard(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Method(_, _, name, arguments) if arguments.is_empty() && GUARDS.contains(&name.as_str()))
}

/// Returns whether an expression is such a guard, whose `*` is what it leads to.
pub(super) fn is_guarded(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Method(of, _, name, _) if matches!(name.as_str(), "unwrap" | "expect") => is_guard(of),
        ExprKind::Method(_, _, name, arguments) => {
            arguments.is_empty() && matches!(name.as_str(), "borrow" | "borrow_mut")
        }
        _ => false,
    }
}

/// Returns how to ask for a member of what an `Option` may hold, if it has it.
pub(super) fn behind_option(value: &Value, object: &Expr, name: &str) -> Option<String> {
    let ty = strip(&value.ty);
    let Type::Record(Record { name: Some(own), variants: Some(_), .. }) = &*ty else { return None };
    find_member(&type_in_some(&value.ty)?, name)?;
    let what = format!("there is no member named \"{name}\" in {own}, but in its content there is one");
    own.starts_with("core::option::Option<").then(|| format!("{what}: {object}.unwrap().{name}"))
}

/// Returns the type of what an `Option` holds if it is `Some`, or a `Result` if it is `Ok`.
pub(super) fn type_in_some(ty: &TypeRef) -> Option<TypeRef> {
    let ty = strip(ty);
    let Type::Record(Record { variants: Some(variants), .. }) = &*ty else { return None };
    let is_some = |variant: &&Variant| matches!(variant.member.name.as_deref(), Some("Some" | "Ok"));
    let some = variants.list.iter().find(is_some)?;
    find_member(&some.member.ty.get(), "__0").map(|member| member.ty)
}

fn is_once(value: &Value) -> bool {
    let is_once = |name: &str| name.contains("::OnceCell<") || name.contains("::OnceLock<");
    matches!(&*strip(&value.ty), Type::Record(Record { name: Some(name), .. }) if is_once(name))
}

/// Makes `Some(held)` or `None`, of a value as it is.
pub(super) fn option_holding(name: &str, held: Option<Value>) -> Value {
    let size = held.as_ref().map_or(Some(0), |held| size_of(&held.ty));
    let record = |name: String, members| Record { name: Some(name), size, members, ..Record::default() };
    let member = |name: &str, ty: TypeRef| Member {
        name: Some(name.to_owned()),
        ty: ty.into(),
        offset: 0,
        bits: None,
        is_base: false,
        alignment: None,
    };
    let variant = |name: &str, members| Variant {
        values: Arc::from([]),
        member: member(name, Arc::new(Type::Record(record(name.to_owned(), members)))),
    };
    // Without a discriminant it is the variant of which there are values.
    let never =
        || vec![member("never", Arc::new(Type::Base { name: "!".to_owned(), encoding: Encoding::Other, size: 0 }))];
    let list = match &held {
        Some(held) => vec![variant("Some", vec![member("__0", held.ty.clone())]), variant("None", never())],
        None => vec![variant("None", Vec::new()), variant("Some", never())],
    };
    let variants = Some(Variants { discriminant: None, list });
    let whole = Record { variants, ..record(format!("core::option::Option<{name}>"), Vec::new()) };
    let place = held.map_or(Place::Bytes(Vec::new()), |held| held.place);
    Value::new(Arc::new(Type::Record(whole)), place)
}

/// Makes `Some(&found)` or `None`.
pub(super) fn option_of(name: String, found: Option<Value>) -> Value {
    let target = found.as_ref().map_or_else(|| Arc::new(Type::Void), |found| found.ty.clone());
    let variants = rust_reference::option_of_references(&format!("&{name}"), target);
    rust_reference::of_variants(&format!("core::option::Option<&{name}>"), &variants, found)
}
