//! Times in, table and CSV out.

use crate::programs::{Reference, Target};
use crate::timing::Time;
use std::fmt::Write;
use std::time::Duration;

/// The times of one phase of one program; entries of the same index were taken in the same round.
pub struct Row {
    /// The program.
    pub program: String,
    /// `record`, `replay` or `reverse-continue`.
    pub phase: &'static str,
    /// The program as it is; empty for a phase that has no such thing.
    pub native: Vec<Time>,
    /// Under an unmodified rr with soft counters.
    pub ours: Vec<Time>,
    /// Under rr.soft; empty if there is none.
    pub rr_soft: Vec<Time>,
    /// What is demanded; none if the work was scaled.
    pub target: Option<Target>,
}

/// Whether a target was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was.
    Pass,
    /// It was missed.
    Fail,
    /// There is no target, or nothing to compare with.
    Open,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Open => "-",
        }
    }
}

fn median(mut all: Vec<f64>) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    let middle = all.len() / 2;
    if all.len() % 2 == 1 {
        all.get(middle).copied()
    } else {
        Some((all.get(middle.checked_sub(1)?)? + all.get(middle)?) / 2.0)
    }
}

fn seconds(times: &[Time]) -> Option<f64> {
    median(times.iter().map(|time| time.wall.as_secs_f64()).collect())
}

/// The median of the rounds' ratios: load that comes and goes hits both sides of a round alike.
fn ratio(ours: &[Time], theirs: &[Time], what: impl Fn(&Time) -> Option<Duration>) -> Option<f64> {
    let of = |(a, b): (&Time, &Time)| Some(what(a)?.as_secs_f64() / what(b)?.as_secs_f64().max(1e-6));
    median(ours.iter().zip(theirs).filter_map(of).collect())
}

impl Row {
    fn against(&self, reference: Reference) -> &[Time] {
        match reference {
            Reference::Native => &self.native,
            Reference::RrSoft => &self.rr_soft,
        }
    }

    /// The verdict, by wall time.
    pub fn verdict(&self) -> Verdict {
        let reached =
            self.target.and_then(|t| Some((t, ratio(&self.ours, self.against(t.reference), |x| Some(x.wall))?)));
        match reached {
            Some((target, ratio)) if ratio <= target.ratio => Verdict::Pass,
            Some(_) => Verdict::Fail,
            None => Verdict::Open,
        }
    }

    fn cells(&self, digits: usize) -> [String; 10] {
        let show = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.digits$}"));
        let demanded = self.target.map_or_else(String::new, |t| {
            format!("{}x {}", t.ratio, if t.reference == Reference::Native { "native" } else { "rr.soft" })
        });
        [
            self.program.clone(),
            self.phase.to_owned(),
            show(seconds(&self.native)),
            show(seconds(&self.ours)),
            show(seconds(&self.rr_soft)),
            show(ratio(&self.ours, &self.native, |x| Some(x.wall))),
            show(ratio(&self.ours, &self.rr_soft, |x| Some(x.wall))),
            show(ratio(&self.ours, &self.rr_soft, |x| x.cpu)),
            demanded,
            self.verdict().word().to_owned(),
        ]
    }
}

const TITLES: [&str; 10] = [
    "program",
    "phase",
    "native_s",
    "ours_s",
    "rr_soft_s",
    "x_native",
    "x_rr_soft",
    "x_rr_soft_cpu",
    "at_most",
    "verdict",
];

/// For people.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::new();
    let mut line = |cells: [String; 10]| {
        let [program, phase, rest @ ..] = cells;
        // Writing to a string cannot fail.
        let _ = write!(out, "{program:<18}{phase:<18}");
        for cell in rest {
            let _ = write!(out, "{:>14}", if cell.is_empty() { "-" } else { &cell });
        }
        out.push('\n');
    };
    line(TITLES.map(|title| title.replace('_', " ")));
    rows.iter().for_each(|row| line(row.cells(3)));
    out
}

/// For programs: seconds and ratios, empty where unknown.
pub fn csv(rows: &[Row]) -> String {
    let quoted = |cell: &String| if cell.contains(',') { format!("\"{cell}\"") } else { cell.clone() };
    let lines = std::iter::once(TITLES.map(str::to_owned)).chain(rows.iter().map(|row| row.cells(6)));
    lines.map(|cells| cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect()
}
