//! The places of functions: where they have code of their own, and where they are inlined.

use super::levels::level_at;
use super::rust_library::{OfRust, is_of_rusts_library, leave_out};
use super::{CodePlaces, Collected, Location, joined};
use crate::module::{self, Loaded, Role, is_in_file};
use arch::LinkAddr;
use base::qualified::QualifiedName;
use dwarf::{DieId, Function, Image};
use std::collections::{BTreeMap, BTreeSet};

/// Functions of the C library that may be one piece of code, so that no call says which of them was meant.
const SHARED: [&str; 2] = ["memcpy", "memmove"];

/// The functions and labels that a name has in one module.
pub struct FunctionsNamed {
    /// The functions that have code of their own.
    pub functions: Vec<Function>,
    /// Those that an indirect function of the name can choose when the program is loaded: one of them.
    pub choices: Vec<Function>,
    /// Parts that the compiler has split off functions of the name: a call begins elsewhere.
    split_off: Vec<Function>,
    /// Labels of assembler code, where nothing else has the name.
    pub labels: Vec<LinkAddr>,
    /// A note for the user about the choice.
    pub note: Option<String>,
}

/// Finds the functions of a name in one module, of a source file if one is given.
pub fn functions_named(image: &Image, name: &str, file: Option<&str>) -> FunctionsNamed {
    let callees = image.callees_named(name);
    let mut note = callees.note(name);
    let (mut functions, mut choices, mut labels) = (callees.functions, callees.choices, Vec::new());
    if functions.is_empty() && choices.is_empty() {
        let symbols = image.symbols_named(name).into_iter().filter(|symbol| symbol.address.0 != 0);
        let (code, others): (Vec<_>, Vec<_>) = symbols.partition(|symbol| symbol.is_code);
        functions = code.iter().filter_map(|symbol| image.function_at(symbol.address)).collect();
        if functions.is_empty() && file.is_none() {
            labels = others.iter().filter(|symbol| symbol.is_label).map(|symbol| symbol.address).collect();
        }
    }
    let is_there = |function: &Function| file.is_none_or(|file| is_in_file(image, function, file));
    functions.retain(is_there);
    choices.retain(is_there);
    for other in SHARED.into_iter().filter(|other| SHARED.contains(&name) && *other != name) {
        let same = image.callees_named(other).choices;
        if choices.iter().any(|choice| same.iter().any(|known| known.entry == choice.entry)) {
            note = joined(
                note,
                Some(format!("`{name}` is the same code as `{other}` here: calls by either name are listed")),
            );
        }
    }
    let (split_off, functions) = functions.into_iter().partition(|function| image.is_outlined(function));
    FunctionsNamed { functions, choices, split_off, labels, note }
}

/// Returns the names that functions of a module have which a name means that begins with another name of a namespace;
/// that itself, if anything has it.
pub fn without_aliases(image: &Image, name: &str) -> BTreeSet<String> {
    let callees = || image.callees_named(name);
    let is_known = || !callees().functions.is_empty() || !image.inlined_copies(name).is_empty();
    let meant = if name.contains("::") && !is_known() { image.without_aliases(name) } else { BTreeSet::new() };
    if meant.is_empty() { BTreeSet::from([name.to_owned()]) } else { meant }
}

/// Finds the places of the functions of a name.
pub(super) fn of_function<M: Loaded>(modules: &[M], name: &str, file: Option<&str>) -> CodePlaces {
    let mut found = Collected::default();
    let (mut in_pieces, mut note, mut of_rust) = (0, None, OfRust::new());
    for (number, module) in module::user(modules) {
        for name in without_aliases(module.image(), name) {
            let added = add_functions(&mut found, number, module, &name, file);
            in_pieces += added.in_pieces;
            note = note.or(added.note);
            of_rust.extend(added.of_rust);
        }
    }
    if file.is_none() {
        found.0.extend(module::replacing(modules, name).into_iter().map(|at| (at, 0)));
        note = joined(note, leave_out(&mut found, &of_rust, modules, name));
    }
    if found.0.is_empty() && file.is_none() {
        let stubs = of_stubs(modules, name);
        return if stubs.all.is_empty() { of_rr(modules, name) } else { stubs };
    }
    CodePlaces { all: found.places(), note: joined(note, pieces_note(in_pieces)) }
}

/// Resolves a location that is a function, as far as it is known before the names of all modules have been read; `None`
/// if it is no sooner to be had than all of it, or if nothing is known.
pub fn find_early<M: Loaded>(location: &Location, modules: &[M]) -> Option<CodePlaces> {
    let Location::Function(name) = location else { return None };
    let early = module::user(modules).map(|(number, m)| (number, m, m.image().functions_by_symbol(name)));
    let early: Vec<_> = early.collect();
    if early.iter().all(|(_, _, known)| known.as_ref().is_none_or(Vec::is_empty)) {
        return None;
    }
    let reading: Vec<_> = early.iter().filter(|(_, _, known)| known.is_some()).map(|(_, m, _)| m.name()).collect();
    let note = format!("{}: where it is inlined is still being looked for", reading.join(", "));
    let (mut found, mut of_rust) = (Collected::default(), OfRust::new());
    for (number, module, known) in &early {
        match known {
            None => of_rust.extend(add_functions(&mut found, *number, *module, name, None).of_rust),
            Some(functions) => {
                let image = module.image();
                of_rust.extend(functions.iter().filter_map(|f| add_function(&mut found, *number, image, f, name)));
            }
        }
    }
    found.0.extend(module::replacing(modules, name).into_iter().map(|at| (at, 0)));
    let note = joined(Some(note), leave_out(&mut found, &of_rust, modules, name));
    Some(CodePlaces { all: found.places(), note })
}

/// Finds a function of rr's own code in the process, which is meant only if nothing else has the name.
fn of_rr<M: Loaded>(modules: &[M], name: &str) -> CodePlaces {
    let mut found = Collected::default();
    for (number, module) in modules.iter().enumerate().filter(|(_, module)| module.role() == Role::Rr) {
        add_functions(&mut found, number, module, name, None);
    }
    let note =
        (!found.0.is_empty()).then(|| "it is rr's own code, which answers system calls in the process".to_owned());
    CodePlaces { all: found.places(), note }
}

/// Finds where a function of a library that is not loaded yet is called through. When it is loaded, the function itself
/// is found.
fn of_stubs<M: Loaded>(modules: &[M], name: &str) -> CodePlaces {
    let mut found = Collected::default();
    let mut callers = BTreeSet::new();
    for (number, module) in module::user(modules) {
        for stub in module.image().stubs_named(name) {
            found.0.insert((number, stub.start), 0);
            callers.insert(module.name());
        }
    }
    let callers = callers.into_iter().collect::<Vec<_>>().join(", ");
    let note =
        format!("where {callers} calls it; once the library that has `{name}` is loaded, it is in the function itself");
    CodePlaces { note: (!found.0.is_empty()).then_some(note), all: found.places() }
}

/// Returns what to say of inlined copies that seem to begin at several locations.
fn pieces_note(copies: usize) -> Option<String> {
    let one = "an inlined copy of it begins at several addresses, as where a loop is unrolled";
    match copies {
        0 => None,
        1 => Some(format!("{one}: a call may hit more than one of them")),
        n => Some(format!(
            "{n} inlined copies of it begin at several addresses each, as where a loop is unrolled: a call may hit more than one of them"
        )),
    }
}

/// The effect of adding a module's functions of a name.
struct Added {
    /// How many inlined copies of them seem to begin at several locations.
    in_pieces: usize,
    note: Option<String>,
    /// Where those of Rust's own library are.
    of_rust: OfRust,
}

/// Adds a module's functions of a name.
fn add_functions<M: Loaded>(found: &mut Collected, number: usize, module: &M, name: &str, file: Option<&str>) -> Added {
    let image = module.image();
    let FunctionsNamed { functions, choices, split_off, labels, note } = functions_named(image, name, file);
    // A label has no prologue.
    found.0.extend(labels.into_iter().map(|label| ((number, label), 0)));
    let whole = [functions, choices].concat();
    let mut of_rust: OfRust = whole.iter().filter_map(|f| add_function(found, number, image, f, name)).collect();
    let mut places_of: BTreeMap<DieId, usize> = BTreeMap::new();
    if file.is_none() {
        for (address, copy) in image.inlined_copies(name) {
            found.0.insert((number, address), level_at(image, address, |f| f.die == Some(copy)));
            let own = image.inline_chain(address).into_iter().find(|f| f.die == Some(copy)).and_then(|f| f.file);
            if is_of_rusts_library(image, address, own.as_deref()) {
                of_rust.entry((number, address)).or_insert(false);
            }
            *places_of.entry(copy).or_default() += 1;
        }
    }
    if whole.is_empty() && places_of.is_empty() {
        of_rust.extend(split_off.iter().filter_map(|f| add_function(found, number, image, f, name)));
    }
    let in_pieces =
        places_of.into_iter().filter(|(copy, locations)| *locations > 1 && !image.tells_entry(*copy)).count();
    Added { in_pieces, note, of_rust }
}

/// Adds a function of a name. Returns where it is if it is one of Rust's own library, and whether it is no instance of
/// a generic one.
fn add_function(
    found: &mut Collected,
    number: usize,
    image: &Image,
    function: &Function,
    name: &str,
) -> Option<((usize, LinkAddr), bool)> {
    let address = image.after_prologue(function);
    found.0.insert((number, address), level_at(image, address, |f| !f.inlined));
    // What is exported under a name of its own goes by that.
    let is_named = function.linkage_name.as_deref() == Some(name);
    let is_of_rust = !is_named && is_of_rusts_library(image, function.entry, function.file.as_deref());
    is_of_rust.then(|| ((number, address), !QualifiedName::split(&function.name).path().ends_with('>')))
}
