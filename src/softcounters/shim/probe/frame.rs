//! Where the frame of a signal ends.
//!
//! rr 5.x saves and writes as much as the largest frame of the processor would take (1152 bytes and the size of XSAVE's
//! area, CPUID leaf 0xD): with AMX, 8 KiB more than the kernel writes. What is behind the frame is the program's, and
//! nothing is written there.

use std::ops::Range;

/// Offset of the pointer to the floating-point state in `struct rt_sigframe` of x86-64: behind the return address, the
/// first three fields of `struct ucontext` and the registers of `struct sigcontext`.
const STATE: usize = 8 + 40 + 184;
/// Offset of `struct _fpx_sw_bytes` in the floating-point state.
const SOFTWARE: u64 = 464;
/// `FP_XSTATE_MAGIC1`: the state is an extended one, whose size follows.
const MAGIC: u32 = 0x4650_5853;
/// Bytes from the start of a frame that have to be there.
pub const LEAST: usize = STATE + 8;

/// Returns where the frame at `range.start` ends, given how to read memory: behind its floating-point state. `None` if
/// what is there is no frame with an extended state that lies in the range.
pub fn end(range: &Range<u64>, read: impl Fn(Range<u64>) -> Option<Vec<u8>>) -> Option<u64> {
    let length = range.end.checked_sub(range.start)?;
    if length < LEAST as u64 {
        return None;
    }
    let pointer = read(range.start + STATE as u64..range.start + LEAST as u64)?;
    let state = u64::from_le_bytes(*pointer.first_chunk()?);
    let software = state.checked_add(SOFTWARE)?;
    if state % 64 != 0 || state < range.start || software.checked_add(8)? > range.end {
        return None;
    }
    let software = read(software..software + 8)?;
    let magic = u32::from_le_bytes(*software.first_chunk()?);
    let size = u32::from_le_bytes(*software.last_chunk()?);
    let end = state.checked_add(u64::from(size))?;
    (magic == MAGIC && end <= range.end).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 0x7000;

    fn frame(state: u64, magic: u32, size: u32) -> Vec<u8> {
        let mut bytes = vec![0; 4096];
        bytes[STATE..STATE + 8].copy_from_slice(&state.to_le_bytes());
        let software = (state.wrapping_sub(START).wrapping_add(SOFTWARE) as usize).min(4000);
        bytes[software..software + 4].copy_from_slice(&magic.to_le_bytes());
        bytes[software + 4..software + 8].copy_from_slice(&size.to_le_bytes());
        bytes
    }

    fn end_of(bytes: &[u8]) -> Option<u64> {
        end(&(START..START + bytes.len() as u64), |range| {
            bytes.get((range.start - START) as usize..(range.end - START) as usize).map(<[u8]>::to_vec)
        })
    }

    #[test]
    fn a_frame_ends_behind_its_state() {
        assert_eq!(end_of(&frame(START + 512, MAGIC, 2440)), Some(START + 512 + 2440));
    }

    #[test]
    fn what_looks_otherwise_is_no_frame() {
        assert_eq!(end_of(&frame(START + 512, MAGIC + 1, 2440)), None);
        assert_eq!(end_of(&frame(START + 512, MAGIC, 4000)), None);
        assert_eq!(end_of(&frame(START + 520, MAGIC, 2440)), None);
        assert_eq!(end_of(&frame(START - 64, MAGIC, 2440)), None);
        assert_eq!(end_of(&frame(!63, MAGIC, 2440)), None);
        assert_eq!(end_of(&[0; LEAST - 1]), None);
        assert_eq!(end_of(&[0; 600]), None);
    }
}
