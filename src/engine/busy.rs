//! What a movement does that takes its time, for those who are told that its time was up.

use std::collections::BTreeMap;

/// How often it has done what costs more than running.
#[derive(Clone, Debug, Default)]
pub(super) struct Busy {
    /// Single instructions.
    steps: u64,
    /// Stops at breakpoints and watchpoints, by their numbers, that were passed by.
    passed: BTreeMap<u32, u64>,
}

impl Busy {
    /// One instruction is executed or taken back.
    pub(super) fn step(&mut self) {
        self.steps = self.steps.saturating_add(1);
    }

    /// A breakpoint or watchpoint was met and did not stop.
    pub(super) fn pass(&mut self, number: u32) {
        let passed = self.passed.entry(number).or_default();
        *passed = passed.saturating_add(1);
    }

    /// In words; `None`: it has done nothing but run.
    pub(super) fn words(&self) -> Option<String> {
        let most = self.passed.iter().max_by_key(|(_, times)| **times).filter(|(_, times)| **times >= self.steps);
        match (most, self.steps) {
            (Some((number, times)), _) => Some(format!(
                "breakpoint or watchpoint {number} was met {times} times without being one to stop for, each of which \
                 stopped rr"
            )),
            (None, 0) => None,
            (None, steps) => Some(format!("{steps} instructions were gone one by one")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_most_often_is_told() {
        let mut busy = Busy::default();
        assert_eq!(busy.words(), None);
        busy.step();
        assert_eq!(busy.words().unwrap(), "1 instructions were gone one by one");
        for number in [2, 3, 3] {
            busy.pass(number);
        }
        assert!(busy.words().unwrap().starts_with("breakpoint or watchpoint 3 was met 2 times without"));
    }
}
