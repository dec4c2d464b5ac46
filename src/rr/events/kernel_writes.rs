//! What the kernel of the recording has written to some memory: at which events, and for which threads.
//!
//! A replay writes it without a step of the thread that it is for, which may have waited long: which thread rr was busy
//! with then tells no more than when that was.

use super::frame::{Frame, Kind};
use std::ops::Range;

/// Most writes that are told apart.
const MOST: usize = 1 << 20;
/// Most events to which a thread ran that are known.
const MOST_RUNS: usize = 4 << 20;
/// Most writes that are looked at to find one.
const MOST_LOOKED: usize = 1 << 16;

/// What an event has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KernelWrite {
    event: u64,
    /// The thread of the event, by its number, and the branches that it had executed.
    thread: u32,
    ticks: u64,
    /// The last event up to which the thread has run.
    ran: u64,
    /// The thread that ran last, and the branches that it had executed.
    runner: (u32, u64),
    /// A thread whose memory it is, by its number.
    owner: u32,
    range: Range<u64>,
}

/// What rr was busy with when it wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Busy<'a> {
    /// The thread that ran last, by its number, and the branches that it had executed.
    pub(super) thread: u32,
    pub(super) ticks: u64,
    /// The event that made the thread.
    pub(super) made: u64,
    /// Ticks and number of each event of the thread.
    pub(super) events: &'a [(u64, u64)],
    /// The write is of no event before this one.
    pub(super) least: u64,
}

/// Who has made the kernel write, and the first and the last event that it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    /// By its number.
    pub(crate) thread: u32,
    /// Branches that it had executed.
    pub(crate) ticks: u64,
    pub(crate) events: (u64, u64),
}

/// What the kernel has written to some memory.
#[derive(Debug, Default)]
pub(super) struct KernelWrites {
    /// Which memory, in its order.
    asked: Vec<Range<u64>>,
    /// In the order of events.
    list: Vec<KernelWrite>,
    /// Events up to which a thread ran.
    runs: Vec<u64>,
    /// Of each thread, by its number: the ticks of its last event, and the last event up to which it ran.
    threads: Vec<Option<(u64, u64)>>,
    /// The thread that ran last, and its ticks.
    runner: (u32, u64),
    is_cut: bool,
}

impl KernelWrites {
    /// Creates those to these ranges, of which none is known yet.
    pub(super) fn to(ranges: impl Iterator<Item = Range<u64>>) -> Self {
        let mut asked: Vec<Range<u64>> = ranges.filter(|range| !range.is_empty()).collect();
        asked.sort_by_key(|range| range.start);
        // One that reaches over others is found first where all ends are in order.
        asked.dedup_by(|later, first| {
            let touches = later.start <= first.end;
            if touches {
                first.end = first.end.max(later.end);
            }
            touches
        });
        Self { asked, ..Self::default() }
    }

    fn is_asked(&self, range: &Range<u64>) -> bool {
        let first = self.asked.partition_point(|asked| asked.end <= range.start);
        self.asked.get(first).is_some_and(|asked| asked.start < range.end)
    }

    /// Takes note of an event of a thread. `number` tells the number of the thread of an id.
    pub(super) fn note(&mut self, event: u64, frame: &Frame, thread: u32, number: impl Fn(u32) -> Option<u32>) {
        if self.asked.is_empty() || self.is_cut {
            return;
        }
        if self.threads.len() <= thread as usize {
            self.threads.resize(thread as usize + 1, None);
        }
        let Some(state) = self.threads.get_mut(thread as usize) else { return };
        let begins = matches!(&frame.kind, Kind::Slice) || matches!(&frame.kind, Kind::Call(call) if !call.returns);
        let ran = state.filter(|(ticks, _)| *ticks == frame.ticks && !begins).map_or(event, |(_, ran)| ran);
        *state = Some((frame.ticks, ran));
        if ran == event {
            self.runs.push(event);
            self.runner = (thread, frame.ticks);
        }
        for write in &frame.writes {
            let range = write.address..write.address.saturating_add(write.length);
            let Some(owner) = number(write.tid).filter(|_| self.is_asked(&range)) else { continue };
            self.list.push(KernelWrite { event, thread, ticks: frame.ticks, ran, runner: self.runner, owner, range });
        }
        self.is_cut = self.list.len() > MOST || self.runs.len() > MOST_RUNS;
        if self.is_cut {
            (self.list, self.runs) = (Vec::new(), Vec::new());
        }
    }

    /// Finds out for whom the kernel has written to a range, in memory of which a thread is if `is_its` holds of it.
    pub(super) fn cause(&self, busy: &Busy<'_>, range: &Range<u64>, is_its: impl Fn(u32) -> bool) -> Option<Cause> {
        let first = busy.events.partition_point(|(ticks, _)| *ticks < busy.ticks);
        let behind = busy.events.partition_point(|(ticks, _)| *ticks <= busy.ticks);
        let event = |index: usize| busy.events.get(index).map(|(_, event)| *event);
        let before = first.checked_sub(1).and_then(event);
        let from = match before {
            Some(_) if first < behind => event(first).unwrap_or_default(),
            Some(before) => before.saturating_add(1),
            None => busy.made.saturating_sub(1),
        };
        let start = self.list.partition_point(|write| write.event < from.max(busy.least));
        let end = event(behind).map_or(self.list.len(), |end| self.list.partition_point(|write| write.event < end));
        let within = self.list.get(start..end).unwrap_or_default();
        if within.len() > MOST_LOOKED {
            return None;
        }
        let is_there = |write: &&KernelWrite| {
            write.range.start < range.end && range.start < write.range.end && is_its(write.owner)
        };
        let at_once = within.iter().filter(|write| write.runner == (busy.thread, busy.ticks)).filter(is_there);
        let mut at_once = at_once.peekable();
        if at_once.peek().is_some() {
            return only(at_once);
        }
        // A thread may have run up to an event that does not tell so.
        let last = if first < behind { event(behind - 1) } else { event(behind) }.unwrap_or(u64::MAX);
        let next = self.runs.partition_point(|run| *run <= last);
        // Whoever runs next is whom rr is busy with then.
        let to = self.runs.get(next).copied().unwrap_or(u64::MAX);
        let can_be = |write: &&KernelWrite| {
            let stands = if write.thread == busy.thread { write.ticks == busy.ticks } else { write.ran < last };
            write.event < to && stands
        };
        only(within.iter().filter(can_be).filter(is_there))
    }
}

/// Returns whose these writes are, if they are of one thread at one of its ticks.
fn only<'a>(writes: impl Iterator<Item = &'a KernelWrite>) -> Option<Cause> {
    let mut cause: Option<Cause> = None;
    for write in writes {
        let KernelWrite { thread, ticks, event, .. } = *write;
        let first = cause.get_or_insert(Cause { thread, ticks, events: (event, event) });
        if (first.thread, first.ticks) != (thread, ticks) {
            return None;
        }
        first.events.1 = event;
    }
    cause
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::frame::{Call, Set, Write};

    fn call(returns: bool) -> Kind {
        let (set, number, opened) = (Set::X86_64, 0, Vec::new());
        let (arguments, result, resumes_at, thread_pointer) = (None, None, None, None);
        Kind::Call(Call { set, number, returns, arguments, result, resumes_at, thread_pointer, opened })
    }

    /// Thread 1 begins a call, 2 one after the other, and what those of 1 and 3 return is where it is asked about; 4 is
    /// of another process.
    fn writes() -> KernelWrites {
        let mut writes = KernelWrites::to([0x100..0x108, 0x104..0x110, 0x200..0x200].into_iter());
        for (event, thread, ticks, kind, written) in [
            (10, 1, 50, call(false), None),
            (11, 2, 70, call(false), None),
            (12, 1, 50, call(true), Some((0x10c, 8))),
            (13, 2, 70, call(true), Some((0x110, 8))),
            (14, 1, 60, call(false), None),
            (15, 2, 80, call(false), None),
            (16, 3, 5, call(false), None),
            (17, 2, 80, call(true), Some((0x100, 1))),
            (18, 1, 60, Kind::Handler, Some((0xf0, 0x400))),
            (19, 3, 6, Kind::Slice, None),
            (20, 1, 60, call(true), Some((0x100, 1))),
            (21, 4, 1, call(false), None),
            (22, 4, 1, call(true), Some((0x100, 1))),
        ] {
            let writes_to = |(address, length)| Write { tid: thread + 100, address, length, stored: length };
            let frame = Frame {
                tid: thread + 100,
                ticks,
                seconds: 0.0,
                kind,
                stands: None,
                writes: written.map(writes_to).into_iter().collect(),
            };
            writes.note(event, &frame, thread, |tid| tid.checked_sub(100));
        }
        writes
    }

    fn cause(thread: u32, ticks: u64, range: Range<u64>, owners: &[u32]) -> Option<(u32, u64, (u64, u64))> {
        cause_from(0, (thread, ticks), range, owners)
    }

    fn cause_from(
        least: u64,
        (thread, ticks): (u32, u64),
        range: Range<u64>,
        owners: &[u32],
    ) -> Option<(u32, u64, (u64, u64))> {
        let events: &[(u64, u64)] = match thread {
            1 => &[(50, 10), (50, 12), (60, 14), (60, 18), (60, 20)],
            2 => &[(70, 11), (70, 13), (80, 15), (80, 17)],
            3 => &[(5, 16), (6, 19)],
            _ => &[(1, 21), (1, 22)],
        };
        let busy = Busy { thread, ticks, made: 3, events, least };
        let cause = writes().cause(&busy, &range, |owner| owners.contains(&owner))?;
        Some((cause.thread, cause.ticks, cause.events))
    }

    #[test]
    fn what_is_written_is_of_the_thread_that_waited_for_it() {
        // While rr is busy with 2, what 1 waits for comes, and not what 2 does.
        assert_eq!(cause(2, 70, 0x108..0x110, &[1, 2]), Some((1, 50, (12, 12))));
        assert_eq!(cause(2, 70, 0x100..0x101, &[1, 2]), None);
        // 3 has run last: one of two, of which one is over.
        assert_eq!(cause(3, 5, 0x100..0x101, &[1, 2, 3]), None);
        assert_eq!(cause(3, 5, 0x100..0x101, &[2]), Some((2, 80, (17, 17))));
        assert_eq!(cause_from(18, (3, 5), 0x100..0x101, &[1, 2, 3]), Some((1, 60, (18, 18))));
        assert_eq!(cause(3, 6, 0x100..0x101, &[1, 2, 3]), Some((1, 60, (20, 20))));
        assert_eq!(cause(4, 1, 0x100..0x101, &[1, 2, 3]), None);
        assert_eq!(cause(4, 1, 0x100..0x101, &[4]), Some((4, 1, (22, 22))));
    }

    #[test]
    fn a_thread_that_has_run_without_a_sign_of_it_is_believed() {
        // Nobody seems to have run behind 3.
        assert_eq!(cause(2, 80, 0x100..0x101, &[2]), Some((2, 80, (17, 17))));
    }

    #[test]
    fn of_one_thread_it_may_be_one_of_several_events() {
        assert_eq!(cause(1, 60, 0x100..0x101, &[1]), Some((1, 60, (18, 20))));
    }

    #[test]
    fn only_what_is_asked_about_is_kept() {
        let writes = writes();
        let events: Vec<u64> = writes.list.iter().map(|write| write.event).collect();
        assert_eq!((events, &writes.runs[..]), (vec![12, 17, 18, 20, 22], &[10, 11, 14, 15, 16, 19, 21][..]));
        let mut nothing = KernelWrites::to(std::iter::once(5..5));
        let frame = Frame { tid: 1, ticks: 0, seconds: 0.0, kind: Kind::Slice, stands: None, writes: Vec::new() };
        nothing.note(1, &frame, 1, Some);
        assert!(nothing.runs.is_empty());
    }
}
