//! Locals that are declared on a later line than the code: until then, their name means what is further out.
//!
//! The address ranges of blocks begin before what is declared in them, and hardly any compiler says where the scope of a
//! variable begins (DW_AT_start_scope). Lines of optimised code come in another order than in the source, so what is
//! further out is taken only where there is something of the name.

use super::variables::file_number;
use crate::model::code::InlineFrame;
use crate::model::die::DieId;
use crate::model::variable::{MeantLocal, Variable};
use crate::types::by_die::Types;
use crate::units::attributes::{inherited, origin};
use crate::units::language::unit_language;
use arch::LinkAddr;

/// Rows of the line table that are looked through.
const MOST_ROWS: usize = 4096;
/// Declarations that one completes, of which each completes the next.
const MOST_DECLARATIONS: usize = 8;

impl Types<'_> {
    /// Returns which of the variables that are visible at `pc`, at an inline level, a name means, unless something outside
    /// of the function may be meant.
    pub(crate) fn meant_local(
        &self,
        variables: &[Variable],
        pc: LinkAddr,
        level: usize,
        name: &str,
    ) -> Option<MeantLocal> {
        let named = innermost_first(variables, name);
        let (innermost, variable) = *named.first()?;
        let chain = self.inline_chain(pc);
        let is_comparable = |here: &&InlineFrame| self.own_line(here).is_some();
        let Some(here) = chain.get(level).filter(|here| self.is_later(variable, here)).filter(is_comparable) else {
            return Some(MeantLocal { number: innermost, is_behind: false, passed_over: None });
        };
        if self.has_code_behind(variable, pc) {
            return Some(MeantLocal { number: innermost, is_behind: false, passed_over: None });
        }
        let outer = named.iter().find(|(_, other)| !self.is_later(other, here));
        let number = outer.map_or(innermost, |(outer, _)| *outer);
        Some(MeantLocal { number, is_behind: outer.is_none(), passed_over: variable.line })
    }

    /// Returns whether what a namespace has is declared on a later line of its file than the code: of several
    /// declarations, where Clang says only the last, it is not known. A class has all of its members from its beginning.
    pub(crate) fn is_declared_later(&self, variable: DieId, pc: LinkAddr, level: usize) -> Option<bool> {
        let chain = self.inline_chain(pc);
        let Some(here) = chain.get(level).filter(|here| self.own_line(here).is_some()) else { return Some(false) };
        let declared = |die: &DieId| self.die(*die).and_then(|(entry, _, read)| origin(self, entry, &read));
        let first = std::iter::successors(Some(variable), declared).take(MOST_DECLARATIONS).last().unwrap_or(variable);
        let described = self.variable_as_declared(first, 0);
        let is_behind = described.is_some_and(|first| {
            let is_later = first.line.zip(here.line).is_some_and(|(line, here)| line > here);
            is_later && first.file.is_some() && first.file == here.file
        });
        match is_behind && !self.is_in_function(variable) {
            true if self.unit_of(variable).is_some_and(|unit| unit.is_llvm(self)) => None,
            is_later => Some(is_later),
        }
    }

    /// Returns the line of a level if it is one of the function's own text: that of a macro that Rust expands there is
    /// elsewhere, and `#line` may set another one.
    pub(super) fn own_line(&self, here: &InlineFrame) -> Option<u32> {
        let Some(function) = here.die else { return here.line };
        let attribute = |name| inherited(self, function, name);
        let line = attribute(gimli::DW_AT_decl_line).and_then(|line| line.value.udata_value());
        let file =
            attribute(gimli::DW_AT_decl_file).and_then(|file| file.entry.source_file(self, file_number(&file.value)?));
        let is_elsewhere = file.is_some() && file != here.file;
        here.line.filter(|here| !is_elsewhere && line.is_none_or(|line| line <= u64::from(*here)))
    }

    /// Returns whether the innermost block has code before `pc` that is of a later line than the declaration, or of its
    /// own: then lines do not come in their order.
    fn has_code_behind(&self, variable: &Variable, pc: LinkAddr) -> bool {
        let tree = self.block_tree_at(pc);
        let block = tree.as_ref().and_then(|tree| tree.around(pc).last().map(|block| block.ranges.clone()));
        let start = block.and_then(|ranges| ranges.iter().map(|(start, _)| *start).filter(|start| *start <= pc).max());
        let (Some(start), Some(line)) = (start, variable.line) else { return false };
        let mut at = start;
        for _ in 0..MOST_ROWS {
            let Some(row) = self.line_at(at).filter(|row| row.start < pc) else { return false };
            if row.line >= line && Some(&row.file) == variable.file.as_ref() {
                return true;
            }
            if row.end <= at {
                return false;
            }
            at = row.end;
        }
        false
    }

    /// Returns whether a local is declared behind the code. What a block declares of the variables of all units has the line
    /// of its definition.
    fn is_later(&self, variable: &Variable, here: &InlineFrame) -> bool {
        // Each `let` of Rust has a block of its own, which begins behind it.
        let is_rust = self.unit_of(variable.die).is_some_and(|unit| unit_language(self, unit) == Some("rust"));
        let is_behind = !is_rust && variable.line.zip(here.line).is_some_and(|(line, here)| line > here);
        let is_of_file = variable.file.is_some() && variable.file == here.file;
        let is_of_all = self.is_external(variable.die) && !self.is_in_function(variable.die);
        is_behind && is_of_file && !variable.is_argument && !is_of_all
    }
}

fn innermost_first<'v>(variables: &'v [Variable], name: &str) -> Vec<(usize, &'v Variable)> {
    let mut named: Vec<(usize, &Variable)> =
        variables.iter().enumerate().filter(|(_, variable)| variable.is_meant_by(name)).collect();
    named.sort_by_key(|(number, variable)| std::cmp::Reverse((variable.depth, *number)));
    named
}
