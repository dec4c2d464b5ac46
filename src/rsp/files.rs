//! What rr tells in files and transfers besides memory: the mappings of the process, and the signal of a thread.

use super::client::Client;
use super::command::{Command, RrCommand};
use super::dialect;
use super::error::Error;
use super::reply;
use arch::ThreadId;

/// Longest list of mappings that is read.
const MOST: usize = 16 << 20;

impl Client {
    /// Reads the mappings of the debuggee, in the form of `/proc/PID/maps`, with the files that were mapped when it was
    /// recorded.
    pub fn mappings(&mut self) -> Result<String, Error> {
        self.select_any()?;
        let file = self.ask(&Command::OpenMappings(self.state.pid), reply::file_number)?;
        let read = self.read_file(file);
        // What was opened is closed, whatever was read of it.
        let closed = self.ask(&Command::CloseFile(file), reply::file_number);
        let text = String::from_utf8_lossy(&read?).into_owned();
        closed?;
        Ok(text)
    }

    fn read_file(&mut self, file: u64) -> Result<Vec<u8>, Error> {
        let mut data = Vec::new();
        while data.len() < MOST {
            let piece = self.ask(&Command::ReadFile { file, offset: data.len() }, reply::file_bytes)?;
            if piece.is_empty() {
                break;
            }
            data.extend(piece);
        }
        Ok(data)
    }

    /// Reads the `siginfo_t` of the signal that a thread has stopped for.
    ///
    /// rr goes on a diversion to answer that, and comes back from it for the next command of its own, which follows
    /// here.
    pub fn signal_info(&mut self, thread: ThreadId) -> Result<Vec<u8>, Error> {
        self.on_record("siginfo")?;
        self.select(thread)?;
        let found = self.ask(&Command::SignalInfo, reply::transfer);
        if self.abilities.time {
            self.rr(RrCommand::When, dialect::event)?;
        }
        Ok(found?.data)
    }
}
