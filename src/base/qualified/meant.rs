//! Asks whether another name was meant: the end of an error.

use super::near::nearest;

/// Asks whether one of these names was meant; empty if there are none.
pub fn question(names: &[String]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = quoted.split_last()?;
    Some(match others {
        [] => format!("did you mean {last}?"),
        others => format!("did you mean {} or {last}?", others.join(", ")),
    })
}

/// Asks in parentheses, behind a space, whether the known names nearest to a misspelt one were meant; empty if none is near.
pub fn question_about<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near: Vec<String> = nearest(name, known).into_iter().map(str::to_owned).collect();
    question(&near).map(|question| format!(" ({question})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_all() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(question(&[]), None);
        assert_eq!(question(&names[..1]).unwrap(), "did you mean `a`?");
        assert_eq!(question(&names).unwrap(), "did you mean `a`, `b` or `c`?");
    }
}
