//! A program for tests: some bytes of code.

use super::{MAX_INSTRUCTION, Program, RunAddr};

/// Where the code is.
pub(super) const CODE: u64 = 0x1000;

pub(super) struct Bytes<'c>(pub(super) &'c [u8]);

impl Program for Bytes<'_> {
    fn code(&mut self, at: RunAddr) -> Vec<u8> {
        let start = at.0.checked_sub(CODE).and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
        self.0.get(start..).map(|rest| rest.iter().copied().take(MAX_INSTRUCTION).collect()).unwrap_or_default()
    }

    fn word(&mut self, _address: u64) -> Option<u64> {
        None
    }

    fn is_return_address(&mut self, _address: u64) -> bool {
        false
    }
}
