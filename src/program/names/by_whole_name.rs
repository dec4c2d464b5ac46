//! A variable by its whole name, as classes name their static members.

use super::{Named, Names, Outside, Standing};
use crate::module::Loaded;
use base::qualified::{ANONYMOUS_NAMESPACE, QualifiedName, same_name};
use dwarf::{DieId, Image, Variable};
use expr::Name;
use std::collections::BTreeSet;

impl<M: Loaded> Names<M> {
    /// Finds the static member with a whole name, and the module that has it: that of the code, else another one, where
    /// the code's own uses what it hides from others. `declared`: what it completes, as in [`by_whole_name`].
    pub fn static_member(&self, name: &str, declared: u64) -> Option<(Variable, M)> {
        let home = self.home.as_ref().map(|(home, _)| home);
        let own = home.and_then(|home| Some((by_whole_name(home.image(), self.unit, name, declared)?, home.clone())));
        if own.is_some() {
            return own;
        }
        let mut others = self.modules.iter().filter(|module| home.is_none_or(|home| !home.is_same(module)));
        let found = others.find_map(|module| Some((by_whole_name(module.image(), None, name, declared)?, module)));
        let (variable, module) = found?;
        let path = QualifiedName::split(name).components().iter().map(|part| part.text.to_owned()).collect();
        let outside = Outside { named: Named::Variable(variable), module: module.clone(), standing: Standing::Library };
        match self.bound(&Name { path, ..Name::default() }, outside) {
            Outside { named: Named::Variable(variable), module, .. } => Some((variable, module)),
            Outside { .. } => None,
        }
    }
}

/// Finds the static member with a whole name: what completes the declaration given. Another unit may complete it; then it is
/// the one of that name. Units may each have one of the name in anonymous namespaces, and instances of a template may have
/// one name: then it is that of the unit given, or if others can name them, none.
pub fn by_whole_name(image: &Image, unit: Option<DieId>, name: &str, declared: u64) -> Option<Variable> {
    let mut found = image.globals_named(None, name);
    if found.len() < 2 {
        return found.pop();
    }
    if let Some(own) = found.iter().find(|variable| image.completes(variable.die, DieId(declared))) {
        return Some(own.clone());
    }
    let is_whole = |variable: &Variable| same_name(&variable.name, name);
    let is_spelled_so = |variable: &Variable| variable.name == name;
    // Clang writes the type of a value among the arguments of a template.
    if found.iter().any(is_spelled_so) {
        found.retain(is_spelled_so);
    }
    let first = found.first()?;
    // Clang says of static members there, too, that others can name them.
    let is_shared = image.is_external(first.die) && !name.contains(ANONYMOUS_NAMESPACE);
    if is_shared {
        let symbols: BTreeSet<String> =
            found.iter().filter(|one| is_whole(one)).filter_map(|one| image.linkage_name(one.die)).collect();
        return if symbols.len() < 2 { found.into_iter().next() } else { None };
    }
    if found.iter().filter(|one| is_whole(one)).count() < 2 {
        return found.into_iter().next();
    }
    found.into_iter().find(|variable| unit.is_some() && image.unit_of(variable.die) == unit)
}
