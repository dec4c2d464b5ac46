//! Lists of numbers in variables.

use std::collections::BTreeSet;

/// Reads the numbers of a list.
pub fn read(list: &str) -> BTreeSet<u64> {
    list.split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_and_other_words_are_passed_over() {
        assert_eq!(read("451,462, 470"), BTreeSet::from([451, 462, 470]));
        assert_eq!(read(""), BTreeSet::new());
        assert_eq!(read("x,-1,7"), BTreeSet::from([7]));
    }
}
