//! Variables at fixed places, and of threads: those of the module whose code is executed.

use super::program::Module;
use super::scope::Scope;
use crate::ctype::Value;
use crate::dwarf::Variable;
use crate::expr::{LookupError, Name};
use std::collections::BTreeSet;

/// Most variables that are named where one has to be chosen.
const MOST_NAMED: usize = 4;

impl Scope<'_> {
    /// Returns the value of the global that a name means here; `None` if this module has none of that name.
    pub(super) fn global(&mut self, name: &Name) -> Option<Result<Value, LookupError>> {
        let variable = self.global_variable(name)?;
        Some(variable.map(|variable| self.value_of(&variable)))
    }

    /// Returns the global that a name means here; `None` if this module has none of that name.
    pub(super) fn global_variable(&self, name: &Name) -> Option<Result<Variable, LookupError>> {
        // Where the globals of generated code are, the code does not say.
        let module = self.program.module(self.spot.module).filter(|_| self.spot.generated.is_none())?;
        self.global_named(module, name)
    }

    /// Finds the variable of a name. That of a scope around the code comes first, then one of its unit, then one that
    /// all units can name; else there must be but one.
    fn global_named(&self, module: &Module, name: &Name) -> Option<Result<Variable, LookupError>> {
        let image = &module.image;
        let qualified = name.qualified();
        let plain = |v: &Variable| v.name.replace("(anonymous namespace)::", "");
        let scopes = self.spot.scopes.iter().filter(|_| !name.global && name.file.is_none());
        for scope in scopes {
            let whole = format!("{scope}::{qualified}");
            let found = image.globals_named(None, &whole);
            if let Some(variable) = found.into_iter().find(|v| plain(v) == whole && !v.of_function) {
                return Some(Ok(variable));
            }
        }
        let mut found = image.globals_named(name.file.as_deref(), &qualified);
        // Others are in scopes that are not named.
        found.retain(|v| plain(v) == qualified && !v.of_function);
        let of_unit = |v: &&Variable| self.spot.unit.is_some() && image.unit_of(v.die) == self.spot.unit;
        let near = found.iter().find(of_unit).or_else(|| found.iter().find(|v| image.is_external(v.die)));
        if let Some(variable) = near {
            return Some(Ok(variable.clone()));
        }
        match found.as_slice() {
            [] => None,
            [one] => Some(Ok(one.clone())),
            several => {
                let files: BTreeSet<String> = several.iter().filter_map(|v| image.primary_file(v.die)).collect();
                let named: Vec<String> =
                    files.iter().take(MOST_NAMED).map(|file| format!("'{file}'::{qualified}")).collect();
                let why = format!("several units have a `{qualified}` of their own: write {}", named.join(" or "));
                Some(Err(LookupError::Failed(why)))
            }
        }
    }
}
