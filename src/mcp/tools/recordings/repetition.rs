//! How often a program is recorded, and until when.

use rr::{Error, Listener, RUNS, RecordOptions, Recorded, Repeated, Rr, Until};

/// How often a program is recorded, and until when; once without.
pub(super) struct Repetition(Option<(u32, Until)>);

impl Repetition {
    /// Reads what was asked for.
    pub(super) fn asked(runs: Option<u32>, until: Option<&str>) -> Result<Self, String> {
        if runs.is_none() && until.is_none() {
            return Ok(Self(None));
        }
        let until = until.map_or(Ok(Until::Failure), str::parse).map_err(|error| format!("`until`: {error}"))?;
        Ok(Self(Some((runs.unwrap_or(RUNS), until))))
    }

    /// Records, and tells how often that was, if it was to be more than once.
    pub(super) fn record(
        &self,
        rr: &Rr,
        options: &RecordOptions,
        listener: &Listener,
    ) -> Result<(Recorded, Option<String>), Error> {
        let Some((most, until)) = &self.0 else { return Ok((rr.record_heard(options, listener)?, None)) };
        let Repeated { recorded, runs, happened, given_up } = rr.record_until(options, until, *most, listener)?;
        let times = |count: u32| if count == 1 { "1 run".to_owned() } else { format!("{count} runs") };
        let mut note = match (happened, recorded.trace_dir.is_some()) {
            (true, _) if runs == 1 => "it happened in the first run".to_owned(),
            (true, _) => format!("it happened in run {runs}; in {} before it did not", times(runs - 1)),
            (false, true) => format!("cancelled in run {runs}; in {} before it did not happen", times(runs - 1)),
            (false, false) => {
                let how = "chaos: true makes rare interleavings happen";
                let hint = if options.chaos { "more runs may" } else { how };
                format!("it did not happen in {}; no recording was kept; {hint}", times(runs))
            }
        };
        if given_up > 0 {
            note.push_str(&format!("; rr gave up in {}, record once to see why", times(given_up)));
        }
        Ok((recorded, Some(note)))
    }
}
