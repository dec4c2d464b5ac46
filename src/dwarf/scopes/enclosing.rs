//! Variables of the functions around a nested one: GNU C, Ada, Fortran's `contains` (DWARF 5 section 3.3.3).

use crate::model::die::DieId;
use crate::model::variable::Variable;
use crate::types::by_die::Types;
use crate::units::attributes::{for_each_child, origin};
use arch::LinkAddr;

/// Functions in each other that are looked through.
const MAX_NESTED: usize = 16;
/// Blocks of one of them.
const MAX_BLOCKS: usize = 64;

impl Types<'_> {
    /// Finds the variable that a name means in the function at an inline level of `pc`, of which it is none itself, but
    /// one of a function around it.
    pub(crate) fn enclosing_variable(&self, pc: LinkAddr, level: usize, name: &str) -> Option<Variable> {
        let chain = self.inline_chain(pc);
        let (mut function, mut level) = (chain.get(level)?.die?, level);
        let mut through = Vec::new();
        for _ in 0..MAX_NESTED {
            let around = self.scopes_around(function);
            let outer = *around.last()?;
            // Inlined there, it has the variables of its frame.
            let is_outer = |die: DieId| die == outer || self.abstract_of(die) == self.abstract_of(outer);
            let inlined = chain.iter().enumerate().skip(level + 1).find(|(_, frame)| frame.die.is_some_and(is_outer));
            if let Some((at, die)) =
                inlined.and_then(|(at, frame)| Some((at, frame.die?))).filter(|_| through.is_empty())
            {
                let own = self.variables_at(pc, at).into_iter().enumerate().filter(|(_, v)| v.is_meant_by(name));
                if let Some((_, variable)) = own.max_by_key(|(i, v)| (v.depth, *i)) {
                    return Some(variable);
                }
                (function, level) = (die, at);
                continue;
            }
            through.push(function);
            for block in around {
                if let Some(variable) = self.declared_in(block, name) {
                    return Some(Variable { through, ..variable });
                }
                if self.declares_type(&self.children_of(block), name) {
                    return None;
                }
            }
            function = outer;
        }
        None
    }

    /// Finds what is directly in each of the blocks around the function at an inline level of `pc`, if that is a nested
    /// one, the outermost first.
    pub(super) fn enclosing_blocks(&self, pc: LinkAddr, level: usize) -> Vec<Vec<DieId>> {
        let mut function = self.inline_chain(pc).get(level).and_then(|frame| frame.die);
        let mut found = Vec::new();
        for _ in 0..MAX_NESTED {
            let Some(nested) = function else { break };
            let around = self.scopes_around(nested);
            function = around.last().copied();
            found.extend(around.into_iter().map(|block| self.children_of(block)));
        }
        found.reverse();
        found
    }

    fn children_of(&self, block: DieId) -> Vec<DieId> {
        let mut children = Vec::new();
        for_each_child(self, block, |_, id, _| children.push(id));
        children
    }

    /// Returns the blocks around a nested function, the innermost first, and at last the function that they are of.
    fn scopes_around(&self, function: DieId) -> Vec<DieId> {
        let own = self.blocks_around(function);
        if !own.is_empty() {
            return own;
        }
        let of = self.abstract_of(function);
        if of == function { own } else { self.blocks_around(of) }
    }

    fn blocks_around(&self, function: DieId) -> Vec<DieId> {
        let mut around = Vec::new();
        let mut next = function;
        while around.len() < MAX_BLOCKS {
            let Some((entry, _, die)) = self.die(next) else { break };
            let outer = entry.functions(self).scope_of(die.offset()).and_then(|outer| entry.id_of(outer));
            let Some(outer) = outer else { break };
            around.push(outer);
            let is_function = self.die(outer).is_some_and(|(_, _, die)| die.tag() == gimli::DW_TAG_subprogram);
            if is_function {
                return around;
            }
            next = outer;
        }
        Vec::new()
    }

    /// Returns the abstract function that one is an instance of, or itself.
    pub(super) fn abstract_of(&self, function: DieId) -> DieId {
        let of = self.die(function).and_then(|(entry, _, die)| origin(self, entry, &die));
        of.unwrap_or(function)
    }

    /// Finds a variable among what is directly in a block.
    fn declared_in(&self, block: DieId, name: &str) -> Option<Variable> {
        let mut children = Vec::new();
        for_each_child(self, block, |_, id, die| {
            if matches!(die.tag(), gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter | gimli::DW_TAG_constant) {
                children.push(id);
            }
        });
        children.into_iter().rev().filter_map(|id| self.variable(id, 0)).find(|variable| variable.name == name)
    }
}
