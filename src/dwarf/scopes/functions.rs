//! Functions: by name, and as DIEs describe them.

use crate::model::code::Function;
use crate::model::die::DieId;
use crate::model::elf::Symbol;
use crate::names::display::{Declared, display_name};
use crate::names::lookup::Names;
use crate::naming::demangle::demangle;
use crate::naming::query::NameQuery;
use crate::tasks::work::Measure;
use crate::types::by_die::Types;
use crate::units::ranges::ranges;
use arch::LinkAddr;
use base::qualified::{bounded, with_plain_literal};
use base::untrusted::{one_line, unspelled};
use std::collections::BTreeMap;

/// Leaves the symbols that have no qualifiers which a query does not have, if there are some or `are_exact`: if debug
/// info has some.
pub(super) fn retain_exact(query: &NameQuery<'_>, symbols: &mut Vec<Symbol>, are_exact: bool) {
    let is_exact = |symbol: &Symbol| query.has_qualifiers_of(demangle(&symbol.name).as_deref().unwrap_or(&symbol.name));
    if are_exact || symbols.iter().any(is_exact) {
        symbols.retain(is_exact);
    }
}

impl Types<'_> {
    /// Finds functions by linkage name, by qualified name with or without parameter list, or by its last component(s)
    /// as GDB matches. Functions that only the symbol table knows come last. What is not text in a name may be spelled
    /// as answers spell it.
    pub(crate) fn functions_named(&self, name: &str) -> Vec<Function> {
        let name = with_plain_literal(&unspelled(name)).into_owned();
        self.functions_of(&NameQuery::parse(&name), &name)
    }

    /// Finds the functions that a name means in an expression: a name without scopes is none of a function in scopes,
    /// but for those that need not be named.
    pub(crate) fn functions_meant(&self, name: &str) -> Vec<Function> {
        let mut query = NameQuery::parse(name);
        query.absolute |= query.scopes().is_empty();
        self.functions_of(&query, name)
    }

    fn functions_of(&self, query: &NameQuery<'_>, name: &str) -> Vec<Function> {
        let meant = self.functions_matching(query);
        let are_exact = meant.are_exact;
        let mut found: BTreeMap<LinkAddr, Function> = {
            let with_code = meant.found.into_iter().filter(|e| e.code);
            with_code.filter_map(|e| self.described_function(e.die)).map(|f| (f.entry, f)).collect()
        };
        let described: Vec<Function> = found.values().cloned().collect();
        let spelled = one_line(name);
        // The readable name as it is, not as it is shown.
        let is_of_query = |s: &Symbol| query.matches_shown(demangle(&s.name).as_deref().unwrap_or(&s.name));
        let is_meant = |s: &Symbol| s.is_code && (s.name == spelled || is_of_query(s));
        let mut symbols: Vec<Symbol> = self.symbols.symbols_named(name).into_iter().filter(is_meant).collect();
        retain_exact(query, &mut symbols, are_exact);
        for symbol in symbols {
            let inside = |f: &Function| f.ranges.iter().any(|(s, e)| *s <= symbol.address && symbol.address < *e);
            if described.iter().any(inside) {
                continue;
            }
            let function = self.function_at(symbol.address).filter(|f| f.entry == symbol.address);
            let function = function.unwrap_or_else(|| self.symbols.symbol_function(&symbol));
            found.entry(symbol.address).or_insert(function);
        }
        let (mut functions, bare): (Vec<_>, Vec<_>) = found.into_values().partition(|f| f.die.is_some());
        functions.extend(bare);
        functions
    }
}

impl Names<'_> {
    /// Finds the functions of the symbol tables that have a `wanted` readable name, by address.
    pub(crate) fn functions_called(&self, wanted: &mut dyn FnMut(&str) -> bool) -> Vec<Function> {
        let symbols = self.symbols.symbols_called(wanted);
        let task = self.sections.work.begin("reading functions of", Measure::Symbols, symbols.len() as u64);
        let described = |symbol: &Symbol| {
            task.did(1);
            self.function_at(symbol.address).filter(|f| f.entry == symbol.address)
        };
        symbols.iter().map(|symbol| described(symbol).unwrap_or_else(|| self.symbols.symbol_function(symbol))).collect()
    }

    /// Describes the function of a subprogram DIE; `None` if it has no code.
    pub(crate) fn described_function(&self, die: DieId) -> Option<Function> {
        let mut function = function_of(self, die)?;
        // Its name may be in a file that is missing.
        if function.name.is_empty()
            && let Some(symbol) = self.symbols.symbol_at(function.entry).filter(|s| s.address == function.entry)
        {
            function.name = symbol.display;
        }
        // gcc gives functions in anonymous namespaces no linkage name, but they have symbols.
        if function.linkage_name.is_none()
            && function.name.contains("::")
            && let Some(symbol) = self.symbols.symbol_at(function.entry).filter(|s| s.address == function.entry)
            && NameQuery::parse(&function.name).matches_shown(&symbol.display)
        {
            (function.name, function.linkage_name) = (symbol.display, Some(symbol.name));
        }
        Some(function)
    }
}

/// Describes the function of a subprogram DIE; `None` if it has no code.
fn function_of(names: &Names<'_>, id: DieId) -> Option<Function> {
    let (entry, unit, die) = names.die(id)?;
    let ranges = ranges(unit, &die);
    let entry_address = ranges.first()?.0;
    names.note_code(entry, &ranges);
    let declared = Declared::of(names, entry, unit, &die);
    Some(Function {
        die: Some(id),
        name: display_name(names, id).map(|name| bounded(&name).into_owned()).unwrap_or_default(),
        linkage_name: declared.linkage_name.map(str::to_owned),
        entry: entry_address,
        ranges,
        file: declared.file,
        line: declared.line,
    })
}

#[cfg(test)]
mod tests;
