//! All that a pass tells of one memory, in the order of the execution: also which threads begin.

use super::{Ids, Memory, ProbeHit, ProbePass, ProbeRecord};
use softcounters::probes::{Damage, Record};

/// Something that a pass tells.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "they come one by one, most of them writes: an allocation for each costs more"
)]
pub enum PassEvent {
    /// A thread begins; by their numbers, with the one that made it, if one is known.
    Began(u32, Option<u32>),
    /// An instruction was executed, or memory was written or read.
    Done(ProbeRecord),
}

impl ProbePass {
    /// Iterates over the hits, the threads that begin, and what is told of one memory and what it is not known of whose it
    /// is, in the order of the execution.
    ///
    /// # Errors
    /// As [`ProbePass::hits`].
    pub fn story<'a>(
        &'a self,
        memory: &'a Memory,
    ) -> Result<impl Iterator<Item = Result<PassEvent, Damage>> + 'a, Damage> {
        self.story_if(|space, number| space.is_none_or(|space| memory.has(space, number)))
    }

    /// Iterates over the hits, the threads that begin, and the writes of which this holds: by their address spaces, and how
    /// many hits are before them.
    pub(super) fn story_if<'a>(
        &'a self,
        is_wanted: impl Fn(Option<u32>, u64) -> bool + 'a,
    ) -> Result<impl Iterator<Item = Result<PassEvent, Damage>> + 'a, Damage> {
        let mut number = 0;
        let mut ids = Ids::of_all(&self.threads);
        let told = move |record| match record {
            Ok(Record::Thread { thread, parent, .. }) => Some(Ok(PassEvent::Began(thread, parent))),
            Ok(Record::Space { thread, space }) => {
                ids.note(thread, space);
                None
            }
            Ok(Record::Hit(hit)) => {
                number += 1;
                let tid = ids.of(hit.thread).ok_or(Damage::Record("a hit is of no thread"));
                Some(tid.map(|tid| {
                    let (probe, thread, ticks, values) = (hit.probe as usize, hit.thread, hit.ticks, hit.values);
                    PassEvent::Done(ProbeRecord::Hit(ProbeHit { probe, thread, tid, ticks, values }))
                }))
            }
            Ok(Record::Written(mut written)) => {
                let space = ids.judge(&mut written);
                let is_wanted = is_wanted(space, number);
                number += 1;
                let tid = written.thread.and_then(|thread| ids.of(thread));
                is_wanted.then_some(Ok(PassEvent::Done(ProbeRecord::Written(tid, written))))
            }
            Ok(Record::Skipped { watch, thread, writes }) => {
                let space = ids.spaces.get(&thread).copied();
                let is_wanted = is_wanted(space, number);
                number += writes;
                is_wanted.then_some(Ok(PassEvent::Done(ProbeRecord::Skipped(watch, writes))))
            }
            Ok(_) => None,
            Err(damage) => Some(Err(damage)),
        };
        Ok(self.records()?.filter_map(told))
    }
}
