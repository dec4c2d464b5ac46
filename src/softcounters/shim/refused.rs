//! System calls that rr does not know, answered as by a kernel that does not have them.
//!
//! rr lets the kernel carry out such a call, and gives up if the kernel knows it: nothing tells rr what the call has
//! written. `ENOSYS` it records and replays like any other result. So the number in the tracee's registers is one that
//! no kernel has while the kernel looks at it, and rr sees the registers with the program's number at the next stop.

use super::log::log;
use super::state::State;
use super::sys;

/// The variable in a recording rr's environment that has the numbers of the calls, separated by commas.
pub const VARIABLE: &str = "RETROGRADE_SOFT_REFUSED";

/// A number that no kernel carries out.
const NO_CALL: u64 = u64::MAX;

impl State {
    /// Keeps the kernel from carrying out the system call of this number that `tid` is about to make.
    pub fn refuse_call(&mut self, tid: i32, number: u64) {
        // An error means that the thread is gone, which rr will notice.
        if sys::poke_user(tid, sys::USER_ORIG_RAX, NO_CALL).is_ok() {
            log!(1, "{tid}: system call {number} is refused");
            let tracee = self.tracee(tid);
            tracee.refused = Some(number);
            tracee.seen = None;
        }
    }

    /// Shows rr the number of the program's call again, at the stop behind it.
    pub fn show_refused_call(&mut self, tid: i32) {
        if let Some(number) = self.tracee(tid).refused.take() {
            // An error means that the thread is gone.
            let _ = sys::poke_user(tid, sys::USER_ORIG_RAX, number);
        }
    }
}
