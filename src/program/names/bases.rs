//! Base classes, whose names are those of the classes made of them, too, unless these have others.

use super::Names;
use crate::ctype::layout::strip;
use crate::ctype::{Dialect, Enumeration, Record, Type, TypeRef};
use crate::dwarf::TypeTag;
use crate::program::module::Loaded;
use crate::qualified::{last, same_name};

/// Base classes of one class that are looked into.
const MAX_BASES: usize = 1000;

impl<M: Loaded> Names<M> {
    /// Returns the classes that the code is in, each with its bases.
    pub(super) fn classes_around(&self) -> Vec<(String, Vec<String>)> {
        let is_in_class = self.dialect == Dialect::Cxx && self.scopes.len() > 2;
        let Some(((home, _), function)) = self.home.as_ref().filter(|_| is_in_class).zip(self.function) else {
            return Vec::new();
        };
        let classes = home.image().classes_around(function).into_iter();
        classes.map(|(name, class)| (name, bases(&class))).collect()
    }

    /// Finds the type that a class has of a base, for a name that says which class.
    pub(super) fn inherited_type(&self, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        self.of_class_or_bases(name, |module, whole| {
            module.image().type_named_in(&[], tag, whole).filter(|ty| is_named(ty, whole))
        })
    }

    /// Finds the enumerator that a class has of a base, for a name that says which class.
    pub(super) fn inherited_enumerator(&self, name: &str) -> Option<(TypeRef, i128)> {
        let is_it = |ty: &TypeRef, whole: &str| match &**ty {
            Type::Enumeration(enumeration) => {
                whole.strip_suffix(last(whole)).is_some_and(|scope| same_name(scope, &enumeration.scope))
            }
            _ => false,
        };
        self.of_class_or_bases(name, |module, whole| {
            module.image().enumerator_in(&[], whole).filter(|(ty, _)| is_it(ty, whole))
        })
    }

    /// Finds what the class that a name of C++ begins with has by the rest of it, or else a base of the class.
    fn of_class_or_bases<T>(&self, name: &str, find: impl Fn(&M, &str) -> Option<T>) -> Option<T> {
        let own = last(name);
        let class = name.strip_suffix(own)?.strip_suffix("::").filter(|_| self.dialect == Dialect::Cxx)?;
        let class = strip(&self.type_named(None, class)?);
        let Type::Record(Record { name: Some(whole), .. }) = &*class else { return None };
        let classes = std::iter::once(whole.clone()).chain(bases(&class));
        let wholes: Vec<String> = classes.map(|class| format!("{class}::{own}")).collect();
        wholes.iter().find_map(|whole| self.modules.iter().find_map(|module| find(module, whole)))
    }
}

/// Returns whether a type has just this name.
pub(super) fn is_named(ty: &TypeRef, whole: &str) -> bool {
    match &**ty {
        Type::Typedef { name, .. } => same_name(name, whole),
        Type::Record(Record { name: Some(name), .. }) => same_name(name, whole),
        Type::Enumeration(Enumeration { name: Some(name), .. }) => same_name(name, whole),
        _ => false,
    }
}

/// Returns the whole names of the bases of a class, of their bases, and so on, the nearest first.
fn bases(class: &TypeRef) -> Vec<String> {
    let mut classes = vec![strip(class)];
    let mut names = Vec::new();
    let mut next = 0;
    while let Some(class) = classes.get(next).filter(|_| next < MAX_BASES).cloned() {
        let Type::Record(record) = &*class else { break };
        let fixed = record.members.iter().filter(|member| member.is_base).map(|member| &member.ty);
        let all = fixed.chain(record.virtual_bases.iter().map(|base| &base.ty)).map(|base| strip(&base.get()));
        for base in all {
            if let Type::Record(Record { name: Some(name), .. }) = &*base {
                names.push(name.clone());
                classes.push(base);
            }
        }
        next += 1;
    }
    names
}
