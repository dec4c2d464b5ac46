//! `retrograde report`: a recording as one page.

use super::interrupt::{INTERRUPTED, catch_interrupts};
use super::{Usage, read_words};
use crate::mcp::masked_page;
use crate::report::report;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use lexopt::prelude::*;
use rr::{Rr, resolve_trace};
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
A recording as one page of HTML: what ran, what it printed, how it ended.

Usage: retrograde report [TRACE] [-o FILE]

TRACE is a trace directory; rr's latest by default. Without a file, the page goes to stdout if that is not a terminal.

Options:
  -o, --output FILE  Where to write the page (-: stdout)
  -h, --help         Print this
  -V, --version      Print the version
";

/// Writes the page of a recording.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    let (trace, to) = match read_words(words, HELP, parse) {
        Ok(asked) => asked,
        Err(ends) => return Ok(ends),
    };
    let to = to.filter(|to| to.as_os_str() != "-");
    if to.is_none() && io::stdout().is_terminal() {
        eprintln!("retrograde: a page of HTML is not for a terminal: `retrograde report -o FILE`, or `> FILE`");
        return Ok(ExitCode::from(2));
    }
    catch_interrupts();
    let trace = resolve_trace(trace.as_deref())?;
    let cancel = Cancel::on_flag(&INTERRUPTED);
    let page = report(&Rr::find()?, &trace, &cancel)?;
    let page = masked_page(&page, &trace, &cancel);
    match to {
        Some(to) => {
            fs::write(&to, page).map_err(|error| format!("`{}` cannot be written: {error}", to.in_text()))?;
            println!("{}", to.in_text());
        }
        None => io::stdout().write_all(page.as_bytes()).map_err(|error| format!("stdout: {error}"))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the recording and the file for its page, as far as they are named.
fn parse(mut parser: lexopt::Parser) -> Result<(Option<PathBuf>, Option<PathBuf>), Usage> {
    let wrong = |error: lexopt::Error| Usage(format!("{error}; as `retrograde report [TRACE] [-o FILE]`"));
    let (mut trace, mut to) = (None, None);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Short('o') | Long("output") => to = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            Value(path) if trace.is_none() => trace = Some(PathBuf::from(path)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    Ok((trace, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_and_a_file_may_be_named() {
        let read = |words: &[&str]| parse(lexopt::Parser::from_args(words)).map_err(|usage| usage.to_string());
        let (trace, to) = (Some(PathBuf::from("app-0")), Some(PathBuf::from("page.html")));
        assert_eq!(read(&["app-0", "-o", "page.html"]), Ok((trace.clone(), to.clone())));
        assert_eq!(read(&["--output=page.html", "app-0"]), Ok((trace.clone(), to.clone())));
        assert_eq!(read(&["app-0"]), Ok((trace, None)));
        assert_eq!(read(&["-o", "page.html"]), Ok((None, to)));
        assert_eq!(read(&["-o", "-"]), Ok((None, Some(PathBuf::from("-")))));
        assert!(read(&["a", "b", "-o", "c"]).unwrap_err().contains("retrograde report [TRACE]"));
    }
}
