//! Getting out of the way of a program that wants a mapping where the cache is.
//!
//! `MAP_FIXED_NOREPLACE` fails where anything is mapped, and the program does not know of the region. If nothing else is
//! there, the kernel is asked to replace what is there; the region is given up as for any call that maps over it, and
//! the threads of the address space are stepped from then on.

use super::cache::layout::{REGION, SIZE};
use super::log::log;
use super::memory;
use super::ranges::{is_ours_alone, overlap};
use super::state::State;
use super::sys::{self, MAP_FIXED, MAP_FIXED_NOREPLACE, USER_R10, UserRegs};

impl State {
    /// Lets the `mmap` that `tid` is about to make with these registers have the place of the region, if it asks for
    /// that. They are changed like the tracee's.
    pub fn make_way(&mut self, tid: i32, registers: &mut UserRegs) {
        let wanted = registers.rdi..registers.rdi.saturating_add(registers.rsi);
        if registers.r10 & MAP_FIXED_NOREPLACE == 0 || !overlap(&wanted, &(REGION..REGION + SIZE)) {
            return;
        }
        let Some(space) = self.known_space_of(tid).and_then(|id| self.spaces.get(id)) else { return };
        let is_given = space.given.iter().any(|given| overlap(&wanted, given));
        if is_given || !is_ours_alone(&wanted, &memory::read_file(&format!("/proc/{tid}/maps"))) {
            return;
        }
        log!(1, "{tid}: {wanted:x?} is wanted; the region gives way");
        let flags = registers.r10 & !MAP_FIXED_NOREPLACE | MAP_FIXED;
        // An error means that the thread is gone, which rr will notice.
        if sys::poke_user(tid, USER_R10, flags).is_ok() {
            let tracee = self.tracee(tid);
            tracee.flags_of_mapping = Some(registers.r10);
            tracee.seen = None;
            registers.r10 = flags;
        }
    }

    /// Shows rr the program's own flags again, at the stop behind the call.
    pub fn show_own_flags(&mut self, tid: i32) {
        if let Some(flags) = self.tracee(tid).flags_of_mapping.take() {
            // An error means that the thread is gone.
            let _ = sys::poke_user(tid, USER_R10, flags);
        }
    }
}
