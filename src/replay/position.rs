//! Positions: where in the recording a thread is, to the instruction.

use engine::model::{NoWaypoint, Waypoint};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Where in the recording a stop is, to the instruction.
///
/// It can be kept, compared, written down ([`Display`](fmt::Display)), read back ([`FromStr`]), and
/// [gone to](crate::Replay::goto), forward or backward, in this session or in another one on the same process of the
/// same recording.
///
/// Positions are ordered as the recording has them. Of two in the same event by different threads, or in the same tick
/// at different instructions, the order is not known without replaying: they compare as `None`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position(Waypoint);

impl Position {
    /// Returns the number of completed events of the recording: system calls, signals, and switches between threads.
    pub fn event(&self) -> u64 {
        self.0.moment.event
    }

    /// Returns the number of ticks: conditional branches that the thread has executed since it began.
    pub fn ticks(&self) -> u64 {
        self.0.moment.ticks
    }

    /// Returns the process, by the number that it had when it was recorded.
    pub fn process(&self) -> u32 {
        self.0.thread.pid
    }

    /// Returns the thread, by the number that it had when it was recorded.
    pub fn thread(&self) -> u32 {
        self.0.thread.tid
    }

    /// Returns the address of the instruction that is executed next.
    pub fn pc(&self) -> u64 {
        self.0.pc.0
    }

    /// Returns whether nothing comes after it but the end of the process.
    pub fn is_end(&self) -> bool {
        self.0.is_end
    }

    pub(super) fn of(waypoint: Waypoint) -> Self {
        Self(waypoint)
    }

    pub(super) fn waypoint(&self) -> Waypoint {
        self.0
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        let (this, that) = (&self.0, &other.0);
        if this.moment.event != that.moment.event {
            return Some(this.moment.event.cmp(&that.moment.event));
        }
        if this.thread != that.thread {
            return None;
        }
        match (this.is_end, that.is_end) {
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            _ if (this.moment, this.pc, this.fingerprint) == (that.moment, that.pc, that.fingerprint) => {
                this.visit.zip(that.visit).map(|(this, that)| this.cmp(&that))
            }
            _ => Some(this.moment.ticks.cmp(&that.moment.ticks)).filter(|order| order.is_ne()),
        }
    }
}

/// `event/ticks/process.thread/pc/fingerprint/visit`, as `111/15268/4711.4711/0x401d2e/6c9f1d2ab04e33f7/2`. The
/// fingerprint (a hash of the thread's registers and stack) and the visit (from 1; omitted where there is only one)
/// distinguish the times that the thread reaches the pc in one tick.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text that is no [`Position`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsePositionError(NoWaypoint);

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
        text.parse().map(Self).map_err(ParsePositionError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn positions_are_ordered_as_far_as_that_is_known() {
        let here = position("111/500/7.7/0x401000/00000000000000ff/2");
        for (later, why) in [
            ("112/3/7.8/0x401000/00000000000000ff", "another event"),
            ("111/501/7.7/0x400000/00000000000000ff", "another tick"),
            ("111/500/7.7/0x401000/00000000000000ff/end", "the end"),
            ("111/500/7.7/0x401000/00000000000000ff/3", "another visit"),
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
}
