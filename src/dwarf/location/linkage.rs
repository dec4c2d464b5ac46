//! Whose a variable or function is: the unit that it was compiled in, whether other units can name it, and whether the
//! linker has left anything of it.

use crate::dwarf::image::facade::Image;
use crate::dwarf::location::of_variable::inherited;
use crate::dwarf::model::die::DieId;
use crate::dwarf::naming::query::NameQuery;
use crate::dwarf::scopes::globals::unit_file;
use crate::dwarf::scopes::variables::is_external;
use crate::dwarf::units::collection::{Debug, Slice, UnitRef, is_tombstone};
use gimli::{DW_AT_abstract_origin, Expression, Operation};

/// Copies of copies are followed no further than this.
const MAX_ORIGINS: usize = 8;

impl Image {
    /// Whether a variable or function can be named in other units.
    pub fn is_external(&self, die: DieId) -> bool {
        self.with_debug(|debug| is_external(debug, die))
    }

    /// The root of the unit that a variable, a function or an inlined copy of one was compiled in, before link-time
    /// optimisation and inlining put it elsewhere.
    pub fn unit_of(&self, die: DieId) -> Option<DieId> {
        self.with_debug(|debug| compiled_in(debug, die))
    }

    /// The primary source file of that unit.
    pub fn primary_file(&self, die: DieId) -> Option<String> {
        self.with_debug(|debug| unit_file(debug, compiled_in(debug, die)?).map(str::to_owned))
    }

    /// Whether the linker has removed a variable.
    pub(in crate::dwarf) fn is_removed_variable(&self, debug: &Debug<'_>, die: DieId) -> bool {
        let found = inherited(debug, die, gimli::DW_AT_location);
        let expression = found.as_ref().and_then(|found| Some((found, found.value.exprloc_value()?)));
        expression.is_some_and(|(found, expression)| self.leads_nowhere(debug, die, found.unit, expression))
    }

    /// Whether a function that a name means has been removed by the linker.
    pub fn has_removed_function(&self, name: &str) -> bool {
        let mut query = NameQuery::parse(name);
        query.absolute = true;
        self.with_debug(|debug| {
            debug.functions_matching(&query).iter().any(|function| {
                let described = debug.die(function.die).filter(|_| function.code);
                described.is_some_and(|(_, unit, die)| debug.ranges(unit, &die).is_empty())
            })
        })
    }

    /// Whether an expression for a place in memory names one that the linker removed. Nothing is at the address 0 that
    /// the linker puts there: the header of a file that is loaded anywhere is, and a program with a fixed place has
    /// nothing mapped.
    pub(in crate::dwarf) fn leads_nowhere<'a>(
        &self,
        debug: &Debug<'a>,
        variable: DieId,
        unit: UnitRef<'_, 'a>,
        expression: Expression<Slice<'a>>,
    ) -> bool {
        let mut operations = expression.operations(unit.encoding());
        let (mut pushed, mut is_nowhere) = (None, false);
        while let Ok(Some(operation)) = operations.next() {
            match operation {
                Operation::Address { address } => is_nowhere |= is_tombstone(address),
                Operation::AddressIndex { index } => is_nowhere |= unit.address(index).is_ok_and(is_tombstone),
                Operation::ConstantIndex { index } => pushed = unit.address(index).ok(),
                Operation::UnsignedConstant { value } => pushed = Some(value),
                Operation::TLS => is_nowhere |= pushed.is_some_and(|at| self.is_no_thread_local(debug, variable, at)),
                // It is no place, but a value.
                Operation::StackValue => return false,
                _ => {}
            }
        }
        is_nowhere
    }

    /// Whether a thread-local variable said to be at an offset is not there. The first one is at 0, where linkers put
    /// the removed ones, too: then the symbol table tells which it is, if there is one.
    fn is_no_thread_local(&self, debug: &Debug<'_>, variable: DieId, offset: u64) -> bool {
        if !is_tombstone(offset) {
            return false;
        }
        if offset != 0 || self.tls_segment().is_none() {
            return true;
        }
        let name = inherited(debug, variable, gimli::DW_AT_linkage_name)
            .or_else(|| inherited(debug, variable, gimli::DW_AT_name))
            .and_then(|name| debug.string(name.unit, name.value));
        let first = self.symbols().first_thread_locals();
        // Compilers put a function's name or a number around that of its static.
        let is_it = |symbol: &String| name.is_none_or(|name| symbol.contains(name));
        !first.is_empty() && !first.iter().any(is_it)
    }
}

fn compiled_in(debug: &Debug<'_>, die: DieId) -> Option<DieId> {
    let mut die = die;
    for _ in 0..MAX_ORIGINS {
        let (entry, _, found) = debug.die(die)?;
        match debug.referenced(entry, &found, DW_AT_abstract_origin) {
            Some(origin) => die = origin,
            None => return entry.root(),
        }
    }
    None
}
