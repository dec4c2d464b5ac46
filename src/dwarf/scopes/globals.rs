//! Global and static variables by name.

use crate::arch::LinkAddr;
use crate::dwarf::model::code::SourcePath;
use crate::dwarf::model::die::DieId;
use crate::dwarf::model::variable::Variable;
use crate::dwarf::names::entry::NameKind;
use crate::dwarf::names::row::VTABLES;
use crate::dwarf::tasks::work::{Measure, READING};
use crate::dwarf::types::by_die::Types;
use crate::dwarf::units::attributes::{inherited, is_external, is_flag_set, unit_file};
use std::path::Path;

/// Most globals of a unit that are listed.
const MOST: usize = 1 << 14;

impl Types<'_> {
    /// Finds globals and file-scope statics with this (qualified or last-component) name; `function::name` finds a
    /// function's static; `'file.c'::name` is split by the caller into (`Some(file)`, name).
    ///
    /// A variable that is only declared counts if the image has a symbol for it. Those that have just
    /// this name come before those in scopes that it leaves out, then globals before statics; what the linker has
    /// removed comes behind.
    pub(in crate::dwarf) fn globals_named(&self, file: Option<&str>, name: &str) -> Vec<Variable> {
        let found: Vec<DieId> = self.find(NameKind::Variable, name).collect();
        let mut globals: Vec<Variable> =
            found.iter().filter(|id| is_defined(self, **id)).filter_map(|id| self.global(*id, file)).collect();
        if globals.is_empty() {
            // All declarations of a name mean the one symbol.
            let with_symbol = found.iter().filter(|id| self.has_symbol(**id));
            globals.extend(with_symbol.filter_map(|id| self.global(*id, file)).next());
        }
        let whole = name.strip_prefix("::").unwrap_or(name);
        let is_removed = |v: &Variable| self.is_removed_variable(v.die);
        globals.sort_by_cached_key(|v| (v.name != whole, is_removed(v), !is_external(self, v.die)));
        globals
    }

    /// Lists the globals and file-scope statics that the unit with the code at an address defines, as they come in it.
    pub(in crate::dwarf) fn globals_of_unit(&self, at: LinkAddr) -> Vec<Variable> {
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
            && !unit_file(self, id).is_some_and(|file| ends_with(Path::new(file), wanted))
        {
            return None;
        }
        if let Some(qualified) = self.qualified(id) {
            variable.name = qualified;
        }
        variable.of_function = self.is_in_function(id);
        Some(variable)
    }

    fn has_symbol(&self, id: DieId) -> bool {
        let name = inherited(self, id, gimli::DW_AT_linkage_name).or_else(|| inherited(self, id, gimli::DW_AT_name));
        let name = name.and_then(|name| self.string(name.unit, name.value));
        name.is_some_and(|name| self.symbols.symbols_named(name).iter().any(|symbol| !symbol.is_code))
    }
}

/// Returns whether a DIE says where its variable is, or what it always is, rather than only that it exists.
fn is_defined(debug: &Types<'_>, id: DieId) -> bool {
    debug.die(id).is_some_and(|(_, _, die)| {
        !is_flag_set(&die, gimli::DW_AT_declaration)
            || die.has_attr(gimli::DW_AT_location)
            || die.has_attr(gimli::DW_AT_const_value)
    })
}

fn matches(file: &SourcePath, wanted: &str) -> bool {
    file.name == wanted || ends_with(&file.path, wanted)
}

/// Returns whether the last components of a path are these.
fn ends_with(path: &Path, wanted: &str) -> bool {
    !wanted.is_empty() && path.ends_with(wanted)
}
