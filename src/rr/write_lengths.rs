//! How long each write of a recording was.
//!
//! `rr dump` shows the events of a recording in its order, each with the registers of its thread:
//!
//! ```text
//! {
//!   real_time:45904.543369 global_time:109, event:`SYSCALL: write' (state:ENTERING_SYSCALL) tid:24490, ticks:9817
//! rax:0xffffffffffffffda rbx:0x3 …
//! }
//! ```
//!
//! A write has two: where it begins, with its descriptor among the registers, and where it ends, with what was written
//! (or an error) in the register of the result.
//!
//! A replay prints again what was written to where the descriptors 1 and 2 led when the recording began. What a shell
//! or the program itself has redirected since then is not among it: those writes are counted here.

use super::process::Stream;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Most writes whose lengths are kept.
const MOST: usize = 4 << 20;
/// A line of a dump is shorter.
const LONGEST_LINE: usize = 16 << 10;
/// The system calls whose bytes a replay prints again.
const CALLS: [&str; 4] = ["write", "writev", "pwrite64", "pwritev"];
/// The system calls that make threads and processes.
const MAKERS: [&str; 4] = ["clone", "clone3", "fork", "vfork"];

/// A write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Write {
    /// At which it begins.
    event: u64,
    /// The bytes that it has written.
    length: u64,
    thread: u32,
    /// Of the descriptors 1 and 2.
    stream: Option<Stream>,
    /// The register that has the address of its one buffer, if it is of one.
    buffer: Option<&'static str>,
    /// A replay has printed it again.
    is_heard: bool,
}

/// What a process has written to its stdout or stderr, and a replay does not print again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unheard {
    /// Which process.
    pub pid: u32,
    /// Where to.
    pub stream: Stream,
    /// How many writes.
    pub writes: u64,
    /// Of so many bytes together.
    pub bytes: u64,
    /// The event of the first.
    pub first: u64,
    /// The event of the last.
    pub last: u64,
    /// The register that has the address of what is written where each begins, if each is of one buffer.
    pub buffer: Option<&'static str>,
    /// There may be more: rr does not tell of each system call of this process.
    pub at_least: bool,
}

/// The writes of a recording.
#[derive(Debug, Default)]
pub(super) struct Writes {
    /// In the order of events once it is whole.
    list: Vec<Write>,
    is_cut: bool,
    /// Who has made a thread or process.
    parents: HashMap<u32, u32>,
    /// Threads some of whose system calls rr has kept together, without telling of each.
    buffered: BTreeSet<u32>,
}

impl Writes {
    /// Returns the bytes that the write of this event has written; `None` if none begins there.
    pub(super) fn length(&self, event: u64) -> Option<u64> {
        let index = self.list.binary_search_by_key(&event, |write| write.event).ok()?;
        self.list.get(index).map(|write| write.length)
    }

    /// Takes note that a replay has printed the write of this event.
    pub(super) fn hear(&mut self, event: u64) {
        if let Ok(index) = self.list.binary_search_by_key(&event, |write| write.event)
            && let Some(write) = self.list.get_mut(index)
        {
            write.is_heard = true;
        }
    }

    /// Lists what was written to the descriptors 1 and 2 and not printed again, by process and stream.
    pub(super) fn unheard(&self, processes: &BTreeSet<u32>) -> Vec<Unheard> {
        let mut found: BTreeMap<(u32, bool), Unheard> = BTreeMap::new();
        let (mut owners, buffering) = (Owners::new(&self.parents, processes), self.buffering(processes));
        for write in self.list.iter().filter(|write| !write.is_heard && write.length > 0) {
            let (Some(stream), Some(pid)) = (write.stream, owners.process(write.thread)) else { continue };
            let Write { event, length, buffer, .. } = *write;
            let at_least = buffering.contains(&pid);
            let new = Unheard { pid, stream, writes: 0, bytes: 0, first: event, last: event, buffer, at_least };
            let unheard = found.entry((pid, stream == Stream::Err)).or_insert(new);
            unheard.writes += 1;
            unheard.bytes = unheard.bytes.saturating_add(length);
            unheard.last = event;
            unheard.buffer = unheard.buffer.filter(|known| buffer == Some(*known));
        }
        found.into_values().collect()
    }

    /// Returns the processes of which writes may be missing here, as rr keeps several cheap system calls as one event.
    pub(super) fn buffering(&self, processes: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut owners = Owners::new(&self.parents, processes);
        self.buffered.iter().filter_map(|thread| owners.process(*thread)).collect()
    }

    /// Returns whether there are more than are kept, or of which the length is not to be understood.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// The processes of threads.
struct Owners<'a> {
    parents: &'a HashMap<u32, u32>,
    processes: &'a BTreeSet<u32>,
    /// What was found: a thread may have millions of writes, and many makers before it.
    known: HashMap<u32, Option<u32>>,
}

impl<'a> Owners<'a> {
    fn new(parents: &'a HashMap<u32, u32>, processes: &'a BTreeSet<u32>) -> Self {
        Self { parents, processes, known: HashMap::new() }
    }

    /// Finds the process of a thread: the first among those that have made it, one after the other.
    fn process(&mut self, thread: u32) -> Option<u32> {
        let (mut way, mut at) = (Vec::new(), thread);
        let found = loop {
            if let Some(known) = self.known.get(&at) {
                break *known;
            }
            if self.processes.contains(&at) {
                break Some(at);
            }
            // Who comes back to itself finds this.
            self.known.insert(at, None);
            way.push(at);
            let Some(parent) = self.parents.get(&at) else { break None };
            at = *parent;
        };
        self.known.extend(way.into_iter().map(|thread| (thread, found)));
        found
    }
}

/// What the registers in the line after the first of an event belong to.
#[derive(Debug, Default)]
enum Next {
    #[default]
    Nothing,
    /// A write: they have its descriptor.
    Begins(Write),
    /// A write: they have its result.
    Ends(Write),
    /// A thread or process that this thread has made.
    Makes(u32),
}

/// A dump as it comes.
#[derive(Debug, Default)]
pub(super) struct Dump {
    line: Vec<u8>,
    /// What the next line has the registers of.
    next: Next,
    /// The write that a thread has begun.
    begun: HashMap<u32, Write>,
    writes: Writes,
}

impl Dump {
    /// Appends more of it.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.keep(&bytes[..end]);
            let line = std::mem::take(&mut self.line);
            self.read(&String::from_utf8_lossy(&line));
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST_LINE.saturating_sub(self.line.len());
        self.line.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    }

    /// Ends the reading and returns all that it tells. A write that has not ended has written nothing.
    pub(super) fn finish(mut self) -> Writes {
        self.writes.list.extend(self.begun.into_values());
        self.writes.list.sort_unstable_by_key(|write| write.event);
        self.writes
    }

    fn read(&mut self, line: &str) {
        match std::mem::take(&mut self.next) {
            Next::Nothing => {}
            Next::Begins(write) => {
                let (stream, buffer) = arguments(line);
                // What is written from several buffers is named by none.
                let buffer = write.buffer.and(buffer);
                self.begun.insert(write.thread, Write { stream, buffer, ..write });
            }
            Next::Ends(write) => match result(line).filter(|_| self.writes.list.len() < MOST) {
                Some(length) => self.writes.list.push(Write { length, ..write }),
                None => self.writes.is_cut = true,
            },
            Next::Makes(thread) => {
                if let Some(made) = result(line).and_then(|made| u32::try_from(made).ok()).filter(|made| *made > 0) {
                    self.writes.parents.insert(made, thread);
                }
            }
        }
        if let Some(thread) = flushing(line) {
            self.writes.buffered.insert(thread);
        }
        let Some((event, call, state, thread)) = system_call(line) else { return };
        self.next = match state {
            "ENTERING_SYSCALL" if CALLS.contains(&call) => {
                let buffer = (!call.ends_with('v')).then_some(BUFFER);
                Next::Begins(Write { event, length: 0, thread, stream: None, buffer, is_heard: false })
            }
            "EXITING_SYSCALL" if MAKERS.contains(&call) => Next::Makes(thread),
            "EXITING_SYSCALL" => self.begun.remove(&thread).map_or(Next::Nothing, Next::Ends),
            _ => Next::Nothing,
        };
    }
}

/// Parses the thread of an event in which rr keeps several system calls.
fn flushing(line: &str) -> Option<u32> {
    let (_, rest) = line.split_once("event:`SYSCALLBUF_FLUSH'")?;
    let (_, rest) = rest.split_once("tid:")?;
    rest.split(',').next()?.trim().parse().ok()
}

/// The registers of the first two arguments of a system call: of x86-64, of aarch64 and of a 32-bit program.
const ARGUMENTS: [(&str, &str); 3] = [("rdi", BUFFER), ("x0", "x1"), ("ebx", "ecx")];
const BUFFER: &str = "rsi";

/// Tells which of stdout and stderr the first argument of the system call is, and which register has the second.
fn arguments(registers: &str) -> (Option<Stream>, Option<&'static str>) {
    let value = |register: &str| {
        let mut words = registers.split(' ').filter_map(|word| word.split_once(":0x"));
        let digits = words.find_map(|(name, digits)| (name == register).then_some(digits))?;
        u64::from_str_radix(digits, 16).ok()
    };
    let first = ARGUMENTS.iter().find_map(|(first, second)| Some((value(first)?, *second)));
    let stream = match first {
        Some((1, _)) => Some(Stream::Out),
        Some((2, _)) => Some(Stream::Err),
        _ => None,
    };
    (stream, first.map(|(_, second)| second))
}

/// Parses event, name, state and thread out of the first line of a system call.
fn system_call(line: &str) -> Option<(u64, &str, &str, u32)> {
    let (_, rest) = line.split_once("global_time:")?;
    let (event, rest) = rest.split_once(", event:`SYSCALL: ")?;
    let (call, rest) = rest.split_once("' (state:")?;
    let (state, rest) = rest.split_once(") tid:")?;
    let thread = rest.split(',').next()?;
    Some((event.parse().ok()?, call, state, thread.parse().ok()?))
}

/// Returns what the system call has written; 0 if it has failed. The register with its result is the first of each
/// processor.
fn result(registers: &str) -> Option<u64> {
    let word = registers.split(' ').next()?;
    let signed = match word.split_once(":0x")? {
        ("rax" | "x0", digits) => u64::from_str_radix(digits, 16).ok()?.cast_signed(),
        // Of a 32-bit program.
        ("eax", digits) => i64::from(u32::from_str_radix(digits, 16).ok()?.cast_signed()),
        _ => return None,
    };
    Some(u64::try_from(signed).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn event(time: u64, call: &str, state: &str, thread: u32, result: &str) -> String {
        format!(
            "{{\n  real_time:1.5 global_time:{time}, event:`SYSCALL: {call}' (state:{state}) tid:{thread}, ticks:9\n\
             {result} rbx:0x3 rcx:0xffffffffffffffff\n}}\n"
        )
    }

    fn lengths(dump: &str) -> Vec<(u64, u64)> {
        let mut read = Dump::default();
        read.push(dump.as_bytes());
        read.finish().list.iter().map(|write| (write.event, write.length)).collect()
    }

    #[test]
    fn a_write_has_the_length_of_its_result() {
        let dump = [
            event(7, "write", "ENTERING_SYSCALL", 1, "rax:0xffffffffffffffda"),
            event(8, "writev", "ENTERING_SYSCALL", 2, "rax:0xffffffffffffffda"),
            event(9, "write", "EXITING_SYSCALL", 1, "rax:0x12"),
            event(10, "writev", "EXITING_SYSCALL", 2, "rax:0xfffffffffffffff2"),
            event(11, "read", "ENTERING_SYSCALL", 1, "rax:0xffffffffffffffda"),
            event(12, "read", "EXITING_SYSCALL", 1, "rax:0x7"),
            event(13, "write", "ENTERING_SYSCALL", 3, "eax:0xffffffda"),
            event(14, "write", "EXITING_SYSCALL", 3, "eax:0x5"),
            event(15, "write", "ENTERING_SYSCALL", 3, "eax:0xffffffda"),
            event(16, "write", "EXITING_SYSCALL", 3, "eax:0xfffffff2"),
            event(17, "write", "ENTERING_SYSCALL", 1, "x0:0x1"),
            event(18, "write", "EXITING_SYSCALL", 1, "x0:0x9"),
            event(19, "write", "ENTERING_SYSCALL", 1, "rax:0xffffffffffffffda"),
        ];
        let dump = dump.concat();
        assert_eq!(lengths(&dump), [(7, 0x12), (8, 0), (13, 5), (15, 0), (17, 9), (19, 0)]);
        let mut bytewise = Dump::default();
        dump.as_bytes().chunks(3).for_each(|bytes| bytewise.push(bytes));
        let writes = bytewise.finish();
        assert_eq!((writes.length(7), writes.length(8), writes.length(9)), (Some(0x12), Some(0), None));
    }

    /// A system call from its beginning to its end; `first`: its first argument.
    fn call(time: u64, name: &str, thread: u32, first: u64, result: u64) -> String {
        let entering = event(time, name, "ENTERING_SYSCALL", thread, "rax:0xffffffffffffffda");
        let exiting = event(time + 1, name, "EXITING_SYSCALL", thread, &format!("rax:{result:#x}"));
        (entering + &exiting).replace("rbx:0x3", &format!("rbx:0x3 rdi:{first:#x}"))
    }

    #[test]
    fn what_is_not_printed_again_is_counted_by_process() {
        let mut dump = Dump::default();
        let calls = [
            call(10, "write", 7, 1, 4),
            call(12, "clone3", 7, 0, 70),
            call(14, "write", 70, 2, 5),
            call(16, "writev", 70, 2, 6),
            call(18, "write", 7, 3, 9),
            call(20, "write", 7, 1, 0),
            call(22, "write", 99, 1, 9),
            "  global_time:24, event:`SYSCALLBUF_FLUSH' tid:70, ticks:9\n".to_owned(),
        ];
        dump.push(calls.concat().as_bytes());
        let mut writes = dump.finish();
        let processes = BTreeSet::from([7, 8]);
        let of = |stream, writes, bytes, (first, last), buffer| Unheard {
            pid: 7,
            stream,
            writes,
            bytes,
            first,
            last,
            buffer,
            at_least: true,
        };
        let expected = [of(Stream::Out, 1, 4, (10, 10), Some("rsi")), of(Stream::Err, 2, 11, (14, 16), None)];
        assert_eq!(writes.unheard(&processes), expected);
        assert_eq!(writes.buffering(&processes), BTreeSet::from([7]));
        writes.hear(10);
        writes.hear(16);
        assert_eq!(writes.unheard(&processes), [of(Stream::Err, 1, 5, (14, 14), Some("rsi"))]);
    }

    #[test]
    fn the_arguments_are_in_the_registers_of_the_architecture() {
        assert_eq!(arguments("rax:0x1 rsi:0x9 rdi:0x2"), (Some(Stream::Err), Some("rsi")));
        assert_eq!(arguments("x0:0x1 x1:0x9"), (Some(Stream::Out), Some("x1")));
        assert_eq!(arguments("eax:0x4 ebx:0x1 ecx:0x9"), (Some(Stream::Out), Some("ecx")));
        assert_eq!(arguments("rax:0x1 rdi:0x3"), (None, Some("rsi")));
        assert_eq!(arguments("a0:0x1"), (None, None));
    }

    #[test]
    fn a_thread_is_of_the_first_process_among_its_makers() {
        let parents = HashMap::from([(2, 1), (3, 2), (4, 3), (6, 7), (7, 6), (9, 8)]);
        let processes = BTreeSet::from([1, 3]);
        let mut owners = Owners::new(&parents, &processes);
        let found = [4, 2, 3, 1, 6, 7, 9, 4].map(|thread| owners.process(thread));
        assert_eq!(found, [Some(3), Some(1), Some(3), Some(1), None, None, None, Some(3)]);
        // Each has made the next: what is known of one is not found out again.
        let parents: HashMap<u32, u32> = (2..300_000).map(|thread| (thread, thread - 1)).collect();
        let processes = BTreeSet::from([1]);
        let mut owners = Owners::new(&parents, &processes);
        assert!((2..300_000).rev().all(|thread| owners.process(thread) == Some(1)));
        assert_eq!(owners.known.len(), parents.len());
    }

    #[test]
    fn a_result_that_is_not_understood_is_said_to_be() {
        let mut dump = Dump::default();
        dump.push(event(7, "write", "ENTERING_SYSCALL", 1, "a7:0x40").as_bytes());
        dump.push(event(8, "write", "EXITING_SYSCALL", 1, "a0:0x5").as_bytes());
        assert!(dump.finish().is_cut());
    }

    #[test]
    fn long_lines_are_cut_and_many_writes_are_said_to_be() {
        let mut dump = Dump::default();
        dump.push(&vec![b'x'; 3 * LONGEST_LINE]);
        assert_eq!(dump.line.len(), LONGEST_LINE);
        let write = |event| Write { event, length: 1, thread: 1, stream: None, buffer: None, is_heard: false };
        dump.writes.list = (0..MOST as u64).map(write).collect();
        dump.push(b"\n");
        let more = event(MOST as u64, "write", "ENTERING_SYSCALL", 1, "rax:0x0")
            + &event(MOST as u64 + 1, "write", "EXITING_SYSCALL", 1, "rax:0x9");
        dump.push(more.as_bytes());
        let writes = dump.finish();
        assert_eq!((writes.list.len(), writes.is_cut()), (MOST, true));
    }

    proptest! {
        #[test]
        fn any_text(text in "[a-z:0-9' \n]{0,200}") {
            let _ = lengths(&text);
            let _ = lengths(&event(3, "write", "ENTERING_SYSCALL", 1, "").replace("1.5", &text));
        }
    }
}
