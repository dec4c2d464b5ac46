//! How often the code of an address space was executed.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::cache::piece::Piece;

/// Counts of straight runs, of which each has a beginning and an end.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many runs begin at an address, less how many end before it.
    edges: BTreeMap<u64, i64>,
    /// How often the conditional branches were executed.
    branches: BTreeMap<u64, i64>,
}

/// What was counted of some code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// How often code was executed, each of its instructions equally often.
    pub code: Vec<(Range<u64>, u64)>,
    /// How often the conditional branches at these addresses were executed.
    pub branches: Vec<(u64, u64)>,
}

impl Tally {
    /// What is from `start` to `end` was executed `times` more.
    pub fn add(&mut self, code: Range<u64>, times: i64) {
        if code.start < code.end && times != 0 {
            for (at, by) in [(code.start, times), (code.end, -times)] {
                let edge = self.edges.entry(at).or_default();
                *edge += by;
                if *edge == 0 {
                    self.edges.remove(&at);
                }
            }
        }
    }

    /// A piece was executed so many times more.
    pub fn add_piece(&mut self, piece: &Piece, times: i64) {
        self.add(piece.start..piece.end, times);
        if let Some(branch) = piece.branch {
            self.add_branch(branch, times);
        }
    }

    /// The conditional branch there was executed so many times more.
    pub fn add_branch(&mut self, branch: u64, times: i64) {
        *self.branches.entry(branch).or_default() += times;
    }

    /// Whether some of this code was executed.
    pub fn touches(&self, code: &Range<u64>) -> bool {
        let before: i64 = self.edges.range(..code.start).map(|(_, by)| by).sum();
        before + self.edges.get(&code.start).unwrap_or(&0) > 0
            || self.edges.range(code.clone()).any(|(&at, _)| at > code.start)
    }

    /// Takes what was counted of this code.
    pub fn take(&mut self, code: &Range<u64>) -> Counted {
        let mut taken = Counted::default();
        if code.is_empty() {
            return taken;
        }
        let mut count: i64 = self.edges.range(..code.start).map(|(_, by)| by).sum();
        let mut after = self.edges.split_off(&code.start);
        let mut beyond = after.split_off(&code.end);
        if count != 0 {
            // What goes on into it ends before it from now on.
            self.edges.insert(code.start, -count);
        }
        let mut at = code.start;
        for (edge, by) in after.into_iter().chain([(code.end, 0)]) {
            if count > 0 && at < edge {
                taken.code.push((at..edge, count as u64));
            }
            (at, count) = (edge, count + by);
        }
        if count != 0 {
            // And begins behind it.
            let edge = beyond.entry(code.end).or_default();
            *edge += count;
            if *edge == 0 {
                beyond.remove(&code.end);
            }
        }
        self.edges.append(&mut beyond);
        let mut branches = self.branches.split_off(&code.start);
        self.branches.append(&mut branches.split_off(&code.end));
        taken.branches = branches.into_iter().filter(|(_, times)| *times > 0).map(|(at, n)| (at, n as u64)).collect();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up() {
        let mut tally = Tally::default();
        tally.add_piece(&Piece { start: 10, end: 20, branch: Some(18) }, 5);
        tally.add_piece(&Piece { start: 20, end: 30, branch: None }, 5);
        tally.add(14..18, 2);
        tally.add(30..30, 7);
        tally.add_piece(&Piece { start: 10, end: 20, branch: Some(18) }, -1);
        let code = vec![(10..14, 4), (14..18, 6), (18..20, 4), (20..30, 5)];
        assert_eq!(tally.clone().take(&(0..u64::MAX)), Counted { code, branches: vec![(18, 4)] });
        assert!(tally.touches(&(15..16)) && tally.touches(&(5..11)) && !tally.touches(&(30..40)));
        assert!(!tally.touches(&(0..10)));
    }

    #[test]
    fn what_is_taken_is_gone_and_nothing_else() {
        for start in 0..40 {
            for end in start..40 {
                let mut tally = Tally::default();
                tally.add_piece(&Piece { start: 10, end: 20, branch: Some(18) }, 5);
                tally.add(12..30, 2);
                let mut whole = tally.clone();
                let by_byte = |counted: Counted| {
                    let mut counts = [0; 40];
                    for (code, count) in counted.code {
                        code.for_each(|at| counts[at as usize] += count);
                    }
                    (counts, counted.branches.iter().map(|branch| branch.1).sum::<u64>())
                };
                let all = by_byte(whole.take(&(0..u64::MAX)));
                assert_eq!(all.1, 5);
                let part = by_byte(tally.take(&(start..end)));
                assert!(
                    part.0.iter().enumerate().all(|(at, _)| (start..end).contains(&(at as u64)) || part.0[at] == 0)
                );
                assert!(start == end || !tally.touches(&(start..end)));
                let rest = by_byte(tally.take(&(0..u64::MAX)));
                assert_eq!(part.1 + rest.1, 5);
                (0..40).for_each(|at| assert_eq!(part.0[at] + rest.0[at], all.0[at], "{start}..{end}, {at}"));
                assert!(tally.edges.is_empty() && tally.branches.is_empty());
            }
        }
    }
}
