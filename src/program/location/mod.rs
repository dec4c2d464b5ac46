//! Where code is: how a location is written, and the addresses that it means in the modules there are.

mod by_regex;
mod by_text;
mod entries;
mod functions;
mod levels;
mod lines;
mod reasons;
mod rust_library;
mod spelling;

pub use by_regex::Pattern;
pub use functions::{find_early, functions_named, without_aliases};
pub use levels::level_at;
pub use reasons::{LocationError, gaps, why_nothing};

use crate::module::{self, Loaded};
use crate::sources::Sources;
use arch::LinkAddr;
use dwarf::Image;
use std::collections::BTreeMap;

/// A parsed location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
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

impl Location {
    /// Returns whether it never has a place.
    pub fn is_nowhere(&self) -> bool {
        matches!(self, Self::Entries(functions) if functions.is_empty())
    }

    /// Reads a location as a user writes it.
    ///
    /// # Errors
    /// [`LocationError::Malformed`], with the valid spellings.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        let bad = |reason| LocationError::Malformed { text: text.to_owned(), reason };
        spelling::parse(text).map_err(bad)
    }
}

/// One place of a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePlace {
    /// The number of its module, in the list that was searched.
    pub module: usize,
    /// The address that the module's file has.
    pub address: LinkAddr,
    /// Which of the functions inlined there, counted from the innermost, the location means: a thread that stops here
    /// is shown outside of those further in, which all begin here.
    pub level: usize,
}

impl CodePlace {
    /// Returns the line that it is shown in.
    fn line(&self, image: &Image) -> Option<u32> {
        let caller = image.inline_chain(self.address).into_iter().nth(self.level).filter(|_| self.level > 0);
        match caller {
            Some(caller) => caller.line,
            None => image.line_at(self.address).map(|row| row.line).filter(|line| *line != 0),
        }
    }
}

/// Where a location is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodePlaces {
    /// By module and address.
    pub all: Vec<CodePlace>,
    /// A note for the user about the choice.
    pub note: Option<String>,
}

/// Places by module and address, and the level of each.
#[derive(Default)]
struct Collected(BTreeMap<(usize, LinkAddr), usize>);

impl Collected {
    fn places(self) -> Vec<CodePlace> {
        let place = |((module, address), level)| CodePlace { module, address, level };
        self.0.into_iter().map(place).collect()
    }
}

/// Resolves a location that is not given as an address, in modules of which the program comes first. `current_file` is
/// what a bare line number is in.
///
/// # Errors
/// If it is not clear which line is meant.
pub fn find<M: Loaded>(
    location: &Location,
    modules: &[M],
    sources: &mut Sources,
    current_file: Option<&str>,
) -> Result<CodePlaces, LocationError> {
    let found = resolve(location, modules, current_file);
    let Location::FileFunction(file, text) = location else { return Ok(found) };
    if !found.all.is_empty() {
        return Ok(found);
    }
    let images = module::user(modules).map(|(_, module)| module.image());
    let Some(statement) = by_text::find(images, sources, file, text)? else {
        return Ok(found);
    };
    let found = lines::of_line(modules, &statement.file, statement.line);
    Ok(CodePlaces { note: joined(Some(statement.note()), found.note), ..found })
}

fn resolve<M: Loaded>(location: &Location, modules: &[M], current_file: Option<&str>) -> CodePlaces {
    match location {
        Location::Function(name) => functions::of_function(modules, name, None),
        Location::FileFunction(file, name) => functions::of_function(modules, name, Some(file)),
        Location::FileLine(file, line) => lines::of_line(modules, file, *line),
        Location::Line(line) => current_file.map(|file| lines::of_line(modules, file, *line)).unwrap_or_default(),
        Location::Matching(pattern) => pattern.find(modules).places(modules),
        Location::Entries(functions) => entries::of_entries(modules, functions),
        Location::Address(_) => CodePlaces::default(),
    }
}

/// Joins what there is to say, one behind the other.
pub fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
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
        assert_eq!(parsed("'crash.c:42'"), Location::FileLine("crash.c".into(), 42));
        assert_eq!(parsed("'crash.c:main'"), Location::FileFunction("crash.c".into(), "main".into()));
        assert_eq!(parsed("'crash.c':'main'"), Location::FileFunction("crash.c".into(), "main".into()));
        assert_eq!(parsed("'ns::f'"), Location::Function("ns::f".into()));
        assert_eq!(parsed("'crash.c'::main"), Location::FileFunction("crash.c".into(), "main".into()));
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
    fn what_makes_no_sense_is_refused() {
        for (text, reason) in [
            ("", "it is empty"),
            ("  ", "it is empty"),
            ("*", "an expression must follow the `*`"),
            ("0", "lines are counted from 1"),
            ("a.c:0", "lines are counted from 1"),
            ("99999999999", "`99999999999` is not a line number"),
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
