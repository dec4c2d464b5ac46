//! What a name means in the scopes around the code: in a method, in its class and the bases of that, then in what is
//! around the class.

use super::members::declares;
use super::{Named, Names, Outside, Standing, is_constructor, simple};
use crate::module::Loaded;
use base::qualified::{QualifiedName, same_name};
use ctype::Dialect;
use ctype::layout::strip;
use dwarf::AroundClass;
use expr::Name;

/// What the nearest scope has that has something of a name.
pub(super) enum Around<M> {
    /// A variable or function.
    Value(Outside<M>),
    /// A type or an enumerator, which hides what is further out.
    Hidden,
}

/// The members of `*this` that a name may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those of the class of the method, or of the closure of a lambda.
    Own,
    /// Those of the object that a lambda has captured, too.
    Captured,
}

impl<M: Loaded> Names<M> {
    /// Returns whether a name means a type or an enumerator of a scope around the code.
    pub(super) fn is_hidden(&self, name: &Name) -> bool {
        let whole = self.whole(name);
        matches!(self.around(whole.as_ref().unwrap_or(name)), Some(Around::Hidden))
    }

    /// Returns the members of `*this` that a name may mean; `None` if it means no member. What the function around a lambda
    /// declares hides the members of the object that the lambda has captured.
    pub fn reach(&self, name: &Name, this: &dwarf::Variable) -> Option<Reach> {
        if self.hides_members(name) {
            return None;
        }
        let home = self.home.as_ref().filter(|_| self.dialect == Dialect::Cxx && simple(name).is_some());
        if home.is_none_or(|(module, _)| self.around_class(module, name).is_none()) {
            return Some(Reach::Captured);
        }
        // GCC has what a lambda has captured as a variable, where methods have a parameter.
        this.is_argument.then_some(Reach::Own)
    }

    /// Looks up what a name means in the scopes around the code.
    pub(super) fn around(&self, name: &Name) -> Option<Around<M>> {
        let (module, _) = self.home.clone()?;
        if let Some(parameter) = self.template_value(name) {
            let named = Named::Variable(parameter);
            return Some(Around::Value(Outside { named, module, standing: Standing::Around }));
        }
        let is_bare = simple(name).is_some() && self.dialect == Dialect::Rust;
        if let Some(own) = is_bare.then(|| self.rust_static(&module, name)).flatten() {
            let named = Named::Variable(own);
            return Some(Around::Value(Outside { named, module, standing: Standing::Around }));
        }
        let candidates = self.candidates(name);
        let hiding = self.hiding(&module, &name.qualified(), &candidates);
        let outer = simple(name).and_then(|own| self.before_outer_functions(&candidates, own));
        let mut behind = None;
        for (number, (whole, standing)) in candidates.iter().enumerate() {
            if outer == Some(number)
                && let Some(found) = self.around_class(&module, name)
            {
                return Some(found);
            }
            let named = self.variable_in(&module, whole).filter(|_| !is_bare).map(Named::Variable);
            let named = named.or_else(|| self.function_in(&module, name, whole).map(Named::Function));
            if let Some(named) = named {
                let found = Outside { named, module: module.clone(), standing: *standing };
                match behind.is_none() && self.is_perhaps_behind(&found, whole) {
                    true => behind = Some(found),
                    false => return Some(self.nearer_of(behind, Around::Value(found))),
                }
            }
            if hiding == Some(number) {
                return Some(self.nearer_of(behind, Around::Hidden));
            }
        }
        let behind = behind?;
        let is_further_out = self.enumerator_of_unit(&name.qualified()).is_some()
            || self.beyond(name).first().is_some_and(|found| found.standing <= Standing::Program);
        match is_further_out && self.is_surely_behind(&behind) {
            true => None,
            false if is_further_out => Some(Around::Value(perhaps_later(behind))),
            false => Some(Around::Value(behind)),
        }
    }

    /// Returns whether a variable of a namespace is defined on a later line than the code.
    fn is_perhaps_behind(&self, found: &Outside<M>, whole: &str) -> bool {
        let Named::Variable(variable) = &found.named else { return false };
        let Some((home, pc)) = self.home.as_ref().filter(|_| self.dialect == Dialect::Cxx) else { return false };
        let scope = QualifiedName::split(whole).scope().map(str::to_owned).unwrap_or_default();
        let is_class = || {
            let classes = self.classes_around();
            classes
                .iter()
                .any(|(class, bases)| same_name(class, &scope) || bases.iter().any(|base| same_name(base, &scope)))
        };
        !variable.of_function
            && found.standing == Standing::Around
            && home.image().is_declared_later(variable.die, *pc, self.level) != Some(false)
            && !is_class()
    }

    /// Returns whether a variable of a namespace is declared on a later line than the code, and nowhere before.
    fn is_surely_behind(&self, found: &Outside<M>) -> bool {
        let Named::Variable(variable) = &found.named else { return false };
        let home = self.home.as_ref();
        home.is_some_and(|(home, pc)| home.image().is_declared_later(variable.die, *pc, self.level) == Some(true))
    }

    /// Returns what a name means that something further out has, too, than what may be declared behind the code.
    fn nearer_of(&self, behind: Option<Outside<M>>, further_out: Around<M>) -> Around<M> {
        match behind {
            Some(behind) if !self.is_surely_behind(&behind) => Around::Value(perhaps_later(behind)),
            Some(_) | None => further_out,
        }
    }

    /// Looks up what the functions around the class of the code declare by a name.
    fn around_class(&self, module: &M, name: &Name) -> Option<Around<M>> {
        let value = |named| Around::Value(Outside { named, module: module.clone(), standing: Standing::Around });
        match module.image().declared_around_class(self.function?, simple(name)?)? {
            AroundClass::Variable(variable) => Some(value(Named::Variable(*variable))),
            AroundClass::Type => Some(Around::Hidden),
            AroundClass::Imported(whole) => {
                let variable = self.variable_in(module, &whole).map(Named::Variable);
                variable.or_else(|| self.function_in(module, name, &whole).map(Named::Function)).map(value)
            }
        }
    }

    /// Returns which of the candidates is the first that a type or an enumerator is. Those of the function itself are in
    /// blocks, of which it matters which are around the code.
    fn hiding(&self, module: &M, qualified: &str, candidates: &[(String, Standing)]) -> Option<usize> {
        let unit = self.unit.filter(|_| self.dialect == Dialect::Cxx)?;
        let of_blocks = |whole: &str| {
            let own = self.scopes.first().and_then(|function| whole.strip_prefix(function.as_str()));
            own.and_then(|own| own.strip_prefix("::")).is_some_and(|own| own == qualified)
        };
        let is_near =
            |(_, (whole, standing)): &(usize, &(String, Standing))| *standing == Standing::Around && !of_blocks(whole);
        let near: Vec<_> = candidates.iter().enumerate().filter(is_near).collect();
        let names: Vec<&str> = near.iter().map(|(_, (whole, _))| whole.as_str()).collect();
        let found = module.image().nearest_of_unit(unit, &names).and_then(|found| near.get(found));
        let named = found.map(|(number, _)| *number);
        named.into_iter().chain(self.hiding_of_class(qualified, candidates)).min()
    }

    /// Returns which of the candidates is the first that the class of the code comes before, if that itself has a type or
    /// an enumerator of the name: of a class of a function, debug info may not have that around it.
    fn hiding_of_class(&self, qualified: &str, candidates: &[(String, Standing)]) -> Option<usize> {
        let function = self.scopes.first().filter(|_| !qualified.contains("::"))?;
        let is_of_function =
            |whole: &String| whole.strip_prefix(function.as_str()).is_some_and(|rest| rest.starts_with("::"));
        let (_, class) = self.own_classes().into_iter().next()?;
        let has = declares(&strip(&class), qualified);
        has.then(|| candidates.iter().position(|(whole, _)| !is_of_function(whole))).flatten()
    }

    fn variable_in(&self, module: &M, whole: &str) -> Option<dwarf::Variable> {
        let mut found = module.image().globals_named(None, whole);
        found.retain(|v| same_name(&v.name, whole) && self.is_in_scope(module, v));
        // Other units have anonymous namespaces, too.
        found.sort_by_cached_key(|v| !self.is_of_unit(module, v.die, v.file.as_deref()));
        // Each unit has a copy of what a header has, of which the linker leaves one, or each has its own.
        let image = module.image();
        let is_own = |v: &dwarf::Variable| self.unit.is_some() && image.unit_of(v.die) == self.unit;
        if found.iter().any(is_own) {
            found.retain(is_own);
        }
        let mut found = found.into_iter();
        let Some(mut variable) = found.next() else { return self.union_member(whole) };
        let is_other = |v: &dwarf::Variable| v.of_function && !image.is_one_static(v.die, variable.die);
        let is_several = variable.of_function && found.any(|v| is_other(&v));
        if is_several {
            variable.visible = dwarf::Visible::Unclear;
        }
        Some(variable)
    }

    fn function_in(&self, module: &M, name: &Name, whole: &str) -> Option<dwarf::Function> {
        let mut found = module.image().functions_named(whole);
        found.sort_by_cached_key(|f| f.die.is_none_or(|die| !self.is_of_unit(module, die, f.file.as_deref())));
        found.into_iter().find(|function| {
            same_name(QualifiedName::split(&function.name).path(), whole) && !is_constructor(&function.name, name)
        })
    }

    /// Returns whether a variable of a scope around the code may be meant without that scope. Static ones of the function
    /// itself are among the locals, but for those that debug info has in a function without a name.
    fn is_in_scope(&self, module: &M, variable: &dwarf::Variable) -> bool {
        let here = || {
            let (home, pc) = self.home.as_ref()?;
            home.image().inline_chain(*pc).get(self.level)?.line
        };
        let is_declared = || variable.line.zip(here()).is_none_or(|(line, here)| line <= here);
        !variable.of_function || module.image().is_of_nameless_function(variable.die) && is_declared()
    }
}

/// Marks a variable of a namespace that may be declared behind the code.
fn perhaps_later<M>(found: Outside<M>) -> Outside<M> {
    match found.named {
        Named::Variable(variable) => {
            let variable = dwarf::Variable { visible: dwarf::Visible::PerhapsLater, ..variable };
            Outside { named: Named::Variable(variable), ..found }
        }
        named => Outside { named, ..found },
    }
}
