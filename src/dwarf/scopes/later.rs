//! Locals that are declared on a later line than the code: until then, their name means what is further out.
//!
//! The address ranges of blocks begin before what is declared in them, and hardly any compiler says where the scope of a
//! variable begins (DW_AT_start_scope). Lines of optimised code come in another order than in the source, so what is
//! further out is taken only where there is something of the name.

use crate::arch::LinkAddr;
use crate::dwarf::model::code::InlineFrame;
use crate::dwarf::model::variable::Variable;
use crate::dwarf::types::by_die::Types;

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
        let Some(here) = chain.get(level).filter(|here| self.is_later(variable, here)) else { return Some(innermost) };
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

    /// Returns whether a local is declared behind the code. What a block declares of the variables of all units has the line
    /// of its definition.
    fn is_later(&self, variable: &Variable, here: &InlineFrame) -> bool {
        let is_behind = variable.line.zip(here.line).is_some_and(|(line, here)| line > here);
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
