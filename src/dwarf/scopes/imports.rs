//! Using-directives and using-declarations of C++ (DWARF 5 sections 3.2.3 and 3.2.4): `using namespace std;`,
//! `using std::swap;`, and what Fortran has for them: `use m`, `use m, only: x`, `use m, y => x`.

use super::variables::file_number;
use crate::model::code::InlineFrame;
use crate::model::die::DieId;
use crate::model::variable::Imported;
use crate::types::by_die::Types;
use crate::units::attributes::{for_each_child, inherited, inherited_name};
use crate::units::blocks::BlockKind;
use crate::units::entry::UnitEntry;
use crate::units::language::unit_language;
use arch::LinkAddr;
use base::qualified::QualifiedName;
use std::cell::OnceCell;
use std::cmp::Reverse;

/// Most imports of a unit that are looked at for one name.
const MAX_IMPORTS: usize = 1 << 14;
/// Most imports that directives lead to.
const MAX_TRANSITIVE: usize = 64;

/// An import of a unit.
#[derive(Clone, PartialEq, Eq)]
struct Import {
    /// The namespace that it is in, the outermost first; `None`: a block around the code.
    of: Option<Vec<String>>,
    /// How many blocks of the function are around it.
    depth: usize,
    /// The namespace of the directive that adds it; `None` for a declaration.
    through: Option<Vec<String>>,
    /// What is imported is in the scope of the import itself, as in Fortran.
    is_in_own_scope: bool,
    what: What,
}

/// What an import adds where it is.
#[derive(Clone, PartialEq, Eq)]
enum What {
    /// All names of this namespace.
    Directive(Vec<String>),
    /// All names of a module of Fortran, except those that have another name here.
    Module { path: Vec<String>, renamed: Vec<String> },
    /// This name.
    Declaration(Vec<String>),
    /// Another name for this.
    Renamed { to: String, target: Vec<String> },
}

impl What {
    /// Returns what a name means if it means what is imported here.
    fn applied(&self, name: &[String]) -> Option<String> {
        let whole = match self {
            Self::Directive(namespace) => [namespace, name].concat(),
            Self::Module { renamed, .. } if name.first().is_some_and(|first| renamed.contains(first)) => return None,
            Self::Module { path, .. } => [path, name].concat(),
            Self::Renamed { to, target } => {
                let rest = name.strip_prefix(std::slice::from_ref(to))?;
                [target, rest].concat()
            }
            Self::Declaration(target) => {
                let rest = name.strip_prefix(target.last().map(std::slice::from_ref)?)?;
                [target, rest].concat()
            }
        };
        Some(whole.join("::"))
    }

    /// Returns the namespace or module all names of which it adds.
    fn all_of(&self) -> Option<&Vec<String>> {
        match self {
            Self::Directive(path) | Self::Module { path, .. } => Some(path),
            Self::Declaration(_) | Self::Renamed { .. } => None,
        }
    }
}

impl<'a> Types<'a> {
    /// Returns what else a name may mean through the imports of a unit, in these scopes around the code, innermost
    /// first. As C++ has it, a directive adds the names of a namespace to the nearest namespace that both it and the
    /// directive are in.
    pub(crate) fn imported(
        &self,
        unit: DieId,
        function: Option<DieId>,
        pc: LinkAddr,
        scopes: &[String],
        name: &[String],
    ) -> Vec<Imported> {
        let Some((entry, ..)) = self.die(unit) else { return Vec::new() };
        let functions = entry.functions(self);
        if functions.imports().is_empty() && (functions.aliases().is_empty() || !self.is_fortran(entry)) {
            return Vec::new();
        }
        let scopes: Vec<Vec<String>> = scopes.iter().map(|scope| parts(scope)).collect();
        // How many scopes are looked through before the names of a namespace.
        let after = |namespace: &[String]| match namespace {
            [] => Some(scopes.len()),
            inner => scopes.iter().position(|scope| scope == inner).map(|at| at + 1),
        };
        let mut found = Vec::new();
        for Import { of, depth, through, is_in_own_scope, what } in self.imports_for(entry, function, pc, name) {
            let from = of.as_ref().or_else(|| scopes.first()).cloned().unwrap_or_default();
            let is_directive = through.is_some();
            let place = match through {
                Some(namespace) if !is_in_own_scope => {
                    let common = namespace.iter().zip(&from).take_while(|(a, b)| a == b).count();
                    after(&from).and_then(|_| after(from.get(..common)?))
                }
                _ if of.is_none() => Some(0),
                _ => after(&from),
            };
            let seen = place.and_then(|after| Some(Imported { after, is_directive, name: what.applied(name)? }));
            // `A::x`, where `A` itself has it from elsewhere.
            let of_other = of.and_then(|of| what.applied(within(&of, &scopes, name)?));
            let last = of_other.map(|name| Imported { after: scopes.len() + 1, is_directive, name });
            // What an inner block declares hides what an outer one does.
            let order = |one: &Imported| (one.after, Reverse(depth), one.is_directive);
            found.extend(seen.into_iter().chain(last).map(|one| (order(&one), one)));
        }
        found.sort_by_key(|(order, _)| *order);
        found.into_iter().map(|(_, one)| one).collect()
    }

    /// Returns the imports of a unit that are in namespaces or around the code, as far as they may add this name.
    fn imports_for(
        &self,
        entry: &UnitEntry<'a>,
        function: Option<DieId>,
        pc: LinkAddr,
        name: &[String],
    ) -> Vec<Import> {
        let blocks = function.map(|function| self.blocks_of(function, pc)).unwrap_or_default();
        let is_fortran = self.is_fortran(entry);
        // The line that GCC gives an import of a block is behind the block, that of others is right; in Fortran all are
        // before the code.
        let has_lines = entry.is_llvm(self) && !is_fortran;
        let here = OnceCell::new();
        let is_behind_code = |import: DieId| {
            let here = here.get_or_init(|| self.inline_chain(pc).into_iter().find(|frame| frame.die == function));
            here.as_ref().is_some_and(|here| self.is_declared_behind(import, here))
        };
        let functions = entry.functions(self);
        let renames = if is_fortran { functions.aliases() } else { &[] };
        let mut found = Vec::new();
        for (import, around) in functions.imports().iter().chain(renames).take(MAX_IMPORTS) {
            // What a `use` renames is within it.
            let of_use = functions.imports().binary_search_by_key(around, |(import, _)| *import).ok();
            let around = of_use.and_then(|at| functions.imports().get(at)).map_or(around, |(_, around)| around);
            let Some(outer) = entry.id_of(*around) else { continue };
            let depth = blocks.iter().find(|(block, _)| *block == outer).map(|(_, depth)| *depth);
            let of = match self.die(outer).map(|(_, _, die)| die.tag()) {
                Some(gimli::DW_TAG_namespace) => self.namespace(entry, outer),
                Some(gimli::DW_TAG_module) => self.module(outer),
                Some(gimli::DW_TAG_compile_unit | gimli::DW_TAG_partial_unit) => Some(Vec::new()),
                Some(gimli::DW_TAG_subprogram | gimli::DW_TAG_lexical_block) if depth.is_some() => None,
                // Procedures within another one have what that has.
                Some(gimli::DW_TAG_subprogram) if is_fortran => self.qualified(outer).map(|whole| parts(&whole)),
                _ => continue,
            };
            let Some(id) = entry.id_of(*import) else { continue };
            if (has_lines || of.is_some() && !is_fortran) && is_behind_code(id) {
                continue;
            }
            let Some(what) = self.what_is_imported(entry, id, is_fortran, name) else { continue };
            let through = what.all_of().cloned();
            // A directive adds to a namespace, from whichever block.
            let depth = depth.filter(|_| through.is_none()).unwrap_or(0);
            found.push(Import { of, depth, through, is_in_own_scope: is_fortran, what });
        }
        add_transitive(&mut found);
        found
    }

    /// Returns what an import adds, as far as that may have this name.
    fn what_is_imported(
        &self,
        entry: &UnitEntry<'a>,
        import: DieId,
        is_fortran: bool,
        name: &[String],
    ) -> Option<What> {
        let (_, unit, die) = self.die(import)?;
        let target = self.referenced(entry, &die, gimli::DW_AT_import)?;
        let is_module = die.tag() == gimli::DW_TAG_imported_module;
        if is_module && is_fortran {
            return Some(What::Module { path: self.module(target)?, renamed: self.renamed_in(import) });
        }
        if is_module {
            let (owner, ..) = self.die(target)?;
            return self.namespace(owner, target).map(What::Directive);
        }
        let to = self.name(unit, &die).map(str::to_owned);
        let is_it = match &to {
            Some(to) => name.first() == Some(to),
            None => self.has_name_of(target, name),
        };
        let target = if is_it { parts(&self.qualified(target)?) } else { return None };
        Some(to.map_or_else(|| What::Declaration(target.clone()), |to| What::Renamed { to, target: target.clone() }))
    }

    /// Returns the path of a module of Fortran, of which none is within another.
    fn module(&self, module: DieId) -> Option<Vec<String>> {
        Some(vec![inherited_name(self, module)?.to_owned()])
    }

    /// Returns what a `use` of Fortran gives other names.
    fn renamed_in(&self, import: DieId) -> Vec<String> {
        let mut targets = Vec::new();
        for_each_child(self, import, |entry, _, die| {
            if die.tag() == gimli::DW_TAG_imported_declaration && die.has_attr(gimli::DW_AT_name) {
                targets.extend(self.referenced(entry, die, gimli::DW_AT_import));
            }
        });
        targets.into_iter().filter_map(|target| inherited_name(self, target).map(str::to_owned)).collect()
    }

    fn is_fortran(&self, entry: &UnitEntry<'a>) -> bool {
        unit_language(self, entry) == Some("fortran")
    }

    /// Returns whether something is declared on a later line than the code of a function.
    fn is_declared_behind(&self, die: DieId, here: &InlineFrame) -> bool {
        let attribute = |name| inherited(self, die, name);
        let line = attribute(gimli::DW_AT_decl_line).and_then(|line| line.value.udata_value());
        let file =
            attribute(gimli::DW_AT_decl_file).and_then(|file| file.entry.source_file(self, file_number(&file.value)?));
        let is_later = line.zip(here.line).is_some_and(|(line, here)| line > u64::from(here));
        is_later && file.is_some() && file == here.file
    }

    /// Returns whether a component of a name is the name of a DIE, which may complete another one that has the name.
    fn has_name_of(&self, die: DieId, name: &[String]) -> bool {
        inherited_name(self, die).is_some_and(|own| name.iter().any(|part| part == own))
    }

    /// Returns a function that has code at an address and its blocks around it, without those of what is inlined in it,
    /// each with how many blocks are around it.
    fn blocks_of(&self, function: DieId, pc: LinkAddr) -> Vec<(DieId, usize)> {
        let tree = self.block_tree_at(pc);
        let around = tree.iter().flat_map(|tree| tree.around(pc));
        let is_it = |die: DieId| die == function || self.abstract_of(die) == self.abstract_of(function);
        let is_block = |kind: BlockKind| matches!(kind, BlockKind::Lexical | BlockKind::EmptyLexical);
        let mut blocks = Vec::new();
        for block in around {
            match blocks.is_empty() {
                true if is_it(block.die) => blocks.push(block.die),
                false if is_block(block.kind) => blocks.push(block.die),
                true => {}
                false => break,
            }
        }
        let abstracts: Vec<DieId> = blocks.iter().map(|block| self.abstract_of(*block)).collect();
        let with_depth = |blocks: Vec<DieId>| blocks.into_iter().zip(0..);
        with_depth(blocks).chain(with_depth(abstracts)).collect()
    }
}

/// Adds the imports of namespaces that directives name: they count where those are, too.
fn add_transitive(imports: &mut Vec<Import>) {
    let own = imports.clone();
    let most = own.len() + MAX_TRANSITIVE;
    let mut next = 0;
    while let Some(import) = imports.get(next).cloned() {
        next += 1;
        let Some(namespace) = import.what.all_of() else { continue };
        for further in own.iter().filter(|further| further.of.as_ref() == Some(namespace)) {
            let through = further.through.as_ref().or(import.through.as_ref()).cloned();
            let (of, depth, is_in_own_scope) = (import.of.clone(), import.depth, import.is_in_own_scope);
            let reached = Import { of, depth, through, is_in_own_scope, what: further.what.clone() };
            if imports.len() < most && !imports.contains(&reached) {
                imports.push(reached);
            }
        }
    }
}

/// Returns the components of a qualified name.
fn parts(name: &str) -> Vec<String> {
    QualifiedName::split(name).components().iter().map(|part| part.text.to_owned()).collect()
}

/// Returns what comes behind a namespace in a name, as the name is understood in these scopes.
fn within<'n>(namespace: &[String], scopes: &[Vec<String>], name: &'n [String]) -> Option<&'n [String]> {
    let outside = scopes.iter().map(Vec::as_slice).chain([&[][..]]);
    outside.into_iter().find_map(|scope| {
        let inside = namespace.strip_prefix(scope).filter(|inside| !inside.is_empty())?;
        name.strip_prefix(inside).filter(|rest| !rest.is_empty())
    })
}
