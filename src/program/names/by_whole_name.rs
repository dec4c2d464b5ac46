//! A variable by its whole name, as classes name their static members.

use crate::dwarf::{DieId, Image, Variable};
use crate::qualified::{ANONYMOUS_NAMESPACE, same_name};

/// Finds the static member with a whole name. Units may each have one of the name in anonymous namespaces: then it is
/// what completes the declaration given, or else that of the unit given, and without one, none.
pub(crate) fn by_whole_name(image: &Image, unit: Option<DieId>, name: &str, declared: u64) -> Option<Variable> {
    let found = image.globals_named(None, name);
    let first = found.first()?;
    let is_whole = |variable: &&Variable| same_name(&variable.name, name);
    // Clang says of static members there, too, that others can name them.
    let is_shared = image.is_external(first.die) && !name.contains(ANONYMOUS_NAMESPACE);
    if is_shared || found.iter().filter(is_whole).count() < 2 {
        return found.into_iter().next();
    }
    if let Some(own) = found.iter().find(|variable| image.completes(variable.die, DieId(declared))) {
        return Some(own.clone());
    }
    found.into_iter().find(|variable| unit.is_some() && image.unit_of(variable.die) == unit)
}
