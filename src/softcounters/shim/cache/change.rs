//! Changes of code and of address spaces, as they are seen from outside.

use std::ops::Range;
use std::sync::Arc;

use super::class::{Class, classify};
use super::insn::decode;
use super::layout::{REGION, SIZE};
use super::pages::{self, PAGE};
use super::region;
use super::region_changes::Changes;
use super::space::{Region, Space};
use crate::decode::{self, BREAKPOINT};
use crate::flags;
use crate::log::{Statistics, log};
use crate::memory;
use crate::memory_calls::Call;
use crate::probe::counts::ALL;
use crate::state::State;
use crate::sys::{
    self, MAP_FIXED, MAP_FIXED_NOREPLACE, MREMAP_FIXED, PR_SET_SECCOMP, PROT_GROWS, SECCOMP_FILTER_FLAG_TSYNC,
    SHM_REMAP, SYS_EXECVE, SYS_EXECVEAT, SYS_MADVISE, SYS_MMAP, SYS_MPROTECT, SYS_MREMAP, SYS_MUNMAP,
    SYS_PKEY_MPROTECT, SYS_PRCTL, SYS_REMAP_FILE_PAGES, SYS_RT_SIGRETURN, SYS_SECCOMP, SYS_SHMAT, SYS_SHMDT, UserRegs,
};

/// Returns the table of system calls that matter here, see [`CALLS`](super::layout::CALLS).
pub fn calls() -> Vec<u8> {
    const MATTER: [i64; 14] = [
        SYS_MMAP,
        SYS_MPROTECT,
        SYS_MUNMAP,
        SYS_RT_SIGRETURN,
        SYS_MREMAP,
        SYS_MADVISE,
        SYS_SHMAT,
        SYS_EXECVE,
        SYS_SHMDT,
        SYS_PRCTL,
        SYS_REMAP_FILE_PAGES,
        SYS_SECCOMP,
        SYS_EXECVEAT,
        SYS_PKEY_MPROTECT,
    ];
    let mut calls = vec![0; SYS_PKEY_MPROTECT as usize + 1];
    MATTER.iter().for_each(|&number| calls[number as usize] = 1);
    calls
}

/// What a system call may do to mappings.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    /// New mappings in free places.
    Adds,
    /// One mapping is gone, of a length that is not said.
    Removes,
    /// What was in these ranges may be gone or different.
    Changes(Vec<Range<u64>>),
}

/// Returns the effect of the system call `number` with these arguments.
pub fn effect(number: i64, registers: &UserRegs) -> Effect {
    let range = |start: u64, length: u64| start..start.saturating_add(length.saturating_add(0xfff) & !0xfff);
    let first = range(registers.rdi, registers.rsi);
    match number {
        // Where the other flag is set it replaces nothing.
        SYS_MMAP if registers.r10 & (MAP_FIXED | MAP_FIXED_NOREPLACE) == MAP_FIXED => Effect::Changes(vec![first]),
        SYS_MMAP => Effect::Adds,
        SYS_SHMDT => Effect::Removes,
        SYS_MPROTECT | SYS_PKEY_MPROTECT if registers.rdx & PROT_GROWS != 0 => Effect::Changes(vec![0..u64::MAX]),
        SYS_MPROTECT | SYS_PKEY_MPROTECT | SYS_MUNMAP | SYS_MADVISE | SYS_REMAP_FILE_PAGES => {
            Effect::Changes(vec![first])
        }
        SYS_MREMAP if registers.r10 & MREMAP_FIXED != 0 => {
            Effect::Changes(vec![first, range(registers.r8, registers.rdx)])
        }
        SYS_MREMAP => Effect::Changes(vec![first]),
        SYS_SHMAT if registers.rdx & SHM_REMAP != 0 => Effect::Changes(vec![0..u64::MAX]),
        SYS_SHMAT => Effect::Adds,
        _ => Effect::None,
    }
}

impl State {
    /// Notes that rr resumes `tid` for its own purposes: perhaps for a system call.
    pub fn note_passed(&mut self, tid: i32) {
        if self.known_space_of(tid).is_some()
            && let Ok(mut registers) = sys::registers(tid)
        {
            // A replaying rr steps over the instruction of its own call, without a stop inside.
            if registers.rax == SYS_MMAP as u64 && is_at_system_call(tid, registers.rip) {
                self.make_way(tid, &mut registers);
            }
            self.note_system_call(tid, &registers);
        }
    }

    /// Notes that a system call of `tid`, by the program or by rr, is about to be made, or may be: the registers tell
    /// which.
    pub fn note_system_call(&mut self, tid: i32, registers: &UserRegs) {
        const ENOSYS: i64 = 38;
        let is_entered = registers.orig_rax as i64 >= 0 && registers.rax as i64 == -ENOSYS;
        let number = if is_entered { registers.orig_rax } else { registers.rax } as i64;
        let filters = number == SYS_SECCOMP || number == SYS_PRCTL && registers.rdi == PR_SET_SECCOMP;
        let effect = effect(number, registers);
        let returns = number == SYS_RT_SIGRETURN;
        let replaces = number == SYS_EXECVE || number == SYS_EXECVEAT;
        let store = Call::of(number);
        if !filters && !returns && !replaces && store.is_none() && effect == Effect::None
            || !is_entered && !is_at_system_call(tid, registers.rip)
        {
            return;
        }
        if filters {
            self.note_filter(tid, number == SYS_SECCOMP && registers.rsi & SECCOMP_FILTER_FLAG_TSYNC != 0);
        }
        if let Some(call) = store {
            self.note_store(tid, call, registers);
        }
        if returns {
            flags::check_frame(tid, registers.rsp);
        }
        if replaces {
            self.learn(tid);
            if let Some(id) = self.known_space_of(tid) {
                self.tell_counted(tid, id, &ALL);
            }
            self.note_program(tid);
        }
        match effect {
            Effect::None => {}
            Effect::Adds => self.change_space(tid, &[]),
            Effect::Removes => {
                if let Some(space) = self.known_space_of(tid).and_then(|id| self.spaces.get(id)) {
                    space.maps.change(&(0..u64::MAX));
                }
            }
            Effect::Changes(ranges) => {
                self.change_space(tid, &ranges);
                self.note_pending_change(tid, ranges);
            }
        }
    }

    /// Notes that the mappings of the address space of `tid` may have changed, in `ranges` also those there were.
    pub fn change_space(&mut self, tid: i32, ranges: &[Range<u64>]) {
        let Some(id) = self.known_space_of(tid) else { return };
        let Some(space) = self.spaces.get(id) else { return };
        space.maps.outdate();
        ranges.iter().for_each(|range| space.maps.change(range));
        for range in ranges {
            self.change_code(tid, id, range, None);
        }
    }

    /// Notes that the code in `range` of this address space may have changed: by a write, if what was written is given,
    /// as far as it is known.
    fn change_code(&mut self, tid: i32, id: u32, range: &Range<u64>, written: Option<&[u8]>) {
        let Some(space) = self.spaces.get(id) else { return };
        let mut code = [0; decode::MAX_LENGTH];
        let mut length = 0;
        if space.region == Region::Ready && space.index.touches(range) {
            match region::is_there_with(tid, range.start, &mut code) {
                Some(read) => length = read,
                None => {
                    // The thread has another address space than when it was last seen: a new program image.
                    log!(1, "{tid}: the region is gone");
                    self.leave_space(tid);
                    return;
                }
            }
        }
        let code = if written.is_some() { &code[..length] } else { &[] };
        if written.is_none() {
            self.tell_counted(tid, id, range);
        }
        let Some(space) = self.spaces.get(id) else { return };
        space.change(tid, range, written.is_some(), code, &mut self.statistics);
    }

    /// Notes that rr wrote to the memory of `tid`: this, if it is known.
    pub fn note_write(&mut self, tid: i32, range: Range<u64>, written: &[u8]) {
        if !self.spaces.have_code(&range) {
            return;
        }
        if let &[byte] = written
            && let Some(space) = self.spaces.only_of(tid)
            && space.replace(range.start, byte)
        {
            return;
        }
        for id in self.spaces.named(tid) {
            // A member that is gone, or has another address space by now, cannot tell of this one.
            while let Some(member) = self.spaces.get(id).and_then(|space| space.member()) {
                self.change_code(member, id, &range, Some(written));
                if self.known_space_of(member) == Some(id) {
                    break;
                }
            }
        }
    }

    /// Notes that rr wrote through a descriptor, perhaps to a tracee's memory.
    pub fn note_file_write(&mut self, descriptor: i32, address: u64, written: &[u8]) {
        let range = address..address.saturating_add(written.len() as u64);
        if self.spaces.have_code(&range)
            && let Some(tid) = memory::owner_of_memory(descriptor)
        {
            self.note_write(tid, range, written);
        }
    }

    /// Keeps what is known of the code the thread's address space has run: that may end soon, or be known to others.
    pub fn learn(&mut self, tid: i32) {
        if let Some(space) = self.known_space_of(tid).and_then(|id| self.spaces.get(id)) {
            space.learn(&mut self.store, tid);
        }
    }

    /// Notes that a thread made another one, whose id the kernel tells at this stop.
    pub fn note_clone(&mut self, tid: i32) {
        let Ok(child) = sys::event_message(tid) else { return };
        let child = child as i32;
        // The id may have been another thread's, of which the end was not seen.
        self.begin_anew(child);
        self.number_child(tid, child);
        if let Some(id) = self.known_space_of(tid)
            && let Some(space) = self.spaces.fork(id, child)
        {
            log!(2, "{tid}: new thread {child} in address space {space}, parent's {id}");
            self.set_space(child, space);
        }
    }
}

/// Returns whether the instruction at `rip` enters the kernel.
fn is_at_system_call(tid: i32, rip: u64) -> bool {
    let mut code = [0; 2];
    memory::read_exactly(tid, rip, &mut code).is_ok() && decode::classify(&code) == decode::Class::SystemCall
}

impl Space {
    /// Notes that the tracer wrote one byte of code. True if that is a breakpoint it set or removed, in the place of an
    /// instruction that the program executes itself anyhow: then all that was made from the code is as good as before.
    fn replace(&mut self, address: u64, byte: u8) -> bool {
        if self.region != Region::Ready {
            return false;
        }
        let Some(code) = self.code.patch(address, byte) else { return false };
        let is_native = byte == BREAKPOINT
            || code.len() >= decode::MAX_LENGTH && decode(code).is_some_and(|insn| classify(&insn) == Class::Native);
        if !is_native || !self.index.ends_at(&(address..address + 1)) {
            return false;
        }
        self.written.insert(address / PAGE, ());
        true
    }

    /// Forgets what was made from code in `range`, where `code` is now if it was written there.
    fn change(&mut self, tid: i32, range: &Range<u64>, is_write: bool, code: &[u8], statistics: &mut Statistics) {
        if range.is_empty() {
            return;
        }
        let is_taken = range.start < REGION + SIZE && REGION < range.end && *range != (0..u64::MAX);
        if is_taken && self.region != Region::Unknown {
            self.given.push(range.clone());
        }
        if is_taken && self.region == Region::Ready {
            log!(1, "{tid}: {range:x?} is taken from the region");
            let all = range.start <= REGION && REGION + SIZE <= range.end;
            self.region = if all { Region::Unknown } else { Region::Refused };
            self.renew_index(tid);
        }
        self.code.forget(range);
        let pages = pages::pages(range);
        self.asked.retain(|page, _| !pages.contains(page));
        if is_write {
            self.written.extend(pages.map(|page| (page, ())));
        }
        if self.region != Region::Ready || !self.index.touches(range) {
            return;
        }
        // Only a breakpoint is put in the place of an instruction so that the translation before it may stay.
        let is_native = |address: u64| {
            let is_one = || decode(code).is_none_or(|insn| classify(&insn) == Class::Native);
            address == range.start && !code.is_empty() && is_one()
        };
        let index = Arc::make_mut(&mut self.index);
        let mut changes = index.changes();
        let dead = index.invalidate(range.clone(), is_native, &mut changes);
        self.carry_out(tid, dead, &changes, statistics);
    }

    /// Leaves the instructions at these addresses out of translations, which the program then executes itself, and none
    /// that were left out before.
    pub fn leave_out(&mut self, tid: i32, addresses: &[u64], statistics: &mut Statistics) {
        let before = std::mem::replace(&mut self.left_out, addresses.to_vec());
        for &address in addresses.iter().filter(|address| !before.contains(address)) {
            let range = address..address.saturating_add(1);
            if self.region == Region::Ready && self.index.touches(&range) {
                let index = Arc::make_mut(&mut self.index);
                let mut changes = index.changes();
                let dead = index.invalidate(range, |_| false, &mut changes);
                self.carry_out(tid, dead, &changes, statistics);
            }
        }
    }

    /// Outdates the translation that was left by the exit of this number: it is of code that is not there any more.
    pub fn outdate(&mut self, tid: i32, exit: u32, statistics: &mut Statistics) {
        let index = Arc::make_mut(&mut self.index);
        let mut changes = index.changes();
        let dead = index.outdate(exit, &mut changes).map(|()| 1);
        self.carry_out(tid, dead, &changes, statistics);
    }

    /// Writes what became of the index after this many translations were given up; all are if there was no room.
    fn carry_out(&mut self, tid: i32, dead: Option<usize>, changes: &Changes, statistics: &mut Statistics) {
        let written = match dead {
            Some(blocks) => {
                statistics.invalidated += blocks as u64;
                memory::write(tid, &changes.pieces())
            }
            None => {
                statistics.flushes += 1;
                self.begin_anew(tid)
            }
        };
        if written.is_err() {
            // Being killed. What the index says is not what the region has.
            self.region = Region::Unknown;
            self.renew_index(tid);
        }
    }
}
