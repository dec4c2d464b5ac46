//! Noticing what rr writes to watched memory.

use std::ops::Range;

use super::foreign::{Part, add};
use super::frame;
use super::writing::MOST_TOLD;
use crate::memory;
use crate::state::State;

/// What is watched of what rr is about to write.
#[derive(Debug)]
pub struct Foreign {
    /// A thread of the address space.
    tid: i32,
    /// Where rr writes.
    ranges: Vec<Range<u64>>,
    parts: Vec<Part>,
}

impl State {
    /// rr is about to write to these addresses of the memory of `tid`.
    pub fn before_write(&mut self, tid: i32, ranges: &[Range<u64>]) -> Option<Foreign> {
        self.watching()?;
        let pass = self.pass.as_ref().filter(|pass| pass.has_begun)?;
        let (current, gone) = (pass.current, pass.gone);
        let id = self.known_space_of(tid).or_else(|| self.spaces.named(tid).first().copied())?;
        let busy = self.known(current).map_or(gone, |tracee| (tracee.number, tracee.ticks));
        let current = (self.known_space_of(current) == Some(id)).then_some(current);
        let space = self.spaces.get(id)?;
        let tid = current.or_else(|| space.member())?;
        let parts: Vec<_> = ranges.iter().flat_map(|range| space.watched.parts(range)).collect();
        if parts.is_empty() {
            return None;
        }
        let (thread, ticks) = match current {
            Some(current) => (self.thread_number(current), self.tracee(current).ticks),
            // Which thread it is for is found out by when it is.
            None => busy,
        };
        let part = |(watch, range): (u32, Range<u64>)| {
            let before = content(tid, &range);
            let is_own = current.is_some();
            Part { space: id, watch, thread, ticks, is_own, range, before, after: Vec::new(), is_repeated: false }
        };
        let parts = parts.into_iter().map(part).collect();
        Some(Foreign { tid, ranges: ranges.to_vec(), parts })
    }

    /// Keeps what tells when it is that rr was busy with a thread of which all else is forgotten.
    pub fn keep_busy(&mut self, tid: i32) {
        let busy = self.known(tid).map_or((0, 0), |tracee| (tracee.number, tracee.ticks));
        if let Some(pass) = self.pass.as_mut().filter(|pass| pass.current == tid) {
            pass.gone = busy;
        }
    }

    /// rr has done so, or tried.
    pub fn after_write(&mut self, foreign: Option<Foreign>) {
        let (Some(Foreign { tid, ranges, parts }), Some(pass)) = (foreign, &mut self.pass) else { return };
        let read = |range: Range<u64>| {
            let length = (range.end - range.start) as usize;
            Some(content(tid, &range)).filter(|bytes| bytes.len() == length)
        };
        for mut part in parts {
            part.after = content(tid, &part.range);
            let is_in = |range: &&Range<u64>| range.start <= part.range.start && part.range.end <= range.end;
            if let Some(end) = ranges.iter().find(is_in).and_then(|range| frame::end(range, read)) {
                part.cut_unchanged(end);
            }
            if !part.range.is_empty() {
                add(&mut pass.foreign, part);
            }
        }
    }
}

fn content(tid: i32, range: &Range<u64>) -> Vec<u8> {
    let mut bytes = vec![0; (range.end - range.start).min(MOST_TOLD) as usize];
    let read = memory::read_up_to(tid, range.start, &mut bytes);
    bytes.truncate(read);
    bytes
}
