//! Recording a program again and again until what is waited for happens: only that recording is kept.

use super::error::Error;
use super::process::Stream;
use super::program::Rr;
use super::record::{Listener, RecordOptions, Recorded};
use super::record_limits::CutShort;
use base::untrusted;
use regex_lite::Regex;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most bytes of a line of output that is looked at as a whole.
const MAX_LINE: usize = 1 << 16;
/// How long after the time limit of a recording what it has printed is still looked at.
const LATE: Duration = Duration::from_secs(5);

/// How often a program is recorded at most if nobody says how often.
pub const RUNS: u32 = 100;

/// What is waited for.
#[derive(Clone, Debug)]
pub enum Until {
    /// It exits with another code than 0, is ended by a signal, does not end in its time, or all its threads wait for
    /// each other. That rr gives up does not count.
    Failure,
    /// A signal ends it.
    Signal,
    /// It exits with this code.
    Exit(i32),
    /// It prints a line like this.
    Output(Regex),
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match (word, rest.trim()) {
            ("failure", "") => Ok(Self::Failure),
            ("signal", "") => Ok(Self::Signal),
            ("exit", code) => {
                let code = code.parse().map_err(|_| format!("`{code}` is not an exit code; write `exit 1`"))?;
                Ok(Self::Exit(code))
            }
            ("output", regex) if !regex.is_empty() => {
                untrusted::regex(regex).map(Self::Output).map_err(|refused| format!("`{regex}` {refused}"))
            }
            _ => Err(format!("`{text}` cannot be waited for; valid are failure, signal, exit N, output REGEX")),
        }
    }
}

impl Until {
    fn has_happened(&self, recorded: &Recorded, watcher: &Watcher) -> bool {
        let is_over = recorded.cut.is_none();
        match self {
            Self::Failure => {
                let is_stuck = matches!(recorded.cut, Some(CutShort::Time | CutShort::Deadlock));
                is_stuck || is_over && recorded.exit_code != Some(0)
            }
            Self::Signal => is_over && recorded.signal.is_some(),
            Self::Exit(code) => is_over && recorded.signal.is_none() && recorded.exit_code == Some(*code),
            Self::Output(_) => watcher.has_seen(),
        }
    }
}

/// What came of recording again and again.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The last recording: it is kept if it happened there, or if it was cancelled.
    pub recorded: Recorded,
    /// How often the program was recorded.
    pub runs: u32,
    /// Whether it happened, in the last of them.
    pub happened: bool,
    /// In how many of them rr gave up.
    pub given_up: u32,
}

/// Looks for a line in what a program prints.
#[derive(Default)]
struct Watcher {
    wanted: Option<Regex>,
    /// From when on it looks no more: matching is slower than the program prints.
    end: Option<Instant>,
    state: Mutex<Lines>,
}

/// The lines that are not complete yet, and whether one was found.
#[derive(Default)]
struct Lines {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    is_found: bool,
}

impl Watcher {
    fn new(until: &Until, timeout: Option<Duration>) -> Self {
        let wanted = match until {
            Until::Output(regex) => Some(regex.clone()),
            Until::Failure | Until::Signal | Until::Exit(_) => None,
        };
        let end = timeout.and_then(|timeout| Instant::now().checked_add(timeout)?.checked_add(LATE));
        Self { wanted, end, state: Mutex::default() }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        // A panic of another thread leaves at worst half a line behind.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, stream: Stream, new: &[u8]) {
        let Some(wanted) = &self.wanted else { return };
        let mut lines = self.lines();
        if lines.is_found || self.is_over() {
            return;
        }
        let partial = match stream {
            Stream::Out => &mut lines.stdout,
            Stream::Err => &mut lines.stderr,
        };
        partial.extend_from_slice(new);
        let end = partial.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let end = if partial.len() - end > MAX_LINE { partial.len() } else { end };
        let complete: Vec<u8> = partial.drain(..end).collect();
        lines.is_found = is_in(wanted, &complete);
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() > end)
    }

    /// Returns whether the line was printed, once the program has ended.
    fn has_seen(&self) -> bool {
        let lines = self.lines();
        let last = || [&lines.stdout, &lines.stderr].into_iter();
        lines.is_found
            || !self.is_over() && self.wanted.as_ref().is_some_and(|wanted| last().any(|text| is_in(wanted, text)))
    }
}

fn is_in(wanted: &Regex, text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| !line.is_empty() && wanted.is_match(&String::from_utf8_lossy(line)))
}

impl Rr {
    /// Records a program until what is waited for happens, at most so many times. The other recordings are removed,
    /// each at once.
    ///
    /// # Errors
    /// As of [`Self::record`].
    pub fn record_until(
        &self,
        options: &RecordOptions,
        until: &Until,
        most: u32,
        listener: &Listener,
    ) -> Result<Repeated, Error> {
        let (mut runs, mut given_up) = (0, 0);
        loop {
            runs += 1;
            let watcher = Arc::new(Watcher::new(until, options.timeout));
            let (heard, told) = (watcher.clone(), listener.clone());
            let both = move |stream, new: &[u8]| {
                heard.hear(stream, new);
                told(stream, new);
            };
            let both: Listener = Arc::new(both);
            let is_kept = |recorded: &Recorded| {
                recorded.cut == Some(CutShort::Cancelled) || until.has_happened(recorded, &watcher)
            };
            let recorded = self.record_kept(options, &both, Some(&is_kept))?;
            given_up += u32::from(recorded.cut == Some(CutShort::GivenUp));
            let was_cancelled = recorded.cut == Some(CutShort::Cancelled) || self.cancel.is_cancelled();
            let happened = !was_cancelled && until.has_happened(&recorded, &watcher);
            if happened || was_cancelled || runs >= most {
                return Ok(Repeated { recorded, runs, happened, given_up });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_waited_for() {
        assert!(matches!("failure".parse(), Ok(Until::Failure)));
        assert!(matches!(" signal ".parse(), Ok(Until::Signal)));
        assert!(matches!("exit 3".parse(), Ok(Until::Exit(3))));
        assert!(matches!("output  lost \\d+ of".parse(), Ok(Until::Output(regex)) if regex.as_str() == "lost \\d+ of"));
        for (bad, words) in [
            ("", "valid are failure, signal, exit N, output REGEX"),
            ("failure 3", "valid are"),
            ("output", "valid are"),
            ("exit", "is not an exit code"),
            ("output (", "is not a regular expression"),
            (&format!("output {}", "(int)".repeat(40)), "is a regular expression with 40 groups"),
        ] {
            let said = bad.parse::<Until>().unwrap_err();
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn lines_are_found_however_they_come() {
        let seen = |pieces: &[(Stream, &str)]| {
            let watcher = Watcher::new(&"output ^lost \\d+$".parse().unwrap(), None);
            pieces.iter().for_each(|(stream, text)| watcher.hear(*stream, text.as_bytes()));
            watcher.has_seen()
        };
        assert!(seen(&[(Stream::Out, "begin\nlo"), (Stream::Err, "noise\n"), (Stream::Out, "st 12\nend\n")]));
        assert!(seen(&[(Stream::Err, "lost 3")]));
        assert!(!seen(&[(Stream::Out, "lost\n3\nnot lost 3\n")]));
        assert!(
            seen(&[(Stream::Out, &"x".repeat(3 * MAX_LINE)), (Stream::Out, "lost 3")]),
            "a line is looked at in parts"
        );
    }

    #[test]
    fn nothing_is_looked_for_long_after_the_time_limit() {
        let mut watcher = Watcher::new(&"output lost".parse().unwrap(), Some(Duration::ZERO));
        watcher.hear(Stream::Out, b"lost");
        assert!(watcher.has_seen(), "what came just in time is still looked at");
        watcher = Watcher::new(&"output lost".parse().unwrap(), Some(Duration::ZERO));
        watcher.end = Some(Instant::now() - Duration::from_millis(1));
        watcher.hear(Stream::Out, b"lost\n");
        watcher.hear(Stream::Err, b"lost");
        assert!(!watcher.has_seen());
    }
}
