//! The words of the command line.

use crate::console::Opening;
use lexopt::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

pub(in crate::cli) const HELP: &str = "\
GDB's commands on a recording, forward and backward in time, without a GDB.

Usage: retrograde gdb [TRACE] [OPTIONS]

TRACE is a trace directory; rr's latest by default. Without a terminal, commands are read from stdin, one a line.

Options:
  -p, --pid, --onprocess PID|NAME
                     The recorded process to debug, by number or by the name of its program (default: the first)
  -f, --onfork PID   The same, from where it was forked, if it executed a program later
      --serve-files  Is taken for rr's sake: files are read from the recording in any case
  -g, --goto EVENT   Begin at an event of the recording; `run` comes back to it
  -e, --goto-exit    Begin at the end
      --patience SECONDS  How long to replay up to that process at most (default: 3600)
  -x, --command FILE Carry out the commands of a file; several may be given
      --ex COMMAND   Carry out a command, in one order with the files
      --batch        Leave after those
      --prompt TEXT  What to print when a command is expected (default: `(rr) `; nothing without a terminal)
  -n, --nx           Read no ~/.gdbinit (or gdb/gdbinit) and no ~/.config/retrograde/init
  -q, --quiet        Do not print what the program prints
  -h, --help         Print this
  -V, --version      Print the version

Before anything else, the commands of GDB's ~/.gdbinit and of ~/.config/retrograde/init are carried out, or those below
$XDG_CONFIG_HOME, but for what moves, writes files or starts programs. A .gdbinit in the current directory is not read.

A line of history is kept in ~/.local/state/retrograde/gdb_history, or where RETROGRADE_GDB_HISTORY says (empty:
nowhere). NO_COLOR, or TERM=dumb, leaves out colours.

Ctrl-C stops a run where it is, and cancels a question.
The exit status is 1 if a command failed that was not typed at the prompt.
";

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Wishes {
    pub(super) trace: Option<PathBuf>,
    /// The process, by its number or by its program.
    pub(super) process: Option<String>,
    /// It begins where it was forked.
    pub(super) from_fork: bool,
    /// Where to begin.
    pub(super) opening: Option<Opening>,
    pub(super) patience: Option<u32>,
    pub(super) scripts: Vec<Script>,
    pub(super) batch: bool,
    pub(super) prompt: Option<String>,
    pub(super) quiet: bool,
    /// The user's files of commands are not carried out.
    pub(super) without_init: bool,
    pub(super) help: bool,
    pub(super) version: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Script {
    File(PathBuf),
    Command(String),
}

/// Reads the words.
pub(super) fn read(words: &[OsString]) -> Result<Wishes, Box<dyn std::error::Error>> {
    // GDB's own spelling of its long options has one dash.
    let gdb = |word: &OsString| match word.to_str() {
        Some("-ex") => "--ex".into(),
        Some("-batch") => "--batch".into(),
        Some("-ix") => "--command".into(),
        Some("-iex") => "--ex".into(),
        Some("-quiet") => "--quiet".into(),
        Some("-nx" | "-n") => "--nx".into(),
        _ => word.clone(),
    };
    let words: Vec<OsString> = words.iter().map(gdb).collect();
    let mut parser = lexopt::Parser::from_args(words);
    let mut wishes = Wishes::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => wishes.help = true,
            Short('V') | Long("version") => wishes.version = true,
            Short('p') | Long("pid" | "onprocess") => wishes.process = Some(parser.value()?.string()?),
            Short('f') | Long("onfork") => {
                wishes.process = Some(parser.value()?.parse::<u32>()?.to_string());
                wishes.from_fork = true;
            }
            Long("serve-files") => {}
            Short('g') | Long("goto") => wishes.opening = Some(Opening::Event(parser.value()?.parse()?)),
            Short('e') | Long("goto-exit") => wishes.opening = Some(Opening::End),
            Long("patience") => wishes.patience = Some(parser.value()?.parse()?),
            Short('x') | Long("command") => wishes.scripts.push(Script::File(parser.value()?.into())),
            Long("ex") => wishes.scripts.push(Script::Command(parser.value()?.string()?)),
            Long("batch") => wishes.batch = true,
            Long("prompt") => wishes.prompt = Some(parser.value()?.string()?),
            Long("nx") => wishes.without_init = true,
            Short('q') | Long("quiet") => wishes.quiet = true,
            Value(trace) if wishes.trace.is_none() => wishes.trace = Some(trace.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(wishes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(words: &[&str]) -> Result<Wishes, String> {
        read(&words.iter().map(OsString::from).collect::<Vec<_>>()).map_err(|e| e.to_string())
    }

    #[test]
    fn options_may_be_spelled_as_gdbs() {
        let expected = Wishes {
            trace: Some("/t".into()),
            scripts: vec![Script::File("a".into()), Script::Command("bt full".into())],
            batch: true,
            ..Wishes::default()
        };
        assert_eq!(wishes(&["/t", "-x", "a", "--ex", "bt full", "--batch"]), Ok(expected));
        let single = wishes(&["-n", "-ex", "bt full", "-batch", "-quiet", "/t"]).unwrap();
        assert_eq!((single.scripts.len(), single.batch, single.quiet, single.without_init), (1, true, true, true));
        assert!(wishes(&["--nx"]).unwrap().without_init && !wishes(&[]).unwrap().without_init);
        assert_eq!(wishes(&["-p", "12", "--prompt", "> "]).unwrap().prompt.as_deref(), Some("> "));
        assert!(wishes(&["a", "b"]).unwrap_err().contains("unexpected argument"));
        assert_eq!(wishes(&["--onprocess", "cc1"]).unwrap().process.as_deref(), Some("cc1"));
        assert_eq!(wishes(&["-f", "12", "-g", "100"]).unwrap().opening, Some(Opening::Event(100)));
        assert!(wishes(&["-f", "12", "--serve-files"]).unwrap().from_fork && !wishes(&["-p", "12"]).unwrap().from_fork);
        assert_eq!(wishes(&["--goto-exit"]).unwrap().opening, Some(Opening::End));
        assert!(wishes(&["-f", "x"]).is_err() && wishes(&["-g", "x"]).is_err());
        assert_eq!(wishes(&["-p", "12", "--patience", "90"]).unwrap().patience, Some(90));
    }
}
