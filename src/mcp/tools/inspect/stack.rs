//! A stack, page by page, with its recursions folded.

use crate::mcp::reply::{FrameView, lines};
use engine::Engine;
use engine::model::{Fold, Frame, StackShape};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Most text in one answer, in bytes.
const MAX_TEXT: usize = 40_000;
/// Frames that are looked at at once.
const CHUNK: u32 = 200;

/// Frames of a recursion that are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FoldView {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) functions: Vec<String>,
}

impl fmt::Display for FoldView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = grouped(self.to.saturating_sub(self.from).saturating_add(1));
        write!(f, "… {count} frames of {} (#{} to #{})", self.functions.join(", "), self.from, self.to)
    }
}

/// Writes a number with commas: `26,632`.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// Result of `rr_backtrace`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BacktraceView {
    pub(crate) result: Vec<FrameView>,
    /// Frames of recursions that are not in `result`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) folded: Vec<FoldView>,
    /// How many frames there are in all, if not all of them are here.
    pub(crate) depth: Option<u32>,
    pub(crate) truncated: Option<String>,
}

/// What of a stack is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    /// The first frame.
    pub(crate) from: u32,
    /// How many; 0: all.
    pub(crate) most: u32,
    /// Whether arguments are shown.
    pub(crate) args: bool,
}

impl Page {
    /// Reads the page of the stack of the selected thread. Recursions are folded from the innermost frame on, unless all
    /// frames are asked for.
    pub(crate) fn read(self, engine: &mut Engine) -> Result<BacktraceView, engine::Error> {
        let most = if self.most == 0 { u32::MAX } else { self.most };
        let first = engine.backtrace(self.from, most.min(CHUNK), self.args)?;
        match first.truncated {
            None => Ok(BacktraceView::of(first.frames)),
            Some(_) => self.read_part(engine, most),
        }
    }

    fn read_part(self, engine: &mut Engine, most: u32) -> Result<BacktraceView, engine::Error> {
        let StackShape { depth, folds, broken } = engine.stack_shape()?;
        let folds = if self.from == 0 && self.most != 0 { folds } else { Vec::new() };
        let mut view = BacktraceView::of([]);
        let (mut at, mut left, mut room) = (self.from, most, MAX_TEXT);
        for fold in folds.into_iter().map(Some).chain([None]) {
            let end = fold.as_ref().map_or(depth, |fold| fold.from);
            while at < end && left != 0 {
                let found = engine.backtrace(at, (end - at).min(left).min(CHUNK), self.args)?.frames;
                let (count, added) = (number(found.len()), view.add(found, &mut room));
                at = at.saturating_add(added);
                left = if added < count || count == 0 { 0 } else { left - added };
            }
            match fold {
                Some(fold) if at == end => {
                    at = fold.to.saturating_add(1);
                    view.folded.push(fold.into());
                }
                _ => break,
            }
        }
        view.truncated = match at < depth {
            true => Some(format!("more frames follow, of {} in all; for the next ones: from={at}", grouped(depth))),
            false => broken,
        };
        view.depth = (number(view.result.len()) < depth).then_some(depth);
        Ok(view)
    }
}

impl BacktraceView {
    /// Creates the view of a stack that is told as a whole.
    pub(crate) fn of(frames: impl IntoIterator<Item = Frame>) -> Self {
        let result = frames.into_iter().map(FrameView::from).collect();
        Self { result, folded: Vec::new(), depth: None, truncated: None }
    }

    /// Adds frames as long as there is room for them, and returns how many.
    fn add(&mut self, frames: Vec<Frame>, room: &mut usize) -> u32 {
        let before = self.result.len();
        for frame in frames.into_iter().map(FrameView::from) {
            let length = frame.to_string().len() + 1;
            if length > *room && !self.result.is_empty() {
                break;
            }
            *room = room.saturating_sub(length);
            self.result.push(frame);
        }
        number(self.result.len() - before)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl From<Fold> for FoldView {
    fn from(fold: Fold) -> Self {
        Self { from: fold.from, to: fold.to, functions: fold.functions }
    }
}

impl fmt::Display for BacktraceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut folded = self.folded.iter().peekable();
        let mut rows = Vec::with_capacity(self.result.len() + self.folded.len());
        for frame in &self.result {
            while let Some(fold) = folded.next_if(|fold| fold.from < frame.level) {
                rows.push(fold.to_string());
            }
            rows.push(frame.to_string());
        }
        rows.extend(folded.map(ToString::to_string));
        lines(f, &rows, "no frames")?;
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 26_632, 1_234_567].map(grouped), ["0", "999", "1,000", "26,632", "1,234,567"]);
    }
}
