//! Memory.

use crate::mcp::reply::address;
use engine::model::MemoryBlock;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Result of `rr_read_memory`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct MemoryView {
    /// As it was asked for.
    pub(crate) address: String,
    /// As it was asked for.
    pub(crate) count: u64,
    /// Lower-case hex, no prefix.
    pub(crate) contents: String,
    /// Address of the first byte.
    pub(crate) start: String,
    pub(crate) truncated: Option<String>,
    #[serde(skip)]
    block: MemoryBlock,
}

impl MemoryView {
    /// Creates the view of what was read when `address` and `count` were asked for.
    pub(crate) fn new(asked: String, count: u64, block: MemoryBlock) -> Self {
        let (contents, truncated) = (Hex(&block.bytes).to_string(), block.truncated.clone());
        Self { address: asked, count, contents, start: address(block.address), truncated, block }
    }
}

/// Two digits a byte.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Up to so many bytes are shown with spaces and as characters.
const DUMPED: usize = 1024;

impl fmt::Display for MemoryView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemoryBlock { address: start, bytes, .. } = &self.block;
        let (width, dump) = if bytes.len() <= DUMPED { (16_usize, true) } else { (64, false) };
        if bytes.is_empty() {
            write!(f, "nothing could be read at {}", self.start)?;
        }
        for (row, chunk) in bytes.chunks(width).enumerate() {
            if row > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{:#018x}:", start.0.wrapping_add((row * width) as u64))?;
            if dump {
                chunk.iter().try_for_each(|byte| write!(f, " {byte:02x}"))?;
                let printable = |byte: &u8| {
                    if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '.' }
                };
                let text: String = chunk.iter().map(printable).collect();
                write!(f, "{:pad$}  {text}", "", pad = (width - chunk.len()) * 3)?;
            } else {
                write!(f, " {}", Hex(chunk))?;
            }
        }
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        Ok(())
    }
}
