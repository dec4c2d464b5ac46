//! Locations as GDB spells them and the engine does not: lines counted from the current one (`+2`, `-1`), and those
//! with options (`-function f`, `-source a.c -line 3`).

use super::error::Error;
use super::execution::Execution;

/// Parses an offset in lines: in which direction and how far to count.
pub(super) fn offset(location: &str) -> Option<i64> {
    let (sign, digits) = match location.trim().split_at_checked(1)? {
        ("+", digits) => (1, digits.trim_start()),
        ("-", digits) => (-1, digits.trim_start()),
        _ => return None,
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse::<u32>().ok().filter(|_| is_number).map(|lines| sign * i64::from(lines))
}

/// Moves from a line by so many lines, of which there are none before the first.
pub(super) fn moved(line: u32, offset: i64) -> u32 {
    u32::try_from(i64::from(line).saturating_add(offset).max(1)).unwrap_or(u32::MAX)
}

/// Returns a location with options as one without; `None` if it has none.
fn plain(location: &str) -> Option<Result<String, Error>> {
    let names = ["source", "function", "line"];
    let mut given: [Option<String>; 3] = [None, None, None];
    let mut words = location.split_whitespace().peekable();
    words.peek().filter(|word| word.starts_with('-') && word.contains(|c: char| c.is_ascii_alphabetic()))?;
    while let Some(word) = words.next() {
        let option = word.strip_prefix('-').filter(|option| !option.is_empty());
        let known = option.and_then(|option| names.iter().position(|name| name.starts_with(option)));
        let Some(slot) = known.and_then(|at| given.get_mut(at)) else {
            return Some(Err(Error::said(format!("invalid explicit argument, \"{word}\""))));
        };
        let mut value = Vec::new();
        while let Some(part) = words.next_if(|part| !is_option(part, &names)) {
            value.push(part);
        }
        if value.is_empty() {
            return Some(Err(Error::said(format!("missing argument for \"{word}\""))));
        }
        *slot = Some(value.join(" "));
    }
    let [source, function, line] = given;
    Some(match (source, function, line) {
        (source, None, Some(line)) if offset(&line).is_some() && source.is_none() => Ok(line),
        (Some(source), None, Some(line)) | (Some(source), Some(line), None) => Ok(format!("{source}:{line}")),
        (None, Some(one), None) | (None, None, Some(one)) => Ok(one),
        (Some(_), None, None) => Err(Error::said("Source filename requires function, label, or line offset.")),
        _ => Err(Error::said("A place is a line or a function: -line and -function do not go together here.")),
    })
}

fn is_option(word: &str, names: &[&str]) -> bool {
    word.strip_prefix('-').is_some_and(|word| !word.is_empty() && names.iter().any(|name| name.starts_with(word)))
}

impl Execution<'_> {
    /// Resolves a location as the engine understands it. Lines are counted from the selected frame's.
    pub(super) fn meant(&mut self, location: &str) -> Result<String, Error> {
        let plain = plain(location).transpose()?;
        let location = plain.as_deref().unwrap_or(location);
        let Some(offset) = offset(location) else { return Ok(location.to_owned()) };
        let level = self.engine.frame_level();
        let stack = self.engine.backtrace(level, 1, false)?;
        let here = stack.frames.first().and_then(|frame| Some((frame.fullname.as_deref()?, frame.line?)));
        let (file, line) = here.ok_or_else(|| {
            Error::said(format!(
                "There is no line that `{}' could be counted from: the selected frame has none.",
                location.trim()
            ))
        })?;
        Ok(format!("{file}:{}", moved(line, offset)))
    }

    /// Returns what is said of a location that nothing has: in words for what was given, which may not be what was
    /// looked for.
    pub(super) fn nowhere(&mut self, given: &str, error: engine::Error) -> Error {
        if let engine::Error::NoLocation { reason, .. } = &error
            && let Some((_, names)) = reason.split_once("; did you mean ")
        {
            self.state.hint = Some(format!("did you mean {names}"));
        }
        match &error {
            engine::Error::NoLocation { text, .. } if offset(given).is_some() => {
                let line = text.rsplit(':').next().unwrap_or_default();
                Error::said(format!("No line {line} in the current file."))
            }
            _ => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets() {
        assert_eq!(
            [offset("+2"), offset(" -10 "), offset("+0"), offset("+ 3")],
            [Some(2), Some(-10), Some(0), Some(3)]
        );
        for other in ["", "+", "-", "2", "+x", "-function f", "+99999999999", "*+2"] {
            assert_eq!(offset(other), None, "{other}");
        }
        assert_eq!([moved(5, -2), moved(5, -9), moved(u32::MAX, 1)], [3, 1, u32::MAX]);
    }

    #[test]
    fn options_are_left_out() {
        let of = |text: &str| plain(text).transpose().map_err(|error| error.to_string());
        for (text, expected) in [
            ("main", None),
            ("-3", None),
            ("-function main", Some("main")),
            ("-func ns::f(int, long)", Some("ns::f(int, long)")),
            ("-line 10", Some("10")),
            ("-line +2", Some("+2")),
            ("-source a.c -line 10", Some("a.c:10")),
            ("-line 10 -source dir/a.c", Some("dir/a.c:10")),
            ("-source a.c -function f", Some("a.c:f")),
        ] {
            assert_eq!(
                of(text).map(|found| found.unwrap_or_default()),
                Ok(expected.unwrap_or_default().to_owned()),
                "{text}"
            );
            assert_eq!(plain(text).is_some(), expected.is_some(), "{text}");
        }
        assert_eq!(of("-nosuch 3").unwrap_err(), "invalid explicit argument, \"-nosuch\"");
        assert_eq!(of("-line").unwrap_err(), "missing argument for \"-line\"");
        assert!(of("-source a.c").unwrap_err().starts_with("Source filename requires"));
        assert!(of("-function f -line 3").is_err());
    }
}
