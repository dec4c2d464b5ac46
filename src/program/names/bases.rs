//! Base classes, whose names are those of the classes made of them, too, unless these have others.

use super::{Names, simple, without_anonymous};
use crate::module::Loaded;
use base::qualified::{last, same_name};
use ctype::layout::{find_member, strip};
use ctype::{Dialect, Enumeration, Member, Record, Type, TypeRef};
use dwarf::TypeTag;
use expr::Name;

/// Base classes of one class that are looked into.
const MAX_BASES: usize = 1000;

impl<M: Loaded> Names<M> {
    /// Returns the classes that the code is in, each with its bases.
    pub(super) fn classes_around(&self) -> Vec<(String, Vec<String>)> {
        let names = |class: &TypeRef| bases(class).into_iter().map(|(name, _)| name).collect();
        self.own_classes().into_iter().map(|(name, class)| (name, names(&class))).collect()
    }

    /// Returns the classes that the code is in, the innermost first.
    pub(super) fn own_classes(&self) -> Vec<(String, TypeRef)> {
        let is_in_class = self.dialect == Dialect::Cxx && self.scopes.len() > 2;
        let home = self.home.as_ref().filter(|_| is_in_class).zip(self.function);
        home.map_or_else(Vec::new, |((home, _), function)| home.image().classes_around(function))
    }

    /// Returns whether a name means a type or an enumerator of the class that the code is in, or of a base of it, and no
    /// member of what that is made of.
    pub(super) fn hides_members_of_bases(&self, name: &Name) -> bool {
        let Some((simple, (home, unit))) = simple(name).zip(self.unit_first()) else { return false };
        for own in self.own_classes() {
            let mut classes = bases(&own.1);
            classes.insert(0, own);
            let wholes: Vec<String> = classes.iter().map(|(class, _)| format!("{class}::{simple}")).collect();
            let hiding = home.image().nearest_of_unit(unit, &wholes.iter().map(String::as_str).collect::<Vec<_>>());
            let member = classes.iter().position(|(_, class)| has_member(class, simple));
            match (hiding, member) {
                (None, None) => {}
                (hiding, member) => return hiding.is_some_and(|hiding| member.is_none_or(|member| hiding < member)),
            }
        }
        false
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
        let classes = std::iter::once(whole.clone()).chain(bases(&class).into_iter().map(|(name, _)| name));
        let wholes: Vec<String> = classes.map(|class| format!("{class}::{own}")).collect();
        wholes.iter().find_map(|whole| self.modules.iter().find_map(|module| find(module, whole)))
    }
}

/// Returns whether a type has just this name, which need not say that it is in a namespace without a name.
pub(super) fn is_named(ty: &TypeRef, whole: &str) -> bool {
    let name = match &**ty {
        Type::Typedef { name, .. } => name,
        Type::Record(Record { name: Some(name), .. }) => name,
        Type::Enumeration(Enumeration { name: Some(name), .. }) => name,
        _ => return false,
    };
    same_name(name, whole) || same_name(&without_anonymous(name), &without_anonymous(whole))
}

/// Returns whether a class declares a data member itself, or what has no name in it does.
pub(super) fn has_member(class: &TypeRef, name: &str) -> bool {
    let class = strip(class);
    let Type::Record(record) = &*class else { return false };
    let has = |member: &Member| match member.name.as_deref() {
        Some(own) => own == name,
        None => find_member(&member.ty.get(), name).is_some(),
    };
    record.members.iter().filter(|member| !member.is_base).any(has) || record.statics.iter().any(|s| s.name == name)
}

/// Returns the bases of a class, of their bases, and so on, the nearest first, with their whole names.
pub(super) fn bases(class: &TypeRef) -> Vec<(String, TypeRef)> {
    let mut classes = vec![strip(class)];
    let mut names = Vec::new();
    let mut next = 0;
    while let Some(class) = classes.get(next).filter(|_| next < MAX_BASES).cloned() {
        let Type::Record(record) = &*class else { break };
        let fixed = record.members.iter().filter(|member| member.is_base).map(|member| &member.ty);
        let all = fixed.chain(record.virtual_bases.iter().map(|base| &base.ty)).map(|base| strip(&base.get()));
        for base in all {
            if let Type::Record(Record { name: Some(name), .. }) = &*base {
                names.push((name.clone(), base.clone()));
                classes.push(base);
            }
        }
        next += 1;
    }
    names
}
