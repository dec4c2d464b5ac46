//! Getting out of the way of a program that wants a mapping where the cache is.
//!
//! `MAP_FIXED_NOREPLACE` fails where anything is mapped, and the program does not know of the region. If nothing else is
//! there, the kernel is asked to replace what is there; the region is given up as for any call that maps over it, and
//! the threads of the address space are stepped from then on.

use std::ops::Range;

use super::cache::layout::{REGION, SIZE};
use super::log::log;
use super::memory;
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
        if let Some(flags) = self.tracee(tid).flags_of_mapping.take()
        {
            // An error means that the thread is gone.
            let _ = sys::poke_user(tid, USER_R10, flags);
        }
    }
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Returns whether nothing is mapped in a range but in the region's place. `maps` is the content of `/proc/PID/maps`.
fn is_ours_alone(range: &Range<u64>, maps: &[u8]) -> bool {
    let mapped = |line: &[u8]| {
        let (start, end) = std::str::from_utf8(line.split(|&byte| byte == b' ').next()?).ok()?.split_once('-')?;
        Some(u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?)
    };
    let is_ours = |mapped: &Range<u64>| REGION <= mapped.start && mapped.end <= REGION + SIZE;
    let mut lines = maps.split(|&byte| byte == b'\n').filter_map(mapped);
    lines.all(|mapped| is_ours(&mapped) || !overlap(&mapped, range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_region_gives_way() {
        let page = 0x1000;
        let maps = |other: u64| {
            format!("{REGION:x}-{:x} rwxp 0 0 0\n{other:x}-{:x} rw-p 0 0 0 /x\n", REGION + SIZE, other + page)
        };
        let wanted = REGION - page..REGION + page;
        assert!(is_ours_alone(&wanted, maps(REGION - 2 * page).as_bytes()));
        assert!(is_ours_alone(&wanted, maps(REGION + SIZE).as_bytes()));
        assert!(!is_ours_alone(&wanted, maps(REGION - page).as_bytes()));
        assert!(is_ours_alone(&(0x1000..0x2000), b""));
    }
}
