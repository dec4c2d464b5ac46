//! What a movement does that takes its time, for those who are told that its time was up.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What rr takes at most to stop and to be resumed (it is up to 2.5 ms backward): of the time before a stop, no more is
/// the stop's.
const STOP: Duration = Duration::from_millis(3);

/// How often it has done what costs more than running, and how long that took.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeSpent {
    /// Single instructions.
    steps: Spent,
    /// Stops at breakpoints and watchpoints, by their numbers, that were skipped.
    passed: BTreeMap<u32, Spent>,
    /// What of the time until now is not reported yet: the last stop's, and since when it has been looked at.
    stopping: Duration,
    stopped: Option<Instant>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    times: u64,
    time: Duration,
}

impl Spent {
    fn add(&mut self, time: Duration) {
        self.times = self.times.saturating_add(1);
        self.time = self.time.saturating_add(time);
    }

    fn is_most_of(self, all: Duration) -> bool {
        self.time > all / 2
    }
}

impl TimeSpent {
    /// Records that one instruction has been executed or taken back.
    pub(crate) fn step(&mut self, took: Duration) {
        self.steps.add(took);
        (self.stopping, self.stopped) = (Duration::ZERO, Some(Instant::now()));
    }

    /// Records that the program has run, and stopped.
    pub(crate) fn run(&mut self, took: Duration) {
        (self.stopping, self.stopped) = (took.min(STOP), Some(Instant::now()));
    }

    /// Records that a breakpoint or watchpoint was hit and did not stop.
    pub(crate) fn skip(&mut self, number: u32) {
        let decided = self.stopped.map_or(Duration::ZERO, |since| since.elapsed());
        let time = std::mem::take(&mut self.stopping).saturating_add(decided);
        self.passed.entry(number).or_default().add(time);
        self.stopped = Some(Instant::now());
    }

    /// Says what most of a movement's time went to; `None`: none of this.
    pub(crate) fn words(&self, all: Duration) -> Option<String> {
        let most = self.passed.iter().max_by_key(|(_, spent)| spent.time).filter(|(_, spent)| spent.is_most_of(all));
        match most {
            Some((number, spent)) => Some(format!(
                "breakpoint or watchpoint {number} was hit {} without being one to stop for, each of which stopped rr; \
                 rr_trace and rr_first, with `where`, look at all hits of a place in one replay (in a shell: \
                 `retrograde query`)",
                counted(spent.times, "time")
            )),
            None if self.steps.is_most_of(all) => {
                Some(format!("stepped one by one: {}", counted(self.steps.times, "instruction")))
            }
            None => None,
        }
    }
}

fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Duration = Duration::from_secs(2);

    #[test]
    fn what_took_most_of_the_time_is_told() {
        let mut busy = TimeSpent::default();
        assert_eq!(busy.words(ALL), None);
        busy.step(Duration::from_millis(900));
        assert_eq!(busy.words(ALL), None, "it is less than half");
        busy.step(Duration::from_millis(200));
        assert_eq!(busy.words(ALL).unwrap(), "stepped one by one: 2 instructions");
        assert_eq!(counted(1, "instruction"), "1 instruction");
    }

    #[test]
    fn a_long_run_is_not_the_stops_behind_it() {
        let mut busy = TimeSpent::default();
        for _ in 0..10 {
            busy.run(Duration::from_millis(190));
            busy.skip(3);
        }
        assert_eq!(busy.words(ALL), None);
        for _ in 0..400 {
            busy.run(Duration::from_millis(4));
            busy.skip(3);
        }
        assert!(busy.words(ALL).unwrap().starts_with("breakpoint or watchpoint 3 was hit 410 times without"));
    }
}
