//! What all answers say besides their rows.

use rr::ProbePass;
use std::time::Duration;

/// What was searched, and what may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Events that were replayed.
    pub events: u64,
    /// How long that took, and to find out what to collect.
    pub took: Duration,
    /// How often a place was come to.
    pub hits: u64,
    /// The limit of bytes was reached: there are more.
    pub is_truncated: bool,
    /// What is to be known.
    pub notes: Vec<String>,
}

/// Something with a name, and how often it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// How often.
    pub count: u64,
}

/// The limit of what a pass writes down.
pub(super) const LIMIT: u64 = 512 << 20;
/// The longest a pass may take.
pub(super) const DEADLINE: Duration = Duration::from_secs(3600);
/// So often is cancellation looked at: at each hit whose number this divides.
pub(super) const ASKED: u64 = 4096;

impl Facts {
    pub(super) fn new(events: u64, took: Duration, pass: &ProbePass) -> Self {
        let mut notes = Vec::new();
        if let Some(why) = &pass.cut {
            notes.push(format!("what comes after is missing: {why}"));
        } else if pass.is_truncated {
            notes.push(format!(
                "only the first {} hits were written down, {} MiB: what comes later is missing; ask for fewer values or \
                 places",
                pass.hits,
                LIMIT >> 20
            ));
        }
        if !pass.has_events() {
            notes.push(
                "the recording has too many events: between which of them something was is not known, `from` is not \
                 fulfilled by anything, and addresses are those of the last mappings"
                    .to_owned(),
            );
        }
        Self { events, took, hits: pass.hits + pass.passed_over, is_truncated: pass.is_truncated, notes }
    }
}
