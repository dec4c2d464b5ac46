//! Functions, lines and addresses that are asked about.

use super::copies::Copies;
use super::error::Error;
use super::expression::{Number, number};
use super::frame::State;
use super::global::Lookups;
use super::program::{ARCH, Module, Program};
use super::scope::{At, Scope};
use arch::{Bias, LinkAddr, RunAddr};
use ctype::{Dialect, Target, Unavailable};
use dwarf::{DieId, Function, InlineFrame, Variable};
use program::base_name::base_name;
use program::location::{self, Location, Pattern, functions_named, joined, level_at, why_nothing, without_aliases};
use program::module::file_of_main;
use program::names::enclosing_scopes::scopes_around;
use program::sources::Sources;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most functions that are asked about at once.
pub(super) const MOST_FUNCTIONS: usize = 200;
/// Most places of a location.
const MOST_PLACES: usize = 512;
/// Functions that are named when there are too many.
const SHOWN: usize = 10;
/// No file has code there.
pub(super) const NOWHERE: LinkAddr = LinkAddr(u64::MAX);

/// An instruction at which something is looked at, and what is visible there.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The module; of generated code the program's own, whose types can be named there.
    pub(super) module: usize,
    /// The address that the module's file has; that of generated code is nowhere in it.
    pub(super) address: LinkAddr,
    /// The address of code that no file has: what the program has generated.
    pub(super) generated: Option<RunAddr>,
    pub(super) target: Target,
    /// The language of the code, as debug info has it: `c`, `c++`, `rust`, `fortran`.
    pub(super) language: Option<&'static str>,
    pub(super) function: Option<String>,
    /// Arguments and locals.
    pub(super) variables: Vec<Variable>,
    /// The scopes in which names are looked for first.
    pub(super) scopes: Arc<[String]>,
    pub(super) unit: Option<DieId>,
    /// The function of the code.
    pub(super) die: Option<DieId>,
    /// Which of the functions inlined there it is, the innermost being 0.
    pub(super) level: usize,
    /// What names mean here that no local has.
    pub(super) known: Lookups,
}

impl Spot {
    /// Creates the place at the level of the innermost function there that is asked for.
    pub(super) fn new(
        program: &Program,
        module: usize,
        address: LinkAddr,
        is_asked: impl Fn(&InlineFrame) -> bool,
    ) -> Result<Self, Error> {
        let level = program.module(module).map_or(0, |found| level_at(&found.image, address, is_asked));
        Self::at_level(program, module, address, level)
    }

    /// Creates the place at a level of the functions inlined there.
    fn at_level(program: &Program, module: usize, address: LinkAddr, level: usize) -> Result<Self, Error> {
        let found = program.module(module).ok_or_else(|| Error::question("the module does not exist"))?;
        let image = &found.image;
        let chain = image.inline_chain(address);
        let language = image.language_at(address);
        let dialect = match language {
            Some("rust") => Dialect::Rust,
            Some("c++") => Dialect::Cxx,
            _ => Dialect::C,
        };
        let function = chain.get(level).map(|f| f.name.clone());
        let scopes = scopes_around(image, address, level);
        Ok(Self {
            level,
            known: Lookups::default(),
            module,
            address,
            generated: None,
            target: Target { arch: ARCH, dialect },
            language,
            variables: image.variables_at(address, level),
            unit: chain.get(level).and_then(|f| f.die).and_then(|die| image.unit_of(die)),
            die: chain.get(level).and_then(|f| f.die),
            function,
            scopes,
        })
    }

    /// Creates the place of code that the program generates: registers and what they point to can be asked for there.
    fn of_generated(program: &Program, address: RunAddr) -> Option<Self> {
        let own = |(_, module): &(usize, &Module)| !module.is_interpreter && module.image.interpreter().is_some();
        let (module, _) = program.user().find(own).or_else(|| program.user().next())?;
        let target = Target { arch: ARCH, dialect: Dialect::C };
        let (variables, scopes, known) = (Vec::new(), Arc::default(), Lookups::default());
        let (address, generated) = (NOWHERE, Some(address));
        Some(Self {
            module,
            address,
            generated,
            target,
            language: None,
            function: None,
            variables,
            scopes,
            unit: None,
            die: None,
            level: 0,
            known,
        })
    }

    /// Returns the address that the process has, where the module lies there.
    pub(super) fn in_process(&self, bias: Option<Bias>) -> Option<RunAddr> {
        self.generated.or_else(|| bias.map(|bias| self.address.at(bias)))
    }
}

/// A function with code of its own.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) module: usize,
    pub(super) function: Function,
    /// It is one of those that an indirect function can choose, and may never be called.
    pub(super) is_choice: bool,
    /// What debug info says of its arguments and its result is left out of account: registers are asked for.
    pub(super) is_untyped: bool,
}

/// The functions that a name or a pattern means.
pub(super) struct Functions {
    pub(super) all: Vec<Asked>,
    /// The inlined copies that there are besides, which have no calls.
    pub(super) copies: Copies,
    /// What is to be known of the choice.
    pub(super) note: Option<String>,
}

/// Looks for functions.
pub(super) fn functions(program: &Program, name: &str, is_pattern: bool) -> Result<Functions, Error> {
    let mut found: BTreeMap<(usize, LinkAddr), Asked> = BTreeMap::new();
    let (mut copies, mut note) = (Copies::default(), None);
    let add = |found: &mut BTreeMap<_, _>, module: usize, functions: Vec<Function>, is_choice: bool| {
        for function in functions {
            found.insert((module, function.entry), Asked { module, function, is_choice, is_untyped: false });
        }
    };
    let modules: Vec<&Module> = program.modules.iter().collect();
    if is_pattern {
        let pattern = Pattern::new(name).map_err(|error| Error::question(error.to_string()))?;
        for (number, function) in pattern.find(&modules).functions {
            add(&mut found, number, vec![function], false);
        }
    } else {
        let (file, bare) = in_file(name);
        for (number, module) in program.user() {
            let image = &module.image;
            for bare in without_aliases(image, &bare) {
                let named = functions_named(image, &bare, file.as_deref());
                note = note.or(named.note);
                // Assembler code need not say of a label that a function begins there.
                let at_label = |label: &LinkAddr| image.function_at(*label).filter(|f| f.entry == *label);
                let labelled = named.labels.iter().filter_map(at_label).filter(|f| !image.is_outlined(f));
                add(&mut found, number, named.functions.into_iter().chain(labelled).collect(), false);
                add(&mut found, number, named.choices, true);
                if file.is_none() {
                    copies.add(image, &bare);
                }
            }
        }
    }
    if found.is_empty() {
        let why = match (is_pattern, copies.count()) {
            (true, _) => format!("no function's name matches `{name}` in {}", program.searched()),
            (false, 0) if name.trim().starts_with('*') => format!(
                "`{name}` is an address, and calls are asked by function: rr_trace with location `{}` tells each time that \
                 it is executed, of code that the program generates, too",
                name.trim()
            ),
            (false, 0) => {
                format!("no function `{name}` in {}{}", program.searched(), program.asks_for_similar(&in_file(name).1))
            }
            (false, _) => format!(
                "`{name}` has no code of its own, and no instruction calls it: it is inlined at {copies}; rr_trace with \
                 location `{name}` tells each time that one of these begins"
            ),
        };
        return Err(Error::no_place(why));
    }
    if found.len() > MOST_FUNCTIONS {
        let first: Vec<&str> = found.values().take(SHOWN).map(|asked| asked.function.name.as_str()).collect();
        let why = format!(
            "{} functions match, at most {MOST_FUNCTIONS} can be asked about: make it narrower. The first are {}",
            found.len(),
            first.join(", ")
        );
        return Err(Error::question(why));
    }
    Ok(Functions { all: found.into_values().collect(), copies, note })
}

/// Splits `file.c:function`, as far as it is that.
fn in_file(name: &str) -> (Option<String>, String) {
    match Location::parse(name) {
        Ok(Location::FileFunction(file, name)) => (Some(file), name),
        Ok(Location::Function(name)) => (None, name),
        _ => (None, name.trim().to_owned()),
    }
}

/// Returns the places of a location, written as for a breakpoint: a function, behind its prologue and where it is inlined,
/// a line by its number or its text, an address. And what is to be known of the choice.
pub(super) fn places(program: &Program, location: &str) -> Result<(Vec<Spot>, Option<String>), Error> {
    let refused = |why: String| Error::no_place(format!("location `{}`: {why}", location.trim()));
    let spelled = Location::parse(location).map_err(|error| Error::no_place(error.to_string()))?;
    if let Location::Address(text) = &spelled {
        return at_address(program, text);
    }
    let current = match &spelled {
        Location::Line(_) => {
            let why = "the program's `main` has no source file; say FILE:LINE";
            Some(
                program
                    .user()
                    .find(|(_, m)| m.is_program())
                    .and_then(|(_, m)| file_of_main(&m.image))
                    .ok_or_else(|| refused(why.to_owned()))?,
            )
        }
        _ => None,
    };
    let modules: Vec<&Module> = program.modules.iter().collect();
    let found = location::find(&spelled, &modules, &mut Sources::default(), current.as_deref());
    let found = found.map_err(|error| Error::no_place(error.to_string()))?;
    if found.all.is_empty() {
        let similar = match &spelled {
            Location::Function(name) | Location::FileFunction(_, name) => program.asks_for_similar(name),
            _ => String::new(),
        };
        return Err(refused(why_nothing(&spelled, &modules, &program.not_used(), current.as_deref()) + &similar));
    }
    if found.all.len() > MOST_PLACES {
        let why = format!("`{location}` has {} places, at most {MOST_PLACES} can be asked about", found.all.len());
        return Err(Error::question(why));
    }
    let spot = |place: &location::CodePlace| Spot::at_level(program, place.module, place.address, place.level);
    let spots = found.all.iter().map(spot).collect::<Result<_, _>>()?;
    let file = current.as_deref().map(base_name);
    let own = match (&spelled, file) {
        (Location::Line(line), Some(file)) => {
            Some(format!("line {line} of {file}, which has `main`; FILE:LINE names another file"))
        }
        _ => None,
    };
    Ok((spots, joined(own, found.note)))
}

/// What can be said of code without a moment: where it is. Nothing is in registers or memory.
struct NoMoment;

impl State for NoMoment {
    fn instruction(&mut self) -> Option<u64> {
        None
    }

    fn thread(&mut self) -> Option<u64> {
        None
    }

    fn register(&mut self, _number: u16) -> Option<u64> {
        None
    }

    fn vector(&mut self, _number: u16) -> Option<[u8; 16]> {
        None
    }

    fn read(&mut self, _address: u64, _buffer: &mut [u8]) -> Result<(), Unavailable> {
        Err(Unavailable::Other("without a stop, nothing is in memory".to_owned()))
    }
}

/// Evaluates the expression of an address: a number, or what functions and other code are called.
fn address_of(program: &Program, text: &str) -> Result<u64, Error> {
    if let Some(number) = text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()) {
        return Ok(number);
    }
    let failed = |why: &str| {
        Error::no_place(format!(
            "{why}\n`*{text}` is evaluated before anything is replayed: it is a number or the name of code"
        ))
    };
    let (module, _) =
        program.user().find(|(_, module)| module.is_program()).ok_or_else(|| failed("there is no program"))?;
    let main = program.module(module).and_then(|found| found.image.functions_named("main").into_iter().next());
    let address = main.map_or(NOWHERE, |main| main.entry);
    let spot = Spot { variables: Vec::new(), ..Spot::at_level(program, module, address, 0)? };
    // As the first process has it.
    let pid = program.mappings.all().next().map(|mapped| mapped.pid).ok_or_else(|| failed("there is no process"))?;
    let at = At { pid, event: u64::MAX, bias: program.bias(module, pid, u64::MAX) };
    let mut state = NoMoment;
    let mut scope = Scope::new(program, &spot, &mut state, Some(at));
    expr::evaluate_text(text, &mut scope).map_err(|error| failed(&error.render(text)))?;
    let not_an_address = || failed("that is not an address; take one of code with &");
    let value = expr::evaluate_text(&format!("(unsigned long)({text})"), &mut scope).map_err(|_| not_an_address())?;
    match number(&value, &mut scope) {
        Some(Number::Integer(number)) => u64::try_from(number).map_err(|_| not_an_address()),
        _ => Err(not_an_address()),
    }
}

fn at_address(program: &Program, text: &str) -> Result<(Vec<Spot>, Option<String>), Error> {
    let address = address_of(program, text)?;
    // As some process had it; else as the program's file has it.
    let mapped = program.mappings.all().find(|m| m.executable && (m.start..m.end).contains(&address));
    if let Some(mapped) = mapped {
        for (number, _) in program.user() {
            let Some(bias) = program.bias(number, mapped.pid, mapped.event) else { continue };
            let link = RunAddr(address).linked(bias);
            let is_there = program
                .at(mapped.pid, mapped.event, address)
                .is_some_and(|(module, _)| program.module(number).is_some_and(|m| std::ptr::eq(m, module)));
            if is_there {
                return Ok((vec![Spot::new(program, number, link, |_| true)?], None));
            }
        }
    }
    let holds = |s: &dwarf::Segment| s.executable && address.checked_sub(s.address.0).is_some_and(|into| into < s.size);
    match program.user().find(|(_, module)| module.image.segments().iter().any(holds)) {
        Some((number, _)) => Ok((vec![Spot::new(program, number, LinkAddr(address), |_| true)?], None)),
        None => {
            let note = format!(
                "`*{text}` is in no file that was mapped: what the processes execute there is code that the program has \
                 generated, where registers and what they point to can be asked for"
            );
            Ok((Spot::of_generated(program, RunAddr(address)).into_iter().collect(), Some(note)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_scopes() {
        let split = |file: Option<&str>, name: &str| (file.map(str::to_owned), name.to_owned());
        assert_eq!(in_file("a.c:f"), split(Some("a.c"), "f"));
        assert_eq!(in_file("ns::f"), split(None, "ns::f"));
        assert_eq!(in_file(" f "), split(None, "f"));
    }
}
