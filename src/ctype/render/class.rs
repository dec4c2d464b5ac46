//! Structures, unions and classes in C's notation.

use super::*;
use crate::ctype::{StaticMember, VirtualBase};

impl Renderer<'_> {
    pub(super) fn record(&mut self, value: &Value, record: &Record, depth: usize) {
        if record.size.is_none() {
            self.out.push("<incomplete type>");
            return;
        }
        if self.too_deep(depth) {
            return;
        }
        let mut separator = "{";
        for index in 0..=record.members.len() {
            for base in record.virtual_bases.iter().filter(|base| base.before == index) {
                self.virtual_base(value, base, &mut separator, depth);
            }
            for member in record.statics.iter().filter(|member| member.before == index) {
                self.separate(&mut separator);
                self.static_member(record, member, depth);
            }
            // An unnamed bit-field is padding.
            let Some(member) = record.members.get(index).filter(|m| m.name.is_some() || m.bits.is_none()) else {
                continue;
            };
            if self.out.full {
                return;
            }
            self.separate(&mut separator);
            let ty = member.ty.get();
            if member.is_base {
                self.base_name(&ty);
            } else if let Some(name) = &member.name {
                self.out.push(&format!("{name} = "));
            }
            self.value(&value.part(ty, member.offset, member.bits), depth + 1);
        }
        if let Some(variants) = &record.variants {
            for variant in &variants.list {
                let member = &variant.member;
                self.separate(&mut separator);
                self.out.push(&format!("{} = ", member.name.as_deref().unwrap_or("?")));
                self.value(&value.part(member.ty.get(), member.offset, None), depth + 1);
            }
        }
        self.out.push(if separator == "{" { "{<No data fields>}" } else { "}" });
    }

    fn separate(&mut self, separator: &mut &'static str) {
        self.out.push(separator);
        *separator = ", ";
    }

    fn base_name(&mut self, ty: &TypeRef) {
        let name = type_name(ty, Dialect::Cxx);
        self.out.push(&format!("<{name}> = "));
    }

    /// A virtual base class, which is one object however many classes it is the base of.
    fn virtual_base(&mut self, value: &Value, base: &VirtualBase, separator: &mut &'static str, depth: usize) {
        let found = value.virtual_base(base, self.memory);
        if let Ok(Value { place: Place::Memory(address), .. }) = &found
            && !self.virtual_bases.insert(*address)
        {
            return;
        }
        self.separate(separator);
        self.base_name(&base.ty.get());
        match found {
            Ok(object) => self.value(&object, depth + 1),
            Err(reason) => self.out.push(&reason.to_string()),
        }
    }

    fn static_member(&mut self, record: &Record, member: &StaticMember, depth: usize) {
        self.out.push(&format!("static {} = ", member.name));
        let constant = member.constant.as_ref().zip(size_of(&member.ty.get())).and_then(|(bytes, size)| {
            let bytes = bytes.get(..usize::try_from(size).ok()?)?;
            Some(Value::computed(member.ty.get(), bytes))
        });
        let variable = || {
            let class = record.name.as_deref()?;
            self.memory.global(&format!("{class}::{}", member.name))
        };
        match constant.or_else(variable) {
            // A class may be a static member of itself.
            Some(Value { place: Place::Memory(address), .. }) if !self.statics.insert(address) => {
                self.out.push("<same as static member of an already seen type>");
            }
            Some(value) => self.value(&value, depth + 1),
            None => self.out.push(&Unavailable::OptimizedOut.to_string()),
        }
    }
}
