//! What the blocks around some code declare besides variables: types and enumerators, which hide what is declared further
//! out (DWARF 5 section 3.5).
//!
//! Clang puts the types and static variables of all blocks of a function into the function itself. Of several with one
//! name, the lines tell those that are not declared yet; which block has ended, nothing tells.

use crate::model::die::{DieId, TypeTag};
use crate::model::elf::Symbol;
use crate::model::variable::{Variable, Visible};
use crate::names::entry::{NameKind, is_static_location};
use crate::naming::query::NameQuery;
use crate::sections::slice::Die;
use crate::types::by_die::Types;
use crate::types::by_name::kinds_of;
use crate::units::attributes::{for_each_child, inherited, inherited_name, is_flag_set};
use crate::units::language::unit_language;
use arch::LinkAddr;
use base::qualified::QualifiedName;
use ctype::layout::pointer_target;
use ctype::{Dialect, Type, TypeRef, type_name};
use gimli::AttributeValue;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Most variables of one name that are compared with each other.
const MOST_NAMESAKES: usize = 64;

/// A type that a block declares.
pub(super) struct InBlock {
    pub(super) die: DieId,
    tag: gimli::DwTag,
    /// How many blocks are around it.
    depth: u32,
    pub(super) line: Option<u32>,
}

/// A using-declaration of a block.
pub(super) struct InBlockUsing {
    pub(super) name: String,
    /// What it declares.
    pub(super) target: DieId,
    /// How many blocks are around it.
    depth: u32,
    pub(super) line: Option<u32>,
}

impl InBlock {
    /// Returns whether a type has a keyword, if one is asked for.
    pub(super) fn is_tagged(&self, tag: Option<TypeTag>) -> bool {
        match tag {
            Some(TypeTag::Struct) => matches!(self.tag, gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type),
            Some(TypeTag::Union) => self.tag == gimli::DW_TAG_union_type,
            Some(TypeTag::Enum) => self.tag == gimli::DW_TAG_enumeration_type,
            None => true,
        }
    }
}

impl Types<'_> {
    /// Finds the enumerator that a name means in the blocks around `pc`, of the function at an inline level: its type
    /// and value. Several, if it is not known which is in scope there.
    pub(crate) fn block_enumerators(&self, pc: LinkAddr, level: usize, name: &str) -> Vec<(TypeRef, i128)> {
        let value = |ty: &TypeRef| match &**ty {
            Type::Enumeration(e) => e.enumerators.iter().find(|(known, _)| known == name).map(|(_, value)| *value),
            _ => None,
        };
        let mut found = self.block_types_at(pc, level);
        found.retain(|one| self.has_plain_enumerator(one, name));
        let found = self.nearest(found, pc, level).into_iter().map(|one| self.type_at(one.die));
        found.filter_map(|ty| Some((ty.clone(), value(&ty)?))).collect()
    }

    /// Finds the type that a name means in the blocks around `pc`, of the function at an inline level. Several, if it is
    /// not known which is in scope there.
    pub(crate) fn block_types(&self, pc: LinkAddr, level: usize, tag: Option<TypeTag>, name: &str) -> Vec<TypeRef> {
        let mut found = self.block_types_at(pc, level);
        found.retain(|one| match tag {
            Some(_) => one.is_tagged(tag) && inherited_name(self, one.die) == Some(name),
            None => self.plain_name(one) == Some(name),
        });
        let here = self.line_of_level(pc, level);
        let nearest = self.nearest(found, pc, level);
        // The block that it is of may have been left, and then the name means what is outside of the function.
        let is_perhaps_left = |one: &&InBlock| self.is_perhaps_left(one, pc, here);
        let outside = nearest.first().filter(is_perhaps_left).and_then(|one| self.type_beside(one, tag, name));
        let found: Vec<DieId> = nearest.into_iter().map(|one| one.die).chain(outside).collect();
        found.into_iter().map(|die| self.type_at(die)).collect()
    }

    /// Returns whether what a name means in the blocks around `pc`, a type or an enumerator, may be of a block that has
    /// been left there.
    pub(crate) fn block_name_may_be_left(&self, pc: LinkAddr, level: usize, name: &str) -> bool {
        let mut found = self.block_types_at(pc, level);
        found.retain(|one| self.plain_name(one) == Some(name) || self.has_plain_enumerator(one, name));
        let nearest = self.nearest(found, pc, level);
        let here = self.line_of_level(pc, level);
        nearest.first().is_some_and(|one| self.is_perhaps_left(one, pc, here))
    }

    /// Returns whether a type that the function itself has may be of a block that has been left at `pc`, on this line.
    fn is_perhaps_left(&self, one: &InBlock, pc: LinkAddr, here: Option<u32>) -> bool {
        // GCC, too, has the classes of C++ that blocks declare in the function.
        let language = || self.unit_of(one.die).and_then(|unit| unit_language(self, unit));
        let is_of_any_block =
            || self.is_of_clang(one.die) || one.tag != gimli::DW_TAG_typedef && language() == Some("c++");
        one.depth == 0
            && one.line.zip(here).is_some_and(|(line, here)| line < here)
            && self.block_tree_at(pc).is_none_or(|tree| tree.has_inner())
            && is_of_any_block()
    }

    /// Finds the type outside of a function, in a class or namespace around it or in none, that has the name of one of
    /// the function, in the same unit.
    fn type_beside(&self, one: &InBlock, tag: Option<TypeTag>, name: &str) -> Option<DieId> {
        let kinds: &[NameKind] = match tag {
            Some(tag) => kinds_of(tag),
            None => &[NameKind::Typedef, NameKind::Struct, NameKind::Class, NameKind::Union, NameKind::Enum],
        };
        let names = self.names_around(one.die)?;
        let unit = |die: DieId| self.unit_of(die).and_then(|unit| unit.root());
        let path = names.qualified(one.die).unwrap_or_default();
        let around = QualifiedName::split(&path);
        let around: Vec<&str> = around.scopes().iter().map(|scope| scope.text).collect();
        (0..=around.len()).rev().find_map(|count| {
            let scopes = around.get(..count).unwrap_or_default().iter().copied();
            let whole = format!("::{}", scopes.chain([name]).collect::<Vec<_>>().join("::"));
            let query = NameQuery::parse(&whole);
            let all = kinds.iter().flat_map(|kind| names.find(*kind, &query));
            let mut shared = all.filter(|entry| !entry.local && !entry.declaration).map(|entry| entry.die);
            shared.find(|die| unit(*die) == unit(one.die))
        })
    }

    /// Returns the name that a type has without `struct` and the like before it.
    fn plain_name(&self, one: &InBlock) -> Option<&str> {
        let language = self.unit_of(one.die).and_then(|unit| unit_language(self, unit));
        let is_plain = one.tag == gimli::DW_TAG_typedef || language != Some("c");
        inherited_name(self, one.die).filter(|_| is_plain)
    }

    /// Marks the variables of a function by what types, enumerators and using-declarations of its blocks, and statics that
    /// Clang has put elsewhere, do to them.
    pub(super) fn mark_hidden(
        &self,
        variables: &mut [Variable],
        blocks: &[Vec<DieId>],
        here: impl FnOnce() -> Option<u32>,
    ) {
        let mut rivals: Vec<(String, u32, Option<u32>)> = Vec::new();
        let usings = self.using_declarations_in(blocks);
        for one in self.types_in(blocks) {
            let mut names = Vec::new();
            self.for_each_plain_enumerator(&one, |name| names.push(name.to_owned()));
            names.extend(self.plain_name(&one).map(str::to_owned));
            rivals.extend(names.into_iter().map(|name| (name, one.depth, one.line)));
        }
        rivals.extend(usings.iter().map(|one| (one.name.clone(), one.depth, one.line)));
        let is_later = |line: Option<u32>, than: Option<u32>| line.zip(than).is_some_and(|(line, than)| line > than);
        let has_inner = |name: &str| variables.iter().any(|v| v.depth > 0 && v.name == name);
        let outer = variables.iter().filter(|v| v.depth == 0 && has_inner(&v.name) && self.is_static(v.die));
        let outer_statics: Vec<_> = outer.map(|v| (v.name.clone(), v.line)).collect();
        if rivals.is_empty() && outer_statics.is_empty() {
            return;
        }
        let here = here();
        for variable in variables {
            for (_, depth, line) in rivals.iter().filter(|(name, ..)| *name == variable.name) {
                if is_later(*line, here) {
                    continue;
                }
                // A using-declaration counts from its line on, which GCC does not say.
                let is_anywhere =
                    || usings.iter().any(|one| one.name == variable.name && one.depth == *depth && one.line.is_none());
                if *depth > variable.depth {
                    variable.visible = if is_anywhere() { Visible::Unclear } else { Visible::Hidden };
                } else if is_later(*line, variable.line) && variable.visible == Visible::Yes {
                    variable.visible = Visible::Unclear;
                }
            }
            let is_rival = |(name, line): &(String, Option<u32>)| {
                *name == variable.name && is_later(*line, variable.line) && here.is_some() && !is_later(*line, here)
            };
            if variable.depth > 0 && variable.visible == Visible::Yes && outer_statics.iter().any(is_rival) {
                variable.visible = Visible::Unclear;
            }
        }
    }

    /// Marks the variables that are directly in one block, of which several may have one name, which of them a name may
    /// mean: Clang puts static ones, and those of catch clauses, into a block around their own.
    pub(super) fn mark_namesakes(&self, variables: &mut [Variable], here: impl FnOnce() -> Option<u32>) {
        let mut seen = BTreeSet::new();
        let repeated: BTreeSet<String> =
            variables.iter().filter(|v| !seen.insert(v.name.as_str())).map(|v| v.name.clone()).collect();
        if repeated.is_empty() {
            return;
        }
        let here = here();
        for name in repeated {
            let mut all: Vec<&mut Variable> = variables.iter_mut().filter(|v| v.name == name).collect();
            self.hide_guards(&mut all, here);
            // What the optimizer has made several of is one.
            let first = all.first().map(|v| (v.line, v.file.clone()));
            let are_several = all.iter().any(|v| Some((v.line, v.file.clone())) != first);
            if !are_several || !all.iter().all(|v| self.is_of_clang(v.die)) {
                all.retain(|v| self.is_static(v.die));
            }
            let is_declared = |v: &Variable| v.line.zip(here).is_none_or(|(line, here)| line <= here);
            let declared = all.iter().filter(|v| is_declared(v)).count();
            if all.len() < 2 {
                continue;
            }
            for variable in &mut all {
                variable.visible = match declared {
                    1 if is_declared(variable) => Visible::Yes,
                    0 => Visible::Unclear,
                    _ if is_declared(variable) => Visible::Unclear,
                    _ => Visible::Hidden,
                };
            }
        }
    }

    /// Marks the references of guards where an inlined copy of a function has only one of the two variables: of the
    /// guard and of the arm, one is lost.
    pub(super) fn hide_guards_of_copy(
        &self,
        locals: &mut [Variable],
        lost: &HashSet<DieId>,
        here: impl FnOnce() -> Option<u32>,
    ) {
        let names: HashSet<String> =
            locals.iter().filter(|local| lost.contains(&local.die)).map(|local| local.name.clone()).collect();
        let mut namesakes: HashMap<&str, Vec<&mut Variable>> = HashMap::new();
        for local in locals.iter_mut().filter(|local| names.contains(&local.name)) {
            let Some(name) = names.get(&local.name) else { continue };
            namesakes.entry(name).or_default().push(local);
        }
        namesakes.retain(|_, all| (2..MOST_NAMESAKES).contains(&all.len()));
        let Some(here) = (!namesakes.is_empty()).then(here) else { return };
        for all in namesakes.values_mut() {
            self.hide_guards(all, here);
        }
    }

    /// Marks the references that the guard of a match arm of Rust has to what the arm binds by the same name: behind its
    /// line they are not meant, and on it, one is not told from the other.
    fn hide_guards(&self, all: &mut [&mut Variable], here: Option<u32>) {
        let is_rust = |id: DieId| self.unit_of(id).is_some_and(|unit| unit_language(self, unit) == Some("rust"));
        if !all.iter().all(|variable| is_rust(variable.die)) {
            return;
        }
        let spelled = |ty: &TypeRef| type_name(ty, Dialect::Rust);
        let bound: Vec<(Option<u32>, String)> = all.iter().map(|v| (v.line, spelled(&v.ty))).collect();
        let targets: Vec<Option<String>> =
            all.iter().map(|v| pointer_target(&v.ty).map(|target| spelled(&target))).collect();
        let guards = |ty: &String, line: Option<u32>| {
            targets.iter().zip(&bound).any(|(target, (of, _))| target.as_ref() == Some(ty) && *of == line)
        };
        for ((variable, target), (line, ty)) in all.iter_mut().zip(&targets).zip(&bound) {
            let is_guard =
                target.as_ref().is_some_and(|target| bound.iter().any(|(of, ty)| ty == target && of == line));
            if is_guard {
                variable.visible = Visible::Hidden;
            } else if guards(ty, *line) && line.is_some() && *line == here {
                variable.visible = Visible::Unclear;
            }
        }
    }

    /// Marks the static variables of a function of C or C++ that Clang has made, which may be of any block of it: none is
    /// meant before its line, and behind that, what is outside of the function may be.
    pub(super) fn mark_statics(&self, variables: &mut [Variable], here: impl FnOnce() -> Option<u32>) {
        let is_meant = |v: &&mut Variable| v.depth == 0 && v.visible == Visible::Yes && self.is_static(v.die);
        let mut statics = variables.iter_mut().filter(is_meant).filter(|v| self.is_of_clang(v.die)).peekable();
        let Some(here) = statics.peek().and_then(|_| here()) else { return };
        for variable in statics {
            let Some(line) = variable.line else { continue };
            if line > here {
                variable.visible = Visible::Hidden;
            } else if line < here && self.is_global_beside(variable) {
                variable.visible = Visible::PerhapsLeft;
            }
        }
    }

    /// Returns whether Clang has made a DIE, of C or C++.
    pub(super) fn is_of_clang(&self, id: DieId) -> bool {
        let unit = self.unit_of(id).filter(|unit| unit.is_llvm(self));
        unit.is_some_and(|unit| matches!(unit_language(self, unit), Some("c" | "c++")))
    }

    /// Returns whether something outside of functions has the name of a variable of one.
    pub(crate) fn is_global_beside(&self, variable: &Variable) -> bool {
        let whole = format!("::{}", variable.name);
        let query = NameQuery::parse(&whole);
        let names = self.names_around(variable.die);
        let of_unit = names.is_some_and(|names| names.find(NameKind::Variable, &query).any(|entry| !entry.local));
        let is_shared = |symbol: &Symbol| !symbol.is_code && !symbol.is_local;
        of_unit || self.symbols.symbols_spelled(&variable.name).iter().any(is_shared)
    }

    pub(super) fn is_static(&self, variable: DieId) -> bool {
        let location = inherited(self, variable, gimli::DW_AT_location);
        location.is_some_and(|found| match found.value {
            AttributeValue::Exprloc(expression) => is_static_location(&expression.0),
            _ => false,
        })
    }

    /// Leaves those of the innermost block that declares one, of which nothing is declared behind the code.
    fn nearest(&self, mut found: Vec<InBlock>, pc: LinkAddr, level: usize) -> Vec<InBlock> {
        if found.is_empty() {
            return found;
        }
        let here = self.line_of_level(pc, level);
        found.retain(|one| one.line.zip(here).is_none_or(|(line, here)| line <= here));
        let deepest = found.iter().map(|one| one.depth).max();
        found.retain(|one| Some(one.depth) == deepest);
        found
    }

    /// Returns the line of the function at an inline level of `pc`, if it is one of the function's own text.
    pub(crate) fn line_of_level(&self, pc: LinkAddr, level: usize) -> Option<u32> {
        self.own_line(self.inline_chain(pc).get(level)?)
    }

    fn block_types_at(&self, pc: LinkAddr, level: usize) -> Vec<InBlock> {
        let mut blocks = self.enclosing_blocks(pc, level);
        blocks.extend(self.blocks_of_level(pc, level).unwrap_or_default());
        self.types_in(&blocks)
    }

    /// Returns whether a type or an enumerator among what is directly in a block has a name.
    pub(super) fn declares_type(&self, block: &[DieId], name: &str) -> bool {
        let found = self.types_in(&[block.to_vec()]);
        found.iter().any(|one| self.plain_name(one) == Some(name) || self.has_plain_enumerator(one, name))
    }

    /// Finds the types among what is directly in blocks, of which each is within the one before it.
    pub(super) fn types_in(&self, blocks: &[Vec<DieId>]) -> Vec<InBlock> {
        let mut found = Vec::new();
        for (depth, children) in (0..).zip(blocks) {
            for id in children.iter().copied() {
                let Some((_, _, die)) = self.die(id) else { continue };
                if is_type(die.tag()) && !is_flag_set(&die, gimli::DW_AT_declaration) {
                    found.push(InBlock { die: id, tag: die.tag(), depth, line: declared_line(&die) });
                }
            }
        }
        found
    }

    /// Finds the using-declarations directly in blocks. The line that GCC gives one is behind the block.
    pub(super) fn using_declarations_in(&self, blocks: &[Vec<DieId>]) -> Vec<InBlockUsing> {
        let mut found = Vec::new();
        for (depth, children) in (0..).zip(blocks) {
            for id in children.iter().copied() {
                let Some((entry, _, die)) = self.die(id) else { continue };
                if die.tag() != gimli::DW_TAG_imported_declaration || die.has_attr(gimli::DW_AT_name) {
                    continue;
                }
                let Some(target) = self.referenced(entry, &die, gimli::DW_AT_import) else { continue };
                let line = declared_line(&die).filter(|_| entry.is_llvm(self));
                let name = inherited_name(self, target).map(str::to_owned);
                found.extend(name.map(|name| InBlockUsing { name, target, depth, line }));
            }
        }
        found
    }

    pub(super) fn has_plain_enumerator(&self, one: &InBlock, name: &str) -> bool {
        let mut has = false;
        self.for_each_plain_enumerator(one, |known| has |= known == name);
        has
    }

    /// Calls `f` with the names of enumerators that need no enumeration before them.
    fn for_each_plain_enumerator(&self, one: &InBlock, mut f: impl FnMut(&str)) {
        let is_scoped = |die: &Die<'_>| is_flag_set(die, gimli::DW_AT_enum_class);
        let is_enumeration = one.tag == gimli::DW_TAG_enumeration_type;
        if !is_enumeration || self.die(one.die).is_none_or(|(_, _, die)| is_scoped(&die)) {
            return;
        }
        let mut enumerators = Vec::new();
        for_each_child(self, one.die, |_, id, die| {
            enumerators.extend((die.tag() == gimli::DW_TAG_enumerator).then_some(id));
        });
        enumerators.into_iter().filter_map(|id| inherited_name(self, id)).for_each(&mut f);
    }
}

/// Returns the line that a DIE says it is declared on.
pub(super) fn declared_line(die: &Die<'_>) -> Option<u32> {
    let line = die.attr_value(gimli::DW_AT_decl_line).and_then(|line| line.udata_value());
    line.and_then(|line| u32::try_from(line).ok()).filter(|line| *line != 0)
}

fn is_type(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_typedef
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_enumeration_type
    )
}
