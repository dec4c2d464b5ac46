//! Answers of a large file before the names of all its units are known.
//!
//! Of a `.debug_info` that is still being decompressed, units can be had as soon as they are there: `.debug_aranges`
//! tells which one has the code at an address, so that what is asked about a place in the program need not wait for the
//! rest.
//!
//! Nor need what is asked about a name that the symbol table has: the functions of that name are at their symbols, and
//! a class that a function is a member of is complete in the unit of that function. What else has the name (inlined
//! copies of a function, functions without a symbol) is known when the names of all units are.

use super::functions::retain_exact;
use crate::model::code::Function;
use crate::names::lookup::Names;
use crate::naming::query::NameQuery;
use arch::LinkAddr;
use std::collections::{BTreeMap, BTreeSet};

/// A name that more symbols have is not looked for at each of them.
const MAX_SYMBOLS: usize = 16;

impl Names<'_> {
    /// Finds, while the names of a large file are still being read, those functions of a name that the symbol table
    /// has: each with its place, file and line, like `functions_named` has them. That one waits for the rest:
    /// functions without a symbol, and with `inlined_copies`, places where the function is inlined.
    ///
    /// `None` if there is nothing to wait for, or if no answer can be had without; none at all if no symbol has the
    /// name.
    pub(crate) fn functions_by_symbol(&self, name: &str) -> Option<Vec<Function>> {
        if !self.is_reading() {
            return None;
        }
        let mut named = self.symbols.symbols_named(name);
        retain_exact(&NameQuery::parse(name), &mut named, false);
        let symbols: BTreeSet<LinkAddr> = named.iter().filter(|s| s.is_code).map(|s| s.address).collect();
        if symbols.is_empty() {
            return Some(Vec::new());
        }
        // What is called by the name of an indirect function are others.
        if symbols.len() > MAX_SYMBOLS || named.iter().any(|s| s.is_indirect) {
            return None;
        }
        let described = |at: LinkAddr| {
            if self.is_incomplete() && self.early_unit_at(at).is_none() {
                return None;
            }
            let (unit, function) = self.function_die_at(at)?;
            self.described_function(unit.id_of(function)?).filter(|function| function.entry == at)
        };
        let found: BTreeMap<LinkAddr, Function> =
            symbols.into_iter().filter_map(|at| Some((at, described(at)?))).collect();
        Some(found.into_values().collect::<Vec<_>>()).filter(|found| !found.is_empty())
    }
}

#[cfg(test)]
mod tests;
