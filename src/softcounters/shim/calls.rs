//! System calls that the kernel does not get as the program makes them, though rr sees them so.

use super::state::State;
use super::sys::{self, SECCOMP_STOP, SYSCALL_STOP, SyscallStop};

impl State {
    /// Changes the system call that `tid` is about to make if it is resumed now, where that is needed.
    pub fn before_call(&mut self, tid: i32) {
        let Some(tracee) = self.known(tid) else { return };
        let (last_stop, has_space) = (tracee.last_stop, tracee.space.is_some());
        if last_stop != SYSCALL_STOP && last_stop != SECCOMP_STOP || self.refused.is_empty() && !has_space {
            return;
        }
        // Errors mean that the thread is gone, which rr will notice.
        let Ok(number) = sys::peek_user(tid, sys::USER_ORIG_RAX) else { return };
        let is_entry = || last_stop == SECCOMP_STOP || sys::syscall_stop(tid) == Ok(SyscallStop::Entry);
        if self.refused.contains(&number) {
            if is_entry() {
                self.refuse_call(tid, number);
            }
        } else if number == sys::SYS_MMAP as u64 && has_space && is_entry() {
            if let Ok(mut registers) = sys::registers(tid) {
                self.make_way(tid, &mut registers);
            }
        }
    }

    /// Shows rr what the program has asked for, at the stop behind the call.
    pub fn after_call(&mut self, tid: i32) {
        if self.known(tid).is_some_and(|tracee| tracee.refused.is_some() || tracee.flags_of_mapping.is_some()) {
            self.show_refused_call(tid);
            self.show_own_flags(tid);
        }
    }
}
