//! What a system call writes to a file that is memory (`/proc/PID/mem`).

use std::ops::Range;

use super::memory;
use super::sys::{IoVec, SYS_PWRITE64, SYS_PWRITEV, SYS_PWRITEV2, SYS_WRITE, SYS_WRITEV, UserRegs};

/// The most that one call writes (`MAX_RW_COUNT`).
const MOST: u64 = 0x7fff_f000;
/// Pieces that one call takes (`UIO_MAXIOV`).
const PIECES: u64 = 1024;

/// How a system call says what it writes to a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The third argument is a number of pieces, not of bytes.
    in_pieces: bool,
    /// The fourth argument says where, if it is no negative number.
    is_placed: bool,
}

impl Call {
    /// Returns the system call of this number, if it writes.
    pub fn of(number: i64) -> Option<Call> {
        let (in_pieces, is_placed) = match number {
            SYS_WRITE => (false, false),
            SYS_PWRITE64 => (false, true),
            SYS_WRITEV => (true, false),
            SYS_PWRITEV | SYS_PWRITEV2 => (true, true),
            _ => return None,
        };
        Some(Call { in_pieces, is_placed })
    }

    /// Returns the addresses that the thread writes to at most if what it writes to is memory. `position` tells where
    /// it has come to.
    pub fn range(self, tid: i32, registers: &UserRegs, position: impl Fn() -> Option<u64>) -> Option<Range<u64>> {
        let start = if self.is_placed && (registers.r10 as i64) >= 0 { registers.r10 } else { position()? };
        let length = if self.in_pieces { total(tid, registers.rsi, registers.rdx) } else { registers.rdx };
        Some(start..start.saturating_add(length.min(MOST)))
    }
}

/// Returns the length of all pieces of this list.
fn total(tid: i32, list: u64, count: u64) -> u64 {
    let mut pieces = vec![0; count.min(PIECES) as usize * size_of::<IoVec>()];
    let read = memory::read_up_to(tid, list, &mut pieces);
    let lengths = pieces[..read].chunks_exact(size_of::<IoVec>()).filter_map(|piece| piece.last_chunk());
    lengths.fold(0, |total, &length| total.saturating_add(u64::from_le_bytes(length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_call_writes() {
        let here = memory::this_process();
        let mut pieces = [[0u64, 3], [0, 5], [0, 100]];
        let list = pieces.as_mut_ptr() as u64;
        let registers = |rsi, rdx, r10: i64| UserRegs { rsi, rdx, r10: r10 as u64, ..UserRegs::default() };
        let range = |number, registers| Call::of(number).unwrap().range(here, &registers, || Some(0x1000));
        assert_eq!(range(SYS_WRITE, registers(list, 7, 0x5000)), Some(0x1000..0x1007));
        assert_eq!(range(SYS_PWRITE64, registers(list, 7, 0x5000)), Some(0x5000..0x5007));
        assert_eq!(range(SYS_WRITEV, registers(list, 2, 0x5000)), Some(0x1000..0x1008));
        assert_eq!(range(SYS_PWRITEV, registers(list, 3, 0x5000)), Some(0x5000..0x506c));
        assert_eq!(range(SYS_PWRITEV2, registers(list, 3, -1)), Some(0x1000..0x106c));
        assert_eq!(range(SYS_WRITE, registers(list, u64::MAX, 0)), Some(0x1000..0x1000 + MOST));
        assert_eq!(range(SYS_WRITEV, registers(0, u64::MAX, 0)), Some(0x1000..0x1000));
        assert_eq!(Call::of(0), None);
    }
}
