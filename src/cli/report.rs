//! `retrograde report`: a recording as one page.

use super::Usage;
use super::interrupt::{INTERRUPTED, catch_interrupts};
use crate::cancel::Cancel;
use crate::mcp::masked_page;
use crate::report::report;
use crate::rr::Rr;
use crate::untrusted::PathText as _;
use lexopt::prelude::*;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
A recording as one page of HTML: what ran, what it printed, how it ended.

Usage: retrograde report TRACE -o FILE

TRACE is a trace directory.

Options:
  -o, --output FILE  Where to write the page
  -h, --help         Print this
  -V, --version      Print the version
";

/// Writes the page of a recording.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    if words.iter().any(|word| word == "--help" || word == "-h") {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let (trace, to) = match parse(lexopt::Parser::from_args(words)) {
        Ok(asked) => asked,
        Err(usage) => {
            eprintln!("retrograde: {usage}");
            return Ok(ExitCode::from(2));
        }
    };
    catch_interrupts();
    let cancel = Cancel::on_flag(&INTERRUPTED);
    let page = report(&Rr::find()?, &trace, &cancel)?;
    let page = masked_page(&page, &trace, &cancel);
    fs::write(&to, page).map_err(|error| format!("`{}` cannot be written: {error}", to.in_text()))?;
    println!("{}", to.in_text());
    Ok(ExitCode::SUCCESS)
}

/// Returns the recording, and the file for its page.
fn parse(mut parser: lexopt::Parser) -> Result<(PathBuf, PathBuf), Usage> {
    let usage = "as `retrograde report TRACE -o report.html`";
    let wrong = |error: lexopt::Error| Usage(format!("{error}; {usage}"));
    let (mut trace, mut to) = (None, None);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Short('o') | Long("output") => to = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            Value(path) if trace.is_none() => trace = Some(PathBuf::from(path)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let lacks = |what: &str| Usage(format!("report needs {what}, {usage}"));
    Ok((trace.ok_or_else(|| lacks("a recording"))?, to.ok_or_else(|| lacks("a file to write"))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_and_a_file_are_needed() {
        let read = |words: &[&str]| parse(lexopt::Parser::from_args(words)).map_err(|usage| usage.to_string());
        let (trace, to) = (PathBuf::from("app-0"), PathBuf::from("page.html"));
        assert_eq!(read(&["app-0", "-o", "page.html"]), Ok((trace.clone(), to.clone())));
        assert_eq!(read(&["--output=page.html", "app-0"]), Ok((trace, to)));
        assert!(read(&["app-0"]).unwrap_err().contains("a file to write"));
        assert!(read(&["-o", "page.html"]).unwrap_err().contains("a recording"));
        assert!(read(&["a", "b", "-o", "c"]).unwrap_err().contains("retrograde report TRACE"));
    }
}
