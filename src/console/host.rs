//! What commands do outside of a conversation, for somebody at a prompt of their own: files and a shell. Others have no
//! such thing, and are told what to do instead.

use super::error::{Elsewhere, Error};
use super::execution::Execution;
use base::untrusted::PathText as _;
use std::io;
use std::path::PathBuf;

/// The machine of the person who types.
pub trait Host {
    /// Reads a file of commands.
    fn read(&mut self, path: &str) -> io::Result<String>;

    /// Returns the directory that paths begin in.
    fn directory(&mut self) -> io::Result<PathBuf>;

    /// Has paths begin in another directory.
    fn change_directory(&mut self, path: &str) -> io::Result<()>;

    /// Writes a file.
    fn write(&mut self, path: &str, text: &str) -> io::Result<()>;

    /// Has a shell carry out a command, or talk to the user if there is none.
    fn shell(&mut self, command: &str) -> io::Result<()>;

    /// Has what is said from now on written to a file, too; or no more.
    fn log(&mut self, to: Option<Log>) -> io::Result<()>;

    /// Shows so many lines at once; `None`: all.
    fn set_height(&mut self, lines: Option<usize>);

    /// Shows what the program prints with colours and movements of the cursor, or as text alone.
    fn set_raw_output(&mut self, is_raw: bool);
}

/// Where what is said is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The file.
    pub path: String,
    /// What it has is written over; otherwise it is added to.
    pub overwrites: bool,
    /// It is said there only.
    pub redirects: bool,
}

impl Execution<'_> {
    /// Returns the host; fails for who has none.
    pub(super) fn host(&mut self, command: &str, elsewhere: Elsewhere) -> Result<&mut dyn Host, Error> {
        self.terminal.host().ok_or_else(|| Error::Absent { command: command.to_owned(), elsewhere })
    }

    /// Has a shell carry out a command.
    pub(super) fn shell(&mut self, command: &str) -> Result<(), Error> {
        let done = self.host("shell", Elsewhere::Shell)?.shell(command);
        done.map_err(|error| Error::said(format!("Cannot execute the shell: {error}")))
    }

    /// Prints the directory that file names begin in.
    pub(super) fn working_directory(&mut self) -> Result<(), Error> {
        let path = self.host("pwd", Elsewhere::Files)?.directory();
        let path = path.map_err(|error| Error::said(format!("The directory is unknown: {error}")))?;
        self.say(format!("Working directory {}.", path.in_text()));
        Ok(())
    }

    /// Has file names begin in another directory; without one, in the user's.
    pub(super) fn change_directory(&mut self, path: &str) -> Result<(), Error> {
        let path = if path.is_empty() { "~" } else { path };
        let done = self.host("cd", Elsewhere::Files)?.change_directory(path);
        done.map_err(|error| Error::said(format!("{path}: {error}")))?;
        self.working_directory()
    }

    /// Writes a file, and says so.
    pub(super) fn write(&mut self, command: &str, path: &str, text: &str) -> Result<(), Error> {
        let done = self.host(command, Elsewhere::Files)?.write(path, text);
        done.map_err(|error| Error::said(format!("Unable to open file '{path}' for saving ({error})")))
    }
}
