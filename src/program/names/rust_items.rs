//! Which static a bare name of Rust means: one of a function around the code, or of the module that the code is in. Those
//! of other modules have a bare name only where a `use` gives them one, which debug info does not tell.

use super::{Names, simple};
use crate::module::Loaded;
use base::qualified::{QualifiedName, bare};
use ctype::Dialect;
use dwarf::{Image, Variable, Visible};
use expr::Name;

/// Most statics that a refusal names.
const MOST_NAMED: usize = 5;

impl<M: Loaded> Names<M> {
    /// Finds the static that a name means in the scopes around code of Rust.
    pub(super) fn rust_static(&self, module: &M, name: &Name) -> Option<Variable> {
        let simple = simple(name)?;
        let own = self.module_name();
        let within = self.scopes.iter().position(|scope| Some(scope.as_str()) == own);
        let bodies = self.scopes.get(..within.unwrap_or(self.scopes.len())).unwrap_or_default();
        let image = module.image();
        let in_scope = |scope: &str| {
            let whole = format!("{scope}::{simple}");
            let mut found = image.globals_named(None, &whole);
            found.retain(|variable| variable.name == whole);
            found
        };
        let in_module = || own.map(in_scope).unwrap_or_default();
        for (number, scope) in bodies.iter().enumerate() {
            let mut found = in_scope(scope);
            if found.is_empty() && number == 0 {
                found = self.of_method(module, simple);
            }
            if found.is_empty() {
                continue;
            }
            let mut variable = self.declared_before(module, found)?;
            // In which block it is, is not told: what is around the function may be meant.
            let is_later = self.is_declared_later(module, &variable);
            if is_later && !in_module().is_empty() {
                variable.visible = Visible::Unclear;
            }
            return Some(variable);
        }
        in_module().into_iter().next()
    }

    /// Finds the statics that the method of the code declares: debug info has them in an `impl` that it says nothing else
    /// of, and their linkage names have the method.
    fn of_method(&self, module: &M, simple: &str) -> Vec<Variable> {
        let Some(method) = self.scopes.first() else { return Vec::new() };
        let found = module.image().globals_named(None, simple).into_iter();
        let with_path = |variable: Variable| {
            let is_in_impl = QualifiedName::split(&variable.name).scopes().iter().any(|s| s.text.starts_with("{impl#"));
            let path = module.image().linkage_path(variable.die).filter(|_| is_in_impl)?;
            Some((path.strip_suffix(simple)?.strip_suffix("::")?.to_owned(), variable))
        };
        let all: Vec<(String, Variable)> = found.filter_map(with_path).collect();
        let plain = |path: &str| -> Vec<String> {
            QualifiedName::split(path).components().iter().map(|part| bare(part.text).to_owned()).collect()
        };
        let is_exact = all.iter().any(|(path, _)| path == method);
        let is_it = |path: &str| if is_exact { path == method } else { plain(path) == plain(method) };
        all.into_iter().filter(|(path, _)| is_it(path)).map(|(_, variable)| variable).collect()
    }

    /// Returns which of the statics of one function is declared before the code: in which block each is, is not told.
    fn declared_before(&self, module: &M, mut found: Vec<Variable>) -> Option<Variable> {
        let first = found.first()?.die;
        if found.iter().all(|variable| variable.die == first || module.image().is_one_static(variable.die, first)) {
            return found.into_iter().next();
        }
        let before = found.iter().filter(|variable| !self.is_declared_later(module, variable)).count();
        let several = found.first().cloned().map(|variable| Variable { visible: Visible::Unclear, ..variable });
        found.retain(|variable| !self.is_declared_later(module, variable));
        if before == 1 { found.into_iter().next() } else { several }
    }

    fn is_declared_later(&self, module: &M, variable: &Variable) -> bool {
        let here = self.home.as_ref().and_then(|(home, pc)| home.image().own_line(*pc, self.level));
        self.is_of_file(module, variable.file.as_deref())
            && variable.line.zip(here).is_some_and(|(line, here)| line > here)
    }

    /// Returns why it is not told which static of other modules of the crate a bare name of Rust means, if several have
    /// one.
    pub(super) fn unclear_item(&self, name: &Name) -> Option<String> {
        let simple = simple(name).filter(|_| self.dialect == Dialect::Rust)?;
        let (home, _) = self.home.as_ref()?;
        if self.around(name).is_some() {
            return None;
        }
        let image = home.image();
        let mut found = image.globals_named(None, simple);
        found.retain(|variable| !self.is_foreign(variable, name));
        if found.iter().any(|variable| !is_of_body(image, variable)) {
            found.retain(|variable| !is_of_body(image, variable));
        }
        let mut paths: Vec<String> = found.iter().map(|variable| in_crate(&variable.name)).collect();
        paths.sort();
        paths.dedup();
        let (shown, more) = paths.split_at(paths.len().min(MOST_NAMED));
        let more = if more.is_empty() { String::new() } else { format!(" or {} more", more.len()) };
        (paths.len() > 1).then(|| {
            format!(
                "debug info does not tell which item a `use` brings here, and several have the name; write {}{more}",
                shown.join(" or ")
            )
        })
    }
}

/// Returns whether a static of Rust is in the body of a function.
pub(super) fn is_of_body(image: &Image, variable: &Variable) -> bool {
    let scope = QualifiedName::split(&variable.name).scopes().iter().map(|part| part.text).collect::<Vec<_>>();
    scope.iter().any(|part| part.starts_with('{'))
        || !scope.is_empty() && !image.functions_meant(&scope.join("::")).is_empty()
}

/// Returns a path of Rust with `crate` for the crate.
fn in_crate(path: &str) -> String {
    match path.split_once("::") {
        Some((_, rest)) => ["crate", rest].join("::"),
        None => path.to_owned(),
    }
}
