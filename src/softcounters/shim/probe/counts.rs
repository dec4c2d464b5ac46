//! What code was executed how often, of a whole replay.
//!
//! Translations count their pieces in the region of their address space ([`piece`](super::super::cache::piece)), the
//! tracer counts what it steps and what is executed of a piece in the middle of which the cache is left. Both come
//! together in the [`Tally`] of the address space. Counters are read before they may be lost: before an address space
//! forks, ends or gets another program, and before its translations begin anew. What has been counted is told when the
//! address space ends, and before the code of an address becomes another: so the modules that are mapped then are those
//! that were executed.

use std::ops::Range;

use super::list::List;
use super::modules::{self, Module};
use super::tally::{Counted, Tally};
use crate::cache::insn;
use crate::cache::layout::{COUNTER_COUNT, COUNTERS, REGION};
use crate::cache::piece::Left;
use crate::cache::{Index, Region, Space, region};
use crate::memory;
use crate::state::State;
use crate::sys;
use std::sync::Arc;

/// All addresses.
pub const ALL: Range<u64> = 0..u64::MAX;

/// The counts of an address space.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    tally: Tally,
    /// What the counters had when they were read last.
    read: Vec<u64>,
    /// Something may have been executed since.
    is_due: bool,
    /// Counters could not be read.
    is_lost: bool,
    /// Modules that were mapped then.
    modules: Vec<Module>,
}

/// What is told of an address space.
pub struct Harvest {
    /// By modules; `None` for what is in none.
    counts: Vec<(Option<Module>, Counted)>,
    is_lost: bool,
}

impl Counting {
    /// For an address space, if the list asks for it.
    pub fn new(list: Option<&Arc<List>>) -> Option<Counting> {
        list.filter(|list| list.counts).map(|_| Counting::default())
    }

    /// For the copy of an address space that is made now.
    pub fn copied(&self) -> Counting {
        Counting { tally: Tally::default(), ..self.clone() }
    }

    /// Code is about to be run.
    pub fn begin(&mut self) {
        self.is_due = true;
    }

    /// Books what was executed and counted of pieces where the cache was left before the instruction at `end`.
    fn book(&mut self, left: Left, end: u64) {
        self.is_due = true;
        if let Some((piece, over)) = left.over {
            self.tally.add_piece(&piece, -i64::from(over));
        }
        if let Some(start) = left.start {
            self.tally.add(start..end, 1);
        }
    }

    fn take(&mut self, code: &Range<u64>) -> Harvest {
        let mut counts = Vec::new();
        for module in &self.modules {
            let mut counted = Counted::default();
            for segment in &module.segments {
                let part = segment.start.max(code.start)..segment.end.min(code.end);
                let Counted { code, branches } = self.tally.take(&part);
                let in_file = |at: u64| at.wrapping_sub(module.bias);
                counted.code.extend(code.into_iter().map(|(code, n)| (in_file(code.start)..in_file(code.end), n)));
                counted.branches.extend(branches.into_iter().map(|(at, n)| (in_file(at), n)));
            }
            counts.push((Some(module.clone()), counted));
        }
        counts.push((None, self.tally.take(code)));
        Harvest { counts, is_lost: std::mem::take(&mut self.is_lost) }
    }
}

impl Space {
    /// Reads the counters, and which modules are mapped, if anything was executed.
    pub fn harvest(&mut self, tid: i32) {
        let Some(counting) = &mut self.counting else { return };
        if !std::mem::take(&mut counting.is_due) {
            return;
        }
        let mut counters = vec![0; self.index.counters() as usize * 8];
        if memory::read_exactly(tid, REGION + COUNTERS, &mut counters).is_err() {
            counting.is_lost |= !counters.is_empty();
            return;
        }
        counting.read.resize(counters.len() / 8, 0);
        let words = counters.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
        for ((piece, word), before) in self.index.pieces().zip(words).zip(&mut counting.read) {
            let more = word.wrapping_sub(std::mem::replace(before, word));
            counting.tally.add_piece(&piece, more as i64);
        }
        let text = memory::read_file(&format!("/proc/{tid}/maps"));
        let read = |address: u64, into: &mut [u8]| memory::read_exactly(tid, address, into).is_ok();
        counting.modules = modules::starts(&text).filter_map(|start| modules::at(start, read)).collect();
    }

    /// Forgets all translations, but not what they have counted. The counters of others begin at zero.
    pub fn renew_index(&mut self, tid: i32) {
        self.harvest(tid);
        let used = self.index.counters() as usize;
        let is_zero = used == 0 || memory::write(tid, &[(REGION + COUNTERS, &vec![0; used * 8])]).is_ok();
        if !is_zero && self.region == Region::Ready {
            // It is looked for anew.
            self.region = Region::Unknown;
        }
        self.index = Arc::new(Index::new(self.index.size()));
        if let Some(counting) = &mut self.counting {
            counting.read.clear();
        }
    }

    /// The same, and empties the region.
    pub fn begin_anew(&mut self, tid: i32) -> Result<(), sys::Errno> {
        self.renew_index(tid);
        region::clear(tid)
    }

    /// Empties a region of which it is not known what it has.
    pub fn clear_unknown(&self, tid: i32) -> Result<(), sys::Errno> {
        if self.counting.is_some() {
            memory::write(tid, &[(REGION + COUNTERS, &vec![0; COUNTER_COUNT as usize * 8])])?;
        }
        region::clear(tid)
    }
}

impl State {
    /// Reads the counters of the thread's address space.
    pub fn harvest(&mut self, tid: i32) {
        if let Some(space) = self.known_space_of(tid).and_then(|id| self.spaces.get(id)) {
            space.harvest(tid);
        }
    }

    /// Tells what was counted of this code, which may be about to become another, or to end.
    pub fn tell_counted(&mut self, tid: i32, id: u32, code: &Range<u64>) {
        let Some(space) = self.spaces.get(id) else { return };
        let is_touched = space.counting.as_ref().is_some_and(|counting| counting.tally.touches(code));
        if space.counting.is_none() || !is_touched && !space.index.touches(code) {
            return;
        }
        space.harvest(tid);
        let told = space.counting.as_mut().map(|counting| counting.take(code));
        // What was executed before the first program was rr itself.
        if let Some(told) = told.filter(|_| self.pass.as_ref().is_some_and(|pass| pass.has_begun)) {
            self.tell_counts(id, told);
        }
    }

    /// Tells of an address space that is not there any more.
    pub fn tell_last(&mut self, id: u32, tid: i32, mut space: Space) {
        space.harvest(tid);
        if let Some(told) = space.counting.as_mut().map(|counting| counting.take(&ALL)) {
            self.tell_counts(id, told);
        }
    }

    fn tell_counts(&mut self, space: u32, told: Harvest) {
        let Some(pass) = &mut self.pass else { return };
        if told.is_lost {
            pass.sink.lost(space);
        }
        for (module, counted) in told.counts {
            let number = module.filter(|_| !counted.code.is_empty()).map(|module| pass.module(&module));
            for (code, count) in counted.code {
                pass.sink.counted(space, number, &code, count);
            }
            for (branch, ticks) in counted.branches {
                pass.sink.ticks(space, number, branch, ticks);
            }
        }
    }

    /// rr ends.
    pub fn finish_pass(&mut self) {
        if self.pass.as_ref().is_some_and(|pass| pass.is_own()) {
            if let Some(pass) = &mut self.pass {
                pass.tell_foreign();
            }
            for (id, space) in self.spaces.take_all() {
                let member = space.member().unwrap_or(0);
                self.tell_last(id, member, space);
            }
            if let Some(pass) = &mut self.pass {
                pass.sink.finish();
            }
        }
    }

    /// Books what is executed of a piece where the thread has left the cache, before the instruction at `end`.
    pub fn book_left(&mut self, tid: i32, left: Left, end: u64) {
        if let Some(counting) = self.counting(tid) {
            counting.book(left, end);
        }
    }

    /// The same where that instruction may be a repeated one of which some work is done: then it counts already.
    pub fn book_stopped(&mut self, tid: i32, left: Left, end: u64) {
        if self.pass.is_none() || self.counting(tid).is_none() {
            return;
        }
        let mut after = end;
        if left.start.is_some() && super::look::is_repeated(tid, end) {
            self.tracee(tid).begun = Some(end);
            after = end + length_of(&crate::drive::code_at(tid, end));
        }
        self.book_left(tid, left, after);
    }

    /// The same where that instruction has been executed, too.
    pub fn book_executed(&mut self, tid: i32, left: Left, end: u64) {
        if self.pass.is_some() {
            let length = length_of(&crate::drive::code_at(tid, end));
            self.book_left(tid, left, end + length);
        }
    }

    /// This was executed by the thread itself.
    pub fn count_stepped(&mut self, tid: i32, code: Range<u64>) {
        self.book_left(tid, Left { start: Some(code.start), over: None }, code.end);
    }

    /// So was the conditional branch there.
    pub fn count_branch(&mut self, tid: i32, branch: u64) {
        if let Some(counting) = self.counting(tid) {
            counting.is_due = true;
            counting.tally.add_branch(branch, 1);
        }
    }

    fn counting(&mut self, tid: i32) -> Option<&mut Counting> {
        self.pass.as_ref()?;
        let id = self.space_of(tid);
        self.spaces.get(id)?.counting.as_mut()
    }
}

/// How long the instruction at the start of `code` is, at least.
pub fn length_of(code: &[u8]) -> u64 {
    /// Of an instruction that enters the kernel, where rr has put a breakpoint.
    const SYSTEM_CALL: u64 = 2;
    if code.first() == Some(&crate::decode::BREAKPOINT) {
        return SYSTEM_CALL;
    }
    insn::decode(code).map_or(1, |insn| u64::from(insn.length))
}
