//! Which of several types and enumerators of other units a name means, where the unit of the code has none of the name.

use super::choice::sentence;
use super::left_out::Shortened;
use super::{Names, type_tag};
use crate::module::Loaded;
use base::qualified::{QualifiedName, file_and_name, name_in_file};
use ctype::layout::{size_of, strip};
use ctype::{Dialect, Type, TypeRef, type_name};
use expr::{Name, Tag};
use std::sync::Arc;

impl<M: Loaded> Names<M> {
    /// Returns which enumerator a name means that is no variable, if units have different ones.
    pub(super) fn choice_of_enumerator(&self, name: &Name) -> Option<String> {
        let text = name.qualified();
        let is_near = || self.is_block_enumerator(name) || self.is_hidden(name);
        if name.file.is_some() || is_near() || self.enumerator_of_unit(&text).is_some() {
            return None;
        }
        let (_, chosen) = self.enumerator(&text)?;
        let of = |module: &M| module.image().enumerators_of_units(&text);
        let found = self.modules_for(&[]).into_iter().map(of).find(|found| !found.is_empty())?;
        let found = found.into_iter().map(|(file, (_, value))| (file, value == chosen, value)).collect();
        said(&text, found, |a, b| a == b)
    }

    /// Returns which type a name means, if units have different ones.
    pub fn choice_of_type(&self, tag: Option<Tag>, name: &str) -> Option<String> {
        let kind = tag.map(type_tag);
        let is_near = || {
            let of_unit = |(home, unit): (&M, _)| home.image().type_of_unit(unit, &self.scopes_for(name), kind, name);
            !self.types_of_blocks(kind, name).is_empty() || self.unit_first().and_then(of_unit).is_some()
        };
        if file_and_name(name).0.is_some() || self.template_type(name).is_some() || is_near() {
            return None;
        }
        let chosen = self.type_named(tag, name)?;
        if self.dialect == Dialect::Cxx
            && let Shortened::One(whole, ty) = self.shortened_type(kind, name)
            && Arc::ptr_eq(&ty, &chosen)
            && QualifiedName::split(&whole).components().len() > QualifiedName::split(name).components().len()
        {
            return Some(sentence(name, &whole, &[]));
        }
        let of = |module: &M| module.image().types_of_units(kind, name);
        let found = self.modules_for(&[]).into_iter().map(of).find(|found| !found.is_empty())?;
        let alike = |a: &TypeRef, b: &TypeRef| self.are_alike(a, b);
        let found = found.into_iter().map(|(file, ty)| (file, alike(&ty, &chosen), ty)).collect();
        said(name, found, alike)
    }

    /// Returns whether two types look the same, as those that several units have of a header do.
    pub(super) fn are_alike(&self, a: &TypeRef, b: &TypeRef) -> bool {
        let (a, b) = (strip(a), strip(b));
        match (&*a, &*b) {
            (Type::Record(one), Type::Record(other)) => {
                let are_same = one.members.iter().zip(&other.members).all(|(one, other)| {
                    one.name == other.name
                        && one.offset == other.offset
                        && size_of(&one.ty.get()) == size_of(&other.ty.get())
                });
                are_same && one.members.len() == other.members.len() && size_of(&a) == size_of(&b)
            }
            (Type::Enumeration(one), Type::Enumeration(other)) => one.enumerators == other.enumerators,
            _ => type_name(&a, self.dialect) == type_name(&b, self.dialect),
        }
    }
}

/// Says which of what units have is chosen, and which others there are: each once, by the first file that has it.
fn said<T>(name: &str, found: Vec<(String, bool, T)>, alike: impl Fn(&T, &T) -> bool) -> Option<String> {
    let (mut chosen, mut others): (Option<String>, Vec<(String, T)>) = (None, Vec::new());
    for (file, is_chosen, what) in found {
        match is_chosen {
            true => drop(chosen.get_or_insert(file)),
            false if !others.iter().any(|(_, other)| alike(other, &what)) => others.push((file, what)),
            false => {}
        }
    }
    let files: Vec<String> = std::iter::once(chosen?).chain(others.into_iter().map(|(file, _)| file)).collect();
    let label = |file: &String| {
        let last = file.rsplit('/').next().unwrap_or(file);
        let is_only = files.iter().filter(|other| other.rsplit('/').next() == Some(last)).count() == 1;
        name_in_file(if is_only { last } else { file }, name)
    };
    let labels: Vec<String> = files.iter().map(label).collect();
    let (chosen, others) = labels.split_first()?;
    (!others.is_empty()).then(|| sentence(name, chosen, others))
}
