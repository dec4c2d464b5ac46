//! Indirect functions (STT_GNU_IFUNC): by their names other functions are called, which their code chooses.

use super::facade::Image;
use crate::model::code::{Callees, Function};
use arch::{LinkAddr, RunAddr, addresses_formed};
use std::collections::BTreeMap;

/// Bytes of an indirect function that are looked at.
const MOST_CODE: usize = 4096;
/// Most indirect functions of a file that are looked at; the C library has a hundred.
const MOST_INDIRECT: usize = 1024;

impl Image {
    /// Lists what calls of a name come to: [`Image::functions_named`], and instead of an indirect function, as `strlen`
    /// of the C library is one, those functions that it can choose.
    ///
    /// These are the addresses of code that its own code forms. What it gets in another way is not among them.
    pub fn callees_named(&self, name: &str) -> Callees {
        let mut callees = Callees::default();
        let spelled = self.symbols_named(name);
        for function in self.functions_named(name) {
            let is_indirect = spelled.iter().any(|s| s.is_indirect && s.address == function.entry);
            // By the name that the code has in debug info, that code itself is meant.
            let choices = match is_indirect && (function.die.is_none() || function.name != name) {
                true => self.choices_of(&function, name),
                false => Vec::new(),
            };
            callees.is_unknown |= is_indirect && choices.is_empty();
            if choices.is_empty() {
                callees.functions.push(function);
            }
            for choice in choices {
                if callees.choices.iter().all(|known| known.entry != choice.entry) {
                    callees.choices.push(choice);
                }
            }
        }
        callees
    }

    /// Returns the name of an indirect function that can choose the function whose first instruction is here, the shortest
    /// of several: stripped libraries have no symbols of their choices.
    pub fn chosen_at(&self, at: LinkAddr) -> Option<&str> {
        let choices = self.choices.get_or_init(|| {
            let mut choices: BTreeMap<LinkAddr, String> = BTreeMap::new();
            for symbol in self.symbols.indirect(MOST_INDIRECT) {
                for choice in self.choices_of(&self.symbols.symbol_function(&symbol), &symbol.name) {
                    let name = choices.entry(choice.entry).or_insert_with(|| symbol.name.clone());
                    if (symbol.name.len(), &symbol.name) < (name.len(), name) {
                        name.clone_from(&symbol.name);
                    }
                }
            }
            choices
        });
        choices.get(&at).map(String::as_str)
    }

    /// Returns the function without a symbol around an address, by the name of the indirect function that can choose it.
    pub(super) fn chosen_around(&self, at: LinkAddr) -> Option<Function> {
        let (start, _) = self.code_around(at)?;
        self.function_beginning(start, self.chosen_at(start)?)
    }

    fn choices_of(&self, chooser: &Function, name: &str) -> Vec<Function> {
        let mut choices = Vec::new();
        for (start, end) in &chooser.ranges {
            let length = usize::try_from(end.0.saturating_sub(start.0)).unwrap_or(MOST_CODE).min(MOST_CODE);
            let Some(code) = self.file_bytes(*start, length) else { continue };
            let formed = addresses_formed(self.arch(), RunAddr(start.0), code);
            choices.extend(formed.into_iter().filter_map(|at| self.function_beginning(LinkAddr(at), name)));
        }
        choices.retain(|choice| choice.entry != chooser.entry);
        choices
    }

    /// Finds the function whose first instruction is here; one without a symbol by the name that it is called by.
    fn function_beginning(&self, at: LinkAddr, name: &str) -> Option<Function> {
        let known = self.ask(|debug| debug.function_at(at)).filter(|function| function.entry == at);
        known.or_else(|| {
            let (start, end) = self.code_around(at).filter(|code| code.0 == at)?;
            Some(Function {
                die: None,
                name: name.to_owned(),
                linkage_name: None,
                entry: at,
                ranges: vec![(start, end)],
                file: None,
                line: None,
            })
        })
    }
}
