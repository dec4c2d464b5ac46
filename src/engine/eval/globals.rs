//! What a name means that no local has, as an expression at a stop sees it.

use crate::eval::expression::{Scope, ScopeEnv};
use crate::eval::inferior::Inferior;
use crate::modules::loaded::Module;
use ctype::Value;
use expr::Name;
use program::names::{self, Names, named_function};
use std::sync::Arc;

/// What a name means, or may mean.
pub(crate) type Outside = names::Outside<Arc<Module>>;

impl ScopeEnv<'_> {
    /// Returns where names are looked for that no local has.
    pub(crate) fn names(&mut self) -> Names<Arc<Module>> {
        let (scopes, unit, function) = (self.scopes(), self.unit(), self.function());
        let home = self.home.clone().map(|home| (home.clone(), home.link(self.pc())));
        let (modules, shared) = (self.modules(), self.shared_modules());
        let level = self.inline();
        Names { modules, home, dialect: self.dialect(), scopes, unit, function, level, shared }
    }

    /// Looks up what a name means that is no local.
    pub(crate) fn outside(&mut self, name: &Name) -> Option<Outside> {
        self.names().outside(name)
    }

    /// Returns all functions that a name means, where the nearest is: overloads of one function, if there are several.
    pub(crate) fn all_functions(&mut self, name: &Name) -> Vec<Value> {
        let Some((functions, module)) = self.names().all_functions(name) else { return Vec::new() };
        if self.local_named(name).is_some() {
            return Vec::new();
        }
        functions.iter().map(|function| named_function(function, &module.image, module.bias, name)).collect()
    }
}

impl Inferior {
    /// Notes whose variables and functions an expression names, where that does not go without saying. It may
    /// begin with a format.
    pub(crate) fn note_choices(&mut self, scope: Scope, text: &str) {
        let Ok(mut env) = ScopeEnv::new(self, scope) else { return };
        let plain = expr::split_format(text).map_or(text, |(_, plain)| plain);
        let Ok(parsed) = expr::parse_in(plain, &mut env) else { return };
        let hidden =
            |name: &String| format!("`{name}` is a macro that calls a function; the variable `{name}` was read");
        let mut told: Vec<String> = parsed.passed_over().iter().map(hidden).collect();
        for name in parsed.names() {
            let lower = env.without_case(name);
            // How it is declared is news only where case is kept.
            let declared = lower.as_ref().filter(|lower| lower.qualified() != name.qualified().to_lowercase());
            told.extend(declared.map(|declared| format!("`{name}` is `{declared}`")));
            told.extend(env.names().passed_over(name));
            let is_local = lower.as_ref().is_some_and(|lower| env.local_named(lower).is_some());
            if !is_local && env.local_named(name).is_none() && env.implicit_member(name).is_none() {
                told.extend(env.names().choice(name));
            }
        }
        told.extend(parsed.type_names().into_iter().filter_map(|(tag, name)| env.names().choice_of_type(tag, name)));
        if self.check_answers().is_err() {
            return;
        }
        for note in told {
            if !self.choices.contains(&note) {
                self.choices.push(note);
            }
        }
    }
}
