//! `retrograde hook`: answers the hooks of the plugin for Claude Code.

use crate::mcp;
use rr::Rr;
use std::io::{self, Read};
use std::process::ExitCode;

/// More than a host sends; what is longer is cut, and then not understood.
const MAX_INPUT: u64 = 16 * 1024 * 1024;

/// Reads one input and prints the answer, if there is one. Never fails: it would be somebody else's command that does.
pub(super) fn run() -> ExitCode {
    let mut input = Vec::new();
    if let Err(error) = io::stdin().lock().take(MAX_INPUT).read_to_end(&mut input) {
        tracing::debug!("no input for the hook: {error}");
    }
    let find_rr = || Rr::find().map(drop).map_err(|error| error.to_string());
    if let Some(answer) = mcp::plugin_hooks::answer(&String::from_utf8_lossy(&input), find_rr) {
        println!("{}", base::untrusted::shown_in_json(&answer));
    }
    ExitCode::SUCCESS
}
