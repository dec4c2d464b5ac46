//! How many branches are lent to a thread at once while a debugger is connected: so many that looking at the connection
//! costs next to nothing, and so few that the debugger does not wait.

/// The fewest: more than two skids of any processor that rr knows.
pub const LEAST: u64 = 1 << 16;
/// How many are lent first, a millisecond of a tight loop.
const FIRST: u64 = 1 << 20;
/// More than any processor executes in the time between two looks.
const MOST: u64 = 1 << 36;

/// What the time between two looks, in nanoseconds, is kept between: an exit costs a thousandth of the first.
const SHORT: u64 = 20_000_000;
const LONG: u64 = 100_000_000;

/// How many branches are lent at once.
pub struct Slice {
    pub branches: u64,
    /// When the last one was begun, in nanoseconds of the monotonic clock.
    pub begun: u64,
}

impl Slice {
    pub const fn new() -> Slice {
        Slice { branches: FIRST, begun: 0 }
    }

    /// Fits the next one to how long the last one took.
    pub fn fit(&mut self, took: u64) {
        self.branches = match took {
            0..SHORT => (self.branches * 2).min(MOST),
            SHORT..=LONG => self.branches,
            _ => (self.branches / 2).max(LEAST),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_two_looks_becomes_neither_short_nor_long() {
        // Nanoseconds that a branch takes.
        for branch in [1, 50, 1000] {
            let mut slice = Slice::new();
            for _ in 0..40 {
                slice.fit(slice.branches * branch);
            }
            assert!((SHORT..=LONG).contains(&(slice.branches * branch)), "{branch}: {}", slice.branches);
        }
    }

    #[test]
    fn there_is_a_least_and_a_most() {
        let mut slice = Slice::new();
        for _ in 0..40 {
            slice.fit(u64::MAX);
        }
        assert_eq!(slice.branches, LEAST);
        for _ in 0..40 {
            slice.fit(0);
        }
        assert_eq!(slice.branches, MOST);
    }
}
