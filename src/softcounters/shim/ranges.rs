//! Whether what is mapped leaves a range to a program that wants it.

use std::ops::Range;

use super::cache::layout::{REGION, SIZE};

/// Returns whether two ranges have an address in common.
pub fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Returns whether nothing is mapped in a range but in the region's place. `maps` is the content of `/proc/PID/maps`.
pub fn is_ours_alone(range: &Range<u64>, maps: &[u8]) -> bool {
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
