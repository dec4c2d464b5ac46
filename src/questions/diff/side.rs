//! One of two recordings: what it has called, in what order.

use super::DiffQuery;
use crate::answer::Facts;
use crate::calls::{CallRow, Calls, CallsQuery};
use crate::copies::Copies;
use crate::error::Error;
use crate::execution::Execution;
use crate::hits::Filter;
use crate::place::{Asked, Functions};
use crate::program::Program;
use base::cancel::Cancel;
use base::untrusted;
use dwarf::{Function, SourcePath, is_own_source};
use regex_lite::Regex;
use rr::Rr;
use softcounters::probes::Module;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Most functions whose calls are compared in their order.
const MOST_FUNCTIONS: usize = 500;
/// Most calls of one recording that are compared in their order.
const MOST_CALLS: u64 = 2_000_000;

/// Most calls back of which it is looked at whether they enclose another one.
const MOST_AROUND: usize = 100_000;
/// Most functions that enclose a call.
const MOST_ENCLOSING: usize = 12;

/// What tells functions apart, in whatever build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) name: String,
    library: String,
    file: Option<String>,
}

/// How the files of a recording are called in keys.
struct Libraries(Vec<String>);

impl Libraries {
    fn of(program: &Program) -> Self {
        let is_one = program.user().filter(|(_, module)| module.is_program()).count() == 1;
        let name = |module: &crate::program::Module| match module.is_program() && is_one {
            true => String::new(),
            false => module.name.clone(),
        };
        Self(program.modules.iter().map(name).collect())
    }

    fn key(&self, module: usize, function: &Function) -> Key {
        let base = |file: &SourcePath| file.name.rsplit('/').next().unwrap_or(&file.name).to_owned();
        Key {
            name: function.name.clone(),
            library: self.0.get(module).cloned().unwrap_or_default(),
            file: function.file.as_deref().map(base),
        }
    }
}

/// What a recording has called, and how often.
pub(crate) struct Ran {
    execution: Execution,
    pub(crate) called: BTreeMap<Key, u64>,
    /// The same, with the file that each is in.
    functions: Vec<(usize, Function, Key)>,
}

impl Ran {
    /// Counts the calls in a recording: of the functions whose names match, or of the program's own.
    pub(crate) fn ask(rr: &Rr, recording: &Path, functions: Option<&str>, cancel: &Cancel) -> Result<Self, Error> {
        let pattern = functions.map(pattern).transpose()?;
        let execution = Execution::ask(rr, recording, cancel)?;
        let libraries = Libraries::of(execution.program());
        let (mut called, mut functions): (BTreeMap<Key, u64>, _) = (BTreeMap::new(), Vec::new());
        for (module, function, calls) in execution.called(cancel)? {
            if is_asked(execution.program(), module, &function, pattern.as_ref()) {
                let key = libraries.key(module, &function);
                let sum = called.entry(key.clone()).or_default();
                *sum = sum.saturating_add(calls);
                functions.push((module, function, key));
            }
        }
        Ok(Self { execution, called, functions })
    }

    pub(super) const fn facts(&self) -> &Facts {
        &self.execution.facts
    }

    /// Returns the functions that were called and are chosen.
    pub(crate) fn asked_of(&self, chosen: &Chosen) -> Vec<Asked> {
        let chosen = self.functions.iter().filter(|(.., key)| chosen.number(key).is_some());
        chosen
            .map(|(module, function, _)| Asked {
                module: *module,
                function: function.clone(),
                is_choice: false,
                is_untyped: false,
            })
            .collect()
    }

    /// Returns the name and the build of each library, by the name in keys.
    pub(super) fn builds(&self) -> BTreeMap<String, (String, Module)> {
        let program = self.execution.program();
        let names = Libraries::of(program).0;
        let named = program.user().filter_map(|(number, module)| Some((names.get(number)?, module)));
        named.map(|(name, module)| (name.clone(), (module.name.clone(), module.identity.clone()))).collect()
    }
}

fn pattern(text: &str) -> Result<Regex, Error> {
    untrusted::regex(text.trim()).map_err(|refused| Error::question(format!("`{text}` {refused}")))
}

/// Returns whether the calls of a function are compared.
fn is_asked(program: &Program, module: usize, function: &Function, pattern: Option<&Regex>) -> bool {
    let Some(module) = program.module(module) else { return false };
    // What has no debug info has no arguments either.
    let Some(file) = &function.file else { return false };
    if module.is_rr || module.is_interpreter || module.image.is_outlined(function) {
        return false;
    }
    match pattern {
        Some(pattern) => pattern.is_match(&function.name),
        None => !module.is_of_system() && is_own_source(&file.path.to_string_lossy()),
    }
}

/// The functions whose calls are compared in their order.
pub(crate) struct Chosen {
    pub(crate) keys: Vec<Key>,
    /// Those for which there was no room, called most often first.
    pub(crate) left_out: Vec<Key>,
}

impl Chosen {
    /// Chooses those that are called least: of what is called all the time, one call tells little.
    pub(crate) fn of(counts: &BTreeMap<Key, [u64; 2]>) -> Self {
        let mut all: Vec<(&Key, u64)> = counts.iter().map(|(key, [a, b])| (key, *a.max(b))).collect();
        all.sort_by_key(|(_, calls)| *calls);
        let (mut sum, mut fitting) = (0_u64, 0);
        for (_, calls) in all.iter().take(MOST_FUNCTIONS) {
            sum = sum.saturating_add(*calls);
            if sum > MOST_CALLS && fitting > 0 {
                break;
            }
            fitting += 1;
        }
        let mut keys: Vec<Key> = all.into_iter().map(|(key, _)| key.clone()).collect();
        let mut left_out = keys.split_off(fitting);
        left_out.reverse();
        keys.sort_unstable();
        Self { keys, left_out }
    }

    fn number(&self, key: &Key) -> Option<u32> {
        self.keys.binary_search(key).ok().and_then(|number| u32::try_from(number).ok())
    }
}

/// The calls of a recording, thread by thread.
pub(super) struct Side {
    calls: Option<Calls>,
    /// The function of each call, and its row.
    pub(super) streams: BTreeMap<u32, Vec<(u32, usize)>>,
}

impl Side {
    pub(super) fn ask(
        rr: &Rr,
        recording: &Path,
        ran: Option<&Ran>,
        chosen: &Chosen,
        query: &DiffQuery,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let mut side = Self { calls: None, streams: BTreeMap::new() };
        let Some(ran) = ran else { return Ok(side) };
        let all = ran.asked_of(chosen);
        if all.is_empty() {
            return Ok(side);
        }
        let choose = |_: &Program| Ok(Functions { all: all.clone(), copies: Copies::default(), note: None });
        let asked =
            CallsQuery { condition: query.condition.clone(), filter: Filter::default(), ..CallsQuery::default() };
        let calls = Calls::of(rr, recording, &asked, &choose, cancel)?;
        let libraries = Libraries::of(calls.program());
        // Many calls are of few functions.
        let mut numbers: HashMap<(usize, u64), Option<u32>> = HashMap::new();
        for (row, thread) in calls.threads(cancel)?.into_iter().enumerate() {
            let Some(asked) = calls.function_of(row) else { continue };
            let number = numbers
                .entry((asked.module, asked.function.entry.0))
                .or_insert_with(|| chosen.number(&libraries.key(asked.module, &asked.function)));
            if let Some(number) = *number {
                side.streams.entry(thread).or_default().push((number, row));
            }
        }
        side.calls = Some(calls);
        Ok(side)
    }

    pub(super) fn calls(&self) -> u64 {
        self.streams.values().map(|stream| stream.len() as u64).sum()
    }

    pub(super) fn facts(&self) -> Option<&Facts> {
        self.calls.as_ref().map(|calls| &calls.facts)
    }

    /// Returns whether there are calls that were not written down.
    pub(super) fn is_truncated(&self) -> bool {
        self.facts().is_some_and(|facts| facts.is_truncated)
    }

    pub(super) fn stream(&self, thread: u32) -> &[(u32, usize)] {
        self.streams.get(&thread).map_or(&[], Vec::as_slice)
    }

    pub(super) fn rows(&self, rows: &[usize], cancel: &Cancel) -> Result<Vec<Option<CallRow>>, Error> {
        self.calls.as_ref().map_or_else(|| Ok(Vec::new()), |calls| calls.some_rows(rows, cancel))
    }

    /// Returns the program.
    pub(super) fn program(&self) -> Option<&Program> {
        self.calls.as_ref().map(Calls::program)
    }

    /// Returns the functions that a thread was in when its call of this number began, the innermost first, each once.
    pub(super) fn functions_around(&self, thread: u32, call: usize) -> Vec<&Asked> {
        let mut all: Vec<&Asked> = Vec::new();
        let Some(calls) = &self.calls else { return all };
        let rows = self.stream(thread).get(..=call).unwrap_or_default();
        let began = rows.last().and_then(|(_, row)| self.began(*row)).unwrap_or_default();
        for (_, row) in rows.iter().rev().take(MOST_AROUND) {
            let is_open = calls.span_of(*row).is_some_and(|(_, end)| end.is_none_or(|end| end >= began));
            let Some(asked) = calls.function_of(*row).filter(|_| is_open) else { continue };
            if !all.iter().any(|other| (other.module, other.function.entry) == (asked.module, asked.function.entry)) {
                all.push(asked);
            }
            if all.len() == MOST_ENCLOSING {
                break;
            }
        }
        all
    }

    /// Returns where a call began, among all hits.
    pub(super) fn began(&self, row: usize) -> Option<u64> {
        Some(self.calls.as_ref()?.span_of(row)?.0)
    }

    /// Returns where a call returned, if that was before this.
    pub(super) fn returned(&self, row: usize, until: Option<u64>) -> Option<u64> {
        let at = self.calls.as_ref()?.span_of(row)?.1?;
        until.is_none_or(|until| at < until).then_some(at)
    }
}
