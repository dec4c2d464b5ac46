//! `retrograde dap`: a debug adapter, for editors.

use crate::dap;
use lexopt::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

const HELP: &str = "\
A debug adapter: an editor that speaks the Debug Adapter Protocol debugs recordings, forward and backward in time.

Usage: retrograde dap [--port PORT]

Options:
      --port PORT  Listen on this port of 127.0.0.1 for one editor, instead of stdin and stdout (0: any; it is printed)
  -h, --help       Print this

What an editor is to be told, and what `launch` and `attach` take: `retrograde docs editors`.
";

/// Serves one editor.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut parser = lexopt::Parser::from_args(words);
    let mut port = None;
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            Long("port") => port = Some(parser.value()?.parse()?),
            other => return Err(other.unexpected().into()),
        }
    }
    match port {
        None => dap::serve()?,
        Some(port) => dap::serve_on_port(port, |address| println!("retrograde: debug adapter listening at {address}"))?,
    }
    Ok(ExitCode::SUCCESS)
}
