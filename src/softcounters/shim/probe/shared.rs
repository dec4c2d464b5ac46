//! The buffer of entries in memory that rr has, too: what is told there need not be copied.
//!
//! Copying millions of entries out of the program takes longer than packing them. So the end of each region is a segment
//! of shared memory, the same one everywhere. One is enough: in a replay one thread runs at a time, and whenever one stops
//! what it has told is taken. Where there is no such memory, entries are copied.

use crate::cache::layout::{BUFFER, REGION, SIZE};
use crate::inject::{self, Failure};
use crate::memory;
use crate::sys::{
    self, IPC_PRIVATE, IPC_RMID, MAP_ANONYMOUS, MAP_FIXED, MAP_PRIVATE, PROT_READ_WRITE, SHM_REMAP, SYS_MMAP,
    SYS_SHMAT, SYS_SHMCTL, SYS_SHMGET, UserRegs, raw,
};

/// Only for the user.
const MODE: i64 = 0o600;

const START: u64 = REGION + BUFFER;
const LENGTH: usize = (SIZE - BUFFER) as usize;

/// A segment, as this process has it; until it ends.
#[derive(Debug)]
pub struct Shared {
    id: i64,
    /// Where.
    at: usize,
}

impl Shared {
    /// Makes one, which is gone with the last process that has it.
    pub fn new() -> Option<Shared> {
        // SAFETY: makes a segment, and maps it where nothing is.
        let (id, at) = unsafe {
            let id = sys::checked(raw(SYS_SHMGET, IPC_PRIVATE, LENGTH as i64, MODE, 0, 0, 0)).ok()?;
            let at = sys::checked(raw(SYS_SHMAT, id, 0, 0, 0, 0, 0));
            // It can be mapped as long as somebody has it.
            raw(SYS_SHMCTL, id, IPC_RMID, 0, 0, 0, 0);
            (id, at.ok()?)
        };
        Some(Shared { id, at: at as usize })
    }

    /// Returns so many bytes from the beginning. Nobody writes to them while the program stands.
    pub fn bytes(&self, length: usize) -> &[u8] {
        // SAFETY: as many are mapped, and stay so.
        unsafe { std::slice::from_raw_parts(self.at as *const u8, length.min(LENGTH)) }
    }

    /// Makes it the buffer of the region of `tid`. Says whether it is.
    pub fn attach(&self, tid: i32, registers: &UserRegs) -> Result<bool, Failure> {
        let arguments = [self.id as u64, START, SHM_REMAP, 0, 0, 0];
        if inject::system_call(tid, registers, SYS_SHMAT, arguments)? as u64 != START {
            return Ok(false);
        }
        // Where segments have other numbers it is another one.
        let mark = (self as *const Shared as u64 ^ tid as u64).to_le_bytes();
        // SAFETY: so many bytes are mapped, and nobody looks at them.
        unsafe { std::ptr::copy_nonoverlapping(mark.as_ptr(), self.at as *mut u8, mark.len()) };
        let mut found = [0; 8];
        let is_it = memory::read_exactly(tid, START, &mut found).is_ok() && found == mark;
        if !is_it {
            let flags = MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS;
            let arguments = [START, LENGTH as u64, PROT_READ_WRITE, flags, u64::MAX, 0];
            inject::system_call(tid, registers, SYS_MMAP, arguments)?;
        }
        Ok(is_it)
    }
}
