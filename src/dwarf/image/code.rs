//! What an image says of its code: functions, lines, breakpoints, macros.

use super::facade::Image;
use crate::macros::table::{MacroDefinition, MacroScope};
use crate::model::code::{Function, InlineFrame, LineMatch, LineRange, SourcePath};
use crate::model::die::DieId;
use crate::model::returning::ReturnRules;
use arch::LinkAddr;
use ctype::TypeRef;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Image {
    /// Finds functions by linkage name, by qualified name with or without parameter list, or by its last component(s)
    /// as GDB matches. Functions that only the symbol table knows come last.
    pub fn functions_named(&self, name: &str) -> Vec<Function> {
        self.ask(|debug| debug.functions_named(name))
    }

    /// Finds the functions that a name means in an expression: a name without scopes is none of a function in scopes,
    /// but for those that need not be named.
    pub fn functions_meant(&self, name: &str) -> Vec<Function> {
        self.ask(|debug| debug.functions_meant(name))
    }

    /// Returns whether there is an operator for operands of these types: a function `operator|`, or `PartialEq::eq` of
    /// a trait of Rust, unless Rust's compiler has written that.
    pub fn has_operator(&self, name: &str, operands: &[TypeRef]) -> bool {
        self.ask(|debug| debug.has_operator(name, operands))
    }

    /// Finds the functions of the symbol tables that have a `wanted` readable name, by address.
    pub fn functions_called(&self, wanted: &mut dyn FnMut(&str) -> bool) -> Vec<Function> {
        self.ask(|debug| debug.functions_called(wanted))
    }

    /// Returns whether a function is what GCC has split off a function whose beginning it inlines: `f.part.0` is called
    /// by each copy of `f` that does not return early, and describes itself as `f`.
    pub fn is_outlined(&self, function: &Function) -> bool {
        self.ask_symbols(|symbols| symbols.is_outlined(function))
    }

    /// Finds, while the names of a large file are still being read, those functions of a name that the symbol table
    /// has: each with its place, file and line, like [`Image::functions_named`] has them. That one waits for the rest:
    /// functions without a symbol, and with [`Image::inlined_copies`], places where the function is inlined.
    ///
    /// `None` if there is nothing to wait for, or if no answer can be had without; none at all if no symbol has the
    /// name.
    pub fn functions_by_symbol(&self, name: &str) -> Option<Vec<Function>> {
        self.ask(|debug| debug.functions_by_symbol(name))
    }

    /// Finds the out-of-line function that contains the address; from the symbol table if there is no DWARF for it.
    pub fn function_at(&self, a: LinkAddr) -> Option<Function> {
        self.ask(|debug| debug.function_at(a)).or_else(|| self.chosen_around(a))
    }

    /// Returns the functions that are inlined at an address, innermost first; the last one is the real function. Empty
    /// if nothing is known.
    pub fn inline_chain(&self, a: LinkAddr) -> Vec<InlineFrame> {
        self.ask(|debug| debug.inline_chain(a))
    }

    /// Returns the line of the function at an inline level of an address; `None` where it is not of the function's own
    /// text, but that of a macro, for instance.
    pub fn own_line(&self, a: LinkAddr, level: usize) -> Option<u32> {
        self.ask(|debug| debug.line_of_level(a, level))
    }

    /// Looks up the line-table row that covers this address (DWARF 5 section 6.2). Neighbouring rows may be of the same
    /// line.
    pub fn line_at(&self, a: LinkAddr) -> Option<LineRange> {
        self.ask(|debug| debug.line_at(a))
    }

    /// Finds the addresses of a line. `file` matches as GDB matches: whole path, or trailing path components.
    ///
    /// If no code of the files that match is of this very line, the next line that has some is taken.
    pub fn addresses_of_line(&self, file: &str, line: u32) -> Vec<LineMatch> {
        self.ask(|debug| debug.addresses_of_line(file, line))
    }

    /// Finds the source files whose trailing components match.
    pub fn files_matching(&self, file: &str) -> Vec<Arc<SourcePath>> {
        self.ask(|debug| debug.files_matching(file))
    }

    /// Lists the source files, in the order of the units.
    pub fn source_files(&self) -> Vec<Arc<SourcePath>> {
        self.ask(|debug| debug.source_files())
    }

    /// Lists the names, without directories, of source files that begin so, in order.
    pub fn files_beginning(&self, typed: &str) -> BTreeSet<String> {
        self.ask(|debug| debug.files_beginning(typed))
    }

    /// Returns the first address after the prologue: where a breakpoint on the function goes (second line-table line,
    /// as GDB does, or prologue_end where the compiler marks it).
    pub fn after_prologue(&self, f: &Function) -> LinkAddr {
        self.ask(|debug| Some(debug.after_prologue(f))).unwrap_or(f.entry)
    }

    /// Returns whether the compiler says where the calls of a copy begin, so that none is met twice.
    pub fn tells_entry(&self, copy: DieId) -> bool {
        self.ask(|debug| debug.tells_entry(copy))
    }

    /// Finds the inlined copies of the function: where a breakpoint meets each call of them, and their DIEs. Of a copy
    /// in several pieces of which the compiler says no more, that is where its first statement is, in each piece that
    /// has it.
    pub fn inlined_copies(&self, name: &str) -> Vec<(LinkAddr, DieId)> {
        self.ask(|debug| debug.inlined_copies(name))
    }

    /// Returns all the code of a function, or of an inlined copy of one, as half-open ranges.
    pub fn code_of(&self, function: DieId) -> Vec<(LinkAddr, LinkAddr)> {
        self.ask(|debug| debug.code_of(function))
    }

    /// Returns "c", "c++", "rust", "fortran" and so on, from DW_AT_language of the unit at an address. `None`: no unit
    /// is there, or it is written in a language without a name here.
    pub fn language_at(&self, a: LinkAddr) -> Option<&'static str> {
        self.ask(|debug| debug.language_at(a))
    }

    /// Returns the place from where the code at an address looks at macros: the line that it was made of, or, if
    /// functions are inlined there, the line of that level (0 is the innermost). `None` if its unit has no macros.
    pub fn macro_scope(&self, at: LinkAddr, inline: usize) -> Option<MacroScope> {
        if !self.has_debug_info() {
            return None;
        }
        self.ask(|debug| debug.macros.scope(debug, at, inline))
    }

    /// Looks up the definition that a name has at a place.
    pub fn macro_named(&self, scope: &MacroScope, name: &str) -> Option<MacroDefinition> {
        self.ask(|debug| debug.macros.named(debug, scope, name))
    }

    /// Returns the different texts that a name is defined as at a place whose file is included several times.
    pub fn ambiguous_macro(&self, scope: &MacroScope, name: &str) -> Option<Vec<String>> {
        self.ask(|debug| debug.macros.ambiguous(debug, scope, name))
    }

    /// Looks up all definitions that a name has in the unit of a place.
    pub fn macros_named(&self, scope: &MacroScope, name: &str) -> Vec<MacroDefinition> {
        self.ask(|debug| debug.macros.all_named(debug, scope, name))
    }

    /// Returns whether a variable or function can be named in other units.
    pub fn is_external(&self, die: DieId) -> bool {
        self.ask(|debug| debug.is_external(die))
    }

    /// Returns whether a variable is what this one declares.
    pub fn completes(&self, variable: DieId, declaration: DieId) -> bool {
        self.ask(|debug| debug.completes(variable, declaration))
    }

    /// Returns whether a variable is only declared: its own description does not say where it is.
    pub fn is_only_declared(&self, die: DieId) -> bool {
        self.ask(|debug| debug.is_only_declared(die))
    }

    /// Returns whether a function is said to be called otherwise than its type tells (DW_CC_nocall): LLVM says so of
    /// those of which it has changed the parameters or the result.
    pub fn is_called_otherwise(&self, function: DieId) -> bool {
        self.ask(|debug| debug.is_called_otherwise(function))
    }

    /// Returns whether an optimiser that knows all callers of the function at an address may have removed its result,
    /// which debug info goes on to state.
    pub fn may_lack_result(&self, at: LinkAddr) -> bool {
        self.ask(|debug| debug.may_lack_result(at))
    }

    /// Returns how the function at an address returns its value.
    pub fn return_rules(&self, at: LinkAddr) -> ReturnRules {
        self.ask(|debug| debug.return_rules(at))
    }

    /// Returns the root of the unit that a variable, a function or an inlined copy of one was compiled in, before
    /// link-time optimisation and inlining put it elsewhere.
    pub fn unit_of(&self, die: DieId) -> Option<DieId> {
        self.ask(|debug| debug.compiled_in(die))
    }

    /// Returns the primary source file of the unit that [`Self::unit_of`] tells.
    pub fn primary_file(&self, die: DieId) -> Option<String> {
        self.ask(|debug| debug.primary_file(die))
    }

    /// Returns whether a function that a name means has been removed by the linker.
    pub fn has_removed_function(&self, name: &str) -> bool {
        self.ask(|debug| debug.has_removed_function(name))
    }
}
