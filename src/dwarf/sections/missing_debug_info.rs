//! What is missing of an image's debug info, or does not fit it, so that whoever gets a degraded answer for it is told
//! why: once, and only if the answer is degraded.

use std::sync::{Mutex, MutexGuard};

/// More missing parts than this are only counted.
const MAX_KEPT: usize = 1024;

/// Of several missing split units, so many are described.
const DESCRIBED: usize = 2;

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The file with the debug info as a whole.
    DebugFile,
    /// The supplementary file.
    Supplement,
    /// The split unit of the skeleton unit with this number.
    Split(usize),
}

#[derive(Debug)]
struct Problem {
    subject: Subject,
    text: String,
    /// Somebody had a degraded answer for it.
    suffered: bool,
    told: bool,
}

/// The problems of one image.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Mutex<List>,
}

#[derive(Debug, Default)]
struct List {
    problems: Vec<Problem>,
    /// How many there are besides.
    uncounted: usize,
}

impl Problems {
    fn list(&self) -> MutexGuard<'_, List> {
        // A panic of another thread leaves at worst a missing entry behind.
        self.list.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Notes a problem.
    pub(crate) fn add(&self, subject: Subject, text: String) {
        let mut list = self.list();
        if list.problems.len() < MAX_KEPT {
            list.problems.push(Problem { subject, text, suffered: false, told: false });
        } else {
            list.uncounted += 1;
        }
    }

    /// Notes a problem that somebody has a degraded answer for, once for each text.
    pub(crate) fn add_suffered(&self, subject: Subject, text: String) {
        if !self.list().problems.iter().any(|problem| problem.text == text) {
            self.add(subject, text);
        }
        self.suffer(|other| other == subject);
    }

    /// Marks the problems that take away what somebody asked for.
    pub(crate) fn suffer(&self, is_cause: impl Fn(Subject) -> bool) {
        for problem in self.list().problems.iter_mut().filter(|p| is_cause(p.subject)) {
            problem.suffered = true;
        }
    }

    /// Takes what has been suffered from and was not told yet.
    pub(crate) fn take(&self) -> Vec<String> {
        let mut list = self.list();
        let fresh = list.problems.iter_mut().filter(|p| p.suffered && !p.told);
        let told = fresh.map(|p| {
            p.told = true;
            &*p
        });
        summary(told, 0)
    }

    /// Returns all problems.
    pub(crate) fn all(&self) -> Vec<String> {
        let list = self.list();
        summary(list.problems.iter(), list.uncounted)
    }
}

/// Writes one text for each problem, but all split units in one.
fn summary<'p>(problems: impl Iterator<Item = &'p Problem>, uncounted: usize) -> Vec<String> {
    let (split, others): (Vec<_>, Vec<_>) = problems.partition(|p| matches!(p.subject, Subject::Split(_)));
    let mut texts: Vec<String> = others.iter().map(|p| p.text.clone()).collect();
    let described: Vec<&str> = split.iter().take(DESCRIBED).map(|p| p.text.as_str()).collect();
    let rest = split.len() - described.len() + uncounted;
    if !described.is_empty() {
        let more = if rest == 0 { String::new() } else { format!("; and {rest} more split units") };
        texts.push(described.join("; ") + &more);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_once_and_only_to_who_suffers_from_it() {
        let problems = Problems::default();
        problems.add(Subject::Supplement, "no supplement".to_owned());
        problems.add(Subject::Split(1), "no a.dwo".to_owned());
        assert_eq!(problems.take(), [""; 0]);
        problems.suffer(|s| s == Subject::Split(1));
        assert_eq!(problems.take(), ["no a.dwo"]);
        problems.suffer(|_| true);
        assert_eq!(problems.take(), ["no supplement"]);
        assert_eq!(problems.take(), [""; 0]);
        assert_eq!(problems.all(), ["no supplement", "no a.dwo"]);
    }

    #[test]
    fn many_split_units_are_one_problem() {
        let problems = Problems::default();
        for i in 0..5000 {
            problems.add(Subject::Split(i), format!("no {i}.dwo"));
        }
        assert_eq!(problems.all(), ["no 0.dwo; no 1.dwo; and 4998 more split units"]);
    }
}
