//! Stretches of a stack in which the same functions call each other over and over.

use std::ops::Range;

/// How many functions call each other in a stretch, at most.
const LONGEST_CYCLE: usize = 8;
/// Frames at the beginning of a stretch that are kept, at least: the innermost ones differ.
const KEPT: usize = 3;
/// Fewer are not worth folding.
const LEAST: usize = 10;

/// Some frames of a stretch, whole cycles of it, that look like those around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repeated {
    /// Which frames.
    pub(crate) frames: Range<usize>,
    /// How many of them make a cycle.
    pub(crate) cycle: usize,
}

/// Finds the stretches of a stack whose frames are of these functions, by whatever tells functions apart. The first
/// frames of each stretch and the last cycle of it are not among what is told.
pub(crate) fn repeated<T: PartialEq>(functions: &[T]) -> Vec<Repeated> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < functions.len() {
        let stretch = (1..=LONGEST_CYCLE).find_map(|cycle| stretch(functions.get(at..)?, cycle));
        match stretch {
            Some((length, inner)) => {
                found.push(Repeated { frames: at + inner.frames.start..at + inner.frames.end, cycle: inner.cycle });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// Returns how many frames from the first on come in cycles of so many, and which of them can be folded, if that is
/// worth it.
fn stretch<T: PartialEq>(functions: &[T], cycle: usize) -> Option<(usize, Repeated)> {
    let again = functions.iter().zip(functions.get(cycle..)?).take_while(|(one, other)| one == other).count();
    let length = again + cycle;
    let kept = KEPT.div_ceil(cycle) * cycle;
    let folded = length.checked_sub(kept + cycle)? / cycle * cycle;
    (folded >= LEAST).then(|| (length, Repeated { frames: kept..kept + folded, cycle }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(functions: &str) -> Vec<(Range<usize>, usize)> {
        let functions: Vec<char> = functions.chars().collect();
        repeated(&functions).into_iter().map(|one| (one.frames, one.cycle)).collect()
    }

    #[test]
    fn a_recursion_is_folded_but_for_its_ends() {
        let f = "f".repeat(30);
        assert_eq!(folded(&format!("ab{f}m")), [(5..31, 1)]);
        assert_eq!(folded(&format!("x{}m", "gf".repeat(20))), [(5..39, 2)]);
        assert_eq!(folded(&format!("{f}m{}", "g".repeat(20))), [(3..29, 1), (34..50, 1)]);
    }

    #[test]
    fn what_is_not_worth_it_is_left() {
        assert!(folded("").is_empty() && folded("abcdefghijklmnopqrstuvwxyz").is_empty());
        assert!(folded(&"f".repeat(13)).is_empty());
        assert_eq!(folded(&"f".repeat(14)), [(3..13, 1)]);
    }
}
