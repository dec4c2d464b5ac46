//! Values of expressions at places, whenever these are executed: what log points would have told.

use super::answer::{ASKED, DEADLINE, Facts, LIMIT, Named};
use super::biases::{Biases, Instructions};
use super::error::Error;
use super::expression::{Expression, NotCollected, Several, scope_at, where_is};
use super::hits::{Filter, Moment, Visits};
use super::place::{Spot, places};
use super::plan::{Plan, PlanBuilder};
use super::program::Program;
use super::shown::Shown;
use super::summary::{Summary, Summing};
use arch::RunAddr;
use base::cancel::Cancel;
use rr::{ProbePass, Rr};
use softcounters::probes::{Place, Probe};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// Most hits that fulfil a condition.
const MOST: usize = 16 << 20;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TraceQuery {
    /// Where, written as for a breakpoint: functions, `FILE:LINE`, `FILE: TEXT`, `LINE` of the file with `main`,
    /// `*ADDRESS`.
    pub locations: Vec<String>,
    /// What is told at each hit.
    pub values: Vec<String>,
    /// Which hits.
    pub condition: Option<String>,
    /// Which hits, too.
    pub filter: Filter,
    /// Only one of them.
    pub which: Which,
    /// Whether the values are summed up.
    pub summarize: bool,
}

/// Which of the hits that fulfil the condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Which {
    /// All.
    #[default]
    All,
    /// The first.
    First,
    /// The last.
    Last,
}

/// A hit.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceRow {
    /// When.
    pub at: Moment,
    /// Where, in words.
    pub place: String,
    /// The expressions' values.
    pub values: Vec<Result<Shown, NoValue>>,
}

/// Why an expression has no value in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoValue {
    /// The reason, in words.
    pub why: String,
    /// It is that of all rows of the place, and a note says it.
    pub is_noted: bool,
}

/// The answer.
pub struct Trace {
    /// What was searched.
    pub facts: Facts,
    /// Hits that match.
    pub matching: u64,
    /// Hits of which it could not be said.
    pub unjudged: u64,
    /// How many hits each place has that match.
    pub places: Vec<Named>,
    /// What the values were, if that was asked.
    pub summaries: Vec<Summary>,
    /// The expressions.
    pub expressions: Vec<String>,
    program: Program,
    pass: ProbePass,
    spots: Vec<Looked>,
    instructions: Instructions,
    /// The numbers of the hits that match; `None`: all.
    chosen: Option<Vec<u64>>,
}

/// A place with its expressions.
struct Looked {
    spot: Spot,
    name: String,
    plan: Plan,
    values: Vec<Result<Expression, NotCollected>>,
    /// Why it has no value of any of them, if none can be told there.
    failed: Option<Error>,
    condition: Option<Expression>,
}

impl Looked {
    fn new(program: &Program, spot: Spot, query: &TraceQuery) -> Result<Self, Error> {
        let code = match spot.generated {
            Some(address) => Some(address.0),
            None => program.code_at(spot.module, spot.address),
        };
        let mut wanted = PlanBuilder::new(0, code);
        let Several { told: values, failed } = Expression::each(program, &spot, &mut wanted, &query.values, None)?;
        let condition = |text: &String| Expression::condition(program, &spot, &mut wanted, text, None);
        let condition = query.condition.as_ref().map(condition).transpose()?;
        let name = where_is(program, &spot);
        Ok(Self { plan: wanted.plan(), values, failed, condition, name, spot })
    }

    /// Returns which of several the names of its expressions mean, as far as that does not go without saying.
    fn choices(&self, program: &Program) -> Vec<String> {
        let all = self.values.iter().filter_map(|value| value.as_ref().ok()).chain(&self.condition);
        all.flat_map(|expression| expression.choices(program, &self.spot)).collect()
    }

    fn probe(&self, program: &Program) -> Option<Probe> {
        let place = match self.spot.generated {
            Some(RunAddr(address)) => Place::Address { address, space: None },
            None => {
                let module = program.module(self.spot.module)?.identity.clone();
                Place::Module { module, address: self.spot.address.0 }
            }
        };
        let requires = self.condition.as_ref().map(|condition| condition.requires.clone()).unwrap_or_default();
        Some(Probe { requires, ..Probe::new(place, self.plan.values.clone()) })
    }
}

impl Trace {
    /// Asks a recording.
    ///
    /// # Errors
    /// If the places make no sense; if the condition cannot be judged at one of them, or none of the expressions told at any; if
    /// it cannot be replayed; if it is cancelled.
    pub fn ask(rr: &Rr, recording: &Path, query: &TraceQuery, cancel: &Cancel) -> Result<Self, Error> {
        let begun = Instant::now();
        let trace = rr::resolve_trace(Some(recording))?;
        let program = Program::open(&trace, cancel)?;
        query.filter.check(program.mappings.events)?;
        let (spots, notes) = program.ask(|| {
            let (mut spots, mut notes): (Vec<Looked>, Vec<String>) = (Vec::new(), Vec::new());
            for location in &query.locations {
                let (found, note) = places(&program, location)?;
                notes.extend(note);
                for spot in found {
                    spots.push(Looked::new(&program, spot, query)?);
                }
            }
            // A line with code that unwinds has places without the variables of the others.
            if spots.iter().all(|looked| looked.failed.is_some())
                && let Some(first) = spots.iter_mut().find_map(|looked| looked.failed.take())
            {
                return Err(first);
            }
            let untold = spots.iter().flat_map(|looked| looked.values.iter().filter_map(|value| value.as_ref().err()));
            notes.extend(untold.map(NotCollected::note).collect::<BTreeSet<_>>());
            notes.extend(spots.iter().flat_map(|looked| looked.choices(&program)).collect::<BTreeSet<_>>());
            Ok::<_, Error>((spots, notes))
        })??;
        let mut probes: Vec<Probe> = spots.iter().filter_map(|looked| looked.probe(&program)).collect();
        let instructions = Instructions::add_to(&mut probes, &program);
        let look = |pass: &ProbePass| match judge(&program, pass, (&spots, &instructions), query, cancel) {
            judged @ Ok(Judged { searched: None, .. }) => ControlFlow::Continue(judged),
            judged => ControlFlow::Break(judged),
        };
        let (pass, judged) = rr.probe_pass_with(&trace, &probes, LIMIT, DEADLINE, look)?;
        let Judged { matching, unjudged, counts, summaries, chosen, searched } = judged?;
        let mut facts = Facts::new(program.mappings.events, begun.elapsed(), &pass);
        if let Some((hits, events)) = searched {
            // How much more was replayed until that was seen is chance.
            (facts.hits, facts.events) = (hits, events.min(facts.events));
        }
        facts.notes.splice(0..0, notes);
        let all = spots.iter().zip(counts);
        let places = all.map(|(looked, count)| Named { name: looked.name.clone(), count }).collect();
        let expressions = query.values.clone();
        Ok(Self {
            facts,
            matching,
            unjudged,
            places,
            summaries,
            expressions,
            program,
            pass,
            spots,
            instructions,
            chosen,
        })
    }

    /// Returns how many rows there are.
    pub fn rows(&self) -> u64 {
        self.chosen.as_ref().map_or(self.matching, |chosen| chosen.len() as u64)
    }

    /// Returns so many rows from one on.
    ///
    /// # Errors
    /// If what was found cannot be read any more, and if it is cancelled.
    pub fn page(&self, offset: u64, limit: usize, cancel: &Cancel) -> Result<Vec<TraceRow>, Error> {
        let end = offset.saturating_add(limit as u64).min(self.rows());
        let wanted: Vec<u64> = match &self.chosen {
            Some(chosen) => (offset..end).filter_map(|row| chosen.get(usize::try_from(row).ok()?).copied()).collect(),
            None => (offset..end).collect(),
        };
        let mut wanted = wanted.into_iter().peekable();
        let (mut rows, mut biases, mut visits) = (Vec::new(), Biases::default(), Visits::default());
        let (mut hits, mut numbers) = (self.pass.glimpses()?, 0u64..);
        while let (Some(next), Some(hit), Some(number)) = (wanted.peek(), hits.next_hit(), numbers.next()) {
            let (hit, found) = hit?;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let visit = visits.count(hit.thread, hit.ticks, self.instructions.place(&hit, &found));
            // Those that were passed over are visits, too.
            let passed = u32::try_from(found.passed_in_tick).ok();
            let visit = visit.zip(passed).and_then(|(visit, passed)| visit.checked_add(passed));
            if *next != number {
                continue;
            }
            wanted.next();
            let Some(looked) = self.spots.get(hit.probe) else { continue };
            let known = self.instructions.of(&hit, &found);
            let mut moment = looked.plan.moment(&found.values()?);
            let (at, when) = biases.at(&self.program, &self.pass, &hit, &looked.spot, known);
            let mut scope = scope_at(&self.program, &looked.spot, &mut moment, at);
            let value = |value: &Result<Expression, NotCollected>| match value {
                Ok(value) => value.shown(&mut scope).map_err(|why| NoValue { why, is_noted: false }),
                Err(untold) => Err(NoValue { why: untold.reason(), is_noted: true }),
            };
            let values = self.program.ask(|| looked.values.iter().map(value).collect())?;
            let at = Moment { visit, ..when };
            rows.push(TraceRow { at, place: looked.name.clone(), values });
        }
        Ok(rows)
    }
}

/// What the hits tell in all.
struct Judged {
    matching: u64,
    unjudged: u64,
    /// Hits of each place that match.
    counts: Vec<u64>,
    summaries: Vec<Summary>,
    /// The numbers of those that match; `None`: all.
    chosen: Option<Vec<u64>>,
    /// How many hits and events there are up to the one that was all that is wanted.
    searched: Option<(u64, u64)>,
}

/// Looks at all hits once, while the pass is under way: which match, and what their values are in all.
fn judge(
    program: &Program,
    pass: &ProbePass,
    (spots, instructions): (&[Looked], &Instructions),
    query: &TraceQuery,
    cancel: &Cancel,
) -> Result<Judged, Error> {
    let is_all = query.condition.is_none() && query.filter == Filter::default() && query.which == Which::All;
    let mut counts = vec![0u64; spots.len()];
    let mut sums: Vec<Summing> = query.values.iter().map(|text| Summing::new(text)).collect();
    let (mut chosen, mut biases) = (Vec::new(), Biases::default());
    let (mut matching, mut unjudged, mut stack) = (0, 0, Vec::new());
    let mut searched = None;
    let (mut hits, mut numbers) = (pass.glimpses()?, 0u64..);
    while let (Some(hit), Some(number_of_hit)) = (hits.next_hit(), numbers.next()) {
        let (hit, found) = hit?;
        if number_of_hit.is_multiple_of(ASKED) && cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let Some(looked) = spots.get(hit.probe) else { continue };
        if !query.filter.has(program, pass, &hit) {
            continue;
        }
        let quickly =
            looked.condition.as_ref().and_then(|condition| condition.judged(&looked.plan, &found, 0, &mut stack));
        if quickly == Some(false) {
            continue;
        }
        let condition = looked.condition.as_ref().filter(|_| quickly.is_none());
        if condition.is_some() || query.summarize {
            let known = instructions.of(&hit, &found);
            let mut moment = looked.plan.moment(&found.values()?);
            let (at, _) = biases.at(program, pass, &hit, &looked.spot, known);
            let mut scope = scope_at(program, &looked.spot, &mut moment, at);
            match condition.map(|condition| condition.holds(&mut scope)) {
                Some(Ok(false)) => continue,
                Some(Err(_)) => {
                    unjudged += 1;
                    continue;
                }
                Some(Ok(true)) | None => {}
            }
            if query.summarize {
                for (expression, sum) in looked.values.iter().zip(&mut sums) {
                    sum.add(expression.as_ref().map_err(NotCollected::reason).and_then(|told| told.summed(&mut scope)));
                }
            }
        }
        matching += 1;
        if let Some(count) = counts.get_mut(hit.probe) {
            *count += 1;
        }
        match query.which {
            Which::First => {
                chosen.push(number_of_hit);
                let come_to = number_of_hit + 1 + hits.passed_over();
                searched = Some((come_to, pass.completed_between(hit.thread, hit.ticks).1));
                break;
            }
            Which::Last => chosen = vec![number_of_hit],
            Which::All if !is_all && chosen.len() < MOST => chosen.push(number_of_hit),
            Which::All => {}
        }
    }
    let summaries = if query.summarize { sums.into_iter().map(Summing::finish).collect() } else { Vec::new() };
    Ok(Judged { matching, unjudged, counts, summaries, chosen: (!is_all).then_some(chosen), searched })
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace").field("facts", &self.facts).field("matching", &self.matching).finish_non_exhaustive()
    }
}
