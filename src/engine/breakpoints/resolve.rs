//! Breakpoint locations: their spelling, and the addresses they mean in the modules that are loaded.

use crate::arch::{LinkAddr, RunAddr};
use crate::dwarf::{DieId, Function, Image, InlineFrame, LineMatch, SourcePath};
use crate::engine::api::BreakpointLocation;
use crate::engine::api::error::Error;
use crate::engine::breakpoints::by_regex::Pattern;
use crate::engine::breakpoints::by_text;
use crate::engine::breakpoints::spelling::Spelled;
use crate::engine::modules::loaded::{Module, Modules, Role};
use crate::engine::modules::similar::question;
use crate::engine::modules::sources::Sources;
use crate::qualified::QualifiedName;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most modules beside the C library that have functions of one name, all of which are caught.
const MAX_COPIES: usize = 64;

/// A parsed location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Location {
    /// `main`, `ns::f`, `operator new`
    Function(String),
    /// `file.c:func`, or `file.c: text` of a line
    FileFunction(String, String),
    /// `file.c:42`
    FileLine(String, u32),
    /// `42`, in the file of the selected frame.
    Line(u32),
    /// `*0x401136`, `*expression`
    Address(String),
    /// Functions by a regular expression.
    Matching(Pattern),
    /// Entries of functions: of each list, those of the first name that a module has.
    Entries(Vec<Vec<String>>),
}

impl From<Spelled> for Location {
    fn from(spelled: Spelled) -> Self {
        match spelled {
            Spelled::Function(name) => Self::Function(name),
            Spelled::FileFunction(file, name) => Self::FileFunction(file, name),
            Spelled::FileLine(file, line) => Self::FileLine(file, line),
            Spelled::Line(line) => Self::Line(line),
            Spelled::Address(text) => Self::Address(text),
        }
    }
}

impl Location {
    /// Returns whether it never has a place.
    pub(in crate::engine) fn is_nowhere(&self) -> bool {
        matches!(self, Self::Entries(functions) if functions.is_empty())
    }

    /// Reads a location as a user writes it.
    pub(in crate::engine) fn parse(text: &str) -> Result<Self, Error> {
        let bad = |reason| Error::BadLocation { text: text.to_owned(), reason };
        Spelled::parse(text).map(Self::from).map_err(bad)
    }
}

/// One place of a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct ResolvedAddress {
    pub(in crate::engine) public: BreakpointLocation,
    /// Which of the functions inlined there, counted from the innermost, the location means: a thread that stops here
    /// is shown outside of those further in, which all begin here.
    pub(in crate::engine) level: usize,
}

/// Where a location is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct ResolvedLocation {
    pub(in crate::engine) locations: Vec<ResolvedAddress>,
    /// What the user should know about the choice.
    pub(in crate::engine) note: Option<String>,
}

/// Resolves a location that is not given as an address. `current_file` is what a bare line number is in. Fails if it is
/// not clear which line is meant.
pub(in crate::engine) fn find(
    location: &Location,
    modules: &Modules,
    sources: &mut Sources,
    current_file: Option<&str>,
) -> Result<ResolvedLocation, Error> {
    let found = resolve(location, modules, current_file);
    let Location::FileFunction(file, text) = location else { return Ok(found) };
    if !found.locations.is_empty() {
        return Ok(found);
    }
    let Some(statement) = by_text::find(modules.user().map(|m| &*m.image), sources, file, text)? else {
        return Ok(found);
    };
    let mut found = of_line(modules, &statement.file, statement.line);
    let notes = [Some(statement.note()), found.note];
    found.note = Some(notes.into_iter().flatten().collect::<Vec<_>>().join("; "));
    Ok(found)
}

fn resolve(location: &Location, modules: &Modules, current_file: Option<&str>) -> ResolvedLocation {
    match location {
        Location::Function(name) => of_function(modules, name, None),
        Location::FileFunction(file, name) => of_function(modules, name, Some(file)),
        Location::FileLine(file, line) => of_line(modules, file, *line),
        Location::Line(line) => current_file.map(|file| of_line(modules, file, *line)).unwrap_or_default(),
        Location::Matching(pattern) => {
            let found = pattern.find(modules);
            ResolvedLocation { note: Some(found.note()), locations: found.locations }
        }
        Location::Entries(functions) => of_entries(modules, functions),
        Location::Address(_) => ResolvedLocation::default(),
    }
}

/// Resolves a location that is a function, as far as it is known before the names of all modules have been read; `None`
/// if it is no sooner to be had than all of it, or if nothing is known.
pub(in crate::engine) fn find_early(location: &Location, modules: &Modules) -> Option<ResolvedLocation> {
    let Location::Function(name) = location else { return None };
    let early: Vec<_> = modules.user().map(|module| (module, module.image.functions_by_symbol(name))).collect();
    if early.iter().all(|(_, known)| known.as_ref().is_none_or(Vec::is_empty)) {
        return None;
    }
    let reading: Vec<_> = early.iter().filter(|(_, known)| known.is_some()).map(|(module, _)| &*module.name).collect();
    let note = format!("{}: where it is inlined is still being looked for", reading.join(", "));
    let (mut found, mut of_rust) = (BTreeMap::new(), OfRust::new());
    for (module, known) in &early {
        match known {
            None => of_rust.extend(add_functions(&mut found, module, name, None).of_rust),
            Some(functions) => {
                of_rust.extend(functions.iter().filter_map(|f| add_function(&mut found, module, f, name)));
            }
        }
    }
    add_replacing(&mut found, modules, name);
    let note = joined(Some(note), leave_out(&mut found, &of_rust, modules, name));
    Some(ResolvedLocation { locations: found.into_values().collect(), note })
}

fn of_function(modules: &Modules, name: &str, file: Option<&str>) -> ResolvedLocation {
    let mut found = BTreeMap::new();
    let (mut in_pieces, mut note, mut of_rust) = (0, None, OfRust::new());
    for module in modules.user() {
        let added = add_functions(&mut found, module, name, file);
        in_pieces += added.in_pieces;
        note = note.or(added.note);
        of_rust.extend(added.of_rust);
    }
    if file.is_none() {
        add_replacing(&mut found, modules, name);
        note = joined(note, leave_out(&mut found, &of_rust, modules, name));
    }
    if found.is_empty() && file.is_none() {
        let stubs = of_stubs(modules, name);
        return if stubs.locations.is_empty() { of_rr(modules, name) } else { stubs };
    }
    ResolvedLocation { locations: found.into_values().collect(), note: joined(note, pieces_note(in_pieces)) }
}

/// Finds a function of rr's own code in the process, which is meant only if nothing else has the name.
fn of_rr(modules: &Modules, name: &str) -> ResolvedLocation {
    let mut found = BTreeMap::new();
    for module in modules.all().iter().filter(|module| module.role == Role::Rr) {
        add_functions(&mut found, module, name, None);
    }
    let note = (!found.is_empty()).then(|| "it is rr's own code, which answers system calls in the process".to_owned());
    ResolvedLocation { locations: found.into_values().collect(), note }
}

/// Finds where a function of a library that is not loaded yet is called through. When it is loaded, the function itself
/// is found.
fn of_stubs(modules: &Modules, name: &str) -> ResolvedLocation {
    let mut found = BTreeMap::new();
    let mut callers = BTreeSet::new();
    for module in modules.user() {
        for stub in module.image.stubs_named(name) {
            found.insert(
                stub.start.at(module.bias),
                ResolvedAddress { public: location_in(module, stub.start), level: 0 },
            );
            callers.insert(module.name.as_str());
        }
    }
    let callers = callers.into_iter().collect::<Vec<_>>().join(", ");
    let note =
        format!("where {callers} calls it; once the library that has `{name}` is loaded, it is in the function itself");
    ResolvedLocation { note: (!found.is_empty()).then_some(note), locations: found.into_values().collect() }
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

/// Where functions of Rust's own library are, and whether they are there by themselves: neither inlined nor instances
/// of generic ones.
type OfRust = BTreeMap<RunAddr, bool>;

/// What is to be known of a module's functions of a name.
struct Added {
    /// How many inlined copies of them seem to begin at several locations.
    in_pieces: usize,
    note: Option<String>,
    /// Where those of Rust's own library are.
    of_rust: OfRust,
}

/// Adds a module's functions of a name.
fn add_functions(
    found: &mut BTreeMap<RunAddr, ResolvedAddress>,
    module: &Arc<Module>,
    name: &str,
    file: Option<&str>,
) -> Added {
    let image = &module.image;
    let callees = image.callees_named(name);
    let note = callees.note(name);
    let mut functions = [callees.functions, callees.choices].concat();
    if functions.is_empty() {
        let (code, others): (Vec<_>, Vec<_>) = image.symbols_named(name).into_iter().partition(|s| s.is_code);
        functions = code.iter().filter(|s| s.address.0 != 0).filter_map(|s| image.function_at(s.address)).collect();
        if functions.is_empty() && file.is_none() {
            // A label has no prologue.
            for label in others.iter().filter(|s| s.is_label && s.address.0 != 0) {
                let place = ResolvedAddress { public: location_in(module, label.address), level: 0 };
                found.insert(label.address.at(module.bias), place);
            }
        }
    }
    functions.retain(|function| file.is_none_or(|file| module.is_in_file(function, file)));
    // A call has begun elsewhere when it comes to what was split off.
    let (split_off, whole): (Vec<_>, Vec<_>) = functions.into_iter().partition(|f| image.is_outlined(f));
    let mut of_rust: OfRust = whole.iter().filter_map(|function| add_function(found, module, function, name)).collect();
    let mut places_of: BTreeMap<DieId, usize> = BTreeMap::new();
    if file.is_none() {
        for (address, copy) in image.inlined_copies(name) {
            let at = address.at(module.bias);
            found.insert(at, resolved(module, address, |f| f.die == Some(copy)));
            let own = image.inline_chain(address).into_iter().find(|f| f.die == Some(copy)).and_then(|f| f.file);
            if is_of_rusts_library(module, address, own.as_deref()) {
                of_rust.entry(at).or_insert(false);
            }
            *places_of.entry(copy).or_default() += 1;
        }
    }
    if whole.is_empty() && places_of.is_empty() {
        of_rust.extend(split_off.iter().filter_map(|function| add_function(found, module, function, name)));
    }
    let in_pieces =
        places_of.into_iter().filter(|(copy, locations)| *locations > 1 && !image.tells_entry(*copy)).count();
    Added { in_pieces, note, of_rust }
}

/// Adds a function of a name. Returns where it is if it is one of Rust's own library, and whether it is no instance of
/// a generic one.
fn add_function(
    found: &mut BTreeMap<RunAddr, ResolvedAddress>,
    module: &Arc<Module>,
    function: &Function,
    name: &str,
) -> Option<(RunAddr, bool)> {
    let address = module.image.after_prologue(function);
    let at = address.at(module.bias);
    found.insert(at, resolved(module, address, |f| !f.inlined));
    // What is exported under a name of its own goes by that.
    let is_named = function.linkage_name.as_deref() == Some(name);
    let is_of_rust = !is_named && is_of_rusts_library(module, function.entry, function.file.as_deref());
    is_of_rust.then(|| (at, !QualifiedName::split(&function.name).path().ends_with('>')))
}

/// Returns whether the code at an address, of this source file, is of Rust's own library.
fn is_of_rusts_library(module: &Module, address: LinkAddr, file: Option<&SourcePath>) -> bool {
    file.is_some_and(|file| is_source_of_rusts_library(&file.path.to_string_lossy()))
        && module.image.language_at(address) == Some("rust")
}

/// Returns whether a path is one of the sources of Rust's own library, as it is built and as its sources are installed,
/// or of the crates that are built into it.
fn is_source_of_rusts_library(path: &str) -> bool {
    let built = path.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/'));
    built.is_some_and(|(_, rest)| rest.starts_with("library/"))
        || path.contains("/rustlib/src/rust/library/")
        || path.starts_with("/rust/deps/")
}

/// Leaves those of Rust's own library out that only go by the last part of their name, where anything else has that
/// name: `write` is the function of C, not `core::ptr::write` and hundreds of others. Where that is still to be loaded,
/// the few stay that are there by themselves, as in GDB. Returns what is to be said.
fn leave_out(
    found: &mut BTreeMap<RunAddr, ResolvedAddress>,
    of_rust: &OfRust,
    modules: &Modules,
    name: &str,
) -> Option<String> {
    if !QualifiedName::split(name).scopes().is_empty() {
        return None;
    }
    let has_others = of_rust.len() < found.len();
    let is_expected = || modules.user().any(|module| module.image.imports(name));
    let is_told = has_others || of_rust.values().any(|is_plain| *is_plain) && is_expected();
    if !is_told {
        return None;
    }
    let left: BTreeSet<RunAddr> =
        of_rust.iter().filter(|(_, is_plain)| has_others || !**is_plain).map(|(at, _)| *at).collect();
    let example = left.iter().find_map(|at| found.get(at)).and_then(|place| place.public.function.clone())?;
    found.retain(|at, _| !left.contains(at));
    let (many, s) = (left.len(), if left.len() == 1 { "" } else { "s" });
    let later =
        if has_others { String::new() } else { format!("; `{name}` of a library is found once that is loaded") };
    Some(format!(
        "{many} place{s} in functions of Rust's library are left out, such as {example}: name their scope{later}"
    ))
}

/// Adds what is called instead of the C library's function, if rr has its own version of it.
fn add_replacing(found: &mut BTreeMap<RunAddr, ResolvedAddress>, modules: &Modules, name: &str) {
    for (module, address) in modules.replacing(name) {
        found.insert(address.at(module.bias), ResolvedAddress { public: location_in(module, address), level: 0 });
    }
}

fn of_entries(modules: &Modules, functions: &[Vec<String>]) -> ResolvedLocation {
    let mut found = BTreeMap::new();
    for (names, module) in functions.iter().flat_map(|names| modules.user().map(move |module| (names, module))) {
        let entries = names.iter().map(|name| {
            let symbols = module.image.symbols_named(name).into_iter().filter(|s| s.is_code && s.address.0 != 0);
            // `std::ostream::write(char const*, long)` is no entry of `write`.
            let symbols = symbols.filter(|s| !s.display.contains('('));
            symbols.map(|s| s.address).collect::<Vec<_>>()
        });
        for address in entries.into_iter().find(|found| !found.is_empty()).into_iter().flatten().take(MAX_COPIES) {
            found.insert(address.at(module.bias), ResolvedAddress { public: location_in(module, address), level: 0 });
        }
    }
    functions.iter().flatten().for_each(|name| add_replacing(&mut found, modules, name));
    ResolvedLocation { locations: found.into_values().collect(), note: None }
}

fn of_line(modules: &Modules, file: &str, line: u32) -> ResolvedLocation {
    let matches: Vec<(Arc<Module>, LineMatch)> = modules
        .user()
        .flat_map(|m| m.image.addresses_of_line(file, line).into_iter().map(|found| (m.clone(), found)))
        .filter(|(_, found)| !found.addresses.is_empty())
        .collect();
    let Some(first) = matches.iter().map(|(_, m)| m.line).filter(|l| *l >= line).min() else {
        return ResolvedLocation::default();
    };
    let mut found = BTreeMap::new();
    for (module, lines) in matches.iter().filter(|(_, m)| m.line == first) {
        for address in &lines.addresses {
            found.insert(
                address.at(module.bias),
                at_level(module, *address, level_on_line(&module.image, *address, first, &lines.file)),
            );
        }
    }
    let locations: Vec<ResolvedAddress> = found.into_values().collect();
    let note = line_note(line, first, &locations);
    ResolvedLocation { locations, note }
}

/// Returns what to say if the locations are not in the line that was asked for. `bound`: the first line from there on
/// with code.
fn line_note(asked: u32, bound: u32, locations: &[ResolvedAddress]) -> Option<String> {
    let lines: BTreeSet<u32> = locations.iter().filter_map(|place| place.public.line).collect();
    let lines: Vec<String> = lines.into_iter().filter(|line| *line != asked).map(|line| line.to_string()).collect();
    let bound_to = match lines.as_slice() {
        [] => return None,
        [one] => format!("resolved to line {one}"),
        many => format!("resolved to lines {}", many.join(", ")),
    };
    Some(if bound == asked {
        format!("line {asked} begins a function, {bound_to}, behind its prologue")
    } else {
        format!("line {asked} has no place to stop at, {bound_to}")
    })
}

/// Returns which of the functions inlined at an address a line means: the innermost that is in the line there. Behind the
/// prologue of a function that the line begins, that may be none: then it is the function itself.
pub(crate) fn level_on_line(image: &Image, address: LinkAddr, line: u32, file: &SourcePath) -> usize {
    let is_there = |f: &InlineFrame| f.line == Some(line) && f.file.as_deref() == Some(file);
    if image.inline_chain(address).iter().any(is_there) {
        return level_at(image, address, is_there);
    }
    let function = image.function_at(address).filter(|f| image.after_prologue(f) == address);
    level_at(image, address, |f| function.is_some() && !f.inlined)
}

/// Returns which of the functions inlined at an address, of those that begin there and the one around them, is the
/// innermost that is asked for.
pub(crate) fn level_at(image: &Image, address: LinkAddr, is_asked: impl Fn(&InlineFrame) -> bool) -> usize {
    let chain = image.inline_chain(address);
    let beginning = chain.iter().take_while(|f| f.begins).count();
    chain.iter().take(beginning + 1).position(is_asked).unwrap_or(0)
}

/// Returns an address resolved, at the level of the innermost function there that is the one asked for.
pub(in crate::engine) fn resolved(
    module: &Module,
    address: LinkAddr,
    is_asked: impl Fn(&InlineFrame) -> bool,
) -> ResolvedAddress {
    at_level(module, address, level_at(&module.image, address, is_asked))
}

fn at_level(module: &Module, address: LinkAddr, level: usize) -> ResolvedAddress {
    let chain = module.image.inline_chain(address);
    let mut public = location_in(module, address);
    if let Some(caller) = chain.get(level).filter(|_| level > 0) {
        public.function = Some(caller.name.clone());
        public.file = caller.file.as_ref().map(|f| f.name.clone());
        public.fullname = caller.file.as_ref().map(|f| f.path.to_string_lossy().into_owned());
        public.line = caller.line;
    }
    ResolvedAddress { public, level }
}

/// Returns what is known about a breakpoint's address.
pub(in crate::engine) fn location_of(modules: &Modules, address: RunAddr) -> BreakpointLocation {
    match modules.at(address) {
        Some(module) => location_in(module, module.link(address)),
        None => BreakpointLocation { address, function: None, file: None, fullname: None, line: None },
    }
}

fn location_in(module: &Module, address: LinkAddr) -> BreakpointLocation {
    let row = module.image.line_at(address).filter(|r| r.line != 0);
    BreakpointLocation {
        address: address.at(module.bias),
        function: module.image.inline_chain(address).first().map(|f| f.name.clone()),
        file: row.as_ref().map(|r| r.file.name.clone()),
        fullname: row.as_ref().map(|r| r.file.path.to_string_lossy().into_owned()),
        line: row.map(|r| r.line),
    }
}

/// Returns what to say when nothing loaded has the location.
pub(in crate::engine) fn nothing_found(
    location: &Location,
    text: &str,
    modules: &Modules,
    current_file: Option<&str>,
) -> Error {
    let mut reason = why_nothing(location, modules, current_file);
    if let Location::Function(name) | Location::FileFunction(_, name) = location
        && let Some(question) = question(&modules.functions_near(name, true))
    {
        reason += &format!("; {question}");
    }
    Error::NoLocation { text: text.to_owned(), reason, later: !matches!(location, Location::Address(_)) }
}

/// Returns what is to be known of a breakpoint that waits for a module with its location.
pub(in crate::engine) fn pending(location: &Location, modules: &Modules, current_file: Option<&str>) -> String {
    format!("pending: {}", why_nothing(location, modules, current_file))
}

fn why_nothing(location: &Location, modules: &Modules, current_file: Option<&str>) -> String {
    let loaded: Vec<&str> = modules.user().map(|m| m.name.as_str()).collect();
    let loaded = if loaded.is_empty() { "any usable module".to_owned() } else { loaded.join(", ") };
    let without: Vec<&str> = modules.user().filter(|m| !m.image.has_debug_info()).map(|m| m.name.as_str()).collect();
    let mut reason = match location {
        Location::Function(name) => format!("no function `{name}` in {loaded}"),
        Location::FileFunction(file, name) => match known_files(modules, file) {
            0 => format!("no source file `{file}` in {loaded}"),
            _ => format!("no function `{name}` in a file `{file}`, and no line with this text"),
        },
        Location::Entries(functions) => {
            let names: Vec<&str> = functions.iter().flatten().map(String::as_str).collect();
            format!("no function {} in {loaded}", names.join(" or "))
        }
        Location::Matching(pattern) => format!("no function's name matches `{}` in {loaded}", pattern.text()),
        Location::FileLine(file, line) => match known_files(modules, file) {
            0 => format!("no source file `{file}` in {loaded}"),
            _ => no_code(file, *line),
        },
        Location::Line(line) => match current_file {
            Some(file) => no_code(file, *line),
            None => "the selected frame has no source file; say FILE:LINE".to_owned(),
        },
        Location::Address(_) => "no such address".to_owned(),
    };
    if !matches!(location, Location::Address(_)) {
        if !without.is_empty() {
            reason += &format!(" (no debug info in {})", without.join(", "));
        }
        for (name, why) in modules.missing() {
            reason += &format!("; {name} is not used: {why}");
        }
    }
    reason
}

fn no_code(file: &str, line: u32) -> String {
    format!("no code for line {line} of `{file}`, nor for a line between it and the next function")
}

fn known_files(modules: &Modules, file: &str) -> usize {
    modules.user().map(|m| m.image.files_matching(file).len()).sum()
}

/// Joins what there is to say, one behind the other.
pub(in crate::engine) fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    [first, second].into_iter().flatten().reduce(|first, second| format!("{first}; {second}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Location {
        Location::parse(text).unwrap()
    }

    #[test]
    fn spellings() {
        assert_eq!(parsed("main"), Location::Function("main".into()));
        assert_eq!(parsed(" 42 "), Location::Line(42));
        assert_eq!(parsed("crash.c:42"), Location::FileLine("crash.c".into(), 42));
        assert_eq!(parsed("/a b/crash.c: 42"), Location::FileLine("/a b/crash.c".into(), 42));
        assert_eq!(parsed("'crash.c':42"), Location::FileLine("crash.c".into(), 42));
        assert_eq!(parsed("crash.c:main"), Location::FileFunction("crash.c".into(), "main".into()));
        assert_eq!(parsed("crash.cc:ns::f"), Location::FileFunction("crash.cc".into(), "ns::f".into()));
        assert_eq!(parsed("ns::f"), Location::Function("ns::f".into()));
        assert_eq!(parsed("ns::operator()"), Location::Function("ns::operator()".into()));
        assert_eq!(parsed("add(int, int)"), Location::Function("add(int, int)".into()));
        assert_eq!(parsed("a.c: x = y ? 1 : z;"), Location::FileFunction("a.c".into(), "x = y ? 1 : z;".into()));
        assert_eq!(parsed("a.c: x = y ? z : 3"), Location::FileFunction("a.c".into(), "x = y ? z : 3".into()));
        assert_eq!(parsed("a.cc: std::sort(a)"), Location::FileFunction("a.cc".into(), "std::sort(a)".into()));
        assert_eq!(parsed("\"a.c: puts(\"x\");\""), Location::FileFunction("a.c".into(), "puts(\"x\");".into()));
        assert_eq!(parsed("/a:b/c.c:42"), Location::FileLine("/a:b/c.c".into(), 42));
        assert_eq!(parsed("*0x401136"), Location::Address("0x401136".into()));
        assert_eq!(parsed("* main + 4"), Location::Address("main + 4".into()));
    }

    #[test]
    fn sources_of_rusts_library() {
        for of_rust in [
            "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/ptr/mod.rs",
            "/root/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/rt.rs",
            "/rust/deps/hashbrown-0.15.2/src/raw/mod.rs",
        ] {
            assert!(is_source_of_rusts_library(of_rust), "{of_rust}");
        }
        for other in [
            "/home/u/library/core/src/main/cpp/io.cc",
            "/home/u/library/alloc/src/lib.rs",
            "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/compiler/rustc_span/src/lib.rs",
            "/home/u/rustc/1/library/core/src/lib.rs",
        ] {
            assert!(!is_source_of_rusts_library(other), "{other}");
        }
    }

    #[test]
    fn a_note_names_the_lines_that_are_shown() {
        let at = |line| ResolvedAddress {
            public: BreakpointLocation {
                address: RunAddr(u64::from(line)),
                function: None,
                file: None,
                fullname: None,
                line: Some(line),
            },
            level: 0,
        };
        assert_eq!(line_note(5, 5, &[at(5), at(5)]), None);
        let note = |asked, bound, lines: &[u32]| {
            line_note(asked, bound, &lines.iter().map(|line| at(*line)).collect::<Vec<_>>()).unwrap()
        };
        assert_eq!(note(3, 5, &[5]), "line 3 has no place to stop at, resolved to line 5");
        assert_eq!(note(3, 5, &[6]), "line 3 has no place to stop at, resolved to line 6");
        assert_eq!(note(3, 5, &[6, 5]), "line 3 has no place to stop at, resolved to lines 5, 6");
        assert_eq!(note(5, 5, &[6]), "line 5 begins a function, resolved to line 6, behind its prologue");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (text, reason) in [
            ("", "it is empty"),
            ("  ", "it is empty"),
            ("*", "an expression must follow the `*`"),
            ("0", "lines are counted from 1"),
            ("a.c:0", "lines are counted from 1"),
            ("99999999999", "`99999999999` is no line number"),
            ("a.c:", "nothing follows the `:`"),
        ] {
            let message = Location::parse(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "\\PC*") {
            let _ = Location::parse(&text);
        }

        #[test]
        fn lines_of_files(file in "[a-z/]{1,8}\\.c", line in 1u32..1_000_000) {
            prop_assert_eq!(parsed(&format!("{file}:{line}")), Location::FileLine(file, line));
        }
    }
}
