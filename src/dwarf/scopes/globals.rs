//! Global and static variables by name.

use crate::dwarf::image::facade::Image;
use crate::dwarf::location::of_variable::inherited;
use crate::dwarf::model::code::SourcePath;
use crate::dwarf::model::die::DieId;
use crate::dwarf::model::variable::Variable;
use crate::dwarf::names::index::NameKind;
use crate::dwarf::scopes::variables::is_external;
use crate::dwarf::types::is_flag_set;
use crate::dwarf::units::collection::Debug;
use std::path::Path;

impl Image {
    /// Globals and file-scope statics with this (qualified or last-component) name; `function::name` finds a
    /// function's static; `'file.c'::name` is split by the caller into (`Some(file)`, name).
    ///
    /// A variable that is only declared counts if the image has a symbol for it. Those that have just
    /// this name come before those in scopes that it leaves out, then globals before statics; what the linker has
    /// removed comes behind.
    pub fn globals_named(&self, file: Option<&str>, name: &str) -> Vec<Variable> {
        self.with_debug(|debug| {
            let found: Vec<DieId> = debug.find(NameKind::Variable, name).collect();
            let mut globals: Vec<Variable> = found
                .iter()
                .filter(|id| is_defined(debug, **id))
                .filter_map(|id| self.global(debug, *id, file))
                .collect();
            if globals.is_empty() {
                // All declarations of a name mean the one symbol.
                let with_symbol = found.iter().filter(|id| self.has_symbol(debug, **id));
                globals.extend(with_symbol.filter_map(|id| self.global(debug, *id, file)).next());
            }
            let whole = name.strip_prefix("::").unwrap_or(name);
            let is_removed = |v: &Variable| self.is_removed_variable(debug, v.die);
            globals.sort_by_cached_key(|v| (v.name != whole, is_removed(v), !is_external(debug, v.die)));
            globals
        })
    }

    /// A variable with its qualified name; `None` if it is of another file.
    fn global(&self, debug: &Debug<'_>, id: DieId, file: Option<&str>) -> Option<Variable> {
        let mut variable = self.variable(debug, id, 0)?;
        if let Some(wanted) = file
            && !variable.file.as_ref().is_some_and(|file| matches(file, wanted))
            && !unit_file(debug, id).is_some_and(|file| ends_with(Path::new(file), wanted))
        {
            return None;
        }
        if let Some(qualified) = debug.qualified(id) {
            variable.name = qualified;
        }
        variable.of_function = debug.is_in_function(id);
        Some(variable)
    }

    fn has_symbol(&self, debug: &Debug<'_>, id: DieId) -> bool {
        let name = inherited(debug, id, gimli::DW_AT_linkage_name).or_else(|| inherited(debug, id, gimli::DW_AT_name));
        let name = name.and_then(|name| debug.string(name.unit, name.value));
        name.is_some_and(|name| self.symbols_named(name).iter().any(|symbol| !symbol.is_code))
    }
}

/// Whether a DIE says where its variable is, or what it always is, rather than only that it exists.
fn is_defined(debug: &Debug<'_>, id: DieId) -> bool {
    debug.die(id).is_some_and(|(_, _, die)| {
        !is_flag_set(&die, gimli::DW_AT_declaration)
            || die.has_attr(gimli::DW_AT_location)
            || die.has_attr(gimli::DW_AT_const_value)
    })
}

/// DW_AT_name of the unit that a DIE is in: its primary source file.
pub(in crate::dwarf) fn unit_file<'a>(debug: &Debug<'a>, id: DieId) -> Option<&'a str> {
    let unit = debug.unit_of(id)?.unit(debug)?;
    let root = unit.entry(unit.header.root_offset()).ok()?;
    debug.name(unit, &root)
}

fn matches(file: &SourcePath, wanted: &str) -> bool {
    file.name == wanted || ends_with(&file.path, wanted)
}

/// Whether the last components of a path are these.
fn ends_with(path: &Path, wanted: &str) -> bool {
    !wanted.is_empty() && path.ends_with(wanted)
}
