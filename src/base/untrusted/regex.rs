//! Regular expressions that a user or a client writes.
//!
//! Searching with one takes memory for each group at each state of its compiled form: a limit of either alone bounds
//! nothing. All are compiled here, where both have one, and the text, too.

use regex_lite::{Regex, RegexBuilder};

/// Most bytes of the text.
const MAX_LENGTH: usize = 8 << 10;
/// Most bytes of the compiled form, about 32 a state. The time that a search takes for a character grows with it, too.
const MAX_COMPILED: usize = 64 << 10;
/// Most groups that keep what they match. A search takes the memory of the compiled form once for each of them and for
/// the whole match: at most 2 MiB.
const MAX_GROUPS: usize = 31;

/// Why a text is not used as a regular expression. It continues a sentence that begins with the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegexRefused {
    /// It cannot be compiled.
    #[error("is not a regular expression: {0}")]
    Invalid(regex_lite::Error),
    /// Its text is too long.
    #[error("is too long for a regular expression: it has {0} bytes, at most {MAX_LENGTH} are possible")]
    Long(usize),
    /// Its compiled form is too large.
    #[error(
        "is too large for a regular expression: with repetitions written out, about {} characters are possible",
        MAX_COMPILED / 32
    )]
    Large,
    /// It has too many groups.
    #[error(
        "is a regular expression with {0} groups, at most {MAX_GROUPS} are possible: write (?:…), which does not count"
    )]
    Groups(usize),
}

/// Compiles a regular expression from outside.
///
/// The memory of a search stays with the value that has searched. Whoever keeps many expressions searches with a clone,
/// which shares the compiled form only.
#[expect(clippy::disallowed_methods, reason = "the one place that sets the limits")]
pub fn regex(text: &str) -> Result<Regex, RegexRefused> {
    if text.len() > MAX_LENGTH {
        return Err(RegexRefused::Long(text.len()));
    }
    let built = RegexBuilder::new(text).size_limit(MAX_COMPILED).build();
    let regex = built.map_err(|error| match error.to_string().contains("size limit") {
        true => RegexRefused::Large,
        false => RegexRefused::Invalid(error),
    })?;
    // The whole match is counted as a group there.
    match regex.captures_len().saturating_sub(1) {
        groups if groups > MAX_GROUPS => Err(RegexRefused::Groups(groups)),
        _ => Ok(regex),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn what_could_take_much_memory_is_refused() {
        let refused = |text: &str| regex(text).unwrap_err().to_string();
        assert!(refused("a(").starts_with("is not a regular expression: found open group"), "{}", refused("a("));
        assert!(refused(&"(int)".repeat(5000)).contains("it has 25000 bytes, at most 8192"));
        assert!(refused(&"(i)".repeat(200)).contains("with 200 groups, at most 31 are possible: write (?:…)"));
        for large in ["(int)".repeat(1600), "(?:a{0,100}){0,100}".to_owned(), "(?:){100000000}".to_owned()] {
            assert!(refused(&large).contains("about 2048 characters are possible"), "{}", refused(&large));
        }
        assert!(refused(&format!("a{}", "*".repeat(8000))).contains("too much nesting"));
    }

    #[test]
    fn what_is_usual_is_compiled() {
        let names: Vec<String> = (0..100).map(|number| format!("function_{number}")).collect();
        for text in ["^(down|main)$", "(?i)^std::.*<(int|char)>", &format!("^(?:{})$", names.join("|")), "(a)|(b)"] {
            assert!(regex(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn the_largest_search_is_quick() {
        let text = format!("{}(?:.?){{200}}x", "(.)?".repeat(31));
        let regex = regex(&text).unwrap();
        let begin = Instant::now();
        assert!(!regex.is_match(&"a".repeat(200)));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
}
