//! Locals that are declared on a later line than the code: until then, their name means what is further out.
//!
//! The address ranges of blocks begin before what is declared in them, and hardly any compiler says where the scope of a
//! variable begins (DW_AT_start_scope). Lines of optimised code come in another order than in the source, so what is
//! further out is taken only where there is something of the name.

use super::variables::file_number;
use crate::arch::LinkAddr;
use crate::dwarf::model::code::InlineFrame;
use crate::dwarf::model::variable::Variable;
use crate::dwarf::types::by_die::Types;
use crate::dwarf::units::attributes::inherited;
use crate::dwarf::units::language::unit_language;

/// Rows of the line table that are looked through.
const MOST_ROWS: usize = 4096;

impl Types<'_> {
    /// Returns which of the variables that are visible at `pc`, at an inline level, a name means.
    pub(in crate::dwarf) fn meant_local(
        &self,
        variables: &[Variable],
        pc: LinkAddr,
        level: usize,
        name: &str,
    ) -> Option<usize> {
        let named = innermost_first(variables, name);
        let (innermost, variable) = *named.first()?;
        let chain = self.inline_chain(pc);
        let is_comparable = |here: &&InlineFrame| self.own_line(here).is_some();
        let Some(here) = chain.get(level).filter(|here| self.is_later(variable, here)).filter(is_comparable) else {
            return Some(innermost);
        };
        if self.has_code_behind(variable, pc) {
            return Some(innermost);
        }
        match named.iter().find(|(_, other)| !self.is_later(other, here)) {
            Some((outer, _)) => Some(*outer),
            None => (!self.is_global_beside(variable)).then_some(innermost),
        }
    }

    /// Returns the line of the variable that a name does not mean yet.
    pub(in crate::dwarf) fn later_local(
        &self,
        variables: &[Variable],
        pc: LinkAddr,
        level: usize,
        name: &str,
    ) -> Option<u32> {
        let (innermost, variable) = *innermost_first(variables, name).first()?;
        let meant = self.meant_local(variables, pc, level, name);
        variable.line.filter(|_| meant != Some(innermost))
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
        is_behind && is_of_file && !variable.is_argument && !self.is_external(variable.die)
    }
}

fn innermost_first<'v>(variables: &'v [Variable], name: &str) -> Vec<(usize, &'v Variable)> {
    let mut named: Vec<(usize, &Variable)> =
        variables.iter().enumerate().filter(|(_, variable)| variable.is_meant_by(name)).collect();
    named.sort_by_key(|(number, variable)| std::cmp::Reverse((variable.depth, *number)));
    named
}
