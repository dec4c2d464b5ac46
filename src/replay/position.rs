//! Positions: where in the recording a thread is, to the instruction.

use crate::arch::{RunAddr, ThreadId};
use crate::engine::model::{self, Moment, Waypoint};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Where in the recording a stop is, to the instruction.
///
/// It can be kept, compared, written down ([`Display`](fmt::Display)), read back ([`FromStr`]), and
/// [gone to](crate::Replay::goto), forward or backward, in this session or in another one on the same process of the same
/// recording.
///
/// Positions are ordered as the recording has them. Of two in the same event by different threads, or in the same tick
/// at different instructions, the order is not known without replaying: they compare as `None`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    event: u64,
    ticks: u64,
    process: u32,
    thread: u32,
    pc: u64,
    fingerprint: u64,
    is_end: bool,
}

impl Position {
    /// The number of completed events of the recording: system calls, signals, and switches between threads.
    pub fn event(&self) -> u64 {
        self.event
    }

    /// The number of conditional branches that the thread has executed since it began.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The process, by the number that it had when it was recorded.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// The thread, by the number that it had when it was recorded.
    pub fn thread(&self) -> u32 {
        self.thread
    }

    /// The address of the instruction that is executed next.
    pub fn pc(&self) -> u64 {
        self.pc
    }

    /// Whether nothing comes after it but the end of the process.
    pub fn is_end(&self) -> bool {
        self.is_end
    }

    /// `None` for one of a server that does not count events.
    pub(super) fn of(waypoint: &Waypoint) -> Option<Self> {
        let model::Position { moment, thread, pc } = waypoint.position;
        let Moment { event, ticks } = moment?;
        let (fingerprint, is_end) = (waypoint.fingerprint, waypoint.is_end);
        Some(Self { event, ticks, process: thread.pid, thread: thread.tid, pc: pc.0, fingerprint, is_end })
    }

    pub(super) fn waypoint(&self) -> Waypoint {
        let moment = Some(Moment { event: self.event, ticks: self.ticks });
        let thread = ThreadId { pid: self.process, tid: self.thread };
        let position = model::Position { moment, thread, pc: RunAddr(self.pc) };
        Waypoint { position, fingerprint: self.fingerprint, is_end: self.is_end }
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        if self.event != other.event {
            return Some(self.event.cmp(&other.event));
        }
        if (self.process, self.thread) != (other.process, other.thread) {
            return None;
        }
        match (self.is_end, other.is_end) {
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            _ => Some(self.ticks.cmp(&other.ticks)).filter(|order| order.is_ne()),
        }
    }
}

/// What stands behind a position that is the end of its process.
const END: &str = "end";

/// `event/ticks/process.thread/pc/fingerprint`, as `111/15268/4711.4711/0x401d2e/6c9f1d2ab04e33f7`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event, ticks, process, thread, pc, fingerprint, is_end } = self;
        write!(f, "{event}/{ticks}/{process}.{thread}/{pc:#x}/{fingerprint:016x}")?;
        if *is_end { write!(f, "/{END}") } else { Ok(()) }
    }
}

/// A text that is no [`Position`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsePositionError {
    text: String,
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no position; one is written as event/ticks/process.thread/pc/fingerprint", self.text)
    }
}

impl std::error::Error for ParsePositionError {}

impl From<ParsePositionError> for super::Error {
    fn from(error: ParsePositionError) -> Self {
        Self::new(super::ErrorKind::NoPosition, error.to_string())
    }
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let mut parts = text.split('/');
            let event = parts.next()?.parse().ok()?;
            let ticks = parts.next()?.parse().ok()?;
            let (process, thread) = parts.next()?.split_once('.')?;
            let (process, thread) = (process.parse().ok()?, thread.parse().ok()?);
            let pc = u64::from_str_radix(parts.next()?.strip_prefix("0x")?, 16).ok()?;
            let fingerprint = u64::from_str_radix(parts.next()?, 16).ok()?;
            let is_end = match parts.next() {
                None => false,
                Some(END) => true,
                Some(_) => return None,
            };
            let position = Self { event, ticks, process, thread, pc, fingerprint, is_end };
            // Only what is written as it would be shown: no signs, no leading zeros.
            (position.to_string() == text).then_some(position)
        };
        read().ok_or_else(|| ParsePositionError { text: text.chars().take(100).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn positions_are_ordered_as_far_as_that_is_known() {
        let here = position("111/500/7.7/0x401000/00000000000000ff");
        for (later, why) in [
            ("112/3/7.8/0x401000/00000000000000ff", "another event"),
            ("111/501/7.7/0x400000/00000000000000ff", "another tick"),
            ("111/500/7.7/0x401000/00000000000000ff/end", "the end"),
        ] {
            let later = position(later);
            assert_eq!(
                (here.partial_cmp(&later), later.partial_cmp(&here)),
                (Some(Ordering::Less), Some(Ordering::Greater)),
                "{why}"
            );
        }
        assert_eq!(here.partial_cmp(&here.clone()), Some(Ordering::Equal));
        for (other, why) in [
            ("111/501/7.8/0x401000/00000000000000ff", "another thread"),
            ("111/500/7.7/0x401004/00000000000000ff", "another instruction of the tick"),
            ("111/500/7.7/0x401000/00000000000000fe", "another visit of the instruction"),
        ] {
            assert_eq!(here.partial_cmp(&position(other)), None, "{why}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let wrong = ["", "1/2/3.4/0x5", "1/2/3/0x5/0000000000000006", "1/2/3.4/5/0000000000000006"];
        let nearly = ["+1/2/3.4/0x5/0000000000000006", "1/2/3.4/0x5/6", "1/2/3.4/0x5/0000000000000006/begin"];
        for text in wrong.into_iter().chain(nearly) {
            let error = text.parse::<Position>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("{text:?} is no position")), "{error}");
        }
    }

    proptest! {
        #[test]
        fn a_position_is_read_back_as_it_was_written(
            event: u64, ticks: u64, process: u32, thread: u32, pc: u64, fingerprint: u64, is_end: bool
        ) {
            let position = Position { event, ticks, process, thread, pc, fingerprint, is_end };
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[0-9a-fx./]{0,40}") {
            let _ = text.parse::<Position>();
        }
    }
}
