//! What was executed of a module.

use softcounters::probes::Code;
use std::collections::BTreeMap;
use std::ops::Range;

/// Counts of one module, in any number of address spaces, together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Code and how often each of its instructions was executed: in the order of addresses, never zero.
    runs: Vec<(Range<u64>, u64)>,
    /// The conditional branches and how often they were executed.
    ticks: BTreeMap<u64, u64>,
}

impl Executed {
    /// Sums up the counts that are of one module.
    pub fn of<'a>(counts: impl IntoIterator<Item = &'a Code>) -> Self {
        let mut edges: BTreeMap<u64, i128> = BTreeMap::new();
        let mut ticks: BTreeMap<u64, u64> = BTreeMap::new();
        for code in counts {
            for (run, count) in &code.runs {
                *edges.entry(run.start).or_default() += i128::from(*count);
                *edges.entry(run.end).or_default() -= i128::from(*count);
            }
            for (branch, count) in &code.ticks {
                let sum = ticks.entry(*branch).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
        let mut runs = Vec::new();
        let (mut start, mut count) = (0, 0);
        for (at, by) in edges.into_iter().filter(|(_, by)| *by != 0) {
            if count > 0 {
                runs.push((start..at, u64::try_from(count).unwrap_or(u64::MAX)));
            }
            (start, count) = (at, count + by);
        }
        Self { runs, ticks }
    }

    /// Returns the code and how often each of its instructions was executed: in the order of addresses, never zero.
    pub fn runs(&self) -> &[(Range<u64>, u64)] {
        &self.runs
    }

    /// Returns how often the instruction at this address was executed.
    pub fn count(&self, address: u64) -> u64 {
        self.overlapping(&(address..address.saturating_add(1))).next().map_or(0, |run| run.1)
    }

    /// Returns how often the instruction of this code was executed that was executed most often.
    pub fn most_in(&self, code: &Range<u64>) -> u64 {
        self.overlapping(code).map(|run| run.1).max().unwrap_or(0)
    }

    /// Returns how many conditional branches were executed in this code: rr's ticks.
    pub fn ticks_in(&self, code: &Range<u64>) -> u64 {
        if code.is_empty() {
            return 0;
        }
        self.ticks.range(code.clone()).fold(0, |sum, (_, ticks)| sum.saturating_add(*ticks))
    }

    /// Iterates over the runs that have a part in this code.
    fn overlapping(&self, code: &Range<u64>) -> impl Iterator<Item = &(Range<u64>, u64)> {
        let end = code.end;
        let first = self.runs.partition_point(|(run, _)| run.end <= code.start);
        self.runs.iter().skip(first).take_while(move |(run, _)| run.start < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(space: u32, runs: &[(Range<u64>, u64)], ticks: &[(u64, u64)]) -> Code {
        Code { space, module: None, runs: runs.to_vec(), ticks: ticks.to_vec() }
    }

    #[test]
    fn address_spaces_add_up() {
        let one = code(1, &[(10..20, 5), (20..30, 1)], &[(18, 5)]);
        let other = code(2, &[(15..25, 2)], &[(18, 2), (24, 2)]);
        let both = Executed::of([&one, &other]);
        assert_eq!(both.runs(), [(10..15, 5), (15..20, 7), (20..25, 3), (25..30, 1)]);
        assert_eq!([9, 10, 15, 20, 29, 30].map(|at| both.count(at)), [0, 5, 7, 3, 1, 0]);
        assert_eq!((both.most_in(&(0..100)), both.most_in(&(20..26)), both.most_in(&(30..40))), (7, 3, 0));
        assert_eq!((both.ticks_in(&(0..100)), both.ticks_in(&(19..24)), both.ticks_in(&(24..24))), (9, 0, 0));
        assert_eq!(Executed::of([]), Executed::default());
    }
}
