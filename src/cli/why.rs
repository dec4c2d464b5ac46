//! `retrograde why`: the story of a failure.

use super::interrupt::{INTERRUPTED, catch_interrupts};
use super::{Usage, read_words};
use crate::mcp::failure_story;
use base::cancel::Cancel;
use lexopt::prelude::*;
use rr::{Rr, resolve_trace};
use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
Say why a recorded program failed: the fault, assertion, exception, panic or exit, the line, and where the wrong value
came from.

Usage: retrograde why [TRACE]

TRACE is a trace directory; rr's latest by default. Of several processes it is the one that failed.

Options:
  -h, --help     Print this
  -V, --version  Print the version
";

/// Prints the story of a recording.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let trace = match read_words(words, HELP, parse) {
        Ok(trace) => trace,
        Err(ends) => return Ok(ends),
    };
    catch_interrupts();
    let trace = resolve_trace(trace.as_deref())?;
    println!("{}", failure_story(&Rr::find()?, &trace, &Cancel::on_flag(&INTERRUPTED))?);
    Ok(ExitCode::SUCCESS)
}

/// Returns the recording, if it is named.
fn parse(mut parser: lexopt::Parser) -> Result<Option<PathBuf>, Usage> {
    let wrong = |error: lexopt::Error| Usage(format!("{error}; as `retrograde why [TRACE]`"));
    let mut trace = None;
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Value(path) if trace.is_none() => trace = Some(PathBuf::from(path)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    Ok(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_may_be_named() {
        let read = |words: &[&str]| parse(lexopt::Parser::from_args(words)).map_err(|usage| usage.to_string());
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&["app-0"]), Ok(Some(PathBuf::from("app-0"))));
        assert!(read(&["app-0", "app-1"]).unwrap_err().ends_with("as `retrograde why [TRACE]`"));
    }
}
