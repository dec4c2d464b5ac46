//! Count passes: a replay of a whole recording that counts what is executed.
//!
//! It is a [probe pass](super::probe_pass) that asks for counts: which code ran, how often, and how many ticks that
//! were.

use super::error::Error;
use super::probe_pass::Ids;
use super::program::Rr;
use softcounters::probes::{Asked, Code, Counts, Damage, Record};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What was executed.
#[derive(Debug)]
pub struct CountPass {
    /// By address spaces and modules.
    pub code: Vec<Code>,
    /// The threads of each address space, by their ids in the recording, in the order in which they came to it.
    pub threads: BTreeMap<u32, Vec<u32>>,
    /// Address spaces of which not all counts are known.
    pub lost: Vec<u32>,
    /// The limit was reached: there are more counts, and those that are there may be too small.
    pub is_truncated: bool,
    /// Why the replay has failed on the way: what comes after is not counted.
    pub cut: Option<String>,
}

impl Rr {
    /// Replays a recording once and counts what is executed, up to `limit` bytes of counts.
    ///
    /// It ends without an answer when its time is up, and when it is [cancelled](Rr::with_cancel).
    ///
    /// # Errors
    /// If soft counters cannot be had, or if the replay fails.
    pub fn count_pass(&self, directory: &Path, limit: u64, deadline: Duration) -> Result<CountPass, Error> {
        let pass = self.pass(directory, &Asked { counts: true, ..Asked::default() }, limit, deadline)?;
        let counted = pass.counts();
        let counted = counted.map_err(|damage| Error::Unexpected { command: "replay", what: damage.to_string() })?;
        Ok(CountPass { is_truncated: counted.is_truncated || pass.is_truncated, cut: pass.cut, ..counted })
    }
}

impl CountPass {
    /// Counts what these records say.
    pub(super) fn of(records: impl Iterator<Item = Result<Record, Damage>>, mut ids: Ids<'_>) -> Result<Self, Damage> {
        let mut counts = Counts::default();
        let mut threads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut is_truncated = false;
        for record in records {
            match record? {
                Record::Space { thread, space } => {
                    ids.note(thread, space);
                    let tid = ids.of(thread).ok_or(Damage::Record("there are more threads than in the recording"))?;
                    let known = threads.entry(space).or_default();
                    if !known.contains(&tid) {
                        known.push(tid);
                    }
                }
                Record::Truncated { .. } => is_truncated = true,
                record => counts.add(record)?,
            }
        }
        Ok(Self { code: counts.code(), threads, lost: counts.lost().to_vec(), is_truncated, cut: None })
    }
}
