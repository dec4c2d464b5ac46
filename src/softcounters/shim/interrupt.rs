//! What a debugger says while a tracee runs.
//!
//! A replaying rr looks at its debugger's connection between two events of the recording. A loop may be one event long,
//! however long it runs: rr records no switch from a thread to itself. So while a debugger is connected, branches are
//! lent for a while only, and where they are used up this looks at the connection. If there is something to read, rr is
//! shown the trap of a single step that nobody asked for. It takes that for one of its own, to be hidden, and looks at
//! the connection before it goes on, in whatever it is doing on its way to the next event. (The signal of an overflow
//! would not do: on its way to a signal of the recording, rr goes on from there without looking.)
//!
//! It would be mistaken where rr runs into a breakpoint of its own: for the last branches before a signal of the
//! recording, twice its skid at most. The least that is lent is more, and so many have been run by then since rr's resume.
//!
//! Which descriptor is the connection is seen where rr polls it.

use std::sync::atomic::{AtomicI32, Ordering};

use super::cache::{Lowering, MOST_AHEAD, MOST_BEYOND};
use super::slice::LEAST;
use super::state::State;
use super::stop::{DR6_STEP, TRAP_TRACE};
use super::sys::{self, Errno, PollFd, SigInfo, UserRegs, raw};

const NONE: i32 = -1;

/// The descriptor of the debugger's connection.
static DEBUGGER: AtomicI32 = AtomicI32::new(NONE);

/// Notes that rr polls a descriptor that is none of ours: what it waits to read from is its debugger's connection.
pub fn note_poll(polled: &PollFd) {
    if polled.events & sys::POLLIN != 0 && DEBUGGER.load(Ordering::Relaxed) != polled.fd && is_connected(polled.fd) {
        DEBUGGER.store(polled.fd, Ordering::Relaxed);
    }
}

/// Notes that rr closes a descriptor.
pub fn note_close(descriptor: i32) {
    let _ = DEBUGGER.compare_exchange(descriptor, NONE, Ordering::Relaxed, Ordering::Relaxed);
}

/// Returns whether a descriptor is a socket with another end.
fn is_connected(descriptor: i32) -> bool {
    let mut address = [0u8; 128];
    let mut size = address.len() as u32;
    let (address, size) = (&raw mut address as i64, &raw mut size as i64);
    // SAFETY: the kernel writes no more of the address than its size says.
    unsafe { raw(sys::SYS_GETPEERNAME, i64::from(descriptor), address, size, 0, 0, 0) == 0 }
}

/// Returns whether the debugger has said something, or has gone.
fn is_to_be_heard() -> bool {
    let mut polled = PollFd { fd: DEBUGGER.load(Ordering::Relaxed), events: sys::POLLIN, revents: 0 };
    // SAFETY: one structure, for the time of the call.
    if polled.fd == NONE || unsafe { raw(sys::SYS_POLL, &raw mut polled as i64, 1, 0, 0, 0, 0) } != 1 {
        return false;
    }
    let is_there = polled.revents & sys::POLLNVAL == 0;
    if !is_there {
        note_close(polled.fd);
    }
    is_there
}

impl State {
    /// Returns how many branches of so many a thread is lent that is about to run, and how its translations are to lower
    /// them: such that it cannot come to an overflow but before the very branch.
    pub fn lend(&mut self, remaining: u64) -> (u64, Lowering) {
        if self.by_branch {
            return (self.part(remaining), Lowering::ByBranch);
        }
        match self.part(remaining.saturating_sub(MOST_BEYOND)) {
            0..=MOST_AHEAD => (self.part(remaining), Lowering::Last),
            part => (part, Lowering::AtExits),
        }
    }

    /// Returns how many branches of so many are lent at once.
    fn part(&mut self, remaining: u64) -> u64 {
        let remaining = remaining.min(self.lending);
        if remaining <= self.slice.branches || DEBUGGER.load(Ordering::Relaxed) == NONE {
            return remaining;
        }
        self.slice.begun = sys::monotonic_nanoseconds();
        self.slice.branches
    }

    /// Returns whether a thread is to be stopped that has used up what it was lent, since a debugger wants something.
    pub fn is_interrupted(&mut self, lent: u64) -> bool {
        if lent == self.slice.branches {
            self.slice.fit(sys::monotonic_nanoseconds().saturating_sub(self.slice.begun));
        }
        lent >= LEAST && is_to_be_heard()
    }

    /// Brings a thread in the cache's exit whose registers shall be these to a stop that looks like that of a single
    /// step. Returns the stop that rr sees.
    pub fn trap_at_exit(&mut self, tid: i32, registers: &UserRegs) -> Result<SigInfo, Errno> {
        let (mut stop, is_ours) = self.stop_at_exit(tid, registers)?;
        if !is_ours {
            return Ok(stop);
        }
        let mut trap = SigInfo::zero();
        trap.signo = sys::SIGTRAP;
        trap.code = TRAP_TRACE;
        sys::set_signal_info(tid, &trap)?;
        sys::poke_user(tid, sys::USER_DR6, sys::peek_user(tid, sys::USER_DR6)? | DR6_STEP)?;
        // It is for rr.
        self.tracee(tid).unstepped = true;
        stop.word1 = sys::SIGTRAP;
        Ok(stop)
    }
}
