//! C++ classes in expressions: static members, virtual base classes, and what an object really is.

use super::*;
use base::qualified::{QualifiedName, bare_path, ends_with};
use ctype::Record;
use ctype::layout::{ambiguous_member, base_offset, find_member};
use std::collections::HashSet;

/// Base classes that are looked at.
pub(super) const MAX_BASES: usize = 1000;
/// Components of a name of a class of which some are names within classes.
const MOST_WITHIN: usize = 16;

impl Evaluator<'_> {
    /// Finds a member that is not at a fixed place of the class: a static one, one of a virtual base class, or one of
    /// the class that the object really is of.
    pub(super) fn distant_member(&mut self, value: &Value, name: &str) -> Option<Value> {
        if let Some(found) = self.static_member(&value.ty, name) {
            return Some(found);
        }
        let mut candidates = self.virtual_bases(value);
        if let Some(whole) = self.env.whole_object(value) {
            candidates.extend(self.virtual_bases(&whole));
            candidates.push(whole);
        }
        candidates.iter().find_map(|object| object.member(name))
    }

    /// Finds a member that the class has, but not at a fixed place: a static one, or one of a virtual base class.
    pub(super) fn member_of_class(&mut self, object: &Value, name: &str) -> Option<Value> {
        let found = self.static_member(&object.ty, name);
        found.or_else(|| self.virtual_bases(object).iter().find_map(|base| base.member(name)))
    }

    /// Finds the part of an object that is of a class with that name: itself, or a base class. A class has its own name and
    /// those of its bases within itself (C++20 11.1): `Derived::Base` is `Base`.
    pub(super) fn part_named(&mut self, object: &Value, class: &str) -> Option<Value> {
        if let Some(part) = self.part_called(object, class) {
            return Some(part);
        }
        let split = QualifiedName::split(class);
        let components: Vec<&str> = split.components().iter().map(|part| part.text).collect();
        (1..components.len().min(MOST_WITHIN)).rev().find_map(|count| {
            let (outer, inner) = components.split_at_checked(count)?;
            let part = self.part_called(object, &outer.join("::"))?;
            inner.iter().try_fold(part, |part, own| self.part_called(&part, own))
        })
    }

    fn part_called(&mut self, object: &Value, class: &str) -> Option<Value> {
        let is_named = |value: &Value| match &*strip(&value.ty) {
            Type::Record(record) => record.name.as_deref().is_some_and(|name| ends_with(name, class)),
            _ => false,
        };
        let mut open = vec![object.clone()];
        let mut is_virtual = false;
        let mut visited = 0;
        let mut instances: Vec<Value> = Vec::new();
        // First the object and its bases at fixed offsets; then its virtual bases, each with its own.
        while visited < MAX_BASES {
            let Some(value) = open.pop() else {
                if is_virtual {
                    break;
                }
                is_virtual = true;
                open = self.virtual_bases(object);
                open.reverse();
                continue;
            };
            visited += 1;
            if is_named(&value) {
                return Some(value);
            }
            if is_instance(&value.ty, class) && !instances.iter().any(|one| Arc::ptr_eq(&one.ty, &value.ty)) {
                instances.push(value.clone());
            }
            if let Type::Record(record) = &*strip(&value.ty) {
                let bases = record.members.iter().filter(|member| member.is_base);
                open.extend(bases.map(|base| value.part(base.ty.get(), base.offset, None)));
            }
        }
        // The name of the template alone is that of the instance which is the class or one of its bases.
        instances.pop().filter(|_| instances.is_empty())
    }

    /// Fails if several bases of an object's class have a member, and none hides the others'.
    pub(super) fn only_one_member(&self, object: &Value, name: &str, span: &Span) -> Result<(), Error> {
        let is_cxx = self.env.target().dialect == Dialect::Cxx;
        let Some(bases) = is_cxx.then(|| ambiguous_member(&object.ty, name)).flatten() else { return Ok(()) };
        let record = self.name_of(&object.ty);
        // The name of a base that is there several times does not tell them apart.
        if let Some((first, others)) = bases.split_first()
            && others.contains(first)
        {
            return Err(several_parts(&record, first, span));
        }
        Err(Error::new(span, ErrorKind::AmbiguousMember { name: name.to_owned(), record, bases }))
    }

    /// Fails if an object has several parts of a base class that a member is qualified with.
    pub(super) fn only_one_part(&self, class: &TypeRef, base: &TypeRef, span: &Span) -> Result<(), Error> {
        if self.env.target().dialect != Dialect::Cxx || !self.has_several(class, base) {
            return Ok(());
        }
        Err(several_parts(&self.name_of(class), &self.name_of(base), span))
    }

    /// Finds the static data member that a qualified name means, of a class that has it as a constant only.
    pub(super) fn static_named(&mut self, name: &Name) -> Option<Value> {
        let (class, own) = self.class_and_member(name)?;
        self.static_member(&class, own)
    }

    /// Makes the pointer to member that `&Class::member` is; `None` if there is no such member. Of a bit-field there is
    /// none.
    pub(super) fn pointer_to_member(&mut self, name: &Name, span: &Span) -> Result<Option<Value>, Error> {
        let is_field = |class: &TypeRef, own| find_member(class, own).is_some_and(|found| found.bits.is_some());
        let found = self.member_pointer(name);
        if found.is_some() && self.class_and_member(name).is_some_and(|(class, own)| is_field(&class, own)) {
            return Err(Error::new(span, ErrorKind::NoAddress("a bit-field".to_owned())));
        }
        Ok(found)
    }

    fn member_pointer(&mut self, name: &Name) -> Option<Value> {
        let (class, own) = self.class_and_member(name)?;
        let function = self.env.variable(name).ok().filter(Value::is_function);
        if let Some(found) = self.pointer_to_method(&class, own, function.as_ref()) {
            return Some(found);
        }
        // In the methods of a class the name of a member is that of the object, too.
        if function.is_some() || self.static_member(&class, own).is_some() {
            return None;
        }
        let found = find_member(&class, own)?;
        let size = self.env.target().pointer_size();
        let ty = Type::MemberPointer { class: class.into(), target: found.ty.into(), size };
        Some(Value::computed(Arc::new(ty), &found.offset.to_le_bytes()))
    }

    /// Makes the pointer to a member function of a class: of a virtual one, it is its place in the virtual table, of
    /// another one, where it is (Itanium C++ ABI 2.3).
    fn pointer_to_method(&self, class: &TypeRef, name: &str, function: Option<&Value>) -> Option<Value> {
        let ty = strip(class);
        let Type::Record(record) = &*ty else { return None };
        let parts = record.parts();
        let mut named = parts.methods.iter().filter(|method| method.name == name);
        let (only, None) = (named.next()?, named.next()) else { return None };
        if only.is_static {
            return None;
        }
        let size = self.env.target().pointer_size();
        let word = match only.is_virtual {
            true => only.slot?.checked_mul(size)?.checked_add(1)?,
            false => function?.address()?,
        };
        let ty = Type::MemberPointer { class: class.clone().into(), target: only.ty.clone(), size: 2 * size };
        let bytes: Vec<u8> = [word, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        Some(Value::computed(Arc::new(ty), &bytes))
    }

    /// Says what a class or one of its bases has by a name that none of its data members bears.
    pub(super) fn without_data(&self, ty: &TypeRef, name: &str) -> Option<ErrorKind> {
        let mut open = vec![strip(ty)];
        let mut visited = 0;
        while let Some(ty) = open.pop().filter(|_| visited < MAX_BASES) {
            visited += 1;
            let Type::Record(record) = &*ty else { continue };
            let (member, class) = (name.to_owned(), self.name_of(&ty));
            if record.parts().methods.iter().any(|method| method.name == name) {
                return Some(ErrorKind::MemberFunction { name: member, record: class });
            }
            if record.statics.iter().any(|member| member.name == name) {
                return Some(ErrorKind::DeclaredOnly { name: member, record: class });
            }
            let bases = record.members.iter().filter(|m| m.is_base).map(|m| &m.ty);
            open.extend(bases.chain(record.virtual_bases.iter().map(|base| &base.ty)).map(|ty| strip(&ty.get())));
        }
        None
    }

    /// Finds an enumerator that a class itself declares, and no member of its own: it hides those of the bases.
    pub(super) fn own_enumerator(&mut self, ty: &TypeRef, name: &str) -> Option<Value> {
        if self.env.target().dialect != Dialect::Cxx {
            return None;
        }
        let ty = strip(ty);
        let Type::Record(record) = &*ty else { return None };
        let has_bases = record.members.iter().any(|member| member.is_base) || !record.virtual_bases.is_empty();
        let is_own = |member: &ctype::Member| !member.is_base && member.name.as_deref() == Some(name);
        if !has_bases || record.members.iter().any(is_own) {
            return None;
        }
        let class = record.name.as_deref().filter(|class| !class.is_empty())?;
        let (ty, value) = self.env.enumerator(&format!("{class}::{name}"))?;
        Some(self.enumerator_value(ty, value))
    }

    /// Finds an enumerator that a class declares, or one of its bases: C++ names it through an object, too.
    pub(super) fn enumerator_of(&mut self, ty: &TypeRef, name: &str) -> Option<Value> {
        if self.env.target().dialect != Dialect::Cxx {
            return None;
        }
        let mut open = vec![strip(ty)];
        let mut visited = 0;
        while let Some(ty) = open.pop().filter(|_| visited < MAX_BASES) {
            visited += 1;
            let Type::Record(record) = &*ty else { continue };
            let class = record.name.as_deref().filter(|class| !class.is_empty());
            if let Some((ty, value)) = class.and_then(|class| self.env.enumerator(&format!("{class}::{name}"))) {
                return Some(self.enumerator_value(ty, value));
            }
            let bases = record.members.iter().filter(|m| m.is_base).map(|m| &m.ty);
            open.extend(bases.chain(record.virtual_bases.iter().map(|base| &base.ty)).map(|ty| strip(&ty.get())));
        }
        None
    }

    /// Fails if a class has its own `operator->`: what that leads to, only the function itself can say, and it is not the
    /// object's own member.
    pub(super) fn no_own_arrow(&self, ty: &TypeRef, span: &Span) -> Result<(), Error> {
        match self.without_data(ty, "operator->") {
            Some(ErrorKind::MemberFunction { record, .. }) => {
                let why = format!(
                    "-> of {record} calls its operator->, a function of the program; \".\" reaches the object's own members"
                );
                Err(Error::new(span, ErrorKind::Call(why)))
            }
            _ => Ok(()),
        }
    }

    /// Finds the class that a name begins with, and the name of the member.
    fn class_and_member<'n>(&mut self, name: &'n Name) -> Option<(TypeRef, &'n str)> {
        let (own, class) = name.path.split_last().filter(|(_, class)| !class.is_empty())?;
        if self.env.target().dialect != Dialect::Cxx || name.file.is_some() {
            return None;
        }
        let class = self.env.type_named(None, &class.join("::"))?;
        matches!(&*strip(&class), Type::Record(_)).then_some((class, own.as_str()))
    }

    /// Finds a static data member, by the name of the class that has it.
    fn static_member(&mut self, class: &TypeRef, name: &str) -> Option<Value> {
        let mut open = vec![strip(class)];
        let mut visited = 0;
        while let Some(ty) = open.pop().filter(|_| visited < MAX_BASES) {
            visited += 1;
            let Type::Record(record) = &*ty else { continue };
            if let Some(found) = self.own_static(record, name) {
                return Some(found);
            }
            let bases = record.members.iter().filter(|m| m.is_base).map(|m| &m.ty);
            open.extend(bases.chain(record.virtual_bases.iter().map(|base| &base.ty)).map(|ty| strip(&ty.get())));
        }
        None
    }

    fn own_static(&mut self, record: &Record, name: &str) -> Option<Value> {
        let member = record.statics.iter().find(|member| member.name == name)?;
        let ty = member.ty.get();
        let size = size_of(&ty).and_then(|size| usize::try_from(size).ok());
        if let Some(bytes) = size.zip(member.constant.as_ref()).and_then(|(size, bytes)| bytes.get(..size)) {
            return Some(Value::computed(ty, bytes));
        }
        self.env.static_member(&format!("{}::{name}", record.name.as_deref()?), member.declared)
    }

    /// Finds the virtual base classes of an object, of its bases, and so on. Where they are counts for nothing if only
    /// types are asked for.
    fn virtual_bases(&mut self, value: &Value) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        let mut open = vec![value.clone()];
        let mut visited = 0;
        while let Some(object) = open.pop().filter(|_| visited < MAX_BASES) {
            visited += 1;
            let ty = strip(&object.ty);
            let Type::Record(record) = &*ty else { continue };
            for base in record.members.iter().filter(|member| member.is_base) {
                open.push(object.part(base.ty.get(), base.offset, None));
            }
            for base in &record.virtual_bases {
                let base = match self.unevaluated {
                    true => object.part(base.ty.get(), 0, None),
                    false => match object.virtual_base(base, self.env) {
                        Ok(base) => base,
                        Err(_) => continue,
                    },
                };
                // One object however many classes have it as a base.
                let is_it = |known: &Value| known.place == base.place && is_same_class(&known.ty, &base.ty);
                if !found.iter().any(is_it) {
                    found.push(base.clone());
                    open.push(base);
                }
            }
        }
        found
    }

    /// Finds the part of an object that is of a class: itself, or a base class, virtual or not.
    pub(super) fn part_of_class(&mut self, object: &Value, class: &TypeRef) -> Option<Value> {
        if is_same_class(&object.ty, class) {
            return Some(object.clone());
        }
        if let Some(offset) = base_offset(&object.ty, class) {
            return Some(object.part(class.clone(), offset, None));
        }
        let bases = self.virtual_bases(object);
        bases.iter().find_map(|base| match is_same_class(&base.ty, class) {
            true => Some(base.clone()),
            false => base_offset(&base.ty, class).map(|offset| base.part(class.clone(), offset, None)),
        })
    }

    /// Finds where a cast of a pointer to a class leads that is related to the pointer's own by more than a fixed
    /// distance: the address of that part of the same object. `None` if the object has no such part.
    pub(super) fn class_address(&mut self, address: u64, from: &TypeRef, to: &TypeRef) -> Option<u64> {
        let object = Value::new(from.clone(), Place::Memory(address));
        let whole = self.env.whole_object(&object);
        if let Some(part) = self.part_of_class(&object, to) {
            return part.address();
        }
        // Only to a class that has the pointer's own as a base: to its sibling, the address stays.
        let part = self.part_of_class(&whole?, to)?;
        self.part_of_class(&part, from)?;
        part.address()
    }

    /// Returns whether a class has another as a base, virtual or not.
    pub(super) fn is_derived(&self, class: &TypeRef, base: &TypeRef) -> bool {
        !objects_of_base(class, base).is_empty()
    }

    /// Returns whether an object of a class has several parts of another one: C++ converts it to none of them.
    pub(super) fn has_several(&self, class: &TypeRef, base: &TypeRef) -> bool {
        objects_of_base(class, base).len() > 1
    }

    /// Returns whether a type is a class with virtual functions, or one that has virtual bases.
    pub(super) fn is_polymorphic(&self, ty: &TypeRef) -> bool {
        let mut open = vec![strip(ty)];
        let mut visited = 0;
        while let Some(ty) = open.pop().filter(|_| visited < MAX_BASES) {
            visited += 1;
            let Type::Record(record) = &*ty else { continue };
            let has_table = record.members.iter().any(|m| m.name.as_deref().is_some_and(|n| n.starts_with("_vptr")));
            if has_table || !record.virtual_bases.is_empty() {
                return true;
            }
            open.extend(record.members.iter().filter(|m| m.is_base).map(|m| strip(&m.ty.get())));
        }
        false
    }
}

fn several_parts(class: &str, base: &str, span: &Span) -> Error {
    meaning::no_element(span, &format!("{class} has several parts of {base}: name a class that has one of them"))
}

/// Returns whether two types are classes of the same name.
pub(super) fn is_same_class(a: &TypeRef, b: &TypeRef) -> bool {
    match (&*strip(a), &*strip(b)) {
        (Type::Record(a), Type::Record(b)) => a.name.is_some() && a.name == b.name,
        _ => false,
    }
}

/// Finds where the parts of an object are that are of a base class: the virtual base that one is part of, by its name,
/// and how far from the start of that, or of the object, it is. At most two.
fn objects_of_base(class: &TypeRef, base: &TypeRef) -> Vec<(Option<String>, u64)> {
    let mut found: Vec<(Option<String>, u64)> = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![(strip(class), None, 0u64)];
    let mut visited = 0;
    while let Some((ty, part_of, offset)) = open.pop().filter(|_| visited < MAX_BASES && found.len() < 2) {
        visited += 1;
        let Type::Record(record) = &*ty else { continue };
        let fixed = record.members.iter().filter(|member| member.is_base);
        let fixed = fixed.map(|base| (strip(&base.ty.get()), part_of.clone(), offset.wrapping_add(base.offset)));
        let of_itself = |ty: TypeRef| {
            let name = match &*ty {
                Type::Record(record) => record.name.clone(),
                _ => None,
            };
            (ty, name, 0)
        };
        let shared = record.virtual_bases.iter().map(|base| of_itself(strip(&base.ty.get())));
        for (ty, part_of, offset) in fixed.chain(shared) {
            let name = match &*ty {
                Type::Record(record) => record.name.clone(),
                _ => None,
            };
            // An empty base may be where another one is.
            if !seen.insert((name, part_of.clone(), offset)) {
                continue;
            }
            if is_same_class(&ty, base) {
                found.push((part_of.clone(), offset));
            }
            open.push((ty, part_of, offset));
        }
    }
    found
}

/// Returns whether a class is an instance of a template of this name, which has no arguments.
fn is_instance(ty: &TypeRef, template: &str) -> bool {
    let ty = strip(ty);
    let Type::Record(Record { name: Some(name), .. }) = &*ty else { return false };
    !template.contains('<') && name.ends_with('>') && ends_with(bare_path(name), template)
}

/// Returns whether an object's class has a member function of a name, apart from its bases.
pub(super) fn declares(object: &Value, name: &str) -> bool {
    match &*strip(&object.ty) {
        Type::Record(record) => record.parts().methods.iter().any(|method| method.name == name),
        _ => false,
    }
}
