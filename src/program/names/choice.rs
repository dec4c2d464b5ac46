//! Which of several things a name means, where that does not go without saying.

use super::{Named, Names, Outside, Standing, without_anonymous};
use crate::module::Loaded;
use expr::Name;
use std::collections::BTreeSet;

/// Most others that a note names.
const MOST_NAMED: usize = 3;

impl<M: Loaded> Names<M> {
    /// Returns which of several a name means, if that has to be said: what is around the code, or the only one in the
    /// program, goes without saying.
    pub fn choice(&self, name: &Name) -> Option<String> {
        let all = self.all_outside(name);
        let Some((chosen, rest)) = all.split_first() else {
            return self.foreign_enumerator(name).or_else(|| self.choice_of_enumerator(name));
        };
        let is_near = matches!(chosen.standing, Standing::Around | Standing::Unit);
        if is_near || self.is_nearer_enumerator(name, chosen) || self.is_nearer_type(name, chosen) {
            return None;
        }
        let is_other =
            |one: &&Outside<M>| (one.is_program() || one.module.is_same(&chosen.module)) && !chosen.is_the_same(one);
        let mut others: Vec<&Outside<M>> = Vec::new();
        for other in rest.iter().filter(is_other) {
            if !others.iter().any(|known| known.is_the_same(other)) {
                others.push(other);
            }
        }
        let is_home = self.is_home(&chosen.module);
        let goes_without_saying = chosen.standing == Standing::Imported
            || chosen.is_program() && !self.is_of_header(chosen)
            || is_home && !self.is_of_header(chosen)
            || chosen.standing == Standing::LibraryFunction;
        if others.is_empty() && goes_without_saying {
            return None;
        }
        let labels = |is_whole: bool| -> Vec<String> {
            std::iter::once(chosen).chain(others.iter().copied()).map(|one| one.label(name, is_whole)).collect()
        };
        let mut shown = labels(false);
        if shown.iter().collect::<BTreeSet<_>>().len() < shown.len() {
            shown = labels(true);
        }
        let (chosen, others) = shown.split_first()?;
        Some(sentence(&name.to_string(), chosen, others))
    }

    /// Returns whether something is what another unit has of a header that the code is of: the own unit has one like it,
    /// or had, until the compiler removed it.
    fn is_of_header(&self, one: &Outside<M>) -> bool {
        let file = match &one.named {
            Named::Variable(variable) => variable.file.as_deref(),
            Named::Function(function) => function.file.as_deref(),
            Named::Symbol(_) | Named::Stub(_) => None,
        };
        let is_of_others = matches!(one.standing, Standing::ProgramStatic | Standing::LibraryStatic);
        is_of_others && self.is_of_file(&one.module, file)
    }

    /// Returns a note on an enumerator of a library, where the code is of another module.
    fn foreign_enumerator(&self, name: &Name) -> Option<String> {
        let text = name.qualified();
        if name.file.is_some() || self.is_block_enumerator(name) || self.is_hidden(name) {
            return None;
        }
        if self.enumerator_of_unit(&text).is_some() {
            return None;
        }
        let scopes = self.scopes_for(&text);
        let modules = self.modules_for(&self.scopes);
        let module = modules.into_iter().find(|m| m.image().enumerator_in(&scopes, &text).is_some())?;
        let is_foreign = !module.is_program() && !self.is_home(module);
        is_foreign.then(|| format!("`{name}` is an enumerator in {}", module.name()))
    }
}

/// Says what a name means, and what else there is that it might.
pub(super) fn sentence(name: &str, chosen: &str, others: &[String]) -> String {
    match others {
        [] => format!("`{name}` is {chosen}"),
        few if few.len() <= MOST_NAMED => format!("`{name}` is {chosen}; there is also {}", few.join(", ")),
        many => {
            let few = many.get(..MOST_NAMED).unwrap_or_default().join(", ");
            format!("`{name}` is {chosen}; there is also {few} and {} more", many.len() - MOST_NAMED)
        }
    }
}

impl<M: Loaded> Outside<M> {
    /// Returns whether both are one thing, which several units describe; or overloads of a function, of which a value
    /// tells the parameters.
    fn is_the_same(&self, other: &Self) -> bool {
        let is_one = self.module.is_same(&other.module);
        match (&self.named, &other.named) {
            (Named::Variable(a), Named::Variable(b)) => {
                let image = self.module.image();
                let is_shared = || a.name == b.name && image.is_external(a.die) && image.is_external(b.die);
                let is_completed = || image.completes(a.die, b.die) || image.completes(b.die, a.die);
                is_one && (a.die == b.die || is_shared() || is_completed() || image.is_one_static(a.die, b.die))
            }
            // The dynamic linker gives one of them to all.
            (Named::Variable(variable), Named::Symbol(symbol)) => {
                let image = self.module.image();
                !symbol.is_local && image.linkage_name(variable.die).is_some_and(|name| name == symbol.name)
            }
            (Named::Function(a), Named::Function(b)) => a.name != b.name || (is_one && a.entry == b.entry),
            _ => false,
        }
    }

    /// Returns the name by which to name it so that nothing else is meant.
    fn label(&self, name: &Name, is_whole: bool) -> String {
        let image = self.module.image();
        let (die, whole) = match &self.named {
            Named::Variable(variable) => (Some(variable.die), without_anonymous(&variable.name)),
            Named::Function(function) => (function.die, name.qualified()),
            Named::Symbol(_) | Named::Stub(_) => (None, name.qualified()),
        };
        let file = die.and_then(|die| image.primary_file(die));
        let file = file.as_deref().map(|file| match is_whole {
            true => file,
            false => file.rsplit('/').next().unwrap_or(file),
        });
        let mut label = match file {
            // Its scopes tell which it is.
            Some(_) if whole != name.qualified() => whole,
            Some(file) => format!("'{file}'::{whole}"),
            None => whole,
        };
        if !self.is_program() {
            label += &format!(" in {}", self.module.name());
        }
        label
    }
}
