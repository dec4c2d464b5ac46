//! The region of an address space: making it, and its fixed content.

use super::change;
use super::layout::{BUFFER, CALLS, CODE, COMMON_EXIT, DISPATCHER, MAGIC, REGION, RETURNED, SIZE, TABLE, slot};
use super::stubs;
use crate::inject::{self, Failure};
use crate::memory;
use crate::sys::{
    Errno, MAP_ANONYMOUS, MAP_FIXED_NOREPLACE, MAP_NORESERVE, MAP_PRIVATE, PROT_READ_WRITE_EXECUTE, SYS_MMAP, UserRegs,
};

/// Says that a region was made by this object.
const MAGIC_NUMBER: u64 = u64::from_le_bytes(*b"softcnt1");

const SLOTS: usize = ((slot::BUFFER_AT - slot::COUNT) / 8 + 1) as usize;

/// The slots, as they were when the tracee stopped.
pub struct Slots([u64; SLOTS]);

impl Slots {
    /// Reads all slots.
    pub fn read(tid: i32) -> Result<Slots, Errno> {
        let mut bytes = [0u8; SLOTS * 8];
        memory::read_exactly(tid, REGION + slot::COUNT, &mut bytes)?;
        let mut slots = [0; SLOTS];
        for (slot, bytes) in slots.iter_mut().zip(bytes.chunks_exact(8)) {
            *slot = bytes.try_into().map_or(0, u64::from_le_bytes);
        }
        Ok(Slots(slots))
    }

    /// Reads the slot at this offset of the region.
    pub fn get(&self, offset: u64) -> u64 {
        self.0.get(((offset - slot::COUNT) / 8) as usize).copied().unwrap_or(0)
    }
}

/// Returns whether the address space of `tid` has a region of ours, from a fork perhaps.
pub fn is_there(tid: i32) -> bool {
    let mut magic = [0; 8];
    memory::read_exactly(tid, REGION + MAGIC, &mut magic).is_ok() && u64::from_le_bytes(magic) == MAGIC_NUMBER
}

/// Returns the same, and how many bytes of the code at `address` can be read and were.
pub fn is_there_with(tid: i32, address: u64, code: &mut [u8]) -> Option<usize> {
    let mut magic = [0; 8];
    let read = memory::read_pieces(tid, &mut [(REGION + MAGIC, &mut magic), (address, code)]).ok()?;
    let rest = read.checked_sub(magic.len())?;
    (u64::from_le_bytes(magic) == MAGIC_NUMBER).then_some(rest)
}

/// Maps a region in `tid`; false if the kernel refuses.
pub fn map(tid: i32, registers: &UserRegs) -> Result<bool, Failure> {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    let arguments = [REGION, SIZE, PROT_READ_WRITE_EXECUTE, flags, u64::MAX, 0];
    let result = inject::system_call(tid, registers, SYS_MMAP, arguments)?;
    Ok(result as u64 == REGION)
}

/// Writes what every region contains.
pub fn initialise(tid: i32) -> Result<(), Errno> {
    memory::write(
        tid,
        &[
            (REGION + MAGIC, &MAGIC_NUMBER.to_le_bytes()),
            (REGION + DISPATCHER, &stubs::dispatcher()),
            (REGION + COMMON_EXIT, &stubs::common_exit()),
            (REGION + RETURNED, &stubs::returned()),
            (REGION + CALLS, &change::calls()),
            (REGION + slot::BUFFER_AT, &(REGION + BUFFER).to_le_bytes()),
        ],
    )
}

/// Empties the table of indirect branch targets, and takes back all marks.
pub fn clear(tid: i32) -> Result<(), Errno> {
    memory::write(tid, &[(REGION + TABLE, &vec![0; (CODE - TABLE) as usize])])
}
