//! Lists of numbers: `1 3-5 $bpnum`.

use super::error::Error;
use std::ops::RangeInclusive;

/// Longest list that a user can mean.
const MAX_RANGES: usize = 1000;

/// Numbers and ranges of them, in the order in which they were given. Empty often means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers(Vec<RangeInclusive<u32>>);

impl Numbers {
    /// Reads a list. `what` is listed, for the message; `last` is what `$bpnum` means.
    pub(super) fn parse(text: &str, what: &str, last: Option<u32>) -> Result<Self, Error> {
        let bad = |word: &str| Error::said(format!("Bad {what} number '{word}'"));
        let mut ranges = Vec::new();
        for word in text.split([' ', '\t', ',']).filter(|w| !w.is_empty()) {
            let number = |text: &str| match (text, last) {
                ("$bpnum", Some(last)) => Ok(last),
                _ => text.parse::<u32>().map_err(|_| bad(word)),
            };
            let range = match word.split_once('-') {
                Some((first, end)) => number(first)?..=number(end)?,
                None => {
                    let n = number(word)?;
                    n..=n
                }
            };
            if range.is_empty() {
                return Err(Error::said("inverted range"));
            }
            if ranges.len() == MAX_RANGES {
                return Err(Error::said(format!("more than {MAX_RANGES} {what} numbers")));
            }
            ranges.push(range);
        }
        Ok(Self(ranges))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }

    /// Returns those of `known` that were given, in that order; and numbers that were given by themselves but do not
    /// exist.
    pub(super) fn split(&self, known: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for range in &self.0 {
            let before = found.len();
            found.extend(known.iter().copied().filter(|n| range.contains(n)));
            if found.len() == before {
                missing.push(*range.start());
            }
        }
        found.dedup();
        (found, missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Numbers, String> {
        Numbers::parse(text, "breakpoint", Some(9)).map_err(|e| e.to_string())
    }

    #[test]
    fn lists_and_ranges() {
        let numbers = parsed("1 3-5,8 $bpnum").unwrap();
        let given: Vec<u32> = (0..12).filter(|n| numbers.contains(*n)).collect();
        assert_eq!(given, [1, 3, 4, 5, 8, 9]);
        assert!(parsed("  ").unwrap().is_empty());
        assert_eq!(numbers.split(&[1, 4, 5, 6]), (vec![1, 4, 5], vec![8, 9]));
        assert_eq!(parsed("x").unwrap_err(), "Bad breakpoint number 'x'");
        assert_eq!(parsed("-1").unwrap_err(), "Bad breakpoint number '-1'");
        assert_eq!(parsed("5-3").unwrap_err(), "inverted range");
    }
}
