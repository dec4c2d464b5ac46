//! Names that may have been meant by one that is none.

use std::collections::BTreeSet;

/// Most names that are told for one that is none.
const MOST: usize = 5;

/// Returns which of these names may have been meant, the nearest first: those with a few letters more, less, changed or
/// exchanged, then those that begin so.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_ascii_lowercase();
    let reach = lower.len().div_ceil(3).min(3);
    let (mut misspelt, mut longer) = (BTreeSet::new(), BTreeSet::new());
    for one in known {
        let its = one.to_ascii_lowercase();
        let apart = if its.len().abs_diff(lower.len()) <= reach { distance(&lower, &its) } else { usize::MAX };
        if apart <= reach {
            misspelt.insert((apart, one));
        } else if lower.len() >= 3 && its.starts_with(&lower) {
            longer.insert(one);
        }
    }
    misspelt.into_iter().map(|(_, known)| known).chain(longer).take(MOST).collect()
}

/// Returns which of many names may have been meant: those with the fewest letters more, less, changed or exchanged, of
/// which one in four may be; if there are none, those that begin so.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_ascii_lowercase();
    let (mut reach, mut misspelt, mut longer) = ((lower.len() / 4).clamp(1, 3), BTreeSet::new(), BTreeSet::new());
    for one in known {
        let its = one.to_ascii_lowercase();
        let apart = if its.len().abs_diff(lower.len()) <= reach { distance(&lower, &its) } else { usize::MAX };
        if apart < reach {
            misspelt.clear();
            reach = apart;
        }
        if apart == reach {
            misspelt.insert(one);
        } else if lower.len() >= 3 && its.starts_with(&lower) {
            longer.insert(one);
        }
    }
    let found = if misspelt.is_empty() { longer } else { misspelt };
    found.into_iter().take(MOST).collect()
}

/// Returns how many letters are more, less, changed, or exchanged with their neighbour (optimal string alignment).
fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_misspelt_has_neighbours() {
        let known = ["balance", "Balance", "balances_of", "total", "to"];
        assert_eq!(near("balanec", known), ["Balance", "balance"]);
        assert_eq!(near("bal", known), ["Balance", "balance", "balances_of"]);
        assert_eq!(near("ttoal", known), ["total"]);
        assert_eq!(nearest("balanec", known), ["Balance", "balance"]);
        assert_eq!(nearest("tota", known), ["total"]);
        assert_eq!(nearest("balance", known), ["Balance", "balance"], "of another case");
        assert_eq!(nearest("bal", known), ["Balance", "balance", "balances_of"]);
        assert!(nearest("main", ["make", "mint"]).is_empty() && nearest("", known).is_empty());
        assert!(near("x", known).is_empty() && near("", known).is_empty() && near("zzzz", known).is_empty());
    }
}
