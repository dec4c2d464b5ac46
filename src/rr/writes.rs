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
//! A write has two: where it begins, and where it ends, with what was written (or an error) in the register of the
//! result.

use std::collections::HashMap;

/// Most writes whose lengths are kept.
const MOST: usize = 4 << 20;
/// A line of a dump is shorter.
const LONGEST_LINE: usize = 16 << 10;
/// The system calls whose bytes a replay prints again.
const CALLS: [&str; 4] = ["write", "writev", "pwrite64", "pwritev"];

/// The lengths of writes, by the events at which they begin.
#[derive(Debug, Default)]
pub(super) struct Writes {
    /// In the order of events once it is whole.
    lengths: Vec<(u64, u64)>,
    is_cut: bool,
}

impl Writes {
    /// The bytes that the write of this event has written; `None` if none begins there.
    pub(super) fn length(&self, event: u64) -> Option<u64> {
        let index = self.lengths.binary_search_by_key(&event, |(event, _)| *event).ok()?;
        self.lengths.get(index).map(|(_, length)| *length)
    }

    /// There are more than are kept, or of which the length is not to be understood.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// A dump as it comes.
#[derive(Debug, Default)]
pub(super) struct Dump {
    line: Vec<u8>,
    /// Where the write of a thread has begun.
    begun: HashMap<u32, u64>,
    /// The write of which the next line has the result.
    ending: Option<u64>,
    writes: Writes,
}

impl Dump {
    /// More of it.
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

    /// All that it tells. A write that has not ended has written nothing.
    pub(super) fn finish(mut self) -> Writes {
        for event in self.begun.into_values() {
            self.writes.lengths.push((event, 0));
        }
        self.writes.lengths.sort_unstable();
        self.writes
    }

    fn read(&mut self, line: &str) {
        if let Some(event) = self.ending.take() {
            match result(line).filter(|_| self.writes.lengths.len() < MOST) {
                Some(length) => self.writes.lengths.push((event, length)),
                None => self.writes.is_cut = true,
            }
        }
        let Some((event, call, state, thread)) = system_call(line) else { return };
        match state {
            "ENTERING_SYSCALL" if CALLS.contains(&call) => drop(self.begun.insert(thread, event)),
            "EXITING_SYSCALL" => self.ending = self.begun.remove(&thread),
            _ => {}
        }
    }
}

/// Event, name, state and thread in the first line of a system call.
fn system_call(line: &str) -> Option<(u64, &str, &str, u32)> {
    let (_, rest) = line.split_once("global_time:")?;
    let (event, rest) = rest.split_once(", event:`SYSCALL: ")?;
    let (call, rest) = rest.split_once("' (state:")?;
    let (state, rest) = rest.split_once(") tid:")?;
    let thread = rest.split(',').next()?;
    Some((event.parse().ok()?, call, state, thread.parse().ok()?))
}

/// What the system call has written; 0 if it has failed. The register with its result is the first of each processor.
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
        read.finish().lengths
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
        dump.writes.lengths = (0..MOST as u64).map(|event| (event, 1)).collect();
        dump.push(b"\n");
        let more = event(MOST as u64, "write", "ENTERING_SYSCALL", 1, "rax:0x0")
            + &event(MOST as u64 + 1, "write", "EXITING_SYSCALL", 1, "rax:0x9");
        dump.push(more.as_bytes());
        let writes = dump.finish();
        assert_eq!((writes.lengths.len(), writes.is_cut()), (MOST, true));
    }

    proptest! {
        #[test]
        fn any_text(text in "[a-z:0-9' \n]{0,200}") {
            let _ = lengths(&text);
            let _ = lengths(&event(3, "write", "ENTERING_SYSCALL", 1, "").replace("1.5", &text));
        }
    }
}
