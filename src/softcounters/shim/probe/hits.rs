//! The file of what probes find. Little-endian; the crate's module of the format describes it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write as _};
use std::ops::Range;

use super::super::sys;

/// What the file begins with.
pub const MAGIC: [u8; 8] = *b"softhit1";
/// Kinds of records.
pub const HIT: u32 = 1;
pub const THREAD: u32 = 2;
pub const SPACE: u32 = 3;
pub const PLACED: u32 = 4;
pub const TRUNCATED: u32 = 5;
pub const END: u32 = 6;
pub const MODULE: u32 = 10;
pub const COUNTED: u32 = 11;
pub const TICKS: u32 = 12;
pub const LOST: u32 = 13;
pub const WRITE: u32 = 16;
/// Bytes of a write before its own.
const WRITE_HEAD: usize = 52;
/// Stands for the number of a module where there is none.
pub const NO_MODULE: u32 = u32::MAX;
/// What is kept before it is written.
const CHUNK: usize = 1 << 20;

/// Who has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An instruction of the program.
    Instruction = 0,
    /// rr, for the kernel of the recording.
    System = 1,
}

/// What an instruction has done to watched memory besides writing to it, behind what says who has written.
pub mod mark {
    /// It has read what it wrote.
    pub const READ: u32 = 1 << 8;
    /// It has read, and not written.
    pub const ONLY_READ: u32 = 1 << 9;
    /// Other processors see it done at once.
    pub const LOCKED: u32 = 1 << 10;
}

/// A write to watched memory, or a read.
#[derive(Clone, Debug)]
pub struct Write<'a> {
    pub watch: u32,
    pub thread: u32,
    pub ticks: u64,
    pub origin: Origin,
    /// See [`mark`].
    pub marks: u32,
    /// The address of the instruction, if it is one.
    pub instruction: u64,
    /// What was written of what is watched.
    pub range: Range<u64>,
    /// As much of it as is told.
    pub before: &'a [u8],
    pub after: &'a [u8],
}

/// A number as two words.
fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// Writes the file, up to its limit.
#[derive(Debug)]
pub struct Sink {
    file: Option<File>,
    kept: Vec<u8>,
    /// How many bytes of hits may follow.
    left: u64,
    hits: u64,
    /// How many writes of each watch are kept for the end, if not all are wanted.
    most: Vec<Option<usize>>,
    /// The last ones of each, with a number that tells their order.
    last: Vec<VecDeque<(u64, Vec<u8>)>>,
    /// Writes so far.
    writes: u64,
    until: Option<(u32, u64)>,
}

impl Sink {
    /// Creates the file, for so many bytes of hits.
    pub fn create(path: &str, limit: u64) -> io::Result<Sink> {
        Ok(Sink { file: Some(File::create(path)?), ..Sink::in_memory(limit) })
    }

    /// Writes nothing.
    pub fn in_memory(limit: u64) -> Sink {
        Sink {
            file: None,
            kept: MAGIC.to_vec(),
            left: limit,
            hits: 0,
            most: Vec::new(),
            last: Vec::new(),
            writes: 0,
            until: None,
        }
    }

    /// Of some watches only so many writes are wanted, the last ones.
    pub fn keep_last(&mut self, most: Vec<Option<usize>>) {
        self.last = most.iter().map(|_| VecDeque::new()).collect();
        self.most = most;
    }

    /// Nothing is wanted that a thread does when it has executed more than so many branches.
    pub fn end_after(&mut self, until: Option<(u32, u64)>) {
        self.until = until;
    }

    /// Ends the pass if this is behind all that is wanted.
    pub fn reach(&mut self, thread: u32, ticks: u64) {
        if self.until.is_some_and(|(last, most)| thread == last && ticks > most) {
            self.finish();
            if self.file.is_some() {
                sys::exit(0);
            }
        }
    }

    /// Adds a write.
    pub fn write(&mut self, write: &Write<'_>, values: &[u8]) {
        self.reach(write.thread, write.ticks);
        let length = write.range.end.wrapping_sub(write.range.start);
        let room = (WRITE_HEAD + write.before.len() + write.after.len() + values.len()) as u64 + 8;
        self.take_room(room);
        self.writes += 1;
        let mut head = [0; WRITE_HEAD];
        let words = [write.watch, write.thread].into_iter().chain(halves(write.ticks)).chain(halves(write.instruction));
        let words = words.chain(halves(write.range.start)).chain(halves(length));
        let words =
            words.chain([write.origin as u32 | write.marks, write.before.len() as u32, write.after.len() as u32]);
        for (field, word) in head.chunks_exact_mut(4).zip(words) {
            field.copy_from_slice(&word.to_le_bytes());
        }
        let pieces = [&head, write.before, write.after, values];
        let watch = write.watch as usize;
        if let (Some(&Some(most)), Some(last)) = (self.most.get(watch), self.last.get_mut(watch)) {
            let mut content = Vec::new();
            if last.len() == most
                && let Some((_, dropped)) = last.pop_front()
            {
                self.left += dropped.len() as u64 + 8;
                content = dropped;
                content.clear();
            }
            pieces.iter().for_each(|piece| content.extend_from_slice(piece));
            last.push_back((self.writes, content));
        } else {
            self.hits += 1;
            self.begin(WRITE, room as usize - 8);
            pieces.iter().for_each(|piece| self.kept.extend_from_slice(piece));
            self.flush_much();
        }
    }

    fn add_write(&mut self, content: &[u8]) {
        self.hits += 1;
        self.begin(WRITE, content.len());
        self.kept.extend_from_slice(content);
        self.flush_much();
    }

    fn flush_much(&mut self) {
        if self.kept.len() >= CHUNK {
            self.flush();
        }
    }

    /// Adds a hit.
    pub fn hit(&mut self, probe: u32, thread: u32, ticks: u64, payload: &[u8]) {
        self.reach(thread, ticks);
        let length = payload.len() as u64 + 24;
        self.take_room(length);
        self.hits += 1;
        let mut head = [0; 24];
        for (at, word) in [payload.len() as u32 + 16, HIT, probe, thread].into_iter().enumerate() {
            head[at * 4..at * 4 + 4].copy_from_slice(&word.to_le_bytes());
        }
        head[16..].copy_from_slice(&ticks.to_le_bytes());
        self.kept.extend_from_slice(&head);
        self.kept.extend_from_slice(payload);
        self.flush_much();
    }

    /// Room for what follows. Where there is none, this is told and rr ends: nobody wants what follows.
    fn take_room(&mut self, length: u64) {
        if self.left < length {
            self.end(TRUNCATED);
            self.flush();
            sys::exit(0);
        }
        self.left -= length;
    }

    /// Code was counted in this module.
    pub fn module(&mut self, number: u32, headers: u64, build_id: &[u8]) {
        self.begin(MODULE, 12 + build_id.len());
        self.words(&[number]);
        self.kept.extend(headers.to_le_bytes());
        self.kept.extend_from_slice(build_id);
    }

    /// How often this code was executed, at its addresses in the module if it is of one.
    pub fn counted(&mut self, space: u32, module: Option<u32>, code: &Range<u64>, count: u64) {
        self.count(COUNTED, space, module, &[code.start, code.end, count]);
    }

    /// How often the conditional branch there was executed.
    pub fn ticks(&mut self, space: u32, module: Option<u32>, branch: u64, ticks: u64) {
        self.count(TICKS, space, module, &[branch, ticks]);
    }

    fn count(&mut self, kind: u32, space: u32, module: Option<u32>, words: &[u64]) {
        let length = 8 + 8 * words.len();
        self.take_room(length as u64 + 8);
        self.begin(kind, length);
        self.words(&[space, module.unwrap_or(NO_MODULE)]);
        words.iter().for_each(|word| self.kept.extend(word.to_le_bytes()));
        self.flush_much();
    }

    /// Not all that was counted in this address space is known.
    pub fn lost(&mut self, space: u32) {
        self.begin(LOST, 4);
        self.words(&[space]);
    }

    /// A thread is there, made by another one (0: by none that is known).
    pub fn thread(&mut self, thread: u32, parent: u32, tid: i32) {
        self.begin(THREAD, 12);
        self.words(&[thread, parent, tid as u32]);
    }

    /// A thread runs in this address space from now on.
    pub fn space(&mut self, thread: u32, space: u32) {
        self.begin(SPACE, 8);
        self.words(&[thread, space]);
    }

    /// A probe is at an address of an address space.
    pub fn placed(&mut self, space: u32, probe: u32, address: u64) {
        self.begin(PLACED, 16);
        self.words(&[space, probe]);
        self.kept.extend(address.to_le_bytes());
    }

    /// All is written.
    pub fn finish(&mut self) {
        self.end(END);
        self.flush();
    }

    /// What was not written yet.
    #[cfg(test)]
    pub fn kept(&self) -> &[u8] {
        &self.kept
    }

    fn end(&mut self, kind: u32) {
        let mut last: Vec<(u64, Vec<u8>)> = std::mem::take(&mut self.last).into_iter().flatten().collect();
        last.sort_by_key(|(number, _)| *number);
        last.iter().for_each(|(_, content)| self.add_write(content));
        self.begin(kind, 8);
        self.kept.extend(self.hits.to_le_bytes());
    }

    /// Begins a record of this kind, which `length` bytes follow.
    fn begin(&mut self, kind: u32, length: usize) {
        self.words(&[length as u32, kind]);
    }

    fn words(&mut self, words: &[u32]) {
        words.iter().for_each(|word| self.kept.extend(word.to_le_bytes()));
    }

    fn flush(&mut self) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = sys::keeping_errno(|| file.write_all(&self.kept)) {
            sys::give_up(&format!("what the probes found cannot be written: {error}"));
        }
        self.kept.clear();
    }
}
