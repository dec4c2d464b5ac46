//! How often lines were executed.
//!
//! A line is code in several places: the parts of a loop's head, copies of an inlined function. Of the parts that
//! belong to one copy, the one that was executed most often says how often the line was; copies add up. A line that has
//! code, and was never executed, is told with a count of zero; a line without code is not told.

use super::executed::Executed;
use arch::LinkAddr;
use dwarf::{DieId, Function, Image, InlineFrame, SourcePath};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// Most stretches of code that are looked at.
const MOST_STRETCHES: usize = 1 << 20;

/// A line that has code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCount {
    /// Its file.
    pub file: Arc<SourcePath>,
    /// 1-based.
    pub line: u32,
    /// How often it was executed.
    pub count: u64,
    /// Conditional branches executed in it.
    pub ticks: u64,
}

/// Which copy of a line: the functions, real and inlined, that it is in.
type Instance = Vec<Option<DieId>>;

/// What is known of a line.
struct Line {
    file: Arc<SourcePath>,
    /// How often each of its copies was executed.
    copies: HashMap<Instance, u64>,
    ticks: u64,
}

type Lines = BTreeMap<(PathBuf, u32), Line>;

/// Returns how often the lines of these functions were executed, and of what is inlined into them, by file and line.
/// The second is whether all of their code was looked at.
pub fn lines(image: &Image, functions: &[Function], executed: &Executed) -> (Vec<LineCount>, bool) {
    let mut lines = Lines::new();
    let mut left = MOST_STRETCHES;
    for &(start, end) in functions.iter().flat_map(|function| &function.ranges) {
        let mut at = start;
        while at < end {
            if left == 0 {
                return (told(lines), false);
            }
            left -= 1;
            // Code that is in no line table is of no line.
            let Some(row) = image.line_at(at) else { break };
            let stretch = at.0..row.end.min(end).0;
            if row.line != 0 {
                let instance = instance(&image.inline_chain(at), &row.file, row.line);
                let line = lines.entry((row.file.path.clone(), row.line));
                let line = line.or_insert_with(|| Line { file: row.file, copies: HashMap::new(), ticks: 0 });
                let count = line.copies.entry(instance).or_default();
                *count = (*count).max(executed.most_in(&stretch));
                line.ticks = line.ticks.saturating_add(executed.ticks_in(&stretch));
            }
            if stretch.is_empty() {
                break;
            }
            at = LinkAddr(stretch.end);
        }
    }
    (told(lines), true)
}

/// Returns the copy that code of a line belongs to. What a function that is inlined at this line has of it is of the
/// line itself.
fn instance(chain: &[InlineFrame], file: &SourcePath, line: u32) -> Instance {
    let is_at = |frame: &InlineFrame| frame.line == Some(line) && frame.file.as_deref() == Some(file);
    let inner = chain.iter().skip(1).take_while(|frame| is_at(frame)).count();
    chain.iter().skip(inner).map(|frame| frame.die).collect()
}

fn told(lines: Lines) -> Vec<LineCount> {
    let told = lines.into_iter().map(|((_, line), Line { file, copies, ticks })| {
        let count = copies.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
        LineCount { file, line, count, ticks }
    });
    told.collect()
}
