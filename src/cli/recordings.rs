//! `retrograde ls` and `retrograde rm`: which recordings there are, and away with them.

use super::Usage;
use super::interrupt::{INTERRUPTED, catch_interrupts};
use crate::mcp::recordings_in_words;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use lexopt::prelude::*;
use rr::{Rr, recordings, removable};
use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

const LS: &str = "\
List recordings, the newest first: path, time, size, command, exit status.

Usage: retrograde ls [OPTIONS] [DIR]

DIR is a directory with recordings (default: where rr keeps them).

Options:
  -a, --all      List all of them, not just the newest 20
  -h, --help     Print this
  -V, --version  Print the version
";

const RM: &str = "\
Delete recordings for good.

Usage: retrograde rm [--force] TRACE...

TRACE is a trace directory, or its name among those that `retrograde ls` lists. A recording that is in use stays.

Options:
  -f, --force    Take an absolute path that is elsewhere than where rr keeps recordings, too
  -h, --help     Print this
  -V, --version  Print the version
";

/// Most recordings that are listed if not all are asked for.
const LISTED: usize = 20;

/// Lists recordings.
pub(super) fn list(words: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let Some((base, is_all)) = parse_list(lexopt::Parser::from_args(words))? else {
        print!("{LS}");
        return Ok(ExitCode::SUCCESS);
    };
    catch_interrupts();
    let limit = if is_all { usize::MAX } else { LISTED };
    let found = recordings(base.as_deref(), limit, &Cancel::on_flag(&INTERRUPTED))?;
    let hidden = found.total - found.newest.len();
    println!("{}", recordings_in_words(found.newest));
    if hidden > 0 {
        println!("{hidden} older ones: `retrograde ls --all`");
    }
    Ok(ExitCode::SUCCESS)
}

/// Deletes recordings. One that stays does not keep the others.
pub(super) fn remove(words: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let Some((traces, is_forced)) = parse_remove(lexopt::Parser::from_args(words))? else {
        print!("{RM}");
        return Ok(ExitCode::SUCCESS);
    };
    let rr = Rr::find()?;
    let mut status = ExitCode::SUCCESS;
    for trace in traces {
        let removed = removable(&trace, |_| false, is_forced).and_then(|trace| rr.remove(&trace).map(|()| trace));
        match removed {
            Ok(trace) => println!("removed {}", trace.in_text()),
            Err(error) => {
                eprintln!("retrograde: {error}");
                status = ExitCode::FAILURE;
            }
        }
    }
    Ok(status)
}

/// Returns the directory, and whether all are listed. `None`: the help.
fn parse_list(mut parser: lexopt::Parser) -> Result<Option<(Option<PathBuf>, bool)>, Usage> {
    let wrong = |error: lexopt::Error| Usage(format!("{error}; ls takes --all and a directory"));
    let (mut base, mut is_all) = (None, false);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Short('a') | Long("all") => is_all = true,
            Value(path) if base.is_none() => base = Some(PathBuf::from(path)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    Ok(Some((base, is_all)))
}

/// Returns the recordings, and whether they may be anywhere. `None`: the help.
fn parse_remove(mut parser: lexopt::Parser) -> Result<Option<(Vec<PathBuf>, bool)>, Usage> {
    let wrong = |error: lexopt::Error| Usage(format!("{error}; rm takes --force and recordings"));
    let (mut traces, mut is_forced) = (Vec::new(), false);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Short('f') | Long("force") => is_forced = true,
            Value(path) => traces.push(PathBuf::from(path)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    match traces.is_empty() {
        true => Err(Usage("rm needs a recording, as `retrograde ls` lists them".to_owned())),
        false => Ok(Some((traces, is_forced))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_may_be_named_and_recordings_must_be() {
        let list = |words: &[&str]| parse_list(lexopt::Parser::from_args(words)).map_err(|usage| usage.0);
        assert_eq!(list(&[]), Ok(Some((None, false))));
        assert_eq!(list(&["-a", "/r"]), Ok(Some((Some("/r".into()), true))));
        assert_eq!(list(&["--help"]), Ok(None));
        assert!(list(&["a", "b"]).unwrap_err().contains("ls takes --all and a directory"));
        let remove = |words: &[&str]| parse_remove(lexopt::Parser::from_args(words)).map_err(|usage| usage.0);
        assert_eq!(remove(&["a-0", "-f", "b-0"]), Ok(Some((vec!["a-0".into(), "b-0".into()], true))));
        assert_eq!(remove(&[]).unwrap_err(), "rm needs a recording, as `retrograde ls` lists them");
    }
}
