//! Functions that call each other until the stack is full: which, and whether their arguments come again.

use crate::api::error::Error;
use crate::api::{Frame, Variable};
use crate::session::engine::Engine;

/// Most functions that call each other, and most frames above them.
const LONGEST_CYCLE: usize = 8;
const ABOVE_CYCLE: usize = 4;
/// How often they must have done so.
const ROUNDS: usize = 4;
/// Most calls after which arguments come again: those of functions that walk along a ring of objects.
const LONGEST_RING: usize = 12;
/// Most calls that are shown with their arguments, and most characters of one.
const SHOWN: usize = 4;
const CALL: usize = 120;

impl Engine {
    /// Says which functions call each other from the innermost of some frames on, and how their arguments change. What the
    /// whole stack is like takes long where it is full.
    pub(crate) fn recursion(&mut self, frames: &[Frame]) -> Result<Vec<String>, Error> {
        let names: Vec<&str> = frames.iter().map(|frame| frame.function.as_deref().unwrap_or("??")).collect();
        let Some(cycle) = cycle(&names) else { return Ok(Vec::new()) };
        // The innermost one has filled the stack before it had put anything there.
        let from = u32::try_from(cycle.from).unwrap_or(u32::MAX).max(1);
        let most = u32::try_from(LONGEST_RING * ROUNDS).unwrap_or(u32::MAX);
        // It is evidence: where it cannot be had, the rest is told.
        let calls = self.backtrace(from, most, true).map(|stack| stack.frames).unwrap_or_default();
        let functions = cycle.functions.join(", ");
        let words = if cycle.functions.len() == 1 { "calls itself" } else { "call each other" };
        let which = format!("{functions} {words}: frames {} to {}, and on", cycle.from, cycle.last);
        Ok([Some(which), arguments(&calls, cycle.functions.len())].into_iter().flatten().collect())
    }
}

/// Functions that call each other.
#[derive(Debug, PartialEq, Eq)]
struct Cycle<'a> {
    functions: Vec<&'a str>,
    /// The first of their frames, and the last that was looked at.
    from: usize,
    last: usize,
}

/// Finds the functions that call each other from the innermost frames on.
fn cycle<'a>(names: &[&'a str]) -> Option<Cycle<'a>> {
    let last = names.len().checked_sub(1)?;
    let mut cycles = (0..=ABOVE_CYCLE).flat_map(|from| (1..=LONGEST_CYCLE).map(move |length| (from, length)));
    cycles.find_map(|(from, length)| {
        let rest = names.get(from..).filter(|rest| rest.len() >= length * ROUNDS)?;
        let repeats = rest.iter().zip(rest.get(length..)?).all(|(one, outer)| one == outer);
        let functions = rest.get(..length).filter(|_| repeats)?.to_vec();
        Some(Cycle { functions, from, last })
    })
}

/// Says how the arguments of calls change, each `length` of which are of the same functions: that they come again, which
/// hardly ends, or that a number counts. `None` if neither is so, or if values are missing.
fn arguments(calls: &[Frame], length: usize) -> Option<String> {
    let shown: Option<Vec<String>> = calls.iter().map(call).collect();
    let shown = shown?;
    if calls.iter().all(|frame| frame.args.is_empty()) {
        return None;
    }
    let again = (1..=LONGEST_RING).filter(|period| period % length == 0).find(|period| {
        shown.len() >= period * 2 && shown.iter().zip(&shown[*period..]).all(|(one, outer)| one == outer)
    });
    if let Some(period) = again {
        let calls = shown.iter().take(period.min(SHOWN)).map(|call| cut(call)).collect::<Vec<_>>().join(", ");
        let more = if period > SHOWN { ", …" } else { "" };
        let when = if period == 1 { "with each call".to_owned() } else { format!("after {period} calls") };
        return Some(format!("the same arguments come again {when}: {calls}{more}"));
    }
    let counted = calls.first()?.args.iter().enumerate().filter_map(|(at, _)| counted(calls, length, at));
    let counted: Vec<String> = counted.take(SHOWN).collect();
    (!counted.is_empty()).then(|| counted.join("; "))
}

/// Returns a call with its arguments, as text; `None` if one of them has no value, or just a part of one.
fn call(frame: &Frame) -> Option<String> {
    // Where a value is not available, in whole or in part, its text says so in angle brackets; a text of the program's
    // own that does the same is left out, too.
    let is_whole = |one: &Variable| {
        one.missing.is_none()
            && !one.truncated
            && !["<optimized out>", "<unavailable", "<error", "..."].iter().any(|mark| one.value.contains(mark))
    };
    let argument = |one: &Variable| is_whole(one).then(|| format!("{}={}", one.name, one.value));
    let arguments: Option<Vec<String>> = frame.args.iter().map(argument).collect();
    Some(format!("{} ({})", frame.function.as_deref().unwrap_or("??"), arguments?.join(", ")))
}

/// Returns a call's text, or the beginning of a long one.
fn cut(call: &str) -> String {
    match call.char_indices().nth(CALL) {
        Some((end, _)) => format!("{}…", &call[..end]),
        None => call.to_owned(),
    }
}

/// Says by how much an argument changes from one call to the next of the same function, if that is always the same.
fn counted(calls: &[Frame], length: usize, at: usize) -> Option<String> {
    let values: Option<Vec<(&str, i128)>> =
        calls.iter().step_by(length).map(|frame| number(frame.args.get(at)?)).collect();
    let values = values.filter(|values| values.len() >= ROUNDS)?;
    let step = |pair: &[(&str, i128)]| pair[0].1.checked_sub(pair[1].1);
    let by = values.windows(2).next().and_then(step).filter(|by| *by != 0)?;
    if !values.windows(2).all(|pair| step(pair) == Some(by)) {
        return None;
    }
    let ((name, value), level) = (values[0], calls[0].level);
    let each = if length == 1 { "each call".to_owned() } else { format!("{length} calls") };
    Some(format!("{name} changes by {by:+} with {each}, and is {value} in frame {level}"))
}

fn number(argument: &Variable) -> Option<(&str, i128)> {
    Some((argument.name.as_str(), argument.value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::describe::empty_frame;

    /// Frames from the first level on, each a function with its arguments: `f n=1`.
    fn frames(calls: &[&str]) -> Vec<Frame> {
        let frame = |(level, text): (u32, &&str)| {
            let (function, arguments) = text.split_once(' ').unwrap_or((text, ""));
            let argument = |(name, value): (&str, &str)| Variable {
                name: name.to_owned(),
                value: value.to_owned(),
                ty: None,
                is_argument: true,
                line: None,
                shadowed: false,
                truncated: false,
                dynamic_type: None,
                missing: None,
            };
            let args = arguments.split(' ').filter_map(|one| one.split_once('=')).map(argument).collect();
            Frame { level, function: Some(function.to_owned()), args, ..empty_frame(arch::RunAddr(0x1000)) }
        };
        (1..).zip(calls).map(frame).collect()
    }

    #[test]
    fn functions_that_call_each_other() {
        let found = |names: &[&'static str]| cycle(names).map(|cycle| (cycle.functions, cycle.from, cycle.last));
        assert_eq!(found(&["f"; 6]), Some((vec!["f"], 0, 5)));
        assert_eq!(found(&["memset", "f", "g", "f", "g", "f", "g", "f", "g"]), Some((vec!["f", "g"], 1, 8)));
        assert_eq!(found(&["f", "g", "main"]), None);
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn arguments_that_come_again() {
        let again = arguments(&frames(&["f n=1", "f n=1", "f n=1"]), 1).unwrap();
        assert_eq!(again, "the same arguments come again with each call: f (n=1)");
        let ring = arguments(&frames(&["f p=a", "f p=b", "f p=c", "f p=a", "f p=b", "f p=c"]), 1).unwrap();
        assert_eq!(ring, "the same arguments come again after 3 calls: f (p=a), f (p=b), f (p=c)");
        let two = arguments(&frames(&["f n=1", "g m=1", "f n=1", "g m=1"]), 2).unwrap();
        assert!(two.contains("after 2 calls"), "{two}");
    }

    #[test]
    fn numbers_that_count() {
        let calls = ["f n=5 m=1 k=2", "f n=4 m=1 k=9", "f n=3 m=1 k=1", "f n=2 m=1 k=0"];
        assert_eq!(arguments(&frames(&calls), 1).unwrap(), "n changes by +1 with each call, and is 5 in frame 1");
        let two = ["f n=5", "g n=5", "f n=7", "g n=7", "f n=9", "g n=9", "f n=11", "g n=11"];
        assert_eq!(arguments(&frames(&two), 2).unwrap(), "n changes by -2 with 2 calls, and is 5 in frame 1");
        assert_eq!(arguments(&frames(&["f n=5", "f n=3", "f n=1", "f n=4"]), 1), None);
        assert_eq!(arguments(&frames(&["f"; 8]), 1), None);
    }

    #[test]
    fn what_is_missing_or_cut_is_not_compared() {
        for value in ["<optimized>out", "<error:Cannot>", "\"abc\"..."] {
            let call = format!("f n={}", value.replace("<optimized>out", "<unavailable>"));
            assert_eq!(arguments(&frames(&[&call; 6].map(String::as_str)), 1), None, "{value}");
        }
        let mut cut = frames(&["f n=1"; 6]);
        cut[0].args[0].truncated = true;
        assert_eq!(arguments(&cut, 1), None);
        let long = "a".repeat(CALL);
        let counts = [5, 4, 3, 2].map(|n| format!("f s={long} n={n}"));
        let counted = arguments(&frames(&counts.each_ref().map(String::as_str)), 1).unwrap();
        assert_eq!(counted, "n changes by +1 with each call, and is 5 in frame 1");
    }
}
