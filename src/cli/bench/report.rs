//! Samples in, table and CSV out.

use super::drivers::Cost;
use std::fmt::Write;
use std::time::Duration;

/// All samples of one operation under one debugger.
#[derive(Clone, Debug)]
pub struct Series {
    /// Place in the scenario and name: `7 next`.
    pub operation: String,
    /// Which debugger.
    pub driver: &'static str,
    /// One entry a round.
    pub samples: Vec<Sample>,
}

/// One measurement.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// From the request to the answer.
    pub elapsed: Duration,
    /// What went over the wire to rr meanwhile, where that can be seen.
    pub cost: Option<Cost>,
}

/// Returns the sample below which `percent` of all lie (nearest rank).
pub fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

fn sorted(series: &Series, what: impl Fn(&Sample) -> Option<Duration>) -> Vec<Duration> {
    let mut all: Vec<Duration> = series.samples.iter().filter_map(what).collect();
    all.sort_unstable();
    all
}

/// One line of the report.
struct Row<'a> {
    series: &'a Series,
    p50: Duration,
    p99: Duration,
    /// Packets and bytes of the median round, rr's time, our own.
    wire: Option<(u64, u64, Duration, Duration)>,
    /// This driver's median over GDB's.
    against_gdb: Option<f64>,
}

fn rows(all: &[Series]) -> Vec<Row<'_>> {
    let median = |s: &Series| percentile(&sorted(s, |x| Some(x.elapsed)), 50);
    all.iter()
        .map(|series| {
            let elapsed = sorted(series, |x| Some(x.elapsed));
            let waited = sorted(series, |x| x.cost.map(|c| c.waited));
            let own = sorted(series, |x| x.cost.map(|c| x.elapsed.saturating_sub(c.waited)));
            let mut costs: Vec<Cost> = series.samples.iter().filter_map(|s| s.cost).collect();
            costs.sort_unstable_by_key(|c| c.packets);
            let wire =
                costs.get(costs.len() / 2).map(|c| (c.packets, c.bytes, percentile(&waited, 50), percentile(&own, 50)));
            let against_gdb = all
                .iter()
                .find(|other| other.driver == "gdb" && other.operation == series.operation && series.driver != "gdb")
                .map(|gdb| median(series).as_secs_f64() / median(gdb).as_secs_f64().max(1e-9));
            Row { series, p50: percentile(&elapsed, 50), p99: percentile(&elapsed, 99), wire, against_gdb }
        })
        .collect()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}

/// Formats a table for people: one line an operation and debugger, times in milliseconds.
pub fn table(all: &[Series]) -> String {
    let mut out = format!(
        "{:<22}{:<10}{:>10}{:>10}{:>9}{:>10}{:>10}{:>10}{:>8}\n",
        "operation", "driver", "p50 ms", "p99 ms", "packets", "bytes", "rr ms", "own ms", "x gdb"
    );
    for row in rows(all) {
        let (packets, bytes, waited, own) = match row.wire {
            Some((p, b, w, o)) => (p.to_string(), b.to_string(), milliseconds(w), milliseconds(o)),
            None => ("-".to_owned(), "-".to_owned(), "-".to_owned(), "-".to_owned()),
        };
        let ratio = row.against_gdb.map_or("-".to_owned(), |r| format!("{r:.2}"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:<22}{:<10}{:>10}{:>10}{packets:>9}{bytes:>10}{waited:>10}{own:>10}{ratio:>8}",
            row.series.operation,
            row.series.driver,
            milliseconds(row.p50),
            milliseconds(row.p99),
        );
    }
    out
}

/// Formats CSV for programs: times in microseconds, empty where unknown.
pub fn csv(all: &[Series]) -> String {
    let mut out = "operation,driver,rounds,p50_us,p99_us,packets,bytes,rr_us,own_us,ratio_to_gdb\n".to_owned();
    for row in rows(all) {
        let (packets, bytes, waited, own) = match row.wire {
            Some((p, b, w, o)) => (p.to_string(), b.to_string(), w.as_micros().to_string(), o.as_micros().to_string()),
            None => Default::default(),
        };
        let ratio = row.against_gdb.map_or(String::new(), |r| format!("{r:.4}"));
        let _ = writeln!(
            out,
            "{},{},{},{},{},{packets},{bytes},{waited},{own},{ratio}",
            row.series.operation,
            row.series.driver,
            row.series.samples.len(),
            row.p50.as_micros(),
            row.p99.as_micros(),
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(driver: &'static str, millis: &[u64]) -> Series {
        let sample = |m: &u64| Sample { elapsed: Duration::from_millis(*m), cost: None };
        Series { operation: "3 next".to_owned(), driver, samples: millis.iter().map(sample).collect() }
    }

    #[test]
    fn percentiles_by_nearest_rank() {
        let ms: Vec<_> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&ms, 50), Duration::from_millis(50));
        assert_eq!(percentile(&ms, 99), Duration::from_millis(99));
        assert_eq!(percentile(&ms[..1], 99), Duration::from_millis(1));
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }

    #[test]
    fn ratios_compare_medians_of_the_same_operation() {
        let text = csv(&[series("mcp", &[4, 2, 3]), series("gdb", &[6, 6, 9])]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[1], "3 next,mcp,3,3000,4000,,,,,0.5000");
        assert_eq!(lines[2], "3 next,gdb,3,6000,9000,,,,,");
    }
}
