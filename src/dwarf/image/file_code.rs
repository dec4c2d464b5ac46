//! An image's code as its file has it, for what reads code; rr patches memory.

use super::facade::Image;
use arch::{LinkAddr, MAX_INSTRUCTION, Program, RunAddr};

/// The code of an image's file, at the addresses that it is linked at. Without memory.
pub struct FileCode<'a>(pub &'a Image);

impl Program for FileCode<'_> {
    fn code(&mut self, at: RunAddr) -> Vec<u8> {
        let bytes = (1..=MAX_INSTRUCTION).rev().find_map(|length| self.0.file_bytes(LinkAddr(at.0), length));
        bytes.map(<[u8]>::to_vec).unwrap_or_default()
    }

    fn word(&mut self, _address: u64) -> Option<u64> {
        None
    }

    fn is_return_address(&mut self, _address: u64) -> bool {
        false
    }
}
