//! Values of Rust programs, as `{:?}` writes them: `Some(3)`, `[1, 2]`, `Point { x: 1, y: 2 }`.

use super::*;
use crate::layout::pointer_target;
use base::qualified::{bare_last, bounded_in_line};

/// References that are looked through: `&&&str`.
const MAX_REFERENCES: usize = 8;

/// Returns the place of a member without a name of its own: 1 of `__1`.
fn field_number(member: &Member) -> Option<u32> {
    member.name.as_deref()?.strip_prefix("__")?.parse().ok()
}

/// How deep inside of something structures behind references are shown.
const SHOWN_BEHIND: usize = 1;

/// Returns whether a value has fields or elements.
fn is_structure(value: &Value) -> bool {
    matches!(&*strip(&value.ty), Type::Record(_) | Type::Array { .. })
}

impl Renderer<'_> {
    /// Writes what an expression's value looks like: a reference is looked through, whatever it refers to.
    pub(super) fn rust_top_level(&mut self, value: &Value) {
        if matches!(&*strip(&value.ty), Type::Pointer { .. })
            && self.format().is_none()
            && self.meaning_of(value).is_none()
        {
            if let Some(referent) = self.rust_referent(value) {
                self.out.push("&");
                return self.value(&referent, 1);
            }
            let name = self.type_name(&value.ty);
            self.out.push(&format!("({name}) "));
        }
        self.value(value, 0);
    }

    /// Writes a reference inside of something, or a variable: what it refers to if that is simple, means more than its
    /// bytes, or is a structure not far inside, and the address of anything else.
    pub(super) fn rust_pointer(&mut self, value: &Value, target: &TypeRef, size: u64, depth: usize) {
        let referent =
            self.rust_referent(value).filter(|_| self.format().is_none() && depth < self.options.limits.depth);
        if let Some(referent) = referent
            && (self.rust_is_short(&referent) || (depth <= SHOWN_BEHIND && is_structure(&referent)))
        {
            self.out.push("&");
            return self.value(&referent, depth + 1);
        }
        self.pointer(value, target, size);
    }

    /// Returns whether a value is simple or means more than its bytes, behind however many references.
    fn rust_is_short(&mut self, value: &Value) -> bool {
        let mut value = value.clone();
        for _ in 0..MAX_REFERENCES {
            if matches!(&*strip(&value.ty), Type::Base { .. } | Type::Enumeration(_)) {
                return true;
            }
            if self.meaning_of(&value).is_some() {
                return true;
            }
            match self.rust_referent(&value) {
                Some(referent) => value = referent,
                None => return false,
            }
        }
        false
    }

    /// Follows a reference to what it refers to; `None` for other pointers, and for what cannot be read.
    fn rust_referent(&mut self, value: &Value) -> Option<Value> {
        let Type::Typedef { name, .. } = &*value.ty else { return None };
        let target = pointer_target(&value.ty).filter(|_| name.starts_with('&'))?;
        if matches!(&*strip(&target), Type::Function { .. } | Type::Void) {
            return None;
        }
        let referent = match value.synthetic_target(&target) {
            Some(referent) => referent,
            None => Value::new(target, Place::Memory(value.word(0, self.memory).ok()?)),
        };
        self.missing(&referent).is_none().then_some(referent)
    }

    pub(super) fn rust_record(&mut self, value: &Value, record: &Record, depth: usize) {
        if record.variants.is_some() {
            return self.rust_enum(value, record, depth);
        }
        let name = record.name.as_deref().unwrap_or_default();
        self.rust_fields(if name.starts_with('(') { "" } else { bare_last(name) }, value, record, depth);
    }

    fn rust_enum(&mut self, value: &Value, record: &Record, depth: usize) {
        match value.variant(self.memory) {
            Ok(Some((name, variant))) => match &*strip(&variant.ty) {
                // The states of a future are numbered; their types have names.
                Type::Record(fields) if name.bytes().all(|b| b.is_ascii_digit()) => {
                    let state = bare_last(fields.name.as_deref().unwrap_or(&name)).to_owned();
                    self.rust_fields(&state, &variant, fields, depth);
                }
                Type::Record(fields) => self.rust_fields(&name, &variant, fields, depth),
                _ => self.out.push(&name),
            },
            Ok(None) => {
                let name = bare_last(record.name.as_deref().unwrap_or("enum")).to_owned();
                self.out.push(&format!("<no variant of {name}>"));
            }
            Err(reason) => self.out.push(&reason.to_string()),
        }
    }

    /// Writes `Name`, `Name(1, 2)`, `Name { a: 1 }`, `(1, 2)`.
    fn rust_fields(&mut self, name: &str, value: &Value, record: &Record, depth: usize) {
        let mut members: Vec<&Member> = record.members.iter().collect();
        let is_tuple = !members.is_empty() && members.iter().all(|m| field_number(m).is_some());
        if members.is_empty() {
            return self.out.push(if name.is_empty() { "()" } else { name });
        }
        if self.too_deep(depth) {
            return;
        }
        self.out.push(name);
        if is_tuple {
            members.sort_by_key(|member| field_number(member));
        }
        self.out.push(match is_tuple {
            true => "(",
            false if name.is_empty() => "{ ",
            false => " { ",
        });
        for (i, member) in members.iter().enumerate() {
            if self.out.full {
                return;
            }
            if i > 0 {
                self.out.push(", ");
            }
            if !is_tuple {
                self.out.push(&format!("{}: ", bounded_in_line(member.name.as_deref().unwrap_or("_"))));
            }
            self.value(&value.part(member.ty.get(), member.offset, member.bits), depth + 1);
        }
        self.out.push(match is_tuple {
            true if members.len() == 1 && name.is_empty() => ",)",
            true => ")",
            false => " }",
        });
    }
}
