//! References that Rust's methods make: of an `Option<T>` an `Option<&T>`, of an `Rc<T>` a `&T`.

use super::*;
use base::qualified::template_arguments;
use ctype::layout::find_member;
use ctype::{Link, Member, Record, SyntheticPointer, Variant, Variants};

/// Bytes of a reference, and of the tag that is put behind it.
const WORD: u64 = 8;
/// Methods that make a reference to what an object owns.
const MAKE_REFERENCES: [&str; 4] = ["as_ref", "as_mut", "deref", "deref_mut"];
/// Pointers to a value that have `as_ref` themselves.
const OWNERS: [&str; 5] = [
    "alloc::boxed::Box<",
    "alloc::rc::Rc<",
    "alloc::sync::Arc<",
    "alloc::borrow::Cow<",
    "core::ptr::non_null::NonNull<",
];
/// Pointers that count their owners.
const COUNTED: [&str; 2] = ["alloc::rc::Rc<", "alloc::sync::Arc<"];
/// Other library types whose methods are those of what they hold, or lead there: without their memory nobody can tell which.
const SHELLS: [&str; 5] = [
    "core::cell::RefCell<",
    "core::cell::Ref<",
    "core::cell::RefMut<",
    "core::pin::Pin<",
    "std::sync::poison::mutex::MutexGuard<",
];
/// Methods that lead into such a shell.
const INTO_SHELL: [&str; 8] = ["borrow", "borrow_mut", "as_ref", "as_mut", "deref", "deref_mut", "unwrap", "expect"];

impl Evaluator<'_> {
    /// Evaluates `as_ref()` and the like of a raw pointer, of an `Option` or a `Result`, and of what owns one value;
    /// `None` for other methods, and of other objects.
    pub(super) fn reference_made(
        &mut self,
        value: &Value,
        name: &str,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        if !self.is_rust() || !arguments.is_empty() || !MAKE_REFERENCES.contains(&name) {
            return Ok(None);
        }
        let sign = if name.ends_with("_mut") { "&mut " } else { "&" };
        if !name.starts_with("deref") {
            if rust::is_raw(value) {
                return self.reference_behind(value, sign, span).map(Some);
            }
            if let Some((variant, held)) = self.variant_of(value, span)?
                && let Some(found) = self.of_references(&value.ty, (&variant, held.member("__0")), sign)
            {
                return Ok(Some(found));
            }
        }
        let target = self.meaning(value, span)?.filter(|meaning| meaning.rust).and_then(|meaning| meaning.target);
        let Some(target) = target else { return Ok(None) };
        // Guards have no `as_ref` of their own: it is that of what they guard.
        let whole = self.name_of(&strip(&value.ty));
        if !name.starts_with("deref") && !OWNERS.iter().any(|owner| whole.starts_with(owner)) {
            return Ok(None);
        }
        self.require_available(&target, span)?;
        // The target of a pointer to a text is a reference already.
        if self.name_of(&target.ty).starts_with('&') && matches!(target.place, Place::Bytes(_)) {
            return Ok(Some(target));
        }
        let whole = self.name_of(&value.ty);
        let own = template_arguments(&whole).filter(|_| is_counted(&whole));
        let held = own.and_then(|(_, list)| list.first().map(|name| (*name).to_owned()));
        let held = held.unwrap_or_else(|| self.name_of(&target.ty));
        Ok(Some(reference(&format!("{sign}{held}"), target)))
    }

    /// Evaluates `as_ref()` of a raw pointer: `None` of a null pointer.
    fn reference_behind(&mut self, pointer: &Value, sign: &str, span: &Span) -> Result<Value, Error> {
        let is_null = !self.unevaluated && self.pointer_bits(pointer, span)? == 0;
        let target = self.dereference(pointer.clone(), span)?;
        let name = format!("{sign}{}", self.name_of(&target.ty));
        let ty = target.ty.clone();
        let found = Some(target).filter(|_| !is_null);
        Ok(of_variants(&format!("core::option::Option<{name}>"), &option_of_references(&name, ty), found))
    }

    /// Makes of an `Option<T>` in a variant an `Option<&T>`, and the same of a `Result`.
    fn of_references(&self, ty: &TypeRef, active: (&str, Option<Value>), sign: &str) -> Option<Value> {
        let (variant, held) = active;
        let whole = self.name_of(&strip(ty));
        let record = strip(ty);
        let Type::Record(Record { variants: Some(variants), .. }) = &*record else { return None };
        let field = |name: &str| {
            let found = variants.list.iter().find(|variant| variant.member.name.as_deref() == Some(name))?;
            let field = find_member(&found.member.ty.get(), "__0")?;
            Some((format!("{sign}{}", self.name_of(&field.ty)), field.ty))
        };
        if whole.starts_with("core::option::Option<") {
            let (name, target) = field("Some")?;
            let list = option_of_references(&name, target);
            return Some(of_variants(&format!("core::option::Option<{name}>"), &list, held));
        }
        if !whole.starts_with("core::result::Result<") {
            return None;
        }
        let ((ok, target), (err, other)) = (field("Ok")?, field("Err")?);
        let (ok_held, err_held) = ((ok.clone(), target), (err.clone(), other));
        let list = match variant {
            "Ok" => [("Err", Some(err_held)), ("Ok", Some(ok_held))],
            _ => [("Ok", Some(ok_held)), ("Err", Some(err_held))],
        };
        Some(of_variants(&format!("core::result::Result<{ok}, {err}>"), &list, held))
    }

    /// Evaluates what is taken where there is nothing else: `&x` as a reference, also to what is not in memory.
    pub(super) fn fallback(&mut self, other: &Expr) -> Result<Value, Error> {
        match &other.kind {
            ExprKind::Unary(UnaryOp::AddressOf, inner) if self.is_rust() => {
                let found = self.value(inner)?;
                Ok(reference(&format!("&{}", self.name_of(&found.ty)), found))
            }
            _ => self.value(other),
        }
    }

    /// Makes of what `&x` is a reference to that.
    pub(super) fn borrowed_again(&self, inner: Value) -> Value {
        let target = pointer_target(&inner.ty).filter(|_| rust::is_raw(&inner));
        let inner = match target {
            Some(target) => Value { ty: reference_type(&format!("&{}", self.name_of(&target)), target), ..inner },
            None => inner,
        };
        reference(&format!("&{}", self.name_of(&inner.ty)), inner)
    }

    /// Fails if a method leads into an object of Rust's library that cannot be read: what it gives would be taken for
    /// the object itself.
    pub(super) fn no_lost_shell(&mut self, value: &Value, name: &str, span: &Span) -> Result<(), Error> {
        let whole = self.name_of(&strip(&value.ty));
        let is_shell = is_counted(&whole) || SHELLS.iter().any(|shell| whole.starts_with(shell));
        if !is_shell || !INTO_SHELL.contains(&name) || self.meaning(value, span)?.is_some() {
            return Ok(());
        }
        self.require_available(value, span)?;
        let size = size_of(&value.ty).and_then(|size| usize::try_from(size).ok()).unwrap_or(0).min(64);
        let mut read = value.read(self.env, 0, size).map(drop);
        if read.is_ok() && is_counted(&whole) {
            let address = value.word(0, self.env);
            read = address.and_then(|address| self.env.read(address, &mut [0; 2 * WORD as usize]));
        }
        let damaged = || Unavailable::Other(format!("what the {whole} holds cannot be read"));
        Err(Error::new(span, ErrorKind::Unavailable(read.err().unwrap_or_else(damaged))))
    }
}

/// Returns whether a type of this name is an `Rc` or an `Arc`.
fn is_counted(name: &str) -> bool {
    COUNTED.iter().any(|owner| name.starts_with(owner))
}

/// Makes the type of a reference.
fn reference_type(name: &str, target: TypeRef) -> TypeRef {
    let target = Link::ready(pointer_to(target, WORD));
    Arc::new(Type::Typedef { name: name.to_owned(), target, alignment: None })
}

/// Makes a reference of a type of this name to a value, wherever that is.
pub(super) fn reference(name: &str, found: Value) -> Value {
    let ty = reference_type(name, found.ty);
    let (bytes, pointers) = led_to(found.place);
    Value::new(ty, Place::of_pieces(bytes.into_iter().map(Some).collect(), pointers))
}

/// Returns the bytes of a reference to a place, and the pointer in it to one that is not in memory.
fn led_to(place: Place) -> ([u8; WORD as usize], Vec<SyntheticPointer>) {
    match place {
        Place::Memory(address) => (address.to_le_bytes(), Vec::new()),
        object => ([0; WORD as usize], vec![SyntheticPointer { at: 0, object, offset: 0 }]),
    }
}

/// Returns the variants of an `Option` of references of a type of this name.
pub(super) fn option_of_references(name: &str, target: TypeRef) -> [(&'static str, Option<(String, TypeRef)>); 2] {
    [("None", None), ("Some", Some((name.to_owned(), target)))]
}

/// Makes an enum whose variants hold references or nothing: the last one, with a reference to what there is, or else the
/// first one.
pub(super) fn of_variants(
    name: &str,
    [absent, present]: &[(&str, Option<(String, TypeRef)>); 2],
    found: Option<Value>,
) -> Value {
    let member = |name: &str, ty, offset| Member::new(Some(name), ty, offset);
    let record =
        |name: String, members| Record { name: Some(name), size: Some(2 * WORD), members, ..Record::default() };
    let variant = |tag: u128, (name, field): &(&str, Option<(String, TypeRef)>)| {
        let field = field.as_ref().map(|(name, target)| member("__0", reference_type(name, target.clone()), 0));
        let whole = Type::Record(record((*name).to_owned(), field.into_iter().collect()));
        Variant { values: Arc::from([tag..=tag]), member: member(name, Arc::new(whole), 0) }
    };
    let list = vec![variant(0, absent), variant(1, present)];
    let tag = member("tag", Arithmetic::Integer(IntegerType::UNSIGNED_LONG).base_type(), WORD);
    let variants = Some(Variants { discriminant: Some(Box::new(tag)), list });
    let whole = Record { variants, ..record(name.to_owned(), Vec::new()) };
    let is_present = u64::from(found.is_some());
    let (bytes, pointers) = found.map_or(([0; WORD as usize], Vec::new()), |found| led_to(found.place));
    let bytes = bytes.into_iter().chain(is_present.to_le_bytes()).map(Some).collect();
    Value::new(Arc::new(Type::Record(whole)), Place::of_pieces(bytes, pointers))
}
