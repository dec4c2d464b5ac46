//! Names in languages that ignore case.

use super::{Names, simple};
use crate::module::Loaded;
use dwarf::{Image, NameSort};
use expr::Name;

/// Returns whether a language ignores case.
pub fn ignores_case(language: Option<&str>) -> bool {
    matches!(language, Some("fortran" | "ada" | "pascal"))
}

impl<M: Loaded> Names<M> {
    /// Returns a name as the compilers of languages that ignore case write it, if it is written otherwise. `locals`: the
    /// names of the locals of the code.
    pub fn without_case(&self, name: &Name, locals: impl FnOnce() -> Vec<String>) -> Option<Name> {
        let (home, at) = self.home.as_ref()?;
        let path: Vec<String> = match home.image().language_at(*at) {
            Some("fortran" | "ada") => name.path.iter().map(|part| part.to_lowercase()).collect(),
            Some("pascal") => vec![declared_in_pascal(name, home.image(), locals())?],
            _ => return None,
        };
        (path != name.path).then(|| Name { path, ..name.clone() })
    }
}

/// Returns how Pascal declares a name that may be written in another case: a local, a variable or a function. What is
/// declared just so comes first, as in GDB: a function has a local of its name, in capitals, for its result.
fn declared_in_pascal(name: &Name, image: &Image, locals: Vec<String>) -> Option<String> {
    let asked = simple(name)?;
    let variables = image.names_of(NameSort::Variable).into_iter().map(|(_, whole)| whole);
    let functions = image.functions_called(&mut |_| true).into_iter().map(|function| function.name);
    let known: Vec<String> = locals.into_iter().chain(variables).chain(functions).collect();
    let exact = known.iter().find(|known| *known == asked);
    exact.or_else(|| known.iter().find(|known| known.eq_ignore_ascii_case(asked))).cloned()
}
