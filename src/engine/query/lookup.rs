//! What is at an address, and where something is: symbols, lines, functions, libraries.

use crate::api::BreakpointLocation;
use crate::api::error::Error;
use crate::breakpoints::resolve::{find, nothing_found};
use crate::modules::loaded::Module;
use crate::run::session::Session;
use crate::session::engine::Engine;
use arch::{LinkAddr, RunAddr};
use program::location::Location;
use program::location::Pattern;
use program::module::Role;
use std::sync::Arc;

/// A symbol, and how far into it an address is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolPlace {
    /// For people (demangled).
    pub name: String,
    /// Bytes from its start.
    pub offset: u64,
    /// Of the address: `.text`, `.data`.
    pub section: Option<String>,
    /// The file that it was loaded from, as the process knows it.
    pub module: String,
}

/// A stretch of code of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSpan {
    /// First address.
    pub start: RunAddr,
    /// One past the last.
    pub end: RunAddr,
    /// As the compiler was given it.
    pub file: String,
    /// Absolute path.
    pub fullname: String,
    /// 1-based.
    pub line: u32,
}

/// A function's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSpan {
    /// For people (demangled).
    pub name: String,
    /// Where a call enters it.
    pub entry: RunAddr,
    /// All its code, as half-open ranges; the one with the entry comes first.
    pub ranges: Vec<(RunAddr, RunAddr)>,
}

/// A line of a source file that a location names, with or without code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    /// As the compiler was given it.
    pub file: String,
    /// Absolute path.
    pub fullname: String,
    /// 1-based.
    pub line: u32,
    /// The entry of the function, if it is one that was named.
    pub entry: Option<RunAddr>,
}

/// A shared library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// As the process knows it.
    pub path: String,
    /// First address of its `.text` and one past its last.
    pub text: Option<(RunAddr, RunAddr)>,
    /// Whether its debug info was found.
    pub has_debug_info: bool,
}

/// What is known about the source of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    /// As the compiler was given it.
    pub file: String,
    /// Absolute path.
    pub fullname: String,
    /// Where the compiler ran.
    pub directory: Option<String>,
    /// Which compiler, and its options.
    pub producer: Option<String>,
    /// `c`, `c++`, `asm`, `rust`.
    pub language: Option<&'static str>,
    /// DWARF version.
    pub version: u16,
    /// Whether its macros are known.
    pub has_macros: bool,
}

fn span(module: &Module, link: LinkAddr) -> Option<LineSpan> {
    let row = module.image.line_at(link).filter(|r| r.line != 0)?;
    Some(LineSpan {
        start: row.start.at(module.bias),
        end: row.end.at(module.bias),
        file: row.file.name.clone(),
        fullname: row.file.path.to_string_lossy().into_owned(),
        line: row.line,
    })
}

impl Session {
    fn module_at(&mut self, address: RunAddr) -> Result<Option<Arc<Module>>, Error> {
        self.debuggee.catch_up()?;
        Ok(self.debuggee.inferior.modules.at(address).cloned())
    }

    pub(crate) fn symbol_at(&mut self, address: RunAddr) -> Result<Option<SymbolPlace>, Error> {
        let Some(module) = self.module_at(address)? else { return Ok(None) };
        let Some((name, offset)) = self.debuggee.inferior.symbol(address) else { return Ok(None) };
        let section = module.image.section_at(module.link(address)).map(str::to_owned);
        Ok(Some(SymbolPlace { name, offset, section, module: self.debuggee.inferior.modules.path_of(&module) }))
    }

    pub(crate) fn line_at(&mut self, address: RunAddr) -> Result<Option<LineSpan>, Error> {
        Ok(self.module_at(address)?.and_then(|m| span(&m, m.link(address))))
    }

    fn file_named(&mut self, file: &str) -> Option<(String, String)> {
        let found = self.debuggee.inferior.modules.user().flat_map(|m| m.image.files_matching(file)).next()?;
        Some((found.name.clone(), found.path.to_string_lossy().into_owned()))
    }

    fn source_position(&mut self, text: &str) -> Result<SourcePosition, Error> {
        self.debuggee.catch_up()?;
        let location = Location::parse(text)?;
        let current = self.debuggee.current_file();
        let absent = |s: &Self| nothing_found(&location, text, &s.debuggee.inferior.modules, current.as_deref());
        match &location {
            Location::Line(line) => match current.as_deref().and_then(|file| self.file_named(file)) {
                Some((file, fullname)) => Ok(SourcePosition { file, fullname, line: *line, entry: None }),
                None => Err(absent(self)),
            },
            Location::FileLine(file, line) => match self.file_named(file) {
                Some((file, fullname)) => Ok(SourcePosition { file, fullname, line: *line, entry: None }),
                None => Err(absent(self)),
            },
            Location::Address(expression) => {
                let level = self.debuggee.selected()?;
                let address = RunAddr(self.debuggee.inferior.address(self.debuggee.thread, level, expression)?);
                let module = self.debuggee.inferior.modules.at(address);
                let found = module.and_then(|m| span(m, m.link(address))).ok_or_else(|| absent(self))?;
                Ok(SourcePosition { file: found.file, fullname: found.fullname, line: found.line, entry: None })
            }
            Location::Function(name) | Location::FileFunction(_, name) => {
                let file = match &location {
                    Location::FileFunction(file, _) => Some(file.as_str()),
                    _ => None,
                };
                for module in self.debuggee.inferior.modules.user() {
                    let functions = module.image.functions_named(name);
                    let here = functions.iter().filter(|f| file.is_none_or(|file| module.is_in_file(f, file)));
                    for function in here {
                        if let Some(found) = span(module, function.entry) {
                            let (file, fullname, line) = (found.file, found.fullname, found.line);
                            let entry = Some(function.entry.at(module.bias));
                            return Ok(SourcePosition { file, fullname, line, entry });
                        }
                    }
                }
                Err(absent(self))
            }
            Location::Matching(_) | Location::Entries(_) => Err(absent(self)),
        }
    }
}

impl Engine {
    /// Evaluates an expression to the address that it means: its value, or where an array or function is.
    pub fn address_of(&mut self, expression: &str) -> Result<RunAddr, Error> {
        self.with(|s| {
            let level = s.debuggee.selected()?;
            s.debuggee.inferior.address(s.debuggee.thread, level, expression).map(RunAddr)
        })
    }

    /// Looks up the symbol that an address lies in.
    pub fn symbol_at(&mut self, address: RunAddr) -> Result<Option<SymbolPlace>, Error> {
        self.with(|s| s.symbol_at(address))
    }

    /// Looks up the stretch of the line table that covers an address.
    pub fn line_at(&mut self, address: RunAddr) -> Result<Option<LineSpan>, Error> {
        self.with(|s| s.line_at(address))
    }

    /// Looks up the code of a line of a file (default: the current one), or of the next line that has some.
    pub fn code_of_line(&mut self, file: Option<&str>, line: u32) -> Result<Vec<LineSpan>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let Some(file) = file.map(str::to_owned).or_else(|| s.debuggee.current_file()) else {
                return Ok(Vec::new());
            };
            let mut found = Vec::new();
            for module in s.debuggee.inferior.modules.user() {
                for matched in module.image.addresses_of_line(&file, line) {
                    found.extend(matched.addresses.iter().filter_map(|a| span(module, *a)));
                }
            }
            let bound = found.iter().map(|span| span.line).min();
            found.retain(|span| Some(span.line) == bound);
            Ok(found)
        })
    }

    /// Looks up the function that has code at an address, or the stub there through which one is called.
    pub fn function_at(&mut self, address: RunAddr) -> Result<Option<FunctionSpan>, Error> {
        self.with(|s| {
            let Some(module) = s.module_at(address)? else { return Ok(None) };
            let run = |a: LinkAddr| a.at(module.bias);
            let Some(function) = module.image.function_at(module.link(address)) else {
                let stub = module.image.stub_at(module.link(address));
                return Ok(stub.map(|stub| {
                    let (entry, end) = (run(stub.start), run(stub.end));
                    FunctionSpan { name: stub.name, entry, ranges: vec![(entry, end)] }
                }));
            };
            let mut ranges: Vec<_> = function.ranges.iter().map(|(start, end)| (run(*start), run(*end))).collect();
            let entry = run(function.entry);
            ranges.sort_by_key(|(start, end)| (!(*start <= entry && entry < *end), *start));
            Ok(Some(FunctionSpan { name: function.name, entry, ranges }))
        })
    }

    /// Looks up the line of a source file that a breakpoint location names; of a function, where it begins.
    pub fn source_position(&mut self, location: &str) -> Result<SourcePosition, Error> {
        self.with(|s| s.source_position(location))
    }

    /// Finds where a breakpoint on a location would be.
    pub fn locations(&mut self, location: &str) -> Result<Vec<BreakpointLocation>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let parsed = Location::parse(location)?;
            if let Location::Address(text) = &parsed {
                return Ok(vec![s.debuggee.location_at(text)?]);
            }
            let file = s.debuggee.current_file();
            let found =
                find(&parsed, &s.debuggee.inferior.modules, &mut s.debuggee.sources, file.as_deref())?.locations;
            match found.is_empty() {
                true => Err(nothing_found(&parsed, location, &s.debuggee.inferior.modules, file.as_deref())),
                false => Ok(found.into_iter().map(|bound| bound.public).collect()),
            }
        })
    }

    /// Returns whether a source file of this name, or with a path that ends so, is known.
    pub fn has_source(&mut self, file: &str) -> Result<bool, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            Ok(s.file_named(file).is_some())
        })
    }

    /// Finds where breakpoints on the functions would be whose names match a regular expression.
    pub fn locations_matching(&mut self, regex: &str) -> Result<Vec<BreakpointLocation>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let pattern = Pattern::new(regex)?;
            let location = Location::Matching(pattern);
            let found = s.debuggee.find(&location, None)?;
            match found.locations.is_empty() {
                true => Err(nothing_found(&location, regex, &s.debuggee.inferior.modules, None)),
                false => Ok(found.locations.into_iter().map(|bound| bound.public).collect()),
            }
        })
    }

    /// Lists the shared libraries that are loaded now, the dynamic linker among them.
    pub fn libraries(&mut self) -> Result<Vec<Library>, Error> {
        self.with(|s| {
            s.debuggee.catch_up()?;
            let modules = &s.debuggee.inferior.modules;
            let shared = modules.all().iter().filter(|m| matches!(m.role, Role::Library | Role::Interpreter));
            let library = |m: &Arc<Module>| Library {
                path: modules.path_of(m),
                text: m.image.text().map(|(start, end)| (start.at(m.bias), end.at(m.bias))),
                has_debug_info: m.image.has_debug_info(),
            };
            Ok(shared.map(library).collect())
        })
    }

    /// Returns the path of the shared library that an address lies in; `None` in the program itself and outside of all
    /// modules.
    pub fn library_at(&mut self, address: RunAddr) -> Result<Option<String>, Error> {
        self.with(|s| {
            let module = s.module_at(address)?.filter(|m| m.role != Role::Program);
            Ok(module.map(|m| s.debuggee.inferior.modules.path_of(&m)).filter(|path| path.starts_with('/')))
        })
    }

    /// Returns what is known about the source of the selected frame; `None` if it has none.
    pub fn source_facts(&mut self) -> Result<Option<SourceFacts>, Error> {
        self.with(|s| {
            let level = s.debuggee.selected()?;
            let physical = s.debuggee.inferior.physical(s.debuggee.thread, level.physical)?;
            let frame = s.debuggee.inferior.frame(s.debuggee.thread, s.debuggee.level, level, false)?;
            let at = physical.address.for_lookup();
            let (Some(file), Some(fullname), Some(module)) = (frame.file, frame.fullname, physical.module) else {
                return Ok(None);
            };
            let facts = module.image.unit_facts(module.link(at));
            Ok(facts.map(|facts| SourceFacts {
                file,
                fullname,
                directory: facts.directory,
                producer: facts.producer,
                language: facts.language,
                version: facts.version,
                has_macros: facts.has_macros,
            }))
        })
    }
}
