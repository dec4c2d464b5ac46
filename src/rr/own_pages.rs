//! Where rr maps pages of its own in each process.

/// The page that takes the vdso's place, what its library keeps of each thread, and what lies between.
const PAGES: std::ops::Range<u64> = 0x6fff_d000..0x7000_3000;

/// Returns whether an address is of a page of rr's own, which is in each process that it replays. No file tells of them.
pub fn is_own_page(address: u64) -> bool {
    PAGES.contains(&address)
}

#[cfg(test)]
mod tests {
    use super::is_own_page;

    #[test]
    fn pages_that_no_file_tells_of_are_known_by_their_addresses() {
        for own in [0x6fff_d000, 0x6fff_f018, 0x7000_0006, 0x7000_2fff] {
            assert!(is_own_page(own), "{own:#x}");
        }
        for other in [0x40_1000, 0x6fff_cfff, 0x7000_3000, 0x7fff_f000] {
            assert!(!is_own_page(other), "{other:#x}");
        }
    }
}
