//! Global and static variables by name.

use super::of_file::ends_with;
use crate::model::code::SourcePath;
use crate::model::die::DieId;
use crate::model::elf::Symbol;
use crate::model::variable::Variable;
use crate::names::display::display_name;
use crate::names::entry::NameKind;
use crate::names::row::VTABLES;
use crate::naming::demangle::demangle;
use crate::naming::query::NameQuery;
use crate::tasks::work::{Measure, READING};
use crate::types::by_code::dies_around;
use crate::types::by_die::Types;
use crate::units::attributes::{
    inherited, inherited_name, is_external, is_flag_set, is_lasting_value, origin, unit_file,
};
use arch::LinkAddr;
use base::qualified::{Component, QualifiedName, bare, same_name};

/// Most globals of a unit that are listed.
const MOST: usize = 1 << 14;

impl Types<'_> {
    /// Finds globals and file-scope statics with this (qualified or last-component) name; `function::name` finds a
    /// function's static; `'file.c'::name` is split by the caller into (`Some(file)`, name).
    ///
    /// A variable that is only declared counts if the image has a symbol for it. Those that have just
    /// this name come before those in scopes that it leaves out, then globals before statics; what the linker has
    /// removed comes behind.
    pub(crate) fn globals_named(&self, file: Option<&str>, name: &str) -> Vec<Variable> {
        let found = self.find(NameKind::Variable, name).filter(|id| self.is_of_overload(*id, name));
        let mut found: Vec<DieId> = found.filter(|id| !self.is_named_past_function(*id, name)).collect();
        if found.is_empty() {
            found = self.statics_of_nameless(name);
            found.extend(self.instances_of_template(name));
            found.extend(self.members_without_class(name));
        }
        let mut globals: Vec<Variable> =
            found.iter().filter(|id| is_defined(self, **id)).filter_map(|id| self.global(*id, file)).collect();
        let whole = name.strip_prefix("::").unwrap_or(name);
        let is_meant = |v: &Variable| same_name(&v.name, whole) && !v.of_function && is_external(self, v.die);
        if !globals.iter().any(is_meant) {
            // All declarations of a name mean the one symbol. A static of another unit is not what they declare.
            let is_none = globals.is_empty();
            let declared = found.iter().filter(|id| !is_defined(self, **id) && self.symbol_of(**id).is_some());
            let mut declared = declared.filter_map(|id| self.global(*id, file));
            globals.extend(declared.find(|v| is_none || same_name(&v.name, whole)));
        }
        let is_removed = |v: &Variable| self.is_removed_variable(v.die);
        globals.sort_by_cached_key(|v| (!same_name(&v.name, whole), is_removed(v), !is_external(self, v.die)));
        globals
    }

    /// Returns whether a variable is of the overload of a function that a name gives with its parameters, if it does.
    fn is_of_overload(&self, variable: DieId, name: &str) -> bool {
        let split = QualifiedName::split(name);
        let Some(asked) = split.scopes().iter().rfind(|scope| scope.parameters().is_some()) else { return true };
        let is_function =
            |die: &DieId| self.die(*die).is_some_and(|(_, _, read)| read.tag() == gimli::DW_TAG_subprogram);
        let function = dies_around(self, variable).and_then(|around| around.into_iter().find(is_function));
        let shown = function.and_then(|function| display_name(self, function));
        // The functions of C have no overloads, and are shown without parameters.
        shown.is_none_or(|shown| {
            let has_none = QualifiedName::split(&shown).last().and_then(Component::parameters).is_none();
            has_none || NameQuery::parse(asked.text).matches_shown(&shown)
        })
    }

    /// Lists the globals and file-scope statics that the unit with the code at an address defines, as they come in it.
    pub(crate) fn globals_of_unit(&self, at: LinkAddr) -> Vec<Variable> {
        let unit = self.unit_at(at).and_then(|unit| unit.root());
        let Some(names) = unit.and_then(|unit| self.names_around(unit)) else { return Vec::new() };
        let is_of_unit = |id: &DieId| self.unit_of(*id).and_then(|unit| unit.root()) == unit;
        let all = names.variables_ending("").filter(|id| is_of_unit(id) && !names.is_in_function(*id));
        let defined = all.filter(|id| is_defined(self, *id) && !self.is_removed_variable(*id));
        let task = self.sections.work.begin(READING, Measure::Units, 0);
        let globals = defined.inspect(|_| task.check()).filter_map(|id| self.global(id, None)).take(MOST);
        globals.filter(|variable| !variable.name.ends_with(VTABLES)).collect()
    }

    /// Returns the variable with its qualified name; `None` if it is of another file.
    fn global(&self, id: DieId, file: Option<&str>) -> Option<Variable> {
        let mut variable = self.variable(id, 0)?;
        if let Some(wanted) = file
            && !variable.file.as_ref().is_some_and(|file| matches(file, wanted))
            && !unit_file(self, id).is_some_and(|file| ends_with(file, wanted))
        {
            return None;
        }
        if let Some(qualified) = self.qualified(id) {
            variable.name = qualified;
        }
        variable.of_function = self.is_in_function(id);
        if variable.of_function
            && self.is_of_nameless_function(id)
            && let Some(name) = self.name_of_static(id)
        {
            variable.name = name;
        }
        if let Some(member) = self.member_without_class(id) {
            variable.name = member;
        }
        if let Some(instance) = self.template_instance(id) {
            variable.name = instance;
        }
        Some(variable)
    }

    /// Finds the static members that a name with their class means, where debug info does not have that: GCC leaves out
    /// one with virtual functions that another unit has, and puts what is defined in it outside of all scopes.
    fn members_without_class(&self, name: &str) -> Vec<DieId> {
        let query = NameQuery::parse(name);
        if query.scopes().is_empty() {
            return Vec::new();
        }
        let is_meant = |id: &DieId| self.member_without_class(*id).is_some_and(|shown| query.matches_shown(&shown));
        self.find(NameKind::Variable, query.last()).filter(is_meant).collect()
    }

    /// Returns the name of a static member with its class, if only its linkage name has that.
    fn member_without_class(&self, id: DieId) -> Option<String> {
        let name = inherited_name(self, id)?;
        if self.is_in_function(id) || self.qualified(id).as_deref() != Some(name) {
            return None;
        }
        let shown =
            self.linkage_name(id).filter(|linkage| linkage.starts_with("_ZN")).and_then(|_| self.linkage_path(id))?;
        let split = QualifiedName::split(&shown);
        let is_it = split.scopes().iter().all(|scope| scope.parameters().is_none())
            && split.last().is_some_and(|last| last.name() == name);
        (is_it && !split.scopes().is_empty()).then_some(shown)
    }

    /// Finds the variables that a name with arguments of a template means, where debug info names them without: GCC does.
    fn instances_of_template(&self, name: &str) -> Vec<DieId> {
        let query = NameQuery::parse(name);
        let plain = bare(query.last());
        if plain.len() == query.last().len() {
            return Vec::new();
        }
        let scopes = query.scopes().iter().copied();
        let plain = scopes.chain([plain]).collect::<Vec<_>>().join("::");
        let is_meant = |id: &DieId| self.template_instance(*id).is_some_and(|shown| query.matches_shown(&shown));
        self.find(NameKind::Variable, &plain).filter(is_meant).collect()
    }

    /// Returns the name of a variable with the arguments of its template, if only its linkage name has them.
    fn template_instance(&self, id: DieId) -> Option<String> {
        let linkage = inherited(self, id, gimli::DW_AT_linkage_name)?;
        let linkage = self.string(linkage.unit, linkage.value).filter(|name| name.starts_with("_Z"))?;
        let shown = demangle(linkage).filter(|shown| shown.ends_with('>'))?;
        inherited_name(self, id).is_some_and(|name| !name.ends_with('>')).then_some(shown)
    }

    /// Finds the variable that a unit declares by this qualified name and does not define.
    pub(crate) fn declared_by(&self, unit: DieId, name: &str) -> Option<Variable> {
        let found = self.find(NameKind::Variable, name).filter(|id| !self.is_in_function(*id));
        let mut found = found.filter(|id| self.qualified(*id).is_some_and(|qualified| same_name(&qualified, name)));
        let is_of_unit = |id: DieId| self.unit_of(id).and_then(|entry| entry.root()) == Some(unit);
        found.find(|id| is_of_unit(*id) && !is_defined(self, *id) && is_external(self, *id)).and_then(|id| {
            let mut variable = self.variable_as_declared(id, 0)?;
            variable.name = name.to_owned();
            Some(variable)
        })
    }

    /// Returns whether a variable is what a DIE declares.
    pub(crate) fn completes(&self, variable: DieId, declaration: DieId) -> bool {
        if variable == declaration {
            return true;
        }
        let declared = self.die(variable).and_then(|(entry, _, die)| origin(self, entry, &die));
        declared.is_some_and(|own| own == declaration || self.is_in_stand_in(own, declaration))
    }

    /// Returns whether a member is declared by the stand-in of a class in the unit that uses it, and is the same as the
    /// other one, which the class has in a type unit: the stand-in has the signature of that.
    fn is_in_stand_in(&self, member: DieId, other: DieId) -> bool {
        let class_of = |die| dies_around(self, die)?.first().copied();
        let described = || {
            let (entry, _, stand_in) = self.die(class_of(member)?)?;
            self.referenced(entry, &stand_in, gimli::DW_AT_signature)
        };
        inherited_name(self, member) == inherited_name(self, other)
            && described().is_some_and(|class| class_of(other) == Some(class))
    }

    /// Returns whether a variable is only declared.
    pub(crate) fn is_only_declared(&self, id: DieId) -> bool {
        !is_defined(self, id)
    }

    /// Returns what the linker calls a variable that other units can name.
    pub(crate) fn linkage_name(&self, id: DieId) -> Option<String> {
        let text = |name| inherited(self, id, name).and_then(|name| self.string(name.unit, name.value));
        if self.is_of_nameless_function(id) {
            return self.symbol_of_static(id).map(|symbol| symbol.name);
        }
        if let Some(name) = text(gimli::DW_AT_linkage_name) {
            return Some(name.to_owned());
        }
        let name = text(gimli::DW_AT_name)?;
        self.qualified(id).is_none_or(|qualified| qualified == name).then(|| name.to_owned())
    }

    /// Finds the symbol by which other units can name a variable that is only declared.
    pub(crate) fn symbol_of(&self, id: DieId) -> Option<Symbol> {
        let linkage = self.linkage_name(id);
        let found = match &linkage {
            Some(name) => self.symbols.symbols_spelled(name),
            None => {
                let name = self.qualified(id)?;
                self.symbols.symbols_named(&name).into_iter().filter(|symbol| symbol.display == name).collect()
            }
        };
        let data: Vec<Symbol> = found.into_iter().filter(|symbol| !symbol.is_code && symbol.address.0 != 0).collect();
        // Linkers make what is hidden local, and then it looks like a static, of which another unit may have one.
        let is_alone = || {
            data.iter().all(|symbol| Some(symbol.address) == data.first().map(|first| first.address))
                && !linkage.is_some_and(|name| self.symbols.imports(&name))
        };
        // A static that the optimiser has left nothing of has the linker's name of another unit's.
        let is_own = |symbol: &Symbol| is_external(self, id) || !self.is_of_other_unit(id, symbol);
        let found = data.iter().find(|symbol| !symbol.is_local).or_else(|| data.first().filter(|_| is_alone()));
        found.filter(|symbol| is_own(symbol)).cloned()
    }

    /// Returns whether another unit than that of a variable says that a variable of the name is where a symbol is.
    fn is_of_other_unit(&self, variable: DieId, symbol: &Symbol) -> bool {
        let unit = |id: DieId| self.unit_of(id).and_then(|unit| unit.root());
        let Some(name) = self.qualified(variable) else { return false };
        self.find(NameKind::Variable, &name)
            .any(|other| unit(other) != unit(variable) && self.address_of_static(other) == Some(symbol.address))
    }
}

/// Returns whether a DIE says where its variable is, or what it always is, rather than only that it exists.
fn is_defined(debug: &Types<'_>, id: DieId) -> bool {
    debug.die(id).is_some_and(|(_, _, die)| {
        !is_flag_set(&die, gimli::DW_AT_declaration)
            || die.has_attr(gimli::DW_AT_location)
            || die.has_attr(gimli::DW_AT_const_value) && is_lasting_value(debug, id)
    })
}

fn matches(file: &SourcePath, wanted: &str) -> bool {
    file.name == wanted || ends_with(&file.path, wanted)
}
