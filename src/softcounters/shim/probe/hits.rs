//! The file of what probes find. Little-endian; the crate's module of the format describes it.

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::Range;

use super::super::sys;
use super::last::LastWrites;
use super::packed::{HIT_ROOM, Packed};

/// What the file begins with.
pub const MAGIC: [u8; 8] = *b"softhit1";
/// Kinds of records.
pub const HIT: u32 = 1;
pub const THREAD: u32 = 2;
pub const SPACE: u32 = 3;
pub const PLACED: u32 = 4;
pub const TRUNCATED: u32 = 5;
pub const END: u32 = 6;
pub const REACHED: u32 = 7;
pub const PACKED: u32 = 8;
pub const PASSED_OVER: u32 = 9;
pub const MODULE: u32 = 10;
pub const COUNTED: u32 = 11;
pub const TICKS: u32 = 12;
pub const LOST: u32 = 13;
pub const WRITE: u32 = 16;
pub const SKIPPED: u32 = 17;
/// Bytes of a write before its own.
const WRITE_HEAD: usize = 52;
/// Stands for an instruction that has written in the same tick before, which is skipped perhaps.
const AGAIN: u32 = 2;
/// Which time it is with the same registers is told from this bit on.
const VISIT_SHIFT: u32 = 16;
/// Bytes of a record of what is skipped.
const SKIPPED_ROOM: u64 = 24;
/// Stands for the number of a module where there is none.
pub const NO_MODULE: u32 = u32::MAX;
/// What is kept before it is written: whoever looks at it meanwhile is not far behind.
const CHUNK: usize = 1 << 17;

/// Beside the number of a probe, of which there are so many at most: hits of it in the same tick were passed over, as many
/// as are told.
pub const BEHIND_PASSED: u32 = 4096;
/// Beside that, where hits are packed: hits of any probe were passed over since the one before, as many as are told.
pub const OTHERS_PASSED: u32 = 2 * BEHIND_PASSED;

/// Who has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An instruction of the program.
    Instruction = 0,
    /// rr, for the kernel of the recording, while it was busy with a thread of the address space.
    System = 1,
    /// The same while it was busy with a thread of another one.
    Elsewhere = 4,
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
    /// The address space.
    pub space: u32,
    pub thread: u32,
    pub ticks: u64,
    pub origin: Origin,
    /// See [`mark`].
    pub marks: u32,
    /// The address of the instruction, if it is one; else the address space.
    pub instruction: u64,
    /// What was written of what is watched.
    pub range: Range<u64>,
    /// As much of it as is told.
    pub before: &'a [u8],
    pub after: &'a [u8],
}

/// Writes the file, up to its limit.
#[derive(Debug)]
pub struct Sink {
    file: Option<File>,
    kept: Vec<u8>,
    /// How many bytes of hits may follow.
    left: u64,
    hits: u64,
    /// Of the watches of which the last writes are wanted.
    last: LastWrites,
    /// What is wanted of each thread, by its number.
    bounds: Vec<Bound>,
    /// The first from which on hits of probes are wanted.
    since: Option<(u32, u64)>,
}

/// What is wanted of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// What it does at fewer branches may be skipped, if more follows.
    pub sure: u64,
    /// Nothing is wanted when it has executed more.
    pub most: u64,
}

impl Bound {
    /// Of a thread of which nothing is said.
    const NONE: Bound = Bound { sure: 0, most: u64::MAX };
    /// The same where nothing is said of any thread.
    const ALL: Bound = Bound { sure: u64::MAX, most: u64::MAX };
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
            last: LastWrites::default(),
            bounds: Vec::new(),
            since: None,
        }
    }

    /// Of some watches only so many writes are wanted, the last ones.
    pub fn keep_last(&mut self, most: &[Option<usize>]) {
        self.last = LastWrites::new(most);
    }

    /// Of threads, by their numbers, not all is wanted.
    pub fn end_after(&mut self, bounds: &[(u32, Bound)]) {
        let length = bounds.iter().map(|(thread, _)| *thread as usize + 1).max().unwrap_or(0);
        self.bounds = vec![Bound::NONE; length];
        for (thread, bound) in bounds {
            self.bounds[*thread as usize] = *bound;
        }
    }

    /// Hits of probes are wanted of one thread alone, from so many branches on.
    pub fn begin_at(&mut self, since: Option<(u32, u64)>) {
        self.since = since;
    }

    fn bound(&self, thread: u32) -> Bound {
        match self.bounds.get(thread as usize) {
            Some(bound) => *bound,
            None if self.bounds.is_empty() => Bound::ALL,
            None => Bound::NONE,
        }
    }

    /// Ends the pass if this is behind all that is wanted.
    pub fn reach(&mut self, thread: u32, ticks: u64) {
        if ticks > self.bound(thread).most {
            self.end(REACHED);
            self.flush();
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
        let is_own = write.origin != Origin::Elsewhere;
        let is_kept = is_own && self.is_sure(write.thread, write.ticks) && self.last.keeps(write.watch);
        let writer = match write.origin {
            Origin::Instruction if is_kept => {
                let at = (write.thread, write.ticks);
                let visit = self.last.visit(write.watch, at, write.instruction, values);
                u32::from(visit.number) << VISIT_SHIFT | if visit.is_again { AGAIN } else { 0 }
            }
            origin => origin as u32,
        };
        let mut head = [0; WRITE_HEAD];
        let longs = [write.ticks, write.instruction, write.range.start, length];
        let words = [writer | write.marks, write.before.len() as u32, write.after.len() as u32];
        head[..4].copy_from_slice(&write.watch.to_le_bytes());
        head[4..8].copy_from_slice(&write.thread.to_le_bytes());
        for (at, long) in longs.into_iter().enumerate() {
            head[8 + 8 * at..16 + 8 * at].copy_from_slice(&long.to_le_bytes());
        }
        for (at, word) in words.into_iter().enumerate() {
            head[40 + 4 * at..44 + 4 * at].copy_from_slice(&word.to_le_bytes());
        }
        let pieces = [&head, write.before, write.after, values];
        if is_kept {
            // What is kept meanwhile takes room, too.
            self.take_room(room + SKIPPED_ROOM);
            let told = write.before.len() as u64;
            let is_change = write.before != write.after || write.range.end - write.range.start > told;
            self.left += self.last.add(write.watch, write.space, is_change, &pieces);
        } else {
            self.settle();
            self.take_room(room);
            self.add_write(&pieces, room as usize - 8);
        }
    }

    /// Whether what a thread writes when it has executed so many branches may be skipped, if more follows.
    pub fn is_sure(&self, thread: u32, ticks: u64) -> bool {
        thread != 0 && ticks < self.bound(thread).sure
    }

    /// So many writes are skipped: as many as are wanted follow now, and the last one that has changed something.
    pub fn skip(&mut self, watch: u32, space: u32, writes: u64) {
        self.last.skip(watch, space, writes);
    }

    /// Takes note of a write that is skipped, of whose tick others are not.
    pub fn note(&mut self, watch: u32, at: (u32, u64), instruction: u64, values: &[u8]) {
        self.last.visit(watch, at, instruction, values);
    }

    /// Tells the writes that are kept: something else follows.
    fn settle(&mut self) {
        if self.last.is_empty() {
            return;
        }
        for kept in self.last.take() {
            if kept.skipped > 0 {
                self.hits += kept.skipped;
                self.begin(SKIPPED, 16);
                // The watch and the thread.
                self.kept.extend_from_slice(&kept.content[..8]);
                self.kept.extend(kept.skipped.to_le_bytes());
            }
            self.add_write(&[&kept.content], kept.content.len());
        }
    }

    fn add_write(&mut self, pieces: &[&[u8]], length: usize) {
        self.hits += 1;
        self.begin(WRITE, length);
        pieces.iter().for_each(|piece| self.kept.extend_from_slice(piece));
        self.flush_much();
    }

    fn flush_much(&mut self) {
        if self.kept.len() >= CHUNK {
            self.flush();
        }
    }

    /// Adds a hit of the probe of this number, behind so many that were passed over in the same tick.
    pub fn hit(&mut self, (probe, passed): (u32, u32), thread: u32, ticks: u64, payload: &[u8]) {
        self.reach(thread, ticks);
        if self.since.is_some_and(|(only, from)| thread != only || ticks < from) {
            return;
        }
        self.settle();
        let length = payload.len() as u64 + HIT_ROOM;
        self.take_room(length);
        self.hits += 1;
        let mut head = [0; 24];
        let (behind, more) = if passed > 0 { (BEHIND_PASSED, 4) } else { (0, 0) };
        for (at, word) in [payload.len() as u32 + 16 + more, HIT, probe + behind, thread].into_iter().enumerate() {
            head[at * 4..at * 4 + 4].copy_from_slice(&word.to_le_bytes());
        }
        head[16..].copy_from_slice(&ticks.to_le_bytes());
        self.kept.extend_from_slice(&head);
        if passed > 0 {
            self.kept.extend(passed.to_le_bytes());
        }
        self.kept.extend_from_slice(payload);
        self.flush_much();
    }

    /// Whether hits may be told together: all are wanted, and nothing is kept that they come behind.
    pub fn packs(&self) -> bool {
        self.bounds.is_empty() && self.since.is_none() && self.last.is_empty()
    }

    /// Adds hits of a thread that had executed so many branches before them, if there is room for all of them. They take
    /// as much as if they were not packed: how many there may be does not depend on what they have in common.
    pub fn packed(&mut self, thread: u32, ticks: u64, packed: &Packed<'_>) -> bool {
        if self.left < packed.room {
            return false;
        }
        self.left -= packed.room;
        self.hits += u64::from(packed.hits);
        if packed.hits > 0 {
            self.begin(PACKED, 24 + packed.bytes.len());
            self.words(&[thread, packed.hits]);
            self.kept.extend(ticks.to_le_bytes());
            self.kept.extend(packed.passed.to_le_bytes());
            self.kept.extend_from_slice(packed.bytes);
            self.flush_much();
        }
        self.pass_over(packed.passed_behind);
        // What is rare may be all that somebody waits for.
        if (1..packed.passed + packed.passed_behind).contains(&u64::from(packed.hits)) {
            self.flush();
        }
        true
    }

    /// So many hits are not told, since what their probes require does not hold.
    pub fn pass_over(&mut self, hits: u64) {
        if hits > 0 {
            self.begin(PASSED_OVER, 8);
            self.kept.extend(hits.to_le_bytes());
            self.flush_much();
        }
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
        self.settle();
        self.begin(THREAD, 12);
        self.words(&[thread, parent, tid as u32]);
    }

    /// A thread runs in this address space from now on.
    pub fn space(&mut self, thread: u32, space: u32) {
        self.settle();
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
        self.settle();
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
