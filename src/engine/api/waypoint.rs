//! Names of single moments of a recording, to the instruction: as text, and read back.

use super::position::Position;
use arch::{RunAddr, ThreadId};
use rsp::Moment;
use std::fmt;
use std::str::FromStr;

/// A moment that can be found again: within one tick, a thread may come by the same pc more than once.
///
/// [`Self::entry`] has no part in whether two are equal.
#[derive(Clone, Copy, Debug)]
pub struct Waypoint {
    /// Completed events, and conditional branches that the thread has retired.
    pub moment: Moment,
    /// The thread whose turn it is.
    pub thread: ThreadId,
    /// Its program counter.
    pub pc: RunAddr,
    /// What tells this time that the thread comes by the pc from others in the same tick.
    pub fingerprint: Option<Fingerprint>,
    /// Which of the times in the tick that all of this is so it is, from 1 on. `None`: the first; or the only one, if
    /// the fingerprint is that of a stop.
    pub visit: Option<u32>,
    /// Whether nothing comes after it but the end of the process.
    pub is_end: bool,
    /// In a tick of many calls: where the return address of one of them lies, that is entered shortly before. It leads to
    /// the moment past all the others at the pc.
    pub entry: Option<u64>,
}

impl PartialEq for Waypoint {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Waypoint {}

impl std::hash::Hash for Waypoint {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// A hash of a thread's state before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fingerprint {
    /// Of its general registers and of the top of its stack, as a stop knows them.
    Stop(u64),
    /// Of its general registers alone, as a pass over the whole execution knows them: see [`hash_of_registers`].
    Registers(u64),
}

/// FNV-1a, which gives the same number wherever it is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash(pub(crate) u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Returns the hash of general registers, in the order of their DWARF numbers (System V ABI for AMD64, figure 3.36).
pub fn hash_of_registers(registers: &[u64; 16]) -> u64 {
    let mut hash = Hash::default();
    registers.iter().for_each(|value| hash.add(&value.to_le_bytes()));
    hash.0
}

/// Returns the hash of the general registers, in the same order, and of the top of the stack, as a stop knows it.
pub fn hash_of_stop(registers: &[u64; 16], pc: RunAddr, stack: &[u8]) -> u64 {
    let mut hash = Hash(hash_of_registers(registers));
    hash.add(&pc.0.to_le_bytes());
    hash.add(stack);
    hash.0
}

impl Waypoint {
    /// Returns what makes it this moment and none other.
    fn identity(&self) -> (Moment, ThreadId, RunAddr, Option<Fingerprint>, Option<u32>, bool) {
        let Self { moment, thread, pc, fingerprint, visit, is_end, entry: _ } = *self;
        (moment, thread, pc, fingerprint, visit, is_end)
    }

    /// Returns the position: event, ticks, thread and pc.
    pub fn position(&self) -> Position {
        Position { moment: Some(self.moment), thread: self.thread, pc: self.pc }
    }
}

/// What stands behind one that is the end of its process.
const END: &str = "end";
/// Hexadecimal digits of a fingerprint.
const DIGITS: usize = 16;
/// What stands before one of registers alone.
const OF_REGISTERS: char = 'r';
/// What stands before the address of a return address.
const ENTRY: char = 's';

/// `event/ticks/process.thread/pc/fingerprint/visit`, as `111/15268/4711.4711/0x401d2e/6c9f1d2ab04e33f7/2`. The
/// fingerprint of registers alone begins with an `r`; the visit is left out where there is only one. In a tick of
/// many calls the address of a return address follows, as `s7ffc0d72d038`.
impl fmt::Display for Waypoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moment: Moment { event, ticks }, thread: ThreadId { pid, tid }, pc, .. } = self;
        let Self { fingerprint, visit, is_end, entry, .. } = self;
        write!(f, "{event}/{ticks}/{pid}.{tid}/{:#x}", pc.0)?;
        match fingerprint {
            Some(Fingerprint::Stop(hash)) => write!(f, "/{hash:0DIGITS$x}")?,
            Some(Fingerprint::Registers(hash)) => write!(f, "/{OF_REGISTERS}{hash:0DIGITS$x}")?,
            None => {}
        }
        if let Some(visit) = visit {
            write!(f, "/{visit}")?;
        }
        if let Some(entry) = entry {
            write!(f, "/{ENTRY}{entry:x}")?;
        }
        if *is_end { write!(f, "/{END}") } else { Ok(()) }
    }
}

/// A text that is no [`Waypoint`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a position: expected event/ticks/process.thread/pc/fingerprint/visit (copy `position` from a stop or row)"
)]
pub struct NoWaypoint {
    text: String,
}

impl FromStr for Waypoint {
    type Err = NoWaypoint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let mut parts = text.split('/').peekable();
            let (event, ticks) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            let (pid, tid) = parts.next()?.split_once('.')?;
            let thread = ThreadId { pid: pid.parse().ok()?, tid: tid.parse().ok()? };
            let pc = RunAddr(u64::from_str_radix(parts.next()?.strip_prefix("0x")?, 16).ok()?);
            let hash = |digits: &str| u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == DIGITS);
            let fingerprint = match parts.next_if(|part| part.len() >= DIGITS && !part.starts_with(ENTRY)) {
                Some(part) => Some(match part.strip_prefix(OF_REGISTERS) {
                    Some(digits) => Fingerprint::Registers(hash(digits)?),
                    None => Fingerprint::Stop(hash(part)?),
                }),
                None => None,
            };
            let visit = match parts.next_if(|part| part.bytes().all(|byte| byte.is_ascii_digit())) {
                Some(part) => Some(part.parse().ok().filter(|visit| *visit > 0)?),
                None => None,
            };
            let entry = match parts.next_if(|part| part.starts_with(ENTRY)) {
                Some(part) => Some(u64::from_str_radix(part.strip_prefix(ENTRY)?, 16).ok()?),
                None => None,
            };
            let is_end = parts.next_if_eq(&END).is_some();
            let waypoint = Self { moment: Moment { event, ticks }, thread, pc, fingerprint, visit, is_end, entry };
            // Only what is written as it would be shown: no signs, no leading zeros, nothing behind it.
            (waypoint.to_string() == text).then_some(waypoint)
        };
        read().ok_or_else(|| NoWaypoint { text: text.chars().take(100).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_position_is_refused() {
        let wrong = ["", "7", "1/2/3/0x5/0000000000000006", "1/2/3.4/5/0000000000000006", "1/2/3.4/0x5/"];
        let nearly = ["+1/2/3.4/0x5/0000000000000006", "1/2/3.4/0x5/0000000000000006/begin"];
        let also = ["1/2/3.4/0x05", "1/2/3.4/0x5/end/0000000000000006", "1/2/3.4/0x5/000000000000000A", "1/2/3.4/0x5 "];
        let visits =
            ["1/2/3.4/0x5/0", "1/2/3.4/0x5/02", "1/2/3.4/0x5/4294967296", "1/2/3.4/0x5/1/2", "1/2/3.4/0x5/end/1"];
        for text in wrong.into_iter().chain(nearly).chain(also).chain(visits) {
            let error = text.parse::<Waypoint>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("{text:?} is not a position")), "{error}");
        }
    }

    #[test]
    fn what_leads_to_a_moment_does_not_tell_it_from_others() {
        let plain: Waypoint = "1/2/3.4/0x5/0000000000000006".parse().unwrap();
        let led: Waypoint = "1/2/3.4/0x5/0000000000000006/s7ffc0d72d038".parse().unwrap();
        assert_eq!((plain, plain.entry, led.entry), (led, None, Some(0x7ffc_0d72_d038)));
    }

    #[test]
    fn a_place_may_go_without_its_fingerprint() {
        let bare: Waypoint = "1/2/3.4/0x5".parse().unwrap();
        let moment = Moment { event: 1, ticks: 2 };
        let thread = ThreadId { pid: 3, tid: 4 };
        let pc = RunAddr(5);
        assert_eq!(bare, Waypoint { moment, thread, pc, fingerprint: None, visit: None, is_end: false, entry: None });
        let second: Waypoint = "1/2/3.4/0x5/2".parse().unwrap();
        assert_eq!(second, Waypoint { visit: Some(2), ..bare });
    }

    proptest! {
        #[test]
        fn a_position_is_read_back_as_it_was_written(
            event: u64, ticks: u64, pid: u32, tid: u32, pc: u64, hash: Option<(bool, u64)>,
            visit in proptest::option::of(1..u32::MAX), is_end: bool, entry: Option<u64>
        ) {
            let fingerprint = hash.map(|(is_stop, hash)| match is_stop {
                true => Fingerprint::Stop(hash),
                false => Fingerprint::Registers(hash),
            });
            let (moment, thread) = (Moment { event, ticks }, ThreadId { pid, tid });
            let waypoint = Waypoint { moment, thread, pc: RunAddr(pc), fingerprint, visit, is_end, entry };
            let read: Waypoint = waypoint.to_string().parse().unwrap();
            prop_assert_eq!((read, read.entry), (waypoint, entry));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[0-9a-frsxen./]{0,60}") {
            if let Ok(read) = text.parse::<Waypoint>() {
                prop_assert_eq!(read.to_string(), text);
            }
        }
    }
}
