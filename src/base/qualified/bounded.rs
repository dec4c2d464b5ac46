//! Names of a length that can be shown: what a program calls its functions and types may have any.

use std::borrow::Cow;

/// Most characters of a name that is shown. The names of most templates have fewer.
const LONGEST: usize = 4000;

/// Most characters of a name that is shown in a line with others.
const LONGEST_IN_LINE: usize = 1000;

/// Stands for what is left out.
const LEFT_OUT: char = '…';

/// Returns a name as it is shown: of one that is too long, the beginning and the end. Whatever looks something up by a
/// name needs the name itself.
pub fn bounded(name: &str) -> Cow<'_, str> {
    cut(name, LONGEST)
}

/// Returns a name as it is shown in a line with others: of one that is too long, the beginning and the end.
pub fn bounded_in_line(name: &str) -> Cow<'_, str> {
    cut(name, LONGEST_IN_LINE)
}

fn cut(name: &str, longest: usize) -> Cow<'_, str> {
    // No character is shorter than a byte.
    if name.len() <= longest || name.char_indices().nth(longest).is_none() {
        return Cow::Borrowed(name);
    }
    let before = longest / 2;
    let behind = longest - before - 1;
    let start = name.char_indices().nth(before).map_or(name.len(), |(at, _)| at);
    let end = name.char_indices().nth_back(behind - 1).map_or(0, |(at, _)| at);
    Cow::Owned(format!("{}{LEFT_OUT}{}", &name[..start], &name[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(cut("abcdefg", 7), "abcdefg");
        assert_eq!(cut("abcdefgh", 7), "abc…fgh");
        assert_eq!(cut("abcdefgh", 6), "abc…gh");
        assert_eq!(cut("äöüßäöüß", 8), "äöüßäöüß");
        assert_eq!(cut("äöüßäöüß", 5), "äö…üß");
        let long = format!("a::{}::z", "b".repeat(1_000_000));
        for (shown, longest) in [(bounded(&long), 4000), (bounded_in_line(&long), 1000)] {
            assert_eq!(shown.chars().count(), longest);
            assert!(shown.starts_with("a::bb") && shown.ends_with("bb::z") && shown.contains("b…b"), "{shown}");
        }
    }

    proptest! {
        #[test]
        fn no_name_is_longer_than_the_limit(name in "\\PC{0,40}", longest in 3_usize..30) {
            let shown = cut(&name, longest);
            prop_assert!(shown.chars().count() <= longest);
            prop_assert!(name.chars().count() > longest || shown == name);
        }
    }
}
