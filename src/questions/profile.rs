//! Where the time went, as ticks: which functions were executed, and how often each was called.

use super::executed::Executed;
use arch::LinkAddr;
use dwarf::{Function, Image};
use std::collections::BTreeMap;

/// A function that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCount {
    /// Which.
    pub function: Function,
    /// How often its first instruction was executed: how often it was called, unless it jumps back there itself.
    pub calls: u64,
    /// Conditional branches executed in its own code, and that of functions inlined into it.
    pub ticks: u64,
}

/// What was executed of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The most ticks first.
    pub functions: Vec<FunctionCount>,
    /// Ticks in code of no known function.
    pub elsewhere: u64,
}

/// Returns the functions of a module that were executed.
pub fn profile(image: &Image, executed: &Executed) -> Profile {
    let mut functions: BTreeMap<LinkAddr, FunctionCount> = BTreeMap::new();
    let mut elsewhere = 0_u64;
    // Up to here is known.
    let mut known = 0;
    for (run, _) in executed.runs() {
        let mut at = run.start.max(known);
        while at < run.end {
            let found = image.function_at(LinkAddr(at));
            let around = found.as_ref().and_then(|function| {
                let ranges = function.ranges.iter().map(|(start, end)| start.0..end.0);
                ranges.into_iter().find(|range| range.contains(&at))
            });
            let (Some(function), Some(around)) = (found, around) else {
                // Where the next function begins is not known: by bytes, of which few have code of no function.
                elsewhere = elsewhere.saturating_add(executed.ticks_in(&(at..at + 1)));
                at += 1;
                continue;
            };
            at = around.end;
            functions.entry(function.entry).or_insert_with(|| FunctionCount {
                calls: executed.count(function.entry.0),
                ticks: function
                    .ranges
                    .iter()
                    .fold(0, |sum, (start, end)| sum.saturating_add(executed.ticks_in(&(start.0..end.0)))),
                function,
            });
        }
        known = known.max(at);
    }
    let mut functions: Vec<FunctionCount> = functions.into_values().collect();
    functions.sort_by_key(|function| std::cmp::Reverse((function.ticks, function.calls)));
    Profile { functions, elsewhere }
}
