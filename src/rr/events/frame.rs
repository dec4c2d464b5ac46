//! The frames of a trace: what rr wrote down at each event (`rr_trace.capnp`, `Frame`).
//!
//! Places of fields follow from the order in which rr added them, so that they never change.

use crate::message::{Message, Structure};

/// Registers in `struct user_regs_struct` of x86-64, in words.
const RDI: usize = 14;
const RSI: usize = 13;
const RDX: usize = 12;
const RCX_OF_CALL: usize = 7;
const R8: usize = 9;
const R9: usize = 8;
const RAX: usize = 10;
const RIP: usize = 16;
const RSP: usize = 19;
const FS_BASE: usize = 21;
/// A call opens no more files than two at once, and no longer path is one.
const MOST_OPENED: usize = 64;
const LONGEST_PATH: usize = libc::PATH_MAX as usize;
/// How many there are.
const REGISTERS: usize = 27;

/// The instruction set of a thread at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// 32-bit x86.
    X86,
    /// 64-bit x86.
    X86_64,
    /// 64-bit ARM.
    Aarch64,
    /// One that is not known here.
    Unknown,
}

/// What rr wrote down at an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    /// The thread that it happened to.
    pub(super) tid: u32,
    /// Ticks of the thread until then.
    pub(super) ticks: u64,
    /// When it was written, in seconds. Only differences mean something.
    pub(super) seconds: f64,
    /// What it was.
    pub(super) kind: Kind,
    /// The thread's instruction and stack pointers; known for x86-64 only, and not at each event.
    pub(super) stands: Option<(u64, u64)>,
    /// Where memory was written, and how much of it is in the stream `data`.
    pub(super) writes: Vec<Write>,
}

/// Memory that an event has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Write {
    /// The thread whose memory it is.
    pub(super) tid: u32,
    /// Where it begins.
    pub(super) address: u64,
    /// Its bytes, with those between that were left as they were.
    pub(super) length: u64,
    /// Bytes of it in the stream `data`.
    pub(super) stored: u64,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// The end of a time slice.
    Slice,
    /// A signal, as it arrived.
    Signal(Signal),
    /// A handler of the program for a signal begins.
    Handler,
    /// The thread's end.
    Exit,
    /// Results of system calls that were buffered.
    Flush,
    /// A system call.
    Call(Call),
    /// What concerns rr alone.
    Other,
}

/// A signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its number.
    pub number: i32,
    /// Why it was sent (`si_code`).
    pub code: i32,
    /// The address of a fault (`si_addr`).
    pub address: Option<u64>,
    /// The process that sent it (`si_pid`).
    pub sender: Option<u32>,
    /// The program's own instruction caused it, and will at each replay.
    pub is_synchronous: bool,
    /// What becomes of it.
    pub disposition: Disposition,
}

impl Signal {
    /// Returns whether the program notices it.
    pub(super) fn is_delivered(&self) -> bool {
        self.disposition != Disposition::Ignored
    }
}

/// What becomes of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// It ends the process.
    Fatal,
    /// A handler of the program is called.
    Handler,
    /// Nothing.
    Ignored,
}

/// A system call at one of its events.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    /// Of which its number is.
    pub(super) set: Set,
    pub(super) number: i32,
    /// It returns; else it begins.
    pub(super) returns: bool,
    /// Arguments; known for x86-64 only.
    pub(super) arguments: Option<[u64; 6]>,
    /// What it returns; known for x86-64 only.
    pub(super) result: Option<i64>,
    /// The instruction behind it; known for x86-64 only.
    pub(super) resumes_at: Option<u64>,
    /// The thread pointer; known for x86-64 only.
    pub(super) thread_pointer: Option<u64>,
    /// Descriptors that were opened for files in which rr has an interest, and these.
    pub(super) opened: Vec<(i32, String)>,
}

fn set(number: u64) -> Set {
    match number {
        0 => Set::X86,
        1 => Set::X86_64,
        2 => Set::Aarch64,
        _ => Set::Unknown,
    }
}

impl Frame {
    /// Reads a frame. `None`: it is none.
    pub(super) fn read(message: &Message) -> Option<Self> {
        let root = message.root()?;
        let kind = match root.number(6, 2) {
            4 => Kind::Slice,
            6 => Kind::Signal(signal(&root.structure(3)?)),
            8 => Kind::Handler,
            9 => Kind::Exit,
            10 => Kind::Flush,
            11 => Kind::Call(call(&root)),
            _ => Kind::Other,
        };
        Some(Self {
            tid: root.number(0, 4) as u32,
            ticks: root.number(8, 8),
            seconds: f64::from_bits(root.number(16, 8)),
            kind,
            stands: Registers::of(&root).map(|registers| (registers.get(RIP), registers.get(RSP))),
            writes: root.structures(0).iter().map(write).collect(),
        })
    }
}

/// The general registers of a thread of x86-64.
struct Registers<'a>(&'a [u8]);

impl<'a> Registers<'a> {
    /// Finds those of a frame. `None`: it has none, or the thread is of another kind.
    fn of(root: &Structure<'a>) -> Option<Self> {
        let bytes = root.structure(1).map(|registers| registers.bytes(0)).unwrap_or_default();
        (set(root.number(4, 2)) == Set::X86_64 && bytes.len() == 8 * REGISTERS).then_some(Self(bytes))
    }

    fn get(&self, number: usize) -> u64 {
        let bytes = self.0.get(8 * number..8 * number + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u64::from_le_bytes).unwrap_or_default()
    }
}

fn write(write: &Structure<'_>) -> Write {
    let holes: u64 = write.structures(0).iter().map(|hole| hole.number(8, 8)).fold(0, u64::saturating_add);
    let length = write.number(16, 8);
    let (tid, address) = (write.number(0, 4) as u32, write.number(8, 8));
    Write { tid, address, length, stored: length.saturating_sub(holes) }
}

fn signal(signal: &Structure<'_>) -> Signal {
    let info = signal.bytes(0);
    let number = |at: usize| info.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(i32::from_le_bytes);
    let (number, code, third) = (number(0).unwrap_or_default(), number(8).unwrap_or_default(), number(16));
    let address = info.get(16..24).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
    let is_fault = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP].contains(&number);
    Signal {
        number,
        code,
        // The kernel's own codes are above zero; SI_KERNEL says nothing of an address.
        address: address.filter(|_| is_fault && (1..libc::SI_KERNEL).contains(&code)),
        sender: third.and_then(|pid| u32::try_from(pid).ok()).filter(|_| {
            [libc::SI_USER, libc::SI_QUEUE, libc::SI_TKILL].contains(&code)
                || number == libc::SIGCHLD && code > 0 && code != libc::SI_KERNEL
        }),
        is_synchronous: signal.bit(16),
        disposition: match signal.number(4, 2) {
            0 => Disposition::Fatal,
            1 => Disposition::Handler,
            _ => Disposition::Ignored,
        },
    }
}

fn call(root: &Structure<'_>) -> Call {
    let registers = Registers::of(root);
    let returns = root.number(26, 2) == 2;
    let opened = if root.number(34, 2) == 3 { root.structures(3) } else { Vec::new() };
    Call {
        set: set(root.number(24, 2)),
        number: root.number(28, 4) as i32,
        returns,
        arguments: registers
            .as_ref()
            .map(|registers| [RDI, RSI, RDX, RCX_OF_CALL, R8, R9].map(|number| registers.get(number))),
        result: registers.as_ref().filter(|_| returns).map(|registers| registers.get(RAX) as i64),
        resumes_at: registers.as_ref().map(|registers| registers.get(RIP)),
        thread_pointer: registers.as_ref().map(|registers| registers.get(FS_BASE)),
        opened: opened
            .iter()
            .take(MOST_OPENED)
            .map(|file| (file.number(0, 4) as i32, String::from_utf8_lossy(file.bytes(0)).into_owned()))
            .filter(|(_, path)| path.len() <= LONGEST_PATH)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::tests::pack;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_words_make_it_panic(words in prop::collection::vec(any::<u64>(), 0..40), kind in 0u64..16) {
            let mut words = [vec![(words.len() as u64 + 2) << 32, 7 << 32 | 5 << 48, kind << 48], words].concat();
            words[0] = (words.len() as u64 - 1) << 32;
            if let Some(message) = Message::read(&pack(&words)) {
                let frame = Frame::read(&message);
                // A signal is a structure of its own.
                prop_assert!(frame.is_some() == (words.len() >= 14) || kind == 6);
            }
        }
    }
}
