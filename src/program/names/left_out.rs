//! Types and enumerators of C++ by names that leave scopes out, or the arguments of a template: such a name means the only
//! one that has it, and nothing where several do, or where it is that of a member of a class.

use super::Names;
use crate::module::Loaded;
use base::qualified::{QualifiedName, same_name};
use ctype::{Dialect, Type, TypeRef};
use dwarf::TypeTag;
use expr::{LookupError, Name};

/// Most that a refusal names.
const MOST_NAMED: usize = 5;

/// What a name may mean that leaves something out.
pub(super) enum Shortened<T> {
    /// The only one, with its whole name.
    One(String, T),
    /// It does not say which of these, by their whole names.
    Several(Vec<String>),
    Nothing,
}

impl<M: Loaded> Names<M> {
    /// Finds the type that a name means which leaves something out; `::name` leaves out only what is inline.
    pub(super) fn shortened_type(&self, tag: Option<TypeTag>, name: &str) -> Shortened<TypeRef> {
        let around = if name.starts_with("::") { &[][..] } else { &*self.scopes };
        let of = |module: &&M| module.image().types_like(tag, name);
        let modules = self.modules_for(around);
        let Some(found) = modules.iter().map(of).find(|found| !found.is_empty()) else { return Shortened::Nothing };
        let mut shared = found.into_iter().filter(|one| !one.is_of_function).map(|one| (one.name, one.ty));
        let Some((whole, ty)) = shared.next() else { return Shortened::Nothing };
        let mut names: Vec<String> = vec![whole.clone()];
        for (other, _) in shared {
            if !names.iter().any(|known| same_name(known, &other)) {
                names.push(other);
            }
        }
        let is_member = !name.starts_with("::") && components(&whole) > components(name) && self.is_of_class(&whole);
        if names.len() > 1 || is_member { Shortened::Several(names) } else { Shortened::One(whole, ty) }
    }

    /// Returns whether the scope of a whole name is a class.
    fn is_of_class(&self, whole: &str) -> bool {
        let scope = QualifiedName::split(whole).scope().map(str::to_owned);
        scope.is_some_and(|scope| {
            let of = |module: &M| module.image().types_like(None, &scope);
            self.modules
                .iter()
                .flat_map(of)
                .any(|one| same_name(&one.name, &scope) && matches!(&*one.ty, Type::Record(_)))
        })
    }

    /// Returns the types that blocks of a function have by a whole name, `main::T`, if they differ.
    pub(super) fn has_namesakes_in_blocks(&self, tag: Option<TypeTag>, name: &str) -> bool {
        if self.dialect == Dialect::Rust || !name.contains("::") {
            return false;
        }
        let modules = self.modules_for(&[]);
        let found = modules.iter().map(|module| module.image().types_like(tag, name)).find(|found| !found.is_empty());
        let mut local = found
            .into_iter()
            .flatten()
            .filter(|one| one.is_of_function && same_name(&one.name, name))
            .map(|one| one.ty);
        local.next().is_some_and(|first| local.any(|other| !self.are_alike(&first, &other)))
    }

    /// Returns why a name that leaves something out means no type.
    pub(super) fn unclear_shortened(&self, tag: Option<TypeTag>, name: &str) -> Option<String> {
        if self.has_namesakes_in_blocks(tag, name) {
            return Some(format!("several blocks of the function have a type {name}, and they differ"));
        }
        let is_cxx = self.dialect == Dialect::Cxx;
        match is_cxx.then(|| self.shortened_type(tag, name))? {
            Shortened::Several(names) => Some(listed(name, &names)),
            Shortened::One(..) | Shortened::Nothing => None,
        }
    }

    /// Returns why a name that leaves scopes out means no enumerator, if several have it.
    pub(super) fn unclear_enumerators(&self, name: &Name) -> Option<LookupError> {
        let text = name.qualified();
        let asked = if name.global { format!("::{text}") } else { text.clone() };
        // An enumeration without a scope of its own is none of what is around its enumerators, and may be named.
        if name.file.is_some() || self.member_enumerator(&asked).is_some() {
            return None;
        }
        let names = self.enumerators_meant(&asked);
        (names.len() > 1).then(|| LookupError::Failed(listed(&text, &names)))
    }

    /// Returns the whole names of the enumerators that a name may mean: one, where that has just this name.
    pub(super) fn enumerators_meant(&self, name: &str) -> Vec<String> {
        if self.dialect != Dialect::Cxx {
            return Vec::new();
        }
        let around = if name.starts_with("::") { &[][..] } else { &*self.scopes };
        let of = |module: &&M| module.image().enumerators_like(name);
        let modules = self.modules_for(around);
        let found = modules.iter().map(of).find(|found| !found.is_empty()).unwrap_or_default();
        let scopes = if name.starts_with("::") { Vec::new() } else { self.scopes_for(name) };
        let wholes = scopes.iter().map(|scope| format!("{scope}::{name}")).chain([name.to_owned()]);
        let exact = wholes.into_iter().find_map(|whole| found.iter().find(|one| same_name(one, &whole)).cloned());
        match exact {
            Some(exact) => vec![exact],
            None => found,
        }
    }
}

fn components(name: &str) -> usize {
    QualifiedName::split(name).components().len()
}

fn listed(name: &str, names: &[String]) -> String {
    let (shown, more) = names.split_at(names.len().min(MOST_NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" or {} more", more.len()) };
    let what = if names.len() > 1 { "may mean several" } else { "is a member of a class" };
    format!("`{name}` {what}: write {}{more}", shown.join(" or "))
}
