//! Whose memory something is, as JSON and as text.

use crate::mcp::reply::address;
use arch::RunAddr;
use base::qualified::QualifiedName;
use questions::{Heap, HeapBlock, HeapCall, Source};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Most callers of an allocation or a free.
const CALLERS: usize = 3;

/// A call that allocated or freed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HeapCallView {
    /// For rr_goto: before the call.
    pub(crate) position: Option<String>,
    pub(crate) function: String,
    pub(crate) tid: u32,
    /// The innermost of the program's own functions first: `drop_node at list.c:12`.
    pub(crate) callers: Vec<String>,
    /// It has not returned yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) under_way: bool,
}

impl From<&HeapCall> for HeapCallView {
    fn from(call: &HeapCall) -> Self {
        Self {
            position: call.at.position().map(|position| position.to_string()),
            function: call.function.clone(),
            tid: call.at.tid,
            callers: call.callers.shown(CALLERS).into_iter().map(Source::to_string).collect(),
            under_way: !call.is_over,
        }
    }
}

impl fmt::Display for HeapCallView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let callers: Vec<String> = self.callers.iter().map(|caller| without_parameters(caller)).collect();
        write!(f, "{} in {}", without_parameters(&self.function), callers.join(" <- "))?;
        if self.under_way {
            f.write_str(", which has not returned")?;
        }
        match &self.position {
            Some(position) => write!(f, "\n    thread {}, position {position}", self.tid),
            None => Ok(()),
        }
    }
}

/// Returns a function, with where in it if that is behind it, without the parameters: the line tells overloads apart.
fn without_parameters(text: &str) -> String {
    match text.rsplit_once(" at ") {
        Some((function, place)) => format!("{} at {place}", QualifiedName::split(function).path()),
        None => QualifiedName::split(text).path().to_owned(),
    }
}

/// A block.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HeapBlockView {
    pub(crate) base: String,
    /// Bytes that were asked for.
    pub(crate) size: u64,
    pub(crate) allocated: Option<HeapCallView>,
    /// `null`: it was not freed before this moment.
    pub(crate) freed: Option<HeapCallView>,
}

impl From<&HeapBlock> for HeapBlockView {
    fn from(block: &HeapBlock) -> Self {
        Self {
            base: address(RunAddr(block.base)),
            size: block.size,
            allocated: block.made.as_ref().map(Into::into),
            freed: block.freed.as_ref().map(Into::into),
        }
    }
}

impl fmt::Display for HeapBlockView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(call) = &self.allocated {
            write!(f, "\n  allocated by {call}")?;
        }
        match &self.freed {
            Some(call) => write!(f, "\n  freed by {call}"),
            None => Ok(()),
        }
    }
}

/// Result of `rr_heap`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HeapView {
    pub(crate) expression: String,
    pub(crate) address: String,
    /// `allocated`; `freed`; `behind`: no block holds it, this one ends before it; `none`.
    pub(crate) state: String,
    /// Bytes from the block's beginning.
    pub(crate) offset: Option<u64>,
    pub(crate) block: Option<HeapBlockView>,
    /// The block that was freed already was freed again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) freed_again: Option<HeapCallView>,
    /// The block that is there now, if `block` is the one that was there when the pointer was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) there_now: Option<HeapBlockView>,
    /// How many other blocks held the address before.
    #[serde(skip_serializing_if = "crate::mcp::reply::is_default")]
    #[schemars(default)]
    pub(crate) others: u64,
    /// The last of these, where it is not known when the pointer was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) earlier: Option<HeapBlockView>,
    /// Allocations in the whole recording.
    #[serde(skip_serializing_if = "crate::mcp::reply::is_default")]
    #[schemars(default)]
    pub(crate) allocations: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl HeapView {
    pub(crate) fn new(expression: String, heap: &Heap) -> Self {
        let state = match &heap.block {
            None => "none",
            Some(_) if heap.behind().is_some() => "behind",
            Some(HeapBlock { freed: Some(_), .. }) => "freed",
            Some(_) => "allocated",
        };
        let is_at = |note: &&String| heap.facts.is_truncated || note.contains("missing");
        Self {
            expression,
            address: address(RunAddr(heap.address)),
            state: state.to_owned(),
            offset: heap.block.as_ref().and_then(|block| heap.address.checked_sub(block.base)),
            block: heap.block.as_ref().map(Into::into),
            freed_again: heap.again.as_ref().map(Into::into),
            there_now: heap.holder.as_ref().map(Into::into),
            others: heap.lives.saturating_sub(1) as u64,
            earlier: heap.before.as_ref().map(Into::into),
            allocations: heap.allocations,
            notes: heap.facts.notes.iter().filter(is_at).cloned().collect(),
        }
    }
}

impl fmt::Display for HeapView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: ", self.expression, self.address)?;
        match (&self.block, self.offset) {
            (Some(block), Some(offset)) => {
                let HeapBlockView { base, size, .. } = block;
                match self.state.as_str() {
                    "behind" => {
                        let behind = offset.saturating_sub(*size);
                        write!(f, "in no block; {behind} bytes behind the end of one of {size} bytes at {base}")?;
                    }
                    "freed" if offset == 0 => write!(f, "a block of {size} bytes that is freed")?,
                    "freed" => write!(f, "{offset} bytes into a block of {size} bytes at {base} that is freed")?,
                    _ if offset == 0 => write!(f, "a block of {size} bytes")?,
                    _ => write!(f, "{offset} bytes into a block of {size} bytes at {base}")?,
                }
                write!(f, "{block}")?;
            }
            _ => write!(f, "in no block that was allocated ({} allocations)", self.allocations)?,
        }
        if let Some(call) = &self.freed_again {
            write!(f, "\n  freed again by {call}")?;
        }
        for (title, block) in [("there now", &self.there_now), ("before that", &self.earlier)] {
            if let Some(block) = block {
                write!(f, "\n{title}: a block of {} bytes at {}{block}", block.size, block.base)?;
            }
        }
        if self.others > 1 {
            write!(f, "\nother blocks that were there: {}", self.others)?;
        }
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}
