//! The pass that looks at branches: what their conditions were when an execution turned there.

use super::branch::{Branch, BranchHit, Seen};
use super::flow::Flow;
use crate::answer::{ASKED, DEADLINE, LIMIT};
use crate::biases::{Biases, Instructions};
use crate::error::Error;
use crate::expression::scope_at;
use crate::hits::{Moment, Visits};
use crate::place::Spot;
use crate::program::Program;
use crate::summary::{Summary, Summing};
use arch::LinkAddr;
use base::cancel::Cancel;
use engine::model::Waypoint;
use rr::{HitAt, ProbePass, Rr, UpTo};
use softcounters::probes::{Asked, Place, Probe, Register, Value};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Most calls of a function in each other that are told apart.
const DEEPEST: usize = 10_000;
/// Farthest that the stack pointer of a function is from its value at the entry, in bytes.
const LARGEST_FRAME: u64 = 64 << 20;
/// Values are summed up of branches that were executed no more often than this.
const MOST_SUMMED: u64 = 10_000;

/// An execution of some code and what led there, by the numbers of hits.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    /// Which of the places was executed.
    pub(super) place: usize,
    /// The hit there.
    hit: u64,
    /// The hit at the function's entry.
    entered: Option<u64>,
    /// The last hit of each branch in the same call of the function, by the branch's number.
    branches: BTreeMap<usize, u64>,
}

impl Execution {
    /// Returns the branch that was executed last before a hit, of some.
    pub(super) fn last_of(&self, some: &[usize], before: u64) -> Option<(usize, u64)> {
        let executed = some.iter().filter_map(|number| Some((*number, *self.branches.get(number)?)));
        executed.filter(|(_, hit)| *hit < before).max_by_key(|(_, hit)| *hit)
    }

    /// Returns the number of the hit of the execution itself.
    pub(super) const fn hit(&self) -> u64 {
        self.hit
    }

    /// Returns the number of the hit at the function's entry.
    pub(super) const fn entered(&self) -> Option<u64> {
        self.entered
    }
}

/// Code whose execution is asked about.
pub(super) struct Asking {
    pub(super) spot: Spot,
    pub(super) entry: LinkAddr,
}

impl Asking {
    pub(super) const fn new(spot: Spot, flow: &Flow) -> Self {
        Self { spot, entry: flow.entry() }
    }
}

/// What a hit is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    /// The entry of the function that has the code of this number.
    Entry(usize),
    Code(usize),
    Branch(usize),
}

/// A pass over branches, and over the code itself.
pub(super) struct Look<'a> {
    program: &'a Program,
    branches: &'a [Branch],
    asking: &'a [Asking],
    at: Option<&'a Waypoint>,
    instructions: Instructions,
    pub(super) pass: ProbePass,
}

impl<'a> Look<'a> {
    /// Replays a recording, up to a moment if one is given.
    pub(super) fn new(
        rr: &Rr,
        trace: &Path,
        program: &'a Program,
        branches: &'a [Branch],
        asking: &'a [Asking],
        at: Option<&'a Waypoint>,
    ) -> Result<Self, Error> {
        // Those at one instruction are hit in this order: a call begins before its first branch.
        let mut probes: Vec<Probe> = Vec::new();
        let register = Register::named("rsp");
        for Asking { spot, entry } in asking {
            let Some(module) = program.module(spot.module) else { continue };
            let place = |address: LinkAddr| Place::Module { module: module.identity.clone(), address: address.0 };
            let sp = || register.map(Value::Register);
            let back = register.map(|base| Value::Memory { base, steps: vec![0], length: 8 });
            probes.push(Probe::new(place(*entry), sp().into_iter().chain(back).collect()));
            probes.push(Probe::new(place(spot.address), sp().into_iter().collect()));
        }
        probes.extend(branches.iter().filter_map(|branch| branch.probe(program)));
        let instructions = Instructions::add_to(&mut probes, program);
        let asked = Asked { probes, ..Asked::default() };
        let pass = match at {
            Some(Waypoint { moment, thread, .. }) => {
                let up_to = UpTo {
                    tid: thread.tid,
                    thread: None,
                    ticks: moment.ticks,
                    event: Some(moment.event),
                    hits_from: None,
                };
                rr.pass_up_to(trace, &asked, &up_to, LIMIT, DEADLINE)?
            }
            None => rr.probe_pass(trace, &asked.probes, LIMIT, DEADLINE)?,
        };
        Ok(Self { program, branches, asking, at, instructions, pass })
    }

    /// Returns what a probe is at, by its number.
    fn met(&self, probe: usize) -> Met {
        match probe.checked_sub(2 * self.asking.len()) {
            Some(branch) => Met::Branch(branch),
            None if probe.is_multiple_of(2) => Met::Entry(probe / 2),
            None => Met::Code(probe / 2),
        }
    }

    /// Returns whether a hit was not behind the moment that is asked about.
    fn is_asked(&self, hit: &HitAt) -> bool {
        let Some(Waypoint { moment, thread, .. }) = self.at else { return true };
        match hit.tid == thread.tid {
            true => hit.ticks <= moment.ticks,
            false => self.pass.around_ticks(hit.thread, hit.ticks).1.is_some_and(|after| after <= moment.event),
        }
    }

    /// Goes by all hits and returns the last execution of the code, and of each branch the number of its last hit.
    pub(super) fn last(&self, cancel: &Cancel) -> Result<(Option<Execution>, BTreeMap<usize, u64>), Error> {
        // The calls of functions that are under way, of each thread.
        let mut calls: HashMap<(u32, LinkAddr), Vec<(u64, Execution)>> = HashMap::new();
        let (mut last, mut last_of) = (None, BTreeMap::new());
        let (mut hits, mut number) = (self.pass.glimpses()?, 0_u64);
        while let Some(hit) = hits.next_hit() {
            let (hit, found) = hit?;
            let this = number;
            number += 1;
            if this.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if !self.is_asked(&hit) {
                continue;
            }
            let (sp, met) = (found.word(0).unwrap_or_default(), self.met(hit.probe));
            if let Met::Branch(branch) = met {
                last_of.insert(branch, this);
            }
            for (which, Asking { entry, .. }) in self.asking.iter().enumerate() {
                if matches!(met, Met::Entry(other) | Met::Code(other) if other != which) {
                    continue;
                }
                let calls = calls.entry((hit.thread, *entry)).or_default();
                let is_entry = met == Met::Entry(which);
                while calls.last().is_some_and(|(of, _)| *of < sp || is_entry && *of == sp) {
                    calls.pop();
                }
                let has_room = calls.len() < DEEPEST;
                match (met, calls.last_mut().filter(|(of, _)| of.wrapping_sub(sp) < LARGEST_FRAME)) {
                    (Met::Entry(_), _) if has_room => {
                        calls.push((sp, Execution { entered: Some(this), ..Execution::default() }));
                    }
                    (Met::Entry(_), _) | (Met::Branch(_), None) => {}
                    (Met::Branch(branch), Some((_, call))) => drop(call.branches.insert(branch, this)),
                    (Met::Code(_), call) => {
                        let call = call.map(|(_, call)| call.clone()).unwrap_or_default();
                        last = Some(Execution { place: which, hit: this, ..call });
                    }
                }
            }
        }
        Ok((last, last_of))
    }

    /// Returns what the branches and places were at these hits, by their numbers.
    pub(super) fn seen(&self, wanted: &[u64], cancel: &Cancel) -> Result<BTreeMap<u64, Seen>, Error> {
        let (mut seen, mut biases, mut visits) = (BTreeMap::new(), Biases::default(), Visits::default());
        let (mut hits, mut number) = (self.pass.glimpses()?, 0_u64);
        let end = wanted.iter().max().copied();
        while let Some(hit) = hits.next_hit().filter(|_| end.is_some_and(|end| number <= end)) {
            let (hit, found) = hit?;
            let this = number;
            number += 1;
            if this.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let visit = visits.count(hit.thread, hit.ticks, self.instructions.place(&hit, &found));
            if !wanted.contains(&this) {
                continue;
            }
            let (back, known) = (found.word(1), self.instructions.of(&hit, &found));
            let found = found.values()?;
            let met = self.met(hit.probe);
            let (spot, address) = match met {
                Met::Branch(number) => {
                    let Some(branch) = self.branches.get(number) else { continue };
                    let hit = BranchHit { pass: &self.pass, at: &hit, values: &found, bias: known, visit };
                    seen.insert(this, branch.seen(self.program, &hit, &mut biases, cancel)?);
                    continue;
                }
                Met::Entry(which) | Met::Code(which) => {
                    let Some(Asking { spot, entry }) = self.asking.get(which) else { continue };
                    (spot, if met == Met::Code(which) { spot.address } else { *entry })
                }
            };
            let (_, when) = biases.at(self.program, &self.pass, &hit, &Spot { address, ..spot.clone() }, known);
            seen.insert(this, Seen { at: Moment { visit, ..when }, compared: None, values: Vec::new(), back });
        }
        Ok(seen)
    }

    /// Sums up the values of each branch; nothing of those that were executed very often. `counts`: how often.
    pub(super) fn summaries(&self, counts: &[u64], cancel: &Cancel) -> Result<Vec<Vec<Summary>>, Error> {
        let new = |branch: &Branch| branch.values.iter().map(|value| Summing::new(&value.text)).collect();
        let mut sums: Vec<Vec<Summing>> = self.branches.iter().map(new).collect();
        let (mut biases, mut number_of_hit) = (Biases::default(), 0_u64);
        let mut hits = self.pass.glimpses()?;
        while let Some(hit) = hits.next_hit() {
            let (hit, found) = hit?;
            number_of_hit += 1;
            if number_of_hit.is_multiple_of(ASKED) && cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let Met::Branch(number_of_branch) = self.met(hit.probe) else { continue };
            let few = counts.get(number_of_branch).is_some_and(|count| *count <= MOST_SUMMED);
            let branch = self.branches.get(number_of_branch).zip(sums.get_mut(number_of_branch));
            let Some((branch, sums)) = branch else { continue };
            if !few || sums.is_empty() || !self.is_asked(&hit) {
                continue;
            }
            let known = self.instructions.of(&hit, &found);
            let found = found.values()?;
            let mut moment = branch.plan.moment(branch.split(&found).1);
            let (at, _) = biases.at(self.program, &self.pass, &hit, &branch.spot, known);
            let mut scope = scope_at(self.program, &branch.spot, &mut moment, at);
            for (expression, sum) in branch.values.iter().zip(sums) {
                sum.add(expression.summed(&mut scope));
            }
        }
        Ok(sums.into_iter().map(|sums| sums.into_iter().map(Summing::finish).collect()).collect())
    }
}
