//! All calls of functions: arguments, results, callers; which never returned.
//!
//! ```text
//! prepare    what is looked at: where functions begin and end, and what is evaluated there
//! join       which hits are of which calls, while they are found
//! numbers    calls as numbers, without text
//! row        calls as they are told
//! streams    calls in their order, thread by thread
//! processes  how many calls each process has
//! ```

mod join;
mod numbers;
mod prepare;
mod processes;
mod row;
mod streams;

pub(super) use numbers::Numbers;
pub(super) use prepare::MOST_PROBES;
pub(super) use row::source;
pub use row::{Argument, CallRow, Ending, Source};
pub(super) use streams::Span;

use super::answer::{DEADLINE, Facts, LIMIT, Named};
use super::biases::Instructions;
use super::error::Error;
use super::function::Subject;
use super::hits::Filter;
use super::matching::End;
use super::place::{Functions, functions};
use super::program::Program;
use super::returned::Collecting;
use base::cancel::Cancel;
use join::{Call, Caller, Joined, Joining};
use prepare::{Expressions, Role, prepare, probes};
use rr::{ProbePass, Rr};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Callers that are told.
const CALLERS: usize = 20;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallsQuery {
    /// Of which function.
    pub function: String,
    /// It is a regular expression over the readable names of functions.
    pub is_pattern: bool,
    /// What is told besides the arguments, where these are.
    pub values: Vec<String>,
    /// Which calls; `$return` is what they returned.
    pub condition: Option<String>,
    /// Only calls that did not return: neither themselves nor by a tail call.
    pub only_unfinished: bool,
    /// Which calls, by where they began.
    pub filter: Filter,
}

/// The answer.
pub struct Calls {
    /// What was searched.
    pub facts: Facts,
    /// Calls that match.
    pub matching: u64,
    /// Of these, those that returned.
    pub returned: u64,
    /// Of these, those that did not.
    pub unfinished: u64,
    /// Calls of which it could not be said whether they match.
    pub unjudged: u64,
    /// How deep calls were in each other at most.
    pub deepest: u32,
    /// How many calls each function has that match.
    pub functions: Vec<Named>,
    /// Who called, the most frequent first.
    pub callers: Vec<Named>,
    /// The processes that have such a function, with how many of these calls, if all processes of several are asked.
    pub processes: Vec<Named>,
    /// What is to be said of the other processes.
    without: Vec<String>,
    program: Program,
    pass: ProbePass,
    subjects: Vec<Subject>,
    roles: Vec<Role>,
    instructions: Instructions,
    collecting: Collecting,
    values: Vec<Option<Expressions>>,
    calls: Vec<Call>,
}

impl Calls {
    /// Asks a recording.
    ///
    /// # Errors
    /// If there is no such function, if an expression makes no sense, or cannot be collected; if it cannot be replayed;
    /// if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &CallsQuery, cancel: &Cancel) -> Result<Self, Error> {
        let named = |program: &Program| functions(program, &query.function, query.is_pattern);
        let mut answer = Self::of(rr, recording, query, &named, cancel)?;
        answer.facts.notes.append(&mut answer.without);
        Ok(answer)
    }

    /// Asks a recording about these functions, whatever the query names.
    ///
    /// # Errors
    /// As [`Calls::ask`].
    pub(super) fn of(
        rr: &Rr,
        recording: &Path,
        query: &CallsQuery,
        choose: &dyn Fn(&Program) -> Result<Functions, Error>,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let begun = Instant::now();
        let trace = rr::resolve_trace(Some(recording))?;
        let program = Program::open(&trace, cancel)?;
        query.filter.check(program.mappings.events)?;
        let (subjects, values, mut notes) = program.ask(|| prepare(&program, choose(&program)?, query))??;
        let collecting = subjects
            .iter()
            .fold(Collecting::default(), |all, subject| all.and(Collecting::of(subject.result.as_ref())));
        let pass = |backs: &BTreeSet<u64>| -> Result<_, Error> {
            let (mut list, roles) = probes(&program, &subjects, collecting, backs)?;
            let instructions = Instructions::add_to(&mut list, &program);
            let asked = Joining {
                program: &program,
                subjects: &subjects,
                roles: &roles,
                instructions: &instructions,
                collecting,
                values: &values,
                query,
            };
            let look = |pass: &ProbePass| match asked.join(pass, cancel) {
                joined @ Ok(_) => ControlFlow::Continue(joined),
                failed @ Err(_) => ControlFlow::Break(failed),
            };
            let (pass, joined) = rr.probe_pass_with(&trace, &list, LIMIT, DEADLINE, look)?;
            Ok((pass, (roles, instructions), joined?))
        };
        let (mut found, (mut roles, mut instructions), mut joined) = pass(&BTreeSet::new())?;
        // Where these go on is not known, but where they return to.
        let backs = joined.unseen(&subjects);
        if !backs.is_empty() {
            (found, (roles, instructions), joined) = pass(&backs)?;
        }
        let mut answer = Self {
            facts: Facts::new(program.mappings.events, begun.elapsed(), &found),
            matching: 0,
            returned: 0,
            unfinished: 0,
            unjudged: 0,
            deepest: 0,
            functions: Vec::new(),
            callers: Vec::new(),
            processes: Vec::new(),
            without: Vec::new(),
            program,
            pass: found,
            subjects,
            roles,
            instructions,
            collecting,
            values,
            calls: Vec::new(),
        };
        answer.facts.notes.append(&mut notes);
        answer.take(joined, query, &trace)?;
        answer.facts.took = begun.elapsed();
        Ok(answer)
    }

    /// Takes what was found.
    fn take(&mut self, joined: Joined, query: &CallsQuery, trace: &Path) -> Result<(), Error> {
        let Joined { mut calls, callers, strays } = joined;
        if strays > 0 {
            self.facts.notes.push(format!(
                "{strays} returns are of calls that had begun in the process that made theirs, or before what was seen of \
                 it, or that came in behind the beginning, as code does that several functions share (mempcpy goes on in \
                 memmove): they are not among the rows"
            ));
        }
        let is_left = |call: &Call| call.end != End::Returned && call.matches != Some(false);
        let left: BTreeSet<u32> = calls.iter().filter(|call| is_left(call)).map(|call| call.subject).collect();
        let left = left.into_iter().filter_map(|subject| self.subjects.get(subject as usize));
        for subject in left.filter(|s| s.exits.jumps_anywhere && s.exits.returns.is_empty()) {
            self.facts.notes.push(format!(
                "`{}` has no return instruction: it ends by jumps whose targets are not in its code",
                subject.asked.function.name
            ));
        }
        doubt(&mut calls);
        if query.only_unfinished {
            calls.iter_mut().filter(|call| call.end != End::Lost).for_each(|call| call.matches = Some(false));
        }
        self.count(&calls, &callers)?;
        if query.filter.pid.is_none() && query.filter.tid.is_none() {
            let found = processes::by_process(trace, &self.program, &self.subjects, &calls, &callers)?;
            self.processes = found.having;
            self.without = found.notes;
        }
        calls.retain(|call| call.matches == Some(true));
        calls.shrink_to_fit();
        self.calls = calls;
        Ok(())
    }

    /// Counts those that match.
    fn count(&mut self, calls: &[Call], callers: &[Caller]) -> Result<(), Error> {
        let mut of_functions = vec![0u64; self.subjects.len()];
        let mut of_callers = vec![0u64; callers.len()];
        for call in calls {
            match call.matches {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    self.unjudged += 1;
                    continue;
                }
            }
            self.matching += 1;
            self.returned += u64::from(call.end == End::Returned);
            self.unfinished += u64::from(call.end == End::Lost);
            self.deepest = self.deepest.max(call.depth);
            if let Some(count) = of_functions.get_mut(call.subject as usize) {
                *count += 1;
            }
            if let Some(count) = call.caller().and_then(|caller| of_callers.get_mut(caller)) {
                *count += 1;
            }
        }
        let is_told = |s: &Subject, count| !s.is_hidden && (count > 0 || !s.asked.is_choice);
        let asked = self.subjects.iter().zip(of_functions).filter(|(subject, count)| is_told(subject, *count));
        let mut functions: Vec<Named> =
            asked.map(|(s, count)| Named { name: s.asked.function.name.clone(), count }).collect();
        functions.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        self.functions = functions;
        let mut named: BTreeMap<String, u64> = BTreeMap::new();
        for (Caller { pid, address, event }, count) in callers.iter().zip(of_callers).filter(|(_, count)| *count > 0) {
            let source = self.program.ask(|| source(&self.program, *pid, *event, *address))?;
            *named.entry(source.to_string()).or_default() += count;
        }
        let mut named: Vec<Named> = named.into_iter().map(|(name, count)| Named { name, count }).collect();
        named.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        let told: u64 = named.iter().take(CALLERS).map(|named| named.count).sum();
        if told < self.matching {
            self.facts.notes.push(format!("{} calls are by other callers than those counted", self.matching - told));
        }
        named.truncate(CALLERS);
        self.callers = named;
        Ok(())
    }

    /// Returns how many rows there are.
    pub fn rows(&self) -> u64 {
        self.calls.len() as u64
    }
}

/// Marks calls that seem to be in one that never returned.
fn doubt(calls: &mut [Call]) {
    for number in 0..calls.len() {
        let around = calls.get(number).and_then(Call::around).and_then(|around| calls.get(around));
        let doubtful = around.is_some_and(|around| around.doubtful || around.end != End::Returned);
        if let Some(call) = calls.get_mut(number) {
            call.doubtful = doubtful;
        }
    }
}

impl std::fmt::Debug for Calls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calls").field("facts", &self.facts).field("matching", &self.matching).finish_non_exhaustive()
    }
}
