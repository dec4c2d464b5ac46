//! Functions of one name that differ in their parameters: which of them a query means.

use super::by_die::Types;
use ctype::layout::Dialect;

use crate::model::die::DieId;
use crate::names::display::display_name;
use crate::names::entry::NameEntry;
use crate::names::index::NameIndex;
use crate::naming::demangle::demangle;
use crate::naming::query::NameQuery;
use crate::units::attributes::{for_each_child, inherited, is_flag_set, origin};
use crate::units::language::unit_language;
use crate::units::ranges::ranges;
use base::qualified::{list, same_types};
use ctype::{Type, TypeRef, type_name};

/// DW_AT_abstract_origin and DW_AT_specification are followed no further than this.
const MAX_HOPS: usize = 8;
/// Names of one type that are looked at: those of names that stand for names.
const MAX_NAMES: usize = 16;

/// What a query has found.
pub(crate) struct Overloads<T> {
    pub(crate) found: Vec<T>,
    /// They have no qualifiers that the query does not have.
    pub(crate) are_exact: bool,
}

impl<'a> Types<'a> {
    /// Finds the subprogram DIEs that a query means: functions with code, declarations, and what inlined copies are of.
    pub(crate) fn functions_matching(&self, query: &NameQuery<'_>) -> Overloads<NameEntry<'a>> {
        self.overloads(query, |_, function| function)
    }

    /// Finds the inlined copies of the functions that a query means.
    pub(crate) fn copies_matching(&self, query: &NameQuery<'_>) -> Vec<DieId> {
        let copies = self.overloads(query, |names, function| names.inlined_copies(function.die).collect::<Vec<_>>());
        copies.found.into_iter().flatten().collect()
    }

    fn overloads<T>(
        &self,
        query: &NameQuery<'_>,
        mut of: impl FnMut(&NameIndex<'a>, NameEntry<'a>) -> T,
    ) -> Overloads<T> {
        let mut found: Vec<(bool, T)> = Vec::new();
        self.with_functions_of_name(query, |names, function| {
            let meant = self.overload(names, function.die, query);
            found.extend(meant.map(|is_exact| (is_exact, of(names, function))));
        });
        let are_exact = found.iter().any(|(is_exact, _)| *is_exact);
        found.retain(|(is_exact, _)| *is_exact || !are_exact);
        Overloads { found: found.into_iter().map(|(_, one)| one).collect(), are_exact }
    }

    /// Returns whether a function of the name of a query has just its qualifiers; `None` if it has other parameters.
    fn overload(&self, names: &NameIndex<'a>, function: DieId, query: &NameQuery<'_>) -> Option<bool> {
        let Some(asked) = query.parameters else { return Some(true) };
        let (entry, ..) = self.die(function)?;
        let shown = display_name(self, function)?;
        let has_list = |shown: &str| NameQuery::parse(shown).parameters.is_some();
        let language = unit_language(self, entry);
        if !has_list(&shown) && language != Some("c++") {
            // The functions of C have no overloads, and are shown without parameters.
            let is_of_c = language == Some("c") && !shown.contains(':') && query.scopes().is_empty();
            return (is_of_c || query.means_overload(&shown)).then_some(true);
        }
        // GCC gives what no other unit can name no linkage name, but a symbol.
        let shown = if has_list(&shown) { Some(shown) } else { self.shown_of_symbol(function).map(Into::into) };
        let shown = shown.filter(|shown| has_list(shown));
        let plain = |shown: &str| {
            let query = names.without_inline(query.text);
            NameQuery::parse(&query).means_overload(&names.without_inline(shown))
        };
        let fits = |shown: &str| {
            let is_declared_so = || query.allows_qualifiers_of(shown) && self.is_declared_with(function, asked);
            query.means_overload(shown) || plain(shown) || is_declared_so()
        };
        match shown {
            Some(shown) => fits(&shown).then(|| query.has_qualifiers_of(&shown)),
            None => (query.allows_qualifiers_of("") && self.is_declared_with(function, asked)).then_some(true),
        }
    }

    /// Returns the name for people of the symbol that the code of a function begins at.
    fn shown_of_symbol(&self, function: DieId) -> Option<String> {
        let (_, unit, die) = self.die(function)?;
        let entry = ranges(unit, &die).first()?.0;
        demangle(&self.symbols.symbol_at(entry).filter(|symbol| symbol.address == entry)?.name)
    }

    /// Returns whether a function is declared with these parameters, by the names that its declaration has for their
    /// types, or what these stand for.
    fn is_declared_with(&self, function: DieId, asked: &str) -> bool {
        let asked = list(asked).map(|asked| if asked == ["void"] { Vec::new() } else { asked });
        let declared = self.declared_parameters(function);
        let is_it = |asked: &str, declared: &Option<TypeRef>| match declared {
            None => asked == "...",
            Some(ty) => names_of(ty).iter().any(|name| same_types(asked, name)),
        };
        asked.is_some_and(|asked| {
            asked.len() == declared.len() && asked.iter().zip(&declared).all(|(asked, ty)| is_it(asked, ty))
        })
    }

    /// Lists the types of the parameters that a function is declared with; `None` for `...`.
    pub(super) fn declared_parameters(&self, function: DieId) -> Vec<Option<TypeRef>> {
        let origin_of = |die: &DieId| self.die(*die).and_then(|(entry, _, read)| origin(self, entry, &read));
        let mut declared = Vec::new();
        for die in std::iter::successors(Some(function), origin_of).take(MAX_HOPS) {
            let mut own = Vec::new();
            for_each_child(self, die, |_, id, child| match child.tag() {
                gimli::DW_TAG_formal_parameter if !is_flag_set(child, gimli::DW_AT_artificial) => own.push(Some(id)),
                gimli::DW_TAG_unspecified_parameters => own.push(None),
                _ => {}
            });
            declared = if own.is_empty() { declared } else { own };
        }
        let type_of = |parameter: DieId| {
            let ty = inherited(self, parameter, gimli::DW_AT_type)?;
            Some(self.type_at(self.reference(ty.entry, ty.value)?))
        };
        declared.into_iter().map(|parameter| parameter.and_then(type_of)).collect()
    }
}

/// Lists the names that a type of a parameter has: its own, without qualifiers, and those that it stands for.
fn names_of(ty: &TypeRef) -> Vec<String> {
    let next = |ty: &TypeRef| match &**ty {
        Type::Qualified { target, .. } | Type::Typedef { target, .. } => Some(target.get()),
        _ => None,
    };
    let all = std::iter::successors(Some(ty.clone()), next).take(MAX_NAMES);
    all.map(|ty| type_name(&ty, Dialect::Cxx)).collect()
}
