//! The entries of functions, as catchpoints have them.

use super::{CodePlaces, Collected};
use crate::module::{self, Loaded};

/// Most modules beside the C library that have functions of one name, all of which are caught.
const MAX_COPIES: usize = 64;

/// Finds the entries of functions: of each list, those of the first name that a module has.
pub(super) fn of_entries<M: Loaded>(modules: &[M], functions: &[Vec<String>]) -> CodePlaces {
    let mut found = Collected::default();
    for (names, (number, module)) in functions.iter().flat_map(|names| module::user(modules).map(move |m| (names, m))) {
        let entries = names.iter().map(|name| {
            let symbols = module.image().symbols_named(name).into_iter().filter(|s| s.is_code && s.address.0 != 0);
            // `std::ostream::write(char const*, long)` is no entry of `write`.
            let symbols = symbols.filter(|s| !s.display.contains('('));
            symbols.map(|s| s.address).collect::<Vec<_>>()
        });
        for address in entries.into_iter().find(|found| !found.is_empty()).into_iter().flatten().take(MAX_COPIES) {
            found.0.insert((number, address), 0);
        }
    }
    for name in functions.iter().flatten() {
        found.0.extend(module::replacing(modules, name).into_iter().map(|at| (at, 0)));
    }
    CodePlaces { all: found.places(), note: None }
}
