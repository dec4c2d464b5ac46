//! Static variables that debug info has in a function without a name.
//!
//! Clang puts those of a function that it only inlines there. Linkers' names for them say whose they
//! are: `f.count` in C, `_ZZ1fiE5count` in C++.

use crate::model::die::DieId;
use crate::model::elf::Symbol;
use crate::names::entry::NameKind;
use crate::naming::query::NameQuery;
use crate::types::by_die::Types;
use crate::units::attributes::{inherited, inherited_name};
use arch::LinkAddr;
use base::qualified::{Component, QualifiedName};
use gimli::Operation;

impl Types<'_> {
    /// Returns whether a variable is a static one of a function that debug info does not name.
    pub(crate) fn is_of_nameless_function(&self, variable: DieId) -> bool {
        self.names_around(variable).is_some_and(|names| names.is_in_nameless(variable))
    }

    /// Finds the static variables that a name with the function before it means, where debug info does not name that.
    pub(super) fn statics_of_nameless(&self, name: &str) -> Vec<DieId> {
        let query = NameQuery::parse(name);
        if query.scopes().is_empty() {
            return Vec::new();
        }
        let found = self.find(NameKind::Variable, query.last()).filter(|id| self.is_of_nameless_function(*id));
        found.filter(|id| self.shown_static(*id).is_some_and(|shown| query.matches_shown(&shown))).collect()
    }

    /// Returns the name of a static variable with that of its function, which debug info does not name, before it:
    /// `a::f::count`. `None` if no symbol says it.
    pub(super) fn name_of_static(&self, variable: DieId) -> Option<String> {
        let shown = self.shown_static(variable)?;
        let split = QualifiedName::split(&shown);
        Some(split.components().iter().map(Component::name).collect::<Vec<_>>().join("::"))
    }

    /// Returns whether a name leads to a variable through scopes that are not around it: debug info has the static
    /// variables of a function without a name as if they were of the namespace.
    pub(super) fn is_named_past_function(&self, variable: DieId, name: &str) -> bool {
        let query = NameQuery::parse(name);
        let is_its = || self.shown_static(variable).is_some_and(|shown| query.matches_shown(&shown));
        !query.scopes().is_empty() && self.is_of_nameless_function(variable) && !is_its()
    }

    /// Returns the symbol of a variable that is always in one place.
    pub(super) fn symbol_of_static(&self, variable: DieId) -> Option<Symbol> {
        let at = self.address_of_static(variable)?;
        self.symbols.symbol_at(at).filter(|symbol| symbol.address == at && !symbol.is_code)
    }

    /// Returns the same with the parameters of the function, if it is of C++.
    fn shown_static(&self, variable: DieId) -> Option<String> {
        let name = inherited_name(self, variable)?;
        let symbol = self.symbol_of_static(variable)?;
        if symbol.display != symbol.name {
            let is_it = QualifiedName::split(&symbol.display).last().is_some_and(|last| last.name() == name);
            return is_it.then_some(symbol.display);
        }
        // Of several in one function, each has a number: `f.count.1`.
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let plain = symbol.name.rsplit_once('.').filter(|(_, number)| is_number(number));
        let plain = plain.map_or(symbol.name.as_str(), |(plain, _)| plain);
        let function = plain.strip_suffix(name)?.strip_suffix('.').filter(|function| !function.is_empty())?;
        Some(format!("{function}::{name}"))
    }

    /// Returns where a variable is, if that is always the same.
    pub(crate) fn address_of_static(&self, variable: DieId) -> Option<LinkAddr> {
        let location = inherited(self, variable, gimli::DW_AT_location)?;
        let expression = location.value.exprloc_value()?;
        match expression.operations(location.unit.encoding()).next().ok()?? {
            Operation::Address { address } => Some(LinkAddr(address)),
            Operation::AddressIndex { index } => location.unit.address(index).ok().map(LinkAddr),
            _ => None,
        }
    }
}
