//! What was found, read as it is needed.

use super::list::{Asked, Probe};
use super::packed::{self, Unpacking};
use super::values::{Shape, Values};
use super::write::{Access, Writer, Written};
use std::io::{self, BufReader, Read, Seek};
use std::ops::Range;
use std::sync::Arc;

/// What the file begins with.
const MAGIC: [u8; 8] = *b"softhit1";
/// No record is longer: a hit has at most 32 values of 512 bytes.
const LONGEST: u32 = 32 << 10;
/// How much of the file is read ahead, first and later.
const FIRST: usize = 1 << 10;
const AHEAD: usize = 256 << 10;
/// A record of packed hits is not longer: what there is room for in a buffer of the object, and some more.
const LONGEST_PACKED: u32 = 2 << 20;
/// The kind of a hit, that of several that are packed, and that of a write.
const HIT: u32 = 1;
const PACKED: u32 = 8;
const WRITE: u32 = 16;
/// The kind of what stands for hits that were passed over.
const PASSED_OVER: u32 = 9;
/// What is added to the number of a probe of which hits in the same tick were passed over: more than there are probes.
const BEHIND_PASSED: u32 = 4096;
/// Who has written: an instruction that has written in the same tick before.
const AGAIN: u32 = 2;
/// rr has written, while it was busy with a thread that has the memory; or with one that has not.
const SYSTEM: u32 = 1;
const ELSEWHERE: u32 = 4;
/// Which time it is with the same registers is told from this bit on.
const VISIT_SHIFT: u32 = 16;
/// The kind of what stands for writes that are skipped.
const SKIPPED: u32 = 17;

/// An instruction was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The number of the probe, from 0 in the order they were asked for.
    pub probe: u32,
    /// The number of the thread, from 1 in the order of their beginnings.
    pub thread: u32,
    /// Conditional branches that the thread had executed.
    pub ticks: u64,
    /// As they were asked for.
    pub values: Values,
}

/// Something in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A probe was hit.
    Hit(Hit),
    /// Something was written to memory that is watched.
    Written(Written),
    /// Writes to memory that is watched are not told, since others follow.
    Skipped {
        /// The number of the watch.
        watch: u32,
        /// A thread of the address space in which they were.
        thread: u32,
        /// How many.
        writes: u64,
    },
    /// Hits are not told, since what their probes require does not hold. There are others, between hits that are packed:
    /// [`Hits::passed_over`] has all.
    PassedOver {
        /// How many.
        hits: u64,
    },
    /// A thread is there.
    Thread {
        /// Its number.
        thread: u32,
        /// That of the thread that made it.
        parent: Option<u32>,
        /// Its id in the replay, which is another than in the recording.
        tid: u32,
    },
    /// A thread is in an address space from here on.
    Space {
        /// The thread.
        thread: u32,
        /// The number of the address space.
        space: u32,
    },
    /// A probe is in an address space from here on.
    Placed {
        /// The number of the address space.
        space: u32,
        /// The probe.
        probe: u32,
        /// Its address there.
        address: u64,
    },
    /// Code of a module was counted.
    Module {
        /// Its number.
        module: u32,
        /// The checksum of its headers.
        headers: u64,
        /// Its build ID, empty if it has none.
        build_id: Vec<u8>,
    },
    /// Code was executed, each of its instructions this often.
    Counted {
        /// The number of the address space.
        space: u32,
        /// The module, of which the addresses are those of the file; `None` if they are of the address space.
        module: Option<u32>,
        /// Which.
        code: Range<u64>,
        /// How often.
        count: u64,
    },
    /// A conditional branch was executed.
    Ticks {
        /// The number of the address space.
        space: u32,
        /// As of counted code.
        module: Option<u32>,
        /// Where it is.
        branch: u64,
        /// How often.
        ticks: u64,
    },
    /// Not all counts of an address space are known.
    Lost {
        /// Its number.
        space: u32,
    },
    /// The limit was reached by the hit that would have been next.
    Truncated {
        /// How many hits there are.
        hits: u64,
    },
    /// The pass has come to its end.
    End {
        /// How many hits there are, with writes that are skipped.
        hits: u64,
        /// All was told that was wanted before the replay ended.
        is_part: bool,
    },
}

/// A record, as far as it is looked at.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "they come one by one, most of them writes: an allocation for each costs more"
)]
pub enum Glimpse {
    /// A probe was hit.
    Hit,
    /// Anything else.
    Other(Record),
}

/// A hit of which the values are not looked at yet.
#[derive(Clone, Copy, Debug)]
pub struct BriefHit<'a> {
    /// The number of the probe, from 0 in the order they were asked for.
    pub probe: u32,
    /// The number of the thread, from 1 in the order of their beginnings.
    pub thread: u32,
    /// Conditional branches that the thread had executed.
    pub ticks: u64,
    /// How many hits of the same probe were passed over before it, in the same tick of the thread.
    pub passed_in_tick: u64,
    content: Content<'a>,
    shapes: &'a Arc<[Shape]>,
}

/// The values of a hit, as they are told.
#[derive(Clone, Copy, Debug)]
enum Content<'a> {
    Encoded(&'a [u8]),
    /// Words, and where each value begins among them.
    Packed(&'a [u64], &'a [usize]),
}

impl BriefHit<'_> {
    /// The value of this number, from 0: a register, or eight bytes of memory.
    #[inline]
    pub fn word(&self, number: usize) -> Option<u64> {
        let encoded = match self.content {
            Content::Encoded(encoded) => encoded,
            Content::Packed(words, starts) => {
                let is_word = !matches!(self.shapes.get(number)?, Shape::Vector | Shape::Memory(..8));
                return starts.get(number).and_then(|start| words.get(*start)).copied().filter(|_| is_word);
            }
        };
        let before = self.shapes.get(..number)?.iter().map(|shape| shape.room()).sum();
        let mut fields = Fields(encoded.get(before..)?);
        match self.shapes.get(number)? {
            Shape::Register => fields.long().ok(),
            Shape::Memory(length) => {
                let read = fields.word().ok()? as usize;
                let bytes = fields.slice(*length).ok()?.get(..read)?;
                bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
            }
            Shape::Vector => None,
        }
    }

    /// So many bytes, at most eight, of the value of this number, from one on, extended by zeros. `None`: they are not
    /// there.
    #[inline]
    pub fn part(&self, number: usize, from: usize, bytes: usize) -> Option<u64> {
        let shape = self.shapes.get(number)?;
        let end = from.checked_add(bytes)?;
        let little = |bytes: &mut dyn Iterator<Item = u8>| {
            bytes.zip((0..u64::BITS).step_by(8)).fold(0, |value, (byte, shift)| value | u64::from(byte) << shift)
        };
        match self.content {
            Content::Packed(words, starts) => {
                let length = match *shape {
                    Shape::Memory(length) => length,
                    shape => 8 * shape.words(),
                };
                let words = words.get(*starts.get(number)?..)?.get(from / 8..end.div_ceil(8))?;
                let all = words.iter().flat_map(|word| word.to_le_bytes());
                (end <= length).then(|| little(&mut all.skip(from % 8).take(bytes)))
            }
            Content::Encoded(encoded) => {
                let before = self.shapes.get(..number)?.iter().map(|shape| shape.room()).sum();
                let mut fields = Fields(encoded.get(before..)?);
                let length = match *shape {
                    Shape::Memory(length) => (fields.word().ok()? as usize).min(length),
                    shape => 8 * shape.words(),
                };
                let part = fields.0.get(from..end)?;
                (end <= length).then(|| little(&mut part.iter().copied()))
            }
        }
    }

    /// All values.
    ///
    /// # Errors
    /// If there are not as many as were asked for.
    pub fn values(&self) -> Result<Values, Damage> {
        let mut fields = match self.content {
            Content::Encoded(encoded) => Fields(encoded),
            Content::Packed(words, starts) => return Ok(Values::of_words(words, starts, self.shapes)),
        };
        let values = Values::take(&mut fields, self.shapes)?;
        if fields.0.is_empty() { Ok(values) } else { Err(Damage::Record("a record is longer than it should be")) }
    }
}

/// Where records are read from.
pub trait Source: Read {
    /// Passes over so many bytes, of which there may be fewer.
    ///
    /// # Errors
    /// If that cannot be done.
    fn skip(&mut self, bytes: u32) -> io::Result<()>;
}

impl Source for &[u8] {
    fn skip(&mut self, bytes: u32) -> io::Result<()> {
        *self = self.get(bytes as usize..).unwrap_or_default();
        Ok(())
    }
}

impl<R: Read + Seek> Source for BufReader<R> {
    fn skip(&mut self, bytes: u32) -> io::Result<()> {
        self.seek_relative(i64::from(bytes))
    }
}

/// Why the file cannot be read on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// It could not be read.
    #[error("the hits cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is not of this version.
    #[error("the file of hits is not of this version")]
    Version,
    /// It ends, and does not say so: the replay has failed.
    #[error("the hits end in the middle")]
    Cut,
    /// Something in it is not as it must be.
    #[error("the hits are damaged: {0}")]
    Record(&'static str),
}

impl Damage {
    pub(super) const NO_PROBE: Self = Self::Record("a hit is of no probe");
}

/// Reads records one by one.
#[derive(Debug)]
pub struct Hits<R> {
    from: R,
    /// What each probe asks for.
    shapes: Vec<Arc<[Shape]>>,
    /// What each watch asks for.
    watched: Vec<Arc<[Shape]>>,
    /// What was read of the file.
    buffer: Vec<u8>,
    /// Which of it is not looked at yet.
    rest: Range<usize>,
    /// What the record that was read last has in it.
    content: Range<usize>,
    packed: Unpacking,
    /// The hit that was read last is a packed one.
    is_packed: bool,
    /// Hits so far.
    hits: u64,
    /// Of those that are not told, what was read so far.
    passed_over: u64,
    is_over: bool,
}

impl<R: Source> Hits<R> {
    /// Of a file that these probes have filled.
    ///
    /// # Errors
    /// If it does not begin as it should.
    pub fn new(from: R, probes: &[Probe]) -> Result<Self, Damage> {
        let asked = Asked { probes: probes.to_vec(), ..Asked::default() };
        Self::of(from, &asked)
    }

    /// Of a file that a pass has filled of which this was asked.
    ///
    /// # Errors
    /// If it does not begin as it should.
    pub fn of(mut from: R, asked: &Asked) -> Result<Self, Damage> {
        let mut magic = [0; MAGIC.len()];
        from.read_exact(&mut magic).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Damage::Cut,
            _ => Damage::Io(error),
        })?;
        if magic != MAGIC {
            return Err(Damage::Version);
        }
        let shapes: Vec<Arc<[Shape]>> =
            asked.probes.iter().map(|probe| probe.values.iter().map(Shape::of).collect()).collect();
        let watched = asked.watches.iter().map(|watch| watch.values.iter().map(Shape::of).collect()).collect();
        Ok(Self {
            from,
            packed: Unpacking::new(&shapes),
            shapes,
            watched,
            buffer: Vec::new(),
            rest: 0..0,
            content: 0..0,
            is_packed: false,
            hits: 0,
            passed_over: 0,
            is_over: false,
        })
    }

    /// How many hits before what was read last are not told, since what their probes require does not hold.
    pub const fn passed_over(&self) -> u64 {
        self.passed_over
    }

    /// The next record that is neither a hit nor a write, and how many of these are before it: what they tell is not
    /// looked at.
    pub fn next_mark(&mut self) -> Option<Result<(u64, Record), Damage>> {
        if self.is_over {
            return None;
        }
        let mark = self.mark();
        self.is_over |= mark.is_err();
        Some(mark)
    }

    fn mark(&mut self) -> Result<(u64, Record), Damage> {
        loop {
            let (length, kind) = self.read_head()?;
            if kind == PACKED {
                let head = self.taken(packed::HEAD.min(length))?;
                let (_, hits, _, passed) = Unpacking::head(self.buffer.get(head).unwrap_or_default())?;
                self.hits = self.hits.saturating_add(u64::from(hits));
                self.passed_over = self.passed_over.saturating_add(passed);
                self.skip(length - packed::HEAD)?;
                continue;
            }
            self.content = self.taken(length)?;
            match kind {
                HIT | WRITE => self.hits += 1,
                SKIPPED => drop(self.decoded(SKIPPED)?),
                kind => return self.decoded(kind).map(|record| (self.hits, record)),
            }
        }
    }

    /// The next record, of which nothing is looked at if it is a hit: [`Hits::last_hit`] has that.
    #[inline]
    pub fn next_glimpse(&mut self) -> Option<Result<Glimpse, Damage>> {
        if self.is_over {
            return None;
        }
        let glimpse = match self.read_record() {
            Ok(HIT) => {
                self.hits += 1;
                Ok(Glimpse::Hit)
            }
            Ok(kind) => self.decoded(kind).map(Glimpse::Other),
            Err(damage) => Err(damage),
        };
        self.is_over |= glimpse.is_err();
        Some(glimpse)
    }

    /// The hit that was read last.
    ///
    /// # Errors
    /// If it is of no probe, or too short.
    #[inline]
    pub fn last_hit(&self) -> Result<BriefHit<'_>, Damage> {
        let mut fields = Fields(self.buffer.get(self.content.clone()).unwrap_or_default());
        let (probe, thread, ticks) = match &self.packed {
            packed if self.is_packed => (packed.probe, packed.thread, packed.ticks),
            _ => (fields.word()?, fields.word()?, fields.long()?),
        };
        let (probe, is_behind_passed) = named(probe);
        let passed_in_tick = match is_behind_passed {
            true if self.is_packed => self.packed.passed_in_tick,
            true => u64::from(fields.word()?),
            false => 0,
        };
        let shapes = usize::try_from(probe).ok().and_then(|probe| self.shapes.get(probe)).ok_or(Damage::NO_PROBE)?;
        let content = if self.is_packed {
            let (words, starts) = self.packed.words();
            Content::Packed(words, starts)
        } else {
            Content::Encoded(fields.rest())
        };
        Ok(BriefHit { probe, thread, ticks, passed_in_tick, content, shapes })
    }

    fn record(&mut self) -> Result<Record, Damage> {
        let kind = self.read_record()?;
        self.decoded(kind)
    }

    /// Reads a record, or the next of the hits that one has, and tells its kind.
    #[inline]
    fn read_record(&mut self) -> Result<u32, Damage> {
        while self.packed.left == 0 {
            let (length, kind) = self.read_head()?;
            self.content = self.taken(length)?;
            self.is_packed = kind == PACKED;
            if !self.is_packed {
                return Ok(kind);
            }
            self.packed.begin(&self.buffer, self.content.clone())?;
        }
        self.packed.next(&self.buffer)?;
        self.passed_over = self.passed_over.saturating_add(self.packed.passed);
        Ok(HIT)
    }

    /// Reads how long the next record is, and its kind.
    fn read_head(&mut self) -> Result<(usize, u32), Damage> {
        let head = self.taken(8)?;
        let mut head = Fields(self.buffer.get(head).unwrap_or_default());
        let (length, kind) = (head.word()?, head.word()?);
        let is_possible = match kind {
            PACKED => (packed::HEAD as u32..=LONGEST_PACKED).contains(&length),
            _ => length <= LONGEST,
        };
        if is_possible { Ok((length as usize, kind)) } else { Err(Damage::Record("a record is too long")) }
    }

    /// Passes over so many bytes.
    fn skip(&mut self, length: usize) -> Result<(), Damage> {
        let known = length.min(self.rest.len());
        self.rest.start += known;
        Ok(self.from.skip((length - known) as u32)?)
    }

    /// Reads so many bytes, and tells where in the buffer they are.
    fn taken(&mut self, length: usize) -> Result<Range<usize>, Damage> {
        if self.rest.len() < length {
            self.buffer.copy_within(self.rest.clone(), 0);
            self.rest = 0..self.rest.len();
            let more = self.buffer.len().saturating_mul(2).clamp(FIRST, AHEAD);
            self.buffer.resize(more.max(length), 0);
        }
        while self.rest.len() < length {
            let room = self.buffer.get_mut(self.rest.end..).unwrap_or_default();
            match self.from.read(room) {
                Ok(0) => return Err(Damage::Cut),
                Ok(read) => self.rest.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Damage::Io(error)),
            }
        }
        let taken = self.rest.start..self.rest.start + length;
        self.rest.start = taken.end;
        Ok(taken)
    }

    /// What the record that was read last says.
    fn decoded(&mut self, kind: u32) -> Result<Record, Damage> {
        if kind == HIT {
            let brief = self.last_hit()?;
            let (probe, thread, ticks) = (brief.probe, brief.thread, brief.ticks);
            let values = brief.values()?;
            self.hits += 1;
            return Ok(Record::Hit(Hit { probe, thread, ticks, values }));
        }
        let buffer = std::mem::take(&mut self.buffer);
        let record = self.parsed(kind, Fields(buffer.get(self.content.clone()).unwrap_or_default()));
        self.buffer = buffer;
        record
    }

    fn parsed(&mut self, kind: u32, mut fields: Fields<'_>) -> Result<Record, Damage> {
        let record = match kind {
            2 => {
                let (thread, parent, tid) = (fields.word()?, fields.word()?, fields.word()?);
                Record::Thread { thread, parent: (parent != 0).then_some(parent), tid }
            }
            3 => Record::Space { thread: fields.word()?, space: fields.word()? },
            4 => Record::Placed { space: fields.word()?, probe: fields.word()?, address: fields.long()? },
            5 => Record::Truncated { hits: self.total(&mut fields)? },
            6 => Record::End { hits: self.total(&mut fields)?, is_part: false },
            7 => Record::End { hits: self.total(&mut fields)?, is_part: true },
            PASSED_OVER => {
                let hits = fields.long()?;
                self.passed_over = self.passed_over.saturating_add(hits);
                Record::PassedOver { hits }
            }
            10 => {
                let (module, headers) = (fields.word()?, fields.long()?);
                let build_id = std::mem::take(&mut fields.0).to_vec();
                Record::Module { module, headers, build_id }
            }
            11 => {
                let (space, module) = (fields.word()?, fields.module()?);
                let (code, count) = (fields.long()?..fields.long()?, fields.long()?);
                Record::Counted { space, module, code, count }
            }
            12 => {
                let (space, module) = (fields.word()?, fields.module()?);
                Record::Ticks { space, module, branch: fields.long()?, ticks: fields.long()? }
            }
            13 => Record::Lost { space: fields.word()? },
            WRITE => Record::Written(self.written(&mut fields)?),
            SKIPPED => {
                let (watch, thread, writes) = (fields.word()?, fields.word()?, fields.long()?);
                self.hits = self.hits.checked_add(writes).ok_or(Damage::Record("too much is skipped"))?;
                Record::Skipped { watch, thread, writes }
            }
            _ => return Err(Damage::Record("a record is of no known kind")),
        };
        if !fields.0.is_empty() {
            return Err(Damage::Record("a record is longer than it should be"));
        }
        Ok(record)
    }

    fn written(&mut self, fields: &mut Fields<'_>) -> Result<Written, Damage> {
        let (watch, thread, ticks) = (fields.word()?, fields.word()?, fields.long()?);
        let (instruction, address, length) = (fields.long()?, fields.long()?, fields.long()?);
        let (writer, before, after) = (fields.word()?, fields.word()?, fields.word()?);
        let (before, after) = (fields.bytes(before)?, fields.bytes(after)?);
        let shapes = usize::try_from(watch).ok().and_then(|watch| self.watched.get(watch));
        let shapes = shapes.ok_or(Damage::Record("a write is of no watch"))?;
        let (access, is_locked) = (accessed(writer)?, writer & LOCKED != 0);
        let visit = Some(writer >> VISIT_SHIFT).filter(|visit| *visit > 0);
        let writer = writer & !MARKS & !(u32::MAX << VISIT_SHIFT);
        let is_again = writer == AGAIN;
        let (writer, values) = match writer {
            0 | AGAIN => (Writer::Instruction(instruction), Values::take(fields, shapes)?),
            SYSTEM | ELSEWHERE => (Writer::System, Values::default()),
            _ => return Err(Damage::Record("a write is by nobody")),
        };
        self.hits += 1;
        let thread = (thread != 0).then_some(thread);
        let space = u32::try_from(instruction).ok().filter(|_| writer == Writer::System);
        Ok(Written {
            watch,
            thread,
            ticks,
            space,
            events: None,
            writer,
            is_again,
            visit,
            access,
            is_locked,
            address,
            length,
            before,
            after,
            values,
        })
    }

    fn total(&mut self, fields: &mut Fields<'_>) -> Result<u64, Damage> {
        self.is_over = true;
        let hits = fields.long()?;
        if hits == self.hits { Ok(hits) } else { Err(Damage::Record("there are not as many hits as there should be")) }
    }
}

impl<R: Source> Iterator for Hits<R> {
    type Item = Result<Record, Damage>;

    /// The next record; `None` behind the last one, which says how it ended, and behind an error.
    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let record = self.record();
        self.is_over |= record.is_err();
        Some(record)
    }
}

/// What an instruction has done, in the word that says who has written.
const READ: u32 = 1 << 8;
const ONLY_READ: u32 = 1 << 9;
const LOCKED: u32 = 1 << 10;
const MARKS: u32 = READ | ONLY_READ | LOCKED;

/// Finds what an instruction has done, of the word that says who has written.
fn accessed(writer: u32) -> Result<Access, Damage> {
    match writer & (READ | ONLY_READ) {
        0 => Ok(Access::Write),
        READ => Ok(Access::Both),
        ONLY_READ => Ok(Access::Read),
        _ => Err(Damage::Record("it is not clear whether something was written")),
    }
}

/// Returns the number of a probe as it is asked for, of the number that a hit has; and whether another hit of it was passed
/// over in the same tick.
#[inline]
pub(super) const fn named(probe: u32) -> (u32, bool) {
    match probe.checked_sub(BEHIND_PASSED) {
        Some(probe) => (probe, true),
        None => (probe, false),
    }
}

/// What is left of a record.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) const SHORT: Damage = Damage::Record("a record is shorter than it should be");

    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Self::SHORT)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(super) fn word(&mut self) -> Result<u32, Damage> {
        self.take().map(u32::from_le_bytes)
    }

    pub(super) fn long(&mut self) -> Result<u64, Damage> {
        self.take().map(u64::from_le_bytes)
    }

    pub(super) fn slice(&mut self, length: usize) -> Result<&'a [u8], Damage> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Self::SHORT)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn bytes(&mut self, length: u32) -> Result<Vec<u8>, Damage> {
        self.slice(length as usize).map(<[u8]>::to_vec)
    }

    /// The number of a module, if it is one.
    fn module(&mut self) -> Result<Option<u32>, Damage> {
        self.word().map(|number| (number != u32::MAX).then_some(number))
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }
}
