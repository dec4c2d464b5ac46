//! Whether memory was moved to where it is, with what was in it: by `mremap`, which writes nothing.

use crate::error::Error;
use crate::program::Program;
use base::cancel::Cancel;
use rr::{Called, Happening, TimelineQuery, Topic};
use std::ops::Range;
use std::path::Path;

/// The flag of `mremap` by which what is moved stays where it was, too, empty (`MREMAP_DONTUNMAP`).
const STAYS: u64 = 4;

/// The system call that has moved memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The event at which it returned.
    pub event: u64,
    /// Where the memory was before.
    pub from: u64,
}

/// As in `the system call mremap, event 305, has moved it there from 0x7fa908a60fb0, with what was in it`.
impl std::fmt::Display for Moved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { event, from } = self;
        write!(f, "the system call mremap, event {event}, has moved it there from {from:#x}, with its contents")
    }
}

/// What system calls do to the mapping of a range, one after the other.
#[derive(Debug)]
struct Mapping {
    range: Range<u64>,
    moved: Option<Moved>,
}

impl Mapping {
    fn take(&mut self, event: u64, call: &Called) {
        let (Some(result), Some(arguments)) =
            (call.result.and_then(|result| u64::try_from(result).ok()), call.arguments)
        else {
            return;
        };
        let [first, second, third, fourth, ..] = arguments;
        let touches =
            |start: u64, length: u64| start < self.range.end && self.range.start < start.saturating_add(length);
        match call.name.as_str() {
            "mmap" if touches(result, second) => self.moved = None,
            "munmap" if touches(first, second) => self.moved = None,
            "mremap" => {
                if result != first && touches(first, second) && fourth & STAYS == 0 {
                    self.moved = None;
                }
                let is_there =
                    |length: u64| result <= self.range.start && self.range.end <= result.saturating_add(length);
                if result != first && is_there(second.min(third)) {
                    let from = first.wrapping_add(self.range.start - result);
                    self.moved = Some(Moved { event, from });
                } else if result != first && touches(result, third) {
                    self.moved = None;
                }
            }
            _ => {}
        }
    }
}

/// Returns the system call that has moved this memory of a process to where it is, up to an event.
pub(crate) fn moved(
    trace: &Path,
    program: &Program,
    (pid, range, event): (u32, Range<u64>, u64),
    cancel: &Cancel,
) -> Result<Option<Moved>, Error> {
    let mut mapping = Mapping { range, moved: None };
    let calls = ["mmap", "munmap", "mremap"].map(str::to_owned).to_vec();
    let query = TimelineQuery { calls, ..TimelineQuery::between(0, event, [Topic::Call]) };
    rr::happenings(trace, &query, cancel, &mut |row| {
        if let Happening::Call(call) = &row.what
            && program.mappings.process_of(row.tid) == pid
        {
            mapping.take(row.event, call);
        }
    })?;
    Ok(mapping.moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_moved_is_told_until_something_else_is_mapped_there() {
        let call = |name: &str, arguments: [u64; 4], result: i64| {
            let [a, b, c, d] = arguments;
            let (arguments, result) = (Some([a, b, c, d, 0, 0]), Some(result));
            Called { name: name.to_owned(), arguments, result, begun: None, took: None, opened: Vec::new() }
        };
        let mut mapping = Mapping { range: 0x5008..0x500c, moved: None };
        for (event, name, arguments, result, expected) in [
            (1, "mmap", [0, 0x1000, 3, 34], 0x9000, None),
            (2, "mremap", [0x1000, 0x1000, 0x4000, 1], 0x5000, Some((2, 0x1008))),
            (3, "mremap", [0x5000, 0x4000, 0x8000, 1], 0x5000, Some((2, 0x1008))),
            (4, "mremap", [0x1000, 0x1000, 0x4000, 1], -12, Some((2, 0x1008))),
            (5, "munmap", [0x6000, 0x1000, 0, 0], 0, Some((2, 0x1008))),
            (6, "mremap", [0x5000, 0x1000, 0x1000, 1], 0x8000, None),
            (7, "mremap", [0x8000, 0x1000, 0x1000, 3], 0x5000, Some((7, 0x8008))),
            (8, "mmap", [0, 0x1000, 3, 34], 0x5000, None),
            // What comes behind what was moved is new.
            (9, "mremap", [0x1000, 8, 0x1000, 1], 0x5000, None),
        ] {
            mapping.take(event, &call(name, arguments, result));
            assert_eq!(mapping.moved.map(|moved| (moved.event, moved.from)), expected, "{event}");
        }
    }
}
