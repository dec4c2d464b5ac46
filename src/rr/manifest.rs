//! The small file that we put into a trace directory: what a recording needs to be replayed, and where it came from.
//!
//! rr ignores files it does not know. The format is lines of `key=value`; `#` starts a comment line; unknown keys are
//! passed over, so that later versions can add some. In values, a backslash is written `\\` and a newline `\n`.

use super::counters::Counters;
use super::error::Error;
use super::paths::open_regular;
use base::untrusted::PathText as _;
use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The file's name in the trace directory.
pub(super) const FILE: &str = "retrograde";
/// A longer file is not ours.
const LIMIT: u64 = 4 << 20;

/// What we remember about a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    /// What it must be replayed with.
    pub(super) counters: Counters,
    /// rr's version when it was made.
    pub(super) rr: Option<String>,
    /// The command line, words separated by blanks, as `rr ps` shows it.
    pub(super) command: Option<String>,
    /// How the program ended: its exit code, or minus the number of the signal that ended it. `None`: it has not, or
    /// nobody was left to see it.
    pub(super) exit_code: Option<i32>,
    /// The number of its last event.
    pub(super) events: Option<u64>,
    /// When recording began.
    pub(super) recorded: Option<SystemTime>,
}

impl Manifest {
    /// Creates a `Manifest` for a recording of `command` that has not ended.
    pub(super) fn new(
        counters: Counters,
        (major, minor, patch): (u32, u32, u32),
        command: String,
        began: SystemTime,
    ) -> Self {
        Self {
            counters,
            rr: Some(format!("{major}.{minor}.{patch}")),
            command: Some(command),
            exit_code: None,
            events: None,
            recorded: Some(began),
        }
    }

    /// Notes how it ended, if it did.
    pub(super) fn end(&mut self, status: Option<ExitStatus>, events: Option<u64>) {
        let code = |status: ExitStatus| status.code().or(status.signal().map(|signal| -signal));
        self.exit_code = status.and_then(code);
        self.events = events;
    }

    /// Reads that of a trace directory. `None`: it was not recorded by us.
    pub(super) fn read(trace: &Path) -> Result<Option<Self>, Error> {
        let path = trace.join(FILE);
        let damaged = |reason: String| Error::Damaged { path: trace.to_owned(), reason };
        let file = match open_regular(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damaged(format!("its file `{FILE}` cannot be read: {error}"))),
        };
        let mut text = String::new();
        let read = file.take(LIMIT).read_to_string(&mut text);
        read.map_err(|error| damaged(format!("its file `{FILE}` cannot be read: {error}")))?;
        parse(&text).map(Some).map_err(|reason| damaged(format!("its file `{FILE}` {reason}")))
    }

    /// Writes it into a trace directory; a reader sees the old state or the new one.
    pub(super) fn write(&self, trace: &Path) -> Result<(), Error> {
        let temporary: PathBuf = trace.join(format!(".{FILE}-{}", std::process::id()));
        let written = fs::write(&temporary, self.text()).and_then(|()| fs::rename(&temporary, trace.join(FILE)));
        if written.is_err() {
            // The error below is the one to report; this only tidies up.
            let _ = fs::remove_file(&temporary);
        }
        written.map_err(Error::io(format!("write `{}`", trace.join(FILE).in_text())))
    }

    /// Removes it from a trace directory.
    pub(super) fn remove(&self, trace: &Path) {
        // Somebody else may have put another one there.
        if Self::read(trace).is_ok_and(|found| found.as_ref() == Some(self)) {
            let _ = fs::remove_file(trace.join(FILE));
        }
    }

    fn text(&self) -> String {
        let mut text = String::from("# how retrograde replays this recording\nversion=1\n");
        let mut line = |key: &str, value: &str| {
            text.push_str(key);
            text.push('=');
            text.push_str(&value.replace('\\', "\\\\").replace('\n', "\\n"));
            text.push('\n');
        };
        line("counters", self.counters.name());
        if let Some(rr) = &self.rr {
            line("rr", rr);
        }
        if let Some(command) = &self.command {
            line("command", command);
        }
        if let Some(code) = self.exit_code {
            line("exit", &code.to_string());
        }
        if let Some(events) = self.events {
            line("events", &events.to_string());
        }
        if let Some(age) = self.recorded.and_then(|recorded| recorded.duration_since(UNIX_EPOCH).ok()) {
            line("recorded", &format!("{}.{:09}", age.as_secs(), age.subsec_nanos()));
        }
        text
    }
}

/// Parses a manifest. The error says what the file lacks, to follow "its file".
pub(super) fn parse(text: &str) -> Result<Manifest, String> {
    let mut counters = None;
    let (mut rr, mut command, mut exit_code, mut events, mut recorded) = (None, None, None, None, None);
    for line in text.split('\n').filter(|line| !line.starts_with('#')) {
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let value = unescape(value);
        match key {
            "counters" => {
                let known = Counters::named(&value);
                counters = Some(known.ok_or_else(|| format!("names counters `{value}`, which are not known"))?);
            }
            "rr" => rr = Some(value),
            "command" => command = Some(value),
            "exit" => exit_code = value.parse().ok(),
            "events" => events = value.parse().ok(),
            "recorded" => recorded = time(&value),
            _ => {}
        }
    }
    let counters = counters.ok_or("has no line `counters=`")?;
    Ok(Manifest { counters, rr, command, exit_code, events, recorded })
}

fn unescape(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            other => plain.push(other),
        }
    }
    plain
}

/// Parses seconds and nanoseconds since 1970, as written above.
fn time(value: &str) -> Option<SystemTime> {
    let (seconds, nanoseconds) = value.split_once('.').unwrap_or((value, "0"));
    let nanoseconds: u32 = nanoseconds.parse().ok().filter(|n| *n < 1_000_000_000)?;
    UNIX_EPOCH.checked_add(Duration::new(seconds.parse().ok()?, nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn example() -> Manifest {
        Manifest {
            counters: Counters::Soft,
            rr: Some("5.10.0".into()),
            command: Some("./a.out 'x y'".into()),
            exit_code: Some(-11),
            events: Some(111),
            recorded: UNIX_EPOCH.checked_add(Duration::new(1_700_000_000, 5)),
        }
    }

    #[test]
    fn the_format_is_lines_of_key_and_value() {
        assert_eq!(
            example().text(),
            "# how retrograde replays this recording\nversion=1\ncounters=soft\nrr=5.10.0\ncommand=./a.out 'x y'\n\
             exit=-11\nevents=111\nrecorded=1700000000.000000005\n"
        );
    }

    #[test]
    fn it_is_read_back_from_a_directory() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(directory.path()).unwrap(), None);
        example().write(directory.path()).unwrap();
        assert_eq!(Manifest::read(directory.path()).unwrap(), Some(example()));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn unknown_keys_and_bad_values_are_passed_over() {
        let text = "colour=red\nno equals sign\ncounters=hardware\nexit=many\nrecorded=soon\n";
        let (rr, command, exit_code, events, recorded) = (None, None, None, None, None);
        let expected = Manifest { counters: Counters::Hardware, rr, command, exit_code, events, recorded };
        assert_eq!(parse(text), Ok(expected));
    }

    #[test]
    fn without_known_counters_it_is_useless() {
        assert_eq!(parse("version=1\n"), Err("has no line `counters=`".into()));
        assert_eq!(parse("counters=abacus\n"), Err("names counters `abacus`, which are not known".into()));
    }

    proptest! {
        #[test]
        fn any_command_survives(command in any::<String>(), exit_code in any::<Option<i32>>()) {
            let manifest = Manifest { command: Some(command), exit_code, ..example() };
            prop_assert_eq!(parse(&manifest.text()), Ok(manifest));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
