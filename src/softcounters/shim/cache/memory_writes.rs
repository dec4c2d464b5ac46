//! Writes by a program to a file of `/proc` that is memory, which no protection of pages keeps from code.

use crate::memory;
use crate::memory_calls::Call;
use crate::state::State;
use crate::sys::UserRegs;

impl State {
    /// Notes that the tracee is about to make this call.
    pub fn note_store(&mut self, tid: i32, call: Call, registers: &UserRegs) {
        let descriptor = registers.rdi as i32;
        let Some(owner) = memory::owner_of_memory_in(tid, descriptor) else { return };
        let position = || memory::position_in(tid, descriptor);
        let Some(range) = call.range(tid, registers, position).filter(|range| !range.is_empty()) else { return };
        self.note_write(owner, range.clone(), &[]);
        self.tracee(tid).storing.push((owner, range));
    }

    /// Notes that the tracee has been stopped again after that.
    pub fn note_stored(&mut self, tid: i32) {
        for (owner, range) in std::mem::take(&mut self.tracee(tid).storing) {
            self.note_write(owner, range, &[]);
        }
    }
}
