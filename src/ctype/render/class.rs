//! Structures, unions and classes in C's notation, and pointers to their members.

use super::*;
use crate::{StaticMember, Variants, VirtualBase};
use base::qualified::bounded_in_line;
use std::sync::Arc;

impl Renderer<'_> {
    pub(super) fn record(&mut self, value: &Value, record: &Record, depth: usize) {
        if record.is_incomplete() {
            return match self.memory.defined_type(record) {
                Some(ty) if !self.too_deep(depth) => self.value(&Value { ty, ..value.clone() }, depth),
                _ => self.out.push("<incomplete type>"),
            };
        }
        if self.too_deep(depth) {
            return;
        }
        let (mut separator, mut has_begun) = ("{", false);
        for index in 0..=record.members.len() {
            for base in record.virtual_bases.iter().filter(|base| base.before == index) {
                self.virtual_base(value, base, &mut separator, depth);
            }
            for member in record.statics.iter().filter(|member| member.before == index) {
                self.separate(&mut separator, depth, false);
                self.static_member(record, member, depth);
            }
            // An unnamed bit-field is padding.
            let Some(member) = record.members.get(index).filter(|m| m.name.is_some() || m.bits.is_none()) else {
                continue;
            };
            if self.out.full {
                return;
            }
            self.separate(&mut separator, depth, member.is_base);
            let ty = member.ty.get();
            if !member.is_base && !has_begun {
                has_begun = true;
                if self.options.pretty && self.is_cxx() && record.members.iter().any(|member| member.is_base) {
                    let name = record.name.as_deref().unwrap_or_default();
                    self.out.push(&format!("members of {}:", bounded_in_line(name)));
                    self.new_line(depth + 1);
                }
            }
            if member.is_base {
                self.base_name(&ty);
            } else if let Some(name) = &member.name {
                self.out.push(&format!("{} = ", bounded_in_line(name)));
            }
            let part = value.part(ty, member.offset, member.bits);
            if member.name.as_deref().is_some_and(|name| name.starts_with("_vptr")) {
                self.table(&part);
            } else {
                self.value(&part, depth + 1);
            }
        }
        if let Some(variants) = &record.variants {
            self.variants(value, variants, &mut separator, depth);
        }
        let has_data = record.members.iter().any(|m| !m.is_base) || !record.statics.is_empty();
        if !has_data && record.variants.is_none() {
            self.out.push(separator);
            self.out.push("<No data fields>");
        } else {
            self.end_line(depth);
        }
        self.out.push("}");
    }

    /// Writes the members of the variant that is there.
    fn variants(&mut self, value: &Value, variants: &Variants, separator: &mut &'static str, depth: usize) {
        let members: Vec<_> = match value.discriminant(variants, self.memory) {
            Ok(Some(discriminant)) => variants.members_of(discriminant).collect(),
            // There is only one.
            Ok(None) if variants.list.iter().all(|variant| variant.values.is_empty()) => {
                variants.inhabited().map(|variant| &variant.member).collect()
            }
            unknown => {
                let why = unknown.err().map_or("nothing tells which".to_owned(), |reason| reason.to_string());
                self.separate(separator, depth, false);
                return self.out.push(&format!("<one of several variants: {why}>"));
            }
        };
        for member in members {
            self.separate(separator, depth, false);
            self.out.push(&format!("{} = ", bounded_in_line(member.name.as_deref().unwrap_or("?"))));
            self.value(&value.part(member.ty.get(), member.offset, member.bits), depth + 1);
        }
    }

    /// Writes a pointer to a virtual table: the table's name says more than any format.
    fn table(&mut self, value: &Value) {
        let text = match value.word(0, self.memory) {
            Ok(address) => scalar::address(address, self.memory),
            Err(reason) => reason.to_string(),
        };
        self.out.push(&text);
    }

    /// Begins a member: behind those before it, or on a line of its own.
    fn separate(&mut self, separator: &mut &'static str, depth: usize, is_base: bool) {
        self.out.push(separator);
        *separator = ", ";
        if self.options.pretty {
            self.new_line(depth + 1);
            if !is_base {
                *separator = ",";
            }
        }
    }

    fn new_line(&mut self, depth: usize) {
        self.out.push("\n");
        self.out.push(&"  ".repeat(depth));
    }

    /// Ends the lines of the members, if each is on one of its own.
    fn end_line(&mut self, depth: usize) {
        if self.options.pretty {
            self.new_line(depth);
        }
    }

    fn is_cxx(&self) -> bool {
        self.options.target.dialect == Dialect::Cxx
    }

    fn base_name(&mut self, ty: &TypeRef) {
        let name = type_name(ty, Dialect::Cxx);
        self.out.push(&format!("<{name}> = "));
    }

    /// Writes a virtual base class, which is one object however many classes it is the base of. In an object that is
    /// not constructed yet, nothing tells where that is.
    fn virtual_base(&mut self, value: &Value, base: &VirtualBase, separator: &mut &'static str, depth: usize) {
        let found = value.virtual_base(base, self.memory);
        let found = found.and_then(|object| self.missing(&object).map_or(Ok(object), Err));
        if let Ok(Value { place: Place::Memory(address), .. }) = &found
            && !self.virtual_bases.insert(*address)
        {
            return;
        }
        let ty = base.ty.get();
        let is_first = self.named_bases.insert(type_name(&ty, Dialect::Cxx));
        if found.is_err() && !is_first {
            return;
        }
        self.separate(separator, depth, true);
        self.base_name(&ty);
        match found {
            Ok(object) => self.value(&object, depth + 1),
            // Nothing is wrong with the object.
            Err(reason @ (Unavailable::NotCollected | Unavailable::Other(_))) => self.out.push(&reason.to_string()),
            Err(_) => self.out.push("<invalid address>"),
        }
    }

    fn static_member(&mut self, record: &Record, member: &StaticMember, depth: usize) {
        self.out.push(&format!("static {} = ", bounded_in_line(&member.name)));
        let constant = member.constant.as_ref().zip(size_of(&member.ty.get())).and_then(|(bytes, size)| {
            let bytes = bytes.get(..usize::try_from(size).ok()?)?;
            Some(Value::computed(member.ty.get(), bytes))
        });
        let variable = || {
            let class = record.name.as_deref()?;
            self.memory.static_member(&format!("{class}::{}", member.name), member.declared)
        };
        let Some(value) = constant.or_else(variable) else {
            return self.out.push(&Unavailable::OptimizedOut.to_string());
        };
        match value.place {
            // A class may be a static member of itself. Scalars cannot lead to more of the same.
            Place::Memory(address) if matches!(&*strip(&value.ty), Type::Record(_) | Type::Array { .. }) => {
                if !self.statics.insert(address) {
                    return self.out.push("<same as static member of an already seen type>");
                }
                self.value(&value, depth + 1);
                self.statics.remove(&address);
            }
            _ => self.value(&value, depth + 1),
        }
    }

    /// Finds the object that a value really is, or the pointer or reference to it, if that is wanted.
    pub(super) fn real_object(&mut self, value: &Value) -> Option<Value> {
        if !self.options.objects || self.meaning_of(value).is_some() {
            return None;
        }
        let Type::Pointer { kind, target, size } = &*strip(&value.ty) else {
            return self.memory.whole_object(value);
        };
        if *kind == PointerKind::Pointer && self.format().is_some() {
            return None;
        }
        let address = value.word(0, self.memory).ok().filter(|address| *address != 0)?;
        let whole = self.memory.whole_object(&Value::new(target.get(), Place::Memory(address)))?;
        let start = whole.address()?;
        let ty = Type::Pointer { kind: *kind, target: whole.ty.into(), size: *size };
        Some(Value::computed(Arc::new(ty), start.to_le_bytes().get(..*size as usize)?))
    }

    pub(super) fn member_pointer(&mut self, value: &Value, class: &TypeRef, target: &TypeRef, depth: usize) {
        let word = match value.word(0, self.memory) {
            Ok(word) => word,
            Err(reason) => return self.out.push(&reason.to_string()),
        };
        if matches!(&*strip(target), Type::Function { .. }) {
            return self.method_pointer(value, class, word, depth);
        }
        if let Some(text) = self
            .format()
            .and_then(|format| scalar::format_raw(format, Raw::new(u128::from(word), 8, true), self.memory))
        {
            return self.out.push(&text);
        }
        match (word, member_at(class, word)) {
            (u64::MAX, _) => self.out.push("NULL"),
            (_, Some(name)) => self.out.push(&format!("&{name}")),
            (offset, None) => self.out.push(&(offset as i64).to_string()),
        }
    }

    fn method_pointer(&mut self, value: &Value, class: &TypeRef, word: u64, depth: usize) {
        let adjustment = match value.word(8, self.memory) {
            Ok(adjustment) => adjustment,
            Err(reason) => return self.out.push(&reason.to_string()),
        };
        // Two that differ only in what they add to the object are not the same.
        let both = Raw::new(u128::from(adjustment) << 64 | u128::from(word), 16, true);
        let raw = if adjustment == 0 { Raw::new(u128::from(word), 8, true) } else { both };
        // Within a structure GDB has no format for them.
        if let Some(text) =
            self.format().filter(|_| depth == 0).and_then(|format| scalar::format_raw(format, raw, self.memory))
        {
            return self.out.push(&text);
        }
        if word == 0 {
            return self.out.push("NULL");
        }
        if word & 1 != 0 {
            let found = virtual_at(class, word / 8, self.options.target.dialect);
            self.out.push(&match found.filter(|_| adjustment == 0) {
                Some(name) => format!("&virtual {name}"),
                None => format!("&virtual table offset {}", word - 1),
            });
        } else {
            let name = self.type_name(&value.ty);
            let address = scalar::address(word, self.memory);
            self.out.push(&format!("({name}) {address}"));
        }
        if adjustment != 0 {
            self.out.push(&format!(", this adjustment {}", adjustment as i64));
        }
    }
}

/// Finds the virtual function at a place of a class's virtual table: its own, or that of the base class at its start.
fn virtual_at(class: &TypeRef, slot: u64, dialect: Dialect) -> Option<String> {
    /// Levels of base classes.
    const MAX_DEPTH: usize = 32;
    let mut class = strip(class);
    for _ in 0..MAX_DEPTH {
        let Type::Record(record) = &*class else { return None };
        let parts = record.parts();
        if let Some(method) = parts.methods.iter().find(|method| method.is_virtual && method.slot == Some(slot)) {
            return Some(format!("{}::{}", record.name.as_deref()?, method.signature(dialect)));
        }
        let base = record.members.iter().find(|member| member.is_base && member.offset == 0)?;
        let next = strip(&base.ty.get());
        class = next;
    }
    None
}

/// Finds the data member that starts at an offset of a class: the first one, if some overlap, `Base::x`.
fn member_at(class: &TypeRef, offset: u64) -> Option<String> {
    /// Levels of base classes.
    const MAX_DEPTH: usize = 32;
    let mut class = strip(class);
    let mut offset = offset;
    for _ in 0..MAX_DEPTH {
        let Type::Record(record) = &*class else { return None };
        let own = record.members.iter().find(|m| !m.is_base && m.bits.is_none() && m.offset == offset);
        if let Some(name) = own.and_then(|member| member.name.as_deref()) {
            return Some(format!("{}::{name}", record.name.as_deref()?));
        }
        let covers = |m: &&Member| {
            let size = size_of(&m.ty.get()).unwrap_or(0);
            m.is_base && m.offset <= offset && offset - m.offset < size
        };
        let base = record.members.iter().find(covers)?;
        offset -= base.offset;
        let next = strip(&base.ty.get());
        class = next;
    }
    None
}
