//! Types and enumerators of C++ that a class has: they are looked for in the class itself, as several units, functions and
//! instances of a template may each have one of its name.

use super::Names;
use super::bases::bases;
use crate::module::Loaded;
use base::qualified::{QualifiedName, last, same_name};
use ctype::layout::strip;
use ctype::{Dialect, Record, Type, TypeRef};
use dwarf::TypeTag;

/// Scopes within scopes of a name that are looked into.
const DEEPEST: usize = 16;

impl<M: Loaded> Names<M> {
    /// Finds the type that a name means of the class that its scope means; of the classes around the code, if it has no
    /// scope.
    pub(super) fn member_type(&self, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        let own = last(name);
        self.classes_of(name)?.iter().find_map(|class| type_of(class, tag, own).or_else(|| itself(class, tag, own)))
    }

    /// Finds the enumerator that a name means of the class or the enumeration that its scope means; of the classes around
    /// the code, if it has no scope.
    pub(super) fn member_enumerator(&self, name: &str) -> Option<(TypeRef, i128)> {
        let own = last(name);
        self.classes_of(name)?.iter().find_map(|class| enumerator_of(class, own))
    }

    /// Returns whether the scope of a name is a class or an enumeration of a block around the code: then it means nothing
    /// outside of it.
    pub(super) fn is_of_block(&self, name: &str) -> bool {
        let scope = name.strip_suffix(last(name)).and_then(|scope| scope.strip_suffix("::"));
        let is_record = |ty: &TypeRef| matches!(&**ty, Type::Record(_) | Type::Enumeration(_));
        scope.is_some_and(|scope| self.types_of_blocks(None, scope).iter().any(is_record))
    }

    /// Returns the whole name of what a name means by a typedef or a parameter of a template for a class.
    pub(super) fn through_typedef(&self, path: &[String]) -> Option<Vec<String>> {
        let (own, scopes) = path.split_last().filter(|(_, scopes)| !scopes.is_empty())?;
        let scope = scopes.join("::");
        let found = self.exact_type(&scope)?;
        let class = strip(&found);
        let Type::Record(Record { name: Some(whole), .. }) = &*class else { return None };
        let is_template = || last(whole).strip_prefix(last(&scope)).is_some_and(|arguments| arguments.starts_with('<'));
        let is_other_name =
            matches!(&*found, Type::Typedef { .. }) || self.template_type(&scope).is_some() || is_template();
        let mut path: Vec<String> =
            QualifiedName::split(whole).components().iter().map(|c| c.text.to_owned()).collect();
        path.push(own.clone());
        (is_other_name && !whole.contains('(')).then_some(path)
    }

    /// Returns the classes that may have what a name means, each behind the bases of the one before: the one that its scope
    /// means, or those around the code, the innermost first.
    fn classes_of(&self, name: &str) -> Option<Vec<TypeRef>> {
        if self.dialect != Dialect::Cxx {
            return None;
        }
        let with_bases =
            |class: &TypeRef| std::iter::once(strip(class)).chain(bases(class).into_iter().map(|(_, base)| base));
        match name.strip_suffix(last(name))?.strip_suffix("::") {
            Some("") => None,
            Some(scope) => Some(with_bases(&self.exact_type(scope)?).collect()),
            // It hides what dependent bases have.
            None if self.template_type(name).is_some() => None,
            None => Some(self.own_classes().iter().flat_map(|(_, class)| with_bases(class)).collect()),
        }
    }

    /// Finds the type that the scope of a name means, if it has just this name where it is.
    fn exact_type(&self, scope: &str) -> Option<TypeRef> {
        if scope.matches("::").count() > DEEPEST {
            return None;
        }
        self.type_of_name(None, scope).filter(|(_, is_exact)| *is_exact).map(|(ty, _)| ty)
    }
}

/// Returns whether a class itself has a type or an enumerator of a name.
pub(super) fn declares(class: &TypeRef, name: &str) -> bool {
    type_of(class, None, name).is_some() || enumerator_of(class, name).is_some()
}

/// Finds a type that a class itself has.
fn type_of(class: &TypeRef, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
    let Type::Record(record) = &**class else { return None };
    let parts = record.parts();
    let is_tagged = |ty: &TypeRef| is_tagged(ty, tag);
    let types =
        parts.types.iter().filter(|(own, _)| !own.is_empty() && same_name(own, name)).map(|(_, link)| link.get());
    let typedefs = parts.typedefs.iter().filter(|_| tag.is_none()).map(|(_, link)| link.get());
    let is_it = |ty: &TypeRef| matches!(&**ty, Type::Typedef { name: whole, .. } if last(whole) == name);
    types.filter(is_tagged).chain(typedefs.filter(is_it)).next()
}

fn is_tagged(ty: &Type, tag: Option<TypeTag>) -> bool {
    match tag {
        None => true,
        Some(TypeTag::Enum) => matches!(ty, Type::Enumeration(_)),
        Some(TypeTag::Struct | TypeTag::Union) => matches!(ty, Type::Record(_)),
    }
}

/// Returns a class by its own name, which it has within itself (C++20 11.1), in an instance of a template without
/// arguments, too.
fn itself(class: &TypeRef, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
    let Type::Record(Record { name: Some(whole), .. }) = &**class else { return None };
    let own = last(whole);
    let is_it = same_name(own, name) || own.split_once('<').is_some_and(|(template, _)| template.trim_end() == name);
    (is_it && is_tagged(class, tag)).then(|| class.clone())
}

/// Finds an enumerator that an enumeration has, or that an enumeration of a class without a scope of its own has.
fn enumerator_of(class: &TypeRef, name: &str) -> Option<(TypeRef, i128)> {
    let of = |ty: &TypeRef| match &**ty {
        Type::Enumeration(one) => {
            one.enumerators.iter().find(|(own, _)| own == name).map(|(_, value)| (ty.clone(), *value))
        }
        _ => None,
    };
    match &**class {
        Type::Enumeration(_) => of(class),
        Type::Record(record) => {
            let parts = record.parts();
            let is_unscoped = |ty: &TypeRef| match &**ty {
                Type::Enumeration(one) => one.name.as_ref().is_none_or(|own| one.scope != format!("{own}::")),
                _ => false,
            };
            parts.types.iter().map(|(_, link)| link.get()).filter(is_unscoped).find_map(|ty| of(&ty))
        }
        _ => None,
    }
}
