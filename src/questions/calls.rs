//! All calls of functions: arguments, results, callers; which never returned.
//!
//! ```text
//! prepare    what is looked at: where functions begin and end, and what is evaluated there
//! row        calls as they are told
//! streams    calls in their order, thread by thread
//! ```

mod prepare;
mod row;
mod streams;

pub(super) use prepare::MOST_PROBES;
pub use row::{Argument, CallRow, Ending, Source};
pub(super) use streams::Span;

use super::answer::{ASKED, DEADLINE, Facts, LIMIT, Named};
use super::error::Error;
use super::expression::scope_at;
use super::function::Subject;
use super::hits::{Filter, event_of};
use super::matching::{Around, End, Matching};
use super::place::{Functions, functions};
use super::plan::Collected;
use super::program::Program;
use super::returned::{Collecting, result};
use super::scope::At;
use super::trace::Biases;
use crate::cancel::Cancel;
use crate::engine::debug_paths;
use crate::rr::{self, ProbePass, Rr};
use crate::softcounters::probes::BriefHit;
use prepare::{Expressions, Role, prepare, probes};
use row::source;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::time::Instant;

/// Callers that are told.
const CALLERS: usize = 20;
/// Most places of calls that are told apart.
const MOST_CALLERS: usize = 1 << 16;

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
    program: Program,
    pass: ProbePass,
    subjects: Vec<Subject>,
    roles: Vec<Role>,
    collecting: Collecting,
    values: Vec<Option<Expressions>>,
    calls: Vec<Call>,
}

/// A call, in few bytes.
#[derive(Clone, Copy, Debug)]
struct Call {
    entry: u64,
    body: Option<u64>,
    exit: Option<u64>,
    subject: u32,
    depth: u32,
    around: Option<u32>,
    tail: bool,
    doubtful: bool,
    end: End,
    matches: Option<bool>,
}

/// What the hits tell in all.
struct Joined {
    calls: Vec<Call>,
    /// Of each call, the process and the address that it returns to.
    caller_of: Vec<(u32, u64)>,
    /// Of each of these, an event at which it is mapped, and a count.
    callers: HashMap<(u32, u64), (u64, u64)>,
    /// Returns of no known call.
    strays: u64,
}

impl Joined {
    /// Returns the addresses to which calls return that may have returned without its being seen: they have gone on in
    /// code that is not looked at.
    fn unseen(&self, subjects: &[Subject]) -> BTreeSet<u64> {
        let may_go_on = |subject: u32| {
            let exits = subjects.get(subject as usize).map(|subject| &subject.exits);
            exits.is_some_and(|exits| exits.jumps_anywhere || !exits.tails.is_empty() || exits.returns.is_empty())
        };
        let is_unseen = |call: &Call| match call.end {
            End::Returned => false,
            End::Left => call.matches != Some(false),
            End::Lost => call.matches != Some(false) && may_go_on(call.subject),
        };
        let unseen = self.calls.iter().zip(&self.caller_of).filter(|(call, _)| is_unseen(call));
        unseen.map(|(_, (_, address))| *address).filter(|address| *address != 0).collect()
    }
}

impl Calls {
    /// Asks a recording.
    ///
    /// # Errors
    /// If there is no such function, if an expression makes no sense, or cannot be collected; if it cannot be replayed;
    /// if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &CallsQuery, cancel: &Cancel) -> Result<Self, Error> {
        let named = |program: &Program| functions(program, &query.function, query.is_pattern);
        Self::of(rr, recording, query, &named, cancel)
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
        let mappings = rr::mappings(&trace, cancel)?;
        query.filter.check(mappings.events)?;
        let program = Program::open(&trace, mappings, &debug_paths(), cancel);
        let (subjects, values, mut notes) = program.ask(|| prepare(&program, choose(&program)?, query))??;
        let collecting = subjects
            .iter()
            .fold(Collecting::default(), |all, subject| all.and(Collecting::of(subject.result.as_ref())));
        let (list, roles) = probes(&program, &subjects, collecting, &BTreeSet::new())?;
        let pass = rr.probe_pass(&trace, &list, LIMIT, DEADLINE)?;
        let facts = Facts::new(program.mappings.events, begun.elapsed(), &pass);
        let mut answer = Self {
            facts,
            matching: 0,
            returned: 0,
            unfinished: 0,
            unjudged: 0,
            deepest: 0,
            functions: Vec::new(),
            callers: Vec::new(),
            program,
            pass,
            subjects,
            roles,
            collecting,
            values,
            calls: Vec::new(),
        };
        let mut joined = answer.join(query, cancel)?;
        // Where these go on is not known, but where they return to.
        let backs = joined.unseen(&answer.subjects);
        if !backs.is_empty() {
            let (list, roles) = probes(&answer.program, &answer.subjects, collecting, &backs)?;
            answer.pass = rr.probe_pass(&trace, &list, LIMIT, DEADLINE)?;
            answer.roles = roles;
            answer.facts = Facts::new(answer.program.mappings.events, begun.elapsed(), &answer.pass);
            joined = answer.join(query, cancel)?;
        }
        answer.facts.notes.append(&mut notes);
        answer.take(joined)?;
        answer.facts.took = begun.elapsed();
        Ok(answer)
    }

    /// Looks at all hits once: which are whose calls, and which match.
    fn join(&self, query: &CallsQuery, cancel: &Cancel) -> Result<Joined, Error> {
        let has_condition = query.condition.is_some();
        let (mut matching, mut calls) = (Matching::default(), Vec::<Call>::new());
        // What is needed to judge a call when it ends.
        let mut open: HashMap<u32, (Collected, At)> = HashMap::new();
        let mut callers: HashMap<(u32, u64), (u64, u64)> = HashMap::new();
        let mut caller_of: Vec<(u32, u64)> = Vec::new();
        let mut strays = 0u64;
        let awaited: BTreeSet<u64> = self.roles.iter().filter_map(Role::back).collect();
        let mut biases = Biases::default();
        let mut caller_before = None;
        let (mut process, mut ends) = ((0, 0), Vec::<(u32, End)>::new());
        let (mut hits, mut numbers) = (self.pass.glimpses()?, 0u64..);
        while let (Some(hit), Some(number)) = (hits.next_hit(), numbers.next()) {
            let (hit, found) = hit?;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let Some(role) = self.roles.get(hit.probe).copied() else { continue };
            let sp = found.word(0).unwrap_or(0);
            match role {
                Role::Entry(subject) => {
                    let Some(asked) = self.subjects.get(subject as usize) else { continue };
                    let id = u32::try_from(calls.len()).ok().filter(|_| !asked.is_hidden);
                    let back = found.word(1).unwrap_or(0);
                    let is_awaited = awaited.contains(&back);
                    let ended = |call, end| ends.push((call, end));
                    let around = matching.enter((hit.thread, sp), subject, id, is_awaited, ended);
                    self.ended(&mut calls, &mut open, &mut ends, None)?;
                    let Some(id) = id else { continue };
                    let (depth, parent, tail) = match around {
                        Around::Nothing => (0, None, false),
                        Around::Call(call) => (calls.get(call as usize).map_or(0, |c| c.depth + 1), Some(call), false),
                        Around::Tail(call) => {
                            let before = calls.get(call as usize);
                            (before.map_or(0, |c| c.depth), before.and_then(|c| c.around), true)
                        }
                    };
                    let is_asked = query.filter.has(&self.program, &self.pass, &hit);
                    calls.push(Call {
                        entry: number,
                        body: None,
                        exit: None,
                        subject,
                        depth,
                        around: parent,
                        tail,
                        doubtful: false,
                        end: End::Lost,
                        matches: if !is_asked {
                            Some(false)
                        } else if has_condition {
                            None
                        } else {
                            Some(true)
                        },
                    });
                    if process.0 != hit.tid {
                        process = (hit.tid, self.program.mappings.process_of(hit.tid));
                    }
                    let caller = (process.1, back);
                    caller_of.push(caller);
                    // Most are called several times from the same place.
                    if caller_before.replace(caller) != Some(caller) && callers.len() < MOST_CALLERS {
                        callers.entry(caller).or_insert_with(|| (event_of(&self.pass, &hit), 0));
                    }
                    let at_entry =
                        self.values.get(subject as usize).and_then(Option::as_ref).is_some_and(|v| !v.at_body);
                    if has_condition && is_asked && at_entry {
                        let (at, _) = biases.at(&self.program, &self.pass, &hit, &asked.entry);
                        let values = found.values()?;
                        let values = values.get(super::function::AT_ENTRY..).unwrap_or_default();
                        open.insert(id, (asked.entry_plan.moment(values), at));
                    }
                }
                Role::Body(subject) => {
                    let Some(asked) = self.subjects.get(subject as usize) else { continue };
                    let Some(body) = &asked.body else { continue };
                    let sp = sp.wrapping_add_signed(body.base.1);
                    let Some(id) = matching.under_way(hit.thread, sp) else { continue };
                    let Some(call) = calls.get_mut(id as usize).filter(|c| c.subject == subject && c.body.is_none())
                    else {
                        continue;
                    };
                    call.body = Some(number);
                    let at_body = self.values.get(subject as usize).and_then(Option::as_ref).is_some_and(|v| v.at_body);
                    if has_condition && at_body && call.matches.is_none() {
                        let (at, _) = biases.at(&self.program, &self.pass, &hit, &body.spot);
                        let values = found.values()?;
                        let values = values.get(super::function::AT_BODY..).unwrap_or_default();
                        open.insert(id, (body.plan.moment(values), at));
                    }
                }
                Role::Return(subject) => {
                    let was_open = matching.leave_for_good(hit.thread, sp, |call, end| ends.push((call, end)));
                    let is_hidden = self.subjects.get(subject as usize).is_none_or(|s| s.is_hidden);
                    strays += u64::from(!was_open && !is_hidden);
                    self.ended(&mut calls, &mut open, &mut ends, Some((number, &found)))?;
                }
                Role::Tail(to) => matching.leave(hit.thread, sp, to),
                Role::Back(_) => {
                    // The return address is no more on the stack.
                    matching.leave_for_good(hit.thread, sp.wrapping_sub(8), |call, end| ends.push((call, end)));
                    self.ended(&mut calls, &mut open, &mut ends, Some((number, &found)))?;
                }
            }
        }
        matching.finish(|call, end| ends.push((call, end)));
        self.ended(&mut calls, &mut open, &mut ends, None)?;
        Ok(Joined { calls, caller_of, callers, strays })
    }

    /// Takes what was found.
    fn take(&mut self, joined: Joined) -> Result<(), Error> {
        let Joined { mut calls, caller_of, callers, strays } = joined;
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
        self.count(&calls, &caller_of, callers)?;
        calls.retain(|call| call.matches == Some(true));
        calls.shrink_to_fit();
        self.calls = calls;
        Ok(())
    }

    /// Ends calls, with this hit if they returned.
    fn ended(
        &self,
        calls: &mut [Call],
        open: &mut HashMap<u32, (Collected, At)>,
        ends: &mut Vec<(u32, End)>,
        returned: Option<(u64, &BriefHit<'_>)>,
    ) -> Result<(), Error> {
        for (id, end) in ends.drain(..) {
            let Some(call) = calls.get_mut(id as usize) else { continue };
            call.end = end;
            call.exit = returned.map(|(number, _)| number);
            if call.matches.is_some() {
                continue;
            }
            let Some((mut moment, at)) = open.remove(&id) else { continue };
            let Some(subject) = self.subjects.get(call.subject as usize) else { continue };
            let Some(expressions) = self.values.get(call.subject as usize).and_then(Option::as_ref) else { continue };
            let Some(condition) = &expressions.condition else { continue };
            let spot = match &subject.body {
                Some(body) if expressions.at_body => &body.spot,
                _ => &subject.entry,
            };
            let mut scope = scope_at(&self.program, spot, &mut moment, at);
            let values = returned.map(|(_, hit)| hit.values()).transpose()?;
            let found = values.and_then(|values| {
                let (value, _) = result(&self.program, subject, self.collecting, values.get(1..)?)?;
                Some(value)
            });
            scope.returned = row::returned(subject, found.as_ref(), returned.is_some());
            call.matches = condition.holds(&mut scope).ok();
        }
        Ok(())
    }

    /// Counts those that match.
    fn count(
        &mut self,
        calls: &[Call],
        caller_of: &[(u32, u64)],
        mut callers: HashMap<(u32, u64), (u64, u64)>,
    ) -> Result<(), Error> {
        let mut of_functions = vec![0u64; self.subjects.len()];
        let mut of_caller: Option<((u32, u64), u64)> = None;
        let add = |callers: &mut HashMap<(u32, u64), (u64, u64)>, caller, more: u64| {
            if let Some((_, count)) = callers.get_mut(&caller) {
                *count += more;
            }
        };
        for (call, caller) in calls.iter().zip(caller_of) {
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
            if let Some((_, count)) = of_caller.as_mut().filter(|(before, _)| before == caller) {
                *count += 1;
            } else if let Some((before, count)) = of_caller.replace((*caller, 1)) {
                add(&mut callers, before, count);
            }
        }
        if let Some((caller, count)) = of_caller {
            add(&mut callers, caller, count);
        }
        let is_told = |s: &Subject, count| !s.is_hidden && (count > 0 || !s.asked.is_choice);
        let asked = self.subjects.iter().zip(of_functions).filter(|(subject, count)| is_told(subject, *count));
        let mut functions: Vec<Named> =
            asked.map(|(s, count)| Named { name: s.asked.function.name.clone(), count }).collect();
        functions.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        self.functions = functions;
        let mut named: BTreeMap<String, u64> = BTreeMap::new();
        for ((pid, address), (event, count)) in callers.into_iter().filter(|(_, (_, count))| *count > 0) {
            let source = self.program.ask(|| source(&self.program, pid, event, address))?;
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
        let around = calls.get(number).and_then(|call| call.around).and_then(|around| calls.get(around as usize));
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
