//! Functions: by name, and as DIEs describe them.

use crate::arch::LinkAddr;
use crate::dwarf::image::facade::Image;
use crate::dwarf::model::code::Function;
use crate::dwarf::model::die::DieId;
use crate::dwarf::model::elf::Symbol;
use crate::dwarf::naming::components::ANONYMOUS_NAMESPACE;
use crate::dwarf::naming::demangle::demangle;
use crate::dwarf::naming::query::NameQuery;
use crate::dwarf::tasks::work::Measure;
use crate::dwarf::units::collection::{Debug, Die, UnitEntry, UnitRef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// DW_AT_abstract_origin and DW_AT_specification are followed no further than this.
const MAX_HOPS: usize = 8;

impl Image {
    /// By linkage name, by qualified name with or without parameter list, or by its last component(s) as GDB matches.
    /// Functions that only the symbol table knows come last.
    pub fn functions_named(&self, name: &str) -> Vec<Function> {
        self.functions_of(&NameQuery::parse(name), name)
    }

    /// The functions that a name means in an expression: a name without scopes is none of a function in scopes, but for
    /// those that need not be named.
    pub fn functions_meant(&self, name: &str) -> Vec<Function> {
        let mut query = NameQuery::parse(name);
        query.absolute |= query.scopes().is_empty();
        self.functions_of(&query, name)
    }

    fn functions_of(&self, query: &NameQuery<'_>, name: &str) -> Vec<Function> {
        let mut found: BTreeMap<LinkAddr, Function> = self.with_debug(|d| {
            let with_code = d.functions_matching(query).into_iter().filter(|e| e.code);
            with_code.filter_map(|e| self.described_function(d, e.die)).map(|f| (f.entry, f)).collect()
        });
        let described: Vec<Function> = found.values().cloned().collect();
        let is_meant = |s: &Symbol| s.is_code && (s.name == name || query.matches_shown(&s.display));
        for symbol in self.symbols_named(name).into_iter().filter(is_meant) {
            let inside = |f: &Function| f.ranges.iter().any(|(s, e)| *s <= symbol.address && symbol.address < *e);
            if described.iter().any(inside) {
                continue;
            }
            let function = self.function_at(symbol.address).filter(|f| f.entry == symbol.address);
            let function = function.unwrap_or_else(|| self.symbol_function(&symbol));
            found.entry(symbol.address).or_insert(function);
        }
        let (mut functions, bare): (Vec<_>, Vec<_>) = found.into_values().partition(|f| f.die.is_some());
        functions.extend(bare);
        functions
    }

    /// The functions of the symbol tables that have a `wanted` readable name, by address.
    pub fn functions_called(&self, wanted: &mut dyn FnMut(&str) -> bool) -> Vec<Function> {
        let symbols = self.symbols_called(wanted);
        let task = self.work().begin("reading functions of", Measure::Symbols, symbols.len() as u64);
        let described = |symbol: &Symbol| {
            task.did(1);
            self.function_at(symbol.address).filter(|f| f.entry == symbol.address)
        };
        symbols.iter().map(|symbol| described(symbol).unwrap_or_else(|| self.symbol_function(symbol))).collect()
    }

    /// Whether it is what GCC has split off a function whose beginning it inlines: `f.part.0` is called by each copy of
    /// `f` that does not return early, and describes itself as `f`.
    pub fn is_outlined(&self, function: &Function) -> bool {
        let symbol = self.symbol_at(function.entry).filter(|symbol| symbol.address == function.entry);
        symbol.is_some_and(|symbol| {
            let behind = symbol.name.split(".part.").nth(1);
            behind.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        })
    }

    /// The function that a subprogram DIE describes; `None` if it has no code.
    pub(in crate::dwarf) fn described_function(&self, debug: &Debug<'_>, die: DieId) -> Option<Function> {
        let mut function = function_of(debug, die)?;
        // Its name may be in a file that is missing.
        if function.name.is_empty()
            && let Some(symbol) = self.symbol_at(function.entry).filter(|s| s.address == function.entry)
        {
            function.name = symbol.display;
        }
        // gcc gives functions in anonymous namespaces no linkage name, but they have symbols.
        if function.linkage_name.is_none()
            && function.name.contains("::")
            && let Some(symbol) = self.symbol_at(function.entry).filter(|s| s.address == function.entry)
            && NameQuery::parse(&function.name).matches_shown(&symbol.display)
        {
            (function.name, function.linkage_name) = (symbol.display, Some(symbol.name));
        }
        Some(function)
    }
}

/// The function that a subprogram DIE describes; `None` if it has no code.
fn function_of(debug: &Debug<'_>, id: DieId) -> Option<Function> {
    let (entry, unit, die) = debug.die(id)?;
    let ranges = debug.ranges(unit, &die);
    let entry_address = ranges.first()?.0;
    debug.note_code(entry, &ranges);
    let declared = Declared::of(debug, entry, unit, &die);
    Some(Function {
        die: Some(id),
        name: display_name(debug, id).map(|n| n.to_string()).unwrap_or_default(),
        linkage_name: declared.linkage_name.map(str::to_owned),
        entry: entry_address,
        ranges,
        file: declared.file,
        line: declared.line,
    })
}

/// What a DIE and the ones that it completes say about its declaration.
#[derive(Default)]
struct Declared<'a> {
    name: Option<&'a str>,
    linkage_name: Option<&'a str>,
    file: Option<Arc<crate::dwarf::model::code::SourcePath>>,
    line: Option<u32>,
    /// The last DIE of the chain: the one that is in its proper scope.
    innermost: Option<DieId>,
}

impl<'a> Declared<'a> {
    fn of(debug: &Debug<'a>, entry: &UnitEntry<'a>, unit: UnitRef<'_, 'a>, die: &Die<'a>) -> Self {
        let mut declared = Self::default();
        let mut next = declared.take(debug, entry, unit, die);
        for _ in 0..MAX_HOPS {
            let Some((entry, unit, die)) = next.and_then(|id| debug.die(id)) else {
                break;
            };
            next = declared.take(debug, entry, unit, &die);
        }
        declared
    }

    /// Adds what one DIE of the chain says; the next one, if there is one.
    fn take(
        &mut self,
        debug: &Debug<'a>,
        entry: &UnitEntry<'a>,
        unit: UnitRef<'_, 'a>,
        die: &Die<'a>,
    ) -> Option<DieId> {
        let text = |name| die.attr_value(name).and_then(|v| debug.string(unit, v));
        let number = |name| die.attr_value(name).and_then(|v| v.udata_value());
        self.innermost = entry.id_of(die.offset());
        self.name = self.name.or_else(|| text(gimli::DW_AT_name));
        let linkage_name = || text(gimli::DW_AT_linkage_name).or_else(|| text(gimli::DW_AT_MIPS_linkage_name));
        self.linkage_name = self.linkage_name.or_else(linkage_name);
        if self.line.is_none() {
            self.line = number(gimli::DW_AT_decl_line).and_then(|n| u32::try_from(n).ok()).filter(|n| *n != 0);
            // A definition in the file of its declaration has a line only.
            self.file = None;
        }
        if self.file.is_none() {
            self.file = entry.file_of(debug, die, gimli::DW_AT_decl_file);
        }
        let origin = debug.referenced(entry, die, gimli::DW_AT_abstract_origin);
        origin.or_else(|| debug.referenced(entry, die, gimli::DW_AT_specification))
    }
}

/// Name for people of a DW_TAG_subprogram or DW_TAG_inlined_subroutine: the demangled linkage name, or else the name
/// with the scopes around it.
pub(in crate::dwarf) fn display_name(debug: &Debug<'_>, id: DieId) -> Option<Arc<str>> {
    // A panic of another thread leaves at worst a missing entry behind.
    let lock = || debug.display_names.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = lock().get(&id) {
        return Some(known.clone());
    }
    let (entry, unit, die) = debug.die(id)?;
    let declared = Declared::of(debug, entry, unit, &die);
    let demangled = declared.linkage_name.and_then(demangle);
    let shown = match (demangled, declared.name) {
        (Some(shown), _) => shown,
        (None, Some(name)) => {
            let mut parts = declared.innermost.map(|d| scopes_around(debug, d)).unwrap_or_default();
            parts.push(name.to_owned());
            parts.join("::")
        }
        (None, None) => declared.linkage_name?.to_owned(),
    };
    let shown: Arc<str> = shown.into();
    lock().insert(id, shown.clone());
    Some(shown)
}

/// The named scopes around a DIE, outermost first. Found by descending from the root of the unit: DIEs do not say what
/// they are in, and building the index of all names would cost too much for the name of one function.
fn scopes_around(debug: &Debug<'_>, id: DieId) -> Vec<String> {
    let mut parts = Vec::new();
    let Some(entry) = debug.unit_of(id) else { return parts };
    let (Some(unit), Some(target)) = (entry.unit(debug), entry.offset_of(id)) else {
        return parts;
    };
    if !has_scopes(debug, entry) {
        return parts;
    }
    let mut open: Vec<(isize, Option<String>)> = Vec::new();
    let mut cursor = unit.entries();
    while let Ok(Some(die)) = cursor.next_dfs() {
        while open.pop_if(|(depth, _)| *depth >= die.depth()).is_some() {}
        if die.offset() >= target {
            break;
        }
        let name = match die.tag() {
            gimli::DW_TAG_namespace => debug.name(unit, die).or(Some(ANONYMOUS_NAMESPACE)),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => debug.name(unit, die),
            gimli::DW_TAG_enumeration_type => debug.name(unit, die),
            gimli::DW_TAG_subprogram => debug.name(unit, die),
            _ => continue,
        };
        open.push((die.depth(), name.map(str::to_owned)));
    }
    parts.extend(open.into_iter().filter_map(|(_, name)| name));
    parts
}

/// Whether the language of a unit has qualified names: any but C and assembler.
fn has_scopes<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>) -> bool {
    let Some(language) = debug.language(entry) else {
        return true;
    };
    let plain = [
        gimli::DW_LANG_C,
        gimli::DW_LANG_C89,
        gimli::DW_LANG_C99,
        gimli::DW_LANG_C11,
        gimli::DW_LANG_C17,
        gimli::DW_LANG_Mips_Assembler,
    ];
    !plain.contains(&language)
}

#[cfg(test)]
mod tests;
