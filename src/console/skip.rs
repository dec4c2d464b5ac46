//! Functions that are stepped over: `skip`.

use super::command::{Command, Matcher, Skipping};
use super::error::Error;
use super::execution::Execution;
use super::number_list::Numbers;
use arch::Direction;
use base::qualified::ends_with;
use base::untrusted;
use engine::model::{Frame, Motion, Reason, Stop};
use std::borrow::Cow;

/// Most functions that one step passes by.
const MAX_SKIPPED: usize = 10_000;
/// Most of them that are remembered.
const MAX_SKIPS: usize = 1000;

/// Functions that are stepped over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skip {
    number: u32,
    enabled: bool,
    /// In these files only.
    file: Option<Matcher>,
    /// With these names only.
    function: Option<Matcher>,
}

/// Parses what follows `skip`.
pub(super) fn parse(given: &str) -> Result<Command, Error> {
    let (word, rest) = given.trim().split_once(char::is_whitespace).unwrap_or((given.trim(), ""));
    let rest = rest.trim();
    let named = |rest: &str| (!rest.is_empty()).then(|| Matcher::Name(rest.to_owned()));
    let needed = |rest: &str| match rest {
        "" => Err(Error::said(format!("Missing value for {word} option."))),
        rest => Ok(rest.to_owned()),
    };
    let what = match word {
        "" => Skipping::Function(None),
        "function" => Skipping::Function(named(rest)),
        "file" => Skipping::File(named(rest)),
        "-fi" | "-file" => Skipping::File(Some(Matcher::Name(needed(rest)?))),
        "-gfi" | "-gfile" => Skipping::File(Some(Matcher::Glob(needed(rest)?))),
        "-fu" | "-function" => Skipping::Function(Some(Matcher::Name(needed(rest)?))),
        "-rfu" | "-rfunction" => Skipping::Function(Some(Matcher::Regex(needed(rest)?))),
        "delete" => Skipping::Delete(Numbers::parse(rest, "skip", None)?),
        "enable" => Skipping::Switch { on: true, numbers: Numbers::parse(rest, "skip", None)? },
        "disable" => Skipping::Switch { on: false, numbers: Numbers::parse(rest, "skip", None)? },
        _ if word.starts_with('-') => return Err(Error::said(format!("Invalid skip option: {word}"))),
        _ => Skipping::Function(named(given.trim())),
    };
    Ok(Command::Skip(what))
}

/// Returns a shell's pattern as a regular expression.
fn regex_of(glob: &str) -> String {
    let mut text = String::from("^");
    for c in glob.chars() {
        match c {
            '*' => text.push_str(".*"),
            '?' => text.push('.'),
            c if c.is_alphanumeric() || c == '_' || c == '/' => text.push(c),
            c => {
                text.push('\\');
                text.push(c);
            }
        }
    }
    text + "$"
}

impl Matcher {
    fn text(&self) -> &str {
        let (Self::Name(text) | Self::Glob(text) | Self::Regex(text)) = self;
        text
    }

    /// Returns the regular expression that it stands for; none of a name.
    fn expression(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Name(_) => None,
            Self::Glob(text) => Some(regex_of(text).into()),
            Self::Regex(text) => Some(text.into()),
        }
    }

    /// Returns whether its expression matches one of some names. It is compiled for each of them, since a compiled one
    /// keeps the memory of its searches, and there may be many.
    fn is_match(&self, names: &[&str]) -> bool {
        let regex = self.expression().and_then(|text| untrusted::regex(&text).ok());
        regex.is_some_and(|regex| names.iter().any(|name| regex.is_match(name)))
    }

    fn check(&self) -> Result<(), Error> {
        let refused = |why| Error::said(format!("`{}` {why}", self.text()));
        self.expression().map_or(Ok(()), |text| untrusted::regex(&text).map(drop).map_err(refused))
    }

    fn is_function(&self, name: &str) -> bool {
        match self {
            // Without its parameters.
            Self::Name(text) => ends_with(name, text) || ends_with(name.split('(').next().unwrap_or(name), text),
            Self::Glob(_) | Self::Regex(_) => self.is_match(&[name]),
        }
    }

    fn is_file(&self, path: &str) -> bool {
        let base = path.rsplit('/').next().unwrap_or(path);
        match self {
            Self::Name(text) => path == text || path.strip_suffix(text.as_str()).is_some_and(|b| b.ends_with('/')),
            Self::Glob(_) => self.is_match(&[path, base]),
            Self::Regex(_) => self.is_match(&[path]),
        }
    }
}

impl Skip {
    fn is_of(&self, frame: &Frame) -> bool {
        let is_file = |matcher: &Matcher| {
            let names = [frame.file.as_deref(), frame.fullname.as_deref()];
            names.into_iter().flatten().any(|name| matcher.is_file(name))
        };
        self.enabled
            && self.file.as_ref().is_none_or(is_file)
            && self.function.as_ref().is_none_or(|m| frame.function.as_deref().is_some_and(|name| m.is_function(name)))
    }
}

impl Execution<'_> {
    pub(super) fn skip(&mut self, what: Skipping) -> Result<(), Error> {
        match what {
            Skipping::Function(matcher) => {
                let matcher = match matcher {
                    Some(matcher) => matcher,
                    None => {
                        let function = self.selected_frame()?.function;
                        let function = function.ok_or_else(|| Error::said("No default function now."))?;
                        Matcher::Name(function)
                    }
                };
                let plural = if matches!(matcher, Matcher::Name(_)) { "" } else { "(s)" };
                let words = format!("Function{plural} {} will be skipped when stepping.", matcher.text());
                self.add_skip(None, Some(matcher), words)
            }
            Skipping::File(matcher) => {
                let matcher = match matcher {
                    Some(matcher) => matcher,
                    None => {
                        let file = self.selected_frame()?.fullname;
                        Matcher::Name(file.ok_or_else(|| Error::said("No default file now."))?)
                    }
                };
                let plural = if matches!(matcher, Matcher::Name(_)) { "" } else { "(s)" };
                let words = format!("File{plural} {} will be skipped when stepping.", matcher.text());
                self.add_skip(Some(matcher), None, words)
            }
            Skipping::Delete(numbers) => self.each_skip(&numbers, |skips, number| skips.retain(|s| s.number != number)),
            Skipping::Switch { on, numbers } => self.each_skip(&numbers, |skips, number| {
                skips.iter_mut().filter(|s| s.number == number).for_each(|s| s.enabled = on);
            }),
        }
    }

    fn selected_frame(&mut self) -> Result<Frame, Error> {
        self.alive("No default function now.")?;
        let level = self.engine.frame_level();
        Ok(self.engine.frame_detail(level)?.frame)
    }

    fn add_skip(&mut self, file: Option<Matcher>, function: Option<Matcher>, words: String) -> Result<(), Error> {
        file.iter().chain(&function).try_for_each(Matcher::check)?;
        if self.state.skips.len() >= MAX_SKIPS {
            return Err(Error::said(format!("There are {MAX_SKIPS} skips already.")));
        }
        self.state.last_skip += 1;
        self.state.skips.push(Skip { number: self.state.last_skip, enabled: true, file, function });
        self.say(words);
        Ok(())
    }

    fn each_skip(&mut self, numbers: &Numbers, change: impl Fn(&mut Vec<Skip>, u32)) -> Result<(), Error> {
        let known: Vec<u32> = self.state.skips.iter().map(|skip| skip.number).collect();
        let (found, missing) = if numbers.is_empty() { (known, Vec::new()) } else { numbers.split(&known) };
        found.iter().for_each(|number| change(&mut self.state.skips, *number));
        match missing.first() {
            Some(_) => Err(Error::said("No skiplist entries found with the numbers given.")),
            None => Ok(()),
        }
    }

    pub(super) fn info_skip(&mut self) {
        if self.state.skips.is_empty() {
            self.say("Not skipping any files or functions.");
            return;
        }
        self.say("Num   Enb Glob File                 RE Function");
        for skip in self.state.skips.clone() {
            let letter = |flag: bool| if flag { 'y' } else { 'n' };
            let (glob, file) = match &skip.file {
                Some(matcher) => (letter(matches!(matcher, Matcher::Glob(_))), matcher.text()),
                None => ('n', "<none>"),
            };
            let (regex, function) = match &skip.function {
                Some(matcher) => (letter(matches!(matcher, Matcher::Regex(_))), matcher.text()),
                None => ('n', "<none>"),
            };
            let (number, enabled) = (skip.number, letter(skip.enabled));
            self.say(format!("{number:<5} {enabled:<3} {glob:>4} {file:<20} {regex:>2} {function}"));
        }
    }

    /// Steps by a line into calls, but not into functions that are stepped over.
    pub(super) fn step_skipping(&mut self, direction: Direction) -> Result<Stop, Error> {
        let begin = self.engine.frame_key().ok();
        for _ in 0..MAX_SKIPPED {
            let stop = self.engine.go(Motion::Step(direction, 1))?;
            let is_elsewhere = begin.is_some() && self.engine.frame_key().ok() != begin;
            let is_skipped = self.state.skips.iter().any(|skip| skip.is_of(&stop.frame));
            if stop.reason != Reason::StepDone || !is_elsewhere || !is_skipped {
                return Ok(stop);
            }
            let left = self.engine.go(Motion::Finish(direction))?;
            if !matches!(left.reason, Reason::FunctionFinished { .. } | Reason::StepDone) {
                return Ok(left);
            }
        }
        Err(Error::said(format!("A step has skipped {MAX_SKIPPED} functions without reaching a line.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_globs_and_expressions() {
        let of = |matcher: Matcher, name: &str| matcher.is_function(name);
        assert!(of(Matcher::Name("add".into()), "ns::add(int)") && !of(Matcher::Name("add".into()), "madd"));
        assert!(of(Matcher::Regex("^std::".into()), "std::swap<int>") && !of(Matcher::Regex("^std::".into()), "add"));
        let file = Matcher::Glob("/usr/include/*".into());
        assert!(file.is_file("/usr/include/c++/12/vector") && !file.is_file("/src/a.c"));
        assert!(Matcher::Glob("*.h".into()).is_file("/src/a.h") && Matcher::Name("a.c".into()).is_file("/src/a.c"));
        assert!(!Matcher::Name("a.c".into()).is_file("/src/aa.c"));
        assert!(Matcher::Regex("(".into()).check().is_err());
        assert!(
            Matcher::Regex("(int)".repeat(100)).check().is_err() && Matcher::Glob("*".repeat(9000)).check().is_err()
        );
    }

    #[test]
    fn words_of_skip() {
        assert!(matches!(parse("f"), Ok(Command::Skip(Skipping::Function(Some(Matcher::Name(name))))) if name == "f"));
        assert!(matches!(parse("-gfi *.h"), Ok(Command::Skip(Skipping::File(Some(Matcher::Glob(_)))))));
        assert!(matches!(parse(""), Ok(Command::Skip(Skipping::Function(None)))));
        assert!(parse("-rfu").is_err() && parse("-nosuch x").is_err() && parse("delete x").is_err());
    }
}
