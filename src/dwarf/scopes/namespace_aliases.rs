//! Other names of namespaces, `namespace fs = std::filesystem;` (DWARF 5 section 3.2.3).

use crate::model::die::DieId;
use crate::sections::slice::Die;
use crate::tasks::work::{Measure, READING};
use crate::types::by_die::Types;
use crate::units::attributes::is_flag_set;
use crate::units::entry::UnitEntry;
use arch::LinkAddr;
use base::qualified::{ANONYMOUS_NAMESPACE, QualifiedName};
use std::collections::BTreeSet;

/// Namespaces in each other of which an alias is one of the other.
const MAX_ALIASES: usize = 8;
/// Namespaces of a unit that are looked at.
const MOST_NAMESPACES: usize = 1 << 12;
/// Namespaces around one.
const MAX_AROUND: usize = 64;

impl<'a> Types<'a> {
    /// Writes a qualified name that begins with the alias of a namespace with the namespace itself, whole: as the name is
    /// understood in the code of a unit, in these scopes, innermost first. `None` if it begins with none.
    pub(crate) fn without_alias(
        &self,
        unit: DieId,
        pc: Option<LinkAddr>,
        scopes: &[String],
        name: &[String],
    ) -> Option<Vec<String>> {
        let (entry, ..) = self.die(unit)?;
        // The last component is what is in a namespace.
        if name.len() < 2 || entry.functions(self).aliases().is_empty() {
            return None;
        }
        let mut whole = self.replaced(entry, pc, scopes, name)?;
        for _ in 1..MAX_ALIASES {
            match self.replaced(entry, pc, &[], &whole) {
                Some(next) => whole = next,
                None => break,
            }
        }
        Some(whole)
    }

    /// Writes a qualified name as [`Types::without_alias`] does, as it is understood outside of all scopes, in whatever
    /// unit has the alias: each namespace that one has given it. Nothing of a large file, whose units would all be read.
    pub(crate) fn without_aliases(&self, name: &str) -> BTreeSet<String> {
        let split = QualifiedName::split(name);
        let path: Vec<String> = split.components().iter().map(|component| component.text.to_owned()).collect();
        if path.len() < 2 || self.is_large() {
            return BTreeSet::new();
        }
        let units: Vec<&UnitEntry<'_>> =
            self.units().iter().filter(|unit| !unit.functions(self).aliases().is_empty()).collect();
        let task = self.sections.work.begin(READING, Measure::Units, units.len() as u64);
        let roots = units.into_iter().inspect(|_| task.did(1)).filter_map(UnitEntry::root);
        roots.filter_map(|unit| self.without_alias(unit, None, &[], &path)).map(|path| path.join("::")).collect()
    }

    fn replaced(
        &self,
        entry: &UnitEntry<'a>,
        pc: Option<LinkAddr>,
        scopes: &[String],
        name: &[String],
    ) -> Option<Vec<String>> {
        let mut blocks: Vec<DieId> = Vec::new();
        if let Some((pc, tree)) = pc.and_then(|pc| Some((pc, self.block_tree_at(pc)?))) {
            blocks.extend(tree.around(pc).iter().map(|block| block.die));
        }
        blocks.reverse();
        // The nearest: first those of blocks, then of scopes.
        let mut found: Option<(usize, Vec<String>)> = None;
        for (alias, around) in entry.functions(self).aliases() {
            let Some((_, unit, die)) = entry.id_of(*alias).and_then(|id| self.die(id)) else { continue };
            let Some(own) = self.name(unit, &die) else { continue };
            let Some((distance, length)) = self.begins_with(entry, *around, own, &blocks, scopes, name) else {
                continue;
            };
            if found.as_ref().is_some_and(|(nearest, _)| *nearest <= distance) {
                continue;
            }
            let Some(namespace) = self.aliased(entry, &die) else { continue };
            let rest = name.get(length..).unwrap_or_default();
            found = Some((distance, namespace.into_iter().chain(rest.iter().cloned()).collect()));
        }
        found.map(|(_, whole)| whole)
    }

    /// Returns how far away an alias is that a name begins with, and how many of its components are the alias.
    fn begins_with(
        &self,
        entry: &UnitEntry<'a>,
        around: gimli::UnitOffset,
        alias: &str,
        blocks: &[DieId],
        scopes: &[String],
        name: &[String],
    ) -> Option<(usize, usize)> {
        let outer = entry.id_of(around)?;
        let (_, _, die) = self.die(outer)?;
        match die.tag() {
            gimli::DW_TAG_subprogram | gimli::DW_TAG_lexical_block => {
                let distance = blocks.iter().position(|block| *block == outer)?;
                (name.first()? == alias).then_some((distance, 1))
            }
            gimli::DW_TAG_namespace => {
                let mut whole = self.namespace(entry, outer)?;
                whole.push(alias.to_owned());
                let of_scope = |(number, scope): (usize, &str)| {
                    let outside: Vec<&str> = scope.split("::").filter(|part| !part.is_empty()).collect();
                    let inside = whole.get(outside.len()..)?;
                    let is_inside = whole.iter().zip(&outside).all(|(a, b)| a == b) && whole.len() > outside.len();
                    (is_inside && name.starts_with(inside)).then_some((blocks.len() + number, inside.len()))
                };
                let scopes = scopes.iter().map(String::as_str).chain([""]);
                scopes.enumerate().find_map(of_scope)
            }
            _ => (name.first()? == alias).then_some((blocks.len() + scopes.len(), 1)),
        }
    }

    fn aliased(&self, entry: &UnitEntry<'a>, die: &Die<'a>) -> Option<Vec<String>> {
        self.namespace(entry, self.referenced(entry, die, gimli::DW_AT_import)?)
    }

    /// Returns the whole names of the inline namespaces of a unit, and of those without a name: what is in them is in the
    /// namespaces around them, too (C++20 9.8.2).
    pub(crate) fn inline_namespaces(&self, unit: DieId) -> Vec<String> {
        let Some((entry, ..)) = self.die(unit) else { return Vec::new() };
        let is_inline =
            |die: &Die<'_>| !die.has_attr(gimli::DW_AT_name) || is_flag_set(die, gimli::DW_AT_export_symbols);
        let namespaces = entry.functions(self).namespaces().iter().take(MOST_NAMESPACES);
        let ids = namespaces.filter_map(|(namespace, _)| entry.id_of(*namespace));
        let inline = ids.filter(|id| self.die(*id).is_some_and(|(_, _, die)| is_inline(&die)));
        let mut names: Vec<String> =
            inline.filter_map(|id| self.namespace(entry, id)).map(|path| path.join("::")).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the names of a namespace of the unit and of those around it, the outermost first.
    pub(super) fn namespace(&self, entry: &UnitEntry<'a>, namespace: DieId) -> Option<Vec<String>> {
        let mut names = Vec::new();
        let mut next = namespace;
        for _ in 0..MAX_AROUND {
            let (_, unit, die) = self.die(next)?;
            if die.tag() != gimli::DW_TAG_namespace {
                break;
            }
            names.push(self.name(unit, &die).unwrap_or(ANONYMOUS_NAMESPACE).to_owned());
            next = entry.id_of(entry.functions(self).around_namespace(die.offset())?)?;
        }
        names.reverse();
        (!names.is_empty()).then_some(names)
    }
}
