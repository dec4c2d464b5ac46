//! The first branch at which two executions of the same code go on differently.
//!
//! Of some functions each recording writes down, thread by thread, at which instructions behind branches it went on.
//! Where these sequences part, the branch executed last is the one that decided.

use super::branch::{Branch, BranchHit};
use super::flow::{Edge, Flow};
use crate::answer::{ASKED, DEADLINE};
use crate::biases::{Biases, Instructions};
use crate::error::Error;
use crate::expression::where_is;
use crate::hits::{Moment, Visits};
use crate::place::Spot;
use crate::program::Program;
use arch::LinkAddr;
use base::cancel::Cancel;
use dwarf::Function;
use rr::{Glimpses, ProbePass, Rr, UpTo};
use softcounters::probes::{Asked, Place, Probe};
use std::collections::BTreeMap;
use std::path::Path;

/// Most branches that are looked at, of the innermost functions first.
const MOST_BRANCHES: usize = 512;
/// Most bytes of hits of one recording.
const LIMIT: u64 = 128 << 20;

/// A function of which the branches are compared.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) module: usize,
    pub(crate) function: Function,
}

/// The part of a thread's execution that is compared.
pub(crate) struct Stretch<'a> {
    pub(crate) recording: &'a Path,
    pub(crate) program: &'a Program,
    /// The functions, the innermost first; the same ones in both recordings, in the same order.
    pub(crate) code: Vec<Code>,
    /// The thread's number, from 1 in the order of the threads' beginnings.
    pub(crate) thread: u32,
    /// Where it begins: at the entry of the first of the functions. `None`: where the thread begins.
    pub(crate) from: Option<Moment>,
    /// Where it ends. `None`: where the thread ends.
    pub(crate) to: Option<Moment>,
}

/// How one of the recordings passed the branch.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchSide {
    /// When.
    pub at: Moment,
    /// What was compared then: `5 with 16`.
    pub compared: Option<String>,
    /// The variables in the line and their values then.
    pub values: Vec<(String, Result<String, String>)>,
    /// Where the execution went on: `list.c:42 (insert)`.
    pub to: String,
}

/// The first branch that went one way in one recording, and another way in the other.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstBranch {
    /// Where: `list.c:42 (insert)`.
    pub place: String,
    /// Its source line.
    pub text: Option<String>,
    /// In the first recording, and in the second.
    pub sides: [BranchSide; 2],
}

/// A branch and the instructions to which it may lead, by their numbers.
struct Fork {
    branch: Branch,
    to: Vec<usize>,
}

/// What is looked at in a recording.
struct Watched<'a> {
    stretch: &'a Stretch<'a>,
    forks: Vec<Fork>,
    /// The instructions behind branches, and their modules.
    leads: Vec<(usize, u64)>,
}

/// One recording's pass over its stretch.
struct Passed<'a> {
    watched: Watched<'a>,
    instructions: Instructions,
    pass: ProbePass,
}

/// The hits of a stretch, in their order.
struct Walk<'a> {
    passed: &'a Passed<'a>,
    hits: Glimpses<'a>,
    number: u64,
    has_begun: bool,
    /// The last hit of each branch, by the branch's number.
    forks: Vec<Option<u64>>,
}

/// Compares two stretches. `None`: no branch of the functions differs, or it is not in what was written down.
///
/// # Errors
/// If a recording cannot be replayed; if it is cancelled.
pub(crate) fn first_branch(
    rr: &Rr,
    stretches: &[Stretch<'_>; 2],
    cancel: &Cancel,
) -> Result<Option<FirstBranch>, Error> {
    let [a, b] = stretches;
    let (a, b) = (Watched::new(a, cancel)?, Watched::new(b, cancel)?);
    let are_same = a.leads.len() == b.leads.len() && a.forks.len() == b.forks.len();
    if a.forks.is_empty() || !are_same || a.leads.iter().zip(&b.leads).any(|(a, b)| a.1 != b.1) {
        return Ok(None);
    }
    let (a, b) = (Passed::new(rr, a)?, Passed::new(rr, b)?);
    let (mut in_a, mut in_b) = (Walk::new(&a)?, Walk::new(&b)?);
    let to = loop {
        let (Some(to_a), Some(to_b)) = (in_a.next(cancel)?, in_b.next(cancel)?) else { return Ok(None) };
        if to_a != to_b {
            break [to_a, to_b];
        }
    };
    // Branches that share the flags of one comparison are looked at there, all of them: the one that leads to both.
    let leads = a.watched.forks.iter().enumerate().filter(|(_, fork)| to.iter().all(|to| fork.to.contains(to)));
    let last = |(number, _): &(usize, &Fork)| in_a.forks.get(*number).copied().flatten();
    let Some((number, fork)) = leads.max_by_key(last) else { return Ok(None) };
    let hit_in = |walk: &Walk<'_>| walk.forks.get(number).copied().flatten();
    let (Some(hit_a), Some(hit_b)) = (hit_in(&in_a), hit_in(&in_b)) else { return Ok(None) };
    let (Some(of_a), Some(of_b)) = (a.side(number, hit_a, to[0], cancel)?, b.side(number, hit_b, to[1], cancel)?)
    else {
        return Ok(None);
    };
    let (place, text) = (fork.branch.place.clone(), fork.branch.text.clone());
    Ok(Some(FirstBranch { place, text, sides: [of_a, of_b] }))
}

impl<'a> Watched<'a> {
    fn new(stretch: &'a Stretch<'a>, cancel: &Cancel) -> Result<Self, Error> {
        let (mut forks, mut leads, program) = (Vec::new(), Vec::new(), stretch.program);
        let mut numbers: BTreeMap<(usize, u64), usize> = BTreeMap::new();
        for Code { module, function } in &stretch.code {
            let flow = program.module(*module).and_then(|module| Flow::of(module, function));
            let Some(flow) = flow else { continue };
            let turns = flow.turns();
            if forks.len() + turns.len() > MOST_BRANCHES {
                continue;
            }
            for (from, turn, to) in turns {
                let Some(edge) = to.first().map(|to| Edge { from, to: *to, turn }) else { continue };
                let branch = program.ask_with(cancel, || Branch::new(program, *module, &flow, edge))??;
                let mut number = |to: u64| {
                    *numbers.entry((*module, to)).or_insert_with(|| {
                        leads.push((*module, to));
                        leads.len() - 1
                    })
                };
                forks.push(Fork { branch, to: to.iter().map(|to| number(*to)).collect() });
            }
        }
        Ok(Self { stretch, forks, leads })
    }

    /// Returns the entry at which the stretch begins.
    fn entry(&self) -> Option<(usize, LinkAddr)> {
        let first = self.stretch.code.first().filter(|_| self.stretch.from.is_some())?;
        Some((first.module, first.function.entry))
    }
}

/// What a hit is at.
enum Met {
    Entry,
    Lead(usize),
    Fork(usize),
}

impl<'a> Passed<'a> {
    fn new(rr: &Rr, watched: Watched<'a>) -> Result<Self, Error> {
        let Stretch { recording, program, thread, from, to, .. } = watched.stretch;
        let probe = |module: usize, address: u64| {
            let module = program.module(module)?.identity.clone();
            Some(Probe::new(Place::Module { module, address }, Vec::new()))
        };
        // Those at one instruction are hit in this order: where a branch has led is a hit before what it leads to.
        let entry = watched.entry().map(|(module, address)| (module, address.0));
        let places = entry.into_iter().chain(watched.leads.iter().copied());
        let mut probes: Vec<Probe> = places.filter_map(|(module, address)| probe(module, address)).collect();
        probes.extend(watched.forks.iter().filter_map(|fork| fork.branch.probe(program)));
        let instructions = Instructions::add_to(&mut probes, program);
        let asked = Asked { probes, ..Asked::default() };
        let up_to = UpTo {
            tid: to.as_ref().or(from.as_ref()).map_or(0, |at| at.tid),
            thread: Some(*thread),
            ticks: to.as_ref().map_or(u64::MAX, |to| to.ticks),
            event: to.as_ref().and_then(|to| to.event),
            hits_from: from.as_ref().map(|from| from.ticks),
        };
        let pass = rr.pass_up_to(recording, &asked, &up_to, LIMIT, DEADLINE)?;
        Ok(Self { watched, instructions, pass })
    }

    /// Returns what a probe is at, by its number.
    fn met(&self, probe: usize) -> Met {
        let before = usize::from(self.watched.entry().is_some());
        let Some(lead) = probe.checked_sub(before) else { return Met::Entry };
        lead.checked_sub(self.watched.leads.len()).map_or(Met::Lead(lead), Met::Fork)
    }

    /// Returns what the branch of a number was at a hit, and where the execution went on.
    fn side(&self, fork: usize, wanted: u64, to: usize, cancel: &Cancel) -> Result<Option<BranchSide>, Error> {
        let program = self.watched.stretch.program;
        let (Some(Fork { branch, .. }), Some((module, to))) =
            (self.watched.forks.get(fork), self.watched.leads.get(to))
        else {
            return Ok(None);
        };
        let to = where_is(program, &Spot::new(program, *module, LinkAddr(*to), |_| true)?);
        let (mut hits, mut visits, mut number) = (self.pass.glimpses()?, Visits::default(), 0_u64);
        while let Some(hit) = hits.next_hit() {
            let (hit, found) = hit?;
            let visit = visits.count(hit.thread, hit.ticks, self.instructions.place(&hit, &found));
            if number == wanted {
                let bias = self.instructions.of(&hit, &found);
                let values = found.values()?;
                let hit = BranchHit { pass: &self.pass, at: &hit, values: &values, bias, visit };
                let seen = branch.seen(program, &hit, &mut Biases::default(), cancel)?;
                return Ok(Some(BranchSide { at: seen.at, compared: seen.compared, values: seen.values, to }));
            }
            number += 1;
            if number.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
        }
        Ok(None)
    }
}

impl<'a> Walk<'a> {
    fn new(passed: &'a Passed<'a>) -> Result<Self, Error> {
        let (has_begun, forks) = (passed.watched.entry().is_none(), vec![None; passed.watched.forks.len()]);
        Ok(Self { passed, hits: passed.pass.glimpses()?, number: 0, has_begun, forks })
    }

    /// Returns the next instruction behind a branch at which the thread went on.
    fn next(&mut self, cancel: &Cancel) -> Result<Option<usize>, Error> {
        let Stretch { thread, from, to, .. } = self.passed.watched.stretch;
        while let Some(hit) = self.hits.next_hit() {
            let (hit, _) = hit?;
            let this = self.number;
            self.number += 1;
            if this.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if hit.thread != *thread || to.as_ref().is_some_and(|to| hit.ticks > to.ticks) {
                continue;
            }
            match self.passed.met(hit.probe) {
                Met::Entry => self.has_begun |= from.as_ref().is_none_or(|from| hit.ticks >= from.ticks),
                Met::Fork(fork) => {
                    if let Some(last) = self.forks.get_mut(fork) {
                        *last = Some(this);
                    }
                }
                Met::Lead(lead) if self.has_begun => return Ok(Some(lead)),
                Met::Lead(_) => {}
            }
        }
        Ok(None)
    }
}
