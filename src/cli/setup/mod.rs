//! `retrograde setup`: an rr for the server to use, and the configuration of MCP clients.

mod client;
mod edit;
mod entry;

use super::install;
use crate::mcp::Offered;
use base::qualified::question_about;
use base::untrusted::{PathText as _, one_line};
use client::{CLIENTS, Client};
use lexopt::prelude::*;
use rr::Rr;
use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;

const HELP: &str = "\
Get ready: an rr, and the configuration of an MCP client.

Usage: retrograde setup [OPTIONS] [CLIENT...]

Without a client: looks for an rr, as the server does; if there is none, installs one for this user.
Clients are claude (Claude Code), claude-desktop, codex, cursor, gemini (Gemini CLI), opencode, vscode and zed. For each,
the entry for retrograde is shown, and written to the user's configuration: the rest of the file stays as it is, comments
too, and a copy of what was there is kept beside it. Of an entry that is there, arguments, variables and what else you
have given it are kept; RETROGRADE_RR, if it is set here, is written to it.

Options:
      --tools SET  Which tools the client is shown, as of `retrograde serve`: core is the short list
      --dry-run    Show what would be done, and do nothing
  -h, --help       Print this
";

/// What is to be set up.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    is_dry: bool,
    tools: Option<String>,
    clients: Vec<&'static Client>,
}

/// Does what the words behind `setup` say.
pub(super) fn run(words: &[OsString]) -> ExitCode {
    let wanted = match parse(words) {
        Ok(Some(wanted)) => wanted,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("retrograde setup: {why}");
            return ExitCode::from(2);
        }
    };
    let mut done = ExitCode::SUCCESS;
    let mut attempt = |result: Result<(), Box<dyn Error>>| {
        if let Err(error) = result {
            eprintln!("retrograde setup: {error}");
            done = ExitCode::FAILURE;
        }
    };
    if wanted.clients.is_empty() {
        attempt(rr(wanted.is_dry));
    }
    for client in &wanted.clients {
        attempt(client.set_up(wanted.tools.as_deref(), wanted.is_dry));
    }
    done
}

/// Parses the arguments; `None` if help is wanted.
fn parse(words: &[OsString]) -> Result<Option<Request>, String> {
    let names = CLIENTS.iter().map(|client| client.name).collect::<Vec<_>>().join(", ");
    let wrong = |error: lexopt::Error| format!("{error}; options are --tools SET and --dry-run, clients {names}");
    let mut wanted = Request::default();
    let mut parser = lexopt::Parser::from_args(words);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("dry-run") => wanted.is_dry = true,
            Long("tools") => {
                let tools = parser.value().map_err(wrong)?.to_string_lossy().into_owned();
                Offered::parse(&tools).map_err(|why| format!("--tools: {why}"))?;
                wanted.tools = Some(tools);
            }
            Value(name) => {
                let name = name.to_string_lossy();
                let Some(client) = CLIENTS.iter().find(|client| client.name == name) else {
                    let question = question_about(&name, CLIENTS.iter().map(|client| client.name));
                    return Err(format!("unknown client `{}`{question}; clients are {names}", one_line(&name)));
                };
                wanted.clients.push(client);
            }
            other => return Err(wrong(other.unexpected())),
        }
    }
    if wanted.tools.is_some() && wanted.clients.is_empty() {
        return Err(format!("--tools is for a client: {names}"));
    }
    Ok(Some(wanted))
}

/// Sees to it that there is an rr.
fn rr(is_dry: bool) -> Result<(), Box<dyn Error>> {
    let found = match (Rr::find(), is_dry) {
        (Ok(rr), _) => rr,
        (Err(rr::Error::NotFound { looked }), true) => {
            println!("no rr: {looked}\n`retrograde setup` would install {}", install::PACKAGE);
            return Ok(());
        }
        (Err(_), _) => {
            let directory = Rr::directory_of_own().ok_or("neither XDG_DATA_HOME nor HOME says where to put an rr")?;
            install::ensure_rr(&directory)?
        }
    };
    let (major, minor, patch) = found.version();
    println!("rr {major}.{minor}.{patch}: {}", found.program().in_text());
    println!(
        "next: `retrograde doctor` checks what this machine can record; `retrograde setup CLIENT` configures an MCP client"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Option<Request>, String> {
        parse(&words.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn words_name_clients() {
        let names = |wanted: &Request| wanted.clients.iter().map(|c| c.name).collect::<Vec<_>>();
        assert_eq!(read(&[]), Ok(Some(Request::default())));
        assert_eq!(read(&["--help"]), Ok(None));
        let both = read(&["zed", "--dry-run", "claude"]).unwrap().unwrap();
        assert_eq!((names(&both), both.is_dry), (vec!["zed", "claude"], true));
        let core = read(&["codex", "--tools", "core"]).unwrap().unwrap();
        assert_eq!((names(&core), core.tools.as_deref()), (vec!["codex"], Some("core")));
        assert_eq!(
            read(&["vs-code"]).unwrap_err(),
            "unknown client `vs-code` (did you mean `vscode`?); clients are claude, claude-desktop, codex, cursor, gemini, \
             opencode, vscode, zed"
        );
        assert!(read(&["--tools", "core"]).unwrap_err().starts_with("--tools is for a client: claude,"));
        assert!(read(&["zed", "--tools", "rr_nothing"]).unwrap_err().starts_with("--tools: "));
        assert!(read(&["zed", "--all"]).unwrap_err().contains("options are --tools SET and --dry-run"));
    }
}
