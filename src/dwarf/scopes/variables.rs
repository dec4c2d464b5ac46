//! Variables in scope (DWARF 5 sections 3.5 and 4.1).

use crate::model::die::DieId;
use crate::model::variable::{Variable, Visible};
use crate::names::entry::NameKind;
use crate::sections::missing_debug_info::Subject;
use crate::sections::slice::Die;
use crate::tasks::work::{Measure, READING};
use crate::types::by_die::Types;
use crate::units::attributes::{for_each_child, inherited, inherited_name, is_external, is_flag_set, origin};
use crate::units::blocks::{Block, BlockKind};
use arch::LinkAddr;
use ctype::Type;
use gimli::AttributeValue;
use std::collections::HashSet;
use std::sync::Arc;

/// How deep blocks without addresses of their own may nest.
const MAX_NESTING: u32 = 64;

/// Most variables of one function; others are left out. Functions that programs have written have some thousands.
const MOST: usize = 1 << 14;
/// After so many DIEs it is looked whether the answer is still wanted.
const LOOK: usize = 1 << 12;

/// Variables of the blocks of one function.
#[derive(Default)]
struct BlockVariables {
    /// The code that they are looked for at, and the inline level.
    at: Option<(LinkAddr, usize)>,
    /// The function, or the inlined copy of one.
    function: Option<DieId>,
    arguments: Vec<Argument>,
    locals: Vec<Variable>,
    /// The abstract variables that have an instance among them.
    origins: HashSet<DieId>,
    /// The abstract variables without a place of which the inlined copy has no instance: they are optimized out.
    lost: HashSet<DieId>,
    /// There are more.
    is_cut: bool,
    /// The abstract blocks that have been looked into.
    abstract_blocks: HashSet<DieId>,
    /// Those that the compiler made up are looked for, and no others.
    of_compiler: bool,
}

struct Argument {
    variable: Variable,
    /// The abstract parameter that it is an instance of.
    origin: Option<DieId>,
}

impl Types<'_> {
    /// Returns the variables visible at `pc` in inline level `level` (index into `inline_chain`): arguments, then
    /// locals, inner blocks last; includes function-scope statics.
    ///
    /// Also those that the compiler kept nowhere, which an inlined copy of a function does not mention: they are
    /// optimized out. Not those that the compiler made up.
    pub(crate) fn variables_at(&self, pc: LinkAddr, level: usize) -> Vec<Variable> {
        let read = || self.variables_of_level(pc, level, false).unwrap_or_default();
        self.cached_variables((pc, level), read).to_vec()
    }

    /// Finds the variable that a name means at `pc` in inline level `level`, which the compiler made up there:
    /// `__for_begin`, `__vla_expr0`.
    pub(crate) fn compilers_variable(&self, pc: LinkAddr, level: usize, name: &str) -> Option<Variable> {
        if !is_made_up(name) {
            return None;
        }
        let found = self.variables_of_level(pc, level, true)?.into_iter().filter(|v| v.is_meant_by(name));
        found.enumerate().max_by_key(|(number, v)| (v.depth, *number)).map(|(_, variable)| variable)
    }

    fn variables_of_level(&self, pc: LinkAddr, level: usize, of_compiler: bool) -> Option<Vec<Variable>> {
        let tree = self.block_tree_at(pc)?;
        let around = tree.around(pc);
        let around = of_level(&around, level)?;
        let mut found = BlockVariables { at: Some((pc, level)), of_compiler, ..BlockVariables::default() };
        let blocks = self.children_of_each(around);
        for (depth, children) in (0..).zip(&blocks) {
            self.collect_block(children, depth, MAX_NESTING, &mut found);
        }
        found.function = around.first().map(|function| function.die);
        for (depth, block) in (0..).zip(around) {
            self.collect_abstract(block.die, depth, MAX_NESTING, &mut found);
        }
        if let Some(function) = around.first() {
            self.collect_clones_statics(function.die, &mut found);
        }
        if found.is_cut {
            let text = format!("a function has more than {MOST} variables: some are missing");
            self.sections.problems.add_suffered(Subject::DebugFile, text);
        }
        self.hide_guards_of_copy(&mut found.locals, &found.lost, || self.line_of_level(pc, level));
        let mut variables = found.in_order();
        self.mark_hidden(&mut variables, &self.with_abstract(around, blocks), || self.line_of_level(pc, level));
        self.mark_statics(&mut variables, || self.line_of_level(pc, level));
        Some(variables)
    }

    /// Finds what is directly in each of the blocks around `pc` that are of the function at an inline level, the function
    /// first, or in the abstract block that it is an instance of.
    pub(super) fn blocks_of_level(&self, pc: LinkAddr, level: usize) -> Option<Vec<Vec<DieId>>> {
        let tree = self.block_tree_at(pc)?;
        let around = tree.around(pc);
        let around = of_level(&around, level)?;
        Some(self.with_abstract(around, self.children_of_each(around)))
    }

    /// Adds what is in the abstract blocks.
    fn with_abstract(&self, around: &[&Block], mut blocks: Vec<Vec<DieId>>) -> Vec<Vec<DieId>> {
        for (block, children) in around.iter().zip(&mut blocks) {
            let Some((entry, _, die)) = self.die(block.die) else { continue };
            if let Some(of) = self.referenced(entry, &die, gimli::DW_AT_abstract_origin) {
                for_each_child(self, of, |_, id, _| children.push(id));
            }
        }
        blocks
    }

    /// Finds what is directly in each of some blocks, of which each is within the first one. All is gone through
    /// once: where debug info does not say where a block ends, its end is found by reading what is in it.
    fn children_of_each(&self, chain: &[&Block]) -> Vec<Vec<DieId>> {
        let mut found = vec![Vec::new(); chain.len()];
        let Some((entry, unit, outermost)) = chain.first().and_then(|block| self.die(block.die)) else { return found };
        let Ok(mut cursor) = unit.entries_at_offset(outermost.offset()) else { return found };
        if !cursor.next_dfs().is_ok_and(|die| die.is_some()) {
            return found;
        }
        // The blocks around the current DIE: depth, index.
        let mut open: Vec<(isize, usize)> = vec![(cursor.current().map_or(0, Die::depth), 0)];
        let mut is_skipped = false;
        let (mut looked, mut task) = (0_usize, None);
        loop {
            let more = (is_skipped && cursor.next_sibling().is_ok_and(|die| die.is_some()))
                || cursor.next_dfs().is_ok_and(|die| die.is_some());
            let Some(die) = cursor.current().filter(|_| more) else { return found };
            while open.pop_if(|(depth, _)| *depth >= die.depth()).is_some() {}
            let Some((depth, index)) = open.last() else { return found };
            looked += 1;
            if looked.is_multiple_of(LOOK) {
                let all = unit.header.length_including_self() as u64;
                task.get_or_insert_with(|| self.sections.work.begin(READING, Measure::Bytes, all)).did(LOOK);
            }
            is_skipped = false;
            let is_child = die.depth() == *depth + 1;
            let Some(id) = entry.id_of(die.offset()).filter(|_| is_child) else { continue };
            if let Some(children) = found.get_mut(*index) {
                children.push(id);
            }
            match chain.iter().position(|block| block.die == id) {
                Some(index) => open.push((die.depth(), index)),
                None => is_skipped = die.has_attr(gimli::DW_AT_sibling),
            }
        }
    }

    /// Collects the variables that a block declares, by what is directly in it.
    fn collect_block(&self, children: &[DieId], depth: u32, nesting: u32, found: &mut BlockVariables) {
        let mut own = Vec::new();
        // Storage that a Fortran procedure shares with others, under names of its own.
        let mut shared = Vec::new();
        for id in children.iter().copied() {
            let Some((entry, _, die)) = self.die(id) else { continue };
            match die.tag() {
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter | gimli::DW_TAG_constant => {
                    own.push((die.tag(), id, origin(self, entry, &die)));
                }
                gimli::DW_TAG_common_block => shared.push(id),
                gimli::DW_TAG_common_inclusion => {
                    shared.extend(self.referenced(entry, &die, gimli::DW_AT_common_reference));
                }
                // A block that does not say where its code is belongs to the one around it, whose own variables come
                // behind: they are the ones meant by a name.
                gimli::DW_TAG_lexical_block
                    if !die.has_attr(gimli::DW_AT_low_pc) && !die.has_attr(gimli::DW_AT_ranges) =>
                {
                    if let Some(nesting) = nesting.checked_sub(1) {
                        let mut inner = Vec::new();
                        for_each_child(self, id, |_, id, _| inner.push(id));
                        self.collect_block(&inner, depth, nesting, found);
                    }
                }
                _ => {}
            }
        }
        // Each once, however often it is named.
        shared.sort_unstable();
        shared.dedup();
        for common in shared {
            for_each_child(self, common, |_, id, die| {
                if die.tag() == gimli::DW_TAG_variable {
                    own.push((die.tag(), id, None));
                }
            });
        }
        let task = self.sections.work.begin(READING, Measure::Units, own.len() as u64);
        let before = found.locals.len();
        for (tag, id, origin) in own {
            task.did(1);
            if !found.is_full() {
                found.take(tag, self.listed(id, depth, found.of_compiler), origin);
            }
        }
        self.mark_own(found, before);
    }

    /// Marks those of the variables of one block, which come behind so many others, that share a name.
    fn mark_own(&self, found: &mut BlockVariables, before: usize) {
        let Some((pc, level)) = found.at else { return };
        if let Some(own) = found.locals.get_mut(before..) {
            self.mark_namesakes(own, || self.line_of_level(pc, level));
        }
    }

    /// Collects the variables of the abstract block that a block is an instance of, but for those of which an instance
    /// was found: compilers put it into any block, also into one that the abstract function does not have.
    fn collect_abstract(&self, block: DieId, depth: u32, nesting: u32, found: &mut BlockVariables) {
        let abstract_block =
            self.die(block).and_then(|(entry, _, die)| self.referenced(entry, &die, gimli::DW_AT_abstract_origin));
        // Many blocks may say that they are of one.
        let Some(abstract_block) = abstract_block.filter(|block| found.abstract_blocks.insert(*block)) else { return };
        let mut inner = Vec::new();
        let before = found.locals.len();
        let unit = |id: DieId| self.unit_of(id).and_then(|unit| unit.root());
        let is_of_code = unit(block) == unit(abstract_block);
        for_each_child(self, abstract_block, |_, id, die| match die.tag() {
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter
                if !found.origins.contains(&id) && !found.is_full() =>
            {
                let placed = if is_of_code { None } else { self.static_elsewhere(id, die) };
                if placed.is_none() {
                    found.lost.insert(id);
                }
                found.take(die.tag(), self.listed(placed.unwrap_or(id), depth, found.of_compiler), Some(id));
            }
            gimli::DW_TAG_lexical_block => inner.push(id),
            _ => {}
        });
        self.mark_own(found, before);
        for block in inner {
            self.collect_statics(block, is_of_code, nesting, found);
            self.collect_namesakes(block, (depth, is_of_code), nesting, found);
        }
    }

    /// Finds what says where a static variable is that an abstract block of another unit has without a place: with
    /// link-time optimisation, GCC has it in a copy of the function that has no code.
    fn static_elsewhere(&self, variable: DieId, die: &Die<'_>) -> Option<DieId> {
        let is_placed = die.has_attr(gimli::DW_AT_location) || die.has_attr(gimli::DW_AT_const_value);
        let name = inherited_name(self, variable).filter(|_| die.tag() == gimli::DW_TAG_variable && !is_placed)?;
        let is_it = |id: &DieId| {
            let completed = self.die(*id).and_then(|(entry, _, die)| origin(self, entry, &die));
            completed == Some(variable) && self.is_static(*id)
        };
        self.find(NameKind::Variable, name).find(is_it)
    }

    /// Collects the static variables of an abstract block. Optimised code of a block may lie outside of what is said to
    /// be the block's in an inlined copy, and these are somewhere wherever the code is.
    fn collect_statics(&self, block: DieId, is_of_code: bool, nesting: u32, found: &mut BlockVariables) {
        let Some(nesting) = nesting.checked_sub(1) else { return };
        let (statics, inner) = self.statics_and_blocks(block, is_of_code, found);
        for (id, placed) in statics {
            // Whatever else has the name is nearer.
            let listed = self.listed(placed, 0, found.of_compiler).filter(|one| !found.has_name(&one.name));
            found.take(gimli::DW_TAG_variable, listed, Some(id));
        }
        for block in inner {
            self.collect_statics(block, is_of_code, nesting, found);
        }
    }

    /// Collects the static variables of an abstract block that the function has no copy of, where what is around the block
    /// has the name, too: the code may be in it, and nothing says so. GCC leaves such blocks out with link-time
    /// optimisation.
    fn collect_namesakes(
        &self,
        block: DieId,
        (depth, is_of_code): (u32, bool),
        nesting: u32,
        found: &mut BlockVariables,
    ) {
        let Some(nesting) = nesting.checked_sub(1) else { return };
        let (statics, inner) = self.statics_and_blocks(block, is_of_code, found);
        let named =
            statics.into_iter().filter_map(|(id, placed)| Some((id, self.listed(placed, 0, found.of_compiler)?)));
        let rivals: Vec<(DieId, Variable)> = named.filter(|(_, one)| found.has_name(&one.name)).collect();
        let has_copy = || found.function.is_none_or(|function| self.has_copy(function, block, MAX_NESTING));
        if !rivals.is_empty() && !has_copy() {
            let here = found.at.and_then(|(pc, level)| self.line_of_level(pc, level));
            for (id, one) in rivals {
                let is_declared = one.line.zip(here).is_none_or(|(line, here)| line <= here);
                if is_declared && found.mark_unclear(&one.name, depth) {
                    let unclear = Variable { visible: Visible::Unclear, ..one };
                    found.take(gimli::DW_TAG_variable, Some(unclear), Some(id));
                }
            }
        }
        for block in inner {
            self.collect_namesakes(block, (depth, is_of_code), nesting, found);
        }
    }

    /// Finds the static variables directly in an abstract block of which no instance was found, each with what says where
    /// it is, and the blocks there.
    fn statics_and_blocks(
        &self,
        block: DieId,
        is_of_code: bool,
        found: &mut BlockVariables,
    ) -> (Vec<(DieId, DieId)>, Vec<DieId>) {
        let (mut statics, mut inner) = (Vec::new(), Vec::new());
        for_each_child(self, block, |_, id, die| match die.tag() {
            gimli::DW_TAG_variable if !found.origins.contains(&id) && !found.is_full() => {
                let elsewhere = || if is_of_code { None } else { self.static_elsewhere(id, die) };
                let placed = if self.is_static(id) { Some(id) } else { elsewhere() };
                statics.extend(placed.map(|placed| (id, placed)));
            }
            gimli::DW_TAG_lexical_block => inner.push(id),
            _ => {}
        });
        (statics, inner)
    }

    /// Returns whether there is an instance of an abstract block among the blocks in a function.
    fn has_copy(&self, block: DieId, of: DieId, nesting: u32) -> bool {
        let Some(nesting) = nesting.checked_sub(1) else { return true };
        let mut inner = Vec::new();
        for_each_child(self, block, |_, id, die| {
            inner.extend((die.tag() == gimli::DW_TAG_lexical_block).then_some(id));
        });
        let origin_of = |id: DieId| {
            let (entry, _, die) = self.die(id)?;
            self.referenced(entry, &die, gimli::DW_AT_abstract_origin)
        };
        inner.into_iter().any(|id| origin_of(id) == Some(of) || self.has_copy(id, of, nesting))
    }

    /// Collects the static variables of the other parts into which LLVM splits a coroutine: only the one that begins it
    /// has them. All parts have the linker's name of the whole.
    fn collect_clones_statics(&self, function: DieId, found: &mut BlockVariables) {
        let linkage = |id: DieId| {
            let (_, unit, die) = self.die(id)?;
            self.string(unit, die.attr_value(gimli::DW_AT_linkage_name)?)
        };
        let unit = |id: DieId| self.unit_of(id).and_then(|unit| unit.root());
        let has_code = |id: &DieId| self.die(*id).is_some_and(|(_, _, die)| die.has_attr(gimli::DW_AT_low_pc));
        let Some(own) = linkage(function).filter(|_| !found.of_compiler && has_code(&function)) else { return };
        let Some(name) = inherited_name(self, function) else { return };
        let is_part =
            |id: &DieId| *id != function && unit(*id) == unit(function) && linkage(*id) == Some(own) && has_code(id);
        for part in self.find(NameKind::Function, name).filter(is_part) {
            self.collect_statics(part, true, MAX_NESTING, found);
        }
    }

    /// Reads a variable if it is one that the compiler made up, or if it is none, whichever is asked for.
    fn listed(&self, id: DieId, depth: u32, of_compiler: bool) -> Option<Variable> {
        match of_compiler {
            true => self.variable_as_declared(id, depth).filter(|_| self.is_of_compiler(id)),
            false => self.variable(id, depth),
        }
    }

    /// Returns whether the compiler made a variable up.
    fn is_of_compiler(&self, id: DieId) -> bool {
        let is_artificial = || {
            let artificial = inherited(self, id, gimli::DW_AT_artificial);
            artificial.is_some_and(|a| matches!(a.value, AttributeValue::Flag(true)))
        };
        inherited_name(self, id).is_some_and(is_made_up) && is_artificial()
    }

    /// Reads a variable as its DIE describes it; `None` if it has no name, or the compiler made it up.
    pub(crate) fn variable(&self, id: DieId, depth: u32) -> Option<Variable> {
        let name = inherited_name(self, id).filter(|name| !name.is_empty())?;
        if self.is_of_compiler(id) {
            return None;
        }
        let (_, _, die) = self.die(id)?;
        if is_flag_set(&die, gimli::DW_AT_declaration)
            && let Some(definition) = external_definition(self, id, name)
        {
            return self.variable(definition, depth);
        }
        self.variable_as_declared(id, depth)
    }

    /// Reads a variable as its DIE describes it, also if that only declares what is defined elsewhere.
    pub(crate) fn variable_as_declared(&self, id: DieId, depth: u32) -> Option<Variable> {
        let name = inherited_name(self, id).filter(|name| !name.is_empty())?;
        let (_, _, die) = self.die(id)?;
        let ty = inherited(self, id, gimli::DW_AT_type).and_then(|ty| self.reference(ty.entry, ty.value));
        let line = inherited(self, id, gimli::DW_AT_decl_line).and_then(|line| line.value.udata_value());
        let file = inherited(self, id, gimli::DW_AT_decl_file)
            .and_then(|file| file.entry.source_file(self, file_number(&file.value)?));
        Some(Variable {
            die: id,
            name: name.to_owned(),
            ty: ty.map_or_else(|| Arc::new(Type::Void), |ty| self.type_at(ty)),
            is_argument: die.tag() == gimli::DW_TAG_formal_parameter,
            depth,
            line: line.and_then(|line| u32::try_from(line).ok()).filter(|line| *line != 0),
            file,
            of_function: false,
            elsewhere: None,
            through: Vec::new(),
            visible: Visible::Yes,
        })
    }
}

impl BlockVariables {
    fn has_name(&self, name: &str) -> bool {
        let arguments = self.arguments.iter().map(|argument| &argument.variable);
        arguments.chain(&self.locals).any(|variable| variable.name == name)
    }

    /// Marks what has a name in a block of this depth, or around it. Returns whether anything has.
    fn mark_unclear(&mut self, name: &str, depth: u32) -> bool {
        let arguments = self.arguments.iter_mut().map(|argument| &mut argument.variable);
        let all = arguments.chain(&mut self.locals);
        let marked = all.filter(|variable| variable.name == name && variable.depth <= depth);
        marked.map(|variable| variable.visible = Visible::Unclear).count() > 0
    }

    /// Returns whether there are as many as are given.
    fn is_full(&mut self) -> bool {
        let is_full = self.arguments.len() + self.locals.len() >= MOST;
        self.is_cut |= is_full;
        is_full
    }

    fn take(&mut self, tag: gimli::DwTag, variable: Option<Variable>, origin: Option<DieId>) {
        let Some(variable) = variable else { return };
        self.origins.extend(origin);
        if tag == gimli::DW_TAG_formal_parameter {
            self.arguments.push(Argument { variable, origin });
        } else {
            self.locals.push(variable);
        }
    }

    fn in_order(mut self) -> Vec<Variable> {
        // Parameters that an inlined copy leaves out were appended; among the abstract ones they have their place.
        if self.arguments.iter().all(|argument| argument.origin.is_some()) {
            self.arguments.sort_by_key(|argument| argument.origin);
        }
        self.locals.sort_by_key(|local| local.depth);
        let arguments = self.arguments.into_iter().map(|argument| argument.variable);
        arguments.chain(self.locals).collect()
    }
}

/// Returns those of the blocks around an address that are of the function at an inline level.
fn of_level<'b>(around: &'b [&'b Block], level: usize) -> Option<&'b [&'b Block]> {
    let is_function = |kind| matches!(kind, BlockKind::Function | BlockKind::Inlined);
    let functions: Vec<usize> =
        around.iter().enumerate().filter(|(_, block)| is_function(block.kind)).map(|(i, _)| i).collect();
    let which = functions.len().checked_sub(level.checked_add(1)?)?;
    let first = *functions.get(which)?;
    let end = functions.get(which + 1).copied().unwrap_or(around.len());
    around.get(first..end)
}

/// Returns whether an artificial variable is the compiler's own: `__closure`, `__vla_expr0`, `D.1234`, the `vtt` of
/// constructors under virtual bases. Others are the user's, but declared elsewhere: `this`, and what a lambda has
/// captured.
fn is_made_up(name: &str) -> bool {
    // Fortran's functions return what is in a variable of theirs.
    (name.starts_with("__") && !name.starts_with("__result_"))
        || name == "vtt"
        || !name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Finds where a variable is defined that is only declared: what the linker calls the same.
fn external_definition(debug: &Types<'_>, declaration: DieId, name: &str) -> Option<DieId> {
    let text = |id: DieId| {
        let linked = inherited(debug, id, gimli::DW_AT_linkage_name)?;
        debug.string(linked.unit, linked.value)
    };
    let (linked, qualified) =
        (text(declaration), debug.qualified(declaration).filter(|_| !debug.is_in_function(declaration)));
    let is_it = |id: DieId| match (linked, text(id)) {
        (Some(declared), Some(defined)) => declared == defined,
        // What has a name of C++ for the linker is in a namespace, and is defined by that name.
        (Some(declared), None) if declared.starts_with("_Z") => false,
        // A function declares what is outside of it.
        _ => debug.qualified(id).as_deref() == Some(qualified.as_deref().unwrap_or(name)),
    };
    let is_placed = |id: DieId| {
        debug.die(id).is_some_and(|(_, _, die)| {
            !is_flag_set(&die, gimli::DW_AT_declaration) && die.has_attr(gimli::DW_AT_location)
        })
    };
    let mut found: Vec<DieId> = debug.find(NameKind::Variable, name).filter(|id| is_placed(*id)).collect();
    let unit = |id: DieId| debug.unit_of(id).and_then(|unit| unit.root());
    // C: what a block declares `extern` is a static of the unit that is declared before (ISO C, 6.2.2).
    let is_own = |id: &DieId| {
        let is_outside = !debug.is_in_function(*id) && debug.qualified(*id).as_deref() == Some(name);
        linked.is_none() && is_outside && unit(*id) == unit(declaration)
    };
    let own = found.iter().find(|id| qualified.is_none() && is_own(id)).copied();
    found.retain(|id| is_external(debug, *id) && is_it(*id));
    own.or_else(|| found.into_iter().next())
}

/// Returns the number of a file that an attribute says.
pub(super) fn file_number(value: &AttributeValue<crate::sections::slice::Slice<'_>>) -> Option<u64> {
    match value {
        AttributeValue::FileIndex(number) => Some(*number),
        other => other.udata_value(),
    }
}

#[cfg(test)]
mod tests;
