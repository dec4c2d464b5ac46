//! Whose a variable or function is: the unit that it was compiled in, whether other units can name it, and whether the
//! linker has left anything of it.

use super::entry_places::EntryPlace;
use crate::model::die::DieId;
use crate::model::returning::{Convention, ReturnRules};
use crate::names::lookup::Names;
use crate::naming::query::NameQuery;
use crate::sections::slice::{Slice, UnitRef, is_tombstone};
use crate::types::by_die::Types;
use crate::units::attributes::{convention, inherited, is_called_otherwise, is_external, unit_file};
use crate::units::entry::UnitEntry;
use crate::units::ranges::ranges;
use arch::LinkAddr;
use gimli::{DW_AT_abstract_origin, Expression, Operation};

/// Copies of copies are followed no further than this.
const MAX_ORIGINS: usize = 8;

impl Types<'_> {
    /// Returns whether a function that a name means has been removed by the linker.
    pub(crate) fn has_removed_function(&self, name: &str) -> bool {
        let mut query = NameQuery::parse(name);
        query.absolute = true;
        self.functions_matching(&query).found.iter().any(|function| {
            let described = self.die(function.die).filter(|_| function.code);
            described.is_some_and(|(_, unit, die)| ranges(unit, &die).is_empty())
        })
    }
}

impl<'a> Names<'a> {
    /// Returns whether a variable or function can be named in other units.
    pub(crate) fn is_external(&self, die: DieId) -> bool {
        is_external(self, die)
    }

    /// Returns whether a function is said to be called otherwise than its type tells.
    pub(crate) fn is_called_otherwise(&self, function: DieId) -> bool {
        is_called_otherwise(self, function)
    }

    /// Returns the root of the unit that a variable, a function or an inlined copy of one was compiled in, before
    /// link-time optimisation and inlining put it elsewhere.
    pub(crate) fn compiled_in(&self, die: DieId) -> Option<DieId> {
        compiled_in(self, die)
    }

    /// Returns the primary source file of the unit that [`Self::compiled_in`] tells.
    pub(crate) fn primary_file(&self, die: DieId) -> Option<String> {
        unit_file(self, compiled_in(self, die)?).map(str::to_owned)
    }

    /// Returns how the function at an address returns its value.
    pub(crate) fn return_rules(&self, at: LinkAddr) -> ReturnRules {
        let Some((unit, function)) = self.function_die_at(at) else { return ReturnRules::default() };
        let id = unit.id_of(function);
        let mut convention = id.map(|id| convention(self, id)).unwrap_or_default();
        if convention == Convention::Platform && id.is_some_and(|id| unit.is_gcc(self) && self.is_passed_as_win64(id)) {
            convention = Convention::Win64;
        }
        ReturnRules {
            convention,
            records_in_memory: unit.has_option(self, "-fpcc-struct-return"),
            unknown: None,
            is_gcc: unit.is_gcc(self),
        }
    }

    /// Returns whether the first argument of a function arrives where Microsoft's convention for x86-64 has it, and none of
    /// the platform's does: GCC does not say so otherwise (attribute `ms_abi`).
    fn is_passed_as_win64(&self, function: DieId) -> bool {
        /// DWARF numbers: rcx; rdx, behind the address of a result in memory.
        const FIRST: [u16; 2] = [2, 1];
        let Some((entry, _)) = self.code_of(function).first().copied() else { return false };
        let first = self.entry_parameters(function, entry).into_iter().next().map(|parameter| parameter.place);
        matches!(first, Some(EntryPlace::Registers(at)) if matches!(at.as_slice(), [only] if FIRST.contains(only)))
    }

    /// Returns whether the linker has removed a variable.
    pub(crate) fn is_removed_variable(&self, die: DieId) -> bool {
        let found = inherited(self, die, gimli::DW_AT_location);
        let expression = found.as_ref().and_then(|found| Some((found, found.value.exprloc_value()?)));
        expression.is_some_and(|(found, expression)| self.leads_nowhere(die, found.unit, expression))
    }

    /// Returns whether an optimiser that knows all callers of the function at an address may have removed its result,
    /// which debug info goes on to state: GCC's clones are named for it, and LLVM does it to any function of one unit, or
    /// of one program that is optimised as a whole, where external functions become local symbols.
    pub(crate) fn may_lack_result(&self, at: LinkAddr) -> bool {
        let symbol = self.symbols.symbol_at(at);
        if symbol.as_ref().is_some_and(|symbol| [".isra.", ".part."].iter().any(|part| symbol.name.contains(part))) {
            return true;
        }
        let Some((unit, function)) = self.function_die_at(at) else { return false };
        let Some((id, (_, _, die))) = unit.id_of(function).and_then(|id| Some((id, self.die(id)?))) else {
            return false;
        };
        // Of code that is not optimised, Clang does not say that all calls are described.
        let is_optimised = die.has_attr(gimli::DW_AT_call_all_calls) || die.has_attr(gimli::DW_AT_GNU_all_call_sites);
        let is_local = || symbol.as_ref().is_some_and(|symbol| symbol.is_local);
        unit.is_llvm(self) && is_optimised && (!is_external(self, id) || is_local())
    }

    /// Returns whether an expression for a place in memory names one that the linker removed. Nothing is at the address
    /// 0 that the linker puts there: the header of a file that is loaded anywhere is, and a program with a fixed place
    /// has nothing mapped.
    pub(crate) fn leads_nowhere(
        &self,
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
                Operation::TLS => is_nowhere |= pushed.is_some_and(|at| self.is_no_thread_local(variable, at)),
                // It is no place, but a value.
                Operation::StackValue => return false,
                _ => {}
            }
        }
        is_nowhere
    }

    /// Returns the offset of a thread-local variable whose address in the file is stated in its place: GCC does that in
    /// tables of addresses for split debug info, Clang states offsets. `None` if an offset is stated.
    pub(crate) fn offset_of_address(
        &self,
        variable: DieId,
        (entry, unit): (&UnitEntry<'a>, UnitRef<'_, 'a>),
        expression: Expression<Slice<'a>>,
    ) -> Option<Result<u64, String>> {
        let mut operations = expression.operations(unit.encoding());
        let Ok(Some(Operation::ConstantIndex { index })) = operations.next() else { return None };
        let (Ok(Some(Operation::TLS)), Ok(None)) = (operations.next(), operations.next()) else { return None };
        let (stated, (size, _)) = (unit.address(index).ok()?, self.symbols.file().tls?);
        let offset = stated.checked_sub(self.symbols.file().tls_start.0).filter(|offset| *offset < size);
        match offset {
            _ if stated < size && entry.is_llvm(self) => None,
            // Both may be of such storage if there is much of it.
            Some(_) if stated < size && self.linker_offsets(variable).contains(&stated) => None,
            None if stated < size => None,
            Some(offset) => Some(Ok(offset)),
            None => Some(Err("debug info states a place outside of the thread-local storage of its file".to_owned())),
        }
    }

    /// Returns the offsets that symbols of a thread-local variable's name have.
    fn linker_offsets(&self, variable: DieId) -> Vec<u64> {
        self.linker_name(variable).map_or_else(Vec::new, |name| self.symbols.thread_locals_spelled(name))
    }

    fn linker_name(&self, variable: DieId) -> Option<&'a str> {
        let name = inherited(self, variable, gimli::DW_AT_linkage_name)
            .or_else(|| inherited(self, variable, gimli::DW_AT_name))?;
        self.string(name.unit, name.value)
    }

    /// Returns whether a thread-local variable said to be at an offset is not there. The first one is at 0, where
    /// linkers put the removed ones, too: then the symbol table tells which it is, if there is one.
    fn is_no_thread_local(&self, variable: DieId, offset: u64) -> bool {
        if !is_tombstone(offset) {
            return false;
        }
        if offset != 0 || self.symbols.file().tls.is_none() {
            return true;
        }
        let name = self.linker_name(variable);
        let first = self.symbols.first_thread_locals();
        // Compilers put a function's name or a number around that of its static.
        let is_it = |symbol: &String| name.is_none_or(|name| symbol.contains(name));
        !first.is_empty() && !first.iter().any(is_it)
    }
}

fn compiled_in(debug: &Names<'_>, die: DieId) -> Option<DieId> {
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
