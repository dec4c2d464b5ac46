//! What was executed in a recording: which functions, which lines, how often.

use super::answer::{DEADLINE, Facts, LIMIT};
use super::coverage::{LineCount, lines};
use super::error::Error;
use super::executed::Executed;
use super::place::functions;
use super::profile::profile;
use super::program::Program;
use base::cancel::Cancel;
use dwarf::{Function, Image};
use rr::{CountPass, Rr};
use softcounters::probes::Code;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A function that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRow {
    /// Its name.
    pub name: String,
    /// The file that has its code: `libc.so.6`.
    pub library: String,
    /// Where it is declared.
    pub line: Option<(String, u32)>,
    /// How often its first instruction was executed.
    pub calls: u64,
    /// Conditional branches executed in it, and in what is inlined into it.
    pub ticks: u64,
    /// Which of the files that is, the program's own first; `None`: rr's.
    pub rank: Option<usize>,
}

/// All functions that were executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// The most ticks first.
    pub rows: Vec<FunctionRow>,
    /// Ticks of all that was executed.
    pub ticks: u64,
    /// Ticks of what is in no known function, and where that is.
    pub elsewhere: Vec<(String, u64)>,
    /// What may be missing.
    pub notes: Vec<String>,
}

/// Lines that have code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// By file and number.
    pub rows: Vec<LineCount>,
    /// What may be missing.
    pub notes: Vec<String>,
}

/// Everything that was executed.
pub struct Execution {
    /// What was searched.
    pub facts: Facts,
    program: Program,
    pass: CountPass,
}

impl Execution {
    /// Counts what is executed in a recording.
    ///
    /// # Errors
    /// If it cannot be replayed, and if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, cancel: &Cancel) -> Result<Self, Error> {
        let begun = Instant::now();
        let trace = rr::resolve_trace(Some(recording))?;
        let program = Program::open(&trace, cancel)?;
        let pass = rr.count_pass(&trace, LIMIT, DEADLINE)?;
        let mut notes = Vec::new();
        if let Some(why) = &pass.cut {
            notes.push(format!("what comes after is not counted: {why}"));
        } else if pass.is_truncated {
            notes.push(format!("only {} MiB of counts were recorded: counts may be missing or too small", LIMIT >> 20));
        }
        if !pass.lost.is_empty() {
            notes.push("counts of some processes are incomplete and may be too small".to_owned());
        }
        for (name, why) in program.missing.iter().filter(|(name, _)| !name.starts_with("librr")) {
            notes.push(format!("{name} is not used: {why}"));
        }
        let (events, is_truncated) = (program.mappings.events, pass.is_truncated);
        let facts = Facts { events, took: begun.elapsed(), hits: 0, is_truncated, notes };
        Ok(Self { facts, program, pass })
    }

    /// Returns the functions that were executed, of one process or of all.
    ///
    /// # Errors
    /// If there is no such process, and if it is cancelled.
    pub fn functions(&self, pid: Option<u32>, cancel: &Cancel) -> Result<Functions, Error> {
        self.of_process(pid)?;
        let mut answer = Functions { notes: self.facts.notes.clone(), ..Functions::default() };
        let mut without = Vec::new();
        let mut known: Vec<&Code> = Vec::new();
        for (number, module) in self.program.modules.iter().enumerate() {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let code: Vec<&Code> = self.code(number, pid).collect();
            let executed = Executed::of(code.iter().copied());
            known.extend(code);
            if executed.runs().is_empty() {
                continue;
            }
            let image = &module.image;
            let found = self.program.ask_with(cancel, || profile(image, &executed))?;
            answer.ticks = answer.ticks.saturating_add(executed.ticks_in(&(0..u64::MAX)));
            if found.elsewhere > 0 {
                answer.elsewhere.push((module.name.clone(), found.elsewhere));
            }
            if !image.has_debug_info() && !module.is_rr {
                without.push(module.name.as_str());
            }
            answer.rows.extend(found.functions.into_iter().map(|counted| {
                let Function { name, file, line, .. } = counted.function;
                FunctionRow {
                    name,
                    library: module.name.clone(),
                    line: file.map(|file| file.name.clone()).zip(line),
                    calls: counted.calls,
                    ticks: counted.ticks,
                    rank: (!module.is_rr).then_some(number),
                }
            }));
        }
        let other = self.pass.code.iter().filter(|code| self.is_of(code, pid));
        let other = other.filter(|code| !known.iter().any(|known| std::ptr::eq(*known, *code)));
        let (mut generated, mut unknown) = (0_u64, 0_u64);
        for code in other {
            let sum = if code.module.is_none() { &mut generated } else { &mut unknown };
            *sum = sum.saturating_add(code.ticks_in(&(0..u64::MAX)));
        }
        let others = [("code of no file", generated), ("files that are not known", unknown)];
        for (name, ticks) in others.into_iter().filter(|(_, ticks)| *ticks > 0) {
            answer.ticks = answer.ticks.saturating_add(ticks);
            answer.elsewhere.push((name.to_owned(), ticks));
        }
        if !without.is_empty() {
            let names = without.join(", ");
            answer.notes.push(format!("no debug info: in {names} functions are those that the symbol table has"));
        }
        answer.rows.sort_by_key(|row| std::cmp::Reverse((row.ticks, row.calls)));
        Ok(answer)
    }

    /// Returns the program.
    pub(super) const fn program(&self) -> &Program {
        &self.program
    }

    /// Returns what was executed of a module, in all processes.
    pub(super) fn executed(&self, module: usize) -> Executed {
        Executed::of(self.code(module, None))
    }

    /// Returns the functions that were called, but for rr's, with the module of each and how often it was called.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(super) fn called(&self, cancel: &Cancel) -> Result<Vec<(usize, Function, u64)>, Error> {
        let mut all = Vec::new();
        for (number, module) in self.program.user() {
            let executed = Executed::of(self.code(number, None));
            let found = self.program.ask_with(cancel, || profile(&module.image, &executed))?;
            let called = found.functions.into_iter().filter(|counted| counted.calls > 0);
            all.extend(called.map(|counted| (number, counted.function, counted.calls)));
        }
        Ok(all)
    }

    /// Returns how often the lines of a function, or of a source file, were executed; those that have code.
    ///
    /// # Errors
    /// If there is no such function, file or process, and if it is cancelled.
    pub fn lines(&self, of: &str, pid: Option<u32>, cancel: &Cancel) -> Result<Lines, Error> {
        self.of_process(pid)?;
        let mut answer = Lines { notes: self.facts.notes.clone(), ..Lines::default() };
        let named = match self.program.ask_with(cancel, || functions(&self.program, of, false))? {
            Ok(found) => {
                answer.notes.extend(found.note);
                Ok(found.all)
            }
            Err(Error::Question(why) | Error::NoPlace(why)) => Err(why),
            Err(other) => return Err(other),
        };
        for (number, module) in self.program.user() {
            let (code, image) = (Executed::of(self.code(number, pid)), &module.image);
            let (mut found, is_all) = self.program.ask_with(cancel, || match &named {
                Ok(named) => {
                    let of = named.iter().filter(|asked| asked.module == number);
                    lines(image, &of.map(|asked| asked.function.clone()).collect::<Vec<_>>(), &code)
                }
                Err(_) => of_file(image, of, &code),
            })?;
            answer.rows.append(&mut found);
            if !is_all {
                answer.notes.push(format!("not all code of {} was looked at: ask for a function", module.name));
            }
        }
        match named {
            Err(why) if answer.rows.is_empty() => {
                Err(Error::no_place(format!("no source file `{of}` has code, and {why}")))
            }
            Ok(_) if answer.rows.is_empty() => {
                Err(Error::no_place(format!("`{of}` has no lines: no debug info says what lines its code is of")))
            }
            _ => Ok(answer),
        }
    }

    /// Iterates over what was executed of a module.
    fn code(&self, module: usize, pid: Option<u32>) -> impl Iterator<Item = &Code> {
        let identity = self.program.module(module).map(|module| &module.identity);
        // A file may be there by two names.
        let first = self.program.modules.iter().position(|other| Some(&other.identity) == identity);
        let all = self.pass.code.iter().filter(move |_| first == Some(module));
        all.filter(move |code| code.module.is_some() && code.module.as_ref() == identity && self.is_of(code, pid))
    }

    /// Returns whether an address space is that of a process: it is that of its first thread.
    fn is_of(&self, code: &Code, pid: Option<u32>) -> bool {
        let first = self.pass.threads.get(&code.space).and_then(|threads| threads.first());
        pid.is_none_or(|pid| first.is_some_and(|tid| self.program.mappings.process_of(*tid) == pid))
    }

    fn of_process(&self, pid: Option<u32>) -> Result<(), Error> {
        let Some(pid) = pid else { return Ok(()) };
        let first = self.pass.threads.values().filter_map(|threads| threads.first());
        let all: BTreeSet<u32> = first.map(|tid| self.program.mappings.process_of(*tid)).collect();
        if all.contains(&pid) {
            return Ok(());
        }
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        Err(Error::question(format!("process {pid} has executed nothing of its own; these have: {}", all.join(", "))))
    }
}

/// Returns the lines of a source file, wherever they are inlined, and whether all code was looked at; that of its own
/// functions first.
fn of_file(image: &Image, name: &str, code: &Executed) -> (Vec<LineCount>, bool) {
    let paths: BTreeSet<PathBuf> = image.files_matching(name).iter().map(|file| file.path.clone()).collect();
    if paths.is_empty() {
        return (Vec::new(), true);
    }
    let mut all = image.functions_called(&mut |_| true);
    all.sort_by_key(|function| !function.file.as_ref().is_some_and(|file| paths.contains(&file.path)));
    let (mut found, is_all) = lines(image, &all, code);
    found.retain(|line| paths.contains(&line.file.path));
    (found, is_all)
}

impl std::fmt::Debug for Execution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Execution").field("facts", &self.facts).finish_non_exhaustive()
    }
}
