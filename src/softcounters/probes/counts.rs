//! How often code was executed.

use super::hits::{Damage, Record};
use super::list::Module;
use std::collections::BTreeMap;
use std::ops::Range;

/// The counts of a pass, as its records are read.
#[derive(Debug, Default)]
pub struct Counts {
    modules: BTreeMap<u32, Module>,
    /// By address space and module.
    code: BTreeMap<(u32, Option<u32>), Sums>,
    lost: Vec<u32>,
}

#[derive(Debug, Default)]
struct Sums {
    /// How many runs begin at an address, less how many end before it, modulo 2^64.
    edges: BTreeMap<u64, u64>,
    ticks: BTreeMap<u64, u64>,
}

/// What was executed of a module, or outside of all, in one address space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The number of the address space.
    pub space: u32,
    /// The module, of which the addresses are those of the file; `None` if they are of the address space.
    pub module: Option<Module>,
    /// Code and how often each of its instructions was executed: in the order of addresses, never zero.
    pub runs: Vec<(Range<u64>, u64)>,
    /// The conditional branches and how often they were executed: in the order of addresses, never zero.
    pub ticks: Vec<(u64, u64)>,
}

impl Code {
    /// How often the instruction at this address was executed.
    pub fn count(&self, address: u64) -> u64 {
        let after = self.runs.partition_point(|(code, _)| code.end <= address);
        self.runs.get(after).filter(|(code, _)| code.contains(&address)).map_or(0, |(_, count)| *count)
    }

    /// Conditional branches executed in this code.
    pub fn ticks_in(&self, code: &Range<u64>) -> u64 {
        let first = self.ticks.partition_point(|(branch, _)| *branch < code.start);
        let inside = self.ticks.iter().skip(first).take_while(|(branch, _)| *branch < code.end);
        inside.fold(0, |sum, (_, ticks)| sum.saturating_add(*ticks))
    }
}

impl Counts {
    /// Adds what a record tells of counts, if anything.
    ///
    /// # Errors
    /// If it tells what cannot be.
    pub fn add(&mut self, record: Record) -> Result<(), Damage> {
        match record {
            Record::Module { module, headers, build_id } => {
                let identity = if build_id.is_empty() { Module::Headers(headers) } else { Module::BuildId(build_id) };
                self.modules.insert(module, identity);
            }
            Record::Counted { space, module, code, count } => {
                if code.is_empty() {
                    return Err(Damage::Record("no code was counted"));
                }
                let edges = &mut self.sums(space, module)?.edges;
                for (at, by) in [(code.start, count), (code.end, count.wrapping_neg())] {
                    let edge = edges.entry(at).or_default();
                    *edge = edge.wrapping_add(by);
                }
            }
            Record::Ticks { space, module, branch, ticks } => {
                let sum = self.sums(space, module)?.ticks.entry(branch).or_default();
                *sum = sum.saturating_add(ticks);
            }
            Record::Lost { space } if !self.lost.contains(&space) => self.lost.push(space),
            _ => {}
        }
        Ok(())
    }

    fn sums(&mut self, space: u32, module: Option<u32>) -> Result<&mut Sums, Damage> {
        if module.is_some_and(|module| !self.modules.contains_key(&module)) {
            return Err(Damage::Record("code was counted of no module"));
        }
        Ok(self.code.entry((space, module)).or_default())
    }

    /// Address spaces of which not all counts are known.
    pub fn lost(&self) -> &[u32] {
        &self.lost
    }

    /// All that was executed, by address spaces.
    pub fn code(&self) -> Vec<Code> {
        let code = self.code.iter().map(|(&(space, module), sums)| Code {
            space,
            module: module.and_then(|module| self.modules.get(&module)).cloned(),
            runs: runs(&sums.edges),
            ticks: sums.ticks.iter().map(|(&branch, &ticks)| (branch, ticks)).collect(),
        });
        code.collect()
    }
}

/// What edges say of the code between them.
fn runs(edges: &BTreeMap<u64, u64>) -> Vec<(Range<u64>, u64)> {
    let mut runs = Vec::new();
    let (mut start, mut count) = (0, 0_u64);
    for (&at, &by) in edges.iter().filter(|(_, by)| **by != 0) {
        if count != 0 {
            runs.push((start..at, count));
        }
        (start, count) = (at, count.wrapping_add(by));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(module: Option<u32>, code: Range<u64>, count: u64) -> Record {
        Record::Counted { space: 1, module, code, count }
    }

    #[test]
    fn what_is_told_in_parts_adds_up() {
        let mut counts = Counts::default();
        let records = [
            Record::Module { module: 0, headers: 7, build_id: vec![] },
            Record::Module { module: 1, headers: 7, build_id: vec![1, 2] },
            counted(Some(0), 10..20, 3),
            counted(Some(1), 10..20, 3),
            counted(None, 10..20, 3),
            counted(Some(0), 20..30, 3),
            Record::Ticks { space: 1, module: Some(0), branch: 18, ticks: 3 },
            counted(Some(0), 15..20, 4),
            Record::Ticks { space: 1, module: Some(0), branch: 18, ticks: 4 },
            Record::Ticks { space: 1, module: Some(0), branch: 28, ticks: 1 },
            Record::Lost { space: 9 },
        ];
        records.into_iter().for_each(|record| counts.add(record).unwrap());
        let all = counts.code();
        let modules: Vec<_> = all.iter().map(|code| code.module.clone()).collect();
        assert_eq!(modules, [None, Some(Module::Headers(7)), Some(Module::BuildId(vec![1, 2]))]);
        assert_eq!(all[1].runs, [(10..15, 3), (15..20, 7), (20..30, 3)]);
        assert_eq!(all[1].ticks, [(18, 7), (28, 1)]);
        assert_eq!([9, 10, 14, 15, 19, 20, 29, 30].map(|at| all[1].count(at)), [0, 3, 3, 7, 7, 3, 3, 0]);
        assert_eq!((all[1].ticks_in(&(10..28)), all[1].ticks_in(&(18..40)), all[1].ticks_in(&(19..28))), (7, 8, 0));
        assert_eq!(counts.lost(), [9]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(Counts::default().add(counted(Some(0), 10..20, 3)).is_err());
        assert!(Counts::default().add(counted(None, 20..20, 3)).is_err());
    }
}
