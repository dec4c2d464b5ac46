//! Why some code was executed, or why it never was.
//!
//! A count pass says what was executed. From code that never was, the ways back through the control flow of its function
//! end at instructions that were executed and went on elsewhere: branches whose condition was the other one, calls that
//! have not returned, or at the entry of a function that nobody called, and then at its callers. Of code that was
//! executed, the branches are looked for on which that depended (control dependence). A probe pass collects what their
//! conditions were.

mod branch;
mod callers;
mod condition;
mod flow;
mod look;
mod noreturn;
mod parting;
mod tables;
mod target;

use self::branch::{Branch, Seen};
use self::flow::{Edge, Flow, Turn};
use self::look::{Asking, Look};
pub use self::parting::{BranchSide, FirstBranch};
pub(super) use self::parting::{Code, Stretch, first_branch};
use super::answer::Facts;
use super::calls::{Source, source};
use super::error::Error;
use super::executed::Executed;
use super::execution::Execution;
use super::expression::where_is;
use super::hits::Moment;
use super::place::{Spot, places};
use super::program::Program;
use super::summary::Summary;
use arch::LinkAddr;
use base::cancel::Cancel;
use engine::model::Waypoint;
use program::location::Location;
use program::sources::source_line;
use rr::Rr;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

/// Most copies of some code that are looked at.
const MOST_SPOTS: usize = 16;
/// Most branches that are looked at.
const MOST_BRANCHES: usize = 64;
/// Most conditions that are told of, the nearest first.
const MOST_STEPS: usize = 4;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WhyQuery {
    /// Where, written as for a breakpoint.
    pub location: String,
    /// The last execution up to this moment is asked about, rather than the last of all.
    pub at: Option<Waypoint>,
}

/// How an execution turned toward some code, or away from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turned {
    /// At a branch.
    Branch,
    /// At a jump through a table: a `switch`.
    Table,
    /// At a call that has not returned, of this function if that is known.
    Call(Option<String>),
    /// The execution ended there.
    Stopped,
    /// This function was never called. Where it is called from, if any code calls it directly.
    NeverCalled(String, Vec<String>),
    /// No instruction leads there: only an exception does.
    Handler,
}

/// A place that decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// How.
    pub turned: Turned,
    /// Where: `list.c:42 (insert)`.
    pub place: String,
    /// Its source line.
    pub text: Option<String>,
    /// How often it was executed.
    pub executed: u64,
    /// How often the execution went on toward the code from there, if the counts tell.
    pub toward: Option<u64>,
    /// The last time that it was executed, or the time that decided.
    pub at: Option<Moment>,
    /// What was compared then: `5 with 16`.
    pub compared: Option<String>,
    /// The variables in the line and their values then.
    pub values: Vec<(String, Result<String, String>)>,
    /// All values that they had there, where that is known.
    pub summaries: Vec<Summary>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// What was searched.
    pub facts: Facts,
    /// Where.
    pub place: String,
    /// Its source line.
    pub text: Option<String>,
    /// How often it was executed.
    pub executed: u64,
    /// The execution that is explained.
    pub at: Option<Moment>,
    /// What decided; the nearest first.
    pub decisions: Vec<Decision>,
    /// Where the function was called in the execution that is explained.
    pub caller: Option<Source>,
    /// When it was called.
    pub called: Option<Moment>,
}

/// A place of the code that is asked about.
struct Place {
    spot: Spot,
    flow: Flow,
    count: u64,
}

/// What was executed of the program, by module.
pub(super) struct Counts<'a> {
    execution: &'a Execution,
    modules: RefCell<BTreeMap<usize, Rc<Executed>>>,
}

impl<'a> Counts<'a> {
    fn new(execution: &'a Execution) -> Self {
        Self { execution, modules: RefCell::default() }
    }

    /// Returns how often the instruction at an address of a module was executed.
    pub(super) fn of(&self, module: usize, address: u64) -> u64 {
        let mut modules = self.modules.borrow_mut();
        let executed = modules.entry(module).or_insert_with(|| self.execution.executed(module).into());
        executed.count(address)
    }
}

impl Why {
    /// Asks a recording. `execution`: what was executed in it.
    ///
    /// # Errors
    /// If there is no such place, if it cannot be replayed, and if it is cancelled.
    pub fn ask(
        rr: &Rr,
        recording: &Path,
        execution: &Execution,
        query: &WhyQuery,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let begun = Instant::now();
        let trace = rr::resolve_trace(Some(recording))?;
        let program = execution.program();
        let counts = Counts::new(execution);
        let (spots, note) = program.ask_with(cancel, || places(program, &query.location))??;
        let elsewhere =
            program.ask_with(cancel, || spots.iter().all(|spot| is_elsewhere(program, spot, &query.location)))?;
        if let Some(spot) = spots.first().filter(|_| elsewhere) {
            let why = "has no code: the compiler has removed it, or made it part of other lines. The next code is of";
            let next = where_is(program, spot);
            return Err(Error::question(format!("`{}` {why} another function, {next}", query.location.trim())));
        }
        let mut facts = Facts { events: execution.facts.events, ..Facts::default() };
        facts.notes.extend(note.into_iter().chain(execution.facts.notes.iter().cloned()));
        if spots.len() > MOST_SPOTS {
            facts.notes.push(format!("{} copies have this code, {MOST_SPOTS} are looked at", spots.len()));
        }
        let all: Vec<Place> = program.ask_with(cancel, || {
            spots.into_iter().take(MOST_SPOTS).filter_map(|spot| Place::new(program, &counts, spot)).collect()
        })?;
        let Some(first) = all.first() else {
            return Err(Error::question(format!(
                "`{}` is in no function whose code can be read: it is generated by the program, or has too many instructions",
                query.location
            )));
        };
        let executed = all.iter().fold(0_u64, |sum, place| sum.saturating_add(place.count));
        let line = program.module(first.spot.module).and_then(|module| module.line(first.spot.address));
        let mut why = Self {
            facts,
            place: where_is(program, &first.spot),
            text: line.and_then(|(path, _, line)| source_line(&path, line)).map(|text| condition::shown(&text)),
            executed,
            at: None,
            decisions: Vec::new(),
            caller: None,
            called: None,
        };
        match executed {
            0 => why.never(rr, &trace, program, &counts, &all, cancel)?,
            _ => why.last_time(rr, &trace, program, &counts, all, query.at.as_ref(), cancel)?,
        }
        why.facts.took = begun.elapsed();
        Ok(why)
    }

    /// Says why it was never executed.
    fn never(
        &mut self,
        rr: &Rr,
        trace: &Path,
        program: &Program,
        counts: &Counts<'_>,
        all: &[Place],
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let mut edges: Vec<(usize, Rc<Flow>, Edge)> = Vec::new();
        for place in all {
            let (module, address) = (place.spot.module, place.spot.address.0);
            let met = callers::frontier(program, counts, module, address, cancel)?;
            edges.extend(met.edges);
            for decision in met.others {
                if !self.decisions.contains(&decision) && self.decisions.len() < MOST_STEPS {
                    self.decisions.push(decision);
                }
            }
        }
        if edges.len() > MOST_BRANCHES {
            let all = edges.len();
            self.facts.notes.push(format!("{all} places could have led there; {MOST_BRANCHES} of them were looked at"));
        }
        let mut branches: Vec<Branch> = Vec::new();
        for (module, flow, edge) in edges.iter().take(MOST_BRANCHES) {
            let is_known = |known: &Branch| (known.module, known.edge.from) == (*module, edge.from);
            if !branches.iter().any(is_known) {
                branches.push(program.ask_with(cancel, || Branch::new(program, *module, flow, *edge))??);
            }
        }
        if branches.is_empty() {
            return Ok(());
        }
        let executed: Vec<u64> = branches.iter().map(|branch| counts.of(branch.module, branch.edge.from)).collect();
        let look = Look::new(rr, trace, program, &branches, &[], None)?;
        let (_, last) = look.last(cancel)?;
        let numbers: Vec<u64> = last.values().copied().collect();
        let mut seen = look.seen(&numbers, cancel)?;
        let mut summaries = look.summaries(&executed, cancel)?;
        self.took_note_of(&look);
        let mut found: Vec<(u64, Decision)> = Vec::new();
        for (number, branch) in branches.iter().enumerate() {
            let hit = last.get(&number).copied();
            let seen = hit.and_then(|hit| seen.remove(&hit));
            let summaries = summaries.get_mut(number).map(std::mem::take).unwrap_or_default();
            let executed = executed.get(number).copied().unwrap_or_default();
            let decision = decision(branch, executed, Some(0), seen);
            found.push((hit.unwrap_or_default(), Decision { summaries, ..decision }));
        }
        // The nearest is the one that was come to last. The parts of one condition are one.
        found.sort_by_key(|(hit, _)| std::cmp::Reverse(*hit));
        let mut seen = BTreeSet::new();
        found.retain(|(_, decision)| decision.turned != Turned::Branch || seen.insert(decision.place.clone()));
        if let Some(more) = found.len().checked_sub(MOST_STEPS).filter(|more| *more > 0) {
            self.facts
                .notes
                .push(format!("{more} other places could have led there; those that were executed last are shown"));
            found.truncate(MOST_STEPS);
        }
        self.decisions.splice(0..0, found.into_iter().map(|(_, decision)| decision));
        Ok(())
    }

    /// Says why it was executed the last time.
    #[expect(clippy::too_many_arguments, reason = "what a pass needs")]
    fn last_time(
        &mut self,
        rr: &Rr,
        trace: &Path,
        program: &Program,
        counts: &Counts<'_>,
        mut all: Vec<Place>,
        at: Option<&Waypoint>,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        all.retain(|place| place.count > 0);
        let mut branches: Vec<Branch> = Vec::new();
        for place in &all {
            let module = place.spot.module;
            let mut pending = vec![place.spot.address.0];
            let mut depth = 0;
            while !pending.is_empty() && depth < MOST_STEPS {
                let mut next = Vec::new();
                for edge in pending.iter().flat_map(|code| place.flow.deciders(*code)) {
                    let is_known = |known: &Branch| known.module == module && known.edge == edge;
                    if counts.of(module, edge.from) == 0
                        || branches.iter().any(is_known)
                        || branches.len() == MOST_BRANCHES
                    {
                        continue;
                    }
                    let branch = program.ask_with(cancel, || Branch::new(program, module, &place.flow, edge))??;
                    branches.push(branch);
                    next.push(edge.from);
                }
                pending = next;
                depth += 1;
            }
        }
        let asking: Vec<Asking> = all.iter().map(|place| Asking::new(place.spot.clone(), &place.flow)).collect();
        let look = Look::new(rr, trace, program, &branches, &asking, at)?;
        let (last, _) = look.last(cancel)?;
        self.took_note_of(&look);
        let Some(last) = last else {
            let when = if at.is_some() { "up to the moment that is asked about" } else { "in the code that was read" };
            self.facts.notes.push(format!("it was not executed {when}"));
            return Ok(());
        };
        let Some(place) = all.get(last.place) else { return Ok(()) };
        let module = place.spot.module;
        let mut deciding: Vec<(usize, u64)> = Vec::new();
        let (mut code, mut before) = (place.spot.address.0, last.hit());
        while deciding.len() < MOST_BRANCHES {
            let edges = place.flow.deciders(code);
            let line = |edge: &Edge| program.module(module).and_then(|module| module.line(LinkAddr(edge.from)));
            // Around the nearest condition are those, with all their parts, by which every way leads there.
            let is_around = |edge: &&Edge| {
                let own = line(edge);
                let parts: Vec<u64> = edges.iter().filter(|other| line(other) == own).map(|other| other.from).collect();
                deciding.is_empty() || place.flow.dominate(&parts, code)
            };
            let edges: Vec<Edge> = edges.iter().filter(is_around).copied().collect();
            let number = |edge: &Edge| branches.iter().position(|b| b.module == module && b.edge == *edge);
            let numbers: Vec<usize> = edges.iter().filter_map(number).collect();
            let Some((number, hit)) = last.last_of(&numbers, before) else { break };
            deciding.push((number, hit));
            let Some(branch) = branches.get(number) else { break };
            (code, before) = (branch.edge.from, hit);
        }
        let numbers = deciding.iter().map(|(_, hit)| *hit).chain([last.hit()]).chain(last.entered());
        let mut seen = look.seen(&numbers.collect::<Vec<_>>(), cancel)?;
        self.at = seen.remove(&last.hit()).map(|seen| seen.at);
        let mut line = None;
        for (number, hit) in deciding {
            let Some(branch) = branches.get(number) else { continue };
            // The parts of one condition are one.
            if branch.line.is_some() && line == branch.line {
                continue;
            }
            line.clone_from(&branch.line);
            let count = |address: u64| counts.of(module, address);
            let toward = place.flow.taken(branch.edge, &count);
            let decision = decision(branch, count(branch.edge.from), toward, seen.remove(&hit));
            self.decisions.push(decision);
            if self.decisions.len() == MOST_STEPS {
                break;
            }
        }
        if let Some(entered) = last.entered() {
            if let Some(Seen { at, back, .. }) = seen.remove(&entered) {
                let event = at.event.unwrap_or(u64::MAX);
                let source = back.map(|back| source(program, at.pid, event, back));
                self.caller = source.filter(|source| source.function.is_some());
                self.called = Some(at);
            }
            // Who calls `main` is nobody's question.
            let is_libc = |source: &Source| source.function.as_ref().is_some_and(|f| f.starts_with("__libc_start"));
            if self.caller.as_ref().is_some_and(is_libc) {
                (self.caller, self.called) = (None, None);
            }
        }
        Ok(())
    }

    /// Says what may be missing in what a pass has found.
    fn took_note_of(&mut self, look: &Look<'_>) {
        let facts = Facts::new(self.facts.events, std::time::Duration::ZERO, &look.pass);
        self.facts.hits = facts.hits;
        self.facts.is_truncated |= facts.is_truncated;
        self.facts.notes.extend(facts.notes);
    }
}

impl Place {
    fn new(program: &Program, counts: &Counts<'_>, spot: Spot) -> Option<Self> {
        let module = program.module(spot.module).filter(|_| spot.generated.is_none())?;
        let flow = Flow::of(module, &module.image.function_at(spot.address)?)?;
        flow.at(spot.address.0)?;
        let count = counts.of(spot.module, spot.address.0);
        Some(Self { spot, flow, count })
    }
}

/// Returns whether code is of a function that begins behind the line that was asked for: then that line has none.
fn is_elsewhere(program: &Program, spot: &Spot, location: &str) -> bool {
    let Ok(Location::FileLine(_, asked) | Location::Line(asked)) = Location::parse(location) else { return false };
    let function = program.module(spot.module).and_then(|module| module.image.function_at(spot.address));
    function.and_then(|function| function.line).is_some_and(|line| asked < line)
        && program.module(spot.module).and_then(|module| module.line(spot.address)).is_none_or(|line| line.2 != asked)
}

/// Puts together what a branch was once.
fn decision(branch: &Branch, executed: u64, toward: Option<u64>, seen: Option<Seen>) -> Decision {
    let turned = match branch.edge.turn {
        Turn::Branch => Turned::Branch,
        Turn::Table => Turned::Table,
        Turn::Call => Turned::Call(branch.callee.clone()),
        Turn::Stopped => Turned::Stopped,
    };
    let (at, compared, values) = match seen {
        Some(Seen { at, compared, values, .. }) => (Some(at), compared, values),
        None => (None, None, Vec::new()),
    };
    Decision {
        turned,
        place: branch.place.clone(),
        text: branch.text.clone(),
        executed,
        toward,
        at,
        compared,
        values,
        summaries: Vec::new(),
    }
}
