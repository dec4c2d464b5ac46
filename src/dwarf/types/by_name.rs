//! Types and enumerators by name.

use super::by_die::Types;
use super::definitions::{has_name, one_definition};
use super::reader::enumerator_value;
use crate::model::die::{DieId, LikeType, TypeTag};
use crate::names::entry::NameKind;
use crate::names::index::NameIndex;
use crate::names::lookup::Names;
use crate::naming::query::NameQuery;
use crate::units::attributes::is_flag_set;
use crate::units::entry::UnitEntry;
use crate::units::language::unit_language;
use base::qualified::{ANONYMOUS_NAMESPACE, integer_spellings, last, same_name};
use ctype::{Type, TypeRef};

/// Definitions of one name that are looked at.
const MOST_LIKE: usize = 1024;
/// Names that are listed.
const MOST_LISTED: usize = 16;

impl Types<'_> {
    /// Looks up the enumerator that a name means in these scopes, innermost first, or, if none of them has it,
    /// anywhere: its enumeration type and value. One that has just this name comes before those in scopes that it
    /// leaves out.
    pub(crate) fn enumerator_in(&self, scopes: &[String], name: &str) -> Option<(TypeRef, i128)> {
        let enumeration = {
            let whole = |name: &str| {
                let mut found = self.find(NameKind::Enumerator, name).filter(|die| has_name(self, *die, name));
                found.find_map(|enumerator| enumeration_of(self, enumerator))
            };
            let inside = scopes.iter().find_map(|scope| whole(&format!("{scope}::{name}"))).or_else(|| whole(name));
            inside.or_else(|| {
                let mut found = self.find(NameKind::Enumerator, name);
                found.find_map(|enumerator| enumeration_of(self, enumerator))
            })
        }?;
        self.value_of_enumerator(enumeration, name)
    }

    /// Looks up the definition of a type in one unit, by its root, in these scopes, innermost first: a name means that
    /// of the unit of the code, before others that have the name.
    pub(crate) fn type_of_unit(
        &self,
        unit: DieId,
        scopes: &[String],
        tag: Option<TypeTag>,
        name: &str,
    ) -> Option<TypeRef> {
        use NameKind::{BaseType, Class, Enum, Struct, Typedef, Union};
        let kinds: &[NameKind] = match tag {
            Some(tag) => kinds_of(tag),
            None if unit_language(self, self.unit_of(unit)?) == Some("c") => &[Typedef, BaseType],
            None => &[Typedef, BaseType, Struct, Class, Union, Enum],
        };
        Some(self.type_at(named_in(self, unit, scopes, kinds, name)?))
    }

    /// Looks up the type and value of an enumerator of one unit, in these scopes, innermost first.
    pub(crate) fn enumerator_of_unit(&self, unit: DieId, scopes: &[String], name: &str) -> Option<(TypeRef, i128)> {
        let enumerator = named_in(self, unit, scopes, &[NameKind::Enumerator], name)?;
        self.value_of_enumerator(enumeration_of(self, enumerator)?, name)
    }

    /// Returns which of these whole names, nearest first, is the first that a unit has a type or an enumerator of.
    pub(crate) fn nearest_of_unit(&self, unit: DieId, names: &[&str]) -> Option<usize> {
        use NameKind::{Class, Enum, Enumerator, Struct, Typedef, Union};
        let kinds = [Typedef, Struct, Class, Union, Enum, Enumerator];
        let found = all_in(self, &*self.names_around(unit)?, unit, &kinds, last(names.first()?))?;
        names.iter().position(|whole| found.iter().any(|(qualified, _)| same_name(qualified, whole)))
    }

    fn value_of_enumerator(&self, enumeration: DieId, name: &str) -> Option<(TypeRef, i128)> {
        let ty = self.type_at(enumeration);
        let Type::Enumeration(e) = &*ty else { return None };
        let bare = last(name);
        let value = e.enumerators.iter().find(|(known, _)| known == bare)?.1;
        Some((ty, value))
    }

    /// Looks up the type that a name means in these scopes, innermost first, or, if none of them has it, anywhere.
    pub(crate) fn type_named_in(&self, scopes: &[String], tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        let inside: Vec<String> = scopes.iter().map(|scope| format!("{scope}::{name}")).collect();
        // What can be had without the names of all units. It does not tell what is not there: of a name further out,
        // nothing is known before that.
        let soon = |name: &String| self.tabled_type_named(tag, name).or_else(|| self.early_type(tag, name));
        if let Some(die) = inside.first().and_then(soon) {
            return Some(self.type_at(die));
        }
        let is_whole = |die: &DieId, name: &str| has_name(self, *die, name);
        let listed = |name: &String| self.listed_type(tag, name).filter(|die| is_whole(die, name));
        match inside.iter().find_map(listed) {
            Some(die) => Some(self.type_at(die)),
            None => self.type_named(tag, name),
        }
    }

    /// Finds a type by name. `None` tag: base types, typedefs, and (C++/Rust) records and enumerations by bare name.
    /// Declarations resolve to definitions. C's integer types are found by any order of their words.
    ///
    /// While the names of a large file are still being read, a C++ class is taken from a unit that has code of it.
    pub(crate) fn type_named(&self, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        let early = self.tabled_type_named(tag, name).or_else(|| self.early_type(tag, name));
        let die = early.or_else(|| self.listed_type(tag, name))?;
        Some(self.type_at(die))
    }

    /// Lists the types that have a name when scopes are left out, or the arguments of a template.
    pub(crate) fn types_like(&self, tag: Option<TypeTag>, name: &str) -> Vec<LikeType> {
        use NameKind::{BaseType, Class, Enum, Struct, Typedef, Union};
        let kinds: &[NameKind] = match tag {
            Some(tag) => kinds_of(tag),
            None => &[Typedef, BaseType, Struct, Class, Union, Enum],
        };
        let is_definition =
            |id: &DieId| self.die(*id).is_some_and(|(_, _, die)| !is_flag_set(&die, gimli::DW_AT_declaration));
        let found = kinds.iter().flat_map(|kind| self.find(*kind, name)).filter(is_definition).take(MOST_LIKE);
        let mut listed: Vec<LikeType> = Vec::new();
        for id in found {
            let Some(name) = self.qualified(id) else { continue };
            let is_of_function = self.is_in_function(id);
            if is_of_function || !listed.iter().any(|one| one.name == name) {
                listed.push(LikeType { name, ty: self.type_at(id), is_of_function });
            }
            if listed.len() >= MOST_LISTED {
                break;
            }
        }
        listed
    }

    /// Lists the whole names of the enumerators that have a name when scopes are left out.
    pub(crate) fn enumerators_like(&self, name: &str) -> Vec<String> {
        let mut listed: Vec<String> = Vec::new();
        for id in self.find(NameKind::Enumerator, name).take(MOST_LIKE) {
            let name = self.qualified(id).filter(|_| !self.is_in_function(id));
            listed.extend(name.filter(|name| !listed.contains(name)));
            if listed.len() >= MOST_LISTED {
                break;
            }
        }
        listed
    }

    /// Finds the definition of a structure, class or union by its whole name; `None` where units define different ones.
    pub(crate) fn defined_type(&self, tag: TypeTag, name: &str) -> Option<TypeRef> {
        Some(self.type_at(one_definition(self, kinds_of(tag), name)?))
    }

    /// Looks up a C++ class from a unit that has code of it, while the names of a large file are still being read.
    fn early_type(&self, tag: Option<TypeTag>, name: &str) -> Option<DieId> {
        match tag {
            Some(TypeTag::Struct) => self.class_by_symbol(&[NameKind::Struct, NameKind::Class], name),
            Some(TypeTag::Union) => self.class_by_symbol(&[NameKind::Union], name),
            Some(TypeTag::Enum) => None,
            None => self.class_by_symbol(&[NameKind::Struct, NameKind::Class, NameKind::Union], name),
        }
    }

    /// Looks up a definition by its whole name, if a table of the file leads to it.
    pub(crate) fn tabled_type_named(&self, tag: Option<TypeTag>, name: &str) -> Option<DieId> {
        tabled(self, tag, name)
    }

    /// Looks up a definition in the names of all units.
    pub(crate) fn listed_type(&self, tag: Option<TypeTag>, name: &str) -> Option<DieId> {
        match tag {
            Some(tag) => definition(self, kinds_of(tag), name),
            None => unmarked(self, name),
        }
    }
}

/// Looks up what a unit defines by a name in these scopes, innermost first, or at file level.
fn named_in(debug: &Types<'_>, unit: DieId, scopes: &[String], kinds: &[NameKind], name: &str) -> Option<DieId> {
    // While the names of other units are being read, those of one can often be had.
    let names = if debug.is_reading() { debug.early_names_around(unit) } else { debug.names_around(unit) }?;
    let found = all_in(debug, &names, unit, kinds, name)?;
    let named = |whole: &str| found.iter().find(|(qualified, _)| same_name(qualified, whole)).map(|(_, die)| *die);
    let inside = scopes.iter().find_map(|scope| named(&format!("{scope}::{name}")));
    let unnamed = || {
        let is_it = |qualified: &str| same_name(&qualified.replace(&format!("{ANONYMOUS_NAMESPACE}::"), ""), name);
        found.iter().find(|(qualified, _)| is_it(qualified)).map(|(_, die)| *die)
    };
    inside.or_else(|| named(name)).or_else(unnamed)
}

/// Returns the kinds of names that types with a keyword have.
pub(crate) fn kinds_of(tag: TypeTag) -> &'static [NameKind] {
    match tag {
        TypeTag::Struct => &[NameKind::Struct, NameKind::Class],
        TypeTag::Union => &[NameKind::Union],
        TypeTag::Enum => &[NameKind::Enum],
    }
}

/// Looks up all that a unit defines by a name, itself or in units that it refers to, each with its whole name.
fn all_in(
    debug: &Types<'_>,
    names: &NameIndex<'_>,
    unit: DieId,
    kinds: &[NameKind],
    name: &str,
) -> Option<Vec<(String, DieId)>> {
    let entry = debug.unit_of(unit)?;
    let query = NameQuery::parse(name);
    let is_in = |die: DieId| {
        let root = || debug.unit_of(die).and_then(UnitEntry::root);
        entry.has(die) || root().is_some_and(|root| debug.referred_units(unit).binary_search(&root).is_ok())
    };
    let of_unit = |kind: &NameKind| {
        let found = names.find(*kind, &query).filter(|e| !e.declaration && is_in(e.die));
        found.filter_map(|e| Some((names.qualified(e.die)?, e.die))).collect::<Vec<_>>()
    };
    Some(kinds.iter().flat_map(of_unit).collect())
}

fn tabled(debug: &Names<'_>, tag: Option<TypeTag>, name: &str) -> Option<DieId> {
    use NameKind::{BaseType, Class, Enum, Struct, Typedef, Union};
    match tag {
        Some(tag) => debug.tabled_type(kinds_of(tag), name),
        None => {
            let found = debug.tabled_type(&[Typedef, BaseType, Struct, Class, Union, Enum], name)?;
            // In C, records and enumerations need their keywords.
            let is_plain = debug.die(found).is_some_and(|(_, _, die)| {
                matches!(
                    die.tag(),
                    gimli::DW_TAG_typedef
                        | gimli::DW_TAG_template_alias
                        | gimli::DW_TAG_base_type
                        | gimli::DW_TAG_unspecified_type
                )
            });
            (is_plain || unit_language(debug, debug.unit_of(found)?) != Some("c")).then_some(found)
        }
    }
}

/// Looks up what a name means that no `struct`, `union` or `enum` precedes.
fn unmarked(debug: &Names<'_>, name: &str) -> Option<DieId> {
    let plain = definition(debug, &[NameKind::Typedef, NameKind::BaseType], name);
    let record = untagged(debug, name);
    let is_whole = |die: &DieId| has_name(debug, *die, name);
    if let Some(whole) = plain.filter(is_whole).or_else(|| record.filter(is_whole)) {
        return Some(whole);
    }
    let integer = || {
        let spellings = integer_spellings(name)?;
        spellings.iter().find_map(|spelling| definition(debug, &[NameKind::BaseType], spelling))
    };
    plain.or_else(integer).or(record)
}

/// Finds the first definition of a name: one that has just this name, if there is one, before those in scopes that the
/// name leaves out, which no name of what a function has for itself does. The first declaration if there are only such.
fn definition(debug: &Names<'_>, kinds: &[NameKind], name: &str) -> Option<DieId> {
    let found: Vec<DieId> = kinds.iter().flat_map(|kind| debug.find(*kind, name)).collect();
    let is_definition =
        |id: &&DieId| debug.die(**id).is_some_and(|(_, _, die)| !is_flag_set(&die, gimli::DW_AT_declaration));
    let mut definitions = found.iter().filter(is_definition);
    let chosen = definitions.clone().find(|id| has_name(debug, **id, name));
    let is_shared = |id: &&DieId| !debug.is_in_function(**id);
    chosen.or_else(|| definitions.find(is_shared)).or_else(|| found.iter().find(is_shared)).copied()
}

/// Looks up a record or enumeration by a name that needs no keyword: not in C.
fn untagged(debug: &Names<'_>, name: &str) -> Option<DieId> {
    let kinds = [NameKind::Struct, NameKind::Class, NameKind::Union, NameKind::Enum];
    let found = definition(debug, &kinds, name)?;
    (unit_language(debug, debug.unit_of(found)?) != Some("c")).then_some(found)
}

/// Finds the enumeration that an enumerator is a child of. DIEs do not know their parents, so the unit is read up to
/// it.
fn enumeration_of(debug: &Names<'_>, enumerator: DieId) -> Option<DieId> {
    let entry = debug.unit_of(enumerator)?;
    let unit = entry.unit(debug)?;
    let target = entry.offset_of(enumerator)?;
    let mut entries = unit.entries_raw(None).ok()?;
    let mut enumeration = None;
    let mut die = gimli::DebuggingInformationEntry::null();
    while !entries.is_empty() && entries.next_offset() <= target {
        if !entries.read_entry(&mut die).ok()? {
            continue;
        }
        if die.tag() == gimli::DW_TAG_enumeration_type {
            enumeration = Some(die.offset());
        } else if die.offset() == target && enumerator_value(&die, None).is_some() {
            return entry.id_of(enumeration?);
        }
    }
    None
}
