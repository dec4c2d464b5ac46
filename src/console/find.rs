//! Searching memory: `find`.

use super::error::Error;
use super::execution::Execution;
use super::format_letters::split;
use super::parse::commas;
use arch::RunAddr;

/// Most places that one command finds.
const MOST: usize = 100_000;
/// Most bytes of a value that is looked for.
const LONGEST: u64 = 64 << 10;

/// What letters say: how big the values are, and how many places are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letters {
    size: Option<usize>,
    most: usize,
}

impl Letters {
    fn parse(letters: &str) -> Result<Self, Error> {
        let digits = letters.len() - letters.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count, size) = letters.split_at(digits);
        let size = match size {
            "" => None,
            "b" => Some(1),
            "h" => Some(2),
            "w" => Some(4),
            "g" => Some(8),
            _ => return Err(Error::said("Invalid size granularity.")),
        };
        let most = match count {
            "" => MOST,
            count => count.parse().ok().filter(|n| *n > 0).ok_or_else(|| Error::said("Count must be positive."))?,
        };
        Ok(Self { size, most: most.min(MOST) })
    }
}

impl Execution<'_> {
    pub(super) fn find(&mut self, given: &str) -> Result<(), Error> {
        let (letters, rest) = split(given);
        let (mut letters, mut rest) = (Letters::parse(letters)?, rest);
        // A size and a count may stand by themselves: `/b /3`.
        while rest.trim_start().starts_with('/') {
            let (more, behind) = split(rest.trim_start());
            let more = Letters::parse(more)?;
            letters = Letters { size: more.size.or(letters.size), most: letters.most.min(more.most) };
            rest = behind;
        }
        let mut parts = Vec::new();
        let mut begin = 0;
        for at in commas(rest).chain([rest.len()]) {
            parts.push(rest.get(begin..at).unwrap_or_default().trim());
            begin = at + 1;
        }
        let [start, end, values @ ..] = parts.as_slice() else {
            return Err(Error::said("Missing search parameters."));
        };
        if start.is_empty() || end.is_empty() {
            return Err(Error::said("Missing search parameters."));
        }
        if values.iter().all(|value| value.is_empty()) {
            return Err(Error::said("Missing search pattern."));
        }
        let start = self.engine.address_of(start)?;
        let length = match end.strip_prefix('+') {
            Some(length) => match u64::try_from(self.number(length)?) {
                Ok(length @ 1..) => length,
                _ => return Err(Error::said("Empty search range.")),
            },
            None => {
                let end = self.engine.address_of(end)?;
                match end.0.checked_sub(start.0) {
                    Some(length) => length.saturating_add(1),
                    None => return Err(Error::said("Invalid search space, end precedes start.")),
                }
            }
        };
        let mut pattern = Vec::new();
        for value in values {
            self.add_bytes(value, letters.size, &mut pattern)?;
        }
        if (pattern.len() as u64) > length {
            return Err(Error::said("Search space too small to contain pattern."));
        }
        let found = self.engine.find_bytes(start, length, &pattern, letters.most)?;
        for place in &found {
            let place = self.place(*place)?;
            self.say(place);
        }
        if self.engine.cancel().is_cancelled() {
            return Err(Error::said("Quit"));
        }
        self.told(&found)
    }

    fn told(&mut self, found: &[RunAddr]) -> Result<(), Error> {
        self.engine.set_variable("numfound", &found.len().to_string())?;
        if let Some(last) = found.last() {
            self.engine.set_variable("_", &format!("(void *){last}"))?;
        }
        self.say(match found.len() {
            0 => "Pattern not found.".to_owned(),
            1 => "1 pattern found.".to_owned(),
            n => format!("{n} patterns found."),
        });
        Ok(())
    }

    /// Adds the bytes of a value: of that size, or as its type has them.
    fn add_bytes(&mut self, text: &str, size: Option<usize>, pattern: &mut Vec<u8>) -> Result<(), Error> {
        let is_text = text.starts_with('"') && text.ends_with('"') && text.len() >= 2;
        if is_text {
            pattern.extend_from_slice(super::printf::unescaped(text.trim_matches('"')).as_bytes());
            pattern.push(0);
            return Ok(());
        }
        let held = self.engine.held(text, LONGEST)?;
        match size {
            None if !held.content.is_empty() => pattern.extend_from_slice(&held.content),
            _ => {
                let size = size.unwrap_or(usize::try_from(held.size).unwrap_or(8)).clamp(1, 8);
                let value = self.number(text)?;
                pattern.extend(value.to_le_bytes().into_iter().take(size));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_say_size_and_count() {
        assert_eq!(Letters::parse("").unwrap(), Letters { size: None, most: MOST });
        assert_eq!(Letters::parse("3h").unwrap(), Letters { size: Some(2), most: 3 });
        assert!(Letters::parse("x").is_err() && Letters::parse("0b").is_err());
    }
}
