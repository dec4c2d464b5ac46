//! How far a recording can be replayed that rr cannot replay to its end.

/// How far that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CutRecording {
    /// The first event that rr cannot replay.
    pub(super) event: u64,
    /// Why it cannot, if not because it is the last one.
    pub(super) why: Option<String>,
    /// The movement that is done again has come there before, and rr has ended.
    pub(super) runs_out: bool,
}

impl CutRecording {
    /// Creates that of a recording whose last event cannot be replayed.
    pub(crate) const fn at_last(event: u64) -> Self {
        Self { event, why: None, runs_out: false }
    }

    /// Returns the last event that rr can go to.
    pub(super) const fn reach(&self) -> u64 {
        self.event.saturating_sub(1)
    }
}
