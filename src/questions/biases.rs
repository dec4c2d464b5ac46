//! Where modules are at hits, and so the instructions that were executed.
//!
//! A module is mostly at one place in a process, which its mappings tell. One that is loaded again, or twice at the same
//! time (`dlmopen`), is at several: then each hit tells the address of its instruction.

use super::hits::{self, Moment, between, event_of};
use super::place::Spot;
use super::program::Program;
use super::scope::At;
use arch::Bias;
use rr::{HitAt, ProbeHit, ProbePass};
use softcounters::probes::{BriefHit, CollectedValue, MOST_VALUES, Place, Probe, Register, Value};
use std::collections::HashMap;

/// Which probes tell the addresses of their instructions: the number of that value, and the address that the module's
/// file has.
#[derive(Debug, Default)]
pub(super) struct Instructions(Vec<Option<(usize, u64)>>);

impl Instructions {
    /// Has the probes of modules that are at several places in a process tell the addresses of their instructions.
    pub(super) fn add_to(probes: &mut [Probe], program: &Program) -> Self {
        let mut add = |probe: &mut Probe| {
            let Place::Module { module, address } = &probe.place else { return None };
            let (number, address) = (probe.values.len(), *address);
            let is_moved = program.modules.iter().any(|known| known.identity == *module && known.moves);
            let register = Register::named("rip").filter(|_| is_moved && number < MOST_VALUES)?;
            probe.values.push(Value::Register(register));
            // Hits that are passed over are counted by probe, not by the address of the instruction.
            probe.requires.clear();
            Some((number, address))
        };
        Self(probes.iter_mut().map(&mut add).collect())
    }

    /// Returns where the module of a hit is, if the hit tells it.
    pub(super) fn of(&self, hit: &HitAt, found: &BriefHit<'_>) -> Option<Bias> {
        let (number, address) = (*self.0.get(hit.probe)?)?;
        Some(Bias(found.word(number)?.wrapping_sub(address)))
    }

    /// Does as [`Instructions::of`] for a hit whose values were taken.
    pub(super) fn of_hit(&self, hit: &ProbeHit) -> Option<Bias> {
        let (number, address) = (*self.0.get(hit.probe)?)?;
        match hit.values.get(number)? {
            CollectedValue::Register(value) => Some(Bias(value.wrapping_sub(address))),
            _ => None,
        }
    }

    /// Returns what tells the place of a hit from those of other hits, where visits are counted.
    pub(super) fn place(&self, hit: &HitAt, found: &BriefHit<'_>) -> hits::Place {
        let number = self.0.get(hit.probe).copied().flatten().map(|(number, _)| number);
        hits::Place::at(number.and_then(|number| found.word(number)).unwrap_or(hit.probe as u64))
    }
}

/// Where modules are, once that was asked.
#[derive(Default)]
pub(super) struct Biases(HashMap<(usize, u32, u64), Option<Bias>>);

impl Biases {
    pub(super) fn of(&mut self, program: &Program, module: usize, pid: u32, event: u64) -> Option<Bias> {
        *self.0.entry((module, pid, event)).or_insert_with(|| program.bias(module, pid, event))
    }

    /// Returns when and where a hit is. `known`: where its module is, if the hit tells it.
    pub(super) fn at(
        &mut self,
        program: &Program,
        pass: &ProbePass,
        hit: &HitAt,
        spot: &Spot,
        known: Option<Bias>,
    ) -> (At, Moment) {
        let (pid, event) = (program.mappings.process_of(hit.tid), event_of(pass, hit));
        let bias = known.or_else(|| self.of(program, spot.module, pid, event));
        let at = At { pid, event, bias };
        let (completed, latest) = between(pass.completed_between(hit.thread, hit.ticks));
        let moment = Moment {
            event: completed,
            latest,
            visit: None,
            ticks: hit.ticks,
            pid,
            tid: hit.tid,
            pc: spot.in_process(bias).map(|address| address.0),
            registers: None,
        };
        (at, moment)
    }
}
