//! Memory that is watched, writes to it, and reads of it.

use super::list::{Place, Value};
use super::values::Values;

/// What is done to memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// It is written.
    #[default]
    Write,
    /// It is read.
    Read,
    /// It is written or read; of an instruction: it is read and written.
    Both,
}

impl Access {
    /// Returns whether something is written.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Both)
    }

    /// Returns whether something is read.
    pub const fn reads(self) -> bool {
        matches!(self, Self::Read | Self::Both)
    }
}

/// A question: whenever something is written to this memory, or read, what, and these values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Where it begins.
    pub place: Place,
    /// In bytes; not 0.
    pub length: u64,
    /// What is told.
    pub access: Access,
    /// Only so many writes are wanted, the last ones: 1 to 65536. Others are [skipped](super::Record::Skipped), if such a
    /// write follows before anything else is told, but for the last one that changed something. Not
    /// with reads.
    pub last: Option<u32>,
    /// What; at most 32, and of all watches together.
    pub values: Vec<Value>,
}

/// Who has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The instruction at this address.
    Instruction(u64),
    /// No instruction of the program: rr, for the kernel of the recording, a system call's results or a signal's frame.
    System,
}

/// Something was written to memory that is watched, or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of the watch, from 0 in the order they were asked for.
    pub watch: u32,
    /// The number of the thread, from 1 in the order of their beginnings. Where rr wrote for the kernel: the one that
    /// has made the kernel write if the [events](Self::events) are known, and else the one that had run last; `None` if
    /// that is not known either.
    pub thread: Option<u32>,
    /// Conditional branches that the thread had executed.
    pub ticks: u64,
    /// The number of the address space, where rr wrote for the kernel.
    pub space: Option<u32>,
    /// The first and the last event of the thread of which it may be, where rr wrote for the kernel. `None`: it is not
    /// known of which thread it is.
    pub events: Option<(u64, u64)>,
    /// Who has written.
    pub writer: Writer,
    /// The instruction has written before at as many branches of its thread; told of a watch that wants the last writes.
    pub is_again: bool,
    /// Which time in its tick it is that the instruction writes with the same values, of the first sixteen that are told:
    /// from 1 on, with those that are skipped. `None`: that is not told.
    pub visit: Option<u32>,
    /// What was done, as far as it was asked about: an instruction that reads what it writes has written for who asks
    /// about writes, and read for who asks about reads alone.
    pub access: Access,
    /// It was done at once for all processors: by an instruction with a prefix for that, or one that exchanges.
    pub is_locked: bool,
    /// Where, as far as it is watched.
    pub address: u64,
    /// How many bytes, as far as they are watched.
    pub length: u64,
    /// What was there before, or was read: at most 4096 bytes from the address on, fewer where memory ends.
    pub before: Vec<u8>,
    /// What is there afterwards; nothing if it was read.
    pub after: Vec<u8>,
    /// As they were asked for, before the instruction; none if it was no instruction.
    pub values: Values,
}

impl Written {
    /// Returns whether it is known which thread has done it.
    pub fn is_of_thread(&self) -> bool {
        self.thread.is_some() && (self.events.is_some() || self.writer != Writer::System)
    }

    /// Returns whether it changed something, or may have: of what is longer than what is told of it, nobody knows.
    pub fn is_change(&self) -> bool {
        self.access.writes() && (self.before != self.after || self.length > self.before.len() as u64)
    }
}
