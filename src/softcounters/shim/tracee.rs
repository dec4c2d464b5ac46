//! What is known of each thread rr controls.

use std::ops::Range;

use super::cache::fpu;
use super::drive;
use super::log::log;
use super::memory;
use super::perf::WITHOUT_END;
use super::probe::{Look, Writing};
use super::resume::{Phase, Request};
use super::state::State;
use super::sys::{self, Errno, SigInfo, UserRegs};

/// What is known of a thread that has just made a single step for rr, until something may change it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub registers: UserRegs,
    /// It does not block `SIGTRAP`.
    pub unblocked: bool,
}

/// A resume by rr in progress.
#[derive(Clone, Copy, Debug)]
pub struct Drive {
    pub request: Request,
    pub phase: Phase,
    /// The counter overflows before the cache can be entered again.
    pub near: bool,
    /// The tracee's own signal mask while `SIGTRAP` is unblocked in it.
    pub hidden_mask: Option<u64>,
    /// The tracee is known not to block `SIGTRAP`, up to its next instruction.
    pub unblocked: bool,
}

/// What is known of a thread rr controls.
#[derive(Debug, Default)]
pub struct Tracee {
    /// Status of the last stop reported to rr, as `waitid` gives it; 0 if none.
    pub last_stop: i32,
    /// Debug registers are in use.
    pub watching: bool,
    /// Where they have execution breakpoints, which translated code would not meet.
    pub breaks: Vec<u64>,
    /// The number of its address space, once it was needed.
    pub space: Option<u32>,
    /// How many seccomp filters the thread has, once it was asked.
    pub filters: Option<u32>,
    /// What the system call it is in may do to mappings of its address space.
    pub changing: Vec<Range<u64>>,
    /// What it may write to the memory of which processes.
    pub storing: Vec<(i32, Range<u64>)>,
    /// A `SIGTRAP` sent to the program while it blocks that signal, to be made pending again.
    pub withheld: Option<SigInfo>,
    /// rr interrupted the thread, which has not answered yet.
    pub interrupted: bool,
    /// The kernel would mistake the trap flag of another step for the program's, see [`flags`](crate::flags).
    pub unsettled: bool,
    /// A signal is delivered by a step over an instruction that loads the flags.
    pub flags_in_frame: bool,
    /// It stands in the answer to an interrupt, which rr takes for a signal, see [`overflow`](crate::overflow).
    pub at_interrupt: bool,
    /// DR6 does not say that a step was made.
    pub unstepped: bool,
    /// rr keeps a signal for it that it could not deliver yet.
    pub has_kept_signal: bool,
    /// The number of the system call that the kernel is kept from carrying out.
    pub refused: Option<u64>,
    /// The flags of the `mmap` that is made with others in the region's place.
    pub flags_of_mapping: Option<u64>,
    /// What the instruction that is being stepped loads in the place of a random number of the processor.
    pub drawn: u64,
    pub drive: Option<Drive>,
    /// What the count was set to for the cache, until the branches executed there are booked.
    pub lent: Option<u64>,
    /// Its number in a probe pass, 0 if it has none yet.
    pub number: u32,
    /// The address space that was told of it.
    pub told_space: u32,
    /// Branches it has executed.
    pub ticks: u64,
    /// What probes have to tell of the instruction that is being stepped.
    pub looked: Vec<Look>,
    /// What the instruction that is being stepped writes to watched memory.
    pub writing: Option<Writing>,
    /// The instruction that is being stepped, if what is executed counts.
    pub counted: Option<Range<u64>>,
    /// A repeated string instruction of which the probes have told, and which is not done.
    pub begun: Option<u64>,
    /// From the end of a step to whatever may change it.
    pub seen: Option<Seen>,
}

impl Tracee {
    /// Returns whether a resume of rr is in progress that is carried out here.
    pub fn is_driven(&self) -> bool {
        self.drive.is_some()
    }

    /// Notes that rr set its signal mask. As long as rr keeps a signal it has all others blocked but its own, even
    /// those that the kernel leaves out of any mask.
    pub fn set_mask(&mut self, mask: u64) {
        const UNBLOCKABLE: u64 = 1 << (sys::SIGKILL - 1) | 1 << (sys::SIGSTOP - 1);
        self.has_kept_signal = mask & UNBLOCKABLE != 0;
    }

    /// Notes that rr resumed the tracee without a counter.
    pub fn pass(&mut self) {
        self.drive = None;
        self.last_stop = 0;
        // By a step perhaps.
        self.unstepped = false;
    }
}

impl State {
    /// Notes what rr wrote to DR7. It has written the addresses before.
    pub fn note_debug_control(&mut self, tid: i32, dr7: u64) {
        const ENABLE_BITS: u64 = 0xff;
        let executes = |register: &u32| dr7 >> (register * 2) & 3 != 0 && dr7 >> (16 + register * 4) & 3 == 0;
        // Errors mean that the thread is gone.
        let address = |register: u32| sys::peek_user(tid, sys::USER_DR0 + i64::from(register) * 8).ok();
        let breaks = (0..4).filter(executes).filter_map(address).collect();
        let tracee = self.tracee(tid);
        tracee.watching = dr7 & ENABLE_BITS != 0;
        tracee.breaks = breaks;
    }

    /// Notes that rr sees this stop.
    pub fn note_stop(&mut self, tid: i32, status: i32) {
        if let Some(pass) = &mut self.pass {
            pass.current = tid;
        }
        let tracee = self.tracee(tid);
        tracee.last_stop = status;
        tracee.drive = None;
        self.note_delivered(tid, status);
        let tracee = self.tracee(tid);
        let changed = std::mem::take(&mut tracee.changing);
        if !changed.is_empty() {
            self.change_space(tid, &changed);
        }
        self.note_stored(tid);
        match status >> 8 {
            // Errors mean that it is gone already.
            sys::EVENT_EXIT => {
                self.learn(tid);
                let _ = self.leave_killed(tid);
                self.harvest(tid);
            }
            sys::EVENT_STOP => self.tracee(tid).interrupted = false,
            sys::EVENT_FORK | sys::EVENT_VFORK => {
                self.learn(tid);
                self.note_clone(tid);
            }
            sys::EVENT_CLONE => self.note_clone(tid),
            sys::EVENT_EXEC => {
                self.leave_space(tid);
                if let Ok(registers) = sys::registers(tid) {
                    drive::check_mode(tid, &registers);
                }
                // The thread that made the call may have had another id before.
                if let Ok(former) = sys::event_message(tid) {
                    self.leave_space(former as i32);
                }
            }
            _ => {}
        }
    }
}

impl State {
    /// Returns how many branches the tracee may execute before it must stop; `None` if its counter does not run. An
    /// overflow waits until rr keeps no signal: kept beside it, rr would deliver that signal with its own mask in
    /// place.
    pub fn remaining(&mut self, tid: i32) -> Option<u64> {
        let is_held = self.known(tid).is_some_and(|tracee| tracee.has_kept_signal);
        self.counters.running(tid).map(|(_, ticks)| if is_held { WITHOUT_END } else { ticks.remaining() })
    }

    /// Returns the number of the tracee's address space.
    pub fn space_of(&mut self, tid: i32) -> u32 {
        if let Some(id) = self.tracee(tid).space {
            return id;
        }
        let id = self.spaces.join(tid);
        log!(1, "{tid}: joins address space {id}");
        self.tracee(tid).space = Some(id);
        id
    }

    /// Returns the number of the tracee's address space, if it was ever needed.
    pub fn known_space_of(&self, tid: i32) -> Option<u32> {
        self.known(tid).and_then(|tracee| tracee.space)
    }

    /// Notes that the tracee has this address space.
    pub fn set_space(&mut self, tid: i32, id: u32) {
        self.tracee(tid).space = Some(id);
    }

    /// Forgets the address space of a tracee that is gone, or has a new one.
    pub fn leave_space(&mut self, tid: i32) {
        log!(1, "{tid}: leaves address space {:?}", self.known_space_of(tid));
        if let Some(id) = self.known_space_of(tid) {
            self.tracee(tid).space = None;
            if let Some(space) = self.spaces.leave(id, tid) {
                self.tell_last(id, tid, space);
            }
        }
    }

    /// Notes that the thread of this id is a new one. Its first stop may have been seen already.
    pub fn begin_anew(&mut self, tid: i32) {
        self.leave_space(tid);
        let tracee = self.tracee(tid);
        *tracee = Tracee { last_stop: tracee.last_stop, ..Tracee::default() };
    }

    /// Takes an address of the cache out of the x87 unit.
    pub fn correct_x87(&mut self, tid: i32) -> Result<(), Errno> {
        let space = self.known_space_of(tid).and_then(|id| self.spaces.get(id));
        space.map_or(Ok(()), |space| fpu::correct_instruction_pointer(tid, &space.index))
    }

    /// Returns how many seccomp filters judge the tracee's system calls.
    pub fn filters(&mut self, tid: i32) -> u32 {
        *self.tracee(tid).filters.get_or_insert_with(|| memory::filters(tid))
    }

    /// Notes that the tracee may put another filter in place, perhaps for all threads of the process. It is asked again
    /// when it runs code, which it does not before that is done.
    pub fn note_filter(&mut self, tid: i32, for_all: bool) {
        if for_all {
            self.know_no_filters();
        }
        self.tracee(tid).filters = None;
    }

    /// Notes that the tracee is about to make a system call with an effect on these addresses.
    pub fn note_pending_change(&mut self, tid: i32, ranges: Vec<Range<u64>>) {
        self.tracee(tid).changing.extend(ranges);
    }

    /// Sets what is expected of a driven tracee.
    pub fn set_phase(&mut self, tid: i32, phase: Phase) {
        if let Some(drive) = &mut self.tracee(tid).drive {
            drive.phase = phase;
        }
    }

    /// Notes that the next branches are few and must be stepped.
    pub fn set_near(&mut self, tid: i32) {
        if let Some(drive) = &mut self.tracee(tid).drive {
            drive.near = true;
        }
    }
}
