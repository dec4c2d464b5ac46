//! What names mean through aliases of namespaces, using-directives and using-declarations of C++, and paths of Rust.

use super::{Names, Standing};
use crate::module::Loaded;
use base::qualified::{QualifiedName, same_name};
use ctype::Dialect;
use dwarf::Imported;
use expr::Name;

impl<M: Loaded> Names<M> {
    /// Returns the name without aliases of namespaces, if it begins with one; in Rust, one that begins with `crate` and
    /// the like with what that is.
    pub(super) fn whole(&self, name: &Name) -> Option<Name> {
        if self.dialect == Dialect::Rust && name.file.is_none() && !name.global {
            return Some(Name { file: None, global: true, path: self.rust_path(&name.path)? });
        }
        let (home, pc) = self.home.as_ref().filter(|_| self.dialect == Dialect::Cxx && name.file.is_none())?;
        let scopes = if name.global { &[][..] } else { &*self.scopes };
        let by_typedef = || self.through_typedef(&name.path).filter(|_| !name.global);
        let path = home.image().without_alias(self.unit?, *pc, scopes, &name.path).or_else(by_typedef)?;
        Some(Name { file: None, global: true, path })
    }

    /// Does as [`Names::whole`] for a name that is text.
    pub(super) fn whole_text(&self, text: &str) -> Option<String> {
        let bare = text.strip_prefix("::").unwrap_or(text);
        let path: Vec<String> = QualifiedName::split(bare).components().iter().map(|c| c.name().to_owned()).collect();
        // Template arguments are no part of what is looked at.
        let is_plain = path.len() > 1 && path.join("::") == bare;
        let name = Name { file: None, global: bare.len() != text.len(), path };
        self.whole(&name).filter(|_| is_plain).map(|whole| whole.path.join("::"))
    }

    /// Returns what a name may mean in the scopes around the code, innermost first, with what is imported into them, and
    /// how near each is; nothing if the name says where it is.
    pub(super) fn candidates(&self, name: &Name) -> Vec<(String, Standing)> {
        if name.global || name.file.is_some() {
            return Vec::new();
        }
        let qualified = name.qualified();
        let of_c = self.function_of_c().map(|function| (format!("{function}::{qualified}"), Standing::Around));
        of_c.into_iter().chain(self.in_scopes(&name.path, &qualified)).collect()
    }

    /// Returns how many of the candidates come before what functions around the class of the code declare.
    pub(super) fn before_outer_functions(&self, candidates: &[(String, Standing)], qualified: &str) -> Option<usize> {
        let (home, _) = self.home.as_ref().filter(|_| self.dialect == Dialect::Cxx)?;
        let outer = home.image().function_around_class(self.function?)?;
        let is_inside = |scope: &str| scope.strip_prefix(outer.as_str()).is_some_and(|rest| rest.starts_with("::"));
        let own = self.scopes.first()?;
        let outside = self.scopes.iter().find(|scope| *scope != own && !is_inside(scope) && !of_own(scope, own))?;
        let first = format!("{outside}::{qualified}");
        candidates.iter().position(|(whole, _)| *whole == first)
    }

    /// Returns what a name may mean in the scopes around the code, innermost first: behind each class come its bases, and
    /// behind each scope, what is imported into it.
    fn in_scopes(&self, path: &[String], qualified: &str) -> Vec<(String, Standing)> {
        let imported = self.imported(path);
        let mut imported = imported.into_iter().peekable();
        let classes = self.classes_around();
        let mut all = Vec::new();
        for (number, scope) in self.scopes.iter().enumerate() {
            while let Some(nearer) = imported.next_if(|imported| imported.after <= number) {
                all.push((nearer.name, Standing::Around));
            }
            let bases = classes.iter().filter(|(class, _)| same_name(class, scope)).flat_map(|(_, bases)| bases);
            let scopes = std::iter::once(scope).chain(bases);
            all.extend(scopes.map(|scope| (format!("{scope}::{qualified}"), Standing::Around)));
        }
        let is_beside_globals = |one: &Imported| one.is_directive && one.after == self.scopes.len();
        let (seen, of_others): (Vec<_>, Vec<_>) = imported.partition(|one| one.after <= self.scopes.len());
        all.extend(seen.into_iter().map(|one| {
            let standing = if is_beside_globals(&one) { Standing::Imported } else { Standing::Around };
            (one.name, standing)
        }));
        // What `A` has itself is `A::x`, whatever directives bring there.
        all.extend((!of_others.is_empty()).then(|| (qualified.to_owned(), Standing::Around)));
        all.extend(of_others.into_iter().map(|one| (one.name, Standing::Around)));
        all
    }

    /// Returns the name of the function of the code in C, which has no other scopes.
    fn function_of_c(&self) -> Option<String> {
        let (home, pc) = self.home.as_ref().filter(|_| self.dialect == Dialect::C && self.scopes.is_empty())?;
        home.image().inline_chain(*pc).into_iter().nth(self.level).map(|function| function.name)
    }

    /// Returns what else a name may mean through the using-directives and using-declarations of C++ around the code, or
    /// what Fortran has for them.
    fn imported(&self, path: &[String]) -> Vec<Imported> {
        let Some((home, pc)) = self.home.as_ref().filter(|_| self.dialect != Dialect::Rust) else { return Vec::new() };
        let Some(unit) = self.unit else { return Vec::new() };
        home.image().imported(unit, self.function, *pc, &self.scopes, path)
    }

    /// Returns whether a using-declaration in a block around the code declares a name.
    pub(super) fn is_imported_into_block(&self, name: &Name) -> bool {
        let is_plain = name.file.is_none() && !name.global;
        is_plain && self.imported(&name.path).iter().any(|one| one.after == 0 && !one.is_directive)
    }

    /// Returns the scopes that a name of a type or an enumerator is looked for in: those around the code with their bases,
    /// and, between them, those from which it is imported.
    pub(super) fn scopes_for(&self, name: &str) -> Vec<String> {
        let scope = |(whole, _): (String, Standing)| Some(whole.strip_suffix(name)?.strip_suffix("::")?.to_owned());
        self.in_scopes(&components(name), name).into_iter().filter_map(scope).collect()
    }

    /// Returns the whole names of what `A::name` may mean where `A` has it from another namespace.
    pub(super) fn imported_into_others(&self, name: &str) -> Vec<String> {
        let imported = self.imported(&components(name)).into_iter();
        imported.filter(|imported| imported.after > self.scopes.len()).map(|imported| imported.name).collect()
    }
}

/// Returns whether a scope is what a function has without a name.
fn of_own(scope: &str, function: &str) -> bool {
    scope.strip_prefix(function).is_some_and(|rest| rest.starts_with("::"))
}

/// Returns the components of a name of a type, with the arguments of templates.
fn components(name: &str) -> Vec<String> {
    QualifiedName::split(name).components().iter().map(|part| part.text.to_owned()).collect()
}
